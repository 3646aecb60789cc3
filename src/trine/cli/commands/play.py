"""`trine play` and `trine resume`: games of people and computers in a terminal or over a pipe."""

import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

import click

from trine.cli.commands import options, speech
from trine.cli.commands.places import position_text, room_for
from trine.cli.commands.speech import LANGUAGE, option, say, usage_error, usage_errors
from trine.cli.terminal.dialogue import Dialogue
from trine.cli.terminal.opponents import Opponents, open_opponents
from trine.cli.terminal.questions import GameWishes, ask_terms
from trine.cli.terminal.reader import LineReader, PipeReader, TerminalReader, at_a_terminal
from trine.cli.terminal.screen import Screen, open_screen, visible
from trine.cli.terminal.vocabulary import candidates
from trine.core.clock import Limits, parse_time_control
from trine.core.compiled.ahead import NICENESS, Compilation
from trine.core.contract.handbook import Document
from trine.core.contract.position import Options
from trine.core.contract.room import Room
from trine.core.errors import FileError, TrineError
from trine.core.text.sentence import ntext, text
from trine.engine.players.player import PlayerResources, thinking_modules
from trine.games import ROOMS, first_games, one_rule_set, open_room, parse_game
from trine.play.record.agreed_terms import Terms
from trine.play.record.log import damaged_path
from trine.play.record.text_files import games_folder, new_path, newest_unfinished
from trine.play.session.file_journal import begin_in_file, resume_from_file
from trine.play.session.seats import BOT, is_program
from trine.play.session.state import State

DOCUMENTS: Final[Mapping[str, tuple[Room, Document]]] = {
    f"{known.language}-{room.name if known == room.document(known.language) else known.rules}": (
        room,
        known,
    )
    for room in map(open_room, ROOMS)
    for known in room.handbook.documents
}
"""The documents that describe a game, by language and game, such as ``fr-arimaa``; a second
document for one game, by language and rule set."""
_FOLDER: Final = click.format_filename(games_folder())


