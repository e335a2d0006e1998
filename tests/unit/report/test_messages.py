"""The catalogues: placeholders, plurals, lists and dates."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from babel.messages.pofile import read_po

from iodyno.errors import ReportError
from iodyno.report.document import Code, Link, Strong
from iodyno.report.messages import Messages, languages, plain


def test_placeholders_are_named_and_plural_follows_the_count() -> None:
    messages = Messages("en")
    assert messages.say("at {rate} IO/s", rate="5") == "at 5 IO/s"
    assert messages.say_n("{count} point", "{count} points", 1) == "1 point"
    assert messages.say_n("{count} point", "{count} points", 1200) == "1,200 points"


def test_inline_parts_stand_where_their_placeholders_do() -> None:
    said = Messages("en").compose(
        "{name}: type {command} to go on.", name=Strong("Resume"), command=Code("iodyno")
    )
    assert said == (Strong("Resume"), ": type ", Code("iodyno"), " to go on.")
    assert plain(said) == "Resume: type iodyno to go on."


def test_a_text_of_the_data_that_no_catalogue_knows_stays() -> None:
    assert Messages("en").known("My own profile") == "My own profile"
    assert Messages("en").known("") == ""


def test_lists_and_dates_are_those_of_the_language() -> None:
    messages = Messages("en")
    assert messages.listed(["4", "8"]) == "4 and 8"
    assert messages.listed(["4", "8", "16"]) == "4, 8, and 16"
    assert messages.date("2026-03-14T09:26:53+00:00") == "14\xa0March 2026"  # as "utilisation": British
    assert messages.time("2026-03-14T09:26:53Z").endswith("UTC")


@pytest.mark.parametrize(
    ("language", "items", "listed", "named"),
    [
        ("en", ["Database", "Restore"], "Database and Restore", "Database, Restore"),
        ("en", ["1,300 IO/s", "a (b, c)"], "1,300 IO/s and a (b, c)", "1,300 IO/s, a (b, c)"),
        ("en", ["RAID 10, whole", "RAID 6"], "RAID 10, whole; RAID 6", "RAID 10, whole; RAID 6"),
        ("de", ["Zufall, 67 %", "Lesen", "Schreiben"], *["Zufall, 67 %; Lesen; Schreiben"] * 2),
        ("de", ["1,5 ms", "2 ms"], "1,5 ms und 2 ms", "1,5 ms, 2 ms"),
        ("ja", ["ランダム、リード", "復元"], *["ランダム、リード；復元"] * 2),
        ("ja", ["（甲、乙）", "復元"], "（甲、乙）、復元", "（甲、乙）、復元"),
        ("en", ["alone, whole"], "alone, whole", "alone, whole"),
    ],
)
def test_names_with_commas_inside_are_parted_by_semicolons(
    language: str, items: list[str], listed: str, named: str
) -> None:
    messages = Messages(language)
    assert messages.listed(items) == listed
    assert messages.names(items) == named


def test_english_needs_no_catalogue_and_comes_first() -> None:
    assert languages()[0] == "en"
    with pytest.raises(ReportError, match="there is no paper in 'xx'"):
        Messages("xx")


def test_capacities_in_names_of_parts_are_written_as_the_language_does() -> None:
    """`1.6 TB` stood in German papers beside `1,6 TB`; what is no capacity is a name."""
    german = Messages("de")
    assert german.part("Intel SSD DC P3700 1.6 TB") == "Intel SSD DC P3700 1,6 TB"
    assert (
        german.part("Seagate Constellation.2 ST91000640NS 1 TB")
        == "Seagate Constellation.2 ST91000640NS 1 TB"
    )
    assert Messages("ja").part("ioDrive2 1.2 TB") == "ioDrive2 1.2 TB"
    firmware = german.composed("P3700 1.6 TB: firmware", ["{part}: firmware"])
    assert firmware == "P3700 1,6 TB: Firmware"


def test_a_title_of_a_word_that_is_the_same_in_japanese_is_japanese() -> None:
    """Its word was known and so was its template, but the word had not changed."""
    assert Messages("ja").titled("1 SAS SSD") == "SAS SSD 1 台"
    assert Messages("ja").titled("1 thing of mine") == "1 thing of mine"


@pytest.mark.parametrize(
    ("language", "keys", "expected"),
    [
        ("en", "f1", "See f1."),
        ("en", "f1 t1", "See f1 and t1."),
        ("en", "f1 f2 f3", "See f1 to f3."),
        ("en", "f1 f2 t1", "See f1, f2, and t1."),
        ("en", "f1 f2 f3 t1", "See f1 to f3 and t1."),
        ("de", "f1 f2 t1", "Siehe f1, f2 und t1."),
        ("de", "f1 f2 f3 t1", "Siehe f1 bis f3 und t1."),
        ("ja", "f1 f2 t1", "f1、f2 とt1 を参照してください。"),
        ("ja", "f1 f2 f3 t1", "f1〜f3 とt1 を参照してください。"),
    ],
)
def test_a_table_is_in_no_range_of_figures(language: str, keys: str, expected: str) -> None:
    names = {"f": "figure-made", "t": "table-made"}
    pointer = Messages(language).see("", *(f"{names[key[0]]}-{key}" for key in keys.split()))
    shown = [part.key.split("-")[-1] if isinstance(part, Link) else str(part) for part in pointer]
    assert "".join(shown) == expected


def test_german_has_no_preposition_before_a_name_without_quotes() -> None:
    """`40.000 IO/s mit Vier Laufwerke`: it asks for a case that names of systems and profiles do not have."""
    name = re.compile(r"\b(von|mit|neben|bei|aus|nach|zu) \{(name|names|profile|best|worst|other)\}", re.I)
    with files("iodyno.report").joinpath("locale/de/LC_MESSAGES/iodyno.po").open("rb") as file:
        catalog = read_po(file)
    strings = (entry.string for entry in catalog)
    told = [text for said in strings for text in ([said] if isinstance(said, str) else said or ())]
    assert len(told) > 1000
    assert [text for text in told if name.search(text)] == []


@pytest.mark.parametrize(
    ("language", "message", "values", "said"),
    [
        ("en", "{count} configurations ({load})", {"count": "3", "load": "A (b) and C"},
         "3 configurations (A [b] and C)"),
        ("de", "{profile} beside {others}", {"profile": "OLTP (Block 4 kB)", "others": "Log (Block 8 kB)"},
         "OLTP (Block 4 kB) (zugleich: Log [Block 8 kB])"),
        ("ja", "maximum, {load}; {interval}", {"load": "I/O 数 256（64 × 4）の場合", "interval": "±1%"},
         "最大値（I/O 数 256［64 × 4］の場合）、±1%"),
        ("en", "{count} targets ({paths})", {"count": "2", "paths": "/a (1), /b"}, "2 targets (/a (1), /b)"),
    ],
)  # fmt: skip
def test_what_stands_in_brackets_has_square_ones(
    language: str, message: str, values: dict[str, str], said: str
) -> None:
    """Brackets in brackets cannot be read; a path stays as it is written."""
    assert Messages(language).say(message, **values) == said


def test_what_is_counted_has_square_brackets_in_brackets_too() -> None:
    said = Messages("ja").say_n(
        "{count} more load beside {others}", "{count} loads ({others})", 2, others="A (b)"
    )
    assert said == "2 loads (A [b])"


@pytest.mark.parametrize(
    ("language", "name", "remark", "said"),
    [
        ("en", "P3700 800 GB", "4 kB", "P3700 800 GB (4 kB)"),
        ("en", "P3700 800 GB (full range)", "4 kB", "P3700 800 GB (full range, 4 kB)"),
        ("de", "P3700 800 GB (ganzer Bereich)", "4 kB", "P3700 800 GB (ganzer Bereich, 4 kB)"),
        ("ja", "P3700 800 GB（全域）", "4 kB", "P3700 800 GB（全域、4 kB）"),
        ("en", "25%", "P3700 (full range), P3700", "25% (P3700 [full range], P3700)"),
        ("en", "(all) drives", "4 kB", "(all) drives (4 kB)"),
        ("ja", "25%", "P3700（全域）", "25%（P3700［全域］）"),
    ],
)  # fmt: skip
def test_a_remark_joins_the_brackets_that_a_name_has(
    language: str, name: str, remark: str, said: str
) -> None:
    """`P3700 800 GB (full range) (4 kB)` had two pairs, and three where that stood in brackets."""
    assert Messages(language).remarked(name, remark) == said


def test_no_message_has_brackets_in_brackets() -> None:
    """Whatever fills it has brackets of its own: each message of each language, but for paths."""
    for language in languages():
        messages = Messages(language)
        name = "iodyno.pot" if language == "en" else f"{language}/LC_MESSAGES/iodyno.po"
        for entry in read_po(files("iodyno").joinpath(f"report/locale/{name}").open("rb")):
            message = entry.id if isinstance(entry.id, str) else ""
            fields = set(re.findall(r"\{(\w+)\}", message)) - {"paths"}
            said = messages.say(message, **dict.fromkeys(fields, "a (b)"), paths="a") if fields else ""
            assert not re.search(r"[(（][^()（）]*[(（]", said), said


@pytest.mark.parametrize(
    ("language", "profile", "begins"),
    [
        ("en", "Random 4 kB, 67% read", "For “Random 4 kB, 67% read”, keep 8 outstanding"),
        ("en", "Random read 4 kB", "For Random read 4 kB, keep 8 outstanding"),
        ("en", "“Log, daily”", "For “Log, daily”, keep 8 outstanding"),
        ("de", "Zufällig 4 kB, 67 % Lesen", "Für „Zufällig 4 kB, 67 % Lesen“ genügen 8 ausstehende"),
        ("de", "Datenbank", "Für „Datenbank“ genügen 8 ausstehende"),
        ("ja", "ランダム 4 kB、リード 67%", "「ランダム 4 kB、リード 67%」では処理待ち"),
    ],
)
def test_a_profile_in_a_sentence_is_quoted_where_it_would_be_lost(
    language: str, profile: str, begins: str
) -> None:
    """`For Random 4 kB, 67% read, keep 8` was a profile and a share; it stands in quotes once, however a
    language has it."""
    message = (
        "For {profile}, keep {count} outstanding I/O: that is within {margin} of what more would bring, and "
        "more mainly waits.",
        "For {profile}, keep {count} outstanding I/Os: that is within {margin} of what more would bring, and "
        "more mainly waits.",
    )
    assert Messages(language).say_n(*message, 8, profile=profile, margin="5%").startswith(begins)


def test_no_sentence_quotes_a_profile_twice() -> None:
    """Those of the language that have quotes of their own, and all others."""
    for language in languages():
        messages = Messages(language)
        name = "iodyno.pot" if language == "en" else f"{language}/LC_MESSAGES/iodyno.po"
        for entry in read_po(files("iodyno").joinpath(f"report/locale/{name}").open("rb")):
            message = entry.id if isinstance(entry.id, str) else ""
            if "{profile}" in message and message.endswith("."):
                fields = dict.fromkeys(re.findall(r"\{(\w+)\}", message), "x")
                said = messages.say(message, **fields | {"profile": "a, b"})
                assert re.search(r"[“„「]a, b[”“」]", said), said
                assert not re.search(r"[“„「]{2}|[”“」]{2}", said), said
