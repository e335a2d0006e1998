"""What jobs cannot be asked of their targets is told by option, job and line, in the words of fio."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from command_line import CommandLine
from iodyno.errors import ProfileError
from iodyno.fio.planning import plan_jobs
from iodyno.fio.translating import translate
from iodyno.study import Overrides
from iodyno.targets import Target

AT_ONCE = """\
[global]
direct=1
size=1g

[mail]
rw=randrw
bs=1000
filename=/x/a

[law]
rw=randwrite
random_distribution=zipf:1.2
bs=1000
filename=/x/a
"""
AREAS = """\
[a]
direct=1
rw=randread
bs=4k
size=10t
filename=/x/a
[b]
stonewall
direct=1
rw=randwrite
bs=8k
size=1g
offset=900g
blockalign=700
filename=/x/a
"""
DATA = """\
[a]
direct=1
rw=randtrim
bs=4k
size=1g
filename=/x/a
[b]
stonewall
direct=1
rw=randwrite
buffer_compress_percentage=50
bs=64k
size=16k
filename=/x/a
verify=crc32c
"""
FILES = """\
[a]
direct=1
rw=write:64k
bs=4k
size=64k
filename=/x/a
[b]
direct=1
rw=randread
bs=4k
size=1g
thinktime=100
rate_iops=100
filename=/x/b
[c]
direct=1
rw=randwrite
random_distribution=zoned:50/1:50/99
bs=64k
size=1m
numjobs=2
"""
SHARED = """\
[global]
direct=1
rw=randread
bs=700
size=1g
iodepth=4096
numjobs=1024
filename=/x/a
ioengine=libaio
[one]
[two]
offset=8k
"""


def _told(text: str) -> list[str]:
    """Give line, jobs and what is said first of each error."""
    return re.findall(r"error: \S*a\.fio(:\d+: \[[^]]*\]: [\w=:/.]+)", text)


def _in_order(told: list[str]) -> list[str]:
    return sorted(told, key=lambda one: int(one.split(":")[1]))


@pytest.mark.parametrize(
    ("job", "on", "told", "hints"),
    [
        (AT_ONCE, "p3700", [":7: [mail]: bs=1000:", ":13: [law]: bs=1000:"], ["multiple"]),
        (AREAS, "p3700",
         [":5: [a]: size=10t:", ":13: [b]: offset=900g:", ":14: [b]: blockalign=700:"],
         ["take a smaller size or offset"]),
        (DATA, "raid-controllers",
         [":13: [b]: size=16k:", ":15: [b]: verify=crc32c:", ":3: [a]: rw=randtrim:",
          ":11: [b]: buffer_compress_percentage=50:"],
         ["leave it out of the job file", "or leave the job out"]),
        (FILES, "p3700",
         [":14: [b]: filename=/x/b:", ":15: [c]: needs", ":3: [a]: rw=write:64k:",
          ":12: [b]: thinktime=100:", ":18: [c]: random_distribution=zoned:50/1:50/99:"],
         ["let the jobs have one filename", "a smaller gap behind rw", "leave thinktime or the rate out"]),
        (SHARED, "p3700", [":4: [one, two]: bs=700:", ":6: [one]: iodepth=4096:"],
         ["take a smaller iodepth"]),
    ],
)  # fmt: skip
def test_a_simulation_tells_lines_and_options(
    iodyno_says: CommandLine, tmp_path: Path, job: str, on: str, told: list[str], hints: list[str]
) -> None:
    file = tmp_path / "a.fio"
    file.write_text(job, "utf-8")
    said = iodyno_says("simulate", file, "--on", on, "--plan")
    assert said.code == 2
    assert _told(said.err) == _in_order(told), said.err
    assert said.err.count("error: ") == len(told)
    for hint in hints:
        assert hint in said.err
    for word in ("sweep ", "profile", "measurement", "the study", "beside"):
        assert word not in said.err.replace("profiles", ""), word


@pytest.mark.parametrize(
    ("job", "told"),
    [
        (AT_ONCE, [":7: [mail]: bs=1000:", ":13: [law]: bs=1000:"]),
        (AREAS, [":14: [b]: blockalign=700:"]),
        (DATA.replace("verify=crc32c\n", "cpus_allowed=1023\n"),
         [":3: [a]: rw=randtrim:", ":13: [b]: size=16k:", ":15: [b]: cpus_allowed=1023:"]),
        (FILES,
         [":3: [a]: rw=write:64k:", ":12: [b]: thinktime=100:",
          ":18: [c]: random_distribution=zoned:50/1:50/99:"]),
    ],
)  # fmt: skip
def test_a_plan_on_files_tells_lines_and_options(
    iodyno_says: CommandLine, tmp_path: Path, job: str, told: list[str]
) -> None:
    file = tmp_path / "a.fio"
    file.write_text(job, "utf-8")
    said = iodyno_says("plan", file)
    assert said.code == 2
    assert _told(said.err) == _in_order(told), said.err
    assert said.err.count("error: ") == len(told)


def test_what_the_command_line_changes_is_in_no_line(iodyno_says: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "a.fio"
    file.write_text("[a]\nrw=randread\nbs=4k\nsize=1g\ndirect=1\nfilename=/x/a\n", "utf-8")
    said = iodyno_says("simulate", file, "--on", "p3700", "--block-sizes", "1000", "--area", "2T")
    assert said.code == 2
    assert "error: --block-sizes: a block of 1000 is no multiple" in said.err
    assert "error: --area: the area of 2T from 0 ends outside" in said.err


@pytest.mark.parametrize(
    ("line", "told", "hint"),
    [
        ("ba=1000", ":6: [a]: ba=1000: an alignment of 1000 is no multiple", "multiples of 512"),
        ("rw=read:1000", ":6: [a]: rw=read:1000: a gap of 1000 is no multiple", "multiples of 512"),
        ("offset=100\nsize=1M", ":6: [a]: offset=100: the beginning of the area, 100 bytes", "100"),
        ("size=32k\nbssplit=4k/50:64k/50", ":7: [a]: bssplit=4k/50:64k/50: a block of 64k is larger than",
         "take a larger size, or smaller blocks"),
        ("numjobs=4\nbs=64k\nsize=16k\noffset_increment=16k\nrw=read",
         ":6: [a]: numjobs=4: the area of 64k on volume gives each of 4 workers 0", "fewer numjobs"),
        ("rw=trim\nioengine=libaio", ":7: [a]: ioengine=libaio: trims, and the engine aio has no trim",
         "psync"),
        ("rw=trim\nioengine=io_uring\ndirect=0", ":8: [a]: direct=0: trims, and the kernel refuses",
         "or direct=1"),
        ("ioengine=null\nverify=crc32c", ":6: [a]: ioengine=null: the engine null reads and writes",
         "leave verify out"),
        ("dedupe_percentage=50\nverify=crc32c", ":6: [a]: dedupe_percentage=50: a stamp in each sector",
         "take the option out, or verify"),
        ("bs=96k\nsize=1%", ":7: [a]: size=1%: SMALL has 64k, less than a block", "a larger target"),
        ("rw=trim", ":6: [a]: rw=trim: the job trims, and a file takes no trims", "or ioengine=null"),
        ("size=1%", ":6: [a]: size=1%: an area of 1% of 64k", "take a larger size, a larger target"),
        ("size=4k", ":6: [a]: size=4k: the length of the area, 4096 bytes", "take 8k or more"),
    ],
)  # fmt: skip
def test_each_option_that_says_what_cannot_be_is_named(
    line: str, told: str, hint: str, iodyno_says: CommandLine, tmp_path: Path
) -> None:
    job, small = tmp_path / "job.fio", tmp_path / "small"
    job.write_text(f"[a]\ndirect=1\nrw=randwrite\nbs=8k\nfilename=f\n{line}\n", "utf-8")
    small.write_bytes(bytes(65536))
    on = (str(small), "--write-existing") if "=1%" in line else (str(tmp_path), "--size", "64M")
    told = told.replace("SMALL", str(small))
    texts = [
        iodyno_says("simulate", str(job), "--on", "p3700", "--plan", "--approximate").err,
        iodyno_says("measure", str(job), *on, "--plan", "--approximate").err,
    ]
    text = next((text for text in texts if told in text), "")
    assert text, texts
    assert hint in text.split(told)[1].splitlines()[1]


def test_what_is_not_polled_for_is_told_by_hipri(iodyno_says: CommandLine, tmp_path: Path) -> None:
    job = tmp_path / "a.fio"
    job.write_text(
        "[a]\ndirect=1\nrw=randwrite\nbs=4k\nsize=1m\nioengine=io_uring\nhipri\nfsync=4\n", "utf-8"
    )
    said = iodyno_says("plan", job)
    assert said.code == 2
    told = ":7: [a]: hipri: polls for reads and writes only, and the job syncs or trims"
    assert f"error: {job}{told}\nhint: leave hipri out, or the job that syncs or trims\n" in said.err


def test_trims_of_less_than_a_device_trims_are_told_by_their_size(tmp_path: Path) -> None:
    """Of a device that is made up: none of a machine has to trim so much at once."""
    job = tmp_path / "a.fio"
    job.write_text("[a]\ndirect=1\nrw=randtrim\nbs=8k\nsize=1g\nfilename=/dev/x\n", "utf-8")
    device = Target(
        path="/dev/x", asked="/dev/x", kind="device", size_bytes=4 << 30, discard_granularity_bytes=65536
    )
    with pytest.raises(ProfileError) as raised:
        plan_jobs(translate(job), Overrides(), lambda paths, writes, size: (device,))
    (problem,) = raised.value.problems
    least = "is no multiple of 64k, the least that is trimmed on /dev/x"
    assert str(problem) == f"{job}:4: [a]: bs=8k: a trim of 8k {least}"
    assert problem.hint == "choose multiples of it: of the rest the device would trim nothing"


CACHED = """\
name = "four"
[host]
processor = "xeon-e5-2637-v3"
software = "windows-raw-megaraid"
[[controller]]
part = "praid-ep420i"
[[controller.logical]]
drive = "toshiba-px02smf040"
count = 4
level = "0"
cache = "cached"
"""


def test_reads_of_a_cache_in_different_ways_are_told_by_each_job(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    job, system = tmp_path / "a.fio", tmp_path / "cached.toml"
    system.write_text(CACHED, "utf-8")
    job.write_text("[global]\nbs=4k\nsize=1g\nfilename=/x\n[a]\nrw=randread\n[b]\nrw=read\n", "utf-8")
    said = iodyno_says("simulate", job, "--on", system, "--plan")
    assert said.code == 2
    assert _told(said.err) == [":6: [a]: rw=randread:", ":8: [b]: rw=read:"]
    assert said.err.count("and its controller caches reads: not modelled") == 2
    # What the hint says is a key that helps.
    assert 'cache = "direct"' in said.err
    system.write_text(
        CACHED.replace('"cached"\n', '"direct"\n').replace('name = "direct"', 'name = "cached"')
    )
    assert iodyno_says("simulate", job, "--on", system, "--plan").code == 0


@pytest.mark.parametrize(
    ("job", "on", "told", "hint"),
    [
        ("[a]\nrw=randrw\nbs=8k\nrandom_distribution=zoned:90/10:10/90\n", "raid-controllers",
         ":4: [a]: random_distribution=zoned:90/10:10/90: a writes by 90/10, 10/90, and the write-back",
         "take a law such as zipf:0.9, or drives without a controller"),
        ("[a]\nrw=randwrite\nbs=8k\nrandom_distribution=zipf:1.2\n[b]\nrw=randtrim\nbs=8k\n", "p3700",
         ":4: [a]: random_distribution=zipf:1.2: a writes by zipf:1.2, and trims of",
         "leave the job that trims out, or the law"),
    ],
)  # fmt: skip
def test_laws_that_the_models_do_not_know_are_told_by_the_law(
    iodyno_says: CommandLine, tmp_path: Path, job: str, on: str, told: str, hint: str
) -> None:
    file = tmp_path / "job.fio"
    file.write_text(job, "utf-8")
    said = iodyno_says("simulate", file, "--on", on, "--plan").err
    assert told in said
    assert f"hint: {hint}" in said


@pytest.mark.parametrize(
    ("command", "on"), [("simulate", ("--on", "p3700", "--plan")), ("plan", ()), ("measure", ("--plan",))]
)
def test_what_is_not_honoured_hides_nothing_that_cannot_be(
    iodyno_says: CommandLine, tmp_path: Path, command: str, on: tuple[str, ...]
) -> None:
    job = tmp_path / "a.fio"
    job.write_text(
        f"[a]\ndirect=1\nrw=randread\nbs=700\nsize=1g\nzonemode=zbd\nfilename={tmp_path}/x\n", "utf-8"
    )
    said = iodyno_says(command, job, *on)
    assert (said.code, said.out) == (2, "")
    assert [line.split(": ", 2)[1] for line in said.err.splitlines() if line.startswith("error: ")] == [
        f"{job}:4", f"{job}:6",
    ]  # fmt: skip
    assert "zonemode=zbd is not honoured" in said.err
    assert "bs=700: a block of 700 is no multiple" in said.err


def test_a_system_that_there_is_not_is_told_once_beside_what_is_not_honoured(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    job = tmp_path / "a.fio"
    job.write_text("[a]\ndirect=1\nrw=randread\nbs=4k\nsize=1g\nzonemode=zbd\n", "utf-8")
    said = iodyno_says("simulate", job, "--on", "p370")
    assert (said.code, said.err.count("error: "), said.err.count("p370: there is no system")) == (2, 2, 1)
