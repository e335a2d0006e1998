"""Asking an engine or the simulator, for the tests that all of them have to pass."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from iodyno import bench
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.profiles import LoadProfile
from iodyno.reading import Reading
from iodyno.verdict import laws
from iodyno.virtual import VirtualSystem
from virtual_systems import virtual_system

ENGINES = ("io_uring", "aio", "sync", "null", "nop")
REAL, WITHOUT_STORAGE = ENGINES[:3], ENGINES[3:]
SIMULATOR = "simulator"
EVERY = (*ENGINES, SIMULATOR)
"""All that answer a point: what a reading says must be true of each."""
SEED = 20_260_101
FILE_BYTES = 16 << 20


def needs(engine: str) -> None:
    """Skip where this machine does not allow an engine; the simulator needs nothing of it."""
    if engine == SIMULATOR:
        return
    why = bench.engines()[engine]
    if why:
        pytest.skip(f"{engine} cannot run here: {why}")


@dataclasses.dataclass(frozen=True)
class Stand:
    """A file to measure, a second one, and whether direct I/O works on them."""

    path: Path
    other: Path
    direct: bool

    def point(self, engine: str, profile: LoadProfile, *, seconds: float = 0.4, **fields: Any) -> Point:
        """Make a point on the file, or on a virtual drive as large: no warm-up, a fixed time."""
        area, count = fields.pop("area", (0, FILE_BYTES)), fields.pop("targets", 1)
        if engine == SIMULATOR:
            ios = fields.pop("ios", 4_000 if seconds < 1 else 400_000)
            return simulated(profile, area, count, ios=ios, **fields)
        targets = tuple(
            PlannedTarget(
                path=str(path), kind="file", size_bytes=FILE_BYTES,
                area_start_bytes=area[0], area_length_bytes=area[1],
            )
            for path in (self.path, self.other)[:count]
        )  # fmt: skip
        warmup_s = fields.pop("warmup_s", 0.0)
        stopping = Stopping(
            warmup_s=warmup_s, floor_s=seconds, cap_s=seconds, precision=0.02, confidence=0.95
        )
        fields = {"outstanding": 4, "workers": 1, "direct": self.direct, "seed": SEED} | fields
        return Point(
            index=0, sweep="test", profile=profile, targets=targets, engine=engine, stopping=stopping,
            **fields,
        )  # fmt: skip


def simulated(
    profile: LoadProfile, area: tuple[int, int], count: int = 1, *, ios: int, **fields: Any
) -> Point:
    """Make a point on virtual drives as large as the file that counts so many I/Os."""
    targets = tuple(
        PlannedTarget(
            path=f"drive-{drive}", kind="virtual", size_bytes=FILE_BYTES,
            area_start_bytes=area[0], area_length_bytes=area[1],
        )
        for drive in range(count)
    )  # fmt: skip
    warmup_ios = 2_000 if fields.pop("warmup_s", 0.0) else 0
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=1, precision=0.02, confidence=0.95,
        warmup_ios=warmup_ios, floor_ios=ios, cap_ios=2 * ios,
    )  # fmt: skip
    fields = {"outstanding": 4, "workers": 1, "seed": SEED} | fields
    return Point(
        index=0, sweep="test", profile=profile, targets=targets, engine=SIMULATOR, stopping=stopping,
        system="made-up", **fields,
    )  # fmt: skip


def made_up_system() -> VirtualSystem:
    """Give a virtual system of two drives whose volumes are as large as the file."""
    system = virtual_system(drives=2)
    volumes = tuple(item.model_copy(update={"size_bytes": FILE_BYTES}) for item in system.volumes)
    return system.model_copy(update={"volumes": volumes})


def fast_system() -> VirtualSystem:
    """Give one that serves more than a million I/Os a second: 0.5 µs of the host, 64 dies of 50 µs."""
    free = {"read_ps": 500_000, "write_ps": 500_000, "per_kib_ps": 0}
    system = virtual_system().model_dump(mode="json")
    system["volumes"][0] |= {"cpu": free, "size_bytes": FILE_BYTES}
    system["drives"][0]["model"] |= {"command_read_ps": 500_000, "dies": 64, "stripe_bytes": 4096}
    return VirtualSystem.model_validate(system)


def all_served(reading: Reading) -> bool:
    """Tell whether I/Os of each load were served, or failed."""
    return all(load.completed or load.errors for load in reading.apart)


def both_served(reading: Reading) -> bool:
    """Tell whether reads and writes were served."""
    return min(reading.reads.completed, reading.writes.completed) > 0


STANDSTILL_S = 20.0
"""How long a disk may stand still."""


def ask(
    point: Point,
    observe: Callable[[dict[str, Any]], None] = lambda _: None,
    system: VirtualSystem | None = None,
    *,
    ledger: bench.Ledger | None = None,
    served: Callable[[Reading], object] = all_served,
) -> Reading:
    """Ask an engine, or the simulator, for a reading; the observer hears of windows of the engine, and from
    the simulator that it goes on.

    A disk may stand still for the whole of a short point. Then it is asked for again, until enough is served
    that a test has something to judge; what is left aside keeps the laws too.
    """
    print(f"seed {point.seed}")  # noqa: T201 - a failing test tells its seed
    if point.simulated:
        return bench.simulate_point(point, system or made_up_system(), lambda: observe({}))
    reading = bench.ask(point, observe, ledger=ledger)
    until = time.monotonic() + STANDSTILL_S
    while point.engine not in WITHOUT_STORAGE and not served(reading) and time.monotonic() < until:
        assert laws(point, reading) == []
        assert reading.errors == reading.corruptions == 0
        assert reading.issued.reads + reading.issued.writes > 0
        reading = bench.ask(point, observe, ledger=ledger)
    return reading


def profile(random: float, read: float, size: int = 4096, **fields: Any) -> LoadProfile:
    """Make a load profile of one block size."""
    return LoadProfile(name="test", random_share=random, read_share=read, blocks=[{"bytes": size}], **fields)
