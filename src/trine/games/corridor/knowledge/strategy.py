"""The strategies of the Russian document, as players; and start squares for all other players."""

from itertools import pairwise
from random import Random
from typing import Final

from trine.core.contract.position import History
from trine.core.text.sentence import text
from trine.games.corridor.board import NORTH, SIDES, SIDES_OF, SOUTH, WEST, opposite, square_at
from trine.games.corridor.position import Position
from trine.games.corridor.rules import Action, Choice, Move, Wall, footprints, passages_beside

MIDDLE_SQUARES = 3
"""A pawn starts on one of this many free squares in the middle of its side. Guess."""


def pathfinder(position: Position, history: History, rng: Random) -> tuple[Action, ...]:
    """Move the pawn while its path is the shortest, else make the rival's path longer.

    The rival is the other player who would be the first at the goal. A wall that traps the rival is
    built even if the player's path is shorter. If no wall makes the rival's path longer, or the
    hand is empty, the pawn moves. No wall traps the player's own pawn. Ties are broken at random.

    Source: Russian, "если ваш кратчайший путь меньше, нежели путь противника, то не стоит строить
    стену, надо двигать фишку вдоль кратчайшего. Если же ваш кратчайший длиннее кратчайшего
    противника, то нужно строить стену, удлиняющую кратчайший путь противника"; "Фишку противника
    можно поймать в замкнутое пространство". **Reading**: the player to move also moves the pawn if
    both paths are equally long, and of all walls builds the one that costs the rival most; a wall
    that lengthens both paths equally gains nothing, and is not built.
    """
    if position.in_setup:
        return (choose_start(position, rng),)
    actions = position.legal_actions(history)
    moves = [action for action in actions if isinstance(action, Move)]
    walls = [action for action in actions if isinstance(action, Wall)]
    behind, arrives = _is_behind(position), _steps(position, position.mover) == 1
    if not moves or (walls and (behind or (position.rules.walls_may_trap and not arrives))):
        wall = _costliest(position, walls, rng)
        if wall and (behind or not moves or _traps_rival(position, wall)):
            return (wall,)
        if not moves:
            return (rng.choice(actions),)
    return (_nearest(position, moves, rng),)


def wall_builder(position: Position, history: History, rng: Random) -> tuple[Action, ...]:
    """Build a wall across the board behind the pawn; if that fails, play like `pathfinder`.

    The pawn steps forward until the line behind it is one that the rival has yet to cross, and the
    walls in hand are enough to close it. Of the places on the line the player chooses the one that
    costs the rival most; a wall that traps the rival comes before all of them.

    Source: Russian, "Можно попытаться построить стену за своей спиной. И если противник не успеет
    построить такую же стену, то это будет означать для него поражение".
    """
    player = position.mover
    if position.in_setup or position.hands[player] == 0 or _steps(position, player) == 1:
        return pathfinder(position, history, rng)
    actions = position.legal_actions(history)
    walls = {action for action in actions if isinstance(action, Wall)}
    rival, costliest = _rival(position), _costliest(position, sorted(walls), rng)
    if costliest and _traps_rival(position, costliest):
        return (costliest,)
    worth = {}
    for wall in sorted(walls.intersection(_line_behind(position, rival))):
        after = position.play_unchecked(wall)
        if after.distance(player) is not None:
            worth[wall] = (_steps(after, rival), -_steps(after, player), rng.random())
    if worth:
        return (max(worth, key=lambda wall: worth[wall]),)
    return pathfinder(position, history, rng)


