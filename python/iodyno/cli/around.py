"""What is done around a run: its record, its files, and its end, whatever happens in between."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from iodyno.bench import Ledger
    from iodyno.cli.views import View
    from iodyno.conditioning.conducting import Conditioner
    from iodyno.errors import Problem
    from iodyno.events import RunStarted
    from iodyno.plan import Plan, Point
    from iodyno.store import Store
    from iodyno.store.records import Run, RunStatus
    from iodyno.targets import Permissions, Target


@contextmanager
def ending(store: Store, run: Run, view: View) -> Iterator[None]:
    """End the run in the store whatever happens, and say how to go on where it ended too early.

    A run that is refused before it is :func:`under_way` is as if it had not begun: none is left where it is
    new, and one that goes on stays as it was.
    """
    from iodyno.cli.ending import FAILED, InterruptedRunError, UnreadRunError, say
    from iodyno.errors import IodynoError

    try:
        yield
    except KeyboardInterrupt:
        with _deaf_to_ctrl_c():
            kept = _end_early(store, run, view, "interrupted")
        raise InterruptedRunError(kept, _how_to_go_on(run)) from None
    except BaseException as error:
        if isinstance(error, IodynoError) and error.exit_code != FAILED:
            with suppress(IodynoError, OSError):
                store.take_back(run.id)
        else:
            say("failed", _end_early(store, run, view, "failed"), _how_to_go_on(run))
        if isinstance(error, BrokenPipeError):
            raise UnreadRunError from None
        raise
    _end(store, run, view, "finished")


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Let no second Ctrl-C come between the first and what it leaves to write down, which takes a moment."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def afterwards(run: Run) -> Iterator[None]:
    """Say at Ctrl-C that the run is finished and kept, whatever of its summary and papers is missing."""
    from iodyno.cli.ending import InterruptedRunError

    try:
        yield
    except KeyboardInterrupt:
        kept, hint = f"run {run.id} is finished and kept", f"`iodyno report {run.id}` writes the paper"
        raise InterruptedRunError(kept, hint) from None


_ALLOWED = ("--write-existing", "--overwrite-signature")
"""What a command that goes on has to allow again; an identity has to be typed again, too."""


def _how_to_go_on(run: Run) -> str:
    allowed = "".join(f" {flag}" for flag in _ALLOWED if flag in run.command)
    typed = " --identity …" if any(word.partition("=")[0] == "--identity" for word in run.command) else ""
    return f"`iodyno {'simulate' if run.simulated else 'measure'} --resume {run.id}{allowed}{typed}` goes on"


def _end_early(store: Store, run: Run, view: View, status: RunStatus) -> str:
    """End the run as well as the store still can, and say what is kept of it."""
    from iodyno.cli.wording import points_text
    from iodyno.errors import IodynoError

    kept = "the points that were finished are"
    with suppress(IodynoError, OSError):
        done, planned = len(store.done(run.id)), len(run.plan.points)
        kept = f"{done} of {points_text(planned)} {'is' if 1 in (done, planned) else 'are'}"
        _end(store, run, view, status)
    return f"{kept} kept in run {run.id}"


def _end(store: Store, run: Run, view: View, status: RunStatus) -> int:
    from iodyno.events import RunFinished

    done = len(store.done(run.id))
    store.finish(run.id, status)
    view(RunFinished(run=run.id, status=status, done=done))
    return done


@contextmanager
def ctrl_c_for_every_end() -> Iterator[None]:
    """Treat a closed terminal and a request to end like Ctrl-C: the file is removed, the run kept.

    What is ignored stays ignored: under nohup a closed terminal ends nothing.
    """

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    heard = [
        number for number in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(number) is not signal.SIG_IGN
    ]
    before = {number: signal.signal(number, interrupt) for number in heard}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def under_way() -> Iterator[None]:
    """Let what goes wrong from here on end with 1: the request was good, and what fails now has failed."""
    from iodyno.cli.ending import FAILED
    from iodyno.errors import IodynoError

    try:
        yield
    except IodynoError as error:
        error.exit_code = FAILED
        raise


@contextmanager
def hang_told() -> Iterator[None]:
    """Say after Ctrl-C what the program waits for, where a device holds it up."""
    from iodyno import bench
    from iodyno.cli.ending import say

    try:
        yield
    except KeyboardInterrupt:
        if bench.held_up():
            say(
                "waiting", "I/Os are under way that the device has not answered: the program ends when it has"
            )
        raise


@contextmanager
def made(targets: tuple[Target, ...], allowed: Permissions, *, keep: bool) -> Iterator[tuple[Target, ...]]:
    """Make the files that are iodyno's to make, and remove them again unless they are kept.

    A file that cannot be removed is told of, and hides no other failure.
    """
    from iodyno.targets import claimed, recheck

    recheck(targets, permissions=allowed)
    with claimed(targets):
        yield from _made(targets, allowed, keep=keep)


def _made(targets: tuple[Target, ...], allowed: Permissions, *, keep: bool) -> Iterator[tuple[Target, ...]]:
    from iodyno.cli.ending import say
    from iodyno.errors import TargetError
    from iodyno.targets import create_file

    ready: list[Target] = []
    try:
        for target in targets:
            ready.append(create_file(target, allowed) if target.created else target)
        yield tuple(ready)
    except BaseException as error:
        for problem in _clear_away(ready, keep=keep, doubtful=isinstance(error, TargetError)):
            say("error", str(problem), problem.hint)
        raise
    left = _clear_away(ready, keep=keep)
    if left:
        with under_way():
            raise TargetError(*left)


def _clear_away(ready: list[Target], *, keep: bool, doubtful: bool = False) -> list[Problem]:
    """Remove or keep every file that was made, and give what went wrong with any of them. ``doubtful``: the
    run ended because something was wrong with a target."""
    from iodyno.errors import Problem, TargetError
    from iodyno.targets import keep_file, remove_file

    problems: list[Problem] = []
    for target in ready:
        try:
            if target.created and keep:
                keep_file(target, doubtful=doubtful)
            elif target.created:
                remove_file(target)
        except TargetError as error:
            problems += error.problems
        except OSError as error:
            problems.append(Problem(target.asked, f"cannot be marked as kept: {error.strerror}"))
    return problems


def conditioner_of(store: Store, run: Run, targets: tuple[Target, ...], view: View) -> Conditioner | None:
    """Make what conditions the targets of a run and keeps each step; none where the plan says nothing."""
    from iodyno import bench

    if run.plan.conditioning is None:
        return None
    return bench.conditioner(
        run.plan,
        targets,
        steps=store.steps(run.id),
        earlier=lambda path: store.conditioned_before(run.id, path),
        keep=lambda step: store.add_step(run.id, step),
        listener=view,
    )


def refuse_engines(plan: Plan) -> None:
    """Refuse engines that cannot run here, before a file is made or a run begins.

    Raises
    ------
    EngineError
        With every engine of the plan that this machine does not allow, and why.
    """
    from iodyno import bench
    from iodyno.errors import EngineError, Problem

    reasons = bench.engines()
    asked = dict.fromkeys(load.engine for point in plan.points for load in point.loads)
    hint = "`auto` takes what the kernel allows; `iodyno doctor` tells what this machine can do"
    problems = [
        Problem("", f"the engine {name} cannot run here: {why}", hint)
        for name in asked
        if (why := reasons.get(name))
    ]
    if problems:
        raise EngineError(*problems)


def refuse_purge(plan: Plan, targets: tuple[Target, ...]) -> None:
    """Refuse a purge that a target cannot do, before anything is written."""
    from iodyno.errors import TargetError
    from iodyno.targets import discard_problems

    if plan.conditioning and plan.conditioning.purge == "discard":
        problems = list(discard_problems(targets))
        if problems:
            raise TargetError(*problems)


@contextmanager
def remembered(
    store: Store, run: Run, targets: tuple[Target, ...], ledger: Ledger | None, *, keep: bool
) -> Iterator[Callable[[Point | None], None]]:
    """Keep what a verified run has written where beside the store, as long as its targets stay.

    The function that it gives keeps the ledger as it is now, before this point or none: for ``iodyno verify``
    after a crash.
    """
    from iodyno import bench
    from iodyno.store import ledger_path

    path = ledger_path(store.path, run.id)

    def now(before: Point | None = None) -> None:
        if ledger is not None:
            bench.keep_ledger(ledger, path, before)

    try:
        yield now
    finally:
        gone = all(target.created and not Path(target.path).exists() for target in targets)
        if ledger is not None and not keep and gone:
            path.unlink(missing_ok=True)


def command_line(secrets: Sequence[str] = ()) -> tuple[str, ...]:
    """Give the words of the command that runs, without these."""
    words = sys.argv[1:]
    for secret in secrets:
        words = [word.replace(secret, "left-out") for word in words]
    return ("iodyno", *words)


def run_started(run: Run, done: frozenset[int]) -> RunStarted:
    from iodyno.events import RunStarted

    left = [point for point in run.plan.points if point.index not in done]
    rounds = run.plan.conditioning.longest_s if run.plan.conditioning else 0.0
    return RunStarted(
        run=run.id,
        study=run.plan.study,
        points=len(run.plan.points),
        done=len(done),
        longest_s=rounds + sum(point.longest_s for point in left if not point.simulated),
    )
