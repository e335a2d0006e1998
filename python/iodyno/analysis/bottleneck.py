"""What limited each point, by a rule whose thresholds are those of the verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from iodyno.analysis.figures import PointFigures
from iodyno.analysis.saturation import Saturation
from iodyno.reading import HOST_PLACE, Bottleneck

Limit = Literal["host", "submission", "queue", "rate", "think", "load", "device", "unknown"]
Asked = Literal["rate", "think"]
"""What of a load can be the limit itself: see :data:`Limit`."""
MOST_OF_THE_TIME = 0.5
"""Share of the time above which a think time is the limit."""

HOST_NOTES = frozenset({"host_cpu", "host_busy", "late_starts"})
"""Notes of a verdict by which the host was the limit: see ``iodyno.verdict.limits``."""
BUSY_NOTES = frozenset({"host_busy"})
"""Those that do not concern a load that has all it asks for: who keeps the host busy is not told by them."""
SUBMISSION_NOTES = frozenset({"depth_not_reached"})
"""Notes by which I/Os were not handed over fast enough, though processors had time to spare."""
QUEUE_NOTES = frozenset({"beyond_tags", "beyond_requests"})
"""Notes of a verdict by which part of the load waited in the kernel."""


@dataclass(frozen=True)
class Limited:
    """A point and what limited it."""

    at: PointFigures
    by: Limit
    """``host``: processor; ``submission``: fewer I/Os in flight than asked for; ``queue``: more
    asked for than the device takes at once; ``rate``: an offered rate, and it is served; ``think``:
    the think time asked for is most of the time;
    ``load``: too few I/Os in flight, the latency is the limit; ``device``: the device and the way
    to it; ``unknown``: a point without a completed I/O, a single load, one that the intervals
    leave on either side of saturation, or one whose think time keeps more I/Os from being outstanding, tells
    nothing."""


def limited(at: PointFigures, curve_saturation: Saturation, *, alone: bool = False) -> Limited:
    """Name what limited a point; the first that applies of think time, host, submission, queue, rate, load,
    device.

    A simulated point names its bottleneck itself: nothing is inferred there.

    Parameters
    ----------
    at
        The point.
    curve_saturation
        Where its curve saturates: a point below it is limited by its load.
    alone
        Whether the point is the only one of its curve.
    """
    return Limited(at, _limit(at, curve_saturation, alone))


def _limit(at: PointFigures, saturation: Saturation, alone: bool) -> Limit:
    if at.simulation is not None:
        return _named(at, at.simulation.bottleneck)
    if not at.completed:
        return "unknown"
    if thinks(at):
        return "think"
    notes = {note.code for note in at.verdict.notes if not note.load}
    if notes & HOST_NOTES and not (notes & HOST_NOTES <= BUSY_NOTES and serves_its_rate(at)):
        return "host"
    if notes & SUBMISSION_NOTES:
        return "submission"
    if notes & QUEUE_NOTES:
        return "queue"
    if serves_its_rate(at):
        return "rate"
    if alone or any(at is item for item in saturation.unsure):
        return "unknown"
    if _load(at) < _load(saturation.at) or not saturation.within_range:
        return "load"
    return "unknown" if keeps_turn(saturation.at) or not saturation.levels(at) else "device"


def serves_its_rate(at: PointFigures) -> bool:
    """Tell whether a point is an open loop that had the rate it asked for: more was not asked. Of a rate at
    which no I/O completed nothing is known."""
    return at.point.open_loop and not at.overloaded and at.completed > 0


def asks_the_device(at: PointFigures) -> bool:
    """Tell whether every I/O of a point goes to the device: past the caches of the operating system, by an
    engine that asks something."""
    return at.point.direct and at.point.engine not in ("null", "nop")


def think_share(at: PointFigures) -> float:
    """Give the share of its time that a worker leaves a target alone because the load asks for it, 0 to 1.

    Of n accesses between two pauses, by each worker on each target: pause × rate ÷ n.
    """
    point, profile = at.point, at.profile
    lanes = point.workers * len(point.targets)
    return profile.think_time_us * 1e-6 * at.transaction_rate_io_s.value / (profile.think_every * lanes)


def thinks(at: PointFigures) -> bool:
    """Tell whether the think time asked for is most of the time: more outstanding I/Os bring little then."""
    return not at.point.open_loop and think_share(at) > MOST_OF_THE_TIME


def keeps_turn(at: PointFigures) -> bool:
    """Tell whether a load with think time may have all accesses between two pauses outstanding at once: then
    more outstanding I/Os change nothing, as no access is issued before all of them are complete."""
    thinking = not at.point.open_loop and at.profile.think_time_us > 0
    return thinking and at.outstanding >= at.profile.think_every


def asked_limit(at: PointFigures) -> Asked | None:
    """Tell which thing that was asked for limits a simulated point: nothing is saturated, and a rate is
    served, or the think time is most of the time."""
    found = at.simulation
    return _asked(at) if found is not None and found.bottleneck.kind == "outstanding" else None


def _asked(at: PointFigures) -> Asked | None:
    if serves_its_rate(at):
        return "rate"
    return "think" if thinks(at) else None


def _named(at: PointFigures, bottleneck: Bottleneck) -> Limit:
    if bottleneck.kind == "outstanding":
        return _asked(at) or "load"
    return "host" if bottleneck.place == HOST_PLACE else "device"


def _load(at: PointFigures) -> tuple[int, float]:
    return at.outstanding, at.point.rate_io_s or 0.0
