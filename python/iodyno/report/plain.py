"""A point in plain English: as the command line says it, and what tells why runs cannot be compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from iodyno.plan import Point, RateShare
from iodyno.profiles import LoadProfile
from iodyno.report.messages import Messages
from iodyno.report.names import own_workers, profile_name

ENGLISH = Messages("en")
MOST_NAMES = 4


def shown_text(profile: LoadProfile) -> str:
    """Name a load profile as papers do: ``Database (area 8 GB)``."""
    return profile_name(ENGLISH, profile)


def load_text(point: Point) -> str:
    """Give the load of a point: outstanding I/Os, or the rate with its share of what the target can serve."""
    if point.rate_io_s is None:
        return str(point.outstanding)
    share = f" ({point.rate_from.share * 100:g}%)" if isinstance(point.rate_from, RateShare) else ""
    return f"{ENGLISH.numbers.asked(point.rate_io_s)}/s{share}"


def loads_text(points: Iterable[Point]) -> str:
    """Write the loads of points: ``1, 2 and 4 outstanding I/Os``, ``1,000/s``."""
    sorted_points = sorted(points, key=lambda point: (point.rate_io_s or 0.0, point.outstanding))
    closed, opened = (
        list(dict.fromkeys(load_text(point) for point in sorted_points if (point.rate_io_s is None) is kind))
        for kind in (True, False)
    )
    texts = [f"{named(closed)} outstanding I/O{'' if closed == ['1'] else 's'}"] if closed else []
    return " and ".join([*texts, named(opened)] if opened else texts)


def named(names: Sequence[str]) -> str:
    """Write names, of many the first."""
    shown, more = names[:MOST_NAMES], len(names) - MOST_NAMES
    if more > 1:
        return f"{', '.join(shown)} and {more} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def paths(point: Point) -> tuple[str, ...]:
    """Give the targets of a point, each once."""
    return tuple(dict.fromkeys(target.path for target in point.targets))


def _told(load: Point) -> bool:
    """Tell whether the workers of a load are said: more than the one that is usual."""
    return load.workers > 1 or load.shared_out is not None


def beside_text(point: Point) -> str:
    """Name what runs at the same time: `` beside Streaming (4, 2 workers, on target 2)``."""
    places = {path: str(number) for number, path in enumerate(paths(point), 1)}
    texts = []
    for load in point.loads[1:]:
        on = list(dict.fromkeys(places[target.path] for target in load.targets))
        details = [load_text(load), *([own_workers(ENGLISH, load)] if _told(load) else [])]
        details.append(f"on target{'' if len(on) == 1 else 's'} {named(on)}")
        texts.append(f"{shown_text(load.profile)} ({', '.join(details)})")
    return f" beside {' and '.join(texts)}" if texts else ""
