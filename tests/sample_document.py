"""A document with every kind of block and the values that break layouts."""

from __future__ import annotations

import math

from iodyno.report.document import (
    Axis,
    BarChart,
    Bullets,
    Callout,
    Cell,
    ChartLine,
    ChartPoint,
    Code,
    CodeBlock,
    Column,
    Document,
    Facts,
    Figure,
    Heading,
    LineChart,
    Link,
    Paragraph,
    Strong,
    Table,
    TitlePage,
)

LOADS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
SPECIAL = r"""#a $b$ *c* _d_ [e] <f> @g \h // i -- j ~k `l` "m" 'n' {o} & &amp; = + % ^ | … ± ≥ µ"""
LONG_WORD = (
    "/sys/devices/pci0000:00/0000:00:1d.0/0000:3b:00.0/nvme/nvme0/nvme0n1/queue/scheduler_of_a_very_long_name"
)
PROSE = (
    "A load profile says what is asked of the target: how large each access is, where it goes, and whether "
    "it reads or writes. The loop keeps a fixed number of accesses outstanding; a new one is issued as soon "
    "as one completes. What was completed in the measured part is counted, and nothing of the warm-up."
)


def rate(load: float, most: float, half: float) -> float:
    """A saturating curve."""
    return most * load / (load + half)


def saturating(name: str, most: float, half: float, *, hollow: int | None = None) -> ChartLine:
    """Rate over outstanding I/Os."""
    points = tuple(
        ChartPoint(
            load,
            rate(load, most, half),
            rate(load, most, half) * 0.97,
            rate(load, most, half) * 1.03,
            label=f"{rate(load, most, half):,.0f} IO/s at {load}",
            hollow=load == hollow,
        )
        for load in LOADS
    )
    return ChartLine(name, points)


def latency(name: str, most: float, half: float, factor: float = 1.0) -> ChartLine:
    """Latency over outstanding I/Os, by Little's law."""
    points = tuple(
        ChartPoint(load, factor * 1000 * load / rate(load, most, half), label=f"{name} at {load}")
        for load in LOADS
    )
    return ChartLine(name, points)


OUTSTANDING = Axis("Outstanding I/Os", "log2", tuple(float(load) for load in LOADS))

RATE_AND_LATENCY = Figure(
    charts=(
        LineChart(
            OUTSTANDING,
            Axis("Transaction rate in IO/s"),
            (saturating("Database", 182_000, 20, hollow=512),),
            title="Transaction rate",
        ),
        LineChart(
            OUTSTANDING,
            Axis("Latency in ms", "log10"),
            (
                latency("Mean", 182_000, 20),
                latency("p50", 182_000, 20, 0.8),
                latency("p99", 182_000, 20, 3),
                latency("p99.9", 182_000, 20, 9),
            ),
            title="Latency",
        ),
    ),
    caption="Database: transaction rate and latency over outstanding I/Os. Bars are 95 % intervals; a "
    "hollow marker stands for a reading that is not steady.",
    alt="The transaction rate rises from 8,700 IO/s at 1 outstanding I/O to 175,000 IO/s at 512.",
    key="fig-database",
)

ALL_PROFILES = Figure(
    charts=(
        LineChart(
            OUTSTANDING,
            Axis("Transaction rate in IO/s"),
            (
                saturating("File copy", 41_000, 9),
                saturating("File server", 45_000, 10),
                saturating("Database", 182_000, 20),
                saturating("Streaming", 52_000, 2),
                saturating("Restore", 31_000, 1.5),
            ),
        ),
    ),
    caption="All profiles.",
    alt="Five saturating curves.",
    key="fig-all",
)

