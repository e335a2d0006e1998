"""Studies: a question as a TOML file, and the plan that answers it point by point."""

from iodyno.study.expand import Draft, expand
from iodyno.study.load import load_study, parse_study, shipped
from iodyno.study.model import AXES, Axis, Chart, FileOptions, Measurement, Study, Sweep
from iodyno.study.overrides import Overrides
from iodyno.study.planning import plan_study

__all__ = [
    "AXES",
    "Axis",
    "Chart",
    "Draft",
    "FileOptions",
    "Measurement",
    "Overrides",
    "Study",
    "Sweep",
    "expand",
    "load_study",
    "parse_study",
    "plan_study",
    "shipped",
]
