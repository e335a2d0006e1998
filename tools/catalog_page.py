"""The reference page of the catalogue: parts, the kinds of their numbers, and how a system is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from importlib import resources

from parts_page import Texts, parts_section
from pydantic import BaseModel

from iodyno.catalog.bounds import BOUNDS, OF_KEY
from iodyno.catalog.changes import CHANGES
from iodyno.catalog.links import rates
from iodyno.catalog.parts import KeptFigure, KeptFit, LinkPart
from iodyno.catalog.quantity import UNITS, Quantity
from iodyno.catalog.shelf import shipped
from iodyno.catalog.tree import (
    ControllerSpec,
    DirectSpec,
    HostSpec,
    LogicalSpec,
    SystemSpec,
    shipped_systems,
)
from iodyno.catalog.wanted import Fitting, WantedFigure
from iodyno.cli.catalog import HEADINGS
from iodyno.units import MIB

TABLES: tuple[tuple[str, str, type[BaseModel]], ...] = (
    ("The system", "Keys at the top of the file.", SystemSpec),
    ("`[host]`", "Where the load runs.", HostSpec),
    (
        "`[[controller]]`",
        "A RAID or onboard controller. Settings that are given win over the mode.",
        ControllerSpec,
    ),
    ("`[[controller.logical]]`", "Drives of a controller, joined or passed through.", LogicalSpec),
    ("`[[drives]]`", "Drives of the host without a controller.", DirectSpec),
)
KINDS = ("datasheet", "published", "fitted", "assumed")
_INTRODUCTION = """\
# The catalogue

Virtual hardware that a study can be simulated on: `iodyno catalog list`, `show`, `fits` and `check` look
at it. A part is a TOML file under `python/iodyno/catalog/parts`; each of its numbers has a value, a unit, a
kind and a source. Rates of links are computed by the rule and never typed in.

- `datasheet`: what a maker says of its own product, in a datasheet, manual or announcement, and a standard of
  its links. Where a quotation of it is all that was at hand, the source says who quotes.
- `published`: what somebody measured, and what a performance paper prints, release matrices too.
- `fitted`: what was found from published figures of that part alone, with the interval that they leave.
- `assumed`: a sensible guess that says so; also one that is reckoned from what its source prints.

The tables count the numbers of each part by kind.
"""
_SYSTEMS = """\
## How a system is written

A system is a tree of parts in TOML. Unknown keys are refused, and all problems are reported at once: a wrong
interface, too many drives, a level or setting that a controller does not have, lanes that are not there, a
server of which no release matrix says that it takes a part. A study gives a system by its name, or such a
table, and changes to it.
"""


_CHANGES = """\
`controller` names another part; every other key changes each table of the system that has it: `count` each
`[[controller.logical]]` and each `[[drives]]`. The settings `read`, `write`, `cache` and `drive_cache` change
controllers alone. `"none"` takes a key away. `link` is that of the controllers or of the drives: of a system
that has both it is refused, and stands in a table of the system itself.
"""


_FITTING = """\
## How a part of one's own is fitted

