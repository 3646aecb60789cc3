"""The difference between a game as a page was told it and the game as it stands."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from operator import eq
from typing import Any, Final

from msgspec import Struct, structs

from trine.core.scene.scene import View
from trine.house.games.live_game import Trail
from trine.house.games.messages import Changes, Game, Runs

LISTS: Final = ("pieces", "walls", "labels")
"""The lists of a view of which most stays from turn to turn."""


def _names(cls: type[Struct], apart: Sequence[str]) -> tuple[str, ...]:
    """The names of the fields as they are written; empty for those that are told apart."""
    return tuple("" if one.name in apart else one.encode_name for one in structs.fields(cls))


_OF_GAME: Final = _names(Game, ("view", "turns", "begin"))
_OF_VIEW: Final = _names(View, LISTS)


def changes(before: Game, after: Game) -> Changes:
    """Return what is different, but for the turns.

    >>> from trine.core.text.sentence import NOTHING
    >>> empty = View("b", NOTHING, NOTHING)
    >>> one, two = (Game(seq=n, stage="playing", seats=[], own=[], side=0, places=[], view=empty)
    ...             for n in (1, 2))
    >>> told = changes(one, two)
    >>> told.game, told.view, told.runs
    ({'seq': 2}, {}, {})
    """
    lists = ((name, getattr(before.view, name), getattr(after.view, name)) for name in LISTS)
    return Changes(
        game=_different(_OF_GAME, before, after),
        view=_different(_OF_VIEW, before.view, after.view),
        runs={name: runs(old, new) for name, old, new in lists if old != new},
    )


def _different(names: Sequence[str], before: Struct, after: Struct) -> dict[str, Any]:
    values = zip(names, structs.astuple(before), structs.astuple(after), strict=True)
    return {name: new for name, old, new in values if name and new is not old and new != old}


def runs(before: Sequence[Any], after: Sequence[Any]) -> Runs:
    """Return a list as runs of another, whose parts are known by being the same objects.

    >>> runs("abcd", "abxd")
    [(0, 2), 'x', (3, 4)]
    """
    places = {id(one): place for place, one in enumerate(before)}
    told: Runs = []
    begin = end = 0
    for one in after:
        place = places.get(id(one), -1)
        if place == end and end > begin:
            end += 1
            continue
        if end > begin:
            told.append((begin, end))
        begin = end = place
        if place < 0:
            told.append(one)
            begin = end = 0
        else:
            end += 1
    return [*told, (begin, end)] if end > begin else told


def same_turns(before: Trail, after: Trail) -> int:
    """Return the number of turns that were told and still stand."""
    most = min(len(before.turns), len(after.turns))
    if before.turns[:most] == after.turns[:most] and before.times[:most] == after.times[:most]:
        return most
    was = zip(before.turns, before.times, strict=True)
    now = zip(after.turns, after.times, strict=True)
    return sum(takewhile(bool, map(eq, was, now)))
