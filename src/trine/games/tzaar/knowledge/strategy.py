"""The strategy that the Russian document teaches, as a player.

It keeps its own captures many and the other side's few, captures the kind that the other side
shows least, builds on its Totts with rarer kinds on top, and places its pieces in a mass. It looks
for a win or a loss within one turn, as a person would, since no count shows them. Below are the
placements of all other players, by another principle.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from trine.core.contract.position import History
from trine.core.text.sentence import text
from trine.games.tzaar.board import EMPTY, KINDS, LINES_FROM, PIECES, POINTS, SIDE
from trine.games.tzaar.position import Position
from trine.games.tzaar.rules import Action, Placement, reached
from trine.games.tzaar.view.insight import threats_of

KIND_VALUES: Final = dict(zip(KINDS, (1, 2, 3), strict=True))
"""The value of keeping a kind out of danger, by kind. Guess."""
LAST_STACK_VALUE: Final = 30.0
"""Units: captures; the value of the last stack of a kind; of two, each has half. Guess."""
GUARD_VALUE: Final = 1.0
"""Units: neighbours; the value of an own piece guarding a point from afar along a line. Guess."""
ANSWER_VALUE: Final = 0.05
"""Units: neighbours; the value of an enemy that could take a piece and be taken for it. Guess."""
SAFE_DANGER: Final = 2.0
"""Units: neighbours; rare kinds avoid points with more dangerous neighbours than this. Guess."""


def counter(position: Position, history: History, rng: Random) -> tuple[Action, ...]:
    """Play as the Russian document advises: count the captures of both sides, action by action.

    Returns: the turn of the player to move, or the rest of it.
    Source: Russian, "Старайтесь выбирать такой ход, который менее всего уменьшает количество ваших
        результативных полуходов в следующей позиции или … при котором у вас будет результативных
        ходов больше нежели у противника".
    """
    if position.in_setup:
        return (place(position, rng),)
    threats = threats_of(position, position.mover)
    for turn in (*threats.extinction.values(), threats.no_capture):
        if turn:
            return turn
    if position.turn_open:
        return (_second_action(position, rng),)
    first = _rank_actions(position, rng)[0]
    after = position.play_unchecked(first)
    if not after.turn_open or after.outcome():
        return (first,)
    return first, _second_action(after, rng)


def _second_action(position: Position, rng: Random) -> Action:
    """Return the best second action that denies the other side a win within a turn, if any does."""
    ranked = _rank_actions(position, rng)
    for action in ranked:
        after = position.play_unchecked(action)
        threats = threats_of(after, 1 - position.mover)
        if not after.outcome() and not threats.extinction and not threats.no_capture:
            return action
    return ranked[0]


def _rank_actions(position: Position, rng: Random) -> Sequence[Action]:
    """Return the legal actions, the best first, equal ones in random order."""
    actions = list(position.legal_actions())
    rng.shuffle(actions)
    value = {
        action: evaluate_board(position.play_unchecked(action), position.mover)
        for action in actions
    }
    return sorted(actions, key=lambda action: value[action], reverse=True)


def evaluate_board(position: Position, side: int) -> float:
    """Return the value of a position for a side, as the document counts.

    Units: captures.
    """
    if outcome := position.outcome():
        return LAST_STACK_VALUE**2 if outcome.winner == side else -(LAST_STACK_VALUE**2)
    return _count(position, side) - _count(position, 1 - side)


def _count(position: Position, side: int) -> float:
    """Return the count of a side: its captures, its built stacks, and the scarcity of its kinds.

    Source: Russian, "критическое уменьшение фишек одного типа может привести к поражению"; "если
        фишек некоторого типа мало, то их лучше ставить на вершину столбика".
    """
    captures = len(position.captures(side))
    scarcity = sum(LAST_STACK_VALUE / shown for shown in position.shown(side))
    built = sum(
        KIND_VALUES[top.upper()] * (height - 1)
        for top, height in zip(position.tops, position.heights, strict=True)
        if SIDE[top] == side
    )
    return captures + built - scarcity


def place(position: Position, rng: Random) -> Placement:
    """Place a piece by the document's three plans together, each weighted.

    In a mass: next to own pieces, rare kinds away from enemies and from where they can come. In
    lines: where own pieces strike from afar, best from both sides. Among the enemy's: where each
    enemy that could take the piece would be taken in return.

    Source: Russian, "фишки надо стараться ставить скопом, сплошным массивом"; "Если свои фишки
        выставить на одной линии, то … любой пункт этой линии будет бит своей фишкой"; "расставлять
        фишки вперемежку … чтобы взятие противником вашей фишки давало возможность взятия".
    """
    own = PIECES[position.mover]
    choices = []
    for point in POINTS:
        if position.tops[point] != EMPTY:
            continue
        around = [position.tops[line[0]] for line in LINES_FROM[point] if line]
        friends = sum(top in own for top in around)
        empty = around.count(EMPTY)
        danger = len(around) - friends - empty / 2
        striking = [position.tops[other] for other in reached(position.tops, point)]
        guards = sum(top in own for top in striking)
        attackers = len(striking) - guards
        plans = friends + GUARD_VALUE * (guards - friends) + ANSWER_VALUE * min(guards, attackers)
        for kind, count in zip(KINDS, position.hand(position.mover), strict=True):
            if count:
                value = plans + KIND_VALUES[kind] * (SAFE_DANGER - danger)
                choices.append((value, rng.random(), Placement(kind, point)))
    return max(choices, key=lambda choice: choice[:2])[-1]


NEIGHBOURS: Final = tuple(sum(map(bool, lines)) for lines in LINES_FROM)
"""The number of neighbours of each point: 3 in a corner, 4 on the edge, 5 at the hole, else 6."""
AVERAGE: Final = sum(NEIGHBOURS) / len(POINTS)
KIND_GAINS: Final[Mapping[str, float]] = {"T": -4.0, "Y": 2.0, "Z": 2.5}
"""Units: points for each neighbour of a piece of the kind. Origin: a regression of the results of
2,300 games of the search with itself on their random starting boards. In 336 games from boards
filled in this way, this placement gained 82 ± 19 Elo against a random one."""


def opening(position: Position, rng: Random) -> tuple[Action, ...]:
    """Return the best placement, a random one of equals; nothing once the board is full.

    It follows a principle, since a search can judge nothing yet: Totts go to points with few lines,
    in the corners and on the edge; Tzarras and Tzaars go inside, where they can move along many
    lines, capture, and climb onto other stacks.
    """
    if not position.in_setup:
        return ()
    choices = [
        (KIND_GAINS[kind] * (NEIGHBOURS[point] - AVERAGE), rng.random(), Placement(kind, point))
        for kind, count in zip(KINDS, position.hand(position.mover), strict=True)
        for point in POINTS
        if count and position.tops[point] == EMPTY
    ]
    return (max(choices, key=lambda choice: choice[:2])[-1],)


STRATEGISTS: Final = {"counter": counter}
ADVICE: Final = {
    "counter": text(
        "the Russian document: place in a mass, in lines and among enemies; count the captures"
    )
}
