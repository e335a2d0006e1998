"""Scaling with the number of drives, and how busy each part is over the load."""

from __future__ import annotations

import pytest

from command_line import simulated_result
from factories import make_run
from iodyno import bench
from iodyno.analysis.configurations import areas_of
from iodyno.analysis.drives import DriveScaling, drive_scalings
from iodyno.analysis.estimate import Estimate
from iodyno.analysis.interfaces import Chain
from iodyno.analysis.kin import INDEPENDENT, family, leads_to
from iodyno.analysis.run import analyse
from iodyno.report import paper
from iodyno.report.charts import FULL_WIDTH, HALF_WIDTH, PRINT, draw_figure
from iodyno.report.context import Context
from iodyno.report.curve_names import places_among
from iodyno.report.document import BarChart, Figure, LineChart, Link, Paragraph, Table
from iodyno.report.messages import Messages, plain
from iodyno.report.sections.part_charts import above_limits
from iodyno.report.sections.scaling import in_proportion_text
from iodyno.report.sentences.answer import _means
from iodyno.report.sentences.enough import of_drives, scaled_names
from iodyno.store.records import StoredRun
from iodyno.study import parse_study, plan_simulation
from iodyno.study.systems import resolve
from iodyno.system.virtual import describe
from iodyno.virtual import VirtualSystem
from virtual_systems import virtual_system

STUDY = """
schema = 1
name = "quick"
title = "Quick look"
[[configuration]]
name = "{n}-drives"
title = "{n} drives"
system = "made-up"
each = { n = [1, 2, 4] }
[[sweep]]
name = "field"
profiles = ["database", "streaming"]
outstanding = [1, 8, 16]
"""


@pytest.fixture(scope="module")
def stored() -> StoredRun:
    """Give a simulated run of systems that differ in their number of drives alone."""
    systems = {f"{count}-drives": virtual_system(drives=count) for count in (1, 2, 4)}
    plan = plan_simulation(parse_study(STUDY), systems)
    run = make_run(plan, system=describe(systems), simulated=True, status="finished",
                   command=("iodyno", "simulate", "quick"))  # fmt: skip
    return StoredRun(run=run, results=tuple(simulated_result(point) for point in plan.points))


def test_systems_of_several_drives_are_one_family(stored: StoredRun) -> None:
    families = {family(system) for system in stored.run.plan.systems.values()}
    assert len(families) == 1
    (kin,) = families
    assert kin is not None


def test_hosts_and_costs_of_an_io_that_differ_are_other_families() -> None:
    system = virtual_system(drives=2)
    cores = system.host.model_copy(update={"cores": system.host.cores + 1})
    cost = system.volumes[0].cpu.model_copy(update={"read_ps": system.volumes[0].cpu.read_ps + 1})
    volumes = tuple(volume.model_copy(update={"cpu": cost}) for volume in system.volumes)
    others = (system.model_copy(update={"host": cores}), system.model_copy(update={"volumes": volumes}))
    assert len({family(one) for one in (system, *others)}) == 3


def test_a_scaling_compares_with_the_fewest_drives(stored: StoredRun) -> None:
    rates = {1: 100.0, 2: 190.0, 4: 400.0}
    maxima = [
        (item.curve, Estimate(rates[int(str(item.curve.first.system)[0])], 0.01))
        for item in analyse(stored).curves
    ]
    found = drive_scalings(maxima, stored.run.plan.systems)
    assert len(found) == 2  # one a profile
    for item in found:
        assert [(step.count, step.ideal) for step in item.steps] == [(1, 1.0), (2, 2.0), (4, 4.0)]
        assert [step.factor.value for step in item.steps if step.factor] == pytest.approx([1.0, 1.9, 4.0])


P3700 = """
schema = 1
name = "mirror"
title = "Mirror"
[[configuration]]
name = "single"
system = "p3700"
[[configuration]]
name = "raid{level}-of-{count}"
system = "p3700"
changes = { count = "{count}", level = "{level}" }
each.case = [{ level = "0", count = 2 }, { level = "1", count = 2 }, { level = "0", count = 4 }]
[[sweep]]
name = "field"
set = "field"
workers = 1
outstanding = [1]
"""


