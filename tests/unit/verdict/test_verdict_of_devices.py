"""Each device beside what was issued to the targets whose I/Os it counts."""

from __future__ import annotations

from typing import Any

import pytest

from factories import make_point, make_reading, make_target
from iodyno.plan import Point
from iodyno.reading import DeviceCounters, Issued, Observation, Reading
from iodyno.verdict import judge

MIB = 1 << 20
BLOCK = 8 << 10
UPPER, FILE = "/dev/loop1", "/mnt/y"
"""A loop device whose file is on the file system of the other target, a file."""
POINT = make_point("database", 8, targets=(make_target(UPPER), make_target(FILE)))


def sent(mib: int, **changes: int) -> Issued:
    """As many MiB read, in blocks of 8 KiB."""
    return Issued(**{"reads": mib * MIB // BLOCK, "read_bytes": mib * MIB, **changes})


def reading_of(upper: Issued, file: Issued, point: Point = POINT) -> Reading:
    """Make a reading that issued so much to each target."""
    made = make_reading(point)
    parts = (
        part.model_copy(update={"issued": one})
        for part, one in zip(made.per_target, (upper, file), strict=True)
    )
    names = Issued.model_fields
    both = Issued(**{name: getattr(upper, name) + getattr(file, name) for name in names})
    return made.model_copy(update={"per_target": tuple(parts), "issued": both})


def counters(device: str, mib: float, targets: tuple[str, ...], **changes: Any) -> DeviceCounters:
    counted = round(mib * MIB)
    values = {"reads": counted // BLOCK, "writes": 0, "read_bytes": counted, "written_bytes": 0}
    return DeviceCounters(device=device, targets=targets, **{"exact": False, **values, **changes})


def told(reading: Reading, *devices: DeviceCounters, point: Point = POINT) -> dict[str, dict[str, Any]]:
    """Give what is said of the devices, with its figures."""
    found = judge(point, reading, Observation(devices=devices), contents="written", optimised=True)
    of_devices = ("other_io", "cache_served")
    return {cause.code: cause.values for cause in found.causes if cause.code in of_devices}


def test_io_of_a_target_on_the_device_of_another_is_no_others() -> None:
    """305 MiB were called others', beside 506: those of the loop device, that the one below counts too."""
    reading = reading_of(sent(305), sent(201))
    upper, lower = counters("loop1", 305, (UPPER,)), counters("loop0", 506, (UPPER, FILE))
    assert told(reading, upper, lower) == {}
    beside = counters("loop0", 506 + 40, (UPPER, FILE))
    values = {"other_bytes": 40 * MIB, "other_ios": 40 * MIB // BLOCK, "issued_bytes": 506 * MIB}
    assert told(reading, upper, beside) == {"other_io": values}


def test_what_a_cache_answered_does_not_hide_behind_io_that_is_counted_twice() -> None:
    """Of 201 MiB of the file the device has seen a half: the sum of both devices was above all that was
    issued."""
    reading = reading_of(sent(305), sent(201))
    upper, lower = counters("loop1", 305, (UPPER,)), counters("loop0", 405, (UPPER, FILE))
    values = {"counted_bytes": 405 * MIB, "issued_bytes": 506 * MIB}
    assert told(reading, upper, lower) == {"cache_served": values}


def test_what_one_device_lacks_does_not_hide_behind_what_another_has_too_much() -> None:
    reading = reading_of(sent(200), sent(200))
    one, other = counters("sda", 240, (UPPER,)), counters("sdb", 160, (FILE,))
    assert told(reading, one, other) == {
        "other_io": {"other_bytes": 40 * MIB, "other_ios": 40 * MIB // BLOCK, "issued_bytes": 200 * MIB},
        "cache_served": {"counted_bytes": 160 * MIB, "issued_bytes": 200 * MIB},
    }


@pytest.mark.parametrize("turned", [False, True])
def test_of_several_devices_the_one_that_others_used_most_is_told(turned: bool) -> None:
    reading = reading_of(sent(200), sent(200))
    devices = counters("sda", 240, (UPPER,)), counters("sdb", 290, (FILE,))
    values = {"other_bytes": 90 * MIB, "other_ios": 90 * MIB // BLOCK, "issued_bytes": 200 * MIB}
    assert told(reading, *devices[:: -1 if turned else 1]) == {"other_io": values}
    devices = counters("sda", 150, (UPPER,)), counters("sdb", 120, (FILE,))
    values = {"counted_bytes": 120 * MIB, "issued_bytes": 200 * MIB}
    assert told(reading, *devices[:: -1 if turned else 1]) == {"cache_served": values}


def test_writes_of_others_do_not_hide_behind_reads_that_were_merged() -> None:
    """Of 25,600 reads the kernel made 400, and somebody else wrote 1,000 times."""
    reading = reading_of(sent(200), sent(200))
    device = counters("sda", 200, (UPPER,), reads=400, writes=1000, written_bytes=40 * MIB)
    values = {"other_bytes": 40 * MIB, "other_ios": 1000, "issued_bytes": 200 * MIB}
    assert told(reading, device, counters("sdb", 200, (FILE,))) == {"other_io": values}


def test_fewer_ios_of_others_than_a_journal_may_write_are_none() -> None:
    """A hundred syncs may write 6.25 MiB in 1,600 I/Os: 40 MiB more in 500 large I/Os are somebody's."""
    reading = reading_of(sent(200, syncs=100), sent(200))
    device = counters("sda", 200, (UPPER,), writes=500, written_bytes=40 * MIB)
    other_bytes = 40 * MIB - 100 * (64 << 10)
    values = {"other_bytes": other_bytes, "other_ios": 0, "issued_bytes": 200 * MIB}
    assert told(reading, device, counters("sdb", 200, (FILE,))) == {"other_io": values}


def test_of_a_member_of_an_array_that_is_a_target_too_nobody_knows_who_its_others_are() -> None:
    reading = reading_of(sent(200), sent(100))
    array = counters("md0", 200, (UPPER,))
    assert told(reading, array, counters("sda", 200, (FILE,), beside=(UPPER,))) == {}
    assert list(told(reading, array, counters("sda", 90, (FILE,), beside=(UPPER,)))) == ["cache_served"]


def test_a_journal_may_write_for_the_syncs_of_the_targets_on_its_device_alone() -> None:
    upper = sent(20, syncs=100)
    reading = reading_of(upper, sent(20))
    written = {"writes": 100, "written_bytes": 100 * (64 << 10)}
    on_it, not_on_it = counters("sda", 20, (UPPER,), **written), counters("sdb", 20, (FILE,))
    assert told(reading, on_it, not_on_it) == {}
    on_it, not_on_it = counters("sda", 20, (UPPER,)), counters("sdb", 20, (FILE,), **written)
    assert list(told(reading, on_it, not_on_it)) == ["other_io"]


def test_an_earlier_reading_does_not_tell_what_was_issued_to_each_target() -> None:
    made = make_reading(POINT)
    issued = made.issued
    counts = {"reads": issued.reads // 2, "writes": issued.writes // 2}
    each = counts | {"read_bytes": issued.read_bytes // 2, "written_bytes": issued.written_bytes // 2}
    devices = tuple(DeviceCounters(device=name, targets=(name,), **each) for name in (UPPER, FILE))
    assert told(made, *devices) == {}
    less = DeviceCounters(device=FILE, targets=(FILE,), **{**each, "read_bytes": 0})
    assert list(told(made, devices[0], less)) == ["cache_served"]


@pytest.mark.parametrize("way", ["read", "written"])
@pytest.mark.parametrize(("failed", "served"), [(100, False), (98, False), (97, True)])
def test_what_failed_is_not_missed_on_the_device(failed: int, served: bool, way: str) -> None:
    """A device that has shrunk fails what lies beyond its end uncounted: no cache answered that."""
    point = make_point("database", 8, targets=(make_target(UPPER),))
    reading = make_reading(point)
    ios = "reads" if way == "read" else "writes"

    def amount(mib: int) -> dict[str, int]:
        return {"reads": 0, "read_bytes": 0, ios: mib * MIB // BLOCK, f"{way}_bytes": mib * MIB}

    issued = sent(0, **amount(200), **{f"failed_{way}_bytes": failed * MIB})
    reading = reading.model_copy(update={"issued": issued})
    seen = counters("loop1", 0, (UPPER,), **amount(100))
    assert ("cache_served" in told(reading, seen, point=point)) is served
    # Nor is it others' where the device has counted it all the same.
    assert told(reading, counters("loop1", 0, (UPPER,), **amount(200)), point=point) == {}


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("more_mib", [8, 12, 30])
def test_devices_of_an_earlier_reading_are_as_exact_as_the_least(exact: bool, more_mib: int) -> None:
    """Others had 8, 12 or 30 MiB beside 400: above 1 % of what devices counted that are measured whole, and
    of files above 5 %, which is 20."""
    made = make_reading(POINT).model_copy(update={"issued": sent(400)})
    one = counters("sda", 200 + more_mib, (), exact=True)
    other = counters("sdb", 200, (), exact=exact)
    wanted = more_mib > (4 if exact else 20)
    for devices in ((one, other), (other, one)):
        assert ("other_io" in told(made, *devices)) is wanted


def test_of_devices_some_of_which_name_no_targets_the_sum_counts() -> None:
    reading = reading_of(sent(200), sent(200))
    one, other = counters("sda", 290, (UPPER,)), counters("sdb", 110, ())
    assert told(reading, one, other) == {}


def test_bytes_that_a_device_has_seen_are_those_read_and_written() -> None:
    point = make_point("database", 8, targets=(make_target(UPPER),))
    written = {"writes": 100 * MIB // BLOCK, "written_bytes": 100 * MIB}
    reading = make_reading(point).model_copy(update={"issued": sent(200, **written)})
    seen = counters("sda", 50, (UPPER,), **written)
    values = {"counted_bytes": 150 * MIB, "issued_bytes": 300 * MIB}
    assert told(reading, seen, point=point) == {"cache_served": values}


def test_no_cache_answers_where_nothing_was_read_or_written() -> None:
    """Trims alone: there are no bytes to miss."""
    point = make_point("database", 8, targets=(make_target(UPPER),))
    reading = make_reading(point).model_copy(update={"issued": sent(0, trims=1000)})
    assert told(reading, counters("sda", 0, (UPPER,)), point=point) == {}
