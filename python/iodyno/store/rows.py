"""Records as rows of the database, and back."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from pydantic import ValidationError

from iodyno.conditioned import Step
from iodyno.errors import StoreError
from iodyno.profiles import Record
from iodyno.reading import PointResult
from iodyno.store.records import Run

R = TypeVar("R", bound=Record)
Row = dict[str, Any]


def run_row(run: Run) -> Row:
    """Give the columns of the ``runs`` table."""
    plan = run.plan
    return {
        "id": run.id,
        "started_at": run.started_at,
        "finished_at": run.finished_at,
        "status": run.status,
        "study": plan.study,
        "title": plan.title,
        "targets": json.dumps(target_paths(run), ensure_ascii=False),
        "points": len(plan.points),
        "seed": plan.seed,
        "config_hash": run.config_hash,
        "simulated": run.simulated,
        "imported": run.imported,
        "tool_version": run.tool.version,
        "tool_commit": run.tool.commit,
        "build_profile": run.tool.build_profile,
        "optimised": run.tool.optimised,
        "document": run.model_dump_json(),
    }


def target_paths(run: Run) -> list[str]:
    """List the paths of a run's targets, or its virtual systems, each once, in the order of the plan."""
    if run.plan.systems:
        return list(run.plan.systems)
    return list(dict.fromkeys(target.path for point in run.plan.points for target in point.targets))


def point_row(run_id: str, result: PointResult) -> Row:
    """Give the columns of the ``points`` table."""
    point, reading, latency = result.point, result.reading, result.reading.latency
    return {
        "run_id": run_id,
        "point_index": point.index,
        "started_at": result.started_at,
        "config_hash": point.config_hash,
        "sweep": point.sweep,
        "profile": point.profile.name,
        "outstanding": point.outstanding,
        "workers": point.workers,
        "outstanding_total": point.outstanding_total,
        "rate_asked_io_s": point.rate_io_s,
        "state": result.verdict.state,
        "causes": " ".join(cause.code for cause in result.verdict.causes),
        "stopped": reading.stopped,
        "measured_s": reading.measured_s,
        "completed": reading.completed,
        "bytes": reading.bytes,
        "errors": reading.errors,
        "transaction_rate_io_s": reading.transaction_rate_io_s,
        "throughput_bytes_s": reading.throughput_bytes_s,
        "interval_half_width": reading.precision.half_width,
        "latency_ns_mean": latency.mean_ns,
        "latency_ns_p50": latency.percentile_ns(0.5),
        "latency_ns_p99": latency.percentile_ns(0.99),
        "latency_ns_p99_9": latency.percentile_ns(0.999),
        "latency_ns_max": latency.max_ns,
        "document": result.model_dump_json(),
    }


def step_row(run_id: str, number: int, step: Step) -> Row:
    """Give the columns of the ``conditioning`` table."""
    return {
        "run_id": run_id,
        "number": number,
        "kind": step.kind,
        "started_at": step.started_at,
        "finished_at": step.finished_at,
        "target": step.target,
        "turn": step.turn,
        "before_point": step.before,
        "written_bytes": step.written_bytes,
        "document": step.model_dump_json(),
    }


def from_document(kind: type[R], where: str, document: str) -> R:
    """Read a record that the store kept.

    Raises
    ------
    StoreError
        If the text is not such a record: something else has written to the store.
    """
    try:
        return kind.model_validate_json(document)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise StoreError.of(
            where,
            f"what the store keeps of it cannot be read: {field}: {first['msg']}",
            "another program has changed the store, or an iodyno of another version wrote it",
        ) from error


def insert(table: str, row: Row) -> str:
    """Give the statement that inserts a row, its values by name."""
    names = ", ".join(row)
    return f"INSERT INTO {table} ({names}) VALUES ({', '.join(':' + name for name in row)})"
