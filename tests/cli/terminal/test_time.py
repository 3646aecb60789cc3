"""Conversations on the clock."""

from pathlib import Path

import pytest

from cli.terminal.conversations import said, talking
from playing import HandClock, Script, converse, live, plain_screen, replayed, shown, terms
from trine.cli.terminal.dialogue import Dialogue
from trine.cli.terminal.reader import TimeUpError
from trine.core.contract.position import Outcome, Reason


def test_who_answers_too_late_loses_by_time(path: Path, now: HandClock) -> None:
    with live(path, terms(clock="0:15/1"), now) as game:
        dialogue = converse(game, "d4n", lambda: now.wait(80), "end")
        assert "time is up" in shown(dialogue.screen)
        assert "Silver (Bert) wins (time)" in shown(dialogue.screen)
    assert replayed(path).outcome == Outcome(1, Reason.TIME)
    assert "2g Ed4n lost\n" in path.read_text()


def test_the_reader_is_told_how_much_time_is_left(path: Path, now: HandClock) -> None:
    with live(path, terms(clock="0:15/1"), now) as game:
        script = Script("d4n", lambda: now.wait(10), "end", "quit")
        Dialogue(game, plain_screen()).run(script)
        assert script.prompts == ["2g> ", "2g> ", "2s> "]
        assert script.left == [75, 75, 75]
    with live(path.with_name("2.txt"), terms()) as game:
        script = Script("quit")
        Dialogue(game, plain_screen()).run(script)
        assert script.left == [float("inf")]


def test_the_clock_stands_beside_the_board(path: Path, now: HandClock) -> None:
    with talking(path, terms(clock="0:15/1"), now) as dialogue:
        now.wait(5)
        assert "clock: Gold 1:10, Silver 1:15" in said(dialogue, "board")
        assert "clock: Gold 1:25, Silver 1:15" in said(dialogue, "d4n end")


class TooLate:
    """A reader at which the time runs out, at the very moment that a terminal notices it."""

    def __init__(self, now: HandClock, before: float) -> None:
        self.now, self.before = now, before

    def read(self, prompt: str, left: float = float("inf")) -> str:
        self.now.wait(left + self.before)
        self.before = 0.05
        raise TimeUpError


@pytest.mark.parametrize("elapsed", [0.0, 0.02, 0.04, 0.06, 0.08])
def test_when_the_time_runs_out_nothing_is_played_for_anybody(elapsed: float, path: Path) -> None:
    now = HandClock()
    with live(path, terms(clock="0:15/1"), now) as game:
        game.enter("d4nn a2nn")
        now.wait(elapsed)
        dialogue = Dialogue(game, plain_screen())
        dialogue.run(TooLate(now, 0.05))
        assert game.play.outcome == Outcome(1, Reason.TIME)
        assert game.play.turns == []
        assert "type a step" not in shown(dialogue.screen)


def test_no_time_passes_in_a_pause_that_all_agree_on(path: Path, now: HandClock) -> None:
    with live(path, terms(clock="0:15/1"), now) as game:
        script = Script(
            "d4n",
            lambda: now.wait(10),
            "pause",
            "accept",
            lambda: now.wait(5000),
            "d5n",
            "continue",
            "end",
            "quit",
        )
        dialogue = Dialogue(game, plain_screen())
        dialogue.run(script)
        words = shown(dialogue.screen)
        assert "Gold (Anna) asks for a pause" in words
        assert "the game is paused and no time passes; type continue to go on" in words
        assert dialogue.refused == 1
        assert script.left == [75, 75, 65, float("inf"), float("inf"), 65, 75]
        assert len(game.play.turns) == 1
    assert "2g Ed4n {Gold asks for pause} {Silver accepts pause} {paused 0:10 by consent" in (
        path.read_text()
    )
