"""Races: static detection of the player who is sure to reach the goal first.

Once the other players have no walls left, they cannot hinder a player who runs along a shortest
path, unless pawns meet: then one may block another, or jump and so gain a step. So the search
follows the levels of the runner (`trine.games.corridor.kernel.shortest_paths`) together with a
flood of all squares that other pawns can reach by then, and drops squares where they could meet. If
a path remains and is short enough, the race is decided. The runner's own walls do not matter.

Limits: a race where pawns can meet is left to the search. So is a third occurrence of a position: a
race can reach one only in a play that has already repeated positions.
"""

from typing import Final

from trine.core.compiled.arrays import Row
from trine.core.compiled.jit import kernel, kernel_only
from trine.games.corridor.board import EAST, SOUTH, WEST
from trine.games.corridor.kernel import layout, sets, shortest_paths
from trine.games.corridor.kernel.rules import DELTAS, TARGETS, legal_targets

NO_ARRIVAL: Final = 1 << 20  # actions; the arrival of a trapped player


@kernel_only(forceinline=True)
def ranks_to_go(row: Row, player: int) -> int:
    """Return the distance of a pawn from its goal side if there were no walls."""
    size = layout.size_of(row)
    square, side = layout.pawn_of(row, player), layout.GOALS[layout.players_of(row), player]
    if side == SOUTH:
        return square // layout.STRIDE
    if side == WEST:
        return square % layout.STRIDE
    if side == EAST:
        return size - 1 - square % layout.STRIDE
    return size - 1 - square // layout.STRIDE


@kernel_only()
def wins_at_once(row: Row) -> bool:
    """Return whether the player to move can reach the goal in one action."""
    player = layout.mover(row)
    if ranks_to_go(row, player) > 2:
        return False
    targets = legal_targets(row)
    for target in range(TARGETS):
        square = layout.pawn_of(row, player) + int(DELTAS[target])
        if targets >> target & 1 and layout.is_goal(row, player, square):
            return True
    return False


@kernel_only(forceinline=True)
def playing_of(row: Row) -> int:
    found = 0
    for player in range(layout.players_of(row)):
        found += layout.is_playing(row, player)
    return found


@kernel_only(forceinline=True)
def place_in_turn(row: Row, player: int) -> int:
    """Return the number of other players who move before a player."""
    place, other = 0, layout.mover(row)
    while other != player:
        place += layout.is_playing(row, other)
        other = layout.player_after(row, other)
    return place


@kernel(forceinline=True)
def arrival(row: Row, player: int, pace: int) -> int:
    """Return the number of actions until a player who goes ``pace`` steps a turn is at the goal."""
    steps = shortest_paths.steps_of(row, player)
    if steps < 0:
        return NO_ARRIVAL
    turns = (steps + pace - 1) // pace
    return (turns - 1) * playing_of(row) + place_in_turn(row, player) + 1


@kernel_only()
def runs_free(row: Row, runner: int, pace: int) -> bool:
    """Return whether the runner has a shortest path that no other pawn can meet."""
    sides, rings = sets.open_sides(row), shortest_paths.rings_of(row, runner)
    level = sets.one(layout.pawn_of(row, runner))
    others = sets.empty()
    for player in range(layout.players_of(row)):
        if player != runner and layout.is_playing(row, player):
            others |= sets.one(layout.pawn_of(row, player))
    waits = runner != layout.mover(row)
    while rings.steps > 0:
        if waits:  # the others move; none of them may be next to the runner
            others = shortest_paths.spread(sides, others)
            level &= ~others
            for _ in range(pace - 1):
                others = shortest_paths.spread(sides, others)
        waits = True
        level = shortest_paths.next_level(sides, rings, level) & ~others
        if not level:
            return False
        rings = shortest_paths.nearer(rings)
    return rings.steps == 0


@kernel_only()
def race_of(row: Row, runner: int) -> int:
    """Return the number of actions until a runner, whom no walls can hinder, wins; 0 if unknown."""
    # Several other pawns can jump over one another: two steps a turn at most.
    pace = 1 if playing_of(row) == 2 else 2
    own = arrival(row, runner, 1)
    if own == NO_ARRIVAL:
        return 0
    for player in range(layout.players_of(row)):
        if player != runner and layout.is_playing(row, player) and arrival(row, player, pace) < own:
            return 0
    return own if runs_free(row, runner, pace) else 0


@kernel()
def detect_win(row: Row) -> int:
    """Return n if the player to move surely wins with the n-th action, -n if another player does.

    0 if this is not known without a search.

    Guarantee: exact, except for positions that have occurred before.
    """
    if layout.is_in_setup(row):
        return 0
    if wins_at_once(row):
        return 1
    armed, armed_player = 0, -1
    for player in range(layout.players_of(row)):
        if layout.is_playing(row, player) and layout.hand_of(row, player) > 0:
            armed += 1
            armed_player = player
    if armed > 1:
        return 0
    for runner in range(layout.players_of(row)):
        if layout.is_playing(row, runner) and (armed == 0 or runner == armed_player):
            action = race_of(row, runner)
            if action:
                return action if runner == layout.mover(row) else -action
    return 0
