"""Texts of the paper in the language of its reader: message catalogues, lists, dates.

Every sentence and label is an English message with named placeholders. ``pybabel
extract -k "say say_n:1,2 compose N_"`` finds them all; a language adds
``locale/<language>/LC_MESSAGES/iodyno.po`` and nothing else.
"""

from __future__ import annotations

import copy
import re
import string
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from iodyno.errors import ReportError
from iodyno.report.document import Code, Inline, Link, Strong, Text
from iodyno.report.layout.breaking import has_wide, without_gaps
from iodyno.report.numbers import Numbers
from iodyno.report.shared_words import squared

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

_HERE = Path(__file__).parent
SOURCE_LANGUAGE = "en"
STUDIES = "studies/"
"""Where the catalogues say that messages of the shipped studies come from."""
PROFILES = "profiles.py"
"""Where they say that those of the standard profiles do."""


def N_(message: str) -> str:  # noqa: N802 - the name that gettext tools know
    """Mark a message that is looked up later, with :meth:`Messages.known`."""
    return message


def _lost(name: str) -> bool:
    """Tell whether a name would be lost inside a sentence: see `Messages.quoted`."""
    word = name.split(" ")[0]
    ordinary = word.isalpha() and word.islower()
    return bool(ordinary or _COLON.search(name) or _COMMA.search(_BRACKETS.sub("", name)))


def has_brackets(text: str) -> bool:
    """Tell whether a text has brackets of its own: it can be put into none.

    Examples
    --------
    >>> has_brackets("Drive (full range)"), has_brackets("ドライブ（全域）"), has_brackets("Drive")
    (True, True, False)
    """
    return any(sign in text for sign in "(（")


def _filled(message: str, values: Mapping[str, str]) -> str:
    """Fill a message; brackets of what stands in its brackets become square, and quotes are not doubled."""
    if quoted := _QUOTED_FIELD.findall(message):
        values = {
            name: text[1:-1] if name in quoted and _WHOLE.fullmatch(text) else text
            for name, text in values.items()
        }
    if inside := _fields_in_brackets(message):
        values = {name: squared(text) if name in inside else text for name, text in values.items()}
    return message.format(**values)


@cache
def _fields_in_brackets(message: str) -> frozenset[str]:
    """Give the placeholders that stand in brackets of a message, but for paths: they are copied."""
    found, depth = set[str](), 0
    for literal, field, _, _ in string.Formatter().parse(message):
        depth += sum(literal.count(sign) for sign in "(（") - sum(literal.count(sign) for sign in ")）")
        if field and depth > 0:
            found.add(field)
    return frozenset(found - {"paths"})


@dataclass(frozen=True)
class _Signs:
    """What a language puts between sentences and between names."""

    space: str = " "
    comma: str = ", "
    semicolon: str = "; "


_WITHOUT_SPACES = ("ja",)
_COLON = re.compile(r": |：")
_COMMA = re.compile("[,\u3001](?!\\d)")
_BRACKETS = re.compile("\\([^()]*\\)|\uff08[^\uff08\uff09]*\uff09|[“„][^“”]*[“”]|「[^「」]*」")
"""Brackets and quotes with what is in them."""
_QUOTED_FIELD = re.compile(r"[“„「]\{(\w+)\}[”“」]")
_WHOLE = re.compile("[“„][^“„”]*[“”]|「[^「」]*」")
"""A text that is quoted as a whole."""
_AT_END = re.compile("\\([^()]*\\)$|\uff08[^\uff08\uff09]*\uff09$")
"""Brackets that a name ends with."""
_WORD = re.compile(r"[^\W\d_]{2}")
_DECIMAL = re.compile(r"\d+\.\d+")
_CAPACITY = re.compile(r"\b\d+\.\d+ [GT]B\b")
_SIGNS = {"ja": _Signs(space="", comma="、", semicolon="\uff1b")}


