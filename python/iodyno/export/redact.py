"""Takes serial numbers out of a run before it leaves the house."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from iodyno.store.records import StoredRun
from iodyno.system import Fact, System
from iodyno.system.host import LEFT_OUT

IDENTIFYING = frozenset({"serial", "wwn"})
"""Codes of the facts that name one piece of hardware."""
_REPLACEMENT = "left-out"
_OPTION = "--identity"
_NAMING = re.compile(f"(?<={_OPTION}=).+|(?<=/by-id/)[^/]+", re.DOTALL)
"""What of a word of a command line names hardware: an identity, or a link that udev made of one."""
_SHORTEST = 4
"""A serial number shorter than this could be part of any word."""


def without_serials(stored: StoredRun) -> StoredRun:
    """Give a copy without serial numbers: their facts say so, and no other text holds them.

    A serial number can stand in the command line, in what people wrote and in the name of a target as well.
    """
    document = stored.model_dump(mode="json")
    run = document["run"]
    run["system"]["sections"] = [_without(section) for section in run["system"]["sections"]]
    run["command"] = _command(run["command"])
    for trace in (trace for step in document["conditioning"] for trace in step["traces"]):
        trace["identity"] = _REPLACEMENT
    values = _serials(stored.run.system)
    if values:
        words = "|".join(re.escape(value) for value in values)
        _replace_texts(document, re.compile(f"(?<![0-9a-z])(?:{words})(?![0-9a-z])", re.IGNORECASE))
    return StoredRun.model_validate(document)


def _replace_texts(document: dict[str, Any], pattern: re.Pattern[str]) -> None:
    """Replace what the pattern finds where people and machines write freely: names of records stay."""
    run = document["run"]
    run["command"] = _replaced(run["command"], pattern)
    run["system"] = _replaced(run["system"], pattern)
    for written in ("title", "study_source"):
        run["plan"][written] = _replaced(run["plan"][written], pattern)
    planned = run["plan"].get("conditioning") or {"fills": (), "rounds": ()}
    rounds = (load for of in planned["rounds"] for load in of["loads"])
    points = (*run["plan"]["points"], *rounds, *(result["point"] for result in document["results"]))
    traces = (trace for step in document["conditioning"] for trace in step["traces"])
    targets = [target for point in points for target in point["targets"]]
    _replace_paths(document, {target["path"] for target in targets}, pattern)
    for verified in (result["reading"]["integrity"] for result in document["results"]):
        if verified:
            verified["targets"] = _replaced(verified["targets"], pattern)
    for named in (*targets, *planned["fills"], *traces):
        named["path"] = _replaced(named["path"], pattern)
    for step in document["conditioning"]:
        step["target"] = _replaced(step["target"], pattern)


def _replace_paths(document: dict[str, Any], paths: set[str], pattern: re.Pattern[str]) -> None:
    """Replace targets' paths in what was watched and judged, where codes and names stand beside them."""
    telling = sorted((path for path in paths if pattern.search(path)), key=len, reverse=True)
    if not telling:
        return
    whole = re.compile("|".join(re.escape(path) for path in telling))
    for result in document["results"]:
        for part in ("observation", "verdict"):
            result[part] = _replaced(result[part], whole, lambda found: _replaced(found[0], pattern))


def _serials(system: System) -> list[str]:
    """List the serial numbers of a system, the longest first: one can be part of another."""
    facts = (fact for section in system.sections for fact in section.facts if fact.code in IDENTIFYING)
    found = {name for fact in facts if fact.value is not None for name in _names(fact)}
    return sorted((value for value in found if len(value) >= _SHORTEST), key=len, reverse=True)


def _names(fact: Fact) -> tuple[str, str]:
    """Give what a serial number is called: links to a device have lines for its blanks."""
    value = str(fact.value).strip()
    return value, value.replace(" ", "_")


def _command(words: list[str]) -> list[str]:
    """Leave out what a command line names hardware by: of a WWN no fact tells."""
    plain = [_NAMING.sub(_REPLACEMENT, word) for word in words]
    before = ("", *words)
    return [_REPLACEMENT if last == _OPTION else word for last, word in zip(before, plain, strict=False)]


def _without(section: dict[str, Any]) -> dict[str, Any]:
    facts = [
        {**fact, "value": None, "missing": LEFT_OUT} if fact["code"] in IDENTIFYING else fact
        for fact in section["facts"]
    ]
    return {**section, "facts": facts}


def _replaced(
    value: Any, pattern: re.Pattern[str], to: str | Callable[[re.Match[str]], str] = _REPLACEMENT
) -> Any:
    if isinstance(value, str):
        return pattern.sub(to, value)
    if isinstance(value, list):
        return [_replaced(item, pattern, to) for item in value]
    if isinstance(value, dict):
        return {key: _replaced(item, pattern, to) for key, item in value.items()}
    return value
