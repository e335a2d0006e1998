"""Whether to trust a reading: steady, not steady, capped, or disturbed with the cause."""

from __future__ import annotations

from iodyno.verdict.causes import CAUSES, SIMULATED_CAUSES, describe
from iodyno.verdict.judge import judge
from iodyno.verdict.laws import laws

__all__ = ["CAUSES", "SIMULATED_CAUSES", "describe", "judge", "laws"]
