"""The engine's side of AEI: transcripts, and what happens when things go wrong."""

from __future__ import annotations

import io
import random
import re
import time
from collections.abc import Callable
from functools import partial
from threading import Event

import pytest

from engine.protocol.fakes import FailingPlayer, FakePlayer, Output, ScriptedPlayer, Talk, aei
from trine import __version__
from trine.core.clock import Clock, Limits, TimeControl
from trine.core.compiled.ahead import CompileProgress, Show
from trine.engine.players.player import PlayerResources
from trine.engine.protocol.aei import RABBIT_POINTS, UNTIMED_SECONDS, AeiEngine
from trine.engine.protocol.engine_session import Channel
from waiting import PATIENCE, wait_until

GOLD = "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2"
SILVER = "ra7 hb7 cc7 md7 ee7 cf7 hg7 rh7 ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8"


def placed(board: dict[str, str], side: str = "g") -> str:
    """A position of a few pieces, such as ``{"d4": "E"}``, as AEI tells it."""
    squares = [board.get(f"{file}{rank}", " ") for rank in range(8, 0, -1) for file in "abcdefgh"]
    return f"setposition {side} [{''.join(squares)}]"


FEW = placed({"d4": "E", "a1": "R", "h1": "R", "d5": "h", "a8": "r", "h8": "r", "e6": "e"})


def test_the_greeting() -> None:
    _, status, said = served("aei\n", "quit\n")
    assert status == 0
    assert said == [
        "protocol-version 1",
        "id name trine",
        "id author the trine project",
        f"id version {__version__}",
        "aeiok",
    ]


def test_a_game_from_the_setups_on() -> None:
    player = ScriptedPlayer(GOLD, "e2n e3n d2n", told=True)
    talk = aei(player)
    talk.say("isready").wait_for("readyok")
    talk.say("setoption name depth value 4", "newgame", "go").wait_for("bestmove")
    talk.say(f"makemove {GOLD}", f"makemove {SILVER}", "go").wait_for("bestmove", 2)
    talk.say("makemove Ee2n Ee3n Md2n", "makemove ee7s", "isready")
    assert talk.end() == [
        "readyok",
        "info depth 16",
        "info time 0",
        "info nodes 77",
        f"info score {-round(3500 / RABBIT_POINTS)}",
        f"info pv {GOLD}",
        f"bestmove {GOLD}",
        "info depth 3",
        "info time 0",
        "info nodes 77",
        f"info score {-round(3500 / RABBIT_POINTS)}",
        "info pv Ee2n Ee3n Md2n",
        "bestmove Ee2n Ee3n Md2n",
        "readyok",
    ]
    assert player.begun == ["1g"]
    assert [limits.depth for limits in player.asked] == [4, 4]


def test_variations_part_turns_by_the_letter_of_the_side() -> None:
    talk = aei(ScriptedPlayer("d4w end e6s end a1n", told=True))
    talk.say(FEW, "go").wait_for("bestmove")
    assert "info pv Ed4w s ee6s g Ra1n" in talk.end()


def test_captures_are_written_as_removals_and_read_wherever_they_stand() -> None:
    near_trap = placed({"d6": "h", "d5": "E", "a1": "R", "h4": "r"})
    talk = aei(ScriptedPlayer("d6w d5n"))
    talk.say(near_trap, "go").wait_for("bestmove hd6w hc6x Ed5n")
    for words in ("hd6w hc6x Ed5n", "hd6w Ed5n hc6x", "hd6w Ed5n"):
        talk.say(near_trap, f"makemove {words}", "makemove rh4w", "makemove Ed6e")
    assert talk.end() == ["bestmove hd6w hc6x Ed5n"]


def served(*lines: str, player: FakePlayer | None = None) -> tuple[AeiEngine, int, list[str]]:
    output = io.StringIO()
    engine = AeiEngine(Channel(output), factory=lambda *asked: player or FakePlayer())
    return engine, engine.serve(lines), output.getvalue().splitlines()


def test_a_session_that_does_not_begin_with_aei_ends() -> None:
    _, status, said = served("uci\n", "aei\n")
    assert status == 1
    assert said == ["log Error: a session begins with aei, not with 'uci'"]


