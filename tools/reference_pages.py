"""Makes the pictures of pages in docs/images.

``python tools/reference_pages.py RUN BESIDE``: a page of results and one of the comparison in each language.
Both are runs in the store, here ``iodyno simulate quick --on p3700``, and the same on a copy of that system
with another drive; the second stands beside the first.

``python tools/reference_pages.py --sheet RUN NAME.LANGUAGE [PLACE…]``: the title page and other pages of one
paper side by side, those of ``SHEETS`` unless others are named. A place is the key of a heading, or how it
begins, ``results+1`` the page after it. Runs after ``--beside`` stand beside it.

Needs pdfinfo and pdftoppm (poppler) and convert (ImageMagick).
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from iodyno.report import paper, pdf
from iodyno.store import Store
from iodyno.store.database import default_path
from iodyno.store.records import StoredRun

IMAGES = Path(__file__).parent.parent / "docs" / "images"
LANGUAGES = ("en", "de", "ja")
SHOWN = ("results+1", "comparison+1")
"""Places that the single pictures show."""
SHEETS = {
    "measured": ("results+1", "overall"),
    "beside": ("comparison", "comparison+1"),
    "p3700": ("side-single-restore", "practice"),
    "raid-controllers": ("part-eight-drives-1", "practice"),
    "primequest-2800e3": ("sweep-controllers+1", "conclusion"),
}
"""Pages of the sheets beside the title page. ``measured`` is ``iodyno measure --quick``, ``beside`` the same
with ``iodyno simulate quick --on p3700`` beside it; the others are the studies of those names, simulated."""
RESOLUTION, COLOURS = "72", "32"
SMALL, MANY_COLOURS = "60", "128"
"""Resolution of pages side by side, and colours: those of all series at once."""


def run(*command: str, folder: Path) -> str:
    """Run a program, and give what it prints."""
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def page_of(folder: Path, place: str) -> int:
    """Find the page of a place: the page that a heading stands on, or one after it."""
    key, _, after = place.partition("+")
    found = re.search(
        rf'^ *(\d+) .*"{re.escape(key)}(-[0-9a-f]{{6}})?"$',
        run("pdfinfo", "-dests", "paper.pdf", folder=folder),
        re.MULTILINE,
    )
    assert found, f"no heading has the key {key}"
    return int(found[1]) + int(after or 0)


def drawn(folder: Path, page: int, resolution: str) -> str:
    """Draw a page, and give the name of its file."""
    at = ("-f", str(page), "-l", str(page), "-r", resolution, "-singlefile", "-png")
    run("pdftoppm", *at, "paper.pdf", f"page-{page}", folder=folder)
    return f"page-{page}.png"


def picture(folder: Path, pages: Sequence[str], target: Path) -> None:
    """Put pages side by side in few colours: a file of some tens of kB."""
    frame = ("-bordercolor", "#c8ccd4", "-border", "2") if len(pages) > 1 else ()
    colours = MANY_COLOURS if len(pages) > 1 else COLOURS
    options = ("+dither", "-colors", colours, "-strip", "-define", "png:exclude-chunk=date,time")
    run("convert", *pages, *frame, "+append", *options, f"png8:{target}", folder=folder)


def written(first: StoredRun, language: str, beside: Sequence[StoredRun], folder: Path) -> None:
    """Write a paper into a folder."""
    (folder / "paper.pdf").write_bytes(pdf.render(paper.build(first, language, beside=tuple(beside))))


def single(first: StoredRun, second: StoredRun) -> None:
    """Make the single pictures in all languages."""
    for language in LANGUAGES:
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            written(first, language, (second,), folder)
            for place in SHOWN:
                page = drawn(folder, page_of(folder, place), RESOLUTION)
                picture(folder, (page,), IMAGES / f"page-{place.partition('+')[0]}.{language}.png")


def sheet(first: StoredRun, name: str, places: Sequence[str], beside: Sequence[StoredRun]) -> None:
    """Make a picture of the title page and other pages of a paper."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        written(first, name.rpartition(".")[2], beside, folder)
        pages = (1, *(page_of(folder, place) for place in places))
        picture(folder, [drawn(folder, page, SMALL) for page in pages], IMAGES / f"{name}.png")


def main() -> None:
    """Read the command line, and make what it asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("runs", nargs="*", metavar="RUN")
    parser.add_argument("--sheet", nargs="+", metavar=("RUN", "NAME.LANGUAGE"))
    parser.add_argument("--beside", nargs="*", default=(), metavar="RUN")
    asked = parser.parse_args()
    with Store.open(default_path()) as store:

        def loaded(name: str) -> StoredRun:
            return store.load(store.find(name).id)

        if asked.sheet:
            of, name, *places = asked.sheet
            places = places or list(SHEETS[name.rpartition(".")[0]])
            sheet(loaded(of), name, places, [loaded(one) for one in asked.beside])
        else:
            single(*map(loaded, asked.runs))


if __name__ == "__main__":
    main()
