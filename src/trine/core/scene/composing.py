"""A scene composed from the things of a game: marks, the tray to move, and the legend."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from trine.core.scene.keys import FIRST_KEYS, Keys
from trine.core.scene.scene import Area, Board, Label, Line, Mark, Meaning, Piece, Scene
from trine.core.text.sentence import Text, text

LAST_MEANINGS: Final[Mapping[str, Text]] = {
    "last-from": text("left in the last turn"),
    "last-to": text("reached in the last turn"),
}
"""The meanings of the marks of a last turn, in every game."""


class SceneLook(NamedTuple):
    """The options of a scene, as documented at `RoomView.scene`."""

    seat: int = 0
    last: Collection[str] = ()
    marks: Mapping[str, Collection[str]] = {}
    targets: Collection[str] = ()
    pieces: str = ""
    keys: Keys = FIRST_KEYS


def compose(
    look: SceneLook,
    board: Board,
    mover: int,
    title: Text,
    alt: Text,
    pieces: Sequence[Piece],
    *,
    walls: Iterable[Line] = (),
    labels: Iterable[Label] = (),
    meanings: Mapping[str, Text] = LAST_MEANINGS,
    implied: Mapping[str, Collection[str]] = {},
    always: Iterable[str] = (),
) -> Scene:
    """Return the scene of a position.

    ``meanings`` are those of roles, in the order of the legend; other roles have no line there.
    ``implied`` are the marks that another mark on the same cell, or a piece (``""``), says already.
    ``always`` are roles that the legend has even if no cell, mark or piece has them.
    """
    marks = tuple(_marks(look, board, pieces, implied))
    used = {mark.role for mark in marks}.union(*(piece.marks for piece in pieces))
    used |= board.roles.union(always) | {piece.role for piece in pieces}
    trays = [area.outline for area in board.areas if area.role == "tray"]
    return Scene(
        board=board,
        title=title,
        alt=alt,
        areas=(Area("tray-to-move", trays[mover]),) if trays else (),
        walls=tuple(walls),
        marks=marks,
        pieces=tuple(pieces),
        labels=tuple(labels),
        legend=tuple(Meaning(role, words) for role, words in meanings.items() if role in used),
        targets=tuple(sorted(look.targets)),
    )


def _marks(
    look: SceneLook, board: Board, pieces: Sequence[Piece], implied: Mapping[str, Collection[str]]
) -> Iterator[Mark]:
    standing = {piece.cell for piece in pieces if piece.role == "piece"}
    for name in sorted(board.by_id.keys() & look.last):
        yield Mark("last-to" if name in standing else "last-from", name)
    for name in sorted(look.marks):
        roles = set(look.marks[name])
        for role in sorted(roles.difference(*(implied.get(known, ()) for known in ("", *roles)))):
            yield Mark(role, name)
