"""Stations of equal parts that serve unlike volumes stand in rows of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from command_line import CommandLine
from iodyno import bench
from iodyno.alike import Alike
from iodyno.analysis.figures import point_figures
from iodyno.cli.maxima import limit_of
from iodyno.plan import Plan, PlannedTarget, Point, Stopping
from iodyno.prediction import predict
from iodyno.profiles import LoadProfile
from iodyno.reading import Reading
from iodyno.report.messages import Messages
from iodyno.report.names import limit_text, place_name, station_name
from iodyno.study import parse_study, plan_simulation
from iodyno.study.systems import resolve
from iodyno.virtual import VirtualSystem
from virtual_systems import GB, virtual_system

DISK = "HGST Ultrastar C15K600 HUC156045CSS204 450 GB"
STUDY = """
name = "volumes"
title = "Volumes"
{configurations}
[simulation]
warmup_ios = 500
floor_ios = 1000
cap_ios = 2000
[[sweep]]
name = "same"
profiles = ["database"]
outstanding = 16
[[sweep]]
name = "beside"
profiles = ["database"]
outstanding = 16
targets = [1]
[[sweep.beside]]
profile = "streaming"
targets = [2]
outstanding = 2
"""
ARRAYS = """
[[configuration]]
name = "{name}"
[configuration.system]
name = "{name}"
host = {{ processor = "xeon-e5-2637-v3", processors = 2, software = "windows-2012-ntfs-nvme" }}
[[configuration.system.controller]]
part = "praid-ep400i"
logical = [
    {{ name = "{first}", drive = "sas-12g-ssd-mlc-400", level = "1", count = 2 }},
    {{ name = "data", drive = "sas-12g-ssd-mlc-400", level = "5", count = 3 }},
]
"""
DRIVES = """
[[configuration]]
name = "{name}"
[configuration.system]
name = "{name}"
host = {{ processor = "epyc-9354", software = "linux-nvme" }}
drives = [{{ name = "{first}", drive = "intel-p3700-800" }}, {{ name = "data", drive = "intel-p3700-800" }}]
"""


def planned(*configurations: str, study: str = STUDY) -> Plan:
    asked = parse_study(study.format(configurations="".join(configurations)))
    return plan_simulation(asked, {item.name: resolve(item) for item in asked.configurations})


def readings(plan: Plan) -> list[Reading]:
    return [result.reading for result in bench.simulate(plan, jobs=2)]


def dies(reading: Reading) -> dict[str, int]:
    assert reading.simulation is not None
    return {one.name: one.count for one in reading.simulation.stations if one.name.endswith(": dies")}


def system_of(plan: Plan, place: int = 0) -> VirtualSystem:
    return plan.systems[plan.points[place].system or ""]


def test_drives_of_arrays_that_differ_are_told_apart() -> None:
    """The mean of a mirror and a RAID 5 was that of neither: 0.54 where the mirror was busy all the time."""
    plan = planned(ARRAYS.format(name="one", first="system"))
    same, beside = readings(plan)
    drive = system_of(plan).drives[0].name
    for reading in (same, beside):
        assert dies(reading) == {f"{drive} (system): dies": 2, f"{drive} (data): dies": 3}
        assert reading.simulation is not None
        links = {one.name: one.count for one in reading.simulation.stations if one.place == "disk_link"}
        assert links["SAS 12G (system), reads"] == 2
        assert links["SAS 12G (data), reads"] == 3
    for point in plan.points[:1]:
        calculated = bench.predict_point(point, system_of(plan))
        assert set(dies(calculated)) == set(dies(same))


def test_equal_drives_are_told_apart_where_their_loads_are() -> None:
    plan = planned(DRIVES.format(name="one", first="system"))
    same, beside = readings(plan)
    drive = system_of(plan).drives[0].name
    assert dies(same) == {f"{drive}: dies": 2}
    assert dies(beside) == {f"{drive} (system): dies": 1, f"{drive} (data): dies": 1}
    assert beside.simulation is not None
    links = {one.name: one.jobs for one in beside.simulation.stations if one.place == "host_link"}
    assert {name for name, jobs in links.items() if jobs} == {
        *(f"PCIe 3.0 x4 (system), {direction}" for direction in ("reads", "writes")),
        "PCIe 3.0 x4 (data), reads",
    }


@pytest.mark.parametrize("kind", [ARRAYS, DRIVES])
def test_one_answer_has_the_volumes_of_who_asked(kind: str) -> None:
    plan = planned(kind.format(name="one", first="system"), kind.format(name="two", first="boot"))
    alike, asked = Alike(plan, plan.points), []
    for place, point in enumerate(plan.points):
        own = bench.simulate_point(point, system_of(plan, place))

        def ask(reading: Reading = own) -> Reading:
            asked.append(reading)
            return reading

        assert alike.reading(point, ask) == own
    assert len(asked) == 2
    assert any("(boot): dies" in name for name in dies(readings(plan)[-1]))


def test_many_volumes_of_a_kind_are_named_by_the_first() -> None:
    drives = ", ".join(f'{{{{ name = "{name}", drive = "intel-p3700-800" }}}}' for name in "abcd")
    systems = f"{DRIVES.partition('drives =')[0]}drives = [{drives}]\n"
    text = STUDY.replace("targets = [2]", "targets = [4]").replace("targets = [1]", "targets = [1, 2, 3]")
    plan = planned(systems.format(name="one"), study=text)
    drive, (same, beside) = system_of(plan).drives[0].name, readings(plan)
    assert dies(same) == {f"{drive}: dies": 4}
    assert dies(beside) == {f"{drive} (a, b, …): dies": 3, f"{drive} (d): dies": 1}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "P3700 1,6 TB (data): Speichermedium (Flash-Dies)"),
        ("ja", "P3700 1.6 TB (data)：記憶媒体のフラッシュダイ"),
    ],
)
def test_they_are_named_in_each_language(language: str, said: str) -> None:
    assert station_name(Messages(language), "P3700 1.6 TB (data): dies") == said


def test_the_terminal_shows_both(iodyno_says: CommandLine, tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("study") / "volumes.toml"
    file.write_text(STUDY.format(configurations=ARRAYS.format(name="one", first="system")))
    assert iodyno_says("simulate", file).code == 0
    shown: Sequence[str] = iodyno_says("show", "--stations").out.splitlines()
    assert len([line for line in shown if line.startswith("2 × ") and "(system): dies" in line]) == 2


MIXED = """
[[configuration]]
name = "mixed"
[configuration.system]
name = "mixed"
host = { processor = "xeon-e5-2637-v3", software = "windows-raw-megaraid" }
[[configuration.system.drives]]
drive = "intel-p3700-800"
[[configuration.system.controller]]
part = "psas-cp400i"
logical = [{ drive = "hgst-huc156045css204", level = "JBOD" }]
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", f"{DISK}: media (mechanics), for {{share}}% of the I/Os"),
        ("de", f"{DISK}: Speichermedium (Mechanik), für {{share}} % der I/Os"),
        ("ja", f"{DISK}：記憶媒体の機構部（I/O の {{share}}%）"),
    ],
)
def test_a_disk_beside_an_ssd_limits_few_of_the_ios(language: str, said: str) -> None:
    """At 16 outstanding I/Os on each the SSD has nearly all of them, and is not saturated."""
    plan = planned(MIXED, study=STUDY.partition('[[sweep]]\nname = "beside"')[0])
    (result,) = bench.simulate(plan, jobs=1)
    disk, ssd = sorted(target.reads + target.writes for target in result.reading.per_target)
    at = point_figures(result)
    assert at.simulation is not None
    found = at.simulation.bottleneck
    assert found.share is not None
    assert found.share == pytest.approx(disk / (disk + ssd))
    assert found.share < 0.02
    shares = {station.name.rpartition(": ")[2]: station.share for station in at.simulation.stations}
    assert shares["mechanics"] == found.share
    assert shares["dies"] == pytest.approx(1 - found.share)
    assert shares["core"] is None
    share = Messages(language).numbers.percent(found.share, 1).rstrip("\u00a0 %")
    assert limit_text(Messages(language), at, at.simulation).replace("\u00a0", " ") == said.format(
        share=share
    )
    assert limit_of(at).endswith(f"%, for {100 * found.share:.1f}% of the I/Os")


