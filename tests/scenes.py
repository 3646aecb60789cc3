"""The parts that tests of scenes share: scenes as data and as pictures, figures, names beside the board."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from xml.etree import ElementTree

from trine.core.contract.choices import Choosable
from trine.core.scene.scene import Figure, Piece, Scene
from trine.play.draw.svg import draw_svg


def on_board(shown: Scene) -> dict[str, Piece]:
    """The pieces on the board, by cell."""
    return {piece.cell: piece for piece in shown.pieces if piece.role == "piece"}


def cells_drawn(shown: Scene) -> list[str]:
    """The cells of the pieces in the picture of a scene, in order; none comes twice."""
    root = ElementTree.fromstring(draw_svg(shown, legend=True))
    groups = root.iter("{http://www.w3.org/2000/svg}g")
    drawn = [cell for group in groups if (cell := group.get("data-cell"))]
    assert len(drawn) == len(set(drawn))
    return sorted(drawn)


def assert_drawn_once(shown: Scene) -> None:
    """Every piece that stands on a cell is in the picture once."""
    assert cells_drawn(shown) == sorted(piece.cell for piece in shown.pieces if piece.cell)


def assert_known_paints(figures: Iterable[Figure], reach: float | None = 50) -> None:
    """Figures are made of known paints and simple paths, and stay within their size."""
    for figure in figures:
        for shape in figure:
            assert {shape.fill, shape.stroke} <= {"body", "shade", "light", "ink", "none"}
            assert {shape.fill, shape.stroke} != {"none"}
            assert re.fullmatch(r"(?:[MLHVCQAZ][-\d. ]*)+", shape.path), shape.path
            numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", shape.path)]
            assert reach is None or max(map(abs, numbers)) <= reach


def next_picks(choosable: Iterable[Choosable], chosen: Sequence[str] = ()) -> tuple[str, ...]:
    """The ids that can be pointed at next, each once, after some have been pointed at."""
    begun, depth = tuple(chosen), len(chosen)
    paths = [way.path for way in choosable if way.path[:depth] == begun]
    return tuple(dict.fromkeys(path[depth] for path in paths if len(path) > depth))
