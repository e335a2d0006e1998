"""The generated part of the validation page: its place, its sums, and that a check sees what changed."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from iodyno.catalog.shelf import shipped
from iodyno.fitting.answered import ANSWERS
from iodyno.fitting.answers import Answer, Meaning, Range
from iodyno.fitting.curves import Outcome, Series
from iodyno.fitting.fit import LEAST_SPREAD
from iodyno.fitting.least_squares import Bounded, Minimum, intervals
from iodyno.fitting.published import figures
from iodyno.fitting.specs import SPECS, fitted_to
from iodyno.validation import __main__ as command
from iodyno.validation import record
from iodyno.validation.comparing import (
    Compared,
    Decided,
    Use,
    compare,
    decide,
    errors,
    errors_left_out,
    use_of,
)
from iodyno.validation.others import others
from iodyno.validation.page import BEGIN, END, IN_PART, held_by_few, put, row, section
from iodyno.validation.statements import POINT, Finding, alike, all_of, each, growing, rising, within
from iodyno.validation.statements import compare as compared
from iodyno.validation.tables import STATEMENTS
from iodyno.validation.unreached import NO_LONGER_SO, Sources, Unreached
from iodyno.validation.unreached_nvme import gap_by_drives
from iodyno.validation.unreached_p3700 import mixes_by_area


def _flat(series: Series) -> dict[int, Outcome]:
    return {load: Outcome(1000.0, 100.0, 0.1) for load in (1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 512)}


def test_the_generated_part_takes_its_place_and_leaves_the_rest() -> None:
    page = f"# Validation\n\n{BEGIN}\nold\n{END}\n\n## After\n"
    assert put(page, f"{BEGIN}\nnew\n{END}") == f"# Validation\n\n{BEGIN}\nnew\n{END}\n\n## After\n"
    assert put("# Validation\n", f"{BEGIN}\nnew\n{END}") == f"# Validation\n\n{BEGIN}\nnew\n{END}\n"


def test_every_answer_has_a_row_and_a_use() -> None:
    found = compare(figures(), _flat)
    assert [one.figure.id for one in found] == [name for name in figures() if name in ANSWERS]
    assert all(row(one).startswith(f"| {one.figure.id} |") for one in found)
    counts = [errors(found, use).count for use in ("fitted", "prediction", "follows")]
    assert sum(counts) == len(ANSWERS)
    assert min(counts) > 0


def test_the_mean_and_the_greatest_error_are_of_absolute_values() -> None:
    three = zip(compare(figures(), _flat), (0.10, -0.30, 0.02), strict=False)
    group = [Compared(one.figure, one.answer, 0.0, error, "prediction", "") for one, error in three]
    found = errors(group, "prediction")
    assert (found.count, found.most) == (3, 0.30)
    assert found.mean == pytest.approx(0.14)


def test_of_no_figures_there_is_no_error() -> None:
    found = errors([], "prediction")
    assert (found.count, found.mean, found.most, found.worst) == (0, 0.0, 0.0, "")


def test_statements_are_decided_in_the_order_of_the_papers() -> None:
    """Of a curve that is flat: it does not rise, and two drives are not above one."""
    papers = {name: figures()[name] for name in ("p3700-082", "p3700-001", "p3700-058")}
    found = [(one.figure.id, one.statement.figure, one.finding.right) for one in decide(papers, _flat)]
    assert found == [("p3700-082", "p3700-082", True), ("p3700-058", "p3700-058", False)]


def test_what_fits_foretell_of_their_own_figures_is_on_the_page() -> None:
    """As the files of the parts keep it: of some figures a share, of some none, of no other row anything."""
    found = compare(figures(), _flat)
    told = {one.figure.id: one.left_out for one in found if one.left_out is not None}
    kept = {
        one.figure: one.left_out
        for part in shipped().parts.values() for fit in (part.fit or {}).values() for one in fit.figures
        if one.left_out is not None and not one.figure.startswith("facts.")
    }  # fmt: skip
    assert told == kept
    assert "raid-252" in told
    assert "raid-249" not in told, "data_read has nothing else that holds it"
    summed = errors_left_out(found)
    assert summed.count == len(kept)
    assert summed.mean == pytest.approx(sum(map(abs, kept.values())) / len(kept))


def test_what_a_fit_used_and_what_repeats_it_are_never_predictions() -> None:
    for spec in SPECS.values():
        assert all(use_of(ANSWERS[name])[0] == "fitted" for name in spec.figures)
    for answer in ANSWERS.values():
        if answer.repeats and fitted_to(answer.repeats):
            assert use_of(answer)[0] == "fitted"


def test_a_check_asks_statements_of_single_drives_evenly_out_of_all_of_them() -> None:
    names = command.light_statements()
    assert len(names) >= command.STATEMENTS_ASKED
    assert len({name[:8] for name in names}) >= 4, "out of all of them: by their first two digits"
    for name in names:
        asked: list[Series] = []
        # Rates that are alike show no threshold.
        with suppress(AssertionError):
            STATEMENTS[name].check(lambda series, asked=asked: asked.append(series) or _flat(series))  # type: ignore[misc]
        of = {series.configuration.partition("-")[0] for series in asked}
        assert of, f"{name} asks nothing"
        assert of <= {"single", "iodrive2", "direct"}


def test_a_check_computes_what_is_told_of_single_drives_out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of arrays it would take as long as to write the page anew: none of their points is simulated."""
    asked: list[str] = []

    def curves(series: Series) -> dict[int, Outcome]:
        asked.append(series.configuration)
        return _flat(series)

    def looking_at(*configurations: str) -> Callable[[Sources], Unreached]:
        def telling(of: Sources) -> Unreached:
            for one in configurations:
                of.curves(Series("made-up", one, "database", 1))
            return Unreached(" and ".join(configurations) or "words", ("looked at",))

        return telling

    looks = (("single-800g",), (), ("ep400i-8x-sas-ssd-raid0",), ("single-800g", "raid1-of-2"), ("direct-1",))
    monkeypatch.setattr(command, "TELLINGS", [looking_at(*one) for one in looks])
    told = [line for line in command.light_tellings(curves) if line != "  - looked at"]
    assert told == ["- single-800g", "- words", "- direct-1"]
    assert asked == ["single-800g", "single-800g", "direct-1"]


