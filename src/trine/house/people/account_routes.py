"""The forms of an account: registering, logging in and out, and settings."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from trine.house.people.account_page import MARK, AccountPage, Form
from trine.house.people.accounts import Accounts, CodeNeededError
from trine.house.people.attempts import Attempts
from trine.house.people.entry import Entry
from trine.house.people.person_rows import Person
from trine.house.people.second_factor import SecondFactor
from trine.house.people.second_routes import ask_code
from trine.house.store.secrets import token_hash
from trine.house.web import guard
from trine.house.web.frame import Frame
from trine.house.web.headers import FRESH
from trine.house.web.open_sockets import OpenSockets
from trine.house.web.visitors import keep_secret, secret_of

OTHERS: Final = {"session": "others"}
"""The form that ends all sessions but the own one."""
EXPORTS: Final = 5
"""The number of exports of one person in an hour."""


def routes(
    frame: Frame[Person],
    sockets: OpenSockets[Person],
    accounts: Accounts,
    page: AccountPage,
    attempts: Attempts,
    entry: Entry,
    factor: SecondFactor,
    recheck: Callable[[str], None],
) -> list[Route]:
    """The routes of accounts.

    Args: ``recheck`` has the streams of a person check their tokens.
    """
    forms = _AccountForms(frame, sockets, accounts, attempts, entry, factor, recheck)
    named = {
        "register": forms.register,
        "login": forms.log_in,
        "logout": forms.log_out,
        "name": forms.rename,
        "password": forms.change_password,
        "end": forms.end,
        "seen": forms.have_seen,
        "delete": forms.delete,
    }

    async def account(request: Request) -> Response:
        frame.charge(request, 5)
        return await page.show(request)

    return [
        Route("/account", account),
        *(
            Route(f"/account/{name}", page.guarded(form), methods=["POST"], name=name)
            for name, form in named.items()
        ),
        Route("/account/export", forms.export),
    ]


class _AccountForms:
    def __init__(
        self,
        frame: Frame[Person],
        sockets: OpenSockets[Person],
        accounts: Accounts,
        attempts: Attempts,
        entry: Entry,
        factor: SecondFactor,
        recheck: Callable[[str], None],
    ) -> None:
        self._frame, self._sockets, self._accounts = frame, sockets, accounts
        self._attempts, self._entry, self._factor = attempts, entry, factor
        self._recheck = recheck
        self._exports = guard.Credits(EXPORTS, guard.HOUR)

    # --- coming and going -------------------------------------------------------------------------

    def _token(self, request: Request) -> str:
        return secret_of(request)

    def _may_try(self, request: Request, name: str) -> None:
        """Count an attempt at a password.

        Raises:
            TooOftenError: too many were.
        """
        self._attempts.check_password(name, self._frame.address_of(request))

    async def _admitted(self, request: Request, token: str, there: str) -> Response:
        return await self._entry.admit(request, RedirectResponse(there, 303), token)

    def _forgotten(self, request: Request) -> Response:
        """Redirect a browser that is no longer recognised to the home page."""
        response = RedirectResponse("/", 303)
        keep_secret(request, response, "", 0)
        return response

    async def _cut_this(self, request: Request) -> None:
        """Close the sockets that were opened with the former token of this browser."""
        await self._sockets.cut([token_hash(self._token(request))])

    async def register(self, request: Request, form: Form) -> Response:
        self._attempts.check_newcomer(self._frame.address_of(request))
        await self._entry.check_newcomer(request)
        guest = await self._frame.person_of(request)
        _, token = await self._accounts.register(
            guest, form.get("name", ""), form.get("password", ""), self._token(request)
        )
        await self._cut_this(request)
        return await self._admitted(request, token, "/lobby")

    async def log_in(self, request: Request, form: Form) -> Response:
        name = form.get("name", "")
        self._may_try(request, name)
        try:
            _, token = await self._accounts.log_in(
                name, form.get("password", ""), self._token(request), self._factor.ask
            )
        except CodeNeededError as needed:
            return await ask_code(self._frame, request, needed)
        await self._cut_this(request)
        return await self._admitted(request, token, "/lobby")

    async def log_out(self, request: Request, form: Form) -> Response:
        await self._accounts.log_out(self._token(request))
        await self._cut_this(request)
        return self._forgotten(request)

    # --- changing ---------------------------------------------------------------------------------

    async def rename(self, request: Request, form: Form) -> Response:
        await self._accounts.rename(await self._frame.owner_of(request), form.get("name", ""))
        return RedirectResponse("/account", 303)

    async def change_password(self, request: Request, form: Form) -> Response:
        person = await self._frame.owner_of(request)
        self._may_try(request, person.name)
        sessions = await self._accounts.sessions(person)
        token = await self._accounts.change_password(
            person, form.get("now", ""), form.get("password", ""), self._token(request)
        )
        await self._sockets.cut(one.hash for one in sessions)
        return await self._admitted(request, token, "/account")

    async def end(self, request: Request, form: Form) -> Response:
        person = await self._frame.owner_of(request)
        sessions = await self._accounts.sessions(person)
        here, mark = token_hash(self._token(request)), form.get("session", "")
        ended = [
            one.hash
            for one in sessions
            if (one.hash != here if mark == "others" else one.hash[:MARK] == mark)
        ]
        for hashed in ended:
            await self._accounts.end(person, hashed)
        await self._sockets.cut(ended)
        return RedirectResponse("/account", 303)

    async def have_seen(self, request: Request, form: Form) -> Response:
        mine = form.get("mine") == "yes"
        await self._accounts.answer_alarm(self._token(request), mine=mine)
        return RedirectResponse("/account", 303) if mine else await self.end(request, OTHERS)

    async def export(self, request: Request) -> Response:
        person = await self._frame.owner_of(request)
        if not self._exports.take(person.id):
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS)
        told = {"content-disposition": 'attachment; filename="trine.zip"', **FRESH}
        return StreamingResponse(self._accounts.export(person), 200, told, "application/zip")

    async def delete(self, request: Request, form: Form) -> Response:
        person = await self._frame.owner_of(request)
        self._may_try(request, person.name)
        sessions = await self._accounts.sessions(person)
        await self._accounts.delete(person, form.get("password", ""), self._token(request))
        await self._sockets.cut(one.hash for one in sessions)
        self._recheck(person.id)
        return self._forgotten(request)
