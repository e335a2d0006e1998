"""Runs exported, and tables of them read."""

from __future__ import annotations

import csv
import io

from iodyno.export import Format, What, export_run
from iodyno.store.records import StoredRun


def exported(stored: StoredRun, format: Format, what: What = "points", *, serials: bool = True) -> bytes:
    out = io.BytesIO()
    export_run(stored, format, out, what=what, serials=serials)
    return out.getvalue()


def read_csv(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode())))
