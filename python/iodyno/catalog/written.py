"""Tables of a system of which a value may be unreadable: what needs it is left out, the rest is checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from iodyno.record import Record

T = TypeVar("T")
UNREAD = object()
"""What stands for a value that could not be read, where none of its own would do."""


class UnreadError(Exception):
    """A value was asked for that could not be read, and is reported as that."""


class Written(Record):
    """A table as somebody wrote it.

    One that was read although some of its values are wrong lacks those: asking for one raises
    :class:`UnreadError`. One that came through validation has them all.
    """

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name in type(self).model_fields:
                raise UnreadError(name)
            return super().__getattr__(name)


def read_or(table: Written, key: str, otherwise: T) -> Any | T:
    """Give a value of a table, or something else where it could not be read.

    Examples
    --------
    >>> class Named(Written):
    ...     name: str
    >>> read_or(Named(name="a"), "name", None), read_or(Named.model_construct(), "name", None)
    ('a', None)
    """
    try:
        return getattr(table, key)
    except UnreadError:
        return otherwise
