"""Pieces as letters on cells: drawn, described and set up for any game.

A game defines the letters of its players, and where they are in a position. `Lettering` derives the
pieces of a scene, its trays, its description, a text board, and a position editor.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any, Final, NamedTuple

from msgspec import Struct, structs

from trine.core.contract import editor
from trine.core.contract.position import ItsPosition
from trine.core.scene import scene
from trine.core.scene.canvas import Canvas, Look, Sign, Signs
from trine.core.scene.composing import SceneLook, compose
from trine.core.text.sentence import Text, join, text, verbatim

PIECE_CACHE_SIZE: Final = 8192
"""The number of cached drawings of pieces, shared by scenes of all games."""
TOOLTIPS: Final[Mapping[str, Text]] = {
    "hand": text("{piece}, {side}: {count} in hand"),
    "captured": text("{piece}, {side}: {count} lost"),
    "shown": text("{piece}, {side}: {count} in sight"),
    "frozen": text("{piece} {cell}, {side}, frozen"),
    "": text("{piece} {cell}, {side}"),
}
"""The tooltips of heaps, by the role of the heap, and of pieces, by the mark on the piece."""
IN_HAND: Final = text("{piece}, {side}, in hand")


class Stone(Struct, frozen=True, gc=False):
    """A piece on a cell, or a stack of pieces with this one on top."""

    cell: str
    letter: str
    height: int = 1
    mark: str = ""
    """The role of a mark on the piece, such as ``frozen``; empty for none."""


class HeapPlace(NamedTuple):
    """The place and scale of a heap in its slot; distances from the slot's left edge."""

    piece: float
    number: float
    scale: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Lettering:
    """The pieces of a game as letters.

    >>> from trine.games.arimaa.view.board import LETTERING
    >>> print(LETTERING.part("e").label)
    elephant, Silver
    """

    letters: tuple[str, ...]
    """The letters of each player, in the order of trays and descriptions."""
    names: Mapping[str, Text]
    """The names of the kinds, by capital letter."""
    players: tuple[scene.ScenePlayer, ...]
    draw: Callable[[str, int, str], scene.Piece]
    """``draw(letter, height, piece set)``: the drawing of a piece or a stack."""
    stones: Callable[[ItsPosition], Iterable[Stone]]
    """``stones(position)``: the pieces on cells, in the order of the cells."""
    scale: float = 0.9
    """The size of a piece on a cell."""
    heap: HeapPlace | None = None
    """The place of heaps in trays; None if there are no trays."""

    @cached_property
    def owners(self) -> Mapping[str, int]:
        return {letter: owner for owner, own in enumerate(self.letters) for letter in own}

    def words(self, template: Text, letter: str, **values: object) -> Text:
        """Fill a sentence about a piece of a player."""
        side = self.players[self.owners[letter]].name
        piece = self.names[letter.upper()]
        return Text(template.template, {"piece": piece, "side": side, **values})

    # --- the scene -------------------------------------------------------------------------------

    def slots(
        self, letters: str, left: float, top: float, size: scene.Point, step: scene.Point
    ) -> list[scene.Cell]:
        """Return the slots of a tray; ``left`` and ``top`` are the corner of the first one."""
        (width, height), cells = size, []
        for index, letter in enumerate(letters):
            x, y = left + step[0] * index, top + step[1] * index
            at = scene.place(x + width / 2, y + height / 2)
            cells.append(scene.Cell(letter, "slot", at, scene.box(x, y, width, height)))
        return cells

    def slot_spots(self, slots: Iterable[scene.Cell]) -> Iterator[scene.Spot]:
        for slot in slots:
            (left, top), _, (right, bottom), _ = slot.outline
            size = scene.place(right - left, bottom - top)
            yield scene.spot_of(slot, self.words(IN_HAND, slot.id), size)

    def compose(
        self,
        look: SceneLook,
        board: scene.Board,
        position: ItsPosition,
        title: Text,
        alt: Text,
        *,
        role: str = "hand",
        beside: Iterable[tuple[str, int]] = (),
        steps: Iterable[scene.Piece] = (),
        **legend: Any,
    ) -> scene.Scene:
        """Return the scene of a position.

        ``beside`` are the numbers of pieces in trays, by letter; ``role`` is the role of these
        pieces; ``legend`` are the other arguments of `compose`.
        """
        heaps = [
            _heap(self, slot.outline[0][0], slot.at[1], letter, look.pieces, role, number)
            for letter, number in beside
            if (slot := board.by_id[letter])
        ]
        standing = (
            _standing(self, look.pieces, stone, look.keys.get(stone.cell, ""))
            for stone in self.stones(position)
        )
        pieces = [*standing, *(piece for piece, _ in heaps), *steps]
        labels = [label for _, label in heaps]
        return compose(look, board, position.mover, title, alt, pieces, labels=labels, **legend)

    def steps(
        self, mover: int, base: str, middle: scene.Point, spacing: scene.Point, roles: Sequence[str]
    ) -> Iterator[scene.Piece]:
        """Yield a small piece for each action of a turn, in a row, ``step`` or ``step-used``."""
        for index, role in enumerate(roles):
            off = index - (len(roles) - 1) / 2
            yield scene.Piece(
                at=scene.place(middle[0] + spacing[0] * off, middle[1] + spacing[1] * off),
                base=base,
                owner=mover,
                key=f"step-{self.players[mover].role}-{index + 1}",
                role=role,
                scale=0.2,
            )

    def describe(
        self,
        position: ItsPosition,
        opening: Text | None = None,
        further: Callable[[int], Iterable[Text]] = lambda player: (),
    ) -> list[Text]:
        """Return sentences that say which pieces are where, for people who cannot see the board.

        ``opening`` says who is to move; ``further`` are more sentences about a player.
        """
        mover = self.players[position.mover].name
        cells: dict[str, list[str]] = {}
        for cell, letter, height, _ in map(structs.astuple, self.stones(position)):
            cells.setdefault(letter, []).append(f"{cell} ({height})" if height > 1 else cell)
        said = [opening or text("{side} to move.", side=mover)]
        for owner, (own, player) in enumerate(zip(self.letters, self.players, strict=True)):
            kinds = [
                self.words(text("{piece} {cells}"), letter, cells=" ".join(cells[letter]))
                for letter in own
                if letter in cells
            ]
            pieces = join(kinds) if kinds else text("no piece on the board")
            said.append(text("{side}: {pieces}.", side=player.name, pieces=pieces))
            said += further(owner)
        return said

    # --- the text board --------------------------------------------------------------------------

    def write(
        self,
        canvas: Canvas,
        look: Look,
        position: ItsPosition,
        cells: Mapping[str, tuple[int, int]],
        signs: Signs,
        *,
        ground: Callable[[str], str] = lambda cell: "square",
        glyph: Callable[[Stone | None, str], str] = lambda stone, cell: (
            stone.letter if stone else "."
        ),
        urgent: Mapping[str, Sign] = {},
        filled: bool = True,
    ) -> tuple[Sign, ...]:
        """Write every cell: a sign, the piece or an empty cell, a sign.

        ``cells`` are the places of the pieces, by cell. ``ground`` returns the roles of a cell,
        and ``glyph`` the text for a piece, or for no piece, on a cell. ``urgent`` are signs by
        cell that replace the signs of marks. ``filled``: whether the ground of a cell is also
        written on both sides of its piece.

        Returns: the signs that were written, the most urgent first.
        """
        standing = {stone.cell: stone for stone in self.stones(position)}
        for name, (column, line) in cells.items():
            stone, marks = standing.get(name), set(look.marks.get(name, ()))
            roles, side = ground(name), ""
            if name in look.last:
                marks.add("last")
                roles += " last"
            if stone:
                marks.add(stone.mark)
                side = f" {self.players[self.owners[stone.letter]].role}"
            after = canvas.write(column, line, glyph(stone, name), roles + side)
            left, right = signs.shown(marks)
            for sign, at, end in ((urgent.get(name, left), column - 1, 0), (right, after, -1)):
                if sign:
                    canvas.sign(at, line, sign, sign.sign[end], roles)
                elif filled:
                    canvas.write(at, line, " ", roles)
        known = (*urgent.values(), *signs.left, *signs.right)
        return tuple(sign for sign in dict.fromkeys(known) if sign in canvas.used)

    # --- the position editor ---------------------------------------------------------------------

    def position_editor(
        self,
        cells: Collection[str],
        empty: Callable[[ItsPosition], ItsPosition],
        replace: Callable[[ItsPosition, str, str, int], ItsPosition],
        change: Callable[[ItsPosition, str, str], ItsPosition],
        settings: Callable[[ItsPosition], tuple[editor.Setting, ...]] = lambda position: (
            editor.mover_setting(position),
        ),
        highest: int = 1,
    ) -> editor.Editor:
        """Return the position editor, with the functions of `Editor`.

        ``replace(position, cell, letter, height)`` puts a stack on a cell in place of any other;
        an empty letter is no piece. ``highest`` is the greatest height of a stack: a piece that is
        put on an equal one makes the stack higher.
        """
        written = re.compile(rf"([{''.join(self.letters)}])([1-9][0-9]?)?")

        def put(position: ItsPosition, part: str, spot: str) -> ItsPosition:
            found = written.fullmatch(part)
            if not found or spot not in cells or (found[2] and highest == 1):
                raise editor.no_place(part, spot)
            letter, height = found[1], int(found[2] or 1)
            stone = self.stone_on(position, spot)
            if stone and stone.letter == letter and not found[2]:
                height = min(highest, stone.height + 1)
            return replace(position, spot, letter, height)

        def take(position: ItsPosition, spot: str) -> tuple[ItsPosition, str]:
            stone = self.stone_on(position, spot)
            if not stone:
                return position, ""
            part = f"{stone.letter}{stone.height}" if highest > 1 else stone.letter
            return replace(position, spot, "", 0), part

        def checked(position: ItsPosition, setting: str, value: str) -> ItsPosition:
            editor.check_value(settings(position), setting, value)
            return change(position, setting, value)

        parts = tuple(map(self.part, chain(*self.letters)))
        return editor.Editor(empty, lambda position: parts, put, take, settings, checked)

    def stone_on(self, position: ItsPosition, cell: str) -> Stone | None:
        return next((stone for stone in self.stones(position) if stone.cell == cell), None)

    def part(self, letter: str) -> editor.BoxPart:
        drawn = structs.replace(self.draw(letter, 1, ""), label=verbatim(letter))
        return editor.BoxPart(letter, self.words(text("{piece}, {side}"), letter), drawn)


