"""Writes the generated pages from commands, models and simulations, or checks that they are up to date.

``python tools/generate_docs.py`` writes ``cli.md``, ``study.md``, ``catalog.md``, ``verdicts.md`` and
``events.md`` of ``docs/reference``, and the tables of ``docs/concepts/bottlenecks.md``; with ``--check`` it
writes nothing and ends with 1 where a page is not what it would write.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import inspect
import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Literal, get_args, get_origin

import click
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from iodyno.cli.commands import COMMANDS, iodyno
from iodyno.distributions import Zone
from iodyno.profiles import INTENSITIES, STANDARD_SETS, Area, Block, LoadProfile
from iodyno.study import (
    AccessedAreas,
    Beside,
    Chart,
    Comparison,
    ConditioningOptions,
    Configuration,
    FileOptions,
    Measurement,
    Search,
    SimulationOptions,
    Study,
    Sweep,
    load_study,
    shipped,
)
from iodyno.units import format_size, parse_size

FOLDER = Path(__file__).resolve().parent.parent / "docs"
NOTE = "<!-- Written by tools/generate_docs.py: change the source, not this page. -->\n"

TABLES: tuple[tuple[str, str, type[BaseModel]], ...] = (
    ("The study", "Keys at the top of the file.", Study),
    ("`[measurement]`", "How each point is measured.", Measurement),
    ("`[file]`", "The file that iodyno makes where the target is a folder or a new path.", FileOptions),
    (
        "`[conditioning]`",
        "What is done to real targets first; virtual ones begin in the steady state of their load.",
        ConditioningOptions,
    ),
    ("`[simulation]`", "How each point is simulated; real targets know nothing of it.", SimulationOptions),
    ("`[[configuration]]`", "A virtual system that the study is simulated on, or several.", Configuration),
    ("`area` of a configuration", "One area alone stands for both.", AccessedAreas),
    ("`[[sweep]]`", "What is measured: profiles, each with every combination of the axes.", Sweep),
    (
        "`search` of a sweep",
        "The highest rate at which a percentile of the response time keeps a limit.",
        Search,
    ),
    (
        "`[[sweep.beside]]`",
        "A load that runs at the same time, the same in every point of the sweep.",
        Beside,
    ),
    ("`[sweep.chart]`", "How the paper shows a sweep, over its rates or over its load.", Chart),
    (
        "`[[sweep.chart.compare]]`",
        "Configurations set against others, or a sweep against another: a table of quotients, and words.",
        Comparison,
    ),
    ("`[[profile]]`", "A load profile of the study's own.", LoadProfile),
    ("A block", 'An entry of `blocks`. A size alone, `"64k"`, stands for one block.', Block),
    (
        "A zone",
        "An entry of `distribution` where that is a list of zones, from the start of the area on; what they "
        "leave of the area is not accessed. Their accesses add up to 100 %.",
        Zone,
    ),
    ("An area", 'A value of `area`. `"25%"` or `"32G"` alone is a length from the start.', Area),
)


def cli_page() -> str:
    """Write the page of the commands."""
    parts = [
        NOTE,
        "# The command line\n",
        "`iodyno COMMAND -h` prints the same. Exit status: 0 done, 1 failed or I/O errors seen,",
        "2 bad request, 130 interrupted. Errors go to stderr as `error:` and `hint:`. NO_COLOR is heeded.\n",
    ]
    context = click.Context(
        iodyno, info_name="iodyno", terminal_width=100, help_option_names=["-h", "--help"]
    )
    parts += ["| Command | What it does |\n|---|---|"]
    parts += [f"| [{name}](#iodyno-{name}) | {text} |" for name, (_, text) in COMMANDS.items()]
    parts += [""]
    for name in COMMANDS:
        command = iodyno.get_command(context, name)
        assert command is not None
        parts += _command(name, command, context)
        if isinstance(command, click.Group):
            inner = click.Context(command, info_name=name, parent=context)
            for sub, below in command.commands.items():
                parts += _command(sub, below, inner)
    return "\n".join(parts)


def _command(name: str, command: click.Command, parent: click.Context) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent)
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f"## {context.command_path}\n"
    yield f"```text\n{usage}\n```\n"
    yield from _prose(command.help or "")
    yield "| Option | Meaning |\n|---|---|"
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context) if isinstance(parameter, click.Option) else None
        if record:
            yield f"| `{_cell(record[0])}` | {_cell(record[1])} |"
    yield ""


def _prose(text: str) -> Iterator[str]:
    """Turn a help text into Markdown: what click does not wrap is an example."""
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        if paragraph.startswith("\b"):
            yield f"```sh\n{textwrap.dedent(paragraph[1:].strip(chr(10)))}\n```\n"
        else:
            yield f"{paragraph}\n"


def study_page() -> str:
    """Write the page of the study's format."""
    parts = [NOTE, _INTRODUCTION]
    for title, text, model in TABLES:
        parts += [f"## {title}\n", f"{text}\n", "| Key | Default | Meaning |\n|---|---|---|"]
        parts += [*_rows(model), ""]
    parts += _sets()
    parts += _shipped()
    for name in shipped():
        text = resources.files("iodyno").joinpath("studies").joinpath(f"{name}.toml").read_text("utf-8")
        parts += [f"## The study {name}\n", f"```toml\n{text}```\n"]
    return "\n".join(parts)


