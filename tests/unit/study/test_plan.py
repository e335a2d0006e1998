"""A plan decides every point, always in the same way, and refuses what cannot be."""

from __future__ import annotations

import itertools
import json
import shlex
from typing import Any

import pytest

from factories import make_run
from iodyno.errors import ProfileError
from iodyno.plan import Plan, canonical_hash
from iodyno.profiles import Area
from iodyno.report.sections.commands import repeat
from iodyno.study import (
    Overrides,
    Study,
    load_study,
    on_systems,
    parse_study,
    plan_simulation,
    plan_study,
)
from iodyno.study.load import study_of_document
from iodyno.targets import Target
from virtual_systems import virtual_system

GIB = 1 << 30
HEAD = 'schema = 1\nname = "mine"\ntitle = "Mine"\n'


def target(path: str = "/data/file", size_bytes: int = 4 * GIB, **changes: object) -> Target:
    """Make a target as it would have been found."""
    return Target.model_validate(
        {"path": path, "asked": path, "kind": "file", "size_bytes": size_bytes, **changes}
    )


def refused(text: str, *targets: Target, choices: Overrides | None = None) -> list[str]:
    """Plan what cannot be, and give the problems."""
    with pytest.raises(ProfileError) as caught:
        plan_study(parse_study(HEAD + text), targets or (target(),), choices)
    return [str(problem) for problem in caught.value.problems]


def own_profile(name: str, block: str, alignment: str) -> str:
    """Write a profile that reads at random."""
    return (
        f'[[profile]]\nname = "{name}"\nrandom_share = 1\nread_share = 1\n'
        f"blocks = {block}\nalignment_bytes = {alignment}\n"
    )


def sweep(keys: str, profiles: str = '"database"') -> str:
    """Write a sweep."""
    return f'[[sweep]]\nname = "one"\nprofiles = {profiles}\n{keys}\n'


def test_the_same_choices_give_the_same_bytes() -> None:
    first, second = (plan_study(load_study("standard"), [target()]) for _ in range(2))
    assert first.model_dump_json() == second.model_dump_json()
    assert first.config_hash == second.config_hash
    assert Plan.model_validate_json(first.model_dump_json()).model_dump_json() == first.model_dump_json()


def test_another_seed_changes_every_point() -> None:
    first = plan_study(load_study("quick"), [target()])
    second = plan_study(load_study("quick"), [target()], Overrides(seed=2))
    assert first.config_hash != second.config_hash
    assert not {point.seed for point in first.points} & {point.seed for point in second.points}


def test_every_point_has_a_seed_of_its_own() -> None:
    seeds = [point.seed for point in plan_study(load_study("standard"), [target()]).points]
    assert len(set(seeds)) == len(seeds) == 50


def test_taking_points_away_leaves_the_others_as_they_were() -> None:
    whole = {
        (point.profile.name, point.outstanding): point.seed
        for point in plan_study(load_study("standard"), [target()]).points
    }
    part = plan_study(load_study("standard"), [target()], Overrides(profiles=("restore",), outstanding=(8,)))
    assert [point.seed for point in part.points] == [whole["restore", 8]]


def two_sweeps() -> Study:
    """One profile in two sweeps: only their workers differ."""
    sweeps = [
        {"name": name, "profiles": ["database"], "outstanding": [4, 8], "workers": [workers]}
        for name, workers in (("alone", 1), ("crowd", 4))
    ]
    return study_of_document({"name": "mine", "title": "Mine", "sweep": sweeps}, "mine")


def test_a_sweep_is_chosen_by_its_name_and_keeps_its_offsets() -> None:
    whole = plan_study(two_sweeps(), [target()]).points
    for names in (("crowd",), ("crowd", "alone")):
        part = plan_study(two_sweeps(), [target()], Overrides(sweeps=names)).points
        assert [(point.sweep, point.seed) for point in part] == [
            (point.sweep, point.seed) for point in whole if point.sweep in names
        ]
    with pytest.raises(ProfileError) as refused:
        plan_study(two_sweeps(), [target()], Overrides(sweeps=("crowds",), profiles=("nope",)))
    sweep, profile = refused.value.problems
    assert (sweep.where, sweep.what) == ("--sweep", 'mine has no sweep "crowds"')
    assert "crowd" in sweep.hint
    assert profile.where == "--profile"


