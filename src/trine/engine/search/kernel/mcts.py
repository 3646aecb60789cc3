"""Compiled Monte Carlo tree search for any number of players, independent of the game.

Leaves are not played out: the evaluation gives the chances of all players. The player to move
follows the child with the largest sum of mean result and exploration bonus (PUCT). Source: C.
Rosin, "Multi-armed bandits with episode context" (2011), as in AlphaZero; for more than two players
every node keeps the means of all (max^n: C. Luckhardt, K. Irani, 1986).
"""

import math
from typing import Final, NamedTuple

import numpy as np

from trine.core.compiled.arrays import Counts, FloatRows, Floats, Numbers
from trine.core.compiled.jit import kernel
from trine.core.contract.score import DRAW, DRAWS, ONGOING, UNRESTRICTED
from trine.engine.search.kernel.node import repetition_result
from trine.engine.search.kernel.ordering import score_moves
from trine.engine.search.kernel.stack import MAX_PLY, MAX_SEATS
from trine.engine.search.kernel.table import NO_ACTION
from trine.engine.search.kernel.worker import GameFunctions, Worker

MAX_CHILDREN: Final = 40
"""The maximum number of children below the root: the actions with the best scores. Guess."""
C_PUCT: Final = 1.2  # the exploration constant: the weight of the prior against the mean. Guess
PRIOR_SCALE: Final = 250.0
"""Units: those of the game's `score_moves`; a difference of one unit of this scale multiplies the
prior by e. Guess."""
CHANCE_SCALE: Final = math.log(10) / 800
"""The factor from points to logits: for two players, 400 points are odds of ten to one."""
URGENCY_REDUCTION: Final = 0.1
"""First-play urgency: an unvisited child is valued at its parent's mean minus this. Guess."""


class Tree(NamedTuple):
    """The nodes of a tree; the children of a node are adjacent."""

    action: Numbers  # Shapes: node. The action that leads to the node
    first: Numbers  # Shapes: node. The node's first child; 0 while the node is a leaf
    children: Numbers  # Shapes: node. The number of the node's children
    mover: Numbers
    """Shapes: node. The player to move; -1 after the end, and while the node is a leaf."""
    visits: Numbers  # Shapes: node
    prior: Floats  # Shapes: node. The prior probability; the priors of siblings sum to 1
    means: FloatRows  # Shapes: node, `MAX_SEATS`. Each player's mean result below the node
    used: Counts  # Shapes: 1. The number of nodes in use
    weights: Floats
    """Shapes: `max_actions`. Scratch: the weights of the actions of a node to be expanded."""


NODE_BYTES: Final = 5 * 4 + 4 + 4 * MAX_SEATS


# --- shared by the tree of one play and the trees of many games ----------------------------------


@kernel()
def expand(tree: Tree, node: int, actions: Numbers, total: int, most: int) -> None:
    """Give a node its children, the actions with the greatest weights, if the tree has capacity.

    ``tree.weights`` has the weight of each of the ``total`` actions, not normalized; ``most`` is
    the maximum number of children. Both lists are sorted by weight.
    """
    policy = tree.weights
    kept = min(total, most)
    first = tree.used[0]
    if total == 0 or first + kept > len(tree.action):
        return
    weight = 0.0
    for index in range(kept):
        best = index
        for other in range(index + 1, total):
            if policy[other] > policy[best]:
                best = other
        actions[index], actions[best] = actions[best], actions[index]
        policy[index], policy[best] = policy[best], policy[index]
        child = first + index
        tree.action[child] = actions[index]
        tree.first[child] = tree.children[child] = tree.visits[child] = 0
        tree.prior[child] = policy[index]
        weight += tree.prior[child]
    for child in range(first, first + kept):
        # If all weights are 0, the prior is uniform.
        tree.prior[child] = tree.prior[child] / weight if weight > 0 else 1.0 / kept
    tree.first[node] = first
    tree.children[node] = kept
    tree.used[0] = first + kept


@kernel()
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


