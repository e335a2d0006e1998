"""The laws of a reading: sound readings keep them, and each kind of damage is found."""

from __future__ import annotations

from typing import Any

import pytest

from factories import FIELD_PROFILES, at_once, make_point, make_profile, make_reading, make_target, one_value
from iodyno.histogram import Histogram
from iodyno.reading import Direction, IoError, Reading, Split, TargetReading, WorkerFacts
from iodyno.verdict import laws

POINT = make_point("database", 8)
SOUND = make_reading(POINT)


def broken(reading: Reading) -> set[str]:
    return {cause.code for cause in laws(POINT, reading)}


def damaged(direction: str, **changes: Any) -> Reading:
    part = getattr(SOUND, direction).model_copy(update=changes)
    return SOUND.model_copy(update={direction: part})


@pytest.mark.parametrize("profile", FIELD_PROFILES)
@pytest.mark.parametrize("outstanding", [1, 8, 512])
@pytest.mark.parametrize("rate", [None, 500.0])
def test_sound_readings_keep_every_law(profile: str, outstanding: int, rate: float | None) -> None:
    point = make_point(
        profile, outstanding, rate_io_s=rate, workers=2, targets=(make_target("/a"), make_target("/b"))
    )
    latency_ms = None if rate is None else 1.0
    assert laws(point, make_reading(point, latency_ms=latency_ms)) == []


def test_an_io_that_was_not_timed_is_found() -> None:
    assert "law_completed" in broken(damaged("reads", completed=SOUND.reads.completed + 1))


def test_an_io_that_the_series_lacks_is_found() -> None:
    series = SOUND.series.model_copy(
        update={"writes": (*SOUND.series.writes[:-1], SOUND.series.writes[-1] - 1)}
    )
    assert broken(SOUND.model_copy(update={"series": series})) == {"law_completed"}


def test_more_completed_than_issued_is_found() -> None:
    issued = SOUND.issued.model_copy(update={"reads": SOUND.reads.completed - 1})
    assert broken(SOUND.model_copy(update={"issued": issued})) == {"law_completed"}


def test_a_target_that_is_missing_is_found() -> None:
    assert broken(SOUND.model_copy(update={"per_target": (TargetReading(), TargetReading())})) == {
        "law_completed",
        "law_bytes",
    }


def test_a_sync_that_was_not_timed_on_its_target_is_found() -> None:
    point = make_point("database", 8, targets=(make_target("/a"), make_target("/b")))
    sound = make_reading(point)

    def broken_with(timed: int) -> set[str]:
        """Find what is wrong with 30 syncs on each of two targets, so many of them timed on the second."""
        parts = [
            TargetReading(
                reads=reads, writes=writes, read_bytes=reads * 8192, written_bytes=writes * 8192, syncs=30,
                split=Split(
                    reads=Direction(latency=one_value(reads, 200)),
                    writes=Direction(latency=one_value(writes, 200)),
                    syncs=Direction(completed=30, latency=one_value(count, 200)),
                ),
            )
            for reads, writes, count in (
                (sound.reads.completed - 1, sound.writes.completed - 1, 30),
                (1, 1, timed),
            )
        ]  # fmt: skip
        syncs = Direction(completed=60, latency=one_value(60, 200))
        series = sound.series.model_copy(update={"syncs": (0,) * (len(sound.series.reads) - 1) + (60,)})
        changes = {
            "per_target": tuple(parts), "syncs": syncs, "series": series,
            "issued": sound.issued.model_copy(update={"syncs": 60}),
        }  # fmt: skip
        return {cause.code for cause in laws(point, sound.model_copy(update=changes))}

    assert broken_with(30) == set()
    assert broken_with(29) == {"law_completed"}


def test_bytes_that_are_not_the_sum_of_sizes_are_found() -> None:
    assert broken(damaged("writes", bytes=SOUND.writes.bytes + 4096)) == {"law_bytes"}


def test_the_wrong_mix_is_found() -> None:
    point = make_point("streaming", 8)
    assert {cause.code for cause in laws(point, SOUND)} >= {"law_direction"}


@pytest.mark.parametrize("change", ["min_ns", "max_ns", "sum_ns"])
def test_a_histogram_that_contradicts_itself_is_found(change: str) -> None:
    latency = SOUND.reads.latency
    value = {"min_ns": latency.min_ns // 2, "max_ns": latency.max_ns * 2, "sum_ns": latency.sum_ns * 9}[
        change
    ]
    wrong = latency.model_copy(update={change: value})
    assert "law_latency" in broken(damaged("reads", latency=wrong))


