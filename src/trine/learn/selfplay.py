"""Self-play: quick games of the house's search against itself, from various beginnings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.core.errors import IllegalError
from trine.core.limits import Limits
from trine.core.play import Play
from trine.core.text import text
from trine.engine.random_starts import begin, play_opening, play_random_turn, set_up
from trine.games import open_room, start_position
from trine.learn.samples import Sampler, Samples
from trine.search.alphabeta import AlphaBeta
from trine.search.info import Info

MOST_RANDOM: Final = 8
"""Units: turns; the most random turns at the beginning of a game: without them all games would be
equal, and no player would ever be far ahead. Guess."""
LONGEST: Final = 300
"""Units: turns; the length at which a game is adjudicated as a draw. Guess."""
HASH_MB: Final = 0.25
"""Units: MiB; enough for searches of some hundred nodes, and quickly cleared."""


def quick_search(game: str, weights: NDArray[np.float32] | None = None) -> AlphaBeta:
    """Return a search for some hundred nodes at a time."""
    return AlphaBeta(game, hash_mb=HASH_MB, weights=weights)


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

    def as_data(self) -> dict[str, Any]:
        """Return the plan as JSON knows it."""
        return {**asdict(self), "options": dict(self.options)}


def play_on(
    play: Play,
    searches: Sequence[AlphaBeta],
    nodes: int,
    rng: Random,
    sampler: Sampler | None = None,
) -> None:
    """Play on to the end, or to `LONGEST` turns; each seat has a search."""
    for search in searches:
        search.forget()
    while not play.outcome and len(play.turns) < LONGEST:
        if play_opening(play, rng):
            continue
        told: list[Info] = []
        best = searches[play.mover].search(play, Limits(nodes=nodes), told.append)[0]
        if sampler:
            sampler.see(play, told)
        play.act_unchecked(best.pv[0])


def play_games(plan: Plan, numbers: Sequence[int]) -> Samples:
    """Play games of a plan, by their numbers, and return samples of them."""
    search, sampler = quick_search(plan.game), Sampler(plan.game)
    parts = []
    for number in numbers:
        rng = Random(f"{plan.seed} {number}")
        play = plan.begin(rng)
        play_on(play, (search, search), plan.nodes, rng, sampler)
        parts.append(sampler.choose(play.outcome, number, rng))
    return Samples.joined(parts)
