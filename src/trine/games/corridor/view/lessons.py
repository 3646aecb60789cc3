"""The first lessons for a newcomer to Corridor or Quoridor, and the Russian document's advice."""

from __future__ import annotations

import math
from typing import Final

from trine.core.contract.lesson import (
    AdviceMatch,
    Goal,
    Reached,
    all_of,
    draws,
    lesson,
    russian,
    wins,
)
from trine.core.contract.outcome import Reason
from trine.core.text.sentence import text
from trine.core.text.typed import typed
from trine.games.corridor.board import square_name


def stands(*cells: str) -> Goal:
    def goal(reached: Reached) -> bool:
        pawn = reached.position.pawns[reached.learner]
        return square_name(reached.position.size, pawn) in cells

    return goal


def gained(reached: Reached, player: int) -> float:
    """Return how many steps longer a player's path is; NaN if there is no path."""
    after = reached.position.distance(player)
    return math.nan if after is None else after - reached.start.distance(player)


def nearer(reached: Reached) -> bool:
    return gained(reached, reached.learner) < 0


def no_farther(reached: Reached) -> bool:
    """Return whether the learner's path to the goal is no longer than before."""
    return gained(reached, reached.learner) <= 0


def lengthened(steps: int) -> Goal:
    """Return a goal: North's path is longer by at least ``steps``, but there is still one."""
    return lambda reached: gained(reached, 1) >= steps


def north_is_trapped(reached: Reached) -> bool:
    return reached.position.distance(1) is None


_BUILDER, _RUNNER = typed("wall-builder"), typed("pathfinder")
_GOER, _ALWAYS_BUILDER = text("one that always goes"), text("one that builds whenever it can")
_USUAL, _RANDOM = text("from the usual beginning"), text("from random beginnings")


_QUORIDOR: Final = ("quoridor",)
_CORRIDOR: Final = ("corridor", "corridor-8", "great-wall")
_FOR_TWO: Final = ("corridor", "corridor-8")
_GREAT_WALL: Final = ("great-wall",)

