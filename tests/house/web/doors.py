"""All doors of a house: what each route and each message is tried with, and a house to try it in.

Blanks of paths and forms, such as ``{game}``, are the ids of what belongs to Anna, or of people.
"""

import json
import re
import secrets
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, get_args
from urllib.parse import urlencode

from sqlalchemy import Connection, select
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute

import trine.house.analysis.messages as of_analyses
import trine.house.games.view.messages as of_games
from house.houses import PASSWORD, asked, first_turn, seated
from house.web.test_stillness import Browser
from trine.core.contract.record import format_record
from trine.engine.puzzles.puzzle import shipped
from trine.house.analysis.tables import studies_of
from trine.house.app import House
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.commands import resign, turn
from trine.house.lobby.tables import CHALLENGE
from trine.house.moderation.tables import REPORT
from trine.house.people.account_page import MARK
from trine.house.people.sanctions import SANCTION
from trine.house.people.tables import ADMIN_ROLE, Person, set_role
from trine.house.puzzles.moments import SentMoment, keep_moment
from trine.house.store.schema import METADATA
from trine.house.tournaments.tables import TOURNAMENT
from trine.house.web import socket as page_socket
from trine.house.web.socket import ListeningSocket, PageSocket

READ: Final = {
    "/static/{stamp}/{name:path}": "/static/x/page/page.js",
    "/language/{code}": "/language/fr?back=//evil.example",
    "/player/{name}": "/player/{owner}",
    "/player/{name}/results": "/player/{owner}/results",
    "/letters/confirm/{token}": "/letters/confirm/{token}",
    "/letters/stop/{token}": "/letters/stop/{token}",
    "/letters/reset/{token}": "/letters/reset/{token}",
    "/game/{id}": "/game/{game}?invite={token}&turn=1",
    "/game/{id}/record": "/game/{game}/record?download",
    "/game/{id}/picture.svg": "/game/{game}/picture.svg?turn=1&seat=1",
    "/game/{id}/picture.png": "/game/{game}/picture.png",
    "/game/{id}/turn/{turns:int}": "/game/{game}/turn/1?actions=1",
    "/game/{id}/arrangements": "/game/{game}/arrangements?kept=x",
    "/game/{id}/board/{digest}": "/game/{game}/board/x",
    "/game/{id}/review": "/game/{over}/review",
    "/game/{id}/moments": "/game/{over}/moments",
    "/game/{id}/moments/{number:int}": "/game/{over}/moments/1",
    "/game/{id}/moments/{number:int}/solution": "/game/{over}/moments/1/solution",
    "/game/{id}/moments/{number:int}/picture.svg": "/game/{over}/moments/1/picture.svg",
    "/game/{id}/moments/{number:int}/board/{digest}": "/game/{over}/moments/1/board/x",
    "/moment/{id}": "/moment/{moment}",
    "/moment/{id}/picture.png": "/moment/{moment}/picture.png",
    "/moment/{id}/picture.svg": "/moment/{moment}/picture.svg",
    "/moment/{id}/solution": "/moment/{moment}/solution",
    "/moment/{id}/board/{digest}": "/moment/{moment}/board/x",
    "/first/{name}": "/first/corridor",
    "/first/{name}/board/{digest}": "/first/corridor/board/x",
    "/join/{token}": "/join/{token}",
    "/next": "/next?but={game}",
    "/new": "/new?game=corridor&with=friend&position=x",
    "/new/start.svg": "/new/start.svg?game=corridor&Size=19",
    "/new/{digest}/{game}/{rules}.svg": "/new/x/corridor/quoridor.svg",
    "/lobby": "/lobby?show=corridor",
    "/challenge/{name}": "/challenge/{owner}",
    "/search": "/search?name=a",
    "/search/games": "/search/games?player={owner}&kind=casual",
    "/games": "/games?person={person}",
    "/analysis/{id}": "/analysis/{study}",
    "/analysis/{id}/record": "/analysis/{study}/record?node=1",
    "/analysis/{id}/picture.svg": "/analysis/{study}/picture.svg?node=1",
    "/analysis/{id}/arrangements": "/analysis/{study}/arrangements?node=0",
    "/analysis/{id}/board/{digest}": "/analysis/{study}/board/x",
    "/learn/{game}": "/learn/corridor",
    "/learn/{game}/ladder": "/learn/corridor/ladder",
    "/learn/{game}/{rules}": "/learn/corridor/quoridor",
    "/learn/{game}/{rules}/board/{digest}": "/learn/corridor/quoridor/board/x",
    "/learn/{game}/{rules}/{lesson}": "/learn/corridor/quoridor/x",
    "/learn/{game}/{rules}/{lesson}/picture.svg": "/learn/corridor/quoridor/x/picture.svg",
    "/about/{game}": "/about/corridor",
    "/diagram": "/diagram?game=corridor&position=x",
    "/rules/{game}/{rules}": "/rules/corridor/quoridor",
    "/rules/{game}/{rules}/{number:int}/picture.svg": "/rules/corridor/quoridor/1/picture.svg",
    "/puzzles/{game}/next": "/puzzles/corridor/next",
    "/puzzles/{game}/{name}": "/puzzles/corridor/x",
    "/puzzles/{game}/{name}/solution": "/puzzles/corridor/x/solution",
    "/puzzles/{game}/{name}/picture.svg": "/puzzles/corridor/x/picture.svg",
    "/puzzles/{game}/{name}/board/{digest}": "/puzzles/corridor/x/board/x",
    "/tournament/{id}": "/tournament/{tournament}",
    "/player/{name}/report": "/player/{owner}/report",
    "/game/{game}/report/{seat:int}": "/game/{game}/report/0",
    "/lobby/{seek}/report/{seat:int}": "/lobby/{seek}/report/0",
    "/api/people": "/api/people?name=a",
    "/api/games": "/api/games?player={owner}",
    "/api/games/{id}": "/api/games/{game}",
    "/api/tournaments/{id}": "/api/tournaments/{tournament}",
    **{
        path: path
        for path in (
            *("/worker.js", "/news/worker.js", "/manifest.webmanifest", "/offline", "/account"),
            *("/account/second", "/account/export", "/account/forgot", "/account/programs"),
            *("/leaders", "/", "/people", "/statistics", "/computers", "/analysis", "/learn"),
            *("/rules", "/solved", "/puzzles", "/tournaments", "/tournaments/new", "/moderation"),
            *("/house", "/moderation/ratings", "/api/account", "/api/events", "/api/bots"),
            *("/api/tournaments", "/api/challenges", "/api/openapi.json", "/healthz"),
            *("/healthz/live", "/metrics"),
        )
    },
}
"""The address at which each route is read."""
_SECRET: Final = {"password": "wrong", "code": "123456", "secret": "x" * 43, "ticket": "x" * 43}
_TRY: Final = {"a": ["e2"], "submit": True, "picks": [], "spot": "e1"}
_TURN: Final = {"t": "turn", "id": "1", "at": 1, "a": ["e2"]}
_OF_TOURNAMENT: Final = {"entry": "{person}", "who": "{person}", "bot": "bot:3"}
WRITE: Final[Mapping[str, Mapping[str, Any]]] = {
    "/account/passkey/begin": {"for": "add", **_SECRET},
    "/account/passkey/finish": {"answer": "{}", **_SECRET},
    "/account/unpasskey": {"passkey": "x"},
    "/account/second": _SECRET,
    "/account/unsecond": _SECRET,
    "/account/code": _SECRET,
    "/account/email": {"email": "a@example.org", **_SECRET},
    "/account/notices": {"notices": "yes"},
    "/account/forget": _SECRET,
    "/account/devices/on": {"endpoint": "https://evil.example/", "key": "x", "secret": "x"},
    "/account/devices/off": {"device": "1"},
    "/block": {"person": "{person}", "on": "yes"},
    "/follow": {"name": "{owner}", "on": "yes"},
    "/account/register": {"name": "{owner}", "password": PASSWORD},
    "/account/login": {"name": "{owner}", **_SECRET},
    "/account/logout": {"by": "{person}"},
    "/account/name": {"name": "{owner}", "by": "{person}"},
    "/account/password": {"now": "wrong", "password": PASSWORD, "by": "{person}"},
    "/account/end": {"session": "{session}", "by": "{person}"},
    "/account/seen": {"mine": "no", "by": "{person}"},
    "/account/delete": {"password": "wrong", "by": "{person}"},
    "/account/forgot": {"name": "{owner}"},
    "/letters/confirm/{token}": {},
    "/letters/stop/{token}": {},
    "/letters/reset/{token}": {"password": PASSWORD},
    "/first/{name}": {"game": "{game}"},
    "/name": {"name": "{owner}"},
    "/join/{token}": {"name": "{owner}"},
    "/game/{id}/notes": {"words": "a note", "turn": "1"},
    "/game/{id}/notes/{number:int}": {"what": "delete", "why": "other"},
    "/new": {"game": "corridor", "with": "friend", "idempotency-key": "{seek}", "name": "Zed"},
    "/lobby": {"seek": "{seek}", "game": "corridor", "clock": "5+5", "name": "Zed"},
    "/lobby/{id}/withdraw": {},
    "/lobby/{id}/take": {},
    "/challenge/{name}": {"game": "corridor", "clock": "5+5"},
    "/challenges/{id}/accept": {},
    "/challenges/{id}/refuse": {},
    "/analysis": {"of": "{game}", "turn": "1", "from": "text", "text": "x"},
    "/analysis/{id}/copy": {},
    "/analysis/{id}/delete": {},
    "/learn/{game}/{rules}/{lesson}/try": _TRY,
    "/rules/{game}/{rules}/{number:int}/try": _TRY,
    "/puzzles/{game}/{name}/try": _TRY,
    "/game/{id}/moments/{number:int}/try": _TRY,
    "/game/{id}/moments/send": {"number": "1"},
    "/moment/{id}/try": _TRY,
    "/moment/{id}/delete": {},
    "/tournaments": {"game": "corridor", "name": "{owner}", "clock": "3+2", "format": "swiss"},
    **{
        f"/tournament/{{id}}/{act}": _OF_TOURNAMENT
        for act in ("join", "leave", "remove", "substitute", "bot", "begin", "cancel")
    },
    "/player/{name}/report": {"why": "other", "words": "x"},
    "/game/{game}/report/{seat:int}": {"why": "other", "words": "x"},
    "/lobby/{seek}/report/{seat:int}": {"why": "other", "words": "x"},
    "/moderation/report/{id}": {"what": "ban", "term": "ever"},
    "/moderation/act": {"what": "ban", "name": "{owner}", "term": "ever", "why": "x"},
    "/moderation/sanction/{id}/lift": {},
    "/moderation/password": {"name": "{owner}", "lost": "yes"},
    "/moderation/ratings/annul": {"what": "all", "person": "{person}", "other": "{friend}"},
    "/moderation/ratings/allow": {"game": "{over}"},
    "/account/programs": {"name": "mine", "read": "yes", "play": "yes"},
    "/account/programs/revoke": {"token": "{mark}"},
    "/account/programs/bot": {"by": "{person}"},
    "/api/games/{id}": _TURN,
    "/api/tournaments/{id}": {"what": "join", "entry": "1"},
    "/api/challenges": {"to": "{owner}", "game": "corridor", "clock": "5+5"},
    "/api/challenges/{id}": {"what": "accept"},
}
"""The fields that are sent to each route."""
SOCKETS: Final[Mapping[str, Mapping[str, Mapping[str, Any]]]] = {
    "/game/{id}/socket": {
        "turn": {"at": 1, "a": ["e2"]},
        "draft": {"at": 1, "a": ["e2"]},
        "if": {"at": 1, "line": [["e2"]]},
        "ahead": {"at": 1, "path": [], "a": ["e2"]},
        "offer": {"at": 1, "what": "takeback"},
        "answer": {"what": "takeback", "yes": True},
        "do": {"what": "resign"},
        "why": {"a": [], "picks": ["e9"]},
        "reach": {"at": 1, "a": [], "spot": "e1"},
        "hint": {},
        "say": {"room": "players", "words": "hello"},
        "mind": {"number": 1, "what": "report", "why": "other"},
        "look": {"seat": 0, "insight": True},
        "pong": {"n": 1},
    },
    "/analysis/{id}/socket": {
        "go": {"node": 1},
        "act": {"node": 0, "a": ["e2"]},
        "why": {"picks": ["e9"]},
        "reach": {"at": 0, "a": [], "spot": "e1"},
        "look": {"seat": 1, "insight": True},
        "note": {"node": 1, "words": "mine"},
        "change": {"node": 1, "what": "remove"},
        "think": {"on": False},
        "explore": {"on": True},
        "review": {},
        "edit": {"what": "begin"},
        "put": {"to": "e5", "part": "", "origin": ""},
        "set": {"name": "mover", "value": "1"},
        "pong": {"n": 1},
    },
    "/lobby/socket": {"pong": {"n": 1}},
    "/tournament/{id}/socket": {"pong": {"n": 1}},
}
"""The messages that are sent to each socket, by their kinds."""
READERS: Final = {"/game/{id}/socket": of_games, "/analysis/{id}/socket": of_analyses}
"""The modules that read the messages of sockets; the others read what each page sends."""
VARIABLE: Final = ("figures", "home", "session", "used_from", "due", "pause", "seek")
"""Tables that the house writes by itself, or later."""


