"""Programs as players: what they are told, what comes of their answers; players by their words."""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest

from engine.protocol.fakes import FAKE_ENGINE, random_turn
from trine.core.clock import Clock, Limits, parse_time_control
from trine.core.contract.position import Action, Reason
from trine.core.contract.score import WIN, Score
from trine.core.errors import MalformedError
from trine.core.play import Play
from trine.core.work.stop import Stop
from trine.engine.players.player import ForfeitError, Info, PlayerResources
from trine.engine.protocol.aei import RABBIT_POINTS, AeiPlayer
from trine.engine.protocol.players import open_player
from trine.engine.protocol.program import split_command
from trine.engine.protocol.program_player import ProgramPlayer, Report, Timeouts
from trine.engine.protocol.ugi import UgiPlayer
from trine.games import ROOMS, new_play, open_room

RULES = ["arimaa/official", "tzaar/open", "corridor/great-wall"]
PATIENCE = Timeouts(greeting=60.0, readiness=60.0, margin=60.0, farewell=3.0)


@contextmanager
def engine(protocol: str, game: str = "arimaa", seed: int = 0) -> Iterator[ProgramPlayer]:
    command = split_command(f"{FAKE_ENGINE} {protocol} {game.partition('/')[0]} {seed}")
    kind = AeiPlayer if protocol == "aei" else UgiPlayer
    player = kind(command, game, timeouts=PATIENCE)
    try:
        yield player
    finally:
        player.close()


def said(player: ProgramPlayer) -> list[str]:
    assert player._program
    lines = player._program.transcript.splitlines()
    return [line[2:] for line in lines if line.startswith("> ")]


def after_turns(game: str, turns: int) -> Play:
    play, rng = new_play(game), Random(game)
    while len(play.turns) < turns and not play.outcome:
        play.act_unchecked(*random_turn(play, rng))
    return play


@pytest.mark.parametrize("game", RULES)
def test_engines_play_each_other(game: str) -> None:
    play = new_play(game)
    with engine("ugi", game, 1) as one, engine("ugi", game, 2) as other:
        players = (one, other)
        for player in players:
            assert player.name.startswith("trine ")
            player.begin(play)
        while not play.outcome and len(play.turns) < 10:
            decision = players[play.mover].choose(play, Limits(depth=1))
            assert decision.info and decision.info.pv == decision.actions
            play.follow(play.check(decision.actions))
    assert play.turns


def test_aei_and_ugi_play_each_other() -> None:
    game = "arimaa/diagonal"
    play = new_play(game, handicap="gold:camel silver:horse,dog")
    with engine("aei", game, 1) as one, engine("ugi", game, 2) as other:
        players = (one, other)
        assert one.name == "trine"
        for player in players:
            player.begin(play)
        while not play.outcome and len(play.turns) < 10:
            play.follow(play.check(players[play.mover].choose(play, Limits(depth=1)).actions))
        assert len(play.turns[0].actions) == 16  # fifteen pieces, and the end
        assert (
            f"setoption name StartHandicap value {play.room.rules.start_tags(play.start)['Handicap']}"
            in said(other)
        )


def test_what_an_aei_engine_is_told() -> None:
    play = after_turns("arimaa", 3)
    turns = [play.room.tag(turn.before) for turn in play.turns]
    assert turns == ["1g", "1s", "2g"]
    clock = Clock.start(parse_time_control("0:15/2/50/10"))
    with engine("aei") as player:
        player.settings = {"hash": 32}
        player.begin(play)
        decision = player.choose(play, Limits(clock=clock))
        play.follow(play.check(decision.actions))
        play.follow(play.check(random_turn(play, Random(2))))
        player.choose(play, Limits(clock=clock, used=1.5))
        lines = said(player)
    moves = [line for line in lines if line.startswith("makemove")]
    assert len(moves) == 5 and moves[0].count(" ") == 16
    assert [line for line in lines if not line.startswith("makemove")] == [
        "aei",
        "setoption name hash value 32",
        "newgame",
        "isready",
        "isready",
        "setoption name tcmove value 15",
        "setoption name tcreserve value 120",
        "setoption name tcpercent value 50",
        "setoption name tcmax value 600",
        "setoption name tctotal value 0",
        "setoption name tcturns value 0",
        "setoption name tcturntime value 0",
        "setoption name greserve value 120",
        "setoption name sreserve value 120",
        "setoption name moveused value 0",
        "setoption name depth value 0",
        "go",
        "isready",
        "setoption name greserve value 120",
        "setoption name sreserve value 120",
        "setoption name moveused value 2",
        "go",
    ]


