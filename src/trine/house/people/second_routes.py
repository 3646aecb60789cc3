"""The pages of the second factor: setting it up, and giving a code after the password."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.house.people.account_page import AccountPage, Form
from trine.house.people.account_rows import Account
from trine.house.people.accounts import CodeNeededError
from trine.house.people.attempts import Attempts
from trine.house.people.entry import Entry
from trine.house.people.person_rows import Person
from trine.house.people.second_factor import SecondFactor, is_secret, link_of, new_secret
from trine.house.store.secrets import token_hash
from trine.house.web.frame import Frame
from trine.house.web.open_sockets import OpenSockets
from trine.house.web.refusing import refusal_of
from trine.house.web.visitors import secret_of


def routes(
    frame: Frame[Person],
    sockets: OpenSockets[Person],
    factor: SecondFactor,
    page: AccountPage,
    attempts: Attempts,
    entry: Entry,
) -> list[Route]:
    """The routes of the second factor."""
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
    """Return the second factor as the page of an account shows it."""
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
