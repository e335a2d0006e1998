"""The tools that are compared: what each is asked, and what it cost. All are held to the same processors."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.profiles import STANDARD_LOADS, LoadProfile

FILE_BYTES = 1 << 30
BLOCK_BYTES = 4096
_SECTOR_BYTES = 512
_CHILD = Path(__file__).with_name("child.py")
WARMUP_S = 0.3


@dataclass(frozen=True)
class Load:
    """What a tool is asked for."""

    path: Path
    seconds: float
    outstanding: int = 1
    workers: int = 1
    read_share: float = 1.0
    direct: bool = True
    engine: str = "io_uring"
    data: str = "incompressible"
    duplicate_share: float = 0.0
    warm: bool = True
    """Leave the beginning out: not where the CPU time of a whole process is put beside all its I/Os."""
    before: int = 0
    """Processors at the end that are left to others."""

    @property
    def cpus(self) -> set[int]:
        """One processor for each worker: the last ones, since the first serves most interrupts."""
        usable = sorted(os.sched_getaffinity(0))
        return set(usable[: len(usable) - self.before][-self.workers :])


Found = dict[str, float]
"""What came out: ``rate_io_s``, ``cpu_us`` of the process for an I/O, ``core_io_s`` in a second of the
process's CPU time, ``p50_us``, ``p99_us``."""


def iodyno(load: Load) -> Found:
    """Ask iodyno, in a process of its own, start-up left out; with every statistic that it always makes."""
    found: Found = _asked(_point(load), load.cpus)["whole"]
    return found


def loads_at_once(loads: Sequence[Load]) -> list[Found]:
    """Ask iodyno for loads at once, on the first one's processors; CPU time is that of a load's workers."""
    beside = tuple(
        {
            "profile": _profile(load), "targets": 1, "seed": number, "outstanding": load.outstanding,
            "workers": load.workers,
        }
        for number, load in enumerate(loads[1:], start=2)
    )  # fmt: skip
    first = loads[0]
    point = _point(first) | {"targets": (_target(first),) * len(loads), "beside": beside}
    found: list[Found] = _asked(point, first.cpus)["apart"]
    return found


def _asked(point: dict[str, Any], cpus: set[int]) -> Any:
    printed, _ = _run([sys.executable, str(_CHILD)], cpus, Point.model_validate(point).model_dump_json())
    return json.loads(printed)


def _point(load: Load) -> dict[str, Any]:
    stopping = Stopping(
        warmup_s=WARMUP_S, floor_s=load.seconds, cap_s=load.seconds, precision=0.02, confidence=0.95
    )
    return {
        "index": 0, "sweep": "cost", "profile": _profile(load), "targets": (_target(load),), "seed": 1,
        "outstanding": load.outstanding, "workers": load.workers, "stopping": stopping,
        "engine": load.engine, "direct": load.direct,
    }  # fmt: skip


def _target(load: Load) -> PlannedTarget:
    return PlannedTarget(
        path=str(load.path), kind="file", size_bytes=FILE_BYTES, area_length_bytes=FILE_BYTES, created=True
    )


def _profile(load: Load) -> LoadProfile:
    changes = {
        "read_share": load.read_share, "data": load.data, "data_duplicate_share": load.duplicate_share
    }  # fmt: skip
    return STANDARD_LOADS["random-read-4k"].profile.model_copy(update=changes)


def fio(load: Load) -> Found:
    """Ask fio with its defaults, start-up subtracted."""
    warm = [f"--ramp_time={WARMUP_S}"] if load.warm else []
    timed = ["--time_based", f"--runtime={load.seconds}", *warm]
    printed, usage = _run([*_fio_command(load), *timed], load.cpus)
    job = json.loads(printed[printed.index("{") :])["jobs"][0]
    ios = job["read"]["total_ios"] + job["write"]["total_ios"]
    direction = job["read"] if job["read"]["total_ios"] else job["write"]
    percentiles = direction["lat_ns"]["percentile"]
    cpu_s = _cpu_s(usage) - _fio_start_s(replace(load, seconds=0))
    return {
        "rate_io_s": job["read"]["iops"] + job["write"]["iops"],
        "cpu_us": cpu_s / ios * 1e6,
        "core_io_s": ios / cpu_s,
        "p50_us": percentiles["50.000000"] / 1e3,
        "p99_us": percentiles["99.000000"] / 1e3,
    }


def _fio_command(load: Load) -> list[str]:
    way = {1.0: "randread", 0.0: "randwrite"}.get(load.read_share, "randrw")
    mix = [f"--rwmixread={round(load.read_share * 100)}"] if way == "randrw" else []
    place = [] if load.engine == "null" else [f"--filename={load.path}", "--invalidate=0"]
    return [
        "fio", "--name=cost", "--thread", f"--ioengine={load.engine}", f"--size={FILE_BYTES}", f"--rw={way}",
        f"--bs={BLOCK_BYTES}", f"--direct={int(load.direct)}", f"--iodepth={load.outstanding}",
        f"--numjobs={load.workers}", "--group_reporting", "--norandommap", "--randrepeat=0",
        "--lat_percentiles=1", "--output-format=json", *mix, *place,
    ]  # fmt: skip


@cache
def _fio_start_s(load: Load) -> float:
    """Give the CPU time in s that fio takes to start and end: the least of three runs of one I/O."""
    once = [*_fio_command(load), "--number_ios=1"]
    return min(_cpu_s(_run(once, load.cpus)[1]) for _ in range(3))


def t_io_uring(load: Load) -> Found:
    """Ask the ring's own benchmark out of fio's sources: it makes no statistics but a count."""
    batch = min(32, load.outstanding)
    way = ["-N1"] if load.engine == "nop" else [f"-O{int(load.direct)}", "-B1", "-F1", "-X1"]
    seconds = max(2, round(load.seconds))
    command = [
        os.environ["IODYNO_T_IO_URING"], f"-b{BLOCK_BYTES}", f"-d{load.outstanding}", f"-s{batch}",
        f"-c{batch}", "-p0", f"-r{seconds}", f"-n{load.workers}", *way, str(load.path),
    ]  # fmt: skip
    printed, usage = _run(command, load.cpus)
    rates = [
        float(number) * {"": 1.0, "K": 1e3, "M": 1e6}[unit]
        for number, unit in re.findall(r"^IOPS=([0-9.]+)([KM]?)", printed, re.MULTILINE)
    ]
    rate = sum(rates) / len(rates)
    # Of a device the kernel counts what the process read, to the last I/O. Without one it counts the program
    # itself, where that had to be loaded.
    counted = load.direct and load.engine != "nop"
    ios = usage.ru_inblock * _SECTOR_BYTES / BLOCK_BYTES if counted else rate * seconds
    return {"rate_io_s": rate, "cpu_us": _cpu_s(usage) / ios * 1e6, "core_io_s": ios / _cpu_s(usage)}


def has_t_io_uring() -> bool:
    """Tell whether the path of t/io_uring was given."""
    return bool(os.environ.get("IODYNO_T_IO_URING"))


def _cpu_s(usage: Any) -> float:
    return float(usage.ru_utime + usage.ru_stime)


def _run(command: Sequence[str], cpus: set[int], given: str = "") -> tuple[str, Any]:
    """Run a command on some processors; what it printed, and what it used, children included."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as put:
        put.write(given)
        put.seek(0)
        process = subprocess.Popen(
            command, stdin=put, stdout=out, preexec_fn=lambda: os.sched_setaffinity(0, cpus)
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
        out.seek(0)
        return out.read(), usage
