"""What a paper recommends: configurations beside others of as many drives, and lists that can be read."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from factories import make_histogram, make_point, make_reading, make_result, make_stored_run
from iodyno.analysis.run import CurveAnalysis, analyse
from iodyno.reading import Cause, Direction
from iodyno.report import paper
from iodyno.report.document import Bullets
from iodyno.report.messages import Messages, plain
from iodyno.report.sentences.practice import best_configuration, host_bound, tails
from unit.report.test_answer import concluded, run_of
from unit.report.test_side_by_side import curve_of, of_system


def advised(rates: Mapping[str, float], language: str = "en") -> list[str]:
    """Give the advice on which system to choose, of those called ``NAME-DRIVES``."""
    blocks = paper.build(run_of(rates), language).blocks
    items = [plain(item) for block in blocks if isinstance(block, Bullets) for item in block.items]
    return [item for item in items if any(word in item for word in ("choose", "zu wählen", "選択して"))]


@pytest.mark.parametrize(
    ("language", "says"),
    [
        (
            "en",
            "For Database, choose a-4: its maximum of 40,000 IO/s is 2.00 (1.99–2.01) times that of the next "
            "with at least as many drives, b-4.",
        ),
        (
            "de",
            "Für „Datenbank“ ist a-4 zu wählen: Maximum 40.000 IO/s; Quotient zum nächsten mit mindestens "
            "gleich vielen Laufwerken, b-4: 2,00 (1,99–2,01).",
        ),
        (
            "ja",
            "「データベース」には a-4 を選択してください。その最大値 40,000 IO/s は、"
            "ドライブ数が同じかそれより多い構成のうち次に高い b-4 の 2.00 (1.99–2.01) 倍です。",
        ),
    ],
)
def test_what_is_chosen_is_compared_with_what_has_as_many_drives(language: str, says: str) -> None:
    """Four drives were recommended for being 1.33 times as fast as two; the conclusion said 2.00."""
    (found,) = advised({"a-4": 40_000.0, "c-2": 30_000.0, "b-4": 20_000.0}, language)
    assert found.replace("\u00a0", " ") == says


def test_more_drives_are_no_choice() -> None:
    assert advised({"a-4": 40_000.0, "c-2": 20_000.0, "d-1": 10_000.0}) == []
    assert advised({"a-4": 40_000.0, "b-4": 39_900.0, "c-2": 20_000.0}) == []
    assert advised({"a-4": 40_000.0, "b-4": 20_000.0, "c-2": 39_900.0}) == []
    (found,) = advised({"a-4": 40_000.0, "b-4": 20_000.0})
    assert "times that of the next, b-4." in found.replace("\u00a0", " ")
    (found,) = advised({"a-1": 40_000.0, "b-8": 20_000.0, "c-4": 10_000.0})  # one SSD beside disks
    assert "times that of the next, b-8." in found.replace("\u00a0", " ")
    (found,) = advised({"a-4": 40_000.0, "c-2": 30_000.0, "b-8": 20_000.0})
    assert "2.00 (1.99–2.01) times that of the next with at least as many drives, b-8." in found.replace(
        "\u00a0", " "
    )


def test_what_is_level_with_the_next_of_a_choice_is_named_or_counted() -> None:
    (found,) = advised({"a-4": 40_000.0, "b-4": 20_000.0, "c-4": 19_950.0, "d-4": 10_000.0})
    assert found.replace("\u00a0", " ").endswith("times that of the next, b-4 (level with c-4).")
    (found,) = advised({"a-4": 40_000.0, **{f"b{place}-4": 20_000.0 - place for place in range(9)}})
    assert found.replace("\u00a0", " ").endswith("the next, b0-4 (level with 8 more).")


def test_without_numbers_of_drives_all_are_compared() -> None:
    items = [of_system(curve_of(rate, 0.005), name) for rate, name in ((100, "system 1"), (200, "system 2"))]
    assert "that of the next, “system 1”." in best_configuration(Messages("en"), items)


def curve_with_a_tail(title: str, index: int) -> CurveAnalysis:
    """Give a curve of a profile of this title: one I/O in a hundred takes long, and the host is the limit."""
    results = []
    for load in (1, 2):
        point = make_point("database", load, index=load)
        profile = point.profile.model_copy(update={"title": title, "name": f"profile-{index}"})
        point = point.model_copy(update={"profile": profile})
        slow = make_histogram([1_000_000, 50_000_000], [99_000 * load, 1_000 * load])
        reads = Direction(completed=100_000 * load, bytes=1, latency=slow)
        reading = make_reading(point, reads=reads, writes=Direction())
        notes = [Cause(code="host_cpu", values={"share": 0.9})]
        results.append(make_result(point, reading=reading, notes=notes))
    stored = make_stored_run(profiles=("database",), intensities=(1, 2))
    (item,) = analyse(stored.model_copy(update={"results": tuple(results)})).curves
    return item


@pytest.mark.parametrize("of_all", [True, False])
def test_profiles_with_a_comma_in_their_names_are_quoted_inside_a_sentence(of_all: bool) -> None:
    """It said "Do not run File copy; Database; Random 4 kB, 67% read at the maximum"."""
    items = [
        curve_with_a_tail(title, index)
        for index, title in enumerate(("Mine", "Other", "Random 4 kB, 67% read"))
    ]
    beside = [] if of_all else [curve_of(100, 0.01)]
    names = "“Mine”, “Other”, and “Random 4 kB, 67% read”"
    assert f"Do not run {names} at the maximum" in tails(Messages("en"), [*items, *beside])
    assert f"limits the maxima of {names}:" in host_bound(Messages("en"), [*items, *beside])
    alone = tails(Messages("en"), items[:2])
    assert "Do not run Mine and Other at the maximum" in alone


def test_what_follows_a_colon_in_the_german_conclusion_is_a_sentence_like_the_others() -> None:
    """One began "Das …" with a small letter, between others that began "Gleichauf …" with a capital."""
    rates = {
        "a-4": 40_000.0,
        "b-4": 20_000.0,
        "c-2": 30_000.0,
        "d-1": 9_000.0,
        "e-1": 8_000.0,
        "f-1": 7_000.0,
    }
    found = [item for item in concluded(run_of({**rates, "g-1": 6_000.0}), "de")[0] if "Maximum" in item]
    assert found
    assert all(item.startswith("Datenbank: Das höchste Maximum hat a-4") for item in found)
