"""The pages and forms of people: their accounts, second factors, blocks, and whom they follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.core.text.sentence import text
from trine.house.people.account_page import MARK, AccountPage, Attempts, Form
from trine.house.people.accounts import Accounts, CodeNeededError
from trine.house.people.blocks import Blocks
from trine.house.people.entry import Entry
from trine.house.people.following import Following
from trine.house.people.second_factor import SecondFactor, is_secret, link_of, new_secret
from trine.house.people.tables import Account, Person
from trine.house.refusals import HouseError
from trine.house.store.secrets import token_hash
from trine.house.web import guard
from trine.house.web.frame import Frame
from trine.house.web.headers import FRESH
from trine.house.web.open_sockets import OpenSockets
from trine.house.web.refusing import refusal_of
from trine.house.web.visitors import keep_secret, secret_of

OTHERS: Final = {"session": "others"}
"""The form that ends all sessions but the own one."""
EXPORTS: Final = 5
"""The number of exports of one person in an hour."""


def second_routes(
    frame: Frame[Person],
    sockets: OpenSockets[Person],
    factor: SecondFactor,
    page: AccountPage,
    attempts: Attempts,
    entry: Entry,
) -> list[Route]:
    pages = _SecondPages(frame, sockets, factor, attempts, entry)
    return [
        Route("/account/second", pages.offer),
        Route("/account/second", pages.keep, methods=["POST"]),
        Route("/account/unsecond", page.guarded(pages.remove), methods=["POST"]),
        Route("/account/code", pages.admit, methods=["POST"]),
    ]


async def second_shown(
    factor: SecondFactor, request: Request, person: Person | None, account: Account | None
) -> Mapping[str, Any]:
    known = await factor.of(person) if person and account else None
    return {"second": known, "may_second": factor.available}


async def ask_code(frame: Frame[Person], request: Request, needed: CodeNeededError) -> Response:
    """Answer with the page that asks for a code."""
    status = HTTPStatus.BAD_REQUEST if needed.why else HTTPStatus.OK
    return await frame.show(
        request,
        "second.html",
        status,
        what="ask",
        ticket=needed.ticket,
        refusal=refusal_of(needed.why) if needed.why else None,
    )


class _SecondPages:
    def __init__(
        self,
        frame: Frame[Person],
        sockets: OpenSockets[Person],
        factor: SecondFactor,
        attempts: Attempts,
        entry: Entry,
    ) -> None:
        self._frame, self._sockets, self._factor = frame, sockets, factor
        self._attempts, self._entry = attempts, entry

    async def offer(self, request: Request) -> Response:
        person = await self._frame.owner_of(request)
        return await self._show_secret(request, person, new_secret())

    async def _show_secret(
        self, request: Request, person: Person, secret: str, refusal: TrineError | None = None
    ) -> Response:
        if not self._factor.available:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return await self._frame.show(
            request,
            "second.html",
            HTTPStatus.BAD_REQUEST if refusal else HTTPStatus.OK,
            what="set up",
            secret=secret,
            spelled=" ".join(secret[at : at + 4] for at in range(0, len(secret), 4)),
            link=link_of(secret, person.name, request.url.hostname or ""),
            refusal=refusal,
        )

    async def keep(self, request: Request) -> Response:
        form = await self._frame.form_of(request)
        person = await self._frame.owner_of(request)
        secret = form.get("secret", "")
        if not is_secret(secret):
            raise HTTPException(HTTPStatus.BAD_REQUEST)
        try:
            self._attempts.check_password(person.name, self._frame.address_of(request))
            codes = await self._factor.keep(
                *(person, secret, form.get("code", ""), form.get("password", "")),
                secret_of(request),
            )
        except TrineError as error:
            return await self._show_secret(request, person, secret, refusal_of(error))
        return await self._frame.show(
            request, "second.html", what="codes", codes=codes, refusal=None
        )

    async def remove(self, request: Request, form: Form) -> Response:
        person = await self._frame.owner_of(request)
        self._attempts.check_password(person.name, self._frame.address_of(request))
        await self._factor.remove(person, form.get("password", ""), secret_of(request))
        return RedirectResponse("/account#second", 303)

    async def admit(self, request: Request) -> Response:
        form = await self._frame.form_of(request)
        session = secret_of(request)
        try:
            _, token = await self._factor.admit(
                form.get("ticket", ""), form.get("code", ""), session
            )
            await self._sockets.cut([token_hash(session)])
            return await self._entry.admit(request, RedirectResponse("/lobby", 303), token)
        except CodeNeededError as needed:
            return await ask_code(self._frame, request, needed)
        except TrineError as error:
            return await self._frame.show(
                request,
                "second.html",
                HTTPStatus.BAD_REQUEST,
                what="over",
                refusal=refusal_of(error),
            )


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


def block_routes(frame: Frame[Person], blocks: Blocks, accounts: Accounts) -> list[Route]:
    """The routes of blocks."""

    async def block(request: Request) -> Response:
        """Block a person, or unblock them."""
        form = await frame.form_of(request)
        person = await frame.owner_of(request)
        account = await accounts.named(form.get("name", ""))
        other = form.get("person", "") or (account.person if account else "")
        await blocks.block(person, other, on=form.get("on") == "yes")
        return RedirectResponse(f"/player/{account.name}" if account else "/account", 303)

    return [Route("/block", block, methods=["POST"])]


async def blocked_shown(
    blocks: Blocks, request: Request, person: Person | None, account: Account | None
) -> Mapping[str, Any]:
    """Return the people whom a person has blocked, as the page of an account shows them."""
    return {"blocked": await blocks.blocked_by(person.id) if person else {}}


async def whether_blocked(
    blocks: Blocks, person: Person | None, account: Account
) -> Mapping[str, Any]:
    """Return whether a person has blocked another, for the page of that other."""
    blocked = await blocks.blocked_by(person.id) if person else {}
    return {"blocked": account.person in blocked}


def following_routes(frame: Frame[Person], following: Following, accounts: Accounts) -> list[Route]:
    """The routes of following."""

    async def follow(request: Request) -> Response:
        """Follow an account, or follow it no more."""
        form = await frame.form_of(request)
        person = await frame.owner_of(request)
        name = form.get("name", "").strip()
        account = await accounts.named(name)
        if not account:
            raise HouseError(text("nobody here is called {name}", name=name[:100]))
        await following.follow(person, account, on=form.get("on") == "yes")
        back = "/people" if form.get("back") == "people" else f"/player/{account.name}"
        return RedirectResponse(back, 303)

    return [Route("/follow", follow, methods=["POST"])]


async def whether_followed(
    following: Following, person: Person | None, account: Account
) -> Mapping[str, Any]:
    """Return whether a person follows another, for the page of that other."""
    return {"followed": await following.follows(person, account)}
