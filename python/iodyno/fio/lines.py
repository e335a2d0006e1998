"""The lines of a fio job file: sections with their options, each with the place where it stands."""

from __future__ import annotations

import ast
import operator
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from iodyno.errors import Problem
from iodyno.folders import written_text

MOST_NESTED = 8
"""Files that may include each other, one in the next: more than that is a circle."""
_VARIABLE = re.compile(r"\$\{([^}]*)\}")
_ARITHMETIC: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.floordiv
}  # fmt: skip


@dataclass(frozen=True)
class Setting:
    """An option with its value, where it stands."""

    name: str
    text: str | None
    """The value; none where the option stands alone."""
    place: str
    """``job.fio:3``."""

    @property
    def shown(self) -> str:
        """The option as it was written."""
        return self.name if self.text is None else f"{self.name}={self.text}"


@dataclass(frozen=True)
class Section:
    """A section with the options that stand in it."""

    name: str
    place: str
    settings: tuple[Setting, ...]

    @property
    def is_global(self) -> bool:
        """Whether it is for the sections after it: every name that begins with global, as in fio."""
        return self.name.startswith("global")


def read_job_file(
    path: Path, environment: Mapping[str, str] | None = None
) -> tuple[tuple[Section, ...], tuple[Problem, ...]]:
    """Read a job file with what it includes.

    Parameters
    ----------
    path
        The file.
    environment
        Values of ``${NAME}``; those of this process where left out. What is not there is empty.

    Returns
    -------
    tuple
        The sections, as far as they can be read, and a problem for every line that cannot be.
    """
    reader = _Reader(os.environ if environment is None else environment)
    reader.read(path)
    return reader.sections(), tuple(reader.problems)


@dataclass
class _Open:
    name: str
    place: str
    settings: list[Setting]


class _Reader:
    """Gathers sections and problems over a file and what it includes."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._found: list[_Open] = []
        self.problems: list[Problem] = []

    def sections(self) -> tuple[Section, ...]:
        return tuple(Section(item.name, item.place, tuple(item.settings)) for item in self._found)

    def read(self, path: Path, depth: int = 0, *, named: str = "") -> None:
        """Read a file; ``named`` is the line that includes it, with its place."""
        for number, line in enumerate(self._text(path, named).split("\n"), 1):
            text = _without_comment(line)
            if text:
                self._line(text, f"{path}:{number}", path, depth)

    def _text(self, path: Path, named: str) -> str:
        where = named or str(path)
        try:
            return written_text(path, "utf-8")
        except UnicodeDecodeError as error:
            self.problems.append(Problem(where, f"byte {error.start} is not UTF-8", "save it as UTF-8"))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            hint = "check the path and its permissions"
            if named and isinstance(error, FileNotFoundError):
                hint = "check the path: it begins in the working folder, or beside the file that includes it"
            self.problems.append(Problem(where, f"cannot be read: {reason.lower()}", hint))
        return ""

    def _line(self, text: str, place: str, path: Path, depth: int) -> None:
        if text.startswith("["):
            self._section(text, place, nested=depth > 0)
        elif not self._found:
            hint = "begin with [global] or with the name of a job in brackets"
            self.problems.append(Problem(place, f'"{_short(text)}" stands outside of a section', hint))
        elif text.startswith("include ") or text == "include":
            self._include(text[len("include") :].strip(), place, path, depth)
        else:
            self._setting(text, place)

    def _section(self, text: str, place: str, *, nested: bool) -> None:
        if nested:
            hint = "keep sections in the job file itself"
            self.problems.append(Problem(place, "a file that is included has a section", hint))
            return
        name = text[1:-1]
        if not text.endswith("]") or not name.strip():
            hint = "write [name]"
            self.problems.append(Problem(place, f'"{_short(text)}" is no name of a section', hint))
        self._found.append(_Open(name.strip() or "job", place, []))

    def _include(self, name: str, place: str, path: Path, depth: int) -> None:
        if depth >= MOST_NESTED or not name:
            what = "files include each other in a circle" if name else "include names no file"
            hint = "take the include out" if name else "write include FILE"
            self.problems.append(Problem(place, what, hint))
            return
        found = Path(name) if os.path.exists(name) else path.parent / name  # noqa: PTH110 - takes any name
        self.read(found, depth + 1, named=f"{place}: include {_short(name)}")

    def _setting(self, text: str, place: str) -> None:
        name, equals, value = self._filled_in(text).partition("=")
        name = name.rstrip()
        if equals and not value.strip() and (missing := self._unset(text)):
            what = f"{_short(name)}: {' and '.join(f'${{{one}}}' for one in missing)} stands for nothing"
            self.problems.append(Problem(place, what, f"set it before the command: {missing[0]}=… iodyno …"))
            return
        if value != value.lstrip():
            hint = f"write {name}={_short(value.strip())}"
            self.problems.append(
                Problem(
                    place, f"a space stands before the value of {_short(name)}: fio does not read it", hint
                )
            )
        try:
            value = _calculated(value.strip()) if "$" in text else value.strip()
        except (ValueError, SyntaxError, ArithmeticError, RecursionError):
            what = f'"{_short(value)}" cannot be calculated'
            self.problems.append(Problem(place, what, "write the number"))
            return
        self._found[-1].settings.append(Setting(name, value if equals else None, place))

    def _unset(self, text: str) -> list[str]:
        """Give the variables of a line that the environment does not have."""
        return [name for name in _VARIABLE.findall(text) if not self._environment.get(name)]

    def _filled_in(self, text: str) -> str:
        """Put in the values of variables of the environment and of fio's own words."""
        text = _VARIABLE.sub(lambda match: self._environment.get(match[1], ""), text)
        for word, value in _words():
            text = text.replace(word, value)
        return text


def _words() -> Iterator[tuple[str, str]]:
    yield "$pagesize", str(os.sysconf("SC_PAGE_SIZE"))
    yield "$mb_memory", str(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // (1 << 20))
    yield "$ncpus", str(os.cpu_count() or 1)


def _without_comment(line: str) -> str:
    """Cut what follows ; or #, wherever it stands, as fio does."""
    return re.split(r"[;#]", line, maxsplit=1)[0].strip()


def _calculated(text: str) -> str:
    """Work out a value such as ``8*4096``, which fio allows beside its own words."""
    if not re.fullmatch(r"\d+(\s*[-+*/]\s*\d+)+", text, re.ASCII):
        return text
    return str(_worked_out(ast.parse(re.sub(r"\b0+(?=\d)", "", text), mode="eval").body))


def _worked_out(node: ast.expr) -> int:
    if isinstance(node, ast.BinOp):
        return _ARITHMETIC[type(node.op)](_worked_out(node.left), _worked_out(node.right))
    assert isinstance(node, ast.Constant)
    assert isinstance(node.value, int)
    return node.value


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"
