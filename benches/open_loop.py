"""Open loops at shares of what a disk can serve: what was asked for, what was had, how long it took.

A file is made in FOLDER and measured by `iodyno measure --rate 20%,50%,80%,110%`; the closed loop that finds
the whole comes first. Printed is what each share came to, as a table in Markdown. ``--limit`` lets the kernel
hold the device to a rate (blk-throttle, needs root): then what it can serve is the same all the time.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from engine.page import BUSY, machine, put
from iodyno.cli.wording import verdict_text
from iodyno.reading import PointResult
from iodyno.store import Store
from limited import limited

SHARES = (20, 50, 80, 110)
BEGIN = "<!-- Written by benches/open_loop.py, from here: measure again, do not change this text. -->"
END = "<!-- open_loop.py to here -->"


def measure(folder: Path, store: Path, options: argparse.Namespace) -> list[PointResult]:
    """Measure, in a process of its own."""
    command = [
        sys.executable, "-m", "iodyno", "measure", str(folder), "--quick", "--profile", options.profile,
        "--rate", ",".join(f"{share}%" for share in SHARES), "--arrival", options.arrival,
        "--size", "1G", "--store", str(store), "--quiet",
    ]  # fmt: skip
    with limited(options.folder, options.limit):
        subprocess.run(command, check=True)
    with Store.open(store) as kept:
        return list(kept.load("latest").results)


def table(results: list[PointResult]) -> str:
    """Write what each open loop came to as a table in Markdown."""
    lines = [
        "| load | asked for, IO/s | had, IO/s | difference | backlog at the end | latency, median "
        "| response time, median | response time, p99 | issued after its time, median | p99 | verdict |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|",
    ]
    shares = iter(SHARES)
    for result in results:
        share = next(shares) if result.reading.open_loop else None
        lines.append(f"| {' | '.join(_cells(result, share))} |")
    return "\n".join(lines) + "\n"


def _cells(result: PointResult, share: int | None) -> list[str]:
    reading, point = result.reading, result.point
    rate = reading.transaction_rate_io_s
    latency = _us(reading.latency.percentile_ns(0.5))
    loop, response = reading.open_loop, reading.reads.response_time
    if loop is None or response is None:
        name = f"closed loop, {point.outstanding} outstanding"
        return [name, "–", f"{rate:.0f}", "–", "–", latency, *"––––", verdict_text(result.verdict)]
    return [
        f"{share} % of the whole",
        f"{loop.rate_asked_io_s:.0f}",
        f"{rate:.0f}",
        f"{rate / loop.rate_asked_io_s - 1:+.2%}",
        f"{loop.backlog_end}",
        latency,
        _us(response.percentile_ns(0.5)),
        _us(response.percentile_ns(0.99)),
        _us(loop.start_delay.percentile_ns(0.5)),
        _us(loop.start_delay.percentile_ns(0.99)),
        verdict_text(result.verdict),
    ]


def _us(value_ns: float) -> str:
    value = value_ns / 1e3
    return f"{value:.3g} µs" if value < 1e3 else f"{value / 1e3:.3g} ms"


def main() -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", default=".", type=Path)
    parser.add_argument("--profile", default="random-read-4k")
    parser.add_argument("--arrival", default="fixed", choices=("poisson", "fixed"))
    parser.add_argument("--limit", type=int, metavar="IO/S", help="let the kernel hold the device to this")
    parser.add_argument("--page", type=Path, help="put the table into this page, between its marks")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as kept:
        found = table(measure(options.folder, Path(kept) / "store.db", options))
    print(found)
    if options.page:
        text = f"{BEGIN}\nMeasured on {machine(fio=False)}; "
        text += f"profile {options.profile}, {options.arrival} arrivals.\n"
        if options.limit:
            text += f"The kernel holds the device to {options.limit} IO/s.\n"
        if load > BUSY:
            text += f"**Other work was running: the load average was {load:.1f} before.**\n"
        text += f"\n{found}\n{END}"
        options.page.write_text(put(options.page.read_text("utf-8"), text, (BEGIN, END)), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
