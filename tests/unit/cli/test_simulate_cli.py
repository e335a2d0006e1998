"""Simulating at the command line: kept, resumed, marked as simulated wherever it is shown."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from command_line import Bench, CommandLine, Said
from factories import make_result, make_run
from iodyno.cli.maxima import bottleneck_text
from iodyno.cli.views import JsonLines
from iodyno.errors import StoreError
from iodyno.events import Event, PointFinished
from iodyno.plan import Plan
from iodyno.reading import Bottleneck, Cause, PointResult, Simulation, Station, Verdict
from iodyno.report.names import station_name
from iodyno.report.plain import ENGLISH
from iodyno.store import Store
from iodyno.store.records import StoredRun

SMALL = ("quick", "--on", "p3700", "--profile", "database", "--outstanding", "1,2,4,8")
STUDY = """
schema = 1
name = "pair"
title = "A pair of settings"
[[configuration]]
name = "raid0-{mode}"
title = "RAID 0, {mode}"
group = "raid0"
system = "raid-controllers"
changes = { mode = "{mode}" }
each = { mode = ["performance", "fast-path-optimum"] }
[[configuration]]
name = "alone"
title = "One SSD"
system = "p3700"
[[sweep]]
name = "all"
profiles = ["database", "streaming"]
outstanding = [1, 8]
"""


def stored_in(folder: Path) -> StoredRun:
    with Store.open(folder / "runs.db") as store:
        return store.load("latest")


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Give a study with configurations, two of them in a group."""
    path = tmp_path / "pair.toml"
    path.write_text(STUDY)
    return path


def test_a_simulation_is_kept_and_summed_up(iodyno_says: CommandLine, bench: Bench, tmp_path: Path) -> None:
    said = iodyno_says("simulate", *SMALL)
    assert (said.code, said.err) == (0, "")
    stored = stored_in(tmp_path)
    assert stored.run.simulated
    assert stored.run.status == "finished"
    assert [result.point.outstanding for result in stored.results] == [1, 2, 4, 8]
    (section,) = stored.run.system.sections
    assert (section.code, section.subject) == ("virtual_system", "p3700")
    assert "P3700" in str(section.value("virtual_drives"))
    assert "made-up link, 97.0%" in said.out
    assert "nothing was measured" in said.out
    assert f"run {stored.run.id} finished, simulated in" in said.out


def test_the_best_of_a_group_counts(iodyno_says: CommandLine, bench: Bench, study: Path) -> None:
    def faster_with_fast_path(result: PointResult) -> PointResult:
        rate = 50_000.0 if result.point.system == "raid0-fast-path-optimum" else 20_000.0
        return make_result(result.point, rate_io_s=rate, engine=result.reading.engine,
                           simulation=result.reading.simulation)  # fmt: skip

    bench.change = faster_with_fast_path
    said = iodyno_says("simulate", study)
    assert said.code == 0
    assert "all: RAID 0\n" in said.out
    assert "Database (fast-path-optimum)" in said.out
    assert "(performance)" not in said.out
    assert "all: One SSD" in said.out


def test_only_some_configurations_are_simulated(
    iodyno_says: CommandLine, bench: Bench, study: Path, tmp_path: Path
) -> None:
    assert iodyno_says("simulate", study, "--only", "raid0-f*").code == 0
    assert {result.point.system for result in stored_in(tmp_path).results} == {"raid0-fast-path-optimum"}
    said = iodyno_says("simulate", study, "--only", "raid1")
    assert said.code == 2
    assert 'there is no configuration "raid1"' in said.err


def test_nothing_is_left_to_simulate(iodyno_says: CommandLine, bench: Bench) -> None:
    assert iodyno_says("simulate", *SMALL).code == 0
    said = iodyno_says("simulate", "--resume", "latest")
    assert said.code == 2
    assert "nothing is left to simulate" in said.err
    assert "measure" not in said.err


def test_the_plan_alone(iodyno_says: CommandLine, bench: Bench, study: Path, tmp_path: Path) -> None:
    said = iodyno_says("simulate", study, "--plan")
    assert "warm-up 20,000 I/Os, counted 20,000 to 200,000" in said.out
    assert "12 points, simulated" in said.out
    plan = Plan.model_validate_json(iodyno_says("simulate", study, "--plan", "--json").out)
    assert set(plan.systems) == {"raid0-performance", "raid0-fast-path-optimum", "alone"}
    assert bench.measured == []
    assert not (tmp_path / "runs.db").exists()


