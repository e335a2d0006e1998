"""``iodyno simulate --analytic``: a sweep from queueing formulas, and how far it is from the simulator."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from typing import TYPE_CHECKING, Literal

import click

from iodyno.analysis.bottleneck import serves_its_rate
from iodyno.analysis.configurations import volumes_of
from iodyno.analysis.figures import point_figures
from iodyno.cli.lengthy import tell_of_lengthy
from iodyno.cli.maxima import limit_of
from iodyno.cli.progress import progress_of_formulas
from iodyno.cli.sentences import say_line
from iodyno.cli.wording import points_text, series_key, series_titles, signed_percent
from iodyno.plan import Plan, Point, RateShare
from iodyno.prediction.rough import Rough, rebuilds, rough
from iodyno.reading import PointResult
from iodyno.report.names import main_unit, ms_text
from iodyno.report.plain import ENGLISH, load_text
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
    with progress_of_formulas(shown=not quiet and not as_json, plan=plan) as view:
        calculated = list(bench.simulate(plan, jobs=1, analytic=True, listener=view))
        took_s = time.perf_counter() - began
        reasons = [reasons_of(result, plan.systems[result.point.system or ""]) for result in calculated]
    if compare:
        tell_of_lengthy(plan, (), jobs, quiet=quiet, instead="without --compare it is calculated at once")
    simulated = list(bench.simulate(plan, jobs=jobs)) if compare else None
    if as_json:
        click.echo(json.dumps(_plain(calculated, simulated, reasons), indent=2))
        return 0
    if quiet:
        return 0
    out = console()

    _print(out, plan, calculated, simulated, reasons)
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

    names = [name for name, system in plan.systems.items() if any(map(rebuilds, _arrays(system)))]
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


Compared = Literal["rate", "latency", "latency at the share"]
"""What of two answers is compared."""


def compared_by(calculated: PointResult, simulated: PointResult) -> Compared:
    """Tell what of two answers says how far the formulas are from the simulator.

    In a closed loop that is the rate. A rate that was asked for, and that both have, is the same on both
    sides and says nothing: the mean latency does. Shares are of the maximum that each has found, so that the
    rates are others: the latencies are those at the same share. Where one of the two has not the rate asked
    for, what they serve instead is compared.
    """
    if not (served(calculated) and served(simulated)):
        return "rate"
    return "latency at the share" if isinstance(calculated.point.rate_from, RateShare) else "latency"


def served(result: PointResult) -> bool:
    """Tell whether a point asked for a rate, and had it."""
    return serves_its_rate(point_figures(result))


def difference(calculated: PointResult, simulated: PointResult) -> float:
    """Give how far the formulas are from the simulator: rate ÷ rate - 1, or latency ÷ latency - 1.

    Returns
    -------
    float
        0.05 where what is calculated is 5 % above what is simulated: see :func:`compared_by`.
    """

    def figure(result: PointResult) -> float:
        return result.reading.transaction_rate_io_s if rates else result.reading.latency.mean_ns

    rates = compared_by(calculated, simulated) == "rate"
    expected = figure(simulated)
    return figure(calculated) / expected - 1 if expected else 0.0


def reasons_of(result: PointResult, system: VirtualSystem) -> tuple[Rough, ...]:
    """Tell why what is calculated of a point may be far off: of a rate that is served the latency too."""
    from iodyno import bench

    found = rough(result.point, system, bench.solve_network)
    return found if served(result) else tuple(reason for reason in found if reason.of == "rate")


def _print(
    out: Console,
    plan: Plan,
    calculated: Sequence[PointResult],
    simulated: Sequence[PointResult] | None,
    reasons: Sequence[Sequence[Rough]],
) -> None:
    from iodyno.cli.console import table

    points = [result.point for result in calculated]
    series: dict[tuple[object, ...], list[int]] = {}
    for place, result in enumerate(calculated):
        series.setdefault(series_key(result.point), []).append(place)
    limit = "limited by, calculated" if simulated else "limited by"
    names = series_titles([points[places[0]] for places in series.values()], points, volumes_of(plan))
    for places, name in zip(series.values(), names, strict=True):
        rows = [
            _row(calculated[place], simulated[place] if simulated else None, bool(reasons[place]))
            for place in places
        ]
        open_loop = points[places[0]].open_loop
        titles = ["asked" if open_loop else "outstanding", "calculated", "latency"]
        if simulated:
            titles += ["simulated", "latency", "latency differs" if open_loop else "difference"]
        columns = [*((title, "right") for title in titles), (limit, "left")]
        out.print()
        out.print(table(columns, rows, title=name))


def _row(calculated: PointResult, simulated: PointResult | None, is_rough: bool) -> list[str]:
    beside = [*_figures(simulated), _difference_text(calculated, simulated)] if simulated else []
    limit = limit_of(point_figures(calculated))
    rate, latency = _figures(calculated)
    mark = ROUGH if is_rough else ""
    load = _load_text(calculated.point, simulated.point if simulated else None)
    return [load, rate if served(calculated) else mark + rate, mark + latency, *beside, limit]


def _load_text(calculated: Point, simulated: Point | None) -> str:
    """Give the load: of shares of two maxima the share, for the rates stand beside it."""
    share = calculated.rate_from
    if isinstance(share, RateShare) and simulated and simulated.rate_io_s != calculated.rate_io_s:
        return f"{share.share * 100:g}% of each"
    return load_text(calculated)


def _difference_text(calculated: PointResult, simulated: PointResult) -> str:
    """Write how far the formulas are off, and of an open loop where that is the rate after all."""
    text = signed_percent(difference(calculated, simulated))
    rate = calculated.point.open_loop and compared_by(calculated, simulated) == "rate"
    return f"rate {text}" if rate else text


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
    found: dict[Compared, list[tuple[float, bool]]] = {}
    for one, other, why in zip(calculated, simulated, reasons, strict=True):
        of = compared_by(one, other)
        found.setdefault(of, []).append((abs(difference(one, other)), not why))
    parts = [_of_all("the formulas are" if len(found) == 1 else _SUBJECTS[of], found[of]) for of in found]
    what = [text for kind, text in _OF.items() if kind in found] if found.keys() - {"rate"} else []
    return "; ".join([", ".join(["difference: calculated ÷ simulated - 1", *what]), *parts])


_SUBJECTS: Mapping[Compared, str] = {
    "rate": "rates are",
    "latency": "latencies at a rate are",
    "latency at the share": "latencies at a share are",
}
_OF: Mapping[Compared, str] = {
    "latency": "of the mean latency where both have the rate asked for",
    "latency at the share": "of the mean latency at the same share of the maximum that each has",
    "rate": "else of the rate",
}
"""Of what a difference is."""


def _of_all(subject: str, apart: Sequence[tuple[float, bool]]) -> str:
    """Say how far figures are apart, and those without a mark where some have one."""
    good = [share for share, is_good in apart if is_good]
    said = f"{subject} {_mean_and_most([share for share, _ in apart])}"
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
            "difference": difference(result, simulated[place]) if simulated else None,
            "difference_of": compared_by(result, simulated[place]) if simulated else None,
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
