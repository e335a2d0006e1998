"""Where a job does its I/O: its files, how large they are, and the area that is accessed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from iodyno.fio.jobs import Findings, Job
from iodyno.profiles import Area
from iodyno.targets import FILE_NAME
from iodyno.units import format_size


@dataclass(frozen=True)
class Place:
    """The files of a job, and what of each is accessed."""

    paths: tuple[str, ...]
    area: Area
    file_bytes: int | None
    """Size of each file if it has to be made; none where the job does not say."""
    own: bool = False
    """Whether each clone has a part of the area of its own."""

    def part_bytes(self, job: Job) -> int | None:
        """Give the length of what a clone accesses of a file; none where it is not given in bytes."""
        length = self.area.length
        clones: int = job.get("numjobs", 1) if self.own else 1
        return length // clones if isinstance(length, int) else None


def place_of(
    job: Job, targets: Sequence[str], size: int | None, findings: Findings, *, alone: bool = True
) -> Place:
    """Find the files of a job.

    Parameters
    ----------
    job
        The job.
    targets
        What the command line names: folders for the files of the job, or files and devices instead
        of them; none: the files that the job names.
    size
        Size of each file in bytes instead of the job's own.
    findings
        Takes what is not done as fio does it.
    alone
        Whether no other job runs at once: its files are its own then, whatever their name.
    """
    names, count = _names(job), job.get("nrfiles", 1)
    own = not names
    if own and (count > 1 or not alone):
        folder = Path(job.get("directory", "."))
        folder = Path() if targets and folder.is_absolute() else folder
        names = tuple(str(folder / f"{job.name}.{number}") for number in range(count))
    if targets:
        paths = tuple(path for target in targets for path in _in_place_of(target, names, findings, job))
    else:
        paths = names or (str(Path(job.get("directory", ".")) / FILE_NAME),)
    if own and job.get("numjobs", 1) > 1:
        what = (
            f"the {job.get('numjobs')} clones have equal parts of one file; fio gives each a file of its own"
        )
        findings.note(job.place_of("numjobs"), what)
    return _with_parts(job, _extent(job, paths, size, findings), own=own, size=size, findings=findings)


def _with_parts(job: Job, place: Place, *, own: bool, size: int | None, findings: Findings) -> Place:
    """Give each clone a part of its own: without a name of a file, or where an increment says so."""
    clones, increment, length = job.get("numjobs", 1), job.get("offset_increment", 0), place.area.length
    if clones == 1:
        return place
    if increment and "filesize" in job.values:
        what = (
            "with filesize each clone goes on to the end of the file, wherever offset_increment lets it begin"
        )
        findings.deviate(job.place_of("offset_increment"), f"{what}: each has the whole area")
        increment = 0
    if increment and increment != length:
        what = "offset_increment that is not the size is not honoured: each clone has the whole area"
        findings.deviate(job.place_of("offset_increment"), what)
    if not (own or (increment and increment == length)):
        return place
    if isinstance(length, float) or size is not None:
        whole = min(1.0, length * clones) if isinstance(length, float) else length
    else:
        whole = length * clones
    area = Area.model_construct(start=place.area.start, length=whole)
    made = None if place.file_bytes is None else place.file_bytes + int(whole) - int(length)
    return Place(place.paths, area, made, own=True)


def _names(job: Job) -> tuple[str, ...]:
    """Give the names of the job's files below its directory; a name with a root stays as it is."""
    folder = Path(job.get("directory", "."))
    return tuple(str(folder / name) for name in job.get("filename", ()))


def _in_place_of(target: str, names: tuple[str, ...], findings: Findings, job: Job) -> tuple[str, ...]:
    """Put the job's files into a folder, or take a file or device instead of them."""
    if not Path(target).is_dir():
        return (target,)
    relative = tuple(name for name in names if not Path(name).is_absolute())
    if len(relative) < len(names):
        what = f"{', '.join(names)}: a file in {target} is taken instead, as the command line says"
        findings.note(job.place_of("filename", "directory"), what)
        return (target,)
    return tuple(str(Path(target) / name) for name in relative) or (target,)


def accessed_bytes(each: int, start: int, size: float | None) -> int:
    """Give the length of what is accessed of a file with a ``filesize``: up to its end, but for a ``size`` in
    percent.

    Examples
    --------
    >>> accessed_bytes(1000, 100, None), accessed_bytes(1000, 100, 300), accessed_bytes(1000, 100, 0.5)
    (900, 900, 500)
    """
    part = int(each * size) if isinstance(size, float) else each
    return max(0, min(part, each - start))


def _extent(job: Job, paths: tuple[str, ...], size: int | None, findings: Findings) -> Place:
    """Decide the area of each file: fio shares the size of a job out over its files, and goes on to the end
    of files that have a size of their own."""
    start, whole = job.get("offset", 0), job.get("size")
    each = job.get("filesize") if size is None else None
    if each and isinstance(start, int):
        whole = accessed_bytes(each, start, whole)
        if not whole:
            what = f"offset={format_size(start)} leaves nothing of files of {format_size(each)}"
            findings.refuse(job.place_of("offset"), what, "take an offset below filesize")
    elif each:
        whole = each
    elif isinstance(whole, int):
        whole //= len(paths)
    if size is not None:
        whole = size
    if isinstance(start, float) and isinstance(whole, int):
        findings.refuse(
            job.place_of("offset"), "the offset is in percent and the size is not", "write both the same way"
        )
        start = 0
    length = 1.0 if whole is None else whole
    if isinstance(length, float) and isinstance(start, int) and start:
        findings.refuse(
            job.place_of("offset"), "the offset is in bytes, and the size in percent or not given",
            "write both the same way",
        )  # fmt: skip
        start = 0
    if isinstance(length, float) and isinstance(start, float):
        length = min(length, 1.0 - start)
    if size is not None and isinstance(start, int) and start:
        length = max(1, size - start)
    made = each or length + start if isinstance(length, int) and isinstance(start, int) else None
    return Place(paths, Area.model_construct(start=start or 0.0, length=length), size or made)
