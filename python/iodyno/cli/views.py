"""Who shows a run while it is made: nobody, plain lines, JSON, or the live view."""

from __future__ import annotations

import sys
from collections.abc import Collection
from types import TracebackType
from typing import Protocol

from iodyno.events import Event, Filling, PointFinished, RunStarted, StepDone, Verifying
from iodyno.plan import Plan


class View(Protocol):
    """Shows events; it is a listener and a context manager."""

    def __enter__(self) -> View: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def __call__(self, event: Event) -> None:
        """Show an event."""


class Quiet:
    """Shows nothing."""

    def __enter__(self) -> Quiet:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def __call__(self, event: Event) -> None:
        """Show nothing."""


class JsonLines(Quiet):
    """Writes each event as a line of JSON."""

    def __call__(self, event: Event) -> None:
        """Write an event at once."""
        sys.stdout.write(event.model_dump_json() + "\n")
        sys.stdout.flush()


class PlainLines(Quiet):
    """Writes a line for each finished point, and one for each tenth of a file."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._series: tuple[object, ...] = ()
        self._tenth: dict[tuple[str, int], int] = {}
        self._points = self._done = 0

    def __call__(self, event: Event) -> None:
        """Write what is worth a line."""
        if isinstance(event, RunStarted):
            self._started(event)
        elif isinstance(event, Filling):
            self._filling(event)
        elif isinstance(event, StepDone):
            from iodyno.cli.conditioning_text import step_line

            self._write(step_line(event, len(self._plan.points)))
        elif isinstance(event, Verifying):
            self._verifying(event)
        elif isinstance(event, PointFinished):
            self._finished(event)

    def _started(self, event: RunStarted) -> None:
        from iodyno.cli.pace import clock_text
        from iodyno.cli.wording import points_text

        self._points, self._done = event.points, event.done
        before = f", {event.done} of them measured before" if event.done else ""
        self._write(
            f"run {event.run}: study {event.study}, {points_text(event.points)}{before}, "
            f"at most {clock_text(event.longest_s)}"
        )

    def _filling(self, event: Filling) -> None:
        tenth = 10 * event.done_bytes // max(1, event.total_bytes)
        if tenth > self._tenth.get((event.path, event.turn), 0):
            self._tenth[event.path, event.turn] = tenth
            self._write(f"{filling_text(event)} {event.path}: {tenth * 10}%")

    def _verifying(self, event: Verifying) -> None:
        if event.done_bytes == 0 and event.total_bytes:
            from iodyno.units import short_size

            self._write(f"reading {short_size(event.total_bytes)} once more to verify it")

    def _finished(self, event: PointFinished) -> None:
        from iodyno.cli.wording import row_of, series_key, series_text

        point, row = event.result.point, row_of(event.result)
        self._done += 1
        if series_key(point) != self._series:
            self._series = series_key(point)
            self._write(series_text(point, self._plan.points))
        response = f"response time {row.response:>10}  p99 {row.response_p99:>10}  " if row.response else ""
        self._write(
            f"  {self._done:>3}/{self._points}  {row.load:>8}  {row.main:>14}  {row.interval:>7}  "
            f"latency {row.latency:>10}  p99 {row.p99:>10}  {response}{row.verdict}"
        )
        for text in (*row.beside, *row.at_once):
            self._write(f"{'beside':>19}  {text}")

    def _write(self, line: str) -> None:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


def filling_text(event: Filling) -> str:
    """Name what goes on while a target is written or purged."""
    if not event.turn:
        return "purging"
    return f"writing ({event.turn} of {event.turns})" if event.turns > 1 else "writing"


def choose_view(*, as_json: bool, quiet: bool, plan: Plan, done: Collection[int]) -> View:
    """Choose who shows the run: the live view only on a terminal that can draw it."""
    if as_json:
        return JsonLines()
    if quiet:
        return Quiet()
    from iodyno.cli.console import console

    terminal = console()
    if not terminal.is_terminal or terminal.is_dumb_terminal:
        return PlainLines(plan)
    from iodyno.cli.live import Live

    return Live(terminal, plan, done)
