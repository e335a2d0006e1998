"""The schema of the store, step by step: numbered files of SQL, each applied once."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Migration:
    """A step from one version of the schema to the next."""

    version: int
    """The version that it leads to, from 1."""
    name: str
    sql: str

    def statements(self) -> Iterator[str]:
        """Yield the statements one by one: ``executescript`` would end the transaction."""
        text = ""
        for line in self.sql.splitlines(keepends=True):
            text += line
            if sqlite3.complete_statement(text):
                yield text
                text = ""
        assert not text.strip(), f"{self.name}: a statement without an end"


@cache
def shipped() -> tuple[Migration, ...]:
    """Read the migrations of this iodyno, in order: once a process, as they come with the program."""
    files = Path(__file__).parent.glob("*.sql")
    steps = [Migration(int(file.name[:4]), file.name, file.read_text("utf-8")) for file in files]
    return ordered(steps)


def ordered(steps: Sequence[Migration]) -> tuple[Migration, ...]:
    """Sort migrations; their versions are 1, 2, 3 … without a gap."""
    found = tuple(sorted(steps, key=lambda step: step.version))
    assert [step.version for step in found] == list(range(1, len(found) + 1)), "a gap in the migrations"
    return found
