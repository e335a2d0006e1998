"""``iodyno show``: the figures and verdicts of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from iodyno.cli import named, parameters
from iodyno.cli.options import json_option, store_option
from iodyno.cli.telling import TellingCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from iodyno.plan import PlannedTarget
    from iodyno.reading import Cause, PointResult
    from iodyno.store.records import StoredRun

SIMULATED = "the figures are those of a model, nothing was measured"


@click.command(cls=TellingCommand, named=named.of_showing)
@click.argument("run", default="latest", shell_complete=parameters.complete_runs)
@store_option
@click.option(
    "--stations",
    is_flag=True,
    help="Show the stations at each maximum of a simulated run, where there are more than ten too.",
)
@click.option(
    "--targets", is_flag=True, help="Show each of several targets at every point, not at the maximum only."
)
@json_option
def command(run: str, store: str | None, stations: bool, targets: bool, as_json: bool) -> None:
    """Show the figures and verdicts of a run.

    RUN is an id of `iodyno runs`, the beginning of one, or latest. Of a simulated run it shows
    what limits each point as well, and the stations at the maxima.

    \b
    iodyno show
    iodyno show latest~1 --stations
    """
    from iodyno.cli.console import console
    from iodyno.cli.two_sweeps import print_comparisons
    from iodyno.store import Store

    with Store.open(store, create=False) as kept:
        stored = kept.load(run)
    if as_json:
        click.echo(stored.model_dump_json(indent=2))
        return
    out = console()
    _print_facts(out, stored)
    _print_points(out, stored, every_target=targets)
    _print_searches(out, stored)
    print_comparisons(out, stored)
    if stored.run.simulated:
        from iodyno.cli.stations import print_stations

        print_stations(out, stored, every=stations)
    _print_reasons(out, stored)
    _print_errors(out, stored)
    _print_precision(out, stored)
    _print_corruptions(out, stored)


def _print_errors(out: Console, stored: StoredRun) -> None:
    if any(result.reading.errors for result in stored.results):
        from iodyno.cli.io_errors import print_errors

        print_errors(out, stored.results)


def _print_corruptions(out: Console, stored: StoredRun) -> None:
    if any(result.reading.corruptions for result in stored.results):
        from iodyno.cli.corruption import print_findings

        print_findings(out, stored.results)


def _print_facts(out: Console, stored: StoredRun) -> None:
    import shlex

    from iodyno.cli.conditioning_text import state_lines
    from iodyno.cli.console import facts
    from iodyno.cli.corruption import verified_text
    from iodyno.cli.maxima import closeness_text
    from iodyno.cli.runs import local_time
    from iodyno.cli.wording import states_text

    run = stored.run
    targets = dict.fromkeys(_sized(target) for point in run.plan.points for target in point.targets)
    under_test = (
        ("systems", ", ".join(run.plan.systems)) if run.simulated else ("targets", ", ".join(targets))
    )
    unoptimised = "" if run.tool.optimised else ", built without optimisation: its figures are worth little"
    out.print(run.plan.title, style="bold")
    pairs = [
        ("run", f"{run.id}, {run.status}, started {local_time(run.started_at)}"),
        ("study", run.plan.study),
        ("simulated", SIMULATED if run.simulated else ""),
        ("how close", closeness_text(run) if run.simulated else ""),
        ("imported", f"measured by {run.imported}, nothing was judged" if run.imported else ""),
        under_test,
        ("points", _points(stored)),
        ("verdicts", states_text(stored.results)),
        ("verified", verified_text(stored.results)),
        ("engine", "; ".join(dict.fromkeys(_engine(result) for result in stored.results))),
        ("iodyno", f"{run.tool.version}, commit {run.tool.commit}, {run.tool.build_profile}{unoptimised}"),
        ("command", shlex.join(run.command)),
    ]
    if not run.simulated and not run.imported:
        pairs.insert(-2, ("conditioning", "\n".join(state_lines(run.plan, stored.conditioning))))
    out.print(facts(pair for pair in pairs if pair[1]))


def _sized(target: PlannedTarget) -> str:
    """Name a target with its size; imported runs do not tell it."""
    from iodyno.units import short_size

    return f"{target.path} ({short_size(target.size_bytes)})" if target.size_bytes else target.path


def _points(stored: StoredRun) -> str:
    """Count the points: a search that has found its answer leaves some out."""
    from iodyno.rates import needed

    points, done = stored.run.plan.points, len(stored.results)
    left = len(needed(stored.run.plan, stored.results))
    spared = len(points) - done - left
    return f"{done} of {len(points)}" + (f", {spared} were not needed" if spared else "")


def _engine(result: PointResult) -> str:
    from iodyno.report.operations import opening, pinned
    from iodyno.report.plain import ENGLISH

    engine = result.reading.engine
    if result.point.simulated:
        return engine.name
    io = "direct" if engine.direct else "buffered"
    pinning = pinned(ENGLISH, result.reading.workers)
    parts = (
        engine.name,
        io,
        *opening(ENGLISH, result.point, engine),
        "polled" if result.point.iopoll else "",
        pinning,
    )
    return ", ".join(part for part in parts if part)


def _print_points(out: Console, stored: StoredRun, *, every_target: bool) -> None:
    from rich.text import Text

    from iodyno.analysis.configurations import volumes_of
    from iodyno.analysis.figures import point_figures
    from iodyno.cli.console import TONES, table
    from iodyno.cli.maxima import limit_of
    from iodyno.cli.wording import row_of, series_key, series_titles

    series: dict[tuple[object, ...], list[PointResult]] = {}
    for result in stored.results:
        series.setdefault(series_key(result.point), []).append(result)
    firsts = [results[0].point for results in series.values()]
    titles_of = series_titles(firsts, stored.run.plan.points, volumes_of(stored.run.plan))
    for results, title in zip(series.values(), titles_of, strict=True):
        rows = [row_of(result) for result in results]
        open_loop = any(row.response for row in rows)
        titles = ["outstanding", "main figure", "interval", "latency", "p99"]
        if open_loop:
            titles = ["asked", *titles[1:], "response time", "p99"]
        limits = [limit_of(point_figures(of)) for of in results if of.reading.simulation]
        columns = [*((title, "right") for title in titles), ("verdict", "left")]
        columns += [("limited by", "left")] if limits else []
        beside = ["; ".join((*row.beside, *row.at_once)) for row in rows]
        columns += [("beside", "left")] if any(beside) else []
        rebuilt = [_rebuilt_text(result) for result in results]
        columns += [("rebuilt", "left")] if any(rebuilt) else []
        cells = [
            (
                *(row.load, row.main, row.interval, row.latency, row.p99),
                *((row.response, row.response_p99) if open_loop else ()),
                Text(row.verdict, TONES[row.state]),
                *limits[place : place + 1],
                *([beside[place]] if any(beside) else []),
                *([rebuilt[place]] if any(rebuilt) else []),
            )
            for place, row in enumerate(rows)
        ]
        out.print()
        out.print(table(columns, cells, title=title))
        _print_targets(out, results if every_target else [highest(results)])


def _rebuilt_text(result: PointResult) -> str:
    """Say at what rate failed members were rebuilt, and how long all of each takes: as the paper does."""
    from iodyno.report.plain import ENGLISH
    from iodyno.report.sentences.causes import details

    notes = [note for note in result.verdict.notes if note.code.startswith("rebuil")]
    return "; ".join(dict.fromkeys(details(ENGLISH, note) for note in notes))


def highest(results: Sequence[PointResult]) -> PointResult:
    """Give the result with the highest rate, of several loads that of the first."""
    return max(results, key=lambda result: result.loads[0].reading.transaction_rate_io_s)


def _print_targets(out: Console, results: Sequence[PointResult]) -> None:
    """Print each target of points that have several."""
    from iodyno.analysis.targets import target_figures
    from iodyno.cli.console import table
    from iodyno.cli.wording import target_cells
    from iodyno.report.plain import load_text, shown_text

    for result in results:
        targets = target_figures(result)
        if not targets:
            continue
        titles = ["rate", "throughput", "latency", "p99"]
        titles += ["response p99"] if any(item.response_time for item in targets) else []
        names = ["load", "target"] if result.point.beside else ["target"]
        columns = [*((name, "left") for name in names), *((title, "right") for title in titles)]
        cells = [target_cells(item) for item in targets]
        if result.point.beside:
            loads = [shown_text(item.result.point.profile) for item in targets]
            cells = [(load, *own) for load, own in zip(loads, cells, strict=True)]
        rows = [(*own, *("–" for _ in columns[len(own) :])) for own in cells]
        word = "outstanding" if result.point.rate_io_s is None else "asked"
        title = f"each target at {load_text(result.point)} {word}"
        out.print(table(columns, rows, title=title))


def _print_searches(out: Console, stored: StoredRun) -> None:
    """Say what the searches found."""
    from iodyno.cli.searching import search_lines

    lines = search_lines(stored.results)
    if lines:
        out.print()
    for line in lines:
        out.print(line, markup=False, highlight=False)


def _print_reasons(out: Console, stored: StoredRun) -> None:
    """Say in words what the verdicts name, once each, with how many points name it; of one its figures."""
    from iodyno.cli.console import facts
    from iodyno.cli.wording import cause_text
    from iodyno.report.plain import ENGLISH
    from iodyno.report.sentences.causes import details
    from iodyno.verdict import CAUSES, SIMULATED_CAUSES

    meanings = CAUSES | SIMULATED_CAUSES if stored.run.simulated else CAUSES
    found: dict[str, list[list[Cause]]] = {}
    for result in stored.results:
        of_point: dict[str, list[Cause]] = {}  # of several loads each can have it
        for cause in (*result.verdict.causes, *result.verdict.notes):
            of_point.setdefault(cause.code, []).append(cause)
        for code, causes in of_point.items():
            found.setdefault(code, []).append(causes)
    if found:
        counted = [(code, found[code]) for code in CAUSES if code in found]
        alone = {code: points[0][0] for code, points in counted if len(points) == len(points[0]) == 1}
        said = {code: details(ENGLISH, alone[code]) if code in alone else "" for code, _ in counted}
        out.print()
        out.print(
            facts(
                (cause_text(code), f"{meanings[code]} ({len(points)}{said[code] and f': {said[code]}'})")
                for code, points in counted
            )
        )


def _print_precision(out: Console, stored: StoredRun) -> None:
    """Say how many points are less precise than asked, and what helps."""
    from iodyno.analysis.figures import point_figures
    from iodyno.cli.precision import precision_lines

    lines = list(precision_lines([point_figures(result) for result in stored.results], stored.run))
    if lines:
        out.print()
    for line in lines:
        out.print(line, markup=False, highlight=False)
