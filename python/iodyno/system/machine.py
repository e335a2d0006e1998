"""The machine: processor, its frequency policy and idle states, memory, board, kernel, virtualisation."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator
from pathlib import Path

from iodyno.system.host import ABSENT, NEEDS_ROOT, Host, Missing, children
from iodyno.system.records import Fact, Section, Value, first, joined, known


def cpus(host: Host) -> list[Path]:
    """List the folders of the processors that are in use."""
    found = children(host.sys / "devices/system/cpu", "cpu[0-9]*")
    return [cpu for cpu in found if not (cpu / "online").exists() or _is_online(host, cpu)]


def _is_online(host: Host, cpu: Path) -> bool:
    try:
        return host.flag(cpu / "online")
    except Missing:
        return True


def processor(host: Host) -> Section:
    """Read what the processor is."""
    cpu0 = host.sys / "devices/system/cpu/cpu0"
    return Section(
        code="processor",
        facts=(
            known("model", first(lambda: _cpu_field(host, "model name"), lambda: _platform(host))),
            known("sockets", lambda: _distinct(host, ("physical_package_id",))),
            known("cores", lambda: _distinct(host, ("physical_package_id", "die_id", "core_id"))),
            known("threads", lambda: len(cpus(host)) or _cpu_count(host)),
            known("smt", lambda: host.flag(host.sys / "devices/system/cpu/smt/active")),
            known("base_frequency", lambda: _base_mhz(host, cpu0), "MHz"),
            known("max_frequency", lambda: host.number(cpu0 / "cpufreq/cpuinfo_max_freq") // 1000, "MHz"),
            known("last_level_cache", lambda: _cache_bytes(host, cpu0), "bytes"),
            known("microcode", lambda: _cpu_field(host, "microcode")),
        ),
    )


def _cpu_field(host: Host, name: str) -> str:
    match = re.search(rf"^{name}\s*:\s*(.+)$", host.text(host.proc / "cpuinfo"), re.MULTILINE)
    if not match:
        raise Missing(ABSENT)
    return match[1].strip()


def _platform(host: Host) -> str:
    return host.text(host.proc / "device-tree/model")


def _cpu_count(host: Host) -> int:
    return len(re.findall(r"^processor\s*:", host.text(host.proc / "cpuinfo"), re.MULTILINE))


def _distinct(host: Host, names: tuple[str, ...]) -> int:
    """Count the different values of topology fields over all processors."""

    def field(cpu: Path, name: str) -> int:
        try:
            return host.number(cpu / "topology" / name)
        except Missing:
            if name == "die_id":  # older kernels do not have it
                return 0
            raise

    found = {tuple(field(cpu, name) for name in names) for cpu in cpus(host)}
    if not found:
        raise Missing(ABSENT)
    return len(found)


def _base_mhz(host: Host, cpu0: Path) -> Value:
    def nominal() -> Value:
        return host.number(cpu0 / "acpi_cppc/nominal_freq")

    def named() -> Value:
        match = re.search(r"@\s*([\d.]+)\s*GHz", _cpu_field(host, "model name"))
        if not match:
            raise Missing(ABSENT)
        return round(float(match[1]) * 1000)

    return first(lambda: host.number(cpu0 / "cpufreq/base_frequency") // 1000, nominal, named)()


def _cache_bytes(host: Host, cpu0: Path) -> int:
    levels = children(cpu0 / "cache", "index[0-9]*")
    if not levels:
        raise Missing(ABSENT)
    size = host.text(levels[-1] / "size")
    factor = {"K": 1 << 10, "M": 1 << 20}.get(size[-1], 1)
    return int(size.rstrip("KM")) * factor


def _of_each(host: Host, name: str) -> str:
    """Give a frequency setting of all processors: one value, or those that differ."""
    values = [host.text(cpu / "cpufreq" / name) for cpu in cpus(host) if (cpu / "cpufreq").exists()]
    if not values:
        raise Missing(ABSENT)
    return joined(values)


def frequency(host: Host) -> Section:
    """Read how the processor's frequency is chosen."""
    cpu = host.sys / "devices/system/cpu"
    return Section(
        code="frequency",
        facts=(
            known("governor", lambda: _of_each(host, "scaling_governor")),
            known("frequency_driver", lambda: _of_each(host, "scaling_driver")),
            known("energy_preference", lambda: _of_each(host, "energy_performance_preference")),
            known("turbo", lambda: _turbo(host)),
            known(
                "frequency_floor", lambda: host.number(cpu / "cpu0/cpufreq/scaling_min_freq") // 1000, "MHz"
            ),
            known(
                "frequency_ceiling", lambda: host.number(cpu / "cpu0/cpufreq/scaling_max_freq") // 1000, "MHz"
            ),
            known("mains_power", lambda: _mains(host)),
        ),
    )


