"""A study reads from TOML, and says everything that is wrong with it at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from iodyno.analysis import figures
from iodyno.catalog.reading import write_toml
from iodyno.catalog.tree import parse_system
from iodyno.errors import CatalogError, Problem, ProfileError
from iodyno.profiles import POWERS_OF_TWO, STANDARD_LOADS, STANDARD_SETS
from iodyno.study import AXES, Overrides, Study, expand, load_study, parse_study, shipped
from iodyno.study.load import as_file
from iodyno.study.model import PERCENTILES

SMALLEST = """
schema = 1
name = "mine"
title = "Mine"
[[sweep]]
name = "one"
profiles = "database"
"""


def study_with(sweep: str = "", top: str = "") -> Study:
    """Read the smallest study with more keys in its sweep and before it."""
    return parse_study(SMALLEST.replace("[[sweep]]", f"{top}\n[[sweep]]") + sweep)


def problems_of(text: str) -> dict[str, Problem]:
    """Read a study that cannot be; give its problems by path."""
    with pytest.raises(ProfileError) as caught:
        parse_study(text, "my.toml")
    return {problem.where.removeprefix("my.toml: "): problem for problem in caught.value.problems}


def test_the_shipped_studies_are_two_for_disks_and_four_of_papers() -> None:
    papers = {"nvme-host-connections", "p3700", "primequest-2800e3", "raid-controllers"}
    assert set(shipped()) == {"quick", "standard"} | papers
    assert {name for name in shipped() if load_study(name).configuration} == papers
    assert [load_study(name).name for name in shipped()] == shipped()


def test_standard_is_the_published_method() -> None:
    standard = load_study("standard")
    drafts = expand(standard)
    assert {draft.profile for draft in drafts} == {load.profile for load in STANDARD_SETS["field"]}
    assert [draft.outstanding for draft in drafts] == list(POWERS_OF_TWO) * 5
    assert {draft.workers for draft in drafts} == {1}
    assert standard.file.size == 32 * 2**30
    assert standard.measurement.precision == 0.02
    assert standard.measurement.confidence == 0.95


def test_quick_caps_each_point_at_three_seconds() -> None:
    quick = load_study("quick").measurement
    assert quick.warmup_s + quick.cap_s == pytest.approx(3.0)
    assert 50 * (quick.warmup_s + quick.cap_s) <= 160


def test_a_shipped_name_wins_and_a_path_is_read(tmp_path: Path) -> None:
    file = tmp_path / "quick.toml"
    file.write_text(SMALLEST)
    assert load_study(str(file)).name == "mine"
    assert load_study(file).name == "mine"
    assert load_study("quick").name == "quick"


def test_source_reads_back_as_the_same_study() -> None:
    for name in shipped():
        study = load_study(name)
        written_out = study.model_copy(update={"configuration": study.configurations})
        assert Study.model_validate(study.source()) == written_out


def test_source_reads_back_from_a_file() -> None:
    for name in shipped():
        study = load_study(name)
        written_out = study.model_copy(update={"configuration": study.configurations})
        assert parse_study(write_toml(as_file(study.source()))) == written_out


@pytest.mark.parametrize("rate", ["rate_io_s = [100]", "rate_share = ['20%']", "search = { limit = '2ms' }"])
def test_an_arrival_is_in_the_file_where_there_is_a_rate(rate: str) -> None:
    study = study_with(f"{rate}\narrival = 'poisson'")
    assert parse_study(write_toml(as_file(study.source()))) == study


def test_a_profile_without_intensities_is_swept_in_powers_of_two() -> None:
    assert [draft.outstanding for draft in expand(study_with())] == list(POWERS_OF_TWO)


def test_a_profile_of_the_second_set_brings_its_own_load() -> None:
    (draft,) = expand(parse_study(SMALLEST.replace("database", "random-read-4k")))
    assert (draft.workers, draft.outstanding) == (8, 32)


def test_what_the_sweep_gives_wins_over_the_profile_s_own_load() -> None:
    text = SMALLEST.replace("database", "random-read-4k") + "workers = 1\noutstanding = [1, 8]"
    assert [(draft.workers, draft.outstanding) for draft in expand(parse_study(text))] == [(1, 1), (1, 8)]


def test_the_first_axis_that_is_written_is_the_slowest() -> None:
    drafts = expand(study_with('workers = [1, 2]\noutstanding = [4, 8]\nread_share = ["50%", 1.0]\n'))
    values = [(draft.workers, draft.outstanding, draft.profile.read_share) for draft in drafts]
    assert values == [
        (1, 4, 0.5), (1, 4, 1.0), (1, 8, 0.5), (1, 8, 1.0),
        (2, 4, 0.5), (2, 4, 1.0), (2, 8, 0.5), (2, 8, 1.0),
    ]  # fmt: skip


def test_order_can_be_given() -> None:
    drafts = expand(study_with('workers = [1, 2]\noutstanding = [4, 8]\norder = ["outstanding"]'))
    assert [(draft.outstanding, draft.workers) for draft in drafts] == [(4, 1), (4, 2), (8, 1), (8, 2)]


def test_the_other_series_of_intensities() -> None:
    drafts = expand(study_with('outstanding = "one-three-eight"'))
    assert [draft.outstanding for draft in drafts] == [1, 3, 8, 16, 32, 64, 128, 256, 512]


def test_an_axis_that_changes_a_profile_changes_its_name() -> None:
    drafts = expand(study_with('outstanding = 1\nblock_sizes = ["8k", "4k"]\narea = ["100%", "25%"]'))
    assert [draft.profile.name for draft in drafts] == [
        "database", "database-area-25", "database-block-4k", "database-block-4k-area-25",
    ]  # fmt: skip
    assert drafts[3].profile.blocks[0].bytes == 4096
    assert drafts[3].profile.title == "Database (block 4k, area 25%)"


def test_a_rate_lets_enough_be_outstanding() -> None:
    study = study_with('rate_io_s = [1000, 2000]\narrival = "poisson"')
    assert [(draft.rate_io_s, draft.outstanding) for draft in expand(study)] == [(1000.0, 512), (2000.0, 512)]


def test_a_profile_of_the_study_s_own() -> None:
    blocks = 'blocks = [{bytes = "4k", weight = 3}, "64k"]'
    own = f'[[profile]]\nname = "mixed"\nrandom_share = 1\nread_share = "70%"\n{blocks}'
    text = SMALLEST.replace("[[sweep]]", own + "\n[[sweep]]").replace('"database"', '["mixed", "database"]')
    profiles = {draft.profile.name: draft.profile for draft in expand(parse_study(text))}
    assert list(profiles) == ["mixed", "database"]
    assert [(block.bytes, block.weight) for block in profiles["mixed"].blocks] == [(4096, 3.0), (65536, 1.0)]


WRONG = """
schema = 1
nam = "mine"
title = ""
[measurement]
engien = "auto"
engine = "uring"
warmup_s = -1
floor_s = 9
cap_s = 3
seed = true
precision = "200%"
[file]
size = "12X"
[[profile]]
name = "Mine"
random_share = 1.5
read_share = "x"
blocks = ["64k", "0"]
[[profile]]
name = "database"
random_share = 1
read_share = 1
blocks = [{ bytes = "4k", wieght = 1 }]
area = { start = "10%", lenght = 3 }
[[sweep]]
name = "a"
profiles = ["database", "databse", 3]
outstanding = [1, 5000]
workers = 0
engine = ["aio", "foo"]
chart = { show = "colour", percentiles = [50, "95%"] }
[[sweep]]
name = "a"
set = "feld"
profiles = "restore"
outstanding = "power"
block_sizes = ["4k", "4k"]
arrival = "fixed"
"""


def test_a_key_that_is_missing_is_told_with_what_to_write() -> None:
    found = problems_of('name = "a"\n[[profile]]\nblocks = [{ weight = 1 }]')
    hints = {where: problem.hint for where, problem in found.items() if problem.what == "is missing"}
    assert hints["title"] == 'add title = "…"'
    assert hints["sweep"] == "add [[sweep]]"
    assert hints["profile[0].name"] == 'add name = "…"'
    assert hints["profile[0].blocks[0].bytes"] == "add bytes = …"
    unnamed = problems_of('name = "a"\ntitle = "A"\n[[sweep]]\nset = "field"')
    assert unnamed["sweep[0].name"].hint == 'add name = "…"'


def test_a_key_is_missing_beside_a_mistyped_one_only_where_another_was_meant() -> None:
    found = problems_of('nam = "a"\ntitel = "A"\n[[sweep]]\nname = "s"\nset = "field"')
    assert {where: problem.what for where, problem in found.items()} == {
        "nam": "is no key of this table",
        "titel": "is no key of this table",
    }
    found = problems_of('name = "a"\nnme = "A"\n[[sweep]]\nname = "s"\nset = "field"')
    assert found["title"].what == "is missing"
    found = problems_of('name = "a"\ntitle = "A"\n[[sweep]]\nname = "s"\nprofile = ["database"]')
    assert list(found) == ["sweep[0].profile"]
    found = problems_of('name = "a"\ntitle = "A"\n[[sweep]]\nname = "s"\nworker = 1')
    assert list(found) == ["sweep[0].worker", "sweep[0]"]


@pytest.mark.parametrize(
    ("written", "hint"), [('"1, 8,32"', "write [1, 8, 32]"), ('"8"', "write [8]"), ('"a"', "")]
)
def test_numbers_in_a_text_are_told_as_a_list(written: str, hint: str) -> None:
    found = problems_of(
        f'name = "a"\ntitle = "A"\n[[sweep]]\nname = "s"\nset = "field"\noutstanding = {written}'
    )
    assert found["sweep[0].outstanding"].hint == hint


def test_a_key_in_the_wrong_table_is_told_with_its_own() -> None:
    """Of `level` in [[controller]] it was told that there is none, with all keys that there are."""
    found = problems_of(
        'name = "a"\ntitle = "A"\nprecision = "1%"\n[[sweep]]\nname = "s"\nseed = 1\nprofile = "database"'
    )
    assert found["precision"].hint.startswith(
        "it is a key of [measurement] or [simulation]; known keys here: schema"
    )
    assert found["sweep[0].seed"].hint.startswith(
        "it is a key of [measurement]; known keys here: name, title"
    )
    told = "it is a key of [[sweep.beside]]; or did you mean profiles? Known keys here: name, title"
    assert found["sweep[0].profile"].hint.startswith(told)  # and not of the top, where [[profile]] is a table
    found = problems_of('name = "a"\n[[sweep]]\nname = "s"\nset = "field"\nquestion = "Why?"')
    assert found["sweep[0].question"].hint.startswith(
        "it is a key of the top of the file, before all tables; "
    )
    with pytest.raises(CatalogError) as raised:
        parse_system('name = "a"\n[host]\nlevel = "5"\n[[switch]]\npart = "nvme-1610-4p"', "a")
    hints = {problem.where: problem.hint.partition(";")[0] for problem in raised.value.problems}
    assert hints["a: host.level"] == "it is a key of [[controller.logical]] or [[drives]]"
    assert hints["a: switch"] == "it is a key of [[drives]]"


def test_all_problems_come_at_once_with_path_value_and_limit() -> None:
    found = problems_of(WRONG)
    said = {where: problem.what for where, problem in found.items()}
    assert said["nam"] == "is no key of this table"
    assert found["nam"].hint.startswith("did you mean name?")
    assert "name" not in said  # who adds it as well would have it twice
    assert said["title"] == "is empty"
    assert said["measurement.engine"] == '"uring" is not one of auto, io_uring, aio, sync, null, nop'
    assert said["measurement.warmup_s"] == "-1 is below the least of 0"
    assert said["measurement.floor_s"] == "9 s is above cap_s, 3 s"
    assert said["measurement.seed"] == "true is no number"
    assert said["file.size"].startswith("'12X' is no size")
    assert said["profile[0].name"].startswith('"Mine" is no short name')
    assert said["profile[0].blocks[1]"] == '"0" is not above 0'
    assert said["profile[1].name"] == '"database" is the name of a standard profile'
    assert said["sweep[0].profiles[1]"] == 'there is no profile "databse"'
    assert said["sweep[0].profiles[2]"] == "3 is no text in quotes"
    assert said["sweep[0].outstanding[1]"] == "5000 is above the limit of 4096"
    assert said["sweep[0].workers"] == "0 is below the least of 1"
    assert said["sweep[0].engine[1]"].startswith('"foo" is not one of')
    assert said["sweep[0].chart.percentiles[0]"] == "50 is outside 0 to 100%"
    assert found["sweep[0].chart.percentiles[0]"].hint == 'write "50%" or 0.5'
    assert said["sweep[0].chart.percentiles[1]"].startswith("0.95 is not one of 0.5, 0.9, 0.99")
    assert said["sweep[1].name"] == '"a" is taken by sweep[0]'
    assert said["sweep[1]"] == "has both set and profiles"
    assert said["sweep[1].outstanding"].startswith("'power' is no series of intensities")
    assert said["sweep[1].block_sizes"] == "'4k' is in the list twice"
    assert said["sweep[1].arrival"] == "is given without a rate"
    assert "sweep" not in said
    assert {"profile[0].random_share", "profile[0].read_share", "measurement.precision"} <= set(said)


LISTS = """\
name = "lists"
title = "Lists"
[[sweep]]
name = "a"
profiles = ["database", "restore", "database"]
outstanding = [1, 5000, 1, 8, 8, 8]
workers = [0, 2, 2]
read_share = [0.5, "50%"]
block_sizes = ["4k", 4096, "8x"]
targets = [2, 0, 2]
rate_io_s = [100, true, 100.0]
[[sweep.beside]]
profile = "database"
targets = [1, 1, 0]
[[sweep]]
name = "b"
profiles = ["restore"]
read_share = [1, true]
block_sizes = ["4k", 4096]
area = ["50%", { start = 0, length = "50%" }]
targets = [-1, 0, -1]
"""


def test_what_is_in_a_list_twice_hides_nothing_else_of_it() -> None:
    """Values that are out of range or cannot be read are told beside it; so are those read to the same."""
    with pytest.raises(ProfileError) as found:
        parse_study(LISTS)
    said = {problem.where.removeprefix("study: "): problem.what for problem in found.value.problems}
    below = "of a target: the first one named is 1"
    assert said == {
        "sweep[0].profiles": "'database' is in the list twice",
        "sweep[0].outstanding": "1 is in the list twice; 8 is in the list 3 times",
        "sweep[0].outstanding[1]": "5000 is above the limit of 4096",
        "sweep[0].workers": "2 is in the list twice",
        "sweep[0].workers[0]": "0 is below the least of 1",
        "sweep[0].read_share": "0.5 and '50%' in the list are the same",
        "sweep[0].block_sizes[2]": said["sweep[0].block_sizes[2]"],
        "sweep[0].targets": f"0 is no number {below}; 2 is in the list twice",
        "sweep[0].rate_io_s": "100 and 100.0 in the list are the same",
        "sweep[0].rate_io_s[1]": "true is no number",
        "sweep[0].beside[0].targets": "1 is in the list twice",
        "sweep[0].beside[0].targets[2]": "0 is below the least of 1",
        "sweep[1].read_share[1]": said["sweep[1].read_share[1]"],
        "sweep[1].block_sizes": "'4k' and 4096 in the list are the same",
        "sweep[1].area": "'50%' and a table in the list are the same",
        "sweep[1].targets": f"-1 and 0 are no numbers {below}; -1 is in the list twice",
    }
    assert said["sweep[0].block_sizes[2]"].startswith("'8x' is no size")


LARGE_BLOCKS = """\
name = "mine"
title = "Mine"
[[profile]]
name = "large"
random_share = 1
read_share = 1
blocks = [{ bytes = "64M", weight = 1 }, { bytes = "65M" }, { bytes = "4k", weight = inf }]
"""


@pytest.mark.parametrize(
    ("table", "where", "what"),
    [
        ('[measurement]\ncap_s = "4s"', "measurement.floor_s", "5 s is above cap_s, 4 s"),
        ('[measurement]\nfloor_s = "2m"', "measurement.floor_s", "120 s is above cap_s, 60 s"),
        (
            '[measurement]\nfloor_s = "100s"\ncap_s = "50s"',
            "measurement.floor_s",
            "100 s is above cap_s, 50 s",
        ),
        (
            '[conditioning]\nrounds = "each-profile"\nwindow = 30.0',
            "conditioning.window",
            "30 rounds are more than at_most, 25",
        ),
        ("[simulation]\nfloor_ios = 300000.0", "simulation.floor_ios", "300000 is above cap_ios, 200000"),
        ("[conditioning]\nfill = true", "conditioning.fill", "true is no number"),
        ("[conditioning]\nround_s = true", "conditioning.round_s", "true is no number"),
        ("[simulation]\nwarmup_ios = true", "simulation.warmup_ios", "true is no number"),
        (
            "[simulation]\nwarmup_ios = inf",
            "simulation.warmup_ios",
            "inf is no number that can be calculated with",
        ),
    ],
)
def test_limits_hold_however_a_number_is_written(table: str, where: str, what: str) -> None:
    text = f'name = "a"\ntitle = "A"\n{table}\n[[sweep]]\nname = "s"\nset = "field"'
    assert {at: problem.what for at, problem in problems_of(text).items()} == {where: what}


def test_blocks_have_a_limit_and_weights_are_finite() -> None:
    found = problems_of(LARGE_BLOCKS + '[[sweep]]\nname = "a"\nprofiles = "large"\n')
    said = {where: problem.what for where, problem in found.items()}
    assert said["profile[0].blocks[1].bytes"] == "65M is above the limit of 64M"
    assert said["profile[0].blocks[2].weight"] == "inf is no weight: give a finite number above 0"
    assert len(said) == 2


def test_blocks_of_an_axis_have_the_same_limit() -> None:
    with pytest.raises(ProfileError) as caught:
        study_with('block_sizes = ["64M", "128M"]')
    (problem,) = caught.value.problems
    assert str(problem) == "study: sweep[0].block_sizes[1]: 128M is above the limit of 64M"


def test_a_study_that_may_not_be_read_says_what_to_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "my.toml").write_text(SMALLEST)
    monkeypatch.setattr("iodyno.study.load.written_text", refuse)
    with pytest.raises(ProfileError, match="permission denied") as caught:
        load_study(tmp_path / "my.toml")
    assert "permissions" in caught.value.problems[0].hint


def test_what_was_meant_is_said() -> None:
    hints = {where: problem.hint for where, problem in problems_of(WRONG).items()}
    assert hints["nam"].startswith("did you mean name? Known keys: schema, name,")
    assert hints["measurement.engien"].startswith("did you mean engine?")
    assert hints["measurement.engine"] == "did you mean io_uring?"
    assert hints["profile[1].blocks[0].wieght"] == "did you mean weight? Known keys: bytes, weight"
    assert hints["profile[1].area.lenght"] == "did you mean length? Known keys: start, length"
    assert hints["sweep[0].profiles[1]"].startswith("did you mean database?")
    assert hints["sweep[1].set"] == "did you mean field? Known sets: field, nvme-host-connections"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('name = "a"\ntitle = \n', "line 2, column 9: invalid value"),
        ("name = 'a'\nname = 'b'\n", "line 2, column 11: this key is given twice"),
        ("x = [", "at the end: "),
        ("schema = 2", "schema 2 is newer than this iodyno reads, 1"),
    ],
)
def test_one_message_for_what_is_no_study(text: str, what: str) -> None:
    with pytest.raises(ProfileError) as caught:
        parse_study(text, "my.toml")
    (problem,) = caught.value.problems
    assert problem.where == "my.toml"
    assert what in problem.what
    assert problem.hint


def test_a_name_that_is_no_study(tmp_path: Path) -> None:
    with pytest.raises(ProfileError) as caught:
        load_study("quik")
    assert caught.value.problems[0].hint.startswith("did you mean quick?")
    for path in (tmp_path, tmp_path / "none.toml"):
        with pytest.raises(ProfileError, match="cannot be read"):
            load_study(path)
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b'title = "\xe9"')
    with pytest.raises(ProfileError, match="byte 9 is not UTF-8"):
        load_study(latin)


def test_the_mark_that_some_editors_put_before_a_text_is_no_mistake(tmp_path: Path) -> None:
    text = 'schema = 1\nname = "m"\ntitle = "Größe"\n[[sweep]]\nname = "s"\nprofiles = ["database"]\n'
    file = tmp_path / "marked.toml"
    file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert load_study(file) == parse_study(text)


def test_overrides_replace_what_the_study_says() -> None:
    choices = Overrides(outstanding=(1, 8), cap_s=2.0, seed=7, engine="sync", size=1 << 30, direct=False)
    study = choices.apply(load_study("standard"))
    assert study.measurement.floor_s == study.measurement.cap_s == 2.0
    assert (study.measurement.seed, study.measurement.engine, study.measurement.direct) == (7, "sync", False)
    assert study.file.size == 1 << 30
    assert [draft.outstanding for draft in expand(study)] == [1, 8] * 5


def test_a_floor_above_the_cap_raises_the_cap() -> None:
    assert Overrides(floor_s=100.0).apply(load_study("quick")).measurement.cap_s == 100.0


def test_profiles_are_chosen_and_added() -> None:
    study = Overrides(profiles=("random-read-4k", "restore")).apply(load_study("standard"))
    names = [draft.profile.name for draft in expand(study)]
    assert names == ["restore"] * 10 + ["random-read-4k"] * 10
    assert {draft.workers for draft in expand(study)} == {1}


def test_a_sweep_without_a_chosen_profile_goes() -> None:
    two = SMALLEST + '[[sweep]]\nname = "two"\nprofiles = ["restore", "streaming"]'
    study = Overrides(profiles=("restore",)).apply(parse_study(two))
    assert [(sweep.name, sweep.profiles) for sweep in study.sweep] == [("two", ("restore",))]


def test_impossible_overrides_come_at_once() -> None:
    with pytest.raises(ProfileError) as caught:
        Overrides(profiles=("databse",), floor_s=5.0, cap_s=2.0).apply(load_study("quick"))
    assert [problem.where for problem in caught.value.problems] == ["--profile", "--floor"]


def test_every_axis_is_a_key_of_the_sweep() -> None:
    values = {
        "area": '["50%"]', "block_sizes": '["4k"]', "read_share": "[0.5]", "random_share": "[0.5]",
        "engine": '["sync"]', "workers": "[2]",
        "workers_area": '["own"]', "rate_io_s": "[100.0]", "outstanding": "[3]",
    }  # fmt: skip
    assert set(values) == set(AXES)
    (draft,) = expand(study_with("\n".join(f"{axis} = {value}" for axis, value in values.items())))
    assert draft.sweep.order == tuple(values)
    assert (draft.engine, draft.workers, draft.rate_io_s, draft.outstanding) == ("sync", 2, 100.0, 3)
    assert STANDARD_LOADS["database"].profile.read_share == 0.67
    assert (draft.profile.read_share, draft.profile.random_share) == (0.5, 0.5)


def test_a_paper_can_show_the_percentiles_that_the_analysis_gives() -> None:
    assert PERCENTILES == figures.PERCENTILES


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("nvme-host-connections", "LP0865"),
        ("p3700", "1.0b"),
        ("primequest-2800e3", "1.0"),
        ("raid-controllers", "1.0d"),
    ],
)
def test_a_study_of_a_paper_names_it(name: str, number: str) -> None:
    reference = load_study(name).reference
    assert reference is not None
    assert (reference.version, reference.date[:2]) == (number, "20")
    assert load_study(name).source()["reference"]["publisher"] == reference.publisher


def test_a_study_of_nobody_elses_names_none() -> None:
    assert "reference" not in load_study("quick").source()
