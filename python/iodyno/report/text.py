"""What the numbers show, in words: rules with thresholds, one function a rule.

A rule gives a sentence, or nothing where the intervals do not allow it. Sentences say
"not distinguishable" where intervals overlap and never more than the interval does.
"""

from __future__ import annotations

from iodyno.analysis.anomalies import Anomaly
from iodyno.analysis.figures import PointFigures
from iodyno.analysis.run import CurveAnalysis
from iodyno.analysis.saturation import SATURATION_MARGIN
from iodyno.report.messages import Messages
from iodyno.report.names import main_figure, main_name, ms_text, profile_name

GROWTH_WORTH_A_NUMBER = 1.1
"""A growth is given as a factor from here on; below it the curve is called flat. Ten per cent
between the lowest load and the maximum is less than systems of one make differ by."""
LONG_TAIL = 10.0
"""The 99.9th percentile is called a long tail from this multiple of the mean on: an
exponential distribution, that of a plain queue, has 6.9 times its mean there."""
LATENCY_RISE = 1.5
"""A rise of the latency beyond saturation is named from this factor on."""


def paragraph(messages: Messages, item: CurveAnalysis) -> str:
    """Say in words what a curve shows: each rule that applies, in order."""
    if len(item.curve.points) == 1:
        sentences = [single(messages, item)]
    else:
        sentences = [
            lowest(messages, item),
            grows(messages, item),
            saturates(messages, item),
            beyond(messages, item),
            *(anomaly(messages, found) for found in item.anomalies),
        ]
    sentences += [tail(messages, item), host(messages, item), tags(messages, item), caveat(messages, item)]
    return " ".join(sentence for sentence in sentences if sentence)


def load(messages: Messages, at: PointFigures) -> str:
    """Name a load: ``at 8 outstanding I/Os``, or a rate."""
    if at.point.rate_io_s is not None:
        rate = messages.numbers.significant(at.point.rate_io_s)
        return messages.say("at an offered rate of {rate} IO/s", rate=rate)
    return messages.say_n("at {count} outstanding I/O", "at {count} outstanding I/Os", at.outstanding)


def lowest(messages: Messages, item: CurveAnalysis) -> str:
    """Say where the curve begins: always said."""
    at = item.curve.lowest
    return messages.say(
        "The {profile} profile begins {load} with {figure} and a mean latency of {latency}.",
        profile=profile_name(messages, at.profile),
        load=load(messages, at),
        figure=_with_interval(messages, at),
        latency=_mean_latency(messages, at),
    )


def single(messages: Messages, item: CurveAnalysis) -> str:
    """Say what the only point of a curve came to."""
    at = item.curve.lowest
    return messages.say(
        "The {profile} profile reaches {figure} {load}, with a mean latency of {latency}.",
        profile=profile_name(messages, at.profile),
        load=load(messages, at),
        figure=_with_interval(messages, at),
        latency=_mean_latency(messages, at),
    )


def grows(messages: Messages, item: CurveAnalysis) -> str:
    """Say how much more a higher load brings, where the interval of the factor leaves out 1."""
    top, factor = item.maximum.at, item.growth
    if factor is None or not factor.known:
        return ""
    if factor.low <= 1:
        return messages.say(
            "A higher load brings no increase that the intervals would show: the highest value, "
            "{figure} {load}, is not distinguishable from the first.",
            figure=main_figure(messages, top),
            load=load(messages, top),
        )
    if factor.value < GROWTH_WORTH_A_NUMBER:
        return messages.say(
            "It hardly depends on the load: the maximum, {figure} {load}, is {share} higher.",
            figure=main_figure(messages, top),
            load=load(messages, top),
            share=messages.numbers.percent(factor.gain),
        )
    return messages.say(
        "With the load the {measure} grows to a maximum of {figure} {load}, {factor} times the first value "
        "({low} to {high}).",
        measure=main_name(messages, top.profile),
        figure=_with_interval(messages, top),
        load=load(messages, top),
        factor=messages.numbers.significant(factor.value),
        low=messages.numbers.significant(factor.low),
        high=messages.numbers.significant(factor.high),
    )


def saturates(messages: Messages, item: CurveAnalysis) -> str:
    """Say from which load on more brings little; only where the curve grows at all."""
    factor, found = item.growth, item.saturation
    if factor is None or factor.low <= 1 or factor.value < GROWTH_WORTH_A_NUMBER:
        return ""
    if not found.within_range:
        return messages.say(
            "The highest load that was measured is still the best by more than {margin}; where it saturates "
            "lies beyond it.",
            margin=messages.numbers.percent(SATURATION_MARGIN, 0),
        )
    margin = messages.numbers.percent(SATURATION_MARGIN, 0)
    if not found.certain:
        return messages.say(
            "It is within {margin} of that, as far as the interval tells, {load} already.",
            margin=margin,
            load=load(messages, found.at),
        )
    return messages.say(
        "It comes within {margin} of that {load}.", margin=margin, load=load(messages, found.at)
    )


