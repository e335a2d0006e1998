"""Asking an engine, for the tests that every engine has to pass."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from iodyno import bench
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.profiles import LoadProfile
from iodyno.reading import Reading

ENGINES = ("io_uring", "aio", "sync", "null")
REAL = ENGINES[:3]
SEED = 20_260_101
FILE_BYTES = 16 << 20


def needs(engine: str) -> None:
    """Skip where this machine does not allow an engine."""
    why = bench.engines()[engine]
    if why:
        pytest.skip(f"{engine} cannot run here: {why}")


@dataclasses.dataclass(frozen=True)
class Stand:
    """A file to measure, and whether direct I/O works on it."""

    path: Path
    direct: bool

    def point(self, engine: str, profile: LoadProfile, *, seconds: float = 0.4, **fields: Any) -> Point:
        """Make a point on the file: no warm-up, a fixed time."""
        area = fields.pop("area", (0, FILE_BYTES))
        target = PlannedTarget(
            path=str(self.path), kind="file", size_bytes=FILE_BYTES,
            area_start_bytes=area[0], area_length_bytes=area[1],
        )  # fmt: skip
        warmup_s = fields.pop("warmup_s", 0.0)
        stopping = Stopping(
            warmup_s=warmup_s, floor_s=seconds, cap_s=seconds, precision=0.02, confidence=0.95
        )
        fields = {"outstanding": 4, "workers": 1, "direct": self.direct, "seed": SEED} | fields
        return Point(
            index=0, sweep="test", profile=profile, targets=(target,), engine=engine, stopping=stopping,
            **fields,
        )  # fmt: skip


def ask(point: Point, observe: Callable[[dict[str, Any]], None] = lambda _: None) -> Reading:
    """Ask an engine for a reading."""
    print(f"seed {point.seed}")  # noqa: T201 - a failing test tells its seed
    return bench.ask(point, observe)


def profile(random: float, read: float, size: int = 4096, **fields: Any) -> LoadProfile:
    """Make a load profile of one block size."""
    return LoadProfile(name="test", random_share=random, read_share=read, blocks=[{"bytes": size}], **fields)
