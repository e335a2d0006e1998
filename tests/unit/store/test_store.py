"""The store gives back what it was given, and one process writes a run."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from factories import make_plan, make_point, make_result, make_run, make_stored_run
from iodyno.conditioned import Step
from iodyno.errors import StoreError
from iodyno.reading import Cause
from iodyno.store import Store, new_run_id
from iodyno.store.problems import meaning
from iodyno.store.records import StoredRun
from iodyno.store.writing import ledger_path, lock_path

RUN = "20260314-092653-4f2a"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "runs.db"


@pytest.fixture
def store(place: Path) -> Iterator[Store]:
    with Store.open(place) as opened:
        yield opened


def keep(store: Store, stored: StoredRun) -> None:
    """Put a whole run into a store, as a measurement would."""
    store.create_run(stored.run.model_copy(update={"status": "running", "finished_at": None}))
    for result in stored.results:
        store.add(stored.run.id, result)
    moment = stored.run.finished_at
    store.finish(stored.run.id, stored.run.status, now=datetime.fromisoformat(moment) if moment else None)


def test_a_run_comes_back_equal(store: Store) -> None:
    stored = make_stored_run()
    keep(store, stored)
    assert store.load(RUN) == stored


def test_results_come_back_in_the_order_of_the_plan(store: Store) -> None:
    run = make_run()
    store.create_run(run)
    for index in (3, 0, 2):
        store.add(run.id, make_result(run.plan.points[index]))
    assert [result.point.index for result in store.load(run.id).results] == [0, 2, 3]
    assert store.done(run.id) == {0, 2, 3}


def test_a_point_is_seen_by_others_once_it_is_added(store: Store, place: Path) -> None:
    run = make_run()
    store.create_run(run)
    with Store.open(place, create=False) as other:
        assert other.done(run.id) == frozenset()
        store.add(run.id, make_result(run.plan.points[0]))
        assert other.done(run.id) == {0}
        assert other.runs()[0].done == 1


def test_the_list_of_runs_has_the_latest_first(store: Store) -> None:
    for day in (3, 1, 2):
        moment = datetime(2026, 5, day, tzinfo=timezone.utc)
        run = make_run(run_id=f"2026050{day}-000000-00aa", started_at=moment.isoformat())
        store.create_run(run)
        store.finish(run.id, "interrupted", now=moment + timedelta(minutes=1))
    summaries = store.runs()
    assert [summary.id[:8] for summary in summaries] == ["20260503", "20260502", "20260501"]
    first = summaries[0]
    assert (first.status, first.points, first.done) == ("interrupted", 4, 0)
    assert first.targets == ("/data/iodyno.dat",)
    assert first.finished_at == "2026-05-03T00:01:00+00:00"


def test_of_runs_that_began_in_one_second_the_one_made_last_is_the_latest(store: Store) -> None:
    """Their ids end at random."""
    moment = "2026-05-01T00:00:00+00:00"
    ids = [f"20260501-000000-{end}" for end in ("00bb", "00cc", "00aa")]
    for run_id in ids:
        store.create_run(make_run(run_id=run_id, started_at=moment))
        step = Step(kind="filled", started_at="a", finished_at="b", target="/dev/sdb", turn=1)
        store.add_step(run_id, step)
        store.finish(run_id, "interrupted")
    assert [summary.id for summary in store.runs()] == ids[::-1]
    assert [store.find(f"latest~{back}").id for back in range(3)] == ids[::-1]
    before = store.conditioned_before("another", "/dev/sdb")
    assert before
    assert before[0] == ids[-1]


def test_a_second_result_for_a_point_is_a_bug_and_replaces_nothing(store: Store) -> None:
    run = make_run()
    store.create_run(run)
    first = make_result(run.plan.points[0])
    store.add(run.id, first)
    with pytest.raises(AssertionError, match="UNIQUE"):
        store.add(run.id, make_result(run.plan.points[0], state="capped"))
    assert store.load(run.id).results == (first,)


def test_a_point_that_the_plan_does_not_have_is_a_bug(store: Store) -> None:
    run = make_run()
    store.create_run(run)
    with pytest.raises(AssertionError, match="the plan has no such point"):
        store.add(run.id, make_result(make_point(index=len(run.plan.points))))
    assert store.done(run.id) == frozenset()


def test_only_the_writer_adds(store: Store) -> None:
    run = make_run()
    store.create_run(run)
    store.finish(run.id, "finished")
    with pytest.raises(AssertionError, match="does not write"):
        store.add(run.id, make_result(run.plan.points[0]))


def test_a_run_is_resumed_where_it_was(store: Store) -> None:
    run = make_run()
    store.create_run(run)
    store.add(run.id, make_result(run.plan.points[0]))
    store.finish(run.id, "interrupted")
    again = store.reopen(run.id)
    assert again.plan == run.plan
    assert (again.status, again.finished_at) == ("running", None)
    assert store.done(run.id) == {0}
    store.add(run.id, make_result(run.plan.points[1]))
    assert store.done(run.id) == {0, 1}


def test_a_complete_run_is_not_resumed(store: Store) -> None:
    keep(store, make_stored_run(profiles=["database"], intensities=[1, 2]))
    with pytest.raises(StoreError, match="nothing is left to measure"):
        store.reopen(RUN)
    assert store.find(RUN).status == "finished"
    assert store.remove(RUN) == RUN  # The attempt left no lock behind.


def test_a_run_that_is_not_there_is_not_resumed(store: Store, place: Path) -> None:
    store.create_run(make_run())
    store.finish(RUN, "interrupted")
    with pytest.raises(StoreError, match="no such run"):
        store.reopen("../elsewhere")
    assert not list(place.parent.glob("*.lock"))


def test_a_full_disk_is_said_and_what_is_kept_stays(store: Store) -> None:
    run = make_run()
    store.create_run(run)
    store.add(run.id, make_result(run.plan.points[0]))
    connection = store._database.connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")

    def go_on() -> None:
        for point in run.plan.points[1:]:
            store.add(run.id, make_result(point))

    with pytest.raises(StoreError, match="full disk") as caught:
        go_on()
    assert "resume" in caught.value.problems[0].hint
    connection.execute("PRAGMA max_page_count = 1000000")
    assert 0 in store.done(run.id)
    assert store.load(run.id).results[0] == make_result(run.plan.points[0])


def test_two_processes_do_not_write_the_same_run(store: Store, place: Path) -> None:
    run = make_run()
    store.create_run(run)
    with Store.open(place) as other:
        with pytest.raises(StoreError, match=r"is being written by process \d+"):
            other.reopen(run.id)
        with pytest.raises(StoreError, match="is being written"):
            other.remove(run.id)
        store.finish(run.id, "interrupted")
        assert other.reopen(run.id).id == run.id
        with pytest.raises(StoreError, match="is being written"):
            store.reopen(run.id)


def test_a_store_that_is_closed_leaves_its_run_to_others(place: Path) -> None:
    run = make_run()
    with Store.open(place) as first:
        first.create_run(run)
    assert not lock_path(place, run.id).exists()
    with Store.open(place) as second:
        assert second.find(run.id).status == "interrupted"
        assert second.runs()[0].status == "interrupted"
        assert second.reopen(run.id).status == "running"


def test_a_lock_without_a_living_process_holds_nobody_up(store: Store, place: Path) -> None:
    run = make_run()
    store.create_run(run)
    store.finish(run.id, "interrupted")
    lock_path(place, run.id).write_text(
        "1\n"
    )  # What kill -9 leaves; process 1 is alive, but it holds no lock.
    assert store.reopen(run.id).status == "running"


def test_a_run_is_running_while_its_writer_lives(store: Store, place: Path) -> None:
    run = make_run()
    store.create_run(run)
    with Store.open(place, create=False) as other:
        assert other.find(run.id).status == "running"
        assert other.runs()[0].status == "running"


def test_a_removed_run_is_gone_with_its_points(store: Store, place: Path) -> None:
    keep(store, make_stored_run(profiles=["database"], intensities=[1, 2]))
    assert store.remove("latest") == RUN
    assert store.runs() == []
    assert sqlite3.connect(place).execute("SELECT count(*) FROM points").fetchone() == (0,)


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("latest", "20260503-000000-00aa"),
        ("latest~2", "20260501-000000-00aa"),
        ("20260502", "20260502-000000-00aa"),
        ("20260501-000000-00aa", "20260501-000000-00aa"),
    ],
)
def test_a_run_is_found_by_what_people_write(store: Store, reference: str, expected: str) -> None:
    _three_runs(store)
    assert store.find(reference).id == expected


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("2026050", "20260503-000000-00aa, 20260502-000000-00aa, 20260501-000000-00aa"),
        ("2027", "no such run"),
        ("", "no such run"),
        ("%", "no such run"),
        ("latest~3", "only 3 runs"),
        ("latest~", "no such run"),
    ],
)
def test_what_means_no_run_or_several_is_refused(store: Store, reference: str, said: str) -> None:
    _three_runs(store)
    with pytest.raises(StoreError, match=said) as caught:
        store.find(reference)
    assert caught.value.problems[0].hint


def test_an_empty_store_says_so(store: Store) -> None:
    with pytest.raises(StoreError, match="no runs yet"):
        store.find("latest")
    assert store.runs() == []


def _three_runs(store: Store) -> None:
    for day in (1, 2, 3):
        moment = datetime(2026, 5, day, tzinfo=timezone.utc)
        store.create_run(make_run(run_id=f"{moment:%Y%m%d-%H%M%S}-00aa", started_at=moment.isoformat()))


def test_ids_sort_by_time_and_are_in_utc() -> None:
    east = timezone(timedelta(hours=9))
    ids = [new_run_id(datetime(2026, 1, 1, hour, 30, tzinfo=east)) for hour in (3, 8, 12)]
    assert [run_id[:-5] for run_id in ids] == ["20251231-183000", "20251231-233000", "20260101-033000"]
    assert ids == sorted(ids)


def test_no_process_gives_an_id_twice() -> None:
    """Of 65,536 ids of one second a thousand hold the same one eight times, if they are only drawn."""
    moment = datetime(2026, 1, 1, tzinfo=timezone.utc)
    assert len({new_run_id(moment) for _ in range(1000)}) == 1000


@pytest.mark.parametrize("ended", [False, True])
def test_a_run_whose_id_another_process_has_drawn_too_gets_another(
    store: Store, place: Path, ended: bool
) -> None:
    """Four hexadecimal digits are few for those that begin in one second."""
    with Store.open(place) as other:
        first = other.begin(make_run())
        if ended:
            other.finish(first.id, "interrupted")
        second = store.begin(make_run())
        store.add(second.id, make_result(second.plan.points[0]))
        assert (first.id, second.id[:-4]) == (RUN, RUN[:-4])
        assert second == make_run().model_copy(update={"id": second.id})
        assert [len(other.load(run.id).results) for run in (first, second)] == [0, 1]
    assert store.find(second.id).status == "running"


def test_columns_tell_sql_what_the_documents_hold(store: Store, place: Path) -> None:
    run = make_run(make_plan(["streaming"], [4]))
    causes = [Cause(code="steal", values={"share": 0.1}), Cause(code="throttling")]
    result = make_result(
        run.plan.points[0], state="disturbed", causes=causes, rate_io_s=2000.0, measured_s=2.0
    )
    store.create_run(run)
    store.add(run.id, result)
    connection = sqlite3.connect(place)
    connection.row_factory = sqlite3.Row
    (kept,) = connection.execute("SELECT * FROM points").fetchall()
    assert (kept["profile"], kept["outstanding_total"], kept["state"]) == ("streaming", 4, "disturbed")
    assert kept["causes"] == "steal throttling"
    assert kept["interval_half_width"] == result.reading.precision.half_width
    assert kept["interval_half_width"]
    assert kept["transaction_rate_io_s"] == pytest.approx(2000.0)
    assert kept["throughput_bytes_s"] == pytest.approx(2000.0 * 65536)
    assert kept["latency_ns_mean"] == pytest.approx(4 / 2000.0 * 1e9, rel=1e-3)  # Little's law
    (header,) = connection.execute("SELECT * FROM runs").fetchall()
    assert (header["points"], header["optimised"], header["build_profile"]) == (1, 1, "release")
    assert header["config_hash"] == run.plan.config_hash
    assert json.loads(header["targets"]) == ["/data/iodyno.dat"]
    share = connection.execute("SELECT json_extract(document, '$.point.profile.read_share') FROM points")
    assert share.fetchone()[0] == 1.0


def test_a_document_that_something_else_changed_is_refused(store: Store, place: Path) -> None:
    keep(store, make_stored_run(profiles=["database"], intensities=[1]))
    with sqlite3.connect(place) as connection:
        connection.execute("UPDATE points SET document = json_remove(document, '$.verdict')")
    with pytest.raises(StoreError, match=r"point 0.*verdict: Field required"):
        store.load(RUN)


def test_a_run_that_ends_while_it_is_looked_at_has_ended(
    store: Store, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its row is read while it runs, and its writer is looked for when that has ended it."""
    store.create_run(make_run())

    def ended_meanwhile(*_: object) -> bool:
        if RUN in store._locks:
            store.finish(RUN, "finished")
        return False

    monkeypatch.setattr("iodyno.store.store.is_written", ended_meanwhile)
    with Store.open(place) as other:
        run = other.find(RUN)
        assert run.status == "finished"
        assert run.finished_at
        store.reopen(RUN)
        assert other.runs()[0].status == "finished"


