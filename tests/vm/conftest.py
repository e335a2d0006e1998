"""One guest for all tests of this room."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("iodyno._core", reason="the engine is not built")

from guest import Guest
from kernel import NoGuestError


@pytest.fixture(scope="session")
def guest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    """Boot the guest, once; skip where there cannot be one."""
    try:
        running = Guest(tmp_path_factory.mktemp("vm") / "guest")
    except NoGuestError as error:
        pytest.skip(str(error))
    yield running
    running.close()
