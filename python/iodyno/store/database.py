"""Opens the database of a store: looks before it touches, then brings the schema up to date."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from iodyno.errors import StoreError
from iodyno.folders import data_folder
from iodyno.store.look import APPLICATION_ID, check_version, find_store, prepare_folder
from iodyno.store.migrations import Migration, shipped
from iodyno.store.problems import explained, full

PATIENCE_S = 5.0
"""Seconds to wait for another process that has the store locked."""


@dataclass(frozen=True)
class Database:
    """An open database of a store."""

    path: Path
    connection: sqlite3.Connection
    writable: bool


def default_path() -> Path:
    """Give the place of the store: ``$IODYNO_STORE``, or in the user's data folder.

    The data folder is ``$XDG_DATA_HOME``, or ``~/.local/share`` where that is not set.
    """
    chosen = os.environ.get("IODYNO_STORE")
    if chosen:
        return Path(chosen)
    folder = data_folder()
    if folder is None:
        raise StoreError.of("", "this user has no home folder to keep runs in", "set IODYNO_STORE to a file")
    return folder / "runs.db"


def open_database(
    path: Path | None,
    *,
    create: bool,
    patience_s: float = PATIENCE_S,
    migrations: Sequence[Migration] | None = None,
) -> Database:
    """Open a store's database, make it where it is missing, and migrate it.

    Parameters
    ----------
    path
        The file; :func:`default_path` where none is given. Only for the user's data folder
        is a missing folder made.
    create
        Whether to make the database where there is none.
    patience_s
        Seconds to wait for a lock.
    migrations
        The steps of the schema; those of this iodyno where none are given.

    Raises
    ------
    StoreError
        If it is missing, no store, damaged, of a newer version, locked or not permitted.
    """
    steps = shipped() if migrations is None else tuple(migrations)
    asked = path is not None or bool(os.environ.get("IODYNO_STORE"))
    place = (path or default_path()).absolute()
    found = find_store(place, newest=len(steps))
    if not found and not create:
        hint = "`iodyno measure --quick .` makes one; --store or IODYNO_STORE names another"
        raise StoreError.of(str(place), "there is no store here", hint)
    if not found:
        prepare_folder(place, make=not asked)
    writable = not found or _can_write(place)
    with explained(place):
        connection = _connect(place, writable=writable, patience_s=patience_s)
        try:
            _bring_up_to_date(connection, place, steps, writable=writable)
        except BaseException:
            connection.close()
            raise
    return Database(place, connection, writable)


def _can_write(path: Path) -> bool:
    """Tell whether the file and its folder, where the log goes, can be written."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _connect(path: Path, *, writable: bool, patience_s: float) -> sqlite3.Connection:
    if not writable:
        return _connect_read_only(path, patience_s)
    try:
        return _connect_writable(path, patience_s)
    except sqlite3.OperationalError:
        if not full(path):
            raise
    return _connect_writable(path, patience_s, "PRAGMA locking_mode = EXCLUSIVE")


def _connect_writable(path: Path, patience_s: float, *first: str) -> sqlite3.Connection:
    """Connect for writing.

    On a full disk the index of the log finds no room beside the store: SQLite keeps it in memory
    where ``first`` takes the store for this process alone. What was removed is not overwritten,
    as ``VACUUM`` leaves nothing of it: so removing takes little room.
    """
    uri = f"{path.as_uri()}?mode=rwc"
    connection = sqlite3.connect(uri, uri=True, timeout=patience_s, isolation_level=None)
    settings = ("synchronous = FULL", "foreign_keys = ON", "secure_delete = OFF")
    try:
        for statement in (*first, *(f"PRAGMA {setting}" for setting in settings)):
            connection.execute(statement)
        connection.execute("SELECT count(*) FROM sqlite_master")
    except BaseException:
        connection.close()
        raise
    return connection


def _connect_read_only(path: Path, patience_s: float) -> sqlite3.Connection:
    """Connect for reading; as unchanging where not even the log's index can be made beside it."""
    for mode in ("mode=ro", "mode=ro&immutable=1"):
        uri = f"{path.as_uri()}?{mode}"
        connection = sqlite3.connect(uri, uri=True, timeout=patience_s, isolation_level=None)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master")
        except sqlite3.OperationalError as error:
            connection.close()
            if "locked" in str(error) or "immutable" in mode:
                raise
            _refuse_log(path)
        else:
            return connection
    raise AssertionError("no way to connect was tried")


def _refuse_log(path: Path) -> None:
    """Refuse a store whose log cannot be read: without it the last points would seem not to be there."""
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size:
        what = "the store has a log that can be read only where it can be written"
        raise StoreError.of(str(path), what, f"copy it and {log.name} to another folder, and open the copy")


def _bring_up_to_date(
    connection: sqlite3.Connection, path: Path, steps: Sequence[Migration], *, writable: bool
) -> None:
    version = _version(connection)
    check_version(path, version, len(steps))
    if version < len(steps):
        if not writable:
            raise StoreError.of(
                str(path),
                f"the store has the old schema version {version} and is read-only",
                "copy it to where it can be written, and open the copy",
            )
        _migrate(connection, path, steps)
    if writable:
        connection.execute("PRAGMA journal_mode = WAL")


def _migrate(connection: sqlite3.Connection, path: Path, steps: Sequence[Migration]) -> None:
    """Apply the steps that are missing, all or none."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _version(connection)  # Another process can have been here while this one waited.
        check_version(path, version, len(steps))
        for step in steps[version:]:
            for statement in step.statements():
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(steps)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)
