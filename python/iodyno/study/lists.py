"""Lists of a study: one value stands for a list of one, and no value is in a list twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError, ValidatorFunctionWrapHandler, WrapValidator
from pydantic_core import InitErrorDetails


def items_of(value: Any) -> list[Any]:
    """Let one value stand for a list of one, and refuse an empty list."""
    items = list(value) if isinstance(value, list | tuple) else [value]
    if not items:
        raise ValueError("the list is empty: give a value or leave the key out")
    return items


def listed(value: Any, validated: ValidatorFunctionWrapHandler) -> Any:
    """Read a list, and tell of values that it has twice beside all that is wrong with single ones."""
    items = items_of(value)
    try:
        made = validated(items)
    except ValidationError as error:
        told = repeated(items)
        raise _with(error, told, value) if told else error from None
    told = repeated(items, made)
    if told:
        raise ValueError(told)
    return made


def repeated(items: Sequence[Any], read: Sequence[Any] | None = None) -> str:
    """Say which values are in a list twice; empty where none is.

    Parameters
    ----------
    items
        The values as they are written.
    read
        What they were read to; ``4096`` and ``"4k"`` are the same.

    Examples
    --------
    >>> repeated([1, 8, 8, 1, 1])
    '1 is in the list 3 times; 8 is in the list twice'
    >>> repeated(["4k", 4096], [4096, 4096])
    "'4k' and 4096 in the list are the same"
    >>> repeated([1, True])
    ''
    """
    same: dict[tuple[bool, Any], list[Any]] = {}
    for item, value in zip(items, items if read is None else read, strict=True):
        same.setdefault((isinstance(value, bool), _key(value)), []).append(item)
    return "; ".join(_told(found) for found in same.values() if len(found) > 1)


def _key(value: Any) -> Any:
    return value if isinstance(value, int | float | str) else repr(value)


def _told(found: Sequence[Any]) -> str:
    names = list(dict.fromkeys("a table" if isinstance(item, Mapping) else repr(item) for item in found))
    if len(names) > 1:
        return f"{', '.join(names[:-1])} and {names[-1]} in the list are the same"
    times = "twice" if len(found) == 2 else f"{len(found)} times"
    return f"{names[0]} is in the list {times}"


def _with(error: ValidationError, told: str, value: Any) -> ValidationError:
    """Put one more line to what is wrong with a list."""
    lines = [
        InitErrorDetails(type=one["type"], loc=one["loc"], input=one["input"], ctx=one.get("ctx", {}))
        for one in error.errors(include_url=False)
    ]
    twice = InitErrorDetails(type="value_error", input=value, ctx={"error": ValueError(told)})
    return ValidationError.from_exception_data(error.title, [*lines, twice])


Listed = WrapValidator(listed)
"""A list, or one value that stands for a list of one."""
