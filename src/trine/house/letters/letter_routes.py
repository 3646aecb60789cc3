"""The pages behind the links of letters, and the request for a new password."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.house.letters.letters import Letters
from trine.house.letters.mail import LONGEST
from trine.house.people.names import fold
from trine.house.people.person_rows import Person
from trine.house.store.secrets import is_token
from trine.house.web import guard
from trine.house.web.frame import Frame
from trine.house.web.open_sockets import OpenSockets
from trine.house.web.refusing import refusal_of

HOUR: Final = 3600.0
ASKED: Final = 20
"""The number of letters, and of links, that one network address may use in an hour."""
LETTERS: Final = 3
"""The number of letters for one account in an hour."""


def routes(frame: Frame[Person], sockets: OpenSockets[Person], letters: Letters) -> list[Route]:
    """The routes of letters."""
    pages = _LetterPages(frame, sockets, letters)
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
    """The pages behind links; mail checkers open links too, so only a button changes anything."""

    def __init__(
        self, frame: Frame[Person], sockets: OpenSockets[Person], letters: Letters
    ) -> None:
        self._frame, self._sockets, self._letters = frame, sockets, letters
        self._asked = guard.Credits(ASKED, HOUR)
        self._for_account = guard.Credits(LETTERS, HOUR)

    async def _show(
        self,
        request: Request,
        what: str,
        status: int = 200,
        *,
        done: str = "",
        refusal: TrineError | None = None,
    ) -> Response:
        return await self._frame.show(
            request, "letter.html", status, what=what, done=done, refusal=refusal
        )

    def _charge(self, request: Request) -> None:
        if not self._asked.take(self._frame.address_of(request)):
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS)

    def _token(self, request: Request) -> str:
        token: str = request.path_params["token"]
        if not is_token(token):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return token

    def page(self, what: str) -> Callable[[Request], Awaitable[Response]]:
        """Return the handler of the page behind a link."""

        async def page(request: Request) -> Response:
            self._frame.charge(request, 5)
            self._token(request)
            return await self._show(request, what)

        return page

    async def forgot(self, request: Request) -> Response:
        return await self._show(request, "forgot")

    async def send(self, request: Request) -> Response:
        form = await self._frame.form_of(request)
        self._charge(request)
        given = form.get("name", "").strip()[:LONGEST]
        if given and self._for_account.take(fold(given)):
            self._letters.ask_reset(given)
        return await self._show(request, "forgot", done="forgot_sent")

    async def confirm(self, request: Request) -> Response:
        await self._frame.form_of(request)
        self._charge(request)
        good = await self._letters.confirm(self._token(request))
        return await self._after(request, "confirm", "confirmed", good=good)

    async def stop(self, request: Request) -> Response:
        """Stop notices; mail programs send this request by themselves, from no page."""
        self._frame.charge(request, 20)
        good = await self._letters.stop(self._token(request))
        return await self._after(request, "stop", "stopped", good=good)

    async def reset(self, request: Request) -> Response:
        form = await self._frame.form_of(request)
        self._charge(request)
        token = self._token(request)
        if not await self._letters.may_reset(token):
            return await self._after(request, "reset", "", good=False)
        try:
            ended = await self._letters.reset(token, form.get("password", ""))
        except TrineError as error:
            return await self._show(
                request, "reset", HTTPStatus.BAD_REQUEST, refusal=refusal_of(error)
            )
        await self._sockets.cut(ended)
        return await self._after(request, "reset", "reset_done", good=True)

    async def _after(self, request: Request, what: str, done: str, *, good: bool) -> Response:
        status = HTTPStatus.OK if good else HTTPStatus.NOT_FOUND
        return await self._show(request, what, status, done=done if good else "bad_link")
