"""The promises of every kernel through its doors, in every rule set."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from kernels import OTHERWISE, python
from trine.core.compiled.repetition import each_counts
from trine.core.contract.heuristics import Kernel
from trine.core.contract.position import NO_HISTORY, Position
from trine.core.contract.room import Room
from trine.core.contract.score import DRAWS, FORBIDDEN, LOSES, UNRESTRICTED
from trine.core.errors import IllegalError
from trine.core.play import Play
from trine.engine.search.perft import count_turns
from trine.games import ROOMS, new_play, open_kernel, open_room

RULES = [f"{name}/{rules}" for name in ROOMS for rules in open_room(name).rule_sets]
RULES += ["arimaa/classic competition=yes", "corridor/corridor-8 drawn=caught"]
PLIES = 60


def opened(game: str) -> tuple[Room, Kernel]:
    name = game.partition("/")[0]
    return open_room(name), open_kernel(name)


def begun(game: str) -> Play:
    name, *options = game.split()
    return new_play(name, **dict(option.split("=") for option in options))


def visited(game: str, seed: int) -> Iterator[Position]:
    play, rng = begun(game), random.Random(f"{game} {seed}")
    for _ in range(PLIES):
        yield play.position
        if play.outcome:
            return
        play.act_unchecked(rng.choice(play.legal_actions()))


@pytest.mark.parametrize("game", RULES)
def test_whole_turns_are_as_many_as_the_referee_finds(game: str) -> None:
    room, kernel = opened(game)
    compared = 0
    for position in visited(game, 5):
        if room.sets_up_whole(position):
            if position.turn_open:
                with pytest.raises(IllegalError, match="too many"):
                    count_turns(room, kernel, position)
            else:
                assert count_turns(room, kernel, position) == 64_864_800
            continue
        assert count_turns(room, kernel, position) == len(room.rules.turn_results(position)), (
            position
        )
        compared += 1
        if compared == 5:
            break
    assert compared == 5


ARIMAA = (
    ("2s R7/8/8/8/8/8/r6r/4E3", "official"),  # over: Gold's rabbit has reached its goal
    ("2s 2M5/8/8/8/6Er/R7/DR6/eCR5", "official"),  # over: Silver cannot move
    ("2g 8/8/8/8/8/8/8/R6r", "ejection"),
    ("2g [e......." + "." * 48 + ".......R]", "official"),
    ("3s 3rcr2/rR4mr/Dd1H2d1/3e4/2r2r1C/2rE3M/R1hr1hDH/1RCR1RRR", "diagonal"),
)


@pytest.mark.parametrize(("text", "rules"), ARIMAA)
def test_turns_of_chosen_positions_are_as_many_as_the_referee_finds(text: str, rules: str) -> None:
    room, kernel = opened("arimaa")
    position = room.rules.parse_position(text, rules)
    assert count_turns(room, kernel, position) == len(room.rules.turn_results(position))


@pytest.mark.parametrize("game", RULES)
def test_what_a_third_standing_means_is_known_wherever_the_referee_counts(game: str) -> None:
    """The referee has a key for a position exactly where the kernel says that it can stand again."""
    _, kernel = opened(game)
    repeats, start = kernel.repetition, begun(game).start
    assert repeats.rule(start) in (UNRESTRICTED, DRAWS, LOSES, FORBIDDEN)
    if repeats.rule(start) == UNRESTRICTED:
        return
    stands = repeats.can_recur or each_counts
    row = np.zeros(kernel.words, np.uint64)
    for position in visited(game, 3):
        kernel.to_row(position, row)
        assert stands(row) == (position.key is not None and not position.turn_open)


@pytest.mark.parametrize("game", RULES)
def test_positions_of_before_are_forgotten_only_where_none_can_stand_again(game: str) -> None:
    """After an action that `play_in_place` says cannot be undone, no earlier position comes back."""
    _, kernel = opened(game)
    if kernel.play_in_place is None:
        return
    rows = np.zeros((2, kernel.words), np.uint64)
    for seed in range(4):
        play, rng = begun(game), random.Random(f"{game} {seed}")
        forgotten: set[Position] = set()
        since: set[Position] = set()
        while not play.outcome and len(play.turns) < PLIES:
            since.add(play.position)
            action = rng.choice(play.legal_actions())
            kernel.to_row(play.position, rows[0])
            if kernel.play_in_place(rows, kernel.number_of(play.position, action)):
                forgotten, since = forgotten | since, set()
            play.act_unchecked(action)
            assert kernel.to_position(rows[0]) == play.position
            assert play.position not in forgotten


@pytest.mark.parametrize("name", ["tzaar", "corridor"])
def test_keys_are_equal_exactly_if_positions_are(name: str) -> None:
    games = [game for game in RULES if game.startswith(name)]
    positions = [one for game in games for seed in range(10) for one in visited(game, seed)]
    keys = {open_kernel(name).key_of(position) for position in positions}
    assert len(keys) == len(set(positions)) < len(positions)


BOARD = ".Z.T./.t..Y./T..z.y./Y2.t..T.t/..TZ*.y.T/t.Y3..z.y/.T.t..Y/z.t.T./.Y3t.Z"
TURNS = ("official {} white first", "official {} white 1", "official {} white 2")
EASILY_CONFUSED = {
    "tzaar": [turn.format(BOARD) for turn in (*TURNS, "official {} black 1", "open {} white 1")],
    "corridor": [
        "quoridor 9 2 e4,d6 c3h 8,9 1",
        "quoridor 9 2 d6,e4 c3h 8,9 1",
        "quoridor 9 2 e4,d6 c3v 8,9 1",
        "quoridor 9 2 e4,d6 c3h 9,8 1",
        "quoridor 9 2 e4,d6 c3h 8,9 2",
        "quoridor 8 2 e4,d6 c3h 8,9 1",
        "quoridor 9 4 e4,d6,a5,- c3h 5,5,5,4 1",
        "quoridor 9 4 e4,d6,-,a5 c3h 5,5,5,4 1",
        "corridor 9 2 e4,d6 c3h 7,8 1",
        "corridor-8 9 2 e4,d6 c3h 7,8 1",
        "great-wall 9 2 e4,d6 c3h *,* 1",
        "great-wall 9 3 e4,d6,- c3h *,*,* 1",
        "great-wall 9 2 ?,? - *,* 1",
        "great-wall 9 2 ?,? - *,* 1 caught",
        "great-wall 9 2 a1,? - *,* 2",
        "great-wall 9 2 b1,? - *,* 2",
    ],
}


@pytest.mark.parametrize("name", EASILY_CONFUSED)
def test_the_key_tells_apart_what_is_easily_confused(name: str) -> None:
    room, kernel, texts = open_room(name), open_kernel(name), EASILY_CONFUSED[name]
    keys = {kernel.key_of(room.rules.parse_position(text, "")) for text in texts}
    assert len(keys) == len(texts)


@pytest.mark.parametrize(
    ("game", "lines"),
    [
        ("tzaar/official setup=placement", ("Ta1 Tb1 Ta2", "Ta2 Tb1 Ta1")),
        ("corridor/quoridor", ("e3h e7v c3v f5h", "c3v f5h e3h e7v")),
    ],
)
def test_different_ways_to_a_position_lead_to_the_same_key(
    game: str, lines: tuple[str, str]
) -> None:
    room, kernel = opened(game)
    start, keys = begun(game).position, set()
    for line in lines:
        actions = room.rules.interpret(start, line, NO_HISTORY).actions
        rows = np.zeros((len(actions) + 1, kernel.words), np.uint64)
        kernel.to_row(start, rows[0])
        for ply, action in enumerate(actions):
            kernel.play(rows, ply, kernel.number_of(start, action))
        keys.add(int(kernel.key(rows[-1])))
    assert len(keys) == 1


@OTHERWISE
@pytest.mark.parametrize(("game", "actions"), [("arimaa", 96), ("tzaar", 42), ("corridor", 131)])
def test_an_index_out_of_range_is_found(game: str, actions: int, setting: str) -> None:
    """Runs of other tests with checks could fail."""
    words = f"""
import numpy as np
from trine.games import new_play, open_kernel
kernel = open_kernel({game!r})
row = kernel.row_of(new_play({game!r}, **{"{'setup': 'fixed'}" if game == "tzaar" else "{}"}).position)
print(kernel.generate(row, np.zeros({actions}, np.int32)))
kernel.generate(row, np.zeros({actions - 1}, np.int32))
"""
    status, said = python("-c", words, **{setting: "1"})
    assert said.startswith(f"{actions}\n") and "IndexError" in said and status != 0, said
