"""The forms for the e-mail address of an account: setting, notices, and forgetting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.house.letters.address_rows import fold_email
from trine.house.letters.letters import Letters
from trine.house.people.account_page import AccountPage, Form
from trine.house.people.account_rows import Account
from trine.house.people.attempts import Attempts, TooOftenError
from trine.house.people.person_rows import Person
from trine.house.web import guard
from trine.house.web.frame import Frame
from trine.house.web.visitors import secret_of

LETTERS: Final = 5
"""The number of letters in an hour that one person may send to addresses, and one address get."""


def routes(
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
    """Return the address as the page of an account shows it."""
    return {
        "letters": letters.mail is not None,
        "address": await letters.of(person) if person and account else None,
    }


class _AddressForms:
    def __init__(self, frame: Frame[Person], letters: Letters, attempts: Attempts) -> None:
        self._frame, self._letters, self._attempts = frame, letters, attempts
        self._sent = guard.Credits(LETTERS, guard.HOUR)

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