LESSONS: Final = (
    lesson(
        name="start",
        title="Choosing where to start",
        words="Before the first move, each player chooses a square of the own side to start on. "
        "From the middle you can turn to either side; in a corner you are half shut in.",
        task="You are South. Start in the middle of your side, on e1.",
        position="{rules} 9 2 ?,? - {all} 1",
        goal=stands("e1"),
        solution=("@e1",),
        success="Now North would choose a square of rank 9.",
        hints=("South's side is rank 1, at the bottom.",),
        wrong=("@a1", "@e9"),
        only=_CORRIDOR,
    ),
    lesson(
        name="step",
        title="A step",
        words="In each turn you either move your pawn or place a wall. The pawn moves one square "
        "up, down or sideways. Your goal is the opposite side of the board: for South, rank 9.",
        task="You are South. Take your pawn one step nearer to rank 9.",
        position="{rules} 9 2 e1,e9 - {hands} 1",
        goal=nearer,
        solution=("e2",),
        success="Seven steps more. North has eight, and is to move.",
        hints=("Straight up.", "Your pawn is on e1: move it to e2."),
        wrong=("d1", "e3"),
    ),
    lesson(
        name="goal",
        title="The goal",
        words="The first to reach the opposite side wins. Any square of it will do.",
        task="Win.",
        position="{rules} 9 2 e8,c3 - {hands} 1",
        goal=wins(Reason.GOAL),
        solution=("e9",),
        success="North was two steps short.",
        hints=("You need one step only.",),
        wrong=("d8", "c2h"),
    ),
    lesson(
        name="race",
        title="Counting the race",
        words="A game without walls is a race: count the steps of both sides, and remember who is "
        "to move. If you are ahead, run; if you are behind, you need walls.",
        task="You need two steps, North needs three. Win in two turns.",
        position="{rules} 9 2 c7,f4 - {hands} 1",
        goal=wins(Reason.GOAL),
        solution=("c8", "c9"),
        answers=("f3",),
        success="You were ahead, and a wall would only have cost you a turn.",
        hints=("No detours.",),
        wrong=("b7", "e3h"),
        quotes=russian(
            "если ваш кратчайший путь меньше, нежели путь противника, то не стоит строить стену, "
            "надо двигать фишку",
            "If your shortest way is shorter than the opponent's, build no wall: move your "
            "pawn along it.",
        ),
        matches=(
            AdviceMatch("corridor", _RUNNER, _ALWAYS_BUILDER, _RANDOM, 200, 58.2, 6.4),
            AdviceMatch("corridor-8", _RUNNER, _ALWAYS_BUILDER, _RANDOM, 200, 61.0, 6.6),
            AdviceMatch("great-wall", _RUNNER, _ALWAYS_BUILDER, _RANDOM, 200, 42.8, 3.3),
            AdviceMatch("quoridor", _RUNNER, _ALWAYS_BUILDER, _RANDOM, 200, 68.5, 6.2),
        ),
    ),
    lesson(
        name="jump",
        title="The jump",
        words="Two pawns never share a square. When the other pawn is right before yours, you may "
        "jump straight over it, and so gain a step.",
        task="Jump over North's pawn.",
        position="{rules} 9 2 e4,e5 - {hands} 1",
        goal=stands("e6"),
        solution=("e6",),
        success="Two squares in one turn. Think of that before you step in front of a pawn.",
        hints=("You land right behind North's pawn.",),
        wrong=("e5", "d5", "d4"),
    ),
    lesson(
        name="jump-aside",
        title="Jumping aside",
        words="Where a wall stands behind the other pawn, the straight jump is shut. Then you may "
        "jump to the square on either side of that pawn instead.",
        task="Get past North's pawn with one jump.",
        position="quoridor 9 2 e4,e5 e5h 10,9 1",
        goal=stands("d5", "f5"),
        solution=("d5",),
        success="Only a wall, the edge or a third pawn turns the jump aside.",
        hints=("Straight on there is a wall. Left or right of North's pawn there is none.",),
        wrong=("e6", "d4"),
        only=_QUORIDOR,
    ),
    lesson(
        name="jump-at-edge",
        title="Jumping at the edge",
        words="The edge of the board behind the other pawn turns a jump aside as a wall does. So "
        "nobody can keep you out by standing still on the last rank.",
        task="North's pawn stands in your way. Win in one turn.",
        position="quoridor 9 2 e8,e9 - 10,10 1",
        goal=wins(Reason.GOAL),
        solution=("d9",),
        success="The squares beside North's pawn belong to your goal, too.",
        hints=("Behind e9 the board ends.",),
        wrong=("e9", "d8"),
        only=_QUORIDOR,
    ),
    lesson(
        name="no-jump-aside",
        title="Straight or not at all",
        words="In this rule set a jump only leads straight on. Where a wall stands behind the "
        "other pawn, there is no jump, and you walk around.",
        task="Bring your pawn beside North's, to d5 or f5, in two turns.",
        position="{rules} 9 2 e4,e5 e5h {hands} 1",
        goal=stands("d5", "f5"),
        solution=("d4", "d5"),
        answers=("a1h",),
        success="It took two turns: keep a wall behind your pawn, and others must walk.",
        hints=("First to the side, then up.",),
        wrong=("e6", "d5"),
        only=_CORRIDOR,
    ),
    lesson(
        name="wall",
        title="A wall",
        words="Instead of moving you may place a wall between squares. No pawn goes through a "
        "wall, and it stays until the end of the game. A good wall stands right before the "
        "other pawn.",
        task="Make North's way to rank 1 longer.",
        position="{rules} 9 2 e3,e8 - {hands} 1",
        goal=lengthened(1),
        solution=("e7h",),
        success="North has to go around.",
        hints=(
            "North wants to go from e8 to e7. Put a wall in between.",
            "e7h is the wall north of e7.",
        ),
        wrong=("e4", "a1h", "e7v"),
    ),
    lesson(
        name="own-way",
        title="Mind your own way",
        words="A wall is in your way as well. Before you place one, look at both ways: the best "
        "walls cost the other side steps, and you none.",
        task="Make North's way longer, but not your own.",
        position="{rules} 9 2 d5,e7 - {hands} 1",
        goal=all_of(lengthened(1), no_farther),
        solution=("e6h",),
        success="North has to go around, and you do not.",
        hints=("The wall belongs right before North's pawn, and must not lie across your file.",),
        wrong=("d6h", "d6"),
    ),
    lesson(
        name="no-crossing",
        title="Where walls fit",
        words="A wall is two squares long and stands between four. Walls neither overlap nor "
        "cross, but they may touch. There are two walls that shut "
        "the way before a pawn, one reaching to each side.",
        task="Make North's way at least two steps longer. A wall stands already.",
        position="quoridor 9 2 e3,e6 e5v 10,9 1",
        goal=lengthened(2),
        solution=("d5h",),
        success="Together the two walls make a corner.",
        hints=(
            "A wall before North's pawn to the east would cross the one that stands. Shift it.",
            "d5h shuts the way down from d6 and from e6.",
        ),
        wrong=("e5h", "e4"),
        only=_QUORIDOR,
    ),
    lesson(
        name="lane",
        title="A dead end",
        words="The worst place for a pawn is between two walls. A pawn in such a lane must go all "
        "the way back if its end is shut.",
        task="Make North's way at least three steps longer, with one wall.",
        position="quoridor 9 2 e3,e7 d6v,e6v 9,9 1",
        goal=lengthened(3),
        solution=("e5h",),
        success="Back, around, and down again: that was a wall well spent.",
        hints=("Where does the lane end?", "e5h shuts the lower end of the lane, and so does d5h."),
        wrong=("e7h", "e6h", "e4"),
        only=_QUORIDOR,
    ),
    lesson(
        name="open-way",
        title="A way must stay open",
        words="No wall may shut a pawn off: every pawn must keep at least one way to its goal, "
        "however long it is. Other pawns on the way do not count.",
        task="Make North's way at least two steps longer, and leave it one.",
        position="quoridor 9 2 e3,a8 a7h,c7h,e7h 9,8 1",
        goal=lengthened(2),
        solution=("g7h",),
        success="There is one gap left, at the far end. That is enough for the rule.",
        hints=(
            "The row of walls has a gap of three squares. Leave one of them.",
            "g7h leaves only the gap on i.",
        ),
        wrong=("f8v", "e4"),
        only=_QUORIDOR,
    ),
    lesson(
        name="shut-in",
        title="Shutting in",
        words="In this rule set walls may shut a pawn off from its goal. A pawn without a way is "
        "trapped: it can no longer win, but its player goes on placing walls.",
        task="Trap North's pawn.",
        position="{rules} 9 2 c3,e5 d5v,e4h,e5v {hands} 1",
        goal=north_is_trapped,
        solution=("e5h",),
        success="Now only you can win. North will try to trap you in turn.",
        hints=("North's square is open on one side only.", "e5h is the wall north of e5."),
        wrong=("e6h", "c4"),
        only=_CORRIDOR,
        quotes=russian(
            "Фишку противника можно поймать в замкнутое пространство.",
            "The opponent's pawn can be caught in a closed space.",
        ),
    ),
    lesson(
        name="drawn",
        title="All trapped: a draw",
        words="If every pawn is trapped, nobody can reach a goal any more, and the game is a draw. "
        "For whoever is trapped, that is worth fighting for.",
        task="Your pawn on c3 is trapped, and North's will be soon. Save the draw.",
        position="{rules} 9 2 c3,e6 b3v,c2h,c3h,c3v,d6v,e5h,e6v {hands} 1",
        goal=draws(Reason.TRAPPED),
        solution=("e6h",),
        success="Nobody can win any more: a draw.",
        hints=("Where can North's pawn still get out?",),
        wrong=("e7h", "f6h"),
        only=_CORRIDOR,
        quotes=russian(
            "Ничья фиксируется только в том случае, если фишки обоих противников оказываются "
            "пойманными.",
            "A draw is fixed only if the pawns of both opponents are caught.",
        ),
    ),
    lesson(
        name="across",
        title="Across the board",
        words="A wall from one side of the board to the other shuts off whoever is on the wrong "
        "side of it. In this rule set that is allowed.",
        task="You are past the line of walls, and North is not. Close it.",
        position="{rules} 9 2 d6,f7 a4h,b4h,c4h,d4h,f4h,g4h,h4h,i4h {hands} 1",
        goal=all_of(north_is_trapped, no_farther),
        solution=("e4h",),
        success="North cannot come down any more. You walk home.",
        hints=("The line lies north of rank 4. Find its gap.",),
        wrong=("d7", "e5h"),
        only=_FOR_TWO,
        quotes=russian(
            "Можно попытаться построить стену за своей спиной. И если противник не успеет "
            "построить такую же стену, то это будет означать для него поражение.",
            "One can try to build a wall behind one's back. If the opponent has no time to "
            "build such a wall, it means defeat.",
        ),
        matches=(
            AdviceMatch("corridor", _BUILDER, _RUNNER, _USUAL, 200, 65.0, 5.2),
            AdviceMatch("corridor", _BUILDER, _RUNNER, _RANDOM, 200, 50.5, 4.7),
            AdviceMatch("corridor-8", _BUILDER, _RUNNER, _USUAL, 200, 50.0, 6.6),
            AdviceMatch("corridor-8", _BUILDER, _RUNNER, _RANDOM, 200, 45.5, 4.7),
        ),
    ),
    lesson(
        name="great-wall",
        title="No Great Wall",
        words="Here you have as many walls as you like. But no wall may complete a line that joins "
        "two different sides of the board: that would be a Great Wall.",
        task="Make North's way longer. The gap at e5 must not be closed!",
        position="great-wall 9 2 c3,e6 a5h,b5h,c5h,d5h,f5h,g5h,h5h,i5h *,* 1",
        goal=lengthened(1),
        solution=("e4h",),
        success="Behind the gap a wall is as good, and it joins nothing.",
        hints=(
            "Let North come through the gap, and then?",
            "e4h: North has to turn aside behind the gap.",
        ),
        wrong=("e5h", "c4"),
        only=_GREAT_WALL,
    ),
    lesson(
        name="great-wall-corner",
        title="A wall around a corner",
        words="A line from one side to the next one is a Great Wall too, even if it only cuts off "
        "a corner.",
        task="Make North's way longer. The gap at b1 must not be closed!",
        position="great-wall 9 2 e3,a4 a3h,b3h,b2v,b3v *,* 1",
        goal=lengthened(1),
        solution=("c3h",),
        success="The line from West goes on, and touches no other side.",
        hints=("North goes along the line and around its end.", "c3h makes the line longer."),
        wrong=("b1v", "e4"),
        only=_GREAT_WALL,
    ),
    lesson(
        name="same-side",
        title="Out and back to one side",
        words="A line that begins and ends at the same side of the board is no Great Wall, and "
        "neither is a ring. So pawns at the edge can be trapped with few walls.",
        task="Trap North's pawn on a5.",
        position="great-wall 9 2 e4,a5 a4h,a5h *,* 1",
        goal=north_is_trapped,
        solution=("a5v",),
        success="Three walls and the edge: both ends are at the western side.",
        hints=("The edge is a wall already; one side is open.",),
        wrong=("b5v", "e5"),
        only=_GREAT_WALL,
    ),
    lesson(
        name="four-players",
        title="Four at the board",
        words="Four can play: South, West, North and East, in this order. Everybody wants to reach "
        "the opposite side: West goes to the file i, East to the file a.",
        task="You are West. Win.",
        position="quoridor 9 4 e7,h4,d3,c6 - 3,3,3,3 2",
        goal=wins(Reason.GOAL),
        solution=("i4",),
        success="The first one home wins; the others share the last place.",
        hints=("Your goal is on the right.",),
        wrong=("h5", "g4"),
        only=_QUORIDOR,
    ),
    lesson(
        name="three-players",
        title="Three at the board",
        words="Three or four can play as well. Three are South, West and North, in this order, and "
        "West goes to the file i.",
        task="You are West. Win.",
        position="great-wall 9 3 e7,h5,d3 - *,*,* 2",
        goal=wins(Reason.GOAL),
        solution=("i5",),
        success="The first one home wins; the others share the last place.",
        hints=("Your goal is on the right.",),
        wrong=("h6", "g5"),
        only=_GREAT_WALL,
    ),
    lesson(
        name="behind",
        title="Behind in the race",
        words="If the other side's way is the shorter one, running loses. A wall that closes a "
        "line of walls makes the longest detour.",
        task="You need three steps, North needs two. Make North's way two steps longer.",
        position="{rules} 9 2 e6,d3 c2h,e2h {hands} 1",
        goal=all_of(lengthened(2), no_farther),
        solution=("d2h",),
        success="North has to go around three walls, and you are first now.",
        hints=("The gap is in front of North's pawn: d2h.",),
        wrong=("e7", "d3h"),
        only=("corridor", "corridor-8", "great-wall"),
        quotes=russian(
            "Если же ваш кратчайший длиннее кратчайшего противника, то нужно строить стену, "
            "удлиняющую кратчайший путь противника.",
            "But if your shortest way is longer than the opponent's, you must build a wall "
            "that makes the opponent's shortest way longer.",
        ),
        matches=(
            AdviceMatch("corridor", _RUNNER, _GOER, _RANDOM, 200, 92.5, 3.5),
            AdviceMatch("corridor-8", _RUNNER, _GOER, _RANDOM, 200, 85.5, 5.1),
            AdviceMatch("great-wall", _RUNNER, _GOER, _RANDOM, 200, 100.0, 0.0),
        ),
    ),
)
