"""What changing one thing alone does: pairs of systems by what they are, and what is said of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from factories import make_point, make_profile, make_target
from iodyno.analysis.estimate import Estimate, Quotient
from iodyno.analysis.kin import INDEPENDENT
from iodyno.analysis.pairs import Change, Effect, changes
from iodyno.analysis.things import Described, Difference, differences, one_thing
from iodyno.plan import BesideLoad
from iodyno.report.messages import Messages
from iodyno.report.sentences.change import _difference, _prices, told_changes
from iodyno.study.configuration import Configuration
from iodyno.study.systems import resolve

SLOW, QUICK = {"virtual_processors": "2 × Slow", "virtual_clock": "1.6"}, {"virtual_processors": "2 × Quick"}


def described(system: str = "p3700", facts: dict[str, str] | None = None, **changed: Any) -> Described:
    return Described(resolve(Configuration(name="any", system=system, changes=changed)), facts or {})


def of_level(level: str, drive: str = "intel-p3700-800", **changed: Any) -> Described:
    return described(count=4, level=level, drive=drive, **changed)


SYSTEMS = {
    "a5": of_level("5"),
    "a0": of_level("0"),
    "b5": of_level("5", "intel-p3700-1600"),
    "b0": of_level("0", "intel-p3700-1600"),
}
RATES = {"a5": 100, "a0": 300, "b5": 100, "b0": 200}


def curve(
    system: str,
    value: float,
    *,
    profile: str = "database",
    half_width: float | None = 0.001,
    workers: int = 1,
    volume: str = "",
    beside: bool = False,
    sweep: str = "",
    loads: Sequence[int] = (8,),
    **point: Any,
) -> Any:
    """Make what the rules look at of a curve: its profile and system, and its maximum."""
    name = "-".join(re.findall(r"[a-z0-9]+", profile.lower()))
    shown = make_profile().model_copy(update={"name": name, "title": profile.title()})
    targets = [make_target(volume or "/volume")]
    load = BesideLoad(profile=make_profile("streaming"), targets=1, outstanding=1, workers=1, seed=1)
    first = make_point(
        shown, min(loads), sweep=sweep or f"s{beside}", workers=workers, targets=targets * (1 + beside),
        system=system, beside=(load,) * beside, **point,
    )  # fmt: skip
    curve = SimpleNamespace(
        profile=shown, sweep=first.sweep, first=first.loads[0], planned=first,
        varied=("system", *["targets"] * bool(volume)),
        open_loop=False, loads_told=False, begins_told=False,
        points=tuple(
            SimpleNamespace(profile=shown, point=first, beside=(), outstanding=outstanding)
            for outstanding in loads
        ),
    )  # fmt: skip
    return SimpleNamespace(
        curve=curve,
        maximum=SimpleNamespace(at=SimpleNamespace(main=Estimate(value, half_width))),
    )


def curves(**changed: Any) -> list[Any]:
    return [curve(name, rate, **changed) for name, rate in RATES.items()]


def of(found: Any) -> dict[tuple[str, ...], Any]:
    return {
        tuple(part for one in change.differences for part in (one.thing, one.first, one.second)): change
        for change in found
    }


@pytest.mark.parametrize(
    ("things", "one"),
    [
        ("", False),
        ("level", True),
        ("controller write_back", True),
        ("drive drive_cache", True),
        ("controller drive", False),
        ("write_back strip", False),
        ("controller level", False),
        ("controller write_back strip", False),
    ],
)
def test_a_part_with_a_setting_that_comes_with_it_is_one_thing(things: str, one: bool) -> None:
    assert one_thing(tuple(Difference(thing, "a", "b") for thing in things.split())) is one


def test_a_change_is_seen_in_pairs_that_differ_in_nothing_else() -> None:
    found = of(changes(curves(), SYSTEMS))
    effect = found["level", "0", "5"].effects[0]
    assert effect.clear
    assert [round(one.value, 3) for one in effect.quotients] == [3.0, 2.0]
    assert 1.98 < effect.low < 2 < 3 < effect.high < 3.02


def test_systems_count_and_not_their_names() -> None:
    """One of the arrays has other strips too: two things differ, and nothing is said of the level."""
    found = of(changes(curves(), {**SYSTEMS, "b0": of_level("0", "intel-p3700-1600", strip="256k")}))
    assert ("level", "0", "5") not in found


def test_curves_of_other_workers_are_no_pair() -> None:
    items = [curve(name, rate, workers=1 + (name == "b0")) for name, rate in RATES.items()]
    assert ("level", "0", "5") not in of(changes(items, SYSTEMS))


def test_only_the_same_volumes_of_two_systems_are_a_pair() -> None:
    """The quick volume of one system beside the slow one of the other told of a gain of its own."""
    items = [
        curve(name, rate * factor, volume=volume)
        for name, rate in RATES.items()
        for volume, factor in (("slow", 1), ("quick", 10))
    ]
    (effect,) = of(changes(items, SYSTEMS))["level", "0", "5"].effects
    assert sorted(round(one.value, 3) for one in effect.quotients) == [2.0, 2.0, 3.0, 3.0]


def test_what_ran_beside_others_has_an_effect_of_its_own() -> None:
    items = [*curves(), *(curve(name, 100 if "5" in name else 500, beside=True) for name in RATES)]
    effects = of(changes(items, SYSTEMS))["level", "0", "5"].effects
    assert [[round(one.value, 3) for one in effect.quotients] for effect in effects] == [[3, 2], [5, 5]]


def test_a_pair_that_two_sweeps_have_counts_once() -> None:
    """One pair of systems seen twice was enough for advice; a sweep of more loads has all of the other."""
    two = {"a5": 100, "a0": 300}
    few = [curve(name, rate, sweep="few") for name, rate in two.items()]
    more = [curve(name, rate, sweep="more", loads=(1, 8, 64)) for name, rate in two.items()]
    assert not changes([*few, *more], SYSTEMS)
    (effect,) = of(changes([*few, *curves(), *more[::-1]], SYSTEMS))["level", "0", "5"].effects
    assert [round(one.value, 3) for one in effect.quotients] == [2, 3]


def test_a_pair_at_other_loads_or_with_another_maximum_is_no_repetition() -> None:
    two = {"a5": 100, "a0": 300}
    low = [curve(name, rate, sweep="low", loads=(1, 2)) for name, rate in two.items()]
    high = [curve(name, rate, sweep="high", loads=(8, 64)) for name, rate in two.items()]
    (effect,) = of(changes([*low, *high], SYSTEMS))["level", "0", "5"].effects
    assert [round(one.value, 3) for one in effect.quotients] == [3, 3]
    higher = [
        *low,
        curve("a5", 200, sweep="more", loads=(1, 8)),
        curve("a0", 300, sweep="more", loads=(1, 8)),
    ]
    higher += [curve("a5", 400, sweep="less"), curve("a0", 800, sweep="less")]
    (effect,) = of(changes(higher, SYSTEMS))["level", "0", "5"].effects
    assert sorted(round(one.value, 3) for one in effect.quotients) == [1.5, 2]


def test_a_change_that_does_not_always_gain_is_not_clear() -> None:
    mixed = [*curves()[:3], curve("b0", 101)]
    assert ("level", "0", "5") not in of(changes(mixed, SYSTEMS))


def test_what_intervals_do_not_show_is_not_said() -> None:
    assert not changes(curves(half_width=0.6), SYSTEMS)


@pytest.mark.parametrize(
    ("rates", "alike"),
    [
        ({"a5": 100, "a0": 101, "b5": 100, "b0": 99}, True),
        ({"a5": 100, "a0": 101, "b5": 100, "b0": 110}, False),
        ({"a5": 100, "a0": 101, "b5": 100, "b0": 91}, False),
    ],
)
def test_pairs_are_alike_where_none_differs_by_what_counts(rates: dict[str, float], alike: bool) -> None:
    """What counts is 5 %, in either direction."""
    found = of(changes([curve(name, rate) for name, rate in rates.items()], SYSTEMS))
    told = [change for key, change in found.items() if key[0] == "level"]
    assert bool(told) == alike
    assert all(effect.alike and not effect.clear for change in told for effect in change.effects)


def test_of_a_pair_without_an_interval_nothing_is_said() -> None:
    unknown = [*curves()[:3], curve("b0", 200, half_width=None)]
    assert ("level", "0", "5") not in of(changes(unknown, SYSTEMS))


def test_one_pair_is_not_enough_and_numbers_of_drives_do_not_count() -> None:
    assert not changes(curves()[:2], SYSTEMS)
    counted = {f"{level}-{count}": described(count=count, level=level) for level in "05" for count in (4, 8)}
    assert set(of(changes([curve(name, 50) for name in counted], counted))) == {("level", "0", "5")}


@pytest.mark.parametrize(
    ("one", "other", "things"),
    [
        (of_level("0"), of_level("0"), set()),
        (described(facts=SLOW), described(facts=QUICK, processor="xeon-e5-2603-v3"), {"processor"}),
        (described(settings="default"), described(), {"host"}),
        (described(filled=0), described(), {"filled"}),
        (described(), described(drive="intel-p3700-1600"), {"drive"}),
        (described(count=2), described(count=2, level="1"), {"level"}),
        (described(count=2), described(count=4), {"drives"}),
        (
            described("raid-controllers"),
            described("raid-controllers", controller="praid-cp400i", backup_unit=False),
            {"controller", "write_back", "strip"},
        ),
    ],
)
def test_what_two_systems_differ_in_is_named_thing_by_thing(
    one: Described, other: Described, things: set[str]
) -> None:
    assert {found.thing for found in differences(one, other)} == things


def test_sentences_name_what_was_changed_the_gain_and_what_does_not_differ() -> None:
    alike = [curve(name, 50, profile="restore") for name in SYSTEMS]
    said = told_changes(Messages("en"), [*curves(), *alike], SYSTEMS)
    expected = (
        "RAID level: RAID 0 instead of RAID 5, nothing else changed. Database: 2.0 to 3.0 times as much; no "
        "appreciable difference with Restore. RAID 0 has neither copies nor parity: when a drive fails, "
        "all of its data is lost."
    )
    assert expected in said


@pytest.mark.parametrize(
    ("thing", "first", "second", "said"),
    [
        ("level", "0", "10", "RAID 0 has neither copies nor parity"),
        ("level", "10", "0", ""),
        ("level", "10", "5", ""),
        ("level", INDEPENDENT, "1", "Independent drives have neither copies nor parity"),
        ("drive_cache", "True", "False", "can be lost when the power fails"),
        ("drive_cache", "False", "True", ""),
        ("write_back", "True", "False", "is lost when the power fails, unless a battery"),
        ("write_back", "True", "", ""),
    ],
)
def test_advice_says_what_it_puts_at_risk(thing: str, first: str, second: str, said: str) -> None:
    """It advised RAID 0 instead of RAID 1 with rates alone."""
    change = Change((Difference(thing, first, second),), ())
    for language in ("en", "de", "ja"):
        prices = list(_prices(Messages(language), change))
        assert len(prices) == bool(said)
        if prices and language == "en":
            assert said in prices[0]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Processor: 2 × Quick instead of 2 × Slow (1.6 GHz), nothing else changed. Database: "),
        ("de", "Prozessor: 2 × Quick statt 2 × Slow (1,6 GHz), sonst nichts geändert. Datenbank: "),
        ("ja", "プロセッサ：2 × Slow (1.6 GHz) を 2 × Quick に変更、それ以外は同じ。データベース"),
    ],
)
def test_a_processor_is_said_with_its_clock_in_each_language(language: str, words: str) -> None:
    systems = {
        f"{level}-{name}": described(facts=facts, count=2, level=level)
        for level in "01"
        for name, facts in (("slow", SLOW), ("quick", QUICK))
    }
    items = [curve(name, 100 * (1 + name.endswith("quick")), profile="Database") for name in systems]
    assert any(text.startswith(words) for text in told_changes(Messages(language), items, systems))


def test_names_of_one_finding_are_all_quoted_or_none() -> None:
    """A name may have a comma inside; what gained something had no quotes beside what did not."""
    names = ("Random 4 kB, 67% read", "Restore")
    alike = [curve(system, 50, profile=name) for name in names for system in SYSTEMS]
    found = [told_changes(Messages(language), alike, SYSTEMS)[0] for language in ("en", "de")]
    assert "with “Random 4 Kb, 67% Read” and “Restore”." in found[0]
    assert "Unterschied: „Random 4 Kb, 67% Read“ und „Wiederherstellung“." in found[1]
    gained = [curve(system, 50 * (1 + place), profile=names[0]) for place, system in enumerate(SYSTEMS)]
    restored = [curve(system, 50, profile=names[1]) for system in SYSTEMS]
    (said, *_) = told_changes(Messages("en"), [*gained, *restored], SYSTEMS)
    assert "“Random 4 Kb, 67% Read”: " in said
    assert "with “Restore”" in said


@pytest.mark.parametrize(
    ("language", "first", "second", "words"),
    [
        ("en", "", "1610-4P", "Switch: none instead of 1610-4P"),
        ("de", "", "1610-4P", "Switch: ohne statt mit 1610-4P"),
        ("de", "1610-4P", "", "Switch: mit 1610-4P statt ohne"),
        ("de", "810-4P", "1610-4P", "Switch: 810-4P statt 1610-4P"),
    ],
)
def test_a_thing_that_a_system_lacks_is_said_in_each_language(
    language: str, first: str, second: str, words: str
) -> None:
    """German had `Switch: keine statt 1610-4P`."""
    assert _difference(Messages(language), Difference("switch", first, second)) == words


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Drive: P3700 1.6 TB and PM1743 instead of PM1743"),
        ("de", "Laufwerk: P3700 1,6 TB und PM1743 statt PM1743"),
        ("ja", "ドライブ：PM1743 を P3700 1.6 TB、PM1743 に変更"),
    ],
)
def test_two_kinds_of_drives_are_listed(language: str, words: str) -> None:
    """It was `Drive: P3700, PM1743 instead of PM1743`, as if the second alone stood for the other."""
    found = Difference("drive", "P3700 1.6 TB, PM1743", "PM1743")
    assert _difference(Messages(language), found) == words


def test_software_with_commas_is_one() -> None:
    found = Difference("software", "Linux, NVMe driver", "Windows, NTFS")
    assert _difference(Messages("en"), found) == "Host software: Linux, NVMe driver instead of Windows, NTFS"


@pytest.mark.parametrize(
    ("quotients", "clear"),
    [
        ([(1.2, 1.15, 1.25), (2.0, 1.9, 2.1)], True),
        ([(0.8, 0.75, 0.85), (0.5, 0.45, 0.55)], True),  # every pair loses
        ([(0.8, 0.75, 0.85), (1.2, 1.15, 1.25)], False),
        ([(1.2, 1.05, 1.35), (2.0, 1.9, 2.1)], False),  # it may be less than 1.1
        ([(0.8, 0.7, 0.95), (0.5, 0.45, 0.55)], False),  # and less than 1 / 1.1
    ],
)
def test_an_effect_is_clear_where_all_pairs_show_the_same(
    quotients: list[tuple[float, float, float]], clear: bool
) -> None:
    effect = Effect(curve("a5", 100), tuple(Quotient(*one) for one in quotients))
    assert effect.clear is clear
