"""Charts: exact scales, intervals where they belong, no overlap, lines that everyone can tell apart."""

from __future__ import annotations

import itertools
import math
import random
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import iodyno.report
from drawn import SVG, baseline, figure, markers, texts
from iodyno.report.charts import DARK, LIGHT, PRINT, SCREEN, draw_figure
from iodyno.report.charts.labels import Box, around, place_beside, set_apart, text_box
from iodyno.report.charts.lines import _Spot, _strokes
from iodyno.report.charts.numerals import Numerals, numerals
from iodyno.report.charts.scales import Scale, linear_step, make_scale
from iodyno.report.document import Axis, BarChart, ChartLine, ChartPoint, Figure, LineChart
from iodyno.report.layout.metrics import text_width, wrap
from sample_document import FIGURES, RATE_AND_LATENCY, RATE_LATENCY, TIME_SERIES

PLAIN = Numerals()


def labels(scale: Scale) -> list[str]:
    return [tick.label for tick in scale.ticks if tick.label]


def drawn(chart: LineChart | BarChart, *, screen: bool = False) -> ET.Element:
    return ET.fromstring(draw_figure(figure(chart), SCREEN if screen else PRINT, "en")[0].svg)


def line_chart(*points: ChartPoint, x: Any = "linear", y: Any = "linear") -> LineChart:
    return LineChart(Axis("X", x), Axis("Y", y), (ChartLine("Line", points),))


def centre(svg: ET.Element, label: str) -> float:
    return next((box.left + box.right) / 2 for text, box in texts(svg) if text == label)


class TestScales:
    def test_log2_ticks_are_the_powers_of_two(self) -> None:
        scale = make_scale(Axis("", "log2"), [1, 3, 512], PLAIN, zero=False, most=10)
        assert labels(scale) == ["1", "2", "4", "8", "16", "32", "64", "128", "256", "512"]
        assert [scale.position(value) for value in (1, 512)] == [0, 1]
        assert scale.position(math.sqrt(512)) == pytest.approx(0.5)

    def test_given_ticks_are_kept(self) -> None:
        counts = (1.0, 3.0, 8.0, 16.0, 512.0)
        scale = make_scale(Axis("", "log2", counts), [1, 3, 8], PLAIN, zero=False)
        assert labels(scale) == ["1", "3", "8", "16", "512"]
        assert scale.position(512) == 1

    @pytest.mark.parametrize(
        ("top", "expected"),
        [
            (175_000, ["0", "50,000", "100,000", "150,000", "200,000"]),
            (1, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
            (0.034, ["0.00", "0.01", "0.02", "0.03", "0.04"]),
            (3, ["0", "1", "2", "3"]),
        ],
    )
    def test_linear_ticks_step_by_one_two_five_from_zero(self, top: float, expected: list[str]) -> None:
        scale = make_scale(Axis(""), [top / 3, top], PLAIN, zero=True, most=5)
        assert labels(scale) == expected
        assert scale.low == 0
        assert scale.high >= top

    @given(st.floats(1e-6, 1e12), st.integers(2, 12))
    def test_a_linear_step_is_one_two_or_five_and_fits(self, span: float, most: int) -> None:
        step = linear_step(span, most)
        assert f"{step:e}"[0] in "125"
        assert span / step <= most * (1 + 1e-6)

    def test_log10_has_labels_at_one_two_five_or_at_the_decades(self) -> None:
        short = make_scale(Axis("", "log10"), [0.08, 1.7], PLAIN, zero=False, most=8)
        assert labels(short) == ["0.05", "0.1", "0.2", "0.5", "1", "2"]
        long = make_scale(Axis("", "log10"), [0.003, 900], PLAIN, zero=False, most=8)
        assert labels(long) == ["0.01", "0.1", "1", "10", "100", "1,000"]
        assert [tick.value for tick in long.ticks if 1 <= tick.value <= 10] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

    def test_nines_are_at_equal_steps(self) -> None:
        scale = make_scale(Axis("", "nines"), [0.0, 0.99999], PLAIN, zero=False, most=9)
        places = [scale.position(share) for share in (0, 0.9, 0.99, 0.999, 0.9999, 0.99999)]
        assert places == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1.0])
        assert labels(scale)[-1] == "99.999%"
        assert scale.position(1.0) == pytest.approx(1)

    @pytest.mark.parametrize("kind", ["log2", "log10"])
    def test_zero_has_no_place_on_a_logarithmic_scale(self, kind: Any) -> None:
        scale = make_scale(Axis("", kind), [0.0, 1.0, 8.0], PLAIN, zero=False)
        assert scale.position(0.0) is None
        assert scale.position(math.nan) is None

    @pytest.mark.parametrize("kind", ["linear", "log2", "log10", "nines"])
    @pytest.mark.parametrize("values", [[], [0.0], [0.5, 0.5], [1e-300, 1e300], [math.nan, math.inf]])
    def test_any_values_give_a_scale(self, kind: Any, values: list[float]) -> None:
        scale = make_scale(Axis("", kind), values, PLAIN, zero=True)
        assert scale.low < scale.high
        assert 2 <= len(labels(scale)) <= 12
        places = [scale.position(tick.value) for tick in scale.ticks]
        assert all(place is not None and -1e-9 <= place <= 1 + 1e-9 for place in places)

    def test_numbers_follow_the_language(self) -> None:
        assert numerals("de").fixed(1234.5, 1) == "1.234,5"
        assert numerals("ja").fixed(1234.5, 1) == "1,234.5"
        assert numerals("xx-unknown") == PLAIN


