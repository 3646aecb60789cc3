"""Trees over the games of a batch: a Monte Carlo tree search steered by an evaluator of your own.

Each game has a tree that is grown anew for each action. One leaf of every tree is evaluated at
once, so that a net sees as many positions in a call as the batch has games.

>>> from trine.engine.batch import Batch
>>> batch = Batch("tzaar", games=3)
>>> trees = Trees(batch, RoomEvaluator(batch))
>>> shares = trees.search(visits=20)
>>> shares.shape, shares.sum(1).round(6).tolist()
((3, 3781), [1.0, 1.0, 1.0])
>>> seen = batch.step(shares.argmax(1))
"""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from trine.core.contract.score import ONGOING
from trine.core.errors import MalformedError
from trine.core.text.sentence import text
from trine.engine.batch.batch import Batch, check_numbers
from trine.engine.search.kernel.leaves import (
    Forest,
    descend,
    evaluate_rows,
    take_answers,
    weigh_actions,
)
from trine.engine.search.kernel.mcts import MOST_SEATS, WIDTH
from trine.engine.search.kernel.stack import MAX_PLY
from trine.engine.search.layout import functions_of
from trine.games import open_heuristics, open_kernel

Floats = NDArray[np.float32]

NOISE: Final = 10.0
"""The sum of the parameters of the Dirichlet noise, shared out among the legal actions. Source: D.
Silver et al., "Mastering chess and shogi by self-play" (2017), whose parameters are such."""


class Leaves(NamedTuple):
    """A leaf of the tree of each game, to be evaluated.

    Shapes, for n games of p players and A numbers of actions: the arrays belong to the trees, and
        change with the next leaves. A leaf after the end of a game has an empty mask, and whatever
        is answered about it is not looked at.
    """

    rows: NDArray[np.uint64]
    """``uint64[n, words]``: the positions, as the room's kernel has them."""
    movers: NDArray[np.int8]
    """``int8[n]``: the player to move."""
    observations: NDArray[np.int8]
    """``int8[n, planes, rows, columns]``: what this player sees, as in a batch."""
    masks: NDArray[np.bool_]
    """``bool[n, A]``: which actions are legal."""


class Evaluator(Protocol):
    """An evaluation of many positions at once; for each leaves the first function is called first.

    So a net with one trunk works both out at once, and keeps the second.
    """

    def evaluate_many(self, leaves: Leaves) -> Floats:
        """Return the chances of all players, ``[n, p]``: from the player to move on, in turn order.

        Units: probabilities of a win, half for a draw of two; their sum is 1.
        """

    def policy_many(self, leaves: Leaves) -> Floats:
        """Return the weight of each action, ``[n, A]``, 0 or more.

        Those of actions that are not legal are ignored, and only ratios matter.
        """


class RoomEvaluator:
    """The evaluation of the house, and its move ordering as a policy."""

    def __init__(self, batch: Batch) -> None:
        """Take the evaluation of a batch's game."""
        kernel, self._heuristics = open_kernel(batch.room.name), open_heuristics(batch.room.name)
        self._functions = functions_of(kernel, self._heuristics)
        self._features = np.zeros(len(self._heuristics.terms), np.float32)
        self._buffers = np.zeros((2, kernel.most_actions), np.int32)
        self._players, self._actions = batch.players, batch.actions

    def evaluate_many(self, leaves: Leaves) -> Floats:
        """Return the chances of all players, from the player to move on."""
        chances = np.zeros((len(leaves.rows), self._players), np.float32)
        weights = self._heuristics.weights
        rows = np.ascontiguousarray(leaves.rows)
        evaluate_rows(self._functions, rows, weights, self._features, chances)
        return chances

    def policy_many(self, leaves: Leaves) -> Floats:
        """Return how promising each action looks without a search."""
        policy = np.zeros((len(leaves.rows), self._actions), np.float32)
        actions, scores = self._buffers
        weigh_actions(self._functions, np.ascontiguousarray(leaves.rows), actions, scores, policy)
        return policy


