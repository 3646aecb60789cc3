"""The messages between the processes of a house, and the games in other processes."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from trine.house.games.live.games import Games
from trine.house.games.live.live_game import read_live_game
from trine.house.games.storage.events import read_events
from trine.house.games.storage.tables import read_game, read_seats
from trine.house.games.view.snapshot import Snapshot, snapshot_of
from trine.house.people.online import Online
from trine.house.processes.tables import LEASE
from trine.house.ratings.ratings import Ratings
from trine.house.store.pubsub import Messages, PubSub
from trine.house.store.store import Store

MAX_LISTED: Final = 20  # games to watch that a process announces
ANNOUNCE_INTERVAL: Final = 20.0
"""Units: seconds; the interval between announcements. Games of a process are delisted after three
intervals without an announcement."""
SYNC_INTERVAL: Final = 1.0  # seconds
DROP, LIVE, CUT, RECHECK, HERE, GONE = "drop", "live", "cut", "recheck", "here", "gone"
NEW_NAME, NAME_REMOVED = "new name", "name removed"
"""The kinds of messages: games that moved to another process, games to watch, token hashes of ended
sessions, accounts whose program tokens may be invalid, accounts that are online, and deleted
accounts; people with a new name, and those whose former name an administrator has removed."""


async def _nothing() -> None: ...


class ProcessBus:
    """The messages between the processes of a house."""

    def __init__(
        self,
        store: Store,
        games: Games,
        ratings: Ratings,
        online: Online,
        home: str,
        on_gap: Callable[[], None],
    ) -> None:
        """``on_gap`` is called when messages may have been missed."""
        self._store, self._games, self._ratings = store, games, ratings
        self._home, self._check_all, self._online = home, on_gap, online
        self._pubsub: PubSub | None = None
        self._published: tuple[list[str], float] = ([], 0.0)
        self._published_online: tuple[set[str], float] = (set(), 0.0)
        self._listed: dict[str, tuple[list[str], float]] = {}
        """The games to watch of each process, and the time of its announcement."""
        self._remote: dict[str, Snapshot] = {}
        self.close_sessions: Callable[[Sequence[str]], None] = lambda hashes: None
        """A function that closes the sockets of ended sessions, by the hashes of their tokens."""
        self.recheck: Callable[[Sequence[str]], None] = lambda people: None
        """A function that checks the program tokens of the open streams of some accounts."""
        self.recheck_all: Callable[[], Awaitable[None]] = _nothing
        """Checks the sessions and tokens of all open sockets and streams, and people in memory."""
        self._missed = False  # whether messages may have been missed since the last check of all
        self.purge: Callable[[Sequence[str]], None] = lambda people: None
        """A function that is called with the ids of people whose accounts were deleted."""
        self.renamed: Callable[..., None] = lambda people, *, removed: None
        """Called with ids of renamed people, and whether all copies of former names go."""

    async def begin(self) -> None:
        """Start listening if the store is shared, so that this process counts as connected."""
        call = asyncio.get_running_loop().call_soon_threadsafe
        self._pubsub = self._store.pubsub(
            self._home,
            lambda name, news: call(self._on_message, name, news),
            lambda: call(self._on_gap),
        )
        if self._pubsub:
            await asyncio.to_thread(self._pubsub.listens.wait, LEASE)

    async def end(self) -> None:
        """Send the remaining messages, and stop listening."""
        if self._pubsub:
            await asyncio.to_thread(self._pubsub.close)

    def publish(self, kind: str, *messages: Any) -> None:
        """Send messages to the other processes, with the next batch."""
        if self._pubsub:
            self._pubsub.publish(kind, *messages)

    def publish_ended(self, hashes: Sequence[str], person_id: str = "") -> None:
        """Close the sockets of ended sessions in the other processes.

        The program tokens of ``person_id``, if given, are invalid now, too; that person's streams
        end here as well.
        """
        if hashes:
            self.publish(CUT, *hashes)
        if person_id:
            self.recheck([person_id])
            self.publish(RECHECK, person_id)

    def _on_gap(self) -> None:
        self._missed = True
        self._check_all()

    def _on_message(self, name: str, news: Messages) -> None:
        for game in news.get(DROP, ()):
            self._games.forget_moved(game)
        if hashes := news.get(CUT):
            self.close_sessions(hashes)
        self.recheck(news.get(RECHECK, ()))
        self._online.hear(news.get(HERE, ()))
        self.purge(news.get(GONE, ()))
        for kind in (NEW_NAME, NAME_REMOVED):
            if people := news.get(kind):
                self.renamed(people, removed=kind == NAME_REMOVED)
        if LIVE in news:
            self._listed[name] = (news[LIVE], self._store.now())

    @property
    def live(self) -> list[Snapshot]:
        return list(self._remote.values())

    async def sync(self) -> None:
        """Publish who is online and what to watch here, and read the games that others list.

        If messages may have been missed, all open sockets are checked; a failed check is repeated.
        """
        if self._missed:
            self._missed = False
            try:
                await self.recheck_all()
            except BaseException:
                self._missed = True
                raise
        self._publish_online()
        self._publish_listed()
        await self._fetch_remote()

    def _publish_online(self) -> None:
        here, now = self._online.here(), self._store.now()
        known, at = self._published_online
        if now - at > ANNOUNCE_INTERVAL:
            known, at = set(), now
        self._published_online = here, at
        if fresh := here - known:
            self.publish(HERE, *sorted(fresh))

    def _publish_listed(self) -> None:
        shown = sorted(self._games.listed, key=lambda snapshot: -snapshot.at)
        listed, now = sorted(one.game for one in shown[:MAX_LISTED]), self._store.now()
        before, at = self._published
        if listed != before or (listed and now - at > ANNOUNCE_INTERVAL):
            self._published = listed, now
            self.publish(LIVE, *listed)

    async def _fetch_remote(self) -> None:
        late = self._store.now() - 3 * ANNOUNCE_INTERVAL
        self._listed = {name: listed for name, listed in self._listed.items() if listed[1] > late}
        here = {actor.id for actor in self._games.actors}
        wanted = {game for games, _ in self._listed.values() for game in games} - here
        afar = {game: shot for game, shot in self._remote.items() if game in wanted}
        for game in wanted - set(afar):
            if found := await self.stored_snapshot(game):
                afar[game] = found
        self._remote = afar

    async def stored_snapshot(self, game_id: str) -> Snapshot | None:
        """Return a game as it is stored, whichever process has it; None if there is none."""
        snapshot = await asyncio.to_thread(self._read, game_id)
        if not snapshot:
            return None
        (standings,) = await self._ratings.standings((snapshot.agreement, snapshot.seats))
        return replace(snapshot, standings=standings)

    def _read(self, game_id: str) -> Snapshot | None:
        store = self._store
        row = store.read(read_game, game_id)
        if not row:
            return None
        seats, events = store.read(read_seats, game_id), store.read(read_events, game_id)
        at = events[-1].at if events else row.created_at
        return snapshot_of(read_live_game(row, seats, events), at=at)
