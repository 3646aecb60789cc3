"""Trees over the games of a batch: the house's own search, with leaves that others can evaluate."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from trine.core.contract.position import Position
from trine.core.errors import MalformedError
from trine.core.play import Play
from trine.core.work.limits import Limits
from trine.engine.batch import Batch
from trine.engine.batch.trees import Evaluator, Floats, Leaves, RoomEvaluator, Trees
from trine.engine.search.tree import TreeSearch
from trine.games import open_kernel

HOUSE = Path(__file__).resolve().parents[3]
KINDS: list[tuple[str, dict[str, Any]]] = [
    ("tzaar/official", {}),
    ("arimaa/official", {}),
    ("corridor/quoridor", {}),
    ("corridor/great-wall", {"players": 4, "size": 5}),
]
NEAR_THE_END = "2g 8/R7/8/8/4e3/8/7r/4E3"
"""Ra7n wins."""


def middle_games(game: str, games: int, **options: Any) -> tuple[Batch, list[bool]]:
    """A batch, and which of its games are over, by repetition too."""
    batch = Batch(game, games, seed=3, restart=False, **options)
    for _ in range(40):
        seen = batch.step(batch.random_actions())
    return batch, seen.done.tolist()


def shares_of_one_tree(batch: Batch, position: Position, visits: int) -> NDArray[np.float64]:
    """The same by the search for a single play."""
    search = TreeSearch(batch.room.name, hash_mb=8)
    search.layout.in_kernel_order = True
    search.search(Play(batch.room, position), Limits(nodes=visits))
    tree, shares = search.tree, np.zeros(batch.actions)
    nodes = slice(int(tree.first[0]), int(tree.first[0] + tree.children[0]))
    shares[tree.action[nodes]] = tree.visits[nodes] / tree.visits[0]
    return shares


@pytest.mark.parametrize(("game", "options"), KINDS)
def test_with_what_the_house_knows_a_tree_is_that_of_the_house(
    game: str, options: dict[str, Any]
) -> None:
    batch, over = middle_games(game, 4, **options)
    shares = Trees(batch, RoomEvaluator(batch)).search(150)
    compared = 0
    for number, position in enumerate(batch.positions()):
        if not over[number]:
            alone = shares_of_one_tree(batch, position, 150)
            np.testing.assert_allclose(shares[number], alone, atol=1e-6)
            compared += 1
        else:
            assert not shares[number].any()
    assert compared >= 2


class Noting:
    """An evaluator that knows nothing, and notes what it is asked about."""

    def __init__(self, players: int, actions: int) -> None:
        self.players, self.actions = players, actions
        self.seen: list[tuple[NDArray[np.int8], NDArray[np.bool_], NDArray[np.int8]]] = []
        self.rows: list[NDArray[np.uint64]] = []

    def evaluate_many(self, leaves: Leaves) -> Floats:
        self.seen.append((leaves.observations.copy(), leaves.masks.copy(), leaves.movers.copy()))
        self.rows.append(leaves.rows.copy())
        return np.full((len(leaves.rows), self.players), 1 / self.players, np.float32)

    def policy_many(self, leaves: Leaves) -> Floats:
        return leaves.masks.astype(np.float32)


@pytest.mark.parametrize(("game", "options"), KINDS)
def test_leaves_are_told_as_a_batch_tells_positions(game: str, options: dict[str, Any]) -> None:
    batch, over = middle_games(game, 3, **options)
    noting = Noting(batch.players, batch.actions)
    Trees(batch, noting).search(12)
    kernel, compared = open_kernel(batch.room.name), 0
    for (seen, masks, movers), rows in zip(noting.seen, noting.rows, strict=True):
        for number, row in enumerate(rows):
            position = kernel.to_position(row)
            if position.outcome() or over[number]:
                assert not masks[number].any()
                continue
            if position.turn_open:
                assert masks[number].any()
                continue
            single = Batch(game, 1, position=position).reset()
            assert (seen[number] == single.observations[0]).all()
            assert (masks[number] == single.masks[0]).all()
            assert movers[number] == single.movers[0]
            compared += 1
    assert len(noting.seen) == 13
    assert compared >= 5


def test_a_win_in_sight_is_found_without_any_knowledge() -> None:
    batch = Batch("arimaa", 2, position=NEAR_THE_END)
    trees = Trees(batch, Noting(2, batch.actions))
    seen = batch.step(trees.search(300).argmax(axis=1))
    shares = trees.search(300)
    assert trees.chances.shape == (2, 2)
    assert (trees.chances[:, 0] > 0.6).all()
    seen = batch.step(shares.argmax(axis=1))
    assert seen.done.all() and (seen.rewards[:, 0] == 1).all()


def test_noise_reaches_what_a_policy_excludes_and_comes_from_the_seed() -> None:
    batch = Batch("tzaar", 2)

    class Sure(Noting):
        def policy_many(self, leaves: Leaves) -> Floats:
            policy = np.zeros((len(leaves.rows), self.actions), np.float32)
            policy[np.arange(len(policy)), leaves.masks.argmax(axis=1)] = 1
            return policy

    def shares(noise: float, seed: int = 0) -> Floats:
        return Trees(batch, Sure(2, batch.actions), seed=seed).search(100, noise=noise)

    assert (np.count_nonzero(shares(0.0), axis=1) <= 2).all()
    noisy = shares(0.5)
    assert (np.count_nonzero(noisy, axis=1) > 2).all()
    assert (noisy == shares(0.5)).all()
    assert (noisy != shares(0.5, seed=1)).any()


class Wrong(Noting):
    """An evaluator that answers in another way."""

    def __init__(self, batch: Batch, answer: Floats) -> None:
        super().__init__(batch.players, batch.actions)
        self.answer = answer

    def evaluate_many(self, leaves: Leaves) -> Floats:
        return self.answer


@pytest.mark.parametrize(
    "answer", [np.zeros(2), np.zeros((2, 3)), np.full((2, 2), np.nan), np.full((2, 2), -1.0)]
)
def test_an_answer_that_makes_no_sense_is_refused(answer: Floats) -> None:
    batch = Batch("tzaar", 2)
    with pytest.raises(MalformedError, match="evaluate_many gave"):
        Trees(batch, Wrong(batch, answer)).search(1)
    with pytest.raises(MalformedError, match="visits is 0"):
        Trees(batch, RoomEvaluator(batch)).search(0)


@pytest.mark.nightly
def test_the_net_of_the_book_learns_to_beat_chance() -> None:
    words = (HOUSE / "docs" / "trees.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"^```python\n([^`]*?^class Net:.*?)^```", words, re.M | re.S)
    names: dict[str, Any] = {"__name__": "book"}
    exec(program, names)
    net: Evaluator = names["Net"](Batch(**names["GAME"]))
    before = names["against_chance"](net, games=32, visits=8)
    names["train"](net)
    after = names["against_chance"](net, games=32, visits=8)
    assert before < 0.5 < 0.7 < after
