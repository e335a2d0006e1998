"""Settings and states of drives and file systems that disturb a measurement."""

from __future__ import annotations

from collections.abc import Iterator

from iodyno.doctor.check import DEEPEST_LOAD, FULL_SHARE, HOT_MARGIN_C, Check, bad, good, unknown, warning
from iodyno.system import Section, System
from iodyno.system.host import ABSENT

_NO_DEVICE = frozenset({"tmpfs", "ramfs", "devtmpfs"})
_LAYERED = frozenset(
    {"btrfs", "zfs", "bcachefs", "overlay", "fuse", "fuseblk", "nfs", "nfs4", "cifs", "9p", "virtiofs"}
)


def drive(section: Section, system: System) -> Iterator[Check]:
    """Look at one device."""
    yield from _queue(section)
    yield from _counters(section)
    yield from _polling(section, system)
    for bus in ("pcie", "sata", "sas"):
        yield from _link(section, bus)
    yield from _health(section)
    yield from _backing(section)


def _queue(section: Section) -> Iterator[Check]:
    device = section.subject
    scheduler, requests = section.value("scheduler"), section.value("nr_requests")
    if section.value("kind") == "nvme" and scheduler not in (None, "none"):
        what = f"I/O scheduler {scheduler}: it costs time for each I/O that an NVMe drive does not need"
        yield warning("scheduler", what, f"echo none > /sys/block/{device}/queue/scheduler", device)
    elif scheduler is not None:
        yield good("scheduler", f"I/O scheduler: {scheduler}", device)
    told, queues = section.value("hardware_queues"), 1
    if told is not None:
        queues = int(told) - int(section.value("poll_queues") or 0)
    if requests is not None:
        several = f", {queues} queues" if queues > 1 else ""
        what, waiting = f"{requests} requests a queue{several}", DEEPEST_LOAD - int(requests) * queues
        if waiting > 0:
            what += f": of {DEEPEST_LOAD} outstanding I/Os {waiting} wait in the kernel"
            setting = f"echo {2 * DEEPEST_LOAD} > /sys/block/{device}/queue/nr_requests"
            hint = f"{setting}, where the drive has the tags"
            yield warning("requests", what, hint, device)
        else:
            yield good("requests", what, device)
    yield from _tags(section, queues)
    throttling = section.value("wbt_latency")
    if throttling:
        what = f"write-back throttling at {int(throttling) / 1000:g} ms: for buffered writes only"
        yield good("write_back_throttling", what, device)


def _tags(section: Section, queues: int) -> Iterator[Check]:
    """Count what the device takes at once, as a verdict does: all queues share the depth of a SCSI device."""
    device, tags, depth = section.subject, section.value("tags_per_queue"), section.value("queue_depth")
    if depth is None and (tags is None or section.value("hardware_queues") is None):
        return
    at_once = int(depth) if depth is not None else int(tags or 0) * queues
    if at_once < DEEPEST_LOAD:
        waiting = DEEPEST_LOAD - at_once
        what = f"the device takes {at_once} at once: of {DEEPEST_LOAD} outstanding I/Os {waiting} wait"
        yield warning("tags", what, "points beyond that are marked; nothing here can change it", device)


def _counters(section: Section) -> Iterator[Check]:
    device = section.subject
    if section.value("iostats") is False:
        what = "I/O statistics are off: no proof of direct I/O, and other I/O is not seen"
        yield bad("iostats", what, f"echo 1 > /sys/block/{device}/queue/iostats", device)
    elif section.value("iostats"):
        yield good("iostats", "I/O statistics are on", device)


def _polling(section: Section, system: System) -> Iterator[Check]:
    if section.value("kind") != "nvme":
        return
    if section.value("io_poll"):
        yield good("poll_queues", "poll queues are set up", section.subject)
        return
    asked = system.value("os", "nvme_poll_queues")
    what = "no poll queues" + (f" (nvme.poll_queues={asked})" if asked is not None else "")
    hint = "boot with nvme.poll_queues=4, or reload the nvme module with poll_queues=4"
    yield warning("poll_queues", f"{what}: polled completions are not possible", hint, section.subject)