def _line_behind(position: Position, rival: int) -> list[Wall]:
    """Return the gaps of the line across the board behind the pawn that has the fewest gaps.

    A line counts only if a rival from the opposite side has not crossed it yet, and if the walls in
    hand are enough; of lines with equally many gaps, the nearest to the pawn is chosen.
    """
    player, size = position.mover, position.size
    side, its_side = (SIDES_OF[position.players][one] for one in (player, rival))
    if its_side != opposite(side):
        return []
    ranks = side in (SOUTH, NORTH)  # the player goes along files, so that lines lie along ranks
    own, theirs = (
        position.pawns[one] // size if ranks else position.pawns[one] % size
        for one in (player, rival)
    )
    forward = 1 if side in (SOUTH, WEST) else -1
    found: list[list[Wall]] = []
    for back in range(own - forward, -1 if forward > 0 else size, -forward):
        if (theirs - back) * forward <= 0:
            break
        edge = min(back, back + forward)  # walls are named by the square south or west of them
        places = [
            Wall(along, edge, "h") if ranks else Wall(edge, along, "v") for along in range(size)
        ]
        gaps = [wall for wall in places if not _is_closed(position, wall)]
        hand = position.hands[player]
        if gaps and (hand is None or hand * position.rules.wall_length >= len(gaps)):
            found.append(gaps)
    return min(found, key=len, default=[])


def _is_closed(position: Position, wall: Wall) -> bool:
    """Return whether the side that a wall would close is closed; the first side of a long wall."""
    footprint = position.footprint.north if wall.axis == "h" else position.footprint.east
    return bool(footprint >> square_at(position.size, wall.file, wall.rank) & 1)


def choose_start(position: Position, rng: Random) -> Choice:
    """Return a free square near the middle of the player's own side."""
    size = position.size
    side = position.start_squares(position.mover)
    free = [square for square in side if square not in position.pawns]

    def off_middle(square: int) -> int:
        # On one side of the board, one of the two terms is equal for all squares.
        return abs(2 * (square % size) - size + 1) + abs(2 * (square // size) - size + 1)

    square = rng.choice(sorted(free, key=off_middle)[:MIDDLE_SQUARES])
    return Choice(square % size, square // size)


def _steps(position: Position, player: int) -> int:
    """Return the distance to the goal; if there is no path, more than any distance."""
    steps = position.distance(player)
    return position.size**2 if steps is None else steps


def _rival(position: Position) -> int:
    """Return the other player who would be the first at the goal."""

    def arrival(player: int) -> tuple[int, int]:
        return _steps(position, player), (player - position.mover) % position.players

    return min((one for one in position.playing if one != position.mover), key=arrival)


def _traps_rival(position: Position, wall: Wall) -> bool:
    return position.play_unchecked(wall).distance(_rival(position)) is None


def _is_behind(position: Position) -> bool:
    return _steps(position, position.mover) > _steps(position, _rival(position))


def _nearest(position: Position, moves: list[Move], rng: Random) -> Move:
    player = position.mover
    far = [_steps(position.play_unchecked(move), player) for move in moves]
    least = min(far)
    return rng.choice([move for move, steps in zip(moves, far, strict=True) if steps == least])


def _costliest(position: Position, walls: list[Wall], rng: Random) -> Wall | None:
    """Return the wall that lengthens the rival's path most, and the player's less, or None."""
    player, rival = position.mover, _rival(position)
    before, limit = _steps(position, rival), position.size**2
    lead = before - _steps(position, player)
    found: list[Wall] = []
    best = (before, 0)
    for wall in walls:
        if not _cuts_path(position, rival, wall):
            continue
        after = position.play_unchecked(wall)
        own = _steps(after, player)
        worth = (_steps(after, rival), -own)
        if own == limit > _steps(position, player) or worth[0] - own <= lead:
            continue
        if worth > best or not found:
            found, best = [], worth
        if worth == best:
            found.append(wall)
    return rng.choice(found) if found else None


def _cuts_path(position: Position, player: int, wall: Wall) -> bool:
    """Return whether a wall cuts a shortest path of a player; only such a wall can lengthen it."""
    path = position.path(player) or ()
    place = footprints(position.size, position.rules.wall_length)[wall]
    beside = passages_beside(position.size, place)
    return any(
        near not in [beside.step(square, side) for side in SIDES] for square, near in pairwise(path)
    )


def opening(position: Position, rng: Random) -> tuple[Choice, ...]:
    return (choose_start(position, rng),) if position.in_setup else ()


STRATEGISTS: Final = {"pathfinder": pathfinder, "wall-builder": wall_builder}
ADVICE: Final = {
    "pathfinder": text(
        "the Russian document: go while your way is the shorter one, build while it is not"
    ),
    "wall-builder": text("the Russian document: build a wall behind your back"),
}
