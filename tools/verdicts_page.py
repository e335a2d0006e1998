"""The page of the names in verdicts: as the terminal prints them, as JSON has them, and what they mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iodyno.cli.wording import cause_text
from iodyno.verdict.causes import CAPS, DISTURBANCES, NOTES, SIMULATED_CAUSES, UNSTEADINESS

_INTRODUCTION = """\
# The names in verdicts

`iodyno measure` and `iodyno show` print them behind the state of a point, `disturbed: other I/O, host busy`;
below its tables `show` says what they mean, with their figures. JSON and the store have the codes.
[Verdicts](../concepts/verdicts.md) says where the limits are, and what to do.
"""

_GROUPS = (
    ("Disturbed", "Each of these alone makes a point *disturbed*.", DISTURBANCES),
    ("Not steady", "Each of these makes a point that nothing disturbed *not steady*.", UNSTEADINESS),
    ("Capped", "This makes a point *capped* that is neither.", CAPS),
    ("Notes", "They stand behind any state, *steady* too, and limit what the figures mean.", NOTES),
    ("Of simulated points", "What is meant by names that say something else there.", SIMULATED_CAUSES),
)


def verdicts_page(note: str) -> str:
    """Write the page.

    Parameters
    ----------
    note
        The first line, which says where the page comes from.
    """
    parts = [note, _INTRODUCTION]
    for title, text, meanings in _GROUPS:
        parts += [f"## {title}\n", f"{text}\n", "| Name | Code | Meaning |\n|---|---|---|"]
        parts += [*_rows(meanings), ""]
    return "\n".join(parts)


def _rows(meanings: Mapping[str, str]) -> Iterator[str]:
    for code, meaning in meanings.items():
        yield f"| {cause_text(code)} | `{code}` | {meaning} |"
