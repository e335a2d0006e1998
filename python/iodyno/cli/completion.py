"""``iodyno completion``: completion scripts for shells."""

from __future__ import annotations

import click

from iodyno.cli.telling import TellingCommand

_INSTRUCTIONS = {
    "bash": 'Put this line into ~/.bashrc:\n#   eval "$(iodyno completion bash)"',
    "zsh": 'Put this line into ~/.zshrc, after compinit:\n#   eval "$(iodyno completion zsh)"',
    "fish": "Run this once:\n#   iodyno completion fish > ~/.config/fish/completions/iodyno.fish",
}
COMPLETE_VARIABLE = "_IODYNO_COMPLETE"


@click.command(cls=TellingCommand)
@click.argument("shell", type=click.Choice(tuple(_INSTRUCTIONS)), metavar="SHELL")
def command(shell: str) -> None:
    """Print the completion script of a shell.

    SHELL is bash (4.4 or later), zsh or fish. The script completes commands, options,
    studies and their sweeps, configurations and profiles, languages, and the ids of runs.

    \b
    eval "$(iodyno completion bash)"                                       in ~/.bashrc
    eval "$(iodyno completion zsh)"                                        in ~/.zshrc
    iodyno completion fish > ~/.config/fish/completions/iodyno.fish        once
    """
    from click.shell_completion import get_completion_class

    from iodyno.cli.commands import iodyno

    kind = get_completion_class(shell)
    assert kind is not None, shell
    script = kind(iodyno, {}, "iodyno", COMPLETE_VARIABLE).source()
    click.echo(f"# Completion of iodyno for {shell}. {_INSTRUCTIONS[shell]}\n{script}")
