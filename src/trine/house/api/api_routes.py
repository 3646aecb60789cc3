"""The API: the requests of programs over HTTP, in JSON, on behalf of an account.

A request has a token, ``Authorization: Bearer …``, and cookies are ignored, so pages of other sites
cannot use it. `OPERATIONS` makes the routes and the documentation alike.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from trine.core.errors import TrineError
from trine.core.text.language import open_language
from trine.core.text.sentence import Text, text
from trine.house.api.answers import challenge_told, found_told, game_told
from trine.house.api.api_description import description
from trine.house.api.operations import OPERATIONS, ROOT
from trine.house.api.programs import PLAY, Tokens
from trine.house.api.streams import Streams
from trine.house.api.tables import Grant
from trine.house.games import messages
from trine.house.games.acting import act
from trine.house.games.agreement import Agreement
from trine.house.games.games import Games
from trine.house.lobby.challenges import Challenges
from trine.house.people.accounts import Accounts
from trine.house.people.person_rows import Person
from trine.house.people.sanctions import Sanctions
from trine.house.refusals import NotHereError
from trine.house.search.search import Search
from trine.protocol import api
from trine.web.frame import Frame
from trine.web.headers import AN_HOUR, FRESH
from trine.web.messages import FRAME
from trine.web.refusing import why_of

BEARER: Final = "bearer "


class RefusedError(Exception):
    """The error of a request that is refused before anything is done."""

    def __init__(self, status: HTTPStatus, why: Text) -> None:
        super().__init__(why)
        self.status, self.why = status, why


Answer = Callable[[Request, Grant], Awaitable[Any]]


def routes(
    frame: Frame[Person],
    streams: Streams,
    tokens: Tokens,
    accounts: Accounts,
    sanctions: Sanctions,
    games: Games,
    search: Search,
    challenges: Challenges,
) -> list[Route]:
    """The routes of the API."""
    answers = _Api(frame, streams, tokens, accounts, sanctions, games, search, challenges)
    made = [
        Route(
            ROOT + one.path,
            answers.guarded(getattr(answers, one.name), one.scope),
            methods=[one.method],
        )
        for one in OPERATIONS
    ]
    return [*made, Route(f"{ROOT}/openapi.json", described)]


async def described(request: Request) -> Response:
    """Answer with the description of the API in OpenAPI."""
    return Response(msgspec.json.encode(description()), 200, AN_HOUR, "application/json")


class _Api:
    def __init__(
        self,
        frame: Frame[Person],
        streams: Streams,
        tokens: Tokens,
        accounts: Accounts,
        sanctions: Sanctions,
        games: Games,
        search: Search,
        challenges: Challenges,
    ) -> None:
        self._frame, self._streams, self._tokens = frame, streams, tokens
        self._accounts, self._sanctions = accounts, sanctions
        self._games, self._search, self._challenges = games, search, challenges

    # --- who asks ---------------------------------------------------------------------------------

    def guarded(self, answer: Answer, scope: str) -> Callable[[Request], Awaitable[ASGIApp]]:
        """Wrap a handler so that it asks for a token with a scope."""

        async def guarded(request: Request) -> Any:
            try:
                grant = await self._grant(request, scope)
                told = await answer(request, grant)
            except RefusedError as refused:
                return self._refusal(request, refused.status, refused.why)
            except NotHereError as error:
                return self._refusal(request, HTTPStatus.NOT_FOUND, error.text)
            except TrineError as error:
                return self._refusal(request, HTTPStatus.CONFLICT, why_of(error))
            return told if callable(told) else _json(told)

        return guarded

    def _refusal(self, request: Request, status: HTTPStatus, why: Text) -> Response:
        self._frame.metrics.refused.inc()
        response = _json(api.Refusal(self._frame.say(request, why)), status)
        if status is HTTPStatus.UNAUTHORIZED:
            response.headers["www-authenticate"] = "Bearer"
        if status is HTTPStatus.TOO_MANY_REQUESTS:
            response.headers["retry-after"] = "5"
        return response

    async def _grant(self, request: Request, scope: str) -> Grant:
        """Return the grant of the token of a request.

        Raises:
            RefusedError: there is none, or it does not allow this, or too much was asked for.
        """
        frame = self._frame
        if not frame.addresses.take(frame.address_of(request)):
            raise RefusedError(HTTPStatus.TOO_MANY_REQUESTS, _TOO_MUCH)
        given = request.headers.get("authorization", "")
        if not given.lower().startswith(BEARER):
            raise RefusedError(
                HTTPStatus.UNAUTHORIZED,
                text("give a token: {header}", header="Authorization: Bearer …"),
            )
        grant = await self._tokens.grant(given[len(BEARER) :].strip())
        if not grant:
            # Tokens have 256 bits; this is for those who try all the same.
            frame.addresses.take(frame.address_of(request), 19)
            raise RefusedError(HTTPStatus.UNAUTHORIZED, text("the token is no longer good"))
        self._sanctions.check_not_banned(grant.person.id)
        frame.notice(grant.person, request)
        if scope not in grant.scopes:
            raise RefusedError(
                HTTPStatus.FORBIDDEN, text("the token does not allow this: {scope}", scope=scope)
            )
        if scope == PLAY and not grant.bot:
            raise RefusedError(
                HTTPStatus.FORBIDDEN, text("programs play under accounts of programs alone")
            )
        if not frame.players.take(grant.person.id):
            raise RefusedError(HTTPStatus.TOO_MANY_REQUESTS, _TOO_MUCH)
        return grant

    async def _read(self, request: Request, kind: Any) -> Any:
        """Return the body of a request.

        Raises:
            RefusedError: it is too long, or not of that kind.
        """
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > FRAME:
                raise RefusedError(
                    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                    text("no message is longer than {count} bytes", count=FRAME),
                )
        try:
            return msgspec.json.decode(bytes(body), type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise RefusedError(
                HTTPStatus.BAD_REQUEST,
                text("this is no message: {problem}", problem=str(error)[:200]),
            ) from None

    # --- asking -----------------------------------------------------------------------------------

    async def account(self, request: Request, grant: Grant) -> api.Account:
        return api.Account(grant.person.name, grant.bot, list(grant.scopes))

    async def events(self, request: Request, grant: Grant) -> ASGIApp:
        return self._streams.open(grant, self._frame.language_of(request))

    async def game(self, request: Request, grant: Grant) -> api.Game:
        host = await self._games.host(request.path_params["id"])
        language = open_language(self._frame.language_of(request))
        return game_told(host.snapshot, grant.person.id, language, self._frame.now())

    async def people(self, request: Request, grant: Grant) -> api.People:
        query = request.query_params
        people, after = await self._search.people(query.get("name", ""), query.get("after", ""))
        return api.People([api.FoundPerson(one.name, one.bot, one.since) for one in people], after)

    async def games(self, request: Request, grant: Grant) -> api.Games:
        given = dict(request.query_params)
        games, after = await self._search.games(given, grant.person)
        language = open_language(self._frame.language_of(request))
        return api.Games([found_told(one, language) for one in games], after)

    async def challenges(self, request: Request, grant: Grant) -> list[api.Challenge]:
        return [challenge_told(one) for one in self._challenges.of(grant.person.id)]

    # --- doing ------------------------------------------------------------------------------------

    async def command(self, request: Request, grant: Grant) -> Any:
        message = await self._read(request, messages.Command)
        host = await self._games.host(request.path_params["id"])
        language = open_language(self._frame.language_of(request))
        try:
            answer = await act(host, grant.person.id, message, self._frame.now())
        except TrineError as error:
            self._frame.metrics.refused.inc()
            why = language.say(why_of(error))
            return _json(api.No(message.id, why, host.snapshot.seq), HTTPStatus.CONFLICT)
        answer.id = message.id
        return msgspec.to_builtins(answer, enc_hook=language.say)

    async def challenge(self, request: Request, grant: Grant) -> api.Challenge:
        wanted = await self._read(request, api.NewChallenge)
        account = await self._accounts.named(wanted.to)
        if not account:
            raise RefusedError(
                HTTPStatus.NOT_FOUND, text("nobody here is called {name}", name=wanted.to)
            )
        agreement = Agreement.make(
            wanted.game, wanted.rules, wanted.options, clock=wanted.clock, rated=wanted.rated
        )
        return challenge_told(
            await self._challenges.open(grant.person, account, agreement, wanted.side)
        )

    async def reply(self, request: Request, grant: Grant) -> api.Begun:
        wanted = await self._read(request, api.Reply)
        challenges, name = self._challenges, request.path_params["id"]
        if wanted.what == "accept":
            return api.Begun(await challenges.accept(name, grant.person))
        await challenges.refuse(name, grant.person)
        return api.Begun("")


_TOO_MUCH: Final = text("too much at once; try again in a moment")


def _json(told: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(told), status, FRESH, "application/json")
