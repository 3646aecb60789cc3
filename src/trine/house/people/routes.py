"""The pages and forms of accounts: login, second factors, passkeys, blocking and following."""

import ipaddress
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from trine.core.errors import MalformedError, TrineError
from trine.house.people.account_page import MARK, AccountPage
from trine.house.people.accounts import Accounts, CodeNeededError
from trine.house.people.factors import LIFETIME
from trine.house.people.passkeys import PasskeyPurpose, Passkeys, RelyingParty
from trine.house.people.relations import Blocks, Following
from trine.house.people.second_factor import SecondFactor, is_secret, link_of, new_secret
from trine.house.people.tables import Account, Person
from trine.house.refusals import HouseError
from trine.house.store.secrets import is_token
from trine.house.web.frame import Form, Frame
from trine.house.web.headers import NO_STORE, split_url
from trine.house.web.rate_limits import HOUR, RateLimiter
from trine.house.web.refusing import why_of
from trine.house.web.visitors import keep_secret, secret_of

OTHERS: Final = Form(session="others")  # the form that ends all sessions except the sender's
MAX_EXPORTS: Final = 5  # per person and hour
SECRET: Final = "passkey"  # the cookie with the secret of a challenge
MAX_ANSWER: Final = 16_384  # bytes; the longest answer of a passkey
NEXT_PAGES: Final = {
    PasskeyPurpose.CREATE: "/lobby",
    PasskeyPurpose.LOG_IN: "/lobby",
    PasskeyPurpose.ADD: "/account#passkeys",
}
"""The page to redirect to after each purpose; after a proof the browser stays on its page."""


@dataclass(frozen=True)
class AccountForms:
    """The forms to register, log in and out, and change or delete an account."""

    page: AccountPage
    factor: SecondFactor
    exports: RateLimiter = field(default_factory=lambda: RateLimiter(MAX_EXPORTS, HOUR))

    def routes(self) -> list[Route]:
        forms = {
            "register": self.register,
            "login": self.log_in,
            "logout": self.log_out,
            "name": self.rename,
            "password": self.change_password,
            "end": self.end,
            "seen": self.have_seen,
            "delete": self.delete,
        }
        return [
            *(
                Route(f"/account/{name}", self.page.guarded(form), methods=["POST"], name=name)
                for name, form in forms.items()
            ),
            Route("/account/export", self.export),
        ]

    async def register(self, request: Request, form: Form) -> Response:
        guest = await self.page.frame.person_of(request)
        async with self.page.newcomer(request):
            _, token = await self.page.accounts.register(
                guest, form["name"], form["password"], secret_of(request)
            )
        return await self.page.admit(request, RedirectResponse("/lobby", 303), token)

    async def log_in(self, request: Request, form: Form) -> Response:
        await self.page.check_attempt(request, form["name"])
        try:
            _, token = await self.page.accounts.log_in(
                form["name"], form["password"], secret_of(request), self.factor.ask
            )
        except CodeNeededError as needed:
            return await ask_code(self.page.frame, request, needed)
        return await self.page.admit(request, RedirectResponse("/lobby", 303), token)

    async def log_out(self, request: Request, form: Form) -> Response:
        response, token = _redirect_home(request), secret_of(request)
        if person := await self.page.frame.person_of(request):
            await self.page.admission.bind(request, response, person, token)
        await self.page.accounts.log_out(token)
        await self.page.cut(request)
        return response

    async def rename(self, request: Request, form: Form) -> Response:
        await self.page.accounts.rename(await self.page.frame.owner_of(request), form["name"])
        return RedirectResponse("/account", 303)

    async def change_password(self, request: Request, form: Form) -> Response:
        accounts, person = self.page.accounts, await self.page.frame.owner_of(request)
        await self.page.check_attempt(request, person.name)
        token, ended = await accounts.change_password(
            person, form["now"], form["password"], secret_of(request)
        )
        await self.page.close_ended(ended)
        return await self.page.admit(request, RedirectResponse("/account", 303), token)

    async def end(self, request: Request, form: Form) -> Response:
        accounts, person = self.page.accounts, await self.page.frame.owner_of(request)
        mark = form["session"]
        if mark == "others":
            ended = await accounts.end_others(person, secret_of(request))
        elif len(mark) == MARK:
            ended = await accounts.end(person, mark)
        else:
            raise HTTPException(HTTPStatus.BAD_REQUEST)
        await self.page.close_ended(ended)
        return RedirectResponse("/account", 303)

    async def have_seen(self, request: Request, form: Form) -> Response:
        if form["mine"] != "yes":
            return await self.end(request, OTHERS)
        await self.page.accounts.know_browsers(secret_of(request))
        return RedirectResponse("/account", 303)

    async def export(self, request: Request) -> Response:
        person = await self.page.frame.owner_of(request)
        self.exports.require(person.id)
        headers = {"content-disposition": 'attachment; filename="trine.zip"', **NO_STORE}
        pieces = self.page.accounts.export(person)
        return StreamingResponse(pieces, HTTPStatus.OK, headers, "application/zip")

    async def delete(self, request: Request, form: Form) -> Response:
        accounts, person = self.page.accounts, await self.page.frame.owner_of(request)
        await self.page.check_attempt(request, person.name)
        ended = await accounts.delete(person, form["password"], secret_of(request))
        await self.page.close_ended(ended)
        return _redirect_home(request)


