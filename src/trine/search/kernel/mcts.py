"""Monte Carlo tree search, compiled: for any number of players, blind to the game.

A leaf is not played out: it gets the chances of all players from the evaluation. The player to move
follows the child with the best sum of its mean result and an exploration bonus (PUCT).
Source: C. Rosin, "Multi-armed bandits with episode context" (2011), as in AlphaZero; for more than
two players every node keeps the means of all (max^n: C. Luckhardt, K. Irani, 1986).
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from trine.core.jit import kernel
from trine.core.score import DRAW, ONGOING
from trine.search.kernel.ordering import pick_best, score_moves
from trine.search.kernel.table import NO_ACTION
from trine.search.kernel.worker import (
    GAME,
    MAX_PLY,
    PLAIN_GAME,
    WORKER,
    GameFunctions,
    Worker,
    named,
)

MOST_SEATS: Final = 4
WIDTH: Final = 40
"""The number of children below the root: the actions with the best scores. Guess."""
C_PUCT: Final = 1.2
"""The exploration constant: the weight of the prior against the mean. Guess."""
PRIOR_SCALE: Final = 250.0
"""Units: those of the room's `score_moves`; the difference that makes a prior e times as high.
Guess."""
CHANCE_SCALE: Final = math.log(10) / 800
"""The factor from points of all players to chances: for two, 400 points are odds of ten to one."""
URGENCY_REDUCTION: Final = 0.1
"""First-play urgency: an unvisited child counts this much less than its parent. Guess."""


class Tree(NamedTuple):
    """All nodes of a tree. The children of a node are adjacent."""

    action: NDArray[np.int32]
    """Shapes: node. The action that leads to it."""
    first: NDArray[np.int32]
    """Shapes: node. Its first child; 0 while it is a leaf."""
    children: NDArray[np.int32]
    """Shapes: node. The number of its children."""
    mover: NDArray[np.int32]
    """Shapes: node. The player to move; -1 after the end, and while it is a leaf."""
    visits: NDArray[np.int32]
    """Shapes: node."""
    prior: NDArray[np.float32]
    """Shapes: node. Its prior probability; those of siblings sum to 1."""
    means: NDArray[np.float32]
    """Shapes: node, `MOST_SEATS`. Each player's mean result below it."""
    used: NDArray[np.int64]
    """Shapes: 1. The number of nodes in use."""


_NUMBERS: Final = types.Array(types.int32, 1, "C")
TREE: Final = types.NamedTuple(
    (
        _NUMBERS,
        _NUMBERS,
        _NUMBERS,
        _NUMBERS,
        _NUMBERS,
        types.Array(types.float32, 1, "C"),
        types.Array(types.float32, 2, "C"),
        types.Array(types.int64, 1, "C"),
    ),
    Tree,
)
NODE_BYTES: Final = 5 * 4 + 4 + 4 * MOST_SEATS


@kernel(types.void(GAME, WORKER, TREE, types.int64, types.int64))
def evaluate_leaf(game: GameFunctions, worker: Worker, tree: Tree, node: int, ply: int) -> None:
    """Write the chances of all players in a position into a node that is new."""
    row, players = worker.rows[ply], worker.state[0].players
    result = game.result(row)
    chances = tree.means[node]
    tree.mover[node] = game.mover(row) if result == ONGOING else -1
    total = 0.0
    for player in range(players):
        chances[player] = 0.0
        if not worker.state[0].playing >> player & 1:
            continue
        if result == ONGOING:
            points = game.evaluate(row, player, worker.weights, worker.features)
            chances[player] = math.exp(CHANCE_SCALE * points)
        elif result in (DRAW, player):
            chances[player] = 1.0
        total += chances[player]
    for player in range(players):
        chances[player] /= total


@kernel(types.boolean(GAME, WORKER, TREE, types.int64, types.int64))
def expand(game: GameFunctions, worker: Worker, tree: Tree, node: int, ply: int) -> bool:
    """Give a node its children; return False if there is no room or no action."""
    actions, scores = worker.actions[ply], worker.scores[ply]
    total = worker.state[0].root_actions if ply == 0 else game.generate(worker.rows[ply], actions)
    if total == 0:
        return False
    total = score_moves(game, worker, ply, total, tree.mover[node], NO_ACTION)
    kept = total if ply == 0 else min(total, WIDTH)
    first = tree.used[0]
    if first + kept > len(tree.action):
        return False
    weight, child = 0.0, first
    for index in range(kept):
        pick_best(actions, scores, index, total)
        tree.action[child] = actions[index]
        tree.first[child] = 0
        tree.children[child] = 0
        tree.visits[child] = 0
        tree.prior[child] = math.exp((scores[index] - scores[0]) / PRIOR_SCALE)
        weight += tree.prior[child]
        child += 1
    for new in range(first, child):
        tree.prior[new] /= weight
    tree.first[node] = first
    tree.children[node] = child - first
    tree.used[0] = child
    return True


@kernel(types.int64(TREE, types.int64))
def select_child(tree: Tree, node: int) -> int:
    """Return the child to visit next, by PUCT for the player to move."""
    mover = tree.mover[node]
    spread = C_PUCT * math.sqrt(float(tree.visits[node]))
    urgency = tree.means[node, mover] - URGENCY_REDUCTION
    best, best_value = tree.first[node], -1e9
    for child in range(tree.first[node], tree.first[node] + tree.children[node]):
        visits = tree.visits[child]
        value = tree.means[child, mover] if visits else urgency
        value += spread * tree.prior[child] / (1 + visits)
        if value > best_value:
            best, best_value = child, value
    return best


@kernel(types.void(GAME, WORKER, TREE, types.int64))
def visit(game: GameFunctions, worker: Worker, tree: Tree, seats: int) -> None:
    """Go down the tree once, add a leaf if there is room, and back its result up the path."""
    path = worker.pv[0]
    node, ply = 0, 0
    path[0] = 0
    while tree.mover[node] >= 0 and ply < MAX_PLY:
        if tree.first[node] == 0 and not expand(game, worker, tree, node, ply):
            break
        node = select_child(tree, node)
        game.play(worker.rows, ply, tree.action[node])
        ply += 1
        path[ply] = node
        if tree.visits[node] == 0:
            evaluate_leaf(game, worker, tree, node, ply)
            worker.state[0].nodes += 1
            break
    tree.visits[node] += 1
    leaf = tree.means[node]
    for place in range(ply):
        above = tree.means[path[place]]
        tree.visits[path[place]] += 1
        share = np.float32(1.0) / tree.visits[path[place]]
        for player in range(seats):
            above[player] += (leaf[player] - above[player]) * share


@kernel(types.void(PLAIN_GAME, WORKER, TREE, types.int64))
def grow(functions: tuple[Any, ...], worker: Worker, tree: Tree, visits: int) -> None:
    """Visit the tree ``visits`` times, or until the stop.

    The root of the worker is node 0, which the first call makes. A tree that is full is still
    visited: its leaves count for more.
    """
    game = named(functions)
    if tree.used[0] == 0:
        tree.used[0] = 1
        tree.first[0] = tree.children[0] = 0
        evaluate_leaf(game, worker, tree, 0, 0)
    for _ in range(visits):
        if worker.stop[0] and tree.first[0]:  # not before the root has children
            return
        visit(game, worker, tree, worker.state[0].players)
