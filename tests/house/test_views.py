"""The views of a game: what a page is told besides the board."""

from __future__ import annotations

from pathlib import Path

from house.houses import a_house, asked, story, two_at_a_board
from trine.house.games.commands import turn
from trine.house.games.scenes import ViewerGroup
from trine.house.games.views import game_message


@story
async def test_a_turn_of_several_actions_is_told_and_a_setup_is_not(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        host, *players = await two_at_a_board(house, game="arimaa")
        seen = ViewerGroup(frozenset({0}), 0, "en")

        async def told(number: int, words: str) -> list[list[tuple[str, str]]]:
            play = host.game.running().play
            await host.do(
                turn,
                asked(players[number]),
                [*map(str, play.interpret(words)), str(play.room.rules.end)],
            )
            return [list(one) for one in game_message(host.snapshot, seen).story]

        assert await told(0, "setup 99of9") == []
        assert await told(1, "setup 99of9") == []
        assert await told(0, "Ee2n Ee3n") == [[("e2", "e3")], [("e3", "e4")]]
