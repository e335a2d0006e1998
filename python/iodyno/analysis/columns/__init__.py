"""The columns of the tables as data: name, type, meaning, and how the value comes from a result."""

from iodyno.analysis.columns.column import Column, Value
from iodyno.analysis.columns.histogram import HISTOGRAM_COLUMNS, BucketItem, DirectionName
from iodyno.analysis.columns.points import POINT_COLUMNS, PointItem
from iodyno.analysis.columns.series import SERIES_COLUMNS, WindowItem
from iodyno.analysis.columns.targets import TARGET_COLUMNS

__all__ = [
    "HISTOGRAM_COLUMNS",
    "POINT_COLUMNS",
    "SERIES_COLUMNS",
    "TARGET_COLUMNS",
    "BucketItem",
    "Column",
    "DirectionName",
    "PointItem",
    "Value",
    "WindowItem",
]
