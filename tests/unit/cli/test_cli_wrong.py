"""Wrong command lines: all that is wrong is told at once, and nothing is made of a mistyped name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from command_line import Bench, CommandLine
from iodyno.folders import MOST_BYTES


def test_a_mistyped_job_file_is_refused_and_no_file_is_made(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path
) -> None:
    said = iodyno_says("measure", tmp_path / "ranread.fio")
    assert said.code == 2
    assert f"{tmp_path}/ranread.fio: there is no such job file of fio" in said.err
    assert not (tmp_path / "ranread.fio").exists()
    assert not bench.filled


@pytest.mark.parametrize("command", ["plan", "simulate"])
@pytest.mark.parametrize("place", ["", "folder/"])
def test_a_mistyped_job_file_is_no_mistyped_study(iodyno_says: CommandLine, command: str, place: str) -> None:
    said = iodyno_says(command, f"{place}ranread.fio")
    assert said.code == 2
    assert f"error: {place}ranread.fio: there is no such job file of fio" in said.err
    assert "known studies" not in said.err


@pytest.mark.parametrize("more", [("--quick", "--write-existing"), ()])
def test_a_job_file_is_never_a_target(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path, more: tuple[str, ...]
) -> None:
    """With --write-existing it would be written in full."""
    job = tmp_path / "a.fio"
    job.write_text("[a]\nrw=read\nsize=1m\n")
    said = iodyno_says("measure", tmp_path, job, *more)
    assert said.code == 2
    assert "is a job file of fio, and no target" in said.err
    assert not bench.filled


@pytest.mark.parametrize("more", [("--quick", "--write-existing"), ()])
def test_a_study_is_never_a_target(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path, more: tuple[str, ...]
) -> None:
    study = tmp_path / "mine.toml"
    study.write_text("schema = 1\n")
    said = iodyno_says("measure", study, tmp_path, tmp_path / "min.toml", *more)
    assert said.code == 2
    assert f"is a study, and no target\nhint: write --study {study}" in said.err
    assert "min.toml: there is no such study" in said.err
    assert not bench.filled
    assert study.read_text() == "schema = 1\n"


@pytest.mark.parametrize(
    ("words", "instead"),
    [
        (("plan", "quick", "--read-share", "70"), "write 70% or 0.7"),
        (("plan", "quick", "--random-share", "0,12.5"), "write 12.5% or 0.125"),
        (("plan", "quick", "--precision", "2"), "write 2% or 0.02"),
        (("plan", "quick", "--precision", "1"), "write 1% or 0.01"),
        (("search", ".", "--resolution", "1"), "write 1% or 0.01"),
        (("compare", "a", "b", "--fail-if-slower", "5"), "write 5% or 0.05"),
    ],
)
def test_a_share_that_was_meant_in_percent_is_told_how_to_be_written(
    iodyno_says: CommandLine, words: tuple[str, ...], instead: str
) -> None:
    said = iodyno_says(*words)
    assert (said.code, said.out) == (2, "")
    assert said.err.partition("\n")[0].endswith(f": {instead}")


def test_a_folder_as_a_store_is_told_with_what_else_is_wrong(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    said = iodyno_says("simulate", "quick", "--on", "p3700", "--profile", "nix", "--store", tmp_path)
    assert said.code == 2
    assert f"{tmp_path} is a folder: give a file in it, {tmp_path / 'runs.db'}" in said.err
    assert 'there is no profile "nix"' in said.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("share", ["101%", "150", "100%", "100"])
def test_a_share_of_which_nobody_knows_what_was_meant_is_no_other_one(
    iodyno_says: CommandLine, share: str
) -> None:
    assert "write" not in iodyno_says("plan", "quick", "--precision", share).err.partition("\n")[0]


def test_every_value_that_cannot_be_read_is_told(iodyno_says: CommandLine) -> None:
    said = iodyno_says("measure", ".", "--rate", "-5", "--cap", "0", "--workers", "x", "--area", "200%")
    assert said.code == 2
    lines = said.err.splitlines()
    assert [line.split("'")[1] for line in lines[:-1]] == ["--workers", "--rate", "--area", "--cap"]
    assert lines[-1] == "hint: `iodyno measure -h` shows what it takes"


@pytest.mark.parametrize(
    ("rates", "what"), [("10%,abc", "is no list of rates"), ("10%,100", "mixes rates and shares")]
)
def test_what_is_no_rate_is_not_mixed_with_shares(iodyno_says: CommandLine, rates: str, what: str) -> None:
    assert f"'{rates}' {what}: write 1000,2000 or" in iodyno_says("plan", "quick", "--rate", rates).err


@pytest.mark.parametrize(
    ("rates", "said"),
    [
        ("0,100,2e9", "has 0, 2e9: rates are above 0 and at most 1000000000 IO/s"),
        ("-5%,20%", "has -5%: rates are above 0 and at most 10000%"),
    ],
)
def test_rates_that_cannot_be_are_named(rates: str, said: str, iodyno_says: CommandLine) -> None:
    """All was said of "0,100": not above 0, or above 10000% or 1e9 IO/s."""
    assert f"'{rates}' {said}" in iodyno_says("plan", "quick", f"--rate={rates}").err


def test_what_is_wrong_with_targets_is_told_beside_what_is_wrong_with_the_study(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    said = iodyno_says("measure", tmp_path / "none" / "x", "/dev/null", "--profile", "nope")
    assert said.code == 2
    for what in ('no profile "nope"', "is missing, and so is its directory", "is a character device"):
        assert what in said.err


def test_numbers_without_a_target_are_told_beside_what_is_wrong_with_the_targets(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    study = tmp_path / "mine.toml"
    sweep = '[[sweep]]\nname = "one"\nprofiles = "database"\ntargets = [3]\n'
    study.write_text(f'schema = 1\nname = "mine"\ntitle = "Mine"\n{sweep}')
    said = iodyno_says("measure", "--study", study, "/dev/null", tmp_path)
    assert said.code == 2
    assert "names target 3, and there are 2 targets" in said.err
    assert "is a character device" in said.err


def test_all_that_a_search_lacks_is_told(iodyno_says: CommandLine) -> None:
    said = iodyno_says("search", "--p99", "2ms", "--p50", "1ms", "--rate", "100")
    assert said.code == 2
    assert said.err.count("error: ") == 4
    assert "2 are given: --p50, --p99" in said.err


@pytest.mark.parametrize("bare", ["2", "0.5"])
def test_a_limit_of_a_search_has_a_unit(iodyno_says: CommandLine, bare: str) -> None:
    """Milliseconds to most, seconds to some: it is asked for and not guessed."""
    said = iodyno_says("search", "--on", "p3700", "--profile", "database", "--p99", bare, "--plan")
    assert said.code == 2
    assert f"error: invalid value for '--p99': '{bare}' has no unit: write {bare}ms or {bare}s" in said.err


def test_a_search_on_both_kinds_of_targets_is_told_that_it_has_both(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    said = iodyno_says("search", tmp_path, "--on", "p3700", "--profile", "database", "--p99", "2ms")
    assert said.code == 2
    assert f"error: --on: names virtual targets, and {tmp_path} is a real one" in said.err


def test_what_only_real_targets_have_is_refused_on_virtual_ones(iodyno_says: CommandLine) -> None:
    """None of it has an effect there; what has none is not passed over."""
    given = (
        "--warmup",
        "0",
        "--condition",
        "fill",
        "--identity",
        "S4",
        "--buffered",
        "--keep",
        "--no-serials",
    )
    said = iodyno_says("search", "--on", "p3700", "--profile", "database", "--p99", "2ms", *given)
    assert said.code == 2
    named = "--warmup, --condition, --buffered, --identity, --keep, --no-serials"
    assert f"error: {named}: of real targets only" in said.err


@pytest.mark.parametrize("command", ["search", "simulate"])
def test_examples_name_systems_that_there_are(iodyno_says: CommandLine, command: str) -> None:
    from iodyno.catalog.tree import shipped_systems

    named = set(re.findall(r"^ +iodyno .*--on (\S+)", iodyno_says(command, "-h").out, re.MULTILINE))
    assert named
    assert named <= set(shipped_systems())


def test_a_search_has_one_worker_unless_it_is_told() -> None:
    """As a measurement of the same profile has: the profile's own method asks for eight."""
    from iodyno.cli.own_profiles import Own
    from iodyno.cli.search import searching
    from iodyno.study import expand

    words = {"profiles": ("random-read-4k",), "arrival": None}
    study = searching(words, {"percentile": 0.99, "limit": 0.002, "resolution": 0.02}, (32,), Own())
    assert {draft.workers for draft in expand(study)} == {1}


