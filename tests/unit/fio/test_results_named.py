"""What loads of results are called: those of one name are one curve, and no two curves have one name."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from fio_documents import Read, half, job, result
from iodyno.analysis.curves import curves
from iodyno.analysis.figures import point_figures
from iodyno.report.document import Heading
from iodyno.report.paper import build

OPTIONS = {**job()["job options"], "filename": "/mnt/x"}


def of_depths(more: dict[int, dict[str, str]]) -> dict[str, Any]:
    """A result of jobs of some depths, each with options of its own."""
    jobs = [
        job(f"qd{depth}", groupid=number, **{"job options": {**OPTIONS, "iodepth": str(depth), **options}})
        for number, (depth, options) in enumerate(more.items())
    ]
    return result(*jobs)


@pytest.mark.parametrize(
    "second",
    [
        {"thinktime": "100"},
        {"random_distribution": "zipf:1.1"},
        {"sync": "1"},
        {"offset": "4k"},
        {"direct": "0"},
        {"ioengine": "psync"},
        {"size": "2g"},
        {"filename": "/mnt/y"},
        {"numjobs": "2"},
    ],
)
def test_jobs_of_other_depths_that_differ_otherwise_are_told_apart(
    read: Read, second: dict[str, str]
) -> None:
    """Two sections had one heading where what differs is none of what headings tell."""
    stored = read(of_depths({1: {}, 8: second, 32: {}}))
    assert len(curves(map(point_figures, stored.results))) == 2
    for language in ("en", "de", "ja"):
        headings = [block for block in build(stored, language).blocks if isinstance(block, Heading)]
        chapters, of_each = 0, Counter[tuple[int, str]]()
        for heading in headings:
            chapters += heading.level == 1
            of_each[chapters, heading.text] += 1
        assert max(of_each.values()) == 1, [key for key, count in of_each.items() if count > 1]


def test_jobs_of_other_depths_are_one_curve_however_each_is_described(read: Read) -> None:
    each = read(of_depths({1: {"description": "one at a time"}, 8: {"description": "eight at a time"}}))
    (curve,) = curves(map(point_figures, each.results))
    assert curve.profile.stands_for == ""
    both = read(of_depths({1: {"description": "the shop"}, 8: {"description": "the shop"}}))
    assert {item.point.profile.stands_for for item in both.results} == {"the shop"}


def test_a_load_that_is_repeated_is_numbered_beside_one_that_is_not_alike(read: Read) -> None:
    zipf = {"random_distribution": "zipf:1.1"}
    stored = read(
        result(
            *(
                job("j", groupid=n, **{"job options": {**OPTIONS, **more}})
                for n, more in enumerate(({}, zipf, {}, zipf))
            )
        )
    )
    names = [item.point.profile.name for item in stored.results]
    assert names == ["randread-4k", "randread-4k-2", "randread-4k-3", "randread-4k-4"]
    assert len(curves(map(point_figures, stored.results))) == 4


def test_no_job_gives_its_name_to_what_is_called_so_already(read: Read) -> None:
    """Two jobs of one load have no one name: it is titled as what it does, and so was a job."""
    reads = of_depths({1: {}, 8: {}})["jobs"]
    written = {"job options": {**OPTIONS, "rw": "write"}, "read": half(), "write": half(10_000)}
    stored = read(result(*reads, job("randread 4k", groupid=2, **written)))
    titles = {item.point.profile.name: item.point.profile.title for item in stored.results}
    assert titles == {"randread-4k": "randread 4k", "write-4k": "write 4k"}
