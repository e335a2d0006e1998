"""The examples in the docstrings of every module do what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import iodyno

MODULES = sorted(
    found.name for found in pkgutil.walk_packages(iodyno.__path__, "iodyno.") if not found.name.endswith("_")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    module = importlib.import_module(name)
    failed, _ = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    examples = sum(
        len(test.examples) for name in MODULES for test in finder.find(importlib.import_module(name))
    )
    assert examples > 50