def test_what_a_ugi_engine_is_told() -> None:
    play = new_play("corridor/great-wall", players=3, size=5)
    play.enter("a1 a5 e5")
    play.leave(Reason.RESIGNATION)
    with engine("ugi", "corridor") as player:
        player.settings = {"hash": 32, "level": 3}
        player.begin(play)
        decision = player.choose(play, Limits(nodes=9))
        lines = said(player)
    play.act(decision.actions[0])
    assert lines == [
        "ugi",
        "setoption name Hash value 32",
        "setoption name Level value 3",
        "setoption name Game value corridor",
        "setoption name Rules value great-wall",
        "setoption name StartPlayers value 3",
        "setoption name StartSize value 5",
        "setoption name StartWalls value <empty>",
        "setoption name StartDrawn value <empty>",
        "setoption name StartRepetition value <empty>",
        "uginewgame",
        "position startpos moves @a1 @a5 @e5 resigns",
        "isready",
        "position startpos moves @a1 @a5 @e5 resigns",
        "isready",
        "go nodes 9",
    ]


def test_positions_are_told_where_no_option_tells_them() -> None:
    with engine("ugi", "tzaar") as player:
        for play in (
            new_play("tzaar", setup="random", seed=7),
            new_play("corridor", "quoridor 9 2 e2,e8 d3h,f5v 9,9 1"),
            new_play("arimaa", "2g 8/r1c4r/8/2e1h3/3E4/8/R3C1HR/8"),
        ):
            player.begin(play)
            decision = player.choose(play, Limits(depth=1))
            assert f"position fen {play.room.rules.format_position(play.start)}" in said(player)
            play.act(decision.actions[0])


def test_an_aei_engine_is_told_a_position_in_letters() -> None:
    play = new_play("arimaa", "5s 8/r1c4r/8/2e1h3/3E4/8/R3C1HR/8")
    with engine("aei") as player:
        player.begin(play)
        play.follow(play.check(player.choose(play, Limits(depth=1)).actions))
        ranks = ("", "r c    r", "", "  e h", "   E", "", "R   C HR", "")
        squares = "".join(rank.ljust(8) for rank in ranks)
        assert f"setposition s [{squares}]" in said(player)


def test_engines_can_go_on_with_any_game_and_after_takebacks() -> None:
    for protocol, game in (("aei", "arimaa"), ("ugi", "tzaar"), ("ugi", "corridor")):
        play = after_turns(game, 6)
        with engine(protocol, game) as player:
            player.begin(play)
            player.choose(play, Limits(depth=1))
            play.take_back()
            play.take_back()
            decision = player.choose(play, Limits(depth=1))
            play.follow(play.check(decision.actions))
            player.begin(other := new_play(game))
            other.follow(other.check(player.choose(other, Limits(depth=1)).actions))


def test_an_open_turn_is_gone_on_with() -> None:
    tzaar = after_turns("tzaar", 3)
    tzaar.act(tzaar.legal_actions()[0])
    arimaa = new_play("arimaa", "2g 8/r1c4r/8/2e1h3/3E4/8/R3C1HR/8")
    arimaa.enter("d4n")
    with engine("ugi", "tzaar") as player:
        for play in (tzaar, arimaa):
            player.begin(play)
            turns = len(play.turns)
            play.follow(play.check(player.choose(play, Limits(depth=1)).actions))
            assert len(play.turns) == turns + 1
    with engine("aei") as player, pytest.raises(ForfeitError, match="whole turns only"):
        play = new_play("arimaa", "2g 8/r1c4r/8/2e1h3/3E4/8/R3C1HR/8")
        play.enter("d4n")
        player.begin(play)


def test_what_an_engine_thinks_is_told() -> None:
    for protocol, game in (("aei", "arimaa"), ("ugi", "tzaar")):
        play = after_turns(game, 2)
        told: list[Info] = []
        with engine(protocol, game) as player:
            player.begin(play)
            decision = player.choose(play, Limits(depth=1), told.append)
        (info,) = told
        assert (info.depth, info.nodes, info.score) == (2, 77, Score(35))
        assert info.pv == decision.actions[: len(info.pv)]
        assert decision.info and decision.info.pv == decision.actions


def test_scores_survive_the_way_there_and_back() -> None:
    with engine("aei") as player:
        for points in (0, 1, -35, 120, -2400, WIN - 3, -WIN + 8):
            report = Report()
            player.note(report, f"score {round(points * 100 / RABBIT_POINTS)}")
            assert report.score == Score(points)
            player.note(report, "score 99999999999")
            assert report.score == Score(WIN)
            player.note(report, f"score {'9' * 400}")
            assert report.score == Score(WIN)


