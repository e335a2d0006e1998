"""The system under test, read from /proc, /sys and SMART, with a reason for all that could not be read.

A :class:`System` is sections of facts. Codes are stable; their English labels are in
:data:`SECTION_LABELS` and :data:`FACT_LABELS`, and the reasons in :data:`MISSING_REASONS`:
whoever shows them passes those texts through its message catalogue.
"""

from __future__ import annotations

from iodyno.system.host import MISSING_REASONS, Host
from iodyno.system.labels import FACT_LABELS, SECTION_LABELS
from iodyno.system.read import read_system
from iodyno.system.records import Fact, Section, System, TargetLike

__all__ = [
    "FACT_LABELS", "MISSING_REASONS", "SECTION_LABELS",
    "Fact", "Host", "Section", "System", "TargetLike", "read_system",
]  # fmt: skip
