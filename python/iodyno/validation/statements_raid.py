"""Statements of the RAID controller paper on controllers, levels and settings."""

from __future__ import annotations

from functools import partial

from iodyno.fitting.answered.raid import FAST, PERFORMANCE, array, on, single, ssds
from iodyno.fitting.answers import Curves
from iodyno.fitting.curves import Metric, Outcome
from iodyno.validation.statements import (
    Finding,
    Paper,
    alike,
    all_of,
    compare,
    each,
    rising,
    top,
    within,
)

ONBOARD = ("c220", "c236", "c610")
PCIE = ("cp400i", "ep400i", "ep420i")
CACHED = ("ep400i", "ep420i")
WITH_TWO = ("cm400i", "psas-cp400i", *PCIE)
"""PCIe controllers that RAID 1 of two SATA SSDs is simulated on; EM400i is EP400i there."""
RANDOM = ("file-copy", "file-server", "database")
SEQUENTIAL = ("streaming", "restore")
PENALTIES = {"0": 1, "10": 2, "5": 4}
"""Operations on drives for one small host write, by RAID level."""
READ_SHARES = {"file-copy": 0.5, "file-server": 0.67, "database": 0.67}
"""Reads of the random profiles, 0 to 1."""
paper = Paper("raid")


def _hdds(curves: Curves, controller: str, level: str, drives: int, profile: str, drive: str) -> float:
    metric: Metric = "throughput" if profile in SEQUENTIAL else "rate"
    return top(curves, on(array(controller, drive, level, drives), profile), metric)


def best_mode(curves: Curves, controller: str, level: str, drives: int, profile: str, drive: str) -> float:
    """Maximum over the load and the cache settings."""
    if drive.endswith("hdd"):
        return _hdds(curves, controller, level, drives, profile, drive)
    metric: Metric = "throughput" if profile in SEQUENTIAL else "rate"
    names = [array(controller, drive, level, drives, mode) for mode in modes(controller)]
    return top(curves, [on(name, profile) for name in names], metric)


def modes(controller: str) -> tuple[str, ...]:
    """List the cache modes in which SSDs were measured on a controller."""
    return (FAST, PERFORMANCE) if controller in CACHED else ("",)


@paper.says(
    199, "24 SSDs, RAID 0, Database on EP400i and EP420i: Fast Path optimum at least 5 % above Performance"
)
def _fast_path(curves: Curves) -> Finding:
    return each(
        compare(
            f"{name} IO/s",
            *(
                top(curves, on(array(name, "sas-ssd", "0", 24, mode), "database"))
                for mode in (FAST, PERFORMANCE)
            ),
            least=1.05,
        )
        for name in CACHED
    )


paper.add(201, "as the row on FastPath: the path through the cache is the slower one", _fast_path)


@paper.says(
    202, "8 hard disks, RAID 5, random 4 kB writes on EP420i: write-back 5 % or more above write-through"
)
def _write_back(curves: Curves) -> Finding:
    name = array("ep420i", "sas-hdd", "5", 8)
    back, through = (top(curves, on(one, "random-write-4k")) for one in (name, name + "-write-through"))
    return compare("IO/s", back, through, least=1.05)


@paper.says(203, "single SAS hard disk, random writes of 4 kB: drive cache on at least 5 % above off")
def _drive_cache(curves: Curves) -> Finding:
    name = single("sas-hdd")
    cached, direct = (top(curves, on(one, "random-write-4k")) for one in (name, name + "-cache-off"))
    return compare("IO/s", cached, direct, least=1.05)


@paper.says(
    266, "2 SATA SSDs, RAID 1, random profiles: each PCIe controller at least 5 % above each onboard one"
)
def _pcie_on_top(curves: Curves) -> Finding:
    return each(
        compare(
            profile,
            min(best_mode(curves, name, "1", 2, profile, "sata-ssd") for name in WITH_TWO),
            max(best_mode(curves, name, "1", 2, profile, "sata-ssd") for name in ONBOARD),
            least=1.05,
        )
        for profile in RANDOM
    )


@paper.says(267, "2 SATA SSDs, RAID 1, Streaming: each PCIe controller at least 20 % above each onboard one")
def _mirrors_read(curves: Curves) -> Finding:
    slowest = min(best_mode(curves, name, "1", 2, "streaming", "sata-ssd") for name in WITH_TWO)
    fastest = max(best_mode(curves, name, "1", 2, "streaming", "sata-ssd") for name in ONBOARD)
    return compare("MB/s", slowest, fastest, least=1.20)


