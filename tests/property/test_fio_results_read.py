"""Whatever a file of results holds, it becomes a run or is refused in words; histograms keep their counts."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from factories import make_histogram, make_tool
from iodyno.analysis.figures import point_figures
from iodyno.errors import Problem, StoreError
from iodyno.fio.bins import LAST_BIN, bin_index, bin_middle, bins_of, histogram_of, percentiles_of
from iodyno.fio.importing import import_results
from iodyno.fio.results import parse_results
from iodyno.histogram import bucket_bounds, bucket_index
from iodyno.store.records import StoredRun

LEAVES = (
    st.none() | st.booleans() | st.integers(-5, 1 << 70) | st.floats() | st.text(max_size=6)
    | st.sampled_from(["randrw", "4k", "libaio", "trim", "4k/50:8k", "8", "a:b", "fio-3.1", "fio-2.9"])
)  # fmt: skip
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
LATENCIES = st.lists(st.integers(0, 1 << 36), min_size=1, max_size=60)


def good() -> dict[str, Any]:
    told = {
        "min": 900,
        "max": 2000,
        "mean": 1200.5,
        "N": 40,
        "percentile": {"50.0": 1100},
        "bins": {"1100": 40},
    }
    half = {
        "io_bytes": 163840,
        "total_ios": 40,
        "short_ios": 1,
        "runtime": 10,
        "clat_ns": told,
        "lat_ns": dict(told),
    }
    options = {"rw": "randrw", "bs": "4k", "iodepth": "4", "numjobs": "1", "filename": "x", "size": "1m"}
    job = {"jobname": "a", "groupid": 0, "error": 0, "job options": options, "read": half,
           "write": dict(half),
           "usr_cpu": 1.0, "sys_cpu": 2.0, "job_runtime": 10}  # fmt: skip
    return {"fio version": "fio-3.33", "timestamp": 5, "jobs": [job], "disk_util": [{"name": "sda"}]}


def paths(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [here, *(path for key, item in inner for path in paths(item, (*here, key)))]


def replaced(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    here = document
    for key in path[:-1]:
        here = here[key]
    here[path[-1]] = value
    return document


def imported(text: str, folder: Path) -> StoredRun | None:
    file = folder / "x.json"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    problems: tuple[Problem, ...] = ()
    try:
        stored, _ = import_results(
            [file], run_id="a", now=datetime(2026, 1, 1, tzinfo=timezone.utc), tool=make_tool(), command=()
        )
    except StoreError as error:
        problems = error.problems
    else:
        return StoredRun.model_validate_json(stored.model_dump_json())
    assert problems
    assert all(problem.what and problem.hint for problem in problems)
    return None


@given(st.lists(st.tuples(st.sampled_from(paths(good())), VALUES), min_size=1, max_size=3))
@settings(
    max_examples=300, deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)  # fmt: skip
def test_a_good_result_with_values_replaced(
    tmp_path: Path, changes: list[tuple[tuple[Any, ...], Any]]
) -> None:
    document = good()
    for path, value in changes:
        try:
            document = replaced(document, path, value)
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change took the place away
    stored = imported(json.dumps(document), tmp_path)
    for result in stored.results if stored else ():
        figures = point_figures(result)
        assert figures.verdict.state == "not_judged"
        assert figures.transaction_rate_io_s.half_width is None


@given(st.text(max_size=80) | st.binary(max_size=60).map(lambda data: data.decode("latin-1")))
@settings(deadline=None)
def test_garbage_of_any_shape(text: str) -> None:
    try:
        parse_results(text, "x")
    except StoreError as error:
        assert error.problems[0].hint  # noqa: PT017 - that it is raised is not what is asked


@given(st.integers(0, 400), st.integers(0, 4000))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_result_cut_short_or_nested_too_deep(tmp_path: Path, cut: int, deep: int) -> None:
    text = json.dumps(good())
    imported(text[:-cut] if cut else text, tmp_path)
    imported('{"fio version": "fio-3.1", "jobs": ' + "[" * deep + "]" * deep + "}", tmp_path)


@given(st.integers(0, (1 << 64) - 1))
def test_every_value_has_its_bin_and_bucket(value: int) -> None:
    low, high = bucket_bounds(bucket_index(value))
    assert low <= value < high
    index = bin_index(value)
    assert 0 <= index <= LAST_BIN
    assert bin_index(bin_middle(index)) == index
    if index < LAST_BIN:
        assert abs(bin_middle(index) - value) <= value / 128 + 0.5


@given(LATENCIES)
def test_counts_are_kept_on_the_way_there_and_back(values: list[int]) -> None:
    ours = make_histogram(values)
    bins = bins_of(ours)
    assert sum(bins.values()) == len(values)
    back = histogram_of(bins, least=ours.min_ns, most=ours.max_ns, total_ns=ours.sum_ns)
    assert (back.total, back.mean_ns) == (ours.total, ours.mean_ns)
    assert bins_of(back) == bins


@given(LATENCIES, st.sampled_from([1, 5, 50, 90, 99, 99.9, 99.99]))
def test_percentiles_of_bins_and_ours_are_a_bin_apart_at_most(values: list[int], percent: float) -> None:
    # The oracle is the sorted list itself: the value of that rank lies in the bin that is named.
    bins = bins_of(make_histogram(values))
    found = percentiles_of(bins, [percent])[percent]
    exact = sorted(values)[max(1, -int(-percent / 100 * len(values) // 1)) - 1]
    if bin_index(exact) < LAST_BIN:
        assert bin_index(found) == bin_index(exact)
    assert abs(make_histogram(values).percentile_ns(percent / 100) - exact) <= exact / 64 + 1
