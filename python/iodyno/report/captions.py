"""Captions that tell figures and tables apart: those that would be alike name their sections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from iodyno.report.document import Block, Figure, Heading, Table
from iodyno.report.messages import Messages

Path = tuple[str, ...]
"""The headings that a block stands below, the chapter first."""


def told_apart(messages: Messages, blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield the blocks of a paper; captions that are alike begin with what tells their sections apart."""
    paths = dict(_paths(blocks))
    alike: dict[str, list[str]] = {}
    for block in blocks:
        if isinstance(block, Figure | Table):
            alike.setdefault(block.caption, []).append(block.key)
    for block in blocks:
        if isinstance(block, Figure | Table):
            others = [paths[key] for key in alike[block.caption] if key != block.key]
            section = _section(paths[block.key], others) if others else ()
            if section:
                name = messages.names(section)
                caption = messages.say("{section} – {caption}", section=name, caption=block.caption)
                yield replace(block, caption=caption)
                continue
        yield block


def _paths(blocks: Sequence[Block]) -> Iterator[tuple[str, Path]]:
    above: list[Heading] = []
    for block in blocks:
        if isinstance(block, Heading):
            above = [*(heading for heading in above if heading.level < block.level), block]
        elif isinstance(block, Figure | Table):
            yield block.key, tuple(heading.text for heading in above)


def _section(path: Path, others: Sequence[Path]) -> Path:
    """Give the heading of a path that tells it from all others, else all that tell it from some."""
    alike = [
        [other[place : place + 1] == (heading,) for other in others] for place, heading in enumerate(path)
    ]
    alone = [heading for heading, found in zip(path, alike, strict=True) if not any(found)]
    return tuple(alone[:1]) or tuple(
        heading for heading, found in zip(path, alike, strict=True) if not all(found)
    )
