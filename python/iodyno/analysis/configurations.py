"""The virtual systems of a run side by side: their maxima, the best of a group, and what limits each."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from iodyno.analysis.curves import Curve, curves
from iodyno.analysis.figures import PointFigures
from iodyno.analysis.maxima import maximum
from iodyno.plan import Plan, SearchStep


@dataclass(frozen=True)
class ConfigurationMaximum:
    """The maximum of a load profile on a configuration, or on the best of a group; of a search its answer."""

    sweep: str
    configuration: str
    """Name of the configuration that it was reached on."""
    group: str
    """Group whose best it is; the configuration's own name where it is in none."""
    curve: Curve
    at: PointFigures

    @property
    def answer(self) -> bool:
        """Whether it is the highest rate that kept the limit of a search, and no maximum."""
        return _searches(self.curve)


def configuration_maxima(
    figures: Iterable[PointFigures], plan: Plan, answers: Collection[int] = ()
) -> tuple[ConfigurationMaximum, ...]:
    """Find the maximum of each curve, of configurations in a group only the best.

    Of a search it is its answer: rates that broke the limit are none. One without an answer is left out.

    Parameters
    ----------
    figures
        Figures of simulated points.
    plan
        The plan that they belong to; its study names the groups.
    answers
        Indices of the points that answer searches.

    Returns
    -------
    tuple of ConfigurationMaximum
        In the order of the plan.
    """
    groups = {name: str(item.get("group") or name) for name, item in configurations_of(plan).items()}
    best: dict[tuple[Any, ...], ConfigurationMaximum] = {}
    for curve in curves(figures, volumes=volumes_of(plan)):
        name = curve.first.system or ""
        group = groups.get(name, name)
        of = [at for at in curve.points if at.point.index in answers or not _searches(curve)]
        if not of:
            continue
        found = ConfigurationMaximum(curve.sweep, name, group, curve, maximum(of).at)
        asked = (curve.first.workers, curve.first.workers_area, curve.open_loop, _paths(curve))
        key = (curve.sweep, group, curve.profile.name, *asked)
        if key not in best or found.at.main.value > best[key].at.main.value:
            best[key] = found
    return tuple(best.values())


def _searches(curve: Curve) -> bool:
    return isinstance(curve.points[0].planned.rate_from, SearchStep)


def _paths(curve: Curve) -> tuple[str, ...]:
    return tuple(target.path for target in curve.first.targets)


def configurations_of(plan: Plan) -> Mapping[str, Mapping[str, Any]]:
    """Give what the study of a plan says of each configuration, by name: title, description, group.

    Examples
    --------
    >>> from iodyno.plan import Plan
    >>> configurations_of(Plan.model_construct(study_source={}, systems={}))
    {}
    """
    source: Sequence[Mapping[str, Any]] = plan.study_source.get("configuration", ())
    return {str(item["name"]): item for item in source}


def configuration_title(plan: Plan, name: str) -> str:
    """Give the title of a configuration; its name where it has none."""
    return str(configurations_of(plan).get(name, {}).get("title") or name)


def volumes_of(plan: Plan) -> dict[str, tuple[str, ...]]:
    """Give the volumes that the name of each configuration stands for: those that the study names of it, or
    all of its system."""
    named = configurations_of(plan)
    return {
        name: tuple(named.get(name, {}).get("volumes", ())) or tuple(one.name for one in system.volumes)
        for name, system in plan.systems.items()
    }


def areas_of(plan: Plan) -> dict[str, str]:
    """Give what the study of a plan says of the area that is accessed on each configuration, by name."""
    return {
        name: json.dumps(item.get("area", {}), sort_keys=True)
        for name, item in configurations_of(plan).items()
    }
