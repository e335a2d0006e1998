"""The list of literature of imported results names nothing that is not used there."""

from __future__ import annotations

import json
from pathlib import Path

from factories import make_stored_run
from fio_documents import imported, job, result
from iodyno.report import paper
from paper_texts import texts

OF_INTERVALS = ("Problems in Interval Estimation", "Confidence Intervals", "Truncation Heuristic")


def test_a_paper_without_intervals_cites_none_on_intervals(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(json.dumps(result(job())))
    told = "\n".join(texts(paper.build(imported(path)).blocks))
    assert "Little, A Proof for the Queuing Formula" in told
    assert not any(title in told for title in OF_INTERVALS)
    measured = "\n".join(texts(paper.build(make_stored_run()).blocks))
    assert all(title in measured for title in OF_INTERVALS)
