"""Numbers beyond what a system or a float can hold are refused in the user's words, not with a trace."""

from __future__ import annotations

import pytest

from iodyno.errors import ProfileError
from iodyno.study import parse_study
from iodyno.units import parse_share, parse_size

HUGE = 10**400
ABOVE = "is above 8 EiB, the largest size that can be addressed"
STUDY = """
schema = 1
name = "huge"
title = "Huge"
[[sweep]]
name = "one"
profiles = ["database"]
{sweep}
[file]
size = {size}
"""


@pytest.mark.parametrize("size", [HUGE, 1 << 63, str(1 << 63), "8388608T", "9" * 5000])
def test_a_size_that_no_system_addresses_is_refused(size: int | str) -> None:
    """A file of a system has at most 2^63 - 1 bytes."""
    with pytest.raises(ValueError, match=r"^is above 8 EiB|^is no size: it has too many digits$"):
        parse_size(size)
    assert parse_size((1 << 63) - 1) == parse_size(str((1 << 63) - 1)) == (1 << 63) - 1


@pytest.mark.parametrize("share", [HUGE, -HUGE])
def test_a_share_that_is_no_float_is_outside(share: int) -> None:
    with pytest.raises(ValueError, match=r"is outside 0 to 100%$"):
        parse_share(share)


def test_a_study_of_sizes_beyond_all_is_refused_with_each_place() -> None:
    text = STUDY.format(size=HUGE, sweep=f"area = {HUGE}")
    with pytest.raises(ProfileError) as refused:
        parse_study(text)
    places = {problem.where.split(": ")[-1]: problem.what for problem in refused.value.problems}
    assert places == dict.fromkeys(("sweep[0].area", "file.size"), ABOVE)
