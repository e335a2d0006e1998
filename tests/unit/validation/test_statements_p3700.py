"""Statements of the papers on the P3700 and on host connections hold, and fail, by what they claim."""

from __future__ import annotations

import pytest

from iodyno.validation.tables import STATEMENTS
from made_up_curves import Case, Told, busy, made_up

READS = ("random-read-4k", "random-read-8k", "random-read-64k")
MIXES = ("random-67-4k", "database", "file-server")
WRITES = ("random-write-4k", "random-write-8k", "random-write-64k")
SMALL = (*READS[:2], *MIXES[:2], *WRITES[:2])
LARGE = (READS[2], MIXES[2], WRITES[2], "file-copy")
FIELD = ("file-copy", "file-server", "database", "streaming", "restore")


def each(what: str, value: float, names: tuple[str, ...]) -> tuple[Told, ...]:
    """Change one series after the other."""
    return tuple({what.format(name): value} for name in names)


def _capacities(row: int, profile: str, inside: float, outside: float) -> Case:
    series = "single-{}g " + profile
    return Case(
        f"p3700-{row:03d}",
        {},
        (
            *each(f"{series}@8", outside, ("1600", "2000")),
            *each(f"{series}@512", 200 - outside, ("800", "2000")),
        ),
        each(f"{series}@8", inside, ("800", "1600", "2000")),
    )


def _not_above(row: int, array: str) -> Case:
    return Case(f"p3700-{row:03d}", {}, ({f"{array} database@64": 103.1},), ({f"{array} database": 102.9},))


def _between(row: int, profile: str) -> Case:
    one, mirror, stripe = (f"{name} {profile}" for name in ("single-800g", "raid1-of-2", "raid0-of-2"))
    return Case(
        f"p3700-{row:03d}",
        {one: 100, mirror: 130, stripe: 160},
        (
            {f"{mirror}@1-3": 90},
            {f"{mirror}@1-3": 96.9},
            {f"{stripe}@1-3": 126},
            {mirror: 104},
            {stripe: 136},
            {mirror: 170},
        ),
        (
            {f"{mirror}@1-2": 90},
            {f"{mirror}@1-3": 97.1},
            {f"{stripe}@1-3": 126.4},
            {mirror: 106},
            {stripe: 137},
        ),
    )


ONE_TO_FOUR = (
    Case("p3700-006", {}, each("single-800g-sff {}", 98.9, FIELD), each("single-800g-sff {}", 99.1, FIELD)),
    Case(
        "p3700-058",
        {"single-800g database@1": 40},
        (
            {"single-800g database@1": 51},
            {"single-800g database@8": 98.9},
            {"single-800g database@8-16": 99.4, "single-800g database@32": 98.5},
            {"single-800g database": 100},
        ),
        (
            {"single-800g database@1": 49},
            {"single-800g database@2": 60},
            {"single-800g database@8": 99.1},
        ),
    ),
    _capacities(59, "database", 104.9, 105.4),
    _capacities(62, "file-server", 104.9, 105.4),
    _capacities(63, "file-copy", 104.9, 105.4),
    Case(
        "p3700-067",
        {"single-800g streaming": 2400},
        (
            {"single-800g streaming": 2320},
            {"single-800g streaming": 2480},
            {"single-800g streaming@64": 2320},
            {"single-800g streaming@512": 2480},
        ),
        (
            {"single-800g streaming": 2340},
            {"single-800g streaming": 2460},
            {"single-800g streaming@1-16": 500},
        ),
    ),
    Case(
        "p3700-068",
        {"single-800g streaming@2": 94},
        ({"single-800g streaming@2": 96}, {"single-800g streaming@1": 98}, {"single-800g streaming@8": 98}),
        ({"single-800g streaming@1": 99.5}, {"single-800g streaming@8": 99.5}),
    ),
    _capacities(69, "streaming", 101.9, 102.1),
    Case(
        "p3700-074",
        {"single-2000g restore": 105},
        (
            {"single-2000g restore@64": 100.9},
            {"single-2000g restore": 115.5},
            {"single-800g restore@4": 105},
            {"single-1600g restore@1": 105},
        ),
        ({"single-2000g restore": 101.1}, {"single-2000g restore": 114.5}),
    ),
    _not_above(82, "raid0-of-2"),
    Case(
        "p3700-083",
        {"* database@1": 10, "* database@2-32": 60, "raid0-of-2 database@8": 67},
        (
            {"raid0-of-2 database@8": 65.9},
            {"raid0-of-2 database@1": 10.6},
            {"raid1-of-2 database@1": 10.6},
            {"raid0-of-2 database@512": 105.1},
            {"raid1-of-2 database@64": 105.1},
            {"single-800g database@128": 99.1, "raid0-of-2 database@128": 104.9},
        ),
        (
            {"raid1-of-2 database@64-512": 80},
            {"raid0-of-2 database@64-512": 104.9},
            {"single-800g database@64": 98.9, "raid0-of-2 database@64": 104.9},
        ),
    ),
    _between(89, "file-server"),
    _between(90, "file-copy"),
    Case(
        "p3700-095",
        {"raid1-of-2 streaming@16-512": 200},
        ({"raid1-of-2 streaming@8": 105.1}, {"raid1-of-2 streaming@1": 95}),
        ({"raid1-of-2 streaming@8": 104.9}, {"raid1-of-2 streaming@1": 95.5}),
    ),
    Case(
        "p3700-096",
        {"raid1-of-2 streaming@1-8": 50},
        ({"raid1-of-2 streaming@16": 95}, {"raid1-of-2 streaming@512": 105.1}),
        ({"raid1-of-2 streaming@16": 95.5},),
    ),
    Case(
        "p3700-100",
        {"raid1-of-2 *": 106, "raid1-of-2 database": 80},
        each("raid1-of-2 {}", 104, ("file-copy", "file-server", "streaming")),
        ({"raid1-of-2 database": 106}, {"raid1-of-2 database": 106, "raid1-of-2 streaming": 100}),
    ),
    _not_above(106, "raid0-of-4"),
    Case(
        "p3700-167",
        {"single-800g sequential-*-1k@1": 94},
        (*each("single-800g sequential-{}-1k@1", 96, ("read", "write")), {"iodrive2-1200g *@1": 98}),
    ),
)

