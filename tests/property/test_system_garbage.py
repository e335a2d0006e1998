"""Whatever stands in the table of a system: it resolves, or every problem of it is told, each once."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from iodyno.catalog.checks import checked
from iodyno.catalog.partly import partly
from iodyno.catalog.resolve import resolve_checked
from iodyno.catalog.shelf import shipped
from iodyno.catalog.tree import (
    ControllerSpec,
    DirectSpec,
    HostSpec,
    LogicalSpec,
    SystemSpec,
    document_of,
    shipped_systems,
)
from iodyno.errors import CatalogError

TABLES = (SystemSpec, HostSpec, ControllerSpec, LogicalSpec, DirectSpec)
KEYS = sorted({key for table in TABLES for key in table.model_fields} | {"cuont", "colour", ""})
VALUES: list[Any] = [
    0, 1, 2, 3, 7, 24, -1, 4097, 10**20, 0.5, float("inf"), float("nan"), True, False, None, "", "x", "none",
    "5",
    "10", "JBOD", "64k", "1T", "100%", "on", "off", "write-back", "performance", "SFF", "AIC", "PCIe 3.0 x4",
    "DMI 2.0 x4", [], [0], [0, 1], [[]], {}, {"drive": "x"}, [{}], [5], "a\nb",
    *sorted(shipped().parts),
]  # fmt: skip


def _tables(value: Any) -> list[dict[str, Any]]:
    below = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value] * isinstance(value, dict) + [table for item in below for table in _tables(item)]


def _broken(rng: random.Random) -> dict[str, Any]:
    """Change a few keys of a shipped system: another value, one of another table, or none."""
    document: dict[str, Any] = copy.deepcopy(document_of(rng.choice(shipped_systems())))
    for _ in range(rng.randint(1, 5)):
        table = rng.choice(_tables(document))
        key = rng.choice([*table, *rng.sample(KEYS, 2)])
        if rng.random() < 0.2:
            table.pop(key, None)
        else:
            table[key] = copy.deepcopy(rng.choice(VALUES))
    return document


@pytest.mark.parametrize("seed", range(8))
def test_garbage_is_refused_or_resolved(seed: int) -> None:
    rng = random.Random(seed)
    resolved = refused = 0
    for _ in range(400):
        document = _broken(rng)
        try:
            system = checked(document, "made")
        except CatalogError as error:
            told = [str(problem) for problem in error.problems]
            assert len(told) == len(set(told)), (seed, document)
            refused += 1
        else:
            assert not partly(document, "made").problems
            resolve_checked(system)
            resolved += 1
    assert resolved, seed
    assert refused, seed


def _places(value: Any, path: str = "") -> list[tuple[dict[str, Any], str, str]]:
    """Give every key of every table with its path."""
    if isinstance(value, dict):
        own = [(value, key, f"{path}.{key}" if path else key) for key in value]
        return own + [one for _, key, at in own for one in _places(value[key], at)]
    if isinstance(value, list):
        return [one for at, item in enumerate(value) for one in _places(item, f"{path}[{at}]")]
    return []


@pytest.mark.parametrize("name", shipped_systems())
def test_of_a_system_that_can_be_one_unreadable_value_is_one_problem(name: str) -> None:
    for at, (_, _, path) in enumerate(_places(document_of(name))):
        document = copy.deepcopy(document_of(name))
        table, key, _ = _places(document)[at]
        table[key] = object()  # what no key takes
        assert [where for where, _ in _told(document)] == [path]


@pytest.mark.parametrize("name", shipped_systems())
def test_of_a_system_that_can_be_one_mistyped_key_is_no_other_problem(name: str) -> None:
    for at, (_, _, path) in enumerate(_places(document_of(name))):
        document = copy.deepcopy(document_of(name))
        table, key, _ = _places(document)[at]
        table[f"{key[:-1]}x{key[-1]}"] = table.pop(key)
        found = _told(document)
        mistyped = f"{path[:-1]}x{path[-1]}"
        assert (mistyped, "is no key of this table") in found, (path, found)
        assert set(found) <= {(mistyped, "is no key of this table"), (path, "is missing")}, (path, found)


def _told(document: dict[str, Any]) -> list[tuple[str, str]]:
    try:
        checked(document, "made")
    except CatalogError as error:
        return [(problem.where.removeprefix("made: "), problem.what) for problem in error.problems]
    return []
