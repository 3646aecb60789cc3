"""The socket of a page that shows the lobby; it only sends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from starlette.websockets import WebSocket

from trine.house.games.games import Games
from trine.house.games.own_games import Running
from trine.house.lobby import messages
from trine.house.lobby.challenges import Challenge, Challenges
from trine.house.lobby.lobby import Lobby, LobbyView
from trine.house.people.person_rows import Person
from trine.house.web.frame import Frame
from trine.house.web.listening_socket import ListeningSocket
from trine.house.web.messages import Go, write_message

MOST_MADE: Final = 64
"""Messages that are kept, for all who see the same."""


class LobbyLists:
    """The lists of the lobby as HTML; messages are made once for all who see the same."""

    def __init__(
        self, frame: Frame[Person], lobby: Lobby, challenges: Challenges, games: Games
    ) -> None:
        self._frame, self._lobby, self._challenges, self._games = frame, lobby, challenges, games
        self._made: dict[tuple[object, ...], str | bytes] = {}

    def html(
        self, view: LobbyView, person: Person | None, own: Sequence[Running], code: str, show: str
    ) -> str:
        """Return the lists for a person.

        Args: ``show`` is the game of which alone seats and games are shown; empty for all.
        """
        return self._frame.pages.write(
            "lobby_lists.html",
            code,
            seeks=[one for one in view.seeks if show in ("", one.agreement.game)],
            live=[one for one in view.live if show in ("", one.agreement.game)],
            me=person,
            own=own,
            now=self._frame.now(),
            challenges=self.challenges_of(person),
            home=False,
            may_rate=person is not None and person.has_account,
        )

    def message(
        self,
        key: tuple[object, ...],
        person: Person | None,
        own: Sequence[Running],
        code: str,
        show: str,
    ) -> str | bytes:
        """The message that shows the lobby to all for whom the key is the same."""
        if key not in self._made:
            html = self.html(self._lobby.view, person, own, code, show)
            while len(self._made) > MOST_MADE:
                self._made.pop(next(iter(self._made)))
            self._made[key] = write_message(messages.LobbyLists(html), str)
        return self._made[key]

    def challenges_of(self, person: Person | None) -> Sequence[Challenge]:
        """Return the challenges of a person."""
        return self._challenges.of(person.id) if person else ()

    def in_memory(self) -> set[str]:
        """The ids of the games in memory."""
        return {host.id for host in self._games.hosts}


class LobbySocket(ListeningSocket):
    """One open page of the lobby."""

    def __init__(
        self,
        frame: Frame[Person],
        socket: WebSocket,
        lobby: Lobby,
        lists: LobbyLists,
        person: Person | None,
        own: Sequence[Running],
        show: str,
    ) -> None:
        super().__init__(frame, socket)
        self._lobby, self._lists, self._person, self._show = lobby, lists, person, show
        self._idle = own
        """Running games that may have left memory since."""
        self._shown: Any = None
        self._game = ""

    async def run(self) -> None:
        """Speak until one of both sides goes."""
        self._lobby.enter(self, self._person.id if self._person else None)
        self._game = self._lobby.led_to(self._person)
        self.wake()
        await super().run()

    def gone(self) -> None:
        """The page has gone."""
        self._lobby.leave(self)

    def changed(self) -> None:
        """The lobby has changed."""
        if self._key() != self._shown:
            self.wake()

    def lead(self, game: str) -> None:
        """A game of the person at the page has begun."""
        self._game = game
        self.wake()

    async def show(self) -> None:
        """Send the changed parts of the lobby."""
        if self._game:
            game, self._game = self._game, ""
            self._lobby.led_to(self._person)
            await self.tell(Go(game))
        key = self._key()
        if key != self._shown:
            self._shown = key
            await self.send(
                self._lists.message(
                    *(key, self._person, self._own(), self._language.code, self._show)
                )
            )

    def _own(self) -> list[Running]:
        """One's own games: as they stand in memory, or as they stood when the page was opened."""
        view = self._lobby.view
        live = view.own.get(self._person.id, ()) if self._person else ()
        known = {one.game for one in live}
        in_memory = self._lists.in_memory() if self._idle else set()
        self._idle = [one for one in self._idle if one.game in known or one.game not in in_memory]
        resting = [one for one in self._idle if one.game not in known]
        return sorted([*live, *resting], key=lambda one: one.order)

    def _key(self) -> tuple[object, ...]:
        """All that decides the look of the lobby for this page."""
        view = self._lobby.view
        mine = tuple((one.game, one.to_move) for one in self._own())
        challenges = tuple(one.id for one in self._lists.challenges_of(self._person))
        takes_part = any(seek.has(self._person) for seek in view.seeks)
        alone = self._person.id if self._person and (mine or challenges or takes_part) else ""
        rated = bool(self._person and self._person.has_account)
        live = tuple(
            (one.game, one.stage, tuple(map(str, one.standings.values()))) for one in view.live
        )
        who = (alone, rated, self._language.code)
        return (view.version, live, mine, challenges, self._show, *who)
