"""Calling the command line from tests, with a bench that measures nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import pytest

import iodyno
from factories import default_rate, make_result, make_tool
from iodyno.cli.commands import iodyno as command_line
from iodyno.cli.ending import exit_code_of
from iodyno.events import Filling, Listener, PointFinished, PointStarted, Sample
from iodyno.plan import Plan, Point
from iodyno.reading import (
    Bottleneck,
    Bounds,
    EngineFacts,
    Observation,
    PointResult,
    Simulation,
    Station,
)
from iodyno.targets import Target


@dataclass(frozen=True)
class Said:
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str


class CommandLine:
    """Calls commands as a user would."""

    def __init__(self, capture: pytest.CaptureFixture[str]) -> None:
        self._capture = capture

    def __call__(self, *arguments: object) -> Said:
        """Run a command."""
        self._capture.readouterr()
        code = exit_code_of(command_line, [str(argument) for argument in arguments])
        printed = self._capture.readouterr()
        return Said(code, printed.out, printed.err)


@dataclass
class Bench:
    """Stands in for the engine: gives made-up readings at once."""

    change: Callable[[PointResult], PointResult] = lambda result: result
    """Applied to each result."""
    interrupt_at: int | None = None
    """Index of the point at which Ctrl-C is pressed."""
    fail_at: int | None = None
    """Index of the point at which something breaks."""
    measured: list[int] = field(default_factory=list)
    """Indices of the points that were measured."""
    filled: list[str] = field(default_factory=list)
    """Paths of the files that were written."""

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Put this in the place of ``iodyno.bench``."""
        from iodyno.bench import solve_network, toml_lines

        module: Any = ModuleType("iodyno.bench")
        module.solve_network, module.toml_lines = solve_network, toml_lines
        module.build_facts = lambda: make_tool().model_dump()
        module.engines = lambda: {"io_uring": "", "aio": "", "sync": "", "null": "", "nop": ""}
        module.prepare, module.measure = self.prepare, self.measure
        module.simulate = self.simulate
        module.ledger_of = lambda plan: None
        module.held_up = lambda: False
        monkeypatch.setitem(sys.modules, "iodyno.bench", module)
        monkeypatch.setattr(iodyno, "bench", module, raising=False)

    def prepare(
        self,
        targets: Sequence[Target],
        seed: int,
        listener: Listener,
        *,
        data: object = None,
        ledger: object = None,
    ) -> None:
        """Tell that the files are written."""
        for target in targets:
            if target.contents == "to_be_written":
                self.filled.append(target.path)
                for part in (0, target.size_bytes // 2, target.size_bytes):
                    listener(Filling(path=target.path, done_bytes=part, total_bytes=target.size_bytes))

    def measure(
        self,
        plan: Plan,
        targets: Sequence[Target],
        *,
        earlier: Sequence[PointResult],
        listener: Listener,
        before: Callable[[Point], object] = lambda _: (),
        after: Callable[[Point], object] = lambda _: (),
        ledger: object = None,
    ) -> Iterator[PointResult]:
        """Give a result for each point that is not done."""
        done = {result.point.index for result in earlier}
        for point in plan.points:
            if point.index not in done:
                before(point)
                listener(PointStarted(point=point))
                self._break_off(point)
                listener(make_sample(point))
                result = self.change(make_result(point))
                after(point)
                self.measured.append(point.index)
                listener(PointFinished(result=result))
                yield result

    def simulate(
        self,
        plan: Plan,
        *,
        jobs: int | None = None,
        earlier: Sequence[PointResult] = (),
        analytic: bool = False,
        keep: Callable[[Sequence[PointResult]], None] = lambda _: None,
        listener: Listener = lambda _: None,
    ) -> Iterator[PointResult]:
        """Give a simulated result for each point that is not done; calculated ones are a tenth slower."""
        done = {result.point.index for result in earlier}
        for point in plan.points:
            if point.index not in done:
                self._break_off(point)
                self.measured.append(point.index)
                result = self.change(simulated_result(point, slower=1.1 if analytic else 1.0))
                keep([result])
                yield result
                listener(PointFinished(result=result))

    def _break_off(self, point: Point) -> None:
        if point.index == self.interrupt_at:
            raise KeyboardInterrupt
        if point.index == self.fail_at:
            raise RuntimeError("it broke")


def simulated_result(point: Point, slower: float = 1.0) -> PointResult:
    """Make the result of a simulated point: the disk's links are its limit from 8 outstanding I/Os on."""
    saturated = point.outstanding_total >= 8
    where = Simulation(
        model_version=1,
        virtual_s=3.0,
        events=1000,
        stations=(
            Station(name="core 0", place="host_cpu", utilisation_mean=0.4, utilisation_max=0.4, jobs=10),
            Station(
                name="made-up drive: write buffer", place="drive_room", room=True, utilisation_mean=1.0,
                utilisation_max=1.0, mean_queue=1.5, jobs=10,
            ),
            Station(
                name="made-up link", place="disk_link", count=2, utilisation_mean=0.97 if saturated else 0.3,
                utilisation_max=0.98 if saturated else 0.3, mean_queue=2.5, jobs=20,
            ),
        ),
        latency_split={"host_cpu": 0.25, "disk_link": 0.75},
        bottleneck=Bottleneck(
            station="made-up link" if saturated else None, place="disk_link",
            utilisation=0.97 if saturated else 0.4, kind="saturated" if saturated else "outstanding",
        ),
        bounds=Bounds(rate_io_s=1e6),
    )  # fmt: skip
    facts = EngineFacts(name="simulator", direct=True, clock="virtual")
    rate = default_rate(point) / slower
    return make_result(point, engine=facts, simulation=where, rate_io_s=rate, observation=Observation())


def make_sample(point: Point, **changes: Any) -> Sample:
    """Make the sample of a window of 100 ms."""
    values: dict[str, Any] = {
        "index": point.index, "phase": "measured", "elapsed_s": 1.5, "rate_io_s": 41_234.0,
        "throughput_bytes_s": 337_000_000.0, "latency_mean_ns": 193_000.0, "p99_ns": 912_000,
        "half_width": 0.018,
    }  # fmt: skip
    return Sample.model_validate({**values, **changes})
