"""Measuring a plan: conditioning, point after point, and the passes that verify."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from iodyno.bench.engine import (
    Ledger,
    ask,
    build_facts,
    check,
    fill,
    ledger_of,
)
from iodyno.conditioned import Step
from iodyno.conditioning.conducting import Conditioner, Earlier, Hands
from iodyno.events import Listener, PointFinished, PointStarted, Sample, Verifying
from iodyno.plan import Plan, PlannedFill, Point, SearchStep, point_seed
from iodyno.rates import InTurn
from iodyno.reading import Cause, FinalPass, Findings, PointResult, Reading
from iodyno.targets import check_present, discard, gone
from iodyno.verdict import judge
from iodyno.watch import Watch

if TYPE_CHECKING:
    from iodyno.targets import Target

LOOK_EVERY_S = 0.5
"""How often the watch looks around while a point runs."""


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
    after: Callable[[Point], tuple[Cause, ...]] = lambda _: (),
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
    before, after
        Called before and after each point; what they give are notes of the point's verdict.
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
        of_point = [by_path[path] for path in dict.fromkeys(target.path for target in point.targets)]
        verified = _Verified(ledger, targets if point.index == last else of_point, point.index == last)
        result = _measure_point(point, of_point, listener, verified)
        result = _with_notes(result, (*notes, *after(point)))
        yield result
        listener(PointFinished(result=result))
        turn.finish(result)
        ready = deque(sorted((*ready, *turn.take()), key=lambda point: point.index))


def _with_notes(result: PointResult, notes: tuple[Cause, ...]) -> PointResult:
    verdict = result.verdict.model_copy(update={"notes": (*result.verdict.notes, *notes)})
    return result.model_copy(update={"verdict": verdict}) if notes else result


def _is_step(point: Point) -> bool:
    return isinstance(point.rate_from, SearchStep)


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
    watch = Watch(targets, polled=point.iopoll)
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
    if reading.errors:
        observation = observation.model_copy(update={"gone": gone(targets)})
    reading = verified.read(point, reading, since, listener)
    contents = _worst_contents(targets)
    verdict = judge(point, reading, observation, contents=contents, optimised=build_facts()["optimised"])
    return PointResult(
        point=point, reading=reading, observation=observation, verdict=verdict, started_at=started_at
    )


def _worst_contents(targets: Sequence[Target]) -> str:
    """The state of the contents that most limits what a reading means."""
    order = ("never_written", "partly_zero", "unknown", "to_be_written", "written")
    return min((target.contents for target in targets), key=order.index)
