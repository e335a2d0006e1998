"""One guest for all tests of this room."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest

pytest.importorskip("iodyno._core", reason="the engine is not built")

from vm.guest import BOOT_LIMITS_S, Guest, LateGuestError
from vm.kernel import NoGuestError


@pytest.fixture(scope="session")
def guest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    """Boot the guest, once; skip where there cannot be one."""
    try:
        running = _boot(tmp_path_factory)
    except NoGuestError as error:
        pytest.skip(str(error))
    yield running
    running.close()


def _boot(folders: pytest.TempPathFactory) -> Guest:
    for limit_s in BOOT_LIMITS_S[:-1]:
        with contextlib.suppress(LateGuestError):
            return Guest(folders.mktemp("vm") / "guest", limit_s)
    return Guest(folders.mktemp("vm") / "guest", BOOT_LIMITS_S[-1])
