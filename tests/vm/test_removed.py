"""A drive that is pulled out while it is measured."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from vm.guest import CALL_LIMIT_S, Guest
from vm.machine import DOOMED

UNDER_WAY = 50
"""Writes after which the load is under way: nothing else writes."""
MIX = 'read_share = 0.5\nblocks = "4k"'
OF_A_DEVICE_GONE = {"EIO", "ENODEV", "ENXIO", "SHORT", "ENOSPC"}
"""The kernel fails what is under way (EIO), and takes the device's size away: nothing is read beyond its
end, and nothing fits there (block/fops.c)."""


def test_a_drive_pulled_under_the_load_is_counted_and_the_run_kept(guest: Guest) -> None:
    name = guest.device(DOOMED.serial)
    words = ("--write-existing", "--identity", DOOMED.serial)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(
            guest.try_to_measure, f"/dev/{name}", MIX, *words, seconds=60, outstanding="[4, 8]"
        )
        end = time.monotonic() + CALL_LIMIT_S
        while guest.at_device(DOOMED.serial)["wr_operations"] < UNDER_WAY:
            assert not running.done(), running.result()
            assert time.monotonic() < end, "no load came"
            time.sleep(0.1)
        guest.machine("device_del", id=f"{DOOMED.serial}-0")
        said = running.result(CALL_LIMIT_S)
    assert guest.devices(DOOMED.serial) == []
    assert said.code == 1, said
    assert f"/dev/{name}: has gone since it was found" in said.err
    run = guest.run()
    assert run["run"]["status"] == "failed", "the second point has no drive any more"
    (result,) = run["results"]
    reading = result["reading"]
    errors = reading["reads"]["errors"] + reading["writes"]["errors"]
    assert sum(error["count"] for error in errors) > 0
    assert {error["name"] for error in errors} <= OF_A_DEVICE_GONE
    assert reading["stopped"] == "failed", "it does not go on to the end of its time"
    assert reading["issued"]["writes"] > UNDER_WAY
    assert result["verdict"]["state"] == "disturbed"
    assert {"io_errors", "target_gone"} <= {cause["code"] for cause in result["verdict"]["causes"]}
