"""The board as text, and legal actions in groups."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from trine.core.text.sentence import Text, text
from trine.core.text.textboard import Look, Row, Span, TextBoard
from trine_games.three.board import FILES, NAMES, WIDTH
from trine_games.three.position import Position

PIECE_SETS: Final[Mapping[str, Text]] = MappingProxyType({"letters": text("letters")})


def text_board(position: Position, look: Look) -> TextBoard:
    """Draw the board, rank 3 on top unless it is flipped.

    >>> print(text_board(Position("....x...o"), Look()))
    3 . . o
    2 . x .
    1 . . .
      a b c
    """
    ranks, files = range(WIDTH)[::-1], range(WIDTH)
    if look.flipped:
        ranks, files = ranks[::-1], files[::-1]
    rows: list[Row] = []
    for rank in ranks:
        spans = [Span(f"{rank + 1}", "coordinate")]
        for file in files:
            square = rank * WIDTH + file
            roles = ["last"] if NAMES[square] in look.last else []
            roles += sorted(look.marks.get(NAMES[square], ()))
            spans += [Span(" "), Span(position.board[square], " ".join(roles))]
        rows.append(tuple(spans))
    rows.append((Span("  " + " ".join(FILES[file] for file in files), "coordinate"),))
    return TextBoard(tuple(rows))
