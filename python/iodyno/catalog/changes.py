"""Variations of a system: the same tree with another drive, count, level, mode, processor …"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from iodyno.catalog.tree import ControllerSpec, DirectSpec, HostSpec, LogicalSpec, SystemSpec, system_of
from iodyno.errors import CatalogError, Problem
from iodyno.problems import did_you_mean

_HOST = tuple(HostSpec.model_fields)
_CONTROLLER = tuple(key for key in ControllerSpec.model_fields if key not in ("part", "logical"))
_LOGICAL = tuple(
    key for key in LogicalSpec.model_fields if key not in ("read", "write", "cache", "drive_cache")
)
_DIRECT = tuple(DirectSpec.model_fields)
CHANGES: tuple[str, ...] = tuple(
    dict.fromkeys(("title", *_HOST, "controller", *_CONTROLLER, *_LOGICAL, *_DIRECT))
)
"""What can be changed: ``controller`` names another part, the rest are keys of the tables of a system."""
_WHOSE = "leave it out, and give a system that has it in [[controller]] or in [[drives]]"


def changed(system: SystemSpec, changes: Mapping[str, Any], where: str = "system") -> SystemSpec:
    """Give the system with changes.

    Parameters
    ----------
    changes
        By key of :data:`CHANGES`. A key changes every table of the system that has it:
        ``count`` each logical drive and each group of direct drives; but ``link`` is that of
        controllers or of drives, and in a system with both neither. ``none`` as a text takes
        a setting away.
    where
        What to call the system where something is wrong.

    Raises
    ------
    CatalogError
        With every key that is not known, that no table of this system has, or that two kinds of tables
        have in a sense of their own, and every value that cannot be.

    Examples
    --------
    >>> from iodyno.catalog.tree import load_system
    >>> system = changed(load_system("raid-controllers"), {"level": "5", "controller": "praid-cp400i"})
    >>> system.controller[0].part, system.controller[0].logical[0].level
    ('praid-cp400i', '5')
    """
    document, problems = changed_document(document_of_system(system), changes, where)
    if problems:
        raise CatalogError(*problems)
    return system_of(document, where)


def document_of_system(system: SystemSpec) -> dict[str, Any]:
    """Write a system as the table that it could have been read from."""
    document: dict[str, Any] = _lists(system.model_dump(mode="python", by_alias=True, exclude_defaults=True))
    return document


def changed_document(
    document: Mapping[str, Any], changes: Mapping[str, Any], where: str
) -> tuple[dict[str, Any], list[Problem]]:
    """Give the table of a system with changes, as far as there is something to change.

    Returns
    -------
    dict and list of Problem
        The table with all changes that can be made, and each that cannot.
    """
    made: dict[str, Any] = _lists(document)
    problems = [problem for key, value in changes.items() for problem in _change(made, key, value, where)]
    return made, problems


def _change(document: dict[str, Any], key: str, value: Any, where: str) -> list[Problem]:
    if key not in CHANGES:
        return [
            Problem(
                f"{where}: {key}", "is nothing that can be changed", did_you_mean(key, CHANGES, "changes")
            )
        ]
    if key == "link" and _tables(document, "controller") and _tables(document, "drives"):
        return [Problem(f"{where}: {key}", "could be that of its controllers or of its drives", _WHOSE)]
    tables = list(_tables_with(document, key))
    written = "part" if key == "controller" else key
    for table in tables:
        if value == "none":
            table.pop(written, None)
        else:
            table[written] = _lists(value)
    if not tables:
        return [
            Problem(
                f"{where}: {key}",
                "this system has nothing with it",
                f"leave {key} out, or give another system",
            )
        ]
    return []


def _tables_with(document: dict[str, Any], key: str) -> list[dict[str, Any]]:
    if key == "title":
        return [document]
    controllers = _tables(document, "controller")
    logicals = [logical for controller in controllers for logical in _tables(controller, "logical")]
    found: list[dict[str, Any]] = []
    if key in _HOST and isinstance(document.get("host"), dict):
        found.append(document["host"])
    found += controllers if key in (*_CONTROLLER, "controller") else []
    found += logicals if key in _LOGICAL else []
    return found + (_tables(document, "drives") if key in _DIRECT else [])


def _tables(table: dict[str, Any], key: str) -> list[dict[str, Any]]:
    value = table.get(key)
    if isinstance(value, dict):
        return [value]
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _lists(value: Any) -> Any:
    """Copy a table, with tuples turned into lists, as a document has them."""
    if isinstance(value, Mapping):
        return {key: _lists(item) for key, item in value.items()}
    return [_lists(item) for item in value] if isinstance(value, list | tuple) else value
