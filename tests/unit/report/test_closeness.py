"""How close the model is: the record of the comparison, its sums, and what a paper says of its parts."""

from __future__ import annotations

import re
from dataclasses import astuple
from pathlib import Path

import pytest

from command_line import simulated_result
from factories import make_run, make_stored_run
from iodyno.analysis.closeness import COLUMNS, Closeness, closeness, comparisons, fitted_or_not, read
from iodyno.catalog.resolve import resolve as resolve_system
from iodyno.catalog.tree import system_of
from iodyno.cli import maxima
from iodyno.cli.maxima import closeness_text
from iodyno.fitting.answered import ANSWERS
from iodyno.fitting.curves import Curve, Outcome, Series
from iodyno.fitting.published import figures
from iodyno.report import paper
from iodyno.report.document import Heading, Table
from iodyno.report.messages import plain
from iodyno.store.records import Run, StoredRun
from iodyno.study import parse_study, plan_simulation
from iodyno.study.configuration import Configuration
from iodyno.study.systems import resolve
from iodyno.system import Fact, Section
from iodyno.system.virtual import describe
from iodyno.validation import record
from iodyno.validation.comparing import compare
from iodyno.validation.others import Told, others
from paper_texts import texts

LOADS = (1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 512)
PAGE = Path(__file__).parents[3] / "docs" / "validation.md"
PX02SM, EP400I = "Toshiba PX02SMF040 400 GB", "PRAID EP400i"
ROWS = """\
id,use,drives,behind,error
a-1,fitted,Disk,,0.0300
a-2,prediction,Disk; Other,Box,-0.2500
a-3,prediction,Disk,Box,0.1000
a-4,follows,Disk,,0.9000
o-1,others,Other,,-0.0500
"""
STUDY = """
schema = 1
name = "quick"
title = "Quick look at a drive"
[[configuration]]
name = "array"
title = "An array"
system = "made-up"
[[sweep]]
name = "field"
profiles = ["database"]
outstanding = [1, 2]
"""


def _flat(series: Series) -> Curve:
    return {load: Outcome(1000.0, 100.0, 0.1) for load in LOADS}


def test_errors_are_summed_up_without_their_sign_by_use_and_part() -> None:
    found = read(ROWS)
    assert [one.parts for one in found[:2]] == [{"Disk"}, {"Disk", "Other", "Box"}]
    assert closeness(found, "fitted") == Closeness(1, 0.03, 0.03, 1)
    assert astuple(closeness(found, "prediction")) == (2, pytest.approx(0.175), 0.25, 1)
    assert astuple(closeness(found, "prediction", "others")) == (3, pytest.approx(0.4 / 3), 0.25, 2)
    assert closeness([], "fitted") == Closeness(0, 0.0, 0.0, 0)


def test_a_use_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="no such use: fited"):
        read(ROWS.replace("fitted", "fited"))


def test_the_record_has_every_figure_with_the_error_of_the_page() -> None:
    rows = dict(re.findall(r"^\| ([a-z0-9-]+-[a-z0-9-]+) \|(.*)\|$", PAGE.read_text("utf-8"), re.MULTILINE))
    found = comparisons()
    assert {one.id for one in found} == {*ANSWERS, *(one.id for one in others().figure)}
    assert len(found) == len({one.id for one in found})
    for one in found:
        error = f"{one.error * 100:+.1f} %" if one.error else "0"
        assert f" {error} " in f"{rows[one.id]} " or abs(one.error) < 0.00005, one


def test_the_record_names_the_parts_of_each_figure() -> None:
    parts = {one.id: one.parts for one in comparisons()}
    assert parts["raid-278"] == {PX02SM, EP400I}
    assert parts["raid-256"] == {PX02SM}
    assert "1610-4P NVMe Switch Adapter" in parts["nvme-032"]
    assert all(parts.values())
    now = record.text(compare(figures(), _flat), others(), []).splitlines()
    kept = [line for line in record.PATH.read_text("utf-8").splitlines() if ",others," not in line]
    assert [line.rpartition(",")[0] for line in now] == [line.rpartition(",")[0] for line in kept]


