"""What the page says of what is out of reach follows what is simulated: other results in, other words out."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from iodyno.catalog.shelf import shipped
from iodyno.fitting.answered import nvme, p3700, raid
from iodyno.fitting.curves import Curve, Outcome, Series, StationUse
from iodyno.fitting.lab import loads_of
from iodyno.fitting.published import figures
from iodyno.validation import page, unreached_nvme, unreached_p3700, unreached_raid
from iodyno.validation.comparing import compare
from iodyno.validation.others import Told, others
from iodyno.validation.out_of_reach import TELLINGS, unreached
from iodyno.validation.unreached import NO_LONGER_SO, Sources, Telling, at_most, listed, numbers, percents
from iodyno.validation.whys import whys

Rate = Callable[[Series, int], float]
WORDS_ONLY = (unreached_raid.database_on_four, unreached_p3700.independent)
"""What says no number that a run has."""


def sources(rate: Rate, *, core: float = 0.3, busy: float = 0.3) -> Sources:
    """Make up results: rates, and how busy a core and a controller are; a MB/s is a hundred I/Os."""
    stations = {
        "core": StationUse("core", 1, core, 1), "PRAID EP420i: processor": StationUse("", 1, busy, 1),
        "drives": StationUse("drive_media", 8, 1.0, 1),
    }  # fmt: skip
    stations["core"] = replace(stations["core"], place="host_cpu")

    def curves(series: Series) -> Curve:
        found = {load: rate(series, load) for load in loads_of(series)}
        return {
            load: Outcome(each, each / 100, load * 1000 / each, 1, stations) for load, each in found.items()
        }

    return Sources(curves, figures(), shipped())


def even(_series: Series, _load: int) -> float:
    """Nothing is faster than anything."""
    return 1000.0


def uneven(seed: int) -> Rate:
    """Rates that nobody has seen, of each series and load its own."""
    return lambda series, load: 1000.0 + zlib.crc32(f"{seed} {series} {load}".encode()) % 1000


@pytest.mark.parametrize(
    "telling", [one for one in TELLINGS if one not in WORDS_ONLY], ids=lambda one: one.__name__
)
def test_other_results_are_told_in_other_words(telling: Telling) -> None:
    one, same, other = (
        telling(sources(uneven(seed), core=core, busy=core)) for seed, core in ((1, 0.5), (1, 0.5), (2, 0.6))
    )
    assert one == same
    assert (one.text, one.points) != (other.text, other.points)


def test_what_results_do_not_bear_out_is_marked() -> None:
    """Where nothing is faster than anything hardly a word is left."""
    found = {telling: telling(sources(even)) for telling in TELLINGS}
    assert {telling for telling, told in found.items() if told.so} <= {
        *WORDS_ONLY, unreached_raid.cache_by_load, unreached_raid.ssds_by_class,
        unreached_raid.levels_at_one, unreached_p3700.mixes_by_area,
    }  # fmt: skip
    lines = [line for told in unreached(sources(even)) for line in told.lines()]
    assert sum(line.startswith(f"- {NO_LONGER_SO}") for line in lines) >= len(TELLINGS) - 6


def test_what_a_write_moves_on_drives_that_are_new_and_full() -> None:
    """With a times as much flash as is accessed a ÷ (a − x), where x, below 1, has x·e^−x = a·e^−a."""

    def moved(ratio: float) -> float:
        low, high = 0.0, 1.0
        while high - low > 1e-9:
            half = (low + high) / 2
            low, high = (half, high) if half * math.exp(-half) < ratio * math.exp(-ratio) else (low, half)
        return ratio / (ratio - low)

    told = unreached_raid.file_server(sources(even))
    # A quarter is accessed; of a new drive all else is free, of a full one the 37 % beside its capacity.
    new, full = moved(1.37 / 0.25), moved(0.62 / 0.25)
    said = (
        f"37 % of spare flash and a quarter accessed, a write moves {new:.2f} and {full:.2f} times its data"
    )
    assert any(said in point for point in told.points)


def mirrored(first: int, database: float) -> Rate:
    """RAID 1 of two: half as much again from a load on, and Database so many times as fast."""

    def rate(series: Series, load: int) -> float:
        if series.configuration != p3700.RAID1:
            return 1000.0 * load
        if load < first:
            return 1000.0 * load - 4
        return 1000.0 * load * (database if series.profile == "database" else 1.5)

    return rate


@pytest.mark.parametrize(
    ("first", "database", "said", "so"),
    [
        (16, 0.9, "three of four of which are higher, by 50 %; that of Database is 10 % lower", True),
        (16, 0.9, "in 18 of 44 points: of three profiles from 16 outstanding on, of Database nowhere", True),
        (16, 0.9, "it is as fast as one SSD, within 0.4 %;", True),
        (64, 0.9, "in 12 of 44 points: of three profiles from 64 outstanding on", True),
        (64, 0.8, "that of Database is 20 % lower", True),
        (8, 0.9, "within 50.0 %;", False),
        (16, 1.2, "four of four of which are higher, by 20 to 50 %", False),
    ],
)
def test_what_a_mirror_gains(first: int, database: float, said: str, so: bool) -> None:
    told = unreached_p3700.mirrors(sources(mirrored(first, database)))
    assert said in told.text
    assert told.so is so


def test_what_the_full_range_costs_writes() -> None:
    """4 kB: 5 and 0 % with the larger ones; all else is half as fast."""

    def rate(series: Series, _load: int) -> float:
        full = series.configuration.endswith("-full")
        small = series.profile == "random-write-4k"
        spared = {p3700.LARGER_FULL: 95_600.0, p3700.LARGEST_FULL: 100_010.0 - 10}
        return spared.get(series.configuration, 50_000.0) if full and small else 50_000.0 if full else 1e5

    told = unreached_p3700.writes_by_area(sources(rate))
    assert "with 1.6 TB it is 4.4 % and with 2 TB nothing: one core makes 100 000 writes/s" in told.text
    assert "datasheets have 150 000 and 175 000 over" in told.text
    assert told.so


def test_what_several_processes_need() -> None:
    """At 1.6 GHz reads of 4 kB lose a fifth and writes a quarter; else the SSD is the limit."""

    def rate(series: Series, _load: int) -> float:
        slow = series.configuration.endswith("1.6ghz")
        lost = {"random-read-4k": 0.2, "random-write-4k": 0.25}.get(series.profile, 0.0) if slow else 0.0
        return 400_000 * (1 - lost)

    told = unreached_p3700.frequencies(sources(rate))
    assert "they are 20 % slower at 1.6 GHz" in told.text
    assert "the same 400 000 reads/s" in told.text
    assert "already: 400 000 reads/s, 400 000 writes/s and 400 000 IO/s of Database" in told.text
    assert told.so


def test_from_which_rate_settings_matter() -> None:
    """Small blocks gain a quarter of the maximum; Database little at 130 000 IO/s, above the paper's rate."""

    def rate(series: Series, load: int) -> float:
        tuned = series.configuration == p3700.SINGLE
        if "64k" in series.profile or series.profile in ("file-server", "file-copy"):
            return 30_000.0
        if load == 1 and series.profile.startswith("random-write"):
            return 60_000.0 if tuned else 50_000.0
        if series.profile == "database" and load <= 32:
            return 130_000.0 if tuned else 128_000.0
        return 250_000.0 if tuned else 200_000.0

    told = unreached_p3700.thresholds(sources(rate, core=0.5))
    assert "names 120 000 IO/s" in told.text
    assert "from 250 000 IO/s on, gain 25 %, those of 64 kB, up to 30 000, nothing" in told.text
    assert "gain 20 % at one outstanding I/O already, at 60 000 and 60 000 IO/s" in told.text
    assert "takes 17 µs" in told.text
    assert (
        "Database gains 1.6 % at 130 000 IO/s, above the paper's rate, and 25 % from 250 000 on" in told.text
    )
    assert told.so
    assert not unreached_p3700.thresholds(sources(rate, core=0.3)).so


