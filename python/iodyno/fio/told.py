"""What is wrong with jobs on their targets, in the words of the job file: option, job and line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from iodyno.errors import Problem
from iodyno.fio.jobs import Job
from iodyno.fio.together import JobStudy, title_of
from iodyno.study import Overrides

_BLOCKS = ("bssplit", "bsrange", "bs")
_LAW = ("random_distribution",)
_DATA = ("dedupe_percentage", "buffer_compress_percentage", "zero_buffers", "scramble_buffers")


@dataclass(frozen=True)
class _Told:
    """How a job file says what a study says in its own words.

    Parameters
    ----------
    what
        Pattern of what is said.
    options
        Options of fio that say it; the first that is given is named.
    hint
        What to do in a job file; empty: what a study says.
    instead
        What is said instead; empty: the same.
    """

    what: str
    options: tuple[str, ...]
    hint: str = ""
    instead: str = ""


_RULES = (
    _Told(r"an alignment of ", ("ba", *_BLOCKS)),
    _Told(r"a block of .* is larger than ", _BLOCKS, "take a larger size, or smaller blocks"),
    _Told(r"a block of |\S+ is no multiple of \d+ bytes, which", _BLOCKS),
    _Told(r"a gap of .* leaves", ("rw",), "take a smaller gap behind rw, or a larger size"),
    _Told(r"a gap of ", ("rw",)),
    _Told(
        r"the area of .* ends outside", ("offset", "size", "filesize"),
        "take a smaller size or offset, or a larger target",
    ),
    _Told(r"the area of .* gives each", ("numjobs",), "take a larger size, smaller blocks, or fewer numjobs"),
    _Told(r"the beginning of the area", ("offset",)),
    _Told(r"the length of the area", ("size", "filesize")),
    _Told(r"an area of ", ("size", "filesize"), "take a larger size, a larger target, or smaller blocks"),
    _Told(
        r".* has \S+( bytes)?, less than a block", ("size", "filesize", *_BLOCKS),
        "take a larger target, or smaller blocks",
    ),
    _Told(r"has a think time and a rate", ("thinktime",), "leave thinktime or the rate out"),
    _Told(r"zone ", _LAW, "give the zone more of the range, or take a larger size"),
    _Told(r".* writes by .* trims of ", _LAW, "leave the job that trims out, or the law"),
    _Told(r".* writes by .* cache of ", _LAW, "take a law such as zipf:0.9, or drives without a controller"),
    _Told(r".* writes data that compresses", _DATA, "take the option out, or measure a real target"),
    _Told(r"a stamp in each sector", _DATA, "take the option out, or verify"),
    _Told(r"the engine \S+ reads", ("ioengine",), "take another ioengine, or leave verify out"),
    _Told(r"trims, and the engine aio", ("ioengine",), "take ioengine=io_uring or psync"),
    _Told(r"trims, and the kernel", ("direct", "buffered"), "take ioengine=psync, or direct=1"),
    _Told(r"the profile trims, and a file takes no trims", ("rw",), "take a block device, or ioengine=null"),
    _Told(r"the profile trims", ("rw",)),
    _Told(r"a trim of ", ("ba", *_BLOCKS)),
    _Told(r"(has|keeps) \S+ I/Os ", ("iodepth",), "take a smaller iodepth, or fewer numjobs or files"),
    _Told(
        r"names target (\d+),", ("filename", "nrfiles"),
        "name more targets, or let the jobs have one filename; a virtual system needs a volume for each",
        r"needs target \1, as jobs that run at once have files of their own,",
    ),
    _Told(
        r"loads at once read ", ("rw", "size"),
        'let the jobs read one area, all at random or in order; or give the logical drive cache = "direct"',
    ),
    _Told(r"iopoll polls", ("hipri",), "leave hipri out, or the job that syncs or trims", "polls"),
)  # fmt: skip
_OF_MEASUREMENT = {
    "verify": ("verify",),
    "iopoll": ("hipri",),
    "pinning": ("cpus_allowed",),
    "cold_cache": ("invalidate", "direct", "buffered"),
}
"""Options that say what ``[measurement]`` of a study says."""
_GIVEN_OTHERWISE = {
    **dict.fromkeys(_BLOCKS, ("block_sizes",)),
    **dict.fromkeys(("size", "filesize"), ("area", "size")),
    "offset": ("area",), "numjobs": ("workers",), "iodepth": ("outstanding",), "ioengine": ("engine",),
    "direct": ("direct",), "buffered": ("direct",), "thinktime": (), "rw": ("random_share", "read_share"),
}  # fmt: skip
"""Choices of the command line that take the place of options."""
_WORDS = (
    (re.compile(r"--buffered( \(direct = false\))?"), "direct=0"),
    (re.compile(r"\bthe profile\b"), "the job"),
    (re.compile(r"\bof the study\b"), "of the job file"),
    (re.compile(r"\bleave the profile out\b"), "leave the job out"),
    (re.compile(r"\biopoll\b"), "hipri"),
)
_PLACE = re.compile(
    r"sweep (?P<sweep>[a-z0-9-]+)(\.profiles\.(?P<profile>[a-z0-9-]+)|\.beside(\[(?P<beside>\d+)\])?)?.*"
)


def told(problems: Iterable[Problem], studies: Sequence[JobStudy], choices: Overrides) -> list[Problem]:
    """Tell what is wrong with jobs by the lines of their file.

    Parameters
    ----------
    problems
        What is wrong with the studies that were made of jobs, in the words of studies.
    studies
        These studies.
    choices
        What the command line changes of them: it is in no line.
    """
    found: dict[Problem, list[str]] = {}
    for problem in problems:
        jobs = () if _is_of_an_option(problem, choices) else _jobs(problem.where, studies)
        for job in jobs:
            if not _is_that_of_blocks(problem, job):
                found.setdefault(_of_job(problem, job, choices), []).append(job.name)
        if not jobs:
            found.setdefault(problem, [])
    return [_named(problem, list(dict.fromkeys(names))) for problem, names in found.items()]


def _named(problem: Problem, names: Sequence[str]) -> Problem:
    return replace(problem, where=f"{problem.where}: [{title_of(names)}]") if names else problem


def _is_of_an_option(problem: Problem, choices: Overrides) -> bool:
    """Tell whether the command line says what is wrong: it is told by the name of the option."""
    key = problem.where.removeprefix("measurement.")
    return key != problem.where and getattr(choices, key, None) is not None


def _is_that_of_blocks(problem: Problem, job: Job) -> bool:
    """Tell whether an alignment is that of the blocks, of which the same is told."""
    return problem.what.startswith("an alignment of ") and "ba" not in job.settings


def _jobs(where: str, studies: Sequence[JobStudy]) -> tuple[Job, ...]:
    """Give the jobs that a place of a study, or several, stand for; none where it is no place of a study."""
    every = [pair for study in studies for pair in study.jobs]
    found: list[Job] = []
    for place in re.split(r", (?=sweep )", where):
        if place.startswith("measurement."):
            options = _OF_MEASUREMENT.get(place.removeprefix("measurement."), ())
            asking = [job for _, job in every if any(option in job.values for option in options)]
            found += asking or (job for _, job in every)
        elif match := _PLACE.fullmatch(place):
            names = _profiles(match, studies)
            found += (job for name, job in every if name in names)
    return tuple(found)


def _profiles(match: re.Match[str], studies: Sequence[JobStudy]) -> tuple[str, ...]:
    """Give the names of the profiles at a place of a study."""
    if match["profile"]:
        return (match["profile"],)
    sweep = next((one for study in studies for one in study.study.sweep if one.name == match["sweep"]), None)
    if sweep is None:
        return ()
    if match["beside"]:
        return (sweep.beside[int(match["beside"])].profile,)
    return (*sweep.profiles, *(load.profile for load in sweep.beside if ".beside" in match[0]))


def _of_job(problem: Problem, job: Job, choices: Overrides) -> Problem:
    """Tell a problem at the line of the option that says it, or of the job where none does."""
    rule = next((one for one in _RULES if re.match(one.what, problem.what)), _Told("", ()))
    options = _OF_MEASUREMENT.get(problem.where.removeprefix("measurement."), rule.options)
    given = (option for option in options if option in job.values and not _is_changed(option, choices))
    setting = job.settings.get(next(given, ""))
    what = _in_words(re.sub(rule.what, rule.instead, problem.what) if rule.instead else problem.what)
    return Problem(
        setting.place if setting else job.place,
        f"{setting.shown}: {what}" if setting else what,
        rule.hint or _in_words(problem.hint),
    )


def _is_changed(option: str, choices: Overrides) -> bool:
    return any(getattr(choices, name) not in (None, ()) for name in _GIVEN_OTHERWISE.get(option, ()))


def _in_words(text: str) -> str:
    for pattern, word in _WORDS:
        text = pattern.sub(word, text)
    return text
