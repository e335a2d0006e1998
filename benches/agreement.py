"""Agreement with fio: the same file, the same load, in turns.

Both tools measure a file in FOLDER, which iodyno makes and writes in full. In each round both measure
each case, in alternating order, and the ratio of their rates is taken; printed is the mean ratio with
its 95 % interval over the rounds. ``--limit`` lets the kernel hold the device to a rate (blk-throttle,
needs root): then the device is the limit for certain, and the ratio must be 1.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from iodyno import bench
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.profiles import STANDARD_LOADS
from limited import limited

FILE_BYTES = 1 << 30
DEPTHS = (1, 8, 32)
CASES = {
    "random-read-4k": ("randread", "4k", ()),
    "database": ("randrw", "8k", ("--rwmixread=67",)),
    "streaming": ("read", "64k", ()),
}
"""Our profile, and what fio calls it."""
WARMUP_S = 0.5
T_975 = {2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 10: 2.228, 14: 2.145}
"""Student's t, 97.5 %, by degrees of freedom."""


def fio(path: Path, case: str, depth: int, seconds: float) -> tuple[float, float]:
    """Ask fio. Gives IO/s and the 99th percentile of the latency in µs."""
    rw, size, more = CASES[case]
    command = [
        "fio", "--name=agreement", f"--filename={path}", f"--size={FILE_BYTES}", f"--rw={rw}", f"--bs={size}",
        "--direct=1", "--ioengine=io_uring", f"--iodepth={depth}", "--norandommap", "--time_based",
        f"--ramp_time={WARMUP_S}", f"--runtime={seconds}", "--lat_percentiles=1",
        "--output-format=json", *more,
    ]  # fmt: skip
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    job = json.loads(printed[printed.index("{") :])["jobs"][0]
    return job["read"]["iops"] + job["write"]["iops"], job["read"]["lat_ns"]["percentile"]["99.000000"] / 1e3


def iodyno(path: Path, case: str, depth: int, seconds: float) -> tuple[float, float]:
    """Ask iodyno. Gives IO/s and the 99th percentile of the reads' latency in µs."""
    target = PlannedTarget(
        path=str(path), kind="file", size_bytes=FILE_BYTES, area_length_bytes=FILE_BYTES, created=True
    )
    stopping = Stopping(warmup_s=WARMUP_S, floor_s=seconds, cap_s=seconds, precision=0.02, confidence=0.95)
    point = Point(
        index=0, sweep="agreement", profile=STANDARD_LOADS[case].profile, targets=(target,), seed=1,
        outstanding=depth, workers=1, stopping=stopping,
    )  # fmt: skip
    reading = bench.ask(point)
    series = reading.series
    kept = slice(len(series.reads) - round(seconds / series.window_s), None)
    completed = sum(series.reads[kept]) + sum(series.writes[kept])
    return completed / seconds, reading.reads.latency.percentile_ns(0.99) / 1e3


def ratio(values: list[float]) -> tuple[float, float, float]:
    """Give the geometric mean of ratios with its 95 % interval."""
    logs = [math.log(value) for value in values]
    mean = statistics.fmean(logs)
    half = T_975[len(logs) - 1] * statistics.stdev(logs) / math.sqrt(len(logs))
    return math.exp(mean), math.exp(mean - half), math.exp(mean + half)


def compare(path: Path, rounds: int, seconds: float) -> Iterator[dict[str, Any]]:
    """Measure every case in turns."""
    tools = (fio, iodyno)
    for case in CASES:
        for depth in DEPTHS:
            rates, tails = [], []
            for turn in range(rounds):
                order = tools if turn % 2 else tools[::-1]
                found = {tool: tool(path, case, depth, seconds) for tool in order}
                rates.append(found[iodyno][0] / found[fio][0])
                tails.append(found[iodyno][1] / found[fio][1])
            yield {"case": case, "outstanding": depth, "rate": ratio(rates), "p99": ratio(tails)}


def markdown(rows: list[dict[str, Any]], limit: int | None) -> str:
    """Write the rows as a table; without the tails that the kernel's own limit makes."""

    def text(values: tuple[float, float, float]) -> str:
        return f"{values[0]:.3f} ({values[1]:.3f} to {values[2]:.3f})"

    figures = {"rate": "rate, iodyno ÷ fio"} | ({} if limit else {"p99": "p99 of reads, iodyno ÷ fio"})
    lines = ["| profile | outstanding | " + " | ".join(figures.values()) + " |"]
    lines.append("|---|---:|" + "---:|" * len(figures))
    for row in rows:
        cells = [row["case"], str(row["outstanding"]), *(text(row[figure]) for figure in figures)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Make the file, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", default=".", type=Path)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--markdown", type=Path)
    options = parser.parse_args()
    if not shutil.which("fio"):
        sys.exit("error: fio is not installed\nhint: apt-get install fio")
    with tempfile.NamedTemporaryFile(dir=options.folder, prefix="iodyno-agreement-") as file:
        path = Path(file.name)
        os.truncate(path, FILE_BYTES)
        bench.fill(path, 0, FILE_BYTES, seed=1, direct=True)
        rows = []
        with limited(path, options.limit):
            for row in compare(path, options.rounds, options.seconds):
                rows.append(row)
                print(json.dumps(row), file=sys.stderr, flush=True)
    table = markdown(rows, options.limit)
    print(table)
    if options.json:
        options.json.write_text(
            json.dumps({"rounds": options.rounds, "limit_io_s": options.limit, "rows": rows})
        )
    if options.markdown:
        options.markdown.write_text(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
