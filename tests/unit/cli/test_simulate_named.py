"""Systems that a command line names: each has a short name of its own, whatever its file is called."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import Bench, CommandLine
from iodyno.store import Store
from iodyno.study.naming import configurations_of

SYSTEM = """
name = "{name}"
[host]
processor = "xeon-e5-2637-v3"
software = "windows-2012-ntfs-nvme"
[[drives]]
drive = "intel-p3700-800"
"""
LOAD = ("--profile", "database", "--outstanding", "1")


def system(path: Path, name: str) -> str:
    path.parent.mkdir(exist_ok=True)
    path.write_text(SYSTEM.format(name=name))
    return str(path)


def named(*given: str) -> list[str]:
    return [item.name for item in configurations_of(given)]


def test_files_called_alike_in_two_folders_are_two_systems(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path
) -> None:
    old, new = (
        system(tmp_path / "old" / "array.toml", "bought"),
        system(tmp_path / "new" / "array.toml", "asked"),
    )
    on = ("quick", "--on", old, "--on", new, *LOAD)
    assert iodyno_says("simulate", *on).code == 0
    with Store.open(tmp_path / "runs.db") as store:
        stored = store.load("latest")
    assert [result.point.system for result in stored.results] == ["bought", "asked"]
    assert len(json.loads(iodyno_says("simulate", *on, "--analytic", "--json").out)) == 2
    search = ("search", "--on", old, "--on", new, "--profile", "database", "--p99", "5ms", "--plan", "--json")
    points = json.loads(iodyno_says(*search).out)["points"]
    assert {point["system"] for point in points} == {"bought", "asked"}
    assert iodyno_says("export", "latest", "-o", tmp_path / "all.csv").code == 0
    assert {"bought", "asked"} <= set((tmp_path / "all.csv").read_text().replace("\n", ",").split(","))


def test_files_that_call_themselves_alike_too_are_called_by_their_folders(tmp_path: Path) -> None:
    given = [system(tmp_path / folder / "array.toml", "array") for folder in ("Old", "new")]
    assert named(*given) == ["old-array", "new-array"]
    assert [item.title for item in configurations_of(given)] == ["array (old-array)", "array (new-array)"]


def test_where_nothing_tells_them_apart_they_are_numbered(tmp_path: Path) -> None:
    given = [system(tmp_path / file, "same") for file in ("raid 5.toml", "raid-5.toml", "raid_5.toml")]
    assert named(*given) == ["raid-5", "raid-5-2", "raid-5-3"]


def test_a_file_called_like_a_system_of_the_catalogue_is_another(tmp_path: Path) -> None:
    own = system(tmp_path / "p3700.toml", "mine")
    assert named(own, "p3700") == ["mine", "p3700"]
    again = system(tmp_path / "sub" / "p3700.toml", "p3700")
    assert named("p3700", again) == ["p3700", "sub-p3700"]


def test_a_name_that_another_file_has_is_not_taken(tmp_path: Path) -> None:
    given = [
        system(tmp_path / "a" / "array.toml", "one"),
        system(tmp_path / "b" / "array.toml", "two"),
        system(tmp_path / "one.toml", "three"),
    ]
    assert named(*given) == ["a-array", "b-array", "one"]


def test_one_file_is_one_system_by_whatever_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = system(tmp_path / "array.toml", "array")
    monkeypatch.chdir(tmp_path)
    Path("link.toml").symlink_to("array.toml")
    assert [item.system for item in configurations_of(["array.toml", "./array.toml", file, "link.toml"])] == [
        "array.toml"
    ]


def test_a_system_that_is_named_twice_is_told(
    iodyno_says: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was simulated once, without a word."""
    system(tmp_path / "array.toml", "array")
    monkeypatch.chdir(tmp_path)
    search = ("search", "--profile", "database", "--p99", "5ms")
    for command in (("simulate", "quick", *LOAD), search):
        said = iodyno_says(*command, "--on", "p3700", "--on", "array.toml", "--on", "p3700", "--plan")
        assert (said.code, said.out) == (2, "")
        assert said.err == "error: --on: p3700 is named twice\nhint: name each system once\n"
    said = iodyno_says("simulate", "quick", *LOAD, "--on", "array.toml", "--on", "./array.toml", "--plan")
    assert "error: --on: ./array.toml is the same as array.toml\n" in said.err
    both = ("--on", "p3700", "--on", "p3700", "--on", "p370")
    for more in ((), ("--nosuch",)):
        said = iodyno_says("simulate", "quick", *LOAD, *both, *more)
        assert "p3700 is named twice" in said.err
        assert "p370: there is no system of this name" in said.err


