"""A snapshot of a game, the source of all views; its watchers, and the presence of players."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Protocol

from trine.core.clock import TimeControl, parse_time_control
from trine.core.compiled.ahead import CompileProgress
from trine.core.contract.checked import CheckedLine
from trine.core.text.sentence import text
from trine.house.games.live.agreement import Agreement, estimated_time
from trine.house.games.live.live_game import LiveGame

CLOSED_TIMEOUT: Final = 10.0
"""Units: seconds; the time from closing the page until a player's absence can be claimed."""
LOST_TIMEOUT: Final = 40.0
"""Units: seconds; the time from losing the connection until a player's absence can be claimed."""
_SLOWER: Final = ((480.0, 1.0), (1500.0, 2.0))
"""Factors of both timeouts in slower games, each with the largest estimated time of a player in
seconds."""
NO_SHOW_TIMEOUT: Final = 60.0
"""Units: seconds; how long a fast tournament game waits for a player; slower: up to three times."""
NOT_COME: Final = "has not come"
MISSING: Final = "missing"  # in the data of an abort event, the key for the seats that lose


def wanted_by(agreement: Agreement, now: float) -> float | None:
    """Return the time limit for players to come; None if there is none."""
    if not agreement.tournament or not agreement.clock or agreement.by_days:
        return None
    return now + NO_SHOW_TIMEOUT * slowness(parse_time_control(agreement.clock))


class Presence(StrEnum):
    """The presence of a player, as other players see it."""

    HERE = "here"
    RECONNECTING = "reconnecting"
    LEFT = "left"


@dataclass(frozen=True)
class Away:
    """The beginning of a player's absence, and its cause."""

    since: float
    closed: bool  # whether the page was closed; otherwise the connection was lost


@dataclass
class Attendance:
    """The presence of people at the seats of a game."""

    control: TimeControl | None
    _here: dict[int, int] = field(default_factory=dict)  # number of open pages for each seat
    _away: dict[int, Away] = field(default_factory=dict)

    def come(self, seat: int) -> bool:
        """Add a page of a seat; return whether the player was absent."""
        self._here[seat] = self._here.get(seat, 0) + 1
        return self._away.pop(seat, None) is not None

    def go(self, seat: int, at: float, *, closed: bool) -> bool:
        """Remove a page of a seat; return whether it was the last one."""
        self._here[seat] = max(0, self._here.get(seat, 0) - 1)
        if self._here[seat]:
            return False
        self._away[seat] = Away(at, closed)
        return True

    def miss(self, seat: int, at: float) -> None:
        """Record that a seat's player is absent from now on, unless known or a page is open."""
        if not self._here.get(seat):
            self._away.setdefault(seat, Away(at, closed=False))

    def has_come(self, seat: int) -> bool:
        return seat in self._here

    def is_here(self, seat: int) -> bool:
        return self._here.get(seat, 0) > 0

    def absent_since(self, seat: int, at: float) -> bool:
        """Return whether a seat has had no open page since a time."""
        away = self._away.get(seat)
        return not self.is_here(seat) and (away is None or away.since <= at)

    def claimable_from(self, seat: int) -> float | None:
        """Return when other players can claim an absence; None without absence or clock."""
        away = self._away.get(seat)
        if not away or not self.control or self.control.by_days:
            return None
        timeout = CLOSED_TIMEOUT if away.closed else LOST_TIMEOUT
        return away.since + timeout * slowness(self.control)

    def seen(self, seat: int, at: float) -> Presence:
        away = self._away.get(seat)
        if not away or (self.control and self.control.by_days):
            return Presence.HERE
        patience = CLOSED_TIMEOUT if away.closed else LOST_TIMEOUT
        late = at >= away.since + patience * slowness(self.control)
        return Presence.LEFT if away.closed or late else Presence.RECONNECTING


def slowness(control: TimeControl | None) -> float:
    """Return the factor for waiting for absent players, compared with a fast game.

    >>> slowness(TimeControl(3, 180)), slowness(TimeControl(120, 120))
    (1.0, 3.0)
    """
    if control is None:
        return 3.0
    estimated = estimated_time(control)
    return next((factor for most, factor in _SLOWER if estimated <= most), 3.0)


ABORTED: Final = text("The game was aborted before its first turn.")


@dataclass(frozen=True)
class Snapshot(LiveGame):
    """The current state of a game, and everything else that its watchers see."""

    version: int = 0  # number of the snapshot within its `GameActor`
    waking: bool = False  # whether the clock is paused until players return after a downtime
    warming: CompileProgress | None = None
    """The compilation progress, if the computer is to move and its code is not compiled yet."""
    presence: Mapping[int, Presence] = field(default_factory=dict)
    """The presence of people by seat, as other players see it."""
    claimable: frozenset[int] = frozenset()  # the seats whose absence can be claimed
    drafts: Mapping[int, CheckedLine] = field(default_factory=dict)
    """The drafts by seat; only the owner of a seat may see its draft."""
    at: float = 0.0
    made: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)
    """A cache of the views of this snapshot, each computed once."""


def snapshot_of(game: LiveGame, **seen: Any) -> Snapshot:
    """Return a snapshot of a game; ``seen`` are the further fields."""
    return Snapshot(**vars(game), **seen)


class Watcher(Protocol):
    """A page or program that shows a game."""

    def changed(self, snapshot: Snapshot) -> None:
        """Show a new state; called for all watchers in a row, so it must return at once."""

    def reconnect(self) -> None:
        """Disconnect, so that the client reconnects to the process that now has the game."""

    def waited(self) -> float:
        """Return the number of seconds that a message has waited to be handled; 0 if none waits."""


@dataclass
class Audience:
    """The watchers of a game."""

    idle_from: float
    _watchers: dict[Watcher, str | None] = field(default_factory=dict)
    """The watchers, each with the id of its person, if known."""

    def __len__(self) -> int:
        return len(self._watchers)

    def __contains__(self, watcher: Watcher) -> bool:
        return watcher in self._watchers

    def add(self, watcher: Watcher, person_id: str | None) -> None:
        self._watchers[watcher] = person_id

    def remove(self, watcher: Watcher, at: float) -> str | None:
        self.idle_from = at
        return self._watchers.pop(watcher)

    def pages_of(self, person_id: str | None) -> int:
        return sum(found == person_id for found in self._watchers.values())

    def waited(self, person_id: str | None) -> float:
        """Return how long a person's oldest unhandled message has waited, in seconds; 0 if none."""
        own = (watcher for watcher, found in self._watchers.items() if found == person_id)
        return max((watcher.waited() for watcher in own), default=0.0)

    def transfer(self, person_id: str, other: str) -> None:
        for watcher, found in self._watchers.items():
            if found == person_id:
                self._watchers[watcher] = other

    def tell(self, snapshot: Snapshot) -> None:
        for watcher in list(self._watchers):
            watcher.changed(snapshot)

    def tell_owner(self, snapshot: Snapshot, seat: int) -> None:
        for watcher, person in list(self._watchers.items()):
            if seat in snapshot.seats_of(person):
                watcher.changed(snapshot)

    def dismiss(self) -> None:
        for watcher in list(self._watchers):
            watcher.reconnect()
