"""Sizing: the fewest drives with which arrays serve a load within a limit."""

from __future__ import annotations

from iodyno.sizing.candidates import Candidate, Choice, choice_of
from iodyno.sizing.fewest import SWEEP, Demand, Sized, fills, size

__all__ = ["SWEEP", "Candidate", "Choice", "Demand", "Sized", "choice_of", "fills", "size"]