@pytest.fixture(scope="module")
def mirrored() -> StoredRun:
    """Give a run of one SSD and of arrays of the host, in RAID 0 and 1."""
    study = parse_study(P3700)
    systems = {one.name: resolve(one) for one in study.configurations}
    plan = plan_simulation(study, systems)
    run = make_run(plan, system=describe(systems), simulated=True, status="finished",
                   command=("iodyno", "simulate", "mirror"))  # fmt: skip
    return StoredRun(run=run, results=tuple(simulated_result(point) for point in plan.points))


def test_a_mirror_is_not_held_to_twice_the_writes_of_one_drive(mirrored: StoredRun) -> None:
    """Reads are shared and writes are made twice: with half reads 2 ÷ (0.5 + 0.5 × 2) = 4/3."""
    maxima = [(item.curve, item.maximum.at.main) for item in analyse(mirrored).curves]
    found = drive_scalings(maxima, mirrored.run.plan.systems)
    ideal = {(of.family.level, of.profile.name): of.steps[-1].ideal for of in found}
    assert {name: ideal["1", name] for name in ("streaming", "file-copy", "file-server", "restore")} == (
        pytest.approx({"streaming": 2.0, "file-copy": 4 / 3, "file-server": 2 / 1.33, "restore": 1.0})
    )
    assert {value for (level, _), value in ideal.items() if level == "0"} == {4.0}
    assert {of.family.level for of in found if not of.in_proportion} == {"1"}


def scaled(cases: str, single: str | None = "intel-p3700-800") -> list[DriveScaling]:
    """Scale arrays of Linux, of 800 GB drives, against a single drive; each profile has its own figures."""
    study = P3700.replace(
        '[{ level = "0", count = 2 }, { level = "1", count = 2 }, { level = "0", count = 4 }]', cases
    )
    if single is None:
        study = study.replace('[[configuration]]\nname = "single"\nsystem = "p3700"\n', "")
    else:
        study = study.replace(
            'system = "p3700"\n',
            f'system = "p3700"\nchanges = {{ drive = "{single}", software = "linux-nvme" }}\n',
            1,
        )
    parsed = parse_study(study.replace('count = "{count}"', 'software = "linux-nvme", count = "{count}"'))
    systems = {one.name: resolve(one) for one in parsed.configurations}
    plan = plan_simulation(parsed, systems)
    run = make_run(plan, system=describe(systems), simulated=True, status="finished",
                   command=("iodyno", "simulate", "mirror"))  # fmt: skip
    stored = StoredRun(run=run, results=tuple(simulated_result(point) for point in plan.points))
    names = sorted({point.profile.name for point in plan.points})
    maxima = []
    for item in analyse(stored).curves:
        drives = len(systems[item.curve.first.system or ""].drives)
        value = (1 + names.index(item.curve.profile.name)) * drives
        maxima.append((item.curve, Estimate(value, 0.01)))
    return list(drive_scalings(maxima, systems))


@pytest.mark.parametrize(
    ("level", "count", "read", "written"),
    [("10", 4, 4.0, 2.0), ("5", 3, 3.0, 2.0), ("5", 8, 8.0, 7.0), ("6", 4, 4.0, 2.0), ("6", 8, 8.0, 6.0)],
)
def test_an_array_is_held_to_what_its_copies_and_parity_leave(
    level: str, count: int, read: float, written: float
) -> None:
    """Of whole stripes RAID 5 writes n - 1 strips of data on n drives, RAID 6 n - 2, RAID 10 a half."""
    found = {item.profile.name: item for item in scaled(f'[{{ level = "{level}", count = {count} }}]')}
    assert (found["streaming"].steps[-1].ideal, found["restore"].steps[-1].ideal) == pytest.approx(
        (read, written)
    )
    assert all(
        step.factor and step.factor.value == step.count for item in found.values() for step in item.steps
    )
    assert found["streaming"].in_proportion
    assert not found["restore"].in_proportion


