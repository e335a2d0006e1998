"""What somebody chose stands in a paper as it was chosen: no share is rounded to whole percent."""

from __future__ import annotations

from typing import Any

import pytest

from factories import make_plan, make_point, make_profile, make_result, make_stored_run, make_target
from iodyno.analysis.figures import point_figures
from iodyno.cli.wording import profile_text
from iodyno.plan import Point, RateShare
from iodyno.profiles import Area, Block
from iodyno.reading import Cause
from iodyno.report import paper
from iodyno.report.document import Document
from iodyno.report.messages import Messages
from iodyno.report.names import access, alignment, blocks, exact_size
from iodyno.report.numbers import Numbers
from iodyno.report.sentences.causes import details
from iodyno.report.sentences.offered import share_text
from iodyno.store.records import StoredRun
from iodyno.verdict.causes import describe


def built(*points: Point, language: str = "en") -> Document:
    """Build the paper of these points."""
    stored = make_stored_run(profiles=("database",), intensities=(1,))
    run = stored.run.model_copy(update={"plan": make_plan().model_copy(update={"points": points})})
    return paper.build(StoredRun(run=run, results=tuple(map(make_result, points))), language)


@pytest.mark.parametrize(
    ("share", "written"),
    [
        (0.999, "99.9%"),
        (0.995, "99.5%"),
        (0.004, "0.4%"),
        (0.125, "12.5%"),
        (1.1, "110%"),
        (0.0, "0%"),
        (1.0, "100%"),
        (1 - 0.9, "10%"),
        (0.999999, "99.9999%"),
        (1 / 3, "33%"),
        (2999 / 3000, "99.967%"),
        (1 / 3000, "0.033%"),
    ],
)
def test_a_share_has_all_digits_that_somebody_chose(share: float, written: str) -> None:
    assert Numbers("en").chosen(share) == written


@pytest.mark.parametrize("simulated", [False, True])
def test_the_confidence_of_intervals_is_that_asked_for(simulated: bool) -> None:
    points = [make_point("database", load, index=index) for index, load in enumerate((1, 8))]
    counted = {"warmup_ios": 10, "floor_ios": 100, "cap_ios": 1000} if simulated else {}
    points = [
        point.model_copy(
            update={"stopping": point.stopping.model_copy(update={"confidence": 0.999, **counted})}
        )
        for point in points
    ]
    text = repr(built(*points))
    assert "confidence intervals of 99.9%" in text
    assert "over the load, with intervals of 99.9%" in text
    assert "99.9% interval of its main figure" in text
    assert "intervals of 100%" not in text
    assert "at 100% confidence" not in text


def test_shares_of_a_rate_are_those_asked_for() -> None:
    closed = [make_point("database", load, index=index) for index, load in enumerate((1, 8))]
    opened = [
        make_point(
            "database",
            64,
            index=2 + index,
            rate_io_s=2000 * share,
            rate_from=RateShare(of=(0, 1), share=share),
        )
        for index, share in enumerate((0.004, 0.125, 0.995))
    ]
    text = repr(built(*closed, *opened))
    assert "0.4%, 12.5%, and 99.5% of what the closed loop reached" in text
    said = share_text(Messages("en"), point_figures(make_result(opened[2])))
    assert said == "at an offered rate of 99.5% of what the closed loop reached"
    german = repr(built(*closed, *opened, language="de"))
    assert r"12,5\xa0%" in german
    assert r"0,4\xa0%" in german


def test_shares_of_a_profile_are_those_asked_for() -> None:
    profile = make_profile(read_share=0.996, random_share=0.333, data_compressible_share=0.125)
    text = repr(built(make_point(profile, 1), make_point(profile, 8, index=1)))
    assert "text='99.6%'" in text
    assert "text='0.4%'" in text
    assert "33.3% random" in text
    assert "99.6% reads" in text
    assert "12.5% compress away" in text
    assert profile_text(profile).startswith("33.3% random, 99.6% read")
    trims = make_profile(read_share=0.5, trim_share=0.005)
    assert "0.5% trims" in repr(built(make_point(trims, 1), make_point(trims, 8, index=1)))


def test_weights_of_block_sizes_are_those_asked_for() -> None:
    mixed = [(4096, 70), (32 * 1024, 29.5), (1 << 20, 0.5)]
    profile = make_profile(blocks=tuple(Block(bytes=size, weight=weight) for size, weight in mixed))
    assert blocks(Messages("en"), profile) == "4 kB (70%), 32 kB (29.5%), 1 MB (0.5%)"
    even = make_profile(blocks=tuple(Block(bytes=size, weight=1) for size, _ in mixed))
    assert blocks(Messages("en"), even) == "4 kB (33%), 32 kB (33%), 1 MB (33%)"


def test_what_was_asked_beside_a_finding_is_as_it_was_asked() -> None:
    reads = Cause(code="law_direction", values={"read_share": 0.9871, "asked": 0.9995})
    assert details(Messages("en"), reads) == "99% reads, 99.95% asked"
    assert describe(reads).endswith("(98.7% reads, 99.95% asked)")
    wide = Cause(code="imprecise", values={"half_width": 0.011, "asked": 0.0025})
    assert describe(wide).endswith("(±1.1%, ±0.25% asked)")


@pytest.mark.parametrize(
    ("size_bytes", "written"),
    [
        (4096, "4 kB"),
        (135_680, "132.5 kB"),  # 132.5 × 1024
        (1_025_536, "1,001.5 kB"),
        (1_073_740_800, "1,048,575 kB"),  # 2^30 - 1024: of MB it would take 20 decimals
        (512, "512 B"),
        (0, "0 B"),
        (1025, "1,025 B"),
        (1024**2 + 512, "1,024.5 kB"),
    ],
)
def test_a_size_has_all_digits_that_somebody_chose(size_bytes: int, written: str) -> None:
    assert exact_size(Messages("en"), size_bytes) == written
    number, unit = written.replace(",", "").split()
    assert float(number) * {"B": 1, "kB": 1024}[unit] == size_bytes


def test_block_sizes_gaps_and_areas_are_those_asked_for() -> None:
    messages = Messages("en")
    of: dict[str, Any] = {"blocks": (Block(bytes=135_680),), "alignment_bytes": 67_840}
    assert blocks(messages, make_profile(**of)) == "132.5 kB"
    assert alignment(messages, make_profile(**of)) == "66.25 kB"
    assert access(messages, make_profile(**of, random_share=0, gap_bytes=135_168)).endswith("132 kB")
    assert access(messages, make_profile(**of, random_share=0, gap_bytes=1_025_536)).endswith("1,001.5 kB")
    target = make_target(area_length_bytes=1_025_536)
    profile = make_profile(**of, area={"length": 1_025_536})
    text = repr(built(*(make_point(profile, load, index=load, targets=(target,)) for load in (1, 2))))
    assert "blocks of 132.5 kB" in text
    assert "'1,001.5 kB from 0 B, " in text
    share = profile.model_copy(update={"area": Area(length=0.3)})
    text = repr(built(*(make_point(share, load, index=load, targets=(target,)) for load in (1, 2))))
    assert "'1,000 kB from 0 B, " in text, "nobody chose the bytes of a share"
