"""What cannot be read of a system and what its parts cannot come together, and nothing follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine
from iodyno.catalog.checks import check, checked
from iodyno.catalog.partly import partly
from iodyno.catalog.reading import parse_toml
from iodyno.catalog.tree import document_of, load_system, shipped_systems
from iodyno.errors import CatalogError

SSD = "toshiba-px02smf040"
HOST = {"processor": "xeon-e5-2660-v3", "processors": 2, "software": "windows-raw-megaraid"}
BOTH = """
name = "Two Words"
[host]
server = "primergy-rx2540-m1"
procesor = "x"
processors = 9
software = "windows-raw-megaraid"
[[controller]]
part = "praid-cp400i"
mode = "fast-path-optimum"
write = "wrong"
link = 3
[[controller.logical]]
drive = "toshiba-px02smf040"
cuont = 30
level = "6"
[[controller.logical]]
drive = "intel-p3700-800"
count = 3
level = "10"
filled = 7
[drives]
drive = "intel-p3700-2000"
count = 12
form_factor = "AIC"
"""
STUDY = """
schema = 1
name = "a"
title = "A"
[measurement]
MEASUREMENT
[[configuration]]
name = "fine"
system = "p3700"
volumes = ["volum"]
[[configuration]]
name = "x{n}"
system = "p3700"
changes = { count = "{n}", levl = "5", drive = "intel-p3700-80" }
each = { n = [0, 40] }
[[configuration]]
name = "inline"
[configuration.system.host]
processor = "epyc-9354"
processors = 4
softwar = "linux-nvme"
[[configuration.system.drives]]
drive = "samsung-pm1743-7680"
filled = 2
[[sweep]]
name = "s"
profiles = ["PROFILE"]
outstanding = [4]
"""


def _told(document: Mapping[str, Any]) -> dict[str, str]:
    with pytest.raises(CatalogError) as raised:
        checked(document, "made")
    return {problem.where.removeprefix("made: "): problem.what for problem in raised.value.problems}


def _system(**controller: Any) -> dict[str, Any]:
    logical = {"drive": SSD, "count": 8, "level": "5"} | controller.pop("logical", {})
    server = {"server": controller.pop("server")} if "server" in controller else {}
    return {"name": "made", "host": HOST | server,
            "controller": [{"part": "praid-ep420i", "logical": [logical]} | controller]}  # fmt: skip


def test_form_and_parts_in_one_answer() -> None:
    told = _told(parse_toml(BOTH, "made"))
    assert {place: what for place, what in told.items() if "short name" not in what} == {
        "host.procesor": "is no key of this table",
        "host.processors": "9 processors, PRIMERGY RX2540 M1 has 2 sockets",
        "controller[0].mode": "PRAID CP400i has no mode fast-path-optimum",
        "controller[0].write": '"wrong" is not one of write-through, write-back, always-write-back',
        "controller[0].link": "3 is no text in quotes",
        "controller[0].logical[0].cuont": "is no key of this table",
        "controller[0].logical[0].level": "PRAID CP400i has no RAID 6",
        "controller[0].logical[1].count": "RAID 10 needs an even number of drives, not 3",
        "controller[0].logical[1].filled": "7 is outside 0 to 100%",
        "controller[0].logical[1].drive": (
            "Intel SSD DC P3700 800 GB has PCIe 3.0 x4, PRAID CP400i takes SAS 12G"
        ),
        "drives": "a table is no list",
        "drives[0].count": "12 drives, PRIMERGY RX2540 M1 takes 8 of them",
        "drives[0].form_factor": "the release matrix of PRIMERGY RX2540 M1 has it as SFF, not as AIC",
    }


@pytest.mark.parametrize(
    ("controller", "places"),
    [
        # A number that cannot be read is no number of drives that is too small, or too large.
        ({"logical": {"count": 0}}, ["controller[0].logical[0].count"]),
        ({"logical": {"count": True}}, ["controller[0].logical[0].count"]),
        # A mistyped key does not leave the default in its place: 20 drives without an expander.
        ({"expandr": "sas-expander-12g", "logical": {"count": 20}}, ["controller[0].expandr"]),
        # A level that cannot be read has no number of drives, and no member that may fail.
        ({"logical": {"level": "7", "failed": [0, 1]}}, ["controller[0].logical[0].level"]),
        # With an expander that is not known more drives than lanes are no problem of their own.
        ({"expander": "sas-expandr-12g", "logical": {"count": 20}}, ["controller[0].expander"]),
        # A unit that is not known is not the server instead.
        ({"unit": "rx2540", "part": "praid-em400i", "logical": {"count": 2, "level": "0"},
          "server": "primergy-rx2560-m1"}, ["controller[0].unit"]),
        # A controller that is not known takes what it takes; the level stays what it is.
        ({"part": "praid", "logical": {"count": 2}},
         ["controller[0].part", "controller[0].logical[0].count"]),
        # A level that the controller does not have needs no number of drives.
        ({"part": "psas-cp400i", "logical": {"count": 2, "level": "60"}}, ["controller[0].logical[0].level"]),
        # More than fit in the server is told of the server; that the same are too many elsewhere follows.
        ({"part": "praid-cp400i", "server": "primergy-rx2540-m1", "logical": {"count": 30}},
         ["controller[0].logical"]),
    ],
)  # fmt: skip
def test_nothing_follows_from_what_cannot_be_read(controller: dict[str, Any], places: list[str]) -> None:
    assert list(_told(_system(**controller))) == places


@pytest.mark.parametrize(
    ("logical", "more"),
    [
        ({"level": "6", "groups": 3, "failed": [40]},
         {"groups": "RAID 6 has no groups", "failed": "there are 8 members, counted from 0"}),
        ({"level": "6", "failed": [1, 1], "rebuild_mb_s": 0.01},
         {"failed": "member 1 is there twice", "rebuild_mb_s": "0.01 MB/s is less than 0.1 MB/s"}),
        ({"level": "6", "failed": [0, 1, 2]}, {"failed": "RAID 6 does not survive that"}),
    ],
)  # fmt: skip
def test_members_and_groups_do_not_wait_for_a_level_that_the_controller_has(
    logical: dict[str, Any], more: dict[str, str]
) -> None:
    """They depend on level and number alone: on CP400i, which has no RAID 6 and 60, only that was told."""
    told = _told(_system(logical=logical))
    assert told == {f"controller[0].logical[0].{key}": what for key, what in more.items()}
    lacks = {"controller[0].logical[0].level": f"PRAID CP400i has no RAID {logical['level']}"}
    assert _told(_system(part="praid-cp400i", logical=logical)) == told | lacks


def test_groups_and_members_that_could_be_are_none_for_the_want_of_a_level() -> None:
    logical = {"level": "60", "groups": 2, "failed": [0], "rebuild_mb_s": 10}
    told = _told(_system(part="praid-cp400i", logical=logical))
    assert told == {"controller[0].logical[0].level": "PRAID CP400i has no RAID 60"}


def test_a_level_that_was_left_out_has_no_members_that_fail() -> None:
    """What it is instead of the level that was meant, no problem is about."""
    document = _system(logical={"failed": [0], "groups": 2})
    del document["controller"][0]["logical"][0]["level"]
    assert list(_told(document)) == ["controller[0].logical[0].level"]


def test_a_mistyped_key_of_an_array_of_the_host() -> None:
    group = {"drive": "intel-p3700-800", "cuont": 4, "level": "5"}
    host = HOST | {"software": "windows-2012-ntfs-nvme"}
    assert list(_told({"name": "made", "host": host, "drives": [group]})) == ["drives[0].cuont"]


def test_names_of_volumes_are_compared_as_far_as_they_can_be_read() -> None:
    drive = {"drive": "intel-p3700-800"}
    host = HOST | {"software": "windows-2012-ntfs-nvme"}
    groups = [{**drive, "name": "a"}, {**drive, "name": "a"}, {**drive, "count": 0}]
    assert list(_told({"name": "made", "host": host, "drives": groups})) == ["name", "drives[2].count"]
    # Without the third the first would be called "volume", with it "volume-1".
    groups = [drive, {**drive, "name": "volume"}, {**drive, "count": 0}]
    assert list(_told({"name": "made", "host": host, "drives": groups})) == ["drives[2].count"]


@pytest.mark.parametrize(
    "document",
    [
        {}, {"host": 5}, {"host": []}, {"controller": "a"}, {"controller": [5]}, {"drives": [[]]},
        {"controller": [{"logical": 3}]}, {"controller": [{"logical": [None]}]}, {"drives": {"drive": []}},
        {"controller": {"part": "praid-ep420i", "logical": {"drive": SSD, "count": {}}}},
        {"name": "a", "host": {"processor": {}, "server": 3, "software": [], "settings": 1}},
    ],
)  # fmt: skip
def test_whatever_a_document_holds_it_is_read_as_far_as_it_goes(document: dict[str, Any]) -> None:
    found = partly(document, "made")
    assert found.problems
    check(found.system, where="made")


@pytest.mark.parametrize("name", shipped_systems())
def test_what_can_be_read_is_read_as_ever(name: str) -> None:
    """A key too many leaves all the rest as validation has it."""
    found = partly({**document_of(name), "colour": "red"}, name)
    assert [problem.where for problem in found.problems] == [f"{name}: colour"]
    assert found.system.__dict__ == load_system(name).__dict__


def _errors(said: str) -> list[str]:
    return [line.removeprefix("error: ") for line in said.splitlines() if line.startswith("error: ")]


def _written(folder: Path, measurement: str, profile: str) -> Path:
    file = folder / "a.toml"
    file.write_text(STUDY.replace("MEASUREMENT", measurement).replace("PROFILE", profile))
    return file


OF_CHANGED = [
    ":14: x0, x40: levl: is nothing that can be changed",
    ":14: x0: drives[0].count: 0 is below the least of 1",
    ':14: x0, x40: drives[0].drive: there is no part "intel-p3700-80"',
]
OF_INLINE = [
    ":20: inline: host.processors: 4 processors, of AMD EPYC 9354 at most 2 work together",
    ":21: inline: host.softwar: is no key of this table",
    ":24: inline: drives[0].filled: 2 is outside 0 to 100%",
]
NO_VOLUME = ':10: fine: volumes: the system has no volume "volum"'


def test_a_study_that_cannot_be_read_tells_of_its_systems_too(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    file = _written(tmp_path, "seed = true", "databse")
    said = iodyno_says("simulate", file)
    assert (said.code, said.out) == (2, "")
    assert _errors(said.err) == [
        f"{file}{one}"
        for one in (
            ":6: measurement.seed: true is no number",
            NO_VOLUME, *OF_CHANGED, *OF_INLINE,
            ':27: sweep[0].profiles[0]: there is no profile "databse"',
        )
    ]  # fmt: skip


def test_sweeps_are_looked_at_where_some_systems_cannot_be(iodyno_says: CommandLine, tmp_path: Path) -> None:
    file = _written(tmp_path, "verify = true", "database")
    said = iodyno_says("simulate", file, "--plan")
    assert (said.code, said.out) == (2, "")
    assert _errors(said.err) == [
        f"{file}{one}"
        for one in (
            ":6: measurement.verify: virtual targets hold no data: there is nothing to verify",
            NO_VOLUME, *OF_CHANGED, *OF_INLINE,
        )
    ]  # fmt: skip


def test_that_nothing_runs_does_not_follow_from_systems_that_cannot_be(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    file = _written(tmp_path, "floor_s = 1", "database")
    said = iodyno_says("simulate", file, "--only", "inline")
    assert _errors(said.err) == [f"{file}{one}" for one in OF_INLINE]


def test_a_file_is_told_of_once_whatever_is_made_of_it(iodyno_says: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text(
        'name = "base"\n[host]\nprocessor = "xeon-e5-2637-v3"\nsoftware = "linux-nvme"\ncolour = "red"\n'
        '[[drives]]\ndrive = "intel-p3700-800"\n'
    )
    study = tmp_path / "study.toml"
    study.write_text(
        'name = "a"\ntitle = "A"\n[[configuration]]\nname = "c{n}"\n'
        f'system = "{tmp_path}/base.toml"\nchanges = {{ count = "{{n}}" }}\neach = {{ n = [1, 0, 99] }}\n'
        '[[sweep]]\nname = "s"\nset = "field"\n'
    )
    assert _errors(iodyno_says("simulate", study).err) == [
        f"{tmp_path}/base.toml:5: host.colour: is no key of this table",
        f"{study}:3: c99: host.processors: the parts use 396 lanes of PCIe, the processors have 40",
        f"{study}:6: c0: drives[0].count: 0 is below the least of 1",
    ]


def test_toml_that_is_none_stays_alone(iodyno_says: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text('name = "a"\n[host\n')
    assert len(_errors(iodyno_says("catalog", "check", file).err)) == 1


def test_a_part_is_told_from_a_system_and_a_study(iodyno_says: CommandLine, tmp_path: Path) -> None:
    study, system, part = (
        _written(tmp_path, "floor_s = 1", "database"),
        tmp_path / "s.toml",
        tmp_path / "p.toml",
    )
    system.write_text('name = "a"\n[host]\n[[drives]]\ndrive = "x"\n')
    part.write_text('kind = "ssd"\nname = "a"\n')
    for asked, error in {
        ("plan", part): f"{part}: is a part, no study",
        ("catalog", "check", part): f"{part}: is a part, no system",
        ("catalog", "show", study): f"{study}: is a study, no part",
        ("catalog", "fits", study): f"{study}: is a study, no part",
        ("catalog", "fits", system): f"{system}: is a system, no part",
    }.items():
        said, hint = iodyno_says(*asked).err.splitlines()
        assert said == f"error: {error}"
        assert hint.startswith("hint: `iodyno ")


def test_a_system_is_told_from_a_study(iodyno_says: CommandLine, tmp_path: Path) -> None:
    study, system = _written(tmp_path, "floor_s = 1", "database"), tmp_path / "system.toml"
    system.write_text('name = "a"\n[host]\n[[drives]]\ndrive = "x"\n')
    for asked in (("catalog", "check", study), ("simulate", "--on", study)):
        assert iodyno_says(*asked).err.splitlines() == [
            f"error: {study}: is a study, no system", f"hint: `iodyno simulate {study}` runs it",
        ]  # fmt: skip
    assert iodyno_says("simulate", system).err.splitlines() == [
        f"error: {system}: is a system, no study",
        f"hint: `iodyno simulate --on {system}` runs a study on it",
    ]  # fmt: skip
