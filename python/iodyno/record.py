"""What every record of iodyno is: a value that never changes; and numbers as people write them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from iodyno.units import parse_duration, parse_share


class Record(BaseModel):
    """A value that never changes and knows no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")


def _not_a_flag(value: Any) -> Any:
    """Refuse true and false where a number belongs."""
    if isinstance(value, bool):
        raise ValueError(f"{str(value).lower()} is no number")
    return value


def _flag(value: Any) -> Any:
    """Take true and false, also as text that stands in for a name; no other word and no number."""
    if isinstance(value, bool) or value in ("true", "false"):
        return value in (True, "true")
    shown = f'"{value}"' if isinstance(value, str) else str(value)
    raise ValueError(f"{shown} is neither true nor false")


def _seconds(value: Any) -> Any:
    return parse_duration(value) if isinstance(value, str) else value


Number = BeforeValidator(_not_a_flag)
"""A number and no true or false."""
Flag = Annotated[bool, BeforeValidator(_flag)]
"""True or false."""
Seconds = BeforeValidator(_seconds)
"""Seconds, or a duration as text: ``90`` or ``"1m30s"``."""
Share = Annotated[float, BeforeValidator(parse_share), Field(ge=0, le=1)]
