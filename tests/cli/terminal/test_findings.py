"""The stones over which people stumbled when they first tried the house."""

from functools import cache
from pathlib import Path

import pytest
from rich.console import Console

from trine.cli.terminal.dialogue import Dialogue
from trine.cli.terminal.screen import Screen
from trine.core.contract.insight import Insight
from trine.core.contract.position import Outcome, Position, Reason
from trine.core.scene.canvas import Look
from trine.core.text.language import LANGUAGES, open_language
from trine.games import new_play, open_room
from trine.play.record.agreed_terms import Terms
from trine.play.session.file_journal import begin_in_file

ARIMAA = open_room("arimaa")
MIDDLE = "2s 3rcr2/rR4mr/Dd1H2d1/3e4/2r2r1C/2rE3M/R1hr1hDH/1RCR1RRR"


@cache
def middle() -> tuple[Position, Insight]:
    """A position and what is seen in it, which takes its time."""
    position = ARIMAA.rules.parse_position(MIDDLE, "official")
    return position, ARIMAA.view.insight(position)


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("pieces", ARIMAA.view.piece_sets)
@pytest.mark.parametrize("code", LANGUAGES)
def test_a_board_is_never_torn(width: int, pieces: str, code: str, tmp_path: Path) -> None:
    with (tmp_path / "screen").open("w+", encoding="utf-8") as stream:
        console = Console(file=stream, force_terminal=True, width=width, color_system=None)
        position, seen = middle()
        board = ARIMAA.view.text_board(position, Look(pieces, marks=seen.marks()))
        Screen(open_language(code), console).show_board(board, seen.sentences())
        stream.seek(0)
        shown = stream.read()
    for row in str(board).splitlines():
        assert row in shown


def test_equal_material_at_the_limit_is_silvers(tmp_path: Path) -> None:
    from trine.core.clock import parse_time_control

    terms = Terms.agree(ARIMAA, clock=parse_time_control("1/1/100/0/2t"))
    game = begin_in_file(terms, tmp_path / "game.txt")
    for line in ("setup 99of9", "end", "setup 99of9", "end", "b2n end", "g7s end"):
        game.enter(line)
    assert game.play.outcome == Outcome(1, Reason.SCORE)
    game.close()


def test_a_line_of_several_turns_is_judged_between_them() -> None:
    play = new_play("arimaa", position="2g 7r/R7/8/8/8/8/7r/8")
    with pytest.raises(ValueError, match="the play is over: goal"):
        play.enter("a7n end h2s end")
    assert play.turn_tag == "2g"


def test_a_log_that_vanishes_is_noticed(path: Path) -> None:
    game = begin_in_file(Terms.agree(ARIMAA), path)
    path.unlink()
    with pytest.raises(ValueError, match="was removed or replaced"):
        game.enter("setup 99of9")
    assert game.play.open_actions == ()
    game.journal.close()


def test_reasons_do_not_claim_what_is_not_so() -> None:
    play = new_play("arimaa", position="2g 8/r7/8/3hH3/8/8/8/R7")
    play.enter("e5e")
    with pytest.raises(ValueError, match="the step of a stronger piece that was beside it"):
        play.enter("d5e")


def test_a_false_removal_is_not_passed_over() -> None:
    play = new_play("arimaa", position="2g 8/r7/8/4E3/8/8/8/R7")
    with pytest.raises(ValueError, match="nothing is removed here"):
        play.enter("a1n Ra2x")
    with pytest.raises(ValueError, match="'c4n': nothing stands on c4"):
        play.enter("c4n")


def test_resigning_is_asked_twice_and_no_request_to_the_other_side(tmp_path: Path) -> None:
    with (tmp_path / "screen").open("w", encoding="utf-8") as stream:
        screen = Screen(open_language("en"), Console(file=stream, force_terminal=True, width=100))
        game = begin_in_file(Terms.agree(ARIMAA), tmp_path / "game.txt")
        dialogue = Dialogue(game, screen)
        dialogue.do("offer draw")
        dialogue.do("resign")
        dialogue.do("moves")
        dialogue.do("resign")  # not the line after the first any more
        assert game.play.outcome is None
        dialogue.do("accept")  # the offer still stands
        assert game.play.outcome == Outcome(None, Reason.AGREEMENT)
        game.close()
