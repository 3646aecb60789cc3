"""Requests that need the other side: taking turns back, draws; and giving up."""

from pathlib import Path

import pytest

from cli.terminal.conversations import said, talking, transcript
from playing import replayed, terms
from trine.core.contract.position import Outcome, Reason


def test_a_draw_is_agreed_on(path: Path) -> None:
    words = transcript(path, "d4n end", "offer draw", "accept")
    assert "Silver (Bert) offers a draw" in words
    assert "a draw (agreement)" in words
    assert replayed(path).outcome == Outcome(None, Reason.AGREEMENT)
    assert "{Silver offers a draw}" in path.read_text()


@pytest.mark.parametrize(
    "line", ["offer", "offer peace", "offer draw now", "accept", "decline", "pause now", "continue"]
)
def test_what_nobody_asked_for_is_refused(line: str, path: Path) -> None:
    with talking(path, terms()) as dialogue:
        said(dialogue, line)
        assert dialogue.refused == 1
        assert dialogue.game.play.outcome is None
