"""SVG elements as text."""

from __future__ import annotations

import math
from functools import lru_cache

_NOT_XML = (*range(9), 11, 12, *range(14, 32), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF)
_SPECIAL = {
    **dict.fromkeys(_NOT_XML, "\ufffd"),
    **str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\u00ad": ""}),
}
"""What cannot stand in XML as it is, and what stands for it."""


@lru_cache(maxsize=1 << 14)
def escape(text: str) -> str:
    """Escape a text for XML, in an element or an attribute; soft hyphens, which SVG would show, are left out.

    Examples
    --------
    >>> escape('a < "b" & c')
    'a &lt; &quot;b&quot; &amp; c'
    """
    return text.translate(_SPECIAL)


def coordinate(value: float) -> str:
    """Write a coordinate with at most two decimals.

    Examples
    --------
    >>> coordinate(12.0), coordinate(0.126), coordinate(-0.001)
    ('12', '0.13', '0')
    """
    assert math.isfinite(value), f"a coordinate is {value}"
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def exact(value: float) -> str:
    """Write a value for a data attribute."""
    return f"{value:.12g}"


def element(name: str, *children: str, **attributes: str | float | None) -> str:
    """Make an element; ``_`` in an attribute name becomes ``-``, None leaves it out.

    Examples
    --------
    >>> element("text", "a", x=1.5, font_size=10, class_="tick")
    '<text x="1.5" font-size="10" class="tick">a</text>'
    >>> element("path", d="M0 0")
    '<path d="M0 0"/>'
    """
    written = "".join(
        f' {_name(key)}="{_attribute(value)}"' for key, value in attributes.items() if value is not None
    )
    if not children:
        return f"<{name}{written}/>"
    return f"<{name}{written}>{''.join(children)}</{name}>"


@lru_cache(maxsize=256)
def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _attribute(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else coordinate(value)


def path(points: list[tuple[float, float]], *, close: bool = False) -> str:
    """Write the ``d`` of a path through points.

    Examples
    --------
    >>> path([(0, 0), (1, 2)], close=True)
    'M0 0L1 2Z'
    """
    steps = "L".join(f"{coordinate(x)} {coordinate(y)}" for x, y in points)
    return f"M{steps}{'Z' if close else ''}"
