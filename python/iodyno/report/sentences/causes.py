"""Causes and notes of verdicts, in words and with their figures."""

from __future__ import annotations

from collections.abc import Callable

from iodyno.analysis.causes import Gathered, load_of
from iodyno.analysis.curves import Curve
from iodyno.analysis.figures import PointFigures
from iodyno.reading import Cause
from iodyno.report.messages import N_, Messages
from iodyno.report.names import ms_text, profile_name, size
from iodyno.report.numbers import MOST_DIGITS
from iodyno.report.sentences.curve import capitalised
from iodyno.report.sentences.loads import loads
from iodyno.verdict import CAUSES, SIMULATED_CAUSES
from iodyno.verdict.causes import counted_kinds, decimals_apart

DETAILS = {
    "target_gone": "{targets}",
    "io_errors": "{kinds}",
    "corrupted": "{findings}",
    "steal": N_("{share}, limit {limit}"),
    "other_io": N_("{other_bytes} in {other_ios} I/Os beside {issued_bytes} issued"),
    "cache_served": N_("{counted_bytes} of {issued_bytes}"),
    "page_cache": "{devices}",
    "throttled": N_("{events} times"),
    "drive_hot": N_("{temperature_c} °C, limit {limit_c} °C"),
    "littles_law": N_("{expected} instead of {depth}"),
    "law_direction": N_("{read_share} reads, {asked_share} asked"),
    "law_trims": N_("{trim_share} trims, {asked_share} asked"),
    "law_depth": N_("{depth}, {asked} asked"),
    "drift": N_("drift {drift}, range {range}"),
    "response_drift": N_("drift {drift}, range {range}"),
    "overload": N_(
        "{rate_io_s} of {asked_io_s} IO/s, backlog {backlog} I/Os or {backlog_s} s, growing by "
        "{growth_io_s} I/Os a second"
    ),
    "catching_up": N_("{rate_io_s} of {asked_io_s} IO/s"),
    "queue_grew": N_("by {growth_io_s} I/Os a second, {rate_io_s} of {asked_io_s} IO/s"),
    "queue_shrank": N_("by {growth_io_s} I/Os a second, {rate_io_s} of {asked_io_s} IO/s"),
    "cache_fills": N_("by {growth_io_s} I/Os a second, drives kept up with {done_io_s} of {asked_io_s} IO/s"),
    "think_time": N_("{time} after every {every} accesses"),
    "rebuilding": N_("{rate_mb_s} MB/s each, all of it in {hours} h"),
    "rebuild_stopped": N_("{asked_mb_s} MB/s asked for"),
    "rebuild_held_up": N_("{rate_mb_s} of {asked_mb_s} MB/s each, all of it in {hours} h"),
    "kernel_workers": N_("{threads} at most"),
    "beyond_tags": N_("{outstanding}, the device takes {tags}"),
    "beyond_requests": N_("{outstanding}, the kernel queues {requests}"),
    "merged": N_("{received_bytes} instead of {asked_bytes} in the mean"),
    "split": N_("{received_bytes} instead of {asked_bytes} in the mean"),
    "host_cpu": "{share}",
    "host_busy": "{share}",
    "depth_not_reached": N_("{reached} of {asked}"),
    "late_starts": N_("{late} of {completed}"),
    "few_of_target": N_("{target}: {ios} of {completed}"),
    "outstanding_limit": N_("{held} of {completed}, {limit} allowed"),
    "stall_at_end": N_("up to {took}, the longest counted {counted}"),
    "few_rounds": N_("counted were {rounds} times as many as outstanding; outstanding ÷ rate is {littles}"),
    "cut_at_ends": N_(
        "rate × mean latency is {expected}, {depth} were outstanding; outstanding ÷ rate is {littles}"
    ),
    "no_steady_state": N_("{rounds} rounds"),
    "trimmed_unchecked": N_("{share} of what was read back"),
    "waited": N_("{waited} of {writes}"),
    "clock_drift": N_("{ppm} ppm"),
}
"""The figures of a cause beside its meaning; a cause that is not here has none to show."""
OF_A_TARGET = N_(
    "{target}: counted were {rounds} times as many as outstanding on it; outstanding ÷ rate is {littles}"
)
NOT_GROWING = N_("{rate_io_s} of {asked_io_s} IO/s, backlog {backlog} I/Os or {backlog_s} s, not growing")
SHRINKING = N_(
    "{rate_io_s} of {asked_io_s} IO/s, backlog {backlog} I/Os or {backlog_s} s, shrinking by {growth_io_s} "
    "I/Os a second"
)
_SHARES = frozenset({"share", "limit", "drift", "range", "read_share", "trim_share", "half_width"})