class Messages:
    """A language: what is said in it, and how numbers, lists and dates are written.

    Parameters
    ----------
    language
        ``en``, or one that has a catalogue: see :func:`languages`.
    studies
        The shipped studies whose texts :meth:`of_study` translates, by name; all where left out. What
        somebody called a study of their own stays, though one that is shipped may have the same words.

    Raises
    ------
    ReportError
        If there is no catalogue for the language.

    Examples
    --------
    >>> english = Messages("en")
    >>> english.say("The maximum is {rate}.", rate="12,300 IO/s")
    'The maximum is 12,300 IO/s.'
    >>> english.say_n("{count} point", "{count} points", 2)
    '2 points'
    """

    def __init__(self, language: str = SOURCE_LANGUAGE, studies: frozenset[str] | None = None) -> None:
        self.language = language
        self._studies = studies
        self.numbers = Numbers(language)
        self._catalogue = _catalogue(language)

    def about(self, study: str) -> Messages:
        """Give the same language for what another study says: its texts are translated if it is shipped, and
        those of no other."""
        if self._studies is None:
            return self
        made = copy.copy(self)
        made._studies = frozenset({study})
        return made

    def _lookup(self, message: str) -> str:
        return self._catalogue.gettext(message)

    def _lookup_n(self, one: str, many: str, count: int) -> str:
        return self._catalogue.ngettext(one, many, count)

    def _set(self, text: str) -> str:
        return without_gaps(text) if self.language in _WITHOUT_SPACES else text

    def say(self, message: str, /, **values: str) -> str:
        """Say a message, its placeholders filled with texts that are already in the language.

        Where the message puts a text into brackets, those of the text become square, but for paths. The
        ``{profile}`` of a sentence is quoted where it would be lost, and once where the message has quotes.

        Examples
        --------
        >>> Messages("en").say("{name} ({load})", name="25%", load="Drive (full range)")
        '25% (Drive [full range])'
        """
        return self._set(_filled(self._lookup(message), self._with_quotes(message, values)))

    def say_n(self, one: str, many: str, count: int, /, **values: str) -> str:
        """Say a message in the form that a count needs; ``{count}`` is the count."""
        message, values = self._lookup_n(one, many, count), self._with_quotes(one, values)
        return self._set(_filled(message, {"count": self.numbers.integer(count), **values}))

    def _with_quotes(self, message: str, values: dict[str, str]) -> dict[str, str]:
        """Put the profile that a sentence names into quotes where it would be lost: see :meth:`quoted`."""
        if "profile" not in values or not message.endswith("."):
            return values
        return values | {"profile": self.quoted(values["profile"])}

    def compose(self, message: str, /, **values: Inline | Text) -> Text:
        """Say a message whose placeholders are filled with inline parts: a command, a link, several links."""
        parts: list[Inline] = []
        for literal, field, _, _ in string.Formatter().parse(self._lookup(message)):
            parts.extend([literal] if literal else [])
            if field:
                value = values[field]
                parts.extend(value if isinstance(value, tuple) else (value,))
        return tuple(parts)

    def see(self, text: Text, *keys: str) -> Text:
        """Put after a text which figures and tables show what it says: their keys, in order.

        A table behind several figures is counted by itself: no range of theirs ends with it.
        """
        first, other, last = (Link("", key) for key in (keys[0], keys[-2:][0], keys[-1]))
        apart = len(keys) > 2 and keys[-2].split("-")[0] != keys[-1].split("-")[0]
        if apart and len(keys) == 3:
            pointer = self.compose("See {first}, {second}, and {last}.", first=first, second=other, last=last)
        elif apart:
            pointer = self.compose("See {first} to {last} and {table}.", first=first, last=other, table=last)
        elif len(keys) > 2:
            pointer = self.compose("See {first} to {last}.", first=first, last=last)
        elif len(keys) > 1:
            pointer = self.compose("See {first} and {last}.", first=first, last=last)
        else:
            pointer = self.compose("See {first}.", first=first)
        space = _SIGNS.get(self.language, _Signs()).space
        before = (text,) if isinstance(text, str) else text
        return (*before, space, *pointer) if text else pointer

    def quoted(self, name: str) -> str:
        """Put a name that begins with an ordinary word, or has a colon or a comma, into quotes: inside a
        sentence it would be lost. Brackets hold their commas.

        Examples
        --------
        >>> [Messages("en").quoted(name) for name in ("cache off", "Board: 2 SSDs", "C236")]
        ['“cache off”', '“Board: 2 SSDs”', 'C236']
        >>> [Messages("en").quoted(name) for name in ("Cable, 4 SSDs", "Cable (4 SSDs, RAID 0)")]
        ['“Cable, 4 SSDs”', 'Cable (4 SSDs, RAID 0)']
        """
        return self.in_quotes(name) if _lost(name) else name

    def quoted_alike(self, names: Sequence[str]) -> list[str]:
        """Put all names that one thought names into quotes where one of them has to be, else none.

        That is how it is decided everywhere in a paper whether names stand in quotes.

        Examples
        --------
        >>> Messages("en").quoted_alike(["C236", "C610"]), Messages("en").quoted_alike(["C236", "cache off"])
        (['C236', 'C610'], ['“C236”', '“cache off”'])
        """
        return [self.in_quotes(name) for name in names] if any(map(_lost, names)) else list(names)

    def in_quotes(self, name: str) -> str:
        """Put a name into the quotes of the language."""
        return self.say("“{name}”", name=name)

    def in_brackets(self, text: str, remark: str) -> str:
        """Put a remark into brackets after a text: around Japanese words they are full-width.

        Examples
        --------
        >>> Messages("ja").in_brackets("release", "95%"), Messages("ja").in_brackets("release", "最適化あり")
        ('release (95%)', 'release（最適化あり）')
        """
        remark = squared(remark)
        return f"{text}（{remark}）" if has_wide(remark) else f"{text} ({remark})"

    def remarked(self, name: str, remark: str) -> str:
        """Put what tells a name from others into brackets after it; into those that it ends with, if any.

        Examples
        --------
        >>> Messages("en").remarked("Drive", "4 kB"), Messages("en").remarked("Drive (full range)", "4 kB")
        ('Drive (4 kB)', 'Drive (full range, 4 kB)')
        """
        opened = _AT_END.search(name)
        if not opened:
            return self.say("{name} ({load})", name=name, load=remark)
        comma = _SIGNS.get(self.language, _Signs()).comma
        return f"{name[:-1]}{comma}{squared(remark)}{name[-1]}"

    def known(self, text: str) -> str:
        """Say a text of the data that the catalogue may know: what a limit is called. Else itself."""
        return self._lookup(text) if text else ""

    def of_study(self, text: str) -> str:
        """Say a text of a study or a profile: its translation where it is one that is shipped, else itself.

        What somebody called a study of their own stays, though the paper may have the same words for
        something else.
        """
        return self._lookup(text) if text in _texts_of_studies(self.language, self._studies) else text

    def titled(self, text: str) -> str:
        """Say the title of a configuration: known as it is, or made of a template of a shipped study.

        The words that fill the template are found in the title and looked up themselves. A template
        without a word of its own is one only with words that are known.
        """
        said = self.of_study(text)
        if said != text or self.language == SOURCE_LANGUAGE:
            return said
        for template in _templates(self.language, self._studies):
            found = _pattern(template).fullmatch(text)
            if found:
                words = {key: self._word(word) for key, word in found.groupdict().items()}
                if _WORD.search(_literal(template)) or self._any_known(found.groupdict().values()):
                    return self.say(template, **words)
        return text

    def _any_known(self, words: Iterable[str]) -> bool:
        known = _texts_of_studies(self.language, self._studies)
        return any(word in known or self._word(word) != word for word in words)

    def part(self, name: str) -> str:
        """Write the name of a part, with its capacity as the language writes numbers.

        Examples
        --------
        >>> Messages("de").part("Intel SSD DC P3700 1.6 TB")
        'Intel SSD DC P3700 1,6 TB'
        """
        return _CAPACITY.sub(lambda found: self._word(found[0]), name)

    def _word(self, word: str) -> str:
        """Say what fills a title of a shipped study: a word, or a number with its unit."""
        number, _, unit = word.partition(" ")
        if _DECIMAL.fullmatch(number):
            return f"{self.numbers.decimal(float(number), len(number.partition('.')[2]))} {unit}".rstrip()
        return self.of_study(word)

    def composed(self, text: str, templates: Iterable[str]) -> str:
        """Say a text that another stage made of one of these templates; itself where none fits."""
        said = self.known(text)
        if said != text or self.language == SOURCE_LANGUAGE:
            return said
        for template in templates:
            found = _pattern(template).fullmatch(text)
            if found:
                words = {key: self.part(self.known(word)) for key, word in found.groupdict().items()}
                return self.say(template, **words)
        return text

    def flow(self, sentences: Sequence[str]) -> str:
        """Put sentences one after the other; empty ones are left out."""
        return _SIGNS.get(self.language, _Signs()).space.join(text for text in sentences if text)

    def enumerated(self, items: Sequence[str]) -> str:
        """Put names beside each other: ``Database, 4 workers``; empty ones are left out."""
        return _SIGNS.get(self.language, _Signs()).comma.join(text for text in items if text)

    def linked(self, items: Sequence[Link]) -> Text:
        """Put links beside each other, apart by semicolons where one of them has commas inside.

        Examples
        --------
        >>> Messages("en").linked([Link("RAID 6, whole", "first"), Link("RAID 10", "second")])[1]
        '; '
        """
        signs = _SIGNS.get(self.language, _Signs())
        between = signs.semicolon if self._has_commas([one.text for one in items]) else signs.comma
        pairs = ((between, one) if place else (one,) for place, one in enumerate(items))
        return tuple(part for pair in pairs for part in pair)

    def gathered(self, items: Sequence[str]) -> str:
        """Put things beside each other that have commas inside; empty ones are left out."""
        return _SIGNS.get(self.language, _Signs()).semicolon.join(text for text in items if text)

    def names(self, items: Sequence[str]) -> str:
        """Put names beside each other, apart by semicolons where one of them has commas inside.

        Examples
        --------
        >>> Messages("en").names(["Database", "Restore"]), Messages("en").names(["RAID 6, whole", "RAID 10"])
        ('Database, Restore', 'RAID 6, whole; RAID 10')
        """
        return self.gathered(items) if self._has_commas(items) else self.enumerated(items)

    def _has_commas(self, items: Sequence[str]) -> bool:
        """Tell whether a list with commas would not show where an item ends; brackets hold theirs."""
        return len(items) > 1 and any(_COMMA.search(_BRACKETS.sub("", text)) for text in items)

    def order(self, text: str) -> str:
        """Give the key by which texts are put in alphabetical order: an umlaut stands with its letter."""
        apart = unicodedata.normalize("NFD", text.casefold())
        return "".join(sign for sign in apart if not unicodedata.combining(sign))

    def listed(self, items: Sequence[str]) -> str:
        """Write a list: ``4, 8, and 16``; semicolons part items that have commas inside.

        Examples
        --------
        >>> Messages("en").listed(["RAID 10, whole", "RAID 6, whole"])
        'RAID 10, whole; RAID 6, whole'
        """
        if self._has_commas(items):
            return self.gathered(items)
        from babel.lists import format_list

        return format_list(list(items), locale=self.language)

    def date(self, moment: str) -> str:
        """Write the date of a moment in ISO 8601, in one line.

        Examples
        --------
        >>> [Messages(language).date("2026-11-27") for language in ("en", "de", "ja")]
        ['27\\xa0November 2026', '27.\\xa0November 2026', '2026\\xa0年\\xa011\\xa0月\\xa027\\xa0日']
        """
        from babel.dates import format_date

        written = format_date(datetime.fromisoformat(moment.replace("Z", "+00:00")), "long", self._spelt)
        if self.language == "ja":  # as other numbers stand beside what they count
            written = re.sub(r"(?<=\d)(?=[年月日])|(?<=[年月])(?=\d)", "\N{NO-BREAK SPACE}", written)
        return re.sub(r"^(\d+\.?) ", "\\1\N{NO-BREAK SPACE}", written)

    @property
    def _spelt(self) -> str:
        """The spelling of the language: the English of papers is British, which puts the day first."""
        return "en_GB" if self.language == "en" else self.language

    def time(self, moment: str) -> str:
        """Write date and time of a moment in ISO 8601, as it was in UTC.

        Examples
        --------
        >>> Messages("en").time("2026-11-27T16:05:09Z")
        '27 Nov 2026, 16:05:09 UTC'
        """
        from babel.dates import format_datetime

        when = datetime.fromisoformat(moment.replace("Z", "+00:00"))
        return f"{format_datetime(when, 'medium', tzinfo=None, locale=self._spelt)} UTC"


