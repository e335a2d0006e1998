"""Targets that are not equal, as chains of their own: each keeps its own I/Os outstanding.

The load keeps N I/Os outstanding on each target. Equal targets have equal rates, so that one chain of all of
them is as good as one for each. A fast target beside a slow one has its N go round while those of the slow
one wait: one chain of both would hold the fast one to the pace of the slow one. Chains meet where they share
stations: processor cores that drive both, links, switches, a controller.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from iodyno.plan import PlannedTarget, Point
from iodyno.prediction.network import BuiltNetwork
from iodyno.prediction.records import NetworkStation, Servers, Solution
from iodyno.virtual import (
    HddModel,
    Hop,
    LinkHop,
    OnDrive,
    OnHostRaid,
    OnLogical,
    VirtualSystem,
    Volume,
)

MOST_ROUNDS = 200
"""Solutions of all chains until each waits as long for the others as they are there."""
CLOSE = 1e-3
"""How far those who are at a station may be from those who were taken to be there, as a share."""
STEP, LEAST_STEP = 0.7, 1e-4
"""How much of the way to those who are there is gone in a round, and what a step has at the least."""
LARGER, SMALLER = 1.2, 0.5
"""What a step has at the most, of that of the one before: on the same way, and where that went too far
(Riedmiller, Braun: *A direct adaptive method for faster backpropagation learning: RPROP*, 1993)."""
MEANS = ("utilisation", "busy", "mean_queue", "residence_s")
"""What is mixed of two solutions of a station."""


@dataclass(frozen=True)
class Part:
    """Equal targets of a point, as a point of their own."""

    point: Point
    cores: int
    """Cores that drive them."""
    pool: Hashable
    """Which cores: parts of one pool share them."""
    kind: Hashable = None
    """What parts have in common that are equal, each with the same about it; none: no other is equal."""


@dataclass(frozen=True)
class Solved:
    """A chain among others."""

    part: Part
    built: BuiltNetwork
    """Its own network, as if it were alone."""
    solution: Solution
    """Of its network with the others, who make shared stations slower."""
    slower: tuple[float, ...]
    """By station: service with the others ÷ service alone, 1 and more."""
    beyond: float = 1.0
    """What chains ask of a station that they share ÷ what it can serve, where that is more than 1."""
    held: int | None = None
    """The row of that station."""

    @property
    def most_s(self) -> float:
        """I/Os per second that it can have."""
        return self.solution.rate_s / self.beyond

    @property
    def rate_s(self) -> float:
        """I/Os per second: what it can have, or what is asked of it."""
        asked = self.part.point.rate_io_s
        return self.most_s if asked is None else min(self.most_s, asked)

    @property
    def residence_s(self) -> float:
        """Mean time of an I/O in s: what a round takes longer it waits for, as nobody thinks longer."""
        think_s = self.built.network.think_s
        return (self.solution.residence_s + think_s) * self.beyond - think_s

    @property
    def held_back(self) -> float:
        """Mean number of its own that wait because a station has less than is asked of it."""
        return self.rate_s * (self.residence_s - self.solution.residence_s)

    @property
    def scale(self) -> float:
        """Rate ÷ what it can."""
        return self.rate_s / self.solution.rate_s

    def busy(self, row: int) -> float:
        """Busy share of the servers of a station with its own I/Os."""
        return self.solution.stations[row].busy / self.slower[row] * self.scale

    def queue(self, row: int) -> float:
        """Mean number of its own at all copies of a station, those that wait behind others included."""
        held_back = self.held_back if row == self.held else 0.0
        return self.solution.stations[row].mean_queue * self.scale + held_back


def parts(point: Point, system: VirtualSystem) -> tuple[Part, ...]:
    """Part the targets of a point into those that are equal, each with the same about it.

    Of hard disks each target is a part.

    Parameters
    ----------
    point
        The point. Its targets are volumes of the system.
    system
        The system.

    Returns
    -------
    tuple of Part
        The point itself alone, where all targets are equal and not of hard disks.
    """
    own_cores = point.workers_in_all <= system.host.cores
    whole = Part(point, min(system.host.cores, point.workers_in_all), "all")
    if len(point.targets) == 1:
        return (whole,)
    kinds = _kinds(point, system)
    step = point.targets_per_worker or len(point.targets)
    groups = [tuple(sorted(kinds[at : at + step])) for at in range(0, len(kinds), step)]
    members: dict[tuple[int, tuple[int, ...]], list[PlannedTarget]] = {}
    for at, target in enumerate(point.targets):
        members.setdefault((kinds[at], groups[at // step]), []).append(target)
    made = []
    for kind, equal in members.items():
        group, disks = kind[1], _own_disks(system, equal)
        if len(members) == 1 and not disks:
            return (whole,)
        pool: Hashable = group if own_cores else "all"
        cores = point.workers * groups.count(group) if own_cores else system.host.cores
        for targets in [[target] for target in equal] if disks else [equal]:
            changes: dict[str, object] = {"targets": tuple(targets), "targets_per_worker": None}
            if point.rate_io_s is not None:
                changes["rate_io_s"] = point.rate_io_s * len(targets) / len(point.targets)
            made.append(Part(point.model_copy(update=changes), cores, pool, kind if disks else None))
    return tuple(made)


def _own_disks(system: VirtualSystem, targets: Sequence[PlannedTarget]) -> bool:
    """Tell whether targets are of hard disks, each of disks of its own."""
    volumes = {volume.name: volume for volume in system.volumes}
    drives = [drive for target in targets for drive in _drives(system, volumes[target.path])]
    disks = all(isinstance(system.drives[drive].model, HddModel) for drive in drives)
    return disks and len(set(drives)) == len(drives)


def firsts(found: Sequence[Part]) -> list[int]:
    """Give for each part the index of the first that is equal: its own, where none before is."""
    first: dict[Hashable, int] = {}
    return [at if part.kind is None else first.setdefault(part.kind, at) for at, part in enumerate(found)]


def _kinds(point: Point, system: VirtualSystem) -> list[int]:
    """Number the kinds of targets: what they are, what leads to them, and who else is on that way."""
    volumes = {volume.name: volume for volume in system.volumes}
    own = [_numbers(system, volumes[target.path], target) for target in point.targets]
    ways = [tuple(_way(system, volumes[target.path])) for target in point.targets]
    users: dict[Hashable, Counter[str]] = {}
    for number, way in zip(own, ways, strict=True):
        for place, _ in dict.fromkeys(way):
            users.setdefault(place, Counter())[number] += 1
    shown = [
        (number, *((text, *sorted(users[place].items())) for place, text in way))
        for number, way in zip(own, ways, strict=True)
    ]
    order = {kind: at for at, kind in enumerate(dict.fromkeys(shown))}
    return [order[kind] for kind in shown]


def _numbers(system: VirtualSystem, volume: Volume, target: PlannedTarget) -> str:
    """Write all that a volume is, without names and indices."""
    on, drives = volume.on, _drives(system, volume)
    told: dict[str, object] = {
        "area": (target.area_start_bytes, target.area_length_bytes),
        "volume": volume.model_dump(mode="json", exclude={"name", "on"}),
        "drives": Counter(system.drives[drive].model.model_dump_json() for drive in drives),
    }
    if isinstance(on, OnHostRaid):
        told["array"] = on.array.model_dump(mode="json", exclude={"drives"})
    elif not isinstance(on, OnDrive):
        logical = system.controllers[on.controller].logicals[on.logical]
        told["logical"] = logical.model_dump(mode="json", exclude={"name": True, "array": {"drives"}})
    return json.dumps(told, sort_keys=True)


def _drives(system: VirtualSystem, volume: Volume) -> tuple[int, ...]:
    on = volume.on
    if isinstance(on, OnDrive):
        return (on.drive,)
    if isinstance(on, OnHostRaid):
        return on.array.drives
    return system.controllers[on.controller].logicals[on.logical].array.drives


def _controllers(system: VirtualSystem, volume: Volume) -> Iterable[int]:
    if isinstance(volume.on, OnLogical):
        return (volume.on.controller,)
    if isinstance(volume.on, OnHostRaid):
        places = map(system.behind, volume.on.array.drives)
        return dict.fromkeys(at for at in places if at is not None)
    return ()


def _way(system: VirtualSystem, volume: Volume) -> Iterator[tuple[Hashable, str]]:
    """Yield what lies between the host and the drives of a volume: the place that it is, and its numbers."""
    for number in _controllers(system, volume):
        controller = system.controllers[number]
        yield from (_hop(system, hop) for hop in controller.path)
        numbers = controller.model_dump_json(exclude={"name", "path", "logicals"})
        yield ("controller", number), numbers
    for drive in _drives(system, volume):
        yield from (_hop(system, hop) for hop in system.drives[drive].path)
        yield ("drive", drive), ""


def _hop(system: VirtualSystem, hop: Hop) -> tuple[Hashable, str]:
    if isinstance(hop, LinkHop):
        return ("link", hop.link), system.links[hop.link].model_dump_json(exclude={"name"})
    return ("switch", hop.switch), system.switches[hop.switch].model_dump_json(exclude={"name"})


def solved(
    made: Sequence[tuple[Part, BuiltNetwork]], answer: Callable[[Part, BuiltNetwork], Solution]
) -> list[Solved]:
    """Solve chains that share stations: each waits for what the others have there.

    Who comes to a shared station of service s finds there Q of its own chain and the work W of the others
    (arrival theorem for several chains), so that it stays R = s·(1 + Q) + W. Alone it would stay so long at a
    service of s' = s + W ÷ (1 + Q): with that its chain is solved by itself. The work of the others follows
    from theirs: solved again and again, until nothing changes. Q can jump where s' comes to what else limits
    a chain: then s' is that, and Q is what makes it so. Where several chains would fill the station alone,
    each has the share of it that it has of what waits there.

    Parameters
    ----------
    made
        The parts with their networks.
    answer
        What solves a network with the customers of a part.
    """
    first = firsts([part for part, _ in made])
    alone = sorted(set(first))
    steps = _steps(made, first)
    slower = [[1.0] * len(built.keys) for _, built in made]
    one: dict[int, Solved] = {}
    for _ in range(MOST_ROUNDS):
        one = {at: _one(*made[at], tuple(slower[at]), answer) for at in alone}
        changes = [step.take(one[step.at]) for step in steps.values()]
        if max(changes, default=0.0) < CLOSE:
            break
        for (at, row), step in steps.items():
            work = sum(
                share * steps[first[other], there].work_s(made[other][1])
                for other, there, share in step.meets
            )
            slower[at][row] = step.factor(made[at][1], one[at].solution.customers, work)
    mixed = {at: _mixed(one[at], [step for step in steps.values() if step.at == at]) for at in alone}
    # What is equal is solved once: its chain is that of the first, at stations of its own.
    found = [
        replace(mixed[like], part=part, built=built) for like, (part, built) in zip(first, made, strict=True)
    ]
    return _within(found, steps.values())


def _steps(made: Sequence[tuple[Part, BuiltNetwork]], first: Sequence[int]) -> dict[tuple[int, int], _Step]:
    """Give by chain and row the stations that are shared, of equal chains those of the first."""
    steps: dict[tuple[int, int], _Step] = {}
    for at in sorted(set(first)):
        for row in range(len(made[at][1].keys)):
            meets = list(_met(made, at, row))
            for place in [(first[other], there) for other, there, _ in meets]:
                steps.setdefault(place, _Step(*place))
            if meets:
                steps.setdefault((at, row), _Step(at, row)).meets = meets
    return steps


def _within(found: Sequence[Solved], steps: Iterable[_Step]) -> list[Solved]:
    """Hold chains to what the stations that they share can serve: around the knee the means ask for more."""
    most: dict[int, tuple[float, int]] = {}
    for step in steps:
        others = sum(share * found[other].busy(there) for other, there, share in step.meets)
        asked = found[step.at].busy(step.row) + others
        if asked > max(most.get(step.at, (0.0, 0))[0], 1.0):
            most[step.at] = asked, step.row
    first = firsts([chain.part for chain in found])
    return [
        replace(chain, beyond=most[like][0], held=most[like][1]) if like in most else chain
        for chain, like in zip(found, first, strict=True)
    ]


@dataclass
class _Step:
    """How what a chain has at a station that it shares goes to what fits the other chains.

    Its queue can jump. While the station is a little faster than what else limits the chain, next to nobody
    of it waits there; where it is a little slower, all do. It is as fast as that then, and as many wait there
    as make it so: what is taken goes towards what is found, in smaller steps once it went too far.
    """

    at: int
    row: int
    meets: list[tuple[int, int, float]] = field(default_factory=list)
    queue: float | None = None
    """How many of the chain are taken to be at all copies of the station; none before it was solved."""
    busy: float = 0.0
    """Busy share of the servers that is taken."""
    most: float = math.inf
    """Longest step, as a logarithm."""
    before: float = 0.0
    """How far it was in the round before."""
    sides: dict[bool, Solved] = field(default_factory=dict)
    """The chain as last found with fewer there than were taken, and with as many or more."""

    def apart(self, found: Solved) -> float:
        """Give how many more are there than were taken, as a logarithm."""
        return math.log1p(found.queue(self.row)) - math.log1p(self.queue or 0.0)

    def take(self, found: Solved) -> float:
        """Go towards what is found, and give how far that was; nothing at a jump once that is known."""
        queue, busy = found.queue(self.row), found.busy(self.row)
        if self.queue is None:
            self.queue, self.busy = queue, busy
            return math.inf
        apart = self.apart(found)
        self.sides[apart >= 0] = found
        if apart * self.before < 0 and max(abs(apart), abs(self.before)) > CLOSE:
            self.most = max(min(self.most, STEP * abs(self.before)) * SMALLER, LEAST_STEP)
        else:
            self.most *= LARGER
        self.before = apart
        share = min(STEP, self.most / abs(apart)) if apart else STEP
        self.queue += math.expm1(share * apart) * (1 + self.queue)
        self.busy += share * (busy - self.busy)
        jumps = self.most < 2 * LEAST_STEP
        return 0.0 if jumps else max(abs(apart), abs(busy - self.busy))

    def work_s(self, chain: BuiltNetwork) -> float:
        """Give how long who comes to one copy of the station waits for what is there, in s."""
        return _work(chain.network.stations[self.row], self.queue or 0.0, self.busy)

    def factor(self, built: BuiltNetwork, customers: int, work_s: float) -> float:
        """Give by how much the work of others makes the station slower."""
        station = built.network.stations[self.row]
        service = station.service_s / _servers(station)
        own = (self.queue or 0.0) / station.copies * (customers - 1) / customers
        return 1 + work_s / service / (1 + own) if service else 1.0


def _mixed(found: Solved, steps: Iterable[_Step]) -> Solved:
    """Give a chain with as many at the station where its queue jumps as are taken to be there."""
    jumps = [step for step in steps if len(step.sides) > 1]
    step = max(jumps, key=lambda one: abs(one.apart(found)), default=None)
    if step is None or abs(step.apart(found)) < CLOSE:
        return found
    fewer, more = (step.sides[side] for side in (False, True))
    least, most = (one.queue(step.row) for one in (fewer, more))
    if least >= most:
        return found
    share = min(max(((step.queue or 0.0) - least) / (most - least), 0.0), 1.0)
    return replace(found, solution=_between(fewer.solution, more.solution, share))


def _between(first: Solution, second: Solution, share: float) -> Solution:
    """Mix two solutions of a network, of the second so much: as many are outstanding as in each."""

    def mean(one: float, other: float) -> float:
        return one + share * (other - one)

    stations = tuple(
        one.model_copy(update={name: mean(getattr(one, name), getattr(other, name)) for name in MEANS})
        for one, other in zip(first.stations, second.stations, strict=True)
    )
    changes = {
        "rate_s": 1 / mean(1 / first.rate_s, 1 / second.rate_s),
        "residence_s": mean(first.residence_s, second.residence_s),
        "stations": stations,
    }
    return first.model_copy(update=changes)


def _servers(station: NetworkStation) -> int:
    return station.law.servers if isinstance(station.law, Servers) else 1


def _met(made: Sequence[tuple[Part, BuiltNetwork]], at: int, row: int) -> Iterator[tuple[int, int, float]]:
    """Yield which stations of other chains are those of a row, with the share of its visits to them."""
    part, built = made[at]
    keys = places_of(part, built, row)
    for other, (their, theirs) in enumerate(made):
        for there in range(len(theirs.keys)):
            common = keys & places_of(their, theirs, there)
            if other != at and common:
                yield other, there, len(common) / len(keys)


def places_of(part: Part, built: BuiltNetwork, row: int) -> frozenset[Hashable]:
    """Give the stations that a row stands for: the same station has the same key in every chain."""
    if not isinstance(built.network.stations[row].law, Servers):
        return frozenset(("own", id(part), key) for key in built.keys[row])
    return frozenset(("core", part.pool) if key == "core" else key for key in built.keys[row])


def _work(station: NetworkStation, queue: float, busy: float) -> float:
    """Give how long who comes to one copy of a station waits for what a chain has there, in s.

    Several servers are taken for one that is as fast as all, with the rest of the service as a delay.
    """
    servers = _servers(station)
    there = queue / station.copies - busy * (servers - 1)
    waiting = max(there - busy, 0.0) + busy * (1 + station.service_scv) / 2
    return waiting * station.service_s / servers


def _slower(station: NetworkStation, by_s: float) -> NetworkStation:
    """Let every visit to a station take so much longer."""
    changes = {"service_s": station.service_s + by_s}
    if station.passed_s is not None:
        changes["passed_s"] = station.passed_s + by_s
    return station.model_copy(update=changes)


def _one(
    part: Part,
    built: BuiltNetwork,
    slower: tuple[float, ...],
    answer: Callable[[Part, BuiltNetwork], Solution],
) -> Solved:
    stations = tuple(
        station if factor == 1 else _slower(station, station.service_s * (factor - 1))
        for station, factor in zip(built.network.stations, slower, strict=True)
    )
    network = built.network.model_copy(update={"stations": stations})
    return Solved(part, built, answer(part, replace(built, network=network)), slower)
