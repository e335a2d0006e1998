"""What papers advise where several sweeps load one profile, and what is no maximum beside think time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from command_line import CommandLine
from iodyno.report import paper
from iodyno.report.document import Block, Bullets, Heading, Paragraph
from iodyno.report.messages import plain
from iodyno.store import Store

HEAD = """
schema = 1
name = "sweeps"
title = "Sweeps"
[[configuration]]
name = "{n}"
title = "Host {n}"
system = "p3700"
changes = { processor = "{p}" }
each.case = [CASES]
"""
SLOW, FAST = '{ n = "slow", p = "xeon-e5-2603-v3" }', '{ n = "fast", p = "xeon-e5-2698-v3" }'
FASTEST = '{ n = "fastest", p = "xeon-e5-2637-v3" }'
LOADS = """
[[sweep]]
name = "load"
profiles = ["database"]
outstanding = [1, 2, 4, 8, 32, 64, 128]
workers = 1
"""
SHARES = """
[[sweep]]
name = "shares"
profiles = ["database"]
rate_share = ["20%", "80%"]
arrival = "poisson"
"""


def told(iodyno_says: CommandLine, folder: Path, *parts: str) -> tuple[list[str], str]:
    """Give the advice and the conclusion of a paper of these sweeps."""
    path = folder / "sweeps.toml"
    path.write_text("".join(parts))
    said = iodyno_says("simulate", str(path), "--area", "8G", "-q")
    assert said.code == 0, said.err
    with Store.open() as store:
        blocks = paper.build(store.load("latest")).blocks
    advice = [plain(text) for b in under(blocks, "practice") if isinstance(b, Bullets) for text in b.items]
    concluded = under(blocks, "conclusion")
    items = [plain(text) for b in concluded if isinstance(b, Bullets) for text in b.items]
    return advice, "\n".join([*(plain(b.text) for b in concluded if isinstance(b, Paragraph)), *items])


def under(blocks: tuple[Block, ...], key: str) -> list[Block]:
    start = next(i for i, block in enumerate(blocks) if isinstance(block, Heading) and block.key == key) + 1
    ends = (i for i in range(start, len(blocks)) if isinstance(blocks[i], Heading))
    return list(blocks[start : next(ends, len(blocks))])


@pytest.mark.parametrize(
    ("cases", "kinds"),
    [(SLOW, ["For Database (area 8 GB), keep", "Where latency counts"]),
     (f"{SLOW}, {FAST}", ["For Database (area 8 GB), choose", "For Database (area 8 GB), keep"])],
)  # fmt: skip
def test_closed_loops_before_shares_take_no_advice_away(
    iodyno_says: CommandLine, tmp_path: Path, cases: str, kinds: list[str]
) -> None:
    """They are at two loads that the other sweep has: nothing that the readings show is another, but that a
    maximum measured twice is the higher of the two, and so the interval of a quotient another."""
    head = HEAD.replace("CASES", cases)
    alone, whole = told(iodyno_says, tmp_path, head, LOADS)
    assert [any(text.startswith(kind) for text in alone) for kind in kinds] == [True, True], alone
    beside, ends = told(iodyno_says, tmp_path, head, LOADS, SHARES)
    without = re.compile(r" \([\d.]+–[\d.]+\)")
    assert [without.sub("", text) for text in beside] == [without.sub("", text) for text in alone]
    for sentence in re.findall(r"The highest transaction rates? [^.]*\.|Outstanding I/Os: .*", whole):
        assert sentence in ends


def test_one_within_any_other_is_left_out_and_not_only_within_that_of_most_points(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    head = HEAD.replace("CASES", SLOW)
    few = LOADS.replace("[1, 2, 4, 8, 32, 64, 128]", "[8, 32, 128]")
    deep = LOADS.replace("[1, 2, 4, 8, 32, 64, 128]", "[64, 80, 96, 112, 128]")
    alone, _ = told(iodyno_says, tmp_path, head, few)
    assert any("keep" in text for text in alone)
    beside, ends = told(iodyno_says, tmp_path, head, few, deep.replace('"load"', '"deep"'), SHARES)
    without = re.compile(r" \([\d.]+–[\d.]+\)")
    assert [without.sub("", text) for text in beside] == [without.sub("", text) for text in alone]
    assert "level" not in ends


def test_a_sweep_that_shows_more_is_no_repetition(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """At 32 and 128 outstanding the rate is higher than at the 16 of the other sweep: that keeps none."""
    head, loads = HEAD.replace("CASES", SLOW), LOADS.replace(", 32, 64, 128", ", 17")
    advice, _ = told(iodyno_says, tmp_path, head, loads, SHARES)
    assert not [text for text in advice if "keep" in text or "Where latency counts" in text]


THINKING = """
[[profile]]
name = "asking"
title = "Asking"
random_share = 1.0
read_share = 1.0
blocks = [8192]
think_time_us = 20000
[[sweep]]
name = "asking"
profiles = ["asking"]
outstanding = [1, 32]
workers = 1
"""


def test_what_think_time_limits_is_no_highest_rate(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """32 I/Os every 20 ms are 1,600 a second, whatever the drive can do: it was the highest rate."""
    head = HEAD.replace("CASES", SLOW)
    _, ends = told(iodyno_says, tmp_path, head, THINKING)
    assert "highest transaction rate" not in ends
    _, ends = told(iodyno_says, tmp_path, head, LOADS)
    assert "The highest transaction rate" in ends


PROCESSES = """
[[sweep]]
name = "processes"
profiles = ["database", "restore"]
outstanding = [8, 64]
workers = [1, 2, 4]
"""


def test_a_host_that_another_sweep_has_alone_leaves_its_pairs_to_the_advice(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    """The processor limits one process alone: its pair was lost with the one of its curves that the other
    sweep has, and the advice was that the processor makes no difference."""
    head = HEAD.replace("CASES", f"{FAST}, {FASTEST}")
    only_fastest = LOADS + 'configurations = ["fastest"]\n'
    advice, _ = told(iodyno_says, tmp_path, head, PROCESSES)
    (changed,) = [text for text in advice if text.startswith("Processor: ")]
    assert "; Database (area 8 GB): not the same in all systems" in changed
    beside, _ = told(iodyno_says, tmp_path, head, PROCESSES, only_fastest)
    assert changed in beside
