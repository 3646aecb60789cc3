"""Move ordering, tactical actions, and null moves.

Steps on shortest paths come first, and walls across the paths of other players. Of about 130
possible walls few are good. If a wall cuts all of the rival's shortest paths, its effect on both
paths is computed exactly; walls far from all paths and pawns come last. Tactical actions are the
jumps that gain a step.
"""

from typing import Final

from trine.core.compiled.arrays import Buffer, Row, Rows
from trine.core.compiled.jit import kernel, kernel_only
from trine.games.corridor.kernel import layout, sets
from trine.games.corridor.kernel.rules import STRAIGHT, TARGETS, copy, legal_targets, target_number
from trine.games.corridor.kernel.shortest_paths import (
    bundle_of,
    distance_with_wall,
    long_walls_across,
)
from trine.games.corridor.kernel.wins import NO_ARRIVAL, arrival

MAX_SCORE: Final = 1000
"""Scores are from minus this number to this number. All scores below are guesses, tested in
matches."""
JUMP_SCORE: Final = 900  # the score of a jump that gains a step
STEP_SCORE: Final = 650
"""The score of a step on a shortest path, if the path is no longer than the rival's; else
`STEP_BEHIND_SCORE`."""
STEP_BEHIND_SCORE: Final = 350
OTHER_MOVE_SCORE: Final = -100
DELAY_SCORE: Final = 200
"""The score of a wall that makes both paths longer by equal steps; for each further step of the
rival's path, `DELAY_STEP_SCORE` is added."""
DELAY_STEP_SCORE: Final = 150
TRAP_STEPS: Final = 12  # steps; the assumed delay by a wall that traps
CROSSING_SCORE: Final = 20
"""The score of a wall that cuts some of the rival's shortest paths, but not all."""
GUARD_SCORE: Final = 10
"""The score of a wall in the place of one that would cut all of the player's own shortest paths."""
NEAR_SCORE: Final = -150  # the score of a wall near a pawn
FAR_SCORE: Final = -700  # the score of a wall that crosses no path, and is near no pawn
OWN_PATH_PENALTY: Final = -300
"""The penalty for a wall that cuts some of the player's own shortest paths."""
NEAR_DISTANCE: Final = 2  # squares; the greatest distance of a wall near a pawn


@kernel(forceinline=True)
def rival_of(row: Row) -> int:
    """Return the other player who would be the first at the goal if no player were hindered."""
    rival, soonest = -1, NO_ARRIVAL + 1
    for player in range(layout.players_of(row)):
        if player != layout.mover(row) and layout.is_playing(row, player):
            action = arrival(row, player, 1)
            if action < soonest:
                rival, soonest = player, action
    return rival


@kernel_only(forceinline=True)
def is_close(row: Row, player: int, square: int) -> bool:
    """Return whether a wall named by a square is near a pawn."""
    pawn = layout.pawn_of(row, player)
    ranks = pawn // layout.STRIDE - square // layout.STRIDE
    files = pawn % layout.STRIDE - square % layout.STRIDE
    return -NEAR_DISTANCE < ranks <= NEAR_DISTANCE and -NEAR_DISTANCE < files <= NEAR_DISTANCE


@kernel(forceinline=True)
def delay_score(gained: int, lost: int) -> int:
    """Return the score of a wall by the steps that it adds to the rival's path and the mover's."""
    score = DELAY_SCORE + DELAY_STEP_SCORE * (gained - lost) - 20 * lost
    return max(-MAX_SCORE, min(MAX_SCORE - 50, score))


@kernel_only(forceinline=True)
def longer_by(after: int, before: int) -> int:
    """Return how many steps longer a path is; `TRAP_STEPS` if there is no path any more."""
    return TRAP_STEPS if after < 0 else after - before


@kernel_only(forceinline=True)
def may_cut(bundle: sets.Bundle, long: bool, axis: int, square: int) -> bool:
    """Return whether a wall might cut all paths of a bundle; false is certain.

    A wall cuts all paths if it closes all sides between two levels. A long wall may also close two
    sides between different levels such that every path crosses one of them.
    """
    if sets.has(sets.along(bundle.cutting, axis), square):
        return True
    crossed = sets.along(bundle.crossed, axis)
    if not long or not sets.has(crossed, square):
        return False
    return sets.has(crossed, square + (layout.STRIDE if axis else 1))


