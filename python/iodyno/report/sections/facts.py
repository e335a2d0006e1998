"""What the sections say about machine and target, in one place."""

from __future__ import annotations

from iodyno.plan import PlannedTarget
from iodyno.report.context import Context
from iodyno.report.names import capacity, exact_size, size


def targets(context: Context) -> tuple[PlannedTarget, ...]:
    """Give every target of the run once, in the order of the plan."""
    found = {target.path: target for point in context.run.plan.points for target in point.targets}
    return tuple(found.values())


def target_paths(context: Context) -> str:
    """Write the paths of the targets."""
    return context.messages.names([target.path for target in targets(context)])


def target_text(context: Context, target: PlannedTarget) -> str:
    """Say what a target is: a file or device, and its size."""
    say = context.messages.say
    if not target.size_bytes:
        return target.path
    if target.kind == "virtual":
        return say(
            "{path}, virtual volume of {size}",
            path=target.path,
            size=capacity(context.messages, target.size_bytes),
        )
    if target.kind == "device":
        return say(
            "{path}, block device of {size}",
            path=target.path,
            size=capacity(context.messages, target.size_bytes),
        )
    if target.created:
        return say(
            "{path}, file of {size}, made and written in full for this run",
            path=target.path,
            size=exact_size(context.messages, target.size_bytes),
        )
    return say("{path}, file of {size}", path=target.path, size=size(context.messages, target.size_bytes))


def device_name(context: Context) -> str:
    """Name the first drive by its model, or what is known of it; empty where nothing is."""
    section = next(context.run.system.all("device"), None)
    if section is None:
        return ""
    kind = section.value("model") or section.value("kind")
    size_bytes = section.value("capacity")
    parts = [str(kind) if kind else "", section.subject]
    if isinstance(size_bytes, int | float) and not section.value("model"):
        parts.append(capacity(context.messages, size_bytes))
    return context.messages.enumerated(parts)


def machine_name(context: Context) -> str:
    """Name the machine by its product, else its processor; empty where neither is known."""
    system = context.run.system
    product, vendor = system.value("board", "system_product"), system.value("board", "system_vendor")
    processor = system.value("processor", "model")
    name = " ".join(str(part) for part in (vendor, product) if part)
    return context.messages.enumerated([name, str(processor) if processor else ""])
