"""The engine of real targets, called: how it was built, what it fills, asks and checks."""

from __future__ import annotations

import errno
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from iodyno import _core
from iodyno.errors import EngineError, Problem
from iodyno.events import Filling, Listener
from iodyno.integrity import layout_of, trimmed_areas
from iodyno.plan import FillData, Plan, Point, point_seed
from iodyno.profiles import DRAWN_ALIGNMENT_BYTES
from iodyno.reading import Findings, Reading

if TYPE_CHECKING:
    from iodyno.targets import Target

Ledger = _core.Ledger
"""What is known of every unit of the areas of a run's targets."""
_MAKE_ROOM = "make room on its file system, or take a smaller file"
_DEVICE_FULL = "what is behind the device has no room: a thin volume, or a sparse file of a loop device"
_DOCTOR = "`iodyno doctor` tells what this machine can do"
_WORKER = "iodyno-"
"""What the names of the engine's threads begin with."""
_ENDING_S = 0.2
"""How long a thread may take to end after its last I/O before a device is said to hold it up."""
INCOMPRESSIBLE = FillData()


def build_facts() -> dict[str, Any]:
    """Tell how the engine was built.

    Returns
    -------
    dict
        ``version``, ``commit``, ``build_profile``, ``optimised`` and ``python``.
    """
    return {**_core.build(), "python": platform.python_version()}


def available_memory() -> int | None:
    """Give the memory that this process can take without swapping, in bytes; none where the kernel does not
    tell."""
    return _core.available_memory()


def engines() -> dict[str, str]:
    """Tell which engines there are, each with why this machine does not allow it.

    Returns
    -------
    dict
        Name to reason; an empty reason where the engine can run.
    """
    return _core.engines()


def accesses(
    point: Point, *, target: int = 0, worker: int = 0, count: int = 10
) -> list[tuple[bool, int, int]]:
    """List the first accesses of a point: the same plan gives the same, byte for byte.

    Parameters
    ----------
    point
        Of several loads at once that counts which the target is of.
    target, worker
        From 0; targets as the point lists them, workers of that load.
    count
        How many.

    Returns
    -------
    list of tuple
        Whether it writes, offset and length in bytes.
    """
    return _core.accesses(point.model_dump_json(), target, worker, count)


def ledger_of(plan: Plan) -> Ledger | None:
    """Make the ledger of a run that verifies its data; none where it does not."""
    layout = layout_of(plan.points)
    if layout is None:
        return None
    session = point_seed(plan.seed, "session", time.time_ns())
    return _core.Ledger(session, layout.unit_bytes, layout.longest_bytes, list(layout.areas))


