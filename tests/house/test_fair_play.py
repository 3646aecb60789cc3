"""The computer helps nobody in a running game of their own that gives no hints."""

import pytest

from house.houses import asked, first_turn, members
from house.test_ratings import a_rated_game
from trine.core.play import Play
from trine.house.analysis.analysis_socket import FROM_TURN, check_fair
from trine.house.app import House
from trine.house.games.live.commands import resign, turn
from trine.house.people.tables import Person
from trine.house.refusals import HouseError


async def helps(house: House, person: Person | None, play: Play) -> bool:
    try:
        await check_fair(house.store, house.games, person, play)
    except HouseError:
        return False
    return True


async def test_a_position_of_a_running_rated_game_is_analysed_by_none_of_its_players(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bela, cili = await members(house, "Anna", "Bela", "Cili")
    host = await a_rated_game(house, [anna, bela])
    start = host.game.running().play
    for number in range(FROM_TURN):
        play = host.game.running().play
        assert not await helps(house, anna, play) and not await helps(house, bela, play)
        assert await helps(house, cili, play) and await helps(house, None, play)
        await host.do(turn, asked((anna, bela)[number % 2]), first_turn(play))
        assert await helps(house, anna, play), "it has been left"
    now = host.game.running().play
    later = now.copy()
    later.act(later.legal_actions()[0])
    assert not await helps(house, anna, later) and await helps(house, anna, start)
    with monkeypatch.context() as patch:  # it is read from the database where nobody has it
        patch.setattr(house.games, "loaded", lambda game: None)
        assert not await helps(house, anna, later)
    await host.do(resign, asked(bela))
    assert await helps(house, anna, now)
