"""Which options of fio a job may have: honoured, said to be otherwise, of no bearing, or refused."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from typing import Any

from iodyno.errors import Problem
from iodyno.fio.lines import Setting
from iodyno.fio.values import (
    NotTakenError,
    by_direction,
    parse_extent,
    parse_flag,
    parse_range,
    parse_size,
    parse_split,
    parse_time_us,
)
from iodyno.problems import closest
from iodyno.units import format_cpus, parse_cpus

ALIASES = {
    "readwrite": "rw", "blocksize": "bs", "blocksize_range": "bsrange", "blockalign": "ba",
    "timeout": "runtime", "io_limit": "io_size", "nr_files": "nrfiles", "fileoffset": "offset",
    "wait_for_previous": "stonewall", "iodepth_batch_submit": "iodepth_batch", "allrandrepeat": "randrepeat",
    "iodepth_batch_complete": "iodepth_batch_complete_min", "ratemin": "rate_min", "fill_fs": "fill_device",
    "blocksize_unaligned": "bs_unaligned", "ss": "steadystate", "iomem": "mem", "mem_align": "iomem_align",
    "ratecycle": "rate_cycle", "disable_bw": "disable_bw_measurement", "log_max_value": "log_window_value",
    "log_unix_epoch": "log_alternate_epoch", "threads": "thread",
}  # fmt: skip
"""Other names of options."""

_A_SLIP = 0.8
"""Likeness from which on a name is taken for a slip of the pen."""
RW = ("read", "write", "trim", "randread", "randwrite", "randtrim", "rw", "readwrite", "randrw",
      "trimwrite", "randtrimwrite")  # fmt: skip
Reader = Callable[[str, int], Any]


def _count(least: int, most: int) -> Reader:
    def read(text: str, kb_base: int) -> int:
        value = parse_size(text, kb_base)
        if not least <= value <= most:
            raise NotTakenError(f"{value} is outside {least} to {most}", "take a number within these limits")
        return value

    return read


def _time_s(text: str, _: int) -> float:
    value = parse_time_us(text, bare_s=True) / 1e6
    if value > 86400:
        raise ValueError(f"{text!r} is above a day")
    return value


def _delay_s(text: str, _: int) -> tuple[float, float]:
    """Read a delay in seconds, or the least and the most of a range of them."""
    low, dash, high = text.partition("-")
    if dash and not (low and high):
        raise ValueError(f"{text!r} is neither a time nor a range of two: 5 or 5-10")
    least, most = sorted(_time_s(part, 0) for part in (low, high if dash else low))
    return least, most


def _think_us(text: str, _: int) -> int:
    value = parse_time_us(text, bare_s=False)
    if value > 86400 * 10**6:
        raise ValueError(f"{text!r} is above a day")
    return value


def _cpus(text: str, _: int) -> str:
    return format_cpus(parse_cpus(text))


def _each(read: Reader) -> Reader:
    def every(text: str, kb_base: int) -> dict[str, Any]:
        parts = by_direction(text)
        return {name: read(part, kb_base) for name, part in parts.items() if part}

    return every


def _split(text: str, kb_base: int) -> dict[str, Any]:
    parts = by_direction(text)
    return {name: parse_split(part, kb_base) for name, part in parts.items() if part}


def _size(text: str, kb_base: int) -> int:
    value = parse_size(text, kb_base)
    if value < 1:
        raise ValueError(f"{text!r} is no size above 0")
    return value


def _file_size(text: str, kb_base: int) -> int:
    """Read the size of each file; fio draws one where it is given a range."""
    least, between, most = text.partition("-" if "-" in text else ":")
    if between and least and most:
        what = f"{text!r} is a range, of which fio draws a size for each file: iodyno draws none"
        raise NotTakenError(what, "write one size")
    return _size(text, kb_base)


def _rw(text: str, kb_base: int) -> tuple[str, int]:
    """Read the direction and, behind a colon, of how many accesses one is random, or of sequential ones the
    bytes of the gaps, which can be below 0."""
    word, colon, after = text.partition(":")
    if word not in RW:
        raise ValueError(f"{text!r} is not one of {', '.join(RW)}")
    if word.startswith("rand"):
        return word, _count(1, 1 << 31)(after, kb_base) if colon else 1
    back = after.startswith("-")
    gap = parse_size(after.removeprefix("-"), kb_base) if colon else 0
    return word, -gap if back else gap


def _files(text: str, _: int) -> tuple[str, ...]:
    r"""Take names apart at colons that are not escaped: ``a:b``, ``/dev/disk\:1``."""
    names = [name.replace("\0", ":") for name in text.replace("\\:", "\0").split(":")]
    if not all(names):
        raise ValueError(f"{text!r} has an empty name")
    return tuple(names)


def _word(*known: str) -> Reader:
    def read(text: str, _: int) -> str:
        if text not in known:
            raise ValueError(f"{text!r} is not one of {', '.join(known)}")
        return text

    return read


def _text(text: str, _: int) -> str:
    return text


def _flag(text: str, _: int) -> bool:
    return parse_flag(text)


HONOURED: dict[str, Reader] = {
    "rw": _rw,
    "bs": _each(_size),
    "bssplit": _split,
    "bsrange": _each(parse_range),
    "bs_unaligned": _flag,
    "ba": _each(_size),
    "rwmixread": _count(0, 100),
    "rwmixwrite": _count(0, 100),
    "percentage_random": _each(_count(0, 100)),
    "size": parse_extent,
    "filesize": _file_size,
    "io_size": parse_extent,
    "offset": parse_extent,
    "loops": _count(1, 1 << 31),
    "filename": _files,
    "directory": _text,
    "nrfiles": _count(1, 64),
    "ioengine": _text,
    "iodepth": _count(1, 4096),
    "numjobs": _count(1, 1024),
    "direct": _flag,
    "buffered": _flag,
    "invalidate": _flag,
    "fadvise_hint": _text,
    "runtime": _time_s,
    "ramp_time": _time_s,
    "time_based": _flag,
    "stonewall": _flag,
    "wait_for": _text,
    "startdelay": _delay_s,
    "norandommap": _flag,
    "random_distribution": _text,
    "randrepeat": _flag,
    "randseed": _count(0, (1 << 63) - 1),
    "rate_iops": _each(_count(0, 1 << 31)),
    "rate": _each(parse_size),
    "rate_process": _word("linear", "poisson"),
    "zero_buffers": _flag,
    "scramble_buffers": _flag,
    "refill_buffers": _flag,
    "verify": _text,
    "buffer_compress_percentage": _count(0, 100),
    "dedupe_percentage": _count(0, 100),
    "offset_increment": parse_extent,
    "fsync": _count(0, 1 << 31),
    "fdatasync": _count(0, 1 << 31),
    "sync": _word("none", "0", "sync", "1", "dsync"),
    "thinktime": _think_us,
    "thinktime_blocks": _count(1, 1 << 31),
    "thinktime_blocks_type": _word("complete", "issue"),
    "hipri": _flag,
    "cpus_allowed": _cpus,
    "description": _text,
}
"""What a value of each option means; what of it an engine cannot do is found later."""

ALONE = frozenset({
    "time_based", "stonewall", "norandommap", "zero_buffers", "thread", "group_reporting", "new_group",
    "refill_buffers", "exitall", "bs_unaligned", "hipri", "fixedbufs", "registerfiles", "sqthread_poll",
    "write_bw_log", "write_lat_log", "write_iops_log", "write_hist_log",
})  # fmt: skip
"""Options that may stand without a value: 1 is meant."""

NO_BEARING = frozenset({
    "name", "kb_base", "unit_base", "thread", "group_reporting", "new_group", "create_serialize",
    "create_fsync", "end_fsync", "fsync_on_close", "unlink", "unlink_each_loop", "fallocate",
    "overwrite", "allow_file_create", "mem",
    "iomem_align", "clat_percentiles", "lat_percentiles", "slat_percentiles", "percentile_list",
    "disable_lat", "disable_clat", "disable_slat", "disable_bw_measurement", "gtod_reduce", "clocksource",
    "per_job_logs",
    "write_bw_log", "write_lat_log", "write_iops_log", "write_hist_log", "log_avg_msec", "log_hist_msec",
    "log_hist_coarseness", "log_offset", "log_prio", "log_issue_time", "log_entries", "log_window_value",
    "log_compression", "log_store_compressed", "log_alternate_epoch", "log_alternate_epoch_clock_id",
    "bwavgtime", "iopsavgtime", "unified_rw_reporting", "significant_figures", "stats", "disk_util",
    "block_error_percentiles", "rate_cycle", "openfiles", "error_dump", "gtod_cpu", "exitall_on_error",
    "create_on_open",
})  # fmt: skip
"""Options about fio's processes, files, logs and printing: what is measured does not depend on them."""