@kernel_only()
def score_by_paths(row: Row, actions: Buffer, total: int, scores: Buffer) -> None:
    """Write the scores of `score_moves` after all start squares are chosen."""
    player, rival, size = layout.mover(row), rival_of(row), layout.size_of(row)
    area, long = size * size, layout.rules_of(row) == layout.QUORIDOR
    own, other = bundle_of(row, player), bundle_of(row, rival)
    own_across = long_walls_across(own.crossed) if long else own.crossed
    across = long_walls_across(other.crossed) if long else other.crossed
    ahead = own.steps >= 0 and (other.steps < 0 or own.steps <= other.steps)
    step = STEP_SCORE if ahead else STEP_BEHIND_SCORE
    for index in range(total):
        action = int(actions[index])
        if action < area:
            square = int(layout.SQUARE[size, action])
            if sets.has(own.first, square):
                scores[index] = step
            elif sets.has(own.second, square):
                scores[index] = JUMP_SCORE
            else:
                scores[index] = OTHER_MOVE_SCORE
            continue
        if action >= 3 * area:
            scores[index] = 0
            continue
        axis, square = layout.wall_of(row, action)
        hurts = sets.has(sets.along(own_across, axis), square)
        if may_cut(other, long, axis, square):
            gained = longer_by(distance_with_wall(row, rival, axis, square), other.steps)
            lost = 0
            if hurts:
                lost = longer_by(distance_with_wall(row, player, axis, square), own.steps)
            if gained > 0:
                scores[index] = delay_score(gained, lost)
                continue
        if sets.has(sets.along(across, axis), square):
            score = CROSSING_SCORE
        elif long and sets.has(sets.along(own.cutting, 1 - axis), square):
            score = GUARD_SCORE
        elif is_close(row, player, square) or is_close(row, rival, square):
            score = NEAR_SCORE
        else:
            score = FAR_SCORE
        scores[index] = score + (OWN_PATH_PENALTY if hurts else 0)


@kernel()
def score_moves(row: Row, actions: Buffer, total: int, scores: Buffer) -> None:
    """Write a score for each action, from -1,000 to 1,000: the higher, the more promising."""
    if layout.is_in_setup(row):
        size = layout.size_of(row)
        for index in range(total):
            square = int(layout.SQUARE[size, actions[index]])
            ranks, files = square // layout.STRIDE, square % layout.STRIDE
            aside = min(abs(2 * ranks - size + 1), abs(2 * files - size + 1))
            scores[index] = 100 - 100 * aside // size
    else:
        score_by_paths(row, actions, total, scores)


@kernel_only(forceinline=True)
def pawns_touch(row: Row) -> bool:
    """Return whether another pawn is next to the pawn of the player to move, despite walls."""
    own = layout.pawn_of(row, layout.mover(row))
    found = False
    for player in range(layout.players_of(row)):
        gap = abs(layout.pawn_of(row, player) - own)
        found |= gap in (1, layout.STRIDE)
    return found


@kernel()
def tactical(row: Row, out: Buffer) -> int:
    """Write the jumps that gain a step, and return their number."""
    if layout.is_in_setup(row) or not pawns_touch(row):
        return 0
    targets = legal_targets(row)
    if targets <= 15:
        return 0
    found, second = 0, bundle_of(row, layout.mover(row)).second
    for target in range(STRAIGHT, TARGETS):
        if targets >> target & 1:
            action = target_number(row, target)
            if sets.has(second, int(layout.SQUARE[layout.size_of(row), action])):
                out[found] = action
                found += 1
    return found


@kernel()
def null_move(rows: Rows, ply: int) -> bool:
    """Write the row after a null move; return false if it would prove nothing.

    Next to another pawn, or without walls in hand, waiting can be good.
    """
    row, after = rows[ply], rows[ply + 1]
    if layout.is_in_setup(row) or layout.hand_of(row, layout.mover(row)) == 0 or pawns_touch(row):
        return False
    copy(row, after)
    layout.pass_turn(after)
    return True
