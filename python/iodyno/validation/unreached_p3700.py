"""What the lab does not reach of the P3700 paper."""

from __future__ import annotations

from iodyno.fitting.answered.p3700 import LARGER, LARGEST, RAID1, READ_4K, SINGLE, on
from iodyno.validation.statements import top
from iodyno.validation.statements_p3700 import READING
from iodyno.validation.statements_p3700_host import (
    DEFAULT_SETTINGS,
    LARGE_BLOCKS,
    MIDDLE,
    MIXES,
    READS,
    SLOW,
    SMALL_BLOCKS,
    WRITES,
    loss,
    maxima_by_area,
)
from iodyno.validation.unreached import (
    ONCE_CHANGED,
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

FASTER = 1.01
"""From so many times on a point counts as faster."""
MIX_READS = 0.67
"""Reads of the profiles that read two thirds."""


def mirrors(of: Sources) -> Unreached:
    """p3700-100: what a mirror of two gains in reading."""
    pairs = {name: [of.curves(on(one, name)) for one in (RAID1, SINGLE)] for name in READING}
    gains = {
        name: [(load, mirror[load].rate / one[load].rate) for load in one]
        for name, (mirror, one) in pairs.items()
    }
    most = {name: top(of.curves, on(RAID1, name)) / top(of.curves, on(SINGLE, name)) for name in READING}
    higher = [name for name in READING if most[name] > FASTER]
    points = [(name, load) for name in READING for load, gain in gains[name] if gain >= FASTER]
    first = min((load for _, load in points), default=0)
    alike = [abs(gain - 1) for found in gains.values() for load, gain in found if load <= 8]
    return Unreached(
        "p3700-100 says that RAID 1 usually increases read performance where not all is written. It is"
        f" counted of the maxima, {counted(len(higher))} of {counted(len(READING))} of which are higher, by"
        f" {percents(most[name] - 1 for name in higher)}; that of Database is"
        f" {percents([1 - most['database']])} lower, as in the paper (p3700-080). Over the load RAID 1 is 1 %"
        f" faster or more in {len(points)} of {sum(map(len, gains.values()))} points: of"
        f" {counted(len({name for name, _ in points}))} profiles from {first} outstanding on, of Database"
        f" nowhere. Up to 8 outstanding it is as fast as one SSD, within {at_most(max(alike), 1)}; the paper"
        " says so of Streaming (p3700-095).",
        so=most["database"] < 1
        and len(higher) >= 3
        and all(
            (gain >= FASTER) == (load >= first and name != "database")
            for name in READING
            for load, gain in gains[name]
        )
        and max(alike) < 0.05,
    )


def writes_by_area(of: Sources) -> Unreached:
    """p3700-113: what the full range costs writes of 4 kB."""
    larger, largest = (loss(of.curves, name, WRITES[0]) for name in (LARGER, LARGEST))
    core = maxima_by_area(of.curves, LARGEST, WRITES[0])[1]
    facts = [of.fact(f"intel-p3700-{size}", "random_write_4k") for size in ("1600", "2000")]
    nothing = "nothing" if round(largest, 3) == 0 else percents([largest], 1)
    return Unreached(
        "p3700-113 says of 100 % write and all capacities that the full range costs much. In the lab it does"
        f" at 8 and 64 kB, and at 4 kB with 800 GB. At 4 kB with 1.6 TB it is {percents([larger], 1)} and"
        f" with 2 TB {nothing}: one core makes {round_number(core)} writes/s, and the datasheets have"
        f" {listed(map(round_number, facts))} over the whole range of these drives. So p3700-114, that it"
        " grows with the share of writes, is not asked of them there.",
        so=larger < 0.05
        and largest < 0.05
        and min(loss(of.curves, SINGLE, one) for one in WRITES) > 0.05
        and min(loss(of.curves, name, one) for name in (LARGER, LARGEST) for one in WRITES[1:]) > 0.05,
    )


def frequencies(of: Sources) -> Unreached:
    """p3700-121: what four processes need of the processor."""

    def most(host: str, profile: str, workers: int = 4) -> float:
        return top(of.curves, on(host, profile, workers))

    slow, middle, fast = (most(host, READ_4K) for host in (SLOW, MIDDLE, SINGLE))
    two = most(SINGLE, READ_4K, 2)
    writes = 1 - most(SLOW, WRITES[0]) / most(SINGLE, WRITES[0])
    eight = {
        one: [most(host, one) for host in (SLOW, MIDDLE, SINGLE)] for one in (READS[1], WRITES[1], MIXES[1])
    }
    reads, written, mixed = (round_number(max(found)) for found in eight.values())
    return Unreached(
        "p3700-121 says that four processes on small random blocks need 3.5 GHz. In the lab they are"
        f" {percents([1 - slow / fast])} slower at 1.6 GHz with reads of 4 kB and more with writes, of which"
        f" it is counted; with 2.3 GHz they come to the same {round_number(middle)} reads/s as with 3.5, the"
        " SSD's own limit, at which two processes of 3.5 GHz arrive as well. At 8 kB the SSD is the limit at"
        f" 1.6 GHz already: {reads} reads/s, {written} writes/s and {mixed} IO/s of Database at each"
        " frequency. What several processes cost each other on the host is not modelled.",
        so=writes > 1 - slow / fast > 0.01
        and within([middle, two], [fast, fast]) < 0.01
        and max(within(found, [found[-1]] * 3) for found in eight.values()) < 0.01,
    )


def thresholds(of: Sources) -> Unreached:
    """p3700-126: the rate above which settings matter."""
    named = of.printed("p3700-126")
    tuned = {name: of.curves(on(SINGLE, name)) for name in (*SMALL_BLOCKS, *LARGE_BLOCKS)}
    plain = {name: of.curves(on(DEFAULT_SETTINGS, name)) for name in tuned}
    gains = {
        name: {load: curve[load].rate / plain[name][load].rate - 1 for load in curve}
        for name, curve in tuned.items()
    }
    most = {name: top(of.curves, on(SINGLE, name)) for name in tuned}
    gained = {name: most[name] / top(of.curves, on(DEFAULT_SETTINGS, name)) - 1 for name in tuned}
    nothing = max(abs(gained[name]) for name in LARGE_BLOCKS)
    ones = sorted((tuned[name][1] for name in WRITES[:2]), key=lambda point: point.rate)
    core = [use.utilisation for one in ones for use in one.stations.values() if use.place == "host_cpu"]
    database, of_database = tuned["database"], gains["database"]
    above = [load for load in database if database[load].rate > named]
    little = [load for load in above if of_database[load] < 0.05]
    much = [load for load in above if load not in little]
    return Unreached(
        f"p3700-126 names {round_number(named)} IO/s as the rate above which settings matter. In the lab that"
        " is so of the maxima, of which it is counted: those of 4 and 8 kB, from"
        f" {round_number(min(most[name] for name in SMALL_BLOCKS))} IO/s on, gain"
        f" {percents(gained[name] for name in SMALL_BLOCKS)}, those of 64 kB, up to"
        f" {round_number(max(most[name] for name in LARGE_BLOCKS), 2)},"
        f" {'nothing' if nothing < 0.01 else percents([nothing])}. Over the load it is not. Writes of 4 and 8"
        f" kB gain {percents(gains[name][1] for name in WRITES[:2])} at one outstanding I/O already, at"
        f" {listed(round_number(point.rate, 2) for point in ones)} IO/s: such a write takes"
        f" {numbers(point.latency * 1000 for point in ones)} µs, more than a third of them on the core."
        f" Database gains {percents((of_database[load] for load in little), 1)} at"
        f" {numbers(database[load].rate for load in little)} IO/s, above the paper's rate, and"
        f" {percents(of_database[load] for load in much)} from"
        f" {numbers(database[load].rate for load in much[:1])} on.",
        so=bool(little and much)
        and max(most[name] for name in LARGE_BLOCKS) < named < min(most[name] for name in SMALL_BLOCKS)
        and min(gained[name] for name in SMALL_BLOCKS) > 0.05
        and min(core) > 1 / 3,
    )


def independent(_of: Sources) -> Unreached:
    """p3700-103: a row that does not say all."""
    return Unreached(
        "p3700-103, four independent SSDs at one outstanding I/O each: the paper does not say how many"
        " processes load them. The lab answers with one for each (independent-4); the study has one for all,"
        " too (one-process-4)."
    )


def mixes_by_area(of: Sources) -> Unreached:
    """p3700-111: what the full range costs a mix."""
    profile = MIXES[0]
    full, small = maxima_by_area(of.curves, SINGLE, profile)
    wanted = 0.95 * small
    reads, writes = (of.fact("intel-p3700-800", f"random_{way}_4k") for way in ("read", "write"))
    serial = 1 / (MIX_READS / reads + (1 - MIX_READS) / writes)
    return Unreached(
        "p3700-111, 67 % read over the full range of 800 GB, at 4 kB: the core of the load limits both"
        f" ranges, to {numbers([full, small])} IO/s, and the drive would have to fall to"
        f" {round_number(wanted)}. Looked at:",
        (
            "if it served reads and writes one after the other at its datasheet's rates"
            f" ({round_number(reads)} reads/s, {round_number(writes)} writes/s over the full range) it would"
            f" still come to {round_number(serial)};",
            "to slow the drive by 5 % a read would have to occupy the flash as a whole for 2.5 µs; with more"
            " than 1.6 µs the drive of 1.6 TB would be slower by as much at 8 kB, where the paper sees no"
            f" difference (p3700-112){ONCE_CHANGED};",
            "the lab's mix with four processes, 70 % read over the full range, is above what the datasheet"
            " says of the series on the drive of 2 TB too (intel-p3700-mix): what slows the flash under a"
            " mix is not all there, and one figure of another capacity does not say what it is;",
            "dies whose two planes work as one, half as many and twice as large, bring that mix down by 4 %"
            " and leave this statement as it is; so does a limit of 255 outstanding, Windows' for a driver"
            " without extended requests. With 64 such dies and at most 128 outstanding it would be 169 000,"
            f" but no source says either{ONCE_CHANGED}.",
        ),
        so=full > wanted and serial > wanted,
    )
