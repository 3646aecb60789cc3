"""Hooks on the changes of a game: their writes are part of the change's transaction.

Each hook is a function of the game before and after the change, in the module of its subject.
`trine.house.app` lists all hooks. The hooks here concern the game itself.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Connection

from trine.core.clock import DAY, HOUR
from trine.core.contract.position import Outcome
from trine.house.games.live.drafts import Conditions
from trine.house.games.live.live_game import LiveGame
from trine.house.games.storage import tables
from trine.house.games.storage.events import Append
from trine.house.store.scheduled_tasks import reschedule
from trine.play.session.state import State

LIVE: Final = "live"
"""The kind of task that reloads a game when the house opens or its home is gone."""
DEADLINE: Final = "deadline"
"""The kind of task that ends a game, perhaps an unloaded one, when a player's time is up."""
REMINDER: Final = "reminder"  # the kind of task that reminds a player that time runs short
UNBEGUN: Final = "unbegun"
"""The kind of task that deletes a game some time after it was aborted before its first turn."""
DEADLINE_GRACE: Final = 1.0
"""Units: seconds; the delay of the handling of a deadline, so that the deadline has passed."""
MAX_EXTENDED: Final = 12.0 * HOUR
"""Units: seconds; the maximum time that a player is guaranteed after a downtime."""

Write = Callable[[Connection], None]


@dataclass(frozen=True)
class Context:
    """The sender and the witnesses of a change, for hooks."""

    person: str | None = None
    """The person who asked for the change; None for the house, and for bots."""
    here: Collection[str | None] = ()  # further people who see the change, and so need no notice

    def sees(self, person_id: str | None) -> bool:
        return person_id == self.person or person_id in self.here


Hook = Callable[[LiveGame, LiveGame, Context], Write | None]


def combine(*writes: Write | None) -> Write | None:
    """Combine writes into one; None if there are none."""
    given = [write for write in writes if write]
    if len(given) < 2:
        return next(iter(given), None)

    def write(connection: Connection) -> None:
        for one in given:
            one(connection)

    return write


@dataclass(frozen=True)
class ChangeHooks:
    """The hooks, by the changes that they apply to."""

    each: Sequence[Hook]
    by_days: Sequence[Hook]
    of_stages: Sequence[Hook]  # the hooks on the beginning and the end of a game

    def write(self, before: LiveGame, after: LiveGame, context: Context) -> Write | None:
        follows = [
            *self.each,
            *(self.by_days if after.agreement.by_days else ()),
            *(self.of_stages if after.stage is not before.stage else ()),
        ]
        return combine(*(follow(before, after, context) for follow in follows))


def begins(before: LiveGame, after: LiveGame) -> bool:
    return before.state is None and after.state is not None


def ends(before: LiveGame, after: LiveGame) -> Outcome | None:
    """Return the result of a game if the change has ended it, else None."""
    return after.state.outcome if after.state and not before.over else None


def set_deadlines(before: LiveGame, after: LiveGame, context: Context) -> Write | None:
    """Schedule the tasks of a game; for a game on a clock, only at its beginning and its end."""
    if after.stage is before.stage and (after.seq == before.seq or not after.agreement.by_days):
        return None
    times = {(kind, after.game): at for kind, at in falls_due(after).items()}
    return partial(reschedule, times=times) if times else None


def note_mover(before: LiveGame, after: LiveGame, context: Context) -> Write | None:
    """Store the player to move; for a game on a clock, only when the game is unloaded."""
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
    return partial(tables.set_to_move, game_id=game.game, person_id=person, since=since)


def unload(game: LiveGame, fencing_token: int) -> Append:
    """Return the write that unloads a game whose clock is running: its deadline and its mover.

    The write is guarded by the fencing token, and changes nothing else.
    """
    deadline = game.state.deadline if game.state else None
    due = {(DEADLINE, game.game): None if deadline is None else deadline + DEADLINE_GRACE}
    also = combine(partial(reschedule, times=due), _mover(game))
    return Append(game.game, fencing_token, game.seq + 1, (), also=also)


def falls_due(game: LiveGame) -> dict[str, float | None]:
    """Return the scheduled tasks of a game by kind, with their times; None deletes a task."""
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
    bot_moves = game.seats[state.play.mover].kind is tables.SeatKind.BOT
    deadline = state.deadline
    return {
        LIVE: state.at if bot_moves else None,
        DEADLINE: None if deadline is None else deadline + DEADLINE_GRACE,
        REMINDER: next_reminder(state, state.at),
    }


def next_reminder(state: State, after: float) -> float | None:
    """Return the next time for a reminder of the player to move; None if there is none.

    One comes before the turn's days end, one before the vacation ends. The lead is a quarter of
    the turn's days, at most a day.
    """
    if not state.clock or state.deadline is None:
        return None
    ahead = min(state.clock.control.move / 4, DAY)
    ends = (state.began + state.clock.control.move, state.deadline)
    return next((end - ahead for end in ends if end - ahead > after), None)


def spent_without(state: State, downtimes: Sequence[tables.Downtime], at: float) -> float | None:
    """Return the time spent on the open turn, without the downtimes of the house.

    After the last downtime the player has at least as long as the downtime lasted, up to 12 hours.

    Units: seconds; None if the house was not down during the turn, or the clock is not running.
    """
    if state.paused is not None or not state.clock or state.outcome:
        return None
    missed = [one for one in downtimes if one.ended > state.at and one.began < at]
    if not missed:
        return None
    lost = sum(min(one.ended, at) - max(one.began, state.at, state.began) for one in missed)
    last = missed[-1]
    extended = last.ended + min(last.ended - last.began, MAX_EXTENDED)
    in_time = state.allowed - max(0.0, extended - at)
    return max(0.0, min(state.elapsed(at) - lost, in_time))


def keep_conditions(before: LiveGame, after: LiveGame, context: Context) -> Write | None:
    if before.conditions == after.conditions:
        return None
    rows = {
        seat: _row(seat, after.conditions.get(seat))
        for seat in {*before.conditions, *after.conditions}
    }

    def write(connection: Connection) -> None:
        for seat, row in rows.items():
            tables.set_conditions(connection, after.game, seat, row)

    return write


def _row(seat: int, conditions: Conditions | None) -> tables.ConditionRow | None:
    tree = [one.as_data() for one in conditions.branches] if conditions else []
    return tables.ConditionRow(seat, conditions.turns, tree) if conditions and tree else None