@speech.command(
    "play",
    text(
        "Play a game. GAME is {games}, or GAME/RULES. Without GAME, you are asked for"
        " everything; with it, for nothing. A player is a name, or a computer player:"
        " bot:1 to bot:10, bot:STRATEGIST, engine:COMMAND. Type help while playing.",
        games=", ".join(ROOMS),
    ),
)
@click.argument("game_name", metavar="[GAME]", required=False)
@option(
    "--document",
    metavar="NAME",
    type=options.Choice(list(DOCUMENTS)),
    meaning=text(
        "The game as a document describes it, in its language: {names}.", names=", ".join(DOCUMENTS)
    ),
)
@option(
    "--first",
    metavar="[NAME]",
    is_flag=False,
    flag_value=next(iter(first_games())),
    type=options.Choice(list(first_games())),
    meaning=text("A game for beginners: {names}.", names=", ".join(first_games())),
)
@options.rules_option
@options.player_options
@options.start_options()
@option("--clock", metavar="TIME", meaning=text("Time control: M/R/P/L/G/T or 5+3."))
@options.position_option
@option(
    "--takebacks/--no-takebacks",
    default=None,
    meaning=text("Whether turns may be taken back by consent; allowed by default."),
)
@option(
    "--draws/--no-draws",
    default=True,
    meaning=text("Whether draws can be agreed on, in games that have draws."),
)
@option(
    "--log",
    "log",
    metavar="FILE",
    type=click.Path(path_type=Path),
    meaning=text(
        "File for the record; if not given, one named by game and time in {folder}.", folder=_FOLDER
    ),
)
@options.strength_options
@options.look_options
def command(
    game_name: str | None,
    document: str | None,
    first: str | None,
    rules: str | None,
    clock: str | None,
    position: str,
    takebacks: bool | None,
    draws: bool,
    log: Path | None,
    think: float,
    hash_mb: int,
    pieces: str | None,
    colour: bool | None,
    flip: bool,
    **tags: str | None,
) -> None:
    screen = open_screen(LANGUAGE, colour=colour)
    without_clock, settings = Limits(hard=think), PlayerResources(hash_mb)
    try:
        of_document: Options = {}
        if document:
            if game_name or rules or position:
                raise TrineError("--document names the game, its rules and its start")
            described, document_terms = DOCUMENTS[document]
            game_name = f"{described.name}/{document_terms.rules}"
            of_document = document_terms.options
            pieces = pieces or document_terms.piece_set
        first_game = None
        if first:
            if document or game_name or rules or position:
                raise TrineError("--first names the game, its rules and its start")
            room_of_first, first_game = first_games()[first]
            game_name, position = f"{room_of_first.name}/{first_game.rules}", first_game.position
        position = position_text(position)
        if rules and "/" in rules and not (game_name or position):
            game_name, rules = rules, None
        room, rules_in_name = parse_game(game_name) if game_name else (None, "")
        if position and not room:
            room = room_for(position, rules or "")
        rules = one_rule_set(room, rules_in_name, rules or "")
        values = {tag: value for tag, value in tags.items() if value is not None}
        if first_game and room:
            values = {
                room.rules.parse_position(position, rules_in_name).seats[1].tag: f"{BOT}1",
                **values,
            }
        option_tags = {option.tag for name in ROOMS for option in open_room(name).rules.options}
        options.check_starts_once(position, [tag for tag in values if tag in option_tags])
        wishes = GameWishes(
            room,
            rules,
            {**of_document, **{tag: value for tag, value in values.items() if tag in option_tags}},
            position,
            {tag: value for tag, value in values.items() if tag not in option_tags},
            parse_time_control(clock) if clock and clock != "none" else None,
            takebacks,
            draws,
        )
        if game_name:
            assert room is not None
            wishes.takebacks = takebacks is not False
            options.piece_set(room, pieces)
            terms = wishes.agree()
        else:
            reader = TerminalReader(lambda line: (), str) if at_a_terminal() else PipeReader()
            terms = ask_terms(screen, reader, wishes)
        opponents = open_computers(terms, without_clock, settings)
    except EOFError:
        if at_a_terminal():
            return
        raise FileError("the input ended before the game could begin") from None
    except TrineError as error:
        raise usage_error(error) from None
    try:
        live = begin_in_file(terms, log or new_path(terms.room.name, datetime.now()))
    except TrineError:
        opponents.close()
        raise
    screen.say(text("log: {file}", file=str(live.journal.path)))
    converse(
        Dialogue(
            live, screen, options.piece_set(terms.room, pieces), flip, opponents, first=first_game
        )
    )


def open_computers(terms: Terms, without_clock: Limits, settings: PlayerResources) -> Opponents:
    """Open a game's computer players, compiling in the background; raises `TrineError`."""
    compilation = Compilation(
        thinking_modules(terms.room.name, len(terms.names)), niceness=NICENESS
    )
    return open_opponents(terms, without_clock, settings, compilation=compilation)


def converse(dialogue: Dialogue) -> None:
    """Run the dialogue of a game until it ends, and exit with its code."""
    reader = _reader(dialogue, dialogue.screen)
    dialogue.run(reader)
    if dialogue.interrupted:
        sys.exit(130)
    # At a terminal, people see and correct a refused line; a script needs the exit code.
    if dialogue.refused and isinstance(reader, PipeReader):
        sys.exit(1)


def _reader(dialogue: Dialogue, screen: Screen) -> LineReader:
    if not at_a_terminal():
        return PipeReader()

    def complete(line: str) -> list[str]:
        return candidates(dialogue.game.play, line, dialogue.screen.language)

    def toolbar() -> str:
        return screen.language.say(dialogue.view.clock_line()) if dialogue.game.clock else ""

    return TerminalReader(complete, toolbar, _history_file())


def _history_file() -> Path | None:
    """Return the file with the input history, or None if its folder cannot be created."""
    folder = Path(click.get_app_dir("trine"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder / "history"


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
@options.strength_options
@options.look_options
def resume(
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
        converse(Dialogue(game, screen, options.piece_set(game.play.room, pieces), flip, opponents))
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
