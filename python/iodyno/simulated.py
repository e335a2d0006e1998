"""What only a virtual system can tell of a point: its stations, what limits it, where the time went."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveInt

from iodyno.places import foremost
from iodyno.profiles import Record


class Station(Record):
    """What one kind of station of a virtual system did in the measured part."""

    name: str
    """Which: ``core``, ``PCIe 3.0 x4 of the drive, up``; equal stations share a name."""
    place: str
    """What of the system it belongs to: the share of the latency is summed by place."""
    count: PositiveInt = 1
    """Stations of that name."""
    servers: PositiveInt = 1
    """Servers of one of them."""
    room: bool = False
    """Whether it is room and no server, as a write cache is: never the limit itself, but full because of what
    empties it. The buffer of an SSD that has no program for each die is none: it can be the limit."""
    beside: bool = False
    """Whether only loads beside the first go through it: they may be limited by it, the first is not."""
    share: float | None = Field(None, ge=0, lt=1)
    """Share of the I/Os whose targets lie behind stations of that name, 0 to 1; none: all do, or nobody has
    told."""
    utilisation_mean: float = Field(ge=0, le=1)
    """Busy time ÷ measured time ÷ servers, 0 to 1; mean of the stations of that name. Of room how full it
    was."""
    utilisation_max: float = Field(ge=0, le=1)
    """That of the busiest of them."""
    mean_queue: NonNegativeFloat = 0.0
    """Operations waiting and in service, mean over time, of all of them together. Of room those that wait for
    it."""
    jobs: NonNegativeInt = 0
    """Operations served, or let in where it is room."""

    @property
    def part(self) -> float | None:
        """The share of the I/Os that go through it, where that is not all but a few."""
        return _part(self.share)

    @property
    def serves(self) -> bool:
        """Whether it has served the load, of several the first: what a limit can be."""
        return self.jobs > 0 and not self.room and not self.beside

    @property
    def of_few(self) -> bool:
        """Whether less than half of the I/Os go through it: named after all others, as what limits is."""
        return self.share is not None and self.share < FEW


HOST_PLACE = "host_cpu"
"""Place of a virtual system that is the host's processor."""
NEARLY_ALL = 0.95
"""Share of the I/Os from which on what limits them limits the rate."""


FEW = 0.5
"""Share of the I/Os below which what they go through says little of the rate."""


def _part(share: float | None) -> float | None:
    return share if share is not None and share < NEARLY_ALL else None


def of_most(stations: Iterable[Station]) -> list[Station]:
    """Leave out what less than half of the I/Os go through, where there is anything else."""
    found = list(stations)
    return [one for one in found if not one.of_few] or found


class Bottleneck(Record):
    """What limits the rate, of several loads that of the first."""

    station: str | None = None
    """The station that is saturated; none where the load only waits for latency."""
    place: str
    """What of the system it belongs to, or what has the greatest share of the latency."""
    utilisation: float = Field(ge=0, le=1)
    """Utilisation of the busiest station, 0 to 1; where none is saturated, the mean of those of its name."""
    kind: Literal["saturated", "outstanding"]
    """A station is saturated, or none is: the latency, or what the load asks for, is the limit."""
    share: float | None = Field(None, ge=0, lt=1)
    """Share of the I/Os whose targets lie behind that station, 0 to 1; none: all do, or nobody has told."""

    @property
    def part(self) -> float | None:
        """The share of the I/Os that the limit is of, where that is not all but a few."""
        return _part(self.share)


class Bounds(Record):
    """What the rate cannot be above, from service demands alone (asymptotic bounds of a closed network)."""

    rate_io_s: NonNegativeFloat | None = None


class Rebuilding(Record):
    """The failed members of a volume that are rebuilt beside the load, all of them at once."""

    volume: str
    """The volume that they are members of."""
    asked_bytes_s: NonNegativeFloat
    """Rate that the system asks for, for each of them."""
    bytes_s: NonNegativeFloat
    """Rate that each came to."""
    member_bytes: PositiveInt
    """All of one of them."""

    @property
    def member_s(self) -> float | None:
        """Seconds that all of one takes at the rate it came to; none where nothing of it was rebuilt."""
        return self.member_bytes / self.bytes_s if self.bytes_s else None


class Simulation(Record):
    """What only a virtual system can tell: where the time went."""

    model_version: PositiveInt
    """Version of the models: another one can give other figures for the same seed."""
    virtual_s: NonNegativeFloat
    """Simulated seconds in all, warm-up included."""
    events: NonNegativeInt
    """Events of the simulation; 0 where calculated."""
    stations: tuple[Station, ...] = ()
    latency_split: dict[str, float] = Field(default_factory=dict)
    """Share of the mean latency by place, 0 to 1, together 1; of several loads that of the first."""
    bottleneck: Bottleneck
    bounds: Bounds = Bounds()
    rebuilds: tuple[Rebuilding, ...] = ()

    @property
    def longest_rebuild(self) -> Rebuilding | None:
        """Of the volumes that are rebuilt the one that takes longest; none where none is."""
        return max(self.rebuilds, key=lambda one: one.member_s or math.inf, default=None)

    @property
    def busiest(self) -> Station | None:
        """The station that is busiest of those that serve most of the I/Os, else of all that serve, of equal
        ones the first on the way; none where nothing is known of them."""
        serving = of_most(one for one in self.stations if one.serves)
        return min(serving, key=lambda one: foremost(one.utilisation_max, one.place, one.name), default=None)

    @property
    def utilisation(self) -> float:
        """Utilisation of the station that limits the rate; where none is saturated, that of :attr:`busiest`;
        0 to 1."""
        if self.bottleneck.kind == "saturated":
            return self.bottleneck.utilisation
        busy = (one.utilisation_max for one in of_most(one for one in self.stations if one.serves))
        return max(busy, default=self.bottleneck.utilisation)