class TestLines:
    def test_points_and_intervals_stand_at_their_values(self) -> None:
        svg = drawn(line_chart(ChartPoint(0, 50, 25, 75), ChartPoint(10, 100)))
        zero, hundred = baseline(svg, "0"), baseline(svg, "100")
        [interval] = [path.get("d") or "" for path in svg.iter() if path.get("class") == "interval"]
        low, high = (float(edge) for edge in re.findall(r"M[\d.]+ ([\d.]+)V([\d.]+)", interval)[0])
        assert low == pytest.approx(zero + 0.25 * (hundred - zero), abs=0.02)
        assert high == pytest.approx(zero + 0.75 * (hundred - zero), abs=0.02)
        (x1, y1), (x2, y2) = markers(svg)
        assert y1 == pytest.approx((zero + hundred) / 2, abs=0.02)
        assert y2 == pytest.approx(hundred, abs=0.02)
        assert x2 == pytest.approx(centre(svg, "10"), abs=0.02)
        assert x1 < x2

    def test_points_on_log2_are_at_equal_steps(self) -> None:
        svg = drawn(line_chart(*(ChartPoint(2.0**power, 1) for power in range(5)), x="log2"))
        places = [x for x, _ in markers(svg)]
        steps = [after - before for before, after in itertools.pairwise(places)]
        assert steps == pytest.approx([steps[0]] * 4, abs=0.02)
        assert [centre(svg, str(2**power)) for power in range(1, 5)] == pytest.approx(places[1:], abs=0.02)

    def test_an_interval_down_to_zero_ends_at_the_edge_of_a_logarithmic_axis(self) -> None:
        svg = drawn(line_chart(ChartPoint(1, 10, 0, 20), ChartPoint(2, 1), y="log10"))
        assert [path for path in svg.iter() if path.get("class") == "interval"]

    def test_a_zero_on_a_logarithmic_axis_is_left_out(self) -> None:
        svg = drawn(line_chart(ChartPoint(1, 0), ChartPoint(2, 5), ChartPoint(3, 8), y="log10"))
        assert len(markers(svg)) == 2

    def test_no_marker_stands_on_a_logarithmic_axis(self) -> None:
        svg = drawn(line_chart(ChartPoint(1, 0.1), ChartPoint(2, 3), y="log10"))
        height = float(svg.attrib["viewBox"].split()[3])
        assert all(y < height - 34 - 8 for _, y in markers(svg))

    @pytest.mark.parametrize("names", [("a", "b"), ("a long name of a line", "another long name")])
    def test_the_legend_stands_on_top_and_takes_no_width(self, names: tuple[str, str]) -> None:
        lines = tuple(
            ChartLine(name, (ChartPoint(0, 1), ChartPoint(9, 9 - 4 * index)))
            for index, name in enumerate(names)
        )
        both = drawn(LineChart(Axis("X"), Axis("Y"), lines))
        one = drawn(LineChart(Axis("X"), Axis("Y"), lines[:1]))
        assert markers(both)[-1][0] == markers(one)[-1][0]
        places = dict(texts(both))
        assert all(places[name].bottom < places["Y"].top for name in names)

    def test_a_hollow_point_is_filled_with_the_paper(self) -> None:
        svg = drawn(line_chart(ChartPoint(1, 1, hollow=True), ChartPoint(2, 2)))
        fills = [path.get("fill") for path in svg.iter(f"{SVG}path") if path.get("transform")]
        assert fills == [LIGHT["paper"], LIGHT["series-1"]]

    def test_lines_differ_in_colour_dash_and_marker(self) -> None:
        lines = tuple(
            ChartLine(f"L{index}", (ChartPoint(1, index * 9 + 1), ChartPoint(9, index * 9 + 9)))
            for index in range(6)
        )
        svg = drawn(LineChart(Axis("X"), Axis("Y"), lines), screen=True)
        looks = []
        for group in svg.iter(f"{SVG}g"):
            if group.get("class") == "series":
                line = next(iter(group.findall(f"{SVG}path")))
                marker = next(path for path in group.iter(f"{SVG}path") if path.get("transform"))
                looks.append((line.get("stroke"), line.get("stroke-dasharray"), marker.get("d")))
        assert len(looks) == 6
        for kind in zip(*looks, strict=True):
            assert len(set(kind)) == 6

    def test_each_point_carries_its_data_and_its_title(self) -> None:
        point = ChartPoint(8, 4300.25, 4200, 4400, label="4,300 IO/s (4,200 – 4,400)")
        svg = drawn(line_chart(point, ChartPoint(16, 2, 1, 3)), screen=True)
        first, second = (group for group in svg.iter(f"{SVG}g") if group.get("class") == "point")
        assert first.attrib["data-x"] == "8"
        assert float(first.attrib["data-y"]) == 4300.25
        assert (first.attrib["data-low"], first.attrib["data-high"]) == ("4200", "4400")
        assert first.findtext(f"{SVG}title") == "Line: 4,300 IO/s (4,200 – 4,400)"
        assert "Y: 2 (1 – 3)" in (second.findtext(f"{SVG}title") or "")

    def test_the_screen_takes_the_colours_of_the_page_and_the_print_has_its_own(self) -> None:
        screen, printed = (draw_figure(RATE_AND_LATENCY, theme, "en")[0].svg for theme in (SCREEN, PRINT))
        assert not re.search(r"#[0-9a-f]{6}", screen)
        assert "var(" not in printed

    def test_a_drawing_says_what_it_is(self) -> None:
        svg = drawn(line_chart(ChartPoint(1, 1)), screen=True)
        assert svg.get("role") == "img"
        assert svg.findtext(f"{SVG}title") == "Y – X"
        assert svg.findtext(f"{SVG}desc") == "Alternative"
        idents = {element.get("id") for element in svg.iter()}
        assert {svg.get("aria-labelledby"), svg.get("aria-describedby")} <= idents

    def test_each_of_two_charts_describes_itself(self) -> None:
        line = LineChart(
            Axis("Load"),
            Axis("Latency in ms"),
            (
                ChartLine("mean", (ChartPoint(1, 0.25), ChartPoint(2, 1500), ChartPoint(4, math.nan))),
                ChartLine("none", ()),
            ),
        )
        bars = BarChart(
            Axis("Rate"), (("A", (ChartPoint(0, 4), ChartPoint(0, 5, label="5*"))),), ("lo", "hi")
        )
        first, second = (
            ET.fromstring(drawing.svg) for drawing in draw_figure(figure(line, bars), SCREEN, "en")
        )
        assert first.findtext(f"{SVG}desc") == "Latency in ms – Load. mean: 0.25 – 1,500; none."
        assert second.findtext(f"{SVG}desc") == "Rate. A: lo 4, hi 5*."
        assert first.get("aria-describedby") != second.get("aria-describedby")

    def test_two_charts_have_their_plots_on_one_line(self) -> None:
        left, right = (ET.fromstring(drawing.svg) for drawing in draw_figure(RATE_AND_LATENCY, PRINT, "en"))
        assert baseline(left, "0") > 0
        axis = [
            {box.bottom for text, box in texts(svg) if text == "Outstanding I/Os"} for svg in (left, right)
        ]
        assert axis[0] == axis[1]

    def test_each_labelled_point_keeps_its_label_where_there_is_room(self) -> None:
        svg = ET.fromstring(draw_figure(RATE_LATENCY, PRINT, "en")[0].svg)
        small = {text.text for text in svg.iter(f"{SVG}text") if text.get("font-size") == "9"}
        assert {"1", "512", "64", "128"} <= small

    def test_a_label_goes_further_off_rather_than_onto_a_line(self) -> None:
        area, line = Box(0, 0, 200, 100), Box(0, 34, 200, 70)
        [label] = place_beside([(100, 50, "knee")], area, (), [line], 9, [])
        assert not text_box(label.text, label.x, label.baseline, 9, anchor=label.anchor).meets(line)

    @pytest.mark.parametrize("seed", range(40))
    def test_a_label_keeps_clear_of_lines_and_markers(self, seed: int) -> None:
        """`knee: 16 outstanding I/Os` stood 0.14 beside its curve: that reads as touching it.

        Rising lines as latencies have them, the label at any of their points; in a plot of this size there
        is room for it.
        """
        draw = random.Random(seed)
        area, at = Box(0, 0, 240, 150), sorted(draw.uniform(5, 235) for _ in range(10))
        heights = sorted((draw.uniform(5, 145) for _ in range(10)), reverse=True)
        spots = [_Spot(ChartPoint(x, y), x, y, y + 2, y - 2) for x, y in zip(at, heights, strict=True)]
        markers, strokes = [around(spot.x, spot.y, 3.0) for spot in spots], list(_strokes(spots))
        place = draw.randrange(10)
        point = (at[place], heights[place], "Knickpunkt: 16 ausstehende I/Os")
        [label] = place_beside([point], area, markers, strokes, 9, [])
        box = text_box(label.text, label.x, label.baseline, 9, anchor=label.anchor)
        near = Box(box.left - 1.4, box.top - 1.4, box.right + 1.4, box.bottom + 1.4)
        assert [one for one in (*markers, *strokes) if near.meets(one)] == [], f"seed {seed}"

    def test_names_of_shaded_ranges_stay_inside(self) -> None:
        svg = ET.fromstring(draw_figure(TIME_SERIES, PRINT, "en")[0].svg)
        width = float(svg.attrib["viewBox"].split()[2])
        [box] = [box for text, box in texts(svg) if text == "Throttled by the drive"]
        assert box.right <= width

    @pytest.mark.parametrize(
        ("values", "first"),
        [
            ((543.5, 543.7, 543.6), "0"),  # what the intervals leave open is no curve
            ((520.0, 543.6), "0"),
            ((480.0, 543.6), "480"),
            ((10.0, 543.6), "0"),
        ],
    )
    def test_values_that_hardly_differ_do_not_fill_the_axis(
        self, values: tuple[float, ...], first: str
    ) -> None:
        points = (ChartPoint(value, float(place)) for place, value in enumerate(values, start=1))
        told = [text for text, _ in texts(drawn(line_chart(*points)))]
        assert first in told
        assert ("480" in told) == (first == "480")


