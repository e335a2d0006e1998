"""The page: well formed, complete in itself, and every text is there as it was given."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iodyno.report import html, pdf
from iodyno.report.document import Cell, Code, Column, Document, Heading, Link, Paragraph, Strong, Table
from iodyno.report.layout.breaking import keep_names, keep_units
from sample_document import LONG_WORD, SPECIAL, sample_document

VOID = {"meta", "br", "wbr", "link", "img", "input", "hr"}


class Page(HTMLParser):
    """Reads a page strictly: each element must be closed in its place."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.references: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(text)
        self.close()
        assert not self.open, f"left open: {self.open}"

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note(tag, attrs)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)

    def _note(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice"
        found = dict(attrs)
        self.elements.append((tag, found))
        if found.get("id"):
            self.ids.append(str(found["id"]))
        if tag == "a":
            self.links.append(str(found["href"]))
        for name in ("aria-labelledby", "aria-describedby"):
            self.references += str(found.get(name) or "").split()


@pytest.fixture(scope="module")
def text() -> str:
    return html.render(sample_document())


@pytest.fixture(scope="module")
def page(text: str) -> Page:
    return Page(text)


def with_paragraph(paragraph: Paragraph) -> Document:
    return replace(sample_document(), blocks=(Heading(1, "H", "h"), paragraph))


def main_text(page_text: str) -> str:
    """The text of the first paragraph of the page's main part, without its elements."""
    inside = re.search(r"<main.*?</h2>\s*<p>(.*?)</p>", page_text, re.DOTALL)
    assert inside

    class Text(HTMLParser):
        said = ""

        def handle_data(self, data: str) -> None:
            self.said += data

    reader = Text()
    reader.feed(inside[1])
    reader.close()
    return reader.said.replace("\N{NO-BREAK SPACE}", " ")


def test_ids_are_unique_and_all_links_lead_somewhere(page: Page) -> None:
    assert len(page.ids) == len(set(page.ids))
    assert page.links
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert set(page.references) <= set(page.ids)


def test_nothing_is_loaded(text: str, page: Page) -> None:
    for tag, attributes in page.elements:
        assert tag not in {"link", "img", "iframe", "object", "embed"}
        assert not {"src", "srcset", "action"} & set(attributes)
    without_names = text.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|//[a-z]+\.", without_names)
    sources = re.findall(r"url\((.*?)\)", text)
    assert all(source.startswith(('"data:font/woff2;base64,', "#fig-")) for source in sources)
    assert "default-src 'none'" in text


def test_the_same_document_gives_the_same_page(text: str) -> None:
    assert html.render(sample_document()) == text


def test_headings_are_in_order_and_numbered(page: Page) -> None:
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert "".join(page.texts["h4"]) == "Distribution of latency"


def test_landmarks_language_and_skip_link(page: Page) -> None:
    tags = [tag for tag, _ in page.elements]
    assert all(tags.count(tag) == 1 for tag in ("main", "nav", "header", "footer", "h1"))
    assert dict(page.elements)["html"]["lang"] == "en"
    assert page.links[0] == "#text"
    assert Page(html.render(sample_document("de"))).elements[0][1]["lang"] == "de"


def test_tables_have_captions_and_scopes(page: Page) -> None:
    tags = [tag for tag, _ in page.elements]
    assert tags.count("caption") == tags.count("table") == 2
    assert all(attributes.get("scope") in {"col", "row"} for tag, attributes in page.elements if tag == "th")
    boxes = [attributes for _, attributes in page.elements if attributes.get("class") == "scroll"]
    assert all(box["role"] == "region" and box["tabindex"] == "0" for box in boxes)


def test_figures_and_tables_are_numbered_in_order(page: Page) -> None:
    numbered = [said for said in page.texts["b"] if re.match(r"Figure|Table", said)]
    assert numbered == ["Figure 1", "Figure 2", "Figure 3", "Figure 4", "Figure 5", "Table 1", "Table 2"]


def test_a_state_is_told_by_sign_and_text(text: str) -> None:
    cell = re.search(r'<td[^>]*><span class="state">(.*?)</span></span></td>', text)
    assert cell
    assert "<svg" in cell[1]
    assert cell[1].endswith("<span>steady")


def test_commands_are_kept_to_the_letter(page: Page) -> None:
    [command] = [said for said in page.texts["code"] if said.startswith("iodyno measure")]
    assert command.startswith(
        "iodyno measure --study quick /dev/nvme0n1 \\\n    --write 'S/N 0123'\n" + LONG_WORD
    )


def test_long_words_may_break(text: str) -> None:
    assert "pci0000:<wbr>00/<wbr>" in text


UNITS = ("0.60 ms", "3,450 MB/s", "3,450† MB/s", "95 %", "4 I/Os", "9 *", "‡ disturbed", "32 × 4", "3.5 GHz")
NUMBERED = (
    "8 SSDs",
    "RAID 10",
    "64 kB",
    "PCIe 3.0 x4",
    "RX2560 M1",
    "E5-2637 v3",
    "24 台",
    "1,560 個",
    "1 プロセス",
)
MODELS = (
    "PRAID EP420i",
    "SAS 12G",
    "DC P3700",
    "Xeon E5-2637 v3",
    "PRIMERGY RX2560 M1",
    "OLTP 4 kB",
    "4 × P3700",
)
COUNTED = ("8 drives", "2 controllers", "1 worker", "8 Laufwerken", "4 Workern", "2 Controller")


@pytest.mark.parametrize("given", [*UNITS, *NUMBERED])
def test_a_number_stays_with_its_unit(given: str) -> None:
    whole = given.replace(" ", "\N{NO-BREAK SPACE}")
    assert keep_units(given) == whole
    text = html.render(with_paragraph(Paragraph((f"in {given}, or ", Code(f"x {given}")))))
    assert f"in {whole}, or x {given}" in re.sub("<[^>]*>", "", text)


@pytest.mark.parametrize("given", [*MODELS, *COUNTED])
def test_the_name_of_a_model_and_what_is_counted_stay_in_a_line_of_a_text(given: str) -> None:
    whole = given.replace(" ", "\N{NO-BREAK SPACE}")
    assert keep_names(given) == whole
    text = html.render(with_paragraph(Paragraph((f"in {given}, or ", Code(f"x {given}")))))
    assert f"in {whole}, or x {given}" in re.sub("<[^>]*>", "", text)


@pytest.mark.parametrize(
    "given", ["the 5", "All 8", "EP420i with", "IO/s 4", "Intel SSD", "8 drivers", "In 10"]
)
def test_other_words_part_in_a_text(given: str) -> None:
    assert keep_names(given) == given


@pytest.mark.parametrize("given", ["4 servers", "2 Bytes", "5 smalls", "4 * ms2", "a ms", "7 I/Os_"])
def test_other_words_part_from_a_number(given: str) -> None:
    assert keep_units(given).split(" ")[-1] == given.split(" ")[-1]


def test_a_capacity_stays_whole_in_the_names_of_the_title_page() -> None:
    """Of ``4 × P3700 800 GB`` the last word stood alone in the next line; the PDF has the same names."""
    given = sample_document()
    page = replace(given.title_page, summary=(("Restore, 4 × P3700 800 GB", "7,380 MB/s", "maximum"),))
    text = html.render(replace(given, title_page=page))
    assert "P3700 800\xa0GB" in text
    assert "P3700 800 GB" not in text
    ((name, *_),) = pdf.encode(replace(given, title_page=page))["title"]["summary"]
    assert "".join(name[0]["pieces"]).endswith("P3700 800\xa0GB")


def test_special_characters_come_out_as_given() -> None:
    assert main_text(html.render(with_paragraph(Paragraph(SPECIAL)))) == SPECIAL


@settings(deadline=None, max_examples=60)
@given(
    st.text(
        st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("<>&\"'#$*_[]@`\\/"), max_size=80
    )
)
def test_any_text_comes_out_as_given(words: str) -> None:
    mixed = Paragraph((words, Strong(words), Code(words), Link(words, "h")))
    text = html.render(with_paragraph(mixed))
    Page(text)
    assert main_text(text) == (words * 4).replace("\N{NO-BREAK SPACE}", " ")


def test_hostile_texts_stay_texts() -> None:
    hostile = "</title><script>alert(1)</script>\" onload='x' --> ${language} $$"
    document = replace(
        sample_document(),
        title_page=replace(sample_document().title_page, title=hostile, facts=((hostile, hostile),)),
        footer=hostile,
        blocks=(
            Heading(1, hostile, "h"),
            Table((Column(hostile),), ((Cell(hostile),),), hostile, "t", (hostile,)),
        ),
    )
    text = html.render(document)
    page = Page(text)
    assert [tag for tag, _ in page.elements].count("script") == 1
    assert "alert(1)</script" not in text
    assert "".join(page.texts["title"]) == hostile


def test_rows_of_one_cell_head_bodies_of_a_table() -> None:
    table = Table(
        (Column("C"), Column("D")),
        ((Cell("a"),), (Cell("1"), Cell("2")), (Cell("b"),), (Cell("3"), Cell("4"))),
        "for the screen",
        "t",
        printed=False,
    )
    after = Table((Column("C"),), ((Cell("x"),),), "printed", "u")
    text = html.render(replace(sample_document(), blocks=(Heading(1, "H", "h"), table, after)))
    page = Page(text)
    assert [tag for tag, _ in page.elements].count("tbody") == 2 + 1
    heads = [found for tag, found in page.elements if tag == "th" and found.get("scope") == "rowgroup"]
    assert [found["colspan"] for found in heads] == ["2", "2"]
    assert re.search(r"<span>for the screen</span>", text)  # no number: the other form has none of it
    assert re.search(r"<b>Table 1</b> printed", text)


def test_a_link_to_nothing_is_a_mistake() -> None:
    with pytest.raises(AssertionError, match="nowhere"):
        html.render(with_paragraph(Paragraph((Link("x", "nowhere"),))))


def test_a_key_that_is_used_twice_is_a_mistake() -> None:
    document = replace(sample_document(), blocks=(Heading(1, "A", "same"), Heading(1, "B", "same")))
    with pytest.raises(AssertionError, match="same"):
        html.render(document)


def test_a_skipped_level_comes_one_below() -> None:
    document = replace(
        sample_document(), blocks=(Heading(1, "A", "a"), Heading(3, "B", "b"), Heading(2, "C", "c"))
    )
    page = Page(html.render(document))
    assert [said for said in page.texts["span"] if re.fullmatch(r"[\d.]+", said)][:3] == ["1", "1.1", "1.2"]
    assert [tag for tag, _ in page.elements if re.fullmatch(r"h\d", tag)][-3:] == ["h2", "h3", "h3"]
