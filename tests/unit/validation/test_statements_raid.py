"""Statements of the papers on RAID controllers and PRIMEQUEST hold, and fail, by what they claim."""

from __future__ import annotations

import pytest

from iodyno.validation.tables import STATEMENTS
from made_up_curves import Case, Told, busy, made_up, operations

RANDOM = ("file-copy", "file-server", "database")
SEQUENTIAL = ("streaming", "restore")
CACHED = ("ep400i", "ep420i")
PCIE = ("cp400i", *CACHED)
ONBOARD = ("c220", "c236", "c610")


def each(what: str, value: float, *names: str) -> tuple[Told, ...]:
    """Change one series after the other."""
    return tuple({what.format(name): value} for name in names)


def _writes(level: str, count: int) -> Told:
    return {f"ep420i-8x-sas-ssd-raid{level}-fast-path-optimum random-write-4k@32": operations(count)}


def _penalty(row: int, level: str, count: int) -> Case:
    return Case(
        f"raid-{row}",
        _writes(level, count),
        (_writes(level, count * 1021 // 1000), _writes(level, count * 979 // 1000), _writes(level, 0)),
        (_writes(level, count * 1019 // 1000), _writes(level, count * 981 // 1000)),
    )


def _fast_path(row: int) -> Case:
    fast, plain = "-24x-sas-ssd-raid0-fast-path-optimum database", "-24x-sas-ssd-raid0-performance database"
    return Case(
        f"raid-{row}",
        {f"ep4?0i{fast}": 105.1},
        (*each("{}" + fast, 104.9, *CACHED), *each("{}" + plain, 101, *CACHED)),
    )


def _above_plain(row: int, level: str) -> Case:
    """Controllers with a cache against CP400i, on eight hard disks."""
    array = f"-8x-sas-hdd-raid{level}"
    return Case(
        f"raid-{row}",
        {f"ep4?0i{array} *": 105.1},
        tuple({f"{name}{array} {profile}": 104.9} for name in CACHED for profile in RANDOM),
        ({f"cp400i{array} *": 80},),
    )


def _times(row: int, level: str, times: int) -> Case:
    """So many times a single hard disk."""
    array = f"-8x-sas-hdd-raid{level}"
    return Case(
        f"raid-{row}",
        {f"*{array} *": 100 * times},
        tuple(
            {f"{name}{array} {profile}": off * times}
            for name in PCIE for profile in SEQUENTIAL for off in (95, 105.1)
        ),
        ({f"*{array} *": 95.5 * times}, {f"*{array} *": 104.9 * times}),
    )  # fmt: skip


def _cached_database(row: int, level: str) -> Case:
    array = f"-8x-sas-ssd-raid{level}"
    return Case(
        f"raid-{row}",
        {f"ep4?0i{array}-* database": 105.1},
        (*each("{}" + array + "-* database", 104.9, *CACHED), {f"cp400i{array} database": 101}),
        each("{}" + array + "-performance database", 50, *CACHED),
    )


TWO, FOUR = "-2x-sata-ssd-raid1", "-4x-sata-"
WITHOUT, WITH = "cp400i-8x-sas-ssd-", "ep4?0i-8x-sas-ssd-"
HDDS, SSDS, MANY = "-8x-sas-hdd-", "-8x-sas-ssd-", "-24x-sas-ssd-"
CONTROLLERS = (
    Case(
        "raid-197",
        {**_writes("0", 1000), **_writes("10", 2000), **_writes("5", 4000)},
        (_writes("10", 1499), _writes("5", 2999)),
        (_writes("10", 1501), _writes("5", 3001)),
    ),
    _penalty(198, "0", 1000),
    _fast_path(199),
    _fast_path(201),
    Case(
        "raid-202",
        {"ep420i-8x-sas-hdd-raid5 random-write-4k": 105.1},
        (
            {"ep420i-8x-sas-hdd-raid5 random-write-4k": 104.9},
            {"ep420i-8x-sas-hdd-raid5-write-through random-write-4k@1": 101},
        ),
    ),
    Case(
        "raid-203",
        {"single-sas-hdd random-write-4k": 105.1},
        ({"single-sas-hdd random-write-4k": 104.9}, {"single-sas-hdd-cache-off random-write-4k@1": 101}),
    ),
    Case(
        "raid-266",
        {f"*400i{TWO}* *": 105.1, f"ep420i{TWO}* *": 105.1},
        tuple({f"{name}{TWO}* {p}": 104.9} for name in ("cm400i", "psas-cp400i", *PCIE) for p in RANDOM)
        + tuple({f"{name}{TWO} {p}": 101} for name in ONBOARD for p in RANDOM),
        each("{}" + TWO + "-performance *", 50, *CACHED),
    ),
    Case(
        "raid-267",
        {f"*400i{TWO}* streaming": 121, f"ep420i{TWO}* streaming": 121},
        each("{}" + TWO + "* streaming", 119, "cm400i", "psas-cp400i", *PCIE)
        + each("{}" + TWO + " streaming", 102, *ONBOARD),
    ),
    Case(
        "raid-268",
        {f"ep4?0i{FOUR}hdd-raid0 *": 102},
        tuple({f"{name}{FOUR}hdd-raid0 {p}": 100.9} for name in CACHED for p in RANDOM)
        + each("cp400i" + FOUR + "hdd-raid0 {}", 97.9, *RANDOM)
        + tuple({f"{name}{FOUR}hdd-raid0 {p}": 102.1} for name in ONBOARD for p in RANDOM),
        ({f"cp400i{FOUR}hdd-raid0 *": 98.1}, {f"c610{FOUR}hdd-raid0 *": 50}),
    ),
    Case(
        "raid-269",
        {f"cp400i{FOUR}hdd-raid10 *": 102, f"ep4?0i{FOUR}hdd-raid10 *": 104},
        tuple({f"{name}{FOUR}hdd-raid10 {p}": 103} for name in CACHED for p in RANDOM)
        + each("cp400i" + FOUR + "hdd-raid10 {}", 100.9, *RANDOM)
        + tuple({f"{name}{FOUR}hdd-raid10 {p}": 101.1} for name in ONBOARD for p in RANDOM),
        ({f"c610{FOUR}hdd-raid10 *": 50},),
    ),
    Case(
        "raid-270",
        {f"cp400i{FOUR}ssd-raid0 *": 102, f"ep4?0i{FOUR}ssd-raid0-* *": 104},
        tuple({f"{name}{FOUR}ssd-raid0-* {p}": 103} for name in CACHED for p in RANDOM)
        + each("cp400i" + FOUR + "ssd-raid0 {}", 100.9, *RANDOM),
        each("{}" + FOUR + "ssd-raid0-fast-path-optimum *", 50, *CACHED),
    ),
    Case(
        "raid-271",
        {f"cp400i{FOUR}ssd-raid10 *": 102, f"ep4?0i{FOUR}ssd-raid10-* *": 100},
        tuple({f"{name}{FOUR}ssd-raid10-* {p}": 99.9} for name in CACHED for p in RANDOM)
        + each("cp400i" + FOUR + "ssd-raid10 {}", 100.9, *RANDOM),
    ),
    Case(
        "raid-272",
        {},
        tuple(
            {f"{name}{FOUR}hdd-raid0 {p}": 105.1}
            for name in (*ONBOARD, "psas-cp400i", *PCIE)
            for p in SEQUENTIAL
        ),
        ({f"c220{FOUR}hdd-raid0 restore": 104.9}, {f"c220{FOUR}hdd-raid0 database": 300}),
    ),
    _above_plain(273, "0"),
    _above_plain(274, "10"),
    _above_plain(275, "5"),
    Case(
        "raid-276",
        {},
        each("ep420i" + SSDS + "raid0-* {}", 98.9, *RANDOM)
        + each("cp400i" + SSDS + "raid0 {}", 101.1, *RANDOM)
        + each("ep400i" + SSDS + "raid0-performance {}", 101.1, *RANDOM),
        (
            {f"ep420i{SSDS}raid0-* *": 99.1},
            {f"ep420i{SSDS}raid0-performance *": 50},
            {f"ep420i{SSDS}raid0-* *": 200},
        ),
    ),
)

limiting = busy(controller=0.91, core=0.5)
LIMITS = (
    Case(
        "raid-277",
        {f"{WITH}raid0-* database": busy(controller=0.91, core=0.5)},
        (
            *({f"{name}{SSDS}raid0-* database": busy(controller=0.89, core=1.0)} for name in CACHED),
            {f"{WITH}raid0-* database": busy(controller=0.5, link=0.95)},
            *({f"{name}{MANY}raid0-performance database": 105.1} for name in CACHED),
        ),
        ({"*-24x-* database": 104.9}, {f"{WITH}raid0-performance database": busy(90, controller=0.1)}),
    ),
    Case(
        "raid-279",
        {
            f"*{SSDS}raid0* file-*": busy(controller=0.89, drive=0.99, link=0.95),
            f"*{MANY}raid0-* file-*": 131,
        },
        (
            *({f"{name}{SSDS}raid0* {p}": limiting} for name in PCIE for p in RANDOM[:2]),
            *({f"{name}{MANY}raid0-* {p}": 129} for name in CACHED for p in RANDOM[:2]),
        ),
    ),
    Case(
        "raid-280",
        {f"*{SSDS}raid0* file-*": 105.1, f"*{SSDS}raid0* database": 800},
        tuple({f"{name}{SSDS}raid0* {p}": 104.9} for name in PCIE for p in RANDOM[:2]),
        ({f"{WITH}raid0-performance file-*": 50},),
    ),
    _cached_database(281, "10"),
    _cached_database(282, "5"),
    _times(283, "0", 8),
    _times(286, "5", 7),
    Case(
        "raid-287",
        {},
        (
            *each("{}" + SSDS + "raid5* streaming", 97, *PCIE),
            *each("{}" + SSDS + "raid5* streaming", 103.1, *PCIE),
        ),
        (
            *each("{}" + SSDS + "raid5* streaming", 97.1, *PCIE),
            *each("{}" + SSDS + "raid5-performance streaming", 50, *CACHED),
        ),
    ),
    Case(
        "raid-288",
        {f"*{SSDS}raid5* restore": 94.9},
        (
            *each("{}" + SSDS + "raid5* restore", 95.1, *PCIE),
            *each("{}" + SSDS + "raid5-performance restore", 95.1, *CACHED),
        ),
        each("{}" + SSDS + "raid5-performance restore", 50, *CACHED),
    ),
    Case(
        "raid-290",
        {f"*{SSDS}raid0* restore": 800, f"{WITH.replace('8x', '24x')}raid0-* restore": 961},
        (
            *each("{}" + SSDS + "raid0* restore", 760, *PCIE),
            *each("{}" + SSDS + "raid0* restore", 841, *PCIE),
            *each("{}" + MANY + "raid0-* restore", 959, *CACHED),
        ),
        ({f"cp400i{SSDS}raid0 restore": 763}, {f"cp400i{SSDS}raid0 restore": 839}),
    ),
    Case(
        "raid-293",
        {f"{WITH}raid5-performance restore": 105.1},
        (
            *each("{}" + SSDS + "raid5-performance restore", 104.9, *CACHED),
            *each("{}" + SSDS + "raid5-fast-path-optimum restore@1", 101, *CACHED),
        ),
    ),
    _penalty(294, "0", 1000),
    _penalty(295, "10", 2000),
    _penalty(296, "5", 4000),
    # 1 ÷ (reads + 2 or 4 × writes): 66.7 and 40 % at half reads, 75.2 and 50.3 % at 67 % reads.
    Case(
        "raid-303",
        {
            f"ep4?0i{HDDS}raid10 *": 75.3, f"ep4?0i{HDDS}raid10 file-copy": 66.8,
            f"ep4?0i{HDDS}raid5 *": 50.4, f"ep4?0i{HDDS}raid5 file-copy": 40.1,
        },
        tuple(
            {f"{name}{HDDS}raid{level} {profile}": share}
            for name in CACHED
            for level, profile, share in (
                ("10", "file-copy", 66.6), ("10", "file-server", 75.1), ("10", "database", 75.1),
                ("5", "file-copy", 39.9), ("5", "file-server", 50.2), ("5", "database", 50.2),
            )
        ),
    ),
    Case(
        "raid-308",
        {f"ep420i{MANY}raid0-* file-server": 105.1 * 16},
        (
            {f"ep420i{MANY}raid0-* file-server": 104.9 * 16},
            *each("ep420i" + MANY + "raid0-performance {}", 101, *SEQUENTIAL),
        ),
        ({f"ep420i{MANY}raid0-performance file-server": 50},),
    ),
    Case(
        "raid-309",
        {f"ep420i{MANY}raid0-* file-server": busy(writes=0.21, reads=0.5)},
        (
            {f"ep420i{MANY}raid0-* file-server": busy(writes=0.19, reads=0.5)},
            {f"ep420i{MANY}raid0-* file-server": busy(writes=0.5, reads=0.19)},
            {f"ep420i{MANY}raid0-* file-server": busy(writes=0.5)},
            {f"ep420i{MANY}raid0-* file-server": busy(link=0.5, core=0.5)},
        ),
    ),
    Case(
        "raid-310",
        {f"ep420i{MANY}raid0-* database": busy(core=0.96)},
        (
            {f"ep420i{MANY}raid0-* database": busy(core=0.94, drive=0.99)},
            {f"ep420i{MANY}raid0-* database": busy(drive=0.99)},
            {f"ep420i{MANY}raid0-* database@8": busy(101, core=0.5)},
        ),
        ({f"ep420i{MANY}raid0-* database@8": busy(99, core=0.5)},),
    ),
)  # fmt: skip


def _setting(row: int, profile: str, without: str) -> Case:
    name = f"ep420i{SSDS}raid0-performance"
    return Case(
        f"raid-{row}",
        {f"{name} {profile}@1": 121},
        ({f"{name} {profile}@1": 119}, {f"{name}-{without} {profile}@1": 102}),
        ({f"{name}-{without} {profile}@2-512": 300},),
    )


READ_4K, READ_64K, WRITE_4K, WRITE_8K, WRITE_64K = (
    "random-read-67-4k", "file-server", "random-write-4k", "random-write-8k", "random-write-64k",
)  # fmt: skip
EIGHT_5, EIGHT_10, FOUR_5 = (f"ep420i-{n}x-sas-hdd-raid{level}" for n, level in ((8, 5), (8, 10), (4, 5)))
CACHES = (EIGHT_5, EIGHT_10, FOUR_5)
CACHE_SIZE = (
    Case(
        "raid-332",
        {"ep420i-*-sas-hdd-raid* *": 102, "ep420i-*-sas-hdd-raid* random-write-*": 103.1},
        tuple({f"{name} {profile}": 102.9} for name in CACHES for profile in (WRITE_4K, WRITE_64K)),
    ),
    Case(
        "raid-333",
        {f"{EIGHT_5} *": 103.1, f"{EIGHT_10} *": 102},
        each(EIGHT_5 + " {}", 102.9, READ_4K, WRITE_4K),
    ),
    Case(
        "raid-334",
        {f"{EIGHT_5} *": 102, f"{FOUR_5} *": 103.1},
        each(FOUR_5 + " {}", 102.9, READ_4K, WRITE_4K),
    ),
    Case(
        "raid-335",
        {
            "ep420i-*-sas-hdd-raid* random-write-4k": 106.2, "ep420i-*-sas-hdd-raid* random-write-8k": 105.1,
            "ep420i-*-sas-hdd-raid* random-write-64k": 104, f"ep420i-*-sas-hdd-raid* {READ_4K}": 103.1,
            f"ep420i-*-sas-hdd-raid* {READ_64K}": 102,
        },
        tuple(
            {f"{name} {profile}": gain}
            for name in CACHES
            for profile, gain in ((WRITE_4K, 106), (WRITE_8K, 104.9), (WRITE_64K, 104.2), (READ_4K, 102.9))
        ),
    ),
    Case(
        "raid-336",
        {f"{EIGHT_5} {READ_4K}@64-512": 100.6, f"{EIGHT_5} {READ_64K}@64-512": 100.6},
        (
            *each(EIGHT_5 + " {}@64-512", 100.4, READ_4K, READ_64K),
            *each(EIGHT_5 + " {}@32", 101, READ_4K, READ_64K),
        ),
    ),
    Case(
        "raid-337",
        {},
        tuple(
            {f"ep420i{SSDS}raid{level}-* {profile}": off}
            for level in ("0", "10", "5") for profile in (*RANDOM, *SEQUENTIAL) for off in (97, 103.1)
        )
        + tuple(
            {f"ep420i{HDDS}raid{level} {profile}": 103.1}
            for level in ("0", "10", "5") for profile in SEQUENTIAL
        ),
        ({f"ep420i{SSDS}raid*": 102.9}, {f"ep420i{SSDS}raid*": 97.1}, {f"ep420i{HDDS}raid5 database": 150}),
    ),
    _setting(344, "streaming", "no-read-ahead"),
    _setting(345, "restore", "write-through"),
    Case(
        "raid-346",
        {"*-sas-ssd-* streaming": 450, f"ep400i{SSDS}raid0-performance streaming@1": 541},
        (
            {f"ep400i{SSDS}raid0-performance streaming@1": 539},
            {f"cp400i{FOUR}hdd-raid0 streaming@1": 120.1},
            {f"cp400i{FOUR}hdd-raid0 streaming@1": 83},
            {f"*{FOUR}hdd-raid0 streaming@1": 500},
            {"*-sas-ssd-* streaming": 400, f"ep400i{SSDS}raid0-performance streaming@1": 499},
        ),
        ({f"cp400i{FOUR}hdd-raid0 streaming@1": 119.9}, {f"*{FOUR}hdd-raid0 streaming@1": 499}),
    ),
    Case(
        "primequest-192",
        {"full-* *": 800},
        tuple({f"full-{drive}-* {p}": off} for drive in ("ssd", "hdd") for p in (*RANDOM, *SEQUENTIAL)
              for off in (776, 825)),
        ({"full-* *": 777}, {"full-* *": 823}, {"full-*-performance *": 100},
         {"sb-* *": 150, "du-2c-* *": 50}),
    ),
)  # fmt: skip

CASES = (*CONTROLLERS, *LIMITS, *CACHE_SIZE)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.figure)
def test_a_statement_holds_with_what_it_claims_and_fails_without(case: Case) -> None:
    for holds, told in case.tries():
        assert STATEMENTS[case.figure].check(made_up(told)).right == holds, told


def test_every_statement_of_these_papers_is_tried() -> None:
    tried = [case.figure for case in CASES]
    assert sorted(tried) == [name for name in STATEMENTS if name.startswith(("raid", "primequest"))]
