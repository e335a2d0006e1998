"""Options that contradict each other, and texts that say nothing, are refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from command_line import CommandLine

FEW = ("quick", "--on", "p3700", "--profile", "database", "--outstanding", "1", "--cap-ios", "500",
       "--floor-ios", "500", "--warmup-ios", "0")  # fmt: skip
SEARCH = ("search", "--on", "p3700", "--profile", "database", "--p99", "2ms")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("simulate", *FEW, "--plan", "--analytic"), "--plan prints the points and stops"),
        (("simulate", *FEW, "--analytic", "-q"), "--analytic keeps nothing, and --quiet prints nothing"),
        (("simulate", *FEW, "-q", "--json"), "--json prints every event, and --quiet nothing"),
        ((*SEARCH, "-q", "--json"), "--json prints every event, and --quiet nothing"),
        (("measure", "no/such/folder", "-q", "--json"), "--json prints every event, and --quiet nothing"),
        (("simulate", *FEW, "--area", "25%@"), "'25%@' says no start after the @"),
        (("simulate", *FEW, "--area", "25%@ "), "says no start after the @"),
        (("catalog", "show", "intel-p3700-800", "--toml", "--json"), "--toml and --json"),
        (("catalog", "show", "p3700", "--toml", "--json"), "--toml and --json"),
    ],
)
def test_contradictions_are_refused(iodyno_says: CommandLine, arguments: tuple[str, ...], said: str) -> None:
    """Each was accepted, and one of both ignored."""
    refused = iodyno_says(*arguments)
    assert (refused.code, refused.out) == (2, "")
    assert said in refused.err
    assert "hint: " in refused.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("catalog", "check", ""), ("catalog", "show", ""), ("catalog", "show", " "), ("catalog", "fits", ""),
        ("catalog", "fit", ""), ("simulate", ""), ("simulate", "quick", "--on", ""), ("plan", ""),
        (*SEARCH, "--on", ""), ("measure", "no/such/folder", "--study", ""),
    ],
)  # fmt: skip
def test_an_empty_text_is_no_name(iodyno_says: CommandLine, arguments: tuple[str, ...]) -> None:
    """It was a folder, a part without a name, or the standard study."""
    refused = iodyno_says(*arguments)
    assert (refused.code, refused.out) == (2, "")
    assert re.match(r"error: invalid value for '.+': an empty text names nothing", refused.err)


def test_a_table_is_of_formats_that_hold_one(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """Whichever it is: that of the points was taken as if nothing were asked."""
    assert iodyno_says("simulate", *FEW).code == 0
    for table in ("points", "series"):
        for whole in (("-f", "fio-json"), ("-f", "json"), (), ("-f", "fio-json", "-o", tmp_path / "folder")):
            refused = iodyno_says("export", *whole, "--table", table)
            assert (refused.code, refused.out) == (2, "")
            assert f"leave --table out, or take --format csv for {table} alone" in refused.err
    assert not (tmp_path / "folder").exists()
    points = iodyno_says("export", "-f", "csv", "--table", "points").out
    assert points == iodyno_says("export", "-f", "csv").out != ""


def test_languages_that_no_file_is_in_are_not_left_out_in_silence(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    assert iodyno_says("simulate", *FEW).code == 0
    german = tmp_path / "x.de.html"
    refused = iodyno_says("report", "--language", "all", "-o", german)
    assert refused.code == 2
    assert "--language: en, ja too, and the names of all files say another language" in refused.err
    assert list(tmp_path.glob("*.html")) == []
    both = ("--language", "de", "--language", "en")
    assert "--language: en too" in iodyno_says("simulate", *FEW, *both, "-o", german).err
    assert iodyno_says("report", *both, "-o", german, "-o", tmp_path / "x.en.html").code == 0
    assert sorted(file.name for file in tmp_path.glob("*.html")) == ["x.de.html", "x.en.html"]
