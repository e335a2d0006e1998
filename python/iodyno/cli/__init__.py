"""The command line: one file a command, loaded when it is called."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from iodyno.cli.commands import iodyno
from iodyno.cli.ending import exit_code_of
from iodyno.cli.streams import make_ready

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and end the process: 0 done, 1 failed, 2 bad request, 130 interrupted."""
    make_ready()
    sys.exit(exit_code_of(iodyno, arguments))
