"""Of points that were disturbed it is not said what limited them, but in the table of all of them."""

from __future__ import annotations

from factories import make_stored_run
from iodyno.reading import Cause, PointResult
from iodyno.report import paper
from iodyno.report.document import Table


def test_of_disturbed_points_no_limit_is_told() -> None:
    """Their figures should not be used: it was the host at 2 of 2 points, and "at least this much"."""

    def disturb(result: PointResult) -> PointResult:
        state = "disturbed" if result.point.outstanding == 2 else result.verdict.state
        verdict = result.verdict.model_copy(update={"notes": (Cause(code="host_busy"),), "state": state})
        return result.model_copy(update={"verdict": verdict})

    document = paper.build(make_stored_run(profiles=("database",), intensities=(1, 2), change=disturb))
    assert "At 1 of 2 points the host was the limit, not the storage." in str(document.title_page.remark)
    words = str(document.blocks)
    assert "The host was the limit at 1 outstanding I/O: what" in words
    [table] = [
        block
        for block in document.blocks
        if isinstance(block, Table) and block.key.startswith("table-limits")
    ]
    assert [cell.text for cell in table.rows[0][1:]] == ["host", "host‡"]
    assert table.notes == ("* capped, † not steady, ‡ disturbed.",)
