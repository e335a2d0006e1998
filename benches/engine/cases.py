"""The cases: which tools do what, which figures are put side by side, and what is to be reached."""

from __future__ import annotations

import os
import shutil
import statistics
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal

from engine.tools import Found, Load, fio, has_t_io_uring, iodyno, loads_at_once, t_io_uring
from limited import BLKIO, limited

Side = Callable[[], Found]
Sides = Callable[[int], tuple[Found, Found]]
"""Measure both sides, in the order that the number of the round tells; iodyno's figures come first."""
Cached = Literal["no", "written", "read"]
"""What the page cache has of the file: nothing; what went through it to the disk; what was read ahead."""

DISK = 128
CACHE = 32
SHORT_ROUNDS = 6
"""Rounds in the place of one, a quarter as long, where neighbours on the machine are felt for seconds."""
TAIL_ROUNDS = 4
"""Rounds in the place of one, where both sides load one device and each gets now this processor, now that."""
LIMIT_IO_S = 2000
"""Rate that the kernel holds the device to, for the tails: with 32 outstanding one I/O in six waits for the
next slice of time of the limit, so the 99th percentile is the limit's, and not a matter of chance."""


@dataclass(frozen=True)
class Goal:
    """What is to be reached."""

    text: str
    reached: Callable[[float], bool]


@dataclass(frozen=True)
class Case:
    """Two things measured in turns, and the figure that comes of both."""

    name: str
    what: str
    against: str
    sides: Sides
    figure: Callable[[Found, Found], float]
    shown: str
    """Name of the figure that both give."""
    unit: str
    goal: Goal
    around: Callable[[], AbstractContextManager[None]] = nullcontext
    missing: str = ""
    """Why it cannot be measured here; empty where it can."""
    cached: Cached = "no"
    rounds: int = 1
    """Rounds in the place of one."""


def in_turns(own: Side, other: Side) -> Sides:
    """Measure one after the other."""

    def measure(turn: int) -> tuple[Found, Found]:
        if turn % 2:
            return own(), other()
        found = other()
        return own(), found

    return measure


def at_once(own: Side, other: Side) -> Sides:
    """Measure both at once on the same processor, which the kernel gives to each for some ms in turns.

    What slows the machine for seconds slows both alike. For what leaves no device to wait for.
    """

    def measure(turn: int) -> tuple[Found, Found]:
        with ThreadPoolExecutor(2) as pool:
            started = {side: pool.submit(side) for side in ((own, other) if turn % 2 else (other, own))}
        return started[own].result(), started[other].result()

    return measure


def ratio(name: str) -> Callable[[Found, Found], float]:
    """Put one figure of both in relation."""
    return lambda own, other: own[name] / other[name]


def at_most(limit: float) -> Goal:
    """Reach a figure that is small enough."""
    return Goal(f"≤ {limit:g}", lambda value: value <= limit)


def at_least(limit: float) -> Goal:
    """Reach a figure that is large enough."""
    return Goal(f"≥ {limit:g}", lambda value: value >= limit)


def within(share: float) -> Goal:
    """Reach a ratio near 1."""
    return Goal(f"1 ± {share:g}", lambda value: abs(value - 1) <= share)


def cases(path: Path, seconds: float) -> Iterator[Case]:
    """Give every case on a file that was made and written in full for it."""
    load = partial(Load, path, seconds)
    yield from _disk(load)
    yield from _cache(load)
    yield from _engine(load)
    yield from _writes(load)
    yield from _latency(load)


_TOOLS = {"fio": fio, "t/io_uring": t_io_uring}
_FIGURES = {
    "cpu_us": "CPU time of the process for an I/O",
    "rate_io_s": "IO/s",
    "core_io_s": "IO/s of a processor's time",
}


def _versus(name: str, load: Load, figure: str, other: str, goal: Goal, cached: Cached = "no") -> Case:
    together = figure == "core_io_s"
    load = replace(load, warm=figure == "rate_io_s", seconds=load.seconds * (2 if together else 1))
    measure = at_once if together else in_turns
    return Case(
        name=name,
        what=_FIGURES[figure],
        against=other,
        sides=measure(partial(iodyno, load), partial(_TOOLS[other], load)),
        figure=ratio(figure),
        shown=figure,
        unit="×",
        goal=goal,
        missing=_missing(other),
        cached=cached,
    )


def _missing(tool: str) -> str:
    if tool == "t/io_uring":
        return "" if has_t_io_uring() else "IODYNO_T_IO_URING is not set"
    return "" if shutil.which("fio") else "fio is not installed"


def _disk(load: Callable[..., Load]) -> Iterator[Case]:
    direct = load(outstanding=DISK)
    name = f"random 4 kB read, direct, {DISK} outstanding"
    yield _versus(name, direct, "cpu_us", "t/io_uring", at_most(1.1))
    yield _versus(name, direct, "cpu_us", "fio", at_most(0.55))


