"""Systems as documents: a tree of parts in a few lines of TOML.

A system has a host, and drives on controllers or connected directly::

    schema = 1
    name = "raid-sas-8"
    title = "Eight SAS drives behind a RAID controller"

    [host]
    server = "primergy-rx2560-m1"       # optional: then it is checked what fits in it
    processor = "xeon-e5-2660-v3"
    processors = 2                      # 1
    software = "windows-raw-megaraid"   # what an I/O costs in the host; a list: one for each kind of drives
    settings = "performance"            # power settings

    [[controller]]
    part = "praid-ep420i"
    mode = "performance"                # a preset, or the settings themselves:
    read = "read-ahead"                 # read-ahead, no-read-ahead
    write = "write-back"                # write-through, write-back, always-write-back
    cache = "direct"                    # direct, cached
    drive_cache = "off"                 # on, off
    backup_unit = true                  # has a flash backup unit
    expander = "sas-expander-12g"       # for more drives than lanes
    link = "PCIe 3.0 x8"                # the slot, where it gives less than the controller could have
    unit = "primequest-2800e3-du-2c"    # board or unit that it sits in, where that is not the server
    instances = 1                       # of an onboard controller

    [[controller.logical]]
    name = "volume"                     # the target's name: "volume" unless another is given
    drive = "toshiba-px02smf040"
    count = 8
    level = "5"                         # JBOD, 0, 1, 1E, 10, 5, 6, 50, 60
    raid = "controller"                 # who joins the drives: controller or host
    strip = "256k"                      # the controller's usual one unless another is given
    groups = 1                          # of RAID 50 and 60
    failed = [0]                        # members that have failed, by position
    rebuild_mb_s = 0                    # rate at which each of them is being rebuilt
    read = "read-ahead"                 # a setting of this logical drive alone; so write, cache, drive_cache

    [[drives]]                          # connected directly to the host
    drive = "intel-p3700-800"
    count = 4
    form_factor = "SFF"
    switch = "nvme-1610-4p"             # through a switch adapter; else by a cable or in a slot
    link = "PCIe 3.0 x2"                # what its slot, or the switch's port, gives each, where that is less
    level = "0"                         # RAID of the operating system; without it each drive is a volume
    strip = "64k"
    name = "volume"                     # of one volume; several are numbered: volume-1, volume-2 …
    write_cache = "on"
    filled = 1.0                        # share of the range outside the accessed area that holds data

Every key but names of parts has a default. A study gives a system by its name, or such a table
inline, with changes: see :func:`iodyno.catalog.changes.changed`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PlainSerializer, ValidationError

from iodyno.catalog.parts import PART_NAME, CachePolicy, Mode, ReadPolicy, Switchable, WritePolicy
from iodyno.catalog.reading import parse_toml
from iodyno.catalog.written import Written
from iodyno.errors import CatalogError, HintedValueError, IodynoError, Problem
from iodyno.folders import is_there, toml_meant, written_text
from iodyno.problems import Tables, did_you_mean, problems_of
from iodyno.profiles import Share, Size
from iodyno.record import Flag, Number
from iodyno.virtual import Level

SYSTEM_SCHEMA = 1


def _level(value: Any) -> Any:
    """Let ``level = 5`` stand for "5", and "1e" for "1E"."""
    return str(value).upper() if isinstance(value, int | str) and not isinstance(value, bool) else value


WrittenLevel = Annotated[Level, BeforeValidator(_level)]


def _listed(value: Any) -> Any:
    """Let one position stand for a list of one."""
    return [value] if isinstance(value, int) and not isinstance(value, bool) else value


SOFTWARE_HINT = "name one, or one for each kind of drives; `iodyno catalog list software` lists them"


def _software(value: Any) -> Any:
    """Let one name stand for a list of one."""
    if value in ([], ()):
        raise HintedValueError("is empty", SOFTWARE_HINT)
    return value if isinstance(value, list | tuple) else [value]


def _alone(names: tuple[str, ...]) -> str | tuple[str, ...]:
    """Write a list of one as the name alone."""
    return names[0] if len(names) == 1 else names


MOST = 4096
"""Most processors, drives of a table, groups and instances that are asked for."""


def _name(value: Any) -> Any:
    """Refuse a name that cannot be read where it is printed."""
    if isinstance(value, str) and (not value.strip() or not value.isprintable()):
        raise ValueError(f"{json.dumps(value)} is no name: write one line of letters, digits and signs")
    return value


def _schema(value: Any) -> Any:
    """Say of a newer version that it is newer."""
    if isinstance(value, int) and value > SYSTEM_SCHEMA:
        raise ValueError(f"{value} is newer than this iodyno reads, {SYSTEM_SCHEMA}: update iodyno")
    return value


Count = Annotated[int, Number, Field(ge=1, le=MOST)]
Position = Annotated[int, Number, Field(ge=0, lt=MOST)]
Positions = Annotated[tuple[Position, ...], BeforeValidator(_listed)]
SoftwareNames = Annotated[
    tuple[str, ...],
    BeforeValidator(_software),
    PlainSerializer(_alone),
    Field(min_length=1, examples=["linux-nvme"]),
]
VolumeName = Annotated[str, BeforeValidator(_name)]
RebuildRate = Annotated[float, Number, Field(ge=0, le=100_000, allow_inf_nan=False)]


class HostSpec(Written):
    """``[host]``."""

    server: str | None = None
    """Server; given, it is checked that it takes the parts."""
    processor: str
    """Processor."""
    processors: Count = 1
    """Number of processors, 1 to 4096."""
    software: SoftwareNames
    """Host software: what an I/O costs in the host. A list where drives of different kinds have each their
    own: ``["linux-nvme", "linux-scsi"]``."""
    settings: str = "performance"
    """Power settings: ``performance``, ``power-plan`` or ``default``."""


class Settings(Written):
    """Settings of a controller, or of one of its logical drives: what is not given comes from the mode, and
    without one is what the lines below say."""

    read: ReadPolicy | None = None
    """Read policy; ``no-read-ahead`` where nothing says."""
    write: WritePolicy | None = None
    """Write policy; ``write-back`` needs a flash backup unit; ``write-through`` where nothing says."""
    cache: CachePolicy | None = None
    """Whether reads fill the controller's cache; ``direct`` where nothing says."""
    drive_cache: Switchable | None = None
    """Write cache of the drives; as they come where nothing says."""


