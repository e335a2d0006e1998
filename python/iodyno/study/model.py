"""The study as a document: every key, its unit, its range and its default."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeVar, get_args

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, PositiveFloat, model_validator

from iodyno.errors import HintedValueError
from iodyno.plan import (
    LATER_CHOICES,
    LATER_FIELDS,
    Arrival,
    Point,
    RealEngine,
    WorkersArea,
    unused_patterns_left_out,
    without_defaults,
)
from iodyno.profiles import (
    INTENSITIES,
    STANDARD_LOADS,
    STANDARD_SETS,
    Area,
    LoadProfile,
    Record,
    Share,
    Size,
    StandardLoad,
)
from iodyno.record import Flag, Number, Seconds, number
from iodyno.study.conditioning import ConditioningOptions
from iodyno.study.configuration import Configuration, SimulationOptions
from iodyno.study.lists import Listed, items_of, repeated
from iodyno.units import format_cpus, parse_cpus

STUDY_SCHEMA = 1
_Titled = TypeVar("_Titled", Configuration, LoadProfile)
NAME_PATTERN = r"^[a-z0-9][a-z0-9-]*$"

Axis = Literal[
    "area",
    "block_sizes",
    "read_share",
    "random_share",
    "engine",
    "workers",
    "workers_area",
    "rate_io_s",
    "outstanding",
]
AXES: tuple[str, ...] = get_args(Axis)
"""Keys of a sweep that take one value or a list; a list is an axis."""
PERCENTILES = (0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999)
"""Latency percentiles that a paper can show."""


def _intensities(value: Any) -> Any:
    """Let a number or a list through, and the name of a published series stand for its numbers."""
    if not isinstance(value, str):
        return value
    if value not in INTENSITIES:
        known = " or ".join(INTENSITIES)
        what = f"{value!r} is no series of intensities: write numbers, or {known}"
        numbers = [part.strip() for part in value.split(",")]
        if all(part.isdecimal() for part in numbers):  # as on the command line
            raise HintedValueError(what, f"write [{', '.join(numbers)}]")
        raise ValueError(what)
    return list(INTENSITIES[value])


MOST_SHARE = 100
"""Greatest rate as a share of what the target can serve."""


def _any_share(value: Any) -> Any:
    """Read a share that may be above the whole: ``"110%"`` or 1.1."""
    if not (isinstance(value, str) and value.strip().endswith("%")):
        try:
            value = number(value)
        except HintedValueError as error:
            raise HintedValueError(str(error), _share_in_quotes(value.strip()) or error.hint) from None
    if isinstance(value, str) and value.strip().endswith("%"):
        try:
            return float(value.strip().removesuffix("%")) / 100
        except ValueError:
            raise ValueError(f"{value!r} is no share: write 110% or 1.1") from None
    if isinstance(value, int | float) and MOST_SHARE < value <= 100 * MOST_SHARE:
        hint = f'write "{value:.12g}%" or {value / 100:.12g}'
        raise HintedValueError(f"{value:g} is {value:g} times what the target can serve", hint)
    return value


def _share_in_quotes(text: str) -> str:
    """Say what a number in quotes was meant for: above what may stand without, a percentage; else either."""
    share = float(text)
    if share <= 0 or share > 100 * MOST_SHARE:
        return f"give more than 0% and up to {100 * MOST_SHARE}%"
    if share > MOST_BARE_SHARE:
        return f'write "{text}%" or {share / 100:.12g}'
    return f'write {text} without quotes; "{text}%" if that is meant' if 1 < share <= MOST_BARE_SHARE else ""


MOST_BARE_SHARE = 10
"""Rates as shares that are more than this many times what can be served have to be written in percent: as a
number alone they were meant in percent."""


def _written_share(share: float) -> float | str:
    """Write a share that may be above the whole as a study has it."""
    return share if share <= MOST_BARE_SHARE else f"{share * 100:.15g}%"


def _pinning(text: str) -> str:
    return text if text in ("node", "none") else format_cpus(parse_cpus(text))


Outstanding = Annotated[int, Number, Field(ge=1, le=4096)]
Intensities = Annotated[tuple[Outstanding, ...], Listed, BeforeValidator(_intensities)]
Beginning = Annotated[float, Seconds, Field(ge=0, le=86400)]
Workers = Annotated[int, Number, Field(ge=1, le=1024)]
Seed = Annotated[int, Number, Field(ge=0, lt=1 << 63)]
OPEN_LOOP_OUTSTANDING = (512,)
"""Most outstanding I/Os where a rate is given and the study says nothing else."""


class Measurement(Record):
    """``[measurement]``: how each point is measured."""

    engine: RealEngine = "auto"
    """Engine that asks the target."""
    direct: Flag = True
    """Bypass the caches of the operating system."""
    verify: Flag = False
    """Stamp what is written, check what is read, and read everything once more after the load."""
    workers_area: WorkersArea = "shared"
    """Which part of the area a worker accesses: ``"shared"``, all of it; ``"own"``, an equal part;
    ``"stream"``, the next block of one sequential stream that all workers drive without overlap or gap."""
    targets_per_worker: Annotated[int, Number, Field(ge=1)] | None = None
    """Targets that a worker drives: 1 gives each target ``workers`` of its own. It divides the number of
    targets; none given: every worker drives all of them."""
    write_through: Flag = False
    """Open targets so that each write is durable before it is complete (O_DSYNC)."""
    cold_cache: Flag = False
    """Buffered I/O: drop what the operating system has of the targets in memory before each point, and tell
    it whether accesses are random."""
    iopoll: Flag = False
    """Ask the device for completions instead of waiting for its interrupts: io_uring, direct I/O, and
    devices with poll queues only."""
    pinning: Annotated[str, AfterValidator(_pinning)] = "node"
    """Processors that the workers run on: ``"node"``, those of the NUMA node of the targets' devices;
    ``"none"``, any; or a list such as ``"0-3,8"``."""
    seed: Seed = 1
    """Seed of every draw, 0 to 2^63 - 1."""
    warmup_s: Annotated[float, Seconds, Field(ge=0, le=86400)] = 2.0
    """Seconds of load before anything is counted, 0 to 86400."""
    floor_s: Annotated[float, Seconds, Field(gt=0, le=86400)] = 5.0
    """Seconds that follow the warm-up at the least, above 0, no more than ``cap_s``; what of them came before
    the load had settled, up to a half, is cut off."""
    cap_s: Annotated[float, Seconds, Field(gt=0, le=86400)] = 60.0
    """Most measured seconds, above 0 to 86400."""
    precision: Annotated[Share, Field(gt=0, lt=1)] = 0.02
    """Half-width of the interval to reach, as a share of the mean: ``0.02`` or ``"2%"``."""
    confidence: Annotated[Share, Field(gt=0.5, lt=1)] = 0.95
    """Confidence of the interval, above 0.5 and below 1."""


class FileOptions(Record):
    """``[file]``: the file that iodyno makes where the target is a folder or a new path."""

    size: Size = 32 << 30
    """Size of the file in bytes. A file that is there already is measured as large as it is."""


def _one_of_the_shown(share: float) -> float:
    if share not in PERCENTILES:
        raise ValueError(f"{share:g} is not one of {', '.join(f'{known:g}' for known in PERCENTILES)}")
    return share


ShownPercentile = Annotated[Share, AfterValidator(_one_of_the_shown)]
ChartItem = Literal["main", "rate", "throughput", "latency"]


class Part(Record):
    """``[[sweep.chart.part]]``: some of a sweep's configurations under a heading of their own."""

    title: str = Field(min_length=1)
    """Heading in the paper."""
    configurations: Annotated[tuple[str, ...], Listed, Field(min_length=1)]
    """Names of configurations, ``*`` for any part of a name."""


