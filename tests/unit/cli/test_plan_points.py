"""Plans as they are printed: every column there is, readable in a hundred columns, seeds whole."""

from __future__ import annotations

import io
import re
from collections import Counter
from pathlib import Path

import pytest

from command_line import CommandLine
from iodyno.cli.plan_points import columns_of, headed
from iodyno.cli.plan_text import print_plan
from iodyno.cli.wording import profile_text
from iodyno.plan import Plan, PlannedTarget
from iodyno.units import GIB

WIDTH = 100
UNITS = ("primequest-2800e3", "--profile", "database", "--profile", "restore", "--outstanding", "1,512")
CONNECTIONS = ("nvme-host-connections",)


class Terminal(io.StringIO):
    """A text that calls itself a terminal."""

    def isatty(self) -> bool:
        """Say that it is one."""
        return True


def _tables(text: str) -> list[str]:
    """Give what stands after the facts about the whole plan."""
    return text[text.index("\nhash ") :].splitlines()[1:]


@pytest.mark.parametrize("study", [UNITS, CONNECTIONS])
def test_plans_of_many_volumes_fit(
    iodyno_says: CommandLine, monkeypatch: pytest.MonkeyPatch, study: tuple[str, ...]
) -> None:
    monkeypatch.setattr("iodyno.cli.console.WIDE", WIDTH)
    said = iodyno_says("simulate", *study, "--plan")
    assert said.code == 0
    lines = _tables(said.out)
    assert max(map(len, lines)) <= WIDTH
    plan = Plan.model_validate_json(iodyno_says("simulate", *study, "--plan", "--json").out)
    rows = [line.split() for line in lines if line.split() and line.split()[0].isdecimal()]
    rows = [row for row in rows if row[1] in {point.profile.name for point in plan.points}]
    assert [int(row[0]) for row in rows] == [point.index for point in plan.points]
    for row, point in zip(rows, plan.points, strict=True):
        assert row[1] == point.profile.name
        load = [str(point.workers), str(point.outstanding), str(point.outstanding_total)]
        assert f" {' '.join(load)} " in f"{' '.join(row)} "
    assert "`--json` gives the seed of each" in lines[-1]


@pytest.mark.parametrize(
    "study", [("p3700", "--only", "single-*"), ("raid-controllers",), UNITS, CONNECTIONS]
)
def test_a_point_of_a_simulation_has_one_line_on_a_terminal_of_80_columns(
    monkeypatch: pytest.MonkeyPatch, iodyno_says: CommandLine, study: tuple[str, ...]
) -> None:
    """Each had two, in two tables, or three. What is left out of the rows stands above."""
    plan = Plan.model_validate_json(iodyno_says("simulate", *study, "--plan", "--json").out)
    alike = [point for point in plan.points if len(set(map(_share, point.targets))) == 1]
    terminal = Terminal()
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("sys.stdout", terminal)
    print_plan(plan.model_copy(update={"points": tuple(alike)}), supposed=False, as_json=False)
    text = re.sub(r"\x1b\[[\d;]*m", "", terminal.getvalue())
    facts, lines = text[: text.index("\nhash ")], _tables(text)
    assert max(map(len, lines)) <= 80
    names = {point.profile.name for point in alike}
    rows = [words for line in lines if (words := line.split())[1:2] and words[1] in names]
    assert [int(row[0]) for row in rows] == [point.index for point in alike]
    broken = [line for line in lines if re.match(r" +[^\s\d#]", line) and not re.match(" +(out-|not)", line)]
    assert broken == []
    heads = next(line.split() for line in lines if line.lstrip().startswith("#"))
    for row, point in zip(rows, alike, strict=True):
        assert row[1] == point.profile.name
        assert str(point.outstanding) in row
        assert re.fullmatch(r"[\d,]+(–[\d,]+)?", row[-1])
        assert f"{point.profile.name}: {profile_text(point.profile)}" in facts
        assert "workers" in heads or re.search(rf"\nworkers +{point.workers}\b", facts)
        assert "all" in heads or point.outstanding_total == point.outstanding


def _share(target: PlannedTarget) -> tuple[int, int]:
    return target.area_length_bytes, target.area_start_bytes