AREA_AND_HOST = (
    Case(
        "p3700-109",
        {},
        each("single-{}g-full streaming", 95, ("800", "1600", "2000"))
        + each("single-{}g-full restore", 105.1, ("800", "1600", "2000")),
        (
            {"single-800g streaming@3": 200},
            {"single-800g streaming@8": 50},
            {"single-800g-full streaming@8": 50},
            {"*-full restore": 95.5},
            {"*-full streaming": 104.9},
        ),
    ),
    Case(
        "p3700-110",
        {"*-full random-write-*": 50},
        each("single-1600g-full {}", 95, READS) + each("single-2000g-full {}", 105.1, READS),
        ({"single-800g random-read-4k@3": 200}, {"*-full random-read-*": 95.5}),
    ),
    Case("p3700-111", {"single-800g-full *": 94.9}, each("single-800g-full {}", 95.1, MIXES)),
    Case(
        "p3700-112",
        {"single-1600g-full file-server": 94.9},
        ({"single-1600g-full file-server": 95.1}, *each("single-1600g-full {}", 94.9, MIXES[:2])),
        each("single-1600g-full {}", 95.1, MIXES[:2]),
    ),
    Case(
        "p3700-113",
        {"*-full random-write-*": 94.9, "single-[12]*-full random-write-4k": 100},
        each("single-800g-full {}", 95.1, WRITES)
        + each("single-1600g-full {}", 95.1, WRITES[1:])
        + each("single-2000g-full {}", 95.1, WRITES[1:]),
    ),
    Case(
        "p3700-114",
        {
            **{f"*-full {profile}": 90 for profile in MIXES},
            "*-full random-write-*": 80,
            "single-[12]*-full random-write-4k": 100,
        },
        (
            *each("single-800g-full {}", 88.9, READS),
            *each("single-1600g-full {}", 89.1, WRITES[1:]),
            *each("single-2000g-full {}", 75, MIXES[1:]),
        ),
        (*each("single-800g-full {}", 89.1, READS), *each("single-2000g-full {}", 88.9, WRITES[1:])),
    ),
    Case(
        "p3700-115",
        {
            "single-800g-full random-67-4k": 95, "single-800g-full database": 90,
            "single-800g-full file-server": 80, "*-full random-write-4k": 90,
            "*-full random-write-8k": 80, "*-full random-write-64k": 70,
        },
        (
            {"single-800g-full database": 95.1}, {"single-800g-full file-server": 89.1},
            {"single-800g-full random-write-8k": 90}, {"single-1600g-full random-write-64k": 79.1},
            {"single-2000g-full random-write-4k": 79.9},
        ),
    ),
    Case(
        "p3700-116",
        {"single-800g-full *": 60, "single-1600g-full *": 70, "single-2000g-full *": 80},
        each("single-2000g-full {}", 69.9, (*WRITES, "file-server"))
        + each("single-800g-full {}", 69.1, (*WRITES, "file-server")),
    ),
    Case(
        "p3700-117",
        {},
        each("single-1600g-full {}", 101.1, MIXES) + each("single-2000g-full {}", 101.1, WRITES),
        ({"*-full *": 50}, {"*-full *": 100.9}),
    ),
    Case(
        "p3700-121",
        {"single-800g * x4": 105.1},
        each("single-800g {} x4", 104.9, ("random-read-4k", "random-67-4k", "random-write-4k")),
        ({"single-800g-2.3ghz *": 200},),
    ),
    Case(
        "p3700-122",
        {"single-800g random-read-4k x4": busy(core=0.31, drive=0.9)},
        (
            {"single-800g random-read-4k x4": busy(core=0.29, drive=0.9)},
            {"single-800g random-read-4k x4": busy(drive=0.9)},
            {"single-800g random-read-4k x4": busy(core=0.2), "* x4@8": busy(90, core=0.9)},
        ),
    ),
    Case(
        "p3700-123",
        {"single-800g-2.3ghz *": 106, "single-800g *": 112},
        each("single-800g-2.3ghz {}", 104.9, SMALL) + each("single-800g {}", 111, SMALL),
        each("single-800g {}", 100, LARGE),
    ),
    Case(
        "p3700-124",
        {"single-800g *": 200, **{f"single-800g {profile}": 100 for profile in LARGE}},
        each("single-800g {}", 103.1, LARGE) + each("single-800g-2.3ghz {}", 97, LARGE),
        each("single-800g-1.6ghz {}", 102.9, LARGE),
    ),
    Case(
        "p3700-125",
        {"single-800g *": 105.1},
        each("single-800g {}", 104.9, (*MIXES[:2], *WRITES[:2])),
        each("single-800g {}", 90, (*READS, *LARGE)),
    ),
    Case(
        "p3700-126",
        {
            "single-800g *": 130_000, "single-800g-default *": 120_000,
            **{f"single-800g* {profile}": 100_000 for profile in LARGE},
        },
        each("single-800g-default {}", 125_000, SMALL)
        + each("single-800g-default {}", 95_000, LARGE)
        + ({"single-800g database": 119_000, "single-800g-default database": 113_000},
           {"single-800g file-copy": 121_000, "single-800g-default file-copy": 121_000}),
        ({"single-800g-default file-copy": 101_000},
         {"single-800g file-copy": 119_000, "single-800g-default file-copy": 114_000},
         {"single-800g file-copy": 121_000, "single-800g-default file-copy": 115_000}),
    ),
    Case(
        "p3700-127",
        {f"single-800g-power-plan {profile}": 50 for profile in LARGE},
        each("single-800g-power-plan {}", 95, SMALL) + each("single-800g-power-plan {}", 105.1, SMALL),
        each("single-800g-power-plan {}", 95.5, SMALL),
    ),
)  # fmt: skip

