"""How many expanders the drives of a controller need: their ports limit nothing, as several are joined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from iodyno.catalog.matrix import lanes_of, taken_of
from iodyno.catalog.parts import ControllerPart, ExpanderPart, ServerPart
from iodyno.catalog.shelf import Catalog
from iodyno.catalog.tree import SystemSpec


@dataclass(frozen=True)
class Expanders:
    """The expanders of a controller, which the simulator knows as one."""

    part: ExpanderPart
    controller: ControllerPart
    lanes: int
    """Lanes of the controller, all of which go to the first of them."""
    drives: int

    @property
    def free(self) -> int:
        """Ports of one for drives, beside the lanes to the controller."""
        return max(0, self.part.model["ports"].whole - self.lanes)

    @property
    def least(self) -> int | None:
        """How many it takes at the least; none where they have too few ports to be joined so.

        Joined by as many lanes as go to the controller, at either end: so many that the drives get no less
        than from one with ports for all, as which they are simulated.

        Examples
        --------
        >>> from iodyno.catalog.shelf import catalogue
        >>> part = catalogue().take("sas-expander-12g", ExpanderPart)
        >>> controller = catalogue().take("praid-ep420i", ControllerPart)
        >>> [Expanders(part, controller, 8, drives).least for drives in (28, 29, 48, 49)]
        [1, 2, 2, 3]
        """
        if self.drives <= self.free:
            return 1
        more = self.part.model["ports"].whole - 2 * self.lanes
        return -(-(self.drives - self.lanes) // more) if more > 0 else None


def expanders_of(tree: SystemSpec, catalog: Catalog) -> Iterator[Expanders]:
    """Yield the expanders of a system that can exist, controller by controller."""
    for spec in tree.controller:
        if spec.expander is None:
            continue
        part, sits_in = catalog.take(spec.part, ControllerPart), spec.unit or tree.host.server
        unit = catalog.take(sits_in, ServerPart) if sits_in else None
        yield Expanders(
            part=catalog.take(spec.expander, ExpanderPart),
            controller=part,
            lanes=lanes_of(part, taken_of(unit, part)).whole,
            drives=sum(logical.count for logical in spec.logical),
        )
