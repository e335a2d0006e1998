"""How close the model is to real parts: what it was compared with, of each part of the systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from iodyno.analysis.closeness import (
    NEAR,
    Closeness,
    Comparison,
    closeness,
    compared_of,
    comparisons,
    fitted_or_not,
)
from iodyno.report.context import Context
from iodyno.report.document import Block, Cell, Column, Heading, Paragraph, Table


def blocks(context: Context) -> list[Block]:
    """Make the part of the introduction; nothing where nothing is simulated."""
    if not context.run.simulated:
        return []
    caption = context.messages.say("Parts of this paper beside published figures")
    shown = table(context, compared_of(context.run), caption, "table-closeness")
    return [
        Heading(2, context.messages.say("How close the model is"), "closeness"),
        Paragraph(context.messages.see(summed(context), shown.key)),
        shown,
    ]


def summed(context: Context) -> str:
    """Sum up how close the model is to all that it was compared with."""
    return context.messages.flow(tuple(_sums(context)))


def _sums(context: Context) -> Iterator[str]:
    say, numbers = context.messages.say, context.numbers
    found = comparisons()
    fitted, predicted = closeness(found, "fitted"), closeness(found, "prediction")
    others = closeness(found, "others")
    yield say(
        "The model was compared with published figures of real systems, of this paper's parts and of others. "
        "Parts were fitted to {fitted} of them, which it gives back with a mean error of {mean}, {most} at "
        "the most.",
        fitted=numbers.integer(fitted.count),
        mean=numbers.percent(fitted.mean, 1),
        most=numbers.percent(fitted.most, 1),
    )
    yield say(
        "Nothing was fitted to {count} others of the same publications, most of them of several drives: "
        "there the mean error is {mean} and the greatest {most}; {near} are within {share}.",
        count=numbers.integer(predicted.count),
        mean=numbers.percent(predicted.mean, 1),
        most=numbers.percent(predicted.most, 1),
        near=numbers.integer(predicted.near),
        share=numbers.percent(NEAR, 0),
    )
    yield say(
        "Of {count} figures that others measured on single drives, or that makers state and no part uses, "
        "{near} are within {share}; the greatest error is {most}.",
        count=numbers.integer(others.count),
        near=numbers.integer(others.near),
        most=numbers.percent(others.most, 1),
        share=numbers.percent(NEAR, 0),
    )


def table(context: Context, compared: Mapping[str, Sequence[Comparison]], caption: str, key: str) -> Table:
    """Set out how close the model is to each of some parts."""
    say = context.messages.say
    found = {name: fitted_or_not(figures) for name, figures in compared.items()}
    notes = [
        say(
            "A figure counts with each part that it is of. Not fitted to: predictions, what others measured, "
            "and what makers state and the part does not use. Errors are relative, without their sign, and 0 "
            "inside a printed range."
        )
    ]
    if not all(any(of_uses.count for of_uses in groups) for groups in found.values()):
        notes.append(
            say(
                "A row of dashes: no published figure of the part was compared. What is simulated of it "
                "rests on the numbers of the part alone."
            )
        )
    titles = (say("Figures"), say("Mean error"), say("Greatest error"))
    return Table(
        columns=(
            Column(say("Part")),
            *(Column(title, "right", group) for group in _groups(context) for title in titles),
        ),
        rows=tuple(
            (
                Cell(context.messages.part(name), strong=True),
                *(cell for of_uses in groups for cell in _cells(context, of_uses)),
            )
            for name, groups in found.items()
        ),
        caption=caption,
        key=key,
        notes=tuple(notes),
    )


def _groups(context: Context) -> tuple[str, str]:
    return context.messages.say("fitted to"), context.messages.say("not fitted to")


def _cells(context: Context, found: Closeness) -> Iterator[Cell]:
    if not found.count:
        yield from (Cell("–"), Cell("–"), Cell("–"))
        return
    numbers = context.numbers
    yield Cell(numbers.integer(found.count))
    yield Cell(numbers.percent(found.mean, 1))
    yield Cell(numbers.percent(found.most, 1))
