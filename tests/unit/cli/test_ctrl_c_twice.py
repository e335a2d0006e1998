"""A second Ctrl-C while the first is answered."""

from __future__ import annotations

import os
import signal
from types import SimpleNamespace
from typing import Any

import pytest

from iodyno.cli.around import ending
from iodyno.cli.ending import InterruptedRunError


@pytest.mark.usefixtures("hears_ctrl_c")
def test_a_second_ctrl_c_does_not_hide_what_is_kept() -> None:
    ended: list[str] = []

    def done(_: str) -> frozenset[int]:
        os.kill(os.getpid(), signal.SIGINT)
        return frozenset({0, 1})

    store: Any = SimpleNamespace(done=done, finish=lambda _, status: ended.append(status))
    plan = SimpleNamespace(points=(0, 1, 2))
    run: Any = SimpleNamespace(id="one", plan=plan, simulated=True, command=())
    view: Any = lambda _: None  # noqa: E731
    with pytest.raises(InterruptedRunError, match="2 of 3 points are kept"), ending(store, run, view):
        raise KeyboardInterrupt
    assert ended == ["interrupted"]
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
