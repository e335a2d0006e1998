"""Where accesses go: what a study may say of it, what is refused, and what keeps its hash and its offsets."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from factories import make_plan, make_point, make_result, make_run, make_target
from iodyno import bench
from iodyno.cli.wording import profile_text, series_key, series_text
from iodyno.distributions import Distribution
from iodyno.errors import ProfileError
from iodyno.plan import FillData, Plan, Point, Stopping
from iodyno.profiles import STANDARD_LOADS, LoadProfile
from iodyno.report import paper
from iodyno.store.records import StoredRun
from iodyno.study import Overrides, load_study, parse_study, plan_simulation, plan_study
from iodyno.study.expand import expand
from iodyno.study.patterns import zone_bounds
from iodyno.targets import Target
from virtual_systems import virtual_system

HEAD = 'schema = 1\nname = "mine"\ntitle = "Mine"\n'
GIB = 1 << 30


def target(size_bytes: int = 4 * GIB) -> Target:
    """Make a target as it would have been found."""
    return Target(path="/data/file", asked="/data/file", kind="file", size_bytes=size_bytes)


def study(profile: str = "", sweep: str = "", measurement: str = "", random: float = 1) -> str:
    """Write a study of one profile."""
    return (
        f"{HEAD}[measurement]\n{measurement}\n"
        f'[[profile]]\nname = "own"\nrandom_share = {random}\nread_share = 1\n{profile}\n'
        + ("" if "blocks" in profile else 'blocks = "8k"\n')
        + f'[[sweep]]\nname = "one"\nprofiles = "own"\noutstanding = 4\n{sweep}\n'
    )


def plan(text: str, *, size_bytes: int = 4 * GIB, choices: Overrides | None = None) -> Plan:
    return plan_study(parse_study(text), [target(size_bytes)], choices)


def refused(text: str, **options: Any) -> list[str]:
    """Plan what cannot be, and give the problems."""
    with pytest.raises(ProfileError) as caught:
        plan(text, **options)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ('"uniform"', "uniform"),
        ('"zipf:1.2"', "zipf:1.2"),
        ('"pareto:0.2"', "pareto:0.2"),
        ('"normal:0.1"', "normal:0.1"),
        ('"permutation"', "permutation"),
        ('"90/10, 10/70"', "90/10, 10/70"),
        ('"99.5%/0.5%,0.5/99.5"', "99.5/0.5, 0.5/99.5"),
        ('[{ accesses = "90%", range = 0.1 }, { accesses = 0.1, range = "70%" }]', "90/10, 10/70"),
        ('{ kind = "zipf", parameter = 1.2 }', "zipf:1.2"),
    ],
)
def test_a_distribution_is_written_in_several_ways_and_read_back(written: str, shown: str) -> None:
    planned = plan(study(f"distribution = {written}"))
    found = planned.points[0].profile.distribution
    assert str(found) == shown
    assert Distribution.model_validate(shown) == found
    assert Plan.model_validate_json(planned.model_dump_json()) == planned


def test_all_that_is_wrong_with_distributions_is_told_at_once() -> None:
    written = [
        '"80/10, 10/95"',
        '"zipf:x"',
        '"90/q, 10/200, 0/0"',
        '"sipf"',
        '"zipf:0"',
        '"pareto:1"',
        '"normal:2"',
    ]
    text = HEAD + "".join(
        f'[[profile]]\nname = "p{place}"\nrandom_share = 1\nread_share = 1\nblocks = "4k"\n'
        f"distribution = {distribution}\n"
        for place, distribution in enumerate(written)
    )
    found = refused(text + '[[sweep]]\nname = "one"\nprofiles = ["p0"]\n')
    assert [line.partition("distribution: ")[2] for line in found] == [
        "the zones get 90% of the accesses, not 100%; the zones take 105% of the range, above 100%",
        "'zipf:x' has no number behind zipf: write zipf:1.2",
        "'90/q' is no zone: write accesses/range in percent, 90/10; '10/200' has a share above 100%; "
        "'0/0' is a zone of no range",
        '\'sipf\' is no distribution: write "uniform", "zipf:1.2", "pareto:0.2", "normal:0.1", "permutation" '
        'or zones such as "90/10, 10/70"',
        "zipf needs a theta above 0 to 10, for example zipf:1.2",
        "pareto needs an h above 0 and below 1, for example pareto:0.2",
        "normal needs a deviation above 0 to 1, a share of the blocks, for example normal:0.1",
    ]


def test_a_table_of_zones_is_refused_by_its_place() -> None:
    found = refused(study('distribution = [{ accesses = "90%", rnge = 0.1 }]'))
    assert any("profile[0].distribution[0].rnge" in line for line in found)


def test_what_says_nothing_or_contradicts_itself_is_refused() -> None:
    assert "no access is random" in refused(study('distribution = "zipf:1"', random=0))[0]
    assert "random_share = 1" in refused(study('distribution = "permutation"', random=0.5))[0]
    assert 'this is "zeros"' in refused(study('data = "zeros"\ndata_duplicate_share = 0.5'))[0]
    found = refused(study('distribution = "permutation"\nblocks = ["4k", "8k"]'))
    assert found == ["sweep one.profiles.own: a permutation goes through blocks of one size, and own has 2"]
    assert "100%" not in refused(study('distribution = "permutation"', sweep="random_share = 0.5"))[0]
    found = refused(study('distribution = "permutation"', sweep="random_share = 0.999"))
    assert "only 99.9% of own" in found[0]


def test_a_stream_of_several_workers_is_sequential_and_of_one_block_size() -> None:
    found = refused(study('blocks = ["4k", "8k"]', sweep='workers = 4\nworkers_area = "stream"'))
    assert [line.partition(": ")[2] for line in found] == [
        'workers_area = "stream" is one sequential stream, and own accesses at random',
        'workers_area = "stream" needs one block size, and own has 2',
    ]


@pytest.mark.parametrize(("bytes_less", "steps"), [(-0.4, 6), (0, 6), (0.4, 6), (0.6, 5), (4096, 5)])
def test_zones_end_at_whole_bytes_and_then_at_what_blocks_are_aligned_to(
    bytes_less: float, steps: int
) -> None:
    """Blocks of 8 KiB, 4 KiB apart: what ends so much before the sixth is rounded to the nearest byte, then
    down."""
    draft, *_ = expand(parse_study(study()))
    length = 20 * 4096
    percent = 100 * (6 * 4096 - bytes_less) / length
    zones = Distribution.model_validate(f"100/{percent:.12f}")
    assert [*zone_bounds(draft, zones, length)] == [(0, steps * 4096)]


def test_parts_and_zones_without_room_for_a_block_are_refused() -> None:
    small = refused(study(sweep='workers = 1024\nworkers_area = "own"'), size_bytes=4 << 20)
    assert "gives each of 1024 workers 4k, less than a block of 8k" in small[0]
    zone = refused(study('distribution = "50/0.1, 50/50"'), size_bytes=4 << 20)
    assert "zone 1 of 50/0.1, 50/50 has 4k on /data/file, less than a block of 8k" in zone[0]


def test_the_area_of_workers_comes_from_measurement_sweep_and_command_line() -> None:
    of_all = plan(study(measurement='workers_area = "own"', sweep="workers = [1, 4]"))
    assert {point.workers_area for point in of_all.points} == {"own"}
    axis = plan(study(sweep='workers = 4\nworkers_area = ["shared", "own"]'))
    assert [point.workers_area for point in axis.points] == ["shared", "own"]
    chosen = plan(study(sweep="workers = 4"), choices=Overrides(workers_area="own"))
    assert [point.workers_area for point in chosen.points] == ["own"]


# What the commit before distributions gave for the same requests.
BEFORE: dict[str, Any] = {
    "points": {
        "quick": ("572949502ec2b65a", 5720708742383046804, "c0414f702debe36e", 1200686869538211609),
        "standard": ("88a07aac5a8855a4", 5720708742383046804, "f6b17e737ccdc864", 1200686869538211609),
    },
    "accesses": ("f42b0b90f078e000", "49e322da1fcd9871", "81076b582a3ada16"),
}


@pytest.mark.parametrize("name", ["quick", "standard"])
def test_points_that_choose_nothing_keep_their_hash_and_their_seed(name: str) -> None:
    points = plan_study(load_study(name), [target()]).points
    first, last = points[0], points[-1]
    assert (first.config_hash, first.seed, last.config_hash, last.seed) == BEFORE["points"][name]


def test_a_point_that_chooses_the_usual_is_the_same_point() -> None:
    usual = plan(study('distribution = "uniform"\ndata_duplicate_share = 0', 'workers_area = "shared"'))
    assert usual.points == plan(study()).points
    other = plan(study('distribution = "zipf:1.2"')).points[0]
    assert other.seed != usual.points[0].seed
    assert other.config_hash != usual.points[0].config_hash


def _first_accesses(profile: LoadProfile, area: tuple[int, int], workers: int, worker: int, of: int) -> str:
    targets = [
        make_target(path="/x", size_bytes=1 << 40, area_start_bytes=area[0], area_length_bytes=area[1])
    ] * 2
    stopping = Stopping(warmup_s=0, floor_s=1, cap_s=1, precision=0.02, confidence=0.95)
    point = Point(
        index=0, sweep="s", profile=profile, targets=tuple(targets), outstanding=1, workers=workers,
        seed=20_260_101, stopping=stopping,
    )  # fmt: skip
    drawn = bench.accesses(point, target=of, worker=worker, count=10_000)
    return hashlib.sha256(json.dumps(drawn).encode()).hexdigest()[:16]


def test_the_offsets_of_a_seed_are_those_that_they_were() -> None:
    mixed = LoadProfile(
        name="mix", random_share=0.3, read_share=0.67, blocks=[{"bytes": 4096, "weight": 2}, {"bytes": 65536}]
    )
    found = (
        _first_accesses(STANDARD_LOADS["database"].profile, (1 << 20, 640 << 20), 1, 0, 0),
        _first_accesses(STANDARD_LOADS["streaming"].profile, (1 << 20, 640 << 20), 4, 3, 1),
        _first_accesses(mixed, (0, 1 << 34), 3, 1, 0),
    )
    assert found == BEFORE["accesses"]


def test_a_simulation_follows_reads_and_refuses_what_its_models_do_not_know() -> None:
    def simulated(text: str) -> Plan:
        system = virtual_system()
        document = text + f'[[configuration]]\nname = "made-up"\nsystem = "{system.name}"\n'
        return plan_simulation(parse_study(document), {"made-up": system})

    kept = simulated(study('distribution = "90/10, 10/70"', 'workers_area = "own"\nworkers = 2'))
    assert kept.points[0].workers_area == "own"
    with pytest.raises(ProfileError, match="no virtual part knows its data"):
        simulated(study("data_duplicate_share = 0.5"))
    with pytest.raises(ProfileError, match="the formulas know even random accesses only, not 90/10, 10/70"):
        list(bench.simulate(kept, analytic=True))


def test_a_fill_has_the_data_that_all_profiles_agree_on() -> None:
    shares = "data_compressible_share = 0.5\ndata_duplicate_share = 0.2"
    assert plan(study(shares)).fill_data == FillData(compressible_share=0.5, duplicate_share=0.2)
    assert plan(study()).fill_data == FillData()
    both = study(shares, sweep="").replace('profiles = "own"', 'profiles = ["own", "database"]')
    assert plan(both).fill_data == FillData()


def test_verified_data_has_no_copies() -> None:
    written = study("data_duplicate_share = 0.2", measurement="verify = true")
    found = refused(written.replace("read_share = 1", "read_share = 0"))
    assert any("data_duplicate_share cannot be had" in line for line in found)


def test_the_paper_says_where_accesses_went_and_what_was_written() -> None:
    profile = STANDARD_LOADS["database"].profile.model_copy(
        update={
            "distribution": Distribution.model_validate("90/10, 10/70"),
            "data_compressible_share": 0.5,
            "data_duplicate_share": 0.25,
        }
    )
    point = make_point(profile, 4, workers=2, workers_area="own")
    made_plan = make_plan().model_copy(update={"points": (point,)})
    run = make_run(made_plan, status="finished", finished_at="2026-03-14T09:30:00+00:00")
    document = paper.build(StoredRun(run=run, results=(make_result(point),)))
    text = repr(document)
    for words in (
        "random (90% on 10%, 10% on 70%)",
        "Zones: the first figure is the share of the random accesses",
        "unless the table of the load profiles says where they go",
        "Each worker accesses a part of the area of its own",
        "2, an area of its own for each worker",
        "50% compress away; 25% of its blocks are copies of earlier ones",
        "What was filled before the measurement has the same shares, in blocks of 128 kB.",
        "--workers-area own",
    ):
        assert words in text, words


def test_a_distribution_is_in_the_words_for_a_profile() -> None:
    profile = STANDARD_LOADS["database"].profile
    for written, words in [
        ("90/10, 10/70", "random (90% on 10%, 10% on 70%), 67% read, 8 kB"),
        ("zipf:1.2", "random (Zipf, θ 1.2), 67% read, 8 kB"),
        ("permutation", "random (each block once), 67% read, 8 kB"),
    ]:
        changed = profile.model_copy(update={"distribution": Distribution.model_validate(written)})
        assert profile_text(changed) == words


def test_what_workers_access_heads_the_rows_of_its_points() -> None:
    shared, own = (
        make_point("database", 8, workers=2),
        make_point("database", 8, workers=2, workers_area="own"),
    )
    assert series_text(shared) == "Database: random, 67% read, 8 kB, 2 workers"
    assert series_text(own) == f"{series_text(shared)}, an area of its own for each worker"
    assert series_key(shared) != series_key(own)
