"""One thing that the doctor looked at."""

from __future__ import annotations

from typing import Literal

from iodyno.profiles import Record
from iodyno.system import Fact, System

CheckState = Literal["good", "warning", "bad", "unknown"]

KERNEL_FIRST = (5, 11)
"""io_uring waits with a time limit of its own (EXT_ARG) from this kernel on."""
KERNEL_BEST = (6, 1)
"""Completions are handled by the worker that waits for them (DEFER_TASKRUN) from this kernel on."""
IDLE_LATENCY_US = 10
"""Waking from an idle state may take as long as a fast drive takes for a read: more than this shows."""
LOAD_PER_THREAD = 0.25
"""Load average per processor thread above which others compete for the processor."""
DEEPEST_LOAD = 512
"""The published methods go up to so many outstanding I/Os."""
FULL_SHARE = 0.9
"""Share of a file system in use above which new files are scattered and drives slow down."""
LOCKED_BYTES = 64 << 20
"""Memory that registered buffers take at 512 outstanding I/Os of 64 kB, twice over."""
OPEN_FILES = 1024
"""Open files that many workers on many targets need."""
SWAP_BYTES = 64 << 20
"""Swap in use that is let pass: pages that nobody misses."""
HOT_MARGIN_C = 5
"""How near to its limit a drive counts as warm before the measurement has begun."""


class Check(Record):
    """What was found, and what to do about it."""

    code: str
    """Stable name: ``governor``, ``link`` …"""
    state: CheckState
    """``bad`` spoils a measurement or forbids it; ``warning`` can disturb it."""
    what: str
    """What was found, in English."""
    hint: str = ""
    """What to do about it; empty where there is nothing to say."""
    subject: str = ""
    """Device or path that it is about; empty where it is about the machine."""


def good(code: str, what: str, subject: str = "") -> Check:
    """Make a check that found nothing against a measurement."""
    return Check(code=code, state="good", what=what, subject=subject)


def warning(code: str, what: str, hint: str = "", subject: str = "") -> Check:
    """Make a check that found what can disturb a measurement."""
    return Check(code=code, state="warning", what=what, hint=hint, subject=subject)


def bad(code: str, what: str, hint: str = "", subject: str = "") -> Check:
    """Make a check that found what spoils a measurement."""
    return Check(code=code, state="bad", what=what, hint=hint, subject=subject)


def unknown(code: str, what: str, hint: str = "", subject: str = "") -> Check:
    """Make a check that could not look."""
    return Check(code=code, state="unknown", what=what, hint=hint, subject=subject)


def why_missing(system: System, section: str, fact: str) -> str:
    """Say why a fact is missing."""
    found: Fact | None = system.get(section, fact)
    return found.missing if found else "not looked at"
