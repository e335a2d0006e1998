"""What can be wrong with a request, and how iodyno says so.

Three kinds are never mixed: a bad request is an :class:`IodynoError`, raised before any
I/O with every problem found; an I/O that fails during a measurement is data, in the
reading; a bug of ours is an assertion.
"""

from __future__ import annotations

from dataclasses import dataclass

MOST_SHOWN = 60
"""Characters up to which a value that was given is shown whole."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a request, in the words of the user.

    Parameters
    ----------
    where
        The path to what is wrong: ``sweep[0].profiles[2]``, a file, a device.
    what
        What is wrong, with the value and the limit that it breaks.
    hint
        What to do about it; empty where there is nothing to say.
    """

    where: str
    what: str
    hint: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


class HintedValueError(ValueError):
    """Why a value is refused, and what to write instead."""

    def __init__(self, what: str, hint: str) -> None:
        super().__init__(what)
        self.hint = hint


class IodynoError(Exception):
    """A request that cannot be met; carries every problem that was found.

    Attributes
    ----------
    code
        Stable name of the kind of error, for programs.
    problems
        At least one :class:`Problem`.
    exit_code
        What the command line ends with: 2 bad request, 1 failed.
    """

    code = "error"
    exit_code = 2

    def __init__(self, *problems: Problem) -> None:
        assert problems, "an error without a problem"
        self.problems = problems
        super().__init__("\n".join(str(problem) for problem in problems))

    @classmethod
    def of(cls, where: str, what: str, hint: str = "") -> IodynoError:
        """Make an error of one problem."""
        return cls(Problem(where, what, hint))


class ProfileError(IodynoError):
    """A load profile, study or plan that cannot be."""

    code = "profile"


class ArgumentError(IodynoError, TypeError):
    """An argument of the Python interface that is of another type than it takes."""

    code = "argument"


def refuse_types(**arguments: tuple[object, str, tuple[type, ...]]) -> None:
    """Refuse arguments of other types than they take, all at once.

    Parameters
    ----------
    arguments
        By name: what is given, what is taken in words, and the types that are; true and false are no numbers.

    Raises
    ------
    ArgumentError
        With each that is of another type.

    Examples
    --------
    >>> refuse_types(jobs=("4", "a whole number from 1 on", (int,)), seed=(7, "a whole number", (int,)))
    Traceback (most recent call last):
    iodyno.errors.ArgumentError: jobs: takes a whole number from 1 on, not '4' (str)
    """
    wrong = []
    for name, (given, taken, types) in arguments.items():
        if not isinstance(given, types) or (isinstance(given, bool) and bool not in types):
            shown = repr(given) if len(repr(given)) <= MOST_SHOWN else f"{repr(given)[: MOST_SHOWN - 1]}…"
            kind = "" if given is None else f" ({type(given).__name__})"
            wrong.append(Problem(name, f"takes {taken}, not {shown}{kind}"))
    if wrong:
        raise ArgumentError(*wrong)


class TargetError(IodynoError):
    """A target that is missing, unsafe to write, too small or not what it seems."""

    code = "target"


class EngineError(IodynoError):
    """An engine that this machine cannot run, or that could not start."""

    code = "engine"
    exit_code = 1


class CatalogError(IodynoError):
    """A part or virtual system that cannot be."""

    code = "catalog"


class StoreError(IodynoError):
    """A store that is no database, of a newer version, locked, or lacks what was asked."""

    code = "store"


class ReportError(IodynoError):
    """A report that cannot be made from what was asked."""

    code = "report"