@pytest.mark.parametrize("single", [None, "intel-p3700-1600"])
def test_without_a_single_drive_of_their_kind_arrays_are_compared_with_the_least(single: str | None) -> None:
    found = scaled('[{ level = "5", count = 4 }, { level = "5", count = 8 }]', single)
    assert {tuple((step.count, step.ideal) for step in item.steps) for item in found} == {
        ((4, 1.0), (8, 2.0))
    }
    assert all(item.in_proportion for item in found)


def test_one_curve_of_several_is_counted_in_one_number(stored: StoredRun) -> None:
    """ "1 reach" was said."""
    analysis = analyse(stored)

    def those(most: float) -> list[DriveScaling]:
        rates = {1: 100.0, 2: 190.0, 4: most}
        maxima = [
            (item.curve, Estimate(rates[int(str(item.curve.first.system)[0])], 0.01))
            for item in analysis.curves
        ]
        return list(drive_scalings(maxima, stored.run.plan.systems))

    context = Context(stored, analysis, Messages("en"))
    said = in_proportion_text(context, [*those(400.0)[:1], *those(200.0)])
    assert "is reached by 1 of 3 curves, each a profile on one kind of array." in said


@pytest.mark.parametrize(("share", "told"), [(0.995, True), (1.0, False), (1.01, False), (0.9, False)])
def test_a_read_above_its_limit_by_less_than_its_interval_is_explained(
    stored: StoredRun, share: float, told: bool
) -> None:
    """1,480 beside a limit of 1,479, and the text: "cannot be faster"."""
    analysis = analyse(stored)
    context = Context(stored, analysis, Messages("en"))
    top = max(
        (
            item.maximum.at.throughput_mb_s
            for item in analysis.curves
            if item.curve.first.system == "1-drives" and item.curve.profile.name == "streaming"
        ),
        key=lambda figure: figure.value,
    )
    assert top.half_width is not None
    assert 0.005 < top.half_width < 0.1
    limit = share * top.value * 2**20
    assert bool(above_limits(context, {"1-drives": Chain(limit, None, None, limit)})) is told


def test_the_paper_counts_curves_and_says_that_a_chart_leaves_some_out(mirrored: StoredRun) -> None:
    blocks = paper.build(mirrored).blocks
    said = " ".join(plain(block.text) for block in blocks if isinstance(block, Paragraph))
    assert " of 10 curves, each a profile on one kind of array." in said
    (figure,) = (one for one in blocks if isinstance(one, Figure) and one.key == "figure-scaling-drives-0")
    (chart,) = figure.charts
    assert isinstance(chart, LineChart)
    assert len(chart.lines) == 1 + 5
    assert not any("RAID" in line.name for line in chart.lines)  # what all have in common is in the title
    assert "RAID 0" in chart.title
    assert "; at most 5 curves a chart, of those with most drives: the table has all" in figure.caption
    (table,) = (one for one in blocks if isinstance(one, Table) and one.key == "table-scaling-drives")
    assert "RAID 1" in str(table.notes[-1])


def test_other_settings_are_another_family() -> None:
    one, other = virtual_system(drives=1), virtual_system(drives=2)
    cost = other.volumes[0].cpu.model_copy(update={"read_ps": 1 + other.volumes[0].cpu.read_ps})
    changed = other.model_copy(
        update={"volumes": tuple(volume.model_copy(update={"cpu": cost}) for volume in other.volumes)}
    )
    assert family(one) == family(other)
    assert family(one) != family(changed)
    assert INDEPENDENT


def test_the_paper_draws_scaling_utilisation_and_limits(stored: StoredRun) -> None:
    figures = {block.key: block for block in paper.build(stored).blocks if isinstance(block, Figure)}
    (ideal, *_) = figures["figure-scaling-drives-0"].charts[0].lines  # type: ignore[union-attr]
    assert [(point.x, point.y) for point in ideal.points] == [(1, 1.0), (4, 4.0)]
    busy = [figure.charts[0] for key, figure in figures.items() if key.startswith("figure-utilisation")]
    assert len(busy) == 6
    for chart in busy:
        assert isinstance(chart, LineChart)
        assert all(0 <= point.y <= 1 for line in chart.lines for point in line.points)
    bars = figures["figure-interfaces"].charts[0]
    assert isinstance(bars, BarChart)
    assert [name for name, _ in bars.rows] == ["1 drives", "2 drives", "4 drives"]


