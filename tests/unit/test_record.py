"""What every record is, and what a number, a flag and a duration may be written as."""

from __future__ import annotations

import math
from typing import Annotated, Any

import pytest
from pydantic import ValidationError

from iodyno.record import Flag, Number, Record, Seconds


class One(Record):
    number: Annotated[float, Number] = 0.0
    flag: Flag = False
    duration: Annotated[float, Seconds] = 0.0


def told(**given: Any) -> tuple[str, str]:
    """Give what is wrong with a value, and the hint."""
    with pytest.raises(ValidationError) as caught:
        One(**given)
    (problem,) = caught.value.errors()
    error = problem.get("ctx", {}).get("error")
    return problem["msg"].removeprefix("Value error, "), getattr(error, "hint", "")


def test_a_record_never_changes_and_knows_no_other_keys() -> None:
    one = One()
    with pytest.raises(ValidationError, match="frozen"):
        one.number = 2.0  # type: ignore[misc]
    with pytest.raises(ValidationError, match="Extra inputs"):
        One.model_validate({"numbre": 1.0})


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_what_json_has_no_number_for_is_read_back(number: float) -> None:
    """Null is what is not known."""
    back = One.model_validate_json(One.model_construct(number=number).model_dump_json())
    assert repr(back.number) == repr(number)


@pytest.mark.parametrize(
    ("value", "what", "hint"),
    [
        (True, "true is no number", ""),
        (False, "false is no number", ""),
        ("4", '"4" is a text, no number', "write 4 without quotes"),
        (" 4e3 ", '" 4e3 " is a text, no number', "write 4e3 without quotes"),
        ("inf", '"inf" is a text, no number', ""),
    ],
)
def test_what_is_no_number_is_told_as_it_was_written(value: object, what: str, hint: str) -> None:
    assert told(number=value) == (what, hint)


def test_a_text_that_is_no_number_either_is_none() -> None:
    what, _ = told(number="four")
    assert "valid number" in what
    assert "float" not in what


@pytest.mark.parametrize(
    ("value", "what", "hint"),
    [
        ("true", '"true" is neither true nor false', "write true without quotes"),
        ("false", '"false" is neither true nor false', "write false without quotes"),
        ("yes", '"yes" is neither true nor false', ""),
        (1, "1 is neither true nor false", ""),
        (0, "0 is neither true nor false", ""),
    ],
)
def test_what_is_no_flag_is_told_as_it_was_written(value: object, what: str, hint: str) -> None:
    assert told(flag=value) == (what, hint)
    assert [One(flag=one).flag for one in (True, False)] == [True, False]


def test_a_duration_is_seconds_or_a_text_with_a_unit() -> None:
    given: list[Any] = [90, 1.5, "90s", "1.5m", "200ms"]
    assert [One(duration=one).duration for one in given] == [90, 1.5, 90, 90, 0.2]
    assert told(duration=" 90 ") == ('" 90 " has no unit', 'write "90s", or 90 without quotes')
    assert told(duration=True) == ("true is no number", "")
