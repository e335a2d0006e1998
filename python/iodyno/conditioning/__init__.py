"""Conditioning: filling and loading targets up to a steady state, and whether that still holds."""

from __future__ import annotations

from iodyno.conditioning.conducting import Conditioner, Hands, rounds_done
from iodyno.conditioning.state import losses, untold
from iodyno.conditioning.steady import Window, attained, attained_at, windows

__all__ = [
    "Conditioner",
    "Hands",
    "Window",
    "attained",
    "attained_at",
    "losses",
    "rounds_done",
    "untold",
    "windows",
]
