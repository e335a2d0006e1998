"""Carries out what a plan says of conditioning, step by step; each step is kept before the next begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from iodyno.conditioned import IN_SAMPLES, LOST, RoundLoad, Step, since_lost, times_filled
from iodyno.conditioning.state import carried_on, discards_itself, losses
from iodyno.conditioning.steady import attained, rounds_done, windows
from iodyno.events import Filling, Listener, RoundStarted, Sample, SeenWindow, StepDone
from iodyno.plan import Plan, PlannedConditioning, PlannedFill, PlannedRounds, Point
from iodyno.reading import Cause, Reading
from iodyno.targets import Target, Trace, take_trace
from iodyno.targets.host import Host

Observe = Callable[[dict[str, Any]], None]
Earlier = Callable[[str], tuple[str, tuple[Step, ...]] | None]
"""Gives the latest other run that conditioned a target, by its path, and that run's steps."""


@dataclass(frozen=True)
class Hands:
    """What does the work.

    Parameters
    ----------
    purge
        Discards a device.
    fill
        Writes a part of a target in full: target, part, which time, and who hears how far it is.
    ask
        Gives the reading of a load on targets.
    """

    purge: Callable[[Target, Callable[[int], None]], None]
    fill: Callable[[Target, PlannedFill, int, Callable[[int], None]], None]
    ask: Callable[[Point, Sequence[Target], Observe], Reading]


