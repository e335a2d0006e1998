"""From what a configuration says to a resolved system: the catalogue's part of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from iodyno.study.configuration import Configuration
from iodyno.virtual import VirtualSystem


@dataclass(frozen=True)
class Written:
    """A virtual system as it was written."""

    document: Mapping[str, Any]
    """The table of its parts and settings, with the changes of its configuration.

    One that is shipped has its own name, title and source no more where it was changed.
    """
    origin: Literal["catalogue", "changed", "own"]
    """A system that is shipped, one with changes, or a table or file of somebody's own."""


def written(configuration: Configuration) -> Written:
    """Give the table of the system of a configuration that can be resolved.

    Examples
    --------
    >>> found = written(Configuration(name="one", system="p3700", changes={"settings": "default"}))
    >>> found.origin, found.document["host"]["settings"]
    ('changed', 'default')
    >>> found.document["name"], found.document["source"]
    ('one', "p3700 of iodyno's catalogue; changed: settings")
    """
    from iodyno.catalog.changes import changed_document
    from iodyno.catalog.tree import document_of, shipped_systems

    told = configuration.system
    document = document_of(told) if isinstance(told, str) else {"name": configuration.name, **told}
    changed, _ = changed_document(document, configuration.changes, configuration.name)
    if told not in shipped_systems():
        return Written(changed, "own")
    if not configuration.changes:
        return Written(changed, "catalogue")
    return Written(_renamed(changed, configuration), "changed")


def _renamed(document: Mapping[str, Any], configuration: Configuration) -> dict[str, Any]:
    """Call a shipped system with changes what its configuration does, and say what was changed."""
    keys = ", ".join(key for key in configuration.changes if key != "title")
    named = {key: value for key, value in document.items() if key not in ("name", "title", "source")}
    first = {"schema": named.pop("schema")} if "schema" in named else {}
    return {
        **first,
        "name": configuration.name,
        "title": configuration.shown,
        "source": f"{document['name']} of iodyno's catalogue; changed: {keys}",
        **named,
    }


def resolve(configuration: Configuration) -> VirtualSystem:
    """Build the system of a configuration from the catalogue.

    Parameters
    ----------
    configuration
        One that is written out: without ``each``.

    Raises
    ------
    CatalogError
        With every problem of the system: what cannot be read, unknown parts, what does not fit,
        settings that a controller does not have.
    """
    from iodyno.catalog.changes import changed_document
    from iodyno.catalog.checks import checked
    from iodyno.catalog.partly import partly
    from iodyno.catalog.resolve import resolve_checked
    from iodyno.catalog.tree import document_of

    told, where = configuration.system, configuration.name
    document = document_of(told) if isinstance(told, str) else {"name": where, **told}
    if not configuration.changes:
        file = isinstance(told, str) and told.endswith(".toml")
        return resolve_checked(checked(document, str(told) if file else where))
    changed, known = changed_document(document, configuration.changes, where)
    before = partly(document, where).problems
    if isinstance(told, str):  # of a file it is told once, whatever is made of it
        known += [replace(one, where=told + one.where.removeprefix(where)) for one in before]
    return resolve_checked(checked(changed, where, known=known, but=before if isinstance(told, str) else ()))
