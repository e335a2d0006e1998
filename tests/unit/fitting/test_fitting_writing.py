"""A fit is written into a part's file: the numbers it found, and nothing else, change."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine
from iodyno.catalog.reading import parse_part
from iodyno.catalog.shelf import Catalog
from iodyno.errors import CatalogError
from iodyno.fitting.fit import Fit, Met
from iodyno.fitting.least_squares import Determined, Minimum
from iodyno.fitting.specs import FitSpec, Parameter
from iodyno.fitting.writing import with_fit, write

SWITCH = """\
schema = 1
kind = "switch"
name = "some-switch"
title = "Some switch"  # a comment
version = "PCIe 3.0"
source = "lenovo"

[sources]
lenovo = "somebody, somewhere"

[model]
host_lanes = { value = 16, unit = "count", kind = "published", source = "lenovo" }
drive_lanes = { value = 4, unit = "count", kind = "published", source = "lenovo" }
# what the fit finds
ports = { value = 4, unit = "count", kind = "published", source = "lenovo" }
command = { value = 0.6, unit = "us", kind = "assumed", note = "a start" }  # stays
"""
SPEC = FitSpec("some-switch", (Parameter("model.command", 0.1, 5),), ("nvme-032",))


def _fit(value: float, low: float | None, high: float | None) -> Fit:
    found = Determined("command", value, low, high, at_bound=False)
    minimum = Minimum([value], [0.01], [[1.0]], 3, converged=True)
    return Fit(SPEC, (found,), (Met("nvme-032", 0.7, 0.714), Met("nvme-031", 0.5, 0.49, -0.0412)), minimum)


def _written(fit: Fit, text: str = SWITCH) -> str:
    return with_fit(text, fit, "some-switch", Catalog([parse_part(SWITCH)]))


def test_only_the_line_of_the_number_changes_and_a_table_follows() -> None:
    lines = _written(_fit(0.71234567, 0.6512345, 0.78)).splitlines()
    kept = SWITCH.splitlines()
    assert [line for line in lines if line and line in kept] == [line for line in kept[:-1] if line]
    (number,) = [line for line in lines if line.startswith("command = {")]
    assert number.endswith("} # stays")


def test_what_is_written_is_read_back_as_fitted_with_its_interval() -> None:
    part = parse_part(_written(_fit(0.71234567, 0.6512345, 0.78)))
    number = part.model["command"]
    assert (number.value, number.kind, number.interval) == (0.7123, "fitted", (0.6512, 0.78))
    assert part.fit is not None
    table = part.fit["some-switch"]
    assert [one.model_dump(exclude_none=True) for one in table.figures] == [
        {"figure": "nvme-032", "published": 0.7, "simulated": 0.714, "residual": pytest.approx(0.02)},
        {"figure": "nvme-031", "published": 0.5, "simulated": 0.49, "residual": pytest.approx(-0.02),
         "left_out": pytest.approx(-0.0412)},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("figure", "written"),
    [
        (41005.0, "41005"),
        (192881, "192881"),
        (1.1, "1.1"),
        (1 + 20 / 100, "1.2"),
        (2.0, "2.0"),
        (0.0661, "0.0661"),
    ],
)
def test_figures_are_kept_with_all_of_their_digits(figure: float, written: str) -> None:
    """What was simulated is no surer than four digits; a figure is what somebody printed or gave."""
    fit = replace(_fit(0.7, 0.6, 0.8), met=(Met("nvme-032", figure, 42163.4),))
    assert f"published = {written}, simulated = 42160, " in _written(fit)


def test_what_the_figures_do_not_determine_stays_an_assumption_that_says_so() -> None:
    number = parse_part(_written(_fit(0.9, None, None))).model["command"]
    assert (number.value, number.kind) == (0.9, "assumed")
    assert "do not determine" in number.note


def test_writing_twice_is_writing_once() -> None:
    once = _written(_fit(0.7, 0.6, 0.8))
    assert _written(_fit(0.7, 0.6, 0.8), once) == once
    assert _written(_fit(0.8, 0.7, 0.9), once).count("[fit.some-switch]") == 1


def _package_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put the catalogue's one part into a folder ``iodyno`` there, and give its file."""
    file = folder / "iodyno" / "catalog" / "parts" / "switches" / "some-switch.toml"
    file.parent.mkdir(parents=True)
    file.write_text(SWITCH, "utf-8")
    monkeypatch.setattr(resources, "files", lambda _: folder / "iodyno")
    return file


def test_in_a_checkout_the_catalogue_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = _package_in(tmp_path / "python", monkeypatch)
    (tmp_path / "pyproject.toml").touch()
    assert write(_fit(0.71, 0.65, 0.78), Catalog([parse_part(SWITCH)])) == [file]
    assert parse_part(file.read_text("utf-8")).model["command"].value == 0.71


def test_of_several_parts_all_are_written_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = _package_in(tmp_path / "python", monkeypatch)
    (tmp_path / "pyproject.toml").touch()
    other = SWITCH.replace("some-switch", "other-switch")
    file.with_name("other-switch.toml").write_text(other.replace("PCIe 3.0", "PCIe 30"), "utf-8")
    both = ("some-switch", "other-switch")
    spec = FitSpec("some-switch", (Parameter("model.command", 0.1, 5, parts=both),), ("nvme-032",))
    with pytest.raises(CatalogError):
        write(replace(_fit(0.71, 0.65, 0.78), spec=spec), Catalog(map(parse_part, (SWITCH, other))))
    assert file.read_text("utf-8") == SWITCH