OTHERWISE = {
    "iodepth_batch": "iodyno issues as many I/Os at once as there is room for",
    "iodepth_batch_complete_min": "iodyno takes what has completed, at least one I/O",
    "iodepth_batch_complete_max": "iodyno takes what has completed, at least one I/O",
    "iodepth_low": "iodyno fills the queue again at once",
    "fixedbufs": "iodyno decides about registered buffers itself, and its reading says how",
    "registerfiles": "iodyno decides about registered files itself, and its reading says how",
    "buffer_compress_chunk": "what compresses lies at the end of each block",
    "nonvectored": "iodyno decides about the opcode itself",
    "io_submit_mode": "iodyno's schedule never waits for completions; no thread is needed for that",
    "verify_fatal": "iodyno counts what is wrong and goes on",
    "verify_dump": "iodyno reports offset and expectation of what is wrong",
    "verify_async": "iodyno's workers check what they read themselves",
    "verify_async_cpus": "iodyno's workers check what they read themselves",
    "verify_backlog": "iodyno checks what its mix reads, and everything after the load",
    "verify_backlog_batch": "iodyno checks what its mix reads, and everything after the load",
    "random_generator": "iodyno has a generator of its own",
    "softrandommap": "iodyno needs no map in memory",
    "file_service_type": "iodyno keeps equally many I/Os outstanding on each file",
    "continue_on_error": "iodyno counts an I/O that fails and goes on",
    "ignore_error": "iodyno counts an I/O that fails and goes on",
    "rate_ignore_thinktime": "iodyno has no think time where a rate is given",
}
"""Options that iodyno answers in a way of its own, and which."""

