"""Job files of fio, and results as fio writes them, for the tests of both."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from textwrap import dedent
from typing import Any

from factories import make_plan, make_result, make_run, make_tool
from iodyno.fio import Translated
from iodyno.fio.exporting import document
from iodyno.fio.importing import import_results
from iodyno.fio.together import JobStudy
from iodyno.plan import Point
from iodyno.store.records import StoredRun

# What the fixtures of the tests of fio's files give: tests/unit/fio/conftest.py.
Make = Callable[..., Translated]
One = Callable[..., JobStudy]
Refused = Callable[..., list[str]]
Read = Callable[..., StoredRun]


def job_file(folder: Path, text: str) -> Path:
    file = folder / "job.fio"
    file.write_text(dedent(text))
    return file


NOW = datetime(2026, 3, 1, tzinfo=timezone.utc)


def latency(**told: Any) -> dict[str, Any]:
    return {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0, "N": 0, **told}


def half(ios: int = 0, **changes: Any) -> dict[str, Any]:
    bins = {
        "percentile": {"50.000000": 10_000, "99.000000": 20_000},
        "bins": {"10048": ios - 10, "20096": 10},
    }
    told = latency(min=9_000, max=21_000, mean=10_500.0, N=ios) if ios else latency()
    return {
        "io_bytes": ios * 4096, "total_ios": ios, "short_ios": 0, "runtime": 2000 if ios else 0,
        "slat_ns": latency(), "clat_ns": {**told, **(bins if ios else {})}, "lat_ns": told, **changes,
    }  # fmt: skip


def job(name: str = "j", /, **changes: Any) -> dict[str, Any]:
    options = {
        "rw": "randread",
        "bs": "4k",
        "iodepth": "8",
        "ioengine": "libaio",
        "direct": "1",
        "size": "1g",
    }
    return {
        "jobname": name, "groupid": 0, "error": 0, "job options": options, "read": half(10_000),
        "write": half(), "trim": half(), "usr_cpu": 10.0, "sys_cpu": 15.0, "job_runtime": 2000, **changes,
    }  # fmt: skip


def result(*jobs: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"fio version": "fio-3.36", "timestamp": 1_700_000_000, "jobs": list(jobs) or [job()], **changes}


def imported(*paths: Path, title: str = "") -> StoredRun:
    stored, _ = import_results(
        paths, run_id="20260301-000000-aaaa", now=NOW, tool=make_tool(), command=("iodyno",), title=title
    )
    return stored


def stored(point: Point, **reading: Any) -> StoredRun:
    made = make_result(point)
    made = made.model_copy(update={"reading": made.reading.model_copy(update=reading)})
    return StoredRun(run=make_run(make_plan().model_copy(update={"points": (point,)})), results=(made,))


def again(run: StoredRun, folder: Path) -> Point:
    (folder / "again.json").write_text(json.dumps(document(run)))
    return imported(folder / "again.json").results[0].point


def answered(point: Point, engine: str) -> StoredRun:
    facts = make_result(point).reading.engine.model_copy(update={"name": engine})
    return stored(point, engine=facts)
