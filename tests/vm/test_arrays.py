"""The kernel's arrays on NVMe drives: measured as one device, their members named and guarded."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from vm.guest import Guest
from vm.machine import MEMBERS, MIB

ARRAY = "/dev/md0"
CHUNK_BYTES = 64 << 10
MIX = 'read_share = 0.5\nblocks = "4k"'
READS = 'read_share = 1.0\nblocks = "4k"'
CAPACITY = {0: 4, 1: 1, 10: 2, 5: 3, 6: 2}
"""Members whose capacity an array of four has, by level."""
COPIES = {0: 1, 1: 4, 10: 2, 5: 2, 6: 3}
"""Blocks that are written for each block, by level: RAID 5 and 6 write the parity too."""
READ_FOR_STREAM = {5: 2 / 3, 6: 1 / 2}
"""Blocks that are read for each block of a stream at one outstanding, by level.

On four members all other data of a stripe are no more than the old data and parities of its first block,
so they are read with it; then all of the stripe is kept.
"""

OWN_BYTES = MIB
"""More than the kernel writes of its own: the array's state, to each member."""


class Array:
    """An array over all members."""

    def __init__(self, guest: Guest, level: int) -> None:
        self.level = level
        self.members = guest.devices(MEMBERS.serial)
        self.places = " ".join(f"/dev/{name}" for name in self.members)
        chunk = "" if level == 1 else f"--chunk={CHUNK_BYTES >> 10}"
        clean = "--assume-clean" if level else ""
        guest.sh(
            f"mdadm --create {ARRAY} --run --quiet --metadata=1.2 --level={level} {chunk} {clean} "
            f"--raid-devices={len(self.members)} {self.places}"
        )
        self.size_bytes = int(guest.word("/sys/block/md0/size")) * 512


@pytest.fixture(scope="module", params=list(CAPACITY), ids="raid{}".format)
def array(guest: Guest, request: pytest.FixtureRequest) -> Iterator[Array]:
    made = Array(guest, request.param)
    yield made
    guest.sh(f"mdadm --stop --quiet {ARRAY}; mdadm --zero-superblock {made.places}")


def test_an_array_is_measured_as_one_device(guest: Guest, array: Array) -> None:
    assert array.size_bytes == pytest.approx(CAPACITY[array.level] * MEMBERS.size_bytes, abs=8 * MIB)
    before = {name: guest.stat(name) for name in ("md0", *array.members)}
    result = guest.measure(ARRAY, MIX, "--write-existing", "--identity", array.size_bytes)
    counted = {name: guest.stat(name) - before[name] for name in before}
    issued = result["reading"]["issued"]
    assert counted["md0"].written_bytes == issued["written_bytes"] > 0
    assert counted["md0"].reads >= issued["reads"] > 0
    below = [counted[name] for name in array.members]
    written = sum(stat.written_bytes for stat in below)
    due = COPIES[array.level] * issued["written_bytes"]
    shared = 0.1 * due if array.level in READ_FOR_STREAM else 0  # blocks of one stripe share their parity
    assert due - shared <= written <= due + OWN_BYTES
    assert sum(stat.read_bytes for stat in below) >= issued["read_bytes"]
    assert all(stat.writes for stat in below), "all members take part"


@pytest.mark.parametrize("array", READ_FOR_STREAM, indirect=True, ids="raid{}".format)
def test_a_stream_reads_what_is_not_kept(guest: Guest, array: Array) -> None:
    """The simulator's arrays of the host do as well (``crates/sim/tests/all/whole/parity.rs``)."""
    stream = 'read_share = 0.0\nblocks = "64k"'
    words = ("--write-existing", "--identity", array.size_bytes)
    before = {name: guest.stat(name) for name in ("md0", *array.members)}
    guest.measure(ARRAY, stream, *words, random_share=0.0, outstanding=1, seconds=2)
    counted = {name: guest.stat(name) - before[name] for name in before}
    written = counted["md0"].written_bytes
    below = [counted[name] for name in array.members]
    # What the array itself is read for before the load is read of the members too.
    read = sum(stat.read_bytes for stat in below) - counted["md0"].read_bytes
    assert read == pytest.approx(READ_FOR_STREAM[array.level] * written, rel=0.03, abs=2 * OWN_BYTES)
    assert sum(stat.written_bytes for stat in below) == pytest.approx(
        COPIES[array.level] * written, abs=OWN_BYTES
    )


@pytest.mark.parametrize("array", [5], indirect=True, ids="raid{}".format)
def test_members_are_named_and_guarded(guest: Guest, array: Array) -> None:
    before = guest.stat("md0")
    said = guest.try_to_measure(ARRAY, MIX)
    assert said.code == 2
    assert "--write-existing" in said.err
    one = f"/dev/{array.members[0]}"
    permissions = ("--write-existing", "--identity", MEMBERS.serial, "--overwrite-signature")
    said = guest.try_to_measure(one, MIX, *permissions)
    assert said.code == 2
    assert f"{one} is held by the md array md0" in said.err
    assert (guest.stat("md0") - before).writes == 0
    guest.measure(ARRAY, READS)
    sections = {section["subject"]: section for section in guest.run()["run"]["system"]["sections"]}
    facts = {fact["code"]: fact.get("value") for fact in sections["md0"]["facts"]}
    assert facts["kind"] == "md"
    assert facts["raid_level"] == "raid5"
    assert facts["raid_chunk"] == CHUNK_BYTES
    assert facts["stands_on"] == ", ".join(array.members)
    assert facts["capacity"] == array.size_bytes
    assert set(array.members) <= set(sections)
