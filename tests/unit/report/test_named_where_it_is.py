"""Words stand where there is what they name: no knee of one point, no systems of one, sizes as in papers."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from command_line import CommandLine
from factories import make_plan, make_point, make_result, make_run, make_stored_run, make_system, make_target
from iodyno.analysis.compare import compare
from iodyno.cli.differences import difference_lines
from iodyno.cli.progress import Progress
from iodyno.events import PointFinished
from iodyno.report import paper
from iodyno.report.document import Document, Facts, Figure, Paragraph, Table
from iodyno.report.messages import plain
from iodyno.store import Store
from iodyno.store.records import StoredRun
from unit.report import test_answer
from unit.report.test_answer import STUDY, run_of


def terms(document: Document) -> set[str]:
    found = [block for block in document.blocks if isinstance(block, Facts)][-1]
    return {str(name) for name, _ in found.items}


@pytest.mark.parametrize(("loads", "several"), [((1,), False), ((1, 2, 4, 8, 16, 32, 64), True)])
def test_a_glossary_has_the_terms_of_what_there_is(loads: tuple[int, ...], several: bool) -> None:
    found = terms(paper.build(make_stored_run(profiles=("database",), intensities=loads)))
    assert "Latency" in found
    assert "Response time" not in found
    assert ("Saturation" in found, "Knee" in found) == (several, several)


@pytest.mark.parametrize(("systems", "told"), [(12, True), (13, False)])
def test_curves_beside_each_other_tell_no_knee(
    monkeypatch: pytest.MonkeyPatch, systems: int, told: bool
) -> None:
    """From 13 curves on a paper has no words of each of them, and so none of a knee or of saturation."""
    monkeypatch.setattr(test_answer, "STUDY", STUDY.replace("[1, 8]", "[1, 8, 64]"))
    document = paper.build(run_of({f"s{number}-1": 20_000.0 + number for number in range(systems)}))
    found = terms(document)
    assert "Limit, bottleneck" in found
    assert ("Saturation" in found, "Knee" in found) == (told, told)


@pytest.mark.parametrize(("loads", "ranged"), [((8,), False), ((1, 8), True)])
def test_a_range_of_loads_is_introduced_where_there_is_one(loads: tuple[int, ...], ranged: bool) -> None:
    document = paper.build(make_stored_run(profiles=("database", "restore"), intensities=loads))
    (first,) = (
        plain(block.text)
        for block in document.blocks
        if isinstance(block, Paragraph) and plain(block.text).startswith("This paper reports")
    )
    assert ("over a range of loads" in first, "each at one load" in first) == (ranged, not ranged)
    series = [b.caption for b in document.blocks if isinstance(b, Figure) and "over time" in b.caption]
    assert series
    assert all("at the load of the maximum" in caption for caption in series) is ranged


@pytest.mark.parametrize(
    ("loads", "caption"),
    [
        ((1, 2), "Latency at the lowest load and at the maximum"),
        ((1, 2, 4, 8, 16, 32, 64), "Latency at the lowest load, at the knee and at the maximum"),
    ],
)
def test_a_table_of_latencies_names_a_knee_that_it_has(loads: tuple[int, ...], caption: str) -> None:
    document = paper.build(make_stored_run(profiles=("database",), intensities=loads))
    tables = [block for block in document.blocks if isinstance(block, Table)]
    assert [table.caption for table in tables if table.key == "table-latency"] == [caption]


@pytest.mark.parametrize(
    ("systems", "named"), [(("p3700",), "System"), (("p3700", "raid-controllers"), "Systems")]
)
def test_one_system_is_no_systems(iodyno_says: CommandLine, systems: tuple[str, ...], named: str) -> None:
    on = [word for system in systems for word in ("--on", system)]
    few = ("--outstanding", "1", "--cap-ios", "600", "--floor-ios", "600", "--warmup-ios", "0")
    said = iodyno_says("simulate", "quick", *on, "--profile", "database", *few)
    assert said.code == 0, said.err
    with Store.open() as store:
        facts = paper.build(store.load("latest")).title_page.facts
    assert [name for name, _ in facts if name.startswith("System")] == [named]


def test_one_point_is_no_points() -> None:
    out, plan = io.StringIO(), make_plan()
    one = plan.model_copy(update={"points": plan.points[:1]})
    Progress(one, 0, out)(PointFinished(result=make_result(one.points[0])))
    assert out.getvalue() == "simulated 1 of 1 point\n"


def run_on(kind: str, size_bytes: int) -> StoredRun:
    target = make_target(kind=kind, size_bytes=size_bytes, created=kind == "file")
    point = make_point("database", 8, index=0).model_copy(update={"targets": (target,)})
    plan = make_plan().model_copy(update={"points": (point,)})
    return StoredRun(
        run=make_run(plan, system=make_system(), status="finished"), results=(make_result(point),)
    )


def test_a_file_beside_a_device_has_the_size_of_its_paper() -> None:
    """A file of 256 MB was one of 268 MB where it was compared with a device."""
    lines = list(difference_lines(compare(run_on("file", 256 << 20), run_on("device", 2_400_000_000_000))))
    assert any("256 MB" in line and "2.4 TB" in line for line in lines), lines
    assert not any("268 MB" in line for line in lines)


@pytest.mark.parametrize(("profile", "told"), [("database", True), ("oltp-4k", False)])
def test_a_profile_stands_for_a_kind_of_work_or_for_nothing(profile: str, told: bool) -> None:
    """Those of one study stood for "comparing NVMe host connections", in the papers of other studies too."""
    document = paper.build(make_stored_run(profiles=(profile,), intensities=(1, 2)))
    [table] = [
        block for block in document.blocks if isinstance(block, Table) and block.key == "table-profiles"
    ]
    assert ("Stands for" in [column.title for column in table.columns]) is told
    assert ("Each stands for a kind of work that is common in practice." in str(document.blocks)) is told


def test_a_profile_that_stands_for_nothing_has_a_dash_beside_others() -> None:
    """Its cell was empty, as if something had been forgotten."""
    blocks = paper.build(make_stored_run(profiles=("database", "oltp-4k"), intensities=(1, 2))).blocks
    [table] = [block for block in blocks if isinstance(block, Table) and block.key == "table-profiles"]
    assert [row[-1].text for row in table.rows] == ["database, mail server", "–"]


@pytest.mark.parametrize("targets", [1, 2])
def test_how_targets_are_shared_out_is_told_where_there_are_several(
    iodyno_says: CommandLine, tmp_path: Path, targets: int
) -> None:
    """Of one target each worker drives it, whatever was asked."""
    words = "1 target for each worker"
    drives = [make_target(path=f"/dev/made-up-{number}") for number in range(targets)]
    shared = {"targets": tuple(drives), "targets_per_worker": 1}
    stored = make_stored_run(profiles=("database",), intensities=(1, 2))
    results = tuple(
        result.model_copy(update={"point": result.point.model_copy(update=shared)})
        for result in stored.results
    )
    document = paper.build(stored.model_copy(update={"results": results}))
    assert (words in str(document.blocks)) is (targets > 1)
    files = [word for number in range(targets) for word in ("--target", str(tmp_path / f"{number}"))]
    said = iodyno_says("plan", "quick", *files, "--targets-per-worker", "1")
    assert said.code == 0, said.err
    assert (words in said.out) is (targets > 1)
