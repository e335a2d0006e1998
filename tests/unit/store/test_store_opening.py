"""What is no store is left as it was; what is one opens, is made, or is migrated."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from factories import make_result, make_run
from iodyno.errors import StoreError
from iodyno.store import Store, default_path
from iodyno.store.look import APPLICATION_ID
from iodyno.store.migrations import Migration, ordered, shipped
from iodyno.store.rows import insert, run_row

Changed = Callable[[], None]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder with its bytes."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def filled(path: Path) -> Path:
    """Make a store with one run of one point."""
    run = make_run()
    with Store.open(path) as store:
        store.create_run(run)
        store.add(run.id, make_result(run.plan.points[0]))
        store.finish(run.id, "interrupted")
    return path


def pragma(path: Path, name: str) -> object:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(f"PRAGMA {name}").fetchone()[0]
    finally:
        connection.close()


def refused(path: Path, said: str, *, create: bool = True) -> None:
    with pytest.raises(StoreError, match=said) as caught:
        Store.open(path, create, patience_s=0.1)
    assert caught.value.exit_code == 2
    assert all(problem.hint for problem in caught.value.problems)


def test_a_new_store_is_marked_as_ours(tmp_path: Path) -> None:
    path = filled(tmp_path / "runs.db")
    assert pragma(path, "application_id") == APPLICATION_ID
    assert pragma(path, "user_version") == len(shipped())
    assert pragma(path, "journal_mode") == "wal"
    assert list(contents(tmp_path)) == ["runs.db"]


def test_commits_are_on_the_disk_before_they_are_acknowledged(tmp_path: Path) -> None:
    with Store.open(tmp_path / "runs.db") as store:
        connection = store._database.connection
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "runs.db").touch()
    filled(tmp_path / "runs.db")


def test_a_name_that_looks_like_a_query_is_a_name(tmp_path: Path) -> None:
    filled(tmp_path / "a b?mode=ro#%41.db")
    assert list(contents(tmp_path)) == ["a b?mode=ro#%41.db"]


def test_a_missing_store_is_not_made_for_reading(tmp_path: Path) -> None:
    refused(tmp_path / "runs.db", "there is no store here", create=False)
    assert contents(tmp_path) == {}


def test_a_missing_folder_is_not_made(tmp_path: Path) -> None:
    refused(tmp_path / "missing" / "runs.db", "folder .* is missing")
    assert list(tmp_path.iterdir()) == []


def test_the_users_data_folder_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("IODYNO_STORE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with Store.open() as store:
        assert store.path == tmp_path / "data" / "iodyno" / "runs.db"


def test_the_place_of_the_store_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("IODYNO_STORE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", "relative")  # The specification says: to be ignored.
    assert default_path() == tmp_path / ".local" / "share" / "iodyno" / "runs.db"
    monkeypatch.setenv("IODYNO_STORE", str(tmp_path / "own.db"))
    assert default_path() == tmp_path / "own.db"
    monkeypatch.setenv("IODYNO_STORE", str(tmp_path / "missing" / "own.db"))
    with pytest.raises(StoreError, match="is missing"):
        Store.open()


def foreign(path: Path, journal: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA journal_mode = {journal}")
    connection.execute("CREATE TABLE theirs (value TEXT)")
    connection.execute("INSERT INTO theirs VALUES ('kept')")
    connection.commit()
    connection.close()


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_a_database_of_another_program_is_left_byte_for_byte(tmp_path: Path, journal: str) -> None:
    foreign(tmp_path / "runs.db", journal)
    before = contents(tmp_path)
    refused(tmp_path / "runs.db", "another program")
    assert contents(tmp_path) == before


def test_a_foreign_database_that_is_in_use_is_left_byte_for_byte(tmp_path: Path) -> None:
    foreign(tmp_path / "runs.db", "wal")
    user = sqlite3.connect(tmp_path / "runs.db")
    user.execute("INSERT INTO theirs VALUES ('in the log')")
    user.commit()
    before = contents(tmp_path)
    assert "runs.db-wal" in before
    refused(tmp_path / "runs.db", "another program")
    assert contents(tmp_path) == before
    user.close()


@pytest.mark.parametrize(
    "text", [b"not a database, but text", b"x" * 10_000, b"SQLite format 3\0", b"\0" * 4096]
)
def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "runs.db").write_bytes(text)
    refused(tmp_path / "runs.db", "no SQLite database")
    assert contents(tmp_path) == {"runs.db": text}


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    refused(tmp_path, "is a folder")


def test_a_pipe_is_no_store(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    refused(tmp_path / "pipe", "no regular file")


def test_a_truncated_store_is_damaged(tmp_path: Path) -> None:
    path = filled(tmp_path / "runs.db")
    path.write_bytes(path.read_bytes()[:8192])
    refused(path, "damaged")


def test_a_store_with_damaged_pages_is_an_error_and_no_crash(tmp_path: Path) -> None:
    path = filled(tmp_path / "runs.db")
    size = path.stat().st_size
    path.write_bytes(path.read_bytes()[:4096] + os.urandom(size - 4096))
    with pytest.raises(StoreError, match="damaged"), Store.open(path) as store:
        store.load("latest")


def test_a_store_of_a_newer_version_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    newer = [*shipped(), Migration(len(shipped()) + 1, "new", "CREATE TABLE more (x);")]
    Store.open(path, migrations=newer).close()
    before = contents(tmp_path)
    refused(path, f"schema version {len(newer)}, this iodyno knows up to {len(shipped())}")
    assert contents(tmp_path) == before


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[Path]:
    path = filled(tmp_path / "runs.db")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    yield path
    other.close()


def test_a_locked_store_says_so(locked: Path) -> None:
    with (
        pytest.raises(StoreError, match="locked by another process") as caught,
        Store.open(locked, patience_s=0.05) as store,
    ):
        store.runs()
    assert caught.value.problems[0].hint


def test_a_store_that_another_writes_can_be_read_and_then_written(tmp_path: Path) -> None:
    path = filled(tmp_path / "runs.db")
    with Store.open(path, patience_s=0.05) as store:
        store.reopen("20260314-092653-4f2a")
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        assert store.runs()[0].done == 1
        point = store.find("latest").plan.points[1]
        with pytest.raises(StoreError, match="locked"):
            store.add("20260314-092653-4f2a", make_result(point))
        other.execute("ROLLBACK")
        other.close()
        store.add("20260314-092653-4f2a", make_result(point))
        assert store.done("20260314-092653-4f2a") == {0, 1}


OLD = Migration(1, "0001", "CREATE TABLE runs (id TEXT);\nCREATE TABLE points (run_id TEXT);")
NEW = Migration(2, "0002", "ALTER TABLE runs ADD COLUMN note TEXT;\nUPDATE runs SET note = 'old';")


def test_an_older_store_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    Store.open(path, migrations=[OLD]).close()
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO runs VALUES ('kept')")
    Store.open(path, migrations=[OLD, NEW]).close()
    assert sqlite3.connect(path).execute("SELECT id, note FROM runs").fetchall() == [("kept", "old")]
    assert pragma(path, "user_version") == 2


def test_runs_of_a_store_that_did_not_know_imported_ones_are_marked(tmp_path: Path) -> None:
    """Also where a record does not have the field, or is none: that one is told where it is read."""
    path, run = tmp_path / "runs.db", make_run()
    Store.open(path, migrations=shipped()[:2]).close()
    records = {
        "measured": run.model_dump_json(),
        "imported": run.model_copy(update={"imported": "fio-3.36"}).model_dump_json(),
        "older": run.model_dump_json(exclude={"imported"}),
        "broken": "{",
    }
    with sqlite3.connect(path) as connection:
        for name, document in records.items():
            row = {key: value for key, value in run_row(run).items() if key != "imported"}
            row |= {"id": name, "document": document}
            connection.execute(insert("runs", row), row)
    with Store.open(path) as store:
        found = {one.id: one.imported for one in store.runs()}
    assert found == {"measured": "", "imported": "fio-3.36", "older": "", "broken": ""}


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    Store.open(path, migrations=[OLD]).close()
    bad = Migration(3, "0003", "CREATE TABLE more (x);\nINSERT INTO nowhere VALUES (1);")
    with pytest.raises(StoreError, match="nowhere"):
        Store.open(path, migrations=[OLD, NEW, bad])
    assert pragma(path, "user_version") == 1
    names = sqlite3.connect(path).execute("SELECT name FROM sqlite_master ORDER BY name").fetchall()
    assert names == [("points",), ("runs",)]


def test_migrations_have_no_gap_and_end_every_statement() -> None:
    assert [step.version for step in shipped()] == list(range(1, len(shipped()) + 1))
    assert all(list(step.statements()) for step in shipped())
    with pytest.raises(AssertionError, match="gap"):
        ordered([OLD, Migration(3, "0003", "")])
    with pytest.raises(AssertionError, match="without an end"):
        list(Migration(1, "0001", "CREATE TABLE x (y)").statements())


def as_somebody(work: Callable[[], None]) -> None:
    """Do something as a user without rights: as it is, or in a child where this is root."""
    if os.geteuid() != 0:
        work()
        return
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
            work()
        except BaseException as error:  # noqa: BLE001 - the parent only sees the exit status
            os.write(2, f"{error!r}\n".encode())
            os._exit(1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can enter: pytest's own are for its user alone."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


@pytest.mark.parametrize("log", [False, True], ids=["closed", "with a log"])
def test_a_store_that_cannot_be_written_is_read(open_folder: Path, log: bool) -> None:
    path = filled(open_folder / "runs.db")
    writer = sqlite3.connect(path)
    if log:
        writer.execute("UPDATE runs SET title = 'In the log'")
        writer.commit()
    else:
        writer.close()
    for file in open_folder.iterdir():
        file.chmod(0o444)
    open_folder.chmod(0o555)
    before = contents(open_folder)

    def read() -> None:
        with Store.open(path, create=False) as store:
            assert not store.writable
            assert len(store.load("latest").results) == 1
            assert store.runs()[0].title == ("In the log" if log else "Quick look at a drive")
            with pytest.raises(StoreError, match="read-only"):
                store.create_run(make_run(run_id="20270101-000000-0000"))
            with pytest.raises(StoreError, match="read-only"):
                store.reopen("20260314-092653-4f2a")

    as_somebody(read)
    after = contents(open_folder)
    for files in (before, after):
        files.pop("runs.db-shm", None)  # Memory that processes share while they have the store open.
    assert after == before
    writer.close()


def test_a_log_that_cannot_be_read_is_not_passed_over(tmp_path: Path, open_folder: Path) -> None:
    path = filled(tmp_path / "runs.db")
    writer = sqlite3.connect(path)
    writer.execute("UPDATE runs SET title = 'In the log'")
    writer.commit()
    for name in ("runs.db", "runs.db-wal"):
        (open_folder / name).write_bytes((tmp_path / name).read_bytes())
    writer.close()
    open_folder.chmod(0o555)
    as_somebody(lambda: refused(open_folder / "runs.db", "has a log", create=False))


def test_an_old_store_that_cannot_be_written_is_refused(open_folder: Path) -> None:
    path = open_folder / "runs.db"
    Store.open(path, migrations=[OLD]).close()
    path.chmod(0o444)
    open_folder.chmod(0o555)

    def read() -> None:
        with pytest.raises(StoreError, match="old schema version 1 and is read-only"):
            Store.open(path, migrations=[OLD, NEW])

    as_somebody(read)


def test_a_store_that_cannot_be_read_is_refused(open_folder: Path) -> None:
    path = filled(open_folder / "runs.db")
    path.chmod(0o000)
    as_somebody(lambda: refused(path, "Permission denied"))


def test_a_folder_that_cannot_be_written_is_refused(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    as_somebody(lambda: refused(open_folder / "runs.db", "cannot be written: Permission denied"))
