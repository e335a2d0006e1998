"""Health and temperature of a drive, as smartctl or nvme tell."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from iodyno.system.host import ABSENT, NEEDS_ROOT, Host, Missing
from iodyno.system.places import VIRTUAL_KINDS, kind
from iodyno.system.records import Fact, Value, known

_ZERO_CELSIUS_K = 273
_NVME_DATA_UNIT_BYTES = 512_000
"""NVMe counts data in thousands of 512 bytes (NVM Express base specification, SMART log)."""


class Smart:
    """The SMART log of a drive, asked once, when first needed.

    Parameters
    ----------
    host
        Where to ask.
    device
        Kernel name of the drive.
    """

    def __init__(self, host: Host, device: str) -> None:
        self._host = host
        self._device = device
        self._answer: dict[str, Any] | Missing | None = None

    def facts(self) -> tuple[Fact, ...]:
        """Give health, temperature and wear."""
        return (
            known("smart_healthy", self._healthy),
            known("temperature", lambda: self.value("temperature", "current"), "degC"),
            known("wear", self._wear, "%"),
            known("spare", lambda: self.value("nvme_smart_health_information_log", "available_spare"), "%"),
            known("media_errors", lambda: self.value("nvme_smart_health_information_log", "media_errors")),
            known("power_on", lambda: self.value("power_on_time", "hours"), "h"),
            known("written_in_life", self._written, "bytes_base10"),
        )

    def value(self, *keys: str) -> Value:
        """Look up one value of the log.

        Raises
        ------
        Missing
            If the log could not be read or does not hold it.
        """
        found: Any = self._log()
        for key in keys:
            found = found.get(key) if isinstance(found, dict) else None
        if not isinstance(found, bool | int | float | str):
            raise Missing(ABSENT)
        return found

    def _healthy(self) -> bool:
        return bool(self.value("smart_status", "passed"))

    def _wear(self) -> Value:
        return self.value("nvme_smart_health_information_log", "percentage_used")

    def _written(self) -> int:
        units = self.value("nvme_smart_health_information_log", "data_units_written")
        return int(units) * _NVME_DATA_UNIT_BYTES

    def _log(self) -> dict[str, Any]:
        if self._answer is None:
            try:
                self._answer = self._ask()
            except Missing as missing:
                self._answer = missing
        if isinstance(self._answer, Missing):
            raise self._answer
        return self._answer

    def _ask(self) -> dict[str, Any]:
        which = kind(self._host, self._device)
        if which in VIRTUAL_KINDS or which in ("virtio", "xen"):
            raise Missing(ABSENT)
        if not self._host.root:
            raise Missing(NEEDS_ROOT)
        path = str(self._host.dev / self._device)
        try:
            return _useful("smartctl", self._host.ask("smartctl", "-j", "-a", path), lambda log: log)
        except Missing:
            if which != "nvme" or not self._host.find("nvme"):
                raise
            return _useful("nvme", self._host.ask("nvme", "smart-log", "-o", "json", path), _like_smartctl)


def _useful(tool: str, text: str, shape: Callable[[dict[str, Any]], dict[str, Any]]) -> dict[str, Any]:
    """Read the JSON of a tool; an answer without health or temperature is none."""
    try:
        log = json.loads(text)
    except ValueError as error:
        raise Missing(f"{tool} gave no answer") from error
    shaped = shape(log) if isinstance(log, dict) else {}
    if not shaped.keys() & {"smart_status", "temperature"}:
        raise Missing(f"{tool} gave no answer")
    return shaped


def _like_smartctl(log: dict[str, Any]) -> dict[str, Any]:
    """Give the log of nvme-cli the names of smartctl's; its temperature is in kelvin."""
    if "temperature" not in log:
        return {}
    return {
        "temperature": {"current": log["temperature"] - _ZERO_CELSIUS_K},
        "smart_status": {"passed": log.get("critical_warning", 0) == 0},
        "power_on_time": {"hours": log.get("power_on_hours")},
        "nvme_smart_health_information_log": {
            "percentage_used": log.get("percent_used"),
            "available_spare": log.get("avail_spare"),
            "media_errors": log.get("media_errors"),
            "data_units_written": log.get("data_units_written"),
        },
    }
