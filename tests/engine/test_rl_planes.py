"""The planes of observations show every piece, wall and stage, as each player sees them."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("pettingzoo")

from trine.engine import rl
from trine.games.tzaar.board import COORDINATES

PLAYS = 4


def views(game: str, actions: int, **options: Any) -> Iterator[tuple[NDArray[Any], Any, int]]:
    rng = np.random.default_rng(4)
    env = rl.environment(game, limit=300, **options)
    for _ in range(PLAYS):
        env.reset()
        for _ in range(actions):
            agent = env.agent_selection
            if env.terminations[agent]:
                break
            env.step(int(rng.choice(np.flatnonzero(env.observe(agent)["action_mask"]))))
            for viewer, agent in enumerate(env.possible_agents):
                yield env.observe(agent)["observation"], env.position, viewer


def test_arimaa_shows_every_piece_of_both_sides() -> None:
    for cells, position, viewer in views("arimaa", 120):
        armies = ("EMHDCR", "emhdcr")[:: -1 if viewer else 1]
        for plane, letter in enumerate("".join(armies)):
            for first, board in ((0, position.board), (12, position.start)):
                drawn = "".join(letter if cell else "." for cell in cells[first + plane].flatten())
                assert drawn == "".join(s if s == letter else "." for s in board)
        assert (cells[26] == (position.push is not None)).all()
        due = position.push is not None and position.push.due
        assert (cells[27] == due).all()
        assert (cells[28] == position.steps).all()
        assert (cells[29] == viewer).all()
        assert (cells[30] == (viewer == position.mover)).all()
        assert (cells[31] == position.in_setup).all()
        if position.push:
            assert np.flatnonzero(cells[24]).tolist() == [position.push.square]
            assert np.flatnonzero(cells[25]).tolist() == sorted(position.push.pushers)


@pytest.mark.parametrize("setup", ["fixed", "placement"])
def test_tzaar_shows_every_stack_and_its_height(setup: str) -> None:
    places = [((height + column - 4) // 2, column) for column, height in COORDINATES]
    for cells, position, viewer in views("tzaar", 100, setup=setup):
        armies = ("TYZ", "tyz")[:: -1 if viewer else 1]
        for plane, letter in enumerate("".join(armies)):
            assert cells[plane].sum() == position.tops.count(letter)
            for place, top in zip(places, position.tops, strict=True):
                assert cells[plane][place] == (top == letter)
        assert [cells[6][place] for place in places] == list(position.heights)
        assert cells[7].sum() == 60
        assert all(cells[7][place] for place in places)
        stage = position.stage.value
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
    for cells, position, viewer in views(f"corridor/{rules}", 60, **options):
        size, players = position.size, len(position.seats)
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
