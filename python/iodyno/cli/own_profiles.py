"""Load profiles of a study, or of a job file of fio, for commands that take profiles and no study."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from iodyno.cli import parameters

if TYPE_CHECKING:
    from iodyno.errors import Problem
    from iodyno.profiles import Area, LoadProfile

study_of_profiles = click.option(
    "--study", type=parameters.NAME, metavar="STUDY", shell_complete=parameters.complete_studies,
    help="Study, or job file of fio, whose own load profiles can be named as well.",
)  # fmt: skip


@dataclass(frozen=True)
class Own:
    """Profiles that are no standard ones."""

    study: str = ""
    """The study or job file that has them."""
    profiles: tuple[LoadProfile, ...] = ()
    document: tuple[dict[str, Any], ...] = ()
    """The same as a study has them in its file."""
    problems: tuple[Problem, ...] = ()
    """Why there are none."""

    @property
    def names(self) -> tuple[str, ...]:
        """Their names, in the order of their file."""
        return tuple(profile.name for profile in self.profiles)

    def wrong(self, named: tuple[str, ...]) -> Iterator[Problem]:
        """Yield what is wrong with their study, and with profiles that are named: of a study that cannot be
        read nobody knows which there are."""
        from iodyno.cli.named import wrong_profiles

        yield from self.problems
        if not self.problems:
            yield from wrong_profiles(named, self.names)

    def area_of(self, named: tuple[str, ...]) -> Area | None:
        """Give the area of the first of them that is named."""
        return next((profile.area for profile in self.profiles if profile.name in named), None)

    @property
    def hint(self) -> str:
        """Say where profiles can be taken from."""
        return f"{self.study} has {', '.join(self.names)}" if self.names else "`iodyno profiles` lists them"


def own_profiles(study: str | None) -> Own:
    """Give the profiles that a study or a job file of fio has of its own.

    Of jobs only their accesses are taken, and nothing is told of what fio would do otherwise.
    """
    from iodyno.cli.fio_jobs import is_job
    from iodyno.errors import IodynoError, Problem
    from iodyno.fio import translate
    from iodyno.study import load_study

    if study is None:
        return Own()
    try:
        read = translate(Path(study), real=False).study if is_job(study) else load_study(study)
    except IodynoError as error:
        return Own(study, problems=error.problems)
    if not read.profile:
        hint = "leave it out, or name one that has [[profile]]"
        return Own(study, problems=(Problem("--study", f"{study} has no load profile of its own", hint),))
    return Own(study, read.profile, tuple(read.source()["profile"]))
