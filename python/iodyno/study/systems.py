"""From what a configuration says to a resolved system: the catalogue's part of it."""

from __future__ import annotations

from dataclasses import replace

from iodyno.study.configuration import Configuration
from iodyno.virtual import VirtualSystem


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