_LOADS = re.compile(r"each|maximum|(\d+)-(\d+)")


def _compared_loads(text: str) -> str:
    found = _LOADS.fullmatch(text)
    if not found or (found[1] and int(found[1]) > int(found[2])):
        hint = 'write "each", "maximum" or a range as "1-32"'
        alone = f'write "{text}-{text}" for this load alone'
        raise HintedValueError(f"{text!r} names no loads", alone if text.isdecimal() else hint)
    return text


class Comparison(Record):
    """``[[sweep.chart.compare]]``: configurations set against others, by quotients of their main figures, or
    a load beside another one against the same load alone, by those of its response times too."""

    title: str = Field(min_length=1)
    """Heading in the paper."""
    to_sweep: str | None = None
    """Another sweep of the study: what this one loads is set against the same load there, as beside a backup
    against alone; none given: configurations of this sweep are set against each other."""
    of: Annotated[tuple[str, ...], Listed, Field(min_length=1)]
    """Names of configurations of the sweep, ``*`` for any part of a name, ``?`` for one character, ``[ab]``
    for one of these; of several that fit, the first counts whose counterpart there is. May be left out
    beside ``to_sweep``: all."""
    to: str = Field(min_length=1)
    """Name of the one that each is set against; a ``*`` stands for what it does in ``of``, a ``?`` for what a
    ``?`` or ``[ab]`` does there. May be left out beside ``to_sweep``: the same one in the other sweep."""
    loads: Annotated[
        tuple[Annotated[str, AfterValidator(_compared_loads)], ...], Listed, Field(min_length=1)
    ] = ("each",)
    """``"each"`` load by itself, ``"maximum"`` over all loads, or the mean over a range of loads, ``"1-32"``;
    a load is as many outstanding I/Os in all, or beside ``to_sweep`` the same rate."""

    @model_validator(mode="before")
    @classmethod
    def _of_another_sweep(cls, value: Any) -> Any:
        """Set each configuration against itself where the other sweep is all that is said."""
        if not isinstance(value, dict) or value.get("to_sweep") is None:
            return value
        return {"of": "*", "to": "*", **value}


