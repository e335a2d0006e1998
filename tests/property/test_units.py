"""Sizes, shares and durations: what is printed reads back, and garbage never gets through."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iodyno.profiles import Area
from iodyno.units import format_size, parse_duration, parse_share, parse_size, short_size

FACTORS = {"": 0, "k": 10, "K": 10, "M": 20, "m": 20, "G": 30, "g": 30, "T": 40, "t": 40}


@given(st.integers(0, 1 << 62))
def test_a_printed_size_reads_back(size: int) -> None:
    assert parse_size(format_size(size)) == size


@given(st.integers(0, 1 << 62))
def test_a_shown_size_is_short_and_off_by_less_than_a_thousandth(size: int) -> None:
    text = short_size(size)
    assert len(text.split()[0].rstrip("kMGT")) <= 7
    number, _, unit = text.partition(" ")
    if not unit:
        assert parse_size(text) == size
    else:
        assert float(number) * (1 << FACTORS[unit[0]]) == pytest.approx(size, rel=1e-3)


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (64 << 10, "64k"),
        (2 << 30, "2G"),
        (512, "512"),
        (43945292 << 10, "41.91 GiB"),  # 43 945 292 / 1024² = 41.909
        (3433224 << 20, "3.274 TiB"),  # 3 433 224 / 1024² = 3.2742
        (12345, "12.06 KiB"),
    ],
)
def test_sizes_are_shown_as_one_says_them(size: int, text: str) -> None:
    assert short_size(size) == text


@given(st.integers(0, 1 << 20), st.sampled_from(sorted(FACTORS)), st.sampled_from(["", "B", "iB", "b"]))
def test_suffixes_are_powers_of_1024(number: int, suffix: str, byte: str) -> None:
    assert parse_size(f" {number} {suffix}{byte} ") == number << FACTORS[suffix]


@given(st.integers(0, 10**9))
def test_a_percentage_is_the_nearest_number_to_its_hundredth(millionths: int) -> None:
    text = f"{millionths // 10**7}.{millionths % 10**7:07}"
    assert parse_share(f"{text}%") == float(Fraction(text) / 100)


@given(st.floats(0, 1))
def test_a_share_as_a_number_is_itself(share: float) -> None:
    assert parse_share(share) == share


@given(
    st.integers(0, 10**6),
    st.sampled_from([("ms", Fraction(1, 1000)), ("s", Fraction(1)), ("m", Fraction(60))]),
)
def test_durations_are_seconds(number: int, unit: tuple[str, Fraction]) -> None:
    assert parse_duration(f"{number}{unit[0]}") == pytest.approx(float(number * unit[1]), rel=1e-12)


@given(st.text())
def test_garbage_is_a_value_error_or_a_size(text: str) -> None:
    for parse in (parse_size, parse_share, parse_duration):
        with suppress(ValueError):
            assert parse(text) >= 0


@given(st.floats(1.0001, 1e6) | st.floats(-1e6, -0.0001))
def test_shares_outside_the_range_are_refused(share: float) -> None:
    with pytest.raises(ValueError, match="outside 0 to 100"):
        parse_share(share)


@given(st.integers(1, 1 << 50), st.integers(1, 100), st.sampled_from([512, 4096, 16384]))
def test_an_area_stays_inside_and_on_the_grain(size: int, percent: int, grain: int) -> None:
    start, length = Area.model_validate(f"{percent}%").resolve(size, grain)
    assert start == 0
    assert length % grain == 0
    assert length <= size
    assert length > size * percent / 100 - grain - 1 - size * 2**-52
