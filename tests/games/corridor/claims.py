"""What the refusals of Corridor claim, checked by the referee and by slow, obvious code."""

from dataclasses import replace
from typing import Final

from games.claims import Claims, Refused
from games.corridor.obvious import all_pieces, has_great_wall_by_lines, pieces_of, trapped_players
from trine.games.corridor.board import FILES, neighbours, square_name
from trine.games.corridor.position import Position
from trine.games.corridor.rules import Wall, footprints


def square(asked: Refused, name: str) -> int:
    return FILES.index(name[0]) + int(asked.position.size) * (int(name[1:]) - 1)


def pawn(asked: Refused) -> int:
    return int(asked.position.pawns[asked.position.mover])


def wall(name: str) -> Wall:
    return Wall(FILES.index(name[0]), int(name[1:-1]) - 1, "h" if name[-1] == "h" else "v")


def meant(asked: Refused) -> Wall:
    return wall(asked.last)


def without(asked: Refused) -> Position:
    walls = tuple(one for one in asked.position.walls if str(one) != asked["wall"])
    assert len(walls) + 1 == len(asked.position.walls)
    position: Position = asked.position
    return replace(position, walls=walls)


def targets(position: Position) -> set[str]:
    return set(map(str, position.legal_moves()))


def is_pawn(asked: Refused, name: str) -> bool:
    return square(asked, name) in asked.position.pawns


def stands_before(asked: Refused) -> bool:
    over = square(asked, asked["over"])
    parts = asked.position.is_blocked(pawn(asked), over)
    return (
        parts and is_pawn(asked, asked["over"]) and not without(asked).is_blocked(pawn(asked), over)
    )


def is_side_of(asked: Refused, over: str) -> bool:
    """Whether the target is beside another pawn, and not straight behind it."""
    near = neighbours(asked.position.size)
    behind = 2 * square(asked, over) - pawn(asked)
    target = square(asked, asked.last)
    return is_pawn(asked, over) and target in near[square(asked, over)] and target != behind


def clashes(asked: Refused) -> bool:
    length = asked.position.rules.wall_length
    other = set(pieces_of(wall(asked["wall"]), length))
    return (
        asked["wall"] in map(str, asked.position.walls)
        and bool(other & set(pieces_of(meant(asked), length)))
        and wall(asked["wall"]).axis == meant(asked).axis
    )


def crosses(asked: Refused) -> bool:
    mine, other = meant(asked), wall(asked["wall"])
    return other in asked.position.walls and replace(mine, axis=other.axis) == other != mine


def pieces_with(asked: Refused) -> set[frozenset[tuple[int, int]]]:
    return all_pieces((*asked.position.walls, meant(asked)), asked.position.rules.wall_length)


def sticks_out(asked: Refused) -> bool:
    position = asked.position
    return position.rules.wall_length == 2 and meant(asked) not in footprints(position.size, 2)


CLAIMS: Final[Claims] = {
    "the play is over: {reason}": lambda asked: asked.position.outcome(asked.history),
    "the start squares are chosen first; {player} chooses one": lambda asked: (
        asked.position.in_setup
    ),
    "you can pass only if nothing else is legal; {example} is": lambda asked: (
        asked["example"] in map(str, asked.position.legal_actions(asked.history))
    ),
    "{cell} is off the board, which has the squares a1 to {last}": lambda asked: (
        asked["last"] == square_name(asked.position.size, asked.position.size**2 - 1)
        and (
            FILES.index(asked["cell"][0]) >= asked.position.size
            or int(asked["cell"][1:]) > asked.position.size
        )
    ),
    "{cell} is taken: {player} stands there": lambda asked: (
        is_pawn(asked, asked["cell"])
        and str(asked.position.seats[asked.position.pawns.index(square(asked, asked["cell"]))].name)
        == asked["player"]
    ),
    "start squares are not chosen here; every pawn starts in the middle of a side": lambda asked: (
        not asked.position.rules.chooses_start
    ),
    "the start squares are chosen already; the pawns move now": lambda asked: (
        not asked.position.in_setup
    ),
    "{player} starts on the {side} side, from {first} to {last}; {cell} is not there": (
        lambda asked: (
            square(asked, asked["cell"]) not in asked.position.start_squares(asked.position.mover)
        )
    ),
    "the pawn stands on {cell} already": lambda asked: square(asked, asked.last) == pawn(asked),
    "the wall {wall} stands between {cell} and {other}": lambda asked: (
        asked.last in targets(without(asked))
    ),
    "a jump leads over one pawn, never over two": lambda asked: (
        square(asked, asked.last) - pawn(asked)
        in {3 * one for one in (1, -1, asked.position.size, -asked.position.size)}
    ),
    "{target} is not beside {cell}; a pawn goes to a square beside it, or jumps over a pawn that "
    "stands there": lambda asked: (
        square(asked, asked.last) not in neighbours(asked.position.size)[pawn(asked)]
    ),
    "the wall {wall} stands before the pawn on {over}; no jump leads over a wall": stands_before,
    "the wall {wall} stands behind the pawn on {over}, so the way straight over it is shut": (
        lambda asked: asked.last in targets(without(asked))
    ),
    "a jump leads straight over the pawn on {over}, never to a side of it": lambda asked: (
        not asked.position.rules.jumps_aside and is_side_of(asked, asked["over"])
    ),
    "a jump leads straight over the pawn on {over} to {behind}, since nothing is in the way there; "
    "only a wall, the edge of the board or another pawn turns it aside": lambda asked: (
        is_side_of(asked, asked["over"]) and asked["behind"] in targets(asked.position)
    ),
    "{player} has no walls left": lambda asked: asked.position.hands[asked.position.mover] == 0,
    "a wall stands there already": lambda asked: meant(asked) in asked.position.walls,
    "it would overlap the wall {wall}": clashes,
    "it would cross the wall {wall}": crosses,
    "it would complete a Great Wall between the {first} and the {second} side: {walls}": (
        lambda asked: has_great_wall_by_lines(asked.position.size, pieces_with(asked))
    ),
    "it would shut {player} off: no way to the {side} side would be left": lambda asked: (
        asked["player"]
        in {
            str(asked.position.seats[one].name)
            for one in trapped_players(asked.position, pieces_with(asked))
        }
    ),
    "north of {cell} is the border; walls stand between squares": lambda asked: (
        meant(asked).rank == asked.position.size - 1
    ),
    "east of {cell} is the border; walls stand between squares": lambda asked: (
        meant(asked).file == asked.position.size - 1
    ),
    "a wall is two squares long; from {cell} it would stick out of the board": sticks_out,
    "the pawn on {cell} can go nowhere": lambda asked: not asked.position.legal_moves(),
}
