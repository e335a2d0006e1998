"""No line ends inside of a value, the name of a model or a unit."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from factories import make_stored_run
from iodyno.analysis.run import analyse
from iodyno.report import html, pdf
from iodyno.report.context import Context
from iodyno.report.document import Bullets, Cell, Column, Facts, Heading, Paragraph, Table
from iodyno.report.layout.breaking import SOFT_HYPHEN, keep_units, units
from iodyno.report.messages import Messages
from iodyno.report.names import state_name
from iodyno.report.sections import method
from pdf_texts import read, small

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


@pytest.mark.parametrize(
    "text",
    [
        "最大値は、300 IO/s です：「直結」",
        "レートの単位は IO/s：その値",
        "範囲は 12〜14：その値",
        "構成は、全容量、ワーカー数 4」の 899,000 IO/s で、次に",  # the sign was held to the number behind it
        "「ファイルコピー：その値",
        "ストレージキャッシュ数 4：その値",
    ],
)
def test_no_line_of_japanese_begins_with_a_colon_or_the_end_of_a_quotation(text: str, tmp_path: Path) -> None:
    found = lines("ja", "あ", text, tmp_path)
    assert not [line for line in found if re.match(r"[：；」ーッャュョ]", line)]


def test_a_number_stays_with_the_end_of_the_word_before_it(tmp_path: Path) -> None:
    """Its last six signs did: lines could end behind the first sign of a word, and nowhere else in it."""
    found = lines("ja", "あ", "「ランダムリード 4 kB」", tmp_path)
    begun = {line for line in found if re.match("[^あ「]*4 kB」", line)}
    assert "ムリード 4 kB」" in begun
    assert all(line.endswith("リード 4 kB」") for line in begun)


def test_a_colon_behind_a_long_vowel_keeps_its_width(tmp_path: Path) -> None:
    """It was the end of a box, which took half of it: the next word stood in it."""
    boxes = read(
        pdf.render(replace(small(Paragraph("コピー：あ"), Paragraph("コピア：あ")), language="ja")),
        tmp_path,
        "-bbox",
    )
    ends = [float(end) for end in re.findall(r'xMax="([\d.]+)"[^>]*>コピ', boxes)]
    assert ends[0] == pytest.approx(ends[1], abs=0.1)


@pytest.mark.parametrize(
    ("language", "text", "whole"),
    [
        ("de", "800 GB, RAID 0 aus 8 Laufwerken, Strip 256 kB", "8 Laufwerken,"),
        ("de", "am niedrigsten: P3700 und 3 weitere mit 470 MB/s", "3 weitere"),
        ("de", "Bei 438 von 2.171 Punkten war es so", "438 von 2.171 Punk"),
        ("de", "das Maximum wird bei 12 von 22 Kurven erreicht", "12 von 22 Kur"),
        ("de", "die Latenz bei 8 ausstehenden I/Os beträgt", "8 aus"),
        ("en", "the latency at 8 outstanding I/Os is", "8 outstanding"),
        ("en", "of 252 points, most are", "252 points,"),
        ("en", "with 8 solid state drives, each", "8 solid"),
    ],
)
def test_no_line_ends_between_a_number_and_what_is_counted(
    language: str, text: str, whole: str, tmp_path: Path
) -> None:
    found = lines(language, "x ", text, tmp_path)
    assert sum(whole in line for line in found) == 44


@pytest.mark.parametrize(
    "noun", ["Laufwerke", "Worker, ein Prozess", "Ziel je Worker", "Festplatten", "drives"]
)
def test_nor_in_a_cell_of_a_table(noun: str) -> None:
    assert keep_units(f"gleichauf: 4 {noun}") == f"gleichauf: 4{NO_BREAK}{noun}"


def test_a_german_rate_of_rotation_stays_in_a_line(tmp_path: Path) -> None:
    found = lines("de", "x ", "SAS-Festplatte mit 450 GB (15.000 U/min) und", tmp_path)
    assert sum("(15.000 U/min)" in line for line in found) == 44


@pytest.mark.parametrize(
    ("language", "text"), [("en", "1 of 156 points lasted longer"), ("de", "1 von 156 Punkten dauerte so")]
)
def test_no_line_ends_between_a_number_and_of_how_many_it_is(
    language: str, text: str, tmp_path: Path
) -> None:
    """A line ended in a 1 with which a sentence began."""
    assert not [line for line in lines(language, "x ", text, tmp_path) if re.search("(1|of|von)$", line)]


@pytest.mark.parametrize("text", ["am 29.\xa0August 2016", "mit 4 Workern verglichene"])
def test_german_dates_and_workers_have_no_hyphen(text: str, tmp_path: Path) -> None:
    """Lines ended in "29. Au-" and in "1 Wor-"."""
    found = lines("de", "Datei, ", f"{text} Konfigurationen", tmp_path)
    assert not [line for line in found if re.search("(Au|Wor)[-\xad]?$", line)]


@pytest.mark.parametrize(("titles", "parted"), [(True, False), (False, True)])
def test_titles_in_another_language_are_not_parted_by_german_rules(
    titles: bool, parted: bool, tmp_path: Path
) -> None:
    """Under Literature a line ended in "Communi-", and one in "Queu-"."""
    text = " ".join(["Deterministic Communications Statistical Quantitative"] * 12)
    of = replace(small(Bullets((text,), titles=titles)), language="de")
    ends = [line for line in read(pdf.render(of), tmp_path).splitlines() if re.search("[-\xad]$", line)]
    assert bool(ends) is parted
    assert ('<ul class="titles">' in html.render(of)) is titles


def test_the_number_of_ios_is_one_word_in_japanese() -> None:
    """A head was "処理待ち I/O" in one line and "数" in the next."""
    assert units(keep_units("そのときの処理待ち I/O 数"))[-1] == f"I/O{NO_BREAK}数"


def test_what_is_copied_from_japanese_has_no_signs_that_join_words(tmp_path: Path) -> None:
    """A colon behind a word that stays in a line was joined to it by a sign of no width, U+2060."""
    text = "ファイルコピー：サーバ；「直結」です：レート 12〜14：負荷 4；カー！IO/s？"
    table = Table(
        (Column("構成：値"), Column("負荷プロファイル：値", "right")), ((Cell(text), Cell("1")),), text, "t"
    )
    of = replace(small(Paragraph(text), table), language="ja")
    printed = read(pdf.render(of), tmp_path)
    assert "ファイルコピー：サーバ；" in printed
    assert not [sign for sign in printed if sign in "\u2060\u200b\u200d\ufeff"]


@pytest.mark.parametrize("sign", ["：", "；"])
def test_a_sign_behind_a_word_that_stays_in_a_line_keeps_its_width(sign: str, tmp_path: Path) -> None:
    """At the end of a box it has half of it: what followed stood in it."""
    ends = []
    for word in ("カア", "カー"):
        of = replace(small(Paragraph(f"{word}{sign}" * 8 + "末")), language="ja")
        boxes = read(pdf.render(of), tmp_path, "-bbox")
        ends.append(max(float(end) for end in re.findall('xMax="([0-9.]+)"[^>]*>[^<]*末', boxes)))
    assert ends[0] == pytest.approx(ends[1], abs=0.1)


def test_what_is_searched_in_german_has_no_soft_hyphen_in_the_middle_of_a_line(tmp_path: Path) -> None:
    """Who searched for "Transaktionsrate" did not find it in headings, captions and the glossary."""
    word, text = "Transaktionsrate", "Transaktions\u00adrate"
    table = Table((Column("A"),), ((Cell("1"),),), text, "t", notes=(text,))
    of = small(Heading(2, text, "g"), Paragraph(text), table, Facts(((text, "je Sekunde"),)))
    printed = read(pdf.render(replace(of, language="de")), tmp_path)
    assert "\u00ad" not in printed
    assert printed.count(word) == 6  # once more in the contents


@pytest.mark.parametrize("word", ["Fache", "Fachen"])
def test_a_multiple_is_not_parted_in_german(word: str, tmp_path: Path) -> None:
    """Lines ended with "das 3,81-Fa", and the next began with "che"."""
    multiple = f"3,81\N{NON-BREAKING HYPHEN}{word}"
    text = f"Maximum ist das {multiple} davon (Intervall 3,79 bis 3,83)."
    found = [line for fill in ("SSDs ", "Wahlfreies Lesen, ") for line in lines("de", fill, text, tmp_path)]
    assert sum(multiple in line for line in found) == 88


def test_the_name_of_a_verdict_stays_in_a_line_where_it_is_explained() -> None:
    """It stood in two lines, of which the second began further to the left than its mark."""
    german = Messages("de")
    name = state_name(german, "not_steady", whole=True)
    assert " " not in name
    assert SOFT_HYPHEN not in name
    context = Context(run := make_stored_run(), analyse(run), german)
    (table,) = (one for one in method.blocks(context) if isinstance(one, Table) and "verdicts" in one.key)
    assert [row[0].text for row in table.rows][2] == name
