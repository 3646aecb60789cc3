"""The socket of a page that shows a tournament: nothing is asked there, all is told."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocket

from trine.house.standing import TournamentState
from trine.store.people import Person
from trine.web.messages import write_message
from trine.web.telling import Telling
from trine.web.tournament_views import body

if TYPE_CHECKING:
    from trine.web.site import Site


class TournamentConnection(Telling):
    """One open page of a tournament."""

    def __init__(
        self, site: Site, socket: WebSocket, person: Person | None, code: str, name: str
    ) -> None:
        super().__init__(site, socket, code)
        self._person = person
        self._name = name
        self._shown: TournamentState | None = None
        self._game: str | None = None
        """The game of whoever looks, as far as the page has been told."""

    async def run(self) -> None:
        """Speak until one of both sides goes."""
        person = self._person.id if self._person else None
        await self.site.house.tournaments.enter(self, self._name, person)
        self.wake()
        await super().run()

    def gone(self) -> None:
        """The page has gone."""
        self.site.house.tournaments.leave(self)

    def changed(self) -> None:
        """The tournament has changed."""
        self.wake()

    async def show(self) -> None:
        """Send how the tournament stands, as far as it has changed, and lead to a new game."""
        state = self.site.house.tournaments.state(self._name)
        if not state or state is self._shown:
            return
        before, self._shown = self._shown, state
        game, known = state.game_of(self._person.id if self._person else None), self._game
        self._game = game
        if before and game and game != known and not state.agreement.by_days:
            await self.send(write_message({"t": "go", "game": game}))
        await self.send(self._told(state))

    def _told(self, state: TournamentState) -> str | bytes:
        """The message that shows the tournament, made once for all who only look."""
        person, code = self._person, self._language.code
        owner = person and person.id == state.row.owner
        if person and (owner or state.of_person(person.id)):
            return self._made(state, person)
        may_join = bool(person and (person.has_account or not state.agreement.rated))
        made, key = _made(self.site), (self._name, code, may_join)
        known = made.get(key)
        if not known or known[0] is not state:
            while len(made) > 64:
                made.pop(next(iter(made)))
            known = made[key] = (state, self._made(state, person))
        return known[1]

    def _made(self, state: TournamentState, person: Person | None) -> str | bytes:
        html = body(self.site.pages, state, person, self._language.code)
        return write_message({"t": "tournament", "html": html})


@lru_cache(maxsize=4)
def _made(site: Site) -> dict[Any, tuple[TournamentState, str | bytes]]:
    return {}
