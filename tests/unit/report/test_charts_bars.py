"""Bars of two charts of the same rows, and of values that are far apart."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from types import SimpleNamespace
from typing import Any

import pytest

from drawn import SVG, baseline, figure, texts
from iodyno.report.charts import HALF_WIDTH, PRINT, SCREEN, draw_figure
from iodyno.report.charts.palette import Theme
from iodyno.report.document import Axis, BarChart, ChartPoint
from iodyno.report.messages import Messages
from iodyno.report.sections.matrix import bar_axis


def test_two_bar_charts_of_the_same_rows_have_them_on_one_line() -> None:
    def chart(bars: int) -> BarChart:
        rows = tuple(
            (name, tuple(ChartPoint(0, at + 1) for at in range(bars))) for name in ("first", "second")
        )
        return BarChart(Axis("x"), rows, tuple(f"bar {at}" for at in range(bars)))

    both = figure(chart(4), chart(2))
    left, right = (ET.fromstring(one.svg) for one in draw_figure(both, SCREEN, "en"))
    for name in ("first", "second"):
        assert baseline(left, name) == baseline(right, name)
    left, right = (ET.fromstring(one.svg) for one in draw_figure(both, PRINT, "en"))
    first, second = bars(left, 4), bars(right, 2)
    for four, two in zip((first[:4], first[4:]), (second[:2], second[2:]), strict=True):
        assert sum(four) / 4 == pytest.approx(sum(two) / 2, abs=0.02)


@pytest.mark.parametrize("theme", [PRINT, SCREEN])
def test_bars_of_two_charts_look_alike_only_where_they_are_of_one_series(theme: Theme) -> None:
    """Streaming, alone in its unit, had the colour of another profile and was named nowhere."""

    def chart(*names: str) -> BarChart:
        points = tuple(ChartPoint(0, at + 1) for at, _ in enumerate(names))
        return BarChart(Axis("x"), (("first", points),), names)

    def drawn(*charts: BarChart) -> list[tuple[list[str], set[str]]]:
        made = [ET.fromstring(one.svg) for one in draw_figure(figure(*charts), theme, "en")]
        return [
            (
                [text for text, _ in texts(svg)],
                {rect.attrib["stroke"] for rect in svg.iter(f"{SVG}rect") if rect.get("stroke") is not None},
            )
            for svg in made
        ]

    (left, taken), (right, own) = drawn(chart("mail", "database"), chart("streaming"))
    assert {"mail", "database"} <= set(left)
    assert "streaming" in right
    assert len(taken) == 2
    assert len(own) == 1
    assert not taken & own
    (left, taken), (right, own) = drawn(chart("lowest", "maximum"), chart("lowest", "maximum"))
    assert taken == own
    (left, taken), (right, own) = drawn(chart("only"), chart("only"))
    assert taken == own
    assert "only" not in left + right


def bars(svg: ET.Element, names: int) -> list[float]:
    """Give the heights at which the bars of a chart are, without the samples of its legend."""
    found = [float(rect.get("y", "0")) for rect in svg.iter(f"{SVG}rect") if rect.get("stroke") is not None]
    return sorted(found)[names:]


def test_in_print_the_left_of_two_charts_names_their_rows_for_both() -> None:
    """Half of the width each was too little for long names: they were cut where they differ."""
    kinds = "RAID 1、高速パス", "RAID 10、性能"
    rows = [
        f"ディスクユニット（コントローラ {count} 台、SAS SSD 4 台、{kind}）"
        for count in "12"
        for kind in kinds
    ]
    of = [
        BarChart(Axis("x"), tuple((name, (ChartPoint(0, high),)) for name in rows), ("a",))
        for high in (9, 80)
    ]
    left, right = draw_figure(figure(*of), PRINT, "ja")
    assert left.width + right.width == 2 * HALF_WIDTH
    said = "".join(text for text, _ in texts(ET.fromstring(left.svg)))
    assert all(name.replace(" ", "") in said.replace(" ", "").replace("\u00a0", "") for name in rows)
    assert not any("台" in text for text, _ in texts(ET.fromstring(right.svg)))
    screen = draw_figure(figure(*of), SCREEN, "ja")
    assert all("台" in drawing.svg and drawing.width == HALF_WIDTH for drawing in screen)


def test_on_a_logarithmic_axis_every_bar_is_seen() -> None:
    """Beside SSDs the bars of hard disks had no length that a page could show."""
    rows = tuple((name, (ChartPoint(0, rate),)) for name, rate in (("disk", 250), ("ssd", 232_000)))

    def lengths(axis: Axis) -> list[float]:
        svg = ET.fromstring(draw_figure(figure(BarChart(axis, rows, ("a",))), PRINT, "en")[0].svg)
        found = (rect for rect in svg.iter(f"{SVG}rect") if rect.get("stroke") is not None)
        return [float(rect.get("width", "0")) for rect in found]

    assert lengths(Axis("x"))[0] < 1
    short, long = lengths(Axis("x", "log10"))
    assert 10 < short < long / 3


def test_the_axis_of_bars_that_are_far_apart_is_logarithmic_and_says_so() -> None:
    context: Any = SimpleNamespace(messages=Messages("de"))
    assert bar_axis(context, "IO/s", (250, 4000)) == Axis("IO/s")
    assert bar_axis(context, "IO/s", (250, 9000)) == Axis("IO/s, logarithmisch", "log10")
    assert bar_axis(context, "IO/s", (0, 9000)) == Axis("IO/s")