def plain(text: Text) -> str:
    """Give a text without its inline parts' looks."""
    if isinstance(text, str):
        return text
    return "".join(part.text if isinstance(part, Strong | Code | Link) else part for part in text)


def languages() -> tuple[str, ...]:
    """Name the languages that have a catalogue, the source language first."""
    folder = _HERE / "locale"
    found = sorted(
        entry.name
        for entry in folder.iterdir()
        if entry.is_dir() and (entry / "LC_MESSAGES" / "iodyno.po").is_file()
    )
    return (SOURCE_LANGUAGE, *(name for name in found if name != SOURCE_LANGUAGE))


@lru_cache
def _messages(language: str) -> Catalog:
    """Read the catalogue of a language, as its translators wrote it."""
    if language not in languages():
        raise ReportError.of(
            "language", f"there is no paper in {language!r}", f"choose one of {', '.join(languages())}"
        )
    from babel.messages.pofile import read_po

    source = _HERE / "locale" / language / "LC_MESSAGES" / "iodyno.po"
    return read_po(BytesIO(source.read_bytes()), locale=language)


@lru_cache
def _catalogue(language: str) -> NullTranslations:
    if language == SOURCE_LANGUAGE:
        return NullTranslations()
    from babel.messages.mofile import write_mo

    compiled = BytesIO()
    write_mo(compiled, _messages(language))
    compiled.seek(0)
    return GNUTranslations(compiled)


