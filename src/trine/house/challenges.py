"""Challenges: invitations to a game that are addressed to one account."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import SystemRandom
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection

from trine.core.errors import TrineError
from trine.core.text import text
from trine.house.agreement import Agreement
from trine.house.notices import Told
from trine.house.ratings import Standing
from trine.house.refusals import HouseError
from trine.store import challenge_rows, notices
from trine.store.account_rows import Account
from trine.store.challenge_rows import ChallengeRow
from trine.store.people import Person
from trine.store.seat_rows import SeatKind, SeatRow
from trine.store.tokens import new_id

if TYPE_CHECKING:
    from trine.house.house import House

MOST_OF_ONE, MOST_FOR_ONE, MOST = 10, 50, 10_000
"""Challenges that one person may have sent, may have got, and of the whole house. Guesses."""
LIVE: Final = 600.0
"""Units: seconds; so long a challenge to a game on a clock stands."""
SLOW: Final = 7 * 86_400.0
"""Units: seconds; the same without a clock, or by correspondence."""
LOOKED_THROUGH: Final = 10.0
"""Units: seconds; after so long the challenges are read anew, for those of other processes."""


class NoChallengeError(HouseError):
    """There is no such challenge, or there is none any more."""

    def __init__(self) -> None:
        super().__init__(text("this challenge does not stand any more"))


@dataclass(frozen=True)
class Challenge:
    """A game to which somebody is invited."""

    id: str
    challenger: str
    challenged: str
    """The ids of people."""
    agreement: Agreement
    side: int | None
    """The seat of the challenger; None is left to chance."""
    created_at: float
    expires_at: float
    standings: Mapping[int, Standing]
    """Of the challenger, as 0, and of the challenged, as 1."""


class Challenges:
    """The challenges that stand."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._known: dict[str, Challenge] = {}
        self._of: defaultdict[str, dict[str, Challenge]] = defaultdict(dict)
        """The same by person, for the two of each: pages of the lobby ask every second."""
        self._gone: set[str] = set()
        """Challenges that went while the others were being read."""

    async def run(self) -> None:
        """Look through the challenges now and then, for ever."""
        while True:
            try:
                await self.look_through()
            except TrineError as error:
                self._house.report("the challenges could not be read", error)
            await asyncio.sleep(LOOKED_THROUGH)

    async def look_through(self) -> None:
        """Let go what has expired, and learn of what other processes have written."""
        now = self._house.now()
        self._gone.clear()
        stored = await asyncio.to_thread(
            self._house.store.read, challenge_rows.open_challenges, now=now, limit=MOST
        )
        rows = {row.id: row for row in stored}
        for challenge in [one for one in self._known.values() if one.id not in rows]:
            # One that was written while we read is young.
            if challenge.expires_at <= now or challenge.created_at < now - LOOKED_THROUGH:
                self._forget(challenge)
        for row in rows.values():
            if row.id in self._known or not (found := await self._read(row)):
                continue
            if row.id not in self._gone and row.id not in self._known:
                self._remember(found)

    async def _read(self, row: ChallengeRow) -> Challenge | None:
        agreement = Agreement.from_data(row.terms)
        both = [SeatRow(SeatKind.PERSON, "", person) for person in (row.challenger, row.challenged)]
        standings = await self._house.ratings.standings(agreement, both)
        if len(standings) < len(both):
            return None
        return Challenge(
            row.id,
            row.challenger,
            row.challenged,
            agreement,
            row.side,
            row.created_at,
            row.expires_at,
            standings,
        )

    def _remember(self, challenge: Challenge) -> None:
        self._known[challenge.id] = challenge
        for person in (challenge.challenger, challenge.challenged):
            self._of[person][challenge.id] = challenge
        self._tell(challenge)

    def _forget(self, challenge: Challenge) -> None:
        self._gone.add(challenge.id)
        if not self._known.pop(challenge.id, None):
            return
        for person in (challenge.challenger, challenge.challenged):
            del self._of[person][challenge.id]
            if not self._of[person]:
                del self._of[person]
        self._tell(challenge)

    def _tell(self, challenge: Challenge) -> None:
        self._house.followers.challenges_changed((challenge.challenger, challenge.challenged))

    # --- asking -----------------------------------------------------------------------------------

    def of(self, person: str | None) -> Sequence[Challenge]:
        """The challenges of somebody, those for them first."""
        now, own = self._house.now(), self._of.get(person or "", {})
        mine = [one for one in own.values() if one.expires_at > now]
        return sorted(mine, key=lambda one: (one.challenged != person, one.created_at, one.id))

    def _one(self, name: str, person: Person) -> Challenge:
        challenge = self._known.get(name)
        if not challenge or challenge not in self.of(person.id):
            raise NoChallengeError
        return challenge

    # --- doing ------------------------------------------------------------------------------------

    async def open(
        self, person: Person, account: Account, agreement: Agreement, side: int | None = None
    ) -> Challenge:
        """Challenge an account; the same challenge again is still one.

        Raises:
            HouseError: this person cannot do so, or not now.
        """
        if not person.has_account:
            raise HouseError(text("to challenge somebody you need an account"))
        if account.person == person.id:
            raise HouseError(text("you cannot challenge yourself"))
        if agreement.seats != 2:
            raise HouseError(text("a challenge is to a game of two"))
        if side is not None and not 0 <= side < agreement.seats:
            side = None
        now, mine = self._house.now(), self.of(person.id)
        for one in mine:
            if one.challenged == account.person and one.agreement == agreement and one.side == side:
                return one
        if sum(one.challenger == person.id for one in mine) >= MOST_OF_ONE:
            raise HouseError(text("you have {count} challenges open already", count=MOST_OF_ONE))
        full = sum(one.challenged == account.person for one in self.of(account.person))
        if full >= MOST_FOR_ONE or len(self._known) >= MOST:
            raise HouseError(text("too much at once; try again in a moment"))
        blocked = await self._house.moderation.blocked_by(account.person)
        if person.id in blocked:
            raise HouseError(text("{name} does not want to be challenged", name=account.name))
        live = bool(agreement.clock) and not agreement.by_days
        row = ChallengeRow(
            new_id(),
            person.id,
            account.person,
            agreement.as_data(),
            side,
            now,
            now + (LIVE if live else SLOW),
        )
        challenge = await self._read(row)
        if not challenge:
            raise NoChallengeError
        await asyncio.wrap_future(self._house.store.write(_create, row=row, live=live))
        self._remember(challenge)
        return challenge

    async def accept(self, name: str, person: Person) -> str:
        """Accept a challenge: the id of the game, which begins at once.

        Raises:
            HouseError: it does not stand any more, or is not for this person.
        """
        challenge = self._one(name, person)
        if challenge.challenged != person.id:
            raise NoChallengeError
        if not await self._take(challenge):
            raise NoChallengeError
        side = SystemRandom().randrange(2) if challenge.side is None else challenge.side
        seats = [
            SeatRow(SeatKind.PERSON, challenge.standings[number].name, who)
            for number, who in enumerate((challenge.challenger, challenge.challenged))
        ]
        agreement = challenge.agreement.again()
        game = await self._house.create_with(agreement, seats if side == 0 else seats[::-1])
        if not agreement.by_days:
            self._house.lobby.lead([challenge.challenger], game)
        return game

    async def refuse(self, name: str, person: Person) -> None:
        """Decline a challenge, or withdraw one's own.

        Raises:
            HouseError: it does not stand any more.
        """
        await self._take(self._one(name, person))

    async def _take(self, challenge: Challenge) -> bool:
        """Remove a challenge; of two who want that at once one does so."""
        was = await asyncio.wrap_future(
            self._house.store.write(challenge_rows.drop_challenge, challenge=challenge.id)
        )
        self._forget(challenge)
        return was


def _create(connection: Connection, row: ChallengeRow, *, live: bool) -> None:
    """Write a challenge, and that the challenged is to be told of it."""
    challenge_rows.create_challenge(connection, row)
    notices.note(connection, row.challenged, row.id, Told.CHALLENGED, row.created_at, live=live)