def test_one_point_is_one_point(iodyno_says: CommandLine, bench: Bench, tmp_path: Path) -> None:
    size = ("--size", "64k", "--buffered")
    said = iodyno_says("measure", tmp_path, "--profile", "database", "--outstanding", "1", *size)
    assert "study standard, 1 point, at most" in said.out
    assert bench.measured


def test_trims_are_named_once() -> None:
    from iodyno.cli.wording import profile_text
    from iodyno.profiles import Block, LoadProfile

    profile = LoadProfile(
        name="t", random_share=1, read_share=0, blocks=(Block(bytes=65536),), trim_share=1.0
    )
    assert profile_text(profile) == "random, trim, 64 kB"


@pytest.mark.parametrize("words", [("measure", "--outstanding", "1,2"), ("search", "--p99", "2ms")])
def test_a_plan_is_printed_and_nothing_is_made(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path, words: tuple[str, ...]
) -> None:
    command, *options = words
    asked = (command, tmp_path, "--profile", "database", "--size", "64k", "--buffered", "--plan", *options)
    said = iodyno_says(*asked)
    assert (said.code, said.err) == (0, "")
    assert f"{tmp_path}/iodyno.data, a file to be made of 64k" in said.out
    assert not list(tmp_path.iterdir())
    assert not bench.filled
    assert iodyno_says(*asked, "-o", tmp_path / "x.pdf").code == 2


