"""Losses by a goal that cannot be stopped are found exactly: compared with trying every turn.

``TRINE_PLAYS`` sets how many random positions are compared.
"""

import os
import random

import numba
import pytest

from games.arimaa.enumeration import Array, crowded, generate, play, row_of, rows_within, space
from trine.games.arimaa.compiled import to_position
from trine.games.arimaa.diagrams import parse_position
from trine.games.arimaa.kernel.goals import detect_goal
from trine.games.arimaa.kernel.layout import DUE
from trine.games.arimaa.kernel.wins import detect_win

PLAYS = int(os.environ.get("TRINE_PLAYS", "20"))
MOST_LEFT = 3
"""Units: steps; all turns of more steps take too long to try."""


@numba.njit
def end_turn(rows, ply):  # type: ignore[no-untyped-def]
    """Write the row after the end of the turn, also where the board has not changed."""
    play(rows, ply, 512)


@numba.njit
def escapes(rows, ply, buffers, left):  # type: ignore[no-untyped-def]
    """Whether some steps lead to a position without a goal of the other side's next turn."""
    if not rows[ply][10] & DUE:
        end_turn(rows, ply)
        if detect_goal(rows[ply + 1]) == 0:
            return True
    if left > 0:
        for index in range(generate(rows[ply], buffers[ply])):
            action = int(buffers[ply, index])
            if action < 512:
                play(rows, ply, action)
                if escapes(rows, ply + 1, buffers, left - 1):
                    return True
    return False


def can_escape(row: Array) -> bool:
    rows, buffers = space(row)
    return bool(escapes(rows, 0, buffers, 4 - (int(row[10]) >> 8 & 31)))


def threatened(rng: random.Random) -> list[Array]:
    """Rows within a turn whose player has no goal, with few steps left, or few pieces."""
    return [
        row
        for row in rows_within(crowded(rng), rng)
        if 4 - (int(row[10]) >> 8 & 31) <= MOST_LEFT and detect_goal(row) == 0
    ]


def test_what_is_said_to_be_lost_cannot_be_stopped_and_the_rest_can() -> None:
    rng = random.Random(7)
    lost = stopped = unknown = 0
    for _ in range(60 * PLAYS):
        for row in threatened(rng):
            said = int(detect_win(row))
            assert said <= 0
            if int(row[10]) & DUE:
                assert said == 0
                continue
            escape = can_escape(row)
            if said < 0:
                assert not escape, to_position(row)
                lost += 1
            elif escape:
                stopped += 1
            else:  # too many turns to try
                unknown += 1
    assert lost > 4 * PLAYS, (lost, stopped, unknown)
    assert stopped > 4 * PLAYS
    assert unknown * 20 < lost, (lost, stopped, unknown)


@pytest.mark.parametrize(
    ("words", "foreseen"),
    [
        ("2s 8/R7/8/8/8/8/7r/4E2e", 3),  # Silver has a goal first
        ("2s 8/R7/7r/8/8/8/8/4E2e", -10),  # nobody is near enough
        ("2s 8/R7/7r/e7/8/8/8/4E3", 0),  # the elephant freezes the rabbit
        ("2s 8/R7/7r/8/8/e7/8/4E3", 0),
        ("2s 8/R7/7r/8/8/8/e7/4E3", 0),  # in four steps
        ("2s 8/R7/7r/8/8/8/8/e3E3", -10),
    ],
)
def test_a_loss_is_foreseen_with_its_last_action(words: str, foreseen: int) -> None:
    assert detect_win(row_of(parse_position(words))) == foreseen
