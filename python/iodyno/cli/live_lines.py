"""Lines of the live view in the width of the terminal: what has no room is left out whole, never cut."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from rich.cells import cell_len
from rich.text import Text

from iodyno.analysis.units import mb_s, ms
from iodyno.cli.console import TONES
from iodyno.cli.wording import Row
from iodyno.events import Sample
from iodyno.plan import Point, RateShare
from iodyno.report.names import ms_text
from iodyno.report.plain import ENGLISH

GAPS = 2, 1
"""Blanks between columns: as many as there is room for."""
LOAD, RATE, SHARE = 7, 11, 16
"""Widths of a load: outstanding I/Os, a rate (``1,000,000/s``), one with its share (``224,900/s (50%)``)."""
VERDICT = 10
"""Room that every line has for its verdict: the longest states are ``not steady`` and ``not judged``."""
LEAST_NEEDED = "p99", "latency", "response", "response_p99", "interval"
"""Columns that are left out where there is no room, the first of them first; `iodyno show` has all."""


def result_line(row: Row, width: int) -> Text:
    """Write a finished point as one line under :func:`title_line`.

    Parameters
    ----------
    row
        Its figures.
    width
        Columns of the terminal.
    """
    rooms = _rooms(bool(row.response), "(" in row.load)
    cells = {name: f"{getattr(row, name):>{room}}" for name, room in rooms.items()}
    columns, gap = _shown({name: cell_len(cell) for name, cell in cells.items()}, width)
    text = Text()
    for name in columns:
        text.append(cells[name], style="bold" if name == "load" else "").append(" " * gap)
    return text.append(
        verdict_within(row.verdict, max(VERDICT, width - text.cell_len)), style=TONES[row.state]
    )


def title_line(point: Point, width: int) -> Text:
    """Write what the columns of :func:`result_line` are."""
    opened = point.rate_io_s is not None
    names = {
        "load": "asked" if opened else "outst.",
        "main": "throughput" if point.profile.shown_as == "throughput" else "rate",
        "interval": "±",
        "response_p99": "p99",
    }
    rooms = _rooms(opened, isinstance(point.rate_from, RateShare))
    columns, gap = _shown(rooms, width)
    if "response" not in columns and "response_p99" in columns:
        names["response_p99"] = "resp. p99"
    cells = [f"{names.get(name, name):>{room}}" for name, room in rooms.items() if name in columns]
    return Text((" " * gap).join((*cells, "verdict")), style="dim")


def _rooms(opened: bool, shares: bool) -> dict[str, int]:
    """Give the columns of a loop, open or closed, with how wide they are."""
    load = SHARE if shares else RATE if opened else LOAD
    rooms = {"load": load, "main": 13, "interval": 6, "latency": 9, "p99": 9}
    return rooms | ({"response": 9, "response_p99": 9} if opened else {})


def _shown(rooms: Mapping[str, int], width: int) -> tuple[Collection[str], int]:
    """Give the columns that have room beside the verdict, and the blanks between them."""
    left = dict(rooms)
    for name in ("", *LEAST_NEEDED):
        left.pop(name, None)
        for gap in GAPS:
            if sum(left.values()) + gap * len(left) + VERDICT <= width:
                return left, gap
    return left, GAPS[-1]


def verdict_within(verdict: str, room: int) -> str:
    """Give a verdict with as many of its causes as have room; the state is always there.

    Parameters
    ----------
    verdict
        ``state: cause, cause``, as :func:`iodyno.cli.wording.verdict_text` writes it.
    room
        Columns that there are.

    Examples
    --------
    >>> [verdict_within("capped: kernel workers, host busy", room) for room in (33, 32, 22, 8)]
    ['capped: kernel workers, host busy', 'capped: kernel workers, …', 'capped: …', 'capped']
    """
    state, _, causes = verdict.partition(": ")
    named = causes.split(", ")
    shorter = (f"{state}: {', '.join((*named[:many], '…'))}" for many in range(len(named) - 1, -1, -1))
    return next((text for text in (verdict, *shorter) if cell_len(text) <= room), state)


def figures_line(recent: Sequence[Sample], profile_shown_as: str, width: int) -> Text:
    """Write what the last samples of a running point come to.

    Parameters
    ----------
    recent
        Samples whose mean is shown, the latest last; one or more.
    profile_shown_as
        Which figure is the main one: ``throughput``, or the rate.
    width
        Columns of the terminal.
    """
    last, rate = recent[-1], sum(sample.rate_io_s for sample in recent) / len(recent)
    throughput = sum(sample.throughput_bytes_s for sample in recent) / len(recent)
    weighted = sum(sample.latency_mean_ns * sample.rate_io_s for sample in recent)
    latency = weighted / len(recent) / rate if rate else 0.0
    rates = [_rate(f"{rate:,.0f}", "IO/s"), _rate(f"{mb_s(throughput):,.1f}", "MB/s")]
    times = [_time("latency", latency), _time("p99", last.p99_ns)]
    offered = [_time("response p99", last.response_p99_ns)] if last.response_p99_ns is not None else []
    if last.backlog:
        offered.append(Text("backlog ", style="dim").append(f"{last.backlog:,}", style="bold yellow"))
    interval = [Text(f"±{last.half_width * 100:.1f}%", style="bold")] if last.half_width is not None else []
    main, other = reversed(rates) if profile_shown_as == "throughput" else rates
    needed, used = [main, *interval, *reversed(offered), *times, other], 0
    kept: list[Text] = []
    for piece in needed:
        used += piece.cell_len + (GAPS[0] if kept else 0)
        if kept and used > width:
            break
        kept.append(piece)
    shown = [piece for piece in (*rates, *times, *offered, *interval) if any(piece is one for one in kept)]
    return Text(" " * GAPS[0]).join(shown)


def _rate(value: str, unit: str) -> Text:
    return Text().append(f"{value:>9} ", style="bold cyan").append(unit)


def _time(name: str, value_ns: float) -> Text:
    return Text().append(f"{name} ", style="dim").append(ms_text(ENGLISH, ms(value_ns)))
