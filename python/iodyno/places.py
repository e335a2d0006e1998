"""Places of a virtual system, and which of several is named first."""

from __future__ import annotations

from typing import Literal, get_args

Place = Literal[
    "host_cpu",
    "host_link",
    "switch",
    "controller_cpu",
    "controller_cache",
    "controller_room",
    "disk_link",
    "drive_front",
    "drive_room",
    "drive_media",
]
"""What of a system a station belongs to, on the way from the host to the media: the words of the simulator,
in its order."""
_ORDER = {place: at for at, place in enumerate(get_args(Place))}
_DIGITS = 9


def foremost(share: float, place: str, name: str = "") -> tuple[float, int, str]:
    """Give what sorts the greatest share to the front, as the simulator does.

    Shares are equal that have the same nine digits: of those the first on the way from the host to the media
    is in front, and of one place the first name, whatever the order in which they are listed.

    Parameters
    ----------
    share
        Utilisation, or share of the latency, 0 to 1.
    place
        What of the system it belongs to.
    name
        Name of the station.

    Examples
    --------
    >>> min([(0.4, "host_cpu"), (0.9, "drive_media"), (0.9, "host_link")], key=lambda one: foremost(*one))
    (0.9, 'host_link')
    """
    return -round(share, _DIGITS), _ORDER.get(place, len(_ORDER)), name