def _redirect_home(request: Request) -> Response:
    """Redirect a browser that is no longer recognised to the home page."""
    response = RedirectResponse("/", 303)
    keep_secret(request, response, "", 0)
    return response


async def ask_code(frame: Frame[Person], request: Request, needed: CodeNeededError) -> Response:
    return await frame.show(
        request, "second.html", what="ask", ticket=needed.ticket, refusal=needed.why
    )


@dataclass(frozen=True)
class SecondForms:
    """The forms of the second factor, and the page that asks for its code."""

    page: AccountPage
    factor: SecondFactor

    def routes(self) -> list[Route]:
        return [
            Route("/account/second", self.offer),
            Route("/account/second", self.keep, methods=["POST"]),
            Route("/account/unsecond", self.page.guarded(self.remove), methods=["POST"]),
            Route("/account/code", self.admit, methods=["POST"]),
        ]

    async def template_values(
        self, request: Request, person: Person | None, account: Account | None
    ) -> Mapping[str, Any]:
        known = await self.factor.of(person) if person and account else None
        return {"second": known, "may_second": self.factor.available}

    async def offer(self, request: Request) -> Response:
        person = await self.page.frame.owner_of(request)
        return await self._show_secret(request, person, new_secret())

    async def _show_secret(
        self, request: Request, person: Person, secret: str, refusal: TrineError | None = None
    ) -> Response:
        if not self.factor.available:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return await self.page.frame.show(
            request,
            "second.html",
            what="set up",
            secret=secret,
            spelled=" ".join(secret[at : at + 4] for at in range(0, len(secret), 4)),
            link=link_of(secret, person.name, request.url.hostname or ""),
            refusal=refusal,
        )

    async def keep(self, request: Request) -> Response:
        person, form = await self.page.frame.form_of_owner(request)
        secret = form["secret"]
        if not is_secret(secret):
            raise HTTPException(HTTPStatus.BAD_REQUEST)
        try:
            await self.page.check_attempt(request, person.name)
            codes = await self.factor.keep(
                person, secret, form["code"], form["password"], secret_of(request)
            )
        except TrineError as error:
            return await self._show_secret(request, person, secret, error)
        return await self.page.frame.show(request, "second.html", what="codes", codes=codes)

    async def remove(self, request: Request, form: Form) -> Response:
        person = await self.page.frame.owner_of(request)
        await self.page.check_attempt(request, person.name)
        ended = await self.factor.remove(person, form["password"], secret_of(request))
        await self.page.close_ended(ended)
        return RedirectResponse("/account#second", 303)

    async def admit(self, request: Request) -> Response:
        form = await self.page.frame.form_of(request)
        try:
            _, token = await self.factor.admit(form["ticket"], form["code"], secret_of(request))
            return await self.page.admit(request, RedirectResponse("/lobby", 303), token)
        except CodeNeededError as needed:
            return await ask_code(self.page.frame, request, needed)
        except TrineError as error:
            return await self.page.frame.show(request, "second.html", what="over", refusal=error)


