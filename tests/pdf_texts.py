"""What programs of poppler read in a PDF, and a small document."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from iodyno.report.document import (
    Bullets,
    CodeBlock,
    Document,
    Facts,
    Figure,
    Heading,
    Paragraph,
    Table,
    TitlePage,
)


def tool(name: str) -> str:
    found = shutil.which(name)
    if not found:
        pytest.skip(f"{name} (poppler-utils) is not installed")
    return found


def read(data: bytes, directory: Path, *options: str) -> str:
    """The text of a PDF as pdftotext reads it."""
    program, path = tool("pdftotext"), directory / "paper.pdf"
    path.write_bytes(data)
    done = subprocess.run([program, *options, path, "-"], check=True, capture_output=True)
    return done.stdout.decode()


def facts(data: bytes, directory: Path) -> dict[str, str]:
    program, path = tool("pdfinfo"), directory / "paper.pdf"
    path.write_bytes(data)
    done = subprocess.run([program, "-isodates", path], check=True, capture_output=True, text=True)
    lines = (line.partition(":") for line in done.stdout.splitlines())
    return {name: value.strip() for name, _, value in lines}


Small = Heading | Paragraph | Bullets | Table | CodeBlock | Facts | Figure


def small(*blocks: Small, footer: str = "") -> Document:
    page = TitlePage("K", "T", "", ())
    return Document("en", page, (Heading(1, "H", "h"), *blocks), footer, "2024-05-17")
