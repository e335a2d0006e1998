"""Which virtual systems of two runs are told apart by their names."""

from __future__ import annotations

import pytest

from factories import make_plan, make_run
from iodyno.analysis.matching import named_systems, unsaid_system
from iodyno.store.records import StoredRun
from virtual_systems import virtual_system


def of(systems: int) -> StoredRun:
    """Make a run on so many virtual systems; of real targets where it has none."""
    named = {f"system-{number}": virtual_system() for number in range(systems)}
    return StoredRun(run=make_run(make_plan().model_copy(update={"systems": named})), results=())


@pytest.mark.parametrize(
    ("one", "other", "named", "unsaid"),
    [
        (0, 0, False, False),
        (0, 1, False, False),  # a real target beside what was made of it
        (0, 2, False, True),  # nothing says which of them
        (1, 1, False, False),  # whatever they are called
        (1, 2, True, False),
        (2, 2, True, False),
    ],
)
def test_names_tell_systems_apart_where_a_run_has_several(
    one: int, other: int, named: bool, unsaid: bool
) -> None:
    for first, second in ((of(one), of(other)), (of(other), of(one))):
        assert named_systems(first, second) == named
        assert unsaid_system(first, second) == unsaid
