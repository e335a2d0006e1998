"""Where a measured area lies: in the base of the sizes beside it, and as a share of its target."""

from __future__ import annotations

import pytest

from factories import make_plan, make_point, make_result, make_run, make_target
from iodyno.report import paper
from iodyno.report.document import Facts
from iodyno.store.records import StoredRun


@pytest.mark.parametrize(
    ("kind", "size_bytes", "area", "expected"),
    [
        (
            "virtual",
            800 * 10**9,
            (0, 800 * 10**9),
            "745 GB (base 2; 800 GB base 10) from 0 B, 100% of the target",
        ),
        (
            "device",
            800 * 10**9,
            (64 << 30, 32 << 30),
            "32 GB (base 2; 34.4 GB base 10) from 64 GB, 4.3% of the target",
        ),
        ("file", 4 << 30, (0, 1 << 30), "1 GB from 0 B, 25% of the target"),
        ("file", 4 << 40, (0, 1 << 20), "1 MB from 0 B, <0.1% of the target"),
        ("file", 0, (0, 1 << 20), "1 MB from 0 B"),
        ("file", 4 << 30, (0, 0), "not known"),
    ],
)  # fmt: skip
def test_an_area_is_told_in_the_base_of_its_target_and_as_its_share(
    kind: str, size_bytes: int, area: tuple[int, int], expected: str
) -> None:
    target = make_target("/data", size_bytes, kind=kind, area_start_bytes=area[0], area_length_bytes=area[1])
    point = make_point("database", 1, targets=(target,))
    run = make_run(make_plan(("database",), (1,)).model_copy(update={"points": (point,)}))
    document = paper.build(StoredRun(run=run, results=(make_result(point),)))
    facts = [fact for block in document.blocks if isinstance(block, Facts) for fact in block.items]
    assert ("Measured area", expected) in facts
