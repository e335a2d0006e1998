"""Verified I/O before and after the load: what it needs of a plan, what is refused, what is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from command_line import Bench, CommandLine
from factories import make_point, make_result
from iodyno.errors import ProfileError
from iodyno.integrity import layout_of, trimmed_areas
from iodyno.plan import BesideLoad, Plan, PlannedTarget, Point
from iodyno.profiles import LoadProfile
from iodyno.reading import FinalPass, Finding, Findings, Found, Integrity, PointResult
from iodyno.study import Overrides, parse_study, plan_study
from iodyno.targets import Target
from iodyno.verdict import describe, judge

STUDY = """
schema = 1
name = "checked"
title = "Checked"
[measurement]
verify = {verify}
engine = "{engine}"
[[profile]]
name = "writes"
random_share = 1.0
read_share = 0.5
blocks = [{{ bytes = {block}, weight = 1 }}]
alignment_bytes = {alignment}
data = "{data}"
{more}
[[sweep]]
name = "all"
profiles = ["writes"]
outstanding = [1, 8]
"""


def _study(**values: Any) -> Any:
    usual = {
        "verify": "true",
        "engine": "auto",
        "block": 8192,
        "alignment": 4096,
        "data": "incompressible",
        "more": "",
    }
    return parse_study(STUDY.format(**{**usual, **values}))


def _plan(size_bytes: int = 1 << 30, **values: Any) -> Plan:
    target = Target(path="/t/file", asked="/t", kind="file", size_bytes=size_bytes, created=True)
    return plan_study(_study(**values), [target])


def _point(*areas: tuple[str, int, int], block: int, alignment: int) -> Point:
    profile = LoadProfile(
        name="x", random_share=1.0, read_share=0.0, blocks=[{"bytes": block}], alignment_bytes=alignment
    )
    targets = tuple(
        PlannedTarget(
            path=path, kind="file", size_bytes=1 << 30, area_start_bytes=start, area_length_bytes=length
        )
        for path, start, length in areas
    )
    return make_point().model_copy(update={"profile": profile, "targets": targets, "verify": True})


def test_the_unit_divides_every_access_and_the_areas_hold_them_all() -> None:
    layout = layout_of(
        [
            _point(("/a", 1 << 20, 1 << 20), ("/b", 0, 3 << 20), block=64 << 10, alignment=8 << 10),
            _point(("/a", 0, 1 << 19), block=12 << 10, alignment=4 << 10),
        ]
    )
    assert layout is not None
    assert (layout.unit_bytes, layout.longest_bytes) == (4 << 10, 64 << 10)
    assert layout.areas == (("/a", 0, 2 << 20), ("/b", 0, 3 << 20))
    assert layout.memory_bytes == (5 << 20) // (4 << 10) * 4


def test_every_load_that_trims_says_where() -> None:
    point = _point(("/a", 0, 1 << 20), ("/b", 1 << 20, 2 << 20), ("/c", 0, 4096), block=4096, alignment=4096)
    trims = point.profile.model_copy(update={"trim_share": 0.1})
    beside = BesideLoad(profile=trims, targets=2, outstanding=1, workers=1, seed=7)
    both = point.model_copy(update={"beside": (beside,)})
    assert list(trimmed_areas(both)) == [("/b", 1 << 20, 2 << 20), ("/c", 0, 4096)]
    alone = point.model_copy(update={"profile": trims})
    assert [path for path, _, _ in trimmed_areas(alone)] == ["/a", "/b", "/c"]
    assert list(trimmed_areas(point)) == []


def test_without_verify_there_is_no_ledger() -> None:
    assert layout_of(_plan(verify="false").points) is None


def test_verify_changes_neither_offsets_nor_hashes_of_what_does_not_use_it() -> None:
    plain, checked = _plan(verify="false"), _plan()
    assert [point.seed for point in plain.points] == [point.seed for point in checked.points]
    assert all(point.verify for point in checked.points)
    assert plain.points[0].config_hash != checked.points[0].config_hash
    before = {**plain.points[0].model_dump(mode="json")}
    before.pop("verify")
    assert Point.model_validate(before).config_hash == plain.points[0].config_hash


def test_the_command_line_can_ask_for_it() -> None:
    changed = Overrides(verify=True).apply(_study(verify="false"))
    assert changed.measurement.verify
    assert not Overrides().apply(_study(verify="false")).measurement.verify


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"engine": "null"}, "the engine null reads and writes nothing"),
        ({"engine": "nop"}, "the engine nop reads and writes nothing"),
        ({"more": "data_duplicate_share = 0.5"}, "a stamp in each sector leaves no block a copy"),
        ({"data": "zeros"}, "a stamp in each sector would spoil the data of the profile, zeros"),
        ({"block": 1000, "alignment": 200}, "no multiple of 512 bytes"),
        ({"size_bytes": 2 << 40}, "takes 2G of memory, above 1G"),
    ],
)
def test_what_cannot_be_verified_is_refused_before_any_io(values: dict[str, Any], said: str) -> None:
    if "block" in values:
        study = _study(**values)
        target = Target(path="/t/file", asked="/t", kind="file", size_bytes=1 << 30, created=True)
        with pytest.raises(ProfileError, match=said) as refused:
            plan_study(study, [target], Overrides(direct=False))
    else:
        with pytest.raises(ProfileError, match=said) as refused:
            _plan(**values)
    assert all(problem.hint for problem in refused.value.problems)


def test_conditioning_writes_without_stamps_and_is_refused_with_verify() -> None:
    target = Target(path="/t/file", asked="/t", kind="file", size_bytes=1 << 30, created=True)
    with pytest.raises(ProfileError, match="conditioning writes data without stamps"):
        plan_study(_study(), [target], Overrides(condition="fill-twice"))


def _checked(result: PointResult) -> PointResult:
    lost = Finding(
        kind="lost", target=0, offset_bytes=4096, bytes=4096, expected_generation=77, lasting=True,
        found=Found(this_run=True, target=0, offset_bytes=4096, generation=1),
    )  # fmt: skip
    flipped = Finding(
        kind="bit_flip", target=0, offset_bytes=512, bytes=512, expected_generation=5, lasting=False
    )
    integrity = Integrity(
        session=9, unit_bytes=4096, targets=("/data/file",),
        load=Findings(checked_bytes=1 << 20, waited=50, counts={"bit_flip": 1}, first=(flipped,)),
        final_pass=FinalPass(findings=Findings(counts={"lost": 1}, first=(lost,)), seconds=1.0),
    )  # fmt: skip
    reading = result.reading.model_copy(update={"integrity": integrity})
    verdict = judge(result.point, reading, result.observation, contents="written", optimised=True)
    return result.model_copy(update={"reading": reading, "verdict": verdict})


def test_wrong_data_is_data_that_disturbs_the_verdict() -> None:
    result = _checked(make_result())
    assert result.reading.corruptions == 2
    assert result.verdict.state == "disturbed"
    cause = next(cause for cause in result.verdict.causes if cause.code == "corrupted")
    assert cause.values == {"findings": 2, "kinds": "bit flip: 1, lost: 1"}
    assert "verified" in {note.code for note in result.verdict.notes}


def _trimmed(result: PointResult) -> PointResult:
    strange = Finding(
        kind="misdirected", target=0, offset_bytes=4096, bytes=4096, expected_generation=88, trimmed=True,
        found=Found(this_run=True, target=0, offset_bytes=8192, generation=3), lasting=True,
    )  # fmt: skip
    load = Findings(
        checked_bytes=300, trimmed_bytes=60, trimmed_zeros_bytes=20, waited=3, counts={"misdirected": 1},
        first=(strange,),
    )  # fmt: skip
    after = FinalPass(findings=Findings(trimmed_bytes=40, checked_bytes=100), seconds=1.0)
    integrity = Integrity(session=9, unit_bytes=4096, targets=("/dev/x",), load=load, final_pass=after)
    issued = result.reading.issued.model_copy(update={"writes": 200, "trims": 101})
    reading = result.reading.model_copy(update={"integrity": integrity, "issued": issued})
    verdict = judge(result.point, reading, result.observation, contents="written", optimised=True)
    return result.model_copy(update={"reading": reading, "verdict": verdict})


def test_what_was_trimmed_is_a_note_of_the_verdict() -> None:
    result = _trimmed(make_result())
    assert result.reading.integrity is not None
    both = result.reading.integrity.all
    assert (both.trimmed_bytes, both.trimmed_zeros_bytes, both.checked_bytes) == (100, 20, 400)
    notes = {note.code: note for note in result.verdict.notes}
    assert notes["trimmed_unchecked"].values == {"share": 0.2}
    assert describe(notes["trimmed_unchecked"]).endswith("(20.0% of what was read back)")
    # 3 of 301 writes and trims are less than one in a hundred, and more than that of the writes alone.
    assert "waited" not in notes
    assert "trimmed_unchecked" not in {note.code for note in _checked(make_result()).verdict.notes}


def facts_of(shown: str) -> dict[str, str]:
    """Read the facts above the tables of `iodyno show`."""
    lines = (line.split(maxsplit=1) for line in shown.partition("\n\n")[0].splitlines())
    return {words[0]: words[1].rstrip() for words in lines if len(words) == 2}


def _right(result: PointResult) -> PointResult:
    after = FinalPass(findings=Findings(checked_bytes=3 << 20), seconds=1.0)
    load = Findings(checked_bytes=1 << 20)
    integrity = Integrity(session=9, unit_bytes=4096, targets=("/dev/x",), load=load, final_pass=after)
    return result.model_copy(update={"reading": result.reading.model_copy(update={"integrity": integrity})})


def test_how_much_was_compared_is_shown(iodyno_says: CommandLine, bench: Bench, tmp_path: Path) -> None:
    """Of a run without a finding nothing else would say that its data was looked at."""
    options = ("--quick", "--size", "64k", "--profile", "database", "--outstanding", "1,2", "--buffered")
    assert iodyno_says("measure", tmp_path, *options).code == 0
    assert "verified" not in facts_of(iodyno_says("show").out)
    bench.change = _right
    assert iodyno_says("measure", tmp_path, *options, "--verify").code == 0
    assert facts_of(iodyno_says("show").out)["verified"] == "8M compared, all as it was written"


def test_what_a_trimmed_block_must_not_hold_is_shown_with_its_trim(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path
) -> None:
    bench.change = _trimmed
    (tmp_path / "target").mkdir()
    options = ("--quick", "--size", "64k", "--profile", "database", "--outstanding", "1", "--buffered")
    paper = tmp_path / "paper.html"
    said = iodyno_says("measure", tmp_path / "target", *options, "--verify", "-o", paper)
    assert said.code == 1
    shown = iodyno_says("show").out
    line = next(line for line in shown.splitlines() if line.split()[:1] == ["misdirected"])
    assert "trim 88" in line
    assert "write 3, for 8,192" in line
    assert "20.0% of what was read back to verify it had been trimmed" in paper.read_text()
    assert facts_of(shown)["verified"] == "400 compared, wrong at 1 place; 100 not compared, it was trimmed"


def test_wrong_data_ends_with_1_and_show_says_where(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path
) -> None:
    bench.change = _checked
    (tmp_path / "target").mkdir()
    options = ("--quick", "--size", "64k", "--profile", "database", "--outstanding", "1", "--buffered")
    said = iodyno_says("measure", tmp_path / "target", *options, "--verify")
    assert said.code == 1
    assert "data came back wrong at 2 places" in said.err
    shown = iodyno_says("show").out
    assert "data that came back wrong" in shown
    assert facts_of(shown)["verified"] == "1M compared, wrong at 2 places"
    lost = next(line for line in shown.splitlines() if line.split()[:1] == ["lost"])
    assert {"4,096", "77", "1", "/data/file"} <= set(lost.split())
