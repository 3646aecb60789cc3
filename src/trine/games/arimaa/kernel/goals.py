"""Goals within the steps left in the turn of the player to move, found exactly.

First a rabbit runs without help. If that is not enough, other pieces make way for it, unfreeze it
or protect it in a trap. All such turns are tried, except for steps that cannot matter:

- A rabbit needs as many steps as there are ranks before it, and one more for a friend in its way,
  two for an enemy. The other pieces have only the remaining steps: the *spare* ones.
- A shortest turn has no idle steps: all but the rabbit's last step change something that a later
  step needs. A step needs the squares that it touches and the squares within reach of its piece; so
  with few spare steps left, only pieces near the rabbit's way can help it.

A push or a pull is two steps in a row; if one has begun, it is completed first.
"""

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Row
from trine.core.compiled.bits import NONE, ONE, Word, lowest
from trine.core.compiled.jit import kernel
from trine.core.compiled.rows import RowPointer, as_pointer, inlined
from trine.games.arimaa.kernel import layout, perspectives
from trine.games.arimaa.kernel.sets import NOT_A, NOT_H, RANK, RANK_8, TRAP_SQUARES, beside

NO_GOAL: Final = -1
NEAR_GOAL: Final = np.array(
    [layout.squares_of(range(56 - 8 * left, 64)) for left in range(perspectives.STEPS_IN_TURN + 1)],
    np.uint64,
)
"""Shapes: steps left. The squares at most that many ranks from Gold's goal, or from the goal in a
perspective."""
NEAR_RANK_1: Final = np.array(
    [layout.squares_of(range(8 + 8 * left)) for left in range(perspectives.STEPS_IN_TURN + 1)],
    np.uint64,
)
"""Shapes: steps left. The squares at most that many ranks from Silver's goal."""


@inlined()
def stepped(rabbits: Word) -> Word:
    """Return the squares that rabbits could step to on an empty board, in a perspective."""
    return rabbits << RANK | (rabbits & NOT_H) << ONE | (rabbits & NOT_A) >> ONE


@inlined()
def run(perspective: perspectives.Perspective, rabbit: Word, left: int, state: Word) -> int:
    """Return the length of a rabbit's run to the goal while nothing else moves, or `NO_GOAL`."""
    low, middle, high, own = perspective
    if rabbit & RANK_8:
        return 0
    enemies = (low | middle | high) & ~own
    freezing = perspectives.reach(enemies & (middle | high), state)
    if rabbit & freezing & ~beside(own):
        return NO_GOAL
    others = own ^ rabbit
    others &= ~(others & TRAP_SQUARES & ~beside(others))  # lost: in traps that only the rabbit held
    alone = ~beside(others)
    closed = others | enemies | (TRAP_SQUARES & alone)
    stuck = freezing & alone
    front = rabbit
    for steps in range(1, left + 1):
        front = stepped(front) & ~closed
        if front & RANK_8:
            return steps
        front &= ~stuck
    return NO_GOAL


@inlined()
def is_open(perspective: perspectives.Perspective, rabbits: Word, left: int) -> bool:
    """Return whether help could bring a rabbit to the goal, judged only by ranks and obstacles.

    A friend in the way costs a step, an enemy two. One step can remove two friends: the one that
    steps away, and one left unprotected in a trap. This need not be counted: a rabbit with steps to
    spare stands beside the trap that it will go through, and so protects a friend there.
    """
    low, middle, high, own = perspective
    empty = ~(low | middle | high)
    # The squares that a rabbit can reach if other pieces make no step, at most one, or at most two.
    none, one, two = rabbits, rabbits, rabbits
    for steps in range(1, left):
        ahead, by_one = stepped(none), stepped(one)
        two |= (stepped(two) & empty) | (by_one & own) | ahead
        one |= (by_one & empty) | (ahead & own)
        none |= ahead & empty
        others = left - steps
        if RANK_8 & (one if others == 1 else two if others == 2 else ahead):
            return True
    return False


