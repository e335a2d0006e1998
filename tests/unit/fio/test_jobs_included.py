"""Files that a job file includes: what is wrong with them is told by the line that includes them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Refused = Callable[..., list[str]]


@pytest.mark.parametrize("name", ["none.inc", "folder", "x" * 5000])
def test_a_file_that_cannot_be_read_is_told_by_the_line_that_includes_it(
    tmp_path: Path, refused: Refused, name: str
) -> None:
    (tmp_path / "folder").mkdir()
    reasons = {"none.inc": "no such file or directory", "folder": "is a directory"}
    shown = name if len(name) <= 40 else f"{name[:39]}…"
    (said,) = refused(f"[a]\nbs=4k\ninclude {name}\n")
    assert said == f":3: include {shown}: cannot be read: {reasons.get(name, 'file name too long')}"


def test_a_file_that_is_no_text_is_told_by_the_line_that_includes_it(
    tmp_path: Path, refused: Refused
) -> None:
    (tmp_path / "more.inc").write_bytes(b"bs=4k\n# \xff\n")
    assert refused("[a]\ninclude more.inc\n") == [":2: include more.inc: byte 8 is not UTF-8"]


def test_what_is_wrong_in_an_included_file_is_told_by_its_own_lines(tmp_path: Path, refused: Refused) -> None:
    more, last = tmp_path / "more.inc", tmp_path / "last.inc"
    more.write_text("bs=3q\n\ninclude last.inc\n[b]\n")
    last.write_text("include none.inc\nrw=raed\n")
    said = refused("[a]\ninclude more.inc\niodepth=many\n")
    places = [problem.removeprefix(f"{tmp_path}/").split(": ")[0] for problem in said]
    assert sorted(places) == [":3", "last.inc:1", "last.inc:2", "more.inc:1", "more.inc:4"], said


def test_files_that_include_each_other(tmp_path: Path, refused: Refused) -> None:
    (tmp_path / "one.inc").write_text("include other.inc\n")
    (tmp_path / "other.inc").write_text("bs=4k\ninclude one.inc\n")
    (said,) = refused("[a]\ninclude one.inc\n")
    assert said.endswith("files include each other in a circle")


def test_lines_that_cannot_be_read_hide_no_values_that_cannot_be(refused: Refused) -> None:
    said = refused("size=1m\n[a]\nbs=3q\nsize=9*$pagesize/0\n[b]\nrw=raed\n")
    assert [problem.split(": ")[0] for problem in said] == [":1", ":4", ":3", ":6"], said
