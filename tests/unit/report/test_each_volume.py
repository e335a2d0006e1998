"""Volumes of a virtual system that are loaded each for itself are told apart, and loads that are unlike."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from command_line import CommandLine
from iodyno.report import paper
from iodyno.report.document import Bullets, Document, Table
from iodyno.report.messages import plain
from iodyno.store import Store

SYSTEM = """
name = "{name}"
[host]
processor = "epyc-9354"
software = "linux-nvme"
[[drives]]
name = "fast"
drive = "{fast}"
[[drives]]
name = "slow"
drive = "intel-p3700-800"
"""
STUDY = """
schema = 1
name = "volumes"
title = "Volumes"
{configurations}
[simulation]
warmup_ios = 500
floor_ios = 1000
cap_ios = 2000
[[sweep]]
name = "each"
profiles = ["restore"]
targets = "each"
outstanding = 32
[[sweep]]
name = "alone"
profiles = ["database"]
targets = [1]
outstanding = 32
[[sweep]]
name = "beside"
profiles = ["database"]
targets = [1]
outstanding = 16
[[sweep.beside]]
profile = "streaming"
outstanding = 4
"""


def simulate(iodyno_says: CommandLine, folder: Path, systems: int, text: str = STUDY) -> str:
    """Simulate one or two systems with two volumes each, and give what the terminal says."""
    drives = {"new": "samsung-pm9a3-3840", "old": "intel-p3700-800"}
    configurations = ""
    for name in list(drives)[:systems]:
        (folder / f"{name}.toml").write_text(SYSTEM.format(name=name, fast=drives[name]))
        configurations += f'[[configuration]]\nname = "{name}"\nsystem = "{name}.toml"\n'
    study = folder / "volumes.toml"
    study.write_text(text.format(configurations=configurations))
    done = iodyno_says("simulate", study)
    assert done.code == 0, done.err
    return done.out


@pytest.fixture(params=[1, 2])
def said(request: pytest.FixtureRequest, iodyno_says: CommandLine, tmp_path: Path) -> str:
    """Give what the terminal says of one system, and of two."""
    return simulate(iodyno_says, tmp_path, request.param)


def built(language: str = "en") -> Document:
    with Store.open() as store:
        return paper.build(store.load("latest"), language)


def test_the_terminal_names_each_volume(said: str, iodyno_says: CommandLine) -> None:
    rows = re.findall(r"^Restore, on (\S+) ", said, re.MULTILINE)
    systems = len(re.findall("^each: ", said, re.MULTILINE))
    assert rows == ["fast", "slow"] * systems
    shown = re.findall(r"Restore: sequential, write, 64 kB, on (\S+)\n", iodyno_says("show").out)
    assert shown == ["fast", "slow"] * systems


def test_the_paper_tells_the_volumes_apart(said: str) -> None:
    (table,) = [block for block in built().blocks if getattr(block, "key", "") == "table-bottlenecks"]
    assert isinstance(table, Table)
    rows = [plain(row[0].text) for row in table.rows]
    assert len(set(rows)) == len(rows)
    volumes = re.findall(r"^Restore.*, (fast|slow)\b", "\n".join(rows), re.MULTILINE)
    assert volumes == ["fast", "slow"] * len(re.findall("^each: ", said, re.MULTILINE))


def test_the_disclosure_names_each_volume(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """Of many curves each has a row there, with the system as the command takes it."""
    simulate(iodyno_says, tmp_path, 2, STUDY.replace('profiles = ["restore"]', 'set = "field"'))
    (table,) = [block for block in built().blocks if getattr(block, "key", "") == "table-disclosure-each"]
    assert isinstance(table, Table)
    named = [plain(row[0].text) for row in table.rows if row[0].text]
    assert {"new (fast)", "new (slow)", "old (fast)", "old (slow)"} == set(named)


def advice(document: Document) -> list[str]:
    return [plain(text) for block in document.blocks if isinstance(block, Bullets) for text in block.items]


def test_nobody_is_told_to_choose_between_unlike_loads(said: str) -> None:
    """Database alone was 1.8 times the next: that of the same system beside a stream."""
    chosen = [text for text in advice(built()) if text.startswith("For Database, choose")]
    factors = [float(re.findall(r"is ([\d.]+) (?:\(.*?\) )?times", text)[0]) for text in chosen]
    with Store.open() as store:
        results = store.load("latest").results
    alone = [
        one.reading.transaction_rate_io_s
        for one in results
        if one.point.sweep == "alone" and one.point.profile.name == "database"
    ]
    if len(alone) == 1:
        assert not chosen
    else:
        assert factors == [pytest.approx(max(alone) / min(alone), rel=0.01)]


PART = """
schema = 1
name = "part"
title = "A part"
{configurations}
[simulation]
warmup_ios = 500
floor_ios = 1000
cap_ios = 2000
[[sweep]]
name = "one"
profiles = ["database"]
targets = [1]
workers = [1, 2]
outstanding = 32
[[sweep]]
name = "both"
profiles = ["database"]
outstanding = 32
[[sweep]]
name = "beside"
profiles = ["restore"]
targets = [1]
outstanding = 32
[[sweep.beside]]
profile = "streaming"
targets = [2]
outstanding = 4
"""
THREE = SYSTEM + '[[drives]]\nname = "third"\ndrive = "intel-p3700-800"\n'
ONE = PART.partition('[[sweep]]\nname = "both"')[0]


def limited(language: str = "en") -> list[str]:
    """Name the maxima in the table of what limits them."""
    tables = [block for block in built(language).blocks if isinstance(block, Table)]
    (table,) = (table for table in tables if table.key == "table-bottlenecks")
    return [plain(row[0].text) for row in table.rows]


@pytest.mark.parametrize("systems", [1, 2])
def test_who_loads_some_volumes_of_a_system_is_not_called_by_its_name_alone(
    systems: int, iodyno_says: CommandLine, tmp_path: Path
) -> None:
    """What loads both, in one load or in two, is what the name of the system says."""
    said = simulate(iodyno_says, tmp_path, systems, PART)
    places = [", new", ", old"][:systems] if systems > 1 else [""]
    workers = ("1 worker", "2 workers")
    assert limited() == [
        *(f"Database{place}, only fast of 2 targets, {count}" for place in places for count in workers),
        *(f"Database{place}" for place in places),
        *(f"Restore beside Streaming{place}" for place in places),
    ]
    assert len(re.findall(r"^Database, (?:1 worker|2 workers), on fast ", said, re.MULTILINE)) == 2 * systems
    assert len(re.findall(r"^Database +\d", said, re.MULTILINE)) == systems
    if systems == 1:
        assert "table-scaling-one" in {block.key for block in built().blocks if isinstance(block, Table)}


@pytest.mark.parametrize(
    ("language", "name"), [("de", "nur fast von 2 Zielen"), ("ja", "ターゲット 2 個中 fast のみ")]
)
def test_some_volumes_of_a_system_are_named_in_each_language(
    language: str, name: str, iodyno_says: CommandLine, tmp_path: Path
) -> None:
    simulate(iodyno_says, tmp_path, 1, ONE)
    assert name in limited(language)[0]
    shown = re.findall(r"Database: random, 67% read, 8 kB(.*)\n", iodyno_says("show", "--stations").out)
    assert [text.partition(", maximum")[0] for text in shown] == [", on fast", ", 2 workers, on fast"] * 2


def test_volumes_that_a_configuration_names_are_all_that_its_name_stands_for(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    text = ONE.replace("\n[simulation]", '\nvolumes = ["slow"]\n[simulation]')
    simulate(iodyno_says, tmp_path, 2, text)
    assert [name for name in limited() if "old" in name] == [
        f"Database, old, {n}" for n in ("1 worker", "2 workers")
    ]


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_a_cover_has_no_brackets_in_brackets(language: str, iodyno_says: CommandLine, tmp_path: Path) -> None:
    """What level configurations share stood in brackets, and which of their volumes they load has its own."""
    one = '[[configuration]]\nname = "{0}"\ntitle = "The system {0}"\nsystem = "{0}.toml"\n'
    configurations = "".join(one.format(name) for name in ("new", "old"))
    text = ONE.replace("{configurations}", configurations).replace("workers = [1, 2]", "workers = 1")
    text = text.replace("outstanding = 32", "outstanding = [1, 32]").replace(
        "cap_ios = 2000", "cap_ios = 9000"
    )
    text = text.replace("targets = [1]", "targets = [1, 3]")
    same = THREE.format(name="new", fast="intel-p3700-800")
    (tmp_path / "new.toml").write_text(same)
    (tmp_path / "old.toml").write_text(same)
    (tmp_path / "level.toml").write_text(text)
    done = iodyno_says("simulate", tmp_path / "level.toml")
    assert done.code == 0, done.err
    names = [name for name, _, _ in built(language).title_page.summary]
    assert any("2" in name and "3" in name for name in names)
    assert not [name for name in names if re.search(r"[(（][^)）]*[(（]", name)]


def test_some_of_several_volumes_are_counted(iodyno_says: CommandLine, tmp_path: Path) -> None:
    text = ONE.replace("targets = [1]", "targets = [1, 3]")
    (tmp_path / "new.toml").write_text(THREE.format(name="new", fast="intel-p3700-800"))
    study = text.replace("{configurations}", '[[configuration]]\nname = "new"\nsystem = "new.toml"\n')
    (tmp_path / "some.toml").write_text(study)
    assert iodyno_says("simulate", tmp_path / "some.toml").code == 0
    assert limited()[0] == "Database, 2 of 3 targets (fast, third), 1 worker"


def test_the_terminal_tells_areas_of_workers_apart(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """Of both the better was shown, as if it had been asked alone."""
    text = ONE.replace("targets = [1]\n", "").replace("[1, 2]", '2\nworkers_area = ["shared", "own"]')
    rows = re.findall(r"^Database(, .*?) {2,}", simulate(iodyno_says, tmp_path, 2, text), re.MULTILINE)
    areas = ("one area for all workers", "an area of its own for each worker")
    assert rows == [f", {area}" for area in areas] * 2