def test_an_installed_catalogue_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = _package_in(tmp_path / "lib" / "python3.11" / "site-packages", monkeypatch)
    with pytest.raises(CatalogError) as refused:
        write(_fit(0.71, 0.65, 0.78), Catalog([parse_part(SWITCH)]))
    assert "some-switch" in str(refused.value)
    assert "--toml" in refused.value.problems[0].hint
    assert file.read_text("utf-8") == SWITCH


def test_it_is_refused_before_the_fit(iodyno_says: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    def fitted(*_: object, **__: object) -> None:
        raise AssertionError("a fit takes minutes")

    def refused(part: str) -> None:
        raise CatalogError.of(part, "is not written here", "")

    monkeypatch.setattr("iodyno.fitting.fit.fit", fitted)
    monkeypatch.setattr("iodyno.fitting.writing.file_of", refused)
    said = iodyno_says("catalog", "fit", "intel-p3700-800", "--write")
    assert said.code == 2
    assert "intel-p3700-800" in said.err
    assert "is not written here" in said.err


OTHER = SWITCH.replace('name = "some-switch"', 'name = "other-switch"')
TWO = FitSpec(
    "some-switch",
    (
        Parameter("model.command", 0.1, 5, ("some-switch", "other-switch")),
        Parameter("model.drive_lanes+model.ports", 1, 9),
    ),
    ("nvme-032",),
    beyond='More than one: "several"',
)


def _of_two(**changes: Any) -> Fit:
    command = Determined("some-switch: model.command", 5.0, 4.5, 5.0, at_bound=True)
    lanes = Determined(
        "some-switch: model.drive_lanes", 4.0, None, None, False, ("some-switch: model.command",)
    )
    minimum = Minimum([5.0, 4.0], [0.01, 0.0], [[1.0, 0.0], [0.0, 1.0]], 3, converged=True)
    met = (Met("facts.speed", 12.0, 12.6), Met("nvme-032", 0.7, 0.714))
    return replace(Fit(TWO, (command, lanes), met, minimum), **changes)


def test_of_several_parts_each_has_its_numbers_and_the_first_the_figures() -> None:
    catalog = Catalog(map(parse_part, (SWITCH, OTHER)))
    first = parse_part(with_fit(SWITCH, _of_two(), "some-switch", catalog))
    other_text = with_fit(OTHER, _of_two(), "other-switch", catalog)
    other = parse_part(other_text)
    assert first.fit
    assert other.fit
    kept, shared = first.fit["some-switch"], other.fit["some-switch"]
    assert kept.parameters == ("model.command", "model.drive_lanes", "model.ports")
    assert (kept.parameters_in_all, kept.beyond, kept.figures_in) == (2, TWO.beyond, None)
    assert [one.figure for one in kept.figures] == ["facts.speed", "nvme-032"]
    assert (shared.parameters, shared.parameters_in_all, shared.beyond) == (("model.command",), None, None)
    assert (shared.figures, shared.figures_in) == ((), "some-switch")
    # What belongs to the first part alone is left alone in the other.
    assert [line for line in OTHER.splitlines() if "ports" in line or "drive_lanes" in line] == [
        line for line in other_text.splitlines() if line.startswith(("ports", "drive_lanes"))
    ]


def test_a_number_at_its_bound_and_one_that_another_can_stand_for_say_so() -> None:
    part = parse_part(with_fit(SWITCH, _of_two(), "some-switch", Catalog([parse_part(SWITCH)])))
    assert part.model["command"].note == "fit some-switch, at the bound"
    assert part.model["command"].source == "nvme", "the paper of the figure, not of the fact"
    assert "nvme" in part.sources
    for key in ("drive_lanes", "ports"):
        assert part.model[key].kind == "assumed"
        assert part.model[key].note == "the figures do not determine it apart from command"
    inside = parse_part(_written(_fit(0.7, 0.6, 0.8))).model["command"]
    assert inside.note == "fit some-switch"


def test_of_facts_alone_the_source_is_the_datasheet() -> None:
    alone = _of_two(met=(Met("facts.speed", 12.0, 12.6),))
    text = SWITCH.replace("[sources]\n", '[sources]\nspec = "the datasheet"\n')
    part = parse_part(with_fit(text, alone, "some-switch", Catalog([parse_part(text)])))
    assert part.model["command"].source == "spec"


def test_a_key_of_another_table_is_another_number() -> None:
    """A list of tables ends the table before it, and a number may be called alike elsewhere."""
    text = SWITCH + "\n[[model_notes]]\ncommand = { value = 9 }\n"
    changed = with_fit(text, _fit(0.7, 0.6, 0.8), "some-switch", Catalog([parse_part(SWITCH)]))
    assert "command = { value = 9 }" in changed
    before = "[[other]]\ncommand = { value = 9 }\n\n" + SWITCH
    changed = with_fit(before, _fit(0.7, 0.6, 0.8), "some-switch", Catalog([parse_part(SWITCH)]))
    assert "command = { value = 9 }" in changed
    assert "command = { value = 0.7," in changed