def test_where_a_mix_would_have_to_fall_to() -> None:
    """Reads and writes one after the other at 450 000 and 90 000/s, 67 % reads: 193 966 IO/s."""
    told = unreached_p3700.mixes_by_area(sources(lambda *_: 200_000.0))
    assert "to 200 000 IO/s, and the drive would have to fall to 190 000" in told.text
    assert (
        "(450 000 reads/s, 90 000 writes/s over the full range) it would still come to 194 000"
        in told.points[0]
    )
    assert told.so
    assert not unreached_p3700.mixes_by_area(sources(lambda *_: 210_000.0)).so, "194 000 is low enough then"


def test_what_eight_drives_lose() -> None:
    """2848 MB/s in print: of eight times 445 MB/s it is 80 %."""

    def rate(series: Series, load: int) -> float:
        single = 44_500.0 * (0.9 if load < 16 else 0.97 if load < 64 else 1.0)
        return single * 8 if "8x" in series.configuration else single

    told = unreached_raid.file_server(sources(rate, core=0.45, busy=0.4))
    assert "the paper has 80 % of that" in told.text
    assert "more than 6280 MB/s on 24" in told.text
    assert "What takes 20 % from a drive" in told.text
    said = "\n".join(told.points)
    assert "busy for less than half of the time" in said
    assert "within 3 % of its maximum from 16 outstanding on" in said
    assert "takes 1.7 µs for an I/O and 2.0 µs for each kB of it, so a split costs 1 % of an I/O" in said
    assert "2848 is 0.750 times eight of the paper's own single drives (raid-256: 475 MB/s)" in said
    assert told.so
    assert "busy for 70 % of the time" in unreached_raid.file_server(sources(rate, core=0.7)).points[0]