@inlined()
def useful_help(
    perspective: perspectives.Perspective, rabbit: Word, left: int
) -> tuple[bool, bool, bool]:
    """Return whether a step, a push or pull, or a move that displaces no enemy can help.

    Friends in the way are not counted, since the helping step may move them.
    """
    low, middle, high, own = perspective
    enemies = (low | middle | high) & ~own
    clear, cleared = rabbit, rabbit
    step, two, two_aside = False, False, False
    for steps in range(1, left):
        ahead = stepped(clear)
        cleared = (stepped(cleared) & ~enemies) | ahead
        clear = ahead & ~enemies
        others = left - steps
        if RANK_8 & clear:
            step = True
            two_aside = two_aside or others >= 2
        if RANK_8 & cleared:
            step = step or others >= 3
            two = two or others >= 2
    return step, two, two_aside


@inlined()
def zone(rabbit: Word, spare: int, state: Word) -> Word:
    """Return a set of squares; a step that helps and leaves ``spare`` steps must change one."""
    way = rabbit
    for _ in range(6):
        way |= way << RANK
    way = perspectives.widened(way, state)
    for _ in range(2 * spare):
        way = perspectives.widened(way, state)
    return way


@inlined()
def fan(rabbit: Word, steps: int) -> Word:
    """Return all squares that a rabbit could reach in a number of steps on an empty board."""
    found = rabbit
    for _ in range(steps):
        found |= stepped(found)
    return found


@inlined()
def touches(squares: Word, leaving: Word, near: Word) -> bool:
    """Return whether ``near`` meets ``squares``, or holds a trap beside a square in ``leaving``."""
    return (squares | (beside(leaving) & TRAP_SQUARES)) & near != NONE


@inlined()
def runs_from(
    perspective: perspectives.Perspective, rabbit: Word, target: Word, left: int, state: Word
) -> bool:
    """Return whether a rabbit, moved to a square, runs to the goal in ``left`` steps from there."""
    low, middle, high, own = perspective
    both = rabbit | target
    own ^= both
    if own & TRAP_SQUARES & ~beside(own) & target:
        return False
    return run((low ^ both, middle, high, own), target, left, state) == left


@inlined()
def supported(squares: Word, own: Word) -> Word:
    """Return a set of squares, and the squares beside those of its traps that hold own pieces."""
    return squares | beside(squares & TRAP_SQUARES & own)


@kernel(no_cpython_wrapper=True)
def needs_of_run(
    perspective: perspectives.Perspective, rabbit: Word, steps: int, state: Word
) -> Word:
    """Return the squares that a rabbit's run to the goal in ``steps`` depends on."""
    low, middle, high, own = perspective
    closed = low | middle | high
    way, at = rabbit, rabbit
    for left in range(steps - 1, -1, -1):
        targets = stepped(at) & ~closed
        if left == 0:
            targets &= RANK_8
        at = NONE
        while targets and at == NONE:
            target = perspectives.lowest_of(targets)
            targets ^= target
            if left == 0 or runs_from(perspective, rabbit, target, left, state):
                at = target
        way |= at
    return supported(perspectives.widened(way, state), own)


