"""Papers in German and Japanese: numbers, fonts, lines, and the same content as in English."""

from __future__ import annotations

import base64
import dataclasses
import io
import re
from collections.abc import Iterator
from html import unescape

import pytest
from fontTools.ttLib import TTFont
from hypothesis import given, settings
from hypothesis import strategies as st

import shelf as papers
from factories import make_section, make_stored_run
from iodyno.reading import Cause, PointResult
from iodyno.report import html, paper, pdf
from iodyno.report.document import BarChart, Cell, Column, Document, Facts, Figure, Heading, LineChart, Table
from iodyno.report.layout.breaking import SOFT_HYPHEN, breakable, units, without_gaps
from iodyno.report.layout.columns import fit
from iodyno.report.messages import Messages, plain
from iodyno.report.names import MARKS, marks_told
from iodyno.report.numbers import Numbers
from iodyno.system import System
from paper_texts import described, texts
from shelf import KINDS, Shelf

WIDE = re.compile("[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff60]")
FACE = re.compile(r'@font-face\{font-family:"([^"]+)";font-weight:(\d+);[^}]*base64,([^"]+)"[^}]*?'
                  r"(?:unicode-range:([^}]+))?\}")  # fmt: skip


@pytest.fixture(scope="module", params=["de", "ja"])
def document(request: pytest.FixtureRequest) -> Document:
    """Give the paper of a measured run in a language."""
    return paper.build(described(), request.param)


def ranges(text: str) -> set[int]:
    found: set[int] = set()
    for part in text.split(","):
        low, _, high = part.removeprefix("U+").partition("-")
        found.update(range(int(low, 16), int(high or low, 16) + 1))
    return found


def test_a_paper_has_the_same_parts_in_every_language(document: Document) -> None:
    english = paper.build(described())
    assert [type(block) for block in document.blocks] == [type(block) for block in english.blocks]
    keys = [[getattr(block, "key", "") for block in blocks] for blocks in (document.blocks, english.blocks)]
    assert keys[0] == keys[1]


def charts(document: Document) -> Iterator[LineChart | BarChart]:
    for block in document.blocks:
        if isinstance(block, Figure):
            yield from block.charts


def test_charts_hold_the_same_values_under_other_names(document: Document) -> None:
    english = paper.build(described())
    for here, there in zip(charts(document), charts(english), strict=True):
        assert here.x.label != there.x.label
        if isinstance(here, LineChart) and isinstance(there, LineChart):
            assert [[(p.x, p.y) for p in line.points] for line in here.lines] == [
                [(p.x, p.y) for p in line.points] for line in there.lines
            ]


def test_numbers_and_dates_are_those_of_the_language() -> None:
    german, japanese = ("\n".join(texts(paper.build(make_stored_run(), name))) for name in ("de", "ja"))
    assert "14.\u00a0März 2026" in german
    assert "2026\xa0年\xa03\xa0月\xa014\xa0日" in japanese
    assert not re.search(r"\d\.\d{1,2}\s?(?:ms|s|%|IO/s|MB/s)\b", german)
    assert re.search(r"\d,\d+ ms", german)
    assert re.search(r"\d %", german)
    assert re.search(r"\d\.\d+ ms", japanese)


def facts_of(document: Document) -> dict[str, str]:
    return {
        name: plain(value)
        for block in document.blocks
        if isinstance(block, Facts)
        for name, value in block.items
    }


def test_what_was_found_out_of_the_machine_is_said_in_the_language() -> None:
    """Names of the kernel stay as they are; the words between them are ours."""
    sections = (
        make_section("idle", idle_driver="none", idle_disabled="none"),
        make_section("os", mitigations="active: spectre_v1, spectre_v2; vulnerable: retbleed"),
    )
    stored = make_stored_run()
    run = stored.run.model_copy(update={"system": System(sections=sections)})
    stored = stored.model_copy(update={"run": run})
    german, japanese = (facts_of(paper.build(stored, language)) for language in ("de", "ja"))
    assert german["Treiber der Ruhezustände"] == "none"
    assert german["Abgeschaltete Ruhezustände"] == "keine"
    assert german["Maßnahmen gegen Prozessorlücken"] == "aktiv: spectre_v1, spectre_v2; angreifbar: retbleed"
    assert japanese["無効化されたアイドル状態"] == "なし"
    assert japanese["プロセッサの脆弱性への対策"] == "有効：spectre_v1, spectre_v2；未対策：retbleed"


