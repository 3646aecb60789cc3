"""An analysis of a position for people, as plain data, for every player.

It has the distance and the path to each goal, the cost of each wall for each player, the trapped
players, the moves of the pawns, and the forbidden walls, by rule. All of it is exact.

The sentences beside the board follow: status, actions in groups, what to do next.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from trine.core.contract.insight import Threat
from trine.core.contract.position import Cause, Outcome, Reason
from trine.core.text.sentence import Text, join, ntext, text
from trine.games.corridor import board
from trine.games.corridor.position import Position
from trine.games.corridor.rules import (
    Action,
    Choice,
    Footprint,
    Move,
    Wall,
    footprints,
    joined_points,
    passages_beside,
    pawn_targets,
)

SquarePath = tuple[int, ...]


@dataclass(frozen=True)
class Forbidden:
    """Free places where a wall is forbidden, by rule.

    Each place is listed once, under the first rule that applies.
    """

    overlapping: dict[Wall, Wall]  # walls that would overlap another wall, and the other wall
    crossing: dict[Wall, Wall]  # walls that would cross another wall, and the other wall
    joining: dict[Wall, tuple[int, ...]]
    """Walls that would complete a Great Wall, and the sides of the board that it would join."""
    trapping: dict[Wall, tuple[int, ...]]  # walls that would trap players, and the players


@dataclass(frozen=True)
class Insight:
    """The analysis of a position; squares and players are numbers."""

    position: Position
    paths: tuple[SquarePath | None, ...]
    """Each player's shortest path, with both ends, regardless of pawns; None if there is none."""
    trapped: tuple[int, ...]  # the players whose pawn has no path to its goal
    costs: Mapping[Wall, tuple[int | None, ...]]
    """For each wall on the board, the steps that it adds to each player's path; None if it alone
    traps the player: without it there would be a path."""
    steps: tuple[tuple[int, ...], ...]
    """The squares that each player's pawn could step to, as if the player were to move."""
    jumps: tuple[tuple[int, ...], ...]
    """The squares that each player's pawn could jump to, as if the player were to move."""
    forbidden: Forbidden

    def marks(self) -> dict[str, frozenset[str]]:
        marks: dict[int, set[str]] = {}
        for square in (self.paths[self.position.mover] or ())[1:]:
            marks.setdefault(square, set()).add("way")
        for player in self.trapped:
            marks.setdefault(self.position.pawns[player], set()).add("trapped")
        return {self._name(square): frozenset(roles) for square, roles in marks.items()}

    def sentences(self) -> list[Text]:
        return [
            *self._path_sentences(),
            *self._advice(),
            *self._cost_sentences(),
            *self._move_sentences(),
            *self._forbidden_sentences(),
        ]

    def list_threats(self) -> tuple[Threat, ...]:
        """Return no threats: the paths and the costs of walls show them."""
        return ()

    def _name(self, square: int) -> str:
        return board.square_name(self.position.size, square)

    def _names(self, squares: tuple[int, ...]) -> list[str]:
        return [self._name(square) for square in squares]

    def _player(self, player: int) -> Text:
        return self.position.seats[player].name

    def _path_sentences(self) -> Iterator[Text]:
        for player, path in enumerate(self.paths):
            if player in self.trapped:
                yield text("{player} is trapped: no way to the goal", player=self._player(player))
            elif path is not None:
                yield ntext(
                    "{player}: {count} step to the goal, {cells}",
                    "{player}: {count} steps to the goal, {cells}",
                    len(path) - 1,
                    player=self._player(player),
                    cells=" ".join(self._names(path)),
                )

    def _advice(self) -> Iterator[Text]:
        """Yield the Russian document's advice for two players whose paths differ in length."""
        mover = self.position.mover
        lengths = [len(path) for path in self.paths if path is not None]
        if self.position.players != 2 or len(lengths) != 2 or lengths[0] == lengths[1]:
            return
        if lengths[mover] < lengths[1 - mover]:
            yield text("{player} has the shorter way: go along it", player=self._player(mover))
        else:
            yield text(
                "{player} has the longer way: build a wall that lengthens the other",
                player=self._player(mover),
            )

    def _cost_sentences(self) -> Iterator[Text]:
        for player in self.position.playing:
            costs = {wall: by_player[player] for wall, by_player in self.costs.items()}
            costly = [f"{wall} ({cost})" for wall, cost in costs.items() if cost]
            if costly:
                yield text(
                    "walls that cost {player} steps, and how many: {walls}",
                    player=self._player(player),
                    walls=" ".join(costly),
                )
            alone = [str(wall) for wall, cost in costs.items() if cost is None]
            if alone:
                yield text(
                    "walls without which {player} would have a way: {walls}",
                    player=self._player(player),
                    walls=" ".join(alone),
                )

    def _move_sentences(self) -> Iterator[Text]:
        for player in self.position.playing:
            name = self._player(player)
            if steps := self._names(self.steps[player]):
                yield text("{player} can step to {cells}", player=name, cells=" ".join(steps))
            if jumps := self._names(self.jumps[player]):
                yield text("{player} can jump to {cells}", player=name, cells=" ".join(jumps))

    def _forbidden_sentences(self) -> Iterator[Text]:
        forbidden = self.forbidden
        if forbidden.overlapping:
            yield text(
                "would overlap a wall: {walls}", walls=" ".join(map(str, forbidden.overlapping))
            )
        if forbidden.crossing:
            yield text("would cross a wall: {walls}", walls=" ".join(map(str, forbidden.crossing)))
        for sides, walls in _group_walls(forbidden.joining):
            yield text(
                "would complete a Great Wall, {sides}: {walls}",
                sides=join([board.SIDE_NAMES[side] for side in sides], "–"),
                walls=walls,
            )
        for players, walls in _group_walls(forbidden.trapping):
            yield text(
                "would shut off {players}: {walls}",
                players=join([self._player(player) for player in players]),
                walls=walls,
            )