`iodyno catalog fit` finds numbers of a part from figures of it that its file gives, with the interval that
they leave, and `--write` puts them into the file as `fitted`, with a table `[fit.NAME]` of how close the
figures are met.
"""
_HEAD = "| Key | Default | Meaning |\n|---|---|---|"
FITTING_TABLES = (
    ("[fitting]", "What is to be found, and where it is simulated.", Fitting),
    ("[[fitting.figures]]", "Figures of the part, measured or printed.", WantedFigure),
    ("[fit.NAME]", "What fitted numbers were fitted to, written by `--write`.", KeptFit),
    ("[[fit.NAME.figures]]", "The figures that were used, and how close they were met.", KeptFigure),
)


def catalog_page(note: str, rows: Callable[[type[BaseModel]], Iterator[str]], texts: Texts) -> str:
    """Write the page.

    Parameters
    ----------
    note
        What stands at its top.
    rows
        Makes a table's rows of a model's keys.
    texts
        Gives what is said of a model's fields.
    """
    parts = [note, _INTRODUCTION, *_parts(), *_rates(), *_units(), *parts_section(texts), _SYSTEMS]
    for title, text, model in TABLES:
        parts += [
            f"### {title}\n",
            f"{text}\n",
            _HEAD,
            *rows(model),
            "",
        ]
    parts += [
        "### Changes\n",
        f"What a study can change of a system: {', '.join(f'`{key}`' for key in CHANGES)}.\n",
        _CHANGES,
        _FITTING,
    ]
    for title, text, model in FITTING_TABLES:
        parts += [
            f"### {title}\n",
            f"{text}\n",
            _HEAD,
            *rows(model),
            "",
        ]
    return "\n".join([*parts, *_shipped()])


def _parts() -> Iterator[str]:
    by_kind = {kind: [part for part in shipped().parts.values() if part.kind == kind] for kind in HEADINGS}
    for kind, heading in HEADINGS.items():
        yield f"## {heading}\n"
        yield f"| Name | Title | {' | '.join(KINDS)} |\n|---|---|{'---:|' * len(KINDS)}"
        for part in sorted(by_kind[kind], key=lambda part: part.name):
            counts = Counter[str](number.kind for number in _numbers(part))
            yield f"| `{part.name}` | {part.title} | {' | '.join(str(counts[k] or '') for k in KINDS)} |"
        yield ""


def _numbers(value: object) -> Iterator[Quantity]:
    if isinstance(value, Quantity):
        yield value
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from _numbers(getattr(value, name))
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _numbers(item)


def _rates() -> Iterator[str]:
    yield "## Rates of links\n"
    yield "In MB/s (2^20 bytes/s): theoretical, transfers of a lane × lanes × coding ÷ 8, and practical, 90 %"
    yield "of that, which is what is simulated; in each direction, of SATA in one direction at a time.\n"
    for part in sorted(shipped().of(LinkPart), key=lambda part: part.name):
        found = rates(part, shipped())
        versions = list(dict.fromkeys(one.version for one in found))
        heads = (f"{version} {kind}" for version in versions for kind in ("theoretical", "practical"))
        yield f"### {part.title}\n"
        yield f"| Lanes | {' | '.join(heads)} |\n|---:|{'---:|' * 2 * len(versions)}"
        for lanes in dict.fromkeys(one.lanes for one in found):
            cells = (
                f"{float(value) / MIB:,.0f}"
                for one in found
                if one.lanes == lanes
                for value in (one.theoretical, one.practical)
            )
            yield f"| {lanes} | {' | '.join(cells)} |"
        yield ""


def _units() -> Iterator[str]:
    yield "## Units and bounds\n"
    yield "| What | Units | Least | Most |\n|---|---|---|---|"
    for dimension in dict.fromkeys(dimension for dimension, _ in UNITS.values()):
        of = (f"`{unit}`" for unit, (measures, _) in UNITS.items() if measures == dimension)
        ends = BOUNDS.get(dimension)
        bound = f"{ends.least_called} | {ends.most_called}" if ends else "– | –"
        yield f"| {dimension.replace('_', ' ')} | {', '.join(of)} | {bound} |"
    for key, own in OF_KEY.items():
        yield f"| `{key}` | | {own.least_called} | {own.most_called} |"
    yield "\nThe least counts for numbers that have to be above 0. A part beyond them is refused when read."
    yield "`MB/s` is 2^20 bytes/s as in the published methods, `MB/s(10^6)` what makers print."
    yield "GB and TB are capacities, base 10.\n"


def _shipped() -> Iterator[str]:
    folder = resources.files("iodyno").joinpath("catalog").joinpath("systems")
    yield "## Systems that come with iodyno\n"
    for name in shipped_systems():
        yield f"### {name}\n"
        yield f"```toml\n{folder.joinpath(f'{name}.toml').read_text('utf-8')}```\n"
