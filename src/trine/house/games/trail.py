"""The turns of a game as they are shown: the keys of the pieces, the words and the times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

from trine.core.contract import Room
from trine.core.contract.turn import Turn
from trine.core.play import Play
from trine.core.scene.keys import FIRST_KEYS, Keys, Movement, carried, movements_of
from trine.core.text.wording import written_actions
from trine.play.session.entries import Entry, Kind

Moved = tuple[Sequence[Movement], ...]
"""The movements of each action of a turn."""


@dataclass(frozen=True)
class TurnTime:
    """The time that a turn took.

    Units: seconds; None where nothing was measured.
    """

    used: float | None = None
    left: float | None = None
    at: float | None = None
    """The end of the turn, in seconds since 1970."""


@dataclass(frozen=True)
class Written:
    """A turn as records write it."""

    tag: str
    words: str


def keys_after(room: Room, turn: Turn, keys: Keys) -> Keys:
    """Return the keys of the pieces after a turn."""
    return _carried_on(_moved(room, turn), keys)


def _carried_on(moved: Moved, keys: Keys) -> Keys:
    return reduce(lambda before, one: carried(one, before), moved, keys)


def _moved(room: Room, turn: Turn) -> Moved:
    return movements_of(room, turn.before, turn.actions)


@dataclass(frozen=True)
class Trail:
    """The turns that have been played; what is known of them is not made anew with each turn."""

    keys: tuple[Keys, ...] = (FIRST_KEYS,)
    """The keys of the pieces before the first turn and after each."""
    times: tuple[TurnTime, ...] = ()
    written: tuple[Written, ...] = ()
    moved: tuple[Moved, ...] = ()
    """The movements of the pieces in each turn."""
    turns: tuple[Turn, ...] = ()

    def after(self, entries: Sequence[Entry], play: Play) -> Trail:
        """The trail after entries, by which the play has become what it is."""
        times = list(self.times)
        for entry in entries:
            if entry.kind is Kind.TAKEBACK:
                del times[len(times) - len(entry.data["tags"]) :]
            elif (entry.kind is Kind.ACT and entry.data["closes"]) or "used" in entry.data:
                times.append(TurnTime(entry.data.get("used"), entry.data.get("left"), entry.at))
        count = len(play.turns)
        times[count:] = []
        times += [TurnTime()] * (count - len(times))
        same = 0
        while same < min(count, len(self.turns)) and play.turns[same] is self.turns[same]:
            same += 1
        if same == count == len(self.turns):
            return replace(self, times=tuple(times))
        keys, written = list(self.keys[: same + 1]), list(self.written[:same])
        moved = list(self.moved[:same])
        for turn in play.turns[same:]:
            moved.append(_moved(play.room, turn))
            keys.append(_carried_on(moved[-1], keys[-1]))
            words = written_actions(play.room, turn.before, turn.actions)
            written.append(Written(play.room.tag(turn.before), words))
        return Trail(tuple(keys), tuple(times), tuple(written), tuple(moved), tuple(play.turns))
