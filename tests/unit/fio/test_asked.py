"""Points as jobs of fio: the nearest job, and what it does not say."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine
from factories import make_point, make_profile, make_target
from fio_documents import Read, again, answered, half, imported, job, result, stored
from iodyno.fio.asked import asked
from iodyno.fio.exporting import document, files
from iodyno.fio.percents import whole_percents
from iodyno.plan import Point
from iodyno.profiles import Block, LoadProfile

FIO = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")


def database(**changes: Any) -> LoadProfile:
    return LoadProfile.model_validate(make_profile("database").model_dump() | changes)


def test_outstanding_ios_of_synchronous_workers_are_clones(tmp_path: Path) -> None:
    """psync has one I/O outstanding, whatever iodepth says."""
    point = make_point(database(), 8, workers=3, rate_io_s=2400.0)
    run = answered(point, "sync")
    (told,) = document(run)["jobs"]
    options = told["job options"]
    found = {name: options[name] for name in ("ioengine", "iodepth", "numjobs", "rate_iops")}
    # Each clone runs as long as was measured, and has one I/O outstanding.
    measured_ms = run.results[0].reading.measured_s * 1000
    assert (told["job_runtime"], told["latency_depth"]) == (pytest.approx(24 * measured_ms), 1)
    # 2400 IO/s of 24 clones are 100 each, 67 of them reads.
    assert found == {"ioengine": "psync", "iodepth": "1", "numjobs": "24", "rate_iops": "67,33"}
    assert next(place.name for place, _ in files(run)) == "randrw-1-24.json"
    back = again(run, tmp_path)
    assert back.outstanding_total == point.outstanding_total
    assert back.rate_io_s == pytest.approx(2400)


def test_synchronous_jobs_of_fio_keep_their_clones(read: Read) -> None:
    options = {"rw": "randread", "bs": "4k", "ioengine": "pvsync", "numjobs": "3", "filename": "/a:/b"}
    run = read(result(job(**{"job options": options})))
    told = document(run)["jobs"][0]["job options"]
    assert [told[name] for name in ("ioengine", "iodepth", "numjobs")] == ["pvsync", "1", "3"]


OPENED: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({"write_through": True}, {"sync": "dsync"}),
    ({"iopoll": True}, {"hipri": "1"}),
    ({"worker_cpus": (0, 1, 3)}, {"cpus_allowed": "0-1,3"}),
    ({"direct": False, "cold_cache": True}, {"direct": "0"}),
    ({"direct": False}, {"direct": "0", "invalidate": "0", "fadvise_hint": "0"}),
]


@pytest.mark.parametrize(("changes", "options"), OPENED)
def test_how_files_are_opened_goes_out(
    tmp_path: Path, changes: dict[str, Any], options: dict[str, str]
) -> None:
    point = make_point("database", 8, **changes)
    told = asked(point).options
    names = {"sync", "hipri", "cpus_allowed", "invalidate", "fadvise_hint"}
    assert told | options == told
    assert names & set(told) == set(options) - {"direct"}
    back = again(stored(point), tmp_path)
    for name in ("write_through", "direct", "cold_cache"):
        assert getattr(back, name) == getattr(point, name)


@pytest.mark.parametrize(
    ("changes", "options"),
    [
        ({"data": "zeros"}, {"zero_buffers": "1"}),
        ({"data_compressible_share": 0.3}, {"buffer_compress_percentage": "30"}),
        ({"data_duplicate_share": 0.25}, {"dedupe_percentage": "25"}),
        ({}, {}),
    ],
)
def test_what_is_written_goes_out(tmp_path: Path, changes: dict[str, Any], options: dict[str, str]) -> None:
    point = make_point(database(**changes))
    names = {"zero_buffers", "buffer_compress_percentage", "dedupe_percentage"}
    assert {name: text for name, text in asked(point).options.items() if name in names} == options
    back = again(stored(point), tmp_path).profile
    for name in ("data", "data_compressible_share", "data_duplicate_share"):
        assert getattr(back, name) == getattr(point.profile, name)


def test_data_that_repeat_are_not_scrambled() -> None:
    assert asked(make_point(database(data="repeated"))).options["scramble_buffers"] == "0"
    assert "scramble_buffers" not in asked(make_point(database())).options


def test_the_warm_up_goes_out(tmp_path: Path) -> None:
    run = stored(make_point(), warmup_s=2.5)
    assert document(run)["jobs"][0]["job options"]["ramp_time"] == "2500000us"
    (tmp_path / "again.json").write_text(json.dumps(document(run)))
    assert imported(tmp_path / "again.json").results[0].reading.warmup_s == 2.5
    assert "ramp_time" not in document(stored(make_point(), warmup_s=0.0))["jobs"][0]["job options"]


def test_areas_of_workers_go_out_and_come_back(tmp_path: Path) -> None:
    # 32 MiB for four workers, 8 MiB each, one behind the other.
    target = make_target(size_bytes=64 << 20, area_start_bytes=8 << 20, area_length_bytes=32 << 20)
    point = make_point(database(), 8, workers=4, workers_area="own", targets=[target])
    options = asked(point).options
    found = {name: options[name] for name in ("size", "offset", "offset_increment")}
    assert found == {"size": str(8 << 20), "offset": str(8 << 20), "offset_increment": str(8 << 20)}
    back = again(stored(point), tmp_path)
    (shown,) = back.targets
    assert (back.workers_area, shown.area_length_bytes, shown.size_bytes) == ("own", 32 << 20, 32 << 20)
    shared = point.model_copy(update={"workers_area": "shared"})
    assert "offset_increment" not in asked(shared).options
    assert asked(shared).options["size"] == str(32 << 20)
    assert again(stored(shared), tmp_path).workers_area == "shared"


@pytest.mark.parametrize(
    ("options", "area"),
    [
        ({"numjobs": "2", "size": "1m", "offset_increment": "1m"}, "own"),
        ({"numjobs": "2", "size": "1m", "offset_increment": "2m"}, "shared"),
        ({"numjobs": "1", "size": "1m", "offset_increment": "1m"}, "shared"),
        ({"numjobs": "2", "offset_increment": "0"}, "shared"),
    ],
)
def test_parts_of_clones_of_a_result(read: Read, options: dict[str, str], area: str) -> None:
    told = job(**{"job options": {"rw": "randread", "bs": "4k", **options}})
    assert read(result(told)).results[0].point.workers_area == area


def test_parts_of_clones_are_those_of_workers() -> None:
    """A third of 1 MiB is 349525 bytes, and 348160 in whole blocks of 4 kB."""
    target = make_target(size_bytes=1 << 20, area_length_bytes=1 << 20)
    options = asked(make_point(database(), 8, workers=3, workers_area="own", targets=[target])).options
    assert (options["size"], options["offset_increment"]) == ("348160", "348160")
    options = asked(make_point(database(), 8, workers=2, workers_area="own", targets=[target])).options
    assert (options["size"], options["offset_increment"]) == ("524288", "524288")
    # The size of a job of fio is that of all its files.
    two = [target, target.model_copy(update={"path": "/other"})]
    options = asked(make_point(database(), 8, targets=two)).options
    assert (options["size"], options["filename"]) == (str(2 << 20), f"{target.path}:/other")


def test_a_later_beginning_goes_out() -> None:
    assert asked(make_point(database(), begins_after_s=1.5)).options["startdelay"] == "1500000us"


def test_alignments_go_out_where_they_are_not_the_least_block(tmp_path: Path) -> None:
    """Database has blocks of 8 kB at multiples of 4 kB; blockalign is the block where nothing is said."""
    assert asked(make_point(database())).options["blockalign"] == "4096"
    assert "blockalign" not in asked(make_point(database(alignment_bytes=8192))).options
    assert "blockalign" not in asked(make_point("streaming")).options
    assert again(stored(make_point(database())), tmp_path).profile.alignment_bytes == 4096


@pytest.mark.parametrize(
    ("shares", "percents"),
    [
        ([33.3, 33.3, 33.4], [33, 33, 34]),
        ([99.6, 0.4], [99, 1]),
        ([0.4, 99.6], [1, 99]),
        ([0, 100], [0, 100]),
        ([29, 28, 43], [29, 28, 43]),
        ([0.1, 0.1, 0.1, 99.7], [1, 1, 1, 97]),
        ([0.1, 0.1, 0.1, 50.9, 48.8], [1, 1, 1, 50, 47]),
        ([12.5] * 8, None),
    ],
)
def test_whole_percentages_keep_their_sum_and_none_is_lost(shares: list[float], percents: Any) -> None:
    found = whole_percents([share / 100 for share in shares])
    assert sum(found) == 100
    assert all(
        abs(one - share) < 1 or one == 1 or share > 40 for one, share in zip(found, shares, strict=True)
    )
    assert percents in (None, found)
    # What is not accessed at all is no share; each that is keeps one percent.
    assert whole_percents([0.001, 0.001, 0.001]) == [1, 1, 1]


ZONES = [
    ("33.3/30, 33.3/30, 33.4/40", "zoned:33/30:33/30:34/40", "33/30, 33/30, 34/40"),
    ("99.6/0.4, 0.4/99.6", "zoned:99/1:1/99", "99/1, 1/99"),
    ("60/10, 40/20", "zoned:60/10:40/20", "60/10, 40/20"),
    ("90/0.4, 10/99.6", "zoned:90/1:10/99", "90/1, 10/99"),
]


@pytest.mark.parametrize(("text", "written", "back"), ZONES)
def test_zones_go_out_as_zones(tmp_path: Path, text: str, written: str, back: str) -> None:
    point = make_point(database(distribution=text))
    found = asked(point)
    assert found.options["random_distribution"] == written
    assert str(again(stored(point), tmp_path).profile.distribution) == back
    assert bool(found.otherwise) == (text != back)


LAWS = [
    # The mean of twelve uniform draws has a deviation of 1/12; one half as wide as all adds to 0.1667.
    ("normal:0.05", "normal:0", "what fio draws has a deviation of 0.0833 to 0.1667, normal:0.05 another"),
    ("normal:0.3", "normal:50", "what fio draws has a deviation of 0.0833 to 0.1667, normal:0.3 another"),
    ("normal:0.1", "normal:19.15", ""),
    ("zipf:1", "zipf:0.9999", "fio refuses zipf:1"),
    ("zipf:1.2", "zipf:1.2", ""),
]


@pytest.mark.parametrize(("text", "written", "said"), LAWS)
def test_laws_that_fio_has_not_are_told(text: str, written: str, said: str) -> None:
    found = asked(make_point(database(distribution=text)))
    assert found.options["random_distribution"] == written
    assert found.otherwise == ((f"random_distribution={written}: {said}",) if said else ())


SHARES_OF_DATA = (
    ("data_compressible_share", "buffer_compress_percentage"),
    ("data_duplicate_share", "dedupe_percentage"),
)


def test_shares_that_are_rounded_are_told_and_keep_both_directions() -> None:
    """With rwmixread=100 fio does not write at all."""

    def of(**changes: Any) -> tuple[dict[str, str], tuple[str, ...]]:
        found = asked(make_point(database(**changes)))
        return found.options, found.otherwise

    options, said = of(read_share=0.997)
    assert (options["rwmixread"], said) == ("99", ("rwmixread=99: percentages are whole, of 99.7",))
    options, said = of(read_share=0.675)
    assert (options["rwmixread"], said) == ("68", ("rwmixread=68: percentages are whole, of 67.5",))
    assert of(read_share=0.003)[0]["rwmixread"] == "1"
    assert of(read_share=0.67)[1] == of(read_share=0.29)[1] == ()
    options, said = of(random_share=0.996, cursors="own")
    assert (options["percentage_random"], len(said)) == ("99", 1)
    options, said = of(random_share=0.996, write_random_share=0.004)
    assert options["percentage_random"] == "99,1,99"
    assert said == ("percentage_random=99,1,99: percentages are whole, of 99.6, 0.4",)
    for name, option in SHARES_OF_DATA:
        options, said = of(**{name: 0.996})
        assert (options[option], said) == ("99", (f"{option}=99: percentages are whole, of 99.6",))
    blocks = [Block(bytes=4096, weight=1), Block(bytes=65536, weight=999)]
    options, said = of(blocks=blocks)
    assert (options["bssplit"], len(said)) == ("4096/1:65536/99", 1)
    options, said = of(write_blocks=blocks)
    assert (options["bssplit"], len(said)) == ("8192/100,4096/1:65536/99,8192/100", 1)
    (told,) = document(stored(make_point(database(read_share=0.997))))["jobs"]
    assert told["iodyno"]["otherwise"] == ["rwmixread=99: percentages are whole, of 99.7"]


def test_what_no_option_says_is_told() -> None:
    two = (make_target(path="/a"), make_target(path="/b"))
    point = make_point(database(), 8, workers=2)
    assert asked(point).otherwise == asked(point.model_copy(update={"targets": two})).otherwise == ()
    for said, changed in (
        ("16 clones of one I/O each", {"engine": "sync"}),
        ("the workers share one stream", {"workers_area": "stream"}),
        ("nothing is trimmed: 10%", {"profile": database(trim_share=0.1)}),
        ("reads and writes follow a cursor each", {"profile": database(random_share=0.5)}),
        ("writes go where reads do, by zipf:1.2", {"profile": database(
            distribution="zipf:1.2", write_distribution="zipf:0.9")}),
        ("nothing goes to each block once", {"profile": database(
            distribution="uniform", write_distribution="permutation")}),
        ("nothing is verified", {"verify": True}),
        ("each clone accesses all files", {"targets": two, "targets_per_worker": 1}),
        ("the area of each file is that of the first", {"targets": (
            two[0], two[1].model_copy(update={"area_start_bytes": 8192}))}),
    ):  # fmt: skip
        (told,) = asked(point.model_copy(update=changed)).otherwise
        assert told.startswith(said) or said in told


ONCE_BESIDE = [
    # What goes to each block once is drawn evenly beside zones, and is no law that others could go by.
    ("permutation", "90/10, 10/90", "zoned:100/100,90/10:10/90,100/100", ""),
    ("90/10, 10/90", "permutation", "zoned:90/10:10/90,100/100,90/10:10/90", ""),
    ("permutation", "zipf:1.2", None, "writes go where reads do, by uniform: they go by zipf:1.2"),
]


@pytest.mark.parametrize(("reads", "writes", "written", "said"), ONCE_BESIDE)
def test_what_goes_to_each_block_once_beside_what_does_not(
    reads: str, writes: str, written: str | None, said: str
) -> None:
    profile = database(distribution=reads, write_distribution=writes, alignment_bytes=8192)
    found = asked(make_point(profile))
    assert found.options.get("random_distribution") == written
    once = f"nothing goes to each block once: of {reads} and {writes} one does"
    assert found.otherwise == ((once, said) if said else (once,))


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"random_every": 4, "cursors": "own"}, "rw"),
        ({"fsync_every": 4, "think_time_us": 10}, "fsync, thinktime"),
        ({"fdatasync_every": 4}, "fdatasync"),
        ({}, ""),
    ],
)
def test_what_fio_counts_over_all_files_is_told(changes: dict[str, Any], names: str) -> None:
    profile = database(**changes)
    two = [make_target(path="/a"), make_target(path="/b")]
    said = f"{names}: fio counts over all files of a clone, a worker counts on each"
    assert asked(make_point(profile, targets=two)).otherwise == ((said,) if names else ())
    assert asked(make_point(profile)).otherwise == ()


@FIO
def test_fio_counts_over_all_files(tmp_path: Path) -> None:
    """Sixteen writes to two files are four times four, and two files with two times four each."""
    command = ["fio", "--name=a", "--ioengine=psync", "--rw=write", "--bs=4k", "--size=64k", "--filename=x:y",
               "--fsync=5", "--output-format=json"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
    (told,) = json.loads(done.stdout[done.stdout.index("{") :])["jobs"]
    assert told["sync"]["total_ios"] == 3


def test_rates_of_accesses_that_are_not_trimmed_are_those_of_each_direction() -> None:
    """One number is the rate of reads and that of writes: 300 would be 600 in all."""
    found = asked(make_point(database(trim_share=0.1), 8, rate_io_s=300.0))
    assert found.options["rate_iops"] == "201,99"
    assert found.otherwise == ("nothing is trimmed: 10% of the accesses are",)


SIZES = [Block(bytes=size, weight=1) for size in (4096, 8192, 16384)]


@pytest.mark.parametrize(
    ("arrival", "written"),
    # Blocks of 28/3 kB count 7/3 times as many of 4 kB: 300 IO/s are 700.
    [("fixed", "700"), ("poisson", "300")],
)
def test_rates_of_several_block_sizes_count_the_least(tmp_path: Path, arrival: str, written: str) -> None:
    profile = database(blocks=SIZES, read_share=0.0)
    point = make_point(profile, 8, rate_io_s=300.0, arrival=arrival)
    found = asked(point)
    assert found.options["rate_iops"] == written
    assert not any("rate_iops" in said for said in found.otherwise)
    assert again(stored(point), tmp_path).rate_io_s == pytest.approx(300, rel=0.01)


def test_rates_that_are_rounded_are_told() -> None:
    point = make_point(database(read_share=1.0), 8, workers=4, rate_io_s=150.0)
    (said,) = asked(point).otherwise
    assert said == "rate_iops=38: rates of a clone are whole, 152 IO/s in all and not 150"


@FIO
@pytest.mark.parametrize(
    "point",
    [
        *(make_point(database(distribution=text)) for text, *_ in (*ZONES, *LAWS)),
        *(make_point("database", 8, engine="io_uring", **changes) for changes, _ in OPENED),
        make_point(database(blocks=SIZES), 8, rate_io_s=300.0, engine="sync", workers_area="own", workers=2),
        make_point(database(data="zeros")),
        make_point(database(data_compressible_share=0.3, data_duplicate_share=0.25)),
    ],
)
def test_fio_takes_every_job(tmp_path: Path, point: Point) -> None:
    (told,) = document(answered(point, "io_uring" if point.iopoll else "null"))["jobs"]
    lines = [f"{name}={text}" for name, text in told["job options"].items() if name != "name"]
    file = tmp_path / "job.fio"
    file.write_text("[a]\n" + "\n".join(lines) + "\n")
    done = subprocess.run(["fio", "--parse-only", str(file)], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@FIO
def test_a_synchronous_job_has_one_io_outstanding_whatever_its_depth(tmp_path: Path) -> None:
    """What makes the clones: with iodepth=8 psync does as with 1."""
    command = ["fio", "--name=a", "--size=64k", "--rw=read", "--ioengine=psync", "--iodepth=8",
               "--output-format=json"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
    (told,) = json.loads(done.stdout[done.stdout.index("{") :])["jobs"]
    assert told["iodepth_level"]["1"] == 100


def test_what_cannot_be_shown_of_a_result_is_told(tmp_path: Path) -> None:
    from factories import make_tool
    from fio_documents import NOW
    from iodyno.fio.importing import import_results

    def notes(**options: str) -> tuple[str, ...]:
        told = job(**{"job options": job()["job options"] | options, "read": half(100)})
        (tmp_path / "r.json").write_text(json.dumps(result(told)))
        return import_results(
            [tmp_path / "r.json"],
            run_id="20260301-000000-aaaa",
            now=NOW,
            tool=make_tool(),
            command=("iodyno",),
        )[1]

    where = f"{tmp_path / 'r.json'}: j: not shown as it was: "
    zones = "zoned:33/30:33/30:33/40"
    said = f"{where}random_distribution={zones}: the zones get 99% of the accesses, not 100%"
    assert notes(random_distribution=zones) == (said,)
    assert notes(bsrange="3k-64k") == (f"{where}bsrange from 3k to 64k is not honoured",)
    assert notes(ioengine="posixaio") == notes(ioengine="rados") == notes() == ()


def test_a_result_with_sizes_that_are_not_shown_keeps_the_rest(read: Read) -> None:
    """Blocks of 3 kB and more lost the engine, the depth and direct I/O too; 100 reads of 16 kB were done."""
    options = job()["job options"] | {"bsrange": "3k-64k", "blockalign": "3k"}
    told = job(**{"job options": options, "read": half(100, io_bytes=100 * 16384)})
    point = read(result(told)).results[0].point
    assert (point.direct, point.engine, point.outstanding) == (True, "aio", 8)
    assert [block.bytes for block in point.profile.blocks] == [16384]
    assert point.profile.alignment_bytes == 16384


def test_zones_of_writes_come_back(tmp_path: Path) -> None:
    both = database(distribution="90/10, 10/90", write_distribution="50.5/50, 49.5/50")
    back = again(stored(make_point(both)), tmp_path).profile
    assert str(back.distribution) == "90/10, 10/90"
    assert str(back.write_distribution) == "51/50, 49/50"
    (said,) = asked(make_point(both)).otherwise
    assert said.endswith("percentages are whole, of 90, 10, 50.5, 50, 49.5")


@pytest.mark.parametrize("name", ["out.json", "out/"])
def test_the_command_says_that_jobs_do_not_say_all(
    iodyno_says: CommandLine, tmp_path: Path, name: str
) -> None:
    told = job(trim=half(500))
    (tmp_path / "r.json").write_text(json.dumps(result(told, job("other"))))
    assert iodyno_says("import", tmp_path / "r.json").code == 0
    said = iodyno_says("export", "--format", "fio-json", "-o", f"{tmp_path}/{name}")
    assert said.code == 0, said.err
    note = "1 job does not say all of what was asked: what, stands in iodyno.otherwise of each"
    assert said.err == f"note: {note}\n"


def test_zones_by_direction_say_which_fio_takes_them() -> None:
    """fio 3.33 ends at the comma: "failed parsing random_distribution"."""
    point = make_point(database(distribution="90/10, 10/90", write_distribution="20/50, 80/50"))
    (why,) = asked(point).needs
    assert "fio 3.41 or later" in why
    (told,) = document(stored(point))["jobs"]
    assert told["iodyno"]["needs"] == [why]
    assert told["iodyno"]["otherwise"] == []
    alike = make_point(database(distribution="90/10, 10/90", write_distribution="90/10, 10/90"))
    assert asked(alike).needs == asked(make_point(database())).needs == ()


@FIO
def test_an_installed_fio_takes_what_every_fio_takes(tmp_path: Path) -> None:
    def taken(**changes: Any) -> tuple[bool, bool]:
        found = asked(make_point(database(**changes), targets=[make_target(path="x")]))
        text = "".join(f"{name}={value}\n" for name, value in found.options.items() if name != "name")
        (tmp_path / "job.fio").write_text(f"[a]\n{text}")
        command = ["fio", "--parse-only", "job.fio"]
        done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, timeout=60)
        return not done.returncode, bool(found.needs)

    accepted, needs = taken(distribution="90/10, 10/90", write_distribution="20/50, 80/50")
    version = subprocess.run(["fio", "--version"], check=True, capture_output=True, text=True).stdout
    numbers = version.strip().partition("-")[2].split("-")[0].split(".")
    assert (accepted, needs) == ([int(number) for number in numbers] >= [3, 41], True)
    assert taken(distribution="90/10, 10/90") == taken(distribution="zipf:1") == (True, False)


def test_the_command_says_that_not_every_fio_takes_a_job(iodyno_says: CommandLine, tmp_path: Path) -> None:
    options = {"rw": "randrw", "bs": "4k", "random_distribution": "zoned:90/10:10/90,20/50:80/50"}
    (tmp_path / "r.json").write_text(json.dumps(result(job(**{"job options": options, "write": half(100)}))))
    iodyno_says("import", tmp_path / "r.json")
    said = iodyno_says("export", "-f", "fio-json", "-o", tmp_path / "run.json")
    assert said.err == "note: not every fio takes 1 job: why, stands in iodyno.needs of each\n"


@pytest.mark.parametrize(
    ("workers", "outstanding", "back"), [(64, 32, (1024, 2)), (64, 16, (1024, 1)), (3, 683, (683, 3))]
)
def test_many_clones_come_back_as_many_ios(
    tmp_path: Path, workers: int, outstanding: int, back: tuple[int, int]
) -> None:
    """Each outstanding I/O of the sync engine is a clone of fio; a point has 1024 workers at the most."""
    run = answered(make_point(database(), outstanding, workers=workers), "sync")
    (told,) = document(run)["jobs"]
    assert told["job options"]["numjobs"] == str(workers * outstanding)
    assert told["iodyno"]["needs"] == []
    found = again(run, tmp_path)
    assert (found.workers, found.outstanding) == back
    assert found.outstanding_total == workers * outstanding
    # Clones of parts of their own keep them.
    target = make_target(size_bytes=64 << 20, area_length_bytes=64 << 20)
    point = make_point(database(), outstanding, workers=workers, workers_area="own", targets=[target])
    options = asked(answered(point, "sync").results[0].point.model_copy(update={"engine": "sync"})).options
    read = again(answered(point, "sync"), tmp_path)
    assert read.workers_area == "own"
    assert read.targets[0].area_length_bytes == int(options["size"]) * workers * outstanding


def test_more_clones_than_fio_runs_are_told() -> None:
    """fio ends with "maximum number of jobs reached"."""
    point = make_point(database(), 128, workers=64, engine="sync")
    assert asked(point).needs == ("numjobs=8192: fio runs 4096 jobs at the most",)


def test_what_fio_does_otherwise_with_gaps_and_what_goes_to_each_block_once_is_told() -> None:
    once = {"distribution": "permutation", "alignment_bytes": 8192}
    assert asked(make_point(database(**once))).otherwise == ()
    for said, changes in (
        ("sequential accesses follow without a gap: they have one of 65536 bytes",
         {"random_share": 0.5, "gap_bytes": 65536, "cursors": "own"}),
        ("sequential accesses follow without a gap: they have one of 4096 bytes",
         {"random_every": 8, "gap_bytes": 4096, "cursors": "own"}),
        ("each block of the least size is touched once: each multiple of 4096 bytes is drawn once",
         {**once, "alignment_bytes": 4096}),
        ("each block of the least size is touched once: each multiple of 4096 bytes is drawn once",
         {**once, "alignment_bytes": 4096, "write_blocks": [Block(bytes=4096)]}),
    ):  # fmt: skip
        assert asked(make_point(database(**changes))).otherwise == (said,)


def test_a_mix_that_whole_rates_move_is_told() -> None:
    """A quarter of 100 IO/s are 16.75 reads and 8.25 writes: 17 and 8 are 25 too, and 68 % reads."""
    found = asked(make_point(database(), 8, workers=4, rate_io_s=100.0))
    assert found.options["rate_iops"] == "17,8"
    assert found.otherwise == (
        "rate_iops=17,8: rates of a clone are whole, 68% of the accesses read and not 67%",
    )
    assert asked(make_point(database(), 8, rate_io_s=100.0)).otherwise == ()


def test_shares_next_to_none_and_to_all_are_not_lost() -> None:
    assert whole_percents([1e-9, 1 - 1e-9]) == [1, 99]
    assert whole_percents([0, 1]) == [0, 100]
    point = make_point(database(read_share=1e-9))
    assert asked(point).otherwise == ("rwmixread=1: percentages are whole, of 1e-07",)


def test_a_law_over_blocks_of_several_sizes_is_told() -> None:
    sizes = [Block(bytes=size, weight=1) for size in (4096, 65536)]
    said = "the law ranks blocks of 4k: it ranks cells of 64k, and smaller blocks lie anywhere in them"
    for law, told in (("zipf:1.2", True), ("pareto:0.2", True), ("90/10, 10/90", False), ("uniform", False)):
        found = asked(make_point(database(blocks=sizes, alignment_bytes=4096, distribution=law)))
        assert (said in found.otherwise) == told
    assert asked(make_point(database(distribution="zipf:1.2"))).otherwise == ()
