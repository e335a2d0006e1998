"""What curves are called: their profiles, what ran beside them, and on what they differ from others."""

from __future__ import annotations

from collections.abc import Sequence

from iodyno.analysis.curves import Curve
from iodyno.analysis.figures import PointFigures
from iodyno.plan import Point
from iodyno.report.messages import Messages
from iodyno.report.names import (
    ARRIVALS,
    io_name,
    known_area_size,
    own_workers,
    profile_name,
    workers_area,
    workers_text,
)

MOST_BESIDE = 2
"""Loads that a name has beside its own; more are counted."""


def beside_name(messages: Messages, at: PointFigures, *, loads: bool = False, begins: bool = False) -> str:
    """Name what was measured: its load profile, and those that ran at the same time.

    Parameters
    ----------
    loads
        Whether to give the outstanding I/Os, or the rate, of what ran at the same time.
    begins
        Whether to say when a load begins that does not at once.
    """
    points = (at.point, *(load.point for load in at.beside))
    return loads_name(messages, points, loads=loads, begins=begins)


def loads_name(messages: Messages, points: Sequence[Point], *, loads: bool, begins: bool) -> str:
    """Name loads that ran at the same time by the point of each, as :func:`beside_name` does."""
    first, *others = points
    name = _with(messages, profile_name(messages, first.profile), _begun(messages, first) if begins else "")
    if not others:
        return name
    if len(others) > MOST_BESIDE:
        count = messages.numbers.integer(len(others))
        told = messages.say("{profile} beside {count} other loads", profile=name, count=count)
        times = [_begun(messages, load) for load in others] if begins else []
        return _with(messages, told, *dict.fromkeys(times))
    texts = [
        _with(
            messages,
            profile_name(messages, load.profile),
            own_load(messages, load) if loads else "",
            _begun(messages, load) if begins else "",
        )
        for load in others
    ]
    return messages.say("{profile} beside {others}", profile=name, others=messages.listed(texts))


def _with(messages: Messages, name: str, *details: str) -> str:
    """Write a name with what tells it from another in brackets; details that are empty are none."""
    told = messages.enumerated(details)
    return messages.remarked(name, told) if told else name


def _begun(messages: Messages, load: Point) -> str:
    """Say when a load begins; empty where it begins at once."""
    if not load.begins_after_s:
        return ""
    return messages.say("after {time} s", time=messages.numbers.shortest(load.begins_after_s))


def own_load(messages: Messages, point: Point) -> str:
    """Write the load of one of several: outstanding I/Os per target and worker, or the rate offered."""
    rate = point.rate_io_s
    if rate is None:
        return messages.numbers.integer(point.outstanding)
    return messages.say("{rate} IO/s", rate=messages.numbers.asked(rate))


def loaded_name(messages: Messages, curve: Curve) -> str:
    """Name what a curve loads: its profile, and those that ran at the same time."""
    first = curve.points[0]
    return beside_name(messages, first, loads=curve.loads_told, begins=curve.begins_told)


def curve_name(messages: Messages, curve: Curve) -> str:
    """Name a curve: what it loads, and on what it differs from others of its sweep, the loop included."""
    name, details = loaded_name(messages, curve), curve_details(messages, curve)
    return messages.enumerated([name, details, told_loop(messages, curve)])


def told_loop(messages: Messages, curve: Curve) -> str:
    """Say which loop a curve is of, where its sweep has both of its profile; else nothing."""
    if not curve.loop_told:
        return ""
    return messages.say("open loop") if curve.open_loop else messages.say("closed loop")


def curve_details(messages: Messages, curve: Curve, *, leave_out: str = "") -> str:
    """Say on what a curve differs from others of its sweep, but for one axis, and which volumes it is on
    where its system has more; empty where it is the only one of its profile, and on all."""
    return messages.enumerated(
        [_axis_text(messages, curve, axis) for axis in curve.told if axis != leave_out]
    )


def curve_place(messages: Messages, curve: Curve, *, several: bool, leave_out: str = "") -> str:
    """Say on what a curve was, where it stands among those of other sweeps too.

    Parameters
    ----------
    several
        Whether the run has more than one virtual system: then the curve's own is named in any case.
    leave_out
        An axis that is not told.
    """
    details = curve_details(messages, curve, leave_out=leave_out)
    if not several or not curve.configuration or "system" in curve.varied:
        return details
    return messages.enumerated([messages.titled(curve.configuration), details])


def places_among(messages: Messages, curves: Sequence[Curve], *, several: bool) -> list[str]:
    """Say of curves beside each other on what each was, workers included where they differ: those of
    all its targets together, but where its sweep varies those of each."""
    differ = len({curve.first.workers_in_all for curve in curves}) > 1
    return [
        messages.enumerated(
            [
                curve_place(messages, curve, several=several),
                workers_text(messages, curve.first.workers_in_all)
                if differ and "workers" not in curve.varied
                else "",
            ]
        )
        for curve in curves
    ]


def _axis_text(messages: Messages, curve: Curve, axis: str) -> str:
    first = curve.first
    if axis == "workers":
        return own_workers(messages, first)
    if axis == "workers_area":
        return workers_area(messages, first.workers_area)
    if axis == "limit":
        return limit_text(messages, curve.first.outstanding) if curve.open_loop else ""
    if axis == "system":
        return messages.titled(curve.configuration or first.system or "") or messages.say("real targets")
    if axis == "targets":
        if curve.volumes and "targets" not in curve.varied:
            return _some_volumes(messages, curve)
        paths = messages.names([target.path for target in first.targets])
        if len(first.targets) == 1:
            return paths
        return messages.say_n(
            "{count} target ({paths})", "{count} targets ({paths})", len(first.targets), paths=paths
        )
    if axis == "area":
        asked = curve.profile.area.length
        lengths = [target.area_length_bytes for target in first.targets]
        return messages.listed([known_area_size(messages, length, asked) for length in lengths])
    if axis == "direct":
        return io_name(messages, direct=first.direct)
    return first.engine if axis == "engine" else messages.known(ARRIVALS[first.arrival])


def limit_text(messages: Messages, count: int) -> str:
    """Say how many I/Os an open loop may have outstanding."""
    return messages.say_n("{count} outstanding I/O at most", "{count} outstanding I/Os at most", count)


def _some_volumes(messages: Messages, curve: Curve) -> str:
    """Name the volumes that a curve is on, of those that its system has: each curve of it is on the same."""
    every = messages.numbers.integer(curve.volumes)
    if len(curve.targets) == 1:
        return messages.say("only {path} of {all} targets", path=curve.targets[0], all=every)
    return messages.say(
        "{count} of {all} targets ({paths})",
        count=messages.numbers.integer(len(curve.targets)),
        all=every,
        paths=messages.names(curve.targets),
    )