def test_letters_beyond_ascii_are_spelled_or_the_system_names_itself(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    sized, foreign = system(tmp_path / "Größe.toml", "a"), system(tmp_path / "日本.toml", "our-array")
    assert named(sized, foreign) == ["groesse", "our-array"]
    assert named(str(tmp_path / "無.toml")) == ["system"]
    said = iodyno_says("simulate", "quick", "--on", foreign, *LOAD, "--plan", "--json")
    assert (said.code, {point["system"] for point in json.loads(said.out)["points"]}) == (0, {"our-array"})


@pytest.mark.parametrize("folder", [".", "..", "/"])
def test_a_folder_is_no_system(iodyno_says: CommandLine, folder: str) -> None:
    said = iodyno_says("simulate", "quick", "--on", folder, *LOAD, "--plan")
    checked = iodyno_says("catalog", "check", folder)
    assert (said.code, said.err) == (checked.code, checked.err)
    assert (said.code, "cannot be read: is a directory" in said.err) == (2, True)
    assert "`iodyno catalog list system`" in said.err


STUDY = """
schema = 1
name = "two-of-ours"
title = "Two of ours"
[[configuration]]
name = "{which}"
system = "{file}"
each.which = [{ which = "one", file = "systems/one.toml" }, { which = "shipped", file = "p3700" }]
[[sweep]]
name = "all"
profiles = ["database"]
outstanding = 1
"""


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a study in a folder below the working directory, with a system in a folder of its own."""
    (tmp_path / "ours").mkdir()
    system(tmp_path / "ours" / "systems" / "one.toml", "one")
    (tmp_path / "ours" / "study.toml").write_text(STUDY)
    monkeypatch.chdir(tmp_path)
    return Path("ours/study.toml")


def test_a_path_in_a_study_is_seen_from_its_folder(
    iodyno_says: CommandLine, bench: Bench, written: Path
) -> None:
    said = iodyno_says("simulate", written)
    assert (said.code, said.err) == (0, "")
    with Store.open(Path("runs.db")) as store:
        plan = store.load("latest").run.plan
    assert [item["system"] for item in plan.study_source["configuration"]] == [
        "ours/systems/one.toml",
        "p3700",
    ]
    wrong = written.with_name("wrong.toml")
    wrong.write_text(STUDY.replace("outstanding = 1", "outstanding = 0"))
    assert "systems/one.toml" not in iodyno_says("simulate", wrong).err


def test_a_path_from_the_working_directory_is_found_too(iodyno_says: CommandLine, written: Path) -> None:
    system(Path("other.toml"), "other")
    written.write_text(STUDY.replace("systems/one.toml", "other.toml"))
    assert iodyno_says("simulate", written, "--plan").code == 0


def test_a_system_that_is_not_there_is_told_with_study_and_configuration(
    iodyno_says: CommandLine, written: Path
) -> None:
    written.write_text(STUDY.replace("one.toml", "none.toml").replace("p3700", "p370"))
    said = iodyno_says("simulate", written, "--plan")
    first, _, second, hint = said.err.splitlines()
    assert said.code == 2
    assert first == (
        f"error: {written}:7: one: system: ours/systems/none.toml: cannot be read: no such file or directory"
    )
    assert second == f"error: {written}:7: shipped: system: p370: there is no system of this name"
    assert "did you mean p3700?" in hint


def test_what_is_wrong_with_a_system_that_was_named_is_in_no_line_of_the_study(
    iodyno_says: CommandLine, written: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.toml"
    other.write_text(SYSTEM.format(name="other").replace("drive =", "drivee ="))
    said = iodyno_says("simulate", written, "--on", other, "--plan")
    assert said.code == 2
    assert "other.toml" in said.err
    assert str(written) not in said.err
    said = iodyno_says("simulate", written, "--on", "p370", "--plan")
    assert said.err.startswith("error: p370: there is no system of this name")


def hash_of(iodyno_says: CommandLine, *asked: str) -> str:
    planned = iodyno_says("simulate", *asked, "--plan").out
    (line,) = [line.split() for line in planned.splitlines() if line.startswith("hash ")]
    return line[1]


def test_the_hash_of_a_plan_knows_no_folder_of_a_system(
    iodyno_says: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It tells plans apart: by what is in a system and what that is called, however one comes to the file."""
    here, there = (system(tmp_path / folder / "array.toml", "array") for folder in ("here", "there"))
    found = hash_of(iodyno_says, "quick", "--on", here)
    assert hash_of(iodyno_says, "quick", "--on", there) == found
    monkeypatch.chdir(tmp_path)
    assert hash_of(iodyno_says, "quick", "--on", "there/array.toml") == found
    Path(there).write_text(SYSTEM.format(name="array").replace("p3700-800", "p3700-1600"))
    assert hash_of(iodyno_says, "quick", "--on", there) != found
    renamed = Path(here).rename(tmp_path / "here" / "other.toml")
    assert hash_of(iodyno_says, "quick", "--on", str(renamed)) != found


def test_a_run_on_a_system_in_a_file_goes_on_and_is_compared(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path
) -> None:
    here, there = (system(tmp_path / folder / "array.toml", "array") for folder in ("here", "there"))
    bench.interrupt_at = 1
    assert iodyno_says("simulate", "quick", "--on", here, *LOAD[:2]).code == 130
    bench.interrupt_at = None
    Path(here).unlink()
    assert iodyno_says("simulate", "--resume", "latest").code == 0
    assert iodyno_says("simulate", "quick", "--on", there, *LOAD[:2]).code == 0
    with Store.open(tmp_path / "runs.db") as store:
        first, second = (store.load(name) for name in ("latest~1", "latest"))
    assert first.run.config_hash == second.run.config_hash
    assert iodyno_says("compare", first.run.id, second.run.id).code == 0
