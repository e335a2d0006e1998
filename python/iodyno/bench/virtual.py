"""Simulating and calculating the points of a plan, on all cores."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timezone
from functools import lru_cache
from heapq import heappop, heappush
from numbers import Integral, Real
from typing import TYPE_CHECKING, cast, get_args

from iodyno import _core
from iodyno.alike import Alike
from iodyno.bench.engine import (
    engine_errors,
)
from iodyno.catalog.levels import drives_alone_problem, drives_hint
from iodyno.errors import EngineError, Problem, refuse_types
from iodyno.events import Listener, PointFinished
from iodyno.plan import Plan, Point
from iodyno.rates import InTurn
from iodyno.reading import Observation, PointResult, Reading
from iodyno.stations import told_apart
from iodyno.verdict import judge
from iodyno.virtual import Level, VirtualSystem

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

    from iodyno.prediction import ClosedNetwork, Method, Solution, Solver

MOST_AT_ONCE = 100
"""Results that are kept together at most, where many points finish while others are kept."""

KEPT_STREAMS = 256
"""Rates of streams that are kept: one takes milliseconds, and a network is solved many times."""

LATEST_ANSWER_S = 0.25
"""After how long a signal is answered that does not end the wait for a point."""


def simulate_point(
    point: Point, system: VirtualSystem | str, observe: Callable[[], None] = lambda: None
) -> Reading:
    """Ask the simulator for the reading of a point: one seed, one result, byte for byte.

    Parameters
    ----------
    point
        What to simulate. Its targets are volumes of the system.
    system
        The system, or its JSON, as :func:`iodyno.stations.told_apart` names its parts: making that once saves
        time where many points run on one.
    observe
        Called now and then; what it raises ends the point.

    Raises
    ------
    EngineError
        If the point cannot be simulated on the system.
    """
    document = system if isinstance(system, str) else told_apart(system, point).model_dump_json()
    with engine_errors(_where(point), hint=""):
        return Reading.model_validate_json(_core.simulate(point.model_dump_json(), document, observe))


def predict_point(point: Point, system: VirtualSystem, solve: Solver | None = None) -> Reading:
    """Calculate the reading of a point from queueing formulas, without a simulation.

    Parameters
    ----------
    point
        What to predict. Its targets are volumes of the system.
    system
        The system.
    solve
        What solves its networks: :func:`solve_network` unless another is given.

    Returns
    -------
    Reading
        Rate, throughput and mean latency; there are no percentiles and no interval.

    Raises
    ------
    ProfileError
        If the formulas do not know the load.
    """
    from iodyno.prediction import as_reading, predict, refuse_unknown

    refuse_unknown([point])
    with engine_errors(_where(point), hint=""):
        return as_reading(point, predict(point, told_apart(system, point), solve or solve_network))


def solve_network(
    network: ClosedNetwork, customers: Sequence[int], method: Method = "corrected"
) -> list[Solution]:
    """Solve a closed queueing network.

    Parameters
    ----------
    network
        The network.
    customers
        Numbers of customers, each 1 or more.
    method
        ``corrected``: mean-value analysis with the residual-life correction; ``exact``: convolution,
        which takes all service as exponential, whatever ``service_scv`` says.

    Returns
    -------
    list of Solution
        One for each number, ascending.

    Raises
    ------
    EngineError
        If the network cannot be solved so: with every reason.
    """
    from iodyno.prediction.records import ClosedNetwork, Solution

    several = not isinstance(customers, str | bytes) and isinstance(customers, Iterable)
    refuse_types(
        network=(network, "a ClosedNetwork", (ClosedNetwork,)),
        customers=(customers, "a list of whole numbers", (Iterable,) if several else ()),
        **{f"customers[{at}]": (one, "a whole number", (Integral,))
           for at, one in enumerate(customers if several else ())},
        method=(method, '"corrected" or "exact"', (str,)),
    )  # fmt: skip
    try:
        document = _reckoned(network).model_dump_json(exclude_none=True)
        text = _core.solve_network(document, list(customers), method)
    except ValueError as error:
        problems = (Problem("network", line) for line in str(error).splitlines())
        raise EngineError(*problems) from error
    return [Solution.model_validate(found) for found in json.loads(text)]


def _reckoned(network: ClosedNetwork) -> ClosedNetwork:
    """Give a network whose streams on disks are reckoned: a visit takes as long as they have between two
    commands."""
    if all(station.streams is None for station in network.stations):
        return network
    stations = []
    for station in network.stations:
        if station.streams is not None:
            between_s = _between_s(station.streams.model_dump_json(exclude_none=True))
            station = station.model_copy(update={"streams": None, "service_s": between_s})
        stations.append(station)
    return network.model_copy(update={"stations": tuple(stations)})


@lru_cache(maxsize=KEPT_STREAMS)
def _between_s(streams: str) -> float:
    """Give the seconds between two commands of streams: reckoned once, however often their network is solved
    with other stations slower or with more customers."""
    return 1 / _core.streams_rate(streams)


def array_network(
    curve: Mapping[int, float], drives: int, level: str = "0", read_share: float = 1.0
) -> ClosedNetwork:
    """Make the network of an array from the curve of one of its drives: µ(q) = X₁(q) at each.

    I/Os smaller than a strip are meant, which spread evenly over the drives. Between the points of the curve
    lie straight lines in logarithms; beyond the last one the rate stays.

    Parameters
    ----------
    curve
        Rate of the drive alone in IO/s by outstanding I/Os, from 1 on, measured or simulated.
    drives
        How many: as many as the level can be made of, in groups of any number.
    level
        RAID level: ``JBOD``, ``0``, ``1``, ``1E``, ``10``, ``5``, ``50``, ``6`` or ``60``.
    read_share
        Share of reads, 0 to 1.

    Returns
    -------
    ClosedNetwork
        For :func:`solve_network`.

    Raises
    ------
    EngineError
        With everything that is wrong.

    Examples
    --------
    >>> array = array_network({1: 180.0, 32: 460.0}, drives=12, level="5", read_share=0.67)
    >>> [round(found.rate_s) for found in solve_network(array, [1, 256])]
    [90, 2425]
    """
    from iodyno.prediction.records import ClosedNetwork

    rates = curve.items() if isinstance(curve, Mapping) else ()
    refuse_types(
        curve=(curve, "a dict of rates in IO/s by outstanding I/Os", (Mapping,)),
        **{f"curve, {at!r}": (at, "whole numbers of outstanding I/Os", (Integral,)) for at, _ in rates},
        **{f"curve[{at!r}]": (rate, "a rate in IO/s", (Real,)) for at, rate in rates},
        drives=(drives, "a whole number", (Integral,)),
        level=(level, 'a RAID level such as "5"', (str,)),
        read_share=(read_share, "a share, 0 to 1", (Real,)),
    )
    points = [(outstanding, float(rate)) for outstanding, rate in sorted(curve.items())]
    unfit = _unfit_drives(level, drives)
    try:
        text = _core.array_network(points, drives, level, read_share)
    except (ValueError, OverflowError) as error:
        problems = (Problem("array", line) for line in str(error).splitlines())
        raise EngineError(*problems, *unfit) from error
    if unfit:
        raise EngineError(*unfit)
    return ClosedNetwork.model_validate_json(text)


def _unfit_drives(level: str, drives: int) -> list[Problem]:
    """Tell of a number of drives that a level cannot be made of; no drives are told elsewhere."""
    if level not in get_args(Level) or drives < 1:
        return []
    known = cast(Level, level)
    what = drives_alone_problem(known, drives)
    return [Problem("array", what, drives_hint(known, "any"))] if what else []


def simulate(
    plan: Plan,
    *,
    jobs: int | None = None,
    earlier: Sequence[PointResult] = (),
    analytic: bool = False,
    keep: Callable[[Sequence[PointResult]], None] = lambda _: None,
    listener: Listener = lambda _: None,
) -> Iterator[PointResult]:
    """Simulate the points of a plan on all cores; their order and figures do not depend on how many.

    Parameters
    ----------
    plan
        What to simulate: a plan whose targets are virtual.
    jobs
        Points at a time; as many as there are processors for this process where left out.
    earlier
        Results of points that are finished already.
    analytic
        Calculate each point instead of simulating it.
    keep
        Called with what is finished before it is yielded: all results that are there, and never late
        because others are not.
    listener
        Hears of each point after it was kept and its result yielded.

    Yields
    ------
    PointResult
        A finished point, in the order of the plan.

    Raises
    ------
    EngineError
        If a point cannot be simulated.
    KeyboardInterrupt
        If a signal came; points in progress are lost.
    """
    assert plan.simulated, "a plan of real targets"
    from concurrent.futures import ThreadPoolExecutor

    stopped = threading.Event()
    if analytic:
        from iodyno.prediction import refuse_unknown

        refuse_unknown(plan.points)
    documents = {name: system.model_dump_json() for name, system in plan.systems.items()}
    finished = {result.point.index for result in earlier}
    alike = Alike(plan, () if analytic else (point for point in plan.points if point.index not in finished))

    def ask_virtual(point: Point) -> Reading:
        assert point.system is not None
        if analytic:
            return predict_point(point, plan.systems[point.system], solve)
        system = plan.systems[point.system]
        usual = told_apart(system, point) is system
        return simulate_point(point, documents[point.system] if usual else system, observe)

    def observe() -> None:
        if stopped.is_set():
            raise KeyboardInterrupt

    def solve(network: ClosedNetwork, customers: Sequence[int]) -> list[Solution]:
        observe()
        return solve_network(network, customers)

    def answer(point: Point) -> PointResult:
        point = point.model_copy(update={"engine": "analytic"}) if analytic else point
        return _answered(point, lambda: alike.reading(point, lambda: ask_virtual(point)))

    pool, turn = ThreadPoolExecutor(jobs or processors()), InTurn(plan, earlier)
    waiting: dict[int, Future[PointResult]] = {}
    order: list[int] = []  # a heap: what became ready later may come before what waits
    try:
        _submit(pool, answer, turn, waiting, order)
        while order:
            _await(waiting[order[0]])
            results: list[PointResult] = []
            while order and len(results) < MOST_AT_ONCE and _is_there(waiting[order[0]]):
                results.append(waiting.pop(heappop(order)).result())
                turn.finish(results[-1])
                _submit(pool, answer, turn, waiting, order)
            keep(results)
            for result in results:
                yield result
                listener(PointFinished(result=result))
    finally:
        stopped.set()
        pool.shutdown(wait=False, cancel_futures=True)


def _submit(
    pool: ThreadPoolExecutor,
    answer: Callable[[Point], PointResult],
    turn: InTurn,
    waiting: dict[int, Future[PointResult]],
    order: list[int],
) -> None:
    """Begin with the points that are ready now."""
    for point in turn.take():
        waiting[point.index] = pool.submit(answer, point)
        heappush(order, point.index)


def _await(answer: Future[PointResult]) -> None:
    """Wait for a point; what went wrong with it is raised.

    A signal that comes right before a wait, or to another thread, does not end it, and would be answered at
    the point's end: so the wait begins again now and then.
    """
    from concurrent.futures import wait

    while not answer.done():
        wait((answer,), timeout=LATEST_ANSWER_S)
    answer.result()


def _is_there(answer: Future[PointResult]) -> bool:
    """Tell whether a point has its result; one that failed is told of once those before it are kept."""
    return answer.done() and answer.exception() is None


def processors() -> int:
    """Give how many processors this process may use."""
    return len(os.sched_getaffinity(0))


def _answered(point: Point, ask_virtual: Callable[[], Reading]) -> PointResult:
    started_at = datetime.now(timezone.utc).isoformat(timespec="seconds")
    reading = ask_virtual()
    verdict = judge(point, reading, Observation(), contents="written", optimised=True)
    return PointResult(
        point=point, reading=reading, observation=Observation(), verdict=verdict, started_at=started_at
    )


def _where(point: Point) -> str:
    return f"point {point.index} ({point.system}, {point.profile.name})"