def _link(section: Section, bus: str) -> Iterator[Check]:
    """Compare a link with what it could be: the drive's own ability, then the port's."""
    speed = section.value(f"{bus}_speed")
    if speed is None:
        return
    unit = "GT/s" if bus == "pcie" else "Gbit/s"
    slow = _falls_short(section, f"{bus}_speed", unit)
    narrow = _falls_short(section, f"{bus}_width", "lanes") if bus == "pcie" else ""
    lost = ", ".join(filter(None, (slow, narrow)))
    if lost:
        hint = "try another slot, cable or backplane; the drive cannot show its best here"
        yield bad("link", f"{bus.upper() if bus != 'pcie' else 'PCIe'} link: {lost}", hint, section.subject)
        return
    width = section.value("pcie_width") if bus == "pcie" else None
    lanes = f" × {width} lanes" if width else ""
    name = "PCIe" if bus == "pcie" else bus.upper()
    yield good(
        "link", f"{name} link: {float(speed):g} {unit}{lanes}, all that the drive can have", section.subject
    )


def _falls_short(section: Section, fact: str, unit: str) -> str:
    """Say what a link lacks; empty where it lacks nothing or that cannot be told."""
    has, could = section.value(fact), section.value(f"{fact}_possible")
    if has is None or could is None or float(has) >= float(could):
        return ""
    port = section.value(f"{fact}_port")
    limited = port is not None and float(port) < float(could)
    cause = f", because the port has no more than {float(port):g}" if limited and port is not None else ""
    return f"{float(has):g} of {float(could):g} {unit}{cause}"


def _health(section: Section) -> Iterator[Check]:
    device, healthy = section.subject, section.get("smart_healthy")
    if healthy is not None and healthy.value is False:
        yield bad("health", "the drive reports that it is failing (SMART)", "save what is on it", device)
    elif healthy is not None and healthy.value:
        yield good("health", "the drive reports that it is healthy (SMART)", device)
    elif healthy is not None and healthy.missing != ABSENT:
        yield unknown("health", f"health of the drive (SMART): {healthy.missing}", "", device)
    now, limit = section.value("temperature"), section.value("temperature_limit")
    if now is not None and limit is not None and float(now) > float(limit) - HOT_MARGIN_C:
        what = f"the drive has {float(now):g} °C and warns at {float(limit):g} °C"
        yield warning("temperature", what, "let it cool down, or cool it better", device)
    elif now is not None:
        yield good("temperature", f"the drive has {float(now):g} °C", device)


def _backing(section: Section) -> Iterator[Check]:
    if section.value("backing_direct") is False:
        what = "the loop device goes through the page cache"
        yield bad("loop", what, f"losetup --direct-io=on /dev/{section.subject}", section.subject)
    below = section.value("stands_on")
    if below:
        yield good("stands_on", f"stands on {below}", section.subject)


def file_system(section: Section) -> Iterator[Check]:
    """Look at the file system of one target."""
    name, path = section.value("file_system"), section.subject
    if name in _NO_DEVICE:
        yield bad(
            "file_system", f"{name} is memory: there is no drive behind it", "name a folder on a drive", path
        )
    elif name in _LAYERED:
        what = f"{name} stands between the file and the drive: the figures are its own too"
        yield warning(
            "file_system", what, "name a folder on ext4 or XFS, or a device, to measure a drive", path
        )
    elif name:
        yield good("file_system", f"file system: {name}", path)
    used, free = section.value("fs_used"), section.value("fs_free")
    if used is not None and free is not None and float(used) + float(free) > 0:
        share = float(used) / (float(used) + float(free))
        if share > FULL_SHARE:
            what = f"the file system is {share:.0%} full: files are scattered, and drives slow down"
            yield warning("space", what, "free some space", path)
        else:
            yield good("space", f"the file system is {share:.0%} full", path)
