"""The template of the message catalogues, and the catalogues in step with it: every message of the paper.

``python -m iodyno.report.extraction`` writes ``locale/iodyno.pot`` and brings every language's ``iodyno.po``
up to date: new messages are there, without a translation, and those that are gone are gone. A test tells when
that is due, and another what is to be translated. A language starts with ``pybabel init``.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from datetime import datetime, timezone
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from iodyno.conditioned import LOSSES
from iodyno.profiles import STANDARD_LOADS, LoadProfile
from iodyno.report.messages import PROFILES, SOURCE_LANGUAGE, STUDIES, languages
from iodyno.study import Configuration, load_study, shipped
from iodyno.system import FACT_LABELS, MISSING_REASONS, SECTION_LABELS
from iodyno.verdict import CAUSES, SIMULATED_CAUSES

KEYWORDS = {"say": None, "compose": None, "N_": None, "say_n": (1, 2)}
"""Functions whose texts are messages; two of ``say_n`` are one with its plural."""
_LETTERS = re.compile(r"[a-z]{3}|\bSSDs?\b").search
FOLDER = Path(__file__).parent
TEMPLATE = FOLDER / "locale" / "iodyno.pot"
_MADE = datetime(2026, 1, 1, tzinfo=timezone.utc)
"""Always the same: the template changes with the messages and not with the day."""


def catalogue() -> Catalog:
    """Gather the messages as the sources are now: each once."""
    gathered = Catalog(
        project="iodyno",
        version="1",
        copyright_holder="the iodyno authors",
        creation_date=_MADE,
        charset="utf-8",
    )
    gathered.header_comment = "# Messages of the iodyno papers."
    for file, message in messages():
        gathered.add(message, locations=[(file, 1)] if file else [])
    return gathered


def template() -> str:
    """Write the template."""
    return _written(catalogue())


def catalogue_path(language: str) -> Path:
    """Name the catalogue of a language."""
    return FOLDER / "locale" / language / "LC_MESSAGES" / "iodyno.po"


def in_step(language: str) -> str:
    """Write the catalogue of a language with the messages of the template.

    A message that has changed is a new one: no translation is guessed from what another said.
    """
    with catalogue_path(language).open("rb") as opened:
        kept = read_po(opened, locale=language)
    kept.update(catalogue(), no_fuzzy_matching=True, update_creation_date=False)
    return _written(kept)


def _written(gathered: Catalog) -> str:
    written = BytesIO()
    write_po(written, gathered, width=100, include_lineno=False, sort_output=True, ignore_obsolete=True)
    return written.getvalue().decode()


def messages() -> Iterator[tuple[str, str | tuple[str, ...]]]:
    """Yield file and message: those of the sources, then texts of data that the paper looks up."""
    for source in sorted(FOLDER.rglob("*.py")):
        with source.open("rb") as opened:
            for _, message, _, _ in extract("python", opened, KEYWORDS):
                yield source.relative_to(FOLDER).as_posix(), message
    for load in STANDARD_LOADS.values():
        yield from ((PROFILES, text) for text in _texts_of(load.profile) if text)
    yield from _of_studies()
    for text in (
        *SECTION_LABELS.values(),
        *FACT_LABELS.values(),
        *MISSING_REASONS,
        *CAUSES.values(),
        *SIMULATED_CAUSES.values(),
        *LOSSES.values(),
    ):
        yield "", text


def _of_studies() -> Iterator[tuple[str, str]]:
    """Yield the texts of the studies that are shipped, and the words that fill titles of configurations."""
    for name in shipped():
        study = load_study(name)
        texts = [study.title, study.question]
        texts += [text for sweep in study.sweep for text in (sweep.title, sweep.description)]
        texts += [part.title for sweep in study.sweep for part in sweep.chart.part]
        texts += [compare.title for sweep in study.sweep for compare in sweep.chart.compare]
        for profile in study.profile:
            texts += _texts_of(profile)
        for configuration in study.configuration:
            texts += [configuration.title, configuration.description, *_words(configuration)]
        yield from ((f"{STUDIES}{name}.toml", text) for text in texts if text not in ("", "{shown}"))


def _texts_of(profile: LoadProfile) -> tuple[str, str, str]:
    return profile.title, profile.stands_for, profile.assumed


def _words(configuration: Configuration) -> Iterator[str]:
    """Yield the words of ``each`` that its title shows and that are not numbers alone."""
    shown = {field for _, field, _, _ in string.Formatter().parse(configuration.title) if field}
    for key, choices in configuration.each.items():
        for choice in choices:
            words = choice if isinstance(choice, dict) else {key: choice}
            told = (word for name, word in words.items() if name in shown)
            yield from (word for word in told if isinstance(word, str) and _LETTERS(word))


if __name__ == "__main__":
    TEMPLATE.write_text(template(), encoding="utf-8")
    for name in languages():
        if name != SOURCE_LANGUAGE:
            catalogue_path(name).write_text(in_step(name), encoding="utf-8")
