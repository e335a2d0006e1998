"""What the lab does not reach of the paper on RAID controllers, and of the one that uses its drives."""

from __future__ import annotations

from iodyno.fitting.answered.raid import (
    LOW,
    OVERLOAD,
    PERFORMANCE,
    WRITE_4K,
    WRITE_8K,
    WRITE_64K,
    array,
    gain,
    on,
    single,
    ssds,
)
from iodyno.prediction.ssd import amplification
from iodyno.units import KIB, MIB
from iodyno.validation.statements import top
from iodyno.validation.statements_raid import (
    CACHED,
    ONBOARD,
    PCIE,
    PENALTIES,
    RANDOM,
    READ_SHARES,
    best_mode,
    busy,
    fastest,
)
from iodyno.validation.unreached import (
    ONCE_CHANGED,
    ONCE_COMPUTED,
    Sources,
    Unreached,
    at_most,
    counted,
    listed,
    numbers,
    percents,
    round_number,
    within,
)

DRIVES = ("drive_front", "drive_media")
"""Places of stations that are a drive's."""
LARGE, SMALL = 64 * KIB, 8 * KIB
"""Blocks of File server and of Database."""
SPARE, ACCESSED = 0.37, 0.25
"""Flash that a drive might have beside its capacity, and what was accessed, as shares of it."""


def file_server(of: Sources) -> Unreached:
    """raid-278: eight SSDs that come to less than eight times one."""
    found = top(of.curves, ssds("ep400i", "0", 8, "file-server"), "throughput")
    one = top(of.curves, on(single("sas-ssd"), "file-server"), "throughput")
    printed, most = of.printed("raid-278"), of.printed("raid-314")
    own = of.printed("raid-256") * LARGE / MIB
    lost = 1 - printed / found
    return Unreached(
        "raid-278, File server on eight SAS SSDs: the lab has eight times one drive, less what is split at"
        f" strips; the paper has {percents([printed / found])} of that, says that the controller is not the"
        f" limit, and has more than {most:.0f} MB/s on 24 of these drives behind the same one. What takes"
        f" {percents([lost])} from a drive in an array is not modelled. Looked at and excluded:",
        (*_busy_and_quick(of), *_drives(of), *_shorter_queues(printed, most), _chance(printed, own)),
        so=0.95 <= found / (8 * one) <= 1.0 and lost > 0.05,
    )


def _busy_and_quick(of: Sources) -> tuple[str, ...]:
    most = busiest_but_drives(of)
    times = _rate(of, "database") / _rate(of, "file-server")
    files = 1 - of.printed("raid-278") / (8 * of.printed("raid-256") * LARGE / MIB)
    database = 1 - of.printed("primequest-195") / (4 * of.printed("raid-255"))
    less = "less than half" if most < 0.5 else percents([most])
    return (
        f"controller, links and core: busy for {less} of the time;",
        "the beginning of a simulation: 400 000 I/Os gave the same when that was tried once;",
        "garbage collection in bursts, for which all drives of an array wait, by calculation: Database,"
        f" whose I/Os come round {counted(round(times))} times as fast, would lose more than File server,"
        f" and loses {percents([database])} of four single drives (primequest-195) where File server loses"
        f" {percents([files])} of eight;",
    )


def _rate(of: Sources, profile: str) -> float:
    return top(of.curves, ssds("ep400i", "0", 8, profile))


def busiest_but_drives(of: Sources) -> float:
    """How busy the busiest station is that is no drive's, where File server is fastest on eight, 0 to 1."""
    stations = fastest(of.curves, "ep400i", 8, "file-server").stations.values()
    return max(use.utilisation for use in stations if use.place not in DRIVES)


