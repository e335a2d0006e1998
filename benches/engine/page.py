"""The table of costs, and its place on the validation page."""

from __future__ import annotations

import os
import platform
import re
import statistics
import subprocess
from pathlib import Path
from typing import Any

BEGIN = "<!-- Written by benches/engine_cost.py, from here: measure again, do not change this text. -->"
END = "<!-- engine_cost.py to here -->"
FIGURES = {
    "cpu_us": ("CPU time in µs", 3),
    "rate_io_s": ("IO/s", 0),
    "core_io_s": ("IO/s of a processor's time", 0),
    "p50_us": ("median latency in µs", 2),
    "p99_us": ("99th percentile in µs", 0),
}
"""What the figures are called, and their digits after the point."""
BUSY = 0.5
"""Load average above which the machine was not quiet."""


def table(rows: list[dict[str, Any]], rounds: int = 0) -> str:
    """Write the rows as a table in Markdown; each says its rounds where they are not the usual ones."""
    lines = [
        "| case | figure | against | median (range) | to reach | reached |",
        "|---|---|---|---:|---:|---|",
    ]
    for row in rows:
        if row["missing"]:
            found, reached = f"not measured: {row['missing']}", "–"
        else:
            found, reached = _spread(row, rounds or len(row["values"])), "yes" if row["reached"] else "no"
        cells = [
            row["case"],
            row["what"],
            row["against"],
            found,
            f"{row['goal']} {row['unit']}".strip(),
            reached,
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _spread(row: dict[str, Any], rounds: int) -> str:
    done = len(row["values"])
    more = "" if done == rounds else f"; {done} rounds"
    return f"{row['median']:.3g} ({row['least']:.3g} to {row['greatest']:.3g}{more}) {row['unit']}".strip()


def section(rows: list[dict[str, Any]], rounds: int, seconds: float, load: float) -> str:
    """Write the generated part of the page; ``load`` is the load average of the machine before."""
    head = (
        f"Measured on {machine()}. {rounds} rounds of {seconds:g} s a tool, in turns;\n"
        "twice as long at once where IO/s are of a processor's time. A ratio is taken in each round; the\n"
        "table tells the median of them, the least and the greatest.\n"
    )
    if load > BUSY:
        head += (
            f"**Other work was running: the load average was {load:.1f} before.** Rates and latencies say\n"
            "little then, CPU time says more.\n"
        )
    return f"{BEGIN}\n{head}\n{table(rows, rounds)}\n{_absolute(rows)}\n{END}"


def _absolute(rows: list[dict[str, Any]]) -> str:
    """Write what the tools came to on this machine: medians of the rounds."""
    lines = [
        "| case | figure | iodyno | the other |",
        "|---|---|---:|---:|",
    ]
    for row in rows:
        if not row["missing"]:
            name, digits = FIGURES[row["absolute"]]
            own, other = (f"{row[side]:.{digits}f}" for side in ("own", "other"))
            cells = [row["case"], name, own, f"{other} ({row['against']})"]
            lines.append(f"| {' | '.join(cells)} |")
            if row["absolute"] == "cpu_us" and all("kernel_us" in found for found in row["found"]["own"]):
                kernel = statistics.median(found["kernel_us"] for found in row["found"]["own"])
                lines.append(f"| {row['case']} | of it in the kernel, in µs | {kernel:.{digits}f} | – |")
    return "\n".join(lines) + "\n"


def machine(*, fio: bool = True) -> str:
    """Say what kind of machine this is, its kernel and, if wanted, the version of fio."""
    cpuinfo = Path("/proc/cpuinfo").read_text("utf-8")
    model = re.search(r"^model name\s*:\s*(.+)$", cpuinfo, re.MULTILINE)
    guest = ", a virtual machine" if re.search(r"^flags.*\bhypervisor\b", cpuinfo, re.MULTILINE) else ""
    release = re.match(r"[0-9.]+", platform.release())
    kernel = release.group() if release else platform.release()
    processor = model.group(1) if model else platform.machine()
    told = f"{os.cpu_count()} × {processor}{guest}, Linux {kernel}"
    if not fio:
        return told
    version = subprocess.run(["fio", "--version"], capture_output=True, text=True, check=False).stdout
    return f"{told}, {version.strip() or 'no fio'}"


def put(page: str, text: str, marks: tuple[str, str] = (BEGIN, END)) -> str:
    """Put the generated part in place of the one that is on the page, between its marks.

    Raises
    ------
    ValueError
        If the page has no such part.
    """
    before, begin, rest = page.partition(marks[0])
    _, end, after = rest.partition(marks[1])
    if not begin or not end:
        raise ValueError("the page has no place for the table")
    return before + text + after
