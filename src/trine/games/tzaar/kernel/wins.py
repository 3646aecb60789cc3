"""Exact static detection of wins and losses in TZAAR.

Nothing ever comes between two stacks that face each other on a line, since stacks only go where
stacks are. So a threat is met in two ways only: the threatening stack is taken, or the stack in
danger goes elsewhere. So only a handful of actions need to be examined instead of all.
"""

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Row
from trine.core.compiled.bits import NONE, ONE, Word, lowest
from trine.core.compiled.jit import kernel
from trine.games.tzaar.board import BLACK, KINDS, WHITE
from trine.games.tzaar.kernel import attacks, layout
from trine.games.tzaar.kernel.rules import captures, digits_used, steps_along

MAX_UNDONE: Final = 2 * 2 * layout.DIRECTIONS
"""The maximum number of enemy captures that an action undoes: those along the lines of its origin
and of its target."""


@layout.inlined()
def but_lowest(points: Word) -> Word:
    return points & (points - ONE)


@layout.inlined()
def few(row: Row, side: int, number: int) -> Word:
    """Return the stacks of the kinds that a side shows on exactly ``number`` stacks, 1 or 2."""
    found = NONE
    for kind in range(len(KINDS)):
        stacks = layout.stacks_of(row, side, kind)
        rest = but_lowest(stacks)
        if rest == NONE if number == 1 else rest != NONE and but_lowest(rest) == NONE:
            found |= stacks
    return found


@layout.inlined()
def alike(row: Row, side: int, point: int) -> Word:
    """Return the stacks of a side that show the same kind as its stack on a point."""
    for kind in range(len(KINDS)):
        stacks = layout.stacks_of(row, side, kind)
        if stacks >> np.uint64(point) & ONE:
            return stacks
    return NONE


@kernel()
def has_capture(row: Row, point: int) -> bool:
    """Return whether the mover's stack on a point can capture anything."""
    enemy, height = row[1 - layout.mover(row)], layout.below(row, np.uint64(point))
    for direction in range(layout.DIRECTIONS):
        for upward in (False, True):
            near = attacks.neighbour(row, point, direction, upward)
            if (
                near != attacks.NO_POINT
                and enemy >> np.uint64(near) & ONE
                and layout.below(row, np.uint64(near)) <= height
            ):
                return True
    return False


# --- the last of a kind --------------------------------------------------------------------------


@kernel()
def takes_one(row: Row, soles: Word) -> bool:
    while soles:
        if attacks.takers(row, lowest(soles), layout.mover(row)):
            return True
        soles = but_lowest(soles)
    return False


@kernel()
def reaches(row: Row, sole: int) -> bool:
    """Return whether a second capture can take a stack that no first capture can take.

    The first capture takes an enemy stack next to it, by a stack that is high enough for both; or
    a low stack of the mover next to it captures elsewhere, which opens the line to a high one.
    """
    side, height = layout.mover(row), layout.below(row, np.uint64(sole))
    for direction in range(layout.DIRECTIONS):
        for upward in (False, True):
            near = attacks.neighbour(row, sole, direction, upward)
            if near == attacks.NO_POINT:
                continue
            if row[side] >> np.uint64(near) & ONE:
                behind = attacks.neighbour(row, near, direction, upward)
                if (
                    behind != attacks.NO_POINT
                    and row[side] >> np.uint64(behind) & ONE
                    and layout.below(row, np.uint64(behind)) >= height
                    and has_capture(row, near)
                ):
                    return True
                continue
            takers_of_near = attacks.takers(row, near, side)
            while takers_of_near:
                if layout.below(row, np.uint64(lowest(takers_of_near))) >= height:
                    return True
                takers_of_near = but_lowest(takers_of_near)
    return False


@kernel()
def takes_both(row: Row, first: int, second: int) -> bool:
    """Return whether the player to move can capture two stacks, in this order, with two actions."""
    side, height = layout.mover(row), layout.below(row, np.uint64(second))
    openers = attacks.takers(row, first, side)
    while openers:
        if attacks.takers_after(row, second, height, side, lowest(openers), first):
            return True
        openers = but_lowest(openers)
    return False


@kernel()
def wipes_out(row: Row, enemy: int) -> bool:
    """Return whether two captures can wipe out a kind that one capture cannot."""
    soles = few(row, enemy, 1)
    while soles:
        if reaches(row, lowest(soles)):
            return True
        soles = but_lowest(soles)
    pairs = few(row, enemy, 2)
    while pairs:
        one = lowest(pairs)
        two = lowest(alike(row, enemy, one) & ~(ONE << np.uint64(one)))
        if takes_both(row, one, two) or takes_both(row, two, one):
            return True
        pairs &= ~(ONE << np.uint64(one) | ONE << np.uint64(two))
    return False


# --- no capture left -----------------------------------------------------------------------------


@kernel()
def silences_from(row: Row, point: int, second: bool) -> bool:
    """Return whether some move of the stack on a point leaves the other side without a capture."""
    side, height = layout.mover(row), layout.below(row, np.uint64(point))
    for direction in range(layout.DIRECTIONS):
        for upward in (False, True):
            near = attacks.neighbour(row, point, direction, upward)
            if near == attacks.NO_POINT:
                continue
            if row[side] >> np.uint64(near) & ONE:
                allowed = second and but_lowest(alike(row, side, near)) != NONE
            else:
                allowed = layout.below(row, np.uint64(near)) <= height
            if allowed and attacks.is_silent_after(row, point, near):
                return True
    return False