def test_a_check_sees_a_figure_that_is_not_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "light_statements", lambda: ["p3700-069"])
    monkeypatch.setattr(command, "TELLINGS", (mixes_by_area, gap_by_drives))
    names = command.sample()
    assert len(names) >= command.SAMPLE
    page = tmp_path / "page.md"
    page.write_text("", "utf-8")
    rows = command.sampled_rows()
    missing = command.not_in(page, rows)
    beginnings = [line.split(" | ")[0].removeprefix("| ") for line in missing]
    assert beginnings[: len(names)] == names
    measured = [figure.id for figure in others().figure]
    assert beginnings[len(names) :][: len(measured)] == measured
    assert any("greatest error" in line for line in missing[len(names) + len(measured) :])
    page.write_text("\n".join(missing), "utf-8")
    assert command.check(page) == []
    (statement,) = (
        at for at, line in enumerate(missing) if line.startswith("| p3700-069 | Streaming: the three")
    )
    assert "| right | at 1: " in missing[statement]
    (told,) = (at for at, line in enumerate(missing) if line.startswith("- p3700-111, 67 % read"))
    points = missing[told + 1 : told + 5]
    assert all(line.startswith("  - ") for line in points)
    assert not any(line.startswith("- nvme-030") for line in missing), "of several drives"
    page.write_text("\n".join(missing).replace(points[0], f"{points[0]} Or so."), "utf-8")
    assert command.not_in(page, rows) == [points[0]]
    for one in (0, len(names), statement, len(missing) - 1):
        page.write_text(
            "\n".join(missing).replace(missing[one], missing[one].replace("| ", "| 1", 1)), "utf-8"
        )
        assert command.not_in(page, rows) == [missing[one]]


