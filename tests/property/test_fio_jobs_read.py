"""Job files of any shape are read or refused in words, and values are what fio itself reads."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from iodyno.errors import IodynoError, Problem
from iodyno.fio import translate
from iodyno.fio.options import HONOURED, known_names
from iodyno.fio.values import by_direction, parse_range, parse_size, parse_split, parse_time_us
from iodyno.study import Study

FIO = shutil.which("fio")
needs_fio = pytest.mark.skipif(FIO is None, reason="fio is not installed")
SUFFIXES = ["", "k", "m", "g", "t", "p"]
SIZES = st.builds(
    "{}{}{}".format, st.integers(0, 4000), st.sampled_from([*SUFFIXES, *"KMGTP"]),
    st.sampled_from(["", "b", "B", "ib", "iB", "IB", "i"]),
) | st.integers(0, 1 << 40).map(hex)  # fmt: skip
WORDS = st.sampled_from([
    "[a]", "[b]", "[global]", "[", "]", "[]", "include x", "stonewall", "time_based", "rw=randrw:4",
    "rw=read", "rw=randrw", "rw=rw:-64k", "rw=write:0x7fffffffffffffff", "rwmixread=0", "blockalign=4k,8k",
    "bssplit=4k/60:8k,64k/30:1m", "bs=4k,64k",
    "filename=a:b", "filename=\\:", "bssplit=4k/60:8k", "bsrange=1k-8k", "size=1m", "size=10%", "offset=90%",
    "offset=1m", "runtime=5", "ioengine=libaio", "iodepth=8", "rate_iops=100,", "bs=,8k", "numjobs=3",
    "${X}=1",
    "nrfiles=3", "kb_base=1000", "startdelay=3", "startdelay=5-9", "percentage_random=10,20",
    "randrepeat=0", "size=2*$ncpus",
])  # fmt: skip
OPTIONS = st.builds("{}={}".format, st.sampled_from(sorted(set(known_names()))), SIZES | st.text(max_size=6))
LINES = st.lists(WORDS | OPTIONS | st.text(max_size=20), max_size=14)


@given(LINES, st.booleans())
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_file_is_translated_or_refused_in_words(lines: list[str], approximate: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "x.fio"
        file.write_bytes("\n".join(lines).encode("utf-8", "surrogatepass"))
        problems: tuple[Problem, ...] = ()
        studies: list[Study] = []
        try:
            found = translate(file, environment={"X": "bs"}, approximate=approximate)
            studies = [job.study for job in found.jobs]
        except IodynoError as error:
            problems = error.problems
    assert problems or studies
    assert all(problem.what and problem.where and problem.hint for problem in problems)
    for study in studies:
        assert Study.model_validate(study.source()) == study


NEARLY = st.one_of(
    st.builds("{}={}".format, st.sampled_from(sorted(HONOURED)), SIZES),
    st.builds("{}={},{}".format, st.sampled_from(["bs", "ba", "rate", "rate_iops"]), SIZES, SIZES),
    st.builds("{}={}-{}".format, st.just("bsrange"), SIZES, SIZES),
    st.builds("bssplit={}/{}:{}".format, SIZES, st.integers(0, 120), SIZES),
    st.builds("random_distribution={}:{}".format, st.sampled_from(["zipf", "pareto", "normal"]), st.floats()),
    st.builds("random_distribution=zoned:{}/{}:{}/".format, *[st.integers(0, 110)] * 3),
    st.builds("random_distribution=zoned_abs:{}/{}:{}/{}".format, *[st.integers(0, 110), SIZES] * 2),
    st.builds("rw={}:{}".format, st.sampled_from(["randread", "randrw", "rw", "randtrim", "trim"]), SIZES),
    st.sampled_from(
        [
            "startdelay=1m-500ms",
            "ioengine=io_uring",
            "ioengine=libaio",
            "verify=md5",
            "fsync=3",
            "filename=a:b",
            "thinktime=5",
        ]
    ),
)


@given(st.lists(NEARLY, min_size=1, max_size=3), st.booleans())
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_good_job_with_values_replaced(lines: list[str], approximate: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "x.fio"
        file.write_text("\n".join(["[a]", "filename=x", "size=4m", "iodepth=8", *lines]))
        problems: tuple[Problem, ...] = ()
        try:
            (job,) = translate(file, environment={}, approximate=approximate).jobs
            assert Study.model_validate(job.study.source()) == job.study
        except IodynoError as error:
            problems = error.problems
    assert all(problem.what and problem.where and problem.hint for problem in problems)


@given(st.text(max_size=12) | SIZES)
def test_garbage_is_a_value_error_or_a_value(text: str) -> None:
    for read in HONOURED.values():
        with suppress(ValueError):
            assert read(text, 1024) is not None


def ask_fio(option: str, texts: list[str], *more: str) -> list[int]:
    """Ask fio how it reads values of an option that takes a number; nothing is run."""
    assert FIO
    jobs = [f"--{option}={text}" for text in texts]
    command = [FIO, "--parse-only", "--debug=parse", "--name=x", "--ioengine=null", "--size=1m", *more, *jobs]
    printed = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    said = printed.stdout + printed.stderr
    parts = re.findall(rf"handle_option={option}, type=\S+, ptr=\S*\n.*?ret=(\d+), out=(-?\d+)", said)
    assert all(failed == "0" for failed, _ in parts), said
    return [int(value) for _, value in parts]


@needs_fio
@given(st.lists(SIZES, min_size=20, max_size=20), st.sampled_from([1024, 1000]))
@settings(max_examples=8, deadline=None)
def test_sizes_are_what_fio_reads(texts: list[str], kb_base: int) -> None:
    texts = [text for text in texts if _most(text, kb_base) < 1 << 63]
    expected = ask_fio("io_size", texts, f"--kb_base={kb_base}")
    assert [parse_size(text, kb_base) for text in texts] == expected


def _most(text: str, kb_base: int) -> int:
    try:
        return parse_size(text, kb_base)
    except ValueError:
        return 1 << 63


@needs_fio
@given(
    st.lists(
        st.builds(
            "{}{}".format, st.integers(0, 10_000),
            st.sampled_from(["", "us", "usec", "ms", "msec", "s", "m", "h", "d", "D", "MS"]),
        ),
        min_size=20, max_size=20,
    )
)  # fmt: skip
@settings(max_examples=5, deadline=None)
def test_times_are_what_fio_reads(texts: list[str]) -> None:
    assert [parse_time_us(text, bare_s=True) for text in texts] == ask_fio("ramp_time", texts)
    assert [parse_time_us(text, bare_s=True) for text in texts] == ask_fio("startdelay", texts)
    assert [parse_time_us(text, bare_s=False) for text in texts] == ask_fio("thinktime_spin", texts) or any(
        parse_time_us(text, bare_s=False) >= 1 << 31 for text in texts
    )


@needs_fio
@pytest.mark.parametrize("text", ["1.5m", "4 k", "-4k", "0x10k", "4kk", "4z", "", "k", "٤k"])
def test_what_nobody_means_is_refused_though_fio_may_read_something(text: str) -> None:
    with pytest.raises(ValueError, match="no number"):
        parse_size(text)


@needs_fio
@given(
    st.lists(
        st.sampled_from([
            "rw=randread", "rw=randrw:8", "rw=read:-8k", "rw=rw:0x1000", "rw=write", "bs=8k", "bs=4k,8k",
            "bssplit=4k/60:8k/40",
            "bsrange=4k-16k",
            "iodepth=8", "numjobs=2", "direct=1", "time_based", "runtime=1m", "norandommap", "rwmixread=70",
            "thread", "group_reporting", "offset=1m", "rate_iops=100", "ramp_time=2s", "randseed=7",
            "loops=2",
            "ioengine=psync", "filename=a:b", "nrfiles=2", "percentage_random=50", "zero_buffers",
            "io_size=1m",
            "startdelay=2", "startdelay=500ms-2s",
            "wait_for=none", "nonsense=1", "bs=x", "iodepth=", "direct=2", "rw=reed", "direct",
            "rwmixread=101",
        ]),
        max_size=6, unique_by=lambda line: line.partition("=")[0],
    )
)  # fmt: skip
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_translated_fio_accepts_too(lines: list[str]) -> None:
    assert FIO
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "x.fio"
        file.write_text("\n".join(["[before]", "size=4m", "[a]", "size=4m", "stonewall", *lines, ""]))
        try:
            translate(file, environment={})
        except IodynoError:
            return
        printed = subprocess.run(
            [FIO, "--parse-only", str(file)],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            cwd=folder,
        )
        assert printed.returncode == 0 or "wait_for" in printed.stdout + printed.stderr, printed


@given(st.lists(st.tuples(st.integers(1, 1 << 20), st.integers(1, 30)), min_size=1, max_size=3))
def test_a_split_adds_up_to_the_whole(entries: list[tuple[int, int]]) -> None:
    written = ":".join(f"{size}/{percent}" for size, percent in entries) + ":512"
    split = parse_split(written)
    assert sum(percent for _, percent in split) == 100
    assert [size for size, _ in split] == [*(size for size, _ in entries), 512]


@given(SIZES, SIZES)
def test_the_ends_of_a_range_are_in_order(one: str, other: str) -> None:
    try:
        low, high = parse_range(f"{one}-{other}")
    except ValueError:
        return
    assert {low, high} == {parse_size(one), parse_size(other)}
    assert low <= high


@given(st.lists(st.integers(1, 99).map(str), min_size=1, max_size=3))
def test_the_last_of_several_values_is_for_the_rest(parts: list[str]) -> None:
    found = by_direction(",".join(parts))
    assert list(found.values()) == (parts + [parts[-1]] * 2)[:3]
