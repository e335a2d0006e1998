"""What names have in common is said once."""

from __future__ import annotations

import pytest

from iodyno.report.shared_words import told_apart


def test_what_all_names_share_is_taken_out() -> None:
    shared, short = told_apart(["a: 2 SSDs, RAID 1", "b: 2 SSDs, RAID 1, write-through"])
    assert shared == "2 SSDs, RAID 1"
    assert short == ("a", "b (write-through)")


def test_pieces_that_only_some_share_stay() -> None:
    shared, short = told_apart(["a: 2 SSDs, RAID 0", "a: 2 SSDs, RAID 1", "b: 2 SSDs, RAID 0"])
    assert (shared, short) == ("2 SSDs", ("a (RAID 0)", "a (RAID 1)", "b (RAID 0)"))


def test_names_that_nothing_would_be_left_of_stay_whole() -> None:
    names = ("A SATA SSD", "A SATA SSD, its cache off")
    assert told_apart(names) == ("", ("A SATA SSD", "A SATA SSD (its cache off)"))


def test_a_name_alone_shares_nothing() -> None:
    assert told_apart(["a: 2 SSDs"]) == ("", ("a: 2 SSDs",))


def test_japanese_names_are_taken_apart_at_their_signs() -> None:
    assert told_apart(["甲：SSD 2 台、RAID 1", "乙：SSD 2 台、RAID 1"]) == ("SSD 2 台、RAID 1", ("甲", "乙"))


def test_japanese_names_in_a_list_have_japanese_brackets() -> None:
    names = ["甲：SSD 2 台、RAID 0、高速", "乙：SSD 2 台、RAID 1、高速"]
    assert told_apart(names) == ("SSD 2 台、高速", ("甲（RAID 0）", "乙（RAID 1）"))


def test_names_that_were_told_apart_before_are_so_again() -> None:
    """A piece began behind the bracket of its name, and took the end of it along."""
    names = [f"{part} (RAID {level}, Fast Path)" for level in (0, 10) for part in ("EP400i", "EP420i")]
    short = ("EP400i (RAID 0)", "EP420i (RAID 0)", "EP400i (RAID 10)", "EP420i (RAID 10)")
    assert told_apart(names) == ("Fast Path", short)
    wide = ["甲（RAID 0、高速）", "乙（RAID 1、高速）"]
    assert told_apart(wide) == ("高速", ("甲（RAID 0）", "乙（RAID 1）"))


def test_names_are_not_taken_apart_within_brackets() -> None:
    names = ["a (x8, short), 4 SSDs", "b (x8, long), 4 SSDs"]
    assert told_apart(names) == ("4 SSDs", ("a (x8, short)", "b (x8, long)"))
    assert told_apart(["disk", "disk (cache off)"]) == ("", ("disk", "disk (cache off)"))


@pytest.mark.parametrize(
    ("shared", "short"),
    [
        ("Disk, X", ("as in “4 disks (slow), RAID 5, cached”", "as in “4 disks (slow), RAID 6, cached”")),
        ("Disk, X", ("wie in „4 disks (slow), RAID 5, cached“", "wie in „4 disks (slow), RAID 6, cached“")),
        ("ディスク、X", ("「4 台（低速）、RAID 5、WB」と同様", "「4 台（低速）、RAID 6、WB」と同様")),
    ],
)
def test_what_is_quoted_stays_whole(shared: str, short: tuple[str, ...]) -> None:
    """A paper told of `write-back, as in “4 disks, RAID 10 (write-back”, write-through”)`."""
    sign = "、" if "、" in shared else ", "
    assert told_apart([f"{shared}{sign}{name}" for name in short]) == (shared, short)
