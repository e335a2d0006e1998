"""The cases: which tools do what, which figures are put side by side, and what is to be reached."""

from __future__ import annotations

import os
import shutil
import statistics
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from engine.tools import Found, Load, fio, has_t_io_uring, iodyno, t_io_uring
from limited import BLKIO, limited

Side = Callable[[], Found]
DISK = 128
CACHE = 32
PAIRS = 7
"""Pairs of measurements for a difference that is small beside what it is taken from."""
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
    own: Side
    other: Side
    figure: Callable[[Found, Found], float]
    shown: str
    """Name of the figure that both give."""
    unit: str
    goal: Goal
    around: Callable[[], AbstractContextManager[None]] = nullcontext
    missing: str = ""
    """Why it cannot be measured here; empty where it can."""


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


def _versus(name: str, load: Load, figure: str, other: str, goal: Goal) -> Case:
    tools = {"fio": fio, "t/io_uring": t_io_uring}
    load = replace(load, warm=figure != "cpu_us")
    what = {"cpu_us": "CPU time of the process for an I/O", "rate_io_s": "IO/s"}
    return Case(
        name=name,
        what=what[figure],
        against=other,
        own=partial(iodyno, load),
        other=partial(tools[other], load),
        figure=ratio(figure),
        shown=figure,
        unit="×",
        goal=goal,
        missing=_missing(other),
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
    cached = load(outstanding=CACHE, direct=False)
    name = f"random 4 kB read, page cache, {CACHE} outstanding, one core"
    yield _versus(name, cached, "rate_io_s", "t/io_uring", at_least(0.95))
    yield _versus(name, cached, "rate_io_s", "fio", at_least(2))
    two = replace(cached, workers=2)
    name = f"random 4 kB read, page cache, {CACHE} outstanding each, both sides on two cores"
    yield _versus(name, two, "rate_io_s", "t/io_uring", at_least(0.95))
    goal = at_least(1.9)
    yield Case(
        name=f"page cache, {CACHE} outstanding each, two workers on two cores",
        what="IO/s",
        against="one worker",
        own=partial(iodyno, two),
        other=partial(iodyno, cached),
        figure=ratio("rate_io_s"),
        shown="rate_io_s",
        unit="×",
        goal=goal,
        missing="" if len(os.sched_getaffinity(0)) > 1 else "one processor only",
    )


def _engine(load: Callable[..., Load]) -> Iterator[Case]:
    nop = load(outstanding=DISK, engine="nop")
    yield _versus(f"NOP through the ring, {DISK} outstanding", nop, "rate_io_s", "t/io_uring", at_least(0.95))
    null = load(outstanding=CACHE, engine="null")
    yield _versus(f"no I/O at all, {CACHE} outstanding", null, "rate_io_s", "fio", at_least(2))


def _writes(load: Callable[..., Load]) -> Iterator[Case]:
    for name, read_share in (("random 4 kB write", 0.0), ("random 4 kB, 67 % reads", 0.67)):
        full = load(outstanding=DISK, read_share=read_share)
        yield _versus(f"{name}, direct, {DISK} outstanding", full, "cpu_us", "fio", at_most(0.55))
        goal = at_most(0.05)
        yield Case(
            name=f"{name}: making the data",
            what="share of the CPU time of an I/O",
            against="zeros",
            own=partial(_making, load(outstanding=DISK, read_share=read_share, engine="null")),
            other=partial(iodyno, full),
            figure=ratio("cpu_us"),
            shown="cpu_us",
            unit="",
            goal=goal,
        )
    full = load(outstanding=DISK, read_share=0.0)
    yield Case(
        name="random 4 kB write, direct: making the data, on the disk",
        what="share of the CPU time of an I/O",
        against="what was written before, once more",
        own=partial(_making_on_disk, full),
        other=partial(iodyno, full),
        figure=ratio("cpu_us"),
        shown="cpu_us",
        unit="",
        goal=goal,
    )


def _making_on_disk(load: Load) -> Found:
    """Measure what data cost whose memory a device has read: in turns with blocks written as they lie."""
    made, at_hand = (replace(load, seconds=load.seconds / 3, duplicate_share=share) for share in (0.0, 1.0))
    found = [iodyno(made)["cpu_us"] - iodyno(at_hand)["cpu_us"] for _ in range(PAIRS)]
    return {"cpu_us": statistics.median(found)}


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
        own=partial(iodyno, load()),
        other=partial(fio, load(engine="psync")),
        figure=lambda own, other: own["p50_us"] - other["p50_us"],
        shown="p50_us",
        unit="µs",
        goal=goal,
        missing=_missing("fio"),
    )
    goal = within(0.05)
    held = load(outstanding=CACHE)
    for name, around, missing in (
        (
            f", the kernel holding the device to {LIMIT_IO_S} IO/s",
            partial(limited, held.path, LIMIT_IO_S),
            "" if BLKIO.is_dir() and os.geteuid() == 0 else "no blkio control group, or not root",
        ),
        ("", nullcontext, ""),
    ):
        yield Case(
            name=f"random 4 kB read, direct, {CACHE} outstanding{name}",
            what="99th percentile of the latency",
            against="fio",
            own=partial(iodyno, held),
            other=partial(fio, held),
            figure=ratio("p99_us"),
            shown="p99_us",
            unit="×",
            goal=goal,
            around=around,
            missing=missing or _missing("fio"),
        )
