"""``iodyno compare``: runs side by side."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

import click

from iodyno.cli import named, parameters
from iodyno.cli.options import json_option, store_option
from iodyno.cli.sections import SectionedCommand

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from iodyno.analysis.compare import Compared, Comparison, Outcome
    from iodyno.analysis.estimate import Estimate
    from iodyno.store.records import StoredRun


@click.command(cls=SectionedCommand, named=named.of_comparing)
@click.argument(
    "runs", nargs=-1, required=True, metavar="A B [C]...", shell_complete=parameters.complete_runs
)
@store_option
@json_option
@click.option(
    "--fail-if-slower",
    "limit",
    type=parameters.LIMIT,
    metavar="SHARE",
    help="Exit with 1 where a point of a further run is slower by more than this: 5%.",
)
def command(runs: tuple[str, ...], store: str | None, as_json: bool, limit: float | None) -> int:
    """Compare runs point by point, with intervals.

    Each further run is compared with the first. A ratio above 1 means that the further run
    has the higher rate or throughput; it counts as faster or slower only where the
    interval of the ratio leaves out 1, and by 0.1% or more. Open loops are asked the same rate, or
    the same share of what each target can serve: the 99th percentile of their response times decides,
    unless one did not serve its rate.

    Points are compared where profile, workers, number of targets and load are the same. Two runs on one
    virtual system each are compared whatever these are called; where a run has several, those of the
    same name are. All of a file of 256 MB is the same as --area 256M of a drive. Beside results of fio a
    profile is what it accesses, whatever it is called. Of several
    loads at once the first is compared, where the others are the same and on the same targets; with
    --json each point has the figures of all. What has no counterpart is counted and named.

    With --fail-if-slower the exit status tells: 1 where the loss is greater than the limit
    and the interval leaves out 1, 2 where the runs were measured by different methods. Points whose
    intervals are too wide to show such a loss pass, and are counted in a note. Runs that have no point
    in common are refused in any case.

    \b
    iodyno compare latest~1 latest
    iodyno compare latest~1 latest --fail-if-slower 5%
    """
    from iodyno.analysis.compare import compare
    from iodyno.cli.console import console
    from iodyno.cli.counterparts import tell_of_itself
    from iodyno.cli.ending import BAD_REQUEST, HintedUsageError, say, whoever_reads
    from iodyno.report.sentences.unlike import with_reason
    from iodyno.store import Store

    if len(runs) < 2:
        raise HintedUsageError("one run is no comparison", "`iodyno compare A B` takes two or more")
    with Store.open(store, create=False) as kept:
        base, *others = kept.load_each(runs)
    tell_of_itself(base, others)
    found = [with_reason(compare(base, other), base, other) for other in others]
    with whoever_reads():
        if as_json:
            click.echo(json.dumps([_plain(comparison) for comparison in found], indent=2))
        for comparison, stored in zip(found, others, strict=True) if not as_json else ():
            _print(console(), comparison, (base, stored))
    for why in (comparison.why_none for comparison in found):
        if why is not None:
            say("error", f"{why.where} {why.what}", why.hint)
    pairs = [(comparison, (base, stored)) for comparison, stored in zip(found, others, strict=True)]
    common = [pair for pair in pairs if pair[0].points]
    status = 0 if limit is None else _judge(common, limit)
    return status if len(common) == len(found) else BAD_REQUEST


METHOD = frozenset(
    {
        "profile", "kind", "area", "size", "direct", "durable", "cold", "data", "workers", "arrival",
        "verify", "conditioning", "build", "simulated",
    }
)  # fmt: skip
"""Differences that a run must not have to decide about another: they can explain any ratio."""


def _judge(found: list[tuple[Comparison, tuple[StoredRun, StoredRun]]], limit: float) -> int:
    """Give the exit status by how much slower the further runs are, and say why."""
    from iodyno.analysis.compare import hidden_from, slower_by
    from iodyno.cli.ending import BAD_REQUEST, say
    from iodyno.cli.wording import points_text
    from iodyno.report.plain import load_text

    status = 0
    for comparison, runs in found:
        different = list(dict.fromkeys(one.what for one in comparison.differences if one.what in METHOD))
        if not comparison.points or different:
            what = f"the methods differ ({', '.join(different)})" if different else "no point in common"
            hint = "measure both with one study, on targets of one kind, size and area, conditioned alike"
            say("error", f"{comparison.other} cannot be judged by {comparison.base}: {what}", hint)
            status = BAD_REQUEST
            continue
        slower = slower_by(comparison, limit)
        if slower:
            worst = max(slower, key=lambda point: point.loss)
            load = load_text(worst.base.point)
            name = next(name for name, points in _tables(comparison, runs) if worst in points)
            say(
                "error",
                f"{comparison.other} is more than {limit * 100:g}% slower at {len(slower)} of "
                f"{points_text(len(comparison.points))}; most by {worst.loss * 100:.1f}%"
                f"{' of the response time' if worst.by_response else ''} at "
                f"{load if worst.base.point.rate_io_s else f'{load} outstanding'} of "
                f'"{name}"',
                f"`iodyno compare {comparison.base} {comparison.other}` shows every point",
            )
            status = status or 1
        if hidden := hidden_from(comparison, limit):
            say(
                "note",
                f"{comparison.other} may be {limit * 100:g}% slower at {len(hidden)} of "
                f"{points_text(len(comparison.points))}: intervals are too wide there to show it",
                "longer points have narrower ones: --cap, or --cap-ios where they are simulated",
            )
    return status


def _plain(value: Any) -> Any:
    """Turn records into what JSON knows."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    return None if isinstance(value, float) and value in (float("inf"), float("-inf")) else value


