"""What ``import iodyno`` offers: there, cheap, apart from what is inside, in the words of who calls it."""

from __future__ import annotations

import ast
import json
import math
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

import iodyno
from command_line import CommandLine
from iodyno.bench import simulate as simulated

PACKAGE = Path(iodyno.__file__).parent
MODULES = {found.name for found in pkgutil.iter_modules(iodyno.__path__)}
DATA = {file.name for file in PACKAGE.iterdir() if file.is_dir()}


def taken_from_the_package(file: Path) -> Iterator[str]:
    """Yield what a module imports of ``iodyno`` itself."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "iodyno" and not node.level:
            yield from (alias.name for alias in node.names)


def test_every_name_is_there_and_has_a_text() -> None:
    assert [name for name in iodyno.__all__ if not getattr(iodyno, name).__doc__] == []
    assert set(iodyno.__all__) <= set(dir(iodyno))
    assert list(iodyno.__all__) == sorted(iodyno.__all__)


def test_names_are_typed_as_what_they_are() -> None:
    """What a type checker sees is imported from where the name is loaded from."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text("utf-8"))
    seen = {
        alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("iodyno.")
        for alias in node.names
    }
    homes = {name: home for home, names in iodyno._HOMES.items() for name in names}
    assert seen == {name: homes.get(name, "iodyno.public") for name in iodyno.__all__}
    assert (PACKAGE / "py.typed").exists()


def test_a_name_that_there_is_not_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'iodyno' has no attribute 'simulat'"):
        iodyno.simulat  # type: ignore[attr-defined] # noqa: B018


def test_importing_loads_nothing_else() -> None:
    code = "import iodyno, sys; print([name for name in sys.modules if name.startswith('iodyno')])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "['iodyno']\n"


def test_no_name_is_that_of_a_module() -> None:
    """Importing a module puts it in the place of the name."""
    assert {"bench", "store"} <= MODULES
    assert set(iodyno.__all__).isdisjoint(MODULES | DATA)


def test_nothing_inside_goes_through_the_front() -> None:
    """The order of stages is checked without what the package passes on."""
    wrong = {
        str(file.relative_to(PACKAGE)): names
        for file in PACKAGE.rglob("*.py")
        if (names := set(taken_from_the_package(file)) & set(iodyno.__all__))
    }
    assert wrong == {}


def test_the_command_of_a_run_asks_the_same(iodyno_says: CommandLine) -> None:
    """The paper prints it: on the command line it gives the same points with the same seeds."""
    asked: dict[str, Any] = {
        "profiles": ["database", "restore"], "outstanding": [1, 4], "workers": 2, "area": "10%", "seed": 7,
    }  # fmt: skip
    run = iodyno.simulate("quick", ["p3700", "nvme-today"], **asked).run
    said = iodyno_says(*run.command[1:], "--plan", "--json")
    assert said.code == 0, said.err
    told = json.loads(said.out)
    assert run.simulated
    assert [point["seed"] for point in told["points"]] == [point.seed for point in run.plan.points]
    assert iodyno.planned("quick", ["p3700", "nvme-today"], **asked) == run.plan


def test_what_is_planned_simulated_and_predicted_is_asked_in_one_way() -> None:
    """They are written out one by one: notebooks show the signature as it is at run time."""
    asked = [
        {
            name: (one.kind, one.default, one.annotation)
            for name, one in signature(function).parameters.items()
        }
        for function in (iodyno.planned, iodyno.simulate, iodyno.predict)
    ]
    planned, simulated, predicted = asked
    assert planned == predicted
    assert {name: simulated[name] for name in planned} == planned
    assert list(simulated)[len(planned) :] == ["jobs", "store"]


def test_only_chooses_configurations_and_one_alone_is_no_list_of_letters() -> None:
    plan = iodyno.planned("raid-controllers", only="ep420i-*raid5*", profiles="database", outstanding=1)
    assert plan.systems
    assert all(name.startswith("ep420i-") and "raid5" in name for name in plan.systems)
    assert {point.outstanding for point in plan.points} == {1}


