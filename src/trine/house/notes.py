"""Public notes on a game that is over: lines of talk that are about a turn, or the whole of it.

They lie where the lines of chat do, in a room of their own: so whoever is muted leaves none, who
is blocked is not read, and reports, deleted lines and deleted accounts are treated as there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING, Final

from trine.core.text import text
from trine.house.accounts import ADMIN
from trine.house.chat import seemly_line
from trine.house.refusals import HouseError
from trine.house.snapshot import Snapshot
from trine.store import chat_rows
from trine.store.chat_rows import NOTES, ChatLine
from trine.store.people import Person

if TYPE_CHECKING:
    from trine.house.house import House

LONGEST: Final = 500
"""Units: characters; of a note."""
SHOWN: Final = 300
"""The notes of a game that are shown, and that are kept of one."""
MOST: Final = 30
"""The notes of one person on a game."""


class Notes:
    """The notes of a house."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def read(self, snapshot: Snapshot, viewer: Person | None) -> Sequence[ChatLine]:
        """The notes on a game, those on the whole of it first; without those of who is blocked."""
        if not may_have_notes(snapshot):
            return []
        blocked: Container[str] = ()
        if viewer:
            blocked = await self._house.moderation.blocked_by(viewer.id)
        notes = await self._all(snapshot.game)
        return [one for one in notes if one.words and one.person not in blocked]

    async def _all(self, game: str) -> Sequence[ChatLine]:
        return await asyncio.to_thread(
            self._house.store.read, chat_rows.notes_of, game=game, limit=SHOWN
        )

    async def leave(
        self, person: Person | None, snapshot: Snapshot, words: str, turn: int | None
    ) -> ChatLine:
        """Leave a note, on the position after some turns or on the whole game.

        Raises:
            TrineError: this person cannot, here or now.
        """
        if not may_have_notes(snapshot) or not snapshot.state:
            raise HouseError(text("notes are for games that are over"))
        if not person or not person.has_account:
            raise HouseError(text("to leave a note you need an account"))
        if muted := self._house.moderation.why_mute(person.id):
            raise HouseError(muted)
        if turn is not None and not 0 <= turn <= len(snapshot.state.play.turns):
            raise HouseError(text("the game has no such turn"))
        line = ChatLine(
            snapshot.game,
            0,
            NOTES,
            person.id,
            person.name,
            self._house.now(),
            seemly_line(words, LONGEST),
            turn=turn,
        )
        left = await asyncio.wrap_future(
            self._house.store.write(chat_rows.add_note, line=line, most=MOST, all_together=SHOWN)
        )
        if not left:
            raise HouseError(text("there are enough notes on this game"))
        return left

    async def note(self, game: str, number: int) -> ChatLine:
        """A note that is shown.

        Raises:
            HouseError: there is none.
        """
        for one in await self._all(game):
            if one.number == number:
                return one
        raise HouseError(text("there is no such note"))

    async def remove(self, person: Person, game: str, number: int) -> None:
        """Have nobody see a note any more but moderators: one's own, or as an administrator.

        Raises:
            HouseError: there is none, or it is another's.
        """
        note = await self.note(game, number)
        if note.person != person.id:
            account = await self._house.accounts.of(person)
            if not account or account.role != ADMIN:
                raise HouseError(text("this note is not yours"))
            await self._house.moderation.note_deletion(person, note)
        await self._house.chats.delete(game, number)


def may_have_notes(snapshot: Snapshot) -> bool:
    """Whether a game is one on which notes are left."""
    return snapshot.over and snapshot.state is not None and not snapshot.aborted