def test_an_unknown_option_is_only_a_warning() -> None:
    talk = aei().say(
        "setoption name colour value blue",
        "setoption colour blue",
        "setoption name hash value much",
        "setoption name tcmove value soon",
        "setoption name rules value chess",
        "setoption name opponent value bot Clueless 2009",
        "setoption name rated",
        "isready",
    )
    talk.wait_for("readyok")
    assert [line.split(";")[0] for line in talk.end()] == [
        "log Warning: unknown option 'colour'",
        "log Warning: expected setoption name NAME value VALUE, not 'colour blue'",
        "log Warning: option hash: 'much' is no whole number from 1 to 1048576",
        "log Warning: option tcmove: 'soon' is no number of seconds",
        "log Warning: option Arimaa has no rule set 'chess'",
        "readyok",
    ]


def test_what_is_illegal_is_an_error_and_changes_nothing() -> None:
    talk = aei(ScriptedPlayer("d4n"))
    talk.say(FEW)
    for words in ("Ed4s Ed3n", "Ed4x", "", "hd5s", "ee6s", "Ra1s", "fill", "setup random"):
        talk.say(f"makemove {words}".strip())
    talk.say("setposition g [short]", "setposition x [" + " " * 64 + "]", "setposition")
    talk.say(placed({"c3": "R", "h8": "r"}))
    assert len(talk.output.lines()) == 12
    assert all(line.startswith("log Error: ") for line in talk.output.lines())
    talk.say("makemove Ed4w", "makemove hd5w", "isready").wait_for("readyok")
    assert talk.end()[12:] == ["readyok"]


@pytest.mark.parametrize(
    "position", [FEW.replace("[", '"').replace("]", '"'), FEW.replace(" g ", " w ")]
)
def test_positions_are_read_in_other_forms(position: str) -> None:
    talk = aei(ScriptedPlayer("d4w"))
    talk.say(position, "go").wait_for("bestmove Ed4w")
    assert talk.say("makemove Ed4w").end() == ["bestmove Ed4w"]


def test_setups_are_whole_and_within_the_own_rows() -> None:
    talk = aei().say(f"makemove {GOLD[:-4]}", f"makemove {SILVER}", "makemove Ra3")
    told = [line[:29].removeprefix("log Error: illegal move ") for line in talk.end()]
    assert told == ["'Ra1 ", "'ra7 ", "'Ra3'"]


def test_a_takeback_takes_the_last_turn_back() -> None:
    talk = aei(ScriptedPlayer("d4n d5n"))
    talk.say(FEW.replace("h", " "), "makemove Ed4w", "makemove takeback", "go")
    talk.wait_for("bestmove Ed4n Ed5n")
    assert talk.say("makemove takeback").end()[-1].startswith("log Error: illegal move 'takeback'")


# --- while it thinks -----------------------------------------------------------------------------


@pytest.fixture
def thinking() -> tuple[FakePlayer, Talk]:
    player = FakePlayer(endless=True)
    talk = aei(player).say(FEW, "go")
    assert player.thinks.wait(PATIENCE)
    return player, talk


def test_it_answers_while_it_thinks(thinking: tuple[FakePlayer, Talk]) -> None:
    _, talk = thinking
    talk.say("isready", "setoption name moveused value 3", "go", "isready")
    busy = "log Error: go, but the last one is still being thought about"
    assert talk.output.lines() == ["readyok", busy, "readyok"]
    talk.say("stop").wait_for("bestmove")
    assert len(talk.end()) == 4


def test_a_stop_right_behind_go_is_not_lost() -> None:
    for seed in range(10):
        talk = aei(FakePlayer(seed, endless=True)).say(FEW, "go", "stop")
        talk.wait_for("bestmove")
        talk.say("stop")
        assert len(talk.end()) == 1


def test_pondering_ends_without_a_move() -> None:
    player = FakePlayer()
    talk = aei(player).say(FEW, "makemove Ed4w", "go ponder")
    assert player.thinks.wait(PATIENCE)
    talk.say("isready", "makemove ee6w", "setoption name depth value 3", "go")
    talk.wait_for("bestmove")
    assert [line.split()[0] for line in talk.end()] == ["readyok", "bestmove"]
    assert [limits.endless for limits in player.asked] == [True, False]


def test_pondering_can_be_followed_by_go() -> None:
    player = FakePlayer()
    talk = aei(player).say(FEW, "go ponder")
    assert player.thinks.wait(PATIENCE)
    talk.say("setoption name depth value 3", "go").wait_for("bestmove")
    assert len(talk.end()) == 1


def test_a_move_breaks_thinking_off(thinking: tuple[FakePlayer, Talk]) -> None:
    player, talk = thinking
    talk.say("makemove Ed4w")
    wait_until(lambda: not player.thinks.is_set())
    assert talk.end() == ["log thinking is broken off; no bestmove follows"]


