"""The rules of the two rule sets for players, clause by clause, with their sources.

`trine rules` prints them in the player's language. The referee is `trine.games.tzaar.referee`.
"""

from __future__ import annotations

from typing import Final

from trine.core.clause import Clause, clauses_of
from trine.core.text import ctext, join, text

BOARD: Final = ctext("chapter", "Board and pieces")
SETUP: Final = ctext("chapter", "Setup")
TURN: Final = ctext("chapter", "Turns and actions")
CAPTURE: Final = ctext("chapter", "Capturing")
STACK: Final = ctext("chapter", "Stacking")
END: Final = ctext("chapter", "How a play ends")

_OFFICIAL: Final = ctext("source", "rule book")
_RUSSIAN: Final = ctext("source", "Russian document")
_ALL: Final = join([_OFFICIAL, _RUSSIAN])

CLAUSES: Final = (
    Clause(
        BOARD,
        text(
            "The board is a hexagon of 60 points on lines in three directions. Its columns a to i "
            "have 5, 6, 7, 8, 9, 8, 7, 6 and 5 places, numbered upward from 1. The one in the "
            "centre, e5, is missing, and the three lines through it are broken there."
        ),
        _ALL,
    ),
    Clause(
        BOARD,
        text(
            "Each side has 15 Totts (T), 9 Tzarras (Y) and 6 Tzaars (Z). White is written in "
            "capitals, Black in small letters."
        ),
        _ALL,
    ),
    Clause(
        BOARD,
        text(
            "A single piece is a stack of height 1. A stack belongs to one side, moves whole, and "
            "counts as the piece on its top; what lies under the top counts for nothing."
        ),
        _ALL,
    ),
    Clause(
        SETUP,
        text(
            "The play begins with all 60 pieces on the board: put there at random; or in an order "
            "that has been agreed on; or, White first, by the players in turn, who each put one "
            "piece of their own on any empty point until the board is full."
        ),
        _ALL,
        text(
            "The Russian document names the random start and the placement, and prefers the "
            "placement; the rule book has all three. Every start can be played by either rule set."
        ),
    ),
    Clause(
        SETUP,
        text("While the pieces are being placed, nobody can win or lose on the board."),
        _ALL,
        text(
            "Neither source says so; but who has not yet placed a piece of some kind shows none, "
            "and cannot be meant to have lost."
        ),
    ),
    Clause(
        TURN,
        text(
            "White moves first. White's very first turn is one capture and nothing else. Every "
            "later turn is two actions by the same player."
        ),
        _OFFICIAL,
        only=("official",),
    ),
    Clause(
        TURN,
        text("White moves first. Every turn is two actions by the same player."),
        _RUSSIAN,
        text(
            "The document says «a turn consists of two half-turns» and knows no exception, so "
            "White's very first turn has two as well."
        ),
        only=("open",),
    ),
    Clause(
        TURN,
        text(
            "The first action must be a capture. The second is a capture with the same stack or "
            "another, or a stacking, or a pass."
        ),
        _ALL,
    ),
    Clause(
        CAPTURE,
        text(
            "A stack captures by going along a line, over any number of empty points, onto an "
            "enemy stack of the same or a smaller height. Of what kind they are does not matter. "
            "The captured stack leaves the game whole; the other stays as high as it was."
        ),
        _ALL,
    ),
    Clause(
        CAPTURE,
        text(
            "Nothing goes to an empty point, and nothing goes over a stack or over the missing "
            "centre."
        ),
        _ALL,
    ),
    Clause(
        STACK,
        text(
            "A stack can go along a line, over any number of empty points, onto another stack of "
            "its own side, whatever the heights. It comes to lie on top, and the heights add up."
        ),
        _ALL,
    ),
    Clause(
        END,
        text(
            "Who shows no Tott, no Tzarra or no Tzaar on top of any stack has lost (extinction): "
            "at once, in the middle of a turn too, and also by a stacking of one's own."
        ),
        _ALL,
        text(
            "The Russian document does not say when this is judged. It is judged at once, as in "
            "the rule book, so a turn that ends the play with its first action has no second."
        ),
    ),
    Clause(
        END,
        text("Who cannot capture with the first action of a turn has lost (no capture)."),
        _ALL,
    ),
    Clause(
        END,
        text("Where both would hold, the play ends by extinction."),
        _ALL,
        text("Neither source asks which comes first; extinction stands before the next turn."),
    ),
    Clause(
        END,
        text("There are no draws: every turn takes at least one stack off the board."),
        _ALL,
    ),
    Clause(
        END,
        text("A player may resign. Whose time is up loses."),
        ctext("source", "custom of matches"),
    ),
)


def rulebook(rules: str) -> list[Clause]:
    """Return the clauses of a rule set, in the order of the book.

    >>> any(clause.reading for clause in rulebook("open"))
    True
    """
    return clauses_of(rules, CLAUSES)
