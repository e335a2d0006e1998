"""Titles that iodyno gave to runs, in the words of the paper; those that a person gave stay as they are."""

from __future__ import annotations

import re

from iodyno.report.messages import Messages

_SEARCH = re.compile(r"Highest rate with (p[\d.]+) of the response time at most ([\d.e+-]+) ms")
_IMPORTED = re.compile(r"Results of ((?:fio|iodyno)-\S+(?: and (?:fio|iodyno)-\S+)*)")
_JOBS = re.compile(r"fio job file (\S+)")


def title(messages: Messages, text: str) -> str:
    """Say the title of a run.

    Examples
    --------
    >>> title(Messages("de"), "Results of fio-3.33 and fio-3.36")
    'Ergebnisse von fio-3.33 und fio-3.36'
    """
    if found := _SEARCH.fullmatch(text):
        return messages.say(
            "Highest rate with {percentile} of the response time at most {limit}",
            percentile=found[1],
            limit=f"{messages.numbers.shortest(float(found[2]))} ms",
        )
    if found := _IMPORTED.fullmatch(text):
        return messages.say("Results of {programs}", programs=messages.listed(found[1].split(" and ")))
    if found := _JOBS.fullmatch(text):
        return messages.say("fio job file {name}", name=found[1])
    return messages.of_study(text)
