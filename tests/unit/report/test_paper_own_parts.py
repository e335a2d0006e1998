"""Parts of the user's own in the paper: whole, as they were when the run was made, enough to repeat it."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import CommandLine
from iodyno.catalog.reading import parse_part, parse_toml
from iodyno.catalog.resolve import resolve
from iodyno.catalog.shelf import shipped
from iodyno.catalog.tree import part_names, system_of
from iodyno.report import html, paper, pdf
from iodyno.report.document import CodeBlock, Document, Heading
from iodyno.store import Store
from iodyno.store.records import StoredRun
from own_parts import DISK, SSD, SYSTEM, having, named

LOAD = ("--profile", "database", "--outstanding", "1", "--area", "32G")
SLOW = """
schema = 1
kind = "processor"
name = "slow"
title = "A processor of somebody's own"
pcie = "PCIe 3.0"
source = "guess"

[sources]
guess = "What somebody thinks it could be."

# A remark that nothing else keeps.
[model]
cores = { value = 2, unit = "count", kind = "assumed", source = "guess" }
threads = { value = 2, unit = "count", kind = "assumed", source = "guess" }
frequency = { value = 1.25, unit = "GHz", kind = "assumed", source = "guess" }
turbo = { value = 1.25, unit = "GHz", kind = "assumed", source = "guess" }
pcie_lanes = { value = 16, unit = "count", kind = "assumed", source = "guess" }
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder with a drive, a disk and a processor of one's own."""
    folder = tmp_path / "parts"
    folder.mkdir()
    (folder / "mine.toml").write_text(having(named(SSD, "my-ssd"), "dies", "16"))
    (folder / "unused.toml").write_text(named(DISK, "my-disk"))
    (folder / "slow.toml").write_text(SLOW)
    monkeypatch.setenv("IODYNO_PARTS", str(folder))
    return folder


@pytest.fixture
def stored(iodyno_says: CommandLine, own: Path, tmp_path: Path) -> StoredRun:
    """Give a run on two systems of which both have the drive and one the processor; the parts are gone."""
    one, two = tmp_path / "one.toml", tmp_path / "two.toml"
    one.write_text(SYSTEM.format(drive="my-ssd"))
    two.write_text(SYSTEM.format(drive="my-ssd").replace("xeon-e5-2637-v3", "slow").replace("own", "two"))
    assert iodyno_says("simulate", "quick", "--on", one, "--on", two, *LOAD).code == 0
    for file in own.iterdir():
        file.unlink()
    with Store.open() as store:
        return store.load("latest")


def printed(document: Document) -> dict[str, str]:
    """Give what is printed as a file, by the heading that it stands under."""
    made, heading = {}, ""
    for block in document.blocks:
        if isinstance(block, Heading):
            heading = block.text
        elif isinstance(block, CodeBlock) and "name = " in block.text:
            made[heading] = block.text
    return made


def test_a_part_is_printed_as_it_was_when_the_run_was_made(stored: StoredRun) -> None:
    document = paper.build(stored)
    found = printed(document)
    assert [name for name in found if name.startswith("Own part")] == ["Own part my-ssd", "Own part slow"]
    assert found["Own part my-ssd"] == having(named(SSD, "my-ssd"), "dies", "16").strip()
    assert "# A remark that nothing else keeps." in found["Own part slow"]
    # Long lines are broken in print: the files themselves are carried too.
    carried = {item.name: item.data.decode() for item in document.attachments}
    assert carried == {"my-ssd.toml": having(named(SSD, "my-ssd"), "dies", "16"), "slow.toml": SLOW}


def test_what_is_printed_is_enough_to_make_the_systems_again(stored: StoredRun) -> None:
    found = printed(paper.build(stored))
    parts = [parse_part(text) for name, text in found.items() if name.startswith("Own part")]
    systems = [parse_toml(text, name) for name, text in found.items() if name.startswith("Virtual system")]
    made = [resolve(system_of(document), shipped().having(*parts)) for document in systems]
    assert made == list(stored.run.plan.systems.values())


def test_it_is_set_in_every_language(stored: StoredRun) -> None:
    for language, heading in (("de", "Eigenes Teil my-ssd"), ("ja", "独自の部品 my-ssd")):
        document = paper.build(stored, language)
        assert heading in printed(document)
        assert "A remark that nothing else keeps" in html.render(document)
        assert pdf.render(document).startswith(b"%PDF")


def test_a_run_without_parts_of_ones_own_says_nothing_of_them(iodyno_says: CommandLine, own: Path) -> None:
    assert iodyno_says("simulate", "quick", "--on", "p3700", *LOAD).code == 0
    with Store.open() as store:
        run = store.load("latest").run
    assert [section.code for section in run.system.sections] == ["virtual_system"]


def test_every_part_of_a_system_is_named() -> None:
    whole = {
        "name": "all",
        "host": {"server": "a", "processor": "b", "software": "c", "settings": "d"},
        "controller": [
            {"part": "e", "unit": "f", "expander": "g", "logical": [{"drive": "h"}, {"drive": "i"}]}
        ],
        "drives": [{"drive": "j", "switch": "k"}, {"drive": "h"}],
    }
    assert sorted(part_names(system_of(whole))) == list("abcdefghijk")
