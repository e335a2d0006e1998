"""Records that are made in Python: what they cannot be is told at once, by their arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from iodyno.errors import MOST_SHOWN, EngineError, Problem
from iodyno.problems import LIMIT_WORDS, closest, did_you_mean, path_text, place_of
from iodyno.record import Record

_LIMITS = {"greater_than_equal": "ge", "greater_than": "gt", "less_than_equal": "le", "less_than": "lt"}
_TAKEN = {"int": "a whole number", "float": "a number", "string": "a text", "bool": "True or False",
          "tuple": "a list", "finite_number": "a number that can be calculated with"}  # fmt: skip
_UNKNOWN = "extra_forbidden"
_LAW = '"delay", Servers(…) or Rates(…)'


class Made(Record):
    """A record that is made by its arguments.

    Raises
    ------
    EngineError
        With each argument that is missing, that there is not, or that cannot be what is given.
    """

    def __init__(self, **given: Any) -> None:
        try:
            super().__init__(**given)
        except ValidationError as error:
            problems = dict.fromkeys(_problems(type(self), error, _as_lists(given)))
            raise EngineError(*problems) from None

    # A record in another is made by pydantic, not here, so that what is wrong with both is told.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]


def _as_lists(given: Any) -> Any:
    """Write what is given as documents are: records are right, and stay."""
    if isinstance(given, Mapping):
        return {name: _as_lists(value) for name, value in given.items()}
    return list(map(_as_lists, given)) if isinstance(given, list | tuple) else given


def _problems(made: type[BaseModel], error: ValidationError, given: Mapping[str, Any]) -> Iterator[Problem]:
    details = error.errors(include_url=False)
    meant = {closest(str(one["loc"][-1]), made.model_fields) for one in details if one["type"] == _UNKNOWN}
    for detail in details:
        place, branch = place_of(detail, given), _branch(detail)
        first = given.get(str(place[0])) if place else None
        if isinstance(first, BaseModel):
            kind = type(first).__name__  # a record can be gone through as a list can, by its fields
            yield Problem(str(place[0]), f"takes a list, not one {kind}", "write [ ] around it")
        elif detail["type"] == "too_short" and detail["input"]:
            continue  # its entries are wrong, and told
        elif detail["type"] == "missing" and len(place) == 1 and place[0] in meant:
            continue  # it is there, mistyped, and that is told
        elif branch is None:
            yield _problem(made, detail, path_text(place))
        elif not isinstance(law := _at(given, place, "law"), Mapping):
            where = path_text(place[: place.index("law") + 1])
            yield Problem(where, f"takes {_LAW}, not {_shown(law)}")
        elif branch in ("Servers", "Rates") and ({"Servers": "servers", "Rates": "rates"}[branch] in law):
            yield _problem(made, detail, path_text(place))


def _branch(detail: ErrorDetails) -> str | None:
    """Give which of the laws is spoken of; none where it is none of them."""
    place = detail["loc"]
    at = place.index("law") + 1 if "law" in place else len(place)
    return str(place[at]) if at < len(place) else None


def _at(given: Any, place: tuple[str | int, ...], last: str) -> Any:
    for part in place[: place.index(last) + 1]:
        given = given[part]
    return given


def _problem(made: type[BaseModel], detail: ErrorDetails, where: str) -> Problem:
    kind, value, context = detail["type"], detail["input"], detail.get("ctx", {})
    if kind == "missing":
        return Problem(where, "is missing", f"give {detail['loc'][-1]}=")
    if kind == _UNKNOWN:
        known = list(made.model_fields) if len(detail["loc"]) == 1 else []
        return Problem(where, "there is no such argument", did_you_mean(where, known, "arguments"))
    if kind in _LIMITS:
        limit = _LIMITS[kind]
        return Problem(where, f"{_shown(value)} is {LIMIT_WORDS[limit]} {context[limit]:g}")
    if kind == "too_short":
        return Problem(where, "is empty", "give one or more")
    if kind.startswith("model"):
        return Problem(where, f"takes a NetworkStation, not {_shown(value)}")
    taken = next((words for begin, words in _TAKEN.items() if kind.startswith(begin)), "")
    return Problem(where, f"takes {taken}, not {_shown(value)}" if taken else detail["msg"].lower())


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= MOST_SHOWN else f"{shown[: MOST_SHOWN - 1]}…"