@pytest.mark.parametrize(
    ("free", "said"), [(0, "full disk"), (100, "full disk"), (1 << 20, "gave an I/O error")]
)
def test_a_disk_without_room_for_the_index_of_the_log_is_full(
    place: Path, monkeypatch: pytest.MonkeyPatch, free: int, said: str
) -> None:
    """SQLite calls it an I/O error that the file beside the store cannot be lengthened."""
    room = os.statvfs(place.parent)
    changed = os.statvfs_result((1, 1, *room[2:4], free, *room[5:10]))
    monkeypatch.setattr(os, "statvfs", lambda _: changed)
    assert said in meaning(place, sqlite3.OperationalError("disk I/O error")).what


@pytest.mark.parametrize(("number", "said"), [(errno.ENOSPC, "No space"), (errno.EACCES, "Permission")])
def test_a_lock_that_cannot_be_made_is_said(
    store: Store, place: Path, monkeypatch: pytest.MonkeyPatch, number: int, said: str
) -> None:
    def refused(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        patched.setattr("iodyno.store.writing.os.open", refused)
        with pytest.raises(StoreError, match=f"the lock of the run cannot be made: {said}") as caught:
            store.create_run(make_run())
    assert (caught.value.problems[0].hint == "make space there") == (number == errno.ENOSPC)
    assert not list(place.parent.glob("*.lock"))
    store.create_run(make_run())


def test_a_lock_holds_on_a_full_disk(store: Store, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It needs no room: runs can be removed to make some. Only who holds it is not told."""

    def no_room(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr("iodyno.store.writing.os.write", no_room)
        store.create_run(make_run())
    with Store.open(place) as other, pytest.raises(StoreError, match="is being written by another process"):
        other.remove(RUN)
    store.finish(RUN, "finished")
    assert not list(place.parent.glob("*.lock"))


def test_removing_writes_less_than_it_frees(store: Store, place: Path) -> None:
    """What is freed is not overwritten, so a disk that is nearly full has room for it."""
    run = make_run()
    store.create_run(run)
    store.add_all(run.id, [make_result(point) for point in run.plan.points])
    store.finish(run.id, "finished")
    connection = store._database.connection
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.remove(RUN)
    (pages,), (size,) = (
        connection.execute(f"PRAGMA {name}").fetchone() for name in ("freelist_count", "page_size")
    )
    assert pages > 0
    assert place.with_name(f"{place.name}-wal").stat().st_size < pages * size
    assert store.compact()
    assert connection.execute("PRAGMA freelist_count").fetchone() == (0,)


def test_the_latest_other_run_that_conditioned_a_target_is_found(store: Store) -> None:
    ids = [f"2026050{day}-000000-00aa" for day in (1, 2, 3)]
    for day, run_id in enumerate(ids, 1):
        store.create_run(
            make_run(run_id=run_id).model_copy(update={"started_at": f"2026-05-0{day}T00:00:00"})
        )
        step = Step(kind="filled", started_at="a", finished_at="b", target="/dev/sdb", turn=1)
        store.add_step(run_id, step)
    assert [store.conditioned_before(run_id, "/dev/sdb") for run_id in (ids[2], ids[0])] == [
        (ids[1], (step,)),
        (ids[2], (step,)),
    ]
    assert store.conditioned_before(ids[0], "/dev/sdc") is None


def test_a_loss_seen_after_points_were_kept_is_noted_when_they_are_read(store: Store) -> None:
    stored = make_stored_run(profiles=["database"], intensities=[1, 8])
    store.create_run(stored.run.model_copy(update={"status": "running", "finished_at": None}))
    store.add_all(stored.run.id, stored.results)
    path = stored.results[0].point.targets[0].path
    store.add_step(
        stored.run.id,
        Step(
            kind="lost", started_at="", finished_at="", target=path, before=1, since=0,
            reasons=(Cause(code="zeros"),),
        ),
    )  # fmt: skip
    first, second = (result.verdict.notes for result in store.load(stored.run.id).results)
    assert Cause(code="conditioning_unsure") in first
    assert Cause(code="conditioning_unsure") not in second


def test_a_removed_run_takes_its_ledger_along(store: Store, place: Path) -> None:
    keep(store, make_stored_run(profiles=["database"], intensities=[1]))
    ledger_path(place, RUN).write_bytes(b"stamps")
    store.remove(RUN)
    assert not list(place.parent.glob("*.ledger"))


def test_a_lock_that_its_last_holder_took_away_is_made_anew(
    store: Store, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who ended a run removes the file: a lock on one without a name would keep nobody off."""
    really, opened = os.open, []

    def taken_away(path: Path, *rest: int) -> int:
        opened.append(really(path, *rest))
        if len(opened) == 1:
            path.unlink()
        return opened[-1]

    monkeypatch.setattr("iodyno.store.writing.os.open", taken_away)
    store.create_run(make_run())
    assert len(opened) == 2
    assert lock_path(place, RUN).exists()
