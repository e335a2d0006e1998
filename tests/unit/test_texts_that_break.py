"""Where names break in any case, what stands beside them stays in a line."""

from __future__ import annotations

from iodyno.report.columns import fit, text_widths
from iodyno.report.document import Cell, Column, Table

HEADS = ("Konfiguration", "Dateikopie", "Dateiserver", "Datenbank", "Streaming", "Wiederherstellung")


def limits(*names: str, cells: tuple[str, ...]) -> Table:
    rows = tuple((Cell(name, strong=True), *map(Cell, cells)) for name in names)
    return Table(tuple(map(Column, HEADS)), rows, "Was begrenzt", "t")


def broken(table: Table) -> dict[str, int]:
    """Count the texts of each column that are wider than it, without what is free around it."""
    found = fit(table)
    last = len(table.columns) - 1
    return {
        column.title: sum(
            text_widths(row[place].text, found.size, bold=row[place].strong)[0]
            > found.widths[place] - found.padding * ((place > 0) + (place < last))
            for row in table.rows
        )
        for place, column in enumerate(table.columns)
    }


def test_where_names_break_no_other_text_does() -> None:
    """All texts of four columns broke between a word and its share, in rows that the name made as high."""
    cells = ("Medium 100 %", "Hostanbindung 100 %", "Controller 100 %", "Hostanbindung 100 %", "Medium 98 %")
    levels = (0, 1, 5, 6, 10, 50)
    names = [
        f"PRAID EP4{n}0i (24 SAS-SSDs, RAID {level}, Fast Path optimum)" for n in (0, 2) for level in levels
    ]
    counts = broken(limits(*names, cells=cells))
    assert counts.pop(HEADS[0]) == len(names)
    assert not any(counts.values()), counts


def test_what_is_left_of_the_width_goes_where_most_texts_break_for_little() -> None:
    """One long text has to break in each row; the short ones had too, for an even share of the rest."""
    long = "Befehlsverarbeitung des Laufwerks und Verbindungen zum Host, beide mit 100 %"
    cells = ("Medium 100 %", "Controller 100 %", "Medium 100 %", "Controller 100 %", long)
    counts = broken(limits(*(f"PRAID EP4{n}0i, RAID 10" for n in range(9)), cells=cells))
    assert counts == dict.fromkeys(HEADS, 0) | {HEADS[-1]: 9}
