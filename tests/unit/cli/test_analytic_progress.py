"""How far formulas are, on a terminal: nowhere else, as they are mostly done at once."""

from __future__ import annotations

import pytest

from command_line import CommandLine
from iodyno.cli import progress

SIMULATE = ("simulate", "quick", "--on", "p3700", "--profile", "database", "--outstanding", "1,2")


@pytest.mark.parametrize("drawn", [True, False])
def test_a_terminal_shows_how_far_formulas_are(
    iodyno_says: CommandLine, monkeypatch: pytest.MonkeyPatch, drawn: bool
) -> None:
    monkeypatch.setattr(progress, "_is_drawn", lambda: drawn)
    monkeypatch.setattr(progress, "REFRESH_S", 0)
    said = iodyno_says(*SIMULATE, "--analytic")
    assert said.code == 0, said.err
    shown = [f"\r\x1b[2Kcalculated {done} of 2 points  p3700" for done in (1, 2)]
    assert [text in said.out for text in shown] == [drawn] * 2, said.out
    assert ("\r" in said.out) == drawn
    if drawn:
        rest = said.out.split("\r\x1b[2K")[-1]
        assert rest.lstrip().startswith("Database"), "the line goes before the tables come"
