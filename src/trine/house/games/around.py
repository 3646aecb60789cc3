"""The services that a game in memory needs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from trine.house.background import Now, Report
from trine.house.games.agreement import Agreement
from trine.house.games.bot_turns import Thinkers
from trine.house.games.follows import Follow, Listener, Write
from trine.house.games.rated_player import RatedPlayer
from trine.house.games.seat_rows import SeatRow
from trine.house.people.quotas import Quotas
from trine.house.store.store import Store


@dataclass(frozen=True)
class Around:
    """The services that a game in memory needs."""

    store: Store
    now: Now
    report: Report
    thinkers: Thinkers
    follows: Sequence[Follow]
    """The consequences of a change, which are written with it."""
    listeners: Sequence[Listener]
    """The listeners, which hear of a change once it is safe."""
    reminder: Callable[[str, str, float], Write]
    """A function that returns the write of a reminder of a game, for the person of an id, at a
    moment."""
    standings: Callable[[Agreement, Sequence[SeatRow]], Awaitable[Mapping[int, RatedPlayer]]]
    """Looks up the players who have accounts, by their seats."""
    again: Callable[[Agreement, Sequence[SeatRow]], Awaitable[str]]
    """Makes another game of the same people, and returns its id."""
    look_at: Callable[[str, float | None], None]
    """Has a game looked at at a moment, by `Host.tick`."""
    forget: Callable[[str, float], None]
    """Lets a game leave memory; its pages look for it anew, some seconds later."""
    rest: Callable[[str], None]
    """Lets a game leave memory while its clock runs."""
    quotas: Quotas
