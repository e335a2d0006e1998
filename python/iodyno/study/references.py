"""What one part of a study says about another: names that must exist, and only once.

These checks read the document as written, so that they find what is wrong even where
another part of it is no study at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

from pydantic import ValidationError

from iodyno.errors import Problem, ProfileError
from iodyno.problems import closest
from iodyno.profiles import STANDARD_LOADS, STANDARD_SETS
from iodyno.record import Record
from iodyno.study.charted import chart_problems, named_texts, tables_of
from iodyno.study.conditioning import ConditioningOptions
from iodyno.study.configuration import Configuration, SimulationOptions
from iodyno.study.model import AXES, MOST_BARE_SHARE, MOST_SHARE, Measurement, Sweep
from iodyno.study.problems import NAMED, did_you_mean


def reference_problems(document: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield every name that does not exist or exists twice, and every contradiction.

    Parameters
    ----------
    document
        The study as read from TOML, of any shape.
    """
    own = [profile.get("name") for profile in tables_of(document, "profile")]
    known = [*STANDARD_LOADS, *(name for name in own if isinstance(name, str))]
    yield from _own_profiles(own)
    yield from _repeated([sweep.get("name") for sweep in tables_of(document, "sweep")], "sweep")
    yield from _configurations(document)
    for place, item in enumerate(tables_of(document, "configuration")):
        yield from _warmups(f"configuration[{place}]", item, known)
    for place, sweep in enumerate(tables_of(document, "sweep")):
        yield from _sweep(f"sweep[{place}]", sweep, known)
    yield from _set_against(tables_of(document, "sweep"))
    yield from _measurement(document.get("measurement"))
    yield from _conditioning(document.get("conditioning"), known)
    yield from _simulation(document.get("simulation"), tables_of(document, "sweep"), known)


def _own_profiles(names: list[Any]) -> Iterator[Problem]:
    yield from _repeated(names, "profile")
    for place, name in enumerate(names):
        if isinstance(name, str) and name in STANDARD_LOADS:
            yield Problem(
                f"profile[{place}].name",
                f'"{name}" is the name of a standard profile',
                "choose another name: a standard profile means the same everywhere",
            )


def _repeated(names: list[Any], table: str) -> Iterator[Problem]:
    for place, name in enumerate(names):
        if isinstance(name, str) and name in names[:place]:
            first = names.index(name)
            yield Problem(
                f"{table}[{place}].name", f'"{name}" is taken by {table}[{first}]', "choose another"
            )


def _configurations(document: Mapping[str, Any]) -> Iterator[Problem]:
    """Look at the names that configurations get, and whether sweeps name one of them."""
    names: dict[str, str] = {} if isinstance(document.get("configuration", []), list) else {"*": ""}
    for place, table in enumerate(tables_of(document, "configuration")):
        here = f"configuration[{place}]"
        given, wrong = _names_of(table)
        yield from (replace(one, where=f"{here}.{one.where}") for one in wrong)
        lacking: set[str] = set()
        for name in given:
            words = set(re.findall(r"\{[^{}]*\}?|\}", name))
            if not words <= lacking:
                hint = "each word in braces needs a list in each"
                yield Problem(f"{here}.name", f'"{name}" has a word that nothing gives', hint)
            elif name in names and "*" not in name and names[name] != here:
                yield Problem(f"{here}.name", f'"{name}" is taken by {names[name]}', "choose another")
            elif name in names and "*" not in name:
                yield Problem(f"{here}.name", f'several get the name "{name}"', _telling_apart(table))
            lacking |= words
            names.setdefault("*" if words else name, here)
        if _read_words(table)[1]:
            yield from lacking_words(here, table)
    known, unknown = [name for name in names if "*" not in name], [name for name in names if "*" in name]
    for place, sweep in enumerate(tables_of(document, "sweep")):
        for path, pattern in named_texts(f"sweep[{place}].configurations", sweep.get("configurations", [])):
            there = any(fnmatchcase(name, pattern) for name in known)
            if not there and not any(_may_meet(pattern, name) for name in unknown):
                hint = did_you_mean(pattern, known, "configurations", NAMED)
                yield Problem(path, f'there is no configuration "{pattern}"', hint)
        if not unknown:
            yield from chart_problems(f"sweep[{place}].chart", sweep, known, tables_of(document, "sweep"))


