"""Where random accesses of a load profile go: evenly, by a law of ranks, by zones, or each block once."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from iodyno.record import Number, Record, Share

Kind = Literal["uniform", "zipf", "pareto", "normal", "zones", "permutation"]
FORMS = (
    'write "uniform", "zipf:1.2", "pareto:0.2", "normal:0.1", "permutation" or zones such as "90/10, 10/70"'
)
_EXAMPLES = {"zipf": "zipf:1.2", "pareto": "pareto:0.2", "normal": "normal:0.1"}
"""Kinds that take a parameter, each as it is written."""
MOST_ZONES = 64
LARGEST_THETA = 10.0
_ZONE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*%?\s*/\s*(\d+(?:\.\d+)?)\s*%?\s*")
_WHOLE = 1e-9
"""How far sums of shares may be off, for what adding them rounds."""


class Zone(Record):
    """A stretch of the area, and how much of the random accesses it gets."""

    accesses: Share
    """Share of the random accesses, 0 to 1."""
    range: Annotated[Share, Field(gt=0)]
    """Share of the area, above 0 to 1."""


class Distribution(Record):
    """Where random accesses go.

    Written ``"uniform"``, ``"zipf:1.2"``, ``"pareto:0.2"``, ``"normal:0.1"``, ``"permutation"``, or zones
    from the start of the area on: ``"90/10, 10/70"`` is 90 % of the accesses on 10 % of the range and
    10 % on the next 70 %; or ``[{ accesses = "90%", range = "10%" }, …]``.

    Examples
    --------
    >>> str(Distribution.model_validate("90/10, 10/70"))
    '90/10, 10/70'
    >>> Distribution.model_validate("zipf:1.2").parameter
    1.2
    """

    kind: Kind = "uniform"
    """``uniform``, ``zipf``, ``pareto``, ``normal``, ``zones`` or ``permutation``."""
    parameter: Annotated[float, Number] | None = None
    """Theta of ``zipf``, above 0 to 10; h of ``pareto``, above 0 and below 1; standard deviation of
    ``normal`` as a share of the blocks, above 0 to 1; nothing for the others."""
    zones: Annotated[tuple[Zone, ...], Field(max_length=MOST_ZONES)] = ()
    """The stretches of ``zones``, from the start of the area on; what they leave is not accessed."""

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        if isinstance(value, str):
            return _of_text(value)
        return {"kind": "zones", "zones": value} if isinstance(value, list | tuple) else value

    @model_validator(mode="after")
    def _possible(self) -> Distribution:
        problems = [*_parameter_problems(self), *_zone_problems(self)]
        if problems:
            raise ValueError("; ".join(problems))
        return self

    @property
    def even(self) -> bool:
        """Whether it is the usual: everywhere alike."""
        return self.kind == "uniform"

    def __str__(self) -> str:
        if self.kind == "zones":
            return ", ".join(f"{zone.accesses * 100:.10g}/{zone.range * 100:.10g}" for zone in self.zones)
        return self.kind if self.parameter is None else f"{self.kind}:{self.parameter:.10g}"


def _of_text(text: str) -> dict[str, Any]:
    name, _, parameter = (part.strip() for part in text.partition(":"))
    if name in ("uniform", "permutation") and not parameter:
        return {"kind": name}
    if name in _EXAMPLES:
        try:
            return {"kind": name, "parameter": float(parameter)}
        except ValueError:
            raise ValueError(f"{text!r} has no number behind {name}: write {_EXAMPLES[name]}") from None
    if "/" in text:
        return {"kind": "zones", "zones": _zones(text)}
    raise ValueError(f"{text!r} is no distribution: {FORMS}")


def _zones(text: str) -> list[dict[str, float]]:
    zones, problems = [], []
    for part in text.split(","):
        match = _ZONE.fullmatch(part)
        shares = [float(f"{number}e-2") for number in match.groups()] if match else []
        if not match:
            problems.append(f"{part.strip()!r} is no zone: write accesses/range in percent, 90/10")
        elif max(shares) > 1:
            problems.append(f"{part.strip()!r} has a share above 100%")
        elif shares[1] == 0:
            problems.append(f"{part.strip()!r} is a zone of no range")
        else:
            zones.append({"accesses": shares[0], "range": shares[1]})
    if problems:
        raise ValueError("; ".join(problems))
    return zones


def _parameter_problems(found: Distribution) -> Iterator[str]:
    value = found.parameter
    if found.kind == "zipf" and (value is None or not 0 < value <= LARGEST_THETA):
        yield f"zipf needs a theta above 0 to {LARGEST_THETA:g}, for example zipf:1.2"
    elif found.kind == "pareto" and (value is None or not 0 < value < 1):
        yield "pareto needs an h above 0 and below 1, for example pareto:0.2"
    elif found.kind == "normal" and (value is None or not 0 < value <= 1):
        yield "normal needs a deviation above 0 to 1, a share of the blocks, for example normal:0.1"
    elif found.kind not in _EXAMPLES and value is not None:
        yield f"{found.kind} takes no parameter"


def _zone_problems(found: Distribution) -> Iterator[str]:
    if found.kind != "zones":
        if found.zones:
            yield f"{found.kind} takes no zones"
        return
    accesses = math.fsum(zone.accesses for zone in found.zones)
    covered = math.fsum(zone.range for zone in found.zones)
    if abs(accesses - 1) > _WHOLE:
        yield f"the zones get {accesses * 100:.10g}% of the accesses, not 100%"
    if covered > 1 + _WHOLE:
        yield f"the zones take {covered * 100:.10g}% of the range, above 100%"


UNIFORM = Distribution()
"""Everywhere alike, as unless something else is said."""