@pytest.mark.parametrize("text", ["‡\u00a0外乱あり", "†\u00a0非定常", "ホスト\u00a01", "外乱\u00a0あり"])
def test_a_no_break_space_holds_between_japanese_signs_too(text: str) -> None:
    """UAX #14, LB12: no line ends before or after it."""
    assert units(text) == [text]
    assert not any(unit.endswith("\u00a0") or unit.startswith("\u00a0") for unit in units(f"値は {text}。"))


def test_a_measured_time_of_seconds_is_written_in_seconds() -> None:
    """A hundredth of a minute is no number to read."""
    stored = make_stored_run()
    short = stored.model_copy(update={"results": stored.results[:1]})
    seconds = Numbers("en").significant(short.results[0].reading.measured_s, 2)
    said = "\n".join(texts(paper.build(short)))
    assert f"I/Os in {seconds} seconds of measured time." in said
    assert "minutes of measured time" not in said
    assert "Sekunden Messzeit" in "\n".join(texts(paper.build(short, "de")))
    assert "minutes of measured time" in "\n".join(texts(paper.build(stored)))


@pytest.mark.parametrize(
    ("title", "german"),
    [
        ("Results of fio-3.33", "Ergebnisse von fio-3.33"),
        ("Results of fio-3.33 and iodyno-0.1.0", "Ergebnisse von fio-3.33 und iodyno-0.1.0"),
        ("fio job file nightly", "fio-Jobdatei nightly"),
        ("Results of the old array", "Results of the old array"),
    ],
)
def test_a_title_that_iodyno_gave_is_in_the_language(title: str, german: str) -> None:
    """One that a person gave stays as it is."""
    stored = make_stored_run()
    plan = stored.run.plan.model_copy(update={"title": title})
    run = stored.run.model_copy(update={"plan": plan})
    assert paper.build(stored.model_copy(update={"run": run}), "de").title_page.title == german


def test_a_paper_is_accessible_pdf_and_so_has_every_sign(document: Document) -> None:
    """The standard forbids a sign that no font has; a paper with one is made without the claim."""
    made = pdf.render(document)
    assert b"pdfuaid" in made
    assert made == pdf.render(document)


def test_a_sign_that_no_font_has_is_noticed() -> None:
    bad = paper.build(described(), "ja")
    blocks = (*bad.blocks, Heading(1, "\ua9c1\ua9c2", "javanese"))
    assert b"pdfuaid" not in pdf.render(dataclasses.replace(bad, blocks=blocks))


def test_a_page_says_its_language_and_carries_every_sign(document: Document) -> None:
    page = html.render(document)
    assert f'<html lang="{document.language}">' in page
    assert page == html.render(document)
    body = page[page.index("<body") :]
    written = {ord(sign) for sign in body if WIDE.match(sign)}
    faces = FACE.findall(page)
    carried = [found for family, _, _, found in faces if family == "Noto Sans CJK JP"]
    assert bool(carried) == (document.language == "ja")
    assert written <= set().union(*map(ranges, carried), set())


@pytest.mark.parametrize("kind", KINDS)
def test_every_sign_of_a_page_and_its_charts_and_script_is_in_a_font_that_it_carries(kind: str) -> None:
    page = papers.page(kind)
    carried = {
        code
        for _, _, data, _ in FACE.findall(page)
        for code in TTFont(io.BytesIO(base64.b64decode(data))).getBestCmap()
    }
    body = unescape(re.sub(r'href="data:[^"]*"', "", page[page.index("<body") :]))
    assert {sign for sign in body if sign.isprintable() and ord(sign) not in carried} == set()


