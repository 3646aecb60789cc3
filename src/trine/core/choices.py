"""The legal actions of a position as choices, and the paths by which a person points at them.

A surface that knows no game needs no more than this: it highlights what can be pointed at next
(`next_picks`), and once the ids pointed at are one of the paths, they make an action.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trine.core.history import FIRST_STANDING, History
from trine.core.scene import NOTHING, Say
from trine.core.text import Text, verbatim

if TYPE_CHECKING:
    from trine.core.doors import Room
    from trine.core.position import Action, Position

Picks = tuple[str, ...]
"""The ids of spots and buttons at which a person points, in order, to make an action."""


@dataclass(frozen=True)
class Choosable:
    """A legal action, and the path by which it is pointed at."""

    id: str
    """The action in notation."""
    picks: Picks
    label: Text = NOTHING
    """The words that tell actions with the same picks apart; empty if no other has them."""

    def as_data(self, say: Say = str) -> dict[str, Any]:
        """Return the same as JSON knows it; without ``label`` if it is empty.

        >>> Choosable("e3h", ("e3h",)).as_data()
        {'id': 'e3h', 'picks': ['e3h']}
        """
        data: dict[str, Any] = {"id": self.id, "picks": list(self.picks)}
        if self.label is not NOTHING:
            data["label"] = say(self.label)
        return data


def named_actions(
    position: Position, ids: Iterable[str], history: History = FIRST_STANDING
) -> Iterator[tuple[Position, Action]]:
    """Yield the actions that ids name one after the other, each with the position before it.

    It ends before the first that is not legal.

    >>> from trine.games import open_room
    >>> start = open_room("tzaar").start("official", {})
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


def choices(room: Room, position: Position, actions: Iterable[Action]) -> tuple[Choosable, ...]:
    """Legal actions of a position with their picks, in their order.

    >>> from trine.games import open_room
    >>> tzaar = open_room("tzaar")
    >>> start = tzaar.start("official", {})
    >>> [choice.as_data() for choice in choices(tzaar, start, start.legal_actions()[:2])]
    [{'id': 'a5xa4', 'picks': ['a5', 'a4']}, {'id': 'b1xb2', 'picks': ['b1', 'b2']}]
    """
    paths = [(action, room.picks(position, action)) for action in actions]
    shared = Counter(picks for _, picks in paths)
    return tuple(
        Choosable(str(action), picks, verbatim(str(action)) if shared[picks] > 1 else NOTHING)
        for action, picks in paths
    )


def next_picks(choosable: Iterable[Choosable], chosen: Sequence[str] = ()) -> tuple[str, ...]:
    """The ids that can be pointed at next, each once, after some have been pointed at.

    >>> ways = [Choosable("e2e3", ("e2", "e3")), Choosable("e2d2", ("e2", "d2"))]
    >>> next_picks(ways), next_picks(ways, ["e2"])
    (('e2',), ('e3', 'd2'))
    """
    begun, depth = tuple(chosen), len(chosen)
    return tuple(
        dict.fromkeys(
            way.picks[depth]
            for way in choosable
            if len(way.picks) > depth and way.picks[:depth] == begun
        )
    )
