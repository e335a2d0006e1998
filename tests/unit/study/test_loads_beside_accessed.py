"""Which part of its targets a load beside accesses: that of the others, unless its profile says its own."""

from __future__ import annotations

from iodyno.plan import Plan
from iodyno.profiles import Area
from iodyno.study import Overrides, on_systems, parse_study, plan_simulation, plan_study
from iodyno.targets import Target
from virtual_systems import GB, virtual_system

GIB = 1 << 30
HEAD = 'schema = 1\nname = "mine"\ntitle = "Mine"\n'
SWEEP = '[[sweep]]\nname = "one"\nprofiles = "database"\noutstanding = 1\n'
BESIDE = '[[sweep.beside]]\nprofile = "random-write-4k"\noutstanding = 4\n'
OWN = (
    '[[profile]]\nname = "log"\nrandom_share = 0\nread_share = 0\nblocks = "4k"\n'
    'area = { start = "90%", length = "10%" }\n'
)
CONFIGURED = '[[configuration]]\nname = "made-up"\nsystem = "made-up"\narea = "32G"\n'


def real(text: str, **choices: Area) -> Plan:
    target = Target.model_validate({"path": "/a", "asked": "/a", "kind": "file", "size_bytes": 32 * GIB})
    return plan_study(parse_study(HEAD + text), [target], Overrides.model_validate(choices))


def virtual(text: str, **choices: Area) -> Plan:
    study = parse_study(HEAD + text)
    return plan_simulation(study, {"made-up": virtual_system()}, Overrides.model_validate(choices))


def accessed(plan: Plan) -> list[list[tuple[int, int]]]:
    """Give beginning and length of what each load of each point accesses."""
    return [
        [(target.area_start_bytes, target.area_length_bytes) for target in point.targets]
        for point in plan.points
    ]


def test_an_area_that_is_asked_for_is_that_of_the_loads_beside_too() -> None:
    """`--area` is the part of each target that is accessed: the load beside went over all of it."""
    area = Area(length=10 * GIB)
    assert accessed(real(SWEEP + BESIDE, area=area)) == [[(0, 10 * GIB)] * 2]
    assert accessed(virtual(CONFIGURED + SWEEP + BESIDE, area=area)) == [[(0, 10 * GIB)] * 2]
    shifted = Area(start=0.25, length=0.5)
    assert accessed(real(SWEEP + BESIDE, area=shifted)) == [[(8 * GIB, 16 * GIB)] * 2]
    whole = Area()
    (loads,) = accessed(virtual(CONFIGURED + SWEEP + BESIDE, area=whole))
    (_, first), (_, other) = loads
    assert first == other > 32 * GIB


def test_asking_again_for_the_area_of_the_configuration_changes_nothing() -> None:
    usual = virtual(CONFIGURED + SWEEP + BESIDE)
    again = virtual(CONFIGURED + SWEEP + BESIDE, area=Area(length=32 * GIB))
    assert accessed(usual) == accessed(again) == [[(0, 32 * GIB)] * 2]


def test_an_axis_of_areas_is_that_of_the_loads_beside_too() -> None:
    text = SWEEP + 'area = ["1G", "50%"]\n' + BESIDE
    assert accessed(real(text)) == [[(0, GIB)] * 2, [(0, 16 * GIB)] * 2]
    for point, length in zip(virtual(CONFIGURED + text).points, (GIB, 50 * GB), strict=True):
        assert {target.size_bytes for target in point.targets} == {100 * GB}
        assert all(abs(target.area_length_bytes - length) < 8192 for target in point.targets)


def test_a_load_beside_keeps_the_area_of_its_own_profile() -> None:
    text = OWN + SWEEP + BESIDE.replace("random-write-4k", "log")
    for plan in (real(text), real(text, area=Area(length=8 * GIB))):
        ((_, (start, length)),) = accessed(plan)
        assert abs(start - 0.9 * 32 * GIB) <= 4096
        assert abs(length - 0.1 * 32 * GIB) <= 8192


def test_what_else_is_varied_leaves_the_loads_beside_as_they_are() -> None:
    for axis in ('block_sizes = ["16k"]', "read_share = 0.5", "random_share = 0.5"):
        (point,) = real(SWEEP + axis + "\n" + BESIDE).points
        assert [load.profile.name for load in point.beside] == ["random-write-4k"]


def test_a_system_without_a_configured_area_has_the_one_that_is_asked_for() -> None:
    study = on_systems(parse_study(HEAD + SWEEP + BESIDE), ["made-up"])
    plan = plan_simulation(study, {"made-up": virtual_system()}, Overrides(area=Area(length=10 * GIB)))
    assert accessed(plan) == [[(0, 10 * GIB)] * 2]