def test_the_command_that_repeats_a_point_names_its_sweep_where_another_has_the_profile() -> None:
    plan = plan_study(two_sweeps(), [target()])
    point = plan.points[-1]
    words = shlex.split(repeat(make_run(plan), point))
    assert words[words.index("--sweep") + 1] == "crowd"
    # What it says is that point and no other.
    chosen = {"sweeps": ("crowd",), "profiles": ("database",), "outstanding": (8,), "workers": (4,)}
    (again,) = plan_study(two_sweeps(), [target()], Overrides.model_validate(chosen)).points
    assert again.model_copy(update={"index": point.index}) == point
    part = plan_study(two_sweeps(), [target()], Overrides(sweeps=("alone",)))
    assert "--sweep" not in repeat(make_run(part), part.points[0])
    asked = make_run(part, command=("iodyno", "measure", "/data", "--study", "mine.toml", "--sweep", "alone"))
    assert "--sweep alone" in repeat(asked, part.points[0])


TWO_SWEEPS = """
[[profile]]
name = "odd"
random_share = 1
read_share = 1
blocks = [{ bytes = "1000" }]
[[sweep]]
name = "one"
profiles = ["database", "odd"]
outstanding = 1
[[sweep]]
name = "two"
profiles = ["restore", "odd"]
outstanding = 1
"""


@pytest.mark.parametrize(
    ("choices", "where"),
    [
        ({}, "sweep one.profiles.odd, sweep two.profiles.odd"),
        ({"sweeps": ("two",)}, "sweep two.profiles.odd"),
        ({"sweeps": ("two",), "profiles": ("odd",)}, "sweep two.profiles.odd"),
    ],
)
def test_what_is_wrong_is_named_as_the_study_names_it(choices: dict[str, Any], where: str) -> None:
    """Its place was that in what was chosen of the study, and of virtual systems always the first sweep."""
    study, chosen = parse_study(HEAD + TWO_SWEEPS), Overrides.model_validate(choices)
    with pytest.raises(ProfileError) as measured:
        plan_study(study, [target()], chosen)
    with pytest.raises(ProfileError) as simulated:
        plan_simulation(on_systems(study, ["p3700"]), {"p3700": virtual_system()}, chosen)
    for caught in (measured, simulated):
        assert {problem.where for problem in caught.value.problems} == {where}


def test_how_long_and_by_which_engine_does_not_change_the_offsets() -> None:
    first = plan_study(load_study("quick"), [target()])
    second = plan_study(load_study("quick"), [target()], Overrides(cap_s=9.0, engine="sync", direct=False))
    assert [point.seed for point in first.points] == [point.seed for point in second.points]


def test_indices_count_from_zero() -> None:
    points = plan_study(load_study("quick"), [target()]).points
    assert [point.index for point in points] == list(range(50))


def test_the_product_of_all_axes() -> None:
    keys = 'workers = [1, 4]\nblock_sizes = ["4k", "16k"]\nengine = ["aio", "sync"]\noutstanding = [1, 2, 4]'
    plan = plan_study(parse_study(HEAD + sweep(keys, '["database", "restore"]')), [target()])
    combinations = {
        (
            point.profile.blocks[0].bytes,
            point.profile.random_share,
            point.workers,
            point.engine,
            point.outstanding,
        )
        for point in plan.points
    }
    expected = itertools.product((4096, 16384), (0.0, 1.0), (1, 4), ("aio", "sync"), (1, 2, 4))
    assert combinations == set(expected)
    assert len(plan.points) == 2 * 2 * 2 * 2 * 3


def test_targets_together_or_each() -> None:
    two = (target("/data/a"), target("/data/b"))
    together = plan_study(parse_study(HEAD + sweep("outstanding = [1, 2]")), two)
    each = plan_study(parse_study(HEAD + sweep('outstanding = [1, 2]\ntargets = "each"')), two)
    assert [[found.path for found in point.targets] for point in together.points] == [
        ["/data/a", "/data/b"]
    ] * 2
    assert [[found.path for found in point.targets] for point in each.points] == [
        ["/data/a"], ["/data/b"], ["/data/a"], ["/data/b"],
    ]  # fmt: skip
    assert together.points[1].outstanding_total == 4


