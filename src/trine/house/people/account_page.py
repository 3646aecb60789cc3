"""The account page: its sections, the errors of its forms, and the limits on attempts."""

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
from trine.house.people.browsers import BanEnforcement, browser_of
from trine.house.people.credentials import EndedSessions
from trine.house.people.names import fold
from trine.house.people.tables import Account, Person
from trine.house.refusals import HouseError
from trine.house.store.secrets import token_hash
from trine.house.web.frame import Form, Frame
from trine.house.web.open_sockets import OpenSockets
from trine.house.web.rate_limits import LoginLimiter, RateLimiter, network_of
from trine.house.web.visitors import secret_of

MARK: Final = 16
"""The length of the token-hash prefix that identifies a session to its owner, in characters."""


class TooOftenError(TrineError):
    """Too many attempts were made."""

    default_text = text("Too many attempts; wait a quarter of an hour, then try again.")


class Section(Protocol):
    """A section of the account page, with its forms."""

    def routes(self) -> list[Route]: ...

    async def template_values(
        self, request: Request, person: Person | None, account: Account | None
    ) -> Mapping[str, Any]:
        """Return the values for the section's template."""


@dataclass(frozen=True)
class AccountPage:
    """The account page, and the common parts of its forms.

    ``warn`` tells the owner of a name by e-mail that failed logins have used up the login attempts.
    """

    frame: Frame[Person]
    sockets: OpenSockets[Person]
    accounts: Accounts
    admission: BanEnforcement
    logins: LoginLimiter
    warn: Callable[[str], None]
    newcomers: RateLimiter
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
            about |= await section.template_values(request, person, kept)
        return await self.frame.show(
            request,
            "account.html",
            status,
            account=kept,
            sessions=[
                (session.hash[:MARK], session.created_at, session.agent, session.hash == here)
                for session in sessions
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
        """Wrap the handler of a form so that its errors are shown on the page."""

        async def guarded(request: Request) -> Response:
            form = await self.frame.form_of(request)
            try:
                return await answer(request, form)
            except TrineError as error:
                often = isinstance(error, TooOftenError)
                status = HTTPStatus.TOO_MANY_REQUESTS if often else HTTPStatus.BAD_REQUEST
                return await self.show(request, status, form, error)

        return guarded

    async def check_attempt(self, request: Request, name: str) -> None:
        name, address = fold(name), self.frame.address_of(request)
        known = await self.admission.known(name, browser_of(request), address)
        if not self.logins.may_try(name, address, known):
            if self.logins.is_exhausted(name):
                self.warn(name)
            raise TooOftenError

    @asynccontextmanager
    async def newcomer(self, request: Request) -> AsyncIterator[None]:
        """Return a context for creating an account: check that the browser may, and count it.

        Raises:
            TooOftenError: too many accounts were created from the browser's network.
            HouseError: a banned account was used in the browser, or from its address.
        """
        address = self.frame.address_of(request)
        network = network_of(address, 48)
        if self.frame.settings.sign_up != "open":
            raise HouseError("only the host of this house creates accounts")
        if not self.newcomers.take(network):
            raise TooOftenError
        try:
            await self.admission.check_newcomer(browser_of(request), address)
            yield
        except TrineError:
            self.newcomers.charge(network, -1)
            raise

    async def admit(self, request: Request, response: Response, token: str) -> Response:
        """Set the cookies of a new session, and close the sockets of the browser's former session.

        If a banned account was used in the browser, the session ends with a `HouseError`.
        """
        await self.cut(request)
        await self.admission.admit(request, response, token)
        return self.frame.remember(request, response, token)

    async def cut(self, request: Request) -> None:
        """Close the sockets of the request's session, whose token is no longer valid."""
        await self.sockets.close_sessions([token_hash(secret_of(request))])

    async def close_ended(self, ended: EndedSessions) -> None:
        """Close the sockets of ended sessions, and the streams of tokens that are invalid now."""
        await self.sockets.close_sessions(ended.hashes, ended.person_id)
