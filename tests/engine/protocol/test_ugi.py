"""The engine's side of UGI: transcripts for all games, and what happens when things go wrong."""

from __future__ import annotations

import io
import random

import pytest

from engine.protocol.fakes import FailingPlayer, FakePlayer, ScriptedPlayer, random_turn, ugi
from trine import __version__
from trine.core.clock import Limits
from trine.core.contract.position import Reason
from trine.core.play import Play
from trine.core.work.stop import Stop
from trine.engine.players.player import Decision, OnInfo
from trine.engine.protocol.engine_session import Channel
from trine.engine.protocol.turn_words import LEAVING, played_move, read_move
from trine.engine.protocol.ugi import UgiEngine
from trine.games import ROOMS, new_play, open_room
from waiting import PATIENCE, wait_until

GOLD = "Ra1,Rb1,Rc1,Dd1,De1,Rf1,Rg1,Rh1,Ra2,Hb2,Cc2,Md2,Ee2,Cf2,Hg2,Rh2"
SILVER = "ra7,hb7,cc7,md7,ee7,cf7,hg7,rh7,ra8,rb8,rc8,dd8,de8,rf8,rg8,rh8"
REFUSED = "info string error: the last position was refused"
RULES = [f"{room.name}/{rules}" for room in map(open_room, ROOMS) for rules in room.rule_sets]


def test_the_greeting() -> None:
    assert ugi("corridor", rules="great-wall").say("ugi").end() == [
        f"id name trine {__version__}",
        "id author the trine project",
        "option name Game type combo default corridor var arimaa var tzaar var corridor",
        "option name Rules type string default great-wall",
        "option name Hash type spin default 64 min 1 max 1048576",
        "option name Level type spin default 10 min 1 max 10",
        "option name Seed type spin default 0 min 0 max 2147483647",
        "option name StartHandicap type string default <empty>",
        "option name StartCompetition type string default <empty>",
        "option name StartSetup type string default <empty>",
        "option name StartSeed type string default <empty>",
        "option name StartPlayers type string default <empty>",
        "option name StartSize type string default <empty>",
        "option name StartWalls type string default <empty>",
        "option name StartDrawn type string default <empty>",
        "option name StartRepetition type string default <empty>",
        "ugiok",
    ]


def test_a_game_of_tzaar() -> None:
    player = ScriptedPlayer("d3d4", "f1e2 h1g1", told=True)
    talk = ugi("tzaar", player).say("isready")
    talk.wait_for("readyok")
    talk.say("uginewgame", "position startpos", "query p1turn", "go depth 4").wait_for("bestmove")
    talk.say("position startpos moves d3xd4", "query p1turn", "go movetime 100")
    talk.wait_for("bestmove", 2)
    talk.say("position startpos moves d3xd4 f1xe2,h1+g1", "query p1turn", "query gameover")
    assert talk.say("query result").end() == [
        "readyok",
        "response true",
        "info depth 1 score cp -35 nodes 77 nps 308 time 250 pv d3xd4",
        "bestmove d3xd4",
        "response false",
        "info depth 2 score cp -35 nodes 77 nps 308 time 250 pv f1xe2,h1+g1",
        "bestmove f1xe2,h1+g1",
        "response true",
        "response false",
        "response none",
    ]
    assert [limits.depth for limits in player.asked] == [4, None]
    assert [limits.hard for limits in player.asked] == [None, 0.1]


def test_a_comma_at_the_end_leaves_the_turn_open() -> None:
    arimaa = ScriptedPlayer("e4n")
    talk = ugi("arimaa", arimaa).say(f"position startpos moves {GOLD} {SILVER} Ee2n,Ee3n,", "go")
    talk.say("stop").wait_for("bestmove Ee4n")
    talk.end()
    tzaar = ugi("tzaar", ScriptedPlayer("h1g1"))
    tzaar.say("position startpos moves d3xd4 f1xe2,", "query p1turn", "go nodes 9")
    tzaar.wait_for("bestmove h1+g1")
    # An engine whose moves are single actions is understood too, as far as they are clear.
    tzaar.say("position startpos moves d3xd4 f1xe2, h1+g1", "query p1turn")
    assert tzaar.end()[-1] == "response true"


@pytest.mark.parametrize("game", RULES)
def test_whole_games_are_told_move_by_move_and_at_once(game: str) -> None:
    rng = random.Random(game)
    play = new_play(game)
    talk = ugi(game.partition("/")[0], FakePlayer(), rules=game.partition("/")[2])
    moves: list[str] = []
    for _ in range(60 if "arimaa" not in game else 12):
        if play.outcome:
            break
        play.act_unchecked(*random_turn(play, rng))
        moves.append(played_move(play, play.turns[-1]))
        talk.say(f"position startpos moves {' '.join(moves)}")
        told = talk.engine.play
        assert told and told.position == play.position and told.turns == play.turns
    talk.say("uginewgame", f"position startpos moves {' '.join(moves)}")
    assert talk.engine.play and talk.engine.play.turns == play.turns
    assert talk.end() == []


