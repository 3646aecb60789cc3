"""The interface of the store: methods that read, and methods that write.

A method that writes returns a future, done when the write is safe on disk: use ``await
asyncio.wrap_future(future)`` in a coroutine, ``future.result()`` in a thread. A method that reads
returns at once, uses connections of its own, and sees all acknowledged writes. A store must not be
carried into a forked process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from sqlalchemy import Connection

from trine.store import (
    conditions,
    deadlines,
    downtimes,
    events,
    game_rows,
    rating_rows,
    seat_rows,
    waiting,
)
from trine.store.access import Access
from trine.store.conditions import ConditionRow
from trine.store.database import Database
from trine.store.deadlines import Due
from trine.store.downtimes import Downtime
from trine.store.events import Append, Event
from trine.store.game_rows import GameRow, Stage
from trine.store.parts.accounts import AccountStore
from trine.store.parts.homes import HomeStore
from trine.store.parts.jobs import JobStore
from trine.store.parts.people import PeopleStore
from trine.store.parts.studies import StudyStore
from trine.store.parts.tournaments import TournamentStore
from trine.store.rating_rows import RatingRow
from trine.store.seat_rows import SeatRow
from trine.store.writer import MOST_TOGETHER, MOST_WAITING, Counts, Writer


class Store(Access):
    """An open store.

    Each method that writes can raise a `BusyError` when too many writes wait, and an
    `UnusableError` when the store is closed; its future can raise a `StoreError`. Each that reads
    can raise an `UnusableError`.

    An acknowledged write is on disk. A write refused by an `UnusableError` is not, unless the disk
    failed at the moment of syncing: to go on after such an error, read the journal again first.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> store = Store.open(f"{folder.name}/house.db")
    >>> game = store.create_game("tzaar", "official", {}, [SeatRow()] * 2, "here").result()
    >>> remark = Event("remark", None, 0.5, {"words": "hi"})
    >>> store.append(game.id, game.epoch, 1, [remark]).result()
    1
    >>> store.events(game.id)
    [Event(kind='remark', actor=None, at=0.5, data={'words': 'hi'})]
    >>> store.close(), folder.cleanup()
    (None, None)
    """

    def __init__(self, database: Database, writer: Writer, now: Callable[[], float]) -> None:
        super().__init__(database, writer, now)
        self.homes: Final = HomeStore(database, writer, now)
        self.jobs: Final = JobStore(database, writer, now)
        self.people: Final = PeopleStore(database, writer, now)
        self.accounts: Final = AccountStore(database, writer, now)
        self.studies: Final = StudyStore(database, writer, now)
        self.tournaments: Final = TournamentStore(database, writer, now)

    @classmethod
    def open(
        cls,
        place: str | Path,
        *,
        now: Callable[[], float] = time.time,
        most_waiting: int = MOST_WAITING,
        most_together: int = MOST_TOGETHER,
    ) -> Self:
        """Open the store at a path, where it is made if it does not exist, or at a URL.

        Raises:
            UnusableError: the store cannot be opened.
        """
        database = Database.open(place)
        writer = Writer(database, most_waiting=most_waiting, most_together=most_together)
        return cls(database, writer, now)

    def close(self) -> None:
        """Commit the waiting writes, then close."""
        self._writer.close()
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def counts(self) -> Counts:
        """The work of the writer, for metrics."""
        return self._writer.counts

    @property
    def waiting(self) -> int:
        """The number of writes that wait for a commit."""
        return self._writer.waiting

    # --- games -----------------------------------------------------------------------------------

    def create_game(
        self, room: str, rules: str, terms: Mapping[str, Any], seats: Sequence[SeatRow], home: str
    ) -> Future[GameRow]:
        """Create a game, at home in a process from the beginning."""
        return self.write(game_rows.create_game, room, rules, terms, seats, home, self._now())

    def game(self, game: str) -> GameRow | None:
        """Return the game of an id, or None."""
        return self.read(game_rows.read_game, game)

    def games_in(self, stage: Stage, limit: int = 100) -> list[GameRow]:
        """Return the newest games of a stage, the last first."""
        return self.read(game_rows.games_in, stage, limit)

    def games_of(self, person: str, limit: int = 100) -> list[GameRow]:
        """Return the newest games in which a person has a seat, the last first."""
        return self.read(game_rows.games_of, person, limit)

    def running_games_of(self, person: str, limit: int = 100) -> list[GameRow]:
        """Return the newest games of a person that are not over, the last first."""
        return self.read(game_rows.running_games_of, person, limit)

    def all_games(self) -> Iterator[GameRow]:
        """Yield all games, in no order that means anything."""
        last, limit = "", 500
        while True:
            games = self.read(game_rows.games_after, last, limit)
            yield from games
            if len(games) < limit:
                return
            last = games[-1].id

    def count_games(self) -> dict[Stage, int]:
        """Return the number of games of each stage."""
        return self.read(game_rows.count_games)

    # --- events ----------------------------------------------------------------------------------

    def append(
        self,
        game: str,
        epoch: int,
        seq: int,
        events: Sequence[Event],
        *,
        stage: Stage | None = None,
        due: Mapping[str, float | None] | None = None,
        also: Callable[[Connection], None] | None = None,
    ) -> Future[int]:
        """Append events to a game, the first with the number ``seq``; the result is the last's.

        In the same transaction the game gets a new ``stage``, if one is given, and its deadlines
        change: ``due`` has times by kind, None for a deadline to remove. ``also`` writes more, such
        as ratings.

        Its future raises:
            FencedError: another home has taken the game.
            StaleError: other events stand there already, or some before them are missing.
        """
        return self._writer.append(Append(game, epoch, seq, tuple(events), stage, due or {}, also))

    def events(self, game: str, after: int = 0) -> list[Event]:
        """Return the events of a game after a number, in order; the first has the next number."""
        return self.read(events.read_events, game, after)

    # --- seats -----------------------------------------------------------------------------------

    def seats(self, game: str) -> list[SeatRow]:
        """Return the seats of a game, in turn order."""
        return self.read(seat_rows.read_seats, game)

    def seats_of_games(self, games: Sequence[str]) -> dict[str, list[SeatRow]]:
        """Return the seats of several games, in turn order."""
        return self.read(seat_rows.seats_of_games, games)

    def take_seat(self, game: str, seat: int, taken: SeatRow) -> Future[None]:
        """Take a free seat; the future raises a `TakenError` if another occupant has it."""
        return self.write(seat_rows.take_seat, game, seat, taken)

    def invite(self, game: str, seat: int) -> Future[str]:
        """Make the token of a link that leads to a seat; only its hash is stored."""
        return self.write(seat_rows.invite, game, seat, self._now())

    def invited_to(self, token: str) -> tuple[str, int] | None:
        """Return the game and the seat that a link leads to, or None for an unknown token."""
        return self.read(seat_rows.invited_to, token)

    # --- ratings ---------------------------------------------------------------------------------

    def rating(self, person: str, discipline: str) -> RatingRow | None:
        """Return the rating of a person in a discipline; None before the first game."""
        return self.read(rating_rows.latest, person, discipline)

    def ratings_of(self, person: str) -> list[RatingRow]:
        """Return all ratings that a person has had, the first first."""
        return self.read(rating_rows.history, person)

    def all_ratings(self) -> list[RatingRow]:
        """Return all ratings, in the order in which the games ended."""
        return self.read(rating_rows.all_ratings)

    def replace_ratings(self, rows: Sequence[RatingRow]) -> Future[None]:
        """Put ratings in the place of all that there are."""
        return self.write(rating_rows.replace_all, rows)

    # --- deadlines -------------------------------------------------------------------------------

    def set_due(self, kind: str, ref: str, at: float | None) -> Future[None]:
        """Set the deadline of a kind for an object; None removes it."""
        return self.write(deadlines.change, {(kind, ref): at})

    def due_of(self, kind: str, now: float, limit: int = 100) -> list[Due]:
        """Return the things of one kind that are due by a moment, the earliest first.

        They stay until they are changed.
        """
        return self.read(deadlines.due_of, kind, now, limit)

    def moments_of(self, kind: str, refs: Sequence[str]) -> dict[str, float]:
        """Return the moments at which things of one kind are due, for those that have one."""
        return self.read(deadlines.moments_of, kind, refs)

    def add_downtime(self, downtime: Downtime) -> Future[None]:
        """Note a time in which the house was not at work."""
        return self.write(downtimes.add_downtime, downtime)

    def downtimes_after(self, at: float) -> list[Downtime]:
        """Return the times, ended after a moment, in which the house was not at work."""
        return self.read(downtimes.downtimes_after, at)

    # --- turns that are waited for ---------------------------------------------------------------

    def waiting_for(self, person: str, limit: int = 100) -> list[str]:
        """Return games in which it is somebody's turn, those that have waited longest first."""
        return self.read(waiting.waiting_for, person, limit)

    def movers(self, games: Sequence[str]) -> dict[str, tuple[str, float]]:
        """Return whose turn it is and since when, for those games that wait for a person."""
        return self.read(waiting.movers, games)

    # --- conditional turns -----------------------------------------------------------------------

    def set_conditions(self, game: str, seat: int, row: ConditionRow | None) -> Future[None]:
        """Keep the conditional turns of a seat; None removes them."""
        return self.write(conditions.set_conditions, game, seat, row)

    def conditions_of(self, game: str) -> list[ConditionRow]:
        """Return the conditional turns in a game, of all seats."""
        return self.read(conditions.conditions_of, game)
