"""Every command helps, every mistake gets one message with a hint, and nothing heavy is loaded for help."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import click
import pytest
from click.shell_completion import ShellComplete

from command_line import CommandLine
from iodyno.cli.commands import COMMANDS
from iodyno.cli.commands import iodyno as command_line
from iodyno.cli.options import ENGINES
from iodyno.plan import Plan, RealEngine
from iodyno.profiles import STANDARD_LOADS
from iodyno.study import load_study, shipped


def completions(*words: str) -> list[str]:
    """Complete the last word as a shell would ask for it."""
    shell = ShellComplete(command_line, {}, "iodyno", "_IODYNO_COMPLETE")
    return [item.value for item in shell.get_completions(list(words[:-1]), words[-1])]


def loaded_by(code: str) -> set[str]:
    """Run code in an interpreter of its own; give the modules that it loaded."""
    show = "print('\\n'.join(sys.modules), file=sys.stderr)"
    script = f"import sys\ntry:\n    {code}\nexcept SystemExit: pass\n{show}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_helps(iodyno_says: CommandLine, name: str) -> None:
    said = iodyno_says(name, "-h")
    assert said.code == 0
    assert said.out.startswith(f"Usage: iodyno {name}")
    assert said == iodyno_says(name, "--help")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_and_the_table_say_what_the_command_says(name: str) -> None:
    command = command_line.get_command(click.Context(command_line), name)
    assert command is not None
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    assert all(option.help for option in options), [option.name for option in options if not option.help]
    first = (command.help or "").split("\n\n")[0].replace("\n", " ").replace("  ", " ")
    assert first.strip() == COMMANDS[name][1]


def test_help_lists_every_command_without_loading_one(iodyno_says: CommandLine) -> None:
    said = iodyno_says("-h")
    assert said.code == 0
    assert all(re.search(rf"^  {name}\s", said.out, re.MULTILINE) for name in COMMANDS)


@pytest.mark.parametrize("arguments", [["-h"], ["measure", "-h"], ["report", "--help"]])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    loaded = loaded_by(f"from iodyno.cli import main; main({arguments})")
    assert "iodyno.cli.commands" in loaded
    assert not loaded & {
        "pydantic",
        "rich",
        "babel",
        "typst",
        "pyarrow",
        "sqlite3",
        "iodyno._core",
        "iodyno.bench",
    }


def test_no_command_is_a_help_text(iodyno_says: CommandLine) -> None:
    assert iodyno_says() == iodyno_says("-h")


def test_the_version(iodyno_says: CommandLine) -> None:
    said = iodyno_says("--version")
    assert (said.code, said.out.split()[0].rstrip(",")) == (0, "iodyno")


@pytest.mark.parametrize(
    ("arguments", "error", "hint"),
    [
        (["meassure"], 'there is no command "meassure"', "did you mean measure?"),
        (["run", "."], 'there is no command "run"', "did you mean measure?"),
        (["ls"], 'there is no command "ls"', "did you mean runs?"),
        (
            ["plan", "/"],
            "cannot be read: is a directory",
            "a study is a file, and a folder a target; shipped",
        ),
        (
            ["plan", "quick", "--size", "32"],
            "'32' is less than a sector of 512 bytes: write 32G or 32M",
            "plan -h",
        ),
        (
            ["simulate", "quick", "--on", "PRAID-EP420i"],
            "PRAID-EP420i: is a part, no system",
            "systems with it: primequest-2800e3, primequest-2800e3-full, raid-controllers, raid-controll",
        ),
        (
            ["simulate", "quick", "--on", "primergy-rx2540-m1"],
            "primergy-rx2540-m1: is a part, no system",
            "`iodyno catalog show raid-single-drive --toml` begins one of your own",
        ),
        (["plan", "quik"], "there is no study of this name", "did you mean quick?"),
        (["plan", "quick", "--profile", "databse"], 'no profile "databse"', "did you mean database?"),
        (["plan", "quick", "--outstanding", "0"], "0 is outside 1 to 4096", "iodyno plan -h"),
        (["plan", "quick", "--outstanding", "0,8,5000"], "0, 5000 are outside 1 to 4096", "iodyno plan -h"),
        (["plan", "quick", "--outstanding", "1,x"], "no list of whole numbers", "iodyno plan -h"),
        (["plan", "quick", "--outstanding", "1,1"], "a number twice", "iodyno plan -h"),
        (["plan", "quick", "--precision", "200%"], "outside 0 to 100%", "iodyno plan -h"),
        (["plan", "quick", "--precision", "0"], "'0' is not above 0 and below 100%", "iodyno plan -h"),
        (["plan", "quick", "--cap", "0"], "'0' is not above 0 and up to 24 h", "iodyno plan -h"),
        (["plan", "quick", "--size", "0"], "a size of 0", "iodyno plan -h"),
        (["plan", "quick", "--size", "12X"], "is no size", "iodyno plan -h"),
        (["plan", "quick", "--seed", "-1"], "is no whole number", "iodyno plan -h"),
        (["plan", "quick", "--area", "x"], "is no size", "iodyno plan -h"),
        (["plan", "quick", "--area", "3G"], "ends outside", "smaller area"),
        (["plan", "quick", "--engine", "uring"], "'uring' is not one of", "iodyno plan -h"),
        (["measure", "--wat"], "there is no option --wat", "iodyno measure -h"),
        (["measure"], "none is given", "name a directory"),
        (["measure", "quick", "."], "is a study, and no target", "write --study quick; ./quick"),
        (["measure", ".", "--quick", "--study", "standard"], "both --quick and --study", "keep one"),
        (["measure", ".", "--resume", "latest"], "takes no targets", "leave them out"),
        (["measure", "--resume", "latest", "--seed", "3"], "takes no targets", "leave them out"),
        (["measure", ".", "-o", "paper.docx"], "format is not known", ".html or .pdf"),
        (["measure", ".", "-o", "/no/such/folder/a.pdf"], "the folder /no/such/folder is missing", "make it"),
        (["measure", "/no/such/folder/a"], "is missing", "make the directory"),
        (["report", "2099"], "there is no store", "iodyno measure"),
        (["compare", "latest"], "one run is no comparison", "two or more"),
        (["export", "-o", "run.xml"], "format is not known", ".parquet"),
        (["profiles", "databse"], "no standard profile", "did you mean database?"),
        (["doctor", "/no/such/place"], "does not exist", "name a file"),
        (["completion", "csh"], "'csh' is not one of", "iodyno completion -h"),
    ],
)
def test_a_bad_request_is_an_error_with_a_hint(
    iodyno_says: CommandLine, arguments: list[str], error: str, hint: str
) -> None:
    said = iodyno_says(*arguments)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error: ")
    assert error in said.err
    assert hint in said.err.split("hint: ")[1]


def test_all_problems_of_a_request_are_printed(iodyno_says: CommandLine) -> None:
    said = iodyno_says("measure", "/no/such/a/b", "/no/such/c/d")
    assert said.code == 2
    assert said.err.count("error: ") == 2


def test_colours_are_for_terminals_only(iodyno_says: CommandLine) -> None:
    assert "\x1b" not in iodyno_says("meassure").err
    assert "\x1b" not in iodyno_says("profiles").out


def test_profiles(iodyno_says: CommandLine) -> None:
    listed = iodyno_says("profiles").out
    assert all(name in listed for name in STANDARD_LOADS)
    one = iodyno_says("profiles", "oltp-4k").out
    assert "Lenovo Press LP0865 does not print the read share" in one
    assert re.search(r"^read +70%$", one, re.MULTILINE)
    assert json.loads(iodyno_says("profiles", "oltp-4k", "--json").out)["profile"]["read_share"] == 0.7
    assert set(json.loads(iodyno_says("profiles", "--json").out)) == {"field", "nvme-host-connections"}


def test_studies_are_listed_described_and_given_out(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """Whoever begins asks which there are: a wrong name had to be given to be told."""
    listed = iodyno_says("studies").out
    assert all(re.search(rf"^{name} ", listed, re.MULTILINE) for name in shipped())
    one = iodyno_says("studies", "raid-controllers").out
    assert re.search(
        r"^reference +Fujitsu, White Paper, RAID Controller Performance 2016, 1.0d, 2016-08-29$", one, re.M
    )
    assert re.search(r"systems +100$", one, re.MULTILINE)
    assert json.loads(iodyno_says("studies", "quick", "--json").out)["name"] == "quick"
    assert [study["name"] for study in json.loads(iodyno_says("studies", "--json").out)] == shipped()
    own = tmp_path / "own.toml"
    own.write_text(iodyno_says("studies", "quick", "--toml").out)
    assert load_study(own) == load_study("quick")
    assert "file-copy, file-server, database, streaming, restore" in iodyno_says("studies", own).out


@pytest.mark.parametrize(
    ("words", "error", "hint"),
    [
        (("quik",), "quik: there is no study of this name", "did you mean quick?"),
        (("--toml",), "--toml prints the file of one study", "name it: nvme-host-connections, p3700"),
        (("quick", "--toml", "--json"), "print the same in two ways", "leave one of them out"),
    ],
)
def test_what_is_wrong_with_a_study_that_is_asked_for_is_told(
    iodyno_says: CommandLine, words: tuple[str, ...], error: str, hint: str
) -> None:
    said = iodyno_says("studies", *words)
    assert said.code == 2
    assert error in said.err
    assert hint in said.err


def test_plan_prints_every_point(iodyno_says: CommandLine) -> None:
    said = iodyno_says("plan", "quick")
    lines = [line for line in said.out.splitlines() if re.match(r"\s*\d+  [a-z]", line)]
    assert (said.code, len(lines)) == (0, 50)
    assert all(line == line.rstrip() for line in said.out.splitlines())


def test_plan_as_json_is_the_plan(iodyno_says: CommandLine) -> None:
    arguments = (
        "plan",
        "quick",
        "--json",
        "--outstanding",
        "1,8",
        "--profile",
        "restore",
        "--seed",
        "5",
        "--buffered",
    )
    said = iodyno_says(*arguments)
    plan = Plan.model_validate_json(said.out)
    assert [point.outstanding for point in plan.points] == [1, 8]
    assert (plan.seed, plan.points[0].direct) == (5, False)
    assert said == iodyno_says(*arguments)


def test_the_engines_that_can_be_asked_for_are_those_of_the_plan() -> None:
    assert get_args(RealEngine) == ENGINES


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m iodyno plan standard --json | head -n 1"
    done = subprocess.run(
        command,
        shell=True,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert (done.stdout, done.stderr) == ("{\n", "")


def test_a_reader_that_is_gone_at_the_end_is_no_error() -> None:
    code = (
        "import sys; from iodyno.cli.ending import exit_code_of\n"
        "class Group:\n    def main(self, **_): sys.stdout.write('a line that nobody reads')\n"
        "sys.exit(exit_code_of(Group(), []))"
    )
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-c", code], stdout=writer, stderr=subprocess.PIPE, text=True, check=False
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script_of_a_shell(iodyno_says: CommandLine, shell: str) -> None:
    said = iodyno_says("completion", shell)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"# Completion of iodyno for {shell}.")
    assert f"_IODYNO_COMPLETE={shell}_complete" in said.out


def test_completion_of_commands_options_and_values() -> None:
    assert completions("me") == ["measure"]
    assert completions("") == list(COMMANDS)
    assert "--engine" in completions("measure", "--e")
    assert completions("measure", "--engine", "io") == ["io_uring"]
    assert completions("measure", "--study", "qu") == ["quick"]
    assert completions("plan", "st") == ["standard"]
    assert completions("measure", "--profile", "data") == ["database"]
    assert completions("profiles", "rest") == ["restore"]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_path_is_judged_by_iodyno_and_not_by_the_parser(name: str) -> None:
    command = command_line.get_command(click.Context(command_line), name)
    assert command is not None
    paths = [item.type for item in command.params if isinstance(item.type, click.Path)]
    assert not any(path.readable for path in paths)


def test_a_large_rate_is_written_out(iodyno_says: CommandLine, tmp_path: Path) -> None:
    study = tmp_path / "my.toml"
    study.write_text(
        'name = "my"\ntitle = "My"\n[[sweep]]\nname = "a"\nprofiles = "database"\n'
        "rate_io_s = [1_000_000, 0.5]\n"
    )
    said = iodyno_says("plan", study)
    assert "1,000,000 fixed" in said.out
    assert " 0.5 fixed" in said.out
