"""The tournaments of a house: who creates, joins and leaves them, and who looks at them."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from trine.core.errors import MalformedError
from trine.core.text import text
from trine.house.agreement import Agreement, check_wish
from trine.house.director import Director
from trine.house.refusals import HouseError, NoGameError
from trine.house.standing import TournamentState, plan_as_data, read_state
from trine.session.seats import BOT
from trine.store.people import Person
from trine.store.tokens import new_id
from trine.store.tournament_rows import TournamentRow, TournamentStage
from trine.tournament.challenge import HANDICAP, handicap_options
from trine.tournament.plan import MOST_PARTICIPANTS, Format, Plan

if TYPE_CHECKING:
    from trine.house.house import House

LONGEST_NAME: Final = 60
MOST_OF_ONE: Final = 5
"""Tournaments of one owner that are not over."""
MOST_SHOWN: Final = 50
FARTHEST: Final = 366 * 86_400.0
"""Units: seconds; no tournament is created so long before it begins."""
GATHERED: Final = 1.0
"""Units: seconds; pages hear of changes no more often."""
_GOING: Final = (TournamentStage.OPEN, TournamentStage.RUNNING)


class NoTournamentError(NoGameError):
    """There is no such tournament."""

    def __init__(self) -> None:
        HouseError.__init__(self, text("there is no such tournament here"))


class NotYourTournamentError(HouseError):
    """Somebody else has created the tournament."""

    def __init__(self) -> None:
        super().__init__(text("only whoever has created a tournament can do that"))


class TournamentPage(Protocol):
    """A page that shows a tournament."""

    def changed(self) -> None:
        """The tournament has changed; this must take no time."""


@dataclass(frozen=True)
class Announcement:
    """The wishes for a new tournament."""

    name: str
    plan: Plan
    agreement: Agreement
    """The terms of all of its games."""
    listed: bool = True
    most: int = 64
    starts_at: float | None = None
    """None where whoever creates it begins it by hand."""
    challenger: str = ""
    """In a Challenge: the bot that is the challenger; empty for whoever creates it."""


@dataclass(frozen=True)
class Shown:
    """A tournament in a list."""

    row: TournamentRow
    count: int
    """So many take part."""

    @property
    def agreement(self) -> Agreement:
        """The terms of its games."""
        return Agreement.from_data(self.row.terms)

    @property
    def format(self) -> Format:
        """The format."""
        return Format(self.row.plan["format"])


class Tournaments:
    """The tournaments of a house."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._store: Final = house.store.tournaments
        self._pages: dict[TournamentPage, tuple[str, str | None]] = {}
        self._states: dict[str, TournamentState] = {}
        """Those that are looked at, as they were a moment ago."""
        self.director: Final = Director(house, self.waiting)

    async def run(self) -> None:
        """Carry tournaments on, and tell pages of changes, for ever."""
        await asyncio.gather(self.director.run(), self._watch())

    # --- creating, joining, leaving ---------------------------------------------------------------

    async def create(self, person: Person, wanted: Announcement) -> str:
        """Create a tournament: its id.

        Raises:
            TrineError: this person cannot create it, or it does not fit together.
        """
        if not person.has_account:
            raise HouseError(text("tournaments are created by people who have accounts"))
        name, plan, agreement = tournament_name(wanted.name), wanted.plan, wanted.agreement
        _check(wanted, self._house.now())
        own = await asyncio.to_thread(self._store.of_person, person.id)
        if sum(row.owner == person.id and row.stage in _GOING for row in own) >= MOST_OF_ONE:
            raise HouseError(text("you have {count} tournaments already", count=MOST_OF_ONE))
        row = TournamentRow(
            new_id(),
            name,
            person.id,
            plan_as_data(plan),
            agreement.as_data(),
            wanted.listed,
            wanted.most,
            TournamentStage.OPEN,
            self._house.now(),
            wanted.starts_at,
        )
        first: list[tuple[str | None, str]] = []
        if plan.format is Format.CHALLENGE:
            first.append((None, wanted.challenger) if wanted.challenger else (person.id, ""))
        await asyncio.wrap_future(self._store.create(row, first))
        return row.id

    async def join(self, name: str, person: Person) -> None:
        """Take part; asked for again, nothing is done.

        Raises:
            TrineError: this person cannot, or nobody can any more.
        """
        state = await self.read(name)
        if state.agreement.rated and not person.has_account:
            raise HouseError(text("a rated game is played by people who have accounts"))
        await asyncio.wrap_future(self._store.join(name, person.id))
        await self._look(name)

    async def add_bot(self, name: str, owner: Person, bot: str) -> None:
        """Have a bot take part.

        Raises:
            TrineError: another has created the tournament, or no bot of the name can take part.
        """
        state = await self._own(name, owner)
        _check_bot(state.agreement, bot)
        await asyncio.wrap_future(self._store.join(name, None, bot))
        await self._look(name)

    async def go(self, name: str, asker: Person, entry: int | None = None) -> None:
        """Leave before it begins, or withdraw later; whoever has created it can send others away.

        Args: ``entry`` is the participant who goes; None for whoever asks.

        Raises:
            TrineError: it is another's participation.
        """
        state = await self.read(name)
        own = state.of_person(asker.id)
        if entry is None or (own and own.entry == entry):
            if not own:
                return
            entry = own.entry
        elif state.row.owner != asker.id:
            raise NotYourTournamentError
        challenger = state.plan.format is Format.CHALLENGE and entry == 1
        if challenger and state.row.stage is TournamentStage.OPEN:
            raise HouseError(text("without a challenger there is no Challenge; cancel it instead"))
        if not await asyncio.wrap_future(self._store.leave(name, entry)):
            await asyncio.wrap_future(self._store.withdraw(name, entry))
            self.director.wake(name)
        await self._look(name)

    async def begin(self, name: str, owner: Person) -> None:
        """Begin a tournament by hand.

        Raises:
            TrineError: another has created it, or so many cannot play it.
        """
        state = await self._own(name, owner)
        if state.row.stage is TournamentStage.OPEN:
            await self.director.begin(state)
            await self.director.advance(name)
        await self._look(name)

    async def cancel(self, name: str, owner: Person) -> None:
        """Give up a tournament that has not begun.

        Raises:
            TrineError: another has created it, or it has begun.
        """
        state = await self._own(name, owner)
        if state.row.stage is not TournamentStage.OPEN:
            raise HouseError(text("this tournament has begun"))
        now = self._house.now()
        await asyncio.wrap_future(self._store.end(name, TournamentStage.CANCELLED, now))
        await self._look(name)

    async def forget(self, person: Person) -> None:
        """Have somebody take part in nothing any more, and cancel what has not begun of theirs."""
        for row in await asyncio.to_thread(self._store.of_person, person.id, MOST_PARTICIPANTS):
            if row.owner == person.id and row.stage is TournamentStage.OPEN:
                await self.cancel(row.id, person)
            elif row.stage in _GOING:
                await self.go(row.id, person)

    # --- looking ----------------------------------------------------------------------------------

    async def read(self, name: str) -> TournamentState:
        """A tournament as it stands.

        Raises:
            NoTournamentError: there is none.
        """
        state = await asyncio.to_thread(read_state, self._store, name)
        if not state:
            raise NoTournamentError
        return state

    async def _own(self, name: str, owner: Person) -> TournamentState:
        state = await self.read(name)
        if state.row.owner != owner.id:
            raise NotYourTournamentError
        return state

    async def lists(self, person: Person | None) -> Mapping[str, Sequence[Shown]]:
        """One's own tournaments, and those of everybody by stage, the newest first."""
        return await asyncio.to_thread(self._lists, person)

    def _lists(self, person: Person | None) -> Mapping[str, Sequence[Shown]]:
        own = self._store.of_person(person.id) if person else []
        rows = {"own": [row for row in own if row.stage in _GOING]}
        for stage in (TournamentStage.RUNNING, TournamentStage.OPEN, TournamentStage.OVER):
            rows[stage] = self._store.in_stages([stage], MOST_SHOWN, listed=True)
        mine = {row.id for row in rows["own"]}
        rows = {
            name: [row for row in some if name == "own" or row.id not in mine]
            for name, some in rows.items()
        }
        rows["open"].sort(key=lambda row: row.starts_at or float("inf"))
        counts = self._store.counts([row.id for some in rows.values() for row in some])
        return {
            name: [Shown(row, counts.get(row.id, 0)) for row in some] for name, some in rows.items()
        }

    async def enter(self, page: TournamentPage, name: str, person: str | None) -> None:
        """Let a page hear of changes; who has it open in an arena waits for games there."""
        if name not in self._states:
            self._states[name] = await self.read(name)
        self._pages[page] = (name, person)

    def leave(self, page: TournamentPage) -> None:
        """Let a page go."""
        name, _ = self._pages.pop(page, ("", None))
        if name not in {one for one, _ in self._pages.values()}:
            self._states.pop(name, None)

    def state(self, name: str) -> TournamentState | None:
        """A tournament that is looked at, as it was a moment ago."""
        return self._states.get(name)

    def waiting(self, name: str) -> set[str]:
        """The people who have the page of a tournament open."""
        return {person for one, person in self._pages.values() if one == name and person}

    def heard(self, agreement: Agreement) -> None:
        """A game is over."""
        if agreement.tournament:
            self.director.wake(agreement.tournament)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(GATHERED)
            for name in list(self._states):
                try:
                    await self._look(name)
                except Exception as error:  # a fault of ours closes no page
                    self._house.report("a tournament could not be read", error, tournament=name)

    async def _look(self, name: str) -> None:
        """Look how a tournament stands, and tell its pages if that has changed."""
        if name not in self._states:
            return
        state = await self.read(name)
        if self._states.get(name) in (state, None):
            return
        self._states[name] = state
        for page, (one, _) in list(self._pages.items()):
            if one == name:
                page.changed()


