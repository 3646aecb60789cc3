"""The pages and forms of e-mail addresses, e-mailed links, and devices that get notifications."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from trine.core.clock import DAY
from trine.core.errors import TrineError
from trine.house.notify.emails import Emails
from trine.house.notify.mail import MAX_ADDRESS_LENGTH
from trine.house.notify.push import PushNotifications
from trine.house.notify.tables import fold_email
from trine.house.people.account_page import AccountPage, TooOftenError
from trine.house.people.names import fold
from trine.house.people.tables import Account, Person
from trine.house.store.secrets import is_token, token_hash
from trine.house.web.frame import Form, Frame
from trine.house.web.headers import NO_STORE
from trine.house.web.open_sockets import OpenSockets
from trine.house.web.rate_limits import HOUR, LoginLimiter, RateLimiter
from trine.house.web.refusing import refusal_of
from trine.house.web.visitors import secret_of

MAX_ASKED: Final = 20  # e-mails requested, and links used, per address and hour
MAX_RESETS: Final = 3  # password e-mails per account and hour
MAX_CHANGES: Final = 30  # per person and hour
LINKS_AN_HOUR: Final = 5  # confirmation e-mails per person, and per e-mail address


@dataclass(frozen=True)
class EmailPages:
    """The pages of e-mailed links; mail scanners open links, too, so only a button acts."""

    frame: Frame[Person]
    sockets: OpenSockets[Person]
    emails: Emails
    logins: LoginLimiter
    asked: RateLimiter = field(default_factory=lambda: RateLimiter(MAX_ASKED, HOUR))
    for_account: RateLimiter = field(default_factory=lambda: RateLimiter(MAX_RESETS, HOUR))
    warned: RateLimiter = field(default_factory=lambda: RateLimiter(1, DAY))

    def routes(self) -> list[Route]:
        return [
            Route("/account/forgot", self.forgot),
            Route("/account/forgot", self.send, methods=["POST"]),
            Route("/letters/confirm/{token}", self.page("confirm")),
            Route("/letters/confirm/{token}", self.confirm, methods=["POST"]),
            Route("/letters/stop/{token}", self.page("stop")),
            Route("/letters/stop/{token}", self.stop, methods=["POST"]),
            Route("/letters/reset/{token}", self.page("reset")),
            Route("/letters/reset/{token}", self.reset, methods=["POST"]),
        ]

    async def _show(
        self,
        request: Request,
        what: str,
        status: int = 200,
        *,
        done: str = "",
        refusal: TrineError | None = None,
    ) -> Response:
        return await self.frame.show(
            request, "email.html", status, what=what, done=done, refusal=refusal
        )

    def _token(self, request: Request) -> str:
        token: str = request.path_params["token"]
        if not is_token(token):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return token

    def page(self, what: str) -> Callable[[Request], Awaitable[Response]]:
        async def page(request: Request) -> Response:
            self.frame.charge(request, 5)
            self._token(request)
            return await self._show(request, what)

        return page

    async def forgot(self, request: Request) -> Response:
        return await self._show(request, "forgot")

    async def send(self, request: Request) -> Response:
        form = await self.frame.form_of(request)
        self.asked.require(self.frame.address_of(request))
        name = form["name"].strip()[:MAX_ADDRESS_LENGTH]
        if name and self.for_account.take(fold(name)):
            self.emails.ask_reset(name)
        return await self._show(request, "forgot", done="forgot_sent")

    def warn(self, name: str) -> None:
        """Warn an owner by e-mail, once a day, that failed logins have used up the attempts."""
        if self.warned.take(name):
            self.emails.ask_reset(name, tried=True)

    async def confirm(self, request: Request) -> Response:
        await self.frame.form_of(request)
        self.asked.require(self.frame.address_of(request))
        good = await self.emails.confirm(self._token(request))
        return await self._after(request, "confirm", "confirmed", good=good)

    async def stop(self, request: Request) -> Response:
        """Stop notices; mail programs may send this request themselves, without a page."""
        self.frame.charge(request, 20)
        good = await self.emails.stop(self._token(request))
        return await self._after(request, "stop", "stopped", good=good)

    async def reset(self, request: Request) -> Response:
        form = await self.frame.form_of(request)
        self.asked.require(self.frame.address_of(request))
        token = self._token(request)
        if not await self.emails.may_reset(token):
            return await self._after(request, "reset", "", good=False)
        try:
            name, ended = await self.emails.reset(token, form["password"])
        except TrineError as error:
            return await self._show(request, "reset", refusal=error)
        self.logins.reset(name)
        await self.sockets.close_sessions(ended.hashes, ended.person_id)
        return await self._after(request, "reset", "reset_done", good=True)

    async def _after(self, request: Request, what: str, done: str, *, good: bool) -> Response:
        status = HTTPStatus.OK if good else HTTPStatus.NOT_FOUND
        return await self._show(request, what, status, done=done if good else "bad_link")


@dataclass(frozen=True)
class DevicePages:
    """The forms that switch notifications on and off for a device."""

    frame: Frame[Person]
    pushes: PushNotifications
    changes: RateLimiter = field(default_factory=lambda: RateLimiter(MAX_CHANGES, HOUR))

    def routes(self) -> list[Route]:
        return [
            Route("/account/devices/on", self.on, methods=["POST"]),
            Route("/account/devices/off", self.off, methods=["POST"]),
        ]

    async def template_values(
        self, request: Request, person: Person | None, account: Account | None
    ) -> Mapping[str, Any]:
        here = token_hash(secret_of(request))
        found = await self.pushes.of(person) if person and self.pushes.key else []
        return {
            "push_key": self.pushes.key,
            "devices": [
                (device.id, self.pushes.owner(device), device.made_at, device.session == here)
                for device in found
            ],
        }

    async def on(self, request: Request) -> Response:
        person, form = await self.frame.form_of_owner(request)
        self.changes.require(person.id)
        try:
            session, language = secret_of(request), self.frame.language_of(request)
            subscription = form["endpoint"], form["key"], form["secret"]
            await self.pushes.switch_on(person, session, *subscription, language)
        except TrineError as error:
            why = self.frame.language(request).say(refusal_of(error).text)
            return JSONResponse({"why": why}, HTTPStatus.BAD_REQUEST, NO_STORE)
        return JSONResponse({}, headers=NO_STORE)

    async def off(self, request: Request) -> Response:
        person, form = await self.frame.form_of_owner(request)
        await self.pushes.switch_off(person, form["device"])
        return RedirectResponse("/account#devices", 303)


@dataclass(frozen=True)
class AddressForms:
    """The forms of a person's e-mail address; the account page shows their errors."""

    page: AccountPage
    emails: Emails
    sent: RateLimiter = field(default_factory=lambda: RateLimiter(LINKS_AN_HOUR, HOUR))

    def routes(self) -> list[Route]:
        return [
            Route("/account/email", self.page.guarded(self.keep), methods=["POST"]),
            Route("/account/notices", self.page.guarded(self.want), methods=["POST"]),
            Route("/account/forget", self.page.guarded(self.forget), methods=["POST"]),
        ]

    async def template_values(
        self, request: Request, person: Person | None, account: Account | None
    ) -> Mapping[str, Any]:
        return {
            "emails": self.emails.mail is not None,
            "address": await self.emails.of(person) if person and account else None,
        }

    async def keep(self, request: Request, form: Form) -> Response:
        person, email = await self.page.frame.owner_of(request), form["email"].strip()
        await self.page.check_attempt(request, person.name)
        if not (self.sent.take(person.id) and self.sent.take(fold_email(email))):
            raise TooOftenError
        code = self.page.frame.language_of(request)
        await self.emails.ask_address(person, email, form["password"], code, secret_of(request))
        return RedirectResponse("/account?sent#email", 303)

    async def want(self, request: Request, form: Form) -> Response:
        await self.emails.want(await self.page.frame.owner_of(request), wanted="wanted" in form)
        return RedirectResponse("/account#email", 303)

    async def forget(self, request: Request, form: Form) -> Response:
        await self.emails.drop(await self.page.frame.owner_of(request))
        return RedirectResponse("/account#email", 303)
