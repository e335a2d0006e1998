"""The paper of a measured and a simulated run side by side: how far they are apart, and what is not known."""

from __future__ import annotations

import re

from factories import make_reading, make_run, make_stored_run
from iodyno.analysis.closeness import compared_of
from iodyno.report import paper
from iodyno.report.document import Facts, Figure, Heading, LineChart, Table
from iodyno.store.records import StoredRun
from iodyno.system import Fact, Section
from paper_texts import texts
from simulated_papers import many


def beside(stored: StoredRun, factor: float) -> StoredRun:
    """Give a measured run of the same points, so many times as fast."""
    plan = stored.run.plan.model_copy(
        update={
            "systems": {},
            "points": tuple(point.model_copy(update={"system": None}) for point in stored.run.plan.points),
        }
    )
    results = []
    for result, point in zip(stored.results, plan.points, strict=True):
        reading = result.reading.model_copy(
            update={"measured_s": result.reading.measured_s / factor, "simulation": None}
        )
        results.append(result.model_copy(update={"point": point, "reading": reading}))
    run = make_run(plan, run_id="20260401-000000-aaaa", status="finished")
    return StoredRun(run=run, results=tuple(results))


def test_a_paper_of_both_shows_the_error_and_tells_which_is_which() -> None:
    simulated = many(1, '"database"')
    document = paper.build(beside(simulated, 0.8), beside=(simulated,))
    text = "\n".join(texts(document.blocks))
    # Simulated ÷ measured is 1 ÷ 0.8.
    apart = "the simulated figures are 25% away from the measured ones on average, 25% at most."
    assert f"At the 2 points at which both runs have an interval, {apart}" in text
    assert "the error of the simulation only if the simulated system is the measured one" in text
    assert "measured or simulated" in text
    (figure,) = (
        block for block in document.blocks if isinstance(block, Figure) and "comparison" in block.key
    )
    (chart,) = figure.charts
    assert isinstance(chart, LineChart)
    names = [line.name for line in chart.lines]
    (title,) = simulated.run.plan.systems
    assert names == ["run 20260401-000000-aaaa, measured", f"{title}, run {simulated.run.id}, simulated"]
    assert all(point.hollow for point in chart.lines[1].points)
    turned = paper.build(simulated, beside=(beside(simulated, 0.8),))
    assert apart in "\n".join(texts(turned.blocks))


def test_what_a_run_beside_was_made_on_is_told_and_its_own_parts_are_attached() -> None:
    """A reader saw a run id alone: not which system was simulated, nor how close to real parts it is."""
    simulated = many(1, '"database"')
    (title,) = simulated.run.plan.systems
    part = Section(
        code="virtual_part",
        subject="mine",
        facts=(Fact(code="virtual_part_file", value='schema = 1\ntitle = "Mine"\n'),),
    )
    system = simulated.run.system.model_copy(update={"sections": (*simulated.run.system.sections, part)})
    own = StoredRun(run=simulated.run.model_copy(update={"system": system}), results=simulated.results)
    document = paper.build(beside(simulated, 0.8), beside=(own,))
    headings = [block.text for block in document.blocks if isinstance(block, Heading)]
    assert f"Run {own.run.id}, simulated: {title}" in headings
    assert "How close the model is" in headings
    facts = [value for block in document.blocks if isinstance(block, Facts) for _, value in block.items]
    drives = own.run.system.all("virtual_system")
    assert next(iter(drives)).value("virtual_drives") in facts
    assert [(one.name, one.data) for one in document.attachments] == [
        ("mine.toml", b'schema = 1\ntitle = "Mine"\n')
    ]
    (table,) = (
        block for block in document.blocks if isinstance(block, Table) and block.key.startswith("table-close")
    )
    assert {row[0].text for row in table.rows} == set(compared_of(own.run))
    again = paper.build(own, beside=(own,))
    assert [one.name for one in again.attachments] == ["mine.toml"]
    assert [block.text for block in again.blocks if isinstance(block, Heading)].count(
        "How close the model is"
    ) == 1