class Chart(Record):
    """``[sweep.chart]``: how the paper shows a sweep, over the rate asked for or the load."""

    layout: Literal["auto", "each", "together", "matrix"] = "auto"
    """Each curve by itself, the curves of a profile in one chart, or the maxima as bars and a matrix;
    ``auto`` takes what the number of curves allows."""
    part: tuple[Part, ...] = ()
    """Parts that the results of the sweep are shown in, in this order; what is in none comes last."""
    compare: tuple[Comparison, ...] = ()
    """Configurations that are set against others, load by load, or this sweep against another one."""
    show: Annotated[tuple[ChartItem, ...], Listed] = ("main", "latency")
    """One panel each; ``main`` is the rate or the throughput, as the profile is shown."""
    percentiles: Annotated[tuple[ShownPercentile, ...], Listed] = (0.5, 0.99, 0.999)
    """Latency percentiles beside the rate: of 0.5, 0.9, 0.99, 0.999, 0.9999 and 0.99999."""
    rate_latency: Flag = True
    """Draw latency over the rate as well."""


class Search(Record):
    """``search = { … }``: the highest rate at which a percentile of the response time keeps a limit."""

    percentile: Annotated[Share, Field(gt=0, lt=1)] = 0.99
    """Percentile of the response time, above 0 and below 1: ``"99%"`` or ``0.99``."""
    limit: Annotated[float, Seconds, Field(gt=0, le=3600)]
    """Limit of the response time in seconds, or with a unit: ``"2ms"``."""
    resolution: Annotated[Share, Field(ge=0.001, le=0.5)] = 0.02
    """How far the lowest rate that breaks it may be above the highest that keeps it, as a share."""
    most_steps: Annotated[int, Number, Field(ge=2, le=100)] = 20
    """Most rates that are tried, 2 to 100."""


Which = Literal["together", "each"]
TargetNumbers = tuple[Annotated[int, Number, Field(ge=1)], ...]


def _which_targets(value: Any) -> Any:
    """Let a word or numbers through; say of anything else what could stand there."""
    if isinstance(value, list | tuple):
        items = items_of(value)
        wrong = [item for item in items if isinstance(item, bool) or not isinstance(item, int) or item < 1]
        named = " and ".join(dict.fromkeys(map(repr, wrong)))
        verb = "are no numbers" if " and " in named else "is no number"
        told = [f"{named} {verb} of a target: the first one named is 1"] if wrong else []
        told += [text] if (text := repeated(items)) else []
        if told:
            raise ValueError("; ".join(told))
        return tuple(items)
    if value not in ("together", "each"):
        raise ValueError(f'{value!r} is none of "together", "each" and a list of numbers such as [1, 3]')
    return value


