"""What limited each point, by a rule with written thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from iodyno.analysis.figures import PointFigures
from iodyno.analysis.saturation import Saturation
from iodyno.reading import Observation

Limit = Literal["host", "tags", "outstanding", "device", "unknown"]

WORKER_BUSY = 0.9
"""From this utilisation on a worker is the limit: the rest goes into waking up and being
scheduled, so no more than a tenth could be gained from the device."""
DEPTH_KEPT = 0.9
"""Below this share of the outstanding I/Os asked for the host did not keep the load up."""


@dataclass(frozen=True)
class Limited:
    """A point and what limited it."""

    at: PointFigures
    by: Limit
    """``host``: processor or submission; ``tags``: more asked for than the device's queues
    hold; ``outstanding``: too few I/Os in flight, the latency is the limit; ``device``: the
    device and the way to it; ``unknown``: a single load tells nothing."""
    utilisation_worker: float
    """CPU time of the busiest worker as a share of elapsed time, 0 to 1."""
    depth_kept: float
    """Mean outstanding I/Os as a share of those asked for, 0 to 1."""
    device_tags: int | None
    """Requests that the device's queues hold; none where it could not be read."""


def limited(
    at: PointFigures, observation: Observation, curve_saturation: Saturation, *, alone: bool = False
) -> Limited:
    """Name what limited a point; the first that applies of host, tags, outstanding, device.

    Parameters
    ----------
    at
        The point.
    observation
        What was watched beside it.
    curve_saturation
        Where its curve saturates: a point below it is limited by its outstanding I/Os.
    alone
        Whether the point is the only one of its curve.
    """
    return Limited(
        at,
        _limit(at, observation, curve_saturation, alone),
        at.utilisation_worker,
        at.depth_kept,
        observation.device_tags,
    )


def _limit(at: PointFigures, observation: Observation, saturation: Saturation, alone: bool) -> Limit:
    open_loop = at.point.rate_io_s is not None
    if at.utilisation_worker >= WORKER_BUSY or (at.depth_kept < DEPTH_KEPT and not open_loop):
        return "host"
    if observation.device_tags is not None and at.outstanding * at.point.workers > observation.device_tags:
        return "tags"
    if alone:
        return "unknown"
    if at.main.value < saturation.at.main.value and _load(at) < _load(saturation.at):
        return "outstanding"
    return "device" if saturation.within_range else "outstanding"


def _load(at: PointFigures) -> tuple[int, float]:
    return at.outstanding, at.point.rate_io_s or 0.0
