"""Reads and writes with random shares and distributions of their own: what a study says, and what follows."""

from __future__ import annotations

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
from iodyno.plan import Plan, Point, hashed_point
from iodyno.profiles import Block, LoadProfile
from iodyno.reading import PointResult
from iodyno.report import paper
from iodyno.store.records import StoredRun
from iodyno.study import parse_study, plan_simulation, plan_study, resolve_all
from iodyno.study.configuration import AccessedAreas
from iodyno.study.systems import resolve
from iodyno.targets import Target
from iodyno.verdict import laws

HEAD = 'schema = 1\nname = "mine"\ntitle = "Mine"\n'
OWN = 'write_random_share = "10%"\nwrite_distribution = "zipf:1.2"'


def study(profile: str = OWN, sweep: str = "", read: float = 0.67, random: float = 0.5) -> str:
    """Write a study of one profile."""
    blocks = "" if "\nblocks" in f"\n{profile}" else 'blocks = "4k"\n'
    return (
        f'{HEAD}[[profile]]\nname = "own"\nrandom_share = {random}\nread_share = {read}\n{blocks}{profile}\n'
        f'[[sweep]]\nname = "one"\nprofiles = "own"\noutstanding = 4\n{sweep}\n'
    )


def plan(text: str, size_bytes: int = 1_000_000_000) -> Plan:
    target = Target(path="/data/file", asked="/data/file", kind="file", size_bytes=size_bytes)
    return plan_study(parse_study(text), [target])


def refused(text: str, **about: Any) -> list[str]:
    """Plan what cannot be, and give the problems with their hints."""
    with pytest.raises(ProfileError) as caught:
        plan(text, **about)
    return [f"{problem}; {problem.hint}" for problem in caught.value.problems]


def ways(profile: LoadProfile) -> list[tuple[float, str]]:
    """Give random share and distribution of reads, and of writes."""
    return [(profile.random_of(write), str(profile.distribution_of(write))) for write in (False, True)]


def test_a_study_says_them_and_reads_them_back() -> None:
    planned = plan(study())
    assert ways(planned.points[0].profile) == [(0.5, "uniform"), (0.1, "zipf:1.2")]
    assert Plan.model_validate_json(planned.model_dump_json()) == planned
    again = parse_study(study())
    assert type(again).model_validate(again.source()) == again
    # Where nothing is said of writes they go as all do.
    one = plan(study("write_random_share = 1", random=0.5)).points[0].profile
    assert ways(one) == [(0.5, "uniform"), (1, "uniform")]
    other = plan(study('distribution = "pareto:0.2"\nwrite_distribution = "90/10, 10/70"')).points[0].profile
    assert ways(other) == [(0.5, "pareto:0.2"), (0.5, "90/10, 10/70")]


def test_points_that_say_nothing_or_the_same_keep_their_hash_and_seed_and_others_have_their_own() -> None:
    plain = plan(study("")).points[0]
    for same in ("write_random_share = 0.5", 'write_distribution = "uniform"'):
        planned = plan(study(same))
        assert (planned.points[0].config_hash, planned.points[0].seed) == (plain.config_hash, plain.seed)
        assert planned.config_hash == plan(study("")).config_hash
        assert bench.accesses(planned.points[0], count=500) == bench.accesses(plain, count=500)
    zipf = plan(study('distribution = "zipf:1.2"')).points[0]
    same_zipf = plan(study('distribution = "zipf:1.2"\nwrite_distribution = "zipf:1.2"')).points[0]
    assert (zipf.config_hash, zipf.seed) == (same_zipf.config_hash, same_zipf.seed)
    others = [
        *(plan(study(line)).points[0] for line in OWN.splitlines()),
        plan(study('distribution = "zipf:1.2"\nwrite_distribution = "uniform"')).points[0],
    ]
    points = (plain, zipf, *others)
    assert len({point.config_hash for point in points}) == len({point.seed for point in points}) == 5
    # A point kept before there was a choice reads as one that makes none.
    kept = plain.model_dump(mode="json")
    del kept["profile"]["write_random_share"], kept["profile"]["write_distribution"]
    assert Point.model_validate(kept).config_hash == plain.config_hash


