"""A study of one's own is carried by its paper, and the commands in it name its file."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from command_line import CommandLine, Said, simulated_result
from factories import make_plan, make_run, make_stored_run
from iodyno.plan import Plan
from iodyno.report import paper
from iodyno.report.document import Document, Facts, Heading, Paragraph
from iodyno.report.messages import plain
from iodyno.report.sections.commands import own_study, repeat
from iodyno.store import Store
from iodyno.store.records import StoredRun
from iodyno.study import parse_study, plan_simulation
from iodyno.system.virtual import describe
from paper_texts import texts
from virtual_systems import virtual_system

STUDY = """
name = "mine"
title = "Mine"
question = "What?"
[[profile]]
name = "own"
random_share = 0.5
read_share = 0.9
blocks = [{ bytes = "12k" }]
[[sweep]]
name = "one"
profiles = ["own"]
outstanding = [1, 8]
"""


@pytest.fixture
def simulate(
    iodyno_says: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., Said]:
    """Give a command line that is the one of the process too, in a folder with the study."""
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(STUDY)

    def say(*words: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["iodyno", "simulate", *map(str, words)])
        said = iodyno_says("simulate", *words)
        assert said.code == 0, said.err
        return said

    return say


def latest() -> StoredRun:
    with Store.open() as store:
        return store.load("latest")


def facts(document: Document) -> dict[str, str]:
    """Give the facts of a paper by their labels, the last of a name."""
    blocks = (block for block in document.blocks if isinstance(block, Facts))
    return {label: plain(text) for block in blocks for label, text in block.items}


@pytest.mark.parametrize("words", [("mine.toml", "--on", "p3700"), ("--on", "p3700", "mine.toml")])
def test_a_study_of_ones_own_is_attached_and_gives_the_same_plan(
    simulate: Callable[..., Said], words: tuple[str, ...]
) -> None:
    simulate(*words)
    stored = latest()
    document = paper.build(stored)
    (attached,) = document.attachments
    assert attached.name == f"{stored.run.id}-study.toml"
    shown = f"attached to this document as {attached.name}; the commands name it mine.toml"
    assert facts(document)["Study"] == shown
    (first, *_) = stored.run.plan.points
    assert repeat(stored.run, first).startswith("iodyno simulate mine.toml --on p3700 --profile own ")
    Path("again.toml").write_bytes(attached.data)
    simulate("again.toml")
    again = latest().run.plan
    assert again.systems == stored.run.plan.systems
    assert [point.profile for point in again.points] == [point.profile for point in stored.run.plan.points]
    assert [point.outstanding for point in again.points] == [1, 8]


def test_the_attached_study_of_some_configurations_names_no_others(simulate: Callable[..., Said]) -> None:
    """A comparison, or a sweep, of what was not chosen made it one that nobody could simulate."""
    Path("three.toml").write_text(
        """
schema = 1
name = "three"
title = "Three"
[[configuration]]
name = "{n}-a"
system = "p3700"
each = { n = ["one", "two"] }
[[configuration]]
name = "other"
system = "p3700"
[[sweep]]
name = "every"
profiles = ["database"]
outstanding = [8]
configurations = ["*-a", "other"]
[[sweep.chart.compare]]
title = "Beside the other"
of = ["*-a"]
to = "other"
[[sweep.chart.compare]]
title = "Beside the first"
of = ["two-a", "other"]
to = "one-a"
[[sweep]]
name = "last"
profiles = ["database"]
outstanding = [1]
configurations = ["other"]
"""
    )
    simulate("three.toml", "--only", "*-a")
    stored = latest()
    (attached,) = paper.build(stored).attachments
    Path("again.toml").write_bytes(attached.data)
    simulate("again.toml")
    again = latest().run.plan
    assert [(one.system, one.outstanding) for one in again.points] == [("one-a", 8), ("two-a", 8)]
    (sweep,) = again.study_source["sweep"]
    assert [(one["title"], list(one["of"])) for one in sweep["chart"]["compare"]] == [
        ("Beside the first", ["two-a"])
    ]


def test_the_attached_study_of_some_configurations_has_no_parts_of_others(
    simulate: Callable[..., Said],
) -> None:
    """A part of what was not chosen made it one that nobody could simulate."""
    Path("parts.toml").write_text(
        """