class Conditioner:
    """Conditions the targets of a run, and looks whether that holds.

    ``begin()`` before the first point, ``before(point)`` and ``after(point)`` at each, ``end()`` at the end.

    Parameters
    ----------
    plan
        A plan with conditioning.
    targets
        Its targets, found and made.
    steps
        The steps that the run has already: what is complete and still holds is not done again.
    earlier
        What other runs did to a target.
    keep
        Keeps a step; it is complete once this returns.
    listener
        Hears of each step and each window of 100 ms.
    hands
        What does the work.
    """

    def __init__(
        self,
        plan: Plan,
        targets: Sequence[Target],
        *,
        steps: Sequence[Step],
        earlier: Earlier,
        keep: Callable[[Step], None],
        listener: Listener,
        hands: Hands,
        host: Host | None = None,
    ) -> None:
        assert plan.conditioning, "a plan without conditioning"
        self._plan: PlannedConditioning = plan.conditioning
        self._targets = {target.path: target for target in targets}
        self._fills = {fill.path: fill for fill in self._plan.fills}
        self._steps = list(steps)
        self._earlier, self._keep, self._listener, self._hands = earlier, keep, listener, hands
        self._host = host or Host()
        self._own_discards = discards_itself(plan)
        self._points = len(plan.points)
        self._looked_at_end = False
        self._whole_at: dict[str, int] = {}

    def begin(self, first: int = 0) -> None:
        """Look what still holds, then purge and fill what is missing; ``first`` is the next point."""
        self._look(first, samples=True)
        for path in self._targets:
            self._found_whole(path, first)
        for target in self._targets.values():
            if not since_lost(self._steps, target.path):
                self._reuse(target, first)
        for target in self._targets.values():
            self._purge(target)
        for fill in self._plan.fills:
            for turn in range(times_filled(self._steps, fill.path) + 1, fill.times + 1):
                self._fill(fill, turn)
        self._whole_at = dict.fromkeys(self._targets, first)

    def as_left(self) -> tuple[Target, ...]:
        """Give the targets with what they hold now: they were looked at before anything was done to them."""
        return tuple(self._left(target) for target in self._targets.values())

    def _left(self, target: Target) -> Target:
        mine = since_lost(self._steps, target.path)
        if times_filled(mine, target.path):
            return target.model_copy(update={"contents": "written"})
        if any(step.kind == "purged" for step in mine):
            return target.model_copy(update={"contents": "never_written"})
        return target

    def before(self, point: Point) -> tuple[Cause, ...]:
        """Do the rounds that a point still needs, and say what its reading has to carry."""
        self._look(point.index, samples=False)
        rounds = self._rounds_for(point)
        if rounds:
            self._condition(rounds)
        return tuple(self._notes(point, rounds))

    def after(self, point: Point) -> tuple[Cause, ...]:
        """Look whether what was done held while a point was measured, and say what its reading has to carry;
        after the last point of the plan thoroughly."""
        self._looked_at_end = point.index + 1 >= self._points
        lost = self._look(point.index + 1, samples=self._looked_at_end)
        concerned = any(target.path in lost for target in point.targets)
        return (Cause(code=LOST),) if concerned else ()

    def end(self, after: int) -> None:
        """Look thoroughly where that was not done after the last point: a search may not need it. ``after``
        is the number of points."""
        if not self._looked_at_end:
            self._look(after, samples=True)

    def _look(self, before: int, *, samples: bool) -> frozenset[str]:
        """Note where something undid what was done, and give the paths of those targets."""
        lost = set()
        for path, target in self._targets.items():
            known = _last_trace(since_lost(self._steps, path), path)
            if known is None:
                continue
            _, reasons = self._compare(target, known, samples=samples and known.samples is not None)
            if reasons:
                lost.add(path)
                by_samples = {cause.code for cause in reasons} <= IN_SAMPLES
                since = self._last_whole(path) if by_samples else None
                self._done("lost", _now(), target=path, before=before, reasons=reasons, since=since)
        return frozenset(lost)

    def _found_whole(self, path: str, first: int) -> None:
        """Keep that samples showed what this run did to be whole when it went on: what they show later came
        after that."""
        known = _last_trace(since_lost(self._steps, path), path)
        if known is None or known.samples is None or first <= self._last_whole(path):
            return
        turn = times_filled(self._steps, path)
        self._done("reused", _now(), target=path, turn=turn, before=first)

    def _last_whole(self, path: str) -> int:
        """Give the point before which samples last showed a target whole; of what was measured before this
        program began, when they were last looked at or found undone."""
        looked = [
            step.before or 0
            for step in self._steps
            if step.target == path and step.kind in ("lost", "reused") and not step.of_run
        ]
        return self._whole_at.get(path, max(looked, default=0))

    def _compare(
        self, target: Target, known: Trace, *, samples: bool
    ) -> tuple[Trace | None, tuple[Cause, ...]]:
        """Look at a target again: what it shows now, and what has undone the earlier state."""
        try:
            now = take_trace(target, known.start_bytes, known.length_bytes, samples=samples, host=self._host)
        except OSError:
            return None, (Cause(code="unseen"),)
        return now, losses(known, now, own_discards=self._own_discards)

    def _reuse(self, target: Target, first: int) -> None:
        """Take over what an earlier run filled, or say what undid it."""
        fill = self._fills.get(target.path)
        wanted = self._plan.reuse and self._plan.purge == "none" and target.contents != "to_be_written"
        found = self._earlier(target.path) if wanted and fill else None
        if not found or not fill:
            return
        run, steps = found
        turns = times_filled(steps, target.path)
        known = _last_trace(since_lost(steps, target.path), target.path)
        if not turns or known is None or not _covers(known, fill):
            return
        now, reasons = self._compare(target, known, samples=known.samples is not None)
        if reasons or now is None:
            self._done("lost", _now(), target=target.path, before=first, reasons=reasons, of_run=run)
        else:
            self._done("reused", _now(), target=target.path, turn=min(turns, 2), of_run=run, traces=(now,))

    def _purge(self, target: Target) -> None:
        mine = since_lost(self._steps, target.path)
        if self._plan.purge == "none" or any(step.kind == "purged" for step in mine):
            return
        started = _now()
        self._hands.purge(target, lambda done: self._tell(target.path, done, target.size_bytes, 0))
        self._done("purged", started, target=target.path, traces=(self._trace(target, samples=False),))

    def _fill(self, fill: PlannedFill, turn: int) -> None:
        target, started = self._targets[fill.path], _now()
        self._hands.fill(
            target, fill, turn, lambda done: self._tell(fill.path, done, fill.length_bytes, turn)
        )
        trace = self._trace(target, samples=True)
        self._done(
            "filled", started, target=fill.path, turn=turn, written_bytes=fill.length_bytes, traces=(trace,)
        )

    def _tell(self, path: str, done_bytes: int, total_bytes: int, turn: int) -> None:
        turns = self._fills[path].times if turn else 0
        self._listener(
            Filling(path=path, done_bytes=done_bytes, total_bytes=total_bytes, turn=turn, turns=turns)
        )

    def _rounds_for(self, point: Point) -> PlannedRounds | None:
        """Find the rounds that a point stands on: the last that come before it."""
        return next((one for one in reversed(self._plan.rounds) if one.before <= point.index), None)

    def _condition(self, rounds: PlannedRounds) -> None:
        """Do rounds until the rule is content, or there were too many, or nothing answers any more."""
        rule = self._plan.rule
        values = self._values(rounds)
        while len(values) < rule.at_most and not attained(values, rule):
            step = self._round(rounds, len(values) + 1)
            values = self._values(rounds)
            if not any(load.rate_io_s for load in step.loads):
                return

    def _values(self, rounds: PlannedRounds) -> list[tuple[float, ...]]:
        """Give what each round so far came to, those that were undone left out."""
        return [tuple(load.rate_io_s for load in step.loads) for step in rounds_done(self._steps, rounds)]

    def _round(self, rounds: PlannedRounds, number: int) -> Step:
        started, loads, written = _now(), [], 0
        for place, load in enumerate(rounds.of_round(number)):
            self._listener(
                RoundStarted(
                    before=rounds.before, number=number, at_most=self._plan.rule.at_most, load=load,
                    place=place, loads=len(rounds.loads),
                )
            )  # fmt: skip
            targets = [self._targets[of.path] for of in load.targets]
            reading = self._hands.ask(
                load, targets, lambda sample: self._listener(_sample(sample, rounds.before))
            )
            written += reading.issued.written_bytes
            loads.append(
                RoundLoad(
                    profile=load.profile.name, rate_io_s=reading.transaction_rate_io_s, errors=reading.errors
                )
            )
        paths = dict.fromkeys(of.path for load in rounds.loads for of in load.targets)
        traces = tuple(self._trace(self._targets[path], samples=False) for path in paths)
        return self._done(
            "round", started, turn=number, before=rounds.before, written_bytes=written, loads=tuple(loads),
            traces=traces,
        )  # fmt: skip

    def _trace(self, target: Target, *, samples: bool) -> Trace:
        fill = self._fills.get(target.path)
        part = (fill.start_bytes, fill.length_bytes) if fill else (0, target.size_bytes)
        now = take_trace(target, *part, samples=samples, host=self._host)
        return carried_on(_last_trace(since_lost(self._steps, target.path), target.path), now)

    def _done(self, kind: Any, started: str, **facts: Any) -> Step:
        step = Step(kind=kind, started_at=started, finished_at=_now(), **facts)
        self._keep(step)
        self._steps.append(step)
        seen, steady = self._seen(step)
        self._listener(StepDone(step=step, windows=seen, steady=steady))
        return step

    def _seen(self, step: Step) -> tuple[tuple[SeenWindow, ...], bool | None]:
        """Give what the rule sees after a round."""
        rounds = next((one for one in self._plan.rounds if one.before == step.before), None)
        if step.kind != "round" or rounds is None:
            return (), None
        values, rule = self._values(rounds), self._plan.rule
        seen = tuple(
            SeenWindow(
                mean_io_s=one.mean,
                range_share=one.range_share if one.mean else None,
                slope_io_s=one.slope,
                excursion_share=one.excursion_share if one.mean else None,
            )
            for one in windows(values, rule)
        )
        return seen, attained(values, rule)

    def _notes(self, point: Point, rounds: PlannedRounds | None) -> Iterator[Cause]:
        paths = [target.path for target in point.targets]
        lost = {step.target for step in self._steps if step.kind == "lost"}
        if any(path in lost and self._missing(path) for path in paths):
            yield Cause(code=LOST)
        if rounds and not attained(self._values(rounds), self._plan.rule):
            yield Cause(code="no_steady_state", values={"rounds": len(self._values(rounds))})

    def _missing(self, path: str) -> bool:
        """Say whether what was undone has not been made good."""
        fill = self._fills.get(path)
        if fill:
            return times_filled(self._steps, path) < fill.times
        return not since_lost(self._steps, path)


def _last_trace(steps: Sequence[Step], path: str) -> Trace | None:
    traces = [trace for step in steps for trace in step.traces if trace.path == path]
    return traces[-1] if traces else None


def _covers(trace: Trace, fill: PlannedFill) -> bool:
    end = fill.start_bytes + fill.length_bytes
    return trace.start_bytes <= fill.start_bytes and end <= trace.start_bytes + trace.length_bytes


def _sample(sample: dict[str, Any], index: int) -> Sample:
    return Sample(**{**sample, "index": index, "phase": "conditioning", "half_width": None})


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
