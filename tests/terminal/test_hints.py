"""What a hint tells of a decision."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from playing import plain_screen
from trine.core.play import Play
from trine.core.score import WIN, Score
from trine.engine.player import Decision, Info
from trine.games import new_play
from trine.terminal.hints import Adviser
from trine.terminal.thinking import Thinking


class Decided:
    """In place of a bot: it has decided already."""

    def __init__(self, decision: Decision) -> None:
        self.decision = decision

    def choose(self, *arguments: Any) -> Decision:
        return self.decision

    def to_the_end(self, play: Play, info: Info) -> Info:
        return replace(info, pv=max(info.pv, self.decision.actions, key=len))

    def stop(self) -> None: ...


def hint(play: Play, turn: str, line: str, points: int) -> list[str]:
    """What is told, the turn and the line as people type them."""
    info = Info(4, Score(points), play.interpret(line), 1, 0.1)
    bot: Any = Decided(Decision(play.interpret(turn), info))
    adviser = Adviser(play.room.name, _bot=bot)
    return list(map(str, adviser.advise(play, Thinking(plain_screen()), 10.0)[1]))


def test_a_line_that_breaks_off_within_the_turn_goes_on_to_its_end() -> None:
    play = new_play("arimaa", position="2g 8/8/R7/8/4e3/8/7r/4E3")
    assert hint(play, "Ra6n Ra7n end", "Ra6n", WIN - 3) == [
        "hint: Ra6n Ra7n; Gold wins with this turn",
        "expected: 2g Ra6n Ra7n",
    ]


def test_a_hint_tells_the_score_the_reasons_and_the_line() -> None:
    play = new_play("corridor")
    assert hint(play, "e8h", "e8h d9 e2 d8 e3 e8", 80) == [
        "hint: e8h; South is slightly better, 61 %",
        "makes North's shortest way 1 step longer",
        "makes South's own way 1 step longer",
        "expected: 1s e8h, 1n d9, 2s e2, 2n d8",
    ]


def test_what_is_decided_is_said_once() -> None:
    play = new_play("corridor", size=3)
    told = hint(play, "b2", "b2 a3 b3", WIN - 3)
    assert told == ["hint: b2; South wins in 2 turns", "expected: 1s b2, 1n a3, 2s b3"]


def test_where_nothing_is_left_but_to_end_the_turn_that_is_told() -> None:
    play = new_play("arimaa", position="2g 8/8/R7/8/4e3/8/7r/4E3")
    play.enter("Ee1w Ed1w Ec1w")
    assert (
        hint(play, "end", "end", 40)[0]
        == "hint: Enter ends the turn; Gold is slightly better, 56 %"
    )
    setup = new_play("arimaa")
    setup.enter("Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2")
    adviser = Adviser("arimaa", _bot=Decided(Decision(setup.interpret("end"))))  # type: ignore[arg-type]
    told = adviser.advise(setup, Thinking(plain_screen()), 10.0)[1]
    assert list(map(str, told)) == ["hint: Enter ends the turn"]
