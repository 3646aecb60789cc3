"""The notation of the PBeM server, a turn a line.

Source: its coordinates (gamerz.net), whose column e is numbered 1 to 8 without a gap. No record of
TZAAR is known to us; the layout is ours, and assumptions are marked where they are made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from trine.core.contract.record import Record, WrittenTurn
from trine.core.errors import MalformedError, TrineError
from trine.core.text.sentence import text
from trine.core.text.words import Word, quoted, split_words
from trine.games.tzaar.board import (
    CENTRE,
    COLUMNS,
    EMPTY,
    PIECES,
    POINT_NAMES,
    POINT_OF,
    POINTS,
    SEATS,
    WHITE,
)
from trine.games.tzaar.diagrams import HOLE, format_position, parse_position
from trine.games.tzaar.formats.foreign import (
    OFFICIAL,
    RESIGN,
    cannot_hold,
    foreign_format,
    kept_turns,
    moved,
    new_record,
    start_of,
)
from trine.games.tzaar.position import Position
from trine.games.tzaar.referee import Stage
from trine.games.tzaar.rules import PASS, Action, Pass, Placement
from trine.games.tzaar.starts import start

_PIECES: Final = dict(zip("TAZtaz", PIECES[0] + PIECES[1], strict=True))
"""Capitals are the first player's, who is White: T Tott, A Tzarra, Z Tzaar."""
_LETTERS: Final = {piece: letter for letter, piece in _PIECES.items()}
_POINTS: Final[Mapping[str, int]] = {
    name if name < "e5" or name > "e9" else f"e{int(name[1]) - 1}": point
    for name, point in POINT_OF.items()
}
"""Every column is numbered without a gap, so e5 to e8 are our e6 to e9."""
_NAMES: Final = {point: name for name, point in _POINTS.items()}
_HEAD: Final = re.compile(r"tzaar(?:[ \t]+(-[a-z]+))?[ \t]*")
_TAG: Final = re.compile(r"(White|Black):[ \t]*(.*?)[ \t]*")
_COLUMN: Final = re.compile(r"([a-i])((?:[ \t]+(?:\.|[TAZtaz][1-9][0-9]?))+)[ \t]*")
_TURN: Final = re.compile(r"([0-9]{1,7})(\.\.\.|\.)[ \t]+")
_DOTS: Final = (".", "...")
"""The sign after the number of a turn, by player."""


def read_pbmserv(lines: Iterable[str], file: str = "") -> Iterator[Record]:
    """Read games in the notation of the PBeM server at gamerz.net.

    These are known: its letters with heights (``T1 a1 z3``), its actions, which are ranges
    (``b1-f4``), its column e, numbered 1 to 8 without a gap, and its options ``-random`` and
    ``-manual``.

    **Assumed**, since no record is known to us: all the rest of the layout, which is ours. A game
    begins with ``tzaar``, the fixed start, or ``tzaar -random`` and the nine columns of its board,
    each upward: ``a t1 t1 T1 t1 T1``. Then turns, a line each: ``2. b1-f4 pass`` of the first
    player, ``2... a1-a2 c3-c4`` of the other. Placements, ``-manual``, cannot be read: how the
    server writes them is not known.
    """
    game: list[tuple[int, str]] = []
    for number, line in enumerate(lines, start=1):
        line = line.rstrip("\r\n")
        if game and _HEAD.fullmatch(line):
            yield _read_game(game, file)
            game = []
        if line.strip(" \t"):
            game.append((number, line))
    if game:
        yield _read_game(game, file)


def _read_game(game: list[tuple[int, str]], file: str) -> Record:
    number, line = game.pop(0)
    record = new_record(number, file)
    try:
        head = _HEAD.fullmatch(line)
        if not head or head.group(1) not in (None, "-random"):
            raise MalformedError(
                "{given} begins no game; expected tzaar or tzaar -random", given=quoted(line)
            ).at(column=1)
        columns: list[str] = []
        while game and not _TURN.match(game[0][1]):
            number, line = game.pop(0)
            if found := _TAG.fullmatch(line):
                record.tags[found.group(1)] = found.group(2)
            elif head.group(1) and (found := _COLUMN.fullmatch(line)):
                columns.append(_read_column(found, len(columns)))
                record.tag_lines["Start"] = number
            else:
                raise MalformedError(
                    "{given} is neither a name, nor a column of the board, nor a turn",
                    given=quoted(line),
                ).at(column=1)
        if head.group(1):
            position = _read_board(columns)
            record.tags["Start"] = format_position(position)
        else:
            position = start(OFFICIAL.name, {})
        for number, line in game:
            position = _read_turn(record, position, line, number)
    except TrineError as error:
        record.error = type(error)(error.message).at(file, number, error.place.column)
    return record


