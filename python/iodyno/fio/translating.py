"""From a job file to studies: one for each job, and one of all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from iodyno.fio.delays import apart, delay_s, refuse_ranges, say_parts
from iodyno.fio.jobs import Findings, Job, read_jobs
from iodyno.fio.loads import Load, load_of, profile_name
from iodyno.fio.operations import on_each_file, say_what_each_file_counts
from iodyno.fio.places import Place, place_of
from iodyno.fio.together import ALL_AT_THE_START, JobStudy, joined, title_of
from iodyno.fio.waiting import groups_of
from iodyno.profiles import Area, LoadProfile
from iodyno.study import FileOptions, Measurement, Study, Sweep
from iodyno.study.planning import LEAST_EXTENT_BYTES
from iodyno.units import format_size


@dataclass(frozen=True)
class Translated:
    """A job file in iodyno's terms."""

    jobs: tuple[JobStudy, ...]
    """In the order in which they are measured: one after the other."""
    notes: tuple[str, ...]
    """What is done otherwise than fio does it, each with its place."""

    @property
    def study(self) -> Study:
        """All jobs as one study: what a paper is made from, and what a simulation takes."""
        first = self.jobs[0].study
        return first.model_copy(
            update={
                "profile": tuple(profile for job in self.jobs for profile in job.study.profile),
                "sweep": tuple(sweep for job in self.jobs for sweep in job.study.sweep),
            }
        )


def translate(
    path: Path,
    targets: Sequence[str] = (),
    *,
    only: Sequence[str] = (),
    size: int | None = None,
    area: Area | None = None,
    approximate: bool = False,
    real: bool = True,
    environment: Mapping[str, str] | None = None,
) -> Translated:
    """Translate a job file of fio.

    Parameters
    ----------
    path
        The job file.
    targets
        Folders for the files of the jobs, or files and devices instead of them.
    only
        Names of jobs to take, or what jobs at once are called together; all where none is given.
    size
        Size in bytes of each file instead of what the jobs say.
    area
        Part of each file that is asked for beside its size: a job that accesses that part keeps it.
    approximate
        Whether to go on without what is not honoured.
    real
        Whether real targets answer; virtual ones are those of a configuration.
    environment
        Values of ``${NAME}``; those of this process where left out.

    Raises
    ------
    ProfileError
        With every option that is not honoured or cannot be read, and where it stands.
    """
    findings = Findings(approximate, real)
    jobs = read_jobs(path, findings, environment)
    groups = _chosen(groups_of(jobs, findings), only, findings)
    _in_turn(groups, findings)
    taken: set[str] = set()
    made: list[JobStudy] = []
    for group, part in _parts(groups, findings):
        studies = [
            _study(path, job, load, place, findings)
            for job in part
            for place in [_place(job, targets, size, area, findings, alone=len(group) == 1)]
            for load in [load_of(job, profile_name(job.name, taken), place.part_bytes(job), findings)]
            if load
        ]
        made += joined(part, studies, findings)
    findings.stop()
    notes = tuple(dict.fromkeys(findings.notes))
    described = [_with_notes(_from_whole_blocks(job), path, notes) for job in _verified_alike(made)]
    return Translated(tuple(described), notes)


def _place(
    job: Job, targets: Sequence[str], size: int | None, area: Area | None, findings: Findings, *, alone: bool
) -> Place:
    """Find the files of a job; what is the job's own area of a file of another size is no change of it."""
    own = place_of(job, targets, None, Findings(), alone=alone)
    if size is None or own.area != area:
        return place_of(job, targets, size, findings, alone=alone)
    return replace(place_of(job, targets, None, findings, alone=alone), file_bytes=size)


