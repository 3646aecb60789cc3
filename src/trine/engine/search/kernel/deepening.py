"""Iterative deepening, for one search and for whole games, and what outlasts a search in its turn.

The lines that a search has found stand in an array ``int32[depth, 4 + ply]``, depth by depth: the
depth, the score, the nodes so far, the length of the line, and its actions.
"""

from __future__ import annotations

from numba import types

from trine.core.compiled.jit import kernel
from trine.core.contract.score import PROVEN_SCORE, WIN
from trine.engine.search.kernel.node import NO_LIMIT
from trine.engine.search.kernel.pvs import search_within
from trine.engine.search.kernel.worker import GAME, WORKER, GameFunctions, Numbers, Worker

COMPLETION_PARTS = 4
"""If the principal variation breaks off within the turn, the rest of the turn is searched with one
of so many parts of the nodes, or with the nodes that are left. Guess."""

_LISTS = types.Array(types.int32, 2, "C")


@kernel("int64(int64, int64)")
def nodes_left(nodes: int, spent: int) -> int:
    """Return the limit of nodes for the rest of a turn, of which a part is decided."""
    return max(1, nodes // COMPLETION_PARTS, nodes - spent)


@kernel(types.void(_LISTS, types.int64))
def shift_killers(killers: Numbers, further: int) -> None:
    """Keep the killers of a search for one that begins some plies further down in the same turn."""
    last = len(killers) - further
    for ply in range(len(killers)):
        for place in range(2):
            killers[ply, place] = killers[ply + further, place] if ply < last else -1


@kernel(types.void(WORKER))
def forget_turn(worker: Worker) -> None:
    """Clear the killers and the history of a worker, since another turn begins."""
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
    """Search the root of a worker from one depth to another, until a limit or a proven end.

    Args: ``score`` is the one expected at the first depth.

    Returns: the number of lines that were found and written into ``lines``. Of a depth without one
        (every turn is excluded, or the search was stopped) the score is written, too.
    """
    state, found = worker.state[0], 0
    for depth in range(first, last + 1):
        # Depth 1 is searched whole; the limit holds from depth 2 on.
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
