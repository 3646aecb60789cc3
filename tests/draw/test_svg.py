"""The renderer, on scenes of boards that no room has: it must not know any game."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from trine.core.scene import (
    Area,
    Cell,
    Label,
    Line,
    Mark,
    Meaning,
    Piece,
    Player,
    Scene,
    Shape,
    box,
    ellipse,
)
from trine.core.text import Text, text, verbatim
from trine.draw.svg import draw_svg

SVG = "{http://www.w3.org/2000/svg}"
PLAYERS = (Player("white", verbatim("White")), Player("black", verbatim("Black")))
DISC = (Shape(ellipse(0, 0, 40), "body", "ink", 3), Shape(ellipse(0, 0, 28), "none", "shade", 3))
EVIL = """</text><script>alert("1 & '2'")</script>\x00\x1b\ud800"""


def hexagon() -> Scene:
    """Sixty points on lines, the middle missing, with stacks of discs."""
    side, height = 5, 3**0.5 / 2
    cells, lines = [], []
    for column in range(-side + 1, side):
        count = 2 * side - 1 - abs(column)
        x = 5 + column * height
        top = 5 - (count - 1) / 2
        for index in range(count):
            if column or index != count // 2:
                cell = f"{'abcdefghi'[column + 4]}{count - index}"
                cells.append(Cell(cell, "point", (x, top + index)))
        ends = [(x, top), (x, top + count - 1)]
        lines.append(Line("line", tuple(ends)))
    pieces = [
        Piece(cell.at, "dot" if index % 3 else "", "disc", index % 2, cell.id, height=index % 7 + 1)
        for index, cell in enumerate(cells[::4])
    ]
    return Scene(
        size=(10, 10),
        title=verbatim("a hexagon"),
        alt=verbatim("stacks on it"),
        cells=tuple(cells),
        players=PLAYERS,
        areas=(Area("board", box(0, 0, 10, 10)),),
        lines=tuple(lines),
        marks=(Mark("last-to", pieces[0].cell), Mark("last-from", "e4")),
        pieces=tuple(pieces),
        figures={"disc": DISC, "dot": (Shape(ellipse(0, 0, 10), "ink"),)},
    )


def walled() -> Scene:
    """Nine times nine squares with gaps for walls between them."""
    cells = tuple(
        Cell(
            f"{'abcdefghi'[x]}{9 - y}",
            "square",
            (x + 1, y + 1),
            box(x + 0.57, y + 0.57, 0.86, 0.86),
        )
        for y in range(9)
        for x in range(9)
    )
    walls = (
        Line("wall", ((2.5, 1.6), (2.5, 3.4)), 0, "b8v", verbatim("a wall of White")),
        Line("wall", ((3.6, 4.5), (5.4, 4.5)), 1, "d5h"),
        Line("wall", ((5.6, 4.5), (7.4, 4.5))),
    )
    return Scene(
        size=(10, 10),
        title=verbatim("walls"),
        alt=verbatim("three walls and two pawns"),
        cells=cells,
        players=(Player("red", verbatim("Red")), Player("blue", verbatim("Blue"))),
        areas=(Area("board", box(0, 0, 10, 10)),),
        lines=walls,
        pieces=(
            Piece((5, 9), "pawn", owner=0, cell="e1"),
            Piece((5, 1), "pawn", owner=1, cell="e9"),
        ),
        legend=(Meaning("wall", text("a wall")), Meaning("square", text("a square"))),
        targets=("d1", "e2", "f1"),
        figures={
            "pawn": (
                Shape(
                    "M-24 30C-12 10-12 0-10-8A13 13 0 1 1 10-8C12 0 12 10 24 30Z", "body", "ink", 3
                ),
            )
        },
    )


SCENES = {"hexagon": hexagon(), "walled": walled()}


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_a_picture_is_well_formed_and_stands_alone(scene: Scene) -> None:
    drawn = draw_svg(scene, legend=True)
    root = ElementTree.fromstring(drawn)
    assert root.tag == f"{SVG}svg"
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    used = {element.get("href") for element in root.iter(f"{SVG}use")}
    assert used <= {f"#{name}" for name in ids}
    assert re.findall(r'https?://[^"]*', drawn) == ["http://www.w3.org/2000/svg"]
    assert not list(root.iter(f"{SVG}script"))
    assert "nan" not in drawn


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_the_same_scene_gives_the_same_bytes(scene: Scene) -> None:
    assert draw_svg(scene) == draw_svg(replace(scene))


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_every_piece_is_drawn_once(scene: Scene) -> None:
    root = ElementTree.fromstring(draw_svg(scene))
    drawn = [group.get("data-cell") for group in root.iter(f"{SVG}g") if group.get("data-cell")]
    assert drawn == [piece.cell for piece in scene.pieces]


def test_a_picture_says_what_it_shows() -> None:
    root = ElementTree.fromstring(draw_svg(walled(), prefix="first"))
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "first-title first-desc"
    assert [root[0].get("id"), root[0].text] == ["first-title", "walls"]
    assert [root[1].get("id"), root[1].text] == ["first-desc", "three walls and two pawns"]


def test_the_width_is_given_and_the_height_follows() -> None:
    wide = replace(walled(), size=(10, 4))
    root = ElementTree.fromstring(draw_svg(wide, width=250))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == (
        "250",
        "100",
        "0 0 1000 400",
    )


def test_a_stack_shows_its_height() -> None:
    root = ElementTree.fromstring(draw_svg(hexagon()))
    for piece in hexagon().pieces:
        (group,) = [g for g in root.iter(f"{SVG}g") if g.get("data-cell") == piece.cell]
        assert [text.text for text in group.iter(f"{SVG}text")] == [str(piece.height)] * (
            piece.height > 1
        )
        assert len(list(group.iter(f"{SVG}use"))) == min(piece.height, 5) + bool(piece.figure)


def test_walls_are_drawn_with_their_tooltips() -> None:
    root = ElementTree.fromstring(draw_svg(walled()))
    walls = [group for group in root.iter(f"{SVG}g") if group.get("class") == "wall"]
    assert len(walls) == 3
    assert [title.text for title in root.iter(f"{SVG}title")] == ["walls", "a wall of White"]


def test_malicious_words_are_escaped() -> None:
    evil = verbatim(EVIL)
    scene = Scene(
        size=(2, 2),
        title=evil,
        alt=evil,
        cells=(Cell(EVIL, EVIL, (1, 1)),),
        players=(Player(EVIL, evil),),
        areas=(Area(EVIL, box(0, 0, 1, 1)),),
        marks=(Mark(EVIL, EVIL),),
        pieces=(Piece((1, 1), EVIL, EVIL, 0, EVIL, EVIL, label=evil, tooltip=evil, marks=(EVIL,)),),
        labels=(Label(evil, (1, 1)),),
        legend=(Meaning(EVIL, evil),),
        figures={EVIL: (Shape(EVIL, "body"),)},
    )
    root = ElementTree.fromstring(draw_svg(scene, legend=True))
    assert not list(root.iter(f"{SVG}script"))
    said = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert said and all(words.startswith("</text><script>alert(\"1 & '2'\")") for words in said)


def test_unknown_roles_are_drawn_plainly() -> None:
    scene = replace(walled(), marks=(Mark("never heard of", "e5"),))
    assert draw_svg(scene) != draw_svg(walled())
    strangers = (Player("mauve", verbatim("Mauve")), Player("teal", verbatim("Teal")))
    assert 'class="piece mauve"' in draw_svg(replace(walled(), players=strangers))


def test_texts_are_said_in_the_language_asked_for() -> None:
    class Shouting:
        def say(self, sentence: Text) -> str:
            return str(sentence).upper()

    by_object = draw_svg(walled(), language=Shouting(), legend=True)
    assert "WALLS" in by_object and ">A SQUARE<" in by_object
    assert draw_svg(walled(), language=lambda said: str(said).upper(), legend=True) == by_object


def test_a_scene_names_only_what_is_there() -> None:
    for broken in (
        {"marks": (Mark("goal", "z9"),)},
        {"targets": ("z9",)},
        {"pieces": (Piece((1, 1), "nobody"),)},
        {"pieces": (Piece((1, 1), "pawn", owner=2),)},
        {"cells": (*walled().cells, walled().cells[0])},
    ):
        with pytest.raises(ValueError, match="scene"):
            replace(walled(), **broken)