def kinds_of(socket: str) -> set[str]:
    """The kinds of messages that a socket reads, from the code."""
    kinds = vars(READERS.get(socket, page_socket))["_DECODER"].type
    return {one.__struct_config__.tag for one in get_args(kinds) or (kinds,)}


def reading_sockets() -> set[type]:
    """The classes of sockets that read more than each page sends."""
    of_house = (one for one in PageSocket.__subclasses__() if one.__module__.startswith("trine."))
    return {one for one in of_house if "read" in vars(one)} - {ListeningSocket}


def doors_of(app: Starlette) -> Iterator[tuple[str, str]]:
    for route in app.router.routes:
        if isinstance(route, WebSocketRoute):
            yield "socket", route.path
        else:
            yield from ((method, route.path) for method in route.methods - {"HEAD"})  # type: ignore[attr-defined]


@dataclass
class World:
    """A house with something of every kind, which is Anna's."""

    house: House
    app: Any
    blanks: dict[str, str] = field(default_factory=dict)
    people: dict[str, Person] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    hidden: Collection[bytes] = (b"canary",)
    """What only Anna and Béla may read."""

    async def account(self, name: str) -> Browser:
        person, token = await self.house.accounts.register(None, name, PASSWORD)
        self.people[name], self.tokens[name] = person, token
        return Browser(self.app, token)

    async def open_seat(self) -> None:
        """Offer an open seat of Anna's in the lobby."""
        self.blanks["seek"] = secrets.token_hex(6)
        form = {"seek": self.blanks["seek"], "game": "corridor", "clock": "5+5"}
        anna = Browser(self.app, self.tokens["Anna"])
        status, body = await anna.ask("/lobby", urlencode(form).encode())
        assert status == 303, body

    def filled(self, path: str, form: Mapping[str, Any] | None = None) -> str:
        """The address of a route, with ids of Anna's."""
        if form is None:
            return fill(READ[path], self.blanks)
        kind = path.split("/")[1]
        names = {"game": "game", "analysis": "study", "lobby": "seek", "challenges": "challenge"}
        ids = {
            "{id}": self.blanks.get(names.get(kind, kind), ""),
            "/tournament/{id}": f"/tournament/{self.blanks['tournament']}",
            "/moderation/report/{id}": f"/moderation/report/{self.blanks['report']}",
            "/moderation/sanction/{id}": f"/moderation/sanction/{self.blanks['sanction']}",
            "/api/games/{id}": f"/api/games/{self.blanks['game']}",
            "/api/challenges/{id}": f"/api/challenges/{self.blanks['challenge']}",
            "/api/tournaments/{id}": f"/api/tournaments/{self.blanks['tournament']}",
            "{number:int}": "1",
            "{seat:int}": "0",
            "/first/{name}": "/first/corridor",
            "/puzzles/{game}/{name}": "/puzzles/corridor/x",
            "/game/{game}": f"/game/{self.blanks['game']}",
            "{game}": "corridor",
            "{rules}": "quoridor",
            "{lesson}": "x",
            "{seek}": self.blanks["seek"],
            "{name}": "Anna",
            "{token}": self.blanks["token"],
        }
        for blank in sorted(ids, key=lambda one: -len(one)):
            path = path.replace(blank, ids[blank])
        return path

    def kept(self, connection: Connection) -> dict[str, Counter[str]]:
        """All rows that people have made, and the open seat of Anna's."""
        seek = self.house.lobby.seek(self.blanks["seek"])
        return {"open seat": Counter([repr(seek and [one.name for one in seek.players])])} | {
            name: Counter(repr(tuple(row)) for row in connection.execute(select(table)))
            for name, table in METADATA.tables.items()
            if name not in VARIABLE
        }


