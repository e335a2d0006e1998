"""Numbers of the paper: digits by precision, formats by language."""

from __future__ import annotations

import math
import re
from itertools import cycle

import pytest
from babel import Locale
from babel.numbers import parse_pattern
from hypothesis import given, settings
from hypothesis import strategies as st

from factories import make_result, make_stored_run
from iodyno.analysis.estimate import Estimate, Quotient
from iodyno.analysis.figures import point_figures
from iodyno.reading import PointResult
from iodyno.report import paper
from iodyno.report.document import Table
from iodyno.report.messages import plain
from iodyno.report.numbers import Numbers
from paper_texts import tables, texts


@pytest.mark.parametrize(
    ("value", "half_width", "written"),
    [
        (48123.4, 0.02, "48,100"),
        (48123.4, 0.002, "48,120"),
        (48123.4, 0.2, "48,000"),
        (48123.4, None, "48,000"),
        (0.08123, 0.02, "0.0812"),
        (9.996, 0.02, "10.0"),
        (99.96, 0.02, "100"),
        (0.0, 0.02, "0"),
    ],
)
def test_digits_follow_the_interval(value: float, half_width: float | None, written: str) -> None:
    assert Numbers("en").estimate(Estimate(value, half_width)) == written


def test_formats_are_those_of_the_language() -> None:
    assert Numbers("de").significant(12345.6, 3) == "12.300"
    assert Numbers("de").significant(0.123) == "0,123"
    assert Numbers("ja").significant(12345.6, 3) == "12,300"
    assert Numbers("de").percent(0.021) == "2,1\N{NO-BREAK SPACE}%"
    assert Numbers("en").percent(0.021) == "2.1%"


def test_percentages_have_a_decimal_below_ten() -> None:
    numbers = Numbers("en")
    assert [numbers.percent(share) for share in (0.0049, 0.0994, 0.0996, 0.5)] == [
        "0.5%",
        "9.9%",
        "10%",
        "50%",
    ]


def test_shares_of_percentiles_have_the_decimals_that_they_need() -> None:
    numbers = Numbers("en")
    assert [numbers.percentile(share) for share in (0.5, 0.99, 0.999, 0.99999)] == [
        "50%",
        "99%",
        "99.9%",
        "99.999%",
    ]


def test_chosen_numbers_are_written_as_chosen() -> None:
    numbers = Numbers("en")
    assert [numbers.shortest(value) for value in (2.0, 0.4, 2.65)] == ["2", "0.4", "2.65"]


def test_no_interval_is_a_dash() -> None:
    assert Numbers("en").half_width(Estimate(1.0)) == "–"
    assert Numbers("en").half_width(Estimate(1.0, 0.013)) == "±1.3%"


@pytest.mark.parametrize(
    ("found", "written"),
    [
        (Quotient(2.571, 2.548, 2.597), "2.57 (2.55–2.60)"),
        (Quotient(1.391, 1.3888, 1.3932), "1.391 (1.389–1.393)"),
        (Quotient(3.3271, 3.3268, 3.3274), "3.33 (<±0.1%)"),
        (Quotient(1.0004, 0.9995, 1.00049), "1.0004 (0.9995–1.0005)"),
        (Quotient(1.0, 0.9962, 1.0041), "1.000 (0.996–1.004)"),  # 0.9962–1.004 before
        (Quotient(9.98, 9.51, 10.42), "10.0 (9.5–10.4)"),
        (Quotient(0.4, 0.0123, 1.518), "0.400 (0.0123–1.52)"),  # no digit of the low end is lost
        (Quotient(2.0, 0.0, math.inf), "–"),
        (None, "–"),
    ],
)
def test_a_ratio_has_its_interval_however_narrow_that_is(found: Quotient | None, written: str) -> None:
    assert Numbers("en").quotient(found) == written


def by_babel(value: float, decimals: int, language: str) -> str:
    """Write a number as Babel does."""
    pattern = parse_pattern("#,##0." + "0" * decimals if decimals else "#,##0")
    return str(pattern.apply(value, Locale.parse(language)))


@settings(deadline=None)
@given(
    value=st.floats(-1e12, 1e12)
    | st.integers(-(10**15), 10**15)
    | st.sampled_from((0.5, 2.5, 0.125, -0.001)),
    decimals=st.integers(0, 8),
    language=st.sampled_from(("en", "de", "ja", "fr")),
)
def test_numbers_are_written_as_the_language_writes_them(value: float, decimals: int, language: str) -> None:
    assert Numbers(language).decimal(value, decimals) == by_babel(value or 0, decimals, language)


@pytest.mark.parametrize("half_width", [None, 0.12, 0.02, 0.0004])
@pytest.mark.parametrize(
    ("value", "written"), [(3.4149, "3.41"), (144.2, "144"), (0.27741, "0.277"), (999.4, "999")]
)
def test_a_figure_below_a_thousand_has_the_digits_of_percentiles(
    half_width: float | None, value: float, written: str
) -> None:
    """It stands beside them, and in sentences; alone it had two or four digits, and another value so."""
    assert Numbers("en").estimate(Estimate(value, half_width)) == written


def _digits(written: str) -> int:
    return len(written.rstrip("*†‡").replace(".", "").lstrip("0"))


