"""The rules of the four rule sets for players, clause by clause, with their sources.

`trine rules` prints them in the player's language; `trine.games.corridor.referee` applies them.
"""

from __future__ import annotations

from typing import Final

from trine.core.contract.clause import Try, clause
from trine.core.contract.outcome import Outcome, Reason
from trine.core.text.sentence import ctext, join
from trine.games.corridor.board import USUAL_SIZE
from trine.games.corridor.rules import RULE_SETS

BOARD: Final = ctext("chapter", "Board and players")
START: Final = ctext("chapter", "Start")
TURN: Final = ctext("chapter", "Turns and steps")
JUMP: Final = ctext("chapter", "Jumps")
WALLS: Final = ctext("chapter", "Walls")
GREAT_WALL: Final = ctext("chapter", "The Great Wall")
END: Final = ctext("chapter", "How a play ends")

_BOOK: Final = ctext("source", "rule book of Quoridor")
_RUSSIAN: Final = ctext("source", "Russian document")
_BOTH: Final = join([_BOOK, _RUSSIAN])
_OURS: Final = ctext("source", "this program: no source has a rule for it")
_QUORIDOR: Final = ("quoridor",)
_CORRIDOR: Final = ("corridor", "corridor-8", "great-wall")
_COUNTED: Final = ("corridor", "corridor-8")
_GREAT_WALL: Final = ("great-wall",)

_STEPS: Final = (
    Try("d3"),
    Try("e4", "the wall e3h stands between e3 and e4"),
    Try(
        "d4",
        "d4 is not beside e3; a pawn goes to a square beside it, or jumps over a pawn that "
        "stands there",
    ),
)
_RING: Final = "{rules} 9 2 c3,e5 d5v,e4h,e5v {hands} 1"