@pytest.mark.parametrize("game", RULES)
def test_moves_round_trip(game: str) -> None:
    rng = random.Random(game)
    play = new_play(game)
    for _ in range(8):
        if play.outcome:
            break
        turn = random_turn(play, rng)
        before = play.copy()
        play.act_unchecked(*turn)
        move = played_move(play, play.turns[-1])
        assert " " not in move
        assert read_move(before, move) == turn


@pytest.mark.parametrize(
    ("reason", "word"), [(Reason.RESIGNATION, "resigns"), (Reason.TIME, "lost")]
)
def test_who_leaves_is_told_in_a_word(reason: Reason, word: str) -> None:
    play = new_play("corridor/great-wall", players=3)
    play.leave(reason)
    assert played_move(play, play.turns[-1]) == word
    assert LEAVING[word] is reason


def test_a_takeback_is_a_shorter_list_of_moves() -> None:
    talk = ugi("corridor").say("position startpos moves e2 e8", "position startpos moves e2")
    play = talk.engine.play
    assert isinstance(play, Play) and len(play.turns) == 1
    talk.say("position startpos moves d1")
    assert talk.engine.play and str(talk.engine.play.turns[0].actions[0]) == "d1"
    talk.end()


WRONG_MOVES = ("e2 e9", "e2,e8", "fill")


def test_what_cannot_be_read_is_passed_over_and_said() -> None:
    positions = ("", " moves e2", " fen nonsense", *(f" startpos moves {m}" for m in WRONG_MOVES))
    talk = ugi("corridor").say(
        *("uci", "setoption name Colour value blue", "setoption Hash 12"),
        *("setoption name Hash value 0", "setoption name Game value chess"),
        *("setoption name Rules value chess", *(f"position{words}" for words in positions)),
        *("query p1turn", "position startpos", "query mood"),
        *("go movetime", "go depth x", "go quickly", "isready"),
    )
    talk.wait_for("readyok")
    said = talk.end()
    errors = [line for line in said if line.startswith("info string error: ")]
    assert len(errors) == 17
    others = [line for line in said if line not in errors]
    assert others == [*["response unknown"] * 2, *["bestmove none"] * 3, "readyok"]


def test_for_a_position_that_was_refused_no_move_is_played() -> None:
    talk = ugi("corridor", ScriptedPlayer("e8", "e8")).say("position startpos moves e2")
    talk.say("position startpos moves e2 e5", "go nodes 1", "query p2turn")
    assert talk.output.lines()[0].startswith("info string error: move 2, 'e5': e5: e5 is not ")
    assert talk.output.lines()[1:] == [REFUSED, "bestmove none", REFUSED, "response unknown"]
    talk.say("position startpos moves e2", "go nodes 1").wait_for("bestmove e8")
    talk.say("position fen nonsense", "uginewgame", "query p1turn")
    assert talk.end()[-1] == "response true"


def test_words_that_go_does_not_know_are_said() -> None:
    talk = ugi("corridor").say("go nodes 5 quickly")
    talk.wait_for("info string error: go does not know 'quickly'")
    talk.wait_for("bestmove")
    talk.end()


@pytest.mark.parametrize(
    "words", ["quickly", "depth 0", "nodes 0", "p2time 1000", "p1inc 100", "movetime", "depth few"]
)
def test_a_go_that_nothing_limits_is_refused_unless_it_says_so(words: str) -> None:
    player = FakePlayer()
    talk = ugi("corridor", player).say(f"go {words}")
    error, answer = talk.end()
    assert error.startswith("info string error: ") and answer == "bestmove none"
    assert not player.asked


def test_options_choose_game_rules_and_beginning() -> None:
    talk = ugi("arimaa").say("setoption name game value tzaar", "setoption name Rules value open")
    talk.say("setoption name StartSetup value random", "setoption name StartSeed value 7")
    talk.say("isready").wait_for("readyok")
    talk.say("query p1turn")
    play = talk.engine.play
    assert play and play.start == new_play("tzaar/open", setup="random", seed=7).start
    talk.say("setoption name StartSeed value <empty>", "setoption name StartSetup", "query p1turn")
    play = talk.engine.play
    assert play and play.start == new_play("tzaar/open").start
    talk.end()
    assert [game for game, _ in talk.opened] == ["tzaar"]


def test_it_answers_while_it_thinks() -> None:
    player = FakePlayer()
    talk = ugi("corridor", player).say("position startpos", "go infinite")
    assert player.thinks.wait(PATIENCE)
    talk.say("isready", "query p1turn", "position startpos moves e5", "go depth 1")
    said = talk.output.lines()
    assert said[:2] == ["readyok", "response true"]
    assert said[2].startswith("info string error: move 1, 'e5'")
    assert said[3:] == ["info string error: go, but the last one is still being thought about"]
    talk.say("stop").wait_for("bestmove")
    assert len(talk.end()) == 5