def test_figures_of_a_column_of_the_paper_have_one_precision() -> None:
    """Every second point is known to 0.4 %, the others to 2 %: of both a third digit, and no fourth; in the
    sentences too."""
    stored = make_stored_run(profiles=("database", "streaming"), intensities=(1, 2, 4, 8), varied=False)
    widths = cycle((0.004, 0.02, 0.02, 0.004, 0.004))
    results = tuple(
        make_result(result.point, rate_io_s=100.0 * (1 + place) / 3, half_width=next(widths))
        for place, result in enumerate(stored.results)
    )
    document = paper.build(stored.model_copy(update={"results": results}))
    seen = set()
    for table in document.blocks:
        if not isinstance(table, Table) or not table.key.startswith(("table-load", "table-maxima")):
            continue
        for place, column in enumerate(table.columns):
            figures = [str(row[place].text) for row in table.rows]
            found = {_digits(one) for one in figures if "." in one and "%" not in one and "(" not in one}
            assert len(found) < 2, (table.key, column.title, figures)
            seen |= found
    assert 3 in seen
    text = "\n".join(texts(document.blocks))
    told = re.findall(r"\b([\d.]+)[*†‡]? IO/s", text)
    assert told
    assert all(_digits(one) == 3 for one in told if "." in one), told


@pytest.mark.parametrize(
    ("bare", "said"),
    [
        (0, "All 2 points lasted as long as allowed without reaching the precision asked for (*); their "
            "intervals say how precise they are."),
        (1, "their intervals say how precise they are. 1 of these has no interval."),
        (2, "All 2 points lasted as long as allowed and have no interval (*)."),
    ],
)  # fmt: skip
def test_no_interval_is_promised_of_points_without_one(bare: int, said: str) -> None:
    stored = make_stored_run(profiles=("database",), intensities=(1, 2), varied=False)
    results = tuple(
        make_result(result.point, half_width=None if place < bare else 0.05, state="capped")
        for place, result in enumerate(stored.results)
    )
    page = paper.build(stored.model_copy(update={"results": results})).title_page
    assert str(page.remark).endswith(said)


def test_a_latency_is_written_the_same_in_every_table() -> None:
    """0.12 ms of a rate known to 20 %, among others as well known, was 0.125 beside one known better."""

    def less_known(result: PointResult) -> PointResult:
        if result.point.profile.name != "database":
            return result
        precision = result.reading.precision.model_copy(update={"half_width": 0.2})
        reading = result.reading.model_copy(update={"precision": precision})
        return result.model_copy(update={"reading": reading})

    stored = make_stored_run(
        profiles=("database", "streaming"), intensities=(1, 64), varied=False, change=less_known
    )
    tables = [block for block in paper.build(stored).blocks if isinstance(block, Table)]
    for result in stored.results:
        latency_ms = point_figures(result).latency_ms_mean.value
        written = [
            str(plain(row[place].text))
            for table in tables
            for row in table.rows
            for place, column in enumerate(table.columns)
            if column.title in ("Mean latency", "Latency there", "Mean")
        ]
        near = [text for text in written if abs(float(text) / latency_ms - 1) < 0.05]
        assert len(near) >= 3
        assert set(near) == {f"{latency_ms:#.3g}"}


@pytest.mark.parametrize(
    ("highest", "hardly_known", "written"),
    [(18_010.0, 18_240.0, ("18,000", "18,000")), (18_120.0, 18_240.0, ("18,100", "18,000"))],
)
def test_a_value_that_is_higher_by_less_than_its_digits_tell_is_not_said_to_be(
    highest: float, hardly_known: float, written: tuple[str, str]
) -> None:
    """18,000 stood in the table as the maximum, and below it that 18,000 is higher."""
    stored = make_stored_run(profiles=("database",), intensities=(1, 2))
    rates, widths = {1: highest, 2: hardly_known}, {1: 0.02, 2: 0.83}
    results = tuple(
        make_result(result.point, rate_io_s=rates[load], half_width=widths[load])
        for result, load in zip(stored.results, rates, strict=True)
    )
    [table] = tables(paper.build(stored.model_copy(update={"results": results})), "table-load")
    assert tuple(row[1].text for row in table.rows) == written
    assert not any("is higher" in str(note) for note in table.notes)


def test_what_is_said_to_be_higher_is_not_said_to_be_level() -> None:
    """14,000 was the maximum, level with it 2, and 23,000 at 2 was higher: both stood below one table."""
    stored = make_stored_run(profiles=("database",), intensities=(1, 2, 4))
    how = {1: (14_000.0, 0.07), 2: (13_900.0, 0.07), 4: (23_000.0, 0.49)}
    results = tuple(
        make_result(
            result.point, rate_io_s=rate, half_width=width, state="disturbed" if rate > 20_000 else "steady"
        )
        for result, (rate, width) in zip(stored.results, how.values(), strict=True)
    )
    [table] = tables(paper.build(stored.model_copy(update={"results": results})), "table-load")
    notes = [str(note) for note in table.notes]
    assert "Bold: the maximum. Level with it: 2." in notes
    assert any("23,000 IO/s‡ at 4" in plain(note).replace("\u00a0", " ") for note in notes)


def test_the_profiles_of_a_draft_are_those_that_have_figures() -> None:
    """The introduction named three, and the table below it had five."""
    stored = make_stored_run(profiles=("file-copy", "database", "restore"), intensities=(1, 2))
    draft = stored.model_copy(update={"results": stored.results[:3]})
    [table] = tables(paper.build(draft), "table-profiles")
    assert [row[0].text for row in table.rows] == ["File copy", "Database"]
