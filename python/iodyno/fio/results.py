"""Results of fio as JSON: read from files and folders, whatever stands around them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from iodyno.errors import Problem, StoreError
from iodyno.units import format_size

_LARGEST = 1 << 55
_NOT_A_NUMBER = re.compile(r"(?<=[:\[,])\s*-?(?:nan|inf(?:inity)?)(?=\s*[,}\]])", re.IGNORECASE)
_VERSION = re.compile(r"fio-(\d+)\b")
_OURS = "iodyno-"
"""What the version of an export of iodyno in fio's format begins with."""
_LEAST_VERSION = 3
_MOST_BYTES = 1 << 30
_LOOKED_AT_BYTES = 1 << 16
_BEGINNING = re.compile(r"^[^\S\n]*\{(?=\s{0,64}\")", re.MULTILINE)
"""The brace that begins a line and a document: its first key follows."""
_HINT = "import what `fio --output-format=json+` wrote"


def _whole(value: Any) -> Any:
    """Let whole numbers stand that fio wrote as 3.0; nothing is nothing."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return 0 if value is None else value


def _nothing(value: Any) -> Any:
    return 0.0 if value is None else value


Count = Annotated[int, BeforeValidator(_whole), Field(ge=0, le=_LARGEST)]
Number = Annotated[float, BeforeValidator(_nothing), Field(ge=0, le=1e18, allow_inf_nan=False)]


class _Told(BaseModel):
    """What of fio's output is read; the rest is let be."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class Latency(_Told):
    """Latencies of one kind in ns."""

    min: Count = 0
    max: Count = 0
    mean: Number = 0.0
    samples: Count = Field(0, alias="N")
    percentile: dict[float, Count] = {}
    bins: dict[int, Count] = {}

    @model_validator(mode="before")
    @classmethod
    def _without_words(cls, value: Any) -> Any:
        """Leave out of percentiles and bins what is no number: some versions put words there."""
        if not isinstance(value, dict):
            return value
        kept = dict(value)
        for name in ("percentile", "bins"):
            table = kept.get(name)
            numbers = re.compile(r"\d{1,20}(\.\d{1,12})?", re.ASCII)
            if isinstance(table, dict):
                kept[name] = {key: item for key, item in table.items() if numbers.fullmatch(str(key))}
            elif table is None:
                kept.pop(name, None)
        return kept


class Half(_Told):
    """What was read, what was written, or what was trimmed."""

    io_bytes: Count = 0
    total_ios: Count = 0
    short_ios: Count = 0
    runtime_ms: Count = Field(0, alias="runtime")
    clat: Latency = Field(Latency(), alias="clat_ns")
    lat: Latency = Field(Latency(), alias="lat_ns")


class Syncs(_Told):
    """The calls of fsync and fdatasync."""

    total_ios: Count = 0
    lat: Latency = Field(Latency(), alias="lat_ns")


def _untold(job: Any) -> bool:
    """Tell whether a job had ``stats=0``: fio writes it with zeros, and without its name."""
    halves = [job.get(name) for name in ("read", "write", "trim")] if isinstance(job, dict) else []
    return bool(halves) and "jobname" not in job and all(_did_nothing(half) for half in halves)


def _did_nothing(half: Any) -> bool:
    return isinstance(half, dict) and half.get("total_ios") == 0


class JobResult(_Told):
    """A job, or a group of clones."""

    jobname: str
    hostname: str = ""
    groupid: int = 0
    error: int = 0
    options: dict[str, Any] = Field(default_factory=dict, alias="job options")
    read: Half
    write: Half
    trim: Half = Half()
    sync: Syncs = Syncs()
    usr_cpu: Number = 0.0
    sys_cpu: Number = 0.0
    job_runtime_ms: Count = Field(0, alias="job_runtime")

    @property
    def halves(self) -> tuple[Half, Half, Half]:
        """What was read, written and trimmed."""
        return self.read, self.write, self.trim


class Result(_Told):
    """One document of fio."""

    version: str = Field(alias="fio version")
    timestamp_s: Count = Field(0, alias="timestamp")
    options: dict[str, Any] = Field(default_factory=dict, alias="global options")
    jobs: tuple[JobResult, ...] = ()
    clients: tuple[JobResult, ...] = Field((), alias="client_stats")
    disks: tuple[dict[str, Any], ...] = Field((), alias="disk_util")

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        """Take the global options where they stand alone in a list, and leave out jobs that are not told."""
        if not isinstance(value, dict):
            return value
        plain = dict(value)
        if isinstance(found := value.get("global options"), list):
            plain["global options"] = found[0] if found else {}
        if isinstance(jobs := value.get("jobs"), list):
            plain["jobs"] = [job for job in jobs if not _untold(job)]
        return plain

    @property
    def of_iodyno(self) -> bool:
        """Whether iodyno wrote it: each of its jobs is one point then."""
        return self.version.startswith(_OURS)

    @property
    def all_jobs(self) -> tuple[JobResult, ...]:
        """Every job; of several clients without their sum."""
        return self.jobs or tuple(job for job in self.clients if job.jobname != "All clients")


