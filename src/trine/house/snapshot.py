"""A game in the house as it stands: a value that can be shown to anybody who may see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from trine.core.checked import CheckedLine
from trine.core.doors import Room
from trine.core.keys import FIRST_KEYS, Keys, carry_keys
from trine.core.play import Play
from trine.core.turn import Turn
from trine.core.wording import written_actions
from trine.house.agreement import Agreement
from trine.house.conditions import Conditions
from trine.house.presence import Presence
from trine.house.ratings import Standing
from trine.session.entries import Entry, Kind
from trine.session.state import State
from trine.store.game_rows import Stage
from trine.store.seat_rows import SeatRow


@dataclass(frozen=True)
class TurnTime:
    """The time that a turn took.

    Units: seconds; None where nothing was measured.
    """

    used: float | None = None
    left: float | None = None
    at: float | None = None
    """Its end, in seconds since 1970."""


@dataclass(frozen=True)
class Written:
    """A turn as records write it."""

    tag: str
    words: str


@dataclass(frozen=True)
class Snapshot:
    """A game as it stands."""

    game: str
    agreement: Agreement
    seats: tuple[SeatRow, ...]
    stage: Stage
    seq: int
    """The number of the last event."""
    version: int
    """Counts all that can be seen, drafts and presence too."""
    state: State | None = None
    """None while a player is waited for."""
    waking: bool = False
    """Whether time stands still because the house was closed and players are waited for."""
    warming: bool = False
    """Whether the computer is to move and makes itself ready first, as it does once."""
    aborted: bool = False
    next_game: str = ""
    """The rematch, once all want one."""
    wants_rematch: frozenset[int] = frozenset()
    times: tuple[TurnTime, ...] = ()
    presence: Mapping[int, Presence] = field(default_factory=dict)
    """The state of each seat of a person, as others see it."""
    claimable: frozenset[int] = frozenset()
    """The seats whose absence the others may claim."""
    drafts: Mapping[int, CheckedLine] = field(default_factory=dict)
    """By seat; only its owner may see one."""
    keys: tuple[Keys, ...] = (FIRST_KEYS,)
    """The keys of the pieces before the first turn and after each."""
    written: tuple[Written, ...] = ()
    """The turns as records write them."""
    standings: Mapping[int, Standing] = field(default_factory=dict)
    """The players who have accounts, by their seats."""
    at: float = 0.0
    """The moment of the house."""
    conditions: Mapping[int, Conditions] = field(default_factory=dict)
    """By seat; only its owner may see them."""
    made: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)
    """The views made of the snapshot for those who see it, kept so that each is made once."""

    @property
    def room(self) -> Room:
        """The game that is played."""
        return self.agreement.room

    @property
    def over(self) -> bool:
        """Whether nothing can be played any more."""
        return self.aborted or bool(self.state and self.state.outcome)

    def seats_of(self, person: str | None) -> frozenset[int]:
        """The seats of a person."""
        return frozenset(
            number for number, seat in enumerate(self.seats) if person and seat.person == person
        )


def keys_after(room: Room, turn: Turn, keys: Keys) -> Keys:
    """The keys of the pieces after a turn."""
    position = turn.before
    for action in turn.actions:
        keys = carry_keys(room, position, action, keys)
        position = position.play_unchecked(action)
    return keys


@dataclass
class Trail:
    """The keys, the words and the times of the turns of a play, followed entry by entry."""

    keys: list[Keys] = field(default_factory=lambda: [FIRST_KEYS])
    times: list[TurnTime] = field(default_factory=list)
    written: list[Written] = field(default_factory=list)
    _turns: list[Turn] = field(default_factory=list)

    def follow(self, entries: list[Entry], play: Play) -> None:
        """Go on after entries, by which the play has become what it is."""
        for entry in entries:
            if entry.kind is Kind.TAKEBACK:
                del self.times[len(self.times) - len(entry.data["tags"]) :]
            elif (entry.kind is Kind.ACT and entry.data["closes"]) or "used" in entry.data:
                told = TurnTime(entry.data.get("used"), entry.data.get("left"), entry.at)
                self.times.append(told)
        count = len(play.turns)
        self.times[count:] = []
        self.times += [TurnTime()] * (count - len(self.times))
        same = 0
        while same < min(count, len(self._turns)) and play.turns[same] is self._turns[same]:
            same += 1
        del self._turns[same:], self.keys[same + 1 :], self.written[same:]
        for turn in play.turns[same:]:
            self._go_on(play.room, turn)

    def _go_on(self, room: Room, turn: Turn) -> None:
        self.keys.append(keys_after(room, turn, self.keys[-1]))
        words = written_actions(room, turn.before, turn.actions)
        self.written.append(Written(room.tag(turn.before), words))
        self._turns.append(turn)