def test_the_plan_tells_what_points_count_with_many_outstanding(
    iodyno_says: CommandLine, bench: Bench
) -> None:
    """24 rounds of 2 × 64 are 3,072 I/Os, 48 are 6,144; a warm-up has 200 at the least."""
    few = ("--warmup-ios", "100", "--floor-ios", "100", "--cap-ios", "100", "--workers", "2")
    plan = ("simulate", "quick", "--on", "p3700", "--profile", "database", "--plan")
    said = iodyno_says(*plan, *few, "--outstanding", "1,64").out
    assert "warm-up 100 I/Os, counted 100 to 100" in said
    rows = [line.rstrip() for line in said.splitlines() if "database" in line]
    assert [row.endswith(end) for row, end in zip(rows, ("200  100", "3,072  3,072–6,144"), strict=True)]
    assert rows[0].split()[-2:] == ["200", "100"]
    assert rows[1].split()[-2:] == ["3,072", "3,072–6,144"]
    open_loop = iodyno_says(*plan, *few, "--outstanding", "64", "--rate", "1000").out
    (row,) = [line.split() for line in open_loop.splitlines() if "database" in line]
    assert row[-2:] == ["256", "100"]  # two rounds of the most that there may be
    assert "not" not in iodyno_says(*plan, "--outstanding", "1,64").out.split()


def test_formulas_beside_the_simulator(iodyno_says: CommandLine, bench: Bench, tmp_path: Path) -> None:
    said = iodyno_says("simulate", *SMALL, "--analytic", "--compare")
    assert said.code == 0
    # The stand-in simulates rates that are a tenth above what it calculates: 1 ÷ 1.1 - 1.
    assert said.out.count("-9.1%") == 4
    assert (
        "calculated ÷ simulated - 1; the formulas are 9.1% from the simulator in the mean, 9.1% at"
        in said.out
    )
    assert "limited by, calculated" in said.out
    assert "4 points calculated in" in said.out
    assert not (tmp_path / "runs.db").exists()
    rows = json.loads(iodyno_says("simulate", *SMALL, "--analytic", "--json").out)
    assert [row["outstanding"] for row in rows] == [1, 2, 4, 8]
    assert rows[0]["simulated_io_s"] is None
    # Little's law: one outstanding I/O at a time.
    assert rows[0]["calculated_io_s"] * rows[0]["calculated_latency_ms_mean"] == pytest.approx(1e3, rel=0.01)
    assert (rows[0]["workers"], rows[0]["rate_io_s"]) == (1, None)