class LogicalSpec(Settings):
    """``[[controller.logical]]``."""

    name: VolumeName | None = None
    """Name of the volume, the target's; ``volume`` unless given, several are numbered."""
    drive: str
    """The drives."""
    count: Count = 1
    """Number of drives, 1 to 4096."""
    level: WrittenLevel = "JBOD"
    """RAID level."""
    raid: Literal["controller", "host"] | None = None
    """Who joins the drives: ``controller``, or ``host``, to whom a controller with JBOD passes each of them
    through; unless given the controller, and the host where it is an onboard one."""
    strip: Size | None = None
    """Strip size, one that the controller offers, or of RAID of the host any power of two from 4 KiB on; the
    usual one unless given."""
    groups: Count | None = None
    """Groups of RAID 50 and 60; 2 unless given."""
    failed: Positions = ()
    """Positions of members that have failed, from 0: `[0, 1]` the first two, 2 alone the third."""
    rebuild_mb_s: RebuildRate = 0
    """Rate in MB/s at which each failed member is rebuilt, 0.1 to 100000; 0: none is."""
    filled: Share | None = None
    """Share of an SSD's range outside the accessed area that holds data, 0 to 1; the part's unless given."""

    @property
    def by_host(self) -> bool:
        """Whether it is asked for that the host joins drives which the controller passes through."""
        return self.raid == "host" and self.level != "JBOD"