def keep_ledger(ledger: Ledger, path: str | PathLike[str], next_point: Point | None = None) -> None:
    """Keep the ledger of a run in a file, durable when this returns.

    Parameters
    ----------
    ledger, path
        The ledger and the file.
    next_point
        What is measured next: where it trims, who reads the file cannot know what was trimmed.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    ledger.save(str(path), list(trimmed_areas(next_point)) if next_point else [])


def load_ledger(path: str | PathLike[str], paths: Sequence[str], run_id: str) -> Ledger:
    """Read the ledger of a run that was kept.

    Parameters
    ----------
    path
        The file.
    paths
        Paths of the targets that it knows.
    run_id
        The run, for messages.

    Raises
    ------
    EngineError
        If it cannot be read, or is of other targets.
    """
    try:
        return _core.Ledger.load(str(path), list(paths))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        what = f"what it has written where cannot be read from {path}: {reason}"
        hint = "verify where the run was made"
        if not Path(path).exists():
            what = f"nothing tells any more what it has written where: there is no {path}"
            hint += "; without --keep it goes when the run ends"
        raise EngineError(Problem(run_id, what, hint)) from error


def prepare(
    targets: Sequence[Target],
    seed: int,
    listener: Listener,
    *,
    data: FillData = INCOMPRESSIBLE,
    ledger: Ledger | None = None,
) -> None:
    """Write in full the files whose contents are still to be written.

    Parameters
    ----------
    targets
        The targets of a run. Their files exist.
    seed
        Seed of the run; the data differs from run to run all the same, so that a store that
        keeps equal blocks once finds none.
    listener
        Hears how far each file is.
    data
        How far what is written compresses and repeats: ``plan.fill_data``.
    ledger
        Of a run that verifies its data: the files are stamped.

    Raises
    ------
    EngineError
        If a write fails.
    KeyboardInterrupt
        If a signal came; the file is not full.
    """
    for target in targets:
        if target.contents == "to_be_written":
            _fill(target, point_seed(seed, "fill", target.path, time.time_ns()), listener, data, ledger)


def _fill(target: Target, seed: int, listener: Listener, data: FillData, ledger: Ledger | None) -> None:
    def tell(done_bytes: int) -> None:
        listener(Filling(path=target.path, done_bytes=done_bytes, total_bytes=length_bytes))

    # No area reaches into the rest of a file that ends within a block.
    length_bytes = target.size_bytes // DRAWN_ALIGNMENT_BYTES * DRAWN_ALIGNMENT_BYTES
    direct = bool(target.direct)
    fill(target.path, 0, length_bytes, seed=seed, direct=direct, tell=tell, data=data, ledger=ledger)


def fill(
    path: str | PathLike[str],
    start_bytes: int,
    length_bytes: int,
    *,
    seed: int,
    direct: bool,
    tell: Callable[[int], None] = lambda _: None,
    data: FillData = INCOMPRESSIBLE,
    ledger: Ledger | None = None,
) -> None:
    """Write a range of a file in full, and make it durable.

    Parameters
    ----------
    path
        An existing file or device.
    start_bytes, length_bytes
        The range.
    seed
        Seed of the data.
    direct
        Bypass the caches of the operating system.
    tell
        Called now and then, and at the end, with the bytes written so far.
    data
        How far it compresses and repeats; incompressible and without copies where left out.
    ledger
        Of a run that verifies its data: the sectors are stamped.

    Raises
    ------
    EngineError
        If a write fails.
    """
    with engine_errors(str(path), full=_DEVICE_FULL if Path(path).is_block_device() else _MAKE_ROOM):
        _core.fill(
            str(path), start_bytes, length_bytes, seed, direct, now_and_then(tell), ledger,
            data.compressible_share, data.duplicate_share,
        )  # fmt: skip
    tell(length_bytes)


def now_and_then(call: Callable[[int], None], every_s: float = 0.1) -> Callable[[int], None]:
    last = 0.0

    def maybe(value: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= every_s:
            last = now
            call(value)

    return maybe


def ask(
    point: Point,
    observe: Callable[[dict[str, Any]], None] = lambda _: None,
    ledger: Ledger | None = None,
) -> Reading:
    """Ask an engine for the reading of a point, and nothing more.

    Parameters
    ----------
    point
        What to measure. Nothing is checked here: a plan has done that.
    observe
        Called for each window of 100 ms with the fields of ``events.Sample`` but its index.
    ledger
        Of a run that verifies its data.

    Raises
    ------
    EngineError
        If the engine cannot start.
    """
    with engine_errors(f"point {point.index}"):
        return Reading.model_validate_json(_core.measure(point.model_dump_json(), observe, ledger))


def check(
    target: Target, ledger: Ledger, *, since: int = 0, tell: Callable[[int], None] = lambda _: None
) -> Findings:
    """Read what a ledger knows of a target, past the caches where that can be had, and compare.

    Parameters
    ----------
    target
        A target that the ledger has and nobody is writing to.
    ledger
        What is known.
    since
        Only what was written after this generation.
    tell
        Called now and then with the bytes read so far.

    Raises
    ------
    EngineError
        If the target cannot be opened.
    KeyboardInterrupt
        If a signal came.
    """
    block = target.logical_block_bytes
    with engine_errors(target.path):
        found = _core.verify(ledger, target.path, bool(target.direct), block, since, now_and_then(tell))
    return Findings.model_validate_json(found)


def held_up() -> bool:
    """Tell whether a device holds up workers that an interrupted point has left behind.

    They end with their last I/O, and the process not before. Those that are about to end have a moment.
    """
    until = time.monotonic() + _ENDING_S
    while held := any(name.startswith(_WORKER) for name in _threads()):
        if time.monotonic() >= until:
            break
        time.sleep(0.01)
    return held


def _threads() -> Iterator[str]:
    """Yield the names of the threads of this process."""
    for task in Path("/proc/self/task").iterdir():
        with suppress(OSError):  # it ended in between
            yield (task / "comm").read_text()


@contextmanager
def engine_errors(where: str, hint: str = _DOCTOR, *, full: str = _MAKE_ROOM) -> Iterator[None]:
    try:
        yield
    except (RuntimeError, ValueError) as error:
        no_room = f"os error {errno.ENOSPC}" in str(error)
        raise EngineError(Problem(where, str(error), full if no_room else hint)) from error
