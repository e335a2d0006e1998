"""Makes the pictures of pages in docs/images: results and comparison of two simulated runs, in each language.

Usage: ``python tools/reference_pages.py RUN BESIDE``. Both are runs in the store, here
``iodyno simulate quick --on p3700``, and the same on a copy of that system with another drive; the second
stands beside the first. Needs pdfinfo and pdftoppm (poppler) and convert (ImageMagick).
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from iodyno.report import paper, pdf
from iodyno.store import Store
from iodyno.store.database import default_path

IMAGES = Path(__file__).parent.parent / "docs" / "images"
LANGUAGES = ("en", "de", "ja")
SHOWN = {"results": 1, "comparison": 1}
"""Keys of headings, and how many pages after each the picture is taken."""
RESOLUTION, COLOURS = "72", "20"


def run(*command: str, folder: Path) -> str:
    """Run a program, and give what it prints."""
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def page_of(folder: Path, key: str) -> int:
    """Find the page that a heading stands on."""
    found = re.search(
        rf'^ *(\d+) .*"{key}"$', run("pdfinfo", "-dests", "paper.pdf", folder=folder), re.MULTILINE
    )
    assert found, f"no heading has the key {key}"
    return int(found[1])


def picture(folder: Path, page: int, target: Path) -> None:
    """Draw a page in few colours: a file of some tens of kB."""
    at = ("-f", str(page), "-l", str(page), "-r", RESOLUTION, "-singlefile", "-png")
    run("pdftoppm", *at, "paper.pdf", "page", folder=folder)
    options = ("+dither", "-colors", COLOURS, "-strip", "-define", "png:exclude-chunk=date,time")
    run("convert", "page.png", *options, f"png8:{target}", folder=folder)


def main(name: str, beside: str) -> None:
    """Make all pictures."""
    with Store.open(default_path()) as store:
        first, second = (store.load(store.find(one).id) for one in (name, beside))
    for language in LANGUAGES:
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            (folder / "paper.pdf").write_bytes(pdf.render(paper.build(first, language, beside=(second,))))
            for key, after in SHOWN.items():
                picture(folder, page_of(folder, key) + after, IMAGES / f"page-{key}.{language}.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