def test_a_load_beside_that_says_nothing_is_hashed_as_before() -> None:
    text = study("") + '[[sweep.beside]]\nprofile = "own"\noutstanding = 2\n'
    (point,) = plan_study(
        parse_study(text),
        [Target(path=path, asked=path, kind="file", size_bytes=1 << 30) for path in ("/a", "/b")],
    ).points
    (beside,) = hashed_point(point)["beside"]
    assert not {"write_random_share", "write_distribution"} & set(beside["profile"])
    own = parse_study(text.replace('blocks = "4k"\n', f'blocks = "4k"\n{OWN}\n'))
    targets = [Target(path=path, asked=path, kind="file", size_bytes=1 << 30) for path in ("/a", "/b")]
    (beside,) = hashed_point(plan_study(own, targets).points[0])["beside"]
    assert beside["profile"]["write_random_share"] == 0.1


@pytest.mark.parametrize(("read", "trim"), [(1, 0), (0, 0), (0.5, 1)])
def test_they_are_refused_where_there_are_no_others(read: float, trim: float) -> None:
    share, distribution = refused(study(f"{OWN}\ntrim_share = {trim}", read=read))
    assert "write_random_share is for a profile that writes and also reads or trims" in share
    assert "put it in random_share" in share
    assert "write_distribution is for a profile" in distribution
    assert "put it in distribution" in distribution
    # A share of 0 says something as well.
    assert (
        "write_random_share is for"
        in refused(study("write_random_share = 0", read=read if not trim else 1))[0]
    )


@pytest.mark.parametrize(
    ("profile", "random", "said"),
    [
        (f'{OWN}\ndistribution = "pareto:0.2"', 0, "pareto:0.2 says nothing: no read is random"),
        ('write_random_share = 0\nwrite_distribution = "zipf:1"', 1, "no write is random"),
        ('write_random_share = 0\ndistribution = "zipf:1"', 0, "zipf:1 says nothing: no access is random"),
        (
            'write_distribution = "permutation"', 0.5,
            "only where every write is random: random_share = 1",
        ),
        (
            'write_random_share = 0.5\nwrite_distribution = "permutation"', 1,
            "only where every write is random: write_random_share = 1",
        ),
        (
            'write_random_share = 1\ndistribution = "permutation"', 0.5,
            "only where every read is random: random_share = 1",
        ),
        ("write_random_share = 2", 0.5, "write_random_share"),
        ("write_random_share = []", 0.5, "write_random_share: [] is no share"),
        ('write_distribution = "sipf"', 0.5, "'sipf' is no distribution"),
        ('write_distribution = "80/10, 10/95"', 0.5, "the zones get 90% of the accesses, not 100%"),
    ],
)  # fmt: skip
def test_what_says_nothing_or_cannot_be_is_refused(profile: str, random: float, said: str) -> None:
    (found,) = refused(study(profile, random=random))
    assert "profile[0]" in found
    assert said in found


def test_what_is_said_of_all_can_be_of_one_direction_where_the_other_is_sequential() -> None:
    reads = plan(study('distribution = "zipf:1.2"\nwrite_random_share = 0', random=1)).points[0].profile
    writes = plan(study('distribution = "zipf:1.2"\nwrite_random_share = 1', random=0)).points[0].profile
    assert [str(found) for found in reads.distributions + writes.distributions] == ["zipf:1.2"] * 2
    permuted = plan(study('distribution = "permutation"\nwrite_random_share = 1', random=0)).points[0]
    drawn = bench.accesses(permuted.model_copy(update={"seed": 1}), count=1000)
    assert len({offset for write, offset, _ in drawn if write}) == sum(write for write, _, _ in drawn)


def test_each_block_once_needs_one_size_of_its_direction_alone() -> None:
    sizes = 'blocks = ["4k", "8k"]\nwrite_blocks = "64k"\n'
    assert plan(study(f'{sizes}write_random_share = 1\nwrite_distribution = "permutation"'))
    (found,) = refused(study(f'{sizes}distribution = "permutation"\nwrite_random_share = 0', random=1))
    assert "goes through blocks of one size, and the reads of own have 2; keep one block size" in found
    (found,) = refused(study('write_distribution = "permutation"', sweep="random_share = [0.5]", random=1))
    assert "only 50% of the writes of own-random-50 are random; let all of them be random" in found


def test_one_stream_of_workers_has_no_random_writes() -> None:
    sweep = 'workers = 2\nworkers_area = "stream"'
    (found,) = refused(study("write_random_share = 0.5", sweep, random=0))
    assert "is one sequential stream, and own accesses at random" in found
    assert plan(study("write_random_share = 0", sweep, random=0))


def test_zones_of_either_direction_have_room_for_a_block() -> None:
    (found,) = refused(study('write_distribution = "50/0.01, 50/50"'), size_bytes=4 << 20)
    assert "zone 1 of 50/0.01, 50/50 has 0" in found


