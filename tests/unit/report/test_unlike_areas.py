"""Configurations that are accessed on areas of their own: each keeps its name, and the areas are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import CommandLine
from iodyno.analysis.run import analyse
from iodyno.profiles import Area
from iodyno.report import paper
from iodyno.report.document import Document, Facts, Table
from iodyno.report.messages import Messages, plain
from iodyno.report.sections.areas import area_text, measured_areas
from iodyno.store import Store

STUDY = """
schema = 1
name = "areas"
title = "Areas"
[[configuration]]
name = "part"
title = "Part of a drive"
system = "p3700"
area = {{ start = "10%", length = "25%" }}
[[configuration]]
name = "whole"
title = "Whole drive"
system = "p3700"
{others}
[simulation]
warmup_ios = 500
floor_ios = 1000
cap_ios = 2000
[[sweep]]
name = "loads"
profiles = ["database", "file-copy", "file-server"]
outstanding = [1, 8]
"""
OTHERS = "\n".join(f'[[configuration]]\nname = "other-{at}"\nsystem = "p3700"' for at in range(3))
TOLD = "25% of the target from 10% on (Part of a drive)"


def document(iodyno_says: CommandLine, folder: Path, others: str = OTHERS) -> Document:
    """Simulate the study on two systems, and on others, and build its paper."""
    study = folder / "areas.toml"
    study.write_text(STUDY.format(others=others))
    assert iodyno_says("simulate", study).code == 0
    with Store.open() as store:
        return paper.build(store.load("latest"))


def test_each_system_keeps_its_name_where_areas_differ(iodyno_says: CommandLine, tmp_path: Path) -> None:
    made = document(iodyno_says, tmp_path)
    tables = [block for block in made.blocks if isinstance(block, Table) and "table-side" in block.key]
    assert len(tables) == 3
    for table in tables:
        names = [plain(row[0].text) for row in table.rows]
        assert names == ["Part of a drive", "Whole drive", "other-0", "other-1", "other-2"]


def test_areas_that_differ_are_told_below_the_figures_and_in_the_appendix(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    made = document(iodyno_says, tmp_path)
    told = f"{TOLD}; all of the target (Whole drive, other-0, other-1, other-2)"
    facts = [fact for block in made.blocks if isinstance(block, Facts) for fact in block.items]
    assert ("Measured area", told) in facts
    tables = [block for block in made.blocks if isinstance(block, Table) and "table-side" in block.key]
    assert all(f"Measured area: {told}." in table.notes for table in tables)


def test_a_system_is_named_once_for_its_area(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """Each of its numbers of workers stood beside it, and it by itself for the other sweep."""
    workers = (
        '\n[[sweep]]\nname = "workers"\nprofiles = ["database"]\noutstanding = [1, 8]\nworkers = [1, 2]\n'
    )
    study = tmp_path / "areas.toml"
    study.write_text(STUDY.format(others="") + workers)
    assert iodyno_says("simulate", study).code == 0
    with Store.open() as store:
        curves = [item.curve for item in analyse(store.load("latest")).curves]
    assert measured_areas(Messages("en"), curves) == f"{TOLD}; all of the target (Whole drive)"


def test_the_usual_area_of_many_systems_is_that_elsewhere(iodyno_says: CommandLine, tmp_path: Path) -> None:
    others = "\n".join(f'[[configuration]]\nname = "other-{at}"\nsystem = "p3700"' for at in range(8))
    made = document(iodyno_says, tmp_path, others)
    told = f"{TOLD}; elsewhere all of the target"
    facts = [fact for block in made.blocks if isinstance(block, Facts) for fact in block.items]
    assert ("Measured area", told) in facts
    (maxima,) = [block for block in made.blocks if isinstance(block, Table) and "maxima" in block.key]
    assert f"Measured area: {told}." in maxima.notes


def test_areas_that_follow_from_profiles_are_told_with_them(iodyno_says: CommandLine, tmp_path: Path) -> None:
    others = (
        OTHERS
        + "\n"
        + "".join(
            f'[[profile]]\nname = "{name}"\nrandom_share = 1\nread_share = 1\nblocks = "4k"\narea = "{at}"\n'
            for name, at in (("near", "32G"), ("far", "50%"))
        )
    )
    study = STUDY.replace('area = {{ start = "10%", length = "25%" }}', "").replace(
        '"database", "file-copy", "file-server"', '"near", "far", "database"'
    )
    (tmp_path / "areas.toml").write_text(study.format(others=others))
    assert iodyno_says("simulate", tmp_path / "areas.toml").code == 0
    with Store.open() as store:
        made = paper.build(store.load("latest"))
    facts = [fact for block in made.blocks if isinstance(block, Facts) for fact in block.items]
    told = "32 GB (near); 50% of the target (far); all of the target (Database)"
    assert ("Measured area", told) in facts
    notes = [note for block in made.blocks if isinstance(block, Table) for note in block.notes]
    assert not [note for note in notes if str(note).startswith("Measured area")]


def test_no_area_is_told_for_all_where_a_load_beside_has_another(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    """It would be that of the first loads alone."""
    near = '[[profile]]\nname = "near"\nrandom_share = 1\nread_share = 1\nblocks = "4k"\narea = "32G"\n'
    study = STUDY.replace('area = {{ start = "10%", length = "25%" }}', "").format(
        others=OTHERS + "\n" + near
    )
    for beside, told in (("database", True), ("near", False)):
        text = f'{study}[[sweep.beside]]\nprofile = "{beside}"\noutstanding = 1\n'
        (tmp_path / "areas.toml").write_text(text)
        said = iodyno_says("simulate", tmp_path / "areas.toml")
        assert said.code == 0, said.err
        with Store.open() as store:
            items = analyse(store.load("latest")).curves
        found = measured_areas(Messages("en"), (item.curve for item in items))
        assert found == ("all of the target" if told else "")


@pytest.mark.parametrize(
    ("area", "expected"),
    [
        ("100%", "all of the target"),
        ("12.5%", "12.5% of the target"),
        ("32G", "32 GB"),
        ({"start": "64G", "length": "32G"}, "32 GB from 64 GB on"),
        ({"start": "50%", "length": "50%"}, "50% of the target from 50% on"),
    ],
)
def test_an_area_is_written_as_it_was_asked_for(area: object, expected: str) -> None:
    assert area_text(Messages("en"), Area.model_validate(area)) == expected
