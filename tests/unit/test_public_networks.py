"""Networks made in Python: what cannot be one is told at once, in the words of who calls it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import iodyno

DELAY = {"name": "a", "law": "delay", "visits": 1}


def station(**given: Any) -> Any:
    return iodyno.NetworkStation(**{**DELAY, **given})


@pytest.mark.parametrize("name", ["service_s", "visits", "service_scv"])
def test_a_network_has_finite_numbers(name: str) -> None:
    with pytest.raises(iodyno.EngineError) as raised:
        station(**{name: math.inf})
    assert str(raised.value) == f"{name}: takes a number that can be calculated with, not inf"


@pytest.mark.parametrize(
    ("make", "problems"),
    [
        (
            lambda: station(visits=-1, copies=0, parallel=0.5),
            [
                "copies: 0 is not above 0",
                "visits: -1 is below the least of 0",
                "parallel: 0.5 is below the least of 1",
            ],
        ),
        (
            lambda: iodyno.NetworkStation(name=5, law="delai", visit=1),  # type: ignore[call-arg]
            [
                "name: takes a text, not 5",
                """law: takes "delay", Servers(…) or Rates(…), not 'delai'""",
                "visit: there is no such argument",
            ],
        ),
        (lambda: station(law={"servers": 0}), ["law.servers: 0 is not above 0"]),
        (lambda: station(law={"rates": (1, -2)}), ["law.rates[1]: -2 is not above 0"]),
        (lambda: station(law=3), ['law: takes "delay", Servers(…) or Rates(…), not 3']),
        (lambda: iodyno.Servers(), ["servers: is missing"]),  # type: ignore[call-arg]
        (lambda: iodyno.Servers(servers=2.5), ["servers: takes a whole number, not 2.5"]),
        (lambda: iodyno.Rates(rates=()), ["rates: is empty"]),
        (lambda: iodyno.Rates(rates=5), ["rates: takes a list, not 5"]),
        (
            lambda: iodyno.ClosedNetwork(
                think_s=-1, regular="maybe", stations=[{"name": "a", "visits": -1}, DELAY, 5]
            ),
            [
                "think_s: -1 is below the least of 0",
                "regular: takes True or False, not 'maybe'",
                "stations[0].law: is missing",
                "stations[0].visits: -1 is below the least of 0",
                "stations[2]: takes a NetworkStation, not 5",
            ],
        ),
        (lambda: iodyno.ClosedNetwork(stations=()), ["stations: is empty"]),
        (
            lambda: iodyno.ClosedNetwork(stations=station()),
            ["stations: takes a list, not one NetworkStation"],
        ),
    ],
)
def test_what_cannot_be_a_network_is_told_at_once(make: Callable[[], Any], problems: list[str]) -> None:
    with pytest.raises(iodyno.EngineError) as raised:
        make()
    assert [str(problem) for problem in raised.value.problems] == problems


def test_a_mistyped_argument_is_told_by_the_one_that_was_meant() -> None:
    with pytest.raises(iodyno.EngineError) as raised:
        iodyno.Servers(server=2)  # type: ignore[call-arg]
    (problem,) = raised.value.problems
    assert str(problem) == "server: there is no such argument"
    assert problem.hint == "did you mean servers? Known arguments: servers"


def test_a_network_of_plain_values_is_that_of_records() -> None:
    made = iodyno.ClosedNetwork(stations=[DELAY, {**DELAY, "law": {"servers": 2}}])
    assert made.stations == (station(), station(law=iodyno.Servers(servers=2)))
