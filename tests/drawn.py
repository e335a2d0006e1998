"""Figures drawn, and what is in them: texts, markers, baselines."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from iodyno.report.charts.labels import Box, text_box
from iodyno.report.document import BarChart, Figure, LineChart

SVG = "{http://www.w3.org/2000/svg}"


def figure(*charts: LineChart | BarChart) -> Figure:
    return Figure(charts, "Caption", "Alternative", "fig")


def texts(svg: ET.Element) -> list[tuple[str, Box]]:
    """Every text of a drawing with its estimated box."""
    return [
        (
            text.text or "",
            text_box(
                text.text or "",
                float(text.attrib["x"]),
                float(text.attrib["y"]),
                float(text.attrib["font-size"]),
                anchor=text.get("text-anchor", "start"),
            ),
        )
        for text in svg.iter(f"{SVG}text")
    ]


def baseline(svg: ET.Element, label: str) -> float:
    """Where the tick of a label is on the y axis: its text is set 3.5 below."""
    return next(box.bottom - 0.22 * 10 - 3.5 for text, box in texts(svg) if text == label)


def markers(svg: ET.Element) -> list[tuple[float, float]]:
    found = (path.get("transform") for path in svg.iter(f"{SVG}path"))
    places = (re.findall(r"[-\d.]+", place) for place in found if place)
    return [(float(across), float(down)) for across, down in places]
