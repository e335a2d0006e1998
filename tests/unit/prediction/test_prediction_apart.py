"""Targets that are not equal: chains of their own that meet where they share stations."""

from __future__ import annotations

from itertools import cycle, pairwise, permutations
from types import SimpleNamespace
from typing import Any

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.places import Place
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import Prediction, build, predict
from iodyno.prediction.apart import Part, _work, parts, solved
from iodyno.prediction.network import BuiltNetwork
from iodyno.prediction.predict import limit_of
from iodyno.prediction.records import ClosedNetwork, NetworkStation, Servers
from iodyno.prediction.rough import rough
from iodyno.profiles import Block, LoadProfile
from iodyno.reading import Simulation, Station
from iodyno.verdict.laws import laws
from iodyno.virtual import VirtualSystem
from virtual_systems import ssd, virtual_system

CORE_S = 4e-6
"""What an I/O takes of a core of the made-up host."""


def reads(system: VirtualSystem, outstanding: int, kib: int = 8, **changes: Any) -> Point:
    """Ask random reads of all volumes of a system."""
    values: dict[str, Any] = {
        "index": 0, "sweep": "s", "outstanding": outstanding, "workers": 1, "seed": 1, "system": system.name,
        "engine": "simulator",
        "profile": LoadProfile(
            name="made", random_share=1.0, read_share=1.0, blocks=(Block(bytes=kib << 10, weight=1.0),)
        ),
        "targets": tuple(
            PlannedTarget(path=volume.name, kind="virtual", size_bytes=volume.size_bytes,
                          area_length_bytes=8 << 30)
            for volume in system.volumes
        ),
        "stopping": Stopping(warmup_s=0, floor_s=1, cap_s=10, precision=0.02, confidence=0.95,
                             warmup_ios=4000, floor_ios=20000, cap_ios=20000),
    }  # fmt: skip
    return Point(**{**values, **changes})


def unlike(slower: float = 20.0) -> VirtualSystem:
    """Make two drives on links of their own, the other with dies that are so many times slower."""
    system = virtual_system(drives=2)
    drives = [slot.model_dump() for slot in system.drives]
    drives[1] |= {"name": "slow", "model": ssd(read_ps=int(50_000_000 * slower))}
    return VirtualSystem.model_validate(system.model_dump() | {"drives": drives})


def alone(system: VirtualSystem, at: int, asked: Point) -> Prediction:
    changes = {"targets": (asked.targets[at],), "targets_per_worker": None}
    return predict(asked.model_copy(update=changes), system, bench.solve_network)


@pytest.mark.parametrize("scv", [0.0, 1.0, 3.0])
@pytest.mark.parametrize("busy", [0.3, 0.8])
def test_the_work_at_a_station_is_that_of_pollaczek_and_khinchine(busy: float, scv: float) -> None:
    """An M/G/1 has ρ²(1 + c²) / 2(1 - ρ) waiting, and who comes waits ρ(1 + c²) / 2(1 - ρ) services."""
    station = NetworkStation(name="one", law=Servers(servers=1), visits=1.0, service_s=0.004, service_scv=scv)
    waiting = busy**2 * (1 + scv) / 2 / (1 - busy)
    assert _work(station, busy + waiting, busy) == pytest.approx(busy * (1 + scv) / 2 / (1 - busy) * 0.004)


SHARED_S = 1e-4
"""What an access takes of the one station that two made-up chains share."""


def chains(own_s: tuple[float, float], outstanding: int, *, regular: bool) -> list[float]:
    """Give the rates of two chains with so many each, which take so long at stations of their own."""

    def made(name: str, own: float) -> tuple[Part, BuiltNetwork]:
        stations = tuple(
            NetworkStation(name=at, law=Servers(servers=1), visits=1.0, service_s=service_s, service_scv=0.0)
            for at, service_s in (("shared", SHARED_S), ("own", own))
        )
        network = ClosedNetwork(stations=stations, regular=regular)
        keys = (frozenset({"shared"}), frozenset({name}))
        asked: Any = SimpleNamespace(rate_io_s=None)
        return Part(asked, 1, name), BuiltNetwork(network, ("controller_cpu", "drive_media"), (), keys)

    found = solved(
        [made(name, own) for name, own in zip("ab", own_s, strict=True)],
        lambda part, built: bench.solve_network(built.network, [outstanding])[0],
    )
    return [chain.rate_s for chain in found]


