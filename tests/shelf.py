"""Papers that many tests look at, each made once: document, PDF and page, and what poppler says of them."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path

import pytest

from command_line import simulated_result
from factories import make_run, make_stored_run
from iodyno.report import html, paper, pdf
from iodyno.report.document import Document
from iodyno.store.records import StoredRun
from iodyno.study import parse_study, plan_simulation
from iodyno.system.virtual import describe
from sample_document import sample_document
from virtual_systems import virtual_system

LANGUAGES = ("en", "de", "ja")
PAPERS = tuple(f"{kind}-{language}" for kind in ("paper", "beside", "systems") for language in LANGUAGES)
"""Papers of a measured run, of two beside each other, and of many systems."""
KINDS = ("sample", *PAPERS)

STUDY = """
schema = 1
name = "many-systems"
title = "Controllers of a manufacturer with solid-state and with hard disks"
[reference]
publisher = "A Publisher of Servers"
title = "Disk Controller Performance"
version = "3.1"
date = "2016-02-29"
{configurations}
[[sweep]]
name = "field"
profiles = ["database", "file-server", "streaming"]
outstanding = [1, 16, 512]
"""
CONTROLLERS = ("PRAID CM400i", "PSAS CP400i", "PRAID EP420i with flash backup unit")
DRIVES = ("Toshiba PX02SMF040 SAS 12G", "Seagate ST91000640NS SATA 6G", "HGST HUC156045CSS204 SAS 12G")
MODES = ("Data Protection mode", "Performance mode", "Fast Path optimum mode, all drives' caches enabled")


@lru_cache(maxsize=1)
def many_systems() -> StoredRun:
    """Give a simulated run of nine systems whose names and titles are long."""
    names = {
        f"{controller} {drive} raid{place}-24".lower().replace(" ", "-"): (
            f"{controller}, 24 × {drive}, RAID {place}, {MODES[place % 3]}"
        )
        for controller in CONTROLLERS
        for place, drive in enumerate(DRIVES)
    }
    tables = [
        f'[[configuration]]\nname = "{name}"\ntitle = "{title}"\nsystem = "made-up"'
        for name, title in names.items()
    ]
    systems = {name: virtual_system(drives=2) for name in names}
    plan = plan_simulation(parse_study(STUDY.format(configurations="\n".join(tables))), systems)
    run = make_run(plan, system=describe(systems, names), simulated=True,
                   command=("iodyno", "simulate", "many-systems"), status="finished")  # fmt: skip
    return StoredRun(run=run, results=tuple(simulated_result(point) for point in plan.points))


@lru_cache(maxsize=16)
def document(kind: str) -> Document:
    """Make a document: of texts of all sorts, or a paper of a kind in a language."""
    kind, _, language = kind.partition("-")
    if kind == "sample":
        return sample_document()
    if kind == "systems":
        return paper.build(many_systems(), language)
    other = make_stored_run(run_id="20260315-092653-5b3c", profiles=("database", "streaming"))
    return paper.build(make_stored_run(), language, beside=(other,) if kind == "beside" else ())


@lru_cache(maxsize=16)
def page(kind: str) -> str:
    """Write a document as page."""
    return html.render(document(kind))


def joined(text: str) -> str:
    """Take out spaces, soft hyphens and what only allows or forbids a break."""
    return re.sub(r"[\s\u00ad\u200b\u2060]+", "", text)


class Shelf:
    """Papers as PDF in a folder, and what poppler says of them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._said: dict[tuple[str, ...], str] = {}

    def pdf(self, kind: str) -> bytes:
        """Set a document as PDF."""
        return self._file(kind).read_bytes()

    def said(self, kind: str, program: str, *options: str) -> str:
        """Run a program of poppler on a PDF; of ``pdftotext`` and ``pdftohtml`` the output."""
        if shutil.which(program) is None:
            pytest.skip(f"{program} (poppler-utils) is not installed")
        asked = (kind, program, *options)
        if asked not in self._said:
            end = {"pdftotext": ("-",), "pdftohtml": ("-stdout",)}.get(program, ())
            command = [program, *options, self._file(kind), *end]
            done = subprocess.run(command, check=True, capture_output=True, cwd=self._folder)
            self._said[asked] = done.stdout.decode()
        return self._said[asked]

    def _file(self, kind: str) -> Path:
        file = self._folder / f"{kind}.pdf"
        if not file.exists():
            file.write_bytes(pdf.render(document(kind)))
        return file