@dataclass(frozen=True)
class PasskeyForms:
    """The passkeys of an account: the options sent to the browser, and its answers."""

    page: AccountPage
    passkeys: Passkeys

    def routes(self) -> list[Route]:
        return [
            Route("/account/passkey/begin", self.begin, methods=["POST"]),
            Route("/account/passkey/finish", self.finish, methods=["POST"]),
            Route("/account/unpasskey", self.page.guarded(self.remove), methods=["POST"]),
        ]

    async def template_values(
        self, request: Request, person: Person | None, account: Account | None
    ) -> Mapping[str, Any]:
        available = self.passkeys.available
        return {
            "passkeys": await self.passkeys.of(person) if person and account else [],
            "has_passkeys": available,
            "may_passkey": available and place_of(self.page.frame, request) is not None,
        }

    def _place(self, request: Request) -> RelyingParty:
        place = place_of(self.page.frame, request)
        if not place:
            raise HouseError("passkeys need a house that is reached by a name and HTTPS")
        return place

    def _refuse(self, request: Request, why: TrineError) -> Response:
        body = {"why": self.page.frame.language(request).say(why_of(why))}
        return JSONResponse(body, HTTPStatus.BAD_REQUEST, NO_STORE)

    async def begin(self, request: Request) -> Response:
        form = await self.page.frame.form_of(request)
        person = await self.page.frame.person_of(request)
        try:
            if form["for"] not in set(PasskeyPurpose):
                raise MalformedError("there is nothing of this kind that a passkey could do")
            purpose = PasskeyPurpose(form["for"])
            if purpose is PasskeyPurpose.ADD and person:
                await self.page.check_attempt(request, person.name)
            creates = purpose is PasskeyPurpose.CREATE
            async with self.page.newcomer(request) if creates else nullcontext():
                secret, options = await self.passkeys.begin(
                    purpose,
                    self._place(request),
                    person,
                    secret_of(request),
                    name=form["name"],
                    password=form["password"],
                )
        except TrineError as error:
            return self._refuse(request, error)
        response = Response(options, HTTPStatus.OK, NO_STORE, "application/json")
        keep_secret(request, response, secret, int(LIFETIME), SECRET)
        return response

    async def finish(self, request: Request) -> Response:
        form = await self.page.frame.form_of(request, MAX_ANSWER)
        secret = secret_of(request, SECRET)
        try:
            if not is_token(secret):
                raise HouseError("this took too long, or the browser keeps no cookies")
            admitted = await self.passkeys.finish(
                secret, secret_of(request), self._place(request), form["answer"]
            )
            response = JSONResponse({"to": NEXT_PAGES.get(admitted.purpose, "")}, headers=NO_STORE)
            if admitted.token:
                await self.page.admit(request, response, admitted.token)
        except TrineError as error:
            return self._refuse(request, error)
        return response

    async def remove(self, request: Request, form: Form) -> Response:
        person = await self.page.frame.owner_of(request)
        ended = await self.passkeys.remove(person, form["passkey"], secret_of(request))
        await self.page.close_ended(ended)
        return RedirectResponse("/account#passkeys", 303)


def place_of(frame: Frame[Person], request: Request) -> RelyingParty | None:
    """Return the host name of the request; None if browsers allow no passkeys there.

    Browsers require a name, not an IP address, and HTTPS, except for ``localhost``.
    """
    origin = frame.origins.origin_of(request.headers, request.url.scheme)
    parts = split_url(origin)
    name = parts.hostname or ""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        secure = parts.scheme == "https" or name == "localhost"
        return RelyingParty(name, origin) if name and secure else None
    return None


@dataclass(frozen=True)
class RelationForms:
    """The forms to block and follow, on the account page and on other people's pages."""

    frame: Frame[Person]
    blocks: Blocks
    following: Following
    accounts: Accounts

    def routes(self) -> list[Route]:
        return [
            Route("/block", self.block, methods=["POST"]),
            Route("/follow", self.follow, methods=["POST"]),
        ]

    async def block(self, request: Request) -> Response:
        person, form = await self.frame.form_of_owner(request)
        account = await self.accounts.named(form["name"])
        other = form["person"] or (account.person if account else "")
        await self.blocks.block(person, other, on=form["on"] == "yes")
        return RedirectResponse(f"/player/{account.name}" if account else "/account", 303)

    async def template_values(
        self, request: Request, person: Person | None, account: Account | None
    ) -> Mapping[str, Any]:
        return {"blocked": await self.blocks.blocked_by(person.id) if person else {}}

    async def follow(self, request: Request) -> Response:
        person, form = await self.frame.form_of_owner(request)
        name = form["name"].strip()
        account = await self.accounts.named(name)
        if not account:
            raise HouseError("no account is called {name}", name=name[:100])
        await self.following.follow(person, account, on=form["on"] == "yes")
        back = "/people" if form["back"] == "people" else f"/player/{account.name}"
        return RedirectResponse(back, 303)

    async def shown_of(self, person: Person | None, other: Account) -> Mapping[str, Any]:
        blocked = await self.blocks.blocked_by(person.id) if person else {}
        followed = await self.following.follows(person, other)
        return {"blocked": other.person in blocked, "followed": followed}
