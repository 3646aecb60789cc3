"""Several processes on one PostgreSQL behind a proxy: one is killed, one is stopped for a while."""

import asyncio
import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from house.houses import until
from house.web.clients import Client, Table
from house.web.proxy import Proxy, a_proxy
from house.web.served import Served, a_server
from postgres import Server
from trine.house.games.storage.events import read_events
from trine.house.games.storage.records import entries_of
from trine.house.processes.tables import home_of
from trine.house.store.store import Store
from trine.house.tables import SCHEMA
from trine.play.session.changes import rebuild
from waiting import PATIENCE

pytestmark = pytest.mark.faults("FencedError")  # a process that was taken for gone finds out
GAMES = 10


@dataclass
class House:
    nodes: list[Served]
    proxy: Proxy
    database: str

    def homes(self, games: list[str]) -> dict[str, int]:
        """By game, the number of the process that has it."""
        ports = {f"127.0.0.1:{node.port}": number for number, node in enumerate(self.nodes)}
        found = {}
        with Store.open(self.database, SCHEMA) as store:
            for game in games:
                home = store.read(home_of, game)
                assert home
                found[game] = ports[home.address]
        return found


@pytest.fixture
def database(postgres_server: Server) -> Iterator[str]:
    with postgres_server.database() as url:
        yield url


@contextmanager
def a_house(folder: Path, database: str, count: int) -> Iterator[House]:
    with ExitStack() as stack:
        nodes = [
            stack.enter_context(
                a_server(folder / str(number), address_credits=10**6, database=database)
            )
            for number in range(count)
        ]
        proxy = stack.enter_context(a_proxy([f"127.0.0.1:{node.port}" for node in nodes]))
        yield House(nodes, proxy, database)


@dataclass
class Solo:
    """Somebody who plays both sides of a game, and comes back when the connection is lost."""

    client: Client
    game: str
    wanted: str = "3+15"
    acknowledged: dict[str, int] = field(default_factory=dict)
    last: float = 0.0
    """When a turn was last acknowledged."""

    async def play(self, until: asyncio.Event) -> None:
        number, pending = 0, ""
        while not until.is_set():
            try:
                async with self.client.play(self.game) as table:
                    while not until.is_set() and not table.game["over"]:
                        await table.until(lambda table=table: table.game["choices"])
                        call = pending or f"c.{number}"
                        pending = call
                        ids = [table.game["choices"][-1]["id"]]  # a wall, so that it lasts
                        answer = await table.ask("turn", call, at=table.game["seq"], a=ids)
                        if answer["t"] == "ok":
                            self.acknowledged[call] = answer["seq"]
                            self.last = time.monotonic()
                            number, pending = number + 1, ""
                            await asyncio.sleep(0.4)  # the pace of somebody who plays
                        elif "meanwhile" not in answer["why"]:
                            pending = ""
                    return
            except (ConnectionClosed, InvalidStatus, OSError, EOFError, TimeoutError):
                await asyncio.sleep(0.3)  # before it tries again


def check(database: str, solos: list[Solo]) -> None:
    """Each acknowledged turn is there, once, where it was said to be; the journals lead on."""
    with Store.open(database, SCHEMA) as store:
        for solo in solos:
            events = store.read(read_events, solo.game)  # without gaps, or an error
            calls = [event.data["call"][1] for event in events if "call" in event.data]
            assert len(set(calls)) == len(calls)
            for call, seq in solo.acknowledged.items():
                assert events[seq - 1].data["call"][1] == call
            rebuild(entries_of(events))


def test_games_of_a_process_that_is_killed_go_on_elsewhere(tmp_path: Path, database: str) -> None:
    with a_house(tmp_path, database, 3) as house:
        solos = []
        for number in range(GAMES):
            client = Client(house.proxy.address)
            clock = {"clock": "3+15"} if number % 2 else {}
            game, _ = client.new_game(game="corridor", **{"with": "screen"}, **clock)
            solos.append(Solo(client, game))
        games = [solo.game for solo in solos]
        before = house.homes(games)
        assert len(set(before.values())) == 3, "the proxy did not spread the games"
        lost = [solo for solo in solos if not before[solo.game]]

        async def story() -> None:
            over = asyncio.Event()
            playing = [asyncio.create_task(solo.play(over)) for solo in solos]
            await until(lambda: all(solo.acknowledged for solo in solos))
            killed = time.monotonic()
            house.nodes[0].kill()
            await until(lambda: all(solo.last > killed + 0.5 for solo in solos))
            over.set()
            await asyncio.gather(*playing)

        asyncio.run(story())
        after = house.homes(games)
        assert house.proxy.led
        assert all(after[solo.game] for solo in lost)
        kept = [game for game in games if before[game]]
        assert {game: after[game] for game in kept} == {game: before[game] for game in kept}
        check(database, solos)


@pytest.mark.nightly
def test_a_process_that_was_stopped_cannot_write_when_it_wakes_up(
    tmp_path: Path, database: str
) -> None:
    with a_house(tmp_path, database, 2) as house:
        first, second = house.nodes
        client = Client(first.address)
        game, _ = client.new_game(game="corridor", clock="3+15", **{"with": "screen"})
        there = Client(second.address, client.cookie)
        told = there.get(f"/game/{game}")
        assert told.status == 421
        assert told.headers["x-trine-node"] == f"127.0.0.1:{first.port}"
        assert there.get("/lobby").status == 200
        for path, node in ((game, first), (f"game/{game}/socket", first), ("lobby/socket", second)):
            told = client.get(f"/where/{path}")
            assert json.loads(told.text) == {"node": f"127.0.0.1:{node.port}"}
            assert told.headers["x-trine-node"] == f"127.0.0.1:{node.port}"
        assert client.get("/lobby").status == 421

        async def taken() -> Table:
            while True:
                try:
                    async with there.play(game) as table:
                        assert (await table.turn("e8"))["t"] == "ok"
                        return table
                except InvalidStatus as status:
                    assert status.response.status_code == 421
                    await asyncio.sleep(0.3)

        async def story() -> None:
            async with client.play(game) as asleep:
                assert (await asleep.turn("e2"))["t"] == "ok"
                os.kill(first.pid, signal.SIGSTOP)
                try:
                    turn = {"t": "turn", "id": "late", "at": asleep.game["seq"], "a": ["d9"]}
                    await asleep.send(turn)
                    async with asyncio.timeout(PATIENCE):
                        await taken()
                finally:
                    os.kill(first.pid, signal.SIGCONT)
                with pytest.raises(ConnectionClosed) as closed:
                    await asleep.until(lambda: "late" in asleep.answers)
                    pytest.fail(f"it was answered: {asleep.answers['late']}")
                assert closed.value.rcvd and closed.value.rcvd.code == 1012

        asyncio.run(story())
        page = client.get(f"/game/{game}")
        assert (page.status, page.headers["x-trine-node"]) == (421, f"127.0.0.1:{second.port}")
        with Store.open(database, SCHEMA) as store:
            events = store.read(read_events, game)
        words = [event.data["words"] for event in events if event.kind == "act"]
        assert words == ["e2", "e8"]
        assert "late" not in [event.data.get("call", [0, 0])[1] for event in events]
