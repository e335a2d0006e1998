"""Best practice and conclusion, in words: rules with thresholds, drawn from the readings alone.

A rule that compares rates gives a sentence only where intervals show what it says. Tails and the host as the
limit have no interval: their rules have thresholds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence

from iodyno.analysis.bottleneck import asked_limit, keeps_turn, thinks
from iodyno.analysis.curves import AXES, axis_value
from iodyno.analysis.estimate import Quotient
from iodyno.analysis.ranking import ranking, sound, undisturbed
from iodyno.analysis.repeated import highest_of_each, once_each
from iodyno.analysis.run import CurveAnalysis
from iodyno.analysis.saturation import SATURATION_MARGIN
from iodyno.analysis.things import Described, with_failed
from iodyno.report.curve_names import curve_place, loaded_name, places_among
from iodyno.report.messages import N_, Messages
from iodyno.report.names import main_figure, mean_latency
from iodyno.report.sentences.change import told_changes
from iodyno.report.sentences.curve import LONG_TAIL
from iodyno.report.sentences.level import listable, main_range, names_level, with_level
from iodyno.report.sentences.loads import load_in_all
from iodyno.report.sentences.side_by_side import limit_name, unranked

MOST_SENTENCES = 12
"""Pieces of advice that a paper gives at most: more of them nobody follows."""
MOST_LIMITS = 3
"""Limits that a sentence names where they limit equally often."""
WORTH_CHOOSING = 1.1
"""A configuration is recommended for a profile from this factor over the next on, interval included."""


def practice(
    messages: Messages, items: Sequence[CurveAnalysis], systems: Mapping[str, Described] | None = None
) -> list[str]:
    """Give advice for the systems of these curves, the most general first; none of maxima that think time
    limits, as of rates that are served: they are what was asked; and none from what was disturbed.

    Parameters
    ----------
    systems
        What the virtual systems are, by name.
    """
    systems, paired = systems or {}, _of_what_can_be_done(items)
    failed = with_failed({name: one.system for name, one in systems.items()})
    drives = {name: len(one.system.drives) for name, one in systems.items()}
    every = by_load(
        messages, highest_of_each(closed_where_any([item for item in items if item.whole]))
    ).values()
    items = _of_what_can_be_done(once_each(items))
    by_profile = list(by_load(messages, items).values())
    found = [
        *(text for those in every if (text := best_configuration(messages, sound(those, failed), drives))),
        *told_changes(messages, sound(undisturbed(paired), failed), systems),
        *(text for those in by_profile if (text := enough_load(messages, those))),
        *(text for those in by_profile if (text := low_latency(messages, those))),
        *(text for text in (host_bound(messages, items), tails(messages, items)) if text),
    ]
    return found[:MOST_SENTENCES]


def by_load(messages: Messages, items: Sequence[CurveAnalysis]) -> dict[str, list[CurveAnalysis]]:
    """Put curves together that load the same: one profile, beside the same others."""
    found: dict[str, list[CurveAnalysis]] = {}
    for item in items:
        found.setdefault(loaded_name(messages, item.curve), []).append(item)
    return found


def with_maxima(items: Sequence[CurveAnalysis]) -> list[CurveAnalysis]:
    """Leave out open loops where there are closed ones, and what has no maximum: their figures are what was
    asked, or what the loads reach that the run has of them."""
    return [item for item in closed_where_any(items) if item.whole and not item.asked]


def _of_what_can_be_done(items: Sequence[CurveAnalysis]) -> list[CurveAnalysis]:
    """Leave out also those whose maxima think time limits."""
    return [item for item in with_maxima(items) if not thinks(item.maximum.at)]


def closed_where_any(items: Sequence[CurveAnalysis]) -> list[CurveAnalysis]:
    """Leave out open loops of profiles that have closed ones in the same place, a system or targets: what one
    profile has says nothing of another."""
    closed = {_load_and_place(item) for item in items if not item.curve.open_loop}
    return [item for item in items if not item.curve.open_loop or _load_and_place(item) not in closed]


def _load_and_place(item: CurveAnalysis) -> tuple[tuple[str, ...], str | tuple[str, ...]]:
    curve = item.curve
    profiles = tuple(at.profile.name for at in (curve.lowest, *curve.beside))
    return profiles, curve.first.system or curve.targets


def tops(items: Iterable[CurveAnalysis]) -> dict[str, CurveAnalysis]:
    """Give the curve of each system with its highest maximum, by the name of the system."""
    found: dict[str, CurveAnalysis] = {}
    for item in items:
        system = item.curve.first.system or ""
        if system not in found or item.maximum.at.main.value > found[system].maximum.at.main.value:
            found[system] = item
    return found


def as_loaded(items: Sequence[CurveAnalysis]) -> list[CurveAnalysis]:
    """Leave out virtual systems that are behind others and were asked for less: whose rate still grew at
    their highest load, where those had more for each target."""

    def load(item: CurveAnalysis) -> int:
        return max(at.outstanding * at.point.workers for at in item.curve.points)

    def asked_less(item: CurveAnalysis) -> bool:
        at = item.maximum.at
        return (
            _latency_bound(item)
            and at is item.curve.points[-1]
            and any(
                other.curve.first.system != item.curve.first.system
                and other.maximum.at.main.value > at.main.value
                and load(other) > load(item)
                for other in items
            )
        )

    return [item for item in items if not asked_less(item)]


def best_configuration(
    messages: Messages, items: Sequence[CurveAnalysis], drives: Mapping[str, int] | None = None
) -> str:
    """Recommend the configuration whose maximum is highest by a factor that the intervals show, beside those
    of at least as many drives, by the system's name; none where a system did all that it was asked for, at a
    rate or with think time: it may do more; nor where a maximum was disturbed."""
    if any(_all_asked(item) for item in tops(items).values()) or len(undisturbed(items)) < len(items):
        return ""
    items = [item for item in as_loaded(items) if not _all_asked(item)]
    if len(items) < 2:
        return ""
    found = ranking(items)
    best = found.order[0]
    if any(item in found.highest for item in found.order if _configuration(item) != _configuration(best)):
        return ""
    counts = [(drives or {}).get(item.curve.first.system or "", 0) for item in found.order]
    alike = [item for item, count in zip(found.order, counts, strict=True) if count >= counts[0]]
    if len(alike) < 2:
        return ""
    others = [item for item in alike if _configuration(item) != _configuration(best)]
    any_workers = bool(others) and not _worth_choosing(best, alike[1])  # then it is one configuration
    following = others[0] if any_workers else alike[1]
    behind = _worth_choosing(best, following)
    details, other = (_place(messages, one, items, any_workers=any_workers) for one in (best, following))
    if behind is None or found.unknown or not details or other in ("", details):
        return ""
    beside = [one for one in others if _configuration(one) != _configuration(following)]
    levelled = names_level(
        [following, *beside], lambda one: _place(messages, one, items, any_workers=any_workers)
    )
    name, *levelled = messages.quoted_alike([details, *levelled])
    return messages.say(
        _CHOOSE[len(alike) < len(counts)],
        profile=loaded_name(messages, best.curve),
        name=name,
        figure=main_figure(messages, best.maximum.at),
        factor=messages.numbers.quotient(behind),
        other=with_level(messages, levelled),
    )


_CHOOSE = {
    False: N_(
        "For {profile}, choose {name}: its maximum of {figure} is {factor} times that of the next, {other}."
    ),
    True: N_(
        "For {profile}, choose {name}: its maximum of {figure} is {factor} times that of the next with at "
        "least as many drives, {other}."
    ),
}
"""Whether some that have fewer drives are left out."""


def _place(
    messages: Messages, item: CurveAnalysis, items: Sequence[CurveAnalysis], *, any_workers: bool = False
) -> str:
    """Say what a curve was on, as the conclusion does: the system where there are several, and the number of
    workers where they differ, but where any number is as good."""
    several = of_several_systems(items)
    if any_workers:
        return curve_place(messages, item.curve, several=several, leave_out="workers")
    places = places_among(messages, [one.curve for one in items], several=several)
    return next(place for one, place in zip(items, places, strict=True) if one is item)


def _worth_choosing(best: CurveAnalysis, following: CurveAnalysis) -> Quotient | None:
    """Give by how many times a maximum is that of another; none where nothing shows it to be worth a word."""
    spread = ranking([best, following]).spread
    return spread if spread is not None and spread.known and spread.low >= WORTH_CHOOSING else None


def _configuration(item: CurveAnalysis) -> tuple[Hashable, ...]:
    """Give what a curve was on, whatever the number of workers."""
    rest = (axis_value(item.curve.first, axis) for axis in AXES if axis != "workers")
    return (item.curve.configuration, *rest)


def _all_asked(item: CurveAnalysis) -> bool:
    return item.asked or thinks(item.maximum.at)


def enough_load(messages: Messages, items: Sequence[CurveAnalysis]) -> str:
    """Say how much load saturates, where every curve of a profile shows it for certain, and more could be
    outstanding."""
    if any(item.curve.open_loop or keeps_turn(item.saturation.at) for item in items):
        return ""
    if not all(item.saturation.enough for item in items):
        return ""
    loads = sorted({item.saturation.at.outstanding for item in items})
    name = loaded_name(messages, items[0].curve)
    margin = messages.numbers.percent(SATURATION_MARGIN, 0)
    if any(item.curve.first.outstanding_total > item.curve.first.outstanding for item in items):
        return _enough_for_each(messages, name, loads, margin)
    if len(loads) == 1:
        return messages.say_n(
            "For {profile}, keep {count} outstanding I/O: that is within {margin} of what more would bring, "
            "and more mainly waits.",
            "For {profile}, keep {count} outstanding I/Os: that is within {margin} of what more would bring, "
            "and more mainly waits.",
            loads[0],
            profile=name,
            margin=margin,
        )
    return messages.say(
        "For {profile}, keep {least} to {most} outstanding I/Os, depending on the configuration: that is "
        "within {margin} of what more would bring, and more mainly waits.",
        profile=name,
        least=messages.numbers.integer(loads[0]),
        most=messages.numbers.integer(loads[-1]),
        margin=margin,
    )


def _enough_for_each(messages: Messages, name: str, loads: Sequence[int], margin: str) -> str:
    """Say how much load saturates where several targets or workers have so much each."""
    if len(loads) == 1:
        return messages.say_n(
            "For {profile}, keep {count} outstanding I/O for each target and worker: that is within {margin} "
            "of what more would bring, and more mainly waits.",
            "For {profile}, keep {count} outstanding I/Os for each target and worker: that is within "
            "{margin} of what more would bring, and more mainly waits.",
            loads[0],
            profile=name,
            margin=margin,
        )
    return messages.say(
        "For {profile}, keep {least} to {most} outstanding I/Os for each target and worker, depending on the "
        "configuration: that is within {margin} of what more would bring, and more mainly waits.",
        profile=name,
        least=messages.numbers.integer(loads[0]),
        most=messages.numbers.integer(loads[-1]),
        margin=margin,
    )


def low_latency(messages: Messages, items: Sequence[CurveAnalysis]) -> str:
    """Name the knee of the only curve of a profile, for who pays for latency."""
    if len(items) != 1 or items[0].knee is None or not items[0].knee.certain:
        return ""
    at = items[0].knee.at
    if at.verdict.state == "disturbed":
        return ""
    return messages.say(
        "Where latency counts in {profile}, the best balance is {load}: {figure} with a mean latency of "
        "{latency}.",
        profile=loaded_name(messages, items[0].curve),
        load=load_in_all(messages, at),
        figure=main_figure(messages, at),
        latency=mean_latency(messages, at),
    )


def host_bound(messages: Messages, items: Sequence[CurveAnalysis]) -> str:
    """Say for which profiles a faster host would bring more."""
    bound = [
        item
        for item in undisturbed(items)
        if any(entry.at is item.maximum.at and entry.by == "host" for entry in item.limits)
    ]
    if not bound:
        return ""
    names = list(by_load(messages, bound))
    if not _all_of_their_loads(messages, bound, items):
        return messages.say_n(
            "With some configurations the host limits the maxima of {profiles}: faster cores, or more "
            "workers, come before faster storage there.",
            "With some configurations the host limits the maxima of {profiles}: faster cores, or more "
            "workers, come before faster storage there.",
            len(names),
            profiles=messages.listed(messages.quoted_alike(names)),
        )
    return messages.say_n(
        "The host limits the maxima of {profiles}: faster cores, or more workers, come before faster storage "
        "there.",
        "The host limits the maxima of {profiles}: faster cores, or more workers, come before faster storage "
        "there.",
        len(names),
        profiles=messages.listed(messages.quoted_alike(names)),
    )


def tails(messages: Messages, items: Sequence[CurveAnalysis]) -> str:
    """Warn of long tails at the maxima that a lower load avoids."""
    long = [
        item
        for item in undisturbed(items)
        if item.maximum.at is not item.curve.lowest
        and (ratio := item.maximum.at.tail_ratio(0.999)) is not None
        and ratio >= LONG_TAIL
    ]
    if not long:
        return ""
    names = list(by_load(messages, long))
    if not _all_of_their_loads(messages, long, items):
        return messages.say_n(
            "Do not run {profiles} at the maximum where the slowest I/O in a thousand counts: with some "
            "configurations it takes more than {factor} times the mean there.",
            "Do not run {profiles} at the maximum where the slowest I/O in a thousand counts: with some "
            "configurations it takes more than {factor} times the mean there.",
            len(names),
            profiles=messages.listed(messages.quoted_alike(names)),
            factor=messages.numbers.significant(LONG_TAIL, 2),
        )
    return messages.say_n(
        "Do not run {profiles} at the maximum where the slowest I/O in a thousand counts: it takes more than "
        "{factor} times the mean there.",
        "Do not run {profiles} at the maximum where the slowest I/O in a thousand counts: it takes more than "
        "{factor} times the mean there.",
        len(names),
        profiles=messages.listed(messages.quoted_alike(names)),
        factor=messages.numbers.significant(LONG_TAIL, 2),
    )


def _all_of_their_loads(
    messages: Messages, found: Sequence[CurveAnalysis], items: Sequence[CurveAnalysis]
) -> bool:
    """Tell whether every curve that loads what some curves do is among these."""
    every = by_load(messages, items)
    return len(found) == sum(len(every[name]) for name in by_load(messages, found))


def highest(messages: Messages, items: Sequence[CurveAnalysis]) -> list[str]:
    """Name the highest maximum of each unit, with where it was reached, of the loads that show theirs: where
    all rates are served, or think time limits some, figures are no maxima, and may be higher. Nothing where
    such a figure is the highest, or level with it."""
    made, several = [], of_several_systems(items)
    for shown in ("transaction_rate", "throughput"):
        every = [item for item in items if item.curve.profile.shown_as == shown]
        told = closed_where_any(every)
        groups = by_load(messages, highest_of_each(told)).values()
        those = [item for of in groups if not any(map(_all_asked, of)) for item in of]
        asked = [item for of in groups if any(map(_all_asked, of)) for item in of]
        if those and not any(item in at_the_top([*those, *asked]) for item in asked):
            leaders = at_the_top(those)
            said = (
                _level(messages, leaders, several=several)
                if len(leaders) > 1
                else _highest(messages, leaders[0], several=several)
            )
            said = messages.flow((said, _may_be_higher(messages, those, several=several)))
            apart = len(told) < len(every) and not any(item.curve.open_loop for item in leaders)
            made.append(of_closed_loops(messages, said) if apart else said)
    return made


def _may_be_higher(messages: Messages, items: Sequence[CurveAnalysis], *, several: bool) -> str:
    """Say which maxima are known too little to be told from the highest; nothing where none is ranked."""
    found = ranking(items)
    if not found.highest or found.order[0].maximum.at.main.half_width is None:
        return ""
    names = dict(zip(map(id, items), profiles_at_places(messages, items, several=several), strict=True))
    return unranked(messages, found, lambda item: names[id(item)])


def at_the_top(items: Sequence[CurveAnalysis]) -> tuple[CurveAnalysis, ...]:
    """Give the curve of the highest maximum, and those that are level with it; it alone where it has no
    interval."""
    found = ranking(items)
    return found.highest if found.order[0].maximum.at.main.half_width is not None else found.order[:1]


def _level(messages: Messages, leaders: Sequence[CurveAnalysis], *, several: bool) -> str:
    figures = main_range(messages, [item.maximum.at for item in leaders])
    names = list(dict.fromkeys(profiles_at_places(messages, leaders, several=several)))
    throughput = leaders[0].curve.profile.shown_as == "throughput"
    if listable(names):
        values = {"figures": figures, "names": messages.listed(names)}
        if throughput:
            return messages.say("The highest throughputs are level, {figures}: {names}.", **values)
        return messages.say("The highest transaction rates are level, {figures}: {names}.", **values)
    count = messages.numbers.integer(len(names))
    if throughput:
        return messages.say(
            "The {count} highest throughputs are level: {figures}.", count=count, figures=figures
        )
    return messages.say(
        "The {count} highest transaction rates are level: {figures}.", count=count, figures=figures
    )


def profiles_at_places(messages: Messages, items: Sequence[CurveAnalysis], *, several: bool) -> list[str]:
    """Name curves by their profile and what they were on; a comma inside is kept from parting them."""
    places = places_among(messages, [item.curve for item in items], several=several)
    names = (
        messages.enumerated([loaded_name(messages, item.curve), place])
        for item, place in zip(items, places, strict=True)
    )
    return list(names)


def of_several_systems(items: Iterable[CurveAnalysis]) -> bool:
    """Tell whether curves are of more than one system."""
    return len({item.curve.first.system for item in items}) > 1


def _highest(messages: Messages, best: CurveAnalysis, *, several: bool) -> str:
    values = {
        "figure": main_figure(messages, best.maximum.at),
        "profile": loaded_name(messages, best.curve),
        "load": load_in_all(messages, best.maximum.at),
        "name": curve_place(messages, best.curve, several=several),
    }
    throughput = best.curve.profile.shown_as == "throughput"
    if values["name"]:
        if throughput:
            return messages.say("The highest throughput is {figure}, by {profile}, {name}, {load}.", **values)
        return messages.say(
            "The highest transaction rate is {figure}, by {profile}, {name}, {load}.", **values
        )
    del values["name"]
    if throughput:
        return messages.say("The highest throughput is {figure}, by {profile} {load}.", **values)
    return messages.say("The highest transaction rate is {figure}, by {profile} {load}.", **values)


def of_closed_loops(messages: Messages, said: str) -> str:
    """Say of a finding that it is one of closed loops."""
    return messages.say("{name}: {finding}", name=messages.say("Closed loops"), finding=said)


def usual_limit(messages: Messages, items: Sequence[CurveAnalysis]) -> str:
    """Say what limits most of the maxima: stations of virtual systems by their names, the latency apart.
    Nothing where one was disturbed, or its limit is not known."""
    items = with_maxima(items)
    if len(items) < 2 or len(undisturbed(items)) < len(items) or not all(_judged(item) for item in items):
        return ""
    waiting = [item for item in items if _latency_bound(item)]
    counts = Counter(limit_name(messages, item, bare=True) for item in items if not _latency_bound(item))
    return messages.flow((_most_often(messages, counts, len(items)), _unsaturated(messages, waiting, items)))


def _most_often(messages: Messages, counts: Counter[str], every: int) -> str:
    """Name what limits most often; nothing where each limits once, or too many as often."""
    most = max(counts.values(), default=0)
    names = [name for name, count in counts.items() if count == most]
    if most < 2 or len(names) > MOST_LIMITS:
        return ""
    values = {"count": messages.numbers.integer(most), "all": messages.numbers.integer(every)}
    if most == every:
        return messages.say("Every maximum has the same limit: {limit}.", limit=names[0])
    if len(names) == 1:
        return messages.say(
            "The most frequent limit of the maxima: {limit}, at {count} of {all}.", limit=names[0], **values
        )
    return messages.say(
        "The most frequent limits of the maxima are {limits}, each at {count} of {all}.",
        limits=messages.listed(names),
        **values,
    )


def _unsaturated(messages: Messages, waiting: Sequence[CurveAnalysis], items: Sequence[CurveAnalysis]) -> str:
    """Say at how many maxima nothing is saturated; not where a rate or a think time asked for limits."""
    if not waiting:
        return ""
    if len(waiting) == len(items):
        return messages.say("No station is saturated at any of the maxima: the latency is the limit.")
    return messages.say(
        "At {count} of {all} maxima no station is saturated: the latency is the limit there.",
        count=messages.numbers.integer(len(waiting)),
        all=messages.numbers.integer(len(items)),
    )


def _latency_bound(item: CurveAnalysis) -> bool:
    """Tell whether a maximum is one of a virtual system without a saturated station, though more is asked."""
    at, found = item.maximum.at, item.maximum.at.simulation
    return found is not None and found.bottleneck.kind == "outstanding" and asked_limit(at) is None


def _judged(item: CurveAnalysis) -> bool:
    return not any(entry.at is item.maximum.at and entry.by == "unknown" for entry in item.limits)
