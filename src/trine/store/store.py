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
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from sqlalchemy import Connection

from trine.store import (
    account_rows,
    conditions,
    deadlines,
    downtimes,
    events,
    game_rows,
    homes,
    jobs,
    people,
    rating_rows,
    seat_rows,
    studies,
    waiting,
)
from trine.store.account_rows import Account
from trine.store.bulletin import Bulletin, News
from trine.store.conditions import ConditionRow
from trine.store.database import Database
from trine.store.deadlines import Due
from trine.store.downtimes import Downtime
from trine.store.events import Append, Event
from trine.store.game_rows import GameRow, Stage
from trine.store.homes import LEASE, Home, Taken
from trine.store.jobs import Job, JobState
from trine.store.people import Person, Session
from trine.store.rating_rows import RatingRow
from trine.store.seat_rows import SeatRow
from trine.store.studies import Study
from trine.store.tournaments import TournamentStore
from trine.store.writer import MOST_TOGETHER, MOST_WAITING, Counts, Writer

LIFETIME: Final = 180 * 86_400.0
"""Units: seconds; the time for which a browser is recognised. Guess."""

Written = TypeVar("Written")


class Store:
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
        self._database = database
        self._writer = writer
        self._now = now
        self.tournaments: Final = TournamentStore(database, writer, now)
        """The tournaments, with methods of the same kinds."""

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

    def write(self, work: Callable[[Connection], Written]) -> Future[Written]:
        """Have functions of this package write, in one transaction."""
        return self._writer.submit(work)

    def read(self, work: Callable[[Connection], Written]) -> Written:
        """Have a function of this package read."""
        with self._database.reader() as connection:
            return work(connection)

    # --- games -----------------------------------------------------------------------------------

    def create_game(
        self, room: str, rules: str, terms: Mapping[str, Any], seats: Sequence[SeatRow], home: str
    ) -> Future[GameRow]:
        """Create a game, at home in a process from the beginning."""
        return self._writer.submit(
            lambda connection: game_rows.create_game(
                connection, room, rules, terms, seats, home, self._now()
            )
        )

    def game(self, game: str) -> GameRow | None:
        """Return the game of an id, or None."""
        with self._database.reader() as connection:
            return game_rows.read_game(connection, game)

    def games_in(self, stage: Stage, limit: int = 100) -> list[GameRow]:
        """Return the newest games of a stage, the last first."""
        with self._database.reader() as connection:
            return game_rows.games_in(connection, stage, limit)

    def games_of(self, person: str, limit: int = 100) -> list[GameRow]:
        """Return the newest games in which a person has a seat, the last first."""
        with self._database.reader() as connection:
            return game_rows.games_of(connection, person, limit)

    def running_games_of(self, person: str, limit: int = 100) -> list[GameRow]:
        """Return the newest games of a person that are not over, the last first."""
        with self._database.reader() as connection:
            return game_rows.running_games_of(connection, person, limit)

    def all_games(self) -> Iterator[GameRow]:
        """Yield all games, in no order that means anything."""
        last, limit = "", 500
        while True:
            with self._database.reader() as connection:
                games = game_rows.games_after(connection, last, limit)
            yield from games
            if len(games) < limit:
                return
            last = games[-1].id

    def count_games(self) -> dict[Stage, int]:
        """Return the number of games of each stage."""
        with self._database.reader() as connection:
            return game_rows.count_games(connection)

    # --- homes -----------------------------------------------------------------------------------

    @property
    def shared(self) -> bool:
        """Whether several processes may play games of this store at once."""
        return self._database.shared

    def renew(
        self, home: str, address: str, alive_at: float, *, late: bool = False
    ) -> Future[bool]:
        """Renew the leases of a process; the result is whether it held them until now.

        Args: ``late`` is whether it is new, or was stopped; if no process was at work for a while
        until now, that is noted.
        """
        return self._writer.submit(
            lambda connection: homes.renew(connection, home, address, alive_at, LEASE, late=late)
        )

    def leave(self, home: str, alive_at: float) -> Future[None]:
        """End the leases of a process, which closes."""
        return self._writer.submit(partial(homes.leave, home=home, alive_at=alive_at))

    def take_home(self, game: str, home: str, *, held: bool = False) -> Future[Taken]:
        """Give a game a new home; the former one cannot append.

        The future raises a `HeldError` if another process holds it, unless it is to be taken from
        one that does. Of a store that is not shared whoever asks is meant.
        """
        held = held or not self.shared
        return self._writer.submit(partial(homes.take, game=game, home=home, held=held))

    def adopt(self, home: str, limit: int) -> Future[list[Taken]]:
        """Give games whose clocks run a new home, where the former one is gone; some at once."""
        return self._writer.submit(partial(homes.adopt, home=home, limit=limit))

    def take_duty(self, duty: str, home: str) -> Future[None]:
        """Have a process do something for all; the future raises a `HeldError` if another does."""
        return self._writer.submit(partial(homes.take_duty, duty=duty, home=home))

    def has_orphans(self) -> bool:
        """Return whether a home is over whose games were not all taken since."""
        with self._database.reader() as connection:
            return homes.has_orphans(connection)

    def epochs_of(self, games: Sequence[str], home: str) -> dict[str, int]:
        """Return the epochs of those among some games that are at home in a process."""
        with self._database.reader() as connection:
            return homes.epochs_of(connection, games, home)

    def bulletin(
        self, home: str, heard: Callable[[str, News], None], missed: Callable[[], None]
    ) -> Bulletin | None:
        """Listen to the other processes of a shared store; None of one that is not shared."""
        return Bulletin(self._database, home, heard, missed) if self.shared else None

    def homes(self) -> list[Home]:
        """Return the processes that are at work now."""
        with self._database.reader() as connection:
            return homes.homes(connection)

    def home_of(self, game: str) -> Home | None:
        """Return the home of a game, whether it still holds it or not; None if not known."""
        with self._database.reader() as connection:
            return homes.home_of(connection, game)

    def home_of_duty(self, duty: str) -> Home | None:
        """Return the process that does something for all, or did; None if there was none."""
        with self._database.reader() as connection:
            return homes.home_of_duty(connection, duty)

    # --- jobs ------------------------------------------------------------------------------------

    def offer_job(self, game: str, seq: int, bot: str, elapsed: float, version: str) -> Future[Job]:
        """Offer the turn of a bot to workers of the same version of the program."""
        return self._writer.submit(
            lambda connection: jobs.offer(connection, game, seq, bot, elapsed, version)
        )

    def take_job(self, worker: str, version: str) -> Future[Job | None]:
        """Take the oldest job that nobody has taken; the result is None if there is none."""
        return self._writer.submit(partial(jobs.take, worker=worker, version=version))

    def answer_job(self, job: str, ids: Sequence[str]) -> Future[None]:
        """Answer a job; no ids mean that the worker has failed."""
        return self._writer.submit(partial(jobs.answer, job=job, ids=ids))

    def withdraw_job(self, job: str) -> Future[None]:
        """Want a job no more."""
        return self._writer.submit(partial(jobs.withdraw, job=job))

    def note_worker(self, worker: str, count: int) -> Future[None]:
        """Note that a process with some workers is there."""
        return self._writer.submit(partial(jobs.note_worker, worker=worker, count=count))

    def forget_worker(self, worker: str) -> Future[None]:
        """Forget a process with workers, which leaves."""
        return self._writer.submit(partial(jobs.forget_worker, worker=worker))

    def job_states(self, given: Sequence[str]) -> dict[str, JobState]:
        """Return the states of jobs by their ids."""
        with self._database.reader() as connection:
            return jobs.states(connection, given)

    def jobs_wait(self, version: str) -> bool:
        """Return whether a job of a version waits for a worker."""
        with self._database.reader() as connection:
            return jobs.wait_any(connection, version)

    def count_workers(self) -> int:
        """Return the number of workers in other processes."""
        with self._database.reader() as connection:
            return jobs.count_workers(connection)

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
        with self._database.reader() as connection:
            return events.read_events(connection, game, after)

    # --- seats -----------------------------------------------------------------------------------

    def seats(self, game: str) -> list[SeatRow]:
        """Return the seats of a game, in turn order."""
        with self._database.reader() as connection:
            return seat_rows.read_seats(connection, game)

    def seats_of_games(self, games: Sequence[str]) -> dict[str, list[SeatRow]]:
        """Return the seats of several games, in turn order."""
        with self._database.reader() as connection:
            return seat_rows.seats_of_games(connection, games)

    def take_seat(self, game: str, seat: int, taken: SeatRow) -> Future[None]:
        """Take a free seat; the future raises a `TakenError` if another occupant has it."""
        return self._writer.submit(partial(seat_rows.take_seat, game=game, seat=seat, taken=taken))

    def invite(self, game: str, seat: int) -> Future[str]:
        """Make the token of a link that leads to a seat; only its hash is stored."""
        return self._writer.submit(partial(seat_rows.invite, game=game, seat=seat, now=self._now()))

    def invited_to(self, token: str) -> tuple[str, int] | None:
        """Return the game and the seat that a link leads to, or None for an unknown token."""
        with self._database.reader() as connection:
            return seat_rows.invited_to(connection, token)

    # --- people ----------------------------------------------------------------------------------

    def create_guest(self, name: str) -> Future[Person]:
        """Create a guest."""
        return self._writer.submit(partial(people.create_guest, name=name, now=self._now()))

    def rename(self, person: str, name: str) -> Future[None]:
        """Give a person another name."""
        return self._writer.submit(partial(people.rename, person=person, name=name))

    def person(self, person: str) -> Person | None:
        """Return the person of an id, or None."""
        with self._database.reader() as connection:
            return people.read_person(connection, person)

    def create_token(self, person: str, lifetime: float = LIFETIME) -> Future[str]:
        """Make a token by which a browser is recognised for a time; only its hash is stored."""
        return self._writer.submit(
            partial(people.create_token, person=person, now=self._now(), lifetime=lifetime)
        )

    def person_of(self, token: str) -> Person | None:
        """Return the person of a token, or None if the token is unknown or has expired."""
        with self._database.reader() as connection:
            return people.person_of(connection, token, self._now())

    def drop_token(self, token: str) -> Future[None]:
        """Invalidate a token."""
        return self._writer.submit(partial(people.drop_token, token=token))

    def drop_expired_tokens(self) -> Future[int]:
        """Remove the expired tokens; the result is their number."""
        return self._writer.submit(partial(people.drop_expired_tokens, now=self._now()))

    def sessions_of(self, person: str) -> list[Session]:
        """Return the browsers in which a person is recognised, the newest first."""
        with self._database.reader() as connection:
            return people.sessions_of(connection, person, self._now())

    def end_session(self, person: str, hashed: str) -> Future[None]:
        """Invalidate a token of a person, given its hash."""
        return self._writer.submit(partial(people.end_session, person=person, hashed=hashed))

    def end_sessions(self, person: str, but: str = "") -> Future[None]:
        """Invalidate all tokens of a person, except one."""
        return self._writer.submit(partial(people.end_sessions, person=person, but=but))

    # --- accounts --------------------------------------------------------------------------------

    def create_account(self, person: str, name: str, folded: str, password: str) -> Future[None]:
        """Give a guest an account; the future raises a `NameTakenError` if the name is taken."""
        return self._writer.submit(
            lambda connection: account_rows.create_account(
                connection, person, name, folded, password, self._now()
            )
        )

    def rename_account(self, person: str, name: str, folded: str) -> Future[None]:
        """Rename an account; the future raises a `NameTakenError` if the name is taken."""
        return self._writer.submit(
            partial(account_rows.rename_account, person=person, name=name, folded=folded)
        )

    def set_password(self, person: str, password: str, before: str) -> Future[bool]:
        """Replace the hash of a password, unless it has been replaced meanwhile."""
        return self._writer.submit(
            partial(account_rows.set_password, person=person, password=password, before=before)
        )

    def set_role(self, person: str, role: str | None) -> Future[None]:
        """Give an account a role, or take it away."""
        return self._writer.submit(partial(account_rows.set_role, person=person, role=role))

    def delete_account(self, person: str, tags: Mapping[str, Mapping[int, str]]) -> Future[None]:
        """Delete an account; games stay, without the name, which stands in these ``tags``."""
        return self._writer.submit(partial(account_rows.delete_account, person=person, tags=tags))

    def account(self, person: str) -> Account | None:
        """Return the account of a person, or None for others, such as guests."""
        with self._database.reader() as connection:
            return account_rows.read_account(connection, person)

    def account_named(self, folded: str) -> Account | None:
        """Return the account of a folded name, or None."""
        with self._database.reader() as connection:
            return account_rows.account_named(connection, folded)

    def accounts_of(self, people: Sequence[str]) -> dict[str, Account]:
        """Return the accounts of those among some people who have one, by their ids."""
        with self._database.reader() as connection:
            return account_rows.accounts_of(connection, people)

    # --- ratings ---------------------------------------------------------------------------------

    def rating(self, person: str, discipline: str) -> RatingRow | None:
        """Return the rating of a person in a discipline; None before the first game."""
        with self._database.reader() as connection:
            return rating_rows.latest(connection, person, discipline)

    def ratings_of(self, person: str) -> list[RatingRow]:
        """Return all ratings that a person has had, the first first."""
        with self._database.reader() as connection:
            return rating_rows.history(connection, person)

    def all_ratings(self) -> list[RatingRow]:
        """Return all ratings, in the order in which the games ended."""
        with self._database.reader() as connection:
            return rating_rows.all_ratings(connection)

    def replace_ratings(self, rows: Sequence[RatingRow]) -> Future[None]:
        """Put ratings in the place of all that there are."""
        return self._writer.submit(partial(rating_rows.replace_all, rows=rows))

    # --- studies ---------------------------------------------------------------------------------

    def create_study(self, owner: str, record: str) -> Future[Study]:
        """Create a study; the future raises a `TooManyError` if its owner keeps too many."""
        return self._writer.submit(
            lambda connection: studies.create_study(connection, owner, record, self._now())
        )

    def save_study(self, study: str, record: str) -> Future[None]:
        """Keep what has become of a study; the future raises an `UnknownError` if it is gone."""
        return self._writer.submit(
            lambda connection: studies.save_study(connection, study, record, self._now())
        )

    def drop_study(self, study: str, owner: str) -> Future[bool]:
        """Remove a study of a person; the result is whether there was one."""
        return self._writer.submit(partial(studies.drop_study, study=study, owner=owner))

    def study(self, study: str) -> Study | None:
        """Return the study of an id, or None."""
        with self._database.reader() as connection:
            return studies.read_study(connection, study)

    def studies_of(self, owner: str, limit: int = 20) -> list[Study]:
        """Return the studies of a person, those that were changed last first."""
        with self._database.reader() as connection:
            return studies.studies_of(connection, owner, limit)

    # --- deadlines -------------------------------------------------------------------------------

    def set_due(self, kind: str, ref: str, at: float | None) -> Future[None]:
        """Set the deadline of a kind for an object; None removes it."""
        return self._writer.submit(partial(deadlines.change, times={(kind, ref): at}))

    def due_of(self, kind: str, now: float, limit: int = 100) -> list[Due]:
        """Return the things of one kind that are due by a moment, the earliest first.

        They stay until they are changed.
        """
        with self._database.reader() as connection:
            return deadlines.due_of(connection, kind, now, limit)

    def moments_of(self, kind: str, refs: Sequence[str]) -> dict[str, float]:
        """Return the moments at which things of one kind are due, for those that have one."""
        with self._database.reader() as connection:
            return deadlines.moments_of(connection, kind, refs)

    def add_downtime(self, downtime: Downtime) -> Future[None]:
        """Note a time in which the house was not at work."""
        return self._writer.submit(partial(downtimes.add_downtime, downtime=downtime))

    def downtimes_after(self, at: float) -> list[Downtime]:
        """Return the times, ended after a moment, in which the house was not at work."""
        with self._database.reader() as connection:
            return downtimes.downtimes_after(connection, at)

    # --- turns that are waited for ---------------------------------------------------------------

    def waiting_for(self, person: str, limit: int = 100) -> list[str]:
        """Return games in which it is somebody's turn, those that have waited longest first."""
        with self._database.reader() as connection:
            return waiting.waiting_for(connection, person, limit)

    def movers(self, games: Sequence[str]) -> dict[str, tuple[str, float]]:
        """Return whose turn it is and since when, for those games that wait for a person."""
        with self._database.reader() as connection:
            return waiting.movers(connection, games)

    # --- conditional turns -----------------------------------------------------------------------

    def set_conditions(self, game: str, seat: int, row: ConditionRow | None) -> Future[None]:
        """Keep the conditional turns of a seat; None removes them."""
        return self._writer.submit(
            partial(conditions.set_conditions, game=game, seat=seat, row=row)
        )

    def conditions_of(self, game: str) -> list[ConditionRow]:
        """Return the conditional turns in a game, of all seats."""
        with self._database.reader() as connection:
            return conditions.conditions_of(connection, game)
