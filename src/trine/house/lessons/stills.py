"""Pictures of positions of lessons and examples, which never change."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from trine.core.scene.scene import Board, Scene
from trine.core.text.language import open_language
from trine.games import open_room
from trine.play.draw.svg import draw_svg
from trine.play.draw.theme import NIGHT


def still_scene(game: str, rules: str, written: str) -> Scene:
    """Return the scene of a position, from the seat of the player to move."""
    room = open_room(game)
    position = room.parse_position(written, rules)
    return without_absent(room.scene(position, seat=position.mover))


def without_absent(scene: Scene) -> Scene:
    """Return a scene whose trays are free of taken pieces: in an example they never were there."""
    present = tuple(piece for piece in scene.pieces if piece.role != "captured")
    if len(present) == len(scene.pieces):
        return scene
    labels = tuple(label for label in scene.labels if label.role != "count")
    return replace(scene, pieces=present, labels=labels)


@lru_cache(maxsize=256)
def still(game: str, rules: str, written: str, code: str) -> bytes:
    """Return the picture of a position as SVG."""
    scene = still_scene(game, rules, written)
    return draw_svg(scene, language=open_language(code), night=NIGHT).encode()


def boards_of(game: str, rules: str) -> list[Board]:
    """Return all boards of the lessons and examples of a rule set."""
    room = open_room(game)
    written = [lesson.position for lesson in room.lessons(rules)]
    written += [one.example.position for one in room.rulebook(rules) if one.example]
    return [still_scene(game, rules, position).board for position in written]
