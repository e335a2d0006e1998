"""Conditioning step by step: what is done, what is not done again, and what starts it anew."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from factories import make_reading, make_result
from iodyno.conditioned import Step, since_lost, times_filled, with_losses
from iodyno.conditioning.conducting import Conditioner, Hands
from iodyno.conditioning.steady import rounds_done
from iodyno.errors import EngineError
from iodyno.events import Event, Filling, RoundStarted, StepDone
from iodyno.plan import Plan, PlannedFill, Point
from iodyno.reading import Cause, Reading
from iodyno.study import parse_study, plan_study
from iodyno.targets import Target
from iodyno.targets.host import file_id

SIZE = 1 << 20
STUDY = """
schema = 1
name = "conditioned"
title = "Conditioned"
[conditioning]
rounds = "each-profile"
round_s = 1
at_most = 9
{more}
[[sweep]]
name = "one"
profiles = ["database", "random-write-4k"]
workers = 1
outstanding = [1, 4]
"""


@dataclass
class Worker:
    """Does the work: writes files, and gives the rates it is told to."""

    rates: Iterator[float]
    filled: list[tuple[str, int]] = field(default_factory=list)
    asked: list[Point] = field(default_factory=list)
    stop_at: int | None = None
    """The load at which Ctrl-C is pressed."""

    def fill(self, target: Target, part: PlannedFill, turn: int, tell: Callable[[int], None]) -> None:
        Path(target.path).write_bytes(os.urandom(part.length_bytes))
        self.filled.append((Path(target.path).name, turn))
        tell(part.length_bytes)

    def ask(self, point: Point, targets: Sequence[Target], observe: Callable[[Any], None]) -> Reading:
        if len(self.asked) == self.stop_at:
            raise KeyboardInterrupt
        self.asked.append(point)
        rate = next(self.rates)
        return (
            make_reading(point, rate_io_s=rate)
            if rate
            else make_reading(point).model_copy(update={"measured_s": 0.0})
        )


def endless(*rates: float) -> Iterator[float]:
    while True:
        yield from rates


@dataclass
class Stand:
    """A file, a plan for it, and the steps that are kept."""

    path: Path
    more: str = ""
    steps: list[Step] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    earlier: tuple[str, tuple[Step, ...]] | None = None
    contents: str = "written"

    @property
    def target(self) -> Target:
        return Target.model_validate({
            "path": str(self.path), "asked": "data", "kind": "file", "size_bytes": SIZE, "writes": True,
            "contents": self.contents, "file_id": file_id(self.path.stat()),
        })  # fmt: skip

    @property
    def plan(self) -> Plan:
        return plan_study(parse_study(STUDY.format(more=self.more)), (self.target,))

    def conditioner(self, worker: Worker) -> Conditioner:
        return Conditioner(
            self.plan, (self.target,), steps=tuple(self.steps), earlier=lambda _: self.earlier,
            keep=self.steps.append, listener=self.events.append,
            hands=Hands(purge=lambda *_: None, fill=worker.fill, ask=worker.ask),
        )  # fmt: skip

    def run(self, worker: Worker, points: Sequence[int] = (0, 1, 2, 3)) -> list[list[str]]:
        """Condition for these points, and give the codes of each one's notes."""
        conditioner = self.conditioner(worker)
        conditioner.begin(points[0])
        notes = [conditioner.before(self.plan.points[index]) for index in points]
        conditioner.end(4)
        return [[cause.code for cause in found] for found in notes]

    def kinds(self) -> list[tuple[str, int]]:
        return [(step.kind, step.turn) for step in self.steps]


@pytest.fixture
def stand(tmp_path: Path) -> Stand:
    path = tmp_path / "data"
    path.write_bytes(os.urandom(SIZE))
    return Stand(path)


FILLS = [("filled", 1), ("filled", 2)]
FIVE = [("round", number) for number in range(1, 6)]


