"""Reads and writes with block sizes and alignments of their own: what a study says, and what follows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from factories import make_plan, make_point, make_result, make_run
from iodyno import bench
from iodyno.analysis.rows import point_rows
from iodyno.errors import ProfileError
from iodyno.fio import translate
from iodyno.fio.asked import asked
from iodyno.integrity import layout_of
from iodyno.plan import Plan, PlannedTarget, Point, Stopping
from iodyno.prediction.accesses import loads
from iodyno.prediction.raid import ArrayMap
from iodyno.profiles import Block, LoadProfile
from iodyno.report import paper
from iodyno.store.records import StoredRun
from iodyno.study import parse_study, plan_study
from iodyno.targets import Target
from iodyno.verdict import laws
from iodyno.virtual import Array, VirtualSystem
from virtual_systems import GB, virtual_system

KIB = 1024
HEAD = 'schema = 1\nname = "mine"\ntitle = "Mine"\n'
OWN = 'write_blocks = [{ bytes = "64k", weight = 3 }, "32k"]\nwrite_alignment_bytes = "32k"'


def study(profile: str = OWN, sweep: str = "", read: float = 0.67, random: float = 1) -> str:
    """Write a study of one profile."""
    return (
        f'{HEAD}[[profile]]\nname = "own"\nrandom_share = {random}\nread_share = {read}\n'
        f'blocks = "4k"\n{profile}\n'
        f'[[sweep]]\nname = "one"\nprofiles = "own"\noutstanding = 4\n{sweep}\n'
    )


def plan(text: str, **about: Any) -> Plan:
    target = Target(path="/data/file", asked="/data/file", kind="file", size_bytes=1_000_000_000, **about)
    return plan_study(parse_study(text), [target])


def refused(text: str, **about: Any) -> list[str]:
    """Plan what cannot be, and give the problems with their hints."""
    with pytest.raises(ProfileError) as caught:
        plan(text, **about)
    return [f"{problem}; {problem.hint}" for problem in caught.value.problems]


def test_a_study_says_them_and_reads_them_back() -> None:
    planned = plan(study())
    profile = planned.points[0].profile
    assert [block.bytes for block in profile.blocks_of(write=False)] == [4 * KIB]
    assert [(block.bytes, block.weight) for block in profile.blocks_of(write=True)] == [
        (64 * KIB, 3),
        (32 * KIB, 1),
    ]
    assert (profile.alignment_of(write=False), profile.alignment_of(write=True)) == (4 * KIB, 32 * KIB)
    # 0.67 × 4 kB + 0.33 × (3 × 64 + 32) / 4 kB.
    assert profile.mean_block_bytes == pytest.approx((0.67 * 4 + 0.33 * 56) * KIB)
    assert (profile.largest_block_bytes, profile.grain_bytes) == (64 * KIB, 32 * KIB)
    assert Plan.model_validate_json(planned.model_dump_json()) == planned
    again = parse_study(study())
    assert type(again).model_validate(again.source()) == again


def test_points_that_say_nothing_keep_their_hash_and_seed_and_others_have_their_own() -> None:
    plain = plan(study("")).points[0]
    same = plan(study("write_blocks = []")).points[0]
    assert (same.config_hash, same.seed) == (plain.config_hash, plain.seed)
    others = [plan(study(line)).points[0] for line in OWN.splitlines()]
    assert len({point.config_hash for point in (plain, *others)}) == 3
    assert len({point.seed for point in (plain, *others)}) == 3
    # A point kept before there was a choice reads as one that makes none.
    kept = plain.model_dump(mode="json")
    del kept["profile"]["write_blocks"], kept["profile"]["write_alignment_bytes"]
    assert Point.model_validate(kept).config_hash == plain.config_hash


@pytest.mark.parametrize(("read", "trim"), [(1, 0), (0, 0), (0.5, 1)])
def test_they_are_refused_where_there_are_no_others(read: float, trim: float) -> None:
    found = refused(study(f"{OWN}\ntrim_share = {trim}", read=read))
    assert len(found) == 2
    assert "write_blocks is for a profile that writes and also reads or trims" in found[0]
    assert "put it in blocks" in found[0]
    assert "write_alignment_bytes is for a profile" in found[1]


def test_sizes_that_cannot_be_are_refused_by_their_place() -> None:
    found = refused(study('write_blocks = ["4k", { bites = "8k" }]'))
    assert any("profile[0].write_blocks[1].bites" in line for line in found)
    assert "above the limit of 64M" in refused(study('write_blocks = "65M"'))[0]
    found = refused(study('write_blocks = "1000"\nwrite_alignment_bytes = "100"'), logical_block_bytes=512)
    assert [line.split(": ", 1)[1].split(" is no")[0] for line in found] == [
        "a block of 1000",
        "an alignment of 100",
    ]


def test_orders_of_one_size_need_one_for_both() -> None:
    permuted = 'distribution = "permutation"\n'
    (found,) = refused(study(permuted + 'write_blocks = "64k"'))
    assert "goes through blocks of one size, and own has 2; keep one block size for reads and writes" in found
    assert plan(study(permuted + 'write_blocks = "4k"'))
    (found,) = refused(study('write_blocks = "64k"', 'workers = 2\nworkers_area = "stream"', random=0))
    assert 'workers_area = "stream" needs one block size, and own has 2' in found


def test_areas_begin_and_end_where_both_directions_can() -> None:
    aligned = (
        'alignment_bytes = "12k"\nwrite_alignment_bytes = "32k"\narea = { start = "10%", length = "25%" }'
    )
    (target,) = plan(study(aligned)).points[0].targets
    assert target.area_start_bytes == 100_000_000 // (96 * KIB) * (96 * KIB)
    assert target.area_length_bytes == 250_000_000 // (96 * KIB) * (96 * KIB)
    # The largest block of both has to fit.
    assert "a block of 64k is larger" in refused(study('write_blocks = "64k"\narea = "48k"'))[0]


def test_axes_of_sizes_and_shares_change_both_directions() -> None:
    sizes = [point.profile for point in plan(study(sweep='block_sizes = ["4k", "16k"]')).points]
    assert [(profile.blocks[0].bytes, profile.write_blocks) for profile in sizes] == [
        (4 * KIB, ()),
        (16 * KIB, ()),
    ]
    assert sizes[0].name == "own-block-4k"
    writes, mixed, reads = (p.profile for p in plan(study(sweep="read_share = [0.0, 0.5, 1.0]")).points)
    assert (writes.mean_block_bytes, writes.alignment_bytes) == (56 * KIB, 32 * KIB)
    assert (reads.mean_block_bytes, reads.alignment_bytes) == (4 * KIB, 4 * KIB)
    assert (writes.write_blocks, reads.write_blocks) == ((), ())
    assert mixed.mean_block_bytes == 30 * KIB


def test_the_ledger_knows_the_sizes_of_both() -> None:
    point = plan(study('write_blocks = "6k"')).points[0].model_copy(update={"verify": True})
    layout = layout_of([point])
    assert layout is not None
    assert (layout.unit_bytes, layout.longest_bytes) == (2 * KIB, 6 * KIB)


def test_a_job_of_fio_is_told_the_sizes_of_both() -> None:
    options = asked(plan(study()).points[0]).options
    assert options["bs"] == "4k,64k,4k"
    assert options["bssplit"] == "4096/100,65536/75:32768/25,4096/100"
    assert options["blockalign"] == "4096,32768,4096"
    assert "blockalign" not in asked(plan(study("")).points[0]).options


def test_the_job_of_a_point_reads_back_as_its_profile(tmp_path: Path) -> None:
    point = plan(study()).points[0].model_copy(update={"engine": "aio"})
    job = tmp_path / "job.fio"
    options = {name: value for name, value in asked(point).options.items() if name != "name"}
    job.write_text("[a]\n" + "".join(f"{name}={value}\n" for name, value in options.items()))
    (found,) = translate(job, environment={}).jobs
    (profile,) = found.study.profile
    assert profile.read_share == 0.67
    for write in (False, True):
        blocks, before = profile.blocks_of(write), point.profile.blocks_of(write)
        assert [block.bytes for block in blocks] == [block.bytes for block in before]
        assert profile.mean_bytes_of(write) == point.profile.mean_bytes_of(write)
        assert profile.alignment_of(write) == point.profile.alignment_of(write)


def virtual(profile: LoadProfile, outstanding: int = 1) -> Point:
    target = PlannedTarget(path="drive-0", kind="virtual", size_bytes=100 * GB, area_length_bytes=32 << 30)
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=10, precision=0.02, confidence=0.95,
        warmup_ios=1000, floor_ios=40_000, cap_ios=40_000,
    )  # fmt: skip
    return Point(
        index=0, sweep="s", profile=profile, outstanding=outstanding, workers=1, seed=1, system="made-up",
        engine="simulator", targets=(target,), stopping=stopping,
    )  # fmt: skip


def mixed(read: int, written: int, **more: Any) -> LoadProfile:
    return LoadProfile(
        name="made", random_share=1, read_share=0.67, blocks=(Block(bytes=read * KIB),),
        write_blocks=(Block(bytes=written * KIB),), **more,
    )  # fmt: skip


def costly_host() -> VirtualSystem:
    """Give a system whose only limit is its core: 20 µs an I/O and 1 µs a KiB."""
    system = virtual_system().model_dump(mode="json")
    system["volumes"][0]["cpu"] = {"read_ps": 20_000_000, "write_ps": 20_000_000, "per_kib_ps": 1_000_000}
    system["drives"][0]["model"] |= {"dies": 64}
    return VirtualSystem.model_validate(system)


@pytest.mark.parametrize(("read", "written"), [(4, 64), (64, 4)])
def test_each_direction_moves_its_own_bytes_in_the_simulator_and_in_the_formulas(
    read: int, written: int
) -> None:
    point = virtual(mixed(read, written), outstanding=32)
    # One core serves 1 / (20 µs + (0.67 × reads + 0.33 × writes) in KiB × 1 µs) I/Os a second.
    expected = 1e6 / (20 + 0.67 * read + 0.33 * written)
    for reading in (
        bench.simulate_point(point, costly_host()),
        bench.predict_point(point, costly_host()),
    ):
        assert laws(point, reading) == []
        assert reading.transaction_rate_io_s == pytest.approx(expected, rel=0.01)
        assert reading.reads.bytes == reading.reads.completed * read * KIB
        assert reading.writes.bytes == reading.writes.completed * written * KIB
        assert reading.reads.completed / reading.completed == pytest.approx(0.67, abs=0.01)


def test_strips_are_crossed_by_the_alignment_of_the_direction() -> None:
    load = next(loads(virtual(mixed(8, 8, alignment_bytes=4 * KIB, write_alignment_bytes=8 * KIB))))[1]
    array = Array.model_validate(
        {
            "level": "0", "drives": [0, 1, 2, 3], "groups": 1, "strip_bytes": 64 * KIB,
            "mirror_read": {"policy": "spread", "from_outstanding": 0}, "failed": [], "rebuild_bytes_s": 0,
        }
    )  # fmt: skip
    reads, writes = load.classes
    # P = (b/g - 1) / (s/g): 1/16 for reads on a grain of 4 KiB; what is aligned to its size never crosses.
    assert ArrayMap(array, load).read(reads).operations == pytest.approx(1 + 1 / 16)
    assert ArrayMap(array, load).write(writes).operations == 1


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["4 kB read; 64 kB written", "4 kB (reads) or 64 kB (writes)"]),
        ("de", ["4 kB gelesen; 64 kB geschrieben", "4 kB (Lesen) oder 64 kB (Schreiben)"]),
        ("ja", ["4 kB（リード）、64 kB（ライト）", "4 kB（リード）または 64 kB（ライト）"]),
    ],
)
def test_the_paper_says_them_in_each_language(language: str, said: list[str]) -> None:
    point = make_point(mixed(4, 64, write_alignment_bytes=64 * KIB))
    run = make_run(make_plan().model_copy(update={"points": (point,)}), status="finished")
    text = repr(paper.build(StoredRun(run=run, results=(make_result(point),)), language))
    for words in said:
        assert words in text


def test_they_are_columns_of_their_own() -> None:
    (row,) = point_rows([make_result(make_point(mixed(4, 64)))])
    assert (row["block_bytes"], row["write_block_bytes"]) == ("4096", "65536")
