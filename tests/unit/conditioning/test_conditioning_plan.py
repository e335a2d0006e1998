"""What a study says of conditioning, and what a plan makes of it."""

from __future__ import annotations

import pytest

from iodyno.conditioning.state import discards_itself
from iodyno.errors import ProfileError
from iodyno.plan import Plan
from iodyno.study import Overrides, parse_study, plan_study
from iodyno.targets import Target

MIB = 1 << 20
STUDY = """
schema = 1
name = "conditioned"
title = "Conditioned"
{conditioning}
[[sweep]]
name = "one"
profiles = ["database", "random-write-4k"]
workers = 1
outstanding = [1, 8, 4]
"""


def target(**changes: object) -> Target:
    facts = {"path": "/data/file", "asked": "file", "kind": "file", "size_bytes": 64 * MIB, "created": True}
    return Target.model_validate({**facts, **changes})


def planned(conditioning: str = "", *targets: Target, **choices: object) -> Plan:
    study = parse_study(STUDY.format(conditioning=conditioning))
    return plan_study(study, targets or (target(),), Overrides.model_validate(choices))


def problems(conditioning: str, *targets: Target) -> str:
    with pytest.raises(ProfileError) as caught:
        planned(conditioning, *targets)
    return str(caught.value)


def test_a_plan_without_conditioning_is_what_it_was() -> None:
    plan, with_it = planned(), planned("[conditioning]")
    assert plan.conditioning is None
    assert plan.points == with_it.points, "conditioning changes no offset and no seed of a point"
    assert "conditioning" not in plan.study_source
    assert plan.config_hash != with_it.config_hash


def test_the_defaults_are_the_published_rule() -> None:
    """SNIA PTS 2.0: twice the capacity, rounds of a minute, at most 25; window 5, 20 %, 10 %."""
    found = planned('[conditioning]\nrounds = "each-profile"').conditioning
    assert found
    assert [(fill.start_bytes, fill.length_bytes, fill.times) for fill in found.fills] == [(0, 64 * MIB, 2)]
    rule = found.rule
    assert (rule.at_most, rule.window, rule.range_share, rule.excursion_share) == (25, 5, 0.2, 0.1)
    assert {load.stopping.cap_s for rounds in found.rounds for load in rounds.loads} == {60.0}


def test_rounds_before_each_profile_are_its_load_at_the_most_outstanding() -> None:
    plan = planned('[conditioning]\nrounds = "each-profile"\nround_s = "2s"')
    assert plan.conditioning
    seen = [(rounds.before, rounds.loads) for rounds in plan.conditioning.rounds]
    assert [before for before, _ in seen] == [0, 3]
    for before, (load,) in seen:
        assert load.profile == plan.points[before].profile
        assert load.outstanding == 8
        assert (load.stopping.warmup_s, load.stopping.floor_s, load.stopping.cap_s) == (0, 2, 2)
    assert plan.conditioning.longest_s == 25 * 2 * 2.0
    assert plan.longest_s == 100 + 6 * 62


def test_rounds_once_are_made_of_the_profiles_named() -> None:
    text = '[conditioning]\nrounds = "once"\nprofiles = ["random-write-4k", "database"]\noutstanding = 16'
    found = planned(text).conditioning
    assert found
    (rounds,) = found.rounds
    assert rounds.before == 0
    assert [(load.profile.name, load.outstanding) for load in rounds.loads] == [
        ("random-write-4k", 16), ("database", 16),
    ]  # fmt: skip


def test_each_round_draws_offsets_of_its_own() -> None:
    found = planned('[conditioning]\nrounds = "each-profile"').conditioning
    assert found
    rounds = found.rounds[0]
    seeds = [load.seed for number in (1, 2, 3) for load in rounds.of_round(number)]
    assert len(set(seeds)) == 3
    assert [load.seed for load in rounds.of_round(2)] == seeds[1:2], "and the same round the same"


def test_a_device_is_filled_to_its_last_sector() -> None:
    """Partitions end where somebody put their end, and not at 4 KiB."""
    size_bytes = 50_001 * 512
    for kind, filled in (("device", size_bytes), ("file", size_bytes - 512)):
        there = target(created=False, contents="written", kind=kind, size_bytes=size_bytes)
        found = planned("[conditioning]", there).conditioning
        assert found
        assert [(fill.start_bytes, fill.length_bytes) for fill in found.fills] == [(0, filled)]


def test_what_is_filled() -> None:
    existing = target(created=False, contents="written", path="/dev/sdb", kind="device")
    text = '[conditioning]\nfill = {times}\nover = "area"'
    middle = {"length": "25%", "start": "50%"}
    fills: list[tuple[int, int, int]] = []
    for times in (0, 1):
        found = planned(text.format(times=times), existing, area=middle).conditioning
        assert found
        fills += [(fill.start_bytes, fill.length_bytes, fill.times) for fill in found.fills]
    assert fills == [(32 * MIB, 16 * MIB, 1)]
    unwritten = planned("[conditioning]\nfill = 0").conditioning
    assert unwritten
    assert [fill.times for fill in unwritten.fills] == [1], "nothing is read that was not written"


