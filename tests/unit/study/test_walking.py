"""How a load walks over its area: what a study says of it, and what follows."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from factories import make_plan, make_point, make_result, make_run, make_stored_run
from iodyno import bench
from iodyno.analysis.compare import compare
from iodyno.analysis.rows import point_rows
from iodyno.cli.wording import profile_text
from iodyno.errors import ProfileError
from iodyno.fio import translate
from iodyno.fio.asked import asked
from iodyno.integrity import layout_of
from iodyno.plan import Plan, Point, hashed_point
from iodyno.prediction.knows import unknown
from iodyno.profiles import Block, LoadProfile
from iodyno.reading import PointResult
from iodyno.report import paper
from iodyno.store.records import StoredRun
from iodyno.study import parse_study, plan_study
from iodyno.targets import Target

HEAD = 'schema = 1\nname = "mine"\ntitle = "Mine"\n'


def study(profile: str = "", sweep: str = "", read: float = 0.67, random: float = 1) -> str:
    """Write a study of one profile."""
    return (
        f'{HEAD}[[profile]]\nname = "own"\nrandom_share = {random}\nread_share = {read}\nblocks = "4k"\n'
        f'{profile}\n[[sweep]]\nname = "one"\nprofiles = "own"\noutstanding = 4\n{sweep}\n'
    )


def plan(text: str, size_bytes: int = 1_000_000_000, **target: Any) -> Plan:
    found = Target(path="/data/file", asked="/data/file", kind="file", size_bytes=size_bytes, **target)
    return plan_study(parse_study(text), [found])


def refused(text: str, **about: Any) -> list[str]:
    """Plan what cannot be, and give the problems with their hints."""
    with pytest.raises(ProfileError) as caught:
        plan(text, **about)
    return [f"{problem}; {problem.hint}" for problem in caught.value.problems]


def profile_of(profile: str, **about: Any) -> LoadProfile:
    return plan(study(profile, **about)).points[0].profile


EVERY, GAP, BACK, OWN = "random_every = 8", "gap_bytes = 65536", "gap_bytes = -8192", 'cursors = "own"'
SEQUENTIAL: dict[str, Any] = {"random": 0.0}
WALKS: dict[str, dict[str, Any]] = {EVERY: {}, GAP: SEQUENTIAL, BACK: SEQUENTIAL, OWN: SEQUENTIAL}
"""What a study can say, and the shares with which it says something."""


@pytest.mark.parametrize(("line", "shares"), WALKS.items())
def test_a_study_says_it_and_reads_it_back(line: str, shares: dict[str, Any]) -> None:
    planned = plan(study(line, **shares))
    assert Plan.model_validate_json(planned.model_dump_json()) == planned
    again = parse_study(study(line, **shares))
    assert type(again).model_validate(again.source()) == again
    name, _, value = line.partition(" = ")
    assert str(getattr(planned.points[0].profile, name)) == value.strip('"')


@pytest.mark.parametrize(("line", "shares"), WALKS.items())
def test_points_that_say_nothing_keep_hash_and_seed_and_others_have_their_own(
    line: str, shares: dict[str, Any]
) -> None:
    plain, own = (plan(study(said, **shares)).points[0] for said in ("", line))
    assert plain.config_hash != own.config_hash
    assert plain.seed != own.seed
    name = line.partition(" ")[0]
    assert name not in hashed_point(plain)["profile"]
    # A point kept before there was a choice reads as one that makes none.
    kept = plain.model_dump(mode="json")
    del kept["profile"][name]
    assert Point.model_validate(kept).config_hash == plain.config_hash
    assert name not in parse_study(study("", **shares)).source()["profile"][0]


@pytest.mark.parametrize(("line", "shares"), WALKS.items())
def test_a_load_beside_that_says_nothing_is_hashed_as_before(line: str, shares: dict[str, Any]) -> None:
    name = line.partition(" ")[0]
    targets = [Target(path=path, asked=path, kind="file", size_bytes=1 << 30) for path in ("/a", "/b")]
    for said in ("", line):
        text = study(said, **shares) + '[[sweep.beside]]\nprofile = "own"\noutstanding = 2\n'
        (point,) = plan_study(parse_study(text), targets).points
        (beside,) = hashed_point(point)["beside"]
        assert (name in beside["profile"]) == bool(said)


@pytest.mark.parametrize(
    ("profile", "about", "said"),
    [
        (EVERY, {"random": 0}, "random_every = 8 says nothing: no access is random"),
        (f'{EVERY}\ndistribution = "permutation"', {}, "where every access is random: random_every = 1"),
        (f'{EVERY}\nwrite_random_share = 1\ndistribution = "permutation"', {"random": 0}, "random_every = 1"),
        (GAP, {}, "gap_bytes = 65536 says nothing: no access is sequential"),
        (OWN, {}, 'cursors = "own" says nothing: no access is sequential'),
        (
            OWN,
            SEQUENTIAL | {"read": 1},
            "for a profile that writes and also reads or trims",
        ),
        (OWN, SEQUENTIAL | {"read": 0}, "leave it out"),
        ('cursors = "two"', SEQUENTIAL, "cursors"),
        ('gap_bytes = "8q"', SEQUENTIAL, "gap_bytes"),
        ("gap_bytes = true", SEQUENTIAL, "no size"),
        ("random_every = 0", {}, "random_every"),
        ("random_every = true", {}, "true is no number"),
        ('random_every = "8x"', {}, "random_every"),
    ],
)
def test_what_says_nothing_or_cannot_be_is_refused(profile: str, about: dict[str, Any], said: str) -> None:
    found = refused(study(profile, **about))
    assert any("profile[0]" in problem and said in problem for problem in found), found


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (EVERY, "is one sequential stream, and own accesses at random"),
        (GAP, "leaves no gaps, and own has gap_bytes"),
        (OWN, 'has one cursor, and own has cursors = "own"'),
    ],
)
def test_one_stream_of_workers_is_one_without_gaps(line: str, said: str) -> None:
    (found,) = refused(study(line, 'workers = 2\nworkers_area = "stream"', **WALKS[line]))
    assert said in found
    assert '"shared"' in found


def test_a_gap_is_a_size_that_can_be_below_zero() -> None:
    sizes = {'"64k"': 65536, '"-16k"': -16384, "-512": -512, '"- 1M"': -(1 << 20), "0": 0}
    for text, value in sizes.items():
        assert profile_of(f"gap_bytes = {text}", **SEQUENTIAL).gap_bytes == value


def test_a_gap_leaves_room_for_a_second_block_in_every_part() -> None:
    for gap in ('"1016k"', '"-1016k"'):
        assert plan(study(f"gap_bytes = {gap}", **SEQUENTIAL), size_bytes=1 << 20)
        (found,) = refused(study(f"gap_bytes = {gap}", **SEQUENTIAL), size_bytes=(1 << 20) - 4096)
        assert "leaves no room for a second block of 4k" in found
        sweep = 'workers = 2\nworkers_area = "own"'
        (found,) = refused(study(f"gap_bytes = {gap}", sweep, **SEQUENTIAL), size_bytes=1 << 20)
        assert "in the 512k that a worker accesses on /data/file" in found


def test_gaps_of_direct_io_and_of_verified_data_are_whole_sectors() -> None:
    for gap in (768, -768):
        text = study(f"gap_bytes = {gap}", **SEQUENTIAL)
        (found,) = refused(text, direct=True, logical_block_bytes=512)
        assert f"a gap of {gap} is no multiple of the logical sector of 512 bytes" in found
        verified = text.replace("[[profile]]", "[measurement]\nverify = true\n[[profile]]")
        (found,) = refused(verified, logical_block_bytes=256)
        assert "768 is no multiple of 512 bytes, which carry one stamp" in found
    (point,) = plan(study("gap_bytes = 1024", **SEQUENTIAL)).points
    layout = layout_of([point.model_copy(update={"verify": True})])
    assert layout
    assert layout.unit_bytes == 1024  # and 4096 without a gap, which blocks and area are multiples of


def test_an_axis_takes_turns_away_where_nothing_is_random() -> None:
    points = plan(study(EVERY, "random_share = [0.0, 0.5, 1.0]")).points
    assert [point.profile.random_every for point in points] == [1, 8, 8]
    own = study(f"{EVERY}\nwrite_random_share = 1", "read_share = [0.0, 0.5, 1.0]", random=0)
    points = plan(own).points
    assert [point.profile.random_every for point in points] == [8, 8, 1]
    for line, name, value in ((GAP, "gap_bytes", 65536), (OWN, "cursors", "own")):
        points = plan(study(line, "random_share = [0.0, 0.5, 1.0]", **SEQUENTIAL)).points
        nothing = LoadProfile.model_fields[name].default
        assert [getattr(point.profile, name) for point in points] == [value, value, nothing]
    points = plan(study(OWN, "read_share = [0.0, 0.5, 1.0]", **SEQUENTIAL)).points
    assert [point.profile.cursors for point in points] == ["shared", "own", "shared"]
    axes = (plan(study(line, "random_share = [0.0, 1.0]", **SEQUENTIAL)) for line in (GAP, OWN))
    for planned in (plan(own), plan(study(EVERY, "random_share = [0.0, 1.0]")), *axes):
        assert Plan.model_validate_json(planned.model_dump_json()) == planned


def test_directions_that_go_different_ways_have_cursors_of_their_own_said_or_not() -> None:
    ways = "write_random_share = 0.5"
    said, unsaid = (plan(study(text, **SEQUENTIAL)).points[0] for text in (f"{ways}\n{OWN}", ways))
    assert (said.config_hash, said.seed) == (unsaid.config_hash, unsaid.seed)
    assert bench.accesses(said, count=2000) == bench.accesses(unsaid, count=2000)
    assert unsaid.profile.own_cursors


@pytest.mark.parametrize("gap", [65536, -8192])
def test_gaps_are_drawn_as_they_are_said(gap: int) -> None:
    found = bench.accesses(plan(study(f"gap_bytes = {gap}", **SEQUENTIAL)).points[0], count=1000)
    steps = {after[1] - before[1] for before, after in pairwise(found)}
    assert steps >= {4096 + gap}
    assert len(steps) <= 2


def test_what_is_drawn_is_what_is_said() -> None:
    point = plan(study(EVERY)).points[0]
    found = [offset for _, offset, _ in bench.accesses(point, count=8000)]
    pairs = pairwise(found)
    follows = [after == before + 4096 for before, after in pairs]
    assert [number for number, follow in enumerate(follows, 1) if not follow] == list(range(8, 8000, 8))


@pytest.mark.parametrize(("line", "shares"), WALKS.items())
def test_the_formulas_refuse_it_by_name(line: str, shares: dict[str, Any]) -> None:
    point = plan(study(line, read=1 if "gap" in line else 0.67, **shares)).points[0]
    (problem,) = unknown(point.model_copy(update={"engine": "analytic"}))
    assert line.partition(" ")[0] in str(problem)
    assert "leave --analytic out" in str(problem.hint)


@pytest.mark.parametrize(("line", "shares"), WALKS.items())
def test_the_job_of_fio_of_a_point_reads_back_as_its_profile(
    tmp_path: Path, line: str, shares: dict[str, Any]
) -> None:
    point = plan(study(line, **shares)).points[0].model_copy(update={"engine": "aio"})
    found = asked(point).options
    lines = (f"{name}={value}\n" for name, value in found.items() if name != "name")
    (tmp_path / "job.fio").write_text("[a]\n" + "".join(lines))
    (translated,) = translate(tmp_path / "job.fio", environment={}).jobs
    (profile,) = translated.study.profile
    name = line.partition(" ")[0]
    assert getattr(profile, name) == getattr(point.profile, name)
    assert profile.random_share == point.profile.random_share


@pytest.mark.parametrize(("line", "shares"), WALKS.items())
def test_profiles_that_walk_otherwise_are_different_to_a_comparison(
    line: str, shares: dict[str, Any]
) -> None:
    def run(said: str) -> StoredRun:
        profile = profile_of(said, **shares)

        def change(result: PointResult) -> PointResult:
            return result.model_copy(update={"point": result.point.model_copy(update={"profile": profile})})

        return make_stored_run(profiles=("database",), intensities=(1,), varied=False, change=change)

    assert {found.what for found in compare(run(""), run(line)).differences} == {"profile"}
    assert compare(run(line), run(line)).differences == ()


def made(**fields: Any) -> LoadProfile:
    return LoadProfile.model_validate(
        {"name": "made", "random_share": 0, "read_share": 0.67, "blocks": (Block(bytes=4096),)} | fields
    )


RUNS = made(random_share=1, random_every=8, distribution="zipf:1.2")
GAPS, STEPS = made(gap_bytes=65536, cursors="own"), made(gap_bytes=-8192, random_share=0.25)


@pytest.mark.parametrize(
    ("profile", "language", "said", "explained"),
    [
        (RUNS, "en", "random (Zipf, θ 1.2) every 8 accesses", "“made”: of every 8 accesses"),
        (RUNS, "de", "wahlfrei (Zipf, θ 1.2), je einmal in 8 Zugriffen", "Von je 8 Zugriffen"),
        (RUNS, "ja", "ランダム（Zipf 分布、θ 1.2）（8 アクセスに 1 回）", "8 アクセスごとに"),
        (
            GAPS,
            "en",
            "sequential with gaps of 64 kB, a cursor for each direction",
            "begins 64 kB behind the end",
        ),
        (
            GAPS,
            "de",
            "sequenziell mit Lücken von 64 kB, ein Zeiger je Richtung",
            "beginnt 64 kB hinter dem Ende",
        ),
        (GAPS, "ja", "シーケンシャル（間隔 64 kB）、方向ごとのカーソル", "64 kB 後ろから始まります"),
        (GAPS, "en", "a cursor for each direction", "follows the last one of its direction"),
        (
            GAPS,
            "de",
            "ein Zeiger je Richtung",
            "schließt ein sequenzieller Zugriff an den letzten seiner Richtung",
        ),
        (GAPS, "ja", "方向ごとのカーソル", "同じ方向の直前のアクセスに続きます"),
        (STEPS, "en", "25% random, 8 kB back after each block", "begins 8 kB before the end"),
        (STEPS, "de", "wahlfrei, nach jedem Block 8 kB zurück", "beginnt 8 kB vor dem Ende"),
        (STEPS, "ja", "（ブロックごとに 8 kB 後退）", "8 kB 手前から始まります"),
    ],
)
def test_the_paper_says_it_in_each_language(
    profile: LoadProfile, language: str, said: str, explained: str
) -> None:
    point = make_point(profile)
    run = make_run(make_plan().model_copy(update={"points": (point,)}), status="finished")
    text = repr(paper.build(StoredRun(run=run, results=(make_result(point),)), language))
    assert said in text
    assert explained in text


def test_it_is_a_column_and_words_at_the_terminal() -> None:
    (row,) = point_rows([make_result(make_point(RUNS))])
    names = ("random_every", "gap_bytes", "cursors")
    assert [row[name] for name in names] == [8, 0, "shared"]
    (row,) = point_rows([make_result(make_point(GAPS))])
    assert [row[name] for name in names] == [1, 65536, "own"]
    (row,) = point_rows([make_result(make_point())])
    assert [row[name] for name in names] == [1, 0, "shared"]
    assert profile_text(made(gap_bytes=-8192)) == "sequential, 8 kB back after each block, 67% read, 4 kB"
    assert profile_text(made(random_share=1, random_every=8)) == "random every 8 accesses, 67% read, 4 kB"
