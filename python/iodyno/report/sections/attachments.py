"""Files that a paper carries: points that it prints no row of, and parts that the tool does not have."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from iodyno.analysis.columns import POINT_COLUMNS, PointItem
from iodyno.analysis.layout import EACH_UP_TO
from iodyno.catalog.reading import parse_toml, write_toml
from iodyno.report.context import Context
from iodyno.report.document import Attachment
from iodyno.report.sections.commands import own_study
from iodyno.store.records import Run
from iodyno.study.counterparts import counterpart
from iodyno.study.load import as_file

FEW_SYSTEMS = 4
"""Virtual systems up to which each has a heading of its own."""


def attachments(context: Context) -> tuple[Attachment, ...]:
    """Give the files: points, where the paper prints a row a curve only; systems and parts of one's own."""
    return (*_table(context), *_study(context), *those_of_parts(context))


def _table(context: Context) -> Iterator[Attachment]:
    if len(context.analysis.curves) > EACH_UP_TO:
        yield Attachment(
            name=points_name(context),
            media_type="text/csv",
            description=context.messages.say("Every point of the run, one a row, with its disclosure"),
            data=_points(context),
        )


def _study(context: Context) -> Iterator[Attachment]:
    """Give a study of one's own, or one with the systems in it that the paper has no room for."""
    run = context.run
    systems = own_systems(run)
    if not own_study(run) and (len(run.plan.systems) <= FEW_SYSTEMS or not systems):
        return
    yield study_with(context, systems)


def study_with(context: Context, systems: dict[str, dict[str, Any]]) -> Attachment:
    """Give the study of a run with these systems of one's own whole in it."""
    run = context.run
    source = as_file(run.plan.study_source)
    if run.plan.systems:
        chosen = [item for item in source["configuration"] if item["name"] in run.plan.systems]
        source["configuration"] = [_with_system(item, systems) for item in chosen]
        source["sweep"] = list(_on(source["sweep"], [item["name"] for item in chosen]))
    return Attachment(
        name=study_name(context),
        media_type="application/toml",
        description=context.messages.say("The study with all systems of this paper"),
        data=f"{write_toml(source)}\n".encode(),
    )


def _with_system(item: dict[str, Any], systems: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Put a system of one's own whole into its configuration, which changes it no more."""
    if item["name"] not in systems:
        return item
    return {
        **{key: value for key, value in item.items() if key != "changes"},
        "system": systems[item["name"]],
    }


def _on(sweeps: Sequence[dict[str, Any]], names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the sweeps that these configurations have, without what they say of others."""
    fitting = {
        sweep["name"]: [one for one in sweep.get("configurations") or ["*"] if _fit(names, one)]
        for sweep in sweeps
    }
    of_sweep = {sweep: [name for one in own for name in _fit(names, one)] for sweep, own in fitting.items()}
    for sweep in sweeps:
        own = fitting[sweep["name"]]
        if not own:
            continue
        told = sweep | ({"configurations": own} if sweep.get("configurations") else {})
        if chart := sweep.get("chart"):
            told["chart"] = _chart_on(chart, sweep["name"], of_sweep)
        yield told


def _chart_on(chart: dict[str, Any], sweep: str, of_sweep: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Give a chart without what it says of other configurations than a sweep has, and of other sweeps."""
    names = of_sweep[sweep]
    parts = [
        part | {"configurations": own}
        for part in chart.get("part", ())
        if (own := [one for one in part["configurations"] if _fit(names, one)])
    ]
    compared = [
        one | {"of": of}
        for one in chart.get("compare", ())
        if (of := _set_against(one, names, of_sweep.get(one.get("to_sweep", sweep), ())))
    ]
    others = {key: value for key, value in chart.items() if key not in ("part", "compare")}
    return others | {key: value for key, value in (("part", parts), ("compare", compared)) if value}


def _fit(names: Sequence[str], pattern: str) -> list[str]:
    return [name for name in names if fnmatchcase(name, pattern)]


def _set_against(compared: dict[str, Any], names: Sequence[str], there: Sequence[str]) -> list[str]:
    """Give the patterns of a comparison that fit a configuration which has its counterpart there."""
    to = compared["to"]
    return [
        one for one in compared["of"] if any(counterpart(name, one, to) in there for name in _fit(names, one))
    ]


def own_systems(run: Run) -> dict[str, dict[str, Any]]:
    """Give the systems of a run that do not come with the tool, as tables, by configuration."""
    sections = list(run.system.all("virtual_system"))
    if len(sections) != len(run.plan.systems):
        return {}
    return {
        name: parse_toml(str(section.value("virtual_tree")), name)
        for name, section in zip(run.plan.systems, sections, strict=True)
        if section.get("virtual_own_name") and section.get("virtual_tree")
    }


def study_name(context: Context) -> str:
    """Name the file of the study."""
    return f"{context.run.id}-study.toml"


def those_of_parts(context: Context) -> Iterator[Attachment]:
    """Give the files of parts that do not come with the tool."""
    for section in context.run.system.all("virtual_part"):
        yield Attachment(
            name=part_file(section.subject),
            media_type="application/toml",
            description=context.messages.say(
                "The part {name}, as it was when the run was made", name=section.subject
            ),
            data=str(section.value("virtual_part_file")).encode("utf-8"),
        )


def part_file(name: str) -> str:
    """Name the file of a part."""
    return f"{name}.toml"


def points_name(context: Context) -> str:
    """Name the file of the points."""
    return f"{context.run.id}-points.csv"


def _points(context: Context) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(column.name for column in POINT_COLUMNS)
    known = {at.point.index: at for item in context.analysis.curves for at in item.curve.points}
    for result in context.stored.results:
        first = known[result.point.index]
        for number, (load, figures) in enumerate(zip(result.loads, (first, *first.beside), strict=True)):
            item = PointItem(load, number, result, figures)
            writer.writerow([column.value(item) for column in POINT_COLUMNS])
    return text.getvalue().encode("utf-8")
