"""Studies with configurations: what they may say, and the plan they come to."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from iodyno.errors import CatalogError, ProfileError
from iodyno.plan import Plan
from iodyno.profiles import Area
from iodyno.study import (
    Configuration,
    Overrides,
    Study,
    chosen_configurations,
    load_study,
    on_systems,
    parse_study,
    plan_simulation,
    plan_study,
    resolve_all,
)
from iodyno.study.at_once import load_to_simulate
from iodyno.study.systems import resolve
from iodyno.targets import Target
from iodyno.virtual import VirtualSystem
from virtual_systems import GB, virtual_system

TEXT = """
schema = 1
name = "two"
title = "Two systems"

[simulation]
warmup_ios = 10
floor_ios = 20
cap_ios = 30
precision = "3%"

[[configuration]]
name = "one"
system = "one-drive"
area = { random = { start = "10%", length = "25%" }, sequential = "10%" }

[[configuration]]
name = "c{n}-raid{level}"
title = "{n} drives, RAID {level}"
each = { n = [2, 4], level = ["0", "10"] }
[configuration.system]
count = "{n}"
level = "{level}"

[[sweep]]
name = "all"
profiles = ["database", "streaming"]
outstanding = [1, 8]

[[sweep]]
name = "wide"
profiles = ["database"]
configurations = ["c4-*"]
outstanding = 4
area = "1G"
real = false
"""


def study(text: str = TEXT) -> Study:
    return parse_study(text)


def plan(overrides: Overrides | None = None, text: str = TEXT, only: tuple[str, ...] = ()) -> Plan:
    found = study(text)
    systems = {item.name: virtual_system() for item in chosen_configurations(found, only)}
    return plan_simulation(found, systems, overrides)


def problems(text: str) -> str:
    with pytest.raises(ProfileError) as refused:
        study(text)
    return "\n".join(f"{problem} | {problem.hint}" for problem in refused.value.problems)


def test_each_combination_is_a_configuration_with_its_words_filled_in() -> None:
    found = study().configurations
    assert [item.name for item in found] == ["one", "c2-raid0", "c2-raid10", "c4-raid0", "c4-raid10"]
    assert found[2].title == "2 drives, RAID 10"
    # A text that is nothing but a word in braces becomes the word, a number too.
    assert found[2].system == {"count": 2, "level": "10"}


def test_words_that_belong_together_are_one_entry() -> None:
    each: dict[str, Any] = {"case": [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]}
    made = Configuration(name="{a}-{b}", system={"a": "{a}"}, each=each).expanded()
    assert [(item.name, item.system) for item in made] == [("1-x", {"a": 1}), ("2-y", {"a": 2})]


def words(text: str) -> str:
    """The study with other lists for its second configuration."""
    old = 'name = "c{n}-raid{level}"\ntitle = "{n} drives, RAID {level}"\n'
    assert old in TEXT
    text = TEXT.replace(old, text)
    start, end = text.index("each = { n"), text.index("[[sweep]]")
    return (text[:start] + text[end:]).replace('configurations = ["c4-*"]\n', "")


def test_words_in_names_are_written_as_names_are() -> None:
    table = 'name = "strip-{d}"\ntitle = "Strips of {d}"\nsystem = { strip = "{d}" }\n'
    found = study(words(table + 'each.d = ["64k", "1M", "PCIe 3.0 x4", 1.5, true]\n')).configurations[1:]
    assert [item.name for item in found] == [
        "strip-64k",
        "strip-1m",
        "strip-pcie-3.0-x4",
        "strip-1.5",
        "strip-true",
    ]
    # Everywhere else the word stays as written.
    assert [item.title for item in found[:3]] == ["Strips of 64k", "Strips of 1M", "Strips of PCIe 3.0 x4"]
    assert [item.system for item in found] == [
        {"strip": value} for value in ("64k", "1M", "PCIe 3.0 x4", 1.5, True)
    ]


def test_words_that_give_one_name_twice_are_refused() -> None:
    said = problems(words('name = "s{d}"\nsystem = { strip = "{d}" }\neach.d = ["1M", "1m"]\n'))
    assert 'configuration[1].name: several get the name "s1m" | choose other words in each' in said


def test_a_number_alone_can_be_a_name_and_a_title() -> None:
    table = 'name = "{d}"\ntitle = "{d}"\ngroup = "{d}"\nsystem = { count = "{d}" }\neach.d = [4, 8]\n'
    found = study(words(table)).configurations[1:]
    assert [(item.name, item.title, item.group, item.system) for item in found] == [
        ("4", "4", "4", {"count": 4}),
        ("8", "8", "8", {"count": 8}),
    ]


def test_a_word_can_be_a_list_of_numbers() -> None:
    table = 'name = "f{d}"\ntitle = "failed {d}"\nsystem = "one"\nchanges = { failed = "{d}" }\n'
    found = study(words(table + "each.d = [[0], [0, 1], []]\n")).configurations[1:]
    assert [(item.name, item.title, item.changes["failed"]) for item in found] == [
        ("f0", "failed 0", [0]),
        ("f0-1", "failed 0, 1", [0, 1]),
        ("fnone", "failed none", []),
    ]
    read = parse_study(words(table + "each.d = [[0], 1]\n"))
    assert Study.model_validate(read.source()).configurations == read.configurations


def test_what_only_the_words_make_wrong_is_told_as_a_problem_of_the_table() -> None:
    said = problems(words('name = "{d}"\nsystem = "one"\neach.d = ["a", "%"]\n'))
    assert 'configuration[1].name: "" is no short name' in said
    assert 'that comes with d = "%" of each' in said


def test_every_point_of_the_plan_is_decided() -> None:
    found = plan()
    assert found.simulated
    assert set(found.systems) == {"one", "c2-raid0", "c2-raid10", "c4-raid0", "c4-raid10"}
    expected = [
        ("all", system, profile, outstanding)
        for system, profile, outstanding in itertools.product(
            found.systems, ("database", "streaming"), (1, 8)
        )
    ]
    expected += [("wide", system, "database-area-1g", 4) for system in ("c4-raid0", "c4-raid10")]
    made = [(point.sweep, point.system, point.profile.name, point.outstanding) for point in found.points]
    assert made == expected
    assert [point.index for point in found.points] == list(range(len(expected)))
    assert {point.engine for point in found.points} == {"simulator"}
    stopping = found.points[0].stopping
    assert (stopping.warmup_ios, stopping.floor_ios, stopping.cap_ios, stopping.precision) == (
        10,
        20,
        30,
        0.03,
    )


def test_ios_are_for_each_target_and_a_profile_can_need_more_of_them() -> None:
    text = TEXT.replace("warmup_ios = 10", "warmup_ios = 10\nwarmup_of = { streaming = 50 }")
    found = plan_simulation(study(text), {"one": virtual_system(drives=3)})
    counts = {point.profile.name: point.stopping for point in found.points}
    assert {name: stopping.warmup_ios for name, stopping in counts.items()} == {
        "database": 30,
        "streaming": 150,
    }
    assert {(stopping.floor_ios, stopping.cap_ios) for stopping in counts.values()} == {(60, 90)}
    changed = plan_simulation(study(text), {"one": virtual_system()}, Overrides(warmup_ios=7))
    assert {point.stopping.warmup_ios for point in changed.points} == {7}


def test_a_configuration_can_need_more_of_them_than_others() -> None:
    text = TEXT.replace("warmup_ios = 10", "warmup_ios = 10\nwarmup_of = { streaming = 50, database = 20 }")
    text = text.replace('name = "one"\n', 'name = "one"\nwarmup_of = { streaming = 70 }\n', 1)
    found = plan(text=text)
    counts = {
        (point.system, point.profile.name): point.stopping.warmup_ios
        for point in found.points
        if point.sweep == "all" and point.system in ("one", "c2-raid0")
    }
    assert counts == {
        ("one", "database"): 20,
        ("one", "streaming"): 70,
        ("c2-raid0", "database"): 20,
        ("c2-raid0", "streaming"): 50,
    }
    changed = plan(Overrides(warmup_ios=7), text)
    assert {point.stopping.warmup_ios for point in changed.points} == {7}
    assert Study.model_validate(parse_study(text).source()).configurations == study(text).configurations


@pytest.mark.parametrize(
    ("axis", "choices"),
    [
        ('area = "50%"', Overrides()),
        ('block_sizes = ["4k", "8k"]', Overrides()),
        ("", Overrides(area=Area(length=1 << 30))),
        ("", Overrides(read_share=(0.5,), random_share=(0.25,))),
    ],
)
def test_a_profile_that_an_axis_changes_needs_as_many_as_it_did(axis: str, choices: Overrides) -> None:
    """It was looked up as `streaming-area-50`, and had the warm-up of the others."""
    text = TEXT.replace("warmup_ios = 10", "warmup_ios = 10\nwarmup_of = { streaming = 50 }")
    text = text.replace("outstanding = [1, 8]", f"outstanding = [1, 8]\n{axis}")
    found = plan_simulation(study(text), {"one": virtual_system()}, choices)
    assert {(point.profile.name[:8], point.stopping.warmup_ios) for point in found.points} == {
        ("database", 10),
        ("streamin", 50),
    }


def test_a_warm_up_of_a_profile_that_there_is_not_is_refused() -> None:
    text = TEXT.replace("warmup_ios = 10", "warmup_ios = 10\nwarmup_of = { streaming = 50, nosuch = 10 }")
    said = problems(text)
    assert 'simulation.warmup_of.nosuch: there is no profile "nosuch"' in said
    assert "warmup_of.streaming" not in said
    text = TEXT.replace('name = "one"\n', 'name = "one"\nwarmup_of = { streamin = 70 }\n', 1)
    said = problems(text)
    assert 'configuration[0].warmup_of.streamin: there is no profile "streamin"' in said
    assert "| did you mean streaming?" in said
    text = TEXT.replace("warmup_ios = 10", "warmup_ios = 10\nwarmup_of = { streaming-area-50 = 10 }")
    assert "did you mean streaming?" in problems(text)


def test_a_configuration_says_the_area_by_the_kind_of_access() -> None:
    by_profile = {point.profile.name: point for point in plan().points if point.system == "one"}
    target = by_profile["database"].targets[0]
    grain = 4096
    # 25 % of 100 GB from 10 % on, rounded down to the alignment.
    assert target.area_start_bytes == 10 * GB // grain * grain
    assert target.area_length_bytes == 25 * GB // grain * grain
    assert by_profile["streaming"].targets[0].area_start_bytes == 0
    assert by_profile["streaming"].targets[0].area_length_bytes == 10 * GB // grain * grain
    other = next(point for point in plan().points if point.system == "c2-raid0")
    assert other.targets[0].area_length_bytes == 100 * GB // grain * grain


def test_the_same_load_has_the_same_seed_on_every_system() -> None:
    seeds: dict[Any, set[int]] = {}
    for point in plan().points:
        if point.system != "one":  # accesses another area
            seeds.setdefault((point.sweep, point.profile.name, point.outstanding), set()).add(point.seed)
    assert all(len(found) == 1 for found in seeds.values())
    assert len(set.union(*seeds.values())) == len(seeds)


def test_choices_replace_those_of_the_study() -> None:
    found = plan(Overrides(precision=0.2, cap_ios=25, seed=7, outstanding=(2,), profiles=("streaming",)))
    assert {point.outstanding for point in found.points} == {2}
    assert {point.profile.name for point in found.points} == {"streaming"}
    stopping = found.points[0].stopping
    assert (found.seed, stopping.precision, stopping.floor_ios, stopping.cap_ios) == (7, 0.2, 20, 25)


def test_a_cap_below_the_floor_is_refused() -> None:
    with pytest.raises(ProfileError, match="--cap-ios: 15 is below floor_ios of the study, 20") as refused:
        plan(Overrides(cap_ios=15))
    assert refused.value.problems[0].hint == "raise --cap-ios, or give --floor-ios 15 or less too"
    stopping = plan(Overrides(cap_ios=15, floor_ios=15)).points[0].stopping
    assert (stopping.floor_ios, stopping.cap_ios) == (15, 15)
    # A measurement does not simulate: the study's I/Os are nothing to it.
    target = Target(path="/data/a", asked="/data/a", kind="file", size_bytes=4 << 30)
    assert plan_study(study(), [target], Overrides(cap_s=1.0)).points


def test_only_some_configurations() -> None:
    assert set(plan(only=("*raid10",)).systems) == {"c2-raid10", "c4-raid10"}
    with pytest.raises(ProfileError, match='no configuration "c9'):
        plan(only=("c9*",))


def test_of_many_configurations_a_hint_names_a_few() -> None:
    many = study(words('name = "c{n}"\nsystem = { count = "{n}" }\neach.n = ' + f"{list(range(100))}\n"))
    with pytest.raises(ProfileError) as refused:
        chosen_configurations(many, ("xxx*",))
    assert refused.value.problems[0].hint == (
        "known configurations: one, c0, c1, c2, c3, c4, c5, c6 and 93 more; `--plan` shows all"
    )
    with pytest.raises(ProfileError) as refused:
        chosen_configurations(many, ("d77",))
    assert refused.value.problems[0].hint.startswith("did you mean c77? Known configurations: one, c0,")


def test_engines_of_a_sweep_are_for_real_targets() -> None:
    text = TEXT.replace("outstanding = [1, 8]", 'outstanding = [1, 8]\nengine = ["sync", "null"]')
    assert len(plan(text=text).points) == len(plan().points)


def test_a_system_of_the_catalogue_takes_the_place_of_configurations() -> None:
    found = on_systems(study(), ["p3700-800", "./my/other.toml", "p3700-800"])
    assert [(item.name, item.system) for item in found.configurations] == [
        ("p3700-800", "p3700-800"),
        ("other", "./my/other.toml"),
    ]
    systems = {item.name: virtual_system() for item in found.configurations}
    assert {point.sweep for point in plan_simulation(found, systems).points} == {"all", "wide"}


def test_volumes_are_loaded_together_or_each_for_itself() -> None:
    pair = {"one": virtual_system(drives=2)}
    found = plan_simulation(study(), pair)
    assert [len(point.targets) for point in found.points] == [2, 2, 2, 2]
    assert found.points[0].outstanding_total == 2
    each = study(TEXT.replace('name = "all"', 'name = "all"\ntargets = "each"'))
    paths = [point.targets[0].path for point in plan_simulation(each, pair).points]
    assert paths == ["drive-0", "drive-1"] * 4
    named = study(TEXT.replace('system = "one-drive"', 'system = "one-drive"\nvolumes = ["drive-1"]'))
    assert {point.targets[0].path for point in plan_simulation(named, pair).points} == {"drive-1"}
    with pytest.raises(ProfileError, match='no volume "drive-1"'):
        plan_simulation(named, {"one": virtual_system()})


def test_a_volume_is_no_two_targets() -> None:
    """Twice in the list it was loaded twice, as two targets of its rate each."""
    with_volumes = 'system = "one-drive"\nvolumes = '
    for volumes in ('["drive-0", "drive-0"]', '["drive-1", "drive-0", "drive-0"]'):
        said = problems(TEXT.replace('system = "one-drive"', with_volumes + volumes))
        assert "configuration[0].volumes: 'drive-0' is in the list twice" in said
    text = TEXT.replace('title = "{n} drives, RAID {level}"', 'volumes = ["drive-{n}", "drive-2"]')
    assert "'drive-2' is in the list twice" in problems(text)
    one = study(TEXT.replace('system = "one-drive"', with_volumes + '"drive-1"'))
    assert one.configurations[0].volumes == ("drive-1",)
    assert one.configurations[1].volumes == ()
    assert Study.model_validate(one.source()) == one.model_copy(
        update={"configuration": tuple(one.configurations)}
    )


def test_what_a_sweep_says_of_virtual_systems_only_is_not_measured() -> None:
    target = Target(path="/data/a", asked="/data/a", kind="file", size_bytes=4 << 30)
    found = plan_study(study(), [target])
    assert {point.sweep for point in found.points} == {"all"}
    assert not found.simulated
    none = study(TEXT.replace("outstanding = [1, 8]", "outstanding = [1, 8]\nreal = false"))
    with pytest.raises(ProfileError, match="no sweep of the study is for real targets"):
        plan_study(none, [target])


def test_what_cannot_be_is_refused_all_at_once() -> None:
    text = (
        TEXT.replace("cap_ios = 30", "cap_ios = 10\nfast = true")
        .replace('configurations = ["c4-*"]', 'configurations = ["c5-*", "one"]')
        .replace('level = ["0", "10"] }', 'level = [] }\ncolour = "red"')
    )
    said = problems(text)
    assert "simulation.fast: is no key of this table" in said
    assert "simulation.floor_ios: 20 is above cap_ios, 10" in said
    assert "configuration[1].each.level: is empty" in said
    assert "configuration[1].colour: is no key of this table" in said
    assert 'sweep[1].configurations[0]: there is no configuration "c5-*"' in said


def test_what_only_real_targets_answer_is_refused_and_not_left_out() -> None:
    text = TEXT.replace(
        "[simulation]", "[measurement]\nverify = true\ncold_cache = true\niopoll = true\n[simulation]"
    )
    with pytest.raises(ProfileError) as refused:
        plan(text=text)
    assert [problem.where for problem in refused.value.problems] == [
        "measurement.verify",
        "measurement.cold_cache",
        "measurement.iopoll",
    ]


def test_names_of_configurations_are_given_once_and_whole() -> None:
    assert 'configuration[1].name: "one" is taken by configuration[0]' in problems(
        TEXT.replace('name = "c{n}-raid{level}"', 'name = "one"')
    )
    said = problems(TEXT.replace('name = "c{n}-raid{level}"', 'name = "c{n}-raid{leval}"'))
    assert "has a word that nothing gives" in said


def test_a_name_without_the_words_of_each_says_which_it_lacks() -> None:
    """All that the configuration stands for are called alike: another name, alike too, would help nobody."""
    said = problems(TEXT.replace('name = "c{n}-raid{level}"', 'name = "c{n}"'))
    assert 'several get the name "c' in said
    assert "tell them apart in it: c{n}-{level}" in said


def test_a_word_of_changes_that_no_list_gives_is_named(tmp_path: Path) -> None:
    study = tmp_path / "words.toml"
    study.write_text(
        'schema = 1\nname = "words"\ntitle = "Words"\n[[configuration]]\nname = "some-{x}"\n'
        'system = "raid-controllers"\nchanges = { count = "{y}" }\neach.x = [4, 6]\n'
        '[[sweep]]\nname = "s"\nprofiles = ["database"]\n'
    )
    with pytest.raises(ProfileError) as refused:
        load_to_simulate(study, (), resolve)
    (problem,) = refused.value.problems
    assert problem.where.endswith("configuration[0].changes.count")
    assert (problem.what, problem.hint) == ('there is no each.y for "{y}"', "known words: x")


@pytest.mark.parametrize(
    ("key", "value", "place"),
    [
        ("title", '"RAID {level} {nosuch}"', "title"),
        ("description", '"Of {n} drives, {nosuch}."', "description"),
        ("group", '"of-{nosuch}"', "group"),
        ("volumes", '["drive-{n}", "{nosuch}"]', "volumes[1]"),
    ],
)
def test_a_word_that_no_list_gives_is_refused_in_every_text(key: str, value: str, place: str) -> None:
    """The paper had it as it is written."""
    text = TEXT.replace('title = "{n} drives, RAID {level}"', f"{key} = {value}")
    with pytest.raises(ProfileError) as refused:
        study(text)
    assert [(found.where, found.what, found.hint) for found in refused.value.problems] == [
        (
            f"study: configuration[1].{place}",
            'there is no each.nosuch for "{nosuch}"',
            "known words: n, level",
        )
    ]
    alone = TEXT.replace('system = "one-drive"', f'system = "one-drive"\n{key} = {value}')
    said = problems(alone)
    assert f"configuration[0].{place}: " in said
    assert "give each.nosuch a list" in said


def test_the_problems_of_all_systems_are_told_together() -> None:
    def resolve(item: Configuration) -> VirtualSystem:
        if "raid10" in item.name:
            raise CatalogError.of("system.level", "no such level")
        return virtual_system()

    with pytest.raises(ProfileError) as refused:
        resolve_all(study().configurations, resolve)
    assert [problem.where for problem in refused.value.problems] == ["c2-raid10, c4-raid10: system.level"]
    alike = [item.model_copy(update={"name": "c-raid10"}) for item in study().configurations]
    with pytest.raises(ProfileError) as refused:
        resolve_all(alike, resolve)  # as where a word in braces is given by nothing
    assert [problem.where for problem in refused.value.problems] == ["c-raid10: system.level"]


def test_an_area_larger_than_the_volume_is_refused() -> None:
    with pytest.raises(ProfileError, match="ends outside drive-0"):
        plan(Overrides(area={"length": "1T"}))


def test_a_profile_of_one_byte_does_not_take_the_area_of_its_configuration() -> None:
    """In Python 1 == 1.0, the whole: an area without its unit was loaded as another one in silence."""
    profile = '[[profile]]\nname = "own"\nrandom_share = 1\nread_share = 1\nblocks = "8k"\narea = 1\n'
    text = TEXT.replace('["database", "streaming"]', '["own"]').replace("[[sweep]]", profile + "[[sweep]]", 1)
    with pytest.raises(ProfileError, match="the length of the area, 1 byte on drive-0, is less than a block"):
        plan(text=text, only=("one",))


def test_an_area_that_is_too_large_is_told_in_sizes_that_one_can_read() -> None:
    # 100 GB of a drive are 93.13 GiB (1e11 / 1024³).
    with pytest.raises(ProfileError, match=r"the area of 1T from 0 ends outside drive-0 \(93\.13 GiB\)"):
        plan(Overrides(area={"length": "1T"}))


def test_a_plan_reads_back_as_it_was() -> None:
    found = plan()
    again = Plan.model_validate_json(found.model_dump_json())
    assert again == found
    assert again.config_hash == found.config_hash
    other = found.model_copy(update={"systems": {**found.systems, "one": virtual_system("other")}})
    assert other.config_hash != found.config_hash


def test_the_hash_of_a_real_point_knows_nothing_of_virtual_systems() -> None:
    target = Target(path="/data/a", asked="/data/a", kind="file", size_bytes=4 << 30)
    document = plan_study(load_study("quick"), [target]).model_dump(mode="json")
    point = document["points"][0]
    for name in ("warmup_ios", "floor_ios", "cap_ios"):
        del point["stopping"][name]
    del point["system"]
    read = Plan.model_validate(document)
    assert read.config_hash == plan_study(load_study("quick"), [target]).config_hash


def test_a_system_in_a_file_is_called_what_it_calls_itself(tmp_path: Path) -> None:
    text = '[host]\nprocessor = "xeon-e5-2637-v3"\nsoftware = "windows-2012-ntfs-nvme"\n'
    drives = '[[drives]]\ndrive = "intel-p3700-800"\n'
    titled, plain = tmp_path / "one.toml", tmp_path / "other.toml"
    titled.write_text(f'name = "short"\ntitle = "What we have"\n{text}{drives}')
    plain.write_text(f'name = "what-we-would-buy"\n{text}{drives}')
    found = on_systems(load_study("quick"), [str(titled), str(plain), "p3700", str(tmp_path / "none.toml")])
    titles = [item.title for item in found.configurations]
    assert titles == ["What we have", "what-we-would-buy", "p3700", str(tmp_path / "none.toml")]


def test_blocks_of_virtual_drives_are_whole_sectors() -> None:
    """They are told with all other problems; 512 bytes are the sector of virtual drives."""
    sized = TEXT.replace("outstanding = [1, 8]", 'outstanding = [1, 8]\nblock_sizes = [1, 512, 700, "4k"]')
    with pytest.raises(ProfileError) as refused:
        plan(text=sized.replace('area = "1G"', 'area = "1T"'))
    told = [problem.what for problem in refused.value.problems]
    limit = "is no multiple of the logical sector of 512 bytes"
    assert [what for what in told if limit in what] == [f"a block of {size} {limit}" for size in (1, 700)]
    assert any("ends outside" in what for what in told)
    hints = {problem.hint for problem in refused.value.problems if limit in problem.what}
    assert hints == {"virtual drives are read and written in multiples of 512 bytes"}
