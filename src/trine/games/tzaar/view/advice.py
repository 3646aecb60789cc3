"""The Russian document's advice about playing TZAAR well: quoted, and lessons in placing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from trine.core.contract.lesson import Match, Quote, Reached, all_of, lesson, quote
from trine.core.text.sentence import text
from trine.games.tzaar.board import LINES_FROM, SIDE
from trine.games.tzaar.diagrams import sketch
from trine.games.tzaar.rules import reached as reached_from


def _struck_from(reached: Reached) -> tuple[set[int], set[int], set[int]]:
    """Return what the piece just placed touches, and the own and enemy stacks that strike it."""
    tops, point = reached.position.tops, reached.actions[-1].point
    beside = {line[0] for line in LINES_FROM[point] if line}
    striking = set(reached_from(tops, point))
    own = {other for other in striking if SIDE[tops[other]] == reached.learner}
    return beside, own, striking - own


def _has_placed(reached: Reached) -> bool:
    return bool(reached.actions)


def _in_a_mass(reached: Reached) -> bool:
    """The piece just placed touches three own ones."""
    beside, own, _ = _struck_from(reached)
    return len(own & beside) >= 3


def _in_a_line(reached: Reached) -> bool:
    """The piece just placed is covered from both sides of a line, from afar."""
    beside, own, _ = _struck_from(reached)
    lines = LINES_FROM[reached.actions[-1].point]
    covered = [bool((own - beside).intersection(line)) for line in lines]
    return any(covered[way] and covered[way + 3] for way in range(3))


def _answered(reached: Reached) -> bool:
    """The piece just placed touches an enemy, and whatever takes it can be taken for it."""
    beside, own, enemies = _struck_from(reached)
    return bool(enemies & beside) and len(enemies) <= len(own)


_MASS: Final = text("placing in a mass only")
_LINES, _AMONG = text("placing in lines"), text("placing among the enemy's")
_LIGHTLY, _HEAVILY = text("weighed lightly"), text("weighed heavily")

LESSONS: Final = (
    lesson(
        name="mass",
        title="Placing in a mass",
        words="Where your pieces stand close together, each is covered by several others: what "
        "takes one of them is taken in return.",
        task="Place a Tott where it touches three pieces of yours.",
        position=sketch("Tc3 Tc4 Td3 te7 tf6 tg3", "white place"),
        goal=all_of(_has_placed, _in_a_mass),
        solution=("Td4",),
        success="Whoever takes it from afar loses the piece that has taken.",
        hints=("The point between c3, c4 and d3 is d4: Td4.",),
        wrong=("Te6", "Tb3"),
        quotes=(
            quote(
                "ru",
                "В оборонительном варианте фишки надо стараться ставить скопом, сплошным массивом.",
                "To defend, try to place your pieces all together, in one solid mass.",
            ),
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
        quotes=(
            quote(
                "ru",
                "Если свои фишки выставить на одной линии, то очевидно любой пункт этой линии "
                "будет бит своей фишкой, причем внутри линии, он будет бит с двух сторон.",
                "If your pieces stand on one line, every point of it is covered by a piece of "
                "yours, and inside the line from both sides.",
            ),
        ),
        matches=(
            Match("open", _LINES, _MASS, _LIGHTLY, 60, 50.0, 12.7),
            Match("open", _LINES, _MASS, _HEAVILY, 60, 58.3, 12.5),
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
        quotes=(
            quote(
                "ru",
                "Но в этом случае расстановка должна быть такой, чтобы взятие противником вашей "
                "фишки давало возможность взятия рядом фишки противника.",
                "But then the placing must be such that the capture of your piece lets you "
                "capture a piece of the opponent's beside it.",
            ),
        ),
        matches=(
            Match("open", _AMONG, _MASS, text("weighed lightly, with lines"), 200, 44.0, 6.9),
            Match("open", _AMONG, _MASS, text("weighed heavily, with lines"), 120, 38.3, 8.7),
            Match("open", _AMONG, _MASS, text("weighed heavily, without lines"), 60, 36.7, 12.2),
        ),
    ),
)

QUOTES: Final[Mapping[str, tuple[Quote, ...]]] = {
    "top": (
        quote(
            "ru",
            "Поэтому желательно столбики строить из фишек типа Тотт. Их больше всего, а если фишек "
            "некоторого типа мало, то их лучше ставить на вершину столбика.",
            "So stacks are best built of Totts. There are most of them; and a kind of which "
            "there are few is better put on top of a stack.",
        ),
        quote(
            "ru",
            "Отсюда следует, что фишки ЦААР более пригодны именно для вершины столбика.",
            "It follows that Tzaars belong on top of stacks.",
        ),
    ),
    "safe": (
        quote(
            "ru",
            "столбик – это конструкция с большим резервом защиты, нежели одиночная фишка или "
            "столбик меньшей высоты",
            "A stack can be defended better than a single piece, or a stack of less height.",
        ),
    ),
    "extinction": (
        quote(
            "ru",
            "критическое уменьшение фишек одного типа может привести к поражению",
            "To have too few of one kind can lose the game.",
        ),
    ),
    "no-capture": (
        quote(
            "ru",
            "Проиграть можно, потеряв возможность первого полухода, то есть хода со взятием.",
            "One can lose by having no first action any more, that is, no capture.",
        ),
        quote(
            "ru",
            "старайтесь выбирать такой ход при котором у вас будет результативных ходов больше "
            "нежели у противника",
            "Try to choose a turn after which you have more captures than the other side.",
        ),
    ),
}
"""The advice by the names of lessons."""
