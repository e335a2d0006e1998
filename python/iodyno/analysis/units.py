"""The one place where ns become ms and bytes become MB."""

from __future__ import annotations

NS_PER_MS = 1_000_000
BYTES_PER_MB = 1 << 20


def ms(time_ns: float) -> float:
    """Give a time in ms.

    Examples
    --------
    >>> ms(1_500_000)
    1.5
    """
    return time_ns / NS_PER_MS


def mb_s(rate_bytes_s: float) -> float:
    """Give a throughput in MB/s, 1 MB/s = 2^20 bytes/s.

    Examples
    --------
    >>> mb_s(3 * 2**20)
    3.0
    """
    return rate_bytes_s / BYTES_PER_MB
