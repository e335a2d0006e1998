"""Marks beside the bars of a figure: its caption explains them, for their table can be on another page."""

from __future__ import annotations

from dataclasses import replace

from iodyno.report.document import BarChart, Block, Figure
from iodyno.report.messages import Messages
from iodyno.report.names import marks_told


def with_marks(messages: Messages, block: Block) -> Block:
    """Explain in the caption of a figure the marks that stand beside its bars."""
    if not isinstance(block, Figure):
        return block
    labels = [
        bar.label
        for chart in block.charts
        if isinstance(chart, BarChart)
        for _, bars in chart.rows
        for bar in bars
    ]
    told = marks_told(messages, {label[-1:] for label in labels})
    return replace(block, caption=messages.remarked(block.caption, told)) if told else block
