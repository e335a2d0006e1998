"""Runs on unlike systems and under unlike loads: what is compared is said, and what is not is named."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from command_line import CommandLine
from factories import at_once
from iodyno.analysis.matching import method
from iodyno.report import paper
from iodyno.report.document import Callout, Heading, Paragraph
from iodyno.report.messages import plain
from iodyno.store import Store
from virtual_systems import two_drives

Simulate = Callable[..., str]
LOADS = ("--outstanding", "1,2", "--area", "8G", "--floor-ios", "2000", "--cap-ios", "2000")


@pytest.fixture
def simulate(iodyno_says: CommandLine) -> Simulate:
    """Give a function that simulates `quick` on systems, and gives the run's id."""

    def run(*systems: str, profiles: tuple[str, ...] = ("database",), loads: tuple[str, ...] = LOADS) -> str:
        on = [word for name in systems for word in ("--on", name)]
        chosen = [word for name in profiles for word in ("--profile", name)]
        said = iodyno_says("simulate", "quick", *on, *chosen, *loads)
        assert said.code == 0, said.err
        (found,) = re.findall(r"run (\S+) finished", said.out)
        return str(found)

    return run


def test_sizes_of_volumes_are_those_of_the_catalogue(simulate: Simulate, iodyno_says: CommandLine) -> None:
    """Base 10: a drive of 800 GB was one of 745 GB here."""
    runs = simulate("p3700"), simulate("raid-controllers")
    listed = [iodyno_says("catalog", "check", name).out for name in ("p3700", "raid-controllers")]
    found = re.search(r"different size: (.+) and (.+)", iodyno_says("compare", *runs).out)
    assert found
    assert all(size in text for size, text in zip(found.groups(), listed, strict=True))


def test_runs_without_a_point_in_common_have_no_figures_that_differ(simulate: Simulate) -> None:
    """A difference of figures "can come from that", said a paper that compared none."""
    first, second = simulate("p3700"), simulate("p3700", loads=("--outstanding", "3", *LOADS[2:]))
    with Store.open() as store:
        one, other = store.load(first), store.load(second)
    older = other.run.model_copy(update={"tool": other.run.tool.model_copy(update={"version": "0.0.1"})})
    document = paper.build(one, beside=(other.model_copy(update={"run": older}),))
    told = [plain(block.text) for block in document.blocks if isinstance(block, Callout)]
    assert "The runs differ in the version of the tool." in told


def test_two_systems_under_one_study_are_compared_and_named(
    iodyno_says: CommandLine, simulate: Simulate
) -> None:
    first, second = simulate("p3700"), simulate("raid-controllers")
    said = iodyno_says("compare", first, second)
    assert said.code == 0
    assert "first    quick, simulated on p3700\nfurther  quick, simulated on raid-controllers\n" in said.out
    assert "different system: p3700 and raid-controllers" in said.out
    with Store.open() as store:
        document = paper.build(store.load(first), beside=(store.load(second),))
    text = "\n".join(plain(block.text) for block in document.blocks if isinstance(block, Paragraph))
    assert "The system of this run is p3700, that of the other raid-controllers." in text


def test_a_ratio_of_thousandths_keeps_its_digits_and_its_interval(
    iodyno_says: CommandLine, simulate: Simulate
) -> None:
    """A mirror of disks beside SSDs behind a controller: 0.007 (0.007–0.007) told next to nothing."""
    loads = ("--outstanding", "64", *LOADS[2:])
    first, second = simulate("raid-controllers", loads=loads), simulate("raid-onboard", loads=loads)
    (row,) = re.findall(r"^ +64 .*slower", iodyno_says("compare", first, second).out, re.MULTILINE)
    (ratio, low, high), (latency, least, most) = re.findall(r"([\d.,]+) \(([\d.]+)–([\d.]+)\)", row)
    assert 0 < float(low) < float(ratio) < float(high) < 0.02
    assert 50 < float(least) < float(latency) < float(most)
    assert len(latency) <= 4
    said = json.loads(iodyno_says("compare", first, second, "--json").out)
    assert float(ratio) == pytest.approx(said[0]["points"][0]["ratio"]["value"], rel=0.01)