def _classes(curves: Curves, *, drive: str, level: str, rises: tuple[bool, bool]) -> Finding:
    """From the fastest onboard controller over the one without cache to the slower one with a cache."""
    found = []
    for profile in RANDOM:
        onboard = max(best_mode(curves, name, level, 4, profile, drive) for name in ONBOARD)
        plain, *cached = (best_mode(curves, name, level, 4, profile, drive) for name in PCIE)
        found += [
            compare(f"{profile} {what}", over, under, least=1.01 if rise else 0.98)
            for what, over, under, rise in (
                ("CP400i against onboard:", plain, onboard, rises[0]),
                ("with a cache against CP400i:", min(cached), plain, rises[1]),
            )
        ]
    return each(found)


_STEPS = "from onboard controllers to CP400i and from it to those with a cache"
for _row, _drive, _level, _rises, _asked in (
    (268, "sata-hdd", "0", (False, True), "from CP400i to those with a cache; CP400i no more than 2 % below"
     " onboard ones. That it is above them is no part of this"),
    (269, "sata-hdd", "10", (True, True), _STEPS),
    (270, "sata-ssd", "0", (True, True), _STEPS),
    (271, "sata-ssd", "10", (True, False), "from onboard controllers to CP400i; those with a cache no more"
     " than 2 % below it. That they are above it is no part of this"),
):  # fmt: skip
    paper.add(
        _row,
        f"4 {_drive}s, RAID {_level}, random profiles: maxima rise by at least 1 % {_asked}",
        partial(_classes, drive=_drive, level=_level, rises=_rises),
    )


@paper.says(272, "4 SATA hard disks, RAID 0, Streaming and Restore: all controllers within 5 %")
def _no_controller(curves: Curves) -> Finding:
    names = (*ONBOARD, "psas-cp400i", *PCIE)
    return each(
        alike(f"{p} MB/s", [_hdds(curves, c, "0", 4, p, "sata-hdd") for c in names], 0.05) for p in SEQUENTIAL
    )


def _cache_superior(curves: Curves, *, level: str) -> Finding:
    return each(
        compare(
            f"{profile} {name}",
            _hdds(curves, name, level, 8, profile, "sas-hdd"),
            _hdds(curves, "cp400i", level, 8, profile, "sas-hdd"),
            least=1.05,
        )
        for profile in RANDOM
        for name in CACHED
    )


for _row, _level in ((273, "0"), (274, "10"), (275, "5")):
    paper.add(
        _row,
        f"8 SAS hard disks, RAID {_level}, random profiles: EP400i and EP420i at least 5 % above CP400i",
        partial(_cache_superior, level=_level),
    )


@paper.says(276, "8 SAS SSDs, RAID 0, random profiles: EP420i no more than 1 % below any other")
def _top_performance(curves: Curves) -> Finding:
    return each(
        compare(
            f"{profile} against {name}",
            best_mode(curves, "ep420i", "0", 8, profile, "sas-ssd"),
            best_mode(curves, name, "0", 8, profile, "sas-ssd"),
            least=0.99,
        )
        for profile in RANDOM
        for name in ("cp400i", "ep400i")
    )


def busy(curves: Curves, controller: str, profile: str) -> dict[str, float]:
    """How busy parts of a controller are, and all else, where eight SSDs at RAID 0 are fastest, 0 to 1."""
    stations = fastest(curves, controller, 8, profile).stations
    parts: dict[str, list[float]] = {"controller": [], "another": []}
    for name, use in stations.items():
        parts["controller" if name.startswith("PRAID ") else "another"].append(use.utilisation)
    return {part: max(uses) for part, uses in parts.items()}


@paper.says(
    277,
    "8 SAS SSDs, RAID 0, Database on EP400i and EP420i: a part of the controller is busy for at least 90 %,"
    " and 24 SSDs are at most 5 % faster than 8",
)
def _limit_reached(curves: Curves) -> Finding:
    found = []
    for name in CACHED:
        use = busy(curves, name, "database")
        shown = f"{name} {use['controller'] * 100:.0f} %, the busiest besides {use['another'] * 100:.0f} %"
        more = compare(
            name, *(best_mode(curves, name, "0", n, "database", "sas-ssd") for n in (24, 8)), most=1.05
        )
        found.append(all_of(Finding(use["controller"] >= 0.9, shown), more))
    return each(found)


@paper.says(
    279,
    "8 SAS SSDs, RAID 0, File copy and File server, any controller: no part of it is busy for 90 %; on EP400i"
    " and EP420i 24 SSDs are at least 30 % faster than 8",
)
def _not_limiting(curves: Curves) -> Finding:
    profiles = ("file-copy", "file-server")
    used = {f"{name} {p}": busy(curves, name, p)["controller"] for name in PCIE for p in profiles}
    more = each(
        compare(f"{name} {p}", *(best_mode(curves, name, "0", n, p, "sas-ssd") for n in (24, 8)), least=1.30)
        for name in CACHED
        for p in profiles
    )
    return all_of(each(Finding(use < 0.9, f"{what} {use * 100:.0f} %") for what, use in used.items()), more)


