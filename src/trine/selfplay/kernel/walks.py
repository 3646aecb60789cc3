"""Positions out of the trees of searches, and scores of their own for them, compiled.

The tree is found again in the table of the search: a walk goes from its root through positions that
the table knows, any of them equally likely, as far as it knows one, and on to a leaf. So it meets
what searches ask about, most of which no good player would let happen.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import types

from trine.core.compiled.bits import NONE
from trine.core.compiled.jit import kernel
from trine.core.compiled.rng import next_below
from trine.core.contract.score import ONGOING
from trine.search.kernel.deepening import forget_turn
from trine.search.kernel.stack import MOST_DEPTH
from trine.search.kernel.table import probe
from trine.search.kernel.worker import GAME, WORKER, GameFunctions, Numbers, Shorts, Words, Worker
from trine.selfplay.kernel.playing import think
from trine.selfplay.kernel.state import LISTS, ROW, ROWS

_SHORTS: Final = types.Array(types.int16, 1, "C")


@kernel(types.int64(GAME, WORKER, ROW, LISTS, types.int64))
def search_row(game: GameFunctions, worker: Worker, row: Words, lines: Numbers, nodes: int) -> int:
    """Search a position with so many nodes, and with nothing from before; return its score."""
    for bucket in range(len(worker.table)):
        for word in range(worker.table.shape[1]):
            worker.table[bucket, word] = NONE
    forget_turn(worker)
    for word in range(len(row)):
        worker.rows[0, word] = row[word]
    state = worker.state[0]
    state.root_actions = game.generate(worker.rows[0], worker.actions[0])
    found = think(game, worker, lines, MOST_DEPTH, nodes)
    return int(lines[found - 1, 1]) if found else 0


@kernel(types.int64(GAME, WORKER, ROW))
def walk(game: GameFunctions, worker: Worker, rng: Words) -> int:
    """Walk from the root of a worker through positions that its table knows, to a leaf.

    Returns: the ply of the last one whose end is not known without a search, 0 if there is none.
    """
    ply, last, leaf = 0, 0, False
    while ply < MOST_DEPTH:
        row, known, chosen = worker.rows[ply], 0, 0
        total = game.generate(row, worker.actions[ply])
        for index in range(total):
            game.play(worker.rows, ply, np.int64(worker.actions[ply, index]))
            after = worker.rows[ply + 1]
            if game.result(after) == ONGOING and probe(worker.table, game.key(after)) != NONE:
                known += 1
                if next_below(rng, known) == 0:
                    chosen = index
        if known == 0:
            # Where a table keeps no leaves, they are beyond what it knows.
            if total == 0 or worker.state[0].leaves or leaf:
                break
            chosen, leaf = next_below(rng, total), True
        game.play(worker.rows, ply, np.int64(worker.actions[ply, chosen]))
        ply += 1
        if game.result(worker.rows[ply]) != ONGOING:
            break
        if game.detect_win(worker.rows[ply]) == 0:
            last = ply
    return last


@kernel(types.int64(GAME, WORKER, LISTS, ROWS, ROW, types.int64, types.int64, ROWS, _SHORTS))
def label_trees(
    game: GameFunctions,
    worker: Worker,
    lines: Numbers,
    roots: Words,
    rng: Words,
    nodes: int,
    walks: int,
    found: Words,
    scores: Shorts,
) -> int:
    """Search positions, and score some out of each tree by searches of their own.

    Args: ``walks`` are the positions taken out of a tree. ``found`` and ``scores`` have room for
    as many for each of the roots.

    Returns: the number of the positions that were found.
    """
    count = 0
    for root in range(len(roots)):
        search_row(game, worker, roots[root], lines, nodes)
        first = count
        for _ in range(walks):
            ply, twice = walk(game, worker, rng), False
            for before in range(first, count):
                same = True
                for word in range(found.shape[1]):
                    same &= found[before, word] == worker.rows[ply, word]
                twice |= same
            if ply and not twice:
                for word in range(found.shape[1]):
                    found[count, word] = worker.rows[ply, word]
                count += 1
        for place in range(first, count):
            scores[place] = search_row(game, worker, found[place], lines, nodes)
    return count
