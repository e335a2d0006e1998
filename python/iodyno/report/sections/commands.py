"""The command that repeats one point of a run."""

from __future__ import annotations

import itertools
import os
import shlex
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from iodyno.analysis.configurations import volumes_of
from iodyno.plan import Point, RateShare, SearchStep
from iodyno.profiles import STANDARD_LOADS, Area
from iodyno.store.records import Run
from iodyno.study.expand import varied
from iodyno.study.load import shipped
from iodyno.study.model import Study
from iodyno.targets.find import whole_blocks
from iodyno.targets.record import FILE_NAME
from iodyno.units import format_size

EACH = "each"
"""What a sweep says that loads each target by itself."""


def repeat(run: Run, point: Point) -> str:
    """Give the command line that measures a point again, with the same sequence of offsets; of a step of a
    search the search: at a rate that is given another point begins, with a sequence of its own.

    Parameters
    ----------
    run
        The run, for its study, its seed and the permissions that were given to it.
    point
        A point of its plan.

    Returns
    -------
    str
        With every choice written out, quoted for a shell.
    """
    if point.simulated:
        return shlex.join(_simulation(run, point))
    job = "" if _is_search(run) else next((word for word in run.command if word.endswith(".fio")), "")
    words = ["iodyno", "measure", *(_targets_of_jobs(point) if job else _targets(run, point))]
    words += ["--study", job or _study(run)]
    words += [] if job else [*_sweep(run, point), *_which_of(run, point)]
    words += ["--profile", _title(run, point)] if job else _profile(run, point)
    words += ["--outstanding", str(point.outstanding), *_rate(run, point)]
    words += ["--workers", str(point.workers), *_workers_area(run, point), "--seed", str(run.plan.seed)]
    size = ["--size", option(run.command, "--size")] if option(run.command, "--size") else []
    words += (size or _size_for_jobs(point)) if job else _file_size(point)
    words += [] if "--area" in words else _area(point)
    words += _engine(point) + _stopping(point) + _permissions(run, point)
    condition = option(run.command, "--condition")
    words += ["--condition", condition] if condition else []
    return shlex.join(words)


def _targets(run: Run, point: Point) -> list[str]:
    """Name the targets of a point; those of the run in their order where loads at once number them, up to the
    last that one has: what no load of the run has keeps its number."""
    if not _by_number(run, point):
        return list(dict.fromkeys(target.path for target in point.targets))
    tables, named = _tables(run), dict[int, str]()
    for other in run.plan.points:
        table = tables.get(other.sweep, {})
        for load, numbers in zip(other.loads, _numbers(table), strict=False):
            if numbers or table.get("targets") != EACH:
                named |= dict(zip(numbers or range(1, 1 + len(load.targets)), _paths(load), strict=False))
    for name, table in tables.items():
        named |= enumerate(_each(run, name), 1) if table.get("targets") == EACH else ()
    return [
        named[number] if number in named else _unloaded(run, number, named)
        for number in range(1, max(named) + 1)
    ]


def _unloaded(run: Run, number: int, named: Mapping[int, str]) -> str:
    """Name a target of a run that no load has, as its command did; where that is not known, a new file."""
    words = _named_targets(run.command)
    if number > len(words):
        return f"unloaded-{number}"
    word = words[number - 1]
    for other, path in named.items():
        if other <= len(words) and (folder := _folder(words[other - 1], path)):
            return os.path.normpath(Path(folder) / word)
    return word


def _folder(word: str, path: str) -> str:
    """Give the folder in which a command was called that named a path so; empty where it does not tell.

    Examples
    --------
    >>> _folder("a", "/mnt/a/iodyno.data"), _folder("./b/file", "/mnt/b/file"), _folder("/mnt/c", "/mnt/c")
    ('/mnt', '/mnt', '')
    """
    ends = f"/{os.path.normpath(word)}"
    found = (path.removesuffix(f"/{FILE_NAME}"), path)
    return next((whole.removesuffix(ends) or "/" for whole in found if whole.endswith(ends)), "")


