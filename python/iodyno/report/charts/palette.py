"""Colours, dashes and markers.

A series is told apart three times: by a colour that colour-blind readers can tell apart, by its dash,
and by its marker, so that a print in black and white can be read.
"""

from __future__ import annotations

from dataclasses import dataclass

LIGHT = {
    "ink": "#1b2430",
    "muted": "#56616f",
    "axis": "#8a94a1",
    "grid": "#e3e7ec",
    "paper": "#ffffff",
    "shade": "#eef1f4",
    "accent": "#0b5a94",
    "good": "#1b7340",
    "good-tint": "#eef7f0",
    "warning": "#8a5a00",
    "warning-tint": "#fdf6e6",
    "bad": "#ae231c",
    "bad-tint": "#fdf0ee",
    "plain-tint": "#f0f5fa",
    "series-1": "#004fb0",
    "series-2": "#ba5700",
    "series-3": "#007d5c",
    "series-4": "#86508a",
    "series-5": "#62280c",
    "series-6": "#33424e",
}
"""Colours on white paper: at least 4.5:1 for texts and series."""

DARK = {
    "ink": "#e6eaef",
    "muted": "#a3aebb",
    "axis": "#6f7b89",
    "grid": "#2a323c",
    "paper": "#12171d",
    "shade": "#1d242c",
    "accent": "#74bdf5",
    "good": "#6cc98d",
    "good-tint": "#15251b",
    "warning": "#e5b454",
    "warning-tint": "#2a2314",
    "bad": "#ff9187",
    "bad-tint": "#2e1a19",
    "plain-tint": "#17222d",
    "series-1": "#6aa8ff",
    "series-2": "#f08a45",
    "series-3": "#52dca4",
    "series-4": "#c98ac0",
    "series-5": "#efdf60",
    "series-6": "#d3e6f2",
}
"""The same on dark paper."""

SIMULATED_LIGHT = LIGHT | {"accent": "#6b3fa0", "plain-tint": "#f5f1fa"}
"""A paper of simulated figures is violet where one of measured figures is blue."""
SIMULATED_DARK = DARK | {"accent": "#c3a1f0", "plain-tint": "#211a2d"}
"""The same on dark paper."""

DASHES = (None, "7 3", "2 2.6", "9 3 2 3", "4 2", "10 3 2 3 2 3")
MARKERS = ("circle", "square", "triangle", "diamond", "wedge", "hourglass")

# Around the origin, of about the same area.
_MARKER_PATHS = {
    "circle": "M-3.1 0A3.1 3.1 0 1 1 3.1 0A3.1 3.1 0 1 1 -3.1 0Z",
    "square": "M-2.8 -2.8H2.8V2.8H-2.8Z",
    "triangle": "M0 -3.7L3.5 2.6H-3.5Z",
    "diamond": "M0 -4L4 0L0 4L-4 0Z",
    "wedge": "M0 3.7L3.5 -2.6H-3.5Z",
    "hourglass": "M-3.2 -3.4H3.2L-3.2 3.4H3.2Z",
}
MARKER_RADIUS = 4.0


@dataclass(frozen=True)
class Theme:
    """Where the colours of a drawing come from."""

    colours: dict[str, str]
    interactive: bool
    """With data attributes, titles and places to point at; a print needs none of them."""

    def __getitem__(self, role: str) -> str:
        return self.colours[role]


PRINT = Theme(LIGHT, interactive=False)
"""Fixed colours, for paper."""

SCREEN = Theme({role: f"var(--{role})" for role in LIGHT}, interactive=True)
"""Colours of the page, by CSS variables of the same names: light and dark."""


@dataclass(frozen=True)
class Style:
    """How a series looks."""

    colour: str
    dash: str | None
    marker: str

    @property
    def marker_path(self) -> str:
        """The ``d`` of the marker, around the origin."""
        return _MARKER_PATHS[self.marker]


def style(theme: Theme, index: int) -> Style:
    """Choose the look of a series by its place in the chart.

    Examples
    --------
    >>> style(PRINT, 0).marker, style(PRINT, 1).marker, style(PRINT, 0) == style(PRINT, 6)
    ('circle', 'square', False)
    """
    kinds = len(MARKERS)
    turn = index % kinds
    return Style(theme[f"series-{turn + 1}"], DASHES[(index + index // kinds) % kinds], MARKERS[turn])
