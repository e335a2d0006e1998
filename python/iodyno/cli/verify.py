"""``iodyno verify``: whether what a run has written is still there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from iodyno.cli import named, parameters
from iodyno.cli.options import json_option, store_option
from iodyno.cli.sentences import say_line
from iodyno.cli.telling import TellingCommand

if TYPE_CHECKING:
    from collections.abc import Iterator

    from iodyno.errors import Problem
    from iodyno.plan import Plan, PlannedTarget
    from iodyno.reading import Integrity
    from iodyno.targets import Target


@click.command(cls=TellingCommand, named=named.of_showing)
@click.argument("run", default="latest", shell_complete=parameters.complete_runs)
@store_option
@json_option
def command(run: str, store: str | None, as_json: bool) -> int:
    """Read what a run with --verify has written, and compare it.

    RUN is an id of `iodyno runs`, the beginning of one, or latest. Its file has to be there still
    (--keep), or its device; nothing is written. What is known is the last write of every block up to
    the end of the last finished point; later ones are right too. So it tells what a power cut, a
    controller or a copy has lost. What was trimmed is not compared. Nor is what the run itself found
    wrong and has not written since: it is counted, and the exit status is 1.

    \b
    iodyno measure /mnt/data --verify --keep
    iodyno verify
    """  # fmt: skip
    from iodyno.cli.ending import say, whoever_reads
    from iodyno.store import Store, ledger_path

    with Store.open(store, create=False) as kept:
        found = kept.find(run)
        path = ledger_path(kept.path, found.id)
    integrity = _read(found.plan, str(path), found.id, quiet=as_json)
    wrong, before = integrity.all.total, _wrong_before(integrity)
    with whoever_reads():
        if as_json:
            click.echo(integrity.model_dump_json(indent=2))
        else:
            _tell(integrity, before)
    if wrong:
        say("error", f"data came back wrong at {wrong:,} place{'s' if wrong > 1 else ''}")
    if before:
        say("error", before)
    return 1 if wrong or before else 0


def _tell(integrity: Integrity, before: str) -> None:
    from iodyno.cli.corruption import NOTHING
    from iodyno.units import short_size

    if integrity.all.total:
        _print(integrity)
    elif not integrity.all.checked_bytes:
        click.echo(NOTHING)
    else:
        everything = "" if before else "all is "
        say_line(f"{short_size(integrity.all.checked_bytes)} compared: {everything}as it was written")
    if integrity.all.trimmed_bytes:
        trimmed, zeros = map(short_size, (integrity.all.trimmed_bytes, integrity.all.trimmed_zeros_bytes))
        holds = f"nothing says what it holds ({zeros} of zeros)"
        say_line(f"{trimmed} not compared: it is trimmed, or may be, and {holds}")


def _wrong_before(integrity: Integrity) -> str:
    """Say what the run found wrong itself, which is not compared again; empty where that is nothing."""
    from iodyno.units import short_size

    found = integrity.final_pass
    if not (found and found.wrong_before):
        return ""
    one = found.wrong_before == 1
    places = f"{found.wrong_before:,} place{'' if one else 's'} ({short_size(found.wrong_before_bytes)})"
    them = "it" if one else "them"
    return f"{places} not compared: the run found {them} wrong and has not written there since"


def _read(plan: Plan, ledger_path: str, run_id: str, *, quiet: bool) -> Integrity:
    import time

    from iodyno import bench
    from iodyno.reading import FinalPass, Findings, Integrity

    began = time.monotonic()
    targets = _targets(plan, run_id)
    ledger = bench.load_ledger(ledger_path, [target.path for target in targets], run_id)
    if not quiet:
        for target in targets:
            click.echo(f"reading {target.path}", err=True)
    # Before what the pass itself finds wrong is left out too.
    before = [ledger.found_wrong(target.path) for target in targets]
    findings = Findings.merged([bench.check(target, ledger) for target in targets])
    seconds = time.monotonic() - began
    return Integrity(
        session=ledger.session,
        unit_bytes=ledger.unit_bytes,
        targets=tuple(ledger.paths),
        load=Findings(),
        final_pass=FinalPass(
            findings=findings,
            seconds=seconds,
            everything=True,
            wrong_before=sum(places for places, _ in before),
            wrong_before_bytes=sum(size for _, size in before),
        ),
    )


def _targets(plan: Plan, run_id: str) -> tuple[Target, ...]:
    """Find the targets of a verified run to read them."""
    from pathlib import Path

    from iodyno.errors import StoreError, TargetError
    from iodyno.targets import Permissions, find_targets

    planned = {target.path: target for point in plan.points if point.verify for target in point.targets}
    if not planned:
        what = "the run did not verify its data: nothing is known of what it wrote"
        raise StoreError.of(run_id, what, "`iodyno measure TARGET --verify --keep` does")
    for before in planned.values():
        if not Path(before.path).exists():
            what = "the file of the run is gone"
            raise TargetError.of(before.path, what, "`iodyno measure TARGET --verify --keep` keeps it")
    sizes = [target.size_bytes for target in planned.values() if target.created]
    allowed, size = Permissions(buffered=True), max(sizes, default=1)
    found = find_targets(list(planned), writes=False, permissions=allowed, file_size_bytes=size)
    pairs = zip(planned.values(), found, strict=True)
    problems = [problem for before, now in pairs for problem in _differences(before, now)]
    if problems:
        raise TargetError(*problems)
    return found


def _differences(before: PlannedTarget, now: Target) -> Iterator[Problem]:
    """Say of a target what makes it another than the run wrote to."""
    from iodyno.errors import Problem

    what, hint = (
        "is not what it was when the run wrote to it",
        "bring back what the run wrote, or a whole copy",
    )
    if now.kind != before.kind:
        yield Problem(before.path, f"{what}: it was a {before.kind}, and is a {now.kind} now", hint)
    elif now.size_bytes < before.area_start_bytes + before.area_length_bytes:
        sizes = f"it had {before.size_bytes} bytes, and has {now.size_bytes} now"
        yield Problem(before.path, f"{what}: {sizes}", hint)


def _print(integrity: Integrity) -> None:
    from iodyno.cli.console import console
    from iodyno.cli.corruption import print_integrity

    print_integrity(console(), integrity)
