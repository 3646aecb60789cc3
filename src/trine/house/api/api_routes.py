"""The API: the requests of programs over HTTP, in JSON, on behalf of an account.

A request has a token, ``Authorization: Bearer …``, and cookies are ignored, so pages of other sites
cannot use it. `OPERATIONS` makes the routes and the documentation alike.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from trine.core.errors import TrineError
from trine.core.text.sentence import Text, text
from trine.engine.protocol import api
from trine.house.api.answers import (
    challenge_told,
    found_told,
    game_told,
    listed_told,
    tournament_told,
)
from trine.house.api.api_description import OPERATIONS, ROOT, description
from trine.house.api.programs import PLAY
from trine.house.api.streams import Sources, Streams
from trine.house.api.tables import Grant
from trine.house.games import messages
from trine.house.games.acting import act
from trine.house.games.agreement import Agreement
from trine.house.people.tables import Person
from trine.house.refusals import NotHereError
from trine.house.web.frame import Frame
from trine.house.web.headers import AN_HOUR, FRESH
from trine.house.web.messages import FRAME, decode_json
from trine.house.web.refusing import is_fault, why_of

BEARER: Final = "bearer "


class RefusedError(Exception):
    """The error of a request that is refused before anything is done."""

    def __init__(self, status: HTTPStatus, why: Text) -> None:
        super().__init__(why)
        self.status, self.why = status, why


Answer = Callable[[Request, Any], Awaitable[Any]]
"""A handler; it gets the grant of the token, or None where none is needed."""


async def described(request: Request) -> Response:
    return Response(msgspec.json.encode(description()), 200, AN_HOUR, "application/json")


@dataclass(frozen=True)
class Api:
    """The answers to programs: a method for each of the `OPERATIONS`, under its name."""

    frame: Frame[Person]
    streams: Streams

    def routes(self) -> list[Route]:
        made = [
            Route(
                ROOT + one.path,
                self.guarded(getattr(self, one.name), one.scope),
                methods=[one.method],
            )
            for one in OPERATIONS
        ]
        return [*made, Route(f"{ROOT}/openapi.json", described)]

    @property
    def sources(self) -> Sources:
        return self.streams.sources

    # --- who asks ---------------------------------------------------------------------------------

    def guarded(self, answer: Answer, scope: str) -> Callable[[Request], Awaitable[ASGIApp]]:
        """Wrap a handler so that it asks for a token with a scope."""

        async def guarded(request: Request) -> Any:
            rates = _Rates(self.frame, request)
            try:
                rates.take()
                grant = await self._grant(request, scope, rates) if scope else None
                told = await answer(request, grant)
            except RefusedError as refused:
                return self._refusal(request, rates, refused.status, refused.why)
            except NotHereError as error:
                return self._refusal(request, rates, HTTPStatus.NOT_FOUND, error.text)
            except TrineError as error:
                status = HTTPStatus.SERVICE_UNAVAILABLE if is_fault(error) else HTTPStatus.CONFLICT
                refusal = self._refusal(request, rates, status, why_of(error))
                if is_fault(error):
                    refusal.headers.update(self.frame.status_of(error)[1])
                return refusal
            if callable(told) and not isinstance(told, Response):
                return told
            response = told if isinstance(told, Response) else _json(told)
            response.headers.update(rates.headers())
            return response

        return guarded

    def _refusal(self, request: Request, rates: _Rates, status: HTTPStatus, why: Text) -> Response:
        self.frame.metrics.refused.inc()
        response = _json(api.Refusal(self.frame.language(request).say(why)), status)
        response.headers.update(rates.headers())
        if status is HTTPStatus.UNAUTHORIZED:
            response.headers["www-authenticate"] = "Bearer"
        if status is HTTPStatus.TOO_MANY_REQUESTS:
            response.headers["retry-after"] = str(rates.wait)
        return response

    async def _grant(self, request: Request, scope: str, rates: _Rates) -> Grant:
        """Return the grant of the token of a request."""
        frame = self.frame
        given = request.headers.get("authorization", "")
        if not given.lower().startswith(BEARER):
            raise RefusedError(
                HTTPStatus.UNAUTHORIZED,
                text("give a token: {header}", header="Authorization: Bearer …"),
            )
        grant = await self.sources.tokens.grant(given[len(BEARER) :].strip())
        if not grant:
            # Tokens have 256 bits; this is for those who try all the same.
            frame.addresses.take(frame.address_of(request), 19)
            raise RefusedError(HTTPStatus.UNAUTHORIZED, text("the token is no longer good"))
        self.sources.sanctions.check_not_banned(grant.person.id)
        frame.notice(grant.person, request)
        if scope not in grant.scopes:
            raise RefusedError(
                HTTPStatus.FORBIDDEN, text("the token does not allow this: {scope}", scope=scope)
            )
        if scope == PLAY and not grant.bot:
            raise RefusedError(
                HTTPStatus.FORBIDDEN, text("programs play under accounts of programs alone")
            )
        rates.take(grant.person.id)
        return grant

    async def _read(self, request: Request, kind: Any) -> Any:
        """Return the body of a request."""
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > FRAME:
                raise RefusedError(
                    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                    text("no message is longer than {count} bytes", count=FRAME),
                )
        try:
            return decode_json(msgspec.json.Decoder(kind), bytes(body))
        except msgspec.DecodeError as error:
            raise RefusedError(
                HTTPStatus.BAD_REQUEST,
                text("this is no message: {problem}", problem=str(error)[:200]),
            ) from None

    # --- asking -----------------------------------------------------------------------------------

    async def account(self, request: Request, grant: Grant) -> api.Account:
        return api.Account(grant.person.name, grant.bot, list(grant.scopes))

    async def events(self, request: Request, grant: Grant) -> ASGIApp:
        return self.streams.open(grant, self.frame.language_of(request))

    async def game(self, request: Request, grant: Grant) -> api.Game:
        host = await self.sources.games.host(request.path_params["id"])
        language = self.frame.language(request)
        return game_told(host.snapshot, grant.person.id, language, self.frame.now())

    async def people(self, request: Request, grant: Grant) -> api.People:
        query = request.query_params
        people, after = await self.sources.search.people(
            query.get("name", ""), query.get("after", "")
        )
        return api.People([api.FoundPerson(one.name, one.bot, one.since) for one in people], after)

    async def games(self, request: Request, grant: Grant) -> api.Games:
        given = dict(request.query_params)
        games, after = await self.sources.search.games(given, grant.person)
        language = self.frame.language(request)
        return api.Games([found_told(one, language) for one in games], after)

    async def bots(self, request: Request, grant: None) -> api.Bots:
        self.frame.addresses.charge(self.frame.address_of(request), 9)  # it reads much
        found, after = await self.sources.search.bots(request.query_params.get("after", ""))
        ratings = await self.sources.search.ratings([one.person for one in found], self.frame.now())
        bots = [
            api.Bot(
                one.name,
                one.since,
                self.sources.subscribers.listens(one.person),
                {what: str(rated) for what, rated in ratings.get(one.person, {}).items()},
            )
            for one in found
        ]
        return api.Bots(bots, after)

    async def tournaments(self, request: Request, grant: Grant) -> list[api.TournamentListed]:
        lists = await self.sources.tournaments.lists(grant.person)
        return [listed_told(one) for some in lists.values() for one in some]

    async def tournament(self, request: Request, grant: Grant) -> api.Tournament:
        state = await self.sources.tournaments.read(request.path_params["id"])
        return tournament_told(state, grant.person, self.frame.language(request))

    async def challenges(self, request: Request, grant: Grant) -> list[api.Challenge]:
        person = grant.person.id
        return [challenge_told(one, person) for one in self.sources.challenges.of(person)]

    # --- doing ------------------------------------------------------------------------------------

    async def command(self, request: Request, grant: Grant) -> Any:
        message = await self._read(request, messages.Command)
        host = await self.sources.games.host(request.path_params["id"])
        language = self.frame.language(request)
        try:
            answer = await act(host, grant.person, message, self.frame.now())
        except TrineError as error:
            if is_fault(error):
                raise
            self.frame.metrics.refused.inc()
            why = language.say(why_of(error))
            return _json(api.No(message.id, why, host.snapshot.seq), HTTPStatus.CONFLICT)
        answer.id = message.id
        return msgspec.to_builtins(answer, enc_hook=language.say)

    async def challenge(self, request: Request, grant: Grant) -> api.Challenge:
        wanted = await self._read(request, api.NewChallenge)
        account = await self.sources.accounts.named(wanted.to)
        if not account:
            raise RefusedError(
                HTTPStatus.NOT_FOUND, text("nobody here is called {name}", name=wanted.to)
            )
        agreement = Agreement.make(
            wanted.game, wanted.rules, wanted.options, clock=wanted.clock, rated=wanted.rated
        )
        opened = await self.sources.challenges.open(grant.person, account, agreement, wanted.side)
        return challenge_told(opened, grant.person.id)

    async def enter(self, request: Request, grant: Grant) -> api.Tournament:
        wanted, name = await self._read(request, api.Entry), request.path_params["id"]
        do = self.sources.tournaments.join if wanted.what == "join" else self.sources.tournaments.go
        await do(name, grant.person)
        return await self.tournament(request, grant)

    async def reply(self, request: Request, grant: Grant) -> api.Begun:
        wanted = await self._read(request, api.Reply)
        challenges, name = self.sources.challenges, request.path_params["id"]
        if wanted.what == "accept":
            return api.Begun(await challenges.accept(name, grant.person))
        await challenges.refuse(name, grant.person)
        return api.Begun("")


class _Rates:
    """The limits that a request counts against: its address, and its account once it is known."""

    def __init__(self, frame: Frame[Person], request: Request) -> None:
        self._known = [("address", frame.addresses, frame.address_of(request))]
        self._players = frame.players

    def take(self, person: str = "") -> None:
        """Count a request against the address, or against an account."""
        if person:
            self._known.insert(0, ("account", self._players, person))
        _, kept, who = self._known[0]
        if not kept.take(who):
            raise RefusedError(HTTPStatus.TOO_MANY_REQUESTS, _TOO_MUCH)

    @property
    def wait(self) -> int:
        """Units: seconds; the time for `Retry-After`."""
        _, kept, who = self._known[0]
        return kept.left(who).wait()

    def headers(self) -> dict[str, str]:
        """Return what is told of the limits with each answer.

        Source: draft-ietf-httpapi-ratelimit-headers-10.
        """
        left = [(name, kept.left(who)) for name, kept, who in self._known]
        return {
            "ratelimit-policy": ", ".join(one.policy(name) for name, one in left),
            "ratelimit": ", ".join(one.told(name) for name, one in left),
        }


_TOO_MUCH: Final = text("too much at once; try again in a moment")


def _json(told: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(told), status, FRESH, "application/json")
