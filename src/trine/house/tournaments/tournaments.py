"""The tournaments of a house: creating, joining, leaving and watching them."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Connection

from trine.core.errors import MalformedError
from trine.core.text.sentence import text, typed
from trine.core.work.cpu_account import in_thread
from trine.house.games.live.agreement import Agreement, check_wish
from trine.house.games.live.change_hooks import Write
from trine.house.people.accounts import Forget
from trine.house.people.names import plain_text
from trine.house.people.tables import Person
from trine.house.refusals import HouseError, NotFoundError
from trine.house.store.secrets import new_id
from trine.house.tournaments import tables, tournament_steps
from trine.house.tournaments.director import Director, TournamentServices
from trine.house.tournaments.tables import (
    TournamentRow,
    TournamentStage,
    TournamentState,
    plan_as_data,
    read_state,
)
from trine.play.session.seats import BOT
from trine.play.tournament.challenge import HANDICAP, handicap_options
from trine.play.tournament.tournament import MAX_PARTICIPANTS, Plan, TournamentFormat

MAX_NAME_LENGTH: Final = 60
MAX_PER_OWNER: Final = 5
MAX_SHOWN: Final = 50
MAX_LEAD_TIME: Final = 366 * 86_400.0  # seconds; the maximum time between creation and beginning
NOTIFY_INTERVAL: Final = 1.0  # seconds; the minimum interval between messages about changes
Lists = Mapping[str, Sequence[tuple[TournamentRow, int]]]
_GOING: Final = (TournamentStage.OPEN, TournamentStage.RUNNING)


class NoTournamentError(NotFoundError):
    """There is no tournament with this id."""

    default_text = text("there is no such tournament here")


class NotYourTournamentError(HouseError):
    """Only the creator of a tournament may give this command."""

    default_text = text("only the creator of the tournament can do that")


@dataclass(frozen=True)
class Announcement:
    """The choices for a new tournament."""

    name: str
    plan: Plan
    agreement: Agreement
    listed: bool = True
    most: int = 64
    starts_at: float | None = None  # the starting time; None if the creator begins it by hand
    challenger: str = ""  # the bot that is the challenger of a Challenge; empty for the creator


class Tournaments:
    """The tournaments of a house."""

    def __init__(self, services: TournamentServices) -> None:
        self._store, self._report = services.store, services.report
        self._sanctions = services.sanctions
        self._pages: dict[Callable[[], None], tuple[str, str | None]] = {}
        self._states: dict[str, TournamentState] = {}
        """The last read state of each tournament that has open pages."""
        self.director: Final = Director(services, self.waiting)

    async def create(
        self, person: Person, wanted: Announcement, also: Callable[[str], Write] | None = None
    ) -> str:
        """Create a tournament and return its id; ``also`` returns a write for its transaction."""
        if not person.has_account:
            raise HouseError("tournaments are created by people who have accounts")
        self._sanctions.check_may_speak(person.id)
        name, plan, agreement = tournament_name(wanted.name), wanted.plan, wanted.agreement
        _check(wanted, self._store.now())
        going = await self._store.fetch(tables.of_person, person.id, *_GOING)
        if sum(row.owner == person.id for row in going) >= MAX_PER_OWNER:
            raise HouseError("you have {count} tournaments already", count=MAX_PER_OWNER)
        row = TournamentRow(
            id=new_id(),
            name=name,
            owner=person.id,
            plan=plan_as_data(plan),
            terms=agreement.as_data(),
            listed=wanted.listed,
            most=wanted.most,
            stage=TournamentStage.OPEN,
            created_at=self._store.now(),
            starts_at=wanted.starts_at,
        )
        first: list[tuple[str | None, str]] = []
        if plan.format is TournamentFormat.CHALLENGE:
            first.append((None, wanted.challenger) if wanted.challenger else (person.id, ""))
        write = also(row.id) if also else None
        await self._store.commit(tournament_steps.create, row, first, write)
        return row.id

    async def join(self, tournament_id: str, person: Person) -> None:
        """Join a tournament; repeating it does nothing."""
        state = await self.read(tournament_id)
        if state.agreement.rated and not person.has_account:
            raise HouseError("a rated game is played by people who have accounts")
        await self._store.commit(tournament_steps.join, tournament_id, person.id)

    async def add_bot(self, tournament_id: str, owner: Person, bot: str) -> None:
        state = await self._own(tournament_id, owner)
        _check_bot(state.agreement, bot)
        await self._store.commit(tournament_steps.join, tournament_id, None, bot)

    async def go(
        self, tournament_id: str, asker: Person, entry: int | None = None, who: str = ""
    ) -> None:
        """Remove an entrant before the beginning, or withdraw one later.

        ``entry`` is the entrant's number; None for the asker, and only the creator may give
        another's. ``who`` is the holder as the page showed it, because numbers are reused.
        """
        state = await self.read(tournament_id)
        own = state.of_person(asker.id)
        if entry is None or (own and own.entry == entry):
            if not own:
                return
            entry = own.entry
        elif state.row.owner != asker.id:
            raise NotYourTournamentError
        challenger = state.plan.format is TournamentFormat.CHALLENGE and entry == 1
        if challenger and state.row.stage is TournamentStage.OPEN:
            raise HouseError("without a challenger there is no Challenge; cancel it instead")
        known = next((one for one in state.entrants if one.entry == entry), None)
        if not known or who not in ("", known.who):
            raise HouseError("they have left already")
        if not await self._store.commit(tournament_steps.leave, tournament_id, entry, known.who):
            await self._store.commit(tournament_steps.withdraw, tournament_id, entry, known.who)
            self.director.wake(tournament_id)

    async def substitute(self, tournament_id: str, person: Person, entry: int) -> None:
        """Take the place of a defender of a Challenge who has withdrawn."""
        state = await self.read(tournament_id)
        if state.agreement.rated and not person.has_account:
            raise HouseError("a rated game is played by people who have accounts")
        if entry not in {one.entry for one in state.vacant}:
            raise HouseError("this place is taken")
        if state.of_person(person.id):
            raise HouseError("you have taken part already")
        await self._store.commit(tournament_steps.substitute, tournament_id, entry, person.id)
        self.director.wake(tournament_id)

    async def begin(self, tournament_id: str, owner: Person) -> None:
        state = await self._own(tournament_id, owner)
        while state.row.stage is TournamentStage.OPEN and not await self.director.begin(state):
            state = await self._own(tournament_id, owner)  # an entrant has joined or left meanwhile
        await self.director.advance(tournament_id)

    async def cancel(self, tournament_id: str, owner: Person) -> None:
        """Cancel a tournament that has not begun, as its creator."""
        await self._own(tournament_id, owner)
        if not await self._store.commit(tournament_steps.cancel, tournament_id, self._store.now()):
            raise HouseError("this tournament has begun")

    async def cancel_by_admin(
        self, tournament_id: str, also: Callable[[str | None, str], Write | None]
    ) -> None:
        """Remove a tournament's name as an administrator, and cancel it unless it is over.

        Games that have begun continue, but count for no tournament. ``also`` returns a write for
        the same transaction, from the creator's id and the removed name.
        """
        row = (await self.read(tournament_id)).row
        write = also(row.owner, row.name)
        if not await self._store.commit(
            tournament_steps.cancel_by_admin, tournament_id, self._store.now(), write
        ):
            raise HouseError("this tournament has already lost its name")

    @asynccontextmanager
    async def forget(self, person: Person) -> AsyncIterator[Forget]:
        """Withdraw a person from all tournaments, and cancel their own that have not begun."""
        changed: set[str] = set()

        def write(connection: Connection, who: str) -> None:
            changed.update(tournament_steps.erase_person(connection, who, self._store.now()))

        yield write
        for tournament_id in changed:
            self.director.wake(tournament_id)

    async def read(self, tournament_id: str) -> TournamentState:
        state = await in_thread(partial(read_state, self._store, tournament_id))
        if not state:
            raise NoTournamentError
        return state

    async def _own(self, tournament_id: str, owner: Person) -> TournamentState:
        state = await self.read(tournament_id)
        if state.row.owner != owner.id:
            raise NotYourTournamentError
        return state

    async def lists(self, person: Person | None) -> Lists:
        """Return a person's own tournaments, and the listed ones by stage, newest first."""
        return await in_thread(partial(self._lists, person))

    def _lists(self, person: Person | None) -> Lists:
        own = self._store.read(tables.of_person, person.id, *_GOING) if person else []
        rows = {"own": own}
        for stage in (TournamentStage.RUNNING, TournamentStage.OPEN, TournamentStage.OVER):
            rows[stage] = self._store.read(tables.in_stages, [stage], MAX_SHOWN, listed=True)
        mine = {row.id for row in rows["own"]}
        rows = {
            name: [row for row in some if name == "own" or row.id not in mine]
            for name, some in rows.items()
        }
        rows["open"].sort(key=lambda row: row.starts_at or float("inf"))
        counts = self._store.read(tables.counts, [row.id for some in rows.values() for row in some])
        return {name: [(row, counts.get(row.id, 0)) for row in some] for name, some in rows.items()}

    async def enter(
        self, page: Callable[[], None], tournament_id: str, person_id: str | None
    ) -> None:
        """Call ``page`` at changes from now on; in an arena its person waits for games."""
        if tournament_id not in self._states:
            self._states[tournament_id] = await self.read(tournament_id)
        self._pages[page] = (tournament_id, person_id)

    def leave(self, page: Callable[[], None]) -> None:
        tournament_id, _ = self._pages.pop(page, ("", None))
        if tournament_id not in {one for one, _ in self._pages.values()}:
            self._states.pop(tournament_id, None)

    def state(self, tournament_id: str) -> TournamentState | None:
        """Return the last known state of a watched tournament."""
        return self._states.get(tournament_id)

    def waiting(self, tournament_id: str) -> set[str]:
        return {person for one, person in self._pages.values() if one == tournament_id and person}

    async def watch(self) -> None:
        for tournament_id in list(self._states):
            try:
                await self._refresh(tournament_id)
            except Exception as error:  # one failure must not affect the others
                self._report("a tournament could not be read", error, tournament=tournament_id)

    async def _refresh(self, tournament_id: str) -> None:
        """Read a tournament again, and notify its pages if it has changed."""
        if tournament_id not in self._states:
            return
        state = await self.read(tournament_id)
        if self._states.get(tournament_id) in (state, None):
            return
        self._states[tournament_id] = state
        for page, (one, _) in list(self._pages.items()):
            if one == tournament_id:
                page()


