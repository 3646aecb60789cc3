"""Challenges: invitations to a game, addressed to one account."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus
from random import SystemRandom
from typing import Final

from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.core.text.sentence import text, verbatim
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.change_hooks import Write
from trine.house.games.live.games import Games
from trine.house.games.live.live_game import RatedPlayer
from trine.house.games.storage.tables import SeatKind, SeatRow
from trine.house.lobby import tables
from trine.house.lobby.new_game import offers, read_seek
from trine.house.notify import notices
from trine.house.notify.notices import News, NoticeKind, sentence_of
from trine.house.notify.tables import Notice
from trine.house.people.accounts import Accounts
from trine.house.people.idempotency import Finish, FormOutcome, IdempotencyKeys
from trine.house.people.relations import Blocks
from trine.house.people.tables import Account, Person, read_person
from trine.house.ratings.ratings import Ratings
from trine.house.refusals import HouseError, OverloadedError
from trine.house.store.schema import values_of
from trine.house.store.secrets import new_id
from trine.house.store.store import Store
from trine.house.web.frame import Frame
from trine.house.web.refusing import refusal_of

MAX_OF_ONE, MAX_FOR_ONE, MAX_CHALLENGES = 10, 50, 10_000
"""The maximum numbers of open challenges: from a person, to a person, and of the house. Guesses."""
LIVE_LIFETIME: Final = 600.0  # seconds; how long a challenge to a game on a clock stays open
LIFETIME: Final = 7 * 86_400.0
"""Units: seconds; how long a challenge without a clock, or by correspondence, stays open."""
REFRESH_INTERVAL: Final = 10.0
"""Units: seconds; the interval of checks for expired and for other processes' challenges."""


def news_of_challenge(connection: Connection, notice: Notice, now: float) -> News | None:
    """Return the text of a notice about a challenge; None if the challenge is no longer open."""
    row = tables.read_challenge(connection, notice.about)
    challenger = read_person(connection, row.challenger) if row else None
    if not row or not challenger or row.expires_at <= now:
        return None
    agreement, name = Agreement.from_data(row.terms), verbatim(challenger.name)
    sentence = sentence_of(NoticeKind.CHALLENGED, agreement.game, name, row.expires_at - now)
    return News(sentence, "/lobby", bool(agreement.clock) and not agreement.by_days)


class NoChallengeError(HouseError):
    """The challenge does not exist, or is no longer open."""

    default_text = text("this challenge is no longer open")


@dataclass(frozen=True, slots=True)
class Challenge(tables.ChallengeRow):
    """A challenge with the ratings to show."""

    agreement: Agreement
    standings: Mapping[int, RatedPlayer]
    """The accounts and ratings of the challenger, as 0, and the challenged, as 1."""

    @property
    def people(self) -> tuple[str, str]:
        return self.challenger, self.challenged


