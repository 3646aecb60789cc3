"""The visitors of `benchmarks/soak.py`, and their actions in a house."""

import asyncio
import collections
import contextlib
import itertools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.parse import urlencode, urlsplit

import msgspec

from crowd import Line, a_turn
from trine.core.clock import MINUTE
from trine.house.app import House
from trine.house.games.live.game_actor import GameActor
from trine.house.store.secrets import new_id

PASSWORD = "four quiet rabbits"
ROOMS = ("arimaa", "corridor", "tzaar")
RULES = {"arimaa": ("official",), "corridor": ("quoridor", "great-wall"), "tzaar": ("official",)}
CLOCKS = ("1+1", "3+2", "5+5", "10s/1m/100/3m")
DAYS = ("1d", "3d")
MAX_TURNS_RANGE = (6, 24)
"""A player gives up after a random number of turns in this range."""


@dataclass
class Day:
    """The events of a day, counted."""

    address: str
    house: House
    rng: Random
    counts: collections.Counter[str] = field(default_factory=collections.Counter)
    accounts: dict[str, str] = field(default_factory=dict)
    """The cookies of accounts, by name."""
    here: set[str] = field(default_factory=set)
    """The names of present account holders, each at most once."""
    numbers: Any = field(default_factory=itertools.count)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share


