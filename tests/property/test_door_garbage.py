"""What is no point, system or network is refused at the door of the engine: never a panic."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from factories import make_point
from iodyno import _core  # noqa: TID251 - the door itself is what is tested

LEAVES = (
    st.none() | st.booleans() | st.integers(-(1 << 66), 1 << 66) | st.floats() | st.text(max_size=5)
    | st.sampled_from(["auto", "null", "fixed", "zeros", 0, 1, 0.5, 4096, 1 << 40])
)  # fmt: skip
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=5,
)  # fmt: skip


def paths(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [here, *(path for key, item in inner for path in paths(item, (*here, key)))]


POINT = make_point("database", engine="null", direct=False).model_dump(mode="json")


@given(st.text(max_size=60) | VALUES.map(json.dumps))
@settings(deadline=None)
def test_garbage_is_no_point(text: str) -> None:
    with pytest.raises(ValueError, match="no point"):
        _core.accesses(text, 0, 0, 1)
    with pytest.raises(ValueError, match="no point"):
        _core.measure(text, lambda _: None)
    with pytest.raises(ValueError, match="no point"):
        _core.simulate(text, "{}", None)


@given(st.sampled_from(paths(POINT)), VALUES)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_point_with_a_value_of_another_kind_ends_no_process(path: tuple[Any, ...], value: Any) -> None:
    """Parsing alone is asked for, by a target that is not there; sense was checked by the plan."""
    document = json.loads(json.dumps(POINT))
    here = document
    for key in path[:-1]:
        here = here[key]
    if path:
        here[path[-1]] = value
    text = json.dumps(document if path else value)
    with suppress(ValueError):
        _core.accesses(text, 99, 0, 1)


@given(VALUES.map(json.dumps) | st.text(max_size=30))
@settings(deadline=None)
def test_garbage_is_no_system_and_no_network(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whatever it says, it is no panic
        _core.simulate(json.dumps(POINT), text, None)
    with pytest.raises(ValueError):  # noqa: PT011
        _core.solve_network(text, [1], "exact")