@pytest.mark.parametrize(
    ("language", "cited"),
    [
        ("en", "A Publisher of Servers, Disk Controller Performance, version 3.1, 29 February 2016"),
        ("de", "A Publisher of Servers, Disk Controller Performance, Version 3.1, 29. Februar 2016"),
        ("ja", "A Publisher of Servers, Disk Controller Performance, 第 3.1 版, 2016 年 2 月 29 日"),
    ],
)
def test_the_paper_that_a_study_comes_from_is_cited(language: str, cited: str, shelf: Shelf) -> None:
    said = re.sub(r"\s+", "", shelf.said(f"systems-{language}", "pdftotext", "-raw"))
    assert re.sub(r"\s+", "", cited) in said
    assert cited in unescape(re.sub("<[^>]*>", "", papers.page(f"systems-{language}"))).replace("\xa0", " ")


def test_a_slice_has_the_signs_that_it_is_declared_for() -> None:
    faces = FACE.findall(html.render(paper.build(described(), "ja")))
    japanese = [
        (weight, data, found) for family, weight, data, found in faces if family == "Noto Sans CJK JP"
    ]
    assert {weight for weight, _, _ in japanese} == {"400", "600"}
    for _, data, found in japanese:
        font = TTFont(io.BytesIO(base64.b64decode(data)))
        assert ranges(found) <= set(font.getBestCmap())


def test_an_english_page_carries_a_japanese_title_too() -> None:
    stored = described()
    plan = stored.run.plan.model_copy(update={"title": "夜間の鑑定"})
    document = paper.build(stored.model_copy(update={"run": stored.run.model_copy(update={"plan": plan})}))
    page = html.render(document)
    carried = set().union(*(ranges(found) for _, _, _, found in FACE.findall(page) if found))
    assert set(map(ord, "夜間の鑑定")) <= carried


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab /_-%、。：（）「」ーッカナかな漢字々〜*†\u00ad\u00a0 1", max_size=60))
def test_pieces_are_the_text_and_no_line_begins_with_a_closing_sign(text: str) -> None:
    assert "".join(units(text)) == text
    assert "".join(breakable(text)) == text
    for before, after in zip(units(text), units(text)[1:], strict=False):
        if not before.endswith((" ", SOFT_HYPHEN)) and WIDE.search(before):
            assert after[0] not in "、。：）」", (text, before, after)
        assert not before.endswith(("（", "「")) or after[0] in "（「", (text, before, after)


def test_spaces_between_japanese_signs_are_those_of_messages_alone() -> None:
    assert without_gaps("は データ で 300 IO/s です") == "はデータで 300 IO/s です"
    assert Messages("ja").flow(["一。", "", "二。"]) == "一。二。"
    assert Messages("de").flow(["Eins.", "", "Zwei."]) == "Eins. Zwei."
    assert Messages("ja").enumerated(["甲", "乙"]) == "甲、乙"


def test_a_soft_hyphen_makes_a_column_narrow_only_where_it_must() -> None:
    def widths(columns: int) -> float:
        table = Table(tuple(Column("Aufwärm\u00adphase", "right") for _ in range(columns)), (), "", "t")
        return fit(table).widths[1]

    whole = Table((Column("Aufwärmphase", "right"),) * 3, (), "", "t")
    assert widths(3) == fit(whole).widths[1]
    assert widths(9) < widths(3)


def test_a_word_is_parted_in_the_rows_of_a_table_only_where_it_must() -> None:
    """Letters of 7 points had room for "einge-" over "schwungen" in each row; those of 6.6 have for all."""

    def lines(columns: int) -> tuple[int, ...]:
        heads = (Column("Bewertung"), *(Column("Wert", "right") for _ in range(columns)))
        row = (Cell("einge\u00adschwungen"), *(Cell("0,0426") for _ in range(columns)))
        return fit(Table(heads, (row,) * 10, "", "t")).lines[1:]

    assert [set(lines(columns)) for columns in (14, 15)] == [{1}, {1}]
    assert set(lines(16)) == {2}


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_what_marks_mean_is_told_in_whole_words(language: str) -> None:
    """A soft hyphen inside of a line was in what is copied: "einge", it, "schwungen"."""
    assert "\u00ad" not in marks_told(Messages(language), MARKS.values())


