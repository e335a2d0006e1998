"""Sizes, shares, durations and lists as the command line takes them, with completion."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from iodyno.errors import HintedValueError
from iodyno.units import format_cpus, parse_cpus, parse_duration, parse_share, parse_size

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from iodyno.catalog.shelf import Catalog
    from iodyno.profiles import Area
    from iodyno.study import Rates

    _ParamType = click.ParamType[Any]
else:
    _ParamType = click.ParamType

_T = TypeVar("_T")
_SECTOR_BYTES = 512
_CAPACITIES = {"GB": 10**9, "TB": 10**12, "PB": 10**15}
_CAPACITY = re.compile(r"\s*(\d{1,15}(?:\.\d{0,9})?)\s*([GgTtPp][Bb])\s*")
_NUMBER = re.compile(r"\s*(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*")


class Text(_ParamType):
    """A value that a function reads from a text."""

    def __init__(self, name: str, read: Callable[[str], Any]) -> None:
        self.name = name
        self._read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it; what the function objects to is what the user is told."""
        if not isinstance(value, str):
            return value
        try:
            return self._read(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class File(click.Path):
    """A file to write; what there is of it is looked at where it is known what is to be written."""

    def __init__(self) -> None:
        super().__init__(readable=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse a name that is none: a variable of a shell that was not set."""
        if value == "":
            self.fail("an empty text names nothing", param, ctx)
        return super().convert(value, param, ctx)


class StoreFile(click.Path):
    """The file of a store."""

    def __init__(self) -> None:
        super().__init__(readable=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse a folder, and say what stands in one."""
        from pathlib import Path

        if Path(value).is_dir():
            self.fail(f"{value} is a folder: give a file in it, {Path(value, 'runs.db')}", param, ctx)
        return super().convert(value, param, ctx)


def _between(read: Callable[[str], float], low: float, high: float, limits: str) -> Callable[[str], float]:
    def checked(text: str) -> float:
        value = read(text)
        if not low < value < high:
            raise ValueError(f"{text!r} is not {limits}")
        return value

    return checked


def _duration_with_unit(text: str) -> float:
    """Read a duration that says its unit: a bare 2 is milliseconds to most, and seconds to us."""
    duration = parse_duration(text)
    if text.strip()[-1:] in "0123456789.":
        raise ValueError(f"{text!r} has no unit: write {text.strip()}ms or {text.strip()}s")
    return duration


def _positive_size(text: str) -> int:
    size = parse_size(text)
    if size == 0:
        raise ValueError("a size of 0 holds nothing")
    return size


def _file_size(text: str) -> int:
    size, number = _positive_size(text), text.strip()
    if size < _SECTOR_BYTES:
        meant = f": write {number}G or {number}M" if number.isdigit() else ""
        raise ValueError(f"{text!r} is less than a sector of {_SECTOR_BYTES} bytes{meant}")
    return size


def _whole_numbers(limit: int) -> Callable[[str], tuple[int, ...]]:
    def read(text: str) -> tuple[int, ...]:
        words = [word.strip() for word in text.split(",")]
        if not all(word.isascii() and word.isdigit() for word in words):
            raise ValueError(f"{text!r} is no list of whole numbers: write 1,8,32")
        numbers = tuple(int(word) for word in words)
        wrong = [str(number) for number in numbers if not 1 <= number <= limit]
        if wrong:
            raise ValueError(f"{', '.join(wrong)} {'is' if len(wrong) == 1 else 'are'} outside 1 to {limit}")
        if len(set(numbers)) < len(numbers):
            raise ValueError(f"{text!r} has a number twice")
        return numbers

    return read


def _pinning(text: str) -> str:
    return text if text in ("node", "none") else format_cpus(parse_cpus(text))


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) < 1 << 63):
        raise ValueError(f"{text!r} is no whole number from 0 to 2^63 - 1")
    return int(text)