def with_parts(simulated: StoredRun, number: int, **parts: str) -> StoredRun:
    """Give a simulated run with parts of one's own, by the titles that their files give them."""
    made = (
        Section(
            code="virtual_part",
            subject=name,
            facts=(Fact(code="virtual_part_file", value=f'schema = 1\ntitle = "{title}"\n'),),
        )
        for name, title in parts.items()
    )
    system = simulated.run.system.model_copy(update={"sections": (*simulated.run.system.sections, *made)})
    run = simulated.run.model_copy(update={"system": system, "id": f"20260401-00000{number}-bbbb"})
    return StoredRun(run=run, results=simulated.results)


def test_parts_that_two_runs_have_otherwise_are_both_attached() -> None:
    simulated = many(1, '"database"')
    first, second = (with_parts(simulated, number, mine=f"Mine {number}") for number in (1, 2))
    document = paper.build(beside(simulated, 0.8), beside=(first, second, second))
    assert [one.name for one in document.attachments] == ["mine.toml", "20260401-000002-bbbb-mine.toml"]


def test_a_part_that_only_the_run_beside_has_otherwise_is_named_and_attached() -> None:
    """The systems are called alike and have the same facts: nothing was said of the part that differs."""
    simulated = many(1, '"database"')
    own = with_parts(simulated, 1, mine="Mine", other="Other", third="Third")
    one = with_parts(simulated, 2, mine="Mine, but slower", other="Other", third="Third")
    document = paper.build(own, beside=(one,))
    assert {item.name: item.data for item in document.attachments} == {
        "mine.toml": b'schema = 1\ntitle = "Mine"\n',
        "other.toml": b'schema = 1\ntitle = "Other"\n',
        "third.toml": b'schema = 1\ntitle = "Third"\n',
        "20260401-000002-bbbb-mine.toml": b'schema = 1\ntitle = "Mine, but slower"\n',
    }
    text = "\n".join(texts(document.blocks))
    assert "The part “mine” of run 20260401-000002-bbbb differs from that of the same name in this" in text
    assert "20260401-000002-bbbb-mine.toml, other.toml, and third.toml" in text
    assert "What run 20260401-000002-bbbb simulates is" not in text
    two = with_parts(simulated, 2, mine="Mine, but slower", other="Another", third="Third")
    text = "\n".join(texts(paper.build(own, beside=(two,)).blocks))
    assert "The parts “mine” and “other” of run 20260401-000002-bbbb differ from those of the same" in text
    same = with_parts(simulated, 2, mine="Mine", other="Other", third="Third")
    text = "\n".join(texts(paper.build(own, beside=(same,)).blocks))
    assert "of the same name" not in text
    assert "What of run" not in text


def at_rates(stored: StoredRun, times: float, half_width: float | None = 0.05) -> StoredRun:
    """Give a run that serves offered rates, with response times that are so many times as long."""
    points = tuple(
        point.model_copy(update={"rate_io_s": 1000.0 * point.outstanding}) for point in stored.run.plan.points
    )
    results = []
    for result, point in zip(stored.results, points, strict=True):
        made = make_reading(point, rate_io_s=point.rate_io_s, latency_ms=times)
        assert made.open_loop is not None
        opened = made.open_loop.model_copy(update={"response_p99_half_width": half_width})
        reading = made.model_copy(
            update={
                "open_loop": opened,
                "simulation": result.reading.simulation,
                "engine": result.reading.engine,
            }
        )
        results.append(result.model_copy(update={"point": point, "reading": reading}))
    plan = stored.run.plan.model_copy(update={"points": points})
    run = stored.run.model_copy(update={"plan": plan})
    return stored.model_copy(update={"run": run, "results": tuple(results)})


def test_rates_that_both_were_asked_and_served_are_no_error_of_a_simulation() -> None:
    """0.0% was said of them: what differs is the response times."""
    simulated = many(1, '"database"')
    measured, told = beside(simulated, 1.0), at_rates(simulated, 2.0)
    document = paper.build(at_rates(measured, 1.6), beside=(told,))
    text = "\n".join(texts(document.blocks))
    assert "At 2 points both runs served the rate that was offered: there the 99th percentiles of the" in text
    assert "response times are 25% away from the measured ones on average, 25% at most." in text
    assert "at which both runs have an interval" not in text
    assert "error of the simulation" in text
    text = "\n".join(texts(paper.build(at_rates(measured, 1.6, None), beside=(told,)).blocks))
    assert "At no load have the response times of both runs an interval" in text
    assert "error of the simulation" not in text


