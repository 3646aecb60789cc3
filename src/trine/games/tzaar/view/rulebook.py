"""The rules of the two rule sets for players, clause by clause, with their sources.

`trine rules` prints them in the player's language. The referee is `trine.games.tzaar.referee`.
"""

from __future__ import annotations

from typing import Final

from trine.core.contract.clause import Try, clause
from trine.core.contract.outcome import Outcome, Reason
from trine.core.text.sentence import ctext, join
from trine.games.tzaar.diagrams import sketch

BOARD: Final = ctext("chapter", "Board and pieces")
SETUP: Final = ctext("chapter", "Setup")
TURN: Final = ctext("chapter", "Turns and actions")
CAPTURE: Final = ctext("chapter", "Capturing")
STACK: Final = ctext("chapter", "Stacking")
END: Final = ctext("chapter", "How a play ends")

_OFFICIAL: Final = ctext("source", "rule book")
_RUSSIAN: Final = ctext("source", "Russian document")
_OURS: Final = ctext("source", "our reading")
_ALL: Final = join([_OFFICIAL, _RUSSIAN])

_SINGLES: Final = sketch("Ta1 td4 Td3 Td1 th1 Yh4 Zg7 yb6 zi2 te9", "white 1")
_FULL: Final = (
    "{{rules}} ttttT/TyyyYT/TYzzZYT/TYZtTZYT/TYZT*tzyt/tyztTzyt/tyzZZyt/tyYYYt/tTTTT white {stage}"
)

CLAUSES: Final = (
    clause(
        BOARD,
        "The board is a hexagon of 60 points on lines in three directions. Its columns a to i "
        "have 5, 6, 7, 8, 9, 8, 7, 6 and 5 places, numbered upward from 1. The one in the "
        "centre, e5, is missing, and the three lines through it are broken there.",
        _ALL,
    ),
    clause(
        BOARD,
        "Each side has 15 Totts (T), 9 Tzarras (Y) and 6 Tzaars (Z). White is written in "
        "capitals, Black in small letters.",
        _ALL,
    ),
    clause(
        BOARD,
        "A single piece is a stack of height 1. A stack belongs to one side, moves whole, and "
        "counts as the piece on its top; what lies under the top counts for nothing.",
        _ALL,
        at=sketch("Tc1 Zc3 Te2 tf1 Yh4 tf6 ya5 zi1 tb6", "white 1"),
        tries=(Try("h4xf6 c3+c1"), Try("h4xf6 c1+c3", outcome=Outcome(1, Reason.EXTINCTION))),
    ),
    clause(
        SETUP,
        "The play begins with all 60 pieces on the board: put there at random; or in an order "
        "that has been agreed on; or, White first, by the players in turn, who each put one "
        "piece of their own on any empty point until the board is full.",
        _ALL,
        "The Russian document names the random start and the placement, and prefers the "
        "placement; the rule book has all three. Every start can be played by either rule set.",
    ),
    clause(
        SETUP,
        "While the pieces are being placed, nobody can win or lose on the board.",
        _OURS,
        "Neither source says so; but who has not yet placed a piece of some kind shows none, "
        "and cannot be meant to have lost.",
        at="{rules} ...../....../......./......../....*..../......../......./....../..... white "
        "place",
        tries=(
            Try("Zc3 Td4"),
            Try("c3xd4", "the board is filled first; place a piece, such as Zc3"),
        ),
    ),
    clause(
        TURN,
        "White moves first. White's very first turn is one capture and nothing else. Every "
        "later turn is two actions by the same player.",
        _OFFICIAL,
        only=("official",),
        at=_FULL.format(stage="first"),
        tries=(Try("d3xc3"), Try("-", "White's very first turn is one capture and nothing else")),
    ),
    clause(
        TURN,
        "White moves first. Every turn is two actions by the same player.",
        _RUSSIAN,
        "The document says «a turn consists of two half-turns» and knows no exception, so "
        "White's very first turn has two as well.",
        only=("open",),
        at=_FULL.format(stage="1"),
        tries=(Try("d3xc3 d5xc4"),),
    ),
    clause(
        TURN,
        "The first action must be a capture. The second is a capture with the same stack or "
        "another, or a stacking, or a pass.",
        _ALL,
        at=_SINGLES,
        tries=(
            Try("a1xd4 d3+d4"),
            Try("a1xd4 d4xh1"),
            Try("a1xd4 -"),
            Try(
                "d3+d1",
                "the first action of a turn must be a capture; White has to capture now",
            ),
            Try("-", "the first action of a turn must be a capture; White has to capture now"),
        ),
    ),
    clause(
        CAPTURE,
        "A stack captures by going along a line, over any number of empty points, onto an "
        "enemy stack of the same or a smaller height. Of what kind they are does not matter. "
        "The captured stack leaves the game whole; the other stays as high as it was.",
        _ALL,
        at=sketch("Ta1 T2d1 t2d4 Yh6 Zg7 yb5 zi1 ti3", "white 1"),
        tries=(
            Try("d1xd4"),
            Try(
                "a1xd4",
                "the black Tott on d4 has height 2, the white Tott on a1 only 1; a stack "
                "captures none that is higher",
            ),
        ),
    ),
    clause(
        CAPTURE,
        "Nothing goes to an empty point, and nothing goes over a stack or over the missing centre.",
        _ALL,
        at=sketch("Te2 te8 Ya4 Zi5 yc1 zg1 tb6", "white 1"),
        tries=(
            Try("a4xe8"),
            Try("e2xe8", "the missing centre lies between e2 and e8; no line leads over it"),
            Try("a4xd7", "nothing stands on d7, and a stack goes only where another one stands"),
        ),
    ),
    clause(
        STACK,
        "A stack can go along a line, over any number of empty points, onto another stack of "
        "its own side, whatever the heights. It comes to lie on top, and the heights add up.",
        _ALL,
        at=sketch("Tc1 tc4 T2g2 T2g5 Ya4 Zd8 yi1 zb6 ti3", "white 1"),
        tries=(Try("c1xc4 g2+g5"), Try("c1xc4 g5+g2")),
    ),
    clause(
        END,
        "Who shows no Tott, no Tzarra or no Tzaar on top of any stack has lost (extinction): "
        "at once, in the middle of a turn too, and also by a stacking of one's own.",
        _ALL,
        "The Russian document does not say when this is judged. It is judged at once, as in "
        "the rule book, so a turn that ends the play with its first action has no second.",
        at=sketch("Tb1 zb6 td1 Yh6 Zh3 tg2 td8 yc7", "white 1"),
        tries=(Try("b1xb6", outcome=Outcome(0, Reason.EXTINCTION)),),
    ),
    clause(
        END,
        "Who cannot capture with the first action of a turn has lost (no capture).",
        _ALL,
        at=sketch("T2a1 td4 Tb1 Y2b4 Z3g7 tc3 zf8 ti4 ye9", "white 1"),
        tries=(Try("a1xc3 b4+b1", outcome=Outcome(0, Reason.NO_CAPTURE)),),
    ),
    clause(
        END,
        "Where both would hold, the play ends by extinction.",
        _OURS,
        "Neither source asks which comes first; extinction stands before the next turn.",
    ),
    clause(END, "There are no draws: every turn takes at least one stack off the board.", _ALL),
    clause(
        END, "A player may resign. Whose time is up loses.", ctext("source", "custom of matches")
    ),
)
