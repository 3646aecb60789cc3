"""The words of a hint about a decision."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cli.terminal.computers import Puppet, terminal_screen
from playing import HandClock, Script, agreed, plain_screen, shown
from trine.cli.terminal.dialogue import Dialogue
from trine.cli.terminal.opponents import DeferredPlayer, HintBot, Opponents
from trine.cli.terminal.thinking import InterruptibleRunner
from trine.core.clock import Limits
from trine.core.compiled.ahead import Compilation, CompileProgress, Show
from trine.core.contract.score import WIN, Score
from trine.core.play import Play
from trine.core.work.stop import Stop
from trine.engine.players.player import Decision
from trine.engine.players.stand_in import StandIn
from trine.engine.search.info import Info
from trine.games import new_play, open_heuristics, open_room
from trine.play.session.file_journal import begin_in_file
from waiting import PATIENCE


class Decided:
    """In place of a bot: it has decided already."""

    net = None

    def __init__(self, game: str, decision: Decision) -> None:
        self.decision, self.heuristics = decision, open_heuristics(game)

    def choose(self, *arguments: Any) -> Decision:
        return self.decision

    def extend_proof(self, play: Play, info: Info) -> Info:
        return replace(info, pv=max(info.pv, self.decision.actions, key=len))


def hint(play: Play, turn: str, line: str, points: int) -> list[str]:
    """The sentences of a hint, with the turn and the line as people type them."""
    info = Info(4, Score(points), play.interpret(line).actions, 1, 0.1)
    bot: Any = Decided(play.room.name, Decision(play.interpret(turn).actions, info))
    hint_bot = HintBot(play.room.name, _bot=bot)
    return list(map(str, hint_bot.advise(play, InterruptibleRunner(plain_screen()), 10.0)[1]))


def test_a_line_that_breaks_off_within_the_turn_goes_on_to_its_end() -> None:
    play = new_play("arimaa", position="2g 8/8/R7/8/4e3/8/7r/4E3")
    assert hint(play, "Ra6n Ra7n end", "Ra6n", WIN - 3) == [
        "hint: Ra6n Ra7n; Gold wins with this turn",
        "expected: 2g Ra6n Ra7n",
    ]


@pytest.mark.usefixtures("odds_of_the_search")
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
    assert told == ["hint: b2; South wins within 2 turns", "expected: 1s b2, 1n a3, 2s b3"]


@pytest.mark.usefixtures("odds_of_the_search")
def test_where_nothing_is_left_but_to_end_the_turn_that_is_told() -> None:
    play = new_play("arimaa", position="2g 8/8/R7/8/4e3/8/7r/4E3")
    play.enter("Ee1w Ed1w Ec1w")
    assert (
        hint(play, "end", "end", 40)[0]
        == "hint: Enter ends the turn; Gold is slightly better, 56 %"
    )
    setup = new_play("arimaa")
    setup.enter("Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2")
    hint_bot = HintBot("arimaa", _bot=Decided(play.room.name, Decision(setup.interpret("end"))))  # type: ignore[arg-type]
    told = hint_bot.advise(setup, InterruptibleRunner(plain_screen()), 10.0)[1]
    assert list(map(str, told)) == ["hint: Enter ends the turn"]


class Compiling(Compilation):
    """Compiles until it is said that it is done."""

    def __init__(self) -> None:
        super().__init__(())
        self.done, self.is_awaited = Stop(), Stop()

    @property
    def is_over(self) -> bool:
        return self.done.is_set

    def wait(self, show: Show | None = None, stop: Stop | None = None) -> bool:
        self.is_awaited.set()
        with (stop or Stop()).child() as either, self.done.calls(either.set):
            assert either.wait(PATIENCE)
        return self.done.is_set


def test_ctrl_c_while_a_hint_is_compiled_breaks_off_only_the_waiting() -> None:
    compiling, thinking = Compiling(), InterruptibleRunner(terminal_screen()[0])
    hint_bot = HintBot("tzaar", compilation=compiling)
    with (
        compiling.is_awaited.calls(lambda: os.kill(os.getpid(), signal.SIGINT)),
        thinking.interruptible(),
    ):
        assert not hint_bot.open(thinking)
    assert not thinking.take_missed_press()


def test_a_hint_that_is_not_ready_is_given_by_a_strategy_and_the_game_goes_on(
    tmp_path: Path,
) -> None:
    class NotReady(HintBot):
        def open(self, thinking: InterruptibleRunner) -> bool:
            return False

    game = begin_in_file(agreed("corridor"), tmp_path / "game.txt", HandClock())
    dialogue = Dialogue(game, plain_screen(), hint_bot=NotReady("corridor"))
    dialogue.run(Script("hint", "e2", "quit"))
    assert "by the strategy pathfinder alone" in shown(dialogue.screen)
    assert "ask again later" in shown(dialogue.screen)
    assert len(game.play.turns) == 1
    assert not dialogue.interrupted


def test_a_bot_that_is_not_ready_has_somebody_play_for_it(tmp_path: Path) -> None:
    compiling, puppet = Compiling(), Puppet()
    stand_in = StandIn(open_room("corridor"), 4)
    late = DeferredPlayer("bot:4", compiling, lambda: puppet, stand_in)
    game = begin_in_file(agreed("corridor", North="bot:4"), tmp_path / "game.txt", HandClock())
    screen, written = terminal_screen()
    dialogue = Dialogue(game, screen, opponents=Opponents({1: late}))
    dialogue.run(Script("e2", "quit"))
    assert "until then the strategy pathfinder plays for it" in " ".join(written.getvalue().split())
    assert len(game.play.turns) == 2 and not late.is_open
    assert "played by the strategy pathfinder" in (tmp_path / "game.txt").read_text()
    compiling.done.set()
    assert late.is_ready()


def test_nobody_waits_for_code_that_is_seen_to_be_compiled() -> None:
    """Only code that was compiled before is there in a moment."""

    class Telling(Compiling):
        waits = 0

        def wait(self, show: Show | None = None, stop: Stop | None = None) -> bool:
            self.waits += 1
            assert show and stop
            show(CompileProgress(1, 9, 0))  # found in the cache
            assert not stop.is_set
            self.progress = CompileProgress(2, 9, 3)
            show(self.progress)
            assert stop.is_set
            return False

    compiling, puppet = Telling(), Puppet()
    late = DeferredPlayer("bot:4", compiling, lambda: puppet, StandIn(open_room("corridor"), 4))
    assert not late.is_ready()
    assert not late.is_ready()
    assert compiling.waits == 1


def test_a_bot_that_comes_late_is_told_of_the_game_once_it_is_here() -> None:
    compiling, puppet = Compiling(), Puppet()
    late = DeferredPlayer("bot:3", compiling, lambda: puppet)
    play = new_play("corridor")
    late.begin(play)
    assert not late.is_open
    assert not puppet.begun
    with compiling.is_awaited.calls(compiling.done.set):
        assert late.choose(play, Limits(depth=1)).actions
    assert late.is_open
    assert puppet.begun == ["1s"]
    late.begin(play)
    assert puppet.begun == ["1s", "1s"]
    late.close()
    assert puppet.closed
