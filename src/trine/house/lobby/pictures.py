"""The pictures that a new game is chosen by: of its rule sets, and of its sides."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from typing import Any

from trine.core.contract import Room
from trine.core.contract.clause import Example
from trine.core.scene.scene import Board, Piece, Scene
from trine.core.text.sentence import NOTHING
from trine.games import open_room
from trine.play.draw.svg import draw_svg
from trine.play.draw.theme import NIGHT


@cache
def picture_of(game: str, rules: str) -> tuple[str, bytes]:
    """A small picture of what differs in a rule set, and the digest of the picture."""
    room = open_room(game)
    book = [clause.example for clause in room.rulebook(rules) if clause.example]
    others = {
        example.position.replace(name, rules)
        for name in room.rule_sets
        if name != rules
        for clause in room.rulebook(name)
        if (example := clause.example)
    }
    own = [example for example in book if example.position not in others]
    scene = room.scene(_shown(room, rules, own or book))
    picture = draw_svg(scene, width=240, prefix=rules, night=NIGHT)
    packed = picture.encode()
    return hashlib.sha256(packed).hexdigest()[:16], packed


def _shown(room: Room, rules: str, examples: Sequence[Example]) -> Any:
    """The example with most on its board: a position of a game rather than a corner of one."""
    positions = [room.parse_position(example.position, rules) for example in examples]
    return max(positions, key=lambda position: len(room.scene(position).pieces))


def token(scene: Scene, player: int) -> str:
    """Return the picture of a player's first piece of a scene, as an address that holds it."""
    piece = next(one for one in scene.pieces if one.owner == player)
    board = Board((1, 1), (), players=scene.board.players, figures=scene.board.figures)
    alone = Piece((0.5, 0.5), piece.figure, piece.base, player)
    drawn = draw_svg(Scene(board, NOTHING, NOTHING, pieces=(alone,)), width=48, night=NIGHT)
    return f"data:image/svg+xml;base64,{b64encode(drawn.encode()).decode()}"
