"""Statements of the PRIMEQUEST paper."""

from __future__ import annotations

from iodyno.fitting.answered.primequest import MODES, on
from iodyno.fitting.answers import Curves
from iodyno.fitting.curves import Metric
from iodyno.validation.statements import Finding, Paper, each, top, within

PROFILES: dict[str, Metric] = {
    "file-copy": "rate",
    "file-server": "rate",
    "database": "rate",
    "streaming": "throughput",
    "restore": "throughput",
}
FULL = {"ssd": MODES, "hdd": ("performance", "performance-cache-off", "fast-path-optimum")}
"""Drives of a full system, and the settings with which its controllers are simulated."""
paper = Paper("primequest")


@paper.says(
    192, "a full system: its maxima within 3 % of the sum of those of its four boards and four units alone"
)
def _totals_are_sums(curves: Curves) -> Finding:
    found = []
    for drive, settings in FULL.items():
        names = (f"full-{drive}", f"sb-4x-sas-{drive}-raid0", f"du-2c-2x-sas-{drive}-raid0")
        for profile, metric in PROFILES.items():
            full, board, unit = (
                top(curves, [on(f"{name}-{setting}", profile) for setting in settings], metric)
                for name in names
            )
            found.append(within(f"{drive} {profile}", full, 4 * board + 4 * unit, share=0.03))
    return each(found)