def beyond(messages: Messages, item: CurveAnalysis) -> str:
    """Say what load beyond saturation costs in latency."""
    found, last = item.saturation, item.curve.points[-1]
    start = found.at.latency_ms_mean
    if not found.within_range or item.curve.open_loop or start.value <= 0:
        return ""
    if last.latency_ms_mean.low < LATENCY_RISE * start.high:
        return ""
    return messages.say(
        "More load only adds waiting: the mean latency rises from {start} there to {end} {load}.",
        start=_mean_latency(messages, found.at),
        end=_mean_latency(messages, last),
        load=load(messages, last),
    )


def anomaly(messages: Messages, found: Anomaly) -> str:
    """Name a dip between neighbours or a fall at the highest load."""
    loss = messages.numbers.percent(found.loss)
    if found.kind == "dip":
        return messages.say(
            "The curve has a dip {load}: {figure}, {loss} less than the lower of its neighbours and more "
            "than the intervals explain.",
            load=load(messages, found.at),
            figure=main_figure(messages, found.at),
            loss=loss,
        )
    return messages.say(
        "At the highest load, {load}, it falls to {figure}, {loss} below the maximum.",
        load=load(messages, found.at),
        figure=main_figure(messages, found.at),
        loss=loss,
    )


def tail(messages: Messages, item: CurveAnalysis) -> str:
    """Say what the slowest I/Os took at the maximum, as far as their number supports it."""
    at = item.maximum.at
    p99, p999 = at.latency_ms_at(0.99), at.latency_ms_at(0.999)
    if p99 is None:
        return ""
    if p999 is None:
        return messages.say("At the maximum {share} of the I/Os take no longer than {time}.",
                            share=messages.numbers.percent(0.99, 0), time=ms_text(messages, p99))  # fmt: skip
    said = messages.say(
        "At the maximum {share} of the I/Os take no longer than {time}, and one in a thousand takes longer "
        "than {longer}.",
        share=messages.numbers.percent(0.99, 0),
        time=ms_text(messages, p99),
        longer=ms_text(messages, p999),
    )
    ratio = at.tail_ratio(0.999)
    if ratio is None or ratio < LONG_TAIL:
        return said
    long = messages.say(
        "That is a long tail: {factor} times the mean.", factor=messages.numbers.significant(ratio, 2)
    )
    return f"{said} {long}"


def host(messages: Messages, item: CurveAnalysis) -> str:
    """Say where the host was the limit and not the device."""
    loads = [entry.at for entry in item.limits if entry.by == "host"]
    if not loads:
        return ""
    return messages.say(
        "At {loads} outstanding I/Os the host was the limit, not the device: the figures there are a lower "
        "bound of what the device can do.",
        loads=_loads(messages, loads),
    )


def tags(messages: Messages, item: CurveAnalysis) -> str:
    """Say where more was outstanding than the device's queues hold."""
    found = [entry for entry in item.limits if entry.by == "tags" and entry.device_tags]
    if not found:
        return ""
    return messages.say(
        "At {loads} outstanding I/Os more is asked for than the {tags} requests that the device's queues "
        "hold; the rest waits in the kernel.",
        loads=_loads(messages, [entry.at for entry in found]),
        tags=messages.numbers.integer(min(entry.device_tags or 0 for entry in found)),
    )


def caveat(messages: Messages, item: CurveAnalysis) -> str:
    """Name the loads whose figures are not steady or were disturbed."""
    sentences = []
    unsteady = [at for at in item.curve.points if at.verdict.state == "not_steady"]
    if unsteady:
        sentences.append(
            messages.say(
                "No steady state was reached at {loads} outstanding I/Os (†): these figures describe the "
                "time that was measured and no other.",
                loads=_loads(messages, unsteady),
            )
        )
    disturbed = [at for at in item.curve.points if at.verdict.state == "disturbed"]
    if disturbed:
        sentences.append(
            messages.say(
                "The measurement at {loads} outstanding I/Os was disturbed (‡) and should be repeated.",
                loads=_loads(messages, disturbed),
            )
        )
    return " ".join(sentences)


def knee_sentence(messages: Messages, item: CurveAnalysis) -> str:
    """Say which load uses the system best, where there are enough points to say so."""
    if item.knee is None or item.curve.open_loop:
        return ""
    at = item.knee.at
    return messages.say(
        "The best trade between rate and latency, the knee of the curve, is {load}: {figure} with a mean "
        "latency of {latency}.",
        load=load(messages, at),
        figure=main_figure(messages, at),
        latency=_mean_latency(messages, at),
    )


def _loads(messages: Messages, points: list[PointFigures]) -> str:
    if points[0].point.rate_io_s is not None:
        return messages.listed([messages.numbers.significant(at.point.rate_io_s or 0.0) for at in points])
    return messages.listed([messages.numbers.integer(at.outstanding) for at in points])


def _with_interval(messages: Messages, at: PointFigures) -> str:
    """Write a main figure with its interval: ``48,100 IO/s (±1.2%)``."""
    figure = main_figure(messages, at)
    if at.main.half_width is None:
        return messages.say("about {figure} (no interval)", figure=figure)
    return f"{figure} ({messages.numbers.half_width(at.main)})"


def _mean_latency(messages: Messages, at: PointFigures) -> str:
    return f"{messages.numbers.estimate(at.latency_ms_mean)} ms"
