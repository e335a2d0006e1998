"""Parts as documents: every key of their TOML files.

Numbers stand in the tables ``[model]`` and ``[facts]``; which ones a kind of part has is in
:mod:`iodyno.catalog.fields`. Words (names, levels, settings) have one source a part.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from iodyno.catalog.levels import Mirrors
from iodyno.catalog.quantity import FiniteNumber, Kind, Quantity
from iodyno.catalog.wanted import Fitting
from iodyno.errors import HintedValueError
from iodyno.profiles import Record, Size
from iodyno.record import Flag, Number
from iodyno.virtual import Level

PART_NAME = r"^[a-z0-9][a-z0-9.-]*$"

ReadPolicy = Literal["read-ahead", "no-read-ahead"]
WritePolicy = Literal["write-through", "write-back", "always-write-back"]
CachePolicy = Literal["direct", "cached"]
Switchable = Literal["on", "off"]
MODES = ("data-protection", "performance", "fast-path-optimum")
Mode = Literal["data-protection", "performance", "fast-path-optimum"]


T = TypeVar("T")


def _line(value: Any) -> Any:
    """Refuse a text that is nothing, or more than one line where one is printed."""
    if isinstance(value, str) and (not value.strip() or not value.isprintable()):
        raise ValueError(f"{json.dumps(value)} is no text of one line")
    return value


def _once(values: tuple[T, ...]) -> tuple[T, ...]:
    """Refuse a list that has an entry twice."""
    twice = [value for value, times in Counter(values).items() if times > 1]
    if twice:
        raise ValueError(f"{twice[0]} is there twice")
    return values


Line = Annotated[str, BeforeValidator(_line)]
Once = AfterValidator(_once)


class Preset(Record):
    """What a preset mode sets."""

    read: ReadPolicy | None = None
    """Read policy."""
    write: WritePolicy | None = None
    """Write policy."""
    write_with_backup: WritePolicy | None = None
    """Write policy with a flash backup unit, where it differs."""
    cache: CachePolicy | None = None
    """Whether reads fill the controller's cache."""
    drive_cache: Switchable | None = None
    """Write cache of the drives."""


class Offered(Record):
    """The settings that a controller offers."""

    read: tuple[ReadPolicy, ...] = ()
    """Read policies; none where reading ahead is no setting."""
    write: tuple[WritePolicy, ...] = ()
    """Write policies."""
    cache: tuple[CachePolicy, ...] = ()
    """Whether reads can fill its cache, or pass it by."""
    drive_cache: tuple[Switchable, ...] = ()
    """Whether it turns the write cache of the drives on and off."""


class KeptFigure(Record):
    """A figure that a fit used, and how close it was met."""

    figure: Line
    """Its name: of a published figure, a fact of the part, or a load of one's own."""
    published: FiniteNumber | None = None
    """The figure, where it is a published one."""
    given: FiniteNumber | None = None
    """The figure, where it is one's own: of ``[fitting]`` or a run. One of the two is there."""
    simulated: FiniteNumber
    """What was simulated with the numbers that were found."""
    residual: FiniteNumber
    """How far that is off: ``simulated`` ÷ the figure, less 1."""
    left_out: FiniteNumber | None = None
    """How far it would be off, had the numbers been found without this figure; left out where it alone holds
    one of them, or none moves it."""

    @model_validator(mode="after")
    def _is_one(self) -> KeptFigure:
        if (self.published is None) == (self.given is None):
            what = "has neither published nor given" if self.given is None else "has published and given"
            hint = "give the figure as published, or as given where it is one's own"
            raise HintedValueError(what, hint)
        return self

    @property
    def value(self) -> int | float:
        """The figure, wherever it comes from."""
        value = self.published if self.given is None else self.given
        assert value is not None, "refused where it is read"
        return value


class KeptFit(Record):
    """``[fit.NAME]``: what fitted numbers were fitted to. Written by ``iodyno catalog fit``."""

    command: Line
    """What has found them."""
    parameters: tuple[Line, ...] = Field(min_length=1)
    """Numbers of this part that were found: ``model.program``."""
    parameters_in_all: Annotated[int, Number, Field(ge=1)] | None = None
    """How many the fit found, those of other parts too."""
    beyond: Line | None = None
    """What of the figures is not of the part alone."""
    figures: tuple[KeptFigure, ...] = ()
    """``[[fit.NAME.figures]]``, or a list of such tables."""
    figures_in: Line | None = None
    """Part whose file has the figures."""


