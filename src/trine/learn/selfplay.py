"""Self-play: quick games of the house's search against itself, from various beginnings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.core.arrays import Row
from trine.core.doors import Kernel
from trine.core.errors import IllegalError
from trine.core.limits import Limits
from trine.core.play import Play
from trine.core.position import Position
from trine.core.score import DRAW, ONGOING
from trine.core.text import text
from trine.engine.random_starts import begin, play_random_turn, set_up
from trine.games import open_kernel, open_room, start_position
from trine.learn.samples import Sampled, Samples, choose_rows
from trine.search.alphabeta import AlphaBeta
from trine.search.constants import OF_ROOM, SearchConstants
from trine.search.kernel.handicap import WHOLE
from trine.search.nets import NO_NET, SearchNet

if TYPE_CHECKING:
    from trine.search.games import Games, Manner

MOST_RANDOM: Final = 8
"""Units: turns; the most random turns at the beginning of a game: without them all games would be
equal, and no player would ever be far ahead. Guess."""
LONGEST: Final = 300
"""Units: turns; the length at which a game is left, without a result. Guess."""
QUICK_SHARE: Final = 768
"""Units: 1/1024; the share of actions that is searched quickly, if any are. Source: D. Wu,
"Accelerating self-play learning in Go" (2019), for playout caps and their share."""
NODES_PER_MB: Final = 10_000
"""The nodes of the search of a sample for each megabyte of its table. Guess."""
HASH_MB: Final = 0.25
"""Units: MiB; enough for searches of some hundred nodes, and quickly cleared."""


def quick_search(game: str, weights: NDArray[np.float32] | None = None) -> AlphaBeta:
    """Return a search for some hundred nodes at a time, by the terms alone."""
    return AlphaBeta(game, hash_mb=HASH_MB, weights=weights, net=NO_NET)


@dataclass(frozen=True)
class Plan:
    """The parameters that determine the games of self-play.

    Guarantee: with the same weights, game number n of a plan is always and everywhere the same.
    """

    game: str
    rules: str
    options: tuple[tuple[str, str], ...] = ()
    """The start options that were given; the random ones differ from game to game."""
    nodes: int = 400
    """The limit of the search for each action."""
    seed: int = 0
    quick_nodes: int = 0
    """The limit for three of four actions, chosen at random, of which no samples are taken: so a
    game costs less than its samples are worth. 0 searches each action fully."""
    strays: float = 0.0
    """The share of actions in whose place one is played that looks good at once."""
    label_nodes: int = 0
    """The limit of the search that scores each sample. 0 scores none."""

    def __post_init__(self) -> None:
        start = start_position(open_room(self.game), self.rules, dict(self.options))
        if len(start.seats) != 2:
            raise IllegalError(text("only games of two players can be learnt from"))

    def begin(self, rng: Random) -> Play:
        """Return a play with its start, the setup, and some random turns."""
        play = begin(open_room(self.game), self.rules, dict(self.options), rng)
        set_up(play, rng)
        for _ in range(rng.randrange(MOST_RANDOM + 1)):
            play_random_turn(play, rng)
        return play

    def manner(
        self,
        weights: NDArray[np.float32] | None = None,
        constants: SearchConstants = OF_ROOM,
        net: SearchNet | None = None,
    ) -> Manner:
        """Return how players think; weights, constants and net are the room's, if not given."""
        from trine.search.games import Manner

        share = QUICK_SHARE if self.quick_nodes else 0
        return Manner(
            nodes=self.nodes,
            quick_nodes=self.quick_nodes,
            quick_share=share,
            stray_share=round(WHOLE * self.strays),
            weights=weights,
            constants=constants,
            net=net,
        )

    def as_data(self) -> dict[str, Any]:
        """Return the plan as JSON knows it."""
        return {**asdict(self), "options": dict(self.options)}


def play_games(plan: Plan, numbers: Sequence[int]) -> Samples:
    """Play games of a plan, by their numbers, and return samples of them.

    A game without an end within `LONGEST` turns gives none.
    """
    from trine.search.games import Games  # compiles the loop over games

    kernel = open_kernel(plan.game)
    manner = plan.manner(net=NO_NET)  # the weights of the terms are to be fitted
    labels = Labels(plan) if plan.label_nodes else None
    games: Games | None = None
    parts = []
    for number in numbers:
        rng = Random(f"{plan.seed} {number}")
        play = plan.begin(rng)
        if play.outcome or len(play.turns) >= LONGEST:
            continue
        games = games or Games(play, hash_mb=[HASH_MB])
        course = games.play(
            play,
            (manner, manner),
            turn_limit=LONGEST,
            seed=hash((plan.seed, number)),
            keep_ends=True,
        )
        if course.result == ONGOING:
            continue
        winner = None if course.result == DRAW else course.result
        order = list(range(len(course.moves)))
        rng.shuffle(order)
        quiet = frozenset(course.quiet.tolist())
        rows = (course.ends[index] for index in order if index in quiet)
        of = Sampled(number, winner, key_of(kernel, play.position))
        samples = choose_rows(kernel, rows, of)
        parts.append(replace(samples, scores=labels.of(samples)) if labels else samples)
    return Samples.joined(parts)


class Labels:
    """A search that scores samples: deeper than the leaves that will use the weights."""

    def __init__(self, plan: Plan) -> None:
        self._room, self._kernel = open_room(plan.game), open_kernel(plan.game)
        self._limits = Limits(nodes=plan.label_nodes)
        self._search = AlphaBeta(plan.game, hash_mb=max(HASH_MB, plan.label_nodes / NODES_PER_MB))

    def of(self, samples: Samples) -> NDArray[np.float32]:
        """Return the scores of samples, for the player to move; none of them depends on another."""
        return np.array([self._score(row) for row in samples.rows], np.float32)

    def _score(self, row: Row) -> int:
        self._search.forget()
        play = Play(self._room, self._kernel.to_position(row))
        return self._search.search(play, self._limits)[0].score.points


def key_of(kernel: Kernel, position: Position) -> int:
    """Return the key of a position."""
    row = np.zeros(kernel.words(position), np.uint64)
    kernel.to_row(position, row)
    return int(kernel.key(row))
