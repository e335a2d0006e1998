"""Records of closed queueing networks, and what a prediction is.

The JSON of :class:`ClosedNetwork` is what ``iodyno._core.solve_network`` reads, and what
it answers is a list of :class:`Solution`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from pydantic import ConfigDict, Field, NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt

from iodyno.places import Place as Place
from iodyno.prediction.made import Made
from iodyno.profiles import Record
from iodyno.reading import Bottleneck, Bounds, Station

Method = Literal["corrected", "exact"]
"""Mean-value analysis with the residual-life correction, or convolution for exponential service."""


class Servers(Made):
    """So many servers with one queue, first come, first served."""

    servers: PositiveInt


class Rates(Made):
    """A station whose rate depends on how many are there, as that of a disk that chooses among them."""

    model_config = ConfigDict(allow_inf_nan=False)

    rates: tuple[PositiveFloat, ...] = Field(min_length=1)
    """Visits completed per second with 1, 2, 3 … at the station; the last holds for more."""


class DiskNumbers(Record):
    """The numbers of a hard disk, in s, bytes and bytes/s."""

    capacity_bytes: PositiveFloat
    revolution_s: PositiveFloat
    heads: PositiveInt
    zones: PositiveInt
    outer_bytes_s: PositiveFloat
    inner_bytes_s: PositiveFloat
    seek_track_s: NonNegativeFloat
    seek_average_s: NonNegativeFloat
    seek_full_s: NonNegativeFloat
    write_settle_s: NonNegativeFloat
    command_s: NonNegativeFloat
    cached_write_s: NonNegativeFloat
    missed_revolution: float = Field(ge=0, lt=1)
    """Share of the arm's moves that take a revolution more."""
    tags: PositiveInt
    cache_entries: NonNegativeInt
    """Entries of the write cache; 0 where it is off."""
    read_ahead_bytes: NonNegativeFloat
    read_segments: PositiveInt


class StreamReaders(Record):
    """Readers before whom a controller fetches ahead, one for each stream."""

    outstanding: PositiveInt
    """Reads that each has outstanding."""
    bytes: PositiveFloat
    """Size of a read."""
    way_s: PositiveFloat
    """Time of a read that has been fetched, in s."""
    ahead: PositiveFloat
    """How often as much as is fetched at once is fetched ahead of where a reader is."""


class DiskStreams(Record):
    """Streams in order on a hard disk: reckoned command by command."""

    disk: DiskNumbers
    starts: tuple[NonNegativeFloat, ...] = Field(min_length=1)
    """First byte of each on the disk, ascending."""
    outstanding: PositiveInt
    """Commands that each has outstanding."""
    in_turn: bool = False
    """Whether streams send in turn, whoever was answered, and have so many outstanding together: a cache
    before the disk gathers what they write."""
    run: PositiveInt = 1
    """Commands of a stream in its turn: as many as become whole when the cache takes a write of it."""
    commands: PositiveInt | None = None
    """Commands that are sent to the disk at once: those beyond wait for an answer. None: any number."""
    cores: PositiveInt
    """Processor cores that begin with them: the order in which the first commands come is long kept."""
    bytes: PositiveFloat
    """Size of a command."""
    gap_bytes: NonNegativeFloat = 0.0
    """Bytes from the end of one to the beginning of the next of its stream, such as parity."""
    read_share: float = Field(ge=0, le=1)
    way_s: NonNegativeFloat
    """From the answer to a command until the next of its stream has come to the disk, or its data to who has
    sent it for readers, in s."""
    read_back_s: NonNegativeFloat = 0.0
    """By how much that is longer where a read was answered, with its data, in s."""
    link_s: NonNegativeFloat = 0.0
    """The part of it for which a read passes a link, all but its first page while more of it passes the head,
    in s."""
    link_shared: bool = False
    """Whether reads and writes pass that link by turns."""
    write_out_s: NonNegativeFloat = 0.0
    """By how much that is longer where the next is a write, with its data, in s."""
    readers: StreamReaders | None = None
    """Readers for whom the commands fetch ahead: they decide what is outstanding."""


class Fewest(Record):
    """A choice of the drive with the fewest customers."""

    of: PositiveInt
    """Drives to choose from."""
    sets: PositiveInt
    """Sets of so many, to one of which each customer goes at random."""