CLAUSES: Final = (
    clause(
        BOARD,
        "The board has nine ranks and nine files, a1 to i9. Any other size from 3 to 19 can be "
        "agreed on.",
        _BOTH,
        "The sources know the board of nine; the other sizes are ours.",
    ),
    clause(
        BOARD,
        "Two or four play. Two are South and North; four are South, West, North and East, and "
        "take turns in this order.",
        _BOOK,
        only=_QUORIDOR,
    ),
    clause(
        BOARD,
        "Two, three or four play. Two are South and North, three South, West and North, four "
        "South, West, North and East; they take turns in this order.",
        _RUSSIAN,
        only=_CORRIDOR,
    ),
    clause(
        BOARD,
        "Each player has one pawn, which starts on the player's own side of the board. Its "
        "goal is the opposite side, any square of it.",
        _BOTH,
        at="{rules} 9 2 e8,c3 - {hands} 1",
        tries=(Try("e9", outcome=Outcome(0, Reason.GOAL)),),
    ),
    clause(
        START,
        "The pawns start in the middle of their sides: on e1 and e9; if four play, on e1, a5, "
        "e9 and i5.",
        _BOOK,
        "A side of even length has two squares in its middle; the pawn starts on the left one "
        "as its player faces the board.",
        only=_QUORIDOR,
    ),
    clause(
        START,
        "First each player in turn chooses the square of the own side on which to start.",
        _RUSSIAN,
        "A corner belongs to two sides; where a pawn stands there, no other can start.",
        only=_CORRIDOR,
        at="{rules} 9 2 ?,? - {all} 1",
        tries=(
            Try("@e1"),
            Try("@e9", "South starts on the south side, from a1 to i1; e9 is not there"),
        ),
    ),
    clause(TURN, "In a turn a player either moves the pawn or places one wall.", _BOTH),
    clause(
        TURN,
        "The pawn moves to an orthogonally neighbouring square that is empty, with no wall "
        "between.",
        _BOOK,
        only=_QUORIDOR,
        at="quoridor 9 2 e3,e8 e3h 9,10 1",
        tries=_STEPS,
    ),
    clause(
        TURN,
        "The pawn moves to an orthogonally neighbouring square that is empty, with no wall "
        "between.",
        _RUSSIAN,
        "«Neighbouring» is orthogonal, since walls stand on sides of squares.",
        only=_CORRIDOR,
        at="{rules} 9 2 e3,e8 e3h {hands} 1",
        tries=_STEPS,
    ),
    clause(
        TURN,
        "A player who can neither move nor place a wall passes. Otherwise nobody may pass.",
        _OURS,
        at="{rules} 9 2 e1,e9 - {hands} 1",
        tries=(Try("-", "who can do something cannot pass; d1 is legal, for one"),),
    ),
    clause(
        JUMP,
        "A pawn beside another, with no wall between, may jump straight over it onto an empty "
        "square, with no wall between. Where a wall, the edge of the board or a third pawn is "
        "behind the other pawn, it may go to the square on either side of that pawn instead, "
        "if it is empty and no wall is between. Nobody jumps over two pawns.",
        _BOOK,
        "The rule book speaks of a wall behind the other pawn; the edge and a third pawn count "
        "alike, as nearly everybody plays it.",
        only=_QUORIDOR,
        at="quoridor 9 2 e4,e5 e5h 9,10 1",
        tries=(
            Try("d5"),
            Try("f5"),
            Try(
                "e6",
                "the wall e5h stands behind the pawn on e5, so the way straight over it is shut",
            ),
        ),
    ),
    clause(
        JUMP,
        "A pawn beside another, with no wall between, may jump straight over it onto the empty "
        "square behind it, with no wall between. There is no other jump.",
        _RUSSIAN,
        "The document says that one may jump over the opponent's pawn, and no more: that is "
        "straight on, over one pawn, onto an empty square.",
        only=_CORRIDOR,
        at="{rules} 9 2 e4,e5 - {hands} 1",
        tries=(
            Try("e6"),
            Try("d5", "a jump leads straight over the pawn on e5, never to a side of it"),
        ),
    ),
    clause(
        WALLS,
        "A wall is as long as two squares and stands between four. Walls neither overlap nor "
        "cross, and none stands out over the edge. Once placed they stay.",
        _BOOK,
        only=_QUORIDOR,
        at="quoridor 9 2 e3,e8 e5h 9,10 1",
        tries=(
            Try("g5h"),
            Try("e6v"),
            Try("e5v", "it would cross the wall e5h"),
            Try("d5h", "it would overlap the wall e5h"),
            Try("i5h", "a wall is two squares long; from i5 it would stick out of the board"),
        ),
    ),
    clause(
        WALLS,
        "A wall is as long as one square and stands between two neighbouring squares where "
        "none is yet. Once placed it stays.",
        _RUSSIAN,
        "«Any side of any square» is read without the border of the board, where a wall would "
        "stand between a square and nothing.",
        only=_CORRIDOR,
        at="{rules} 9 2 e3,e8 e5h {hands} 1",
        tries=(
            Try("f5h"),
            Try("e5v"),
            Try("e5h", "a wall stands there already"),
            Try("e9h", "north of e9 is the border; walls stand between squares"),
        ),
    ),
    clause(
        WALLS,
        "Each player has ten walls if two play, five if four play.",
        _BOOK,
        only=_QUORIDOR,
        at="quoridor 9 2 e4,e8 a1h,c1h,e1h,g1h,a2h,c2h,e2h,g2h,a3h,c3h 0,10 1",
        tries=(Try("e5"), Try("g7h", "South has no walls left")),
    ),
    clause(WALLS, "Each player has ten walls.", _RUSSIAN, only=("corridor",)),
    clause(
        WALLS,
        "Each player has one wall less than a side of the board has squares: eight on the "
        "board of nine. So nobody can build across the board alone.",
        _RUSSIAN,
        only=("corridor-8",),
    ),
    clause(WALLS, "The number of walls is not limited.", _RUSSIAN, only=_GREAT_WALL),
    clause(
        WALLS,
        "No wall may shut a pawn off: after it every pawn must have a way to its goal, where "
        "the other pawns do not count as obstacles.",
        _BOOK,
        only=_QUORIDOR,
        at="quoridor 9 2 e3,a8 a7h,c7h,e7h 9,8 1",
        tries=(
            Try("g7h"),
            Try("f8v", "it would shut North off: no way to the south side would be left"),
        ),
    ),
    clause(
        WALLS,
        "Walls may shut a pawn off from its goal.",
        _RUSSIAN,
        only=_COUNTED,
        at=_RING,
        tries=(Try("e5h"),),
    ),
    clause(
        WALLS,
        "Walls may shut a pawn off from its goal, as long as they are no Great Wall.",
        _RUSSIAN,
        only=_GREAT_WALL,
        at=_RING,
        tries=(Try("e5h"),),
    ),
    clause(
        GREAT_WALL,
        "No wall may complete a connected line of walls from one side of the board to another: "
        "neither to the opposite side nor to a neighbouring one. Walls are connected where "
        "they meet at a point.",
        _RUSSIAN,
        "The pictures of the document are lost. Its «two types» of a Great Wall «between two "
        "edges» are read as those between opposite and between neighbouring sides, for every "
        "number of players.",
        only=_GREAT_WALL,
        at="great-wall 9 2 c3,e6 a5h,b5h,c5h,d5h,f5h,g5h,h5h,i5h *,* 1",
        tries=(
            Try("e4h"),
            Try(
                "e5h",
                "it would complete a Great Wall between the west and the east side: a5h, "
                "b5h, c5h, d5h, e5h, f5h, g5h, h5h, i5h",
            ),
        ),
    ),
    clause(
        GREAT_WALL,
        "Lines that return to the same side, and rings that touch no side, are allowed.",
        _RUSSIAN,
        "«From edge to edge» is read as between two sides, since the document says that a pawn "
        "can be shut in without a Great Wall.",
        only=_GREAT_WALL,
        at="great-wall 9 2 e4,a5 a4h,a5h *,* 1",
        tries=(Try("a5v"),),
    ),
    clause(
        END,
        "Whose pawn first stands on its goal, the opposite side of the board, wins. The play "
        "is over then; if more than two play, the others share the last place.",
        _BOTH,
        at="{rules} 9 2 d8,c3 - {hands} 1",
        tries=(Try("d9", outcome=Outcome(0, Reason.GOAL)), Try("c8")),
    ),
    clause(
        END,
        "A pawn that has no way to its goal is trapped, pawns in its way aside. Its player "
        "goes on moving it, where it can move, and placing walls. If the pawns of all who "
        "play are trapped, the play is a draw.",
        _RUSSIAN,
        "The document's «closed space» and its wall across the board are both read as having "
        "no way to the goal.",
        only=_CORRIDOR,
        at="{rules} 9 2 c3,e6 b3v,c2h,c3h,c3v,d6v,e5h,e6v {hands} 1",
        tries=(Try("e6h", outcome=Outcome(None, Reason.TRAPPED)),),
    ),
    clause(
        END,
        "If the same position stands for the third time, with the same walls in hand and the "
        "same player to move, the play is a draw. The first position of the play counts.",
        _OURS,
        at="{rules} 9 2 e4,e7 - {hands} 1",
        tries=(Try("e5 e8 e4 e7 e5 e8 e4 e7", outcome=Outcome(None, Reason.REPETITION)),),
    ),
    clause(
        END,
        "The players can agree before the game that it is drawn only when all pawns are "
        "caught: then no repetition draws, and no agreement. A game that goes round ends when "
        "somebody plays another move, resigns, or has no time left.",
        _RUSSIAN,
        "The document fixes a draw «only» when the pawns are caught, and says nothing of games "
        "that go round.",
        only=_CORRIDOR,
        at="{rules} 9 2 e4,e7 - {hands} 1 caught",
        tries=(Try("e5 e8 e4 e7 e5 e8 e4 e7"),),
    ),
    clause(
        END,
        "A player may resign, and all may agree on a draw where the match allows it. Who "
        "resigns, or whose time is up, leaves the play: the pawn comes off the board, the "
        "walls stay, and the others play on. Whoever is left alone has won.",
        _OURS,
    ),
)


def blanks(rules: str) -> dict[str, str]:
    """Return the hands of two players in the clauses' positions, which depend on the rule set.

    Returns: ``all``, the hands of the start; ``hands``, hands after some walls are placed.

    >>> blanks("corridor-8"), blanks("great-wall")
    ({'all': '8,8', 'hands': '4,4'}, {'all': '*,*', 'hands': '*,*'})
    """
    each = RULE_SETS[rules].walls_each(USUAL_SIZE, 2)
    if each is None:
        return {"all": "*,*", "hands": "*,*"}
    return {"all": f"{each},{each}", "hands": "4,4"}
