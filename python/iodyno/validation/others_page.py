"""The section of docs/validation.md about what others measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean, median

from iodyno.units import format_size
from iodyno.validation.comparing import Compared
from iodyno.validation.others import BEYOND, OtherFigure, Others, Told
from iodyno.validation.whys import whys

_HOW = """\
What other people measured on drives of the catalogue, or what makers say and the parts do not use. Nothing is
fitted to these rows; they tell how far the lab can be trusted beyond the papers above. Taken is what a text
states with its load; charts that are pictures are not read. Where a host's software is not told, or the
catalogue has none like it, the leanest of the catalogue answers, Linux on the fastest processor: what is
compared is the drive.
"""
_UNITS = {"MB/s(10^6)": "MB/s", "us": "µs"}
_GROUPS: Mapping[str, str] = {
    "measured": "Measured",
    "durable": "Measured, each write durable (O_DSYNC)",
    "datasheet": "Datasheet, not used in the part",
}


def section(rows: Others, found: Sequence[Told], compared: Sequence[Compared]) -> Iterator[str]:
    """Write the section, line by line."""
    yield "### Measured by others\n"
    yield _HOW
    yield from summary(found)
    yield "\n| id | drive | load | published | simulated | error |\n|---|---|---|---:|---:|---:|"
    yield from (row(one) for one in found)
    yield f"\nWhat the errors say, above {BEYOND * 100:.0f} % and of some that are smaller:\n"
    yield from (f"- {name}: {why}" for name, why in whys(rows, found, compared))
    yield "\nWhat the sources do not tell, and what was taken for it:\n"
    yield from _unknown(rows)
    yield "\nSources:\n"
    yield from _sources(rows)
    yield "\nFound and not taken:\n"
    yield from (f"- [{one.what}]({one.url}): {one.why}." for one in rows.left_out)
    yield ""


def summary(found: Sequence[Told]) -> Iterator[str]:
    """Write how far off the rows are, in groups."""
    yield "| group | figures | within 10 % | median error | mean error | greatest error |"
    yield "|---|---:|---:|---:|---:|---|"
    for group, title in _GROUPS.items():
        chosen = [one for one in found if _group(one.figure) == group]
        if chosen:
            off = [abs(one.error) for one in chosen]
            worst = max(chosen, key=lambda one: abs(one.error))
            near = sum(error <= 0.10 for error in off)
            cells = (title, str(len(off)), str(near), _percent(median(off)), _percent(fmean(off)))
            yield f"| {' | '.join(cells)} | {_percent(max(off))} ({worst.figure.id}) |"


def row(one: Told) -> str:
    """Write the row of a figure."""
    figure = one.figure
    error = f"{one.error * 100:+.1f} %" if one.error else "0"
    published = f"{_printed(figure.value)} {_UNITS.get(figure.unit, figure.unit)}"
    cells = (figure.id, figure.drive, _load(figure), published, _number(one.simulated), error)
    return f"| {' | '.join(cells)} |"


def _group(figure: OtherFigure) -> str:
    return "durable" if figure.write_through and figure.kind == "measured" else figure.kind


def _load(figure: OtherFigure) -> str:
    """Say a load in words."""
    order = {0.0: "sequential ", 1.0: "random "}.get(
        figure.random_share, f"{figure.random_share:.0%} random "
    )
    reads = {0.0: "writes", 1.0: "reads"}.get(figure.read_share, f"{figure.read_share:.0%} reads")
    deep = f"{figure.workers} × {figure.outstanding}" if figure.workers > 1 else str(figure.outstanding)
    over = f" on {_size(figure.area.length)}" if isinstance(figure.area.length, int) else ""
    durable = ", durable" if figure.write_through else ""
    return f"{order}{reads} of {_size(figure.block)}{over}{durable}, {deep} outstanding"


def _unknown(rows: Others) -> Iterator[str]:
    """Say what is not told once for all rows that share it."""
    for text in dict.fromkeys(one.unknown for one in rows.figure):
        names = ", ".join(one.id for one in rows.figure if one.unknown == text)
        yield f"- {names}: {text}"


def _sources(rows: Others) -> Iterator[str]:
    for source in rows.source:
        names = [one.id for one in rows.figure if one.source == source.id]
        date = f", {source.date}" if source.date else ""
        yield f"- {source.publisher}, [{source.title}]({source.url}){date}: {', '.join(names)}"


def _printed(value: str) -> str:
    """Leave out decimals of what has four digits before the point."""
    return value if "-" in value or len(value.partition(".")[0]) < 4 else f"{float(value):.0f}"


def _size(size_bytes: int) -> str:
    """Write a size with its unit, base 2 as on the whole page."""
    short = format_size(size_bytes)
    return f"{short[:-1]} {short[-1]}B" if short[-1].isalpha() else f"{short} B"


def _number(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.1f}"


def _percent(share: float) -> str:
    return f"{share * 100:.1f} %"
