"""The legal actions of a position, and the sequences of clicks that choose them.

A user interface needs nothing else of a game: it highlights the next possible picks, and plays an
action once the ids picked are the action's path.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from trine.core.contract.position import NO_HISTORY, Action, History, Position
from trine.core.text.sentence import NOTHING, Text, verbatim

if TYPE_CHECKING:
    from trine.core.contract.room import Room

Picks = tuple[str, ...]
"""The ids of spots and buttons to click, in order, for an action."""


class Choosable(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A legal action, and its picks.

    >>> Choosable("e3h").path, Choosable("Ee2n", ("e2", "e3")).path
    (('e3h',), ('e2', 'e3'))
    """

    id: str
    """The notation of the action."""
    picks: Picks = ()
    """The ids to click, if they differ from the action's id."""
    label: Text = NOTHING
    """A label that distinguishes actions with equal picks; empty if the picks are unique."""
    draft: tuple[str, ...] = ()
    """For a gesture: all actions of the open turn after it; empty if it adds one action."""
    falls: str = ""
    """The cell where the action loses a piece of the same player; empty if it loses none."""

    @property
    def path(self) -> Picks:
        return self.picks or (self.id,)


def named_actions(
    position: Position, ids: Iterable[str], history: History = NO_HISTORY
) -> Iterator[tuple[Position, Action]]:
    """Yield the actions that ids name, in order, each with the position before it.

    It stops before the first illegal one.

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
    """Return the legal actions with their picks, in their order.

    >>> from trine.games import open_room
    >>> tzaar = open_room("tzaar")
    >>> start = tzaar.rules.start("official", {})
    >>> [(one.id, one.path) for one in choices(tzaar, start, start.legal_actions()[:2])]
    [('a5xa4', ('a5', 'a4')), ('b1xb2', ('b1', 'b2'))]
    """
    ids = list(map(str, actions))
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
        for name, picks, fall in zip(ids, paths, falls, strict=True)
    )
