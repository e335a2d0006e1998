"""The record of the comparison, a row a figure: papers say by it how close the model is to their parts."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from iodyno.analysis.closeness import COLUMNS, RECORD
from iodyno.catalog.resolve import resolve
from iodyno.fitting.lab import configuration_of, spec_of
from iodyno.validation.comparing import Compared
from iodyno.validation.others import Others, Told
from iodyno.virtual import VirtualController, VirtualSystem

PATH = Path("python/iodyno/catalog/published") / RECORD


def text(compared: Sequence[Compared], others: Others, told: Sequence[Told]) -> str:
    """Write the record: every figure of the papers that is simulated, then what others measured."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(_papers(compared))
    writer.writerows(_others(others, told))
    return file.getvalue()


def _papers(compared: Iterable[Compared]) -> Iterator[tuple[str, ...]]:
    for one in compared:
        series = dict.fromkeys(series for series, _ in one.answer.expression.parts())
        systems = [resolve(spec_of(configuration_of(item))) for item in series]
        yield (one.figure.id, one.use, *_parts(systems), f"{one.error:.6f}")


def _others(others: Others, told: Iterable[Told]) -> Iterator[tuple[str, ...]]:
    specs = {one.name: one for one in others.system}
    for one in told:
        system = resolve(specs[one.figure.system], where=one.figure.id)
        yield (one.figure.id, "others", *_parts([system]), f"{one.error:.6f}")


def _parts(systems: Sequence[VirtualSystem]) -> tuple[str, str]:
    """Name the drives, controllers and switches that figures are of: no controller that joins no drives."""
    drives = (slot.name for system in systems for slot in system.drives)
    controllers = (item.name for system in systems for item in system.controllers if _joins(item))
    switches = (item.name for system in systems for item in system.switches)
    return "; ".join(dict.fromkeys(drives)), "; ".join(dict.fromkeys((*controllers, *switches)))


def _joins(controller: VirtualController) -> bool:
    return any(len(logical.array.drives) > 1 for logical in controller.logicals)
