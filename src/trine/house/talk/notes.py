"""Public notes on a finished game, about a turn or the whole game.

They are stored as lines of chat in a separate room: so muting, blocking, reports, deleted lines and
deleted accounts work as there.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Sequence
from dataclasses import dataclass
from typing import Final

from trine.core.text.sentence import text
from trine.house.games.snapshot import Snapshot
from trine.house.people.accounts import Accounts
from trine.house.people.blocks import Blocks
from trine.house.people.sanctions import Sanctions
from trine.house.people.tables import Person
from trine.house.refusals import HouseError
from trine.house.store.store import Store
from trine.house.talk.chat import Chats, seemly_line
from trine.house.talk.tables import NOTES, ChatLine, add_note, notes_of

LONGEST: Final = 500
"""Units: characters; the longest note."""
SHOWN: Final = 300
"""The largest number of notes on a game."""
MOST: Final = 30
"""The largest number of notes of one person on a game."""


@dataclass(frozen=True)
class Notes:
    """The notes of a house."""

    store: Store
    chats: Chats
    accounts: Accounts
    blocks: Blocks
    sanctions: Sanctions
    deleted: Callable[[Person, ChatLine], Awaitable[None]]
    """Logs that an administrator deletes a note of another."""

    async def read(self, snapshot: Snapshot, viewer: Person | None) -> Sequence[ChatLine]:
        """Return the notes on a game, those on all of it first, without those of blocked people."""
        if not may_have_notes(snapshot):
            return []
        blocked: Container[str] = ()
        if viewer:
            blocked = await self.blocks.blocked_by(viewer.id)
        notes = await self._all(snapshot.game)
        return [one for one in notes if one.words and one.person not in blocked]

    async def _all(self, game: str) -> Sequence[ChatLine]:
        return await self.store.fetch(notes_of, game=game, limit=SHOWN)

    async def leave(
        self, person: Person | None, snapshot: Snapshot, words: str, turn: int | None
    ) -> ChatLine:
        """Leave a note, on the position after some turns or on the whole game."""
        if not may_have_notes(snapshot) or not snapshot.state:
            raise HouseError(text("notes are for games that are over"))
        if not person or not person.has_account:
            raise HouseError(text("to leave a note you need an account"))
        if muted := self.sanctions.why_mute(person.id):
            raise HouseError(muted)
        if turn is not None and not 0 <= turn <= len(snapshot.state.play.turns):
            raise HouseError(text("the game has no such turn"))
        line = ChatLine(
            snapshot.game,
            0,
            NOTES,
            person.id,
            person.name,
            self.store.now(),
            seemly_line(words, LONGEST),
            turn=turn,
        )
        left = await self.store.commit(add_note, line=line, most=MOST, all_together=SHOWN)
        if not left:
            raise HouseError(text("there are enough notes on this game"))
        return left

    async def note(self, game: str, number: int) -> ChatLine:
        for one in await self._all(game):
            if one.number == number:
                return one
        raise HouseError(text("there is no such note"))

    async def remove(self, person: Person, game: str, number: int) -> None:
        """Hide a note from everybody but moderators: one's own, or any as an administrator.

        Raises:
            HouseError: there is none, or it is another's.
        """
        note = await self.note(game, number)
        if note.person != person.id:
            account = await self.accounts.of(person)
            if not account or not account.admin:
                raise HouseError(text("this note is not yours"))
            await self.deleted(person, note)
        await self.chats.delete(game, number)


def may_have_notes(snapshot: Snapshot) -> bool:
    return snapshot.over and snapshot.state is not None and not snapshot.aborted
