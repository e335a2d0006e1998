"""The page of the events that ``--json`` prints while a run is made, each with its keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import get_args

from pydantic import BaseModel

from iodyno import events

_INTRODUCTION = """\
# The events of a run

With `--json`, `iodyno measure`, `search` and `simulate` print what happens as it happens: each event is a
line of JSON, and nothing else is on stdout. Errors, hints and notes stay on stderr.

```sh
iodyno measure --quick /mnt/data --json | jq -r 'select(.event == "point_finished") | .result.verdict.state'
```

The key `event` of each is its name; the others stand below. A simulation tells the beginning and the end of
the run, and each point that is finished. All of a finished run is in its [export](export.md).
"""


Meanings = Callable[[type[BaseModel]], Mapping[str, str]]
Choices = Callable[[object], str]


def events_page(note: str, meanings: Meanings, choices: Choices) -> str:
    """Write the page.

    Parameters
    ----------
    note
        The first line, which says where the page comes from.
    meanings
        Gives the text under each field of a model.
    choices
        Lists the words that a value is one of.
    """
    parts = [note, _INTRODUCTION]
    for model in get_args(events.Event):
        parts += _section(f"`{model.model_fields['event'].default}`", model, meanings, choices)
    parts += _section("An entry of `windows`", events.SeenWindow, meanings, choices)
    return "\n".join(parts)


def _section(title: str, model: type[BaseModel], meanings: Meanings, choices: Choices) -> Iterator[str]:
    yield f"## {title}\n"
    yield f"{(model.__doc__ or '').strip()}\n"
    yield "| Key | Meaning |\n|---|---|"
    texts = meanings(model)
    for name, field in model.model_fields.items():
        if name != "event":
            yield f"| `{name}` | {texts[name]}{choices(field.annotation)} |"
    yield ""
