"""The live view: finished points scroll up, what runs stands below them."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection
from types import TracebackType

from rich.console import Console, Group, RenderableType
from rich.live import Live as RichLive
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from iodyno.analysis.units import mb_s
from iodyno.cli.conditioning_text import step_line
from iodyno.cli.live_lines import figures_line, result_line, title_line
from iodyno.cli.pace import Pace, clock_text
from iodyno.cli.spark import sparkline
from iodyno.cli.wording import points_text, row_of, series_key, series_text
from iodyno.events import (
    Event,
    Filling,
    PointFinished,
    PointStarted,
    RoundStarted,
    RunFinished,
    RunStarted,
    Sample,
    StepDone,
    Verifying,
)
from iodyno.plan import Plan, Point
from iodyno.report.plain import load_text

REFRESH_S = 0.2
"""Least seconds between two drawings: the view must not take the processor from the engine."""
SMOOTHED = 5
"""Samples of 100 ms that the figures are the mean of."""
KEPT = 400
"""Samples that the sparkline can show."""
NARROW = 72
"""Below so many columns the bars go and the figures stay."""


class Live:
    """Shows events on a terminal.

    Parameters
    ----------
    console
        The terminal.
    plan
        The plan of the run.
    done
        Indices of the points that were finished before.
    clock
        Seconds of a clock that never goes back.
    """

    def __init__(
        self, console: Console, plan: Plan, done: Collection[int], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._console, self._plan, self._clock = console, plan, clock
        self._pace = Pace(plan, done)
        self._done = len(done)
        self._point: Point | None = None
        self._began = self._drawn = clock()
        self._samples: deque[Sample] = deque(maxlen=KEPT)
        self._filling: Filling | Verifying | None = None
        self._round: RoundStarted | None = None
        self._fill_began = self._began
        self._series: tuple[object, ...] = ()
        self._live = RichLive(console=console, auto_refresh=False, transient=True, get_renderable=self.render)

    def __enter__(self) -> Live:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def __call__(self, event: Event) -> None:
        """Take in an event, and draw if enough time has passed."""
        if isinstance(event, Sample):
            self._samples.append(event)
        elif isinstance(event, Filling | Verifying):
            self._take_filling(event)
        elif isinstance(event, RoundStarted):
            self._take_round(event)
        elif isinstance(event, StepDone):
            self._take_step(event)
        elif isinstance(event, PointStarted):
            self._take_start(event.point)
        elif isinstance(event, PointFinished):
            self._take_result(event)
        elif isinstance(event, RunStarted):
            self._console.print(self._heading(event))
        elif isinstance(event, RunFinished):
            self._live.stop()
            return
        now = self._clock()
        if now - self._drawn >= REFRESH_S or isinstance(event, PointStarted):
            self._drawn = now
            self._live.refresh()

    def _take_filling(self, event: Filling | Verifying) -> None:
        if self._filling is None or _what(self._filling) != _what(event):
            self._fill_began = self._clock()
        self._filling = event

    def _take_round(self, event: RoundStarted) -> None:
        self._round, self._point, self._filling = event, event.load, None
        self._samples.clear()
        self._began = self._clock()

    def _take_step(self, event: StepDone) -> None:
        self._point = self._round = self._filling = None
        line = step_line(event, len(self._plan.points))
        self._print(Text(line, style="yellow" if event.step.kind == "lost" else "dim"))

    def _take_start(self, point: Point) -> None:
        self._point, self._filling, self._round = point, None, None
        self._samples.clear()
        self._began = self._clock()
        self._pace.started(point.index)

    def _take_result(self, event: PointFinished) -> None:
        point = event.result.point
        self._pace.finished(point.index, self._clock() - self._began)
        self._done += 1
        self._point = None
        if series_key(point) != self._series:
            self._series = series_key(point)
            self._print(Text(series_text(point, self._plan.points), style="bold"))
            self._print(title_line(point, self._console.width))
        row = row_of(event.result)
        self._print(result_line(row, self._console.width))
        for text in (*row.beside, *row.at_once):
            self._print(Text(f" beside  {text}", style="dim"))

    def _print(self, text: Text) -> None:
        """Print what stays; a text that is longer than a line goes on in the next."""
        self._console.print(text)

    def _heading(self, event: RunStarted) -> Text:
        text = Text()
        text.append(self._plan.title, style="bold")
        text.append(f"\nrun {event.run}, study {event.study}, {points_text(event.points)}", style="dim")
        before = f" ({event.done} done)" if event.done else ""
        return text.append(f"{before}, at most {clock_text(event.longest_s)}", style="dim")

    def render(self) -> RenderableType:
        """Draw what runs now."""
        parts: list[RenderableType] = [Text("─" * self._console.width, style="dim")]
        if self._filling is not None:
            parts.append(self._draw_filling(self._filling))
        parts.append(self._bars())
        if self._point is not None:
            parts += [self._asked(self._point), self._figures(self._point), self._spark()]
        return Group(*parts)

    def _bars(self) -> Table:
        bars = _grid(self._console.width)
        total = len(self._plan.points)
        _bar(bars, self._console.width, "Run", self._done, total, f"{self._done} of {total}", self._left())
        if self._point is not None:
            elapsed = self._samples[-1].elapsed_s if self._samples else 0.0
            most = self._point.longest_s
            _bar(
                bars,
                self._console.width,
                "Round" if self._round else "Point",
                elapsed,
                most,
                self._phase(),
                f"{elapsed:.1f} of {most:g} s",
            )
        return bars

    def _phase(self) -> str:
        if self._round:
            return f"{self._round.number} of at most {self._round.at_most}"
        return "measured" if self._samples and self._samples[-1].phase == "measured" else "warm-up"

    def _left(self) -> str:
        elapsed = self._clock() - self._began if self._point and not self._round else 0.0
        left = clock_text(self._pace.left_s(elapsed))
        return f"{left} left" if self._pace.known else f"at most {left}"

    def _draw_filling(self, event: Filling | Verifying) -> Table:
        seconds = max(1e-3, self._clock() - self._fill_began)
        rate = event.done_bytes / seconds
        left = clock_text((event.total_bytes - event.done_bytes) / rate) if rate else "–"
        bars = _grid(self._console.width)
        sizes = f"{mb_s(event.done_bytes):,.0f} of {mb_s(event.total_bytes):,.0f} MB"
        _bar(
            bars,
            self._console.width,
            _name(event),
            event.done_bytes,
            event.total_bytes,
            sizes,
            f"{left} left",
        )
        return bars

    def _asked(self, point: Point) -> Text:
        text = Text()
        text.append(series_text(point, self._plan.points), style="bold")
        load = load_text(point)
        if point.rate_io_s is None:
            return text.append(f", {load} outstanding")
        return text.append(f", {load.replace('/s', ' IO/s')} asked for")

    def _figures(self, point: Point) -> Text:
        recent = list(self._samples)[-SMOOTHED:]
        if not recent:
            return Text("…", style="dim")
        return figures_line(recent, point.profile.shown_as, self._console.width)

    def _spark(self) -> Text:
        rates = [sample.rate_io_s for sample in self._samples]
        return Text(sparkline(rates, self._console.width), style="cyan", no_wrap=True, overflow="crop")


def _what(event: Filling | Verifying) -> tuple[str, str, int]:
    """Give what stays the same while a bar grows."""
    return event.event, event.path, event.turn if isinstance(event, Filling) else 0


def _name(event: Filling | Verifying) -> str:
    if isinstance(event, Verifying):
        return "Verify"
    if not event.turn:
        return "Purge"
    return f"{event.turn} of {event.turns}" if event.turns > 1 else "File"


def _grid(width: int) -> Table:
    grid = Table.grid(padding=(0, 2), expand=True)
    grid.add_column(width=6, style="dim")
    if width >= NARROW:
        grid.add_column(ratio=1)
    grid.add_column(no_wrap=True, min_width=10)
    grid.add_column(no_wrap=True, justify="right", min_width=13)
    return grid


def _bar(grid: Table, width: int, name: str, done: float, total: float, middle: str, right: str) -> None:
    bar = ProgressBar(total=max(total, 1e-9), completed=min(done, total), complete_style="cyan")
    grid.add_row(*([name, bar, middle, right] if width >= NARROW else [name, middle, right]))