UNLIKE = """
schema = 1
name = "unlike"
title = "Unlike"
{configurations}
[[sweep]]
name = "one"
profiles = ["database"]
outstanding = [1, 8]
"""
PM9A3 = 'drive = "samsung-pm9a3-3840"'


def run_on(*systems: str) -> StoredRun:
    """Give a simulated run on systems of the catalogue."""
    tables = "".join(
        f'[[configuration]]\nname = "n{at}"\ntitle = "System {at}"\n{text}\n'
        for at, text in enumerate(systems)
    )
    study = parse_study(UNLIKE.format(configurations=tables))
    resolved = {one.name: resolve(one) for one in study.configurations}
    plan = plan_simulation(study, resolved)
    run = make_run(plan, system=describe(resolved), simulated=True, status="finished",
                   command=("iodyno", "simulate", "unlike"))  # fmt: skip
    return StoredRun(run=run, results=tuple(simulated_result(point) for point in plan.points))


def compared(*systems: str) -> list[tuple[str, list[int]]]:
    """Give what is compared of systems of the catalogue: what hangs where, and the numbers of drives."""
    stored = run_on(*systems)
    plan = stored.run.plan
    maxima = [(item.curve, item.maximum.at.main) for item in analyse(stored).curves]
    found = drive_scalings(maxima, plan.systems, areas_of(plan))
    return [(item.family.like or item.family.behind, [step.count for step in item.steps]) for item in found]


def on(system: str, changes: str, more: str = "") -> str:
    return f'system = "{system}"\nchanges = {{ {changes} }}\n{more}'


def test_a_single_drive_of_another_host_is_no_first_step() -> None:
    """PCIe 3.0 under an older processor on one side, PCIe 4.0 under a newer one on the other."""
    mirror = on("nvme-today", f'{PM9A3}, count = 2, level = "1"')
    assert compared(on("p3700", PM9A3), mirror) == []
    assert compared(on("nvme-today", f"{PM9A3}, count = 1"), mirror) == [("", [1, 2])]


def test_drives_on_a_cable_are_not_compared_with_drives_behind_a_switch() -> None:
    behind = [on("nvme-today", f'count = {count}, switch = "nvme-810-4p"') for count in (2, 4)]
    assert compared(on("nvme-today", "count = 1"), behind[1]) == []
    ((name, counts),) = compared(on("nvme-today", "count = 1"), *behind)
    assert ("810-4P" in name, counts) == (True, [2, 4])


def test_a_single_drive_behind_a_switch_is_the_first_step_of_those_that_share_it() -> None:
    behind = [on("nvme-today", f'count = {count}, switch = "nvme-810-4p"') for count in (1, 4)]
    ((_, counts),) = compared(*behind)
    assert counts == [1, 4]


def test_areas_of_their_own_are_not_compared() -> None:
    few, many = on("nvme-today", "count = 1"), on("nvme-today", "count = 2")
    assert compared(few + 'area = "8G"', many + 'area = "8G"') == [("", [1, 2])]
    assert compared(few + 'area = "8G"', many) == []


def test_volumes_that_nobody_loads_are_not_counted() -> None:
    """Two drives of which one is loaded are no step from one to two."""
    few, many = on("nvme-today", "count = 1"), on("nvme-today", "count = 2")
    (first, *_) = [one.name for one in resolve(parse_study(
        UNLIKE.format(configurations=f'[[configuration]]\nname = "a"\n{many}')
    ).configurations[0]).volumes]  # fmt: skip
    assert compared(few, many + f'volumes = ["{first}"]') == []


def test_families_that_are_named_the_same_have_the_title_of_a_system() -> None:
    old = [on("p3700", f"{PM9A3}, count = {count}") for count in (1, 2)]
    new = [on("nvme-today", f"{PM9A3}, count = {count}") for count in (1, 2)]
    assert compared(*old, *new) == [("System 0", [1, 2]), ("System 2", [1, 2])]


