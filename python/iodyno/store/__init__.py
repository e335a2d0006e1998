"""Runs and readings in SQLite: kept whole, each point committed when it is finished."""

from __future__ import annotations

from iodyno.store.database import default_path
from iodyno.store.references import new_run_id
from iodyno.store.store import Store
from iodyno.store.writing import ledger_path

__all__ = ["Store", "default_path", "ledger_path", "new_run_id"]
