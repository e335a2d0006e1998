"""What the numbers show, in words: rules with thresholds, one function a rule.

A rule gives a sentence, or nothing where the intervals do not allow it. Where intervals
leave a difference open it is called "not distinguishable", and no sentence says more than
its interval does.
"""

from __future__ import annotations

from collections.abc import Sequence

from iodyno.analysis.anomalies import Anomaly
from iodyno.analysis.bottleneck import Limit, asks_the_device, serves_its_rate
from iodyno.analysis.figures import PointFigures
from iodyno.analysis.knee import Knee
from iodyno.analysis.run import CurveAnalysis
from iodyno.analysis.saturation import SATURATION_MARGIN, Saturation
from iodyno.reading import State
from iodyno.report.messages import N_, Messages
from iodyno.report.names import limit_text, main_figure, mean_latency, ms_text, profile_name
from iodyno.report.sentences.loads import Told, load, loads, number

GROWTH_WORTH_A_NUMBER = 1.1
"""A growth is given as a factor from here on; below it the curve is called flat. Ten per cent
between the lowest load and the maximum is less than systems of one make differ by."""
LONG_TAIL = 10.0
"""The 99.9th percentile is called a long tail from this multiple of the mean on: an
exponential distribution, that of a plain queue, has 6.9 times its mean there."""
LATENCY_RISE = 1.5
"""A rise of the latency beyond saturation is named from this factor on, intervals left out."""


def rate_paragraph(messages: Messages, item: CurveAnalysis) -> str:
    """Say in words how rate or throughput depend on the load: each rule that applies, in order."""
    if len(item.curve.points) == 1:
        sentences = [single(messages, item)]
    elif item.searched:
        sentences = [lowest(messages, item), kept(messages, item)]
    elif item.asked:
        sentences = [lowest(messages, item), served(messages, item)]
    else:
        sentences = [
            lowest(messages, item),
            grows(messages, item),
            saturates(messages, item),
            level(messages, item),
            *(anomaly(messages, found) for found in item.anomalies),
        ]
    sentences += [
        host(messages, item),
        submission(messages, item),
        queue(messages, item),
        unsteady(messages, item),
        disturbed(messages, item),
    ]
    return messages.flow(sentences)


def latency_paragraph(messages: Messages, item: CurveAnalysis) -> str:
    """Say in words what the latency does; empty where no rule applies."""
    sentences = [knee(messages, item), beyond(messages, item), tail(messages, item)]
    return messages.flow(sentences)


def lowest(messages: Messages, item: CurveAnalysis) -> str:
    """Say where the curve begins: always said."""
    at = item.curve.lowest
    if not at.latency_ms_mean.value:
        return messages.say(
            "The {profile} profile starts from {figure} {load}.",
            profile=profile_name(messages, at.profile),
            load=load(messages, at),
            figure=_with_interval(messages, at),
        )
    return messages.say(
        "The {profile} profile starts from {figure} {load}, with a mean latency of {latency}.",
        profile=profile_name(messages, at.profile),
        load=load(messages, at),
        figure=_with_interval(messages, at),
        latency=mean_latency(messages, at),
    )


def served(messages: Messages, item: CurveAnalysis) -> str:
    """Say of an open loop whose rates are all served how far they go, and that more was not asked, but where
    they follow from what a closed loop reached."""
    known = [at for at in item.curve.points if at.completed]
    if len(known) < len(item.curve.points):
        return _served_where_known(messages, item, known)
    at = known[-1]
    if at.point.rate_from is not None:
        return messages.say(
            "Every rate that was offered is served, up to {figure} {load}.",
            figure=_with_interval(messages, at),
            load=load(messages, at),
        )
    return messages.say(
        "Every rate that was offered is served, up to {figure} {load}; what could be served at most was not "
        "asked.",
        figure=_with_interval(messages, at),
        load=load(messages, at),
    )


def _served_where_known(messages: Messages, item: CurveAnalysis, known: Sequence[PointFigures]) -> str:
    """Say at which rates no I/O completed, and that the others are served."""
    without = [at for at in item.curve.points if not at.completed]
    said = messages.say(
        "No I/O completed {loads}: whether that is served is not known.",
        loads=loads(messages, without, item.curve),
    )
    if not known:
        return said
    others = messages.say(
        "Every other rate that was offered is served, up to {figure} {load}.",
        figure=_with_interval(messages, known[-1]),
        load=load(messages, known[-1]),
    )
    return messages.flow((said, others))