@kernel(no_cpython_wrapper=True)
def way_to_goal(
    perspective: perspectives.Perspective, rabbit: Word, left: int, state: Word
) -> tuple[int, Word]:
    """Return the length of a turn, perhaps not the shortest, that brings a rabbit to the goal.

    Returns: the number of steps or `NO_GOAL`, and the squares that the turn depends on.
    """
    own = perspective[3]
    if not own & rabbit:
        return NO_GOAL, NONE
    steps = run(perspective, rabbit, left, state)
    if steps >= 0:
        return steps, needs_of_run(perspective, rabbit, steps, state)
    if not is_open(perspective, rabbit, left):
        return NO_GOAL, NONE
    step, two, two_aside = useful_help(perspective, rabbit, left)
    spare = left - 7 + (lowest(rabbit) >> 3)
    by_step = zone(rabbit, spare - 1, state) if step else NONE
    by_two = zone(rabbit, spare - 2, state) if two else NONE
    to_clear = ~own if two_aside else fan(rabbit, left - 2) & ~own
    free = perspectives.free_of(perspective, state)
    origins = perspectives.first_movers(perspective, free, 2 if two else 1, state)
    while origins:
        origin = perspectives.lowest_of(origins)
        origins ^= origin
        is_own = own & origin != NONE
        if not is_own and not origin & to_clear:
            continue
        seconds = perspectives.seconds_of(perspective, free, origin, state) if two else NONE
        if is_own:
            seconds &= to_clear
            if not (step or seconds or origin == rabbit):
                continue
        targets, off = (
            perspectives.targets_of(perspective, origin),
            perspectives.off_board(perspective, origin, state),
        )
        while targets or off:
            target = perspectives.lowest_of(targets)
            off = off if target else NONE
            targets ^= target
            needs = NONE
            half = perspectives.moved(perspective, origin, target, is_own)
            if origin == rabbit:
                steps, needs = way_to_goal(half, target, left - 1, state)
            elif is_own and touches(origin | target, origin, by_step):
                steps, needs = way_to_goal(half, rabbit, left - 1, state)
            if steps >= 0:
                return steps + 1, needs | supported(
                    perspectives.widened(origin, state) | target, own
                )
            others = seconds
            while others:
                second = perspectives.lowest_of(others)
                others ^= second
                if touches(origin | target | second, origin | second, by_two):
                    full = perspectives.moved(half, second, origin, not is_own)
                    steps, needs = way_to_goal(full, rabbit, left - 2, state)
                    if steps >= 0:
                        touched = perspectives.widened(origin | second, state) | target
                        return steps + 2, needs | supported(touched, own)
    return NO_GOAL, NONE


@kernel(no_cpython_wrapper=True)
def steps_by_any(perspective: perspectives.Perspective, left: int, state: Word) -> int:
    """Return the length of the shortest turn that brings a rabbit to the goal, or `NO_GOAL`."""
    low, middle, high, own = perspective
    rabbits = low & ~(middle | high) & own & NEAR_GOAL[left]
    best = NO_GOAL
    runners = rabbits
    while runners:
        rabbit = perspectives.lowest_of(runners)
        runners ^= rabbit
        steps = run(perspective, rabbit, left, state)
        if steps >= 0:
            best, left = steps, steps - 1
    helped = rabbits
    while helped and is_open(perspective, helped, left):
        rabbit = perspectives.lowest_of(helped)
        steps, _ = way_to_goal(perspective, rabbit, left, state)
        if steps >= 0:
            best, left = steps, steps - 1
        else:
            helped ^= rabbit
    return best


@inlined()
def steps_by_follower(row: RowPointer) -> int:
    """Like `steps_by_any`, but within a push or pull, which may have to be completed."""
    state, left = row[layout.STATE], perspectives.steps_left(row)
    perspective = perspectives.perspective_of(row)
    followers, hole = perspectives.followers_of(row)
    best = NO_GOAL if state & layout.DUE else steps_by_any(perspective, left, state)
    while followers:
        follower = perspectives.lowest_of(followers)
        followers ^= follower
        after = perspectives.moved(perspective, follower, hole, perspective[3] & follower != NONE)
        steps = steps_by_any(after, left - 1, state)
        if steps >= 0 and (best < 0 or steps + 1 < best):
            best = steps + 1
    return best


@kernel()
def detect_goal(row: Row) -> int:
    """Return the number of actions of the shortest win by a goal in this turn, the end included.

    0 if no rabbit can reach the goal in this turn; losses are not detected.
    """
    here = as_pointer(row)
    low, middle, high, silver = layout.planes(here)
    state, left = here[layout.STATE], perspectives.steps_left(here)
    if state & layout.IN_SETUP:
        return 0
    rabbits = low & ~(middle | high)
    rabbits &= silver & NEAR_RANK_1[left] if state & layout.MOVER else ~silver & NEAR_GOAL[left]
    if not rabbits:
        return 0
    if here[layout.FOLLOWERS]:
        return steps_by_follower(here) + 1
    return steps_by_any(perspectives.perspective_of(here), left, state) + 1
