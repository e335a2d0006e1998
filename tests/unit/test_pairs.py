"""What changing one thing alone does: pairs of systems, and what is said of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from iodyno.analysis.estimate import Estimate
from iodyno.analysis.pairs import changes
from iodyno.report.change_text import told_changes
from iodyno.report.messages import Messages


def curve(system: str, value: float, *, profile: str = "database", half_width: float = 0.001) -> Any:
    """Make what the rules look at of a curve: its profile and system, and its maximum."""
    shown = SimpleNamespace(name=profile, shown=profile.title())
    point = SimpleNamespace(profile=shown, beside=())
    told = {"loads_told": False, "begins_told": False}
    curve = SimpleNamespace(profile=shown, sweep="s", configuration=system, points=(point,), **told)
    return SimpleNamespace(
        curve=curve,
        maximum=SimpleNamespace(at=SimpleNamespace(main=Estimate(value, half_width))),
    )


LEVELS = [
    curve("A: 4 SSDs, RAID 5", 100),
    curve("A: 4 SSDs, RAID 0", 300),
    curve("B: 4 SSDs, RAID 5", 100),
    curve("B: 4 SSDs, RAID 0", 200),
]


def test_a_change_is_seen_in_pairs_that_differ_in_nothing_else() -> None:
    found = {(change.first, change.second): change for change in changes(LEVELS)}
    level = found["RAID 0", "RAID 5"].effects[0]
    assert level.clear
    assert [round(one.value, 3) for one in level.quotients] == [3.0, 2.0]
    assert 1.98 < level.low < 2 < 3 < level.high < 3.02


def test_a_change_that_does_not_always_gain_is_not_clear() -> None:
    mixed = [*LEVELS[:3], curve("B: 4 SSDs, RAID 0", 101)]
    assert all(not change.effects[0].clear for change in changes(mixed))


def test_what_intervals_do_not_show_is_not_said() -> None:
    wide = [curve(item.curve.configuration, item.maximum.at.main.value, half_width=0.6) for item in LEVELS]
    assert not changes(wide)


def test_one_pair_is_not_enough_and_numbers_of_drives_do_not_count() -> None:
    assert not changes(LEVELS[:2])
    assert not changes([curve(f"A: {count} SSDs, RAID {level}", count) for count in (2, 4) for level in (0,)])
    counted = [curve(f"{name}: {count} SSD{'s' * (count > 1)}", count) for name in "AB" for count in (1, 4)]
    assert {(change.first, change.second) for change in changes(counted)} == {("A", "B")}


def test_sentences_name_the_gain_and_what_does_not_differ() -> None:
    alike = [curve(item.curve.configuration, 50, profile="restore") for item in LEVELS]
    said = told_changes(Messages("en"), [*LEVELS, *alike])
    expected = (
        "RAID 0 instead of RAID 5, all else named alike. Database: 2.0 to 3.0 times as much; no "
        "appreciable difference with “Restore”."
    )
    assert expected in said


def test_names_in_a_list_of_findings_are_quoted() -> None:
    """Findings are parted by semicolons, and a name may have a comma inside: „bei Wahlfrei, 67 %, Lesen“."""
    names = ("Random 4 kB, 67% read", "Restore")
    alike = [curve(item.curve.configuration, 50, profile=name) for name in names for item in LEVELS]
    found = [told_changes(Messages(language), alike)[0] for language in ("en", "de")]
    assert "with “Random 4 Kb, 67% Read” and “Restore”." in found[0]
    assert "bei „Random 4 Kb, 67% Read“ und „Wiederherstellung“." in found[1]
