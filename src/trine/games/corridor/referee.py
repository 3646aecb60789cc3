"""The referee of Corridor: readable rules for positions, legal actions and results."""

from bisect import insort
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Self

from trine.core.contract.position import NO_HISTORY, History, Outcome, Reason, Seat
from trine.games.corridor import board
from trine.games.corridor.rules import (
    PASS,
    Action,
    Choice,
    Footprint,
    Move,
    Pass,
    RuleSet,
    Wall,
    footprint_of,
    footprints,
    joined_points,
    joins_two_sides,
    moves_to,
    passages_beside,
    pawn_targets,
)

Key = tuple[tuple[int, ...], tuple[Wall, ...], tuple[int | None, ...], int]


@dataclass(frozen=True)
class Referee:
    """The state that decides which actions are legal, except the history. Immutable and hashable.

    Two positions are equal if the same plays can follow; comparisons ignore turn numbers and the
    owners of walls.
    """

    rules: RuleSet
    size: int
    pawns: tuple[int, ...]
    """The square of each player's pawn in turn order; off the board, `UNCHOSEN` or `LEFT`."""
    hands: tuple[int | None, ...]  # number of walls in each player's hand; None: no limit
    walls: tuple[Wall, ...] = ()  # all walls on the board, sorted
    mover: int = 0
    number: int = field(default=1, compare=False)  # the turn number: the round, counted from 1
    owners: Mapping[Wall, int] = field(default_factory=dict, compare=False, repr=False)
    """The player who placed each wall, if known."""

    @classmethod
    def first(cls, rules: RuleSet, size: int = board.USUAL_SIZE, players: int = 2) -> Self:
        """Return the start position.

        Source: Quoridor, pawns begin in "the centre of the base line"; Russian, "Фишки, в начале
        игры выставляются игроками", so each player in turn chooses a square.
        """
        if rules.chooses_start:
            pawns = (board.UNCHOSEN,) * players
        else:
            pawns = tuple(board.middle_square(size, side) for side in board.SIDES_OF[players])
        return cls(rules, size, pawns, (rules.walls_each(size, players),) * players)

    # --- the players -----------------------------------------------------------------------------

    @property
    def players(self) -> int:
        return len(self.pawns)

    @property
    def seats(self) -> tuple[Seat, ...]:
        return board.SEATS_OF[self.players]

    @property
    def playing(self) -> tuple[int, ...]:
        return tuple(player for player, pawn in enumerate(self.pawns) if pawn != board.LEFT)

    @property
    def last_mover(self) -> int:
        """The player who moved last, without players who have left."""
        player = (self.mover - 1) % self.players
        while self.pawns[player] == board.LEFT:
            player = (player - 1) % self.players
        return player

    @property
    def in_setup(self) -> bool:
        return board.UNCHOSEN in self.pawns

    @property
    def key(self) -> Key:
        """The key that detects repetitions: pawns, walls, walls in hand, player to move."""
        return self.pawns, self.walls, self.hands, self.mover

    # --- the board -------------------------------------------------------------------------------

    @cached_property
    def footprint(self) -> Footprint:
        return footprint_of(self.size, self.rules.wall_length, self.walls)

    @cached_property
    def passages(self) -> board.Passages:
        return passages_beside(self.size, self.footprint)

    def is_blocked(self, square: int, other: int) -> bool:
        side = board.neighbours(self.size)[square].index(other)
        return self.passages.step(square, side) != other

    def wall_between(self, square: int, other: int) -> Wall | None:
        """Return the wall between two neighbouring squares, or None."""
        side = board.neighbours(self.size)[square].index(other)
        for wall in self.walls:
            place = footprints(self.size, self.rules.wall_length)[wall]
            if passages_beside(self.size, place).step(square, side) != other:
                return wall
        return None

    def start_squares(self, player: int) -> tuple[int, ...]:
        return board.side_squares(self.size, board.SIDES_OF[self.players][player])

    def goal_squares(self, player: int) -> tuple[int, ...]:
        """Return the squares of a player's goal side, opposite the start side."""
        return board.side_squares(self.size, board.opposite(board.SIDES_OF[self.players][player]))

    def _goal(self, player: int) -> int:
        return board.side_set(self.size, board.opposite(board.SIDES_OF[self.players][player]))

    def at_goal(self, player: int) -> bool:
        pawn = self.pawns[player]
        return pawn >= 0 and bool(self._goal(player) >> pawn & 1)

    def distance(self, player: int) -> int | None:
        """Return the fewest steps from a player's pawn to its goal side, regardless of other pawns.

        Returns: None if there is no path, or the pawn is not on the board.
        """
        pawn = self.pawns[player]
        return board.distance(self.passages, 1 << pawn, self._goal(player)) if pawn >= 0 else None

    def distances(self) -> tuple[int | None, ...]:
        return tuple(self.distance(player) for player in range(self.players))

    def path(self, player: int) -> tuple[int, ...] | None:
        """Return the squares of a shortest path of a player's pawn to its goal, both ends included.

        Returns: always the same path if there are several; None if there is no path, or the pawn
            is not on the board.
        """
        pawn = self.pawns[player]
        return (
            board.shortest_path(self.passages, 1 << pawn, self._goal(player)) if pawn >= 0 else None
        )

    # --- legal actions ---------------------------------------------------------------------------

    def legal_actions(self, history: History = NO_HISTORY) -> tuple[Action, ...]:
        """Return the legal actions, each once: moves of the pawn, then walls, sorted.

        Guarantee: not empty unless `outcome` returns a result.
        """
        if self.outcome(history):
            return ()
        if self.in_setup:
            return self._choices()
        return (*self.legal_moves(), *self.legal_walls()) or (PASS,)

    def _choices(self) -> tuple[Choice, ...]:
        """Return the free squares of the mover's side; **reading**: a corner must be free, too."""
        return tuple(
            Choice(square % self.size, square // self.size)
            for square in self.start_squares(self.mover)
            if square not in self.pawns
        )

    def legal_moves(self) -> tuple[Move, ...]:
        """Return the steps and jumps of the player to move, by the laws of the board."""
        aside, pawn = self.rules.jumps_aside, self.pawns[self.mover]
        targets = pawn_targets(aside, self.passages, self.pawns, pawn)
        return tuple(moves_to(self.size)[target] for target in targets)

    def legal_walls(self) -> tuple[Wall, ...]:
        if self.hands[self.mover] == 0:
            return ()
        places = footprints(self.size, self.rules.wall_length).items()
        return tuple(wall for wall, place in places if not self.law_against_wall(place))

    def law_against_wall(self, place: Footprint) -> str:
        """Return the name of the law that forbids a wall in a place; empty if none does."""
        if self.footprint.overlaps(place):
            return "overlap"
        if self.rules.great_wall and joins_two_sides(self._joined, place):
            return "great-wall"
        if not self.rules.walls_may_trap and self.trapped_by(place) is not None:
            return "shut-off"
        return ""

    @cached_property
    def _joined(self) -> tuple[int, ...]:
        """For each side of the board, the grid points that walls one square long join to it."""
        return joined_points(self.size, self.walls)

    def trapped_by(self, place: Footprint) -> int | None:
        """Return a player whom more walls, with this footprint, would trap, or None.

        Source: Quoridor, at least one path must stay open for every pawn.
        """
        # A wall that touches other walls and the border in at most one point can be walked around.
        if (place.points & self._touchable).bit_count() < 2:
            return None
        if (paths := self._paths) and not (place.north & paths[0] or place.east & paths[1]):
            return None
        passages = passages_beside(self.size, self.footprint.add(place))
        for player in self.playing:
            if board.distance(passages, 1 << self.pawns[player], self._goal(player)) is None:
                return player
        return None

    @cached_property
    def _paths(self) -> tuple[int, int] | None:
        """The passages of a shortest path of each player; a wall across none traps no player.

        None if a player has no path.
        """
        north = east = 0
        for player in self.playing:
            if (path := self.path(player)) is None:
                return None
            for square, near in pairwise(path):
                if abs(near - square) == 1:
                    east |= 1 << min(square, near)
                else:
                    north |= 1 << min(square, near)
        return north, east

    @cached_property
    def _touchable(self) -> int:
        """The grid points on the border or on a wall."""
        border = 0
        for side in board.SIDES:
            border |= board.side_set(self.size + 1, side)
        return border | self.footprint.points

    # --- playing an action -----------------------------------------------------------------------

    def play_unchecked(self, action: Action) -> Self:
        if isinstance(action, Wall):
            return self._after_wall(action)
        if isinstance(action, Pass):
            return self._turn_over(self.pawns)
        pawns = list(self.pawns)
        pawns[self.mover] = board.square_at(self.size, action.file, action.rank)
        return self._turn_over(tuple(pawns))

    def _after_wall(self, wall: Wall) -> Self:
        walls, hands = list(self.walls), list(self.hands)
        insort(walls, wall)
        in_hand = hands[self.mover]
        hands[self.mover] = None if in_hand is None else in_hand - 1
        owners = {**self.owners, wall: self.mover}
        return replace(
            self._turn_over(self.pawns), walls=tuple(walls), hands=tuple(hands), owners=owners
        )

    def without_mover(self) -> Self:
        """Return the position after the player to move leaves: the pawn goes, the walls stay."""
        pawns = list(self.pawns)
        pawns[self.mover] = board.LEFT
        return self._turn_over(tuple(pawns))

    def passed(self) -> Self:
        return self._turn_over(self.pawns)

    def _turn_over(self, pawns: tuple[int, ...]) -> Self:
        """Return the position with these pawns; the next player who has not left is to move."""
        mover = (self.mover + 1) % self.players
        while pawns[mover] == board.LEFT:
            mover = (mover + 1) % self.players
        number = self.number + (mover <= self.mover)
        return replace(self, pawns=pawns, mover=mover, number=number)

    def outcome(self, history: History = NO_HISTORY) -> Outcome | None:
        """Return the result, checked after every turn: goal, all pawns trapped, repetition.

        Source: Quoridor and Russian, the first on the opposite side has won; **reading**: with
        three or four players the others share the last place.
        """
        if self.at_goal(self.last_mover):
            return Outcome(self.last_mover, Reason.GOAL)
        if self.all_trapped():
            return Outcome(None, Reason.TRAPPED)
        if not self.rules.repetition_allowed and history.times(self.key) >= 3:
            return Outcome(None, Reason.REPETITION)
        return None

    def all_trapped(self) -> bool:
        """Return whether no pawn has a path to its goal.

        Source: Russian, "Ничья фиксируется только …". If only some players are trapped, they play
        on, with moves and walls. **Reading**: a player without a path is trapped, whether a closed
        space or a wall across the board is the cause.
        """
        if not self.rules.walls_may_trap or self.in_setup:
            return False
        return all(self.distance(player) is None for player in self.playing)