def test_no_line_of_a_head_begins_with_a_particle() -> None:
    assert units("そのときの処理待ち I/O 数")[:2] == ["そのときの", "処理待ち "]


def test_what_the_language_means_is_not_something_else() -> None:
    """A power plan saves nothing by itself; a worker's number is a count and not a name."""
    german, japanese = Messages("de"), Messages("ja")
    title = "P3700 800 GB, power-plan settings of the host"
    assert german.titled(title) == "P3700 800 GB, Host-Einstellungen Energieplan"
    assert japanese.say_n("{count} worker", "{count} workers", 4) == "ワーカー数 4"


def test_german_has_the_short_word_for_a_raid_of_the_operating_system() -> None:
    """Names with "RAID 0 des Betriebssystems" took two lines in each table; Linux says software RAID."""
    title = "2 × P3700 800 GB, RAID 0 of the operating system"
    assert Messages("de").titled(title) == "2 × P3700 800 GB, Software-RAID 0"


def test_titles_of_configurations_are_put_together_anew() -> None:
    german, japanese = Messages("de"), Messages("ja")
    title = "PRAID EP420i: 8 SAS hard disks, RAID 5"
    assert german.titled(title) == "PRAID EP420i: 8 SAS-Festplatten, RAID 5"
    assert japanese.titled(title) == "PRAID EP420i：SAS ハードディスク 8 台、RAID 5"
    assert german.titled("my own box") == "my own box"
    assert Messages("en").titled(title) == title


@pytest.mark.parametrize(
    ("title", "german", "japanese"),
    [
        ("P3700 1.6 TB", "P3700 1,6 TB", "P3700 1.6 TB"),
        ("P3700 1.6 TB, whole capacity", "P3700 1,6 TB, ganze Kapazität", "P3700 1.6 TB、全容量"),
        ("P3700 800 GB, 2.3 GHz", "P3700 800 GB, 2,3 GHz", "P3700 800 GB、2.3 GHz"),
        ("ioDrive2 1.2 TB", "ioDrive2 1,2 TB", "ioDrive2 1.2 TB"),
        ("Direct cable, 4 SSDs", "Direktes Kabel, 4 SSDs", "直結ケーブル、SSD 4 台"),
    ],
)
def test_numbers_in_titles_are_written_as_the_language_writes_them(
    title: str, german: str, japanese: str
) -> None:
    assert (Messages("de").titled(title), Messages("ja").titled(title)) == (german, japanese)


@pytest.mark.parametrize(
    ("count", "expected"),
    [(1, "bei 1 ausstehenden I/O"), (2, "bei 2 ausstehenden I/Os"), (1024, "bei 1.024 ausstehenden I/Os")],
)
def test_the_german_plural_follows_the_count(count: int, expected: str) -> None:
    said = Messages("de").say_n("at {count} outstanding I/O", "at {count} outstanding I/Os", count)
    assert said == expected


def test_brackets_around_japanese_words_are_full_width() -> None:
    """One name had both kinds of brackets. Around figures with units, and marks, they are half-width."""
    japanese = Messages("ja")
    load = japanese.enumerated(["ライトスルー（Fast Path）", "ライトバック"])
    said = japanese.say("{name} ({load})", name="PRAID EP420i", load=load)
    assert said == "PRAID EP420i（ライトスルー［Fast Path］、ライトバック）"


def test_brackets_around_japanese_remarks_are_full_width() -> None:
    """What a build is, and what of a cause stands at each load, had half-width ones around Japanese words."""

    def late(result: PointResult) -> PointResult:
        cause = Cause(code="late_starts", values={"late": 2_725, "completed": 16_257})
        return result.model_copy(update={"verdict": result.verdict.model_copy(update={"notes": (cause,)})})

    stored = make_stored_run(profiles=("database",), intensities=(1, 2), change=late)
    found = [*texts(paper.build(stored, language="ja"))]
    assert any("（16,257 のうち 2,725）" in text for text in found)
    assert [text for text in found if re.search("\\([^()（）]*[\u3040-\u9fff]", text)] == []
