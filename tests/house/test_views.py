"""The views of a game: what a page is told besides the board."""

from dataclasses import replace

import pytest

from house.houses import asked, two_at_a_board
from trine.core.contract.position import Outcome, Reason
from trine.core.play import ended, names
from trine.games import new_play
from trine.house.app import House
from trine.house.games.live.commands import resign, turn
from trine.house.games.live.drafts import read_draft
from trine.house.games.view.scenes import ViewerGroup, scene_after
from trine.house.games.view.views import game_message, result_of
from trine.house.home.routes import OWN, not_made


async def test_a_turn_of_several_actions_is_told_and_a_setup_is_not(house: House) -> None:
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


async def test_no_tray_is_marked_as_to_move_after_the_end(house: House) -> None:
    host, one, _ = await two_at_a_board(house)
    seen = ViewerGroup(frozenset({0}), 0, "en")
    assert [one.role for one in game_message(host.snapshot, seen).view.areas] == ["tray-to-move"]
    await host.do(resign, asked(one))
    assert not game_message(host.snapshot, seen).view.areas
    assert not scene_after(host.snapshot, 0, 0).areas


async def test_a_turn_that_only_the_past_forbids_to_end_has_its_reason_told(house: House) -> None:
    lone = "2g 7h/8/r7/3c4/3E4/8/8/R7"
    host, *players = await two_at_a_board(house, game="arimaa", position=lone)
    for number, step in enumerate(("Ed4e", "hh8s", "Ee4w", "hh7n", "Ed4e", "hh8s", "Ee4w")):
        end = str(host.game.running().play.room.rules.end)
        await host.do(turn, asked(players[number % 2]), [step, end])
    drafts = {1: read_draft(host.game.running().play, ["hh7n"])}
    shown = replace(host.snapshot, drafts=drafts)
    message = game_message(shown, ViewerGroup(frozenset({1}), 1, "en"))
    assert str(message.coach) == "this turn would repeat the position for the third time"


@pytest.mark.parametrize(
    ("position", "line", "result"),
    [
        ("2g r7/4R3/8/8/8/8/8/8", "e7n end", "You have won: a rabbit has reached e8"),
        ("2s r7/8/8/8/8/8/r7/7R", "ra2s end", "You have lost: a rabbit has reached a1"),
        (
            "2s 7r/R7/e7/8/8/8/8/8",
            "Ra7n ea6n end",
            "Your opponent's own turn has won it for you: a rabbit has reached a8",
        ),
    ],
)
def test_a_game_ends_with_what_it_means_for_its_player(
    position: str, line: str, result: str
) -> None:
    play = new_play("arimaa", position=position)
    play.enter(line)
    begun = not_made("animals")
    assert begun.state
    first = replace(begun, state=replace(begun.state, play=play))
    ordinary = replace(first, agreement=replace(first.agreement, first=""))
    assert [str(result_of(one, OWN)) for one in (first, ordinary)] == [result, result]
    for nobody in ({0, 1}, set[int]()):
        assert " wins: " in str(result_of(ordinary, nobody))


def test_a_loser_of_several_reads_who_has_won() -> None:
    play = new_play("corridor", position="quoridor 5 4 c4,a3,c2,e3 - 5,5,5,5 1")
    play.enter("c5")
    called = names(play.position.seats)
    for outcome, cause in (
        (play.outcome, ": the pawn has reached c5"),
        (Outcome(0, Reason.RESIGNATION), " (resignation)"),
    ):
        assert outcome
        won, lost = (ended(play.room, play.position, called, outcome, {own}) for own in (0, 1))
        assert (str(won), str(lost)) == (f"You have won{cause}", f"South wins{cause}")
