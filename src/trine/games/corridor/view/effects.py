"""The consequences of a turn: effects in words, themes of puzzles, goals of lessons, events.

Effects explain a recommendation; first games show a sentence when something happens.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final

from trine.core.contract.insight import Effect, Theme
from trine.core.contract.lesson import GoalWord, Pieces, Reached, goals_of_pieces
from trine.core.text.sentence import ctext, join, ntext, text, verbatim
from trine.games.corridor.board import LEFT, NORTH, SIDES_OF, SOUTH, square_name
from trine.games.corridor.position import Position
from trine.games.corridor.rules import Action, Move, Wall
from trine.games.corridor.view.insight import is_jump

ASPECT: Final = "way"  # the aspect of the evaluation that the effects on races belong to
MIN_COST_CHANGE: Final = 2  # steps; the least change of a wall's cost that is mentioned. Guess
TRAPPING_COST: Final = math.inf  # in place of steps: the cost of a wall that traps


def effects(position: Position, actions: Sequence[Action]) -> list[Effect]:
    """Return the effects of a turn.

    >>> from trine.games.corridor.rules import RULE_SETS
    >>> start = Position.first(RULE_SETS["quoridor"])
    >>> [str(effect.text) for effect in effects(start, [Wall(4, 7, "h")])]
    ["makes North's shortest way 1 step longer", "makes South's own way 1 step longer"]
    """
    if position.in_setup or not actions:
        return []
    (action,) = actions
    after = position.play_unchecked(action)
    found = list(_longer(position, after))
    if isinstance(action, Move) and is_jump(position, action):
        found += _jump(position, after)
    found += [*_met(position, after), *_made(position, after)]
    return found or [_race(after)]


def _longer(before: Position, after: Position) -> Iterator[Effect]:
    """Yield an effect for each player whose path is longer after the turn, the mover last."""
    then, now = before.distances(), after.distances()
    for player in sorted(before.playing, key=lambda player: player == before.mover):
        old, new, name = then[player], now[player], before.seats[player].name
        if old is None or (new is not None and new <= old):
            continue
        if new is None:
            words = text("leaves {player} no way to the goal", player=name)
        elif player == before.mover:
            words = ntext(
                "makes {player}'s own way {count} step longer",
                "makes {player}'s own way {count} steps longer",
                new - old,
                player=name,
            )
        else:
            words = ntext(
                "makes {player}'s shortest way {count} step longer",
                "makes {player}'s shortest way {count} steps longer",
                new - old,
                player=name,
            )
        yield Effect(ASPECT, words)


def _jump(before: Position, after: Position) -> Iterator[Effect]:
    player = before.mover
    old, new = before.distance(player), after.distance(player)
    if old is not None and new is not None and old - new > 1:
        words = ntext(
            "jumps {count} step nearer to the goal",
            "jumps {count} steps nearer to the goal",
            old - new,
        )
        yield Effect(ASPECT, words)


def _race(after: Position) -> Effect:
    races = [
        join([after.seats[player].name, verbatim("–" if steps is None else str(steps))], " ")
        for player, steps in enumerate(after.distances())
        if after.pawns[player] != LEFT
    ]
    return Effect(ASPECT, text("steps to the goal then: {ways}", ways=join(races)))


def max_wall_cost(position: Position, builders: Sequence[int], player: int) -> float:
    """Return the most steps that one wall can add to a player's path; infinity if it can trap.

    ``builders`` are the players who can place the wall, as if it were their turn.
    """
    path = position.path(player)
    armed = [builder for builder in builders if position.hands[builder] != 0]
    if path is None or not armed:
        return 0
    most = 0.0
    for wall in replace(position, mover=armed[0]).legal_walls():
        after = position.play_unchecked(wall)
        if not any(after.is_blocked(*step) for step in pairwise(path)):
            continue  # the path stays open
        steps = after.distance(player)
        most = max(most, TRAPPING_COST if steps is None else steps - (len(path) - 1))
    return most


def _met(before: Position, after: Position) -> Iterator[Effect]:
    """Yield the effect that a wall of another player can now cost the mover less than before."""
    player, name = before.mover, before.seats[before.mover].name
    far, others = after.distance(player), [other for other in before.playing if other != player]
    then, now = (max_wall_cost(position, others, player) for position in (before, after))
    if far is None or far > (before.distance(player) or 0):
        return  # the mover's path is longer already
    if then == TRAPPING_COST != now:
        yield Effect("trap", text("one wall cannot trap {player} any more", player=name))
    elif then != TRAPPING_COST and then - now >= MIN_COST_CHANGE:
        words = ntext(
            "one wall can then cost {player} {count} step at most, instead of {before}",
            "one wall can then cost {player} {count} steps at most, instead of {before}",
            int(now),
            player=name,
            before=int(then),
        )
        yield Effect(ASPECT, words)


def _made(before: Position, after: Position) -> Iterator[Effect]:
    """Yield an effect for each other player whom one more wall of the mover could now cost more."""
    builder = before.mover
    for player in before.playing:
        if player == builder:
            continue
        then, now = (max_wall_cost(position, [builder], player) for position in (before, after))
        name = before.seats[player].name
        if now == TRAPPING_COST != then:
            yield Effect("trap", text("then one wall more could trap {player}", player=name))
        elif now - then >= MIN_COST_CHANGE and now != TRAPPING_COST:
            words = ntext(
                "then one wall more could make {player}'s way {count} step longer",
                "then one wall more could make {player}'s way {count} steps longer",
                int(now),
                player=name,
            )
            yield Effect(ASPECT, words)


# --- the themes of puzzles -----------------------------------------------------------------------

MIN_DETOUR: Final = 3  # steps; the least delay by a wall that counts as a long way round. Guess
MAX_ROWS_BEHIND: Final = 2
"""Units: ranks; the greatest distance of a wall that counts as behind a pawn. Guess."""


def _jumps(before: Position, actions: Sequence[Action]) -> bool:
    (action,) = actions
    return isinstance(action, Move) and is_jump(before, action)


def _behind(before: Position, actions: Sequence[Action]) -> bool:
    """Return whether the turn is a wall close behind the mover's pawn, across its file."""
    (action,) = actions
    side = SIDES_OF[before.players][before.mover]
    if not isinstance(action, Wall) or action.axis != "h" or side not in (SOUTH, NORTH):
        return False
    rank, file = divmod(before.pawns[before.mover], before.size)
    back = rank - action.rank if side == SOUTH else action.rank + 1 - rank
    return 1 <= back <= MAX_ROWS_BEHIND and 0 <= file - action.file < before.rules.wall_length


