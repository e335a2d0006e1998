"""Virtual systems for the tests: small, every number made up; and a study on drives of the catalogue."""

from __future__ import annotations

from typing import Any

from iodyno.virtual import VirtualSystem

GB = 10**9
_FREE = {"read_ps": 0, "write_ps": 0, "per_kib_ps": 0}


def ssd(**changes: Any) -> dict[str, Any]:
    """Give the numbers of an SSD."""
    values = {
        "kind": "ssd", "capacity_bytes": 100 * GB, "spare_share": 0.28, "filled_share": 1.0,
        "command_read_ps": 2_000_000, "command_write_ps": 3_000_000, "delay_read_ps": 10_000_000,
        "delay_write_ps": 5_000_000, "dies": 32, "stripe_bytes": 16384, "read_ps": 50_000_000,
        "program_bytes": 32768, "program_ps": 900_000_000, "suspend_ps": 100_000_000,
        "data_read_bytes_s": 2_500_000_000, "data_write_bytes_s": 1_900_000_000, "turnaround_ps": 500_000,
        "buffer_bytes": 16 << 20, "write_cache": True, "prefetch": None,
    }  # fmt: skip
    known = VirtualSystem.model_json_schema()["$defs"]["SsdModel"]["properties"]
    return {key: value for key, value in {**values, **changes}.items() if key in known}


def virtual_system(name: str = "made-up", drives: int = 1, **changes: Any) -> VirtualSystem:
    """Make a host with SSDs, each a volume ``drive-0``, ``drive-1`` and so on, each on a link of its own."""
    document: dict[str, Any] = {
        "name": name,
        "host": {"cores": 4, "wakeup_ps": 0},
        "links": [
            {"name": "link", "bytes_s": 3_500_000_000, "full_duplex": True, "command_ps": 0, "side": "host"}
            for _ in range(drives)
        ],
        "switches": [],
        "controllers": [],
        "drives": [{"name": "drive", "path": [{"link": at}], "model": ssd()} for at in range(drives)],
        "volumes": [
            {
                "name": f"drive-{at}",
                "size_bytes": 100 * GB,
                "cpu": {"read_ps": 4_000_000, "write_ps": 4_000_000, "per_kib_ps": 0},
                "child_cpu": _FREE,
                "on": {"kind": "drive", "drive": at},
            }
            for at in range(drives)
        ],
        **changes,
    }
    return VirtualSystem.model_validate(document)


def two_drives(study: str) -> str:
    """Begin a study of short points on two unlike drives, ``fast`` and ``slow``; it has no sweep yet."""
    return f"""
schema = 1
name = "{study}"
title = "{study.title()}"
[[configuration]]
name = "two"
[configuration.system]
name = "two"
host = {{ processor = "epyc-9354", software = "linux-nvme" }}
drives = [{{ name = "fast", drive = "samsung-pm9a3-3840" }}, {{ name = "slow", drive = "intel-p3700-800" }}]
[simulation]
warmup_ios = 500
floor_ios = 1000
cap_ios = 2000
"""
