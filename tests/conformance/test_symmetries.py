"""One contract for the symmetries of every room and rule set: the image of a play is a play."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from playing import DUEL
from trine.core.contract.position import Position, Symmetry
from trine.core.contract.room import Room
from trine.games import ROOMS, new_play, open_kernel, open_room

GAMES = {
    **{f"{name}/{rules}": 0 for name in ROOMS for rules in open_room(name).rule_sets},
    **{f"tzaar/{rules}": 12 for rules in open_room("tzaar").rule_sets},
    "tzaar/open setup=placement": 12,
    **{f"arimaa/{rules}": 2 for rules in open_room("arimaa").rule_sets},
    **{f"corridor/{rules}": 4 for rules in open_room("corridor").rule_sets},
    "corridor/quoridor size=4": 4,
    "corridor/quoridor players=4": 4,
    "corridor/great-wall players=4 size=5": 4,
    "corridor/great-wall players=3 size=6": 1,
}
"""Games with their options, and the number of symmetries of their beginnings, where it is known."""
AFTER_SETUP = {"arimaa": 4}
PLIES = 70


def positions(game: str, seed: int) -> Iterator[Position]:
    """A play by chance; with an even seed, in Arimaa, from a position full of pushes and pulls."""
    name, *options = game.split()
    begin = DUEL if name.startswith("arimaa") and seed % 2 == 0 else ""
    play = new_play(name, begin, **dict(option.split("=") for option in options))
    rng = random.Random(f"{game} {seed}")
    for _ in range(PLIES):
        yield play.position
        if play.outcome:
            return
        play.act(rng.choice(play.legal_actions()))
    yield play.position


def symmetries_of(room: Room, position: Position) -> tuple[Symmetry, ...]:
    return room.rules.symmetries(position)


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def test_the_first_leaves_everything_and_all_differ(game: str) -> None:
    room = open_room(game.partition("/")[0])
    start, *_, last = positions(game, 1)
    found = symmetries_of(room, start)
    assert len(found) == GAMES[game] or not GAMES[game]
    assert found[0].position(start) is start
    assert found[0].players == tuple(range(len(start.seats)))
    assert len({symmetry.name for symmetry in found}) == len(found)
    found = symmetries_of(room, last)
    assert len(found) == AFTER_SETUP.get(room.name, len(found))
    assert len({symmetry.position(last) for symmetry in found}) == len(found)


def test_legal_actions_map_onto_legal_actions_and_results_agree(game: str) -> None:
    room = open_room(game.partition("/")[0])
    rng = random.Random(game)
    for position in [*positions(game, 1), *positions(game, 2)][::3]:
        legal = position.legal_actions()
        for symmetry in symmetries_of(room, position):
            image = symmetry.position(position)
            assert image.rules is position.rules and image.seats == position.seats
            assert {symmetry.players[one] for one in position.playing} == {*image.playing}
            mapped = [symmetry.action(action) for action in legal]
            assert {*mapped} == {*image.legal_actions()}, (symmetry.name, position)
            ended, there = position.outcome(), image.outcome()
            assert (ended is None) == (there is None)
            if ended and there:
                assert there.reason == ended.reason
                assert there.winner == (
                    None if ended.winner is None else symmetry.players[ended.winner]
                )
                continue
            assert image.mover == symmetry.players[position.mover]
            for action in rng.sample(legal, min(3, len(legal))):
                after = image.play_unchecked(symmetry.action(action))
                assert after == symmetry.position(position.play_unchecked(action))


def test_the_symmetries_of_a_position_are_a_group(game: str) -> None:
    room = open_room(game.partition("/")[0])
    *_, position = positions(game, 3)
    found = symmetries_of(room, position)
    images = {symmetry.position(position) for symmetry in found}
    for one in found:
        assert {other.position(one.position(position)) for other in found} == images


def test_kernels_agree_about_images(game: str) -> None:
    """The action numbers of an image are the images of the action numbers."""
    room, kernel = open_room(name := game.partition("/")[0]), open_kernel(name)
    buffer = np.zeros(kernel.max_actions, np.int32)
    for position in [*positions(game, 4)][::7]:
        for symmetry in symmetries_of(room, position):
            image = symmetry.position(position)
            row = kernel.row_of(image)
            numbers = {*buffer[: kernel.generate(row, buffer)].tolist()}
            actions = map(symmetry.action, position.legal_actions())
            assert numbers == {kernel.number_of(image, action) for action in actions}
