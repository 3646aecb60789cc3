"""The first lessons for a newcomer to Corridor or Quoridor, and the advice of a document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from trine.core.contract.lesson import Lesson, Match, Quote, all_of, draws, wins, with_advice
from trine.core.contract.outcome import Reason
from trine.core.text.sentence import text
from trine.core.text.typed import typed
from trine.games.corridor.view.goals import lengthened, nearer, no_farther, shut_in, stands

_ADVICE: Final = (
    Lesson(
        name="behind",
        title=text("Behind in the race"),
        words=text(
            "If the other side's way is the shorter one, running loses. A wall that closes a line "
            "of walls makes the longest detour."
        ),
        task=text("You need three steps, North needs two. Make North's way two steps longer."),
        position="{rules} 9 2 e6,d3 c2h,e2h {hands} 1",
        goal=all_of(lengthened(2), no_farther),
        solution=("d2h",),
        success=text("North has to go around three walls, and you are first now."),
        hints=(text("The gap is in front of North's pawn: d2h."),),
        wrong=("e7", "d3h"),
        only=("corridor", "corridor-8", "great-wall"),
        quotes=(
            Quote(
                "ru",
                "Если же ваш кратчайший длиннее кратчайшего противника, то нужно строить стену, "
                "удлиняющую кратчайший путь противника.",
                text(
                    "But if your shortest way is longer than the opponent's, you must build a wall "
                    "that makes the opponent's shortest way longer."
                ),
            ),
        ),
    ),
)

QUOTES: Final[Mapping[str, tuple[Quote, ...]]] = {
    "race": (
        Quote(
            "ru",
            "если ваш кратчайший путь меньше, нежели путь противника, то не стоит строить стену, "
            "надо двигать фишку",
            text(
                "If your shortest way is shorter than the opponent's, build no wall: move your "
                "pawn along it."
            ),
        ),
    ),
    "across": (
        Quote(
            "ru",
            "Можно попытаться построить стену за своей спиной. И если противник не успеет "
            "построить такую же стену, то это будет означать для него поражение.",
            text(
                "One can try to build a wall behind one's back. If the opponent has no time to "
                "build such a wall, it means defeat."
            ),
        ),
    ),
    "shut-in": (
        Quote(
            "ru",
            "Фишку противника можно поймать в замкнутое пространство.",
            text("The opponent's pawn can be caught in a closed space."),
        ),
    ),
    "drawn": (
        Quote(
            "ru",
            "Ничья фиксируется только в том случае, если фишки обоих противников оказываются "
            "пойманными.",
            text("A draw is fixed only if the pawns of both opponents are caught."),
        ),
    ),
}
"""Advice that decides in lessons that newcomers have anyway, by their names."""

_BUILDER, _RUNNER = typed("wall-builder"), typed("pathfinder")
_USUAL, _RANDOM = text("from the usual beginning"), text("from random beginnings")

MATCHES: Final[Mapping[str, tuple[Match, ...]]] = {
    "across": (
        Match("corridor", _BUILDER, _RUNNER, _USUAL, 200, 65.0, 5.2),
        Match("corridor", _BUILDER, _RUNNER, _RANDOM, 200, 50.5, 4.7),
        Match("corridor-8", _BUILDER, _RUNNER, _USUAL, 200, 50.0, 6.6),
        Match("corridor-8", _BUILDER, _RUNNER, _RANDOM, 200, 45.5, 4.7),
    ),
}
"""All matches that tell what the advice of lessons was worth."""

_QUORIDOR: Final = ("quoridor",)
_CORRIDOR: Final = ("corridor", "corridor-8", "great-wall")
_FOR_TWO: Final = ("corridor", "corridor-8")
_GREAT_WALL: Final = ("great-wall",)


_LESSONS: Final = (
    Lesson(
        name="start",
        title=text("Choosing where to start"),
        words=text(
            "Before the first move, each player chooses a square of the own side to start on. "
            "From the middle you can turn to either side; in a corner you are half shut in."
        ),
        task=text("You are South. Start in the middle of your side, on e1."),
        position="{rules} 9 2 ?,? - {all} 1",
        goal=stands("e1"),
        solution=("@e1",),
        success=text("Now North would choose a square of rank 9."),
        hints=(text("South's side is rank 1, at the bottom."), text("@e1")),
        wrong=("@a1", "@e9"),
        only=_CORRIDOR,
    ),
    Lesson(
        name="step",
        title=text("A step"),
        words=text(
            "In each turn you either move your pawn or place a wall. The pawn moves one square up, "
            "down or sideways. Your goal is the opposite side of the board: for South, rank 9."
        ),
        task=text("You are South. Take your pawn one step nearer to rank 9."),
        position="{rules} 9 2 e1,e9 - {hands} 1",
        goal=nearer,
        solution=("e2",),
        success=text("Seven steps more. North has eight, and is to move."),
        hints=(text("Straight up."), text("Your pawn is on e1: move it to e2.")),
        wrong=("d1", "e3"),
    ),
    Lesson(
        name="goal",
        title=text("The goal"),
        words=text("The first to reach the opposite side wins. Any square of it will do."),
        task=text("Win."),
        position="{rules} 9 2 e8,c3 - {hands} 1",
        goal=wins(Reason.GOAL),
        solution=("e9",),
        success=text("North was two steps short."),
        hints=(text("You need one step only."), text("e9")),
        wrong=("d8", "c2h"),
    ),
    Lesson(
        name="race",
        title=text("Counting the race"),
        words=text(
            "A game without walls is a race: count the steps of both sides, and remember who is to "
            "move. If you are ahead, run; if you are behind, you need walls."
        ),
        task=text("You need two steps, North needs three. Win in two turns."),
        position="{rules} 9 2 c7,f4 - {hands} 1",
        goal=wins(Reason.GOAL),
        solution=("c8", "c9"),
        answers=("f3",),
        success=text("You were ahead, and a wall would only have cost you a turn."),
        hints=(text("No detours."), text("c8, then c9.")),
        wrong=("b7", "e3h"),
    ),
    Lesson(
        name="jump",
        title=text("The jump"),
        words=text(
            "Two pawns never share a square. When the other pawn is right before yours, you may "
            "jump straight over it, and so gain a step."
        ),
        task=text("Jump over North's pawn."),
        position="{rules} 9 2 e4,e5 - {hands} 1",
        goal=stands("e6"),
        solution=("e6",),
        success=text("Two squares in one turn. Think of that before you step in front of a pawn."),
        hints=(text("You land right behind North's pawn."), text("e6")),
        wrong=("e5", "d5", "d4"),
    ),
    Lesson(
        name="jump-aside",
        title=text("Jumping aside"),
        words=text(
            "Where a wall stands behind the other pawn, the straight jump is shut. Then you may "
            "jump to the square on either side of that pawn instead."
        ),
        task=text("Get past North's pawn with one jump."),
        position="quoridor 9 2 e4,e5 e5h 10,9 1",
        goal=stands("d5", "f5"),
        solution=("d5",),
        success=text("Only a wall, the edge or a third pawn turns the jump aside."),
        hints=(
            text("Straight on there is a wall. Left or right of North's pawn there is none."),
            text("d5 or f5"),
        ),
        wrong=("e6", "d4"),
        only=_QUORIDOR,
    ),
    Lesson(
        name="jump-at-edge",
        title=text("Jumping at the edge"),
        words=text(
            "The edge of the board behind the other pawn turns a jump aside as a wall does. So "
            "nobody can keep you out by standing still on the last rank."
        ),
        task=text("North's pawn stands in your way. Win in one turn."),
        position="quoridor 9 2 e8,e9 - 10,10 1",
        goal=wins(Reason.GOAL),
        solution=("d9",),
        success=text("The squares beside North's pawn belong to your goal, too."),
        hints=(text("Behind e9 the board ends."), text("d9 or f9")),
        wrong=("e9", "d8"),
        only=_QUORIDOR,
    ),
    Lesson(
        name="no-jump-aside",
        title=text("Straight or not at all"),
        words=text(
            "In this rule set a jump only leads straight on. Where a wall stands behind the "
            "other pawn, there is no jump, and you walk around."
        ),
        task=text("Bring your pawn beside North's, to d5 or f5, in two turns."),
        position="{rules} 9 2 e4,e5 e5h {hands} 1",
        goal=stands("d5", "f5"),
        solution=("d4", "d5"),
        answers=("a1h",),
        success=text("It took two turns: keep a wall behind your pawn, and others must walk."),
        hints=(text("First to the side, then up."), text("d4, then d5.")),
        wrong=("e6", "d5"),
        only=_CORRIDOR,
    ),
    Lesson(
        name="wall",
        title=text("A wall"),
        words=text(
            "Instead of moving you may place a wall between squares. No pawn goes through a "
            "wall, and it stays until the end of the game. A good wall stands right before the "
            "other pawn."
        ),
        task=text("Make North's way to rank 1 longer."),
        position="{rules} 9 2 e3,e8 - {hands} 1",
        goal=lengthened(1),
        solution=("e7h",),
        success=text("North has to go around."),
        hints=(
            text("North wants to go from e8 to e7. Put a wall in between."),
            text("e7h is the wall north of e7."),
        ),
        wrong=("e4", "a1h", "e7v"),
    ),
    Lesson(
        name="own-way",
        title=text("Mind your own way"),
        words=text(
            "A wall is in your way as well. Before you place one, look at both ways: the best "
            "walls cost the other side steps, and you none."
        ),
        task=text("Make North's way longer, but not your own."),
        position="{rules} 9 2 d5,e7 - {hands} 1",
        goal=all_of(lengthened(1), no_farther),
        solution=("e6h",),
        success=text("North has to go around, and you do not."),
        hints=(
            text("The wall belongs right before North's pawn, and must not lie across your file."),
            text("e6h"),
        ),
        wrong=("d6h", "d6"),
    ),
    Lesson(
        name="no-crossing",
        title=text("Where walls fit"),
        words=text(
            "A wall is two squares long and stands between four. Walls neither overlap nor "
            "cross, but they may touch. There are two walls that shut "
            "the way before a pawn, one reaching to each side."
        ),
        task=text("Make North's way at least two steps longer. A wall stands already."),
        position="quoridor 9 2 e3,e6 e5v 10,9 1",
        goal=lengthened(2),
        solution=("d5h",),
        success=text("Together the two walls make a corner."),
        hints=(
            text(
                "A wall before North's pawn to the east would cross the one that stands. Shift it."
            ),
            text("d5h shuts the way down from d6 and from e6."),
        ),
        wrong=("e5h", "e4"),
        only=_QUORIDOR,
    ),
    Lesson(
        name="lane",
        title=text("A dead end"),
        words=text(
            "The worst place for a pawn is between two walls. A pawn in such a lane must go all "
            "the way back if its end is shut."
        ),
        task=text("Make North's way at least three steps longer, with one wall."),
        position="quoridor 9 2 e3,e7 d6v,e6v 9,9 1",
        goal=lengthened(3),
        solution=("e5h",),
        success=text("Back, around, and down again: that was a wall well spent."),
        hints=(
            text("Where does the lane end?"),
            text("e5h shuts the lower end of the lane, and so does d5h."),
        ),
        wrong=("e7h", "e6h", "e4"),
        only=_QUORIDOR,
    ),
    Lesson(
        name="open-way",
        title=text("A way must stay open"),
        words=text(
            "No wall may shut a pawn off: every pawn must keep at least one way to its goal, "
            "however long it is. Other pawns on the way do not count."
        ),
        task=text("Make North's way at least two steps longer, and leave it one."),
        position="quoridor 9 2 e3,a8 a7h,c7h,e7h 9,8 1",
        goal=lengthened(2),
        solution=("g7h",),
        success=text("There is one gap left, at the far end. That is enough for the rule."),
        hints=(
            text("The row of walls has a gap of three squares. Leave one of them."),
            text("g7h leaves only the gap on i."),
        ),
        wrong=("f8v", "e4"),
        only=_QUORIDOR,
    ),
    Lesson(
        name="shut-in",
        title=text("Shutting in"),
        words=text(
            "In this rule set walls may shut a pawn off from its goal. A pawn without a way is "
            "trapped: it can no longer win, but its player goes on placing walls."
        ),
        task=text("Trap North's pawn."),
        position="{rules} 9 2 c3,e5 d5v,e4h,e5v {hands} 1",
        goal=shut_in,
        solution=("e5h",),
        success=text("Now only you can win. North will try to trap you in turn."),
        hints=(
            text("North's square is open on one side only."),
            text("e5h is the wall north of e5."),
        ),
        wrong=("e6h", "c4"),
        only=_CORRIDOR,
    ),
    Lesson(
        name="drawn",
        title=text("All trapped: a draw"),
        words=text(
            "If every pawn is trapped, nobody can reach a goal any more, and the game is a draw. "
            "For whoever is trapped, that is worth fighting for."
        ),
        task=text("Your pawn on c3 is trapped, and North's will be soon. Save the draw."),
        position="{rules} 9 2 c3,e6 b3v,c2h,c3h,c3v,d6v,e5h,e6v {hands} 1",
        goal=draws(Reason.TRAPPED),
        solution=("e6h",),
        success=text("Nobody can win any more: a draw."),
        hints=(text("Where can North's pawn still get out?"), text("e6h")),
        wrong=("e7h", "f6h"),
        only=_CORRIDOR,
    ),
    Lesson(
        name="across",
        title=text("Across the board"),
        words=text(
            "A wall from one side of the board to the other shuts off whoever is on the wrong "
            "side of it. In this rule set that is allowed."
        ),
        task=text("You are past the line of walls, and North is not. Close it."),
        position="{rules} 9 2 d6,f7 a4h,b4h,c4h,d4h,f4h,g4h,h4h,i4h {hands} 1",
        goal=all_of(shut_in, no_farther),
        solution=("e4h",),
        success=text("North cannot come down any more. You walk home."),
        hints=(text("The line lies north of rank 4. Find its gap."), text("e4h")),
        wrong=("d7", "e5h"),
        only=_FOR_TWO,
    ),
    Lesson(
        name="great-wall",
        title=text("No Great Wall"),
        words=text(
            "Here you have as many walls as you like. But no wall may complete a line that joins "
            "two different sides of the board: that would be a Great Wall."
        ),
        task=text("Make North's way longer. The gap at e5 must not be closed!"),
        position="great-wall 9 2 c3,e6 a5h,b5h,c5h,d5h,f5h,g5h,h5h,i5h *,* 1",
        goal=lengthened(1),
        solution=("e4h",),
        success=text("Behind the gap a wall is as good, and it joins nothing."),
        hints=(
            text("Let North come through the gap, and then?"),
            text("e4h: North has to turn aside behind the gap."),
        ),
        wrong=("e5h", "c4"),
        only=_GREAT_WALL,
    ),
    Lesson(
        name="same-side",
        title=text("Out and back to one side"),
        words=text(
            "A line that begins and ends at the same side of the board is no Great Wall, and "
            "neither is a ring. So pawns at the edge can be trapped with few walls."
        ),
        task=text("Trap North's pawn on a5."),
        position="great-wall 9 2 e4,a5 a4h,a5h *,* 1",
        goal=shut_in,
        solution=("a5v",),
        success=text("Three walls and the edge: both ends are at the western side."),
        hints=(text("The edge is a wall already; one side is open."), text("a5v")),
        wrong=("b5v", "e5"),
        only=_GREAT_WALL,
    ),
    Lesson(
        name="four-players",
        title=text("Four at the board"),
        words=text(
            "Four can play: South, West, North and East, in this order. Everybody wants to reach "
            "the opposite side: West goes to the file i, East to the file a."
        ),
        task=text("You are West. Win."),
        position="quoridor 9 4 e7,h4,d3,c6 - 3,3,3,3 2",
        goal=wins(Reason.GOAL),
        solution=("i4",),
        success=text("The first one home wins; the others share the last place."),
        hints=(text("Your goal is on the right."), text("i4")),
        wrong=("h5", "g4"),
        only=_QUORIDOR,
    ),
    Lesson(
        name="three-players",
        title=text("Three at the board"),
        words=text(
            "Three or four can play as well. Three are South, West and North, in this order, and "
            "West goes to the file i."
        ),
        task=text("You are West. Win."),
        position="great-wall 9 3 e7,h5,d3 - *,*,* 2",
        goal=wins(Reason.GOAL),
        solution=("i5",),
        success=text("The first one home wins; the others share the last place."),
        hints=(text("Your goal is on the right."), text("i5")),
        wrong=("h6", "g5"),
        only=_GREAT_WALL,
    ),
)

LESSONS: Final = with_advice((*_LESSONS, *_ADVICE), QUOTES, MATCHES)
