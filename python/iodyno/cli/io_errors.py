"""I/Os that failed or came back short, as a table: what of, by which name, how often, and where first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from iodyno.reading import PointResult, Reading, Split
from iodyno.report.plain import load_text, shown_text

if TYPE_CHECKING:
    from rich.console import Console

_COLUMNS = (
    ("at", "left"), ("of", "left"), ("error", "left"), ("count", "right"), ("first offset", "right"),
    ("target", "left"),
)  # fmt: skip


def print_errors(out: Console, results: Sequence[PointResult]) -> None:
    """Print the I/O errors of a run, by point; nothing where there are none."""
    from iodyno.cli.console import table

    rows = [row for result in results for load in result.loads for row in _rows(load)]
    if rows:
        out.print()
        out.print(table(list(_COLUMNS), rows, title="I/Os that failed or came back short"))


def _rows(result: PointResult) -> Iterator[tuple[str, ...]]:
    """Yield a row for each kind of error of a load; where there are several targets, of each target."""
    point, reading = result.point, result.reading
    at = f"point {point.index}, {shown_text(point.profile)}, {load_text(point)}"
    for path, part in _parts(result):
        for name in ("reads", "writes", "trims", "syncs"):
            direction = getattr(part, name)
            for error in direction.errors if direction else ():
                told = name != "syncs" and reading.engine.name != "fio"
                first = f"{error.first_offset_bytes:,}" if told else "–"
                yield at, name, error.name, f"{error.count:,}", first, path


def _parts(result: PointResult) -> Iterator[tuple[str, Reading | Split]]:
    """Yield each target with what it did: the only one has the reading itself."""
    paths = [target.path for target in result.point.targets]
    splits = [part.split for part in result.reading.per_target]
    if len(paths) == len(splits) and all(splits):
        yield from ((path, split) for path, split in zip(paths, splits, strict=True) if split)
    else:
        yield ", ".join(paths), result.reading