def by_class(onboard: float, plain: float, cached: float) -> Rate:
    """Rates by the class of the controller."""

    def rate(series: Series, _load: int) -> float:
        name = series.configuration
        if name.startswith("c610") and series.profile == "database" and "ssd-raid0" in name:
            return 500.0
        return plain if name.startswith("cp400i") else cached if name.startswith("ep4") else onboard

    return rate


def test_ssds_by_the_class_of_the_controller() -> None:
    told = unreached_raid.ssds_by_class(sources(by_class(1000, 1002, 1004)))
    assert (
        "(at Database 1 000 IO/s), but for Database behind C610, which a core of 2.6 GHz holds to 500:"
        in told.text
    )
    assert "File copy gains 0.4 %" in told.text
    assert told.so
    assert not unreached_raid.ssds_by_class(sources(by_class(1000, 1002, 1040))).so


@pytest.mark.parametrize(
    ("cached", "said"), [(1005, "0.5 % faster"), (995, "0.5 % slower"), (1000, "0.0 % faster")]
)
def test_others_by_the_class_of_the_controller(cached: float, said: str) -> None:
    told = unreached_raid.others_by_class(sources(by_class(999, 1000, cached)))
    assert "behind onboard controllers (within 0.2 %)" in told.text
    assert f"behind a cache ({said})" in told.text
    assert not told.so


def test_what_holds_database_on_many_ssds() -> None:
    told = unreached_raid.controllers_at_their_limit(sources(even, core=1.0, busy=0.55))
    assert "its busiest part, is at 55 %" in told.text
    assert told.so
    assert not unreached_raid.controllers_at_their_limit(sources(even, core=0.9, busy=0.55)).so
    assert not unreached_raid.controllers_at_their_limit(sources(even, core=1.0, busy=0.95)).so


def test_what_a_larger_cache_gains_by_the_load() -> None:
    def rate(series: Series, load: int) -> float:
        gain = {"random-write-4k": 0.2, "random-write-8k": 0.1}.get(series.profile, 0.05)
        larger = series.configuration.startswith("ep420i")
        return 1000 * (1 + gain + (0.001 if load > 32 else 0)) if larger else 1000.0

    told = unreached_raid.cache_by_load(sources(rate))
    assert "20.0 and 20.1 % at 4 kB, 10.0 and 10.1 at 8 kB, 5.0 and 5.1 at 64 kB, where" in told.text
    assert "has less than 6 % and then 6 to 11 (raid-328, raid-329)" in told.text
    assert told.so


@pytest.mark.parametrize(
    ("database", "said", "so"),
    [
        (0.76, "within 1 %, above it at Database only (66, 74 and 76 % against 67, 75 and 75 on", True),
        (0.75, "within 1 %, above it nowhere (66, 74 and 75 % against 67, 75 and 75 on", True),
        (0.85, "within 10 %, above it at Database only (66, 74 and 85 %", False),
    ],
)
def test_what_raid_10_comes_to_without_a_cache(database: float, said: str, so: bool) -> None:
    """By the rule 1 ÷ (reads + 2 × writes): 67, 75 and 75 %."""

    def rate(series: Series, _load: int) -> float:
        if "raid10" not in series.configuration:
            return 1000.0
        if not series.configuration.startswith("cp400i"):
            return 500.0
        return 1000 * {"file-copy": 0.66, "file-server": 0.744, "database": database}[series.profile]

    told = unreached_raid.rule_without_cache(sources(rate))
    assert said in told.text
    assert told.so is so


def test_what_restore_comes_to_at_one() -> None:
    def rate(series: Series, _load: int) -> float:
        cached, mirrored = series.configuration.startswith("ep400i"), "raid10" in series.configuration
        return {(False, False): 17_000.0, (True, False): 43_000.0, (False, True): 16_000.0}.get(
            (cached, mirrored), 21_000.0
        )

    told = unreached_raid.restore_at_one(sources(rate))
    assert "RAID 0 come to 170 MB/s behind CP400i" in told.text
    assert "and to 430 behind EP400i, at RAID 10 to 160 and 210." in told.text
    assert told.so


def test_what_levels_come_to_at_one() -> None:
    def rate(series: Series, _load: int) -> float:
        if series.configuration.startswith("cp400i") and series.profile == "restore":
            return {"0": 31_000.0, "raid10": 30_000.0, "raid5": 5000.0}.get(
                series.configuration.rpartition("-")[2], 31_000.0
            )
        return 130_000.0 if series.profile == "streaming" else 137_000.0

    told = unreached_raid.levels_at_one(sources(rate))
    assert "(1300 MB/s in Streaming and 1370 in Restore, of 2^20 bytes)" in told.text
    assert "behind CP400i to 1300 in Streaming at each, and in Restore to 310, 300 and 50." in told.text
    assert told.so
    assert not unreached_raid.levels_at_one(sources(uneven(1))).so


