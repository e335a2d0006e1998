"""How small and how large each number of a part can be: one table for all kinds of parts.

What the simulator holds decides: whole numbers of 32 bits (``crates/sim/src/system.rs``), picoseconds of 64
bits, which are 213 days, and cylinders of 32 bits. A point ends after some 200,000 I/Os, so with a second for
each step of an I/O, a megabyte a second for its data and a gibibyte for what is cut into pieces nothing of it
overflows. No device of the catalogue comes near any of these; what is beyond one is a unit or a decimal point
that slipped.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from iodyno.catalog.quantity import Dimension
from iodyno.units import GIB, MIB

_MS = 10**9


@dataclass(frozen=True)
class Bound:
    """What a number may be in base units, and what its ends are called.

    The least counts where the number has to be above 0: one that can be 0 can be as near to it as it likes.
    """

    least: Fraction
    least_called: str
    most: int
    most_called: str


def _bound(least: int | Fraction, least_called: str, most: int, most_called: str) -> Bound:
    return Bound(Fraction(least), least_called, most, most_called)


BOUNDS: dict[Dimension, Bound] = {
    "time": _bound(1000, "a nanosecond", 10**12, "a second"),
    "size": _bound(512, "512 bytes", 1 << 50, "a PiB"),
    "rate": _bound(10**6, "1 MB/s(10^6)", 10**15, "10^9 MB/s(10^6)"),
    "share": _bound(0, "0", 10, "ten times the whole"),
    "count": _bound(1, "1", 1 << 16, "65,536"),
    "frequency": _bound(10**8, "100 MHz", 10**12, "1,000 GHz"),
    "rotation": _bound(100, "100 rpm", 100_000, "100,000 rpm"),
    "transfer": _bound(10**8, "0.1 GT/s", 10**13, "10,000 GT/s"),
    "cycles": _bound(0, "0", 10**7, "ten million cycles"),
}
"""By dimension; of others, which the simulator does not read, :data:`OTHERS`."""
OTHERS = _bound(0, "0", 2**63 - 1, "can be calculated with")
_PIECE = _bound(512, "512 bytes", GIB, "a GiB")
_EACH_KIB = _bound(0, "0", _MS, "a millisecond")
_SOME = _bound(1, "1", 4096, "4,096")
_ON_A_CONTROLLER = _bound(1, "1", 256, "256")
_OF_A_LINK = _bound(Fraction(1, 10), "a tenth", 1, "1")
OF_KEY: dict[str, Bound] = {
    "capacity": _bound(10**9, "a GB", 1 << 50, "a PiB"),
    "spare": _bound(0, "0", 2, "twice the capacity"),
    "stripe": _PIECE,
    "read_size": _PIECE,
    "program_size": _PIECE,
    "delay_write_per_kib": _EACH_KIB,
    "parity_per_kib": _EACH_KIB,
    "turnaround": _EACH_KIB,
    "per_kib": _bound(0, "0", 10**4, "ten thousand cycles"),
    "child_per_kib": _bound(0, "0", 10**4, "ten thousand cycles"),
    "read_efficiency": _OF_A_LINK,
    "write_efficiency": _OF_A_LINK,
    "frequency_share": _bound(Fraction(1, 10), "a tenth", 10, "ten times the whole"),
    "cores": _SOME,
    "sockets": _SOME,
    "most_drives": _ON_A_CONTROLLER,
    "most_drives_expanded": _ON_A_CONTROLLER,
}
"""By the key of a number, where it is another than that of its dimension."""
LEAST_STRIP, MOST_STRIP = 512, 8 * MIB
"""Strips in bytes: each drive holds some, and a row of 256 drives is less than 4 GiB."""
MOST_CYLINDERS = 1 << 31


def bound_of(key: str, dimension: Dimension) -> Bound:
    """Give what a number may be.

    Examples
    --------
    >>> bound_of("stripe", "size").most_called, bound_of("buffer", "size").most_called
    ('a GiB', 'a PiB')
    """
    return OF_KEY.get(key) or BOUNDS.get(dimension, OTHERS)
