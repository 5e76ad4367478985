"""The ``gatekeeper`` command: subcommands are imported when they are asked for, exit codes come from one table."""

from __future__ import annotations

import sys
from importlib import import_module

import click

from gatekeeper import __version__
from gatekeeper.entry.guard import EXIT_INTERRUPTED, guard, say
from gatekeeper.errors import UsageError

COMMANDS = {
    "check": "Judge the commits between BASE and HEAD, as a CI job does.",
    "collect": "What pytest would collect from a revision, without running anything.",
    "contract": "The public API of a revision, what moved, and the rows that allow it.",
    "demo": "Watch the gate refuse cheating pushes, for real, in a scratch directory.",
    "doctor": "Prove that the gate of a repository fires.",
    "explain": "What a rule holds, why, and what mends a push that breaks it.",
    "install": "Install the gate on bare repositories, or pre-push on a clone.",
    "policy": "Show or check a policy.",
    "properties": "The named properties: list, check, add, pin, audit.",
    "rules": "The table of all rules.",
    "select": "The properties that a change can affect, and what it changes beside all of them.",
    "serve": "Forced command for sshd: serve git as ACTOR.",
    "uninstall": "Undo an installation.",
}

_HOMES = {"uninstall": "install"}


class _Lazy(click.Group):
    """A group that knows its commands by name and imports the module of the one that runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"gatekeeper.commands.{_HOMES.get(cmd_name, cmd_name)}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands from the table, so that help imports nothing."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="gatekeeper")
def cli() -> None:
    """Keep coding agents from editing what judges them."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit code, with click's usage exit of 2 turned into 3."""
    return guard(lambda: _run(sys.argv[1:] if arguments is None else arguments))


def _run(arguments: list[str]) -> int:
    try:
        code = cli.main(arguments, prog_name="gatekeeper", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as help_text:
        say(help_text.format_message() + "\n")
        return 3
    except click.ClickException as error:
        # click's own exit code is 2, which here means "an agent edited a contract file"
        command = (
            error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx is not None else "gatekeeper"
        )
        raise UsageError(error.format_message(), fix=f"see {command} --help") from None
    except click.exceptions.Abort:
        return EXIT_INTERRUPTED
    return code if isinstance(code, int) else 0