@pytest.mark.parametrize(
    ("language", "faster", "slower"),
    [
        ("en", "The other run is faster at every load.", "The other run is slower at every load."),
        (
            "de",
            "Der andere Lauf ist bei jeder Last schneller.",
            "Der andere Lauf ist bei jeder Last langsamer.",
        ),
        ("ja", "すべての負荷で、他の実行のほうが高速です。", "すべての負荷で、他の実行のほうが低速です。"),
    ],
)
def test_a_run_that_is_faster_at_every_load_has_them_not_listed(
    simulate: Simulate, language: str, faster: str, slower: str
) -> None:
    first, second = simulate("raid-onboard"), simulate("p3700")
    for run, other, told in ((first, second, faster), (second, first, slower)):
        with Store.open() as store:
            document = paper.build(store.load(run), language, beside=(store.load(other),))
        said = "\n".join(plain(block.text) for block in document.blocks if isinstance(block, Paragraph))
        assert told in said
        assert "1 and 2." not in said


def test_of_several_systems_the_one_of_the_same_name_is_compared_and_the_rest_is_named(
    iodyno_says: CommandLine, simulate: Simulate
) -> None:
    one = simulate("p3700", profiles=("database", "streaming"))
    two = simulate("raid-controllers", "p3700", loads=("--outstanding", "1,4", *LOADS[2:]))
    said = iodyno_says("compare", one, two)
    assert (said.code, said.err) == (0, "")
    assert "\np3700, Database (area 8 GB): random" in said.out
    assert (
        f"only in {one}: 3 points\n"
        "  p3700, Database (area 8 GB) at 2 outstanding I/Os: 1 point\n"
        "  p3700, Streaming (area 8 GB): 2 points\n"
        f"only in {two}: 3 points\n"
        "  raid-controllers: 2 points\n"
        "  p3700, Database (area 8 GB) at 4 outstanding I/Os: 1 point\n"
    ) in said.out
    (found,) = json.loads(iodyno_says("compare", one, two, "--json").out)
    assert [len(found[key]) for key in ("points", "only_base", "only_other")] == [1, 3, 3]
    with Store.open() as store:
        document = paper.build(store.load(one), beside=(store.load(two),))
    text = "\n".join(plain(block.text) for block in document.blocks if isinstance(block, Paragraph))
    assert f"3 points of run {one} have no counterpart: p3700, Database (area 8 GB), at 2 outst" in text
    assert f"3 points of run {two} have no counterpart: raid-controllers; p3700, Database" in text
    heads = [block.text for block in document.blocks if isinstance(block, Heading)]
    assert "Database (area 8 GB), p3700" in heads


def test_what_has_nothing_in_common_is_refused_and_said_why(
    iodyno_says: CommandLine, simulate: Simulate, tmp_path: Path
) -> None:
    base = simulate("p3700")
    several = simulate("raid-controllers", "nvme-host-connections")
    deep = simulate("p3700", loads=("--outstanding", "3", *LOADS[2:]))
    other = simulate("p3700", profiles=("streaming",))
    reasons = {
        several: "no system in common: {base} has p3700; {other} has raid-controllers and nvme-host-conn",
        deep: "no load in common: {base} has 1 worker on 1 target at 1 and 2 outstanding I/Os; {other} has 1 "
        "worker on 1 target at 3 outstanding I/Os",
        other: "no load profile in common: {base} has Database (area 8 GB); "
        "{other} has Streaming (area 8 GB)",
    }
    for run, reason in reasons.items():
        why = reason.format(base=base, other=run)
        said = iodyno_says("compare", base, run)
        assert said.code == 2
        assert f"error: {run} cannot be compared with {base}: {why}" in said.err
        assert said.err.count("hint: ") == 1
        assert iodyno_says("compare", base, run, "--json").code == 2
        assert iodyno_says("compare", base, run, base, "--fail-if-slower", "5%").code == 2
    # A paper would compare nothing: all such runs are named at once, and no file is written.
    beside = [word for run in reasons for word in ("--beside", run)]
    said = iodyno_says("report", base, *beside, "-o", tmp_path / "paper.html")
    assert (said.code, said.err.count("error: ")) == (2, len(reasons))
    assert not (tmp_path / "paper.html").exists()


AT_ONCE = """
schema = 1
name = "two"
title = "Two"
[simulation]
warmup_ios = 100
floor_ios = 200
cap_ios = 200
[[configuration]]
name = "a"
[configuration.system]
name = "a"
host = {{ processor = "xeon-e5-2637-v3", software = "linux-nvme" }}
drives = [{{ drive = "intel-p3700-800", count = 2 }}]
[[sweep]]
name = "one"
profiles = ["database"]
outstanding = [1, 2]
targets = [1]
{beside}
"""
BESIDE = "[[sweep.beside]]\nprofile = 'streaming'\noutstanding = {outstanding}\ntargets = [{target}]"

BOTH = f"""{BESIDE.format(outstanding=8, target=2)}
[[sweep]]
name = "other"
profiles = ["database"]
outstanding = [1]
targets = [1]
{BESIDE.format(outstanding=3, target=2)}"""


