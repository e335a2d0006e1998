"""Configurations: the virtual systems of a study, and how simulated points end."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationError

from iodyno.errors import Problem, ProfileError
from iodyno.folders import is_there
from iodyno.problems import problems_of
from iodyno.profiles import Area, LoadProfile, Record, Share
from iodyno.record import Number
from iodyno.study.lists import Listed

NAME_OR_TEMPLATE = r"^[a-z0-9{][a-z0-9{}._-]*$"


class SimulationOptions(Record):
    """``[simulation]``: how each point is simulated; its seed is that of ``[measurement]``.

    I/Os are for each target: a point on four volumes runs four times as many. Where some targets of a closed
    loop are faster than others, each has half of its part of the warm-up and of the least; that is waited for
    up to sixteen times the warm-up, and until as many are counted as may be. Of several loads a closed loop
    has all of its part of the warm-up, and each load 24 rounds of both, for as long at the most. A closed
    loop with many outstanding runs more: no fewer than 24 rounds of as many as are outstanding are not
    counted, then as many at the least follow, and up to 48 where the precision is not reached before.
    ``--plan`` tells the numbers of each point.
    """

    warmup_ios: Annotated[int, Number, Field(ge=0, le=1 << 40)] = 20_000
    """I/Os for each target before anything is counted, and half of that of the slowest; with many outstanding
    more, 24 rounds of them."""
    warmup_of: dict[str, Annotated[int, Number, Field(ge=0, le=1 << 40)]] = Field(default_factory=dict)
    """The same for single profiles, by name, whatever an axis changes of them: those that fill a cache first
    need more."""
    floor_ios: Annotated[int, Number, Field(gt=0, le=1 << 40)] = 20_000
    """I/Os for each target that follow the warm-up at the least before the rule may stop, and half of that of
    the slowest, no more than ``cap_ios``; with many outstanding more, 24 rounds of them. About as many: they
    are counted in windows of time, and what of them came before the load had settled, up to a half, is cut
    off."""
    cap_ios: Annotated[int, Number, Field(gt=0, le=1 << 40)] = 200_000
    """Most counted I/Os for each target; with many outstanding more, 48 rounds of them."""
    precision: Annotated[Share, Field(gt=0, lt=1)] = 0.01
    """Half-width of the interval to reach, as a share of the mean: ``0.01`` or ``"1%"``."""
    confidence: Annotated[Share, Field(gt=0.5, lt=1)] = 0.95
    """Confidence of the interval, above 0.5 and below 1."""


class AccessedAreas(Record):
    """Areas by kind of access; a profile that says an area of its own, or an axis, comes first."""

    random: Area = Area()
    """Accessed by profiles with random accesses."""
    sequential: Area = Area()
    """Accessed by profiles without."""

    def of(self, profile: LoadProfile) -> Area:
        """Give the area that a profile accesses."""
        return self.random if profile.random else self.sequential


def _areas(value: Any) -> Any:
    """Let one area stand for both kinds of access."""
    if isinstance(value, dict) and not {"start", "length"} & set(value):
        return value
    return {"random": value, "sequential": value}


def _choices(value: Any) -> Any:
    return value if isinstance(value, list | tuple) else [value]


Scalar = str | int | float | bool
Word = Scalar | tuple[Scalar, ...]
Choice = Word | dict[str, Word]


class Configuration(Record):
    """``[[configuration]]``: a virtual system, or several that differ in a few words."""

    name: str = Field(pattern=NAME_OR_TEMPLATE)
    """Short name, lower case with hyphens; with ``each`` a template: ``"{controller}-raid{level}"``."""
    title: str = ""
    """Name as shown; the short name where empty. Titles that are alike are followed by the short names."""
    description: str = ""
    """What it is, in the paper."""
    group: str = ""
    """Configurations of one group differ in settings alone: of their maxima the best counts."""
    system: str | dict[str, Any]
    """Name of a system of the catalogue, path of one from the folder of the study, else from the working
    directory, or the system itself as a table."""
    changes: dict[str, Any] = Field(default_factory=dict)
    """What differs from that system: ``{ level = "5", count = 8 }``; keys of a system's tables."""
    volumes: Annotated[tuple[str, ...], Listed] = ()
    """Volumes of the system that are loaded; all where none is named."""
    area: Annotated[AccessedAreas | None, BeforeValidator(lambda v: v if v is None else _areas(v))] = None
    """Accessed area of each volume: ``"32G"``, or a table with ``random`` and ``sequential``."""
    warmup_of: dict[str, Annotated[int, Number, Field(ge=0, le=1 << 40)]] = Field(default_factory=dict)
    """As ``warmup_of`` of ``[simulation]``, on this configuration alone, where it says something else."""
    each: dict[str, Annotated[tuple[Choice, ...], BeforeValidator(_choices), Field(min_length=1)]] = Field(
        default_factory=dict
    )
    """Lists of words: every combination makes a configuration, its words in place of ``{key}``, in names in
    lower case; a word is a text, a number or a list; an entry that is a table gives several at once. What no
    list gives is refused in braces."""

    @property
    def shown(self) -> str:
        """Title, or the name where there is none."""
        return self.title or self.name

    def expanded(self) -> Iterator[Configuration]:
        """Yield every configuration that this one stands for, the last list of ``each`` fastest.

        Raises
        ------
        ProfileError
            If words make something that cannot be: a name without a letter or digit. Its places are keys
            of the configuration.

        Examples
        --------
        >>> some = Configuration(name="r{level}", system="{level}", each={"level": ["0", "10"]})
        >>> [item.name for item in some.expanded()]
        ['r0', 'r10']
        """
        for choice in itertools.product(*self.each.values()):
            words: dict[str, Word] = {}
            for key, value in zip(self.each, choice, strict=True):
                words.update(value if isinstance(value, Mapping) else {key: value})
            yield self._with(words)

    def beside(self, folder: Path) -> Configuration:
        """Give the same with the path of its system as seen from here; the study lies in a folder.

        What is there in no file of that folder, and in one of the working directory, is taken from there.
        """
        if not isinstance(self.system, str) or not self.system:
            return self
        there = folder / self.system
        lacking = ("/" in self.system or self.system.endswith(".toml")) and not is_there(Path(self.system))
        if self._is_shipped() or not (is_there(there) or lacking):
            return self
        return self.model_copy(update={"system": str(there)})

    def _is_shipped(self) -> bool:
        from iodyno.catalog.tree import shipped_systems

        return self.system in shipped_systems()

    def _with(self, words: Mapping[str, Word]) -> Configuration:
        """Put words in place of their keys: as they are, in texts as text, and in the name as in a name."""
        unsaid = {"each"} if self.volumes else {"each", "volumes"}
        document = self.model_dump(exclude=unsaid, exclude_none=True)
        shown = {key: text_of(word) for key, word in words.items()}
        made = {key: _filled(value, words if key in _VALUES else shown) for key, value in document.items()}
        made["name"] = _filled(self.name, {key: name_of(word) for key, word in words.items()})
        if isinstance(self.system, str):
            made["system"] = _filled(self.system, shown)
        try:
            return Configuration.model_validate(made)
        except ValidationError as error:
            told = ", ".join(f'{key} = "{text}"' for key, text in shown.items())
            hint = f"that comes with {told} of each"
            found = (Problem(p.where, p.what, p.hint or hint) for p in problems_of(error, made, {}))
            raise ProfileError(*found) from None