class TestBars:
    def test_a_bar_is_as_long_as_its_value(self) -> None:
        rows = (("A", (ChartPoint(0, 40, 30, 50),)), ("B", (ChartPoint(0, 100),)))
        svg = drawn(BarChart(Axis("X"), rows, ("One",)))
        start, end = centre(svg, "0"), centre(svg, "100")
        ends = [float(bar.attrib["x"]) + float(bar.attrib["width"]) + 0.5 for bar in svg.iter(f"{SVG}rect")]
        assert ends == pytest.approx([start + 0.4 * (end - start), end], abs=0.05)
        interval = next(path.get("d") or "" for path in svg.iter() if path.get("class") == "interval")
        low, high = (float(edge) for edge in re.findall(r"M([\d.]+) [\d.]+H([\d.]+)", interval)[0])
        assert (low, high) == pytest.approx((start + 0.3 * (end - start), (start + end) / 2), abs=0.05)

    def test_the_legend_looks_like_the_bars(self) -> None:
        pair = (ChartPoint(0, 40, hollow=True), ChartPoint(0, 50, hollow=True))
        svg = drawn(BarChart(Axis("X"), (("A", pair), ("B", pair)), ("One", "Two")))
        looks = ("fill", "fill-opacity", "stroke", "stroke-dasharray")
        bars = [tuple(bar.get(key) for key in looks) for bar in svg.iter(f"{SVG}rect") if bar.get("stroke")]
        legend, shown = bars[-2:], bars[:-2]
        assert shown == legend * 2
        assert legend[0] != legend[1]
        assert all(opacity and dash for _, opacity, _, dash in legend)
        solid, hollow = ChartPoint(0, 40), ChartPoint(0, 50, hollow=True)
        mixed = drawn(BarChart(Axis("X"), (("A", (solid,)), ("B", (hollow,))), ("One",)))
        fills = [(bar.get("fill"), bar.get("fill-opacity")) for bar in mixed.iter(f"{SVG}rect")]
        assert fills[0][0] == fills[1][0]
        assert fills[0][1] is None

    def test_one_name_needs_no_legend(self) -> None:
        svg = drawn(BarChart(Axis("X"), (("A", (ChartPoint(0, 1),)),), ("Only",)))
        assert "Only" not in [text for text, _ in texts(svg)]

    def test_names_that_begin_alike_stay_apart_and_are_whole_where_pointed_at(self) -> None:
        names = [
            f"Random read 4 kB, manufacturer-of-drives-model-0123456789-raid{level}-8" for level in "0156"
        ]
        rows = tuple((name, (ChartPoint(0, 1), ChartPoint(0, 2))) for name in names)
        chart = BarChart(Axis("X"), rows, ("lowest", "maximum"))
        beside = draw_figure(figure(chart, chart), SCREEN, "en")[0].svg
        for svg in (ET.fromstring(beside), drawn(chart, screen=True)):
            shown = " ".join(text for text, _ in texts(svg))
            assert [shown.count(f"raid{level}-8") for level in "0156"] == [1] * 4
            titles = [title.text or "" for title in svg.iter(f"{SVG}title")]
            assert all(any(title.startswith(name) for title in titles) for name in names)

    def test_charts_that_reach_as_far_have_the_same_axis(self) -> None:
        one, other = (
            drawn(BarChart(Axis("X", reach=(7.0, 900.0)), (("A", (ChartPoint(0, value),)),), ("One",)))
            for value in (7.0, 900.0)
        )
        assert centre(one, "1,000") == centre(other, "1,000")

    def test_an_empty_chart_is_drawn(self) -> None:
        drawn(BarChart(Axis("X"), (), ()))
        drawn(LineChart(Axis("X"), Axis("Y"), ()))


