"""The waits of games, stored as rows: deadlines, players to move, and downtimes of the house.

So it is known, and handled, without games in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Connection, delete, insert, select

from trine.core.clock import DAY, HOUR
from trine.house.games.events import Append
from trine.house.games.follows import Context, Write
from trine.house.games.live_game import LiveGame
from trine.house.games.seat_rows import SeatKind
from trine.house.games.tables import DOWNTIME, TO_MOVE
from trine.house.store.deadlines import change
from trine.play.session.state import State

LIVE: Final = "live"
"""The kind of deadline that has a game looked at when a house opens, or its home is gone."""
DEADLINE: Final = "deadline"
"""The kind of deadline at which a player has lost of a game that may not be in memory."""
REMINDER: Final = "reminder"
"""The kind of deadline at which a player is reminded that time runs short."""
UNBEGUN: Final = "unbegun"
"""The kind of moment at which a game was broken off before it had begun."""
LATER: Final = 1.0
"""Units: seconds; the delay after a deadline, so that it has passed when it is handled."""
MOST_EXTENDED: Final = 12.0 * HOUR
"""Units: seconds; the most time that a player is sure to have after a downtime."""


@dataclass(frozen=True, slots=True)
class Downtime:
    """A time in which the house was not running.

    Units: seconds since 1970.
    """

    began: float
    ended: float


def add_downtime(connection: Connection, downtime: Downtime) -> None:
    connection.execute(delete(DOWNTIME).where(DOWNTIME.c.ended == downtime.ended))
    connection.execute(insert(DOWNTIME).values(began=downtime.began, ended=downtime.ended))


def downtimes_after(connection: Connection, at: float) -> list[Downtime]:
    """Return the downtimes that ended after a moment, the earliest first."""
    found = connection.execute(
        select(DOWNTIME.c.began, DOWNTIME.c.ended)
        .where(DOWNTIME.c.ended > at)
        .order_by(DOWNTIME.c.ended)
    )
    return [Downtime(*row) for row in found]


def closed_since(connection: Connection, at: float) -> float:
    """Return for how long the house was not running after a moment.

    Units: seconds.
    """
    return sum(one.ended - max(one.began, at) for one in downtimes_after(connection, at))


def set_to_move(connection: Connection, game: str, person: str | None, since: float) -> None:
    """Store whose turn it is in a game; None if it is no person's."""
    connection.execute(delete(TO_MOVE).where(TO_MOVE.c.game == game))
    if person:
        connection.execute(insert(TO_MOVE).values(game=game, person=person, since=since))


def waiting_for(connection: Connection, person: str, limit: int = 100) -> list[str]:
    """Return the games in which it is a person's turn, the longest waiting first."""
    found = connection.execute(
        select(TO_MOVE.c.game)
        .where(TO_MOVE.c.person == person)
        .order_by(TO_MOVE.c.since)
        .limit(limit)
    )
    return list(found.scalars())


def movers(connection: Connection, games: Sequence[str]) -> dict[str, tuple[str, float]]:
    """Return the player to move in games, and since when, for games that wait for a person."""
    found = connection.execute(
        select(TO_MOVE.c.game, TO_MOVE.c.person, TO_MOVE.c.since).where(TO_MOVE.c.game.in_(games))
    )
    return {game: (person, since) for game, person, since in found}


def set_deadlines(before: LiveGame, after: LiveGame, context: Context) -> Write | None:
    """Write what falls due in a game; of one on a clock only with its beginning and its end."""
    if after.stage is before.stage and (after.seq == before.seq or not after.agreement.by_days):
        return None
    times = {(kind, after.game): at for kind, at in falls_due(after).items()}
    return partial(change, times=times) if times else None


def note_mover(before: LiveGame, after: LiveGame, context: Context) -> Write | None:
    """Write who is to move, so that the game is found without being in memory.

    Of a game on a clock this is written when it leaves memory.
    """
    state = after.state
    if after.seq == before.seq or not (state or after.aborted):
        return None
    if state and not after.over and state.clock and not after.agreement.by_days:
        return None
    return _mover(after)


def _mover(game: LiveGame) -> Write:
    person, since = None, 0.0
    if game.state and not game.over:
        person, since = game.seats[game.state.play.mover].person, game.state.began
    return partial(set_to_move, game=game.game, person=person, since=since)


def rest(game: LiveGame, epoch: int) -> Append:
    """The write with which a game leaves memory though its clock runs: when time is up, and whose.

    It is guarded by the epoch, and changes nothing else.
    """
    deadline = game.state.deadline if game.state else None
    due = {DEADLINE: None if deadline is None else deadline + LATER}
    return Append(game.game, epoch, game.seq + 1, (), due=due, also=_mover(game))


def falls_due(game: LiveGame) -> dict[str, float | None]:
    """Return the deadlines of a game, by kind; None for those that it has not."""
    state, agreement = game.state, game.agreement
    if game.aborted:
        over = dict.fromkeys((LIVE, DEADLINE, REMINDER))
        return over if agreement.tournament else {**over, UNBEGUN: state.at if state else 0.0}
    if not state:
        return {}
    if not agreement.by_days:
        return {LIVE: None if state.outcome else state.at, DEADLINE: None} if state.clock else {}
    if state.outcome:
        return dict.fromkeys((LIVE, DEADLINE, REMINDER))
    bot_moves = game.seats[state.play.mover].kind is SeatKind.BOT
    deadline = state.deadline
    return {
        LIVE: state.at if bot_moves else None,
        DEADLINE: None if deadline is None else deadline + LATER,
        REMINDER: next_reminder(state, state.at),
    }


def next_reminder(state: State, after: float) -> float | None:
    """Return the next moment at which the player to move is reminded of the time.

    It is a quarter of the days of a turn, at most a day, before their end, and as long before the
    end of the vacation.
    """
    if not state.clock or state.deadline is None:
        return None
    ahead = min(state.clock.control.move / 4, DAY)
    ends = (state.began + state.clock.control.move, state.deadline)
    return next((end - ahead for end in ends if end - ahead > after), None)


def spent_without(state: State, downtimes: Sequence[Downtime], at: float) -> float | None:
    """Return the time of the open turn, without the downtimes of the house.

    After the last downtime the player has at least as long as it lasted, up to 12 hours.

    Units: seconds; None if the house was not closed during the turn, or no time passes.
    """
    if state.paused is not None or not state.clock or state.outcome:
        return None
    missed = [one for one in downtimes if one.ended > state.at and one.began < at]
    if not missed:
        return None
    lost = sum(min(one.ended, at) - max(one.began, state.at, state.began) for one in missed)
    last = missed[-1]
    extended = last.ended + min(last.ended - last.began, MOST_EXTENDED)
    in_time = state.allowed - max(0.0, extended - at)
    return max(0.0, min(state.elapsed(at) - lost, in_time))
