"""The public names that programs begin with."""

import sys

import pytest

import trine
from capturing import captured
from playing import DUEL, NEAR_GOAL

WON = "quoridor 5 2 c4,c2 b3h 9,9 1"


def test_all_public_names_can_be_fetched() -> None:
    for name in trine.__all__:
        assert getattr(trine, name) is not None
    assert not hasattr(trine, "nothing")


def test_importing_the_package_brings_no_library_along() -> None:
    heavy = ("numba", "numpy", "click", "rich", "prompt_toolkit", "trine.core")
    code = f"import sys, trine; print([name for name in {heavy} if name in sys.modules])"
    told = captured(sys.executable, "-c", code, check=True)
    assert told.stdout == "[]\n"


def test_a_play_prints_as_its_board_and_is_called_shortly() -> None:
    play = trine.new_play("arimaa", position=DUEL)
    assert str(play).splitlines()[-1] == "2g: Gold to move"
    assert "  4  .  .  .  E  .  .  .  .  4" in str(play).splitlines()
    assert repr(play) == "<Play arimaa/official, 2g: Gold to move>"
    play.enter("d4n end")
    assert str(play).splitlines()[-1] == "2s: Silver to move"
    won = trine.new_play("arimaa", position=NEAR_GOAL)
    won.enter("a7n end")
    assert repr(won) == "<Play arimaa/official, Gold wins (goal)>"


def test_an_analysis_finds_the_win_and_changes_nothing() -> None:
    play = trine.new_play("corridor", position=WON)
    best, second = trine.analyze(play, None, depth=4, lines=2)
    assert [str(action) for action in best.pv] == ["c5"]
    assert best.score.points > second.score.points
    assert not play.turns


def test_an_analysis_has_an_end_and_something_to_look_at() -> None:
    play = trine.new_play("corridor", position=WON)
    with pytest.raises(trine.IllegalError, match="needs an end"):
        trine.analyze(play, None)
    play.enter("c5")
    for call in (trine.analyze, trine.hint):
        with pytest.raises(trine.IllegalError, match="the play is over"):
            call(play)


def test_what_needs_no_search_is_told_by_every_analysis() -> None:
    setup = trine.analyze(trine.new_play("arimaa"), 0.1)
    assert len(setup) == 0
    assert len(setup.opening) == 17
    assert trine.analyze(trine.new_play("corridor", size=3), 0.1)[0].solved


def test_a_hint_is_a_turn_with_reasons() -> None:
    hint = trine.hint(trine.new_play("corridor", position=WON), 0.1)
    assert hint.turn == "c5"
    assert [str(action) for action in hint.actions] == ["c5"]
    assert str(hint).startswith("hint: c5; South wins with this turn\n")


def test_bots_are_known_by_level_or_strategist() -> None:
    play = trine.new_play("tzaar")
    for level in (1, "counter"):
        player = trine.bot("tzaar", level, seed=3)
        decision = player.choose(play, trine.Limits(nodes=50))
        assert play.why_not(decision.actions[0]) is None
        player.close()
    for game, level in (("tzaar", 11), ("tzaar", ""), ("chess", 1)):
        with pytest.raises(trine.MalformedError):
            trine.bot(game, level)


@pytest.mark.parametrize("game", ["arimaa", "tzaar", "corridor/great-wall"])
def test_a_picture_is_of_a_play_or_of_a_position(game: str) -> None:
    play = trine.new_play(game)
    assert trine.svg(play) == trine.svg(play.position)
    while len(play.turns) < 3:
        play.act(play.legal_actions()[-1])
    assert trine.svg(play) != trine.svg(play.position)  # the last turn is marked
    assert trine.svg(play, seat=1) != trine.svg(play)
