"""The code of the guide to Python runs, and prints what stands below it."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

from iodyno.targets.direct import direct_in_directory

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "python.md"
SECTIONS = {
    section.partition("\n")[0]: re.findall(
        r"^```python\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", section, re.DOTALL | re.MULTILINE
    )
    for section in re.split(r"^## ", GUIDE.read_text("utf-8"), flags=re.MULTILINE)[1:]
}
"""The blocks of each section: code, and what it prints."""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder that is given up, where nothing of the user's is found."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IODYNO_STORE", str(tmp_path / "runs.db"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("MPLBACKEND", "svg")
    monkeypatch.delenv("IODYNO_PARTS", raising=False)


@pytest.mark.parametrize("title", [title for title, blocks in SECTIONS.items() if blocks])
def test_the_code_of_a_section_prints_what_is_said(title: str, tmp_path: Path) -> None:
    there: dict[str, Any] = {}
    if title == "A measurement" and not direct_in_directory(tmp_path).possible:
        pytest.skip("the folder of tests has no direct I/O")
    for code, output in SECTIONS[title]:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(code, f"{GUIDE.name}: {title}", "exec"), there)
        assert said.getvalue() == output


def test_files_are_written(tmp_path: Path) -> None:
    """The papers and the export of the section on kept runs are there, and whole."""
    test_the_code_of_a_section_prints_what_is_said("Runs that are kept", tmp_path)
    assert (tmp_path / "paper.html").read_text("utf-8").startswith("<!doctype html>")
    assert (tmp_path / "paper.de.pdf").read_bytes().startswith(b"%PDF-")
    assert (tmp_path / "run.json").stat().st_size > 1000


def test_no_code_is_left_out() -> None:
    assert "A measurement" in SECTIONS
    text = GUIDE.read_text("utf-8")
    assert sum(map(len, SECTIONS.values())) == text.count("```python\n") > 10
    assert text.count("```text\n") == sum(
        bool(output) for blocks in SECTIONS.values() for _, output in blocks
    )