def test_on_a_narrow_terminal_words_stay_whole(
    iodyno_says: CommandLine, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What limits a point has no room beside a comparison in 80 columns, and stands below it."""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    compared = re.sub(r"\x1b\[[\d;]*m", "", iodyno_says("simulate", *SMALL, "--analytic", "--compare").out)
    assert re.search(r"^outstanding +limited by, calculated *$", compared, re.MULTILINE)
    assert "difference" in compared
    assert max(map(len, compared.splitlines())) <= 80
    assert "9.1% from the simulator" in " ".join(compared.split())
    assert "limited by" in iodyno_says("simulate", *SMALL, "--analytic").out


STREAM = """
schema = 1
name = "stream"
title = "A stream of small blocks"
[[profile]]
name = "small"
random_share = 0.0
read_share = 1.0
blocks = [4096]
[[sweep]]
name = "field"
profiles = ["small", "database"]
outstanding = [1, 2]
"""


def test_figures_of_formulas_that_can_be_far_off_are_marked(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path
) -> None:
    """Of two reads in order both wait for the one page of flash; one alone does not."""
    study = tmp_path / "stream.toml"
    study.write_text(STREAM)
    said = iodyno_says("simulate", study, "--on", "p3700", "--analytic", "--compare").out
    marked = [line.split() for line in said.splitlines() if "~" in line]
    assert [line[0] for line in marked[:-2]] == ["2"]
    assert marked[0][1].startswith("~")
    assert " ".join(marked[-2][:8]) == "~ reads in order of less than a"
    assert "0.4 to 3.4 times the simulator were seen" in said
    assert "9.1% at most; where they are not marked ~, 9.1% from the simulator in the mean" in said
    rows = json.loads(iodyno_says("simulate", study, "--on", "p3700", "--analytic", "--json").out)
    assert [len(row["rough"]) for row in rows] == [0, 1, 0, 0]
    assert rows[1]["rough"][0]["most"] == 3.4
    assert "~" not in iodyno_says("simulate", *SMALL, "--analytic", "--compare").out


def test_formulas_say_that_they_leave_a_rebuild_out(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path
) -> None:
    study = tmp_path / "rebuild.toml"
    head = 'name = "r"\ntitle = "R"\n[[sweep]]\nname = "s"\nprofiles = "database"\noutstanding = [1, 8]\n'
    systems = [
        '[[configuration]]\nname = "whole"\nsystem = "raid-controllers"\nchanges = { level = "5" }\n',
        '[[configuration]]\nname = "degraded"\nsystem = "raid-controllers"\n'
        'changes = { level = "5", failed = [0] }\n',
        '[[configuration]]\nname = "rebuilt"\nsystem = "raid-controllers"\n'
        'changes = { level = "5", failed = [0], rebuild_mb_s = 30.0 }\n',
    ]
    study.write_text(head + "".join(systems))
    said = iodyno_says("simulate", study, "--analytic").err
    assert said.startswith("note: the formulas leave rebuilding out: rebuilt is calculated as degraded")
    rows = json.loads(iodyno_says("simulate", study, "--analytic", "--json").out)
    told = {row["system"]: [reason["what"] for reason in row["rough"]] for row in rows}
    assert told == {
        "whole": [], "degraded": [], "rebuilt": ["a load beside a rebuild, which the formulas leave out"]
    }  # fmt: skip
    compared = iodyno_says("simulate", study, "--analytic", "--compare").out
    assert "~ a load beside a rebuild, which the formulas leave out: the formulas can be far off" in compared
    assert "; where they are not marked ~, " in compared
    study.write_text(head + "".join(systems[:2]))
    assert iodyno_says("simulate", study, "--analytic").err == ""


def test_quiet_formulas_print_what_a_program_asks_for(iodyno_says: CommandLine, bench: Bench) -> None:
    assert len(json.loads(iodyno_says("simulate", *SMALL, "--analytic", "-q", "--json").out)) == 4


def test_formulas_of_a_rate_say_what_was_asked(iodyno_says: CommandLine, bench: Bench) -> None:
    asked = iodyno_says("simulate", *SMALL, "--rate", "100", "--analytic")
    heads = [line for line in asked.out.splitlines() if "calculated" in line and "limited by" in line]
    assert heads
    assert all("asked" in head and "outstanding" not in head for head in heads)
    # Four series: of a rate the outstanding I/Os are no load.
    assert asked.out.count("outstanding at most") == 4


def test_a_maximum_of_a_rate_says_what_was_asked(iodyno_says: CommandLine, bench: Bench) -> None:
    """512 outstanding I/Os are the most that there may be, and not what it was had at."""
    said = iodyno_says("simulate", *SMALL[:-2], "--rate", "1000,2500")
    assert said.code == 0
    (titles,) = [line.split() for line in said.out.splitlines() if line.startswith("profile")]
    assert titles[:3] == ["profile", "served", "load"]  # all rates are: none is a maximum
    (row,) = [line for line in said.out.splitlines() if line.startswith("Database ") and "IO/s" in line]
    assert "2,500/s" in row or "1,000/s" in row
    shown = iodyno_says("show", "--stations").out
    assert "/s asked" in shown
    assert "512 outstanding" not in said.out + shown
    closed = iodyno_says("simulate", *SMALL).out
    assert "outstanding" in closed
    assert "  maximum  " in closed


def test_a_search_is_not_calculated(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """Formulas give means; steps of the simulator and of the formulas would not be the same rates either."""
    study = tmp_path / "search.toml"
    search = 'search = { percentile = 0.99, limit = "2ms" }'
    study.write_text(
        f'name = "s"\ntitle = "S"\n[[sweep]]\nname = "one"\nprofiles = "database"\nworkers = 1\n{search}\n'
    )
    refused = iodyno_says("simulate", study, "--on", "p3700", "--analytic", "--compare")
    assert refused.code == 2
    assert "sweep one.search: the formulas know means only" in refused.err


def test_a_store_that_fills_while_points_are_kept_has_failed(
    iodyno_says: CommandLine, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The request was good: 1, and not 2."""

    def full(*_: object) -> None:
        raise StoreError.of("runs.db", "the store is on a full disk")

    monkeypatch.setattr(Store, "add_all", full)
    said = iodyno_says("simulate", *SMALL)
    assert said.code == 1
    assert "failed: 0 of 4 points are kept" in said.err


def test_points_that_were_told_are_kept_when_nobody_reads_on(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``iodyno simulate --json | head -3``: the third line is the second point, and writing more fails."""
    told: list[int] = []

    def write(_: JsonLines, event: Event) -> None:
        if isinstance(event, PointFinished):
            if len(told) == 2:
                raise BrokenPipeError
            told.append(event.result.point.index)

    monkeypatch.setattr(JsonLines, "__call__", write)
    assert iodyno_says("simulate", *SMALL, "--json").code == 1
    kept = {result.point.index for result in stored_in(tmp_path).results}
    assert kept >= set(told) == {0, 1}


def test_ctrl_c_keeps_what_is_done_and_resume_goes_on(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path
) -> None:
    bench.interrupt_at = 2
    said = iodyno_says("simulate", *SMALL)
    assert said.code == 130
    stored = stored_in(tmp_path)
    assert [result.point.index for result in stored.results] == [0, 1]
    assert f"`iodyno simulate --resume {stored.run.id}` goes on" in said.err
    refused = iodyno_says("measure", "--resume", "latest")
    assert refused.code != 0
    assert "the run is a simulation" in refused.err
    bench.interrupt_at = None
    assert iodyno_says("simulate", "--resume", "latest").code == 0
    assert len(stored_in(tmp_path).results) == 4


def test_a_run_is_not_gone_on_with_by_another_model(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The paper names the iodyno that began it, and figures of two do not belong together."""
    bench.interrupt_at = 2
    assert iodyno_says("simulate", *SMALL).code == 130
    bench.interrupt_at = None
    before = stored_in(tmp_path)
    facts = before.run.tool.model_dump()
    for other in ({"commit": "0123abcd"}, {"version": "9.9"}):
        monkeypatch.setattr("iodyno.bench.build_facts", lambda other=other: facts | other)
        refused = iodyno_says("simulate", "--resume", "latest")
        assert (refused.code, stored_in(tmp_path)) == (2, before)
        assert next(iter(other.values())) in refused.err
        assert "simulate the study anew" in refused.err
    monkeypatch.setattr("iodyno.bench.build_facts", lambda: facts | {"python": "3.99"})
    assert iodyno_says("simulate", "--resume", "latest").code == 0


def test_progress_is_a_line_for_each_tenth(iodyno_says: CommandLine, bench: Bench) -> None:
    lines = iodyno_says("simulate", "quick", "--on", "p3700").out.splitlines()
    # What is left, where it is a second or more, hangs on the machine.
    told = [line.partition(",")[0] for line in lines if line.startswith("simulated ")]
    assert told[:10] == [f"simulated {done} of 50 points" for done in range(5, 51, 5)]


def test_quiet_and_json(iodyno_says: CommandLine, bench: Bench) -> None:
    assert iodyno_says("simulate", *SMALL, "--quiet") == Said(0, "", "")
    events = [
        json.loads(line)["event"] for line in iodyno_says("simulate", *SMALL, "--json").out.splitlines()
    ]
    assert events == ["run_started", *["point_finished"] * 4, "run_finished"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("quick",), "has no configurations"),
        (("quick", "--on", "p370"), "did you mean p3700?"),
        ((*SMALL, "--compare"), "--compare compares with what --analytic calculates"),
        ((*SMALL, "--resume", "latest"), "--resume goes on with the plan that the run has"),
        (("--resume", "latest", "--seed", "0"), "--resume goes on with the plan that the run has"),
        (("--resume", "latest", "--compare"), "--resume goes on with the plan that the run has"),
        ((*SMALL, "--plan", "-o", "a.pdf"), "no paper comes of what is not kept"),
        ((*SMALL, "--cap-ios", "none"), "is no whole number"),
        ((*SMALL, "--floor-ios", "9", "--cap-ios", "8"), "9 is above --cap-ios, 8"),
    ],
)
def test_what_cannot_be_is_refused(
    iodyno_says: CommandLine, bench: Bench, arguments: tuple[str, ...], said: str
) -> None:
    refused = iodyno_says("simulate", *arguments)
    assert refused.code == 2
    assert said in refused.err + refused.out


