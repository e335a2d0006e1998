"""From what a configuration says to a resolved system: the catalogue's part of it."""

from __future__ import annotations

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
        With every problem of the system: unknown parts, what does not fit, settings that a
        controller does not have.
    """
    from iodyno.catalog.changes import changed
    from iodyno.catalog.resolve import resolve as resolve_system
    from iodyno.catalog.tree import load_system, system_of

    told = configuration.system
    system = load_system(told) if isinstance(told, str) else system_of({"name": configuration.name, **told})
    if configuration.changes:
        system = changed(system, configuration.changes, configuration.name)
    return resolve_system(system, where=configuration.name)
