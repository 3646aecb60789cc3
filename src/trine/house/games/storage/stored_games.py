"""Stored games: many are read at once and replayed, outside the event loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from trine.house.games.live.change_hooks import kept_conditions
from trine.house.games.live.commands import CommandResults, NoGameError, results_of
from trine.house.games.live.live_game import LiveGame, read_live_game
from trine.house.games.storage import tables
from trine.house.games.storage.events import Event, events_of_games
from trine.house.games.storage.tables import ConditionRow, GameRow, SeatRow


@dataclass(frozen=True)
class StoredGame:
    """A game as it is stored, with the results of its commands."""

    row: GameRow
    live: LiveGame
    answers: CommandResults


def stored_games(connection: Connection, game_ids: Sequence[str]) -> dict[str, StoredGame]:
    """Return games by id, with their turns replayed; raises `NoGameError`."""
    rows = tables.games_by_id(connection, game_ids)
    if len(rows) < len(game_ids):
        raise NoGameError
    seats, events = (
        tables.seats_of_games(connection, game_ids),
        events_of_games(connection, game_ids),
    )
    conditions = tables.conditions_of(connection, game_ids)
    return {
        key: _stored_game(row, seats.get(key, ()), events.get(key, ()), conditions.get(key, ()))
        for key, row in rows.items()
    }


def _stored_game(
    row: GameRow,
    seats: Sequence[SeatRow],
    events: Sequence[Event],
    conditions: Sequence[ConditionRow],
) -> StoredGame:
    live = read_live_game(row, seats, events)
    turns = len(live.state.play.turns) if live.state else 0
    live = replace(live, conditions=kept_conditions(conditions, turns))
    return StoredGame(row, live, results_of(events))
