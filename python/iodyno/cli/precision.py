"""What of a run is less precise than it was asked for, what that costs, and what helps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from iodyno.analysis.configurations import volumes_of
from iodyno.analysis.curves import curves
from iodyno.analysis.maxima import WIDEST_SHARE, Maximum, maximum
from iodyno.cli.wording import points_text
from iodyno.plan import SearchStep

if TYPE_CHECKING:
    from iodyno.analysis.figures import PointFigures
    from iodyno.store.records import Run


def precision_lines(figures: Sequence[PointFigures], run: Run) -> Iterator[str]:
    """Yield how many points ended at their cap, and how many of higher figures are no maximum for that.

    Parameters
    ----------
    figures
        Those of all points of the run; of an imported one nothing is said.
    run
        The run: whether it was simulated decides which option helps.
    """
    if run.imported:
        return
    option = "--cap-ios" if run.simulated else "--cap"
    capped = sum(any(cause.code == "imprecise" for cause in item.verdict.causes) for item in figures)
    if capped:
        yield (
            f"{points_text(capped)} ended at the cap, less precise than asked: a larger {option} makes "
            f"{'it' if capped == 1 else 'them'} more precise"
        )
    from iodyno.report.plain import ENGLISH

    def higher(top: Maximum) -> int:
        """Count those that are higher as they are printed: of others nothing has to be explained."""
        return sum(ENGLISH.numbers.reads_higher(item.main, top.at.main) for item in top.too_wide)

    wide = sum(
        higher(maximum(curve.points))
        for curve in curves(figures, volumes=volumes_of(run.plan))
        if not isinstance(curve.first.rate_from, SearchStep)
    )
    if wide:
        told = ("is", "a maximum: its interval is", "it has", "it")
        told = told if wide == 1 else ("are", "maxima: their intervals are", "they have", "them")
        verb, intervals, have, those = told
        yield (
            f"{points_text(wide)} {verb} higher and {'does' if wide == 1 else 'do'} not count as {intervals} "
            f"wider than ±{WIDEST_SHARE:.0%}, or {have} none; a larger {option} makes {those} narrower"
        )
