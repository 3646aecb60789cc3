"""The socket of a page that shows the lobby: nothing is asked there, all is told."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocket

from trine.house.challenges import Challenge
from trine.house.lobby import LobbyView
from trine.house.own_games import Running
from trine.store.people import Person
from trine.web import words
from trine.web.messages import write_message
from trine.web.pages import Pages
from trine.web.people_words import PEOPLE, SPEEDS
from trine.web.program_words import CHALLENGES
from trine.web.telling import Telling

if TYPE_CHECKING:
    from trine.web.site import Site


def lists(
    pages: Pages,
    view: LobbyView,
    person: Person | None,
    own: Sequence[Running],
    challenges: Sequence[Challenge],
    code: str,
    now: float,
) -> str:
    """The lists of the lobby as somebody sees them, as HTML."""
    return pages.write(
        "lobby_lists.html",
        code,
        view=view,
        me=person,
        own=own,
        now=now,
        challenges=challenges,
        home=False,
        told=words.said(CHALLENGES, code),
        may_rate=person is not None and person.has_account,
        people=words.said(PEOPLE, code),
        speeds=SPEEDS,
    )


class LobbyConnection(Telling):
    """One open page of the lobby."""

    def __init__(
        self,
        site: Site,
        socket: WebSocket,
        person: Person | None,
        code: str,
        own: Sequence[Running],
    ) -> None:
        super().__init__(site, socket, code)
        self._person = person
        self._idle = own
        """Running games that may have left memory since."""
        self._shown: Any = None
        self._game = ""

    async def run(self) -> None:
        """Speak until one of both sides goes."""
        lobby = self.site.house.lobby
        lobby.enter(self, self._person.id if self._person else None)
        self._game = lobby.led_to(self._person)
        self.wake()
        await super().run()

    def gone(self) -> None:
        """The page has gone."""
        self.site.house.lobby.leave(self)

    def changed(self) -> None:
        """The lobby has changed."""
        if self._key() != self._shown:
            self.wake()

    def lead(self, game: str) -> None:
        """A game of whoever looks has begun."""
        self._game = game
        self.wake()

    async def show(self) -> None:
        """Send how the lobby is, as far as it has changed."""
        if self._game:
            game, self._game = self._game, ""
            self.site.house.lobby.led_to(self._person)
            await self.send(write_message({"t": "go", "game": game}))
        key = self._key()
        if key != self._shown:
            self._shown = key
            await self.send(self._told(key))

    def _own(self) -> list[Running]:
        """One's own games: as they stand in memory, or as they stood when the page was opened."""
        view = self.site.house.lobby.view
        live = view.own.get(self._person.id, ()) if self._person else ()
        known = {one.game for one in live}
        in_memory = {host.id for host in self.site.house.hosts} if self._idle else set()
        self._idle = [one for one in self._idle if one.game in known or one.game not in in_memory]
        resting = [one for one in self._idle if one.game not in known]
        return sorted([*live, *resting], key=lambda one: one.order)

    def _key(self) -> tuple[object, ...]:
        """All that decides the look of the lobby for this page."""
        view = self.site.house.lobby.view
        mine = tuple((one.game, one.to_move) for one in self._own())
        challenges = tuple(one.id for one in self._challenges())
        takes_part = any(seek.has(self._person) for seek in view.seeks)
        alone = self._person.id if self._person and (mine or challenges or takes_part) else ""
        rated = bool(self._person and self._person.has_account)
        live = tuple(
            (one.game, one.stage, tuple(map(str, one.standings.values()))) for one in view.live
        )
        return (view.version, live, mine, challenges, alone, rated, self._language.code)

    def _challenges(self) -> Sequence[Challenge]:
        person = self._person
        return self.site.house.challenges.of(person.id) if person else ()

    def _told(self, key: tuple[object, ...]) -> str | bytes:
        """The message that shows the lobby, made once for all who see the same."""
        made = _made(self.site)
        if key not in made:
            view, person = self.site.house.lobby.view, self._person
            own, now = self._own(), self.site.house.now()
            html = lists(
                *(self.site.pages, view, person, own, self._challenges()),
                *(self._language.code, now),
            )
            while len(made) > 64:
                made.pop(next(iter(made)))
            made[key] = write_message({"t": "lobby", "html": html})
        return made[key]


@lru_cache(maxsize=4)
def _made(site: Site) -> dict[tuple[object, ...], str | bytes]:
    return {}