def _drives(of: Sources) -> tuple[str, ...]:
    small, large = 1e6 / of.printed("raid-255"), 1e6 / of.printed("raid-256")
    each_kb = (large - small) / ((LARGE - SMALL) / KIB)
    once = small - each_kb * SMALL / KIB
    new, full = (amplification(flash / ACCESSED) for flash in (1 + SPARE, ACCESSED + SPARE))
    return (
        "drives that were new when measured alone and full in the array: with"
        f" {percents([SPARE])} of spare flash and a quarter accessed, a write moves {new:.2f} and {full:.2f}"
        " times its data (Lambert W), and writes are less than half of a drive's work at this load: 5 % at"
        f" most{ONCE_COMPUTED};",
        f"I/Os split at strips (15 of 64): by its own two figures a drive takes {once:.1f} µs for an I/O and"
        f" {each_kb:.1f} µs for each kB of it, so a split costs {percents([once / large])} of an I/O;",
        "the depth, as far as the lab knows it: of one drive only maxima over the load are printed, which do"
        " not show how a mix depends on the depth. In the lab a drive is within"
        f" {at_most(short_of_most(of, 16))} of its maximum from 16 outstanding on, and each of the eight has"
        " 64 at 512, 32 where Windows passes 255 to a logical drive (its most for a driver without extended"
        " requests; its default is 20 for one that asks for nothing);",
    )


def short_of_most(of: Sources, from_load: int) -> float:
    """By what share a drive is below its maximum of File server at the most, from some load on."""
    curve = of.curves(on(single("sas-ssd"), "file-server"))
    most = max(point.rate for point in curve.values())
    return 1 - min(curve[load].rate for load in curve if load >= from_load) / most


def _shorter_queues(printed: float, most: float) -> tuple[str, ...]:
    return (
        f"fewer to the whole logical drive: the 41 with which eight come to {printed:.0f} MB/s would hold 24"
        f" to 4200, against the paper's {most:.0f}{ONCE_CHANGED};",
        "random reads that go on to the end of their strip, as other makers' controllers read ahead: they"
        " would hold 24 drives to 4100 MB/s on the disk links, against the paper's"
        f" {most:.0f}{ONCE_COMPUTED};",
        "whole cache lines of 64 kB: they would come to 2890 MB/s here, but four SATA SSDs would then be 29"
        " % slower behind a controller with a cache than behind CP400i, where the paper has no step down"
        f" (raid-270){ONCE_CHANGED}.",
    )


def _chance(printed: float, own: float) -> str:
    return (
        f"{printed:.0f} is {printed / (8 * own):.3f} times eight of the paper's own single drives (raid-256:"
        f" {own:.0f} MB/s), and 75 % is what its rule gives RAID 10 at this load (raid-298); whether that is"
        " chance cannot be told from outside."
    )


def database_on_four(_of: Sources) -> Unreached:
    """primequest-195: the same drives, four of them."""
    return Unreached(
        "primequest-195, Database on four of these drives: not out of reach, but as much too high as the"
        " drive's own fit at Database and what is missing in raid-278 make it."
    )


def _by_class(of: Sources, drive: str, level: str, profile: str) -> tuple[float, float, list[float]]:
    """Maxima of the fastest onboard controller, of that without a cache, of those with it."""
    onboard = max(best_mode(of.curves, name, level, 4, profile, drive) for name in ONBOARD)
    plain, *cached = (best_mode(of.curves, name, level, 4, profile, drive) for name in PCIE)
    return onboard, plain, cached


def ssds_by_class(of: Sources) -> Unreached:
    """raid-270: SATA SSDs at RAID 0, by the class of the controller."""
    rates = {name: best_mode(of.curves, name, "0", 4, "database", "sata-ssd") for name in (*ONBOARD, *PCIE)}
    slow = rates.pop("c610")
    gains = {}
    for profile in RANDOM:
        onboard, plain, cached = _by_class(of, "sata-ssd", "0", profile)
        gains[profile] = max(plain, *cached) / onboard - 1
    copy = gains.pop("file-copy")
    return Unreached(
        "raid-270 says that on four SATA SSDs at RAID 0 the rate of random profiles rises with the class of"
        " the controller. In the lab it does not: behind each of them the SSDs are the limit, or nearly (at"
        f" Database {numbers(rates.values())} IO/s), but for Database behind C610, which a core of 2.6 GHz"
        f" holds to {round_number(slow)}: the statement is checked from the fastest onboard controller on."
        f" File copy gains {percents([copy], 1)}, hardly more than it scatters by, the others less than 1 %."
        " Nothing in the shared figures says how much the rate rises, or what the slower classes lose.",
        so=slow < min(rates.values()) and 0 < copy < 0.02 and max(gains.values()) < 0.01,
    )


