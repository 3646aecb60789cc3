"""Players who resign, forfeit or are gone, and games that end other than on the board."""

from pathlib import Path

import pytest

from play.session.games import begun_game
from playing import HandClock, agreed, replayed, standing
from trine.core.contract.position import Outcome, Reason
from trine.core.errors import IllegalError
from trine.play.session import commands
from trine.play.session.file_journal import begin_in_file, resume_from_file
from trine.play.session.game import Game
from trine.play.session.state import MemoryJournal


def test_whoever_is_not_to_move_can_resign_too(tmp_path: Path) -> None:
    path = tmp_path / "two.txt"
    game = begun_game("arimaa/official", path, HandClock())
    game.enter("Ra1")
    game.do(commands.Resign(1))
    assert game.play.outcome
    assert game.play.outcome.winner == 0
    game.close()
    assert replayed(path).outcome == game.play.outcome
    torn = path.read_bytes().partition(b"[Result")[0]
    path.write_bytes(torn)
    again, _ = resume_from_file(path)
    assert again.play.outcome == game.play.outcome
    again.close()


def test_of_four_who_resigns_out_of_turn_leaves_when_it_is_to_move(tmp_path: Path) -> None:
    path = tmp_path / "four.txt"
    game = begun_game("corridor/quoridor players=4", path, HandClock())
    game.do(commands.Resign(1))
    with pytest.raises(IllegalError):
        game.do(commands.Ask(1, "draw"))
    game.enter("e2")
    assert game.play.position.playing == (0, 2, 3)
    assert game.play.mover == 2
    game.do(commands.Resign(0))
    game.do(commands.Forfeit(3, "gone"))
    assert game.play.outcome
    assert game.play.outcome.winner == 2
    game.close()
    assert replayed(path).outcome == game.play.outcome


def test_a_remark_after_the_end_leaves_the_record_as_it_is(path: Path) -> None:
    game = begun_game("corridor/quoridor", path, HandClock())
    game.enter("e2")
    game.do(commands.Resign(0))
    game.do(commands.Remark("well played", 1))
    game.close()
    assert replayed(path).outcome == game.play.outcome
    again, damage = resume_from_file(path)
    assert damage is None
    assert again.play.outcome == game.play.outcome
    again.close()


def test_the_house_ends_a_game_only_as_a_record_can_tell() -> None:
    game = Game.begin(agreed("corridor"), MemoryJournal(), HandClock())
    for outcome in (
        Outcome(0, Reason.GOAL),
        Outcome(3, Reason.FORFEIT),
        Outcome(None, Reason.SCORE),
    ):
        with pytest.raises(IllegalError):
            game.do(commands.End(outcome))
    game.do(commands.End(Outcome(1, Reason.FORFEIT)))
    assert game.play.outcome == Outcome(1, Reason.FORFEIT)


def test_a_forfeit_of_three_after_which_the_board_ends_the_game_is_told(tmp_path: Path) -> None:
    walls = "a1v,a2h,a3h,a3v,b1h,b1v,b2v,b3h,c1h,c1v,c2h,c2v,c4v"
    path, start = tmp_path / "game.txt", f"great-wall 4 3 b1,a3,d4 {walls} *,*,* 3"
    game = begin_in_file(agreed("corridor/great-wall", start), path, HandClock())
    game.do(commands.Forfeit(game.play.mover, "gone"))
    assert game.play.outcome == Outcome(None, Reason.TRAPPED)
    game.close()
    assert standing(replayed(path)) == standing(game.play)
