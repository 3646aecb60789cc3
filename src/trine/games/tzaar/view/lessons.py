"""The first lessons for a newcomer to TZAAR, one idea each, and the advice of a document."""

from __future__ import annotations

from typing import Final

from trine.core.contract.lesson import (
    AdviceMatch,
    Goal,
    Reached,
    all_of,
    knowing,
    lesson,
    russian,
    wins,
)
from trine.core.contract.outcome import Reason
from trine.core.text.sentence import text
from trine.games.tzaar.board import LINES_FROM, POINT_OF, SIDE
from trine.games.tzaar.diagrams import format_position, sketch
from trine.games.tzaar.position import Position
from trine.games.tzaar.rules import PASS, RULE_SETS, captures_of
from trine.games.tzaar.rules import reached as reached_from
from trine.games.tzaar.starts import FIXED_START

# --- goals where pieces are placed ----------------------------------------------------------------


def _struck_from(reached: Reached) -> tuple[set[int], set[int], set[int]]:
    """Return the neighbours of the piece just placed, and the own and enemy stacks in its lines."""
    tops, point = reached.position.tops, reached.actions[-1].point
    beside = {line[0] for line in LINES_FROM[point] if line}
    striking = set(reached_from(tops, point))
    own = {other for other in striking if SIDE[tops[other]] == reached.learner}
    return beside, own, striking - own


def _has_placed(reached: Reached) -> bool:
    return bool(reached.actions)


def _in_a_mass(reached: Reached) -> bool:
    """The piece just placed touches at least three own pieces."""
    beside, own, _ = _struck_from(reached)
    return len(own & beside) >= 3


def _in_a_line(reached: Reached) -> bool:
    """The piece just placed is guarded from both sides of a line, from afar."""
    beside, own, _ = _struck_from(reached)
    lines = LINES_FROM[reached.actions[-1].point]
    covered = [bool((own - beside).intersection(line)) for line in lines]
    return any(covered[way] and covered[way + 3] for way in range(3))


def _answered(reached: Reached) -> bool:
    """The piece just placed touches an enemy, and each stack that can take it can be retaken."""
    beside, own, enemies = _struck_from(reached)
    return bool(enemies & beside) and len(enemies) <= len(own)


_MASS: Final = text("placing in a mass only")
_LINES, _AMONG = text("placing in lines"), text("placing among the enemy's")
_LIGHTLY, _HEAVILY = text("weighed lightly"), text("weighed heavily")


# --- goals of the first lessons -------------------------------------------------------------------


def _takes(*cells: str) -> Goal:
    """The learner's stacks are where these enemy stacks were."""

    def goal(reached: Reached) -> bool:
        tops = reached.position.tops
        return all(SIDE[tops[POINT_OF[cell]]] == reached.learner for cell in cells)

    return goal


def _captured(count: int) -> Goal:
    def goal(reached: Reached) -> bool:
        before, after = (
            sum(SIDE[top] == 1 - reached.learner for top in tops)
            for tops in (reached.start.tops, reached.position.tops)
        )
        return before - after == count

    return goal


def _height(least: int) -> Goal:
    """The learner has a stack at least this high."""

    def goal(reached: Reached) -> bool:
        stacks = zip(reached.position.tops, reached.position.heights, strict=True)
        return any(SIDE[top] == reached.learner and height >= least for top, height in stacks)

    return goal


def _not_lost(reached: Reached) -> bool:
    return reached.outcome is None or reached.outcome.winner == reached.learner


def _passed(reached: Reached) -> bool:
    """The learner's last turn was a capture and a pass."""
    return bool(reached.actions[-1] == PASS)


def _safe(piece: str) -> Goal:
    """No stack of a kind can be captured with one action."""

    def goal(reached: Reached) -> bool:
        tops, heights = reached.position.tops, reached.position.heights
        captures = captures_of(tops, heights, 1 - reached.learner)
        return all(tops[capture.target] != piece for capture in captures)

    return goal


