"""Requests that need the other side: taking turns back, draws; and giving up."""

from pathlib import Path

import pytest

from cli.terminal.conversations import said, talking, transcript
from playing import replayed, standing, terms
from trine.core.contract.position import Outcome, Reason


def test_a_turn_is_taken_back_by_consent(path: Path) -> None:
    with talking(path, terms()) as dialogue:
        before = standing(dialogue.game.play)
        assert "accept or decline" in said(dialogue, "d4n end", "takeback")
        assert "2g: Gold (Anna) to move" in said(dialogue, "accept")
        assert standing(dialogue.game.play) == before
        assert dialogue.refused == 0


def test_a_takeback_that_is_declined_changes_nothing(path: Path) -> None:
    with talking(path, terms()) as dialogue:
        assert "declined" in said(dialogue, "d4n end", "takeback", "decline")
        assert len(dialogue.game.play.turns) == 1
        assert "nothing was asked for" in said(dialogue, "accept")
        assert len(dialogue.game.play.turns) == 1


def test_a_takeback_is_of_the_turn_that_was_the_last_when_it_was_asked_for(path: Path) -> None:
    with talking(path, terms()) as dialogue:
        said(dialogue, "d4n end", "takeback")
        said(dialogue, "ra7s end")  # played on instead
        said(dialogue, "accept")
        assert len(dialogue.game.play.turns) in (0, 2)


def test_a_draw_is_agreed_on(path: Path) -> None:
    words = transcript(path, "d4n end", "offer draw", "accept")
    assert "Silver (Bert) offers a draw" in words
    assert "a draw (agreement)" in words
    assert replayed(path).outcome == Outcome(None, Reason.AGREEMENT)
    assert "{Silver offers a draw}" in path.read_text()


def test_an_offer_stands_until_who_was_asked_has_moved(path: Path) -> None:
    with talking(path, terms()) as dialogue:
        said(dialogue, "offer draw", "d4n end", "ra7s", "end")
        assert "nothing was asked for" in said(dialogue, "accept")
        said(dialogue, "offer draw", "d5n end", "accept")
        assert dialogue.game.play.outcome == Outcome(None, Reason.AGREEMENT)


@pytest.mark.parametrize(
    "line", ["offer", "offer peace", "offer draw now", "accept", "decline", "pause now", "continue"]
)
def test_what_nobody_asked_for_is_refused(line: str, path: Path) -> None:
    with talking(path, terms()) as dialogue:
        said(dialogue, line)
        assert dialogue.refused == 1
        assert dialogue.game.play.outcome is None