HARMLESS = {
    "do_verify": {"1"}, "verify_backlog": {"0"}, "verify_write_sequence": {"0", "1"},
    "zonemode": {"none"}, "fill_device": {"0"}, "thinktime_spin": {"0"}, "pre_read": {"0"},
    "cpus_allowed_policy": {"shared"}, "file_append": {"0"},
    "bs_is_seq_rand": {"0"}, "rw_sequencer": {"sequential"},
    "io_submit_mode": {"inline"}, "random_generator": {"tausworthe", "tausworthe64"},
    "serialize_overlap": {"0"}, "atomic": {"0"}, "rate_min": {"0"}, "rate_iops_min": {"0"}, "flow": {"0"},
    "dedupe_mode": {"repeat"}, "dedupe_global": {"0"}, "continue_on_error": {"none"},
    "create_only": {"0"}, "filetype": {"none"}, "sqthread_poll": {"0"}, "fixedbufs": {"0"},
    "registerfiles": {"0"}, "write_barrier": {"0"}, "file_service_type": {"roundrobin"}, "nice": {"0"},
    "allow_mounted_write": {"0"}, "verify_only": {"0"}, "exitall": {"0"},
    "iodepth_batch": {"1"}, "iodepth_batch_complete_min": {"1"}, "softrandommap": {"0"},
    "latency_target": {"0"}, "max_latency": {"0"}, "trim_percentage": {"0"},
}  # fmt: skip
"""Values that change nothing, of options that would."""

REFUSED = {
    "do_verify": "everything is read and checked after the load",
    "verify_only": "only what this run wrote is checked",
    "verify_pattern": "blocks have stamps of iodyno's own",
    "verify_interval": "blocks have stamps of iodyno's own, one in each sector",
    "verify_offset": "blocks have stamps of iodyno's own",
    "thinktime_spin": "think time is waited for, and takes no processor",
    "cpus_allowed_policy": "the workers share their processors",
    "numa_cpu_nodes": "cpus_allowed, or --pin node, says where workers run",
    "zonemode": "zones are not known",
    "read_iolog": "a log of accesses is not played again",
    "latency_target": "the depth is not sought that keeps a latency",
    "steadystate": "iodyno's own rule ends a point; --precision says how precise it is",
    "allow_mounted_write": "a device that is in use is never written",
    "bs_is_seq_rand": "block sizes do not depend on whether an access is random",
    "number_ios": "iodyno measures by time; --cap says how long at most",
    "fill_device": "iodyno measures by time; --cap says how long at most",
    "dedupe_mode": "duplicates are of blocks that were written before",
    "exec_prerun": "no program is run",
    "exec_postrun": "no program is run",
    "profile": "built-in workloads of fio are not known",
}
"""What iodyno does instead of an option that it does not honour, where that can be said."""


def canonical(name: str) -> str:
    """Give the first of the names that an option has."""
    return ALIASES.get(name, name)


def read_setting(setting: Setting, kb_base: int) -> Any:
    """Read the value of an option that is honoured.

    Raises
    ------
    ValueError
        If there is none, or it is not as fio has it.
    """
    name = canonical(setting.name)
    text = setting.text
    if text is None:
        if name not in ALONE:
            raise ValueError("the value is missing")
        text = "1"
    if not text:
        raise ValueError("the value is empty")
    return HONOURED[name](text, kb_base)


def is_harmless(setting: Setting) -> bool:
    """Tell whether an option has a value that changes nothing."""
    name = canonical(setting.name)
    return name in NO_BEARING or setting.text in HARMLESS.get(name, ())


def known_names() -> Iterator[str]:
    """Yield every name that is known here."""
    for names in (HONOURED, ALIASES, NO_BEARING, OTHERWISE, HARMLESS, REFUSED):
        yield from names


def not_honoured(setting: Setting) -> Problem:
    """Name an option that is not honoured."""
    name = canonical(setting.name)
    because = f": {REFUSED[name]}" if name in REFUSED else ""
    guess = "" if name in REFUSED or name in HARMLESS else closest(name, sorted(set(known_names())))
    near = guess and difflib.SequenceMatcher(None, name, guess).ratio() > _A_SLIP
    meant = f"did you mean {guess}? " if near else ""
    hint = f"{meant}take it out, or give --approximate to go on without it"
    return Problem(setting.place, f"{setting.shown} is not honoured{because}", hint)
