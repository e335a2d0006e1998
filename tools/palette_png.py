"""Writes a PNG of many colours as one of few: a third of the size, and pages stay readable.

Only what typst draws is read: 8 bits, red, green, blue and alpha, not interlaced, on white.
"""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence

Colour = tuple[int, int, int]

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = 4
MOST_COLOURS = 256


def with_few_colours(png: bytes, count: int) -> bytes:
    """Give a picture with as many colours at the most: those of similar ones taken together.

    Parameters
    ----------
    png
        As typst writes it.
    count
        Colours, 2 to 256.
    """
    assert 2 <= count <= MOST_COLOURS
    width, height, rows = _read(png)
    seen = Counter(pixel for row in rows for pixel in row)
    palette = _palette(seen, count)
    nearest = {pixel: _nearest(palette, pixel) for pixel in seen}
    lines = b"".join(b"\0" + bytes(nearest[pixel] for pixel in row) for row in rows)
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = (
        (b"IHDR", header),
        (b"PLTE", b"".join(bytes(colour) for colour in palette)),
        (b"IDAT", zlib.compress(lines, 9)),
        (b"IEND", b""),
    )
    return SIGNATURE + b"".join(_chunk(name, data) for name, data in parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    assert png.startswith(SIGNATURE)
    at = len(SIGNATURE)
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += length + 12


def _read(png: bytes) -> tuple[int, int, list[list[Colour]]]:
    """Give the width, the height and the pixels of a picture, on white."""
    found = list(_chunks(png))
    width, height, *form = struct.unpack(">IIBBBBB", found[0][1])
    assert form == [8, 6, 0, 0, 0], "not what typst draws"
    data = zlib.decompress(b"".join(part for name, part in found if name == b"IDAT"))
    size, before, rows = width * CHANNELS, bytes(width * CHANNELS), []
    for at in range(0, len(data), size + 1):
        before = _unfiltered(data[at], bytearray(data[at + 1 : at + 1 + size]), before)
        rows.append([_on_white(before[x : x + CHANNELS]) for x in range(0, size, CHANNELS)])
    assert len(rows) == height
    return width, height, rows


def _unfiltered(kind: int, line: bytearray, before: bytes) -> bytes:
    """Undo the filter of a line: none, left, above, their mean, or Paeth's choice (PNG, part 9)."""
    for x in range(len(line)):
        left, corner = (line[x - CHANNELS], before[x - CHANNELS]) if x >= CHANNELS else (0, 0)
        above = before[x]
        if kind == 1:
            line[x] = (line[x] + left) & 255
        elif kind == 2:
            line[x] = (line[x] + above) & 255
        elif kind == 3:
            line[x] = (line[x] + (left + above) // 2) & 255
        elif kind == 4:
            line[x] = (line[x] + _paeth(left, above, corner)) & 255
    return bytes(line)


def _paeth(left: int, above: int, corner: int) -> int:
    guess = left + above - corner
    return min((left, above, corner), key=lambda one: abs(guess - one))


def _on_white(pixel: bytes) -> Colour:
    red, green, blue, alpha = pixel
    if alpha == 255:
        return red, green, blue
    return tuple((part * alpha + 255 * (255 - alpha)) // 255 for part in (red, green, blue))  # type: ignore[return-value]


def _palette(seen: Counter[Colour], count: int) -> list[Colour]:
    """Part the colours at the middle of the widest part, until there are enough parts (median cut)."""
    parts = [list(seen)]
    while len(parts) < count:
        widest = max(parts, key=lambda part: _width(part)[0])
        spread, axis = _width(widest)
        if not spread:
            break
        parts.remove(widest)
        widest.sort(key=lambda colour: colour[axis])
        parts += [widest[: len(widest) // 2], widest[len(widest) // 2 :]]
    return [_mean(part, seen) for part in parts]


def _width(part: Sequence[Colour]) -> tuple[int, int]:
    """Give how far the colours of a part are from each other, and in which of their three parts."""
    return max((max(c[axis] for c in part) - min(c[axis] for c in part), axis) for axis in range(3))


def _mean(part: Sequence[Colour], seen: Counter[Colour]) -> Colour:
    """Give the colour of a part: the one that most of it has, as white paper stays white."""
    return max(part, key=lambda colour: seen[colour])


def _nearest(palette: Sequence[Colour], pixel: Colour) -> int:
    def distance(place: int) -> int:
        return sum((one - other) ** 2 for one, other in zip(palette[place], pixel, strict=True))

    return min(range(len(palette)), key=distance)
