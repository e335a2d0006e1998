"""What is known of a target, and what its owner allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import Field, NonNegativeInt, PositiveInt

from iodyno.profiles import Record

ContentsState = Literal["to_be_written", "written", "never_written", "partly_zero", "unknown"]

FILE_NAME = "iodyno.data"
"""Name of the file that iodyno makes in a directory given as a target."""


@dataclass(frozen=True)
class Permissions:
    """What the user allows, each by a flag of its own.

    Parameters
    ----------
    write_existing
        Write to files that iodyno did not make and to devices (``--write-existing``).
    identity
        Serial number, WWN or, where a device has neither, size in bytes of each device
        that may be written (``--identity``, repeatable).
    overwrite_signature
        Write to devices with a file system or partition signature
        (``--overwrite-signature``).
    buffered
        Go on where direct I/O is impossible (``--buffered``).
    """

    write_existing: bool = False
    identity: tuple[str, ...] = ()
    overwrite_signature: bool = False
    buffered: bool = False


class Target(Record):
    """A file or block device as it was found, before anything was written."""

    path: str
    """Absolute path, links resolved."""
    asked: str
    """The path as the user gave it."""
    kind: Literal["file", "device"]
    size_bytes: PositiveInt
    """Size in bytes; of a file still to be made, the size that it will have."""
    logical_block_bytes: PositiveInt = 512
    """Smallest unit of direct I/O in bytes."""
    writes: bool = False
    """Whether iodyno writes to it. Where false it is only ever opened for reading."""
    created: bool = False
    """Whether iodyno makes the file in this run, or takes over one that an interrupted run left."""
    ours: bool = False
    """Whether iodyno made the file or will make it, in this run or an earlier one that kept it."""
    direct: bool | None = None
    """Whether direct I/O is possible; none where only making the file will tell."""
    contents: ContentsState = "unknown"
    """``to_be_written``: iodyno writes it in full before it is read. ``never_written``: every sample
    of a device is zero; ``partly_zero``: some are."""
    device: str | None = None
    """Kernel name of the whole block device behind it, such as ``nvme0n1``; none where there is none."""
    partition: str | None = None
    """Kernel name of the partition behind it, where it is one."""
    exact: bool = False
    """Whether it is a whole device, so that the device's counters must agree exactly."""
    file_system: str | None = None
    """Type of the file system that a file is on."""
    mount_options: str = ""
    """Options of that file system's mount, comma-separated."""
    serial: str | None = None
    """Serial number of the device."""
    wwn: str | None = None
    """World-wide name of the device."""
    model: str | None = None
    """Model of the device."""
    disk_sequence: str | None = None
    """Number that the kernel gave to this medium and attachment (``diskseq``); none before Linux 5.15."""
    in_use: tuple[str, ...] = ()
    """What uses a device that is only read: mounts, swap, holders."""
    discard_granularity_bytes: NonNegativeInt = 0
    """Smallest trim that the device behind it takes, in bytes; 0: none."""
    poll_queues: bool = False
    """Whether that device has queues that can be polled for completions."""
    numa_node: NonNegativeInt | None = None
    """NUMA node that it hangs on; none where nothing tells."""
    node_cpus: tuple[NonNegativeInt, ...] = ()
    """Processors of that node that this process may use; none on a machine of one node."""
    file_id: str | None = None
    """Device number and inode of an existing file, ``254:0:1234``."""
    allocated_bytes: NonNegativeInt = Field(default=0, repr=False)
    """Bytes that an existing file already takes on its file system."""