@pytest.mark.parametrize(("rate", "alike"), [(8_000_000_000, True), (1_999_999_999, False)])
def test_drives_on_ports_of_their_own_go_with_those_behind_a_link_of_all_ports(
    rate: int, alike: bool
) -> None:
    """Two drives at 1 GB/s each have all that a link of 8 GB/s would leave them, and not of one below 2."""
    one, other = (family(ported(count, wide)) for count, wide in ((2, 0), (8, rate)))
    assert one is not None
    assert other is not None
    assert leads_to(one, 2, other) == alike
    assert not leads_to(other, 8, one)


def ported(count: int, wide: int) -> VirtualSystem:
    """Make a controller with RAID 0, whose drives have ports of their own or share a link of all of them."""
    link = {"name": "port", "bytes_s": 10**9, "full_duplex": True, "command_ps": 0, "side": "disk"}
    ports = [link] * count + ([{**link, "name": "wide", "bytes_s": wide}] if wide else [])
    array = {
        "level": "0", "drives": list(range(count)), "groups": 1, "strip_bytes": 65536,
        "mirror_read": {"policy": "primary"}, "failed": [], "rebuild_bytes_s": 0,
    }  # fmt: skip
    logical = {
        "name": "volume", "array": array, "size_bytes": 10**11 * count, "read_ahead": False,
        "write_back": False, "cached_reads": False, "fast_path": False,
    }  # fmt: skip
    controller = {
        "name": "controller", "path": [{"link": len(ports)}], "cores": 1, "host_io_ps": 1, "fast_io_ps": 1,
        "disk_io_ps": 1, "parity_write_ps": 1, "parity_per_kib_ps": 1, "delay_ps": 0,
        "read_bytes_s": 10**10, "write_bytes_s": 10**10, "parity_bytes_s": 10**10, "cache_bytes": 0,
        "cache_read_ps": 0, "cache_write_ps": 0, "drive_queue": 64, "logicals": [logical],
    }  # fmt: skip
    before = [{"link": count}] if wide else []
    single = virtual_system(drives=count)
    volume = single.volumes[0].model_dump() | {
        "name": "volume", "size_bytes": 10**11 * count,
        "on": {"kind": "logical", "controller": 0, "logical": 0},
    }  # fmt: skip
    drives = [slot.model_dump() | {"path": [*before, {"link": at}]} for at, slot in enumerate(single.drives)]
    links = [*ports, {**link, "name": "host", "side": "host"}]
    changes = {"links": links, "controllers": [controller], "drives": drives, "volumes": [volume]}
    return VirtualSystem.model_validate(single.model_dump() | changes)


@pytest.mark.parametrize(("language", "words"), [("en", ", and "), ("de", " und "), ("ja", " と")])
def test_all_figures_of_scalings_are_named_with_their_table(language: str, words: str) -> None:
    """Each figure has the charts of two kinds of arrays."""
    drives = ("intel-p3700-800", "intel-p3700-1600", "intel-p3700-2000")
    made = [on("p3700", f'drive = "{drive}", count = {count}') for drive in drives for count in (1, 2, 4)]
    stored = run_on(*made)
    blocks = paper.build(stored, language=language).blocks
    figures = [one.key for one in blocks if isinstance(one, Figure) and "scaling-drives" in one.key]
    assert len(figures) == 2
    texts = [tuple(block.text) for block in blocks if isinstance(block, Paragraph)]
    linked = {text: [part.key for part in text if isinstance(part, Link)] for text in texts}
    (text,) = [text for text, keys in linked.items() if "table-scaling-drives" in keys]
    assert linked[text] == [*figures, "table-scaling-drives"]
    assert words in text


