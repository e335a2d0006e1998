"""Every published row is accounted for once; limits, rules and method agree with catalogue and profiles."""

from __future__ import annotations

import re

import pytest

from iodyno.catalog.shelf import shipped
from iodyno.fitting.answered import ANSWERS
from iodyno.fitting.published import figures, parse
from iodyno.fitting.specs import SPECS, fitted_to
from iodyno.validation import catalogue, groups, method
from iodyno.validation.tables import STATEMENTS


def test_each_published_row_is_in_exactly_one_group() -> None:
    claimed = {figure.id: groups.claims(figure) for figure in figures().values()}
    assert len(claimed) == 786
    assert {name: found for name, found in claimed.items() if len(found) != 1} == {}


def test_nothing_answers_a_row_that_is_not_published() -> None:
    assert set(ANSWERS) | set(STATEMENTS) <= set(figures())


def test_every_measured_storage_figure_is_simulated_or_named_as_not_modelled() -> None:
    measured = [figure for figure in figures().values() if figure.kind in ("measured", "ratio")]
    groups_of_measured = {groups.group_of(figure) for figure in measured}
    assert groups_of_measured <= {"figure", "catalogue", "not modelled"}
    left = [f.id for f in measured if groups.group_of(f) == "not modelled" and f.prefix != "primequest"]
    assert left == ["raid-348", "raid-355"], "controllers of the generation before"


def test_ids_count_the_rows_of_each_document() -> None:
    by_prefix: dict[str, list[int]] = {}
    for figure in figures().values():
        by_prefix.setdefault(figure.prefix, []).append(figure.number_in_document)
    assert {prefix: len(rows) for prefix, rows in by_prefix.items()} == {
        "p3700": 171, "raid": 360, "primequest": 220, "nvme": 35,
    }  # fmt: skip
    assert all(rows == list(range(1, len(rows) + 1)) for rows in by_prefix.values())


def test_limits_and_rules_agree_but_for_the_known_contradiction() -> None:
    wrong = [one.figure for one in catalogue.checked(figures(), shipped()) if not one.right]
    assert wrong == list(catalogue.CONTRADICTED)


def test_a_wrong_limit_is_seen() -> None:
    (figure,) = parse(
        "document,section,system,configuration,profile,outstanding,metric,value,unit,kind\n"
        + "P3700,x,PCIe-SSD P3700,all,,,endurance_drive_writes_per_day,11,DWPD,limit\n"
    )
    assert not catalogue.check(figure, shipped()).right


def printed(name: str, value: str) -> bool:
    """Tell whether the catalogue agrees with a row, were another value printed there."""
    return catalogue.check(figures()[name].model_copy(update={"value": value}), shipped()).right


def test_a_limit_that_is_printed_otherwise_is_seen_whichever_way_it_is_off() -> None:
    capacities = ("p3700-003", "p3700-004", "p3700-005")  # they say which drive is meant
    numbers = [
        one.figure
        for one in catalogue.checked(figures(), shipped())
        if one.right and one.figure not in capacities and re.fullmatch(r"[\d.]+", figures()[one.figure].value)
    ]
    assert len(numbers) > 150
    for name in numbers:
        value = float(figures()[name].value)
        assert not printed(name, f"{value * 1.05 + 0.01:.6f}"), name
        assert not printed(name, f"{value * 0.95 - 0.01:.6f}"), name


def test_whole_megabytes_may_be_cut_or_rounded_and_no_other_unit() -> None:
    """90 % of 12 Gbit/s with 8 of 10 bits of data, in 2^20 bytes: 1029.97, which is printed as 1030."""
    assert pytest.approx(1029.97, abs=0.005) == 0.9 * 12e9 * 0.8 / 8 / 2**20
    assert [printed("raid-115", value) for value in ("1030.9", "1031.1", "1029", "1028.9")] == [
        True, False, True, False,
    ]  # fmt: skip
    assert printed("raid-110", "6000")
    assert not printed("raid-110", "6000.1")


@pytest.mark.parametrize("name", ["raid-204", "raid-205", "raid-206"])
def test_each_setting_of_a_cache_mode_is_compared(name: str) -> None:
    settings = figures()[name].value.split("; ")
    assert printed(name, "; ".join(settings))
    for index in range(len(settings)):
        other = [f"{one}x" if at == index else one for at, one in enumerate(settings)]
        assert not printed(name, "; ".join(other)), settings[index]


