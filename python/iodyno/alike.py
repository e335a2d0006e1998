"""Points that ask the same of virtual systems: answered once.

Systems often differ by nothing but the names of their parts, or by what a load does not use of them, and
sweeps of a study can ask one thing twice. The simulator knows no names but to print them, and of a
controller neither how large a cache is that nothing passes through nor what parity takes where none is
computed. So such points have one reading, byte for byte, apart from the names of its stations.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from hashlib import sha256
from typing import Any

from iodyno.plan import Plan, Point
from iodyno.reading import Reading
from iodyno.stations import told_apart
from iodyno.virtual import PARITY_LEVELS, VirtualSystem

_SUFFIXES = (": ", ", ")
"""What stands between the name of a part and what its station is: ``drive: dies``, ``link, reads``."""
_OF_PARITY = ("parity_write_ps", "parity_per_kib_ps", "parity_bytes_s")
"""Numbers of a controller that tell what parity takes."""
_NO_PART = frozenset({"index", "sweep", "system"})
"""Fields of a point that tell nothing to the simulator."""


class Nameless:
    """A virtual system without its names: equal where only names differ.

    Parameters
    ----------
    system
        The system.
    """

    def __init__(self, system: VirtualSystem) -> None:
        numbers: dict[str, int] = {}

        def number(name: str) -> int:
            return numbers.setdefault(name, len(numbers))

        self._document = _numbered(system.model_dump(mode="json"), number)
        self._keys: dict[tuple[bool, bool], str] = {}
        self.names = tuple(numbers)
        """Its names, in the order of the numbers that stand for them."""
        self._numbers = numbers

    def key(self, reads: bool = True, writes: bool = True) -> str:
        """Tell it from all that answer such loads in another way, by the SHA-256 of what they use of it."""
        if (reads, writes) not in self._keys:
            document = {**self._document}
            document["controllers"] = [_used(of, reads, writes) for of in document["controllers"]]
            text = json.dumps(document, separators=(",", ":"))
            self._keys[reads, writes] = sha256(text.encode()).hexdigest()
        return self._keys[reads, writes]

    def question(self, point: Point) -> str:
        """Say what a point asks of the system: the same text, the same answer."""
        document = point.model_dump(mode="json", exclude=set(_NO_PART))
        for target in document["targets"]:
            target["path"] = self._numbers.get(target["path"], target["path"])
        reads = any(profile.read_share > 0 for profile in point.profiles)
        return f"{self.key(reads, point.alters)} {json.dumps(document, separators=(',', ':'))}"


def _used(controller: Mapping[str, Any], reads: bool, writes: bool) -> dict[str, Any]:
    """Leave out of a controller what such loads do not use: what parity takes, and how large the cache is.

    Whether it has a cache counts in any case: one without gathers writes to whole stripes.
    """
    logicals = controller["logicals"]
    found = dict(controller)
    arrays = [logical["array"] for logical in logicals]
    if not any(array["level"] in PARITY_LEVELS and (writes or array["failed"]) for array in arrays):
        found |= dict.fromkeys(_OF_PARITY)
    if not any((writes and of["write_back"]) or (reads and of["cached_reads"]) for of in logicals):
        found["cache_bytes"] = bool(controller["cache_bytes"])
    return found


def _numbered(document: Any, number: Callable[[str], int]) -> Any:
    """Put numbers in the place of names."""
    if isinstance(document, list):
        return [_numbered(item, number) for item in document]
    if not isinstance(document, dict):
        return document
    return {
        key: number(value) if key == "name" else _numbered(value, number) for key, value in document.items()
    }


class Alike:
    """Answers of points that ask the same; may be asked by several threads at a time.

    Parameters
    ----------
    plan
        The plan.
    left
        Its points that are to be answered, in the order in which they will be asked.
    """

    def __init__(self, plan: Plan, left: Iterable[Point]) -> None:
        self._systems = {name: Nameless(system) for name, system in plan.systems.items()}
        self._apart: dict[int, Nameless] = {}
        asked = {point.index: self._question(point, plan) for point in left if point.rate_from is None}
        self._left = Counter(asked.values())
        self._questions = {index: question for index, question in asked.items() if self._left[question] > 1}
        self._answers: dict[str, tuple[Future[Reading], Nameless]] = {}
        self._lock = threading.Lock()

    def _question(self, point: Point, plan: Plan) -> str:
        assert point.system is not None
        named = told_apart(plan.systems[point.system], point)
        if named is not plan.systems[point.system]:
            self._apart[point.index] = Nameless(named)
        return sha256(self._of(point).question(point).encode()).hexdigest()

    def _of(self, point: Point) -> Nameless:
        """Give its system as the stations of the point are named."""
        return self._apart.get(point.index) or self._systems[point.system or ""]

    def reading(self, point: Point, ask: Callable[[], Reading]) -> Reading:
        """Give the reading of a point: that of a point alike, or what ``ask`` gives.

        Where the point alike is still under way in another thread, its end is waited for.
        """
        question = self._questions.get(point.index)
        if question is None or point.system is None:
            return ask()
        own = self._of(point)
        with self._lock:
            first = question not in self._answers
            answer, of = self._answers.setdefault(question, (Future(), own))
        if first:
            try:
                answer.set_result(ask())
            except BaseException as error:  # noqa: BLE001 - handed on, an interrupt too
                answer.set_exception(error)
        reading = answer.result()
        with self._lock:
            self._left[question] -= 1
            if not self._left[question]:
                del self._answers[question]
        return _renamed(reading, dict(zip(of.names, own.names, strict=True)))


def _renamed(reading: Reading, names: Mapping[str, str]) -> Reading:
    """Give the stations of a reading other names."""
    found = reading.simulation
    if found is None or all(old == new for old, new in names.items()):
        return reading
    stations = tuple(
        station.model_copy(update={"name": _station(station.name, names)}) for station in found.stations
    )
    bottleneck = found.bottleneck
    if bottleneck.station is not None:
        bottleneck = bottleneck.model_copy(update={"station": _station(bottleneck.station, names)})
    simulation = found.model_copy(update={"stations": stations, "bottleneck": bottleneck})
    return reading.model_copy(update={"simulation": simulation})


def _station(station: str, names: Mapping[str, str]) -> str:
    """Put another name in the place of the part's: the longest that fits, so that none is cut."""
    if station in names:
        return names[station]
    fits = [name for name in names if any(station.startswith(name + suffix) for suffix in _SUFFIXES)]
    longest = max(fits, key=len, default=None)
    return station if longest is None else names[longest] + station[len(longest) :]