class ControllerSpec(Settings):
    """``[[controller]]``."""

    part: str
    """The controller."""
    mode: Mode | None = None
    """Preset mode that its settings come from."""
    backup_unit: Flag = False
    """Whether it has a flash backup unit."""
    expander: str | None = None
    """Expander, for more drives than lanes."""
    link: str | None = None
    """What its slot gives, where that is less than it could have: ``PCIe 2.0 x4``."""
    unit: str | None = None
    """Board or unit of the server that it sits in, a part with ``board_of``; the server itself unless
    given."""
    instances: Count = 1
    """Instances of an onboard controller, which share its link."""
    logical: tuple[LogicalSpec, ...] = Field(min_length=1)
    """Logical drives, at least one."""


class DirectSpec(Written):
    """``[[drives]]``: drives that the host has without a controller."""

    name: VolumeName | None = None
    """Name of the volume; ``volume`` unless given, several are numbered."""
    drive: str
    """The drives."""
    count: Count = 1
    """Number of drives, 1 to 4096."""
    form_factor: str | None = None
    """Form factor, one that the drive comes in."""
    switch: str | None = None
    """Switch adapter that they hang on; none: a slot or cable each."""
    link: str | None = None
    """What the slot of each gives, behind a switch adapter its port, where that is less than it could have:
    ``PCIe 3.0 x2``."""
    level: WrittenLevel | None = None
    """RAID level of the operating system; none: each drive is a volume."""
    strip: Size | None = None
    """Strip size of that RAID; the software's usual one unless given."""
    failed: Positions = ()
    """Positions of members that have failed, from 0: `[0, 1]` the first two, 2 alone the third."""
    write_cache: Switchable | None = None
    """Write cache of the drives."""
    filled: Share | None = None
    """Share of an SSD's range outside the accessed area that holds data, 0 to 1; the part's unless given."""


class SystemSpec(Written):
    """A system as written."""

    schema_: Annotated[Literal[1], Number, BeforeValidator(_schema)] = Field(1, alias="schema")
    """Version of this format."""
    name: str = Field(pattern=PART_NAME)
    """Short name: lower case, digits, hyphens, dots."""
    title: str = ""
    """Name as shown; the short name where empty."""
    source: str = ""
    """What it stands for, with citation, where it does for a published one."""
    host: HostSpec
    """``[host]``."""
    controller: tuple[ControllerSpec, ...] = ()
    """``[[controller]]``."""
    drives: tuple[DirectSpec, ...] = ()
    """``[[drives]]``."""


TABLES: Tables = {
    (): SystemSpec,
    ("host",): HostSpec,
    ("controller",): ControllerSpec,
    ("controller", "logical"): LogicalSpec,
    ("drives",): DirectSpec,
}
"""The table that each path of a system holds, its indices left out."""


def shipped_systems() -> list[str]:
    """Give the names of the systems that come with iodyno, sorted."""
    folder = resources.files("iodyno").joinpath("catalog").joinpath("systems")
    return sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))


def load_system(name_or_path: str | Path) -> SystemSpec:
    """Read a system that is shipped, by its name, or any other by its path.

    Raises
    ------
    CatalogError
        With every problem of the document, or because there is none. Whether the parts fit is
        another question: see :func:`iodyno.catalog.checks.check`.

    Examples
    --------
    >>> load_system("p3700").host.processor
    'xeon-e5-2637-v3'
    """
    return system_of(document_of(name_or_path), str(name_or_path))


def system_text(name: str) -> str:
    """Give the TOML of a system that is shipped."""
    folder = resources.files("iodyno").joinpath("catalog").joinpath("systems")
    return folder.joinpath(f"{name}.toml").read_text("utf-8")


