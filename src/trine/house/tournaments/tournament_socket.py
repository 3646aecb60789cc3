"""The socket of a page that shows a tournament; it only sends."""

from __future__ import annotations

from typing import Final

from starlette.websockets import WebSocket

from trine.house.people.person_rows import Person
from trine.house.tournaments.messages import TournamentLists
from trine.house.tournaments.state import TournamentState
from trine.house.tournaments.tournament_views import body
from trine.house.tournaments.tournaments import Tournaments
from trine.house.web.frame import Frame
from trine.house.web.listening_socket import ListeningSocket
from trine.house.web.messages import Go, write_message
from trine.house.web.pages import Pages

MOST_MADE: Final = 64
"""Messages that are kept, for all who see the same."""


class TournamentBodies:
    """The changing parts of the pages of tournaments, made once for all who only watch."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._made: dict[tuple[str, str, bool], tuple[TournamentState, str | bytes]] = {}

    def message(self, state: TournamentState, person: Person | None, code: str) -> str | bytes:
        """Return the message that shows a tournament to a person."""
        if person and (person.id == state.row.owner or state.of_person(person.id)):
            return self._write(state, person, code)
        may_join = bool(person and (person.has_account or not state.agreement.rated))
        key = (state.row.id, code, may_join)
        known = self._made.get(key)
        if not known or known[0] is not state:
            while len(self._made) > MOST_MADE:
                self._made.pop(next(iter(self._made)))
            known = self._made[key] = (state, self._write(state, person, code))
        return known[1]

    def _write(self, state: TournamentState, person: Person | None, code: str) -> str | bytes:
        html = body(self._pages, state, person, code)
        return write_message(TournamentLists(html), str)


class TournamentSocket(ListeningSocket):
    """One open page of a tournament."""

    def __init__(
        self,
        frame: Frame[Person],
        socket: WebSocket,
        tournaments: Tournaments,
        bodies: TournamentBodies,
        person: Person | None,
        name: str,
    ) -> None:
        super().__init__(frame, socket)
        self._tournaments, self._bodies, self._person = tournaments, bodies, person
        self._name = name
        self._shown: TournamentState | None = None
        self._game: str | None = None
        """The game of whoever looks, as far as the page has been told."""

    async def run(self) -> None:
        """Speak until one of both sides goes."""
        person = self._person.id if self._person else None
        await self._tournaments.enter(self, self._name, person)
        self.wake()
        await super().run()

    def gone(self) -> None:
        """The page has gone."""
        self._tournaments.leave(self)

    def changed(self) -> None:
        """The tournament has changed."""
        self.wake()

    async def show(self) -> None:
        """Send the changed state of the tournament, and lead to a new game."""
        state = self._tournaments.state(self._name)
        if not state or state is self._shown:
            return
        before, self._shown = self._shown, state
        game, known = state.game_of(self._person.id if self._person else None), self._game
        self._game = game
        if before and game and game != known and not state.agreement.by_days:
            await self.tell(Go(game))
        await self.send(self._bodies.message(state, self._person, self._language.code))