class Trees:
    """A tree for each game of a batch, kept while the batch is.

    Limits: below the root, repetition is not judged; a tree has at most 96 plies.
    """

    def __init__(self, batch: Batch, evaluator: Evaluator, *, seed: int = 0) -> None:
        """Take the games and their evaluator; the seed is that of the noise."""
        self._batch, self._evaluator = batch, evaluator
        self._rng = np.random.default_rng(seed)
        kernel = open_kernel(batch.room.name)
        self._functions = functions_of(kernel, open_heuristics(batch.room.name))
        games, words = batch.games, batch.arrays.rows.shape[2]
        self._most = kernel.most_actions
        self._forest: Forest | None = None
        self._leaves = np.zeros((games, 2, words), np.uint64)
        self._lines = np.zeros((MAX_PLY + 2, words), np.uint64)
        self._paths = np.zeros((games, MAX_PLY + 2), np.int32)
        self._depths = np.zeros(games, np.int32)
        self._legal = np.zeros((games, kernel.most_actions), np.int32)
        self._counts = np.zeros(games, np.int32)
        self._masks = np.zeros((games, batch.actions), np.bool_)
        self._results = np.full(games, ONGOING, np.int8)
        self._movers = np.zeros(games, np.int8)

    def search(self, visits: int, *, noise: float = 0.0) -> Floats:
        """Visit the tree of each game so many times, and return the share of each action.

        Args: ``noise`` is the share of Dirichlet noise in the policy at the roots, 0.25 for
        self-play that is to find what its net does not think of.

        Shapes: ``float32[games, numbers of actions]``, the caller's own; all 0 after the end.

        Raises:
            MalformedError: there are no visits, or the evaluator answers in another shape.
        """
        check_numbers({"visits": visits}, least=1)
        forest = self._forest = self._emptied(visits)
        self._begin()
        for number in range(visits + 1):
            self._visit(forest)
            if number == 0 and noise:
                self._add_noise(forest, noise)
        shares = np.zeros((self._batch.games, self._batch.actions), np.float32)
        for game, children in enumerate(forest.children[:, 0].tolist()):
            nodes = slice(1, 1 + children)
            shares[game, forest.action[game, nodes]] = forest.visits[game, nodes] / visits
        return shares

    @property
    def chances(self) -> Floats:
        """The chances of all players in each game, as the last search found them, in turn order.

        Shapes: ``float32[games, players]``, the caller's own.
        """
        assert self._forest, "nothing has been searched"
        return self._forest.means[:, 0, : self._batch.players].copy()

    def _begin(self) -> None:
        """Write the roots as the first leaves."""
        now = self._batch.arrays
        self._legal[:], self._counts[:], self._masks[:] = now.legal, now.counts, now.masks
        self._leaves[:, 0] = now.rows[:, 0]
        self._results[:], self._movers[:] = now.results, now.movers

    def _visit(self, forest: Forest) -> None:
        """Go down each tree once, and evaluate the leaves."""
        batch = self._batch
        descend(
            self._functions,
            forest,
            batch.arrays.rows,
            self._leaves,
            self._lines,
            self._paths,
            self._depths,
            self._legal,
            self._counts,
            self._masks,
            self._results,
            self._movers,
        )
        seen = batch.observe_rows(self._leaves, self._movers)
        leaves = Leaves(self._leaves[:, 0], self._movers, seen, self._masks)
        chances = self._answer("evaluate_many", leaves, batch.players)
        policy = self._answer("policy_many", leaves, batch.actions)
        take_answers(
            forest,
            self._paths,
            self._depths,
            self._legal,
            self._counts,
            self._results,
            self._movers,
            chances,
            policy,
        )

    def _answer(self, name: str, leaves: Leaves, width: int) -> Floats:
        """Return what the evaluator says about leaves; raises `MalformedError`."""
        given = np.asarray(getattr(self._evaluator, name)(leaves))
        wanted = (self._batch.games, width)
        if given.shape != wanted or given.dtype.kind not in "fiu":
            raise MalformedError(
                text(
                    "{function} gave {given}; expected float32{wanted}",
                    function=name,
                    given=f"{given.dtype}{list(given.shape)}",
                    wanted=str(list(wanted)),
                )
            )
        answer = np.ascontiguousarray(given, np.float32)
        if not np.isfinite(answer).all() or (answer < 0).any():
            raise MalformedError(
                text("{function} gave numbers below 0, or none at all", function=name)
            )
        return answer

    def _add_noise(self, forest: Forest, share: float) -> None:
        for game, children in enumerate(forest.children[:, 0].tolist()):
            if children:
                prior = forest.prior[game, 1 : 1 + children]
                drawn = self._rng.dirichlet(np.full(children, NOISE / children))
                prior[:] = (1 - share) * prior + share * drawn

    def _emptied(self, visits: int) -> Forest:
        """Return trees without nodes, with room for so many visits."""
        games, nodes = self._batch.games, 1 + self._most + visits * min(WIDTH, self._most)
        if self._forest is None or self._forest.action.shape[1] < nodes:
            action, first, children, mover, visits_of = np.zeros((5, games, nodes), np.int32)
            self._forest = Forest(
                action,
                first,
                children,
                mover,
                visits_of,
                prior=np.zeros((games, nodes), np.float32),
                means=np.zeros((games, nodes, MOST_SEATS), np.float32),
                used=np.ones((games, 1), np.int64),
                weights=np.zeros((games, self._most), np.float32),
            )
        forest = self._forest
        forest.used[:] = 1
        forest.first[:, 0] = forest.children[:, 0] = forest.visits[:, 0] = 0
        return forest
