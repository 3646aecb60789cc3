"""The pages and forms of letters and devices: addresses, what is told, and where."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.house.letters.letters import Letters
from trine.house.letters.mail import LONGEST
from trine.house.letters.push import Pushes
from trine.house.letters.tables import fold_email
from trine.house.people.account_page import AccountPage, Attempts, Form, TooOftenError
from trine.house.people.names import fold
from trine.house.people.tables import Account, Person
from trine.house.store.secrets import is_token, token_hash
from trine.house.web import guard
from trine.house.web.frame import Frame
from trine.house.web.headers import FRESH
from trine.house.web.open_sockets import OpenSockets
from trine.house.web.refusing import refusal_of
from trine.house.web.visitors import secret_of

HOUR: Final = 3600.0
ASKED: Final = 20
"""The number of letters, and of links, that one network address may use in an hour."""
LETTERS: Final = 3
"""The number of letters for one account in an hour."""
CHANGES: Final = 30
"""The number of devices that one person may switch on in an hour."""
LINKS_AN_HOUR: Final = 5
"""The number of letters in an hour that one person may send to addresses, and one address get."""


def letter_routes(
    frame: Frame[Person], sockets: OpenSockets[Person], letters: Letters
) -> list[Route]:
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


def device_routes(frame: Frame[Person], pushes: Pushes) -> list[Route]:
    pages = _DevicePages(frame, pushes)
    return [
        Route("/account/devices/on", pages.on, methods=["POST"]),
        Route("/account/devices/off", pages.off, methods=["POST"]),
    ]


async def devices_shown(
    pushes: Pushes, request: Request, person: Person | None, account: Account | None
) -> Mapping[str, Any]:
    """Return the devices as the page of an account shows them."""
    here = token_hash(secret_of(request))
    found = await pushes.of(person) if person and pushes.key else []
    return {
        "push_key": pushes.key,
        "devices": [(one.id, pushes.owner(one), one.made_at, one.session == here) for one in found],
    }


class _DevicePages:
    def __init__(self, frame: Frame[Person], pushes: Pushes) -> None:
        self._frame, self._pushes = frame, pushes
        self._changes = guard.Credits(CHANGES, guard.HOUR)

    async def on(self, request: Request) -> Response:
        form = await self._frame.form_of(request)
        person = await self._frame.owner_of(request)
        if not self._changes.take(person.id):
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS)
        try:
            await self._pushes.switch_on(
                *(person, secret_of(request)),
                endpoint=form.get("endpoint", ""),
                key=form.get("key", ""),
                secret=form.get("secret", ""),
                language=self._frame.language_of(request),
            )
        except TrineError as error:
            told = {"why": self._frame.say(request, refusal_of(error).text)}
            return JSONResponse(told, HTTPStatus.BAD_REQUEST, FRESH)
        return JSONResponse({}, headers=FRESH)

    async def off(self, request: Request) -> Response:
        form = await self._frame.form_of(request)
        await self._pushes.switch_off(await self._frame.owner_of(request), form.get("device", ""))
        return RedirectResponse("/account#devices", 303)


def address_routes(
    frame: Frame[Person], letters: Letters, page: AccountPage, attempts: Attempts
) -> list[Route]:
    """The routes of addresses; what is refused is shown on the page of the account."""
    forms = _AddressForms(frame, letters, attempts)
    return [
        Route("/account/email", page.guarded(forms.keep), methods=["POST"]),
        Route("/account/notices", page.guarded(forms.want), methods=["POST"]),
        Route("/account/forget", page.guarded(forms.forget), methods=["POST"]),
    ]


async def address_shown(
    letters: Letters, request: Request, person: Person | None, account: Account | None
) -> Mapping[str, Any]:
    return {
        "letters": letters.mail is not None,
        "address": await letters.of(person) if person and account else None,
    }


class _AddressForms:
    def __init__(self, frame: Frame[Person], letters: Letters, attempts: Attempts) -> None:
        self._frame, self._letters, self._attempts = frame, letters, attempts
        self._sent = guard.Credits(LINKS_AN_HOUR, guard.HOUR)

    async def keep(self, request: Request, form: Form) -> Response:
        person, email = await self._frame.owner_of(request), form.get("email", "").strip()
        self._attempts.check_password(person.name, self._frame.address_of(request))
        if not (self._sent.take(person.id) and self._sent.take(fold_email(email))):
            raise TooOftenError
        code = self._frame.language_of(request)
        await self._letters.ask_address(
            person, email, form.get("password", ""), code, secret_of(request)
        )
        return RedirectResponse("/account?sent#email", 303)

    async def want(self, request: Request, form: Form) -> Response:
        await self._letters.want(await self._frame.owner_of(request), wanted="wanted" in form)
        return RedirectResponse("/account#email", 303)

    async def forget(self, request: Request, form: Form) -> Response:
        await self._letters.drop(await self._frame.owner_of(request))
        return RedirectResponse("/account#email", 303)
