"""Whatever a release matrix says: so many drives as ``fits`` tells can be had, and not one more."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from iodyno.catalog.checks import check
from iodyno.catalog.fits import fits
from iodyno.catalog.interfaces import parse_interface
from iodyno.catalog.levels import drives_problem, groups_of
from iodyno.catalog.matrix import built, levels_of, reach
from iodyno.catalog.parts import ControllerPart, ServerPart, SwitchPart, Taken
from iodyno.catalog.quantity import Quantity
from iodyno.catalog.shelf import Catalog, shipped
from iodyno.catalog.tree import system_of
from iodyno.virtual import Level

HOST = {"processor": "epyc-9354", "software": "linux-nvme", "server": "primergy-rx4770-m1"}
SERVER = shipped().take("primergy-rx4770-m1", ServerPart)
DRIVES = {"SAS": "toshiba-px02smf040", "SATA": "seagate-st91000640ns"}
CONTROLLERS = [part.name for part in shipped().of(ControllerPart)]
SWITCHES = [part.name for part in shipped().of(SwitchPart)]


def _number(value: int) -> Quantity:
    return Quantity(value=value, unit="count", kind="assumed", note="drawn")


NUMBERS = st.integers(1, 40).map(_number)


def _with(name: str, taken: Taken) -> Catalog:
    return shipped().having(SERVER.model_copy(update={"takes": {name: taken}}))


def _wrong(catalog: Catalog, tables: dict[str, Any]) -> list[str]:
    found = check(system_of({"name": "made", "host": HOST, **tables}), catalog)
    return [
        str(problem) for problem in found if "host." not in problem.where and ".drive:" not in str(problem)
    ]


def _controller(catalog: Catalog, name: str, count: int, level: Level) -> list[str]:
    part = catalog.take(name, ControllerPart)
    logical = {"drive": DRIVES[parse_interface(part.drive_interface).family], "count": count, "level": level}
    expander = {"expander": "sas-expander-12g"} if part.most_drives_expanded else {}
    return _wrong(catalog, {"controller": [{"part": name, "logical": [logical], **expander}]})


@given(st.sampled_from(CONTROLLERS), NUMBERS, st.none() | NUMBERS)
@settings(max_examples=150, deadline=None)
def test_a_controller_in_a_server(name: str, drives: Quantity, lanes: Quantity | None) -> None:
    taken = Taken(drives=drives, lanes=lanes)
    catalog = _with(name, taken)
    part = catalog.take(name, ControllerPart)
    (fit,) = [fit for fit in fits(part, catalog) if fit.part.name == SERVER.name]
    assert fit.drives == reach(part, taken)
    most = fit.drives.whole
    alone: Level = "JBOD" if "JBOD" in part.levels else "0"
    assert _controller(catalog, name, most, alone) == []
    assert _controller(catalog, name, most + 1, alone) != []
    there = built(levels_of(part, taken), most)
    for level in part.levels:
        counts = [n for n in range(1, most + 1) if not drives_problem(level, n, groups_of(level, None))]
        assert any(_controller(catalog, name, count, level) == [] for count in counts) == (level in there)


@given(st.sampled_from(SWITCHES), NUMBERS)
@settings(max_examples=50, deadline=None)
def test_a_switch_adapter_in_a_server(name: str, drives: Quantity) -> None:
    catalog = _with(name, Taken(drives=drives))
    (fit,) = [fit for fit in fits(catalog.get(name), catalog) if fit.part.name == SERVER.name]
    assert fit.drives is not None
    for count, right in ((fit.drives.whole, True), (fit.drives.whole + 1, False)):
        group = {"drive": "toshiba-px04pmb-960", "count": count, "switch": name}
        assert (_wrong(catalog, {"drives": [group]}) == []) == right