def _print(out: Console, comparison: Comparison, runs: tuple[StoredRun, StoredRun]) -> None:
    from iodyno.cli.console import table
    from iodyno.cli.counterparts import made_on

    out.print(f"{comparison.other} beside {comparison.base}", style="bold")
    for name, stored in zip(("first", "further"), runs, strict=True):
        out.print(f"{name:8} {made_on(stored)}")
    titles = ("outstanding", "first", "interval", "further", "interval", "ratio", "latency ratio")
    opened = ("rate asked", *titles[1:6], "p99 response, first", "further", "ratio")
    for name, points in _tables(comparison, runs):
        is_open = points[0].base.point.rate_io_s is not None
        columns = [*((title, "right") for title in (opened if is_open else titles)), ("", "left")]
        rows = [_row(compared) for compared in points]
        out.print()
        out.print(table(columns, rows, title=name))
    _print_summary(out, comparison, runs)


def _tables(comparison: Comparison, runs: tuple[StoredRun, StoredRun]) -> list[tuple[str, list[Compared]]]:
    """Give the tables of a comparison: the points of each series, with its name."""
    from iodyno.analysis.matching import named_systems
    from iodyno.cli.wording import series_key, series_titles

    among = [compared.base.planned for compared in comparison.points]
    if named_systems(*runs):  # a system is named wherever one of the runs has another one too
        among += [*comparison.only_base, *comparison.only_other]
    series: dict[tuple[object, ...], list[Compared]] = {}
    for compared in comparison.points:
        series.setdefault(series_key(compared.base.planned), []).append(compared)
    names = series_titles([points[0].base.planned for points in series.values()], among)
    return list(zip(names, series.values(), strict=True))


def _row(compared: Compared) -> list[str | Text]:
    from rich.text import Text

    from iodyno.cli.wording import row_of_figures
    from iodyno.report.plain import ENGLISH

    ratio = ENGLISH.numbers.ratio
    base, other = row_of_figures(compared.base), row_of_figures(compared.other)
    tone = {"faster": "green", "slower": "red"}.get(compared.outcome, "dim")
    outcome = Text(compared.outcome, tone).append(_doubts(compared), "yellow")
    ratios = [ratio(compared.ratio), ratio(compared.latency_ratio)]
    if compared.base.point.rate_io_s is not None:
        times = [_time(item.response_time_ms_p99) for item in (compared.base, compared.other)]
        ratios = [ratio(compared.ratio), *times, ratio(compared.response_ratio)]
    return [base.load, base.main, base.interval, other.main, other.interval, *ratios, outcome]


def _time(found: Estimate | None) -> str:
    from iodyno.report.names import ms_text
    from iodyno.report.plain import ENGLISH

    if found is None:
        return "–"
    return ms_text(ENGLISH, found.value) + (
        f" {ENGLISH.numbers.half_width(found)}" if found.half_width is not None else ""
    )


def _doubts(compared: Compared) -> str:
    from iodyno.cli.wording import state_text

    states = {"first": compared.base.verdict.state, "further": compared.other.verdict.state}
    doubts = [f"{run} {state_text(state)}" for run, state in states.items() if state != "steady"]
    return f" ({', '.join(doubts)})" if doubts else ""


def _print_summary(out: Console, comparison: Comparison, runs: tuple[StoredRun, StoredRun]) -> None:
    from iodyno.cli.counterparts import lacking_lines
    from iodyno.cli.differences import difference_lines
    from iodyno.cli.wording import points_text

    outcomes: tuple[Outcome, ...] = ("faster", "slower", "no difference shown", "unknown")
    counted = [(comparison.count(outcome), outcome) for outcome in outcomes]
    out.print(
        "\n" + (", ".join(f"{count} {text}" for count, text in counted if count) or "no point in common")
    )
    sides = (
        (comparison.base, comparison.only_base, [point.base.point for point in comparison.points]),
        (comparison.other, comparison.only_other, [point.other.point for point in comparison.points]),
    )
    for run, points, compared in sides:
        if points:
            out.print(f"only in {run}: {points_text(len(points))}", style="yellow")
        for line in lacking_lines(points, compared) if comparison.points else ():
            out.print(line, style="yellow", highlight=False)
    for line in difference_lines(comparison, runs):
        out.print(line, style="yellow")