class Beside(Record):
    """``[[sweep.beside]]``: a load that runs at the same time, the same in every point of the sweep but for
    the area where the sweep has an axis of it."""

    profile: str
    """Name of a standard profile or of the study's own."""
    targets: Annotated[TargetNumbers, Listed] = ()
    """Which targets it is on, by their numbers, from 1 in the order in which they are named; none given:
    those of the sweep."""
    outstanding: Outstanding = 1
    """Outstanding I/Os per target and worker, 1 to 4096; with a rate the most of them, 512 unless given."""
    workers: Workers = 1
    """Workers, 1 to 1024."""
    workers_area: WorkersArea = "shared"
    """Which part of the area a worker accesses, as of a sweep."""
    rate_io_s: Annotated[PositiveFloat, Number, Field(allow_inf_nan=False)] | None = None
    """I/Os per second asked for in all, above 0; none given: a loop that waits."""
    arrival: Arrival = "fixed"
    """How arrivals are spaced where a rate is given."""
    begins_after_s: Beginning = 0.0
    """When it begins, in seconds after the first load of the point: ``5`` or ``"5s"``, 0 to 86400. What is
    measured, and the warm-up before it, comes after the last beginning."""

    @model_validator(mode="before")
    @classmethod
    def _open_loop(cls, value: Any) -> Any:
        """Give an open loop its most outstanding I/Os unless they are said."""
        if not isinstance(value, dict) or "outstanding" in value or value.get("rate_io_s") is None:
            return value
        return {**value, "outstanding": OPEN_LOOP_OUTSTANDING[0]}


RelativeRate = Annotated[
    float,
    BeforeValidator(_any_share),
    Field(gt=0, le=MOST_SHARE, allow_inf_nan=False),
    PlainSerializer(_written_share, when_used="json"),
]


