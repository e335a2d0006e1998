"""The store: runs and their results, each point committed when it is finished."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timezone
from pathlib import Path
from types import TracebackType
from typing import Any

from iodyno.collecting import paused
from iodyno.conditioned import Step, with_losses
from iodyno.errors import Problem, StoreError
from iodyno.rates import needed
from iodyno.reading import PointResult
from iodyno.store.database import PATIENCE_S, Database, open_database
from iodyno.store.migrations import Migration
from iodyno.store.problems import explained
from iodyno.store.records import Run, RunStatus, RunSummary, StoredRun
from iodyno.store.references import other_run_id, resolve
from iodyno.store.rows import Row, from_document, insert, point_row, run_row, step_row
from iodyno.store.writing import TakenError, WriterLock, is_written, ledger_path, lock_run

_POINT_PATIENCE = 6
"""How many times longer than anything else a finished point waits for a lock: it cost seconds."""


class Store:
    """Runs and readings in one SQLite file.

    Several processes may read and write it at once; each run has one writer. Use it as a
    context manager. Every method raises :class:`StoreError` where the file is damaged,
    locked or full.
    """

    def __init__(self, database: Database, patience_s: float = PATIENCE_S) -> None:
        self._database = database
        self._patience_s = patience_s
        self._locks: dict[str, WriterLock] = {}
        self._reopened: dict[str, Run] = {}

    @classmethod
    def open(
        cls,
        path: Path | str | None = None,
        create: bool = True,
        *,
        patience_s: float = PATIENCE_S,
        migrations: Sequence[Migration] | None = None,
    ) -> Store:
        """Open a store, read-only where it cannot be written.

        Parameters
        ----------
        path
            The file; ``$IODYNO_STORE`` or the user's data folder where none is given.
        create
            Whether to make it where there is none.
        patience_s
            Seconds to wait for a lock of another process.
        migrations
            The steps of the schema; those of this iodyno where none are given.

        Raises
        ------
        StoreError
            If it is missing, no store, damaged, of a newer version, locked or not permitted.
        """
        place = Path(path) if path is not None else None
        database = open_database(place, create=create, patience_s=patience_s, migrations=migrations)
        return cls(database, patience_s)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the store; runs that are not finished can be resumed."""
        for run_id in list(self._locks):
            self._locks.pop(run_id).release()
        self._database.connection.close()

    @property
    def path(self) -> Path:
        """Where the store is, absolute."""
        return self._database.path

    @property
    def writable(self) -> bool:
        """Whether runs can be written to it."""
        return self._database.writable

    def begin(self, run: Run) -> Run:
        """Keep a run that begins, and give it; this process becomes its writer.

        Its id is another one where another process has drawn the same in this second: of 16 that begin
        at once two do so once in some 550 times.
        """
        while True:
            try:
                self.create_run(run)
            except TakenError:
                run = run.model_copy(update={"id": other_run_id(run.id)})
            else:
                return run

    def create_run(self, run: Run) -> None:
        """Keep a run that begins by its id; this process becomes its writer.

        Raises
        ------
        TakenError
            If another run has its id.
        """
        self._take(run.id)
        try:
            if self._rows("SELECT id FROM runs WHERE id = ?", run.id):
                raise TakenError.of(run.id, "another run has this id")
            row = run_row(run)
            self._execute(insert("runs", row), row)
        except BaseException:
            self._locks.pop(run.id).release()
            raise

    def add(self, run_id: str, result: PointResult) -> None:
        """Keep a result; it survives a crash and a power cut once this returns.

        A second result for the same point, or one that the plan does not have, is a bug of
        the caller: an assertion.
        """
        self.add_all(run_id, (result,))

    def add_all(self, run_id: str, results: Sequence[PointResult]) -> None:
        """Keep several results, all or none, with one wait for the disk.

        For simulated points: they take less time than the disk, and can be had again.
        """
        assert run_id in self._locks, f"a point of {run_id}, which this store does not write"
        rows = [point_row(run_id, result) for result in results]
        self._wait(self._patience_s * _POINT_PATIENCE)
        try:
            self._insert_all(rows)
        finally:
            self._wait(self._patience_s)

    def _insert_all(self, rows: list[Row]) -> None:
        with explained(self.path):
            connection = self._database.connection
            connection.execute("BEGIN IMMEDIATE")
            try:
                for row in rows:
                    connection.execute(insert("points", row), row)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def add_step(self, run_id: str, step: Step) -> None:
        """Keep a step of conditioning; it survives a crash and a power cut once this returns."""
        assert run_id in self._locks, f"a step of {run_id}, which this store does not write"
        (counted,) = self._rows("SELECT count(*) AS steps FROM conditioning WHERE run_id = ?", run_id)
        row = step_row(run_id, counted["steps"], step)
        self._wait(self._patience_s * _POINT_PATIENCE)
        try:
            self._execute(insert("conditioning", row), row)
        finally:
            self._wait(self._patience_s)

    def steps(self, run_id: str) -> tuple[Step, ...]:
        """Give the steps of conditioning that a run has, in their order."""
        query = "SELECT number, document FROM conditioning WHERE run_id = ? ORDER BY number"
        return tuple(
            from_document(Step, f"run {run_id}, step {row['number']}", row["document"])
            for row in self._rows(query, run_id)
        )

    def conditioned_before(self, run_id: str, target: str) -> tuple[str, tuple[Step, ...]] | None:
        """Find the latest other run that conditioned a target, and give its id and steps."""
        query = (
            "SELECT run_id FROM conditioning JOIN runs ON runs.id = run_id"
            " WHERE target = ? AND run_id <> ? ORDER BY runs.started_at DESC, runs.rowid DESC LIMIT 1"
        )
        for row in self._rows(query, target, run_id):
            return row["run_id"], self.steps(row["run_id"])
        return None

    def finish(self, run_id: str, status: RunStatus, *, now: datetime | None = None) -> None:
        """End a run: its status, and the time, in UTC; this process is its writer no more."""
        assert run_id in self._locks, f"the end of {run_id}, which this store does not write"
        moment = (now or datetime.now(timezone.utc)).astimezone(timezone.utc).isoformat(timespec="seconds")
        self._set_status(run_id, status, moment)
        self._locks.pop(run_id).release()

    def reopen(self, reference: str) -> Run:
        """Go on with a run: its status is running again and this process its writer.

        Parameters
        ----------
        reference
            As for :meth:`find`.

        Returns
        -------
        Run
            The run with the plan that it began with.

        Raises
        ------
        StoreError
            If there is none, another process writes it, or it is finished and lacks nothing.
        """
        run_id = resolve(reference, self._ids())
        self._take(run_id)
        try:
            # Its writer may have ended it, or taken it back, while its lock was waited for.
            run = self.find(run_id)
            self.refuse_complete(run)
            self._set_status(run_id, "running", None)
        except BaseException:
            self._locks.pop(run_id).release()
            raise
        killed = run.status == "running"  # No other writes it now.
        self._reopened[run_id] = run.model_copy(update={"status": "interrupted"}) if killed else run
        return run.model_copy(update={"status": "running", "finished_at": None})

    def take_back(self, run_id: str) -> None:
        """Leave the store as if a run that is refused had not begun; this process is its writer no more.

        Of a run that is new nothing stays; one that was reopened is as it was before.
        """
        assert run_id in self._locks, f"{run_id} is taken back, which this store does not write"
        before = self._reopened.get(run_id)
        if before:
            self._set_status(run_id, before.status, before.finished_at)
        else:
            self._execute("DELETE FROM runs WHERE id = :id", {"id": run_id})
        self._locks.pop(run_id).release()

    def refuse_complete(self, run: Run) -> None:
        """Refuse to go on with a run that is finished and lacks nothing.

        Raises
        ------
        StoreError
            If every point is there already. A run that ended after its last point lacks its end.
        """
        if run.status == "finished" and not self.lacks(run):
            left = "simulate" if run.simulated else "measure"
            what = f"every point of the run is there: nothing is left to {left}"
            raise StoreError.of(run.id, what, f"`iodyno report {run.id}` shows it")

    def lacks(self, run: Run) -> int:
        """Count the points that a run still needs."""
        return len(needed(run.plan, self.load(run.id).results))

    def find(self, reference: str) -> Run:
        """Find a run by its id, a beginning of it, ``latest`` or ``latest~1``.

        A run whose writer is gone without having ended it is interrupted.

        Raises
        ------
        StoreError
            If there is none, or more than one.
        """
        run_id = resolve(reference, self._ids())
        (row,) = self._rows("SELECT document, status, finished_at FROM runs WHERE id = ?", run_id)
        run = from_document(Run, f"run {run_id}", row["document"])
        return run.model_copy(update=self._ended(run_id, row))

    def runs(self) -> list[RunSummary]:
        """List the runs, latest first."""
        rows = self._rows(
            "SELECT id, started_at, finished_at, status, study, title, targets, points, simulated, imported,"
            " (SELECT count(*) FROM points WHERE run_id = id) AS done"
            " FROM runs ORDER BY started_at DESC, rowid DESC"
        )
        return [self._summary(row) for row in rows]

    def load(self, reference: str) -> StoredRun:
        """Give a run with the results that it has, in the order of its plan.

        Their verdicts also note a loss of the conditioning that was seen when they had been kept.
        """
        run = self.find(reference)
        query = "SELECT point_index, document FROM points WHERE run_id = ? ORDER BY point_index"
        with paused():
            results = [
                from_document(PointResult, f"run {run.id}, point {row['point_index']}", row["document"])
                for row in self._rows(query, run.id)
            ]
        steps = self.steps(run.id)
        return StoredRun(run=run, results=with_losses(results, steps), conditioning=steps)

    def load_each(self, references: Sequence[str]) -> list[StoredRun]:
        """Give several runs with their results; names that mean no run are told all together."""
        ids, found = self._ids(), list[str]()
        problems: dict[Problem, None] = {}
        for reference in references:
            try:
                found.append(resolve(reference, ids))
            except StoreError as error:
                problems.update(dict.fromkeys(error.problems))
        if problems:
            raise StoreError(*problems)
        return [self.load(run_id) for run_id in found]

    def done(self, run_id: str) -> frozenset[int]:
        """Give the indices of the points that have a result."""
        rows = self._rows("SELECT point_index FROM points WHERE run_id = ?", run_id)
        return frozenset(row["point_index"] for row in rows)

    def remove(self, reference: str) -> str:
        """Remove a run with all its results, and give its id.

        Raises
        ------
        StoreError
            If there is none or more than one, or a process writes it.
        """
        run_id = resolve(reference, self._ids())
        self._take(run_id)
        try:
            hint = (
                f"removing takes some room too: make a little there, or move {self.path.name} and what "
                "begins with its name to another disk, remove there with --store, and move them back"
            )
            self._execute("DELETE FROM runs WHERE id = :id", {"id": run_id}, when_full=hint)
            ledger_path(self.path, run_id).unlink(missing_ok=True)
        finally:
            self._locks.pop(run_id).release()
        return run_id

    def compact(self) -> bool:
        """Give the room of what was removed back to the file system; tell whether that could be done.

        It cannot where others have the store open, or where the disk is full: the store is written anew.
        """
        with suppress(StoreError):
            self._execute("VACUUM", {})
            return True
        return False

    def _summary(self, row: Row) -> RunSummary:
        end = self._ended(row["id"], row)
        return RunSummary.model_validate({**row, "targets": json.loads(row["targets"]), **end})

    def _ids(self) -> list[str]:
        return [row["id"] for row in self._rows("SELECT id FROM runs ORDER BY started_at DESC, rowid DESC")]

    def _take(self, run_id: str) -> None:
        assert run_id not in self._locks, f"{run_id} is being written by this store"
        if not self.writable:
            raise StoreError.of(str(self.path), "the store is read-only", "give a store that can be written")
        self._locks[run_id] = lock_run(self.path, run_id)

    def _ended(self, run_id: str, row: Row) -> Row:
        """Give status and end of a run; one that was killed is interrupted: nobody was left to write it."""
        kept = {name: row[name] for name in ("status", "finished_at")}
        if kept["status"] != "running" or run_id in self._locks or is_written(self.path, run_id):
            return kept
        # Its writer may have ended it since the row was read, and let go of it only then.
        for now in self._rows("SELECT status, finished_at FROM runs WHERE id = ?", run_id):
            kept = now
        return kept | {"status": "interrupted"} if kept["status"] == "running" else kept

    def _set_status(self, run_id: str, status: RunStatus, finished_at: str | None) -> None:
        values = {"id": run_id, "status": status, "finished_at": finished_at}
        changed = self._execute(
            "UPDATE runs SET status = :status, finished_at = :finished_at WHERE id = :id", values
        )
        assert changed == 1, f"no run {run_id}"

    def _wait(self, seconds: float) -> None:
        self._database.connection.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")

    def _execute(self, statement: str, values: Row, *, when_full: str = "") -> int:
        """Change something, committed when this returns; give the number of rows."""
        with explained(self.path, when_full):
            return self._database.connection.execute(statement, values).rowcount

    def _rows(self, query: str, *values: Any) -> list[Row]:
        with explained(self.path):
            cursor = self._database.connection.execute(query, values)
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor]