@pytest.mark.parametrize(
    ("finding", "right"),
    [
        (within("x", 104, 100, share=0.05), True),
        (within("x", 106, 100, share=0.05), False),
        (within("x", 94, 100, share=0.05), False),
        (alike("x", [100, 104, 102], 0.05), True),
        (alike("x", [100, 106], 0.05), False),
        (rising("x", [1, 2, 3], step=0.0), True),
        (rising("x", [1, 3, 2], step=-0.1), False),
        (rising("x", [100, 101], step=0.0, gain=0.2), False),
        (growing("x", [0.0, 0.1, 0.3]), True),
        (growing("x", [0.0, 0.3, 0.1]), False),
        (growing("x", [0.1, 0.1]), False),
        (growing("x", [0.0, 0.3, 0.2, 0.4]), False),
        (growing("x", [0.0, 0.3, 0.295, 0.4], slack=0.01), True),
        (growing("x", [0.0, POINT]), False),
        (growing("x", [0.0, 0.011]), True),
        (rising("x", [100, 99.5, 98.9], step=-0.01), False),
        (rising("x", [100, 101, 100.5], step=-0.01), True),
        (rising("x", [100, 150], step=0.5, gain=0.5), True),
        (rising("x", [100, 149], step=0.5), False),
        (rising("x", [100, 149], step=0.0, gain=0.5), False),
        (alike("x", [100, 150], 0.5), True),
        (compared("x", 3, 2, least=1.5, most=1.5), True),
        (compared("x", 3.1, 2, least=1.5, most=1.5), False),
        (compared("x", 2.9, 2, least=1.5, most=1.5), False),
        (all_of(Finding(True, "a"), Finding(False, "b")), False),
        (each([Finding(True, "a"), Finding(False, "b")]), False),
        (each([Finding(True, "a"), Finding(True, "b")]), True),
    ],
)
def test_statements_hold_and_fail_by_their_tolerance(finding: Finding, right: bool) -> None:
    assert finding.right is right


@pytest.mark.parametrize(
    "empty",
    [
        lambda: each([]),
        all_of,
        lambda: alike("x", [1.0], 0.0),
        lambda: rising("x", [1.0], step=0.0),
        lambda: growing("x", [1.0]),
    ],
)
def test_a_statement_that_looks_at_nothing_is_no_right_one(empty: Callable[[], Finding]) -> None:
    """Where nothing was selected it held whatever was simulated."""
    with pytest.raises(AssertionError):
        empty()


def test_what_is_shown_of_a_statement() -> None:
    assert compared("x", 1234567, 1000).shown == "x 1 234 567 against 1 000 (+123356.7 %)"
    assert compared("x", 0.04, 0.05).shown == "x 0.04 against 0.05 (-20.0 %)"
    assert alike("x", [100, 99.4, 104.4], 0.1).shown == "x 99.4 to 104"
    assert growing("x", [-0.005, 0.1]).shown == "x -0.5 % → 10.0 %"
    many = [Finding(True, letter) for letter in "abcdef"]
    assert each(many).shown == "a; b; c; d; and 2 more"
    assert each(many[:4]).shown == "a; b; c; d"
    assert each([*many, Finding(False, "wrong")]).shown == "wrong"
    assert all_of(Finding(True, "a"), Finding(True, ""), Finding(True, "b")).shown == "a; b"


def _decided(*wrong: str) -> list[Decided]:
    """Decide every statement: those named are wrong, others right."""
    return [
        Decided(figures()[name], statement, Finding(name not in wrong, "shown"))
        for name, statement in STATEMENTS.items()
    ]


def _page(decided: list[Decided]) -> str:
    return section(figures(), compare(figures(), _flat), decided, [], [], shipped())


def test_a_statement_of_which_a_part_is_checked_counts_so_only_where_that_part_is_right() -> None:
    first, *rest = IN_PART
    page = _page(_decided(first, "raid-197"))
    said = f"{len(STATEMENTS) - 2} of {len(STATEMENTS)} right, {len(rest)} of them in part"
    assert f"{said} ({', '.join(rest)}, explained below)" in page
    verdicts = dict(
        re.findall(r"^\| (\S+) \| [^|]* \| (right|in part|\*\*wrong\*\*) \| shown \|$", page, re.M)
    )
    wrong = {first: "**wrong**", "raid-197": "**wrong**"}
    assert verdicts == {**dict.fromkeys(STATEMENTS, "right"), **dict.fromkeys(rest, "in part"), **wrong}


def test_what_no_simulation_decides_is_on_the_page_as_it_comes_out() -> None:
    """What is said beside the figures stood there until the page was made anew: no check looks at it."""
    there = command.PAGE.read_text("utf-8")
    made = _page(_decided())
    before, after = made[made.index("### Limits, rules, method") :].split("and why\n")
    assert before in there
    assert after in there
    claims = (f"| {one.figure} | {' '.join(one.claim.split())} | " for one in STATEMENTS.values())
    assert [claim for claim in claims if claim not in there] == []


