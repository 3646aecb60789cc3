"""Programs that do wrong lose a game, and nothing else: no hang, no traceback, no process left."""

import os
import re
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from hostile.wrong_engine import FAULTS
from trine.core.clock import Limits
from trine.core.errors import FileError, MalformedError
from trine.core.play import Play
from trine.core.work.stop import Stop
from trine.engine.players.player import Decision, ForfeitError, Info
from trine.engine.protocol.players import open_player
from trine.engine.protocol.program import Program
from trine.engine.protocol.program_player import ProgramPlayer, Timeouts
from trine.games import new_play
from waiting import wait_until

SCRIPT = Path(__file__).resolve().parent / "wrong_engine.py"
GAMES = {"aei": "arimaa", "ugi": "corridor"}
TIMEOUTS = Timeouts(greeting=60.0, readiness=60.0, margin=60.0, untimed_turn=60.0, farewell=0.3)
"""For what comes, be the machine as busy as it likes."""
NO_GREETING = replace(TIMEOUTS, greeting=0.5)
NEVER_READY = replace(TIMEOUTS, readiness=0.5)
NO_ANSWER = replace(TIMEOUTS, margin=0.3, untimed_turn=1.0)
"""For what never comes."""
LONGEST = 180.0
"""Units: seconds; no fault may take longer, on a machine that does much else."""

AT_OPENING = {
    "crash at start": "it has ended with code 1: 'RuntimeError: this engine is broken from the start'",
    "silent from the start": "it does not answer to {protocol}",
}
AT_BEGINNING = {
    "crash at isready": "it has ended with code 3",
    "never ready": "it does not get ready",
    "does not read": "it does not get ready",
}
WHILE_CHOOSING = {
    "crash while thinking": "it has ended with code 1: 'RuntimeError: this engine is broken'",
    "ended by a signal": "it was ended by signal 9",
    "closes its output": "it has closed its output",
    "silent while thinking": "it does not answer in time",
    "ignores stop": "it does not answer in time",
    "garbage instead of a move": "its answer .* is not legal: .*",
    "no move": "its answer '' is not legal: it means that there is no move, but the game .*",
    "none": "its answer 'none' is not legal: it means that there is no move, but the game .*",
    "illegal move": "its answer .* is not legal: .*",
    "move of the other side": "its answer .* is not legal: .*",
    "more than a turn": "its answer .* is not legal: .*",
    "words for people": "its answer .* is not legal: .*",
    "flood without an end": "it does not answer in time",
    "huge line": "its answer .* is not legal: .*",
    "bytes that are no text": "its answer .* is not legal: .*",
}
FORGIVEN = tuple(
    fault for fault in FAULTS if fault not in {**AT_OPENING, **AT_BEGINNING, **WHILE_CHOOSING}
)
both = pytest.mark.parametrize("protocol", GAMES)


def words_of(protocol: str, fault: str) -> str:
    command = (sys.executable, str(SCRIPT), protocol, fault, GAMES[protocol])
    return f"{protocol}:{shlex.join(command)}"


@contextmanager
def opened(protocol: str, fault: str, timeouts: Timeouts = TIMEOUTS) -> Iterator[ProgramPlayer]:
    """A player that does wrong; whatever happens, it is over soon, and nothing is left of it."""
    began = time.monotonic()
    player = open_player(words_of(protocol, fault), GAMES[protocol], timeouts=timeouts)
    assert isinstance(player, ProgramPlayer)
    try:
        yield player
    finally:
        player.close()
    assert time.monotonic() - began < LONGEST
    assert player._program is None


def turn_of(player: ProgramPlayer, play: Play, limits: Limits | None = None) -> Decision:
    player.begin(play)
    return player.choose(play, limits or Limits(depth=1))


@both
@pytest.mark.parametrize("fault", AT_OPENING)
def test_a_program_that_does_not_greet_cannot_be_opened(protocol: str, fault: str) -> None:
    timeouts = NO_GREETING if "silent" in fault else TIMEOUTS
    with pytest.raises(ForfeitError) as error, opened(protocol, fault, timeouts):
        pass
    assert str(error.value) == AT_OPENING[fault].format(protocol=protocol.upper())
    assert f"> {protocol}" in error.value.transcript.splitlines()
    if fault == "crash at start":
        assert "! RuntimeError: this engine is broken from the start" in error.value.transcript


