"""The legal actions of a position as choices, and the paths by which a person points at them.

A surface that knows no game needs no more than this: it highlights what can be pointed at next, and
once the ids pointed at are one of the paths, they make an action.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from trine.core.history import NO_HISTORY, History
from trine.core.text.sentence import NOTHING, Text, verbatim

if TYPE_CHECKING:
    from trine.core.contract import Room
    from trine.core.contract.position import Action, Position

Picks = tuple[str, ...]
"""The ids of spots and buttons at which a person points, in order, to make an action."""


class Choosable(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A legal action, and the path by which it is pointed at.

    >>> Choosable("e3h").path, Choosable("Ee2n", ("e2", "e3")).path
    (('e3h',), ('e2', 'e3'))
    """

    id: str
    """The action in notation."""
    picks: Picks = ()
    """The path, where it is not the id alone."""
    label: Text = NOTHING
    """The words that tell actions with the same picks apart; empty if no other has them."""
    draft: tuple[str, ...] = ()
    """For a gesture, the actions that the whole open turn then has; empty for one more action."""
    falls: str = ""
    """The cell on which a piece of the same player is lost by it; empty for none."""

    @property
    def path(self) -> Picks:
        return self.picks or (self.id,)


def named_actions(
    position: Position, ids: Iterable[str], history: History = NO_HISTORY
) -> Iterator[tuple[Position, Action]]:
    """Yield the actions that ids name one after the other, each with the position before it.

    It ends before the first that is not legal.

    >>> from trine.games import open_room
    >>> start = open_room("tzaar").rules.start("official", {})
    >>> [str(action) for _, action in named_actions(start, ["a5xa4", "nonsense", "b1xb2"])]
    ['a5xa4']
    """
    for given in ids:
        legal = position.legal_actions(history)
        action = next((one for one in legal if str(one) == given), None)
        if action is None:
            return
        yield position, action
        position = position.play_unchecked(action)


def choices(room: Room, position: Position, actions: Sequence[Action]) -> tuple[Choosable, ...]:
    """Legal actions of a position with their picks, in their order.

    >>> from trine.games import open_room
    >>> tzaar = open_room("tzaar")
    >>> start = tzaar.rules.start("official", {})
    >>> [(one.id, one.path) for one in choices(tzaar, start, start.legal_actions()[:2])]
    [('a5xa4', ('a5', 'a4')), ('b1xb2', ('b1', 'b2'))]
    """
    told = list(map(str, actions))
    paths = [room.view.picks(position, action) for action in actions]
    shared = Counter(paths) if len(set(paths)) < len(paths) else None
    falls = [room.view.falls(position, action) for action in actions]
    return tuple(
        Choosable(
            name,
            () if picks == (name,) else picks,
            verbatim(name) if shared and shared[picks] > 1 else NOTHING,
            falls=fall.cell if fall and fall.own else "",
        )
        for name, picks, fall in zip(told, paths, falls, strict=True)
    )
