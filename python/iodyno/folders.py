"""Where the user keeps what is iodyno's, whether it can be written, and writing it whole."""

from __future__ import annotations

import ctypes
import os
import tempfile
from pathlib import Path


def data_folder() -> Path | None:
    """Give iodyno's folder in the user's data: in ``$XDG_DATA_HOME``, or in ``~/.local/share``.

    Returns
    -------
    Path or None
        The folder, which need not be there; none for a user without a home.
    """
    folder = Path(os.environ.get("XDG_DATA_HOME", ""))
    if folder.is_absolute():
        return folder / "iodyno"
    try:
        return Path.home() / ".local" / "share" / "iodyno"
    except RuntimeError:
        return None


def refused_writing(path: Path) -> str:
    """Say why the system lets nobody write a file or into a folder; empty where it does.

    Examples
    --------
    >>> refused_writing(Path.cwd()), refused_writing(Path("/nowhere/at/all"))
    ('', 'No such file or directory')
    """
    access = ctypes.CDLL(None, use_errno=True).access  # ``os.access`` does not tell the reason.
    return os.strerror(ctypes.get_errno()) if access(os.fsencode(path), os.W_OK) else ""


def write_whole(file: Path, content: bytes) -> None:
    """Write a file whole or not at all: as a draft beside it, which is put in its place.

    What is there and no file, as a pipe is, is written to.

    Raises
    ------
    OSError
        If it cannot be written: what was there before is as it was.
    """
    if file.exists() and not file.is_file():
        file.write_bytes(content)
        return
    draft = tempfile.NamedTemporaryFile(  # noqa: SIM115 (closed before it is moved)
        dir=file.parent, prefix=f".{file.name}.", delete=False
    )
    path = Path(draft.name)
    try:
        with draft:
            draft.write(content)
        mask = os.umask(0)
        os.umask(mask)
        path.chmod(0o666 & ~mask)
        path.replace(file)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
