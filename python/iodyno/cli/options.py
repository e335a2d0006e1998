"""Options that several commands share."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import click

from iodyno.cli import parameters
from iodyno.cli.papers import language_option
from iodyno.cli.suggesting import complete_profiles, complete_sweeps

F = TypeVar("F", bound=Callable[..., Any])
WORKERS_AREAS = ("shared", "own", "stream")
ENGINES = ("auto", "io_uring", "aio", "sync", "null", "nop")

store_option = click.option(
    "--store",
    type=parameters.StoreFile(),
    metavar="FILE",
    help="Where runs are kept; $IODYNO_STORE or the user's data folder otherwise.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
plan_option = click.option("--plan", "plan_only", is_flag=True, help="Print every point, decided, and stop.")
approximate_option = click.option(
    "--approximate",
    is_flag=True,
    help="Run a job file of fio although not all of it is honoured: each option left out is named.",
)
_rate_option = click.option(
    "--rate", "rates", type=parameters.RATES, metavar="LIST",
    help="Open loop: IO/s in all, 1000,20000, or shares of what the target can serve, 20%,80%,110%: that "
    "is found first. --outstanding is then the most of them. none: no rate, a closed loop.",
)  # fmt: skip
_which_option = click.option(
    "--targets", "which_targets", type=parameters.WHICH, metavar="LIST",
    help="Targets that are loaded: their numbers from 1 on, 2 or 1,3; each: one after the other; together: "
    "all at once.",
)  # fmt: skip
_axis_options = (
    click.option(
        "--block-sizes", type=parameters.BLOCK_SIZES, metavar="LIST",
        help="Block sizes instead of those of the profiles: 4k,64k.",
    ),
    click.option(
        "--read-share", type=parameters.SHARES, metavar="LIST",
        help="Shares of accesses that read instead of those of the profiles: 0,70%,1.",
    ),
    click.option(
        "--random-share", type=parameters.SHARES, metavar="LIST",
        help="Shares of accesses that are random instead of those of the profiles.",
    ),
)  # fmt: skip
_targets_option = click.option(
    "--targets-per-worker", type=parameters.COUNT, metavar="NUMBER",
    help="Targets that a worker drives: with 1 each has workers of its own.  [default: all]",
)  # fmt: skip
_through_option = click.option(
    "--write-through", is_flag=True, default=None, help="Each write is durable before it is complete."
)
_sweep_option = click.option(
    "--sweep", "sweeps", multiple=True, metavar="NAME", shell_complete=complete_sweeps,
    help="Only this sweep of the study; may be repeated.",
)  # fmt: skip
study_options = (
    click.option(
        "--profile", "profiles", multiple=True, metavar="NAME", shell_complete=complete_profiles,
        help="Only this profile of the study, or one that it lacks with the axes of its first sweep that "
        "runs; may be repeated.",
    ),
    click.option(
        "--outstanding", type=parameters.INTENSITY, metavar="LIST",
        help="Outstanding I/Os per target and worker: 1,8,32, powers-of-two or one-three-eight.",
    ),
    click.option("--workers", type=parameters.NUMBERS, metavar="LIST", help="Workers: 1 or 1,2,4."),
    click.option(
        "--workers-area", type=click.Choice(WORKERS_AREAS),
        help="What a worker accesses: the whole area, a part of its own, or the next block of one stream.",
    ),
    _rate_option,
    click.option(
        "--arrival", type=click.Choice(("fixed", "poisson")),
        help="How arrivals are spaced where a rate is given.",
    ),
    click.option(
        "--area", type=parameters.AREA, metavar="AREA",
        help="Part of each target that is accessed: 32G, 25%, or 25%@10% for 25% from 10% on.",
    ),
    click.option(
        "--size", type=parameters.SIZE, metavar="SIZE",
        help="Size of the file that iodyno makes: 8G. Powers of 1024. A file that is there keeps its own.",
    ),
    click.option("--engine", type=click.Choice(ENGINES), help="Engine that asks the target."),
    click.option(
        "--verify", is_flag=True, default=None,
        help="Stamp what is written, check what is read, and read everything once more after the load.",
    ),
    *_axis_options,
    _which_option,
    _targets_option,
    _through_option,
    click.option(
        "--cold-cache", is_flag=True, default=None,
        help="With --buffered: drop what memory has of the targets before each point.",
    ),
    click.option(
        "--iopoll", is_flag=True, default=None, help="Poll the device instead of waiting for interrupts."
    ),
    click.option(
        "--pinning", type=parameters.PINNING, metavar="CPUS",
        help="Processors of the workers: node (of the device), none, or 0-3,8.",
    ),
    click.option("--precision", type=parameters.PRECISION, metavar="SHARE", help="Half-width to reach: 2%."),
    click.option("--warmup", "warmup_s", type=parameters.WARMUP, metavar="TIME", help="Warm-up: 2s."),
    click.option(
        "--floor", "floor_s", type=parameters.TIME, metavar="TIME",
        help="Least after the warm-up, what is cut off as not settled included: 5s.",
    ),
    click.option("--cap", "cap_s", type=parameters.TIME, metavar="TIME", help="Most measured: 60s."),
    click.option("--seed", type=parameters.SEED, metavar="NUMBER", help="Seed of every draw."),
    click.option(
        "--condition", type=click.Choice(("none", "fill", "fill-twice", "steady")),
        help="Before measuring: write the targets in full once or twice; steady: twice, then rounds of each "
        "profile's load until SNIA's steady state. Devices need the permissions for writing.",
    ),
)  # fmt: skip
_IOS_OPTIONS = (
    click.option(
        "--warmup-ios", type=parameters.COUNT_OR_NONE, metavar="NUMBER",
        help="I/Os not counted: 20000; 24 times the outstanding ones where that is more.",
    ),
    click.option(
        "--floor-ios", type=parameters.COUNT, metavar="NUMBER",
        help="About the least I/Os after the warm-up, what is cut off as not settled included: 20000; 24 "
        "times the outstanding ones where that is more.",
    ),
    click.option(
        "--cap-ios", type=parameters.COUNT, metavar="NUMBER",
        help="Most counted I/Os: 200000; 48 times the outstanding ones where that is more.",
    ),
)  # fmt: skip
"""How long a point is simulated."""
IOS_VALUES = ("warmup_ios", "floor_ios", "cap_ios")
_hidden_rate = click.option(
    "--rate", "rates", type=parameters.RATES, hidden=True, help="What a search looks for."
)
_searched_profile = click.option(
    "--profile", "profiles", multiple=True, metavar="NAME", shell_complete=complete_profiles,
    help="Load profile to search with, needed; may be repeated. `iodyno profiles` lists them.",
)  # fmt: skip
_most_outstanding = click.option(
    "--outstanding", type=parameters.INTENSITY, metavar="LIST",
    help="Most outstanding I/Os per target and worker of the open loop: what is due beyond waits.  "
    "[default: 512]",
)  # fmt: skip
_search_options = (
    _searched_profile,
    _most_outstanding,
    *(_hidden_rate if option is _rate_option else option for option in study_options[2:]),
    *_IOS_OPTIONS,
)
_STUDY_VALUES = (
    "profiles", "outstanding", "workers", "workers_area", "rates", "arrival", "area", "size", "engine",
    "verify", "block_sizes", "read_share", "random_share", "which_targets", "targets_per_worker",
    "write_through", "cold_cache", "iopoll", "pinning", "precision", "warmup_s", "floor_s", "cap_s", "seed",
    "condition",
)  # fmt: skip
simulation_options = (
    _sweep_option,
    *study_options[:7],
    *_axis_options,
    _which_option,
    _targets_option,
    _through_option,
    click.option("--precision", type=parameters.PRECISION, metavar="SHARE", help="Half-width to reach: 1%."),
    *_IOS_OPTIONS,
    click.option("--seed", type=parameters.SEED, metavar="NUMBER", help="Seed of every draw."),
)
_SIMULATION_VALUES = (
    "profiles", "outstanding", "workers", "workers_area", "rates", "arrival", "area",
    "block_sizes", "read_share", "random_share", "which_targets", "targets_per_worker", "write_through",
    "precision", *IOS_VALUES, "seed",
)  # fmt: skip
permission_options = (
    click.option("--buffered", is_flag=True, help="Go through the caches of the operating system."),
    click.option(
        "--write-existing", is_flag=True,
        help="Allow writing to devices and to files that iodyno did not make. What they hold is lost.",
    ),
    click.option(
        "--identity", multiple=True, metavar="TEXT",
        help="Serial number or WWN of a device that may be written, or its size in bytes where it has "
        "neither; may be repeated.",
    ),
    click.option(
        "--overwrite-signature", is_flag=True,
        help="Allow writing to a device that has a file system or a partition table.",
    ),
)  # fmt: skip
PERMISSION_VALUES = ("buffered", "write_existing", "identity", "overwrite_signature")


def outcome_options(what: str) -> Callable[[F], F]:
    """Add the options on what is written and printed of a run, or of whatever it is called."""
    report = click.option(
        "-o", "--report", "reports", multiple=True, type=parameters.File(), metavar="FILE",
        help=f"Write the paper when the {what} is done, .pdf or .html; may be repeated.",
    )  # fmt: skip
    events = click.option("--json", "as_json", is_flag=True, help="Print each event as a line of JSON.")
    quiet = click.option("--quiet", "-q", is_flag=True, help="Print nothing but errors.")

    def refusing(function: F) -> F:
        @functools.wraps(function)
        def call(**values: Any) -> Any:
            events_only = not (values.get("plan_only") or values.get("analytic"))
            if values["as_json"] and values["quiet"] and events_only:
                from iodyno.cli.ending import HintedUsageError

                what = "--json prints every event, and --quiet nothing but errors"
                raise HintedUsageError(what, "leave one of them out")
            return function(**values)

        return call  # type: ignore[return-value]

    return lambda function: report(language_option(events(quiet(refusing(function)))))


def choices_of_a_study(function: F) -> F:
    """Add the options that change a study; the function gets them as ``overrides``."""
    return _gathered(function, (_sweep_option, *study_options), ("sweeps", *_STUDY_VALUES), "overrides")


def choices_of_a_search(function: F) -> F:
    """Add the options of a study and those of simulations, but for the rate, which a search looks for: it is
    known, to be refused."""
    return _gathered(function, _search_options, (*_STUDY_VALUES, *IOS_VALUES), "overrides")


def choices_of_a_simulation(function: F) -> F:
    """Add the options that change what is simulated; the function gets them as ``overrides``."""
    return _gathered(function, simulation_options, ("sweeps", *_SIMULATION_VALUES), "overrides")


def permissions(function: F) -> F:
    """Add the options that allow what is refused otherwise; the function gets ``permissions``."""
    return _gathered(function, permission_options, PERMISSION_VALUES, "permissions")


def _gathered(function: F, options: tuple[Callable[[Any], Any], ...], names: tuple[str, ...], into: str) -> F:
    @functools.wraps(function)
    def call(**values: Any) -> Any:
        gathered = {name: values.pop(name) for name in names}
        return function(**values, **{into: gathered})

    command: Any = call
    for option in reversed(options):
        command = option(command)
    return command  # type: ignore[no-any-return]
