"""What a load does beside reading and writing, in words: trims, syncs, think time, pinned workers."""

from __future__ import annotations

from collections.abc import Sequence

from iodyno.analysis.figures import CommandFigures, PointFigures
from iodyno.plan import Point
from iodyno.profiles import LoadProfile
from iodyno.reading import EngineFacts, WorkerFacts
from iodyno.report.messages import N_, Messages
from iodyno.report.names import ms_text
from iodyno.units import format_cpus


def operations(messages: Messages, profile: LoadProfile) -> tuple[str, ...]:
    """Say what a profile asks for beside reads and writes; nothing for most."""
    say, numbers = messages.say, messages.numbers
    found = []
    if profile.trim_share:
        found.append(say("{share} trims", share=numbers.chosen(profile.trim_share)))
    for call, every in (("fsync", profile.fsync_every), ("fdatasync", profile.fdatasync_every)):
        if every == 1:
            found.append(say("{call} after every write", call=call))
        elif every:
            found.append(say("{call} after every {number} writes", call=call, number=numbers.integer(every)))
    if profile.think_time_us:
        time = ms_text(messages, profile.think_time_us / 1000)
        if profile.think_every == 1:
            found.append(say("think time {time}", time=time))
        else:
            number = numbers.integer(profile.think_every)
            found.append(say("think time {time} after every {number} accesses", time=time, number=number))
    return tuple(found)


def opening(messages: Messages, point: Point, engine: EngineFacts) -> tuple[str, ...]:
    """Say how targets were opened beyond direct or buffered."""
    durable = ("O_DSYNC",) if engine.write_through else ()
    return (messages.say("cold cache"), *durable) if point.cold_cache else durable


def pinned(messages: Messages, workers: Sequence[WorkerFacts]) -> str:
    """Say which processors workers were pinned to; empty where to none."""
    sets = dict.fromkeys(worker.cpus for worker in workers if worker.cpus)
    cpus = "; ".join(format_cpus(item) for item in sets)
    return messages.say("workers on processors {cpus}", cpus=cpus) if cpus else ""


def planned_pinning(messages: Messages, point: Point) -> str:
    """Say which processors the workers of a point will be pinned to; empty where to none."""
    if not point.worker_cpus:
        return ""
    return messages.say("workers on processors {cpus}", cpus=format_cpus(point.worker_cpus))


def command_texts(messages: Messages, item: PointFigures) -> tuple[str, ...]:
    """Give rate and latencies of the syncs and trims of a point; nothing where it has none."""
    syncs, trims = N_("{rate} syncs/s, mean {mean}, p99 {p99}"), N_("{rate} trims/s, mean {mean}, p99 {p99}")
    return tuple(
        _command(messages, text, of) for text, of in ((syncs, item.syncs), (trims, item.trims)) if of
    )


def _command(messages: Messages, text: str, item: CommandFigures) -> str:
    return messages.say(
        text,
        rate=messages.numbers.significant(item.rate_s),
        mean=ms_text(messages, item.latency_ms_mean),
        p99=ms_text(messages, item.latency_ms_p99),
    )
