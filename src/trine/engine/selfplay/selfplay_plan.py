"""Plans of games: from where they begin, and by which settings both sides play."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.core.errors import IllegalError
from trine.core.play import Play
from trine.engine.search.constants import OF_ROOM, SearchConstants
from trine.engine.search.nets import SearchNet
from trine.engine.selfplay.player_settings import PlayerSettings
from trine.engine.selfplay.random_starts import begin, play_random_turn, set_up
from trine.games import open_room, start_position

MOST_RANDOM: Final = 8
"""Units: turns; the most random turns at the beginning of a game: without them all games would be
equal, and no player would ever be far ahead. Guess."""
LONGEST: Final = 300
"""Units: turns; the length at which a game is left, without a result. Guess."""
QUICK_SHARE: Final = 768
"""Units: 1/1024; the share of actions that is searched quickly, if any are. Source: D. Wu,
"Accelerating self-play learning in Go" (2019), for playout caps and their share."""


@dataclass(frozen=True)
class SelfPlayPlan:
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
    label_nodes: int = 0
    """The limit of the search that scores each sample. 0 scores none."""

    def __post_init__(self) -> None:
        start = start_position(open_room(self.game), self.rules, dict(self.options))
        if len(start.seats) != 2:
            raise IllegalError("only games of two players can be learnt from")

    def rng(self, number: int, kind: str = "") -> Random:
        """Return the random numbers of a game, by its number and its kind."""
        return Random(f"{kind} {self.seed} {number}".lstrip())

    def game_seed(self, number: int) -> int:
        return self.rng(number, "course").getrandbits(63)

    def begin(self, rng: Random) -> Play:
        """Return a play with its start, the setup, and some random turns."""
        play = begin(open_room(self.game), self.rules, dict(self.options), rng)
        set_up(play, rng)
        for _ in range(rng.randrange(MOST_RANDOM + 1)):
            play_random_turn(play, rng)
        return play

    def settings(
        self,
        weights: NDArray[np.float32] | None = None,
        constants: SearchConstants = OF_ROOM,
        net: SearchNet | None = None,
    ) -> PlayerSettings:
        """Return how players think; weights, constants and net are the room's, if not given."""
        return PlayerSettings(
            nodes=self.nodes,
            quick_nodes=self.quick_nodes,
            quick_share=QUICK_SHARE if self.quick_nodes else 0,
            weights=weights,
            constants=constants,
            net=net,
        )

    def as_data(self) -> dict[str, Any]:
        return {**asdict(self), "options": dict(self.options)}
