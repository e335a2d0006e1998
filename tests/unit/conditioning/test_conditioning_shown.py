"""How conditioning is shown: in the plan, while it goes on, of a kept run, and in the paper."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import Bench, CommandLine
from factories import make_stored_run
from iodyno.analysis.conditioning import was_lost
from iodyno.cli.conditioning_text import state_lines, step_line
from iodyno.conditioned import LOSSES, RoundLoad, Step
from iodyno.events import SeenWindow, StepDone
from iodyno.plan import PlannedConditioning, PlannedFill, PlannedRounds, SteadyRule
from iodyno.reading import Cause
from iodyno.report.document import Cell, Facts, Table
from iodyno.report.messages import plain
from iodyno.report.paper import build
from iodyno.store.records import StoredRun

STUDY = """
schema = 1
name = "mine"
title = "Mine"
[file]
size = "1M"
[conditioning]
{text}
[[sweep]]
name = "one"
profiles = ["database"]
outstanding = [1]
"""
PATH = "/data/iodyno.dat"


def step(kind: str, **facts: object) -> Step:
    return Step.model_validate({"kind": kind, "started_at": "", "finished_at": "", **facts})


def rounds(*rates: float) -> list[Step]:
    loads = [(RoundLoad(profile="database", rate_io_s=rate),) for rate in rates]
    return [step("round", turn=number, before=0, loads=load) for number, load in enumerate(loads, start=1)]


def conditioned(*steps: Step) -> StoredRun:
    stored = make_stored_run(profiles=["database"], intensities=[1, 8])
    load = stored.run.plan.points[0]
    conditioning = PlannedConditioning(
        fills=(PlannedFill(path=PATH, start_bytes=0, length_bytes=4096, times=2),),
        rounds=(PlannedRounds(before=0, loads=(load,)),),
        rule=SteadyRule(at_most=7),
    )
    plan = stored.run.plan.model_copy(update={"conditioning": conditioning})
    run = stored.run.model_copy(update={"plan": plan})
    return stored.model_copy(update={"run": run, "conditioning": steps})


def lines(*steps: Step) -> list[str]:
    stored = conditioned(*steps)
    return list(state_lines(stored.run.plan, stored.conditioning))


FILLED = (step("filled", target=PATH, turn=1), step("filled", target=PATH, turn=2))
LOST = step("lost", target=PATH, before=1, reasons=(Cause(code="discarded", values={"bytes": 4096}),))


def test_what_was_done_to_a_run() -> None:
    steady = rounds(900, 500, 100, 100, 100, 100, 100)
    assert lines(*FILLED, *steady) == [
        f"{PATH}: filled twice", "database: 7 rounds, steady state after 7",
    ]  # fmt: skip
    assert lines(*FILLED, *steady[:1])[1] == "database: 1 round, of at most 7, and not steady yet"
    restless = rounds(900, 500, 100, 900, 100, 900, 100)
    assert lines(*FILLED, *restless)[1] == "database: 7 rounds, no steady state"
    assert lines(*FILLED, *steady, LOST)[1] == "database: 7 rounds, steady state after 7", "undone later"
    assert lines(*FILLED, *steady, LOST, *steady[:1])[1].startswith("database: 1 round"), "done anew"
    assert lines(*FILLED, LOST)[0] == (
        f"{PATH}: filled twice; lost: blocks of the device were discarded (seen before point 2)"
    )
    # Of two points, as the run lists them: 1/2 and 2/2.
    for before, seen in ((0, "before point 1"), (1, "before point 2"), (2, "after the last point")):
        lost = LOST.model_copy(update={"before": before})
        assert lines(*FILLED, lost)[0].endswith(f"discarded (seen {seen})")
        assert step_line(StepDone(step=lost), 2).endswith(f"discarded (seen {seen})")
    bare = lines(LOST.model_copy(update={"before": 0, "of_run": "r"}))[0]
    assert bare.startswith(f"{PATH}: not filled; lost"), "nothing was done before"
    again = lines(FILLED[0], LOST, *FILLED, LOST)[0]
    assert again.startswith(f"{PATH}: filled twice; lost"), "what the last one undid"
    assert lines(FILLED[0], LOST, *rounds(100.0))[0].startswith(f"{PATH}: filled once; lost")
    assert "filled once; before that lost" in lines(*FILLED, LOST, FILLED[0])[0]
    elsewhere = LOST.model_copy(update={"target": "/data/another.dat"})
    purged = step("purged", target=PATH)
    assert lines(elsewhere, purged)[0] == f"{PATH}: purged, not filled", "another target was undone"
    assert was_lost(conditioned(LOST))
    assert not was_lost(conditioned(LOST.model_copy(update={"of_run": "r"}))), "what an earlier run did"
    assert (
        lines(step("reused", target=PATH, turn=2, of_run="r"))[0] == f"{PATH}: filled twice, what run r wrote"
    )
    assert lines(step("purged", target=PATH), FILLED[0])[0] == f"{PATH}: purged, filled once"


def test_that_a_run_went_on_with_what_it_had_done_is_said_once() -> None:
    """It is no filling of another run, and no other state than before."""
    whole = step("reused", target=PATH, turn=2, before=1)
    assert step_line(StepDone(step=whole), 2) == f"{PATH}: nothing has undone what this run did to it"
    assert lines(*FILLED, whole) == lines(*FILLED)
    other = step("reused", target=PATH, turn=2, of_run="r")
    assert lines(other, whole) == lines(other)


def test_every_loss_can_be_said() -> None:
    for code in LOSSES:
        assert LOSSES[code] in lines(LOST.model_copy(update={"reasons": (Cause(code=code),)}))[0]


def test_a_round_shows_what_the_rule_sees() -> None:
    seen = SeenWindow(mean_io_s=100, range_share=0.2, slope_io_s=-2.5, excursion_share=0.1)
    (done,) = rounds(41_234.4)
    line = step_line(StepDone(step=done, windows=(seen,), steady=True), 2)
    assert line == (
        "round 1: database 41,234 IO/s; window: range 20.0%, slope -2.5 IO/s a round, 10.0% in all; steady"
    )
    assert step_line(StepDone(step=done), 2) == "round 1: database 41,234 IO/s"


def test_the_plan_says_what_will_be_done(iodyno_says: CommandLine, bench: Bench, tmp_path: Path) -> None:
    study = tmp_path / "mine.toml"
    study.write_text(STUDY.format(text='rounds = "each-profile"\nround_s = 5'))
    said = iodyno_says("plan", study)
    assert "filled twice; at most 25 rounds of database at 1, 5 s each, until 5 in a row" in said.out
    assert "filled once" in iodyno_says("plan", study, "--condition", "fill").out
    assert "conditioning " not in iodyno_says("plan", study, "--condition", "none").out


def test_a_virtual_target_is_not_conditioned_and_that_is_said(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path
) -> None:
    study = tmp_path / "mine.toml"
    study.write_text(STUDY.format(text="fill = 2"))
    said = iodyno_says("simulate", study, "--on", "p3700", "--plan")
    assert said.code == 0, said.err
    assert "[conditioning] is left out" in said.err
    assert "filled" not in said.out


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ((*FILLED, *rounds(100, 100, 100, 100, 100)), "before the run; loaded for 5 rounds, to a steady"),
        ((*FILLED, *rounds(100)), "loaded for 1 round, without a steady state"),
        ((*FILLED, LOST), "full twice before the run; undone while the run went on: blocks of the device"),
        ((*FILLED, *rounds(100), LOST), "blocks of the device were discarded; loaded for 1 round, without"),
        ((step("reused", target=PATH, turn=2, of_run="r-1"),), "full twice before the run, by run r-1"),
        ((*FILLED, step("reused", target=PATH, turn=2, before=1)), "written in full twice before the run"),
    ],
)  # fmt: skip
def test_the_disclosure_says_it(steps: tuple[Step, ...], said: str) -> None:
    document = build(conditioned(*steps))
    found = [
        plain(text) for block in document.blocks if isinstance(block, Facts)
        for name, text in block.items if name == "Conditioning"
    ]  # fmt: skip
    assert len(found) == 1
    assert said in found[0]


def test_the_paper_has_a_table_of_the_rounds() -> None:
    document = build(conditioned(*FILLED, *rounds(900, 500, 95, 97.5, 100, 102.5, 105)))
    (table,) = [
        block
        for block in document.blocks
        if isinstance(block, Table) and block.key.startswith("table-rounds")
    ]
    text = [[plain(cell.text) for cell in row if isinstance(cell, Cell)] for row in table.rows]
    assert text[0] == ["1", "900.0", "–", "–", "–", "–"]
    # Rounds 3 to 7: mean 100, from 95 to 105 in steps of 2.5.
    assert text[6] == ["7", "105.0", "100.0", "10.0%", "2.50", "10.0%"]
    assert [plain(note) for note in table.notes] == ["A steady state was attained with round 7."]
