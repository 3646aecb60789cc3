"""A position of Corridor: the referee, plus reasons in words.

A reason is the law that forbids an illegal action, by its name in the rule book. The checks are in
the order of a patient teacher's questions: is there such a place, is it free, is anything in
between, what would the wall do.
"""

from dataclasses import dataclass
from typing import Final

from trine.core.contract import position as contract
from trine.core.contract.handbook import Laws
from trine.core.contract.position import NO_HISTORY, History
from trine.core.text.sentence import Text, text
from trine.games.corridor import rules
from trine.games.corridor.board import (
    MAX_SEARCHED_SIZE,
    OFF_BOARD,
    SIDE_NAMES,
    SIDES,
    SIDES_OF,
    neighbours,
    opposite,
    place_name,
    square_at,
    square_name,
)
from trine.games.corridor.referee import Referee

law: Final = Laws("trine.games.corridor")


def _why_not_pass(position: Referee) -> Text | None:
    legal = position.legal_actions()
    if isinstance(legal[0], rules.Pass):
        return None
    return law("no-pass", example=str(legal[0]))


def _off_board(position: Referee, file: int, rank: int) -> Text | None:
    if file < position.size and rank < position.size:
        return None
    return law("off-the-board", cell=place_name(file, rank), last=square_name(position.size, -1))


def _taken(position: Referee, square: int) -> Text:
    return law(
        "taken",
        cell=square_name(position.size, square),
        player=position.seats[position.pawns.index(square)].name,
    )


def _why_not_choice(position: Referee, action: rules.Choice) -> Text | None:
    if not position.rules.chooses_start:
        return law("no-choice")
    if not position.in_setup:
        return law("chosen-already")
    if off := _off_board(position, action.file, action.rank):
        return off
    mover, square = position.mover, square_at(position.size, action.file, action.rank)
    if square not in (starts := position.start_squares(mover)):
        first, last, cell = (
            square_name(position.size, one) for one in (starts[0], starts[-1], square)
        )
        player, side = position.seats[mover].name, SIDE_NAMES[SIDES_OF[position.players][mover]]
        return law("other-side", player=player, side=side, first=first, last=last, cell=cell)
    return _taken(position, square) if square in position.pawns else None


# --- moves ---------------------------------------------------------------------------------------


def _why_not_move(position: Referee, action: rules.Move) -> Text:
    if off := _off_board(position, action.file, action.rank):
        return off
    size = position.size
    pawn = position.pawns[position.mover]
    target = square_at(size, action.file, action.rank)
    if target == pawn:
        return law("same-square", cell=square_name(size, target))
    if target in position.pawns:
        return _taken(position, target)
    if target in neighbours(size)[pawn]:
        return _wall_between(position, pawn, target)
    beside_both = [near for near in neighbours(size)[pawn] if near in neighbours(size)[target]]
    for over in beside_both:
        if over in position.pawns:
            return _why_not_jump(position, pawn, over, target)
    if target in _beyond_two_pawns(position, pawn):
        return law("two-pawns")
    return law("not-beside", target=square_name(size, target), cell=square_name(size, pawn))


def _beyond_two_pawns(position: Referee, pawn: int) -> list[int]:
    """Return the squares straight behind two pawns in line, regardless of walls."""
    near = neighbours(position.size)
    lines = [(near[pawn][side], side) for side in SIDES if near[pawn][side] in position.pawns]
    seconds = [(near[first][side], side) for first, side in lines]
    return [near[second][side] for second, side in seconds if second in position.pawns]


def _why_not_jump(position: Referee, pawn: int, over: int, target: int) -> Text:
    """Return why a pawn cannot jump over another pawn to a free square next to the other."""
    size, name = position.size, square_name(position.size, over)
    if wall := position.wall_between(pawn, over):
        return law("wall-before", wall=str(wall), over=name)
    behind = neighbours(size)[over][neighbours(size)[pawn].index(over)]
    if target == behind:
        return law("wall-behind", wall=str(position.wall_between(over, behind)), over=name)
    if not position.rules.jumps_aside:
        return law("never-aside", over=name)
    if behind not in (OFF_BOARD, *position.pawns) and not position.is_blocked(over, behind):
        return law("straight-is-free", over=name, behind=square_name(size, behind))
    return _wall_between(position, over, target)