def test_a_rebuild_is_told_at_each_point(iodyno_says: CommandLine, bench: Bench) -> None:
    """The rate that it came to, and how long all of a member takes at it."""

    def rebuilding(result: PointResult) -> PointResult:
        values: dict[str, float | int | str] = {"rate_mb_s": 12.5 * result.point.outstanding, "hours": 4.0}
        notes = (*result.verdict.notes, Cause(code="rebuilding", values=values))
        return result.model_copy(update={"verdict": result.verdict.model_copy(update={"notes": notes})})

    iodyno_says("simulate", *SMALL)
    assert "rebuilt" not in iodyno_says("show").out
    bench.change = rebuilding
    iodyno_says("simulate", *SMALL)
    shown = iodyno_says("show").out
    for rate in ("12.5", "25.0", "50.0", "100"):
        assert f"{rate} MB/s each, all of it in 4.00 h\n" in shown


def test_simulated_points_run_out_of_ios_and_not_of_time(iodyno_says: CommandLine, bench: Bench) -> None:
    bench.change = lambda result: result.model_copy(
        update={"verdict": Verdict(state="capped", causes=(Cause(code="imprecise", values={"asked": 0.01}),))}
    )
    iodyno_says("simulate", *SMALL)
    shown = iodyno_says("show").out
    assert "as many I/Os were simulated as may be, without reaching the precision asked for (4)" in shown
    assert "time ran out" not in shown


