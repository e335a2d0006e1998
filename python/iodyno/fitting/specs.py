"""What is fitted to what: a part, its unknown parameters with bounds, and the figures of that part alone.

Arrays, several drives, several processes, other profiles and whole systems are predictions. Where
a single part cannot show something, ``beyond`` says what of a larger system was used, and why.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from iodyno.fitting.answered import p3700
from iodyno.fitting.answers import Best, Expression

P3700 = ("intel-p3700-800", "intel-p3700-1600", "intel-p3700-2000")
CACHED = ("praid-ep420i", "praid-ep400i", "praid-em400i")
PLAIN = ("praid-cp400i", "praid-cm400i", "psas-cp400i")


@dataclass(frozen=True)
class Parameter:
    """A number of a part, or the same number of several, to be found."""

    key: str
    """Table and key in the part: ``model.program``; several with ``+`` between get one value."""
    low: float
    """Lowest value that makes sense, in the unit of the part."""
    high: float
    """Highest value that makes sense."""
    parts: tuple[str, ...] = ()
    """Parts that share the value; none: the part that is fitted."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Every table and key that gets the value."""
        return tuple(self.key.split("+"))


@dataclass(frozen=True)
class Fact:
    """A figure of the maker's datasheet, kept among the facts of the part."""

    key: str
    """Key in ``[facts]``."""
    expression: Expression


@dataclass(frozen=True)
class FitSpec:
    """How a part is fitted."""

    name: str
    """Name of the fit: that of its part, or that with more behind it where a part has two fits."""
    parameters: tuple[Parameter, ...]
    figures: tuple[str, ...]
    """Ids of published figures; what answers them is in :mod:`iodyno.fitting.answered`."""
    facts: tuple[Fact, ...] = ()
    source: str = ""
    """Key of the source of the figures, where they are no published ones."""
    citation: str = ""
    """What that source is, where the part does not say it yet."""
    command: str = ""
    """What repeats the fit; without it the usual command with the name of the fit."""
    beyond: str = ""
    """What of these figures is no single part's, and why it is used; empty where nothing is."""

    @property
    def figures_are(self) -> str:
        """What its figures are called: published ones, or given by who has the part."""
        return "given" if self.source else "published"


