"""Drawing a scene: its layers as SVG elements, in the look of a theme."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Final
from xml.sax.saxutils import escape

from trine.core.scene.scene import (
    Area,
    Cell,
    Figure,
    Label,
    Line,
    Meaning,
    Piece,
    Point,
    Say,
    Scene,
    Shape,
    box,
)
from trine.core.text.sentence import Text
from trine.play.draw.board_theme import LAYERS, BoardTheme

UNIT: Final = 100
"""The units of the SVG view box per unit of a scene, because figures are in hundredths."""


def element(name: str, attributes: Mapping[str, str], *content: str) -> str:
    head = "".join(f' {key}="{escaped(value)}"' for key, value in attributes.items())
    inner = "".join(content)
    return f"<{name}{head}>{inner}</{name}>" if inner else f"<{name}{head}/>"


_UNSPEAKABLE: Final = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold, not even escaped."""


def escaped(said: str) -> str:
    return escape(_UNSPEAKABLE.sub("\ufffd", said), {'"': "&quot;"})


def number(value: float) -> str:
    """Format a number with at most two decimals."""
    return f"{round(value, 2) + 0.0:g}"


def units(length: float) -> str:
    return number(length * UNIT)


def polygon(points: Iterable[Point]) -> str:
    return "M" + "L".join(f"{units(x)} {units(y)}" for x, y in points) + "Z"


LEGEND_ROW: Final = 0.46  # scene units; the height of a line of the legend. Guess
CORNERS: Final = ((1, -1), (-1, -1), (1, 1), (-1, 1))
"""The corners for badges, as directions to the right and down, in order of use."""


