"""What devices counted beside what was issued to the targets whose I/Os they count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from iodyno.plan import Point
from iodyno.reading import Cause, DeviceCounters, Issued, Observation, Reading
from iodyno.verdict import limits


@dataclass(frozen=True)
class Compared:
    """What a device counted, and what it should have.

    Parameters
    ----------
    counted
        What it counted; of an earlier result the sum of all devices.
    issued
        What was issued to the targets whose I/Os it counts.
    commits
        How often what was written there was made durable: by syncs, or by writes that are so by themselves.
    alone
        Whether it counts I/Os of no other target, of which nobody knows how many.
    """

    counted: DeviceCounters
    issued: Issued
    commits: int
    alone: bool = True

    @property
    def issued_bytes(self) -> int:
        """Bytes read and written."""
        return self.issued.read_bytes + self.issued.written_bytes

    @property
    def others(self) -> tuple[int, int]:
        """Bytes and I/Os that it counted beyond what was issued, reads and writes apart, without what the
        file system writes for each sync: its journal."""
        counted, issued = self.counted, self.issued
        other_bytes = max(0, counted.read_bytes - issued.read_bytes) + max(
            0, counted.written_bytes - issued.written_bytes
        )
        other_ios = max(0, counted.reads - issued.reads) + max(0, counted.writes - issued.writes)
        if not counted.exact:
            other_bytes = max(0, other_bytes - self.commits * limits.JOURNAL_BYTES)
            other_ios = max(0, other_ios - self.commits * limits.JOURNAL_IOS)
        return other_bytes, other_ios

    @property
    def unseen_share(self) -> float:
        """Share of the bytes read or of those written, whichever is greater, that it has not counted. What
        failed or came back short it need not have seen."""
        issued, counted = self.issued, self.counted
        ways = (
            (issued.read_bytes - issued.failed_read_bytes, counted.read_bytes),
            (issued.written_bytes - issued.failed_written_bytes, counted.written_bytes),
        )
        return max((1 - seen / asked for asked, seen in ways if asked > 0), default=0.0)


def compared(point: Point, reading: Reading, observation: Observation) -> tuple[Compared, ...]:
    """Put what each device counted beside what was issued to the targets that it counts.

    Where one target lies on the device of another, that device counts the I/Os of both.

    Of an earlier result it is not known which these are: there all devices together stand beside all that was
    issued. Empty where nothing was counted.
    """
    devices = observation.devices
    if not devices:
        return ()
    issued = _by_target(point, reading)
    if any(not device.targets or not issued.keys() >= {*device.targets} for device in devices):
        return (Compared(_sum_of(devices), reading.issued, _commits(reading, reading.issued)),)
    return tuple(_of_device(device, issued, reading) for device in devices)


def other_io(found: Iterable[Compared]) -> Iterator[Cause]:
    """Tell of the device that others used most."""
    disturbed = [one for one in found if one.alone and _is_disturbed(one)]
    if disturbed:
        most = max(disturbed, key=lambda one: one.others)
        other_bytes, other_ios = most.others
        values = {"other_bytes": other_bytes, "other_ios": other_ios, "issued_bytes": most.issued_bytes}
        yield Cause(code="other_io", values=values)


def _is_disturbed(one: Compared) -> bool:
    other_bytes, other_ios = one.others
    share = limits.OTHER_IO_DEVICE_SHARE if one.counted.exact else limits.OTHER_IO_FILE_SHARE
    many_bytes = other_bytes > max(share * one.issued_bytes, limits.OTHER_IO_FLOOR_BYTES)
    all_ios = one.issued.reads + one.issued.writes
    many_ios = other_ios > max(share * all_ios, limits.OTHER_IO_FLOOR_COUNT)
    return many_bytes or (many_ios and other_bytes >= other_ios * limits.OTHER_IO_LEAST_BYTES)


def cache_served(found: Iterable[Compared]) -> Iterator[Cause]:
    """Look for reads or writes that a device never saw; each apart, so that other I/O hides less."""
    unseen = [one for one in found if one.unseen_share > limits.CACHE_SERVED_SHARE]
    if unseen:
        most = max(unseen, key=lambda one: one.unseen_share)
        counted = most.counted.read_bytes + most.counted.written_bytes
        yield Cause(code="cache_served", values={"counted_bytes": counted, "issued_bytes": most.issued_bytes})


def _of_device(device: DeviceCounters, issued: dict[str, Issued], reading: Reading) -> Compared:
    own = _total(issued[path] for path in device.targets)
    return Compared(device, own, _commits(reading, own), alone=not device.beside)


def _by_target(point: Point, reading: Reading) -> dict[str, Issued]:
    """Give what was issued to each target, by its path; nothing where that is not known."""
    paths = {target.path for target in point.targets}
    if len(paths) == 1:
        return {paths.pop(): reading.issued}
    parts: dict[str, list[Issued]] = {}
    for load, had in zip(point.loads, reading.apart, strict=True):
        # Of a point that could not go on there may be none.
        for target, part in zip(load.targets, had.per_target, strict=False):
            if part.issued is None:
                return {}
            parts.setdefault(target.path, []).append(part.issued)
    return {path: _total(several) for path, several in parts.items()}


def _total(parts: Iterable[Issued]) -> Issued:
    several = tuple(parts)
    return Issued(**{name: sum(getattr(part, name) for part in several) for name in Issued.model_fields})


def _sum_of(devices: tuple[DeviceCounters, ...]) -> DeviceCounters:
    counts = ("reads", "writes", "read_bytes", "written_bytes")
    return DeviceCounters(
        device="", exact=all(device.exact for device in devices),
        **{name: sum(getattr(device, name) for device in devices) for name in counts},
    )  # fmt: skip


def _commits(reading: Reading, issued: Issued) -> int:
    """Count what made writes durable: syncs, and writes that are durable by themselves."""
    return issued.syncs + (issued.writes if reading.engine.write_through else 0)
