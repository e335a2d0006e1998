"""Runs a command with some system calls forbidden, as containers do by default.

usage: python forbidding.py NUMBER[,NUMBER…] COMMAND…
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
RET_ALLOW, RET_ERRNO = 0x7FFF0000, 0x00050000
LOAD_WORD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
"""Instructions of the classic BPF machine: linux/bpf_common.h."""


def forbid(numbers: list[int]) -> None:
    """Answer EPERM to these system calls, from now on and in every child."""

    def instruction(code: int, jump_true: int, jump_false: int, value: int) -> bytes:
        return struct.pack("HBBI", code, jump_true, jump_false, value)

    program = [instruction(LOAD_WORD, 0, 0, 0)]
    for number in numbers:
        program.append(instruction(JUMP_IF_EQUAL, 0, 1, number))
        program.append(instruction(RETURN, 0, 0, RET_ERRNO | errno.EPERM))
    program.append(instruction(RETURN, 0, 0, RET_ALLOW))
    code = ctypes.create_string_buffer(b"".join(program))
    header = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program), ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
    assert libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, header, 0, 0) == 0, os.strerror(ctypes.get_errno())


if __name__ == "__main__":
    forbid([int(number) for number in sys.argv[1].split(",")])
    os.execvp(sys.argv[2], sys.argv[2:])
