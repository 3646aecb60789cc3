"""Whole games of every rule set, played through a page by pointing alone."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest
from _pytest.mark.structures import ParameterSet
from playwright.sync_api import Browser

from conformance.test_rooms import RULE_SETS, begun
from house.web.browsing import DESK, PHONE, opened
from house.web.table import Finger, Hand, Keyboard, Mouse, Table
from trine.core.contract.choices import Choosable
from trine.core.play import Play

HANDS: dict[str, type[Hand]] = {"mouse": Mouse, "finger": Finger, "keyboard": Keyboard}
PLIES = 600
"""Every game here ends before: Arimaa because its rabbits run."""


def some_way(play: Play, ways: tuple[Choosable, ...], chance: random.Random) -> Choosable:
    """Any action; in Arimaa mostly one that brings a rabbit nearer to its goal."""
    runs = "Rn" if play.position.mover == 0 else "rs"
    running = [way for way in ways if way.id[0] == runs[0] and way.id[-1] == runs[1]]
    return chance.choice(running if running and chance.random() < 0.6 else ways)


ONCE = (
    ("arimaa/official", "finger"),
    ("corridor/corridor", "keyboard"),
)
"""The games that are played at every commit; the others are played by night."""


def games() -> Iterator[ParameterSet]:
    for game, hand in product(RULE_SETS, HANDS):
        marks = [] if (game, hand) in ONCE else [pytest.mark.nightly]
        yield pytest.param(game, hand, marks=marks, id=f"{game}-{hand}")


@pytest.mark.parametrize(("game", "hand"), list(games()))
def test_a_whole_game_is_played_by_pointing(browser: Browser, game: str, hand: str) -> None:
    touch = hand == "finger"
    chance = random.Random(f"{game} {hand}")
    with opened(browser, "/page/board.html", PHONE if touch else DESK, touch=touch) as page:
        table = Table(page, begun(game))
        pointing = HANDS[hand](table, chance)
        for _ in range(PLIES):
            if table.play.outcome:
                break
            way = some_way(table.play, table.ways, chance)
            pointing.point(way)
            table.act(table.chosen_action(way))
        assert table.play.outcome, "the game has not ended"