def _detour(before: Position, actions: Sequence[Action]) -> bool:
    """Return whether the turn is a wall that sends another player a long way round."""
    (action,) = actions
    return isinstance(action, Wall) and any(
        then is not None and now is not None and now - then >= MIN_DETOUR
        for then, now in _distance_changes(before, before.play_unchecked(action))
    )


def _traps(before: Position, actions: Sequence[Action]) -> bool:
    """Return whether the turn is a wall that traps another player."""
    (action,) = actions
    return isinstance(action, Wall) and any(
        then is not None and now is None
        for then, now in _distance_changes(before, before.play_unchecked(action))
    )


def _distance_changes(before: Position, after: Position) -> list[tuple[int | None, int | None]]:
    pairs = enumerate(zip(before.distances(), after.distances(), strict=True))
    return [pair for player, pair in pairs if player != before.mover]


def _runs(before: Position, actions: Sequence[Action]) -> bool:
    """Return whether the turn is a pawn move while no other player has walls left."""
    (action,) = actions
    others = [player for player in before.playing if player != before.mover]
    return isinstance(action, Move) and all(before.hands[player] == 0 for player in others)


THEMES: Final = {
    "jump": Theme(ctext("theme", "jump"), text("A pawn in the way can save you steps."), _jumps),
    "behind": Theme(
        ctext("theme", "wall behind"),
        text("A wall behind your back can keep others from building there."),
        _behind,
    ),
    "detour": Theme(
        ctext("theme", "long way round"), text("One wall can cost many steps: find where."), _detour
    ),
    "trap": Theme(
        ctext("theme", "shut in"), text("By these rules a wall may leave no way at all."), _traps
    ),
    "race": Theme(
        ctext("theme", "race"),
        text("Nobody can stop you with a wall any more: count steps."),
        _runs,
    ),
}


OPPONENT: Final = 1  # the player whom the lessons' walls are against

# --- the goals of lessons ------------------------------------------------------------------------


def _pawns(position: Position) -> Pieces:
    return {
        square_name(position.size, pawn): (player, position.seats[player].letter)
        for player, pawn in enumerate(position.pawns)
        if pawn >= 0
    }


def _gained(reached: Reached, player: int) -> float:
    """Return how many steps longer a player's path is; NaN if there is no path."""
    after = reached.position.distance(player)
    return math.nan if after is None else after - reached.start.distance(player)


def _lengthened(reached: Reached, steps: int) -> bool:
    """Return whether the opponent's path is longer by at least ``steps``, but not cut off."""
    return _gained(reached, OPPONENT) >= steps


GOALS: Final[Mapping[str, GoalWord]] = MappingProxyType(
    {
        **goals_of_pieces(_pawns),
        "nearer": lambda reached: _gained(reached, reached.learner) < 0,
        "no-farther": lambda reached: _gained(reached, reached.learner) <= 0,
        "lengthened": _lengthened,
        "north-trapped": lambda reached: reached.position.distance(OPPONENT) is None,
    }
)

# --- the events of first games -------------------------------------------------------------------


def _is_blocked(turn: Any, player: int) -> bool:
    """Return whether another player's wall makes the player's path longer."""
    if turn.player == player or not isinstance(turn.actions[0], Wall):
        return False
    before, after = (position.distance(player) for position in (turn.before, turn.after))
    return bool(before is not None and (after is None or after > before))


def _jumped(turn: Any, player: int) -> bool:
    (action,) = turn.actions
    return turn.player == player and isinstance(action, Move) and is_jump(turn.before, action)


def _builds(turn: Any, player: int) -> bool:
    return turn.player == player and isinstance(turn.actions[0], Wall)


HAPPENINGS: Final = MappingProxyType({"blocked": _is_blocked, "jumps": _jumped, "builds": _builds})