def test_outstanding_ios_of_several_workers_are_told_with_how_many_there_are(
    iodyno_says: CommandLine, bench: Bench
) -> None:
    """Or rate and latency would not be what Little's law says of them."""
    said = iodyno_says("simulate", *SMALL[:-1], "8", "--workers", "1,4")
    lines = [line for line in said.out.splitlines() if line.startswith("Database") and "IO/s" in line]
    assert [re.findall(r"IO/s +(\d[× \d]*?)  ", line) for line in lines] == [["8"], ["8 × 4"]]
    assert "those of a target and worker × targets and workers" in said.out
    assert "×" not in iodyno_says("simulate", *SMALL).out


def test_maxima_name_what_ran_beside(iodyno_says: CommandLine, tmp_path: Path) -> None:
    study = tmp_path / "beside.toml"
    study.write_text(
        'name = "b"\ntitle = "B"\n[simulation]\nwarmup_ios = 100\nfloor_ios = 100\ncap_ios = 100\n'
        '[[sweep]]\nname = "s"\nprofiles = "database"\noutstanding = [1, 8]\n'
        '[[sweep.beside]]\nprofile = "restore"\noutstanding = 2\n'
    )
    said = iodyno_says("simulate", study, "--on", "p3700")
    assert said.code == 0, said.err
    assert "\nDatabase beside Restore  " in said.out


def test_a_station_that_is_nearly_the_limit_is_shown_with_a_decimal() -> None:
    """One of nine tenths is named: 89.6 % must not be written as 90 %."""
    limit = Bottleneck(place="drive_media", utilisation=0.896, kind="outstanding")
    simulation = Simulation(model_version=1, virtual_s=1, events=1, bottleneck=limit)
    busy = simulation.model_copy(
        update={
            "stations": (
                Station(name="a", place="drive_media", utilisation_mean=0.896, utilisation_max=0.896, jobs=1),
            )
        }
    )
    assert bottleneck_text(busy).endswith("the busiest station 89.6%")