@paper.says(
    280, "8 SAS SSDs, RAID 0: MB/s of File copy and File server at least 5 % above Database, any controller"
)
def _larger_blocks(curves: Curves) -> Finding:
    def mb_s(name: str, profile: str) -> float:
        return top(curves, ssds(name, "0", 8, profile), "throughput")

    return each(
        compare(f"{name} {profile} MB/s", mb_s(name, profile), mb_s(name, "database"), least=1.05)
        for name in PCIE
        for profile in ("file-copy", "file-server")
    )


def _cache_controllers(curves: Curves, *, level: str) -> Finding:
    slow = best_mode(curves, "cp400i", level, 8, "database", "sas-ssd")
    return each(
        compare(name, best_mode(curves, name, level, 8, "database", "sas-ssd"), slow, least=1.05)
        for name in CACHED
    )


for _row, _level in ((281, "10"), (282, "5")):
    paper.add(
        _row,
        f"8 SAS SSDs, RAID {_level}, Database: EP400i and EP420i at least 5 % above CP400i",
        partial(_cache_controllers, level=_level),
    )


def _hdds_limit(curves: Curves, *, level: str, drives: int) -> Finding:
    """Within 5 % of so many times a single drive."""
    return each(
        within(
            f"{name} {p} MB/s",
            _hdds(curves, name, level, 8, p, "sas-hdd"),
            drives * top(curves, on(single("sas-hdd"), p), "throughput"),
            share=0.05,
        )
        for name in PCIE
        for p in SEQUENTIAL
    )


paper.add(
    283,
    "8 SAS hard disks, RAID 0, Streaming and Restore: within 5 % of 8 single disks, any controller",
    partial(_hdds_limit, level="0", drives=8),
)
paper.add(
    286,
    "8 SAS hard disks, RAID 5, Streaming and Restore: within 5 % of 7 single disks, any controller",
    partial(_hdds_limit, level="5", drives=7),
)


@paper.says(287, "8 SAS SSDs, Streaming: RAID 5 within 3 % of RAID 0, any controller")
def _no_loss(curves: Curves) -> Finding:
    return each(
        within(
            name, *(best_mode(curves, name, level, 8, "streaming", "sas-ssd") for level in "50"), share=0.03
        )
        for name in PCIE
    )


@paper.says(288, "8 SAS SSDs, Restore: RAID 5 at least 5 % below RAID 0, any controller")
def _loss(curves: Curves) -> Finding:
    return each(
        compare(name, *(best_mode(curves, name, level, 8, "restore", "sas-ssd") for level in "50"), most=0.95)
        for name in PCIE
    )


@paper.says(
    290,
    "8 SAS SSDs, RAID 0, Restore: within 5 % of 8 single SSDs, any controller; 24 on EP400i and EP420i at"
    " least 20 % faster",
)
def _ssds_limit(curves: Curves) -> Finding:
    eight = {name: best_mode(curves, name, "0", 8, "restore", "sas-ssd") for name in PCIE}
    many = {name: best_mode(curves, name, "0", 24, "restore", "sas-ssd") for name in CACHED}
    one = top(curves, on(single("sas-ssd"), "restore"), "throughput")
    return all_of(
        each(within(f"{name} MB/s", found, 8 * one, share=0.05) for name, found in eight.items()),
        each(compare(f"{name}, 24 against 8:", many[name], eight[name], least=1.2) for name in CACHED),
    )


@paper.says(
    293, "8 SAS SSDs, RAID 5, Restore on EP400i and EP420i: Performance at least 5 % above Fast Path optimum"
)
def _performance_mode(curves: Curves) -> Finding:
    def mb_s(name: str, mode: str) -> float:
        return top(curves, on(array(name, "sas-ssd", "5", 8, mode), "restore"), "throughput")

    return each(
        compare(f"{name} MB/s", mb_s(name, PERFORMANCE), mb_s(name, FAST), least=1.05) for name in CACHED
    )


@paper.says(303, "8 SAS hard disks, EP4x0i: RAID 10 and 5 over RAID 0 above 1 ÷ (reads + penalty × writes)")
def _above_theory(curves: Curves) -> Finding:
    found = []
    for name in CACHED:
        for profile, reads in READ_SHARES.items():
            plain = _hdds(curves, name, "0", 8, profile, "sas-hdd")
            for level in ("10", "5"):
                ratio = _hdds(curves, name, level, 8, profile, "sas-hdd") / plain
                theory = 1 / (reads + PENALTIES[level] * (1 - reads))
                shown = f"{name} {profile} RAID {level}: {ratio * 100:.0f} % against {theory * 100:.0f} %"
                found.append(Finding(ratio > theory, shown))
    return each(found)


