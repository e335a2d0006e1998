"""A part of one's own is fitted to figures of its own, which its file gives."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from command_line import CommandLine
from iodyno.catalog.parts import Part
from iodyno.catalog.reading import parse_part
from iodyno.catalog.shelf import Catalog, file_of, shipped, with_numbers
from iodyno.errors import CatalogError, IodynoError
from iodyno.fitting.answers import At, Range
from iodyno.fitting.fit import Fit, fit_to
from iodyno.fitting.lab import Lab
from iodyno.fitting.own import own_fit
from iodyno.fitting.writing import refuse_unwritable, write_own

TRUTH = {"model.data_read": 820.0, "model.data_write": 360.0, "model.turnaround": 4.0}
FITTING = """
[fitting]
system = "raid-single-drive"
changes = { drive = "my-drive" }

[fitting.numbers]
model.data_read = [300, 1030]
model.data_write = [200, 1030]
model.turnaround = [0.1, 30]
"""
FIGURES: tuple[tuple[str, str], ...] = (
    ("streaming", "MB/s"), ("restore", "MB/s"), ("database", "IO/s"), ("file-server", "ms"),
)  # fmt: skip
IOS = 12000


def _text(fitting: str = FITTING) -> str:
    made = file_of("toshiba-px02smf040").partition("[fit.")[0]
    made = made.replace('name = "toshiba-px02smf040"', 'name = "my-drive"', 1)
    return made.replace("[sources]\n", '[sources]\nmine = "measured here, 2026-11-20"\n', 1) + fitting


def _figure(profile: str, value: float, unit: str, **more: object) -> str:
    said = "".join(f"{key} = {word}\n" for key, word in more.items())
    head = (
        f'[[fitting.figures]]\nprofile = "{profile}"\nvalue = {value!r}\nunit = "{unit}"\nsource = "mine"\n'
    )
    return head + said


def _with(part: Part) -> Catalog:
    return shipped().having(part)


def _known() -> str:
    """Give the part with figures that a drive with known numbers has."""
    asked = _text(FITTING + "".join(_figure(name, 1.0, unit, outstanding=64) for name, unit in FIGURES))
    part = parse_part(asked)
    wanted = own_fit(part, _with(part), Path())
    lab = Lab(_with(with_numbers(part, TRUTH)), ios=IOS, own=wanted.points)
    values = [target.expression.value(lab.curves) for target in wanted.targets]
    figures = zip(FIGURES, values, strict=True)
    return _text(
        FITTING + "".join(_figure(name, value, unit, outstanding=64) for (name, unit), value in figures)
    )


def test_numbers_of_a_drive_are_found_again_and_written(tmp_path: Path) -> None:
    file = tmp_path / "my-drive.toml"
    file.write_text(_known(), "utf-8")
    part = parse_part(file.read_text("utf-8"))
    wanted = own_fit(part, _with(part), tmp_path)
    found = fit_to(wanted.targets, wanted.spec, _with(part), ios=IOS, steps=8, own=wanted.points)
    assert [one.name for one in found.met] == [
        "streaming at 64, MB/s", "restore at 64, MB/s", "database at 64, IO/s", "file-server at 64, ms",
    ]  # fmt: skip
    for one, truth in zip(found.found, TRUTH.values(), strict=True):
        assert abs(one.value / truth - 1) < 0.03, one
    write_own(found, _with(part), file)
    written = parse_part(file.read_text("utf-8"))
    number = written.model["data_read"]
    assert (number.kind, number.source, number.note) == ("fitted", "mine", "fit my-drive")
    assert number.value == pytest.approx(TRUTH["model.data_read"], rel=0.03)
    assert written.fit is not None
    streaming = written.fit["my-drive"].figures[0]
    assert streaming.figure == "streaming at 64, MB/s"
    # One's own figure is published nowhere.
    assert list(streaming.model_dump(exclude_none=True)) == ["figure", "given", "simulated", "residual"]
    assert written.fitting == part.fitting


def test_the_best_of_all_loads_counts_where_none_is_given() -> None:
    part = parse_part(_text(FITTING + "".join(_figure(name, 10, unit) for name, unit in FIGURES)))
    wanted = own_fit(part, _with(part), Path())
    loads = {load for series, load in wanted.points["my-drive"] if series.profile == "restore"}
    assert loads == {1, 2, 4, 8, 16, 32, 64, 128, 256, 512}
    assert [target.name for target in wanted.targets][1::2] == ["restore most, MB/s", "file-server least, ms"]


def test_figures_of_several_systems_workers_and_profiles_of_ones_own() -> None:
    profile = '[[fitting.profile]]\nname = "tiny"\nrandom_share = 1.0\nread_share = 1.0\nblocks = "512"\n'
    figures = (
        _figure("tiny", 100, "us", outstanding=1)
        + _figure("tiny", 90, "us", outstanding=1)
        + _figure("database", 100, "IO/s", outstanding=4, workers=2)
        + _figure("database", 100, "IO/s", outstanding=4, changes='{ settings = "default" }')
    )
    part = parse_part(_text(FITTING + profile + figures))
    wanted = own_fit(part, _with(part), Path())
    assert [target.name for target in wanted.targets] == [
        "tiny at 1, ms", "tiny at 1, ms (2)", "database at 4, 2 workers, IO/s",
        "database at 4, settings default, IO/s",
    ]  # fmt: skip
    assert wanted.targets[0].published.low == pytest.approx(0.1)
    assert {series.configuration for series, _ in wanted.points["my-drive"]} == {"system-1", "system-2"}


@pytest.mark.parametrize(
    ("unit", "metric", "value"),
    [("IO/s", "rate", 100), ("MB/s", "throughput", 100), ("ms", "latency", 100), ("us", "latency", 0.1)],
)
def test_a_value_is_of_its_unit(unit: str, metric: str, value: float) -> None:
    """The lab has rates, MB of 2^20 bytes and ms."""
    figures = "".join(
        _figure(name, 100, unit, outstanding=4) for name in ("database", "streaming", "restore")
    )
    part = parse_part(_text(FITTING + figures))
    for target in own_fit(part, _with(part), Path()).targets:
        assert isinstance(target.expression, At)
        assert (target.expression.metric, target.expression.outstanding) == (metric, 4)
        assert target.published == Range(pytest.approx(value), pytest.approx(value))  # type: ignore[arg-type]


def test_all_that_is_wrong_with_what_is_to_be_fitted_is_told_at_once() -> None:
    fitting = """
