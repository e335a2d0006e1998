"""A system of which something cannot be read: what is wrong, and all the rest of it.

What is wrong with the form of a document and what is wrong with the parts it names come together
so: every value that can be read is checked, every other one is reported, and a check that needs
one of those is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticUndefined

from iodyno.catalog.tree import (
    ControllerSpec,
    DirectSpec,
    HostSpec,
    LogicalSpec,
    SystemSpec,
    form_problems,
)
from iodyno.catalog.written import Written
from iodyno.errors import Problem
from iodyno.problems import Place, closest, path_text

_ONE: dict[type[Written], dict[str, type[Written]]] = {SystemSpec: {"host": HostSpec}}
_MANY: dict[type[Written], dict[str, type[Written]]] = {
    SystemSpec: {"controller": ControllerSpec, "drives": DirectSpec},
    ControllerSpec: {"logical": LogicalSpec},
}


@dataclass(frozen=True)
class Partly:
    """A system as far as it can be read, and what cannot."""

    system: SystemSpec
    problems: tuple[Problem, ...] = ()


def partly(document: Mapping[str, Any], where: str) -> Partly:
    """Read a system as far as it can be read.

    Parameters
    ----------
    document
        The table: a TOML document, or what a study holds inline.
    where
        What to call it.

    Examples
    --------
    >>> found = partly({"name": "a", "host": {"processor": "b", "software": 3}}, "a")
    >>> found.system.host.processor, [str(problem) for problem in found.problems]
    ('b', ['a: host.software: 3 is no text in quotes'])
    """
    try:
        return Partly(SystemSpec.model_validate(document))
    except ValidationError as error:
        found = form_problems(error, document, where)
    listed, single = _listed(SystemSpec, document, ())
    try:
        SystemSpec.model_validate(listed)
    except ValidationError as error:
        alone = {f"{where}: {path_text(place)}" for place in single}
        told = [problem for problem in found if problem.where in alone]
        found = told + form_problems(error, listed, where)
    system = _table(SystemSpec, listed)
    assert isinstance(system, SystemSpec)
    return Partly(system, tuple(found))


def _listed(
    model: type[Written], table: Mapping[str, Any], above: Place
) -> tuple[dict[str, Any], list[Place]]:
    """Read a single table where there can be several as a list of one, and say which these are."""
    made, single = dict(table), []
    for key, of in _MANY.get(model, {}).items():
        value, place = made.get(key), (*above, key)
        if isinstance(value, Mapping):
            single.append(place)
            value = [value]
        if not isinstance(value, list | tuple):
            continue
        below = [_listed(of, item, (*place, at)) if isinstance(item, Mapping) else (item, [])
                 for at, item in enumerate(value)]  # fmt: skip
        made[key] = [item for item, _ in below]
        single += [one for _, found in below for one in found]
    return made, single


def _table(model: type[Written], table: Any) -> Written:
    """Make a table of what can be read of it."""
    held = table if isinstance(table, Mapping) else {}
    meant = _meant(model, held)
    read: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        key = field.alias or name
        one, many = _ONE.get(model, {}).get(name), _MANY.get(model, {}).get(name)
        if one:
            read[name] = _table(one, held.get(key))
        elif many and isinstance(held.get(key), list) and (held[key] or not field.metadata):
            read[name] = tuple(_table(many, item) for item in held[key])
        elif key in held and not many:
            read |= _value(model, name, held[key])
        elif key not in held and key not in meant and isinstance(table, Mapping):
            default = field.get_default(call_default_factory=True)
            read |= {} if default is PydanticUndefined else {name: default}
    made = model.model_construct()
    object.__setattr__(made, "__dict__", read)  # without the defaults of what could not be read
    return made


def _meant(model: type[Written], table: Mapping[str, Any]) -> set[str]:
    """Give the keys that mistyped ones stand for: what is not there is not what its default says."""
    keys = {field.alias or name for name, field in model.model_fields.items()}
    return {closest(str(key), sorted(keys - set(table))) for key in table if key not in keys}


def _value(model: type[Written], name: str, value: Any) -> dict[str, Any]:
    try:
        return {name: _adapter(model, name).validate_python(value)}
    except ValidationError:
        return {}


@lru_cache
def _adapter(model: type[Written], name: str) -> TypeAdapter[Any]:
    field = model.model_fields[name]
    annotation: Any = field.annotation
    for limit in field.metadata:
        annotation = Annotated[annotation, limit]
    return TypeAdapter(annotation)
