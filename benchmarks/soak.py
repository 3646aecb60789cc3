"""A day of people who come and go, in minutes, and the memory of the house meanwhile.

    .venv/bin/python benchmarks/soak.py [--hours 24] [--visits 120] [--bots] [--types 20]

The house is served as always, by the same server and over loopback; its time is simulated
(`simulated.py`), so a day takes as long as its work does. Guests and accounts come, so many an
hour; they read pages, open and take seats in the lobby, play all games on clocks and by
correspondence, chat, watch, play tournaments, meet bots, analyse, log out and in. One in five
closes a page without a word, many leave games to their clocks. With ``--bots`` the true ones think,
in a process of their own; otherwise they play their first actions at once.

Before the day many positions are shown, since what is kept of pictures grows for half a day
otherwise. The visitors sit in the same process, so what they hold counts, too; it is little, and
stays the same. Memory is looked at each quarter of an hour; ``--types`` tells of which types there
were more in the end than after a third. A house that grows is an error. Ctrl-C ends it early, with
the figures so far.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import contextlib
import gc
import itertools
import os
import signal
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock
from urllib.parse import urlencode, urlsplit

import msgspec

from trine.house.tables import SCHEMA

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parent.parent / "tests"))

from crowd import Line, Progress, memory_of
from simulated import simulated
from trine.core.clock import HOUR, MINUTE
from trine.core.play import Play
from trine.core.scene.keys import FIRST_KEYS, carry_keys
from trine.core.scene.scene import plain
from trine.core.text.language import open_language
from trine.games import open_room
from trine.house import server
from trine.house.analysis.analysis_bots import AnalysisBots
from trine.house.app import House
from trine.house.games.host import Host
from trine.house.log import log_plainly
from trine.house.server import Serving
from trine.store.secrets import new_id
from trine.store.store import Store

LOOKS = 15 * MINUTE
"""Units: seconds between two looks at the memory."""
SETTLED = 1 / 4
"""The share of the time after which all caches are as full as they will be."""
MOST_GROWTH = 0.05
"""Of the second half of the settled time beside the first; with more the check fails."""
PASSWORD = "four quiet rabbits"
ROOMS = ("arimaa", "corridor", "tzaar")
RULES = {"arimaa": ("official",), "corridor": ("quoridor", "great-wall"), "tzaar": ("official",)}
CLOCKS = ("1+1", "3+2", "5+5", "10s/1m/100/3m")
DAYS = ("1d", "3d")
PLAYED = (6, 24)
"""Turns of a player, at the most, before the game is given up."""
SHOWN = 150
"""Plays of each game that are shown before the day, so that caches are full from its beginning."""
MOST_AT_ONCE = 60
"""Visitors at once; who comes then goes away again."""


@dataclass
class Day:
    """What happens on a day, counted."""

    address: str
    house: House
    rng: Random
    counts: collections.Counter[str] = field(default_factory=collections.Counter)
    accounts: dict[str, str] = field(default_factory=dict)
    """The cookies of people who have accounts, by their names; nobody is here twice."""
    here: set[str] = field(default_factory=set)
    numbers: Any = field(default_factory=itertools.count)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share


class Kept(House):
    """The house that the server opens."""

    last: House

    @classmethod
    async def open(cls, store: Store, **options: Any) -> Any:
        """Open it."""
        cls.last = await super().open(store, **options)
        return cls.last


class Visitor:
    """Somebody with a browser."""

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
        """Ask for a page, or send a form: where it leads, or the empty string."""
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
        told = answer.partition(b"\r\n\r\n")[0].decode().split("\r\n")
        status = int(told[0].split()[1])
        found = {k.lower(): v for k, _, v in (line.partition(": ") for line in told[1:])}
        day.counts["pages"] += 1
        day.counts[f"pages answered by {status}"] += 1
        if status >= 500:
            raise AssertionError(f"{method} {path}: {told[0]}")
        if (cookie := found.get("set-cookie", "")).startswith("trine="):
            self.cookie = cookie.split(";")[0]
        return found.get("location", "") if status < 400 else ""

    async def open(self, path: str, told: Callable[[bytes], None] = lambda content: None) -> Line:
        """Open the socket of a page."""

        def heard(line: Line, content: bytes, packed: bool) -> None:
            told(b"" if packed else content)

        line = await Line.at(self.day.address, path, heard, self.headers)
        self.lines.add(line)
        self.day.counts["sockets"] += 1
        return line

    def close(self, line: Line) -> None:
        """Close a page: properly, or as a train in a tunnel does."""
        self.lines.discard(line)
        if not line.lost.done():
            if self.day.chance(0.8):
                line.say_close()
            line.hang_up()

    async def think(self, seconds: float) -> None:
        """Let some time pass, about so much."""
        await asyncio.sleep(min(self.day.rng.expovariate(1 / seconds), 6 * seconds))

    async def leave(self) -> None:
        for line in list(self.lines):
            self.close(line)

    # --- what people do ---------------------------------------------------------------------------

    async def visit(self) -> None:
        """Come, do something or other, and go."""
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
        """Look about."""
        paths = ["/learn", "/lobby", "/tournaments", "/account", "/analysis", "/new"]
        paths += [f"/rules/{game}/{rules}" for game in ROOMS for rules in RULES[game]]
        paths += [f"/player/{name.replace(' ', '%20')}" for name in list(self.day.accounts)[:3]]
        paths += [f"/game/{host.id}/record" for host in self.day.house.games.hosts[:3]]
        paths += [f"/game/{host.id}/picture.svg" for host in self.day.house.games.hosts[:3]]
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
        """Change what the house knows of one."""
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
        """Take a seat that is open, or open one, and play if somebody comes."""
        await self.ask("/lobby")
        led = asyncio.get_running_loop().create_future()

        def told(content: bytes) -> None:
            if content.startswith(b'{"t":"go"') and not led.done():
                led.set_result(msgspec.json.decode(content)["game"])

        line = await self.open("/lobby/socket", told)
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
        """Play the games that wait for a turn."""
        for _ in range(4):
            there = await self.ask("/next")
            if not there.startswith("/game/"):
                return
            await self.play(there.removeprefix("/game/"), most=1)

    async def watch(self) -> None:
        """Look on for a while, and say something."""
        shown = [host for host in self.day.house.games.hosts if host.snapshot.agreement.listed]
        if not shown:
            return
        path = f"/game/{self.day.rng.choice(shown).id}"
        await self.ask(path)
        line = await self.open(f"{path}/socket")
        await self.think(20)
        self._say(line, "watchers")
        await self.think(3 * MINUTE)
        self.close(line)

    def _say(self, line: Line, room: str) -> None:
        said = {"t": "say", "id": new_id(), "room": room}
        words = {"words": "what a turn"} if self.name else {"preset": "nice"}
        line.say(msgspec.json.encode(said | words))
        self.day.counts["lines of chat"] += 1

    async def play_a_tournament(self) -> None:
        """Join one that is open, or announce one; play what it brings."""
        day = self.day
        await self.ask("/tournaments")
        lists = await day.house.tournaments.lists(None)
        going = [one.row.id for one in (*lists["open"], *lists["running"])]
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

        def told(content: bytes) -> None:
            if content.startswith(b'{"t":"go"'):
                games.put_nowait(msgspec.json.decode(content)["game"])

        for _ in range(4):
            line = await self.open(f"{path}/socket", told)
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
        """Play until it is over, or one has had enough, or is cut off."""
        day = self.day
        await self.ask(f"/game/{game}")
        news = asyncio.Event()
        line = await self.open(f"/game/{game}/socket", lambda content: news.set())
        person = await day.house.accounts.person_of(self.cookie.removeprefix("trine="))
        left = most or day.rng.randint(*PLAYED)
        day.counts["seats played"] += 1
        try:
            while not line.lost.done():
                if not day.house.games.has_loaded(game):
                    break
                host = await day.house.games.host(game)
                if host.snapshot.over or not host.snapshot.state:
                    if host.snapshot.over and self.name and day.chance(0.3):
                        self._say(line, "players")
                    break
                if host.snapshot.state.play.mover in host.snapshot.seats_of(
                    person.id if person else None
                ):
                    if left <= 0:
                        await self._have_enough(line, host)
                        break
                    await self.think(8)
                    if self._turn(line, host):
                        left -= 1
                elif host.agreement.by_days:
                    break
                if day.chance(0.01):  # a page that is closed without a word
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

    async def _have_enough(self, line: Line, host: Host) -> None:
        """Give up, offer a draw first, or let the clock run."""
        if host.agreement.by_days or self.day.chance(0.1):
            return
        line.say(msgspec.json.encode({"t": "do", "id": new_id(), "what": "resign"}))
        await self.think(3)
        if self.day.chance(0.1):
            line.say(msgspec.json.encode({"t": "do", "id": new_id(), "what": "rematch"}))
            await self.think(10)

    def _turn(self, line: Line, host: Host) -> bool:
        snapshot = host.snapshot
        state = snapshot.state
        if snapshot.over or not state or state.play.outcome or state.paused is not None:
            return False
        ids = a_turn(state.play.copy(), self.day.rng)
        about = {"id": new_id(), "at": snapshot.seq}
        if self.day.chance(0.3):
            draft = {"t": "draft", **about, "id": new_id(), "a": ids[:1]}
            line.say(msgspec.json.encode(draft))
        if self.day.chance(0.05):
            line.say(msgspec.json.encode({"t": "offer", **about, "id": new_id(), "what": "draw"}))
        line.say(msgspec.json.encode({"t": "turn", **about, "a": ids}))
        self.day.counts["turns sent"] += 1
        return True


def a_turn(play: Play, rng: Random) -> list[str]:
    """A short turn of actions at random."""
    mover, ids, end = play.mover, list[str](), play.room.end
    while not play.outcome and play.mover == mover and (not ids or play.position.turn_open):
        actions = play.legal_actions()
        ends = bool(ids) and end is not None and play.why_not(end) is None
        action = end if ends else rng.choice(actions)
        ids.append(str(action))
        play.act(action)
    return ids


def show_much(rng: Random) -> None:
    """Have the pictures of so many positions made that what is kept of them is as much as ever."""
    say = open_language("en").say
    for name in ROOMS:
        room = open_room(name)
        for _ in range(SHOWN):
            rules = rng.choice(sorted(room.rule_sets))
            play, keys = Play(room, room.start(rules, room.settle(rules, {}))), FIRST_KEYS
            for _ in range(60):
                if play.outcome:
                    break
                action = rng.choice(play.legal_actions())
                keys = carry_keys(room, play.position, action, keys)
                play.act(action)
                for seat in range(2):
                    plain(room.scene(play.position, seat=seat, keys=keys).view, say)


# --- the day -------------------------------------------------------------------------------------


class Soak:
    """A day, and its figures."""

    def __init__(self, folder: Path, given: argparse.Namespace) -> None:
        self._folder, self._given = folder, given
        self._visiting: set[asyncio.Task[None]] = set()
        self.sizes: list[tuple[float, int]] = []
        self.day: Day | None = None
        self._types = [collections.Counter[str]()] * 2
        """After a third of the time, and at the last look."""
        self._failed: BaseException | None = None
        self._faults = 0

    def opened(self, address: str) -> None:
        """The house is open."""
        self._coming = asyncio.get_running_loop().create_task(self._come(address))

    async def _come(self, address: str) -> None:
        try:
            await self._let_come(address)
        except Exception as error:
            self._failed = error
        finally:
            signal.raise_signal(signal.SIGINT)

    async def _let_come(self, address: str) -> None:
        given = self._given
        day = self.day = Day(address, Kept.last, Random(given.seed))
        progress = Progress("minutes of the day", round(given.hours * 60))
        began, looked = time.monotonic(), 0.0
        end = began + given.hours * HOUR
        while (now := time.monotonic()) < end:
            if now - began >= looked:
                self._look((now - began) / HOUR)
                looked += LOOKS
            if len(self._visiting) < MOST_AT_ONCE:
                task = asyncio.create_task(self._visit(day))
                self._visiting.add(task)
                task.add_done_callback(self._visiting.discard)
            if self._failed:
                raise self._failed
            progress.at(round((now - began) / 60))
            until_next = day.rng.expovariate(given.visits / HOUR)
            await asyncio.sleep(min(until_next, end - now))
            if now + until_next >= end:
                break
        self._look(given.hours)
        progress.end()

    async def _visit(self, day: Day) -> None:
        name, cookie = "", ""
        absent = sorted(day.accounts.keys() - day.here)
        if absent and day.chance(0.5):
            name = day.rng.choice(absent)
            cookie = day.accounts[name]
        visitor = Visitor(day, name, cookie)
        day.here.add(name)
        day.counts["visits"] += 1
        try:
            await visitor.visit()
        except (OSError, asyncio.IncompleteReadError):
            day.counts["visits broken off"] += 1
        except Exception as error:
            self._failed = error
        finally:
            await visitor.leave()
            day.here.discard(name)
            if name and not visitor.name:
                del day.accounts[name]
            elif visitor.name and len(day.accounts) < 400:
                day.accounts[visitor.name] = visitor.cookie

    def _look(self, hours: float) -> None:
        gc.collect()
        self.sizes.append((hours, memory_of(os.getpid())))
        counts = self.day.counts if self.day else collections.Counter[str]()
        house = Kept.last
        print(
            f"{hours:5.2f} h  {self.sizes[-1][1] / 2**20:6.1f} MiB  {counts['visits']:>5} visits"
            f"  {counts['turns sent']:>6} turns  {len(house.games.hosts):>3} games in memory"
            f"  {len(self._visiting):>3} here  {time.process_time():6.0f} s",
            flush=True,
        )
        if self._given.types:
            first, _ = self._types
            settled = bool(first) or hours < self._given.hours / 3
            now = types()
            self._types = [first if settled else now, now]

    def run(self) -> None:
        """Serve until the day is over."""
        # A file of this folder is called like a folder of the tests, and would hide it.
        here = str(Path(__file__).resolve().parent)
        sys.path[:] = [place for place in sys.path if place != here]
        import caissify_pairings  # noqa: F401, otherwise the first Swiss round brings it, and 10 MiB

        from house.houses import FirstActions, quick_passwords

        show_much(Random(self._given.seed))
        bots = AnalysisBots(1) if self._given.bots else FirstActions()
        serving = Serving(self._folder, port=0)
        log_plainly()
        kept = mock.patch.object(server, "House", Kept)
        with kept, simulated() as loop, Store.open(self._folder / server.DATABASE, SCHEMA) as store:
            served = server.serve_store(
                serving, store, self.opened, bots, passwords=quick_passwords()
            )
            try:
                with asyncio.Runner(loop_factory=loop) as runner:
                    runner.run(served)
            except KeyboardInterrupt:
                pass
        if self._failed:
            raise self._failed

    def tell(self) -> None:
        """Print the figures."""
        if not self.day or len(self.sizes) < 3:
            return
        print(", ".join(f"{count} {what}" for what, count in sorted(self.day.counts.items())))
        whole = self.sizes[-1][0]
        settled = [size for at, size in self.sizes if at >= whole * SETTLED]
        middle = len(settled) // 2
        halves = [sum(half) / len(half) for half in (settled[:middle], settled[middle:])]
        growth = halves[1] / halves[0] - 1
        mean = sum(settled) / len(settled)
        print(
            f"memory from hour {whole * SETTLED:.1f} on: {mean / 2**20:.1f} MiB in the mean, from "
            f"{min(settled) / mean - 1:+.1%} to {max(settled) / mean - 1:+.1%} of it; the second "
            f"half {growth:+.1%} beside the first"
        )
        first, last = self._types
        for name, more in (last - first).most_common(self._given.types):
            print(f"  {more:+} {name}")
        if growth > MOST_GROWTH:
            sys.exit("soak: the house grows")


def types() -> collections.Counter[str]:
    """The things in memory, by their types."""
    gc.collect()
    return collections.Counter(
        f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.get_objects()
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hours", type=float, default=24)
    parser.add_argument("--visits", type=float, default=120, help="visits an hour")
    parser.add_argument("--bots", action="store_true", help="true bots, of levels 1 and 2")
    parser.add_argument("--types", type=int, default=0, help="tell so many types that grow")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        soak = Soak(Path(name), given)
        try:
            soak.run()
        except KeyboardInterrupt:
            pass
        soak.tell()


if __name__ == "__main__":
    main()