@kernel()
def silences_onto(row: Row, point: int, stacking: bool) -> bool:
    """Return whether some move of a stack onto a point leaves the other side without a capture."""
    side = layout.mover(row)
    if not stacking:
        origins = attacks.takers(row, point, side)
    elif but_lowest(alike(row, side, point)) == NONE:  # covering the last of a kind loses
        return False
    else:
        origins = NONE
        for direction in range(layout.DIRECTIONS):
            for upward in (False, True):
                near = attacks.neighbour(row, point, direction, upward)
                if near != attacks.NO_POINT:
                    origins |= row[side] & ONE << np.uint64(near)
    while origins:
        if attacks.is_silent_after(row, lowest(origins), point):
            return True
        origins = but_lowest(origins)
    return False


@kernel()
def any_capture(row: Row, side: int) -> int:
    """Return the number of any capture of a side; there must be one."""
    digits = digits_used(row)
    for direction in range(layout.DIRECTIONS):
        upward, downward = steps_along(row, side, direction, digits, False)
        occupied = row[direction * layout.FIELD + WHITE] | row[direction * layout.FIELD + BLACK]
        if upward:
            return layout.step(lowest(upward), occupied, direction, True)
        if downward:
            return layout.step(lowest(downward), occupied, direction, False)
    return attacks.NO_POINT


@kernel()
def silences(row: Row, second: bool) -> bool:
    """Return whether the next action can leave the other side without a capture.

    A capture of the other side stays possible unless its stack is taken, or its victim goes away or
    grows: so it is enough to try the ways to undo any one capture. If there is no capture, nothing
    is left to undo, unless the first action itself opens a line.
    """
    side = layout.mover(row)
    answers = captures(row, 1 - side)
    if answers > MAX_UNDONE:
        return False
    if answers:
        answer = any_capture(row, 1 - side)
        origin, target = answer // layout.SIZE, answer % layout.SIZE
        return (
            silences_onto(row, origin, False)
            or silences_from(row, target, second)
            or (second and silences_onto(row, target, True))
        )
    if second:
        return True
    stacks = row[side]
    while stacks:
        if silences_from(row, lowest(stacks), False):
            return True
        stacks = but_lowest(stacks)
    return False


# --- a loss --------------------------------------------------------------------------------------


@kernel()
def saves_all_kinds(row: Row, origin: int, target: int) -> bool:
    """Return whether no reply to an action can wipe out a kind of the player to move."""
    side = layout.mover(row)
    left, reached = ONE << np.uint64(origin), ONE << np.uint64(target)
    stacking = row[side] & reached != NONE
    for kind in range(len(KINDS)):
        stacks = layout.stacks_of(row, side, kind) & ~reached
        if stacks & left:
            stacks = stacks & ~left | reached
        if stacks == NONE:
            return False
        if but_lowest(stacks):
            continue
        height = layout.below(row, np.uint64(lowest(stacks)))
        if stacks == reached:
            height = layout.below(row, np.uint64(origin))
            if stacking:
                height += layout.below(row, np.uint64(target)) + ONE
        if attacks.takers_after(row, lowest(stacks), height, 1 - side, origin, target):
            return False
    return True


@kernel()
def is_doomed(row: Row) -> bool:
    """Return whether the other side can wipe out a kind next, after any second action."""
    side = layout.mover(row)
    soles, hunters = few(row, side, 1), NONE
    while soles:
        hunters = attacks.takers(row, lowest(soles), 1 - side)
        if hunters:
            break
        soles = but_lowest(soles)
    if hunters == NONE:
        return False
    sole = lowest(soles)
    if but_lowest(hunters) == NONE:
        hunter = lowest(hunters)
        rescuers = attacks.takers(row, hunter, side)
        while rescuers:
            if saves_all_kinds(row, lowest(rescuers), hunter):
                return False
            rescuers = but_lowest(rescuers)
    height = layout.below(row, np.uint64(sole))
    for direction in range(layout.DIRECTIONS):
        for upward in (False, True):
            near = attacks.neighbour(row, sole, direction, upward)
            if near == attacks.NO_POINT:
                continue
            onto_enemy = row[1 - side] >> np.uint64(near) & ONE
            if onto_enemy and layout.below(row, np.uint64(near)) > height:
                continue
            if saves_all_kinds(row, sole, near):
                return False
    return True


@kernel()
def detect_win(row: Row) -> int:
    """Return how the play ends within the open turn, or by the first action after it.

    Returns: 1 or 2 if the player to move wins with that many actions, -2 if the player loses to the
        first action of the other side, else 0. Guarantee: never wrong. At a second action, 1
        exactly if there is a winning action, and -2 exactly if all actions let the other side take
        the last of a kind at once. At a first action, 1 or 2 whenever the turn can wipe out a kind,
        and 2 whenever its first capture can leave the other side without a capture. Limits: 0 if it
        takes both actions to leave the other side without a capture, before White's single first
        turn and during the placement.
    """
    now = layout.stage(row)
    if now != layout.STAGE_ONE and now != layout.STAGE_TWO:
        return 0
    enemy = 1 - layout.mover(row)
    if takes_one(row, few(row, enemy, 1)):
        return 1
    if now == layout.STAGE_TWO:
        if silences(row, True):
            return 1
        return -2 if is_doomed(row) else 0
    if wipes_out(row, enemy) or silences(row, False):
        return 2
    return 0
