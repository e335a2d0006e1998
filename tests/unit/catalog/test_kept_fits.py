"""What a part keeps of its fit is read as strictly as its numbers: a file may have been edited by hand."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine
from iodyno.catalog.reading import parse_part, write_toml
from iodyno.catalog.shelf import part_files
from iodyno.errors import CatalogError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

NAME = "intel-p3700-800"
PART = next(file.read_text("utf-8") for file in part_files() if file.name == f"{NAME}.toml")
ROW = '{ figure = "p3700-060", published = 3600, simulated = 3594, residual = -0.0017 }'
HINT = "give the figure as published, or as given where it is one's own"
VALUES: list[Any] = [
    0, -1, 0.5, 10**400, float("nan"), float("inf"), True, "", "x", "[red]x", "a\nb", [], ["x"], [[]], [{}],
    {}, {"value": 1},
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "place", "what"),
    [
        (ROW, ROW.replace("published = 3600, ", ""), "figures[2]", "has neither published nor given"),
        (ROW, ROW.replace("published", "given = 1, published"), "figures[2]", "has published and given"),
        (ROW, ROW.replace("3594", '"3594"'), "figures[2].simulated", '"3594" is no number'),
        (ROW, ROW.replace("3594", "nan"), "figures[2].simulated",
         "nan is no number that can be calculated with"),
        (ROW, ROW.replace(", residual = -0.0017", ""), "figures[2].residual", "is missing"),
        (ROW, ROW.replace("figure = ", "figur = "), "figures[2].figur", "is no key of this table"),
        (ROW, '"p3700-060"', "figures[2]", '"p3700-060" is no table'),
        ('command = "iodyno catalog fit intel-p3700-800"\n', "", "command", "is missing"),
        ("parameters_in_all = 10", 'parameters_in_all = "ten"', "parameters_in_all",
         '"ten" is no whole number'),
    ],
)  # fmt: skip
def test_a_row_that_was_edited_by_hand_is_refused_where_it_stands(
    iodyno_says: CommandLine, tmp_path: Path, old: str, new: str, place: str, what: str
) -> None:
    assert PART.count(old) == 1
    file = tmp_path / "edited.toml"
    file.write_text(PART.replace(old, new), "utf-8")
    said = iodyno_says("catalog", "show", file)
    assert said.code == 2
    assert re.search(rf"error: {file}:\d+: {re.escape(f'fit.{NAME}.{place}: {what}')}\n", said.err), said.err


def test_all_that_is_wrong_with_a_kept_fit_is_told_with_hints() -> None:
    text = PART.replace(ROW, ROW.replace("published = 3600, ", "")).replace("command = ", "comand = ", 1)
    with pytest.raises(CatalogError) as caught:
        parse_part(text, "p.toml")
    told = {problem.where: (problem.what, problem.hint.split("?")[0]) for problem in caught.value.problems}
    assert told == {
        f"p.toml: fit.{NAME}.comand": ("is no key of this table", "did you mean command"),
        f"p.toml: fit.{NAME}.figures[2]": ("has neither published nor given", HINT),
    }


@pytest.mark.parametrize("seed", range(4))
def test_whatever_stands_in_a_kept_fit_is_shown_or_refused(
    iodyno_says: CommandLine, tmp_path: Path, seed: int
) -> None:
    rng, codes = random.Random(seed), set()
    file = tmp_path / "edited.toml"
    for _ in range(40):
        document: dict[str, Any] = tomllib.loads(PART)
        kept = document["fit"][NAME]
        table = rng.choice([document, document["fit"], kept, *kept["figures"]])
        key = "fit" if table is document else rng.choice([*table])
        if rng.random() < 0.3:
            del table[key]
        else:
            table[key] = rng.choice(VALUES)
        file.write_text(write_toml(document), "utf-8")
        codes.add(iodyno_says("catalog", "show", file).code)
        codes.add(iodyno_says("catalog", "show", file, "--json").code)
    assert codes == {0, 2}, seed


def test_a_key_that_is_called_as_that_of_a_number_is_none_of_the_part() -> None:
    with pytest.raises(CatalogError) as caught:
        parse_part(f"value = 1\n{PART}", "p.toml")
    assert [str(problem) for problem in caught.value.problems] == ["p.toml: value: is no key of this table"]
    assert "value" in parse_part(PART.replace("[sources]\n", '[sources]\nvalue = "a book"\n')).sources
