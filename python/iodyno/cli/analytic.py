"""``iodyno simulate --analytic``: a sweep from queueing formulas, and how far it is from the simulator."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import chain
from typing import TYPE_CHECKING

import click

from iodyno.analysis.bottleneck import serves_its_rate
from iodyno.analysis.figures import point_figures
from iodyno.cli.maxima import bottleneck_text
from iodyno.cli.wording import ENGLISH, load_text, points_text, series_key, series_text, signed_percent
from iodyno.plan import Plan
from iodyno.prediction.rough import Rough, rough
from iodyno.reading import PointResult
from iodyno.report.names import main_unit, ms_text
from iodyno.virtual import Array, OnHostRaid, OnLogical, VirtualSystem

if TYPE_CHECKING:
    from rich.console import Console

ROUGH = "~"
"""What marks figures of formulas that can be far off."""


def calculate(plan: Plan, *, compare: bool, jobs: int | None, as_json: bool, quiet: bool) -> int:
    """Calculate every point, compare where asked, print unless quiet; keep nothing."""
    from iodyno import bench
    from iodyno.cli.console import console

    if not quiet:
        _say_what_is_left_out(plan)
    began = time.perf_counter()
    calculated = list(bench.simulate(plan, jobs=1, analytic=True))
    took_s = time.perf_counter() - began
    simulated = list(bench.simulate(plan, jobs=jobs)) if compare else None
    reasons = [rough(result.point, plan.systems[result.point.system or ""]) for result in calculated]
    if as_json:
        click.echo(json.dumps(_plain(calculated, simulated, reasons), indent=2))
        return 0
    if quiet:
        return 0
    out = console()

    def say_line(text: str) -> None:
        """Break lines between words on a terminal, and not at all elsewhere."""
        out.print(text, soft_wrap=not out.is_terminal)

    _print(out, calculated, simulated, reasons)
    out.print()
    for reason in dict.fromkeys(chain.from_iterable(reasons)):
        seen = f"{reason.least:g} to {reason.most:g} times the simulator were seen"
        say_line(f"{ROUGH} {reason.what}: the formulas can be far off, {seen}")
    say_line(f"{points_text(len(calculated))} calculated in {took_s * 1000:.0f} ms")
    if simulated:
        say_line(_summary(calculated, simulated, reasons))
    return 0


def _say_what_is_left_out(plan: Plan) -> None:
    """Say of which systems the formulas leave a rebuild out; what else they do not know is refused."""
    from iodyno.cli.ending import say
    from iodyno.study.problems import NAMED

    names = [name for name, system in plan.systems.items() if any(map(_rebuilds, _arrays(system)))]
    if names:
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        say(
            "note",
            f"the formulas leave rebuilding out: {', '.join(names[:NAMED])}{more} "
            f"{'is' if len(names) == 1 else 'are'} calculated as degraded, with nothing rebuilt",
        )


def _arrays(system: VirtualSystem) -> Iterator[Array]:
    for volume in system.volumes:
        if isinstance(volume.on, OnHostRaid):
            yield volume.on.array
        elif isinstance(volume.on, OnLogical):
            yield system.controllers[volume.on.controller].logicals[volume.on.logical].array


def _rebuilds(array: Array) -> bool:
    return bool(array.failed and array.rebuild_bytes_s)


def difference(calculated: PointResult, simulated: PointResult) -> float:
    """Give how far the formulas are from the simulator: rate ÷ rate - 1.

    Returns
    -------
    float
        0.05 where the calculated rate is 5 % above the simulated one.
    """
    expected = simulated.reading.transaction_rate_io_s
    return calculated.reading.transaction_rate_io_s / expected - 1 if expected else 0.0


def _print(
    out: Console,
    calculated: Sequence[PointResult],
    simulated: Sequence[PointResult] | None,
    reasons: Sequence[Sequence[Rough]],
) -> None:
    from iodyno.cli.console import table

    points = [result.point for result in calculated]
    series: dict[tuple[object, ...], list[int]] = {}
    for place, result in enumerate(calculated):
        series.setdefault(series_key(result.point), []).append(place)
    titles = ["calculated", "latency", *(["simulated", "latency", "difference"] if simulated else [])]
    limit = "limited by, calculated" if simulated else "limited by"
    for places in series.values():
        rows = [
            _row(calculated[place], simulated[place] if simulated else None, bool(reasons[place]))
            for place in places
        ]
        load = "asked" if points[places[0]].open_loop else "outstanding"
        columns = [*((title, "right") for title in (load, *titles)), (limit, "left")]
        out.print()
        out.print(table(columns, rows, title=series_text(points[places[0]], points)))


def _row(calculated: PointResult, simulated: PointResult | None, is_rough: bool) -> list[str]:
    found = calculated.reading.simulation
    beside = [*_figures(simulated), signed_percent(difference(calculated, simulated))] if simulated else []
    limit = bottleneck_text(found, served=serves_its_rate(point_figures(calculated)))
    figures = [f"{ROUGH if is_rough else ''}{figure}" for figure in _figures(calculated)]
    return [load_text(calculated.point), *figures, *beside, limit]


def _figures(result: PointResult) -> list[str]:
    reading, profile = result.reading, result.point.profile
    throughput = profile.shown_as == "throughput"
    main = reading.throughput_bytes_s / (1 << 20) if throughput else reading.transaction_rate_io_s
    latency = reading.latency.mean_ns / 1e6
    return [f"{ENGLISH.numbers.significant(main, 4)} {main_unit(profile)}", ms_text(ENGLISH, latency)]


def _summary(
    calculated: Sequence[PointResult],
    simulated: Sequence[PointResult],
    reasons: Sequence[Sequence[Rough]],
) -> str:
    apart = [abs(difference(*pair)) for pair in zip(calculated, simulated, strict=True)]
    good = [share for share, why in zip(apart, reasons, strict=True) if not why]
    said = f"difference: calculated ÷ simulated - 1; the formulas are {_mean_and_most(apart)}"
    if good and len(good) < len(apart):
        said += f"; where they are not marked {ROUGH}, {_mean_and_most(good)}"
    return said


def _mean_and_most(apart: Sequence[float]) -> str:
    return f"{sum(apart) / len(apart):.1%} from the simulator in the mean, {max(apart):.1%} at most"


def _plain(
    calculated: Sequence[PointResult],
    simulated: Sequence[PointResult] | None,
    reasons: Sequence[Sequence[Rough]],
) -> list[dict[str, object]]:
    return [
        {
            "point": result.point.index,
            "system": result.point.system,
            "profile": result.point.profile.name,
            "outstanding": result.point.outstanding,
            "workers": result.point.workers,
            "rate_io_s": result.point.rate_io_s,
            **_rate_and_latency("calculated", result),
            **_rate_and_latency("simulated", simulated[place] if simulated else None),
            "rough": [asdict(reason) for reason in reasons[place]],
        }
        for place, result in enumerate(calculated)
    ]


def _rate_and_latency(name: str, result: PointResult | None) -> dict[str, float | None]:
    reading = result.reading if result else None
    return {
        f"{name}_io_s": reading.transaction_rate_io_s if reading else None,
        f"{name}_latency_ms_mean": reading.latency.mean_ns / 1e6 if reading else None,
    }
