"""What tests of fio's files ask: jobs, the one job of a file, why it is refused; the run of a result."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from fio_documents import Make, One, Read, Refused, imported, job_file
from iodyno.errors import ProfileError
from iodyno.fio import Translated, translate
from iodyno.fio.together import JobStudy
from iodyno.store.records import StoredRun


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def translated(text: str, **options: Any) -> Translated:
        return translate(job_file(tmp_path, text), environment={"DEPTH": "7"}, **options)

    return translated


@pytest.fixture
def one(make: Make) -> One:
    def only(options: str, **more: object) -> JobStudy:
        (found,) = make("[a]\nfilename=x\nsize=1m\n" + dedent(options), **more).jobs
        return found

    return only


@pytest.fixture
def refused(make: Make) -> Refused:
    def problems(text: str, **options: object) -> list[str]:
        with pytest.raises(ProfileError) as caught:
            make(text, **options)
        assert all(problem.hint for problem in caught.value.problems)
        return [str(problem).split("job.fio")[-1] for problem in caught.value.problems]

    return problems


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def of(*documents: dict[str, Any], before: str = "", after: str = "") -> StoredRun:
        file = tmp_path / "r.json"
        file.write_text(before + "\n".join(json.dumps(item, indent=2) for item in documents) + after)
        return imported(file)

    return of
