"""Where names break in any case, what stands beside them stays in a line."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from iodyno.report import pdf
from iodyno.report.document import Cell, Column, Table
from iodyno.report.layout.columns import fit, text_widths, with_whole_words
from iodyno.report.layout.metrics import text_width
from pdf_texts import read, small

SHY = re.compile("\u00ad")
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


def test_letters_are_smaller_where_japanese_would_break_into_more_lines_than_read_easily(
    tmp_path: Path,
) -> None:
    """Rows of hosts had four lines in large letters, where three were estimated."""
    programs = (
        "Windows、RAW デバイス、MegaRAID ドライバ",
        "Windows、RAW デバイス、オンボードのソフトウェア RAID",
    )
    processors, servers = ("2 × Intel Xeon E5-2660 v3", "Intel Xeon E3-1240 v3"), ("PRIMERGY RX2560 M1", "–")
    rows = tuple(
        tuple(map(Cell, (f"ホスト\xa0{row}", processor, "2.6 GHz", program, "20", server, "6")))
        for row, (processor, program, server) in enumerate(zip(processors, programs, servers, strict=True))
    )
    left = "ホスト", "プロセッサ", "設定が保つクロック周波数", "ホストのソフトウェア"
    columns = (
        *map(Column, left),
        Column("プロセッサのコア数", "right"),
        Column("サーバ"),
        Column("システム", "right"),
    )
    table = Table(columns, rows * 3, "ホスト", "t")
    boxes = read(pdf.render(replace(small(table), language="ja")), tmp_path, "-bbox")
    rows_at, lines_at = tops_of(boxes, "2.6"), tops_of(boxes, "Windows|RAW|デバイス|オンボード|ソフト")
    assert len(rows_at) == 6
    for above, below in pairwise(rows_at):
        assert 1 <= len([line for line in lines_at if above - 2 < line < below - 2]) <= 3


def tops_of(boxes: str, word: str) -> list[float]:
    """Give how far down words are that begin so, each line once."""
    found = re.findall(rf'yMin="([\d.]+)"[^>]*>(?:{word})', boxes)
    return sorted({round(float(top), 1) for top in found})


def side_by_side(*rows: str) -> Table:
    """Make a table of configurations beside each other, as a German paper has it."""
    figures = "Niedrigste Last;Latenz;Maximum;Inter\xadvall;Bei aus\xadstehenden I/Os;Latenz;99 %;Quotient"
    columns = (Column(head, "right") for head in figures.split(";"))
    cells = (row.split(";") for row in rows)
    return Table(
        (Column("Konfigu\xadration"), *columns, Column("Engpass")),
        tuple((Cell(name, strong=True), *map(Cell, others)) for name, *others in cells),
        "was",
        "t",
    )


def test_the_head_of_the_names_is_not_broken_within_its_word() -> None:
    """Above short names it was "Konfigu-" and "ration"."""
    table = side_by_side(
        "RAID 0;7.854;0,127;248.100;±0,2 %;32;0,129;0,134;–;Host",
        "RAID 10;7.255;0,138;142.800;<±0,1 %;32;0,224;0,226;0,576 (0,575–0,577);Controller",
    )
    found = fit(table)
    assert found.widths[0] - found.padding >= text_width("Konfiguration", found.size, bold=True)


def test_letters_are_smaller_where_a_name_would_have_three_lines() -> None:
    """One row of four was three lines high for it, and the letters were those of figures that fit easily."""
    table = side_by_side(
        "P3700 800 GB;3.566;0,280;27.860;±0,4 %;128;4,59;9,54;–;Medium",
        "SAS-12G-Festplatte 450 GB (15.000 U/min);415;2,41;729*;±1,2 %;128;175;837;0,0262 (0,0259–0,0265);"
        "Medium",
        "SAS-12G-SSD 400 GB;1.912;0,523;7.621;±0,6 %;32;4,20;7,95;0,274 (0,272–0,276);Medium",
        "ioDrive2 1,2 TB;5.184;0,193;17.900;±0,1 %;128;7,15;9,27;0,643 (0,640–0,645);Medium",
    )
    found = fit(table)
    room = found.widths[0] - found.padding
    pieces = ("SAS-12G-Festplatte 450\xa0GB", "(15.000\xa0U/min)")  # as the words fall into two lines
    assert all(text_width(piece, found.size, bold=True) <= room for piece in pieces)


def states(*names: str) -> Table:
    heads = ("Punkte", "einge\u00adschwungen", "begrenzt*", "nicht einge\u00adschwungen†")
    rows = tuple((Cell(name, strong=True), Cell("330"), Cell("258"), Cell("72"), Cell("–")) for name in names)
    return Table((Column("Abschnitt"), *(Column(head, "right") for head in heads)), rows, "Bewertungen", "t")


def test_words_of_a_head_are_whole_where_that_costs_no_line(tmp_path: Path) -> None:
    """It was "einge-" and "schwungen" although the letters had been small enough for both whole."""
    table = states(
        "Anteil der Kapazität unter Last: die Standard-Lastprofile und die ganze Kapazität",
        "Vier Prozesse auf dem ganzen Bereich: die Werte des Datenblatts",
    )
    found = fit(table)
    assert max(found.lines[1:]) == 1
    shown = [column.title for column in with_whole_words(table, found).columns]
    assert not any("\u00ad" in title for title in shown)
    said = read(pdf.render(small(table)), tmp_path)
    assert said.count("eingeschwungen") == len(("eingeschwungen", "nicht eingeschwungen"))


def test_words_of_a_head_are_parted_where_whole_ones_would_break_names() -> None:
    """Names that fill the room which parted heads leave them."""

    def whole(table: Table) -> Table:
        return replace(table, columns=tuple(replace(at, title=SHY.sub("", at.title)) for at in table.columns))

    tables = [states(" ".join(["mmm"] * words)) for words in range(10, 40)]
    found = [(fit(table), fit(whole(table))) for table in tables]
    assert all(sum(parted.lines[1:]) <= sum(other.lines[1:]) for parted, other in found)
    assert any(sum(parted.lines[1:]) < sum(other.lines[1:]) for parted, other in found)