HEADER = "id,document,section,system,configuration,profile,outstanding,metric,value,unit,kind\n"


def test_an_id_stays_where_a_row_is_added_before_it() -> None:
    kept = "raid-007,RAID controllers 2016,x,y,,,,rate,1,IO/s,measured\n"
    added = ",RAID controllers 2016,x,y,,,,rate,2,IO/s,measured\n"
    assert [(row.id, row.value) for row in parse(HEADER + added + kept)] == [
        ("raid-001", "2"),
        ("raid-007", "1"),
    ]
    assert [row.id for row in parse(HEADER + kept + added)] == ["raid-007", "raid-008"]
    for wrong in (kept + kept, kept.replace("raid-007", "nvme-007")):
        with pytest.raises(ValueError, match=r"-007 is there twice, or not of RAID"):
            parse(HEADER + wrong)


def test_rows_that_nothing_answers_are_named_together() -> None:
    """A profile that the lab does not have is no row of the method."""
    rows = (
        "raid-901,RAID controllers 2016,New,EP400i,,1 kB sequential read,,block_size,1,kB,qualitative\n"
        "raid-902,RAID controllers 2016,New,EP400i,,Database,max,transaction_rate,9,IO/s,measured\n"
    )
    added = {figure.id: figure for figure in parse(HEADER + rows)}
    assert groups.unanswered({**figures(), **added}) == [
        "raid-901 is in no group: New, EP400i, block_size",
        "raid-902 is in no group: New, EP400i, transaction_rate",
    ]
    assert groups.unanswered(figures()) == []


def test_the_method_is_that_of_the_papers() -> None:
    compared = list(method.compared(figures()))
    assert len(compared) > 60
    assert [(same.figure, same.found) for same in compared if not same.right] == []


def test_a_figure_is_used_by_one_fit_at_most_and_answered() -> None:
    used = [name for spec in SPECS.values() for name in spec.figures]
    assert len(used) == len(set(used))
    assert set(used) <= set(ANSWERS)


def test_what_is_fitted_are_figures_of_single_parts_or_says_what_is_beyond_them() -> None:
    arrays = ("raid0", "raid1", "independent", "-24x-", "-8x-")
    for spec in SPECS.values():
        of_arrays = [
            name
            for name in spec.figures
            for series, _ in ANSWERS[name].expression.parts()
            if any(word in series.configuration for word in arrays)
        ]
        controllers = spec.name.startswith(("praid", "psas"))
        assert not of_arrays or controllers or spec.beyond, (spec.name, of_arrays)


def test_repeats_name_a_figure_of_the_same_paper() -> None:
    for answer in ANSWERS.values():
        if answer.repeats:
            assert answer.repeats in ANSWERS
            assert fitted_to(answer.repeats), f"{answer.figure} repeats {answer.repeats}, which is not fitted"


def test_a_row_in_no_group_has_none() -> None:
    row = "raid-901,RAID controllers 2016,New,EP400i,,Database,max,transaction_rate,9,IO/s,measured\n"
    with pytest.raises(KeyError, match="raid-901 is in no group: New, EP400i, transaction_rate"):
        groups.group_of(parse(HEADER + row)[0])


def test_rows_that_are_alike_are_summed_up_once_and_none_that_something_answers() -> None:
    tables = {"setting": groups.SETTINGS, "rule": groups.RULES, "not modelled": groups.NOT_MODELLED}
    found = {name: dict(groups.summaries(figures(), table)) for name, table in tables.items()}
    for name, texts in found.items():
        of_group = [figure.id for figure in figures().values() if groups.group_of(figure) == name]
        assert sorted(row for rows in texts.values() for row in rows) == sorted(of_group)
    assert found["not modelled"]["endurance in years"] == ["p3700-002"]
    assert found["rule"]["seven times what the paper has of one disk: the lab's array is raid-286"] == [
        "raid-284"
    ]
    # raid-002 is what 1 MB/s is, which the method answers; the other paper's units have the same text.
    assert found["setting"]["units"] == ["raid-001", "primequest-001"]
    assert figures()["raid-002"].metric == "throughput_unit"
