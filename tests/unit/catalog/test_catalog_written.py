"""Parts as people write them, empty, broken or mistyped: each told in the words of its file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from command_line import CommandLine
from iodyno.catalog import shelf
from iodyno.catalog.interfaces import versions_of
from iodyno.catalog.parts import LinkPart
from iodyno.catalog.reading import parse_part, parse_toml
from iodyno.errors import CatalogError, ProfileError
from iodyno.study import parse_study

STUDY = """
name = "mine"
title = "Mine"
[[sweep]]
name = "reads"
title = "Reads"
profiles = ["random-read-4k"]
"""
SHIPPED = {file.name.removesuffix(".toml"): file.read_text("utf-8") for file in shelf.part_files()}


def told(text: str) -> dict[str, str]:
    """Give what is wrong with a part, by place."""
    try:
        parse_part(text, "p.toml")
    except CatalogError as error:
        return {problem.where.removeprefix("p.toml: "): problem.what for problem in error.problems}
    return {}


def changed(name: str, key: str, value: str) -> str:
    """Give a shipped part another value of a key, which it may not have yet."""
    text = SHIPPED[name]
    found = re.search(rf"(?m)^{key} = .*$", text)
    return text.replace(found[0], f"{key} = {value}", 1) if found else f"{key} = {value}\n{text}"


@pytest.mark.parametrize(
    ("text", "what"),
    [("", "is missing: the file is empty"), ("# nothing\n", "is missing: the file is empty"),
     ("schema = 1", "is missing"), ("kind = 3", '"3" is no kind of part')],
)  # fmt: skip
def test_a_file_without_a_kind(text: str, what: str) -> None:
    assert told(text) == {"kind": what}


def test_a_key_that_is_there_twice() -> None:
    with pytest.raises(CatalogError, match=r"p\.toml: line 2, column \d+: this key is given twice"):
        parse_part('kind = "ssd"\nkind = "ssd"\n', "p.toml")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[host]\na = 1\n[host]\n", "line 3, column 6: host is given twice"),
        ("[a.b]\n[a.b]\n", "line 2, column 5: a.b is given twice"),
        ("[[drives]]\n[drives]\n", "line 2, column 8: drives is given twice"),
        ("x = { a = 1, a = 2 }", "column 19: a is given twice"),
        ("x = { a = 1 }\n[x]\n", "line 2, column 3: x is given twice"),
        ("host.a = 1\n[host]\n", "line 2, column 6: host is given twice"),
    ],
)
def test_what_is_there_twice_is_told_in_no_words_of_python(text: str, what: str) -> None:
    with pytest.raises(CatalogError) as caught:
        parse_toml(text, "s.toml")
    (problem,) = caught.value.problems
    assert what in problem.what
    assert "[[ ]]" in problem.hint


def test_a_file_that_is_not_there_stands_in_the_way_of_nothing(
    iodyno_says: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IODYNO_PARTS", str(tmp_path))
    (tmp_path / "gone.toml").symlink_to(tmp_path / "nowhere")
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "empty.toml").write_text("")
    said = iodyno_says("catalog", "list", "ssd")
    assert (said.code, "intel-p3700-800" in said.out) == (0, True)
    for name, why in (("gone", "no such file"), ("folder", "is a directory"), ("empty", "is missing")):
        assert f"left out: {name}.toml" in said.err
        assert why in iodyno_says("catalog", "show", name).err


def test_the_source_of_a_part_is_a_key() -> None:
    text = SHIPPED["intel-p3700-800"].replace('source = "spec"\n', "", 1)
    with pytest.raises(CatalogError) as raised:
        parse_part(text, "p.toml")
    hints = {problem.where.removeprefix("p.toml: "): problem.hint for problem in raised.value.problems}
    assert hints["source"] == "name a key of [sources]"


@pytest.mark.parametrize(
    ("name", "key", "value", "what"),
    [
        ("samsung-pm9a3-3840", "interface", '"PCIe 9.0 x4"',
         '"PCIe 9.0 x4" has a version that PCIe does not have'),
        ("samsung-pm9a3-3840", "interface", '"DMI 2.0 x4"', '"DMI 2.0 x4" is nothing that it can have'),
        ("toshiba-px02smf040", "interface", '"SAS 1G"', '"SAS 1G" has a version that SAS does not have'),
        ("praid-ep420i", "host_interface", '"SATA 6G"', '"SATA 6G" is nothing that it can have'),
        ("praid-ep420i", "drive_interface", '"PCIe 3.0 x4"', '"PCIe 3.0 x4" is nothing that it can have'),
        ("sas-expander-12g", "interface", '"SATA 6G"', '"SATA 6G" is nothing that it can have'),
        ("nvme-1610-4p", "version", '"DMI 3.0"', '"DMI 3.0" is nothing that it can have'),
        ("epyc-9354", "pcie", '"SAS 12G"', '"SAS 12G" is nothing that it can have'),
        ("intel-p3700-800", "write_cache", "[]", "is empty"),
        ("intel-p3700-800", "write_cache", '["on", "on"]', "on is there twice"),
        ("intel-p3700-800", "form_factors", '["SFF", "SFF"]', "SFF is there twice"),
        ("intel-p3700-800", "family", '"Intel P3700"',
         '"Intel P3700" is no short name: lower-case letters, digits, hyphens and dots'),
        ("intel-p3700-800", "title", '" "', '" " is no text of one line'),
        ("intel-p3700-800", "title", '"a\\nb"', '"a\\nb" is no text of one line'),
        ("praid-ep420i", "levels", '["0", "0"]', "0 is there twice"),
        ("praid-ep420i", "strips", '["64k", "256k", 65536]', "65536 is there twice"),
    ],
)  # fmt: skip
def test_words_that_a_part_cannot_have(name: str, key: str, value: str, what: str) -> None:
    assert told(changed(name, key, value)) == {key: what}


def test_a_number_that_stands_alone_is_told_how_it_is_written() -> None:
    text = changed("praid-ep420i", "lanes", "8").replace("[model]", "[model]\nhost_io_x = 1", 1)
    text = re.sub(r"(?m)^disk_io = .*$", "disk_io = true", text)
    with pytest.raises(CatalogError) as raised:
        parse_part(text, "p.toml")
    found = {problem.where.removeprefix("p.toml: "): problem for problem in raised.value.problems}
    assert found.keys() == {"model.host_io_x", "model.disk_io", "lanes"}
    assert found["lanes"].what == "is no number with unit, kind and source"
    assert found["lanes"].hint == 'write { value = 8, unit = "count", kind = "…", source = "…" }'
    assert found["model.disk_io"].hint == 'write { value = …, unit = "s", kind = "…", source = "…" }'


def test_what_a_server_takes_is_read_as_all_else_is() -> None:
    text = SHIPPED["thinksystem-sr850"].replace("[takes.toshiba-px04pmb]", '[takes.""]\nlink = "SAS 12G"')
    text = text.replace('drives = { value = 4, unit = "count"', "drives = 4 # {", 1)
    assert told(text) == {
        "takes.nvme-1610-4p.drives": "is no number with unit, kind and source",
        "takes..link": '"SAS 12G" is nothing that it can have',
        "takes.": '"" is no short name: lower-case letters, digits, hyphens and dots',
    }


def test_an_own_part_has_not_the_name_of_a_system(
    iodyno_says: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IODYNO_PARTS", str(tmp_path))
    text = SHIPPED["samsung-pm9a3-3840"].replace('name = "samsung-pm9a3-3840"', 'name = "p3700"')
    (tmp_path / "mine.toml").write_text(text)
    assert iodyno_says("catalog", "check", "p3700").code == 0
    assert 'name: a system has the name "p3700"' in iodyno_says("catalog", "show", "mine").err


def test_a_citation_of_nothing() -> None:
    text = re.sub(r"(?m)^spec = .*$", 'spec = ""', SHIPPED["intel-p3700-800"])
    assert told(text) == {"sources.spec": '"" is no text of one line'}


def test_a_mode_sets_what_is_offered() -> None:
    text = SHIPPED["praid-cp400i"].replace('drive_cache = ["on", "off"]', 'drive_cache = ["on"]')
    assert told(text) == {"modes.data-protection.drive_cache": '"off" is not offered'}


@pytest.mark.parametrize(
    ("before", "where", "what"),
    [
        ("fast_path = true", "fast_path_size", "is no key of this table"),
        ("[model]", "model.fast_path_size", "is no number of this kind of part"),
    ],
)
def test_the_size_of_a_fast_path_is_gone(before: str, where: str, what: str) -> None:
    """Copies of parts of an earlier iodyno have it, and are not told to mean another key."""
    line = 'fast_path_size = { value = 8, unit = "KiB", kind = "published", source = "raid" }'
    text = SHIPPED["praid-ep420i"].replace(before, f"{before}\n{line}", 1)
    with pytest.raises(CatalogError) as raised:
        parse_part(text, "mine.toml")
    (problem,) = raised.value.problems
    assert (problem.where, problem.what) == (f"mine.toml: {where}", what)
    hint = "remove it: the fast path takes what is one operation on one drive, whatever its size"
    assert problem.hint == hint


def test_a_disk_prefetches_nothing() -> None:
    prefetch = re.search(r"(?s)\[prefetch\].*?\n\n", SHIPPED["intel-p3700-800"])
    assert prefetch
    text = (
        SHIPPED["seagate-exos-x20-20tb"] + "\n" + re.sub('source = "[^"]*"', 'source = "hc310"', prefetch[0])
    )
    assert told(text) == {"prefetch": "is of an SSD alone"}


def test_versions_of_links_are_those_of_their_parts() -> None:
    for part in shelf.shipped().of(LinkPart):
        assert set(versions_of({"pcie": "PCIe"}.get(part.name, part.name.upper()))) == set(part.versions)
    assert versions_of("SAS") == ("3G", "6G", "12G")


def test_a_word_inside_of_names_is_meant(iodyno_says: CommandLine) -> None:
    said = iodyno_says("catalog", "fits", "samsung")
    assert "hint: did you mean samsung-pm1743-7680 or samsung-pm9a3-3840?" in said.err


def test_what_a_short_name_can_have_is_what_is_told() -> None:
    """Parts and systems are called rhel-7.3-nvme; studies and profiles have no dots."""
    signs = "lower-case letters, digits, hyphens and dots"
    assert told(changed("rhel-7.3-nvme", "name", '"RHEL"')) == {"name": f'"RHEL" is no short name: {signs}'}
    assert parse_part(changed("rhel-7.3-nvme", "name", '"my.own-7.3"')).name == "my.own-7.3"
    with pytest.raises(ProfileError) as raised:
        parse_study(STUDY.replace('"mine"', '"mine-7.3"'))
    assert [problem.what for problem in raised.value.problems] == [
        '"mine-7.3" is no short name: lower-case letters, digits and hyphens'
    ]


def test_what_is_no_short_name_is_not_told_to_be_none() -> None:
    """A socket has capital letters: nobody was to write it with small ones."""
    text = SHIPPED["xeon-e5-2637-v3"]
    with pytest.raises(CatalogError) as raised:
        parse_part(text.replace('"LGA2011-3"', '"lga2011-3"'))
    (problem,) = raised.value.problems
    assert problem.what.startswith('"lga2011-3" is no name of capital letters and digits')
    document = 'publisher = "P"\ntitle = "T"\ndate = "May 2026"\n'
    with pytest.raises(ProfileError) as study:
        parse_study(f"{STUDY}[reference]\n{document}")
    assert [problem.what for problem in study.value.problems] == [
        '"May 2026" is no date: 2026, 2026-11 or 2026-11-27'
    ]
