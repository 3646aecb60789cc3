"""Preferences: recorded turns of strong players, each with alternatives to it."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fitting.least import least
from fitting.plan import numbered_plays
from fitting.terms import Counted, count_terms_for
from trine.core.compiled.arrays import Row
from trine.core.contract.score import ONGOING
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.engine.learn.logistic import SLOPE, Vector
from trine.engine.learn.sources.recorded_games import Done
from trine.engine.selfplay.selfplay_plan import SelfPlayPlan
from trine.games import open_heuristics, open_kernel

Matrix = NDArray[np.float64]
MAX_OTHERS: Final = 50
"""The maximum number of alternatives to a played turn. Guess."""
RANDOM_TURNS: Final = 500
"""The number of random turns among the candidates for alternatives. Guess."""


@dataclass(frozen=True)
class Preferences:
    """Positions after played turns, and after their alternatives."""

    rows: NDArray[np.uint64]
    """Shapes: position, word. Turn by turn, the position after the played turn first."""
    sizes: NDArray[np.int64]
    """Shapes: turn. The number of its positions, at least two."""
    players: NDArray[np.int64]
    """Shapes: turn. The player."""
    games: NDArray[np.int64]
    """Shapes: turn. The number of the game."""

    @classmethod
    def none(cls) -> Preferences:
        few = np.zeros(0, np.int64)
        return cls(np.zeros((0, 0), np.uint64), few, few, few)

    @classmethod
    def joined(cls, parts: Iterable[Preferences]) -> Preferences:
        """Return the preferences of all parts; different parts must not share game numbers."""
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

    def __init__(self, plan: SelfPlayPlan, players: Container[str] | None = None) -> None:
        """Read records that fit a plan; None for ``players`` means all players."""
        self.plan, self._players = plan, players
        self._kernel, self._heuristics = open_kernel(plan.game), open_heuristics(plan.game)
        self._actions = np.zeros(self._kernel.max_actions, np.int32)
        self._counts = np.zeros(len(self._heuristics.terms), np.float32)

    def read(self, path: str | Path, first: int, done: Done = lambda taken: None) -> Preferences:
        """Return the preferences in the records of a file that fit the plan."""
        parts = []
        for number, play, tags in numbered_plays(self.plan.game, path, first, done):
            fits = play.position.rules.name == self.plan.rules
            parts.append(self._of_play(play, number, tags) if fits else Preferences.none())
            done(len(parts[-1]) > 0)
        return Preferences.joined(parts)

    def _of_play(self, play: Play, number: int, tags: Mapping[str, str]) -> Preferences:
        names = [tags.get(seat.tag, "") for seat in play.room.seats[:2]]
        return self.preferences_of(
            play, number, [self._players is None or name in self._players for name in names]
        )

    def preferences_of(
        self, play: Play, number: int, wanted: Sequence[bool] = (True, True)
    ) -> Preferences:
        """Return a play's preferences after the setup, for the selected players.

        Turns that end the play, and forced turns, are left out.
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
        """Return positions after alternatives to a player's turn.

        Half of them are the best by the present evaluation, because most turns are bad for reasons
        that any weights see. The other half are random.
        """
        key = self._kernel.key
        distinct = {int(key(row)): row for row in self._walk(before, player, rng)}
        distinct.pop(int(key(after)), None)
        ranked = sorted(distinct.values(), key=lambda row: -self._points(row, player))
        best, rest = ranked[: MAX_OTHERS // 2], ranked[MAX_OTHERS // 2 :]
        chosen = best + rng.sample(rest, min(len(rest), MAX_OTHERS - len(best)))
        for row in chosen:  # without the kernel's caches
            self._kernel.to_row(self._kernel.to_position(row), row)
        return chosen

    def _walk(self, before: Row, player: int, rng: Random) -> Iterator[Row]:
        """Yield positions after random turns of a player that do not end the play."""
        kernel = self._kernel
        rows = np.zeros((2, len(before)), np.uint64)
        for _ in range(RANDOM_TURNS):
            rows[0] = before
            while kernel.result(rows[0]) == ONGOING and kernel.mover(rows[0]) == player:
                total = kernel.generate(rows[0], self._actions)
                kernel.play(rows, 0, int(self._actions[rng.randrange(total)]))
                rows[0] = rows[1]
            if kernel.result(rows[0]) == ONGOING:
                yield rows[0].copy()

    def _points(self, row: Row, player: int) -> int:
        heuristics = self._heuristics
        return heuristics.evaluate(row, player, heuristics.weights, self._counts)


Numbers = NDArray[np.int64]

MIN_GAMES: Final = 10
"""The minimum number of games whose turns are imitated: a fifth of them is held out. Guess."""
SHARPNESS: Final = (0.01, 100.0)
"""The bounds of the sharpness."""
LOG_SHARPNESS: Final = (math.log(SHARPNESS[0]), math.log(SHARPNESS[1]))


class PreferenceLoss:
    """The loss of turns, by the terms counted after them.

    A player chooses a turn with a probability that grows with the points of the position after it:
    ``exp(SLOPE * sharpness * points)``, divided by the sum over all turns of the choice. The
    sharpness is how closely such players follow the points; it is fitted too.

    Source: D. McFadden, "Conditional logit analysis of qualitative choice behavior" (1974).
    """

    def __init__(self, terms: Matrix, rest: Vector, sizes: Numbers, games: Numbers) -> None:
        """Take the terms and the rest of the points after each turn.

        Shapes: ``terms`` position, term; ``rest`` position; ``sizes`` and ``games`` turn, as in
            `Preferences`.
        """
        self._terms, self._rest, self._sizes, self._numbers = terms, rest, sizes, games
        self._first: Numbers = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        """Shapes: turn. The index of the position after the played turn."""
        found, self.game = np.unique(games, return_inverse=True)
        """Shapes: turn. The games, numbered without gaps."""
        self.games = len(found)

    @classmethod
    def of(cls, preferences: Preferences, terms: Matrix, rest: Vector) -> PreferenceLoss:
        """Return the loss of preferences. Raises `TrineError`: the turns are of too few games."""
        loss = cls(terms, rest, preferences.sizes, preferences.games)
        loss.check_games()
        return loss

    def check_games(self) -> None:
        """Raise `TrineError` if there are too few games."""
        if self.games < MIN_GAMES:
            raise TrineError(
                "turns of {count} games are too few to imitate; take {least} at least",
                count=self.games,
                least=MIN_GAMES,
            )

    def __len__(self) -> int:
        return len(self._sizes)

    def part(self, games: Numbers) -> PreferenceLoss:
        """Return the part with the turns of some games, by their numbers without gaps."""
        turns = np.isin(self.game, games)
        rows = np.repeat(turns, self._sizes)
        return PreferenceLoss(
            self._terms[rows], self._rest[rows], self._sizes[turns], self._numbers[turns]
        )

    @property
    def chance(self) -> float:
        """The mean loss of a random choice."""
        return float(np.log(self._sizes).mean())

    def losses(self, points: Vector, log_sharpness: float) -> Vector:
        """Return the loss of each turn, with the points of each term."""
        return self._losses_and_shares(self._points(points), log_sharpness)[0]

    def cost(self, points: Vector, log_sharpness: float) -> tuple[float, Vector, float]:
        """Return the mean loss, and its gradient by the points and by the sharpness's logarithm."""
        total = self._points(points)
        losses, shares = self._losses_and_shares(total, log_sharpness)
        shares[self._first] -= 1
        gradient = SLOPE * math.exp(log_sharpness) * shares / len(self)
        by_points: Vector = gradient @ self._terms
        return float(losses.mean()), by_points, float(gradient @ total)

    def sharpness_of(self, points: Vector) -> float:
        """Return the logarithm of the sharpness that fits points best."""
        return least(lambda log: float(self.losses(points, log).mean()), LOG_SHARPNESS)

    def bend(self, points: Vector, log_sharpness: float) -> Matrix:
        """Return the information matrix of the points, with the sharpness's logarithm last.

        Shapes: parameter, parameter. For the points it is the Hessian of the mean loss.
        """
        _, shares = self._losses_and_shares(self._points(points), log_sharpness)
        moves = self._moves(points)
        shared = moves * shares[:, None]
        means = np.add.reduceat(shared, self._first)
        steep = (SLOPE * math.exp(log_sharpness)) ** 2 / len(self)
        bend: Matrix = steep * (shared.T @ moves - means.T @ means)
        return bend

    def gradients(self, points: Vector, log_sharpness: float) -> Matrix:
        """Return the contribution of each game to the gradient of the mean loss.

        Shapes: parameter, game; the sharpness's logarithm comes last.
        """
        _, shares = self._losses_and_shares(self._points(points), log_sharpness)
        shares[self._first] -= 1
        steep = SLOPE * math.exp(log_sharpness) / len(self)
        by_turn = np.add.reduceat(self._moves(points) * shares[:, None] * steep, self._first)
        return np.stack([np.bincount(self.game, turns, self.games) for turns in by_turn.T])

    def _moves(self, points: Vector) -> Matrix:
        return np.column_stack([self._terms, self._points(points)])

    def _points(self, points: Vector) -> Vector:
        total: Vector = self._rest + self._terms @ points
        return total

    def _losses_and_shares(self, total: Vector, log_sharpness: float) -> tuple[Vector, Vector]:
        """Return the loss of each turn, and the probability of each position."""
        logits = SLOPE * math.exp(log_sharpness) * total
        logits -= np.repeat(np.maximum.reduceat(logits, self._first), self._sizes)
        likely = np.exp(logits)
        sums = np.add.reduceat(likely, self._first)
        losses: Vector = np.log(sums) - logits[self._first]
        shares: Vector = likely / np.repeat(sums, self._sizes)
        return losses, shares
