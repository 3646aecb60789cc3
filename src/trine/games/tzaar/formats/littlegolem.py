"""Games of Little Golem, in its own kind of SGF.

Source: one game of the site.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from trine.core.contract.notation import Format
from trine.core.contract.record import Record, WrittenTurn
from trine.core.errors import MalformedError
from trine.core.text.sentence import Word, quoted, text
from trine.games.tzaar.board import COLUMNS, PIECES, POINT_OF, POINTS, SEATS
from trine.games.tzaar.diagrams import format_position
from trine.games.tzaar.formats.sgf import RESIGN, Node, read_trees
from trine.games.tzaar.notation import moved
from trine.games.tzaar.position import Position
from trine.games.tzaar.rules import OFFICIAL, PASS, Action

_AXES: Final = "klmnopqrs"
"""The letters of −4 to 4 along two axes: across the columns, and down the rising lines."""


def _points() -> Iterator[tuple[str, int]]:
    for x, across in enumerate(_AXES, start=-4):
        for y, down in enumerate(_AXES, start=-4):
            name = f"{COLUMNS[x + 4]}{min(4, 4 - x) - y + 1}"
            if name in POINT_OF:
                yield across + down, POINT_OF[name]


GOLEM_POINTS: Final[Mapping[str, int]] = dict(_points())
"""Little Golem's name of each point, in the order of its boards: column by column, downward."""
_PIECES: Final = dict(zip("cbaCBA", PIECES[0] + PIECES[1], strict=True))
"""Small letters are White's: a Tzaar, b Tzarra, c Tott."""
_TAGS: Final = {"EV": "Event", "PB": "Black", "PW": "White", "SO": "Site"}
_TURNS: Final = ("W", "B")


def read_littlegolem(lines: Iterable[str], file: str = "") -> Iterator[Record]:
    """Read games of Little Golem; results are found by replaying, as the files have none.

    **Assumed**: a player who resigns has a node ``W[resign]``, as in other games of the site.
    """
    for tree in read_trees(lines):
        tags = {"Game": "tzaar", "Rules": OFFICIAL.name}
        error = tree.error and tree.error.at(file)
        record = Record(tags, line=tree.line, file=file, error=error)
        try:
            if tree.nodes:
                position = _read_head(record, tree.nodes[0])
            for node in tree.nodes[1:]:
                position = _read_turn(record, position, node)
        except MalformedError as error:
            record.error = error.at(file)
        yield record


def _read_head(record: Record, node: Node) -> Position:
    for name in ("FF", "POS"):
        if name not in node:
            raise MalformedError(
                "this game has no {name}; is it TZAAR of Little Golem?", name=name
            ).at(line=record.line)
    if node["FF"].text != "TZAAR":
        raise node["FF"].error(
            text("the game is {given}; expected TZAAR", given=quoted(node["FF"].text))
        )
    board = node["POS"]
    if len(board.text) != len(POINTS) or set(board.text) - set(_PIECES):
        raise board.error(
            text(
                "{given} is no board; expected {count} letters of a, b, c, A, B, C",
                given=quoted(board.text),
                count=len(POINTS),
            )
        )
    letter_at = dict(zip(GOLEM_POINTS.values(), board.text, strict=True))
    tops = "".join(_PIECES[letter_at[point]] for point in POINTS)
    position = Position.filled(OFFICIAL, tops)
    for name, value in node.items():
        if name not in ("FF", "POS"):
            tag = _TAGS.get(name, name)
            record.tags[tag], record.tag_lines[tag] = value.text, value.line
    record.tags["Start"], record.tag_lines["Start"] = format_position(position), board.line
    return position


def _read_turn(record: Record, position: Position, node: Node) -> Position:
    """Append the turn of a node to a record, and play it on the board."""
    marks = [mark for mark in _TURNS if mark in node]
    if len(marks) != 1:
        raise MalformedError(
            "each node is a turn, W[…] or B[…]; this has {given}", given=", ".join(node) or "-"
        ).at(line=next(iter(node.values())).line if node else record.line)
    value = node[marks[0]]
    letter = SEATS[_TURNS.index(marks[0])].letter
    turn = WrittenTurn(position.number, letter, line=value.line)
    column = value.column
    for given in value.text.split("-"):
        if given == RESIGN:
            turn.words.append(Word(RESIGN, column))
        else:
            try:
                action = _read_action(position, given)
            except MalformedError as error:
                raise error.at(line=value.line, column=column) from None
            turn.words.append(Word(str(action), column))
            position = position.play_unchecked(action)
        column += len(given) + 1
    if "C" in node:
        turn.comments.append(node["C"].text)
    record.turns.append(turn)
    return position


def _read_action(position: Position, given: str) -> Action:
    if given == "pass":
        return PASS
    origin, target = GOLEM_POINTS.get(given[:2]), GOLEM_POINTS.get(given[2:])
    if origin is None or target is None:
        raise MalformedError(
            "{given} is no action; expected two points of two letters k to s each, or pass",
            given=quoted(given),
        )
    return moved(position, origin, target)


LITTLEGOLEM: Final = Format(
    "littlegolem",
    text("games of Little Golem, SGF of its own kind"),
    read_littlegolem,
    lambda head: re.match(r"\s*\(;[^;]*FF\[TZAAR\]", head) is not None,
    game="tzaar",
    whose="littlegolem.net",
    example="(;FF[TZAAR]VA[RANDOM]POS[cCCCC…]W[npmq];B[prqq-kplp]",
)