@kernel()
def back_up(tree: Tree, path: Numbers, depth: int, players: int) -> None:
    """Count a visit along a path, and update the means from its leaf up to the root."""
    leaf = tree.means[path[depth]]
    tree.visits[path[depth]] += 1
    for place in range(depth):
        above = tree.means[path[place]]
        tree.visits[path[place]] += 1
        share = np.float32(1.0) / tree.visits[path[place]]
        for player in range(players):
            above[player] += (leaf[player] - above[player]) * share


@kernel()
def result_with_history(game: GameFunctions, worker: Worker, ply: int) -> int:
    """Return the result of a position in a line, repetition included."""
    row = worker.rows[ply]
    result = game.result(row)
    key = worker.keys[worker.repetition_state[0] + ply - 1]
    if result != ONGOING or key == 0:
        return result
    repeated = repetition_result(worker, key, ply)
    if repeated == DRAWS:
        return DRAW
    return game.mover(row) if repeated else ONGOING


@kernel()
def evaluate_leaf(
    game: GameFunctions, worker: Worker, tree: Tree, node: int, ply: int, result: int
) -> None:
    """Write the chances of all players into a new node."""
    row, players = worker.rows[ply], worker.state[0].players
    chances = tree.means[node]
    tree.mover[node] = game.mover(row) if result == ONGOING else -1
    total = 0.0
    for player in range(players):
        chances[player] = 0.0
        if not worker.state[0].playing >> player & 1:
            continue
        if result == ONGOING:
            points = game.evaluate(row, player, worker.weights, worker.counts)
            chances[player] = math.exp(CHANCE_SCALE * points)
        elif result in (DRAW, player):
            chances[player] = 1.0
        total += chances[player]
    for player in range(players):
        chances[player] /= total


@kernel()
def give_children(game: GameFunctions, worker: Worker, tree: Tree, node: int, ply: int) -> None:
    """Expand a node, with priors from the game's ordering scores."""
    actions, scores = worker.actions[ply], worker.scores[ply]
    total = worker.state[0].root_actions if ply == 0 else game.generate(worker.rows[ply], actions)
    if total == 0:
        return
    total = score_moves(game, worker, ply, total, tree.mover[node], NO_ACTION)
    best = scores[0]
    for index in range(1, total):
        best = max(best, scores[index])
    for index in range(total):
        tree.weights[index] = math.exp((scores[index] - best) / PRIOR_SCALE)
    expand(tree, node, actions, total, total if ply == 0 else MAX_CHILDREN)


@kernel()
def visit(game: GameFunctions, worker: Worker, tree: Tree, seats: int) -> None:
    """Descend the tree once, add a leaf if the tree has capacity, and back up the leaf's result."""
    path, past = worker.pv[0], worker.repetition_state[0]
    repeats = worker.state[0].repetition_rule != UNRESTRICTED
    node, ply = 0, 0
    path[0] = 0
    while tree.mover[node] >= 0 and ply < MAX_PLY:
        if tree.first[node] == 0:
            give_children(game, worker, tree, node, ply)
            if tree.first[node] == 0:
                break
        mover = tree.mover[node]
        node = select_child(tree, node)
        game.play(worker.rows, ply, tree.action[node])
        ply += 1
        path[ply] = node
        row = worker.rows[ply]
        begins = repeats and game.mover(row) != mover
        worker.keys[past + ply - 1] = game.key(row) if begins else np.uint64(0)
        if tree.visits[node] == 0:
            evaluate_leaf(game, worker, tree, node, ply, result_with_history(game, worker, ply))
            worker.state[0].nodes += 1
            break
    back_up(tree, path, ply, seats)


@kernel()
def grow(game: GameFunctions, worker: Worker, tree: Tree, visits: int) -> None:
    """Visit the tree ``visits`` times, or until the stop.

    Node 0, made by the first call, is the root of the worker. A full tree is still visited: more
    visits refine the means of its leaves.
    """
    if tree.used[0] == 0:
        tree.used[0] = 1
        tree.first[0] = tree.children[0] = 0
        evaluate_leaf(game, worker, tree, 0, 0, game.result(worker.rows[0]))
    for _ in range(visits):
        if worker.stop[0] and tree.first[0]:  # not before the root has children
            return
        visit(game, worker, tree, worker.state[0].players)
