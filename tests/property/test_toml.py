"""What is written as TOML reads back as the same, whatever a document holds."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from iodyno.catalog.reading import parse_toml, write_toml

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
SCALARS = (
    st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | TEXTS
    | st.datetimes()
    | st.dates()
    | st.times()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(TEXTS, VALUES, max_size=4))
@example({"\x7f": "\x7f", "😀": [{"a": 1}, 2]})
def test_a_document_reads_back(document: dict[str, object]) -> None:
    assert parse_toml(write_toml(document), "document") == document
