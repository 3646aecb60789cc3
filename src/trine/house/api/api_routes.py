"""The API: the requests of programs over HTTP, in JSON, on behalf of an account.

A request has a token, ``Authorization: Bearer …``, and cookies are ignored, so pages of other sites
cannot use it. The methods of `Api` make the routes and the documentation alike.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Final

import msgspec
from starlette.exceptions import HTTPException
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
from trine.house.api.api_description import ROOT, Operation, describe, operation, operations_of
from trine.house.api.programs import PUBLIC
from trine.house.api.streams import REVOKED, Sources, Stream
from trine.house.api.tables import CHALLENGE, NOT_A_PROGRAM, PLAY, READ, TOURNAMENT, Grant
from trine.house.games import messages
from trine.house.games.acting import act
from trine.house.games.agreement import Agreement
from trine.house.people.tables import Person
from trine.house.refusals import TooMuchError, is_momentary
from trine.house.web.frame import Frame
from trine.house.web.headers import AN_HOUR, FRESH
from trine.house.web.messages import FRAME, decode_json
from trine.house.web.refusing import why_of

BEARER: Final = "bearer "
UNKNOWN: Final = {"www-authenticate": "Bearer"}
"""The header of an answer to a request without a good token."""


class RefusedRequestError(Exception):
    """The error of a request that is refused.

    Args: ``told`` is answered in place of the reason alone.
    """

    def __init__(
        self,
        status: HTTPStatus,
        why: Text,
        told: api.No | None = None,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        super().__init__(why)
        self.status, self.why, self.told, self.headers = status, why, told, headers


@dataclass(frozen=True)
class Api:
    """The operations, each a method.

    It gets the grant of the token, or None where none is needed, and what was sent.
    """

    frame: Frame[Person]
    sources: Sources

    def routes(self) -> list[Route]:
        made = [
            Route(ROOT + one.path, self._guarded(one), methods=[one.method]) for one in OPERATIONS
        ]
        return [*made, Route(f"{ROOT}/openapi.json", self.described)]

    async def described(self, request: Request) -> Response:
        return Response(msgspec.json.encode(description()), 200, AN_HOUR, "application/json")

    # --- who asks ---------------------------------------------------------------------------------

    def _guarded(self, one: Operation) -> Callable[[Request], Awaitable[ASGIApp]]:
        """Return the handler of an operation, which asks for a token with its scope."""
        answer = getattr(self, one.name)

        async def guarded(request: Request) -> Any:
            try:
                self.frame.addresses.spend(self.frame.address_of(request))
                grant = await self._grant(request, one.scope) if one.scope else None
                sent = [] if one.takes is None else [await self._read(request, one.takes)]
                told = await answer(request, grant, *sent)
            except RefusedRequestError as no:
                return self._refuse(request, no.status, no.why, no.headers, no.told)
            except HTTPException as error:  # there are no credits left
                headers = error.headers or {}
                return self._refuse(request, error.status_code, TooMuchError.default_text, headers)
            except TrineError as error:
                status, headers = self.frame.status_of(error)
                if status == HTTPStatus.BAD_REQUEST:  # which is for what cannot be read
                    status = HTTPStatus.CONFLICT
                return self._refuse(request, status, why_of(error), headers)
            return told if callable(told) else _json(told)

        return guarded

    def _refuse(
        self,
        request: Request,
        status: int,
        why: Text,
        headers: Mapping[str, str],
        told: api.No | None = None,
    ) -> Response:
        self.frame.metrics.refused.inc()
        response = _json(told or api.Refusal(self.frame.language(request).say(why)), status)
        response.headers.update(headers)
        return response

    async def _grant(self, request: Request, scope: str) -> Grant:
        frame = self.frame
        given = request.headers.get("authorization", "")
        if not given.lower().startswith(BEARER):
            raise RefusedRequestError(
                HTTPStatus.UNAUTHORIZED,
                text("give a token: {header}", header="Authorization: Bearer …"),
                headers=UNKNOWN,
            )
        grant = await self.sources.tokens.grant(given[len(BEARER) :].strip())
        if not grant:
            # Tokens have 256 bits; this is for those who try all the same.
            frame.addresses.take(frame.address_of(request), 19)
            raise RefusedRequestError(HTTPStatus.UNAUTHORIZED, REVOKED, headers=UNKNOWN)
        self.sources.sanctions.check_not_banned(grant.person.id)
        frame.notice(grant.person, request)
        if scope not in grant.scopes:
            told = text("the token does not allow this: {scope}", scope=scope)
            only_bots = scope == PLAY and not grant.bot
            raise RefusedRequestError(HTTPStatus.FORBIDDEN, NOT_A_PROGRAM if only_bots else told)
        frame.players.spend(grant.person.id)
        return grant

    async def _read(self, request: Request, kind: Any) -> Any:
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > FRAME:
                raise RefusedRequestError(
                    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                    text("no message is longer than {count} bytes", count=FRAME),
                )
        try:
            return decode_json(msgspec.json.Decoder(kind), bytes(body))
        except msgspec.DecodeError as error:
            raise RefusedRequestError(
                HTTPStatus.BAD_REQUEST,
                text("this is no message: {problem}", problem=str(error)[:200]),
            ) from None

    # --- the operations ---------------------------------------------------------------------------

    @operation("GET", "/account", READ)
    async def account(self, request: Request, grant: Grant) -> api.Account:
        """The account of the token."""
        return api.Account(grant.person.name, grant.bot, list(grant.scopes))

    @operation("GET", "/events", READ, stream=api.Event)
    async def events(self, request: Request, grant: Grant) -> ASGIApp:
        """The stream of what concerns the account.

        First come the challenges that stand and its running games, then whatever changes, and a
        ping at least every 6 seconds. Each account has one stream; a new one ends the one before.
        While it is open the account is there in all its games.
        """
        return Stream(self.sources, grant, self.frame.language_of(request))

    @operation(
        "GET",
        "/people",
        READ,
        asks={
            "name": "The beginning of a name; those that look alike are found too.",
            "after": "What was answered as that with the page before.",
        },
    )
    async def people(self, request: Request, grant: Grant) -> api.People:
        """The accounts whose names begin so, page by page."""
        query = request.query_params
        people, after = await self.sources.search.people(
            query.get("name", ""), query.get("after", "")
        )
        return api.People([api.FoundPerson(one.name, one.bot, one.since) for one in people], after)

    @operation(
        "GET",
        "/games",
        READ,
        asks={
            "player": "The name of an account that plays.",
            "against": "The name of another one.",
            "mine": "`1`: the account of the token plays.",
            "game": "`arimaa`, `tzaar` or `corridor`.",
            "rules": "A rule set of the game.",
            "players": "`2`, `3` or `4`.",
            "kind": "`rated` or `casual`.",
            "pace": "`live` or `days`.",
            "result": "`won`, `lost` or `drawn` by the player, or else by the side that began; "
            "`over` or `running`.",
            "since": "A day, such as `2026-11-22`, by universal time.",
            "until": "Likewise; the last day.",
            "after": "What was answered as that with the page before.",
        },
    )
    async def games(self, request: Request, grant: Grant) -> api.Games:
        """Games that everybody may watch, and those of the account, page by page."""
        given = dict(request.query_params)
        games, after = await self.sources.search.games(given, grant.person)
        language = self.frame.language(request)
        return api.Games([found_told(one, language) for one in games], after)

    @operation("GET", "/games/{id}", READ)
    async def game(self, request: Request, grant: Grant) -> api.Game:
        """A game as it stands."""
        host = await self.sources.games.host(request.path_params["id"])
        language = self.frame.language(request)
        return game_told(host.snapshot, grant.person.id, language, self.frame.now())

    @operation("POST", "/games/{id}", PLAY)
    async def command(
        self, request: Request, grant: Grant, message: messages.Command
    ) -> api.Ok | api.Reason | api.No:
        """Do something in a game of the account, by the messages of the pages.

        A command that comes again under the same id is answered, and not done again.
        """
        host = await self.sources.games.host(request.path_params["id"])
        language = self.frame.language(request)
        try:
            answer = await act(host, grant.person, message, self.frame.now())
        except TrineError as error:
            if is_momentary(error):
                raise
            no = api.No(message.id, language.say(error.text), host.snapshot.seq)
            raise RefusedRequestError(HTTPStatus.CONFLICT, error.text, no) from error
        answer.id = message.id
        told: api.Ok | api.Reason = msgspec.to_builtins(answer, enc_hook=language.say)
        return told

    @operation(
        "GET", "/bots", PUBLIC, asks={"after": "What was answered as that with the page before."}
    )
    async def bots(self, request: Request, grant: None) -> api.Bots:
        """The accounts of programs, page by page. It needs no token."""
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

    @operation("GET", "/tournaments", READ)
    async def tournaments(self, request: Request, grant: Grant) -> list[api.TournamentListed]:
        """Tournaments, as the page has them.

        First those of the account, then the listed ones that run, are open to join, or are over.
        """
        lists = await self.sources.tournaments.lists(grant.person)
        return [listed_told(*one) for some in lists.values() for one in some]

    @operation("GET", "/tournaments/{id}", READ)
    async def tournament(self, request: Request, grant: Grant) -> api.Tournament:
        """A tournament."""
        state = await self.sources.tournaments.read(request.path_params["id"])
        return tournament_told(state, grant.person, self.frame.language(request))

    @operation("POST", "/tournaments/{id}", TOURNAMENT)
    async def enter(self, request: Request, grant: Grant, wanted: api.Entry) -> api.Tournament:
        """Join a tournament, or leave it. Once more does nothing more."""
        tournament_id = request.path_params["id"]
        do = self.sources.tournaments.join if wanted.what == "join" else self.sources.tournaments.go
        await do(tournament_id, grant.person)
        return await self.tournament(request, grant)

    @operation("GET", "/challenges", READ)
    async def challenges(self, request: Request, grant: Grant) -> list[api.Challenge]:
        """The challenges."""
        person = grant.person.id
        return [challenge_told(one, person) for one in self.sources.challenges.of(person)]

    @operation("POST", "/challenges", CHALLENGE)
    async def challenge(
        self, request: Request, grant: Grant, wanted: api.NewChallenge
    ) -> api.Challenge:
        """Challenge an account. The same challenge again is still one."""
        account = await self.sources.accounts.named(wanted.to)
        if not account:
            raise RefusedRequestError(
                HTTPStatus.NOT_FOUND, text("no account is called {name}", name=wanted.to)
            )
        agreement = Agreement.make(
            wanted.game, wanted.rules, wanted.options, clock=wanted.clock, rated=wanted.rated
        )
        opened = await self.sources.challenges.open(grant.person, account, agreement, wanted.side)
        return challenge_told(opened, grant.person.id)

    @operation("POST", "/challenges/{id}", CHALLENGE)
    async def reply(self, request: Request, grant: Grant, wanted: api.Reply) -> api.Begun:
        """Accept or decline a challenge, or withdraw one of the account."""
        challenges, challenge_id = self.sources.challenges, request.path_params["id"]
        if wanted.what == "accept":
            return api.Begun(await challenges.accept(challenge_id, grant.person))
        await challenges.refuse(challenge_id, grant.person)
        return api.Begun("")


def _json(told: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(told), status, FRESH, "application/json")


OPERATIONS: Final = operations_of(Api)


@cache
def description() -> dict[str, Any]:
    return describe(OPERATIONS)
