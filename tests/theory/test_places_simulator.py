"""Random writes at multiples of more than their size: what they overwrite, by both ways and by counting."""

from __future__ import annotations

import random
from typing import Any

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import predict
from iodyno.prediction.overwritten import PAGE_BYTES, parity_share, places_share
from iodyno.prediction.pieces import Shape
from iodyno.prediction.ssd import amplification_of_places
from iodyno.profiles import Block, LoadProfile

KIB = 1024
SEED = 20_260_117
DRIVE = "intel-p3700-800"


def writes(size: int, step: int) -> LoadProfile:
    return LoadProfile(
        name="places", random_share=1.0, read_share=0.0, blocks=(Block(bytes=size),), alignment_bytes=step
    )


def both(tree: dict[str, Any], profile: LoadProfile, outstanding: int) -> tuple[float, float]:
    """Give the rate of the formulas and of the simulator on all of the one volume of a system."""
    system = resolve(system_of({"name": "made-up", **tree}))
    (volume,) = system.volumes
    grain = profile.grain_bytes
    target = PlannedTarget(
        path=volume.name, kind="virtual", size_bytes=volume.size_bytes,
        area_length_bytes=volume.size_bytes // grain * grain,
    )  # fmt: skip
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=60, precision=0.01, confidence=0.95,
        warmup_ios=20_000, floor_ios=60_000, cap_ios=60_000,
    )  # fmt: skip
    point = Point(
        index=0, sweep="s", profile=profile, targets=(target,), outstanding=outstanding, workers=1, seed=SEED,
        engine="simulator", system="made-up", stopping=stopping,
    )  # fmt: skip
    simulated = bench.simulate_point(point, system).transaction_rate_io_s
    return predict(point, system, bench.solve_network).rate_io_s, simulated


def host(level: str | None = None, count: int = 1) -> dict[str, Any]:
    direct: dict[str, Any] = {"drive": DRIVE, "count": count}
    if level:
        direct["level"] = level
    return {"host": {"processor": "xeon-e5-2660-v3", "software": "linux-nvme"}, "drives": [direct]}


def behind(level: str, count: int, write: str) -> dict[str, Any]:
    logical = {"drive": "toshiba-px02smf040", "count": count, "level": level}
    controller = {
        "part": "praid-ep420i",
        "read": "no-read-ahead",
        "write": write,
        "logical": [logical],
        "backup_unit": True,
    }
    return {
        "host": {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"},
        "controller": [controller],
    }


@pytest.mark.parametrize(
    ("size", "step"),
    [(4, 8), (4, 12), (4, 16), (4, 64), (4, 1024), (12, 32), (96, 128), (256, 1024)],
)
def test_a_drive(size: int, step: int) -> None:
    predicted, simulated = both(host(), writes(size * KIB, step * KIB), 256)
    assert predicted == pytest.approx(simulated, rel=0.05), SEED


# None of these distances puts all places of an array on some of its members, which the formulas do not know.
@pytest.mark.parametrize("step", [8, 64, 200, 1024])
@pytest.mark.parametrize(("level", "count"), [("0", 3), ("1", 2), ("5", 4), ("6", 5), ("10", 6)])
def test_an_array_of_the_host(level: str, count: int, step: int) -> None:
    predicted, simulated = both(host(level, count), writes(4 * KIB, step * KIB), 256)
    assert predicted == pytest.approx(simulated, rel=0.05), SEED


@pytest.mark.parametrize("step", [8, 64])
@pytest.mark.parametrize("write", ["write-through", "write-back"])
@pytest.mark.parametrize(("level", "count"), [("0", 3), ("5", 4), ("10", 6)])
def test_an_array_behind_a_controller(level: str, count: int, write: str, step: int) -> None:
    predicted, simulated = both(behind(level, count, write), writes(4 * KIB, step * KIB), 128)
    assert predicted == pytest.approx(simulated, rel=0.05), SEED


@pytest.mark.parametrize(
    ("spare", "places", "run", "within"),
    [
        (0.12, 16, 1.289, 0.02), (0.12, 32, 1.023, 0.02), (0.28, 5, 1.946, 0.02), (0.28, 8, 1.173, 0.02),
        (0.5, 3, 1.708, 0.02), (0.07, 3, 8.03, 0.16), (0.12, 5, 5.84, 0.16), (0.28, 4, 3.94, 0.16),
        (0.28, 3, 3.11, 0.16),
    ],
)  # fmt: skip
def test_one_page_of_several(spare: float, places: int, run: float, within: float) -> None:
    """Against a translation layer that was run, as that of ``crates/sim/tests/all/ssd/greedy.rs``."""
    assert amplification_of_places(1 + spare, 1.0, 1 / places) == pytest.approx(run, rel=within)


def test_the_share_of_a_drive_is_that_of_all_places_counted() -> None:
    draws = random.Random(SEED)
    for _ in range(300):
        size = 512 * draws.randint(1, 40)
        step = size + 512 * draws.randint(0, 200)
        # Until places lie against pages as before.
        places = 8 * PAGE_BYTES // 512
        pages = {
            page
            for place in range(places)
            for page in range(place * step // PAGE_BYTES, -(-(place * step + size) // PAGE_BYTES))
        }
        expected = min(len(pages) * PAGE_BYTES / (places * step), 1.0)
        assert places_share(size, step) == pytest.approx(expected, rel=1e-9), (size, step, SEED)


def test_the_share_of_parity_is_that_of_all_places_counted() -> None:
    draws = random.Random(SEED)
    for _ in range(100):
        data, strip = draws.randint(2, 7), 16384 * draws.choice([1, 2, 4])
        size = 4096 * draws.randint(1, 24)
        step = size + 4096 * draws.randint(1, 60)
        # By pages: of each, which of its strip it is, and which row has it.
        pages, in_strip = set(), strip // PAGE_BYTES
        places = data * in_strip
        for place in range(places):
            for page in range(place * step // PAGE_BYTES, (place * step + size) // PAGE_BYTES):
                pages.add((page // (data * in_strip), page % in_strip))
        expected = len(pages) / (places * step / (data * strip) * in_strip)
        found = parity_share(Shape(data, 1, 1, strip), size, step)
        # What covers more than two strips in part is written from the first of its parity to the last.
        whole = size > strip
        assert found == pytest.approx(expected, rel=1e-9) or (whole and found > expected), (size, step, SEED)


def test_parity_is_where_any_strip_of_its_row_is_written() -> None:
    """Three strips of 64 kB a row: 4 kB in every strip, in every row, and in every other one."""
    shape = Shape(3, 1, 1, 64 * KIB)
    shares = [parity_share(shape, 4 * KIB, step * KIB) for step in (64, 192, 384)]
    assert shares == [1 / 16, 1 / 16, 1 / 32]
