"""Records of what verified data came to: what was found, where, and what was expected there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveInt

from iodyno.record import Record

CorruptionKind = Literal[
    "bit_flip", "torn", "lost", "stale", "misdirected", "zeros", "overtrimmed", "foreign", "unreadable"
]


class Found(Record):
    """What a sector that is not as expected says of itself."""

    this_run: bool
    """Whether this run wrote it."""
    target: NonNegativeInt
    """Index in ``Integrity.targets`` of the target that it belongs to."""
    offset_bytes: NonNegativeInt
    """Where it belongs."""
    generation: NonNegativeInt
    """Number of its write."""


class Finding(Record):
    """A range that was not as it was written."""

    kind: CorruptionKind
    """``bit_flip``: bits are not as written. ``torn``: one write is there in part. ``lost``: an acknowledged
    write is not there and was never seen. ``stale``: older data, though a read found the newest.
    ``misdirected``: a block that belongs elsewhere. ``zeros``. ``overtrimmed``: zeros or ones up to a place
    that was trimmed since. ``foreign``: nothing that this run wrote. ``unreadable``: the device gave an
    error."""
    target: NonNegativeInt
    """Index in ``Integrity.targets``."""
    offset_bytes: NonNegativeInt
    """Its first wrong sector."""
    bytes: NonNegativeInt
    """Bytes of its wrong sectors."""
    expected_generation: NonNegativeInt
    """Number of the write that was expected there, or of the trim."""
    trimmed: bool = False
    """Whether it was trimmed: then nothing but another place's data is wrong there."""
    found: Found | None = None
    """What its first wrong sector says of itself; none where it says nothing."""
    lasting: bool | None = None
    """Whether reading again found it wrong again; none where that could not be tried."""


class Findings(Record):
    """All that reads found that were checked."""

    checked_bytes: NonNegativeInt = 0
    """Bytes that were compared with what was written there."""
    not_judged_bytes: NonNegativeInt = 0
    """Bytes that were read while they were being written, and could not be told."""
    trimmed_bytes: NonNegativeInt = 0
    """Bytes that were read while they were trimmed: not compared, because nothing says what they hold."""
    trimmed_zeros_bytes: NonNegativeInt = 0
    """Of these, bytes of sectors of zeros."""
    waited: NonNegativeInt = 0
    """Writes and trims that waited for another one to the same place."""
    counts: dict[CorruptionKind, NonNegativeInt] = Field(default_factory=dict)
    """Findings by kind."""
    first: tuple[Finding, ...] = ()
    """The first hundred of them."""

    @property
    def total(self) -> int:
        """Number of findings."""
        return sum(self.counts.values())

    @classmethod
    def merged(cls, parts: Iterable[Findings]) -> Findings:
        """Add findings."""
        parts = list(parts)
        counts: dict[CorruptionKind, int] = {}
        for kind, count in (item for part in parts for item in part.counts.items()):
            counts[kind] = counts.get(kind, 0) + count
        return cls(
            checked_bytes=sum(part.checked_bytes for part in parts),
            not_judged_bytes=sum(part.not_judged_bytes for part in parts),
            trimmed_bytes=sum(part.trimmed_bytes for part in parts),
            trimmed_zeros_bytes=sum(part.trimmed_zeros_bytes for part in parts),
            waited=sum(part.waited for part in parts),
            counts=counts,
            first=tuple(finding for part in parts for finding in part.first)[:100],
        )


class FinalPass(Record):
    """What was found when everything that a point had written was read once more."""

    findings: Findings
    seconds: NonNegativeFloat
    """How long it took."""
    everything: bool = False
    """Whether it read all that is known of the targets, and not only what the point wrote."""
    wrong_before: NonNegativeInt = 0
    """Of ``iodyno verify``: places that the run itself found wrong and has not written since. They are not
    compared again, and in none of the findings."""
    wrong_before_bytes: NonNegativeInt = 0
    """Bytes of these, in whole units."""


class Integrity(Record):
    """Whether what was read is what was written."""

    session: NonNegativeInt
    """The number in every stamp: no other run has it."""
    unit_bytes: PositiveInt
    """What every access is a multiple of."""
    targets: tuple[str, ...]
    """Paths that findings name by their index."""
    load: Findings
    """What the reads of the load found."""
    final_pass: FinalPass | None = None
    """What the pass after it found; none where nothing had been written."""

    @property
    def all(self) -> Findings:
        """What the load and the pass found together."""
        return Findings.merged([self.load, *([self.final_pass.findings] if self.final_pass else [])])

    @property
    def trimmed_share(self) -> float:
        """Share of what was read back, 0 to 1, that was trimmed and was not compared."""
        both = self.all
        return both.trimmed_bytes / max(both.trimmed_bytes + both.checked_bytes, 1)
