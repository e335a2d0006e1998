"""The generated part of docs/validation.md: every published figure beside the simulated one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from iodyno.catalog.shelf import Catalog
from iodyno.fitting.fit import LEAST_SPREAD, parts_of
from iodyno.fitting.least_squares import FEWEST_DEGREES
from iodyno.fitting.published import TITLES, Figure
from iodyno.fitting.specs import SPECS, FitSpec
from iodyno.validation import catalogue, groups, method, others_page
from iodyno.validation.comparing import Compared, Decided, Errors, Use, errors, errors_left_out
from iodyno.validation.others import Told, others

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
CONTRADICTIONS = (
    "P3700, Streaming: maximum 2395, 2400 and 2490 MB/s; at 2 outstanding 450 and 500 MB/s.",
    "P3700, Database: maximum 186 000 to 200 000 IO/s, and 10 000 and 11 000 IO/s at 1, for the same drive.",
    "SAS drives of the P3700 paper, not named there, differ from those of the RAID paper by +15 to +26 % at"
    " random access; they are parts of their own here. (32 GB of a disk are a shorter way than 25 % of it.)",
    "DMI 3.0 x4 is printed as 3433 MB/s where the paper's own rule gives 3380: the rule is followed.",
    "24 SSDs in RAID 0, Database: 240 000, 248 000 and 250 000 IO/s.",
)
OUT_OF_REACH: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "raid-278, File server on eight SAS SSDs: the lab has eight times one drive, less what is split at"
        " strips; the paper has three quarters of that, says that the controller is not the limit, and has"
        " more than 6280 MB/s on 24 of these drives behind the same one. What takes a quarter from a drive"
        " in an array is not modelled. Looked at and excluded:",
        (
            "controller, links and core: busy for less than half of the time;",
            "the beginning of a simulation: 400 000 I/Os give the same;",
            "garbage collection in bursts, for which all drives of an array wait, by calculation: Database,"
            " whose I/Os come round four times as fast, would lose more than File server, and loses a"
            " quarter as much (primequest-195);",
            "drives that were new when measured alone and full in the array: with 37 % of spare flash and a"
            " quarter accessed, a write moves 1.00 and 1.12 times its data (Lambert W), and writes are less"
            " than half of a drive's work at this load: 5 % at most;",
            "I/Os split at strips (15 of 64): by its own two figures a drive takes 1.7 µs for an I/O and"
            " 2.0 µs for each kB of it, so a split costs 1 % of an I/O;",
            "the depth, as far as the lab knows it: of one drive only maxima over the load are printed,"
            " which do not show how a mix depends on the depth. In the lab a drive is within 2 % of its"
            " maximum from 16 outstanding on, and each of the eight has 64 at 512, 32 where Windows passes"
            " 255 to a logical drive (its most for a driver without extended requests; its default is 20 for"
            " one that asks for nothing);",
            "fewer to the whole logical drive: the 41 with which eight come to 2848 MB/s would hold 24 to"
            " 4200, against the paper's 6280;",
            "random reads that go on to the end of their strip, as other makers' controllers read ahead:"
            " they would hold 24 drives to 4100 MB/s on the disk links, against the paper's 6280;",
            "whole cache lines of 64 kB: they would come to 2890 MB/s here, but four SATA SSDs would then"
            " be 29 % slower behind a controller with a cache than behind CP400i, where the paper has no"
            " step down (raid-270).",
            "2848 is 0.750 times eight of the paper's own single drives (raid-256: 475 MB/s), and 75 % is"
            " what its rule gives RAID 10 at this load (raid-298); whether that is chance cannot be told"
            " from outside.",
        ),
    ),
    (
        "primequest-195, Database on four of these drives: not out of reach, but as much too high as the"
        " drive's own fit at Database and what is missing in raid-278 make it.",
        (),
    ),
    (
        "raid-270 says that on four SATA SSDs at RAID 0 the rate of random profiles rises with the class of"
        " the controller. In the lab it does not: behind each of them the SSDs are the limit, or nearly (at"
        " Database 164 000 to 170 000 IO/s), but for Database behind C610, which a core of 2.6 GHz holds to"
        " 135 000: the statement is checked from the fastest onboard controller on. File copy gains 1.4 %,"
        " hardly more than it scatters by, the others less than 1 %. Nothing in the shared figures says how"
        " much the rate rises, or what the slower classes lose.",
        (),
    ),
    (
        "raid-268 and raid-271 say the same of four SATA hard disks at RAID 0 and four SATA SSDs at RAID"
        " 10. In the lab the disks are faster behind a cache, but behind CP400i as fast as behind onboard"
        " controllers (within 0.1 %), and the SSDs are faster behind CP400i, which reads both copies, but"
        " no faster behind a cache (0.5 % slower to 0.6 % faster). Of hard disks at RAID 10 (raid-269) it"
        " holds from each class to the next.",
        (),
    ),
    (
        "raid-277 says that Database on eight SAS SSDs at RAID 0 has come to the limit of EP400i and"
        " EP420i. In the lab 24 SSDs are no faster either, but what they have come to is the core of the"
        " load, busy all the time: the processor of the controller, its busiest part, is at 45 %. The"
        " paper has one core of the host at almost 100 % on small random blocks too (raid-310), and the"
        " core's work for an I/O is fitted to the maximum of 24 SSDs (raid-351), so that the lab cannot"
        " tell what the controller would come to.",
        (),
    ),
    (
        "raid-336 says that the larger cache gains more the higher the load. In the lab that is so of 67"
        " % reads, of which it is counted. Of writes alone it gains the same at 1 to 32 and at 64 to 512:"
        " 19.7 and 20.1 % at 4 kB, 13.0 and 12.9 at 8 kB, 5.2 and 5.4 at 64 kB, where the paper has less"
        " than 6 % and then 6 to 11 (raid-328, raid-329).",
        (),
    ),
    (
        "raid-303 is said of any controller with hard disks, and holds in the lab for those with a cache,"
        " of which it is counted. CP400i comes to what the rule says of RAID 10 within 1 %, above it at"
        " Database only (66, 74 and 76 % against 67, 75 and 75 on eight SAS disks): a disk without its cache"
        " takes longer for a write than for a read, of which the rule knows nothing. Onboard controllers"
        " come to half (RAID 10 of four disks), because they read one disk of each pair here: the paper says"
        " that only PCIe controllers read both in Streaming (raid-267) and are fastest at random access"
        " (raid-266).",
        (),
    ),
    (
        "p3700-100 says that RAID 1 usually increases read performance where not all is written. It is"
        " counted of the maxima, three of four of which are higher, by 31 to 100 %; that of Database is"
        " 15 % lower, as in the paper (p3700-080). Over the load RAID 1 is 1 % faster or more in 18 of 44"
        " points: of three profiles from 16 outstanding on, of Database nowhere. Up to 8 outstanding it"
        " is as fast as one SSD, within 3.1 %; the paper says so of Streaming (p3700-095).",
        (),
    ),
    (
        "p3700-113 says of 100 % write and all capacities that the full range costs much. In the lab it"
        " does at 8 and 64 kB, and at 4 kB with 800 GB. At 4 kB with 1.6 TB it is 4.7 % and with 2 TB"
        " nothing: one core makes 157 000 writes/s, and the datasheets have 150 000 and 175 000 over the"
        " whole range of these drives. So p3700-114, that it grows with the share of writes, is not asked"
        " of them there.",
        (),
    ),
    (
        "p3700-121 says that four processes on small random blocks need 3.5 GHz. In the lab they are 9 %"
        " slower at 1.6 GHz with reads of 4 kB and more with writes, of which it is counted; with 2.3 GHz"
        " they come to the same 450 000 reads/s as with 3.5, the SSD's own limit, at which two processes"
        " of 3.5 GHz arrive as well. At 8 kB the SSD is the limit at 1.6 GHz already: 307 000 reads/s,"
        " 236 000 writes/s and 237 000 IO/s of Database at each frequency. What several processes cost"
        " each other on the host is not modelled.",
        (),
    ),
    (
        "p3700-126 names 120 000 IO/s as the rate above which settings matter. In the lab that is so of"
        " the maxima, of which it is counted: those of 4 and 8 kB, from 155 000 IO/s on, gain 15 %, those"
        " of 64 kB, up to 38 000, nothing. Over the load it is not. Writes of 4 and 8 kB gain 10 to 11 %"
        " at one outstanding I/O already, at 53 000 and 58 000 IO/s: such a write takes 17 to 19 µs, more"
        " than a third of them on the core. Database gains 2.5 % at 149 000 IO/s, above the paper's rate,"
        " and 15 % from 193 000 on.",
        (),
    ),
    (
        "raid-346 says of sequential profiles at one outstanding I/O that controllers differ from 500 MB/s"
        " on only. In the lab it holds in Streaming, of which it is counted. In Restore four SATA disks at"
        " RAID 0 come to 176 MB/s behind CP400i, which has no cache and has one disk at work at a time, and"
        " to 431 behind EP400i, at RAID 10 to 175 and 216.",
        (),
    ),
    (
        "p3700-103, four independent SSDs at one outstanding I/O each: the paper does not say how many"
        " processes load them. The lab answers with one for each (independent-4); the study has one for all,"
        " too (one-process-4).",
        (),
    ),
    (
        "nvme-032, 30 % at the most by a switch adapter, is compared with the x16 adapter. The x8 adapter"
        " gives each SSD two lanes; what it loses by these is more, 44 % of sequential reads of one SSD.",
        (),
    ),
    (
        "nvme-030 is said of 1 to 4 SSDs, and the gap between direct cable and the x16 adapter is there in"
        " the lab with three and four of them. With one and two both connections come to the same within"
        " 0.2 % (0.67 and 1.33 million IO/s): a switch that forwards 1.54 million has room for them, and at"
        " 2048 outstanding what it adds to a latency costs no rate. The row gives no figure by number of"
        " SSDs; whether the paper's gap is there from one SSD on cannot be told from it.",
        (),
    ),
    (
        "raid-338 to raid-343 say beside their maxima at one outstanding I/O that only RAID 0 reaches them."
        " No row gives a figure of another level, so this is not among the statements counted, and the lab"
        " does not bear it out: eight SSDs behind EP400i come to the same at RAID 0, 10 and 5 (1300 MB/s in"
        " Streaming and 1375 in Restore, of 2^20 bytes), behind CP400i to 490 in Streaming at each, and in"
        " Restore to 314, 310 and 51. What a level costs the controller when nothing waits no source tells.",
        (),
    ),
    (
        "p3700-111, 67 % read over the full range of 800 GB, at 4 kB: the core of the load limits both"
        " ranges, to 198 000 IO/s, and the drive would have to fall to 188 000. Looked at:",
        (
            "if it served reads and writes one after the other at its datasheet's rates (450 000 reads/s,"
            " 90 000 writes/s over the full range) it would still come to 194 000;",
            "to slow the drive by 5 % a read would have to occupy the flash as a whole for 2.5 µs; with"
            " more than 1.6 µs the drive of 1.6 TB would be slower by as much at 8 kB, where the paper sees"
            " no difference (p3700-112);",
            "the lab's mix with four processes, 70 % read over the full range, is above what the datasheet"
            " says of the series on the drive of 2 TB too (intel-p3700-mix): what slows the flash under a mix"
            " is not all there, and one figure of another capacity does not say what it is;",
            "dies whose two planes work as one, half as many and twice as large, bring that mix down by"
            " 4 % and leave this statement as it is; so does a limit of 255 outstanding, Windows' for a"
            " driver without extended requests. With 64 such dies and at most 128 outstanding it would be"
            " 169 000, but no source says either.",
        ),
    ),
)
"""What the lab does not reach: why, and what was looked at."""

_HOW = """\
the catalogue's parts. Unknown numbers of a part are fitted to the figures of that part alone (`iodyno
catalog fit PART`); arrays, several drives, several processes and whole systems are predictions. A row that
prints a quantity again counts with the figure that was fitted, whatever it prints. Errors are relative;
inside a printed range the error is 0. Where a paper prints an advantage or a loss in percent, factors are
compared: 20 % more is 1.2 times as much. At each point about 20 000 I/Os follow the warm-up, at one and two
outstanding 80 000, at 256 and more 100 000, on hard disks behind a cache 200 000, of all targets together,
and no fewer than 24 rounds of what is outstanding. What of them came before the load had settled, up to a
half, is cut off.
"""


def section(
    figures: Mapping[str, Figure],
    compared: Sequence[Compared],
    decided: Sequence[Decided],
    told: Sequence[Told],
    catalog: Catalog,
) -> str:
    """Write the whole generated part."""
    parts = [
        BEGIN,
        *_introduction(figures, compared, decided),
        *_figure_tables(compared),
        *_statement_table(decided),
        *others_page.section(others(), told),
        *_catalogue_part(figures, catalog),
        *_fit_table(catalog),
        *_rest(figures),
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
    yield f"{len(figures)} figures and statements of four papers, each with an id, are answered by studies on"
    yield _HOW
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


def _held(compared: Sequence[Compared]) -> str:
    used = [one for one in compared if one.figure.id in FIGURES]
    held = sum(one.left_out is not None for one in used)
    numbers = sum(len(spec.parameters) for spec in SPECS.values())
    return (
        f"{numbers} numbers were found from {len(used)} published figures and {FACTS} facts of data sheets:"
        " that a figure is met whose number nothing else holds shows nothing of the model."
        f" {held} figures are held by others of their part as well. *Left out* tells how far off each of them"
        " would be, had the fit done without it and without what prints the same: by the slopes at the fit,"
        " which is within two percentage points of a fit anew where that was tried (raid-252, p3700-129). The"
        " rest, with a dash, have a number to themselves, or none that was searched for moves them."
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
            printed = f"printed {figures[one.figure].value}; the catalogue says {one.found} ({one.how})"
            yield f"- {one.figure}: {catalogue.CONTRADICTED.get(one.figure, printed)}"
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
        "- Intervals are of 95 % where figures are three or more beyond the parameters. With one or two more"
        f" ({', '.join(few)}) the residuals hardly tell how far figures scatter: where they do by 5 to 10 %,"
        " such an interval holds the number three to four times in five. With none more"
        f" ({', '.join(none)}) they are taken to scatter by {LEAST_SPREAD * 100:.0f} %."
    )
    yield ""


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


def _rest(figures: Mapping[str, Figure]) -> Iterator[str]:
    yield "### Contradictions in the papers\n"
    yield from (f"- {text}" for text in CONTRADICTIONS)
    yield "\n### What the lab does not reach, and why\n"
    for text, points in OUT_OF_REACH:
        yield f"- {text}"
        yield from (f"  - {point}" for point in points)
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