@pytest.mark.parametrize("regular", [True, False])
@pytest.mark.parametrize("slower", [3.0, 4.0, 8.0, 30.0])
def test_more_outstanding_are_no_slower_where_chains_meet(slower: float, *, regular: bool) -> None:
    """One is limited by the shared station, the other by its own, so many times slower one.

    Of those who wait in turn at the shared one each has the share that its rate has. The slow chain needs
    less than half of it to be always busy at its own, where the rest of its accesses are. So it has 1 ÷ its
    own service, as without the other, and the fast one has what that leaves.
    """
    own_s = (SHARED_S / 5, SHARED_S * slower)
    rates = [chains(own_s, 2**power, regular=regular) for power in range(3, 12)]
    totals = [sum(each) for each in rates]
    assert all(more > 0.998 * fewer for fewer, more in pairwise(totals))
    for both in rates[4:]:
        assert sum(both) == pytest.approx(1 / SHARED_S, rel=0.01)
        assert both[1] == pytest.approx(1 / own_s[1], rel=0.02)


@pytest.mark.parametrize("think_s", [0.0, 1e-4, 1e-3])
@pytest.mark.parametrize("outstanding", [1, 4, 16])
def test_those_who_think_are_counted_too(outstanding: int, think_s: float) -> None:
    """Little's law of each chain, N = X (Z + R), also where what they share has to hold them back."""
    found = []
    for own_s in (SHARED_S / 5, SHARED_S * 0.7):
        shared, own = (
            NetworkStation(name=at, law=Servers(servers=1), visits=1.0, service_s=service_s, service_scv=0.0)
            for at, service_s in (("shared", SHARED_S), ("own", own_s))
        )
        network = ClosedNetwork(think_s=think_s, stations=(shared, own))
        asked: Any = SimpleNamespace(rate_io_s=None)
        keys = (frozenset({"shared"}), frozenset({own_s}))
        places: tuple[Place, ...] = ("controller_cpu", "drive_media")
        found.append((Part(asked, 1, own_s), BuiltNetwork(network, places, (), keys)))
    for chain in solved(found, lambda _, built: bench.solve_network(built.network, [outstanding])[0]):
        assert chain.rate_s * (think_s + chain.residence_s) == pytest.approx(outstanding, rel=1e-9)
        there = sum(map(chain.queue, range(2)))
        assert chain.rate_s * think_s + there == pytest.approx(outstanding, rel=1e-9)
    if outstanding == 16 and think_s < 1e-3:
        assert chain.beyond > 1.0001


@pytest.mark.parametrize("outstanding", [1, 4, 64])
def test_what_shares_nothing_adds_up(outstanding: int) -> None:
    """Each with a worker, and so a core, of its own: two systems side by side."""
    system = unlike()
    asked = reads(system, outstanding, targets_per_worker=1)
    found = predict(asked, system, bench.solve_network)
    single = [alone(system, at, asked) for at in (0, 1)]
    assert found.rate_io_s == pytest.approx(sum(one.rate_io_s for one in single), rel=1e-6)
    # Little's law: so many are outstanding on each.
    assert found.customers == pytest.approx(2 * outstanding, rel=1e-6)
    assert found.latency_ns_mean == pytest.approx(2 * outstanding / found.rate_io_s * 1e9, rel=1e-6)
    assert sum(found.latency_split.values()) == pytest.approx(1)


def test_one_at_a_time_on_each_hardly_meets_at_the_core() -> None:
    """Each waits for the other's 4 µs as often as these are in service: at most their share of its time."""
    system = unlike()
    asked = reads(system, 1)
    found = predict(asked, system, bench.solve_network)
    single = sum(alone(system, at, asked).rate_io_s for at in (0, 1))
    busy = single * CORE_S
    assert single * (1 - busy) < found.rate_io_s < single


def test_a_core_that_drives_both_is_the_limit() -> None:
    """With many outstanding the core is always busy: 250 000 I/Os per second whoever they are for."""
    system = unlike(slower=1.5)
    found = predict(reads(system, 256), system, bench.solve_network)
    assert found.rate_io_s == pytest.approx(1 / CORE_S, rel=0.01)
    assert (found.bottleneck.station, found.bottleneck.kind) == ("core", "saturated")
    assert sum(station.name == "core" for station in found.stations) == 1


def test_of_several_saturated_stations_the_one_of_most_ios_is_named() -> None:
    """The slow drive's 32 dies at 100 reads per second each are busy, and the data path of the fast one."""
    system = unlike(slower=200)
    asked = reads(system, 256, targets_per_worker=1, kib=16)
    found = predict(asked, system, bench.solve_network)
    slow = 32 / (50e-6 * 200)
    assert found.rate_io_s == pytest.approx(2.5e9 / (16 << 10) + slow, rel=0.01)
    assert found.bottleneck.station == "drive: data path"


