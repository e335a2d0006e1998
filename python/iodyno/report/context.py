"""What every section of the paper is made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from iodyno.analysis.run import RunAnalysis
from iodyno.plan import Point
from iodyno.rates import needed
from iodyno.report.curve_names import curve_name
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

    @cached_property
    def lacking(self) -> tuple[Point, ...]:
        """The planned points that the run did not get to."""
        return tuple(needed(self.run.plan, self.stored.results))

    def messages_of(self, stored: StoredRun) -> Messages:
        """Give the language for names that a run has: this one, or one beside it."""
        return self.messages.about(stored.run.plan.study)

    def section_title(self, sweep: str) -> str:
        """Give the title of a section of the results."""
        listed = self.run.plan.study_source.get("sweep", [])
        titles = {item.get("name"): item.get("title") for item in listed if isinstance(item, dict)}
        return self.messages.of_study(str(titles.get(sweep) or sweep))

    @cached_property
    def names_of_curves(self) -> Mapping[str, str]:
        """How curves are called by their keys where those of all sections stand together: names that would be
        alike begin with their sections."""
        curves = [item.curve for item in self.analysis.curves]
        names = [curve_name(self.messages, curve) for curve in curves]
        counts = Counter(names)
        return {
            curve.key: name
            if counts[name] == 1
            else self.messages.say(
                "{section} – {caption}", section=self.section_title(curve.sweep), caption=name
            )
            for curve, name in zip(curves, names, strict=True)
        }
