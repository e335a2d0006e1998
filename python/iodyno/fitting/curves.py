"""What the lab says: one configuration under one profile over the load, and what is read off it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from iodyno.reading import Reading
from iodyno.units import MIB

Metric = Literal["rate", "throughput", "latency"]
UNITS: Mapping[Metric, str] = {"rate": "IO/s", "throughput": "MB/s", "latency": "ms"}


@dataclass(frozen=True)
class Series:
    """One configuration of a study under one profile, over the outstanding I/Os that the study has."""

    study: str
    configuration: str
    """Name of the configuration in the study."""
    profile: str
    """Name of the profile as the plan has it, changes by axes included: ``random-read-4k-block-8k``."""
    workers: int = 1

    def __str__(self) -> str:
        workers = f", {self.workers} workers" if self.workers > 1 else ""
        return f"{self.study}: {self.configuration}, {self.profile}{workers}"


@dataclass(frozen=True)
class StationUse:
    """How busy the stations of one name were."""

    place: str
    count: int
    utilisation: float
    """Mean of the stations of that name, 0 to 1."""
    jobs: int


@dataclass(frozen=True)
class Outcome:
    """What a point came to, as far as figures are compared with it."""

    rate: float
    """I/Os a second."""
    throughput: float
    """MB/s, 1 MB = 2^20 bytes."""
    latency: float
    """Mean latency in ms."""
    completed: int = 0
    stations: Mapping[str, StationUse] = field(default_factory=dict)
    bottleneck: str = ""
    """The saturated station; empty where the load waits for latency."""

    def metric(self, metric: Metric) -> float:
        """Give one of rate, throughput and latency."""
        return {"rate": self.rate, "throughput": self.throughput, "latency": self.latency}[metric]


def outcome(reading: Reading) -> Outcome:
    """Take from a reading what figures are compared with."""
    simulation = reading.simulation
    return Outcome(
        rate=reading.transaction_rate_io_s,
        throughput=reading.throughput_bytes_s / MIB,
        latency=reading.latency.mean_ns / 1e6,
        completed=reading.completed,
        stations={
            station.name: StationUse(station.place, station.count, station.utilisation_mean, station.jobs)
            for station in (simulation.stations if simulation else ())
            if not station.room
        },
        bottleneck=(simulation.bottleneck.station or "") if simulation else "",
    )


Curve = Mapping[int, Outcome]
"""Outstanding I/Os (per target and worker) to what came of them."""


def best(curve: Curve, metric: Metric) -> float:
    """Give the greatest rate or throughput, or the least latency, over the load."""
    values = [point.metric(metric) for point in curve.values()]
    return min(values) if metric == "latency" else max(values)
