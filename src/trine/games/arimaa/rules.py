"""The four rule sets of Arimaa, the actions, and the laws of the board.

Every law is one small function on a board string. The side to move, the contents of a turn and the
result belong to the referee (`trine.games.arimaa.referee`).

Sources, cited by name in this package: *official*, the match rules in force today
(arimaa.com/arimaa/learn/matchRules.html); *French*, *Russian* and *Hungarian*, the documents that
`classic`, `ejection` and `diagonal` follow. ``docs/reference/arimaa.md`` says where they are silent
and how we read them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

from trine.core.contract import position as contract
from trine.core.text.sentence import ctext, text
from trine.games.arimaa.board import (
    AROUND,
    BACKWARD,
    BESIDE,
    DIRECTIONS,
    EMPTY,
    KINDS,
    OFF_BOARD,
    PIECES,
    RABBITS,
    SIDE,
    SQUARE_NAMES,
    SQUARES,
    STEPS_FROM,
    STRENGTH,
    TRAPS,
    step_target,
)

STEPS_IN_TURN: Final = 4
"""A turn is one to four steps. Source: official; French, "de un à quatre pas"."""


class ThirdOccurrence(Enum):
    """The consequence of a turn that makes a position for the third time."""

    ILLEGAL = auto()
    LOSES = auto()
    FREE = auto()


@dataclass(frozen=True, eq=False, kw_only=True)
class RuleSet(contract.RuleSet):
    """A rule set of Arimaa. Every rule set allows a draw by agreement. Source: official."""

    diagonal: bool
    """Enemies freeze and displace over corners too. Source: Hungarian, "a nyolc irány …"."""
    ejection: bool
    """Rabbits can be pushed off over rank 1 or 8. Source: Russian, "Выталкивание кролика"."""
    repetition: ThirdOccurrence
    """The rule for a third occurrence.

    Source: illegal in official and Russian; French, "perd la partie".
    """
    no_rabbits_loses: bool
    """Whether a side without rabbits has lost; else play goes on until both have none: a draw.

    Source: official, Russian; else French, "le jeu est un match nul", Hungarian, "döntetlen".
    """

    @property
    def repetition_allowed(self) -> bool:
        return self.repetition is ThirdOccurrence.FREE

    @property
    def is_competition(self) -> bool:
        """Whether this is `COMPETITION`: `classic` with its document's rule for competitions."""
        return self.repetition is ThirdOccurrence.LOSES and self.no_rabbits_loses

    @property
    def reach(self) -> tuple[tuple[int, ...], ...]:
        """Return, for each square, the squares of enemies that can freeze, push or pull there."""
        return AROUND if self.diagonal else BESIDE


_OFFICIAL: Final = RuleSet(
    name="official",
    source=ctext("source", "the match rules in force today (arimaa.com)"),
    differs=text(
        "the game as it is played today: a third repetition is illegal, and a side without rabbits "
        "has lost"
    ),
    diagonal=False,
    ejection=False,
    repetition=ThirdOccurrence.ILLEGAL,
    no_rabbits_loses=True,
)
RULE_SETS: Final[Mapping[str, RuleSet]] = {
    rules.name: rules
    for rules in (
        _OFFICIAL,
        RuleSet(
            name="classic",
            source=ctext("source", "the French document: the game before 2008"),
            differs=text(
                "a side that makes a position for the third time loses; a side without rabbits "
                "plays on"
            ),
            diagonal=False,
            ejection=False,
            repetition=ThirdOccurrence.LOSES,
            no_rabbits_loses=False,
        ),
        replace(
            _OFFICIAL,
            name="ejection",
            source=ctext("source", "the Russian document"),
            differs=text("like official, but rabbits can be pushed off the board"),
            ejection=True,
        ),
        RuleSet(
            name="diagonal",
            source=ctext("source", "the Hungarian document"),
            differs=text(
                "diagonal neighbours freeze, push and pull; positions may repeat; a side without "
                "rabbits plays on"
            ),
            diagonal=True,
            ejection=False,
            repetition=ThirdOccurrence.FREE,
            no_rabbits_loses=False,
        ),
    )
}

COMPETITION: Final = replace(RULE_SETS["classic"], no_rabbits_loses=True)
"""`classic` in competitions: the side that takes the other's last rabbit wins.

Source: French, "le joueur qui capture les huit lapins adverses gagne la partie". **Reading**: a
side that loses its last rabbit by its own step has lost too, as in the other rule sets.
"""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of one piece to a neighbouring square: a step of its own, or half of a push or a pull.

    >>> str(Step("R", 8, "n"))
    'Ra2n'
    """

    piece: str
    origin: int
    direction: str

    @property
    def target(self) -> int:
        """The square that the step leads to, or `OFF_BOARD`."""
        return step_target(self.origin, self.direction)

    def __str__(self) -> str:
        return f"{self.piece}{SQUARE_NAMES[self.origin]}{self.direction}"


@dataclass(frozen=True, slots=True)
class Placement:
    """The placement of one piece on a square of its home ranks.

    >>> str(Placement("E", 12))
    'Ee2'
    """

    piece: str
    square: int

    def __str__(self) -> str:
        return f"{self.piece}{SQUARE_NAMES[self.square]}"


@dataclass(frozen=True, slots=True)
class End:
    """The end of the player's turn. In a record the end of the line stands for it."""

    def __str__(self) -> str:
        return "end"


