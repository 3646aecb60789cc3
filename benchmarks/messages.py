"""Measures the bytes of the messages of a game to a page.

``PYTHONPATH=tests .venv/bin/python benchmarks/messages.py [LANGUAGE]`` plays a random game at one
screen in each rule set, so that messages include the next choices, and prints the bytes of the
whole game as a new page receives it, and the median and the maximum of the changes after each turn.
"""

import asyncio
import sys
import tempfile
from pathlib import Path
from random import Random
from statistics import median

from trine.core.play import Play
from trine.games import ROOMS, open_room
from trine.house.app import House
from trine.house.games.live.agreement import ME, Agreement
from trine.house.games.live.commands import CommandMeta, turn
from trine.house.games.view.scenes import ViewerGroup
from trine.house.games.view.views import encode_game
from trine.house.store.store import Store
from trine.house.tables import SCHEMA

sys.path.insert(0, str(Path(__file__).resolve().parent))

from crowd import Still, a_turn

TURNS = 60


async def measure(house: House, agreed: Agreement, language: str) -> None:
    """Play a game, and print the sizes of its messages."""
    rng, sizes, before = Random(1), list[int](), None
    person, _ = await house.accounts.welcome("")
    game, _ = await house.games.create(agreed, [ME] * agreed.seats, person)
    host = await house.games.actor(game)
    everybody = ViewerGroup(frozenset(range(agreed.seats)), 0, language)
    for number in range(TURNS):
        assert host.snapshot.state
        play: Play = host.snapshot.state.play
        if play.outcome:
            break
        sizes.append(len(encode_game(host.snapshot, everybody, before)))
        before = host.snapshot
        await host.do(turn, CommandMeta(person.id, f"c.{number}"), a_turn(play.copy(), rng))
    whole = len(encode_game(host.snapshot, everybody))
    start = " ".join(f"{tag} {value}" for tag, value in agreed.start.items() if tag != "Seed")
    print(
        f"{agreed.game}/{agreed.rules} {start:16} whole {whole}, changes: median "
        f"{median(sizes[1:]):.0f}, most {max(sizes[1:])} of {len(sizes) - 1}"
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
