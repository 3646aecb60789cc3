"""Formats of other programs for records of Quoridor.

`dialects` declares their notations of actions; `lists` reads lists of actions; `writing` writes
them, and reads and writes tables of games.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from trine.core.contract.notation import Format, position_format
from trine.core.text.sentence import text
from trine.games.corridor.board import FILES, USUAL_SIZE
from trine.games.corridor.diagrams import format_position, parse_position, write_code
from trine.games.corridor.formats import writing
from trine.games.corridor.formats.dialects import DIALECTS, Dialect
from trine.games.corridor.formats.lists import looks_like, read_lists

TABLE: Final = Format(
    "quoridor-table",
    text("Quoridor games in a table: name, result, actions"),
    writing.read_table,
    lambda head: writing.is_row(head.split("\n")[0]),
    writing.write_table,
    writing.check_row,
    game="corridor",
    whose="collections; the result is 1, 2, 0 for a draw or ?",
    example="a game\t1\te2 e8 e3 e7",
)


def _formats() -> Iterator[Format]:
    yield TABLE
    for dialect in DIALECTS:
        yield Format(
            dialect.name,
            dialect.title,
            partial(read_lists, dialect=dialect),
            partial(_is_in, dialect),
            partial(writing.write_lists, dialect=dialect),
            partial(writing.check_is_plain, dialect=dialect),
            game="corridor",
            whose=dialect.whose,
            example=dialect.example,
            begins=dialect.begins,
        )

    yield position_format(
        "quoridor-code",
        text("a position of Quoridor as a code"),
        game="corridor",
        whose="quoridorfansite.com",
        example="j7EUwGwOwCQ",
        parse=parse_position,
        format_start=format_position,
        write=write_code,
    )


def _is_in(dialect: Dialect, head: str) -> bool:
    """Return whether a text can be in a dialect.

    Some dialects differ only in whether rounds are numbered; of these, only the one that fits the
    text is accepted.
    """
    commands = re.search(r"\bplay(?:move|wall)\b", head) is not None
    numbered = re.search(r"^\s*1[.)\s]", head, re.MULTILINE) is not None
    same = [one for one in DIALECTS if one.syntax == dialect.syntax and one.commands == commands]
    same.sort(key=lambda one: one.numbered != numbered)
    return same[:1] == [dialect] and looks_like(head, dialect)


FORMATS: Final[Mapping[str, Format]] = {form.name: form for form in _formats()}


# --- moves in JSON --------------------------------------------------------------------------------
#
# Moves are objects with a row and a column, or the action numbers of OpenSpiel. They become words
# such as ``e8`` and ``e7h``, with rows counted as they are given; the dialects then say from where
# the rows count and which square names a wall. Source: for the numbers, OpenSpiel 2.0.2, on a board
# of 17 x 17 squares and grooves.

_COLUMNS: Final = ("c", "col", "column", "x")
_ROWS: Final = ("r", "row", "y")
_WITHIN: Final = ("to", "position", "pos", "wall", "coordinate", "location", "cell", "square")
_VERTICAL: Final = ("isVertical", "vertical")
_HORIZONTAL: Final = ("isHorizontal", "horizontal")
_AXES: Final = ("orientation", "direction", "dir", "axis", "type", "kind")
_AXIS_WORDS: Final = {"h": "h", "v": "v", "horizontal": "h", "vertical": "v"}
_WALLS: Final = ("wall", "fence")
_WIDTH: Final = 2 * USUAL_SIZE - 1
"""Units: squares and grooves; the width of OpenSpiel's board of the usual size."""


def words_of_moves(moves: Sequence[object]) -> Iterator[list[str]]:
    """Yield the lists of words that moves in JSON can mean; none if they are not of Quoridor.

    There are two if the rows and columns can count from 0 or from 1.
    """
    numbers = [move for move in moves if type(move) is int and 0 <= move < _WIDTH**2]
    if moves and len(numbers) == len(moves):
        yield list(map(_of_number, numbers))
        return
    found = [_place(move) for move in moves]
    places = [place for place in found if place]
    if not places or len(places) < len(found):
        return
    numbers = [number for column, row, _ in places for number in (column, row)]
    for base in range(2):
        if min(numbers) >= base and max(numbers) < USUAL_SIZE + base:
            yield [f"{FILES[column - base]}{row - base + 1}{axis}" for column, row, axis in places]


def _of_number(action: int) -> str:
    row, column = divmod(action, _WIDTH)
    axis = "v" if column % 2 else "h" if row % 2 else ""
    return f"{FILES[column // 2]}{row // 2 + 1}{axis}"


def _place(move: object) -> tuple[int, int, str] | None:
    """Return the column and row of a move, and the axis if it is a wall; None if it has none."""
    if not isinstance(move, dict):
        return None
    inner: dict[str, Any] = next(
        (move[name] for name in _WITHIN if isinstance(move.get(name), dict)), {}
    )
    whole = {**move, **inner}
    column, row = (_first(whole, names) for names in (_COLUMNS, _ROWS))
    axis = _axis({**inner, **move})
    if type(column) is not int or type(row) is not int or axis is None:
        return None
    return column, row, axis


def _first(data: Mapping[str, Any], names: Sequence[str]) -> object:
    return next((data[name] for name in names if data.get(name) is not None), None)


def _axis(move: Mapping[str, Any]) -> str | None:
    """Return the axis of a wall, nothing for a pawn, None for a wall without an axis."""
    words = [str(move.get(name, "")).lower() for name in _AXES]
    is_wall = any(part in word for word in words for part in _WALLS)
    is_pawn = any(word in ("pawn", "move") for word in words)
    upright, lying = _first(move, _VERTICAL), _first(move, _HORIZONTAL)
    if isinstance(upright, bool) or isinstance(lying, bool):
        axis = "v" if upright is True or lying is False else "h"
    else:
        axis = next((_AXIS_WORDS[word] for word in words if word in _AXIS_WORDS), "")
    if is_pawn and not is_wall:
        return ""
    return axis if axis or not is_wall else None