def _chosen(
    groups: Sequence[Sequence[Job]], only: Sequence[str], findings: Findings
) -> list[tuple[Job, ...]]:
    names = [job.name for group in groups for job in group]
    together = {title_of([job.name for job in group]): group for group in groups}
    together |= {title_of([job.name for job in part]): part for group in groups for part in apart(group)}
    for name in only:
        if name not in names and name not in together:
            findings.refuse("--profile", f'there is no job "{name}"', f"the jobs are {', '.join(names)}")
    wanted = {job.name for title, jobs in together.items() if title in only for job in jobs} | set(only)
    return [tuple(job for job in group if not only or job.name in wanted) for group in groups]


def _parts(
    groups: Sequence[tuple[Job, ...]], findings: Findings
) -> Iterator[tuple[tuple[Job, ...], tuple[Job, ...]]]:
    """Yield each group with those of its jobs that run at once: delays can keep them apart."""
    for group in groups:
        if len(group) > 1:
            refuse_ranges(group, findings)
        parts = apart(group)
        say_parts(parts, findings)
        yield from ((group, part) for part in parts)


def _in_turn(groups: Sequence[Sequence[Job]], findings: Findings) -> None:
    for job in (job for group in groups if len(group) == 1 for job in group):
        if delay_s(job):
            findings.note(
                job.place_of("startdelay"), "the delay is left out: jobs are measured one after the other"
            )


def _study(path: Path, job: Job, load: Load, place: Place, findings: Findings) -> JobStudy:
    outstanding = _shared_out(job, load, place, findings)
    title = path.stem if job.name == path.stem else f"{path.stem}: {job.name}"
    sweep: dict[str, Any] = {
        "name": load.profile.name, "title": job.name, "description": job.get("description", ""),
        "profiles": [load.profile.name], "workers": [load.workers], "outstanding": [outstanding],
    }  # fmt: skip
    if load.rate_io_s:
        sweep |= {"rate_io_s": [load.rate_io_s], "arrival": load.arrival}
    files = len(place.paths)
    say_what_each_file_counts(job, load.profile, files, findings)
    profile: LoadProfile = on_each_file(load.profile, files).model_copy(update={"area": place.area})
    _say_where_it_begins(job, profile, findings)
    _say_where_clones_begin(job, profile, place, findings)
    study = Study.model_construct(
        name=_study_name(path),
        title=title,
        measurement=_measurement(job, load, findings, own=place.own),
        file=FileOptions.model_construct(size=place.file_bytes or FileOptions().size),
        profile=(profile,),
        sweep=(Sweep.model_validate(sweep),),
    )
    jobs = ((profile.name, job),)
    return JobStudy(job.name, job.place, study, place.paths, place.file_bytes, jobs=jobs)


def _say_where_it_begins(job: Job, profile: LoadProfile, findings: Findings) -> None:
    """Say that an area begins with a whole block here, and at any byte in fio."""
    start, grain = profile.area.start, profile.grain_bytes
    if isinstance(start, int) and start >= LEAST_EXTENT_BYTES and start % grain:
        what = f"the area begins at {format_size(start // grain * grain)}, a multiple of {format_size(grain)}"
        findings.note(
            job.place_of("offset"), f"{what}; fio begins at the offset, and its blocks lie from there on"
        )


def _say_where_clones_begin(job: Job, profile: LoadProfile, place: Place, findings: Findings) -> None:
    """Say that clones in order begin apart from each other, and that parts of clones are whole blocks."""
    clones, where = job.get("numjobs", 1), job.place_of("numjobs")
    if clones == 1:
        return
    if not (place.own or profile.random):
        findings.note(where, f"the {clones} clones begin at equal distances; {ALL_AT_THE_START}")
    part, grain = place.part_bytes(job), profile.grain_bytes
    if place.own and part and part % grain:
        of = f"{format_size(part // grain * grain)}, a multiple of {format_size(grain)}"
        findings.note(where, f"the part of each clone has {of}; those of fio have {format_size(part)}")


def _study_name(path: Path) -> str:
    return re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-") or "job"


