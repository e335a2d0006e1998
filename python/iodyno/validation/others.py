"""What others measured on drives of the catalogue, and what the lab says to it: nothing is fitted to that.

The rows are ``catalog/published/others.toml``. A row says its load itself, so that no study is needed for it:
all of them together are one study, each with a system, a profile and a sweep of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

from pydantic import Field, PositiveInt, ValidationError, model_validator

from iodyno import bench
from iodyno.catalog.reading import parse_toml
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import SystemSpec
from iodyno.errors import CatalogError
from iodyno.fitting.answers import Range, printed_range
from iodyno.plan import Plan
from iodyno.problems import problems_of
from iodyno.profiles import Area, LoadProfile, Record, Share, Size
from iodyno.reading import Reading
from iodyno.study import Configuration, SimulationOptions, Study, Sweep, plan_simulation
from iodyno.units import KIB, MIB

ID = r"^[a-z0-9][a-z0-9-]*$"
IOS = 60_000
"""I/Os before anything is counted, and counted, at each row: four times as many change no row by 1 %."""
BEYOND = 0.20
"""Errors above this need an explanation."""
BYTES: Mapping[str, float] = {"KB/s": KIB, "MB/s": MIB, "MB/s(10^6)": 1e6}
"""Bytes of the units of a throughput: base 2 unless they say so."""


class Source(Record):
    """Where figures were published."""

    id: str = Field(pattern=ID)
    publisher: str = Field(min_length=1)
    title: str = Field(min_length=1)
    url: str = Field(pattern=r"^https?://")
    date: str = Field("", pattern=r"^(\d{4}(-\d{2}(-\d{2})?)?)?$")
    """Year, or year and month, or the day; empty where it tells none."""


class LeftOut(Record):
    """A figure that was found and not taken."""

    what: str = Field(min_length=1)
    why: str = Field(min_length=1)
    url: str = Field(pattern=r"^https?://")


class OtherFigure(Record):
    """A figure that somebody else published, and the load that it was measured under."""

    id: str = Field(pattern=ID)
    source: str
    """Id of the source."""
    drive: str = Field(min_length=1)
    """The drive, or the drives, as the source names them."""
    system: str
    """Name of the system that answers."""
    random_share: Share
    read_share: Share
    block: Size
    area: Area = Area()
    """Accessed part of the range."""
    workers: PositiveInt = 1
    outstanding: PositiveInt
    """Outstanding I/Os of each worker."""
    write_through: bool = False
    """Whether each write is durable before it is complete (O_DSYNC)."""
    value: str = Field(pattern=r"^[\d.]+(-[\d.]+)?$")
    """As published: a number or a range."""
    unit: Literal["IO/s", "KB/s", "MB/s", "MB/s(10^6)", "us"]
    """A rate, or what an I/O takes on the mean."""
    kind: Literal["measured", "datasheet"] = "measured"
    """Measured by others, or from a datasheet and not used in the part."""
    unknown: str = Field(min_length=1)
    """What of the conditions the source does not tell, and what was taken for it."""
    why: str = ""
    """What an error above 20 % says; :mod:`iodyno.validation.whys` fills in the numbers of a run."""

    @property
    def published(self) -> Range:
        """What it says, in its unit."""
        return printed_range(self.value)


class Others(Record):
    """The whole file."""

    file_schema: Literal[1] = Field(1, alias="schema")
    source: tuple[Source, ...]
    system: tuple[SystemSpec, ...]
    figure: tuple[OtherFigure, ...]
    left_out: tuple[LeftOut, ...] = ()

    @model_validator(mode="after")
    def _named(self) -> Others:
        """Refuse what is named twice, or not there, or never used."""
        for what, have, used in (
            ("source", [one.id for one in self.source], {one.source for one in self.figure}),
            ("system", [one.name for one in self.system], {one.system for one in self.figure}),
            ("figure", [one.id for one in self.figure], {one.id for one in self.figure}),
        ):
            wrong = used.symmetric_difference(have) or {name for name in have if have.count(name) > 1}
            if wrong:
                raise ValueError(f"each {what} once, and each used: {', '.join(sorted(wrong))}")
        return self


@dataclass(frozen=True)
class Told:
    """A figure of others beside the simulated one."""

    figure: OtherFigure
    simulated: float
    """In the unit of the figure."""

    @property
    def error(self) -> float:
        """Relative error; 0 inside a range."""
        return self.figure.published.error(self.simulated)


def parse(text: str, where: str = "others") -> Others:
    """Read the file.

    Raises
    ------
    CatalogError
        With every problem: unknown keys, what is missing, what is named twice or not there.
    """
    document = parse_toml(text, where)
    try:
        return Others.model_validate(document)
    except ValidationError as error:
        raise CatalogError(*problems_of(error, document, {})) from None


@cache
def others() -> Others:
    """Give the rows that come with iodyno."""
    folder = resources.files("iodyno").joinpath("catalog").joinpath("published")
    return parse(folder.joinpath("others.toml").read_text("utf-8"), "others.toml")


def told(rows: Others, ids: Iterable[str] = ()) -> list[Told]:
    """Simulate what rows were measured under, several at a time.

    Parameters
    ----------
    rows
        The file.
    ids
        The figures to answer, in the file's order; all where none is named.
    """
    wanted = set(ids) or {figure.id for figure in rows.figure}
    chosen = [figure for figure in rows.figure if figure.id in wanted]
    plan = planned(rows, chosen)
    with ThreadPoolExecutor(bench.processors()) as pool:
        readings = list(
            pool.map(lambda point: bench.simulate_point(point, plan.systems[point.system or ""]), plan.points)
        )
    return [Told(figure, _metric(figure, reading)) for figure, reading in zip(chosen, readings, strict=True)]


def _metric(figure: OtherFigure, reading: Reading) -> float:
    """Give the simulated figure in the unit of the published one."""
    if figure.unit == "IO/s":
        return reading.transaction_rate_io_s
    if figure.unit == "us":
        return reading.latency.mean_ns / 1000
    return reading.throughput_bytes_s / BYTES[figure.unit]


def planned(rows: Others, figures: Sequence[OtherFigure]) -> Plan:
    """Decide the point of each figure, in their order."""
    systems = {one.name: one for one in rows.system}
    made = study(figures, systems)
    resolved = {one.id: resolve(systems[one.system], where=one.id) for one in figures}
    plan = plan_simulation(made, resolved)
    points = tuple(
        point.model_copy(update={"write_through": figure.write_through})
        for figure, point in zip(figures, plan.points, strict=True)
    )
    return plan.model_copy(update={"points": points})


def study(figures: Sequence[OtherFigure], systems: Mapping[str, SystemSpec]) -> Study:
    """Make one study of the loads of all figures."""
    return Study(
        name="others",
        title="What others measured",
        simulation=SimulationOptions(warmup_ios=IOS, floor_ios=IOS, cap_ios=IOS),
        profile=tuple(_profile(one) for one in figures),
        configuration=tuple(
            Configuration(name=one.id, system=_table(systems[one.system])) for one in figures
        ),
        sweep=tuple(_sweep(one) for one in figures),
    )


def _table(system: SystemSpec) -> dict[str, Any]:
    return system.model_dump(mode="python", by_alias=True, exclude_defaults=True)


def _profile(figure: OtherFigure) -> LoadProfile:
    return LoadProfile.model_validate(
        {
            "name": figure.id,
            "random_share": figure.random_share,
            "read_share": figure.read_share,
            "blocks": figure.block,
            "area": figure.area,
        }
    )


def _sweep(figure: OtherFigure) -> Sweep:
    return Sweep.model_validate(
        {
            "name": figure.id,
            "profiles": [figure.id],
            "configurations": [figure.id],
            "workers": figure.workers,
            "outstanding": figure.outstanding,
        }
    )
