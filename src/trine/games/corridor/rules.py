"""The four rule sets of Corridor, the actions, and the laws of the board.

The player to move, the paths that must stay open and the result belong to the referee
(`trine.games.corridor.referee`).

Sources, cited by name in this package: *Quoridor*, the rule book in force today; *Russian*, the
document on `corridor`, `corridor-8` and `great-wall`. ``docs/reference/corridor.md`` lists what
they leave open, and how we read them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, pairwise, product
from typing import Final, Literal, NamedTuple

from trine.core.contract import position as contract
from trine.core.text.sentence import ctext, text
from trine.games.corridor import board

QUORIDOR_WALLS: Final = 20
"""The walls in the box, shared out among the players. Source: Quoridor, "20 fences"."""
CORRIDOR_WALLS: Final = 10
"""The walls of each player. Source: Russian, "по десять на каждого игрока"."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RuleSet(contract.RuleSet):
    """One rule set of Corridor."""

    players: tuple[int, ...]
    """The allowed numbers of players. Source: Quoridor, "2 or 4", and three as elsewhere; Russian,
    "до четырех игроков"."""
    chooses_start: bool
    """Whether each player chooses the start square. Source: Russian, "выставляются игроками";
    Quoridor, "the centre of the base line"."""
    wall_length: Literal[1, 2]
    """The length of a wall in squares. Source: Russian, "по размеру стороны квадрата"."""
    walls_each: Callable[[int, int], int | None]
    """Returns the number of walls of each player, given the size of the board and the number of
    players; None: no limit.

    Source: Russian, "на одну меньше, чем количество полей на стороне", "не ограничивать"."""
    walls_may_trap: bool
    """Whether a wall may leave a pawn no path to its goal. Source: Russian, "Фишку противника можно
    поймать в замкнутое пространство"; Quoridor, every pawn keeps "at least one path"."""
    great_wall: bool
    """Whether no walls may join two sides. Source: Russian, "непрерывная стена от края до края"."""
    jumps_aside: bool
    """Whether a pawn that cannot jump straight over another one may jump to either side of it.

    Source: Russian, "может перепрыгнуть своей фишкой через фишку противника"."""
    repetition_allowed: bool = False
    """Whether repetition ends no play.

    **Reading**: no source ends endless shuffling; by default the third occurrence is a draw."""


_CORRIDOR: Final = RuleSet(
    name="corridor",
    source=ctext("source", "the Russian document on Corridor: the base game"),
    differs=text(
        "walls are one square long, ten each; they may shut a pawn off; start squares are chosen"
    ),
    players=(2, 3, 4),
    chooses_start=True,
    wall_length=1,
    walls_each=lambda size, players: CORRIDOR_WALLS,
    walls_may_trap=True,
    great_wall=False,
    jumps_aside=False,
)
RULE_SETS: Final[Mapping[str, RuleSet]] = {
    rules.name: rules
    for rules in (
        RuleSet(
            name="quoridor",
            source=ctext("source", "the rule book of Quoridor in force today"),
            differs=text("walls are two squares long; they may not shut a pawn off from its goal"),
            players=(2, 3, 4),
            chooses_start=False,
            wall_length=2,
            walls_each=lambda size, players: QUORIDOR_WALLS // players,
            walls_may_trap=False,
            great_wall=False,
            jumps_aside=True,
        ),
        _CORRIDOR,
        replace(
            _CORRIDOR,
            name="corridor-8",
            source=ctext(
                "source",
                "the Russian document on Corridor: with fewer walls, so that it need not be drawn",
            ),
            differs=text(
                "like corridor, but with one wall fewer than the board is wide: 8 each on the "
                "usual board"
            ),
            walls_each=lambda size, players: size - 1,
        ),
        replace(
            _CORRIDOR,
            name="great-wall",
            source=ctext("source", "the Russian document on Corridor: its author's own rule"),
            differs=text(
                "like corridor, but with any number of walls, of which none may join two sides of "
                "the board"
            ),
            walls_each=lambda size, players: None,
            great_wall=True,
        ),
    )
}

