"""Whole games of every rule set, played through a page by pointing alone."""

import random
from collections.abc import Iterator
from itertools import product

import pytest
from _pytest.mark.structures import ParameterSet
from playwright.sync_api import Browser

from conformance.test_rooms import RULE_SETS
from house.web.browsing import DESK, PHONE, opened
from house.web.table import Finger, Hand, Keyboard, Mouse, Table
from playing import HANDICAP
from trine.core.contract.choices import Choosable
from trine.core.play import Play
from trine.games import new_play

HANDS: dict[str, type[Hand]] = {"mouse": Mouse, "finger": Finger, "keyboard": Keyboard}
PLIES = 600
"""Every game here ends before: Arimaa because its rabbits run."""


def some_way(play: Play, ways: tuple[Choosable, ...], rng: random.Random) -> Choosable:
    """Any action; in Arimaa mostly one that brings a rabbit nearer to its goal."""
    runs = "Rn" if play.position.mover == 0 else "rs"
    running = [way for way in ways if way.id[0] == runs[0] and way.id[-1] == runs[1]]
    return rng.choice(running if running and rng.random() < 0.6 else ways)


SHORT = ("arimaa/official", "finger", {"handicap": HANDICAP})
"""A game of few pieces, which is played at every commit; whole ones are played by night."""


def games() -> Iterator[ParameterSet]:
    yield pytest.param(*SHORT, id="short")
    for game, hand in product(RULE_SETS, HANDS):
        yield pytest.param(game, hand, {}, marks=pytest.mark.nightly, id=f"{game}-{hand}")


@pytest.mark.parametrize(("game", "hand", "options"), list(games()))
def test_a_whole_game_is_played_by_pointing(
    browser: Browser, game: str, hand: str, options: dict[str, str]
) -> None:
    touch = hand == "finger"
    rng = random.Random(f"{game} {hand}")
    with opened(browser, "/page/board.html", PHONE if touch else DESK, touch=touch) as page:
        table = Table(page, new_play(game, **options))
        pointing = HANDS[hand](table, rng)
        for _ in range(PLIES):
            if table.play.outcome:
                break
            way = some_way(table.play, table.ways, rng)
            pointing.point(way)
            table.act(table.chosen_action(way))
        assert table.play.outcome, "the game has not ended"