def test_axes_change_both_directions() -> None:
    points = plan(study(sweep="random_share = [0.0, 0.5, 1.0]")).points
    assert [ways(point.profile) for point in points] == [
        [(0, "uniform"), (0, "uniform")],
        [(0.5, "uniform"), (0.5, "zipf:1.2")],
        [(1, "uniform"), (1, "zipf:1.2")],
    ]
    assert [point.profile.name for point in points] == ["own-random-0", "own-random-50", "own-random-100"]
    writes, mixed, reads = (p.profile for p in plan(study(sweep="read_share = [0.0, 0.5, 1.0]")).points)
    assert ways(mixed) == [(0.5, "uniform"), (0.1, "zipf:1.2")]
    assert (ways(writes)[0], writes.write_random_share, writes.write_distribution) == (
        (0.1, "zipf:1.2"),
        None,
        None,
    )
    assert (ways(reads)[0], reads.write_random_share, reads.write_distribution) == (
        (0.5, "uniform"),
        None,
        None,
    )


@pytest.mark.parametrize(
    ("profile", "random"),
    [(OWN, 0.5), ('distribution = "zipf:1.2"', 1), ('distribution = "zipf:1.2"\nwrite_random_share = 1', 0)],
)
def test_every_plan_of_an_axis_reads_back(profile: str, random: float) -> None:
    """A share of 0 leaves no distribution to say something of."""
    for sweep in ("random_share = [0.0, 0.5, 1.0]", "read_share = [0.0, 0.5, 1.0]"):
        planned = plan(study(profile, sweep=sweep, random=random))
        assert Plan.model_validate_json(planned.model_dump_json()) == planned


@pytest.mark.parametrize(
    ("profile", "random", "options"),
    [
        (OWN, 0.5, {"rw": "randrw", "percentage_random": "50,10,50", "norandommap": "1"}),
        ("write_random_share = 1", 0, {"rw": "randrw", "percentage_random": "0,100,0", "norandommap": "1"}),
        (
            'distribution = "90/10, 10/90"\nwrite_distribution = "20/50, 80/50"', 1,
            {"random_distribution": "zoned:90/10:10/90,20/50:80/50,90/10:10/90"},
        ),
        (
            'write_distribution = "20/50, 80/50"', 1,
            {"random_distribution": "zoned:100/100,20/50:80/50,100/100"},
        ),
        (
            'distribution = "zipf:0.9"\nwrite_random_share = 0.5', 1,
            {"random_distribution": "zipf:0.9", "percentage_random": "100,50,100"},
        ),
    ],
)  # fmt: skip
def test_the_job_of_fio_of_a_point_reads_back_as_its_profile(
    tmp_path: Path, profile: str, random: float, options: dict[str, str]
) -> None:
    point = plan(study(profile, random=random)).points[0].model_copy(update={"engine": "aio"})
    found = asked(point).options
    assert {name: found.get(name) for name in options} == options
    if profile == OWN:  # fio has no law of writes alone
        assert "random_distribution" not in found
        return
    job = tmp_path / "job.fio"
    lines = (f"{name}={value}\n" for name, value in found.items() if name != "name")
    job.write_text("[a]\n" + "".join(lines))
    (translated,) = translate(job, environment={}).jobs
    back = [
        (share, where.replace("100/100", "uniform")) for share, where in ways(translated.study.profile[0])
    ]
    assert back == ways(point.profile)


def virtual_plan(text: str, system: str = "p3700") -> Plan:
    found = parse_study(f'{text}[[configuration]]\nname = "c"\nsystem = "{system}"\n')
    return plan_simulation(found, resolve_all(found.configurations, resolve))


def test_a_simulation_follows_each_direction_and_refuses_what_its_models_do_not_know_of_one() -> None:
    kept = virtual_plan(study('distribution = "zipf:1.2"\nwrite_random_share = 0', random=1))
    (reading,) = (result.reading for result in bench.simulate(kept))
    assert laws(kept.points[0], reading) == []
    for profile, random, hint in [
        ('distribution = "permutation"\nwrite_random_share = 1', 0, 'with distribution = "uniform"'),
        ('write_distribution = "permutation"', 1, 'with write_distribution = "uniform"'),
    ]:
        with pytest.raises(ProfileError) as caught:
            virtual_plan(study(profile, random=random))
        (problem,) = caught.value.problems
        assert "own writes by permutation, and garbage collection" in str(problem)
        assert hint in problem.hint
    for system in ("p3700", "raid-controllers"):
        assert virtual_plan(
            study('distribution = "zipf:1.2"\nwrite_distribution = "uniform"', random=1), system
        )