LESSONS: Final = (
    lesson(
        name="lines",
        title="Along the lines",
        words="A piece moves along a line, over any number of empty points, and captures the enemy "
        "piece that it meets. It never moves to an empty point. Every turn begins with a "
        "capture; after it you may pass.",
        task="Capture the black Tott on d4, then pass.",
        position=sketch("Ta1 td4 tb3 te1 Yh5 Zg7 yc7 zi1", "white 1"),
        goal=_takes("d4"),
        solution=("a1xd4 -",),
        success="Two empty points lay between; that is no matter.",
        hints=("Follow the line that leads up and to the right from a1.",),
        wrong=("a1xb3", "a1xc3", "a1xe1 -"),
    ),
    lesson(
        name="two-captures",
        title="Two actions",
        words="A turn has two actions. The first must be a capture; the second may be another one, "
        "with the same piece or with another.",
        task="Capture two black pieces in one turn.",
        position=sketch("Ta1 td4 th1 Yg7 Zh6 yc7 zi2", "white 1"),
        goal=_captured(2),
        solution=("a1xd4 d4xh1",),
        success="Black lost two pieces at once.",
        hints=("What can the Tott capture from the point where it has captured?",),
        wrong=("a1xd4 -", "a1xd4 h6+g7"),
    ),
    lesson(
        name="height",
        title="Height decides",
        words="Pieces can lie on one another: a stack. A stack captures stacks of its own height "
        "and lower ones, never a higher one. Which kind lies on top makes no difference.",
        task="Capture the black stack of two on d4, then pass.",
        position=sketch("Ta1 T2d1 t2d4 Yh6 Zg7 yb5 zi1 ti3", "white 1"),
        goal=_takes("d4"),
        solution=("d1xd4 -",),
        success="Two against two: the captured stack leaves the board whole.",
        hints=(
            "The single Tott on a1 is too low. Which of your stacks is as high as the black one?",
        ),
        wrong=("a1xd4",),
    ),
    lesson(
        name="stack",
        title="Stacking",
        words="As a second action you may put one of your stacks onto another one of yours, along "
        "a free line. You then have one stack less, but a higher one.",
        task="Capture something, then make a stack of two.",
        position=sketch("Ta1 Td3 td4 Th1 Yh6 Zg7 yc7 zi1 tb6", "white 1"),
        goal=all_of(_height(2), _not_lost),
        solution=("a1xd4 d3+d4",),
        success="Only stacks of two or more can capture it now.",
        hints=("After a capture on d4 your two Totts stand side by side.",),
        wrong=("d3+h1", "a1xd4 -"),
    ),
    lesson(
        name="tower",
        title="Heights add up",
        words="A stack moves whole. When it goes onto another stack of yours, the heights add up: "
        "two and two are four, and hardly anything can capture that.",
        task="Capture something, then make a stack of four.",
        position=sketch("Tc1 tc4 T2g2 T2g5 Ya4 Zd8 yi1 zb6 ti3", "white 1"),
        goal=all_of(_height(4), _not_lost),
        solution=("c1xc4 g2+g5",),
        success="A tower of four. It can still be captured, but only by one as high.",
        hints=("You have two stacks of two, on one line.",),
        wrong=("g2+g5", "c1xc4 c4+a4"),
    ),
    lesson(
        name="hole",
        title="The hole in the middle",
        words="The centre of the board is missing, and the three lines through it end there. A "
        "piece can neither stop on the hole nor go over it.",
        task="Capture the black Tott on e8, then pass.",
        position=sketch("Te2 te8 Ya4 Zi5 yc1 zg1 tb6 tf1", "white 1"),
        goal=_takes("e8"),
        solution=("a4xe8 -",),
        success="That line passes the hole by.",
        hints=("The Tott on e2 looks at it across the hole. What else looks at e8?",),
        wrong=("e2xe8", "e2xf1 -"),
    ),
    lesson(
        name="extinction",
        title="The last of a kind",
        words="You have Totts, Tzarras and Tzaars, and you need all three. A player who shows none "
        "of one kind has lost at once. There are six Tzaars, nine Tzarras and fifteen Totts: "
        "the Tzaars go first.",
        task="Black has one Tzaar left. Win.",
        position=sketch("Tb1 zb6 td1 Yh6 Zh3 tg2 td8 yc7", "white 1"),
        goal=wins(Reason.EXTINCTION),
        solution=("b1xb6",),
        success="The turn was not even over: it ends the game at once.",
        hints=("Find the black Tzaar, the last of its kind, and what looks at it along a line.",),
        wrong=("b1xd1 -",),
        quotes=russian(
            "критическое уменьшение фишек одного типа может привести к поражению",
            "To have too few of one kind can lose the game.",
        ),
    ),
    lesson(
        name="extinction-in-two",
        title="Two at once",
        words="A turn has two captures, so two pieces of a kind are not many. Count what each side "
        "shows, yours too, before every turn.",
        task="Black has two Tzaars left. Win in this turn.",
        position=sketch("Tb1 zb5 Yh4 zh1 Zg7 tc6 ye3", "white 1"),
        goal=wins(Reason.EXTINCTION),
        solution=("b1xb5 h4xh1",),
        success="Two of a kind are in danger together: make them safe in time.",
        hints=("Each of the two Tzaars stands on a line with one of your pieces.",),
        wrong=("b1xb5 -",),
    ),
    lesson(
        name="top",
        title="Only the top counts",
        words="A stack counts as the piece on its top; what lies under it counts for nothing. So "
        "you can lose by your own stacking, when you cover your last piece of a kind.",
        task="Capture something, then make a stack of two, without losing the game by it.",
        position=sketch("Tc1 Zc3 Te2 tf1 Yh4 tf6 ya5 zi1 tb6", "white 1"),
        goal=all_of(_height(2), _not_lost),
        solution=("h4xf6 c3+c1",),
        success="The Tzaar went on top, and stays in sight.",
        hints=("You show one Tzaar. It may lie on something, but nothing on it.",),
        wrong=("h4xf6 c1+c3", "h4xf6 -"),
        quotes=russian(
            "Поэтому желательно столбики строить из фишек типа Тотт. Их больше всего, а если фишек "
            "некоторого типа мало, то их лучше ставить на вершину столбика.",
            "So stacks are best built of Totts. There are most of them; and a kind of which "
            "there are few is better put on top of a stack.",
            "Отсюда следует, что фишки ЦААР более пригодны именно для вершины столбика.",
            "It follows that Tzaars belong on top of stacks.",
        ),
        matches=knowing("open", 400, 74.5, 4.5),
    ),
    lesson(
        name="safe",
        title="Out of reach",
        words="The best use of a stacking is to make safe what you cannot do without. Black's "
        "pieces are all single here, so that a stack of two is out of their reach.",
        task="You have one Tzaar left, and Black looks at it. After your turn Black must not be "
        "able to capture it.",
        position=sketch("Zc3 tc7 ta5 yg1 Tc1 Te6 Ti1 Yd8 ze3 th5", "white 1"),
        goal=all_of(_safe("Z"), _not_lost),
        solution=("d8xh5 c3+c1",),
        success="A Tzaar on a stack of two, against single pieces: nothing can happen to it.",
        hints=("Capture with another piece; the Tzaar itself stacks.",),
        wrong=("c3xc7 -", "c3xe3 -", "d8xc7 -"),
        quotes=russian(
            "столбик – это конструкция с большим резервом защиты, нежели одиночная фишка или "
            "столбик меньшей высоты",
            "A stack can be defended better than a single piece, or a stack of less height.",
        ),
        matches=knowing("open", 400, 51.2, 4.7),
    ),
    lesson(
        name="pass",
        title="Passing",
        words="The second action is never a must. When every one of them would harm you, pass.",
        task="Capture the Tott on d4, and end your turn without harm.",
        position=sketch("Ta1 td4 Yh6 Zg7 yc7 zi1 tb6", "white 1"),
        goal=all_of(_takes("d4"), _passed, _not_lost),
        solution=("a1xd4 -",),
        success="Either stacking would have covered the last piece of a kind.",
        hints=("What would a stacking cover?",),
        wrong=("a1xd4 g7+h6", "a1xd4 h6+g7"),
    ),
    lesson(
        name="no-capture",
        title="Nothing to capture",
        words="A player who cannot capture with the first action of a turn has lost. High stacks "
        "win in this way: they leave nothing that is low enough.",
        task="Win: leave Black nothing to capture.",
        position=sketch("T2a1 td4 Tb1 Y2b4 Z3g7 tc3 zf8 ti4 ye9", "white 1"),
        goal=wins(Reason.NO_CAPTURE),
        solution=("a1xc3 b4+b1",),
        success="All that Black has is single, and nothing of yours is.",
        hints=(
            "Only one of your pieces is single. What can lie on it?",
            "a1xc3 b4+b1: the Tzarra on top, since it is your last one.",
        ),
        wrong=("a1xc3 -", "a1xc3 b1+b4"),
        quotes=russian(
            "Проиграть можно, потеряв возможность первого полухода, то есть хода со взятием.",
            "One can lose by having no first action any more, that is, no capture.",
            "старайтесь выбирать такой ход при котором у вас будет результативных ходов больше "
            "нежели у противника",
            "Try to choose a turn after which you have more captures than the other side.",
        ),
        matches=knowing("open", 400, 69.8, 4.4),
    ),
    lesson(
        name="first-turn",
        title="The very first turn",
        words="All sixty pieces are on the board when a game begins. To make up for the first "
        "move, White's very first turn is one capture only.",
        task="Make the first turn: capture one of Black's Tzaars.",
        position=format_position(Position.filled(RULE_SETS["official"], FIXED_START)),
        goal=lambda reached: reached.position.tops.count("z") < reached.start.tops.count("z"),
        solution=("d3xc3",),
        success="Now it is Black's turn, with two actions.",
        hints=("Black's Tzaars are the small z. Look for one beside a piece of yours.",),
        wrong=("d3xd4", "-"),
        only=("official",),
    ),
    lesson(
        name="mass",
        title="Placing in a mass",
        words="Where your pieces stand close together, each is covered by several others: what "
        "takes one of them is taken in return.",
        task="Place a Tott where it touches three pieces of yours.",
        position=sketch("Tc3 Tc4 Td3 te7 tf6 tg3", "white place"),
        goal=all_of(_has_placed, _in_a_mass),
        solution=("Td4",),
        success="A piece that takes it from afar is taken in turn.",
        hints=("The point between c3, c4 and d3 is d4: Td4.",),
        wrong=("Te6", "Tb3"),
        quotes=russian(
            "В оборонительном варианте фишки надо стараться ставить скопом, сплошным массивом.",
            "To defend, try to place your pieces all together, in one solid mass.",
        ),
    ),
    lesson(
        name="in-line",
        title="Placing in lines",
        words="A piece strikes along a line, however far. Pieces on one line cover every point "
        "between them, and from both sides.",
        task="Place a Tott where two of your pieces cover it from afar, from both sides.",
        position=sketch("Ta3 Tf2 Th6 tc6 te7 tg5", "white place"),
        goal=all_of(_has_placed, _in_a_line),
        solution=("Tc3",),
        success="a3 covers it from one side, f2 from the other.",
        hints=("The line from a3 to f2 goes over b3, c3, d3 and e3; try Tc3.",),
        wrong=("Tb3", "Te6"),
        quotes=russian(
            "Если свои фишки выставить на одной линии, то очевидно любой пункт этой линии "
            "будет бит своей фишкой, причем внутри линии, он будет бит с двух сторон.",
            "If your pieces stand on one line, every point of it is covered by a piece of "
            "yours, and inside the line from both sides.",
        ),
        matches=(
            AdviceMatch("open", _LINES, _MASS, _LIGHTLY, 60, 50.0, 12.7),
            AdviceMatch("open", _LINES, _MASS, _HEAVILY, 60, 58.3, 12.5),
        ),
    ),
    lesson(
        name="among",
        title="Placing among the enemy's",
        words="To attack, place pieces among the other side's. It is sound only where whatever "
        "takes your piece leaves its own side's cover, and is taken in return.",
        task="Place a Tott beside d4 so that you can take back whatever takes it.",
        position=sketch("Ta3 Tf2 Th6 td4 td6 tg5", "white place"),
        goal=all_of(_has_placed, _answered),
        solution=("Td3",),
        success="d4 may take it, and leaves d6; then a3 or f2 takes back.",
        hints=("The line from a3 to f2 passes below d4: Td3.",),
        wrong=("Td5", "Tg4"),
        quotes=russian(
            "Но в этом случае расстановка должна быть такой, чтобы взятие противником вашей "
            "фишки давало возможность взятия рядом фишки противника.",
            "But then the placing must be such that the capture of your piece lets you "
            "capture a piece of the opponent's beside it.",
        ),
        matches=(
            AdviceMatch("open", _AMONG, _MASS, text("weighed lightly, with lines"), 200, 44.0, 6.9),
            AdviceMatch("open", _AMONG, _MASS, text("weighed heavily, with lines"), 120, 38.3, 8.7),
            AdviceMatch(
                "open", _AMONG, _MASS, text("weighed heavily, without lines"), 60, 36.7, 12.2
            ),
        ),
    ),
)
