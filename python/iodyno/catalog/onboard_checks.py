"""Whether onboard controllers can be as they are asked for: a board has one chipset, so and so often."""

from __future__ import annotations

from collections.abc import Sequence

from iodyno.catalog.fits import processors_in
from iodyno.catalog.looking import Looking
from iodyno.catalog.matrix import fewest, in_all, instances_of, lanes_of
from iodyno.catalog.parts import ControllerPart, ProcessorPart, ServerPart, SoftwarePart, Taken
from iodyno.catalog.tree import ControllerSpec
from iodyno.catalog.written import UNREAD, read_or

MOST_WAYS = 10_000
"""Ways to lay arrays on instances that are looked at; with more of them nothing is refused."""


def check_onboard(
    look: Looking,
    spec: ControllerSpec,
    place: str,
    part: ControllerPart,
    unit: ServerPart | None,
    taken: Taken | None,
    here: Sequence[ControllerSpec],
    software: SoftwarePart | None = None,
) -> None:
    """Note what a board does not have of an onboard controller, in however many tables it is given; ``here``
    are those before of the same board."""
    look.at(_check_instances, spec, place, part, taken, here)
    if part.kind == "onboard":
        look.at(_check_one_link, spec, place, part, here)
        look.at(_check_chipset, place, part, unit, here)
    if part.kind == "onboard" and not (software and software.joins_onboard):
        look.at(_check_on_one_instance, spec, place, part, taken, here)


def check_socket_of_chipset(
    look: Looking, controllers: Sequence[ControllerSpec], processor: ProcessorPart
) -> None:
    """Refuse a processor that sits on no board with the first chipset, where both sockets are known; that a
    board has no second one is told of that."""
    parts = (look.catalog.parts.get(read_or(one, "part", "")) for one in controllers)
    known = ((part, part.socket) for part in parts if isinstance(part, ControllerPart))
    part, socket = next(((part, socket) for part, socket in known if socket), (None, None))
    if part and socket and processor.socket and socket.value != processor.socket.value:
        fit = ", ".join(one.name for one in processors_in(socket, look.catalog))
        what = f"{processor.title} sits in {processor.socket}, {part.title} is on boards with {socket}"
        hint = f"take {fit}, or another controller" if fit else "take another controller"
        look.wrong("host.processor", what, hint)


def on_its_board(
    spec: ControllerSpec, server: ServerPart | None, before: Sequence[ControllerSpec]
) -> list[ControllerSpec]:
    """Give the tables before that are of the same board: the server has those without a unit, and those that
    name it as theirs. One whose unit cannot be read is of none."""
    own = server.name if server else None
    unit = read_or(spec, "unit", UNREAD) or own
    return [one for one in before if unit is not UNREAD and (read_or(one, "unit", UNREAD) or own) == unit]


def _check_instances(
    look: Looking,
    spec: ControllerSpec,
    place: str,
    part: ControllerPart,
    taken: Taken | None,
    here: Sequence[ControllerSpec],
) -> None:
    """An onboard controller is there as often as the board has it, in however many tables it is given."""
    most, alike = instances_of(part, taken), _alike(part, here)
    count = spec.instances + sum(one.instances for one in alike)
    drives = sum(logical.count for one in (*alike, spec) for logical in one.logical)
    together = in_all(part, part.most_drives.whole, count)
    if not taken and alike and count <= most and drives > together:
        what = f"{drives} drives, {count} instances of {part.title} take {together}"
        look.wrong(f"{place}.logical", what, "take fewer drives")
    if count > most:
        where = " here" if taken else ""
        what = f"{count} instances of {part.title}, at most {most}{where}"
        look.wrong(f"{place}.instances", what, "take fewer")


def _alike(part: ControllerPart, here: Sequence[ControllerSpec]) -> list[ControllerSpec]:
    """Give the tables of a board that have instances of the same onboard controller."""
    return [one for one in here if part.kind == "onboard" and read_or(one, "part", UNREAD) == part.name]


