"""What others measured: the form of the file, that its loads arrive in the plan, and what is told of it."""

from __future__ import annotations

import pytest

from iodyno.errors import CatalogError
from iodyno.fitting.answers import Range
from iodyno.fitting.curves import Curve, Outcome, Series
from iodyno.fitting.lab import loads_of
from iodyno.fitting.published import TITLES, figures
from iodyno.plan import Point
from iodyno.units import GIB, KIB, MIB
from iodyno.validation.comparing import compare
from iodyno.validation.others import BEYOND, Others, Told, others, parse, planned, told
from iodyno.validation.others_page import row, section, summary

SYSTEM = """\
[[system]]
name = "one"
host = { processor = "epyc-9354", software = "linux-nvme" }
drives = [{ drive = "intel-p3700-800" }]
"""
SOURCE = """\
[[source]]
id = "somebody"
publisher = "Somebody"
title = "A log"
url = "https://example.org/log"
"""
FIGURE = """\
[[figure]]
id = "somebody-1"
source = "somebody"
drive = "P3700"
system = "one"
random_share = 1
read_share = 0.7
block = "8k"
area = "24G"
workers = 8
outstanding = 4
write_through = true
value = "100-120"
unit = "IO/s"
unknown = "Host."
"""
FILE = f"schema = 1\n{SOURCE}{SYSTEM}{FIGURE}"


def _of_a_thousand(series: Series) -> Curve:
    return {load: Outcome(1000.0, 100.0, 0.1) for load in loads_of(series)}


def _point(rows: Others) -> Point:
    (point,) = planned(rows, rows.figure).points
    return point


def test_the_load_of_a_row_is_the_load_of_its_point() -> None:
    point = _point(parse(FILE))
    assert (point.workers, point.outstanding, point.write_through) == (8, 4, True)
    assert (point.profile.random_share, point.profile.read_share) == (1, 0.7)
    assert [block.bytes for block in point.profile.blocks] == [8 * KIB]
    assert point.profile.area.length == 24 * GIB


@pytest.mark.parametrize(
    ("old", "new", "told_of"),
    [
        ('unit = "IO/s"', 'unit = "IOPS"', "unit"),
        ('unit = "IO/s"', 'unit = "IO/s"\nunits = 1', "units"),
        ('value = "100-120"', 'value = "about 100"', "value"),
        ('source = "somebody"', 'source = "nobody"', "nobody"),
        ('system = "one"', 'system = "two"', "two"),
        ("https://example.org", "example.org", "url"),
        ('unknown = "Host."\n', "", "unknown"),
        ("schema = 1", "schema = 2", "schema"),
        (FIGURE, FIGURE + FIGURE, "somebody-1"),
        (SOURCE, SOURCE + SOURCE.replace('"somebody"', '"unused"'), "unused"),
    ],
)
def test_what_is_wrong_in_the_file_is_told(old: str, new: str, told_of: str) -> None:
    assert old in FILE
    with pytest.raises(CatalogError, match=told_of):
        parse(FILE.replace(old, new))


def test_only_the_rows_asked_for_are_simulated() -> None:
    rows = parse(FILE.replace(FIGURE, FIGURE + FIGURE.replace("somebody-1", "somebody-2")))
    assert [one.figure.id for one in told(rows, ["somebody-2"])] == ["somebody-2"]


@pytest.mark.parametrize(("unit", "size"), [("KB/s", KIB), ("MB/s", MIB), ("MB/s(10^6)", 1_000_000)])
def test_throughputs_are_in_the_unit_of_the_source(unit: str, size: int) -> None:
    rates = told(parse(FILE))[0].simulated
    bytes_s = told(parse(FILE.replace('unit = "IO/s"', f'unit = "{unit}"')))[0].simulated
    assert bytes_s * size == pytest.approx(rates * 8 * KIB)


def test_what_an_io_takes_is_in_microseconds() -> None:
    """By Little's law: outstanding I/Os ÷ rate."""
    one = parse(FILE.replace('unit = "IO/s"', 'unit = "us"'))
    rate, takes = told(parse(FILE))[0].simulated, told(one)[0].simulated
    assert takes == pytest.approx(1e6 * one.figure[0].workers * one.figure[0].outstanding / rate, rel=0.01)


def test_a_range_has_no_error_within_and_its_nearer_end_beyond() -> None:
    figure = parse(FILE).figure[0]
    assert figure.published == Range(100, 120)
    assert [Told(figure, value).error for value in (90, 110, 132)] == pytest.approx([-0.1, 0, 0.1])


def _three(errors: tuple[float, ...], **changed: object) -> list[Told]:
    figure = parse(FILE.replace("100-120", "100")).figure[0].model_copy(update=changed)
    return [Told(figure, 100 * (1 + error)) for error in errors]


def test_the_sums_are_of_absolute_errors_and_apart_for_durable_writes_and_datasheets() -> None:
    found = [
        *_three((0.02, -0.30, 0.07), write_through=False),
        *_three((1.0,)),
        *_three((-0.5,), write_through=False, kind="datasheet"),
    ]
    lines = list(summary(found))[2:]
    assert [line.split(" | ")[1:5] for line in lines] == [
        ["3", "2", "7.0 %", "13.0 %"],
        ["1", "0", "100.0 %", "100.0 %"],
        ["1", "0", "50.0 %", "50.0 %"],
    ]
    assert "30.0 % (somebody-1)" in lines[0]


def test_a_row_says_load_figure_and_error() -> None:
    (one,) = _three((0.5,))
    assert row(one) == (
        "| somebody-1 | P3700 | random 70% reads of 8 kB on 24 GB, durable, 8 × 4 outstanding"
        " | 100 IO/s | 150.0 | +50.0 % |"
    )


def test_every_large_error_is_explained_and_every_source_is_named() -> None:
    found = told(others())
    assert [one.figure.id for one in found if abs(one.error) > BEYOND and not one.figure.why] == []
    text = "\n".join(section(others(), found, compare(figures(), _of_a_thousand)))
    assert all(source.url in text for source in others().source)
    assert all(figure.unknown in text for figure in others().figure)
    assert "TO BE" not in text


def test_no_row_is_a_figure_of_the_papers() -> None:
    """They are fitted, or kept to check predictions with: what others measured is neither."""
    assert not {one.id for one in others().figure} & set(figures())
    publishers = {title.partition(",")[0].split()[0].lower() for title in TITLES.values()}
    for source in others().source:
        assert not publishers & set(f"{source.publisher} {source.title} {source.url}".lower().split())
        assert not any(word in source.url for word in ("fujitsu", "lenovo"))
