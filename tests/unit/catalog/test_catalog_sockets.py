"""Sockets: which processors a server takes, and that each says where that is known from."""

from __future__ import annotations

import json

import pytest

from command_line import CommandLine
from iodyno.catalog.changes import changed
from iodyno.catalog.checks import check
from iodyno.catalog.fits import fits, processors_of
from iodyno.catalog.parts import ProcessorPart, ServerPart
from iodyno.catalog.quantity import Quantity
from iodyno.catalog.reading import parse_part
from iodyno.catalog.shelf import Catalog, part_files, shipped
from iodyno.catalog.tree import load_system
from iodyno.errors import CatalogError, Problem

CHIPSETS = {"c610": "LGA2011-3", "c220": "LGA1150", "c236": "LGA1151"}
"""Sockets of the processors that Intel's chipsets are for: Xeon E5-2600 v3, E3-1200 v3, E3-1200 v5."""


@pytest.mark.parametrize(
    ("name", "socket"),
    [
        ("xeon-e5-2660-v3", "LGA2011-3"), ("xeon-e5-2637-v3", "LGA2011-3"), ("xeon-e7-8890-v4", "LGA2011-1"),
        ("xeon-platinum-8176", "LGA3647"), ("epyc-9354", "SP5"), ("xeon-e3-1240-v3", "LGA1150"),
        ("xeon-e3-1240-v5", "LGA1151"),
    ],
)  # fmt: skip
def test_sockets_of_processors(name: str, socket: str) -> None:
    """Product specifications of Intel and AMD."""
    assert str(shipped().take(name, ProcessorPart).socket) == socket


def test_a_server_has_the_socket_of_its_chipset() -> None:
    """The release matrices name the onboard controller of a server, and that is its chipset."""
    for server in shipped().of(ServerPart):
        for chipset in CHIPSETS.keys() & server.takes.keys():
            assert str(server.socket) == CHIPSETS[chipset], server.name


def _problems(processor: str, server: str) -> list[Problem]:
    base = load_system("raid-controllers")
    return check(changed(base, {"processor": processor, "server": server, "processors": 1}))


@pytest.mark.parametrize(
    ("processor", "server", "what", "hint"),
    [
        ("epyc-9354", "primergy-rx2540-m1", "AMD EPYC 9354 sits in SP5, PRIMERGY RX2540 M1 has LGA2011-3",
         "take xeon-e5-2603-v3, xeon-e5-2637-v3, xeon-e5-2660-v3, xeon-e5-2698-v3, or another server"),
        ("xeon-e7-8890-v4", "primergy-rx2560-m1",
         "Intel Xeon E7-8890 v4 sits in LGA2011-1, PRIMERGY RX2560 M1 has LGA2011-3",
         "take xeon-e5-2603-v3, xeon-e5-2637-v3, xeon-e5-2660-v3, xeon-e5-2698-v3, or another server"),
        ("xeon-e5-2660-v3", "primergy-rx1330-m1",
         "Intel Xeon E5-2660 v3 sits in LGA2011-3, PRIMERGY RX1330 M1 has LGA1150",
         "take xeon-e3-1240-v3, or another server"),
        ("xeon-e3-1240-v3", "primergy-rx1330-m2",
         "Intel Xeon E3-1240 v3 sits in LGA1150, PRIMERGY RX1330 M2 has LGA1151",
         "take xeon-e3-1240-v5, or another server"),
    ],
)  # fmt: skip
def test_a_processor_that_does_not_fit(processor: str, server: str, what: str, hint: str) -> None:
    found = [one for one in _problems(processor, server) if one.where.endswith("host.processor")]
    assert [(one.what, one.hint) for one in found] == [(what, hint)]


def test_where_no_processor_has_the_socket_another_server_is_named() -> None:
    parts = [part for name, part in shipped().parts.items() if name != "xeon-e3-1240-v3"]
    changes = {"server": "primergy-rx1330-m1", "processors": 1}
    found = check(changed(load_system("raid-controllers"), changes), Catalog(parts))
    (told,) = (one for one in found if one.where.endswith("host.processor"))
    assert told.hint == "the catalogue has no processor for LGA1150: take another server"


@pytest.mark.parametrize("chipset", CHIPSETS)
@pytest.mark.parametrize("processor", ["xeon-e5-2660-v3", "xeon-e3-1240-v3", "xeon-e3-1240-v5", "epyc-9354"])
@pytest.mark.parametrize("server", [None, "primergy-tx2560-m1"])
def test_a_chipset_is_on_boards_with_one_socket(chipset: str, processor: str, server: str | None) -> None:
    """Without a server, and in one of which no source says the socket."""
    catalog = shipped()
    system = load_system("raid-onboard")
    changes = {"controller": chipset, "processor": processor, "processors": 1, "server": server or "none"}
    found = [one for one in check(changed(system, changes)) if one.where.endswith("host.processor")]
    sits, there = str(catalog.take(processor, ProcessorPart).socket), CHIPSETS[chipset]
    if sits == there:
        assert found == []
        return
    (told,) = found
    titles = catalog.get(processor).title, catalog.get(chipset).title
    assert told.what == f"{titles[0]} sits in {sits}, {titles[1]} is on boards with {there}"
    able = [one.name for one in catalog.of(ProcessorPart) if str(one.socket) == there]
    assert told.hint == f"take {', '.join(able)}, or another controller"


