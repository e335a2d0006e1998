"""The conclusion compares the systems of a run, profile by profile, as far as the intervals let it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest

from command_line import simulated_result
from factories import make_point, make_result, make_run, make_stored_run
from iodyno.analysis.figures import PointFigures, point_figures
from iodyno.reading import PointResult
from iodyno.report import paper
from iodyno.report.document import Bullets, Heading, Paragraph
from iodyno.report.messages import Messages, plain
from iodyno.report.sentences import answer as answer_text
from iodyno.report.sentences.answer import chosen
from iodyno.report.sentences.level import main_range
from iodyno.store.records import StoredRun
from iodyno.study import parse_study, plan_simulation
from iodyno.system.virtual import describe
from virtual_systems import virtual_system

STUDY = """
schema = 1
name = "answers"
title = "Answers"
question = "Which is the fastest?"
{configurations}
[[sweep]]
name = "one"
profiles = ["{profiles}"]
workers = {workers}
outstanding = [1, 8]
"""


def run_of(
    rates: Mapping[str, float],
    *,
    profiles: str = "database",
    half_width: float | None = 0.005,
    workers: str = "1",
    titles: Mapping[str, str] | None = None,
) -> StoredRun:
    """Make a run of systems ``NAME-DRIVES`` with these rates in IO/s at the highest load."""
    titled = {name: name for name in rates} | dict(titles or {})
    tables = "\n".join(
        f'[[configuration]]\nname = "{name}"\ntitle = "{titled[name]}"\nsystem = "made-up"' for name in rates
    )
    systems = {name: virtual_system(drives=int(name.rpartition("-")[2])) for name in rates}
    text = STUDY.format(configurations=tables, profiles=profiles, workers=workers)
    plan = plan_simulation(parse_study(text), systems)
    run = make_run(plan, system=describe(systems), simulated=True, status="finished")
    results = []
    for point in plan.points:
        rate = rates[point.system or ""] * (1.0 if point.outstanding > 1 else 0.3)
        made = make_result(point, rate_io_s=rate, half_width=half_width)
        simulation = simulated_result(point).reading.simulation
        reading = made.reading.model_copy(update={"simulation": simulation})
        results.append(made.model_copy(update={"reading": reading}))
    return StoredRun(run=run, results=tuple(results))


def concluded(stored: StoredRun, language: str = "en") -> tuple[list[str], str]:
    """Give the comparisons of the conclusion, and its other text."""
    blocks = paper.build(stored, language).blocks
    keys = [getattr(block, "key", "") for block in blocks]
    after = blocks[keys.index("conclusion") + 1 :]
    end = next(place for place, block in enumerate(after) if isinstance(block, Heading))
    told = [
        block.items
        for lead, block in pairwise(after[:end])
        if isinstance(block, Bullets) and isinstance(lead, Paragraph) and "5" not in plain(lead.text)
    ]  # not those of what is enough, within 5 %
    bullets = [plain(text) for items in told for text in items]
    said = "\n".join(plain(block.text) for block in after[:end] if isinstance(block, Paragraph))
    return bullets, said


FAR_APART = {
    "a-4": 40_000.0,
    "b-4": 20_000.0,
    "c-2": 30_000.0,
    "d-1": 9_000.0,
    "e-1": 8_000.0,
    "f-1": 7_000.0,
}


def test_the_fastest_is_compared_with_the_next_of_as_many_drives() -> None:
    """40,000 are twice the 20,000 of the other with four drives; two drives are nearer, and no like."""
    bullets, said = concluded(run_of({**FAR_APART, "g-1": 6_000.0}))
    assert bullets == [
        "Database: 40,000 IO/s with a-4, 2.00 (1.99–2.01) times that of the next with as many drives, b-4."
    ]
    assert said.startswith("The question was: Which is the fastest? How the configurations compare")
    assert "The highest transaction rate" not in said


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", " the next with as many drives, b-4 (level with h-4)."),
        ("de", " b-4 (gleichauf mit h-4): 2,00 (1,99–2,01)."),
        ("ja", "次に高い b-4（h-4 と同等）の 2.00 (1.99–2.01) 倍です。"),
    ],
)
def test_what_is_level_with_the_next_is_named_too(language: str, says: str) -> None:
    """The next was one of two that nothing tells apart: 20,000 and 19,950 IO/s."""
    (bullet,), _ = concluded(run_of({**FAR_APART, "g-1": 6_000.0, "h-4": 19_950.0}), language)
    assert bullet.replace("\u00a0", " ").endswith(says)


TOLD = {"en": "are level at the top, ", "de": "leichauf an der Spitze, ", "ja": "の最大値が同等で最も高く、"}
RANGES = {"en": "39,100 to 40,000 IO/s", "de": "39.100 bis 40.000 IO/s", "ja": "39,100〜40,000 IO/s"}


def level(count: int) -> dict[str, float]:
    """Give the rates of so many that are level, from 39,100 to 40,000, and of twelve far below."""
    step = 900.0 / (count - 1)
    rates = {f"w{place}-2": 40_000.0 - place * step for place in range(count)}
    return {**rates, **{f"l{place}-2": 10_000.0 + place for place in range(12)}}


@pytest.mark.parametrize("language", ["en", "de", "ja"])
@pytest.mark.parametrize("count", [2, 3, 20])
def test_none_of_several_that_are_level_is_called_the_fastest(count: int, language: str) -> None:
    """39,100 ± 0.5 % and 40,000 ± 0.5 % are told apart, but by less than 5 %."""
    stored = run_of(level(count))
    (bullet,), _ = concluded(stored, language)
    assert TOLD[language] in bullet
    assert RANGES[language] in bullet
    names = [f"w{place}-2" for place in range(count)]
    assert all(name in bullet for name in names) == (count < 20)
    assert "l11-2" not in bullet
    name, figure, _ = paper.build(stored, language).title_page.summary[0]
    assert figure == RANGES[language]
    assert all(one in name for one in names) if count < 20 else "20" in name


def named(titles: tuple[str, ...], language: str = "en") -> str:
    """Give what the title page calls the highest maximum, where all of these titles are level in it."""
    rates = level(len(titles))
    told = {f"w{place}-2": title for place, title in enumerate(titles)}
    return str(paper.build(run_of(rates, titles=told), language).title_page.summary[0][0])


def test_the_title_page_names_what_is_level_and_what_all_of_it_shares_once() -> None:
    """It said "level: 5 configurations" of a comparison of RAID levels."""
    levels = tuple(f"8 SAS SSDs in a cabinet, RAID {level}" for level in (0, 1, 5, 6, 10))
    assert named(levels) == "Database, 8 SAS SSDs in a cabinet, level: RAID 0, 1, 5, 6, 10"
    assert named(levels, "de") == "Datenbank, 8 SAS SSDs in a cabinet, gleichauf: RAID 0, 1, 5, 6, 10"
    assert named(levels, "ja") == "データベース、8 SAS SSDs in a cabinet、同等：RAID 0、1、5、6、10"
    ways = ("Direct cable, 4 SSDs", "1610-4P adapter (x16), 4 SSDs", "810-4P adapter (x8), 4 SSDs")
    assert named(ways) == "Database, 4 SSDs, level: Direct cable, 1610-4P adapter (x16), 810-4P adapter (x8)"
    long = tuple(f"{way}, with one of many long names" for way in ways)
    assert named((*long, "One that shares nothing with them")) == "Database, level: 4 configurations"
    many = tuple(f"System {place:02} of its own, 4 SSDs" for place in range(5))
    assert named(many) == "Database, level: 5 configurations (4 SSDs)"


def test_what_is_level_stands_in_the_order_of_the_run_on_the_title_page() -> None:
    """By its figures, of which the intervals tell nothing, it was another order for each profile."""
    rates = dict(reversed(level(3).items()))
    titles = {f"w{place}-2": f"4 SSDs, RAID {of}" for place, of in enumerate((10, 5, 0))}
    name, *_ = paper.build(run_of(rates, titles=titles)).title_page.summary[0]
    assert name == "Database, 4 SSDs, level: RAID 0, 5, 10"


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_how_long_names_are_in_a_language_does_not_decide_what_is_told_once(language: str) -> None:
    """German told of "2 of 4, each with 4 × P3700, independent: 1 worker and “one process (1 worker)”",
    English of both names; of three with as many drives Japanese told all names, German what they share."""
    long, short = "An array of a very long name that has nothing else in it", "x"
    for name in (long, short):
        own = {"w0-2": f"{name}, 1 worker", "w1-2": f"{name}, one process, 1 worker"}
        (bullet,), _ = concluded(run_of(level(2), titles=own), language)
        assert all(title in bullet for title in own.values())
        three = {f"w{place}-2": f"{name} {place}, 4 SSDs" for place in range(3)}
        (bullet,), _ = concluded(run_of(level(3), titles=three), language)
        assert bullet.count("4 SSDs") == 1
        two = {f"w{place}-2": f"{name}, RAID 0, mode {place}" for place in range(2)}
        (bullet,), _ = concluded(run_of(level(2), titles=two), language)
        assert bullet.count("RAID 0") == 1


def test_long_names_say_once_what_they_share_and_stand_in_quotes_inside_a_sentence() -> None:
    """It said "level at the top, 39,100 to 40,000 IO/s: Full system: 24 …, A; Full system: 24 …, B"."""
    shared = "Full system: 24 SAS SSDs on eight controllers, RAID 0"
    titles = {"w0-2": f"{shared}, Performance", "w1-2": f"{shared}, Fast Path optimum"}
    (bullet,), _ = concluded(run_of(level(2), titles=titles))
    assert bullet == (
        "Database: 2 of 14 are level at the top, 39,100 to 40,000 IO/s, each with Full system, 24 SAS SSDs "
        "on eight controllers, RAID 0: Performance and Fast Path optimum."
    )
    (bullet,), _ = concluded(run_of({**level(2), "w1-2": 20_000.0}, titles=titles))
    assert f"40,000 IO/s with “{titles['w0-2']}”, 2.00" in bullet
    assert bullet.endswith(f", “{titles['w1-2']}”.")


def test_what_the_intervals_do_not_tell_apart_is_level_too() -> None:
    """44,000 and 40,000 ± 10 % differ by 4,000 ± 5,900."""
    rates = {**level(2), "w1-2": 44_000.0}
    (bullet,), _ = concluded(run_of(rates, half_width=0.1))
    assert bullet == "Database: These are level at the top, 40,000 to 44,000 IO/s: w0-2 and w1-2."


def test_rounding_leaves_no_range_the_wrong_way_round() -> None:
    """44,200 ± 14 % is written as 44,000, and 44,100 ± 3 % as 44,100."""
    known, hardly = (make_estimate(rate, half) for rate, half in ((44_100.0, 0.03), (44_200.0, 0.14)))
    for pair in ((known, hardly), (hardly, known)):
        assert main_range(Messages("en"), pair) == "44,000 to 44,100 IO/s"


@pytest.mark.parametrize(
    ("figures", "written"),
    [
        ([(148_064.0, 0.02), (152_200.0, 0.001)], "148,000 to 152,200 IO/s"),
        ([(247_510.0, 0.001), (247_560.0, 0.02), (247_580.0, 0.001)], "247,500 to 248,000 IO/s"),
        ([(69_930.0, 0.02), (69_934.0, 0.001)], "69,900 to 69,930 IO/s"),
        ([(7_036.0, 0.001), (7_038.0, 0.02)], "7,036 to 7,040 IO/s"),
        ([(7_036.2, 0.001), (7_036.4, 0.001)], "7,036 IO/s"),
    ],
)
def test_a_range_holds_every_figure_as_a_table_writes_it(
    figures: list[tuple[float, float]], written: str
) -> None:
    """Both ends had the digits of the one that is known better: 148,100 beside a table that had 148,000."""
    points = [make_estimate(rate, half) for rate, half in figures]
    assert main_range(Messages("en"), points) == written


def make_estimate(rate: float, half_width: float) -> PointFigures:
    point = make_point("database", 1)
    return point_figures(make_result(point, rate_io_s=rate, half_width=half_width))


def test_the_least_latencies_that_are_level_are_all_named() -> None:
    """Rates at the lowest load are 0.3 times the highest: latencies are within 0.3 % of each other."""
    rates = {"a-1": 40_000.0, "b-1": 40_100.0, "c-1": 20_000.0}
    _, said = concluded(run_of(rates))
    assert "The least mean latencies at the lowest load are level, " in said
    assert "Database, a-1; Database, b-1" in said
    assert "c-1" not in said


def test_a_latency_that_is_hardly_known_is_not_level_with_the_least() -> None:
    """One of 400 times the least, whose rate is known to ±175 %, was called level with it: 0.08 to 33 ms."""
    stored = run_of({"a-1": 40_000.0, "b-1": 40_100.0, "c-1": 100.0})
    results = tuple(
        make_hardly_known(result) if result.point.system == "c-1" else result for result in stored.results
    )
    _, said = concluded(StoredRun(run=stored.run, results=results))
    assert "The least mean latencies at the lowest load are level, 0.0831 to 0.0833 ms: " in said
    assert "c-1" not in said


def test_a_latency_that_is_hardly_known_is_not_the_least() -> None:
    """The luckiest of few I/Os is not what a system is chosen for, where another is known."""
    stored = run_of({"a-1": 40_000.0, "b-1": 40_100.0, "c-1": 60_000.0})
    results = tuple(
        make_hardly_known(result) if result.point.system == "c-1" else result for result in stored.results
    )
    _, said = concluded(StoredRun(run=stored.run, results=results))
    least, _, others = said.partition("The least mean latencies at the lowest load are level, ")[2].partition(
        ". "
    )
    assert "c-1" not in least
    # A table beside it has a latency that is less: the sentence would be false without a word about it.
    assert others.startswith("Not compared, for want of a narrow enough interval: Database, c-1.")


def make_hardly_known(result: PointResult) -> PointResult:
    """Give the same result with a rate that is known to within ±175 %."""
    precision = result.reading.precision.model_copy(update={"half_width": 1.75})
    reading = result.reading.model_copy(update={"precision": precision})
    return result.model_copy(update={"reading": reading})


def test_other_workers_are_said() -> None:
    """The system that is ahead has four workers, the next has one: who reads it has to know."""
    stored = run_of({**FAR_APART, "g-1": 6_000.0}, workers="[1, 4]")
    kept = tuple(
        result for result in stored.results if (result.point.workers == 4) == (result.point.system == "a-4")
    )
    (bullet,), _ = concluded(StoredRun(run=stored.run, results=kept))
    assert (
        "40,000 IO/s with “a-4, 4 workers”, 1.33 (1.32–1.34) times that of the next, “c-2, 1 worker”."
        in bullet
    )


def test_of_few_systems_the_lowest_is_told_too() -> None:
    bullets, _ = concluded(run_of({"a-1": 40_000.0, "b-1": 20_000.0}))
    assert bullets == [
        "Database: The highest maximum is that of a-1 with 40,000 IO/s. The lowest is that of b-1: "
        "20,000 IO/s. The highest is 2.00 times as much (interval 1.99 to 2.01)."
    ]


def test_without_intervals_nothing_is_compared() -> None:
    bullets, said = concluded(run_of(FAR_APART, half_width=None))
    assert not bullets
    assert "The highest transaction rate is" in said


def test_one_system_has_no_comparison() -> None:
    bullets, said = concluded(make_stored_run(varied=False))
    assert not bullets
    assert "The highest transaction rate is" in said


@pytest.mark.parametrize(
    ("language", "words"), [("de", "mit gleich vielen Laufwerken"), ("ja", "ドライブ数が同じ")]
)  # fmt: skip
def test_so_it_is_in_other_languages(language: str, words: str) -> None:
    (bullet,), _ = concluded(run_of({**FAR_APART, "g-1": 6_000.0}), language)
    assert words in bullet


@pytest.mark.parametrize(
    ("systems", "told", "said"),
    [
        ([3] * 6, 6, "of each load profile:"),
        ([3] * 7, 7, "of each load profile:"),
        ([3] * 12, 12, "of each load profile:"),
        ([3] * 13, 6, "of each of the first 6 of 13 load profiles:"),
        ([3, 3, 3, 3, 3, 2, 2, 2], 8, "of each load profile:"),
        ([2, *[3] * 6], 6, "of each of 6 load profiles; 1 more is of fewer configurations:"),
        ([4, 3, 3, 3, 3, 3, 3, 2, 2], 7, "of each of 7 load profiles; 2 more are of fewer configurations:"),
        ([4, 4, *[2] * 13], 2, "of each of 2 load profiles; 13 more are of fewer configurations:"),
    ],
)
def test_no_profile_is_left_out_that_as_many_systems_have(systems: list[int], told: int, said: str) -> None:
    """Six of seven that all systems have were said to be those that most of them have."""
    groups: Any = [["a curve"] * count for count in systems]
    shown = chosen(groups)
    assert len(shown) == told
    lead = answer_text.lead(Messages("en"), shown, groups)
    assert lead == f"How the configurations compare, by the highest maximum {said}"


def test_seven_profiles_of_all_systems_are_compared() -> None:
    names = ("database", "restore", "file-server", "file-copy", "streaming", "oltp-4k", "random-read-4k")
    bullets, said = concluded(run_of({"a-4": 40_000.0, "b-4": 20_000.0}, profiles='", "'.join(names)))
    assert len(bullets) == 7
    assert "by the highest maximum of each load profile:" in said


@pytest.mark.parametrize("language", ["de", "ja"])
def test_what_is_left_out_is_said_in_each_language(language: str) -> None:
    messages = Messages(language)
    for systems in ([3] * 13, [2, *[3] * 6], [2, 2, *[3] * 6]):
        groups: Any = [["a curve"] * count for count in systems]
        lead = answer_text.lead(messages, chosen(groups), groups)
        assert str(len(groups) if systems[0] == 3 else systems.count(2)) in lead
        assert "configurations" not in lead
