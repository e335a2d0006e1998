"""The paper of a simulated run: everything in it says so, and nothing in it speaks of a device."""

from __future__ import annotations

import csv
import io
import re
import shlex
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from factories import make_stored_run
from iodyno.analysis import lengths
from iodyno.analysis.run import analyse
from iodyno.plan import Plan
from iodyno.profiles import LoadProfile
from iodyno.report import html, paper, pdf
from iodyno.report.charts import PRINT, SIMULATED_LIGHT, draw_figure
from iodyno.report.document import BarChart, CodeBlock, Facts, Figure, Table
from iodyno.report.sections import simulated
from iodyno.store.records import StoredRun
from iodyno.study.configuration import Configuration
from iodyno.study.systems import resolve
from iodyno.system.virtual import describe
from iodyno.virtual import VirtualSystem
from paper_texts import Pseudo, outside_the_catalogue, texts
from simulated_papers import STUDY, made, many, said


@pytest.fixture(scope="module")
def stored() -> StoredRun:
    """Give a simulated run of two systems."""
    return made(STUDY)


def test_title_introduction_and_foot_say_that_it_is_simulated(stored: StoredRun) -> None:
    document = paper.build(stored)
    assert document.title_page.kind == "White Paper: simulated"
    assert document.title_page.subtitle == "Simulated, not measured: 1 drives and 2 drives"
    assert "simulated run" in document.footer
    assert "the figures are those of a model" in said(stored)


def test_nothing_speaks_of_devices_files_or_seconds_of_warm_up(stored: StoredRun) -> None:
    text = said(stored)
    for never in ("was measured on", "file of", "direct I/O", "s of warm-up", "SMART", "kernel", "100 ms"):
        assert never not in text, never
    assert "Messwert" not in said(stored, "de")
    assert "測定結果から" not in said(stored, "ja")


@pytest.mark.parametrize(
    ("systems", "profiles", "expected"),
    [
        (1, '"database"', "The load profile is Database. The system is "),
        (2, '"database", "streaming"', "The load profiles are Database and Streaming. The systems are "),
    ],
)
def test_one_profile_and_one_system_are_not_several(systems: int, profiles: str, expected: str) -> None:
    assert expected in said(many(systems, profiles))


@pytest.mark.parametrize(
    ("language", "one", "two"),
    [
        ("de", "Das Lastprofil ist Datenbank. Das System ist ", "Die Lastprofile sind "),
        ("ja", "負荷プロファイルはデータベースです。", "負荷プロファイルは"),
    ],
)
def test_so_it_is_in_other_languages(language: str, one: str, two: str) -> None:
    for profiles, expected in (('"database"', one), ('"database", "streaming"', two)):
        document = paper.build(many(1, profiles), language=language)
        assert expected in "\n".join(texts(document.blocks))


def test_terms_of_a_model_are_explained_where_they_are_used(stored: StoredRun) -> None:
    def terms(of: StoredRun) -> set[str]:
        return {
            term for block in paper.build(of).blocks if isinstance(block, Facts) for term, _ in block.items
        }

    assert {"Station", "Limit, bottleneck"} <= terms(stored)
    assert not {"Station", "Limit, bottleneck"} & terms(make_stored_run())


def in_place(system: VirtualSystem, plan: Plan) -> VirtualSystem:
    """Let the first volume of a system have the names of those that a plan loads, too."""
    names = {target.path for point in plan.points for target in point.targets}
    more = (system.volumes[0].model_copy(update={"name": name}) for name in sorted(names))
    return system.model_copy(update={"volumes": (*system.volumes, *more)})


