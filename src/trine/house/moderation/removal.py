"""The removal of all copies of a name, after an administrator has removed the name.

The transaction that removes the original also schedules a task to remove the copies, so they are
removed even if the house crashes in between. A test searches all tables for forgotten copies.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from trine.house.games.live.change_hooks import Write
from trine.house.games.live.games import Games
from trine.house.games.storage.own_games import rename_at_boards
from trine.house.games.storage.records import RecordFolder
from trine.house.lobby.challenges import Challenges
from trine.house.lobby.lobby import Lobby
from trine.house.people.accounts import RENAMED
from trine.house.people.tables import Person, read_person
from trine.house.store.scheduled_tasks import schedule
from trine.house.store.store import Store
from trine.house.talk.chat import Chats
from trine.house.talk.tables import rename_lines
from trine.house.tournaments.tables import games_of_tournament, take_event_off
from trine.house.tournaments.tournament_steps import NAMELESS

STRUCK: Final = "struck"
"""The kind of task that removes the name of a cancelled tournament from its games."""


@dataclass(frozen=True)
class Removal:
    """Removes all copies of names that an administrator has removed."""

    store: Store
    games: Games
    records: RecordFolder
    lobby: Lobby
    challenges: Challenges
    chats: Chats
    publish: Callable[[str], None]
    """Called with the id of a person, so that the other processes show the name, too."""

    @property
    def kinds(self) -> dict[str, Callable[[str], Awaitable[None]]]:
        """The scheduled tasks of this package, by kind."""
        return {kind: partial(self.finish, kind) for kind in (RENAMED, STRUCK)}

    def due(self, kind: str, ref: str) -> Write:
        """Return the write that schedules the removal of copies, for the original's transaction."""
        return partial(schedule, kind=kind, ref=ref, at=self.store.now())

    async def finish(self, kind: str, ref: str) -> None:
        """Remove the copies; a repeat does nothing."""
        await (self._rename(ref) if kind == RENAMED else self._strike(ref))
        await self.store.commit(schedule, kind, ref, None)

    async def _rename(self, person_id: str) -> None:
        """Replace a person's former name, which may be rude, by the present one."""
        person = await self.store.fetch(read_person, person_id)
        if not person or not person.is_here:
            return
        await rename_at_boards(self.store, self.games, person, running=False, records=self.records)
        await self.store.commit(rename_lines, person.id, person.name)
        self.show_name(person)
        self.publish(person.id)

    def show_name(self, person: Person) -> None:
        """Replace a person's former name in the memory of this process."""
        self.lobby.rename(person)
        self.challenges.rename(person)
        self.chats.rename(person)

    async def _strike(self, tournament: str) -> None:
        for game in await self.store.fetch(games_of_tournament, tournament):
            renewal = self.records.renewal(game)
            await self.store.commit(take_event_off, game, NAMELESS, renewal)
            self.games.rename_event(game, NAMELESS)
