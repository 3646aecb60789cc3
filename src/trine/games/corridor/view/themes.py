"""The ideas that turns of Corridor use, as the referee sees them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from trine.core.contract.theme import Theme
from trine.core.text.sentence import ctext, text
from trine.games.corridor.board import NORTH, SIDES_OF, SOUTH, neighbours
from trine.games.corridor.position import Position
from trine.games.corridor.rules import Action, Move, Wall

LONG: Final = 3
"""Units: steps; a way that a wall makes so much longer is a long way round. Guess."""
NEAR: Final = 2
"""Units: rows; a wall so near behind a pawn is behind it. Guess."""


def _jump(before: Position, actions: Sequence[Action]) -> bool:
    (action,) = actions
    if not isinstance(action, Move):
        return False
    after = before.play_unchecked(action)
    return after.pawns[before.mover] not in neighbours(before.size)[before.pawns[before.mover]]


def _behind(before: Position, actions: Sequence[Action]) -> bool:
    """Whether a wall is built close behind the player's own pawn, across its column."""
    (action,) = actions
    side = SIDES_OF[before.players][before.mover]
    if not isinstance(action, Wall) or action.axis != "h" or side not in (SOUTH, NORTH):
        return False
    rank, file = divmod(before.pawns[before.mover], before.size)
    back = rank - action.rank if side == SOUTH else action.rank + 1 - rank
    return 1 <= back <= NEAR and 0 <= file - action.file < before.rules.wall_length


def _detour(before: Position, actions: Sequence[Action]) -> bool:
    """Whether a wall sends another player a long way round."""
    (action,) = actions
    return isinstance(action, Wall) and any(
        then is not None and now is not None and now - then >= LONG
        for then, now in _ways(before, before.play_unchecked(action))
    )


def _shut_in(before: Position, actions: Sequence[Action]) -> bool:
    """Whether a wall leaves another player no way."""
    (action,) = actions
    return isinstance(action, Wall) and any(
        then is not None and now is None
        for then, now in _ways(before, before.play_unchecked(action))
    )


def _ways(before: Position, after: Position) -> list[tuple[int | None, int | None]]:
    """Return the distances of the other players before and after a turn."""
    pairs = enumerate(zip(before.distances(), after.distances(), strict=True))
    return [pair for player, pair in pairs if player != before.mover]


def _race(before: Position, actions: Sequence[Action]) -> bool:
    """Whether the pawn runs where nobody else has a wall left."""
    (action,) = actions
    others = [player for player in before.playing if player != before.mover]
    return isinstance(action, Move) and all(before.hands[player] == 0 for player in others)


THEMES: Final = {
    "jump": Theme(ctext("theme", "jump"), text("A pawn in the way can save you steps."), _jump),
    "behind": Theme(
        ctext("theme", "wall behind"),
        text("A wall behind your back can keep others from building there."),
        _behind,
    ),
    "detour": Theme(
        ctext("theme", "long way round"), text("One wall can cost many steps: find where."), _detour
    ),
    "trap": Theme(
        ctext("theme", "shut in"), text("By these rules a wall may leave no way at all."), _shut_in
    ),
    "race": Theme(
        ctext("theme", "race"),
        text("Nobody can stop you with a wall any more: count steps."),
        _race,
    ),
}