def kept(messages: Messages, item: CurveAnalysis) -> str:
    """Say the answer of a search: no maximum, as higher rates may be served, and nothing grows to it."""
    if not item.answered:
        return messages.say("No rate that was tried keeps the limit of the response time.")
    at = item.maximum.at
    return messages.say(
        "The answer of the search is {figure} {load}: the highest rate that keeps the limit of the response "
        "time.",
        figure=_with_interval(messages, at),
        load=load(messages, at),
    )


def single(messages: Messages, item: CurveAnalysis) -> str:
    """Say what the only point of a curve came to."""
    at = item.curve.lowest
    if not at.latency_ms_mean.value:
        return messages.say(
            "The {profile} profile reaches {figure} {load}.",
            profile=profile_name(messages, at.profile),
            load=load(messages, at),
            figure=_with_interval(messages, at),
        )
    return messages.say(
        "The {profile} profile reaches {figure} {load}, with a mean latency of {latency}.",
        profile=profile_name(messages, at.profile),
        load=load(messages, at),
        figure=_with_interval(messages, at),
        latency=mean_latency(messages, at),
    )


def grows(messages: Messages, item: CurveAnalysis) -> str:
    """Say how much more a higher load brings, as far as the interval of the factor leaves out 1."""
    top, factor = item.maximum.at, item.growth
    if factor is None:
        return ""
    counted = bool(item.maximum.passed_over)
    if not factor.known:
        return messages.say(
            _NOT_KNOWN_TO_GROW[counted],
            figure=main_figure(messages, top),
            load=load(messages, top),
            reasons=messages.listed(_uncertain(messages, item.curve.lowest, top)),
        )
    if top is item.curve.lowest:
        return messages.known(_FIRST_IS_HIGHEST[counted])
    if factor.low <= 1:
        return messages.say(_NO_GAIN[counted], figure=main_figure(messages, top), load=load(messages, top))
    if factor.value < GROWTH_WORTH_A_NUMBER:
        return messages.say(
            "It depends little on the load: the maximum, {figure} {load}, is {share} higher.",
            figure=main_figure(messages, top),
            load=load(messages, top),
            share=messages.numbers.percent(factor.gain),
        )
    ends = messages.numbers.with_ends(factor)
    return messages.say(
        _GROWN[top.profile.shown_as, ends["low"] != ends["high"]],
        figure=_with_interval(messages, top),
        load=load(messages, top),
        **ends,
    )


_NOT_KNOWN_TO_GROW = {
    False: N_("The highest value is about {figure} {load}; no growth is shown: {reasons}."),
    True: N_(
        "The highest value that counts as the maximum is about {figure} {load}; no growth is shown: "
        "{reasons}."
    ),
}
_NO_GAIN = {
    False: N_(
        "A higher load brings no gain that the intervals would show: the highest value, {figure} {load}, "
        "is not distinguishable from the first."
    ),
    True: N_(
        "A higher load brings no gain that the intervals would show: the highest value that counts as the "
        "maximum, {figure} {load}, is not distinguishable from the first."
    ),
}
"""What is said where no growth is shown, and whether there are higher values that do not count."""
_FIRST_IS_HIGHEST = {
    False: N_("A higher load brings no gain: the first value is the maximum."),
    True: N_("A higher load brings no gain that counts: the first value is the maximum."),
}
"""What is said where the lowest load has the maximum, and whether higher values do not count."""
_GROWN = {
    ("throughput", True): N_(
        "As the load increases, the throughput grows to a maximum of {figure} {load}: {factor} times the "
        "first value (interval {low} to {high})."
    ),
    ("throughput", False): N_(
        "As the load increases, the throughput grows to a maximum of {figure} {load}: {factor} times the "
        "first value."
    ),
    ("transaction_rate", True): N_(
        "As the load increases, the transaction rate grows to a maximum of {figure} {load}: {factor} times "
        "the first value (interval {low} to {high})."
    ),
    ("transaction_rate", False): N_(
        "As the load increases, the transaction rate grows to a maximum of {figure} {load}: {factor} times "
        "the first value."
    ),
}
"""How much a main figure grows, and whether the ends of its interval are written apart."""


def _uncertain(messages: Messages, lowest: PointFigures, top: PointFigures) -> list[str]:
    """Name the intervals that a factor lacks, or by which it has no upper end."""
    reasons = [
        messages.say("the interval {load} is missing", load=load(messages, at))
        for at in ((lowest,) if lowest is top else (lowest, top))
        if at.main.half_width is None
    ]
    if lowest.main.half_width is not None and lowest.main.half_width >= 1:
        reasons.append(
            messages.say(
                "the interval {load}, {interval}, is too wide",
                load=load(messages, lowest),
                interval=messages.numbers.half_width(lowest.main),
            )
        )
    return reasons


