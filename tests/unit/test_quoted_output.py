"""What a guide quotes of the virtual lab is what the lab prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from command_line import CommandLine

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "simulating.md"
QUOTED = re.findall(r"```text\n\$ iodyno (.*?)\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize(("command", "output"), QUOTED)
def test_a_quoted_command_prints_what_is_quoted(iodyno_says: CommandLine, command: str, output: str) -> None:
    said = iodyno_says(*shlex.split(command))
    assert said.code == 0, said.err
    assert output in said.out


def test_something_is_quoted() -> None:
    assert QUOTED
