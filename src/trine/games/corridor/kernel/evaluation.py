"""The evaluation of a position for a player, from counts on all shortest ways of all players.

Long walls (Quoridor), short walls, and short walls without limit (Great Wall) play so differently
that each kind has terms of its own; those of the other kinds are 0. Each term is the player's own
count minus the mean of the other players'.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.bits import NONE
from trine.core.jit import inner, kernel
from trine.games.corridor.board import EAST, WEST
from trine.games.corridor.kernel.movegen import START_SIDES
from trine.games.corridor.kernel.races import place_in_turn, playing_of
from trine.games.corridor.kernel.row import (
    GREAT_WALL,
    KEY,
    NARROW,
    NO_LIMIT,
    NOT_CHOSEN,
    QUORIDOR,
    WALKED,
    WIDE,
    Row,
    hand_of,
    is_playing,
    mover,
    pawn_of,
    players_of,
    rules_of,
    size_of,
)
from trine.games.corridor.kernel.walk import leave, walk
from trine.games.corridor.kernel.ways import NO_WAY
from trine.games.corridor.kernel.wide_ways import (
    AFTER,
    LEVEL,
    REACHED,
    begin_walk,
    count_squares,
    go_on,
    new_sheet,
    wide_fewest_exits,
    wide_one_wall_parts,
    write_after,
    write_goal,
    write_rings,
)

Values = NDArray[np.float32]

STEPS: Final = 0
NEAR: Final = 1
LEAD: Final = 2
SURE_LEAD: Final = 3
HAND: Final = 4
ARMED: Final = 5
HAND_IN_USE: Final = 6
THIN: Final = 7
EXPOSED: Final = 8
FORK: Final = 9
WIDE_END: Final = 10
CENTRE: Final = 11
TEMPO: Final = 12
COMMON: Final = 13
"""The number of terms that every kind of wall has."""
TRAPPED: Final = 13
CAUGHT: Final = 14
SNARED: Final = 15
TWO_EXITS: Final = 16
EXITS: Final = 17
CAN_BE_SHUT: Final = 18
LONG: Final = 0
"""The first term where walls are two squares long."""
SHORT: Final = COMMON
"""The first term where they are one square long."""
ENDLESS: Final = SHORT + 19
"""The first term where they are one square long, and hands have no limit."""
TERMS: Final = ENDLESS + 19

LIMIT: Final = 20_000
"""Units: points; the bound of evaluations."""
MANY: Final = 10
"""The count that stands for a hand without limit."""


@kernel("int64(uint64[::1], int64)", forceinline=True)
def walls_of(row: Row, player: int) -> int:
    """Return the number of walls in a hand, with `MANY` for no limit."""
    hand = hand_of(row, player)
    return MANY if hand == NO_LIMIT else hand


@inner("int64(uint64[::1], int64)", forceinline=True)
def walls_against(row: Row, player: int) -> int:
    """Return the most walls that another player has in hand."""
    most = 0
    for other in range(players_of(row)):
        if other != player and is_playing(row, other):
            most = max(most, walls_of(row, other))
    return most


@inner("float64(uint64[::1], int64)", forceinline=True)
def off_centre(row: Row, player: int) -> float:
    """Return the distance of a pawn from the middle line of the board towards its goal."""
    size, square = size_of(row), pawn_of(row, player)
    stride = NARROW if size <= NARROW else WIDE
    side = START_SIDES[players_of(row), player]
    place = square // stride if side in (WEST, EAST) else square % stride
    return abs(place - 0.5 * (size - 1))


@kernel("void(float32[::1], int64, float64)", forceinline=True)
def add(features: Values, term: int, value: float) -> None:
    """Add a value to a term."""
    features[term] = np.float32(np.float64(features[term]) + value)


# --- ways ----------------------------------------------------------------------------------------


@inner(
    "void(uint64[::1], int64, float64, float32[::1], int64, float64, boolean, int64)",
    forceinline=True,
)
def add_ways(
    row: Row,
    player: int,
    share: float,
    features: Values,
    first: int,
    thin: float,
    fork: bool,
    squares: int,
) -> None:
    """Add the terms of the bundle of shortest ways: its thinness, its beginning and its end."""
    against = walls_against(row, player)
    add(features, first + THIN, share * thin)
    add(features, first + EXPOSED, share * thin * against / (against + 2.0))
    add(features, first + FORK, share * fork)
    add(features, first + WIDE_END, share * (squares - 1.0) / (squares + 1.0))


@inner("UniTuple(int64, 2)(uint64[::1], int64, float64, float32[::1], int64)", forceinline=True)
def narrow_ways(
    row: Row, player: int, share: float, features: Values, first: int
) -> tuple[int, int]:
    """Add the terms of all shortest ways of a player; return the steps, or -1, and the exits."""
    steps, exits, thin, fork, squares = walk(row, player)
    leave(row, player, steps, exits)
    if steps >= 0:
        add_ways(row, player, share, features, first, thin, fork, squares)
    return steps, exits


@inner("int64(uint64[::1], int64, float64, float32[::1], int64)")
def wide_ways(row: Row, player: int, share: float, features: Values, first: int) -> int:
    """Add the same on a wide board; return the steps."""
    sheet = new_sheet()
    steps = write_rings(row, sheet, player)
    if steps < 0:
        return -1
    begin_walk(row, sheet, player)
    thin, fork, squares = 0.0, False, 0
    for left in range(steps - 1, -1, -1):
        write_after(row, sheet, left)
        squares = count_squares(sheet, AFTER)
        thin += 1.0 / squares
        if left == steps - 1:
            fork = squares > 1
        go_on(sheet)
    add_ways(row, player, share, features, first, thin, fork, squares)
    return steps


@inner("int64(uint64[::1], int64)")
def wide_exits_of(row: Row, player: int) -> int:
    """`exits_between`, of `trine.games.corridor.kernel.walk`, on a wide board."""
    sheet = new_sheet()
    if wide_one_wall_parts(row, sheet, player):
        return 1
    begin_walk(row, sheet, player)
    write_goal(row, sheet, player, REACHED)
    outward = wide_fewest_exits(row, sheet, LEVEL, REACHED)
    begin_walk(row, sheet, player)
    return max(2, min(outward, wide_fewest_exits(row, sheet, REACHED, LEVEL)))


@inner("void(uint64[::1], int64, float64, float32[::1], int64, int64)", forceinline=True)
def add_exits(
    row: Row, player: int, share: float, features: Values, first: int, exits: int
) -> None:
    """Add the terms of the danger of being trapped."""
    against = walls_against(row, player)
    add(features, first + EXITS, share / exits)
    if against >= exits:
        add(features, first + CAN_BE_SHUT, share)
        if exits == 1:
            add(features, first + (SNARED if player == mover(row) else CAUGHT), share)
        elif exits == 2:
            add(features, first + TWO_EXITS, share)


# --- terms ---------------------------------------------------------------------------------------


@inner("int64(uint64[::1], int64, float64, float32[::1], int64)")
def add_player(row: Row, player: int, share: float, features: Values, first: int) -> int:
    """Add the terms of one player alone; return the steps to go, -1 for no way."""
    size = size_of(row)
    hand = walls_of(row, player)
    if hand_of(row, player) != NO_LIMIT:
        add(features, first + HAND, share * hand)
        add(features, first + ARMED, share * hand / (hand + 2.0))
    if player == mover(row):
        add(features, first + TEMPO, share)
    if pawn_of(row, player) == NOT_CHOSEN:
        add(features, first + STEPS, share * (size - 1))
        return size - 1
    add(features, first + CENTRE, share * off_centre(row, player))
    if size <= NARROW:
        steps, exits = narrow_ways(row, player, share, features, first)
    else:
        steps, exits = wide_ways(row, player, share, features, first), 0
    if steps < 0:
        add(features, first + TRAPPED, share)
        return -1
    add(features, first + STEPS, share * steps)
    add(features, first + NEAR, share / max(1, steps))
    if first != LONG:
        if size > NARROW:
            exits = wide_exits_of(row, player)
        add_exits(row, player, share, features, first, exits)
    return steps


@inner("int64(uint64, int64)", forceinline=True)
def steps_of(packed: np.uint64, player: int) -> int:
    """Return the steps of a player from the word that packs those of all players."""
    return np.int64(packed >> np.uint64(16 * player) & NO_WAY)


@inner("void(uint64[::1], int64, float64, float32[::1], int64, uint64)")
def add_race(
    row: Row, player: int, share: float, features: Values, first: int, packed: np.uint64
) -> None:
    """Add the terms of one player against the others; all steps to go are packed in one word."""
    playing = playing_of(row)
    own = steps_of(packed, player)
    rival, nearest = 1 << 20, 1 << 20
    for other in range(players_of(row)):
        if other != player and is_playing(row, other):
            steps = steps_of(packed, other)
            nearest = min(nearest, steps)
            rival = min(rival, steps * playing + place_in_turn(row, other))
    if nearest == 1 << 20:
        return
    lead = (rival - own * playing - place_in_turn(row, player)) / (1.0 * playing)
    ahead = lead / (1.0 + abs(lead))
    add(features, first + LEAD, share * ahead)
    add(features, first + SURE_LEAD, share * ahead / (1.0 + walls_against(row, player)))
    hand = walls_of(row, player)
    add(features, first + HAND_IN_USE, share * min(hand, nearest) / (1.0 + nearest))


@kernel("int64(uint64[::1], int64, float32[::1], float32[::1])")
def evaluate(row: Row, player: int, weights: Values, features: Values) -> int:
    """Return the score of a position for a player; the terms are written into ``features``."""
    for term in range(TERMS):
        features[term] = np.float32(0)
    first, terms = LONG, COMMON
    if rules_of(row) != QUORIDOR:
        first, terms = ENDLESS if rules_of(row) == GREAT_WALL else SHORT, ENDLESS - SHORT
    others = max(1, playing_of(row) - 1)
    # A player without a way counts as having to go three times across the board.
    far = np.uint64(3 * size_of(row))
    packed = NONE
    for one in range(players_of(row)):
        if is_playing(row, one):
            share = 1.0 if one == player else -1.0 / others
            steps = add_player(row, one, share, features, first)
            packed |= (far if steps < 0 else np.uint64(steps)) << np.uint64(16 * one)
    for one in range(players_of(row)):
        if is_playing(row, one):
            share = 1.0 if one == player else -1.0 / others
            add_race(row, one, share, features, first, packed)
    if size_of(row) <= NARROW:
        row[WALKED] = row[KEY]
    points = 0.0
    for term in range(first, first + terms):
        points += np.float64(features[term]) * np.float64(weights[term])
    return np.int64(np.rint(max(-1.0 * LIMIT, min(1.0 * LIMIT, points))))