def fill(words: str, blanks: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: blanks.get(found[1], found[0]), words)


async def furnish(house: House, app: Any) -> World:
    """Make something of every kind, for Anna and her friend Béla."""
    world = World(house, app)
    anna, bela = await world.account("Anna"), await world.account("Bela")
    for name in ("Clara", "Eve", "Muted", "Banned"):
        await world.account(name)
    own, friend = world.people["Anna"], world.people["Bela"]
    await house.store.commit(set_role, world.people["Clara"].id, ADMIN_ROLE)
    games = []
    for _ in range(2):
        host = await seated(house, Agreement.make("corridor", clock="30+30"), own, friend)
        games.append(host.id)
        await host.do(turn, asked(own), first_turn(host.game.running().play))
        await host.do(turn, asked(friend), first_turn(host.game.running().play))
    await host.do(resign, asked(friend))
    world.blanks = {"game": games[0], "over": games[1], "owner": "Anna", "friend": friend.id}
    world.blanks |= {"person": own.id, "token": "x" * 43, "session": "x"}
    async with anna.at(f"/game/{games[0]}/socket") as socket:
        await socket.ask({"t": "say", "room": "players", "words": "canary"})

    async def post(who: Browser, path: str, **form: str) -> None:
        status, body = await who.ask(path, json_or_form(path, form))
        assert status in (200, 303), (path, status, body)

    await post(anna, "/analysis", of=games[1])
    await world.open_seat()
    await post(anna, "/challenge/Bela", game="corridor", clock="5+5")
    await post(anna, "/tournaments", game="corridor", name="Cup", clock="3+2", format="swiss")
    await post(anna, f"/game/{games[1]}/notes", words="a note", turn="1")
    await post(bela, "/player/Anna/report", why="other", words="canary")
    await post(anna, "/follow", name="Bela", on="yes")
    await house.tokens.create(own, "canary", ["read"])
    puzzle = shipped("corridor")[0]
    moment = SentMoment("m", games[1], own.id, puzzle.name, format_record(puzzle.record), 0.0)
    world.blanks["moment"] = await house.store.commit(keep_moment, moment, 1)
    (study,) = await house.store.fetch(studies_of, own.id)
    admin = world.people["Clara"]
    await house.moderation.sanction(admin, world.people["Muted"].id, "mute", "ever", "canary")
    await house.moderation.sanction(admin, world.people["Banned"].id, "ban", "ever", "canary")
    world.blanks["study"] = study.id

    def ids(connection: Connection) -> dict[str, str]:
        tables = {"challenge": CHALLENGE, "report": REPORT, "sanction": SANCTION}
        tables["tournament"] = TOURNAMENT
        return {
            name: connection.execute(select(table.c.id)).scalars().first() or ""
            for name, table in tables.items()
        }

    world.blanks |= await house.store.fetch(ids)
    (token,) = await house.tokens.of(own)
    world.blanks["mark"] = token.hash[:MARK]
    return world


def json_or_form(path: str, fields: Mapping[str, Any]) -> bytes:
    if path.startswith("/api/") or path.endswith("/try"):
        return json.dumps(fields).encode()
    return urlencode(fields).encode()
