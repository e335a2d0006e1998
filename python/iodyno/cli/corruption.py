"""What verified I/O found, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from iodyno.reading import Finding, Findings, Integrity, PointResult

if TYPE_CHECKING:
    from rich.console import Console

NOTHING = "nothing compared: of no block it is known what was written there last"
SHOWN = 20
"""Findings that are shown of a point."""
_COLUMNS = (
    ("kind", "left"), ("offset", "right"), ("bytes", "right"), ("expected", "right"), ("found", "left"),
    ("seen by", "left"), ("read again", "left"), ("target", "left"),
)  # fmt: skip
_AGAIN = {True: "wrong again", False: "right", None: "–"}


def print_findings(out: Console, results: Sequence[PointResult]) -> None:
    """Print where data came back wrong in a run, by point."""
    from iodyno.report.plain import load_text, shown_text

    for result in results:
        if result.reading.integrity and result.reading.corruptions:
            point = result.point
            of = f"point {point.index}, {shown_text(point.profile)}, {load_text(point)}"
            print_integrity(out, result.reading.integrity, f"data that came back wrong: {of}")


def verified_text(results: Sequence[PointResult]) -> str:
    """Say how much data was compared over a run, and what came of it; empty where nothing was verified."""
    from iodyno.units import short_size

    found = [result.reading.integrity.all for result in results if result.reading.integrity]
    if not found:
        return ""
    both = Findings.merged(found)
    wrong = (
        f"wrong at {both.total:,} place{'s' if both.total > 1 else ''}"
        if both.total
        else "all as it was written"
    )
    compared = f"{short_size(both.checked_bytes)} compared, {wrong}"
    if not (both.checked_bytes or both.total):
        compared = NOTHING
    trimmed = f"; {short_size(both.trimmed_bytes)} not compared, it was trimmed" if both.trimmed_bytes else ""
    return f"{compared}{trimmed}"


def is_nothing_compared(results: Sequence[PointResult]) -> bool:
    """Tell whether data was to be verified, and none of it was known: of what only was read, say."""
    found = [result.reading.integrity.all for result in results if result.reading.integrity]
    return bool(found) and not any(one.checked_bytes or one.total for one in found)


def print_integrity(out: Console, integrity: Integrity, title: str = "data that came back wrong") -> None:
    """Print where data came back wrong: what was expected there, and what was found."""
    from iodyno.cli.console import table

    rows = list(_rows(integrity))
    out.print()
    out.print(table(list(_COLUMNS), rows[:SHOWN], title=title))
    hidden = integrity.all.total - min(len(rows), SHOWN)
    if hidden:
        out.print(f"{hidden} more; --json has the first hundred")


def _rows(integrity: Integrity) -> Iterator[tuple[str, ...]]:
    parts: list[tuple[str, Findings]] = [("the load", integrity.load)]
    if integrity.final_pass:
        parts.append(("the pass", integrity.final_pass.findings))
    for by, findings in parts:
        for finding in findings.first:
            what = "trim" if finding.trimmed else "write"
            yield (
                finding.kind.replace("_", " "), f"{finding.offset_bytes:,}", f"{finding.bytes:,}",
                f"{what} {finding.expected_generation:,}", _found_text(finding, integrity.targets), by,
                _AGAIN[finding.lasting], integrity.targets[finding.target],
            )  # fmt: skip


def _found_text(finding: Finding, targets: tuple[str, ...]) -> str:
    found = finding.found
    if found is None:
        return "–"
    write = f"write {found.generation:,}"
    if not found.this_run:
        return f"{write} of another run"
    if finding.kind != "misdirected":
        return write
    elsewhere = f" of {targets[found.target]}" if found.target != finding.target else ""
    return f"{write}, for {found.offset_bytes:,}{elsewhere}"
