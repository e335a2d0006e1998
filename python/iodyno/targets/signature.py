"""Whether a device carries a file system, a partition table or the label of an array."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import partial

_FOUND, _NOTHING, _SEVERAL = 0, 2, 8
"""Exit codes of ``blkid -p``."""


@dataclass(frozen=True)
class Signature:
    """What the first and last blocks of a device say.

    Parameters
    ----------
    found
        Names of what was found: ``ext4``, ``gpt``, ``zfs_member``; empty for nothing.
    failure
        Why it could not be told; empty where it could.
    hint
        What to do about the failure.
    """

    found: tuple[str, ...] = ()
    failure: str = ""
    hint: str = ""


def read_signature(path: str) -> Signature:
    """Ask ``blkid`` of util-linux, past its cache.

    Parameters
    ----------
    path
        A block device that may be read.
    """
    blkid = shutil.which("blkid", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if not blkid:
        return Signature(failure="blkid is not there", hint="install the package util-linux")
    run = partial(subprocess.run, capture_output=True, text=True, errors="replace", timeout=60, check=False)
    try:
        done = run([blkid, "-p", "-o", "export", path], env={**os.environ, "LC_ALL": "C"})
    except (OSError, subprocess.TimeoutExpired) as error:
        return Signature(failure=f"blkid failed: {error}")
    return parse_blkid(done.returncode, done.stdout, done.stderr)


def parse_blkid(code: int, output: str, errors: str) -> Signature:
    """Read what ``blkid -p -o export`` printed.

    Examples
    --------
    >>> parse_blkid(0, "DEVNAME=/dev/sdb\\nTYPE=ext4\\nUSAGE=filesystem\\n", "").found
    ('ext4',)
    >>> parse_blkid(0, "DEVNAME=/dev/sdb1\\nPART_ENTRY_SCHEME=gpt\\n", "").found
    ()
    """
    if code == _SEVERAL:
        return Signature(found=("several that contradict each other",))
    if code not in (_FOUND, _NOTHING) or (code == _NOTHING and errors.strip()):
        return Signature(failure=f"blkid failed: {errors.strip() or f'exit code {code}'}")
    pairs = dict(line.split("=", 1) for line in output.splitlines() if "=" in line)
    return Signature(found=tuple(pairs[key] for key in ("TYPE", "PTTYPE") if pairs.get(key)))
