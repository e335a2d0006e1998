"""Every threshold of the verdict, with its reason."""

from __future__ import annotations

STEAL_SHARE = 0.02
"""Share of CPU time stolen: at 2 % the precision asked for by default could be the hypervisor's doing."""

OTHER_IO_DEVICE_SHARE = 0.01
"""Other I/O on a device measured whole, as a share of what was issued: its counters are exact."""

OTHER_IO_FILE_SHARE = 0.05
"""The same for a file: journal and metadata of its file system are counted too."""

JOURNAL_BYTES = 64 << 10
"""What a file system may write for each sync of a file beside its data: descriptor, metadata and commit."""

JOURNAL_IOS = 16
"""The same in I/Os."""

OTHER_IO_FLOOR_BYTES = 1 << 20
"""Other I/O let pass whatever its share: a probe of a device when it is closed, a journal commit."""

OTHER_IO_FLOOR_COUNT = 64
"""The same in I/Os, for drives where few bytes take long: one seek each."""

OTHER_IO_LEAST_BYTES = 4096
"""Size that each other I/O has at least; more counted I/Os with fewer bytes are requests that were split."""

CACHE_SERVED_SHARE = 0.02
"""I/O that the device did not count, as a share of what was issued: 2 % is the precision asked for."""

SAME_BYTES_SHARE = OTHER_IO_FILE_SHARE
"""How far a device's bytes may be from those issued for the sizes of its I/Os to be told."""

OTHER_SIZE = 1.25
"""How many times as large or as small a device's I/Os are before it is told: some meet by chance."""

REBUILT_SHARE = 0.95
"""What a rebuild must come to of the rate asked for."""

REBUILD_CHANCE_BYTES = 2 * (256 << 10)
"""What it may lack besides: the largest step at either end of the measured part falls inside it or not."""

HOST_CPU_SHARE = 0.95
"""CPU time of a worker, as a share of that of the processors it can use at once, above which it could not
have issued more."""

HOST_BUSY_SHARE = 0.95
"""CPU time of all processors used by anyone above which the host has nothing left to give."""

DEPTH_SHARE = 0.95
"""Mean depth as a share of the outstanding I/Os asked for below which the depth was not reached."""

LITTLES_LAW_SHARE = 0.05
"""How far rate × mean latency may be from the mean depth, beside what the ends of the window explain."""

FEWEST_ROUNDS = 10
"""Rounds of the outstanding I/Os below which latencies are rough: the stopping rule counts so many."""

CLOCK_DRIFT_PPM = 500
"""Drift of the engine's clock: time synchronisation slews by up to 500 ppm (adjtimex), more is a fault."""

OVERLOAD_SHARE = 0.005
"""Share of the rate asked for that may be missing or still due at the end, beside chance."""

LATE_SHARE = 0.01
"""Share of I/Os that start over 1 ms late above which the host did not keep the schedule."""

HELD_SHARE = 0.01
"""Share of I/Os that waited for a slot above which the outstanding I/Os allowed shape the response time: the
99th percentile is then theirs."""

WAITED_SHARE = 0.01
"""Share of writes that wait for another one to the same place above which the load is another one."""

TARGET_SHARE = 0.25
"""Share of its part of the least counted I/Os below which a virtual target's own figures are rough. The
simulator goes on until each has twice that, no longer than the most that are counted; half may be cut off."""

STALL_TIMES = 2
"""How many times as long as any counted I/O those under way at the end took before it is told: by chance the
longest of them can be somewhat longer."""

STALL_SHARE = 0.1
"""What they took at least, as a share of the measured time: less is no matter for what is shown of it."""

STALL_S = 1.0
"""What is told however long was measured, in s: no sound device keeps an I/O so long that keeps none else."""

SIGMAS = 5
"""Standard deviations of a draw that chance is allowed: exceeded once in 1.7 million readings."""
