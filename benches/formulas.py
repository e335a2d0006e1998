"""How far the formulas are from the simulator, on points drawn at random over the catalogue.

A kind of points is a family of loads on a family of systems. What is drawn follows from the seed alone, so
another seed is another sample: one on which nothing was tried out tells how good the formulas are. Shares of
the points within so many percent are printed, the worst points, and what a prediction costs.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from iodyno import bench
from iodyno.catalog.parts import DrivePart
from iodyno.catalog.resolve import resolve
from iodyno.catalog.shelf import shipped
from iodyno.catalog.tree import system_of
from iodyno.errors import IodynoError
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import predict
from iodyno.prediction.rough import rough
from iodyno.profiles import Block, LoadProfile
from iodyno.virtual import HddModel, VirtualSystem

WITHIN = (0.1, 0.25, 0.5)
IOS, IOS_BESIDE_A_REBUILD = 20_000, 3_000
"""I/Os of a simulation before those that count, and of those that do at least: fewer beside a rebuild, which
leaves some loads next to nothing, for hours of virtual time."""
ROOM_BYTES, ROOM_ROWS, ENTRY_BYTES = 64 << 20, 16, 64 << 10
"""What a cache has for what streams write, in bytes and in rows, at the least; an entry of a disk's cache."""
FILLINGS = 2
"""How often these are filled before what counts begins."""
OVERDUE_REVOLUTIONS, TURNS = 256, 4
"""Revolutions for which a disk passes over a command, and how often that lasts before what counts begins."""
AREAS = (0.05, 0.1, 0.25, 0.5, 1.0)
"""Shares of a volume that are accessed."""
WORKERS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
READ_SHARES = {
    "readers": (1.0,),
    "writers": (0.0,),
    "mixes": (0.25, 0.5, 0.67, 0.9),
    "arrays": (1.0, 0.0),
    "random": (1.0, 0.67, 0.0),
    "blends": (1.0, 0.67, 0.0),
    "degraded": (1.0, 0.67, 0.0),
    "rebuilding": (1.0, 0.67, 0.0),
    "unlike": (1.0, 0.67, 0.0),
}
"""Kinds of points, and what is drawn from: streams on one disk that are read, written or both, streams on
arrays of disks that are read or written, one worker on any system of the catalogue, at random or in
order, one that does both or has blocks of two sizes, and one on arrays of which a member has failed or is
being rebuilt; targets of two or three kinds at once, with workers for all of them or for each."""
ONE_WORKER = ("random", "blends", "degraded", "rebuilding", "unlike")
"""Kinds with one worker, or one for each target."""
REBUILD_MB_S = (5, 20, 50, 100, 200)
KIB = (4, 8, 16, 64, 128, 256, 1024)
CONTROLLERS = ("psas-cp400i", "praid-cp400i", "praid-ep420i")
SOFTWARE = {
    (True, False): "linux-nvme",
    (False, True): "windows-raw-megaraid",
    (True, True): "windows-2012-ntfs-nvme",
}
"""What reaches drives of the host, those behind controllers, and both."""
LEVELS = {"0": 1, "1": 2, "10": 4, "5": 3, "6": 4, "50": 6, "60": 8}
"""Levels and the fewest drives that they take."""


def one_disk(draw: random.Random) -> dict[str, Any]:
    """Put a disk of the catalogue alone behind a controller, with what that can do ahead of it or without."""
    controller: dict[str, Any] = {"part": draw.choice(CONTROLLERS), "drive_cache": draw.choice(("on", "off"))}
    logical = {"drive": draw.choice(drives("hdd")), "level": "JBOD"}
    if controller["part"] != "psas-cp400i":
        logical["level"] = "0"
        controller["read"] = draw.choice(("read-ahead", "no-read-ahead"))
    if controller["part"] == "praid-ep420i":
        controller["write"] = draw.choice(("write-through", "always-write-back"))
    return {"controller": [{**controller, "logical": [logical]}]}