@pytest.mark.parametrize(
    ("station", "called"),
    [
        ("core", "core of the host"),
        ("Intel SSD DC P3700 800 GB: dies", "Intel SSD DC P3700 800 GB: media (dies)"),
        ("P3700 (data): data path", "P3700 (data): media (data path)"),
        ("PCIe 3.0 x4, reads", "PCIe 3.0 x4, reads"),
    ],
)
def test_the_terminal_calls_limits_as_papers_do(station: str, called: str) -> None:
    """A core was one of whom knows what, and dies were no media."""
    limit = Bottleneck(station=station, place="drive_media", utilisation=0.96, kind="saturated")
    simulation = Simulation(model_version=1, virtual_s=1, events=1, bottleneck=limit)
    assert bottleneck_text(simulation) == f"{called}, 96.0%"
    assert station_name(ENGLISH, station) == called


def test_a_profile_that_the_chosen_sweeps_lack_is_named(iodyno_says: CommandLine) -> None:
    asked = ("simulate", "raid-controllers", "--only", "*raid5-write-through*")
    refused = iodyno_says(*asked, "--profile", "database")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.splitlines() == [
        "error: --profile: no sweep on the configurations that were chosen has database",
        "hint: they have random-write-4k; `iodyno simulate STUDY --plan` shows what the study has",
    ]
    assert iodyno_says(*asked, "--profile", "random-write-4k", "--plan").code == 0
    refused = iodyno_says(*asked, "--sweep", "single-drives")
    assert "no sweep runs on the configurations that were chosen" in refused.err
    assert "`iodyno simulate STUDY --plan`" in refused.err


def test_runs_and_show_say_that_it_is_simulated(
    iodyno_says: CommandLine, bench: Bench, study: Path, tmp_path: Path
) -> None:
    iodyno_says("simulate", study)
    assert "simulated: raid0-performance, raid0-fast-path-optimum, alone" in iodyno_says("runs").out
    assert json.loads(iodyno_says("runs", "--json").out)[0]["simulated"] is True
    shown = iodyno_says("show").out
    assert "the figures are those of a model, nothing was measured" in shown
    assert "2 × made-up link" in shown
    assert "made-up link, 97.0%" in shown
    assert "latency: links to the drives 75%, cores of the host 25%" in shown


def test_a_comparison_of_simulated_and_measured_says_so(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path
) -> None:
    iodyno_says("simulate", *SMALL)
    with Store.open(tmp_path / "runs.db") as store:
        plan = stored_in(tmp_path).run.plan
        points = tuple(point.model_copy(update={"system": None, "engine": "auto"}) for point in plan.points)
        measured = plan.model_copy(update={"points": points, "systems": {}})
        store.create_run(make_run(measured, run_id="20260101-000000-aaaa"))
        for point in points:
            store.add("20260101-000000-aaaa", make_result(point))
        store.finish("20260101-000000-aaaa", "finished")
    said = iodyno_says("compare", "20260101", "latest")
    assert said.code == 0
    assert "different simulated: measured and simulated" in said.out


def test_the_terminal_tells_loops_of_a_sweep_apart(iodyno_says: CommandLine) -> None:
    """Which of closed loop and rates was the higher stood for both, from system to system another one."""
    words = ("--on", "p3700", "--profile", "database", "--outstanding", "256", "--rate", "20%,150%")
    said = iodyno_says("simulate", "quick", *words, "--cap-ios", "4000", "--floor-ios", "2000")
    assert said.code == 0, said.err
    rows = re.findall(r"^Database, (\w+) loop .*? IO/s +(\S+)", said.out, re.MULTILINE)
    (closed, load), (opened, rate) = rows
    assert (closed, opened) == ("closed", "open")
    assert load in ("32", "128")
    assert rate.endswith("/s")


def test_a_run_begins_though_another_process_has_drawn_its_id(
    iodyno_says: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two that begin in one second in one store, once in 65,536 times: it ended in an error of ours."""
    monkeypatch.setattr("iodyno.new_runs.new_run_id", lambda _: "20261121-201530-4f2a")
    for _ in range(2):
        said = iodyno_says("simulate", *SMALL)
        assert said.code == 0, said.err
    with Store.open(tmp_path / "runs.db") as store:
        ids = {run.id for run in store.runs()}
    assert "20261121-201530-4f2a" in ids
    assert {run_id[:-4] for run_id in ids} == {"20261121-201530-"}
    assert len(ids) == 2