def _read_column(found: re.Match[str], index: int) -> str:
    """Return a column of the board in the form of our position texts."""
    if found.group(1) != COLUMNS[index : index + 1]:
        raise MalformedError(
            "column {given}; expected {expected}",
            given=found.group(1),
            expected=COLUMNS[index : index + 1] or "-",
        ).at(column=1)
    stacks = [
        stack if stack == EMPTY else _PIECES[stack[0]] + ("" if stack[1:] == "1" else stack[1:])
        for stack in found.group(2).split()
    ]
    if found.group(1) == CENTRE[0]:
        stacks.insert(4, HOLE)
    return "".join(stacks)


def _read_board(columns: list[str]) -> Position:
    board = "/".join(columns) or "-"
    try:
        return parse_position(f"{OFFICIAL.name} {board} white {Stage.FIRST.value}")
    except TrineError as error:
        raise type(error)(error.message) from None  # the column of the error is not one of the file


def _read_turn(record: Record, position: Position, line: str, number: int) -> Position:
    """Add a turn to a record, and play it on the board."""
    head = _TURN.match(line)
    if not head:
        raise MalformedError(
            "{given} is no turn; expected one such as 2. b1-f4 pass", given=quoted(line)
        ).at(column=1)
    seat = SEATS[_DOTS.index(head.group(2))]
    turn = WrittenTurn(int(head.group(1)), seat.letter, line=number)
    for word in split_words(line[head.end() :], head.end() + 1):
        if word.text == RESIGN:
            turn.words.append(word)
        else:
            action = _read_action(position, word)
            turn.words.append(Word(str(action), word.column))
            position = position.play_unchecked(action)
    record.turns.append(turn)
    return position


def _read_action(position: Position, word: Word) -> Action:
    if word.text == "pass":
        return PASS
    origin, dash, target = word.text.partition("-")
    if not dash or origin not in _POINTS or target not in _POINTS:
        raise MalformedError(
            "{given} is no action; expected a range such as b1-f4 (e ends at e8) or pass",
            given=quoted(word.text),
        ).at(column=word.column)
    return moved(position, _POINTS[origin], _POINTS[target])


def format_game(record: Record) -> str:
    """Write a game in the notation of the PBeM server.

    Raises:
        FileError: it does not begin with White's very first turn of `official`.
    """
    position = start_of(record)
    if position.stage is not Stage.FIRST:
        raise cannot_hold(
            record,
            text("a game of the PBeM server begins with White's first turn of tzaar/official"),
        )
    fixed = position == start(OFFICIAL.name, {})
    lines = ["tzaar" if fixed else "tzaar -random"]
    lines += [f"{seat.tag}: {record.tags[seat.tag]}" for seat in SEATS if record.tags.get(seat.tag)]
    if not fixed:
        for column in COLUMNS:
            points = [point for point in POINTS if POINT_NAMES[point][0] == column]
            lines.append(" ".join([column, *(_stack(position, point) for point in points)]))
    number = 0
    for player, actions in kept_turns(record):
        number += player == WHITE
        words = " ".join(map(_action, actions)) or RESIGN
        lines.append(f"{number}{_DOTS[player]} {words}")
    return "\n".join([*lines, ""])


def _stack(position: Position, point: int) -> str:
    top = position.tops[point]
    return top if top == EMPTY else f"{_LETTERS[top]}{position.heights[point]}"


def _action(action: Action) -> str:
    if isinstance(action, Pass):
        return "pass"
    if isinstance(action, Placement):
        raise MalformedError(
            "{action}: how placements are written there is not known", action=str(action)
        )
    return f"{_NAMES[action.origin]}-{_NAMES[action.target]}"


PBMSERV: Final = foreign_format(
    "pbmserv",
    text("the notation of the PBeM server, a turn a line"),
    read_pbmserv,
    format_game,
    lambda head: _HEAD.fullmatch(head.split("\n")[0].rstrip()) is not None,
    whose="gamerz.net, the PBeM server",
    example="tzaar",
)
