"""Loss of data: how probable it is that arrays lose some within a mission."""

from __future__ import annotations

from iodyno.loss.arrays import YEAR_S, Arranged, ArrayLoss, arranged, arrays_of, loss_of
from iodyno.loss.chance import Chance, Loss, RedundantSet, chance

__all__ = [
    "YEAR_S",
    "Arranged",
    "ArrayLoss",
    "Chance",
    "Loss",
    "RedundantSet",
    "arranged",
    "arrays_of",
    "chance",
    "loss_of",
]
