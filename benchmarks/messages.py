"""The cost of a turn on its way to a page: the bytes of each message of a game, compressed.

``PYTHONPATH=tests .venv/bin/python benchmarks/messages.py [LANGUAGE]`` plays a game by chance at
one screen in each rule set, where what can be chosen next goes along, and prints the median, the
most, and what is most of it.
"""

from __future__ import annotations

import asyncio
import gzip
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import msgspec

from trine.core.play import Play
from trine.core.scene.scene import plain
from trine.core.text.language import open_language
from trine.games import ROOMS, open_room
from trine.house.app import House
from trine.house.games.agreement import ME, Agreement
from trine.house.games.asked import Asked
from trine.house.games.commands.playing import turn
from trine.house.games.views import Audience, game_message
from trine.house.tables import SCHEMA
from trine.store.store import Store
from trine.web.messages import LEVEL

sys.path.insert(0, str(Path(__file__).resolve().parent))

from crowd import Still, a_turn

TURNS = 60


def size(data: Mapping[str, Any]) -> int:
    """The bytes of a message, compressed as the house does it."""
    return len(gzip.compress(msgspec.json.encode(data), LEVEL, mtime=0))


async def measure(house: House, agreed: Agreement, language: str) -> None:
    """Play a game, and look at what is sent after each turn."""
    rng, sizes, parts = Random(1), list[int](), dict[str, list[int]]()
    person, _ = await house.accounts.welcome("")
    game, _ = await house.games.create(agreed, [ME] * agreed.seats, person)
    host = await house.games.host(game)
    say = open_language(language).say
    everybody = Audience(frozenset(range(agreed.seats)), 0, language)
    for number in range(TURNS):
        assert host.snapshot.state
        play: Play = host.snapshot.state.play
        if play.outcome:
            break
        data = plain(game_message(host.snapshot, everybody, whole=False), say)
        sizes.append(size(data))
        for name in data:
            rest = {other: value for other, value in data.items() if other != name}
            parts.setdefault(name, []).append(sizes[-1] - size(rest))
        await host.do(turn, Asked(person.id, f"c.{number}"), a_turn(play.copy(), rng))
    largest = sorted(parts, key=lambda name: -median(parts[name]))[:3]
    told = ", ".join(f"{name} {median(parts[name]):.0f}" for name in largest)
    start = " ".join(f"{tag} {value}" for tag, value in agreed.start.items() if tag != "Seed")
    print(
        f"{agreed.game}/{agreed.rules} {start:16} median {median(sizes):.0f}, most {max(sizes)}"
        f" of {len(sizes)}; {told}"
    )


async def main(language: str) -> None:
    """Measure each rule set, and a start with placement."""
    agreed = [Agreement.make(name, rules) for name in ROOMS for rules in open_room(name).rule_sets]
    agreed.append(Agreement.make("tzaar", options={"Setup": "placement"}))
    with (
        tempfile.TemporaryDirectory() as folder,
        Store.open(Path(folder) / "house.db", SCHEMA) as store,
    ):
        house = await House.open(store, bots=Still())
        for one in agreed:
            await measure(house, one, language)
        await house.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "en"))