@paper.says(
    308,
    "24 SAS SSDs, RAID 0, File server on EP420i: MB/s at least 5 % above the maxima of Streaming and Restore",
)
def _above_sequential(curves: Curves) -> Finding:
    mixed = top(curves, ssds("ep420i", "0", 24, "file-server"), "throughput")
    sequential = max(best_mode(curves, "ep420i", "0", 24, p, "sas-ssd") for p in SEQUENTIAL)
    return compare("MB/s", mixed, sequential, least=1.05)


def fastest(curves: Curves, controller: str, drives: int, profile: str) -> Outcome:
    """Give the fastest point of SAS SSDs at RAID 0, over the load and the cache settings."""
    points = (point for series in ssds(controller, "0", drives, profile) for point in curves(series).values())
    return max(points, key=lambda point: point.rate)


@paper.says(309, "24 SAS SSDs, RAID 0, File server on EP420i: disk links busy over 20 % in both directions")
def _both_directions(curves: Curves) -> Finding:
    point = fastest(curves, "ep420i", 24, "file-server")
    busy = {name: use.utilisation for name, use in point.stations.items() if " x SAS" in name}
    shown = ", ".join(f"{name} {share * 100:.0f} %" for name, share in busy.items())
    return Finding(len(busy) >= 2 and min(busy.values()) > 0.2, shown or "no such station")


@paper.says(310, "24 SAS SSDs, RAID 0, Database on EP420i: the core of the load busy for at least 95 %")
def _one_core(curves: Curves) -> Finding:
    point = fastest(curves, "ep420i", 24, "database")
    busy = max((use.utilisation for use in point.stations.values() if use.place == "host_cpu"), default=0.0)
    return Finding(busy >= 0.95, f"{busy * 100:.0f} % at {point.rate:.0f} IO/s")


def _setting_at_one(curves: Curves, *, profile: str, without: str) -> Finding:
    name = array("ep420i", "sas-ssd", "0", 8, PERFORMANCE)
    having, lacking = (curves(on(one, profile))[1].throughput for one in (name, f"{name}-{without}"))
    return compare("MB/s", having, lacking, least=1.2)


paper.add(
    344,
    "8 SAS SSDs, RAID 0, Streaming at 1 on EP420i: read-ahead at least 20 % above none",
    partial(_setting_at_one, profile="streaming", without="no-read-ahead"),
)
paper.add(
    345,
    "8 SAS SSDs, RAID 0, Restore at 1 on EP420i: write-back at least 20 % above write-through",
    partial(_setting_at_one, profile="restore", without="write-through"),
)


@paper.says(
    346,
    "Streaming at 1, CP400i and EP400i: within 20 % on 4 SATA disks, below 500 MB/s, not on 8 SSDs, above."
    " That CP400i reads ahead is concluded from this as well, so it is no test of that; Restore is not asked",
)
def _threshold(curves: Curves) -> Finding:
    slow = [curves(on(array(name, "sata-hdd", "0", 4), "streaming"))[1].throughput for name in PCIE[:2]]
    fast = [
        curves(on(array(name, "sas-ssd", "0", 8, mode), "streaming"))[1].throughput
        for name, mode in (("cp400i", ""), ("ep400i", PERFORMANCE))
    ]
    apart = Finding(max(slow) < 500 <= max(fast), "")
    return all_of(
        alike("disks, MB/s", slow, 0.20), compare("SSDs, MB/s", fast[1], fast[0], least=1.20), apart
    )


def _operations(curves: Curves, level: str) -> float:
    """Operations on drives for one I/O, random writes of 4 kB."""
    point = curves(on(array("ep420i", "sas-ssd", level, 8, FAST), "random-write-4k"))[32]
    jobs = sum(use.jobs for name, use in point.stations.items() if name.endswith(": firmware"))
    return jobs / point.completed


def _penalty(curves: Curves, *, level: str) -> Finding:
    found = _operations(curves, level)
    return Finding(abs(found - PENALTIES[level]) < 0.02 * PENALTIES[level], f"{found:.2f}")


for _row, _level in ((294, "0"), (295, "10"), (296, "5"), (198, "0")):
    paper.add(
        _row,
        f"RAID {_level}, random writes of 4 kB: {PENALTIES[_level]} operations on SSDs an I/O, within 2 %",
        partial(_penalty, level=_level),
    )


@paper.says(
    197, "random writes of 4 kB: operations on SSDs an I/O rise by half or more from RAID 0 to 10 and to 5"
)
def _amplification(curves: Curves) -> Finding:
    operations = [_operations(curves, level) for level in PENALTIES]
    return rising("operations an I/O, RAID 0, 10, 5:", operations, step=0.5)
