"""The findings of a search, in words."""

from random import Random

import pytest

from playing import NEAR_GOAL
from trine.core.contract.score import WIN, Score
from trine.core.play import Play
from trine.engine.players.assessment import (
    info_text,
    line_text,
    percent,
    score_text,
    turns_of,
    turns_to_win,
)
from trine.engine.search.info import Info
from trine.games import ROOMS, new_play, open_room

pytestmark = pytest.mark.usefixtures("odds_of_the_search")


def told(play: Play, points: int, line: str = "") -> str:
    actions = play.interpret(line) if line else ()
    return str(score_text(play.room, play.position, Score(points), actions))


@pytest.mark.parametrize(
    ("players", "points", "words"),
    [
        (2, 0, "about even, South 50 %"),
        (2, 30, "about even, South 54 %"),
        (2, -30, "about even, North 54 %"),
        (2, 32, "South is slightly better, 55 %"),  # 0.546 is shown as 55 % too
        (2, 80, "South is slightly better, 61 %"),
        (2, -200, "North is better, 76 %"),
        (2, 400, "South is much better, 91 %"),
        (2, -900, "North is almost sure to win, 99 %"),
        (2, 19_000, "South is almost sure to win, 99 %"),
        # where every turn is one action
        (2, WIN - 1, "South wins with this turn"),
        (2, WIN - 3, "South wins within 2 turns"),
        (2, WIN - 25, "South wins within 13 turns"),
        (2, -WIN + 2, "North wins within 1 turn"),
        (2, -WIN + 12, "North wins within 6 turns"),
        # of four, the one to move is told about
        (4, 0, "South is about level with the best of the others, 50 %"),
        (4, 200, "South is ahead of the others, 76 %"),
        (4, -200, "South is behind the best of the others, 24 %"),
        (4, -WIN + 3, "South surely loses"),
        (4, WIN - 5, "South wins within 2 turns"),
    ],
)
def test_a_score_is_told_from_the_side_that_stands_better(
    players: int, points: int, words: str
) -> None:
    assert told(new_play("corridor", players=players), points) == words


def test_the_score_is_that_of_who_is_to_move() -> None:
    play = new_play("corridor")
    play.enter("e2")
    assert told(play, 200) == "North is better, 76 %"


def test_nothing_that_is_not_proven_is_told_as_sure() -> None:
    assert [percent(chance) for chance in (0.0, 0.001, 0.5, 0.999, 1.0)] == [1, 1, 50, 99, 99]


def test_the_same_chance_has_the_same_words() -> None:
    steps = [(55, "about even"), (65, "is slightly"), (80, "is better"), (95, "is much"), (100, "")]
    for points in range(0, 900, 2):
        words, _, chance = told(new_play("corridor"), points).rpartition(", ")
        shown = int(chance.removeprefix("South ").removesuffix(" %"))
        assert next(what for limit, what in steps if shown < limit) in words


def test_a_win_is_told_in_turns_where_the_line_shows_it() -> None:
    play = new_play("arimaa", position=NEAR_GOAL)
    assert told(play, WIN - 2, "a7n end") == "Gold wins with this turn"
    assert told(play, WIN - 2) == "Gold surely wins"
    assert told(play, WIN - 1) == "Gold wins with this turn"  # with the next action


CAUGHT = ("corridor/corridor", "corridor 3 2 b1,b3 a1h,a2h,b1h,b2h 8,8 1")


@pytest.mark.parametrize(
    ("start", "line", "words"),
    [
        (CAUGHT, "c2h", "a draw"),
        (CAUGHT, "b3v", "about even, South 50 %"),
        (("corridor/quoridor",), "e2 e8 e1 e9", "a draw"),
        (("corridor/quoridor",), "e2 e8 e1 d8", "about even, South 50 %"),
    ],
    ids=["both are caught", "it ends before", "it comes back", "it does not come back"],
)
def test_a_line_that_ends_in_a_draw_is_told_as_a_draw(
    start: tuple[str, ...], line: str, words: str
) -> None:
    assert told(new_play(*start), 0, line) == words


@pytest.mark.parametrize("game", ROOMS)
def test_only_games_that_say_so_have_turns_of_one_action(game: str) -> None:
    play, rng = new_play(game), Random(1)
    while not play.outcome and len(play.turns) < 80:
        play.act(rng.choice(play.legal_actions()))
    lengths = {len(turn.actions) for turn in play.turns}
    assert (lengths == {1}) == play.room.rules.turns_of_one


LONE = "2g 8/8/8/8/4e3/8/r7/4E2R"


def test_a_loss_is_told_as_a_win_of_the_other() -> None:
    play = new_play("arimaa", position=LONE)
    assert told(play, -WIN + 4, "Ee1w end a2s end") == "Silver wins in 1 turn"


def test_turns_are_counted_for_the_winner_only() -> None:
    play = new_play("corridor", size=3)
    line = play.interpret("b2 a3 b3")
    assert turns_to_win(play.position, line, 0) == 2
    assert turns_to_win(play.position, line, 1) == 0
    assert turns_to_win(play.position, line[:2], 0) == 0


def test_an_open_turn_counts_once() -> None:
    play = new_play("arimaa", position=NEAR_GOAL)
    play.enter("Ee1w")
    assert turns_to_win(play.position, play.interpret("a7n end"), 0) == 1


def test_a_line_is_told_turn_by_turn() -> None:
    play = new_play("arimaa", position=LONE)
    line = play.interpret("Ee1w Ed1w end ee4n end Ec1n")
    assert line_text(play.room, play.position, line) == "2g Ee1w Ed1w, 2s ee4n, 3g Ec1n"
    assert line_text(play.room, play.position, line, most=1) == "2g Ee1w Ed1w"
    assert line_text(play.room, play.position, ()) == ""


def test_a_line_is_divided_into_its_turns() -> None:
    play = new_play("arimaa", position=NEAR_GOAL)
    line = play.interpret("Ee1w end ee4n end Ed1n")
    turns = turns_of(play.position, line)
    assert [len(actions) for _, actions in turns] == [2, 2, 1]
    assert [before.mover for before, _ in turns] == [0, 1, 0]
    assert turns_of(play.position, ()) == []


def test_a_line_can_begin_within_a_turn() -> None:
    play = new_play("tzaar", setup="random", seed=7)
    for _ in range(2):
        play.act(play.legal_actions()[0])
    second = play.copy().legal_actions()[-1]
    assert line_text(play.room, play.position, (second,)).startswith("1b ")


def test_what_is_known_fits_on_a_line() -> None:
    play = new_play("corridor")
    info = Info(4, Score(90), play.interpret("e2 e8").actions, 123_456, 0.25)
    assert str(info_text(play.room, play.position, info)) == (
        "depth 4; South is slightly better, 63 %; 1s e2, 1n e8; 494,000 positions a second"
    )


@pytest.mark.parametrize("game", ["arimaa", "tzaar", "corridor"])
def test_scores_are_told_in_every_game(game: str) -> None:
    play = new_play(game)
    first = open_room(game).seats[0].name
    assert str(score_text(play.room, play.position, Score(200))).startswith(str(first))