def test_a_rate_is_shared_out_equally() -> None:
    """Half of it is for each: the slow one serves what it can, the fast one all of its half."""
    system = unlike(slower=200)
    asked = reads(system, 256, rate_io_s=40_000.0, targets_per_worker=1)
    found = predict(asked, system, bench.solve_network)
    assert found.rate_io_s == pytest.approx(20_000 + 32 / (50e-6 * 200), rel=0.01)


def test_equal_targets_are_one_chain() -> None:
    """Names tell nothing apart; what is on the way, and how many are on it, does."""
    system = virtual_system(drives=3)
    named = system.model_copy(update={"drives": tuple(
        slot.model_copy(update={"name": f"drive {at}"}) for at, slot in enumerate(system.drives)
    )})  # fmt: skip
    assert len(parts(reads(named, 4), named)) == 1
    document = system.model_dump()
    document["drives"][1]["path"] = [{"link": 0}]
    shared = VirtualSystem.model_validate(document)
    assert [len(part.point.targets) for part in parts(reads(shared, 4), shared)] == [2, 1]


def test_cores_are_those_of_the_workers_of_a_target() -> None:
    system = unlike()
    for changes, cores in (({}, [1, 1]), ({"targets_per_worker": 1, "workers": 2}, [2, 2])):
        found = parts(reads(system, 4, **changes), system)
        assert [part.cores for part in found] == cores
        assert (found[0].pool == found[1].pool) == (not changes)
    # Four cores for ten workers: all of them for all.
    crowded = parts(reads(system, 4, targets_per_worker=1, workers=5), system)
    assert [(part.cores, part.pool) for part in crowded] == [(4, "all")] * 2


@pytest.mark.parametrize("workers", [2, 3, 4])
def test_workers_with_a_core_each_do_not_wait_for_each_other_there(workers: int) -> None:
    """One I/O at a time of each is at no core of another. Five that share four cores meet there."""
    system = virtual_system()
    drives = [slot.model_dump() for slot in system.drives]
    drives[0] |= {"model": ssd(read_ps=1_000_000, dies=1024)}
    fast = VirtualSystem.model_validate(system.model_dump() | {"drives": drives})

    def core_s(count: int) -> float:
        asked = reads(fast, 1, kib=4, workers=count)
        network = build(asked, fast).network
        (found,) = bench.solve_network(network, [count])
        (at,) = (at for at, station in enumerate(network.stations) if station.name == "core")
        return found.stations[at].residence_s

    assert core_s(1) == pytest.approx(CORE_S)
    assert core_s(workers) == pytest.approx(CORE_S)
    assert core_s(5) > 1.01 * CORE_S


UNLIKE: dict[str, dict[str, Any]] = {
    "fast and slow SSD": {
        "drives": [{"drive": "samsung-pm1743-7680"}, {"name": "other", "drive": "intel-p3700-800"}],
    },
    "SSD and disk": {
        "drives": [{"drive": "samsung-pm1743-7680"}],
        "controller": [{"part": "psas-cp400i", "logical": [{"drive": "sas-12g-hdd-450-15k"}]}],
    },
    "two arrays on one controller": {
        "controller": [{"part": "praid-ep420i", "logical": [
            {"name": "a", "drive": "toshiba-px02smf040", "count": 2, "level": "1"},
            {"name": "b", "drive": "sas-12g-hdd-450-15k", "count": 4, "level": "0"},
        ]}],
    },
}  # fmt: skip


@pytest.mark.parametrize("name", UNLIKE)
@pytest.mark.parametrize(("outstanding", "workers"), [(1, 1), (16, 1), (64, 4), (512, 1)])
def test_the_simulator_says_the_same(name: str, outstanding: int, workers: int) -> None:
    """Within a tenth, as of one target."""
    software = "linux-nvme" if "drives" in UNLIKE[name] else "linux-scsi"
    host = {"processor": "epyc-9354", "software": software}
    system = resolve(system_of({"name": "made-up", "host": host, **UNLIKE[name]}))
    asked = reads(system, outstanding, workers=workers)
    assert len(parts(asked, system)) == 2
    assert rough(asked, system, bench.solve_network) == ()
    found = predict(asked, system, bench.solve_network)
    simulated = bench.simulate_point(asked, system)
    assert found.rate_io_s == pytest.approx(simulated.transaction_rate_io_s, rel=0.1)
    assert laws(asked, bench.predict_point(asked, system)) == []


