"""Commands repeat a point and nothing else: its targets, and the profile that axes made of another."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from command_line import CommandLine
from factories import make_run
from iodyno.analysis.run import analyse
from iodyno.cli.measure import command as measure
from iodyno.errors import ProfileError
from iodyno.plan import Plan, SearchStep
from iodyno.report import paper
from iodyno.report.document import CodeBlock, Paragraph
from iodyno.report.messages import plain
from iodyno.report.sections.commands import FLAGS, repeat
from iodyno.store import Store
from iodyno.store.records import StoredRun
from iodyno.study import Overrides, parse_study, plan_study
from iodyno.targets import Target
from iodyno.units import parse_size
from virtual_systems import two_drives

STUDY = two_drives("volumes")
SWEEP = """
[[sweep]]
name = "{}"
profiles = {}
outstanding = [8]
targets = {}
"""
BESIDE = """
[[sweep.beside]]
profile = "streaming"
targets = [2]
"""
EACH = SWEEP.format("each", '["database", "restore"]', '"each"')


@pytest.fixture(name="did")
def _did(iodyno_says: CommandLine, monkeypatch: pytest.MonkeyPatch) -> Callable[..., StoredRun]:
    """Run a command as a shell would, and give the run that came of it."""

    def do(*words: str) -> StoredRun:
        monkeypatch.setattr("sys.argv", ["iodyno", *words])
        said = iodyno_says(*words)
        assert said.code == 0, said.err
        return latest()

    return do


def latest() -> StoredRun:
    with Store.open() as store:
        return store.load("latest")


@pytest.mark.parametrize(
    "sweeps",
    [
        EACH,
        EACH + BESIDE,
        EACH + SWEEP.format("one", '["database"]', "[2]"),
        SWEEP.format("all", '["restore"]', '"together"'),
    ],
    ids=["each", "each beside another", "each, and one", "together"],
)
def test_a_simulated_point_is_repeated_on_its_volume_alone(
    sweeps: str, did: Callable[..., StoredRun], tmp_path: Path
) -> None:
    """The command of a volume that stood for itself simulated all of them, each for itself."""
    (tmp_path / "volumes.toml").write_text(STUDY + sweeps)
    stored = did("simulate", str(tmp_path / "volumes.toml"))
    for result in stored.results:
        (again,) = did(*shlex.split(repeat(stored.run, result.point))[1:]).results
        assert again.point.config_hash == result.point.config_hash
        assert again.point.model_copy(update={"index": result.point.index}) == result.point


def test_a_run_of_chosen_targets_is_repeated_on_these(did: Callable[..., StoredRun], tmp_path: Path) -> None:
    study = tmp_path / "volumes.toml"
    study.write_text(STUDY + EACH)
    stored = did("simulate", str(study), "--targets", "2", "--profile", "restore")
    (result,) = stored.results
    assert [target.path for target in result.point.targets] == ["slow"]
    assert "--targets 2" in repeat(stored.run, result.point)


def test_many_commands_name_what_changes_in_them(did: Callable[..., StoredRun], tmp_path: Path) -> None:
    sweep = SWEEP.format(
        "each", '["database", "restore", "file-server", "file-copy", "streaming", "oltp-4k"]', '"each"'
    )
    (tmp_path / "volumes.toml").write_text(STUDY + sweep + sweep.replace('"each"\nprof', '"again"\nprof'))
    blocks = paper.build(did("simulate", str(tmp_path / "volumes.toml"))).blocks
    (told, command), *_ = [
        (plain(block.text), after.text)
        for block, after in pairwise(blocks)
        if isinstance(block, Paragraph)
        and isinstance(after, CodeBlock)
        and "repeats the first" in plain(block.text)
    ]
    assert re.findall("--[a-z]+", told) == ["--targets", "--profile", "--outstanding", "--workers"]
    assert "--sweep each --targets 1" in command


def target(path: str) -> Target:
    return Target.model_validate({"path": path, "asked": path, "kind": "file", "size_bytes": 1 << 36})


def planned(sweeps: str, *paths: str, choices: Overrides | None = None) -> Plan:
    study = parse_study(f'name = "mine"\ntitle = "Mine"\n{sweeps}')
    return plan_study(study, [target(path) for path in paths], choices)


@pytest.mark.parametrize("sweeps", [EACH, EACH + BESIDE, SWEEP.format("one", '["database"]', "[2]")])
def test_a_measured_point_is_repeated_on_its_targets_alone(sweeps: str) -> None:
    """What number a target has where fewer are named than were is no matter."""
    plan = planned(sweeps, "/a", "/b")
    for point in plan.points:
        words = shlex.split(repeat(make_run(plan), point))
        which = words[words.index("--targets") + 1] if "--targets" in words else None
        chosen = {"which_targets": (int(which),) if which and which.isdigit() else which}
        choices = Overrides.model_validate({**chosen, "profiles": (point.profile.name,)})
        (found,) = planned(sweeps, *words[2 : words.index("--study")], choices=choices).points
        assert found.model_copy(update={"index": point.index}) == point


SKIPS = SWEEP.format("one", '["database"]', "[1]") + BESIDE.replace("[2]", "[4]")


@pytest.mark.parametrize(
    ("named", "printed"),
    [
        (["a", "-q", "./b", "--seed", "7", "../c", "d"], ["/mnt/a", "/mnt/b", "/c", "/mnt/d/iodyno.data"]),
        (["/mnt/a", "/b", "--size=1G", "/c", "d"], ["/mnt/a", "/b", "/c", "/mnt/d/iodyno.data"]),
        ([], ["/mnt/a", "unloaded-2", "unloaded-3", "/mnt/d/iodyno.data"]),
    ],
)
def test_targets_keep_their_numbers_where_no_load_has_one(named: list[str], printed: list[str]) -> None:
    """Without those between them the command named two targets, and was refused for want of a fourth."""
    plan = planned(SKIPS, "/mnt/a", "/mnt/b", "/c", "/mnt/d/iodyno.data")
    (point,) = plan.points
    words = shlex.split(repeat(make_run(plan, command=("iodyno", "measure", *named)), point))
    targets = words[2 : words.index("--study")]
    assert targets == printed
    assert planned(SKIPS, *targets).points == plan.points


def test_options_without_a_value_are_known() -> None:
    """Of others the word that follows is no target."""
    flags = [option for option in measure.params if getattr(option, "is_flag", False)]
    assert {name for option in flags for name in option.opts} == {*FLAGS}


def test_targets_are_chosen_on_the_command_line(iodyno_says: CommandLine, tmp_path: Path) -> None:
    study = tmp_path / "volumes.toml"
    study.write_text(STUDY + EACH)

    def loaded(which: str) -> list[str]:
        said = iodyno_says("simulate", study, "--targets", which, "--profile", "database", "-q")
        assert said.code == 0, said.err
        return [" ".join(target.path for target in one.point.targets) for one in latest().results]

    assert loaded("together") == ["fast slow"]
    assert loaded("each") == ["fast", "slow"]
    assert loaded("2,1") == ["slow fast"]
    wrong = iodyno_says("simulate", study, "--targets", "3")
    assert (wrong.code, "--targets: names target 3, and there are 2 targets" in wrong.err) == (
        2,
        True,
    )
    assert "is no list of numbers such as 1,3" in iodyno_says("simulate", study, "--targets", "all").err
    with pytest.raises(ProfileError, match="names target 2"):
        planned(EACH, "/a", choices=Overrides(which_targets=(2,)))


AXES = """
[[sweep]]
name = "axes"
profiles = ["random-read-4k", "restore"]
outstanding = [8]
block_sizes = ["4k", "12k"]
read_share = [1, 0.3, 0.33333333333333331]
area = ["10%", "32G"]
"""


def test_a_profile_that_axes_made_is_repeated(did: Callable[..., StoredRun], tmp_path: Path) -> None:
    """The name that it has then is no profile of the study: its command was refused."""
    (tmp_path / "volumes.toml").write_text(STUDY + AXES)
    stored = did("simulate", str(tmp_path / "volumes.toml"))
    assert len(stored.results) == 24
    for result in stored.results[::5]:
        (again,) = did(*shlex.split(repeat(stored.run, result.point))[1:]).results
        assert again.point.model_copy(update={"index": result.point.index}) == result.point


def test_what_was_changed_on_the_command_line_is_repeated(did: Callable[..., StoredRun]) -> None:
    words = ("--area", "32G", "--block-sizes", "4k,16k", "--read-share", "70%,1", "--random-share", "0.25")
    stored = did("simulate", "quick", "--on", "p3700", "--profile", "database", "--outstanding", "8", *words)
    assert len({result.point.profile.name for result in stored.results}) == 4
    for result in stored.results:
        (again,) = did(*shlex.split(repeat(stored.run, result.point))[1:]).results
        assert again.point.model_copy(update={"index": result.point.index}) == result.point


def test_a_measured_profile_that_axes_made_is_repeated() -> None:
    plan = planned(AXES.replace(', "32G"', ""), "/a")
    for point in plan.points[::3]:
        words = shlex.split(repeat(make_run(plan), point))
        given = dict(zip(words[3::2], words[4::2], strict=False))
        assert given["--profile"] in ("random-read-4k", "restore")
        choices = Overrides.model_validate(
            {
                "profiles": (given["--profile"],),
                "block_sizes": (parse_size(given["--block-sizes"]),),
                "read_share": (float(given["--read-share"]),),
                "area": given["--area"],
            }
        )
        (found,) = planned(AXES, "/a", choices=choices).points
        assert found.model_copy(update={"index": point.index}) == point


def test_axes_on_the_command_line_are_refused_in_its_words(iodyno_says: CommandLine) -> None:
    def refused(*words: str) -> str:
        said = iodyno_says("simulate", "quick", "--on", "p3700", *words)
        assert said.code == 2
        return said.err

    assert "above the limit of 64M" in refused("--block-sizes", "4k,65M")
    assert "has a value twice" in refused("--block-sizes", "4k,4096")
    assert "is outside 0 to 100%" in refused("--read-share", "150%")
    assert "is no share" in refused("--random-share", "half")


RELATIVE = """
[[sweep]]
name = "shares"
profiles = ["database"]
outstanding = 64
rate_share = ["20%", "150%"]
[[sweep]]
name = "search"
profiles = ["restore"]
outstanding = 64
search = { limit = "1ms", resolution = "20%" }
"""


def test_the_closed_loop_before_a_rate_is_repeated_by_itself(
    did: Callable[..., StoredRun], tmp_path: Path
) -> None:
    """Its command looked for the rates of the sweep all over again."""
    (tmp_path / "volumes.toml").write_text(STUDY + RELATIVE)
    stored = did("simulate", str(tmp_path / "volumes.toml"))
    closed = [result.point for result in stored.results if result.point.rate_io_s is None]
    assert len(closed) == 4
    for point in closed:
        (again,) = did(*shlex.split(repeat(stored.run, point))[1:]).results
        assert again.point.model_copy(update={"index": point.index}) == point


@pytest.mark.parametrize("outstanding", [64, 512])
def test_a_search_is_repeated_with_its_steps(
    outstanding: int, did: Callable[..., StoredRun], tmp_path: Path
) -> None:
    """At the rate of its answer another point began, with other offsets. A step with 512 outstanding I/Os is
    longer than the closed loops that the search begins from."""
    text = STUDY + RELATIVE.replace(
        '"restore"]\noutstanding = 64', f'"restore"]\noutstanding = {outstanding}'
    )
    (tmp_path / "volumes.toml").write_text(text)
    stored = did("simulate", str(tmp_path / "volumes.toml"), "--sweep", "search")
    steps = [result for result in stored.results if isinstance(result.point.rate_from, SearchStep)]
    (item,) = (item for item in analyse(stored).curves if item.searched)
    assert item.answered
    again = did(*shlex.split(repeat(stored.run, item.maximum.at.planned))[1:])
    found = [result for result in again.results if isinstance(result.point.rate_from, SearchStep)]
    assert [result.point.config_hash for result in found] == [result.point.config_hash for result in steps]
    assert [result.reading for result in found] == [result.reading for result in steps]
    said = [plain(block.text) for block in paper.build(stored).blocks if isinstance(block, Paragraph)]
    assert "The command that repeats the search with all of its steps:" in said


def test_a_closed_loop_has_no_arrivals(iodyno_says: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "volumes.toml").write_text(STUDY + RELATIVE)
    said = iodyno_says("simulate", tmp_path / "volumes.toml", "--rate", "none", "--arrival", "poisson")
    assert said.code == 2
    assert "--arrival: is given beside --rate none, which is a closed loop" in said.err
