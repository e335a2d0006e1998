"""A fit that is repeated gives its numbers back, and none ends further off than it began."""

from __future__ import annotations

import math
from collections.abc import Sequence
from hashlib import blake2b

import pytest

from iodyno.catalog.shelf import shipped
from iodyno.fitting.fit import fit, parts_of, rounded, start_of
from iodyno.fitting.least_squares import Bounded, Residuals, least_squares
from iodyno.fitting.specs import SPECS

SCATTER = 0.003
"""Standard deviation of a figure's logarithm; of 20,000 I/Os of exponential times it would be 0.007."""


@pytest.mark.parametrize("name", ["intel-ssdsc2ba400g3c", "seagate-st91000640ns"])
def test_a_fit_that_is_repeated_gives_the_stored_numbers_back(name: str) -> None:
    """Steps went on where there was nothing but scatter to gain: of the disk to figures that are 0.41 % off
    on average, where those of the stored number are 0.27 %."""
    catalog, spec = shipped(), SPECS[name]
    found = fit(name)
    stored = [start_of(spec, parameter, catalog).start for parameter in spec.parameters]
    assert [rounded(one.value) for one in found.found] == stored
    kept = (catalog.get(parts_of(spec, spec.parameters[0])[0]).fit or {})[name].figures
    assert found.off <= sum(abs(one.residual) for one in kept) / len(kept) + 0.0005


def chance(figure: int, values: Sequence[float], seed: int) -> float:
    """Scatter as a simulation does: the same for the same parameters, another for any others."""
    key = repr((seed, figure, [f"{value:.12g}" for value in values])).encode()
    parts = blake2b(key, digest_size=48).digest()
    # The sum of twelve numbers of 0 to 1 less 6 is near to normal with a standard deviation of 1.
    return SCATTER * (sum(int.from_bytes(parts[i : i + 4], "big") / 2**32 for i in range(0, 48, 4)) - 6)


def noisy(seed: int, misses: Sequence[float] = (0.03, -0.02, 0.01, -0.03)) -> Residuals:
    def residuals(v: Sequence[float]) -> list[float]:
        first, second = math.log(v[0] / 5), math.log(v[1] / 2)
        smooth = [first, second, first + second, second - first]
        return [
            one + miss + chance(number, v, seed)
            for number, (one, miss) in enumerate(zip(smooth, misses, strict=True))
        ]

    return residuals


def test_a_search_from_where_one_has_ended_takes_no_step_into_the_scatter() -> None:
    """By chance a step gains three standard deviations once in 700, and each search tries up to eight; looks
    beside a step are four, so that a few per cent are left. Without the rule it is two in five."""
    stayed = 0
    for seed in range(60):
        ended = searched(noisy(seed), 1, 9)
        stayed += searched(noisy(seed), *ended) == ended
        assert [rounded(value) for value in ended] == ended, f"seed {seed}"
        # Without scatter the logarithms would be off by the means of what the figures miss: 0.02 at the most.
        assert ended == pytest.approx([5, 2], rel=0.05), f"seed {seed}"
    assert stayed >= 54


def test_a_step_that_gains_more_than_the_scatter_is_taken() -> None:
    for seed in range(20):
        assert searched(noisy(seed), 5 * 1.2, 2) == pytest.approx([5, 2], rel=0.05), f"seed {seed}"


def searched(residuals: Residuals, one: float, other: float) -> list[float]:
    bounds = [Bounded("one", one, 0.1, 50), Bounded("other", other, 0.1, 50)]
    return least_squares(residuals, bounds, steps=12, tolerance=1e-3, nearby=4, written=rounded).values