def test_how_many_ios_a_point_counts_is_said_as_it_is(stored: StoredRun) -> None:
    text = said(stored)
    assert "then about 20,000 at the least" in text
    assert "or after about 200,000 counted I/Os" in text
    assert "What is counted are whole windows of virtual time." in text
    assert "Beside a rebuild" not in text
    assert "With many I/Os outstanding" not in text
    plan = stored.run.plan
    deep = plan.points[0].model_copy(update={"outstanding": 834})  # times 24 are 20,016
    wanted = {"level": "5", "failed": [0], "rebuild_mb_s": 10}
    rebuilding = resolve(Configuration(name="rebuilding", system="raid-controllers", changes=wanted))
    changes = {
        "points": (deep, *plan.points[1:]),
        "systems": {**plan.systems, "1-drives": in_place(rebuilding, plan)},
    }
    run = stored.run.model_copy(update={"plan": plan.model_copy(update=changes)})
    text = said(stored.model_copy(update={"run": run}))
    assert "With many I/Os outstanding a point is longer: 24 rounds" in text
    assert "it lasts for 100 steps of the rebuild, or 8 s of virtual time" in text


def test_lengths_of_simulated_points_are_those_of_the_simulator() -> None:
    crates = Path(__file__).parents[3] / "crates" / "sim" / "src"
    meter, least = ((crates / name).read_text("utf-8") for name in ("meter.rs", "least.rs"))

    def constant(source: str, name: str) -> int:
        (digits,) = re.findall(rf"const {name}: \w+ = (?:Ps\()?([0-9_]+)", source)
        return int(digits.replace("_", ""))

    assert constant(meter, "WARMUP_ROUNDS") == constant(meter, "FLOOR_ROUNDS") == lengths.ROUNDS
    assert constant(meter, "CAP_ROUNDS") == lengths.MOST_ROUNDS
    assert constant(meter, "OPEN_ROUNDS") == lengths.OPEN_ROUNDS
    assert constant(least, "STEPS") == simulated.REBUILD_STEPS
    assert constant(least, "LONGEST") == simulated.REBUILD_S * 10**12
    spindles = (crates / "spindles.rs").read_text("utf-8")
    assert constant(least, "BEATS") == lengths.BEATS
    assert constant(least, "BEATS_OF_ONE") == lengths.BEATS_OF_ONE
    assert f"const TOLERANCE: f64 = {lengths.TOLERANCE};" in spindles
    assert constant(least, "TIMES_PASSED_OVER") == simulated.TIMES_PASSED_OVER
    assert constant(least, "MOST_WARMUP") == lengths.MOST_WARMUP
    cache = (crates / "controller" / "cache.rs").read_text("utf-8")
    assert constant(cache, "STREAM_BYTES") << 20 == 2 * lengths.STREAM_BYTES
    assert "STREAM_BYTES: u64 = 64 << 20;" in cache
    assert "controller::STREAM_BYTES as f64 / 2.0 / bytes" in least


def of_one_load(
    stored: StoredRun,
    profile: dict[str, object],
    usual_ios: int = 20_000,
    workers: int = 1,
    workers_area: str = "shared",
    outstanding: int = 8,
    *,
    alone: bool = False,
    **changes: Any,
) -> str:
    """Give what a paper says whose first point has this load on a system with these changes."""
    wanted = {"drive": "seagate-st91000640ns", "mode": "performance", **changes}
    system = resolve(Configuration(name="disks", system="raid-controllers", changes=wanted))
    plan = stored.run.plan
    targets = (plan.points[0].targets[0].model_copy(update={"path": system.volumes[0].name}),)
    load = {"profile": LoadProfile.model_validate({"name": "load"} | profile), "targets": targets}
    usual = plan.points[0].stopping.model_copy(update={"warmup_ios": usual_ios})
    loaded = {**load, "stopping": usual, "workers": workers, "workers_area": workers_area}
    loaded["outstanding"] = outstanding
    point = plan.points[0].model_copy(update=loaded)
    assert point.system is not None
    systems = {**plan.systems, point.system: in_place(system, plan)}
    points = (point,) if alone else (point, *plan.points[1:])
    changed = plan.model_copy(update={"points": points, "systems": systems})
    run = stored.run.model_copy(update={"plan": changed})
    return said(stored.model_copy(update={"run": run}))


