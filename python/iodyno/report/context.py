"""What every section of the paper is made from."""

from __future__ import annotations

from dataclasses import dataclass

from iodyno.analysis.run import RunAnalysis
from iodyno.report.messages import Messages
from iodyno.report.numbers import Numbers
from iodyno.store.records import Run, StoredRun


@dataclass(frozen=True)
class Context:
    """A run, its figures, and the language to speak of them."""

    stored: StoredRun
    analysis: RunAnalysis
    messages: Messages
    beside: tuple[StoredRun, ...] = ()
    """Other runs that this one is compared with."""

    @property
    def run(self) -> Run:
        """The run without its results."""
        return self.stored.run

    @property
    def numbers(self) -> Numbers:
        """How the language writes numbers."""
        return self.messages.numbers
