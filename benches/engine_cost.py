"""What an I/O costs, side by side: iodyno, fio and, where IODYNO_T_IO_URING tells its path, fio's t/io_uring.

A file is made in FOLDER and written in full. In each round both sides of each case are measured, in
alternating order, each in a process of its own that is held to one processor (two workers: two), and their
figures are put in relation; printed are the median over the rounds and the range. Where no device has to be
waited for, both run at once on the same processor, and what each did is put beside the CPU time that it got.
CPU time is that of the whole process, start-up left out; iodyno always makes its full statistics.
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

from engine.cases import Cached, Case, cases
from engine.page import put, section, table
from engine.tools import FILE_BYTES
from iodyno import bench

_CHUNK_BYTES = 1 << 20


def measure(case: Case, rounds: int, path: Path) -> dict[str, Any]:
    """Measure a case. Where cached pages lie in memory counts too: they are brought anew for each round."""
    row: dict[str, Any] = {
        "case": case.name, "what": case.what, "against": case.against, "unit": case.unit,
        "goal": case.goal.text, "missing": case.missing,
    }  # fmt: skip
    if case.missing:
        return row
    pairs = []
    with case.around():
        for turn in range(rounds * case.rounds):
            if turn == 0 or case.cached != "no":
                bring(path, case.cached)
            pairs.append(case.sides(turn))
    found = {"own": [own for own, _ in pairs], "other": [other for _, other in pairs]}
    values = [case.figure(own, other) for own, other in zip(found["own"], found["other"], strict=True)]
    median = statistics.median(values)
    return row | {
        "values": values, "median": median, "least": min(values), "greatest": max(values),
        "reached": case.goal.reached(median), "absolute": case.shown,
        **{name: statistics.median(side[case.shown] for side in sides) for name, sides in found.items()},
        "found": found,
    }  # fmt: skip


def bring(path: Path, cached: Cached) -> None:
    """Bring a file into the page cache as a case wants it: the kernel makes larger pages for what is written.

    Or take it out: direct I/O to what is there has it thrown out, block by block.
    """
    with path.open("r+b") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        while cached == "read" and file.read(_CHUNK_BYTES):
            pass
        while cached == "written" and file.tell() < FILE_BYTES:
            file.write(os.urandom(_CHUNK_BYTES))
        file.flush()
        os.fsync(file.fileno())


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
                rows.append(measure(case, options.rounds, path))
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