def test_streams_that_fill_a_cache_begin_later(stored: StoredRun) -> None:
    begin = "as many I/Os are not counted as write 32 MB there, 200,000 at the most"
    assert begin not in said(stored)
    mixed = {"random_share": 0.0, "read_share": 0.7, "blocks": "4k"}

    # Of 4 kB, 30 % of them written, 32 MB are 27,307 I/Os.
    def text(profile: dict[str, object], usual_ios: int = 27_306, **changes: Any) -> str:
        return of_one_load(stored, mixed | profile, usual_ios, **changes)

    assert begin in text({})
    assert begin in text({"read_share": 0.0, "gap_bytes": 4096, "blocks": "1k"})
    assert begin not in text({"read_share": 0.0, "blocks": "1k"})
    assert begin not in text({"read_share": 1.0})
    assert begin not in text({"cursors": "own"})
    assert begin not in text({"write_random_share": 1.0})
    assert begin not in text({"random_share": 1.0})
    assert begin not in text({"blocks": "5k"})
    assert begin in text({"blocks": "512"}, usual_ios=199_999)
    assert begin not in text({"blocks": "512"}, usual_ios=200_000)
    assert begin not in text({}, drive="toshiba-px02smf040")
    assert begin not in text({}, write="write-through")
    assert begin not in text({}, controller="praid-cp400i", backup_unit=False)


def test_streams_on_arrays_of_disks_last_until_these_have_turned_apart(stored: StoredRun) -> None:
    longer = "one of two disks whose revolutions differ by 0.2% has overtaken the other 8 times"
    assert longer not in said(stored)

    def text(profile: dict[str, object] = {}, **changes: Any) -> str:  # noqa: B006
        writes = {"random_share": 0.0, "read_share": 0.0, "blocks": "64k"}
        uncached: dict[str, Any] = {
            "controller": "praid-cp400i",
            "backup_unit": False,
            "drive_cache": "off",
            "level": "0",
        }
        return of_one_load(stored, writes | profile, **(uncached | changes))

    assert longer in text()
    assert longer in text({"read_share": 0.9})
    assert longer in text(level="10", count=4)
    assert longer not in text({"read_share": 1.0})
    assert longer not in text({"random_share": 1.0})
    assert longer not in text(drive_cache="on")
    assert longer not in text(drive="toshiba-px02smf040")
    assert longer not in text(level="0", count=1)
    assert longer not in text(level="1", count=2, failed=[0])
    assert longer not in text(controller="praid-ep400i", backup_unit=True)
    cached: dict[str, Any] = {"controller": "praid-ep400i", "backup_unit": True}
    assert longer in text(write="write-through", **cached)
    reads: dict[str, object] = {"read_share": 1.0}
    assert longer in text(reads, workers=2, **cached)
    assert longer in text(reads, workers=2, drive_cache="on")
    assert longer not in text(reads, workers=2, workers_area="stream")
    assert longer not in text({"read_share": 1.0, "random_share": 1.0}, workers=2)
    assert longer not in text(workers=2, **cached)
    assert longer not in text(reads, workers=2, drive="toshiba-px02smf040")
    assert longer not in text(reads, workers=2, count=1)


def test_one_stream_from_disks_with_copies_lasts_until_these_have_turned_apart(stored: StoredRun) -> None:
    turns = "has overtaken the other 2 times: how the disks follow on each other hangs on the angles"
    assert turns not in said(stored)
    reads: dict[str, object] = {"random_share": 0.0, "read_share": 1.0, "blocks": "64k"}

    def text(**changes: Any) -> str:
        return of_one_load(stored, reads, alone=True, **changes)

    assert turns in text(level="10", count=4)
    assert turns in text(level="6", count=4, outstanding=2)
    assert turns not in text(level="6", count=4, outstanding=1)
    assert turns not in text(level="0", count=4)
    assert turns not in text(level="10", count=4, workers=2)
    assert turns not in text(level="10", count=4, drive="toshiba-px02smf040")
    assert "the most I/Os that may be counted, or after twice that time" in text(level="1", count=2)


def test_commands_simulate_the_same_system_again(stored: StoredRun) -> None:
    codes = [block.text for block in paper.build(stored).blocks if isinstance(block, CodeBlock)]
    assert codes
    for code in codes:
        words = shlex.split(code)
        assert words[:3] == ["iodyno", "simulate", "quick"]
        assert words[words.index("--only") + 1] in stored.run.plan.systems


