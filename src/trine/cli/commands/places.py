"""Finding the play or position that command line arguments describe."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path

import click

from trine import games
from trine.cli.commands.speech import LANGUAGE, say, tell, tell_remarks, usage_error, usage_errors
from trine.cli.terminal.reader import at_a_terminal
from trine.core.contract.notation import Format
from trine.core.contract.position import Position, Turn
from trine.core.contract.record import Record
from trine.core.contract.room import Room
from trine.core.errors import FileError, IllegalError, TrineError
from trine.core.play import Play
from trine.core.text.sentence import text
from trine.play.record.formats import read_file
from trine.play.record.replay import replay, replay_as_far_as_legal
from trine.play.record.text_files import STANDARD


def parse_game_argument(game_name: str) -> tuple[Room, str]:
    """Return a game and its rule set, by default that of the document in this run's language.

    Raises:
        MalformedError: there is no such game or rule set.
    """
    room, rules = games.parse_game(game_name)
    return room, rules or room.document(LANGUAGE.code).rules


def play_of(position: str, game_name: str, rules: str) -> Play:
    """Return a play from the text of a position.

    If ``game_name`` is empty, it is a play of the first game that can read the text.
    """
    with usage_errors():
        room, rules_in_name = (
            games.parse_game(game_name) if game_name else (room_for(position, rules), "")
        )
        rules = games.one_rule_set(room, rules_in_name, rules)
        return Play(room, room.rules.parse_position(position, rules))


def room_for(position: str, rules: str = "") -> Room:
    """Return the game that can read the text of a position.

    Raises:
        TrineError: no game can. If the text begins with the name of a rule set, as positions of
            some games do, the message comes from the game with that rule set.
    """
    try:
        return games.room_of_position(position, rules)
    except TrineError:
        for room in map(games.open_room, games.ROOMS):
            if _names_rules(position, room):
                room.rules.parse_position(position, games.known_rules(room, rules) if rules else "")
        raise


def _names_rules(position: str, room: Room) -> bool:
    """Return whether a text begins with a rule set, as the positions of a game must."""
    own: str = room.rules.format_position(room.rules.start(room.default_rules, {}))
    return all((*words.split(), "")[0] in room.rule_sets for words in (position, own))


def play_from_arguments(
    file: str | None, position: str | None, game_number: int, form: str, rules: str
) -> tuple[Play, Record, TrineError | None]:
    """Return the play that arguments describe, its record, and the error that ends it, if any.

    Args: ``position`` is the text of a position, or a file with a position or record; ``file`` is
        then the name of its game. Without ``position``, ``file`` is one of these itself.

    Raises:
        click.UsageError: neither is given, or the text cannot be read.
        TrineError: the file cannot be read, or has an error in its head.
    """
    if file is None and position is None:
        raise usage_error(text("give FILE or --position"))
    if position is None and file and not _is_file(file) and _is_position(file, rules):
        file, position = None, file
    if position is not None and not _is_file(position):
        return play_of(position, file or "", rules), Record(), None
    record = record_of_file(position or file or "", game_number, form)
    play, wrong = replay_as_far_as_legal(record, rules)
    return play, record, wrong


def position_text(argument: str) -> str:
    """Return the text of a position, from that text or a file with a position or a record."""
    if not (argument and _is_file(argument)):
        return argument
    play = replay(record_of_file(argument, 1))
    position: str = play.room.rules.format_position(play.position)
    return position


def _is_file(argument: str) -> bool:
    with suppress(OSError):  # for example, the name is too long
        return argument == STANDARD or Path(argument).exists()
    return False


def _is_position(argument: str, rules: str) -> bool:
    try:
        games.room_of_position(argument, rules)
    except TrineError:
        return " " in argument  # not a likely file name: report an error in the position
    return True


def read_asking(file: str, form: str = "") -> tuple[Format, Iterator[Record]]:
    """Like `read_file`, but ask at a terminal for the format if several read other legal games."""
    form_found, records = read_file(file, form)
    first = next(records, None)
    if first and first.readings and file != STANDARD and at_a_terminal():
        tell_remarks(first, err=True)
        first.remarks.clear()
        names = click.Choice(first.readings)
        question = say(text("In which of these formats is it written?"))
        form = click.prompt(question, type=names, default=first.readings[0], err=True)
        if form != form_found.name:
            return read_file(file, form)
    return form_found, chain([first] if first else [], records)


def records_of_files(
    files: Iterable[str],
    read: Callable[[str], Iterable[Record]],
    on_error: Callable[[TrineError], object],
) -> Iterator[Record]:
    """Yield the records of files; warn of those that another format reads as another legal game.

    ``on_error`` is called with the error that ends a file; a `FileError` is raised.
    """
    for file in files:
        try:
            for record in read(file):
                if record.readings:
                    tell_remarks(record, err=True)
                yield record
        except FileError:
            raise
        except TrineError as error:
            on_error(error)


def record_of_file(file: str, game_number: int, form: str = "") -> Record:
    """Return a game in a file; print a note if the file has several, and remarks on its format.

    Raises:
        TrineError: the file cannot be read, or has no such game.
    """
    _, records = read_asking(file, form)
    count, record = 0, Record()
    for count, record in enumerate(islice(records, game_number), start=1):  # noqa: B007
        pass
    if count < game_number:
        raise IllegalError(
            "there is no game {number}; the file has {count}", number=game_number, count=count
        ).at(file)
    tell_remarks(record, err=True)
    is_last = False
    with suppress(TrineError):  # errors after this game are ignored
        is_last = next(records, None) is None
    if not is_last:
        message = text("game {number} of several; --game chooses another", number=game_number)
        tell(message, err=True)
    return record


def turns_before(play: Play, tag: str) -> list[Turn]:
    """Return the turns before ``12g``, or the first of turn ``12``; raises `IllegalError`."""
    for index, turn in enumerate(play.turns):
        if _means(tag, turn.before):
            return play.turns[:index]
    if _means(tag, play.position):
        return play.turns
    raise IllegalError(
        "the record has no turn {given}; it ends before {last}", given=tag, last=play.turn_tag
    )


def _means(tag: str, position: Position) -> bool:
    """Return whether a tag such as ``12g``, ``12w`` or ``12`` means the turn at a position."""
    match = re.fullmatch("([0-9]{1,7})([a-z]?)", tag.lower())
    if not match or int(match.group(1)) != position.number:
        return False
    return match.group(2) in position.seats[position.mover].letters  # as "" is in every string


def named_position(
    argument: str, rules: str, game_number: int = 1, turn: str | None = None, game_name: str = ""
) -> Play:
    """Return the play up to a position, given as a game, as text, or as a record and a turn.

    Args: ``argument`` is GAME or GAME/RULES, the text of a position, or the name of a file;
        ``game_number`` chooses a game in the file; the position is the one before ``turn``; a text
        is read by the game ``game_name``, if it is given.

    Raises:
        click.UsageError: a name or a text cannot be read.
        TrineError: the record cannot be read, or has no such game or turn.
    """
    if argument.partition("/")[0] in games.ROOMS:
        with usage_errors():
            room, rules_in_name = games.parse_game(argument)
            return Play(
                room, games.start_position(room, games.one_rule_set(room, rules_in_name, rules))
            )
    if not _is_file(argument):
        return play_of(argument, game_name, rules)
    play = replay(record_of_file(argument, game_number), rules)
    if turn is None:
        return Play(play.room, play.turn_start)
    before = turns_before(play, turn)
    return Play(play.room, before[-1].after if before else play.start)
