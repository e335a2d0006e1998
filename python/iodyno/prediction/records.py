"""Records of closed queueing networks, and what a prediction is.

The JSON of :class:`ClosedNetwork` is what ``iodyno._core.solve_network`` reads, and what
it answers is a list of :class:`Solution`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt

from iodyno.profiles import Record
from iodyno.reading import Bottleneck, Bounds, Station

Place = Literal[
    "host_cpu",
    "host_link",
    "switch",
    "controller_cpu",
    "controller_cache",
    "controller_room",
    "disk_link",
    "drive_front",
    "drive_room",
    "drive_media",
]
"""What of a system a station belongs to; the words of the simulator."""
Method = Literal["corrected", "exact"]
"""Mean-value analysis with the residual-life correction, or convolution for exponential service."""


class Servers(Record):
    """So many servers with one queue, first come, first served."""

    servers: PositiveInt


class Rates(Record):
    """A station that works the faster, the more is there."""

    rates: tuple[PositiveFloat, ...] = Field(min_length=1)
    """Visits completed per second with 1, 2, 3 … at the station; the last holds for more."""


class NetworkStation(Record):
    """Some equal stations of a network, visited equally often."""

    name: str
    copies: PositiveInt = 1
    """How many of them."""
    law: Literal["delay"] | Servers | Rates
    visits: NonNegativeFloat
    """Visits of an I/O to all of them together."""
    service_s: NonNegativeFloat = 0.0
    """Mean service of a visit in s; not used with rates."""
    service_scv: NonNegativeFloat = 1.0
    """Squared coefficient of variation of the service: 0 constant, 1 exponential."""
    passes: NonNegativeFloat | None = None
    """Visits one after the other, which an I/O waits for; none: all. Fewer where visits run side by
    side or behind the I/O's back."""
    parallel: float = Field(1.0, ge=1)
    """Visits side by side in each pass, of which the last counts."""
    background_s: NonNegativeFloat = 0.0
    """Service of an I/O in s that nobody waits for and that gives way to visits, at all together."""
    background_wait_s: NonNegativeFloat = 0.0
    """Mean wait of a visit in s that finds such work in service."""
    background_longest_s: NonNegativeFloat = 0.0
    """Longest such wait in s; no shorter than the mean."""


class ClosedNetwork(Record):
    """A closed network: so many customers think, visit the stations, and begin again."""

    think_s: NonNegativeFloat = 0.0
    """Seconds between the end of a round and the beginning of the next."""
    regular: bool = False
    """Whether customers keep step, so that they meet at the station that limits the rate and nowhere else."""
    stations: tuple[NetworkStation, ...] = Field(min_length=1)


class StationSolution(Record):
    """A station of a solved network."""

    name: str
    copies: PositiveInt
    utilisation: NonNegativeFloat
    """Busy share of the servers, 0 to 1 and a rounding error; at a delay 0."""
    mean_queue: NonNegativeFloat
    """Mean number waiting and in service, all copies together."""
    residence_s: NonNegativeFloat
    """What it adds to the time of a round, in s."""


class RateBounds(Record):
    """Between which the rate of a network lies, in rounds per second."""

    upper_s: PositiveFloat
    """At most, whatever the distributions: asymptotic."""
    lower_s: PositiveFloat | None
    """At least, where each waits for all others everywhere; none where visits run side by side."""
    balanced_upper_s: PositiveFloat | None
    """At most with exponential service at single servers; none where stations are others."""
    balanced_lower_s: PositiveFloat | None
    """At least with exponential service at single servers; none where stations are others."""


class Solution(Record):
    """A network with a number of customers."""

    customers: PositiveInt
    rate_s: PositiveFloat
    """Rounds completed per second."""
    residence_s: PositiveFloat
    """Mean time of a round in s, without thinking."""
    bottleneck: NonNegativeInt | None
    """Index of the station with the largest utilisation; none where nobody waits."""
    stations: tuple[StationSolution, ...]
    bounds: RateBounds


Solver = Callable[[ClosedNetwork, Sequence[int]], list[Solution]]
"""Solves a network for numbers of customers, ascending: ``bench.solve_network``."""


class Prediction(Record):
    """What formulas say of a point: means, and no distribution.

    A closed network is solved for means alone. So there are no percentiles, no interval and no
    course over time in it, and reads and writes have one mean latency together.
    """

    customers: NonNegativeFloat
    """I/Os outstanding: those of the point, or with a rate given what that rate keeps outstanding."""
    rate_io_s: PositiveFloat
    """I/Os per second."""
    throughput_bytes_s: PositiveFloat
    """Bytes per second."""
    latency_ns_mean: PositiveFloat
    """Mean latency of reads and writes together, in ns."""
    stations: tuple[Station, ...]
    """Utilisation and mean queue of every station; ``jobs`` are those of a second."""
    latency_split: dict[str, float]
    """Share of the mean latency by place, 0 to 1, together 1."""
    bottleneck: Bottleneck
    bounds: Bounds
    """Asymptotic bound of the rate, from the demands on the stations."""
    left_out: tuple[str, ...] = ()
    """What of the system the formulas leave out, each in a sentence."""
