"""The page of an account: its parts, the refusals of its forms, and the limits on attempts."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from trine.core.errors import TrineError
from trine.core.text.sentence import text
from trine.house.people.accounts import ADMIN, Accounts
from trine.house.people.names import fold
from trine.house.people.tables import Account, Person
from trine.house.store.secrets import token_hash
from trine.house.web import guard
from trine.house.web.frame import Frame
from trine.house.web.refusing import refusal_of
from trine.house.web.visitors import secret_of

MARK: Final = 16
"""The number of characters of a token's hash that identify it to its owner."""
Form = dict[str, str]
Part = Callable[[Request, Person | None, Account | None], Awaitable[Mapping[str, Any]]]
"""A part of the page: a function that returns the values for its template."""


class TooOftenError(TrineError):
    """The error of too many attempts."""

    def __init__(self) -> None:
        super().__init__(text("Too many attempts; wait a quarter of an hour, then try again."))


class Attempts:
    """The attempts of all visitors."""

    def __init__(self) -> None:
        self._logins, self._new = guard.Logins(), guard.Credits(guard.NEW, guard.HOUR)

    def check_password(self, name: str, address: str) -> None:
        """Count an attempt at the password of an account, from an address.

        Raises:
            TooOftenError: too many were.
        """
        if not self._logins.may_try(fold(name), address):
            raise TooOftenError

    def check_newcomer(self, address: str) -> None:
        """Count the creation of an account.

        Raises:
            TooOftenError: too many were, from this address.
        """
        if not self._new.take(address):
            raise TooOftenError


class AccountPage:
    """The page of an account.

    Args: ``parts`` are what other subjects show there.
    """

    def __init__(self, frame: Frame[Person], accounts: Accounts, parts: Sequence[Part]) -> None:
        self._frame, self._accounts, self._parts = frame, accounts, parts

    async def show(
        self,
        request: Request,
        status: int = 200,
        form: Form | None = None,
        refusal: TrineError | None = None,
    ) -> Response:
        """Show the page, with the refusal of a form if there was one."""
        person = await self._frame.person_of(request)
        kept = await self._accounts.of(person)
        sessions = await self._accounts.sessions(person) if person and kept else []
        here = token_hash(secret_of(request))
        about: dict[str, Any] = {}
        for part in self._parts:
            about |= await part(request, person, kept)
        return await self._frame.show(
            request,
            "account.html",
            status,
            account=kept,
            sessions=[
                (one.hash[:MARK], one.created_at, one.agent, one.hash == here) for one in sessions
            ],
            sent="sent" in request.query_params,
            date=day,
            admin=kept is not None and kept.role == ADMIN,
            given=form or {},
            which=request.url.path.rpartition("/")[2] if form else "",
            refusal=refusal,
            **about,
        )

    def guarded(
        self, answer: Callable[[Request, Form], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        """Wrap the handler of a form so that its refusals are shown on the page."""

        async def guarded(request: Request) -> Response:
            form = await self._frame.form_of(request)
            try:
                return await answer(request, form)
            except TrineError as error:
                often = isinstance(error, TooOftenError)
                status = HTTPStatus.TOO_MANY_REQUESTS if often else HTTPStatus.BAD_REQUEST
                return await self.show(request, status, form, refusal_of(error))

        return guarded


def day(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(at))
