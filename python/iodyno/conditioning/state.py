"""Whether something undid what was done to a target, from two looks at it."""

from __future__ import annotations

from collections.abc import Iterator

from iodyno.plan import Plan, PlannedConditioning
from iodyno.reading import Cause
from iodyno.targets.trace import Trace


def losses(before: Trace, now: Trace, *, own_discards: bool = False) -> tuple[Cause, ...]:
    """Say what shows that conditioning was undone in between; what cannot be told says nothing.

    Parameters
    ----------
    before, now
        Two looks at the same part of a target.
    own_discards
        Whether the plan itself discards or writes zeros, so that these say nothing.

    Returns
    -------
    tuple of Cause
        Codes of ``iodyno.conditioned.LOSSES``.
    """
    known = _same(before.generation, now.generation) and (now.named or _same_attachment(before, now))
    if before.identity != now.identity or not known:
        return (Cause(code="exchanged"),)
    return () if own_discards else tuple(_undone(before, now))


def _same_attachment(before: Trace, now: Trace) -> bool:
    """Tell whether a device is attached as it was, as far as that is known."""
    return _same(before.attachment, now.attachment)


def _same(before: str | int | None, now: str | int | None) -> bool:
    return None in (before, now) or before == now


def _undone(before: Trace, now: Trace) -> Iterator[Cause]:
    holes = _grown(before.unwritten_bytes, now.unwritten_bytes)
    if holes:
        yield Cause(code="holes", values={"bytes": holes})
    if before.attachment == now.attachment:
        discarded = _grown(before.discarded_bytes, now.discarded_bytes)
        if discarded:
            yield Cause(code="discarded", values={"bytes": discarded})
    if before.samples == now.samples:
        zeros = _grown(before.zero_samples, now.zero_samples)
        if zeros:
            yield Cause(code="zeros", values={"samples": zeros, "of": now.samples or 0})
    freed = _grown(now.used_bytes, before.used_bytes)
    if freed:
        yield Cause(code="deallocated", values={"bytes": freed})


def _grown(before: int | None, now: int | None) -> int:
    return max(0, now - before) if before is not None and now is not None else 0


def carried_on(before: Trace | None, now: Trace) -> Trace:
    """Give the later look, with the samples of the earlier one where it has none of its own."""
    if before is None or now.samples is not None:
        return now
    return now.model_copy(update={"samples": before.samples, "zero_samples": before.zero_samples})


def discards_itself(plan: Plan) -> bool:
    """Say whether the loads of a plan discard blocks or write zeros."""
    conditioning = plan.conditioning or PlannedConditioning()
    loads = (*plan.points, *(load for rounds in conditioning.rounds for load in rounds.loads))
    profiles = (profile for load in loads for profile in load.profiles)
    return any(profile.trim_share > 0 or (profile.data == "zeros" and profile.writes) for profile in profiles)