def test_an_area_in_percent_is_cut_to_the_grain() -> None:
    area = 'outstanding = 1\narea = { start = "10%", length = "25%" }'
    plan = plan_study(parse_study(HEAD + sweep(area)), [target(size_bytes=10_000_000)])
    (planned,) = plan.points[0].targets
    assert (planned.area_start_bytes, planned.area_length_bytes) == (999_424, 2_498_560)
    assert planned.area_start_bytes % 4096 == planned.area_length_bytes % 4096 == 0


def test_the_grain_is_the_logical_block_where_that_is_larger() -> None:
    keys = 'outstanding = 1\nblock_sizes = "16k"\narea = "50%"'
    own = own_profile("fine", '"8k"', '"8k"')
    found = target(size_bytes=1_000_000, logical_block_bytes=8192)
    plan = plan_study(parse_study(HEAD + own + sweep(keys, '"fine"')), [found])
    assert plan.points[0].targets[0].area_length_bytes == 500_000 // 8192 * 8192


def test_what_the_target_is_stands_in_the_plan() -> None:
    device = target("/dev/x", kind="device", logical_block_bytes=4096)
    (planned,) = plan_study(load_study("quick"), [device]).points[0].targets
    assert (planned.kind, planned.logical_block_bytes, planned.created) == ("device", 4096, False)


def test_the_study_is_in_the_plan_whole_with_the_overrides() -> None:
    plan = plan_study(load_study("quick"), [target()], Overrides(outstanding=(1, 3)))
    assert plan.study_source["sweep"][0]["outstanding"] == [1, 3]
    assert plan.study_source["sweep"][0]["chart"]["show"] == ["main", "latency"]
    assert json.loads(plan.model_dump_json())["study_source"] == plan.study_source


def test_an_area_outside_the_target() -> None:
    (said,) = refused(sweep('area = { start = "3G", length = "2G" }'))
    assert said == "sweep one.profiles.database: the area of 2G from 3G ends outside /data/file (4G)"


def test_an_area_in_percent_is_not_told_to_be_one_in_percent() -> None:
    """75 % and 50 % are more than any target has, however large it is."""
    hints = []
    for area in ('{ start = "75%", length = "50%" }', '{ start = "75%", length = "2G" }'):
        with pytest.raises(ProfileError) as caught:
            plan_study(parse_study(HEAD + sweep(f"area = {area}")), [target()])
        hints += [problem.hint for problem in caught.value.problems]
    assert hints == [
        "take a smaller area, or begin it earlier: the two come to more than 100%",
        "take a smaller area, or one in percent, or a larger target",
    ]


def test_an_area_of_nothing_has_no_place() -> None:
    """`A block of 8k is larger than the area of 0` said it of the block."""
    (said,) = refused(sweep("area = 0"))
    assert said == "sweep one.profiles.database: an area of 0 on /data/file has no place for a block"


@pytest.mark.parametrize(("size", "shown"), [(2048, "2k"), (8191, "8191 bytes")])
def test_a_target_that_is_smaller_than_a_block(size: int, shown: str) -> None:
    """It was said to have an area of 0, of which nobody had spoken."""
    with pytest.raises(ProfileError) as caught:
        plan_study(parse_study(HEAD + sweep("outstanding = 1")), [target(size_bytes=size)])
    (problem,) = caught.value.problems
    assert str(problem) == (
        f"sweep one.profiles.database: /data/file has {shown}, less than a block of 8k"  # an OLTP page
    )
    assert problem.hint == (
        "take a larger target (--size says how large a file is that iodyno makes), or a smaller block"
    )


def test_a_part_of_a_target_that_is_smaller_than_a_block() -> None:
    """10 % of 64k was `an area of 0`: what was asked for and of how much stands there."""
    with pytest.raises(ProfileError) as caught:
        plan_study(parse_study(HEAD + sweep('outstanding = 1\narea = "10%"')), [target(size_bytes=64 * 1024)])
    (problem,) = caught.value.problems
    assert problem.what == "an area of 10% of 64k on /data/file is less than a block of 8k"
    assert problem.hint == "take a larger area, or a larger target, or a smaller block"


def test_a_block_larger_than_the_area() -> None:
    (said,) = refused(sweep('area = "4k"'))
    assert said == "sweep one.profiles.database: a block of 8k is larger than the area of 4k on /data/file"


