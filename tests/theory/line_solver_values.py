"""Oracle values of closed networks from line-solver: ``python line_solver_values.py > line_solver.json``.

line-solver (BSD-3, https://line-solver.sourceforge.net) brings half a gigabyte of dependencies, so its
values are kept beside this script and the tests do not need it. Run it in an environment of its own
with ``pip install line-solver==3.0.8.0``.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from importlib.metadata import version
from typing import Any

import numpy as np
from line_solver import (
    ClosedClass,
    Delay,
    Erlang,
    Exp,
    HyperExp,
    Network,
    Queue,
    SchedStrategy,
    SolverCTMC,
    SolverMVA,
)

SOLVERS: dict[str, Any] = {
    "MVA exact": lambda model: SolverMVA(model, method="exact"),
    "CTMC": SolverCTMC,
}
CURVE = [70.0 * q**0.27 for q in range(1, 9)]
"""Rates of a hard disk with 1 to 8 outstanding: ideal shortest access time first."""

THREE = {
    "think_s": 2.0,
    "stations": [
        {"name": "a", "law": {"servers": 1}, "visits": 1.0, "service_s": 0.5},
        {"name": "b", "law": {"servers": 1}, "visits": 1.0, "service_s": 0.3},
        {"name": "c", "law": {"servers": 1}, "visits": 1.0, "service_s": 0.45},
    ],
}
SERVERS = {
    "think_s": 2.0,
    "stations": [
        {"name": "four", "law": {"servers": 4}, "visits": 1.0, "service_s": 1.0},
        {"name": "one", "law": {"servers": 1}, "visits": 1.0, "service_s": 0.3},
    ],
}
MANY = {
    "think_s": 1.0,
    "stations": [
        {"name": "many", "law": {"servers": 48}, "visits": 1.0, "service_s": 1.0},
        {"name": "one", "law": {"servers": 1}, "visits": 1.0, "service_s": 0.02},
    ],
}
DRIVES = {
    "think_s": 0.005,
    "stations": [
        {"name": "a", "law": {"rates": CURVE}, "visits": 1.0},
        {"name": "b", "law": {"rates": CURVE}, "visits": 1.0},
        {"name": "processor", "law": {"servers": 1}, "visits": 1.0, "service_s": 0.004},
    ],
}


def even(scv: float) -> dict[str, Any]:
    """A network of two equal stations and a delay, with another variation of service."""
    station = {"law": {"servers": 1}, "visits": 1.0, "service_s": 1.0, "service_scv": scv}
    return {"think_s": 1.5, "stations": [{"name": "a", **station}, {"name": "b", **station}]}


def single(scv: float) -> dict[str, Any]:
    """A network of one station and a delay: machine repair with another variation of service."""
    station = {"law": {"servers": 1}, "visits": 1.0, "service_s": 1.0, "service_scv": scv}
    return {"think_s": 6.0, "stations": [{"name": "a", **station}]}


CASES = [
    ("three single servers", THREE, (1, 2, 5, 20, 100), "MVA exact"),
    ("four servers", SERVERS, (1, 2, 5, 20, 100), "MVA exact"),
    ("48 servers", MANY, (1, 20, 48, 80), "CTMC"),
    ("drives with a curve", DRIVES, (1, 2, 4, 9), "CTMC"),
    ("two stations, Erlang 8", even(0.125), (1, 2, 4, 8), "CTMC"),
    ("two stations, hyperexponential", even(2.0), (1, 2, 4, 8), "CTMC"),
    ("machine repair, Erlang 8", single(0.125), (1, 4, 7, 12), "CTMC"),
]


def service(station: dict[str, Any]) -> Any:
    """Distribution of a station's service."""
    scv = station.get("service_scv", 1.0)
    if "rates" in station["law"]:
        return Exp.fit_mean(1 / station["law"]["rates"][0])
    if scv == 1:
        return Exp.fit_mean(station["service_s"])
    fit = Erlang.fit_mean_and_scv if scv < 1 else HyperExp.fit_mean_and_scv
    return fit(station["service_s"], scv)


def model(network: dict[str, Any], customers: int) -> Any:
    """The network as line-solver has it."""
    made = Network("oracle")
    think = Delay(made, "think")
    queues = []
    for station in network["stations"]:
        rates = station["law"].get("rates")
        queue = Queue(made, station["name"], SchedStrategy.PS if rates else SchedStrategy.FCFS)
        if rates:
            last = len(rates) - 1
            queue.set_load_dependence(np.array([rates[min(at, last)] / rates[0] for at in range(customers)]))
        elif station["law"]["servers"] > 1:
            queue.set_number_of_servers(station["law"]["servers"])
        queues.append(queue)
    customer = ClosedClass(made, "customer", customers, think, 0)
    think.set_service(customer, Exp.fit_mean(network["think_s"]))
    for queue, station in zip(queues, network["stations"], strict=True):
        queue.set_service(customer, service(station))
    made.link(Network.serial_routing(think, *queues))
    return made


def answer(network: dict[str, Any], customers: int, solver: str) -> dict[str, Any]:
    """Rate and mean queues of one number of customers."""
    with contextlib.redirect_stdout(io.StringIO()):
        table = SOLVERS[solver](model(network, customers)).get_avg_table()
    queues = [float(value) for value in list(table["QLen"])[1:]]
    return {"customers": customers, "rate_s": float(next(iter(table["Tput"]))), "mean_queues": queues}


def main() -> None:
    """Print every case."""
    cases = [
        {
            "name": name, "solver": solver, "network": network,
            "answers": [answer(network, customers, solver) for customers in populations],
        }
        for name, network, populations, solver in CASES
    ]  # fmt: skip
    made_by = {"line-solver": version("line-solver"), "script": "tests/theory/line_solver_values.py"}
    json.dump({"made_by": made_by, "cases": cases}, sys.stdout, indent=1)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