def test_infinite_is_answered_after_a_stop_only() -> None:
    player = ScriptedPlayer("e2", "e2", told=True)
    talk = ugi("corridor", player).say("position startpos", "go infinite")
    talk.wait_for("info")
    talk.say("isready", "stop").wait_for("bestmove")
    talk.say("go").wait_for("bestmove", 2)
    kinds = [line.split()[0] for line in talk.end()]
    assert kinds == ["info", "readyok", "bestmove", "info", "bestmove"]


@pytest.mark.parametrize(
    "line", ["position startpos moves e2", "uginewgame", "setoption name Game value tzaar"]
)
def test_another_position_breaks_thinking_off_and_that_is_said(line: str) -> None:
    player = FakePlayer()
    talk = ugi("corridor", player).say("go infinite")
    assert player.thinks.wait(PATIENCE)
    talk.say(line, "query gameover", "go depth 1").wait_for("bestmove")
    said = talk.end()
    assert said[0] == "info string thinking is broken off; no bestmove follows"
    assert [words.split()[0] for words in said[1:]] == ["response", "bestmove"]


def served(player: FakePlayer, *lines: str) -> tuple[UgiEngine, list[str]]:
    output = io.StringIO()
    engine = UgiEngine(Channel(output), "corridor", lambda *asked: player)
    assert engine.serve(lines) == 0
    return engine, output.getvalue().splitlines()


@pytest.mark.parametrize("end", [["quit", "isready"], []])
def test_whoever_quits_while_it_thinks_still_gets_an_answer(end: list[str]) -> None:
    player = FakePlayer(endless=True)
    engine, said = served(player, "isready", "go movetime 60000", *end)
    assert engine.closed_well and player.closed
    assert [line.split()[0] for line in said] == ["readyok", "bestmove"]


def test_a_player_that_does_not_answer_in_time_is_left_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Deaf(FakePlayer):
        def choose(
            self, play: Play, limits: Limits, told: OnInfo | None = None, stop: Stop | None = None
        ) -> Decision:
            return super().choose(play, limits, told, self.end)

        end = Stop()

    monkeypatch.setattr("trine.engine.protocol.engine_session.ANSWER_TIMEOUT", 0.1)
    monkeypatch.setattr("trine.engine.protocol.engine_session.QUIT_TIMEOUT", 0.1)
    player = Deaf(endless=True)
    engine, said = served(player, "go", "quit")
    assert not engine.closed_well
    assert said == ["info string thinking is broken off; no bestmove follows"]
    player.end.set()


def test_a_new_game_begins_anew_for_the_player() -> None:
    player = FakePlayer()
    talk = ugi("corridor", player).say("go")
    assert player.thinks.wait(PATIENCE)
    talk.say("uginewgame", "go nodes 3").wait_for("bestmove")
    assert talk.end()[0] == "info string thinking is broken off; no bestmove follows"
    assert player.begun == ["1s", "1s"]


def test_a_fault_of_the_player_is_said_in_one_line_and_ends_the_engine() -> None:
    log = io.StringIO()
    talk = ugi("corridor", FailingPlayer(), log=log).say("go")
    wait_until(lambda: talk.engine.over)
    assert talk.end() == ["info string error: ZeroDivisionError: a fault in two lines"]
    assert talk.engine.status == 1 and "! ZeroDivisionError" in log.getvalue()


def test_a_player_can_resign() -> None:
    talk = ugi("corridor", ScriptedPlayer("resigns")).say("go")
    talk.wait_for("bestmove resign")
    talk.end()


def test_no_line_ever_makes_it_fail() -> None:
    rng = random.Random(7)
    words = (
        *("ugi", "isready", "uginewgame", "position", "startpos", "fen", "moves", "query", "go"),
        *("stop", "setoption", "name", "value", "Game", "tzaar", "StartPlayers", "3", "4", "e2"),
        *("d3xd4", "-", ",", "resigns", "p1time", "p1inc", "movetime", "0", "-5", "nodes", "é"),
        *("infinite", "9" * 40, "\x00", "quoridor 9 2 e1,e9 - 10,10 1", "gameover", "result"),
    )
    for _ in range(80):
        talk = ugi(rng.choice(ROOMS), FakePlayer())
        for _ in range(20):
            talk.say(" ".join(rng.choices(words, k=rng.randrange(6))))
        talk.say("stop")
        for said in talk.end():
            assert said.split()[0] in {
                *("id", "option", "ugiok", "readyok", "info", "response", "bestmove")
            }
        assert talk.engine.status == 0
