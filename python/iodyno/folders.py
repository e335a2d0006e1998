"""Where the user keeps what is iodyno's, reading what people have written, and writing files whole."""

from __future__ import annotations

import ctypes
import difflib
import errno
import io
import os
import tempfile
from pathlib import Path

NEAR = 0.8
"""How alike the names of files are, 0 to 1, from which on one may be meant by the other."""
MOST_BYTES = 16 << 20
"""Size up to which a file is read as one that people have written."""


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


def is_there(path: Path) -> bool:
    """Tell whether something is at a path; nothing is where the system does not let that be seen, as where
    the path is too long for a name."""
    return os.path.exists(path)  # noqa: PTH110 - a path raises what it does not know


def written_text(path: Path, encoding: str = "utf-8-sig") -> str:
    """Read what people have written: a device may have no end, and fill the memory.

    Raises
    ------
    OSError
        If it cannot be read, or is larger than :data:`MOST_BYTES`.
    UnicodeDecodeError
        If it is not in that encoding.
    """
    with path.open("rb") as file:
        found = file.read(MOST_BYTES + 1)
    if len(found) > MOST_BYTES:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return io.StringIO(found.decode(encoding), newline=None).getvalue()


def toml_meant(name: str) -> str:
    """Give the TOML file that a name or a path probably means: as it is but for its ending, or nearly so.

    Returns
    -------
    str
        Its path, from where the name leads; empty where there is none.
    """
    path = Path(name)
    wanted = path.name if path.suffix == ".toml" else f"{path.name}.toml"
    try:
        there = sorted(file.name for file in path.parent.iterdir() if file.suffix == ".toml")
    except (OSError, ValueError):
        return ""
    near = [wanted] if wanted in there else difflib.get_close_matches(wanted, there, n=1, cutoff=NEAR)
    return str(path.parent / near[0]) if near and path.name else ""


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
