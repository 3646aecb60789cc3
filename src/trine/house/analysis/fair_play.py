"""Fair play: the computer helps nobody in a running game of their own that gives no hints."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import Connection

from trine.core.play import Play
from trine.house.games.events import read_events
from trine.house.games.games import Games
from trine.house.games.records import entries_of
from trine.house.games.tables import Stage, games_of
from trine.house.people.tables import Person
from trine.house.refusals import HouseError
from trine.house.store.store import Store
from trine.play.session.changes import rebuild

FROM: Final = 4
"""The number of turns from which a game is known by its position: then lines that lead through it
are not analysed either. Before, games of many people stand so."""


async def check_fair(store: Store, games: Games, person: Person | None, play: Play) -> None:
    """Check that a position is neither that of a running game of a person nor behind it.

    Raises:
        HouseError: it is, and in that game nobody is helped.
    """
    if not person:
        return
    room, rules, written = play.room.name, play.position.rules.name, play.room.rules.format_position
    for game in await store.fetch(_games_without_help, person.id, room, rules):
        if host := games.loaded(game):
            state = host.game.state
        else:
            state = rebuild(entries_of(await store.fetch(read_events, game)))
        if state and not state.outcome:
            before = play.turns if len(state.play.turns) >= FROM else []
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