def test_a_plan_that_looks_at_nothing_says_how_to_plan_on_a_device(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    """A device is not to be made: --size would not help."""
    job = tmp_path / "a.fio"
    job.write_text("[a]\nfilename=/dev/none\nrw=read\n[b]\nstonewall\nfilename=/dev/none\nrw=randread\n")
    said = iodyno_says("plan", job)
    assert said.code == 2
    assert said.err.count("error: ") == 1
    assert ":1: [a]: the size of /dev/none is not known" in said.err
    assert "`iodyno measure --plan`" in said.err


@pytest.mark.parametrize(
    "words",
    [
        ("measure", "/no/such/folder/a", "--quick"),
        ("simulate", "quick", "--on", "/no/such/folder/a.toml"),
        ("search", "/no/such/folder/a", "--profile", "database", "--p99", "2ms"),
        ("search", ".", "--profile", "databse", "--p99", "2ms"),
        ("search", "--on", "/no/such/folder/a.toml", "--profile", "database", "--p99", "2ms"),
    ],
)
def test_a_paper_that_cannot_be_is_told_with_all_else(
    iodyno_says: CommandLine, words: tuple[str, ...]
) -> None:
    said = iodyno_says(*words, "-o", "paper.docx", "--language", "fr")
    assert (said.code, said.out) == (2, "")
    assert "paper.docx: its format is not known" in said.err
    assert "there is no paper in 'fr'" in said.err
    assert "/no/such/folder" in said.err or "databse" in said.err


def test_a_paper_that_cannot_be_ends_what_is_right_otherwise(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path
) -> None:
    for words in (("measure", tmp_path), ("search", tmp_path, "--profile", "database", "--p99", "2ms")):
        assert iodyno_says(*words, "-o", "paper.docx").code == 2
    assert iodyno_says("measure", "--resume", "latest", "-o", "paper.docx").err.count("error: ") == 1
    assert iodyno_says("simulate", "quick", "--on", "p3700", "-o", "paper.docx").code == 2
    assert not bench.filled


@pytest.mark.parametrize("command", ["show", "verify", "export"])
def test_a_second_run_is_sent_to_the_command_that_takes_several(
    iodyno_says: CommandLine, command: str
) -> None:
    said = iodyno_says(command, "20261121", "20261122")
    assert said.code == 2
    error, hint = said.err.splitlines()
    assert error.endswith("unexpected extra argument (20261122)")
    assert hint.startswith("hint: it takes one run; `iodyno compare A B` puts runs side by side.")


@pytest.mark.parametrize("words", [("runs", "20261121"), ("catalog", "fit", "one", "another")])
def test_a_second_word_elsewhere_is_no_run(iodyno_says: CommandLine, words: tuple[str, ...]) -> None:
    """Where a run is an option, what is too much is a word of another kind."""
    said = iodyno_says(*words)
    assert said.code == 2
    assert "compare" not in said.err


@pytest.mark.parametrize(
    ("words", "commands"),
    [
        (("measure", ".", "--on", "p3700"), "`iodyno search` and `iodyno simulate`"),
        (("simulate", "quick", "--size", "3G"), "`iodyno measure`, `iodyno search` and `iodyno plan`"),
        (("catalog", "list", "--toml"), "`iodyno catalog show` and `iodyno studies`"),
        (("profiles", "--store", "x"), "`iodyno measure`, `iodyno search`, `iodyno simulate` and others"),
    ],
)
def test_an_option_of_another_command_is_told_as_that(
    iodyno_says: CommandLine, words: tuple[str, ...], commands: str
) -> None:
    said = iodyno_says(*words)
    assert said.code == 2
    assert f"\nhint: it is an option of {commands}. `" in said.err
    assert said.err.count("error:") == 1  # its value is nothing that is wrong as well
    assert "did you mean" not in said.err


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (
            ("simulate", "quick", "--cap", "3s"),
            "--cap-ios",
        ),  # what is near in meaning is nearer than another command
        (("measure", ".", "--output", "a.pdf"), "--report"),
        (("measure", ".", "--quik"), "--quick"),
    ],
)
def test_an_option_that_is_called_otherwise_here_is_asked_for(
    iodyno_says: CommandLine, words: tuple[str, ...], meant: str
) -> None:
    assert f"hint: did you mean {meant}? `iodyno {words[0]} -h`" in iodyno_says(*words).err


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("simulate", "quick", "p3700"), "it takes one study; each system is named with --on."),
        (("plan", "quick", "/tmp"), "it takes one study; each target is named with --target."),
        (
            ("catalog", "check", "p3700", "p3700"),
            "it takes one SYSTEM. `iodyno catalog check -h` shows what it takes",
        ),
    ],
)
def test_where_a_word_too_many_belongs_is_told(
    iodyno_says: CommandLine, command: tuple[str, ...], told: str
) -> None:
    said = iodyno_says(*command)
    assert said.code == 2
    assert said.err.splitlines()[1].startswith(f"hint: {told}")