def level(messages: Messages, item: CurveAnalysis) -> str:
    """Say which loads are level with the maximum."""
    others, top, points = item.maximum.level, item.maximum.at, item.curve.points
    if not others or item.growth is None or item.growth.low <= 1:
        return ""
    near = sorted({points.index(at) for at in (*others, top)})
    if near == list(range(near[0], len(points))):
        return _level_from(messages, points[near[0]])
    return messages.say(
        "The values {loads} are level with the maximum.",
        loads=loads(messages, others, item.curve),
    )


def _level_from(messages: Messages, first: PointFigures) -> str:
    if first.point.rate_io_s is not None:
        return messages.say(
            "From an offered rate of {rate} IO/s on, all values are level with the maximum.",
            rate=number(messages, first),
        )
    return messages.say_n(
        "From {count} outstanding I/O on, all values are level with the maximum.",
        "From {count} outstanding I/Os on, all values are level with the maximum.",
        first.outstanding,
    )


def saturates(messages: Messages, item: CurveAnalysis) -> str:
    """Say from which load on more brings little; only where the curve grows at all."""
    found = item.saturation
    if not _grows(item):
        return ""
    margin = messages.numbers.percent(SATURATION_MARGIN, 0)
    if found.at_maximum and found.earlier:
        return ""
    if found.at_maximum and found.within_range:
        return messages.say("No lower load comes within {margin} of this.", margin=margin)
    if not found.within_range:
        return _still_growing(messages, found.at, margin)
    if found.untold:
        return messages.say(
            "It is within {margin} of the maximum {load} already; what is reached {loads} is not known well "
            "enough to tell whether more load brings more.",
            margin=margin,
            load=load(messages, found.at),
            loads=loads(messages, found.untold, item.curve),
        )
    if not found.reached:
        return messages.say(
            "It is within {margin} of the maximum {load} already, as far as the interval tells.",
            margin=margin,
            load=load(messages, found.at),
        )
    if not found.certain:
        return messages.say(
            "It is within {margin} of the maximum, and so saturated, {load} at the latest.",
            margin=margin,
            load=load(messages, found.at),
        )
    return messages.say(
        "It is within {margin} of the maximum, and so saturated, {load} already.",
        margin=margin,
        load=load(messages, found.at),
    )


def _still_growing(messages: Messages, last: PointFigures, margin: str) -> str:
    """Say that a curve may grow beyond its highest load, but for one that a virtual system or a rate that is
    not served shows to be saturated."""
    simulation = last.simulation
    if simulation is not None and simulation.bottleneck.kind == "saturated":
        return messages.say(
            "No lower load comes within {margin} of this. What is saturated there: {limit}.",
            margin=margin,
            limit=limit_text(messages, last, simulation),
        )
    if last.overloaded:
        return messages.say(
            "No lower load comes within {margin} of this: the rate that was offered there is not served.",
            margin=margin,
        )
    if simulation is not None:
        return messages.say(
            "No lower load comes within {margin} of this: saturation, if there is one, lies beyond the loads "
            "that were simulated.",
            margin=margin,
        )
    return messages.say(
        "No lower load comes within {margin} of this: saturation, if there is one, lies beyond the loads "
        "that were measured.",
        margin=margin,
    )


def beyond(messages: Messages, item: CurveAnalysis) -> str:
    """Say what load beyond saturation costs in latency; nothing where a higher load may bring more."""
    found, last = item.saturation, item.curve.points[-1]
    start = found.at.latency_ms_mean
    if not found.within_range or not found.reached or not _grows(item):
        return ""
    if item.curve.open_loop or start.value <= 0:
        return ""
    if last.latency_ms_mean.low < LATENCY_RISE * start.high:
        return ""
    return messages.say(
        "Beyond saturation, {saturated}, more outstanding I/Os mainly wait: the mean latency rises from "
        "{start} there to {end} {load}.",
        saturated=_saturated(messages, found),
        start=mean_latency(messages, found.at),
        end=mean_latency(messages, last),
        load=load(messages, last),
    )


def _saturated(messages: Messages, found: Saturation) -> str:
    if not found.earlier:
        return load(messages, found.at)
    return messages.say("{load} at the latest", load=load(messages, found.at))