def _wall_between(position: Referee, square: int, other: int) -> Text:
    cells = {"cell": square_name(position.size, square), "other": square_name(position.size, other)}
    return law("wall-between", wall=str(position.wall_between(square, other)), **cells)


# --- walls ---------------------------------------------------------------------------------------


def _why_taken_place(position: Referee, wall: rules.Wall) -> Text:
    places = rules.footprints(position.size, position.rules.wall_length)
    other = next(one for one in position.walls if places[one].overlaps(places[wall]))
    if other == wall:
        return law("same-wall")
    return law("overlap" if other.axis == wall.axis else "cross", wall=str(other))


def _why_no_place(position: Referee, wall: rules.Wall) -> Text:
    if off := _off_board(position, wall.file, wall.rank):
        return off
    cell = place_name(wall.file, wall.rank)
    last = position.size - 1
    if wall.axis == "h" and wall.rank == last:
        return law("north-border", cell=cell)
    if wall.axis == "v" and wall.file == last:
        return law("east-border", cell=cell)
    return law("sticks-out", cell=cell)


@dataclass(frozen=True)
class Position(Referee, contract.Position):
    """The public position: the referee, plus reasons in words.

    >>> from trine.games.corridor.rules import PASS, RULE_SETS
    >>> start = Position.first(RULE_SETS["quoridor"])
    >>> print(start.why_not(PASS))
    you can pass only if nothing else is legal; d1 is
    """

    def why_not(self, action: rules.Action, history: History = NO_HISTORY) -> Text | None:
        if outcome := self.outcome(history):
            return text("the play is over: {reason}", reason=outcome.reason.text)
        if isinstance(action, rules.Choice):
            return _why_not_choice(self, action)
        if isinstance(action, rules.Pass):
            return _why_not_pass(self)
        if self.in_setup:
            return law("choose-first", player=self.seats[self.mover].name)
        if isinstance(action, rules.Wall):
            return self.wall_refusal(action)
        return None if action in self.legal_moves() else _why_not_move(self, action)

    def wall_refusal(self, wall: rules.Wall) -> Text | None:
        """Return why the player to move cannot place a wall, or None, even if the play is over."""
        size, mover = self.size, self.mover
        if self.hands[mover] == 0:
            return law("no-walls", player=self.seats[mover].name)
        place = rules.footprints(size, self.rules.wall_length).get(wall)
        if place is None:
            return _why_no_place(self, wall)
        name = self.law_against_wall(place)
        if name == "overlap":
            return _why_taken_place(self, wall)
        if name == "great-wall" and (line := rules.find_great_wall(size, (*self.walls, wall))):
            first, second = (SIDE_NAMES[side] for side in line.sides)
            return law(name, first=first, second=second, walls=", ".join(map(str, line.walls)))
        if name and (player := self.trapped_by(place)) is not None:
            side = SIDE_NAMES[opposite(SIDES_OF[self.players][player])]
            return law(name, player=self.seats[player].name, side=side)
        return None

    def warning(self, action: rules.Action, history: History = NO_HISTORY) -> Text | None:
        """Return a warning if a legal wall traps the builder's pawn, or all pawns."""
        if not self.rules.walls_may_trap or not isinstance(action, rules.Wall):
            return None
        place = rules.footprints(self.size, self.rules.wall_length)[action]
        if self.trapped_by(place) is None:
            return None
        if self.play_unchecked(action).all_trapped():
            return text("this wall leaves no pawn a way to its goal; the play is a draw then")
        after = self.play_unchecked(action).distance(self.mover)
        if after is None and self.distance(self.mover) is not None:
            return text("this wall shuts your own pawn off from its goal for good")
        return None


def unsearched(position: Position) -> Text | None:
    """Return why compiled code cannot search a position, or None.

    >>> from trine.games.corridor.rules import RULE_SETS
    >>> print(unsearched(Position.first(RULE_SETS["quoridor"], 12)))
    the engine plays and analyses on boards up to 11 squares wide; this one has 12
    """
    if position.size <= MAX_SEARCHED_SIZE:
        return None
    return text(
        "the engine plays and analyses on boards up to {most} squares wide; this one has {size}",
        most=MAX_SEARCHED_SIZE,
        size=position.size,
    )