def _cache(load: Callable[..., Load]) -> Iterator[Case]:
    one = load(outstanding=CACHE, direct=False)
    pages: tuple[tuple[Cached, str], ...] = (("written", "as written"), ("read", "as read ahead"))
    for cached, how in pages:
        name = f"random 4 kB read, page cache {how}, {CACHE} outstanding, one core"
        yield _versus(name, one, "core_io_s", "t/io_uring", at_least(0.95), cached)
        yield _versus(name, one, "core_io_s", "fio", at_least(2), cached)
    two = replace(one, workers=2)
    name = f"random 4 kB read, page cache as read ahead, {CACHE} outstanding each, both sides on two cores"
    case = _versus(name, two, "rate_io_s", "t/io_uring", at_least(0.95), "read")
    yield replace(case, missing=case.missing or _one_processor(), rounds=2)
    short = [partial(iodyno, replace(side, seconds=side.seconds / 4)) for side in (two, one)]
    yield Case(
        name=f"page cache as read ahead, {CACHE} outstanding each, two workers on two cores",
        what="IO/s",
        against="one worker",
        sides=in_turns(*short),
        figure=ratio("rate_io_s"),
        shown="rate_io_s",
        unit="×",
        goal=at_least(1.9),
        missing=_one_processor(),
        cached="read",
        rounds=SHORT_ROUNDS,
    )


def _engine(load: Callable[..., Load]) -> Iterator[Case]:
    nop = load(outstanding=DISK, engine="nop")
    yield _versus(f"NOP through the ring, {DISK} outstanding", nop, "core_io_s", "t/io_uring", at_least(0.95))
    null = load(outstanding=CACHE, engine="null")
    yield _versus(f"no I/O at all, {CACHE} outstanding", null, "core_io_s", "fio", at_least(2))


def _writes(load: Callable[..., Load]) -> Iterator[Case]:
    for name, read_share in (("random 4 kB write", 0.0), ("random 4 kB, 67 % reads", 0.67)):
        full = load(outstanding=DISK, read_share=read_share)
        yield _versus(f"{name}, direct, {DISK} outstanding", full, "cpu_us", "fio", at_most(0.55))
        making = partial(_making, replace(full, engine="null"))
        yield _data(f"{name}: making the data", "zeros", in_turns(making, partial(iodyno, full)))
    name = "random 4 kB write, direct: making the data, on the disk"
    full = load(outstanding=DISK, read_share=0.0)
    yield _data(name, "what was written before, once more", partial(_making_on_disk, full))


def _data(name: str, against: str, sides: Sides) -> Case:
    return Case(
        name=name,
        what="share of the CPU time of an I/O",
        against=against,
        sides=sides,
        figure=ratio("cpu_us"),
        shown="cpu_us",
        unit="",
        goal=at_most(0.05),
    )


def _making_on_disk(load: Load, turn: int) -> tuple[Found, Found]:
    """Measure what data cost whose memory a device has read: at once with blocks written as they lie."""
    shares = (0.0, 1.0) if turn % 2 else (1.0, 0.0)
    loads = [replace(load, duplicate_share=share) for share in shares]
    found = dict(zip(shares, loads_at_once(loads), strict=True))
    made, at_hand = found[0.0]["cpu_us"], found[1.0]["cpu_us"]
    return {"cpu_us": made - at_hand}, {"cpu_us": made}


def _making(load: Load) -> Found:
    """Measure what making the data of an I/O costs: where nothing else is done, against zeros."""
    costs = {
        data: statistics.median(
            iodyno(replace(load, seconds=load.seconds / 3, data=data))["cpu_us"] for _ in range(3)
        )
        for data in ("incompressible", "zeros")
    }
    return {"cpu_us": costs["incompressible"] - costs["zeros"]}


def _latency(load: Callable[..., Load]) -> Iterator[Case]:
    goal = at_most(1)
    yield Case(
        name="random 4 kB read, direct, 1 outstanding",
        what="median latency less that of pread",
        against="fio's psync",
        sides=in_turns(partial(iodyno, load()), partial(fio, load(engine="psync"))),
        figure=lambda own, other: own["p50_us"] - other["p50_us"],
        shown="p50_us",
        unit="µs",
        goal=goal,
        missing=_missing("fio"),
    )
    yield from _tails(load(outstanding=CACHE))


def _tails(load: Load) -> Iterator[Case]:
    """Compare tails where both tools meet the same device: held to a rate by the kernel, or used at once."""
    held = f", the kernel holding the device to {LIMIT_IO_S} IO/s"
    case = Case(
        name=f"random 4 kB read, direct, {load.outstanding} outstanding{held}",
        what="99th percentile of the latency",
        against="fio",
        sides=in_turns(partial(iodyno, load), partial(fio, load)),
        figure=ratio("p99_us"),
        shown="p99_us",
        unit="×",
        goal=within(0.05),
        around=partial(limited, load.path, LIMIT_IO_S),
        missing="" if BLKIO.is_dir() and os.geteuid() == 0 else "no blkio control group, or not root",
    )
    yield replace(case, missing=case.missing or _missing("fio"))
    each = load.outstanding // 2
    yield replace(
        case,
        name=f"random 4 kB read, direct, {each} outstanding each, both at once on two cores",
        sides=partial(_apart, replace(load, outstanding=each, seconds=load.seconds * 2)),
        around=nullcontext,
        missing=_one_processor() or _missing("fio"),
        rounds=TAIL_ROUNDS,
    )


def _apart(load: Load, turn: int) -> tuple[Found, Found]:
    """Measure both at once, each on a processor of its own: now on the one, now on the other."""
    own, other = load, replace(load, before=load.workers)
    if turn // 2 % 2:
        own, other = other, own
    return at_once(partial(iodyno, own), partial(fio, other))(turn)


def _one_processor() -> str:
    return "" if len(os.sched_getaffinity(0)) > 1 else "one processor only"
