"""Where the user keeps what is iodyno's, and whether it can be written."""

from __future__ import annotations

import ctypes
import os
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
