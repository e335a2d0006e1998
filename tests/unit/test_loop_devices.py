"""Tests with loop devices are skipped where there can be none, and fail where one cannot be attached."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

import loop_devices


@pytest.fixture
def losetup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a losetup before that of the machine, which refuses, on a machine that has loop devices."""
    program = tmp_path / "losetup"
    program.write_text("#!/bin/sh\necho 'losetup: the file is cursed' >&2\nexit 1\n")
    program.chmod(0o755)
    (tmp_path / "loop3").touch()
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(loop_devices, "CONTROL", tmp_path / "loop-control")
    monkeypatch.setattr(loop_devices, "_free_number", lambda: 3)
    return program


def refused(number: int) -> Callable[[], int]:
    def ask() -> int:
        raise OSError(number, os.strerror(number))

    return ask


def attach(path: Path) -> str:
    with loop_devices.loop_device(path) as device:
        return device


def test_a_losetup_that_fails_fails_the_test(losetup: Path) -> None:
    with pytest.raises(pytest.fail.Exception, match="the file is cursed"):
        attach(losetup)


def test_another_tool_that_fails_skips_it(losetup: Path) -> None:
    losetup.rename(losetup.with_name("mkfs.odd"))
    with pytest.raises(pytest.skip.Exception, match="the file is cursed"):
        loop_devices.tool("mkfs.odd")


@pytest.mark.parametrize(
    ("what", "there", "why"),
    [
        ("geteuid", lambda: 1000, "need root"),
        ("_found", lambda _: None, "losetup is not there"),
        ("_free_number", refused(errno.ENOENT), "this kernel has no loop devices"),
        ("_free_number", refused(errno.ENODEV), "this kernel has no loop devices"),
        ("_free_number", refused(errno.EPERM), "this container may not use loop devices"),
        ("_free_number", lambda: 4, "this container has no loop devices: .*/loop4 is not there"),
    ],
)
def test_where_there_can_be_none_it_is_skipped_with_the_reason(
    losetup: Path, monkeypatch: pytest.MonkeyPatch, what: str, there: Callable[..., int], why: str
) -> None:
    monkeypatch.setattr(os if what == "geteuid" else loop_devices, what, there)
    with pytest.raises(pytest.skip.Exception, match=why):
        attach(losetup)
