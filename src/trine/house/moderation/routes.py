"""The report form, and the administrators' pages: moderation and farmed ratings."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.house.games.storage.tables import read_seats
from trine.house.lobby.tables import Seek
from trine.house.moderation.farming import PERIODS, Farming
from trine.house.moderation.moderation import Moderation
from trine.house.people.accounts import Accounts, any_guest
from trine.house.people.names import name_text
from trine.house.people.sanctions import BAN
from trine.house.people.tables import Person
from trine.house.talk.chat import PRESETS, WHYS
from trine.house.web.frame import Form, Frame
from trine.house.web.open_sockets import OpenSockets

REPORTED: Final = (
    "/player/{name}/report",
    "/game/{game}/report/{seat:int}",
    "/lobby/{seek}/report/{seat:int}",
)
"""The paths of the report form: for a name, a seat of a game, or a player in the lobby."""
Action = Callable[[Request, Person, Form], Awaitable[str | None]]
"""A function that does what an administrator's form asks for; it may return a link to show."""
PLACE: Final = "/moderation/ratings"
LISTED: Final = 50  # games per opponent; a form has at most 64 fields


async def administrator(frame: Frame[Person], accounts: Accounts, request: Request) -> Person:
    """Return the administrator who sent the request; respond 403 to all others."""
    person = await frame.owner_of(request)
    account = await accounts.of(person)
    if not account or not account.admin:
        raise HTTPException(HTTPStatus.FORBIDDEN)
    return person


@dataclass(frozen=True)
class ModerationPages:
    """The form to report a person, and the moderation page for administrators."""

    frame: Frame[Person]
    sockets: OpenSockets[Person]
    moderation: Moderation
    accounts: Accounts
    seek: Callable[[str], Seek | None]
    """A function that returns an open seek of the lobby by its id."""

    def routes(self) -> list[Route]:
        return [
            *(Route(path, self.report_form) for path in REPORTED),
            *(Route(path, self.report, methods=["POST"]) for path in REPORTED),
            Route("/moderation", self.page),
            Route("/moderation/report/{id}", self._guarded(self.decide), methods=["POST"]),
            Route("/moderation/act", self._guarded(self.act), methods=["POST"]),
            Route("/moderation/sanction/{id}/lift", self._guarded(self.lift), methods=["POST"]),
            Route("/moderation/password", self._guarded(self.reset_password), methods=["POST"]),
        ]

    async def _admin(self, request: Request) -> Person:
        return await administrator(self.frame, self.accounts, request)

    def _guarded(self, act: Action) -> Callable[[Request], Awaitable[Response]]:
        """Return the handler of an administrator's form; the page shows why it was refused."""

        async def guarded(request: Request) -> Response:
            form = await self.frame.form_of(request)
            admin = await self._admin(request)
            try:
                link = await act(request, admin, form)
            except TrineError as error:
                return await self._show(request, error)
            if link:
                return await self._show(request, link=link)
            return RedirectResponse("/moderation", 303)

        return guarded

    async def _about(self, request: Request) -> tuple[str, str]:
        """Return the id and the name of the person that a path refers to."""
        self.frame.charge(request, 5)
        params, people = request.path_params, list[tuple[str | None, str]]()
        if "game" in params:
            seats = await self.moderation.store.fetch(read_seats, params["game"])
            people = [(seat.person, seat.name) for seat in seats]
        elif "seek" in params:
            seek = self.seek(params["seek"])
            people = [(player.id, player.name) for player in seek.players] if seek else []
        elif account := await self.accounts.named(params["name"]):
            people = [(account.person, account.name)]
        number = params.get("seat", 0)
        if number >= len(people) or not (person := people[number][0]):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return person, people[number][1]

    async def report_form(self, request: Request) -> Response:
        await self.frame.owner_of(request)
        _, name = await self._about(request)
        return await self._show_form(request, name)

    async def _show_form(
        self, request: Request, name: str, refusal: TrineError | None = None, *, done: bool = False
    ) -> Response:
        return await self.frame.show(
            request, "report.html", called=name_text(name), whys=WHYS, refusal=refusal, done=done
        )

    async def report(self, request: Request) -> Response:
        form = await self.frame.form_of(request)
        reporter = await self.frame.owner_of(request)
        person, name = await self._about(request)
        try:
            await self.moderation.report(reporter, person, form["why"], form["words"])
        except TrineError as error:
            return await self._show_form(request, name, error)
        return await self._show_form(request, name, done=True)

    async def page(self, request: Request) -> Response:
        await self._admin(request)
        return await self._show(request)

    async def _show(
        self, request: Request, refusal: TrineError | None = None, link: str = ""
    ) -> Response:
        moderation = self.moderation
        return await self.frame.show(
            request,
            "moderation.html",
            cases=await moderation.cases(),
            sanctions=await moderation.held(),
            log=await moderation.log(),
            whys=WHYS,
            presets=PRESETS,
            refusal=refusal,
            link=link,
        )

    async def decide(self, request: Request, admin: Person, form: Form) -> None:
        moderation, what = self.moderation, form["what"]
        case = await moderation.case(request.path_params["id"])
        if what == "done":
            await moderation.done(admin, case)
        elif what == "delete":
            await moderation.delete_line(admin, case)
        elif what == "rename":
            await moderation.rename(admin, case.person, any_guest())
        else:
            await self._sanction(admin, case.person, what, form["term"], case.why)

    async def _sanction(
        self, admin: Person, person_id: str, kind: str, term: str, why: str
    ) -> None:
        ended = await self.moderation.sanction(admin, person_id, kind, term, why)
        if kind == BAN:
            await self.sockets.close_sessions(ended.hashes, ended.person_id)

    async def act(self, request: Request, admin: Person, form: Form) -> None:
        """Carry out an action without a report: on an account, or on a tournament."""
        moderation, what = self.moderation, form["what"]
        if what == "cancel":
            await moderation.cancel_tournament(admin, form["tournament"])
            return
        person = (await moderation.account(form["name"])).person
        if what == "rename":
            await moderation.rename(admin, person, form["new"])
        else:
            await self._sanction(admin, person, what, form["term"], form["why"])

    async def reset_password(self, request: Request, admin: Person, form: Form) -> str:
        path = await self.moderation.reset_password(admin, form["name"], lost="lost" in form)
        return self.frame.origins.origin_of(request.headers, request.url.scheme) + path

    async def lift(self, request: Request, admin: Person, form: Form) -> None:
        await self.moderation.lift(admin, request.path_params["id"])