def others_by_class(of: Sources) -> Unreached:
    """raid-268 and raid-271: SATA hard disks at RAID 0, SATA SSDs at RAID 10."""
    disks = [_by_class(of, "sata-hdd", "0", profile) for profile in RANDOM]
    solid = [_by_class(of, "sata-ssd", "10", profile) for profile in RANDOM]
    off = within((one[1] for one in disks), (one[0] for one in disks))
    cached = [one / plain - 1 for _, plain, found in solid for one in found]
    return Unreached(
        "raid-268 and raid-271 say the same of four SATA hard disks at RAID 0 and four SATA SSDs at RAID 10."
        " In the lab the disks are faster behind a cache, but behind CP400i as fast as behind onboard"
        f" controllers (within {at_most(off, 1)}), and the SSDs are faster behind CP400i, which reads both"
        f" copies, but no faster behind a cache ({_slower_to_faster(cached)}). Of hard disks at RAID 10"
        " (raid-269) it holds from each class to the next.",
        so=min(min(found) / plain for _, plain, found in disks) > 1.01
        and off < 0.01
        and min(one[1] / one[0] for one in solid) > 1.01
        and max(map(abs, cached)) < 0.01,
    )


def _slower_to_faster(shares: list[float]) -> str:
    low, high = min(shares), max(shares)
    if low >= 0 or high <= 0:
        return f"{percents(map(abs, shares), 1)} {'faster' if low >= 0 else 'slower'}"
    return f"{percents([-low], 1)} slower to {percents([high], 1)} faster"


def controllers_at_their_limit(of: Sources) -> Unreached:
    """raid-277: what holds Database on many SSDs."""
    use = [busy(of.curves, name, "database") for name in CACHED]
    most = [[best_mode(of.curves, name, "0", n, "database", "sas-ssd") for n in (24, 8)] for name in CACHED]
    core = min(
        max(one.utilisation for one in point.stations.values() if one.place == "host_cpu")
        for point in (fastest(of.curves, name, 8, "database") for name in CACHED)
    )
    return Unreached(
        "raid-277 says that Database on eight SAS SSDs at RAID 0 has come to the limit of EP400i and EP420i."
        " In the lab 24 SSDs are no faster either, but what they have come to is the core of the load, busy"
        " all the time: the processor of the controller, its busiest part, is at"
        f" {percents(one['controller'] for one in use)}. The paper has one core of the host at almost 100 %"
        " on small random blocks too (raid-310), and the core's work for an I/O is fitted to the maximum of"
        " 24 SSDs (raid-351), so that the lab cannot tell what the controller would come to.",
        so=core > 0.99
        and all(many < 1.02 * eight for many, eight in most)
        and max(one["controller"] for one in use) < 0.9,
    )


def cache_by_load(of: Sources) -> Unreached:
    """raid-336: what the larger cache gains of writes alone, by the load."""
    gains = [
        [gain(profile, loads).value(of.curves) - 1 for loads in (LOW, OVERLOAD)]
        for profile in (WRITE_4K, WRITE_8K, WRITE_64K)
    ]
    four, eight, large = ([f"{share * 100:.1f}" for share in shares] for shares in gains)
    low, over = (of.figures[name].value for name in ("raid-328", "raid-329"))
    return Unreached(
        "raid-336 says that the larger cache gains more the higher the load. In the lab that is so of 67 %"
        " reads, of which it is counted. Of writes alone it gains the same at 1 to 32 and at 64 to 512:"
        f" {listed(four)} % at 4 kB, {listed(eight)} at 8 kB, {listed(large)} at 64 kB, where the paper has"
        f" less than {low.removeprefix('<')} % and then {over.replace('-', ' to ')} (raid-328, raid-329).",
        so=all(abs(late - early) < 0.01 for early, late in gains),
    )