def anomaly(messages: Messages, found: Anomaly, told: Told = load) -> str:
    """Name a dip between neighbours or a fall at the highest load."""
    values = _lower(messages, found, told)
    if found.kind == "dip":
        return messages.say(
            "The curve dips {load}: {figure} are {loss} less than the lower of the two neighbours, more than "
            "the intervals explain.",
            **values,
        )
    return messages.say(
        "At the end of the range, {load}, it has fallen to {figure}, {loss} below the maximum.", **values
    )


def anomaly_of(messages: Messages, found: Anomaly, told: Told, name: str) -> str:
    """Name a dip or a fall with the curves that have it, as one of several in a sentence."""
    values = {"name": name, **_lower(messages, found, told)}
    if found.kind == "dip":
        return messages.say("{name} {load}, {figure}, {loss} less than the lower of the two", **values)
    return messages.say("{name} {load} to {figure}, {loss} below the maximum", **values)


def _lower(messages: Messages, found: Anomaly, told: Told) -> dict[str, str]:
    figure, loss = _with_interval(messages, found.at), messages.numbers.lost(found.quotient)
    return {"load": told(messages, found.at), "figure": figure, "loss": loss}


def tail(messages: Messages, item: CurveAnalysis) -> str:
    """Say what the slowest I/Os took at the maximum, as far as their number supports it; of an open loop the
    response times at the highest rate that is served, as they have no end beyond it, of a search at its
    answer."""
    if item.searched:
        return _response_time(messages, item.maximum.at) if item.answered else ""
    if item.curve.open_loop:
        served = [at for at in item.curve.points if serves_its_rate(at)]
        return _response_time(messages, served[-1]) if served else ""
    at, alone = item.maximum.at, len(item.curve.points) == 1
    p99, p999, ratio = at.latency_ms_at(0.99), at.latency_ms_at(0.999), at.tail_ratio(0.999)
    if p99 is None:
        return ""
    time = ms_text(messages, p99)
    longer = "" if p999 is None else ms_text(messages, p999)
    if longer in ("", time):
        share = messages.numbers.percentile(0.999 if longer else 0.99)
        return messages.say(_WITHIN[alone], share=share, time=time)
    share = messages.numbers.percentile(0.99)
    if ratio is None or ratio < LONG_TAIL:
        return messages.say(_SHORT_TAIL[alone], share=share, time=time, longer=longer)
    factor = messages.numbers.significant(ratio, 2)
    return messages.say(_LONG_TAIL[alone], share=share, time=time, longer=longer, factor=factor)


_WITHIN = {
    False: N_("At the maximum {share} of the I/Os complete within {time}."),
    True: N_("{share} of the I/Os complete within {time}."),
}
_SHORT_TAIL = {
    False: N_(
        "At the maximum {share} of the I/Os complete within {time}, and one in a thousand takes longer "
        "than {longer}."
    ),
    True: N_("{share} of the I/Os complete within {time}, and one in a thousand takes longer than {longer}."),
}
_LONG_TAIL = {
    False: N_(
        "At the maximum {share} of the I/Os complete within {time}, but one in a thousand takes longer than "
        "{longer}, {factor} times the mean: a long tail."
    ),
    True: N_(
        "{share} of the I/Os complete within {time}, but one in a thousand takes longer than {longer}, "
        "{factor} times the mean: a long tail."
    ),
}
"""How long the slowest take, and whether a curve has but one load: then it is no maximum."""


def _response_time(messages: Messages, at: PointFigures) -> str:
    """Say the response time at a rate that was offered."""
    value = at.response_time_ms_at(0.99)
    if value is None:
        return ""
    said = messages.say(
        "{load}, {percent} of the response times are at most {least}.",
        load=load(messages, at),
        percent=messages.numbers.percent(0.99, 0),
        least=ms_text(messages, value),
    )
    return capitalised(said)


def host(messages: Messages, item: CurveAnalysis) -> str:
    """Say where the host was the limit, and that the device can do as much at least, where it was asked."""
    points = _limited_by(item, "host")
    if not points:
        return ""
    if not all(asks_the_device(at) for at in points):
        return messages.say("The host was the limit {loads}.", loads=loads(messages, points, item.curve))
    return messages.say(
        "The host was the limit {loads}: what the device itself can do there is at least this much.",
        loads=loads(messages, points, item.curve),
    )


