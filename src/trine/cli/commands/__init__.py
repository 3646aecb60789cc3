"""The command line: the module of a command is imported only when the command is run.

Exit codes: 0, success; 1, the input is against the rules or malformed, or code cannot be compiled;
2, the command line or a file cannot be used; 130, Ctrl-C.
"""

import os
import re
import signal
import sys
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Final, NoReturn

import click

from trine import __version__
from trine.cli.commands.speech import say, with_language
from trine.core.compiled.gc_pause import gc_paused
from trine.core.errors import FileError, TrineError, system_words
from trine.core.text.sentence import quoted, suggesting, text

COMMANDS: Final = {
    "play": "play.command",
    "serve": "serve.command",
    "site": "serve.site",
    "house": "house.command",
    "bot": "bot.command",
    "lessons": "lessons.command",
    "puzzles": "lessons.puzzles_command",
    "resume": "play.resume",
    "show": "show.command",
    "analyze": "analyze.command",
    "review": "review.command",
    "check": "records.check",
    "stats": "stats.command",
    "convert": "records.convert",
    "archive": "archive.command",
    "explore": "archive.explore_command",
    "rules": "rules.command",
    "about": "rules.about",
    "turn": "records.turn",
    "perft": "perft.command",
    "bench": "perft.bench",
    "warm": "perft.warm",
    "match": "match.command",
    "learn": "learn.command",
    "net": "learn.net",
    "aei": "engines.aei",
    "ugi": "engines.ugi",
}
"""The commands in the order of the help, each with its module and the name of its function."""


def _first_clause(help_text: str) -> str:
    """Return the first clause of a help text as the short help, which click would truncate."""
    return re.split(r"\s?[.:;](?:\s|$)", help_text, maxsplit=1)[0]


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        with gc_paused():
            module, _, name = COMMANDS[cmd_name].partition(".")
            command = getattr(import_module(f"{__name__}.{module}"), name)
        assert isinstance(command, click.Command)
        command.short_help = _first_clause(command.help or "")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not (name.startswith("-") or ctx.resilient_parsing):
            no_command = text(
                "no command {given}; there are {known}",
                given=quoted(name),
                known=", ".join(COMMANDS),
            )
            raise click.UsageError(say(suggesting(no_command, name, COMMANDS)), ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Commands,
    help=say(text("Abstract board games: play, keep records, check and convert them.")),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="trine %(version)s")
def command_line() -> None: ...


with_language(command_line)


def run() -> NoReturn:
    """Run the command line and exit, without showing users a traceback."""
    # Output to closed streams is discarded.
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or sys.stdout
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # the terminal may lack some characters
    try:
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.exit(command_line(prog_name="trine", standalone_mode=False))
    except TrineError as error:
        click.echo(f"trine: {say(error)}", err=True)
        sys.exit(2 if isinstance(error, FileError) else 1)
    except OSError as error:  # for example, the disk with standard output is full
        click.echo(f"trine: {say(system_words(error))}", err=True)
        # Flushing the rest at exit would fail again, and change the exit code.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(2)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
