"""What disks of tests hold: bytes that no file system begins with.

Fresh random bytes carry a signature of two bytes once in some ten thousand disks, HFS+ or its like; a disk
that carries one is refused.
"""

from __future__ import annotations

import random


def no_file_system(size_bytes: int) -> bytes:
    """Give bytes that do not repeat, the same each time; ``blkid -p`` finds nothing in them."""
    return random.Random(1).randbytes(size_bytes)
