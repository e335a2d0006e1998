"""What a verdict can name, and what each name means."""

from __future__ import annotations

import re
from collections.abc import Callable
from string import Formatter

from iodyno.reading import Cause

DISTURBANCES: dict[str, str] = {
    "target_gone": "a target has gone, or another has its name now",
    "io_errors": "I/Os failed or came back short",
    "corrupted": "data came back that is not what was written",
    "interrupted": "the measurement was interrupted",
    "failed": "the measurement could not go on",
    "nothing_completed": "no I/O completed in the measured part",
    "steal": "the hypervisor took CPU time away",
    "other_io": "others used the device at the same time",
    "cache_served": "the device saw less I/O than was issued: a cache answered, or nothing was stored there",
    "not_direct": "direct I/O was asked for and not had",
    "page_cache": "a loop device goes through the page cache: direct I/O ends there",
    "throttled": "the processor throttled because of heat",
    "drive_hot": "the drive reached the temperature at which it warns",
    "law_completed": "completed I/Os are not what was timed, listed or issued",
    "law_bytes": "bytes are not the sum of the sizes of the I/Os",
    "law_direction": "reads and writes do not have the share that was asked for",
    "law_trims": "trims do not have the share that was asked for",
    "law_latency": "the histogram contradicts its own minimum, maximum or sum",
    "law_depth": "more I/Os were outstanding than were asked for",
    "littles_law": "rate × mean latency is not the mean depth",
}
"""What makes a reading *disturbed*."""

UNSTEADINESS: dict[str, str] = {
    "drift": "the load had not settled",
    "overload": "the target did not keep up with the rate asked for",
    "catching_up": "more was done than the rate asked for: a backlog was worked off",
    "queue_grew": "the target did not keep up with the rate asked for, as its queue grew all the while",
    "queue_shrank": "a backlog was worked off, as the queue shrank all the while",
    "cache_fills": "a write cache filled all the while: once it is full, "
    "no more is done than drives keep up with",
    "response_drift": "response times had not settled",
}
"""What makes one *not steady*."""

CAPS: dict[str, str] = {
    "imprecise": "time ran out before the precision asked for was reached",
}
"""What makes one *capped*."""

NOTES: dict[str, str] = {
    "buffered": "buffered I/O on request: the caches of the operating system take part",
    "imported": "measured by another program: its results were imported, and nothing of them was judged",
    "grouped_jobs": "several jobs were reported as one: what is known is their sum, and no job's share of it",
    "depth_of_last": "outstanding I/Os are those of the last of these jobs: not all I/Os were timed",
    "completion_latency": "percentiles are those of the completion latency: the time to issue is not in them",
    "completion_latency_only": "latencies are completion latencies: the time to issue is not in them",
    "no_latency": "the latency is not known: nobody timed the I/Os",
    "some_untimed": "latencies are those of the I/Os that were timed: others were not",
    "no_distribution": "the distribution of the latency is not known: only some percentiles are",
    "simulated": "nothing was measured: the figures are those of a model",
    "calculated": "nothing was measured: the figures are calculated from a model",
    "verified": "data was stamped and checked: the figures hold its cost",
    "trimmed_unchecked": "what was trimmed was not compared: nothing says what it holds",
    "waited": "writes or trims waited for others to the same place, so that each block has one right value",
    "null_engine": "the engine did nothing: the figures are its own cost",
    "nop_engine": "the engine asked the kernel for nothing: the figures are the cost of the way and back",
    "think_time": "workers paused by the think time asked for: the rate is not what the target can do",
    "polled": "completions were polled for: workers use their processors fully by design",
    "rebuilding": "failed members were rebuilt beside the load",
    "rebuild_held_up": "failed members were rebuilt beside the load, more slowly than asked for",
    "rebuild_stopped": "failed members were to be rebuilt beside the load, and nothing of them was",
    "trimmed_reads": "blocks were read that may have been trimmed: a device answers those without its medium",
    "not_pinned": "workers ran on other processors than planned: the process may use fewer now",
    "device_not_counted": "the device's counters could not be read: no proof that I/O reached it",
    "kernel_workers": "worker threads of the kernel did part of the I/O",
    "beyond_tags": "more I/Os were outstanding than the device takes at once: some waited in the kernel",
    "beyond_requests": "more I/Os were outstanding than the kernel queues for the device",
    "merged": "the kernel merged I/Os that lie side by side: the device received fewer and larger ones",
    "split": "the kernel split I/Os: the device received more and smaller ones",
    "host_cpu": "the host is the limit: a worker used its processor fully",
    "host_busy": "all processors of the host were busy",
    "depth_not_reached": "fewer I/Os were outstanding than asked for: the host did not keep the queue full",
    "late_starts": "I/Os started later than the schedule asked",
    "outstanding_limit": "I/Os were due while all that may be outstanding were: they waited for a completion",
    "stall_at_end": "I/Os under way at the end took longer than any counted: "
    "the longest latency is a lower bound",
    "few_rounds": "the time was short beside the latencies: of I/Os that take long only those that fit into "
    "it are in them",
    "cut_at_ends": "I/Os that reach beyond the measured time weigh in the mean latency",
    "few_samples": "too few I/Os for a percentile this high",
    "few_of_target": "few I/Os were counted of a target beside faster ones: its own figures are rough",
    "contents_not_written": "what was read had not been written before, as far as could be seen",
    "conditioning_lost": "something undid the conditioning before or while it was measured",
    "conditioning_unsure": "something undid the conditioning, perhaps before it was measured: "
    "only a look after later points shows it",
    "no_steady_state": "the rounds of conditioning ended without a steady state",
    "unoptimised": "the engine was built without optimisation",
    "clock_drift": "the clock of the time stamps drifted",
}
"""What limits the meaning of a reading, whatever its state."""

