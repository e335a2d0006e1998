"""What the slot of a controller gives: more than processor or server have is refused, as of drives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from iodyno.catalog.checks import checked
from iodyno.catalog.parts import ControllerPart, ProcessorPart, ServerPart
from iodyno.catalog.resolve import resolve
from iodyno.catalog.shelf import Catalog, shipped
from iodyno.catalog.tree import system_of
from iodyno.errors import CatalogError

CONTROLLER, TITLE = "praid-ep420i", "PRAID EP420i"
SERVER, SERVER_TITLE = "primergy-rx2540-m1", "PRIMERGY RX2540 M1"
LEAVE = "leave link out, or give less"


def newer(own: str, *, processor: str = "PCIe 3.0", slot: str = "") -> Catalog:
    """Give the catalogue with a controller of that interface, a processor, and what a server gives it."""
    part = shipped().take(CONTROLLER, ControllerPart).model_copy(update={"host_interface": own})
    cpu = shipped().take("xeon-e5-2660-v3", ProcessorPart).model_copy(update={"pcie": processor})
    server = shipped().take(SERVER, ServerPart)
    taken = server.takes[CONTROLLER].model_copy(update={"link": slot})
    takes = {**server.takes, CONTROLLER: taken}
    return shipped().having(part).having(cpu).having(server.model_copy(update={"takes": takes}))


def system(link: str, **host: Any) -> dict[str, Any]:
    """Give the table of a system with an array on the controller, in a slot of such a link."""
    logical = {"name": "array", "drive": "toshiba-px02smf040", "count": 2, "level": "1"}
    return {
        "name": "made",
        "host": {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid", **host},
        "controller": [{"part": CONTROLLER, "link": link, "logical": [logical]}],
    }


def told(document: Mapping[str, Any], catalog: Catalog) -> dict[str, tuple[str, str]]:
    """Give what is wrong with a system, and what to do about it, by place."""
    try:
        checked(document, "made", catalog)
    except CatalogError as error:
        return {one.where.removeprefix("made: "): (one.what, one.hint) for one in error.problems}
    return {}


@pytest.mark.parametrize(
    ("link", "more"),
    [("PCIe 3.0 x8", False), ("PCIe 3.0 x16", False), ("PCIe 2.0 x8", False), ("PCIe 4.0 x8", True),
     ("PCIe 4.0 x4", True), ("PCIe 5.0 x1", True)],
)  # fmt: skip
def test_no_more_than_the_processor_has(link: str, more: bool) -> None:
    """A wider slot gives a controller no lanes that it does not have: that is not more than there is."""
    found = told(system(link), newer("PCIe 4.0 x8"))
    what = f'"{link}" is more than Intel Xeon E5-2660 v3 gives {TITLE}, PCIe 3.0 x8'
    assert found == ({"controller[0].link": (what, LEAVE)} if more else {})


def test_what_is_more_than_the_controller_has_is_no_problem_of_the_processor() -> None:
    """It has PCIe 3.0 itself: a newer slot gives it that, as it does a drive."""
    assert told(system("PCIe 5.0 x16"), newer("PCIe 3.0 x8")) == {}
    made = resolve(system_of(system("PCIe 5.0 x16")))
    assert made.links[0].name == f"PCIe 3.0 x8 of {TITLE}"


def test_server_and_processor_are_both_named() -> None:
    """Each can be mended alone, and the other would still be wrong."""
    catalog = newer("PCIe 4.0 x8", slot="PCIe 3.0 x4")
    document = system("PCIe 4.0 x8", server=SERVER)
    document["controller"][0]["logical"][0]["count"] = 3
    with pytest.raises(CatalogError) as raised:
        checked(document, "made", catalog)
    links = [one.what for one in raised.value.problems if one.where == "made: controller[0].link"]
    assert links == [
        f'"PCIe 4.0 x8" is more than {SERVER_TITLE} gives {TITLE}, PCIe 3.0 x4',
        f'"PCIe 4.0 x8" is more than Intel Xeon E5-2660 v3 gives {TITLE}, PCIe 3.0 x8',
    ]
    # With all other problems: a RAID 1 of three.
    assert "made: controller[0].logical[0].count" in {one.where for one in raised.value.problems}


@pytest.mark.parametrize("link", ["DMI 2.0 x2", "DMI 3.0 x4"])
def test_the_versions_of_dmi_are_none_of_a_processors_pcie(link: str) -> None:
    """A chipset hangs on DMI: what the processor has of PCIe says nothing of it."""
    drive = {"drive": "seagate-st91000640ns"}
    document = {
        "name": "made",
        "host": {"processor": "xeon-e5-2660-v3", "software": "linux-scsi"},
        "controller": [{"part": "c610", "link": link, "logical": [drive]}],
    }
    assert told(document, newer("PCIe 3.0 x8", processor="PCIe 1.0")) == {}


def test_without_a_link_it_is_what_both_have() -> None:
    """Nothing is asked for then, so nothing is refused."""
    document = system("none")
    del document["controller"][0]["link"]
    catalog = newer("PCIe 4.0 x8")
    assert told(document, catalog) == {}
    assert resolve(system_of(document), catalog).links[0].name == f"PCIe 3.0 x8 of {TITLE}"
