"""Looks at a store's place without SQLite: opening a file with it can already change it."""

from __future__ import annotations

from pathlib import Path

from iodyno.errors import StoreError
from iodyno.folders import refused_writing

APPLICATION_ID = 0x494F4459
"""The bytes ``IODY``: how a store is told from any other SQLite database."""

_MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100
_USER_VERSION_AT = 60
_APPLICATION_ID_AT = 68


def find_store(path: Path, newest: int) -> bool:
    """Tell whether a store is there, and refuse what is there and is no store.

    Parameters
    ----------
    path
        The file.
    newest
        Highest version of the schema that this iodyno knows.

    Raises
    ------
    StoreError
        If there is something else, or a store of a newer version.
    """
    try:
        if not path.exists():
            return False
        _check_kind(path)
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
    except OSError as error:
        what = f"the store cannot be read: {error.strerror}"
        raise StoreError.of(str(path), what, "look at its permissions, or give another file") from error
    if header:
        _check_header(path, header, newest)
    return bool(header)


def check_version(path: Path, version: int, newest: int) -> None:
    """Refuse a store of a newer version of the schema."""
    if version > newest:
        raise StoreError.of(
            str(path),
            f"the store has schema version {version}, this iodyno knows up to {newest}",
            "use the newer iodyno that wrote it, or give another store",
        )


def prepare_folder(path: Path, *, make: bool) -> None:
    """See that the folder for a new store is there and can be written; make it where told to."""
    folder = path.parent
    if make:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            what = f"the folder for the store cannot be made: {error.strerror}"
            raise StoreError.of(str(folder), what, "set IODYNO_STORE to a file") from error
    if not folder.is_dir():
        raise StoreError.of(str(path), f"the folder {folder} is missing", "make it, or give another file")
    if why := refused_writing(folder):
        raise StoreError.of(str(path), f"the folder {folder} cannot be written: {why}", "give another file")


def _check_kind(path: Path) -> None:
    if path.is_dir():
        raise StoreError.of(str(path), "the store is a folder", f"give a file in it: {path / 'runs.db'}")
    if not path.is_file():
        raise StoreError.of(str(path), "the store is no regular file", "give another file")


def _check_header(path: Path, header: bytes, newest: int) -> None:
    if len(header) < _HEADER_BYTES or not header.startswith(_MAGIC):
        raise StoreError.of(str(path), "this is no SQLite database, so no store", "give another file")
    if _number(header, _APPLICATION_ID_AT) != APPLICATION_ID:
        what = "this is a SQLite database of another program, not a store of iodyno"
        raise StoreError.of(str(path), what, "give another file")
    check_version(path, _number(header, _USER_VERSION_AT), newest)


def _number(header: bytes, at: int) -> int:
    return int.from_bytes(header[at : at + 4], "big")