RATE_LATENCY = Figure(
    charts=(
        LineChart(
            Axis("Transaction rate in IO/s"),
            Axis("Latency in ms", "log10"),
            (
                ChartLine(
                    "Database",
                    tuple(
                        ChartPoint(
                            rate(load, 182_000, 20), 1000 * load / rate(load, 182_000, 20), label=str(load)
                        )
                        for load in LOADS
                    ),
                    labelled=True,
                ),
            ),
            title="Rate–latency curve",
        ),
        LineChart(
            Axis("Share of I/Os", "nines"),
            Axis("Latency in ms", "log10"),
            tuple(
                ChartLine(
                    f"{load} outstanding",
                    tuple(
                        ChartPoint(share, 0.05 * load**0.5 * (1 - math.log10(1.0000001 - share)))
                        for share in (0.0, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999, 1.0)
                    ),
                    markers=False,
                )
                for load in (1, 32, 512)
            ),
            title="Latency distribution",
        ),
    ),
    caption="Left: latency over rate, each point labelled with its outstanding I/Os. Right: distribution.",
    alt="The curve bends at 32 outstanding I/Os.",
    key="fig-rate-latency",
)

TIME_SERIES = Figure(
    charts=(
        LineChart(
            Axis("Time in s"),
            Axis("Throughput in MB/s"),
            (
                ChartLine(
                    "Reads",
                    tuple(
                        ChartPoint(
                            tick / 10,
                            900 + 60 * math.sin(tick),
                            850 + 50 * math.sin(tick),
                            950 + 70 * math.sin(tick),
                        )
                        for tick in range(61)
                    ),
                    markers=False,
                ),
                ChartLine(
                    "Writes",
                    tuple(ChartPoint(tick / 10, 450 + 30 * math.cos(tick)) for tick in range(61)),
                    markers=False,
                ),
            ),
            shaded=((0.0, 1.0, "Warm-up"), (5.0, 5.2, "Throttled by the drive")),
        ),
    ),
    caption="Throughput over time; the warm-up is shaded.",
    alt="Throughput varies around 900 MB/s.",
    key="fig-time",
)

BARS = Figure(
    charts=(
        BarChart(
            Axis("Transaction rate in IO/s"),
            (
                (
                    "File copy",
                    (
                        ChartPoint(0, 4_100, 4_000, 4_200, "4,100"),
                        ChartPoint(0, 41_000, 40_000, 42_000, "41,000"),
                    ),
                ),
                (
                    "Database on a target with a long name",
                    (
                        ChartPoint(0, 8_700, 8_000, 9_400, "8,700"),
                        ChartPoint(0, 182_000, 170_000, 194_000, "182,000", hollow=True),
                    ),
                ),
            ),
            names=("1 outstanding", "Maximum"),
            title="Transaction rate",
        ),
        BarChart(
            Axis("Throughput in MB/s"),
            (
                ("Streaming", (ChartPoint(0, 3_250, 3_200, 3_300, "3,250"),)),
                ("Restore", (ChartPoint(0, 0, 0, 0, "0"),)),
            ),
            names=("Maximum",),
            title="Throughput",
        ),
    ),
    caption="Maxima.",
    alt="Database is the fastest.",
    key="fig-bars",
)

FIGURES = (RATE_AND_LATENCY, ALL_PROFILES, RATE_LATENCY, TIME_SERIES, BARS)


def long_table(rows: int = 140) -> Table:
    """A table of more than one page."""
    return Table(
        columns=(
            Column("Profile"),
            Column("Outstanding", "right"),
            Column("Rate", "right", "IO/s"),
            Column("Interval", "right", "±"),
            Column("p99", "right", "ms"),
            Column("Limit"),
            Column("Verdict"),
        ),
        rows=tuple(
            (
                Cell("Database" if row % 3 else "File server"),
                Cell(str(LOADS[row % 10])),
                Cell(f"{row * 1234:,}", strong=row % 10 == 9),
                Cell("1.2 %"),
                Cell(f"{row / 7:.3f}"),
                Cell("the drive" if row % 4 else "the host: a processor core is busy"),
                (
                    Cell("steady", "good"),
                    Cell("not steady", "warning"),
                    Cell("disturbed: steal time", "bad"),
                    Cell("capped at 3 s"),
                )[row % 4],
            )
            for row in range(rows)
        ),
        caption="Each point of the study.",
        key="tab-points",
        notes=("1 MB/s is 2²⁰ bytes per second.", ("See ", Link("the method", "method"), ".")),
    )