def test_fill_twice_then_rounds_before_each_profile(stand: Stand) -> None:
    worker = Worker(endless(100.0))
    assert stand.run(worker) == [[], [], [], []]
    assert stand.kinds() == [*FILLS, *FIVE, *FIVE]
    assert [step.before for step in stand.steps if step.kind == "round"] == [0] * 5 + [2] * 5
    assert [point.profile.name for point in worker.asked] == ["database"] * 5 + ["random-write-4k"] * 5
    assert {point.outstanding for point in worker.asked} == {4}
    assert len({point.seed for point in worker.asked}) == 10
    assert sum(step.written_bytes for step in stand.steps if step.kind == "filled") == 2 * SIZE


@pytest.mark.parametrize("found", ["never_written", "partly_zero", "written"])
def test_what_was_filled_holds_data_whatever_was_found_before(stand: Stand, found: str) -> None:
    stand.contents = found
    conditioner = stand.conditioner(Worker(endless(100.0)))
    assert [target.contents for target in conditioner.as_left()] == [found]
    conditioner.begin(0)
    assert [target.contents for target in conditioner.as_left()] == ["written"]


def test_what_was_purged_and_not_filled_holds_nothing(stand: Stand) -> None:
    stand.steps = [Step(kind="purged", started_at="", finished_at="", target=str(stand.path))]
    conditioner = stand.conditioner(Worker(endless(100.0)))
    assert [target.contents for target in conditioner.as_left()] == ["never_written"]


def test_no_steady_state_is_an_answer(stand: Stand) -> None:
    notes = stand.run(Worker(endless(100.0, 200.0)), points=(0, 1))
    assert notes == [["no_steady_state"], ["no_steady_state"]]
    assert stand.kinds() == [*FILLS, *(("round", number) for number in range(1, 10))]
    last = [event for event in stand.events if isinstance(event, StepDone)][-1]
    assert last.steady is False
    (window,) = last.windows
    assert window.mean_io_s == pytest.approx(140, rel=0.01)  # 100, 200, 100, 200, 100 in rounds 5 to 9
    assert window.range_share == pytest.approx(100 / 140, rel=0.01)
    # As much below the middle as above it on either side: the line is level.
    assert window.slope_io_s == pytest.approx(0, abs=0.5)
    assert window.excursion_share == pytest.approx(0, abs=0.02)


def test_rounds_end_as_soon_as_they_are_steady(stand: Stand) -> None:
    stand.run(Worker(iter([900, 500, 300, 100, 100, 100, 100, 100.0])), points=(0,))
    assert stand.kinds()[2:] == [("round", number) for number in range(1, 9)]
    started = [event.number for event in stand.events if isinstance(event, RoundStarted)]
    assert started == list(range(1, 9))


def test_a_target_that_answers_nothing_ends_the_rounds(stand: Stand) -> None:
    assert stand.run(Worker(endless(0.0)), points=(0,)) == [["no_steady_state"]]
    assert stand.kinds() == [*FILLS, ("round", 1)]


def test_what_is_complete_is_not_done_again(stand: Stand) -> None:
    with pytest.raises(KeyboardInterrupt):
        stand.run(Worker(endless(100.0), stop_at=3))
    assert stand.kinds() == [*FILLS, *FIVE[:3]]
    worker = Worker(endless(100.0))
    stand.run(worker)
    assert worker.filled == []
    assert stand.kinds() == [*FILLS, *FIVE, *FIVE]


def test_a_fill_that_was_interrupted_is_done_again(stand: Stand) -> None:
    class Stopped(Worker):
        def fill(self, target: Target, part: PlannedFill, turn: int, tell: Callable[[int], None]) -> None:
            if turn == 2:
                raise EngineError.of("fill", "it broke")
            super().fill(target, part, turn, tell)

    with pytest.raises(EngineError):
        stand.run(Stopped(endless(100.0)))
    worker = Worker(endless(100.0))
    stand.run(worker)
    assert worker.filled == [("data", 2)]


