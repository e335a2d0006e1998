"""What two runs did differently, in words: areas and sizes as the papers have them, and of which profiles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from iodyno.analysis.compare import Compared, Comparison, Difference
    from iodyno.plan import PlannedTarget, Point
    from iodyno.store.records import StoredRun

WHOLE = "all of it"
MOST_THINGS = 4
"""Things up to which it is said in what two systems differ."""

Writers: TypeAlias = tuple[Callable[[int], str], Callable[[int], str]]
"""What writes bytes of the first run, and of the second."""


def difference_lines(
    comparison: Comparison, runs: tuple[StoredRun, StoredRun] | None = None
) -> Iterator[str]:
    """Say what was done differently: ``different area of Streaming: 8 GB from 0 B and all of it``.

    What holds of some profiles only names them. Areas that are all of their targets differ as these do, of
    which the sizes tell. Of virtual systems it is said in what they differ, where the runs are given and that
    is little.
    """
    write = _writers(comparison)
    seen: set[str] = set()
    for difference in comparison.differences:
        at = [compared for compared in comparison.points if difference in compared.differences]
        if difference.what == "area" and at:
            texts = _areas(at[0], write)
            if texts[0] == texts[1] == WHOLE:
                continue
        else:
            texts = _in_units(difference, write)
        inside = _inside(difference, runs) if difference.what == "system" and runs else ""
        line = f"different {difference.what}{_of(at, comparison.points)}: {' and '.join(texts)}{inside}"
        if line not in seen:
            yield line
        seen.add(line)


def _inside(difference: Difference, runs: tuple[StoredRun, StoredRun]) -> str:
    """Say in which few things two virtual systems differ: `` (RAID level: RAID 5 and RAID 6)``.

    Of what one of them has several, all of its own stand on one side of ``against``.
    """
    from iodyno.analysis.compare import OTHER_NUMBERS
    from iodyno.analysis.things import described, differences
    from iodyno.report.plain import ENGLISH
    from iodyno.report.sentences.change import THINGS, value_text

    base, other = (described(stored) for stored in runs)
    names = difference.base, difference.other.removesuffix(OTHER_NUMBERS)
    words = {**THINGS, "drives": "Drives"}
    texts = []
    for one in differences(base[names[0]], other[names[1]]):
        if one.thing not in words:
            return ""  # nor all that there is to say
        values = [value_text(ENGLISH, one.thing, value) or "none" for value in (one.first, one.second)]
        apart = " against " if any(" and " in value for value in values) else " and "
        texts.append(f"{_in_a_sentence(words[one.thing])}: {apart.join(values)}")
    return f" ({'; '.join(texts)})" if 0 < len(texts) <= MOST_THINGS else ""


def _in_a_sentence(name: str) -> str:
    return name if name[:2].isupper() else name[0].lower() + name[1:]


def _of(at: Sequence[Compared], points: Sequence[Compared]) -> str:
    """Name the profiles of points, `` of Database and Streaming``, unless they are all or none."""
    from iodyno.report.plain import named, shown_text

    some, every = (list(dict.fromkeys(one.base.point.profile for one in those)) for those in (at, points))
    return f" of {named([shown_text(profile) for profile in some])}" if 0 < len(some) < len(every) else ""


def _writers(comparison: Comparison) -> Writers:
    """Give what writes bytes of each run, in the base of its paper.

    Sizes of drives and volumes are base 10, and areas beside them too; sizes of files, and areas where
    nothing else differs in bytes, are base 2 as they are asked for.
    """
    from iodyno.report.names import capacity, size
    from iodyno.report.plain import ENGLISH

    sized = any(difference.what == "size" for difference in comparison.differences)

    def writer(points: Sequence[Point]) -> Callable[[int], str]:
        of_files = all(target.kind == "file" for point in points for target in point.targets)
        written = size if of_files or not sized else capacity
        return lambda size_bytes: written(ENGLISH, size_bytes)

    base = [compared.base.point for compared in comparison.points]
    return writer(base), writer([compared.other.point for compared in comparison.points])


def _areas(compared: Compared, write: Writers) -> tuple[str, str]:
    """Write the areas of a point; byte by byte where they would be written alike and are not."""

    def texts(base: Callable[[int], str], other: Callable[[int], str]) -> tuple[str, str]:
        return _area(compared.base.point, base), _area(compared.other.point, other)

    written = texts(*write)
    return texts(_bytes, _bytes) if written[0] == written[1] != WHOLE else written


def _area(point: Point, write: Callable[[int], str]) -> str:
    targets = dict.fromkeys((of.path, of) for of in point.targets)
    areas = [(of.area_start_bytes, of.area_length_bytes) for _, of in targets]
    text = ", ".join(f"{write(length)} from {write(start)}" for start, length in areas)
    if all(_whole(of, point) for _, of in targets):
        text = WHOLE
    return text if point.workers_area == "shared" else f"{text}, {point.workers_area}"


def _whole(target: PlannedTarget, point: Point) -> bool:
    """Tell whether an area is all of a target, but for what is left where no whole block fits in."""
    grain = max(target.logical_block_bytes, *(profile.grain_bytes for profile in point.profiles))
    return target.area_start_bytes == 0 and 0 <= target.size_bytes - target.area_length_bytes < grain


def _in_units(difference: Difference, write: Writers) -> tuple[str, str]:
    """Write what differs, sizes with units; byte by byte where they would be written alike.

    Examples
    --------
    >>> from iodyno.analysis.compare import Difference
    >>> from iodyno.cli.wording import ENGLISH
    >>> from iodyno.report.names import capacity
    >>> def base_10(size):
    ...     return capacity(ENGLISH, size)
    >>> _in_units(Difference("size", "800000000000", "1600321314816"), (base_10, base_10))
    ('800 GB', '1.6 TB')
    >>> _in_units(Difference("size", "800000000000", "800000000512"), (base_10, base_10))
    ('800,000,000,000 B', '800,000,000,512 B')
    """
    texts = difference.base, difference.other
    if difference.what != "size":
        return texts
    first, second = (_with_units(text, one) for text, one in zip(texts, write, strict=True))
    return (
        (_with_units(texts[0], _bytes), _with_units(texts[1], _bytes)) if first == second else (first, second)
    )


def _with_units(text: str, write: Callable[[int], str]) -> str:
    return re.sub(r"\d+", lambda found: write(int(found[0])), text)


def _bytes(size_bytes: int) -> str:
    return f"{size_bytes:,} B"