@both
@pytest.mark.parametrize("fault", AT_BEGINNING)
def test_a_program_that_does_not_get_ready_forfeits(protocol: str, fault: str) -> None:
    play = new_play(GAMES[protocol])
    with opened(protocol, fault, TIMEOUTS if "crash" in fault else NEVER_READY) as player:
        with pytest.raises(ForfeitError) as error:
            player.begin(play)
        assert str(error.value) == AT_BEGINNING[fault]
        with pytest.raises(ForfeitError):
            player.choose(play, Limits(depth=1))


@both
@pytest.mark.parametrize("fault", WHILE_CHOOSING)
def test_a_program_that_does_not_choose_a_turn_forfeits(protocol: str, fault: str) -> None:
    timeouts = NO_ANSWER if "in time" in WHILE_CHOOSING[fault] else TIMEOUTS
    play = new_play(GAMES[protocol])
    position = play.position
    with opened(protocol, fault, timeouts) as player:
        assert player.name == fault
        with pytest.raises(ForfeitError) as error:
            turn_of(player, play)
    assert re.fullmatch(WHILE_CHOOSING[fault], str(error.value), re.DOTALL)
    assert len(error.value.transcript) < 100_000
    assert (play.position, play.turns) == (position, [])
    if "flood" not in fault:
        assert f"> {protocol}" in error.value.transcript
    if "crash" in fault:
        assert "! RuntimeError: this engine is broken" in error.value.transcript


@both
@pytest.mark.parametrize("fault", FORGIVEN)
def test_a_program_that_is_only_odd_plays_on(protocol: str, fault: str) -> None:
    play = new_play(GAMES[protocol])
    with opened(protocol, fault) as player:
        player.begin(play)
        for _ in range(2):
            decision = player.choose(play, Limits(depth=1))
            play.follow(play.check(decision.actions))
    assert len(play.turns) == 2


def test_a_fixed_time_ends_with_a_stop_and_a_forfeit() -> None:
    play = new_play("corridor")
    with opened("ugi", "silent while thinking", NO_ANSWER) as player:
        player.begin(play)
        began = time.monotonic()
        with pytest.raises(ForfeitError) as error:
            player.choose(play, Limits(hard=0.3))
        assert 0.6 <= time.monotonic() - began < LONGEST
    assert error.value.transcript.splitlines()[-2:] == ["> go movetime 300", "> stop"]


def test_a_stop_of_endless_thinking_is_waited_for_only_so_long() -> None:
    play = new_play("corridor")
    with opened("ugi", "ignores stop", NO_ANSWER) as player:
        player.begin(play)
        stop = Stop()
        with pytest.raises(ForfeitError, match="in time"):
            player.choose(play, Limits(), lambda info: stop.set(), stop)


def test_the_next_game_begins_with_a_new_program() -> None:
    play = new_play("corridor")
    with opened("ugi", "crash while thinking") as player:
        for _ in range(2):
            with pytest.raises(ForfeitError, match="code 1"):
                turn_of(player, play)


def test_a_crash_between_two_turns_is_noticed() -> None:
    play = new_play("corridor")
    with opened("ugi", "chatter") as player:
        decision = turn_of(player, play)
        play.act(decision.actions[0])
        assert player._program
        os.kill(player._program._process.pid, 9)
        with pytest.raises(ForfeitError, match="ended by signal 9"):
            player.choose(play, Limits(depth=1))


def test_a_flood_does_not_fill_the_memory() -> None:
    play = new_play("corridor")
    told: list[Info] = []
    with opened("ugi", "flood without an end", NO_ANSWER) as player:
        player.begin(play)
        with pytest.raises(ForfeitError):
            player.choose(play, Limits(depth=1), told.append)
        assert told and all(info.score.points == 1 for info in told)


@both
def test_children_of_a_program_end_with_it(protocol: str) -> None:
    with opened(protocol, "leaves a child behind") as player:
        child = int(player._names["child"])
        os.kill(child, 0)

    def gone() -> bool:
        try:
            state = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        return state == "Z"  # dead, and only not yet buried by whoever inherited it

    if Path("/proc").exists():
        wait_until(gone)


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(FileError, match=r"cannot start no-such-program-at-all: "):
        open_player("engine:no-such-program-at-all", "corridor")
    with pytest.raises(MalformedError):
        open_player("engine:'", "corridor")


def test_a_player_may_be_closed_twice_and_without_a_game() -> None:
    with opened("ugi", "chatter") as player:
        player.close()
        player.close()


def test_whoever_speaks_to_a_program_that_does_not_read_never_waits() -> None:
    began = time.monotonic()
    program = Program([sys.executable, "-c", "import time; time.sleep(600)"])
    for _ in range(100):
        program.send("isready " * 10_000)
    assert program.receive(0.1) is None
    program.close(0.1)
    assert time.monotonic() - began < LONGEST
    assert not program.runs
