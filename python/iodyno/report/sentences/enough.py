"""From where on more brings little, in words: outstanding I/Os, drives, workers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from iodyno.analysis.drives import DriveScaling
from iodyno.analysis.enough import Enough, enough, over_workers
from iodyno.analysis.kin import INDEPENDENT, Family
from iodyno.analysis.repeated import once_each
from iodyno.analysis.run import CurveAnalysis
from iodyno.analysis.saturation import SATURATION_MARGIN
from iodyno.report.curve_names import loaded_name
from iodyno.report.messages import Messages
from iodyno.report.names import driven, workers_area, workers_head, workers_text
from iodyno.report.sentences.level import LETTERS_AT_END
from iodyno.report.sentences.practice import of_several_systems, with_maxima
from iodyno.report.shared_words import told_apart

MOST_FAMILIES = 5
"""Kinds of arrays, and systems, of which a conclusion tells: those with most numbers of drives or workers."""

MOST_TOGETHER = 2
"""Kinds of arrays that are named together; of more what they share is named, and their number."""
MOST_IN_A_SENTENCE = 4
"""Profiles of which a sentence says from how many outstanding I/Os on; more are a list."""
WORTH_TELLING = 0.5
"""Share of the curves of a profile that must show from where on, before anything is said of it."""


def of_loads(messages: Messages, items: Sequence[CurveAnalysis]) -> tuple[str, list[str]]:
    """Say from how many outstanding I/Os on more bring little; of several curves of a profile the range.

    Returns
    -------
    tuple
        A sentence, and what is said of each profile: with few of them the sentence says it, of more it leads
        to them. Empty where nothing is shown.
    """
    by_profile: dict[str, list[CurveAnalysis]] = {}
    for item in once_each(with_maxima(items)):
        if not item.curve.open_loop and len(item.curve.points) > 1:
            by_profile.setdefault(loaded_name(messages, item.curve), []).append(item)
    told = [text for name, those in by_profile.items() if (text := _of_profile(messages, name, those))]
    if not told:
        return "", []
    each = any(item.curve.first.outstanding_total > item.curve.first.outstanding for item in items)
    if len(told) > MOST_IN_A_SENTENCE:
        return _lead(messages, each=each), told
    findings = messages.gathered(told)
    if each:
        return messages.say("Outstanding I/Os for each target and worker: {findings}.", findings=findings), []
    return messages.say("Outstanding I/Os: {findings}.", findings=findings), []


def _lead(messages: Messages, *, each: bool) -> str:
    """Lead to what is said of many profiles, each for itself."""
    share = messages.numbers.percent(SATURATION_MARGIN, 0)
    if each:
        return messages.say(
            "Outstanding I/Os for each target and worker from which on more bring less than {share}, as far "
            "as the intervals of the curves of a profile show it:",
            share=share,
        )
    return messages.say(
        "Outstanding I/Os from which on more bring less than {share}, as far as the intervals of the curves "
        "of a profile show it:",
        share=share,
    )


def _of_profile(messages: Messages, name: str, items: Sequence[CurveAnalysis]) -> str:
    certain = [item for item in items if item.saturation.enough]
    loads = [item.saturation.at.outstanding for item in certain]
    if len(loads) < WORTH_TELLING * len(items):
        return ""
    values = {"name": name, "least": messages.numbers.integer(min(loads))}
    if len(items) == 1:
        return messages.say("{name} from {least} on", **values)
    values |= {"count": messages.numbers.integer(len(certain)), "all": messages.numbers.integer(len(items))}
    if min(loads) == max(loads):
        return messages.say("{name} from {least} on (in {count} of {all} curves)", **values)
    most = messages.numbers.integer(max(loads))
    return messages.say(
        "{name} from {least} to {most} on, depending on the curve (in {count} of {all} curves)",
        most=most,
        **values,
    )


def of_drives(messages: Messages, found: Iterable[DriveScaling]) -> list[str]:
    """Say of each kind of array from how many drives on more bring little, profile by profile."""
    every = list(found)
    kinds: dict[tuple[Family, int | None], list[DriveScaling]] = {}
    for item in every:
        kinds.setdefault(item.kind, []).append(item)
    alike: dict[str, list[list[DriveScaling]]] = {}
    for items in kinds.values():
        several = len({item.workers for item in items}) > 1
        names = scaled_names(messages, items, workers=False)
        shown = [enough({step.count: step.figure for step in item.steps}) for item in items]
        workers = [item.workers for item in items] if several else []
        if findings := _findings(messages, names, shown, workers, items[0].targets_per_worker):
            alike.setdefault(findings, []).append(items)
    order = sorted(alike, key=lambda said: -max((_steps(items), len(items)) for items in alike[said])[0])
    return [
        messages.say(
            "Drives, {name}: {findings}.",
            name=_together(messages, [_kind_name(messages, items[0], every) for items in alike[said]]),
            findings=said,
        )
        for said in order[:MOST_FAMILIES]
    ]


def _kind_name(messages: Messages, item: DriveScaling, among: Sequence[DriveScaling]) -> str:
    return messages.enumerated([joined_name(messages, item.family), driven_name(messages, item, among)])


def driven_name(messages: Messages, item: DriveScaling, among: Sequence[DriveScaling]) -> str:
    """Say how many targets a worker drives, where others of the list on this kind of array drive others;
    else nothing."""
    several = len({other.targets_per_worker for other in among if other.family == item.family}) > 1
    return driven(messages, item.targets_per_worker) if several else ""


def _together(messages: Messages, names: Sequence[str]) -> str:
    """Name kinds of arrays of which the same is said: what they share once."""
    shared, short = told_apart(names)
    if not shared or len(names) == 1:
        return messages.names(names)
    if len(names) > MOST_TOGETHER:
        count = messages.numbers.integer(len(names))
        return messages.say("{name}, {count} kinds of arrays", name=shared, count=count)
    return messages.remarked(shared, messages.names(short))


def of_workers(messages: Messages, items: Sequence[CurveAnalysis]) -> list[str]:
    """Say of each system from how many workers on more bring little, profile by profile; of systems of which
    the same is said once."""
    groups = over_workers((item.curve, item.maximum.at.main) for item in with_maxima(items))
    several = of_several_systems(items)
    by_place: dict[tuple[str, str], list[tuple[str, Enough | None]]] = {}
    for curve, figures in groups:
        place = messages.titled(curve.configuration) if several else ""
        whose = workers_head(messages, curve.first.shared_out)
        by_place.setdefault((whose, place), []).append((loaded_name(messages, curve), enough(figures)))
    alike: dict[tuple[str, str], list[str]] = {}
    for (whose, place), pairs in by_place.items():
        findings = _findings(messages, [name for name, _ in pairs], [one for _, one in pairs])
        if findings:
            alike.setdefault((whose, findings), []).append(place)
    return [
        messages.say(
            "{workers}, {name}: {findings}.",
            workers=whose,
            name=_systems(messages, places),
            findings=findings,
        )
        if several
        else messages.say("{workers}: {findings}.", workers=whose, findings=findings)
        for (whose, findings), places in list(alike.items())[:MOST_FAMILIES]
    ]


def _systems(messages: Messages, places: Sequence[str]) -> str:
    """Name systems; where that is too much to read, what they share and their number."""
    if len(places) == 1 or sum(map(len, places)) <= LETTERS_AT_END:
        return messages.names(places)
    shared, _ = told_apart(places)
    count = messages.say_n("{count} system", "{count} systems", len(places))
    return messages.remarked(count, shared) if shared else count


def scaled_names(messages: Messages, items: Sequence[DriveScaling], *, workers: bool = True) -> list[str]:
    """Name what scales with drives: what is loaded, and the workers, unless they are told elsewhere, and what
    they access where others of the list have other ones."""
    workers = workers and len({item.workers for item in items}) > 1
    areas = len({item.workers_area for item in items}) > 1
    named = []
    for item in items:
        told = [
            workers_text(messages, item.workers, item.targets_per_worker) if workers else "",
            workers_area(messages, item.workers_area) if areas else "",
        ]
        name, remark = loaded_name(messages, item.curve), messages.enumerated(told)
        named.append(messages.remarked(name, remark) if remark else name)
    return named


def joined_name(messages: Messages, kin: Family) -> str:
    """Name how drives are joined, and to what."""
    level = level_name(messages, kin)
    words = [messages.known(word) for word in kin.words]
    like = like_name(messages, kin)
    return messages.enumerated(
        [name for name in (messages.part(kin.drive), level, kin.behind, *words, like) if name]
    )


def like_name(messages: Messages, kin: Family) -> str:
    """Tell a family from others that are named the same: by a system of it."""
    return messages.say("as in “{title}”", title=messages.titled(kin.like)) if kin.like else ""


def level_name(messages: Messages, kin: Family) -> str:
    """Name the RAID level of a family."""
    if kin.level == INDEPENDENT:
        return messages.say("independent drives")
    return messages.say("RAID {level}", level=kin.level)


def _steps(items: Sequence[DriveScaling]) -> int:
    return max(len(item.steps) for item in items)


def _findings(
    messages: Messages,
    names: Sequence[str],
    found: Sequence[Enough | None],
    workers: Sequence[int] = (),
    each: int | None = None,
) -> str:
    """Gather profiles by what is shown of them; nothing is said of those that the intervals leave open.

    Parameters
    ----------
    workers
        How many workers each profile has, where that is to be told.
    each
        How many targets have as many of their own; none: they drive all targets.
    """
    told = [place for place, one in enumerate(found) if one is not None]
    groups: dict[Enough, list[tuple[str, int]]] = {}
    for place, name in zip(told, messages.quoted_alike([names[place] for place in told]), strict=True):
        if one := found[place]:
            groups.setdefault(one, []).append((name, workers[place] if workers else 0))
    order = sorted(groups, key=lambda one: (one.count is None, one.count or one.most, not one.certain))
    return messages.gathered(
        [_finding(messages, one, _profiles(messages, groups[one], each)) for one in order]
    )


def _profiles(messages: Messages, found: Sequence[tuple[str, int]], each: int | None) -> str:
    """Name profiles with the workers of each, those once that several have; 0 where they are not told."""
    groups: dict[int, list[str]] = {}
    for name, workers in dict.fromkeys(found):
        groups.setdefault(workers, []).append(name)
    if list(groups) == [0]:
        return messages.enumerated(groups[0])
    if all(len(names) == 1 for names in groups.values()):
        return messages.enumerated(
            [
                messages.remarked(names[0], workers_text(messages, count, each))
                for count, names in groups.items()
            ]
        )
    return messages.gathered(
        [_with_workers(messages, count, each, messages.enumerated(names)) for count, names in groups.items()]
    )


def _with_workers(messages: Messages, count: int, each: int | None, profiles: str) -> str:
    """Say with how many workers profiles are meant."""
    if each is None:
        return messages.say_n(
            "with {count} worker {profiles}", "with {count} workers {profiles}", count, profiles=profiles
        )
    if each == 1:
        return messages.say_n(
            "with {count} worker for each target {profiles}",
            "with {count} workers for each target {profiles}",
            count,
            profiles=profiles,
        )
    return messages.say_n(
        "with {count} worker for every {targets} targets {profiles}",
        "with {count} workers for every {targets} targets {profiles}",
        count,
        targets=messages.numbers.integer(each),
        profiles=profiles,
    )


def _finding(messages: Messages, one: Enough, profiles: str) -> str:
    if one.count is None:
        most = messages.numbers.integer(one.most)
        return messages.say(
            "still growing at {most}, the highest number here: {profiles}", most=most, profiles=profiles
        )
    count = messages.numbers.integer(one.count)
    if one.certain:
        return messages.say("from {count} on: {profiles}", count=count, profiles=profiles)
    return messages.say("from {count} on at the latest: {profiles}", count=count, profiles=profiles)
