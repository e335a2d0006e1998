"""What the command line changes of a study before it is planned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import PositiveFloat, PositiveInt

from iodyno.errors import Problem, ProfileError
from iodyno.plan import Arrival, RealEngine, WorkersArea
from iodyno.problems import did_you_mean, named_again
from iodyno.profiles import STANDARD_LOADS, Area, Record, Share
from iodyno.study.conditioning import SHORTCUTS, Shortcut
from iodyno.study.configuration import SimulationOptions
from iodyno.study.lists import Listed
from iodyno.study.model import AXES, Measurement, Outstanding, Seed, Study, Sweep, Workers
from iodyno.study.references import relative_beside


def is_real(sweep: Sweep) -> bool:
    """Tell whether a measurement of real targets takes a sweep."""
    return sweep.real


class Rates(Record):
    """Rates of an open loop: in IO/s, or as shares of what the target can serve; neither: a closed loop."""

    io_s: tuple[PositiveFloat, ...] = ()
    shares: tuple[PositiveFloat, ...] = ()


class Overrides(Record):
    """Choices that replace those of a study; none: the study's own."""

    sweeps: tuple[str, ...] = ()
    """Only these sweeps of the study, by name; all where none is given."""
    profiles: tuple[str, ...] = ()
    """Only these profiles; one that no sweep has joins the first sweep that runs."""
    outstanding: Annotated[tuple[Outstanding, ...], Listed] = ()
    """Outstanding I/Os per target and worker, 1 to 4096."""
    workers: Annotated[tuple[Workers, ...], Listed] = ()
    """Workers, 1 to 1024."""
    rates: Rates | None = None
    """Rates of an open loop instead of the sweeps' own load."""
    arrival: Arrival | None = None
    """How arrivals are spaced where a rate is given."""
    workers_area: WorkersArea | None = None
    """Which part of the area a worker accesses."""
    block_sizes: tuple[PositiveInt, ...] = ()
    """Block sizes in bytes, up to 64 MiB, instead of those of the profiles."""
    read_share: tuple[Share, ...] = ()
    """Shares of accesses that read, 0 to 1."""
    random_share: tuple[Share, ...] = ()
    """Shares of accesses at a random offset, 0 to 1."""
    which_targets: Literal["together", "each"] | tuple[PositiveInt, ...] | None = None
    """Targets that sweeps load instead of their own, as they name them."""
    targets_per_worker: int | None = None
    """Targets that a worker drives; each such part of the targets has workers of its own."""
    area: Area | None = None
    """The part of each target that is accessed."""
    engine: RealEngine | None = None
    """Engine that asks the target."""
    direct: bool | None = None
    """Bypass the caches of the operating system."""
    verify: bool | None = None
    """Stamp what is written, check what is read."""
    write_through: bool | None = None
    """Each write is durable before it is complete."""
    cold_cache: bool | None = None
    """Drop what the operating system has of the targets before each point."""
    iopoll: bool | None = None
    """Ask the device for completions."""
    pinning: str | None = None
    """Processors that the workers run on: ``node``, ``none`` or a list."""
    seed: Seed | None = None
    """Seed of every draw."""
    warmup_s: float | None = None
    """Seconds of load before anything is counted."""
    floor_s: float | None = None
    """Least seconds after the warm-up, what is cut off as not settled among them."""
    cap_s: float | None = None
    """Most measured seconds; a floor above it comes down with it."""
    precision: float | None = None
    """Half-width of the interval to reach, as a share of the mean."""
    warmup_ios: int | None = None
    """Simulated I/Os before anything is counted."""
    floor_ios: int | None = None
    """Least simulated I/Os after the warm-up, what is cut off as not settled among them."""
    cap_ios: int | None = None
    """Most counted simulated I/Os, no fewer than the floor."""
    size: PositiveInt | None = None
    """Size of the file that iodyno makes, in bytes."""
    condition: Shortcut | None = None
    """What is done to real targets first, instead of what the study says."""

    @property
    def changes_loads(self) -> bool:
        """Whether sweeps have other loads with these choices."""
        given = self.profiles or self.outstanding or self.workers or self.which_targets
        return bool(given) or self.rates is not None or self.targets_per_worker is not None

    def apply(self, study: Study, runs: Callable[[Sweep], bool] = is_real) -> Study:
        """Give the study with these choices in it.

        Parameters
        ----------
        study
            The study.
        runs
            Tells which of its sweeps run; left out, those for real targets.

        Raises
        ------
        ProfileError
            If a sweep or profile is not known, or a floor is above its cap.
        """
        problems = [*self.wrong_names(study), *self._time_problems()]
        if not problems:
            study = self._only_sweeps(study)
        problems += [*self._cap_problems(study), *self._arrival_problems(study)]
        if problems:
            raise ProfileError(*problems)
        changes: dict[str, Any] = {
            "measurement": self._measurement(study.measurement),
            "simulation": self._simulation(study.simulation),
            "sweep": self._sweeps(study, runs),
        }
        wrong = [sweep for sweep in changes["sweep"] if runs(sweep) and sweep.beside and sweep.rate_share]
        if wrong:
            raise ProfileError(*(relative_beside(f"sweep {sweep.name}", "rate_share") for sweep in wrong))
        if self.warmup_ios is not None:
            items = (item.model_copy(update={"warmup_of": {}}) for item in study.configuration)
            changes["configuration"] = tuple(items)
        if self.size is not None:
            changes["file"] = study.file.model_copy(update={"size": self.size})
        if self.condition is not None:
            changes["conditioning"] = SHORTCUTS[self.condition]
        return study.model_copy(update=changes)

    def lacking(self, study: Study, runs: Callable[[Sweep], bool]) -> tuple[list[str], list[str]]:
        """Give the profiles that were asked for and that only sweeps have which do not run, and those of the
        sweeps that do."""
        chosen = self._only_sweeps(study).sweep
        own = list(dict.fromkeys(name for sweep in chosen if runs(sweep) for name in sweep.profile_names))
        others = {name for sweep in chosen if not runs(sweep) for name in sweep.profile_names}
        return [name for name in self.profiles if name in others and name not in own], own

    def wrong_names(self, study: Study) -> list[Problem]:
        """Give the sweeps and profiles that are asked for and that there are not, or that are named twice."""
        twice = (
            *named_again("--sweep", self.sweeps, "sweep"),
            *named_again("--profile", self.profiles, "profile"),
        )
        return [*twice, *self._unknown_sweeps(study), *self._unknown_profiles(study)]

    def _unknown_sweeps(self, study: Study) -> list[Problem]:
        known = [sweep.name for sweep in study.sweep]
        return [
            Problem("--sweep", f'{study.name} has no sweep "{name}"', did_you_mean(name, known, "sweeps"))
            for name in dict.fromkeys(self.sweeps)
            if name not in known
        ]

    def _only_sweeps(self, study: Study) -> Study:
        chosen = tuple(sweep for sweep in study.sweep if not self.sweeps or sweep.name in self.sweeps)
        return study.model_copy(update={"sweep": chosen})

    def _unknown_profiles(self, study: Study) -> list[Problem]:
        known = [*STANDARD_LOADS, *(profile.name for profile in study.profile)]
        return [
            Problem("--profile", f'there is no profile "{name}"', did_you_mean(name, known, "profiles"))
            for name in dict.fromkeys(self.profiles)
            if name not in known
        ]

    def _time_problems(self) -> list[Problem]:
        found = []
        if self.floor_s is not None and self.cap_s is not None and self.floor_s > self.cap_s:
            what = f"{self.floor_s:g} s is above --cap, {self.cap_s:g} s"
            found.append(Problem("--floor", what, "lower --floor or raise --cap"))
        if self.floor_ios is not None and self.cap_ios is not None and self.floor_ios > self.cap_ios:
            what = f"{self.floor_ios} is above --cap-ios, {self.cap_ios}"
            found.append(Problem("--floor-ios", what, "lower --floor-ios or raise --cap-ios"))
        return found

    def _arrival_problems(self, study: Study) -> list[Problem]:
        asked = self.rates is not None and bool(self.rates.io_s or self.rates.shares)
        rates = asked or (
            self.rates is None and any(sweep.rate_io_s or sweep.relative for sweep in study.sweep)
        )
        if self.arrival is None or rates:
            return []
        if self.rates is not None:
            what = "is given beside --rate none, which is a closed loop"
            return [Problem("--arrival", what, "leave --arrival out, or give rates")]
        return [Problem("--arrival", "is given without a rate", "give --rate too")]

    def _cap_problems(self, study: Study) -> list[Problem]:
        floor = study.simulation.floor_ios
        if self.cap_ios is None or self.floor_ios is not None or self.cap_ios >= floor:
            return []
        what = f"{self.cap_ios} is below floor_ios of the study, {floor}"
        return [
            Problem("--cap-ios", what, f"raise --cap-ios, or give --floor-ios {self.cap_ios} or less too")
        ]

    def _measurement(self, old: Measurement) -> Measurement:
        names = (
            "engine", "direct", "verify", "write_through", "cold_cache", "iopoll", "pinning",
            "targets_per_worker", "seed", "warmup_s", "floor_s", "cap_s", "precision",
        )  # fmt: skip
        given = {name: value for name in names if (value := getattr(self, name)) is not None}
        if self.floor_s is None and self.cap_s is not None:
            given["floor_s"] = min(old.floor_s, self.cap_s)
        if self.cap_s is None and self.floor_s is not None:
            given["cap_s"] = max(old.cap_s, self.floor_s)
        return old.model_copy(update=given)

    def _simulation(self, old: SimulationOptions) -> SimulationOptions:
        names = ("warmup_ios", "floor_ios", "cap_ios", "precision")
        given = {name: value for name in names if (value := getattr(self, name)) is not None}
        if self.warmup_ios is not None:
            given["warmup_of"] = {}
        if self.cap_ios is None and self.floor_ios is not None:
            given["cap_ios"] = max(old.cap_ios, self.floor_ios)
        return old.model_copy(update=given)

    def _sweeps(self, study: Study, runs: Callable[[Sweep], bool]) -> tuple[Sweep, ...]:
        chosen = _choose(study.sweep, self.profiles, runs) if self.profiles else study.sweep
        return tuple(self._sweep(sweep) for sweep in chosen)

    def _sweep(self, old: Sweep) -> Sweep:
        given: dict[str, Any] = {}
        if self.outstanding:
            given["outstanding"] = self.outstanding
        if self.workers:
            given["workers"] = self.workers
        if self.rates is not None:
            given |= {"rate_io_s": self.rates.io_s, "rate_share": self.rates.shares, "search": None}
            given |= {} if self.outstanding else {"outstanding": ()}
        if self.cap_ios is not None or self.floor_ios is not None:
            given["cap_ios"] = None
        if self.arrival is not None:
            given["arrival"] = self.arrival
        if self.targets_per_worker is not None:
            given["targets_per_worker"] = None
        if self.workers_area is not None:
            given["workers_area"] = (self.workers_area,)
        for axis in ("block_sizes", "read_share", "random_share"):
            given |= {axis: values} if (values := getattr(self, axis)) else {}
        if self.which_targets is not None:
            given["targets"] = self.which_targets
        if self.area is not None:
            given["area"] = (self.area,)
        order = (*old.order, *(axis for axis in given if axis in AXES and axis not in old.order))
        order = tuple(axis for axis in order if given.get(axis, True) != ())
        if self.engine is not None:
            given["engine"] = ()
            order = tuple(axis for axis in order if axis != "engine")
        return old.model_copy(update={**given, "order": order})


def _choose(
    sweeps: tuple[Sweep, ...], names: tuple[str, ...], runs: Callable[[Sweep], bool]
) -> tuple[Sweep, ...]:
    """Keep these profiles in the sweeps that have them; the others join the first sweep that runs."""
    kept = [tuple(name for name in sweep.profile_names if name in names) for sweep in sweeps]
    missing = tuple(name for name in names if not any(name in part for part in kept))
    kept[next((place for place, sweep in enumerate(sweeps) if runs(sweep)), 0)] += missing
    return tuple(
        sweep.model_copy(update={"set": None, "profiles": part})
        for sweep, part in zip(sweeps, kept, strict=True)
        if part
    )
