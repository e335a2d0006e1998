"""Whatever a file holds, reading it gives a study or a list of problems, never a traceback."""

from __future__ import annotations

import json
from datetime import date
from importlib import resources
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from iodyno.errors import ProfileError
from iodyno.study import Study, load_study, parse_study, plan_study, shipped
from iodyno.targets import Target

WORDS = [
    "schema", "name", "title", "measurement", "file", "profile", "sweep", "engine", "seed",
    "floor_s", "cap_s", "size", "set", "profiles", "outstanding", "workers", "block_sizes", "area",
    "rate_io_s", "order", "chart", "x", "show", "percentiles", "blocks", "bytes", "weight", "start",
    "length", "random_share", "read_share",
]  # fmt: skip
KEYS = st.sampled_from(WORDS) | st.text(
    st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=6
)
LEAVES = (
    st.none().map(lambda _: "database")
    | st.booleans()
    | st.integers(-(1 << 63), (1 << 63) - 1)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["field", "powers-of-two", "4k", "25%", "outstanding", "standard", "auto"])
    | st.dates(date(2000, 1, 1), date(2030, 1, 1))
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


def toml(value: Any) -> str:
    """Write a value as TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    if isinstance(value, str):
        return json.dumps(value).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return str(value).lower()
    return {"inf": "inf", "-inf": "-inf", "nan": "nan"}.get(str(value), str(value))


def read(text: str) -> Study | None:
    """Read a study, or check that it is refused in words."""
    try:
        return parse_study(text, "x.toml")
    except ProfileError as error:
        problems = error.problems
    assert problems
    for problem in problems:
        assert problem.what
        assert "Value error" not in problem.what
        assert "pydantic" not in str(problem)
    return None


@given(st.dictionaries(KEYS, VALUES, max_size=6))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_garbage_in_the_shape_of_a_study(document: dict[str, Any]) -> None:
    try:
        "".join(document).encode()
        text = "\n".join(f"{json.dumps(key)} = {toml(value)}" for key, value in document.items())
        text.encode()
    except UnicodeEncodeError:
        return
    read(text)


@given(st.text(max_size=60))
@settings(deadline=None)
def test_garbage_of_any_shape(text: str) -> None:
    read(text)


@given(st.sampled_from(shipped()), st.lists(KEYS, min_size=1, max_size=3), VALUES)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_good_study_with_one_value_replaced(name: str, path: list[str], value: Any) -> None:
    document: Any = load_study(name).source()
    here = document
    for key in path[:-1]:
        inner = here.get(key)
        inner = inner[0] if isinstance(inner, list) and inner and isinstance(inner[0], dict) else inner
        if not isinstance(inner, dict):
            break
        here = inner
    here[path[-1]] = value
    study = read("\n".join(f"{json.dumps(key)} = {toml(item)}" for key, item in document.items()))
    if study is not None:
        assert Study.model_validate(study.source()) == study


@given(st.lists(st.integers(1, 4096), min_size=1, max_size=5, unique=True), st.integers(0, (1 << 63) - 1))
@settings(deadline=None)
def test_every_point_of_a_plan_has_its_own_seed(outstanding: list[int], seed: int) -> None:
    text = (
        f'name = "a"\ntitle = "A"\nmeasurement = {{seed = {seed}}}\n'
        f'[[sweep]]\nname = "s"\nset = "field"\noutstanding = {outstanding}\n'
    )
    target = Target(path="/data", asked="/data", kind="file", size_bytes=1 << 30)
    points = plan_study(parse_study(text), [target]).points
    assert len({point.seed for point in points}) == len(points) == 5 * len(outstanding)
    assert all(0 <= point.seed < 1 << 63 for point in points)


@given(
    st.sampled_from(["quick", "standard"]),
    st.lists(st.tuples(st.integers(0, 4000), st.text(max_size=3)), max_size=4),
)
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_shipped_study_with_letters_changed(name: str, changes: list[tuple[int, str]]) -> None:
    text = resources.files("iodyno").joinpath("studies").joinpath(f"{name}.toml").read_text("utf-8")
    for place, letters in changes:
        here = place % len(text)
        text = text[:here] + letters + text[here + 1 :]
    try:
        study = parse_study(text, "x.toml")
    except ProfileError as error:
        assert error.problems  # noqa: PT017 - that it is raised is not what is asked
        assert all(problem.what for problem in error.problems)  # noqa: PT017
    else:
        assert Study.model_validate(study.source()) == study
