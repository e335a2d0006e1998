"""Files that a paper carries: every point of a run whose disclosure is not printed point by point."""

from __future__ import annotations

import csv
import io

from iodyno.analysis.columns import POINT_COLUMNS, PointItem
from iodyno.analysis.layout import EACH_UP_TO
from iodyno.report.context import Context
from iodyno.report.document import Attachment


def attachments(context: Context) -> tuple[Attachment, ...]:
    """Give the files: the table of points, where the paper prints one row a curve only."""
    if len(context.analysis.curves) <= EACH_UP_TO:
        return ()
    return (
        Attachment(
            name=points_name(context),
            media_type="text/csv",
            description=context.messages.say("Every point of the run, one a row, with its disclosure"),
            data=_points(context),
        ),
    )


def points_name(context: Context) -> str:
    """Name the file of the points."""
    return f"{context.run.id}-points.csv"


def _points(context: Context) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(column.name for column in POINT_COLUMNS)
    known = {at.point.index: at for item in context.analysis.curves for at in item.curve.points}
    for result in context.stored.results:
        first = known[result.point.index]
        for number, (load, figures) in enumerate(zip(result.loads, (first, *first.beside), strict=True)):
            item = PointItem(load, number, result, figures)
            writer.writerow([column.value(item) for column in POINT_COLUMNS])
    return text.getvalue().encode("utf-8")