def _count(least: int, most: int = 1 << 40) -> Callable[[str], int]:
    limits = f"from {least} to {most}" if most < 1 << 40 else f"from {least} on"

    def read(text: str) -> int:
        plain = text.replace("_", "")
        if not (plain.isascii() and plain.isdigit() and least <= int(plain) <= most):
            raise ValueError(f"{text!r} is no whole number {limits}")
        return int(plain)

    return read


def _intensities(text: str) -> tuple[int, ...]:
    from iodyno.profiles import INTENSITIES

    return INTENSITIES[text] if text in INTENSITIES else _whole_numbers(4096)(text)


def _block_sizes(text: str) -> tuple[int, ...]:
    from iodyno.profiles import block_size

    return _each_once(text, tuple(block_size(_positive_size(word.strip())) for word in text.split(",")))


def _shares(text: str) -> tuple[float, ...]:
    return _each_once(text, tuple(_share(word.strip()) for word in text.split(",")))


def _alone(read: Callable[[str], tuple[_T, ...]]) -> Callable[[str], tuple[_T, ...]]:
    """Read a list that may have one value."""

    def one(text: str) -> tuple[_T, ...]:
        found = read(text)
        if len(found) > 1:
            raise ValueError(f"{text!r} has {len(found)} values, and one is taken")
        return found

    return one


def _each_once(text: str, values: tuple[_T, ...]) -> tuple[_T, ...]:
    if len(set(values)) < len(values):
        raise ValueError(f"{text!r} has a value twice")
    return values


def _which_targets(text: str) -> str | tuple[int, ...]:
    if text in ("together", "each"):
        return text
    if not text.replace(",", "").replace(" ", "").isdigit():
        raise ValueError(f"{text!r} is no list of numbers such as 1,3, and neither each nor together")
    return _whole_numbers(1 << 20)(text)


def _rates(text: str) -> Rates:
    """Read rates in IO/s, or shares of what the target can serve; not both in one list; none: no rate."""
    from iodyno.study import Rates

    if text.strip() == "none":
        return Rates()
    words = [word.strip().replace("_", "") for word in text.split(",")]
    shares = [word.endswith("%") for word in words]
    try:
        values = tuple(float(word.removesuffix("%")) / (100 if all(shares) else 1) for word in words)
    except ValueError:
        raise ValueError(f"{text!r} is no list of rates: write 1000,2000 or 20%,110%") from None
    if any(shares) and not all(shares):
        raise ValueError(f"{text!r} mixes rates and shares: write 1000,2000 or 20%,110%")
    most, told = (100, "10000%") if all(shares) else (1e9, "1000000000 IO/s")
    wrong = [word for word, value in zip(words, values, strict=True) if not 0 < value <= most]
    if wrong:
        raise ValueError(f"{text!r} has {', '.join(wrong)}: rates are above 0 and at most {told}")
    if len(set(values)) < len(values):
        raise ValueError(f"{text!r} has a rate twice")
    return Rates(shares=values) if all(shares) else Rates(io_s=values)


def _name(text: str) -> str:
    if not text.strip():
        raise ValueError("an empty text names nothing")
    return text


def _area(text: str) -> Area:
    from pydantic import ValidationError

    from iodyno.profiles import Area

    length, at, start = text.partition("@")
    if at and not start.strip():
        raise ValueError(f"{text!r} says no start after the @: write 25%@10%, or 25% from 0 on")
    try:
        return Area.model_validate({"length": length, "start": start} if start else length)
    except ValidationError as error:
        first = error.errors()[0]
        message, cause = first["msg"].removeprefix("Value error, "), first.get("ctx", {}).get("error")
        hint = _unquoted(cause.hint) if isinstance(cause, HintedValueError) else ""
        raise ValueError(f"{message}: {hint}" if hint else message) from None


def _unquoted(hint: str) -> str:
    """Give a hint on a study's values as it holds for the command line: no quotes stand around them."""
    return hint.replace('"', "")