def wide_table(columns: int = 15) -> Table:
    """A table of many columns, with words that do not break by themselves."""
    return Table(
        columns=(
            Column("Point"),
            *(Column(f"Percentile {n}", "right", "ms") for n in range(columns - 2)),
            Column("Path"),
        ),
        rows=tuple(
            (
                Cell((Code(f"p{row}"),)),
                *(Cell(f"{row * n:.2f}") for n in range(columns - 2)),
                Cell(LONG_WORD),
            )
            for row in range(4)
        ),
        caption="A wide table.",
        key="tab-wide",
    )


def sample_document(language: str = "en") -> Document:
    """Every kind of block."""
    blocks = (
        Heading(1, "Introduction", "introduction"),
        Paragraph(PROSE),
        Paragraph(
            (
                "Read ",
                Link("the method", "method"),
                " and ",
                Link("the figure", "fig-database"),
                "; run ",
                Code("iodyno report --output paper.pdf"),
                " to get it again. ",
                Strong("Nothing here is estimated."),
            )
        ),
        Bullets((PROSE, (Strong("Bold"), " and plain"), SPECIAL)),
        Heading(1, "Method", "method"),
        Heading(2, "Load profiles", "profiles"),
        Paragraph(PROSE),
        Callout(PROSE),
        Callout("All points are steady.", "good"),
        Callout(("The drive was ", Strong("throttled"), " at 2 points."), "warning"),
        Callout("This build is not optimised: its figures must not be used.", "bad"),
        Heading(2, "System under test", "system"),
        Facts(
            (
                ("Processor", "Some Processor 9000 with 64 cores at 2.0 GHz"),
                ("Kernel", (Code("6.1.0-18-amd64"), " with ", Code("mitigations=auto"))),
                ("Special", SPECIAL),
                ("Scheduler", (Code(LONG_WORD),)),
            )
        ),
        Heading(1, "Results", "results"),
        Heading(2, "Database", "results-database"),
        RATE_AND_LATENCY,
        Paragraph(PROSE),
        Heading(3, "Distribution of latency", "results-distribution"),
        RATE_LATENCY,
        Heading(2, "All profiles", "results-all"),
        ALL_PROFILES,
        TIME_SERIES,
        BARS,
        long_table(),
        wide_table(),
        Heading(1, "Appendix", "appendix"),
        Paragraph(("Special characters: ", Code(SPECIAL), " and ", SPECIAL)),
        CodeBlock(
            "iodyno measure --study quick /dev/nvme0n1 \\\n    --write 'S/N 0123'\n"
            + LONG_WORD
            + " "
            + LONG_WORD
        ),
        CodeBlock(SPECIAL),
    )
    return Document(
        language=language,
        title_page=TitlePage(
            kind="White Paper",
            title="Storage performance of a drive under the load profiles of the field",
            subtitle="Random and sequential access with 1 to 512 outstanding I/Os",
            facts=(
                ("Date", "2024-05-17"),
                ("Run", "01HY3K"),
                ("Version", "iodyno 0.1.0"),
                ("Machine", "A server with two processors and one drive"),
            ),
            summary=(
                ("Database", "182,000 IO/s", "± 1.2 % at 512 outstanding"),
                ("File server", "45,200 IO/s", "± 0.9 % at 256 outstanding"),
                ("File copy", "41,100 IO/s", "± 0.8 % at 256 outstanding"),
                ("Streaming", "3,250 MB/s", "± 0.3 % at 16 outstanding"),
                ("Restore", "1,940 MB/s", "not steady"),
                ("Latency at 1", "0.115 ms", "Database, mean"),
            ),
            remark=("Measured on ", Strong("a file"), ", not on the raw device."),
        ),
        blocks=blocks,
        footer="Storage performance · run 01HY3K",
        date="2024-05-17",
        keywords=("storage", "performance"),
    )