ENDLESS: Final[Mapping[str, RuleSet]] = {
    rules.name: replace(
        rules, draws=rules.draws and not rules.walls_may_trap, repetition_allowed=True
    )
    for rules in RULE_SETS.values()
}
"""The rule sets without a draw by repetition. If pawns can be trapped, the only draw is that all
pawns are trapped.

Source: Russian, "Ничья фиксируется только в том случае, если фишки обоих противников оказываются
пойманными"; no source of Quoridor has a rule for repetition.
"""


# --- the actions ---------------------------------------------------------------------------------

Axis = Literal["h", "v"]


@dataclass(frozen=True, slots=True)
class Move:
    """A move of the pawn to a square, by a step or a jump. File and rank count from 0.

    >>> str(Move(4, 1))
    'e2'
    """

    file: int
    rank: int

    def __str__(self) -> str:
        return board.place_name(self.file, self.rank)


@dataclass(frozen=True, slots=True)
class Choice:
    """The choice of the pawn's start square.

    >>> str(Choice(4, 0))
    '@e1'
    """

    file: int
    rank: int

    def __str__(self) -> str:
        return f"@{board.place_name(self.file, self.rank)}"


@dataclass(frozen=True, slots=True, order=True)
class Wall:
    """The placement of a wall: ``h``, horizontal, north of its square, or ``v``, vertical, east.

    A wall two squares long extends along the next square to the east, or to the north. Walls sort
    in the order of position texts.

    >>> str(Wall(4, 2, "h"))
    'e3h'
    """

    file: int
    rank: int
    axis: Axis

    def __str__(self) -> str:
        return f"{board.place_name(self.file, self.rank)}{self.axis}"


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass, legal only if nothing else is. It is written in records."""

    def __str__(self) -> str:
        return "-"


PASS: Final = Pass()

Action = Move | Choice | Wall | Pass


@lru_cache
def moves_to(size: int) -> tuple[Move, ...]:
    return tuple(Move(square % size, square // size) for square in range(size * size))


# --- the laws of the board -----------------------------------------------------------------------


class Footprint(NamedTuple):
    """The parts of the board that walls occupy, as sets."""

    north: int = 0  # the squares with a wall on the north side
    east: int = 0  # the squares with a wall on the east side
    middles: int = 0
    """The squares that name walls two squares long, by their middles, which no two walls can share.
    Empty for walls one square long, which have no middle."""
    points: int = 0
    """The grid points that walls touch: corners of squares, numbered like a board one larger."""

    def add(self, other: Footprint) -> Footprint:
        return Footprint(
            self.north | other.north,
            self.east | other.east,
            self.middles | other.middles,
            self.points | other.points,
        )

    def overlaps(self, other: Footprint) -> bool:
        """Return whether two walls exclude each other: they share a side of a square, or cross.

        Source: Quoridor, fences neither overlap nor cross; Russian, a side has space for one wall.
        """
        return bool(
            self.north & other.north or self.east & other.east or self.middles & other.middles
        )


@lru_cache
def footprints(size: int, length: int) -> Mapping[Wall, Footprint]:
    """Return every place for a wall on an empty board, sorted, with the footprint of a wall there.

    Walls are between two squares, never on the border, and do not stick out. **Reading**: the
    Russian "на любую сторону любого поля" means sides between two squares.

    >>> len(footprints(9, 2)), len(footprints(9, 1))
    (128, 144)
    """
    places: dict[Wall, Footprint] = {}
    for file, rank in product(range(size), repeat=2):
        middle = 1 << board.square_at(size, file, rank) if length > 1 else 0
        if rank < size - 1 and file + length <= size:
            sides = _set_of(board.square_at(size, file + along, rank) for along in range(length))
            points = (
                board.square_at(size + 1, file + along, rank + 1) for along in range(length + 1)
            )
            places[Wall(file, rank, "h")] = Footprint(sides, 0, middle, _set_of(points))
        if file < size - 1 and rank + length <= size:
            sides = _set_of(board.square_at(size, file, rank + along) for along in range(length))
            points = (
                board.square_at(size + 1, file + 1, rank + along) for along in range(length + 1)
            )
            places[Wall(file, rank, "v")] = Footprint(0, sides, middle, _set_of(points))
    return places


def _set_of(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)


def footprint_of(size: int, length: int, walls: Iterable[Wall]) -> Footprint:
    places = footprints(size, length)
    whole = Footprint()
    for wall in walls:
        whole = whole.add(places[wall])
    return whole


def passages_beside(size: int, walls: Footprint) -> board.Passages:
    """Return the open passages from square to square, given the footprint of walls."""
    free = board.all_open(size)
    return board.Passages(size, free.north & ~walls.north, free.east & ~walls.east)


def pawn_targets(
    jumps_aside: bool, passages: board.Passages, pawns: Collection[int], square: int
) -> list[int]:
    """Return the squares that the pawn on a square can go to, each once.

    A step leads to a free neighbouring square through an open side; **reading**: "на любое соседнее
    поле" is orthogonal. A jump leads straight over one pawn, never two. Source: Quoridor, if a
    fence is behind the other pawn, the jump leads to its left or right; **reading**: the edge of
    the board and a third pawn count as a fence. Russian is silent, so there is no such jump.
    """
    targets = []
    for side in board.SIDES:
        near = passages.step(square, side)
        if near == board.OFF_BOARD:
            continue
        if near not in pawns:
            targets.append(near)
            continue
        behind = passages.step(near, side)
        if behind != board.OFF_BOARD and behind not in pawns:
            targets.append(behind)
        elif jumps_aside:
            beside = [passages.step(near, turn) for turn in board.across(side)]
            targets += [
                place for place in beside if place != board.OFF_BOARD and place not in pawns
            ]
    return list(dict.fromkeys(targets))


# --- the Great Wall ------------------------------------------------------------------------------
#
# Walls are connected if they meet at a grid point. So a line of walls is a path from point to point
# along walls, and the points are the squares of a board one larger: the code that finds paths
# between walls also finds lines of walls.
#
# Source: Russian, "установка преграды запрещена, если в результате получится непрерывная стена от
# края до края (назовем это правило – правилом Большой стены)". **Reading**: two different sides of
# the board, opposite or neighbouring; both ends on one side, and closed loops, are allowed, since a
# pawn may be trapped without breaking the rule.


def along_walls(size: int, walls: Iterable[Wall]) -> board.Passages:
    """Return the passages from grid point to grid point along walls one square long.

    No passage leads along the border of the board, because no wall can be there.
    """
    north = east = 0
    for wall in walls:
        if wall.axis == "h":
            east |= 1 << board.square_at(size + 1, wall.file, wall.rank + 1)
        else:
            north |= 1 << board.square_at(size + 1, wall.file + 1, wall.rank)
    return board.Passages(size + 1, north, east)


def joined_points(size: int, walls: Iterable[Wall]) -> tuple[int, ...]:
    """Return, for each side of the board, the set of grid points that walls join to it."""
    along = along_walls(size, walls)
    return tuple(board.reachable(along, board.side_set(size + 1, side)) for side in board.SIDES)


def joins_two_sides(joined: Iterable[int], wall: Footprint) -> bool:
    """Return whether a new wall would join two sides, given the points joined to each side."""
    return sum(1 for points in joined if points & wall.points) > 1


class GreatWall(NamedTuple):
    """A line of walls from one side of the board to another."""

    sides: tuple[int, int]
    walls: tuple[Wall, ...]  # the walls of the line, from the first side to the second


def find_great_wall(size: int, walls: Iterable[Wall]) -> GreatWall | None:
    """Return the shortest line of walls that joins two sides of the board, or None.

    >>> wall = find_great_wall(9, [Wall(0, 0, "h"), Wall(0, 0, "v"), Wall(4, 4, "h")])
    >>> [str(part) for part in wall.walls]
    ['a1v', 'a1h']
    """
    along = along_walls(size, walls)
    found = []
    for sides in combinations(board.SIDES, 2):
        # The corner points of the board lie on two sides at once, but no wall ends there.
        start, goal = (board.side_set(size + 1, side) for side in sides)
        corners = start & goal
        if path := board.shortest_path(along, start & ~corners, goal & ~corners):
            found.append(
                GreatWall(sides, tuple(_wall_between(size, *ends) for ends in pairwise(path)))
            )
    return min(found, key=lambda line: len(line.walls), default=None)


def _wall_between(size: int, point: int, other: int) -> Wall:
    """Return the wall between two neighbouring grid points."""
    low, high = sorted((point, other))
    file, rank = low % (size + 1), low // (size + 1)
    if high == low + 1:
        return Wall(file, rank - 1, "h")
    return Wall(file - 1, rank, "v")
