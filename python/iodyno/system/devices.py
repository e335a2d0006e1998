"""One block device: what it is, how its queues are set, how it is connected, how it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from iodyno.system.host import ABSENT, LEFT_OUT, Host, Missing, children
from iodyno.system.links import identify, identify_text, link_facts
from iodyno.system.places import (
    VIRTUAL_KINDS,
    above_with,
    block,
    controllers,
    goes_direct,
    hardware,
    kind,
    request_folders,
    slaves,
    temperature_folders,
    upwards,
)
from iodyno.system.records import Fact, Section, Value, first, known
from iodyno.system.smart import Smart

SECTOR_BYTES = 512
"""sysfs counts in sectors of 512 bytes, whatever the drive's own."""
_HEX_VENDOR = re.compile(r"0x[0-9a-f]+")


def device_section(host: Host, device: str, *, serials: bool) -> Section:
    """Read what is known of a block device."""
    facts = [*_identity(host, device, serials=serials), *_queues(host, device), *_way(host, device)]
    if kind(host, device) not in VIRTUAL_KINDS:
        facts += [*link_facts(host, device), *_health(host, device)]
    return Section(code="device", subject=device, facts=tuple(facts))


def _identity(host: Host, device: str, *, serials: bool) -> Iterator[Fact]:
    folder = block(host, device)
    yield Fact(code="kind", value=kind(host, device))
    yield known("rotational", lambda: host.flag(folder / "queue/rotational"))
    yield known("model", first(lambda: _ata(host, device, 27, 47), lambda: _model(host, device)))
    yield known("firmware", first(lambda: _ata(host, device, 23, 27), lambda: _revision(host, device)))
    if serials:
        yield known("serial", lambda: serial(host, device))
    else:
        yield Fact(code="serial", missing=LEFT_OUT)
    yield known("capacity", lambda: host.number(folder / "size") * SECTOR_BYTES, "bytes_base10")
    yield known("logical_block", lambda: host.number(folder / "queue/logical_block_size"), "bytes")
    yield known("physical_block", lambda: host.number(folder / "queue/physical_block_size"), "bytes")
    if slaves(host, device):
        yield Fact(code="stands_on", value=", ".join(slaves(host, device)))
    if kind(host, device) == "loop":
        yield known("backing_file", lambda: host.text(folder / "loop/backing_file"))
        yield known("backing_direct", lambda: goes_direct(host, device))
    if kind(host, device) == "md":
        yield known("raid_level", lambda: host.text(folder / "md/level"))
        yield known("raid_chunk", lambda: host.number(folder / "md/chunk_size"), "bytes")
    if kind(host, device) == "device mapper":
        yield known("mapping", lambda: host.text(folder / "dm/name"))


def _ata(host: Host, device: str, begin: int, end: int) -> str:
    """Read a text of IDENTIFY: sysfs cuts a SATA drive's model to 16 and its firmware to 4 letters."""
    if kind(host, device) != "sata":
        raise Missing(ABSENT)
    text = identify_text(identify(host, device), begin, end)
    if not text:
        raise Missing(ABSENT)
    return text


def _parts(host: Host, device: str) -> list[Path]:
    """List the folders that can hold model, firmware and serial: the controller's, then the device's."""
    return [*controllers(host, device), block(host, device) / "device", block(host, device)]


def _model(host: Host, device: str) -> Value:
    model = first(*(lambda part=part: host.text(part / "model") for part in _parts(host, device)))()
    try:
        vendor = host.text(block(host, device) / "device/vendor")
    except Missing:
        return model
    return str(model) if vendor == "ATA" or _HEX_VENDOR.fullmatch(vendor) else f"{vendor} {model}"


def _revision(host: Host, device: str) -> Value:
    names = ("firmware_rev", "rev", "fwrev")
    paths = [part / name for part in _parts(host, device) for name in names]
    return first(*(lambda path=path: host.text(path) for path in paths))()


def serial(host: Host, device: str) -> Value:
    """Read the serial number of a device.

    Raises
    ------
    Missing
        If it has none.
    """
    folder = block(host, device)

    def page80() -> str:
        text = host.bytes(folder / "device/vpd_pg80")[4:].decode("ascii", "replace").strip("\0 ")
        if not text:
            raise Missing(ABSENT)
        return text

    plain = [lambda part=part: host.text(part / "serial") for part in _parts(host, device)]
    return first(*plain, page80, lambda: _ata(host, device, 10, 20))()


def _queues(host: Host, device: str) -> Iterator[Fact]:
    queue = request_folders(host, device)[0] / "queue"
    yield known("scheduler", lambda: _scheduler(host, queue))
    yield known("nr_requests", lambda: host.number(queue / "nr_requests"))
    yield known("hardware_queues", lambda: _hardware_queues(host, device))
    to_poll = known("poll_queues", lambda: _poll_queues(host, device))
    if to_poll.value:
        yield to_poll
    yield known("tags_per_queue", lambda: _tags_per_queue(host, device))
    if (block(host, device) / "device/queue_depth").exists():
        yield known("queue_depth", lambda: host.number(block(host, device) / "device/queue_depth"))
    yield known("io_poll", lambda: host.flag(queue / "io_poll"))
    yield known("write_cache", lambda: host.text(queue / "write_cache"))
    yield known("read_ahead", lambda: host.number(queue / "read_ahead_kb") * 1024, "bytes")
    yield known("largest_request", lambda: host.number(queue / "max_sectors_kb") * 1024, "bytes")
    yield known("nomerges", lambda: host.number(queue / "nomerges"))
    yield known("rq_affinity", lambda: host.number(queue / "rq_affinity"))
    yield known("wbt_latency", lambda: host.number(queue / "wbt_lat_usec"), "us")
    yield known("iostats", lambda: host.flag(queue / "iostats"))