_VALUES = ("system", "changes")
"""Keys in which a word stays the number or list that it is."""


def text_of(word: Word) -> str:
    """Write a word of ``each`` in a text.

    Examples
    --------
    >>> text_of("1M"), text_of(True), text_of((0, 2)), text_of(())
    ('1M', 'true', '0, 2', 'none')
    """
    if isinstance(word, tuple | list):
        return ", ".join(text_of(item) for item in word) or "none"
    return str(word).lower() if isinstance(word, bool) else str(word)


def name_of(word: Word) -> str:
    """Write a word of ``each`` as a part of a short name.

    Examples
    --------
    >>> name_of("1M"), name_of("PCIe 3.0 x4"), name_of((0, 2))
    ('1m', 'pcie-3.0-x4', '0-2')
    """
    return re.sub(r"[^a-z0-9._-]+", "-", text_of(word).lower()).strip("-._")


def _filled(value: Any, words: Mapping[str, Word]) -> Any:
    """Put words in place of ``{key}``; a text that is nothing else becomes the word, a number or list too."""
    if isinstance(value, Mapping):
        return {key: _filled(item, words) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_filled(item, words) for item in value]
    if not isinstance(value, str) or "{" not in value:
        return value
    for key, word in words.items():
        if value == f"{{{key}}}":
            return list(word) if isinstance(word, tuple) else word
        value = value.replace(f"{{{key}}}", text_of(word))
    return value
