"""Shares on the command line: all of it is text, so a number is one too; in a study it is none in quotes."""

from __future__ import annotations

import click
import pytest

from iodyno.cli.parameters import AREA, LIMIT, PRECISION, RESOLUTION


@pytest.mark.parametrize(
    ("text", "share"), [("5%", 0.05), ("0.05", 0.05), (" .05 ", 0.05), ("5e-2", 0.05), ("0.1 %", 0.001)]
)
def test_a_share_is_a_percentage_or_a_number(text: str, share: float) -> None:
    assert PRECISION.convert(text, None, None) == pytest.approx(share, rel=1e-12)
    assert LIMIT.convert(text, None, None) == pytest.approx(share, rel=1e-12)


@pytest.mark.parametrize("text", ["x", "", "5", "-0.1", "nan", "inf", "1.5", "0x1", "101%"])
def test_what_is_no_share_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter):
        LIMIT.convert(text, None, None)


def test_bounds_are_those_of_percentages() -> None:
    assert RESOLUTION.convert("0.5", None, None) == 0.5
    with pytest.raises(click.BadParameter, match=r"0\.1 to 50%"):
        RESOLUTION.convert("0.6", None, None)
    with pytest.raises(click.BadParameter):
        PRECISION.convert("0", None, None)


@pytest.mark.parametrize(
    ("text", "hint"), [("0.25", "write 25%"), ("25.5", "write 25.5G or 25.5%"), ("25%@0.1", "write 10%")]
)
def test_an_end_of_an_area_with_decimals_needs_a_unit(text: str, hint: str) -> None:
    """All that was said was that it is no whole number of bytes."""
    with pytest.raises(click.BadParameter, match=rf"is no whole number of bytes: {hint}$"):
        AREA.convert(text, None, None)