def _scheduler(host: Host, queue: Path) -> str:
    """Read the active scheduler: the one in brackets, or the only one."""
    text = host.text(queue / "scheduler")
    match = re.search(r"\[(\S+)\]", text)
    return match[1] if match else text


def _hardware_queues(host: Host, device: str) -> int:
    queues = sum(len(_queue_folders(folder)) for folder in request_folders(host, device))
    if not queues:
        raise Missing(ABSENT)
    return queues


def _queue_folders(folder: Path) -> list[Path]:
    return children(folder / "mq", "[0-9]*")


def _poll_queues(host: Host, device: str) -> int:
    """Count the queues that nobody but polled I/O uses.

    The kernel numbers queues by use, those to poll last, and each use serves every processor: the last ones
    begin where a processor comes for the second or third time. It says that a device has such queues only as
    the flag ``io_poll`` (queue_poll_show and blk_mq_map_queues of Linux).
    """
    return sum(_polled(host, folder) for folder in request_folders(host, device))


def _polled(host: Host, folder: Path) -> int:
    if not host.flag(folder / "queue/io_poll"):
        return 0
    queues = _queue_folders(folder)
    begin, seen = 0, set[str]()
    for number, queue in enumerate(queues):
        cpus = set(host.text(queue / "cpu_list").replace(",", " ").split())
        if cpus & seen:
            begin, seen = number, set()
        seen |= cpus
    return len(queues) - begin if begin else 0


def _usable_queues(host: Host, device: str, polled: bool) -> int:
    """Count the queues of polled I/O, or of I/O that waits for an interrupt."""
    every = _hardware_queues(host, device)
    try:
        for_polling = _poll_queues(host, device)
    except Missing:
        for_polling = 0
    return for_polling if polled and for_polling else every - for_polling


def _tags_per_queue(host: Host, device: str) -> int:
    return host.number(request_folders(host, device)[0] / "mq/0/nr_tags")


def device_tags(host: Host, device: str, *, polled: bool = False) -> int:
    """Count the requests that a device takes at once.

    Hardware queues × tags of each; for a SCSI device its own queue depth, which all queues
    share. Where the kernel does not tell the tags, nr_requests stands for them. Polled I/O has queues of
    its own.

    Raises
    ------
    Missing
        If the device has no queues.
    """
    depth = block(host, device) / "device/queue_depth"
    if depth.exists():
        return host.number(depth)
    per_queue = first(lambda: _tags_per_queue(host, device), lambda: _requests_per_queue(host, device))
    return _usable_queues(host, device, polled) * int(per_queue())


def queue_requests(host: Host, device: str, *, polled: bool = False) -> int:
    """Count the requests that the kernel accepts for a device before it makes the caller wait.

    Raises
    ------
    Missing
        If the device has no queues.
    """
    return _usable_queues(host, device, polled) * _requests_per_queue(host, device)


def _requests_per_queue(host: Host, device: str) -> int:
    return host.number(request_folders(host, device)[0] / "queue/nr_requests")


def _way(host: Host, device: str) -> Iterator[Fact]:
    """Read the driver and the NUMA node of the hardware."""
    if kind(host, device) in VIRTUAL_KINDS:
        return
    yield known("driver", lambda: _driver(host, device))
    yield known("driver_version", lambda: host.text(host.sys / "module" / _driver(host, device) / "version"))
    yield known("numa_node", lambda: _numa_node(host, device))


def _driver(host: Host, device: str) -> str:
    for path in upwards(host, hardware(host, device)):
        link = path / "driver"
        if link.exists() and link.resolve().name != "sd":
            return link.resolve().name
    raise Missing(ABSENT)


def _numa_node(host: Host, device: str) -> int:
    node = host.number(above_with(host, device, "numa_node") / "numa_node")
    if node < 0:
        raise Missing(ABSENT)
    return node


def _health(host: Host, device: str) -> Iterator[Fact]:
    """Read SMART; the temperature from the kernel where the log cannot be read."""
    for fact in Smart(host, device).facts():
        if fact.code == "temperature" and fact.value is None:
            yield known("temperature", lambda: _celsius(host, device, "temp1_input"), "degC")
        else:
            yield fact
    limit = first(lambda: _celsius(host, device, "temp1_max"), lambda: _celsius(host, device, "temp1_crit"))
    yield known("temperature_limit", limit, "degC")


def _celsius(host: Host, device: str, name: str) -> float:
    for folder in temperature_folders(host, device):
        return host.number(folder / name) / 1000
    raise Missing(ABSENT)