def _turbo(host: Host) -> Value:
    cpu = host.sys / "devices/system/cpu"
    return first(
        lambda: host.flag(cpu / "cpufreq/boost"),
        lambda: not host.flag(cpu / "intel_pstate/no_turbo"),
        lambda: host.flag(cpu / "amd_pstate/cpb_boost"),
    )()


def _mains(host: Host) -> bool:
    """Tell whether a machine with a battery of its own has power from outside.

    Ports that can take power are supplies of the type USB on machines that never had a battery.
    """
    supplies = {supply: host.text(supply / "type") for supply in children(host.sys / "class/power_supply")}
    batteries = [
        supply for supply, kind in supplies.items() if kind == "Battery" and _of_system(host, supply)
    ]
    mains = [supply for supply, kind in supplies.items() if kind in ("Mains", "USB")]
    if not (batteries and mains):
        raise Missing(ABSENT)
    return any(host.flag(supply / "online") for supply in mains)


def _of_system(host: Host, supply: Path) -> bool:
    """Tell whether a battery drives the machine, and not a mouse; those of devices say so."""
    try:
        return host.text(supply / "scope") != "Device"
    except Missing:
        return True


def idle(host: Host) -> Section:
    """Read the idle states (C-states) of the processor and which of them are allowed."""
    folder = host.sys / "devices/system/cpu/cpuidle"
    return Section(
        code="idle",
        facts=(
            known("idle_driver", lambda: host.text(folder / "current_driver")),
            known("idle_governor", first(
                lambda: host.text(folder / "current_governor"),
                lambda: host.text(folder / "current_governor_ro"),
            )),
            known("idle_states", lambda: joined(name for name, _, _ in _idle_states(host))),
            known("idle_disabled", lambda: joined(n for n, _, off in _idle_states(host) if off) or "none"),
            known("idle_latency", lambda: _longest_exit(host), "us"),
        ),
    )  # fmt: skip


def _idle_states(host: Host) -> list[tuple[str, int, bool]]:
    """Name, exit latency in µs and whether it is disabled, of each state of the first processor."""
    states = children(host.sys / "devices/system/cpu/cpu0/cpuidle", "state[0-9]*")
    if not states:
        raise Missing(ABSENT)
    return [(host.text(s / "name"), host.number(s / "latency"), host.flag(s / "disable")) for s in states]


def _longest_exit(host: Host) -> int:
    return max((latency for _, latency, disabled in _idle_states(host) if not disabled), default=0)


def memory(host: Host) -> Section:
    """Read how much memory there is, and of which kind."""
    return Section(
        code="memory",
        facts=(
            known("memory_size", lambda: meminfo_bytes(host, "MemTotal"), "bytes"),
            known("memory_available", lambda: meminfo_bytes(host, "MemAvailable"), "bytes"),
            known(
                "swap_used",
                lambda: meminfo_bytes(host, "SwapTotal") - meminfo_bytes(host, "SwapFree"),
                "bytes",
            ),
            known("numa_nodes", lambda: _numa_nodes(host)),
            *_dimms(host),
        ),
    )


def meminfo_bytes(host: Host, name: str) -> int:
    """Read a line of /proc/meminfo, in bytes."""
    match = re.search(rf"^{name}:\s*(\d+) kB$", host.text(host.proc / "meminfo"), re.MULTILINE)
    if not match:
        raise Missing(ABSENT)
    return int(match[1]) * 1024


def _numa_nodes(host: Host) -> int:
    nodes = children(host.sys / "devices/system/node", "node[0-9]*")
    if not nodes:
        raise Missing(ABSENT)
    return len(nodes)


