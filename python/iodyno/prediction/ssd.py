"""A solid state drive as stations: firmware, dies, data path, and programs in the background."""

from __future__ import annotations

import math
from collections.abc import Hashable
from functools import lru_cache

from iodyno.prediction.accesses import DriveUse, Operations
from iodyno.prediction.demands import PS, Demand, Demands
from iodyno.prediction.paths import LinkKey
from iodyno.virtual import Link, SsdModel

NOT_PREFETCHED = 16
"""Reads in sequence before a drive prefetches."""
FOLLOWED = 8
"""Streams of reads that a drive follows at once."""
TURNED_BYTES = 4096
"""Bytes for which the data path counts one turnaround."""
LEAST_RATIO = 1.01
"""Least ratio of flash to data that is calculated with: a drive without any spare flash could not write."""


@lru_cache(maxsize=256)
def amplification(ratio: float) -> float:
    """Give the write amplification of greedy garbage collection under uniform random writes.

    ``WA = a / (a + W0(−a·e^−a))`` with Lambert's W (P. Desnoyers, "Analytic modeling of SSD write
    performance", SYSTOR 2012).

    Parameters
    ----------
    ratio
        Flash that the written data may use over the data itself; from 1.01 up.

    Returns
    -------
    float
        Pages programmed for each page written, 1 or more.
    """
    ratio = max(ratio, LEAST_RATIO)
    goal = -ratio * math.exp(-ratio)
    w = -1 + math.sqrt(2 * max(1 + math.e * goal, 0.0))
    for _ in range(50):
        w -= (w * math.exp(w) - goal) / (math.exp(w) * (w + 1) or 1.0)
    return ratio / (ratio + w)


def flash_ratio(spare: float, accessed: float, filled: float) -> float:
    """Give flash over data for the accessed part of a drive.

    Parameters
    ----------
    spare
        Spare flash as a share of the capacity.
    accessed
        Share of the capacity that the load writes, above 0.
    filled
        Share of the rest that holds valid data.
    """
    return (1 + spare - filled * (1 - accessed)) / accessed


def amplification_of_places(flash: float, accessed: float, overwritten: float) -> float:
    """Give the write amplification of random writes to places that leave what lies between them as it is.

    The drive was filled in order, and of n places one is written. Greedy collection takes what has the least
    left, 1 − 1/WA of it; of what was filled in order 1 − 1/n is left once all places have been written anew.
    While that is more, it is never collected, and the places have the rest of the flash for themselves. Else
    all is collected, or as much of it as makes both equal.

    Parameters
    ----------
    flash
        What the accessed part and all spare flash have together, as a share of the capacity.
    accessed
        The accessed part, as a share of it.
    overwritten
        What of it the places take, above 0.

    Examples
    --------
    Spare flash of 12 %: everywhere, at every eighth place and at every sixteenth.

    >>> [round(amplification_of_places(1.12, 1.0, 1 / n), 2) for n in (1, 8, 16)]
    [4.85, 8.0, 1.29]
    """
    whole = max(accessed / overwritten, amplification(flash / accessed))
    own = (flash - accessed) / overwritten
    return min(amplification(own), whole) if own > LEAST_RATIO else whole


def place(
    demands: Demands, key: int, name: str, model: SsdModel, use: DriveUse,
    link: tuple[LinkKey, Link] | None = None,
) -> None:  # fmt: skip
    """Add what an I/O asks of a drive.

    Parameters
    ----------
    demands
        Where to add it.
    key
        Index of the drive.
    name
        Its name.
    model
        The drive.
    use
        What the load does with it.
    link
        The link that the data of reads pass first, and the key of its station: they do so while they still
        come out of the drive.
    """
    drive = _Drive(demands, key, name, model, use, link)
    for operations in use.operations:
        if operations.write:
            drive.write(operations)
        else:
            drive.read(operations)


def stations_of(key: int) -> tuple[Hashable, ...]:
    """Give the keys of the stations that reads of a drive visit."""
    return ("firmware", key), ("dies", key), ("data path", key)


