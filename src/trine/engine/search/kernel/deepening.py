"""Iterative deepening for single searches and whole games, and what searches of one turn share.

The lines found by a search are rows of an array ``int32[depth, 4 + ply]``: the depth, the score,
the nodes so far, the length of the line, and its actions.
"""

from __future__ import annotations

from numba import types

from trine.core.compiled.jit import kernel
from trine.core.contract.score import PROVEN_SCORE, WIN
from trine.engine.search.kernel.node import NO_LIMIT
from trine.engine.search.kernel.pvs import search_within
from trine.engine.search.kernel.worker import GAME, WORKER, GameFunctions, Numbers, Worker

COMPLETION_PARTS = 4
"""The divisor of the node limit for completing a turn: if the principal variation ends within the
turn, at least this part of all nodes is left for the rest of the turn. Guess."""

_LISTS = types.Array(types.int32, 2, "C")


@kernel("int64(int64, int64)")
def nodes_left(nodes: int, spent: int) -> int:
    """Return the node limit for completing a turn whose first actions are decided."""
    return max(1, nodes // COMPLETION_PARTS, nodes - spent)


@kernel(types.void(_LISTS, types.int64))
def shift_killers(killers: Numbers, further: int) -> None:
    """Shift the killers by the plies already played in the same turn."""
    last = len(killers) - further
    for ply in range(len(killers)):
        for place in range(2):
            killers[ply, place] = killers[ply + further, place] if ply < last else -1


@kernel(types.void(WORKER))
def forget_turn(worker: Worker) -> None:
    shift_killers(worker.killers, len(worker.killers))
    for player in range(len(worker.history)):
        for action in range(worker.history.shape[1]):
            worker.history[player, action] = 0


@kernel(types.int64(GAME, WORKER, _LISTS, types.int64, types.int64, types.int64, types.int64))
def deepen(
    game: GameFunctions,
    worker: Worker,
    lines: Numbers,
    first: int,
    last: int,
    score: int,
    nodes: int,
) -> int:
    """Search the root of a worker depth by depth, until the last, a limit or a proof.

    ``score`` is the expected score at the ``first`` depth. If a depth finds no line (all turns are
    excluded, or the search was stopped), its score is written nevertheless.

    Returns: the number of lines written into ``lines``.
    """
    state, found = worker.state[0], 0
    for depth in range(first, last + 1):
        # Depth 1 is always completed; the limit holds from depth 2 on.
        state.node_limit = nodes if depth > 1 else NO_LIMIT
        score = search_within(game, worker, depth, score)
        length, line = worker.pv[0, 0], lines[found]
        line[0], line[1], line[2], line[3] = depth, score, state.nodes, length
        for place in range(length):
            line[4 + place] = worker.pv[0, 1 + place]
        found += length > 0
        if state.nodes >= nodes or worker.stop[0]:
            break
        if abs(score) > PROVEN_SCORE and WIN - abs(score) <= depth:
            break
    return found
