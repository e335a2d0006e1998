"""Studies: a question as a TOML file, and the plan that answers it point by point."""

from iodyno.study.at_once import load_to_simulate, plan_with_all_problems
from iodyno.study.conditioning import SHORTCUTS, ConditioningOptions
from iodyno.study.configuration import AccessedAreas, Configuration, SimulationOptions
from iodyno.study.expand import Draft, conditioning_drafts, expand
from iodyno.study.load import load_study, parse_study, shipped
from iodyno.study.model import (
    AXES,
    Axis,
    Beside,
    Chart,
    Comparison,
    FileOptions,
    Measurement,
    Search,
    Study,
    Sweep,
)
from iodyno.study.overrides import Overrides, Rates
from iodyno.study.planning import for_real, plan_study
from iodyno.study.simulating import chosen_configurations, on_systems, plan_simulation, resolve_all

__all__ = [
    "AXES",
    "SHORTCUTS",
    "AccessedAreas",
    "Axis",
    "Beside",
    "Chart",
    "Comparison",
    "ConditioningOptions",
    "Configuration",
    "Draft",
    "FileOptions",
    "Measurement",
    "Overrides",
    "Rates",
    "Search",
    "SimulationOptions",
    "Study",
    "Sweep",
    "chosen_configurations",
    "conditioning_drafts",
    "expand",
    "for_real",
    "load_study",
    "load_to_simulate",
    "on_systems",
    "parse_study",
    "plan_simulation",
    "plan_study",
    "plan_with_all_problems",
    "resolve_all",
    "shipped",
]
