"""Some games of a batch, as one thread steps them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trine.core.contract.score import ONGOING
from trine.engine.batch.game_arrays import STOPPED, Arrays
from trine.engine.batch.moves import Moves


@dataclass(frozen=True)
class Part:
    """Some of the games of a batch, for one thread, with what they are played by."""

    of: Arrays
    moves: Moves
    rule: int
    limit: int
    restart: bool
    lines: NDArray[np.uint64]
    buffers: NDArray[np.int32]

    def reset(self) -> None:
        """Begin all games."""
        self._begin(np.ones(len(self.of.rows), np.bool_))
        self.of.rewards[:] = 0
        self.of.done[:] = self.of.truncated[:] = False
        self._look()

    def step(self) -> None:
        """Play the actions in the games that go on."""
        of = self.of
        going = of.results == ONGOING
        self.moves.step(
            of.rows,
            of.actions,
            of.keys,
            of.stood,
            of.results,
            self.rule,
            self.lines,
            self.buffers,
        )
        np.add(of.plies, going, out=of.plies)
        of.results[(of.results == ONGOING) & (of.plies >= self.limit)] = STOPPED
        np.not_equal(of.results, ONGOING, out=of.done)
        np.equal(of.results, STOPPED, out=of.truncated)
        of.rewards[:] = 0
        if len(ended := np.flatnonzero(of.done & going)):
            self._reward(ended)
            if self.restart:
                self._begin(of.done)
        self._look()

    def _begin(self, wanted: NDArray[np.bool_]) -> None:
        """Begin games from their starts: those that are wanted."""
        of = self.of
        self.moves.begin(
            of.rows,
            of.starts,
            wanted,
            of.keys,
            of.stood,
            of.results,
            self.rule,
            self.lines,
            self.buffers,
        )
        of.plies[wanted] = 0

    def _reward(self, ended: NDArray[np.intp]) -> None:
        won = ended[self.of.results[ended] >= 0]
        self.of.rewards[won] = -1
        self.of.rewards[won, self.of.results[won]] = 1

    def _look(self) -> None:
        """List the legal actions, and write what the players to move see."""
        of = self.of
        self.moves.list_actions(
            of.rows,
            of.keys,
            of.stood,
            of.results,
            self.rule,
            self.lines,
            self.buffers,
            of.legal,
            of.counts,
            of.masks,
            of.movers,
        )
        self.moves.observe(of.rows, of.movers, of.seen)