def _group_walls(walls: Mapping[Wall, tuple[int, ...]]) -> Iterator[tuple[tuple[int, ...], str]]:
    """Yield walls grouped by their effect, each group in one string."""
    groups: dict[tuple[int, ...], list[str]] = {}
    for wall, effect in walls.items():
        groups.setdefault(effect, []).append(str(wall))
    for effect, names in groups.items():
        yield effect, " ".join(names)


def insight(position: Position) -> Insight:
    """Analyse a position, for every player.

    >>> from trine.games.corridor.rules import RULE_SETS
    >>> start = Position.first(RULE_SETS["quoridor"])
    >>> seen = insight(start.play_unchecked(Wall(4, 7, "h")))
    >>> seen.costs == {Wall(4, 7, "h"): (1, 1)}, list(map(str, seen.forbidden.crossing))
    (True, ['e8v'])
    """
    paths = tuple(position.path(player) for player in range(position.players))
    targets = [_targets(position, player) for player in range(position.players)]
    steps, jumps = zip(*targets, strict=True)
    return Insight(
        position,
        paths,
        tuple(
            player
            for player, path in enumerate(paths)
            if path is None and position.pawns[player] >= 0
        ),
        {wall: costs_of(position, wall) for wall in position.walls},
        steps,
        jumps,
        forbidden_walls(position),
    )