def test_every_text_goes_through_the_catalogue(stored: StoredRun) -> None:
    found = outside_the_catalogue(paper.build_with(stored, Pseudo()))
    names = ("drive", "made-up", "core", "link", "simulat", "database", "streaming")  # of parts and commands
    assert [text for text in found if not any(name in text for name in names)] == []


def test_it_is_rendered(stored: StoredRun) -> None:
    document = paper.build(stored)
    assert "Simulated, not measured" in html.render(document)
    assert pdf.render(document).startswith(b"%PDF")


def test_curves_of_different_systems_are_apart(stored: StoredRun) -> None:
    found = analyse(stored)
    assert len(found.curves) == 4
    assert all("system" in item.curve.varied for item in found.curves)
    # Two curves of one drive saturate at 8 and 16, two of two drives at 4 too: 8 in all.
    assert found.limited_by("device") == 2 * 2 + 2 * 3


PAGE_BODY_MM, PAGE_WIDTH_MM = 297 - 22 - 25, 170.0
"""What the margins of the PDF leave of A4."""
CAPTION_MM = 12.0
"""Two lines of a caption and the gap to the figure."""


@pytest.mark.parametrize(
    ("configurations", "profiles"), [(60, '"database"'), (12, '"database", "file-server"')]
)
def test_each_chart_of_the_maxima_fits_a_page_and_tells_its_rows_apart(
    configurations: int, profiles: str
) -> None:
    blocks = paper.build(many(configurations, profiles)).blocks
    found = [block for block in blocks if isinstance(block, Figure) and block.key.startswith("figure-matrix")]
    rows = [name for block in found for chart in block.charts if isinstance(chart, BarChart)
            for name, _ in chart.rows]  # fmt: skip
    assert len(rows) == configurations  # with a bar for each profile
    assert len({block.caption for block in found}) == len(found)
    for block in found:
        for drawing in draw_figure(block, PRINT, "en"):
            width = PAGE_WIDTH_MM if len(block.charts) == 1 else (PAGE_WIDTH_MM - 4) / 2
            assert drawing.height * width / drawing.width + CAPTION_MM <= PAGE_BODY_MM
            svg = ElementTree.fromstring(drawing.svg)
            shown = [text.text or "" for text in svg.iter() if text.get("text-anchor") == "end"]
            assert len({text for text in shown if "raid" in text}) == sum(
                len(chart.rows) for chart in block.charts if isinstance(chart, BarChart)
            )


def test_parts_of_one_chart_have_one_axis() -> None:
    blocks = paper.build(many(60, '"database"')).blocks
    charts = [chart for block in blocks if isinstance(block, Figure) for chart in block.charts
              if isinstance(chart, BarChart)]  # fmt: skip
    assert len(charts) == 3
    assert len({chart.x for chart in charts}) == 1
    shown = {point.y for chart in charts for _, points in chart.rows for point in points}
    assert shown <= set(charts[0].x.reach)


@pytest.mark.parametrize(
    ("configurations", "profiles", "shown"),
    [
        (6, '"database", "file-server"', "figure-load"),
        (6, '"database", "file-server", "streaming"', "figure-side"),
        (7, '"database", "file-server"', "figure-matrix"),
    ],
)
def test_the_number_of_curves_decides_how_they_are_shown(
    configurations: int, profiles: str, shown: str
) -> None:
    keys = [
        block.key
        for block in paper.build(many(configurations, profiles)).blocks
        if isinstance(block, Figure) and block.key.startswith(("figure-load", "figure-side", "figure-matrix"))
    ]
    assert {key.rsplit("-field")[0] for key in keys} == {shown}


def test_a_paper_of_many_curves_carries_every_point_in_a_file() -> None:
    stored = many(7, '"database", "file-server"')
    document = paper.build(stored)
    (attached,) = document.attachments
    rows = list(csv.DictReader(io.StringIO(attached.data.decode())))
    assert [int(row["point"]) for row in rows] == [result.point.index for result in stored.results]
    assert [row["config_hash"] for row in rows] == [result.point.config_hash for result in stored.results]
    assert attached.name in said(stored)
    assert f'download="{attached.name}"' in html.render(document)
    assert attached.name.encode() in pdf.render(document)