def test_the_record_names_controllers_that_join_drives_two_at_the_least() -> None:
    """One that a single drive hangs on has no part in what it comes to."""
    for count, behind in ((1, ""), (2, EP400I)):
        level = "0" if count > 1 else "JBOD"
        logical = {"drive": "toshiba-px02smf040", "count": count, "level": level}
        part = "praid-ep400i" if count > 1 else "psas-cp400i"
        system = system_of(
            {
                "name": "some",
                "host": {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"},
                "controller": [{"part": part, "logical": [logical]}],
            }
        )
        assert record._parts([resolve_system(system)]) == (PX02SM, behind)


def test_the_record_has_what_others_measured() -> None:
    """Published 65 µs; simulated a tenth more."""
    one = next(figure for figure in others().figure if figure.id == "intel-s3700-write-latency")
    rows = record.text([], others(), [Told(one, 71.5)]).splitlines()
    assert rows == [
        ",".join(COLUMNS),
        "intel-s3700-write-latency,others,Intel SSD DC S3700 SSDSC2BA400G3C 400 GB,,0.100000",
    ]


def test_what_is_written_is_what_is_read() -> None:
    assert record.PATH.name == "compared.csv"
    assert record.text([], others(), []) == ",".join(COLUMNS) + "\n"


@pytest.fixture(scope="module")
def stored() -> StoredRun:
    """Give a simulated run of a shipped system."""
    systems = {"array": resolve(Configuration(name="array", system="raid-controllers", changes={}))}
    plan = plan_simulation(parse_study(STUDY), systems)
    run = make_run(plan, system=describe(systems, {"array": "an array"}), simulated=True, status="finished")
    return StoredRun(run=run, results=tuple(simulated_result(point) for point in plan.points))


def rows_of(stored: StoredRun, language: str = "en") -> dict[str, list[str]]:
    tables = (block for block in paper.build(stored, language).blocks if isinstance(block, Table))
    (table,) = (table for table in tables if table.key == "table-closeness")
    return {plain(row[0].text): [plain(cell.text) for cell in row[1:]] for row in table.rows}


def test_a_paper_says_how_close_the_model_is_to_its_parts(stored: StoredRun) -> None:
    fitted = closeness([one for one in comparisons() if PX02SM in one.parts], "fitted")
    predicted = closeness([one for one in comparisons() if PX02SM in one.parts], "prediction", "others")
    cells = rows_of(stored)[PX02SM]
    assert cells[:3] == [str(fitted.count), f"{fitted.mean:.1%}", f"{fitted.most:.1%}"]
    assert cells[3:] == [str(predicted.count), f"{predicted.mean:.1%}", f"{predicted.most:.1%}"]
    assert predicted.most > 0.2
    assert list(rows_of(stored)) == [PX02SM, "PRAID EP420i"]
    document = paper.build(stored)
    text = "\n".join(texts(document.blocks))
    everything = closeness(comparisons(), "prediction")
    assert f"Nothing was fitted to {everything.count} others" in text
    assert "A row of dashes" not in text
    assert f"höchstens {closeness(comparisons(), 'fitted').most * 100:.1f}".replace(".", ",") in "\n".join(
        texts(paper.build(stored, "de").blocks)
    )


def test_parts_of_ones_own_are_close_to_nothing_whatever_they_are_called(stored: StoredRun) -> None:
    own = Section(
        code="virtual_part",
        subject="mine",
        facts=(Fact(code="virtual_part_file", value=f'schema = 1\ntitle = "{PX02SM}"\n'),),
    )
    system = stored.run.system.model_copy(update={"sections": (*stored.run.system.sections, own)})
    mine = stored.model_copy(update={"run": stored.run.model_copy(update={"system": system})})
    assert rows_of(mine)[PX02SM] == ["–"] * 6
    assert rows_of(mine)["PRAID EP420i"] == rows_of(stored)["PRAID EP420i"] != ["–"] * 6
    assert "A row of dashes" in "\n".join(texts(paper.build(mine).blocks))


PM9A3 = {"drive": "samsung-pm9a3-3840"}
"""A drive of which nobody published a figure that is compared."""


def run_on(stored: StoredRun, changes: dict[str, str] | None = None, **systems: str) -> Run:
    """Give a run of shipped systems, each by a name; the last of them with changes."""
    last = list(systems)[-1]
    found = {
        name: resolve(
            Configuration(name=name, system=system, changes=(changes or {}) if name == last else {})
        )
        for name, system in systems.items()
    }
    return stored.run.model_copy(update={"plan": stored.run.plan.model_copy(update={"systems": found})})


def test_the_terminal_says_it_in_a_line(stored: StoredRun) -> None:
    of_both = [one for one in comparisons() if one.parts & {PX02SM, "PRAID EP420i"}]
    others = closeness(of_both, "prediction", "others")
    known = (
        f"{others.mean:.1%} off on the mean, {others.most:.1%} at the most, beside {others.count} published"
    )
    assert closeness_text(stored.run) == f"{known} figures of these parts that nothing was fitted to"
    today = closeness_text(run_on(stored, PM9A3, one="nvme-today"))
    assert today == "not known, no published figure of these parts was compared"
    fitted = closeness_text(run_on(stored, one="nvme-host-connections"))
    assert fitted == "not known, the only published figure of these parts was fitted to"
    partly = closeness_text(run_on(stored, PM9A3, one="raid-controllers", two="nvme-today"))
    assert partly.startswith(known)
    assert partly.endswith("; no figure is of Samsung PM9A3 3.84 TB (PCIe 4.0)")


def test_the_terminal_tells_one_figure_from_several_and_sets_names_apart(
    stored: StoredRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is compared of whichever parts."""
    one = next(found for found in comparisons() if fitted_or_not([found])[1].count)
    for names, said in (
        (["a"], "no figure is of a"),
        (["a", "b"], "no figure is of a or b"),
        (["a", "b", "c"], "no figure is of a, b or c"),
        (["a", "b", "c", "d"], "no figure is of 4 of the parts"),
    ):
        parts = {"known": [one], **{name: [] for name in names}}
        monkeypatch.setattr(maxima, "compared_of", lambda _, parts=parts: parts)
        assert closeness_text(stored.run).endswith(
            f", beside 1 published figure of these parts that nothing was fitted to; {said}"
        )


def test_a_measured_run_has_no_such_section() -> None:
    blocks = paper.build(make_stored_run()).blocks
    assert not any(isinstance(block, Heading) and block.key == "closeness" for block in blocks)