def submission(messages: Messages, item: CurveAnalysis) -> str:
    """Say where the host did not keep up the outstanding I/Os that were asked for."""
    points = _limited_by(item, "submission")
    if not points:
        return ""
    return messages.say(
        "The host kept only {share} of the I/Os asked for outstanding {loads}: it hands them over too slowly "
        "for this load.",
        share=messages.numbers.percent(min(at.depth_kept for at in points), 0),
        loads=loads(messages, points, item.curve),
    )


def queue(messages: Messages, item: CurveAnalysis) -> str:
    """Say where more was outstanding than the device takes."""
    points = _limited_by(item, "queue")
    if not points:
        return ""
    return capitalised(
        messages.say(
            "{loads} more is asked for than the device takes at once; the rest waits in the kernel.",
            loads=loads(messages, points, item.curve),
        )
    )


def unsteady(messages: Messages, item: CurveAnalysis) -> str:
    """Name the loads that reached no steady state."""
    points = _judged(item, "not_steady")
    if not points:
        return ""
    if 1 < len(points) == len(item.curve.points):
        return messages.say(
            "No steady state was reached at any load (†): the figures describe the time that was measured "
            "and no other."
        )
    return messages.say(
        "No steady state was reached {loads} (†): the figures describe the time that was measured and no "
        "other.",
        loads=loads(messages, points, item.curve),
    )


def disturbed(messages: Messages, item: CurveAnalysis) -> str:
    """Name the loads whose measurement was disturbed."""
    points = _judged(item, "disturbed")
    if not points:
        return ""
    return messages.say(
        "The measurement was disturbed {loads} (‡) and should be repeated before these figures are used.",
        loads=loads(messages, points, item.curve),
    )


def knee(messages: Messages, item: CurveAnalysis) -> str:
    """Say which load gives most rate for its latency, where there are enough points to say so."""
    if item.knee is None:
        return ""
    at = item.knee.at
    if not item.knee.certain:
        return messages.say(
            "The knee of the curve, where the rate is highest for its latency, lies {loads}: the intervals "
            "do not tell these loads apart.",
            loads=knee_loads(messages, item.knee),
        )
    return messages.say(
        "The knee of the curve, where the rate is highest for its latency, is {load}: {figure} with a mean "
        "latency of {latency}.",
        load=load(messages, at),
        figure=main_figure(messages, at),
        latency=mean_latency(messages, at),
    )


def knee_loads(messages: Messages, found: Knee) -> str:
    """Name the loads that can be the knee: ``at 8 outstanding I/Os``, ``between 1 and 4 …``."""
    if found.certain:
        return load(messages, found.at)
    first, last = (number(messages, found.candidates[place]) for place in (0, -1))
    return messages.say("between {first} and {last} outstanding I/Os", first=first, last=last)


def knee_label(messages: Messages, found: Knee) -> str:
    """Name the knee beside its point in a chart: ``knee: 8 outstanding I/Os``."""
    first, last = (number(messages, found.candidates[place]) for place in (0, -1))
    if found.certain:
        return messages.say_n(
            "knee: {count} outstanding I/O", "knee: {count} outstanding I/Os", found.at.outstanding
        )
    return messages.say("knee: between {first} and {last} outstanding I/Os", first=first, last=last)


def _grows(item: CurveAnalysis) -> bool:
    """Tell whether the curve grows, by its interval, as much as is worth a number."""
    factor = item.growth
    shown = item.saturation.grown and factor is not None and factor.known
    return shown and factor is not None and factor.value >= GROWTH_WORTH_A_NUMBER


def capitalised(text: str) -> str:
    """Begin a text with a capital letter, where the language has them.

    Examples
    --------
    >>> capitalised("the load had not settled")
    'The load had not settled'
    """
    return text[:1].upper() + text[1:]


def _limited_by(item: CurveAnalysis, limit: Limit) -> list[PointFigures]:
    """Give the points that something limited, without those that were disturbed: such figures should not be
    used, so nothing is concluded from them."""
    return [entry.at for entry in item.limits if entry.by == limit and entry.at.verdict.state != "disturbed"]


def _judged(item: CurveAnalysis, state: State) -> list[PointFigures]:
    return [at for at in item.curve.points if at.verdict.state == state]


def _with_interval(messages: Messages, at: PointFigures) -> str:
    """Write a main figure with its interval: ``48,100 IO/s (±1.2%)``."""
    figure = main_figure(messages, at)
    if at.main.half_width is None:
        return messages.say("about {figure} (no interval)", figure=figure)
    return messages.say("{figure} ({interval})", figure=figure, interval=messages.numbers.half_width(at.main))