def test_what_only_a_load_beside_goes_through_does_not_limit_the_first() -> None:
    """One outstanding I/O of an idle drive beside writes that keep another busy: those were its limit."""
    busy = STUDY.replace("outstanding = 16\ntargets = [1]", "outstanding = 1\ntargets = [1]").replace(
        'profile = "streaming"\ntargets = [2]\noutstanding = 2',
        'profile = "restore"\ntargets = [2]\noutstanding = 64',
    )
    plan = planned(DRIVES.format(name="one", first="system"), study=busy)
    found = readings(plan)[1].simulation
    assert found is not None
    beside = {one.name for one in found.stations if one.beside and one.utilisation_max >= 0.9}
    assert beside
    assert all("(data)" in name for name in beside)
    assert found.bottleneck.kind == "outstanding"
    assert found.busiest is not None
    assert (found.busiest.beside, found.utilisation) == (False, found.busiest.utilisation_max)
    assert found.utilisation < 0.5


def test_the_terminal_says_which_stations_only_loads_beside_go_through(
    iodyno_says: CommandLine, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("study") / "volumes.toml"
    file.write_text(STUDY.format(configurations=DRIVES.format(name="one", first="system")))
    assert iodyno_says("simulate", file, "--sweep", "beside").code == 0
    lines = iodyno_says("show", "--stations").out.splitlines()
    marked = [line for line in lines if "(of loads beside alone)" in line]
    assert {"(data)" in line or line.startswith("core ") for line in marked} == {True}
    assert len(marked) > 3
    assert not any("(of loads beside alone)" in line for line in lines if "(system)" in line)


def writes_to(buffer_bytes: int, **model: int) -> tuple[Point, VirtualSystem]:
    """Write in order to an SSD of 32 dies that program 32 KiB in 900 µs, with a write buffer of that size."""
    document = virtual_system().model_dump(mode="json")
    document["drives"][0]["model"] |= {"buffer_bytes": buffer_bytes} | model
    shape = LoadProfile(name="writes", random_share=0.0, read_share=0.0, blocks=[{"bytes": 32768}])
    target = PlannedTarget(
        path="drive-0", kind="virtual", size_bytes=100 * GB, area_start_bytes=0, area_length_bytes=100 * GB
    )
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=1, precision=0.02, confidence=0.95,
        warmup_ios=2_000, floor_ios=10_000, cap_ios=10_000,
    )  # fmt: skip
    point = Point(
        index=0, sweep="test", profile=shape, targets=(target,), outstanding=64, workers=1, seed=1,
        engine="simulator", stopping=stopping, system="made-up",
    )  # fmt: skip
    return point, VirtualSystem.model_validate(document)


