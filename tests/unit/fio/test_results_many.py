"""The paper of many imported jobs: the appendix is a short one, and repeats nothing that fio measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fio_documents import imported, job, result
from iodyno.analysis.layout import EACH_UP_TO
from iodyno.report.document import CodeBlock, Facts
from iodyno.report.paper import build
from iodyno.report.sections.disclosure_configurations import MOST_PRINTED


@pytest.mark.parametrize("count", [EACH_UP_TO, EACH_UP_TO + 1, MOST_PRINTED + 1])
def test_many_curves_have_a_paper_without_commands(tmp_path: Path, count: int) -> None:
    """A folder as bench-fio makes it soon has more curves than the long appendix takes."""
    options = job()["job options"]
    jobs = [job(f"j{n}", **{"job options": {**options, "filename": f"/mnt/{n}"}}) for n in range(count)]
    file = tmp_path / "r.json"
    file.write_text(json.dumps(result(*jobs)))
    stored = imported(file)
    blocks = build(stored, "en").blocks
    assert not [block for block in blocks if isinstance(block, CodeBlock) and block.command]
    facts = [fact for block in blocks if isinstance(block, Facts) for fact in block.items]
    assert ("Conditioning", "not known") in facts
