"""Ask one point, JSON from standard input, and print what it cost: in a process of its own, as others."""

from __future__ import annotations

import json
import resource
import sys

from iodyno import bench
from iodyno.plan import Point
from iodyno.reading import Reading


def cpu_s() -> tuple[float, float]:
    """Give the CPU time of this process so far, in its own code and in the kernel's for it."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime, used.ru_stime


def main() -> None:
    """Ask and print."""
    point = Point.model_validate_json(sys.stdin.read())
    before = cpu_s()
    reading = bench.ask(point)
    own, kernel = (after - start for after, start in zip(cpu_s(), before, strict=True))
    ios = reading.issued.reads + reading.issued.writes
    apart = [figures(load) for load in reading.apart]
    whole = figures(reading) | {
        "cpu_us": (own + kernel) / ios * 1e6,
        "core_io_s": ios / (own + kernel),
        "kernel_us": kernel / ios * 1e6,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(json.dumps({"whole": whole, "apart": apart}))


def figures(reading: Reading) -> dict[str, float]:
    """Give what a reading says; CPU time is that of its workers alone."""
    latency = (reading.reads if reading.reads.completed else reading.writes).latency
    return {
        "rate_io_s": reading.transaction_rate_io_s,
        "cpu_us": sum(worker.cpu_s for worker in reading.workers) / reading.completed * 1e6,
        "p50_us": latency.percentile_ns(0.5) / 1e3,
        "p99_us": latency.percentile_ns(0.99) / 1e3,
    }


if __name__ == "__main__":
    main()
