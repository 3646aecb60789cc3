"""The renderer, on scenes of boards that no room has: it must not know any game."""

from __future__ import annotations

import re
from gettext import NullTranslations
from typing import get_args, get_type_hints
from xml.etree import ElementTree

import pytest
from msgspec import structs

from trine.core.errors import TrineError
from trine.core.scene.scene import (
    Area,
    Board,
    Button,
    Cell,
    Label,
    Line,
    Mark,
    Meaning,
    Piece,
    Scene,
    ScenePlayer,
    Shape,
    box,
    ellipse,
    spot_of,
)
from trine.core.text.language import Language
from trine.core.text.sentence import Text, text, verbatim
from trine.games import ROOMS, new_play, open_room
from trine.play.draw.board_theme import LAYERS, NIGHT, WOOD
from trine.play.draw.svg import draw_svg

SVG = "{http://www.w3.org/2000/svg}"
PLAYERS = (ScenePlayer("white", verbatim("White")), ScenePlayer("black", verbatim("Black")))
DISC = (Shape(ellipse(0, 0, 40), "body", "ink", 3), Shape(ellipse(0, 0, 28), "none", "shade", 3))
EVIL = """</text><script>alert("1 & '2'")</script>\x00\x1b\ud800"""


def hexagon() -> Scene:
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
    board = Board(
        size=(10, 10),
        cells=tuple(cells),
        players=PLAYERS,
        areas=(Area("board", box(0, 0, 10, 10)),),
        lines=tuple(lines),
        figures={"disc": DISC, "dot": (Shape(ellipse(0, 0, 10), "ink"),)},
    )
    title, alt = verbatim("a hexagon"), verbatim("stacks on it")
    marks = (Mark("last-to", pieces[0].cell), Mark("last-from", "e4"))
    return Scene(board=board, title=title, alt=alt, marks=marks, pieces=tuple(pieces))


PAWN = "M-24 30C-12 10-12 0-10-8A13 13 0 1 1 10-8C12 0 12 10 24 30Z"


