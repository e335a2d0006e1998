"""Makes the Japanese fonts that the paper carries, from Noto Sans CJK JP.

``python tools/japanese_fonts.py`` wants the packages ``noto-cjk-sans-jp-regular==0.0.1``,
``noto-cjk-sans-jp-bold==0.0.1`` and ``fonttools[woff]==4.68.0`` and knows the fonts in them by their hashes.
It takes what Japanese is written with (JIS X 0208 and what Windows adds to it) less what IBM Plex Sans has,
and writes into ``python/iodyno/report/fonts/``:

- a font of each weight for the PDF, without hints and features that print at this size does not need;
- the same in slices for HTML, where a page carries only the slices it uses: the first has what the
  catalogue of the language is written with, so that most pages need no other. It need not be made anew when
  the catalogue changes: a sign that is not in it is in another.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

FONTS = Path(__file__).resolve().parent.parent / "python" / "iodyno" / "report" / "fonts"
CATALOGUE = FONTS.parent / "locale" / "ja" / "LC_MESSAGES" / "iodyno.po"
SOURCES = {
    "Regular": (
        "noto_cjk_sans_jp_regular",
        "68a3fc98800b2a27b371f2fb79991daf3633bd89309d4ffaa6946fd587f375b5",
    ),
    "Bold": (
        "noto_cjk_sans_jp_bold",
        "e53dcb0dcb2922e45d01aae1ebd2f382bb81d4229b18b6b883bd170678af1f76",
    ),
}
SLICE = 240
"""Signs of a slice after the first."""


def japanese() -> set[str]:
    """Give every sign of two bytes in the codes that Japanese is written in."""
    found: set[str] = set()
    for code in ("cp932", "euc_jp"):
        for first in range(0x81, 0xFD):
            for second in range(0x40, 0xFF):
                try:
                    found.update(bytes((first, second)).decode(code))
                except UnicodeDecodeError:
                    continue
    return {sign for sign in found if sign > "\u00ff" and not "\ue000" <= sign <= "\uf8ff"}


def latin() -> set[str]:
    """Give the signs that IBM Plex Sans has."""
    return set(map(chr, TTFont(FONTS / "IBMPlexSans_400Regular.ttf").getBestCmap()))


def slices(signs: set[str]) -> Iterator[str]:
    """Cut the signs: those of the catalogue and all kana first, the others in the order of JIS."""
    written = set(CATALOGUE.read_text(encoding="utf-8"))
    first = {sign for sign in signs if sign in written or "\u3000" <= sign <= "\u30ff"}
    yield "".join(sorted(first))
    rest = sorted(signs - first, key=_jis)
    for start in range(0, len(rest), SLICE):
        yield "".join(sorted(rest[start : start + SLICE]))


def _jis(sign: str) -> tuple[bytes, str]:
    return sign.encode("cp932", errors="ignore"), sign


def source(weight: str) -> bytes:
    """Read the font of a package, if it is the one that is meant."""
    package, wanted = SOURCES[weight]
    content = (files(package) / f"NotoSansCJKjp-{weight}.otf").read_bytes()
    found = hashlib.sha256(content).hexdigest()
    assert found == wanted, f"{package} holds another font: {found}"
    return content


def subset(content: bytes, signs: Iterable[str], flavor: str | None = None) -> bytes:
    """Give a font with some of its signs; the same input gives the same bytes."""
    options = Options()
    options.hinting = False
    options.layout_features = []
    options.notdef_outline = True
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.drop_tables += ["VORG", "vmtx", "vhea", "GPOS", "GSUB", "BASE"]
    font = TTFont(io.BytesIO(content), recalcTimestamp=False)
    maker = Subsetter(options)
    maker.populate(unicodes=[ord(sign) for sign in signs])
    maker.subset(font)
    font.flavor = flavor
    made = io.BytesIO()
    font.save(made, reorderTables=False)
    return made.getvalue()


def main() -> None:
    """Write the fonts, the slices and the list of what is in which slice."""
    folder = FONTS / "japanese"
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    available = set(map(chr, TTFont(io.BytesIO(source("Regular"))).getBestCmap()))
    signs = (japanese() & available) - latin()
    cut = list(slices(signs))
    for weight in SOURCES:
        whole = subset(source(weight), signs)
        (FONTS / f"NotoSansCJKjp-{weight}.otf").write_bytes(whole)
        for number, part in enumerate(cut):
            (folder / f"{weight.lower()}-{number:02}.woff2").write_bytes(subset(whole, part, "woff2"))
    (folder / "slices.json").write_text(
        json.dumps(cut, ensure_ascii=False, indent=0) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