[fitting]
system = "raid-single-drive"
changes = { drive = "my-drive" }
speed = 1

[fitting.numbers]
model.data_raed = [300, 1030]
model.data_write = [1030, 200]

[[fitting.figures]]
profile = "streaming"
value = 0
unit = "GB/s"
source = "nobody"
"""
    with pytest.raises(CatalogError) as caught:
        parse_part(_text(fitting), "my-drive.toml")
    told = {problem.where.removeprefix("my-drive.toml: "): problem.what for problem in caught.value.problems}
    assert set(told) == {
        "fitting.speed", "fitting.numbers.model.data_raed", "fitting.numbers.model.data_write",
        "fitting.figures", "fitting.figures[0].value", "fitting.figures[0].unit", "fitting.figures[0].source",
    }  # fmt: skip
    assert told["fitting.numbers.model.data_raed"] == "[model] has no data_raed"
    assert told["fitting.numbers.model.data_write"] == "1030 is not below 200"
    assert told["fitting.figures"] == "1 figure for 2 numbers"


def test_a_system_without_the_part_and_a_profile_that_is_none_are_refused() -> None:
    figures = "".join(_figure(name, 10, unit, outstanding=1) for name, unit in FIGURES)
    for old, new, what in (
        ('"my-drive" }', '"toshiba-px02smf040" }', "raid-single-drive does not have my-drive in it"),
        ('profile = "restore"', 'profile = "restroe"', 'there is no profile "restroe"'),
    ):
        part = parse_part(_text((FITTING + figures).replace(old, new)))
        with pytest.raises(IodynoError) as caught:
            own_fit(part, _with(part), Path())
        assert [problem.what for problem in caught.value.problems] == [what]


def test_profiles_and_systems_that_are_none_are_told_at_once() -> None:
    """Of each figure its own; of several in one system what is wrong with that once."""
    figures = (
        _figure("restroe", 10, "MB/s")
        + _figure("streaming", 10, "MB/s", changes='{ drve = "my-drive" }')
        + _figure("database", 10, "IO/s", changes='{ level = "6" }')
    )
    part = parse_part(_text(FITTING + figures))
    with pytest.raises(IodynoError) as caught:
        own_fit(part, _with(part), Path())
    assert [problem.what for problem in caught.value.problems] == [
        'there is no profile "restroe"', "is nothing that can be changed", "PSAS CP400i has no RAID 6",
    ]  # fmt: skip


def _roughly(text: str, file: Path) -> tuple[Fit, Catalog]:
    """Fit in no step, which is enough to write."""
    file.write_text(text, "utf-8", newline="")
    part = parse_part(text)
    wanted = own_fit(part, _with(part), file.parent)
    fit = fit_to(wanted.targets, wanted.spec, _with(part), ios=500, steps=0, own=wanted.points)
    return fit, _with(part)


SOME = FITTING + "".join(_figure(name, 10, unit, outstanding=1) for name, unit in FIGURES)


def test_a_number_without_a_line_of_its_own_is_told_and_nothing_is_written(tmp_path: Path) -> None:
    file = tmp_path / "my-drive.toml"
    dotted = _text(SOME)
    (line,) = re.findall(r"^data_read = .*$", dotted, flags=re.MULTILINE)
    dotted = dotted.replace(f"{line}\n", "").replace(
        "\n[model]\n", "\n[model]\n'data_read'" + line[9:] + "\n"
    )
    found, catalog = _roughly(dotted, file)
    attempts: tuple[Callable[[], object], ...] = (
        lambda: write_own(found, catalog, file),
        lambda: refuse_unwritable(found.spec, catalog, file),
    )
    for refused in attempts:
        with pytest.raises(CatalogError, match=r"my-drive.toml: model.data_read: has no line of its own"):
            refused()
    assert file.read_text("utf-8") == dotted


def test_what_stands_around_a_fit_stays(tmp_path: Path) -> None:
    """Blanks and remarks at headings, the ends of lines, and what was written behind an earlier fit."""
    file = tmp_path / "my-drive.toml"
    own = (
        _text(SOME)
        .replace("\n[model]\n", "\n[ model ]  # of the lab\n")
        .replace("[sources]\n", "[sources] # mine\n")
    )
    found, catalog = _roughly(own, file)
    write_own(found, catalog, file)
    behind = (
        "# my remarks\n[[fitting.figures]] # added later\n"
        + _figure("file-copy", 10, "IO/s").split("\n", 1)[1]
    )
    again = (file.read_text("utf-8") + behind).replace("\n", "\r\n")
    found, catalog = _roughly(again, file)
    write_own(found, catalog, file)
    kept = file.read_bytes().decode("utf-8")
    assert "\n" not in kept.replace("\r\n", "")
    assert behind.replace("\n", "\r\n").strip() in kept
    assert kept.count("[fit.my-drive]") == 1
    assert len((parse_part(kept).fitting or pytest.fail("no fitting")).figures) == len(FIGURES) + 1
    assert [entry.name for entry in tmp_path.iterdir()] == ["my-drive.toml"]


def test_what_would_change_more_than_the_fit_is_not_written(tmp_path: Path) -> None:
    """A line that no fit writes would come into the table before it."""
    file = tmp_path / "my-drive.toml"
    kept = 'command = "c"\nparameters = ["model.program"]\n'
    text = _text(SOME) + f"\n[fit.other]\n{kept}\n[fit.my-drive]\n{kept}figures = []\n"
    found, catalog = _roughly(text, file)
    with pytest.raises(CatalogError, match="without changing more of it than the fit"):
        write_own(found, catalog, file)
    assert file.read_text("utf-8") == text


def test_a_number_that_is_not_determined_says_what_it_was(tmp_path: Path) -> None:
    """Reads alone tell nothing of how fast the drive takes data."""
    fitting = FITTING.replace("model.turnaround = [0.1, 30]\n", "")
    figures = "".join(_figure("streaming", 700, "MB/s", outstanding=load) for load in (32, 64))
    file = tmp_path / "my-drive.toml"
    file.write_text(_text(fitting + figures), "utf-8")
    part = parse_part(_text(fitting + figures))
    wanted = own_fit(part, _with(part), tmp_path)
    found = fit_to(wanted.targets, wanted.spec, _with(part), ios=IOS, steps=4, own=wanted.points)
    write_own(found, _with(part), file)
    number = parse_part(file.read_text("utf-8")).model["data_write"]
    assert number.kind == "assumed"
    was = shipped().get("toshiba-px02smf040").model["data_write"]
    assert f"; before: {was} (fitted, raid, fit toshiba-px02smf040)" in number.note


def test_figures_of_several_sources_cite_all_of_them(tmp_path: Path) -> None:
    text = _text(SOME).replace('source = "mine"', 'source = "raid"', 1)
    file = tmp_path / "my-drive.toml"
    found, catalog = _roughly(text, file)
    write_own(found, catalog, file)
    cited = parse_part(file.read_text("utf-8")).sources["figures-of-my-drive"]
    assert cited.startswith("Several: Fujitsu")
    assert cited.endswith("; measured here, 2026-11-20")


@pytest.mark.parametrize(
    ("numbers", "what"),
    [
        ("prefetch.delay = [1, 50]", "there is no [prefetch]"),
        ("model.filled = [0.2, 1.5]", "1.5 is above the limit of 1"),
        ("model.dies = [4, 256]", "is a whole number, which is not fitted"),
        ("model.capacity = [100, 400]", "is a whole number, which is not fitted"),
        ("model.delay_read = [1, 1e12]", "1000000000000.0 us is more than a second"),
    ],
)
def test_what_a_number_cannot_be_is_no_end_of_it(numbers: str, what: str) -> None:
    fitting = FITTING.partition("model.data_read")[0] + numbers + "\n" + _figure("streaming", 10, "MB/s")
    with pytest.raises(CatalogError) as caught:
        parse_part(_text(fitting))
    assert [problem.what for problem in caught.value.problems] == [what]


def test_what_is_wrong_with_the_system_is_told_of_the_part() -> None:
    for old, new in (('"raid-single-drive"', '"raid-single"'), ("drive =", "drve =")):
        part = parse_part(_text(SOME.replace(old, new, 1)))
        with pytest.raises(CatalogError) as caught:
            own_fit(part, _with(part), Path())
        assert all(problem.where.startswith("my-drive: fitting.system") for problem in caught.value.problems)


def test_the_command_takes_a_part_by_its_name_and_by_its_file(
    iodyno_says: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Streaming at 64 comes to what the drive moves, so that its number is the figure."""
    fitting = FITTING.split("model.data_write")[0] + _figure("streaming", 700, "MB/s", outstanding=64)
    (tmp_path / "parts").mkdir()
    monkeypatch.setenv("IODYNO_PARTS", str(tmp_path / "parts"))
    for file, name in ((tmp_path / "parts" / "x.toml", "my-drive"), (tmp_path / "y.toml", "y.toml")):
        file.write_text(_text(fitting), "utf-8")
        monkeypatch.chdir(tmp_path)
        said = iodyno_says("catalog", "fit", name, "--json", "--write")
        assert said.code == 0, said.err
        (number,), (figure,) = (json.loads(said.out)[key] for key in ("numbers", "figures"))
        assert (figure["given"], "published" in figure) == (700, False)
        assert (number["name"], number["unit"]) == ("my-drive: model.data_read", "MB/s")
        assert number["low"] < 700 < number["high"]
        written = file.read_text("utf-8")
        assert parse_part(written).model["data_read"].value == pytest.approx(700, rel=0.02)
        shown = iodyno_says("catalog", "show", name).out
        assert "streaming at 64, MB/s    700 " in shown
        # As files have it that were written before.
        file.write_text(written.replace("given = 700", "published = 700"), "utf-8")
        assert iodyno_says("catalog", "show", name).out == shown
        file.unlink()