@pytest.mark.parametrize(
    ("word", "times", "rounds"), [("fill", 1, 0), ("fill-twice", 2, 0), ("steady", 2, 2), ("none", None, 0)]
)
def test_the_words_of_the_command_line(word: str, times: int | None, rounds: int) -> None:
    found = planned("[conditioning]\nfill = 1\nat_most = 7", condition=word).conditioning
    assert (found.fills[0].times if found else None) == times
    assert len(found.rounds if found else ()) == rounds


def test_a_file_is_not_purged() -> None:
    text = problems('[conditioning]\npurge = "discard"')
    assert "only a device can be discarded" in text
    assert planned('[conditioning]\npurge = "discard"', target(kind="device", created=False)).conditioning


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('rounds = "once"', "no profile says what a round is made of"),
        ('profiles = ["database"]', 'rounds is "none"'),
        ('rounds = "once"\nprofiles = ["databse"]', 'there is no profile "databse"'),
        ('rounds = "each-profile"\nat_most = 4', "5 rounds are more than at_most, 4"),
        ("fill = 3", "conditioning.fill"),
        ('range = "150%"', "conditioning.range"),
        ("fil = 1", "conditioning.fil"),
    ],
)
def test_what_cannot_be(text: str, said: str) -> None:
    assert said in problems(f"[conditioning]\n{text}")


def test_a_study_reads_back_as_itself() -> None:
    plan = planned('[conditioning]\nrounds = "each-profile"\nrange = "15%"')
    assert plan.study_source["conditioning"]["range"] == 0.15
    assert Plan.model_validate_json(plan.model_dump_json()) == plan


TRIMS = """
[[profile]]
name = "trims"
random_share = 1
read_share = {read_share}
trim_share = 0.5
blocks = 4096
"""


def device(name: str) -> Target:
    return target(
        path=f"/dev/{name}", asked=name, kind="device", created=False, discard_granularity_bytes=4096
    )


@pytest.mark.parametrize(
    ("profile", "fill", "writes"),
    [
        ("trims", 0, True),
        ("random-write-4k", 0, True),
        ("random-read-4k", 0, False),
        ("random-read-4k", 1, True),
    ],
)
def test_rounds_that_trim_take_what_a_target_holds_as_writes_do(
    profile: str, fill: int, writes: bool
) -> None:
    rounds = f'[conditioning]\nfill = {fill}\nrounds = "once"\nprofiles = ["{profile}"]'
    plan = planned(rounds + TRIMS.format(read_share=1), device("disk"))
    assert plan.conditioning
    assert plan.conditioning.writes is writes


AT_ONCE = """
schema = 1
name = "at-once"
title = "At once"
[conditioning]
rounds = "each-profile"
{profile}
[[sweep]]
name = "one"
profiles = ["random-read-4k"]
workers = 1
outstanding = 1
targets = [1]
beside = [{{ profile = "streaming", targets = [2], outstanding = 1, rate_io_s = 100 }}]
[[sweep]]
name = "two"
profiles = ["random-read-4k"]
workers = 1
outstanding = 1
targets = [1]
beside = [{{ profile = "{second}", targets = [2], outstanding = 1 }}]
"""


def planned_at_once(second: str, profile: str = "") -> Plan:
    study = parse_study(AT_ONCE.format(second=second, profile=profile))
    return plan_study(study, (device("a"), device("b")))


def test_loads_at_once_are_prepared_by_loads_that_wait() -> None:
    conditioning = planned_at_once("streaming").conditioning
    assert conditioning
    ((load,),) = (rounds.loads for rounds in conditioning.rounds)
    assert [part.rate_io_s for part in load.loads] == [None, None]


def test_another_load_beside_the_first_has_rounds_of_its_own() -> None:
    conditioning = planned_at_once("restore").conditioning
    assert conditioning
    assert [[part.name for part in rounds.loads[0].profiles] for rounds in conditioning.rounds] == [
        ["random-read-4k", "streaming"],
        ["random-read-4k", "restore"],
    ]


@pytest.mark.parametrize(("second", "itself"), [("trims", True), ("restore", False)])
def test_trims_of_a_second_load_are_the_plans_own(second: str, itself: bool) -> None:
    assert discards_itself(planned_at_once(second, TRIMS.format(read_share=1))) is itself


@pytest.mark.parametrize(("read_share", "itself"), [(0.5, True), (1.0, False)])
def test_zeros_that_a_load_writes_are_the_plans_own(read_share: float, itself: bool) -> None:
    """Blocks of zeros are no sign then that somebody discarded them; a load that reads alone writes none."""
    plan = planned_at_once("restore")
    first = plan.points[0]
    zeros = first.profile.model_copy(update={"data": "zeros", "read_share": read_share})
    alone = first.model_copy(update={"profile": zeros, "beside": ()})
    assert discards_itself(plan.model_copy(update={"points": (alone,), "conditioning": None})) is itself