class Visitor:
    """A person with a browser."""

    def __init__(self, day: Day, name: str = "", cookie: str = "") -> None:
        number = next(day.numbers)
        self.day, self.name, self.cookie = day, name, cookie
        self.from_ = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        self.lines: set[Line] = set()

    # --- pages and sockets ------------------------------------------------------------------------

    @property
    def headers(self) -> dict[str, str]:
        return {"Cookie": self.cookie, "X-Forwarded-For": self.from_, "Accept-Encoding": "gzip"}

    async def ask(self, path: str, form: dict[str, str] | None = None) -> str:
        """Request a page, or send a form; return the redirect target, or an empty string."""
        day, there = self.day, urlsplit(self.day.address)
        body = urlencode(form).encode() if form is not None else b""
        given = {
            "Host": there.netloc,
            "Origin": day.address.rstrip("/"),
            "Connection": "close",
            **self.headers,
        }
        if form is not None:
            given |= {
                "Content-Type": "application/x-www-form-urlencoded",
                "Content-Length": str(len(body)),
            }
        head = "".join(f"{name}: {value}\r\n" for name, value in given.items())
        method = "GET" if form is None else "POST"
        reader, writer = await asyncio.open_connection(there.hostname, there.port)
        try:
            writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body)
            answer = await reader.read()
        finally:
            writer.close()
        head_lines = answer.partition(b"\r\n\r\n")[0].decode().split("\r\n")
        status = int(head_lines[0].split()[1])
        found = {k.lower(): v for k, _, v in (line.partition(": ") for line in head_lines[1:])}
        day.counts["pages"] += 1
        day.counts[f"pages answered by {status}"] += 1
        if status >= 500:
            raise AssertionError(f"{method} {path}: {head_lines[0]}")
        if (cookie := found.get("set-cookie", "")).startswith("trine="):
            self.cookie = cookie.split(";")[0]
        return found.get("location", "") if status < 400 else ""

    async def open(
        self, path: str, on_message: Callable[[bytes], None] = lambda content: None
    ) -> Line:
        """Open the socket of a page."""

        def received(line: Line, content: bytes, packed: bool) -> None:
            on_message(b"" if packed else content)

        line = await Line.at(self.day.address, path, received, self.headers)
        self.lines.add(line)
        self.day.counts["sockets"] += 1
        return line

    def close(self, line: Line) -> None:
        """Close a page: properly, or as a lost connection does."""
        self.lines.discard(line)
        if not line.lost.done():
            if self.day.chance(0.8):
                line.send_close()
            line.hang_up()

    async def think(self, seconds: float) -> None:
        """Wait for about ``seconds``, at random."""
        await asyncio.sleep(min(self.day.rng.expovariate(1 / seconds), 6 * seconds))

    async def leave(self) -> None:
        for line in list(self.lines):
            self.close(line)

    # --- what people do ---------------------------------------------------------------------------

    async def visit(self) -> None:
        """Do one or two random things, and perhaps log out."""
        day = self.day
        await self.ask("/")
        await self.think(5)
        ways: dict[Callable[[], Awaitable[None]], float] = {
            self.seek: 50,
            self.meet_a_bot: 14,
            self.watch: 12,
            self.go_on_by_days: 10,
            self.read: 8,
            self.analyse: 4,
        }
        if self.name:
            ways |= {self.play_a_tournament: 8, self.change: 3}
        else:
            ways |= {self.register: 12}
        for _ in range(1 + day.chance(0.4)):
            (way,) = day.rng.choices(list(ways), list(ways.values()))
            day.counts[way.__name__.replace("_", " ")] += 1
            await way()
        if self.name and day.chance(0.3):
            await self.ask("/account/logout", {})
            self.cookie = ""
            if day.chance(0.5):
                await self.ask("/account/login", {"name": self.name, "password": PASSWORD})

    async def register(self) -> None:
        name = f"{self.day.rng.choice(('Anna', 'Cili', 'Emma', 'Flora'))} {self._letters()}"
        if await self.ask("/account/register", {"name": name, "password": PASSWORD}):
            self.name = name
            await self.seek()

    def _letters(self) -> str:
        number, letters = next(self.day.numbers), ""
        while number:
            number, rest = divmod(number, 20)
            letters += "bcdfghjkmnpqrstvwxyz"[rest]
        return letters.title() or "B"

    async def read(self) -> None:
        """Read some pages."""
        paths = ["/learn", "/lobby", "/tournaments", "/account", "/analysis", "/new"]
        paths += [f"/rules/{game}/{rules}" for game in ROOMS for rules in RULES[game]]
        paths += [f"/player/{name.replace(' ', '%20')}" for name in list(self.day.accounts)[:3]]
        paths += [f"/game/{host.id}/record" for host in self.day.house.games.actors[:3]]
        paths += [f"/game/{host.id}/picture.svg" for host in self.day.house.games.actors[:3]]
        for path in self.day.rng.sample(paths, 4):
            await self.ask(path)
            await self.think(20)

    async def analyse(self) -> None:
        game = self.day.rng.choice(ROOMS)
        path = await self.ask("/analysis", {"from": "start", "game": game})
        if path:
            await self.ask(path)
            line = await self.open(f"{path}/socket")
            await self.think(60)
            self.close(line)
        if path and self.day.chance(0.3):
            await self.ask(f"{path}/delete", {})

    async def change(self) -> None:
        """Export or delete the account."""
        await self.ask("/account")
        if self.day.chance(0.2):
            await self.ask("/account/delete", {"password": PASSWORD})
            self.cookie = self.name = ""
        else:
            await self.ask("/account/export")

    def _wishes(self) -> dict[str, str]:
        rng = self.day.rng
        game = rng.choice(ROOMS)
        wishes = {"game": game, "rules": rng.choice(RULES[game])}
        wishes["clock"] = rng.choice(DAYS if self.day.chance(0.15) else CLOCKS)
        if game == "corridor" and wishes["rules"] == "quoridor" and self.day.chance(0.15):
            wishes["Players"] = "4"
        if self.name and self.day.chance(0.5):
            wishes["rated"] = "on"
        return wishes

    async def seek(self) -> None:
        """Take an open seat, or open one, and play if an opponent comes."""
        await self.ask("/lobby")
        led = asyncio.get_running_loop().create_future()

        def on_message(content: bytes) -> None:
            if content.startswith(b'{"t":"go"') and not led.done():
                led.set_result(msgspec.json.decode(content)["game"])

        line = await self.open("/lobby/socket", on_message)
        seeks, there = self.day.house.lobby.view.seeks, ""
        if seeks and self.day.chance(0.75):
            there = await self.ask(f"/lobby/{self.day.rng.choice(seeks).id}/take", {})
        else:
            await self.ask("/lobby", {"seek": new_id(), **self._wishes()})
        game = there.removeprefix("/game/") if there.startswith("/game/") else ""
        if not game:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(4 * MINUTE):
                    game = await led
        self.close(line)
        if game:
            await self.play(game)

    async def meet_a_bot(self) -> None:
        game = self.day.rng.choice(ROOMS)
        form = {"game": game, "with": self.day.rng.choice(("bot:1", "bot:2")), "clock": "5+5"}
        if there := await self.ask("/new", form):
            await self.play(there.removeprefix("/game/").partition("?")[0])

    async def go_on_by_days(self) -> None:
        """Play a turn in correspondence games that wait for one."""
        for _ in range(4):
            there = await self.ask("/next")
            if not there.startswith("/game/"):
                return
            await self.play(there.removeprefix("/game/"), most=1)

    async def watch(self) -> None:
        """Watch a game for a while, and chat."""
        shown = [host for host in self.day.house.games.actors if host.snapshot.agreement.listed]
        if not shown:
            return
        path = f"/game/{self.day.rng.choice(shown).id}"
        await self.ask(path)
        line = await self.open(f"{path}/socket")
        await self.think(20)
        self._chat(line, "watchers")
        await self.think(3 * MINUTE)
        self.close(line)

    def _chat(self, line: Line, room: str) -> None:
        said = {"t": "say", "id": new_id(), "room": room}
        words = {"words": "what a turn"} if self.name else {"preset": "nice"}
        line.send(msgspec.json.encode(said | words))
        self.day.counts["lines of chat"] += 1

    async def play_a_tournament(self) -> None:
        """Join an open tournament, or announce one, and play its games."""
        day = self.day
        await self.ask("/tournaments")
        lists = await day.house.tournaments.lists(None)
        going = [row.id for row, _ in (*lists["open"], *lists["running"])]
        if not going or (day.chance(0.2) and len(going) < 3):
            form = {"game": day.rng.choice(ROOMS), "name": f"Cup {new_id()[:4]}", "clock": "1+1"}
            form["format"] = day.rng.choice(("arena", "swiss", "roundrobin", "knockout"))
            form |= {"minutes": "10", "rounds": "3", "starts": "5", "listed": "on"}
            path = await self.ask("/tournaments", form)
            day.counts["tournaments"] += bool(path)
            if path and day.chance(0.5):
                await self.ask(f"{path}/bot", {"bot": "bot:1"})
        else:
            path = f"/tournament/{day.rng.choice(going)}"
        if not path:
            return
        await self.ask(f"{path}/join", {})
        games = asyncio.Queue[str]()

        def on_message(content: bytes) -> None:
            if content.startswith(b'{"t":"go"'):
                games.put_nowait(msgspec.json.decode(content)["game"])

        for _ in range(4):
            line = await self.open(f"{path}/socket", on_message)
            try:
                async with asyncio.timeout(8 * MINUTE):
                    game = await games.get()
            except TimeoutError:
                return
            finally:
                self.close(line)
            await self.play(game, most=5)

    # --- a game -----------------------------------------------------------------------------------

    async def play(self, game: str, most: int = 0) -> None:
        """Play until the game is over, the visitor gives up, or the connection is lost."""
        day = self.day
        await self.ask(f"/game/{game}")
        news = asyncio.Event()
        line = await self.open(f"/game/{game}/socket", lambda content: news.set())
        person = await day.house.accounts.person_of(self.cookie.removeprefix("trine="))
        left = most or day.rng.randint(*MAX_TURNS_RANGE)
        day.counts["seats played"] += 1
        try:
            while not line.lost.done():
                if not day.house.games.has_loaded(game):
                    break
                host = await day.house.games.actor(game)
                if host.snapshot.over or not host.snapshot.state:
                    if host.snapshot.over and self.name and day.chance(0.3):
                        self._chat(line, "players")
                    break
                if host.snapshot.state.play.mover in host.snapshot.seats_of(
                    person.id if person else None
                ):
                    if left <= 0:
                        await self._give_up(line, host)
                        break
                    await self.think(8)
                    if self._turn(line, host):
                        left -= 1
                elif host.agreement.by_days:
                    break
                if day.chance(0.01):  # a page that is closed during a game
                    day.counts["pages closed in a game"] += 1
                    break
                news.clear()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(MINUTE):
                        either: set[asyncio.Future[Any]] = {
                            asyncio.ensure_future(news.wait()),
                            line.lost,
                        }
                        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
                del host
        finally:
            news.set()
            self.close(line)

    async def _give_up(self, line: Line, host: GameActor) -> None:
        """Resign and perhaps offer a rematch, or let the clock run."""
        if host.agreement.by_days or self.day.chance(0.1):
            return
        line.send(msgspec.json.encode({"t": "do", "id": new_id(), "what": "resign"}))
        await self.think(3)
        if self.day.chance(0.1):
            line.send(msgspec.json.encode({"t": "do", "id": new_id(), "what": "rematch"}))
            await self.think(10)

    def _turn(self, line: Line, host: GameActor) -> bool:
        snapshot = host.snapshot
        state = snapshot.state
        if snapshot.over or not state or state.play.outcome or state.paused is not None:
            return False
        ids = a_turn(state.play.copy(), self.day.rng)
        about = {"id": new_id(), "at": snapshot.seq}
        if self.day.chance(0.3):
            draft = {"t": "draft", **about, "id": new_id(), "a": ids[:1]}
            line.send(msgspec.json.encode(draft))
        if self.day.chance(0.05):
            line.send(msgspec.json.encode({"t": "offer", **about, "id": new_id(), "what": "draw"}))
        line.send(msgspec.json.encode({"t": "turn", **about, "a": ids}))
        self.day.counts["turns sent"] += 1
        return True
