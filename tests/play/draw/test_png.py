"""Pictures as PNG: the board of the picture as SVG, in pixels."""

import struct

import pytest

from trine.games import ROOMS, open_room
from trine.play.draw.svg import draw_svg, png_of


@pytest.mark.parametrize("game", ROOMS)
def test_a_picture_is_as_wide_as_asked_and_has_its_shape(game: str) -> None:
    room = open_room(game)
    scene = room.view.scene(
        room.rules.start(room.default_rules, room.rules.settle(room.default_rules, {}))
    )
    drawn = png_of(draw_svg(scene), 300)
    assert drawn.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", drawn[16:24])
    across, down = scene.board.size
    assert width == 300
    assert height / width == pytest.approx(down / across, rel=0.02)
    assert len(drawn) > 5_000, "there is something on it"
