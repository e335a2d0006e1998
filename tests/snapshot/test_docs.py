"""The reference pages are what the commands and models say, and their example is a study."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from iodyno.study import expand, parse_study

TOOL = Path(__file__).resolve().parents[2] / "tools" / "generate_docs.py"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    """Load the tool that writes the pages."""
    spec = importlib.util.spec_from_file_location("generate_docs", TOOL)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["cli.md", "study.md", "catalog.md"])
def test_the_page_is_up_to_date(tool: ModuleType, name: str) -> None:
    written = (tool.FOLDER / name).read_text(encoding="utf-8")
    assert written == tool.PAGES[name](), "run python tools/generate_docs.py"


def test_every_field_has_a_text(tool: ModuleType) -> None:
    for _, _, model in tool.TABLES:
        assert set(tool.field_docs(model)) >= set(model.model_fields)


def test_the_example_is_a_study_of_sixty_points(tool: ModuleType) -> None:
    example = re.search(r"```toml\n(.*?)```", tool.study_page(), re.DOTALL)
    assert example
    assert len(expand(parse_study(example[1]))) == 2 * 3 * 10