FLAGS = (
    "--approximate", "--buffered", "--cold-cache", "--iopoll", "--json", "--keep", "--no-serials",
    "--overwrite-signature", "--plan", "--quick", "--quiet", "-q", "--verify", "--write-existing",
    "--write-through",
)  # fmt: skip
"""Options of a measurement without a value."""


def _named_targets(command: Sequence[str]) -> list[str]:
    """Give the targets that the command of a measurement names, in their order.

    Examples
    --------
    >>> _named_targets("iodyno measure -q a --size 1G --seed=1 b -o a.pdf -ob.pdf c".split())
    ['a', 'b', 'c']
    """
    words, found = iter(command[2:]), list[str]()
    for word in words:
        if not word.startswith("-"):
            found.append(word)
        elif word == "--":
            found += words
        elif word not in FLAGS and "=" not in word and (word.startswith("--") or len(word) == len("-o")):
            next(words, None)
    return found


def _tables(run: Run) -> dict[str, Mapping[str, Any]]:
    """Give the sweeps of the study as it was run, by name."""
    return {str(table.get("name")): table for table in run.plan.study_source.get("sweep", ())}


def _by_number(run: Run, point: Point) -> bool:
    """Tell whether loads of a point at once have their targets by number."""
    return bool(point.beside) and any(_numbers(_tables(run).get(point.sweep, {})))


def _each(run: Run, sweep: str) -> list[str]:
    """Give the targets of a sweep that loads each of them by itself, in their order."""
    loads = (point.loads[0] for point in run.plan.points if point.sweep == sweep)
    return list(dict.fromkeys(path for load in loads for path in _paths(load)))


def _which_of(run: Run, point: Point) -> list[str]:
    """Name those of the targets of a command that a point loads, where its study names others."""
    asked = _tables(run).get(point.sweep, {}).get("targets")
    if asked and not isinstance(asked, str) and not _by_number(run, point):
        return ["--targets", "together"]
    if asked == EACH and _by_number(run, point):
        return ["--targets", str(1 + _targets(run, point).index(point.loads[0].targets[0].path))]
    return _which_asked(run)


def _which_asked(run: Run) -> list[str]:
    asked = option(run.command, "--targets")
    return ["--targets", asked] if asked else []


def _which_volumes(run: Run, point: Point) -> list[str]:
    """Name the volume of a point where its sweep loads each by itself."""
    volumes = volumes_of(run.plan).get(str(point.system), ())
    if _tables(run).get(point.sweep, {}).get("targets") != EACH or len(volumes) < 2:
        return _which_asked(run)
    return ["--targets", str(1 + volumes.index(point.loads[0].targets[0].path))]


def _numbers(table: Mapping[str, Any]) -> list[tuple[int, ...]]:
    """Give the numbers of the targets of each load of a sweep; none where it has them otherwise."""
    asked = table.get("targets", ())
    own = () if isinstance(asked, str) else tuple(asked)
    return [own, *(tuple(beside.get("targets", ())) or own for beside in table.get("beside", ()))]


def _targets_of_jobs(point: Point) -> list[str]:
    """Name the file that jobs of fio are on, or the folder in which they have their files."""
    paths = tuple(dict.fromkeys(_paths(point)))
    made = [target.path for target in point.targets if target.created]
    if len(paths) == 1 or not made:
        return list(paths[:1])
    return [os.path.commonpath([str(Path(path).parent) for path in made])]


def _paths(point: Point) -> list[str]:
    return [target.path for target in point.targets]


def _title(run: Run, point: Point) -> str:
    """Give the name of a job of fio, or what jobs at once are called together."""
    return str(_tables(run).get(point.sweep, {}).get("title", "")) or point.profile.shown


def _simulation(run: Run, point: Point) -> list[str]:
    """Simulate the system of a point again, from the same study or on the same system of the catalogue."""
    study = _study(run)
    words = ["iodyno", "simulate", study]
    systems = [value for name, value in zip(run.command, run.command[1:], strict=False) if name == "--on"]
    if systems:
        words += ["--on", systems[list(run.plan.systems).index(str(point.system)) if len(systems) > 1 else 0]]
    else:
        words += ["--only", str(point.system)]
    words += [] if study.endswith(".fio") else [*_sweep(run, point), *_which_volumes(run, point)]
    words += ["--profile", point.profile.name] if study.endswith(".fio") else _profile(run, point)
    words += ["--outstanding", str(point.outstanding), *_rate(run, point)]
    words += ["--workers", str(point.workers), *_workers_area(run, point), "--seed", str(run.plan.seed)]
    words += _operations(point)
    words += _counts(run, point)
    return [*words, "--precision", f"{point.stopping.precision * 100:g}%"]


