"""Jobs that run at once: those that ask the same of their files are one load on all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from iodyno.fio.delays import Common, common_of, refuse_nothing_common, say_common
from iodyno.fio.jobs import Findings, Job
from iodyno.profiles import Area, LoadProfile
from iodyno.study import Beside, Measurement, Study

_OF_THE_MEASUREMENT = (
    "ioengine", "direct", "buffered", "runtime", "ramp_time", "time_based", "sync", "hipri", "cpus_allowed",
    "invalidate",
)  # fmt: skip
"""Options that say how a point is measured: of loads at once they are the same."""
_NAMED = 3
"""Names of jobs that a title writes out."""
_MOST_WORKERS = 1024
ALL_AT_THE_START = "fio's all begin at the start, and each asks for what the others do"


@dataclass(frozen=True)
class JobStudy:
    """A job, or several that run at once, as a study with its own targets."""

    name: str
    """Name of the job as the file has it; of several all names."""
    place: str
    study: Study
    paths: tuple[str, ...]
    file_bytes: int | None
    """Size of each file if it has to be made; none where the job does not say."""
    sizes: tuple[int | None, ...] = ()
    """The same of each path, where loads at once need files of different sizes."""
    jobs: tuple[tuple[str, Job], ...] = ()
    """The jobs, each with the name of the profile that is made of it."""

    def bytes_of(self, path: str) -> int | None:
        """Give the size of a file if it has to be made; none where the job does not say."""
        return self.sizes[self.paths.index(path)] if self.sizes else self.file_bytes

    @property
    def altered(self) -> frozenset[str]:
        """Paths of what it writes or trims."""
        (sweep,), profiles = self.study.sweep, {profile.name: profile for profile in self.study.profile}
        loads = [(sweep.profiles[0], sweep.targets), *((load.profile, load.targets) for load in sweep.beside)]
        return frozenset(
            self.paths[place]
            for name, targets in loads
            if profiles[name].alters
            for place in range(len(self.paths))
            if not isinstance(targets, tuple) or place + 1 in targets
        )

    @property
    def load(self) -> tuple[object, ...]:
        """What it asks, but for its names, its area and its seed."""
        (profile,), (sweep,) = self.study.profile, self.study.sweep
        named = {"name": "", "title": "", "stands_for": "", "area": Area()}
        return (
            profile.model_copy(update=named), self.study.measurement.model_copy(update={"seed": 0}),
            sweep.outstanding, sweep.workers, sweep.rate_io_s, sweep.arrival, len(self.paths),
        )  # fmt: skip

    @property
    def measured(self) -> Measurement:
        """How it is measured: what all loads of a point have in common."""
        return self.study.measurement.model_copy(
            update={"seed": 0, "verify": False, "workers_area": "shared", "targets_per_worker": None}
        )

    @property
    def area(self) -> Area:
        """The area that it accesses of each of its files."""
        (profile,) = self.study.profile
        return profile.area


def title_of(names: Sequence[str]) -> str:
    """Say what jobs at once are called together.

    Examples
    --------
    >>> title_of(["a", "b"]), title_of(["a", "b", "c", "d", "e"])
    ('a, b', 'a, b, c and 2 more')
    """
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def joined(jobs: Sequence[Job], studies: Sequence[JobStudy], findings: Findings) -> tuple[JobStudy, ...]:
    """Make one load of jobs that run at once.

    Parameters
    ----------
    jobs
        The jobs of a group.
    studies
        What each comes to by itself.
    findings
        Takes why they cannot be one load; on request each is measured for itself then.

    Returns
    -------
    tuple of JobStudy
        One, where all ask the same: of files of their own, of the same files, or of parts of one file that
        follow each other.
    """
    if len(jobs) < 2 or len(jobs) != len(studies):
        return tuple(studies)
    common = common_of(jobs)
    if common.ends_s <= common.counts_s:
        refuse_nothing_common(jobs, findings)
        return tuple(studies)
    timed = all(job.get("time_based") for job in jobs)
    if timed or len({(job.get("time_based"), job.get("runtime")) for job in jobs}) == 1:
        studies = [_in_common(study, common, timed=timed) for study in studies]
    first, first_job = studies[0], jobs[0]
    for job, study in zip(jobs[1:], studies[1:], strict=True):
        if study.measured != first.measured:
            differing = _differing(job, first_job, timed=timed)
            _refuse(job, first_job, f"differs in {differing}", findings)
    if findings.problems or any(study.measured != first.measured for study in studies):
        return tuple(studies)
    alike = all(study.load == first.load for study in studies) and not any(common.begins_s)
    changes = _targets(studies, real=findings.real) if alike else None
    if not findings.problems:
        _say(jobs, findings, one=changes is not None)
        if changes and "workers" in changes and "area" not in changes and not first.study.profile[0].random:
            findings.note(jobs[0].place, f"they begin at equal distances; {ALL_AT_THE_START}")
        _say_when(jobs, common, findings)
    return (_one(studies, changes) if changes else _beside(studies, common.begins_s),)


def _in_common(study: JobStudy, common: Common, *, timed: bool) -> JobStudy:
    """Give a job the time that all at once have in common: with ``time_based`` exactly that, else at most."""
    asked, counted = study.study.measurement, round(common.ends_s - common.counts_s, 6)
    if timed:
        warmup = round(common.counts_s - max(common.begins_s), 6)
        times = {"warmup_s": warmup, "floor_s": counted, "cap_s": counted}
    else:
        times = {"floor_s": min(asked.floor_s, counted), "cap_s": min(asked.cap_s, counted)}
    measurement = asked.model_copy(update=times)
    return replace(study, study=study.study.model_copy(update={"measurement": measurement}))


def _say_when(jobs: Sequence[Job], common: Common, findings: Findings) -> None:
    """Say what of the time of jobs counts, where that is not all of each."""
    times = {(job.get("startdelay"), job.get("ramp_time"), job.get("runtime")) for job in jobs}
    if len(times) > 1 or jobs[0].get("startdelay"):
        say_common(jobs, common, findings)


def _refuse(job: Job, first: Job, why: str, findings: Findings) -> None:
    what = f"[{job.name}] would run at once with [{first.name}] and {why}: one point is measured in one way"
    if findings.approximate:
        findings.note(job.place, f"{what}; they are measured one after the other, on request")
    else:
        hint = (
            "give them the same values, add stonewall, or give --approximate to measure them one "
            "after the other"
        )
        findings.refuse(job.place, what, hint)


def _differing(job: Job, first: Job, *, timed: bool) -> str:
    """Name the options that have other values, as the file has them."""
    of_time = {"runtime", "ramp_time"} if timed else set()
    names = [name for name in _OF_THE_MEASUREMENT if name not in of_time]
    found = [name for name in names if job.get(name) != first.get(name)]
    return ", ".join(found) or "what it does"


def _say(jobs: Sequence[Job], findings: Findings, *, one: bool) -> None:
    names = ", ".join(f"[{job.name}]" for job in jobs)
    are = "they are one load" if one else "each is a load of one point"
    findings.note(jobs[0].place, f"{names} run at once: {are}, and end together")


def _targets(studies: Sequence[JobStudy], *, real: bool) -> dict[str, Any] | None:
    """Find how several jobs share out files and workers; none where files overlap in part, and of virtual
    volumes that are to stand for files: each load names those of its own then.

    Gives ``paths``, ``workers`` and, of the measurement and the profile, what changes.
    """
    paths = [study.paths for study in studies]
    every = [path for some in paths for path in some]
    (workers,) = studies[0].study.sweep[0].workers
    areas = [study.area for study in studies]
    alike = len(set(areas)) == 1
    if alike and len(set(every)) == len(every):
        if not real:
            return None
        return {"paths": tuple(every), "measurement": {"targets_per_worker": len(paths[0])}}
    if len(set(paths)) > 1 or workers * len(studies) > _MOST_WORKERS:
        return None
    if alike and studies[0].study.measurement.workers_area == "shared":
        return {"paths": paths[0], "workers": workers * len(studies)}
    whole = None if alike else _whole(areas)
    if whole is None or workers > 1:
        return None
    return {"paths": paths[0], "workers": len(studies), "area": whole, "measurement": {"workers_area": "own"}}


def _whole(areas: Sequence[Area]) -> Area | None:
    """Put areas of one length together that follow each other; none where they do not."""
    start, length = areas[0].start, areas[0].length
    for place, area in enumerate(areas):
        follows = abs(area.start - (start + place * length)) < 1e-9
        if area.length != length or type(area.length) is not type(length) or not follows:
            return None
    whole = length * len(areas)
    return Area.model_construct(start=start, length=min(whole, 1.0) if isinstance(whole, float) else whole)


def _beside(studies: Sequence[JobStudy], begins_s: Sequence[float]) -> JobStudy:
    """Make one point of jobs that ask different things: the first load, and the others beside it."""
    first = studies[0]
    paths = tuple(dict.fromkeys(path for study in studies for path in study.paths))
    numbers = [tuple(paths.index(path) + 1 for path in study.paths) for study in studies]
    title = title_of([study.name for study in studies])
    rest = zip(studies[1:], numbers[1:], begins_s[1:], strict=True)
    others = tuple(_as_beside(*one) for one in rest)
    (sweep,) = first.study.sweep
    asked = {
        "title": title, "targets": numbers[0], "beside": others, "begins_after_s": begins_s[0],
        "workers_area": (first.study.measurement.workers_area,), "order": (*sweep.order, "workers_area"),
    }  # fmt: skip
    study = first.study.model_copy(
        update={
            "title": f"{first.study.title.partition(': ')[0]}: {title}",
            "profile": tuple(profile for study in studies for profile in study.study.profile),
            "sweep": (sweep.model_copy(update=asked),),
        }
    )
    needed = [[of for of in studies if path in of.paths] for path in paths]
    sizes = tuple(_most_bytes(users) for users in needed)
    most = _most_bytes(studies)
    jobs = tuple(pair for study in studies for pair in study.jobs)
    return replace(first, name=title, study=study, paths=paths, file_bytes=most, sizes=sizes, jobs=jobs)


def _as_beside(study: JobStudy, numbers: tuple[int, ...], begins_s: float) -> Beside:
    (sweep,), (profile,) = study.study.sweep, study.study.profile
    return Beside(
        profile=profile.name,
        targets=numbers,
        outstanding=sweep.outstanding[0],
        workers=sweep.workers[0],
        workers_area=study.study.measurement.workers_area,
        rate_io_s=sweep.rate_io_s[0] if sweep.rate_io_s else None,
        arrival=sweep.arrival,
        begins_after_s=begins_s,
    )


def _most_bytes(studies: Sequence[JobStudy]) -> int | None:
    """Give the size of files that have room for each job; none where one does not say."""
    sizes = [study.file_bytes for study in studies]
    return None if None in sizes else max(size for size in sizes if size is not None)


def _one(studies: Sequence[JobStudy], changes: dict[str, Any]) -> JobStudy:
    first = studies[0]
    (profile,), (sweep,) = first.study.profile, first.study.sweep
    title = title_of([study.name for study in studies])
    load: LoadProfile = profile.model_copy(update={"title": title, "area": changes.get("area", profile.area)})
    asked: dict[str, Any] = {"title": title, "workers": (changes.get("workers", sweep.workers[0]),)}
    if sweep.rate_io_s:
        asked["rate_io_s"] = (sweep.rate_io_s[0] * len(studies),)
    study = first.study.model_copy(
        update={
            "title": f"{first.study.title.partition(': ')[0]}: {title}",
            "measurement": first.study.measurement.model_copy(update=changes.get("measurement", {})),
            "profile": (load,),
            "sweep": (sweep.model_copy(update=asked),),
        }
    )
    most, jobs = _most_bytes(studies), tuple((load.name, job) for one in studies for _, job in one.jobs)
    return replace(first, name=title, study=study, paths=changes["paths"], file_bytes=most, jobs=jobs)
