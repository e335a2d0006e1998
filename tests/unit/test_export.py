"""An export holds the whole run, reads back, and can leave serial numbers out."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from command_line import CommandLine, make_sample
from exports import exported, read_csv
from factories import make_plan, make_point, make_run, make_stored_run, make_target, on_two_targets
from iodyno.conditioned import Step, times_filled
from iodyno.corruption import Findings, Integrity
from iodyno.errors import StoreError
from iodyno.export import TABLES, What, export_run
from iodyno.export.formats import EXPORT_SCHEMA, ExportedRun
from iodyno.export.reference import reference_page
from iodyno.plan import PlannedConditioning, PlannedFill, PlannedRounds
from iodyno.reading import Cause, DeviceQueue, Series
from iodyno.store import Store
from iodyno.store.records import StoredRun
from iodyno.system import Fact, Section, System
from iodyno.targets import Trace

SERIAL = "S4EV NX0M-123456"
OF_RESULTS = [what for what in TABLES if what != "comparisons"]
"""Tables that every run has rows in: comparisons are those of a study that asks for some."""


@pytest.fixture(scope="module")
def stored() -> StoredRun:
    run = make_stored_run(profiles=["database", "streaming"], intensities=[1, 16])
    last = on_two_targets()
    moved = last.model_copy(update={"point": last.point.model_copy(update={"index": len(run.results)})})
    return run.model_copy(update={"results": (*run.results, moved)})


def test_json_reads_back_as_the_same_run(stored: StoredRun) -> None:
    content = exported(stored, "json")
    back = ExportedRun.model_validate_json(content)
    assert (back.run, back.results) == (stored.run, stored.results)
    assert json.loads(content)["export_schema"] == EXPORT_SCHEMA


def test_json_is_no_single_table(stored: StoredRun) -> None:
    with pytest.raises(StoreError, match="whole run") as caught:
        exported(stored, "json", "series")
    assert "csv" in caught.value.problems[0].hint


def test_csv_has_a_row_for_each_point(stored: StoredRun) -> None:
    rows = read_csv(exported(stored, "csv"))
    assert [(row["run"], row["profile"], row["outstanding"]) for row in rows] == [
        (stored.run.id, "database", "1"),
        (stored.run.id, "database", "16"),
        (stored.run.id, "streaming", "1"),
        (stored.run.id, "streaming", "16"),
        (stored.run.id, "streaming", "4"),
    ]
    for row, result in zip(rows, stored.results, strict=True):
        assert float(row["transaction_rate_io_s"]) == result.reading.completed / result.reading.measured_s
        assert float(row["latency_ms_max"]) == result.reading.latency.max_ns / 1e6
        assert (row["direct"], row["rate_asked_io_s"]) == ("true", "")


def test_csv_has_every_window_and_every_bucket(stored: StoredRun) -> None:
    series = read_csv(exported(stored, "csv", "series"))
    assert len(series) == sum(len(result.reading.series.reads) for result in stored.results)
    buckets = read_csv(exported(stored, "csv", "histogram"))
    assert sum(int(row["count"]) for row in buckets) == sum(
        result.reading.completed for result in stored.results
    )


def test_windows_begin_at_times_that_read_as_they_are(stored: StoredRun) -> None:
    """The fourth began at 0.30000000000000004 s."""
    rows = read_csv(exported(stored, "csv", "series"))
    first = [row["start_s"] for row in rows if row["point"] == rows[0]["point"]]
    assert len(first) > 10
    assert first == [f"{place // 10}.{place % 10}" for place in range(len(first))]


def test_times_of_a_series_are_exact_whatever_its_windows_are() -> None:
    half = Series(window_s=0.1, reads=(1,) * 3, windows=(2, 1, 3))
    assert [half.start_s(place) for place in range(3)] == [0.0, 0.2, 0.3]
    assert [half.length_s(place) for place in range(3)] == [0.2, 0.1, 0.3]
    assert Series(window_s=0.000123456789).start_s(7) == 0.000864197523


def test_samples_tell_times_as_they_are() -> None:
    assert make_sample(make_point(), elapsed_s=3 * 0.1).elapsed_s == 0.3


@pytest.mark.parametrize("what", OF_RESULTS)
def test_a_row_of_a_simulation_names_its_system(iodyno_says: CommandLine, what: What) -> None:
    """Three systems have the same profile, load and target: without it nobody can tell the rows apart."""
    systems = ("p3700", "nvme-today")
    words = [word for system in systems for word in ("--on", system)]
    said = iodyno_says("simulate", "quick", *words, "--profile", "database", "--outstanding", "8", "-q")
    assert said.code == 0, said.err
    with Store.open() as store:
        rows = read_csv(exported(store.load("latest"), "csv", what))
    several = {"nvme-today"}  # of one target alone there is no row
    assert {row["system"] for row in rows} == (several if what == "targets" else set(systems))
    if what == "points":
        assert all(0 < float(row["limit_utilisation"]) <= 1 and row["limit_place"] for row in rows)


def test_of_loads_at_once_only_the_first_has_a_limit(iodyno_says: CommandLine, tmp_path: Path) -> None:
    study = tmp_path / "both.toml"
    study.write_text("""
