"""The command that repeats one point of a run."""

from __future__ import annotations

import shlex

from iodyno.plan import Point
from iodyno.store.records import Run


def repeat(run: Run, point: Point) -> str:
    """Give the command line that measures a point again, with the same sequence of offsets.

    Parameters
    ----------
    run
        The run, for its study and its seed.
    point
        A point of its plan.
    """
    words = ["iodyno", "measure", *(target.path for target in point.targets), "--study", run.plan.study]
    words += ["--profile", point.profile.name, "--outstanding", str(point.outstanding)]
    words += ["--seed", str(run.plan.seed)]
    return shlex.join(words)
