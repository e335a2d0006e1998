"""The collector of cycles is as it was, whatever happened meanwhile."""

from __future__ import annotations

import gc

import pytest

from iodyno.collecting import paused


def fail() -> None:
    assert not gc.isenabled()
    raise ValueError("inside")


def test_it_rests_inside_and_runs_again_after_an_error() -> None:
    assert gc.isenabled()
    with pytest.raises(ValueError, match="inside"), paused():
        fail()
    assert gc.isenabled()


def test_where_it_rests_already_it_goes_on_resting() -> None:
    with paused():
        with paused():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