class Challenges:
    """The cache of a house's open challenges."""

    def __init__(
        self,
        store: Store,
        games: Games,
        ratings: Ratings,
        blocks: Blocks,
        *,
        changed: Callable[[Collection[str]], None],
        lead: Callable[[Collection[str], str], None],
    ) -> None:
        """Begin with no challenges.

        ``changed`` is called with the challenger and the challenged of a changed challenge;
        ``lead`` redirects the pages of people to a game.
        """
        self._store, self._games, self._ratings = store, games, ratings
        self._blocks, self._changed, self._lead = blocks, changed, lead
        self._known: dict[str, Challenge] = {}
        self._of: defaultdict[str, dict[str, Challenge]] = defaultdict(dict)
        """The cached challenges by person, since pages of the lobby ask every second."""
        self._gone: set[str] = set()
        """The challenges that ended while the stored ones were being read."""

    async def refresh(self) -> None:
        """Drop expired challenges, and load those of other processes."""
        now = self._store.now()
        self._gone.clear()
        stored = await self._store.fetch(tables.open_challenges, now=now, limit=MAX_CHALLENGES)
        rows = {row.id: row for row in stored}
        for challenge in [one for one in self._known.values() if one.id not in rows]:
            # A challenge stored during the read is missing from the rows, but is new.
            if challenge.expires_at <= now or challenge.created_at < now - REFRESH_INTERVAL:
                self._forget(challenge)
        for row in rows.values():
            if row.id in self._known or not (found := await self._read(row)):
                continue
            if row.id not in self._gone and row.id not in self._known:
                self._remember(found)

    async def _read(self, row: tables.ChallengeRow) -> Challenge | None:
        agreement = Agreement.from_data(row.terms)
        both = [SeatRow(SeatKind.PERSON, "", person) for person in (row.challenger, row.challenged)]
        (standings,) = await self._ratings.standings((agreement, both))
        if len(standings) < len(both):
            return None
        return Challenge(**values_of(row), agreement=agreement, standings=standings)

    def _remember(self, challenge: Challenge) -> None:
        self._known[challenge.id] = challenge
        for person in challenge.people:
            self._of[person][challenge.id] = challenge
        self._changed(challenge.people)

    def _forget(self, challenge: Challenge) -> None:
        self._gone.add(challenge.id)
        if not self._known.pop(challenge.id, None):
            return
        for person in challenge.people:
            del self._of[person][challenge.id]
            if not self._of[person]:
                del self._of[person]
        self._changed(challenge.people)

    def forget(self, person_id: str) -> None:
        """Drop the challenges from and to a person whose account is being deleted."""
        for challenge in list(self._of.get(person_id, {}).values()):
            self._forget(challenge)

    def rename(self, person: Person) -> None:
        for challenge in list(self._of.get(person.id, {}).values()):
            number = challenge.people.index(person.id)
            standing = replace(challenge.standings[number], name=person.name)
            self._remember(replace(challenge, standings={**challenge.standings, number: standing}))

    def of(self, person_id: str | None) -> Sequence[Challenge]:
        """Return the challenges from and to a person; those to the person come first."""
        now, own = self._store.now(), self._of.get(person_id or "", {})
        mine = [one for one in own.values() if one.expires_at > now]
        return sorted(mine, key=lambda one: (one.challenged != person_id, one.created_at, one.id))

    def _one(self, challenge_id: str, person: Person) -> Challenge:
        challenge = self._known.get(challenge_id)
        if not challenge or challenge not in self.of(person.id):
            raise NoChallengeError
        return challenge

    async def open(
        self,
        person: Person,
        account: Account,
        agreement: Agreement,
        side: int | None = None,
        also: Callable[[], Write] | None = None,
    ) -> Challenge:
        """Challenge an account; a repeated challenge returns the open one.

        If the account has challenged the person to the same game, this is refused, since the game
        could begin twice. ``also`` returns a write for the same transaction.
        """
        if not person.has_account:
            raise HouseError("to challenge somebody you need an account")
        if account.person == person.id:
            raise HouseError("you cannot challenge yourself")
        if agreement.seats != 2:
            raise HouseError("a challenge is for a game of two players")
        if side is not None and not 0 <= side < agreement.seats:
            side = None
        now, mine = self._store.now(), self.of(person.id)
        for one in mine:
            if account.person in one.people and one.agreement.is_like(agreement):
                if one.challenged == account.person and one.side == side:
                    return one
                if one.challenger == account.person and (one.side is None or one.side != side):
                    raise HouseError("{name} has challenged you to such a game", name=account.name)
        if sum(one.challenger == person.id for one in mine) >= MAX_OF_ONE:
            raise HouseError("you have {count} challenges open already", count=MAX_OF_ONE)
        full = sum(one.challenged == account.person for one in self.of(account.person))
        if full >= MAX_FOR_ONE or len(self._known) >= MAX_CHALLENGES:
            # no `OverloadedError`, which asks for a retry soon: challenges may stay open for days
            raise HouseError(OverloadedError.default_text)
        await self._check_may_meet(agreement, person.id, account.person)
        blocked = await self._blocks.blocked_by(account.person)
        if person.id in blocked:
            raise HouseError("{name} does not want to be challenged", name=account.name)
        live = bool(agreement.clock) and not agreement.by_days
        terms, until = agreement.as_data(), now + (LIVE_LIFETIME if live else LIFETIME)
        row = tables.ChallengeRow(
            id=new_id(),
            challenger=person.id,
            challenged=account.person,
            terms=terms,
            side=side,
            created_at=now,
            expires_at=until,
        )
        challenge = await self._read(row)
        if not challenge:
            raise NoChallengeError
        await self._store.commit(_create, row=row, live=live, also=also() if also else None)
        self._remember(challenge)
        return challenge

    async def _check_may_meet(self, agreement: Agreement, *people: str) -> None:
        if agreement.rated:
            await self._ratings.check_may_meet(people)

    async def accept(self, challenge_id: str, person: Person) -> str:
        """Accept a challenge; return the id of its game, which begins at once."""
        challenge = self._one(challenge_id, person)
        if challenge.challenged != person.id:
            raise NoChallengeError
        agreement = challenge.agreement.again()
        await self._check_may_meet(agreement, *challenge.people)
        await self._games.admit(person)
        side = SystemRandom().randrange(2) if challenge.side is None else challenge.side
        seats = [
            SeatRow(SeatKind.PERSON, challenge.standings[number].name, who)
            for number, who in enumerate(challenge.people)
        ]
        if side:
            seats.reverse()
        game = await self._games.create_with(
            agreement, seats, name=challenge_id, also=partial(_take, challenge_id)
        )
        self._forget(challenge)
        if not agreement.by_days:
            self._lead([challenge.challenger], game)
        return game

    async def refuse(self, challenge_id: str, person: Person) -> None:
        """Decline a challenge to the person, or withdraw one from the person."""
        challenge = self._one(challenge_id, person)
        await self._store.commit(tables.drop_challenge, challenge=challenge.id)
        self._forget(challenge)