@pytest.mark.parametrize(
    "words",
    [("simulate", "quick", "--on"), ("simulate",), ("catalog", "check"), ("catalog", "show"), ("studies",)],
)  # fmt: skip
def test_a_word_too_long_for_a_name_is_told_as_any_that_there_is_not(
    iodyno_says: CommandLine, words: tuple[str, ...]
) -> None:
    said = iodyno_says(*words, "x" * 300)
    assert said.code == 2
    assert "x" * 300 in said.err.replace("\n", "").replace(" ", "")
    assert "hint:" in said.err


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "{path}"), ("plan", "{path}"), ("simulate", "quick", "--on", "{path}"),
        ("catalog", "check", "{path}"), ("catalog", "show", "{path}"), ("simulate", "{path}.fio"),
    ],
)  # fmt: skip
def test_a_file_without_end_is_not_read_to_its_end(
    iodyno_says: CommandLine, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """As /dev/zero is: it filled the memory. Here it is a file of holes, twice what anybody writes."""
    path = tmp_path / "zeros.toml"
    for place in (path, tmp_path / "zeros.toml.fio"):
        with place.open("wb") as file:
            file.truncate(2 * MOST_BYTES)
    said = iodyno_says(*(word.format(path=path) for word in words))
    assert said.code == 2
    assert "file too large" in said.err
    assert "hint:" in said.err
