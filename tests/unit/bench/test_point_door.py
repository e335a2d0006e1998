"""What the door to engines and simulator refuses: points that can be read and that no plan has."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from factories import make_point
from iodyno import bench
from iodyno.bench import _core
from iodyno.study import load_study, on_systems, plan_simulation, resolve_all
from iodyno.study.systems import resolve

CHANGES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "no targets": (lambda point: point.update(targets=[]), "0 targets"),
    "nothing outstanding": (lambda point: point.update(outstanding=0), "outstanding is 0"),
    "no workers": (lambda point: point.update(workers=0), "workers is 0"),
    "no blocks": (lambda point: point["profile"].update(blocks=[]), "without blocks"),
    "no alignment": (lambda point: point["profile"].update(alignment_bytes=0), "alignment of 0"),
    "no room": (lambda point: point["targets"][0].update(area_length_bytes=512), "less than a block"),
    "a share of 2": (lambda point: point["profile"].update(random_share=2), "random_share is 2"),
    "confidence": (lambda point: point["stopping"].update(confidence=2), "confidence is 2"),
    "no targets a worker": (lambda point: point.update(targets_per_worker=0), "targets_per_worker is 0"),
    "no rate": (lambda point: point.update(rate_io_s=0), "rate_io_s is 0"),
    "think time": (
        lambda point: [point.update(rate_io_s=100), point["profile"].update(think_time_us=10)],
        "a think time and a rate",
    ),
}


def virtual() -> tuple[dict[str, Any], str]:
    """Give a point on a virtual drive, and the JSON of its system."""
    study = on_systems(load_study("standard"), ["p3700"])
    plan = plan_simulation(study, resolve_all(study.configurations, resolve))
    point = plan.points[0]
    assert point.system is not None
    return json.loads(point.model_dump_json()), plan.systems[point.system].model_dump_json()


@pytest.mark.parametrize("name", CHANGES)
def test_a_point_that_cannot_be_is_refused_by_every_door(name: str) -> None:
    change, expected = CHANGES[name]
    real = json.loads(make_point("database", 8).model_dump_json())
    simulated, system = virtual()
    change(real)
    change(simulated)
    for ask in (
        lambda: _core.measure(json.dumps(real), lambda _: None),
        lambda: _core.accesses(json.dumps(real), 0, 0, 1),
        lambda: _core.simulate(json.dumps(simulated), system),
    ):
        with pytest.raises(ValueError, match=expected):
            ask()


def test_all_that_is_wrong_is_told_at_once() -> None:
    point = json.loads(make_point("database", 8).model_dump_json())
    point.update(outstanding=0, workers=0)
    point["stopping"]["confidence"] = 1
    with pytest.raises(ValueError, match="confidence is 1") as refused:
        _core.measure(json.dumps(point), lambda _: None)
    assert len(str(refused.value).splitlines()) == 3


def test_accesses_are_those_of_a_worker_that_there_is() -> None:
    point = make_point("database", 8)
    assert len(bench.accesses(point, worker=point.workers - 1, count=3)) == 3
    with pytest.raises(ValueError, match="no such worker"):
        bench.accesses(point, worker=point.workers)