def several_disks(draw: random.Random) -> dict[str, Any]:
    """Put several disks behind a controller that fetches ahead of readers and gathers what is written."""
    level = draw.choice(tuple(LEVELS))
    count = 2 if level == "1" else 2 * draw.randint(max(LEVELS[level] // 2, 1), 4)
    logical = {"drive": draw.choice(drives("hdd")), "count": count, "level": level}
    controller = {"part": "praid-ep420i", "read": "read-ahead", "write": "always-write-back"}
    return {"controller": [{**controller, "logical": [logical]}]}


def any_system(draw: random.Random) -> dict[str, Any]:
    """Take any drive: alone or several of them, behind a controller or in RAID of the host."""
    drive = shipped().get(draw.choice(drives("hdd", "ssd")))
    assert isinstance(drive, DrivePart)
    level = draw.choice(("JBOD", *LEVELS))
    count = 1 if level == "JBOD" else 2 if level == "1" else 2 * draw.randint(math.ceil(LEVELS[level] / 2), 4)
    if drive.interface.startswith("PCIe"):
        direct: dict[str, Any] = {"drive": drive.name, "count": count}
        return {"drives": [direct if level == "JBOD" else {**direct, "level": level}]}
    controller: dict[str, Any] = {"part": draw.choice(CONTROLLERS), "drive_cache": draw.choice(("on", "off"))}
    if level != "JBOD":
        del controller["drive_cache"]
        controller["mode"] = draw.choice(("performance", "data-protection", "fast-path-optimum"))
    return {
        "controller": [{**controller, "logical": [{"drive": drive.name, "count": count, "level": level}]}]
    }


def degraded_system(draw: random.Random) -> dict[str, Any]:
    """Take any array that works with a failed member."""
    while True:
        written = any_system(draw)
        (drives,) = written["drives"] if "drives" in written else written["controller"][0]["logical"]
        if drives.get("level", "JBOD") not in ("JBOD", "0"):
            drives["failed"] = [0]
            return written


def rebuilding_system(draw: random.Random) -> dict[str, Any]:
    """Take any array of a controller with a member that is being rebuilt."""
    while True:
        written = degraded_system(draw)
        for controller in written.get("controller", ()):
            controller["logical"][0]["rebuild_mb_s"] = draw.choice(REBUILD_MB_S)
            return written


def unlike_systems(draw: random.Random) -> dict[str, Any]:
    """Put two or three of any systems into one host."""
    several = [any_system(draw) for _ in range(draw.choice((2, 3)))]
    parts = {
        part: [those for one in several for those in one.get(part, ())] for part in ("drives", "controller")
    }
    return {part: those for part, those in parts.items() if those}


SYSTEMS = {
    "arrays": several_disks, "random": any_system, "blends": any_system, "degraded": degraded_system,
    "rebuilding": rebuilding_system, "unlike": unlike_systems,
}  # fmt: skip
"""What kinds of points are on that are not on one disk."""


def drives(*kinds: str) -> list[str]:
    """Give the names of the drives of the catalogue of such kinds, sorted."""
    return sorted(part.name for part in shipped().of(DrivePart) if part.kind in kinds)


def resolved(written: dict[str, Any]) -> VirtualSystem:
    """Put what was drawn into a host that takes it."""
    software = SOFTWARE["drives" in written, "controller" in written]
    host = {"processor": "xeon-e5-2660-v3", "processors": 2, "software": software}
    return resolve(system_of({"name": "drawn", "host": host, **written}))


def system_drawn(kind: str, draw: random.Random) -> tuple[str, VirtualSystem]:
    """Draw systems until one can exist."""
    while True:
        written = SYSTEMS.get(kind, one_disk)(draw)
        try:
            return json.dumps(written), resolved(written)
        except IodynoError:
            continue


def filling_ios(system: VirtualSystem, profile: LoadProfile) -> int:
    """Give the I/Os with which streams have filled the caches of controllers and their disks some times.

    A simulation begins with them full of one stream, which the disks write faster than those of the load.
    """
    bytes_held = 0
    for controller in system.controllers:
        for logical in controller.logicals:
            models = [system.drives[drive].model for drive in logical.array.drives]
            if logical.write_back and profile.writes and profile.random_share < 1:
                row_bytes = len(models) * logical.array.strip_bytes
                disks = sum(one.write_cache_entries for one in models if isinstance(one, HddModel))
                bytes_held += max(ROOM_BYTES, ROOM_ROWS * row_bytes) + disks * ENTRY_BYTES
    return math.ceil(FILLINGS * bytes_held / (profile.mean_block_bytes * max(1 - profile.read_share, 0.1)))


def turn_ios(system: VirtualSystem, profile: LoadProfile, workers: int) -> int:
    """Give the I/Os of streams, as fast as their disks can read, in which each has had its turn some times.

    A disk stays with one as long as it finds its next command there, until those of another are overdue.
    """
    disks = [one.model for one in system.drives if isinstance(one.model, HddModel)]
    if workers == 1 or profile.random_share == 1:
        return 0
    bytes_meanwhile = sum(OVERDUE_REVOLUTIONS * one.revolution_ps / 1e12 * one.outer_bytes_s for one in disks)
    return math.ceil(TURNS * bytes_meanwhile / profile.mean_block_bytes)


def drawn(kind: str, number: int, seed: int) -> tuple[str, VirtualSystem, Point]:
    """Draw a point with what it is in words: the same for the same kind, number and seed."""
    draw = random.Random(f"{seed} {kind} {number}")
    written, system = system_drawn(kind, draw)
    alone, blended = kind not in ONE_WORKER, kind == "blends"
    kib, workers = draw.choice(KIB), draw.choice(WORKERS) if alone else 1
    read_share = draw.choice(READ_SHARES[kind])
    random_share = 0.0 if alone else draw.choice((0.25, 0.5, 0.9, 1.0) if blended else (1.0, 1.0, 0.0))
    outstanding, share = 2 ** draw.randint(0, 5 if alone else 8), draw.choice(AREAS)
    second = draw.choice(KIB) if blended else kib
    blocks = {kib: 1, second: draw.choice((1, 4)) if blended else 1}
    profile = LoadProfile(
        name=kind,
        random_share=random_share,
        read_share=read_share,
        blocks=tuple(Block(bytes=size << 10, weight=weight) for size, weight in blocks.items()),
    )
    each = None
    if kind == "unlike":
        workers, each = draw.choice(((1, None), (4, None), (1, 1)))
    targets = tuple(
        PlannedTarget(
            path=volume.name, kind="virtual", size_bytes=volume.size_bytes,
            area_length_bytes=int(share * volume.size_bytes) >> 20 << 20,
        )
        for volume in system.volumes
    )  # fmt: skip
    ios = len(targets) * (IOS_BESIDE_A_REBUILD if kind == "rebuilding" else IOS)
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=60, precision=0.01, confidence=0.95,
        warmup_ios=max(ios, filling_ios(system, profile), turn_ios(system, profile, workers)),
        floor_ios=ios, cap_ios=2 * ios,
    )  # fmt: skip
    point = Point(
        index=0, sweep="s", profile=profile, targets=targets, outstanding=outstanding, workers=workers,
        targets_per_worker=each, seed=draw.getrandbits(62), engine="simulator", system="drawn",
        stopping=stopping,
    )  # fmt: skip
    what = (
        f"{' and '.join(f'{size} kB' for size in blocks)}, {read_share:.0%} read, {random_share:.0%} random,"
        f" {workers} x {outstanding} outstanding{' on each target' if each else ''},"
        f" {share:.0%} of {written}"
    )
    return what, system, point


@dataclass(frozen=True)
class Compared:
    """A point by both."""

    number: int
    what: str
    quotient: float
    """Rate of the formulas ÷ that of the simulator."""
    rate_io_s: float
    """By the simulator."""
    predicted_s: float
    """What the prediction took, in s of processor time."""
    reasons: tuple[str, ...]
    """Why the formulas say themselves that they may be far off."""


def compared(kind: str, seed: int, number: int) -> Compared:
    """Simulate and predict a point."""
    what, system, point = drawn(kind, number, seed)
    simulated = bench.simulate_point(point, system).transaction_rate_io_s
    began = time.process_time()
    predicted = predict(point, system, bench.solve_network).rate_io_s
    took = time.process_time() - began
    reasons = tuple(reason.what for reason in rough(point, system, bench.solve_network))
    return Compared(number, what, predicted / simulated, simulated, took, reasons)


def within(found: Sequence[Compared], share: float) -> float:
    """Give the share of points whose formulas are so near."""
    return statistics.fmean(abs(one.quotient - 1) <= share for one in found)


def summary(found: Sequence[Compared]) -> dict[str, float]:
    """Give the figures of a kind."""
    quotients = sorted(one.quotient for one in found)
    costs = sorted(one.predicted_s for one in found)
    return {
        "points": len(found),
        **{f"within_{share:.0%}": within(found, share) for share in WITHIN},
        "least": quotients[0], "median": statistics.median(quotients), "most": quotients[-1],
        "ms_mean": 1000 * statistics.fmean(costs), "ms_most": 1000 * costs[-1],
    }  # fmt: skip


def show_reasons(found: Sequence[Compared]) -> None:
    """Print how good the formulas are where they say that they may be off, by the reason, and elsewhere."""
    reasons = dict.fromkeys(reason for one in found for reason in one.reasons)
    for reason in (*reasons, ""):
        those = [one for one in found if reason in one.reasons or not (reason or one.reasons)]
        if not those:
            continue
        shares = ", ".join(f"{within(those, share):.1%} within {share:.0%}" for share in WITHIN)
        quotients = [one.quotient for one in those]
        print(f"{reason or 'nothing against it'}: {len(those)} points, {shares};", end=" ")
        print(f"{min(quotients):.2f} to {max(quotients):.2f}")


def show(kind: str, found: Sequence[Compared], worst: int) -> None:
    """Print a kind."""
    figures = summary(found)
    shares = ", ".join(f"{figures[f'within_{share:.0%}']:.1%} within {share:.0%}" for share in WITHIN)
    print(f"{kind}: {len(found)} points, {shares}; formulas ÷ simulator", end=" ")
    print(f"{figures['least']:.2f} to {figures['most']:.2f}, median {figures['median']:.3f};", end=" ")
    print(f"{figures['ms_mean']:.1f} ms a prediction, {figures['ms_most']:.0f} at the most")
    for one in sorted(found, key=lambda one: -abs(math.log(one.quotient)))[:worst]:
        print(f"  {one.quotient:6.2f} of {one.rate_io_s:.0f} IO/s, point {one.number}: {one.what}")


def main() -> None:
    """Print how far the formulas are off."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1, help="what is drawn follows from it")
    parser.add_argument("--points", type=int, default=200, help="points of each kind")
    parser.add_argument("--worst", type=int, default=10, help="points shown of each kind, the worst")
    parser.add_argument("--json", action="store_true", help="print JSON, with every point")
    parser.add_argument(
        "kinds",
        nargs="*",
        metavar="kind",
        help=f"{', '.join(READ_SHARES)}; all unless given",
    )
    chosen = parser.parse_args()
    if wrong := set(chosen.kinds) - set(READ_SHARES):
        parser.error(f"no kind of points: {', '.join(sorted(wrong))}")
    every = {}
    with ProcessPoolExecutor() as processes:
        for kind in chosen.kinds or READ_SHARES:
            one = partial(compared, kind, chosen.seed)
            found = every[kind] = list(processes.map(one, range(chosen.points), chunksize=4))
            if not chosen.json:
                show(kind, found, chosen.worst)
    if not chosen.json:
        show_reasons([one for found in every.values() for one in found])
    else:
        print(
            json.dumps(
                {kind: {**summary(found), "every": list(map(asdict, found))} for kind, found in every.items()}
            )
        )


if __name__ == "__main__":
    main()