CAUSES = DISTURBANCES | UNSTEADINESS | CAPS | NOTES
"""Meaning of each code in English; whoever shows it passes it through its message catalogue."""

SIMULATED_CAUSES: dict[str, str] = {
    "imprecise": "as many I/Os were simulated as may be, without reaching the precision asked for",
    "host_cpu": "the host is the limit: its processor is saturated",
}
"""The same of simulated points, where it is another: no time runs out."""

_DETAILS: dict[str, str] = {
    "target_gone": "{targets}",
    "io_errors": "{kinds}",
    "corrupted": "{kinds}",
    "steal": "{share:.1%}, limit {limit:.1%}",
    "other_io": "{other_bytes} bytes in {other_ios} I/Os beside {issued_bytes} bytes issued",
    "cache_served": "{counted_bytes} of {issued_bytes} bytes",
    "page_cache": "{devices}",
    "throttled": "{events} times",
    "drive_hot": "{temperature_c:g} °C, limit {limit_c:g} °C",
    "littles_law": "{expected:.3g} instead of {depth:.3g}",
    "law_direction": "{read_share:.1%} reads, {asked:chosen} asked",
    "law_trims": "{trim_share:.1%} trims, {asked:chosen} asked",
    "law_depth": "{depth:.3g}, {asked} asked",
    "law_completed": "{what}: {found} instead of {expected}",
    "law_bytes": "{what}: {found} instead of {expected}",
    "law_latency": "{what}",
    "drift": "drift {drift:.1%}, range {range:.1%}",
    "response_drift": "drift {drift:.1%}, range {range:.1%}",
    "overload": "{rate_io_s:.0f} of {asked_io_s:.0f} IO/s",
    "catching_up": "{rate_io_s:.0f} of {asked_io_s:.0f} IO/s",
    "queue_grew": "by {growth_io_s:.3g} I/Os a second, {rate_io_s:.0f} of {asked_io_s:.0f} IO/s",
    "queue_shrank": "by {growth_io_s:.3g} I/Os a second, {rate_io_s:.0f} of {asked_io_s:.0f} IO/s",
    "cache_fills": "by {growth_io_s:.3g} I/Os a second, "
    "drives kept up with {done_io_s:.0f} of {asked_io_s:.0f} IO/s",
    "think_time": "{time_us} µs after every {every}",
    "rebuilding": "{rate_mb_s:.3g} MB/s each, all of it in {hours:.3g} h",
    "rebuild_held_up": "{rate_mb_s:.3g} of {asked_mb_s:.3g} MB/s each, all of it in {hours:.3g} h",
    "rebuild_stopped": "{asked_mb_s:.3g} MB/s asked for",
    "kernel_workers": "{threads}",
    "beyond_tags": "{outstanding}, the device takes {tags}",
    "beyond_requests": "{outstanding}, the kernel queues {requests}",
    "merged": "{received_bytes} instead of {asked_bytes} bytes in the mean",
    "split": "{received_bytes} instead of {asked_bytes} bytes in the mean",
    "host_cpu": "{share:.0%}",
    "host_busy": "{share:.0%}",
    "depth_not_reached": "{reached:.3g} of {asked}",
    "late_starts": "{late} of {completed}",
    "outstanding_limit": "{held} of {completed}, {limit} allowed",
    "stall_at_end": "up to {took_ms:.0f} ms, the longest counted {counted_ms:.3g} ms",
    "few_rounds": "counted were {rounds:.3g} times as many as outstanding; "
    "outstanding ÷ rate is {littles_ms:.4g} ms",
    "cut_at_ends": "rate × mean latency is {expected:.3g}, {depth:.3g} were outstanding; "
    "outstanding ÷ rate is {littles_ms:.4g} ms",
    "trimmed_unchecked": "{share:.1%} of what was read back",
    "waited": "{waited} of {writes}",
    "few_of_target": "{target}: {ios:,} of {completed:,}",
    "few_samples": "{percentile} of {samples} I/Os, {needed} needed",
    "no_steady_state": "{rounds} rounds",
    "clock_drift": "{ppm:.0f} ppm",
}


