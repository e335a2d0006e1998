"""What errors of figures that others measured say, with the numbers of the run at hand.

The texts are those of ``others.toml``. ``{rows[ID].…}`` in them are of one of its rows, ``{papers[ID].…}``
of a figure of the papers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from iodyno.catalog.resolve import resolve
from iodyno.fitting.lab import configuration_of, spec_of
from iodyno.units import KIB
from iodyno.validation.comparing import Compared
from iodyno.validation.others import BYTES, Others, Told
from iodyno.validation.unreached import round_number
from iodyno.virtual import CpuCost, VirtualSystem

_PS = 1e-6
"""µs of a ps."""


@dataclass(frozen=True)
class RowOfOthers:
    """What a text can say of a row: ``here`` is simulated, ``there`` published; times in µs."""

    told: Told
    system: VirtualSystem
    rows: Mapping[str, RowOfOthers] = field(repr=False)

    @property
    def here_us(self) -> float:
        """What an I/O takes here: I/Os outstanding over the rate."""
        return self._takes(self.told.simulated)

    @property
    def there_us(self) -> float:
        """What an I/O took there."""
        return self._takes(self.told.figure.published.low)

    @property
    def here_round_us(self) -> str:
        """The same with two digits."""
        return round_number(self.here_us, 2)

    @property
    def there_round_us(self) -> str:
        """The same with two digits."""
        return round_number(self.there_us, 2)

    @property
    def there_io_s(self) -> str:
        """The rate there."""
        return round_number(self._outstanding / self.there_us * 1e6)

    @property
    def longer_than(self) -> Mapping[str, float]:
        """By how many percent an I/O takes longer here than in another row."""
        return {name: (self.here_us / other.here_us - 1) * 100 for name, other in self.rows.items()}

    @property
    def issued_io_s(self) -> str:
        """What the workers could issue here, each on a core: reads, or writes."""
        return millions(self.told.figure.workers / self._host_us * 1e6)

    @property
    def controller_us(self) -> float:
        """What the controller takes of an I/O: its processor, and its delay."""
        one = self.system.controllers[0]
        return (one.host_io_ps + one.disk_io_ps + one.delay_ps) * _PS

    @property
    def without_controller(self) -> float:
        """How far off the row is without that, in percent."""
        return abs((self.here_us - self.controller_us) / self.there_us - 1) * 100

    @property
    def _host_us(self) -> float:
        figure = self.told.figure
        return _host_us(self.system.volumes[0].cpu, figure.block, reads=figure.read_share == 1)

    @property
    def _outstanding(self) -> int:
        return self.told.figure.workers * self.told.figure.outstanding

    def _takes(self, value: float) -> float:
        figure = self.told.figure
        if figure.unit == "us":
            return value
        rate = value if figure.unit == "IO/s" else value * BYTES[figure.unit] / figure.block
        return self._outstanding / rate * 1e6


@dataclass(frozen=True)
class FigureOfPapers:
    """What a text can say of a figure of the papers."""

    compared: Compared

    @property
    def printed(self) -> str:
        """What the paper prints, of latencies in µs."""
        figure = self.compared.figure
        return f"{figure.number * 1000:.0f}" if figure.unit == "ms" else figure.value

    @property
    def off(self) -> str:
        """How far off it is simulated."""
        return f"{abs(self.compared.error) * 100:.1f} %"

    @property
    def host_us(self) -> float:
        """What the host takes of an I/O in order of 1 kB."""
        (series, _), *_ = self.compared.answer.expression.parts()
        system = resolve(spec_of(configuration_of(series)))
        return _host_us(system.volumes[0].cpu, KIB, reads="read" in series.profile)


def whys(rows: Others, found: Sequence[Told], compared: Sequence[Compared]) -> Iterator[tuple[str, str]]:
    """Give the rows that have something to say, and what.

    Parameters
    ----------
    rows
        The file.
    found
        What came of its rows: all of them, as texts look at others.
    compared
        What came of the figures of the papers.
    """
    specs = {one.name: one for one in rows.system}
    known: dict[str, RowOfOthers] = {}
    for one in found:
        known[one.figure.id] = RowOfOthers(one, resolve(specs[one.figure.system]), known)
    papers = {one.figure.id: FigureOfPapers(one) for one in compared}
    for one in found:
        if one.figure.why:
            yield one.figure.id, one.figure.why.format(rows=known, papers=papers)


def millions(rate: float) -> str:
    """Write a rate in whole millions."""
    return f"{rate / 1e6:.0f} million"


def _host_us(cost: CpuCost, block: int, *, reads: bool) -> float:
    return ((cost.read_ps if reads else cost.write_ps) + cost.per_kib_ps * block / KIB) * _PS