def test_a_new_file_starts_it_anew(stand: Stand) -> None:
    stand.run(Worker(endless(100.0)), points=(0, 1))
    stand.path.rename(stand.path.with_name("old"))
    stand.path.write_bytes(bytes(SIZE))
    worker = Worker(endless(100.0))
    stand.run(worker, points=(1, 2, 3))
    assert worker.filled == [("data", 1), ("data", 2)]
    lost = next(step for step in stand.steps if step.kind == "lost")
    assert [cause.code for cause in lost.reasons] == ["exchanged"]
    assert lost.before == 1
    assert [step.before for step in stand.steps if step.kind == "round"] == [0] * 10 + [2] * 5, (
        "the rounds of the profile that was under way too"
    )


def test_what_undoes_it_under_way_is_noted_at_the_points_that_follow(stand: Stand) -> None:
    conditioner = stand.conditioner(Worker(endless(100.0)))
    conditioner.begin()
    points = stand.plan.points
    assert conditioner.before(points[0]) == ()
    os.truncate(stand.path, 0)
    os.truncate(stand.path, SIZE)
    for point in points[1:]:
        assert "conditioning_lost" in {cause.code for cause in conditioner.before(point)}
    assert len([step for step in stand.steps if step.kind == "lost"]) == 1, "said once"


@pytest.mark.parametrize("at", [0, 3])
def test_what_undoes_it_while_a_point_is_measured_is_noted_at_that_point(stand: Stand, at: int) -> None:
    conditioner = stand.conditioner(Worker(endless(100.0)))
    conditioner.begin()
    points = stand.plan.points
    for point in points[: at + 1]:
        assert conditioner.before(point) == ()
        if point.index < at:
            assert conditioner.after(point) == ()
    os.truncate(stand.path, 0)
    os.truncate(stand.path, SIZE)
    assert [cause.code for cause in conditioner.after(points[at])] == ["conditioning_lost"]
    conditioner.end(4)
    (lost,) = (step for step in stand.steps if step.kind == "lost")
    assert lost.before == at + 1