_SPECS: tuple[FitSpec, ...] = (
    FitSpec(
        "windows-2012-ntfs-nvme",
        (Parameter("model.read", 3000, 60000), Parameter("model.write", 3000, 90000)),
        ("p3700-131", "p3700-119"),
        beyond="One process and four: only their quotient shows what a small read costs in the host.",
    ),
    FitSpec(
        "intel-p3700-800",
        (
            Parameter("model.command_read", 0.2, 10, P3700),
            Parameter("model.delay_read", 0.5, 200, P3700),
            Parameter("model.delay_write", 0.5, 80, P3700),
            Parameter("model.delay_write_per_kib", 0.001, 2, P3700[:2]),
            Parameter("model.program", 0.3, 5, P3700),
            Parameter("model.spare", 0.02, 0.5),
            Parameter("model.data_read", 1500, 3380, P3700),
            Parameter("model.data_write", 1000, 3380, parts=P3700[:2]),
            Parameter("model.turnaround", 0.02, 5, P3700),
            Parameter("prefetch.delay", 1, 80, P3700),
        ),
        ("p3700-055", "p3700-101", "p3700-060", "p3700-064", "p3700-065", "p3700-070", "p3700-091",
         "p3700-138", "p3700-145", "p3700-152", "p3700-162", "p3700-166"),
        (
            Fact("random_read_4k", Best((p3700.on(p3700.SINGLE, p3700.READ_4K, 4),), "rate")),
            Fact("random_write_4k", Best((p3700.on(p3700.SINGLE_FULL, "random-write-4k", 4),), "rate")),
        ),
    ),
    FitSpec(
        "intel-p3700-1600",
        (Parameter("model.spare", 0.02, 0.6),),
        (),
        (Fact("random_write_4k", Best((p3700.on(p3700.LARGER_FULL, "random-write-4k", 4),), "rate")),),
    ),
    FitSpec(
        "intel-p3700-2000",
        (
            Parameter("model.spare", 0.02, 0.6),
            Parameter("model.data_write", 1000, 3380),
            Parameter("model.delay_write_per_kib", 0.001, 2),
        ),
        ("p3700-072", "p3700-073"),
        (Fact("random_write_4k", Best((p3700.on(p3700.LARGEST_FULL, "random-write-4k", 4),), "rate")),),
    ),
    FitSpec(
        "windows-2012-ntfs-nvme-raid",
        (Parameter("model.child_read+model.child_write", 500, 60000, parts=("windows-2012-ntfs-nvme",)),),
        ("p3700-080",),
        beyond="What the operating system's RAID costs shows in arrays alone: one RAID 1 is used.",
    ),
    FitSpec(
        "sas-12g-hdd-450-15k",
        (
            Parameter("model.missed_revolution", 0.001, 0.5),
            Parameter("model.command", 0.005, 0.4),
            Parameter("model.cached_write", 0.001, 2),
        ),
        ("p3700-128", "p3700-135", "p3700-142", "p3700-149", "p3700-159", "p3700-163"),
    ),
    FitSpec(
        "sas-12g-ssd-mlc-400",
        (
            Parameter("model.data_read", 300, 1030),
            Parameter("model.data_write", 200, 1030),
            Parameter("model.turnaround", 0.1, 30),
            Parameter("model.delay_read", 1, 400),
            Parameter("model.delay_write", 1, 400),
        ),
        ("p3700-129", "p3700-136", "p3700-143", "p3700-150", "p3700-160", "p3700-164"),
    ),
    FitSpec(
        "fusion-io-iodrive2-1200",
        (
            Parameter("model.driver_read", 100, 200000),
            Parameter("model.driver_write", 100, 200000),
            Parameter("model.data_read", 500, 1710),
            Parameter("model.data_write", 400, 1710),
            Parameter("model.delay_read", 0.1, 100),
        ),
        ("p3700-130", "p3700-137", "p3700-144", "p3700-151", "p3700-161", "p3700-165"),
    ),
    FitSpec(
        "seagate-st91000640ns",
        (Parameter("model.missed_revolution", 0.001, 0.5),),
        ("raid-241", "raid-242", "raid-243", "raid-244"),
    ),
    FitSpec(
        "hgst-huc156045css204",
        (Parameter("model.missed_revolution", 0.001, 0.5),),
        ("raid-245", "raid-246", "raid-247", "raid-248"),
    ),
    FitSpec(
        "intel-ssdsc2ba400g3c",
        (
            Parameter("model.data_read", 200, 560),
            Parameter("model.data_write", 200, 560),
            Parameter("model.turnaround", 0.1, 30),
        ),
        ("raid-249", "raid-250", "raid-251", "raid-252"),
    ),
    FitSpec(
        "toshiba-px02smf040",
        (
            Parameter("model.data_read", 300, 1030),
            Parameter("model.data_write", 200, 1030),
            Parameter("model.turnaround", 0.1, 30),
            Parameter("model.delay_write", 1, 300),
        ),
        ("raid-253", "raid-254", "raid-255", "raid-256", "raid-339"),
        beyond="Its latency is not printed: one write on eight of them without a controller cache shows it.",
    ),
    FitSpec(
        "windows-raw-megaraid",
        (Parameter("model.read+model.write", 2000, 40000),),
        ("raid-351",),
        beyond="24 SSDs are limited by one core of the host, says the paper: one drive does not reach that.",
    ),
    FitSpec(
        "praid-ep420i",
        (
            Parameter("model.read_efficiency", 0.4, 1, CACHED),
            Parameter("model.write_efficiency", 0.4, 1, CACHED),
            Parameter("model.parity", 500, 6700, CACHED),
            Parameter("model.parity_write", 1, 200, CACHED),
            Parameter("model.cache_read", 1, 200, CACHED),
            Parameter("model.cache_write", 1, 200, CACHED),
        ),
        ("raid-314", "raid-315", "raid-342", "raid-343", "raid-353", "raid-354"),
    ),
    FitSpec(
        "praid-cp400i",
        (
            Parameter("model.host_io+model.fast_io", 0.5, 40, PLAIN),
            Parameter("model.parity_write", 1, 300, parts=("praid-cp400i",)),
            Parameter("model.cache_read", 1, 200, PLAIN),
        ),
        ("raid-338", "raid-350", "raid-352"),
    ),
    FitSpec(
        "nvme-1610-4p",
        (Parameter("model.command", 0.1, 5, parts=("nvme-1610-4p", "nvme-810-4p")),),
        ("nvme-032",),
        beyond="A switch's rate shows only behind several drives: the greatest loss that the paper states.",
    ),
)  # fmt: skip

SPECS: Mapping[str, FitSpec] = {spec.name: spec for spec in _SPECS}
"""Every fit by its name. In this order each finds the parts that it rests on fitted already."""


def fitted_to(figure: str) -> str:
    """Give the name of the fit that used a figure, or nothing."""
    return next((spec.name for spec in _SPECS if figure in spec.figures), "")
