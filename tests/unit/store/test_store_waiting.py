"""Runs whose writer lets go of them while another waits: what counts is how it has left them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from factories import make_result, make_run
from iodyno.errors import StoreError
from iodyno.store import Store


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Give where a store can be made."""
    return tmp_path / "runs.db"


@pytest.fixture
def store(place: Path) -> Iterator[Store]:
    """Open a new store."""
    with Store.open(place) as opened:
        yield opened


def let_go_while_waited_for(monkeypatch: pytest.MonkeyPatch, let_go: Callable[[], None]) -> None:
    """Let the writer of a run let go of it while another waits for its lock for the first time."""
    waits = iter([let_go])
    monkeypatch.setattr(time, "sleep", lambda seconds: next(waits, lambda: None)())


def test_a_run_that_is_taken_back_while_it_is_waited_for_is_not_resumed(
    store: Store, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run()
    store.create_run(run)
    let_go_while_waited_for(monkeypatch, lambda: store.take_back(run.id))
    with Store.open(place) as other, pytest.raises(StoreError, match="no runs yet"):
        other.reopen(run.id)
    assert not list(place.parent.glob("*.lock"))


def test_a_run_that_is_finished_while_it_is_waited_for_is_not_resumed(
    store: Store, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run()
    store.create_run(run)
    for point in run.plan.points:
        store.add(run.id, make_result(point))
    let_go_while_waited_for(monkeypatch, lambda: store.finish(run.id, "finished"))
    with Store.open(place) as other, pytest.raises(StoreError, match="every point of the run is there"):
        other.reopen(run.id)
    assert store.find(run.id).status == "finished"


def test_a_resumed_run_that_is_refused_is_as_its_last_writer_left_it(
    store: Store, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run()
    store.create_run(run)
    let_go_while_waited_for(monkeypatch, lambda: store.finish(run.id, "failed"))
    with Store.open(place) as other:
        assert other.reopen(run.id).status == "running"
        other.take_back(run.id)
    left = store.find(run.id)
    assert left.status == "failed"
    assert left.finished_at
