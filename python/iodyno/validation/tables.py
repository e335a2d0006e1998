"""All statements by the id of the published row."""

from __future__ import annotations

from collections.abc import Mapping

from iodyno.validation import (
    statements_cache,
    statements_nvme,
    statements_p3700,
    statements_p3700_host,
    statements_primequest,
    statements_raid,
)
from iodyno.validation.statements import Statement

_MODULES = (
    statements_p3700, statements_p3700_host, statements_raid, statements_cache, statements_primequest,
    statements_nvme,
)  # fmt: skip


def _by_id() -> Mapping[str, Statement]:
    found: dict[str, Statement] = {}
    for module in _MODULES:
        for statement in module.paper.statements:
            assert statement.figure not in found, f"{statement.figure} is decided twice"
            found[statement.figure] = statement
    return dict(sorted(found.items()))


STATEMENTS: Mapping[str, Statement] = _by_id()
"""What decides a statement."""