def _compared(use: Use, name: str, meant: Meaning, simulated: float, error: float, **more: Any) -> Compared:
    """A figure of the papers beside another figure."""
    answer = Answer(name, ANSWERS[name].expression, meant=meant)
    return Compared(figures()[name], answer, simulated, error, use, **{"fit": "", **more})


ROWS = (
    (
        _compared("prediction", "raid-278", "value", 3574.4, 0.255),
        "| raid-278 | PRAID EP400i, 8x SAS-12G-SSD RAID 0, File server, max | 2848 MB/s | 3574 | +25.5 % |",
    ),
    (
        _compared("prediction", "raid-319", "gain_at_least", 13.04, -0.058),
        "| raid-319 | EP420i vs EP400i, HDD RAID 5, 0% random read <= 8 kB, all | ≥ 20 % | 13 | -5.8 % |",
    ),
    (
        _compared("prediction", "raid-322", "gain", 100.04, 0.0),
        "| raid-322 | EP420i vs EP400i, RAID 5, up to 8 HDDs, 67% random read, 4 kB, 1-32 | 6-11 % | 100.0"
        " | 0 |",
    ),
    (
        _compared("prediction", "raid-317", "at_most", 1000.4, 0.0),
        "| raid-317 | EP400i/EP420i, 24x SAS-12G-SSD RAID 5, Restore, max | ≤ 3100 MB/s | 1000 | 0 |",
    ),
    (
        _compared("fitted", "raid-251", "value", 42163.4, 0.0281, fit="a-drive", left_out=0.0504),
        "| raid-251 | SATA-6G-SSD, 400 GB EP (SSDSC2BA400G3C), Database, max of 1-512 | 41005 IO/s | 42163"
        " | +2.8 % | +5.0 % | a-drive |",
    ),
    (
        _compared("fitted", "raid-252", "value", 0.01604, 0.0, fit="a-drive"),
        "| raid-252 | SATA-6G-SSD, 400 GB EP (SSDSC2BA400G3C), File server, max of 1-512 | 5268 IO/s | 0.016"
        " | 0 | – | a-drive |",
    ),
    # It repeats a figure that was fitted, and was told to no fit itself.
    (
        _compared("fitted", "raid-307", "value", 247971, 0.033, fit="windows-raw-megaraid"),
        "| raid-307 | EP400i/EP420i, 24x SAS-12G-SSD RAID 0, Database, max | 240000 IO/s | 247971 | +3.3 %"
        " |  | windows-raw-megaraid |",
    ),
)  # fmt: skip


@pytest.mark.parametrize(("one", "written"), ROWS, ids=lambda value: None)
def test_a_figure_stands_beside_the_simulated_one(one: Compared, written: str) -> None:
    assert row(one) == written


def test_figures_are_told_by_group_and_paper_and_summed_up() -> None:
    compared = [one for one, _ in ROWS]
    page = section(figures(), compared, [], [], [], shipped())
    assert "| Figures that parts were fitted to | 3 | 2.0 % | 3.3 % (raid-307) |\n" in page
    assert "| Of these, each left out of its fit in turn | 1 | 5.0 % | 5.0 % (raid-251) |\n" in page
    assert "| Predictions: nothing was fitted to them | 4 | 7.8 % | 25.5 % (raid-278) |\n" in page
    assert "| Figures that follow from others of the same paper | 0 | 0.0 % | – |\n" in page
    assert "numbers were found from 2 published figures and 4 facts of data sheets" in page
    assert "1 figures are held by others of their part as well" in page
    tables = re.findall(r"^\| id \| what \|.*\n.*\n((?:\|.*\n)+)", page, re.M)
    assert [table.splitlines() for table in tables] == [
        [written for one, written in ROWS if one.use == use] for use in ("fitted", "prediction")
    ]