def _counts(run: Run, point: Point) -> list[str]:
    """Name the I/Os of a simulated point; of a search those of its shortest point, as many I/Os outstanding
    lengthen the others of themselves."""
    of = point.rate_from.of if isinstance(point.rate_from, SearchStep) else ()
    rules = [point.stopping, *(other.stopping for other in run.plan.points if other.index in of)]
    counts = {
        "--warmup-ios": min(rule.warmup_ios or 0 for rule in rules),
        "--floor-ios": min(rule.floor_ios or 0 for rule in rules),
        "--cap-ios": min(rule.cap_ios or 0 for rule in rules),
    }
    each = len(point.targets)  # a study gives them for each target
    return [word for name, value in counts.items() if value for word in (name, str(value // each))]


def own_study(run: Run) -> str:
    """Give the file of the study of a run as its commands name it; empty where the study comes with the tool.

    A job file of fio is no study, and of a run that was kept before studies were there is nothing to give.
    """
    if not run.plan.study_source:
        return ""
    asked = _named(run)
    return "" if asked in shipped() or asked.endswith(".fio") else asked


def _study(run: Run) -> str:
    """Give the study as the command that repeats a point has to name it."""
    return own_study(run) or _named(run) or run.plan.study


def _named(run: Run) -> str:
    """Give the study that a run was told of, of a search the file that its paper carries: one that it names
    has nothing but its profiles; empty: none."""
    return "search.toml" if _is_search(run) else option(run.command, "--study") or _simulated(run.command)


def _is_search(run: Run) -> bool:
    return "search" in run.command[1:2]


NAMING = ("--on", "--only", "--sweep", "--profile", "--store", "--report", "-o")
"""Options of a simulation whose values may look like a study."""


def _simulated(command: Sequence[str]) -> str:
    """Find the study on the command line of a simulation, wherever it stands; empty where none was named.

    Examples
    --------
    >>> _simulated(["iodyno", "simulate", "--on", "p3700", "mine.toml", "-o", "paper.pdf"])
    'mine.toml'
    >>> _simulated(["iodyno", "simulate", "--on", "mine.toml", "-q"])
    ''
    """
    if "simulate" not in command[1:2]:
        return ""
    studies = shipped()
    for before, word in pairwise(command[1:]):
        if before not in NAMING and (word in studies or word.endswith((".toml", ".fio"))):
            return word
    return ""


def option(command: Sequence[str], name: str) -> str:
    """Find what an option was given on a command line; empty where it was not.

    Examples
    --------
    >>> option(["iodyno", "measure", "/data", "--study", "mine.toml"], "--study")
    'mine.toml'
    >>> option(["iodyno", "measure", "--study=mine.toml"], "--study")
    'mine.toml'
    """
    for place, word in enumerate(command):
        if word == name and place + 1 < len(command):
            return command[place + 1]
        if word.startswith(f"{name}="):
            return word.partition("=")[2]
    return ""


def _file_size(point: Point) -> list[str]:
    made = [target.size_bytes for target in point.targets if target.created]
    return ["--size", format_size(made[0])] if made else []


def _size_for_jobs(point: Point) -> list[str]:
    """Name size and area of a file that others than the job of a point need larger than it does."""
    area, made = point.profile.area, _file_size(point)
    if point.beside or not made:
        return []
    alone = format_size(whole_blocks(int(area.start + area.length)))
    return [] if made == ["--size", alone] else [*made, "--area", _area_text(area)]


def _area(point: Point) -> list[str]:
    """Name the area where it is not that of the profile's definition."""
    area, standard = point.profile.area, STANDARD_LOADS.get(point.profile.name)
    if standard is None or area == standard.profile.area:
        return []
    return ["--area", _area_text(area)]


def _area_text(area: Area) -> str:
    ends = (area.length, area.start) if area.start else (area.length,)
    return "@".join(f"{end * 100:g}%" if isinstance(end, float) else format_size(end) for end in ends)


def _profile(run: Run, point: Point) -> list[str]:
    """Name the profile as its sweep does, with the values of the axes that made the point's own of it."""
    table = _tables(run).get(point.sweep)
    if not table:
        return ["--profile", point.profile.name]
    study = Study.model_validate(run.plan.study_source)
    sweep = next(sweep for sweep in study.sweep if sweep.name == point.sweep)
    known = {name: load.profile for name, load in STANDARD_LOADS.items()} | {p.name: p for p in study.profile}
    axes = {axis: values for axis in _AXES if (values := getattr(sweep, axis))}
    for name in sweep.profile_names:
        for chosen in itertools.product(*axes.values()):
            choice = dict(zip(axes, chosen, strict=True))
            if varied(known[name], choice).name == point.profile.name:
                words = (word for axis, value in choice.items() for word in (_AXES[axis], _axis_text(value)))
                return ["--profile", name, *words]
    return ["--profile", point.profile.name]


_AXES = {
    "block_sizes": "--block-sizes",
    "read_share": "--read-share",
    "random_share": "--random-share",
    "area": "--area",
}
"""Axes that make another profile, and the options that choose a value of them."""


def _axis_text(value: Area | float) -> str:
    """Write a value of an axis as the command line takes it, exactly."""
    if isinstance(value, Area):
        return _area_text(value)
    if isinstance(value, int):
        return format_size(value)
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)


def _sweep(run: Run, point: Point) -> list[str]:
    """Name the sweep where another of the run has the profile too, or where the run chose some."""
    others = (other for other in run.plan.points if other.sweep != point.sweep)
    if any(other.profile.name == point.profile.name for other in others) or option(run.command, "--sweep"):
        return ["--sweep", point.sweep]
    return []


def _rate(run: Run, point: Point) -> list[str]:
    """Name the rate of an open loop, exactly; a share as one: the whole is measured again first. That whole
    by itself has no rate, whatever its sweep looks for; a search finds its rates."""
    if point.rate_io_s is None:
        table = _tables(run).get(point.sweep, {})
        return ["--rate", "none"] if table.get("rate_share") or table.get("search") else []
    rule = point.rate_from
    if isinstance(rule, SearchStep):
        return ["--arrival", point.arrival]
    rate = (
        f"{rule.share * 100:g}%" if isinstance(rule, RateShare) else str(point.rate_io_s).removesuffix(".0")
    )
    return ["--rate", rate, "--arrival", point.arrival]


def _workers_area(run: Run, point: Point) -> list[str]:
    """Name what a worker accesses where the run has points of both kinds, or that is not the whole area."""
    if all(other.workers_area == "shared" for other in run.plan.points):
        return []
    return ["--workers-area", point.workers_area]


def _engine(point: Point) -> list[str]:
    words = [] if point.engine == "auto" else ["--engine", point.engine]
    words += ["--verify"] if point.verify else []
    words += ["--iopoll"] if point.iopoll else []
    words += _operations(point)
    return words if point.pinning == "node" else [*words, "--pinning", point.pinning]


def _operations(point: Point) -> list[str]:
    words = ["--write-through"] if point.write_through else []
    words += ["--cold-cache"] if point.cold_cache else []
    each = point.targets_per_worker
    return words if each is None else [*words, "--targets-per-worker", str(each)]


def _stopping(point: Point) -> list[str]:
    rule = point.stopping
    times = {"--warmup": rule.warmup_s, "--floor": rule.floor_s, "--cap": rule.cap_s}
    words = [word for name, value in times.items() for word in (name, f"{value:g}s")]
    return [*words, "--precision", f"{rule.precision * 100:g}%"]


def _permissions(run: Run, point: Point) -> list[str]:
    """Repeat what was allowed; the identity of a device has to be typed again."""
    words = [] if point.direct else ["--buffered"]
    if "--write-existing" in run.command and point.alters:
        words.append("--write-existing")
        identity = option(run.command, "--identity")
        words += ["--identity", identity] if identity else []
    return words
