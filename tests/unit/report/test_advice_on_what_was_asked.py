"""Who did all that was asked may do more: no other system is then called the fastest, nor advised."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import CommandLine
from iodyno.report import paper
from iodyno.report.document import Bullets, Document, Paragraph
from iodyno.report.messages import plain
from iodyno.store import Store

SYSTEMS = """
schema = 1
name = "asked"
title = "Asked"
[[configuration]]
name = "ssd"
title = "SSD"
system = "p3700"
[[configuration]]
name = "disks-{level}"
title = "Disks, RAID {level}"
system = "raid-controllers"
changes = { drive = "hgst-huc156045css204", drive_cache = "off", mode = "performance", level = "{level}" }
each.level = ["0", "6"]
[simulation]
warmup_ios = 1000
floor_ios = 4000
cap_ios = 8000
"""
RATES = """
[[sweep]]
name = "rates"
profiles = ["database"]
rate_io_s = [500, 20000]
"""
USERS = """
[[profile]]
name = "users"
title = "Users"
random_share = 1
read_share = 0.5
blocks = "8k"
think_time_us = "100ms"
[[sweep]]
name = "users"
profiles = ["users"]
workers = [64, 1000]
outstanding = 1
"""
SATURATING = USERS.replace("[64, 1000]", "[64, 1024]").replace('"100ms"', '"5ms"')


def simulated(iodyno_says: CommandLine, folder: Path, text: str) -> Document:
    study = folder / "asked.toml"
    study.write_text(text)
    assert iodyno_says("simulate", study).code == 0
    with Store.open() as store:
        return paper.build(store.load("latest"))


def said(document: Document) -> str:
    """Give what advice and conclusion say."""
    keys = [getattr(block, "key", "") for block in document.blocks]
    texts = []
    for block in document.blocks[keys.index("practice") : keys.index("literature")]:
        if isinstance(block, Paragraph):
            texts.append(plain(block.text))
        elif isinstance(block, Bullets):
            texts += [plain(item) for item in block.items]
    return "\n".join(texts)


def test_rates_that_one_serves_and_others_do_not(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """The SSD serves 20,000 IO/s; RAID 0 of disks, with the highest rate of the others, is not the best."""
    told = said(simulated(iodyno_says, tmp_path, SYSTEMS + RATES))
    assert "choose" not in told
    assert "highest maximum" not in told
    assert "highest transaction rate" not in told
    assert "At an offered rate of 500 IO/s, 99% of the response times" in told


def test_whose_maximum_is_not_known_is_told_beside_the_maxima(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    """Chart and table of the maxima are of the disks alone: that the SSD is missing there was not said."""
    document = simulated(iodyno_says, tmp_path, SYSTEMS + RATES)
    texts = [plain(block.text) for block in document.blocks if isinstance(block, Paragraph)]
    told = "Every rate that was offered is served, and the maximum is not known: Database, SSD."
    assert told in texts
    closed = RATES.replace("rate_io_s = [500, 20000]", 'rate_share = ["20%", "50%"]')
    document = simulated(iodyno_says, tmp_path, SYSTEMS + closed)
    texts = [plain(block.text) for block in document.blocks if isinstance(block, Paragraph)]
    assert not [text for text in texts if "maximum is not known" in text or "maxima are not known" in text]


def test_rates_that_none_serves_are_compared(iodyno_says: CommandLine, tmp_path: Path) -> None:
    told = said(simulated(iodyno_says, tmp_path, SYSTEMS + RATES.replace("20000", "2000000")))
    assert "For Database, choose “SSD”: its maximum of" in told
    assert "The highest maximum is that of SSD" in told


def test_pauses_that_keep_one_from_its_maximum(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """1,000 users who pause for 100 ms ask for at most 10,000 IO/s: the SSD does that, and no disks do."""
    told = said(simulated(iodyno_says, tmp_path, SYSTEMS + USERS))
    assert "choose" not in told
    assert "The highest maximum is that of “SSD, 1,000 workers” with" in told


def test_pauses_that_keep_nobody_from_its_maximum(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """Fewer users, whose pauses are the limit, do not keep from advice on more of them."""
    told = said(simulated(iodyno_says, tmp_path, SYSTEMS + SATURATING))
    assert "For Users, choose “SSD, 1,024 workers”" in told


@pytest.mark.parametrize("rates", ["500, 20000", "500, 2000"])
def test_the_highest_rate_of_one_system_is_no_maximum(
    iodyno_says: CommandLine, tmp_path: Path, rates: str
) -> None:
    """Small reads are served as often as asked, large ones are not: of which more are had was not asked."""
    study = (SYSTEMS + RATES).replace('["database"]', '["random-read-4k", "file-copy"]')
    study = study.replace("500, 20000", rates).replace('"disks', '"other')
    study = study.replace('name = "rates"', 'name = "rates"\nconfigurations = ["ssd"]')
    told = said(simulated(iodyno_says, tmp_path, study))
    assert "highest transaction rate" not in told
