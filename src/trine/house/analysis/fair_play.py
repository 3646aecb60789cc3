"""Fair play: the computer does not analyse a person's own running game that gives no hints."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import Connection

from trine.core.play import Play
from trine.house.games.live.games import Games
from trine.house.games.storage.events import read_events
from trine.house.games.storage.records import entries_of
from trine.house.games.storage.tables import Stage, games_of
from trine.house.people.tables import Person
from trine.house.refusals import HouseError
from trine.house.store.store import Store
from trine.play.session.changes import rebuild

FROM_TURN: Final = 4
"""From this turn on a position identifies a game, and lines that reach the position are refused
too. Earlier positions are common to many games."""


async def check_fair(store: Store, games: Games, person: Person | None, play: Play) -> None:
    """Raise a `HouseError` if a line reaches the position of the person's running no-hints game."""
    if not person:
        return
    room, rules, written = play.room.name, play.position.rules.name, play.room.rules.format_position
    for game in await store.fetch(_games_without_help, person.id, room, rules):
        if actor := games.loaded(game):
            state = actor.game.state
        else:
            state = rebuild(entries_of(await store.fetch(read_events, game)))
        if state and not state.outcome:
            before = play.turns if len(state.play.turns) >= FROM_TURN else []
            known = {written(play.position), *(written(turn.before) for turn in before)}
            if written(state.play.position) in known:
                raise HouseError(
                    "you play this in a game that gives no hints; analyse it when that is over"
                )


def _games_without_help(
    connection: Connection, person_id: str, room: str, rules: str
) -> Collection[str]:
    return [
        row.id
        for row in games_of(connection, person_id, running=True)
        if (row.stage, row.room, row.rules) == (Stage.PLAYING, room, rules)
        and not row.terms.get("casual", True)
    ]
