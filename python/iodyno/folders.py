"""Where the user keeps what is iodyno's."""

from __future__ import annotations

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