@pytest.mark.parametrize(
    ("asked", "where", "what"),
    [
        ({}, "quick", "the study has no configurations"),
        ({"on": "p370"}, "p370", "there is no system of this name"),
        ({"on": "p3700", "profiles": "databse"}, "profiles", 'there is no profile "databse"'),
        ({"on": "p3700", "only": "x"}, "only", 'there is no configuration "x"'),
        ({"on": "p3700", "outstanding": [1, 0]}, "outstanding[1]", "0 is below the least of 1"),
        ({"on": "p3700", "workers": 5000}, "workers[0]", "5000 is above the limit of 1024"),
        ({"on": "p3700", "seed": -1}, "seed", "-1 is below the least of 0"),
        ({"on": "p3700", "area": "32 foo"}, "area", "'32 foo' is no size"),
        ({"on": ["p3700", "p3700"]}, "on", "p3700 is named twice"),
        ({"on": "p3700", "only": ["*", "*"]}, "only", "* is named twice"),
        ({"on": "p3700", "profiles": ["database", "database"]}, "profiles", "database is named twice"),
        ({"on": "p3700", "outstanding": [1, 8, 1]}, "outstanding", "1 is in the list twice"),
        ({"on": "p3700", "workers": [2, 2, 2]}, "workers", "2 is in the list 3 times"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_by_the_name_of_the_argument(
    asked: dict[str, Any], where: str, what: str
) -> None:
    with pytest.raises(iodyno.ProfileError) as raised:
        iodyno.planned("quick", **asked)
    (problem,) = raised.value.problems
    assert problem.where == where
    assert problem.what.startswith(what)


def test_formulas_give_means_and_say_where_they_are_rough() -> None:
    """A percentile of them would say nothing: there is none to be taken for one."""
    (near,) = iodyno.predict("quick", "p3700", profiles="database", outstanding=8, area="32G")
    (far,) = iodyno.predict("quick", "raid-onboard", profiles="streaming", outstanding=8)
    assert near["rough"] == ""
    assert far["rough"] == "one worker that reads mirrored disks in order, much at a time"
    assert [name for name in near if re.search(r"_p\d|_min|_max|interval|state", name)] == []
    # Little's law holds for what is calculated.
    rate_io_s, latency_ms = near["transaction_rate_io_s"], near["latency_ms_mean"]
    assert isinstance(rate_io_s, float)
    assert isinstance(latency_ms, float)
    outstanding = rate_io_s * latency_ms / 1000
    assert outstanding == pytest.approx(8, rel=1e-6)


def test_a_kept_run_that_is_interrupted_is_kept_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(plan: iodyno.Plan, **rest: Any) -> Iterator[object]:
        for number, result in enumerate(simulated(plan, **rest)):
            if number:
                raise KeyboardInterrupt
            yield result

    with iodyno.open_store(tmp_path / "runs.db") as store:
        monkeypatch.setattr("iodyno.bench.simulate", interrupted)
        with pytest.raises(KeyboardInterrupt):
            iodyno.simulate("quick", "p3700", profiles="database", outstanding=[1, 2, 4], jobs=1, store=store)
        (line,) = store.runs()
    assert line.status == "interrupted"
    assert 0 < line.done <= line.points == 3


def test_a_failed_run_is_no_finished_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(plan: iodyno.Plan, **_: Any) -> Iterator[object]:
        raise RuntimeError("it broke")
        yield

    with iodyno.open_store(tmp_path / "runs.db") as store:
        monkeypatch.setattr("iodyno.bench.simulate", failing)
        with pytest.raises(RuntimeError, match="it broke"):
            iodyno.simulate("quick", "p3700", profiles="database", outstanding=1, store=store)
        assert [line.status for line in store.runs()] == ["failed"]


def test_a_paper_that_cannot_be_is_refused(tmp_path: Path) -> None:
    run = iodyno.simulate("quick", "p3700", profiles="database", outstanding=1)
    with pytest.raises(iodyno.ReportError, match="its format is not known"):
        iodyno.write_paper(run, tmp_path / "paper.docx")
    with pytest.raises(iodyno.ReportError, match="there is no paper in 'fr'"):
        iodyno.write_paper(run, tmp_path / "paper.html", language="fr")
    assert list(tmp_path.iterdir()) == []


def test_a_paper_that_breaks_off_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = iodyno.simulate("quick", "p3700", profiles="database", outstanding=1)
    file = tmp_path / "paper.html"
    file.write_text("before")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        iodyno.write_paper(run, file)
    assert [path.name for path in tmp_path.iterdir()] == ["paper.html"]
    assert file.read_text() == "before"


def test_what_takes_a_store_a_file_or_a_run_takes_its_name_or_one_alone(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"on": "p3700", "profiles": "database"}
    kept = iodyno.simulate("quick", **asked, outstanding=[1, 2], store=str(tmp_path / "lab.db"))
    assert iodyno.load_run(store=tmp_path / "lab.db") == kept
    iodyno.export_run(kept, "csv", str(tmp_path / "run.csv"))
    lines = (tmp_path / "run.csv").read_text().splitlines()
    assert len(lines) == 1 + len(kept.results) == 3
    other = iodyno.simulate("quick", **asked, outstanding=[1, 2], seed=7)
    papers = [tmp_path / "one.html", tmp_path / "several.html"]
    iodyno.write_paper(kept, papers[0], beside=other)
    iodyno.write_paper(kept, papers[1], beside=[other])
    assert papers[0].read_text() == papers[1].read_text()


def test_a_name_that_no_table_and_no_format_has_is_told(tmp_path: Path) -> None:
    run = iodyno.simulate("quick", "p3700", profiles="database", outstanding=1)
    wrong: Any = "serie"
    table = (
        'what: there is no table "serie"',
        "did you mean series? Known tables: points, series, histogram, targets, comparisons",
    )
    with pytest.raises(iodyno.StoreError) as raised:
        iodyno.rows(run, wrong)
    assert [(str(one), one.hint) for one in raised.value.problems] == [table]
    with pytest.raises(iodyno.StoreError) as raised:
        iodyno.export_run(run, "csv", tmp_path / "run.csv", what=wrong)
    assert [(str(one), one.hint) for one in raised.value.problems] == [table]
    wrong = "xls"
    with pytest.raises(iodyno.StoreError) as raised:
        iodyno.export_run(run, wrong, tmp_path / "run.xls")
    (problem,) = raised.value.problems
    assert str(problem) == 'format: there is no format "xls"'
    assert problem.hint.endswith("nown formats: json, csv, parquet, fio-json")
    assert list(tmp_path.iterdir()) == []


def test_a_machine_repairman_is_solved_as_the_closed_form_has_it() -> None:
    """Of N machines that run for Z and are repaired one at a time in s (M/M/1//N) k are broken with a chance
    as N! / (N - k)! (s / Z)^k."""
    station = iodyno.NetworkStation(name="repairman", law=iodyno.Servers(servers=1), visits=1, service_s=2)
    rates = iodyno.NetworkStation(name="repairman", law=iodyno.Rates(rates=(0.5,)), visits=1)
    for one in (station, rates):
        network = iodyno.ClosedNetwork(think_s=10, stations=(one,))
        for found in iodyno.solve_network(network, [1, 5, 20], method="exact"):
            broken = [math.perm(found.customers, k) * (2 / 10) ** k for k in range(found.customers + 1)]
            assert found.rate_s == pytest.approx((1 - broken[0] / sum(broken)) / 2, rel=1e-9)


@pytest.mark.parametrize("jobs", [0, -1])
def test_no_jobs_at_a_time_simulate_nothing(jobs: int) -> None:
    with pytest.raises(iodyno.ProfileError, match=f"jobs: {jobs} is below the least of 1"):
        iodyno.simulate("quick", "p3700", profiles="database", outstanding=1, jobs=jobs)


def test_what_is_none_is_left_out() -> None:
    asked: dict[str, Any] = dict.fromkeys(("only", "profiles", "outstanding", "workers", "area"))
    assert iodyno.planned("quick", "p3700", **asked) == iodyno.planned("quick", "p3700")
    with pytest.raises(iodyno.ProfileError, match="the study has no configurations"):
        iodyno.planned("quick", None)  # type: ignore[arg-type]


def test_a_run_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(iodyno.StoreError):
        iodyno.load_run(store=tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize(
    ("asked", "what", "hint"),
    [
        (
            {"on": "p3700", "outstanding": 3},
            "no load in common: {base} has 1 worker on 1 target at 1 and 2 outstanding I/Os; {other} has 1 "
            "worker on 1 target at 3 outstanding I/Os",
            "give both the same outstanding=, rate and workers=, and as many targets",
        ),
        (
            {"on": ["nvme-today", "raid-onboard"], "outstanding": 1},
            "no system in common: {base} has p3700; {other} has nvme-today and raid-onboard",
            "simulate one of them alone, with only= or on=: two runs on one system each are compared",
        ),
    ],
)  # fmt: skip
def test_what_has_nothing_in_common_is_told_by_both_that_compare(
    tmp_path: Path, asked: dict[str, Any], what: str, hint: str
) -> None:
    base = iodyno.simulate("quick", "p3700", profiles="database", outstanding=[1, 2])
    other = iodyno.simulate("quick", profiles="database", **asked)
    told = f"cannot be compared with {base.run.id}: {what.format(base=base.run.id, other=other.run.id)}"
    problem = iodyno.Problem(other.run.id, told, hint)
    found = iodyno.compare(base, other)
    assert (found.points, found.why_none) == ((), problem)
    with pytest.raises(iodyno.ReportError) as raised:
        iodyno.write_paper(base, tmp_path / "paper.html", beside=[other])
    assert raised.value.problems == (problem,)
    assert list(tmp_path.iterdir()) == []
    assert iodyno.compare(base, base).why_none is None


ODD: list[Any] = [5, 2.5, b"x", [None], {"a": 1}, object()]
CALLS: dict[str, tuple[Any, str]] = {
    "planned study": (lambda odd: iodyno.planned(odd, "p3700"), "study: takes the name of a study"),
    "planned on": (lambda odd: iodyno.planned("quick", odd), "on"),
    "planned only": (lambda odd: iodyno.planned("raid-controllers", only=odd), "only"),
    "planned profiles": (lambda odd: iodyno.planned("quick", "p3700", profiles=odd), "profiles"),
    "simulate store": (
        lambda odd: iodyno.simulate("quick", "p3700", store=odd),
        "store: takes an open store",
    ),
    "open_store": (iodyno.open_store, "path: takes a path or None"),
    "load_run reference": (iodyno.load_run, "reference: takes the id of a run"),
    "load_run store": (lambda odd: iodyno.load_run("latest", odd), "store: takes a path or None"),
    "rows run": (iodyno.rows, "run: takes a run"),
    "compare base": (lambda odd: iodyno.compare(odd, odd), "base: takes a run"),
    "write_paper run": (lambda odd: iodyno.write_paper(odd, "x.html"), "run: takes a run"),
    "analyse": (iodyno.analyse, "stored: takes a run"),
    "export_run": (lambda odd: iodyno.export_run(odd, "csv", "x.csv"), "stored: takes a run"),
    "load_study": (iodyno.load_study, "name_or_path: takes the name of a study"),
    "parse_study": (iodyno.parse_study, "text: takes TOML"),
    "solve_network": (lambda odd: iodyno.solve_network(odd, [1]), "network: takes a ClosedNetwork"),
}


@pytest.mark.parametrize("called", CALLS)
def test_an_argument_of_another_type_is_told_by_its_name(
    called: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each ended in a TypeError or AttributeError from inside."""
    monkeypatch.chdir(tmp_path)
    call, told = CALLS[called]
    for odd in ODD:
        with pytest.raises(iodyno.IodynoError) as raised:
            call(odd)
        assert raised.value.problems[0].what
        assert str(raised.value).startswith(told), odd
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("odd", ["nix", b"x", 2.5, True, [4]])
def test_numbers_of_other_types_are_told_by_their_names(odd: Any) -> None:
    network = iodyno.array_network({1: 100.0}, 4)
    for call, name in (
        (lambda: iodyno.simulate("quick", "p3700", jobs=odd), "jobs"),
        (lambda: iodyno.array_network({1: 100.0}, odd), "drives"),
        (lambda: iodyno.array_network({1: [odd]}, 4), "curve"),  # type: ignore[dict-item]
        (lambda: iodyno.solve_network(network, [1, [odd]]), "customers"),  # type: ignore[list-item]
        (lambda: iodyno.solve_network(network, "12"), "customers"),  # type: ignore[arg-type]
        (lambda: iodyno.solve_network(network, [1], odd if odd != "nix" else 5), "method"),  # type: ignore[arg-type]
    ):
        with pytest.raises(iodyno.ArgumentError, match=rf"^{name}"):
            call()


def test_arguments_of_other_types_are_told_together_as_type_errors() -> None:
    with pytest.raises(TypeError) as raised:
        iodyno.simulate(None, ["p3700", 5], jobs="4", store=3)  # type: ignore[arg-type,list-item]
    assert str(raised.value).splitlines() == [
        "study: takes the name of a study, a path, or a study, not None",
        "on[1]: takes the name of a system, or a path, not 5 (int)",
        "jobs: takes a whole number from 1 on, or None, not '4' (str)",
        "store: takes an open store, a path or None, not 3 (int)",
    ]
    with pytest.raises(iodyno.ArgumentError, match=r"^file: takes a path, not 7 \(int\)$"):
        iodyno.write_paper(iodyno.simulate("quick", "p3700", profiles="database", outstanding=1), 7)  # type: ignore[arg-type]