def _take(challenge: str, connection: Connection) -> None:
    """Delete a challenge; of concurrent requests, one succeeds, and the others are refused."""
    if not tables.drop_challenge(connection, challenge):
        raise NoChallengeError


def _create(
    connection: Connection, row: tables.ChallengeRow, *, live: bool, also: Write | None
) -> None:
    tables.create_challenge(connection, row)
    if also:
        also(connection)
    notices.note(
        connection, row.challenged, row.id, NoticeKind.CHALLENGED, row.created_at, live=live
    )


@dataclass(frozen=True)
class ChallengePages:
    """The routes of challenges."""

    frame: Frame[Person]
    challenges: Challenges
    accounts: Accounts
    idempotency_keys: IdempotencyKeys

    def routes(self) -> list[Route]:
        return [
            Route("/challenge/{name}", self.form),
            Route("/challenge/{name}", self.open, methods=["POST"]),
            Route("/challenges/{id}/accept", self.accept, methods=["POST"]),
            Route("/challenges/{id}/refuse", self.refuse, methods=["POST"]),
        ]

    async def _account(self, request: Request) -> Account:
        self.frame.charge(request, 5)
        account = await self.accounts.named(request.path_params["name"])
        if not account:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return account

    async def form(self, request: Request) -> Response:
        return await self._show(request, dict(request.query_params), await self._account(request))

    async def _show(
        self,
        request: Request,
        chosen: dict[str, str],
        account: Account,
        refusal: TrineError | None = None,
    ) -> Response:
        person = await self.frame.person_of(request)
        return await self.frame.show(
            request,
            "challenge.html",
            account=account,
            may=person is not None and person.has_account,
            refusal=refusal,
            **offers(chosen, self.frame.language_of(request)),
        )

    async def open(self, request: Request) -> Response:
        person, form = await self.frame.form_of_owner(request)
        account = await self._account(request)

        async def challenge(finish: Finish) -> FormOutcome:
            led = FormOutcome("/lobby")
            await self.challenges.open(person, account, agreement, side, lambda: finish(led))
            return led

        try:
            agreement, side = read_seek(form, listed=False)
            await self.idempotency_keys.once(form, person, challenge)
        except TrineError as error:
            return await self._show(request, form, account, refusal_of(error))
        return RedirectResponse("/lobby", 303)

    async def accept(self, request: Request) -> Response:
        person, _ = await self.frame.form_of_owner(request)
        game = await self.challenges.accept(request.path_params["id"], person)
        return RedirectResponse(f"/game/{game}", 303)

    async def refuse(self, request: Request) -> Response:
        person, form = await self.frame.form_of_owner(request)
        try:
            await self.challenges.refuse(request.path_params["id"], person)
        except TrineError as error:
            refusal_of(error)  # the challenge is gone already, as wanted
        return RedirectResponse("/" if form["back"] == "home" else "/lobby", 303)
