"""Who shows a simulation while it runs: nobody, JSON, one line that changes, or a line each tenth."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

from iodyno.cli.pace import clock_text
from iodyno.cli.sentences import fitted
from iodyno.cli.views import JsonLines, Quiet, View
from iodyno.events import Event, PointFinished, RunStarted
from iodyno.plan import Plan

if TYPE_CHECKING:
    from iodyno.plan import Point

REFRESH_S = 0.1


class Progress(Quiet):
    """Shows how far a simulation is.

    Parameters
    ----------
    plan
        The plan of the run.
    done
        Points that were finished before.
    clock
        Seconds of a clock that never goes back.
    made
        What becomes of a point.
    """

    def __init__(
        self,
        plan: Plan,
        done: int,
        out: TextIO,
        clock: Callable[[], float] = time.monotonic,
        made: str = "simulated",
    ) -> None:
        self._made = made
        self._plan, self._before, self._done, self._out, self._clock = plan, done, done, out, clock
        self._began = self._shown = clock()

    def __call__(self, event: Event) -> None:
        """Take in an event, and show it where it is time to."""
        if isinstance(event, RunStarted):
            from iodyno.cli.wording import points_text

            before = f", {event.done} of them simulated before" if event.done else ""
            systems = f"{len(self._plan.systems)} system{'' if len(self._plan.systems) == 1 else 's'}"
            text = f"run {event.run}: study {event.study}, {points_text(event.points)} on {systems}{before}"
            self._out.write(f"{fitted(text, self._out)}\n")
            self._out.flush()
        elif isinstance(event, PointFinished):
            self._done += 1
            self.show(event.result.point)

    def show(self, point: Point) -> None:  # noqa: ARG002 - a line of a terminal names it
        """Show that a point is finished: a line at each tenth of the points."""
        from iodyno.cli.wording import points_text

        total = len(self._plan.points)
        if 10 * self._done // total > 10 * (self._done - 1) // total:
            self._out.write(f"{self._made} {self._done} of {points_text(total)}{self._left()}\n")
            self._out.flush()

    def _left(self) -> str:
        """Tell the time left, once the points so far tell it."""
        elapsed, made = self._clock() - self._began, self._done - self._before
        left = len(self._plan.points) - self._done
        return f", {clock_text(elapsed / made * left)} left" if left and made and elapsed > 1 else ""


class ProgressLine(Progress):
    """Shows it in one line of a terminal."""

    def show(self, point: Point) -> None:
        """Write the line again, not too often."""
        now = self._clock()
        if now - self._shown < REFRESH_S:
            return
        self._shown = now
        from iodyno.cli.wording import points_text

        done = f"{self._made} {self._done} of {points_text(len(self._plan.points))}"
        text = f"{done}{self._left()}  {point.system}"
        self._out.write(f"\r\x1b[2K{text[: _width()]}")
        self._out.flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._out.write("\r\x1b[2K")
        self._out.flush()


def _width() -> int:
    import shutil

    return shutil.get_terminal_size().columns - 1


def choose_progress(*, as_json: bool, quiet: bool, plan: Plan, done: int) -> View:
    """Choose who shows the simulation: the changing line only on a terminal that can draw it."""
    if as_json:
        return JsonLines()
    if quiet:
        return Quiet()
    return (ProgressLine if _is_drawn() else Progress)(plan, done, sys.stdout)


def progress_of_formulas(*, shown: bool, plan: Plan) -> View:
    """Choose who shows that points are calculated, mostly over at once: a line that goes, or nobody."""
    return ProgressLine(plan, 0, sys.stdout, made="calculated") if shown and _is_drawn() else Quiet()


def _is_drawn() -> bool:
    """Tell whether there is a terminal whose last line can be written again."""
    from iodyno.cli.console import console

    terminal = console()
    return terminal.is_terminal and not terminal.is_dumb_terminal
