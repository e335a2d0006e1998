"""What the lab does not reach, in the order of the page."""

from __future__ import annotations

from iodyno.validation import unreached_nvme, unreached_p3700, unreached_raid
from iodyno.validation.unreached import Sources, Telling, Unreached

TELLINGS: tuple[Telling, ...] = (
    unreached_raid.file_server,
    unreached_raid.database_on_four,
    unreached_raid.ssds_by_class,
    unreached_raid.others_by_class,
    unreached_raid.controllers_at_their_limit,
    unreached_raid.cache_by_load,
    unreached_raid.rule_without_cache,
    unreached_p3700.mirrors,
    unreached_p3700.writes_by_area,
    unreached_p3700.frequencies,
    unreached_p3700.thresholds,
    unreached_raid.restore_at_one,
    unreached_p3700.independent,
    unreached_nvme.narrow_adapter,
    unreached_nvme.gap_by_drives,
    unreached_raid.levels_at_one,
    unreached_p3700.mixes_by_area,
)


def unreached(of: Sources) -> tuple[Unreached, ...]:
    """Tell why each figure and statement is out of reach that is."""
    return tuple(telling(of) for telling in TELLINGS)