class BasePart(Record):
    """What every part has."""

    schema_: Annotated[Literal[1], Number] = Field(1, alias="schema")
    """Version of this format."""
    name: str = Field(pattern=PART_NAME)
    """Short name: lower case, digits, hyphens, dots."""
    title: Line
    """Name as shown."""
    source: str
    """Key of the source of all that is no number."""
    sources: dict[str, Line]
    """Full citations, by key."""
    model: dict[str, Quantity] = Field(default_factory=dict)
    """``[model]``: numbers that the simulator uses, as the tables of each kind list them."""
    facts: dict[str, Quantity] = Field(default_factory=dict)
    """``[facts]``: numbers that are only shown, of any name and unit, and that others can be checked
    against. Of a drive `mtbf` in `h` and `unreadable` in `Pbit`, which are read for a block that cannot be,
    tell how probable a loss of data is."""
    fit: dict[str, KeptFit] | None = None
    """What fitted numbers were fitted to: figures, residuals. Written by ``iodyno catalog fit``."""
    fitting: Fitting | None = None
    """What of a part of one's own is to be fitted, to which figures. Read by ``iodyno catalog fit``."""
    note: str = ""
    """What a reader should know of the part."""


class DrivePart(BasePart):
    """A drive."""

    kind: Literal["ssd", "hdd"]
    """What it is."""
    interface: str
    """Its interface, of PCIe with lanes: ``SAS 12G``, ``SATA 6G``, ``PCIe 3.0 x4``."""
    form_factors: Annotated[tuple[Line, ...], Once] = Field(min_length=1)
    """Forms it comes in, in any words; its performance is the same in all of them. ``AIC`` is a card."""
    family: str = Field("", pattern=rf"^$|{PART_NAME}")
    """Family that the list of a server can name in place of the drive."""
    write_cache: Annotated[tuple[Switchable, ...], Once] = Field(("on", "off"), min_length=1)
    """Whether its write cache can be on and off; the first is its default."""
    prefetch: dict[str, Quantity] | None = None
    """``[prefetch]`` of an SSD that prefetches a single sequential stream of reads."""


class Socket(Record):
    """What a processor sits in: a word with its source, as numbers have theirs."""

    value: str = Field(pattern=r"^[A-Z0-9]+(-[0-9]+)?$")
    """Its name: ``LGA2011-3``."""
    kind: Kind
    """Where it comes from."""
    source: str = ""
    """Key of the part's ``[sources]``; an assumption may have a note instead."""
    note: str = ""
    """What a reader should know of it."""

    def __str__(self) -> str:
        return self.value


class ControllerPart(BasePart):
    """A RAID controller with a processor of its own, or an onboard one without."""

    kind: Literal["controller", "onboard"]
    """What it is: with a processor of its own, or part of the board."""
    host_interface: str
    """Link to the host, with lanes: ``PCIe 3.0 x8``, ``DMI 2.0 x4``."""
    socket: Socket | None = None
    """Of an onboard controller, which is part of a chipset, what the processors of its boards sit in; none:
    nothing is known of it, and nothing checked."""
    drive_interface: str
    """Fastest interface of drives that it takes: ``SAS 12G`` takes SATA too."""
    lanes: Quantity
    """Lanes to drives."""
    most_drives: Quantity
    """Drives without an expander, on one instance."""
    most_drives_expanded: Quantity | None = None
    """Drives with expanders; none: it takes no expander."""
    levels: Annotated[tuple[Level, ...], Once] = Field(min_length=1)
    """RAID levels; ``JBOD`` passes drives through."""
    most_drives_of_level: dict[Level, Quantity] = Field(default_factory=dict)
    """Drives of one logical drive at most, where a level has a limit of its own."""
    strips: Annotated[tuple[Size, ...], Once] = Field(min_length=1)
    """Strip sizes offered."""
    strip: Size
    """Strip size unless another is asked for."""
    backup_unit: Flag = False
    """Whether a flash backup unit can be added."""
    fast_path: Flag = False
    """Whether what is one operation on one SSD can take the fast path."""
    most_instances: Quantity | None = None
    """How many of it a board can have, where that is more than one."""
    most_drives_in_all: Quantity | None = None
    """Drives on all of them together, where that is less than what each of them takes."""
    mirror_read_from: Quantity | None = None
    """Operations under way on the first of a pair of SSDs from which on the other is read too; of hard disks
    the nearer arm reads. None: always the first."""
    offered: Offered
    """``[offered]``: settings that can be chosen."""
    modes: dict[Mode, Preset] = Field(default_factory=dict)
    """``[modes.NAME]``: preset modes, each with the settings that it stands for."""

    @property
    def has_cache(self) -> bool:
        """Whether it has a cache of its own."""
        return self.cache_bytes > 0

    @property
    def cache_bytes(self) -> int:
        """What of its memory holds data, in bytes: the firmware needs some for itself."""
        memory, firmware = self.model.get("cache"), self.model.get("firmware_memory")
        return (memory.whole if memory else 0) - (firmware.whole if firmware else 0)


class SwitchPart(BasePart):
    """A PCIe switch adapter."""

    kind: Literal["switch"]
    """What it is."""
    version: str
    """Version of PCIe on both of its sides, without lanes: ``PCIe 3.0``."""

    @property
    def host_interface(self) -> str:
        """What it has for the host: ``PCIe 3.0 x16``."""
        return f"{self.version} x{self.model['host_lanes'].whole}"