def test_what_is_wrong_or_holds_in_part_is_explained() -> None:
    page = command.PAGE.read_text("utf-8")
    told = page[page.index("### What the lab does not reach") : page.index("### Not modelled")]
    explained = set(re.findall(r"(?:raid|p3700|nvme|primequest)-\d+", told))
    short = set(re.findall(r"^\| (\S+) \| .* \| (?:in part|\*\*wrong\*\*) \| ", page, re.M))
    assert short >= set(IN_PART)
    assert short <= explained


def test_the_page_says_nothing_that_its_figures_do_not_bear_out() -> None:
    assert NO_LONGER_SO not in command.PAGE.read_text("utf-8")


def test_what_is_out_of_reach_is_a_list_with_what_was_looked_at_below_it() -> None:
    told = [Unreached("one:", ("a;", "b.")), Unreached("two.", so=False)]
    page = section(figures(), [], [], [], told, shipped())
    assert f"and why\n\n- one:\n  - a;\n  - b.\n- {NO_LONGER_SO}two.\n\n### Not modelled" in page


@pytest.mark.parametrize(("degrees", "scatter"), [(1, 0.05), (1, 0.1), (2, 0.05), (2, 0.1)])
def test_how_often_intervals_of_few_figures_hold_is_what_made_up_figures_show(
    degrees: int, scatter: float
) -> None:
    """A number of several measured ones, each off by chance: how often its interval has the true one, 1."""
    draw = random.Random(20261129)
    holds, tries = 0, 1500
    for _ in range(tries):
        off = [draw.gauss(0, scatter) for _ in range(degrees + 1)]
        found = math.exp(sum(off) / len(off))
        one = [Bounded("x", found, 0.1, 10.0)]
        residuals = [math.log(found) - each for each in off]
        (told,) = intervals(
            Minimum([found], residuals, [[1.0]] * len(off), 1, True), one, least_spread=LEAST_SPREAD
        )
        assert told.low is not None
        assert told.high is not None
        holds += told.low <= 1 <= told.high
    assert held_by_few(degrees, scatter) == pytest.approx(holds / tries, abs=0.03)


def test_a_range_measures_to_its_nearer_end() -> None:
    assert Range(6, 11).error(12) == pytest.approx(1 / 11)
    assert Range(6, 11).error(3) == pytest.approx(-0.5)


@pytest.fixture
def unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the page say little, and nothing be simulated for it."""
    monkeypatch.setattr(command, "ANSWERS", {})
    monkeypatch.setattr(command, "compare", lambda *_: [])
    monkeypatch.setattr(command, "decide", lambda *_: [])
    monkeypatch.setattr(command, "told", lambda *_: [])
    monkeypatch.setattr(command, "unreached", lambda *_: ())
    monkeypatch.setattr(command, "section", lambda *_: f"{BEGIN}\nnew\n{END}")
    monkeypatch.setattr(record, "text", lambda *_: "record\n")


def called(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr("sys.argv", ["python -m iodyno.validation", *map(str, words)])
    return command.main()


@pytest.mark.usefixtures("unasked")
def test_a_page_elsewhere_is_made_and_the_record_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After minutes of simulating, a page that was not there ended with a trace."""
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "mine.md"
    for _ in range(2):
        assert called(monkeypatch, page) == 0
        assert page.read_text("utf-8") == f"{BEGIN}\nnew\n{END}\n"
        assert capsys.readouterr().out == f"wrote {page}\n"
    assert list(tmp_path.iterdir()) == [page]


@pytest.mark.usefixtures("unasked")
def test_the_page_of_the_sources_is_written_with_its_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for file in (command.PAGE, record.PATH):
        file.parent.mkdir(parents=True)
        file.write_text("# Validation\n", "utf-8")
    assert called(monkeypatch, "docs/validation.md") == 0
    assert capsys.readouterr().out == f"wrote {command.PAGE} and {record.PATH}\n"
    assert command.PAGE.read_text("utf-8").startswith("# Validation\n\n" + BEGIN)
    assert record.PATH.read_text("utf-8") == "record\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "published/compared.csv is not there: run this in the folder of the sources"),
        (("--check", "mine.md"), "published/compared.csv is not there"),
        (("gone/mine.md",), "gone is not there"),
        ((".",), ". is a folder: name a file"),
    ],
)
def test_what_cannot_be_written_is_told_before_anything_is_simulated(
    words: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "Lab", None)
    with pytest.raises(SystemExit) as ended:
        called(monkeypatch, *words)
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
