"""How many I/Os an open loop may have outstanding: 512 unless the study says so, as the guides promise."""

from __future__ import annotations

import pytest

from iodyno.profiles import STANDARD_LOADS
from iodyno.study import Overrides, Study, expand, load_study, parse_study
from iodyno.study.overrides import Rates

HEAD = 'schema = 1\nname = "mine"\ntitle = "Mine"\n'
METHODICAL = tuple(name for name, load in STANDARD_LOADS.items() if load.outstanding)
"""Profiles whose method says how many I/Os a closed loop has outstanding."""


def sweep(text: str, profiles: tuple[str, ...] = METHODICAL) -> Study:
    return parse_study(f'{HEAD}[[sweep]]\nname = "one"\nprofiles = {list(profiles)}\n{text}')


def most(study: Study) -> set[int]:
    """Give how many I/Os the points of open loops may have outstanding."""
    return {draft.outstanding for draft in expand(study) if draft.open_loop}


@pytest.mark.parametrize("rate", ["rate_io_s = 1000", 'rate_share = "20%"', 'search = { limit = "2ms" }'])
def test_what_the_method_of_a_profile_says_is_of_closed_loops(rate: str) -> None:
    assert METHODICAL
    assert most(sweep(rate)) == {512}
    assert most(sweep(f"{rate}\noutstanding = 7")) == {7}
    closed = {draft.profile.name: draft.outstanding for draft in expand(sweep(""))}
    assert closed == {name: STANDARD_LOADS[name].outstanding[0] for name in METHODICAL}


def test_rates_of_the_command_line_have_it_too() -> None:
    choices = Overrides(profiles=("oltp-4k", "database"), rates=Rates(io_s=(1000.0,)))
    found = expand(choices.apply(load_study("quick")))
    assert {draft.profile.name: draft.outstanding for draft in found} == {"oltp-4k": 512, "database": 512}
    closed = Overrides(profiles=("oltp-4k",), rates=Rates())
    assert {draft.outstanding for draft in expand(closed.apply(load_study("quick")))} == {32}


def beside(text: str) -> Study:
    head = "outstanding = 3\n[[sweep.beside]]\n"
    return sweep(f'{head}profile = "restore"\n{text}', ("database",))


def test_a_load_beside_at_a_rate_has_it_too() -> None:
    """It had one: its accesses waited for each other, and response times were those of a growing queue."""
    for text, expected in (
        ("rate_io_s = 200", 512),
        ("rate_io_s = 200\noutstanding = 4", 4),
        ("rate_io_s = 200\noutstanding = 1", 1),
        ("outstanding = 4", 4),
        ("", 1),
    ):
        study = beside(text)
        ((load,),) = (draft.beside for draft in expand(study))
        assert load.outstanding == expected
        (kept,) = study.source()["sweep"][0]["beside"]
        assert kept["outstanding"] == expected
        assert Study.model_validate(study.source()) == study
