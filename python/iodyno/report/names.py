"""Names of things in the words of the paper: profiles, axes, verdicts, limits, sizes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from iodyno.analysis.bottleneck import Limit, asked_limit
from iodyno.analysis.figures import PointFigures
from iodyno.distributions import Distribution
from iodyno.plan import Arrival, Point, WorkersArea
from iodyno.profiles import Block, LoadProfile
from iodyno.reading import Bottleneck, Simulation, State
from iodyno.report.document import Tone
from iodyno.report.layout.breaking import SOFT_HYPHEN, whole_words
from iodyno.report.messages import N_, Messages
from iodyno.report.numbers import LEAST_SHOWN, NOT_KNOWN
from iodyno.units import GIB, KIB, MIB, TIB, parse_share, parse_size

MARKS: dict[State, str] = {
    "steady": "",
    "capped": "*",
    "not_steady": "†",
    "disturbed": "‡",
    "not_judged": "",
}
"""What stands beside a value that is not steady."""
TONES: dict[State, Tone] = {
    "steady": "good",
    "capped": "plain",
    "not_steady": "warning",
    "disturbed": "bad",
    "not_judged": "plain",
}
STATE_NAMES: dict[State, str] = {
    "steady": N_("steady"),
    "capped": N_("capped"),
    "not_steady": N_("not steady"),
    "disturbed": N_("disturbed"),
    "not_judged": N_("not judged"),
}
LIMIT_NAMES: dict[Limit, str] = {
    "load": N_("load"),
    "device": N_("device"),
    "host": N_("host"),
    "submission": N_("submission"),
    "queue": N_("queue"),
    "rate": N_("offered rate"),
    "think": N_("think time"),
    "unknown": N_("unknown"),
}
PLACE_NAMES: dict[str, str] = {
    "host_cpu": N_("cores of the host"),
    "host_link": N_("links to the host"),
    "switch": N_("switch between host and drives"),
    "controller_cpu": N_("processor of the controller"),
    "controller_cache": N_("cache or read-ahead of the controller"),
    "controller_room": N_("room in the write cache of the controller"),
    "disk_link": N_("links to the drives"),
    "drive_front": N_("firmware of the drive"),
    "drive_room": N_("room in the write buffer of the drive"),
    "drive_media": N_("media of the drive"),
}
"""Places of a virtual system where the time goes."""
SHORT_PLACE_NAMES: dict[str, str] = {
    "host_cpu": N_("core"),
    "host_link": N_("host link"),
    "switch": N_("switch"),
    "controller_cpu": N_("controller"),
    "controller_cache": N_("cache"),
    "controller_room": N_("cache room"),
    "disk_link": N_("drive links"),
    "drive_front": N_("firmware"),
    "drive_room": N_("buffer room"),
    "drive_media": N_("media"),
}
"""The same for the cells of a table, which explains them."""
STATION_NAMES = (
    N_("core of the host"),
    N_("{link}, reads"),
    N_("{link}, writes"),
    N_("{part}: firmware"),
    N_("{part}: write buffer"),
    N_("{part}: media (dies)"),
    N_("{part}: media (data path)"),
    N_("{part}: firmware (commands)"),
    N_("{part}: firmware (tags)"),
    N_("{part}: media (mechanics)"),
    N_("{part}: processor"),
    N_("{part}: data to host"),
    N_("{part}: data from host"),
    N_("{part}: parity"),
    N_("{part}: write cache"),
)
"""Names of stations as the simulator and the formulas make them, but for those of :data:`IN_PLACE`."""
IN_PLACE = {
    "dies": "media (dies)",
    "data path": "media (data path)",
    "mechanics": "media (mechanics)",
    "command": "firmware (commands)",
    "tags": "firmware (tags)",
}
"""Stations of a drive that a paper calls by the word that it has for their place."""
CORES = {"core": "core of the host"}
"""So does it those that are no station of a part."""
NO_BREAK = "\N{NO-BREAK SPACE}"
OF_A_PART = "§"
"""Marks, in a cell that has a short word, a limit that only a part of the I/Os goes through."""
_SIZES = (("TB", TIB), ("GB", GIB), ("MB", MIB), ("kB", KIB))


def station_name(messages: Messages, name: str) -> str:
    """Name a station of a virtual system.

    Examples
    --------
    >>> [station_name(Messages("en"), name) for name in ("SSD: dies", "SSD: firmware")]
    ['SSD: media (dies)', 'SSD: firmware']
    """
    part, _, station = name.rpartition(": ")
    if part and station in IN_PLACE:
        name = f"{part}: {IN_PLACE[station]}"
    name = CORES.get(name, name)
    return messages.composed(name, STATION_NAMES)


def place_name(messages: Messages, place: str, *, short: bool = False) -> str:
    """Name a place of a virtual system; short for the cell of a table."""
    return messages.known((SHORT_PLACE_NAMES if short else PLACE_NAMES).get(place, place))


def limit_text(
    messages: Messages, at: PointFigures, found: Simulation, *, short: bool = False, bare: bool = False
) -> str:
    """Say what limits a simulated point: a station, what was asked for (a rate, a think time), or the latency
    and its greatest part.

    Parameters
    ----------
    messages
        The language.
    at
        The point.
    found
        What the simulator told of it.
    short
        For the cell of a table: places instead of stations, no share of the latency, and a mark where only a
        part of the I/Os is limited.
    bare
        Without the share of the I/Os that a station limits: it has one name, at whatever points.
    """
    bottleneck = found.bottleneck
    if asked := asked_limit(at):
        return messages.known(LIMIT_NAMES[asked])
    place = place_name(messages, bottleneck.place, short=short)
    if bottleneck.kind == "saturated":
        if short or bottleneck.station is None:
            return f"{place}{part_mark(bottleneck)}"
        few = None if bare else bottleneck.part
        return of_a_part(messages, station_name(messages, bottleneck.station), few)
    share = found.latency_split.get(bottleneck.place)
    if short or share is None:
        return messages.say("latency: {place}", place=place)
    return messages.say(
        "latency: {place}, {share} of it", place=place, share=messages.numbers.percent(share, 0)
    )


def part_mark(bottleneck: Bottleneck) -> str:
    """Give the mark of a limit that only a part of the I/Os goes through; nothing where nearly all do."""
    return OF_A_PART if bottleneck.part is not None else ""


def of_a_part(messages: Messages, station: str, share: float | None) -> str:
    """Say with a station which share of the I/Os goes through it, where it is not all of them."""
    if share is None:
        return station
    return messages.say(
        "{limit}, for {share} of the I/Os", limit=station, share=messages.numbers.percent(share, 1)
    )


_CHANGES = {
    "block": N_("block {value}"),
    "read": N_("read {value}"),
    "random": N_("random {value}"),
    "area": N_("area {value}"),
}
"""What an axis changes of a profile: see ``iodyno.study.expand``, which writes it behind the name."""
_EXTENT = r"\d+(?:\.\d+)?(?: ?%|[kMGT])?"
_CHANGE = rf"(?:{'|'.join(_CHANGES)}) {_EXTENT}(?: from {_EXTENT})?"
_VARIED = re.compile(rf"(.+) \(({_CHANGE}(?:, {_CHANGE})*)\)")


def profile_name(messages: Messages, profile: LoadProfile) -> str:
    """Name a load profile; one that an axis has changed by its own name and what was changed."""
    found = _VARIED.fullmatch(profile.shown)
    if not found:
        return messages.of_study(profile.shown)
    changes = messages.enumerated([_change(messages, text) for text in found[2].split(", ")])
    return messages.remarked(messages.of_study(found[1]), changes)


def _change(messages: Messages, text: str) -> str:
    word, _, value = text.partition(" ")
    length, _, start = value.partition(" from ")
    shown = _extent(messages, length)
    if start:
        shown = messages.say("{length} from {start}", length=shown, start=_extent(messages, start))
    return messages.say(_CHANGES[word], value=shown)


def _extent(messages: Messages, text: str) -> str:
    """Write a share or a size as the language does, of a text as studies have it."""
    if text.endswith("%"):
        return messages.numbers.chosen(parse_share(text))
    return exact_size(messages, parse_size(text))


def io_name(messages: Messages, *, direct: bool) -> str:
    """Say whether the caches of the operating system were bypassed."""
    return messages.say("direct I/O") if direct else messages.say("buffered I/O")


def state_name(messages: Messages, state: State, *, whole: bool = False) -> str:
    """Name the state of a verdict, with its mark; one whose words are long may break between them, unless it
    is to stay whole."""
    mark = MARKS[state]
    name = messages.known(STATE_NAMES[state])
    name = whole_words(name) if whole else name
    kept = name if SOFT_HYPHEN in name else name.replace(" ", NO_BREAK)
    return f"{mark}{NO_BREAK}{kept}" if mark else name


def marked(text: str, item: PointFigures) -> str:
    """Put the mark of its verdict behind a figure."""
    return f"{text}{MARKS[item.verdict.state]}"


def marks_note(messages: Messages, points: Iterable[PointFigures]) -> tuple[str, ...]:
    """Explain the marks that figures of points have; empty where none has one.

    Returns
    -------
    tuple
        No note or one, such as ``* capped, ‡ disturbed.``
    """
    told = marks_told(messages, {MARKS[at.verdict.state] for at in points})
    return (messages.say("{findings}.", findings=told),) if told else ()


def marks_told(messages: Messages, marks: Collection[str]) -> str:
    """Say what marks mean, in their order: ``* capped, ‡ disturbed``; nothing where there is none.

    The words are whole: soft hyphens are for narrow columns, and would be in what is copied from a text.
    """
    return messages.enumerated(
        [
            f"{mark} {whole_words(messages.known(STATE_NAMES[state]))}"
            for state, mark in MARKS.items()
            if mark and mark in marks
        ]
    )


def tone(item: PointFigures) -> Tone:
    """Give the tone of a figure that is shown among others: plain where nothing is against it."""
    return "plain" if item.steady else TONES[item.verdict.state]


def exact_size(messages: Messages, size_bytes: int) -> str:
    """Write a size base 2 that somebody chose, with all of its digits: in the largest unit in which it has no
    more than two decimals.

    Examples
    --------
    >>> [exact_size(Messages("en"), size) for size in (65536, 135_680, 1_025_536, 1025, 2**30 - 1024)]
    ['64 kB', '132.5 kB', '1,001.5 kB', '1,025 B', '1,048,575 kB']
    """
    for unit, factor in _SIZES:
        if size_bytes >= factor and not size_bytes * 100 % factor:
            return f"{messages.numbers.shortest(size_bytes / factor)} {unit}"
    return f"{messages.numbers.integer(size_bytes)} B"


def area_size(messages: Messages, size_bytes: int, end: float) -> str:
    """Write what an end of an area came to: as it was asked for, where it was as bytes and not as a share."""
    return size(messages, size_bytes) if isinstance(end, float) else exact_size(messages, size_bytes)


def size(messages: Messages, size_bytes: float) -> str:
    """Write a size base 2 that was measured or found: ``64 kB``, ``32 GB``; one that is not whole to three
    digits."""
    for unit, factor in _SIZES:
        if size_bytes >= factor:
            value = size_bytes / factor
            write = messages.numbers.significant if value % 1 else messages.numbers.decimal
            return f"{write(value)} {unit}"
    return f"{messages.numbers.integer(int(size_bytes))} B"


def known_area_size(messages: Messages, size_bytes: int, end: float) -> str:
    """Write the size of an area, or that it is not known: an imported result may not tell it."""
    return area_size(messages, size_bytes, end) if size_bytes else messages.say("not known")


def capacity(messages: Messages, size_bytes: float) -> str:
    """Write a capacity of a drive or volume base 10, as drives are called: ``800 GB``, ``15.36 TB``.

    Examples
    --------
    >>> [capacity(Messages("en"), size) for size in (1_600_321_314_816, 999_999_999_488, 15_360 * 10**9)]
    ['1.6 TB', '1 TB', '15.36 TB']
    """
    rounded = float(f"{size_bytes:.{3 if size_bytes < 10**13 else 4}g}")
    for unit, factor in (("TB", 10**12), ("GB", 10**9), ("MB", 10**6)):
        if rounded >= factor:
            return f"{messages.numbers.shortest(rounded / factor)} {unit}"
    return f"{messages.numbers.integer(int(size_bytes))} B"


def least_share(messages: Messages, share: float) -> str:
    """Write a share as a percentage; one that is too small for its decimals is said to be less."""
    return messages.numbers.percent(share) if share >= LEAST_SHOWN else f"<{messages.numbers.percent(0.001)}"


FEW_SIZES = 4
"""Block sizes of a profile up to this number are always told one by one."""

ARRIVALS: dict[Arrival, str] = {"fixed": N_("fixed arrivals"), "poisson": N_("Poisson arrivals")}
"""How the I/Os of an open loop are spaced."""


def blocks(messages: Messages, profile: LoadProfile) -> str:
    """Write the block sizes of a profile, with shares where there are several."""
    if profile.write_blocks:
        return messages.say(
            "{read} read; {written} written",
            read=_sizes(messages, profile.blocks),
            written=_sizes(messages, profile.write_blocks),
        )
    return _sizes(messages, profile.blocks)


def alignment(messages: Messages, profile: LoadProfile) -> str:
    """Write what random offsets of a profile are multiples of, by direction where that matters."""
    if profile.write_alignment_bytes is None:
        return exact_size(messages, profile.alignment_bytes)
    return messages.say(
        "{read} (reads) or {written} (writes)",
        read=exact_size(messages, profile.alignment_bytes),
        written=exact_size(messages, profile.write_alignment_bytes),
    )


def _step(found: Sequence[Block]) -> int:
    """Give the step of many sizes that are equally frequent and equally far apart; else 0."""
    steps = {after.bytes - before.bytes for before, after in pairwise(found)}
    alike = len({block.weight for block in found}) == 1 and len(steps) == 1
    return max(0, *steps) if alike and len(found) > FEW_SIZES else 0


def _sizes(messages: Messages, found: Sequence[Block]) -> str:
    weight = sum(block.weight for block in found)
    if len(found) == 1:
        return exact_size(messages, found[0].bytes)
    if step := _step(found):
        return messages.say(
            "{first} to {last} in steps of {step}, equally often",
            first=exact_size(messages, found[0].bytes),
            last=exact_size(messages, found[-1].bytes),
            step=exact_size(messages, step),
        )
    return messages.enumerated(
        [
            f"{exact_size(messages, block.bytes)} ({messages.numbers.chosen(block.weight / weight)})"
            for block in found
        ]
    )


def access(messages: Messages, profile: LoadProfile) -> str:
    """Write how a profile accesses: random, sequential or a share of both, and where random accesses go; of
    reads and of writes, where they differ."""
    if not profile.ways_differ:
        way = _way(messages, profile, write=False)
        if profile.cursors == "own":
            return messages.say("{access}, a cursor for each direction", access=way)
        return way
    return messages.say(
        "reads {read}; writes {written}",
        read=_way(messages, profile, write=False),
        written=_way(messages, profile, write=True),
    )


def _way(messages: Messages, profile: LoadProfile, *, write: bool) -> str:
    way, gap = _offsets(messages, profile, write=write), profile.gap_bytes
    if gap == 0 or (profile.random_of(write) == 1 and profile.random_every == 1):
        return way
    if gap > 0:
        return messages.say("{access} with gaps of {size}", access=way, size=exact_size(messages, gap))
    return messages.say("{access}, {size} back after each block", access=way, size=exact_size(messages, -gap))


def _offsets(messages: Messages, profile: LoadProfile, *, write: bool) -> str:
    share, found = profile.random_of(write), profile.distribution_of(write)
    if share == 0:
        return messages.say("sequential")
    random = messages.say("random")
    if share < 1:
        random = messages.say("{share} random", share=messages.numbers.chosen(share))
    if not found.even:
        random = messages.say(
            "{random} ({distribution})", random=random, distribution=distribution(messages, found)
        )
    if profile.random_every == 1:
        return random
    return messages.say(
        "{random} every {count} accesses",
        random=random,
        count=messages.numbers.integer(profile.random_every),
    )


def distribution(messages: Messages, found: Distribution) -> str:
    """Write where random accesses go."""
    if found.kind == "zones":
        percent = messages.numbers.chosen
        return messages.enumerated(
            [
                messages.say(
                    "{accesses} on {range}", accesses=percent(zone.accesses), range=percent(zone.range)
                )
                for zone in found.zones
            ]
        )
    if found.kind == "zipf":
        return messages.say("Zipf, θ {parameter}", parameter=f"{found.parameter:g}")
    if found.kind == "pareto":
        return messages.say("Pareto, h {parameter}", parameter=f"{found.parameter:g}")
    if found.kind == "normal":
        return messages.say("normal, deviation {parameter}", parameter=f"{found.parameter:g}")
    return messages.say("each block once") if found.kind == "permutation" else messages.say("uniform")


def workers_area(messages: Messages, area: WorkersArea) -> str:
    """Say which part of an area a worker accesses."""
    return {
        "shared": messages.say("one area for all workers"),
        "own": messages.say("an area of its own for each worker"),
        "stream": messages.say("one sequential stream of all workers"),
    }[area]


def workers_text(messages: Messages, count: int, each: int | None = None) -> str:
    """Write a number of workers: ``4 workers``.

    Parameters
    ----------
    messages
        The language.
    count
        How many.
    each
        How many targets have as many of their own; none: they drive all targets.

    Examples
    --------
    >>> [workers_text(Messages("en"), 2, each) for each in (None, 1, 2)]
    ['2 workers', '2 workers for each target', '2 workers for every 2 targets']
    """
    if each is None:
        return messages.say_n("{count} worker", "{count} workers", count)
    if each == 1:
        return messages.say_n("{count} worker for each target", "{count} workers for each target", count)
    targets = messages.numbers.integer(each)
    return messages.say_n(
        "{count} worker for every {targets} targets",
        "{count} workers for every {targets} targets",
        count,
        targets=targets,
    )


def own_workers(messages: Messages, point: Point) -> str:
    """Write how many workers drive the targets of a load: all of them, or each target those of its own."""
    return workers_text(messages, point.workers, point.shared_out)


def workers_head(messages: Messages, each: int | None) -> str:
    """Give the head of numbers of workers: of all targets, or of each target, or of so many of them."""
    if each is None:
        return messages.say("Workers")
    if each == 1:
        return messages.say("Workers for each target")
    return messages.say("Workers for every {targets} targets", targets=messages.numbers.integer(each))


def driven(messages: Messages, targets: int | None) -> str:
    """Say how many targets a worker drives; none: all of them."""
    if targets is None:
        return messages.say("all targets for each worker")
    return messages.say_n("{count} target for each worker", "{count} targets for each worker", targets)


def main_unit(profile: LoadProfile) -> str:
    """Give the unit of a profile's main figure."""
    return "MB/s" if profile.shown_as == "throughput" else "IO/s"


def main_figure(messages: Messages, item: PointFigures) -> str:
    """Write a point's main figure with unit and mark."""
    return f"{messages.numbers.estimate(item.main)} {main_unit(item.profile)}{MARKS[item.verdict.state]}"


def mean_latency(messages: Messages, item: PointFigures) -> str:
    """Write a point's mean latency in ms with its unit; with its interval where that is wide."""
    estimate = item.latency_ms_mean
    if not estimate.value:
        return NOT_KNOWN
    figure = f"{messages.numbers.latency(estimate)} ms"
    if not messages.numbers.wide(estimate):
        return figure
    return messages.say(
        "{figure} ({interval} ms)", figure=figure, interval=messages.numbers.half_width(estimate)
    )


def ms_text(messages: Messages, value_ms: float | None) -> str:
    """Write a time in ms with its unit; a dash where there is none."""
    return NOT_KNOWN if value_ms is None else f"{messages.numbers.significant(value_ms)} ms"