def _shared_out(job: Job, load: Load, place: Place, findings: Findings) -> int:
    """Share the depth of a clone out over its files: in iodyno each target has its own."""
    count = len(place.paths)
    if load.outstanding % count == 0:
        if count > 1:
            what = f"{load.outstanding // count} I/Os are kept outstanding on each of {count} files"
            findings.note(job.place_of("filename", "nrfiles"), what)
        return load.outstanding // count
    what = f"iodepth={load.outstanding} cannot be shared out evenly over {count} files"
    if load.rate_io_s is None:
        findings.refuse(
            job.place_of("iodepth", "filename", "nrfiles"), what, f"take a multiple of {count} as iodepth"
        )
    each = max(1, load.outstanding // count)
    findings.note(job.place_of("iodepth", "filename", "nrfiles"), f"{what}: at most {each} on each")
    return each


def _measurement(job: Job, load: Load, findings: Findings, *, own: bool) -> Measurement:
    usual = Measurement()
    runtime, ramp, timed = job.get("runtime", 0.0), job.get("ramp_time"), bool(job.get("time_based"))
    if timed and not runtime:
        findings.refuse(job.place_of("time_based"), "time_based needs a runtime", "add runtime=60")
    if job.get("randrepeat", True) is False:
        what = "offsets are the same in each run: --seed changes them"
        findings.note(job.place_of("randrepeat"), what)
    values: dict[str, Any] = {"engine": load.engine, "direct": load.direct, **load.opened}
    if own:
        values["workers_area"] = "own"
    if job.get("verify", "0") not in ("0", "none"):
        what = f"verify={job.get('verify')}: iodyno stamps, checks and reads again in its own way"
        findings.note(job.place_of("verify"), what)
        values["verify"] = True
    if "randseed" in job.values:
        values["seed"] = job.get("randseed")
    cap = runtime or usual.cap_s
    if timed and runtime:
        values |= {"warmup_s": ramp or 0.0, "floor_s": cap, "cap_s": cap}
    else:
        _say_how_long(job, runtime, findings)
        floor = min(usual.floor_s, cap)
        values |= {"warmup_s": usual.warmup_s if ramp is None else ramp, "floor_s": floor, "cap_s": cap}
    return Measurement.model_construct(**{**usual.model_dump(), **values})


def _say_how_long(job: Job, runtime: float, findings: Findings) -> None:
    """Say that a job that fio ends after so many bytes is ended by time here."""
    most = f"at most for {runtime:g} s" if runtime else f"at most for {Measurement().cap_s:g} s"
    what = f"the job is measured until its rate is known, {most}, and not until so many bytes are done"
    findings.note(job.place_of("io_size", "loops", "size", "runtime"), what)


def _verified_alike(jobs: Sequence[JobStudy]) -> list[JobStudy]:
    """Verify every job where one asks for it: what one writes without stamps is no loss of another's data."""
    if not any(job.study.measurement.verify for job in jobs):
        return list(jobs)
    stamped = [job.study.measurement.model_copy(update={"verify": True}) for job in jobs]
    return [
        replace(job, study=job.study.model_copy(update={"measurement": measurement}))
        for job, measurement in zip(jobs, stamped, strict=True)
    ]


def _from_whole_blocks(job: JobStudy) -> JobStudy:
    """Let areas that are to begin inside the first block begin with it: what a study refuses, fio takes."""
    profiles = tuple(
        profile.model_copy(update={"area": profile.area.model_copy(update={"start": 0.0})})
        if isinstance(start := profile.area.start, int) and LEAST_EXTENT_BYTES <= start < profile.grain_bytes
        else profile
        for profile in job.study.profile
    )
    return replace(job, study=job.study.model_copy(update={"profile": profiles}))


def _with_notes(job: JobStudy, path: Path, notes: tuple[str, ...]) -> JobStudy:
    """Keep the notes with the study: they are part of what was measured."""
    said = "".join(f"\n- {note}" for note in notes)
    text = f"Made from the fio job file {path.name}." + (f" Otherwise than fio:{said}" if said else "")
    study = job.study.model_copy(update={"description": text})
    return replace(job, study=study)
