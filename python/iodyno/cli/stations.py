"""The stations of a virtual system at the maxima of a simulated run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iodyno.analysis.configurations import ConfigurationMaximum, configuration_maxima, volumes_of
from iodyno.analysis.figures import point_figures
from iodyno.cli.wording import series_titles
from iodyno.rates import answers
from iodyno.reading import Simulation, Station
from iodyno.report.names import PLACE_NAMES, main_unit
from iodyno.report.plain import ENGLISH, load_text

if TYPE_CHECKING:
    from rich.console import Console

    from iodyno.store.records import StoredRun

MOST = 10
"""Maxima whose stations are shown unasked."""
LEAST_SHARE = 0.005
"""Share of a latency from which on it is told: less is 0%."""
COLUMNS = (
    ("station", "left"), ("of", "left"), ("utilisation", "right"), ("busiest", "right"),
    ("mean queue", "right"), ("operations", "right"),
)  # fmt: skip


def print_stations(out: Console, stored: StoredRun, *, every: bool) -> None:
    """Print the stations at each maximum; unless asked for, only where there are few maxima."""
    figures = [point_figures(result) for result in stored.results]
    every_maximum = configuration_maxima(figures, stored.run.plan, answers(stored.results))
    maxima = [found for found in every_maximum if found.at.simulation]
    if len(maxima) > MOST and not every:
        text = f"{len(maxima)} maxima: `iodyno show {stored.run.id} --stations` shows the stations at each"
        out.print(f"\n{text}", style="dim")
        return
    firsts = [found.at.planned for found in maxima]
    names = series_titles(firsts, stored.run.plan.points, volumes_of(stored.run.plan))
    for found, name in zip(maxima, names, strict=True):
        simulation = found.at.simulation
        assert simulation is not None
        _print(out, name, found, simulation)


def _print(out: Console, name: str, found: ConfigurationMaximum, simulation: Simulation) -> None:
    from iodyno.cli.console import table

    at = found.at
    main = f"{ENGLISH.numbers.estimate(at.main)} {main_unit(at.profile)}"
    word = "asked" if at.point.open_loop else "outstanding"
    what = "highest rate that keeps the limit" if found.answer else "maximum"
    title = f"{name}, {what} {main} at {load_text(at.point)} {word}"
    rows = [_row(station) for station in simulation.stations if station.jobs]
    out.print()
    out.print(table(COLUMNS, rows, title=title))
    split = sorted(simulation.latency_split.items(), key=lambda item: -item[1])
    shares = ((place, ENGLISH.numbers.percent(share, 0)) for place, share in split if share >= LEAST_SHARE)
    parts = [f"{PLACE_NAMES.get(place, place)} {share}" for place, share in shares]
    out.print(f"latency: {', '.join(parts)}")


def _row(station: Station) -> tuple[str, ...]:
    name = f"{station.count} × {station.name}" if station.count > 1 else station.name
    servers = f", {station.servers} servers" if station.servers > 1 else ""
    beside = " (of loads beside alone)" if station.beside else ""
    return (
        name + servers + beside,
        PLACE_NAMES.get(station.place, station.place),
        ENGLISH.numbers.percent(station.utilisation_mean, 1),
        ENGLISH.numbers.percent(station.utilisation_max, 1) if station.count > 1 else "",
        ENGLISH.numbers.significant(station.mean_queue, 3),
        f"{station.jobs:,}",
    )
