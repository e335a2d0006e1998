"""What every record of iodyno is: a value that never changes; and numbers as people write them."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from iodyno.errors import HintedValueError
from iodyno.units import parse_duration, parse_share


class Record(BaseModel):
    """A value that never changes and knows no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")


def number(value: Any) -> Any:
    """Refuse true, false and a text where a number belongs; a text that is no number either is told later."""
    if isinstance(value, bool):
        raise ValueError(f"{str(value).lower()} is no number")
    if isinstance(value, str) and _is_number(value):
        hint = f"write {value.strip()} without quotes" if math.isfinite(float(value)) else ""
        raise HintedValueError(f'"{value}" is a text, no number', hint)
    return value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _flag(value: Any) -> Any:
    """Take true and false; no text and no number."""
    if isinstance(value, bool):
        return value
    shown = f'"{value}"' if isinstance(value, str) else str(value)
    hint = f"write {value} without quotes" if value in ("true", "false") else ""
    raise HintedValueError(f"{shown} is neither true nor false", hint)


def seconds(value: Any, unit: str = "s") -> Any:
    """Take a duration with its unit as seconds; without one a text is no number, and a number would be of
    ``unit``."""
    if isinstance(value, str) and _is_number(value):
        bare = value.strip()
        raise HintedValueError(f'"{value}" has no unit', f'write "{bare}{unit}", or {bare} without quotes')
    return parse_duration(value) if isinstance(value, str) else value


Number = BeforeValidator(number)
"""A number and no text, true or false."""
Flag = Annotated[bool, BeforeValidator(_flag)]
"""True or false."""
Seconds = BeforeValidator(lambda value: number(seconds(value)))
"""Seconds, or a duration as text: ``90`` or ``"1.5m"``."""
Share = Annotated[float, BeforeValidator(parse_share), Field(ge=0, le=1)]
