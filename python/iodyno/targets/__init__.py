"""Real targets: files and block devices, and whether they may be written.

Everything here looks before it touches. :func:`find_targets` and :func:`recheck` write
nothing; only :func:`create_file`, :func:`keep_file` and :func:`remove_file` change files,
and only files that iodyno made.
"""

from __future__ import annotations

from iodyno.targets.claim import claimed
from iodyno.targets.contents import Contents, check_contents
from iodyno.targets.find import find_targets, recheck, whole_blocks
from iodyno.targets.making import create_file, keep_file, marked_for_removal, remove_file
from iodyno.targets.presence import check_present, gone
from iodyno.targets.purging import discard, discard_problems
from iodyno.targets.record import FILE_NAME, ContentsState, Permissions, Target
from iodyno.targets.trace import Trace, take_trace

__all__ = [
    "FILE_NAME",
    "Contents",
    "ContentsState",
    "Permissions",
    "Target",
    "Trace",
    "check_contents",
    "check_present",
    "claimed",
    "create_file",
    "discard",
    "discard_problems",
    "find_targets",
    "gone",
    "keep_file",
    "marked_for_removal",
    "recheck",
    "remove_file",
    "take_trace",
    "whole_blocks",
]
