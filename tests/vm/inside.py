"""What runs in the guest: takes requests from the host, one after the other, and answers each.

The program under test is imported once; each call of it is a process forked from here, so that it
starts as quickly under emulation as it does on the host.
"""

from __future__ import annotations

import contextlib
import glob
import importlib
import json
import os
import shutil
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

LIMIT_S = 300
find_tool = shutil.which
PRELOADED = (
    "iodyno.bench", "iodyno.study", "iodyno.store", "iodyno.system", "iodyno.cli.measure",
    "iodyno.cli.around", "iodyno.cli.views", "iodyno.cli.plan", "iodyno.cli.show", "iodyno.cli.output",
    "concurrent.futures.thread", "importlib.readers", "queue", "sqlite3", "tomllib",
)  # fmt: skip
"""What a run imports: once here, instead of in each process."""


def main() -> None:
    """Answer until the host hangs up."""
    for name, value in {"HOME": "/run", "TMPDIR": "/run", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}.items():
        os.environ[name] = value
    for name in PRELOADED:
        importlib.import_module(name)

    (path,) = Path("/dev").glob("vport*p*")
    with path.open("r+b", buffering=0) as port:
        lines = iter(lambda: _line(port), b"")
        say(port, {"ready": True})
        for line in lines:
            request = json.loads(line)
            say(port, answer(request))


def _line(port: Any) -> bytes:
    found = b""
    while not found.endswith(b"\n"):
        found += port.read(65536) or b""
    return found


def say(port: Any, message: dict[str, Any]) -> None:
    """Send a message, whole."""
    rest = json.dumps(message).encode() + b"\n"
    while rest:
        rest = rest[port.write(rest) :]


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Run what is asked."""
    if request["kind"] == "read":
        return {"code": 0, "out": json.dumps(read(request["words"])), "err": ""}
    if request["kind"] == "shell":
        return shell(request["words"])
    if request["kind"] == "iodyno":
        return forked(lambda: program(request["words"]), request["environment"])
    return forked(lambda: exec(request["words"][0], {}), {})


def read(patterns: list[str]) -> dict[str, str]:
    """Read the kernel's files by patterns; those that cannot be read are left out."""
    found = {}
    for path in sorted(path for pattern in patterns for path in glob.glob(pattern)):  # noqa: PTH207 - of the root
        with contextlib.suppress(OSError):
            found[path] = Path(path).read_bytes().decode("latin-1")
    return found


def shell(words: list[str]) -> dict[str, Any]:
    """Run a command of the system."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    return {"code": done.returncode, "out": done.stdout, "err": done.stderr}


def program(words: list[str]) -> None:
    """Run iodyno's command line, as its entry point does."""
    from iodyno.cli import main

    shutil.which = blkid_only  # type: ignore[assignment]  # of the overloads only that of a name is called
    sys.argv = ["iodyno", *words]
    main()


def blkid_only(name: str, **options: Any) -> str | None:
    """Find a tool that runs ask for: of smartctl and others that take seconds under emulation, none.

    What is read with them has tests of its own, which have them.
    """
    return find_tool(name, **options) if name == "blkid" else None


def forked(action: Callable[[], object], environment: dict[str, str]) -> dict[str, Any]:
    """Run in a process of its own, its output kept."""
    paths = [Path("/run/out"), Path("/run/err")]
    child = os.fork()
    if child == 0:
        for number, path in enumerate(paths, 1):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        os.environ.update(environment)
        code = 0
        try:
            action()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        except BaseException:  # noqa: BLE001 - told to the host
            traceback.print_exc()
            code = 70
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    _, status = os.waitpid(child, 0)
    out, err = (path.read_text() for path in paths)
    return {"code": os.waitstatus_to_exitcode(status), "out": out, "err": err}


main()
