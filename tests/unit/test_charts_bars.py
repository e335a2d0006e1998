"""Bars of two charts of the same rows."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from test_charts import SVG, baseline, figure, texts

from iodyno.report.charts import HALF_WIDTH, PRINT, SCREEN, draw_figure
from iodyno.report.document import Axis, BarChart, ChartPoint


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
