"""What verdicts say of several loads, each with its own causes, and of devices that several targets share."""

from __future__ import annotations

from typing import Any

import pytest

from factories import at_once, make_observation, make_point, make_reading, make_target
from iodyno.analysis.causes import gathered
from iodyno.analysis.figures import point_figures
from iodyno.analysis.rows import point_rows
from iodyno.corruption import Findings, Integrity
from iodyno.plan import Point
from iodyno.reading import Cause, DeviceQueue, Growth, Movement, PointResult, Reading, Verdict
from iodyno.verdict import judge


def judged(point: Point, reading: Reading, **of_observation: Any) -> Verdict:
    observation = make_observation(reading, device_tags=None, **of_observation)
    return judge(point, reading, observation, contents="written", optimised=True)


def opened(found: PointResult, **changes: Any) -> Reading:
    """Change how the first two loads of a point, both open loops, kept their schedule."""
    loads = list(found.reading.loads)
    for place in (0, 1):
        kept = loads[place].open_loop
        assert kept
        loads[place] = loads[place].model_copy(update={"open_loop": kept.model_copy(update=changes)})
    return found.reading.model_copy(update={"loads": tuple(loads)})


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("queue_grew", {"growth": Growth(rate_io_s=100.0, proven=True)}),
        ("queue_shrank", {"growth": Growth(rate_io_s=-100.0, proven=True)}),
        ("cache_fills", {"growth_with_dirty": Growth(rate_io_s=100.0, proven=True)}),
        ("response_drift", {"response_movement": Movement(drift=0.3, range=0.3, drifting=True)}),
        ("overload", {"backlog_end": 50_000}),
    ],
)
def test_each_load_has_what_is_said_of_its_rate(code: str, changes: dict[str, Any]) -> None:
    """That of the second load was dropped where the first had the same."""
    found = at_once(rate_io_s=4000.0)
    verdict = judged(found.point, opened(found, **changes))
    assert [(cause.code, cause.load) for cause in verdict.causes] == [(code, 0), (code, 1)]
    figures = point_figures(found.model_copy(update={"verdict": verdict}))
    (item,) = (item for item in gathered([figures]) if item.code == code)
    assert (item.count, len(item.points)) == (1, 2)


def test_a_row_of_a_table_has_the_causes_and_notes_of_its_load() -> None:
    """Each row had those of all loads; what concerns the point or the machine is in each of them."""
    verdict = Verdict(
        state="disturbed",
        causes=(Cause(code="steal"), Cause(code="overload", values={"load": 1})),
        notes=(
            Cause(code="unoptimised"), Cause(code="think_time"), Cause(code="late_starts", values={"load": 2})
        ),
    )  # fmt: skip
    found = at_once().model_copy(update={"verdict": verdict})
    rows = [(row["causes"], row["notes"]) for row in point_rows([found])]
    assert rows == [
        ("steal", "unoptimised think_time"),
        ("steal overload", "unoptimised"),
        ("steal", "unoptimised late_starts"),
    ]


def test_corruptions_of_several_loads_stand_once() -> None:
    """The column was empty, as if nothing had been verified: which load they are of is not told apart."""
    found = at_once()
    load = Findings(counts={"bit_flip": 3})
    reading = found.reading.model_copy(
        update={"integrity": Integrity(session=1, unit_bytes=512, targets=("/a",), load=load)}
    )
    rows = point_rows([found.model_copy(update={"reading": reading})])
    assert [row["corruptions"] for row in rows] == [3, None, None]
    assert [row["corruptions"] for row in point_rows([found])] == [None] * 3


def beyond(point: Point, reading: Reading, *queues: DeviceQueue) -> list[tuple[str, object]]:
    notes = judged(point, reading, queues=queues).notes
    return [(note.code, note.values["outstanding"]) for note in notes if note.code.startswith("beyond")]


def queue(*targets: str, tags: int | None = 31, requests: int | None = None) -> DeviceQueue:
    return DeviceQueue(device="sd", targets=targets, tags=tags, requests=requests)


def test_loads_of_other_devices_are_not_on_this_one() -> None:
    """Database, 16 outstanding, is on one device, an open loop with 64 on the mean on another, and a file
    copy, two of two workers, on both: 20 and 68 of 88."""
    found = at_once(16)
    data, log = found.point.targets[0].path, "/log"
    assert found.reading.loads[1].workers[0].io_time_s == pytest.approx(64 * found.reading.measured_s)

    def noted(of_data: int, of_log: int) -> list[tuple[str, object]]:
        return beyond(found.point, found.reading, queue(data, tags=of_data), queue(log, tags=of_log))

    assert noted(20, 68) == []
    assert noted(19, 68) == [("beyond_tags", 20)]
    assert noted(20, 67) == [("beyond_tags", 68)]
    requests = queue(data, tags=None, requests=19)
    assert beyond(found.point, found.reading, requests) == [("beyond_requests", 20)]


def test_partitions_share_the_tags_of_their_device() -> None:
    """16 on each of two partitions are 32 on their disk; as two devices they were 16 on each."""
    targets = (make_target("/dev/sda1"), make_target("/dev/sda2"))
    point = make_point("database", 16, targets=targets)
    reading = make_reading(point)
    assert beyond(point, reading, queue("/dev/sda1", "/dev/sda2")) == [("beyond_tags", 32)]
    assert beyond(point, reading, queue("/dev/sda1"), queue("/dev/sda2")) == []


def test_of_an_open_loop_the_mean_that_was_outstanding_counts_and_not_what_may_be() -> None:
    """4,096 may be outstanding, and at 3,000 IO/s of 10 ms each 30 are."""
    point = make_point("database", 4096, rate_io_s=3000.0, targets=(make_target("/dev/sda"),))
    reading = make_reading(point, rate_io_s=3000.0, latency_ms=10.0)
    assert beyond(point, reading, queue("/dev/sda", tags=30)) == []
    assert beyond(point, reading, queue("/dev/sda", tags=29)) == [("beyond_tags", 30)]


def test_the_device_with_few_tags_is_not_judged_by_what_another_has() -> None:
    targets = (make_target("/dev/nvme0n1"), make_target("/dev/nvme1n1"), make_target("/dev/sda"))
    point = make_point("database", 16, targets=targets)
    both = queue("/dev/nvme0n1", "/dev/nvme1n1", tags=1023)
    assert beyond(point, make_reading(point), both, queue("/dev/sda")) == []


def test_what_is_said_of_all_loads_alike_stands_once() -> None:
    """Three loads of one engine: that it is not optimised is no news of the second, and no load's own."""
    found = at_once()
    observation = make_observation(found.reading, device_tags=None)
    notes = judge(found.point, found.reading, observation, contents="written", optimised=False).notes
    (note,) = (note for note in notes if note.code == "unoptimised")
    assert note.load == 0