def _dimms(host: Host) -> Iterator[Fact]:
    """Read the memory modules with dmidecode: it needs root."""

    def modules() -> list[dict[str, str]]:
        if not host.root:
            raise Missing(NEEDS_ROOT)
        blocks = host.ask("dmidecode", "-t", "17").split("\n\n")
        found = [dict(re.findall(r"^\s+([^:\n]+): (.+)$", block, re.MULTILINE)) for block in blocks]
        full = [block for block in found if block.get("Size", "No")[0].isdigit()]
        if not full:
            raise Missing(ABSENT)
        return full

    def speed(module: dict[str, str]) -> int:
        text = module.get("Configured Memory Speed") or module.get("Speed", "")
        match = re.match(r"\d+", text)
        if not match:
            raise Missing(ABSENT)
        return int(match[0])

    try:
        full = modules()
    except Missing as missing:
        for code, unit in (("dimms", ""), ("dimm_type", ""), ("dimm_speed", "MT/s")):
            yield Fact(code=code, unit=unit, missing=missing.reason)
        return
    yield Fact(code="dimms", value=joined(f"{_count(full, m['Size'])} × {m['Size']}" for m in full))
    yield Fact(code="dimm_type", value=joined(module.get("Type", "Unknown") for module in full))
    yield known("dimm_speed", lambda: min(speed(module) for module in full), "MT/s")


def _count(modules: list[dict[str, str]], size: str) -> int:
    return sum(module["Size"] == size for module in modules)


def board(host: Host) -> Section:
    """Read who made the machine, and its firmware."""
    folder = host.sys / "class/dmi/id"
    names = {
        "system_vendor": "sys_vendor", "system_product": "product_name", "board_vendor": "board_vendor",
        "board_model": "board_name", "bios_vendor": "bios_vendor", "bios_version": "bios_version",
        "bios_date": "bios_date",
    }  # fmt: skip
    facts = tuple(known(code, lambda name=name: host.text(folder / name)) for code, name in names.items())  # type: ignore[misc]
    return Section(code="board", facts=facts)


def operating_system(host: Host) -> Section:
    """Read kernel and distribution, and the kernel's settings that matter for I/O."""
    kernel = host.proc / "sys/kernel"
    clock = host.sys / "devices/system/clocksource/clocksource0/current_clocksource"
    return Section(
        code="os",
        facts=(
            known("os_name", lambda: _os_name(host)),
            known("kernel", lambda: host.text(kernel / "osrelease")),
            known("kernel_build", lambda: host.text(kernel / "version")),
            Fact(code="architecture", value=platform.machine()),
            known("command_line", lambda: host.text(host.proc / "cmdline")),
            known("mitigations", lambda: _mitigations(host)),
            known("clock_source", lambda: host.text(clock)),
            known("io_uring_disabled", lambda: host.number(kernel / "io_uring_disabled")),
            known("nvme_poll_queues", lambda: host.number(host.sys / "module/nvme/parameters/poll_queues")),
        ),
    )


def _os_name(host: Host) -> str:
    match = re.search(r'^PRETTY_NAME="?([^"\n]+)"?$', host.text(host.etc / "os-release"), re.MULTILINE)
    if not match:
        raise Missing(ABSENT)
    return match[1]


def _mitigations(host: Host) -> str:
    """Sum up the mitigations of processor flaws: those that are active, those that are not."""
    lines = {path.name: host.text(path) for path in children(host.sys / "devices/system/cpu/vulnerabilities")}
    if not lines:
        raise Missing(ABSENT)
    active = [name for name, text in lines.items() if "Mitigation" in text]
    open_ = [name for name, text in lines.items() if text.startswith("Vulnerable")]
    parts = [f"active: {', '.join(active) or 'none'}"]
    if open_:
        parts.append(f"vulnerable: {', '.join(open_)}")
    return "; ".join(parts)


def virtualisation(host: Host) -> Section:
    """Read whether this is a virtual machine or a container, and of which kind."""
    return Section(
        code="virtualisation",
        facts=(
            known("virtual_machine", lambda: _virtual(host)),
            known("hypervisor", first(lambda: _detected(host, "--vm"), lambda: _from_dmi(host))),
            known("container", lambda: _detected(host, "--container")),
        ),
    )


def _virtual(host: Host) -> bool:
    flags = re.search(r"^(?:flags|Features)\s*:.*$", host.text(host.proc / "cpuinfo"), re.MULTILINE)
    if flags and re.search(r"\bhypervisor\b", flags[0]):
        return True
    try:
        return _detected(host, "--vm") != "none"
    except Missing:
        if not flags:
            raise
        return False


def _detected(host: Host, kind: str) -> str:
    return host.ask("systemd-detect-virt", kind)


def _from_dmi(host: Host) -> str:
    name = host.text(host.sys / "class/dmi/id/sys_vendor")
    for mark, kind in (("QEMU", "qemu"), ("VMware", "vmware"), ("Xen", "xen"), ("innotek", "oracle"),
                       ("Amazon", "amazon"), ("Google", "google")):  # fmt: skip
        if mark in name:
            return kind
    raise Missing(ABSENT)
