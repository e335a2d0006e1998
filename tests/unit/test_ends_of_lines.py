"""No line ends inside of a value, the name of a model or a unit."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from test_pdf import read, small

from iodyno.report import pdf
from iodyno.report.breaking import keep_units, units
from iodyno.report.document import Paragraph

NO_BREAK = "\N{NO-BREAK SPACE}"


def lines(language: str, filling: str, text: str, directory: Path) -> list[str]:
    """Set a text behind words of all lengths, so that each place of it comes to the end of a line."""
    of = replace(small(*(Paragraph(filling * count + text) for count in range(16, 60))), language=language)
    printed = read(pdf.render(of), directory, "-layout").splitlines()
    return [line.strip().replace(NO_BREAK, " ") for line in printed]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("は、20,300〜20,700* IO/s です。いずれも", "20,700*"),  # the mark stood in the next line
        ("は、188*〜192* IO/s です。いずれも", "188*〜192*"),
        ("最も低いのは 810-4P アダプタで、", "810-4P"),  # "-4P" did
        ("合計で 1,320* IO/s です。", "1,320*"),
    ],
)
def test_values_and_names_of_models_stay_in_a_line_of_japanese(text: str, whole: str, tmp_path: Path) -> None:
    found = lines("ja", "あ", text, tmp_path)
    assert sum(whole in line for line in found) == 44
    assert not [line for line in found if re.match(r"[*†‡〜-]", line)]


def test_a_german_rate_of_rotation_stays_in_a_line(tmp_path: Path) -> None:
    found = lines("de", "x ", "SAS-Festplatte mit 450 GB (15.000 U/min) und", tmp_path)
    assert sum("(15.000 U/min)" in line for line in found) == 44


def test_the_number_of_ios_is_one_word_in_japanese() -> None:
    """A head was "処理待ち I/O" in one line and "数" in the next."""
    assert units(keep_units("そのときの処理待ち I/O 数"))[-1] == f"I/O{NO_BREAK}数"
