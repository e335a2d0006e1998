"""``python -m iodyno.validation``: writes the generated part of the validation page, or checks a sample.

Without options every figure and statement is simulated anew, some minutes, and the page written, with the
record that papers read. A page elsewhere is written alone, and made where it is not there. With ``--check``
some figures and statements, what is told of some that are out of reach, and all that others measured, are
simulated and must be on the page and in the record as they come out: the seeds are fixed.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from pathlib import Path

from iodyno.catalog.shelf import shipped
from iodyno.fitting.answered import ANSWERS
from iodyno.fitting.answers import At, Best, Curves
from iodyno.fitting.curves import Curve, Outcome, Series
from iodyno.fitting.fit import FIT_IOS
from iodyno.fitting.lab import Lab, loads_of
from iodyno.fitting.published import figures
from iodyno.validation import others_page, record
from iodyno.validation.comparing import compare, compared, decide
from iodyno.validation.groups import unanswered
from iodyno.validation.others import others, told
from iodyno.validation.out_of_reach import TELLINGS, unreached
from iodyno.validation.page import put, row, section, statement_row
from iodyno.validation.statements import Statement
from iodyno.validation.tables import STATEMENTS
from iodyno.validation.unreached import Sources

PAGE = Path("docs/validation.md")
SAMPLE = 12
"""Figures that a check simulates anew."""
STATEMENTS_ASKED = 6
"""Statements that a check decides anew."""
LIGHT = ("single-", "iodrive2", "direct-1")
"""Beginnings of the configurations that a check takes its sample from: one drive, milliseconds a point."""


def write(page: Path) -> tuple[Path, ...]:
    """Simulate everything, write the page and, with that of the sources, the record, and give the files."""
    lab = Lab(ios=FIT_IOS)
    lab.ask(lab.need(answer.expression for answer in ANSWERS.values()))
    found = compare(figures(), lab.curves)
    measured = told(others())
    beyond = unreached(Sources(lab.curves, figures(), shipped()))
    text = section(figures(), found, decide(figures(), lab.curves), measured, beyond, shipped())
    page.write_text(put(page.read_text("utf-8") if page.exists() else "", text).lstrip(), "utf-8")
    if not _of_the_sources(page):
        return (page,)
    record.PATH.write_text(record.text(found, others(), measured), "utf-8")
    return page, record.PATH


def _of_the_sources(page: Path) -> bool:
    return page.resolve() == PAGE.resolve()


def refused(page: Path, *, checked: bool) -> str:
    """Say why a page cannot be written or checked; nothing where it can."""
    needed = [record.PATH] if checked or _of_the_sources(page) else []
    needed += [page] if checked or _of_the_sources(page) else [page.parent]
    missing = next((path for path in needed if not path.exists()), None)
    if missing is not None:
        return f"{missing} is not there: run this in the folder of the sources, or write another page"
    return f"{page} is a folder: name a file" if page.is_dir() else ""


def check(page: Path) -> list[str]:
    """List the rows of a sample that are not on the page, or in the record, as simulated now."""
    return not_in(page, sampled_rows())


def sampled_rows() -> list[str]:
    """Simulate what a check looks at, and give its rows: of figures, statements and what is out of reach a
    sample, and of what others measured all."""
    lab = Lab(ios=FIT_IOS)
    names = sample()
    lab.ask(lab.need(ANSWERS[name].expression for name in names))
    found = [compared(figures()[name], ANSWERS[name], lab.curves) for name in names]
    measured = told(others())
    decided = decide({name: figures()[name] for name in light_statements()}, lab.curves)
    rows = [*map(row, found), *map(others_page.row, measured), *others_page.summary(measured)]
    rows += [*light_tellings(lab.curves), *map(statement_row, decided)]
    return [*rows, *record.text(found, others(), measured).splitlines()]


def not_in(page: Path, rows: list[str]) -> list[str]:
    """List the rows that neither the page nor the record has."""
    there = {*page.read_text("utf-8").splitlines(), *record.PATH.read_text("utf-8").splitlines()}
    return [line for line in rows if line not in there]


def sample() -> list[str]:
    """Give the figures that a check simulates: single drives, evenly out of all of them."""
    light = [
        name
        for name, answer in ANSWERS.items()
        if isinstance(answer.expression, At | Best)
        and all(_is_light(series) for series, _ in answer.expression.parts())
    ]
    return light[:: max(1, len(light) // SAMPLE)]


def _is_light(series: Series) -> bool:
    return series.configuration.startswith(LIGHT) and "hdd" not in series.configuration


def light_statements() -> list[str]:
    """Give the statements that a check decides: of single drives, evenly out of all of them."""
    light = [name for name, statement in STATEMENTS.items() if _looks_at_light(statement)]
    return light[:: max(1, len(light) // STATEMENTS_ASKED)]


def light_tellings(simulated: Curves) -> list[str]:
    """Give what is told of what is out of reach where that looks at single drives, or at no simulation."""

    def curves(series: Series) -> Curve:
        if not _is_light(series):
            raise _HeavyError(str(series))
        return simulated(series)

    found: list[str] = []
    for telling in TELLINGS:
        with suppress(_HeavyError):
            found += telling(Sources(curves, figures(), shipped())).lines()
    return found


class _HeavyError(LookupError):
    """A statement, or what is told, looks at what takes long to simulate."""


def _looks_at_light(statement: Statement) -> bool:
    def curves(series: Series) -> Curve:
        if not _is_light(series):
            raise _HeavyError(str(series))
        return {load: Outcome(float(load), float(load), 1.0) for load in loads_of(series)}

    # Rates that are all alike show no threshold; what was to be looked at is known by then.
    with suppress(AssertionError):
        try:
            statement.check(curves)
        except _HeavyError:
            return False
    return True


def main() -> int:
    """Write the page, or check it."""
    parser = argparse.ArgumentParser(prog="python -m iodyno.validation", description=__doc__)
    parser.add_argument("page", nargs="?", type=Path, default=PAGE)
    parser.add_argument("--check", action="store_true", help="write nothing, simulate a sample and compare")
    options = parser.parse_args()
    if what := refused(options.page, checked=options.check):
        parser.error(what)
    if rows := unanswered(figures()):
        parser.error("these published rows are not in one group each:\n" + "\n".join(rows))
    if not options.check:
        sys.stdout.write(f"wrote {' and '.join(map(str, write(options.page)))}\n")
        return 0
    stale = check(options.page)
    for line in stale:
        sys.stderr.write(f"not on {options.page}, nor in {record.PATH.name}: {line}\n")
    if stale:
        sys.stderr.write("the page is out of date: run python -m iodyno.validation\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
