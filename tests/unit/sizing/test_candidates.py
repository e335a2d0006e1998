"""With how many drives a system can exist, and what it holds."""

from __future__ import annotations

import pytest

from iodyno.catalog.shelf import shipped
from iodyno.catalog.tree import load_system, system_of
from iodyno.errors import CatalogError
from iodyno.profiles import Area
from iodyno.sizing import Choice, choice_of

DISK = "hgst-huc156045css204"
DISK_BYTES = 450 * 10**9


def choice(
    name: str = "raid-controllers-24", capacity_bytes: int = 0, area: Area | None = None, **changes: str
) -> Choice:
    return choice_of(name, load_system(name), changes, shipped(), capacity_bytes=capacity_bytes, area=area)


def counts(of: Choice) -> list[int]:
    return [one.count for one in of.candidates]


def test_every_number_that_can_be_is_there_and_why_there_are_no_more() -> None:
    """EP420i takes 32 drives with an expander, and RAID 5 three or more."""
    found = choice(level="5")
    assert counts(found) == list(range(3, 33))
    assert (found.small, [problem.what for problem in found.beyond]) == (
        None, ["33 drives, at most 32 fit on PRAID EP420i here"],
    )  # fmt: skip


def test_of_levels_that_want_even_numbers_it_is_told_what_ends_them() -> None:
    """RAID 10 on these controllers takes 16 drives: 17 are refused as odd too, which is not why."""
    found = choice(level="10")
    assert counts(found) == list(range(4, 17, 2))
    assert [problem.what for problem in found.beyond] == ["18 drives, RAID 10 on PRAID EP420i takes 16"]


def test_capacities_are_compared_as_drives_are_called() -> None:
    """Five disks of 450 GB hold 2.25 TB, less what is no whole strip; two in a thousand more are too much."""
    found = choice(level="5", drive=DISK, capacity_bytes=5 * DISK_BYTES)
    assert found.candidates[0].capacity_bytes < 5 * DISK_BYTES
    assert (counts(found)[0], found.small and found.small.count) == (6, 5)
    more = choice(level="5", drive=DISK, capacity_bytes=round(5 * DISK_BYTES * 1.002))
    assert (counts(more)[0], more.small and more.small.count) == (7, 6)


def test_an_area_in_bytes_wants_volumes_that_have_it() -> None:
    """Two TiB from half a TiB on: seven disks of 450 GB, as RAID 5, hold 2.7 TB, which is 2.46 TiB."""
    area = Area(start=1 << 39, length=2 << 40)
    found = choice(level="5", drive=DISK, area=area)
    assert (counts(found)[0], found.small and found.small.count) == (8, 7)
    assert counts(choice(level="5", drive=DISK, area=Area(length=0.9)))[0] == 3
    with pytest.raises(CatalogError) as error:
        choice("nvme-today", area=area.model_copy(update={"length": 8 << 40}))
    assert (
        error.value.problems[0].what
        == "an area of 8T from 512G is more than each volume holds with 32 drives"
    )


def test_drives_of_the_host_are_volumes_each() -> None:
    found = choice("nvme-today", capacity_bytes=20 * 10**12)
    first = found.candidates[0]
    assert (first.count, first.array.level, first.array.equal) == (3, "JBOD", 3)
    assert first.capacity_bytes == pytest.approx(3 * 7.68e12, rel=1e-3)


def test_what_is_wrong_with_any_number_is_told_without_the_number() -> None:
    with pytest.raises(CatalogError) as error:
        choice(drive="samsung-pm9a3-3840")
    (problem,) = error.value.problems
    assert problem.what.endswith("has PCIe 4.0 x4, PRAID EP420i takes SAS 12G")


def test_too_little_with_all_drives_is_told_with_what_ends_them() -> None:
    with pytest.raises(CatalogError) as error:
        choice("raid-controllers", capacity_bytes=200 * 10**12)
    assert [problem.what for problem in error.value.problems] == [
        "holds 3.2 TB with 8 drives, and is to hold 200 TB", "9 drives, PRAID EP420i takes 8",
    ]  # fmt: skip


def test_arrays_of_several_kinds_are_refused() -> None:
    document = {
        "name": "mixed",
        "host": {"processor": "epyc-9354", "software": "linux-nvme"},
        "drives": [{"drive": "samsung-pm1743-7680"}, {"drive": "samsung-pm9a3-3840"}],
    }
    with pytest.raises(CatalogError, match="arrays of several kinds"):
        choice_of("mixed", system_of(document, "mixed"), {}, shipped())
