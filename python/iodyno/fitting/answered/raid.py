"""What answers the measured figures of the RAID controller paper."""

from __future__ import annotations

from collections.abc import Iterator

from iodyno.fitting.answers import Answer, At, Best, Greatest, MeanGain
from iodyno.fitting.curves import Metric, Series

STUDY = "raid-controllers"
SINGLES = {"sata-hdd": 241, "sas-hdd": 245, "sata-ssd": 249, "sas-ssd": 253}
"""Drives of the table of single drives, with the first of their four rows."""
PROFILES: tuple[tuple[str, Metric], ...] = (
    ("streaming", "throughput"), ("restore", "throughput"), ("database", "rate"), ("file-server", "rate"),
)  # fmt: skip
LOW, OVERLOAD = (1, 2, 4, 8, 16, 32), (64, 128, 256, 512)
"""The paper's classes of load: up to acceptable high load, and overload."""
READ_67_4K, READ_67_64K = "random-read-67-4k", "file-server"
WRITE_4K, WRITE_8K, WRITE_64K = "random-write-4k", "random-write-8k", "random-write-64k"
FAST, PERFORMANCE = "fast-path-optimum", "performance"


def single(drive: str) -> str:
    """Name the configuration of a single drive."""
    return f"single-{drive}"


def array(controller: str, drive: str, level: str, drives: int, mode: str = "") -> str:
    """Name the configuration of an array."""
    return f"{controller}-{drives}x-{drive}-raid{level}" + (f"-{mode}" if mode else "")


def on(configuration: str, profile: str) -> Series:
    """Give a series of this study."""
    return Series(STUDY, configuration, profile)


def ssds(controller: str, level: str, drives: int, profile: str) -> tuple[Series, ...]:
    """Give the series of an array of SAS SSDs in both cache modes: the paper's maxima are over both."""
    modes = (FAST, PERFORMANCE) if controller.startswith("ep") else ("",)
    return tuple(on(array(controller, "sas-ssd", level, drives, mode), profile) for mode in modes)


def _top(controller: str, level: str, drives: int, profile: str, metric: Metric = "rate") -> Best:
    return Best(ssds(controller, level, drives, profile), metric)


def answers() -> Iterator[Answer]:
    """Yield what answers each measured figure and ratio."""
    yield from _singles()
    yield from _sequential()
    yield from _maxima()
    yield from _low_load()
    yield from _cache_size()


def _singles() -> Iterator[Answer]:
    for drive, row in SINGLES.items():
        for offset, (profile, metric) in enumerate(PROFILES):
            yield Answer(f"raid-{row + offset}", Best((on(single(drive), profile),), metric))


def _sequential() -> Iterator[Answer]:
    file_server = Best(ssds("ep400i", "0", 8, "file-server"), "throughput")
    yield Answer("raid-278", file_server)
    for row, level, drives in ((289, "0", 8), (291, "10", 8), (292, "5", 8)):
        yield Answer(f"raid-{row}", _top("ep420i", level, drives, "streaming", "throughput"))
    yield Answer("raid-314", _top("ep420i", "0", 24, "restore", "throughput"))
    yield Answer("raid-315", _top("ep420i", "0", 24, "streaming", "throughput"))
    yield Answer("raid-316", _top("ep420i", "10", 16, "streaming", "throughput"))
    yield Answer("raid-317", _top("ep420i", "5", 24, "restore", "throughput"), repeats="raid-354")
    yield Answer("raid-318", _top("ep420i", "5", 24, "streaming", "throughput"))


def _maxima() -> Iterator[Answer]:
    yield Answer("raid-307", _top("ep420i", "0", 24, "database"), repeats="raid-351")
    yield Answer("raid-311", _top("ep420i", "0", 24, "database"), repeats="raid-351")
    yield Answer("raid-349", _top("ep420i", "0", 24, "restore", "throughput"), repeats="raid-314")
    yield Answer("raid-350", _top("cp400i", "0", 8, "database"))
    yield Answer("raid-351", _top("ep420i", "0", 24, "database"))
    yield Answer("raid-352", _top("cp400i", "5", 8, "database"))
    yield Answer("raid-353", _top("ep420i", "5", 24, "database"))
    yield Answer("raid-354", _top("ep420i", "5", 24, "restore", "throughput"))


def _low_load() -> Iterator[Answer]:
    rows = {338: ("cp400i", "streaming"), 339: ("cp400i", "restore"), 340: ("ep400i", "streaming"),
            341: ("ep400i", "restore"), 342: ("ep420i", "streaming"), 343: ("ep420i", "restore")}  # fmt: skip
    for row, (controller, profile) in rows.items():
        yield Answer(f"raid-{row}", at_one(controller, profile))
    both = tuple(at_one("ep400i", profile) for profile in ("streaming", "restore"))
    yield Answer("raid-356", Greatest(both, least=True), meant="at_least")


def at_one(controller: str, profile: str) -> At:
    """One outstanding I/O on eight SSDs in RAID 0: the level that reaches most."""
    mode = PERFORMANCE if controller.startswith("ep") else ""
    return At(on(array(controller, "sas-ssd", "0", 8, mode), profile), 1, "throughput")


def gain(profile: str, loads: tuple[int, ...], level: str = "5", drives: int = 8) -> MeanGain:
    """How much faster the controller with the larger cache is, on hard disks."""
    larger, smaller = (on(array(name, "sas-hdd", level, drives), profile) for name in ("ep420i", "ep400i"))
    return MeanGain(larger, smaller, loads)


def _cache_size() -> Iterator[Answer]:
    small = tuple(gain(profile, LOW + OVERLOAD) for profile in (WRITE_4K, WRITE_8K))
    yield Answer("raid-319", Greatest(small, least=True), meant="gain_at_least")
    yield Answer("raid-320", Greatest(small), meant="gain_at_most")
    for row, profile in ((322, READ_67_4K), (324, READ_67_64K), (326, WRITE_4K), (328, WRITE_64K)):
        for offset, loads in enumerate((LOW, OVERLOAD)):
            yield Answer(f"raid-{row + offset}", gain(profile, loads), meant="gain")
