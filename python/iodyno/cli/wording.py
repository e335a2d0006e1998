"""A point and what came of it, in words and figures: the same wherever it is shown."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from iodyno.analysis.estimate import Estimate
from iodyno.analysis.figures import PointFigures, point_figures
from iodyno.analysis.targets import TargetFigures
from iodyno.plan import BesideLoad, Point
from iodyno.profiles import LoadProfile
from iodyno.reading import PointResult, State, Verdict
from iodyno.report.names import (
    STATE_NAMES,
    access,
    blocks,
    main_unit,
    ms_text,
    own_workers,
    workers_area,
)
from iodyno.report.operations import command_texts, operations
from iodyno.report.plain import ENGLISH, load_text, paths, shown_text


def points_text(count: int) -> str:
    """Count points: ``1 point``, ``50 points``."""
    return f"{count} point{'' if count == 1 else 's'}"


def four_digits(value: float) -> str:
    """Write a number to four digits, and never as a power of ten: ``14,560``, ``0.8727``."""
    return to_digits(value, 4)


def to_digits(value: float, digits: int) -> str:
    """Write a number to so many digits, without zeros at the end and never as a power of ten."""
    return f"{float(f'{value:.{digits}g}'):,.10g}"


def signed_percent(share: float) -> str:
    """Write how far something is off: ``+4.7%``; without a sign where it rounds to nothing."""
    text = f"{share:+.1%}"
    return text if text.strip("+-") != "0.0%" else "0.0%"


def left_out_percent(share: float | None) -> str:
    """Write how far off a figure would be that is left out of its fit; nothing where that tells nothing."""
    return "–" if share is None else signed_percent(share)


def profile_text(profile: LoadProfile) -> str:
    """Describe a load profile: ``random, 67% read, 8 kB``."""
    read = profile.read_share
    share = ENGLISH.numbers.chosen(read)
    reads = "read" if read == 1 else "write" if read == 0 else f"{share} read"
    beside = profile
    if profile.trim_share == 1:
        reads, beside = "trim", profile.model_copy(update={"trim_share": 0.0})
    parts = (access(ENGLISH, profile), reads, blocks(ENGLISH, profile), *operations(ENGLISH, beside))
    return ", ".join(parts)


def by_sweep(titles: Iterable[tuple[str, str]]) -> list[str]:
    """Put the sweep before titles of series that several sweeps have.

    Parameters
    ----------
    titles
        The sweep of each series, and its title.

    Examples
    --------
    >>> by_sweep([("load", "Database"), ("shares", "Database"), ("load", "Restore")])
    ['load: Database', 'shares: Database', 'Restore']
    """
    every = list(titles)
    counts = Counter(title for _, title in every)
    return [f"{sweep}: {title}" if counts[title] > 1 else title for sweep, title in every]


def series_titles(
    firsts: Iterable[Point], among: Iterable[Point], volumes: Mapping[str, Sequence[str]] | None = None
) -> list[str]:
    """Describe series by a point of each as :func:`series_text`, and by their sweep where several have it."""
    shown = _Shown.of(among)
    return by_sweep((first.sweep, _series_text(first, shown, volumes)) for first in firsts)


def series_text(
    point: Point, among: Iterable[Point] = (), volumes: Mapping[str, Sequence[str]] | None = None
) -> str:
    """Describe what points of one series share: profile, workers, rate, targets where there are several.

    Parameters
    ----------
    point
        A point of the series.
    among
        All points shown; the engine is named where it differs in them, as is how many I/Os open loops may
        have outstanding, the targets where those of one system do.
    volumes
        Volumes that the names of virtual systems stand for: targets are named too where they are some.
    """
    return _series_text(point, _Shown.of((point, *among)), volumes)


@dataclass(frozen=True)
class _Shown:
    """What the points shown have, each once."""

    engines: frozenset[str]
    limits: frozenset[int | None]
    targets: Mapping[str | None, set[tuple[str, ...]]]
    """Those of the points of each system."""

    @classmethod
    def of(cls, points: Iterable[Point]) -> _Shown:
        every, targets = list(points), defaultdict(set)
        for point in every:
            targets[point.system].add(paths(point))
        return cls(
            engines=frozenset(point.engine for point in every),
            limits=frozenset(map(_limit, every)),
            targets=targets,
        )


def _series_text(point: Point, shown: _Shown, volumes: Mapping[str, Sequence[str]] | None) -> str:
    """Describe the series of a point that is among those shown."""
    parts = [f"{shown_text(point.profile)}: {profile_text(point.profile)}"]
    if point.beside:
        others = (f"{shown_text(load.profile)}{begun_text(load)}" for load in point.beside)
        parts[0] = f"{parts[0]}{begun_text(point)}, beside {' and '.join(others)}"
    if len(shown.targets) > 1:
        parts[0] = f"{point.system}, {parts[0]}"
    if point.workers > 1 or point.shared_out is not None:
        parts.append(own_workers(ENGLISH, point))
    if point.workers_area != "shared":
        parts.append(workers_area(ENGLISH, point.workers_area))
    if point.rate_io_s is not None:
        parts.append("Poisson arrivals" if point.arrival == "poisson" else f"{point.arrival} arrivals")
    if point.open_loop and len(shown.limits - {None}) > 1:
        parts.append(f"{point.outstanding} outstanding at most")
    if len(shown.engines) > 1:
        parts.append(f"engine {point.engine}")
    left_out = {*(volumes or {}).get(point.system or "", ())} - {*paths(point)}
    if len(shown.targets[point.system]) > 1 or left_out:
        parts.append(f"on {' and '.join(paths(point))}")
    elif len(paths(point)) > 1:
        parts.append(f"{len(paths(point))} targets")
    return ", ".join(parts)


def begun_text(load: Point | BesideLoad) -> str:
    """Say when a load begins that does not at once: `` (after 5 s)``."""
    return f" (after {load.begins_after_s:g} s)" if load.begins_after_s else ""


def series_key(point: Point) -> tuple[object, ...]:
    """Give what points of one series share; those that follow each other stand under one heading."""
    return (
        point.sweep,
        point.system,
        point.profile.name,
        point.workers,
        point.workers_area,
        point.rate_io_s is None,
        _limit(point),
        point.engine,
        paths(point),
        point.beside,
    )


def _limit(point: Point) -> int | None:
    """Give how many I/Os an open loop may have outstanding."""
    return point.outstanding if point.open_loop else None


@dataclass(frozen=True)
class Row:
    """The figures of a finished point as text."""

    load: str
    main: str
    """The main figure with its unit."""
    interval: str
    latency: str
    p99: str
    response: str
    """Mean response time; empty where the load waits (closed loop)."""
    response_p99: str
    state: str
    """The state's code."""
    verdict: str
    beside: tuple[str, ...] = ()
    """Rate and latencies of syncs and trims, where there are any."""
    at_once: tuple[str, ...] = ()
    """The same of each load that ran at the same time."""


