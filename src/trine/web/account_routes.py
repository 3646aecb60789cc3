"""The pages of accounts: logging in and out, one's own settings, and what others see."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.core.text import Text
from trine.house.accounts import ADMIN
from trine.house.names import fold
from trine.store.addresses import fold_email
from trine.store.tokens import token_hash
from trine.web import guard, words
from trine.web.chat_words import MODERATION
from trine.web.device_routes import devices_of
from trine.web.headers import FRESH
from trine.web.passkey_routes import place_of
from trine.web.people_words import PEOPLE, SPEEDS
from trine.web.profile import profile_of
from trine.web.program_words import CHALLENGES
from trine.web.refusing import refusal_of
from trine.web.visitors import keep_secret, secret_of

if TYPE_CHECKING:
    from trine.web.site import Site

EXPORTS: Final = 5
"""Exports of one person in an hour."""
LETTERS: Final = 5
"""Letters that one person may have sent to an address in an hour, and that may be sent to one."""
MARK: Final = 16
"""The characters of a token's hash by which its owner names it."""


class TooOftenError(TrineError):
    """Too many passwords were tried, or too much else."""

    def __init__(self) -> None:
        super().__init__(PEOPLE["too_often"])


def routes(site: Site) -> list[Route]:
    """The routes of accounts."""
    pages = _AccountPages(site)
    forms = {
        "register": pages.register,
        "login": pages.log_in,
        "logout": pages.log_out,
        "name": pages.rename,
        "password": pages.change_password,
        "end": pages.end,
        "delete": pages.delete,
        "email": pages.set_email,
        "notices": pages.want_notices,
        "forget": pages.forget_email,
        "unpasskey": pages.remove_passkey,
    }
    return [
        Route("/account", pages.account),
        *(
            Route(f"/account/{name}", pages.guarded(form), methods=["POST"], name=name)
            for name, form in forms.items()
        ),
        Route("/account/export", pages.export),
        Route("/player/{name}", pages.profile),
    ]


Form = dict[str, str]


