"""Parts of the user's own, made of shipped ones."""

from __future__ import annotations

from iodyno.catalog import shelf

SHIPPED = {file.name: file.read_text("utf-8") for file in shelf.part_files()}
SSD, DISK = SHIPPED["intel-p3700-800.toml"], SHIPPED["seagate-exos-x20-20tb.toml"]
SYSTEM = """
name = "own"
[host]
processor = "xeon-e5-2637-v3"
software = "windows-2012-ntfs-nvme"
[[drives]]
drive = "{drive}"
"""


def named(text: str, name: str) -> str:
    """Give a part another name."""
    old = next(line for line in text.splitlines() if line.startswith("name = "))
    return text.replace(old, f'name = "{name}"', 1)


def having(text: str, key: str, value: str) -> str:
    """Give a part another value of a number."""
    old = next(line for line in text.splitlines() if line.startswith(f"{key} = {{ value = "))
    return text.replace(old, f"{key} = {{ value = {value}, {old.split(', ', 1)[1]}")