BOUND = "model.data_read stopped at 600 MB/s, its greatest"
FLAT = "no figure moves model.turnaround"


@pytest.mark.parametrize(
    ("numbers", "profile", "value", "told"),
    [
        # Streaming at 64 comes to what the drive moves: 3000 MB/s are out of reach of 600.
        ("model.data_read = [300, 600]\n", "streaming", 3000, BOUND),
        # Streaming only reads: no turnaround between reads and writes has a part in it.
        ("model.turnaround = [0.1, 30]\n", "streaming", 700, FLAT),
        (
            "model.data_read = [300, 600]\nmodel.turnaround = [0.1, 30]\n",
            "streaming",
            3000,
            f"{BOUND}; {FLAT}",
        ),
    ],
)
def test_a_fit_that_learns_nothing_fails_and_writes_nothing(
    iodyno_says: CommandLine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    numbers: str,
    profile: str,
    value: float,
    told: str,
) -> None:
    """It ended with 0, and put the bound into the file as a number that was fitted."""
    figures = _figure(profile, value, "MB/s", outstanding=64) + _figure(
        profile, value, "MB/s", outstanding=32
    )
    file = tmp_path / "my-drive.toml"
    file.write_text(_text(FITTING.partition("model.")[0] + numbers + figures), "utf-8")
    monkeypatch.setenv("IODYNO_PARTS", str(tmp_path))
    before = file.read_bytes()
    said = iodyno_says("catalog", "fit", "my-drive", "--write")
    assert said.code == 1
    assert f"error: my-drive: the fit has found nothing: {told}\nhint: " in said.err
    assert "nothing was written" in said.err
    assert "wrote" not in said.err
    assert "Numbers found" in said.out
    assert file.read_bytes() == before
    said = iodyno_says("catalog", "fit", "my-drive", "--json")
    assert (said.code, len(json.loads(said.out)["figures"])) == (1, 2)
    assert "nothing was written" not in said.err


