"""The answers to a puzzle that a page can give without a connection.

A page knows no rules, so it is given the state after each beginning of the known solutions, and of
the tries whose refutation is known. Only puzzles are kept whose solutions are few and all known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations
from typing import Final

from trine.core.contract.position import Action
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.core.text.sentence import text
from trine.engine.puzzles.answering import Answer
from trine.engine.puzzles.puzzle import Puzzle
from trine.engine.puzzles.puzzle_file import shipped
from trine.engine.puzzles.themes import AT_ONCE
from trine.games import ROOMS
from trine.house.lessons.messages import Trial
from trine.house.puzzles.messages import Kept, KeptState, PuzzleState
from trine.house.puzzles.trying import puzzle_state

SET: Final = 50
"""The number of puzzles of a set."""
FEW: Final = 3
"""A puzzle with more solutions is not kept."""
OTHERWISE: Final = text(
    "This is none of the solutions that are known here. With a connection the computer looks at it."
)


@cache
def keepable() -> Sequence[Puzzle]:
    """Return the puzzles that can be kept, easy and hard ones of all games among each other.

    Those to be won at once have many solutions that only the referee knows, as have ideas.
    """
    return sorted(
        (
            one
            for game in ROOMS
            for one in shipped(game)
            if AT_ONCE not in one.themes and not one.idea and len(one.solutions) <= FEW
        ),
        key=lambda one: one.name,
    )


async def kept_puzzle(puzzle: Puzzle) -> Kept:
    """Return the answers to a puzzle that can be given without a connection."""
    states: list[KeptState] = []
    for actions in sorted(set(_known(puzzle)), key=len):
        for submit in (False, True):
            try:
                state = await puzzle_state(puzzle, Trial(a=list(actions), submit=submit), _nobody)
            except TrineError:
                continue  # these actions in another order
            if isinstance(state, PuzzleState):
                states.append(KeptState(submit, state))
    return Kept(states, OTHERWISE)


def _known(puzzle: Puzzle) -> Iterator[tuple[str, ...]]:
    """Yield the beginnings of the turns that are known, in any order of their actions."""
    for turn in [*puzzle.solutions, *(tried[0] for tried in puzzle.tries)]:
        for order in permutations(turn.actions):
            for length in range(len(order) + 1):
                yield _ids(order[:length])


def _ids(actions: Sequence[Action]) -> tuple[str, ...]:
    return tuple(map(str, actions))


async def _nobody(play: Play) -> tuple[Answer, Sequence[str]] | None:
    """Return no answer: another order of a solution needs none."""
    return None