def test_from_how_many_ssds_on_an_adapter_is_slower() -> None:
    def rate(series: Series, _load: int) -> float:
        drives = int(series.configuration[-1])
        most = 1.9 * 700_000 if series.configuration.startswith("x16") else 1e9
        return min(drives * 700_000.0 - drives * 500, most)

    told = unreached_nvme.gap_by_drives(sources(rate))
    assert (
        "come to the same within 5.2 % (0.70 and 1.40 million IO/s): a switch that forwards 1.33 million"
        in told.text
    )
    assert not told.so
    deep = nvme.PROFILES["random-read-4k"] * 32
    assert f"and at {deep} outstanding of each SSD" in told.text


def test_what_fewer_lanes_lose() -> None:
    told = unreached_nvme.narrow_adapter(
        sources(lambda series, _: 600.0 if series.configuration.startswith("x8") else 1000.0)
    )
    assert "nvme-032, 30 % at the most" in told.text
    assert "40 % of sequential reads of one SSD" in told.text
    assert told.so


def _told(**faster: float) -> list[Told]:
    """All rows as published, but for some that are so many times as high."""
    return [
        Told(one, one.published.low * faster.get(one.id.replace("-", "_"), 1.0)) for one in others().figure
    ]


def _why(name: str, told: list[Told]) -> str:
    return dict(whys(others(), told, compare(figures(), sources(even).curves)))[name]


def test_what_an_error_says_is_of_the_numbers_at_hand() -> None:
    """By Little's law: outstanding I/Os over the rate; MB/s are of 2^20 bytes in blocks of 4 kB."""
    assert "A round of five takes 440 µs and one of ten 570, there 440 and 570." in _why(
        "han-s3700-5", _told()
    )
    assert "A round of five takes 220 µs and one of ten 190, there" in _why(
        "han-s3700-5", _told(han_s3700_5=2.0, han_s3700_10=3.0)
    )
    assert "104 µs there at 8 and 112 at 1 (137 and 152 on the other)" in _why("anandtech-p3700-8", _told())
    slower = _why("anandtech-p3700-8", _told(anandtech_p3700_8=8900 * 8 / 77000 / 1.05))
    assert "but for 5 % that meet" in slower
    assert "takes 20 instead of 11 µs" in _why("han-p3700-5", _told())
    assert "five jobs here to 252 000." in _why("han-p3700-5", _told())


def test_what_an_error_says_of_a_controller_is_of_its_part() -> None:
    """Processor 3.334 + 2.6 µs and a delay of 10 µs, of 65 and 78 µs."""
    assert "which takes 16 µs of it: without them it is 25 % off" in _why(
        "intel-s3700-write-latency", _told()
    )
    slower = _told(intel_s3700_write_latency=1.2)
    assert "which takes 16 µs of it: without them it is 5 % off" in _why("intel-s3700-write-latency", slower)


def test_what_an_error_says_of_the_papers_is_of_their_figures() -> None:
    """All drives at 1000 IO/s: against 41 005 in print that is 97.6 % too low, against 5268 81.0 %."""
    said = _why("intel-s3700-read-8k", _told())
    assert "they are 97.6 % and 81.0 % off on this page" in said
    assert "takes 41 µs of a process under Windows (p3700-162), of which the host has some 4." in _why(
        "intel-p3700-read-latency", _told()
    )


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (percents([0.12, 0.123]), "12 %"),
        (percents([0.5, 0.12]), "12 to 50 %"),
        (at_most(0.03), "3 %"),
        (at_most(0.0301), "4 %"),
        (at_most(0.0301, 1), "3.1 %"),
        (listed(["a"]), "a"),
        (listed(["a", "b", "c"]), "a, b and c"),
        (numbers([1234.0, 5678.0]), "1 230 to 5 680"),
    ],
)
def test_how_numbers_are_written(said: str, expected: str) -> None:
    assert said == expected


def test_as_many_rounds_as_the_simulator_counts_are_told() -> None:
    source = Path("crates/sim/src/meter.rs").read_text("utf-8")
    assert f"const FLOOR_ROUNDS: u64 = {page.ROUNDS};" in source


def test_series_of_the_papers_are_asked_of_their_studies() -> None:
    """A text that asks for what no study has would stop the page."""
    for study in (p3700.STUDY, raid.STUDY, nvme.STUDY):
        asked: list[Series] = []

        def rate(series: Series, load: int, asked: list[Series] = asked) -> float:
            asked.append(series)
            return uneven(3)(series, load)

        unreached(sources(rate))
        assert study in {series.study for series in asked}