def _targets(position: Position, player: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the steps and the jumps of a player's pawn, as if the player were to move."""
    pawn = position.pawns[player]
    if pawn < 0:
        return (), ()
    targets = pawn_targets(position.rules.jumps_aside, position.passages, position.pawns, pawn)
    near = board.neighbours(position.size)[pawn]
    return (
        tuple(square for square in targets if square in near),
        tuple(square for square in targets if square not in near),
    )


def costs_of(position: Position, wall: Wall) -> tuple[int | None, ...]:
    """Return the cost of a wall on the board for each player, as in `Insight.costs`."""
    place = footprints(position.size, position.rules.wall_length)[wall]
    size, north, east = position.passages
    without = board.Passages(size, north | place.north, east | place.east)
    pairs = zip(position.distances(), _distances(position, without), strict=True)
    return tuple(_cost(before, after) for before, after in pairs)


def _cost(before: int | None, after: int | None) -> int | None:
    """Return the steps that a wall adds to a path; None if there is a path only without it."""
    if after is None:
        return 0
    return None if before is None else before - after


def _distances(position: Position, passages: board.Passages) -> tuple[int | None, ...]:
    goals = [board.opposite(side) for side in board.SIDES_OF[position.players]]
    return tuple(
        board.distance(passages, 1 << pawn, board.side_set(position.size, goal))
        if pawn >= 0
        else None
        for pawn, goal in zip(position.pawns, goals, strict=True)
    )


def forbidden_walls(position: Position) -> Forbidden:
    """Return the free places where the rules forbid a wall to any player.

    >>> from trine.games.corridor.rules import RULE_SETS
    >>> small = Position(RULE_SETS["great-wall"], 3, (1, 7), (None, None), (Wall(0, 0, "h"),))
    >>> {str(wall): sides for wall, sides in forbidden_walls(small).joining.items()}
    {'a1v': (0, 1)}
    """
    rules, size = position.rules, position.size
    places = footprints(size, rules.wall_length)
    joined = joined_points(size, position.walls) if rules.great_wall else ()
    forbidden = Forbidden({}, {}, {}, {})
    for wall, place in places.items():
        if position.footprint.overlaps(place):
            against = [other for other in position.walls if places[other].overlaps(place)]
            along = [other for other in against if other.axis == wall.axis]
            if along and wall not in along:
                forbidden.overlapping[wall] = along[0]
            elif not along:
                forbidden.crossing[wall] = against[0]
        elif len(sides := _sides_joined(joined, place)) > 1:
            forbidden.joining[wall] = sides
        elif not rules.walls_may_trap and (players := _trapped_by(position, place)):
            forbidden.trapping[wall] = players
    return forbidden


def _sides_joined(joined: Iterable[int], place: Footprint) -> tuple[int, ...]:
    return tuple(side for side, points in enumerate(joined) if points & place.points)


def _trapped_by(position: Position, place: Footprint) -> tuple[int, ...]:
    if position.trapped_by(place) is None:  # true of most walls, and quick to test
        return ()
    passages = passages_beside(position.size, position.footprint.add(place))
    distances = _distances(position, passages)
    return tuple(player for player in position.playing if distances[player] is None)


def status(position: Position) -> list[Text]:
    """Return the lines beside the board: start squares, distances, walls in hand, owners of walls.

    >>> from trine.games.corridor.rules import RULE_SETS
    >>> for line in status(Position.first(RULE_SETS["quoridor"])):
    ...     print(line)
    South: 8 steps to the goal, 10 walls in hand
    North: 8 steps to the goal, 10 walls in hand
    """
    lines = [_standing(position, player) for player in range(position.players)]
    if position.in_setup:
        free = [
            board.square_name(position.size, square)
            for square in position.start_squares(position.mover)
            if square not in position.pawns
        ]
        lines.append(
            text(
                "{player} can start on: {cells}",
                player=position.seats[position.mover].name,
                cells=" ".join(free),
            )
        )
    for player, seat in enumerate(position.seats):
        walls = [str(wall) for wall in position.walls if position.owners.get(wall) == player]
        if walls:
            lines.append(
                text("walls of {player}: {walls}", player=seat.name, walls=" ".join(walls))
            )
    return lines


def _standing(position: Position, player: int) -> Text:
    parts = [steps_to_go(position, player)]
    hand = position.hands[player]
    if hand is not None and position.pawns[player] != board.LEFT:
        parts.append(walls_in_hand(hand))
    return text("{player}: {standing}", player=position.seats[player].name, standing=join(parts))


def walls_in_hand(hand: int) -> Text:
    return ntext("{count} wall in hand", "{count} walls in hand", hand)


def steps_to_go(position: Position, player: int) -> Text:
    """Return the distance to a player's goal, or why there is none, in words.

    >>> from trine.games.corridor.rules import RULE_SETS
    >>> str(steps_to_go(Position.first(RULE_SETS["corridor"]), 0))
    'start square not chosen'
    """
    pawn = position.pawns[player]
    if pawn == board.LEFT:
        return text("has left the play")
    if pawn == board.UNCHOSEN:
        return text("start square not chosen")
    steps = position.distance(player)
    if steps is None:
        return text("trapped, no way to the goal")
    if steps == 0:
        return text("at the goal")
    return ntext("{count} step to the goal", "{count} steps to the goal", steps)


def heading(position: Position, action: Action) -> tuple[int, Text]:
    """Return the group of a legal action, and its heading; moves of the pawn come before walls."""
    match action:
        case Choice():
            return 0, text("start squares")
        case Move() if is_jump(position, action):
            return 2, text("jumps of the pawn")
        case Move():
            return 1, text("steps of the pawn")
        case Wall(axis="h"):
            return 3, text("horizontal walls")
        case Wall():
            return 4, text("vertical walls")
        case _:
            return 5, text("pass")


def is_jump(position: Position, move: Move) -> bool:
    """Return whether a move of the player to move is a jump, which is more than one square."""
    rank, file = divmod(position.pawns[position.mover], position.size)
    return abs(move.file - file) + abs(move.rank - rank) > 1


def cause(position: Position, outcome: Outcome) -> Cause | None:
    """Return the cause of a play's end; None if the board does not show it.

    >>> from trine.games import new_play
    >>> play = new_play("corridor", position="quoridor 5 2 c4,c2 b3h 9,9 1")
    >>> play.enter("c5")
    >>> print(cause(play.position, play.outcome).text)
    the pawn has reached c5
    """
    if outcome.reason is Reason.TRAPPED:
        return Cause(text("nobody has a way to the goal"))
    if outcome.reason is not Reason.GOAL or outcome.winner is None:
        return None
    cell = board.square_name(position.size, position.pawns[outcome.winner])
    return Cause(text("the pawn has reached {cell}", cell=cell), (cell,))


def coach(position: Position) -> Text:
    if position.in_setup:
        return text("Choose the square on your side where your pawn begins.")
    if position.hands[position.mover] == 0:
        return text("Move your pawn: you have no wall left.")
    return text("Move your pawn, or tap between squares to set a wall.")