END: Final = End()

Action = Step | Placement | End

STEPS: Final[Mapping[tuple[str, int, str], Step]] = {
    (piece, origin, direction): Step(piece, origin, direction)
    for piece in KINDS + KINDS.lower()
    for origin in SQUARES
    for direction in DIRECTIONS
}
"""All steps; each is one shared object."""


# --- the laws of the board -----------------------------------------------------------------------


def shift(board: str, origin: int, target: int) -> tuple[str, int]:
    """Move the piece on a square to another square, or off the board, and let the traps act.

    A piece on a trap with no friend orthogonally beside it is removed, after every single step.
    Source: official; French, "retirée du plateau, sauf si …"; all rule sets alike.

    Returns: the new board, and the trap that removed a piece or `OFF_BOARD`. One step can
        empty one trap at most: no square is beside two.
    """
    piece = board[origin]
    board = board[:origin] + EMPTY + board[origin + 1 :]
    if target != OFF_BOARD:
        board = board[:target] + piece + board[target + 1 :]
    trap = target if target in TRAPS else TRAP_BESIDE[origin]
    if trap == OFF_BOARD or board[trap] == EMPTY or is_supported(board, trap):
        return board, OFF_BOARD
    return board[:trap] + EMPTY + board[trap + 1 :], trap


TRAP_BESIDE: Final = tuple(
    next((trap for trap in TRAPS if trap in BESIDE[square]), OFF_BOARD) for square in SQUARES
)
"""For each square the trap orthogonally beside it, or `OFF_BOARD`."""


def is_supported(board: str, square: int) -> bool:
    """Return whether the piece on a square has a friend orthogonally beside it.

    **Reading** (`diagonal`): friends help orthogonally only; the document's own position says so.
    """
    friends = PIECES[SIDE[board[square]]]
    return any(board[beside] in friends for beside in BESIDE[square])


def freezers(rules: RuleSet, board: str, square: int) -> list[int]:
    """Return the squares of the enemies that freeze the piece on a square; none if it is free.

    Source: official; French, "Geler une pièce adverse"; Hungarian, "bénult": over corners too.
    """
    if is_supported(board, square):
        return []
    piece = board[square]
    strength, side = STRENGTH[piece], SIDE[piece]
    return [
        near
        for near in rules.reach[square]
        if STRENGTH[board[near]] > strength and SIDE[board[near]] != side
    ]


def is_frozen(rules: RuleSet, board: str, square: int) -> bool:
    """Return whether the piece on a square is frozen: `freezers` as a fast predicate."""
    piece = board[square]
    friends = PIECES[SIDE[piece]]
    for beside in BESIDE[square]:
        if board[beside] in friends:
            return False
    strength = STRENGTH[piece]
    for near in rules.reach[square]:
        if STRENGTH[board[near]] > strength and board[near] not in friends:
            return True
    return False


def pushers(rules: RuleSet, board: str, square: int) -> tuple[int, ...]:
    """Return the squares of the pieces that can push another: stronger, touching it, not frozen.

    Source: official; Hungarian: touching in one of eight directions.
    """
    victim = board[square]
    strength, side = STRENGTH[victim], SIDE[victim]
    return tuple(
        near
        for near in rules.reach[square]
        if STRENGTH[board[near]] > strength
        and SIDE[board[near]] != side
        and not is_frozen(rules, board, near)
    )


def own_steps(rules: RuleSet, board: str, square: int) -> list[Step]:
    """Return the ordinary steps of the piece on a square: orthogonal, to empty squares, not frozen.

    Rabbits never step backward. Source: official; French, "ne peuvent pas reculer"; all alike.
    """
    piece = board[square]
    backward = BACKWARD[SIDE[piece]] if piece in RABBITS else ""
    steps = [
        STEPS[piece, square, direction]
        for direction, target in STEPS_FROM[square]
        if board[target] == EMPTY and direction != backward
    ]
    return steps if steps and not is_frozen(rules, board, square) else []


def push_starts(rules: RuleSet, board: str, square: int) -> list[Step]:
    """Return the first halves of pushes of an enemy piece: orthogonal, to empty squares.

    **Reading** (`diagonal`): only the piece that takes the other's square moves over a corner.
    """
    piece = board[square]
    steps = [
        STEPS[piece, square, direction]
        for direction, target in STEPS_FROM[square]
        if board[target] == EMPTY
    ]
    if rules.ejection and piece in RABBITS:
        steps += [STEPS[piece, square, direction] for direction in edge_directions(square)]
    return steps if steps and pushers(rules, board, square) else []


def edge_directions(square: int) -> tuple[str, ...]:
    """Return the direction, if any, of a push of a rabbit off the board: over rank 1 or 8 only.

    **Reading** (`ejection`): both ranks count, the rabbit's own too; no other piece, no other edge.
    """
    return ("s",) if square < 8 else ("n",) if square >= 56 else ()
