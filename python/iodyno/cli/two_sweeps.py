"""What a run's study sets one sweep against another for, as tables and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from iodyno.plan import Plan
    from iodyno.report.document import Cell, Table, Text
    from iodyno.store.records import StoredRun


def sets_sweeps_against_others(plan: Plan) -> bool:
    """Tell whether the study of a plan sets a sweep against another one."""
    return any(
        compare.get("to_sweep")
        for sweep in plan.study_source.get("sweep") or ()
        for compare in (sweep.get("chart") or {}).get("compare") or ()
    )


def print_comparisons(out: Console, stored: StoredRun) -> None:
    """Print each comparison of a sweep with another one: the table of the paper, and its words."""
    if not stored.results or not sets_sweeps_against_others(stored.run.plan):
        return
    from iodyno.analysis.compared_rows import comparisons_of
    from iodyno.analysis.run import analyse
    from iodyno.report.context import Context
    from iodyno.report.plain import ENGLISH
    from iodyno.report.sections import two_sweeps

    context = Context(stored, analyse(stored), ENGLISH)
    for sweep, compare in comparisons_of(stored):
        if not compare.get("to_sweep"):
            continue
        pairs = two_sweeps.found_pairs(context, sweep, compare)
        for made in two_sweeps.tables(context, sweep, compare, pairs, ""):
            _print_table(out, made)
        left_out = two_sweeps.left_out(context, sweep, compare)
        for said in (*two_sweeps.texts(context, pairs), *([left_out] if left_out else [])):
            _print_text(out, said)


def _print_text(out: Console, said: Text) -> None:
    from iodyno.report.messages import plain

    out.print(plain(said), markup=False, highlight=False)


def _print_table(out: Console, made: Table) -> None:
    """Print a table, each part of it that has a heading below that."""
    from iodyno.cli.console import table

    out.print()
    out.print(made.caption, style="bold", markup=False)
    columns = [
        (f"{column.title} ({column.unit})" if column.unit else column.title, column.align)
        for column in made.columns
    ]
    title = ""
    part: list[tuple[Cell, ...]] = []
    for row in (*made.rows, ()):
        if len(row) > 1:
            part.append(row)
            continue
        if part:
            out.print(table(columns, [[_text(cell) for cell in one] for one in part], title=title))
        title, part = (_text(row[0]) if row else ""), []


def _text(cell: Cell) -> str:
    from iodyno.report.messages import plain

    return plain(cell.text)