def result_files(paths: Sequence[Path]) -> list[Path]:
    """List the files behind paths, each once: of a folder every one below it that ends in .json.

    Raises
    ------
    StoreError
        With every path that leads to none.
    """
    files: list[Path] = []
    problems: list[Problem] = []
    for path in paths:
        if path.is_dir():
            found = sorted(path.rglob("*.json"))
            files += found
            if not found:
                problems.append(Problem(str(path), "holds no file that ends in .json", _HINT))
        else:
            files.append(path)
    if problems:
        raise StoreError(*problems)
    once: dict[Path, Path] = {}
    for file in files:
        once.setdefault(file.resolve(), file)
    return list(once.values())


def read_results(path: Path) -> tuple[Result, ...]:
    """Read the documents of a file; of those about the same jobs only the last, which is complete.

    Raises
    ------
    StoreError
        If the file cannot be read or holds none that iodyno understands.
    """
    try:
        with path.open("rb") as file:
            found = file.read(_LOOKED_AT_BYTES)
            text = b"\0" not in found
            found += file.read(_MOST_BYTES + 1 - len(found)) if text else b""
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise StoreError.of(
            str(path), f"cannot be read: {reason.lower()}", "check the path and its permissions"
        ) from error
    if not text:
        raise StoreError.of(str(path), "holds no result of fio: it is no text", _HINT)
    if len(found) > _MOST_BYTES:
        raise StoreError.of(str(path), f"is above the limit of {format_size(_MOST_BYTES)}", _HINT)
    return parse_results(found.decode("utf-8", errors="replace"), str(path))


def parse_results(text: str, where: str) -> tuple[Result, ...]:
    """Read the documents in a text.

    Raises
    ------
    StoreError
        If there is none, or one is not what fio 3 writes.
    """
    kept: dict[tuple[Any, ...], Result] = {}
    for document in _documents(text):
        result = _result(document, where)
        key = tuple((job.jobname, job.groupid, job.hostname, str(job.options)) for job in result.all_jobs)
        kept.pop(key, None)
        kept[key] = result
    if not kept:
        raise StoreError.of(where, "holds no result of fio", _HINT)
    return tuple(kept.values())


def _documents(text: str) -> Iterator[dict[str, Any]]:
    """Yield every JSON object that begins a line, and let the text between them be."""
    text = _NOT_A_NUMBER.sub(" null", text)
    decoder, place = json.JSONDecoder(), 0
    while (match := _BEGINNING.search(text, place)) is not None:
        begin = match.end() - 1
        try:
            document, place = decoder.raw_decode(text, begin)
        except (ValueError, RecursionError):
            place = begin + 1
            continue
        if isinstance(document, dict) and ("fio version" in document or "jobs" in document):
            yield document


def _result(document: dict[str, Any], where: str) -> Result:
    version = str(document.get("fio version", ""))
    match = _VERSION.match(version)
    if not version.startswith(_OURS) and (not match or int(match[1]) < _LEAST_VERSION):
        said = f"was written by {version}" if version else "does not say which fio wrote it"
        hint = "fio 2 counted in µs and under other names: repeat the measurement with fio 3"
        raise StoreError.of(where, f"{said}: results of fio 3 and later can be imported", hint)
    if any("mixed" in job and "read" not in job for job in _jobs(document)):
        what = "reports reads, writes and trims as one: which is which is not in it"
        hint = "repeat the measurement with --unified_rw_reporting=none, or =both"
        raise StoreError.of(where, what, hint)
    try:
        result = Result.model_validate(document)
    except (ValidationError, RecursionError) as error:
        raise StoreError.of(where, f"is not as fio writes it: {_first(error)}", _HINT) from None
    if not result.all_jobs:
        raise StoreError.of(where, "holds no job: fio was ended before one did anything", _HINT)
    return result


def _jobs(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Give the jobs of a document before it is checked, and those of clients."""
    found = (document.get(name) for name in ("jobs", "client_stats"))
    return [job for jobs in found if isinstance(jobs, list) for job in jobs if isinstance(job, dict)]


def _first(error: ValidationError | RecursionError) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    first = error.errors(include_url=False)[0]
    return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg'].lower()}"
