"""Streams on a disk that begin elsewhere, and when it is told that their rate hangs on it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle

import pytest

from iodyno import bench
from iodyno.prediction import build
from iodyno.prediction.beginnings import BEGINNINGS, FURTHER, begun, spread
from iodyno.prediction.records import ClosedNetwork, DiskStreams, Solution
from iodyno.prediction.rough import rough
from iodyno.virtual import VirtualSystem
from unit.prediction.test_prediction_rough import behind, direct
from unit.prediction.test_prediction_rough import load as asked


class Other:
    """Solves, and has every other network so many times as fast."""

    def __init__(self, faster: float) -> None:
        self.faster, self.asked = cycle((1.0, faster)), 0

    def __call__(self, network: ClosedNetwork, customers: Sequence[int]) -> list[Solution]:
        self.asked += 1
        (found,) = bench.solve_network(network, customers)
        return [found.model_copy(update={"rate_s": 100 * next(self.faster)})]


def streams_of(system: VirtualSystem, workers: int = 6) -> DiskStreams:
    network = build(asked(system, workers=workers, outstanding=1), system).network
    (streams,) = (station.streams for station in network.stations if station.streams)
    return streams


def test_the_first_beginning_is_the_one_that_is_asked_for() -> None:
    streams = streams_of(behind("psas-cp400i", level="JBOD"))
    assert begun(streams, 0) == streams


def test_others_are_a_few_accesses_further_on() -> None:
    streams = streams_of(behind("psas-cp400i", level="JBOD"))
    others = [begun(streams, number).starts for number in range(1, BEGINNINGS)]
    assert len(set(others)) == BEGINNINGS - 1
    for starts in others:
        ways = [(one - start) / streams.bytes for one, start in zip(starts, streams.starts, strict=True)]
        assert all(0 <= way < FURTHER and way == int(way) for way in ways)
        assert len(set(ways)) > 1, "all of them as far would be the same beginning elsewhere"


def test_none_begins_beyond_the_end() -> None:
    streams = streams_of(behind("psas-cp400i", level="JBOD"))
    last = streams.disk.capacity_bytes - streams.bytes
    at_the_end = streams.model_copy(update={"starts": (0.0, last)})
    for number in range(BEGINNINGS):
        assert begun(at_the_end, number).starts[-1] == last


@pytest.mark.parametrize(("faster", "told"), [(1.2, False), (1.3, True), (0.75, True), (0.85, False)])
def test_what_hangs_on_the_beginning_is_told(faster: float, told: bool) -> None:
    """From a quarter on."""
    system = behind("psas-cp400i", level="JBOD")
    reasons = rough(asked(system, workers=6), system, Other(faster))
    assert [reason.what for reason in reasons] == [
        "streams on a disk whose rate hangs on where they begin"
    ] * told


def test_where_no_streams_are_reckoned_nothing_is_solved() -> None:
    for system, workers in ((direct(), 6), (behind("psas-cp400i", level="JBOD"), 1)):
        solve = Other(2.0)
        assert spread(asked(system, workers=workers), system, solve) == 0
        assert solve.asked == 0


def test_small_reads_that_a_disk_just_keeps_up_with_hang_on_their_beginning() -> None:
    """Commands of 8 kB take an Exos X20 0.1 ms each, more than the medium takes for as much in order."""
    system = behind("psas-cp400i", "seagate-exos-x20-20tb", level="JBOD")
    point = asked(system, workers=8, outstanding=1, kib=(8,), area=system.volumes[0].size_bytes >> 20 << 20)
    assert spread(point, system, bench.solve_network) > 0.25
