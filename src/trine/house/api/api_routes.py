"""The HTTP API: requests in JSON by programs, on behalf of an account.

A request carries a token (``Authorization: Bearer …``); cookies are ignored, so pages of other
sites cannot send requests for their visitors. Routes and documentation are made from `Api`.
"""

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
from trine.house.api import answers
from trine.house.api.api_description import ROOT, Operation, describe, operation, operations_of
from trine.house.api.streams import REVOKED, Sources, Stream
from trine.house.api.tokens import CHALLENGE, NOT_A_PROGRAM, PLAY, PUBLIC, READ, TOURNAMENT, Grant
from trine.house.games.live.actor_requests import act
from trine.house.games.live.agreement import Agreement
from trine.house.games.view import messages
from trine.house.people.tables import Person
from trine.house.refusals import OverloadedError, is_momentary
from trine.house.web.frame import Frame
from trine.house.web.headers import AN_HOUR, NO_STORE
from trine.house.web.messages import FRAME, decode_json
from trine.house.web.refusing import why_of

BEARER: Final = "bearer "
UNKNOWN: Final = {"www-authenticate": "Bearer"}
"""The header of the answer to a request without a valid token."""


class RefusedRequestError(Exception):
    """The request is refused, with a status and a reason, or with ``answer`` as the body."""

    def __init__(
        self,
        status: HTTPStatus,
        why: Text,
        answer: api.No | None = None,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        super().__init__(why)
        self.status, self.why, self.answer, self.headers = status, why, answer, headers


@dataclass(frozen=True)
class Api:
    """The operations of the API, one method each.

    A method gets the request, the grant of its token (None if it needs no token), and its body.
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

    def _guarded(self, operation: Operation) -> Callable[[Request], Awaitable[ASGIApp]]:
        """Return the handler of an operation; it requires a token with the operation's scope."""
        call = getattr(self, operation.name)

        async def guarded(request: Request) -> Any:
            try:
                self.frame.addresses.require(self.frame.address_of(request))
                scope, takes = operation.scope, operation.takes
                grant = await self._grant(request, scope) if scope else None
                body = [] if takes is None else [await self._read(request, takes)]
                answer = await call(request, grant, *body)
            except RefusedRequestError as no:
                return self._refuse(request, no.status, no.why, no.headers, no.answer)
            except HTTPException as error:  # the rate limit is exceeded
                headers = error.headers or {}
                return self._refuse(
                    request, error.status_code, OverloadedError.default_text, headers
                )
            except TrineError as error:
                status, headers = self.frame.status_of(error)
                if status == HTTPStatus.BAD_REQUEST:  # reserved for unreadable messages
                    status = HTTPStatus.CONFLICT
                return self._refuse(request, status, why_of(error), headers)
            return answer if callable(answer) else _json(answer)

        return guarded

    def _refuse(
        self,
        request: Request,
        status: int,
        why: Text,
        headers: Mapping[str, str],
        answer: api.No | None = None,
    ) -> Response:
        self.frame.metrics.refused.inc()
        response = _json(answer or api.Refusal(self.frame.language(request).say(why)), status)
        response.headers.update(headers)
        return response

    async def _grant(self, request: Request, scope: str) -> Grant:
        frame = self.frame
        header = request.headers.get("authorization", "")
        if not header.lower().startswith(BEARER):
            raise RefusedRequestError(
                HTTPStatus.UNAUTHORIZED,
                text("give a token: {header}", header="Authorization: Bearer …"),
                headers=UNKNOWN,
            )
        grant = await self.sources.tokens.grant(header[len(BEARER) :].strip())
        if not grant:
            # Tokens have 256 bits and cannot be guessed; this slows down useless attempts.
            frame.addresses.take(frame.address_of(request), 19)
            raise RefusedRequestError(HTTPStatus.UNAUTHORIZED, REVOKED, headers=UNKNOWN)
        self.sources.sanctions.check_not_banned(grant.person.id)
        frame.notice(grant.person, request)
        if scope not in grant.scopes:
            why = text("the token does not allow this: {scope}", scope=scope)
            only_bots = scope == PLAY and not grant.bot
            raise RefusedRequestError(HTTPStatus.FORBIDDEN, NOT_A_PROGRAM if only_bots else why)
        frame.players.require(grant.person.id)
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

    @operation("GET", "/account", READ)
    async def account(self, request: Request, grant: Grant) -> api.Account:
        """The account of the token."""
        return api.Account(grant.person.name, grant.bot, list(grant.scopes))

    @operation("GET", "/events", READ, stream=api.Event)
    async def events(self, request: Request, grant: Grant) -> ASGIApp:
        """The event stream of the account.

        It begins with the open challenges and running games of the account; then come all changes,
        and a ping at least every 6 seconds. Each account has one stream; a new one ends the
        previous one. While it is open, the account counts as present in all its games.
        """
        return Stream(self.sources, grant, self.frame.language_of(request))

    @operation(
        "GET",
        "/people",
        READ,
        asks={
            "name": "The beginning of a name; names that look alike are found, too.",
            "after": "The value of `after` in the previous page.",
        },
    )
    async def people(self, request: Request, grant: Grant) -> api.People:
        """The accounts whose names begin with a text, page by page."""
        query = request.query_params
        people, after = await self.sources.search.people(
            query.get("name", ""), query.get("after", "")
        )
        found = [api.FoundPerson(account.name, account.bot, account.since) for account in people]
        return api.People(found, after)

    @operation(
        "GET",
        "/games",
        READ,
        asks={
            "player": "The name of an account that plays.",
            "against": "The name of an opponent's account.",
            "mine": "`1`: the account of the token plays.",
            "game": "`arimaa`, `tzaar` or `corridor`.",
            "rules": "A rule set of the game.",
            "players": "`2`, `3` or `4`.",
            "kind": "`rated` or `casual`.",
            "pace": "`live` or `days`.",
            "result": "`won`, `lost` or `drawn` by the player, or else by the side that moved "
            "first; `over` or `running`.",
            "since": "The first day, such as `2026-11-22`, in UTC.",
            "until": "The last day, such as `2026-11-22`, in UTC.",
            "after": "The value of `after` in the previous page.",
        },
    )
    async def games(self, request: Request, grant: Grant) -> api.Games:
        """Public games, and those of the account, page by page."""
        filters = dict(request.query_params)
        games, after = await self.sources.search.games(filters, grant.person)
        language = self.frame.language(request)
        return api.Games([answers.found_as_json(game, language) for game in games], after)

    @operation("GET", "/games/{id}", READ)
    async def game(self, request: Request, grant: Grant) -> api.Game:
        """The present state of a game."""
        actor = await self.sources.games.actor(request.path_params["id"])
        language = self.frame.language(request)
        return answers.game_as_json(actor.snapshot, grant.person.id, language, self.frame.now())

    @operation("POST", "/games/{id}", PLAY)
    async def command(
        self, request: Request, grant: Grant, message: messages.Command
    ) -> api.Ok | api.Reason | api.No:
        """Send a command in a game of the account, with the same messages as the web pages.

        A command that is repeated with the same id is answered, and not done again.
        """
        actor = await self.sources.games.actor(request.path_params["id"])
        language = self.frame.language(request)
        try:
            answer = await act(actor, grant.person, message, self.frame.now())
        except TrineError as error:
            if is_momentary(error):
                raise
            no = api.No(message.id, language.say(error.text), actor.snapshot.seq)
            raise RefusedRequestError(HTTPStatus.CONFLICT, error.text, no) from error
        answer.id = message.id
        data: api.Ok | api.Reason = msgspec.to_builtins(answer, enc_hook=language.say)
        return data

    @operation("GET", "/bots", PUBLIC, asks={"after": "The value of `after` in the previous page."})
    async def bots(self, request: Request, grant: None) -> api.Bots:
        """The bot accounts, page by page. This operation needs no token."""
        self.frame.addresses.charge(self.frame.address_of(request), 9)  # an expensive query
        found, after = await self.sources.search.bots(request.query_params.get("after", ""))
        people, now = [account.person for account in found], self.frame.now()
        ratings = await self.sources.search.ratings(people, now)
        bots = [
            api.Bot(
                account.name,
                account.since,
                self.sources.subscribers.listens(account.person),
                {what: str(rated) for what, rated in ratings.get(account.person, {}).items()},
            )
            for account in found
        ]
        return api.Bots(bots, after)

    @operation("GET", "/tournaments", READ)
    async def tournaments(self, request: Request, grant: Grant) -> list[api.TournamentListed]:
        """The account's own tournaments, then public ones by stage, as on the web page."""
        lists = await self.sources.tournaments.lists(grant.person)
        return [answers.listed_as_json(*listed) for part in lists.values() for listed in part]

    @operation("GET", "/tournaments/{id}", READ)
    async def tournament(self, request: Request, grant: Grant) -> api.Tournament:
        """The present state of a tournament."""
        state = await self.sources.tournaments.read(request.path_params["id"])
        return answers.tournament_as_json(state, grant.person, self.frame.language(request))

    @operation("POST", "/tournaments/{id}", TOURNAMENT)
    async def enter(self, request: Request, grant: Grant, wanted: api.Entry) -> api.Tournament:
        """Join or leave a tournament. A repeat does nothing."""
        tournament_id = request.path_params["id"]
        do = self.sources.tournaments.join if wanted.what == "join" else self.sources.tournaments.go
        await do(tournament_id, grant.person)
        return await self.tournament(request, grant)

    @operation("GET", "/challenges", READ)
    async def challenges(self, request: Request, grant: Grant) -> list[api.Challenge]:
        """The open challenges from and to the account."""
        person = grant.person.id
        challenges = self.sources.challenges.of(person)
        return [answers.challenge_as_json(challenge, person) for challenge in challenges]

    @operation("POST", "/challenges", CHALLENGE)
    async def challenge(
        self, request: Request, grant: Grant, wanted: api.NewChallenge
    ) -> api.Challenge:
        """Challenge an account. A repeated challenge does not create another one."""
        account = await self.sources.accounts.named(wanted.to)
        if not account:
            raise RefusedRequestError(
                HTTPStatus.NOT_FOUND, text("no account is called {name}", name=wanted.to)
            )
        agreement = Agreement.make(
            wanted.game, wanted.rules, wanted.options, clock=wanted.clock, rated=wanted.rated
        )
        opened = await self.sources.challenges.open(grant.person, account, agreement, wanted.side)
        return answers.challenge_as_json(opened, grant.person.id)

    @operation("POST", "/challenges/{id}", CHALLENGE)
    async def reply(self, request: Request, grant: Grant, wanted: api.Reply) -> api.Begun:
        """Accept or decline a challenge, or withdraw the account's own."""
        challenges, challenge_id = self.sources.challenges, request.path_params["id"]
        if wanted.what == "accept":
            return api.Begun(await challenges.accept(challenge_id, grant.person))
        await challenges.refuse(challenge_id, grant.person)
        return api.Begun("")


def _json(answer: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(answer), status, NO_STORE, "application/json")


OPERATIONS: Final = operations_of(Api)


@cache
def description() -> dict[str, Any]:
    return describe(OPERATIONS)
