"""The scene of a position of Corridor: squares, walls, pawns, goals, and walls in hand."""

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Final

from trine.core.scene.composing import LAST_MEANINGS, SceneLook, compose
from trine.core.scene.scene import Label, Line, Piece, Scene
from trine.core.text.sentence import Text, join, text, verbatim
from trine.games.corridor.board import LEFT, SEATS_OF, UNCHOSEN, square_name, square_names
from trine.games.corridor.position import Position
from trine.games.corridor.rules import Wall
from trine.games.corridor.view.insight import steps_to_go, walls_in_hand
from trine.games.corridor.view.layout import DIRECTIONS, UP, Layout, board_of, layout_of

STICK_LENGTH: Final = 0.28  # the drawn length of walls in hand
STICK_SPACING: Final = 0.3
RAIL_ENDS: Final = 1.2
"""The space at the ends of a rail: for the pawn at one end, the number of walls at the other."""
DESCRIPTION_CACHE_SIZE: Final = 64
"""The number of cached descriptions of positions, for the scenes from the other seats."""
PIECE_CACHE_SIZE: Final = 4096  # number of walls that are cached for the next scenes
ARROW: Final = f"arrow-{DIRECTIONS[UP]}"
MEANINGS: Final[Mapping[str, Text]] = {
    ARROW: text("an arrow points to its player's goal"),
    **LAST_MEANINGS,
    "fresh": text("a wall placed in the last turn"),
    "trapped": text("trapped: no way to its goal"),
    "way": text("on a shortest way of the player to move"),
}
"""The meaning of marks and ornaments; other marks have no line in the legend."""
IMPLIED: Final = {"": {"trapped", "way"}}
"""A trapped pawn has its own badge, and a path is drawn as footprints."""


def draw(position: Position, look: SceneLook) -> Scene:
    """Return the scene of a position.

    ``look.keys`` are not used: every player has one pawn, and walls do not move.
    """
    seen = layout_of(position.rules, position.size, position.players, look.seat)
    view = _Pieces(position, seen, look.pieces)
    return compose(
        look,
        board_of(seen, position.playing),
        position.mover,
        _title(position),
        describe(position),
        [*view.ornaments(look.last), *view.path(look.marks), *view.pawns()],
        walls=(*view.walls(), *view.sticks()),
        labels=view.counts(),
        meanings=MEANINGS,
        implied=IMPLIED,
        always=(ARROW,),
    )


def _title(position: Position) -> Text:
    turn = f"{position.number}{position.seats[position.mover].letter}"
    if position.rules.wall_length > 1:
        return text("Quoridor, turn {turn}", turn=turn)
    return text("Corridor, turn {turn}", turn=turn)


@lru_cache(maxsize=PIECE_CACHE_SIZE)
def _wall(view: Layout, wall: Wall, owner: int | None) -> tuple[Line, Piece | None, Piece]:
    """Return a wall on the board, the arrow of its owner, if known, and the ring of a new wall."""
    at, name = view.center(wall), str(wall)
    words, arrow = text("wall {wall}", wall=name), None
    if owner is not None:
        seat = SEATS_OF[view.players][owner]
        words = text("wall {wall}, placed by {player}", wall=name, player=seat.name)
        figure = f"chevron-{DIRECTIONS[view.goals[owner]]}"
        arrow = Piece(at, figure, owner=owner, key=f"arrow-{name}", role="arrow", scale=0.13)
    ring = Piece(at, "fresh", owner=owner, key=f"fresh-{name}", role="fresh", scale=0.26)
    return Line("wall", view.ends(wall), owner, name, words), arrow, ring


@lru_cache(maxsize=PIECE_CACHE_SIZE)
def _stick(view: Layout, player: int, hand: int, full: int, index: int) -> Line:
    spacing = min(STICK_SPACING, (view.span - RAIL_ENDS) / full)
    side, out = view.rail(player)
    words = text(
        "{player}: {standing}",
        player=SEATS_OF[view.players][player].name,
        standing=walls_in_hand(hand),
    )
    along = view.span / 2 + spacing * (index - (hand - 1) / 2)
    ends = (out - STICK_LENGTH / 2, out + STICK_LENGTH / 2)
    points = tuple(view.beside(side, along, end) for end in ends)
    return Line("wall", points, player, tooltip=words)


