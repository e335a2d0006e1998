"""iodyno, the test stand for storage.

What scripts and notebooks call is named in :data:`__all__`; docs/guides/python.md shows how. Each name is
loaded when it is first used, so that ``import iodyno`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from iodyno.analysis.run import analyse
    from iodyno.bench import array_network, solve_network
    from iodyno.catalog.shelf import catalogue
    from iodyno.errors import (
        ArgumentError,
        CatalogError,
        EngineError,
        IodynoError,
        Problem,
        ProfileError,
        ReportError,
        StoreError,
        TargetError,
    )
    from iodyno.export import export_run
    from iodyno.plan import Plan
    from iodyno.prediction.records import ClosedNetwork, NetworkStation, Rates, Servers
    from iodyno.public import (
        compare,
        load_run,
        open_store,
        planned,
        predict,
        rows,
        simulate,
        study_names,
        system_names,
        write_paper,
    )
    from iodyno.store import Store
    from iodyno.store.records import StoredRun
    from iodyno.study import Study, load_study, parse_study

__all__ = [
    "ArgumentError",
    "CatalogError",
    "ClosedNetwork",
    "EngineError",
    "IodynoError",
    "NetworkStation",
    "Plan",
    "Problem",
    "ProfileError",
    "Rates",
    "ReportError",
    "Servers",
    "Store",
    "StoreError",
    "StoredRun",
    "Study",
    "TargetError",
    "analyse",
    "array_network",
    "catalogue",
    "compare",
    "export_run",
    "load_run",
    "load_study",
    "open_store",
    "parse_study",
    "planned",
    "predict",
    "rows",
    "simulate",
    "solve_network",
    "study_names",
    "system_names",
    "write_paper",
]

_HOMES = {
    "iodyno.analysis.run": ("analyse",),
    "iodyno.bench": ("array_network", "solve_network"),
    "iodyno.catalog.shelf": ("catalogue",),
    "iodyno.errors": tuple(name for name in __all__ if name.endswith("Error") or name == "Problem"),
    "iodyno.export": ("export_run",),
    "iodyno.plan": ("Plan",),
    "iodyno.prediction.records": ("ClosedNetwork", "NetworkStation", "Rates", "Servers"),
    "iodyno.store": ("Store",),
    "iodyno.store.records": ("StoredRun",),
    "iodyno.study": ("Study", "load_study", "parse_study"),
}
"""Modules that names are passed on from; the others are of ``iodyno.public``."""


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Load a name of :data:`__all__` when it is first used."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        home = next((home for home, names in _HOMES.items() if name in names), "iodyno.public")
        found = getattr(import_module(home), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