def test_loads_at_once_that_differ_are_why_nothing_is_compared(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    """That nobody could tell which points belong together was said, with two equal texts."""
    runs = []
    for beside in (BESIDE.format(outstanding=4, target=2), BESIDE.format(outstanding=8, target=2),
                   BESIDE.format(outstanding=4, target=1), "", BOTH):  # fmt: skip
        (tmp_path / "two.toml").write_text(AT_ONCE.format(beside=beside))
        assert iodyno_says("simulate", tmp_path / "two.toml", "-q").code == 0
        runs.append(json.loads(iodyno_says("show", "latest", "--json").out)["run"]["id"])
    base, *others = runs
    said_of = (
        "beside Streaming (8, on target 2)",
        "beside Streaming (4, on target 1)",
        "outstanding I/Os",
        "beside Streaming (8, on target 2) and 1 worker on 1 target at 1 outstanding I/O beside Streaming "
        "(3, on target 2)",
    )
    own = f"{base} has 1 worker on 1 target at 1 and 2 outstanding I/Os beside Streaming (4, on target 2)"
    for other, told in zip(others, said_of, strict=True):
        said = iodyno_says("compare", base, other)
        assert said.code == 2
        line = said.err.partition("\nhint: make both with the same loads at once")[0]
        assert f"no load in common: {own}" in line
        assert line.endswith(told)
    assert iodyno_says("compare", base, base).code == 0


def test_a_measured_run_stands_beside_one_system_only(iodyno_says: CommandLine, simulate: Simulate) -> None:
    simulated = simulate("raid-controllers", "p3700")
    with Store.open() as store:
        stored = store.load(simulated)
        points = tuple(
            point.model_copy(update={"system": None, "engine": "auto"})
            for point in stored.run.plan.points[:2]
        )
        plan = stored.run.plan.model_copy(update={"points": points, "systems": {}})
        measured = stored.run.model_copy(
            update={"id": "20260101-000000-aaaa", "plan": plan, "simulated": False}
        )
        store.create_run(measured)
        for point, result in zip(points, stored.results, strict=False):
            store.add(measured.id, result.model_copy(update={"point": point}))
        store.finish(measured.id, "finished")
    said = iodyno_says("compare", measured.id, simulated)
    assert said.code == 2
    assert "is on 2 systems: raid-controllers and p3700; nothing says which of them stands beside" in said.err
    assert "simulate one of them alone" in said.err
    alone = simulate("p3700", profiles=("database", "streaming"))
    said = iodyno_says("compare", measured.id, alone)
    assert (said.code, "different simulated: measured and simulated" in said.out) == (0, True)
    assert "\nDatabase (area 8 GB): random" in said.out  # of one system on either side none is named
    assert "engine auto" not in said.out


@pytest.mark.parametrize(
    ("rates", "told"),
    [
        ("1000,2000", "at an offered rate of 2,000 IO/s."),
        ("1000,2000,3000", "at offered rates of 2,000 and 3,0"),
    ],
)
def test_rates_without_a_counterpart_are_named(simulate: Simulate, rates: str, told: str) -> None:
    one = simulate("p3700", loads=("--rate", rates, *LOADS[2:]))
    two = simulate("p3700", loads=("--rate", "1000", *LOADS[2:]))
    with Store.open() as store:
        document = paper.build(store.load(one), beside=(store.load(two),))
    text = "\n".join(plain(block.text) for block in document.blocks if isinstance(block, Paragraph))
    assert f"no counterpart: p3700, Database (area 8 GB), {told}" in text


def test_areas_are_written_as_papers_write_them(iodyno_says: CommandLine, simulate: Simulate) -> None:
    """`Database (area 8G)` stood here, and in the paper `Database (area 8 GB)`."""
    first = simulate("p3700", profiles=("database", "streaming"))
    said = iodyno_says("compare", first, simulate("p3700")).out
    assert "Database (area 8 GB): random, 67% read, 8 kB" in said
    assert "p3700, Streaming (area 8 GB): 2 points" in said
    found = iodyno_says("compare", first, simulate("p3700", loads=("--area", "16G", *LOADS[:2], *LOADS[4:])))
    assert "no load profile in common" in found.err
    assert "16 GB" in found.err
    assert not re.search(r"\d+G\b", said + found.out + found.err)
    assert not re.search(r"area \d+G\b", iodyno_says("show", first).out)


def test_the_targets_of_loads_beside_are_told_once() -> None:
    """A load beside on the same target has it once more."""
    point = at_once().point
    found = method(at_once())
    paths = dict.fromkeys(target.path for target in point.targets)
    assert len(point.targets) > len(paths)
    assert found["size"].count(",") == found["area"].count(",") == len(paths) - 1


AND_BESIDE = """
[[sweep]]
name = "alone"
profiles = ["database"]
outstanding = [8]
workers = 1
[[sweep]]
name = "both"
profiles = ["database"]
outstanding = {first}
workers = 1
[[sweep.beside]]
profile = "streaming"
outstanding = {beside}
workers = 1
"""


def test_points_without_counterpart_are_named_with_what_ran_beside_them(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    """Database at 8 is in common, and was named of both runs as what the other lacks."""
    runs = []
    for beside, first in ((4, [8, 16]), (32, [8])):
        path = tmp_path / f"{beside}.toml"
        path.write_text(two_drives("both") + AND_BESIDE.format(beside=beside, first=first))
        said = iodyno_says("simulate", str(path))
        runs += re.findall(r"run (\S+) finished", said.out)
    one, two = runs
    said = iodyno_says("compare", one, two)
    assert (said.code, said.err) == (0, "")
    assert (
        f"only in {one}: 2 points\n"
        "  two, Database, 2 targets beside Streaming (4, on targets 1 and 2): 2 points\n"
        f"only in {two}: 1 point\n"
        "  two, Database, 2 targets beside Streaming (32, on targets 1 and 2): 1 point\n"
    ) in said.out
    with Store.open() as store:
        document = paper.build(store.load(one), beside=(store.load(two),))
    text = "\n".join(plain(block.text) for block in document.blocks if isinstance(block, Paragraph))
    assert f"2 points of run {one} have no counterpart: two, Database beside Streaming (4)." in text
    assert f"1 point of run {two} has no counterpart: two, Database beside Streaming (32)." in text


def test_rates_without_counterpart_say_how_many_ios_may_be_outstanding(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    runs = []
    for most in (16, 64):
        path = tmp_path / f"{most}.toml"
        rates = f"rate_io_s = [1000]\noutstanding = [{most}]\nworkers = 1\n"
        closed = AND_BESIDE.split("[[sweep]]")[1]
        path.write_text(
            f'{two_drives("rates")}[[sweep]]{closed}[[sweep]]\nname = "r"\nprofiles = ["database"]\n{rates}'
        )
        said = iodyno_says("simulate", str(path))
        runs += re.findall(r"run (\S+) finished", said.out)
    said = iodyno_says("compare", *runs)
    for run, most in zip(runs, (16, 64), strict=True):
        line = f"  two, Database, 2 targets, {most} outstanding at most at 1,000/s: 1 point\n"
        assert f"only in {run}: 1 point\n{line}" in said.out


DISKS = """
schema = 1
name = "disks"
host = { processor = "xeon-e5-2660-v3", software = "linux-scsi" }
[[controller]]
part = "praid-ep420i"
backup_unit = true
write = "write-through"
[[controller.logical]]
drive = "sas-12g-hdd-450-15k"
count = 4
level = "5"
"""


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            {'write = "write-through"': 'write = "write-back"'},
            " (write policy: write-through and write-back)",
        ),
        (
            {'level = "5"': 'level = "6"', "count = 4": "count = 5"},
            " (drives: 4 and 5; RAID level: RAID 5 and RAID 6)",
        ),
    ],
)
def test_in_what_systems_of_one_name_differ_is_told(
    simulate: Simulate, iodyno_says: CommandLine, tmp_path: Path, changes: dict[str, str], told: str
) -> None:
    """It said that they have other numbers, and not which."""
    file, text = tmp_path / "disks.toml", DISKS
    file.write_text(text, "utf-8")
    first = simulate(str(file))
    for old, new in changes.items():
        text = text.replace(old, new)
    file.write_text(text, "utf-8")
    said = " ".join(iodyno_says("compare", first, simulate(str(file))).out.split())
    assert f"different system: disks and disks with other numbers{told}" in said


def test_what_systems_have_several_of_is_told_apart(
    simulate: Simulate, iodyno_says: CommandLine, tmp_path: Path
) -> None:
    """It said `RAID 5 and RAID 6 and RAID 5 and RAID 10`."""
    second = '[[controller.logical]]\ndrive = "sas-12g-hdd-450-15k"\ncount = 4\nlevel = "{}"\n'
    file, runs = tmp_path / "disks.toml", []
    for level in ("6", "10"):
        file.write_text(DISKS + second.format(level), "utf-8")
        runs.append(simulate(str(file)))
    said = " ".join(iodyno_says("compare", *runs).out.split())
    assert "(RAID level: RAID 5 and RAID 6 against RAID 5 and RAID 10)" in said