def without_interval(stored: StoredRun, *outstanding: int, factor: float = 1.0) -> StoredRun:
    """Give a run whose points at these loads have no interval, and are so many times as fast."""
    results = []
    for result in stored.results:
        if result.point.outstanding in outstanding:
            reading = result.reading
            changes = {
                "precision": reading.precision.model_copy(update={"half_width": None}),
                "measured_s": reading.measured_s / factor,
            }
            result = result.model_copy(update={"reading": reading.model_copy(update=changes)})
        results.append(result)
    return stored.model_copy(update={"results": tuple(results)})


def test_points_without_an_interval_are_in_no_mean_and_said_to_be_unknown() -> None:
    simulated = many(1, '"database"')
    loads = [result.point.outstanding for result in simulated.results]
    other = without_interval(beside(simulated, 0.8), loads[0], factor=50.0)
    text = "\n".join(texts(paper.build(other, beside=(simulated,)).blocks))
    assert "At the only point at which both runs have an interval, the simulated figure is 25% away" in text
    assert "At 1 further point a run has no interval: whether they differ there is unknown." in text
    assert f"It is unknown at a load of {loads[0]}, for want of an interval." in text
    bare = without_interval(other, *loads)
    text = "\n".join(texts(paper.build(bare, beside=(simulated,)).blocks))
    assert "At no point in common have both runs an interval: whether they differ is unknown." in text
    assert "At no load have both runs an interval: whether they differ is unknown." in text
    assert "error of the simulation" not in text
    assert "no difference" not in text


def test_unknown_is_not_counted_as_no_difference() -> None:
    run = make_stored_run(profiles=("database",), intensities=(1, 8, 64), varied=False)
    renamed = run.run.model_copy(update={"id": "20260401-000000-aaaa"})
    other = without_interval(run.model_copy(update={"run": renamed}), 8)
    text = "\n".join(texts(paper.build(run, beside=(other,)).blocks))
    assert "At none of the 2 points at which both runs have an interval do the intervals show a diff" in text
    assert "At 1 further point a run has no interval: whether they differ there is unknown." in text
    assert "Where there are intervals they show no difference. It is unknown at a load of 8" in text
    assert "The intervals show no difference at any load." not in text


def compared(language: str, **factors: float) -> str:
    """Give what is said of a run beside one that is so many times as fast at loads of 1, 8 and 64."""
    run = make_stored_run(profiles=("database",), intensities=(1, 8, 64), varied=False)
    other = run.model_copy(update={"run": run.run.model_copy(update={"id": "20260401-000000-aaaa"})})
    results = [
        result.model_copy(
            update={
                "reading": result.reading.model_copy(
                    update={"measured_s": result.reading.measured_s / factors.get(f"at_{load}", 1.0)}
                )
            }
        )
        for result in other.results
        for load in (result.point.outstanding,)
    ]
    other = other.model_copy(update={"results": tuple(results)})
    return "\n".join(texts(paper.build(run, language, beside=(other,)).blocks))


def test_only_what_there_is_is_counted_and_one_point_is_no_points() -> None:
    """At 0 of the points it was faster, and "at 0 no difference is shown"."""
    run = "run 20260401-000000-aaaa"
    all_faster = compared("en", at_1=2.0, at_8=2.0, at_64=2.0)
    assert f"As far as the intervals show, {run} is faster at 3 points." in all_faster
    slower = compared("en", at_8=0.5)
    assert f"As far as the intervals show, {run} is slower at 1 point. At 2 points no diff" in slower
    mixed = compared("en", at_8=0.5, at_1=2.0)
    assert f"{run} is faster at 1 point. It is slower at 1 point. At 1 point no difference is shown." in mixed
    for text in (all_faster, slower, mixed):
        assert not re.search(r"\bat 0\b|\b1 points", text, re.IGNORECASE)
    assert "an 1 Punkt" in compared("de", at_8=0.5)
    assert not re.search(r"(?<!\d)0 個", compared("ja", at_8=0.5))