def test_a_chart_of_scalings_that_is_left_over_is_as_wide_as_those_in_pairs() -> None:
    """It took the whole width, and was taken for one that shows more."""
    drives = ("intel-p3700-800", "intel-p3700-1600", "intel-p3700-2000")
    made = [on("p3700", f'drive = "{drive}", count = {count}') for drive in drives for count in (1, 2, 4)]

    def widths(stored: StoredRun) -> list[list[float]]:
        figures = [one for one in paper.build(stored).blocks if isinstance(one, Figure)]
        scalings = [one for one in figures if "scaling-drives" in one.key]
        return [[drawing.width for drawing in draw_figure(one, PRINT, "en")] for one in scalings]

    assert widths(run_on(*made)) == [[HALF_WIDTH, HALF_WIDTH], [HALF_WIDTH]]
    assert widths(run_on(*made[:3])) == [[FULL_WIDTH]]


MODES = [
    on(
        "raid-controllers",
        f'count = {count}, level = "0", mode = "{mode}"',
    )
    for mode in ("performance", "fast-path-optimum")
    for count in (2, 4, 8)
]


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_what_grows_once_has_a_table_alone(language: str) -> None:
    """Pages of charts had a line through two points each, which the table has as a factor."""
    blocks = paper.build(run_on(*(one for place, one in enumerate(MODES) if place % 3 < 2)), language).blocks
    assert not [one for one in blocks if isinstance(one, Figure) and "scaling-drives" in one.key]
    (table,) = (one for one in blocks if isinstance(one, Table) and one.key == "table-scaling-drives")
    linked = [
        [part.key for part in block.text if isinstance(part, Link)]
        for block in blocks
        if isinstance(block, Paragraph) and not isinstance(block.text, str)
    ]
    assert [keys for keys in linked if table.key in keys] == [[table.key]]


def test_each_mode_of_an_array_has_a_chart_that_names_it() -> None:
    """Lines of one of two modes stood in a chart that named neither."""
    blocks = paper.build(run_on(*MODES)).blocks
    (figure,) = (one for one in blocks if isinstance(one, Figure) and "scaling-drives" in one.key)
    (table,) = (one for one in blocks if isinstance(one, Table) and one.key == "table-scaling-drives")
    charts = [one for one in figure.charts if isinstance(one, LineChart)]
    heads = [plain(row[0].text) for row in table.rows if len(row) == 1]
    assert [chart.title for chart in charts] == heads
    assert len(set(heads)) == 2
    rows = [plain(row[0].text) for row in table.rows if len(row) > 1]
    assert [line.name for chart in charts for line in chart.lines[1:]] == rows


def test_charts_of_scalings_beside_each_other_have_one_scale() -> None:
    """One went to 2.5 and the other to 2.0."""
    blocks = paper.build(run_on(*MODES)).blocks
    (figure,) = (one for one in blocks if isinstance(one, Figure) and "scaling-drives" in one.key)
    charts = [one for one in figure.charts if isinstance(one, LineChart)]
    needed = [
        max([0.0, *(value for line in chart.lines for point in line.points
                    for value in (point.y, point.high or 0.0))])
        for chart in charts
    ]  # fmt: skip
    for chart in charts:
        assert min(chart.y.reach) == 0
        assert max(chart.y.reach) == pytest.approx(max(needed))


BESIDE = """
schema = 1
name = "beside"
title = "Beside"
[simulation]
warmup_ios = 100
floor_ios = 100
cap_ios = 200
[[configuration]]
name = "{n}-drives"
system = "p3700"
changes = { count = "{n}", level = "0" }
each.n = [2, 4, 8]
[[sweep]]
name = "alone"
profiles = ["database", "streaming"]
outstanding = [8]
configurations = ["2-*", "4-*"]
[[sweep]]
name = "beside"
profiles = ["database"]
outstanding = [8]
configurations = ["4-*", "8-*"]
[[sweep.beside]]
profile = "restore"
"""


def test_what_runs_alone_is_not_compared_with_what_runs_beside_another_load() -> None:
    """One was the first step of the other, and the table called both by the profile alone."""
    study = parse_study(BESIDE)
    systems = {one.name: resolve(one) for one in study.configurations}
    plan = plan_simulation(study, systems)
    run = make_run(plan, system=describe(systems), simulated=True, status="finished",
                   command=("iodyno", "simulate", "beside"))  # fmt: skip
    kept = StoredRun(run=run, results=tuple(bench.simulate(plan, jobs=1)))
    maxima = [(item.curve, item.maximum.at.main) for item in analyse(kept).curves]
    found = drive_scalings(maxima, systems)
    told = zip(scaled_names(Messages("en"), found), found, strict=True)
    assert {name: [step.count for step in item.steps] for name, item in told} == {
        "Database": [2, 4],
        "Streaming": [2, 4],
        "Database beside Restore": [4, 8],
    }


