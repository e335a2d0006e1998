"""Options that name a percentile of the response time, one of which has the limit that is to be kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from iodyno.cli import parameters

if TYPE_CHECKING:
    from iodyno.errors import Problem

PERCENTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p99.9": 0.999, "p99.99": 0.9999}
"""Options that name a percentile, and the share of each."""
Limits = Mapping[float, float | None]
"""Limit in s by the share of the percentile; none where it was not given."""


def limit_options(function: Any) -> Any:
    """Add an option for each percentile."""
    for name, share in reversed(PERCENTILES.items()):
        function = click.option(
            f"--{name}", name.replace(".", "_"), type=parameters.RESPONSE_LIMIT, metavar="TIME",
            help=f"Limit of the {share * 100:g}th percentile: 2ms.",
        )(function)  # fmt: skip
    return function


def limits_of(values: dict[str, Any]) -> Limits:
    """Take the limits out of what the command line says."""
    return {share: values.pop(name.replace(".", "_")) for name, share in PERCENTILES.items()}


def one_limit(limits: Limits) -> bool:
    """Tell whether one was given, and no more."""
    return sum(limit is not None for limit in limits.values()) == 1


def limit_problems(what: str, limits: Limits) -> Iterator[Problem]:
    """Say why that is no limit, where none or several were given to ``what``."""
    from iodyno.errors import Problem

    if not one_limit(limits):
        limited = [name for name, share in PERCENTILES.items() if limits[share] is not None]
        more = f", and {len(limited)} are given: --{', --'.join(limited)}" if limited else ""
        yield Problem("", f"{what} needs the limit of one percentile{more}", "give one: --p99 2ms")


def goal_of(limits: Limits) -> dict[str, float]:
    """Give percentile and limit of the one that was given."""
    ((share, limit),) = ((share, limit) for share, limit in limits.items() if limit is not None)
    return {"percentile": share, "limit": limit}
