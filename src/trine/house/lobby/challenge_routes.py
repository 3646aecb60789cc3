"""The routes of challenges: making, accepting and refusing one."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.house.games.agreement import Agreement
from trine.house.lobby.challenges import Challenges
from trine.house.lobby.new_game import offers, read_seek
from trine.house.people.account_rows import Account
from trine.house.people.accounts import Accounts
from trine.house.people.person_rows import Person
from trine.house.people.presses import Led, Presses
from trine.house.web.frame import Frame
from trine.house.web.refusing import refusal_of


def routes(
    frame: Frame[Person], challenges: Challenges, accounts: Accounts, presses: Presses
) -> list[Route]:
    """The routes of challenges."""
    pages = _ChallengePages(frame, challenges, accounts, presses)
    return [
        Route("/challenge/{name}", pages.form),
        Route("/challenge/{name}", pages.open, methods=["POST"]),
        Route("/challenges/{id}/accept", pages.accept, methods=["POST"]),
        Route("/challenges/{id}/refuse", pages.refuse, methods=["POST"]),
    ]


class _ChallengePages:
    def __init__(
        self, frame: Frame[Person], challenges: Challenges, accounts: Accounts, presses: Presses
    ) -> None:
        self._frame, self._challenges, self._accounts = frame, challenges, accounts
        self._presses = presses

    async def _account(self, request: Request) -> Account:
        """Return the account to challenge.

        Raises:
            HTTPException: there is none.
        """
        self._frame.charge(request, 5)
        account = await self._accounts.named(request.path_params["name"])
        if not account:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return account

    async def form(self, request: Request) -> Response:
        return await self._show(request, dict(request.query_params), await self._account(request))

    async def _show(
        self,
        request: Request,
        chosen: dict[str, str],
        account: Account,
        status: int = 200,
        refusal: TrineError | None = None,
    ) -> Response:
        person = await self._frame.person_of(request)
        return await self._frame.show(
            request,
            "challenge.html",
            status,
            account=account,
            may=person is not None and person.has_account,
            refusal=refusal,
            posted=refusal is not None,
            **offers(chosen, self._frame.language_of(request)),
        )

    async def open(self, request: Request) -> Response:
        form = await self._frame.form_of(request)
        account = await self._account(request)
        try:
            agreement, side = read_seek(form, listed=False)
            person = await self._known(request)
            await self._presses.once(
                form, person, partial(self._open, person, account, agreement, side)
            )
        except TrineError as error:
            return await self._show(
                request, form, account, HTTPStatus.BAD_REQUEST, refusal_of(error)
            )
        return RedirectResponse("/lobby", 303)

    async def _open(
        self, person: Person, account: Account, agreement: Agreement, side: int | None
    ) -> Led:
        await self._challenges.open(person, account, agreement, side)
        return Led("/lobby")

    async def _known(self, request: Request) -> Person:
        person = await self._frame.person_of(request)
        if not person:
            raise HTTPException(HTTPStatus.FORBIDDEN)
        return person

    async def accept(self, request: Request) -> Response:
        await self._frame.form_of(request)
        person = await self._known(request)
        game = await self._challenges.accept(request.path_params["id"], person)
        return RedirectResponse(f"/game/{game}", 303)

    async def refuse(self, request: Request) -> Response:
        form = await self._frame.form_of(request)
        person = await self._known(request)
        try:
            await self._challenges.refuse(request.path_params["id"], person)
        except TrineError as error:
            refusal_of(error)  # it is gone, as was wished
        return RedirectResponse("/" if form.get("back") == "home" else "/lobby", 303)