@pytest.mark.parametrize(
    ("lines", "answers"),
    [(["go", "quit", "isready"], 1), (["go ponder", "quit"], 0), (["go"], 1)],
    ids=["thinking", "pondering", "the end of the input"],
)
def test_quit_ends_it_while_it_thinks(lines: list[str], answers: int) -> None:
    player = FakePlayer(endless=True)
    engine, status, said = served("aei", FEW, *lines, player=player)
    assert status == 0
    assert engine.closed_well and player.closed  # the last wait was not waited out
    greeting = said.index("aeiok") + 1
    assert [line.split()[0] for line in said[greeting:]] == ["bestmove"] * answers


# --- time, and other settings --------------------------------------------------------------------


def asked_after(*lines: str) -> Limits:
    """With which limits a player is asked for the first turn after the setups."""
    player = FakePlayer()
    talk = aei(player).say("newgame", f"makemove {GOLD}", f"makemove {SILVER}", *lines, "go")
    talk.wait_for("bestmove")
    assert "Warning" not in "".join(talk.end())
    return player.asked[0]


def option(name: str, value: object) -> str:
    return f"setoption name {name} value {value}"


def test_the_clock_is_put_together_from_options() -> None:
    began = time.monotonic()
    settings = "tcmove=15 tcreserve=90 tcpercent=50 tcmax=120 tctotal=7200 tcturntime=60"
    settings += " greserve=80 sreserve=70 gused=3 sused=4 lastmoveused=4 moveused=2"
    limits = asked_after(*(option(*setting.split("=")) for setting in settings.split()))
    clock = limits.clock
    assert clock
    assert clock.control == TimeControl(15, 90, 50, 120, 7200, 0, 60)
    assert clock.reserves == (80.0, 70.0)
    assert clock.left(0) == 60.0
    passed = time.monotonic() - began
    assert 7200 - passed <= clock.game_left() <= 7200
    assert 2.0 <= limits.used <= 2.0 + passed


def test_without_a_clock_depth_or_nodes_it_takes_a_time_of_its_own() -> None:
    assert asked_after().hard == UNTIMED_SECONDS
    assert asked_after(option("tcmove", 0), option("tcreserve", 0)).hard == UNTIMED_SECONDS
    assert asked_after(option("depth", 6)).depth == 6
    assert asked_after(option("depth", 6)).hard is None
    assert asked_after(option("depth", 0), option("nodes", 500)).nodes == 500
    assert asked_after(option("depth", -1)).depth is None


def test_a_part_of_a_second_is_not_lost() -> None:
    clock = asked_after(option("tcmove", 0.5)).clock
    assert clock and clock.left(0) == 0.5


def test_a_new_game_fills_the_reserves_again() -> None:
    player = FakePlayer()
    talk = aei(player).say(option("tcreserve", 90), option("tcmove", 1), option("greserve", 5))
    talk.say("go").wait_for("bestmove")
    talk.say("newgame", "go").wait_for("bestmove", 2)
    talk.end()
    clocks = [limits.clock for limits in player.asked]
    assert [clock.reserves[0] for clock in clocks if isinstance(clock, Clock)] == [5.0, 90.0]
    assert player.begun == ["1g", "1g"]


def test_settings_open_another_player() -> None:
    first, second = FakePlayer(), FakePlayer()
    talk = aei(first, second).say("isready", "isready")
    talk.wait_for("readyok", 2)
    assert len(talk.opened) == 1
    for name, value in (("hash", 128), ("level", 3), ("seed", 9)):
        talk.say(option(name, value))
    talk.say("isready").wait_for("readyok", 3)
    talk.say("go").wait_for("bestmove")
    talk.end()
    assert first.closed and second.asked
    _, one = talk.opened[1]
    assert (one.hash_mb, one.level, one.seed) == (128, 3, 9)


def test_rules_and_handicaps_hold_from_the_next_beginning_on() -> None:
    talk = aei(FakePlayer())
    talk.say(option("rules", "classic"), option("handicap", "gold:camel"), "newgame", "go")
    move = talk.wait_for("bestmove").split()[1:]
    assert len(move) == 15 and not any(word.startswith("M") for word in move)
    play = talk.engine.play
    assert play and play.position.rules.name == "classic"
    talk.say("setoption name handicap", "newgame", "go")
    assert len(talk.wait_for("bestmove", 2).split()) == 17
    talk.end()


# --- when things go wrong ------------------------------------------------------------------------


def test_a_player_can_resign() -> None:
    talk = aei(ScriptedPlayer("resigns")).say(FEW, "go")
    talk.wait_for("bestmove resign")
    talk.end()


