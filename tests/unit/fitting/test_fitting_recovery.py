"""A drive whose numbers are known is simulated, and the fit finds them again from elsewhere."""

from __future__ import annotations

from iodyno.catalog.shelf import shipped, with_numbers
from iodyno.fitting.answers import At, Range
from iodyno.fitting.curves import Metric, Series
from iodyno.fitting.fit import Target, fit_to
from iodyno.fitting.lab import Lab
from iodyno.fitting.specs import FitSpec, Parameter

PART = "toshiba-px02smf040"
TRUTH = {"model.data_read": 820.0, "model.data_write": 360.0, "model.turnaround": 4.0}
SPEC = FitSpec(
    PART,
    (
        Parameter("model.data_read", 300, 1030),
        Parameter("model.data_write", 200, 1030),
        Parameter("model.turnaround", 0.1, 30),
    ),
    (),
)
LOADS: tuple[tuple[str, Metric], ...] = (
    ("streaming", "throughput"), ("restore", "throughput"), ("database", "rate"), ("file-server", "rate"),
    ("file-copy", "rate"),
)  # fmt: skip
IOS = 12000


def _targets() -> list[Target]:
    """What the drive that is known does, as if a paper had printed it."""
    known = Lab(shipped().having(with_numbers(shipped().get(PART), TRUTH)), ios=IOS)
    expressions = [At(Series("raid-controllers", "single-sas-ssd", name), 64, unit) for name, unit in LOADS]
    known.ask(known.need(expressions))
    values = [expression.value(known.curves) for expression in expressions]
    return [Target(str(e), e, Range(v, v)) for e, v in zip(expressions, values, strict=True)]


def test_numbers_that_a_simulation_was_made_with_are_found_again() -> None:
    steps: list[int] = []
    fit = fit_to(
        _targets(), SPEC, shipped(), ios=IOS, steps=8, listener=lambda step, _rms: steps.append(step)
    )
    assert steps == list(range(len(steps))), "each is told with a number of its own, over all searches"
    for found, truth in zip(fit.found, TRUTH.values(), strict=True):
        assert found.low is not None
        assert found.high is not None
        assert found.low <= truth <= found.high, found
        assert abs(found.value / truth - 1) < 0.03, found
    assert max(abs(met.residual) for met in fit.met) < 0.02