@lru_cache
def _texts_of_studies(language: str, studies: frozenset[str] | None) -> frozenset[str]:
    """Give the texts of shipped studies and of the standard profiles."""
    if language == SOURCE_LANGUAGE:
        return frozenset()
    return frozenset(
        str(message.id)
        for message in _messages(language)
        if any(place.startswith((*_places(studies), PROFILES)) for place, _ in message.locations)
    )


@lru_cache
def _templates(language: str, studies: frozenset[str] | None) -> tuple[str, ...]:
    """Give the templates of titles in shipped studies, those with most letters first."""
    if language == SOURCE_LANGUAGE:
        return ()
    found = [
        str(message.id)
        for message in _messages(language)
        if "{" in message.id and any(place.startswith(_places(studies)) for place, _ in message.locations)
    ]
    return tuple(sorted(found, key=lambda text: (-len(_literal(text)), text)))


def _places(studies: frozenset[str] | None) -> tuple[str, ...]:
    """Give what the places of texts of studies begin with: of all, or of these."""
    return (STUDIES,) if studies is None else tuple(f"{STUDIES}{name}.toml" for name in studies)


def _literal(template: str) -> str:
    return "".join(literal for literal, _, _, _ in string.Formatter().parse(template))


@lru_cache(maxsize=256)
def _pattern(template: str) -> re.Pattern[str]:
    parts = string.Formatter().parse(template)
    return re.compile(
        "".join(re.escape(text) + (f"(?P<{name}>.+?)" if name else "") for text, name, _, _ in parts)
    )
