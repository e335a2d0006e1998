"""What goes on beside the engine while a point runs: CPU time stolen, device counters, heat, kernel workers.

Nothing here starts a process; a reading of a counter takes some tens of µs, and a sample
reads only the names of this process's threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ParamSpec, TypeVar

from iodyno.reading import DeviceCounters, DeviceQueue, Observation
from iodyno.system.devices import SECTOR_BYTES, device_tags, queue_requests
from iodyno.system.host import Host, Missing, children
from iodyno.system.places import (
    block,
    devices_of,
    goes_direct,
    kind,
    reached,
    request_folders,
    slaves,
    temperature_folders,
)
from iodyno.system.records import TargetLike

_KERNEL_WORKER = "iou-wrk"
_T = TypeVar("_T")
_P = ParamSpec("_P")


@dataclass(frozen=True)
class _Counted:
    """A device or partition whose counters are read."""

    name: str
    folders: tuple[Path, ...]
    exact: bool
    targets: tuple[str, ...]
    """Paths of the targets all of whose I/Os it counts."""
    beside: tuple[str, ...]
    """Of those of which it counts nobody knows how much."""


@dataclass(frozen=True)
class _Heat:
    """Temperature of a drive in °C and where it warns."""

    celsius: float
    limit: float | None

    @property
    def margin(self) -> float:
        """How far from its limit; a drive that tells none counts as far away."""
        return self.limit - self.celsius if self.limit is not None else 1000 - self.celsius


class Watch:
    """Watches the machine and the devices behind targets over one point.

    ``start()`` before the first I/O, ``sample()`` about twice a second while it runs,
    ``finish()`` after the last. One watch serves any number of points, one after the other.

    Parameters
    ----------
    targets
        The targets of the point.
    host
        Where to look; this machine where left out.
    polled
        The load polls: devices have queues of their own for it.

    Examples
    --------
    >>> watch = Watch([])
    >>> watch.start()
    >>> watch.finish().devices
    ()
    """

    def __init__(
        self, targets: Sequence[TargetLike], host: Host | None = None, *, polled: bool = False
    ) -> None:
        self._host = host or Host()
        self._counted = _counted(self._host, targets)
        self._heat = [
            folder
            for name in devices_of(self._host, targets)
            for folder in temperature_folders(self._host, name)
        ]
        self._loops = [name for name in devices_of(self._host, targets) if kind(self._host, name) == "loop"]
        self._queues = _queues(self._host, targets, polled=polled)
        self.start()

    def start(self) -> None:
        """Read every counter for the first time."""
        self._old_workers = self._kernel_workers()
        self._most_workers = 0
        self._load = _or_none(self._load_average)
        self._hot_before = self._hottest()
        self._throttle_before = self._throttle_counts()
        self._cpu_before = _or_none(self._cpu_times)
        self._device_before = [_or_none(self._counters, item) for item in self._counted]

    def sample(self) -> None:
        """Look for the kernel's worker threads: they are gone 5 s after they were needed."""
        new = len(self._kernel_workers() - self._old_workers)
        self._most_workers = max(self._most_workers, new)

    def finish(self) -> Observation:
        """Read every counter again and give what happened in between."""
        self.sample()
        devices = self._devices()
        steal, busy = self._cpu_shares()
        hot = self._hottest()
        return Observation(
            steal_share=steal,
            busy_share=busy,
            devices=devices,
            kernel_workers=self._most_workers,
            device_tags=_least(queue.tags for queue in self._queues),
            queue_requests=_least(queue.requests for queue in self._queues),
            queues=self._queues,
            throttled=self._throttled(),
            temperature_start_c=self._hot_before.celsius if self._hot_before else None,
            temperature_end_c=hot.celsius if hot else None,
            temperature_limit_c=hot.limit if hot else None,
            load_average=self._load,
            page_cached=tuple(
                name for name in self._loops if _or_none(goes_direct, self._host, name) is False
            ),
        )

    def _kernel_workers(self) -> set[str]:
        """Thread ids of the worker threads that io_uring has made for this process."""
        found = set()
        for task in children(self._host.proc / "self/task"):
            try:
                if self._host.text(task / "comm").startswith(_KERNEL_WORKER):
                    found.add(task.name)
            except Missing:  # it ended in between
                continue
        return found

    def _load_average(self) -> float:
        return float(self._host.text(self._host.proc / "loadavg").split()[0])

    def _cpu_times(self) -> list[int]:
        """User, nice, system, idle, iowait, irq, softirq and steal of all processors, in ticks."""
        return [int(field) for field in self._host.text(self._host.proc / "stat").split()[1:9]]

    def _cpu_shares(self) -> tuple[float | None, float | None]:
        """Shares of CPU time stolen and used; the kernel's counts of idle time can step back a tick."""
        before, after = self._cpu_before, _or_none(self._cpu_times)
        if before is None or after is None or len(after) < 8 or len(before) < 8:
            return None, None
        spent = [max(0, new - old) for old, new in zip(before, after, strict=True)]
        total = sum(spent)
        if not total:
            return None, None
        idle, iowait, steal = spent[3], spent[4], spent[7]
        return steal / total, (total - idle - iowait - steal) / total

    def _counters(self, item: _Counted) -> list[int]:
        """I/Os read, bytes read, I/Os written, bytes written, since the system started."""
        fields = [
            [int(field) for field in self._host.text(folder / "stat").split()] for folder in item.folders
        ]
        reads, read, writes, written = (sum(line[index] for line in fields) for index in (0, 2, 4, 6))
        return [reads, read * SECTOR_BYTES, writes, written * SECTOR_BYTES]

    def _devices(self) -> tuple[DeviceCounters, ...]:
        """Counters of all devices over the point; nothing where one of them cannot be read."""
        found = []
        for item, before in zip(self._counted, self._device_before, strict=True):
            after = _or_none(self._counters, item)
            if before is None or after is None:
                return ()
            reads, read, writes, written = (max(0, new - old) for old, new in zip(before, after, strict=True))
            found.append(
                DeviceCounters(
                    device=item.name, reads=reads, writes=writes, read_bytes=read, written_bytes=written,
                    exact=item.exact, targets=item.targets, beside=item.beside,
                )
            )  # fmt: skip
        return tuple(found)

    def _throttle_counts(self) -> dict[Path, int]:
        counts = {}
        for cpu in children(self._host.sys / "devices/system/cpu", "cpu[0-9]*"):
            for path in children(cpu / "thermal_throttle", "*_throttle_count"):
                value = _or_none(self._host.number, path)
                if value is not None:
                    counts[path] = value
        return counts

    def _throttled(self) -> int:
        """Throttling events of the counter that has most: siblings count the same event."""
        after = self._throttle_counts()
        return max(
            (after[path] - old for path, old in self._throttle_before.items() if path in after), default=0
        )

    def _hottest(self) -> _Heat | None:
        """Temperature of the drive that is nearest to its limit."""
        found = [_or_none(_heat, self._host, folder) for folder in self._heat]
        return min((heat for heat in found if heat), key=lambda heat: heat.margin, default=None)