def test_a_fault_of_the_player_is_said_in_one_line_and_ends_the_engine() -> None:
    log = io.StringIO()
    talk = aei(FailingPlayer(), log=log)
    ended: list[bool] = []
    talk.engine.abandon = lambda: ended.append(True)
    talk.say(FEW, "go")
    wait_until(lambda: bool(ended))
    assert talk.end() == ["log Error: ZeroDivisionError: a fault in two lines"]
    assert talk.engine.status == 1
    assert "! ZeroDivisionError: a fault" in log.getvalue()
    assert f"> {FEW}" in log.getvalue()


def test_a_controller_that_is_gone_is_no_fault() -> None:
    class Broken(io.StringIO):
        def write(self, words: str) -> int:
            raise BrokenPipeError

    engine = AeiEngine(Channel(Broken()), factory=lambda *asked: FakePlayer())
    assert engine.serve(["aei", FEW, "isready", "go"]) == 0


def test_no_line_ever_makes_it_fail() -> None:
    rng = random.Random(7)
    words = (
        *("isready", "newgame", "setposition", "setoption", "name", "value", "makemove", "go"),
        *("stop", "ponder", "hash", "rules", "tcmove", "1", "-1", "g", "[", "]", "Ee2n", "resign"),
        *("takeback", GOLD, SILVER, FEW, "\x00", "é", "handicap", "gold:camel", "9" * 40, "aei"),
    )
    for _ in range(60):
        talk = aei(FakePlayer())
        for _ in range(20):
            line = " ".join(rng.choices(words, k=rng.randrange(4)))
            if not talk.engine.over:
                talk.say(line)
        for said in talk.end():
            assert said.split()[0] in ("log", "readyok", "bestmove", "info"), said
            assert "Error: TypeError" not in said and "Error: KeyError" not in said


# --- opening the player --------------------------------------------------------------------------


def opened_after(wait: Callable[[], object]) -> tuple[AeiEngine, Output, FakePlayer]:
    """An engine whose player is opened after a wait, as when code is compiled."""
    output, player = Output(), FakePlayer()

    def factory(
        words: str, game: str, settings: PlayerResources, show: Show | None = None
    ) -> FakePlayer:
        assert show
        for done in range(3):
            show(CompileProgress(done, 9, done))
        wait()
        return player

    return AeiEngine(Channel(output), factory=factory), output, player


REPORT_AFTER = "trine.engine.protocol.thinker.REPORT_AFTER"


def test_it_answers_while_it_gets_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(REPORT_AFTER, PATIENCE)
    opens = Event()
    engine, output, _ = opened_after(partial(opens.wait, PATIENCE))
    for line in ("aei", "isready", "setoption name colour value blue", "isready"):
        engine.handle(line)
    assert output.lines()[5:] == ["log Warning: unknown option 'colour'"]
    opens.set()
    output.wait_for("readyok", 2)
    engine.thinker.close(PATIENCE)
    assert output.lines()[6:] == ["readyok", "readyok"]


def test_a_quit_does_not_wait_long_for_readiness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trine.engine.protocol.engine_session.ANSWER_TIMEOUT", 0.1)
    monkeypatch.setattr("trine.engine.protocol.engine_session.QUIT_TIMEOUT", 0.1)
    opens = Event()
    engine, output, _ = opened_after(partial(opens.wait, PATIENCE))
    assert engine.serve(["aei", "isready", "quit"]) == 0
    assert not opens.is_set() and not engine.closed_well
    assert "readyok" not in output.lines()
    opens.set()


def test_getting_ready_counts_as_used_time() -> None:
    engine, output, player = opened_after(partial(time.sleep, 0.3))  # this is about time itself
    began = time.monotonic()
    for line in ("aei", FEW, option("tcmove", 9), option("moveused", 1), "go"):
        engine.handle(line)
    output.wait_for("bestmove")
    engine.thinker.close(PATIENCE)
    assert 1.3 <= player.asked[0].used < 1.1 + time.monotonic() - began


def test_what_is_compiled_is_said_where_it_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(REPORT_AFTER, -1.0)  # whatever it takes is long
    engine, output, _ = opened_after(lambda: None)
    engine.handle("aei")
    greeted = len(output.lines())
    engine.handle("isready")
    output.wait_for("readyok")
    engine.thinker.close(PATIENCE)
    compiling, ready, *said = output.lines()[greeted:]
    assert compiling == "log compiling Arimaa, once on this machine: 1 of 9 parts"
    assert re.fullmatch(r"log ready to think after \d+\.\d s", ready)
    assert said == ["readyok"]
