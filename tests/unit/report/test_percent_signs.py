"""Percent signs stand behind a number in one way: without a space in English and Japanese, in German with."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import iodyno
from iodyno.report.charts.numerals import numerals
from iodyno.report.numbers import Numbers

PACKAGE = Path(iodyno.__file__).parent
SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if "validation" not in path.parts)
"""Those of the validation page are prose of the documentation."""
APART = re.compile(r"\d[ \u00a0]%(?![(\w])")
A_VALUE = "0"


def _said(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the texts of a source that are shown: its strings, and of docstrings those of commands."""
    hidden = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            hidden |= {id(part) for part in node.values}
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            hidden.add(id(node.value))
    for node in ast.walk(tree):
        decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
        if isinstance(node, ast.FunctionDef) and any("command" in ast.dump(one) for one in decorators):
            yield node.lineno, ast.get_docstring(node) or ""
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in hidden:
            yield node.lineno, node.value
        if isinstance(node, ast.JoinedStr):
            parts = (str(part.value) if isinstance(part, ast.Constant) else A_VALUE for part in node.values)
            yield node.lineno, "".join(parts)


def test_no_text_of_the_sources_has_a_space_before_a_percent_sign() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}:{line}: {text[:80]}"
        for path in SOURCES
        for line, text in _said(ast.parse(path.read_text("utf-8")))
        if APART.search(text)
    ]
    studies = (PACKAGE / "studies").glob("*.toml")
    found += [path.name for path in studies if APART.search(path.read_text("utf-8"))]
    assert found == []


@pytest.mark.parametrize(("language", "between"), [("en", ""), ("ja", ""), ("de", " ")])
def test_axes_of_charts_have_it_as_the_text_beside_them(language: str, between: str) -> None:
    """Axes are set closer: a narrow space stands where the text has one."""
    texts = Numbers(language).percent(0.99), numerals(language).percent(0.99)
    assert [re.sub(r"\s", " ", text) for text in texts] == [f"99{between}%"] * 2