@lru_cache(maxsize=PIECE_CACHE_SIZE)
def _standing(lettering: Lettering, piece_set: str, stone: Stone, key: str) -> scene.Piece:
    """Return a piece on a cell; cached, since most pieces stay where they are."""
    cell, letter, height, mark = structs.astuple(stone)
    words = lettering.words(TOOLTIPS[mark], letter, cell=cell)
    if height > 1:
        words = text("{piece}, height {height}", piece=words, height=height)
    return structs.replace(
        lettering.draw(letter, height, piece_set),
        cell=cell,
        key=key,
        scale=lettering.scale,
        tooltip=words,
        marks=(mark,) if mark else (),
    )


@lru_cache(maxsize=PIECE_CACHE_SIZE)
def _heap(
    lettering: Lettering, left: float, y: float, letter: str, piece_set: str, role: str, count: int
) -> tuple[scene.Piece, scene.Label]:
    """Return pieces of a kind in a tray, and their number."""
    within = lettering.heap
    assert within
    piece = structs.replace(
        lettering.draw(letter, 1, piece_set),
        at=scene.place(left + within.piece, y),
        cell=letter,
        role=role,
        scale=within.scale,
        tooltip=lettering.words(TOOLTIPS[role], letter, count=count),
    )
    return piece, scene.Label(verbatim(str(count)), scene.place(left + within.number, y), "count")
