"""Preferences: turns of strong players in records, each among other turns of its position."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.compiled.arrays import Row
from trine.core.contract.score import ONGOING
from trine.core.play import Play
from trine.engine.learn.sources.records import Done, plays_of
from trine.engine.learn.terms import Counted, count_terms_for
from trine.engine.selfplay.plan import Plan
from trine.games import open_heuristics, open_kernel
from trine.play.record.formats import read_file

OTHERS: Final = 50
"""The most other turns that a played one is compared with. Guess."""
WALKS: Final = 500
"""The number of random turns from a position, among which the others are chosen. Guess."""


@dataclass(frozen=True)
class Preferences:
    """Positions after played turns, and after other turns that could have been played instead."""

    rows: NDArray[np.uint64]
    """Shapes: position, word. Turn by turn, the position after the played one first."""
    sizes: NDArray[np.int64]
    """Shapes: turn. The number of its positions, two at least."""
    players: NDArray[np.int64]
    """Shapes: turn. Its player."""
    games: NDArray[np.int64]
    """Shapes: turn. The number of its game."""

    @classmethod
    def none(cls) -> Preferences:
        """Return an empty set of preferences."""
        few = np.zeros(0, np.int64)
        return cls(np.zeros((0, 0), np.uint64), few, few, few)

    @classmethod
    def joined(cls, parts: Iterable[Preferences]) -> Preferences:
        """Return the preferences of all parts; games of different parts must have other numbers."""
        kept = [part for part in parts if len(part)]
        if not kept:
            return cls.none()
        return cls(
            np.concatenate([part.rows for part in kept]),
            np.concatenate([part.sizes for part in kept]),
            np.concatenate([part.players for part in kept]),
            np.concatenate([part.games for part in kept]),
        )

    def __len__(self) -> int:
        return len(self.sizes)

    def count_terms(self, game: str) -> Counted:
        """Count the terms of a game's evaluation after the turns, for their players."""
        return count_terms_for(game, self.rows, np.repeat(self.players, self.sizes))


class RecordedTurns:
    """A source of preferences from records that fit a plan: its game, its rule set, two players."""

    def __init__(self, plan: Plan, players: Container[str] | None = None) -> None:
        """Take a plan, and the names of the players whose turns are wanted; None wants all."""
        self.plan, self._players = plan, players
        self._kernel, self._heuristics = open_kernel(plan.game), open_heuristics(plan.game)
        self._actions = np.zeros(self._kernel.most_actions, np.int32)
        self._features = np.zeros(len(self._heuristics.terms), np.float32)

    def read(self, path: str | Path, first: int, done: Done = lambda taken: None) -> Preferences:
        """Return the preferences in the records of a file, read as `plays_of` does."""
        records = read_file(path)[1]
        return Preferences.joined(plays_of(self.plan, records, first, self._of_play, done))

    def _of_play(self, play: Play, number: int, tags: Mapping[str, str]) -> Preferences:
        """Return the preferences of a recorded play by the players who are wanted."""
        names = [tags.get(seat.tag, "") for seat in play.room.seats[:2]]
        return self.preferences_of(
            play, number, [self._players is None or name in self._players for name in names]
        )

    def preferences_of(
        self, play: Play, number: int, wanted: Sequence[bool] = (True, True)
    ) -> Preferences:
        """Return the preferences of a play, the setup aside, by those players who are wanted.

        A turn that ends the play, and one that has no other beside it, teaches nothing here.
        """
        rng = self.plan.rng(number, "turns")
        parts = []
        for turn in play.turns:
            if turn.before.in_setup or turn.left is not None or not wanted[turn.player]:
                continue
            before, after = (self._kernel.row_of(one) for one in (turn.before, turn.after))
            if self._kernel.result(after) != ONGOING:
                continue
            if others := self._others(before, turn.player, after, rng):
                rows = np.stack([after, *others])
                facts = (np.array([fact], np.int64) for fact in (len(rows), turn.player, number))
                parts.append(Preferences(rows, *facts))
        return Preferences.joined(parts)

    def _others(self, before: Row, player: int, after: Row, rng: Random) -> list[Row]:
        """Return positions after other turns of a player.

        Half of them are those that the present evaluation likes best: most turns are bad for
        reasons that any weights see. The other half are drawn.
        """
        key = self._kernel.key
        distinct = {int(key(row)): row for row in self._walk(before, player, rng)}
        distinct.pop(int(key(after)), None)
        ranked = sorted(distinct.values(), key=lambda row: -self._points(row, player))
        best, rest = ranked[: OTHERS // 2], ranked[OTHERS // 2 :]
        chosen = best + rng.sample(rest, min(len(rest), OTHERS - len(best)))
        for row in chosen:  # without what the kernel has remembered on the way
            self._kernel.to_row(self._kernel.to_position(row), row)
        return chosen

    def _walk(self, before: Row, player: int, rng: Random) -> Iterator[Row]:
        """Yield positions after random turns of a player that do not end the play."""
        kernel = self._kernel
        rows = np.zeros((2, len(before)), np.uint64)
        for _ in range(WALKS):
            rows[0] = before
            while kernel.result(rows[0]) == ONGOING and kernel.mover(rows[0]) == player:
                total = kernel.generate(rows[0], self._actions)
                kernel.play(rows, 0, int(self._actions[rng.randrange(total)]))
                rows[0] = rows[1]
            if kernel.result(rows[0]) == ONGOING:
                yield rows[0].copy()

    def _points(self, row: Row, player: int) -> int:
        heuristics = self._heuristics
        return heuristics.evaluate(row, player, heuristics.weights, self._features)
