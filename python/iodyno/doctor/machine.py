"""Settings and states of the machine that disturb a measurement."""

from __future__ import annotations

from collections.abc import Iterator

from iodyno.doctor.check import (
    IDLE_LATENCY_US,
    LOAD_PER_THREAD,
    SWAP_BYTES,
    Check,
    bad,
    good,
    unknown,
    warning,
    why_missing,
)
from iodyno.system import Host, System
from iodyno.system.host import Missing, children

_FAST_CLOCKS = frozenset({"tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter"})


def processor(system: System) -> Iterator[Check]:
    """Look at frequency policy, turbo, idle states and mitigations."""
    yield _governor(system)
    yield _turbo(system)
    yield _idle(system)
    yield _mitigations(system)
    yield _clock(system)


def _governor(system: System) -> Check:
    governor = system.value("frequency", "governor")
    if governor is None:
        return unknown("governor", f"frequency governor: {why_missing(system, 'frequency', 'governor')}")
    if governor == "performance":
        return good("governor", "frequency governor: performance")
    what = f"frequency governor: {governor}; the processor slows down between I/Os and latency grows"
    return warning("governor", what, "cpupower frequency-set -g performance")


def _turbo(system: System) -> Check:
    turbo = system.value("frequency", "turbo")
    if turbo is None:
        return unknown("turbo", f"turbo: {why_missing(system, 'frequency', 'turbo')}")
    if not turbo:
        return good("turbo", "turbo is off: the frequency does not depend on heat")
    hint = "to compare runs, switch it off: echo 0 > /sys/devices/system/cpu/cpufreq/boost (or no_turbo = 1)"
    return warning("turbo", "turbo is on: the frequency depends on load and heat", hint)


def _idle(system: System) -> Check:
    latency = system.value("idle", "idle_latency")
    if latency is None:
        return unknown("idle_states", f"idle states: {why_missing(system, 'idle', 'idle_latency')}")
    if float(latency) <= IDLE_LATENCY_US:
        return good("idle_states", f"idle states: at most {latency} µs to wake up")
    what = f"idle states: up to {latency} µs to wake up; latency at few outstanding I/Os shows it"
    return warning("idle_states", what, f"cpupower idle-set -D {IDLE_LATENCY_US}")


def _mitigations(system: System) -> Check:
    found = system.value("os", "mitigations")
    if found is None:
        return unknown("mitigations", f"mitigations: {why_missing(system, 'os', 'mitigations')}")
    cost = "" if "active: none" in str(found) else "; each system call costs more, and the report shows them"
    return good("mitigations", f"mitigations of processor flaws: {found}{cost}")


def _clock(system: System) -> Check:
    clock = system.value("os", "clock_source")
    if clock is None:
        return unknown("clock", f"clock source: {why_missing(system, 'os', 'clock_source')}")
    if clock in _FAST_CLOCKS:
        return good("clock", f"clock source: {clock}")
    what = f"clock source: {clock}; each time stamp costs a system call"
    return warning("clock", what, "see whether the kernel found tsc unstable: dmesg | grep -i clocksource")


def surroundings(system: System, host: Host) -> Iterator[Check]:
    """Look at what else the machine does, and at where it stands."""
    yield _virtual(system, host)
    yield _load(system, host)
    yield _swap(system)
    yield from _power(system, host)
    yield from _irqbalance(host)


def _virtual(system: System, host: Host) -> Check:
    virtual = system.value("virtualisation", "virtual_machine")
    if virtual is None:
        return unknown("virtual_machine", "whether this is a virtual machine could not be told")
    if not virtual:
        return good("virtual_machine", "no virtual machine")
    name = system.value("virtualisation", "hypervisor")
    what = f"virtual machine ({name})" if name else "virtual machine"
    hint = "the host shares processor and drive with others; look at the steal time in each verdict"
    return warning("virtual_machine", f"{what}{_stolen(host)}", hint)


def _stolen(host: Host) -> str:
    """Say how much CPU time was stolen since the start."""
    try:
        ticks = [int(field) for field in host.text(host.proc / "stat").split()[1:9]]
    except (Missing, ValueError):
        return ""
    return f", {ticks[7] / sum(ticks):.1%} of CPU time stolen since it started" if sum(ticks) else ""


def _load(system: System, host: Host) -> Check:
    try:
        load = float(host.text(host.proc / "loadavg").split()[0])
    except (Missing, ValueError):
        return unknown("load", "load average could not be read")
    threads = int(system.value("processor", "threads") or 1)
    if load <= LOAD_PER_THREAD * threads:
        return good("load", f"load average {load:g} on {threads} processors")
    return warning(
        "load", f"load average {load:g} on {threads} processors: others are at work", "wait, or stop them"
    )


def _swap(system: System) -> Check:
    used = system.get("memory", "swap_used")
    if used is None or used.value is None:
        return unknown("swap", f"swap: {why_missing(system, 'memory', 'swap_used')}")
    if float(used.value) <= SWAP_BYTES:
        return good("swap", f"swap in use: {used.text}")
    return warning(
        "swap", f"swap in use: {used.text}; paging is I/O too", "free memory, then swapoff -a && swapon -a"
    )


def _power(system: System, host: Host) -> Iterator[Check]:
    mains = system.value("frequency", "mains_power")
    if mains is False:
        yield bad("battery", "running on battery: everything saves power", "plug it in")
    elif mains:
        yield good("battery", "on mains power")
    counts = [count for cpu in children(host.sys / "devices/system/cpu", "cpu[0-9]*")
              for count in _counts(host, cpu.name)]  # fmt: skip
    if not counts:
        yield unknown("throttling", "thermal throttling of the processor: not present on this machine")
    elif max(counts):
        what = f"the processor throttled {max(counts)} times because of heat since the start"
        yield warning("throttling", what, "better cooling; each verdict says whether it happened again")
    else:
        yield good("throttling", "the processor has not throttled since the start")


def _counts(host: Host, cpu: str) -> Iterator[int]:
    for path in children(host.sys / "devices/system/cpu" / cpu / "thermal_throttle", "*_throttle_count"):
        try:
            yield host.number(path)
        except Missing:
            continue


def _irqbalance(host: Host) -> Iterator[Check]:
    """Look for irqbalance: it moves interrupts to other processors while a point runs."""
    for process in children(host.proc, "[0-9]*"):
        try:
            name = host.text(process / "comm")
        except Missing:
            continue
        if name == "irqbalance":
            what = "irqbalance is running: it can move the drive's interrupts while a point runs"
            yield warning("irqbalance", what, "systemctl stop irqbalance")
            return
    yield good("irqbalance", "irqbalance is not running")