@pytest.mark.parametrize("which", ["processor", "chipset"])
def test_where_a_socket_is_not_known_any_processor_is_allowed(which: str) -> None:
    name = "epyc-9354" if which == "processor" else "c610"
    catalog = shipped().having(shipped().get(name).model_copy(update={"socket": None}))
    assert check(changed(load_system("raid-onboard"), {"processor": "epyc-9354"}), catalog) == []


@pytest.mark.parametrize(
    ("processor", "server"),
    [("xeon-e5-2637-v3", "primergy-rx2560-m1"), ("epyc-9354", "primergy-tx2560-m1")],
)
def test_what_fits_or_is_not_known_is_allowed(processor: str, server: str) -> None:
    """No source says the socket of PRIMERGY TX2560 M1."""
    assert [one for one in _problems(processor, server) if "processor" in one.where] == []


def test_fits_answers_from_both_sides() -> None:
    catalog = shipped()
    processor = catalog.take("xeon-e7-8893-v4", ProcessorPart)
    servers = [fit.part for fit in fits(processor, catalog)]
    assert [part.name for part in servers] == [
        "primequest-2800e3-du-1c", "primequest-2800e3-du-2c", "primequest-2800e3-sb",
    ]  # fmt: skip
    for server in catalog.of(ServerPart):
        there = [fit.part for fit in fits(server, catalog) if fit.part.kind == "processor"]
        assert there == processors_of(server, catalog)
        assert (processor in there) == (server in servers)


def test_sockets_are_shown(iodyno_says: CommandLine) -> None:
    assert "LGA2011-3 (assumed; its chipset C610" in iodyno_says("catalog", "show", "primergy-rx2540-m1").out
    assert "SP5 (datasheet)" in iodyno_says("catalog", "show", "epyc-9354").out
    said = iodyno_says("catalog", "fits", "Xeon-Platinum-8176").out
    assert "thinksystem-sr850  ThinkSystem SR850  LGA3647  up to 4 processors" in said
    there = json.loads(iodyno_says("catalog", "fits", "primergy-rx2560-m1", "--json").out)
    assert {"name": "xeon-e5-2660-v3", "socket": "LGA2011-3"}.items() <= next(
        entry for entry in there if entry["kind"] == "processor"
        and entry["name"] == "xeon-e5-2660-v3"
    ).items()  # fmt: skip
    assert iodyno_says("catalog", "fits", "epyc-9354").out == (
        "No server in the catalogue is known to have its socket, SP5.\n"
    )
    assert "No source in the catalogue says which processors" in (
        iodyno_says("catalog", "fits", "primergy-rx4770-m1").out
    )


def test_a_socket_without_a_source_is_refused() -> None:
    (file,) = (file for file in part_files() if file.name == "epyc-9354.toml")
    text = file.read_text("utf-8").replace('socket = { value = "SP5", kind = "datasheet", source = "amd" }',
                                           'socket = { value = "SP5", kind = "datasheet" }')  # fmt: skip
    with pytest.raises(CatalogError, match=r"socket\.source: is missing"):
        parse_part(text)


@pytest.mark.parametrize(("sockets", "together", "most"), [(4, 2, 2), (2, 4, 2), (4, None, 4), (1, 2, 1)])
def test_there_are_as_many_processors_as_have_a_socket_and_work_together(
    sockets: int, together: int | None, most: int
) -> None:
    def counted(value: int) -> Quantity:
        return Quantity(value=value, unit="count", kind="assumed", note="made up")

    catalog = shipped()
    server = catalog.take("primergy-rx2540-m1", ServerPart)
    processor = catalog.take("xeon-e5-2660-v3", ProcessorPart)
    model = {key: value for key, value in processor.model.items() if key != "sockets"}
    model |= {"sockets": counted(together)} if together else {}
    made = (
        server.model_copy(update={"model": {**server.model, "sockets": counted(sockets)}}),
        processor.model_copy(update={"model": model}),
    )
    others = [part for name, part in catalog.parts.items() if name not in (server.name, processor.name)]
    there = Catalog([*others, *made])
    said = "1 processor" if most == 1 else f"up to {most} processors"
    for of, other in (made, made[::-1]):
        (fit,) = (fit for fit in fits(of, there) if fit.part.name == other.name)
        assert fit.note == said