def row_of(result: PointResult) -> Row:
    """Put a result into words and figures."""
    return row_of_figures(point_figures(result))


def row_of_figures(item: PointFigures) -> Row:
    """Put figures into words."""
    closed = item.point.rate_io_s is None
    return Row(
        load=load_text(item.point),
        main=f"{ENGLISH.numbers.estimate(item.main)} {main_unit(item.profile)}",
        interval=ENGLISH.numbers.half_width(item.main),
        latency=ms_text(ENGLISH, item.known_latency_ms_mean),
        p99=ms_text(ENGLISH, item.latency_ms_at(0.99)),
        response="" if closed else ms_text(ENGLISH, item.response_time_ms_mean),
        response_p99="" if closed else ms_text(ENGLISH, item.response_time_ms_at(0.99)),
        state=item.verdict.state,
        verdict=verdict_text(item.verdict),
        beside=command_texts(ENGLISH, item),
        at_once=tuple(_load_text(load) for load in item.beside),
    )


def _load_text(item: PointFigures) -> str:
    """Tell what ran at the same time: a rate or a throughput with its interval, times, syncs and trims."""
    row = row_of_figures(item)
    parts = [f"{row.main} {row.interval}", f"latency {row.latency}", f"p99 {row.p99}"]
    if row.response:
        parts += [f"response {row.response}", f"p99 {row.response_p99}"]
    return f"{shown_text(item.profile)} ({row.load}): {', '.join((*parts, *row.beside))}"


def target_cells(item: TargetFigures) -> tuple[str, ...]:
    """Put the figures of one of several targets into words, with the digits that its I/Os support at best."""
    numbers = ENGLISH.numbers
    rate, throughput = (
        item.known_as(value, Estimate(value, 0.0))
        for value in (item.transaction_rate_io_s, item.throughput_mb_s)
    )
    cells = (
        item.path,
        f"{numbers.estimate(rate)} IO/s",
        f"{numbers.estimate(throughput)} MB/s",
        ms_text(ENGLISH, item.latency_ms_mean),
        ms_text(ENGLISH, item.latency_ms_at(0.99)),
    )
    if item.result.point.rate_io_s is None:
        return cells
    return (*cells, ms_text(ENGLISH, item.response_time_ms_at(0.99)))


TOLD_ONCE = ("imprecise", "simulated")
"""Causes that no row names: the state or the run tells them."""


def verdict_text(verdict: Verdict) -> str:
    """Give the state of a verdict and, short, what it names; what a load beside has is marked."""
    state = state_text(verdict.state)
    causes = [cause for cause in (*verdict.causes, *verdict.notes) if cause.code not in TOLD_ONCE]
    said = dict.fromkeys(f"{cause_text(cause.code)}{' (beside)' if cause.load else ''}" for cause in causes)
    return f"{state}: {', '.join(said)}" if causes else state


def state_text(state: State) -> str:
    """Name the state of a verdict."""
    return ENGLISH.known(STATE_NAMES[state])


def cause_text(code: str) -> str:
    """Write the code of a cause as words.

    Examples
    --------
    >>> cause_text("other_io")
    'other I/O'
    """
    special = {"io": "I/O", "cpu": "CPU"}
    return " ".join(special.get(word, word) for word in code.split("_"))


def states_text(results: Sequence[PointResult | PointFigures]) -> str:
    """Count the verdicts: ``41 steady, 6 capped``."""
    states = [result.verdict.state for result in results]
    counted = [(states.count(state), name) for state, name in STATE_NAMES.items() if state in states]
    return ", ".join(f"{count} {name}" for count, name in counted)
