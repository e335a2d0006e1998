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
from iodyno.fio.exporting import job_options
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


EVERY = "random_every = 8"
WALKS = {EVERY: {}}
"""What a study can say, and the shares with which it says something."""


@pytest.mark.parametrize(("line", "shares"), WALKS.items())
def test_a_study_says_it_and_reads_it_back(line: str, shares: dict[str, float]) -> None:
    planned = plan(study(line, **shares))
    assert Plan.model_validate_json(planned.model_dump_json()) == planned
    again = parse_study(study(line, **shares))
    assert type(again).model_validate(again.source()) == again
    name, _, value = line.partition(" = ")
    assert str(getattr(planned.points[0].profile, name)) == value.strip('"')


@pytest.mark.parametrize(("line", "shares"), WALKS.items())
def test_points_that_say_nothing_keep_hash_and_seed_and_others_have_their_own(
    line: str, shares: dict[str, float]
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
def test_a_load_beside_that_says_nothing_is_hashed_as_before(line: str, shares: dict[str, float]) -> None:
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
        ("random_every = 0", {}, "random_every"),
        ("random_every = true", {}, "true is no number"),
        ('random_every = "8x"', {}, "random_every"),
    ],
)
def test_what_says_nothing_or_cannot_be_is_refused(profile: str, about: dict[str, float], said: str) -> None:
    found = refused(study(profile, **about))
    assert any("profile[0]" in problem and said in problem for problem in found), found


def test_one_stream_of_workers_has_no_runs() -> None:
    (found,) = refused(study(EVERY, 'workers = 2\nworkers_area = "stream"'))
    assert "is one sequential stream, and own accesses at random" in found


def test_an_axis_takes_turns_away_where_nothing_is_random() -> None:
    points = plan(study(EVERY, "random_share = [0.0, 0.5, 1.0]")).points
    assert [point.profile.random_every for point in points] == [1, 8, 8]
    own = study(f"{EVERY}\nwrite_random_share = 1", "read_share = [0.0, 0.5, 1.0]", random=0)
    points = plan(own).points
    assert [point.profile.random_every for point in points] == [8, 8, 1]
    for planned in (plan(own), plan(study(EVERY, "random_share = [0.0, 1.0]"))):
        assert Plan.model_validate_json(planned.model_dump_json()) == planned


def test_what_is_drawn_is_what_is_said() -> None:
    point = plan(study(EVERY)).points[0]
    found = [offset for _, offset, _ in bench.accesses(point, count=8000)]
    pairs = pairwise(found)
    follows = [after == before + 4096 for before, after in pairs]
    assert [number for number, follow in enumerate(follows, 1) if not follow] == list(range(8, 8000, 8))


@pytest.mark.parametrize(("line", "shares"), WALKS.items())
def test_the_formulas_refuse_it_by_name(line: str, shares: dict[str, float]) -> None:
    point = plan(study(line, read=1 if "gap" in line else 0.67, **shares)).points[0]
    (problem,) = unknown(point.model_copy(update={"engine": "analytic"}))
    assert line.partition(" ")[0] in str(problem)
    assert "leave --analytic out" in str(problem.hint)


@pytest.mark.parametrize(("line", "shares"), WALKS.items())
def test_the_job_of_fio_of_a_point_reads_back_as_its_profile(
    tmp_path: Path, line: str, shares: dict[str, float]
) -> None:
    point = plan(study(line, **shares)).points[0].model_copy(update={"engine": "aio"})
    found = job_options(point)
    lines = (f"{name}={value}\n" for name, value in found.items() if name != "name")
    (tmp_path / "job.fio").write_text("[a]\n" + "".join(lines))
    (translated,) = translate(tmp_path / "job.fio", environment={}).jobs
    (profile,) = translated.study.profile
    name = line.partition(" ")[0]
    assert getattr(profile, name) == getattr(point.profile, name)
    assert profile.random_share == point.profile.random_share


@pytest.mark.parametrize(("line", "shares"), WALKS.items())
def test_profiles_that_walk_otherwise_are_different_to_a_comparison(
    line: str, shares: dict[str, float]
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


@pytest.mark.parametrize(
    ("profile", "language", "said", "explained"),
    [
        (RUNS, "en", "random (Zipf, θ 1.2) every 8 accesses", "made: of every 8 accesses"),
        (RUNS, "de", "wahlfrei (Zipf, θ 1.2), je einmal in 8 Zugriffen", "Von je 8 Zugriffen"),
        (RUNS, "ja", "ランダム（Zipf 分布、θ 1.2）（8 アクセスに 1 回）", "8 アクセスごとに"),
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
    assert row["random_every"] == 8
    (row,) = point_rows([make_result(make_point())])
    assert row["random_every"] == 1
    assert profile_text(made(random_share=1, random_every=8)) == "random every 8 accesses, 67% read, 4 kB"
