"""Where the links of letters lead, and where one asks for a new password."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.house.mail import LONGEST
from trine.house.names import fold
from trine.store.tokens import is_token
from trine.web import guard, words
from trine.web.people_words import PEOPLE
from trine.web.refusing import refusal_of

if TYPE_CHECKING:
    from trine.web.site import Site

HOUR: Final = 3600.0
ASKED: Final = 20
"""Letters that one address of the net may ask for in an hour, and links that it may use."""
LETTERS: Final = 3
"""Letters for one account in an hour."""


def routes(site: Site) -> list[Route]:
    """The routes of letters."""
    pages = _LetterPages(site)
    return [
        Route("/account/forgot", pages.forgot),
        Route("/account/forgot", pages.send, methods=["POST"]),
        Route("/letters/confirm/{token}", pages.page("confirm")),
        Route("/letters/confirm/{token}", pages.confirm, methods=["POST"]),
        Route("/letters/stop/{token}", pages.page("stop")),
        Route("/letters/stop/{token}", pages.stop, methods=["POST"]),
        Route("/letters/reset/{token}", pages.page("reset")),
        Route("/letters/reset/{token}", pages.reset, methods=["POST"]),
    ]


class _LetterPages:
    """A link is opened by programs too, that look for dangers: only its button does something."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._asked = guard.Credits(ASKED, HOUR)
        self._letters = guard.Credits(LETTERS, HOUR)

    async def _show(
        self,
        request: Request,
        what: str,
        status: int = 200,
        *,
        done: str = "",
        refusal: TrineError | None = None,
    ) -> Response:
        people = words.said(PEOPLE, self._site.language_of(request))
        return await self._site.show(
            request, "letter.html", status, what=what, done=done, refusal=refusal, people=people
        )

    def _charge(self, request: Request) -> None:
        if not self._asked.take(self._site.address_of(request)):
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS)

    def _token(self, request: Request) -> str:
        token: str = request.path_params["token"]
        if not is_token(token):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return token

    def page(self, what: str) -> Callable[[Request], Awaitable[Response]]:
        """The page to which a link leads."""

        async def page(request: Request) -> Response:
            self._site.charge(request, 5)
            self._token(request)
            return await self._show(request, what)

        return page

    async def forgot(self, request: Request) -> Response:
        return await self._show(request, "forgot")

    async def send(self, request: Request) -> Response:
        form = await self._site.form_of(request)
        self._charge(request)
        given = form.get("name", "").strip()[:LONGEST]
        if given and self._letters.take(fold(given)):
            self._site.house.letters.ask_reset(given)
        return await self._show(request, "forgot", done="forgot_sent")

    async def confirm(self, request: Request) -> Response:
        await self._site.form_of(request)
        self._charge(request)
        good = await self._site.house.letters.confirm(self._token(request))
        return await self._after(request, "confirm", "confirmed", good=good)

    async def stop(self, request: Request) -> Response:
        """Stop notices; mail programs ask for it by themselves, from no page of ours."""
        self._site.charge(request, 20)
        good = await self._site.house.letters.stop(self._token(request))
        return await self._after(request, "stop", "stopped", good=good)

    async def reset(self, request: Request) -> Response:
        form = await self._site.form_of(request)
        self._charge(request)
        token = self._token(request)
        if not await self._site.house.letters.may_reset(token):
            return await self._after(request, "reset", "", good=False)
        try:
            ended = await self._site.house.letters.reset(token, form.get("password", ""))
        except TrineError as error:
            return await self._show(
                request, "reset", HTTPStatus.BAD_REQUEST, refusal=refusal_of(error)
            )
        await self._site.sockets.cut(ended)
        return await self._after(request, "reset", "reset_done", good=True)

    async def _after(self, request: Request, what: str, done: str, *, good: bool) -> Response:
        status = HTTPStatus.OK if good else HTTPStatus.NOT_FOUND
        return await self._show(request, what, status, done=done if good else "bad_link")
