"""The jobs of a job file: sections with what the global ones before them say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from iodyno.errors import Problem, ProfileError
from iodyno.fio.lines import Section, Setting, read_job_file
from iodyno.fio.options import (
    HONOURED,
    OTHERWISE,
    canonical,
    is_harmless,
    not_honoured,
    read_setting,
)
from iodyno.fio.values import KB_BASES, hint_of


@dataclass(frozen=True)
class Job:
    """A job with the values of its options, read."""

    name: str
    place: str
    values: Mapping[str, Any]
    """By canonical name, in the order in which they were set, the last setting of each."""
    settings: Mapping[str, Setting]
    """Where each option stands, by its canonical name."""

    def get(self, name: str, default: Any = None) -> Any:
        """Give the value of an option."""
        return self.values.get(name, default)

    @property
    def kb_base(self) -> int:
        """What a k is in it: 1024 unless it says 1000."""
        base = self.settings.get("kb_base")
        return KB_BASES[base is not None and base.text == "1000"]

    def last_of(self, *names: str) -> str | None:
        """Give which of these options was set last, those of ``[global]`` before the job's own: of options
        that say one thing in two ways it is the one that counts. None where none is given."""
        return next((name for name in reversed(list(self.values)) if name in names), None)

    def place_of(self, *names: str) -> str:
        """Tell where the first of these options stands; the job itself where none of them is given."""
        return next((self.settings[name].place for name in names if name in self.settings), self.place)


@dataclass
class Findings:
    """What is wrong with a job file, and what is done otherwise than fio does it."""

    approximate: bool = False
    """Whether to go on without what is not honoured: it is a note then."""
    real: bool = True
    """Whether real targets answer: virtual ones know no permutation, and are those of a configuration."""
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def refuse(self, place: str, what: str, hint: str = "") -> None:
        """Add a problem that nothing helps against but another job file."""
        self.problems.append(Problem(place, what, hint))

    def deviate(self, place: str, what: str) -> None:
        """Add what iodyno does not honour: a problem, or a note where going on is asked for."""
        if self.approximate:
            self.note(place, f"{what}; left out on request")
        else:
            hint = "take it out, or give --approximate to go on without it"
            self.problems.append(Problem(place, what, hint))

    def note(self, place: str, what: str) -> None:
        """Add what is honoured nearly, but not as fio does it."""
        self.notes.append(f"{place}: {what}")

    def stop(self) -> None:
        """Raise every problem, each once."""
        if self.problems:
            raise ProfileError(*dict.fromkeys(self.problems))


def read_jobs(
    path: Path, findings: Findings, environment: Mapping[str, str] | None = None
) -> tuple[Job, ...]:
    """Read the jobs of a file; what is not honoured goes to the findings.

    Raises
    ------
    ProfileError
        If a line cannot be read at all, with each value of others that cannot be; or if there is no job.
    """
    shared: dict[str, Setting] = {}
    jobs: list[Job] = []
    sections, unread = read_job_file(path, environment)
    for section in sections:
        if section.is_global:
            shared = _set_by(section, shared)
        else:
            jobs.append(_job(section, _set_by(section, shared), findings))
    if unread:
        raise ProfileError(*dict.fromkeys((*unread, *findings.problems)))
    if not jobs:
        raise ProfileError.of(str(path), "has no job", "add a section [name] with the options of a job")
    return tuple(jobs)


def job_names(path: Path) -> tuple[str, ...]:
    """Give the names of the jobs of a file, each once, whatever their options say.

    Raises
    ------
    ProfileError
        If a line cannot be read at all.
    """
    sections, unread = read_job_file(path)
    if unread:
        raise ProfileError(*unread)
    return tuple(dict.fromkeys(section.name for section in sections if not section.is_global))


def _set_by(section: Section, before: Mapping[str, Setting]) -> dict[str, Setting]:
    """Give the last setting of each option, as fio takes it, in the order in which they are set."""
    found = dict(before)
    for setting in section.settings:
        found.pop(canonical(setting.name), None)
        found[canonical(setting.name)] = setting
    return found


def _job(section: Section, settings: Mapping[str, Setting], findings: Findings) -> Job:
    base = _kb_base(settings.get("kb_base"), findings)
    values: dict[str, Any] = {}
    for name, setting in settings.items():
        if name in HONOURED:
            try:
                values[name] = read_setting(setting, base)
            except ValueError as error:
                findings.refuse(setting.place, f"{setting.name}: {error}", hint_of(error))
        elif is_harmless(setting):
            continue
        elif name in OTHERWISE:
            findings.note(setting.place, f"{setting.shown}: {OTHERWISE[name]}")
        elif findings.approximate:
            findings.note(setting.place, f"{not_honoured(setting).what}; left out on request")
        else:
            findings.problems.append(not_honoured(setting))
    return Job(section.name, section.place, values, settings)


def _kb_base(setting: Setting | None, findings: Findings) -> int:
    if setting is None or setting.text == "1024":
        return KB_BASES[0]
    if setting.text == "1000":
        return KB_BASES[1]
    findings.refuse(setting.place, f"{setting.shown} is not 1000 or 1024", "write one of them")
    return KB_BASES[0]
