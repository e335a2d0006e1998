"""What a configuration is set against: names with the same words in other places."""

from __future__ import annotations

import re


def counterpart(name: str, of: str, to: str) -> str:
    """Give the name of what a configuration is set against; empty where its name does not fit.

    Parameters
    ----------
    name
        The configuration.
    of
        A name with ``*`` for any part of it.
    to
        The other name: its first ``*`` stands for what the first one of ``of`` does, and so on.

    Examples
    --------
    >>> counterpart("single-800g-full", "single-*-full", "single-*")
    'single-800g'
    >>> counterpart("raid0-of-4", "*-of-4", "single-800g")
    'single-800g'
    >>> counterpart("raid0-of-4", "*-of-2", "single-800g")
    ''
    """
    fitting = "(.*)".join(re.escape(part) for part in of.split("*"))
    found = re.fullmatch(fitting, name)
    if found is None:
        return ""
    words = list(found.groups())
    made, *rest = to.split("*")
    for part in rest:
        made += (words.pop(0) if words else "") + part
    return made
