"""Options of a search: what is for virtual targets and what for real ones."""

from __future__ import annotations

import re
from pathlib import Path

from command_line import CommandLine
from iodyno.store import Store

ON = ("search", "--on", "p3700", "--profile", "database", "--p99", "2ms")


def test_a_search_on_a_system_takes_what_it_is_told_to_change(iodyno_says: CommandLine) -> None:
    """It said that a larger --cap-ios makes points more precise, and knew no such option."""
    few = ("--warmup-ios", "100", "--floor-ios", "500", "--cap-ios", "1000")
    said = iodyno_says(*ON, *few, "--maximum-at", "8", "--resolution", "50%")
    assert said.code == 0, said.err
    assert "a larger --cap-ios makes" in said.out
    (run,) = re.findall(r"run (\S+) finished", said.out)
    with Store.open() as store:
        points = [result.point for result in store.load(run).results]
    limits = {(of.stopping.warmup_ios, of.stopping.floor_ios, of.stopping.cap_ios) for of in points}
    assert limits == {(100, 500, 1000)}


def test_a_search_on_real_targets_takes_times_and_no_ios(iodyno_says: CommandLine, tmp_path: Path) -> None:
    said = iodyno_says("search", tmp_path, *ON[3:], "--cap-ios", "1000", "--floor-ios", "500")
    assert said.code == 2
    assert "--floor-ios, --cap-ios: of virtual targets only" in said.err
    assert "--cap are for real ones" in said.err
    assert list(tmp_path.iterdir()) == []


def test_all_that_is_for_real_targets_is_refused_together(iodyno_says: CommandLine) -> None:
    said = iodyno_says(*ON, "--cold-cache", "--verify", "--buffered")
    assert said.code == 2
    assert "--verify, --buffered, --cold-cache: of real targets only" in said.err
    assert "study" not in said.err
    assert "--cold-cache: of real targets only" in iodyno_says(*ON, "--cold-cache").err


def test_a_profile_of_a_study_is_searched_with_and_kept(iodyno_says: CommandLine, tmp_path: Path) -> None:
    study = tmp_path / "mine.toml"
    study.write_text(
        'name = "mine"\ntitle = "Mine"\n[[profile]]\nname = "mine"\ntitle = "Mine"\nread_share = 1.0\n'
        "random_share = 1.0\nblocks = [{ bytes = 16384 }]\n"
        '[[profile]]\nname = "other"\ntitle = "Other"\nread_share = 1.0\nrandom_share = 1.0\n'
        'blocks = [{ bytes = 4096 }]\n[[sweep]]\nname = "mine"\ntitle = "Mine"\nprofiles = ["mine"]\n'
    )
    few = ("--warmup-ios", "100", "--floor-ios", "500", "--cap-ios", "1000", "--resolution", "50%")
    asked = (*ON[:3], "--study", study, "--p99", "2ms", *few)
    said = iodyno_says(*asked, "--profile", "mine")
    assert said.code == 0, said.err
    (run,) = re.findall(r"run (\S+) finished", said.out)
    with Store.open() as store:
        stored = store.load(run)
    assert {load.profile.blocks[0].bytes for result in stored.results for load in result.point.loads} == {
        16384
    }
    assert [profile["name"] for profile in stored.run.plan.study_source["profile"]] == ["mine"]
    assert f"give --profile; {study} has mine, other" in iodyno_says(*asked).err
    wrong = iodyno_says(*asked, "--profile", "mime", "--on", "nix")
    assert wrong.code == 2
    assert 'there is no profile "mime"' in wrong.err
    assert "nix" in wrong.err