def _may_meet(one: str, other: str) -> bool:
    """Tell whether a name may match two patterns: neither their beginnings nor their ends say otherwise."""
    wild = re.compile(r"[*?[\]]")
    begins = [wild.split(text)[0] for text in (one, other)]
    ends = [wild.split(text)[-1][::-1] for text in (one, other)]
    return all(a.startswith(b) or b.startswith(a) for a, b in (begins, ends))


def _telling_apart(table: Mapping[str, Any]) -> str:
    """Say which lists the name of a configuration lacks, so that all that it stands for are called alike."""
    name = str(table["name"])
    braces = [f"{{{word}}}" for key in table["each"] for word in _words_of(table, key)[:1]]
    lacking = [word for word in braces if word not in name]
    return f"tell them apart in it: {name}-{'-'.join(lacking)}" if lacking else "choose other words in each"


def _words_of(table: Mapping[str, Any], key: str) -> list[str]:
    """Give the words that a list of ``each`` gives: its own, or those of the tables in it."""
    listed = table["each"][key]
    entries = listed if isinstance(listed, list | tuple) else [listed]
    return list(
        dict.fromkeys(word for one in entries for word in (one if isinstance(one, Mapping) else [key]))
    )


OF_ITS_SYSTEM = ("system", "changes")
"""Keys of a configuration that make its system."""


def lacking_words(
    where: str,
    table: Mapping[str, Any],
    keys: Sequence[str] = ("title", "description", "group", *OF_ITS_SYSTEM, "volumes"),
) -> Iterator[Problem]:
    """Look for words in braces that no list gives, in some keys of a configuration."""
    each = table.get("each", {})
    if not isinstance(each, Mapping):
        return
    known = [word for key in each for word in _words_of(table, key)]
    for key in keys:
        for path, text in _texts(f"{where}.{key}", table.get(key)):
            for word in re.findall(r"\{([^{}]+)\}", text):
                if word not in known:
                    hint = did_you_mean(word, known, "words") if known else f"give each.{word} a list"
                    yield Problem(path, f'there is no each.{word} for "{{{word}}}"', hint)


def _texts(where: str, value: Any) -> Iterator[tuple[str, str]]:
    """Give every text of a value with its place."""
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _texts(f"{where}.{key}", item)
    elif isinstance(value, list | tuple):
        for place, item in enumerate(value):
            yield from _texts(f"{where}[{place}]", item)


def _names_of(table: Mapping[str, Any]) -> tuple[list[str], tuple[Problem, ...]]:
    """Give the names of what a configuration stands for, and what its words make wrong.

    ``*`` stands for what cannot be told of them, as words of a list that cannot be read.
    """
    try:
        return [one.name for one in Configuration.model_validate(table).expanded()], ()
    except ProfileError as error:
        return ["*"], error.problems
    except ValidationError:  # reported for the table as written
        words, all_read = _read_words(table)
    try:
        named = Configuration.model_validate({"name": table["name"], "system": "any", "each": words})
        names = [one.name for one in named.expanded()]
    except (KeyError, ProfileError, ValidationError):
        return ["*"], ()
    return names if all_read else [re.sub(r"\{[^{}]*\}", "*", name) for name in names], ()


