"""How many disks of an array a stream keeps at work: beside a simulation of a few lines.

It knows disks that pass one access after the other in equal time, and nothing else.
"""

from __future__ import annotations

import heapq

import pytest

from iodyno.prediction.rough import disks_at_a_time

STRIP, DISKS, ACCESSES = 64, 64, 64 * 400


def busy_disks(outstanding: int) -> float:
    """Give the accesses that are done while a disk passes one, of a stream with strips of 64."""
    free = [0.0] * DISKS
    under_way: list[float] = []
    now = 0.0
    for access in range(ACCESSES):
        if access >= outstanding:
            now = heapq.heappop(under_way)
        disk = access // STRIP % DISKS
        free[disk] = max(free[disk], now) + 1.0
        heapq.heappush(under_way, free[disk])
    return ACCESSES / max(under_way)


@pytest.mark.parametrize("outstanding", [1, 2, 8, 16, 24, 32, 48, 64, 96, 128, 256, 512])
def test_backlogs_of_the_disks_that_a_stream_has_left_keep_them_busy(outstanding: int) -> None:
    assert disks_at_a_time(outstanding / STRIP) == pytest.approx(busy_disks(outstanding), rel=0.06)
