"""The test stand: asks real and virtual targets for the readings of a plan.

The only importer of ``iodyno._core``. Decides nothing: the plan has decided, and the
engine answers.
"""

from __future__ import annotations

from iodyno import _core
from iodyno._core import toml_lines
from iodyno.bench.engine import (
    INCOMPRESSIBLE,
    Ledger,
    accesses,
    ask,
    available_memory,
    build_facts,
    check,
    engines,
    fill,
    held_up,
    keep_ledger,
    ledger_of,
    load_ledger,
    prepare,
)
from iodyno.bench.measuring import (
    LOOK_EVERY_S,
    conditioner,
    measure,
)
from iodyno.bench.virtual import (
    array_network,
    predict_point,
    processors,
    simulate,
    simulate_point,
    solve_network,
)

__all__ = [
    "INCOMPRESSIBLE",
    "LOOK_EVERY_S",
    "Ledger",
    "_core",
    "accesses",
    "array_network",
    "ask",
    "available_memory",
    "build_facts",
    "check",
    "conditioner",
    "engines",
    "fill",
    "held_up",
    "keep_ledger",
    "ledger_of",
    "load_ledger",
    "measure",
    "predict_point",
    "prepare",
    "processors",
    "simulate",
    "simulate_point",
    "solve_network",
    "toml_lines",
]
