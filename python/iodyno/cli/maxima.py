"""The maxima of a simulated run, each with what limits it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from iodyno.analysis.bottleneck import serves_its_rate, thinks
from iodyno.analysis.closeness import Comparison, compared_of, fitted_or_not
from iodyno.analysis.configurations import (
    ConfigurationMaximum,
    configuration_maxima,
    configuration_title,
    configurations_of,
)
from iodyno.analysis.figures import PointFigures
from iodyno.plan import Plan, Point
from iodyno.reading import Simulation
from iodyno.report.curve_names import limit_text, loaded_name, told_loop
from iodyno.report.names import (
    PLACE_NAMES,
    main_unit,
    marked,
    marks_note,
    ms_text,
    own_workers,
    station_name,
    workers_area,
)
from iodyno.report.plain import ENGLISH, load_text, paths

if TYPE_CHECKING:
    from rich.console import Console

    from iodyno.store.records import Run

MANY = "×"
"""Stands between the outstanding I/Os of a target and worker and how many of those there are."""
SIMULATED = "simulated: the figures are those of a model, nothing was measured"
MOST_NAMED = 3
"""Parts that a line names."""


def print_maxima(figures: Sequence[PointFigures], run: Run, answers: Collection[int] = ()) -> None:
    """Print, for each configuration, the maximum of each profile and its bottleneck; of a search its answer,
    which is one of the points of these indices."""
    from iodyno.cli.console import console, table

    out, plan = console(), run.plan
    groups = _grouped(configuration_maxima(figures, plan, answers))
    for sweep, group, maxima in groups:
        differ = any(found.curve.first.workers != maxima[0].curve.first.workers for found in maxima)
        out.print()
        title, parted = _common(plan, group), _on_parts(maxima)
        out.print(f"{sweep}: {title}", style="bold")
        rows = [_row(found, plan, title, workers=differ, volumes=parted) for found in maxima]
        out.print(table(_columns(maxima), rows))
    for note in marks_note(ENGLISH, (found.at for _, _, maxima in groups for found in maxima)):
        out.print(f"\n{note}", style="dim", highlight=False)
    if any(MANY in total_text(found.at.point) for _, _, maxima in groups for found in maxima):
        text = "outstanding I/Os are those of a target and worker × targets and workers"
        out.print(f"\n{text}", style="dim")
    _print_note(out, run)


def _columns(maxima: Sequence[ConfigurationMaximum]) -> list[tuple[str, str]]:
    load = "load" if any(found.at.point.open_loop for found in maxima) else "outstanding"
    served = {_served(found) for found in maxima}
    main = "maximum" if served == {False} else "served" if served == {True} else "maximum or served"
    titles = (("profile", "left"), (main, "right"), (load, "right"), ("latency", "right"))
    return [*titles, ("limited by", "left")]


def _served(found: ConfigurationMaximum) -> bool:
    """Tell whether all rates of a curve were asked for and had: the highest of them is no maximum, nor is the
    answer of a search."""
    return found.answer or (found.curve.open_loop and all(serves_its_rate(at) for at in found.curve.points))


def _print_note(out: Console, run: Run) -> None:
    out.print(f"\n{SIMULATED}", style="dim")
    out.print(f"how close: {closeness_text(run)}", style="dim")


def closeness_text(run: Run) -> str:
    """Say how close the model is to the parts of a run: by figures that nothing was fitted to."""
    return parts_closeness_text(compared_of(run))


def parts_closeness_text(parts: Mapping[str, Sequence[Comparison]]) -> str:
    """Say the same of parts, by their titles, with the figures of each."""
    found = dict.fromkeys(one for figures in parts.values() for one in figures)
    fitted, others = fitted_or_not(found)
    if not found:
        return "not known, no published figure of these parts was compared"
    if not others.count and fitted.count == 1:
        return "not known, the only published figure of these parts was fitted to"
    if not others.count:
        return f"not known, all {fitted.count} published figures of these parts were fitted to"
    plural = "" if others.count == 1 else "s"
    figures = f"{others.count} published figure{plural} of these parts that nothing was fitted to"
    text = f"{others.mean:.1%} off on the mean, {others.most:.1%} at the most, beside {figures}"
    without = [name for name, of_part in parts.items() if not of_part]
    if not without:
        return text
    if len(without) > MOST_NAMED:
        return f"{text}; no figure is of {len(without)} of the parts"
    return f"{text}; no figure is of {' or '.join(filter(None, (', '.join(without[:-1]), without[-1])))}"


def _grouped(
    maxima: Sequence[ConfigurationMaximum],
) -> list[tuple[str, str, list[ConfigurationMaximum]]]:
    groups: dict[tuple[str, str], list[ConfigurationMaximum]] = {}
    for found in maxima:
        groups.setdefault((found.sweep, found.group), []).append(found)
    return [(sweep, group, items) for (sweep, group), items in groups.items()]


def _common(plan: Plan, group: str) -> str:
    """Give the beginning that the titles of a group share; the whole title where one stands alone."""
    titles = (
        str(item.get("title") or name)
        for name, item in configurations_of(plan).items()
        if group in (name, item.get("group"))
    )
    parts = zip(*(title.split(", ") for title in titles), strict=False)
    shared = takewhile(lambda part: len(set(part)) == 1, parts)
    return ", ".join(part[0] for part in shared) or group


def _on_parts(maxima: Sequence[ConfigurationMaximum]) -> bool:
    """Tell whether some maxima of one system are on other volumes of it than others, or on some of them."""
    volumes = {(found.configuration, paths(found.at.point)) for found in maxima}
    several = len(volumes) > len({found.configuration for found in maxima})
    return several or any(found.curve.volumes for found in maxima)


def _row(
    found: ConfigurationMaximum, plan: Plan, title: str, *, workers: bool, volumes: bool
) -> tuple[str, ...]:
    at = found.at
    told = workers and (at.point.workers > 1 or "workers" in found.curve.varied)
    several = f", {own_workers(ENGLISH, at.point)}" if told else ""
    if "workers_area" in found.curve.varied:
        several += f", {workers_area(ENGLISH, at.point.workers_area)}"
    if "limit" in found.curve.varied and found.curve.open_loop:
        several += f", {limit_text(ENGLISH, found.curve.first.outstanding)}"
    several += f", {loop}" if (loop := told_loop(ENGLISH, found.curve)) else ""
    several += f", on {' and '.join(paths(at.point))}" if volumes else ""
    own = configuration_title(plan, found.configuration)
    several += f" ({own.removeprefix(title).strip(' ,')})" if own != title else ""
    main = f"{marked(ENGLISH.numbers.estimate(at.main), at)} {main_unit(at.profile)}"
    return (
        loaded_name(ENGLISH, found.curve) + several,
        main,
        total_text(at.point),
        ms_text(ENGLISH, at.known_latency_ms_mean),
        limit_of(at),
    )


def total_text(point: Point) -> str:
    """Give the load of a point, outstanding I/Os for all its targets and workers: ``32 × 4``.

    With the rate and the mean latency that stand beside it, the product is what Little's law has.
    """
    factor = point.outstanding_total // point.outstanding
    return load_text(point) if point.open_loop or factor == 1 else f"{point.outstanding} {MANY} {factor}"


def limit_of(at: PointFigures) -> str:
    """Say what limits a simulated point."""
    return bottleneck_text(at.simulation, served=serves_its_rate(at), thought=thinks(at))


def bottleneck_text(simulation: Simulation | None, *, served: bool = False, thought: bool = False) -> str:
    """Say what limits a point: a station, called as in papers, with its utilisation, what was asked for, or
    latency.

    Parameters
    ----------
    simulation
        What the simulator, or a formula, told of the point.
    served
        Whether the point asked for a rate, and had it.
    thought
        Whether the think time that the point asked for is most of the time.

    Examples
    --------
    >>> from iodyno.reading import Bottleneck, Simulation
    >>> limit = Bottleneck(station="core", place="host_cpu", utilisation=0.996, kind="saturated")
    >>> bottleneck_text(Simulation(model_version=1, virtual_s=1, events=1, bottleneck=limit))
    'core of the host, 99.6%'
    >>> limit = Bottleneck(station="disk", place="drive_media", utilisation=1, kind="saturated", share=0.02)
    >>> bottleneck_text(Simulation(model_version=1, virtual_s=1, events=1, bottleneck=limit))
    'disk, 100.0%, for 2.0% of the I/Os'
    >>> limit = Bottleneck(place="drive_media", utilisation=0.4, kind="outstanding")
    >>> bottleneck_text(Simulation(model_version=1, virtual_s=1, events=1, bottleneck=limit))
    'latency: media of the drive; the busiest station 40.0%'
    >>> bottleneck_text(Simulation(model_version=1, virtual_s=1, events=1, bottleneck=limit), served=True)
    'rate asked for, and served; the busiest station 40.0%'
    >>> bottleneck_text(Simulation(model_version=1, virtual_s=1, events=1, bottleneck=limit), thought=True)
    'think time asked for; the busiest station 40.0%'
    """
    if simulation is None:
        return "–"
    bottleneck, busy = simulation.bottleneck, simulation.utilisation
    share = ENGLISH.numbers.percent(busy, 1)
    if bottleneck.kind == "saturated":
        few = bottleneck.part
        of = f", for {ENGLISH.numbers.percent(few, 1)} of the I/Os" if few is not None else ""
        return f"{station_name(ENGLISH, bottleneck.station or bottleneck.place)}, {share}{of}"
    if served or thought:
        name = f": {station_name(ENGLISH, simulation.busiest.name)}" if simulation.busiest else ""
        asked = "rate asked for, and served" if served else "think time asked for"
        return f"{asked}; the busiest station{name} {share}"
    place = PLACE_NAMES.get(bottleneck.place, bottleneck.place)
    return f"latency: {place}; the busiest station {share}"