def _check_one_link(
    look: Looking, spec: ControllerSpec, place: str, part: ControllerPart, here: Sequence[ControllerSpec]
) -> None:
    """An onboard controller has one link to the processor, in however many tables it is given."""
    others = [read_or(one, "link", None) for one in _alike(part, here)]
    if others and spec.link != others[0]:
        own, first = (f'"{link}"' if link else part.host_interface for link in (spec.link, others[0]))
        what = f"{own}: the table of {part.title} before has {first}, and both share one link"
        look.wrong(f"{place}.link", what, "give the same link in each, or none")


def _check_chipset(
    look: Looking,
    place: str,
    part: ControllerPart,
    unit: ServerPart | None,
    here: Sequence[ControllerSpec],
) -> None:
    """A board has one chipset; what a server is known to have is told by its list."""
    parts = [look.catalog.parts.get(read_or(one, "part", "")) for one in here]
    others = [one for one in parts if isinstance(one, ControllerPart) and one.kind == "onboard"]
    other = next((one for one in others if one.name != part.name), None)
    if other and unit is None:
        what = f"{part.title} and {other.title} are on no board together: it has one chipset"
        look.wrong(f"{place}.part", what, "take one of them, or a server that has both")


def _check_on_one_instance(
    look: Looking,
    spec: ControllerSpec,
    place: str,
    part: ControllerPart,
    taken: Taken | None,
    here: Sequence[ControllerSpec],
) -> None:
    """Each array of its own lies on one instance: it is no larger than that, and beside the others there is
    room. The operating system joins drives of both."""
    alike = _alike(part, here)
    there = min(spec.instances + sum(one.instances for one in alike), instances_of(part, taken))
    ports = _ports(part, taken, there)
    for at, logical in enumerate(spec.logical):
        if logical.level != "JBOD" and ports[0] < logical.count <= ports[0] * spec.instances:
            what = f"{logical.count} drives in one array, an instance has {ports[0]}"
            look.wrong(f"{place}.logical[{at}].count", what, "take fewer drives, or several arrays")
    drives = [logical.count for one in (*alike, spec) for logical in one.logical]
    arrays = [one.count for of in (*alike, spec) for one in of.logical if one.level != "JBOD"]
    if sum(drives) <= sum(ports) and max(arrays, default=0) <= ports[0] and not _lie_on(arrays, ports):
        sizes, has = (f"{', '.join(map(str, of[:-1]))} and {of[-1]}" for of in (arrays, ports))
        what = f"arrays of {sizes} drives, {there} instances of {part.title} have {has}: each lies on one"
        look.wrong(f"{place}.logical", what, "take arrays of other sizes, or JBOD")


def _ports(part: ControllerPart, taken: Taken | None, instances: int) -> list[int]:
    """Give the drives that each instance of a controller takes, the largest first.

    Of a chip with ports for six drives and four more, one instance takes six and the other four.
    """
    own = fewest(part.most_drives, lanes_of(part, taken), taken.drives if taken else None).whole
    left, ports = in_all(part, own, instances), []
    for _ in range(instances):
        ports.append(min(own, left))
        left -= ports[-1]
    return ports


def _lie_on(arrays: Sequence[int], ports: Sequence[int]) -> bool:
    """Tell whether arrays can be laid on instances, each on one.

    Examples
    --------
    >>> _lie_on([4, 6], [6, 4]), _lie_on([5, 5], [6, 4]), _lie_on([3, 3, 2], [4, 4])
    (True, False, False)
    """
    free = {tuple(sorted(ports))}
    for count in sorted(arrays, reverse=True):
        free = {
            tuple(sorted((*left[:at], room - count, *left[at + 1 :])))
            for left in free
            for at, room in enumerate(left)
            if room >= count
        }
        if len(free) > MOST_WAYS:
            return True
    return bool(free)
