"""How well the interval of a simulated rate says what another seed would change, on points drawn at random.

Points are those of `formulas.py` and of shipped studies (`study:NAME`), each simulated with some seeds at its
own stopping rule; `--every` takes all points of studies in place of a draw. Of each kind it is printed how
many intervals hold the mean of all seeds, and which points have seeds that differ by more than their
intervals say: how many times what the half-widths stand for.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache, partial

from formulas import READ_SHARES, drawn
from iodyno import bench
from iodyno.plan import Plan, Point
from iodyno.study import load_study, plan_simulation, resolve_all
from iodyno.study.systems import resolve
from iodyno.virtual import VirtualSystem

STUDY = "study:"
SEEDS = 8
NORMAL = 1.96
"""Half-width of a 95 % interval ÷ the deviation that it stands for, at the least: Student's t is more."""
SMALL = 0.002
"""Difference, as a share of the mean, that no interval has to tell: windows are cut at whole I/Os."""
BY_CHANCE = 0.001
"""Share of points that are shown though their intervals say what their seeds spread by."""


@dataclass(frozen=True)
class Spread:
    """What came out of a point with several seeds."""

    number: int
    what: str
    rate_io_s: float
    """Mean over seeds."""
    deviation: float
    """Standard deviation between seeds, as a share of the mean."""
    half_width: float
    """Root of the mean square of the half-widths of their intervals, as a share of the mean."""
    held: float
    """Share of the intervals that hold the mean."""
    told: float
    """Share of the readings that say themselves that they are capped or drift."""

    @property
    def times(self) -> float:
        """Spread ÷ what the half-widths stand for."""
        return max(self.deviation - SMALL, 0.0) * NORMAL / max(self.half_width, 1e-9)


@cache
def planned(study: str) -> Plan:
    """Plan a shipped study."""
    read = load_study(study)
    return plan_simulation(read, resolve_all(read.configurations, resolve))


def wider(seeds: int) -> float:
    """Say from how many times what half-widths stand for a spread is shown.

    The root of chi-square ÷ its degrees of freedom, one less than seeds, that `BY_CHANCE` is above
    (Wilson and Hilferty, The distribution of chi-square, 1931: within 1 % of it from three degrees on).
    """
    small = 2 / (9 * (seeds - 1))
    return math.pow(1 - small + statistics.NormalDist().inv_cdf(1 - BY_CHANCE) * math.sqrt(small), 1.5)


def point_of(kind: str, number: int, seed: int | None) -> tuple[str, VirtualSystem, Point]:
    """Draw a point of a kind, or one of a study; without a seed, take that of the study."""
    if not kind.startswith(STUDY):
        return drawn(kind, number, seed or 0)
    plan = planned(kind.removeprefix(STUDY))
    point = (
        plan.points[number] if seed is None else random.Random(f"{seed} {kind} {number}").choice(plan.points)
    )
    what = f"{point.system}, {point.profile.name}, {point.workers} x {point.outstanding} outstanding"
    return what, plan.systems[point.system or ""], point


def spread(kind: str, seed: int | None, seeds: int, number: int) -> Spread:
    """Simulate a point with several seeds."""
    what, system, point = point_of(kind, number, seed)
    document = system.model_dump_json()
    asked = (point.model_copy(update={"seed": point.seed + more}) for more in range(seeds))
    readings = [bench.simulate_point(one, document) for one in asked]
    rates = [one.transaction_rate_io_s for one in readings]
    halves = [math.inf if one.precision.half_width is None else one.precision.half_width for one in readings]
    mean = statistics.fmean(rates)
    pairs = list(zip(rates, halves, strict=True))
    return Spread(
        number=number,
        what=what,
        rate_io_s=mean,
        deviation=statistics.stdev(rates) / mean,
        half_width=math.sqrt(statistics.fmean(half**2 for half in halves)),
        held=statistics.fmean(abs(rate - mean) <= half * rate + SMALL * mean for rate, half in pairs),
        told=statistics.fmean(one.stopped == "cap" or one.precision.drifting for one in readings),
    )


def show(kind: str, found: Sequence[Spread], seeds: int) -> None:
    """Print a kind, and what of it spreads more than its intervals say."""
    held = statistics.fmean(one.held for one in found)
    beyond = sorted((one for one in found if one.times > wider(seeds)), key=lambda one: -one.times)
    print(f"{kind}: {len(found)} points, {held:.1%} of the intervals hold the mean of the seeds;", end=" ")
    print(f"{len(beyond)} points spread more than they say")
    for one in beyond:
        said = f"±{one.half_width:.2%} said ({one.told:.0%} capped)"
        print(f"  {one.times:5.1f} times: {one.deviation:.2%} between seeds, {said}", end=", ")
        print(f"{one.rate_io_s:.0f} IO/s, point {one.number}: {one.what}")


def main() -> None:
    """Print how well intervals say what seeds change."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1, help="what is drawn follows from it")
    parser.add_argument("--points", type=int, default=50, help="points of each kind")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="seeds that each is simulated with")
    parser.add_argument("--every", action="store_true", help="all points of the studies, none drawn")
    parser.add_argument("--json", action="store_true", help="print JSON, with every point")
    parser.add_argument(
        "kinds",
        nargs="*",
        metavar="kind",
        help=f"{', '.join(READ_SHARES)}, or {STUDY}NAME; all but studies unless given",
    )
    chosen = parser.parse_args()
    kinds = chosen.kinds or list(READ_SHARES)
    if wrong := [kind for kind in kinds if kind not in READ_SHARES and not kind.startswith(STUDY)]:
        parser.error(f"no kind of points: {', '.join(wrong)}")
    if chosen.every and (drawn_ones := [kind for kind in kinds if not kind.startswith(STUDY)]):
        parser.error(f"--every is for studies, not for {', '.join(drawn_ones)}")
    if chosen.seeds < 2:
        parser.error("--seeds is at least 2")
    every = {}
    with ProcessPoolExecutor() as processes:
        for kind in kinds:
            points = len(planned(kind.removeprefix(STUDY)).points) if chosen.every else chosen.points
            one = partial(spread, kind, None if chosen.every else chosen.seed, chosen.seeds)
            every[kind] = list(processes.map(one, range(points), chunksize=8 if chosen.every else 1))
            if not chosen.json:
                show(kind, every[kind], chosen.seeds)
    if chosen.json:
        print(json.dumps({kind: [asdict(one) for one in found] for kind, found in every.items()}))


if __name__ == "__main__":
    main()
