"""Prediction: a virtual system and a point become a closed queueing network, solved by formulas.

Means within a millisecond, to look around before simulating, and a check of the simulator by
something that shares no code with it. Nothing here measures or simulates.
"""

from __future__ import annotations

from iodyno.prediction.as_reading import as_reading
from iodyno.prediction.knows import refuse_unknown
from iodyno.prediction.network import BuiltNetwork, build
from iodyno.prediction.predict import predict
from iodyno.prediction.records import (
    ClosedNetwork,
    Method,
    NetworkStation,
    Prediction,
    Rates,
    Servers,
    Solution,
    Solver,
)

__all__ = [
    "BuiltNetwork",
    "ClosedNetwork",
    "Method",
    "NetworkStation",
    "Prediction",
    "Rates",
    "Servers",
    "Solution",
    "Solver",
    "as_reading",
    "build",
    "predict",
    "refuse_unknown",
]
