"""Several loads at once: planned, judged, and shown wherever a point is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import CommandLine
from factories import at_once, make_observation, make_plan, make_run
from iodyno import bench
from iodyno.analysis.rows import point_rows
from iodyno.analysis.run import analyse
from iodyno.catalog.reading import write_toml
from iodyno.cli.pace import Pace
from iodyno.errors import ProfileError
from iodyno.fio.asked import asked
from iodyno.fio.exporting import document
from iodyno.plan import Plan, Point, hashed_point
from iodyno.prediction.knows import unknown
from iodyno.reading import Cause, PointResult, Reading, Verdict
from iodyno.store import Store
from iodyno.store.records import StoredRun
from iodyno.study import Overrides, Study, on_systems, parse_study, plan_simulation, plan_study
from iodyno.study.load import as_file
from iodyno.study.overrides import Rates
from iodyno.targets import Target
from iodyno.verdict import judge, laws
from iodyno.virtual import VirtualSystem
from virtual_systems import GB, virtual_system

HEAD = 'schema = 1\nname = "mine"\ntitle = "Mine"\n'
SWEEP = '[[sweep]]\nname = "one"\nprofiles = "database"\noutstanding = [1, 8]\n'
BESIDE = '[[sweep.beside]]\nprofile = "restore"\noutstanding = 4\n'


def target(path: str) -> Target:
    """Make a target as it would have been found."""
    return Target.model_validate({"path": path, "asked": path, "kind": "file", "size_bytes": 1 << 30})


def planned(text: str, *paths: str, choices: Overrides | None = None) -> Plan:
    """Plan a study on files."""
    return plan_study(parse_study(HEAD + text), [target(path) for path in paths or ("/a",)], choices)


def refused(text: str, *paths: str, hinted: bool = True, choices: Overrides | None = None) -> list[str]:
    """Plan what cannot be, and give the problems; without a hint only where the problem says what to do."""
    with pytest.raises(ProfileError) as caught:
        planned(text, *paths, choices=choices)
    assert all(problem.hint or not hinted for problem in caught.value.problems)
    return [str(problem).partition("\n")[0] for problem in caught.value.problems]


def test_every_point_of_a_sweep_has_the_loads_beside_it() -> None:
    plan = planned(SWEEP + BESIDE + 'rate_io_s = 50\narrival = "poisson"\n')
    assert [point.outstanding for point in plan.points] == [1, 8]
    for point in plan.points:
        first, restore = point.loads
        assert (first.profile.name, first.beside, first.seed) == ("database", (), point.seed)
        assert (restore.profile.name, restore.outstanding, restore.workers) == ("restore", 4, 1)
        assert (restore.rate_io_s, restore.arrival) == (50.0, "poisson")
        assert [load.path for load in point.targets] == ["/a", "/a"]
        assert point.outstanding_total == point.outstanding + 4
        assert restore.seed != first.seed


def test_a_load_beside_keeps_an_area_of_its_own() -> None:
    """Of a sweep over areas a load beside accesses what the first does, unless its profile says where."""
    own = (
        '[[profile]]\nname = "own"\nrandom_share = 1\nread_share = 1\nblocks = "4k"\n'
        'area = { start = "50%", length = "10%" }\n'
    )
    beside = BESIDE + BESIDE.replace("restore", "own")
    plan = planned(own + SWEEP.replace("[1, 8]", "1") + 'area = ["25%", "100%"]\n' + beside)
    lengths = [[load.profile.area.length for load in point.loads] for point in plan.points]
    assert [str(length) for length in lengths[0]] == [str(lengths[0][0])] * 2 + [str(lengths[0][2])]
    assert lengths[0][:2] != lengths[1][:2]
    assert lengths[0][2] == lengths[1][2] != lengths[0][0]


def test_equal_loads_at_once_go_to_different_places() -> None:
    """With one seed they would ask for the same blocks at the same moment."""
    text = SWEEP + 2 * BESIDE.replace("restore", "database").replace("4", "1")
    point, _ = planned(text).points
    assert len({load.outstanding for load in point.loads}) == 1
    assert len({load.seed for load in point.loads}) == 3


def test_loads_are_on_the_targets_whose_numbers_they_name() -> None:
    sweep = SWEEP + "targets = [1]\n" + BESIDE + "targets = [3, 2]\n" + BESIDE
    point = planned(sweep, "/a", "/b", "/c").points[0]
    assert [[of.path for of in load.targets] for load in point.loads] == [["/a"], ["/c", "/b"], ["/a"]]
    each = planned(SWEEP + 'targets = "each"\n' + BESIDE, "/a", "/b").points
    assert [[of.path for of in point.targets] for point in each[:2]] == [["/a", "/a"], ["/b", "/b"]]


def test_what_cannot_be_beside_a_sweep_is_refused() -> None:
    assert refused(SWEEP + BESIDE + "targets = [2, 9]\n", "/a", "/b") == [
        "sweep one.beside[0].targets: names target 9, and there are 2 targets"
    ]
    assert refused(SWEEP + "targets = [2]\n") == ["sweep one.targets: names target 2, and there is 1 target"]
    for numbers, why in (("[]", "is empty"), ("[1, 1]", "twice"), ("1", "numbers"), ("[-1, 0]", "first one")):
        (said,) = refused(SWEEP + f"targets = {numbers}\n", hinted=False)
        assert "sweep[0].targets: " in said
        assert why in said
    (said,) = refused(SWEEP + BESIDE.replace("[[sweep.beside]]", "[sweep.beside]"))
    assert said.endswith("sweep[0].beside: a table is no list")
    (said,) = refused("[measurement]\ntargets_per_worker = 1\n" + SWEEP + BESIDE)
    assert "beside measurement.targets_per_worker, and each load has workers of its own" in said
    (said,) = refused(SWEEP + "targets_per_worker = 1\n" + BESIDE)
    assert "stands beside targets_per_worker, and each load has workers of its own" in said
    (said,) = refused(SWEEP + BESIDE.replace("restore", "restor"))
    assert 'there is no profile "restor"' in said
    (said,) = refused(SWEEP + "rate_share = [0.5]\n" + BESIDE)
    assert "none says what the target can serve" in said
    (again,) = refused(SWEEP + BESIDE, choices=Overrides(rates=Rates(shares=(0.5,))))
    assert said.removeprefix("study: sweep[0]") == again.removeprefix("sweep one")
    assert planned(SWEEP + BESIDE, choices=Overrides(rates=Rates(io_s=(50.0,)))).points
    (said,) = refused(SWEEP + BESIDE + 'arrival = "poisson"\n')
    assert "without a rate" in said
    own = '[[profile]]\nname = "odd"\nrandom_share = 1\nread_share = 1\nblocks = "700"\n'
    assert any(
        "beside[0]: a block of 700" in said
        for said in refused(own + SWEEP + BESIDE.replace("restore", "odd"))
    )


def test_virtual_loads_at_once_are_on_volumes_of_their_own_or_on_one() -> None:
    study = parse_study(HEAD + SWEEP + "targets = [1]\n" + BESIDE + "targets = [2]\n")
    system = virtual_system(drives=2)
    configured = on_systems(study, ["made-up"])
    (name,) = [item.name for item in configured.configurations]
    plan = plan_simulation(configured, {name: system})
    for point in plan.points:
        assert [[of.path for of in load.targets] for load in point.loads] == [["drive-0"], ["drive-1"]]
    shared = on_systems(parse_study(HEAD + SWEEP + BESIDE), ["made-up"])
    for point in plan_simulation(shared, {name: system}).points:
        assert [[of.path for of in load.targets] for load in point.loads] == 2 * [["drive-0", "drive-1"]]
    with pytest.raises(ProfileError) as caught:
        plan_simulation(configured, {name: virtual_system(drives=1)})
    assert "names target 2, and there is 1 target" in str(caught.value)


def test_loads_that_read_a_cached_volume_in_different_ways_are_refused() -> None:
    """Restore only writes, and file server reads all at random as database does; streaming does not."""
    system = cached_system(cached=True)
    for profile in ("database", "restore", "file-server", "streaming"):
        shared = on_systems(parse_study(HEAD + SWEEP + BESIDE.replace("restore", profile)), ["made-up"])
        (name,) = [item.name for item in shared.configurations]
        assert plan_simulation(shared, {name: cached_system(cached=False)}).points
        if profile != "streaming":
            assert plan_simulation(shared, {name: system}).points
            continue
        with pytest.raises(ProfileError) as caught:
            plan_simulation(shared, {name: system})
        (problem,) = caught.value.problems
        assert problem.what.startswith("loads at once read disk in different ways")
        assert "direct" in problem.hint


def cached_system(*, cached: bool) -> VirtualSystem:
    """Make a controller with one drive, whose reads its cache keeps or not."""
    logical = {
        "name": "disk", "size_bytes": 90 * GB, "read_ahead": True, "write_back": True,
        "cached_reads": cached, "fast_path": False,
        "array": {
            "level": "0", "drives": [0], "groups": 1, "strip_bytes": 65536, "failed": [],
            "rebuild_bytes_s": 0, "mirror_read": {"policy": "primary"},
        },
    }  # fmt: skip
    controller = {
        "name": "controller", "path": [], "cores": 1, "host_io_ps": 6_000_000, "fast_io_ps": 3_000_000,
        "disk_io_ps": 1_000_000, "parity_write_ps": 0, "parity_per_kib_ps": 0, "delay_ps": 0,
        "read_bytes_s": 10**10, "write_bytes_s": 10**10, "parity_bytes_s": 10**10, "cache_bytes": 1 << 30,
        "cache_read_ps": 0, "cache_write_ps": 0, "drive_queue": 32, "logicals": [logical],
    }  # fmt: skip
    free = {"read_ps": 0, "write_ps": 0, "per_kib_ps": 0}
    volume = {
        "name": "disk", "size_bytes": 90 * GB, "cpu": free, "child_cpu": free,
        "on": {"kind": "logical", "controller": 0, "logical": 0},
    }  # fmt: skip
    return virtual_system(controllers=[controller], volumes=[volume])


def test_a_study_with_loads_beside_reads_back_from_its_own_source() -> None:
    for text in (SWEEP + BESIDE, SWEEP + BESIDE + "targets = [1]\n", SWEEP + 2 * BESIDE):
        study = parse_study(HEAD + text)
        assert Study.model_validate(study.source()) == study
        assert parse_study(write_toml(as_file(study.source()))) == study


def test_formulas_know_one_load_at_a_time() -> None:
    (problem,) = unknown(at_once().point.model_copy(update={"system": "made-up"}))
    assert "one load at a time" in problem.what


def test_a_point_alone_is_what_it_was_before_there_were_loads_beside() -> None:
    alone, beside = planned(SWEEP).points[0], planned(SWEEP + BESIDE).points[0]
    assert "beside" not in hashed_point(alone)
    assert alone.config_hash != beside.config_hash
    assert alone.loads == (alone,)
    assert Point.model_validate_json(beside.model_dump_json()) == beside


def test_a_load_begins_when_the_study_says_so() -> None:
    plan = planned(SWEEP + BESIDE + 'begins_after_s = "1500ms"\n' + BESIDE)
    for point in plan.points:
        assert [load.begins_after_s for load in point.loads] == [0, 1.5, 0]
        assert point.all_begun_s == 1.5
        assert point.longest_s == 1.5 + point.stopping.warmup_s + point.stopping.cap_s
        assert Point.model_validate_json(point.model_dump_json()) == point
    assert plan.longest_s == sum(point.longest_s for point in plan.points)
    first = planned(SWEEP + "begins_after_s = 2\n" + BESIDE).points[0]
    assert [load.begins_after_s for load in first.loads] == [2, 0]
    ((kept,),) = (
        [load for load in sweep["beside"] if "begins_after_s" in load] for sweep in plan.study_source["sweep"]
    )
    assert kept["begins_after_s"] == 1.5


def test_when_a_load_begins_changes_no_seed_and_what_begins_at_once_no_hash() -> None:
    usual, late = planned(SWEEP + BESIDE), planned(SWEEP + BESIDE + "begins_after_s = 1\n")
    assert [load.seed for point in usual.points for load in point.loads] == [
        load.seed for point in late.points for load in point.loads
    ]
    written = planned(SWEEP + "begins_after_s = 0\n" + BESIDE + 'begins_after_s = "0s"\n')
    assert written.config_hash == usual.config_hash != late.config_hash
    document = hashed_point(usual.points[0])
    assert "begins_after_s" not in json.dumps([document, usual.study_source])
    for point, other in zip(usual.points, late.points, strict=True):
        assert point.config_hash != other.config_hash


def test_a_beginning_of_nothing_is_refused() -> None:
    (said,) = refused(SWEEP + "begins_after_s = 5\n")
    assert said == "sweep one.begins_after_s: nothing runs beside the sweep, and it begins at once"
    (said,) = refused(SWEEP + "begins_after_s = 5\n" + BESIDE + 'begins_after_s = "3s"\n')
    assert said == "sweep one.begins_after_s: no load begins at once: the first begins after 3 s"
    for value in ("-1", "86401", '"5 parsecs"', "true"):
        (said,) = refused(SWEEP + BESIDE + f"begins_after_s = {value}\n", hinted=False)
        assert "sweep[0].beside[0].begins_after_s: " in said


def test_a_virtual_load_begins_later_too() -> None:
    late, usual = "begins_after_s = 0.5\n", ""
    for first, other, expected in ((usual, late, [0, 0.5]), (late, usual, [0.5, 0])):
        text = HEAD + SWEEP + "targets = [1]\n" + first + BESIDE + "targets = [2]\n" + other
        configured = on_systems(parse_study(text), ["made-up"])
        (name,) = [item.name for item in configured.configurations]
        for point in plan_simulation(configured, {name: virtual_system(drives=2)}).points:
            assert [load.begins_after_s for load in point.loads] == expected


def test_the_longest_time_of_a_run_has_the_beginnings_in_it() -> None:
    usual, late = planned(SWEEP + BESIDE), planned(SWEEP + BESIDE + "begins_after_s = 9\n")
    assert Pace(late).left_s() - Pace(usual).left_s() == pytest.approx(9 * len(late.points))


def test_a_plan_says_when_loads_begin(iodyno_says: CommandLine, tmp_path: Path) -> None:
    study = tmp_path / "mine.toml"
    study.write_text(HEAD + SWEEP + BESIDE + "begins_after_s = 7\n")
    told = iodyno_says("plan", study).out
    assert "restore 4 (after 7 s)" in told
    assert "all loads begun after 7 s, then warm-up 2 s" in " ".join(told.split())


def test_choices_of_the_command_line_change_the_first_load() -> None:
    point = planned(SWEEP + BESIDE, choices=Overrides(outstanding=(3,))).points[0]
    assert [load.outstanding for load in point.loads] == [3, 4]


def test_a_sound_reading_of_several_loads_keeps_every_law() -> None:
    found = at_once()
    assert laws(found.point, found.reading) == []
    assert Reading.model_validate_json(found.reading.model_dump_json()) == found.reading


def test_a_rate_of_the_first_load_is_its_own() -> None:
    found = at_once(64, rate_io_s=4000.0)
    assert found.point.loads[0].open_loop
    assert not found.point.open_loop
    assert laws(found.point, found.reading) == []
    assert states(found, found.reading)[:2] == ("steady", [])


@pytest.mark.parametrize("name", ["reads", "writes"])
def test_what_the_loads_did_adds_up_to_what_the_point_did(name: str) -> None:
    found = at_once()
    part = getattr(found.reading, name)
    for changes, code, what in (
        ({"completed": part.completed + 1}, "law_completed", f"{name} of all loads"),
        ({"bytes": part.bytes + 1}, "law_bytes", f"bytes of the {name} of all loads"),
    ):
        whole = found.reading.model_copy(update={name: part.model_copy(update=changes)})
        told = [cause.values for cause in laws(found.point, whole) if cause.code == code]
        least = part.completed if code == "law_completed" else part.bytes
        assert {"what": what, "found": least, "expected": least + 1} in told


def test_a_target_has_the_accesses_of_its_load() -> None:
    point = at_once().point
    place = 0
    for load in point.loads:
        alone = bench.accesses(load, count=50)
        assert bench.accesses(point, target=place, count=50) == alone
        place += len(load.targets)
    assert len({tuple(bench.accesses(load, count=50)) for load in point.loads}) == len(point.loads)
    with pytest.raises(ValueError, match="no such target"):
        bench.accesses(point, target=place)


def of_load(found: PointResult, place: int, **changes: object) -> Reading:
    """Change the reading of one load."""
    loads = list(found.reading.loads)
    loads[place] = loads[place].model_copy(update=changes)
    return found.reading.model_copy(update={"loads": tuple(loads)})


def states(found: PointResult, reading: Reading) -> tuple[str, list[str], list[str]]:
    """Judge a reading: state, causes, notes."""
    verdict = judge(found.point, reading, make_observation(reading), contents="written", optimised=True)
    return verdict.state, [cause.code for cause in verdict.causes], [note.code for note in verdict.notes]


def test_what_one_load_lacks_the_point_lacks() -> None:
    found = at_once()
    assert states(found, found.reading)[:2] == ("steady", [])
    wide = found.reading.loads[2].precision.model_copy(update={"half_width": 0.4})
    capped = of_load(found, 2, precision=wide).model_copy(update={"stopped": "cap"})
    assert states(found, capped)[:2] == ("capped", ["imprecise"])
    drifting = found.reading.loads[0].precision.model_copy(update={"drifting": True})
    assert states(found, of_load(found, 0, precision=drifting))[:2] == ("not_steady", ["drift"])
    opened = found.reading.loads[1].open_loop
    assert opened
    behind = opened.model_copy(update={"backlog_end": 5000})
    assert states(found, of_load(found, 1, open_loop=behind))[:2] == ("not_steady", ["overload"])
    both = of_load(found, 0, precision=drifting)
    again = found.reading.loads[2].precision.model_copy(update={"drifting": True})
    both = both.model_copy(
        update={"loads": (*both.loads[:2], both.loads[2].model_copy(update={"precision": again}))}
    )
    assert states(found, both)[1] == ["drift", "drift"]
    verdict = judge(found.point, both, make_observation(both), contents="written", optimised=True)
    rows = point_rows([found.model_copy(update={"reading": both, "verdict": verdict})])
    assert [row["causes"] for row in rows] == ["drift", "", "drift"]


def test_each_load_that_lacks_its_rate_says_so() -> None:
    """Two loads beside each other are asked for rates of their own."""
    found = at_once(rate_io_s=1000.0)
    reading = found.reading
    for place in (0, 1):
        opened = reading.loads[place].open_loop
        assert opened
        own = found.model_copy(update={"reading": reading})
        reading = of_load(own, place, open_loop=opened.model_copy(update={"backlog_end": 50_000}))
    verdict = judge(found.point, reading, make_observation(reading), contents="written", optimised=True)
    overloads = [cause.values for cause in verdict.causes if cause.code == "overload"]
    assert [values.get("load", 0) for values in overloads] == [0, 1]


def stored() -> StoredRun:
    """Store points of several loads at two intensities."""
    found = [at_once(outstanding, index=place) for place, outstanding in enumerate((2, 8))]
    plan = make_plan().model_copy(update={"points": tuple(item.point for item in found)})
    return StoredRun(run=make_run(plan), results=tuple(found))


def test_curves_are_those_of_the_first_load_and_know_the_others() -> None:
    (item,) = analyse(stored()).curves
    assert [point.outstanding for point in item.curve.points] == [2, 8]
    for point in item.curve.points:
        assert point.transaction_rate_io_s.value == pytest.approx(4000, rel=0.01)
        assert [load.profile.name for load in point.beside] == ["streaming", "file-copy"]
        assert point.beside[0].transaction_rate_io_s.value == pytest.approx(100, rel=0.01)
    assert item.targets_at_maximum == ()


def test_the_table_of_points_has_a_row_for_each_load() -> None:
    rows = point_rows(stored().results)
    told = [(row["point"], row["load"], row["profile"], row["targets"]) for row in rows[:3]]
    both = f"{at_once().point.targets[0].path} /log"
    assert told == [
        (0, 0, "database", both.split()[0]),
        (0, 1, "streaming", "/log"),
        (0, 2, "file-copy", both),
    ]
    assert [row["rate_asked_io_s"] for row in rows[:3]] == [None, 100.0, None]


def test_a_document_of_fio_has_a_job_for_each_load() -> None:
    jobs = document(stored())["jobs"]
    assert [job["job options"]["name"] for job in jobs[:3]] == ["database", "streaming", "file-copy"]
    assert jobs[1]["job options"]["rate_iops"] == "100"
    assert json.loads(json.dumps(jobs))
    assert not any("startdelay" in job["job options"] for job in jobs)
    late = at_once().point.loads[1].model_copy(update={"begins_after_s": 0.25})
    assert asked(late).options["startdelay"] == "250000us"


def test_a_plan_supposes_as_many_targets_as_there_are_numbers(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    study = tmp_path / "mine.toml"
    study.write_text(HEAD + SWEEP + "targets = [3]\n" + BESIDE + "targets = [1, 2]\n")
    said = iodyno_says("plan", study, "--json")
    targets = Plan.model_validate_json(said.out).points[0].targets
    assert [Path(target.path).parent.name for target in targets] == ["3", "1", "2"]


def test_show_tells_what_ran_beside(iodyno_says: CommandLine, tmp_path: Path) -> None:
    run = stored()
    with Store.open(tmp_path / "runs.db") as store:
        store.create_run(run.run)
        store.add_all(run.run.id, run.results)
    told = iodyno_says("show", "latest").out
    assert "beside Streaming and File copy" in told
    assert "Streaming (100/s): 6.2" in told


def test_show_counts_points_that_have_a_cause_and_not_their_loads(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    run = stored()
    values: list[dict[str, float | int | str]] = [
        {"drift": 0.34, "range": 0.3, "load": load} for load in range(3)
    ]
    drifting = Verdict(state="not_steady", causes=tuple(Cause(code="drift", values=each) for each in values))
    results = [found.model_copy(update={"verdict": drifting}) for found in run.results]
    with Store.open(tmp_path / "runs.db") as store:
        store.create_run(run.run)
        store.add_all(run.run.id, results)
    assert "the load had not settled (2)" in iodyno_says("show", "latest").out
