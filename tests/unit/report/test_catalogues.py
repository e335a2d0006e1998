"""The catalogues of every language: complete, in step with the sources, in signs that the fonts have."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from fontTools.ttLib import TTFont

from iodyno.profiles import STANDARD_LOADS
from iodyno.report import extraction
from iodyno.report.messages import Messages, languages
from iodyno.study import load_study, shipped

FONTS = Path(extraction.__file__).parent / "fonts"
TRANSLATED = [language for language in languages() if language != "en"]
each_language = pytest.mark.parametrize("language", TRANSLATED)


def kept(language: str) -> Catalog:
    with extraction.catalogue_path(language).open("rb") as opened:
        return read_po(opened, locale=language)


def messages(catalogue: Catalog) -> Iterator[Message]:
    return (message for message in catalogue if message.id)


def forms(text: str | Sequence[str] | None) -> tuple[str, ...]:
    assert text is not None
    return (text,) if isinstance(text, str) else tuple(text)


def placeholders(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field}


def faults(catalogue: Catalog) -> list[str]:
    """Name each message that has no translation, a guessed one, or one with other placeholders."""
    found = []
    for message in messages(catalogue):
        name, said = forms(message.id)[-1], forms(message.string)
        wanted = catalogue.num_plurals if message.pluralizable else 1
        if len(said) != wanted or not all(said):
            found.append(f"not translated: {name}")
        elif message.fuzzy:
            found.append(f"fuzzy: {name}")
        elif any(
            placeholders(text) not in [placeholders(form) for form in forms(message.id)] for text in said
        ):
            found.append(f"other placeholders: {name}")
    return found


def test_german_and_japanese_are_there() -> None:
    assert TRANSLATED == ["de", "ja"]


@each_language
def test_a_catalogue_has_the_messages_of_the_sources_and_no_other(language: str) -> None:
    assert extraction.catalogue_path(language).read_text(encoding="utf-8") == extraction.in_step(language), (
        "python -m iodyno.report.extraction"
    )


@each_language
def test_every_message_is_translated_with_its_placeholders(language: str) -> None:
    assert faults(kept(language)) == []


def test_faults_of_a_catalogue_are_found() -> None:
    catalogue = Catalog(locale="de")
    catalogue.add("not there", "")
    catalogue.add("a guess", "geraten", flags=["fuzzy"])
    catalogue.add("{rate} IO/s", "{Rate} IO/s")
    catalogue.add(("{count} point", "{count} points"), ("{count} Punkt", ""))
    catalogue.add(("a point of {points}", "{count} points"), ("ein Punkt von {points}", "{count} Punkte"))
    catalogue.add("as it should be, {rate}", "wie es sein soll, {rate}")
    assert faults(catalogue) == [
        "not translated: not there",
        "fuzzy: a guess",
        "other placeholders: {rate} IO/s",
        "not translated: {count} points",
    ]


READING = {"en": r"\bread(s|ing)?\b", "de": "lese|lies|las", "ja": "リード|読"}
WRITING = {
    "en": r"\b(writ(e|es|ing|ten)|wrote)\b",
    "de": "schr(ei|ie)b",
    "ja": "ライト|書[きかくけこい込]",
}
"""What a text that speaks of reading or writing has in it, by language."""


def directions(text: str, language: str) -> set[str]:
    found = {"read": READING[language], "write": WRITING[language]}
    return {way for way, pattern in found.items() if re.search(pattern, text, re.IGNORECASE)}


def exchanged(catalogue: Catalog, language: str) -> list[str]:
    """Name each message that speaks of reading alone where its translation writes, or the other way round."""
    return [
        source
        for message in messages(catalogue)
        for source, said in [(forms(message.id)[-1], forms(message.string)[-1])]
        for asked, got in [(directions(source, "en"), directions(said, language))]
        if len(asked) == 1 and got and not asked & got
    ]


@each_language
def test_reads_and_writes_are_not_exchanged(language: str) -> None:
    assert exchanged(kept(language), language) == []


def titles_of(study: str) -> list[str]:
    return [profile.title for profile in load_study(study).profile]


@each_language
def test_names_of_profiles_say_whether_they_read_or_write(language: str) -> None:
    messages_of = Messages(language)
    titles = {load.profile.title for load in STANDARD_LOADS.values()}
    titles.update(title for name in shipped() for title in titles_of(name))
    one_way = {title for title in titles if len(directions(title, "en")) == 1}
    assert len(one_way) > 10
    for title in one_way:
        assert directions(messages_of.known(title), language) == directions(title, "en"), title
    assert len({messages_of.known(title) for title in titles}) == len(titles)


def test_an_exchange_is_found() -> None:
    catalogue = Catalog(locale="de")
    catalogue.add("Sequential read 256 kB", "Sequenzielles Schreiben 256 kB")
    catalogue.add("Random write 4 kB", "Wahlfreies Lesen 4 kB")
    catalogue.add("Random read 4 kB", "Wahlfreies Lesen 4 kB")
    assert exchanged(catalogue, "de") == ["Sequential read 256 kB", "Random write 4 kB"]


def test_in_japanese_from_and_to_are_said_only_of_two_ends() -> None:
    """Two numbers with nothing but から between them are read as the ends of a range."""
    ends = re.compile(r"\} ?から ?\{")
    for message in messages(kept("ja")):
        if any(ends.search(text) for text in forms(message.string)):
            assert re.search(r"\bto\b|–", forms(message.id)[-1]), message.id


@each_language
def test_translations_begin_and_end_as_their_messages_do(language: str) -> None:
    """A sentence stays a sentence, a word a word: what is put together around them depends on it."""
    ends = {".": ".。：", ":": ":："}
    for message in messages(kept(language)):
        for text in forms(message.string):
            source = forms(message.id)[-1]
            assert text == text.strip(), text
            if source[-1] in ends:
                assert text[-1] in ends[source[-1]], (source, text)


def test_quotes_and_brackets_are_those_of_the_language() -> None:
    for message in messages(kept("de")):
        assert not re.search("[\"”']", "".join(forms(message.string))), message.id
    for message in messages(kept("ja")):
        text = "".join(forms(message.string))
        assert not re.search(
            "[\u3040-\u30ff\u4e00-\u9fff][(:;,!?]|[,:;] ?[\u3040-\u30ff\u4e00-\u9fff]", text
        ), text
        assert not re.search("[０-９Ａ-Ｚａ-ｚ％]", text), text


@each_language
def test_the_fonts_have_every_sign_of_a_language(language: str) -> None:
    names = ["IBMPlexSans_400Regular.ttf", "NotoSansCJKjp-Regular.otf"]
    bold = ["IBMPlexSans_600SemiBold.ttf", "NotoSansCJKjp-Bold.otf"]
    written = {
        sign for message in messages(kept(language)) for text in forms(message.string) for sign in text
    } - {"\u00ad"}
    for fonts in (names, bold):
        carried = {chr(code) for name in fonts for code in TTFont(FONTS / name).getBestCmap()}
        assert written <= carried, sorted(written - carried)


def glossary() -> list[tuple[str, str, str]]:
    page = Path(__file__).parents[3] / "docs" / "glossary.md"
    text = page.read_text(encoding="utf-8").partition("## In German and Japanese")[2]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if "|" in line][2:]
    return [
        words
        for term, german, japanese in rows
        for words in zip(term.split(", "), german.split(", "), japanese.split("、"), strict=True)
    ]


def test_the_glossary_has_the_words_of_the_catalogues() -> None:
    """Where a term is a message by itself, the glossary and the catalogue say the same."""
    checked = 0
    for place, language in enumerate(TRANSLATED, start=1):
        said = {
            forms(message.id)[0].casefold(): forms(message.string)[0].replace("\u00ad", "")
            for message in messages(kept(language))
        }
        for words in glossary():
            if words[0] in said:
                assert said[words[0]].casefold() == words[place].casefold()
                checked += 1
    assert checked > 40


def strings(language: str) -> list[str]:
    """Give what a language says, form by form."""
    return [text for message in messages(kept(language)) for text in forms(message.string)]


def test_the_german_i_o_is_neuter() -> None:
    """Das I/O: an ending -er before one is masculine."""
    words = {word for text in strings("de") for word in re.findall(r"\b(\w+er) I/O(?!s)\b", text)}
    assert not words - {"oder", "über", "unter"}


CLAUSE_BEFORE = ("Was jedes Maximum begrenzt, und", "ist nicht da, und kein Lesezugriff")
"""Of what is no whole sentence these alone have a clause that ends at the comma."""


def test_nouns_are_joined_by_a_german_und_without_a_comma() -> None:
    labels = [text for text in strings("de") if not text.rstrip("“").endswith((".", "?", ":"))]
    found = [text for text in labels if ", und " in text]
    assert [text for text in found if not any(part in text for part in CLAUSE_BEFORE)] == []


def test_a_japanese_sentence_has_full_width_brackets() -> None:
    """Units of axes had narrow ones, or full ones; so had the marks of verdicts."""
    narrow = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff] ?\((?!\{)")
    assert [text for text in strings("ja") if narrow.search(text)] == []


ONE_WORD = {
    "de": "so dass|Aufwärmzeit|Hauptwert|Array|versucht|Kommando|zum Abfragen",
    "ja": "測定点|シミュレート|順次|対象が|か所|ほかの|わか[らりる]|あたり|もつ|一つの|一つだけ|一点"
    "|読み取(った|る|られ)|ファストパス|オペレーティング|限界"
    "|(ガバナ|ベンダ|フォルダ|ハイパーバイザ|サーバ|コントローラ|ドライバ)ー|ターゲット [^個]*台",
}
"""Words that stood beside others for the same thing, which are the ones to use."""


@each_language
def test_one_thing_has_one_word(language: str) -> None:
    assert [text for text in strings(language) if re.search(ONE_WORD[language], text)] == []


def test_the_interval_of_a_figure_is_one_of_confidence_in_japanese() -> None:
    """区間 alone is a part of the time, too."""
    found = [text for text in strings("ja") if re.search("(?<!信頼)区間", text)]
    assert found == ["測定区間内に完了した I/O がない"]


def test_a_german_sentence_behind_a_colon_begins_with_a_capital() -> None:
    begins = re.compile(": (sie|er|es|ob|solche|nichts) ")
    assert [text for text in strings("de") if begins.search(text)] == []


@each_language
def test_titles_of_shipped_profiles_have_no_comma(language: str) -> None:
    """Lists of them had semicolons for one that had, and all names stood in quotes."""
    titles = {title for name in shipped() for title in titles_of(name)}
    assert [said for said in map(Messages(language).known, titles) if re.search("[,、]", said)] == []


def test_a_japanese_range_has_no_space_at_its_sign() -> None:
    assert [text for text in strings("ja") if re.search(r"\s〜|〜\s", text)] == []


@pytest.mark.parametrize(
    ("language", "one", "never"),
    [("de", "weiteres", "{count} weiteres haben"), ("ja", "本の曲線が", "最も大きいのは")],
)
def test_one_is_told_as_one(language: str, one: str, never: str) -> None:
    """Japanese has the same form for one curve and for several: it may not rank one among several."""
    found = [forms(message.string)[0] for message in messages(kept(language)) if message.pluralizable]
    assert any(one in text for text in found)
    assert not any(never in text for text in found)


def test_a_german_multiple_does_not_break_behind_its_number() -> None:
    """Lines ended in "8,0- bis 12-" and went on with "Fache"."""
    found = [text for one in messages(kept("de")) for text in forms(one.string) if "Fache" in text]
    assert found
    assert not [text for text in found if "}-Fache" in text]