class _Pieces:
    def __init__(self, position: Position, view: Layout, piece_set: str) -> None:
        self.position, self.view, self.piece_set = position, view, piece_set

    def walls(self) -> Iterator[Line]:
        """Yield the walls on the board, with their owners, if known."""
        for wall in self.position.walls:
            yield _wall(self.view, wall, self.position.owners.get(wall))[0]

    def ornaments(self, last: Collection[str]) -> Iterator[Piece]:
        """Yield the owner's arrow on each wall, and a ring on a wall that the last turn placed."""
        for wall in self.position.walls:
            line, arrow, ring = _wall(self.view, wall, self.position.owners.get(wall))
            if line.id in last:
                yield ring
            if arrow:
                yield arrow

    def path(self, marks: Mapping[str, Collection[str]]) -> Iterator[Piece]:
        """Yield footprints of the player to move on the squares of a shortest path."""
        for square, name in enumerate(square_names(self.view.span)):
            if "way" in marks.get(name, ()) and square not in self.position.pawns:
                at, owner = self.view.squares.place(square), self.position.mover
                yield Piece(at, "way", owner=owner, key=f"way-{name}", role="way", scale=0.2)

    def pawns(self) -> Iterator[Piece]:
        for player, pawn in enumerate(self.position.pawns):
            if pawn != LEFT:
                yield self.pawn(player, pawn)

    def pawn(self, player: int, pawn: int) -> Piece:
        seat = self.position.seats[player]
        on_board = pawn != UNCHOSEN
        trapped = on_board and self.position.distance(player) is None
        cell = square_name(self.view.span, pawn) if on_board else ""
        if trapped:
            words = text("pawn of {player}, {cell}, trapped", player=seat.name, cell=cell)
        elif on_board:
            words = text("pawn of {player}, {cell}", player=seat.name, cell=cell)
        else:
            words = text("pawn of {player}, not on the board yet", player=seat.name)
        side, out = self.view.rail(player)
        return Piece(
            at=None if on_board else self.view.beside(side, 0.4, out),
            figure="" if self.piece_set else f"arrow-{DIRECTIONS[self.view.goals[player]]}",
            base="pawn",
            owner=player,
            cell=cell,
            key=f"pawn-{seat.letter}",
            role="piece" if on_board else "hand",
            scale=0.74 if on_board else 0.46,
            label=verbatim(seat.letter.upper()),
            tooltip=words,
            marks=("trapped",) if trapped else (),
        )

    def sticks(self) -> Iterator[Line]:
        """Yield the walls in hand, side by side in front of their players."""
        full = self.position.rules.walls_each(self.view.span, self.position.players)
        for player, hand in enumerate(self.position.hands):
            if hand is None or full is None or self.position.pawns[player] == LEFT:
                continue
            for index in range(hand):
                yield _stick(self.view, player, hand, max(full, hand), index)

    def counts(self) -> Iterator[Label]:
        """Yield the number of walls in hand, at the end of each rail."""
        for player, hand in enumerate(self.position.hands):
            if hand is not None and self.position.pawns[player] != LEFT:
                side, out = self.view.rail(player)
                at = self.view.beside(side, self.view.span - 0.32, out)
                yield Label(verbatim(str(hand)), at, "count")


def describe(position: Position) -> Text:
    """Return the whole position in words, for people who do not see the picture.

    >>> from trine.games.corridor.rules import RULE_SETS
    >>> small = Position.first(RULE_SETS["quoridor"], 3)
    >>> str(describe(small.play_unchecked(Wall(0, 0, "h"))))
    'North to move on a board of 3 by 3 squares. South: pawn b1, goal rank 3, 3 steps to the goal, \
9 walls in hand. North: pawn b3, goal rank 1, 3 steps to the goal, 10 walls in hand. Walls of \
South: a1h.'
    """
    return _describe(position, tuple(map(position.owners.get, position.walls)))


@lru_cache(maxsize=DESCRIPTION_CACHE_SIZE)
def _describe(position: Position, _: tuple[int | None, ...]) -> Text:
    """Return the words of a position; the second argument makes the cache distinguish owners."""
    mover = position.seats[position.mover].name
    size = position.size
    parts = [
        text("{player} to move on a board of {size} by {size} squares.", player=mover, size=size)
    ]
    for player, seat in enumerate(position.seats):
        standing = join(list(_player_texts(position, player)))
        parts.append(text("{player}: {standing}.", player=seat.name, standing=standing))
    for player, seat in enumerate(position.seats):
        if walls := _walls_of(position, player):
            parts.append(text("Walls of {player}: {walls}.", player=seat.name, walls=walls))
    if walls := _walls_of(position, None):
        parts.append(text("Walls that any player may have placed: {walls}.", walls=walls))
    if not position.walls:
        parts.append(text("No walls on the board."))
    return join(parts, " ")


def _player_texts(position: Position, player: int) -> Iterator[Text]:
    """Yield a player's pawn, goal, distance, and walls in hand, in words."""
    pawn, hand = position.pawns[player], position.hands[player]
    if pawn >= 0:
        yield text("pawn {cell}", cell=square_name(position.size, pawn))
    if pawn != LEFT:
        goals = [square_name(position.size, square) for square in position.goal_squares(player)]
        if goals[0][0] == goals[1][0]:
            yield text("goal file {file}", file=goals[0][0])
        else:
            yield text("goal rank {rank}", rank=goals[0][1:])
    yield steps_to_go(position, player)
    if hand is not None and pawn != LEFT:
        yield walls_in_hand(hand)


def _walls_of(position: Position, owner: int | None) -> str:
    return " ".join(str(wall) for wall in position.walls if position.owners.get(wall) == owner)
