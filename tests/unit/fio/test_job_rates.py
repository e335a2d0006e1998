"""Rates of jobs with several block sizes: fio counts bytes, and I/Os as if each were of the least block."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from fio_documents import Make, One, Read, Refused, job, result

SIZES = "bssplit=4k/50:64k/50"
"""34 kB on the mean."""
RATES = [
    (f"{SIZES}\nrate_iops=20000", 20000 * 4 / 34),
    ("bsrange=4k-64k\nrate_iops=20000", 20000 * 4 / 34),
    (f"{SIZES}\nrate=80m", 80 * 1024 / 34),
    (f"{SIZES}\nrate=8m\nrate_process=poisson", 8 * 1024 / 4),
    (f"{SIZES}\nrate_iops=2000\nrate_process=poisson", 2000),
    ("bs=8k\nrate_iops=2000", 2000),
]
"""Options, and the I/Os a second that come of them."""


@pytest.mark.parametrize(("options", "rate_io_s"), RATES)
def test_rates_count_blocks_of_the_smallest_size(one: One, options: str, rate_io_s: float) -> None:
    study = one(f"rw=randread\n{options}").study
    assert study.sweep[0].rate_io_s == pytest.approx((rate_io_s,))


@pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
@pytest.mark.parametrize(("options", "rate_io_s"), RATES)
def test_rates_are_those_of_an_installed_fio(options: str, rate_io_s: float) -> None:
    """Of 3000 I/Os and more the mean size is known to 1.6 %; a rate that fio draws is 0.1 % off, as it counts
    microseconds. A slow machine does fewer I/Os, and not more.
    """
    asked = (f"--{option}" for option in options.split("\n"))
    command = ["fio", "--name=a", "--ioengine=null", "--rw=randread", "--norandommap", "--size=1g", *asked,
               "--time_based", "--runtime=1500ms", "--output-format=json"]  # fmt: skip
    said = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    (told,) = json.loads(said.stdout[said.stdout.index("{") :])["jobs"]
    done = told["read"]["iops"]
    assert done < 1.1 * rate_io_s
    if done < 0.9 * rate_io_s:
        pytest.skip(f"the machine does {done:.0f} IO/s, below the rate")


def test_each_direction_of_a_mix_counts_its_own_smallest_block(one: One) -> None:
    # Reads: 850 blocks of 4 kB are 100 of 34 kB. Writes: 300 blocks of 64 kB are 300 I/Os.
    study = one("rw=randrw\nbssplit=4k/50:64k/50,64k/100\nrate_iops=850,300").study
    assert study.sweep[0].rate_io_s == pytest.approx((400,))
    assert study.profile[0].read_share == pytest.approx(0.25)


def test_what_a_rate_comes_to_is_told_where_sizes_differ(make: Make) -> None:
    text = "[a]\nfilename=x\nsize=1m\nrw=randread\n"
    said = ":6: the rate counts blocks of 4k, the smallest size, as in fio: 2353 reads a second"
    assert any(said in note for note in make(f"{text}{RATES[0][0]}\n").notes)
    said = ":6: the rate counts blocks of 4k, the smallest size, as in fio: 2048 reads a second"
    assert any(said in note for note in make(f"{text}{RATES[3][0]}\n").notes)
    # 50k is 51200 to fio: blocks of 4 kB, of which 10 kB, the mean of 4 to 16, come to two fifths.
    said = ":6: the rate counts blocks of 4k, the smallest size, as in fio: 20480 reads a second"
    assert any(said in note for note in make(f"{text}bsrange=4k-16k\nrate_iops=50k\n").notes)
    for options, _ in (RATES[2], RATES[4], RATES[5]):
        assert not any("smallest size" in note for note in make(f"{text}{options}\n").notes)


def test_the_rate_of_a_result_is_what_fio_was_asked_for(read: Read) -> None:
    options = {"rw": "randread", "bssplit": "4k/50:64k/50", "rate_iops": "850"}
    told = job(**{"job options": options})
    told["read"]["io_bytes"] = told["read"]["total_ios"] * 34 * 1024
    assert read(result(told)).results[0].point.rate_io_s == pytest.approx(100)


def test_a_rate_in_bytes_beside_one_in_ios_is_refused(refused: Refused, make: Make) -> None:
    """fio ends with "rate and rate_iops are mutually exclusive", whichever direction each is of."""
    text = "[a]\nfilename=x\nsize=1m\nrw=randrw\n"
    said = "rate stands beside rate_iops, and fio takes one of them alone"
    for rates in ("rate=1m\nrate_iops=100", "rate=1m,\nrate_iops=,100"):
        assert any(problem == f":6: {said}" for problem in refused(f"{text}{rates}\n"))
    assert make(f"{text}rate=0\nrate_iops=100\n").jobs[0].study.sweep[0].rate_io_s == (200.0,)


def test_a_depth_that_files_do_not_share_evenly_is_told_where_a_rate_is_given(make: Make) -> None:
    text = "[a]\nfilename=x:y:z\nsize=3m\nrw=randread\nioengine=libaio\niodepth={}\nrate_iops=300\n"
    said = ":6: iodepth=8 cannot be shared out evenly over 3 files: at most 2 on each"
    assert any(said in note for note in make(text.format(8)).notes)
    assert not any("shared out" in note for note in make(text.format(9)).notes)