def document_of(name_or_path: str | Path) -> dict[str, Any]:
    """Read the TOML of a system that is shipped, by its name, or of any other by its path.

    Raises
    ------
    CatalogError
        If there is none, if it is no TOML, a study or a part.
    """
    name = str(name_or_path)
    if name in shipped_systems():
        return parse_toml(system_text(name), name)
    path = Path(name_or_path)
    if not is_there(path) and path.suffix != ".toml":
        raise _no_system(name)
    try:
        text = written_text(path)
    except UnicodeDecodeError as error:
        raise CatalogError.of(name, f"byte {error.start} is not UTF-8", "save it as UTF-8") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        hint = "`iodyno catalog list system` names those that are shipped"
        if isinstance(error, FileNotFoundError) and (file := toml_meant(name)):
            hint = f"did you mean {file}? {hint}"
        raise CatalogError.of(name, f"cannot be read: {reason.lower()}", hint) from None
    document = parse_toml(text, name)
    if "sweep" in document and "host" not in document:
        raise CatalogError.of(name, "is a study, no system", f"`iodyno simulate {name}` runs it")
    if "kind" in document and "host" not in document:
        raise CatalogError.of(name, "is a part, no system", f"`iodyno catalog show {name}` describes it")
    return document


def _no_system(name: str) -> IodynoError:
    """Say that a name is that of a part, and which systems have it, or that it is none at all."""
    from iodyno.catalog.shelf import catalogue  # which reads parts beside the systems here

    part = next((known for known in catalogue().parts if known == name.lower()), "")
    studies = {file.name for file in resources.files("iodyno").joinpath("studies").iterdir()}
    if not part and f"{name}.toml" in studies:
        return CatalogError.of(name, "is a study, no system", f"`iodyno simulate {name}` runs it")
    if not part:
        hint = did_you_mean(name, shipped_systems(), "systems") + "; or give the path of a TOML file"
        if file := toml_meant(name):
            hint = f"give {file}, or a name; {did_you_mean(name, shipped_systems(), 'systems')}"
        return CatalogError.of(name, "there is no system of this name", hint)
    having = [system for system in shipped_systems() if f'"{part}"' in system_text(system)]
    simplest = min(having or ["raid-single-drive"], key=lambda system: len(system_text(system)))
    begin = f"`iodyno catalog show {simplest} --toml` begins one of your own"
    hint = f"systems with it: {', '.join(having)}; {begin}" if having else begin
    return CatalogError.of(name, "is a part, no system", hint)


def parse_system(text: str, where: str = "system") -> SystemSpec:
    """Read a system from TOML.

    Raises
    ------
    CatalogError
        With every problem of the document.
    """
    return system_of(parse_toml(text, where), where)


def system_of(document: Mapping[str, Any], where: str = "system") -> SystemSpec:
    """Make a system of a table: a TOML document, or what a study holds inline.

    Raises
    ------
    CatalogError
        With every problem of the table.
    """
    try:
        return SystemSpec.model_validate(document)
    except ValidationError as error:
        raise CatalogError(*form_problems(error, document, where)) from None


def part_names(system: SystemSpec) -> list[str]:
    """Name the parts that a system is made of, each once.

    Examples
    --------
    >>> part_names(load_system("p3700"))
    ['xeon-e5-2637-v3', 'windows-2012-ntfs-nvme', 'performance', 'intel-p3700-800']
    """
    host = system.host
    names = [host.server, host.processor, *host.software, host.settings]
    for controller in system.controller:
        names += [controller.part, controller.unit, controller.expander]
        names += [logical.drive for logical in controller.logical]
    names += [name for group in system.drives for name in (group.drive, group.switch)]
    return list(dict.fromkeys(name for name in names if name))


def form_problems(error: ValidationError, document: Mapping[str, Any], where: str) -> list[Problem]:
    """Say what pydantic found in the table of a system."""
    return [
        Problem(f"{where}: {p.where}" if p.where else where, p.what, p.hint)
        for p in problems_of(error, document, TABLES)
    ]
