"""The generated part of docs/validation.md: every published figure beside the simulated one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import NormalDist

from iodyno.catalog.shelf import Catalog
from iodyno.fitting.curves import Series
from iodyno.fitting.fit import FIT_IOS, LEAST_SPREAD, parts_of
from iodyno.fitting.lab import CACHED, FEW, MANY, times
from iodyno.fitting.least_squares import FEWEST_DEGREES
from iodyno.fitting.published import TITLES, Figure
from iodyno.fitting.specs import SPECS, FitSpec
from iodyno.validation import catalogue, groups, method, others_page
from iodyno.validation.comparing import Compared, Decided, Errors, Use, errors, errors_left_out
from iodyno.validation.contradictions import contradictions
from iodyno.validation.others import Told, others
from iodyno.validation.unreached import Unreached, counted, percents

IN_PART = (
    "nvme-030", "p3700-100", "p3700-113", "p3700-121", "p3700-126",
    "raid-268", "raid-271", "raid-303", "raid-336", "raid-346",
)  # fmt: skip
"""Statements that hold in the lab for a part of what they are said of: told with what is out of reach."""

BEGIN = "<!-- Written by python -m iodyno.validation, from here: change the source, not this text. -->"
END = "<!-- to here -->"
USES: Mapping[Use, str] = {
    "fitted": "Figures that parts were fitted to",
    "prediction": "Predictions: nothing was fitted to them",
    "follows": "Figures that follow from others of the same paper",
}
LEFT_OUT = "Of these, each left out of its fit in turn"
FIGURES = frozenset(name for spec in SPECS.values() for name in spec.figures)
FACTS = sum(len(spec.facts) for spec in SPECS.values())
_HOW = """\
the catalogue's parts. Unknown numbers of a part are fitted to the figures of that part alone (`iodyno
catalog fit PART`); arrays, several drives, several processes and whole systems are predictions. A row that
prints a quantity again counts with the figure that was fitted, whatever it prints. Errors are relative;
inside a printed range the error is 0. Where a paper prints an advantage or a loss in percent, factors are
compared: 20 % more is 1.2 times as much. At each point about {others} I/Os follow the warm-up, at one and two
outstanding {few}, at {high} and more {many}, on hard disks behind a cache {cached}, of all targets together,
and no fewer than {rounds} rounds of what is outstanding. What of them came before the load had settled, up
to a half, is cut off.
"""
ROUNDS = 24
"""``FLOOR_ROUNDS`` of ``crates/sim/src/meter.rs``."""
SCATTER = (0.05, 0.10)
"""How far figures can scatter that intervals of few are told of."""


def section(
    figures: Mapping[str, Figure],
    compared: Sequence[Compared],
    decided: Sequence[Decided],
    told: Sequence[Told],
    unreached: Sequence[Unreached],
    catalog: Catalog,
) -> str:
    """Write the whole generated part."""
    parts = [
        BEGIN,
        *_introduction(figures, compared, decided),
        *_figure_tables(compared),
        *_statement_table(decided),
        *others_page.section(others(), told, compared),
        *_catalogue_part(figures, catalog),
        *_fit_table(catalog),
        *_rest(figures, unreached, catalog),
        END,
    ]
    return "\n".join(parts)


def put(page: str, text: str) -> str:
    """Put the generated part into the page, in place of the one that is there or at its end."""
    if BEGIN in page:
        before, _, rest = page.partition(BEGIN)
        return before + text + rest.partition(END)[2]
    return f"{page.rstrip()}\n\n{text}\n"


def _introduction(
    figures: Mapping[str, Figure], compared: Sequence[Compared], decided: Sequence[Decided]
) -> Iterator[str]:
    yield "## The virtual lab against published figures\n"
    papers = counted(len({figure.prefix for figure in figures.values()}))
    rows = f"{len(figures)} figures and statements of {papers} papers"
    yield f"{rows}, each with an id, are answered by studies on"
    yield _how()
    yield "| group | figures | mean error | greatest error |\n|---|---:|---:|---|"
    for use, title in USES.items():
        yield _errors_row(title, errors(compared, use))
        if use == "fitted":
            yield _errors_row(LEFT_OUT, errors_left_out(compared))
    yield f"\n{_held(compared)}"
    right = sum(one.finding.right for one in decided)
    part = [one.figure.id for one in decided if _verdict(one) == "in part"]
    in_part = f"{len(part)} of them in part ({', '.join(sorted(part))}, explained below)"
    yield f"\nStatements that simulated figures decide: {right} of {len(decided)} right, {in_part}.\n"


def _how() -> str:
    """Say how figures are compared, and how many I/Os the lab counts."""
    plain, cached = (Series("", name, "") for name in ("", f"{CACHED[0]}8x-sas-hdd-raid5"))
    counted_at = {
        "others": (plain, 8), "few": (plain, FEW), "many": (plain, MANY), "cached": (cached, 8),
    }  # fmt: skip
    ios = {name: f"{FIT_IOS * times(key):,}".replace(",", " ") for name, key in counted_at.items()}
    return _HOW.format(**ios, high=MANY, rounds=ROUNDS)


def _held(compared: Sequence[Compared]) -> str:
    used = [one for one in compared if one.figure.id in FIGURES]
    held = sum(one.left_out is not None for one in used)
    numbers = sum(len(spec.parameters) for spec in SPECS.values())
    return (
        f"{numbers} numbers were found from {len(used)} published figures and {FACTS} facts of data sheets:"
        " that a figure is met whose number nothing else holds shows nothing of the model."
        f" {held} figures are held by others of their part as well. *Left out* tells how far off each of them"
        " would be, had the fit done without it and without what prints the same: by the slopes at the fit,"
        " which was within two percentage points of a fit anew where that was tried once (raid-252,"
        " p3700-129). The rest, with a dash, have a number to themselves, or none that was searched for"
        " moves them."
    )


def _errors_row(title: str, found: Errors) -> str:
    worst = f"{found.most * 100:.1f} % ({found.worst})" if found.count else "–"
    return f"| {title} | {found.count} | {found.mean * 100:.1f} % | {worst} |"


def _figure_tables(compared: Sequence[Compared]) -> Iterator[str]:
    for use, title in USES.items():
        yield f"### {title}\n"
        for prefix in dict.fromkeys(one.figure.prefix for one in compared if one.use == use):
            yield f"{TITLES[prefix]}:\n"
            last = " left out | fitted to it |" if use == "fitted" else ""
            yield f"| id | what | published | simulated | error |{last}\n|---|---|---:|---:|---:|" + (
                "---:|---|" if last else ""
            )
            yield from (row(one) for one in compared if one.use == use and one.figure.prefix == prefix)
            yield ""


def row(one: Compared) -> str:
    """Write the row of a figure."""
    figure = one.figure
    what = ", ".join(filter(None, (figure.system, figure.configuration, figure.profile, figure.outstanding)))
    cells = [
        figure.id,
        _cell(what),
        _cell(f"{_printed(one)} {_unit(figure)}".strip()),
        _number(one.simulated),
        _percent(one.error),
    ]
    if one.use == "fitted":
        nothing = "–" if figure.id in FIGURES else ""
        cells += [nothing if one.left_out is None else _percent(one.left_out), one.fit]
    return f"| {' | '.join(cells)} |"


def _percent(error: float) -> str:
    return f"{error * 100:+.1f} %" if error else "0"


def _printed(one: Compared) -> str:
    bound = {"at_least": "≥ ", "at_most": "≤ ", "gain_at_least": "≥ ", "gain_at_most": "≤ "}
    return bound.get(one.answer.meant, "") + one.figure.value


def _unit(figure: Figure) -> str:
    return figure.unit.split("(")[0].replace(" of IO/s", "")


def _number(value: float) -> str:
    if abs(value) >= 1000:
        return f"{value:.0f}"
    return f"{value:.3g}" if abs(value) < 100 else f"{value:.1f}"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _statement_table(decided: Sequence[Decided]) -> Iterator[str]:
    yield "### Statements\n"
    yield "| id | what is checked | | what shows it |\n|---|---|---|---|"
    yield from map(statement_row, decided)
    yield ""


def statement_row(one: Decided) -> str:
    """Write the row of a statement."""
    cells = (one.figure.id, _cell(one.statement.claim), _verdict(one), _cell(one.finding.shown))
    return f"| {' | '.join(cells)} |"


def _verdict(one: Decided) -> str:
    if not one.finding.right:
        return "**wrong**"
    return "in part" if one.figure.id in IN_PART else "right"


def _catalogue_part(figures: Mapping[str, Figure], catalog: Catalog) -> Iterator[str]:
    checks = list(catalogue.checked(figures, catalog))
    same = list(method.compared(figures))
    right = sum(one.right for one in checks)
    yield "### Limits, rules, method\n"
    agree = sum(one.right for one in same)
    yield f"Limits, release matrices and rules, by catalogue and formulas: {right} of {len(checks)} agree."
    yield f"Definitions of the method (profiles, series, units): {agree} of {len(same)} agree."
    for one in checks:
        if not one.right:
            printed, against = f"printed {figures[one.figure].value}", catalogue.CONTRADICTED.get(one.figure)
            found = (
                f"{against} {float(one.found):.0f}"
                if against
                else f"the catalogue says {one.found} ({one.how})"
            )
            yield f"- {one.figure}: {printed}; {found}"
    for other in same:
        if not other.right:
            yield f"- {other.figure}: printed {figures[other.figure].value}; here {other.found}"
    yield ""


def _fit_table(catalog: Catalog) -> Iterator[str]:
    yield "### Fits\n"
    yield "| fit | number | value | interval | figures | parameters |\n|---|---|---:|---|---:|---:|"
    for spec in SPECS.values():
        yield from _fit_rows(spec, catalog)
    yield ""
    yield from (f"- {spec.name}: {spec.beyond}" for spec in SPECS.values() if spec.beyond)
    beyond = {spec.name: _count(spec) - len(spec.parameters) for spec in SPECS.values()}
    few = [name for name, more in beyond.items() if 0 < more < FEWEST_DEGREES]
    none = [name for name, more in beyond.items() if more <= 0]
    yield (
        f"- Intervals are of 95 % where figures are {counted(FEWEST_DEGREES)} or more beyond the"
        " parameters. With"
        f" {' or '.join(map(counted, range(1, FEWEST_DEGREES)))} more ({', '.join(few)}) the residuals"
        " hardly tell"
        f" how far figures scatter: where they do by {SCATTER[0] * 100:.0f} to {SCATTER[1] * 100:.0f} %,"
        " such an"
        f" interval holds the number in {_holding()} of all cases. With none more"
        f" ({', '.join(none)}) they are taken to scatter by {LEAST_SPREAD * 100:.0f} %."
    )
    yield ""


def _holding() -> str:
    """Say how often intervals hold that few residuals beyond the numbers tell."""
    return percents(held_by_few(more, scatter) for more in range(1, FEWEST_DEGREES) for scatter in SCATTER)


def held_by_few(degrees: int, scatter: float) -> float:
    """Give how often an interval of 95 % holds a number where few residuals tell the spread of figures.

    Parameters
    ----------
    degrees
        Figures beyond parameters, 1 or 2: the square of their spread is a chi-square over them.
    scatter
        Standard deviation of the figures; no less than the least spread is believed.

    Examples
    --------
    Without a least spread it is the distribution of Cauchy for one:

    >>> round(held_by_few(1, 1e6), 3), round(2 / math.pi * math.atan(1.96), 3)
    (0.7, 0.7)
    """
    normal, parts = NormalDist(), 1000
    reach = normal.inv_cdf(0.975)
    shares = [(part + 0.5) / parts for part in range(parts)]
    spreads = (normal.inv_cdf((1 + u) / 2) if degrees == 1 else math.sqrt(-math.log(u)) for u in shares)
    holds = (2 * normal.cdf(reach * max(spread, LEAST_SPREAD / scatter)) - 1 for spread in spreads)
    return sum(holds) / parts


def _count(spec: FitSpec) -> int:
    return len(spec.figures) + len(spec.facts)


def _fit_rows(spec: FitSpec, catalog: Catalog) -> Iterator[str]:
    for parameter in spec.parameters:
        table, key = parameter.keys[0].split(".")
        number = getattr(catalog.get(parts_of(spec, parameter)[0]), table)[key]
        interval = (
            f"{number.interval[0]:g} to {number.interval[1]:g}" if number.interval else "not determined"
        )
        names = ", ".join(path.partition(".")[2] for path in parameter.keys)
        yield (f"| {spec.name} | {names} | {number} | {interval} | {_count(spec)} | {len(spec.parameters)} |")


def _rest(figures: Mapping[str, Figure], unreached: Sequence[Unreached], catalog: Catalog) -> Iterator[str]:
    yield "### Contradictions in the papers\n"
    yield from (f"- {text}" for text in contradictions(figures, catalog))
    yield "\n### What the lab does not reach, and why\n"
    for one in unreached:
        yield from one.lines()
    yield "\n### Not modelled\n"
    yield from _summaries(groups.summaries(figures, groups.NOT_MODELLED))
    yield "\n### Rules of the papers that nothing here is compared with\n"
    yield from _summaries(groups.summaries(figures, groups.RULES))
    yield "\n### Settings of the systems under test\n"
    yield from _summaries(groups.summaries(figures, groups.SETTINGS))
    yield ""


def _summaries(found: Iterable[tuple[str, list[str]]]) -> Iterator[str]:
    for text, names in found:
        last = f" to {names[-1]}" if len(names) > 1 else ""
        yield f"- {text} ({len(names)}: {names[0]}{last})"
