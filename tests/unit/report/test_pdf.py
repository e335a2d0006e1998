"""The PDF: the same bytes each time, texts as given, our fonts only, tables that fit."""

from __future__ import annotations

import re
import shlex
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iodyno.report import pdf
from iodyno.report.document import (
    Bullets,
    Cell,
    Code,
    CodeBlock,
    Column,
    Document,
    Facts,
    Heading,
    Labels,
    Link,
    Paragraph,
    Strong,
    Table,
    Text,
    TitlePage,
)
from iodyno.report.layout import columns
from iodyno.report.layout.breaking import continued
from iodyno.report.layout.columns import LANDSCAPE_PT, PORTRAIT_PT, fit
from pdf_texts import facts, read, small, tool
from sample_document import LONG_WORD, SPECIAL, long_table, sample_document, wide_table


@pytest.fixture(scope="module")
def paper() -> bytes:
    return pdf.render(sample_document())


def test_a_paper_needs_no_folder_to_stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder that a shell stands in can be removed."""
    here = pdf.render(sample_document())
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert pdf.render(sample_document()) == here


def test_the_same_document_gives_the_same_bytes(paper: bytes) -> None:
    assert pdf.render(sample_document()) == paper


def test_the_metadata_are_those_of_the_document(paper: bytes, tmp_path: Path) -> None:
    found = facts(paper, tmp_path)
    assert found["Title"] == "Storage performance of a drive under the load profiles of the field"
    assert found["Author"] == "iodyno"
    assert found["Keywords"] == "storage, performance"
    assert found["CreationDate"].startswith("2024-05-17")
    assert found["Tagged"] == "yes"
    assert "A4" in found["Page size"]


def test_it_claims_the_standard_for_accessible_documents(paper: bytes) -> None:
    assert b"<pdfuaid:part>1</pdfuaid:part>" in paper


def test_only_our_fonts_are_used(paper: bytes, tmp_path: Path) -> None:
    program, path = tool("pdffonts"), tmp_path / "paper.pdf"
    path.write_bytes(paper)
    listed = subprocess.run([program, path], check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in listed.splitlines()[2:]]
    assert rows
    for row in rows:
        assert re.fullmatch(r"[A-Z]{6}\+IBMPlex(Sans|Mono)-\w+", row[0])
        assert row[-5:-2] == ["yes", "yes", "yes"], "embedded, subset, with Unicode"


def test_pages_are_numbered_and_the_contents_know_them(paper: bytes, tmp_path: Path) -> None:
    pages = read(paper, tmp_path, "-layout").split("\f")[:-1]
    assert "Page 1 of" not in pages[0]
    for number, page in enumerate(pages[1:], start=2):
        assert f"Page {number} of {len(pages)}" in page
    for title in ("1 Introduction", "2.2 System under test", "4 Appendix"):
        place, name = title.split(" ", 1)
        line = re.search(rf"^ *{re.escape(place)} +{name}[ .]+(\d+)$", pages[1], re.MULTILINE)
        assert line, title
        assert name in pages[int(line[1]) - 1]


def test_no_page_is_empty(paper: bytes, tmp_path: Path) -> None:
    pages = read(paper, tmp_path).split("\f")[:-1]
    assert all(len(page.split()) > 20 for page in pages)


def test_a_long_table_repeats_its_head(paper: bytes, tmp_path: Path) -> None:
    pages = read(paper, tmp_path, "-layout").split("\f")[:-1]
    with_rows = [page for page in pages if page.count("File server") > 5]
    assert len(with_rows) >= 2
    assert all("Outstanding" in page and "Verdict" in page for page in with_rows)


def test_each_page_that_a_long_table_goes_on_to_names_it(paper: bytes, tmp_path: Path) -> None:
    """Its caption stands on its first page alone."""
    pages = read(paper, tmp_path, "-layout").split("\f")[:-1]
    first, *others = [page for page in pages if re.search(r"Profile +Outstanding", page)]
    assert "Table 1, continued" not in first
    assert others
    for page in others:
        assert page.index("Table 1, continued") < page.index("Outstanding")
    assert sum(page.count(", continued") for page in pages) == len(others)


def test_a_turned_table_that_goes_on_is_named_too_after_the_table_before_it(tmp_path: Path) -> None:
    turned = replace(wide_table(), rows=wide_table().rows * 20, key="wide")
    assert fit(turned).landscape
    labels = Labels(table="Tabelle", continued="Tabelle {number}, Fortsetzung")
    document = replace(small(grouped(), turned), labels=labels)
    pages = read(pdf.render(document), tmp_path, "-layout").split("\f")[:-1]
    counts = [page.count("Tabelle 2, Fortsetzung") for page in pages]
    begins = next(number for number, page in enumerate(pages) if re.search(r"Tabelle 2\s", page))
    assert counts == [int(number > begins) for number in range(len(pages))]
    assert sum(counts) > 0


def grouped(printed: bool = True) -> Table:
    columns = (Column("Profile"), Column("Rate", "right"))
    rows = (
        (Cell("first group"),),
        (Cell("Restore"), Cell("436")),
        (Cell("second group"),),
        (Cell("Copy"), Cell("7")),
    )
    return Table(columns, rows, "caption of it", "t", printed=printed)


def test_a_row_of_one_cell_heads_those_below_it(tmp_path: Path) -> None:
    said = read(pdf.render(small(grouped())), tmp_path, "-layout")
    places = [said.index(words) for words in ("first group", "Restore", "second group", "Copy")]
    assert places == sorted(places)


def test_rows_below_one_name_stay_on_its_page(tmp_path: Path) -> None:
    """Else the next page would begin with rows of nobody."""
    rows = [
        (Cell("" if place else f"name-{group}", strong=True), Cell(f"row-{group}-{place}"))
        for group in range(40)
        for place in range(3)
    ]
    data = pdf.render(small(Table((Column("Name"), Column("Row")), tuple(rows), "C", "t")))
    pages = read(data, tmp_path, "-layout").split("\f")
    assert len([page for page in pages if "row-" in page]) > 1
    for group in range(40):
        (page,) = (page for page in pages if re.search(rf"name-{group}\b", page))
        assert all(f"row-{group}-{place}" in page for place in range(3))


@pytest.mark.parametrize("before", range(24, 36))
def test_few_rows_of_a_long_list_do_not_stand_alone_on_a_page(tmp_path: Path, before: int) -> None:
    """A glossary ended with two rows on a page of their own; one that is parted fills the page before."""
    filler = tuple(Paragraph(f"line {number}") for number in range(before))
    names = tuple((f"name-{number}", "what it is") for number in range(17))
    for after in ((Paragraph("after"),), ()):
        pages = read(pdf.render(small(*filler, Facts(names), *after)), tmp_path, "-layout").split("\f")
        counts = [page.count("name-") for page in pages if "name-" in page]
        assert sum(counts) == 17
        assert counts[-1] >= 5
        assert len(counts) == 1 or counts[0] >= 3


def test_what_is_for_the_screen_is_not_printed_and_takes_no_number(tmp_path: Path) -> None:
    after = Table((Column("C"),), ((Cell("x"),),), "printed", "u")
    said = read(pdf.render(small(grouped(printed=False), after)), tmp_path)
    assert "caption of it" not in said
    assert re.search(r"Table\s+1\s+printed", said)


def test_texts_of_charts_are_texts(paper: bytes, tmp_path: Path) -> None:
    said = read(paper, tmp_path)
    assert "Transaction rate in IO/s" in said
    assert "p99.9" in said


def joined(text: str) -> str:
    return re.sub(r"\s+", "", text)


def body(data: bytes, directory: Path) -> str:
    """What stands on the last page under its heading, without spaces."""
    last = read(data, directory, "-layout").split("\f")[-2]
    found = re.search(r"^ *1 +H\n(.*)^ *Page \d", last, re.DOTALL | re.MULTILINE)
    assert found, last
    return joined(found[1])


@pytest.mark.parametrize(
    "words", [SPECIAL, "#panic()", "$x$ \\ #sys.inputs", "<h> @h //", "= no heading", "- + 1."]
)
def test_special_characters_come_out_as_given(words: str, tmp_path: Path) -> None:
    text: Text = (words, Strong(words), Code(words), Link(words, "h"))
    assert body(pdf.render(small(Paragraph(text))), tmp_path) == joined(words * 4)
    table = Table((Column(words, unit=words),), ((Cell(words),),), words, "t", (words,))
    assert body(pdf.render(small(table)), tmp_path).count(joined(words)) == 5
    assert body(pdf.render(small(CodeBlock(words))), tmp_path) == joined(words)


SIGNS = "abz ABZ 059 #$*_[]<>@`\\/\"'~=+-.,:;!?%^|(){}&±≥µ"


@settings(deadline=None, max_examples=25)
@given(words=st.text(st.sampled_from(SIGNS), min_size=1, max_size=60).filter(str.strip))
def test_any_text_comes_out_as_given(words: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    directory = tmp_path_factory.mktemp("pdf")
    said = body(pdf.render(small(Paragraph((words, Code(words))), CodeBlock(words))), directory)
    assert sorted(said) == sorted(joined(words * 3))


def test_a_sign_that_the_fonts_lack_costs_the_standard_but_not_the_paper() -> None:
    data = pdf.render(small(Paragraph("日本 ☃")))
    assert data.startswith(b"%PDF")
    assert b"pdfuaid" not in data


def test_neither_headings_nor_names_on_the_first_page_are_hyphenated(tmp_path: Path) -> None:
    name = "Wiederherstellungsgeschwindigkeiten unabhängiger Wiederherstellungsverfahren "
    page = TitlePage("K", "T", name * 3, (), tuple((name, "1", name) for _ in range(3)))
    made = Document("de", page, (Heading(1, name * 3, "h"),), "", "2024-05-17")
    for text in (read(pdf.render(made), tmp_path, "-f", str(number), "-l", str(number)) for number in (1, 3)):
        assert "Wiederherstellungsverfahren" in text
        assert not re.search("[-\u00ad\u2010]$", text, re.MULTILINE)


def test_long_words_stay_on_the_page(tmp_path: Path) -> None:
    word = "x" * 200
    document = small(Paragraph(word), Paragraph((Code(word),)), CodeBlock(word), footer="f")
    boxes = read(pdf.render(document), tmp_path, "-bbox")
    assert max(float(edge) for edge in re.findall(r'xMax="([\d.]+)"', boxes)) <= 595.28 - 56.6


class TestFit:
    def test_a_small_table_is_as_wide_as_it_needs_to_be(self) -> None:
        table = Table((Column("A"), Column("B", "right")), ((Cell("a"), Cell("1")),), "", "t")
        found = fit(table)
        assert found.size == 9
        assert sum(found.widths) < 60

    def test_texts_break_before_numbers_do(self) -> None:
        text = "a text of many words " * 20
        table = Table((Column("A"), Column("B", "right")), ((Cell(text), Cell("1,234,567")),), "", "t")
        found = fit(table)
        assert found.size == 9
        assert sum(found.widths) == pytest.approx(PORTRAIT_PT)
        assert found.widths[1] < 70

    def test_the_long_table_fits_upright_and_the_wide_one_is_turned(self) -> None:
        upright, turned = fit(long_table()), fit(wide_table())
        assert not upright.landscape
        assert sum(upright.widths) <= PORTRAIT_PT
        assert turned.landscape
        assert sum(turned.widths) <= LANDSCAPE_PT + 0.01

    def test_letters_become_tight_before_a_table_is_turned(self) -> None:
        found = {columns: fit(wide_table(columns)) for columns in range(8, 18)}
        sizes = [each.size for each in found.values() if not each.landscape]
        assert sizes == sorted(sizes, reverse=True)
        assert min(sizes) < 7
        assert all(sum(each.widths) <= PORTRAIT_PT + 0.01 for each in found.values() if not each.landscape)

    def test_no_word_of_a_table_leaves_its_column(self, tmp_path: Path) -> None:
        data = pdf.render(small(wide_table()))
        path, program = tmp_path / "paper.pdf", tool("pdftotext")
        path.write_bytes(data)
        boxes = subprocess.run(
            [program, "-bbox", path, "-"], check=True, capture_output=True, text=True
        ).stdout
        page = boxes[boxes.index('<page width="841') :]
        edges = [float(edge) for edge in re.findall(r'xMax="([\d.]+)"', page)]
        assert max(edges) <= 841.9 - 56.6
        assert LONG_WORD[:5] in page


def test_a_long_word_stays_in_its_column_of_the_title_page(tmp_path: Path) -> None:
    """It went into the next of the three columns, and over what stands there."""
    page = TitlePage("K", "T", "", (), summary=((LONG_WORD, "96.1 IO/s", "maximum"),) * 2)
    boxes = read(pdf.render(replace(small(Paragraph("T")), title_page=page)), tmp_path, "-l", "1", "-bbox")
    edges = re.findall(r'xMin="([\d.]+)" yMin="[\d.]+" xMax="([\d.]+)"', boxes)
    column = 72 / 25.4 * (20 + (170 - 12) / 3)
    first = [float(end) for start, end in edges if float(start) < column]
    assert LONG_WORD[:5] in boxes
    assert max(first) <= column + 0.1


PATHS = st.text(alphabet="ab /'\"$\\-.é", min_size=1, max_size=60)


@settings(max_examples=200, deadline=None)
@given(words=st.lists(PATHS, max_size=12), width=st.integers(20, 100))
def test_a_command_that_is_broken_is_the_same_to_a_shell(words: list[str], width: int) -> None:
    command = shlex.join(["iodyno", "measure", *words, "--precision", "2%"])
    broken = continued(command, width)
    assert shlex.split(broken.replace("\\\n", "")) == shlex.split(command)
    lines = broken.split("\n")
    assert all(line.endswith(" \\") for line in lines[:-1])
    long = [shlex.quote(word) for word in words if len(shlex.quote(word)) > width - 4]
    assert all(len(line) <= width or any(word in line for word in long) for line in lines), lines


@pytest.mark.parametrize("among_facts", [False, True])
def test_a_command_that_is_copied_from_the_print_is_all_of_it(tmp_path: Path, among_facts: bool) -> None:
    command = (
        "iodyno simulate primequest-2800e3 --only sb-2x-sas-ssd-raid1-fast-path-optimum --sweep controllers "
        "--profile file-copy --outstanding 512 --workers 1 --seed 1 --precision 2% --on 'a box'"
    )
    block = CodeBlock(command, command=True)
    fact = Facts((("Command", (Code(command, command=True),)),))
    printed = read(pdf.render(small(fact if among_facts else block)), tmp_path)
    start = printed.index("iodyno simulate")
    copied = printed[start : printed.index("'a box'") + len("'a box'")]
    assert shlex.split(copied.replace("\\\n", "")) == shlex.split(command)


def test_letters_are_smaller_where_rows_break_in_any_case_and_more_in_large_ones() -> None:
    """Every row breaks in all sizes; in the largest each into four lines, which saves no reader anything."""
    names = [f"PRAID EP4{n}0i（SAS SSD 24 台、RAID {n}、Fast Path optimum）" for n in range(9)]
    cells = ("媒体 100%", "ホスト 100%", "コントローラ 100%", "ホスト接続 100%", "コントローラ 100%")
    heads = tuple(
        Column(name)
        for name in ("ファイルコピー", "ファイルサーバ", "データベース", "ストリーミング", "リストア")
    )
    rows = tuple((Cell(name, strong=True), *map(Cell, cells)) for name in names)
    table = Table((Column("構成"), *heads), rows, "制約", "t")
    needs = columns._needs(table)
    least = columns._at(needs, 7.0, PORTRAIT_PT).lines
    assert columns._at(needs, 9.0, PORTRAIT_PT).lines > 1.4 * least
    assert columns._at(needs, fit(table).size, PORTRAIT_PT).lines <= 1.4 * least


@pytest.mark.parametrize("rows", range(68, 78))
def test_no_fewer_than_five_rows_of_a_long_table_stand_on_its_last_page(rows: int, tmp_path: Path) -> None:
    table = Table(
        (Column("C"),), tuple((Cell(f"row-{row}"),) for row in range(rows)), "Long", "t", lookup=True
    )
    pages = read(pdf.render(small(table)), tmp_path, "-layout").split("\f")
    counts = [len(re.findall(r"row-\d+", page)) for page in pages if "row-" in page]
    assert sum(counts) == rows
    assert min(counts) >= 5


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "with 8 drives and a PRAID EP420i in RAID 10 at PCIe 3.0 x4 "),
        ("de", "mit 8 Laufwerken an einem PRAID EP420i in RAID 10 über PCIe 3.0 x4 "),
        ("ja", "SSD 8 台、PRAID EP420i、RAID 10、PCIe 3.0 x4 で 64 kB の場合"),
    ],
)
def test_no_line_of_a_text_ends_between_a_name_and_its_number(
    language: str, text: str, tmp_path: Path
) -> None:
    """Lines of all lengths: each place comes to the end of one; a list is set as a text is."""
    texts = [f"{'x' * length} {text * 12}" for length in range(1, 14)]
    made = replace(small(*map(Paragraph, texts), Bullets(tuple(texts))), language=language)
    printed = read(pdf.render(made), tmp_path, "-layout")
    ends = {line.split()[-1] for line in printed.split("\n") if "x" in line or "RAID" in line}
    assert not ends & {"8", "SSD", "PRAID", "RAID", "PCIe", "3.0", "64"}, ends


def test_no_line_of_japanese_begins_with_the_last_sign_of_a_word_and_its_number(tmp_path: Path) -> None:
    """The interval was parted before its last sign, which alone was bound to the number."""
    texts = ("あ" * count + "です（信頼区間 1.49〜1.58）。" for count in range(24, 44))
    of = replace(small(*map(Paragraph, texts)), language="ja")
    lines = [line.strip() for line in read(pdf.render(of), tmp_path, "-layout").splitlines()]
    assert sum("信頼区間 1.49" in line for line in lines) == 20
    assert not [line for line in lines if re.match(r"(間|区間|頼区間) ?1", line)]


def test_no_line_of_japanese_begins_with_a_percent_sign(tmp_path: Path) -> None:
    """A word was bound to its number, and the sign behind the number to neither."""
    texts = ("あ" * count + "です（使用率 100%）。" for count in range(24, 44))
    of = replace(small(*map(Paragraph, texts)), language="ja")
    lines = [line.strip() for line in read(pdf.render(of), tmp_path, "-layout").splitlines()]
    assert sum("使用率 100%" in line for line in lines) == 20


def test_no_line_of_japanese_begins_with_a_long_vowel_or_a_small_kana(tmp_path: Path) -> None:
    """A configuration was "SATA ハ" at the end of a line and "ードディスク 1 台" in the next one."""
    words = (
        "SATA ハードディスク 1 台",
        "データディスク 1 台",
        "チェックディスク 1 台",
        "サーバー：ディスク 1 台",
    )
    texts = ("あ" * count + f"は {word * 4}" for word in words for count in range(24, 46))
    of = replace(small(*map(Paragraph, texts)), language="ja")
    lines = [line.strip() for line in read(pdf.render(of), tmp_path, "-layout").splitlines()]
    assert not [line for line in lines if re.match("[ーァィゥェォッャュョ：]", line)]
    assert sum(line.endswith("台") for line in lines) >= len(words)


def test_no_line_of_japanese_is_the_last_sign_of_a_sentence_alone(tmp_path: Path) -> None:
    """Advice ended in "1.67 倍で" and a line of "す。"."""
    said = "の最大値 25,210 IO/s は、次に高い ioDrive2 1.2 TB の 1.67 (1.66–1.67) "
    ends = ("倍です。", "倍あります。", "倍になりません。", "倍かかりました。", "倍を選択してください。")
    texts = ("そ" * count + said + end for end in ends for count in range(1, 40))
    of = replace(small(*map(Paragraph, texts)), language="ja")
    lines = [line.strip() for line in read(pdf.render(of), tmp_path, "-layout").splitlines()]
    assert not [line for line in lines if re.match("((す|た|ん|い)?。)", line)]
    assert sum(line.endswith("。") for line in lines) == len(ends) * len(range(1, 40))


def test_a_number_of_processes_stays_in_a_line_of_japanese(tmp_path: Path) -> None:
    texts = ("値" * count + "個別使用（1 プロセス）" for count in range(20, 60))
    of = replace(small(*map(Paragraph, texts)), language="ja")
    lines = [line.strip() for line in read(pdf.render(of), tmp_path, "-layout").splitlines()]
    assert sum(bool(re.search(r"1\sプロセス）$", line)) for line in lines) == 40


@pytest.mark.parametrize("word", ["サーバー、", "サーバー）", "まです。"])
def test_a_sign_of_japanese_has_its_width_behind_what_stays_together(tmp_path: Path, word: str) -> None:
    """Full-width signs are all as wide, so as many fit into a line; one or two less by where it may end."""
    texts = (each * (150 // len(each)) for each in (word, "値" * (len(word) - 1) + word[-1]))
    of = replace(small(*map(Paragraph, texts)), language="ja")
    text = read(pdf.render(of), tmp_path, "-layout")
    first, other = (
        next(len(line.strip()) for line in text.splitlines() if line.strip().startswith(begin))
        for begin in (word, "値値")
    )
    assert abs(first - other) <= 2


def test_no_line_of_a_japanese_cell_begins_with_a_unit() -> None:
    cell = pdf._cell(Cell("シーケンシャルライト 256 kB", strong=True))
    assert isinstance(cell, dict)
    (part,) = cell["text"]
    assert part["pieces"][-1] == "256\N{NO-BREAK SPACE}kB"