def in_turn_s(model: SsdModel, op: Operations) -> float:
    """Give the seconds for which an operation keeps the one behind it waiting, where it waits itself."""
    firmware = model.command_write_ps if op.write else model.command_read_ps
    if op.write and model.buffers:
        return firmware * PS
    rate = model.data_write_bytes_s if op.write else model.data_read_bytes_s
    return max(firmware * PS, op.bytes / rate)


class _Drive:
    def __init__(
        self, demands: Demands, key: int, name: str, model: SsdModel, use: DriveUse,
        link: tuple[LinkKey, Link] | None,
    ) -> None:  # fmt: skip
        self.demands, self.key, self.name, self.model, self.use = demands, key, name, model, use
        self.link = link
        counts = {
            write: sum(op.count for op in use.operations if op.write is write) for write in (False, True)
        }
        self.writes = counts[True] / (counts[False] + counts[True])
        accessed = min(max(use.accessed_bytes / model.capacity_bytes, 1e-6), 1)
        ratio = flash_ratio(model.spare_share, accessed, model.filled_share)
        if not use.overwritten_share:
            # Nothing is written: its drive is only read, as the rest of rows.
            random = 1.0
        elif use.overwritten_share < 1:
            overwritten = accessed * use.overwritten_share
            random = amplification_of_places(accessed * ratio, accessed, overwritten)
        else:
            random = amplification(ratio)
        self.amplification = 1 + use.random_share * (random - 1)

    def read(self, operations: Operations) -> None:
        """Firmware, dies, data path."""
        self.firmware(operations, self.model.command_read_ps)
        waited = operations.count * operations.waited
        ahead = self.prefetched_share(operations)
        if ahead:
            self.read_ahead(operations, waited * ahead)
        delayed = waited * (1 - ahead) * self.model.delay_read_ps * PS
        self.demands.delay(f"{self.name}: delay", "drive_front", delayed)
        # Between accesses elsewhere the drive sees no stream, nor among more of them than it follows.
        if self.use.random_share > 0 or self.use.streams > FOLLOWED:
            self.random_parts(operations)
        else:
            self.sequential_parts(operations, 1 - ahead)
        turns = math.ceil(operations.bytes / TURNED_BYTES) * self.writes
        service = operations.bytes / self.model.data_read_bytes_s + turns * self.model.turnaround_ps * PS
        passes = waited * (1 - ahead) * (1 - self.hidden(operations, waited * (1 - ahead)) / service)
        self.data_path(operations.count, service, passes, operations.parallel)

    def hidden(self, operations: Operations, waited: float) -> float:
        """Give the seconds of the data path that a read waits for at the link at the same time.

        Of data path and link the shorter hides behind the longer, but for its first page.
        """
        if self.link is None:
            return 0.0
        key, link = self.link
        rest = 1 - min(TURNED_BYTES / operations.bytes, 1.0)
        flow = operations.bytes / self.model.data_read_bytes_s
        passing = link.command_ps * PS + operations.bytes / link.bytes_s
        if flow < passing:
            return flow * rest
        self.demands.hide(key, waited * rest, passing, operations.parallel, operations.alike)
        return 0.0

    def write(self, operations: Operations) -> None:
        """Firmware and buffer; behind the I/O's back data path and programs."""
        self.firmware(operations, self.model.command_write_ps)
        model, waited = self.model, operations.count * operations.waited
        programs = operations.count * operations.bytes / self.programmed(operations)
        # What a write turns the data path around for is lost when its data leave for the dies.
        turns = math.ceil(operations.bytes / TURNED_BYTES) * (1 - self.writes) * operations.count
        # A write that waits for its programs waits until it has passed, and with it what shares a program.
        visits = programs if model.buffers else min(programs, operations.count)
        moved = operations.count * operations.bytes / model.data_write_bytes_s
        self.data_path(
            visits, (moved + turns * model.turnaround_ps * PS) / visits,
            0.0 if model.buffers else waited, 1.0,
        )  # fmt: skip
        program = model.program_ps * self.amplification * PS
        dies = self.dies()
        dies.background_s += programs * program
        dies.background_wait_s = self.behind_program()
        dies.background_longest_s = min(model.suspend_ps, model.program_ps) * PS
        # A read comes to one of the copies, of as many drives as the write.
        drives = max(operations.parallel / self.use.copies, 1.0)
        together = drives * operations.bytes * operations.each / model.program_bytes
        dies.background_together = max(dies.background_together, together)
        if model.buffers:
            self.few_places(programs, program + model.program_bytes / model.data_write_bytes_s)
            last = self.last_part_s(operations.bytes, program)
            self.demands.delay(f"{self.name}: last part of a write", "drive_room", waited * last)
            delay_ps = model.delay_write_ps + model.delay_write_per_kib_ps * operations.bytes / 1024
            self.demands.delay(f"{self.name}: delay", "drive_front", waited * delay_ps * PS)
        else:
            # What it leaves to be collected occupies the die after its answer.
            self.demands.delay(f"{self.name}: program", "drive_media", waited * model.program_ps * PS)

    def last_part_s(self, size: float, program_s: float) -> float:
        """Give the seconds until the last part of a write that is larger than the buffer finds room there.

        As many programs have ended as free so much. All dies program at a time, in rounds, each from when its
        data have passed the data path.
        """
        model = self.model
        programs = math.ceil((size - model.buffer_bytes) / model.program_bytes)
        if programs <= 0:
            return 0.0
        passed = model.program_bytes / model.data_write_bytes_s
        rounds, more = divmod(programs - 1, model.dies)
        return max(rounds * program_s + (more + 1) * passed, programs * passed) + program_s

    def few_places(self, programs: float, held_s: float) -> None:
        """A buffer that has no program for each die limits how many there are at once, for so long each."""
        places = self.model.buffer_bytes // self.model.program_bytes
        if places < self.model.dies:
            buffer = self.demands.at(
                ("write buffer", self.key), f"{self.name}: write buffer", "drive_room", copies=max(places, 1)
            )
            buffer.background_s += programs * held_s

    def programmed(self, operations: Operations) -> float:
        """Give the bytes of a program.

        Where writes are answered from the buffer a program waits until it is full. Where they wait for it,
        what is there leaves at once for a die that has no program, or none yet to follow: so many writes
        share one as there are for each that a die programs, and does not collect for, or that is to follow.
        """
        model = self.model
        if model.buffers:
            return model.program_bytes
        share = self.writing(operations) / ((1 + 1 / self.amplification) * model.dies)
        return min(max(share, 1.0) * operations.bytes, model.program_bytes)

    def writing(self, operations: Operations) -> float:
        """Give how many of the operations under way are such writes, by what reads and programs take."""
        model, use = self.model, self.use
        seconds = {True: model.program_ps * self.amplification * PS, False: model.read_ps * PS}
        # Every member of an array gets as much of an I/O.
        spent = use.members * sum(op.count * op.waited * seconds[op.write] for op in use.operations)
        under_way = use.outstanding * operations.count * seconds[True] / spent if spent else 1.0
        return min(under_way, use.queue_limit)

    def firmware(self, operations: Operations, command_ps: int) -> None:
        """One server of commands."""
        self.demands.visit(
            ("firmware", self.key), f"{self.name}: firmware", "drive_front", visits=operations.count,
            service_s=command_ps * PS, passes=operations.count * operations.waited,
            parallel=operations.parallel, alike=operations.alike,
        )  # fmt: skip

    def data_path(self, visits: float, service_s: float, passes: float, parallel: float) -> None:
        """One server of data, for both directions."""
        self.demands.visit(
            ("data path", self.key), f"{self.name}: data path", "drive_media",
            visits=visits, service_s=service_s, passes=passes, parallel=parallel,
        )  # fmt: skip

    def dies(self) -> Demand:
        """All dies: equal stations that parts go to at random."""
        return self.demands.at(
            ("dies", self.key), f"{self.name}: dies", "drive_media", copies=self.model.dies
        )

    def on_dies(
        self, visits: float, service_s: float, passes: float, parallel: float, meeting: float = 0.0
    ) -> None:
        """Add reads of parts."""
        self.demands.visit(
            ("dies", self.key), f"{self.name}: dies", "drive_media", copies=self.model.dies,
            visits=visits, service_s=service_s, passes=passes, parallel=parallel, meeting=meeting,
        )  # fmt: skip

    def behind_program(self) -> float:
        """Mean wait of a read that finds a program: what is left of it, or until it is suspended."""
        program, suspend = self.model.program_ps, min(self.model.suspend_ps, self.model.program_ps)
        return suspend * (1 - suspend / (2 * program)) * PS

    def random_parts(self, operations: Operations) -> None:
        """Parts on random dies, of which some meet on one."""
        parts, read = self.parts(operations.bytes), self.model.read_ps * PS
        waited, own = operations.count * operations.waited, parts * operations.each
        every = own * operations.parallel
        meeting = own / self.model.dies if own > 1 else 0.0
        self.on_dies(operations.count * parts, read, waited, every, meeting)
        longer = self.slowest(every)
        self.demands.delay(f"{self.name}: last part", "drive_media", waited * longer * read)

    def parts(self, size: float) -> float:
        """Give the parts of a read: whole ones, but of a mean of several sizes what they are on average."""
        parts = size / self.model.stripe_bytes
        return max(parts, 1.0) if size % TURNED_BYTES else math.ceil(parts)

    def slowest(self, parts: float) -> float:
        """How much longer than the mean, as a share, the slowest of parts takes whose times are uniform."""
        return self.model.read_spread * (parts - 1) / (parts + 1)

    def sequential_parts(self, operations: Operations, seen: float) -> None:
        """Parts on consecutive dies, as many on each as it programs at once; a page is read once."""
        part = self.together_bytes
        parts = operations.bytes / part
        together = min(max(self.model.program_bytes / part, 1.0), max(parts, 1.0))
        runs = parts / together
        waited = operations.count * operations.waited * seen * min(runs, 1.0)
        self.on_dies(
            operations.count * runs, together * self.model.read_ps * PS, waited,
            max(runs, 1.0) * operations.parallel,
        )  # fmt: skip
        longer = self.slowest(max(runs, 1.0) * operations.parallel) * math.sqrt(together)
        self.demands.delay(
            f"{self.name}: last part", "drive_media", waited * longer * self.model.read_ps * PS
        )

    @property
    def together_bytes(self) -> int:
        """Bytes that a die reads at once of what was written in sequence."""
        return max(self.model.read_bytes, self.model.stripe_bytes)

    def prefetched_share(self, operations: Operations) -> float:
        """Give what of the reads is prefetched: of a stream with few outstanding all, but for the first after
        each gap of an array."""
        prefetch, use = self.model.prefetch, self.use
        alone = use.random_share == 0 and self.writes == 0
        if prefetch is None or not alone or use.outstanding > prefetch.most_outstanding:
            return 0.0
        reads = use.run_bytes / operations.bytes
        return max(1 - NOT_PREFETCHED / reads, 0.0) if reads else 1.0

    def read_ahead(self, operations: Operations, waited: float) -> None:
        """A delay and a rate instead of dies and data path."""
        model = self.model
        assert model.prefetch is not None
        dies_bytes_s = model.dies * self.together_bytes / (model.read_ps * PS)
        transfer = operations.bytes / min(model.prefetch.bytes_s, dies_bytes_s)
        self.demands.delay(f"{self.name}: prefetch", "drive_front", waited * model.prefetch.delay_ps * PS)
        self.demands.delay(f"{self.name}: prefetched data", "drive_media", waited * transfer)
