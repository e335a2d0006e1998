"""The generated pages are what commands, models and simulations say, and their example is a study."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from iodyno.catalog.fields import MODELS
from iodyno.catalog.parts import SettingsPart
from iodyno.catalog.reading import KINDS
from iodyno.catalog.shelf import shipped
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


@pytest.mark.parametrize(
    "name", ["reference/cli.md", "reference/study.md", "reference/catalog.md", "concepts/bottlenecks.md"]
)
def test_the_page_is_up_to_date(tool: ModuleType, name: str) -> None:
    written = (tool.FOLDER / name).read_text(encoding="utf-8")
    assert written == tool.PAGES[name](), "run python tools/generate_docs.py"


def test_every_field_has_a_text(tool: ModuleType) -> None:
    for _, _, model in tool.TABLES:
        assert set(tool.field_docs(model)) >= set(model.model_fields)


def test_the_page_has_every_key_and_number_of_every_kind_of_part(tool: ModuleType) -> None:
    """Each with a text, and with the units that a part has: its numbers are in none of the simulator's."""
    page = (tool.FOLDER / "reference/catalog.md").read_text(encoding="utf-8")
    _, _, section = page.partition("\n## How a part is written\n")
    section, _, _ = section.partition("\n## ")
    tables = dict(re.findall(r"^#+ (.*?)\n(.*?)(?=^#|\Z)", section, re.DOTALL | re.MULTILINE))
    for kind, numbers in MODELS.items():
        if numbers:
            title = "`[prefetch]` of an SSD" if kind == "prefetch" else f"`[model]` of `{kind}`"
            rows = [line.split("|") for line in tables[title].splitlines() if line.startswith("| `")]
            assert [row[1].strip(" `") for row in rows] == list(numbers)
            for row, number in zip(rows, numbers.values(), strict=True):
                assert row[2].strip().split(",")[0] == number.dimension
                assert (row[3].strip() == "needed") == number.required
                assert re.search(r"\bin (ps|bytes)\b|:data:|``", row[4]) is None
                assert len(row[4]) > len("  x. ")
    named = set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))
    for record in set(KINDS.values()):
        assert {field.alias or name for name, field in record.model_fields.items()} <= named


def test_no_text_is_of_a_number_that_no_part_has(tool: ModuleType) -> None:
    tool.PAGES["reference/catalog.md"]()
    import parts_page

    for kind, texts in parts_page._MEANINGS.items():
        assert texts.keys() <= MODELS[kind].keys()


def test_the_page_names_every_power_setting(tool: ModuleType) -> None:
    page = (tool.FOLDER / "reference/catalog.md").read_text(encoding="utf-8")
    (row,) = (line for line in page.splitlines() if line.startswith("| `settings` |"))
    assert all(f"`{part.name}`" in row for part in shipped().of(SettingsPart)), row


def test_the_example_is_a_study_of_sixty_points(tool: ModuleType) -> None:
    example = re.search(r"```toml\n(.*?)```", tool.study_page(), re.DOTALL)
    assert example
    assert len(expand(parse_study(example[1]))) == 2 * 3 * 10


LIMITS = (
    "core", "data path", "PCIe 3.0 x2, reads", "1610-4P NVMe Switch Adapter", "processor", "parity",
    "8 x SAS 6G of PRAID EP420i, reads", "DMI 2.0 x4 of C610 (onboard), reads", "mechanics", "dies",
)  # fmt: skip
"""The limit of each case of the page on bottlenecks, as its text calls it."""
ANOTHER_SHARE = 1.05
"""Times of the rate from which on a change is one of the limit."""
SAME_SHARE = 0.03
"""Share by which the rate may move where something else is changed."""


def test_the_limits_are_those_that_the_text_explains(tool: ModuleType) -> None:
    page = (tool.FOLDER / "concepts/bottlenecks.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if line[:1] == "|"]
    numbered = [row for row in rows if row[0].isdigit()]
    limits = [row[4].rpartition(": ")[2] for row in numbered if len(row) == 8]
    assert limits == list(LIMITS)
    for case in range(1, len(LIMITS) + 1):
        times = [float(row[3]) for row in numbered if len(row) == 5 and row[0] == str(case)]
        assert max(times) > ANOTHER_SHARE, f"case {case}: the limit changed changes nothing"
        assert any(abs(one - 1) <= SAME_SHARE for one in times), f"case {case}: nothing else was changed"
