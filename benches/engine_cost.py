"""What an I/O costs, side by side: iodyno, fio and, where IODYNO_T_IO_URING tells its path, fio's t/io_uring.

A file is made in FOLDER and written in full. In each round both sides of each case are measured, in
alternating order, each in a process of its own that is held to one processor (two workers: two), and their
figures are put in relation; printed are the median over the rounds and the range. What is compared is the CPU
time of the whole process, start-up left out; iodyno always makes its full statistics.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from engine.cases import Case, cases
from engine.page import put, section, table
from engine.tools import FILE_BYTES
from iodyno import bench


def measure(case: Case, rounds: int) -> dict[str, Any]:
    """Measure a case in turns."""
    row: dict[str, Any] = {
        "case": case.name, "what": case.what, "against": case.against, "unit": case.unit,
        "goal": case.goal.text, "missing": case.missing,
    }  # fmt: skip
    if case.missing:
        return row
    found: dict[str, list[dict[str, float]]] = {"own": [], "other": []}
    with case.around():
        for turn in range(rounds):
            sides = [("own", case.own), ("other", case.other)]
            for name, side in sides if turn % 2 else sides[::-1]:
                found[name].append(side())
    values = [case.figure(own, other) for own, other in zip(found["own"], found["other"], strict=True)]
    median = statistics.median(values)
    return row | {
        "values": values, "median": median, "least": min(values), "greatest": max(values),
        "reached": case.goal.reached(median), "absolute": case.shown,
        **{name: statistics.median(side[case.shown] for side in sides) for name, sides in found.items()},
        "found": found,
    }  # fmt: skip


def read_whole(path: Path) -> None:
    """Read a file once, so that it is in the page cache."""
    with path.open("rb") as file:
        while file.read(1 << 20):
            pass


def forget(path: Path) -> None:
    """Take a file out of the page cache: direct I/O to what is there has it thrown out, block by block."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def main() -> int:
    """Make the file, measure, print, write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", default=".", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--only", default="", help="cases whose name has this in it")
    parser.add_argument("--json", type=Path, help="write every figure of every round")
    parser.add_argument("--page", type=Path, help="put the table into this page, between its marks")
    parser.add_argument(
        "--with", type=Path, dest="before", metavar="JSON",
        help="take rows that are not measured from figures of before: for more rounds of some cases",
    )  # fmt: skip
    options = parser.parse_args()
    rows, load = [], os.getloadavg()[0]
    before = (
        json.loads(options.before.read_text()) if options.before else {"rows": [], "rounds": options.rounds}
    )
    known = {(row["case"], row["what"], row["against"]): row for row in before["rows"]}
    with tempfile.NamedTemporaryFile(dir=options.folder, prefix="iodyno-cost-") as file:
        path = Path(file.name)
        os.truncate(path, FILE_BYTES)
        bench.fill(path, 0, FILE_BYTES, seed=1, direct=True)
        for case in cases(path, options.seconds):
            if options.only in case.name:
                if not case.missing:
                    (read_whole if "page cache" in case.name else forget)(path)
                rows.append(measure(case, options.rounds))
                print(table(rows[-1:]).splitlines()[-1], file=sys.stderr, flush=True)
            elif (case.name, case.what, case.against) in known:
                rows.append(known[case.name, case.what, case.against])
    print(table(rows))
    if options.json:
        options.json.write_text(
            json.dumps({"rounds": options.rounds, "seconds": options.seconds, "rows": rows})
        )
    if options.page:
        text = section(rows, before["rounds"], options.seconds, load)
        options.page.write_text(put(options.page.read_text("utf-8"), text), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
