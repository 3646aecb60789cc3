"""Positions as text: the ranks from the top, as in ``x.o/.x./...``."""

import re
from typing import Final

from trine.core.errors import IllegalError, MalformedError
from trine.core.text.sentence import quoted, text
from trine_games.three.board import LETTERS, WIDTH
from trine_games.three.position import Position
from trine_games.three.rules import has_line

_BOARD: Final = re.compile(r"[xo.]{3}/[xo.]{3}/[xo.]{3}")


def parse_position(words: str, rules: str = "") -> Position:
    """Read a position; raises `MalformedError` or `IllegalError`.

    >>> parse_position("..o/.x./...").board
    '....x...o'
    """
    if not _BOARD.fullmatch(words.strip()):
        raise MalformedError(
            text("{given} is no position; expected one like x.o/.x./...", given=quoted(words))
        )
    board = "".join(reversed(words.strip().split("/")))
    crosses, noughts = map(board.count, LETTERS)
    if crosses - noughts not in (0, 1) or all(has_line(board, letter) for letter in LETTERS):
        raise IllegalError(text("no play leads to the position {given}", given=quoted(words)))
    return Position(board)


def format_position(position: Position) -> str:
    """Return a position on one line.

    >>> format_position(Position())
    '.../.../...'
    """
    starts = range(0, len(position.board), WIDTH)
    return "/".join(reversed([position.board[start : start + WIDTH] for start in starts]))
