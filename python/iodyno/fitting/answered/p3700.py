"""What answers the measured figures of the P3700 paper."""

from __future__ import annotations

from collections.abc import Iterator

from iodyno.fitting.answers import Answer, At, Best, Greatest, Quotient
from iodyno.fitting.curves import Metric, Series

STUDY = "p3700"
SINGLE = "single-800g"
LARGER = "single-1600g"
LARGEST = "single-2000g"
SINGLE_FULL, LARGER_FULL, LARGEST_FULL = (f"{name}-full" for name in (SINGLE, LARGER, LARGEST))
RAID0 = "raid0-of-2"
RAID1 = "raid1-of-2"
FOUR = "independent-4"
RAID0_OF_4 = "raid0-of-4"
MEDIA = {"hdd": "sas-hdd-450g", "ssd": "sas-ssd-400g", "iodrive2": "iodrive2-1200g", "p3700": SINGLE}
SMALL_READ, SMALL_WRITE = "sequential-read-1k", "sequential-write-1k"
READ_4K = "random-read-4k"


def on(configuration: str, profile: str, workers: int = 1) -> Series:
    """Give a series of this study."""
    return Series(STUDY, configuration, profile, workers)


def _at(configuration: str, profile: str, outstanding: int, metric: Metric = "rate") -> At:
    return At(on(configuration, profile), outstanding, metric)


def _best(configuration: str, profile: str, metric: Metric = "rate") -> Best:
    return Best((on(configuration, profile),), metric)


def answers() -> Iterator[Answer]:
    """Yield what answers each measured figure and ratio."""
    yield from _single()
    yield from _two()
    yield from _four()
    yield from _media()
    yield from _latencies()
    yield from _conclusion()


def _single() -> Iterator[Answer]:
    yield Answer("p3700-055", _at(SINGLE, "database", 1))
    yield Answer("p3700-056", _at(SINGLE, "database", 512), meant="at_least", repeats="p3700-131")
    yield Answer("p3700-057", _at(SINGLE, "database", 512), meant="at_most", repeats="p3700-131")
    yield Answer("p3700-060", _at(SINGLE, "file-server", 1))
    yield Answer("p3700-061", _at(SINGLE, "file-server", 512), repeats="p3700-138")
    yield Answer("p3700-064", _at(SINGLE, "streaming", 1, "throughput"))
    yield Answer("p3700-065", _at(SINGLE, "streaming", 2, "throughput"))
    yield Answer("p3700-066", _at(SINGLE, "streaming", 32, "throughput"), repeats="p3700-145")
    yield Answer("p3700-070", _at(SINGLE, "restore", 1, "throughput"))
    yield Answer("p3700-071", _at(SINGLE, "restore", 512, "throughput"), repeats="p3700-152")
    yield Answer("p3700-072", _at(LARGEST, "restore", 1, "throughput"))
    yield Answer("p3700-073", _at(LARGEST, "restore", 512, "throughput"))


def _two() -> Iterator[Answer]:
    yield Answer("p3700-076", _at(SINGLE, "database", 1), repeats="p3700-055")
    yield Answer("p3700-077", _at(RAID1, "database", 1))
    yield Answer("p3700-078", _at(RAID0, "database", 1))
    yield Answer("p3700-079", _at(SINGLE, "database", 512), repeats="p3700-131")
    yield Answer("p3700-080", _at(RAID1, "database", 512))
    yield Answer("p3700-081", _at(RAID0, "database", 512))
    yield Answer("p3700-084", _at(SINGLE, "file-server", 1), repeats="p3700-060")
    yield Answer("p3700-085", _at(RAID1, "file-server", 1))
    yield Answer("p3700-086", _at(RAID0, "file-server", 1))
    yield Answer("p3700-087", _at(RAID1, "file-server", 512))
    yield Answer("p3700-088", _at(SINGLE, "file-server", 512), repeats="p3700-138")
    yield Answer("p3700-091", _at(SINGLE, "streaming", 2, "throughput"))
    yield Answer("p3700-092", _at(RAID1, "streaming", 2, "throughput"))
    yield Answer("p3700-093", _at(RAID0, "streaming", 2, "throughput"))
    yield Answer("p3700-094", _at(SINGLE, "streaming", 512, "throughput"), repeats="p3700-145")
    restores = tuple(_at(name, "restore", 1, "throughput") for name in (SINGLE, RAID0, RAID1))
    yield Answer("p3700-097", Greatest(restores, least=True), meant="at_least")
    yield Answer("p3700-098", Greatest(restores), meant="at_most")
    yield Answer("p3700-099", _best(SINGLE, "restore", "throughput"), repeats="p3700-152")


def _four() -> Iterator[Answer]:
    yield Answer("p3700-101", _at(SINGLE, "database", 1), repeats="p3700-055")
    yield Answer("p3700-102", _best(SINGLE, "database"), repeats="p3700-131")
    yield Answer("p3700-103", _at(FOUR, "database", 1))
    yield Answer("p3700-104", _at(RAID0_OF_4, "database", 4))
    yield Answer("p3700-105", _best(RAID0_OF_4, "database"))
    yield Answer("p3700-107", _best(RAID0_OF_4, "streaming", "throughput"))
    yield Answer("p3700-119", _four_processes(), meant="gain")


def _four_processes() -> Quotient:
    four = Best((on(SINGLE, READ_4K, 4),), "rate")
    return Quotient(four, _best(SINGLE, READ_4K))


PROFILES: tuple[tuple[str, Metric], ...] = (
    ("database", "rate"), ("file-server", "rate"), ("streaming", "throughput"), ("restore", "throughput"),
)  # fmt: skip


def _media() -> Iterator[Answer]:
    """Seven rows a profile from row 128 on: four maxima, three quotients."""
    for place, (profile, metric) in enumerate(PROFILES):
        row = 128 + 7 * place
        for offset, drive in enumerate(("hdd", "ssd", "iodrive2", "p3700")):
            yield Answer(f"p3700-{row + offset}", _best(MEDIA[drive], profile, metric))
        for offset, drive in enumerate(("hdd", "ssd", "iodrive2")):
            yield Answer(f"p3700-{row + 4 + offset}", _quotient(drive, profile, metric), follows=True)
    for row, drive in ((156, "iodrive2"), (157, "ssd"), (158, "hdd")):
        greatest = Greatest(tuple(_quotient(drive, profile, metric) for profile, metric in PROFILES))
        yield Answer(f"p3700-{row}", greatest, follows=True)


def _quotient(drive: str, profile: str, metric: Metric) -> Quotient:
    return Quotient(_best(MEDIA["p3700"], profile, metric), _best(MEDIA[drive], profile, metric))


def _latencies() -> Iterator[Answer]:
    for row, profile in ((159, SMALL_READ), (163, SMALL_WRITE)):
        for offset, drive in enumerate(("hdd", "ssd", "iodrive2", "p3700")):
            at = _at(MEDIA[drive], profile, 1, "latency")
            yield Answer(f"p3700-{row + offset}", at)


def _conclusion() -> Iterator[Answer]:
    yield Answer("p3700-168", _best(SINGLE, "database"), repeats="p3700-131")
    yield Answer("p3700-169", _best(SINGLE, "streaming", "throughput"), repeats="p3700-145")
    note = "the paper does not name the profile: random reads of 4 kB"
    yield Answer("p3700-170", Best((on(SINGLE, READ_4K, 4),), "rate"), note=note)
