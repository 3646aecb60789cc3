"""The effects of a turn: compared with the boards before and after, and case by case."""

import random
import re
from collections import Counter

import pytest

from games.arimaa.enumeration import crowded
from trine.games import new_play
from trine.games.arimaa.board import EMPTY, SIDE, SIDE_NAMES, SQUARE_NAMES, piece_name
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import END, Step
from trine.games.arimaa.view.effects import effects


def random_turn(position: Position, rng: random.Random) -> list[Step]:
    """Up to four possible steps after which the turn may end; none if chance leads astray."""
    steps: list[Step] = []
    while possible := list(position.possible_steps()):
        steps.append(rng.choice(possible))
        position = position.play_unchecked(steps[-1])
    return steps if position.may_end() else []


def pieces_told(sentences: list[str], verb: str) -> Counter[str]:
    """The pieces told of with a verb, as "Gold's cat on c2"."""
    said = [words.removeprefix(f"{verb} ") for words in sentences if words.startswith(f"{verb} ")]
    return Counter(piece for words in said for piece in words.split(", "))


@pytest.mark.parametrize("seed", range(20))
def test_whom_a_turn_removes_is_told_exactly(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        before = crowded(rng)
        turn = random_turn(before, rng)
        after = before
        for step in turn:
            after = after.play_unchecked(step)
        sentences = [str(effect.text) for effect in effects(before, [*turn, END])] if turn else []
        for verb, side in (("captures", 1 - before.mover), ("loses", before.mover)):
            gone = Counter(
                f"{SIDE_NAMES[side]}'s {piece_name(letter)}"
                for letter, number in (Counter(before.board) - Counter(after.board)).items()
                if letter != EMPTY and SIDE[letter] == side
                for _ in range(number)
            )
            named = pieces_told(sentences, verb)
            assert Counter(re.sub(r" on \w\d$", "", piece) for piece in named) == gone
            for piece in named:  # by where it stood before
                letter = before.board[SQUARE_NAMES.index(piece[-2:])]
                assert piece.startswith(f"{SIDE_NAMES[side]}'s {piece_name(letter)} on ")


PUSHED = "2g 7r/8/8/3E4/3d4/8/8/7R"
"""Gold's elephant can push the dog on d4 to d3, and then into the trap c3."""


def test_the_rest_of_a_turn_is_told_from_where_it_begins() -> None:
    play = new_play("arimaa", position=PUSHED)
    play.enter("dd4s Ed5s")
    rest = play.room.view.effects(play.position, play.interpret("dd3w Ed4s end"))
    assert str(rest[0].text) == "captures Silver's dog on d3"
