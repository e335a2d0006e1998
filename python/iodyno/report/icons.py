"""Signs for states: a shape each, so that none is told by its colour alone."""

from __future__ import annotations

from iodyno.report.charts.svg import element
from iodyno.report.document import Tone

_SHAPES: dict[Tone, str] = {
    "plain": "M8 1.5A6.5 6.5 0 1 0 8 14.5A6.5 6.5 0 1 0 8 1.5ZM8 7.2V11.4M8 4.5V5.1",
    "good": "M8 1.5A6.5 6.5 0 1 0 8 14.5A6.5 6.5 0 1 0 8 1.5ZM5 8.3L7.2 10.4L11 5.9",
    "warning": "M8 1.8L15 14.2H1ZM8 6.2V9.8M8 11.7V12.3",
    "bad": "M5.3 1.5H10.7L14.5 5.3V10.7L10.7 14.5H5.3L1.5 10.7V5.3ZM5.6 5.6L10.4 10.4M10.4 5.6L5.6 10.4",
}


def icon(tone: Tone, colour: str) -> str:
    """Draw the sign of a tone as an SVG of 16 by 16; a text beside it must say the same."""
    return element(
        "svg",
        element(
            "path",
            d=_SHAPES[tone],
            fill="none",
            stroke=colour,
            stroke_width=1.6,
            stroke_linejoin="round",
            stroke_linecap="round",
        ),
        xmlns="http://www.w3.org/2000/svg",
        viewBox="0 0 16 16",
        width=16,
        height=16,
        aria_hidden="true",
    )
