"""A house that is sent what no page would send: no growth, nothing is changed, no fault in its log.

The log is read after each test, as that of every house (`faults`).
"""

import asyncio
import os
import re
import sqlite3
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed

from hostile.mangling import mangled_message, mangled_request, paths
from house.houses import PASSWORD
from house.web.clients import Client
from house.web.served import TOKEN, Served, a_server
from house.web.test_socket import two_players

MANY = int(os.environ.get("TRINE_MANGLED", "1_000_000"))
"""The messages of a night; of requests there are a tenth as many."""
AT_ONCE = 8
BATCH = 40
"""The messages after which an answer is waited for."""
GROWTH = 1.15
"""By how much the memory may be more in the end than after a fifth of all."""

pytestmark = pytest.mark.in_file


@dataclass
class Place:
    """A house in which two play, and others do what they want."""

    served: Served
    folder: Path
    game: str
    study: str
    players: tuple[Client, Client]

    def stored(self) -> list[list[tuple[object, ...]]]:
        """What must not change: the game, its players, the account, and the analysis."""
        with closing(sqlite3.connect(self.folder / "house.db")) as connection:
            return [
                connection.execute(statement, (given,)).fetchall()
                for statement, given in (
                    ("select * from event where game = ? order by seq", self.game),
                    ("select * from seat where game = ? order by seat", self.game),
                    ("select folded, password, role from account where folded != ?", ""),
                    ("select id, record from study where id = ?", self.study),
                    ("select count(*) from rating where game != ?", ""),
                )
            ]

    def memory(self) -> int:
        status = Path(f"/proc/{self.served.pid}/status").read_text()
        return int(next(re.finditer(r"VmRSS:\s+(\d+)", status))[1])


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with a_server(tmp_path, free=True) as served:
        game, one, two = two_players(served, game="corridor")
        made = two.post("/analysis", game="corridor", rules="quoridor")
        study = made.headers["location"].removeprefix("/analysis/")
        Client(served.address).post("/account/register", name="Victim", password=PASSWORD)
        yield Place(served, tmp_path, game, study, (one, two))


async def all_of(place: Place, count: int, part: Callable[[Random, int], Awaitable[None]]) -> None:
    """Have it done in parts, side by side, and look at the memory and at what is stored."""
    before = place.stored()
    assert len(before[0]) and len(before[3])
    for share in (0.2, 0.8):
        each = max(1, round(count * share) // AT_ONCE)
        await asyncio.gather(*(part(Random(f"{share} {n}"), each) for n in range(AT_ONCE)))
        if share == 0.2:
            memory = place.memory()
    assert place.stored() == before
    if count > 10_000:
        assert place.memory() < GROWTH * memory


@pytest.mark.parametrize("count", [2_000, pytest.param(MANY, marks=pytest.mark.nightly)])
def test_mangled_messages_change_nothing(place: Place, count: int) -> None:
    # South has played: North is to move, and whatever South sends is at the wrong time.
    south, _ = place.players
    answers = set[str]()

    async def play_first() -> None:
        async with south.play(place.game) as table:
            assert (await table.turn("e2"))["t"] == "ok"

    async def send(rng: Random, each: int) -> None:
        left = each
        while left > 0:
            person = rng.choice([south, Client(place.served.address)])
            with suppress(ConnectionClosed):  # what is no message at all ends the socket
                async with person.play(place.game) as table:
                    while left > 0:
                        for _ in range(min(BATCH, left)):
                            left -= 1
                            await table.socket.send(mangled_message(rng))
                        answer = await table.ask("draft", at=1, a=[])
                        assert answer["t"] in ("no", "view")
                        answers.update(answer["t"] for answer in table.answers.values())
                        table.refused.clear()
                        table.answers.clear()

    asyncio.run(play_first())
    asyncio.run(all_of(place, count, send))
    figures = Client(place.served.address).get("/metrics", Authorization=f"Bearer {TOKEN}").text
    refused = float(figures.split("\ntrine_refused_total ")[1].split("\n")[0])
    assert refused > count / 2 and {"no", "why"} <= answers
    assert count < 10_000 or "ahead" in answers  # few are only strange


@pytest.mark.parametrize("count", [400, pytest.param(MANY // 10, marks=pytest.mark.nightly)])
def test_mangled_requests_change_nothing(place: Place, count: int) -> None:
    there, routes = urlsplit(place.served.address), paths()
    ids, answers = [place.game, place.study, "Victim", "corridor", "quoridor"], Counter[str]()
    assert len(routes) > 90

    async def ask(rng: Random, each: int) -> None:
        for _ in range(each):
            request = mangled_request(rng, routes, ids, there.netloc)
            reader, writer = await asyncio.open_connection(there.hostname, there.port)
            writer.write(request)
            with suppress(OSError):  # the house may disconnect before it has read everything
                writer.write_eof()
                status = (await reader.read(12)).decode("latin-1")[9:]
                answers[status] += 1
                if status.startswith("5"):
                    raise AssertionError((status, request))
                if b"/stream" not in request:
                    await reader.read()
            writer.close()

    asyncio.run(all_of(place, count, ask))
    assert {"200", "400", "403", "404"} <= set(answers)
