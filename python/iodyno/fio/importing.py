"""From results of fio to a run: rates, latencies and what is known of how they came about."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from iodyno.errors import Problem, StoreError
from iodyno.fio.grouped import (
    MOST_WORKERS,
    is_sum,
    of_sum,
    tells_depth,
    with_depth,
    with_done_sizes,
    with_fewer_workers,
)
from iodyno.fio.imported import STUDY, Measured, file_bytes, paths_of, point_result
from iodyno.fio.jobs import Findings, Job
from iodyno.fio.lines import Setting
from iodyno.fio.loads import ENGINES, NEAR, Load, load_of
from iodyno.fio.operations import on_each_file, thought_otherwise
from iodyno.fio.options import ALONE, HONOURED, canonical, read_setting
from iodyno.fio.results import Half, JobResult, Result, read_results, result_files
from iodyno.fio.values import parse_size
from iodyno.plan import Plan
from iodyno.store.records import Run, StoredRun, ToolFacts
from iodyno.system import Fact, Section, System
from iodyno.system.host import NOT_TOLD
from iodyno.units import format_size


def import_results(
    paths: Sequence[Path],
    *,
    run_id: str,
    now: datetime,
    tool: ToolFacts,
    command: Sequence[str],
    title: str = "",
    skip_unreadable: bool = False,
) -> tuple[StoredRun, tuple[str, ...]]:
    """Make a run of results of fio.

    Parameters
    ----------
    paths
        Files, and folders with files below them, such as bench-fio makes.
    run_id, now, tool, command
        What the run's record needs.
    title
        Title of the run; made of the version of fio where empty.
    skip_unreadable
        Leave out files that hold no result that can be read, as long as one does: the run's source names
        them.

    Returns
    -------
    tuple
        The run, every point in it, and what was left out.

    Raises
    ------
    StoreError
        With every file that holds no result that can be read.
    """
    found, notes, problems = _read(result_files(paths))
    if problems and not (found and skip_unreadable):
        raise StoreError(*(_with_the_option(problem) if found else problem for problem in problems))
    left_out = [{"file": Path(problem.where).name, "why": problem.what} for problem in problems]
    notes += [f"{problem.where} {problem.what}: left out" for problem in problems]
    if not found:
        hint = "syncs alone are not imported"
        raise StoreError.of(", ".join(map(str, paths)), "holds no job that reads, writes or trims", hint)
    versions = list(dict.fromkeys(item.result.version for item in found))
    measured = _named(found)
    results = tuple(point_result(index, item) for index, item in enumerate(measured))
    names = {item.name: item.load.profile.title for item in measured}
    run = Run(
        id=run_id,
        started_at=now.isoformat(timespec="seconds"),
        finished_at=now.isoformat(timespec="seconds"),
        status="finished",
        plan=Plan(
            study=STUDY,
            title=title or f"Results of {' and '.join(versions)}",
            seed=0,
            points=tuple(result.point for result in results),
            study_source={
                "sweep": [{"name": STUDY, "title": "Imported jobs"}],
                "fio": [_options_of(item) for item in measured],
                "profiles": names,
                **({"left_out": left_out} if left_out else {}),
            },
        ),
        tool=tool,
        system=_system(measured),
        command=tuple(command),
        imported=", ".join(versions),
    )
    return StoredRun(run=run, results=results), tuple(notes)


def _with_the_option(problem: Problem) -> Problem:
    """Hint at the option that imports the other files."""
    return replace(problem, hint=f"{problem.hint}, or leave it out with --skip-unreadable")


def _read(files: Sequence[Path]) -> tuple[list[Measured], list[str], list[Problem]]:
    problems: list[Problem] = []
    notes: list[str] = []
    found: list[Measured] = []
    for file in files:
        try:
            results = read_results(file)
        except StoreError as error:
            problems += error.problems
            continue
        for result in results:
            for jobs in _groups(result):
                if any(half.total_ios for half in jobs[0].halves) or jobs[0].error:
                    item = _measured(jobs, result, file)
                    notes += [*_notes_of_grouping(item), *_notes_of_verifying(item), *_notes_of_load(item)]
                    found.append(_without_verifying(item))
                else:
                    notes.append(f"{file}: {jobs[0].jobname} neither read nor wrote nor trimmed: left out")
    return found, notes, problems


def _groups(result: Result) -> list[tuple[JobResult, ...]]:
    """Put the clones of a job together: they ran at once, and fio lists each where it does not group.

    What has other options is no clone: jobs may have one name.
    """
    groups: dict[tuple[Any, ...], list[JobResult]] = {}
    for job in result.all_jobs:
        options = tuple(sorted((name, str(value)) for name, value in job.options.items()))
        groups.setdefault((job.jobname, job.groupid, job.hostname, options), []).append(job)
    return [tuple(jobs) for jobs in groups.values()]


def _measured(jobs: tuple[JobResult, ...], result: Result, file: Path) -> Measured:
    first = jobs[0]
    kb_base = 1000 if _told(result, first, "kb_base") == "1000" else 1024
    own = {canonical(str(name)) for name in first.options}
    values = {name: value for name, value in _values(result.options, kb_base).items() if name not in own}
    values |= _values(first.options, kb_base)
    by_order = _told(result, first, "bs_is_seq_rand") != "0"
    one = len(jobs) == 1 and not result.of_iodyno
    whole = one and is_sum(first, values, verifies=_verify(result, first), by_order=by_order)
    if whole:
        values = of_sum(first, values, own, _guessed(jobs))
    if whole or by_order or "rw" not in values:
        values = with_done_sizes(first, values)
    rw = values.get("rw", (_guessed(jobs), 1))[0]
    if rw in ("trimwrite", "randtrimwrite"):
        rw = rw.replace("trim", "")
    values["rw"] = (rw, values.get("rw", ("", 1))[1])
    engine = values.get("ioengine", "psync")
    load, otherwise = _load(first, {**values, "ioengine": _nearest(engine)}, file)
    load = _with_trims(with_depth(load, first) if whole else load, jobs)
    load, otherwise = _on_its_files(load, values, otherwise)
    if load.workers > MOST_WORKERS:
        load, told = with_fewer_workers(load)
        otherwise = (*otherwise, told)
    name = _profile_name(values, load) + ("-grouped" if whole else "")
    options = {**values, "ioengine": engine}
    return Measured(jobs, result, file, load, options, name, grouped=whole, otherwise=otherwise)


def _on_its_files(
    load: Load, values: dict[str, Any], otherwise: tuple[str, ...]
) -> tuple[Load, tuple[str, ...]]:
    """Let workers think after as many accesses to each file as to all of them together."""
    files, every = len(values.get("filename", ("",))), load.profile.think_every
    profile = on_each_file(load.profile, files)
    if profile.think_every * files != every and profile is not load.profile:
        each = f"{profile.think_every} on each"
        otherwise = (*otherwise, f"thinktime_blocks={every} over {files} files: {each}")
    return replace(load, profile=profile), otherwise


def _nearest(engine: str) -> str:
    """Give the engine of fio that iodyno has and that is nearest to another."""
    ours = NEAR.get(engine, "aio")
    return engine if engine in ENGINES else next(name for name, known in ENGINES.items() if known == ours)


def _load(first: JobResult, values: dict[str, Any], file: Path) -> tuple[Load, tuple[str, ...]]:
    """Find the load of a job, and what of it is shown otherwise than it was: block sizes that iodyno has not
    are the mean of what was done."""
    findings = Findings()
    job = Job(first.jobname, str(file), values, {})
    part = file_bytes(values, max(values.get("nrfiles", 1), len(values.get("filename", ())))) or None
    load = load_of(job, "imported", part, findings)
    if load is None:
        sizes: dict[str, Any] = {name: {} for name in ("bs", "bssplit", "bsrange", "ba")}
        job = replace(job, values=with_done_sizes(first, {**values, **sizes}))
        load = load_of(job, "imported", part, Findings())
    assert load is not None, "reads, writes or trims of one block size are always a load"
    thought = thought_otherwise(job, load.outstanding)
    told = (problem.what for problem in findings.problems)
    return load, (*told, *([thought] if thought else []))


def _notes_of_grouping(item: Measured) -> Iterator[str]:
    if item.grouped:
        what = "several jobs that fio reported as one: only their sum is known"
        if not tells_depth(item.jobs[0]):
            what += ", and the depth is that of the last, as not all I/Os were timed"
        hint = "repeat the measurement without group_reporting, or with new_group in each job"
        yield f"{item.file}: {item.jobs[0].jobname}: {what}; {hint}"


def _notes_of_load(item: Measured) -> Iterator[str]:
    for what in dict.fromkeys((*item.otherwise, *_notes_of_depth(item))):
        yield f"{item.file}: {item.jobs[0].jobname}: not shown as it was: {what}"


def _notes_of_depth(item: Measured) -> Iterator[str]:
    """Tell of a depth that is not shared out evenly over files: in iodyno each has its own."""
    depth, count = item.load.outstanding, len(paths_of(item))
    if depth % count:
        each = max(1, depth // count)
        yield f"iodepth={depth} over {count} files: {each} on each, {each * count} in all"


def _notes_of_verifying(item: Measured) -> Iterator[str]:
    reads, where = sum(job.read.total_ios for job in item.jobs), f"{item.file}: {item.jobs[0].jobname}"
    if _only_verifies(item):
        yield f"{where}: {reads:,} reads verified what was written: left out"
    elif reads and item.load.profile.writes and _verifies(item):
        yield f"{where}: reads that verified what was written are counted among its reads"


def _verifies(item: Measured) -> bool:
    return _verify(item.result, item.jobs[0])


def _verify(result: Result, job: JobResult) -> bool:
    return _told(result, job, "verify") not in ("0", "none") and _told(result, job, "do_verify", "1") != "0"


def _told(result: Result, job: JobResult, name: str, usual: str = "0") -> str:
    """Give an option as fio repeats it."""
    return str({**result.options, **job.options}.get(name, usual))


def _only_verifies(item: Measured) -> bool:
    """Tell whether its load reads nothing, so that what was read verified what was written."""
    return _verifies(item) and not item.load.profile.reads and any(job.read.total_ios for job in item.jobs)


def _without_verifying(item: Measured) -> Measured:
    """Take out the reads of the verification, and the processor time, which was spent on both."""
    if not _only_verifies(item):
        return item
    nothing = {"read": Half(), "usr_cpu": 0.0, "sys_cpu": 0.0}
    return replace(item, jobs=tuple(job.model_copy(update=nothing) for job in item.jobs))


def _with_trims(load: Load, jobs: Sequence[JobResult]) -> Load:
    """Give a load of reads and writes the share of trims that was counted beside them."""
    done = [
        sum(half.total_ios for half in halves) for halves in zip(*(job.halves for job in jobs), strict=True)
    ]
    if load.profile.trim_share or not done[-1]:
        return load
    share = round(done[-1] / sum(done), 3)
    return replace(load, profile=load.profile.model_copy(update={"trim_share": share}))


def _values(told: dict[str, Any], kb_base: int) -> dict[str, Any]:
    """Read the options that fio repeats in its result; one that cannot be read is as if not told."""
    values: dict[str, Any] = {}
    for key, value in told.items():
        name = canonical(str(key))
        text = "1" if value in (None, "") and name in ALONE else str(value)
        if name in HONOURED:
            try:
                values[name] = _read_value(name, text, kb_base)
            except ValueError:
                continue
    return values


def _read_value(name: str, text: str, kb_base: int) -> Any:
    """Read an option; fio has more clones than a job file may ask for here."""
    if name == "numjobs":
        return max(1, parse_size(text, kb_base))
    return read_setting(Setting(name, text, ""), kb_base)


def _guessed(jobs: Sequence[JobResult]) -> str:
    """Tell the direction from what was done."""
    reads, writes, trims = (any(half.total_ios for half in halves)
                            for halves in zip(*(job.halves for job in jobs), strict=True))  # fmt: skip
    return "rw" if reads and writes else "write" if writes else "trim" if trims and not reads else "read"


def _profile_name(values: dict[str, Any], load: Load) -> str:
    blocks = [*load.profile.blocks[:3], *load.profile.write_blocks[:3]]
    sizes = "-".join(format_size(block.bytes).lower() for block in blocks)
    mixed = (
        f"-r{load.profile.read_share * 100:g}".replace(".", "-") if 0 < load.profile.read_share < 1 else ""
    )
    return f"{values['rw'][0]}-{sizes}{mixed}"


def _named(found: Sequence[Measured]) -> list[Measured]:
    """Number jobs whose load looks alike and is not, or that have the same one on the same target.

    Jobs of one name differ in nothing but how much they have outstanding, or in what is told beside it.
    """
    taken: dict[str, tuple[Hashable, set[Hashable]]] = {}
    named = []
    for item in found:
        asked, much = _asked(item), _how_much(item)
        for number in range(1, len(found) + 1):
            name = item.name if number == 1 else f"{item.name}-{number}"
            what, loads = taken.setdefault(name, (asked, set()))
            if what == asked and much not in loads:
                loads.add(much)
                break
        named.append(replace(item, name=name))
    titles, descriptions = _titles(named), _descriptions(named)
    return [_titled(item, titles[item.name], descriptions[item.name]) for item in named]


def _asked(item: Measured) -> Hashable:
    """Give what only a name tells apart: all of a load but how much there is of it, and where it begins."""
    profile = item.load.profile.model_copy(update={"name": "", "title": "", "stands_for": ""})
    opened = tuple(item.load.opened.get(name, False) for name in ("write_through", "cold_cache"))
    return profile, opened, str(item.values.get("offset", 0))


def _how_much(item: Measured) -> Hashable:
    return paths_of(item), item.load.outstanding, item.load.workers, item.load.rate_io_s


def _titles(named: Sequence[Measured]) -> dict[str, str]:
    """Title each load as its job was named, where jobs have names of their own; else as what it does."""
    jobs_of: dict[str, set[str]] = {}
    names_of: dict[str, set[str]] = {}
    for item in named:
        jobs_of.setdefault(item.name, set()).add(item.called)
        names_of.setdefault(item.called, set()).add(item.name)
    plain = {name: name.replace("-grouped", ", …").replace("-", " ") for name in jobs_of}
    titles = dict(plain)
    for name, jobs in jobs_of.items():
        job = next(iter(jobs))
        alone = len(jobs) == 1 and len(names_of) > 1 and names_of[job] == {name}
        if alone and job not in plain.values():
            titles[name] = job
    return titles


def _descriptions(named: Sequence[Measured]) -> dict[str, str]:
    """Describe each load as its jobs are: not at all where they are described in several ways."""
    found: dict[str, set[str]] = {}
    for item in named:
        found.setdefault(item.name, set()).add(item.load.profile.stands_for)
    return {name: texts.pop() if len(texts) == 1 else "" for name, texts in found.items()}


def _titled(item: Measured, title: str, description: str) -> Measured:
    told = {"name": item.name, "title": title, "stands_for": description}
    profile = item.load.profile.model_copy(update=told)
    return replace(item, load=replace(item.load, profile=profile))


def _options_of(item: Measured) -> dict[str, Any]:
    return {
        "file": item.file.name,
        "job": item.jobs[0].jobname,
        "profile": item.name,
        "options": {**item.result.options, **item.jobs[0].options},
    }


def _system(found: Sequence[Measured]) -> System:
    """Tell of the machine what the results tell: hardly anything."""
    hosts = dict.fromkeys(job.hostname for item in found for job in item.jobs if job.hostname)
    disks = dict.fromkeys(
        str(disk["name"]) for item in found for disk in item.result.disks if disk.get("name")
    )
    engines = dict.fromkeys(str(item.values["ioengine"]) for item in found)
    versions = dict.fromkeys(item.result.version for item in found)
    told = {
        "imported_tool": versions,
        "imported_engines": engines,
        "imported_hosts": hosts,
        "imported_disks": disks,
    }
    facts = tuple(
        Fact(code=code, value=", ".join(names)) if names else Fact(code=code, missing=NOT_TOLD)
        for code, names in told.items()
    )
    return System(sections=(Section(code="imported", facts=facts),))
