"""A sweep set against another one: which points stand beside each other, and what comes of it."""

from __future__ import annotations

import csv
import io

import pytest

from exports import exported
from iodyno.analysis.against import Loads, compared
from iodyno.analysis.estimate import Estimate
from iodyno.analysis.run import analyse
from iodyno.analysis.two_sweeps import Beside, beside, unmade
from iodyno.export.tables import TABLES
from iodyno.store.records import StoredRun
from two_sweeps import COSTS, OF_ALONE, STUDY, answered, by_sweep, compare_of, planned


def pairs(run: StoredRun) -> tuple[Beside, ...]:
    return beside(analyse(run), "beside", compare_of(run), run.run.plan.points)


def test_quotients_of_rate_and_latency_are_those_of_the_same_load_with_their_intervals() -> None:
    (pair,) = pairs(answered(planned(), COSTS))
    rates, latencies = pair.figures["main"], pair.figures["time_mean"]
    assert [step.loads for step in rates] == [Loads(1, 1), Loads(8, 8)]
    for step, factor in zip(rates, (0.25, 0.5), strict=True):
        found = step.compared.quotient
        assert found is not None
        assert found.value == pytest.approx(factor)
        # Both ± 1 %: by the first order of Fieller's limits the quotient is ± the square root of 2 of that.
        assert (found.high - found.low) / 2 / found.value == pytest.approx(0.01 * 2**0.5, rel=0.01)
    # Little's law: as many are outstanding, so the latency is longer by what the rate is less.
    assert [step.compared.quotient and step.compared.quotient.value for step in latencies] == pytest.approx(
        [4.0, 2.0]
    )
    assert [step.compared.relation for step in latencies] == ["more", "more"]


def test_it_costs_most_where_the_least_is_left() -> None:
    (pair,) = pairs(answered(planned(), COSTS))
    assert pair.worst is not None
    loads, at = pair.worst
    assert loads == Loads(1, 1)
    assert set(at) == {"main", "time_mean"}  # a percentile of a loop that waits has no interval


def test_times_are_told_apart_exactly_where_their_rates_are() -> None:
    """100 ± 5 and 105.1 ± 0.1 differ by more than the intervals reach, whichever way round they are read."""
    rates = Estimate(105.1, 0.001), Estimate(100.0, 0.05)
    times = rates[0].inverse, rates[1].inverse
    assert [compared(Loads(1, 1), [pair]).relation for pair in (rates, times)] == ["more", "less"]


def test_loads_that_only_one_sweep_has_are_left_out() -> None:
    run = answered(
        planned(STUDY.replace(OF_ALONE, "outstanding = [8, 32]", 1)),
        by_sweep({"alone": {8: 4000.0, 32: 9000.0}, "beside": {1: 250.0, 8: 2000.0}}),
    )
    (pair,) = pairs(run)
    assert [step.loads for step in pair.figures["main"]] == [Loads(8, 8)]


def test_open_loops_are_compared_at_the_same_rate_by_their_response_time() -> None:
    text = STUDY.replace(OF_ALONE, "rate_io_s = [100, 200]")
    same = {100.0: 100.0, 200.0: 200.0}
    run = answered(planned(text), by_sweep({"alone": same, "beside": same}))
    (pair,) = pairs(run)
    assert pair.open_loop
    assert [step.loads for step in pair.figures["main"]] == [Loads(rate_io_s=100.0), Loads(rate_io_s=200.0)]
    assert [step.compared.relation for step in pair.figures["main"]] == ["level", "level"]


def test_each_target_is_set_against_itself() -> None:
    text = STUDY.replace(OF_ALONE, f'{OF_ALONE}\ntargets = "each"')
    plan = planned(text, "/slow", "/fast")
    run = answered(
        plan, lambda point: COSTS(point) * (10 if point.loads[0].targets[0].path == "/fast" else 1)
    )
    found = pairs(run)
    assert [pair.item.curve.first.targets[0].path for pair in found] == ["/slow", "/fast"]
    for pair in found:
        assert pair.other.curve.first.targets == pair.item.curve.first.targets
        values = [step.compared.quotient and step.compared.quotient.value for step in pair.figures["main"]]
        assert values == pytest.approx([0.25, 0.5])


def test_ranges_and_maxima_are_compared_too() -> None:
    run = answered(planned(f'{STUDY}loads = ["1-8", "maximum"]\n'), COSTS)
    (pair,) = pairs(run)
    range_of, maxima = pair.figures["main"]
    assert range_of.loads == Loads(1, 8)
    assert range_of.one is range_of.other is None
    assert range_of.compared.quotient is not None
    assert range_of.compared.quotient.value == pytest.approx(0.375)  # the mean of a quarter and a half
    assert maxima.loads.maxima
    assert maxima.compared.quotient is not None
    assert maxima.compared.quotient.value == pytest.approx(0.5)


@pytest.mark.parametrize(("kept", "partly"), [(3, True), (2, False)])
def test_what_a_run_did_not_get_to_is_told(kept: int, partly: bool) -> None:
    whole = answered(planned(), COSTS)
    run = whole.model_copy(update={"results": whole.results[:kept]})
    (one,) = unmade(analyse(run), "beside", compare_of(run), run.run.plan.points)
    assert one.partly is partly
    assert len(pairs(run)) == partly
    assert unmade(analyse(whole), "beside", compare_of(whole), whole.run.plan.points) == ()


def test_an_export_has_a_row_for_each_quotient() -> None:
    run = answered(planned(), COSTS)
    rows = list(csv.DictReader(io.StringIO(exported(run, "csv", "comparisons").decode())))
    assert list(rows[0]) == ["run", *(column.name for column in TABLES["comparisons"].columns)]
    told = [
        (row["figure"], row["loads"], float(row["value"]), float(row["to_value"]), float(row["quotient"]))
        for row in rows
        if row["figure"] == "transaction_rate_io_s"
    ]
    assert told == [
        ("transaction_rate_io_s", "1", 250.0, 1000.0, 0.25),
        ("transaction_rate_io_s", "8", 2000.0, 4000.0, 0.5),
    ]
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    table = parquet.read_table(io.BytesIO(exported(run, "parquet", "comparisons")))
    assert table.column_names == list(rows[0])
    assert table.num_rows == len(rows)
    assert str(table.schema.field("quotient").type) == "double"
    assert {row["figure"] for row in rows} == {"transaction_rate_io_s", "latency_ms_mean", "latency_ms_p99"}
    assert {(row["sweep"], row["to_sweep"]) for row in rows} == {("beside", "alone")}
    assert all(row["quotient_low"] for row in rows if row["figure"] != "latency_ms_p99")
