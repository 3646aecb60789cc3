"""`trine play`: a game between people at one keyboard, or over a pipe."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import click

from trine.commands.options import look_options, player_options, rules_option
from trine.commands.speech import LANGUAGE, lang_option, say, usage_error
from trine.core.clock import parse_time_control
from trine.core.doors import Room
from trine.core.errors import FileError, MalformedError, TrineError
from trine.core.text import text
from trine.core.words import quoted
from trine.games import ROOMS, parse_game
from trine.record.live import LiveGame, Terms
from trine.terminal.dialogue import Dialogue
from trine.terminal.questions import ask_terms
from trine.terminal.reader import PipeReader, Reader, TerminalReader, at_a_terminal
from trine.terminal.screen import Screen, open_screen


@click.command(
    "play",
    help=say(
        text(
            "Play a game. GAME is arimaa or arimaa/RULES. Without GAME, everything is asked for; "
            "with it, nothing. Type help while playing."
        )
    ),
)
@click.argument("game", metavar="[GAME]", required=False)
@rules_option
@player_options
@click.option("--clock", metavar="TIME", help=say(text("Time control: M/R/P/L/G/T or 5+3.")))
@click.option(
    "--handicap", metavar="PIECES", default="", help=say(text("Pieces left out: gold:camel,dog."))
)
@click.option(
    "--position",
    metavar="TEXT",
    default="",
    help=say(text("Start from a position, not the setup.")),
)
@click.option(
    "--takebacks/--no-takebacks", help=say(text("Whether turns may be taken back by consent."))
)
@click.option("--draws/--no-draws", default=True, help=say(text("Whether draws can be agreed on.")))
@click.option(
    "--log",
    "log",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help=say(text("File for the record; by default named by game and time, in this folder.")),
)
@look_options
@lang_option
def command(
    game: str | None,
    rules: str | None,
    clock: str | None,
    handicap: str,
    position: str,
    takebacks: bool,
    draws: bool,
    log: Path | None,
    pieces: str,
    colour: bool | None,
    flip: bool,
    **names: str | None,
) -> None:
    """Play a game."""
    screen = open_screen(LANGUAGE, colour=colour)
    try:
        room, known = parse_game(game or ROOMS[0])
        if rules and game and "/" in game and rules != known:
            raise MalformedError(
                text("two rule sets: {one} and {other}", one=quoted(known), other=quoted(rules))
            )
        given = Terms(
            room,
            rules or known,
            _names(room, names),
            parse_time_control(clock) if clock and clock != "none" else None,
            handicap,
            position,
            takebacks,
            draws,
        )
        given.start_position()
        if position:
            given = replace(given, start=room.format_position(given.start_position()))
    except TrineError as error:
        raise usage_error(error) from None
    if game is None:
        try:
            terms = ask_terms(screen, _question_reader(), given, rules_given=rules is not None)
        except EOFError:
            raise FileError(text("the input ended before the game could begin")) from None
    else:
        terms = given
    live = LiveGame.begin(terms, log) if log else begin_in_new_log(terms)
    screen.say(text("log: {file}", file=str(live.log.path)))
    converse(Dialogue(live, screen, pieces, flip))


def _names(room: Room, names: dict[str, str | None]) -> tuple[str, ...]:
    given = {tag: name for tag, name in names.items() if name is not None}
    known = {tag.lower(): tag for tag in room.player_tags}
    for tag in given:
        if tag not in known:
            raise MalformedError(text("{game} has no player --{given}", game=room.title, given=tag))
    return tuple(given.get(tag, name) for tag, name in known.items())


def begin_in_new_log(terms: Terms) -> LiveGame:
    """Begin a game in a log of a new name, in the folder where the command was called."""
    name = f"{terms.room.name}-{datetime.now():%Y-%m-%d-%H%M%S}"
    for tail in ("", *(f"-{number}" for number in range(2, 100))):
        path = Path(f"{name}{tail}.txt")
        if not path.exists():
            break  # two games can begin in one second
    return LiveGame.begin(terms, path)


def converse(dialogue: Dialogue) -> None:
    """Converse about a game until it ends, and exit with what the code should tell."""
    reader = _reader(dialogue, dialogue.screen)
    dialogue.run(reader)
    if dialogue.interrupted:
        sys.exit(130)
    # At a terminal a refused line was seen and put right; to a script the exit code must tell.
    if dialogue.refused and isinstance(reader, PipeReader):
        sys.exit(1)


def _reader(dialogue: Dialogue, screen: Screen) -> Reader:
    if not at_a_terminal():
        return PipeReader()

    def toolbar() -> str:
        return screen.language.say(dialogue.clock_line()) if dialogue.game.clock else ""

    return TerminalReader(dialogue.candidates, toolbar, _history_file())


def _question_reader() -> Reader:
    if not at_a_terminal():
        return PipeReader()
    return TerminalReader(lambda line: (), str)


def _history_file() -> Path | None:
    """Where the lines typed before are kept; nowhere if the folder cannot be made."""
    folder = Path(click.get_app_dir("trine"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder / "history"
