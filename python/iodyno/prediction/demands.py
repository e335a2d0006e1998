"""What an I/O asks of each station of a system, on average: the stations of a network."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Literal

from iodyno.prediction.records import DiskStreams, Fewest, NetworkStation, Place, Rates, Servers

PS = 1e-12
"""Seconds in a picosecond."""
ONE = Servers(servers=1)


@dataclass
class Demand:
    """Visits to one station, summed over what an I/O does.

    Classes of visits (reads and writes, sizes) are summed to one: mean and variation of the mix.
    """

    name: str
    place: Place
    law: Literal["delay"] | Servers | Rates
    copies: int = 1
    """Equal stations that the visits go to at random."""
    visits: float = 0.0
    service_s: float = 0.0
    """Service of all visits together."""
    square_s2: float = 0.0
    """Second moments of the service, summed."""
    passes: float = 0.0
    passed_s: float = 0.0
    """Service of all passes together; 0: as long as of other visits."""
    wide: float = 0.0
    """Passes, each times what runs side by side in it."""
    alike: float = 0.0
    """What is to be taken off that where those that always find the same count as one."""
    meeting: float = 0.0
    """Passes, each times what of it comes to a copy on average."""
    fewest: Fewest | None = None
    background_s: float = 0.0
    background_wait_s: float = 0.0
    background_longest_s: float = 0.0
    background_together: float = 1.0
    streams: DiskStreams | None = None

    def key(self) -> Hashable:
        """Give what equal stations have in common."""
        law = self.law.rates if isinstance(self.law, Rates) else self.law == "delay" or self.law.servers
        asked = (
            self.visits, self.service_s, self.square_s2, self.passes, self.passed_s, self.wide, self.alike,
            self.meeting, self.background_s, self.background_wait_s, self.background_longest_s,
            self.background_together,
        )  # fmt: skip
        return (self.name, self.copies, law, asked, self.fewest, self.streams and self.streams.starts)

    def add_behind(self, count: float, seconds: float, found: float) -> None:
        """Add operations in the background, so many of an I/O and so long each.

        Who comes finds one of them in service, and waits for half of it, times what is found: 1 + its squared
        coefficient of variation; 0 where there is always some to do, and what is next is chosen of all.
        """
        before_s = self.background_s
        self.background_s += count * seconds
        if self.background_s:
            waits_s2 = before_s * self.background_wait_s + count * seconds**2 / 2 * found
            self.background_wait_s = waits_s2 / self.background_s

    def station(self, copies: int) -> NetworkStation:
        """Make so many equal demands a station of a network."""
        mean = self.service_s / self.visits if self.visits else 0.0
        square = self.square_s2 / self.visits if self.visits else 0.0
        return NetworkStation(
            name=self.name, copies=self.copies * copies, law=self.law, visits=self.visits * copies,
            service_s=mean, service_scv=max(square / mean**2 - 1, 0.0) if mean else 0.0,
            passes=self.passes * copies, passed_s=self.passed(mean),
            parallel=max(self.wide / self.passes, 1.0) if self.passes else 1.0,
            apart=self.apart(),
            meeting=self.meeting / self.passes if self.passes else 0.0,
            fewest=self.fewest, background_s=self.background_s * copies,
            background_wait_s=self.background_wait_s, background_longest_s=self.background_longest_s,
            background_together=self.background_together, streams=self.streams,
        )  # fmt: skip

    def apart(self) -> float | None:
        """Give how many of the visits of a pass find what others do not; none where all do."""
        if not self.passes or self.alike < 1e-9 * self.wide:
            return None
        return max((self.wide - self.alike) / self.passes, 1.0)

    def passed(self, mean_s: float) -> float | None:
        """Give the mean service of a pass where it is not that of all visits."""
        if not self.passes or not self.passed_s or isinstance(self.law, Rates):
            return None
        passed = self.passed_s / self.passes
        return None if math.isclose(passed, mean_s, rel_tol=1e-9) else passed


@dataclass
class Demands:
    """What an I/O asks of all stations: filled part by part, then made a network."""

    by_station: dict[Hashable, Demand] = field(default_factory=dict)
    left_out: dict[str, None] = field(default_factory=dict)
    """What is not modelled, in order and each once."""
    travelled_s: dict[bool, float] = field(default_factory=lambda: {False: 0.0, True: 0.0})
    """How long the data of reads and of writes are on links, for all that an I/O waits for; by whether they
    are written."""

    def leave_out(self, what: str) -> None:
        """Say that something of the system is not modelled."""
        self.left_out[what] = None

    def at(
        self,
        key: Hashable,
        name: str,
        place: Place,
        *,
        law: Literal["delay"] | Servers | Rates = ONE,
        copies: int = 1,
    ) -> Demand:
        """Give the station with this key, new where there is none."""
        found = self.by_station.get(key)
        if found is None:
            found = self.by_station[key] = Demand(name, place, law, copies)
        return found

    def visit(
        self, key: Hashable, name: str, place: Place, *, visits: float, service_s: float,
        passes: float | None = None, parallel: float = 1.0, law: Literal["delay"] | Servers | Rates = ONE,
        copies: int = 1, scv: float = 0.0, meeting: float = 0.0, alike: float = 1.0,
    ) -> None:  # fmt: skip
        """Add visits to a station.

        Parameters
        ----------
        key
            Which station: equal keys are one station.
        name, place
            As results show it.
        visits
            Visits of an I/O, on average.
        service_s
            Service of one of them in s.
        passes
            Those that an I/O waits for, one after the other; all of them where left out.
        parallel
            Visits side by side in each pass.
        law, copies
            Who serves there, and how many equal stations the visits go to at random.
        scv
            Squared coefficient of variation of the service.
        meeting
            How many of the visits side by side come to a copy that they can go to, on average, where they go
            at random and wait for each other; 0: each has a copy of its own.
        alike
            How many of the visits side by side find the same at their copies.
        """
        if visits <= 0:
            return
        demand = self.at(key, name, place, law=law, copies=copies)
        waited = visits if passes is None else passes
        demand.visits += visits
        demand.service_s += visits * service_s
        demand.square_s2 += visits * service_s**2 * (1 + scv)
        demand.passes += waited
        demand.passed_s += waited * service_s
        demand.wide += waited * parallel
        demand.alike += waited * (parallel - max(parallel / alike, 1.0))
        demand.meeting += waited * meeting

    def hide(
        self, key: Hashable, passes: float, service_s: float, parallel: float = 1.0, alike: float = 1.0
    ) -> None:
        """Take passes of a station off that an I/O waits for elsewhere at the same time, of so long each."""
        demand = self.by_station[key]
        demand.passed_s -= passes * service_s
        demand.passes -= passes
        demand.wide -= passes * parallel
        demand.alike -= passes * (parallel - max(parallel / alike, 1.0))

    def delay(self, name: str, place: Place, seconds: float) -> None:
        """Add time of an I/O that occupies nobody."""
        if seconds > 0:
            demand = self.at(("delay", name, place), name, place, law="delay")
            demand.visits, demand.passes, demand.wide = 1.0, 1.0, 1.0
            demand.service_s += seconds

    def stations(self) -> list[tuple[NetworkStation, Place, frozenset[Hashable]]]:
        """Give all stations with their places and their keys here: equal ones together, in the order of their
        first."""
        equal: dict[Hashable, tuple[Demand, list[Hashable]]] = {}
        for key, demand in self.by_station.items():
            equal.setdefault(demand.key(), (demand, []))[1].append(key)
        return [(demand.station(len(keys)), demand.place, frozenset(keys)) for demand, keys in equal.values()]
