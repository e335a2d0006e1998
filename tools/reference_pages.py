"""Makes the pictures of pages in docs/images.

``python tools/reference_pages.py RUN BESIDE``: a page of results and one of the comparison in each language.
Both are runs in the store, here ``iodyno simulate quick --on p3700``, and the same on a copy of that system
with another drive; the second stands beside the first.

``python tools/reference_pages.py --sheet RUN NAME.LANGUAGE PLACE…``: the title page and other pages of one
paper side by side. A place is the key of a heading, ``results+1`` the page after it. Runs after ``--beside``
stand beside it.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

import typst
from palette_png import with_few_colours

from iodyno.report import paper, pdf
from iodyno.report.document import Document, Heading
from iodyno.report.filling import Places, filled
from iodyno.report.floating import floating
from iodyno.store import Store
from iodyno.store.database import default_path
from iodyno.store.records import StoredRun

IMAGES = Path(__file__).parent.parent / "docs" / "images"
LANGUAGES = ("en", "de", "ja")
SHOWN = ("results+1", "comparison+1")
"""Places that the single pictures show."""
RESOLUTION, COLOURS = 72, 20
SMALL, MANY_COLOURS = 60, 64
"""Resolution of pages side by side, and colours: those of all series at once."""


class Drawn:
    """A paper with its pages as pictures, set as its PDF is.

    Parameters
    ----------
    document
        The paper.
    resolution
        Pixels an inch.
    """

    def __init__(self, document: Document, resolution: int) -> None:
        setting = pdf._Setting(document)
        way = filled(document, floating(document), setting.places)
        self._document = document
        self._places: Places = setting.places(way)[1]
        files = pdf._files(pdf.encode(document, way))
        made = typst.compile(
            files, root=pdf._HERE, font_paths=pdf._fonts(), format="png", ppi=float(resolution)
        )
        self._pages: list[bytes] = list(made)

    def page(self, place: str) -> bytes:
        """Give the page of a place: the page that a heading stands on, or one after it."""
        key, _, after = place.partition("+")
        blocks = self._document.blocks
        at = next((n for n, one in enumerate(blocks) if isinstance(one, Heading) and one.key == key), None)
        assert at is not None, f"no heading has the key {key}"
        begins = next(place.begins[0] for place in self._places[at:] if place)
        return self._pages[begins - 1 + int(after or 0)]

    @property
    def title(self) -> bytes:
        """The title page."""
        return self._pages[0]


def picture(pages: Sequence[bytes], target: Path) -> None:
    """Put pages side by side in few colours: a file of some tens of kB."""
    if len(pages) == 1:
        target.write_bytes(with_few_colours(pages[0], COLOURS))
        return
    with tempfile.TemporaryDirectory() as made:
        folder, images = Path(made), []
        for number, page in enumerate(pages):
            (folder / f"{number}.png").write_bytes(page)
            images.append(f'box(stroke: 2pt + rgb("#c8ccd4"), image("{number}.png"))')
        source = f"#set page(width: auto, height: auto, margin: 1pt)\n#grid(columns: {len(pages)}, "
        (folder / "main.typ").write_text(source + ", ".join(images) + ")")
        drawn = typst.compile(str(folder / "main.typ"), format="png", ppi=72.0)
    target.write_bytes(with_few_colours(drawn, MANY_COLOURS))


def single(first: StoredRun, second: StoredRun) -> None:
    """Make the single pictures in all languages."""
    for language in LANGUAGES:
        drawn = Drawn(paper.build(first, language, beside=(second,)), RESOLUTION)
        for place in SHOWN:
            picture((drawn.page(place),), IMAGES / f"page-{place.partition('+')[0]}.{language}.png")


def sheet(first: StoredRun, name: str, places: Sequence[str], beside: Sequence[StoredRun]) -> None:
    """Make a picture of the title page and other pages of a paper."""
    drawn = Drawn(paper.build(first, name.rpartition(".")[2], beside=tuple(beside)), SMALL)
    picture((drawn.title, *map(drawn.page, places)), IMAGES / f"{name}.png")


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
            sheet(loaded(of), name, places, [loaded(one) for one in asked.beside])
        else:
            single(*map(loaded, asked.runs))


if __name__ == "__main__":
    main()