class ExpanderPart(BasePart):
    """A SAS expander."""

    kind: Literal["expander"]
    """What it is."""
    interface: str
    """Its interface on both sides: ``SAS 12G``."""


class LinkPart(BasePart):
    """A kind of link: what its versions transfer, and the overhead of a command."""

    kind: Literal["link"]
    """What it is."""
    full_duplex: Flag
    """Whether both directions can be used at once."""
    versions: dict[str, LinkVersion]
    """``[versions.NAME]``: by the name of the version, as interfaces have it."""


class LinkVersion(Record):
    """A version of a kind of link."""

    transfer: Quantity
    """Transfers of a lane, each a bit before coding."""
    coding: Literal["8b/10b", "128b/130b"]
    """How bits are coded: 8 of 10, or 128 of 130, are data."""


class ProcessorPart(BasePart):
    """A processor."""

    kind: Literal["processor"]
    """What it is."""
    socket: Socket | None = None
    """What it sits in; none: nothing is known of it."""
    pcie: str
    """Version of PCIe that it has, without lanes: ``PCIe 3.0``."""


class Taken(Record):
    """That a server takes a controller, a switch adapter or a family of drives, and how many drives."""

    drives: Quantity
    """Most drives on it, or of it; of an onboard controller on one instance."""
    link: str = ""
    """What its slot gives, with lanes, where that is less than it could have: ``PCIe 2.0 x4``."""
    lanes: Quantity | None = None
    """Lanes to drives, where they are fewer than it has."""
    levels: tuple[Level, ...] = ()
    """RAID levels, where they are fewer than it has."""
    instances: Quantity | None = None
    """How often the board has an onboard controller; once unless given."""
    form_factors: tuple[str, ...] = ()
    """Forms of a drive that it takes; any where empty."""


class ServerPart(BasePart):
    """A server, or a board or unit of one that has a controller of its own."""

    kind: Literal["server"]
    """What it is."""
    socket: Socket | None = None
    """What its processors sit in; none: nothing is known of it, and nothing checked."""
    board_of: Line | None = None
    """What it is, and of which system: ``disk unit of PRIMEQUEST 2800E3``. Controllers can sit in it beside
    the other boards of that system; boards of one name share the number of ``boards``."""
    members: Annotated[tuple[Line, ...], Once] = ()
    """Of a family of systems its members, by the names that ``board_of`` has for them: a board of one is a
    board of the family."""
    takes: dict[Annotated[str, Field(pattern=PART_NAME)], Taken] = Field(default_factory=dict)
    """``[takes.NAME]``: what it takes, by the name of a controller, a switch adapter or a drive, or of a
    family of drives."""

    @property
    def whole(self) -> str:
        """The system that it is a board of, or itself where it is one."""
        if self.board_of is None:
            return self.title
        return self.board_of.partition(" of ")[2] or self.board_of

    def has_board(self, board: ServerPart) -> bool:
        """Tell whether a board is one of the same system, or of a member of the family that this is."""
        return board.whole in (self.whole, *self.members)


Reached = Literal["nvme", "scsi", "onboard"]
"""How a host comes to drives: NVMe drives of its own, those behind controllers, those of an onboard one."""


class SoftwarePart(BasePart):
    """Software of a host between the load and the drives: what an I/O costs in it."""

    kind: Literal["software"]
    """What it is."""
    operating_system: str = ""
    """What it is part of: all software of a host is of one. Empty: of any."""
    levels: tuple[Level, ...] = ()
    """Levels of its own RAID; none where empty."""
    reaches: tuple[Reached, ...] = ()
    """What its costs are of: NVMe drives of the host, drives behind controllers by SCSI, drives of an onboard
    controller; empty: nothing is known of it, and nothing checked. The driver of ``onboard`` alone has the
    levels and strips of such a controller; RAID of any other is that of the operating system."""
    strip: Size = 65536
    """Strip size of its RAID unless another is asked for."""
    mirror_read: Literal["primary", "spread"] = "spread"
    """Whether its mirrors are read from the first of a pair alone, or from the other too."""
    mirrors: Mirrors = "two"
    """Drives of a RAID 1: two, or any number from two on, each with all data."""
    flushes: Literal["every-drive", "volatile-caches"] = "every-drive"
    """Which of its own drives the host sends a flush: all, or those that tell of a volatile cache."""

    @property
    def joins_onboard(self) -> bool:
        """Whether RAID of the operating system joins the drives of an onboard controller."""
        return "onboard" in self.reaches and len(set(self.reaches)) > 1


class SettingsPart(BasePart):
    """Power settings of a host."""

    kind: Literal["settings"]
    """What it is."""


Part = Annotated[
    DrivePart | ControllerPart | SwitchPart | ExpanderPart | LinkPart | ProcessorPart | ServerPart
    | SoftwarePart | SettingsPart,
    Field(discriminator="kind"),
]  # fmt: skip
LinkPart.model_rebuild()
