"""Runs for other programs: JSON with everything, tidy tables as CSV or Parquet."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from iodyno.errors import StoreError, refuse_types
from iodyno.export.formats import FORMATS, Format
from iodyno.export.redact import without_serials
from iodyno.export.tables import TABLES, What
from iodyno.problems import did_you_mean
from iodyno.store.records import A_RUN, StoredRun

__all__ = ["FORMATS", "TABLES", "Format", "What", "export_run", "without_serials"]


def export_run(
    stored: StoredRun,
    format: Format,
    out: BinaryIO | str | Path,
    *,
    what: What = "points",
    serials: bool = True,
) -> None:
    """Write a run for another program.

    Parameters
    ----------
    stored
        The run with its results.
    format
        ``json``: the whole run, what :class:`~iodyno.export.formats.ExportedRun` reads back;
        ``csv`` or ``parquet``: one table; ``fio-json``: what fio writes with
        ``--output-format=json+``.
    out
        Where to write: an open binary file, or a path that is made or replaced.
    what
        Which table: one row a point, one row a window, or one row a histogram bucket.
    serials
        Whether serial numbers stay in.

    Raises
    ------
    StoreError
        If there is no such format or table, JSON is asked for a single table, pyarrow is missing, or the
        path cannot be written.
    """
    refuse_types(
        stored=(stored, A_RUN, (StoredRun,)),
        format=(format, "the name of a format", (str,)),
        out=(out, "a path or an open binary file", (object,) if hasattr(out, "write") else (str, Path)),
        what=(what, "the name of a table", (str,)),
    )
    if format not in FORMATS:
        hint = did_you_mean(str(format), list(FORMATS), "formats")
        raise StoreError.of("format", f'there is no format "{format}"', hint)
    kept = stored if serials else without_serials(stored)
    content = FORMATS[format](kept, what)
    if not isinstance(out, str | Path):
        out.write(content)
        return
    try:
        Path(out).write_bytes(content)
    except OSError as error:
        hint = "look at the folder and its permissions, or give another file"
        raise StoreError.of(str(out), f"the export cannot be written: {error.strerror}", hint) from error