@dataclass(frozen=True)
class FarmingPages:
    """The administrators' page of farmed ratings."""

    frame: Frame[Person]
    farming: Farming
    accounts: Accounts

    def routes(self) -> list[Route]:
        return [
            Route(PLACE, self.page),
            Route(f"{PLACE}/annul", self.annul, methods=["POST"]),
            Route(f"{PLACE}/allow", self.reinstate, methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        await administrator(self.frame, self.accounts, request)
        days = _days(request.query_params.get("days", ""))
        return await self.frame.show(
            request,
            "farming.html",
            days=days,
            periods=PERIODS,
            climbers=await self.farming.climbers(days),
            uncounted=await self.farming.uncounted(),
            listed=LISTED,
        )

    async def annul(self, request: Request) -> Response:
        form = await self.frame.form_of(request)
        admin = await administrator(self.frame, self.accounts, request)
        days = _days(form["days"])
        chosen = [name.removeprefix("game-") for name in form if name.startswith("game-")]
        if form["what"] in ("all", "person"):
            other = form["other"] if form["what"] == "all" else None
            chosen = await self.farming.between(form["person"], other, days)
        await self.farming.annul(admin, chosen)
        return RedirectResponse(f"{PLACE}?days={days}", 303)

    async def reinstate(self, request: Request) -> Response:
        form = await self.frame.form_of(request)
        admin = await administrator(self.frame, self.accounts, request)
        await self.farming.reinstate(admin, [form["game"]])
        return RedirectResponse(f"{PLACE}#uncounted", 303)


def _days(value: str) -> int:
    days = {str(period): period for period in PERIODS}.get(value or "7")
    if days is None:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return days