def tournament_name(name: str) -> str:
    """Normalize the name of a tournament; raises `MalformedError`.

    >>> tournament_name("  Spring   Open ")
    'Spring Open'
    """
    shown = plain_text(name)
    if not 2 <= len(shown) <= MAX_NAME_LENGTH:
        raise MalformedError(
            "a tournament has a name of 2 to {count} characters", count=MAX_NAME_LENGTH
        )
    return shown


def _check(wanted: Announcement, now: float) -> None:
    agreement, plan = wanted.agreement, wanted.plan
    if agreement.seats != 2:
        raise HouseError("a tournament has games of two players")
    if not agreement.clock:
        raise HouseError("the games of a tournament are played on a clock")
    if not 2 <= wanted.most <= MAX_PARTICIPANTS:
        raise HouseError("a tournament has from 2 to {most} participants", most=MAX_PARTICIPANTS)
    if wanted.starts_at is not None and not now <= wanted.starts_at <= now + MAX_LEAD_TIME:
        raise HouseError("a tournament begins within a year from now")
    if plan.format is not TournamentFormat.CHALLENGE:
        return
    if wanted.challenger:
        _check_bot(agreement, wanted.challenger)
    given = [one for own in plan.handicaps for one in own if one]
    if given and HANDICAP not in {option.tag for option in agreement.room.rules.options}:
        raise HouseError("{game} has no handicaps", game=typed(agreement.room.title))
    for one in given:
        for seat in agreement.terms().start.seats:
            agreement.again(handicap_options(one, seat.tag))


def _check_bot(agreement: Agreement, bot: str) -> None:
    if not bot.startswith(BOT):
        raise MalformedError("there is no computer player of this name")
    check_wish(agreement, bot)
    if agreement.rated:
        raise HouseError("a rated game is played by people who have accounts")