class Sweep(Record):
    """``[[sweep]]``: profiles, each with every combination of the axes."""

    name: str = Field(pattern=NAME_PATTERN)
    """Short name, lower case with hyphens, once in the study."""
    title: str = ""
    """Name as shown; the short name where empty."""
    description: str = ""
    """What the sweep is for, in the paper."""
    set: str | None = None
    """A standard set whose profiles it takes; instead of ``profiles``."""
    profiles: Annotated[tuple[str, ...], Listed] = ()
    """Names of standard profiles or of the study's own."""
    targets: Annotated[Literal["together", "each"] | TargetNumbers, BeforeValidator(_which_targets)] = (
        "together"
    )
    """Load all targets in each point, ``"each"`` target in points of its own, or only some, by their numbers:
    ``[1, 3]``, from 1 in the order in which they are named."""
    beside: tuple[Beside, ...] = ()
    """Loads that run at the same time as what the sweep loads: ``[[sweep.beside]]``."""
    configurations: Annotated[tuple[str, ...], Listed] = ()
    """Names of the configurations that it runs on, ``*`` for any part of a name; all where none is given."""
    real: Flag = True
    """Whether a measurement of real targets takes it: not where it would repeat what another sweep loads."""
    outstanding: Intensities = ()
    """Outstanding I/Os per target and worker, 1 to 4096, or ``"powers-of-two"`` or ``"one-three-eight"``;
    none given: what the profile's method says, else 1 to 512 in powers of two; where rates are given, 512."""
    workers: Annotated[tuple[Workers, ...], Listed] = ()
    """Workers, 1 to 1024; none given: what the profile's method says, else 1."""
    targets_per_worker: Annotated[int, Number, Field(ge=1)] | None = None
    """Targets that a worker drives in this sweep; none given: as many as ``[measurement]`` says."""
    workers_area: Annotated[tuple[WorkersArea, ...], Listed] = ()
    """``"shared"``, ``"own"`` or ``"stream"`` instead of the one of ``[measurement]``."""
    block_sizes: Annotated[tuple[Size, ...], Listed] = ()
    """Block sizes in bytes instead of the profile's own."""
    read_share: Annotated[tuple[Share, ...], Listed] = ()
    """Shares of accesses that read, 0 to 1, instead of the profile's own."""
    random_share: Annotated[tuple[Share, ...], Listed] = ()
    """Shares of accesses at a random offset, 0 to 1, instead of the profile's own."""
    area: Annotated[tuple[Area, ...], Listed] = ()
    """Accessed areas instead of the profile's own: ``"25%"``, ``"32G"`` or a table of start and length; loads
    beside access them too, but for those whose profile says an area."""
    rate_io_s: Annotated[
        tuple[Annotated[PositiveFloat, Number, Field(allow_inf_nan=False)], ...], Listed
    ] = ()
    """I/Os per second asked for in all, above 0; ``outstanding`` is then the most that may be under way."""
    rate_share: Annotated[tuple[RelativeRate, ...], Listed] = ()
    """Rates as shares of what the target can serve, above 0 to 100: ``["20%", "110%"]``; above 10 only in
    percent. What it can serve is measured first, in a closed loop."""
    search: Search | None = None
    """Search for the highest rate that keeps a limit of the response time."""
    maximum_at: Intensities = (32, 128)
    """Outstanding I/Os per target and worker at which what the target can serve is measured, for
    ``rate_share`` and ``search``: the greatest rate counts."""
    arrival: Arrival = "fixed"
    """How arrivals are spaced where a rate is given."""
    cap_ios: Annotated[int, Number, Field(gt=0, le=1 << 40)] | None = None
    """Most counted I/Os of a simulated point for each target, no fewer than the floor of ``[simulation]``;
    none given: its cap."""
    begins_after_s: Beginning = 0.0
    """When what it loads begins, in seconds after a load beside that begins at once: ``5`` or ``"5s"``."""
    engine: Annotated[tuple[RealEngine, ...], Listed] = ()
    """Engines instead of the one of ``[measurement]``."""
    order: tuple[Axis, ...] = ()
    """Axes from the slowest to the fastest; none given: as the keys are written."""
    chart: Chart = Chart()
    """How the paper shows it."""

    @model_validator(mode="before")
    @classmethod
    def _written_order(cls, value: Any) -> Any:
        """Keep the order of the keys, which a model would lose."""
        if not isinstance(value, dict):
            return value
        written = [key for key in value if key in AXES and value[key] not in ((), [])]
        order = value.get("order", [])
        if not isinstance(order, list | tuple):
            return value
        return {**value, "order": [*order, *(key for key in written if key not in order)]}

    @property
    def numbers(self) -> tuple[int, ...]:
        """Numbers of targets that it and the loads beside it name, from 1."""
        own = self.targets if isinstance(self.targets, tuple) else ()
        return (*own, *(number for load in self.beside for number in load.targets))

    @property
    def relative(self) -> bool:
        """Whether its rates follow from readings."""
        return bool(self.rate_share) or self.search is not None

    @property
    def open_loop(self) -> bool:
        """Whether accesses start at rates, those that are asked for or that follow from readings."""
        return bool(self.rate_io_s) or self.relative

    @property
    def shown(self) -> str:
        """Title, or the name where there is none."""
        return self.title or self.name

    @property
    def profile_names(self) -> tuple[str, ...]:
        """Names of its profiles, in order."""
        if self.set is None:
            return self.profiles
        return tuple(load.profile.name for load in STANDARD_SETS[self.set])


def _unused_left_out(sweep: dict[str, Any]) -> dict[str, Any]:
    """Leave out what only a sweep with rates that follow from readings has, and beginnings at once."""
    relative = sweep.get("rate_share") or sweep.get("search")
    for load in (sweep, *sweep["beside"]):
        without_defaults(load, ("begins_after_s",), Beside)
    for load in sweep["beside"]:
        if not load["targets"]:
            del load["targets"]  # those of the sweep: an empty list names none
    if not sweep["chart"]["compare"]:
        del sweep["chart"]["compare"]
    return sweep if relative else {key: value for key, value in sweep.items() if key != "maximum_at"}


