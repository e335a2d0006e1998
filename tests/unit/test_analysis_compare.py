"""Runs compared: only what the intervals show is said, and different methods are named."""

from __future__ import annotations

import pytest

from factories import make_stored_run, make_target, make_tool
from iodyno.analysis.compare import compare
from iodyno.reading import PointResult
from iodyno.store.records import StoredRun

LOADS = (1, 8, 64)


def run(factor: float = 1.0, run_id: str = "20260314-092653-4f2a", **changes: object) -> StoredRun:
    """Make a run whose rates are those of the first, times a factor."""
    return make_stored_run(
        profiles=("database", "streaming"),
        intensities=LOADS,
        factor=factor,
        run_id=run_id,
        varied=False,
        **changes,
    )


def what(base: StoredRun, other: StoredRun) -> set[str]:
    """Name the differences of method between two runs."""
    return {difference.what for difference in compare(base, other).differences}


def test_a_run_against_itself_shows_no_difference() -> None:
    found = compare(run(), run())
    assert {point.outcome for point in found.points} == {"no difference shown"}
    assert all(point.ratio is not None and point.ratio.value == pytest.approx(1.0) for point in found.points)
    assert found.differences == ()


@pytest.mark.parametrize(
    ("factor", "outcome"), [(1.1, "faster"), (0.9, "slower"), (1.005, "no difference shown")]
)
def test_outcome_follows_the_interval(factor: float, outcome: str) -> None:
    """Half-widths are 0.4 to 0.8 %, so the ratio's is 0.6 to 1.1 %: 10 % is shown, 0.5 % is not."""
    found = compare(run(), run(factor))
    assert {point.outcome for point in found.points} == {outcome}
    assert all(
        point.ratio is not None and point.ratio.value == pytest.approx(factor, rel=1e-3)
        for point in found.points
    )


def test_latency_goes_the_other_way() -> None:
    found = compare(run(), run(1.25))
    assert all(
        point.latency_ratio is not None and point.latency_ratio.value == pytest.approx(0.8, rel=1e-2)
        for point in found.points
    )


def test_points_of_only_one_run_are_named() -> None:
    other = make_stored_run(profiles=("database",), intensities=(1, 8, 16), varied=False)
    found = compare(run(), other)
    assert [point.base.outstanding for point in found.points] == [1, 8]
    assert len(found.only_base) == 4
    assert [point.outstanding for point in found.only_other] == [16]


def changed(**changes: object) -> StoredRun:
    """Make the run with something of its points or readings different."""

    def change(result: PointResult) -> PointResult:
        point = {key: value for key, value in changes.items() if key in type(result.point).model_fields}
        engine = {key: value for key, value in changes.items() if key in ("direct", "name")}
        reading = result.reading.model_copy(
            update={"engine": result.reading.engine.model_copy(update=engine)}
        )
        return result.model_copy(update={"point": result.point.model_copy(update=point), "reading": reading})

    return run(change=change)


def test_different_methods_are_named() -> None:
    assert what(run(), changed(direct=False)) == {"direct"}
    assert what(run(), changed(name="aio")) == {"engine"}
    area = make_target(area_length_bytes=1 << 30)
    assert what(run(), changed(targets=(area,))) == {"area"}
    device = make_target("/dev/nvme0n1", kind="device", created=False)
    assert what(run(), changed(targets=(device,))) == {"kind"}


def test_different_definitions_of_a_profile_are_named() -> None:
    def change(result: PointResult) -> PointResult:
        profile = result.point.profile.model_copy(update={"read_share": 0.5})
        return result.model_copy(update={"point": result.point.model_copy(update={"profile": profile})})

    assert what(run(), run(change=change)) == {"profile"}


def test_different_builds_are_named() -> None:
    other = run()
    tool = make_tool(build_profile="debug", optimised=False, version="0.2.0")
    other = other.model_copy(update={"run": other.run.model_copy(update={"tool": tool, "simulated": True})})
    assert what(run(), other) == {"build", "version", "simulated"}


def test_without_an_interval_the_outcome_is_unknown() -> None:
    def change(result: PointResult) -> PointResult:
        precision = result.reading.precision.model_copy(update={"half_width": None})
        return result.model_copy(
            update={"reading": result.reading.model_copy(update={"precision": precision})}
        )

    found = compare(run(), run(2.0, change=change))
    assert {point.outcome for point in found.points} == {"unknown"}
