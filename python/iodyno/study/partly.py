"""What is left of a study of which something cannot be: the rest of it is judged in the same answer.

What is wrong is taken out of the document, or something takes its place that asks for as little as may be,
until the rest is a study. A share of which nobody knows what was meant takes several values, and what is
wrong is told where it is so with each of them.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from iodyno.catalog.changes import CHANGES
from iodyno.errors import IodynoError, Problem
from iodyno.problems import Place, closest, keys_of, place_of
from iodyno.profiles import STANDARD_LOADS, STANDARD_SETS
from iodyno.study.configuration import Configuration
from iodyno.study.model import Study
from iodyno.study.operations import study_problems
from iodyno.study.problems import TABLES, each_by_itself

_SHARES = (0.5, 0.0, 1.0)
_LEAST: Mapping[str, Any] = {
    **dict.fromkeys(("random_share", "read_share", "write_random_share", "trim_share"), _SHARES),
    "direct": (True, False, True),
    **dict.fromkeys(("blocks", "block_sizes"), ("4k", "4k", "4k")),
    **dict.fromkeys(("outstanding", "workers", "think_time_us"), (1, 1, 1)),
    "size": (1 << 50,) * 3,
    "title": ("untitled",) * 3,
}
"""What takes the place of a value that cannot be read, in each of three tries; others are taken out."""
_ROUNDS = 4
"""Times that what is left is looked at: contradictions show when all fields of a profile can be read."""
_CONTRADICTING = (
    ("distribution", "write_distribution", "write_random_share", "random_every", "gap_bytes", "cursors"),
    ("write_blocks", "write_alignment_bytes", "data"),
)
"""Keys of a profile that contradict others, in the order in which they are taken out."""
_ALONE = ("conditioning", "simulation", "reference")
"""Tables that leave all points as they are: left out whole."""
_BESIDE_A_SYSTEM = ("name", "title", "description", "group", "warmup_of")
"""Keys of a configuration that leave its system, and what is accessed of it, as they are."""
_GONE = object()


@dataclass(frozen=True)
class Rest:
    """What is left of a study without what is wrong with it.

    Parameters
    ----------
    studies
        Studies that differ in values that could not be read; none where too little is left.
    sized
        Whether the size of the file that iodyno makes is that of the study.
    called
        What the document calls things that have another name in what is left.
    """

    studies: tuple[Study, ...] = ()
    sized: bool = True
    called: Mapping[str, str] = field(default_factory=dict)

    def problems(self, judge: Callable[[Study], object]) -> list[Problem]:
        """Give what is wrong with what is left, whatever was meant by what could not be read.

        Parameters
        ----------
        judge
            Raises an ``IodynoError`` with what is wrong with a study.
        """
        return self.as_written(_alike([_raised(judge, study) for study in self.studies]))

    def as_written(self, problems: Sequence[Problem]) -> list[Problem]:
        """Tell problems in the names of the document."""
        return [_renamed(problem, self.called) for problem in problems]


def rest_of(document: Mapping[str, Any], wrong: Collection[Problem]) -> tuple[Rest, list[Problem]]:
    """Read what is left of a study, and give what is wrong with that in itself.

    Parameters
    ----------
    document
        The study as read from TOML, of any shape.
    wrong
        What is known to be wrong with it; its places are those of the document.
    """
    tries = [_Mending(document, number) for number in range(3)]
    left = [(one, one.study()) for one in tries]
    told = _alike([[*one.told, *(study_problems(study) if study else ())] for one, study in left])
    studies = tuple(study for _, study in left if study is not None)
    studies = studies[:1] if all(study == studies[0] for study in studies) else studies
    sized = not any(problem.where.startswith("file") for problem in wrong)
    rest = Rest(studies, sized, tries[0].called)
    return rest, rest.as_written(told)


def readable(table: Mapping[str, Any], number: int) -> dict[str, Any] | None:
    """Give a configuration without what cannot be read of it, unless its system may hang on that.

    Parameters
    ----------
    table
        The configuration as read from TOML.
    number
        Its place among others: what has no name is called by it.

    Returns
    -------
    dict or None
        A table that is a configuration; none where nobody knows what system it was to be.

    Examples
    --------
    >>> readable({"name": "One", "system": "p3700", "colour": "red"}, 2)
    {'system': 'p3700', 'name': 'nameless-configuration-2'}
    >>> readable({"name": "one", "system": "p3700", "change": {"count": 2}}, 2)
    """
    left = dict(table)
    for _ in range(_ROUNDS):
        try:
            Configuration.model_validate(left)
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                key = str(detail["loc"][0]) if detail["loc"] else ""
                unknown = detail["type"] == "extra_forbidden" and len(detail["loc"]) == 1
                if not (_is_stray(key, left) if unknown else key in _BESIDE_A_SYSTEM):
                    return None
                left.pop(key, None)
                left |= {"name": f"nameless-configuration-{number}"} if key == "name" else {}
        else:
            return left
    return None


def _is_stray(key: str, table: Mapping[str, Any]) -> bool:
    """Tell whether an unknown key is none of those that make a system, mistyped or in the wrong place."""
    lacking = [one for one in keys_of(Configuration) if one not in table]
    return key not in CHANGES and closest(key, [*CHANGES, *lacking]) in ("", *_BESIDE_A_SYSTEM)


def _raised(judge: Callable[[Study], object], study: Study) -> Sequence[Problem]:
    try:
        judge(study)
    except IodynoError as error:
        return error.problems
    return ()


def _alike(answers: Sequence[Sequence[Problem]]) -> list[Problem]:
    """Give what all answers have in common."""
    first, *others = answers or [()]
    return [problem for problem in first if all(problem in other for other in others)]


def _renamed(problem: Problem, called: Mapping[str, str]) -> Problem:
    where, what, hint = problem.where, problem.what, problem.hint
    for name, written in sorted(called.items(), reverse=True):  # the longer ones first
        where, what, hint = (text.replace(name, written) for text in (where, what, hint))
    return replace(problem, where=where, what=what, hint=hint)


class _Mending:
    """A document whose wrong values are replaced until it is a study."""

    def __init__(self, document: Mapping[str, Any], number: int) -> None:
        self.document = {key: copy.deepcopy(value) for key, value in document.items() if key not in _ALONE}
        self.number = number
        self.told: list[Problem] = []
        self.called: dict[str, str] = {}

    def study(self) -> Study | None:
        """Give what is left, or nothing where that cannot be told."""
        self._leave_out()
        for turn in range(_ROUNDS):
            self._prune()
            try:
                return Study.model_validate(self.document)
            except ValidationError as error:
                details = error.errors(include_url=False)
            wrong = [one for one in details if not (one["type"] == "too_short" and one["input"])]
            found = [(detail, place_of(detail, self.document)) for detail in wrong]
            self.told += [
                one for pair in found if turn for one in _contradictions(*pair)
            ]  # the first are told
            for _, place in found:
                self._mend(place)
            self.document = _without_gone(self.document)
        return None

    def _leave_out(self) -> None:
        """Leave out what no point hangs on, and rates beside others."""
        for key in ("floor_s", "cap_s"):
            _table(self.document.get("measurement")).pop(key, None)
        for sweep in map(_table, _list(self.document.get("sweep"))):
            rates = [key for key in ("rate_io_s", "rate_share", "search") if key in sweep]
            relative = [key for key in rates if key != "rate_io_s"]
            doubled = ("set",) if "profiles" in sweep else ()
            for key in (
                "chart",
                "cap_ios",
                "order",
                *doubled,
                *(relative if "beside" in sweep else rates[1:]),
            ):
                sweep.pop(key, None)

    def _prune(self) -> None:
        """Leave out the names of profiles that there are not."""
        own = (_table(one).get("name") for one in _list(self.document.get("profile")))
        known = {*STANDARD_LOADS, *map(str, own)}
        for sweep in map(_table, _list(self.document.get("sweep"))):
            if "profiles" in sweep:
                names = [name for name in _list(sweep["profiles"]) if str(name) in known]
                sweep["profiles"] = names or _GONE
            if "set" in sweep and not ("profiles" in sweep or sweep["set"] in list(STANDARD_SETS)):
                del sweep["set"]
            if isinstance(sweep.get("beside"), list):
                sweep["beside"] = [one for one in sweep["beside"] if str(_table(one).get("profile")) in known]
        self.document = _without_gone(self.document)

    def _mend(self, place: Place) -> None:
        """Replace what is wrong at a place, or take it out."""
        top, below = str(place[0]), place[1:]
        if not below:
            self._replace(self.document, place, ())
        elif top == "configuration":
            self._configure(below[0])
        elif not isinstance(below[0], int):  # [measurement] and [file]
            self._replace(self.document[top], place[:2], ())
        elif len(below) == 1:
            self.document[top][below[0]] = self._plain(top, below[0])
        elif below[1] == "beside" and len(below) > 3:
            self._replace(self.document[top][below[0]]["beside"][below[2]], place[:5], place[5:])
        else:
            self._replace(self.document[top][below[0]], place[:3], place[3:])

    def _configure(self, number: int | str) -> None:
        """Take out of a configuration what its system does not hang on, or all of it."""
        tables = self.document["configuration"]
        if not isinstance(number, int) or not isinstance(table := tables[number], dict):
            tables[number] = _GONE
            return
        tables[number] = readable(table, number) or _GONE
        if tables[number] is not _GONE and tables[number]["name"] != table.get("name"):
            self.called[tables[number]["name"]] = f"configuration[{number}]"

    def _plain(self, top: str, number: int) -> dict[str, Any]:
        """Give a profile that contradicts itself without what can contradict; anything else empty."""
        table = _table(self.document[top][number]) if top == "profile" else {}
        out = next((keys for keys in _CONTRADICTING if any(key in table for key in keys)), ())
        return {key: value for key, value in table.items() if not key.startswith(out)} if out else {}

    def _replace(self, table: dict[str, Any], place: Place, inside: Place) -> None:
        """Take out a value, or one of a list, and put the least that can be asked in its place.

        Parameters
        ----------
        table
            The table that has, or lacks, the last key of ``place``.
        place
            Where the value is in the document.
        inside
            Where in the value it is wrong; empty: as a whole.
        """
        key = str(place[-1])
        if inside and isinstance(inside[0], int) and len(_list(table.get(key))) > 1:
            table[key][inside[0]] = _GONE
            return
        written = table.pop(key, None)
        known = keys_of(TABLES[tuple(part for part in place[:-1] if isinstance(part, str))])
        key = key if key in known else closest(key, [one for one in known if one not in table])
        if key in _LEAST and not (key == "read_share" and place[0] == "sweep"):  # the profile has one
            table[key] = _LEAST[key][self.number]
        elif key == "name":
            table[key] = self._named(place, written)
        elif key == "targets":
            table.pop("targets_per_worker", None)

    def _named(self, place: Place, written: object) -> str:
        """Give a name in the place of one that cannot be, or is not there."""
        made = f"nameless-{'-'.join(str(part) for part in place[:-1])}" if len(place) > 1 else "nameless"
        if isinstance(written, str):
            self.called[made] = written
            for sweep in map(_table, _list(self.document.get("sweep"))):
                names = [made if one == written else one for one in _list(sweep.get("profiles"))]
                sweep |= {"profiles": names} if place[0] == "profile" and names else {}
                for beside in map(_table, _list(sweep.get("beside"))):
                    if place[0] == "profile" and beside.get("profile") == written:
                        beside["profile"] = made
        else:
            self.called[f"sweep {made}"] = f"sweep[{place[1]}]" if len(place) > 1 else ""
        return made


def _contradictions(detail: ErrorDetails, place: Place) -> list[Problem]:
    """Give what fields of a profile contradict each other, each by itself; of anything else nothing."""
    if len(place) != 2 or place[0] != "profile" or detail["type"] != "value_error":
        return []
    return list(each_by_itself(Problem(f"profile[{place[1]}]", str(detail["ctx"]["error"]))))


def _list(value: Any) -> list[Any]:
    """Give a list, or one value as a list of one."""
    return value if isinstance(value, list) else [] if value is None else [value]


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _without_gone(value: Any) -> Any:
    """Leave out what was taken out of tables and lists."""
    if isinstance(value, dict):
        return {key: _without_gone(item) for key, item in value.items() if item is not _GONE}
    return [_without_gone(item) for item in value if item is not _GONE] if isinstance(value, list) else value
