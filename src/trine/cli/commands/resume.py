"""`trine resume`: resuming a game from its file."""

from __future__ import annotations

from pathlib import Path

import click

from trine.cli.commands import speech
from trine.cli.commands.options import look_options, piece_set, strength_options
from trine.cli.commands.play import converse, open_computers
from trine.cli.commands.speech import LANGUAGE, option, say, usage_error, usage_errors
from trine.cli.terminal.dialogue import Dialogue
from trine.cli.terminal.opponents import Opponents
from trine.cli.terminal.reader import at_a_terminal
from trine.cli.terminal.screen import open_screen, visible
from trine.core.clock import Limits
from trine.core.text.sentence import ntext, text
from trine.engine.players.player import PlayerResources
from trine.play.record.agreed_terms import Terms
from trine.play.record.log import damaged_path
from trine.play.record.text_files import games_folder, newest_unfinished
from trine.play.session.file_journal import resume_from_file
from trine.play.session.seats import is_program
from trine.play.session.state import State


@speech.command(
    "resume",
    text(
        "Continue the game in FILE where it stopped; without FILE, the last "
        "unfinished game in this folder or in the folder of games."
    ),
)
@click.argument("file", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
@option(
    "--engines", is_flag=True, meaning=text("Start the programs that FILE names, without asking.")
)
@strength_options
@look_options
def command(
    file: Path | None,
    engines: bool,
    think: float,
    hash_mb: int,
    pieces: str | None,
    colour: bool | None,
    flip: bool,
) -> None:
    screen = open_screen(LANGUAGE, colour=colour)
    without_clock, settings = Limits(hard=think), PlayerResources(hash_mb)
    if file is None:
        file = newest_unfinished(Path(), games_folder())
        screen.say(text("log: {file}", file=str(file)))
    opponents = Opponents({}, without_clock, settings)

    def seat(state: State) -> None:
        nonlocal opponents
        if not state.outcome:
            opponents = _open_players(state.terms, opponents, engines)

    game, damage = resume_from_file(file, before=seat)
    if damage:
        screen.say(
            ntext(
                "{place}: the end of the file was damaged; {count} byte is kept in {aside}, and "
                "everything before it is restored",
                "{place}: the end of the file was damaged; {count} bytes are kept in {aside}, and "
                "everything before them is restored",
                len(damage.content),
                place=str(damage.place),
                aside=str(damaged_path(file)),
            )
        )
        if damage.reason:
            screen.say(damage.reason.text)
    try:
        converse(Dialogue(game, screen, piece_set(game.play.room, pieces), flip, opponents))
    finally:
        game.journal.close()


def _open_players(terms: Terms, without: Opponents, engines: bool) -> Opponents:
    """Open the computer players of a game; ask before starting external programs.

    A file may come from an untrusted source, and a program in it may be any shell command.
    """
    programs = [name for name in terms.names if is_program(name)]
    if programs and not engines:
        names = ", ".join(map(visible, programs))
        if not at_a_terminal():
            message = text("the file names programs: {names}; --engines starts them", names=names)
            raise usage_error(message)
        click.confirm(
            say(text("the file names programs: {names}; start them?", names=names)), abort=True
        )
    with usage_errors():
        return open_computers(terms, without.without_clock, without.settings)
