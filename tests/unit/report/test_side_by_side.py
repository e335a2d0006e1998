"""Curves side by side: how they are laid out, ranked, and what the interfaces between them let through."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pytest

from factories import make_histogram, make_point, make_reading, make_result, make_stored_run
from iodyno.analysis.interfaces import chain
from iodyno.analysis.layout import groups, layout, rows_and_columns
from iodyno.analysis.ranking import ranking
from iodyno.analysis.run import CurveAnalysis, analyse
from iodyno.catalog.changes import changed
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import load_system
from iodyno.reading import Cause, Direction, State
from iodyno.report.messages import Messages
from iodyno.report.sentences.practice import best_configuration, enough_load, highest, practice, usual_limit
from iodyno.report.sentences.side_by_side import at_lowest_load, side_paragraph
from iodyno.virtual import LinkHop
from virtual_systems import virtual_system

MIB = 1 << 20


def curve_of(rate: float, half_width: float | None, profile: str = "database") -> CurveAnalysis:
    """Give a curve of one point with this rate and interval."""
    item = analyse(make_stored_run(profiles=(profile,), intensities=(8,))).curves[0]
    at = item.curve.points[0]
    figure = dataclasses.replace(at.transaction_rate_io_s, value=rate, half_width=half_width)
    speed = dataclasses.replace(at.throughput_mb_s, value=rate, half_width=half_width)
    at = dataclasses.replace(at, transaction_rate_io_s=figure, throughput_mb_s=speed)
    return dataclasses.replace(
        item,
        curve=dataclasses.replace(item.curve, points=(at,)),
        maximum=dataclasses.replace(item.maximum, at=at),
        limits=(dataclasses.replace(item.limits[0], at=at),),
    )


def named(items: list[CurveAnalysis]) -> dict[int, str]:
    return {id(item): letter for item, letter in zip(items, "abcdef", strict=False)}


@pytest.mark.parametrize(
    ("rates", "half_width", "highest", "lowest"),
    [
        ((100, 200, 300), 0.01, "c", "a"),
        ((100, 200, 201), 0.01, "bc", "a"),
        ((100, 101, 200), 0.02, "c", "ab"),
        ((100, 101, 102), 0.02, "abc", ""),
        # The one between is level with either end, and the ends are not: it is told once.
        ((100, 102, 104.5), 0.02, "bc", "a"),
        ((100, 200, 300), None, "", ""),
    ],
)
def test_ranking_names_what_the_intervals_tell_apart(
    rates: tuple[float, ...], half_width: float | None, highest: str, lowest: str
) -> None:
    items = [curve_of(rate, half_width) for rate in rates]
    names = named(items)
    found = ranking(items)
    assert "".join(names[id(item)] for item in found.highest) == highest
    assert "".join(names[id(item)] for item in found.lowest) == lowest


@pytest.mark.parametrize(
    ("figures", "highest", "lowest", "unknown"),
    [
        # Nothing tells where a figure without an interval stands: above, between, below, or as high.
        ([(100, 0.01), (200, 0.01), (150, None)], "b", "a", "c"),
        ([(100, 0.01), (200, 0.01), (300, None)], "b", "a", "c"),
        ([(100, 0.01), (200, 0.01), (200, None)], "b", "a", "c"),
        ([(100, 0.01), (200, None)], "a", "", "b"),
        # 180 ± 90 is not told from 200 ± 2, nor is 300 ± 270: that is no reason to call them level.
        ([(100, 0.01), (200, 0.01), (180, 0.5)], "b", "a", "c"),
        ([(100, 0.01), (200, 0.01), (300, 0.9)], "b", "a", "c"),
        # All of 400 ± 120 is above 200 ± 2, and 50 ± 20 is below it: these stand where they stand.
        ([(100, 0.01), (200, 0.01), (400, 0.3)], "c", "a", ""),
        ([(100, 0.01), (200, 0.01), (50, 0.4)], "b", "c", ""),
        # Where none is known well, what the intervals do not tell apart is level.
        ([(100, 0.5), (120, 0.5)], "ab", "", ""),
    ],
)
def test_what_is_hardly_known_is_not_level_with_what_is_known(
    figures: list[tuple[float, float | None]], highest: str, lowest: str, unknown: str
) -> None:
    items = [curve_of(rate, half_width) for rate, half_width in figures]
    names = named(items)
    found = ranking(items)
    assert "".join(names[id(item)] for item in found.highest) == highest
    assert "".join(names[id(item)] for item in found.lowest) == lowest
    assert "".join(names[id(item)] for item in found.unknown) == unknown
    assert not (found.unknown and found.alike)


@pytest.mark.parametrize(
    ("figures", "says"),
    [
        (
            [(100, 0.005), (200, 0.005), (150, None)],
            "The highest maximum is that of “b” with 200 IO/s. The lowest is that of “a”: 100 IO/s. The "
            "highest is 2.00 times as much (interval 1.99 to 2.01). Not compared, for want of a narrow "
            "enough interval: “c”.",
        ),
        # Of a figure without an interval the intervals tell nothing: it is none of those compared.
        (
            [(100, 0.005), (200, None)],
            "The maximum of “a” is 100 IO/s. Not compared, for want of a narrow enough interval: “b”.",
        ),
        (
            [(200, 0.005), (201, 0.005), (150, None)],
            "The intervals do not tell the maxima apart: 200 to 201 IO/s. Not compared, for want of a narrow "
            "enough interval: “c”.",
        ),
        (
            [(100, 0.005), (100, 0.005), (5000, None)],
            "The intervals do not tell the maxima apart: 100 IO/s. Not compared, for want of a narrow enough "
            "interval: “c”.",
        ),
        (
            [(100, None), (200, None)],
            "The maxima have no intervals, and so are not compared: 100 to 200 IO/s.",
        ),
        (
            [(200, 0.005), (206, 0.005), (190, None)],
            "The maxima are level, 200 to 206 IO/s: what they differ by is within the intervals, or less "
            "than 5%. Not compared, for want of a narrow enough interval: “c”.",
        ),
    ],
)
def test_sentences_say_what_is_not_compared(figures: list[tuple[float, float | None]], says: str) -> None:
    items = [curve_of(rate, half_width) for rate, half_width in figures]
    names = named(items)
    text = side_paragraph(Messages("en"), items, lambda item: names[id(item)]).replace("\u00a0", " ")
    assert says in text


@pytest.mark.parametrize(
    ("half_widths", "says"),
    [
        (
            (0.05, 0.05, None),
            "At the lowest load the intervals do not tell them apart. Not compared, for want of a narrow "
            "enough interval: “c”.",
        ),
        (
            (0.005, None, None),
            "At the lowest load “a” reaches 100 IO/s. Not compared, for want of a narrow enough interval: "
            "“c” and “b”.",
        ),
        ((None, None, None), "At the lowest load they have no intervals, and so are not compared."),
    ],
)
def test_at_the_lowest_load_what_has_no_interval_is_not_compared(
    half_widths: tuple[float | None, ...], says: str
) -> None:
    items = [
        at_loads(curve_of(rate, width), letter)
        for rate, width, letter in zip((100, 101, 102), half_widths, "abc", strict=True)
    ]
    names = named(items)
    text = at_lowest_load(Messages("en"), items, lambda item: names[id(item)])
    assert text.replace("\u00a0", " ") == says


def at_loads(item: CurveAnalysis, system: str) -> CurveAnalysis:
    """Give a curve a second load, and a system of its own."""
    (at,) = item.curve.points
    points = tuple(
        dataclasses.replace(
            at, point=at.point.model_copy(update={"outstanding": load, "index": load, "system": system})
        )
        for load in (8, 16)
    )
    return dataclasses.replace(item, curve=dataclasses.replace(item.curve, points=points))


def test_nothing_is_recommended_beside_what_is_not_known() -> None:
    """Of 300 without an interval nothing tells that it is less than 200."""
    known = [of_system(curve_of(100, 0.005), "system 1"), of_system(curve_of(200, 0.005), "system 2")]
    assert best_configuration(Messages("en"), known)
    assert not best_configuration(Messages("en"), [*known, of_system(curve_of(300, None), "system 3")])
    assert not best_configuration(Messages("en"), [*known, of_system(curve_of(90, None), "system 3")])


def test_nothing_is_recommended_where_another_may_be_as_high() -> None:
    """84 ±20 % reaches to 100.8, and the second by value is 85 ±1 %."""
    known = [of_system(curve_of(100, 0.01), "system 1"), of_system(curve_of(85, 0.01), "system 2")]
    assert best_configuration(Messages("en"), known)
    assert not best_configuration(Messages("en"), [*known, of_system(curve_of(84, 0.2), "system 3")])


@pytest.mark.parametrize(
    ("rates", "half_width", "says"),
    [
        ((100, 101), 0.005, "no appreciable difference"),
        ((100, 100.2), 0.005, "All reach a maximum of 100 IO/s."),
        ((100, 101), 0.05, "do not tell the maxima apart"),
        ((100, 200), 0.005, "The highest maximum is that of “b” with 200 IO/s"),
        ((100, 200, 200.5), 0.005, "These are level at the top, 200 IO/s: “b” and “c”."),
        ((100, 200, 206), 0.005, "These are level at the top, 200 to 206 IO/s: “b” and “c”."),
        ((100, 200), None, "have no intervals"),
    ],
)
def test_sentences_claim_no_more_than_the_intervals(
    rates: tuple[float, ...], half_width: float | None, says: str
) -> None:
    items = [curve_of(rate, half_width) for rate in rates]
    names = named(items)
    text = side_paragraph(Messages("en"), items, lambda item: names[id(item)])
    assert says in text
    assert "unknown" not in text
    if half_width is None:
        assert "times as much" not in text


def test_a_difference_within_five_per_cent_is_not_called_none_where_the_interval_reaches_beyond() -> None:
    # The quotient is 1.03, its interval reaches 1.058: below 5 % is not shown.
    items = [curve_of(rate, 0.02) for rate in (100, 103)]
    assert not ranking(items).alike
    assert ranking([curve_of(rate, 0.005) for rate in (100, 103)]).alike


def test_curves_of_different_units_never_share_a_chart() -> None:
    items = [curve_of(100, 0.01, name) for name in ("database", "file-copy", "streaming")]
    units = [{item.curve.profile.shown_as for item in group.items} for group in groups(items)]
    assert units == [{"transaction_rate"}, {"throughput"}]


def test_layout_follows_the_number_of_curves() -> None:
    items = [curve_of(100, 0.01)] * 7
    assert layout(12, items) == "each"
    assert layout(13, items) == "matrix"


def test_every_curve_has_its_place_in_the_matrix() -> None:
    items = [curve_of(100, 0.01, name) for name in ("database", "streaming")]
    rows, columns = rows_and_columns(items)
    assert [column.curve.profile.name for column in columns] == ["database", "streaming"]
    assert [[item.curve.profile.name if item else None for item in row] for row in rows] == [
        ["database", "streaming"]
    ]


def test_a_shared_link_counts_once_and_drives_count_each() -> None:
    system = virtual_system(drives=2)
    alone = chain(system)
    assert alone.media == sum(
        slot.model.outer_bytes_s if slot.model.kind == "hdd" else slot.model.data_read_bytes_s
        for slot in system.drives
    )
    # Both drives behind link 0 and then one of their own: no more than link 0 comes through.
    shared = system.links[0].model_copy(update={"bytes_s": 100 * MIB})
    own = system.links[0].model_copy(update={"bytes_s": 70 * MIB})
    drives = tuple(
        slot.model_copy(update={"path": (LinkHop(link=0), LinkHop(link=1 + number))})
        for number, slot in enumerate(system.drives)
    )
    narrow = system.model_copy(update={"links": (shared, own, own), "drives": drives})
    assert chain(narrow).host == 100 * MIB
    wide = narrow.model_copy(update={"links": (shared.model_copy(update={"bytes_s": 1000 * MIB}), own, own)})
    assert chain(wide).host == 140 * MIB
    assert (chain(narrow).least, chain(wide).least) == (100 * MIB, 140 * MIB)


@pytest.mark.parametrize(
    ("level", "count", "failed", "whole"),
    [
        ("10", 8, (0,), 4),  # the pair with one drive sets the pace of four
        ("10", 8, (0, 2), 4),
        ("1", 2, (0,), 1),
        ("5", 8, (3,), 7),  # what is missing takes as much of each survivor
        ("6", 8, (3, 5), 6),
        ("50", 8, (3,), 6),  # two groups, the pace of the one with three
        ("0", 8, (), 8),
    ],
)
def test_a_failed_drive_is_left_out_of_the_way(
    level: str, count: int, failed: tuple[int, ...], whole: int
) -> None:
    groups = 2 if level == "50" else 1
    changes = {"level": level, "count": count, "groups": groups}
    system = resolve(changed(load_system("raid-controllers"), changes))
    controller = system.controllers[0]
    logical = controller.logicals[0]
    array = logical.array.model_copy(update={"failed": failed})
    logical = logical.model_copy(update={"array": array})
    controller = controller.model_copy(update={"logicals": (logical,)})
    found = chain(system.model_copy(update={"controllers": (controller,)}))
    model = system.drives[0].model
    one = model.outer_bytes_s if model.kind == "hdd" else model.data_read_bytes_s
    assert found.media == whole * one


@pytest.mark.parametrize(
    ("drive", "level", "strip", "whole"),
    [
        ("hgst-huc156045css204", "5", "64k", 7),  # each head passes over an eighth that is parity
        ("hgst-huc156045css204", "6", "64k", 6),
        ("hgst-huc156045css204", "60", "64k", 4),
        ("hgst-huc156045css204", "0", "64k", 8),
        ("hgst-huc156045css204", "10", "64k", 8),
        ("toshiba-px02smf040", "6", "64k", 8),
    ],
)
def test_heads_pass_over_parity(drive: str, level: str, strip: str, whole: int) -> None:
    changes = {
        "drive": drive,
        "level": level,
        "count": 8,
        "groups": 2 if level == "60" else 1,
        "strip": strip,
    }
    system = resolve(changed(load_system("raid-controllers"), changes))
    model = system.drives[0].model
    one = model.outer_bytes_s if model.kind == "hdd" else model.data_read_bytes_s
    assert chain(system).media == whole * one


def test_strips_of_more_than_a_track_may_be_passed_by_the_arm() -> None:
    changes = {"drive": "hgst-huc156045css204", "level": "6", "count": 8}
    system = resolve(changed(load_system("raid-controllers"), changes))
    controller = system.controllers[0]
    array = controller.logicals[0].array.model_copy(update={"strip_bytes": 2 * MIB})
    logical = controller.logicals[0].model_copy(update={"array": array})
    long = system.model_copy(
        update={"controllers": (controller.model_copy(update={"logicals": (logical,)}),)}
    )
    assert chain(long).media == 8 / 6 * chain(system).media


def of_system(item: CurveAnalysis, name: str) -> CurveAnalysis:
    """Give a curve a virtual system that tells it from others."""
    return dataclasses.replace(
        item, curve=dataclasses.replace(item.curve, varied=("system",), configuration=name)
    )


@pytest.mark.parametrize(
    ("rates", "half_width", "advised"),
    [
        ((100, 150), 0.01, True),
        ((100, 111), 0.01, False),  # the interval of 1.11 reaches below 1.1
        ((100, 105), 0.001, False),
        ((100, 150), None, False),
    ],
)
def test_a_configuration_is_advised_where_the_interval_says_so(
    rates: tuple[float, ...], half_width: float | None, advised: bool
) -> None:
    items = [of_system(curve_of(rate, half_width), f"system {rate}") for rate in rates]
    text = best_configuration(Messages("en"), items)
    assert ("choose “system" in text) is advised
    assert not text or f"system {max(rates)}" in text


def with_workers(item: CurveAnalysis, workers: int) -> CurveAnalysis:
    """Give a curve of a system with so many workers, of a sweep over them."""
    (at,) = item.curve.points
    at = dataclasses.replace(at, point=at.point.model_copy(update={"workers": workers}))
    varied = (*item.curve.varied, "workers")
    return dataclasses.replace(
        item,
        curve=dataclasses.replace(item.curve, points=(at,), varied=varied),
        maximum=dataclasses.replace(item.maximum, at=at),
    )


@pytest.mark.parametrize(
    ("rates", "says"),
    [
        # 300 with 2 workers and 299 with 4 of one system, 150 at most of the other.
        (
            {"first": (299, 300), "second": (140, 150)},
            "choose “first”: its maximum of 300 IO/s is 2.00 (1.97–2.03) times that of the next, “second”.",
        ),
        (
            {"first": (280, 300), "second": (140, 150)},
            "choose “first”: its maximum of 300 IO/s is 2.00 (1.97–2.03) times that of the next, “second”.",
        ),
        ({"first": (200, 300), "second": (140, 150)}, "choose “first, 4 workers”: its maximum of 300 IO/s"),
        ({"first": (200, 300), "second": (140, 250)}, "times that of the next, “second, 4 workers”."),
        ({"first": (299, 300), "second": (140, 299)}, ""),
        ({"first": (299, 300), "second": (140, 280)}, ""),
        ({"first": (299, 300)}, ""),
    ],
)
def test_level_curves_of_one_configuration_are_one_that_is_advised(
    rates: dict[str, tuple[float, ...]], says: str
) -> None:
    items = [
        with_workers(of_system(curve_of(rate, 0.01), name), workers)
        for name, those in rates.items()
        for workers, rate in zip((2, 4), those, strict=True)
    ]
    text = best_configuration(Messages("en"), items)
    assert says in text
    assert bool(text) is bool(says)


def of_sweep(rates: Sequence[float], sweep: str, system: str) -> CurveAnalysis:
    """Give a curve of a sweep that has no other of its profile, at 1, 2, 4 ... outstanding I/Os."""
    loads = tuple(1 << step for step in range(len(rates)))
    (item,) = analyse(make_stored_run(profiles=("database",), intensities=loads)).curves
    points = tuple(
        dataclasses.replace(
            at,
            point=at.point.model_copy(update={"system": system, "sweep": sweep}),
            transaction_rate_io_s=dataclasses.replace(at.transaction_rate_io_s, value=rate, half_width=0.01),
        )
        for at, rate in zip(item.curve.points, rates, strict=True)
    )
    top = max(points, key=lambda at: at.transaction_rate_io_s.value)
    return dataclasses.replace(
        item,
        curve=dataclasses.replace(item.curve, sweep=sweep, points=points, configuration=system),
        maximum=dataclasses.replace(item.maximum, at=top),
    )


def test_a_configuration_that_is_alone_in_its_sweep_is_advised() -> None:
    """Its curve has no details that tell it from others of its sweep: the best that there is was left out."""
    items = [of_sweep([100, 325], "four", "p4"), of_sweep([100], "one", "p1")]
    advice = [text for text in practice(Messages("en"), items) if "choose" in text]
    assert len(advice) == 1
    assert "choose p4: its maximum of 325 IO/s is 3.25 (3.20–3.30) times that of the next, p1." in advice[0]


def test_names_of_one_piece_of_advice_are_all_in_quotes_or_none() -> None:
    """One name has a comma, so that it needs quotes: the others of its sentences stood without."""
    items = [of_sweep([100, 325], "four", "p4, late"), of_sweep([100], "one", "p1")]
    items += [of_sweep([100], "other", "p2")]
    advice = next(text for text in practice(Messages("en"), items) if "choose" in text)
    assert "choose “p4, late”: its maximum" in advice
    assert "times that of the next, “p1” (level with “p2”)." in advice


def test_of_several_sweeps_the_maximum_is_the_highest() -> None:
    """The longer curve was kept, and its maximum was lower than that of the title page and the conclusion."""
    items = [
        of_sweep([100, 218, 219], "drives", "four"),
        of_sweep([100, 150, 160], "drives", "three"),
        of_sweep([100, 221], "load", "four"),
    ]
    advice = next(text for text in practice(Messages("en"), items) if "choose" in text)
    assert "its maximum of 221 IO/s is 1.38 (1.36–1.40) times that of the next, “three”." in advice
    assert "221 IO/s" in " ".join(highest(Messages("en"), items))


def test_nothing_is_advised_from_what_was_disturbed() -> None:
    """Such figures should not be used: they named the host as the limit, and warned of tails."""

    def points(state: State) -> list[CurveAnalysis]:
        results = []
        for index, load in enumerate((1, 2, 4, 8)):
            point = make_point("database", load, index=index)
            slow = make_histogram([1_000_000, 50_000_000], [99_000 * load, 1_000 * load])
            reads = Direction(completed=100_000 * load, bytes=1, latency=slow)
            reading = make_reading(point, reads=reads, writes=Direction())
            notes = [Cause(code="host_cpu", values={"share": 0.9})]
            results.append(make_result(point, reading=reading, state=state, notes=notes))
        stored = make_stored_run(profiles=("database",), intensities=(1, 2, 4, 8))
        return list(analyse(stored.model_copy(update={"results": tuple(results)})).curves)

    said = practice(Messages("en"), points("steady"))
    assert ["host" in text for text in said if "faster cores" in text] == [True]
    assert any("slowest I/O in a thousand" in text for text in said)
    assert practice(Messages("en"), points("disturbed")) == []
    pair = points("steady") * 2
    assert usual_limit(Messages("en"), pair) == "Every maximum has the same limit: host."
    assert usual_limit(Messages("en"), points("disturbed") * 2) == ""


def test_load_is_advised_only_where_every_curve_of_the_profile_saturates() -> None:
    saturating = analyse(make_stored_run(profiles=("database",), intensities=(1, 2, 4, 8, 16, 32, 64)))
    rising = analyse(make_stored_run(profiles=("database",), intensities=(1, 2)))
    (first,), (second,) = saturating.curves, rising.curves
    assert not second.saturation.enough
    assert enough_load(Messages("en"), [first, second]) == ""
    assert bool(enough_load(Messages("en"), [first])) is first.saturation.enough


def test_without_intervals_there_is_no_advice_on_configurations() -> None:
    items = [of_system(curve_of(rate, None), f"system {rate}") for rate in (1, 1000)]
    assert not any("choose" in text for text in practice(Messages("en"), items))


@pytest.mark.parametrize(
    ("rate", "half_width", "told"),
    [
        (110, 0.81, True),  # from 21 to 199: it may be twice as high
        (50, 0.4, False),  # to 70 at most
        (110, 0.01, False),  # the highest itself
        (110, None, False),  # named as the highest, without an interval
    ],
)
def test_what_may_be_higher_than_the_highest_is_named(
    rate: float, half_width: float | None, told: bool
) -> None:
    """A table had 1,100 MB/s ±81 %, and the conclusion called 1,000 MB/s the highest without a word of it."""
    items = [curve_of(100, 0.02, "streaming"), curve_of(rate, half_width, "restore")]
    (said,) = highest(Messages("en"), items)
    assert ("narrow enough interval: Restore." in said) is told
    assert ("100 MB/s" in said) is (told or rate < 100)