def zeros_over(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(bytes(SIZE))


def noted(stand: Stand, of: dict[int, tuple[Cause, ...]]) -> list[list[str]]:
    """Give the notes of points as they are shown, from those that they were kept with."""
    points = stand.plan.points
    results = [make_result(points[index], state="steady", notes=notes) for index, notes in of.items()]
    return [[cause.code for cause in one.verdict.notes] for one in with_losses(results, stand.steps)]


def test_what_only_samples_show_is_noted_at_every_point_since_they_were_whole(stand: Stand) -> None:
    conditioner = stand.conditioner(Worker(endless(100.0)))
    conditioner.begin()
    points = stand.plan.points
    zeros_over(stand.path)
    notes = {point.index: conditioner.after(point) for point in points}
    assert [len(notes[index]) for index in range(4)] == [0, 0, 0, 1], "kept before it was seen"
    lost = stand.steps[-1]
    assert (lost.kind, lost.since, lost.before) == ("lost", 0, 4)
    unsure = ["conditioning_unsure"]
    assert noted(stand, notes) == [unsure, unsure, unsure, ["conditioning_lost"]]


def test_samples_that_a_search_ends_with_are_noted_at_its_points(stand: Stand) -> None:
    """The last point was not needed: no point was looked at thoroughly after it."""
    conditioner = stand.conditioner(Worker(endless(100.0)))
    conditioner.begin()
    notes = {index: conditioner.after(stand.plan.points[index]) for index in (0, 1)}
    zeros_over(stand.path)
    conditioner.end(4)
    assert noted(stand, notes) == [["conditioning_unsure"]] * 2


def test_only_points_since_the_last_look_at_samples_are_noted(stand: Stand) -> None:
    """What an earlier session measured was looked at when this one began; what it lost was done again."""
    first = stand.conditioner(Worker(endless(100.0)))
    first.begin()
    notes = {0: first.after(stand.plan.points[0])}
    second = stand.conditioner(Worker(endless(100.0)))
    second.begin(1)
    notes[1] = second.after(stand.plan.points[1])
    zeros_over(stand.path)
    third = stand.conditioner(Worker(endless(100.0)))
    third.begin(2)
    lost = next(step for step in stand.steps if step.kind == "lost")
    assert (lost.since, lost.before) == (1, 2), "the second session found it whole before the second point"
    notes |= {index: third.after(stand.plan.points[index]) for index in (2, 3)}
    unsure = ["conditioning_unsure"]
    assert noted(stand, notes) == [[], unsure, [], []]
    zeros_over(stand.path)
    third.end(4)  # looked already
    assert [step.kind for step in stand.steps].count("lost") == 1
    fourth = stand.conditioner(Worker(endless(100.0)))
    fourth.begin(4)
    again = [step for step in stand.steps if step.kind == "lost"][-1]
    assert (again.since, again.before) == (2, 4), "what came before was done again"


def test_a_loss_that_each_look_shows_has_its_note_already(stand: Stand) -> None:
    conditioner = stand.conditioner(Worker(endless(100.0)))
    conditioner.begin()
    points = stand.plan.points
    notes = {0: conditioner.after(points[0])}
    os.truncate(stand.path, 0)
    os.truncate(stand.path, SIZE)
    notes |= {index: conditioner.before(points[index]) for index in (1, 2)}
    assert stand.steps[2].since is None
    found = noted(stand, notes)
    assert found[0] == []
    assert ["conditioning_lost" in codes and "conditioning_unsure" not in codes for codes in found[1:]] == [
        True, True,
    ]  # fmt: skip


def test_a_loss_is_noted_at_the_points_of_its_target(stand: Stand) -> None:
    other = Step(
        kind="lost", started_at="", finished_at="", target="/other", before=4, since=0,
        reasons=(Cause(code="zeros"),),
    )  # fmt: skip
    stand.steps.append(other)
    assert noted(stand, {0: ()}) == [[]]
    stand.steps.append(other.model_copy(update={"target": str(stand.path), "since": 1}))
    assert noted(stand, {0: (), 1: ()}) == [[], ["conditioning_unsure"]]


def test_samples_are_read_once_at_the_end_also_where_the_last_point_was_not_needed(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[bool] = []

    def look(*_: object, samples: bool) -> frozenset[str]:
        looks.append(samples)
        return frozenset()

    monkeypatch.setattr(Conditioner, "_look", look)
    for points in ((0, 1, 2, 3), (0, 1)):
        looks.clear()
        conditioner = stand.conditioner(Worker(endless(100.0)))
        for index in points:
            conditioner.after(stand.plan.points[index])
        conditioner.end(4)
        assert looks.count(True) == 1


def test_what_an_earlier_run_filled_counts_where_it_holds(stand: Stand) -> None:
    stand.run(Worker(endless(100.0)))
    stand.earlier, stand.steps = ("20260314-092653-4f2a", tuple(stand.steps)), []
    worker = Worker(endless(100.0))
    stand.run(worker)
    assert worker.filled == []
    assert stand.kinds() == [("reused", 2), *FIVE, *FIVE], "rounds are of this run"
    assert stand.steps[0].of_run == "20260314-092653-4f2a"


def test_what_an_earlier_run_filled_once_is_filled_once_more(stand: Stand) -> None:
    stand.run(Worker(endless(100.0)))
    stand.earlier, stand.steps = ("run", tuple(stand.steps[:1])), []
    worker = Worker(endless(100.0))
    stand.run(worker)
    assert worker.filled == [("data", 2)]
    assert times_filled(stand.steps, str(stand.path)) == 2


@pytest.mark.parametrize("how", ["hole", "refused", "unwritten"])
def test_what_an_earlier_run_filled_does_not_count(stand: Stand, how: str) -> None:
    stand.run(Worker(endless(100.0)))
    stand.earlier, stand.steps = ("run", tuple(stand.steps)), []
    if how == "hole":
        os.truncate(stand.path, SIZE // 2)
        os.truncate(stand.path, SIZE)
    stand.more = "reuse = false" if how == "refused" else ""
    stand.contents = "to_be_written" if how == "unwritten" else "written"
    worker = Worker(endless(100.0))
    stand.run(worker)
    assert worker.filled == [("data", 1), ("data", 2)]
    assert ("lost", 0) not in stand.kinds() or how == "hole"
    if how == "hole":
        assert stand.steps[0].of_run == "run"
        assert "holes" in {cause.code for cause in stand.steps[0].reasons}


def test_rounds_go_on_while_one_of_their_loads_answers(stand: Stand) -> None:
    """One load of a round without an answer is no steady state; a round without any ends them."""
    stand.more = 'profiles = ["database", "random-write-4k"]'
    study = STUDY.replace('"each-profile"', '"once"').format(more=stand.more)
    plan = plan_study(parse_study(study), (stand.target,))
    worker = Worker(endless(100.0, 0.0))
    conditioner = Conditioner(
        plan, (stand.target,), steps=(), earlier=lambda _: None, keep=stand.steps.append,
        listener=stand.events.append, hands=Hands(purge=lambda *_: None, fill=worker.fill, ask=worker.ask),
    )  # fmt: skip
    conditioner.begin()
    conditioner.before(plan.points[0])
    assert stand.kinds() == [*FILLS, *(("round", number) for number in range(1, 10))]


def test_what_an_earlier_run_filled_in_part_does_not_count(stand: Stand) -> None:
    stand.run(Worker(endless(100.0)))
    half = [
        step.model_copy(
            update={
                "traces": tuple(trace.model_copy(update={"length_bytes": SIZE // 2}) for trace in step.traces)
            }
        )
        for step in stand.steps
    ]
    stand.earlier, stand.steps = ("run", tuple(half)), []
    worker = Worker(endless(100.0))
    stand.run(worker)
    assert worker.filled == [("data", 1), ("data", 2)]


def test_what_an_earlier_run_filled_and_something_wrote_zeros_over_does_not_count(stand: Stand) -> None:
    """No block is missing then: only reading samples shows it."""
    stand.run(Worker(endless(100.0)))
    stand.earlier, stand.steps = ("run", tuple(stand.steps)), []
    with stand.path.open("r+b") as file:
        file.write(bytes(SIZE))
    worker = Worker(endless(100.0))
    stand.run(worker)
    assert worker.filled == [("data", 1), ("data", 2)]
    assert {cause.code for cause in stand.steps[0].reasons} == {"zeros"}


def test_a_loss_ends_with_what_was_done_after_it() -> None:
    def step(kind: str, **facts: Any) -> Step:
        return Step.model_validate(
            {"kind": kind, "started_at": "", "finished_at": "", "target": "a", **facts}
        )

    lost, filled = step("lost", before=0), step("filled", turn=1)
    assert since_lost((filled, lost), "a") == ()
    assert since_lost((filled, lost, filled), "a") == (filled,)


def test_rounds_on_one_target_outlive_a_loss_on_another(stand: Stand) -> None:
    stand.run(Worker(endless(100.0)))
    assert stand.plan.conditioning
    rounds = stand.plan.conditioning.rounds[0]
    other, own = (
        Step(kind="lost", started_at="", finished_at="", target=path) for path in ("/other", str(stand.path))
    )
    assert len(rounds_done((*stand.steps, other), rounds)) == 5
    assert rounds_done((*stand.steps, own), rounds) == ()


def test_what_is_purged_is_filled_anew_whatever_an_earlier_run_filled(stand: Stand) -> None:
    stand.run(Worker(endless(100.0)))
    stand.earlier, stand.steps = ("run", tuple(stand.steps)), []
    plan = stand.plan
    assert plan.conditioning
    purging = plan.model_copy(
        update={"conditioning": plan.conditioning.model_copy(update={"purge": "discard"})}
    )
    worker = Worker(endless(100.0))
    Conditioner(
        purging, (stand.target,), steps=(), earlier=lambda _: stand.earlier, keep=stand.steps.append,
        listener=stand.events.append,
        hands=Hands(purge=lambda _, tell: tell(SIZE // 2), fill=worker.fill, ask=worker.ask),
    ).begin()  # fmt: skip
    assert stand.kinds() == [("purged", 0), *FILLS]
    told = [event for event in stand.events if isinstance(event, Filling)][-3:]
    assert [(event.turn, event.turns, event.done_bytes) for event in told] == [
        (0, 0, SIZE // 2), (1, 2, SIZE), (2, 2, SIZE)
    ], "a purge is no turn of the fills"  # fmt: skip


def test_what_is_purged_already_is_purged_no_more(stand: Stand) -> None:
    """Ctrl-C behind the purge, before the first fill or in the middle of the fills, and on again; without
    fills all of the target is looked at."""
    plan = stand.plan
    assert plan.conditioning
    purges: list[str] = []

    def purged(target: Target, _: Callable[[int], None]) -> None:
        purges.append(target.path)

    def begin(fills: bool) -> None:
        changes: dict[str, Any] = {"purge": "discard"} | ({} if fills else {"fills": ()})
        assert plan.conditioning
        Conditioner(
            plan.model_copy(update={"conditioning": plan.conditioning.model_copy(update=changes)}),
            (stand.target,), steps=tuple(stand.steps), earlier=lambda _: None, keep=stand.steps.append,
            listener=stand.events.append,
            hands=Hands(purge=purged, fill=Worker(endless(100.0)).fill, ask=Worker(endless(100.0)).ask),
        ).begin()  # fmt: skip

    begin(fills=False)
    assert (stand.kinds(), len(purges)) == ([("purged", 0)], 1)
    (trace,) = stand.steps[0].traces
    assert (trace.start_bytes, trace.length_bytes) == (0, SIZE)
    begin(fills=True)
    begin(fills=True)
    assert [kind for kind in stand.kinds() if kind[0] != "reused"] == [("purged", 0), *FILLS]
    assert len(purges) == 1


def test_without_rounds_a_point_stands_on_the_fills_alone(stand: Stand) -> None:
    plan = stand.plan
    assert plan.conditioning
    worker = Worker(endless(100.0))
    conditioner = Conditioner(
        plan.model_copy(update={"conditioning": plan.conditioning.model_copy(update={"rounds": ()})}),
        (stand.target,), steps=(), earlier=lambda _: None, keep=stand.steps.append,
        listener=stand.events.append, hands=Hands(purge=lambda *_: None, fill=worker.fill, ask=worker.ask),
    )  # fmt: skip
    conditioner.begin()
    assert [conditioner.before(point) for point in plan.points] == [()] * 4
    assert (stand.kinds(), worker.asked) == (FILLS, [])


def test_where_samples_last_showed_a_target_whole(stand: Stand) -> None:
    """What this run looked at before one of its points, not what it took over from another, counts."""

    def found(*steps: tuple[str, int, str | None], target: str = "") -> int:
        stand.steps = [
            Step(kind=kind, started_at="", finished_at="", target=target or str(stand.path), before=before,
                 of_run=run)
            for kind, before, run in steps
        ]  # fmt: skip
        return stand.conditioner(Worker(endless(100.0)))._last_whole(str(stand.path))

    assert found() == 0
    assert found(("reused", 3, None)) == 3
    assert found(("lost", 2, None)) == 2
    assert found(("reused", 1, None), ("lost", 3, None), ("reused", 2, None)) == 3
    assert found(("reused", 4, "20260101-000000-aaaa"), ("reused", 1, None)) == 1
    assert found(("lost", 4, "20260101-000000-aaaa")) == 0
    assert found(("round", 4, None), ("filled", 3, None), ("purged", 2, None)) == 0
    assert found(("reused", 3, None), target="/other") == 0
    stand.steps = []
    conditioner = stand.conditioner(Worker(endless(100.0)))
    conditioner.begin(2)
    assert conditioner._last_whole(str(stand.path)) == 2, "all that is missing was done when it began"
