"""What facts tell of members that have failed: as worded now, and as runs kept before have it."""

from __future__ import annotations

import pytest

from iodyno.report import paper
from iodyno.store.records import StoredRun
from iodyno.study.configuration import Configuration
from iodyno.study.systems import resolve
from iodyno.system.virtual import describe
from paper_texts import texts
from simulated_papers import many

BEFORE, NOW = "2 failed (position 0 + 3)", "2 failed (positions 0 and 3)"


def degraded(wording: str, *, failed: tuple[int, ...] = (0, 3), level: str = "6") -> StoredRun:
    """Give a run on an array with failed members, of which its facts tell in this wording."""
    changes: dict[str, object] = {"level": level, "failed": list(failed)}
    found = describe({"a": resolve(Configuration(name="a", system="raid-controllers", changes=changes))})
    stored = many(1, '"database"')
    text = found.model_dump_json().replace(NOW, wording)
    system = type(found).model_validate_json(text)
    return stored.model_copy(update={"run": stored.run.model_copy(update={"system": system})})


def fact(stored: StoredRun) -> str:
    (section,) = stored.run.system.all("virtual_system")
    return str(section.value("virtual_volumes"))


def told(stored: StoredRun, language: str) -> str:
    return "\n".join(texts(paper.build(stored, language=language).blocks))


def test_facts_name_positions_as_a_sentence_does() -> None:
    assert f", {NOW}, no rebuild" in fact(degraded(NOW))
    assert ", 1 failed (position 2), no rebuild" in fact(degraded(NOW, failed=(2,)))


@pytest.mark.parametrize("wording", [BEFORE, NOW])
@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "2 failed (positions 0 and 3), no rebuild"),
        ("de", "2 ausgefallen (Positionen 0 und 3), kein Rebuild"),
        ("ja", "故障 2 台（位置 0、3）、再構築なし"),
    ],
)
def test_both_wordings_are_shown_alike_in_every_language(wording: str, language: str, expected: str) -> None:
    assert expected in told(degraded(wording), language)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "3 failed (positions 0, 2, and 4), no rebuild"),
        ("de", "3 ausgefallen (Positionen 0, 2 und 4), kein Rebuild"),
        ("ja", "故障 3 台（位置 0、2、4）、再構築なし"),
    ],
)
def test_a_list_of_positions_stays_together(language: str, expected: str) -> None:
    assert expected in told(degraded(NOW, failed=(0, 2, 4), level="10"), language)


def test_a_run_kept_before_has_the_same_system_as_one_of_now() -> None:
    document = paper.build(degraded(NOW), beside=(degraded(BEFORE),))
    assert "What run" not in "\n".join(texts(document.blocks))
    other = paper.build(degraded(NOW), beside=(degraded(BEFORE, failed=(0, 3, 4), level="10"),))
    assert "What run" in "\n".join(texts(other.blocks))


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "RAID 1 of 2 drives by the host"),
        ("de", "RAID 1 aus 2 Laufwerken, durch den Host"),
        ("ja", "RAID 1（ドライブ 2 台、ホストによる）"),
    ],
)
def test_a_set_of_whole_copies_has_no_strip(language: str, expected: str) -> None:
    """Its facts said "RAID 1 of 2 drives, strip 64 kB by the host"."""
    changes: dict[str, object] = {"level": "1", "count": 2}
    found = describe({"a": resolve(Configuration(name="a", system="p3700", changes=changes))})
    stored = many(1, '"database"')
    stored = stored.model_copy(update={"run": stored.run.model_copy(update={"system": found})})
    said = told(stored, language)
    assert expected in said
    behind = {"level": "1", "count": 2, "mode": "performance"}
    found = describe({"a": resolve(Configuration(name="a", system="raid-controllers", changes=behind))})
    (section,) = found.all("virtual_system")
    assert ", RAID 1 of 2 drives, read-ahead" in str(section.value("virtual_volumes")).replace(
        "no read", "read"
    )
