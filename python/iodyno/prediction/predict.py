"""What formulas say of a point on a virtual system, in milliseconds; of very deep loads in seconds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from iodyno.places import foremost
from iodyno.plan import Point
from iodyno.prediction.accesses import one_at_a_time
from iodyno.prediction.apart import Part, Solved, firsts, parts, places_of, solved
from iodyno.prediction.controllers import sharing_caches
from iodyno.prediction.mirrors import first_share
from iodyno.prediction.network import BuiltNetwork, build
from iodyno.prediction.records import (
    ClosedNetwork,
    NetworkStation,
    Place,
    Prediction,
    Servers,
    Solution,
    Solver,
    StationSolution,
)
from iodyno.prediction.strips import waits_s
from iodyno.reading import Bottleneck, Bounds, Station
from iodyno.virtual import VirtualSystem

SATURATED = 0.9
"""Utilisation from which on a station is saturated, as in simulations."""
WAKEUP_ROUNDS = 3
"""Solutions until the share of idle cores fits the rate that it leads to."""
FEW, MOST_AT_ONCE = 64, 4096
"""Solutions that are asked for at once, at first and at most: each takes some 50 µs, a call up to 30 ms."""


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
    point = one_at_a_time(point)
    system = sharing_caches(system, point)
    found = parts(point, system)
    if len(found) > 1:
        return _together(point, system, found, solve)
    made = _maker(point, system, solve)
    built = made()
    solution = _answer(point, built, solve)
    if system.host.wakeup_ps:
        for _ in range(WAKEUP_ROUNDS):
            built = made(idle_share=_idle_share(point, built, solution, solve))
            solution = _answer(point, built, solve)
    return prediction(point, built, solution)


def _idle_share(point: Point, built: BuiltNetwork, solution: Solution, solve: Solver) -> float:
    """Give the share of the I/Os that complete while their core is idle.

    By the arrival theorem one of a closed loop finds what the others do by themselves; of a rate that is
    asked for it finds the mean over time, as I/Os come by chance.
    """
    if point.rate_io_s is None:
        if solution.customers == 1:
            return 1.0
        solution = solve(built.network, [solution.customers - 1])[0]
    return 1 - min(solution.stations[0].utilisation, 1.0)


def _maker(
    point: Point, system: VirtualSystem, solve: Solver, cores: int | None = None
) -> Callable[..., BuiltNetwork]:
    """Give what makes the network of a point, with what first has to be found out by solving some of it."""

    def answer(share: float | None) -> tuple[BuiltNetwork, Solution]:
        built = build(point, system, cores=cores, first_share=share)
        return built, _answer(point, built, solve)

    first = first_share(point, system, answer)
    made = partial(build, point, system, cores=cores, first_share=first)
    return partial(made, waits_s=waits_s(point, system, made, solve))


def _answer(point: Point, built: BuiltNetwork, solve: Solver) -> Solution:
    most = point.outstanding_total
    if point.rate_io_s is None:
        return solve(built.network, [most])[0]
    return _enough(built.network, point.rate_io_s, most, solve)


def _enough(network: ClosedNetwork, rate_s: float, most: int, solve: Solver) -> Solution:
    """Give the fewest customers that have a rate, or the most where none have it.

    Mostly few have it, or none, as the bound tells. What lies between is asked for in blocks and not halved:
    rates need not rise everywhere.
    """
    *some, last = solve(network, [*range(1, min(FEW, most)), most])
    if last.bounds.upper_s < rate_s:
        return last
    every = _ascending(network, some, most, solve)
    return next((solution for solution in every if solution.rate_s >= rate_s), last)


def _ascending(
    network: ClosedNetwork, some: Sequence[Solution], end: int, solve: Solver
) -> Iterator[Solution]:
    """Give those that are there, and for more customers up to an end as many again at once, or the most."""
    yield from some
    first = len(some) + 1
    while first < end:
        block = range(first, min(2 * first, first + MOST_AT_ONCE, end))
        yield from solve(network, block)
        first = block.stop


def _together(point: Point, system: VirtualSystem, found: Sequence[Part], solve: Solver) -> Prediction:
    """Predict a point whose targets are not equal: the sum of their chains."""

    def answer(part: Part, built: BuiltNetwork) -> Solution:
        return _answer(part.point, built, solve)

    # What is found out of each is that of one alone, who shares no processor and no link.
    first = firsts(found)
    makers = {at: _maker(found[at].point, system, solve, found[at].cores) for at in set(first)}
    own = [_places(build(part.point, system, cores=part.cores)) for part in found]

    def made(idle: Sequence[float]) -> list[tuple[Part, BuiltNetwork]]:
        networks = {at: make(idle_share=idle[at]) for at, make in makers.items()}
        return [
            (part, networks[at] if at == like else _elsewhere(networks[like], own[at]))
            for at, (part, like) in enumerate(zip(found, first, strict=True))
        ]

    chains = solved(made([1.0] * len(found)), answer)
    for _ in range(WAKEUP_ROUNDS if system.host.wakeup_ps else 0):
        chains = solved(made([max(1 - busy, 0.0) for busy in _busy_cores(chains)]), answer)
    return _sum(point, chains)


def _places(built: BuiltNetwork) -> list[frozenset[Hashable]]:
    """Give by station where somebody waits."""
    stations = zip(built.network.stations, built.keys, strict=True)
    return [keys for station, keys in stations if station.law != "delay"]


def _elsewhere(built: BuiltNetwork, places: Sequence[frozenset[Hashable]]) -> BuiltNetwork:
    """Give the network of an equal target: all that it waits at are stations of its own, or shared ones."""
    own, stations = iter(places), zip(built.network.stations, built.keys, strict=True)
    return replace(
        built, keys=tuple(keys if station.law == "delay" else next(own) for station, keys in stations)
    )


def _busy_cores(chains: Sequence[Solved]) -> list[float]:
    """Give by chain how busy its cores are, with all that they drive."""
    busy: dict[Hashable, float] = {}
    for chain in chains:
        busy[chain.part.pool] = busy.get(chain.part.pool, 0.0) + chain.busy(0)
    return [busy[chain.part.pool] for chain in chains]


def _sum(point: Point, chains: Sequence[Solved]) -> Prediction:
    """Add up chains: rates, what is outstanding, and what each does at a station that they share."""
    rate = sum(chain.rate_s for chain in chains)
    customers = sum(chain.rate_s * chain.residence_s for chain in chains)
    rows: dict[frozenset[Hashable], list[tuple[Solved, int]]] = {}
    equal: dict[Hashable, frozenset[Hashable]] = {}
    for chain in chains:
        for row in range(len(chain.built.keys)):
            if chain.built.network.stations[row].law != "delay":
                places = places_of(chain.part, chain.built, row)
                like = (chain.part.kind or id(chain), row)
                shared = next((keys for keys in rows if keys & places), equal.get(like, places))
                equal.setdefault(like, shared)
                rows.setdefault(shared, []).append((chain, row))
    split: dict[str, float] = {}
    for chain in chains:
        for place, share in _split(chain.built, chain.solution).items():
            there = share * chain.rate_s * chain.solution.residence_s
            split[place] = split.get(place, 0.0) + there / customers
        if chain.held is not None:
            split[chain.built.places[chain.held]] += chain.held_back / customers
    stations = tuple(_joint(those) for those in rows.values())
    weights = [max(chain.rate_s for chain, _ in those) for those in rows.values()]
    return Prediction(
        customers=customers,
        rate_io_s=rate,
        throughput_bytes_s=rate * point.profile.mean_block_bytes,
        latency_ns_mean=customers / rate * 1e9,
        stations=stations,
        latency_split=split,
        bottleneck=limit_of(stations, split, weights),
        bounds=Bounds(rate_io_s=max(sum(chain.solution.bounds.upper_s for chain in chains), rate)),
        left_out=tuple(dict.fromkeys(text for chain in chains for text in chain.built.left_out)),
    )


def _joint(those: Sequence[tuple[Solved, int]]) -> Station:
    """Give a station with what all chains do there, and those of equal chains together."""
    chain, row = those[0]
    station = chain.built.network.stations[row]
    places = [(places_of(one.part, one.built, at), one.busy(at)) for one, at in those]
    apart = len(frozenset().union(*(keys for keys, _ in places))) / len(places[0][0])
    busy = min(sum(busy * len(keys) for keys, busy in places) / len(places[0][0]) / apart, 1.0)
    jobs = sum(one.rate_s * one.built.network.stations[at].visits for one, at in those)
    return Station(
        name=station.name, place=chain.built.places[row], count=round(station.copies * apart),
        servers=station.law.servers if isinstance(station.law, Servers) else 1, utilisation_mean=busy,
        utilisation_max=busy, mean_queue=sum(one.queue(at) for one, at in those), jobs=round(jobs),
    )  # fmt: skip


def prediction(point: Point, built: BuiltNetwork, solution: Solution) -> Prediction:
    """Make a prediction of a solved network."""
    rate = solution.rate_s if point.rate_io_s is None else min(solution.rate_s, point.rate_io_s)
    scale = rate / solution.rate_s
    split = _split(built, solution)
    stations = tuple(
        _station(station, found, place, scale, solution.rate_s)
        for station, found, place in zip(built.network.stations, solution.stations, built.places, strict=True)
        if station.law != "delay"
    )
    return Prediction(
        customers=rate * solution.residence_s,
        rate_io_s=rate,
        throughput_bytes_s=rate * point.profile.mean_block_bytes,
        latency_ns_mean=solution.residence_s * 1e9,
        stations=stations,
        latency_split=split,
        bottleneck=limit_of(stations, split),
        bounds=Bounds(rate_io_s=solution.bounds.upper_s),
        left_out=built.left_out,
    )


def _station(
    station: NetworkStation, found: StationSolution, place: Place, scale: float, rate: float
) -> Station:
    busy = min(found.busy * scale, 1.0)
    servers = station.law.servers if isinstance(station.law, Servers) else 1
    return Station(
        name=station.name, place=place, count=station.copies, servers=servers, utilisation_mean=busy,
        utilisation_max=busy, mean_queue=found.mean_queue * scale, jobs=round(rate * scale * station.visits),
    )  # fmt: skip


def _split(built: BuiltNetwork, solution: Solution) -> dict[str, float]:
    split: dict[str, float] = {}
    for place, station in zip(built.places, solution.stations, strict=True):
        split[place] = split.get(place, 0.0) + station.residence_s / solution.residence_s
    return {place: share for place, share in split.items() if share > 0}


def limit_of(
    stations: tuple[Station, ...], split: dict[str, float], weights: Sequence[float] = ()
) -> Bottleneck:
    """Name the busiest station, of equal ones the first on the way; of several saturated ones the one that
    most I/Os go to, if told."""

    def rank(station: Station) -> tuple[float, int, str]:
        return foremost(station.utilisation_mean, station.place, station.name)

    busiest = min(stations, key=rank, default=None)
    full = [at for at, station in enumerate(stations) if station.utilisation_mean >= SATURATED]
    if weights and full:
        busiest = stations[min(full, key=lambda at: (-weights[at], rank(stations[at])))]
    if busiest is not None and busiest.utilisation_mean >= SATURATED:
        return Bottleneck(
            station=busiest.name, place=busiest.place, utilisation=busiest.utilisation_mean, kind="saturated"
        )
    return Bottleneck(
        station=None,
        place=min(split, key=lambda place: foremost(split[place], place)),
        utilisation=busiest.utilisation_mean if busiest else 0.0,
        kind="outstanding",
    )
