"""The parts that tests of scenes share: scenes as data and as pictures, figures, names beside the board."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any
from xml.etree import ElementTree

import pytest

from trine.core.scene.scene import Figure, Piece, Scene, plain
from trine.play.draw.svg import draw_svg


def on_board(shown: Scene) -> dict[str, Piece]:
    """The pieces on the board, by cell."""
    return {piece.cell: piece for piece in shown.pieces if piece.role == "piece"}


def as_json(shown: Scene) -> dict[str, Any]:
    """A scene as data, which is the same after it was written and read, as its board is."""
    for half in (shown.board, shown.view):
        data: dict[str, Any] = plain(half)
        assert json.loads(json.dumps(data)) == data
    return data


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


def assert_names_beside_squares(shown: Scene, number: int) -> None:
    """So many coordinates stand in line with the files and ranks that they name."""
    places = {cell.id: cell.at for cell in shown.board.cells}
    coordinates = [label for label in shown.board.labels if label.role == "coordinate"]
    assert len(coordinates) == number
    for label in coordinates:
        name = str(label.text)
        along = 0 if label.at[1] > max(y for _, y in places.values()) else 1
        cell = f"{name}1" if name.isalpha() else f"a{name}"
        assert label.at[along] == pytest.approx(places[cell][along])


def assert_trays_beside_owners(shown: Scene, role: str, first_below: bool) -> None:
    """The pieces in the trays lie below the middle if their owner sits there, else above."""
    beside = [piece for piece in shown.pieces if piece.role == role]
    assert {piece.owner for piece in beside} == {0, 1}
    for piece in beside:
        below = shown.board.place_of(piece)[1] > shown.board.size[1] / 2
        assert below == ((piece.owner == 0) is first_below)