def test_a_histogram_of_response_times_that_contradicts_itself_is_found() -> None:
    point = make_point("database", 8, rate_io_s=1000.0)
    sound = make_reading(point, latency_ms=1)
    wrong = sound.reads.latency.model_copy(update={"max_ns": sound.reads.latency.max_ns * 2})
    reading = sound.model_copy(update={"reads": sound.reads.model_copy(update={"response_time": wrong})})
    (cause,) = laws(point, reading)
    assert (cause.code, cause.values) == ("law_latency", {"what": "response time of reads"})


def test_where_ios_failed_their_mix_is_not_judged() -> None:
    """Those that failed are in no count of reads or writes."""
    only = make_reading(make_point(make_profile("database", read_share=1.0), 8))
    assert broken(only) == {"law_direction"}
    failed = (IoError(errno=5, name="EIO", count=900, first_offset_bytes=0),)
    reads = only.reads.model_copy(update={"errors": failed})
    assert broken(only.model_copy(update={"reads": reads})) == set()


def test_a_response_time_below_the_latency_is_found() -> None:
    point = make_point("database", 8, rate_io_s=1000.0)
    sound = make_reading(point, latency_ms=1)
    latency: Histogram = sound.reads.latency
    quick = latency.model_copy(update={"sum_ns": latency.sum_ns - 1})
    reading = sound.model_copy(update={"reads": sound.reads.model_copy(update={"response_time": quick})})
    assert {cause.code for cause in laws(point, reading)} == {"law_latency"}


def test_a_rate_without_response_times_is_found() -> None:
    point = make_point("database", 8, rate_io_s=1000.0)
    sound = make_reading(point, latency_ms=1)
    reading = sound.model_copy(update={"reads": sound.reads.model_copy(update={"response_time": None})})
    assert {cause.code for cause in laws(point, reading)} == {"law_completed"}


def with_depth(depth: float) -> Reading:
    workers = (WorkerFacts(cpu_s=0.1, elapsed_s=3.0, system_calls=1, io_time_s=depth * 3.0),)
    return SOUND.model_copy(update={"workers": workers})


def test_a_depth_above_what_was_asked_is_found() -> None:
    assert broken(with_depth(8.1)) == {"law_depth"}


# depth = rate × mean latency is 8 here: 7.5 is 6.7 % off, 7.7 is 3.9 %.
@pytest.mark.parametrize(("depth", "found"), [(7.5, {"littles_law"}), (7.7, set())])
def test_a_depth_that_is_not_rate_times_latency_is_found(depth: float, found: set[str]) -> None:
    assert broken(with_depth(depth)) == found


def test_an_earlier_reading_that_says_nothing_of_its_targets_keeps_every_law() -> None:
    assert laws(POINT, SOUND.model_copy(update={"per_target": ()})) == []


@pytest.mark.parametrize("direction", ["reads", "writes"])
def test_a_law_names_the_bytes_that_are_nearest_to_those_found(direction: str) -> None:
    """Database accesses 8 KiB: n of them are n times as many bytes, no fewer and no more."""
    count = getattr(SOUND, direction).completed
    sound = count * 8192
    for found in (sound - 1, sound + 1):
        read = {"what": f"bytes {'read' if direction == 'reads' else 'written'}", "found": found}
        broken_laws = laws(POINT, damaged(direction, bytes=found))
        told = [cause.values for cause in broken_laws if cause.code == "law_bytes"]
        assert {**read, "expected": sound} in told


@pytest.mark.parametrize("place", [0, 1, 2])
def test_each_of_several_loads_keeps_the_laws_by_itself(place: int) -> None:
    """The sums of all loads are sound, and so is every other load."""
    found = at_once()
    assert laws(found.point, found.reading) == []
    loads = list(found.reading.loads)
    latency = loads[place].reads.latency.model_copy(update={"min_ns": loads[place].reads.latency.min_ns // 2})
    reads = loads[place].reads.model_copy(update={"latency": latency})
    loads[place] = loads[place].model_copy(update={"reads": reads})
    broken_laws = laws(found.point, found.reading.model_copy(update={"loads": tuple(loads)}))
    assert [(cause.code, cause.values) for cause in broken_laws] == [
        ("law_latency", {"what": "latency of reads"})
    ]
