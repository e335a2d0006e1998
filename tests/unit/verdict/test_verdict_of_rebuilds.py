"""What is noted of a rebuild beside the load."""

from __future__ import annotations

import pytest

from factories import make_observation, make_point, make_reading
from iodyno.reading import Bottleneck, Cause, EngineFacts, Rebuilding, Simulation
from iodyno.verdict import describe, judge

POINT = make_point("database", 8)
MIB = 1 << 20


def notes(rebuild: Rebuilding) -> tuple[Cause, ...]:
    """Give the notes of a simulated point beside a rebuild, after the one that it was simulated."""
    limit = Bottleneck(station=None, place="drive_media", utilisation=0.5, kind="outstanding")
    simulation = Simulation(model_version=1, virtual_s=1, events=9, bottleneck=limit, rebuilds=(rebuild,))
    engine = EngineFacts(name="simulator", direct=True, clock="virtual")
    reading = make_reading(POINT).model_copy(update={"simulation": simulation, "engine": engine})
    found = judge(POINT, reading, make_observation(reading), contents="written", optimised=True)
    return found.notes[1:]


@pytest.mark.parametrize(
    ("came_to", "said"),
    [
        (98, ("rebuilding", "failed members were rebuilt beside the load"
                            " (98 MB/s each, all of it in 0.29 h)")),
        (40, ("rebuild_held_up", "failed members were rebuilt beside the load, more slowly than asked for"
                                 " (40 of 100 MB/s each, all of it in 0.711 h)")),
        (0, ("rebuild_stopped", "failed members were to be rebuilt beside the load, and nothing of them was"
                                " (100 MB/s asked for)")),
    ],
)  # fmt: skip
def test_a_rebuild_is_noted_with_what_it_came_to(came_to: int, said: tuple[str, str]) -> None:
    rebuild = Rebuilding(
        volume="v", asked_bytes_s=100 * MIB, bytes_s=came_to * MIB, member_bytes=100 * 1024 * MIB
    )
    (found,) = notes(rebuild)
    assert (found.code, describe(found)) == said


@pytest.mark.parametrize(("steps", "said"), [(0, []), (1, ["rebuilding"]), (2, ["rebuilding"])])
def test_a_step_of_a_rebuild_more_or_less_is_chance(steps: int, said: list[str]) -> None:
    """Two steps were due in the measured part: none of them says nothing, one or two that it goes on."""
    step = (256 << 10) / make_reading(POINT).measured_s
    rebuild = Rebuilding(volume="v", asked_bytes_s=2 * step, bytes_s=steps * step, member_bytes=MIB)
    assert [note.code for note in notes(rebuild)] == said
