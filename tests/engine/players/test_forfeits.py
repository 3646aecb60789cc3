"""The line between turns and forfeits, alike in matches and in games that are shown."""

from pathlib import Path

import pytest

from playing import DUEL
from trine.core.contract.position import Action
from trine.core.errors import CompilingError, FileError
from trine.core.play import Play
from trine.core.text.sentence import text
from trine.engine.players import player
from trine.games import new_play


@pytest.fixture
def duel() -> Play:
    return new_play("arimaa", position=DUEL)


def test_a_whole_turn_is_judged_and_not_played(duel: Play) -> None:
    turn = duel.interpret("d4n end")
    line = player.check_turn(duel, player.Decision(turn.actions))
    assert line == turn
    assert (duel.turn_tag, duel.turns, duel.open_actions) == ("2g", [], ())


def test_the_rest_of_an_open_turn_is_enough(duel: Play) -> None:
    duel.enter("d4n")
    assert len(player.check_turn(duel, player.Decision(duel.interpret("end").actions))) == 1
    assert len(duel.open_actions) == 1


@pytest.mark.parametrize(
    ("words", "problem"),
    [("", "not complete"), ("d4n", "not complete"), ("d4n end a7s", "more than its turn")],
)
def test_anything_but_one_turn_is_a_forfeit(duel: Play, words: str, problem: str) -> None:
    ahead, actions = duel.copy(), list[Action]()
    for word in words.split():
        actions += ahead.interpret(word)
        ahead.enter(word)
    with pytest.raises(player.ForfeitError, match=problem):
        player.check_turn(duel, player.Decision(tuple(actions)))


def test_an_illegal_action_is_a_forfeit_that_says_why(duel: Play) -> None:
    once = duel.interpret("d4n")
    with pytest.raises(player.ForfeitError, match=r"illegal: .*d4"):
        player.check_turn(duel, player.Decision((*once, *once)))


@pytest.mark.parametrize("game", ["arimaa", "tzaar", "corridor"])
@pytest.mark.parametrize("answer", ["no action", None, (), 10**30])
def test_what_is_no_action_of_the_game_is_a_forfeit(game: str, answer: object) -> None:
    with pytest.raises(player.ForfeitError):
        player.check_turn(new_play(game), player.Decision((answer,)))


def test_an_error_of_a_player_tells_where_it_went_wrong() -> None:
    try:
        raise ZeroDivisionError("by accident")
    except ZeroDivisionError as error:
        forfeit = player.as_forfeit(error)
    assert str(forfeit.message) == "it failed: ZeroDivisionError: by accident"
    assert "test_forfeits.py" in forfeit.transcript
    assert player.as_forfeit(forfeit) is forfeit


def test_a_player_whose_code_cannot_be_compiled_says_so_alone() -> None:
    forfeit = player.as_forfeit(CompilingError(text("f cannot be compiled: why")))
    assert str(forfeit.message) == "it failed: f cannot be compiled: why"
    assert not forfeit.transcript


def test_the_last_part_of_each_transcript_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    player.keep_transcript(path, "1w, A: silent", "x" * player.MAX_TRANSCRIPT + "> go\n< \udcff\n")
    player.keep_transcript(path, "1w, B: silent", "")
    one, two = player.transcripts_path(path).read_text().removeprefix("=== ").split("\n\n=== ")
    head, _, kept = one.partition("\n")
    assert head == "1w, A: silent"
    assert kept.endswith("x> go\n< \\udcff")
    assert kept.count("x") == player.MAX_TRANSCRIPT - len("> go\n< \udcff\n")
    assert two.strip() == "1w, B: silent"


def test_a_transcript_that_cannot_be_kept_is_an_error_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    player.transcripts_path(path).mkdir()
    with pytest.raises(FileError, match=r"games\.txt\.forfeits"):
        player.keep_transcript(path, "1w, A: silent", "words")
