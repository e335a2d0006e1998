"""Points that last for hard disks while faster parts go on: to how many I/Os they come, told beforehand."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from iodyno.plan import Plan, Point


@dataclass(frozen=True)
class Longer:
    """A point that is longer by what goes on beside its disks than all that its rule allows."""

    point: Point
    beside: Point
    """What of it goes on: its loads on other volumes."""
    lasts_s: float
    """How long that goes on at the least, in s of virtual time."""
    rate_io_s: float
    """I/Os of it in a second of virtual time, where nothing is beside it."""
    pace_io_s: float
    """I/Os of it that are simulated in a second here."""

    @property
    def ios(self) -> float:
        """I/Os that it comes to."""
        return self.lasts_s * self.rate_io_s

    @property
    def took_s(self) -> float:
        """How long these take here, in s."""
        return self.ios / self.pace_io_s


def longer(plan: Plan, done: Collection[int] = ()) -> list[Longer]:
    """Give the points that last for their disks, and have more I/Os by that than their rule allows.

    How many that are follows from how long they last and from a trial of what goes on meanwhile: its fewest
    I/Os, without the disks. Points that are long by their outstanding I/Os are left out.

    Parameters
    ----------
    plan
        A plan; one of real targets has none.
    done
        Indices of the points that are finished already: they are left out.
    """
    from iodyno.analysis.lengths import beats_s, beside_beats, counted
    from iodyno.in_flight import dwelling

    if not plan.simulated:
        return []
    left_out = {*done, *(point.index for point in dwelling(plan))}
    found = []
    for point in plan.points:
        if point.index in left_out or (beside := beside_beats(point, plan.systems)) is None:
            continue
        lasts_s = beats_s(point, plan.systems) + point.all_begun_s
        one = Longer(point, beside, lasts_s, *_trial(beside, plan))
        counts = counted(point, plan.systems)
        if one.ios > counts.warmup + counts.cap:
            found.append(one)
    return found


def _trial(beside: Point, plan: Plan) -> tuple[float, float]:
    """Give the I/Os in a second of virtual time, and of the trial."""
    from iodyno import bench
    from iodyno.analysis.lengths import counted

    few = {"warmup_ios": 0, "floor_ios": 1, "cap_ios": 1}  # its rounds are more
    trial = beside.model_copy(update={"stopping": beside.stopping.model_copy(update=few)})
    assert trial.system is not None, "a point of a real target"
    began = time.perf_counter()
    reading = bench.simulate_point(trial, plan.systems[trial.system])
    took_s = time.perf_counter() - began
    simulated = counted(trial, plan.systems).warmup + reading.completed
    return reading.transaction_rate_io_s, simulated / took_s


def going_on(found: Sequence[Longer]) -> str:
    """Say to how many I/Os points come, and by what."""
    from iodyno.cli.wording import four_digits

    longest = max(found, key=lambda one: one.ios)
    each = " in the longest" if len(found) > 1 else ""
    paths = list(dict.fromkeys(target.path for target in longest.beside.targets))
    go = "go" if len(paths) > 1 else "goes"
    return (
        f"about {four_digits(longest.ios)} I/Os{each}: while disks take {longest.lasts_s:.0f} s of virtual "
        f"time, {_volumes_text(paths)} {go} on at about {four_digits(longest.rate_io_s)} IO/s"
    )


def _volumes_text(paths: Sequence[str]) -> str:
    from iodyno.cli.plan_points import MOST_VOLUMES

    if len(paths) > MOST_VOLUMES:
        return f"{len(paths)} volumes from {paths[0]} to {paths[-1]}"
    return ", ".join(paths)


def tell_of_lasting(plan: Plan, done: Collection[int], jobs: int | None) -> None:
    """Say of points that take long for what goes on beside their disks how long that is, before they begin.

    Parameters
    ----------
    plan
        A plan of virtual targets.
    done
        Indices of the points that are finished already.
    jobs
        Points at a time; as many as there are processors where left out.
    """
    from iodyno import bench
    from iodyno.cli.ending import say
    from iodyno.cli.lengthy import SOON_S, at_a_time
    from iodyno.cli.pace import clock_text
    from iodyno.cli.wording import points_text

    found = longer(plan, done)
    took_s = max((one.took_s for one in found), default=0.0)
    if took_s < SOON_S:
        return
    at_once = min(jobs or bench.processors(), len(found))
    all_s = max(took_s, sum(one.took_s for one in found) / at_once)
    every = f", all of them about {clock_text(all_s)}{at_a_time(at_once)}" if len(found) > 1 else ""
    come = "come" if len(found) > 1 else "comes"
    say(
        "note",
        f"{points_text(len(found))} {come} to {going_on(found)}; "
        f"that takes about {clock_text(took_s)} here{every}",
        "in sweeps of their own (targets = …) disks and what is faster end sooner",
    )
