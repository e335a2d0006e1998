"""What is known of the system under test: facts in sections, each known or said to be missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeAlias

from pydantic import Field

from iodyno.profiles import Record
from iodyno.system.host import Missing

SYSTEM_SCHEMA = 1

Value: TypeAlias = bool | int | float | str
_UNITS = {"us": "µs", "degC": "°C"}


class TargetLike(Protocol):
    """What of a target is looked at here; ``iodyno.targets.Target`` has it."""

    @property
    def path(self) -> str:
        """Absolute path of the file or block device."""

    @property
    def kind(self) -> str:
        """``file`` or ``device``."""

    @property
    def device(self) -> str | None:
        """Kernel name of the whole block device behind it; none on a file system without one."""

    @property
    def partition(self) -> str | None:
        """Kernel name of the partition behind it; none where it is the whole device."""

    @property
    def file_system(self) -> str | None:
        """Type of the file system that a file is on."""

    @property
    def mount_options(self) -> object:
        """Mount options of that file system, as text or as a sequence of texts."""


class Fact(Record):
    """One thing about the system, or why it could not be read.

    Examples
    --------
    >>> Fact(code="capacity", value=512_110_190_592, unit="bytes_base10").text
    '512.1 GB'
    >>> Fact(code="dimm_speed", unit="MT/s", missing="needs root").text
    'needs root'
    """

    code: str
    """Stable name; its English label is in ``FACT_LABELS``."""
    value: Value | None = None
    """What was read; none where it is missing."""
    unit: str = ""
    """Unit of the value: ``bytes`` are shown base 2, ``bytes_base10`` (drives) base 10."""
    missing: str = ""
    """Why there is no value: one of ``MISSING_REASONS``; empty where there is one."""

    @property
    def text(self) -> str:
        """The value in English with its unit, or why there is none."""
        if self.value is None:
            return self.missing
        if isinstance(self.value, bool):
            return "yes" if self.value else "no"
        if self.unit in ("bytes", "bytes_base10"):
            return _size(float(self.value), 1024 if self.unit == "bytes" else 1000)
        number = f"{self.value:g}" if isinstance(self.value, float) else str(self.value)
        return f"{number} {_UNITS.get(self.unit, self.unit)}".rstrip()


def _size(size_bytes: float, base: int) -> str:
    power = 0
    while size_bytes >= base and power < 4:
        size_bytes /= base
        power += 1
    digits = 1 if power and size_bytes != int(size_bytes) else 0
    return f"{size_bytes:.{digits}f} {('bytes', 'kB', 'MB', 'GB', 'TB')[power]}"


class Section(Record):
    """Facts about one thing: the processor, one drive, the file system of one target."""

    code: str
    """Stable name; its English label is in ``SECTION_LABELS``."""
    subject: str = ""
    """Which of several: kernel name of a device, path of a target; empty where there is one."""
    facts: tuple[Fact, ...] = ()

    def get(self, code: str) -> Fact | None:
        """Find a fact of this section."""
        return next((fact for fact in self.facts if fact.code == code), None)

    def value(self, code: str) -> Value | None:
        """Give the value of a fact; none where it is missing or not asked for."""
        fact = self.get(code)
        return fact.value if fact else None


class System(Record):
    """The system under test, as far as it could be read."""

    system_schema: int = SYSTEM_SCHEMA
    read_at: str = ""
    """When it was read: UTC, ISO 8601."""
    sections: tuple[Section, ...] = Field(default=())

    def all(self, section: str) -> Iterator[Section]:
        """Yield every section of a code: one for each device, say."""
        return (item for item in self.sections if item.code == section)

    def get(self, section: str, fact: str, subject: str | None = None) -> Fact | None:
        """Find a fact.

        Parameters
        ----------
        section, fact
            Their codes.
        subject
            Which of several sections; the first that has the fact where left out.

        Examples
        --------
        >>> os = Section(code="os", facts=(Fact(code="kernel", value="6.12.0"),))
        >>> System(sections=(os,)).get("os", "kernel").value
        '6.12.0'
        """
        for item in self.all(section):
            if subject is None or item.subject == subject:
                found = item.get(fact)
                if found:
                    return found
        return None

    def value(self, section: str, fact: str, subject: str | None = None) -> Value | None:
        """Give the value of a fact; none where it is missing or unknown."""
        found = self.get(section, fact, subject)
        return found.value if found else None


def known(code: str, produce: Callable[[], Value], unit: str = "") -> Fact:
    """Make a fact of what ``produce`` gives, or of why it could not."""
    try:
        return Fact(code=code, value=produce(), unit=unit)
    except Missing as missing:
        return Fact(code=code, unit=unit, missing=missing.reason)


def first(*ways: Callable[[], Value]) -> Callable[[], Value]:
    """Try several ways to a value in turn; the reason of the first is given when all fail."""

    def produce() -> Value:
        reasons: list[Missing] = []
        for way in ways:
            try:
                return way()
            except Missing as missing:
                reasons.append(missing)
        raise reasons[0]

    return produce


def joined(values: Iterable[str]) -> str:
    """Write distinct values in order, with commas between them."""
    return ", ".join(dict.fromkeys(values))
