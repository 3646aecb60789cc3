"""The views of the games of a batch, as planes of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from trine.engine.batch import Batch
from trine.games.tzaar.board import COORDINATES


def moved(batch: Batch, count: int) -> None:
    for _ in range(count):
        batch.step(batch.random_actions())


def test_arimaa_shows_every_piece_of_both_sides() -> None:
    batch = Batch("arimaa", 12, seed=4, limit=300)
    for _ in range(120):
        moved(batch, 1)
        for viewer in (0, 1):
            seen = batch.observe([viewer] * 12)
            for cells, position in zip(seen, batch.positions(), strict=True):
                armies = ("EMHDCR", "emhdcr")[:: -1 if viewer else 1]
                for plane, letter in enumerate("".join(armies)):
                    for first, board in ((0, position.board), (12, position.start)):  # type: ignore[attr-defined]
                        drawn = "".join(
                            letter if cell else "." for cell in cells[first + plane].flatten()
                        )
                        assert drawn == "".join(s if s == letter else "." for s in board)
                assert (cells[26] == (position.push is not None)).all()  # type: ignore[attr-defined]
                due = position.push is not None and position.push.due  # type: ignore[attr-defined]
                assert (cells[27] == due).all()
                assert (cells[28] == position.steps).all()  # type: ignore[attr-defined]
                assert (cells[29] == viewer).all()
                assert (cells[30] == (viewer == position.mover)).all()
                assert (cells[31] == position.in_setup).all()
                if position.push:  # type: ignore[attr-defined]
                    assert np.flatnonzero(cells[24]).tolist() == [position.push.square]  # type: ignore[attr-defined]
                    by = position.push.pushers  # type: ignore[attr-defined]
                    assert np.flatnonzero(cells[25]).tolist() == sorted(by)


@pytest.mark.parametrize("setup", ["fixed", "placement"])
def test_tzaar_shows_every_stack_and_its_height(setup: str) -> None:
    batch = Batch("tzaar", 12, seed=4, setup=setup)
    places = [((height + column - 4) // 2, column) for column, height in COORDINATES]
    for _ in range(100):
        moved(batch, 1)
        for viewer in (0, 1):
            seen = batch.observe([viewer] * 12)
            for cells, position in zip(seen, batch.positions(), strict=True):
                armies = ("TYZ", "tyz")[:: -1 if viewer else 1]
                for plane, letter in enumerate("".join(armies)):
                    assert cells[plane].sum() == position.tops.count(letter)  # type: ignore[attr-defined]
                    for place, top in zip(places, position.tops, strict=True):  # type: ignore[attr-defined]
                        assert cells[plane][place] == (top == letter)
                assert [cells[6][place] for place in places] == list(position.heights)  # type: ignore[attr-defined]
                assert cells[7].sum() == 60
                assert all(cells[7][place] for place in places)
                stage = position.stage.value  # type: ignore[attr-defined]
                whole = [viewer == 1, viewer == position.mover]
                whole += [stage == name for name in ("2", "first", "place")]
                for plane, value in enumerate(whole, start=8):
                    assert (cells[plane] == value).all()


@pytest.mark.parametrize(
    ("rules", "options"),
    [
        ("quoridor", {}),
        ("quoridor", {"players": 4, "size": 7}),
        ("quoridor", {"size": 10}),
        ("corridor", {"size": 5}),
        ("great-wall", {"players": 3}),
        ("great-wall", {"players": 4, "size": 11}),
    ],
)
def test_corridor_shows_pawns_goals_hands_and_walls(rules: str, options: dict[str, Any]) -> None:
    batch = Batch(f"corridor/{rules}", 6, seed=4, limit=60, **options)
    players = batch.players
    for _ in range(60):
        moved(batch, 1)
        for viewer in range(players):
            seen = batch.observe([viewer] * 6)
            for cells, position in zip(seen, batch.positions(), strict=True):
                assert_corridor_is_shown(cells, position, viewer, players)


def assert_corridor_is_shown(cells: NDArray[Any], position: Any, viewer: int, players: int) -> None:
    size = position.size
    for place in range(players):
        player = (viewer + place) % players
        pawn = position.pawns[player]
        assert np.flatnonzero(cells[place]).tolist() == ([pawn] if pawn >= 0 else [])
        goal = sorted(position.goal_squares(player))
        assert np.flatnonzero(cells[players + place]).tolist() == goal
        hand = position.hands[player]
        assert (cells[2 * players + place] == (-1 if hand is None else hand)).all()
        assert (cells[3 * players + place] == (player == position.mover)).all()
    north, east, lying, standing, choosing = cells[4 * players :]
    for square in range(size * size):
        if square < size * (size - 1):
            assert north.flat[square] == position.is_blocked(square, square + size)
        if square % size < size - 1:
            assert east.flat[square] == position.is_blocked(square, square + 1)
    assert not north[-1].any()
    assert not east[:, -1].any()
    for plane, axis in ((lying, "h"), (standing, "v")):
        named = {wall.rank * size + wall.file for wall in position.walls if wall.axis == axis}
        assert set(np.flatnonzero(plane).tolist()) == named
    assert (choosing == position.in_setup).all()
