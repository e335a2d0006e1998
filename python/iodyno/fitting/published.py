"""The published figures: rows of four papers, each with an id that stays.

The id is the document's prefix and the running number of the row within its document.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Literal

from iodyno.profiles import Record

Kind = Literal["measured", "computed", "limit", "ratio", "qualitative"]

PREFIXES: Mapping[str, str] = {
    "P3700": "p3700",
    "RAID controllers 2016": "raid",
    "PRIMEQUEST 2800E3": "primequest",
    "NVMe host connections": "nvme",
}
TITLES: Mapping[str, str] = {
    "p3700": "Fujitsu, White Paper, Performance Report PCIe SSDs P3700, version 1.0b, 2016-03-24",
    "raid": "Fujitsu, White Paper, RAID Controller Performance 2016, version 1.0d, 2016-08-29",
    "primequest": "Fujitsu, White Paper, Performance Report PRIMEQUEST 2800E3, version 1.0, 2016-06-07",
    "nvme": "Lenovo Press, Comparing the Effect of PCIe Host Connections on NVMe Drive Performance (LP0865), "
    "2018-04-13",
}
"""What to cite, by prefix."""


class Figure(Record):
    """A published figure or statement."""

    id: str
    """``raid-247``: prefix of the document and number of the row in it, from 1."""
    document: str
    section: str
    system: str
    configuration: str
    profile: str
    outstanding: str
    """As printed: ``512``, ``max of 1-512``, ``1 per SSD``."""
    metric: str
    value: str
    """As printed: a number, a range, a word."""
    unit: str
    kind: Kind
    """Measured or computed by the paper, a limit, a ratio, or a statement."""

    @property
    def number(self) -> float:
        """The value as a number.

        Raises
        ------
        ValueError
            If it is none.
        """
        return float(self.value)

    @property
    def prefix(self) -> str:
        """Prefix of the document: ``raid``."""
        return self.id.partition("-")[0]

    @property
    def number_in_document(self) -> int:
        """Running number of the row in its document, from 1."""
        return int(self.id.partition("-")[2])


def parse(text: str) -> tuple[Figure, ...]:
    """Read rows of CSV and number them.

    Parameters
    ----------
    text
        CSV with a header: document, section, system, configuration, profile, outstanding, metric,
        value, unit, kind; an ``id`` where there is one stays, also where rows stand before it that were
        added later. A row without one is the next of its document.

    Raises
    ------
    ValueError
        If two rows have the same id, or one has that of another document.
    """
    last: Counter[str] = Counter()
    found: dict[str, Figure] = {}
    for row in csv.DictReader(io.StringIO(text)):
        prefix = PREFIXES[row["document"]]
        figure = Figure.model_validate({**row, "id": row.get("id") or f"{prefix}-{last[prefix] + 1:03d}"})
        if figure.prefix != prefix or figure.id in found:
            raise ValueError(f"{figure.id} is there twice, or not of {row['document']}")
        last[prefix] = max(last[prefix], figure.number_in_document)
        found[figure.id] = figure
    return tuple(found.values())


@cache
def figures() -> Mapping[str, Figure]:
    """Give every published figure by its id, in the order of the papers."""
    file = resources.files("iodyno").joinpath("catalog").joinpath("published").joinpath("figures.csv")
    return {figure.id: figure for figure in parse(file.read_text("utf-8"))}