def overlapping(svg: ET.Element) -> list[tuple[str, str]]:
    shrunk = [
        (text, Box(box.left + 0.3, box.top + 0.8, box.right - 0.3, box.bottom - 0.8))
        for text, box in texts(svg)
        if text
    ]
    return [(a, b) for (a, one), (b, other) in itertools.combinations(shrunk, 2) if one.meets(other)]


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("shown", FIGURES, ids=lambda shown: shown.key)
def test_no_text_of_the_samples_overlaps_or_is_cut(shown: Figure, narrow: bool) -> None:
    for drawing in draw_figure(shown, PRINT, "en", narrow=narrow):
        svg = ET.fromstring(drawing.svg)
        assert not overlapping(svg)
        for text, box in texts(svg):
            assert box.left >= -0.5, text
            assert box.right <= drawing.width + 0.5, text
            assert box.top >= 0, text
            assert box.bottom <= drawing.height, text


NAMES = st.text('abc WXY%/é<&"', min_size=1, max_size=30)
VALUES = st.one_of(
    st.floats(0, 1e7, allow_subnormal=False), st.sampled_from([0.0, 1.0, 1e-9, 1e15, math.nan, math.inf])
)
POINTS = st.builds(
    ChartPoint,
    x=VALUES,
    y=VALUES,
    low=st.one_of(st.none(), VALUES),
    high=st.one_of(st.none(), VALUES),
    label=st.text("0123456789.", max_size=6),
    hollow=st.booleans(),
)
AXES = st.builds(Axis, st.just("Latency in ms"), st.sampled_from(["linear", "log2", "log10", "nines"]))
LINES = st.builds(
    ChartLine,
    NAMES,
    st.lists(POINTS, max_size=12).map(tuple),
    labelled=st.booleans(),
    markers=st.booleans(),
)
CHARTS = st.one_of(
    st.builds(LineChart, AXES, AXES, st.lists(LINES, max_size=8).map(tuple), title=NAMES),
    st.builds(
        BarChart,
        AXES,
        st.lists(st.tuples(NAMES, st.lists(POINTS, max_size=3).map(tuple)), max_size=5).map(tuple),
        st.lists(NAMES, min_size=3, max_size=3).map(tuple),
        title=NAMES,
    ),
)


