"""One contract for the box: what can be played can be set up, and what is set up is judged."""

import pytest

from conformance.test_pointing import STARTS
from conformance.test_rooms import random_play, room_of
from trine.core.errors import IllegalError, TrineError
from trine.games import new_play

PLIES = 60


@pytest.fixture(params=STARTS)
def game(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def test_whatever_is_played_can_be_set_up_from_the_box(game: str) -> None:
    room = room_of(game)
    assert room.view.editor
    editor, judged = room.view.editor, 0
    for number, play in enumerate(random_play(game, 5, PLIES)):
        position = play.position
        if position.in_setup or position.turn_open or number % 3:
            continue
        built, bare = editor.empty(position), position
        for name in (spot.id for spot in room.view.scene(position).board.spots):
            bare, part = editor.take(bare, name)
            if part:
                built = editor.put(built, part, name)
        for setting in editor.settings(position):
            built = editor.set(built, setting.id, setting.value)
        assert built == position
        assert [s.value for s in editor.settings(built)] == [
            s.value for s in editor.settings(position)
        ]
        told = room.rules.format_position(built)
        assert room.rules.parse_position(told, position.rules.name) == position
        for spot in room.view.scene(position).board.spots:
            assert editor.take(bare, spot.id) == (bare, "")
        judged += 1
    assert judged or game == "tzaar/official setup=placement"


def test_the_box_holds_what_the_board_can_show(game: str) -> None:
    room = room_of(game)
    assert room.view.editor
    start = next(iter(random_play(game, 1, 1))).position
    editor, position = room.view.editor, room.view.editor.empty(start)
    scene = room.view.scene(position)
    parts = editor.parts(position)
    assert len({part.id for part in parts}) == len({str(part.label) for part in parts})
    for part in parts:
        if part.piece:
            assert {part.piece.figure, part.piece.base} <= {"", *scene.board.figures}
            assert part.piece.owner in range(len(scene.board.players))
        places = 0
        for spot in scene.board.spots:
            try:
                after = editor.put(position, part.id, spot.id)
            except IllegalError:
                continue
            places += 1
            room.view.scene(after)  # a board that need not be legal can be shown
            assert editor.take(after, spot.id)[1].startswith(part.id)
        assert places > 8
    with pytest.raises(TrineError):
        editor.put(position, "nothing", scene.board.spots[0].id)
    with pytest.raises(TrineError):
        editor.set(position, "mover", "9")
    for setting in editor.settings(position):
        for value, _ in setting.values:
            after = editor.set(position, setting.id, value)
            assert {one.id: one.value for one in editor.settings(after)}[setting.id] == value


def test_a_wall_that_is_removed_goes_back_to_a_hand() -> None:
    room = room_of("corridor")
    assert room.view.editor
    editor, play = room.view.editor, new_play("corridor")
    play.enter("e3h e7h")
    hands = {"walls-s": "10", "walls-n": "10"}
    bare = editor.take(editor.put(play.position, "wall", "e7h"), "e3h")[0]
    assert hands.items() <= {one.id: one.value for one in editor.settings(bare)}.items()