def tournament_name(name: str) -> str:
    """A name for a tournament: some letters, and no signs that write backwards or break lines.

    Raises:
        MalformedError: it cannot be one.

    >>> tournament_name("  Spring   Open ")
    'Spring Open'
    """
    shown = " ".join(unicodedata.normalize("NFKC", name).split())
    if not 2 <= len(shown) <= LONGEST_NAME:
        raise MalformedError(
            text("a tournament has a name of 2 to {count} characters", count=LONGEST_NAME)
        )
    if any(unicodedata.category(letter)[0] == "C" for letter in shown) or '"' in shown:
        raise MalformedError(text("a name has letters and figures, no other signs"))
    return shown


def _check(wanted: Announcement, now: float) -> None:
    """Check that a tournament fits together.

    Raises:
        TrineError: it does not.
    """
    agreement, plan = wanted.agreement, wanted.plan
    if agreement.seats != 2:
        raise HouseError(text("a tournament has games of two players"))
    if not agreement.clock:
        raise HouseError(text("the games of a tournament are played on a clock"))
    if not 2 <= wanted.most <= MOST_PARTICIPANTS:
        raise HouseError(
            text("a tournament has from 2 to {most} participants", most=MOST_PARTICIPANTS)
        )
    if wanted.starts_at is not None and not now <= wanted.starts_at <= now + FARTHEST:
        raise HouseError(text("a tournament begins within a year from now"))
    if plan.format is not Format.CHALLENGE:
        return
    if wanted.challenger:
        _check_bot(agreement, wanted.challenger)
    given = [one for one in plan.handicaps if one]
    if given and HANDICAP not in {option.tag for option in agreement.room.options}:
        raise HouseError(text("{game} has no handicaps", game=agreement.room.title))
    for one in given:
        for seat in agreement.terms().start.seats:
            Agreement.make(
                agreement.game,
                agreement.rules,
                {**agreement.options, **handicap_options(one, seat.tag)},
                clock=agreement.clock,
                rated=agreement.rated,
            )


def _check_bot(agreement: Agreement, bot: str) -> None:
    if not bot.startswith(BOT):
        raise MalformedError(text("there is no computer player of this name"))
    check_wish(agreement.room, bot)
    if agreement.rated:
        raise HouseError(text("a rated game is played by people who have accounts"))
