"""The test stand: asks real and virtual targets for the readings of a plan.

The only importer of ``iodyno._core``. Decides nothing: the plan has decided, and the
engine answers.
"""

from __future__ import annotations

import json
import os
import platform
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from heapq import heappop, heappush
from os import PathLike
from typing import TYPE_CHECKING, Any

from iodyno import _core
from iodyno.alike import Alike
from iodyno.conditioned import Step
from iodyno.conditioning import Conditioner, Hands
from iodyno.conditioning.conducting import Earlier
from iodyno.errors import EngineError, Problem
from iodyno.events import Filling, Listener, PointFinished, PointStarted, Sample, Verifying
from iodyno.integrity import layout_of
from iodyno.plan import FillData, Plan, PlannedFill, Point, SearchStep, point_seed
from iodyno.profiles import DRAWN_ALIGNMENT_BYTES
from iodyno.rates import InTurn
from iodyno.reading import Cause, FinalPass, Findings, Observation, PointResult, Reading
from iodyno.targets import check_present, discard
from iodyno.verdict import judge
from iodyno.virtual import VirtualSystem
from iodyno.watch import Watch

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

    from iodyno.prediction import ClosedNetwork, Method, Solution
    from iodyno.targets import Target

Ledger = _core.Ledger
"""What is known of every unit of the areas of a run's targets."""
_DOCTOR = "`iodyno doctor` tells what this machine can do"
INCOMPRESSIBLE = FillData()
LOOK_EVERY_S = 0.5
"""How often the watch looks around while a point runs."""


def build_facts() -> dict[str, Any]:
    """Tell how the engine was built.

    Returns
    -------
    dict
        ``version``, ``commit``, ``build_profile``, ``optimised`` and ``python``.
    """
    return {**_core.build(), "python": platform.python_version()}


def engines() -> dict[str, str]:
    """Tell which engines there are, each with why this machine does not allow it.

    Returns
    -------
    dict
        Name to reason; an empty reason where the engine can run.
    """
    return _core.engines()


def accesses(
    point: Point, *, target: int = 0, worker: int = 0, count: int = 10
) -> list[tuple[bool, int, int]]:
    """List the first accesses of a point: the same plan gives the same, byte for byte.

    Returns
    -------
    list of tuple
        Whether it writes, offset and length in bytes.
    """
    return _core.accesses(point.model_dump_json(), target, worker, count)


def ledger_of(plan: Plan) -> Ledger | None:
    """Make the ledger of a run that verifies its data; none where it does not."""
    layout = layout_of(plan.points)
    if layout is None:
        return None
    session = point_seed(plan.seed, "session", time.time_ns())
    return _core.Ledger(session, layout.unit_bytes, layout.longest_bytes, list(layout.areas))


