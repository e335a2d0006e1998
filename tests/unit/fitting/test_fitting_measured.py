"""A part of one's own is fitted to a run: its points are the figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import CommandLine
from factories import make_plan, make_result, make_run, make_section, make_stored_run
from iodyno import bench
from iodyno.catalog.parts import Part
from iodyno.catalog.reading import parse_part
from iodyno.catalog.resolve import resolve
from iodyno.catalog.shelf import Catalog, file_of, shipped, with_numbers
from iodyno.errors import CatalogError
from iodyno.fitting.fit import fit_to
from iodyno.fitting.lab import spec_of
from iodyno.fitting.measured import measured_fit
from iodyno.fitting.own import own_fit
from iodyno.fitting.writing import write_own
from iodyno.reading import PointResult
from iodyno.store import Store
from iodyno.store.records import StoredRun
from iodyno.system.records import Section, System
from iodyno.units import GIB

TRUTH = {"model.data_read": 820.0, "model.data_write": 360.0}
FITTING = """
[fitting]
system = "raid-single-drive"
changes = { drive = "my-drive" }

[fitting.numbers]
model.data_read = [300, 1030]
model.data_write = [200, 1030]
"""
PROFILES = ("streaming", "restore", "file-server")
IOS = 6000


def _text(fitting: str = FITTING) -> str:
    made = file_of("toshiba-px02smf040").partition("[fit.")[0]
    return made.replace('name = "toshiba-px02smf040"', 'name = "my-drive"', 1) + fitting


def _with(part: Part) -> Catalog:
    return shipped().having(part)


def _measured(kind: str = "device") -> StoredRun:
    """Give a run as if a drive with known numbers had been measured: on 16 GiB in its middle."""
    figures = "".join(
        f'[[fitting.figures]]\nprofile = "{name}"\noutstanding = {load}\nvalue = 1\nunit = "IO/s"\n'
        'source = "raid"\n'
        for name in PROFILES
        for load in (1, 32)
    )
    part = parse_part(_text(FITTING + figures))
    known = _with(with_numbers(part, TRUTH))
    (points,) = own_fit(part, _with(part), Path()).points.values()
    results: list[PointResult] = []
    for asked in points.values():
        system = resolve(spec_of(asked.configuration), known)
        area = {"area_start_bytes": 200 * GIB, "area_length_bytes": 16 * GIB}
        point = asked.point.model_copy(
            update={"targets": (asked.point.targets[0].model_copy(update=area),), "index": len(results)}
        )
        reading = bench.simulate_point(point, system)
        target = point.targets[0].model_copy(update={"path": "/dev/sdx", "kind": kind})
        real = point.model_copy(update={"targets": (target,), "system": None, "engine": "io_uring"})
        results.append(make_result(real, reading=reading, state="steady"))
    plan = make_plan().model_copy(update={"points": tuple(result.point for result in results)})
    return StoredRun(run=make_run(plan), results=tuple(results))


def test_numbers_of_a_measured_drive_are_found_and_its_run_is_cited(tmp_path: Path) -> None:
    file = tmp_path / "my-drive.toml"
    file.write_text(_text(), "utf-8")
    part, stored = parse_part(_text()), _measured()
    wanted = measured_fit(part, _with(part), tmp_path, stored)
    assert wanted.notes == ()
    (points,) = wanted.fit.points.values()
    assert {asked.point.targets[0].area_start_bytes for asked in points.values()} == {200 * GIB}
    fit = wanted.fit
    found = fit_to(fit.targets, fit.spec, _with(part), ios=IOS, steps=8, own=fit.points)
    for one, truth in zip(found.found, TRUTH.values(), strict=True):
        assert abs(one.value / truth - 1) < 0.03, one
    write_own(found, _with(part), file)
    written = parse_part(file.read_text("utf-8"))
    key = f"run-{stored.run.id}"
    assert written.model["data_read"].source == key
    assert written.sources[key].startswith(f"Run {stored.run.id} of ")
    assert written.sources[key].endswith(", on /dev/sdx")
    assert written.fit is not None
    assert written.fit["my-drive"].command == f"iodyno catalog fit my-drive --run {stored.run.id}"


def test_points_that_say_nothing_of_the_drive_are_left_out() -> None:
    part, stored = parse_part(_text()), _measured("file")
    buffered, several, asked_for, disturbed, used, twice = stored.results

    def having(result: PointResult, **changes: object) -> PointResult:
        return result.model_copy(update={"point": result.point.model_copy(update=changes)})

    results = (
        having(buffered, direct=False),
        having(several, targets=several.point.targets * 2),
        having(asked_for, rate_io_s=100.0),
        disturbed.model_copy(update={"verdict": disturbed.verdict.model_copy(update={"state": "disturbed"})}),
        used,
        twice,
        having(twice, sweep="again").model_copy(
            update={"verdict": twice.verdict.model_copy(update={"state": "not_steady"})}
        ),
        having(twice, verify=True),
        having(twice, iopoll=True),
    )
    wanted = measured_fit(part, _with(part), Path(), StoredRun(run=stored.run, results=results))
    assert [note.partition(":")[0] for note in wanted.notes] == [
        "6 of 9 points are left out",
        "1 of the 3 points were not steady",
        "the run accessed a file, taken to lie at the beginning of the drive",
    ]
    assert [target.name for target in wanted.fit.targets] == [
        "file-server at 1, IO/s", "file-server at 32, IO/s", "file-server of again at 32, IO/s",
    ]  # fmt: skip


def test_a_run_that_does_not_say_its_area_is_taken_to_access_all_of_the_drive() -> None:
    """So results of fio are that were measured without a size."""
    part, stored = parse_part(_text()), _measured()
    results = []
    for one in stored.results:
        target = one.point.targets[0].model_copy(update={"area_start_bytes": 0, "area_length_bytes": 0})
        results.append(one.model_copy(update={"point": one.point.model_copy(update={"targets": (target,)})}))
    wanted = measured_fit(part, _with(part), Path(), StoredRun(run=stored.run, results=tuple(results)))
    assert [note.partition(":")[2] for note in wanted.notes] == [" taken is the whole drive"]
    (points,) = wanted.fit.points.values()
    for asked in points.values():
        target = asked.point.targets[0]
        assert 0 <= target.size_bytes - target.area_length_bytes < asked.point.profile.grain_bytes


def test_a_run_on_several_drives_is_none_of_a_part() -> None:
    part, stored = parse_part(_text()), _measured()
    first = stored.results[0]
    other = first.point.targets[0].model_copy(update={"path": "/dev/sdy"})
    moved = first.model_copy(update={"point": first.point.model_copy(update={"targets": (other,)})})
    with pytest.raises(CatalogError, match="is of several: /dev/sdy, /dev/sdx"):
        measured_fit(
            part, _with(part), Path(), StoredRun(run=stored.run, results=(moved, *stored.results[1:]))
        )


def _on_device(
    stored: StoredRun, path: str, sections: tuple[Section, ...], kind: str = "device"
) -> StoredRun:
    """Give the run as if its target had been this one, of a system with these devices."""
    results = []
    for one in stored.results:
        target = one.point.targets[0].model_copy(update={"path": path, "kind": kind})
        results.append(one.model_copy(update={"point": one.point.model_copy(update={"targets": (target,)})}))
    run = stored.run.model_copy(update={"system": System(sections=sections)})
    return StoredRun(run=run, results=tuple(results))


def _drives(*names: str, serial: str = "") -> tuple[Section, ...]:
    return tuple(make_section("device", name, kind="sas", serial=serial or f"S{name}") for name in names)


MD = (
    make_section("device", "md0", kind="md", stands_on="sda, sdb, sdc", raid_level="raid5"),
    *_drives("sda", "sdb", "sdc"),
    make_section("file_system", "/data/file", fs_device="md0p1"),
)
MAPPED = make_section("device", "dm-0", kind="device mapper", stands_on="sda, sdb", mapping="data")
VOLUME = (MAPPED, *_drives("sda", "sdb"))
PATHS = (MAPPED, *_drives("sda", "sdb", serial="one drive"))


@pytest.mark.parametrize(
    ("path", "kind", "sections", "what"),
    [
        ("/dev/md0", "device", MD, "RAID 5 of 3 drives (sda, sdb, sdc)"),
        ("/dev/md0p1", "device", MD, "RAID 5 of 3 drives (sda, sdb, sdc)"),
        ("/data/file", "file", MD, "RAID 5 of 3 drives (sda, sdb, sdc)"),
        ("/dev/dm-0", "device", VOLUME, "2 drives (sda, sdb)"),
    ],
)
def test_a_run_on_an_array_is_none_of_a_drive(
    path: str, kind: str, sections: tuple[Section, ...], what: str
) -> None:
    part = parse_part(_text())
    stored = _on_device(_measured(), path, sections, kind)
    with pytest.raises(CatalogError) as caught:
        measured_fit(part, _with(part), Path(), stored)
    (problem,) = caught.value.problems
    assert problem.what == f"accessed {what} at {path}, and the system of the fit has one drive"
    assert problem.hint.startswith("a drive is fitted to a run on one drive")


@pytest.mark.parametrize(
    ("path", "sections"), [("/dev/dm-0", PATHS), ("/dev/sda", MD), ("/dev/sda", ()), ("/dev/sdb2", VOLUME)]
)
def test_several_paths_to_a_drive_and_a_drive_of_an_array_are_one_drive(
    path: str, sections: tuple[Section, ...]
) -> None:
    part = parse_part(_text())
    assert measured_fit(part, _with(part), Path(), _on_device(_measured(), path, sections)).fit.targets


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ('count = 4, level = "5", controller = "praid-ep420i"', "RAID 5 of 4 drives"),
        ('count = 2, level = "1", raid = "host", software = "linux-scsi"', "RAID 1 of 2 drives"),
    ],
)
def test_a_simulated_run_on_an_array_is_none_of_a_drive(
    iodyno_says: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: str, what: str
) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "my-drive.toml").write_text(_text(), "utf-8")
    monkeypatch.setenv("IODYNO_PARTS", str(tmp_path / "parts"))
    study = tmp_path / "array.toml"
    study.write_text(
        'schema = 1\nname = "array"\ntitle = "Array"\n'
        '[[configuration]]\nname = "array"\nsystem = "raid-single-drive"\n'
        f'changes = {{ drive = "my-drive", {changes} }}\n'
        '[[sweep]]\nname = "loads"\nprofiles = ["streaming", "restore"]\noutstanding = [1, 8]\n',
        "utf-8",
    )
    said = iodyno_says("simulate", study, "-q")
    assert said.code == 0, said.err
    said = iodyno_says("catalog", "fit", "my-drive", "--run", "latest")
    assert said.code == 2
    assert f"accessed {what} at " in said.err
    assert "hint: a drive is fitted to a run on one drive: measure it alone" in said.err


def test_what_cannot_be_a_run_of_the_part_is_refused() -> None:
    part, stored = parse_part(_text()), _measured()
    with pytest.raises(CatalogError) as caught:
        measured_fit(part, _with(part), Path(), StoredRun(run=stored.run, results=stored.results[:1]))
    assert caught.value.problems[0].what == "1 of 1 points can be used, for 2 numbers"
    large = make_stored_run("quick")
    target = large.results[0].point.targets[0].model_copy(update={"area_length_bytes": 4096 * GIB})
    results = tuple(
        one.model_copy(update={"point": one.point.model_copy(update={"targets": (target,)})})
        for one in large.results
    )
    with pytest.raises(CatalogError, match="the run accessed more of"):
        measured_fit(part, _with(part), Path(), StoredRun(run=large.run, results=results))
    several = parse_part(_text(FITTING.replace('"my-drive" }', '"my-drive", count = 2 }')))
    with pytest.raises(CatalogError, match="has 2 volumes, where a run on one drive is one"):
        measured_fit(several, _with(several), Path(), stored)


def test_the_command_takes_a_run(
    iodyno_says: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = _measured("file")
    with Store.open(str(tmp_path / "store.db")) as store:
        store.create_run(stored.run)
        for result in stored.results:
            store.add(stored.run.id, result)
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "my-drive.toml").write_text(_text(), "utf-8")
    monkeypatch.setenv("IODYNO_PARTS", str(tmp_path / "parts"))
    said = iodyno_says(
        "catalog", "fit", "my-drive", "--run", "latest", "--store", tmp_path / "store.db", "--json"
    )
    assert said.code == 0, said.err
    assert "note: the run accessed a file" in said.err
    found = {number["name"]: number["value"] for number in json.loads(said.out)["numbers"]}
    assert found["my-drive: model.data_read"] == pytest.approx(TRUTH["model.data_read"], rel=0.03)
    said = iodyno_says("catalog", "fit", "my-drive")
    assert "my-drive: fitting: has no figures" in said.err
    said = iodyno_says("catalog", "fit", "intel-p3700-800", "--run", "latest")
    assert (said.code, "is fitted to published figures" in said.err) == (2, True)