def _share(text: str) -> float:
    """Read a share, as a percentage or a number: on the command line both are text, other than in a study."""
    number = float(text) if _NUMBER.fullmatch(text) else None
    try:
        return parse_share(text if number is None else number)
    except ValueError as error:
        what = str(error) if number is None else f"{text!r} is outside 0 to 100%"
        hint = error.hint if isinstance(error, HintedValueError) else ""
        raise ValueError(f"{what}: {_unquoted(hint)}" if hint else what) from None


def _part(low: float, high: float, limits: str) -> Callable[[str], float]:
    """Read a share between limits that are not reached; a bare 1, all of it, was meant in percent."""

    def checked(text: str) -> float:
        try:
            share = _share(text)
        except ValueError:
            if _NUMBER.fullmatch(text) and not low < float(text) / 100 < high:
                raise ValueError(f"{text!r} is not {limits}") from None
            raise
        if not low < share < high:
            instead = ": write 1% or 0.01" if share == 1 and "%" not in text else ""
            raise ValueError(f"{text!r} is not {limits}{instead}")
        return share

    return checked


def _number_between(least: float, most: float, unit: str) -> Callable[[str], float]:
    def read(text: str) -> float:
        if not _NUMBER.fullmatch(text) or not least <= float(text) <= most:
            raise ValueError(f"{text!r} is no number of {unit} from {least:g} to {most:,.0f}")
        return float(text)

    return read


def _capacity(text: str) -> int:
    """Read a capacity base 10, as drives are called."""
    found = _CAPACITY.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is no capacity: write 800GB or 2TB, base 10 as those of drives are")
    size = round(float(found[1]) * _CAPACITIES[found[2].upper()])
    if not 0 < size < 1 << 63:
        raise ValueError(f"{text!r} is no capacity that something can have")
    return size


def _level(text: str) -> str:
    from typing import get_args

    from iodyno.virtual import Level

    known: tuple[str, ...] = get_args(Level)
    level = text.strip().upper().removeprefix("RAID").strip()
    if level not in known:
        raise ValueError(f"{text!r} is no RAID level: there are {', '.join(known)}")
    return level


NAME = Text("name", _name)
SIZE = Text("size", _file_size)
PRECISION = Text("share", _part(0, 1, "above 0 and below 100%"))
LIMIT = Text("share", _part(-1e-9, 1, "from 0 to below 100%"))
WARMUP = Text("time", _between(parse_duration, -1e-9, 86401, "from 0 to 24 h"))
TIME = Text("time", _between(parse_duration, 0, 86401, "above 0 and up to 24 h"))
INTENSITY = Text("numbers", _intensities)
NUMBERS = Text("numbers", _whole_numbers(1024))
BLOCK_SIZES = Text("sizes", _block_sizes)
SHARES = Text("shares", _shares)
WHICH = Text("targets", _which_targets)
COUNT = Text("number", _count(1))
COUNT_OR_NONE = Text("number", _count(0))
JOBS = Text("number", _count(1, 1024))
OUTSTANDING = Text("number", _alone(_whole_numbers(4096)))
WORKERS = Text("number", _alone(_whole_numbers(1024)))
ONE_BLOCK_SIZE = Text("size", _alone(_block_sizes))
ONE_SHARE = Text("share", _alone(_shares))
SEED = Text("number", _seed)
AREA = Text("area", _area)
RATES = Text("rates", _rates)
RESPONSE_LIMIT = Text("time", _between(_duration_with_unit, 0, 3601, "above 0 and up to 1 h"))
RESOLUTION = Text("share", _part(0.000999, 0.500001, "from 0.1 to 50%"))
YEARS = Text("years", _number_between(0.01, 100, "years"))
WAIT = Text("time", _between(parse_duration, -1e-9, 90 * 86400 + 1, "from 0 to 2160 h"))
REBUILD = Text("rate", _number_between(0.1, 100_000, "MB/s"))
FAILURES = Text("share", _part(0, 1, "above 0 and below 100%"))
LEVEL = Text("level", _level)
CAPACITY = Text("capacity", _capacity)
RATE = Text("rate", _number_between(0.1, 1_000_000_000, "IO/s"))
PINNING = Text("processors", _pinning)


