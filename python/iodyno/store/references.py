"""How people name a run: by its id, the beginning of it, or by how late it was."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from datetime import datetime, timezone

from iodyno.errors import StoreError

LATEST = re.compile(r"latest(?:~(\d+))?")
_SHOWN = 8
_GIVEN: set[str] = set()
"""Ids that this process has given: of those of one second two can be drawn alike."""


def new_run_id(now: datetime) -> str:
    """Make the id of a run: its start in UTC, then four hexadecimal digits drawn by the system.

    Parameters
    ----------
    now
        The start, with its time zone.

    Examples
    --------
    >>> new_run_id(datetime(2026, 11, 21, 20, 15, 30, tzinfo=timezone.utc))[:-4]
    '20261121-201530-'
    """
    assert now.tzinfo is not None, "a moment without a time zone"
    return _drawn(f"{now.astimezone(timezone.utc):%Y%m%d-%H%M%S}")


def other_run_id(run_id: str) -> str:
    """Make another id of the same second, for a run whose own another process has drawn too.

    Examples
    --------
    >>> other_run_id("20261121-201530-4f2a")[:-4]
    '20261121-201530-'
    """
    return _drawn(run_id.rpartition("-")[0])


def _drawn(second: str) -> str:
    made = f"{second}-{secrets.token_hex(2)}"
    while made in _GIVEN:
        made = f"{second}-{secrets.token_hex(2)}"
    _GIVEN.add(made)
    return made


def resolve(reference: str, ids: Sequence[str]) -> str:
    """Find the run that is meant.

    Parameters
    ----------
    reference
        A whole id, a beginning that only one id has, ``latest``, or ``latest~1`` for the one before.
    ids
        The ids of all runs, latest first.

    Raises
    ------
    StoreError
        If no run is meant, or more than one.

    Examples
    --------
    >>> resolve("latest~1", ["20261122-080000-00aa", "20261121-201530-4f2a"])
    '20261121-201530-4f2a'
    """
    if not ids:
        raise StoreError.of(reference, "the store has no runs yet", "`iodyno measure` makes one")
    back = LATEST.fullmatch(reference)
    if back:
        return _back(reference, int(back[1] or 0), ids)
    if reference in ids:
        return reference
    candidates = [run_id for run_id in ids if reference and run_id.startswith(reference)]
    if not candidates:
        raise StoreError.of(reference, "there is no such run", "`iodyno runs` lists them")
    if len(candidates) > 1:
        raise StoreError.of(
            reference, f"{len(candidates)} runs begin so: {_listed(candidates)}", "write more of the id"
        )
    return candidates[0]


def _back(reference: str, steps: int, ids: Sequence[str]) -> str:
    if steps >= len(ids):
        runs = "1 run" if len(ids) == 1 else f"{len(ids)} runs"
        raise StoreError.of(reference, f"the store has only {runs}", "`iodyno runs` lists them")
    return ids[steps]


def _listed(candidates: Sequence[str]) -> str:
    rest = len(candidates) - _SHOWN
    return ", ".join(candidates[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")
