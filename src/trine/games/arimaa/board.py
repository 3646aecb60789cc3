"""The board of Arimaa: squares, traps, directions, pieces. No rules.

A square is a number from 0 (a1) over 7 (h1) to 63 (h8). A board is a string of 64 letters in that
order: ``EMHDCR`` for Gold, ``emhdcr`` for Silver, ``.`` for an empty square. Strings are immutable,
hashable and fast to compare, and a failing test prints them readably.
"""

from collections.abc import Mapping
from typing import Final

from trine.core.contract.position import Seat
from trine.core.text.sentence import Text, ctext

GOLD: Final = 0
SILVER: Final = 1
SIDES: Final = (GOLD, SILVER)
SEATS: Final = (
    Seat(ctext("player", "Gold"), "Gold", "gw"),
    Seat(ctext("player", "Silver"), "Silver", "sb"),
)
"""The letters ``w`` and ``b`` occur in records from before 2008."""
SIDE_LETTERS: Final = "".join(seat.letter for seat in SEATS)
SIDE_NAMES: Final = tuple(seat.name for seat in SEATS)

EMPTY: Final = "."
KINDS: Final = "EMHDCR"
"""The kinds of pieces, from the strongest to the weakest, in the letters of Gold."""
ARMY: Final[Mapping[str, int]] = {"E": 1, "M": 1, "H": 2, "D": 2, "C": 2, "R": 8}
"""The number of pieces of each kind that a side has."""
ARMY_SIZE: Final = sum(ARMY.values())
KIND_NAMES: Final[Mapping[str, Text]] = {
    "E": ctext("piece", "elephant"),
    "M": ctext("piece", "camel"),
    "H": ctext("piece", "horse"),
    "D": ctext("piece", "dog"),
    "C": ctext("piece", "cat"),
    "R": ctext("piece", "rabbit"),
}

STRENGTH: Final[Mapping[str, int]] = {
    **{letter: 6 - rank for rank, letter in enumerate(KINDS)},
    **{letter.lower(): 6 - rank for rank, letter in enumerate(KINDS)},
    EMPTY: 0,
}
"""Strength of each letter: elephant 6 … rabbit 1, nothing 0."""
SIDE: Final[Mapping[str, int]] = {
    **dict.fromkeys(KINDS, GOLD),
    **dict.fromkeys(KINDS.lower(), SILVER),
    EMPTY: -1,
}
"""The owner of each letter; -1 for an empty square."""
PIECES: Final = (KINDS, KINDS.lower())  # the letters of each side
RABBITS: Final = ("R", "r")

SQUARES: Final = range(64)
SQUARE_NAMES: Final = tuple(file + rank for rank in "12345678" for file in "abcdefgh")
SQUARE_OF: Final[Mapping[str, int]] = {name: square for square, name in enumerate(SQUARE_NAMES)}
TRAPS: Final = tuple(SQUARE_OF[name] for name in ("c3", "f3", "c6", "f6"))
GOAL_RANKS: Final = (range(56, 64), range(8))  # the goal squares of each side's rabbits
HOME_RANKS: Final = (range(16), range(48, 64))  # the squares of each side's setup

DIRECTIONS: Final[Mapping[str, tuple[int, int]]] = {
    "n": (0, 1),
    "e": (1, 0),
    "s": (0, -1),
    "w": (-1, 0),
    "ne": (1, 1),
    "se": (1, -1),
    "sw": (-1, -1),
    "nw": (-1, 1),
}
"""Steps in files and ranks, as Gold sees the board."""
STRAIGHT: Final = ("n", "e", "s", "w")
BACKWARD: Final = ("s", "n")  # the backward direction of each side; rabbits never step there

OFF_BOARD: Final = 64  # the target of a step that leaves the board


def step_target(square: int, direction: str) -> int:
    """Return the square one step away, or `OFF_BOARD`."""
    file_step, rank_step = DIRECTIONS[direction]
    file, rank = square % 8 + file_step, square // 8 + rank_step
    return rank * 8 + file if 0 <= file < 8 and 0 <= rank < 8 else OFF_BOARD


def _around(directions: tuple[str, ...]) -> tuple[tuple[tuple[str, int], ...], ...]:
    return tuple(
        tuple(
            (direction, target)
            for direction in directions
            if (target := step_target(square, direction)) != OFF_BOARD
        )
        for square in SQUARES
    )


STEPS_FROM: Final = _around(STRAIGHT)
"""For each square the (direction, square) pairs of its orthogonal steps."""
BESIDE: Final = tuple(tuple(target for _, target in pairs) for pairs in STEPS_FROM)
"""For each square its orthogonal neighbours."""
AROUND: Final = tuple(tuple(target for _, target in pairs) for pairs in _around(tuple(DIRECTIONS)))
"""For each square its neighbours in eight directions."""
DIRECTION_TO: Final[Mapping[tuple[int, int], str]] = {
    (square, target): direction
    for square, pairs in enumerate(_around(tuple(DIRECTIONS)))
    for direction, target in pairs
}
"""The direction that leads from a square to a neighbour in eight directions."""
EMPTY_BOARD: Final = EMPTY * 64


def piece_name(letter: str) -> Text:
    """Return the name of a piece without its side."""
    return KIND_NAMES[letter.upper()]