def test_a_number_at_its_bound_beside_one_that_was_found_is_named(
    iodyno_says: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = "model.data_read = [300, 600]\nmodel.data_write = [200, 1030]\n"
    figures = _figure("streaming", 3000, "MB/s", outstanding=64)
    figures += _figure("restore", 350, "MB/s", outstanding=64)
    (tmp_path / "my-drive.toml").write_text(
        _text(FITTING.partition("model.")[0] + numbers + figures), "utf-8"
    )
    monkeypatch.setenv("IODYNO_PARTS", str(tmp_path))
    said = iodyno_says("catalog", "fit", "my-drive", "--write")
    assert said.code == 0
    assert "Stopped at a bound: model.data_read at 600 MB/s, its greatest." in said.out
    assert "wrote " in said.err


def test_a_number_whose_true_value_is_its_bound_is_found(
    iodyno_says: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Figures of a drive that moves the most that it can have: the bound stops nothing. It ended with 1."""
    numbers = FITTING.partition("model.")[0] + "model.data_read = [300, 600]\n"
    loads = (16, 64)

    def asked(values: Sequence[float]) -> str:
        figures = zip(loads, values, strict=True)
        return _text(
            numbers + "".join(_figure("streaming", one, "MB/s", outstanding=at) for at, one in figures)
        )

    part = parse_part(asked((1.0, 1.0)))
    wanted = own_fit(part, _with(part), Path())
    lab = Lab(_with(with_numbers(part, {"model.data_read": 600.0})), ios=IOS, own=wanted.points)
    values = [target.expression.value(lab.curves) for target in wanted.targets]
    file = tmp_path / "my-drive.toml"
    file.write_text(asked(values), "utf-8")
    monkeypatch.setenv("IODYNO_PARTS", str(tmp_path))
    said = iodyno_says("catalog", "fit", "my-drive", "--write")
    assert (said.code, "found nothing" in said.err) == (0, False)
    assert "bound" not in said.out
    number = parse_part(file.read_text("utf-8")).model["data_read"]
    assert number.value == pytest.approx(600, rel=0.01)
    assert (number.kind, number.note) == (
        "fitted",
        "fit my-drive",
    )


def test_a_part_that_asks_for_no_fit_is_told_how(
    iodyno_says: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.toml").write_text(_text(""), "utf-8")
    monkeypatch.setenv("IODYNO_PARTS", str(tmp_path))
    said = iodyno_says("catalog", "fit", "my-drive")
    assert said.code == 2
    assert "has no [fitting]" in said.err


def test_the_guide_fits_the_drive_that_it_shows() -> None:
    """Its blocks, put together as it says: figures that such a drive can have determine the numbers."""
    guide = (Path(__file__).resolve().parents[3] / "docs/guides/catalog.md").read_text("utf-8")
    section = guide.partition("\n## A part of your own\n")[2]
    drive, source, fitting = re.findall(r"```toml\n(.*?)```", section, re.DOTALL)[:3]
    part = parse_part(drive.replace("[sources]\n", f"[sources]\n{source}") + "\n" + fitting)
    wanted = own_fit(part, _with(part), Path())
    found = fit_to(wanted.targets, wanted.spec, _with(part), ios=6000, steps=6, own=wanted.points)
    assert len(found.found) == 3
    assert all(number.low is not None and not number.at_bound for number in found.found)
    assert all(abs(met.residual) < 0.02 for met in found.met)
