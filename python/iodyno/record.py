"""What every record of iodyno is: a value that never changes; and shares as people write them."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from iodyno.units import parse_share


class Record(BaseModel):
    """A value that never changes and knows no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")


Share = Annotated[float, BeforeValidator(parse_share), Field(ge=0, le=1)]
