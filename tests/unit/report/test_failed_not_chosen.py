"""A state that nobody chooses, members that have failed, is no choice beside configurations without."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from command_line import CommandLine
from iodyno.report import paper
from iodyno.store.records import StoredRun
from iodyno.study.configuration import Configuration
from iodyno.study.systems import resolve
from iodyno.system.virtual import describe
from iodyno.virtual import VirtualSystem
from unit.report.test_advice_on_what_was_asked import said
from unit.report.test_answer import concluded, run_of

FAILED = {"-deg-1": [0], "-reb-1": [1]}
LEFT_OUT = "Configurations with failed members are not compared with others."


def on_their_target(configuration: Configuration) -> VirtualSystem:
    """Give an array under the name of the target that points of made-up runs have."""
    system = resolve(configuration)
    (volume,) = system.volumes
    return system.model_copy(update={"volumes": (volume.model_copy(update={"name": "drive-0"}),)})


def run_of_arrays(rates: Mapping[str, float], profiles: str = "database") -> StoredRun:
    """Make a run of arrays with these rates, by names such as ``10-1`` of RAID 10, and ``10-deg-1``."""
    stored = run_of(rates, profiles=profiles)
    systems = {
        name: on_their_target(
            Configuration(
                name=name,
                system="raid-controllers",
                changes={"level": name.partition("-")[0]}
                | next(({"failed": at} for end, at in FAILED.items() if name.endswith(end)), {}),
            )
        )
        for name in rates
    }
    plan = stored.run.plan.model_copy(update={"systems": systems})
    run = stored.run.model_copy(update={"plan": plan, "system": describe(systems)})
    return stored.model_copy(update={"run": run})


def test_an_array_with_failed_members_is_no_next_and_no_choice() -> None:
    stored = run_of_arrays(
        {"10-1": 30_000.0, "10-deg-1": 25_000.0, "6-1": 15_000.0, "6-deg-1": 10_000.0, "6-reb-1": 9_000.0}
    )
    told = said(paper.build(stored))
    assert "For Database, choose 10-1:" in told
    assert "its maximum of 30,000 IO/s is 2.00 (1.99–2.01) times that of the next, 6-1" in told
    (compared,), text = concluded(stored)
    assert "The lowest is that of 6-1" in compared
    assert compared.endswith("15,000 IO/s. The highest is 2.00 times as much (interval 1.99 to 2.01).")
    assert LEFT_OUT in text


def test_no_change_is_drawn_from_arrays_with_failed_members() -> None:
    """The gain of RAID 10 is that of arrays that are whole: of those alone there are no two pairs."""
    rates = {"10-1": 30_000.0, "10-deg-1": 29_000.0, "6-1": 15_000.0, "6-deg-1": 5_000.0}
    assert "instead of" not in said(paper.build(run_of_arrays(rates)))
    failed = {"10-deg-1": 30_000.0, "6-deg-1": 15_000.0, "10-reb-1": 20_000.0, "6-reb-1": 10_000.0}
    assert "RAID 10 instead of RAID 6" in said(paper.build(run_of_arrays(failed)))


def test_beside_the_same_array_alone_they_show_what_a_failure_costs() -> None:
    stored = run_of_arrays({"6-1": 15_000.0, "6-deg-1": 10_000.0})
    assert "choose" not in said(paper.build(stored))
    (compared,), text = concluded(stored)
    assert "6-deg-1" in compared
    assert LEFT_OUT not in text


def test_nothing_is_said_to_be_left_out_where_a_failed_one_is_compared() -> None:
    """Another failed one has no curve of the profile."""
    stored = run_of_arrays({"6-1": 15_000.0, "6-deg-1": 10_000.0, "10-deg-1": 9_000.0})
    without = stored.model_copy(
        update={"results": tuple(found for found in stored.results if found.point.system != "10-deg-1")}
    )
    (compared,), text = concluded(without)
    assert "6-deg-1" in compared
    assert LEFT_OUT not in text


def with_one_alone(profiles: tuple[str, ...], alone: tuple[str, ...]) -> StoredRun:
    """Make a run in which some profiles have only one array beside it with a failed member."""
    rates = {"10-1": 30_000.0, "6-1": 15_000.0, "6-deg-1": 10_000.0}
    stored = run_of_arrays(rates, profiles='", "'.join(profiles))
    results = (
        found
        for found in stored.results
        if found.point.system != "10-1" or found.point.profile.name not in alone
    )
    return stored.model_copy(update={"results": tuple(results)})


def test_the_profile_is_named_of_which_they_are_left_out_where_another_compares_them() -> None:
    """Nothing was said then."""
    compared, text = concluded(with_one_alone(("database", "file-server"), ("file-server",)))
    of_database, of_file_server = sorted(compared)
    assert "6-deg-1" not in of_database
    assert "6-deg-1" in of_file_server
    assert LEFT_OUT not in text
    said_of = (
        "Configurations with failed members are not compared with others of these load profiles: Database."
    )
    assert said_of in text


def test_many_profiles_of_which_they_are_left_out_are_counted() -> None:
    profiles = ("database", "file-server", "file-copy", "streaming", "restore", "random-read-4k")
    _, text = concluded(with_one_alone(profiles, ("file-server",)))
    assert "Configurations with failed members are not compared with others of 5 load profiles." in text


OFFERED = """
schema = 1
name = "offered"
title = "Offered"
CONFIGURATIONS
[[sweep]]
name = "field"
profiles = "random-read-4k"
workers = 1
area = "1G"
rate_io_s = 20000
"""


def test_response_times_with_failed_members_are_no_extreme_beside_several_without(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    """Reads of what is lost take reads of all others: the degraded array has the longest response times."""
    for names, told in ((("whole-5", "whole-6", "lost-5"), False), (("whole-5", "lost-5"), True)):
        made = "".join(
            f'[[configuration]]\nname = "{name}"\nsystem = "raid-controllers"\n'
            f'changes = {{ level = "{name[-1]}"{", failed = [0]" if name.startswith("lost") else ""} }}\n'
            for name in names
        )
        (tmp_path / "study.toml").write_text(OFFERED.replace("CONFIGURATIONS", made), "utf-8")
        ios = ("--warmup-ios", "1000", "--floor-ios", "40000", "--cap-ios", "40000")
        out = tmp_path / "paper.html"
        said = iodyno_says("simulate", tmp_path / "study.toml", *ios, "-o", out)
        assert said.code == 0, said.err
        text = re.sub(r"<[^>]*>", "", out.read_text("utf-8"))
        sentence = text[text.rindex("99% of the response times are at most") :].partition(". ")[0]
        assert ("with whole-5, and" in sentence, "with lost-5" in sentence) == (told, told), sentence