def test_a_heading_says_what_its_points_share(iodyno_says: CommandLine) -> None:
    text = iodyno_says("simulate", *UNITS, "--plan", "--json").out
    plan = Plan.model_validate_json(text)
    found = headed(plan)
    assert [point for _, points in found for point in points] == list(plan.points)
    headings = [heading for heading, _ in found]
    assert len(set(headings)) == len(headings) == len(plan.systems)
    assert "full, full-hdd-fast-path-optimum, 8 volumes: " in headings[-1]
    area = {name: read for name, _, read in columns_of(plan)}["area"]
    point = next(point for point in plan.points if point.system == "full-ssd-performance")
    areas = Counter((one.area_length_bytes, one.area_start_bytes) for one in point.targets)
    said = [part.split() for part in area(point).split(", ")]
    assert [int(count) for count, *_ in said] == list(areas.values()) == [4, 4]
    for (_, _, length, _, _, start, _), planned in zip(said, areas, strict=True):
        assert (float(length), float(start)) == pytest.approx([each / GIB for each in planned], rel=1e-3)


def test_each_number_of_ios_says_of_which_points_it_is(iodyno_says: CommandLine) -> None:
    lines = iodyno_says("simulate", *UNITS, "--plan").out.splitlines()
    said = [line.split(": ")[0].split("points")[1].strip() for line in lines if "warm-up" in line]
    assert said == [
        "sweep controllers; database",
        "sweep controllers; restore",
        "sweep full; database",
        "sweep full; restore",
    ]
    lines = iodyno_says("simulate", *CONNECTIONS, "--plan").out.splitlines()
    said = [line.split(": ")[0].split("points")[1].strip() for line in lines if "warm-up" in line]
    assert said[0] == "1 target"
    assert said[1].endswith("2 targets")
    (once,) = [line for line in iodyno_says("plan", "quick").out.splitlines() if "warm-up" in line]
    assert once.startswith("each point ")


def test_a_number_of_ios_of_some_systems_says_of_which(iodyno_says: CommandLine, tmp_path: Path) -> None:
    study = tmp_path / "warm.toml"
    study.write_text(
        """
schema = 1
name = "warm"
title = "Warm"
[[sweep]]
name = "all"
profiles = ["database", "restore"]
outstanding = [1, 2]
[[configuration]]
name = "one{n}"
system = "p3700"
each = { n = [1, 2, 3, 4, 5] }
[[configuration]]
name = "two{n}"
system = "p3700"
each = { n = COUNT }
warmup_of = { restore = 800 }
"""
    )
    text = study.read_text()
    for count, systems in [("[1]", "two1"), ("[1, 2, 3, 4]", "4 of 9 systems")]:
        study.write_text(text.replace("COUNT", count))
        said = iodyno_says("simulate", str(study), "--plan")
        assert f"restore; {systems}: warm-up 800 I/Os," in " ".join(said.out.split()), said