@settings(deadline=None, max_examples=60)
@given(st.lists(CHARTS, min_size=1, max_size=2), st.booleans())
def test_any_chart_is_drawn_well_formed_without_overlap(
    charts: list[LineChart | BarChart], narrow: bool
) -> None:
    for theme in (PRINT, SCREEN):
        for drawing in draw_figure(figure(*charts), theme, "en", narrow=narrow):
            svg = ET.fromstring(drawing.svg)
            shapes = " ".join(
                value
                for element in svg.iter()
                for key, value in element.attrib.items()
                if not key.startswith("data-")
            )
            assert not re.search(r"\b(nan|inf)\b", shapes, re.IGNORECASE)
            assert not overlapping(svg)


class TestLabels:
    @given(st.lists(st.text("ab-c 12", min_size=1, max_size=40), min_size=1, max_size=6), st.floats(60, 200))
    def test_names_shown_are_within_the_column(self, names: list[str], width: float) -> None:
        shown = set_apart(names, 10, width, 2)
        assert len(shown) == len(names)
        assert all(text_width(line, 10) <= width for lines in shown for line in lines)
        assert all(len(lines) <= 2 for lines in shown)

    @given(
        st.sets(st.integers(0, 999), min_size=2, max_size=8),
        st.text("ab -", max_size=60),
        st.text("c-", max_size=9),
    )
    def test_names_that_differ_are_shown_apart(self, numbers: set[int], start: str, end: str) -> None:
        names = [f"{start}{number:03}{end}" for number in sorted(numbers)]
        assert len(set(set_apart(names, 10, 100, 2))) == len(names)

    def test_what_all_begin_with_goes_first_then_the_middle(self) -> None:
        names = ["maker-of-drives-0001-r5", "maker-of-drives-0001-r6"]
        assert set_apart(names, 10, 200, 1) == [(name,) for name in names]
        assert set_apart(names, 10, 60, 1) == [("…r5",), ("…r6",)]
        one_short = ["P3700 800 GB", "P3700 of a very long name 800 GB"]
        assert set_apart(one_short, 10, 60, 2)[0] == ("…800\N{NO-BREAK SPACE}GB",)
        assert set_apart(["P3700 800 GB", "P3700 1.6 TB"], 10, 50, 2)[0] == (
            "P3700",
            "800\N{NO-BREAK SPACE}GB",
        )
        inside = [f"{'a' * 30}{number}{'b' * 60}" for number in "123"]
        assert [line[:3] for [line] in set_apart(inside, 10, 60, 1)] == ["…1b", "…2b", "…3b"]
        [[first], [second]] = set_apart(["a" * 40 + "-r5", "b" * 40 + "-r6"], 10, 60, 1)
        assert first.startswith("a")
        assert first.endswith("a-r5")
        assert "…" in first
        assert second.startswith("b")
        assert second.endswith("b-r6")

    @given(st.text("ab cdWi", max_size=60), st.floats(20, 200))
    def test_wrapped_lines_fit(self, text: str, width: float) -> None:
        assert all(text_width(line, 10) <= width + 10 for line in wrap(text, 10, width))

    def test_widths_are_those_of_the_font(self) -> None:
        ttlib = pytest.importorskip("fontTools.ttLib", reason="fonttools is not installed")
        fonts = Path(iodyno.report.__file__ or "").parent / "fonts"
        for name, bold in (("IBMPlexSans_400Regular.ttf", False), ("IBMPlexSans_600SemiBold.ttf", True)):
            font = ttlib.TTFont(fonts / name)
            widths, glyphs = font["hmtx"], font.getBestCmap()
            for code in (*range(32, 127), 0xE4, 0xA0, 0x202F):
                assert text_width(chr(code), 1000, bold=bold) == widths[glyphs[code]][0], chr(code)