class _AccountPages:
    def __init__(self, site: Site) -> None:
        self._site = site
        self._exports = guard.Credits(EXPORTS, guard.HOUR)
        self._letters = guard.Credits(LETTERS, guard.HOUR)

    def guarded(
        self, answer: Callable[[Request, Form], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        """A form whose refusals are shown on the page of the account."""

        async def guarded(request: Request) -> Response:
            form = await self._site.form_of(request)
            try:
                return await answer(request, form)
            except TrineError as error:
                often = isinstance(error, TooOftenError)
                status = HTTPStatus.TOO_MANY_REQUESTS if often else HTTPStatus.BAD_REQUEST
                return await self._show(request, status, form, refusal_of(error))

        return guarded

    async def account(self, request: Request) -> Response:
        self._site.charge(request, 5)
        return await self._show(request)

    async def _show(
        self,
        request: Request,
        status: int = 200,
        form: Form | None = None,
        refusal: TrineError | None = None,
    ) -> Response:
        person = await self._site.person_of(request)
        kept = await self._site.house.accounts.of(person)
        sessions = await self._site.house.accounts.sessions(person) if person and kept else []
        letters, passkeys = self._site.house.letters, self._site.house.passkeys
        here = token_hash(self._token(request))
        blocked = await self._site.house.moderation.blocked_by(person.id) if person else {}
        return await self._site.show(
            request,
            "account.html",
            status,
            account=kept,
            passkeys=[
                (one.id, one.name, _date(one.made_at), one.used_at and _date(one.used_at))
                for one in (await passkeys.of(person) if person and kept else [])
            ],
            has_passkeys=passkeys.available,
            may_passkey=passkeys.available and place_of(self._site, request) is not None,
            sessions=[
                (one.hash[:MARK], _date(one.created_at), one.hash == here) for one in sessions
            ],
            letters=letters.mail is not None,
            address=await letters.of(person) if person and kept else None,
            sent="sent" in request.query_params,
            blocked=blocked,
            date=_date,
            **await devices_of(self._site, request, person),
            admin=kept is not None and kept.role == ADMIN,
            moderation=words.said(MODERATION, self._site.language_of(request)),
            given=form or {},
            which=request.url.path.rpartition("/")[2] if form else "",
            refusal=refusal,
            people=words.said(PEOPLE, self._site.language_of(request)),
        )

    # --- coming and going -------------------------------------------------------------------------

    def _token(self, request: Request) -> str:
        return secret_of(request)

    def _may_try(self, request: Request, name: str) -> None:
        """Count a password that is tried.

        Raises:
            TooOftenError: too many were.
        """
        if not self._site.logins.may_try(fold(name), self._site.address_of(request)):
            raise TooOftenError

    def _admitted(self, request: Request, token: str, there: str) -> Response:
        return self._site.remember(request, RedirectResponse(there, 303), token)

    def _forgotten(self, request: Request) -> Response:
        """Lead a browser home that is not recognised any more."""
        response = RedirectResponse("/", 303)
        keep_secret(request, response, "", 0)
        return response

    async def _cut_this(self, request: Request) -> None:
        """Close the sockets that were opened with the token of this browser, which has changed."""
        await self._site.sockets.cut([token_hash(self._token(request))])

    async def register(self, request: Request, form: Form) -> Response:
        if not self._site.newcomers.take(self._site.address_of(request)):
            raise TooOftenError
        guest = await self._site.person_of(request)
        _, token = await self._site.house.accounts.register(
            guest, form.get("name", ""), form.get("password", ""), self._token(request)
        )
        await self._cut_this(request)
        return self._admitted(request, token, "/lobby")

    async def log_in(self, request: Request, form: Form) -> Response:
        name = form.get("name", "")
        self._may_try(request, name)
        _, token = await self._site.house.accounts.log_in(
            name, form.get("password", ""), self._token(request)
        )
        await self._cut_this(request)
        return self._admitted(request, token, "/lobby")

    async def log_out(self, request: Request, form: Form) -> Response:
        await self._site.house.accounts.log_out(self._token(request))
        await self._cut_this(request)
        return self._forgotten(request)

    # --- changing ---------------------------------------------------------------------------------

    async def rename(self, request: Request, form: Form) -> Response:
        await self._site.house.accounts.rename(
            await self._site.owner_of(request), form.get("name", "")
        )
        return RedirectResponse("/account", 303)

    async def change_password(self, request: Request, form: Form) -> Response:
        person = await self._site.owner_of(request)
        self._may_try(request, person.name)
        sessions = await self._site.house.accounts.sessions(person)
        token = await self._site.house.accounts.change_password(
            person, form.get("now", ""), form.get("password", ""), self._token(request)
        )
        await self._site.sockets.cut(one.hash for one in sessions)
        return self._admitted(request, token, "/account")

    async def end(self, request: Request, form: Form) -> Response:
        person = await self._site.owner_of(request)
        sessions = await self._site.house.accounts.sessions(person)
        here, mark = token_hash(self._token(request)), form.get("session", "")
        ended = [
            one.hash
            for one in sessions
            if (one.hash != here if mark == "others" else one.hash[:MARK] == mark)
        ]
        for hashed in ended:
            await self._site.house.accounts.end(person, hashed)
        await self._site.sockets.cut(ended)
        return RedirectResponse("/account", 303)

    async def export(self, request: Request) -> Response:
        person = await self._site.owner_of(request)
        if not self._exports.take(person.id):
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS)
        packed = await self._site.house.accounts.export(person)
        told = {"content-disposition": 'attachment; filename="trine.zip"', **FRESH}
        return Response(packed, 200, told, "application/zip")

    async def remove_passkey(self, request: Request, form: Form) -> Response:
        person = await self._site.owner_of(request)
        await self._site.house.passkeys.remove(person, form.get("passkey", ""))
        return RedirectResponse("/account#passkeys", 303)

    async def delete(self, request: Request, form: Form) -> Response:
        person = await self._site.owner_of(request)
        self._may_try(request, person.name)
        sessions = await self._site.house.accounts.sessions(person)
        await self._site.house.accounts.delete(
            person, form.get("password", ""), self._token(request)
        )
        await self._site.sockets.cut(one.hash for one in sessions)
        self._site.streams.look_again(person.id)
        return self._forgotten(request)

    # --- letters ----------------------------------------------------------------------------------

    async def set_email(self, request: Request, form: Form) -> Response:
        person, email = await self._site.owner_of(request), form.get("email", "").strip()
        self._may_try(request, person.name)
        if not (self._letters.take(person.id) and self._letters.take(fold_email(email))):
            raise TooOftenError
        code = self._site.language_of(request)
        await self._site.house.letters.ask_address(
            person, email, form.get("password", ""), code, self._token(request)
        )
        return RedirectResponse("/account?sent#email", 303)

    async def want_notices(self, request: Request, form: Form) -> Response:
        await self._site.house.letters.want(
            await self._site.owner_of(request), wanted="wanted" in form
        )
        return RedirectResponse("/account#email", 303)

    async def forget_email(self, request: Request, form: Form) -> Response:
        await self._site.house.letters.drop(await self._site.owner_of(request))
        return RedirectResponse("/account#email", 303)

    # --- seen by others ---------------------------------------------------------------------------

    async def profile(self, request: Request) -> Response:
        self._site.charge(request, 5)
        account = await self._site.house.accounts.named(request.path_params["name"])
        if not account:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        code = self._site.language_of(request)
        person = await self._site.person_of(request)
        blocked_by = self._site.house.moderation.blocked_by
        about: dict[str, Any] = await profile_of(self._site.house, account)
        speeds: dict[str, Text] = SPEEDS
        return await self._site.show(
            request,
            "player.html",
            account=account,
            since=_date(account.since),
            date=_date,
            speeds=speeds,
            people=words.said(PEOPLE, code),
            challenges=words.said(CHALLENGES, code),
            moderation=words.said(MODERATION, code),
            may=person is not None and person.has_account and person.id != account.person,
            blocked=person is not None and account.person in await blocked_by(person.id),
            **about,
        )


def _date(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(at))
