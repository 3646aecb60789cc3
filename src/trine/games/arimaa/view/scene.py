"""The scene of a position of Arimaa: board, traps, animals, pieces in hand and pieces lost."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Final, NamedTuple

from msgspec import structs

from trine.core.scene.keys import FIRST_KEYS, Keys
from trine.core.scene.scene import (
    Area,
    Board,
    Button,
    Cell,
    Label,
    Mark,
    Meaning,
    Piece,
    Point,
    Scene,
    ScenePlayer,
    Spot,
    box,
    place,
    spot_of,
)
from trine.core.scene.squares import Squares
from trine.core.text.sentence import Text, join, text, verbatim
from trine.games.arimaa.board import (
    ARMY,
    EMPTY,
    GOLD,
    PIECES,
    SIDE,
    SIDE_LETTERS,
    SIDE_NAMES,
    SIDES,
    SQUARE_NAMES,
    SQUARE_OF,
    SQUARES,
    TRAPS,
    piece_name,
)
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import STEPS_IN_TURN, RuleSet, is_frozen
from trine.games.arimaa.view.figures import COINS, FIGURES
from trine.games.arimaa.view.picks import BEYOND, END_BUTTON
from trine.games.arimaa.view.text_board import CHESS_MEN

DESCRIPTION_CACHE_SIZE: Final = 64
"""The number of cached descriptions of positions, shared by the scenes of all seats."""
PIECE_CACHE_SIZE: Final = 4096
"""The number of cached drawings of pieces, shared by scenes."""

LEFT: Final = 0.5
TOP: Final = 0.3
SIZE: Final = (LEFT + 9.65, TOP + 8.5)
"""The size of the picture in squares: board, coordinates left and below, trays on the right."""
TRAY_LEFT: Final = LEFT + 8.3
TRAY_WIDTH: Final = 1.05
SLOT_HEIGHT: Final = 0.575
"""The height of the slot of each kind of piece in a tray."""

ROLES: Final = ("gold", "silver")
MEANINGS: Final[Mapping[str, Text]] = {
    "trap": text("trap: a piece with no friend beside it is lost there"),
    "last-from": text("left in the last turn"),
    "last-to": text("reached in the last turn"),
    "frozen": text("frozen: a stronger enemy beside it, and no friend"),
    "capturable": text("could be captured this turn"),
    "dislodgeable": text("could be pushed or pulled this turn"),
    "goal": text("could reach its goal this turn"),
}
"""The meaning of the roles of cells and marks; other marks have no line in the legend."""


def scene(
    position: Position,
    *,
    seat: int = GOLD,
    last: Collection[str] = (),
    marks: Mapping[str, Collection[str]] | None = None,
    targets: Collection[str] = (),
    pieces: str = "",
    keys: Keys = FIRST_KEYS,
) -> Scene:
    """Return the scene of a position; the arguments are documented at `RoomView.scene`.

    Beside the board are the pieces that a side has in hand during the setup and, after it, those
    that it has lost.
    """
    view, board, rules = _View(seat), position.board, position.rules
    standing = [
        _standing(
            pieces,
            board[square],
            square,
            is_frozen(rules, board, square),
            keys.get(SQUARE_NAMES[square], ""),
        )
        for square in SQUARES
        if board[square] != EMPTY
    ]
    hand = bool(position.hands)
    heaps = [
        _heap(view, pieces, letter, count, hand)
        for letter in "".join(PIECES)
        if (count := _beside(position, letter))
    ]
    left, count = (1, 1) if position.in_setup else (position.steps_left, STEPS_IN_TURN)
    shown = tuple(_marks(board, last, marks or {}))
    roles = {"trap", *(mark.role for mark in shown)}.union(*(piece.marks for piece in standing))
    return Scene(
        board=_board(position.rules, seat),
        title=text("Arimaa, turn {turn}", turn=f"{position.number}{SIDE_LETTERS[position.mover]}"),
        alt=describe(position),
        areas=(Area("tray-to-move", view.tray(position.mover)),),
        marks=shown,
        pieces=(
            *standing,
            *(piece for piece, _ in heaps),
            *_steps(view, position.mover, left, count),
        ),
        labels=tuple(number for _, number in heaps),
        legend=tuple(Meaning(role, words) for role, words in MEANINGS.items() if role in roles),
        targets=tuple(sorted(targets)),
    )


@cache
def _board(rules: RuleSet, seat: int) -> Board:
    """Return the part of the scene that is the same in all positions of a rule set."""
    view = _View(seat)
    squares = [
        view.board.cell(square, "trap" if square in TRAPS else "square") for square in SQUARES
    ]
    slots = [view.slot(letter) for side in SIDES for letter in PIECES[side]]
    return Board(
        size=SIZE,
        seat=seat,
        players=tuple(ScenePlayer(ROLES[side], SIDE_NAMES[side]) for side in SIDES),
        areas=tuple(view.areas()),
        cells=(*squares, *slots),
        labels=tuple(view.board.coordinates()),
        spots=tuple(view.spots(squares, slots, rules)),
        buttons=(Button(END_BUTTON, text("End the turn")),),
        figures=FIGURES,
    )


def _marks(
    board: str, last: Collection[str], marks: Mapping[str, Collection[str]]
) -> Iterator[Mark]:
    for name in sorted(last):
        yield Mark("last-from" if board[SQUARE_OF[name]] == EMPTY else "last-to", name)
    for name in sorted(marks):
        # Frozen pieces have a mark already, and a piece that can be captured can be dislodged.
        said = {"frozen", "dislodgeable"} if "capturable" in marks[name] else {"frozen"}
        for role in sorted(set(marks[name]) - said):
            yield Mark(role, name)


class _View(NamedTuple):
    seat: int

    @property
    def board(self) -> Squares:
        return Squares(SQUARE_NAMES, LEFT, TOP, bool(self.seat))

    def slot(self, letter: str) -> Cell:
        """The slot of a kind of piece in the tray of its side; strong pieces are outermost."""
        side = SIDE[letter]
        depth = SLOT_HEIGHT * (PIECES[side].index(letter) + 0.5)
        y = TOP + (8 - depth if self.sits_below(side) else depth)
        outline = box(TRAY_LEFT, y - SLOT_HEIGHT / 2, TRAY_WIDTH, SLOT_HEIGHT)
        return Cell(letter, "slot", (TRAY_LEFT + TRAY_WIDTH / 2, y), outline)

    def areas(self) -> Iterator[Area]:
        yield Area("board", box(0.03, 0.03, SIZE[0] - 0.06, SIZE[1] - 0.06))
        yield Area("field", box(LEFT - 0.03, TOP - 0.03, 8.06, 8.06))
        for side in SIDES:
            yield Area("tray", self.tray(side))

    def tray(self, side: int) -> tuple[Point, ...]:
        height = SLOT_HEIGHT * len(ARMY)
        top = TOP + 8 - height if self.sits_below(side) else TOP
        return box(TRAY_LEFT, top, TRAY_WIDTH, height)

    def sits_below(self, side: int) -> bool:
        return side == self.seat

    def spots(
        self, squares: Iterable[Cell], slots: Iterable[Cell], rules: RuleSet
    ) -> Iterator[Spot]:
        """Yield the spots of squares and slots, and of the strips beyond the board (`ejection`)."""
        for cell in squares:
            trap = text("{cell}, trap", cell=cell.id)
            yield spot_of(cell, trap if cell.role == "trap" else verbatim(cell.id))
        for cell in slots:
            named = {"piece": piece_name(cell.id), "side": SIDE_NAMES[SIDE[cell.id]]}
            yield spot_of(
                cell, text("{piece}, {side}, in hand", **named), (TRAY_WIDTH, SLOT_HEIGHT)
            )
        if rules.ejection:
            for name, rank in ((BEYOND["n"], 8), (BEYOND["s"], 1)):
                above = (rank == 8) is not bool(self.seat)
                height = TOP if above else SIZE[1] - TOP - 8
                at = (LEFT + 4, height / 2 if above else TOP + 8 + height / 2)
                yield Spot(
                    name, at, (8, height), text("off the board, over rank {rank}", rank=rank)
                )


@lru_cache(maxsize=PIECE_CACHE_SIZE)
def _heap(view: _View, piece_set: str, letter: str, count: int, hand: bool) -> tuple[Piece, Label]:
    """Return the pieces of a kind in hand, or lost, and their number."""
    values = {"piece": piece_name(letter), "side": SIDE_NAMES[SIDE[letter]], "count": count}
    if hand:
        role, words = "hand", text("{piece}, {side}: {count} in hand", **values)
    else:
        role, words = "captured", text("{piece}, {side}: {count} lost", **values)
    _, y = view.slot(letter).at
    piece = structs.replace(
        _drawn(letter, piece_set),
        at=place(TRAY_LEFT + 0.36, y),
        cell=letter,
        role=role,
        scale=0.52,
        tooltip=words,
    )
    number = Label(verbatim(str(count)), place(TRAY_LEFT + TRAY_WIDTH - 0.25, y), "count")
    return piece, number


@lru_cache(maxsize=PIECE_CACHE_SIZE)
def _steps(view: _View, mover: int, left: int, count: int) -> tuple[Piece, ...]:
    """Return a coin for each step of a turn: first the remaining ones, then the used ones."""
    y = TOP + 4 + (0.25 if view.sits_below(mover) else -0.25)
    return tuple(
        Piece(
            at=place(TRAY_LEFT + TRAY_WIDTH / 2 + 0.25 * (index - (count - 1) / 2), y),
            figure="",
            base=COINS[mover],
            owner=mover,
            key=f"step-{ROLES[mover]}-{index + 1}",
            role="step" if index < left else "step-used",
            scale=0.2,
        )
        for index in range(count)
    )


@lru_cache(maxsize=PIECE_CACHE_SIZE)
def _standing(piece_set: str, letter: str, square: int, frozen: bool, key: str) -> Piece:
    """Return a piece on a square; cached, since most pieces stay where they are."""
    cell = SQUARE_NAMES[square]
    named = {"piece": piece_name(letter), "cell": cell, "side": SIDE_NAMES[SIDE[letter]]}
    words = text("{piece} {cell}, {side}", **named)
    if frozen:
        words = text("{piece} {cell}, {side}, frozen", **named)
    return structs.replace(
        _drawn(letter, piece_set),
        cell=cell,
        key=key,
        scale=0.94,
        tooltip=words,
        marks=("frozen",) if frozen else (),
    )


def _drawn(letter: str, piece_set: str) -> Piece:
    kind, side, men = letter.upper(), SIDE[letter], CHESS_MEN.get(piece_set)
    return Piece(
        figure="" if men or piece_set == "letters" else kind,
        base=COINS[side] if men else f"{COINS[side]}-{kind}",
        owner=side,
        label=verbatim(men[letter] if men else letter),
    )


def _beside(position: Position, letter: str) -> int:
    """Return the number of pieces of a kind in hand or, after the setup, lost."""
    if position.hands:
        return position.hands[SIDE[letter]].count(letter)
    return max(0, ARMY[letter.upper()] - position.board.count(letter))


# --- in words ------------------------------------------------------------------------------------


@lru_cache(maxsize=DESCRIPTION_CACHE_SIZE)
def describe(position: Position) -> Text:
    """Return the whole position in words, for people who cannot see it.

    >>> from trine.games.arimaa.rules import RULE_SETS
    >>> corner = Position.of(RULE_SETS["official"], "R" + "." * 62 + "e", 1)
    >>> str(describe(corner))
    'Silver to move. Gold: rabbit a1. Silver: elephant h8.'
    """
    said = [text("{side} to move.", side=SIDE_NAMES[position.mover])]
    for side in SIDES:
        kinds = [
            text("{piece} {cells}", piece=piece_name(letter), cells=" ".join(cells))
            for letter in PIECES[side]
            if (cells := [SQUARE_NAMES[at] for at in SQUARES if position.board[at] == letter])
        ]
        said.append(
            text(
                "{side}: {pieces}.",
                side=SIDE_NAMES[side],
                pieces=join(kinds) if kinds else text("no piece on the board"),
            )
        )
    frozen = [
        SQUARE_NAMES[square]
        for square in SQUARES
        if position.board[square] != EMPTY and is_frozen(position.rules, position.board, square)
    ]
    if frozen:
        said.append(text("Frozen: {cells}.", cells=" ".join(frozen)))
    return join(said, " ")
