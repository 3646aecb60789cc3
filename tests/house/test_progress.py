"""Progress: the lessons that somebody has done, and the levels that they have beaten."""

import re
from collections.abc import Sequence
from typing import Any

import pytest

from house.houses import PASSWORD, FirstActions, OpenHouse, asked, guests, until
from trine.core.text.sentence import Text
from trine.engine.players.player import FULL, LEVELS, level_of
from trine.games import BUNDLED_GAMES, open_heuristics
from trine.house.app import House
from trine.house.games.live.agreement import ME, Agreement
from trine.house.games.live.commands import resign, turn
from trine.house.games.live.game_actor import GameActor
from trine.house.games.view import game_choices
from trine.house.lessons.progress import OVERLOOKED, ladder, next_level
from trine.house.people.tables import Person
from trine.play.session.changes import rebuild
from trine.play.session.state import Entry


class Builder(FirstActions):
    """A bot that builds walls in a corner."""

    async def choose(
        self, game: str, bot: str, entries: Sequence[Entry], *given: Any
    ) -> tuple[str, ...] | None:
        return (str(list(rebuild(entries).play.legal_actions())[-1]),)


async def begun(house: House, person: Person, bot: str) -> GameActor:
    game, _ = await house.games.create(Agreement.make("corridor"), [ME, bot], person)
    return await house.games.actor(game)


async def race(host: GameActor, person: Person) -> None:
    """Win against a bot that does not move: always go as far up as possible."""
    while not host.snapshot.over:
        state = host.game.state
        assert state
        steps = [str(one) for one in state.play.legal_actions()]
        ahead = max((one for one in steps if re.fullmatch("[a-i][1-9]", one)), key=lambda s: s[1])
        await host.do(turn, asked(person), [ahead])
        await until(lambda: host.snapshot.over or host.game.state.play.mover == 0)  # type: ignore[union-attr]


async def test_a_game_that_was_won_ticks_its_level_and_no_other(open_house: OpenHouse) -> None:
    house = await open_house(bots=Builder())
    anna, bela = await guests(house, "Anna", "Béla")
    assert await house.progress.beaten(None) == await house.progress.beaten(anna) == {}
    host = await begun(house, anna, "bot:3")
    assert next_level(host.snapshot, anna) == 4 and next_level(host.snapshot, bela) is None
    await race(host, anna)
    lost = await begun(house, anna, "bot:5")
    await lost.do(turn, asked(anna), ["e2"])
    await lost.do(resign, asked(anna))
    await until(lambda: lost.snapshot.over)
    assert await house.progress.beaten(anna) == {"corridor": {3}}
    assert await house.progress.beaten(bela) == {}
    strategist = await begun(house, bela, "bot:pathfinder")
    assert next_level(strategist.snapshot, bela) is None, "it has no level"
    top = await begun(house, bela, f"bot:{FULL}")
    assert next_level(top.snapshot, bela) is None, "there is none above"


def test_the_rung_to_play_next_is_above_all_that_were_beaten() -> None:
    assert [rung.level for rung in ladder(set()) if rung.next] == [1]
    assert [rung.level for rung in ladder({2, 5}) if rung.next] == [6]
    assert [rung.level for rung in ladder({2, 5}) if rung.beaten] == [2, 5]
    assert not [rung for rung in ladder({FULL}) if rung.next]


@pytest.mark.parametrize("game", BUNDLED_GAMES)
def test_what_a_level_is_said_to_overlook_it_does(game: str) -> None:
    assert len(OVERLOOKED) == len(game_choices.LEVELS) == len(LEVELS)
    heuristics = open_heuristics(game)
    for number, (least, most, words) in enumerate(OVERLOOKED, 1):
        share = level_of(heuristics, number).overlook_rate / 1024
        assert least <= share <= most, (number, share)
        assert isinstance(words, Text)


async def test_a_guest_brings_the_lessons_along_and_who_leaves_takes_them(house: House) -> None:
    guest, token = await house.accounts.welcome("Anna")
    for name in ("first", "second", "first"):
        await house.progress.note(guest, "tzaar", name)
    assert await house.progress.lessons(guest) == {"tzaar": {"first", "second"}}
    anna, _ = await house.accounts.register(None, "Anna", PASSWORD)
    await house.progress.note(anna, "tzaar", "first")
    await house.accounts.log_in("Anna", PASSWORD, token)
    assert await house.progress.lessons(anna) == {"tzaar": {"first", "second"}}
    assert await house.progress.lessons(guest) == {}
    await house.accounts.delete(anna, PASSWORD)
    assert await house.progress.lessons(anna) == {}
