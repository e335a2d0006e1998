"""What is wrong with choices of the command line, in its words: a study's keys are those of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from iodyno.cli.lines import of_configuration

if TYPE_CHECKING:
    from iodyno.errors import Problem
    from iodyno.study import Overrides

_SWEEP_TARGETS = re.compile(r"sweep .*(?<!\])\.targets")
_OF_A_FILE = re.compile(r" of the study$| \(direct = false\)")
_GIVEN = (
    ("area", re.compile(r"(the|an) area of |the (beginning|length) of the area")),
    ("block_sizes", re.compile(r"a block of |.* less than a block of ")),
)
"""Choices of all loads of sweeps, and what begins with them."""
_OF_A_STUDY = re.compile(r"sweep |measurement\.|conditioning\b|simulation\.")
"""How what is wrong with points begins, where it is with what the study says."""
_IN_STUDY = re.compile(r"(?<=: system) in study .*")
_ENGINE = re.compile(r'engine = "(\w+)"(?!, "| or ")')


@contextmanager
def told_as_options(choices: Overrides, *, study: str | None = None, sweep: str = "") -> Iterator[None]:
    """Tell what is wrong with what an option gives by the name of the option, and else by the study's file.

    Parameters
    ----------
    choices
        What the options change.
    study
        The study as the command line names it.
    sweep
        A sweep that no file has, whose profiles the command line names: of these the name alone is told.

    Raises
    ------
    IodynoError
        That of the block, each problem once.
    """
    from iodyno.errors import IodynoError

    try:
        yield
    except IodynoError as error:
        told = [_told(problem, choices, sweep) for problem in error.problems]
        raise type(error)(*dict.fromkeys(_in_file(problem, study or "") for problem in told)) from None


def _in_file(problem: Problem, study: str) -> Problem:
    """Name the file of a study where what is wrong with a point, or with a configuration, stands in it."""
    if not study.endswith(".toml"):
        return problem
    if _OF_A_STUDY.match(problem.where):
        return replace(problem, where=f"{study}: {problem.where}")
    if of_configuration(study, problem.where):
        return replace(problem, where=f"{study}: {_IN_STUDY.sub('', problem.where)}")
    return problem


def _told(problem: Problem, choices: Overrides, sweep: str) -> Problem:
    where, what, hint = problem.where, problem.what, problem.hint
    key = where.removeprefix("measurement.")
    if key != where and getattr(choices, key, None) is not None:
        where, hint = f"--{key.replace('_', '-')}", _OF_A_FILE.sub("", hint)
    elif isinstance(choices.which_targets, tuple) and _SWEEP_TARGETS.fullmatch(where):
        where = "--targets"
    elif option := _option(where, what, choices):
        where = option
    elif sweep:
        where = where.removeprefix(f"sweep {sweep}.profiles.").removeprefix(f"sweep {sweep}.")
        what = what.replace("floor_ios of the study", "--floor-ios")
    if choices.iopoll:
        hint = re.sub(r"(?<![-./_\w])iopoll\b", "--iopoll", hint)
    if choices.engine:
        hint = _ENGINE.sub(r"--engine \1", hint)
    if choices.targets_per_worker:
        hint = hint.replace("leave targets_per_worker out", "leave --targets-per-worker out")
    return replace(problem, where=where, what=what, hint=hint)


def _option(where: str, what: str, choices: Overrides) -> str:
    """Name the option that gives what is wrong with loads of sweeps; none where it is no option, or of a load
    beside, which may have an area of its own."""
    if ".beside" in where:
        return ""
    given = (name for name, begins in _GIVEN if getattr(choices, name) and begins.match(what))
    return next((f"--{name.replace('_', '-')}" for name in given), "")
