"""Keys of pieces: names that a piece keeps while it moves from scene to scene.

A position is a value and does not know which of two equal cats moved where. So a program that shows
a play carries the keys along, action by action: `RoomView.movements` says which pieces an action
moves, and a game need not know more of keys.

`Keys` are a plain, immutable value, like positions: to take an action back, use the keys before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from trine.core.contract import Room
    from trine.core.contract.position import Action, Position

Keys = Mapping[str, str]
"""The key of the piece on each cell: the name of the piece's first cell. A piece on a cell that is
not listed has that cell's name as its key."""
Movement = tuple[str, str]
"""The cells that one piece moves from and to. An empty string for one of them: the piece leaves the
board, or enters it."""

FIRST_KEYS: Final[Keys] = MappingProxyType({})
"""The keys at the beginning of a play, or of a position shown by itself."""


def carry_keys(room: Room, position: Position, action: Action, keys: Keys) -> Keys:
    """Return the keys after a legal action, moved along with the pieces.

    >>> from trine.games import open_room
    >>> tzaar = open_room("tzaar")
    >>> start = tzaar.rules.start("open", {})
    >>> capture = start.legal_actions()[0]
    >>> str(capture), dict(carry_keys(tzaar, start, capture, FIRST_KEYS))
    ('a5xa4', {'a4': 'a5'})
    """
    return carried(room.view.movements(position, action), keys)


def carried(movements: Iterable[Movement], keys: Keys) -> Keys:
    after = dict(keys)
    for origin, target in movements:
        key = after.pop(origin, origin) if origin else _new_key(target, after)
        if target:
            after[target] = key
    return MappingProxyType({cell: key for cell, key in after.items() if key != cell})


def _new_key(cell: str, keys: Keys) -> str:
    """Return a key for a piece that enters a cell: the cell's name, made unique if it is taken."""
    taken = set(keys.values())
    key = cell
    while key in taken:
        key += "'"
    return key


def movements_of(
    room: Room, position: Position, actions: Iterable[Action]
) -> tuple[Sequence[Movement], ...]:
    """Return the movements of consecutive legal actions from a position."""
    movements = []
    for action in actions:
        movements.append(room.view.movements(position, action))
        position = position.play_unchecked(action)
    return tuple(movements)