def test_side_by_side_the_quotient_is_to_the_first_and_bold_is_the_best() -> None:
    document = paper.build(many(6, '"database", "file-server", "streaming"'))
    tables = [block for block in document.blocks if isinstance(block, Table)]
    side = [table for table in tables if table.key.startswith("table-side")]
    assert len(side) == 3
    for table in side:
        assert len(table.rows) == 6
        assert table.rows[0][8].text == "–"
        assert all(str(row[8].text).startswith("1.00 (") for row in table.rows[1:])


def test_interface_limits_have_the_binding_one_in_bold() -> None:
    document = paper.build(many(7, '"database", "file-server"'))
    (table,) = (
        block for block in document.blocks if isinstance(block, Table) and block.key == "table-interfaces"
    )
    for row in table.rows:
        values = {int(str(cell.text).replace(",", "")): cell.strong for cell in row[1:] if cell.text != "–"}
        assert [value for value, strong in values.items() if strong] == [min(values)]


def test_every_figure_of_a_simulated_run_is_marked_and_the_paper_has_its_colour(stored: StoredRun) -> None:
    document = paper.build(stored)
    figures = [block for block in document.blocks if isinstance(block, Figure)]
    assert figures
    assert all("(simulated)" in block.caption for block in figures)
    assert SIMULATED_LIGHT["accent"] in html.render(document)
    measured = paper.build(make_stored_run())
    assert not any("(simulated)" in block.caption for block in measured.blocks if isinstance(block, Figure))
    assert SIMULATED_LIGHT["accent"] not in html.render(measured)


@pytest.mark.parametrize(
    ("language", "one", "more"),
    [
        ("en", "RAID 0 of 1 drive,", "RAID 0 of 8 drives,"),
        ("de", "RAID 0 aus 1 Laufwerk,", "RAID 0 aus 8 Laufwerken,"),
    ],
)
def test_an_array_of_one_drive_has_one(language: str, one: str, more: str) -> None:
    changes = {"1-drives": {"level": "0", "count": 1}, "2-drives": {"level": "0", "count": 8}}
    systems = {
        name: resolve(Configuration(name=name, system="raid-controllers", changes=changed))
        for name, changed in changes.items()
    }
    of = made(STUDY)
    run = of.run.model_copy(update={"system": describe(systems)})
    text = "\n".join(texts(paper.build(of.model_copy(update={"run": run}), language).blocks))
    assert one in text
    assert more in text


@pytest.mark.parametrize(
    ("language", "degraded", "rebuilding"),
    [
        ("en", "1 failed (position 2), no rebuild",
         "2 failed (positions 0 and 3), rebuild of each asked at 12.5 MB/s"),
        ("de", "1 ausgefallen (Position 2), kein Rebuild",
         "2 ausgefallen (Positionen 0 und 3), Rebuild mit je 12,5 MB/s verlangt"),
        ("ja", "故障 1 台（位置 2）、再構築なし",
         "故障 2 台（位置 0、3）、それぞれ 12.5 MB/s の再構築を要求"),
    ],
)  # fmt: skip
def test_degraded_and_rebuilding_systems_are_told_apart(
    language: str, degraded: str, rebuilding: str
) -> None:
    settings: dict[str, dict[str, object]] = {
        "degraded": {"level": "6", "failed": [2]},
        "rebuilding": {"level": "6", "failed": [0, 3], "rebuild_mb_s": 12.5},
    }
    systems = {
        name: resolve(Configuration(name=name, system="raid-controllers", changes=changes))
        for name, changes in settings.items()
    }
    stored = many(2, '"database"')
    run = stored.run.model_copy(update={"system": describe(systems)})
    document = paper.build(stored.model_copy(update={"run": run}), language=language)
    text = "\n".join(texts(document.blocks))
    assert degraded in text
    assert rebuilding in text