@pytest.mark.parametrize("outstanding", [16, 64, 128, 512])
def test_arrays_that_are_read_in_order_fill_their_controller_at_any_depth(outstanding: int) -> None:
    """SSDs could do it alone, and disks have what they can read: the data path is always busy."""
    controller = {
        "part": "praid-ep420i", "expander": "sas-expander-12g", "mode": "performance", "backup_unit": True,
        "logical": [
            {"name": "fast", "drive": "toshiba-px02smf040", "count": 8, "level": "5"},
            {"name": "slow", "drive": "seagate-st91000640ns", "count": 4, "level": "6"},
        ],
    }  # fmt: skip
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"}
    system = resolve(system_of({"name": "made-up", "host": host, "controller": [controller]}))
    profile = LoadProfile(
        name="made", random_share=0.0, read_share=1.0, blocks=(Block(bytes=64 << 10, weight=1.0),)
    )
    asked = reads(system, outstanding, profile=profile)
    assert rough(asked, system, bench.solve_network) == ()
    found = predict(asked, system, bench.solve_network)
    simulated = bench.simulate_point(asked, system)
    assert found.rate_io_s == pytest.approx(simulated.transaction_rate_io_s, rel=0.02)
    assert found.bottleneck.station == "PRAID EP420i: data to host"
    assert sum(found.latency_split.values()) == pytest.approx(1)
    assert laws(asked, bench.predict_point(asked, system)) == []


DISKS = (
    # random share, read share, kB, workers, outstanding, cache
    (1.0, 1.0, 8, 1, 1, "off"),
    (0.0, 0.67, 8, 1, 1, "on"),
    (0.0, 0.67, 8, 4, 2, "off"),
    (0.0, 0.0, 64, 4, 1, "on"),
    (0.0, 0.0, 64, 1, 1, "off"),
)


@pytest.mark.parametrize(("random", "read", "kib", "workers", "outstanding", "cache"), DISKS)
def test_equal_disks_side_by_side_are_as_many_of_one(
    random: float, read: float, kib: int, workers: int, outstanding: int, cache: str
) -> None:
    """Each has its own I/Os and its own arm, and what is on the way to all of them is hardly busy."""

    def disks(count: int) -> Prediction:
        jbod = {"drive": "seagate-st91000640ns", "level": "JBOD"}
        host = {"processor": "epyc-9354", "software": "linux-scsi"}
        controller = {"part": "psas-cp400i", "drive_cache": cache, "logical": [jbod] * count}
        system = resolve(system_of({"name": "made-up", "host": host, "controller": [controller]}))
        profile = LoadProfile(
            name="made", random_share=random, read_share=read, blocks=(Block(bytes=kib << 10, weight=1.0),)
        )
        asked = reads(system, outstanding, workers=workers, profile=profile)
        assert laws(asked, bench.predict_point(asked, system)) == []
        return predict(asked, system, bench.solve_network)

    one, several = disks(1), disks(4)
    assert several.rate_io_s == pytest.approx(4 * one.rate_io_s, rel=0.03)
    assert several.customers == pytest.approx(4 * workers * outstanding, rel=1e-6)
    assert [station.count for station in several.stations if station.name.endswith("mechanics")] == [4]
    assert [station.count for station in several.stations if station.name.endswith("processor")] == [1]
    (alone,) = (station for station in one.stations if station.name.endswith("mechanics"))
    (each,) = (station for station in several.stations if station.name.endswith("mechanics"))
    assert each.utilisation_mean == pytest.approx(alone.utilisation_mean, rel=0.03)


@pytest.mark.parametrize(("disks", "workers"), [(2, 1), (2, 2), (1, 2)])
def test_a_controller_that_reads_ahead_of_reads_and_writes_is_near_the_simulator(
    disks: int, workers: int
) -> None:
    """Reads come from what was fetched, and writes go to the disk's cache: neither waits for a revolution,
    which would leave 120 to each worker in a second."""
    single = {"drive": "seagate-exos-x20-20tb", "level": "0"}
    controller = {"part": "praid-ep420i", "read": "read-ahead", "write": "write-through"}
    host = {"processor": "epyc-9354", "software": "windows-raw-megaraid"}
    written = {"name": "made-up", "host": host, "controller": [{**controller, "logical": [single] * disks}]}
    system = resolve(system_of(written))
    profile = LoadProfile(
        name="made", random_share=0.0, read_share=0.5, blocks=(Block(bytes=4096, weight=1.0),)
    )
    asked = reads(system, 1, workers=workers, profile=profile)
    found = predict(asked, system, bench.solve_network).rate_io_s
    assert 0.5 < found / bench.simulate_point(asked, system).transaction_rate_io_s < 1.5


