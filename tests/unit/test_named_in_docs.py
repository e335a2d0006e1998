"""What pages name is there: commands with their options, files, links and their headings, pictures."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from iodyno.cli.commands import iodyno

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
PLACES = (ROOT, ROOT / "python" / "iodyno", *ROOT.glob("crates/*/src"))
SOURCE = re.compile(r"`((?:[\w.{},*-]+/)+[\w.{},*-]+\.(?:py|rs))`")
"""A file of the sources with its folder, or several: ``fitting/*.py``, ``report/{html,pdf}.py``."""


def commands(page: str) -> Iterator[str]:
    """Give the command lines of a page, but for those of which something is left out."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.splitlines()]
    inline = re.findall(r"`(iodyno [^`]+)`", CODE.sub("", page).replace("\n", " "))
    for line in (*lines, *inline):
        said = re.split(r" # | *[|>] ", line)[0].strip()
        if said.startswith("iodyno ") and not re.search(r"…|COMMAND|--resume$", said):
            yield said


def what_is_wrong(said: str) -> str:
    """Say what a command line has that there is not; empty where that is nothing."""
    # A command keeps the names of its help that it is asked with first.
    context = click.Context(iodyno, info_name="iodyno", help_option_names=["-h", "--help"])
    words = shlex.split(said)[1:]
    while isinstance(context.command, click.Group) and words and not words[0].startswith("-"):
        name = words.pop(0)
        command = context.command.get_command(context, name)
        if command is None:
            return f"no command {name}"
        context = click.Context(command, parent=context, info_name=name)
    try:
        context.command.make_parser(context).parse_args(words)
    except click.ClickException as error:
        return error.format_message()
    return ""


def heads(page: Path) -> set[str]:
    """Give the names by which links lead to the headings of a page."""
    found: dict[str, int] = {}
    names = set()
    for line in re.findall(r"^#+ (.*)$", CODE.sub("", page.read_text("utf-8")), re.MULTILINE):
        shown = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line).replace("`", "").strip().lower()
        name = re.sub(r"[^\w\- ]", "", shown).replace(" ", "-")
        names.add(name if name not in found else f"{name}-{found[name]}")
        found[name] = found.get(name, 0) + 1
    return names


def sources(page: str) -> Iterator[str]:
    """Give the files of the sources that a page names, from the root, the package or a crate on."""
    for named in SOURCE.findall(page):
        before, _, rest = named.partition("{")
        names, _, after = rest.partition("}")
        yield from (f"{before}{name}{after}" for name in names.split(","))


def is_there(source: str) -> bool:
    """Tell whether a file of the sources is there."""
    return any(next(folder.glob(source), None) for folder in PLACES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_names_is_there(page: Path) -> None:
    text = page.read_text("utf-8")
    wrong = [f"{said}: {why}" for said in commands(text) if (why := what_is_wrong(said))]
    wrong += [f"{source}: no such file" for source in sources(text) if not is_there(source)]
    for link in LINK.findall(CODE.sub("", text)):
        path, _, head = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if link.startswith("http"):
            continue
        if not target.exists():
            wrong.append(f"{link}: no such file")
        elif head and head not in heads(target):
            wrong.append(f"{link}: no such heading")
    assert not wrong


def test_every_picture_is_on_a_page() -> None:
    shown = {
        (page.parent / link).resolve() for page in PAGES for link in LINK.findall(page.read_text("utf-8"))
    }
    assert [picture for picture in (ROOT / "docs/images").iterdir() if picture.resolve() not in shown] == []


def test_commands_are_found_and_judged() -> None:
    block = "```sh\niodyno mesure .    # a\niodyno runs --json | jq\n```"
    page = f"`iodyno show --nope`\n\n{block}\n`iodyno measure … --cap 1s`"
    told = [what_is_wrong(said).partition(". ")[0] for said in commands(page)]
    assert told == ["no command mesure", "", "No such option '--nope'"]


def test_files_are_found_and_judged() -> None:
    page = "`tests/unit/test_named_in_docs.py`, `cli/{measure,missing}.py`, `hdd/*.rs`, `other.py`"
    told = list(sources(page))
    assert told == [
        "tests/unit/test_named_in_docs.py", "cli/measure.py", "cli/missing.py", "hdd/*.rs",
    ]  # fmt: skip
    assert [source for source in told if not is_there(source)] == ["cli/missing.py"]
