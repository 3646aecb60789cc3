"""The page of an account: its parts, the refusals of its forms, and the limits on attempts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final, Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.core.text.sentence import text
from trine.house.people.accounts import Accounts
from trine.house.people.browsers import Admission, browser_of
from trine.house.people.credentials import EndedSessions
from trine.house.people.names import fold
from trine.house.people.tables import Account, Person
from trine.house.refusals import HouseError
from trine.house.store.secrets import token_hash
from trine.house.web import guard
from trine.house.web.frame import Form, Frame
from trine.house.web.socket import OpenSockets
from trine.house.web.visitors import secret_of

MARK: Final = 16
"""The number of characters of a token's hash that identify it to its owner."""


class TooOftenError(TrineError):
    """The error of too many attempts."""

    default_text = text("Too many attempts; wait a quarter of an hour, then try again.")


class Section(Protocol):
    """A part of the page, with its forms."""

    def routes(self) -> list[Route]: ...

    async def shown(
        self, request: Request, person: Person | None, account: Account | None
    ) -> Mapping[str, Any]:
        """Return the values for its template."""


@dataclass(frozen=True)
class AccountPage:
    """The page of an account, and what its forms have in common.

    Args: ``warn`` writes to the owner of a name that strangers have used up the attempts at it.
    """

    frame: Frame[Person]
    sockets: OpenSockets[Person]
    accounts: Accounts
    admission: Admission
    logins: guard.Logins
    warn: Callable[[str], None]
    newcomers: guard.Credits
    sections: list[Section] = field(default_factory=list)

    def routes(self) -> list[Route]:
        made = [route for section in self.sections for route in section.routes()]
        return [Route("/account", self.page), *made]

    async def page(self, request: Request) -> Response:
        self.frame.charge(request, 5)
        return await self.show(request)

    async def show(
        self,
        request: Request,
        status: int = HTTPStatus.OK,
        form: Form | None = None,
        refusal: TrineError | None = None,
    ) -> Response:
        person = await self.frame.person_of(request)
        kept = await self.accounts.of(person)
        sessions = await self.accounts.sessions(person.id) if person and kept else []
        here = token_hash(secret_of(request))
        about: dict[str, Any] = {}
        for section in self.sections:
            about |= await section.shown(request, person, kept)
        return await self.frame.show(
            request,
            "account.html",
            status,
            account=kept,
            sessions=[
                (one.hash[:MARK], one.created_at, one.agent, one.hash == here) for one in sessions
            ],
            sent="sent" in request.query_params,
            admin=kept is not None and kept.admin,
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
            form = await self.frame.form_of(request)
            try:
                return await answer(request, form)
            except TrineError as error:
                often = isinstance(error, TooOftenError)
                status = HTTPStatus.TOO_MANY_REQUESTS if often else HTTPStatus.BAD_REQUEST
                return await self.show(request, status, form, error)

        return guarded

    # --- what forms are checked by, and where a session begins ------------------------------------

    async def check_attempt(self, request: Request, name: str) -> None:
        name, address = fold(name), self.frame.address_of(request)
        known = await self.admission.known(name, browser_of(request), address)
        if not self.logins.may_try(name, address, known):
            if self.logins.is_closed(name):
                self.warn(name)
            raise TooOftenError

    @asynccontextmanager
    async def newcomer(self, request: Request) -> AsyncIterator[None]:
        """Check that a browser may create an account, and count the one that is created meanwhile.

        Raises:
            TooOftenError: too many were created, from its address.
            HouseError: somebody who is kept out has used it, or comes from there.
        """
        address = self.frame.address_of(request)
        network = guard.home_of(address, 48)
        if self.frame.settings.sign_up != "open":
            raise HouseError("the host of this house makes the accounts")
        if not self.newcomers.take(network):
            raise TooOftenError
        try:
            await self.admission.check_newcomer(browser_of(request), address)
            yield
        except TrineError:
            self.newcomers.charge(network, -1)
            raise

    async def admit(self, request: Request, response: Response, token: str) -> Response:
        """Let a browser keep the token of its new session, and be known again.

        The sockets that were opened with its former one are closed.

        Raises:
            HouseError: somebody who is kept out has used it; the session ends.
        """
        await self.cut(request)
        await self.admission.admit(request, response, token)
        return self.frame.remember(request, response, token)

    async def cut(self, request: Request) -> None:
        """Close the sockets that were opened with a browser's token, which is no longer good."""
        await self.sockets.cut([token_hash(secret_of(request))])

    async def close_ended(self, ended: EndedSessions) -> None:
        """Close the sockets of ended sessions, and the streams of tokens that are invalid now."""
        await self.sockets.cut(ended.hashes, ended.person_id)
