"""Small writes to parity on hard disks, one at a time: the arm stays where they have read."""

from __future__ import annotations

import json
from typing import Any

import pytest

import iodyno
from iodyno.prediction import build
from iodyno.prediction.parity import mean_update
from iodyno.prediction.pieces import Shape

KIB = 1024
STRIP = 64 * KIB
REVOLUTION_S = 60 / 15_000
"""15,000 revolutions a minute."""
WITHOUT_CACHE = {
    "drive": "sas-12g-hdd-450-15k", "backup_unit": False, "write": "write-through", "drive_cache": "off",
    "read": "no-read-ahead",
}  # fmt: skip


def study(read: float, kib: int, outstanding: int, **changes: Any) -> iodyno.Study:
    text = ", ".join(f"{key} = {json.dumps(value)}" for key, value in {**WITHOUT_CACHE, **changes}.items())
    return iodyno.parse_study(
        f"""
        name = "made"
        title = "Made"
        [[configuration]]
        name = "made"
        system = "raid-controllers"
        changes = {{ {text} }}
        [[profile]]
        name = "update"
        random_share = 1.0
        read_share = {read}
        blocks = "{kib}k"
        [[sweep]]
        name = "all"
        profiles = ["update"]
        outstanding = [{outstanding}]
        [simulation]
        warmup_ios = 500
        floor_ios = 6000
        cap_ios = 6000
        """
    )


def turned_s(read: float = 0.0, kib: int = 8, outstanding: int = 1, **changes: Any) -> float:
    """Give for how long an I/O waits that a place comes round again, in s."""
    plan = iodyno.planned(study(read, kib, outstanding, **changes))
    (point,), (system,) = plan.points, plan.systems.values()
    stations = build(point, system).network.stations
    return sum(one.visits * one.service_s for one in stations if one.name.endswith("back where it has read"))


@pytest.mark.parametrize(
    ("data", "parity", "kib", "following"),
    [
        (7, 1, 8, 1.0),  # the old data and the old parity
        (10, 2, 8, 1.0),
        (2, 2, 8, 0.0),  # the rest of the row is less: what is written was not read
        (7, 1, 7 * 64, 0.0),  # a whole row
    ],
)
def test_what_an_update_reads_is_what_it_writes(data: int, parity: int, kib: int, following: float) -> None:
    assert mean_update(Shape(data, parity, 1, STRIP), kib * KIB, kib * KIB).following == following


def test_an_update_alone_takes_a_revolution_more_than_what_it_reads() -> None:
    """The place on the disk that was read last comes round after one, those of the others before."""
    assert turned_s(level="5", count=8) == pytest.approx(REVOLUTION_S)
    assert turned_s(level="6", count=8) == pytest.approx(REVOLUTION_S)
    assert turned_s(read=0.75, level="5", count=8) == pytest.approx(REVOLUTION_S / 4)
    others: tuple[dict[str, Any], ...] = (
        {"outstanding": 2}, {"read": 1.0}, {"level": "0"}, {"drive_cache": "on"},
    )  # fmt: skip
    for other in others:
        assert turned_s(**{"level": "5", "count": 8, **other}) == 0


@pytest.mark.parametrize(("level", "count"), [("5", 4), ("5", 8), ("6", 8), ("50", 8)])
@pytest.mark.parametrize(("read", "kib"), [(0.0, 4), (0.0, 64), (0.67, 8)])
def test_updates_one_at_a_time_come_to_what_the_simulator_has(
    level: str, count: int, read: float, kib: int
) -> None:
    """They were 0.72 to 0.90 of it: a write was one that goes anywhere, and the last of several counted."""
    groups = {"groups": 2} if level == "50" else {}
    asked = study(read, kib, 1, level=level, count=count, **groups)
    (row,) = iodyno.predict(asked)
    (simulated,) = iodyno.rows(iodyno.simulate(asked))
    expected, counted = row["transaction_rate_io_s"], simulated["transaction_rate_io_s"]
    assert isinstance(expected, float)
    assert isinstance(counted, float)
    assert expected / counted == pytest.approx(1, abs=0.04)
