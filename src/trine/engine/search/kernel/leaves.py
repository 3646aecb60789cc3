"""Trees of many games at once, whose leaves are evaluated together, by anybody, outside.

The same search as in `trine.engine.search.kernel.mcts`, cut in two: `descend` goes down each tree
once, to a leaf; `take_answers` takes the chances and the policy that were found for all leaves,
gives each leaf its children, and backs the result up the path. A leaf gets its children at once,
since its policy is known by then.

Shapes, for n games: roots and leaves ``uint64[n, 2, words]``, of which the second row is not used;
lines, for scratch, ``uint64[plies, words]``; paths ``int32[n, plies]`` with depths ``int32[n]``;
legal ``int32[n, most_actions]`` with counts ``int32[n]``; masks ``bool[n, numbers of actions]``;
results and movers ``int8[n]``; chances ``float32[n, players]`` and policy ``float32[n, numbers of
actions]``, as `trine.engine.batch.trees` explains them.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from trine.core.compiled.jit import kernel
from trine.core.contract.score import DRAW, ONGOING
from trine.engine.search.kernel.mcts import (
    CHANCE_SCALE,
    PRIOR_SCALE,
    TREE,
    WIDTH,
    Tree,
    back_up,
    expand,
    select_child,
)
from trine.engine.search.kernel.stack import MAX_PLY
from trine.engine.search.kernel.worker import GAME, GameFunctions

Words = NDArray[np.uint64]
Numbers = NDArray[np.int32]
Small = NDArray[np.int8]
Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]


class Forest(NamedTuple):
    """A tree for each game: the arrays of `Tree`, game by game."""

    action: Numbers
    first: Numbers
    children: Numbers
    mover: Numbers
    visits: Numbers
    prior: Floats
    means: Floats
    used: NDArray[np.int64]
    weights: Floats


_LIST: Final = types.Array(types.int32, 1, "C")
_LISTS: Final = types.Array(types.int32, 2, "C")
_SMALL: Final = types.Array(types.int8, 1, "C")
_ROW_OF_FLOATS: Final = types.Array(types.float32, 1, "C")
_FLOATS: Final = types.Array(types.float32, 2, "C")
_ROWS: Final = types.Array(types.uint64, 2, "C")
FOREST: Final = types.NamedTuple(
    (
        _LISTS,
        _LISTS,
        _LISTS,
        _LISTS,
        _LISTS,
        types.Array(types.float32, 2, "C"),
        types.Array(types.float32, 3, "C"),
        types.Array(types.int64, 2, "C"),
        types.Array(types.float32, 2, "C"),
    ),
    Forest,
)


@kernel(TREE(FOREST, types.int64), forceinline=True)
def tree_of(forest: Forest, game: int) -> Tree:
    """Return the tree of a game, as views."""
    return Tree(
        forest.action[game],
        forest.first[game],
        forest.children[game],
        forest.mover[game],
        forest.visits[game],
        forest.prior[game],
        forest.means[game],
        forest.used[game],
        forest.weights[game],
    )


@kernel(
    types.void(
        GAME,
        FOREST,
        types.Array(types.uint64, 3, "C"),
        types.Array(types.uint64, 3, "C"),
        types.Array(types.uint64, 2, "C"),
        _LISTS,
        _LIST,
        _LISTS,
        _LIST,
        types.Array(types.boolean, 2, "C"),
        _SMALL,
        _SMALL,
    )
)
def descend(
    game: GameFunctions,
    forest: Forest,
    roots: Any,
    leaves: Any,
    lines: Words,
    paths: Numbers,
    depths: Numbers,
    legal: Numbers,
    counts: Numbers,
    masks: Flags,
    results: Small,
    movers: Small,
) -> None:
    """Go down the tree of each game once, and write the leaves and their legal actions.

    The lists of before are read, to clear the masks. Those of the roots are written beforehand, as
    they know repetition.
    """
    for number in range(len(roots)):
        tree = tree_of(forest, number)
        node, ply = 0, 0
        paths[number, 0] = 0
        for word in range(lines.shape[1]):
            lines[0, word] = roots[number, 0, word]
        while tree.first[node] and ply < MAX_PLY:
            node = select_child(tree, node)
            game.play(lines, ply, tree.action[node])
            ply += 1
            paths[number, ply] = node
        depths[number] = ply
        if ply == 0:
            continue
        for word in range(lines.shape[1]):
            leaves[number, 0, word] = lines[ply, word]
        for index in range(counts[number]):
            masks[number, legal[number, index]] = False
        row = leaves[number, 0]
        results[number] = game.result(row)
        movers[number] = game.mover(row)
        counts[number] = game.generate(row, legal[number]) if results[number] == ONGOING else 0
        for index in range(counts[number]):
            masks[number, legal[number, index]] = True


@kernel(types.void(FOREST, _LISTS, _LIST, _LISTS, _LIST, _SMALL, _SMALL, _FLOATS, _FLOATS))
def take_answers(
    forest: Forest,
    paths: Numbers,
    depths: Numbers,
    legal: Numbers,
    counts: Numbers,
    results: Small,
    movers: Small,
    chances: Floats,
    policy: Floats,
) -> None:
    """Give each leaf its result and its children, and back the result up the path.

    The first leaf of a tree is its root, which counts as no visit.
    """
    players = chances.shape[1]
    for number in range(len(depths)):
        tree = tree_of(forest, number)
        depth = depths[number]
        node = paths[number, depth]
        leaf, result, mover = tree.means[node], results[number], movers[number]
        if tree.first[node] == 0:
            tree.mover[node] = mover if result == ONGOING else -1
            for player in range(players):
                if result == ONGOING:
                    leaf[player] = chances[number, (player - mover) % players]
                elif result == DRAW:
                    leaf[player] = np.float32(1.0) / players
                else:
                    leaf[player] = player == result
            if result == ONGOING:
                actions, total = legal[number], counts[number]
                for index in range(total):
                    tree.weights[index] = policy[number, actions[index]]
                expand(tree, node, actions, total, total if depth == 0 else WIDTH)
        if depth:
            back_up(tree, paths[number], depth, players)


# --- what the house itself thinks of many positions ----------------------------------------------


@kernel(types.void(GAME, _ROWS, _ROW_OF_FLOATS, _ROW_OF_FLOATS, _FLOATS))
def evaluate_rows(
    game: GameFunctions, rows: Words, weights: Floats, features: Floats, chances: Floats
) -> None:
    """Write the chances of all players, from the player to move on, as the evaluation has them.

    Shapes: rows ``uint64[n, words]``, chances ``float32[n, players]``. Rows after the end get 0.
    """
    players = chances.shape[1]
    for number in range(len(rows)):
        row = rows[number]
        mover, total = game.mover(row), 0.0
        ended = game.result(row) != ONGOING
        for turn in range(players):
            chances[number, turn] = 0.0
            if not ended:
                points = game.evaluate(row, (mover + turn) % players, weights, features)
                chances[number, turn] = math.exp(CHANCE_SCALE * points)
            total += chances[number, turn]
        for turn in range(players):
            if not ended:
                chances[number, turn] /= total


@kernel(types.void(GAME, _ROWS, _LIST, _LIST, _FLOATS))
def weigh_actions(
    game: GameFunctions, rows: Words, actions: Numbers, scores: Numbers, policy: Floats
) -> None:
    """Write how promising each action looks without a search, as probabilities.

    Shapes: rows ``uint64[n, words]``, policy ``float32[n, numbers of actions]``, all 0 beforehand;
        actions and scores, for scratch, ``int32[most_actions]``.
    """
    for number in range(len(rows)):
        row = rows[number]
        if game.result(row) != ONGOING:
            continue
        count = game.generate(row, actions)
        game.score_moves(row, actions, count, scores)
        best, total = scores[0], 0.0
        for index in range(count):
            best = max(best, scores[index])
        for index in range(count):
            weight = math.exp((scores[index] - best) / PRIOR_SCALE)
            policy[number, actions[index]] = weight
            total += weight
        for index in range(count):
            policy[number, actions[index]] /= total