def test_of_equally_busy_stations_the_first_on_the_way_is_named() -> None:
    """However they are listed; and so is the place of most of the latency, where nothing is saturated."""

    def station(name: str, place: str, busy: float) -> Station:
        return Station(name=name, place=place, utilisation_mean=busy, utilisation_max=busy, jobs=1)

    def named(busy: float) -> set[tuple[str | None, str, str | None]]:
        stations = [
            station("drive: data path", "drive_media", busy),
            station("link, writes", "host_link", busy),
            station("link, reads", "host_link", busy * (1 - 1e-13)),
            station("core", "host_cpu", busy / 2),
        ]
        split = [("drive_media", 0.4), ("switch", 0.4), ("host_cpu", 0.2)]
        found = set()
        for those, shares in zip(permutations(stations), cycle(permutations(split)), strict=False):
            limit = limit_of(those, dict(shares))
            busiest = Simulation(
                model_version=1, virtual_s=1, events=0, stations=those, bottleneck=limit
            ).busiest
            found.add((limit.station, limit.place, busiest.name if busiest else None))
        return found

    assert named(0.95) == {("link, reads", "host_link", "link, reads")}
    assert named(0.8) == {(None, "switch", "link, reads")}


def test_several_servers_are_one_as_fast_with_the_rest_as_a_delay() -> None:
    """Of four servers, two busy and nobody waiting: half of a fast one is, and who comes meets its residual.

    With three who wait besides it is three services of a quarter more.
    """
    station = NetworkStation(name="one", law=Servers(servers=4), visits=1.0, service_s=0.004, service_scv=1.0)
    assert _work(station, 4 * 0.5, 0.5) == pytest.approx(0.5 * 0.004 / 4)
    assert _work(station, 4 * 0.5 + 3, 0.5) == pytest.approx((3 + 0.5) * 0.004 / 4)


def test_parts_of_an_area_of_their_own_are_not_equal() -> None:
    """How far a head goes, and what of an SSD is overwritten, hangs on what is accessed."""
    system = virtual_system(drives=2)
    asked = reads(system, 4)
    shorter = asked.targets[1].model_copy(update={"area_length_bytes": 1 << 30})
    apart = asked.model_copy(update={"targets": (asked.targets[0], shorter)})
    assert (len(parts(asked, system)), len(parts(apart, system))) == (1, 2)


def test_a_visit_is_met_as_often_as_it_goes_where_others_are() -> None:
    """Of a chain that goes to two copies, one of which is shared, half of the visits meet the other chain."""

    def made(name: str, keys: frozenset[str], think_s: float) -> tuple[Part, BuiltNetwork]:
        station = NetworkStation(
            name="copies", law=Servers(servers=1), copies=len(keys), visits=1.0, service_s=SHARED_S
        )
        asked: Any = SimpleNamespace(rate_io_s=None)
        network = ClosedNetwork(think_s=think_s, stations=(station,))
        return Part(asked, 1, name), BuiltNetwork(network, ("controller_cpu",), (), (keys,))

    both = made("a", frozenset({"own", "shared"}), 1.0), made("b", frozenset({"shared"}), SHARED_S)
    first, other = solved(both, lambda _, built: bench.solve_network(built.network, [1])[0])
    # The first is hardly ever there: the other is busy half of the time, and so found by a quarter of visits.
    assert other.rate_s == pytest.approx(1 / (2 * SHARED_S), rel=1e-3)
    assert first.residence_s == pytest.approx(SHARED_S * (1 + 0.5 * 0.5), rel=1e-2)


@pytest.mark.parametrize("first", [0.98, 1.0])
def test_of_several_shared_stations_none_does_more_than_it_can(first: float) -> None:
    """Two of nearly equal service, in either order: the busier one holds both chains back."""
    found = []
    for own_s in (SHARED_S / 5, SHARED_S * 0.7):
        stations = [
            NetworkStation(name=at, law=Servers(servers=1), visits=1.0, service_s=service_s, service_scv=0.0)
            for at, service_s in (("a", SHARED_S * first), ("b", SHARED_S * (1.98 - first)), ("own", own_s))
        ]
        network = ClosedNetwork(think_s=0.0, stations=tuple(stations))
        asked: Any = SimpleNamespace(rate_io_s=None)
        keys = (frozenset({"a"}), frozenset({"b"}), frozenset({own_s}))
        places: tuple[Place, ...] = ("controller_cpu", "switch", "drive_media")
        found.append((Part(asked, 1, own_s), BuiltNetwork(network, places, (), keys)))
    chains = solved(found, lambda _, built: bench.solve_network(built.network, [16])[0])
    assert min(chain.beyond for chain in chains) > 1.0001
    for row in (0, 1):
        assert sum(chain.busy(row) for chain in chains) < 1 + 1e-9