class NetworkStation(Made):
    """Some equal stations of a network, visited equally often.

    ``law`` is how it serves: :class:`Servers`, one queue for so many; :class:`Rates`, by how many are there;
    ``"delay"``, nobody waits. ``visits`` are those of a round to all ``copies`` together, ``service_s`` is
    what each takes in s, and ``service_scv`` says how it varies: 0 constant, 1 exponential. The other fields
    are for what accesses to drives do.
    """

    model_config = ConfigDict(allow_inf_nan=False)

    name: str
    copies: PositiveInt = 1
    """How many of them."""
    law: Literal["delay"] | Servers | Rates
    visits: NonNegativeFloat
    """Visits of an I/O to all of them together."""
    service_s: NonNegativeFloat = 0.0
    """Mean service of a visit in s; not used with rates."""
    service_scv: NonNegativeFloat = 1.0
    """Squared coefficient of variation of the service: 0 constant, 1 exponential."""
    passes: NonNegativeFloat | None = None
    """Visits one after the other, which an I/O waits for; none: all. Fewer where visits run side by
    side or behind the I/O's back."""
    passed_s: NonNegativeFloat | None = None
    """Mean service of those visits in s, where the others take longer or less; none: that of all."""
    parallel: float = Field(1.0, ge=1)
    """Visits side by side in each pass, of which the last counts."""
    apart: float | None = Field(None, ge=1)
    """The same, where those that always find the same count as one, as copies that are written together do;
    none: all of them count."""
    meeting: NonNegativeFloat = 0.0
    """How many of them come to each copy that they can go to, on average, where they go at random and
    those that meet wait for each other; 0: each has a copy of its own."""
    fewest: Fewest | None = None
    """Among which drives a customer chooses the one with the fewest others; none: it goes at random."""
    background_s: NonNegativeFloat = 0.0
    """Service of an I/O in s that nobody waits for and that gives way to visits, at all together."""
    background_wait_s: NonNegativeFloat = 0.0
    """Mean wait of a visit in s that finds such work in service. With rates 0 says that there is always some,
    and that what is served next is chosen of all: each visit lasts as much longer as it has of the time."""
    background_longest_s: NonNegativeFloat = 0.0
    """Longest such wait in s; no shorter than the mean."""
    background_together: float = Field(1.0, ge=1)
    """At how many of the stations such work begins together, as far as visits that meet find it."""
    streams: DiskStreams | None = None
    """Streams whose commands are the visits: what each takes is reckoned from them instead of given."""


class ClosedNetwork(Made):
    """A closed network: customers think for ``think_s`` seconds, visit ``stations``, and begin again."""

    model_config = ConfigDict(allow_inf_nan=False)

    think_s: NonNegativeFloat = 0.0
    """Seconds between the end of a round and the beginning of the next."""
    regular: bool = False
    """Whether customers keep step, so that they meet at the station that limits the rate and nowhere else."""
    stations: tuple[NetworkStation, ...] = Field(min_length=1)


class StationSolution(Record):
    """A station of a solved network."""

    name: str
    copies: PositiveInt
    utilisation: NonNegativeFloat
    """Busy share of the servers, 0 to 1 and a rounding error; at a delay 0. With rates: share of the best
    rate that is used."""
    busy: NonNegativeFloat
    """Share of the time in which a server works, 0 to 1 and a rounding error: with rates somebody is there,
    at whatever rate; else the utilisation."""
    mean_queue: NonNegativeFloat
    """Mean number waiting and in service, all copies together."""
    residence_s: NonNegativeFloat
    """What it adds to the time of a round, in s."""


class RateBounds(Record):
    """Between which the rate of a network lies, in rounds per second."""

    upper_s: PositiveFloat
    """At most, whatever the distributions: asymptotic."""
    lower_s: PositiveFloat | None
    """At least, where each waits for all others everywhere; none where visits run side by side."""
    balanced_upper_s: PositiveFloat | None
    """At most with exponential service at single servers; none where stations are others."""
    balanced_lower_s: PositiveFloat | None
    """At least with exponential service at single servers; none where stations are others."""


class Solution(Record):
    """A network with a number of customers."""

    customers: PositiveInt
    rate_s: PositiveFloat
    """Rounds completed per second."""
    residence_s: NonNegativeFloat
    """Mean time of a round in s, without thinking; 0 where no station takes any."""
    bottleneck: NonNegativeInt | None
    """Index of the station with the largest utilisation; none where nobody waits."""
    stations: tuple[StationSolution, ...]
    bounds: RateBounds


Solver = Callable[[ClosedNetwork, Sequence[int]], list[Solution]]
"""Solves a network for numbers of customers, ascending: ``bench.solve_network``."""


class Prediction(Record):
    """What formulas say of a point: means, and no distribution.

    A closed network is solved for means alone. So there are no percentiles, no interval and no
    course over time in it, and reads and writes have one mean latency together.
    """

    customers: NonNegativeFloat
    """I/Os outstanding: those of the point, or with a rate given what that rate keeps outstanding."""
    rate_io_s: PositiveFloat
    """I/Os per second."""
    throughput_bytes_s: PositiveFloat
    """Bytes per second."""
    latency_ns_mean: PositiveFloat
    """Mean latency of reads and writes together, in ns."""
    stations: tuple[Station, ...]
    """Utilisation and mean queue of every station; ``jobs`` are those of a second."""
    latency_split: dict[str, float]
    """Share of the mean latency by place, 0 to 1, together 1."""
    bottleneck: Bottleneck
    bounds: Bounds
    """Asymptotic bound of the rate, from the demands on the stations."""
    left_out: tuple[str, ...] = ()
    """What of the system the formulas leave out, each in a sentence."""