def test_a_buffer_without_a_program_for_each_die_is_the_limit_and_one_with_more_is_not() -> None:
    """Its places are given back when a program ends, so no more of them run at once."""
    limits = {2: "write buffer", 8: "write buffer", 24: "write buffer", 32: "dies", 512: "dies"}
    for programs, name in limits.items():
        point, system = writes_to(programs * 32768)
        # Beside the program a place is held while its data pass, at 1.9 GB/s.
        expected = programs / 917e-6 if programs < 32 else 32 / 900e-6
        calculated = predict(point, system, bench.solve_network)
        simulated = bench.simulate_point(point, system)
        assert calculated.rate_io_s == pytest.approx(expected, rel=0.001)
        assert simulated.completed / simulated.measured_s == pytest.approx(expected, rel=0.03)
        assert simulated.simulation
        for limit in (calculated.bottleneck, simulated.simulation.bottleneck):
            assert (limit.kind, limit.station) == ("saturated", f"drive: {name}")


@pytest.mark.parametrize("programs", [8, 24, 31])
def test_a_small_buffer_that_waits_for_the_data_path_is_not_the_limit(programs: int) -> None:
    """100 MB/s are 3052 programs a second, fewer than eight places have in 900 µs and 328."""
    point, system = writes_to(programs * 32768, data_write_bytes_s=100_000_000)
    calculated, simulated = predict(point, system, bench.solve_network), bench.simulate_point(point, system)
    assert simulated.completed / simulated.measured_s == pytest.approx(1e8 / 32768, rel=0.01)
    assert simulated.simulation
    for limit in (calculated.bottleneck, simulated.simulation.bottleneck):
        assert (limit.kind, limit.station) == ("saturated", "drive: data path")


def test_what_is_the_same_at_every_row_stands_once(
    iodyno_says: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each row of a simulated run ended with `steady: simulated`, and shares of a latency with four of 0%."""
    monkeypatch.setenv("IODYNO_STORE", str(tmp_path / "store.db"))
    short = ("--profile", "file-copy", "--outstanding", "256", "--cap-ios", "9000", "--floor-ios", "9000")
    assert iodyno_says("simulate", "quick", "--on", "raid-controllers", *short, "-q").code == 0
    said = iodyno_says("show", "latest").out
    assert ": simulated" not in said
    assert "simulated" in said.rpartition("nothing was measured")[0].splitlines()[-1]
    shares = [line for line in said.splitlines() if line.startswith("latency: ")]
    assert shares
    assert not any(re.search(r"\b0%", line) for line in shares)


@pytest.mark.parametrize(
    ("place", "stations", "words"),
    [
        ("host_cpu", ("core",), {"en": "core", "de": "Kern", "ja": "コア"}),
        (
            "drive_front",
            ("P: firmware", "P: command", "P: tags"),
            {"en": "firmware", "de": "Firmware", "ja": "ファームウェア"},
        ),
        (
            "drive_media",
            ("P: dies", "P: data path", "P: mechanics"),
            {"en": "media", "de": "Medium", "ja": "媒体"},
        ),
    ],
)
def test_cells_sentences_and_stations_have_one_word(
    place: str, stations: tuple[str, ...], words: dict[str, str]
) -> None:
    """Tables said "host" and "drive front" where the sentences beside them said "core" and "firmware"."""
    for language, word in words.items():
        messages = Messages(language)
        said = [place_name(messages, place), *(station_name(messages, one) for one in stations)]
        assert place_name(messages, place, short=True).lower() == word.lower()
        assert all(word.lower() in text.lower() for text in said), said