_COUNT = re.compile(r"(?<=: )\d+")
"""How many there are of a kind, after its name."""


class _Plain(Formatter):
    """Writes significant digits without a power of ten, counts with their thousands apart, and shares that
    were chosen as they were."""

    def format_field(self, value: float | int | str, format_spec: str) -> str:
        """Write a figure; where it is given with significant digits, its thousands apart."""
        if format_spec == "chosen":
            return f"{float(value) * 100:.10g}%"
        if isinstance(value, int) and not format_spec:
            return f"{value:,}"
        written = format(value, format_spec)
        return f"{float(written):,.15g}" if format_spec.endswith("g") and "e+" in written else written


_PLAIN = _Plain()


def describe(cause: Cause) -> str:
    """Say a cause in English, with its figures.

    Examples
    --------
    >>> describe(Cause(code="steal", values={"share": 0.031, "limit": 0.02}))
    'the hypervisor took CPU time away (3.1%, limit 2.0%)'
    """
    meaning = CAUSES.get(cause.code, cause.code)
    if cause.code == "imprecise":
        return f"{meaning} ({_precision(cause)})"
    template = _DETAILS.get(cause.code, "")
    if cause.code == "few_rounds" and "target" in cause.values:
        template = f"{{target}}: {template if cause.values['rounds'] else 'nothing of it came back'}"
    values = dict(cause.values)
    if "kinds" in values:
        values["kinds"] = counted_kinds(str(values["kinds"]), "{:,}".format)
    if cause.code == "steal" and "limit" in values:
        template = template.replace(".1%", f".{decimals_apart(**cause.values)}%")
    detail = _PLAIN.vformat(template, (), values)
    if "under_way" in cause.values:
        detail = f"{cause.values['under_way']:,} under way, {detail}"
    if cause.code == "overload":
        detail += _backlog(cause)
    return f"{meaning} ({detail})" if detail else meaning


def decimals_apart(share: float | int | str, limit: float | int | str) -> int:
    """Give the decimals, in percent, with which a share is written above the limit that it exceeds.

    Examples
    --------
    >>> decimals_apart(0.031, 0.02), decimals_apart(0.02003, 0.02)
    (1, 3)
    """
    apart = (places for places in range(1, 6) if f"{float(share):.{places}%}" != f"{float(limit):.{places}%}")
    return next(apart, 1)


def counted_kinds(kinds: str, write: Callable[[int], str]) -> str:
    """Write the counts of kinds, as of I/O errors.

    Examples
    --------
    >>> counted_kinds("EIO: 17408, SHORT: 1", "{:,}".format)
    'EIO: 17,408, SHORT: 1'
    """
    return _COUNT.sub(lambda found: write(int(found[0])), kinds)


def _backlog(cause: Cause) -> str:
    """Say what a backlog is, in I/Os and in time, and whether it grew; nothing where there is none: what is
    missing may be under way."""
    backlog = cause.values.get("backlog")
    if not backlog:
        return ""
    told = f", backlog {backlog:,} I/O{'' if backlog == 1 else 's'}"
    seconds, growth = cause.values.get("backlog_s"), float(cause.values.get("growth_io_s", 0.0))
    if seconds is None:
        return told
    trend = _PLAIN.format("growing by {0:.3g}" if growth > 0 else "shrinking by {0:.3g}", abs(growth))
    return f"{told}, {float(seconds):.3g} s at that rate, {f'{trend} a second' if growth else 'not growing'}"


def _precision(cause: Cause) -> str:
    asked = _PLAIN.format("±{asked:chosen} asked", asked=cause.values["asked"])
    reached = cause.values.get("half_width")
    return f"no interval, {asked}" if reached is None else f"±{float(reached):.1%}, {asked}"