def meaning(messages: Messages, code: str, *, simulated: bool) -> str:
    """Say what a cause means; of a simulated point, where it is something else there."""
    meanings = CAUSES | SIMULATED_CAUSES if simulated else CAUSES
    return messages.known(meanings.get(code, code))


def details(messages: Messages, cause: Cause) -> str:
    """Write the figures of a cause; empty where it has none, or not all that are needed."""
    template = DETAILS.get(cause.code)
    if template is None:
        return ""
    values = dict(cause.values)
    if cause.code == "think_time" and "time_us" in values:
        values["time"] = ms_text(messages, float(values.pop("time_us")) / 1000)
        template = N_("{time} after every access") if values.get("every") == 1 else template
    if cause.code == "stall_at_end" and "took_ms" in values:
        values |= {name: ms_text(messages, float(values.pop(f"{name}_ms"))) for name in ("took", "counted")}
        if "under_way" in values:
            template = N_("{under_way} under way, up to {took}, the longest counted {counted}")
    if cause.code in ("few_rounds", "cut_at_ends") and "littles_ms" in values:
        values["littles"] = ms_text(messages, float(values.pop("littles_ms")))
    if cause.code == "few_rounds" and "target" in values:
        template = OF_A_TARGET if values["rounds"] else N_("{target}: nothing of it came back")
    if cause.code == "steal" and "limit" in values:
        places = decimals_apart(**values)
        values = {name: messages.numbers.percent(float(value), places) for name, value in values.items()}
    if cause.code == "overload":
        template = _overload(values)
    if cause.code in ("law_direction", "law_trims") and "asked" in values:
        values["asked_share"] = values.pop("asked")
    try:
        return messages.say(
            template, **{name: _value(messages, name, value) for name, value in values.items()}
        )
    except KeyError:
        return ""


def _overload(values: dict[str, float | int | str]) -> str:
    """Choose how a rate that is not served is told: by what its backlog does, or without one."""
    if not values.get("backlog") or "growth_io_s" not in values:
        return DETAILS["catching_up"]  # what is missing is under way
    growth = float(values["growth_io_s"])
    if growth < 0:
        values["growth_io_s"] = -growth
    return DETAILS["overload"] if growth > 0 else SHRINKING if growth < 0 else NOT_GROWING


def gathered_text(messages: Messages, item: Gathered, curve: Curve) -> str:
    """Say a cause with the loads of a curve that it was found at and its figures there."""
    found: dict[str, list[PointFigures]] = {}
    for at, cause in item.points:
        found.setdefault(_details_of(messages, at, cause), []).append(at)
    places = [
        messages.in_brackets(loads(messages, points, curve), figures)
        if figures
        else loads(messages, points, curve)
        for figures, points in found.items()
    ]
    said = messages.say(
        "{meaning}: {places}.",
        meaning=meaning(messages, item.code, simulated=curve.first.simulated),
        places=messages.gathered(places),
    )
    return capitalised(said)


def _details_of(messages: Messages, at: PointFigures, cause: Cause) -> str:
    """Write the figures of a cause, with the load that they are of where that is one beside the first."""
    figures, load = details(messages, cause), load_of(at, cause)
    if load is at:
        return figures
    name = profile_name(messages, load.profile)
    return messages.say("{profile}: {figures}", profile=name, figures=figures) if figures else name


def _value(messages: Messages, name: str, value: float | int | str) -> str:
    write: Callable[[float], str] = messages.numbers.significant
    if isinstance(value, str):
        return counted_kinds(value, messages.numbers.integer) if name == "kinds" else value
    if name == "asked_share":
        return messages.numbers.chosen(value)
    if name in _SHARES and not (name == "limit" and isinstance(value, int)):
        return messages.numbers.percent(value)
    if name.endswith("_bytes"):
        return size(messages, value)
    if name == "asked_io_s":
        return messages.numbers.asked(value)
    if name in ("rate_io_s", "done_io_s"):  # Beside the rate asked for, from which it can differ by little.
        return messages.numbers.significant(value, MOST_DIGITS)
    return messages.numbers.integer(value) if isinstance(value, int) else write(value)
