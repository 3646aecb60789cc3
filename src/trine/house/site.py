"""The ASGI app of a house: it opens the house, and serves the routes of all packages."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp

from trine.core.errors import TrineError
from trine.core.text.language import LANGUAGES, open_language
from trine.house import status_report
from trine.house.analysis.analysis_routes import AnalysisPages
from trine.house.analysis.live_analysis import AnalysisResources
from trine.house.analysis.reviews import losses_values
from trine.house.api.api_routes import Api
from trine.house.api.streams import Sources, Subscribers
from trine.house.api.tokens import TokenPages
from trine.house.app import House
from trine.house.explorer.explorer import openings_values
from trine.house.games.view import game_page as games
from trine.house.games.view.game_page import TEMPLATE_NAMES
from trine.house.home.routes import FirstGamePages, HomePages
from trine.house.lessons.progress import climb_values
from trine.house.lessons.routes import LearnPages, RulePages
from trine.house.lobby.challenges import ChallengePages
from trine.house.lobby.lobby_routes import LobbyPages
from trine.house.lobby.new_game import NewGamePages
from trine.house.moderation.routes import FarmingPages, ModerationPages
from trine.house.notify.routes import AddressForms, DevicePages, EmailPages
from trine.house.people.account_page import AccountPage
from trine.house.people.browsers import browser_of
from trine.house.people.names import account_name
from trine.house.people.passwords import common_passwords
from trine.house.people.quotas import DailyQuotaError
from trine.house.people.routes import AccountForms, PasskeyForms, RelationForms, SecondForms
from trine.house.people.tables import Person
from trine.house.processes import routes as processes
from trine.house.processes.tables import keep_figures
from trine.house.puzzles.routes import PuzzlePages, SentMomentPages
from trine.house.ratings import routes as ratings
from trine.house.ratings.routes import Leaders
from trine.house.refusals import NotFoundError, PaceError, is_momentary
from trine.house.search import routes as search
from trine.house.statistics import statistics as statistics
from trine.house.store.store_errors import HeldError
from trine.house.talk.chat import PageChat
from trine.house.talk.routes import NotePages
from trine.house.tournaments.routes import TournamentPages
from trine.house.web import rate_limits
from trine.house.web.assets import Assets
from trine.house.web.cpu_limit import CpuLimitMiddleware
from trine.house.web.frame import Frame, FramePages
from trine.house.web.headers import Headers, Origins, with_known_hosts, with_possible_paths
from trine.house.web.metrics import Metrics
from trine.house.web.open_sockets import OpenSockets
from trine.house.web.pages import Pages
from trine.house.web.rate_limits import LoginLimiter, RateLimiter

FOLDERS: Final = sorted(Path(str(files("trine.house"))).glob("*/pages"))
Routes = list[Route | WebSocketRoute]


class Site:
    """The web site of a house; ``opened`` is called when the house is open."""

    def __init__(
        self,
        open_house: Callable[[], Awaitable[House]],
        *,
        origins: Origins | None = None,
        metrics_token: str = "",
        address_credits: int = rate_limits.ADDRESS_MESSAGES,
        opened: Callable[[House], None] | None = None,
    ) -> None:
        self.metrics: Final = Metrics()
        self._open_house, self._opened = open_house, opened
        self._origins, self._address_credits = origins or Origins(), address_credits
        self._metrics_token = metrics_token
        self._frame: Frame[Person]
        self._streams: Subscribers | None = None
        refused = (TrineError, HTTPException, ClientDisconnect, Exception)
        app = Starlette(
            lifespan=self._lifespan, exception_handlers=dict.fromkeys(refused, self._refuse)
        )
        more = max(1.0, address_credits / rate_limits.ADDRESS_MESSAGES)
        cpu_limit = CpuLimitMiddleware(with_possible_paths(app), more)
        named = with_known_hosts(cpu_limit, self._origins)
        self.app: Final[ASGIApp] = Headers(named, self._origins)
        measure = self.metrics.add_gauge
        measure(
            "requests_waiting", "Requests that wait or are worked on", lambda: cpu_limit.waiting
        )
        measure("requests_refused", "Those refused because of too many", lambda: cpu_limit.refused)
        rounds = cpu_limit.budgets.rounds
        self.metrics.longest_wait = lambda: rounds.longest_wait
        measure("busy", "Whether the house puts off what can wait", lambda: self.metrics.is_busy)
        measure("loop_steps", "Steps in the slices of addresses", lambda: rounds.steps)
        measure("loop_steps_waiting", "Those that wait", lambda: rounds.waiting)
        measure("loop_empty_wakes", "Those woken in vain", lambda: rounds.empty_wakes)

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        warming = asyncio.create_task(asyncio.to_thread(warm_up, assets := Assets()))
        house = await self._open_house()
        spoken = {"languages": {code: LANGUAGES[code] for code in house.settings.languages}}
        frame = self._frame = Frame(
            Pages(assets, FOLDERS, {**TEMPLATE_NAMES, **spoken, "house": house.settings}),
            recognise=house.accounts.person_of,
            welcome=partial(_welcome, house),
            rename=house.accounts.rename,
            status_of=status_of,
            now=house.now,
            report=house.report,
            metrics=self.metrics,
            origins=self._origins,
            noticed=partial(_note_address, house),
            address_credits=self._address_credits,
            settings=house.settings,
        )
        sockets = OpenSockets(frame, house.process_bus.publish_ended, house.accounts.valid_sessions)
        house.process_bus.close_sessions = lambda hashes: house.background.run(
            partial(sockets.close_local, hashes), "closing sockets"
        )
        house.process_bus.recheck_all = partial(_recheck_all, house, sockets)
        house.online.connected.append(sockets.people)
        self._streams = house.subscribers
        app.router.routes += [
            *FramePages(frame).routes(),
            *routes_of(house, frame, sockets),
            *processes.routes(
                frame,
                house.store,
                house.accounts,
                house.games,
                house.lease.node_address,
                self._metrics_token,
            ),
        ]
        measure_house(self.metrics, house)
        every = house.background.every
        house.background.run(self.metrics.measure_loop, "figures of the event loop")
        every(
            status_report.POLL_INTERVAL,
            partial(keep_figures_of, house, self.metrics),
            "figures for the host",
        )
        if self._opened:
            self._opened(house)
        try:
            await warming
            yield
        finally:
            await house.close()

    async def _refuse(self, request: Request, error: Exception) -> Response:
        return await self._frame.refuse(request, error)

    def end_streams(self) -> None:
        """End the responses that would be endless, because the app is about to end."""
        if self._streams:
            self._streams.end_all()


def warm_up(assets: Assets) -> None:
    """Fill the caches that the first requests would otherwise fill, blocking the event loop."""
    for code in LANGUAGES:
        open_language(code)
    account_name("Anna")
    common_passwords()
    Pages(assets, FOLDERS).compile_all()


def sources_of(house: House) -> Sources:
    return Sources(
        house.store,
        house.accounts,
        house.games,
        house.subscribers,
        house.challenges,
        house.search,
        house.tournaments,
        house.tokens,
        house.sanctions,
        house.report,
    )


def routes_of(house: House, frame: Frame[Person], sockets: OpenSockets[Person]) -> Routes:
    return [
        *_of_people(house, frame, sockets),
        *_of_games(house, frame, sockets),
        *NewGamePages(frame, house.store, house.games, house.idempotency_keys).routes(),
        *LobbyPages(
            frame, sockets, house.lobby, house.own_games, house.challenges, house.search.last_game
        ).routes(),
        *ChallengePages(frame, house.challenges, house.accounts, house.idempotency_keys).routes(),
        *search.SearchPages(
            frame, house.search, house.own_games, house.progress.template_values
        ).routes(),
        *search.people_routes(
            frame,
            house.search,
            house.following,
            house.blocks,
            house.online,
            house.games,
            elsewhere=lambda: house.process_bus.live,
        ),
        *statistics.routes(frame, house.statistics),
        *statistics.results_routes(
            frame,
            house.accounts,
            house.store,
            [partial(openings_values, house.explorer), partial(losses_values, house.store)],
        ),
        *AnalysisPages(
            frame,
            sockets,
            house.studies,
            house.games,
            house.store,
            house.reviews,
            AnalysisResources(house.bots, house.report, lambda: frame.metrics.is_busy),
            house.explorer,
            house.helpers,
            house.sanctions,
        ).routes(),
        *LearnPages(frame, house.progress).routes(),
        *RulePages(frame).routes(),
        *PuzzlePages(frame, house.puzzles, house.moments).routes(),
        *SentMomentPages(
            frame, house.puzzles, house.moments, house.sent_moments, house.helpers
        ).routes(),
        *TournamentPages(frame, sockets, house.tournaments, house.idempotency_keys).routes(),
        *ModerationPages(
            frame, sockets, house.moderation, house.accounts, house.lobby.seek
        ).routes(),
        *status_report.routes(
            frame,
            house.accounts,
            house.store,
            house.status_report,
            partial(keep_figures_of, house, frame.metrics),
        ),
        *FarmingPages(frame, house.farming, house.accounts).routes(),
        *TokenPages(
            frame, house.tokens, house.accounts, partial(house.process_bus.publish_ended, [])
        ).routes(),
        *Api(frame, sources_of(house)).routes(),
    ]


def _of_people(house: House, frame: Frame[Person], sockets: OpenSockets[Person]) -> Routes:
    logins = LoginLimiter()
    email_pages = EmailPages(frame, sockets, house.emails, logins)
    new = (
        rate_limits.NEW_ACCOUNTS
        if house.linked_accounts.separate_linked
        else rate_limits.NEW_ACCOUNTS_IN_CLUB
    )
    newcomers = RateLimiter(new, rate_limits.HOUR)
    page = AccountPage(
        frame, sockets, house.accounts, house.ban_enforcement, logins, email_pages.warn, newcomers
    )
    relations = RelationForms(frame, house.blocks, house.following, house.accounts)
    page.sections.extend(
        [
            PasskeyForms(page, house.passkeys),
            SecondForms(page, house.second_factor),
            AddressForms(page, house.emails),
            DevicePages(frame, house.push_notifications),
            relations,
        ]
    )
    return [
        *page.routes(),
        *AccountForms(page, house.second_factor).routes(),
        *ratings.routes(
            frame, house.accounts, house.store, relations.shown_of, house.search.shown_of
        ),
        *ratings.leader_routes(frame, Leaders(house.store)),
        *email_pages.routes(),
    ]


def _of_games(house: House, frame: Frame[Person], sockets: OpenSockets[Person]) -> Routes:
    notes = NotePages(
        frame,
        house.games,
        house.notes,
        house.chats,
        house.blocks,
        house.moderation.report_line,
        house.accounts,
        house.store,
    )
    shown: list[games.Part] = [
        notes.template_values,
        climb_values,
        partial(ratings.annulment_page, house.store),
    ]
    chat = partial(PageChat, house.chats, house.blocks, house.moderation.report_line)
    pages = games.GamePages(frame, sockets, house.games, house.bots, house.helpers, shown, chat)
    first_games = FirstGamePages(frame, house.games, pages)
    return [
        *pages.routes(),
        *first_games.routes(),
        *HomePages(
            frame,
            house.store,
            house.games,
            house.own_games,
            first_games,
            house.challenges,
            elsewhere=lambda: house.process_bus.live,
            daily=house.puzzles.daily,
            search=house.search,
        ).routes(),
        *games.invitation_routes(frame, house.games),
        *notes.routes(),
    ]


async def _welcome(house: House, request: Request, name: str, address: str) -> tuple[Person, str]:
    return await house.accounts.welcome(name, address, browser_of(request))


def _note_address(house: House, person: Person, address: str) -> None:
    if person.has_account:
        house.linked_accounts.note(person.id, address)
        house.online.note(person.id)


async def _recheck_all(house: House, sockets: OpenSockets[Person]) -> None:
    house.subscribers.recheck(house.subscribers.people())
    await house.purge_deleted()
    await sockets.recheck()


def status_of(error: TrineError) -> tuple[int, Mapping[str, str]]:
    if isinstance(error, HeldError):
        return processes.elsewhere(error)
    if isinstance(error, PaceError | DailyQuotaError):
        return 429, {"retry-after": str(error.seconds)}
    if is_momentary(error):
        return 503, {"retry-after": "5"}
    return 404 if isinstance(error, NotFoundError) else 400, {}


async def keep_figures_of(house: House, metrics: Metrics) -> None:
    """Store this process's metrics for the status report."""
    mail = house.emails.mail
    data = {
        "at": house.now(),
        "since": metrics.since,
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0,
        "figures": metrics.values(),
        "longest": asdict(metrics.longest),
        "disk": house.disk,
        "online": sorted(house.online.here()),
        "went": house.pruning.went,
        "emails": mail and {"sent": mail.sent, "failed": mail.failed, "why": mail.why},
        "faults": {"count": house.faults.count, "last": list(house.faults.last)},
    }
    await house.store.commit(keep_figures, house.lease.home, data)


def measure_house(metrics: Metrics, house: House) -> None:
    games, bots, store = house.games, house.bots, house.store
    metrics.add_gauge("games", "Games in memory", lambda: len(games.actors))
    metrics.add_gauge("deadlines", "Games of which something is due", lambda: len(games.timers))
    metrics.add_gauge("bots_waiting", "Thoughts that wait for a worker", lambda: bots.waiting)
    metrics.add_gauge("bots_died", "Workers that have died", lambda: bots.died)
    metrics.add_gauge(
        "writes_waiting", "Writes that wait for a commit", lambda: store.writer.waiting
    )
    metrics.add_gauge("commits", "Commits so far", lambda: store.writer.commits)
    description = "Unexpected errors of the writer, after which it continued"
    metrics.add_gauge("writer_failures", description, lambda: store.writer.failures)
    description = "Times that the process was stopped for longer than its lease"
    metrics.add_gauge("lapses", description, lambda: house.lease.lapses)
