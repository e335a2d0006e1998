"""Python's collector of cycles, paused where a great many records are made at once.

Records have no cycles. The collector would look through all of them again and again while more are made: that
takes as long as making them.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused() -> Iterator[None]:
    """Keep the collector from running; it is afterwards as it was before."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