def complete_studies(
    ctx: click.Context,  # noqa: ARG001 - click's signature
    parameter: click.Parameter,  # noqa: ARG001
    incomplete: str,
) -> list[CompletionItem | str]:
    """Complete the names of shipped studies, and files after them."""
    from iodyno.study import shipped

    return _names_or_files(shipped(), incomplete)


def complete_systems(
    ctx: click.Context,  # noqa: ARG001 - click's signature
    parameter: click.Parameter,  # noqa: ARG001
    incomplete: str,
) -> list[CompletionItem | str]:
    """Complete the names of the catalogue's systems, and files after them."""
    from iodyno.catalog.tree import shipped_systems

    return _names_or_files(shipped_systems(), incomplete)


def _names_or_files(names: Iterable[str], incomplete: str) -> list[CompletionItem | str]:
    from click.shell_completion import CompletionItem

    begun: list[CompletionItem | str] = [name for name in names if name.startswith(incomplete)]
    return begun or [CompletionItem(incomplete, type="file")]


def complete_parts(
    ctx: click.Context,  # noqa: ARG001 - click's signature
    parameter: click.Parameter,  # noqa: ARG001
    incomplete: str,
) -> list[CompletionItem | str]:
    """Complete the names of the catalogue's parts."""
    from click.shell_completion import CompletionItem

    parts = _catalogue().parts.values()
    return [CompletionItem(part.name, help=part.title) for part in parts if part.name.startswith(incomplete)]


def complete_shown(
    ctx: click.Context,
    parameter: click.Parameter,
    incomplete: str,
) -> list[CompletionItem | str]:
    """Complete the names of the catalogue's parts and systems, and files after them."""
    from iodyno.catalog.tree import shipped_systems

    parts = complete_parts(ctx, parameter, incomplete)
    systems = [name for name in shipped_systems() if name.startswith(incomplete)]
    return [*parts, *systems] or _names_or_files((), incomplete)


def complete_fitting(
    ctx: click.Context,
    parameter: click.Parameter,
    incomplete: str,
) -> list[CompletionItem | str]:
    """Complete the names of the catalogue's parts, and of families of drives, and files after them."""
    from click.shell_completion import CompletionItem

    from iodyno.catalog.parts import DrivePart

    families = sorted({drive.family for drive in _catalogue().of(DrivePart)} - {""})
    of = [CompletionItem(name, help="a family of drives") for name in families if name.startswith(incomplete)]
    return [*of, *complete_parts(ctx, parameter, incomplete)] or _names_or_files((), incomplete)


def _catalogue() -> Catalog:
    """Give the catalogue; where the folder of own parts cannot be read, what is shipped."""
    from iodyno.catalog.shelf import catalogue, shipped
    from iodyno.errors import CatalogError

    try:
        return catalogue()
    except CatalogError:
        return shipped()


def complete_runs(
    ctx: click.Context,
    parameter: click.Parameter,  # noqa: ARG001 - click's signature
    incomplete: str,
) -> list[CompletionItem | str]:
    """Complete the ids of runs, latest first; nothing where the store cannot be read."""
    from click.shell_completion import CompletionItem

    from iodyno.errors import IodynoError
    from iodyno.store import Store

    try:
        with Store.open(ctx.params.get("store"), create=False) as store:
            runs = store.runs()
    except IodynoError:
        runs = []
    named = [CompletionItem("latest", help="the latest run")] if runs else []
    named += [CompletionItem(run.id, help=f"{run.study}, {', '.join(run.targets)}") for run in runs]
    return [item for item in named if item.value.startswith(incomplete)]