def test_points_that_last_for_a_time_are_told_with_it(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """Eight beats of disks 0.2 % apart: 4000 revolutions, at 15,000 rpm in 16 s, at 7,200 in 33 s."""
    arrays = tmp_path / "arrays.toml"
    changes = 'controller = "praid-cp400i", backup_unit = false, level = "0", count = 8, mode = "performance"'
    drives = {"sas": "hgst-huc156045css204", "sata": "seagate-st91000640ns"}
    made = (
        f'[[configuration]]\nname = "{name}-{cache}"\ntitle = "{name} {cache}"\nsystem = "raid-controllers"\n'
        f'changes = {{ drive = "{drive}", drive_cache = "{cache}", {changes} }}\n'
        for cache in ("off", "on")
        for name, drive in drives.items()
    )
    head = 'schema = 1\nname = "arrays"\ntitle = "Arrays"\nquestion = "How long?"\n[simulation]\n'
    sweep = '[[sweep]]\nname = "all"\nprofiles = ["database", "restore"]\noutstanding = [8]\nworkers = [1]\n'
    arrays.write_text(head + "".join(made) + sweep)

    def told(*choices: str) -> str:
        said = iodyno_says("simulate", arrays, "--plan", *choices)
        assert said.code == 0, said.err
        found = re.search(r"^lasting +(.*\n(?: .*\n)*)", said.out, re.MULTILINE)
        return " ".join(found[1].split()) if found else ""

    last = "s of virtual time at the least, however many I/Os that is"
    assert f"16 to 33 {last}" in told()
    assert told().startswith("2 points, restore; sas-off, sata-off: ")
    assert told("--profile", "restore", "--only", "sas-off").startswith(f"16 {last}")
    assert told("--only", "*-on") == told("--profile", "database") == ""


def test_only_points_that_last_for_a_time_are_said_to(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """Of reads that is where several workers read, of writes where no cache answers them: with either."""
    disks = tmp_path / "disks.toml"
    changes = 'drive = "hgst-huc156045css204", level = "0", count = 8, mode = "performance"'
    uncached = 'controller = "praid-cp400i", backup_unit = false, drive_cache = "off"'
    made = (
        f'[[configuration]]\nname = "{name}"\ntitle = "{name}"\nsystem = "raid-controllers"\n'
        f"changes = {{ {changes}{more} }}\n"
        for name, more in (("cached", ""), ("plain", f", {uncached}"))
    )
    head = 'schema = 1\nname = "disks"\ntitle = "Disks"\nquestion = "How long?"\n[simulation]\n'
    sweep = (
        '[[sweep]]\nname = "all"\nprofiles = ["database", "streaming", "restore", "file-server"]\n'
        "outstanding = [8]\nworkers = [1, 2, 4]\n"
    )
    disks.write_text(head + "".join(made) + sweep)

    def told(*choices: str) -> list[str]:
        said = iodyno_says("simulate", disks, "--plan", *choices)
        assert said.code == 0, said.err
        found = re.findall(r"^lasting +(.*\n(?: .*\n)*)", said.out, re.MULTILINE)
        return [" ".join(text.split()).partition(": ")[0] for text in found]

    assert told() == ["4 points, streaming; 2, 4 workers", "3 points, restore; plain"]
    assert told("--profile", "streaming") == ["4 points, 2, 4 workers"]
    assert told("--profile", "streaming", "--workers", "1,2") == ["2 points, 2 workers"]
    assert told("--profile", "streaming", "--profile", "restore", "--only", "plain") == [
        "2 points, streaming; 2, 4 workers",
        "3 points, restore",
    ]
    disks.write_text(disks.read_text() + 'workers_area = ["shared", "stream"]\n')
    assert told("--profile", "streaming", "--workers", "2") == ["2 points, one area for all workers"]


def test_what_is_said_once_is_in_no_column(iodyno_says: CommandLine, tmp_path: Path) -> None:
    said = iodyno_says("plan", "quick")
    assert "\narea        2G\n" in said.out
    assert "\nengine      auto\n" in said.out
    (words,) = [line.split() for line in said.out.splitlines() if line.lstrip().startswith("#")]
    assert words == ["#", "profile", "access", "workers", "standing", "in", "all", "seed"]
    plan = Plan.model_validate_json(iodyno_says("plan", "quick", "--json").out)
    assert all(f" {point.seed}\n" in said.out for point in plan.points)
    study = tmp_path / "engines.toml"
    study.write_text(
        'name = "n"\ntitle = "T"\n[[sweep]]\nname = "s"\nprofiles = "database"\noutstanding = 1\n'
        'engine = ["io_uring", "aio"]\n[[sweep]]\nname = "t"\nprofiles = "database"\noutstanding = 1\n'
        'area = "50%"\n'
    )
    out = iodyno_says("plan", study).out
    assert "engine" in [
        word for line in out.splitlines() if line.lstrip().startswith("#") for word in line.split()
    ]
    headings = [line for line in out.splitlines() if line.startswith(("s, ", "t, "))]
    assert len(headings) == 2
    assert headings[0].split(", ")[1] != headings[1].split(", ")[1]


def test_seeds_are_shown_where_there_is_room_for_them(
    iodyno_says: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a terminal of 80 columns they broke every row in two, for numbers of 19 digits."""
    monkeypatch.setattr("iodyno.cli.console.WIDE", 80)
    said = iodyno_says("plan", "quick")
    lines = _tables(said.out)
    (words,) = [line.split() for line in lines if line.lstrip().startswith("#")]
    assert words == ["#", "profile", "access", "workers", "standing", "in", "all"]
    assert len([line for line in lines if line.split()[:1] and line.split()[0].isdecimal()]) == 50 + 1
    assert not any(line.strip() == "kB" for line in lines)
    assert "`--json` gives the seed of each" in lines[-1]
    monkeypatch.setattr("iodyno.cli.console.WIDE", 100)
    wide = iodyno_says("plan", "quick").out
    assert "seed of each" not in wide
    assert wide.count("\n") == said.out.count("\n")
