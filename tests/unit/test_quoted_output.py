"""What guides quote of the virtual lab is what the lab prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from command_line import CommandLine

GUIDES = Path(__file__).parents[2] / "docs" / "guides"
QUOTED = [
    found
    for guide in ("simulating.md", "catalog.md", "sizing.md")
    for found in re.findall(
        r"```text\n\$ iodyno (.*?)\n(.*?)```", (GUIDES / guide).read_text("utf-8"), re.DOTALL
    )
]


@pytest.mark.parametrize(("command", "output"), QUOTED)
def test_a_quoted_command_prints_what_is_quoted(iodyno_says: CommandLine, command: str, output: str) -> None:
    said = iodyno_says(*shlex.split(command))
    assert said.code == 0, said.err
    assert output in said.out


def test_the_guides_quote_something() -> None:
    assert len(QUOTED) >= 3
