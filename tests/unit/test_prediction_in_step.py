"""Streams on disks that nothing buffers, against what can be reckoned by hand."""

from __future__ import annotations

import math

import pytest

from iodyno.prediction.in_step import Way, rate_s

REVOLUTION = 4e-3
TRANSFER = 16e-6


def rate(outstanding: int, way: Way, drives: int = 1, run: int = 1) -> float | None:
    return rate_s(
        way,
        outstanding=outstanding,
        transfer_s=TRANSFER,
        revolution_s=REVOLUTION,
        drives=drives,
        run=run,
    )


@pytest.mark.parametrize("outstanding", [1, 2, 5])
def test_all_that_is_outstanding_passes_with_each_revolution(outstanding: int) -> None:
    """All of them are late by the time that the first could follow: a revolution behind their own passing."""
    way = Way(total_s=100e-6, shared_s=5e-6, own_s=0.0)
    found = rate(outstanding, way)
    assert found == pytest.approx(outstanding / (REVOLUTION + outstanding * TRANSFER))


@pytest.mark.parametrize("outstanding", [10, 20, 30])
def test_some_come_while_the_others_pass(outstanding: int) -> None:
    """The first comes when there is still something to pass, the others a command apart, and lose ground."""
    command = 70e-6
    way = Way(total_s=100e-6, shared_s=command, own_s=0.0)
    ahead = (outstanding - 1) * TRANSFER - way.total_s
    passed = outstanding + math.floor(ahead / (command - TRANSFER)) + 1
    assert rate(outstanding, way) == pytest.approx(passed / (REVOLUTION + passed * TRANSFER))


def test_who_comes_in_time_loses_nothing() -> None:
    """Seven behind the first pass in 112 µs, and the way takes 100; six in 96."""
    way = Way(total_s=100e-6, shared_s=5e-6, own_s=0.0)
    assert rate(8, way) is None
    assert rate(7, way) is not None


def test_one_at_a_time_gains_nothing_from_more_disks() -> None:
    """But for the turns of sixteen, at whose beginning a disk may stand anywhere, each loses a revolution."""
    found = rate(1, Way(total_s=100e-6, shared_s=5e-6, own_s=0.0), drives=2, run=16)
    assert found is not None
    assert 15 / 16 / (REVOLUTION + TRANSFER) < found < 17 / 16 / (REVOLUTION + TRANSFER)