schema = 1
name = "both"
title = "Both"

[[sweep]]
name = "both"
profiles = ["database"]
outstanding = [1]

[[sweep.beside]]
profile = "restore"
outstanding = 64
""")
    said = iodyno_says("simulate", str(study), "--on", "p3700", "-q")
    assert said.code == 0, said.err
    with Store.open() as store:
        first, beside = read_csv(exported(store.load("latest"), "csv", "points"))
    columns = ("limited_by", "limit_station", "limit_place", "limit_utilisation", "limit_share")
    assert first["limited_by"]
    assert first["limit_place"]
    assert not any(beside[column] for column in columns)


def test_the_utilisation_of_a_row_is_what_the_terminal_says(iodyno_says: CommandLine) -> None:
    """Where no station is saturated it is that of the busiest one, and not the mean of those of its name."""
    said = iodyno_says("simulate", "quick", "--on", "raid-controllers", "--profile", "file-server", "-q",
                       "--outstanding", "3", "--floor-ios", "2000", "--cap-ios", "2000")  # fmt: skip
    assert said.code == 0, said.err
    with Store.open() as store:
        stored = store.load("latest")
    (simulation,) = (result.reading.simulation for result in stored.results)
    (row,) = read_csv(exported(stored, "csv", "points"))
    assert simulation is not None
    assert simulation.bottleneck.kind == "outstanding"
    assert simulation.bottleneck.utilisation < simulation.utilisation
    share = f"{float(row['limit_utilisation']):.1%}"
    assert f"the busiest station {share}" in " ".join(iodyno_says("show").out.split())


@pytest.mark.parametrize("what", list(TABLES))
def test_an_empty_run_still_has_its_columns(stored: StoredRun, what: What) -> None:
    empty = stored.model_copy(update={"results": ()})
    full, none = exported(stored, "csv", what), exported(empty, "csv", what)
    assert none.splitlines() == full.splitlines()[:1]


@pytest.mark.parametrize("what", OF_RESULTS)
def test_parquet_has_what_csv_has_with_types(stored: StoredRun, what: What) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    table = parquet.read_table(io.BytesIO(exported(stored, "parquet", what)))
    rows = read_csv(exported(stored, "csv", what))
    assert table.column_names == list(rows[0])
    assert table.num_rows == len(rows)
    kinds = {"outstanding": "int64", "profile": "string", "run": "string"}
    if what == "points":
        kinds |= {"transaction_rate_io_s": "double", "rate_asked_io_s": "double", "direct": "bool"}
    assert {name: str(table.schema.field(name).type) for name in kinds} == kinds
    for name in ("outstanding", "profile"):
        assert [str(value) for value in table.column(name).to_pylist()] == [row[name] for row in rows]


def test_parquet_without_pyarrow_says_what_to_install(
    stored: StoredRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("iodyno.export.formats.import_module", absent)
    with pytest.raises(StoreError, match="pyarrow") as caught:
        exported(stored, "parquet")
    assert "iodyno[parquet]" in caught.value.problems[0].hint


def test_an_export_goes_to_a_file(stored: StoredRun, tmp_path: Path) -> None:
    export_run(stored, "csv", tmp_path / "run.csv")
    assert (tmp_path / "run.csv").read_bytes() == exported(stored, "csv")


def test_a_file_that_cannot_be_written_is_an_error(stored: StoredRun, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written") as caught:
        export_run(stored, "csv", tmp_path / "missing" / "run.csv")
    assert caught.value.problems[0].hint


def with_serial() -> StoredRun:
    """A run whose drive's serial number stands in the system, the command and a target's path."""
    target = make_target(path=f"/srv/{SERIAL}/iodyno.dat")
    plan = make_plan(intensities=[1], targets=[target])
    drive = (Fact(code="model", value="A drive"), Fact(code="serial", value=SERIAL))
    system = System(sections=(Section(code="device", subject="sda", facts=drive),))
    run = make_run(plan, system=system, command=("iodyno", "measure", "/dev/sda", SERIAL.lower()))
    results = make_stored_run(profiles=["database"], intensities=[1]).results
    return StoredRun(
        run=run, results=(results[0].model_copy(update={"point": make_point(targets=[target])}),)
    )


def test_serial_numbers_can_be_left_out() -> None:
    stored, out = with_serial(), io.BytesIO()
    assert SERIAL in exported(stored, "json").decode()
    export_run(stored, "json", out)
    assert out.getvalue() == exported(stored, "json"), "nothing is left out unless that is asked for"
    content = exported(stored, "json", serials=False).decode()
    assert SERIAL.lower() not in content.lower()
    back = ExportedRun.model_validate_json(content)
    fact = back.run.system.get("device", "serial")
    assert fact
    assert (fact.value, fact.missing) == (None, "left out on request")
    assert back.run.system.value("device", "model") == "A drive"
    assert back.results[0].reading == stored.results[0].reading
    assert SERIAL not in exported(stored, "csv", serials=False).decode()


def test_what_was_done_before_has_no_serial_numbers_either() -> None:
    """The identity of each look, and the paths of fills, rounds and steps, were left as they were."""
    stored, path = with_serial(), f"/srv/{SERIAL}/iodyno.dat"
    point = stored.run.plan.points[0]
    planned = PlannedConditioning(
        fills=(PlannedFill(path=path, start_bytes=0, length_bytes=1 << 20, times=1),),
        rounds=(PlannedRounds(before=0, loads=(point,)),),
    )
    look = Trace(path=path, start_bytes=0, length_bytes=1 << 20, identity=f"{SERIAL} naa.5002538e40ab 1024")
    step = Step(kind="filled", started_at="", finished_at="", target=path, turn=1, traces=(look,))
    run = stored.run.model_copy(update={"plan": stored.run.plan.model_copy(update={"conditioning": planned})})
    stored = stored.model_copy(update={"run": run, "conditioning": (step,)})
    assert "naa.5002538e40ab" in exported(stored, "json").decode()
    content = exported(stored, "json", serials=False).decode()
    assert SERIAL.lower() not in content.lower()
    assert "5002538e40ab" not in content, "no fact of the system names it"
    back = ExportedRun.model_validate_json(content)
    assert times_filled(back.conditioning, back.run.plan.points[0].targets[0].path) == 1


def test_what_was_watched_and_judged_names_no_serial_number_either() -> None:
    """Queues and causes name targets by their paths."""
    stored, path = with_serial(), f"/srv/{SERIAL}/iodyno.dat"
    result = stored.results[0]
    queue = DeviceQueue(device="nvme0n1", targets=(path,), tags=32)
    observation = result.observation.model_copy(update={"queues": (queue,)})
    cause = Cause(code="target_gone", values={"targets": f"{path}, sdb"})
    verdict = result.verdict.model_copy(update={"causes": (cause,)})
    told = result.model_copy(update={"observation": observation, "verdict": verdict})
    stored = stored.model_copy(update={"results": (told,)})
    content = exported(stored, "json", serials=False).decode()
    assert SERIAL.lower() not in content.lower()
    back = ExportedRun.model_validate_json(content).results[0]
    assert back.observation.queues[0].targets == (back.point.targets[0].path,)
    assert back.verdict.causes[0].values == {"targets": f"{back.point.targets[0].path}, sdb"}


def test_what_was_verified_names_no_serial_number_either() -> None:
    """Findings name targets by their place in a list of paths, which was left as it was."""
    stored = with_serial()
    (result,) = stored.results
    (path,) = (target.path for target in result.point.targets)
    integrity = Integrity(session=1, unit_bytes=4096, targets=(path,), load=Findings())
    reading = result.reading.model_copy(update={"integrity": integrity})
    stored = stored.model_copy(update={"results": (result.model_copy(update={"reading": reading}),)})
    content = exported(stored, "json", serials=False).decode()
    assert SERIAL.lower() not in content.lower()
    (back,) = ExportedRun.model_validate_json(content).results
    assert back.reading.integrity
    assert back.reading.integrity.targets == (back.point.targets[0].path,)
    assert back.reading.model_copy(update={"integrity": integrity}) == reading


def named(*words: str, facts: tuple[Fact, ...] = ()) -> tuple[str, ...]:
    """Give what becomes of the words of a command line where a drive has these facts."""
    section = Section(code="device", subject="sda", facts=facts)
    run = make_run(system=System(sections=(section,)), command=words)
    content = exported(StoredRun(run=run, results=()), "json", serials=False)
    return ExportedRun.model_validate_json(content).run.command


def test_links_to_a_drive_have_lines_for_the_blanks_of_its_serial_number() -> None:
    serial = Fact(code="serial", value=SERIAL)
    assert named("/srv/ata-Drive_S4EV_NX0M-123456-part1", facts=(serial,)) == (
        "/srv/ata-Drive_left-out-part1",
    )


def test_what_a_command_names_a_drive_by_is_left_out() -> None:
    """A WWN is no fact of the system: with the link to a drive, and with its identity, it stayed."""
    wwn, folder = "5002538e40ab0c1d", "/dev/disk/by-id"
    command = ("iodyno", "measure", f"{folder}/wwn-0x{wwn}", "--write-existing", "--identity", wwn, "--quick")
    assert named(*command) == (
        "iodyno", "measure", f"{folder}/left-out", "--write-existing", "--identity", "left-out", "--quick",
    )  # fmt: skip
    assert named(f"--identity=naa.{wwn}", f"{folder}/a/b") == ("--identity=left-out", f"{folder}/left-out/b")
    assert named("/dev/disk/by-path/a", "--seed", "7") == ("/dev/disk/by-path/a", "--seed", "7")


def test_of_serial_numbers_in_each_other_the_longer_is_replaced() -> None:
    short, long = Fact(code="serial", value="ABCD"), Fact(code="serial", value="ABCD-1234")
    for facts in ((short, long), (long, short)):
        assert named("/srv/ABCD-1234/ABCD/x", facts=facts) == ("/srv/left-out/left-out/x",)


def test_a_short_serial_number_and_one_that_is_not_known_are_no_words_to_replace() -> None:
    words = ("none", "123", "1234", "51234")
    assert named(*words, facts=(Fact(code="serial", value="123"),)) == words
    assert named(*words, facts=(Fact(code="serial", missing="no rights"),)) == words
    assert named(*words, facts=(Fact(code="serial", value="1234"),)) == ("none", "123", "left-out", "51234")


def test_what_people_write_of_a_drive_has_no_serial_number_either() -> None:
    """The title of a study stood in its source without it and in the plan with it."""
    stored = with_serial()
    said = f"Drive {SERIAL}"
    plan = stored.run.plan.model_copy(update={"title": said, "study_source": {"title": said}})
    (section,) = stored.run.system.sections
    note = Fact(code="label", value=f"by hand: {SERIAL}")
    system = System(sections=(section.model_copy(update={"facts": (*section.facts, note)}),))
    run = stored.run.model_copy(update={"plan": plan, "system": system})
    content = exported(stored.model_copy(update={"run": run}), "json", serials=False).decode()
    assert SERIAL.lower() not in content.lower()
    back = ExportedRun.model_validate_json(content).run
    assert (back.plan.title, back.plan.study_source) == ("Drive left-out", {"title": "Drive left-out"})
    assert back.system.value("device", "label") == "by hand: left-out"


def test_a_run_without_serial_numbers_stays_as_it_is() -> None:
    stored = StoredRun(run=make_run(system=System()), results=())
    assert exported(stored, "json", serials=False) == exported(stored, "json")


def test_the_reference_page_is_what_the_columns_make() -> None:
    page = Path(__file__).parents[2] / "docs" / "reference" / "export.md"
    assert page.read_text("utf-8") == reference_page(), "python -m iodyno.export.reference writes it anew"