CONNECTIONS = ("direct", "x16-adapter", "x8-adapter")
OF_COUNT = {f"*-{count} random-write-4k x8": count * 100.0 for count in (1, 2, 3, 4)}
HOST_CONNECTIONS = (
    # 2000 MB of 10^6 bytes are 1907.3 of 2^20.
    Case("nvme-001", {"direct-1 sequential-read-256k": 1908}, ({"direct-1 sequential-read-256k": 1907},)),
    Case(
        "nvme-029",
        OF_COUNT,
        (
            *each("{}-3 random-write-4k x8", 309.1, CONNECTIONS),
            *each("{}-1 random-write-4k x8", 103.1, CONNECTIONS),
            {"*-4 random-write-4k x8": 379},
        ),
        ({"*-4 random-write-4k x8": 381}, {"x8-adapter-2 random-write-4k x8": 205.9}),
    ),
    Case(
        "nvme-030",
        {"direct-4 random-read-4k x8": 110.1},
        (
            {"direct-4 random-read-4k x8": 109.9},
            *each("x16-adapter-{} random-read-4k x8", 101, ("1", "2", "3")),
        ),
        ({"x16-adapter-2 random-read-4k x8": 100.4}, {"x8-*": 500}),
    ),
    Case(
        "nvme-031",
        {"x16-adapter-4 random-read-4k x8": busy(adapter=0.91, core=0.5)},
        (
            {"x16-adapter-4 random-read-4k x8": busy(adapter=0.89, core=0.5)},
            {"x16-adapter-4 random-read-4k x8": busy(adapter=0.91, core=0.95)},
            {"x16-adapter-4 *": busy(90, adapter=0.99), "x16-adapter-4 random-read-4k x8@64": busy(core=0.9)},
        ),
    ),
    Case(
        "nvme-035",
        {"x16-*": 200},
        each("x8-adapter-{} random-write-4k x8", 103.1, ("1", "2", "3", "4"))
        + each("x8-adapter-{} random-write-4k x8", 97, ("1", "2", "3", "4")),
        each("x8-adapter-{} random-write-4k x8", 97.5, ("1", "2", "3", "4")),
    ),
)

CASES = (*ONE_TO_FOUR, *AREA_AND_HOST, *HOST_CONNECTIONS)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.figure)
def test_a_statement_holds_with_what_it_claims_and_fails_without(case: Case) -> None:
    for holds, told in case.tries():
        assert STATEMENTS[case.figure].check(made_up(told)).right == holds, told


def test_every_statement_of_these_papers_is_tried() -> None:
    tried = [case.figure for case in CASES]
    assert sorted(tried) == [name for name in STATEMENTS if name.startswith(("nvme", "p3700"))]


def test_a_threshold_is_not_shown_by_rates_on_one_side_of_it() -> None:
    with pytest.raises(AssertionError, match="one side"):
        STATEMENTS["p3700-126"].check(made_up({"single-800g *": 130_000}))


def test_points_are_counted_in_which_a_mirror_is_faster() -> None:
    """Five loads of one of four profiles, 11 loads each: a hundredth more is faster."""
    told = {"raid1-of-2 file-copy@1-8": 101, "raid1-of-2 file-copy@16": 100.9}
    assert STATEMENTS["p3700-100"].check(made_up(told)).shown.endswith("in 5 of 44 points over the load")
