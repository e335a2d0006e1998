"""What is fitted to what agrees with what the parts keep of their fits, and with their numbers."""

from __future__ import annotations

import pytest

from iodyno.catalog.parts import DrivePart
from iodyno.catalog.shelf import shipped
from iodyno.fitting.answers import Best
from iodyno.fitting.fit import parts_of, targets_of
from iodyno.fitting.lab import loads_of, points_of
from iodyno.fitting.specs import SPECS, FitSpec, Parameter, fitted_to
from iodyno.units import parse_size

every_fit = pytest.mark.parametrize("spec", SPECS.values(), ids=lambda spec: spec.name)


def _parts(spec: FitSpec) -> list[str]:
    return list(dict.fromkeys(name for parameter in spec.parameters for name in parts_of(spec, parameter)))


@every_fit
def test_numbers_lie_between_their_bounds_and_are_alike_in_all_parts_that_share_them(spec: FitSpec) -> None:
    """A search begins at the bound where a number is outside, and says nothing of it."""
    for parameter in spec.parameters:
        numbers = [
            getattr(shipped().get(part), path.split(".")[0])[path.split(".")[1]]
            for part in parts_of(spec, parameter)
            for path in parameter.keys
        ]
        (value,) = {number.value for number in numbers}
        assert parameter.low < value < parameter.high, parameter.key
        # Nobody can give a fitted number in a datasheet, nor measure it.
        assert {number.kind for number in numbers} <= {"fitted", "assumed"}, parameter.key


LINKS_BITS_S = {
    "PCIe 3.0 x4": 4 * 8e9 * 128 / 130,
    "PCIe 2.0 x4": 4 * 5e9 * 8 / 10,
    "SAS 12G": 12e9 * 8 / 10,
    "SATA 6G": 6e9 * 8 / 10,
}
"""Bits of data per second by what each standard sends, less its coding."""


@every_fit
def test_no_bound_is_beyond_what_there_can_be(spec: FitSpec) -> None:
    """A drive moves no more than its link, a share is none of more than all, nothing takes no time."""
    for parameter in spec.parameters:
        key = parameter.key.split(".")[1]
        assert 0 < parameter.low < parameter.high, parameter.key
        if key in ("missed_revolution", "spare", "read_efficiency", "write_efficiency"):
            assert parameter.high <= 1, parameter.key
        if key in ("data_read", "data_write"):
            for part in parts_of(spec, parameter):
                link = LINKS_BITS_S[shipped().take(part, DrivePart).interface] / 8 / (1 << 20)
                assert 0.8 * link < parameter.high < link, (part, link)


@every_fit
def test_a_part_keeps_the_numbers_and_the_figures_of_its_fit(spec: FitSpec) -> None:
    first, *others = _parts(spec)
    for part in (first, *others):
        kept = (shipped().get(part).fit or {})[spec.name]
        mine = [one for one in spec.parameters if part in parts_of(spec, one)]
        assert list(kept.parameters) == [path for one in mine for path in one.keys], part
        assert kept.command == f"iodyno catalog fit {spec.name}"
        assert kept.figures_in == (None if part == first else first), part
    kept = (shipped().get(first).fit or {})[spec.name]
    assert kept.parameters_in_all == len(spec.parameters)
    assert (kept.beyond or "") == spec.beyond
    targets = targets_of(spec, shipped())
    assert [one.figure for one in kept.figures] == [target.name for target in targets]
    for one, target in zip(kept.figures, targets, strict=True):
        assert one.published is not None
        assert target.published.low <= one.published <= target.published.high, one.figure
        # Both are written with four digits, of which the last is up to a thousandth.
        assert one.residual == pytest.approx(one.simulated / one.published - 1, abs=6e-4), one.figure


def test_no_part_keeps_a_fit_that_nobody_can_repeat() -> None:
    """A part that a fit no longer finds a number of would keep it as if it did."""
    kept = {(name, part.name) for part in shipped().parts.values() for name in (part.fit or {})}
    assert kept == {(spec.name, part) for spec in SPECS.values() for part in _parts(spec)}


def test_a_fact_of_a_datasheet_is_read_off_points_that_access_as_it_says() -> None:
    """``random_write_4k`` is a rate of random writes of 4 kB, and nothing else."""
    for spec in SPECS.values():
        for fact in spec.facts:
            _, kind, size = fact.key.split("_")
            assert isinstance(fact.expression, Best)
            assert fact.expression.metric == "rate"
            for series in fact.expression.series:
                for load in loads_of(series):
                    profile = points_of(series.study)[series, load].point.profile
                    assert (profile.random_share, profile.read_share) == (1, float(kind == "read"))
                    assert [block.bytes for block in profile.blocks] == [parse_size(size)]


def test_a_number_is_found_by_one_fit() -> None:
    found = [
        (part, path)
        for spec in SPECS.values()
        for parameter in spec.parameters
        for part in parts_of(spec, parameter)
        for path in parameter.keys
    ]
    assert len(found) == len(set(found))


def test_a_parameter_of_several_keys_belongs_to_the_part_that_is_fitted() -> None:
    one = Parameter("model.read+model.write", 1, 2)
    assert one.keys == ("model.read", "model.write")
    assert parts_of(FitSpec("disk", (one,), ()), one) == ("disk",)
    assert parts_of(FitSpec("disk", (), ()), Parameter("model.read", 1, 2, ("a", "b"))) == ("a", "b")
    assert FitSpec("disk", (one,), ()).figures_are == "published"
    assert FitSpec("disk", (one,), (), source="bench").figures_are == "given"


def test_a_figure_is_of_the_one_fit_that_used_it() -> None:
    for figure in {figure for spec in SPECS.values() for figure in spec.figures}:
        assert [fitted_to(figure)] == [spec.name for spec in SPECS.values() if figure in spec.figures]
    used = ("p3700-060", "raid-241", "raid-351", "nvme-032")
    fits = ["intel-p3700-800", "seagate-st91000640ns", "windows-raw-megaraid", "nvme-1610-4p"]
    assert [fitted_to(figure) for figure in used] == fits
    assert fitted_to("raid-999") == ""
