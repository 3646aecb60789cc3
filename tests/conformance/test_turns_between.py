"""The turns that lead from one position to another, in every room."""

import random
from pathlib import Path

import pytest

import trine
from playing import DUEL, HANDICAP, run_trine
from trine.core.contract.position import Position, position_after
from trine.core.play import Play, written_actions
from trine.games import ROOMS, open_room

RULE_SETS = [f"{name}/{rules}" for name in ROOMS for rules in open_room(name).rule_sets]
STARTS: dict[str, dict[str, object]] = {
    "arimaa": {"handicap": HANDICAP},
    "tzaar": {"setup": "random", "seed": 5},
    "corridor": {"size": 5, "players": 3},
}


def test_the_turns_of_a_play_are_found_and_all_that_are_found_lead_there() -> None:
    rng = random.Random(4)
    for game in RULE_SETS:
        play = trine.new_play(game, "", **STARTS[game.partition("/")[0]])
        while not play.outcome and len(play.turns) < 12:
            play.act(rng.choice(play.legal_actions()))
        for turn in play.turns:
            before = Play(play.room, turn.before)
            found = trine.turn_between(turn.before, turn.after)
            played = written_actions(play.room, turn.before, turn.actions)
            assert played in found or turn.before.in_setup, (game, played, found)
            assert found == sorted(found, key=lambda words: len(words.split())), game
            for words in found:
                before.enter(words)
                if before.position.turn_open and not before.outcome:
                    before.enter("end")
                assert before.position == turn.after or before.outcome, (game, words)
                before = Play(play.room, turn.before)


@pytest.mark.parametrize("game", ["arimaa", "tzaar", "corridor"])
def test_none_is_left_out(game: str) -> None:
    positions = {
        "arimaa": "2g 8/8/3d4/3Er3/8/8/8/R7",
        "tzaar": "",
        "corridor": "quoridor 5 2 c2,c4 b3h 2,2 1",
    }
    play = trine.new_play(game, position=positions[game])
    room, start = play.room, play.position
    leading: dict[Position, list[str]] = {}
    passed = room.rules.passed
    assert passed
    for turn in room.rules.legal_turns(start):
        after = position_after(start, turn)
        target = passed(after) if after.turn_open else after
        leading.setdefault(target, []).append(written_actions(room, start, turn))
    rng = random.Random(1)
    for target in rng.sample(list(leading), min(30, len(leading))):
        assert sorted(trine.turn_between(start, target)) == sorted(leading[target])


def test_a_turn_that_wins_within_it_leads_to_the_board_with_the_other_player_to_move() -> None:
    rng = random.Random(2)
    play = trine.new_play("tzaar", setup="random", seed=2)
    while not (play.outcome and play.position.turn_open):
        play = trine.new_play("tzaar", setup="random", seed=rng.randrange(1000))
        while not play.outcome:
            play.act(rng.choice(play.legal_actions()))
    last = play.turns[-1]
    assert play.room.rules.passed
    shown = play.room.rules.passed(last.after)
    assert written_actions(play.room, last.before, last.actions) in trine.turn_between(
        last.before, shown
    )


def test_the_command_prints_each_turn_on_a_line(tmp_path: Path) -> None:
    done = run_trine(tmp_path, "turn", DUEL, DUEL.replace("2g", "2s").replace("/3E4/8", "/8/3E4"))
    lines = done.stdout.splitlines()
    assert lines[0] == "Ed4s" and len(lines) == len(set(lines)) > 1
    assert done.stderr == f"turns: {len(lines)}\n"
    from_start = run_trine(tmp_path, "turn", "corridor", "quoridor 9 2 e1,e9 d3h 9,10 2")
    assert from_start.stdout == "d3h\n"


def test_it_says_why_there_is_none(tmp_path: Path) -> None:
    same = run_trine(tmp_path, "turn", DUEL, DUEL, status=1)
    assert same.stdout == ""
    assert "Gold is to move in both" in same.stderr
    far = run_trine(tmp_path, "turn", "corridor", "quoridor 9 2 e5,e9 - 10,10 2", status=1)
    assert "no legal turn leads from one position to the other" in far.stderr
    other = run_trine(tmp_path, "turn", "corridor", DUEL, status=None)
    assert other.returncode == 2 or "not of one game" in other.stderr