def _read_words(table: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """Give the lists of ``each`` that can be read, and whether these are all."""
    each = table.get("each", {})
    read = {}
    for key, words in each.items() if isinstance(each, Mapping) else ():
        with suppress(ValidationError):
            Configuration.model_validate({"name": "any", "system": "any", "each": {key: words}})
            read[key] = words
    return read, read == each


def _sweep(where: str, sweep: Mapping[str, Any], known: list[str]) -> Iterator[Problem]:
    if not sweep:
        return
    yield from _source_of_profiles(where, sweep)
    profiles = sweep.get("profiles", [])
    for path, name in named_texts(f"{where}.profiles", profiles):
        if name not in known:
            yield Problem(path, f'there is no profile "{name}"', did_you_mean(name, known, "profiles"))
    yield from _beside(where, sweep, known)
    chosen = sweep.get("set")
    if isinstance(chosen, str) and chosen not in STANDARD_SETS:
        hint = did_you_mean(chosen, list(STANDARD_SETS), "sets")
        yield Problem(f"{where}.set", f'there is no standard set "{chosen}"', hint)
    yield from _axes(where, sweep)


def _set_against(sweeps: Sequence[Mapping[str, Any]]) -> Iterator[Problem]:
    """Look whether there are the sweeps that others are set against."""
    names = [name for sweep in sweeps if isinstance(name := sweep.get("name"), str)]
    for place, sweep in enumerate(sweeps):
        chart = sweep.get("chart")
        for number, table in enumerate(tables_of(chart, "compare") if isinstance(chart, Mapping) else ()):
            path, other = f"sweep[{place}].chart.compare[{number}].to_sweep", table.get("to_sweep")
            if isinstance(other, str) and other not in names:
                hint = did_you_mean(other, names, "sweeps")
                yield Problem(path, f'there is no sweep "{other}"', hint)
            elif isinstance(other, str) and other == sweep.get("name"):
                hint = "name another one, or leave it out to set configurations of this one against others"
                yield Problem(path, f'"{other}" is this sweep itself', hint)


def _beside(where: str, sweep: Mapping[str, Any], known: list[str]) -> Iterator[Problem]:
    others = tables_of(sweep, "beside")
    for place, table in enumerate(others):
        path, name = f"{where}.beside[{place}]", table.get("profile")
        if isinstance(name, str) and name not in known:
            hint = did_you_mean(name, known, "profiles")
            yield Problem(f"{path}.profile", f'there is no profile "{name}"', hint)
        if "arrival" in table and "rate_io_s" not in table:
            yield Problem(f"{path}.arrival", "is given without a rate", "add rate_io_s to it")
    relative = [key for key in ("rate_share", "search") if key in sweep]
    if others and relative:
        yield relative_beside(where, relative[0])


def relative_beside(where: str, key: str) -> Problem:
    """Say that a sweep has loads beside and rates that follow from what its targets can serve."""
    what = f"stands beside {key}: of several loads none says what the target can serve"
    return Problem(f"{where}.beside", what, "give rates as rate_io_s, or leave beside out")


def _source_of_profiles(where: str, sweep: Mapping[str, Any]) -> Iterator[Problem]:
    if "set" in sweep and "profiles" in sweep:
        yield Problem(where, "has both set and profiles", "keep one of them")
    mistyped = {closest(key, Sweep.model_fields) for key in sweep if key not in Sweep.model_fields}
    if not {"set", "profiles"} & {*sweep, *mistyped}:  # what is mistyped is told as that
        yield Problem(
            where, "says neither set nor profiles", 'write set = "field", or list names in profiles'
        )


def _axes(where: str, sweep: Mapping[str, Any]) -> Iterator[Problem]:
    for path, axis in named_texts(f"{where}.order", sweep.get("order", [])):
        if axis in AXES and axis not in sweep:
            yield Problem(path, f'"{axis}" is no axis of this sweep', f"add {axis} = […] to the sweep")
    yield from _bare_shares(f"{where}.rate_share", sweep.get("rate_share"))
    rates = [key for key in ("rate_io_s", "rate_share", "search") if key in sweep]
    if "arrival" in sweep and not rates:
        yield Problem(f"{where}.arrival", "is given without a rate", "add rate_io_s = […] to the sweep")
    if len(rates) > 1:
        hint = "keep one of them, or make two sweeps"
        yield Problem(where, f"has {' and '.join(rates)}: each of them gives the rates", hint)
    if "maximum_at" in sweep and not set(rates) & {"rate_share", "search"}:
        hint = "rate_share and search need it: leave it out"
        yield Problem(f"{where}.maximum_at", "is given where no rate follows from readings", hint)


def _bare_shares(where: str, value: Any) -> Iterator[Problem]:
    """Yield rates that were meant in percent: 20 is twenty times what the target can serve."""
    listed = value if isinstance(value, list) else [value]
    for place, share in enumerate(listed):
        if isinstance(share, int | float) and MOST_BARE_SHARE < share <= MOST_SHARE:
            path = f"{where}[{place}]" if listed is value else where
            hint = f'write "{share:.12g}%" or {share / 100:.12g}; "{share * 100:.12g}%" if that is meant'
            yield Problem(path, f"{share:g} is {share:g} times what the target can serve", hint)


def _said(record: type[Record], table: Mapping[str, Any], key: str) -> Any:
    """Give what a key of a table says, or its default; none where it says what cannot be."""
    try:
        return getattr(record.model_validate({key: table[key]} if key in table else {}), key)
    except ValidationError:
        return None


def _measurement(table: Any) -> Iterator[Problem]:
    if not isinstance(table, Mapping):
        return
    floor, cap = _said(Measurement, table, "floor_s"), _said(Measurement, table, "cap_s")
    if floor is not None and cap is not None and floor > cap:
        yield Problem(
            "measurement.floor_s", f"{floor:g} s is above cap_s, {cap:g} s", "lower floor_s or raise cap_s"
        )


def _conditioning(table: Any, known: list[str]) -> Iterator[Problem]:
    if not isinstance(table, Mapping):
        return
    profiles, rounds = table.get("profiles", []), table.get("rounds", "none")
    for path, name in named_texts("conditioning.profiles", profiles):
        if name not in known:
            yield Problem(path, f'there is no profile "{name}"', did_you_mean(name, known, "profiles"))
    if rounds == "once" and not profiles:
        what = 'is "once", and no profile says what a round is made of'
        yield Problem("conditioning.rounds", what, 'add profiles = ["random-write-4k"]')
    if profiles and rounds != "once":
        yield Problem(
            "conditioning.profiles", f'are given, and rounds is "{rounds}"', 'write rounds = "once"'
        )
    window, most = _said(ConditioningOptions, table, "window"), _said(ConditioningOptions, table, "at_most")
    if window is not None and most is not None and window > most and rounds != "none":
        what = f"{window} rounds are more than at_most, {most}"
        yield Problem("conditioning.window", what, "lower window or raise at_most")


def _warmups(where: str, table: Mapping[str, Any], profiles: list[str]) -> Iterator[Problem]:
    """Look at the profiles whose warm-up a table tells."""
    single = table.get("warmup_of")
    for name in single if isinstance(single, Mapping) else ():
        if name not in profiles:
            hint = did_you_mean(name, profiles, "profiles")
            yield Problem(f"{where}.warmup_of.{name}", f'there is no profile "{name}"', hint)


def _simulation(table: Any, sweeps: Sequence[Mapping[str, Any]], profiles: list[str]) -> Iterator[Problem]:
    said = table if isinstance(table, Mapping) else {}
    yield from _warmups("simulation", said, profiles)
    floor, cap = _said(SimulationOptions, said, "floor_ios"), _said(SimulationOptions, said, "cap_ios")
    if floor is not None and cap is not None and floor > cap:
        what = f"{floor} is above cap_ios, {cap}"
        yield Problem("simulation.floor_ios", what, "lower floor_ios or raise cap_ios")
    for place, sweep in enumerate(sweeps):
        own = sweep.get("cap_ios")
        if isinstance(own, int) and floor is not None and 0 < own < floor:
            what = f"{own} is below floor_ios of the simulation, {floor}"
            yield Problem(f"sweep[{place}].cap_ios", what, "raise it, or lower floor_ios")
