"""The API: what programs ask of a house over HTTP, in JSON, in the name of an account.

A request has a token, ``Authorization: Bearer …``, and no cookie counts: so nothing here can be
asked for by a page from elsewhere. `OPERATIONS` makes the routes and the documentation alike.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from trine.core.errors import TrineError
from trine.core.language import open_language
from trine.core.text import Text, text
from trine.house.agreement import Agreement
from trine.house.refusals import NoGameError
from trine.house.tokens import CHALLENGE, PLAY, READ
from trine.protocol import api
from trine.store.token_rows import Grant
from trine.web import messages
from trine.web.acting import act
from trine.web.headers import AN_HOUR, FRESH
from trine.web.refusing import why_of
from trine.web.told import challenge_told, found_told, game_told

if TYPE_CHECKING:
    from trine.web.site import Site

ROOT: Final = "/api"
BEARER: Final = "bearer "


@dataclass(frozen=True)
class Operation:
    """Something that can be asked for."""

    name: str
    method: str
    path: str
    scope: str
    told: str
    gives: Any
    """The type of the answer; a union is one of them."""
    takes: Any = None
    """The type of what is sent along."""
    stream: bool = False
    """Whether the answer goes on, a line of JSON after the other."""
    asks: Mapping[str, str] = field(default_factory=dict)
    """The fields of the query, each with what is said of it."""


OPERATIONS: Final = (
    Operation("account", "GET", "/account", READ, "The account of the token.", api.Account),
    Operation(
        "events",
        "GET",
        "/events",
        READ,
        "The stream of what concerns the account: the challenges that stand and its running games, "
        "then whatever changes, and a ping at least every 6 seconds. Each account has one stream; "
        "a new one ends the one before. While it is open the account is there in all its games.",
        api.Event,
        stream=True,
    ),
    Operation(
        "people",
        "GET",
        "/people",
        READ,
        "The accounts whose names begin so, page by page.",
        api.People,
        asks={
            "name": "The beginning of a name; those that look alike are found too.",
            "after": "What was answered as that with the page before.",
        },
    ),
    Operation(
        "games",
        "GET",
        "/games",
        READ,
        "Games that everybody may watch, and those of the account, page by page.",
        api.Games,
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
    ),
    Operation("game", "GET", "/games/{id}", READ, "A game as it stands.", api.Game),
    Operation(
        "command",
        "POST",
        "/games/{id}",
        PLAY,
        "Do something in a game of the account, by the messages of the pages. A command that comes "
        "again under the same id is answered, and not done again.",
        api.Ok | api.Reason | api.No,
        messages.Command,
    ),
    Operation("challenges", "GET", "/challenges", READ, "The challenges.", list[api.Challenge]),
    Operation(
        "challenge",
        "POST",
        "/challenges",
        CHALLENGE,
        "Challenge an account. The same challenge again is still one.",
        api.Challenge,
        api.NewChallenge,
    ),
    Operation(
        "reply",
        "POST",
        "/challenges/{id}",
        CHALLENGE,
        "Accept or decline a challenge, or withdraw one of the account.",
        api.Begun,
        api.Reply,
    ),
)


class RefusedError(Exception):
    """A request that is refused before anything is done."""

    def __init__(self, status: HTTPStatus, why: Text) -> None:
        super().__init__(why)
        self.status, self.why = status, why


Answer = Callable[[Request, Grant], Awaitable[Any]]


def routes(site: Site) -> list[Route]:
    """The routes of the API."""
    answers = _Api(site)
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
    """The description of the API, as OpenAPI has it."""
    from trine.web.api_description import description

    return Response(msgspec.json.encode(description()), 200, AN_HOUR, "application/json")


class _Api:
    def __init__(self, site: Site) -> None:
        self._site = site

    # --- who asks ---------------------------------------------------------------------------------

    def guarded(self, answer: Answer, scope: str) -> Callable[[Request], Awaitable[ASGIApp]]:
        """An answer for those who have a token with a scope."""

        async def guarded(request: Request) -> Any:
            try:
                grant = await self._grant(request, scope)
                told = await answer(request, grant)
            except RefusedError as refused:
                return self._refusal(request, refused.status, refused.why)
            except NoGameError as error:
                return self._refusal(request, HTTPStatus.NOT_FOUND, error.text)
            except TrineError as error:
                return self._refusal(request, HTTPStatus.CONFLICT, why_of(error))
            return told if callable(told) else _json(told)

        return guarded

    def _refusal(self, request: Request, status: HTTPStatus, why: Text) -> Response:
        self._site.metrics.refused.inc()
        response = _json(api.Refusal(self._site.say(request, why)), status)
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
        site = self._site
        if not site.addresses.take(site.address_of(request)):
            raise RefusedError(HTTPStatus.TOO_MANY_REQUESTS, _TOO_MUCH)
        given = request.headers.get("authorization", "")
        if not given.lower().startswith(BEARER):
            raise RefusedError(
                HTTPStatus.UNAUTHORIZED,
                text("give a token: {header}", header="Authorization: Bearer …"),
            )
        grant = await site.house.tokens.grant(given[len(BEARER) :].strip())
        if not grant:
            # Tokens have 256 bits; this is for those who try all the same.
            site.addresses.take(site.address_of(request), 19)
            raise RefusedError(HTTPStatus.UNAUTHORIZED, text("the token is no longer good"))
        site.house.moderation.check_not_banned(grant.person.id)
        if scope not in grant.scopes:
            raise RefusedError(
                HTTPStatus.FORBIDDEN, text("the token does not allow this: {scope}", scope=scope)
            )
        if scope == PLAY and not grant.bot:
            raise RefusedError(
                HTTPStatus.FORBIDDEN, text("programs play under accounts of programs alone")
            )
        if not site.players.take(grant.person.id):
            raise RefusedError(HTTPStatus.TOO_MANY_REQUESTS, _TOO_MUCH)
        return grant

    async def _read(self, request: Request, kind: Any) -> Any:
        """Return what was sent along.

        Raises:
            RefusedError: it is too long, or not of that kind.
        """
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > messages.FRAME:
                raise RefusedError(
                    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                    text("no message is longer than {count} bytes", count=messages.FRAME),
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
        return self._site.streams.open(grant, self._site.language_of(request))

    async def game(self, request: Request, grant: Grant) -> api.Game:
        host = await self._site.house.host(request.path_params["id"])
        language = open_language(self._site.language_of(request))
        return game_told(host.snapshot, grant.person.id, language, self._site.house.now())

    async def people(self, request: Request, grant: Grant) -> api.People:
        query = request.query_params
        people, after = await self._site.house.search.people(
            query.get("name", ""), query.get("after", "")
        )
        return api.People([api.FoundPerson(one.name, one.bot, one.since) for one in people], after)

    async def games(self, request: Request, grant: Grant) -> api.Games:
        given = dict(request.query_params)
        games, after = await self._site.house.search.games(given, grant.person)
        language = open_language(self._site.language_of(request))
        return api.Games([found_told(one, language) for one in games], after)

    async def challenges(self, request: Request, grant: Grant) -> list[api.Challenge]:
        return [challenge_told(one) for one in self._site.house.challenges.of(grant.person.id)]

    # --- doing ------------------------------------------------------------------------------------

    async def command(self, request: Request, grant: Grant) -> Any:
        message = await self._read(request, messages.Command)
        host = await self._site.house.host(request.path_params["id"])
        language = open_language(self._site.language_of(request))
        try:
            answer = await act(host, grant.person.id, message, self._site.house.now(), language.say)
        except TrineError as error:
            self._site.metrics.refused.inc()
            why = language.say(why_of(error))
            return _json(api.No(message.id, why, host.snapshot.seq), HTTPStatus.CONFLICT)
        return {**answer, "id": message.id}

    async def challenge(self, request: Request, grant: Grant) -> api.Challenge:
        wanted = await self._read(request, api.NewChallenge)
        account = await self._site.house.accounts.named(wanted.to)
        if not account:
            raise RefusedError(
                HTTPStatus.NOT_FOUND, text("nobody here is called {name}", name=wanted.to)
            )
        agreement = Agreement.make(
            wanted.game, wanted.rules, wanted.options, clock=wanted.clock, rated=wanted.rated
        )
        return challenge_told(
            await self._site.house.challenges.open(grant.person, account, agreement, wanted.side)
        )

    async def reply(self, request: Request, grant: Grant) -> api.Begun:
        wanted = await self._read(request, api.Reply)
        challenges, name = self._site.house.challenges, request.path_params["id"]
        if wanted.what == "accept":
            return api.Begun(await challenges.accept(name, grant.person))
        await challenges.refuse(name, grant.person)
        return api.Begun("")


_TOO_MUCH: Final = text("too much at once; try again in a moment")


def _json(told: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(told), status, FRESH, "application/json")