def _shipped() -> Iterator[str]:
    """List the studies that come with the program."""
    yield "## The studies that come with it\n"
    yield "Any of them can be measured, and simulated on what `--on` names; those with systems of their own"
    yield "are simulated on these where it names none.\n"
    yield "| Study | Title | Systems of its own |\n|---|---|---:|"
    for name in shipped():
        study = load_study(name)
        yield f"| [`{name}`](#the-study-{name}) | {study.title} | {len(study.configurations) or '–'} |"
    yield ""


def _rows(model: type[BaseModel]) -> Iterator[str]:
    meanings = _meanings(model)
    for name, field in model.model_fields.items():
        meaning = _cell(meanings[name].replace("``", "`")) + _choices(field.annotation)
        yield f"| `{field.alias or name}` | {_default(field)} | {meaning} |"


def _meanings(model: type[BaseModel]) -> dict[str, str]:
    """Give the text under each field of a model, those of the models that it extends too."""
    return {
        key: text for of in reversed(model.__mro__) if _is_ours(of) for key, text in field_docs(of).items()
    }


def _is_ours(model: type) -> bool:
    return issubclass(model, BaseModel) and model.__module__.startswith("iodyno.")


def field_docs(model: type[BaseModel]) -> dict[str, str]:
    """Give the text that stands under each field of a model.

    Raises
    ------
    KeyError
        By whoever asks for a field without one: every public field has a text.
    """
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(model))).body
    assert isinstance(definition, ast.ClassDef)
    found: dict[str, str] = {}
    for field, text in zip(definition.body, definition.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and _is_text(text):
            found[field.target.id] = " ".join(ast.literal_eval(text.value).split())  # type: ignore[attr-defined]
    return found


def _is_text(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _default(field: FieldInfo) -> str:
    value = field.get_default(call_default_factory=True)
    if value is PydanticUndefined:
        return "needed"
    if isinstance(value, BaseModel) or value in ("", (), {}, None):
        return "–"
    if any(getattr(item, "func", None) is parse_size for item in field.metadata):
        return f'`"{format_size(value)}"`'
    return f"`{json.dumps(value, ensure_ascii=False)}`"


def _choices(annotation: object) -> str:
    """List the words that a value is one of."""
    if get_origin(annotation) is Literal:
        words = [f'`"{word}"`' for word in get_args(annotation) if isinstance(word, str)]
        return f" One of {', '.join(words)}." if words else ""
    return "".join(dict.fromkeys(_choices(inner) for inner in get_args(annotation) if inner is not None))


def _sets() -> Iterator[str]:
    yield "## The standard sets\n"
    yield "| Set | Profile | Title | Stands for |\n|---|---|---|---|"
    for name, loads in STANDARD_SETS.items():
        for load in loads:
            profile = load.profile
            kind = profile.stands_for or "–"
            yield f"| `{name}` | `{profile.name}` | {profile.shown} | {kind} |"
    yield ""
    for name, numbers in INTENSITIES.items():
        yield f'- `"{name}"`: {", ".join(map(str, numbers))} outstanding I/Os'
    yield ""


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("|", "\\|").strip()


_INTRODUCTION = """\
# The format of a study

A study is a TOML file. `iodyno plan FILE` prints every point that it makes and stops; `iodyno measure
TARGET --study FILE` measures them. Unknown keys are refused, and all problems are reported at once.

```toml
schema = 1
name = "small-blocks"
title = "Small blocks on this drive"

[measurement]
cap_s = 20.0

[[sweep]]
name = "reads"
title = "Random reads by block size"
profiles = ["random-read-4k"]
workers = [1, 4]
block_sizes = ["4k", "8k", "16k"]
outstanding = "powers-of-two"
```

That makes 2 × 3 × 10 points. A key of a sweep that takes a list is an axis; the axes are combined in the
order in which they are written, the last one fastest, after the profiles. An axis that changes a
profile (`area`, `block_sizes`, `read_share`, `random_share`) changes its name too, `random-read-4k-block-8k`,
because it is another profile then. Sizes are powers of 1024: `"64k"`, `"32G"`. Shares are numbers from 0 to 1
or percentages in quotes. Times are seconds, or texts such as `"500ms"` and `"2m"`.

What a plan keeps is the study with all defaults filled in, so that the paper can be made from the run alone.
"""


def _catalog_page() -> str:
    """Write the page of the catalogue, which the module beside this one makes."""
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from catalog_page import catalog_page
    from parts_page import Texts

    return catalog_page(NOTE, _rows, Texts(_meanings, _default, _choices))


def _bottlenecks_page() -> str:
    """Write the page on bottlenecks, whose study the module beside this one simulates."""
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from bottlenecks_page import bottlenecks_page

    return bottlenecks_page()


def _verdicts_page() -> str:
    """Write the page of the names in verdicts, which the module beside this one makes."""
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from verdicts_page import verdicts_page

    return verdicts_page(NOTE)


def _events_page() -> str:
    """Write the page of the events of a run, which the module beside this one makes."""
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from events_page import events_page

    return events_page(NOTE, _meanings, _choices)


PAGES: dict[str, Callable[[], str]] = {
    "reference/cli.md": cli_page,
    "reference/study.md": study_page,
    "reference/catalog.md": _catalog_page,
    "reference/verdicts.md": _verdicts_page,
    "reference/events.md": _events_page,
    "concepts/bottlenecks.md": _bottlenecks_page,
}


def main() -> int:
    """Write the pages, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, compare")
    check = parser.parse_args().check
    pages = {name: page() for name, page in PAGES.items()}
    stale = [name for name, text in pages.items() if not _is_current(FOLDER / name, text)]
    for name in stale:
        if check:
            _show_difference(FOLDER / name, pages[name])
        else:
            (FOLDER / name).write_text(pages[name], encoding="utf-8")
            sys.stdout.write(f"wrote {FOLDER / name}\n")
    return 1 if check and stale else 0


def _is_current(file: Path, text: str) -> bool:
    return file.exists() and file.read_text(encoding="utf-8") == text


def _show_difference(file: Path, text: str) -> None:
    old = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    lines = difflib.unified_diff(old, text.splitlines(), str(file), "as generated", lineterm="", n=1)
    sys.stderr.write(
        "\n".join([*lines, f"{file.name} is out of date: run python tools/generate_docs.py", ""])
    )


if __name__ == "__main__":
    sys.exit(main())
