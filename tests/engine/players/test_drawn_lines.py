"""A line that ends in a draw on the board is told as a draw."""

from trine.core.contract.score import Score
from trine.engine.players.assessment import score_text
from trine.games import new_play


def told(words: str) -> str:
    play = new_play("corridor/corridor", "corridor 3 2 b1,b3 a1h,a2h,b1h,b2h 8,8 1")
    line = play.interpret(words)
    return str(score_text(play.room, play.position, Score(0), line))


def test_a_line_at_whose_end_both_pawns_are_caught_is_a_draw() -> None:
    assert told("c2h") == "a draw"


def test_a_line_that_ends_before_is_about_even() -> None:
    assert told("b3v").startswith("about even")


def test_a_line_that_comes_back_is_a_draw_where_repetition_draws() -> None:
    play = new_play("corridor/quoridor")
    for line, value in (("e2 e8 e1 e9", "a draw"), ("e2 e8 e1 d8", "about even, South 50 %")):
        actions = play.interpret(line)
        assert str(score_text(play.room, play.position, Score(0), actions)) == value
