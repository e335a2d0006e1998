"""How many I/Os a simulated point of several loads counts, in the plan and in the paper."""

from __future__ import annotations

from pathlib import Path

from iodyno.analysis import lengths
from iodyno.plan import BesideLoad
from simulated_papers import STUDY, made, said


def test_of_several_loads_the_closed_loops_make_24_rounds() -> None:
    """24 × 64 and 2 × 512 are not counted, and 24 to 48 × 64 are; both closed, 24 and 24 to 48 × 576."""
    stored = made(STUDY)
    plan = stored.run.plan
    first = plan.points[0]
    few = first.stopping.model_copy(update={"warmup_ios": 1, "floor_ios": 1, "cap_ios": 1})
    beside = BesideLoad(profile=first.profile, targets=1, outstanding=512, workers=1, seed=1, rate_io_s=10.0)
    changes = {"outstanding": 64, "workers": 1, "stopping": few, "targets": first.targets[:1] * 2}
    paced = first.model_copy(update={**changes, "beside": (beside,)})
    closed = paced.model_copy(update={"beside": (beside.model_copy(update={"rate_io_s": None}),)})
    assert lengths.counted(paced, plan.systems) == lengths.Counted(2560, 1536, 3072)
    assert lengths.counted(closed, plan.systems) == lengths.Counted(24 * 576, 24 * 576, 48 * 576)
    assert "Where several loads run at once" not in said(stored)
    points = {"plan": plan.model_copy(update={"points": (paced, *plan.points[1:])})}
    text = said(stored.model_copy(update={"run": stored.run.model_copy(update=points)}))
    assert "With many I/Os outstanding a point is longer: 24 rounds" in text
    assert "its share of the I/Os that are not counted, and 24 rounds" in text


def test_they_are_waited_for_as_long_as_is_said() -> None:
    meter = Path(__file__).parents[3] / "crates" / "sim" / "src" / "meter.rs"
    assert f"const LONGEST_WAIT: u64 = {lengths.LONGEST_WAIT};" in meter.read_text("utf-8")