# Colours: contrast as in WCAG 2, colour blindness as simulated by Machado, Oliveira and Fernandes (2009).

VISIONS = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def linear(colour: str) -> tuple[float, ...]:
    parts = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return tuple(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def cielab(rgb: list[float]) -> tuple[float, float, float]:
    red, green, blue = (min(1.0, max(0.0, part)) for part in rgb)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    fx, fy, fz = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
class TestColours:
    def test_texts_and_lines_stand_out(self, colours: dict[str, str]) -> None:
        for role in (
            "ink",
            "muted",
            "accent",
            "good",
            "warning",
            "bad",
            *(f"series-{n}" for n in range(1, 7)),
        ):
            assert contrast(colours[role], colours["paper"]) >= 4.5, role
        assert contrast(colours["axis"], colours["paper"]) >= 3
        for tone in ("plain", "good", "warning", "bad"):
            assert contrast(colours["ink"], colours[f"{tone}-tint"]) >= 7
        assert contrast(colours["muted"], colours["shade"]) >= 4.5

    @pytest.mark.parametrize("vision", VISIONS)
    def test_colour_blind_readers_tell_the_lines_apart(self, colours: dict[str, str], vision: str) -> None:
        seen = [
            cielab(
                [
                    sum(a * b for a, b in zip(row, linear(colours[f"series-{n}"]), strict=True))
                    for row in VISIONS[vision]
                ]
            )
            for n in range(1, 7)
        ]
        for one, other in itertools.combinations(range(6), 2):
            assert math.dist(seen[one], seen[other]) >= 15, (one + 1, other + 1)