@pytest.mark.parametrize(
    ("profile", "random", "said"),
    [
        ("write_random_share = 1", 0, "one share of random accesses for reads and writes"),
        (
            'distribution = "zipf:1.2"\nwrite_distribution = "uniform"', 1,
            "even random accesses only, not zipf:1.2",
        ),
    ],
)  # fmt: skip
def test_the_formulas_refuse_them_by_name(profile: str, random: float, said: str) -> None:
    with pytest.raises(ProfileError) as caught:
        list(bench.simulate(virtual_plan(study(profile, random=random)), analytic=True))
    (problem,) = caught.value.problems
    assert said in str(problem)
    assert "leave --analytic out" in str(problem.hint)


def test_profiles_that_differ_in_how_writes_go_are_different_to_a_comparison() -> None:
    def run(**ways: Any) -> StoredRun:
        def change(result: PointResult) -> PointResult:
            profile = LoadProfile.model_validate(result.point.profile.model_dump() | ways)
            return result.model_copy(update={"point": result.point.model_copy(update={"profile": profile})})

        return make_stored_run(profiles=("database",), intensities=(1,), varied=False, change=change)

    def what(base: StoredRun, other: StoredRun) -> set[str]:
        return {difference.what for difference in compare(base, other).differences}

    plain = run()
    for ways in ({"write_random_share": 0.5}, {"write_distribution": "zipf:1.2"}):
        assert what(plain, run(**ways)) == {"profile"}
    assert what(plain, run(write_random_share=1.0, write_distribution="uniform")) == set()


def mixed(**more: Any) -> LoadProfile:
    return LoadProfile(
        name="made",
        random_share=0,
        read_share=0.67,
        blocks=(Block(bytes=4096),),
        write_random_share=1,
        **more,
    )


@pytest.mark.parametrize(
    ("language", "said", "columns"),
    [
        ("en", "reads sequential; writes random (Zipf, θ 1.2)", "a sequence of its own"),
        ("de", "Lesen sequenziell; Schreiben wahlfrei (Zipf, θ 1.2)", "eine eigene Folge"),
        ("ja", "リードはシーケンシャル、ライトはランダム（Zipf 分布、θ 1.2）", "方向ごとに独自"),
    ],
)
def test_the_paper_says_them_in_each_language(language: str, said: str, columns: str) -> None:
    point = make_point(mixed(write_distribution="zipf:1.2"))
    run = make_run(make_plan().model_copy(update={"points": (point,)}), status="finished")
    text = repr(paper.build(StoredRun(run=run, results=(make_result(point),)), language))
    assert said in text
    assert columns in text


def test_the_paper_explains_what_writes_alone_do() -> None:
    sequential = LoadProfile(name="log", random_share=0, read_share=0, blocks=(Block(bytes=4096),))
    random = mixed(write_distribution="zipf:1.2", alignment_bytes=8192)
    points = tuple(make_point(profile, index=place) for place, profile in enumerate((sequential, random)))
    run = make_run(make_plan().model_copy(update={"points": points}), status="finished")
    text = repr(paper.build(StoredRun(run=run, results=tuple(map(make_result, points))), "en"))
    assert "Zipf: the probability of the block of rank k" in text
    assert "multiples of 8 kB; unless the table of the load profiles says where they go" in text
    assert "made: latency" in text


def test_profiles_with_random_writes_access_the_area_of_random_ones() -> None:
    areas = AccessedAreas.model_validate({"random": "10%", "sequential": "50%"})
    sequential = mixed().model_copy(update={"write_random_share": 0})
    assert (areas.of(mixed()).length, areas.of(sequential).length) == (0.1, 0.5)


def test_they_are_columns_of_their_own_and_words_at_the_terminal() -> None:
    (row,) = point_rows([make_result(make_point(mixed(write_distribution="zipf:1.2")))])
    names = ("random_share", "write_random_share", "distribution", "write_distribution")
    assert [row[name] for name in names] == [0, 1, "uniform", "zipf:1.2"]
    (row,) = point_rows([make_result(make_point())])
    assert (row["write_random_share"], row["write_distribution"]) == (None, "")
    assert profile_text(mixed()) == "reads sequential; writes random, 67% read, 4 kB"