def _heat(host: Host, folder: Path) -> _Heat:
    limits = [_or_none(host.number, folder / name) for name in ("temp1_max", "temp1_crit")]
    limit = next((value / 1000 for value in limits if value is not None and value > 0), None)
    return _Heat(host.number(folder / "temp1_input") / 1000, limit)


def _counted(host: Host, targets: Sequence[TargetLike]) -> list[_Counted]:
    """Choose the counters: the partition's where there is one; none unless every target has some."""
    if not all(target.device and _counts(host, target.device) for target in targets):
        return []
    exact: dict[str, bool] = {}
    whole = {target.device for target in targets if not target.partition}
    for target in targets:
        assert target.device
        name = target.partition if target.partition and target.device not in whole else target.device
        name = name if request_folders(host, target.device) == [block(host, target.device)] else target.device
        exact[name] = exact.get(name, True) and target.kind == "device" and name == (target.partition or name)
    return [_counter(host, targets, name, alone=alone) for name, alone in exact.items()]


def _counter(host: Host, targets: Sequence[TargetLike], name: str, *, alone: bool) -> _Counted:
    """Say which targets' I/Os a counter counts: what stands on its device has them too."""
    reach = {target.path: reached(host, target.partition or target.device or "") for target in targets}
    counted = {path: found[name] for path, found in reach.items() if name in found}
    on_it = {target.path for target in targets if name in (target.device, target.partition)}
    return _Counted(
        name=name,
        folders=tuple(request_folders(host, name)),
        exact=alone and counted.keys() <= on_it,
        targets=tuple(path for path, once in counted.items() if once),
        beside=tuple(path for path, once in counted.items() if not once),
    )


def _counts(host: Host, device: str) -> bool:
    """Tell whether a device keeps counters: with iostats off they stand still."""
    return all(_or_none(host.flag, f / "queue/iostats") for f in request_folders(host, device))


def _queues(host: Host, targets: Sequence[TargetLike], *, polled: bool) -> tuple[DeviceQueue, ...]:
    """Find the devices whose queues take the I/Os of targets, and how much these hold."""
    behind: dict[str, list[str]] = {}
    for target in targets:
        if target.device:
            behind.setdefault(_bottom(host, target.device), []).append(target.path)
    found = (
        DeviceQueue(
            device=name,
            targets=tuple(paths),
            tags=_or_none(device_tags, host, name, polled=polled),
            requests=_or_none(queue_requests, host, name, polled=polled),
        )
        for name, paths in behind.items()
    )
    return tuple(queue for queue in found if (queue.tags, queue.requests) != (None, None))


def _least(counts: Iterable[int | None]) -> int | None:
    """Give the fewest of several counts that are known."""
    return min((count for count in counts if count is not None), default=None)


def _bottom(host: Host, device: str) -> str:
    below = slaves(host, device)
    return below[-1] if below and all(len(slaves(host, name)) <= 1 for name in (device, *below)) else device


def _or_none(read: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs) -> _T | None:
    """Call a reader; what cannot be read or understood is none."""
    try:
        return read(*arguments, **named)
    except (Missing, ValueError, IndexError):
        return None
