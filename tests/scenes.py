"""Helpers for tests of scenes, of their pictures, and of figures."""

import re
from collections.abc import Iterable, Sequence
from xml.etree import ElementTree

from trine.core.contract.choices import Choosable
from trine.core.scene.scene import Figure, Piece, Scene
from trine.play.draw.svg import draw_svg


def on_board(shown: Scene) -> dict[str, Piece]:
    """Return the pieces on the board, by cell."""
    return {piece.cell: piece for piece in shown.pieces if piece.role == "piece"}


def marks_on(shown: Scene) -> str:
    """Return the marks as words, such as ``d5 last-to, d4 last-from``, sorted."""
    return ", ".join(sorted(f"{mark.cell} {mark.role}" for mark in shown.marks))


def cells_drawn(shown: Scene) -> list[str]:
    """Return the cells of the pieces in a scene's picture, sorted; assert that all are distinct."""
    root = ElementTree.fromstring(draw_svg(shown, legend=True))
    groups = root.iter("{http://www.w3.org/2000/svg}g")
    drawn = [cell for group in groups if (cell := group.get("data-cell"))]
    assert len(drawn) == len(set(drawn))
    return sorted(drawn)


def assert_drawn_once(shown: Scene) -> None:
    """Assert that the picture has every piece on a cell exactly once."""
    assert cells_drawn(shown) == sorted(piece.cell for piece in shown.pieces if piece.cell)


def assert_known_paints(figures: Iterable[Figure], reach: float | None = 50) -> None:
    """Assert that figures use known paints and simple paths, and stay within their size."""
    for figure in figures:
        for shape in figure:
            assert {shape.fill, shape.stroke} <= {"body", "shade", "light", "ink", "none"}
            assert {shape.fill, shape.stroke} != {"none"}
            assert re.fullmatch(r"(?:[MLHVCQAZ][-\d. ]*)+", shape.path), shape.path
            numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", shape.path)]
            assert reach is None or max(map(abs, numbers)) <= reach


def next_picks(choosable: Iterable[Choosable], chosen: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the ids that can be picked next, each once, after some picks."""
    begun, depth = tuple(chosen), len(chosen)
    paths = [way.path for way in choosable if way.path[:depth] == begun]
    return tuple(dict.fromkeys(path[depth] for path in paths if len(path) > depth))
