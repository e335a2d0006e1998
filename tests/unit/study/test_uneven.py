"""Accesses to some blocks more often than to others, on virtual systems: what is planned, what is refused."""

from __future__ import annotations

import pytest

from iodyno.errors import ProfileError
from iodyno.plan import Plan
from iodyno.study import parse_study, plan_simulation, resolve_all
from iodyno.study.systems import resolve

HEAD = 'schema = 1\nname = "mine"\ntitle = "Mine"\n'
LAWS = ("zipf:1.2", "pareto:0.2", "normal:0.1")
ZONES = "90/10, 10/70"


def profile(name: str, distribution: str = "uniform", more: str = "read_share = 0.5") -> str:
    return (
        f'[[profile]]\nname = "{name}"\nrandom_share = 1\nblocks = "8k"\n{more}\n'
        f'distribution = "{distribution}"\n'
    )


def sweep(name: str, beside: str = "") -> str:
    found = f'[[sweep]]\nname = "one"\nprofiles = "{name}"\noutstanding = 4\n'
    return found + (f'[[sweep.beside]]\nprofile = "{beside}"\noutstanding = 2\n' if beside else "")


def plan(text: str, system: str = "p3700", more: str = "") -> Plan:
    on = f'[[configuration]]\nname = "c"\nsystem = "{system}"\n{more}'
    study = parse_study(HEAD + text + on)
    return plan_simulation(study, resolve_all(study.configurations, resolve))


def refused(text: str, system: str = "p3700", more: str = "") -> list[str]:
    with pytest.raises(ProfileError) as caught:
        plan(text, system, more)
    return [f"{problem}: {problem.hint}" for problem in caught.value.problems]


@pytest.mark.parametrize("distribution", [*LAWS, ZONES])
@pytest.mark.parametrize("reads", [0, 0.5, 1])
def test_drives_of_the_host_follow_all_laws_and_zones(distribution: str, reads: float) -> None:
    mixed = profile("own", distribution, f"read_share = {reads}")
    assert len(plan(mixed + sweep("own")).points) == 1


@pytest.mark.parametrize("reads", [0, 0.5, 1])
@pytest.mark.parametrize("distribution", LAWS)
def test_controllers_follow_all_laws(distribution: str, reads: float) -> None:
    mixed = profile("own", distribution, f"read_share = {reads}")
    assert len(plan(mixed + sweep("own"), "raid-controllers").points) == 1


def test_zones_are_read_behind_a_controller_and_written_where_no_cache_answers() -> None:
    reads = profile("own", ZONES, "read_share = 1")
    assert plan(reads + sweep("own"), "raid-controllers").points
    writes = profile("own", ZONES)
    (problem,) = refused(writes + sweep("own"), "raid-controllers")
    assert problem.startswith(
        "sweep one.profiles.own: own writes by 90/10, 10/70, and the write-back cache of volume is modelled"
    )
    own = 'write_distribution = "zipf:1.2"\nread_share = 0.5'
    assert plan(profile("own", ZONES, own) + sweep("own"), "raid-controllers").points
    sequential = profile("own", ZONES, "write_random_share = 0\nread_share = 0.5")
    assert plan(sequential + sweep("own"), "raid-controllers").points
    through = 'changes = { write = "write-through" }\n'
    assert plan(writes + sweep("own"), "raid-controllers", through).points


def test_a_permutation_of_writes_is_refused_and_one_of_reads_followed() -> None:
    (problem,) = refused(profile("own", "permutation") + sweep("own"))
    assert "own writes by permutation, and garbage collection is modelled" in problem
    own = 'read_share = 0.5\nwrite_distribution = "permutation"'
    (problem,) = refused(profile("own", "uniform", own) + sweep("own"))
    assert 'simulate it with write_distribution = "uniform"' in problem
    assert plan(profile("own", "permutation", "read_share = 1") + sweep("own")).points


def test_trims_beside_uneven_writes_are_refused_whoever_trims() -> None:
    trims = "read_share = 0.5\ntrim_share = 0.1"
    (problem,) = refused(profile("own", "zipf:1.2", trims) + sweep("own"))
    assert "own writes by zipf:1.2, and trims of volume are modelled beside even writes" in problem
    both = profile("own", "zipf:1.2") + profile("other", "uniform", trims) + sweep("own", "other")
    assert len(refused(both)) == 1
    assert plan(profile("own") + profile("other", "uniform", trims) + sweep("own", "other")).points


def test_loads_that_read_a_cached_volume_by_other_laws_are_refused() -> None:
    both = profile("own", "zipf:1.2", "read_share = 1") + profile("other", "zipf:1.1", "read_share = 1")
    cached = 'changes = { cache = "cached" }\n'
    (problem,) = refused(both + sweep("own", "other"), "raid-controllers", cached)
    assert "loads at once read volume in different ways" in problem
    assert plan(both + sweep("own", "other"), "raid-controllers").points
