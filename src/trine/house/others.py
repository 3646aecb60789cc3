"""The other processes of the house: what they tell, and games that are played there, from afar."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from trine.core.errors import TrineError
from trine.house.agreement import Agreement
from trine.house.export import ABORT, entries_of
from trine.house.snapshot import Snapshot
from trine.session.changes import rebuilt
from trine.store.bulletin import Bulletin, News
from trine.store.game_rows import Stage

if TYPE_CHECKING:
    from trine.house.house import House

MOST_LISTED: Final = 20
"""The games to watch of which a process tells the others."""
AGAIN: Final = 20.0
"""Units: seconds; after so long they are told again, and after three times that they are gone."""
LOOK: Final = 1.0
"""Units: seconds; lists are told no more often."""
DROP, LIVE, CUT = "drop", "live", "cut"
"""Games that have changed their home; games to watch; hashes of tokens no longer good."""


class Others:
    """The knowledge that processes of a house have of each other."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._bulletin: Bulletin | None = None
        self._told: tuple[list[str], float] = ([], 0.0)
        self._listed: dict[str, tuple[list[str], float]] = {}
        """By process, the games to watch there, and when that was told."""
        self._afar: dict[str, Snapshot] = {}
        self.cut: Callable[[Sequence[str]], None] = lambda hashes: None
        """Is told the hashes of tokens that are no longer good."""

    def begin(self) -> None:
        """Listen to the others, if there can be any."""
        loop, store = asyncio.get_running_loop(), self._house.store

        def heard(name: str, news: News) -> None:
            loop.call_soon_threadsafe(self._heard, name, news)

        def missed() -> None:
            loop.call_soon_threadsafe(self._house.doubt)

        self._bulletin = store.homes.bulletin(self._house.lease.home, heard, missed)

    async def end(self) -> None:
        """Send what is left, and stop listening."""
        if self._bulletin:
            await asyncio.to_thread(self._bulletin.close)

    def tell(self, kind: str, *things: Any) -> None:
        """Tell the others something, soon."""
        if self._bulletin:
            self._bulletin.tell(kind, *things)

    def _heard(self, name: str, news: News) -> None:
        for game in news.get(DROP, ()):
            self._house.forget(game)
        if hashes := news.get(CUT):
            self.cut(hashes)
        if LIVE in news:
            self._listed[name] = (news[LIVE], self._house.now())

    # --- games to watch ---------------------------------------------------------------------------

    @property
    def live(self) -> list[Snapshot]:
        """The games to watch that are played in other processes."""
        return list(self._afar.values())

    async def run(self) -> None:
        """Tell which games can be watched here, and learn which ones elsewhere, for ever."""
        while True:
            await asyncio.sleep(LOOK)
            try:
                self._tell_listed()
                await self._look_afar()
            except TrineError as error:
                self._house.report("the games elsewhere could not be looked up", error)

    def _tell_listed(self) -> None:
        shown = [
            host.snapshot
            for host in self._house.hosts
            if host.agreement.listed and host.snapshot.state and not host.snapshot.over
        ]
        shown.sort(key=lambda snapshot: -snapshot.at)
        listed, now = sorted(one.game for one in shown[:MOST_LISTED]), self._house.now()
        before, at = self._told
        if listed != before or (listed and now - at > AGAIN):
            self._told = listed, now
            self.tell(LIVE, *listed)

    async def _look_afar(self) -> None:
        late = self._house.now() - 3 * AGAIN
        self._listed = {name: told for name, told in self._listed.items() if told[1] > late}
        here = {host.id for host in self._house.hosts}
        wanted = {game for games, _ in self._listed.values() for game in games} - here
        afar = {game: shot for game, shot in self._afar.items() if game in wanted}
        for game in wanted - set(afar):
            if found := await self.look(game):
                afar[game] = found
        self._afar = afar

    async def look(self, game: str) -> Snapshot | None:
        """Return a game as it stands in the store, wherever it is played; None if there is none."""
        snapshot = await asyncio.to_thread(self._read, game)
        if not snapshot:
            return None
        standings = await self._house.ratings.standings(snapshot.agreement, snapshot.seats)
        return replace(snapshot, standings=standings)

    def _read(self, game: str) -> Snapshot | None:
        store = self._house.store
        row = store.game(game)
        if not row:
            return None
        seats, events = store.seats(game), store.events(game)
        entries = entries_of(events)
        return Snapshot(
            game,
            Agreement.from_data(row.terms),
            tuple(seats),
            row.stage,
            len(events),
            0,
            rebuilt(entries) if entries else None,
            aborted=row.stage is Stage.OVER and any(event.kind == ABORT for event in events),
            at=events[-1].at if events else row.created_at,
        )