def keep_ledger(ledger: Ledger, path: str | PathLike[str]) -> None:
    """Keep the ledger of a run in a file, durable when this returns.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    ledger.save(str(path))


def load_ledger(path: str | PathLike[str], paths: Sequence[str], run_id: str) -> Ledger:
    """Read the ledger of a run that was kept.

    Parameters
    ----------
    path
        The file.
    paths
        Paths of the targets that it knows.
    run_id
        The run, for messages.

    Raises
    ------
    EngineError
        If it cannot be read, or is of other targets.
    """
    try:
        return _core.Ledger.load(str(path), list(paths))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        what = f"what it has written where cannot be read from {path}: {reason}"
        raise EngineError(Problem(run_id, what, "verify where the run was made")) from error


def prepare(
    targets: Sequence[Target],
    seed: int,
    listener: Listener,
    *,
    data: FillData = INCOMPRESSIBLE,
    ledger: Ledger | None = None,
) -> None:
    """Write in full the files whose contents are still to be written.

    Parameters
    ----------
    targets
        The targets of a run. Their files exist.
    seed
        Seed of the run; the data differs from run to run all the same, so that a store that
        keeps equal blocks once finds none.
    listener
        Hears how far each file is.
    data
        How far what is written compresses and repeats: ``plan.fill_data``.
    ledger
        Of a run that verifies its data: the files are stamped.

    Raises
    ------
    EngineError
        If a write fails.
    KeyboardInterrupt
        If a signal came; the file is not full.
    """
    for target in targets:
        if target.contents == "to_be_written":
            _fill(target, point_seed(seed, "fill", target.path, time.time_ns()), listener, data, ledger)


def _fill(target: Target, seed: int, listener: Listener, data: FillData, ledger: Ledger | None) -> None:
    def tell(done_bytes: int) -> None:
        listener(Filling(path=target.path, done_bytes=done_bytes, total_bytes=length_bytes))

    # No area reaches into the rest of a file that ends within a block.
    length_bytes = target.size_bytes // DRAWN_ALIGNMENT_BYTES * DRAWN_ALIGNMENT_BYTES
    direct = bool(target.direct)
    fill(target.path, 0, length_bytes, seed=seed, direct=direct, tell=tell, data=data, ledger=ledger)


def fill(
    path: str | PathLike[str],
    start_bytes: int,
    length_bytes: int,
    *,
    seed: int,
    direct: bool,
    tell: Callable[[int], None] = lambda _: None,
    data: FillData = INCOMPRESSIBLE,
    ledger: Ledger | None = None,
) -> None:
    """Write a range of a file in full, and make it durable.

    Parameters
    ----------
    path
        An existing file or device.
    start_bytes, length_bytes
        The range.
    seed
        Seed of the data.
    direct
        Bypass the caches of the operating system.
    tell
        Called now and then, and at the end, with the bytes written so far.
    data
        How far it compresses and repeats; incompressible and without copies where left out.
    ledger
        Of a run that verifies its data: the sectors are stamped.

    Raises
    ------
    EngineError
        If a write fails.
    """
    with _engine_errors(str(path)):
        _core.fill(
            str(path), start_bytes, length_bytes, seed, direct, _now_and_then(tell), ledger,
            data.compressible_share, data.duplicate_share,
        )  # fmt: skip
    tell(length_bytes)


def _now_and_then(call: Callable[[int], None], every_s: float = 0.1) -> Callable[[int], None]:
    last = 0.0

    def maybe(value: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= every_s:
            last = now
            call(value)

    return maybe


def conditioner(
    plan: Plan,
    targets: Sequence[Target],
    *,
    steps: Sequence[Step],
    earlier: Earlier,
    keep: Callable[[Step], None],
    listener: Listener,
) -> Conditioner:
    """Make what conditions the targets of a plan that says so, with this engine.

    Parameters
    ----------
    plan, targets
        The plan and its targets, found and made.
    steps, earlier, keep, listener
        As :class:`iodyno.conditioning.Conditioner` has them.
    """

    def fill_part(target: Target, part: PlannedFill, turn: int, tell: Callable[[int], None]) -> None:
        check_present([target])
        seed = point_seed(plan.seed, "fill", target.path, turn, time.time_ns())
        where = (target.path, part.start_bytes, part.length_bytes)
        fill(*where, seed=seed, direct=bool(target.direct), tell=tell, data=plan.fill_data)

    def ask_there(point: Point, on: Sequence[Target], observe: Callable[[dict[str, Any]], None]) -> Reading:
        check_present(on)
        return ask(point, observe)

    hands = Hands(purge=discard, fill=fill_part, ask=ask_there)
    return Conditioner(plan, targets, steps=steps, earlier=earlier, keep=keep, listener=listener, hands=hands)


def measure(
    plan: Plan,
    targets: Sequence[Target],
    *,
    earlier: Sequence[PointResult] = (),
    listener: Listener,
    before: Callable[[Point], tuple[Cause, ...]] = lambda _: (),
    ledger: Ledger | None = None,
) -> Iterator[PointResult]:
    """Measure the points of a plan, one after the other.

    Parameters
    ----------
    plan
        What to measure.
    targets
        The targets that the plan names, found and prepared.
    earlier
        Results of points that are finished already.
    listener
        Hears of each point and of each window of 100 ms.
    before
        Called before each point; what it gives are notes of the point's verdict.
    ledger
        Of a run that verifies its data: the one that its files were prepared with.

    Yields
    ------
    PointResult
        A finished point. Keep it before asking for the next: the listener then hears that it is.

    Raises
    ------
    EngineError
        If the engine cannot start.
    TargetError
        If a target has gone, or something else is at its name.
    KeyboardInterrupt
        If a signal came; the point in progress is lost.
    """
    by_path = {target.path: target for target in targets}
    ledger = ledger or ledger_of(plan)
    # The steps of a search are taken only as far as they are needed.
    certain = (point.index for point in plan.points if point.verify and not _is_step(point))
    last = max(certain, default=None)
    turn = InTurn(plan, earlier)
    ready = deque(turn.take())
    while ready:
        point = ready.popleft()
        notes = before(point)
        listener(PointStarted(point=point))
        of_point = [by_path[target.path] for target in point.targets]
        verified = _Verified(ledger, targets if point.index == last else of_point, point.index == last)
        result = _measure_point(point, of_point, listener, verified)
        result = _with_notes(result, notes)
        yield result
        listener(PointFinished(result=result))
        turn.finish(result)
        ready = deque(sorted((*ready, *turn.take()), key=lambda point: point.index))


def _with_notes(result: PointResult, notes: tuple[Cause, ...]) -> PointResult:
    verdict = result.verdict.model_copy(update={"notes": (*result.verdict.notes, *notes)})
    return result.model_copy(update={"verdict": verdict}) if notes else result


def _is_step(point: Point) -> bool:
    return isinstance(point.rate_from, SearchStep)


def ask(
    point: Point,
    observe: Callable[[dict[str, Any]], None] = lambda _: None,
    ledger: Ledger | None = None,
) -> Reading:
    """Ask an engine for the reading of a point, and nothing more.

    Parameters
    ----------
    point
        What to measure. Nothing is checked here: a plan has done that.
    observe
        Called for each window of 100 ms with the fields of ``events.Sample`` but its index.
    ledger
        Of a run that verifies its data.

    Raises
    ------
    EngineError
        If the engine cannot start.
    """
    with _engine_errors(f"point {point.index}"):
        return Reading.model_validate_json(_core.measure(point.model_dump_json(), observe, ledger))


def check(
    target: Target, ledger: Ledger, *, since: int = 0, tell: Callable[[int], None] = lambda _: None
) -> Findings:
    """Read what a ledger knows of a target, past the caches where that can be had, and compare.

    Parameters
    ----------
    target
        A target that the ledger has and nobody is writing to.
    ledger
        What is known.
    since
        Only what was written after this generation.
    tell
        Called now and then with the bytes read so far.

    Raises
    ------
    EngineError
        If the target cannot be opened.
    KeyboardInterrupt
        If a signal came.
    """
    block = target.logical_block_bytes
    with _engine_errors(target.path):
        found = _core.verify(ledger, target.path, bool(target.direct), block, since, _now_and_then(tell))
    return Findings.model_validate_json(found)


@dataclass(frozen=True)
class _Verified:
    """What the pass after a point reads: what the point wrote, or everything that is known."""

    ledger: Ledger | None
    targets: Sequence[Target]
    everything: bool

    def read(self, point: Point, reading: Reading, since: int, listener: Listener) -> Reading:
        """Add to a reading what the pass finds."""
        ledger, integrity = self.ledger, reading.integrity
        if ledger is None or integrity is None:
            return reading
        since = 0 if self.everything else since
        sizes = {target.path: ledger.known_bytes(target.path, since) for target in self.targets}
        total, before, found = sum(sizes.values()), 0, []
        began = time.monotonic()
        for target in self.targets:

            def tell(read: int, target: Target = target, before: int = before) -> None:
                done = before + read
                listener(Verifying(index=point.index, path=target.path, done_bytes=done, total_bytes=total))

            tell(0)
            found.append(check(target, ledger, since=since, tell=tell))
            before += sizes[target.path]
        seconds = time.monotonic() - began
        found_all = Findings.merged(found)
        final_pass = FinalPass(findings=found_all, seconds=seconds, everything=self.everything)
        return reading.model_copy(
            update={"integrity": integrity.model_copy(update={"final_pass": final_pass if total else None})}
        )


def _measure_point(
    point: Point, targets: Sequence[Target], listener: Listener, verified: _Verified
) -> PointResult:
    started_at = datetime.now(timezone.utc).isoformat(timespec="seconds")
    check_present(targets)
    watch = Watch(targets)
    next_look = 0.0

    def observe(sample: dict[str, Any]) -> None:
        nonlocal next_look
        if sample["elapsed_s"] >= next_look:
            next_look = sample["elapsed_s"] + LOOK_EVERY_S
            watch.sample()
        listener(Sample(index=point.index, **sample))

    ledger = verified.ledger if point.verify else None
    since = ledger.last_generation if ledger else 0
    watch.start()
    reading = ask(point, observe, ledger)
    observation = watch.finish()
    reading = verified.read(point, reading, since, listener)
    contents = _worst_contents(targets)
    verdict = judge(point, reading, observation, contents=contents, optimised=_core.build()["optimised"])
    return PointResult(
        point=point, reading=reading, observation=observation, verdict=verdict, started_at=started_at
    )


def simulate_point(
    point: Point, system: VirtualSystem | str, observe: Callable[[dict[str, Any]], None] = lambda _: None
) -> Reading:
    """Ask the simulator for the reading of a point: one seed, one result, byte for byte.

    Parameters
    ----------
    point
        What to simulate. Its targets are volumes of the system.
    system
        The system, or its JSON: making that once saves time where many points run on one.
    observe
        Called now and then with the fields of ``events.Sample`` but its index.

    Raises
    ------
    EngineError
        If the point cannot be simulated on the system.
    """
    document = system if isinstance(system, str) else system.model_dump_json()
    with _engine_errors(_where(point), hint=""):
        return Reading.model_validate_json(_core.simulate(point.model_dump_json(), document, observe))


def predict_point(point: Point, system: VirtualSystem) -> Reading:
    """Calculate the reading of a point from queueing formulas, without a simulation.

    Parameters
    ----------
    point
        What to predict. Its targets are volumes of the system.
    system
        The system.

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
    with _engine_errors(_where(point), hint=""):
        return as_reading(point, predict(point, system, solve_network))


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
        for exponential service.

    Returns
    -------
    list of Solution
        One for each number, ascending.

    Raises
    ------
    EngineError
        If the network cannot be solved so: with every reason.
    """
    from iodyno.prediction.records import Solution

    try:
        text = _core.solve_network(network.model_dump_json(exclude_none=True), list(customers), method)
    except ValueError as error:
        problems = (Problem("network", line) for line in str(error).splitlines())
        raise EngineError(*problems) from error
    return [Solution.model_validate(found) for found in json.loads(text)]


def simulate(
    plan: Plan,
    *,
    jobs: int | None = None,
    earlier: Sequence[PointResult] = (),
    analytic: bool = False,
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
    listener
        Hears of each point as its result is yielded.

    Yields
    ------
    PointResult
        A finished point, in the order of the plan. Keep it before asking for the next.

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
            return predict_point(point, plan.systems[point.system])
        return simulate_point(point, documents[point.system], observe)

    def observe(_: dict[str, Any]) -> None:
        if stopped.is_set():
            raise KeyboardInterrupt

    def answer(point: Point) -> PointResult:
        point = point.model_copy(update={"engine": "analytic"}) if analytic else point
        return _answered(point, lambda: alike.reading(point, lambda: ask_virtual(point)))

    pool, turn = ThreadPoolExecutor(jobs or processors()), InTurn(plan, earlier)
    waiting: dict[int, Future[PointResult]] = {}
    order: list[int] = []  # a heap: what became ready later may come before what waits
    try:
        _submit(pool, answer, turn, waiting, order)
        while order:
            result = waiting.pop(heappop(order)).result()
            yield result
            listener(PointFinished(result=result))
            turn.finish(result)
            _submit(pool, answer, turn, waiting, order)
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


def _worst_contents(targets: Sequence[Target]) -> str:
    """The state of the contents that most limits what a reading means."""
    order = ("never_written", "partly_zero", "unknown", "to_be_written", "written")
    return min((target.contents for target in targets), key=order.index)


@contextmanager
def _engine_errors(
    where: str, hint: str = "`iodyno doctor` tells what this machine can do"
) -> Iterator[None]:
    try:
        yield
    except (RuntimeError, ValueError) as error:
        raise EngineError(Problem(where, str(error), hint)) from error
