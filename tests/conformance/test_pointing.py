"""One contract for pointing: each action can be pointed at, and keys stay with their pieces."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import islice, pairwise

import pytest

from conformance.test_rooms import OTHER_STARTS, RULE_SETS, random_play, room_of
from scenes import next_picks, on_board
from trine.core.contract.choices import Choosable, choices
from trine.core.contract.position import Action
from trine.core.play import Play
from trine.core.scene.composing import FIRST_KEYS, Keys, carry_keys
from trine.core.scene.scene import Piece, plain
from trine.house.games.live.drafts import read_draft

STARTS = [
    *RULE_SETS,
    *OTHER_STARTS,
    "tzaar/official setup=placement",
    "corridor/quoridor size=12 players=4",
    "corridor/great-wall size=3 players=4",
    "corridor/great-wall players=2 size=10",
]
PLIES = 260
"""Enough for a whole random play of every game but Arimaa, whose random plays hardly end."""


@pytest.fixture(params=STARTS)
def game(request: pytest.FixtureRequest) -> str:
    """A game, its rule set, and how it begins."""
    name: str = request.param
    return name


def choosable(play: Play) -> tuple[Choosable, ...]:
    return choices(play.room, play.position, play.legal_actions())


def carried(game: str, seed: int) -> Iterator[tuple[Action, Play, Keys, Play, Keys]]:
    """Each action of a random play: the play and the keys before it and after it."""
    keys = FIRST_KEYS
    for before, after in pairwise(play.copy() for play in random_play(game, seed, PLIES)):
        action = (after.open_actions or after.turns[-1].actions)[-1]
        following = carry_keys(before.room, before.position, action, keys)
        yield action, before, keys, after, following
        keys = following


def looks(piece: Piece) -> tuple[str, int | None, int]:
    return piece.figure, piece.owner, piece.height


def test_every_legal_action_can_be_pointed_at(game: str) -> None:
    room = room_of(game)
    for play in islice(random_play(game, 31, PLIES), 0, None, 3):
        board = room.view.scene(play.position).board
        ways = choosable(play)
        assert [way.id for way in ways] == list(map(str, play.legal_actions()))
        for way in ways:
            assert way.path
            assert board.ids.issuperset(way.path)
        paths = {way.path for way in ways}
        assert not [path for path in paths for end in range(1, len(path)) if path[:end] in paths]


def test_equal_picks_are_told_apart_by_labels(game: str) -> None:
    for play in random_play(game, 32, 60):
        ways = choosable(play)
        shared = Counter(way.path for way in ways)
        for way in ways:
            assert bool(str(way.label)) == (shared[way.path] > 1)
        labelled = [(way.path, str(way.label)) for way in ways if str(way.label)]
        assert len(set(labelled)) == len(labelled)
        json.dumps([plain(way) for way in ways])


def test_pointing_step_by_step_reaches_every_action(game: str) -> None:
    room = room_of(game)
    for index, play in enumerate(random_play(game, 33, PLIES)):
        if index % 40:
            continue
        ways = choosable(play)
        at: dict[tuple[str, ...], list[str]] = {}
        for way in ways:
            at.setdefault(way.path, []).append(way.id)
        reached = []
        begun: list[tuple[str, ...]] = [()]
        for chosen in begun:
            lit = next_picks(ways, chosen)
            assert room.view.scene(play.position, targets=lit).targets == tuple(sorted(lit))
            reached += at.get(chosen, [])
            begun += [(*chosen, pick) for pick in lit]
        assert sorted(reached) == sorted(way.id for way in ways)


def test_gestures_make_legal_turns_and_begin_where_they_say(game: str) -> None:
    room = room_of(game)
    for index, play in enumerate(random_play(game, 40, PLIES)):
        assert play.outcome or str(room.view.coach(play.position))
        handles = room.view.handles(play.position)
        assert room.view.scene(play.position).board.ids.issuperset(handles)
        if index % 9 or play.outcome:
            continue
        single = {way.path for way in choosable(play) if way.path[0].startswith("#")}
        start = play.copy()
        for _ in play.open_actions:
            start.undo()
        for spot in handles:
            for way in room.view.gestures(play.position, play.open_actions, spot, play.history):
                assert way.path[0] == spot and way.path not in single
                draft = way.draft or (*map(str, play.open_actions), way.id)
                assert [str(action) for action in read_draft(start, draft)] == list(draft)


def test_keys_stay_with_their_pieces(game: str) -> None:
    room = room_of(game)
    for action, play, keys, after, following in carried(game, 34):
        before = on_board(room.view.scene(play.position, keys=keys))
        pieces = on_board(room.view.scene(after.position, keys=following))
        assert following.keys() <= pieces.keys()  # what has gone has taken its key with it
        for cell in before.keys() & pieces.keys():
            if looks(before[cell]) == looks(pieces[cell]):
                assert before[cell].name == pieces[cell].name
        old = {piece.name: piece for piece in before.values()}
        new = {piece.name: piece for piece in pieces.values()}
        assert len(old) == len(before)
        assert len(new) == len(pieces)
        for key in old.keys() & new.keys():
            assert (old[key].figure, old[key].owner) == (new[key].figure, new[key].owner)
        # One action brings one piece to the board, or takes one off it, or neither.
        assert (len(new.keys() - old.keys()), len(old.keys() - new.keys())) in {
            (max(0, len(new) - len(old)), max(0, len(old) - len(new)))
        }
        path = room.view.picks(play.position, action)
        if path[0] in before and path[-1] in pieces:  # what was picked up is where it was put down
            assert pieces[path[-1]].name == before[path[0]].name
        elif path[0] in before:  # it went off the board, or into a trap
            assert before[path[0]].name not in new


def test_keys_of_pieces_beside_the_board_stay_too(game: str) -> None:
    room = room_of(game)
    owners: dict[str, tuple[str, int | None]] = {}
    for play in random_play(game, 35, 80):
        for piece in room.view.scene(play.position).pieces:
            assert piece.name
            if piece.role in ("hand", "captured", "shown", "step", "step-used"):
                assert owners.setdefault(piece.name, (piece.figure, piece.owner))[1] == piece.owner


def test_every_seat_sees_the_same_things(game: str) -> None:
    room = room_of(game)
    for index, play in enumerate(random_play(game, 36, 100)):
        if index % 25:
            continue
        lit = next_picks(choosable(play))
        seats = range(len(play.position.seats))
        scenes = [room.view.scene(play.position, seat=seat, targets=lit) for seat in seats]
        assert [shown.board.seat for shown in scenes] == list(seats)
        assert len({shown.board.digest for shown in scenes}) == len(scenes)
        for shown in scenes:
            assert shown.board.spots[0].at != scenes[0].board.spots[0].at or shown is scenes[0]
            assert shown.targets == scenes[0].targets
            for field in ("spots", "buttons", "cells"):
                ids, first = (
                    [each.id for each in getattr(seen.board, field)] for seen in (shown, scenes[0])
                )
                assert ids == first
            assert [line.id for line in shown.walls] == [line.id for line in scenes[0].walls]
            assert [(piece.name, piece.cell) for piece in shown.pieces] == [
                (piece.name, piece.cell) for piece in scenes[0].pieces
            ]


def test_spots_lie_within_the_picture_and_have_a_name(game: str) -> None:
    (play, *_) = random_play(game, 37, 1)
    for seat in range(len(play.position.seats)):
        board = room_of(game).view.scene(play.position, seat=seat).board
        assert {cell.id for cell in board.cells} <= {spot.id for spot in board.spots}
        for spot in board.spots:
            assert str(spot.label)
            for middle, length, whole in zip(spot.at, spot.size, board.size, strict=True):
                assert 0 < length / 2 <= middle + 1e-9 <= whole - length / 2 + 2e-9
        assert all(str(button.label) for button in board.buttons)


def test_the_board_stays_the_same_from_turn_to_turn(game: str) -> None:
    room = room_of(game)
    boards = {room.view.scene(play.position).board.digest for play in random_play(game, 38, 60)}
    assert len(boards) == 1


def test_piece_sets_change_what_pieces_look_like_and_nothing_else(game: str) -> None:
    room = room_of(game)
    *_, play = random_play(game, 39, 40)
    drawn = room.view.scene(play.position)
    for pieces in room.view.piece_sets:
        shown = room.view.scene(play.position, pieces=pieces)
        assert [piece.name for piece in shown.pieces] == [piece.name for piece in drawn.pieces]
        for piece in on_board(shown).values():
            assert piece.figure or str(piece.label)
    shapes = {
        tuple((piece.figure, piece.base, str(piece.label)) for piece in shown.pieces)
        for shown in (
            room.view.scene(play.position, pieces=pieces) for pieces in room.view.piece_sets
        )
    }
    assert len(shapes) == len(room.view.piece_sets) or room.name == "corridor"