SHARED_OUT = """
schema = 1
name = "shared-out"
title = "Shared out"
[simulation]
warmup_ios = 100
floor_ios = 100
cap_ios = 200
[[configuration]]
name = "{n}-drives"
system = "p3700"
changes = { count = "{n}" }
each.n = [1, 2, 4]
[[sweep]]
name = "single"
profiles = ["database"]
outstanding = [8]
configurations = ["1-*"]
[[sweep]]
name = "own"
profiles = ["database"]
targets_per_worker = 1
outstanding = [8]
configurations = ["2-*", "4-*"]
[[sweep]]
name = "all"
profiles = ["database"]
outstanding = [8]
configurations = ["2-*", "4-*"]
"""


@pytest.fixture(scope="module")
def shared_out() -> StoredRun:
    """Give a run whose drives have a worker of their own in one sweep, and one for all of them in another."""
    study = parse_study(SHARED_OUT)
    systems = {one.name: resolve(one) for one in study.configurations}
    plan = plan_simulation(study, systems)
    run = make_run(plan, system=describe(systems), simulated=True, status="finished",
                   command=("iodyno", "simulate", "shared-out"))  # fmt: skip
    return StoredRun(run=run, results=tuple(simulated_result(point) for point in plan.points))


def test_a_worker_for_each_drive_is_not_compared_with_one_for_all_of_them(shared_out: StoredRun) -> None:
    """Both begin at the single drive, of which there is nothing to share out; the first stood for both."""
    rates = {"single": (100.0, 0.0), "own": (200.0, 400.0), "all": (150.0, 160.0)}
    maxima = [
        (item.curve, Estimate(rates[item.curve.sweep][item.curve.first.system == "4-drives"], 0.01))
        for item in analyse(shared_out).curves
    ]
    found = drive_scalings(maxima, shared_out.run.plan.systems)
    factors = {
        item.targets_per_worker: [step.factor.value for step in item.steps if step.factor] for item in found
    }
    assert factors == {None: pytest.approx([1, 1.5, 1.6]), 1: pytest.approx([1, 2, 4])}


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "1 target for each worker"), ("de", "1 Ziel je Worker"), ("ja", "ワーカーごとにターゲット 1 個")],
)
def test_rows_and_advice_say_how_many_targets_a_worker_has(
    shared_out: StoredRun, language: str, words: str
) -> None:
    messages, blocks = Messages(language), paper.build(shared_out, language).blocks
    (table,) = (one for one in blocks if isinstance(one, Table) and one.key == "table-scaling-drives")
    heads = [plain(row[0].text) for row in table.rows if len(row) == 1]
    assert [words in head for head in heads] == [False, True]
    assert len([row for row in table.rows if len(row) > 1]) == 2
    maxima = [
        (item.curve, Estimate(rate, 0.001))
        for item, rate in zip(analyse(shared_out).curves, (100.0, 200.0, 400.0, 100.0, 100.0), strict=True)
    ]
    advice = of_drives(messages, drive_scalings(maxima, shared_out.run.plan.systems))
    assert [words in text for text in advice] == [False, True]


def test_workers_that_names_have_are_all_that_a_curve_has(shared_out: StoredRun) -> None:
    """A worker for each of four drives was 1 worker, as many as one for all four of them."""
    items = [item for item in analyse(shared_out).curves if item.curve.first.system == "4-drives"]
    assert [item.curve.sweep for item in items] == ["own", "all"]
    names = places_among(Messages("en"), [item.curve for item in items], several=True)
    assert [name.rpartition(", ")[2] for name in names] == ["4 workers", "1 worker"]
    assert [_means(item, {"4-drives": 4}) for item in items] == [(4, 4), (4, 1)]
