"""What charts in print hold apart: a label and the curve, and a legend that two charts share from both."""

from __future__ import annotations

import itertools
import math
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from drawn import baseline, figure, markers, texts
from iodyno.report import html
from iodyno.report.charts import FULL_WIDTH, HALF_WIDTH, PRINT, SCREEN, draw_figure, draw_legend
from iodyno.report.document import Axis, ChartLine, ChartPoint, Figure, LineChart
from pdf_texts import small


def test_a_long_label_that_stands_alone_does_not_lie_over_the_curve() -> None:
    """Wider than half of the plot, beside a point in the middle of the curve: there is room below it."""
    curve = ((881.0, 0.0708), (1910.0, 0.130), (2700.0, 0.370), (3120.0, 1.28))
    label = "Knickpunkt: zwischen 1 und 4 ausstehenden I/Os"
    lines = (
        ChartLine("mean", tuple(ChartPoint(x, y) for x, y in curve)),
        ChartLine("knee", (ChartPoint(*curve[1], label=label),), labelled=True),
    )
    chart = LineChart(Axis("Throughput in MB/s"), Axis("Mean latency in ms", "log10"), lines, title="Knee")
    svg = ET.fromstring(draw_figure(figure(chart, chart), PRINT, "de")[1].svg)
    box = dict(texts(svg))[label]
    drawn = [place for place in markers(svg) if place[1] > 40][:4]  # below those of the legend
    assert len(drawn) == 4
    for (x1, y1), (x2, y2) in itertools.pairwise(drawn):
        for step in range(101):
            x, y = x1 + (x2 - x1) * step / 100, y1 + (y2 - y1) * step / 100
            assert not (box.left <= x <= box.right and box.top <= y <= box.bottom)


@pytest.mark.parametrize("first", [1, 2, 4])
def test_where_loads_have_too_little_room_powers_of_two_are_named_at_equal_steps(first: int) -> None:
    """The loads of one drive and of two stood as 1, 3, 6, 16, 64: every second of those that there are."""
    loads = (1, 2, 3, 4, 6, 8, 12, 16, 32, 64, 128, 256, 512, 1024)
    xs = tuple(float(first * load) for load in loads)
    axis = Axis("Outstanding I/Os in all", "log2", ticks=xs)
    lines = (ChartLine("a", tuple(ChartPoint(x, 1) for x in xs)),)
    chart = LineChart(axis, Axis("Transaction rate in IO/s"), lines, title="Rate")
    svg = ET.fromstring(draw_figure(figure(chart, chart), PRINT, "en")[0].svg)
    named = {text.replace(",", ""): box for text, box in texts(svg)}
    powers = [math.log2(x) for x in xs if f"{x:g}" in named]
    assert len(powers) > 4
    steps = {later - earlier for earlier, later in itertools.pairwise(powers)}
    assert len(steps) == 1
    assert steps <= {1.0, 2.0}


def pair(names: tuple[str, ...]) -> Figure:
    lines = tuple(ChartLine(name, (ChartPoint(1, 1), ChartPoint(2, at + 2))) for at, name in enumerate(names))
    return figure(
        LineChart(Axis("x"), Axis("left"), lines, title="Left"),
        LineChart(Axis("x"), Axis("right"), lines, title="Right"),
    )


def side_by_side(names: tuple[str, ...], *, screen: bool) -> list[ET.Element]:
    return [ET.fromstring(one.svg) for one in draw_figure(pair(names), SCREEN if screen else PRINT, "en")]


def test_in_print_two_charts_of_the_same_lines_share_one_legend_that_is_in_neither() -> None:
    """Three of its names stood above each title, and were read as those of that chart alone."""
    names = tuple(
        f"{name} of the configurations with long names" for name in ("one", "two", "three", "four", "five")
    )
    shared = draw_legend(pair(names), PRINT)
    assert shared is not None
    assert shared.width == FULL_WIDTH
    assert [text for text, _ in texts(ET.fromstring(shared.svg))] == list(names)
    left, right = side_by_side(names, screen=False)
    said = [text for svg in (left, right) for text, _ in texts(svg)]
    assert not set(said) & set(names)
    assert baseline(left, "Left") == baseline(right, "Right")


def test_a_chart_as_wide_as_those_in_pairs_has_their_legend_and_half_of_the_page() -> None:
    names = tuple(f"{name} of the configurations with long names" for name in "abcde")
    figure = replace(pair(names), charts=pair(names).charts[:1], half=True)
    shared, (chart,) = draw_legend(figure, PRINT), draw_figure(figure, PRINT, "en")
    assert shared is not None
    assert (shared.width, chart.width) == (FULL_WIDTH, HALF_WIDTH)
    assert not {text for text, _ in texts(ET.fromstring(chart.svg))} & set(names)
    assert chart.description == figure.alt
    assert draw_legend(replace(figure, half=False), PRINT) is None
    shown = html.render(small(figure))
    assert '<div class="charts two"><div class="wide">' in shown
    assert '<div class="narrow">' not in shown


def test_in_print_two_charts_have_a_legend_each_where_it_is_short() -> None:
    names = ("one", "two", "three", "four", "five")
    for svg in side_by_side(names, screen=False):
        assert [text for text, _ in texts(svg) if text in names] == list(names)


def test_charts_that_have_a_legend_each_share_none() -> None:
    long = tuple(f"{name} of the configurations with long names" for name in "abcde")
    assert draw_legend(pair(("one", "two", "three")), PRINT) is None
    assert draw_legend(pair(long), SCREEN) is None


def test_on_the_screen_each_chart_has_its_own_legend_to_click() -> None:
    names = ("one", "two", "three")
    for svg in side_by_side(names, screen=True):
        said = [text for text, _ in texts(svg)]
        assert all(name in said for name in names)


def test_the_title_of_a_chart_beside_another_is_not_cut() -> None:
    """It ended in "as in “Disk unit, two…": of which kind of array the chart was, only the caption told."""
    long = (
        "HGST Ultrastar C15K600 HUC156045CSS204 450 GB, RAID 0, PRAID EP420i, as in “Disk unit, "
        "two controllers: 2 SAS hard disks, RAID 0, Performance”"
    )
    lines = (ChartLine("ideal", (ChartPoint(1, 1), ChartPoint(2, 2))),)
    charts = [LineChart(Axis("Drives"), Axis("Factor"), lines, title=title) for title in ("Short", long)]
    svg = ET.fromstring(draw_figure(figure(*charts), PRINT, "en")[1].svg)
    said = [text for text, _ in texts(svg)]
    assert not any("…" in text for text in said)
    assert " ".join(text for text in said if len(text) > 10 and text in long) == long
