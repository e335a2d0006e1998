"""What formulas say of a point on a virtual system, in milliseconds; with very many I/Os outstanding in seconds."""

from __future__ import annotations

from iodyno.plan import Point
from iodyno.prediction.network import BuiltNetwork, build
from iodyno.prediction.records import (
    NetworkStation,
    Place,
    Prediction,
    Servers,
    Solution,
    Solver,
    StationSolution,
)
from iodyno.reading import Bottleneck, Bounds, Station
from iodyno.virtual import VirtualSystem

SATURATED = 0.9
"""Utilisation from which on a station is saturated, as in simulations."""
WAKEUP_ROUNDS = 3
"""Solutions until the share of idle cores fits the rate that it leads to."""


def predict(point: Point, system: VirtualSystem, solve: Solver) -> Prediction:
    """Predict the means of a point.

    Parameters
    ----------
    point
        What is asked. Its targets are volumes of the system. Where it gives a rate, the loop is
        answered as the closed one with so many outstanding I/Os as keep that rate.
    system
        The system.
    solve
        What solves a closed network: ``bench.solve_network``.

    Returns
    -------
    Prediction
        Rate, throughput, mean latency, utilisations, the bottleneck: no distribution.

    Raises
    ------
    KeyError
        If a target is no volume of the system.
    """
    built = build(point, system)
    solution = _answer(point, built, solve)
    if system.host.wakeup_ps:
        for _ in range(WAKEUP_ROUNDS):
            idle = 1 - min(solution.stations[0].utilisation, 1.0)
            built = build(point, system, idle_share=idle)
            solution = _answer(point, built, solve)
    return prediction(point, built, solution)


def _answer(point: Point, built: BuiltNetwork, solve: Solver) -> Solution:
    most = point.outstanding_total
    if point.profile.think_time_us:
        # Who thinks after every access has no other outstanding: see ``knows.py``.
        most = point.workers * len(point.targets)
    if point.rate_io_s is None:
        return solve(built.network, [most])[0]
    every = solve(built.network, list(range(1, most + 1)))
    enough = (solution for solution in every if solution.rate_s >= point.rate_io_s)
    return next(enough, every[-1])


def prediction(point: Point, built: BuiltNetwork, solution: Solution) -> Prediction:
    """Make a prediction of a solved network."""
    rate = solution.rate_s if point.rate_io_s is None else min(solution.rate_s, point.rate_io_s)
    scale = rate / solution.rate_s
    split = _split(built, solution)
    stations = tuple(
        _station(station, solved, place, scale, solution.rate_s)
        for station, solved, place in zip(
            built.network.stations, solution.stations, built.places, strict=True
        )
        if station.law != "delay"
    )
    return Prediction(
        customers=rate * solution.residence_s,
        rate_io_s=rate,
        throughput_bytes_s=rate * point.profile.mean_block_bytes,
        latency_ns_mean=solution.residence_s * 1e9,
        stations=stations,
        latency_split=split,
        bottleneck=_bottleneck(stations, split),
        bounds=Bounds(rate_io_s=solution.bounds.upper_s),
        left_out=built.left_out,
    )


def _station(
    station: NetworkStation, solved: StationSolution, place: Place, scale: float, rate: float
) -> Station:
    busy = min(solved.utilisation * scale, 1.0)
    servers = station.law.servers if isinstance(station.law, Servers) else 1
    return Station(
        name=station.name, place=place, count=station.copies, servers=servers, utilisation_mean=busy,
        utilisation_max=busy, mean_queue=solved.mean_queue * scale, jobs=round(rate * scale * station.visits),
    )  # fmt: skip


def _split(built: BuiltNetwork, solution: Solution) -> dict[str, float]:
    split: dict[str, float] = {}
    for place, solved in zip(built.places, solution.stations, strict=True):
        split[place] = split.get(place, 0.0) + solved.residence_s / solution.residence_s
    return {place: share for place, share in split.items() if share > 0}


def _bottleneck(stations: tuple[Station, ...], split: dict[str, float]) -> Bottleneck:
    busiest = max(stations, key=lambda station: station.utilisation_mean, default=None)
    if busiest is not None and busiest.utilisation_mean >= SATURATED:
        return Bottleneck(
            station=busiest.name, place=busiest.place, utilisation=busiest.utilisation_mean, kind="saturated"
        )
    return Bottleneck(
        station=None,
        place=max(split, key=lambda place: split[place]),
        utilisation=busiest.utilisation_mean if busiest else 0.0,
        kind="outstanding",
    )