def test_endless_thinking_is_stopped() -> None:
    play = new_play("tzaar")
    with engine("ugi", "tzaar") as player:
        player.begin(play)
        stop = Stop()
        decision = player.choose(play, Limits(), lambda info: stop.set(), stop)
        assert said(player)[-2:] == ["go", "stop"]
        assert decision.actions
        player.choose(play, Limits(depth=1))  # the stop was that of the other turn


def test_a_play_of_another_game_is_refused() -> None:
    with engine("aei") as player, pytest.raises(ForfeitError, match="AEI is for Arimaa only"):
        player.begin(new_play("tzaar"))


@pytest.mark.parametrize("game", RULES)
def test_variations_are_read_as_they_are_written(game: str) -> None:
    rng = random.Random(game)
    for protocol in ("ugi", "aei")[: 1 + game.startswith("arimaa")]:
        play = after_turns(game, 2)
        with engine(protocol, game) as player:
            for length in (1, 2, 3, 5, 9):
                ahead, line = play.copy(), list[Action]()
                while len(line) < length and not ahead.outcome:
                    line.append(rng.choice(ahead.legal_actions()))
                    ahead.act(line[-1])
                words = _written(protocol, play, tuple(line))
                read = player.read_variation(play, words)
                ends = [action for action in line if action != play.room.rules.end]
                assert [action for action in read if action != play.room.rules.end] == ends, words


def _written(protocol: str, play: Play, line: tuple[Action, ...]) -> str:
    from engine.protocol.fakes import ScriptedPlayer, aei, ugi  # their names are the protocols here

    talk = aei(ScriptedPlayer()) if protocol == "aei" else ugi(play.room.name, ScriptedPlayer())
    talk.engine._tell(play, Info(1, Score(0), line, 1, 0.1))  # type: ignore[attr-defined]
    return talk.end()[-1].partition("pv ")[2]


def test_engines_by_their_words() -> None:
    for words, game, kind in (
        (f"engine:{FAKE_ENGINE} aei", "arimaa", AeiPlayer),
        (f"engine:{FAKE_ENGINE} ugi", "arimaa/classic", UgiPlayer),
        (f"engine:{FAKE_ENGINE} ugi tzaar", "tzaar", UgiPlayer),
        (f"aei:{FAKE_ENGINE} aei", "arimaa", AeiPlayer),
        (f"ugi:{FAKE_ENGINE} ugi corridor", "corridor", UgiPlayer),
    ):
        began = time.monotonic()
        player = open_player(words, game, PlayerResources(16, seed=3), timeouts=PATIENCE)
        assert type(player) is kind
        assert time.monotonic() - began < PATIENCE.greeting / 2, (
            "it waited for a greeting in another protocol"
        )
        play = new_play(game)
        player.begin(play)
        play.follow(play.check(player.choose(play, Limits(depth=1)).actions))
        player.close()


@pytest.mark.parametrize(
    ("words", "game"),
    [
        ("", "arimaa"),
        ("bot:0", "tzaar"),
        ("bot:11", "tzaar"),
        ("bot:nobody", "tzaar"),
        ("engine:", "tzaar"),
        ("engine:   ", "tzaar"),
        ("xboard:gnuchess", "tzaar"),
        ("human", "tzaar"),
        ("bot:3", "chess"),
    ],
)
def test_words_that_name_no_player(words: str, game: str) -> None:
    with pytest.raises(MalformedError):
        open_player(words, game)


def test_bots_by_their_words() -> None:
    play = new_play("tzaar")
    for words in ("bot:1", "bot"):
        player = open_player(words, "tzaar/open", PlayerResources(1, seed=5))
        assert player.name == words
        player.begin(play)
        assert player.choose(play, Limits(nodes=100)).actions
        player.close()


def test_strategists_by_their_words() -> None:
    for room in map(open_room, ROOMS):
        for name in room.handbook.strategists:
            player = open_player(f"bot:{name}", room.name, PlayerResources(seed=5))
            assert player.name == f"bot:{name}"
            play = new_play(room.name)
            play.follow(play.check(player.choose(play, Limits()).actions))


def test_a_bot_without_a_level_is_asked_for_one() -> None:
    with pytest.raises(
        MalformedError, match="which level or strategist\\? there are bot:1 … bot:10"
    ):
        open_player("bot:", "arimaa")
