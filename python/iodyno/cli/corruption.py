"""What verified I/O found, as a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from iodyno.cli.wording import load_text
from iodyno.reading import Finding, Findings, PointResult

if TYPE_CHECKING:
    from rich.console import Console

SHOWN = 20
"""Findings that are shown of a point; `iodyno show --json` has more."""
_COLUMNS = (
    ("point", "right"), ("kind", "left"), ("offset", "right"), ("bytes", "right"), ("expected", "right"),
    ("found", "left"), ("seen by", "left"), ("read again", "left"), ("target", "left"),
)  # fmt: skip
_AGAIN = {True: "wrong again", False: "right", None: "–"}


def print_findings(out: Console, results: Iterable[PointResult]) -> None:
    """Print where data came back wrong: what was expected there, and what was found."""
    from iodyno.cli.console import table

    rows = [row for result in results for row in _rows(result)]
    out.print()
    out.print(table(list(_COLUMNS), rows, title="data that came back wrong"))
    hidden = sum(result.reading.corruptions for result in results) - len(rows)
    if hidden > 0:
        out.print(f"{hidden} more; --json has the first hundred of each point")


def _rows(result: PointResult) -> Iterator[tuple[str, ...]]:
    integrity = result.reading.integrity
    if integrity is None:
        return
    name = f"{result.point.index} ({load_text(result.point)})"
    parts: list[tuple[str, Findings]] = [("the load", integrity.load)]
    if integrity.final_pass:
        parts.append(("the pass after it", integrity.final_pass.findings))
    found = [(by, finding) for by, findings in parts for finding in findings.first]
    for by, finding in found[:SHOWN]:
        yield finding_row(name, by, finding, integrity.targets)


def finding_row(name: str, by: str, finding: Finding, targets: tuple[str, ...]) -> tuple[str, ...]:
    """Put a finding into words: numbers of writes, and where a block belongs."""
    return (
        name, finding.kind.replace("_", " "), f"{finding.offset_bytes:,}", f"{finding.bytes:,}",
        f"write {finding.expected_generation:,}", _found_text(finding, targets), by,
        _AGAIN[finding.lasting], targets[finding.target],
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
