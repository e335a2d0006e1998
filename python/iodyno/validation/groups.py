"""Every row of the papers in exactly one group, and what is not modelled, said plainly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from iodyno.fitting.answered import ANSWERS
from iodyno.fitting.published import Figure
from iodyno.validation import catalogue, method
from iodyno.validation.tables import STATEMENTS

Group = Literal["figure", "statement", "catalogue", "method", "setting", "rule", "not modelled"]
"""A figure that is simulated; a statement that simulated figures decide; a limit or rule of the catalogue;
a definition of the method; a setting of the system under test that a study or a part has; a rule of the paper
that nothing of the lab is compared with; or nothing."""


@dataclass(frozen=True)
class Rows:
    """Rows of a paper that are alike."""

    prefix: str
    first: int
    last: int
    what: str

    def __contains__(self, figure: Figure) -> bool:
        return figure.prefix == self.prefix and self.first <= figure.number_in_document <= self.last


SETTINGS: tuple[Rows, ...] = (
    Rows("p3700", 37, 40, "definitions of throughput, latency and units: laws of every reading"),
    Rows("p3700", 41, 54, "host, drives, file, software and settings under test: systems and study p3700"),
    Rows("p3700", 75, 75, "capacity compared: configurations of the study"),
    Rows("p3700", 118, 118, "measured area: configurations of the study"),
    Rows("p3700", 120, 120, "area of each process: configurations of the study"),
    Rows("raid", 1, 2, "units"),
    Rows("raid", 232, 240, "areas, workers, raw device, strip and drive cache: study raid-controllers"),
    Rows("raid", 263, 265, "cache modes used: configurations of the study"),
    Rows("raid", 306, 306, "drives used: configurations of the study"),
    Rows("raid", 312, 312, "processor under test: system of the study"),
    Rows("raid", 321, 321, "why 67 % read is compared: a profile of the study"),
    Rows("raid", 330, 331, "classes of load: how the rows below are read"),
    Rows("primequest", 1, 1, "units"),
    Rows("primequest", 153, 163, "controllers, drives, areas, workers and settings: study primequest-2800e3"),
    Rows("primequest", 191, 191, "what a cell is: how the study is read"),
    Rows("nvme", 7, 13, "host and drives under test: system of the study"),
)

RULES: tuple[Rows, ...] = (
    Rows("raid", 284, 284, "seven times what the paper has of one disk: the lab's array is raid-286"),
    Rows(
        "raid", 297, 302, "RAID 10 and 5 against RAID 0 by shares of reads and writes: the lab's are raid-303"
    ),
    Rows("primequest", 190, 190, "the least limit counts: the bounds that every simulated point keeps"),
)

_ADVICE = "block size up to which Fast Path optimum is recommended: advice, no limit of a controller"
NOT_MODELLED: tuple[Rows, ...] = (
    Rows("p3700", 2, 2, "endurance in years"),
    Rows("p3700", 8, 8, "the switch board of rack servers with 2.5 inch P3700"),
    Rows("p3700", 11, 11, "temperature and throttling"),
    Rows(
        "raid", 45, 46, "expanders as a source of bandwidth, and hosts in general: said of no configuration"
    ),
    Rows("raid", 200, 200, _ADVICE),
    Rows("raid", 210, 213, "unaligned access, and the emulation of sectors of 512 bytes"),
    Rows(
        "raid", 285, 285, "rules of estimation, where no configuration is named: see the rows that apply them"
    ),
    Rows(
        "raid", 313, 313, "rules of estimation, where no configuration is named: see the rows that apply them"
    ),
    Rows("raid", 348, 348, "controllers of the generation before (SAS 6G)"),
    Rows("raid", 355, 355, "controllers of the generation before (SAS 6G)"),
    Rows("primequest", 2, 11, "boards, memory and power supplies of the server"),
    Rows("primequest", 12, 75, "caches, interconnect, memory speed and power of processors"),
    Rows("primequest", 76, 95, "memory modules and turbo mode"),
    Rows("primequest", 96, 135, "processor benchmarks and their certificates"),
    Rows("primequest", 193, 193, _ADVICE),
    Rows("primequest", 198, 220, "the business benchmark, its hardware and its certificate"),
)


def claims(figure: Figure) -> list[Group]:
    """List every group that answers a row: never more than one."""
    answered = {
        "figure": figure.id in ANSWERS,
        "statement": figure.id in STATEMENTS,
        "method": method.answers(figure),
        "catalogue": catalogue.rule_of(figure) is not None,
    }
    rest = [
        name
        for name, tables in (("setting", SETTINGS), ("rule", RULES), ("not modelled", NOT_MODELLED))
        if not any(answered.values()) and any(figure in rows for rows in tables)
    ]
    return [name for name, claimed in answered.items() if claimed] + rest  # type: ignore[return-value]


def group_of(figure: Figure) -> Group:
    """Give the group of a row.

    Raises
    ------
    KeyError
        If it is in none, or in several.
    """
    found = claims(figure)
    if len(found) != 1:
        raise KeyError(_misplaced(figure, found))
    return found[0]


def unanswered(figures: Mapping[str, Figure]) -> list[str]:
    """List the rows that are in no group, or in several, in words."""
    wrong = []
    for figure in figures.values():
        found = claims(figure)
        if len(found) != 1:
            wrong.append(_misplaced(figure, found))
    return wrong


def _misplaced(figure: Figure, found: list[Group]) -> str:
    where = f"{figure.section}, {figure.system}, {figure.metric}"
    return f"{figure.id} is in {' and '.join(found) or 'no group'}: {where}"


def summaries(figures: Mapping[str, Figure], tables: tuple[Rows, ...]) -> Iterator[tuple[str, list[str]]]:
    """Yield each text of a table with the ids of its rows that no other group answers."""
    kinds: dict[tuple[Rows, ...], Group] = {SETTINGS: "setting", RULES: "rule", NOT_MODELLED: "not modelled"}
    wanted = kinds[tables]
    rest = {figure.id: figure for figure in figures.values() if group_of(figure) == wanted}
    texts: dict[str, list[str]] = {}
    for rows in tables:
        mine = [name for name, figure in rest.items() if figure in rows]
        for name in mine:
            texts.setdefault(rows.what, []).append(name)
            del rest[name]
    yield from texts.items()
