"""The cover: loads in all, the least latency that was simulated or measured, and the answer of a search."""

from __future__ import annotations

import re
from collections.abc import Sequence

from command_line import CommandLine, simulated_result
from factories import make_plan, make_point, make_result, make_run, make_stored_run, make_target
from iodyno.plan import Point
from iodyno.report import paper
from iodyno.report.document import Bullets, Document, Heading, Paragraph
from iodyno.report.messages import plain
from iodyno.store import Store
from iodyno.store.records import StoredRun
from iodyno.study import parse_study, plan_simulation
from iodyno.system.virtual import describe
from virtual_systems import virtual_system

ON_TWO = (make_target("/data/a"), make_target("/data/b"))


def of_points(points: Sequence[Point], rates: Sequence[float]) -> Document:
    stored = make_stored_run(profiles=("database",), intensities=(1,), varied=False)
    plan = make_plan().model_copy(update={"points": tuple(points)})
    results = tuple(
        make_result(point, rate_io_s=rate, half_width=0.01) for point, rate in zip(points, rates, strict=True)
    )
    return paper.build(StoredRun(run=stored.run.model_copy(update={"plan": plan}), results=results))


def under(document: Document, key: str) -> str:
    keys = [getattr(block, "key", "") for block in document.blocks]
    after = document.blocks[keys.index(key) + 1 :]
    end = next(place for place, block in enumerate(after) if isinstance(block, Heading))
    texts = [plain(block.text) for block in after[:end] if isinstance(block, Paragraph)]
    return "\n".join(texts + [plain(text) for b in after[:end] if isinstance(b, Bullets) for text in b.items])


def test_loads_are_those_of_all_targets_and_workers() -> None:
    """Four workers with 32 for each of two targets have 256 outstanding, and the smallest load is 8."""
    document = of_points(
        [
            make_point("database", load, index=index, workers=4, targets=ON_TWO)
            for index, load in enumerate((1, 8, 32))
        ],
        (8_000, 30_000, 30_900),
    )
    (_, _, most), (_, _, quickest) = document.title_page.summary
    assert most.startswith("maximum, at 256 outstanding I/Os (32 × 8); ")
    assert quickest.startswith("mean, at 8 outstanding I/Os (1 × 8); ")
    said = under(document, "conclusion")
    assert "at 256 outstanding I/Os (32 × 8)." in said
    assert "at 8 outstanding I/Os (1 × 8)." in said
    advice = under(document, "practice")
    assert "keep 8 outstanding I/Os for each target and worker: that is within 5%" in advice


def test_one_worker_on_one_target_has_the_load_that_it_had() -> None:
    document = of_points([make_point("database", load, index=load) for load in (1, 8)], (1_000, 8_000))
    assert [remark.split("; ")[0] for _, _, remark in document.title_page.summary] == [
        "maximum, at 8 outstanding I/Os",
        "mean, at 1 outstanding I/O",
    ]


def of_systems(slower: dict[str, float]) -> Document:
    """Make a paper of systems that are slower by a factor than the first, all in one profile."""
    names = list(slower)
    tables = "".join(f'[[configuration]]\nname = "{name}"\nsystem = "made-up"\n' for name in names)
    head = 'schema = 1\nname = "cover"\ntitle = "Cover"\n'
    sweeps = '[[sweep]]\nname = "one"\nprofiles = ["random-read-4k"]\nworkers = 1\noutstanding = [32, 128]\n'
    sweeps += '[[sweep]]\nname = "two"\nprofiles = ["random-read-4k"]\nworkers = 1\noutstanding = [1, 32]\n'
    systems = {name: virtual_system() for name in names}
    plan = plan_simulation(parse_study(head + tables + sweeps), systems)
    run = make_run(plan, system=describe(systems), simulated=True, status="finished")
    results = tuple(simulated_result(point, slower[point.system or ""]) for point in plan.points)
    return paper.build(StoredRun(run=run, results=results))


def test_the_latency_is_the_least_of_all_and_that_of_the_conclusion() -> None:
    """Of two sweeps only the second has one outstanding I/O, and the last of seven systems is quickest."""
    names = [f"s{number}" for number in range(6)]
    document = of_systems({**dict.fromkeys(names, 2.0), "quick": 1.0})
    name, figure, remark = document.title_page.summary[-1]
    assert name == "Random read 4 kB, quick: latency"
    assert remark.startswith("mean, at 1 outstanding I/O; ")
    assert f"The least mean latency at the lowest load is {figure}" in under(document, "conclusion")


def test_profiles_that_are_level_in_latency_on_one_disk_are_named_without_a_place() -> None:
    """The name of the figure ended in "level:", with nothing behind it."""
    points = [
        make_point(profile, load, index=place * 2 + load // 2)
        for place, profile in enumerate(("file-copy", "file-server"))
        for load in (1, 2)
    ]
    name, figure, _ = of_points(points, (1_000, 2_000, 1_000, 2_000)).title_page.summary[-1]
    assert (name, figure) == ("File copy, File server: latency", "1.00 ms")


def test_a_search_shows_both_ends_and_no_rate_that_is_not_served(iodyno_says: CommandLine) -> None:
    short = ("--area", "8G", "--resolution", "10%")
    said = iodyno_says("search", "--on", "p3700", "--profile", "database", "--p99.9", "5ms", *short)
    found = re.search(r"broken at ([0-9,]+) IO/s", said.out)
    assert found
    with Store.open() as store:
        page = paper.build(store.load("latest")).title_page
    names = [name for name, _, _ in page.summary]
    assert names[0] == "Database (area 8 GB), open loop"
    assert set(names[1:]) == {
        "Database (area 8 GB), closed loop",
        "Database (area 8 GB), closed loop: latency",
    }
    assert f"; {found[1]} IO/s breaks it" in page.summary[0][2].replace("(", "").replace(")", "")
    assert not any("offered rate" in remark for _, _, remark in page.summary)
