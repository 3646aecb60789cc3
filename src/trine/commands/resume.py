"""`trine resume`: going on with a game from its file."""

from __future__ import annotations

from pathlib import Path

import click

from trine.commands.options import look_options, piece_set
from trine.commands.play import converse
from trine.commands.speech import LANGUAGE, lang_option, say
from trine.core.text import ntext, text
from trine.record.live import LiveGame
from trine.record.log import damaged_path
from trine.record.resume import newest_unfinished
from trine.terminal.dialogue import Dialogue
from trine.terminal.screen import open_screen


@click.command(
    "resume",
    help=say(
        text(
            "Go on with the game in FILE where it stopped; without FILE, with the last game in "
            "this folder that is not over."
        )
    ),
)
@click.argument("file", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
@look_options
@lang_option
def command(file: Path | None, pieces: str | None, colour: bool | None, flip: bool) -> None:
    """Go on with a game."""
    screen = open_screen(LANGUAGE, colour=colour)
    if file is None:
        file = newest_unfinished(Path())
        screen.say(text("log: {file}", file=str(file)))
    game, damage = LiveGame.resume(file)
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
    converse(Dialogue(game, screen, piece_set(game.play.room, pieces), flip))
