"""Places have the order of the simulator's, by which it too chooses of equally busy stations."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from iodyno.places import Place, foremost
from iodyno.report.names import PLACE_NAMES, SHORT_PLACE_NAMES

SIMULATOR = Path(__file__).parents[2] / "crates" / "sim" / "src" / "spent.rs"


def test_places_are_those_of_the_simulator_in_its_order() -> None:
    if not SIMULATOR.exists():
        pytest.skip("no source of the simulator beside the tests")
    (names,) = re.findall(r"const PLACE_NAMES: [^=]+= \[(.*?)\]", SIMULATOR.read_text("utf-8"), re.DOTALL)
    assert list(get_args(Place)) == re.findall(r'"(\w+)"', names)


def test_papers_name_every_place_in_the_order_of_the_way() -> None:
    assert list(PLACE_NAMES) == list(SHORT_PLACE_NAMES) == list(get_args(Place))


def test_of_equal_shares_the_first_on_the_way_is_in_front() -> None:
    shares = [(0.4, "drive_media"), (0.4 + 1e-12, "switch"), (0.4, "host_link"), (0.3, "host_cpu")]
    assert min(shares, key=lambda one: foremost(*one)) == (0.4, "host_link")
    assert min([*shares, (0.5, "drive_room")], key=lambda one: foremost(*one)) == (0.5, "drive_room")
