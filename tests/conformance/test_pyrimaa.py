"""An independent program, pyrimaa (AEI on the package index), makes the same turns."""

import random

import pytest
from pyrimaa import board as pyrimaa

from trine.games.arimaa.board import SIDE_LETTERS, SIDES
from trine.games.arimaa.diagrams import format_position, parse_position
from trine.games.arimaa.position import Position, turn_results
from trine.games.arimaa.rules import END, RULE_SETS
from trine.games.arimaa.starts import random_setup

SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(1, 8))]
POSITIONS = 26
"""For each seed; by night together more than 200."""


def some_positions(count: int, seed: int) -> list[Position]:
    """Positions of random plays from random setups; the last of few pieces, to be quick."""
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = Position.before_setup(RULE_SETS["official"])
        for _ in SIDES:
            for action in (*random_setup(position, rng.randrange(10**9)), END):
                position = position.play_unchecked(action)
        thinned = thin_out(position, rng)
        for _ in range(rng.randrange(4, 60)):
            for _ in range(60):
                thinned = thinned.play_unchecked(rng.choice(thinned.legal_actions()))
                if not thinned.turn_open:
                    break
            if thinned.turn_open or thinned.outcome():
                break
        if not thinned.turn_open and not thinned.outcome():
            found.append(thinned)
    return found


def thin_out(position: Position, rng: random.Random) -> Position:
    """Take most pieces away: then all turns of hundreds of positions can be compared."""
    share = rng.uniform(0.1, 0.4)
    kept = [letter if rng.random() < share else "." for letter in position.board]
    for square, letter in ((rng.randrange(8), "R"), (56 + rng.randrange(8), "r")):
        kept[square] = letter
    return Position.of(position.rules, "".join(kept), position.mover)


def turns_by_pyrimaa(position: Position) -> set[str]:
    side, board = format_position(position)[0], format_position(position)[2:]
    colour = pyrimaa.Color.GOLD if side == "g" else pyrimaa.Color.SILVER
    start = pyrimaa.parse_short_pos(colour, 4, board)
    return {
        f"{SIDE_LETTERS[1 - position.mover]} {after.board_to_str('short')}"
        for after in start.get_moves()
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_whole_turns_make_the_same_positions_as_in_pyrimaa(seed: int) -> None:
    for position in some_positions(POSITIONS, seed):
        ours = {format_position(result) for result in turn_results(position)}
        assert ours == turns_by_pyrimaa(position), format_position(position)


def test_the_opening_has_the_published_number_of_turns() -> None:
    opening = "g [rrrrrrrrdhcemchd" + " " * 32 + "DHCMECHDRRRRRRRR]"
    assert len(turn_results(parse_position(opening))) == 3353