def rule_without_cache(of: Sources) -> Unreached:
    """raid-303: what RAID 10 costs disks behind a controller that has no cache."""

    def ratio(name: str, drive: str, drives: int, profile: str) -> float:
        ten, none = (best_mode(of.curves, name, level, drives, profile, drive) for level in ("10", "0"))
        return ten / none

    rule = {name: 1 / (reads + PENALTIES["10"] * (1 - reads)) for name, reads in READ_SHARES.items()}
    found = {name: ratio("cp400i", "sas-hdd", 8, name) for name in rule}
    onboard = [ratio(name, "sata-hdd", 4, profile) for name in ONBOARD for profile in rule]
    says, has = (listed([f"{one[name] * 100:.0f}" for name in rule]) for one in (rule, found))
    above = [name.capitalize().replace("-", " ") for name in rule if found[name] > rule[name]]
    where = f"at {listed(above)} only" if above else "nowhere"
    off = max(abs(found[name] - rule[name]) for name in rule)
    return Unreached(
        "raid-303 is said of any controller with hard disks, and holds in the lab for those with a cache, of"
        f" which it is counted. CP400i comes to what the rule says of RAID 10 within {at_most(off)}, above it"
        f" {where} ({has} % against {says} on eight SAS disks): a disk without its cache takes longer for a"
        " write than for a read, of which the rule knows nothing. Onboard controllers come to half (RAID 10"
        " of four disks), because they read one disk of each pair here: the paper says that only PCIe"
        " controllers read both in Streaming (raid-267) and are fastest at random access (raid-266).",
        so=len(above) < len(rule) and off < 0.02 and all(abs(one - 0.5) < 0.05 for one in onboard),
    )


def _at_one(of: Sources, configuration: str, profile: str) -> float:
    return of.curves(on(configuration, profile))[1].throughput


def restore_at_one(of: Sources) -> Unreached:
    """raid-346: from which rate on controllers differ."""
    plain, striped, mirrored_plain, mirrored = (
        _at_one(of, array(name, "sata-hdd", level, 4), "restore")
        for level in ("0", "10") for name in ("cp400i", "ep400i")
    )  # fmt: skip
    return Unreached(
        "raid-346 says of sequential profiles at one outstanding I/O that controllers differ from 500 MB/s"
        " on only. In the lab it holds in Streaming, of which it is counted. In Restore four SATA disks at"
        f" RAID 0 come to {plain:.0f} MB/s behind CP400i, which has no cache and has one disk at work at a"
        f" time, and to {striped:.0f} behind EP400i, at RAID 10 to {mirrored_plain:.0f} and {mirrored:.0f}.",
        so=max(plain, striped, mirrored_plain, mirrored) < 500 and striped > 1.2 * plain,
    )


def levels_at_one(of: Sources) -> Unreached:
    """raid-338 to raid-343: one outstanding I/O at other levels than RAID 0."""

    def found(name: str, profile: str) -> list[float]:
        mode = PERFORMANCE if name in CACHED else ""
        return [_at_one(of, array(name, "sas-ssd", level, 8, mode), profile) for level in ("0", "10", "5")]

    streaming, restore = (found("ep400i", profile) for profile in ("streaming", "restore"))
    plain, written = (found("cp400i", profile) for profile in ("streaming", "restore"))
    return Unreached(
        "raid-338 to raid-343 say beside their maxima at one outstanding I/O that only RAID 0 reaches them."
        " No row gives a figure of another level, so this is not among the statements counted, and the lab"
        " does not bear it out: eight SSDs behind EP400i come to the same at RAID 0, 10 and 5"
        f" ({_whole(streaming)} MB/s in Streaming and {_whole(restore)} in Restore, of 2^20 bytes), behind"
        f" CP400i to {_whole(plain)} in Streaming at each, and in Restore to"
        f" {listed([f'{one:.0f}' for one in written])}. What a level costs the controller when nothing waits"
        " no source tells.",
        so=max(within(one, one[1:] + one[:1]) for one in (streaming, restore, plain)) < 0.01,
    )


def _whole(values: list[float]) -> str:
    return numbers(values, lambda one: f"{one:.0f}")
