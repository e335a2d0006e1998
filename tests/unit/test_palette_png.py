"""Pictures of few colours: what a page shows stays where it was, in the colours that most of it has."""

from __future__ import annotations

import importlib.util
import struct
import zlib
from pathlib import Path
from types import ModuleType

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "palette_png.py"
WHITE, BLACK, RED = (255, 255, 255, 255), (0, 0, 0, 255), (200, 0, 0, 255)


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("palette_png", TOOL)
    assert spec
    assert spec.loader
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def predicted(kind: int, left: int, above: int, corner: int) -> int:
    """Predict a byte as part 9 of the PNG specification does."""
    if kind == 4:
        guess = left + above - corner
        far = [abs(guess - one) for one in (left, above, corner)]
        return left if far[0] <= far[1] and far[0] <= far[2] else above if far[1] <= far[2] else corner
    return (0, left, above, (left + above) // 2)[kind]


def png(rows: list[list[tuple[int, ...]]], kind: int) -> bytes:
    """Write a picture with one filter for all of its lines."""
    lines, before = b"", [0] * 4 * len(rows[0])
    for row in rows:
        line = [part for pixel in row for part in pixel]
        lines += bytes([kind])
        for x, part in enumerate(line):
            left, corner = (line[x - 4], before[x - 4]) if x >= 4 else (0, 0)
            lines += bytes([(part - predicted(kind, left, before[x], corner)) & 255])
        before = line
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 6, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(lines)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


def shown(picture: bytes) -> list[list[tuple[int, ...]]]:
    """Read a picture with a palette, each line without a filter."""
    found, at = {}, 8
    while at < len(picture):
        (length,) = struct.unpack_from(">I", picture, at)
        found[picture[at + 4 : at + 8]] = picture[at + 8 : at + 8 + length]
        at += length + 12
    width, height = struct.unpack(">II", found[b"IHDR"][:8])
    palette = [tuple(found[b"PLTE"][n : n + 3]) for n in range(0, len(found[b"PLTE"]), 3)]
    data = zlib.decompress(found[b"IDAT"])
    lines = [data[y * (width + 1) :][: width + 1] for y in range(height)]
    assert {line[0] for line in lines} == {0}
    return [[palette[place] for place in line[1:]] for line in lines]


@pytest.mark.parametrize("kind", range(5))
def test_colours_stay_where_there_are_no_more_of_them(tool: ModuleType, kind: int) -> None:
    rows = [[WHITE, BLACK, RED], [RED, RED, WHITE], [BLACK, WHITE, WHITE]]
    assert shown(tool.with_few_colours(png(rows, kind), 4)) == [[p[:3] for p in row] for row in rows]


def test_similar_colours_become_the_one_that_most_has(tool: ModuleType) -> None:
    rows = [[WHITE] * 6 + [(254, 254, 254, 255), BLACK, (0, 0, 0, 0)]]
    white, black = WHITE[:3], BLACK[:3]
    assert shown(tool.with_few_colours(png(rows, 0), 2)) == [[white] * 7 + [black, white]]
