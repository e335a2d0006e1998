"""From a tree of parts to a virtual system with every number."""

from __future__ import annotations

from typing import get_args

from iodyno.catalog.building import Building, HostCosts
from iodyno.catalog.checks import refuse
from iodyno.catalog.connected import add_direct
from iodyno.catalog.controlled import add_controller
from iodyno.catalog.driver import driver
from iodyno.catalog.interfaces import parse_version
from iodyno.catalog.naming import volume_names, volumes_of
from iodyno.catalog.parts import ProcessorPart, Reached, SettingsPart, SoftwarePart
from iodyno.catalog.shelf import Catalog, catalogue
from iodyno.catalog.tree import HostSpec, SystemSpec
from iodyno.virtual import VirtualHost, VirtualSystem


def resolve(system: SystemSpec, catalog: Catalog | None = None, where: str = "") -> VirtualSystem:
    """Resolve every number of a system.

    Parameters
    ----------
    system
        The tree of parts.
    catalog
        Where its parts are; what iodyno ships and the user's own unless another is given.
    where
        What to call the system where something is wrong; its name unless another is given.

    Raises
    ------
    CatalogError
        With every problem, if the system cannot exist.

    Examples
    --------
    >>> from iodyno.catalog.tree import load_system
    >>> resolve(load_system("p3700")).links[0].name
    'PCIe 3.0 x4'
    """
    catalog = catalog or catalogue()
    refuse(system, catalog, where)
    return resolve_checked(system, catalog)


def resolve_checked(system: SystemSpec, catalog: Catalog | None = None) -> VirtualSystem:
    """Resolve every number of a system that was checked before."""
    catalog = catalog or catalogue()
    pcie = parse_version(catalog.take(system.host.processor, ProcessorPart).pcie)
    building = Building(catalog, host_costs(system.host, catalog), pcie)
    names = iter(volume_names(system))
    for controller in system.controller:
        count = sum(volumes_of(logical) for logical in controller.logical)
        add_controller(building, controller, [next(names) for _ in range(count)], system.host.server)
    for group in system.drives:
        volumes = [next(names) for _ in range(volumes_of(group))]
        add_direct(building, group, volumes, system.host.server)
    return building.system(system.name, virtual_host(system.host, catalog))


def host_costs(host: HostSpec, catalog: Catalog) -> dict[Reached, HostCosts]:
    """Give the cycles of the software of each kind of drives that there can be, and the frequency that its
    settings hold, which turns them into time."""
    settings = catalog.take(host.settings, SettingsPart)
    frequency = catalog.take(host.processor, ProcessorPart).model["frequency"].base
    hz = frequency * settings.model["frequency_share"].base
    software = [catalog.take(name, SoftwarePart) for name in host.software]
    of = {reached: driver(software, reached) for reached in get_args(Reached)}
    return {reached: HostCosts(one, hz) for reached, one in of.items() if one}


def virtual_host(host: HostSpec, catalog: Catalog) -> VirtualHost:
    """Give the cores that workers run on, and what waking one up takes."""
    cores = catalog.take(host.processor, ProcessorPart).model["cores"].whole
    wakeup = catalog.take(host.settings, SettingsPart).model["wakeup"].whole
    return VirtualHost(cores=cores * host.processors, wakeup_ps=wakeup)