@pytest.mark.parametrize(
    ("area", "what", "hint"),
    [
        ("25", "the length of the area, 25 bytes", "25 is 25 bytes: write 25G or 25%"),
        ('"500"', "the length of the area, 500 bytes", "500 is 500 bytes: write 500G"),
        ('{ start = 1, length = "25%" }', "the beginning of the area, 1 byte", "1 is 1 byte: write 1G or 1%"),
        ("1", "the length of the area, 1 byte", "1 is 1 byte: write 1G or 1%"),  # in Python 1 == 1.0
        ('"512"', "the length of the area, 512 bytes", "512 is 512 bytes: write 512G, or 8k or more"),
        (
            '{ start = 1000, length = "25%" }',
            "the beginning of the area, 1000 bytes",
            "1000 is 1000 bytes: write 1000G, or a multiple of 4k",
        ),
    ],
)
def test_an_end_of_an_area_without_its_unit(area: str, what: str, hint: str) -> None:
    """25 was `larger than the area of 0`, and a beginning at 10 bytes, meant as 10 %, was one at 0."""
    with pytest.raises(ProfileError) as refusal:
        plan_study(parse_study(HEAD + sweep(f"outstanding = 1\narea = {area}")), [target()])
    (problem,) = refusal.value.problems
    said = f"sweep one.profiles.database: {what} on /data/file, is less than a block of 8k"
    assert (str(problem), problem.hint) == (said, hint)


def test_an_end_below_an_alignment_that_is_larger_than_a_block() -> None:
    """It began at 0."""
    area = 'outstanding = 1\narea = { start = "8k", length = "1G" }'
    with pytest.raises(ProfileError) as refusal:
        plan_study(
            parse_study(HEAD + own_profile("wide", '"4k"', '"64k"') + sweep(area, '"wide"')), [target()]
        )
    (problem,) = refusal.value.problems
    assert problem.what == (
        "the beginning of the area, 8192 bytes on /data/file, is less than 64k, and areas begin and end at "
        "multiples of that"
    )
    assert problem.hint == "take a multiple of 64k"


def test_one_byte_is_not_the_whole() -> None:
    assert Area(length=1) != Area()
    assert Area(length=1) == Area.model_validate("1")
    assert len({Area(), Area(length=1), Area(length=1.0), Area(start=0), Area(start=1), Area(start=1.0)}) == 4


def test_a_block_that_is_no_multiple_of_the_sector() -> None:
    said = refused(
        sweep('outstanding = [1, 2]\nblock_sizes = ["512", "1000"]'), target(logical_block_bytes=4096)
    )
    assert said == [
        "sweep one.profiles.database: a block of 512 is no multiple of the logical sector of 4096 bytes",
        "sweep one.profiles.database: a block of 1000 is no multiple of the logical sector of 4096 bytes",
    ]


def test_buffered_does_without_the_sector() -> None:
    text = HEAD + sweep('outstanding = 1\nblock_sizes = "1000"')
    plan = plan_study(parse_study(text), [target()], Overrides(direct=False))
    assert not plan.points[0].direct


def test_an_alignment_that_is_no_multiple_of_the_sector() -> None:
    own = own_profile("odd", '"4k"', "512")
    (said,) = refused(own + sweep("", '"odd"'), target(logical_block_bytes=4096))
    assert said.endswith("an alignment of 512 is no multiple of the logical sector of 4096 bytes")


def test_all_problems_of_all_points_and_targets_come_once() -> None:
    small, coarse = target("/data/small", 1 << 20), target("/data/coarse", logical_block_bytes=16384)
    said = refused(sweep('area = "2M"', '["database", "restore"]'), small, coarse)
    where = "sweep one.profiles.database, sweep one.profiles.restore"
    assert said == [
        f"{where}: the area of 2M from 0 ends outside /data/small (1M)",
        "sweep one.profiles.database: a block of 8k is no multiple of the logical sector of 16384 bytes",
        f"{where}: an alignment of 4k is no multiple of the logical sector of 16384 bytes",
    ]


def test_the_hash_depends_on_content_not_on_order_of_keys() -> None:
    assert canonical_hash({"a": 1, "b": 2}) == canonical_hash({"b": 2, "a": 1})
    assert canonical_hash({"a": 1}) != canonical_hash({"a": 2})


def test_more_points_than_anyone_can_wait_for() -> None:
    numbers = list(range(1, 1001))
    text = HEAD + sweep(f"workers = {numbers}\noutstanding = {numbers}")
    with pytest.raises(ProfileError, match="1,000,000 points, above the limit of 100,000"):
        plan_study(parse_study(text), [target()])