class Drawing:
    """A picture in progress, and the figures that it uses."""

    def __init__(self, scene: Scene, theme: BoardTheme, say: Say, prefix: str) -> None:
        self.scene, self.theme, self.say, self.prefix = scene, theme, say, prefix
        self.board = scene.board
        self.used: dict[tuple[Figure, str], str] = {}
        """The SVG ids of the figures used, each in the paints of a role, in order of first use."""
        self.badges: Counter[Point] = Counter()  # number of badges at each place

    def file(self, width: int, legend: bool) -> str:
        across, down = self.board.size
        parts = [part for layer in LAYERS for part in self.layer(layer)]
        below = list(self.below(legend))
        parts += below
        if below:
            down += LEGEND_ROW * (len(below) - 1 + 0.3)
        title, alt = f"{self.prefix}-title", f"{self.prefix}-desc"
        view = {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {units(across)} {units(down)}",
            "width": str(width),
            "height": number(width * down / across),
            "role": "img",
            "aria-labelledby": f"{title} {alt}",
        }
        described = [self.say(words) for words in (self.scene.alt, self.scene.status)]
        content = [
            element("title", {"id": title}, escaped(self.say(self.scene.title))),
            element("desc", {"id": alt}, escaped(" ".join(filter(None, described)))),
        ]
        if definitions := list(self.definitions()):
            content.append(element("defs", {}, "\n", "\n".join(definitions), "\n"))
        return element("svg", view, "\n", "\n".join([*content, *parts]), "\n") + "\n"

    def layer(self, name: str) -> Iterator[str]:
        draw: Mapping[str, Callable[[], Iterator[str]]] = {
            "board.areas": lambda: self.areas(self.board.areas),
            "areas": lambda: self.areas(self.scene.areas),
            "board.cells": lambda: chain.from_iterable(map(self.cell, self.board.cells)),
            "tints": lambda: self.marks(self.tint),
            "board.lines": lambda: map(self.line, self.board.lines),
            "walls": lambda: map(self.line, self.scene.walls),
            "marks": lambda: self.marks(self.mark),
            "board.ornaments": lambda: map(self.piece, self.board.ornaments),
            "pieces": lambda: map(self.piece, self.scene.pieces),
            "badges": lambda: self.marks(lambda role, cell: self.badge(role, cell.at)),
            "board.labels": lambda: map(self.label, self.board.labels),
            "labels": lambda: map(self.label, self.scene.labels),
            "targets": self.targets,
        }
        return draw[name]()

    def marks(self, draw: Callable[[str, Cell], Iterator[str]]) -> Iterator[str]:
        for mark in self.scene.marks:
            yield from draw(mark.role, self.board.by_id[mark.cell])

    def areas(self, areas: Iterable[Area]) -> Iterator[str]:
        for area in areas:
            yield self.surface(area.role, area.outline, self.theme.edges["area"])
            if area.role in self.theme.grained:
                grain = {"d": polygon(area.outline), "fill": f"url(#{self.grain(area.role)})"}
                yield element("path", grain)

    def targets(self) -> Iterator[str]:
        for spot in self.board.spots:
            if spot.id in self.scene.targets:
                yield element("g", {"class": "target"}, self.form("target", "target", spot.at))

    def surface(self, role: str, outline: Iterable[Point], line: float) -> str:
        paint = self.theme.paint(role)
        return element(
            "path",
            {
                "class": role,
                "d": polygon(outline),
                "fill": paint.body,
                "stroke": paint.ink,
                "stroke-width": units(line),
                "stroke-linejoin": "round",
            },
        )

    def grain(self, role: str) -> str:
        return f"{self.prefix}-grain-{sorted(self.theme.grained).index(role)}"

    def cell(self, cell: Cell) -> Iterator[str]:
        if cell.outline:
            yield self.surface(cell.role, cell.outline, self.theme.edges["cell"])
        if cell.role in self.board.figures:
            yield self.use(self.board.figures[cell.role], cell.role, cell.at, 1)

    def line(self, line: Line) -> str:
        owner = None if line.owner is None else self.board.players[line.owner].role
        wide = self.theme.widths.get(line.role, self.theme.thin) * UNIT
        path = polygon(line.points).removesuffix("Z")
        strokes = [self.stroke(path, self.theme.paint(line.role).body, wide)]
        if owner:
            seam = wide * self.theme.seam
            strokes.append(self.stroke(path, self.theme.paint(owner).body, seam))
        return element("g", {"class": line.role}, self.tooltip(line.tooltip), *strokes)

    def stroke(self, path: str, colour: str, width: float) -> str:
        return element(
            "path",
            {
                "d": path,
                "fill": "none",
                "stroke": colour,
                "stroke-width": number(width),
                "stroke-linecap": "round",
            },
        )

    def tint(self, role: str, cell: Cell) -> Iterator[str]:
        """Draw the colour that a mark gives to a cell, below the lines of the board."""
        # A tint would hide the ornament of a cell.
        if "tint" in self.theme.marks.get(role, ()) and cell.role not in self.board.figures:
            if cell.outline:
                colour = self.theme.paint(role).body
                yield element("path", {"class": role, "d": polygon(cell.outline), "fill": colour})
            else:
                yield self.form("tint", role, cell.at)

    def mark(self, role: str, cell: Cell) -> Iterator[str]:
        """Draw the forms of a mark on a cell, under its piece."""
        plain = () if role in self.board.figures else ("ring",)
        for known in self.theme.marks.get(role, plain):
            # A dot cannot be seen on an ornament, such as the hole of a trap.
            hidden = known == "dot" and cell.role in self.board.figures
            form = "corners" if hidden else known
            if form != "tint":
                round_one = form == "corners" and not cell.outline
                yield self.form("circle" if round_one else form, role, cell.at)

    def form(self, name: str, role: str, at: Point) -> str:
        return self.use(self.theme.forms[name], role, at, 1)

    def badge(self, role: str, at: Point) -> Iterator[str]:
        """Draw the figure of a mark, small, in a free corner of its cell."""
        if role not in self.board.figures:
            return
        right, down = CORNERS[self.badges[at] % len(CORNERS)]
        self.badges[at] += 1
        size = self.theme.badge
        place = (at[0] + right * (0.5 - size / 2), at[1] + down * (0.5 - size / 2))
        yield self.use(self.board.figures[role], role, place, size)

    def piece(self, piece: Piece) -> str:
        owner = "other" if piece.owner is None else self.board.players[piece.owner].role
        attributes = {"class": f"{piece.role} {owner}"}
        if piece.cell:
            attributes["data-cell"] = piece.cell
        if piece.role in self.theme.faded:
            attributes["opacity"] = number(self.theme.pale)
        at = self.board.place_of(piece)
        x, y = at
        drawn = min(piece.height, self.theme.stack_limit)
        rise = self.theme.stacked * piece.scale
        bottom = y + rise * (drawn - 1) / 2
        parts = [self.tooltip(piece.tooltip)]
        if piece.base:
            parts += [
                self.use(
                    self.board.figures[piece.base], owner, (x, bottom - rise * level), piece.scale
                )
                for level in range(drawn)
            ]
        top = bottom - rise * (drawn - 1)
        if piece.figure:
            parts.append(self.use(self.board.figures[piece.figure], owner, (x, top), piece.scale))
        else:
            parts += self.letters(piece, owner, (x, top))
        if piece.height > 1:
            parts.append(self.number(str(piece.height), at))
        for mark in piece.marks:
            parts += self.badge(mark, at)
        return element("g", attributes, *parts)

    def letters(self, piece: Piece, owner: str, at: Point) -> Iterator[str]:
        if said := self.say(piece.label):
            size = self.theme.letter * piece.scale / max(1, 0.6 * len(said))
            yield self.words(
                said, at, size, self.theme.paint(owner).ink, outline=self.theme.paint(owner).light
            )

    def number(self, digits: str, at: Point) -> str:
        """Draw the height of a stack in a small disc."""
        aside, size = self.theme.count
        place = (at[0] + aside, at[1] + aside)
        ink = self.theme.paint("count").ink
        return self.form("count", "count", place) + self.words(digits, place, size, ink)

    def tooltip(self, sentence: Text) -> str:
        said = self.say(sentence)
        return element("title", {}, escaped(said)) if said else ""

    def use(self, figure: Figure, role: str, at: Point, scale: float) -> str:
        default = f"{self.prefix}-{len(self.used) + 1}"
        name = self.used.setdefault((figure, role), default)
        move = f"translate({units(at[0])} {units(at[1])})"
        if scale != 1:
            move += f" scale({number(scale)})"
        return element("use", {"href": f"#{name}", "transform": move})

    def definitions(self) -> Iterator[str]:
        """Yield the definitions of the grains and figures used, each once."""
        for role in sorted(
            {area.role for area in (*self.board.areas, *self.scene.areas)} & self.theme.grained
        ):
            grain, (across, down) = self.theme.grain, self.theme.grain.tile
            pattern = {"id": self.grain(role), "patternUnits": "userSpaceOnUse"}
            pattern |= {"width": number(across), "height": number(down)}
            fibres = self.stroke(grain.path, self.theme.paint(role).shade, grain.width)
            yield element("pattern", pattern, fibres)
        for (figure, role), name in self.used.items():
            shapes = [self.shape(shape, role) for shape in figure]
            yield element("g", {"id": name}, *shapes)

    def shape(self, shape: Shape, role: str) -> str:
        attributes = {"d": shape.path, "fill": self.theme.colour(role, shape.fill)}
        if shape.stroke != "none":
            attributes |= {
                "stroke": self.theme.colour(role, shape.stroke),
                "stroke-width": number(shape.width),
                "stroke-linecap": "round",
                "stroke-linejoin": "round",
            }
        return element("path", attributes)

    def label(self, label: Label) -> str:
        colour = self.theme.paint(label.role).ink
        return self.words(self.say(label.text), label.at, label.size, colour)

    def below(self, legend: bool) -> Iterator[str]:
        """Draw the lines below the picture: the status, and the legend of the roles."""
        lines: list[Text | Meaning] = []
        if self.say(self.scene.status):
            lines.append(self.scene.status)
        if legend:
            lines += self.scene.legend
        if not lines:
            return
        across, top = self.board.size
        height = LEGEND_ROW * (len(lines) + 0.3)
        yield self.surface("legend", box(0, top, across, height), 0)
        for row, line in enumerate(lines):
            y = top + LEGEND_ROW * (row + 0.65)
            if isinstance(line, Meaning):
                yield self.meaning(line, y)
            else:
                yield self.said_below(line, 0.35, y)

    def meaning(self, meaning: Meaning, y: float) -> str:
        move = f"translate({units(0.35)} {units(y)}) scale(0.38)"
        sample = element("g", {"transform": move}, *self.sample(meaning.role))
        return sample + self.said_below(meaning.text, 0.7, y)

    def said_below(self, sentence: Text, x: float, y: float) -> str:
        colour = self.theme.paint("legend").ink
        return self.words(self.say(sentence), (x, y), 0.25, colour, anchor="start")

    def sample(self, role: str) -> Iterator[str]:
        """Draw a sample of a role for the legend: a cell, line, mark or figure of that role."""
        roles = [cell.role for cell in self.board.cells]
        ground = role if role in roles else roles[0]
        has_outline = any(cell.outline for cell in self.board.cells if cell.role == ground)
        cell = Cell("", ground, (0, 0), box(-0.5, -0.5, 1, 1) if has_outline else ())
        yield from self.cell(cell)
        if role in {line.role for line in (*self.board.lines, *self.scene.walls)}:
            yield self.line(Line(role, ((-0.4, 0), (0.4, 0))))
        if role in {mark.role for mark in self.scene.marks}:
            yield from self.tint(role, cell)
            yield from self.mark(role, cell)
        if role in self.board.figures and role != ground:
            yield self.use(self.board.figures[role], role, cell.at, 0.6)

    def words(
        self,
        said: str,
        at: Point,
        size: float,
        colour: str,
        anchor: str = "middle",
        outline: str = "",
    ) -> str:
        """Draw a text, vertically centred on a point; an outline keeps it legible on any ground."""
        attributes = {
            "x": units(at[0]),
            # Digits and capitals are about 0.7 of the font size high.
            "y": units(at[1] + 0.35 * size),
            "font-family": self.theme.font,
            "font-size": units(size),
            "text-anchor": anchor,
            "fill": colour,
        }
        if outline:
            attributes |= {
                "stroke": outline,
                "stroke-width": units(0.16 * size),
                "stroke-linejoin": "round",
                "paint-order": "stroke",
            }
        return element("text", attributes, escaped(said))