def walled() -> Scene:
    cells = tuple(
        Cell(f"{name}{9 - y}", "square", (x + 1, y + 1), box(x + 0.57, y + 0.57, 0.86, 0.86))
        for y in range(9)
        for x, name in enumerate("abcdefghi")
    )
    walls = (
        Line("wall", ((2.5, 1.6), (2.5, 3.4)), 0, "b8v", verbatim("a wall of White")),
        Line("wall", ((3.6, 4.5), (5.4, 4.5)), 1, "d5h"),
        Line("wall", ((5.6, 4.5), (7.4, 4.5))),
    )
    board = Board(
        size=(10, 10),
        cells=cells,
        players=(ScenePlayer("red", verbatim("Red")), ScenePlayer("blue", verbatim("Blue"))),
        areas=(Area("board", box(0, 0, 10, 10)),),
        spots=tuple(spot_of(cell, verbatim(cell.id)) for cell in cells),
        buttons=(Button("#pass", verbatim("Pass")),),
        figures={"pawn": (Shape(PAWN, "body", "ink", 3),)},
    )
    return Scene(
        board=board,
        title=verbatim("walls"),
        alt=verbatim("three walls and two pawns"),
        walls=walls,
        pieces=(
            Piece((5, 9), "pawn", owner=0, cell="e1"),
            Piece((5, 1), "pawn", owner=1, cell="e9"),
        ),
        legend=(Meaning("wall", text("a wall")), Meaning("square", text("a square"))),
        targets=("d1", "e2", "f1", "#pass"),
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
    wide = structs.replace(walled(), board=structs.replace(walled().board, size=(10, 4)))
    root = ElementTree.fromstring(draw_svg(wide, width=250))
    assert (root.get("width"), root.get("height")) == ("250", "100")
    assert root.get("viewBox") == "0 0 1000 400"


def test_a_stack_shows_its_height() -> None:
    root = ElementTree.fromstring(draw_svg(hexagon()))
    for piece in hexagon().pieces:
        (group,) = [g for g in root.iter(f"{SVG}g") if g.get("data-cell") == piece.cell]
        assert [text.text for text in group.iter(f"{SVG}text")] == [str(piece.height)] * (
            piece.height > 1
        )
        drawn = (
            min(piece.height, 5) + bool(piece.figure) + (piece.height > 1)
        )  # and the number's disc
        assert len(list(group.iter(f"{SVG}use"))) == drawn


def test_walls_are_drawn_with_their_tooltips() -> None:
    root = ElementTree.fromstring(draw_svg(walled()))
    walls = [group for group in root.iter(f"{SVG}g") if group.get("class") == "wall"]
    assert len(walls) == 3
    assert [title.text for title in root.iter(f"{SVG}title")] == ["walls", "a wall of White"]


def test_malicious_words_are_escaped() -> None:
    evil = verbatim(EVIL)
    board = Board(
        size=(2, 2),
        cells=(Cell(EVIL, EVIL, (1, 1)),),
        players=(ScenePlayer(EVIL, evil),),
        areas=(Area(EVIL, box(0, 0, 1, 1)),),
        figures={EVIL: (Shape(EVIL, "body"),)},
    )
    scene = Scene(
        board=board,
        title=evil,
        alt=evil,
        status=evil,
        marks=(Mark(EVIL, EVIL),),
        pieces=(
            Piece((1, 1), EVIL, EVIL, 0, EVIL, EVIL, EVIL, tooltip=evil, marks=(EVIL,)),
            Piece((1, 1), "", EVIL, 0, label=evil),
        ),
        labels=(Label(evil, (1, 1)),),
        legend=(Meaning(EVIL, evil),),
    )
    root = ElementTree.fromstring(draw_svg(scene, legend=True))
    assert not list(root.iter(f"{SVG}script"))
    said = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert said and all(words.startswith("</text><script>alert(\"1 & '2'\")") for words in said)


def test_texts_are_said_in_the_language_asked_for() -> None:
    class Shouting(Language):
        def say(self, sentence: Text | TrineError | str) -> str:
            return str(sentence).upper()

    drawn = draw_svg(walled(), language=Shouting("en", NullTranslations()), legend=True)
    assert "WALLS" in drawn and ">A SQUARE<" in drawn


def test_a_scene_names_only_what_is_there() -> None:
    for broken in (
        {"marks": (Mark("goal", "z9"),)},
        {"targets": ("z9",)},
        {"pieces": (Piece((1, 1), "nobody"),)},
        {"pieces": (Piece((1, 1), "pawn", owner=2),)},
        {"pieces": (Piece((1, 1), "pawn", key="a"), Piece((2, 2), "pawn", key="a"))},
    ):
        with pytest.raises(ValueError, match="scene"):
            structs.replace(walled(), **broken)
    board = walled().board
    for wrong in (
        {"cells": (*board.cells, board.cells[0])},
        {"spots": (*board.spots, board.spots[0])},
        {"buttons": (Button("pass", verbatim("Pass")),)},
        {"ornaments": (Piece((1, 1), "nobody"),)},
    ):
        with pytest.raises(ValueError, match=r"scene|#"):
            structs.replace(board, **wrong)


def test_every_layer_is_a_part_of_a_scene_or_of_its_marks() -> None:
    """The part of a picture above the legend, where the legend tells of all drawn and nothing else."""
    drawn = {name for name in LAYERS if name not in ("tints", "badges")}
    kinds = (Area, Cell, Line, Mark, Piece, Label)
    parts = {
        prefix + part
        for prefix, whole in (("board.", Board), ("", Scene))
        for part, kind in get_type_hints(whole).items()
        if {*get_args(kind)[:1]} & {*kinds}
    }
    assert drawn == parts | {"targets"}


def test_a_piece_without_a_drawing_bears_its_name() -> None:
    lettered = structs.replace(
        walled(), pieces=(Piece((5, 9), "", "pawn", 0, "e1", label=verbatim("S")),)
    )
    (letter,) = ElementTree.fromstring(draw_svg(lettered)).iter(f"{SVG}text")
    assert letter.text == "S"


def test_what_a_capture_leaves_on_a_trap_is_marked_by_corners() -> None:
    """A dot would be lost in the hole of the trap."""
    position = new_play("arimaa", "2g r6r/8/8/3E4/8/8/8/R6R").position
    drawn = [
        draw_svg(open_room("arimaa").view.scene(position, last={cell})) for cell in ("c3", "d3")
    ]
    forms = [[form for form in ("corners", "dot") if path_of(form) in one] for one in drawn]
    assert forms == [["corners"], ["dot"]]


def path_of(form: str) -> str:
    (shape,) = WOOD.forms[form]
    return shape.path


@pytest.mark.parametrize("name", ROOMS)
def test_a_picture_has_all_paints_of_the_night(name: str) -> None:
    """The rules of the dark lead from the paints of the day to what is drawn by night."""
    room = open_room(name)
    rules = room.default_rules
    scene = room.view.scene(room.rules.parse_position(room.lessons(rules)[0].position, rules))
    by_day, by_night = draw_svg(scene), draw_svg(scene, theme=NIGHT)
    both = draw_svg(scene, night=NIGHT)
    style = both.split("<style>")[1].split("</style>")[0]
    assert both.replace(f"<style>{style}</style>\n", "") == by_day
    dark = dict(re.findall(r'\[(\w+="#\w+")\]\{\w+:(#\w+)\}', style))
    painted = re.compile(r'\b(?:fill|stroke)="#\w+"')
    pairs = list(zip(painted.findall(by_day), painted.findall(by_night), strict=True))
    assert len(pairs) > 20
    wrong = [(day, night) for day, night in pairs if dark.get(day, day.split('"')[1]) not in night]
    # A paint that two kinds of things share by day has by night that of the more frequent one.
    assert len(wrong) < 0.03 * len(pairs), set(wrong)


def test_equal_boards_have_equal_digests_and_others_do_not() -> None:
    assert walled().board.digest == walled().board.digest == walled().view.board
    assert walled().board.digest != hexagon().board.digest
    assert structs.replace(walled().board, seat=1).digest != walled().board.digest