def _beside_names(sweep: Sweep) -> tuple[str, ...]:
    return tuple(load.profile for load in sweep.beside)


def _titled_apart(items: Sequence[_Titled], others: Sequence[str] = ()) -> list[_Titled]:
    """Put their names behind the titles of what is titled like another one, or like one of others."""
    counts = Counter((*others, *(item.shown for item in items)))
    return [
        item.model_copy(update={"title": f"{item.shown} ({item.name})"}) if counts[item.shown] > 1 else item
        for item in items
    ]


class Reference(Record):
    """A published paper that a study comes from."""

    publisher: str = Field(min_length=1)
    """Who published it."""
    title: str = Field(min_length=1)
    """Its title, as printed."""
    version: str = ""
    """Its version or number, as printed."""
    date: str = Field("", pattern=r"^(\d{4}(-\d{2}(-\d{2})?)?)?$")
    """When it was published: year, or year and month, or the day."""


def shared_out(measurement: Measurement, sweep: Sweep) -> int | None:
    """Give how many targets a worker drives in a sweep; none: all of them."""
    own = sweep.targets_per_worker
    return measurement.targets_per_worker if own is None else own


class Study(Record):
    """A question to storage: what to load, how to measure it, and how the paper shows it."""

    study_schema: Annotated[Literal[1], Number] = Field(1, alias="schema")
    """Version of this format."""
    name: str = Field(pattern=NAME_PATTERN)
    """Short name, lower case with hyphens."""
    title: str = Field(min_length=1)
    """Title of the paper."""
    description: str = ""
    """What the study does, in a sentence or more."""
    question: str = ""
    """The question that it answers."""
    reference: Reference | None = None
    """The published paper that it comes from; none: it is nobody else's."""
    measurement: Measurement = Measurement()
    """How each point is measured."""
    file: FileOptions = FileOptions()
    """The file that iodyno makes."""
    conditioning: ConditioningOptions | None = None
    """What is done to real targets first; none: a file that iodyno makes is written once."""
    profile: tuple[LoadProfile, ...] = ()
    """Load profiles of its own."""
    simulation: SimulationOptions = SimulationOptions()
    """How each point is simulated."""
    configuration: tuple[Configuration, ...] = ()
    """The virtual systems that it is simulated on; none: those named at the command line."""
    sweep: tuple[Sweep, ...] = Field(min_length=1)
    """What is measured, in this order."""

    @property
    def configurations(self) -> tuple[Configuration, ...]:
        """Every configuration, those that stand for several written out; titled alike, they have their names
        too."""
        every = [one for configuration in self.configuration for one in configuration.expanded()]
        return tuple(_titled_apart(every))

    @property
    def known_profiles(self) -> dict[str, StandardLoad]:
        """The loads of standard profiles and of its own ones, by name; own ones that are titled like others
        have their names too, whichever are chosen: a point is the same among others and alone."""
        named = {profile.name for profile in self.profile}
        standard = [load.profile.shown for name, load in STANDARD_LOADS.items() if name not in named]
        own = _titled_apart(self.profile, standard)
        return {**STANDARD_LOADS, **{profile.name: StandardLoad(profile=profile) for profile in own}}

    def source(self) -> dict[str, Any]:
        """Give the study whole, defaults filled in, each configuration written out: a document that reads
        back as this study."""
        source = self.model_dump(mode="json", by_alias=True, exclude_none=True)
        unused_patterns_left_out(source["measurement"], {})
        without_defaults(source["measurement"], LATER_CHOICES, Point)
        for profile in source["profile"]:
            unused_patterns_left_out({}, profile)
            without_defaults(profile, LATER_FIELDS, LoadProfile)
        sweeps = [_unused_left_out(sweep) for sweep in source["sweep"]]
        source["sweep"] = [{key: value for key, value in sweep.items() if value != []} for sweep in sweeps]
        source["configuration"] = [
            item.model_dump(mode="json", exclude_defaults=True) for item in self.configurations
        ]
        if not self.configuration:
            del source["configuration"], source["simulation"]
        return source