schema = 1
name = "parts"
title = "Parts"
[[configuration]]
name = "{n}-a"
system = "p3700"
each = { n = ["one", "two"] }
[[configuration]]
name = "other"
system = "p3700"
[[sweep]]
name = "every"
profiles = ["database"]
outstanding = [8]
[[sweep.chart.part]]
title = "Two of them"
configurations = ["other", "two-*"]
[[sweep.chart.part]]
title = "The other"
configurations = ["other"]
"""
    )
    simulate("parts.toml", "--only", "*-a")
    (attached,) = paper.build(latest()).attachments
    Path("again.toml").write_bytes(attached.data)
    simulate("again.toml")
    again = latest().run.plan
    assert [one.system for one in again.points] == ["one-a", "two-a"]
    (sweep,) = again.study_source["sweep"]
    assert [(one["title"], list(one["configurations"])) for one in sweep["chart"]["part"]] == [
        ("Two of them", ["two-*"])
    ]


def test_a_study_of_the_tool_is_not(simulate: Callable[..., Said]) -> None:
    simulate("quick", "--on", "p3700", "--profile", "database", "--outstanding", "8")
    document = paper.build(latest())
    assert document.attachments == ()
    assert "Study" not in facts(document)


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("measure /data --study quick", ""),
        ("measure /data --quick", ""),
        ("measure /data --study mine.toml", "mine.toml"),
        ("measure /data --study=./quick", "./quick"),
        ("measure load.fio", ""),
        ("simulate", ""),
        ("simulate quick --on mine.toml", ""),
        ("simulate --store runs.toml --on p3700 -q folder/mine.toml -o paper.pdf", "folder/mine.toml"),
        ("simulate --only p3700 mine.toml", "mine.toml"),
        ("simulate load.fio --on p3700", ""),
    ],
)
def test_the_file_of_a_study_is_found_on_any_command_line(command: str, found: str) -> None:
    run = make_run(made_plan(), command=("iodyno", *command.split()))
    assert own_study(run) == found


def made_plan() -> Plan:
    """Give a plan that has the study, on real targets."""
    return make_plan().model_copy(update={"study_source": parse_study(STUDY).source()})


def test_a_study_that_was_measured_is_attached_as_it_was_read() -> None:
    stored = make_stored_run()
    run = make_run(made_plan(), command=("iodyno", "measure", "/data", "--study", "mine.toml"))
    (attached,) = paper.build(stored.model_copy(update={"run": run})).attachments
    assert parse_study(attached.data.decode()) == parse_study(STUDY)


def test_of_a_run_without_its_study_nothing_is_attached() -> None:
    stored = make_stored_run()
    plan = make_plan().model_copy(update={"study_source": {}})
    run = make_run(plan, command=("iodyno", "measure", "/data", "--study", "mine.toml"))
    assert paper.build(stored.model_copy(update={"run": run})).attachments == ()


JOB = "[own]\nrw=randrw\nrwmixread=90\nbs=12k\nsize=64g\n"


@pytest.mark.parametrize(
    "profile",
    [
        ("--profile", "database"),
        ("--study", "mine.toml", "--profile", "own"),
        ("--study=mine.fio", "--profile", "own"),
    ],
)
def test_commands_of_a_search_name_the_study_that_its_paper_carries(
    iodyno_says: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, profile: tuple[str, ...]
) -> None:
    """No study has its name: `iodyno simulate search` was a command that nobody could run. One that it takes
    profiles from has other sweeps."""
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(STUDY)
    Path("mine.fio").write_text(JOB)
    words = ("search", "--on", "p3700", *profile, "--p99", "5ms", "--resolution", "20%")
    monkeypatch.setattr(sys, "argv", ["iodyno", *words])
    assert iodyno_says(*words).code == 0
    stored = latest()
    (attached,) = paper.build(stored).attachments
    Path("search.toml").write_bytes(attached.data)
    point = stored.results[-1].point
    command = repeat(stored.run, point)
    assert command.startswith("iodyno simulate search.toml --on p3700 ")
    said = iodyno_says(*shlex.split(command)[1:])
    assert said.code == 0, said.err
    assert [result.point for result in latest().results] == [result.point for result in stored.results]


@pytest.mark.parametrize("study", ["mine.toml", "mine.fio"])
def test_of_a_search_on_real_targets_they_name_it_too(study: str) -> None:
    run = make_run(made_plan(), command=("iodyno", "search", "/data", "--study", study, "--profile", "own"))
    assert own_study(run) == "search.toml"
    assert " --study search.toml " in repeat(run, run.plan.points[0])


OWN_TITLES = """
name = "mine"
title = "Load"
question = "Results"
[[profile]]
name = "own"
title = "Throughput"
stands_for = "none"
random_share = 0.5
read_share = 0.9
blocks = [{ bytes = "12k" }]
[[configuration]]
name = "a"
title = "Maximum, Quotient"
system = "p3700"
[[configuration]]
name = "b"
title = "Limit: one, Latency"
system = "p3700"
[[sweep]]
name = "one"
title = "Load"
description = "Latency"
profiles = ["own"]
outstanding = [1, 8]
[sweep.chart]
part = [{ title = "Interval", configurations = ["a"] }]
[[sweep]]
name = "two"
title = "Shares"
profiles = ["own"]
outstanding = [1]
"""


@pytest.mark.parametrize("language", ["de", "ja"])
def test_what_somebody_called_a_study_and_its_parts_is_never_translated(language: str) -> None:
    """The words are those of columns and headings of the paper, which are translated."""
    systems = {name: virtual_system(drives=2) for name in ("a", "b")}
    plan = plan_simulation(parse_study(OWN_TITLES), systems)
    titles = {"a": "Maximum, Quotient", "b": "Limit: one, Latency"}
    run = make_run(plan, system=describe(systems, titles), simulated=True, status="finished")
    stored = StoredRun(run=run, results=tuple(simulated_result(point) for point in plan.points))
    document = paper.build(stored, language)
    headings = [block.text for block in document.blocks if isinstance(block, Heading)]
    assert {"Load", "Shares", "Interval"} <= set(headings)
    assert document.title_page.title == "Load"
    said = "\n".join(texts(document))
    for own in ("Results", "Throughput", "Maximum, Quotient", "Limit: one, Latency"):
        assert own in said, own
    assert "Latency" in [block.text for block in document.blocks if isinstance(block, Paragraph)]
