"""The house's own player: a search, a level, and time divided over turns."""

from __future__ import annotations

import time
from dataclasses import replace
from random import Random
from typing import Any, Final

from trine.core.doors import Action, Heuristics
from trine.core.play import Play
from trine.engine.levels import FULL, LEVELS
from trine.engine.limits import Limits
from trine.engine.player import Decision, Info, Told
from trine.engine.timing import allot
from trine.games import open_heuristics
from trine.search.alphabeta import AlphaBeta
from trine.search.effort import MOST_DEPTH, Effort
from trine.search.tree import TreeSearch

PARTS: Final = 4
"""Where the line that was found breaks off within the turn, the rest is thought about with this
part of the nodes, or with what is left of them. Guess."""


class Bot:
    """A player of a level; opening it compiles or fetches the code of its game.

    >>> from trine.games import new_play
    >>> decision = Bot("tzaar", 3).choose(new_play("tzaar"), Limits())
    >>> len(decision.actions)
    1
    """

    def __init__(
        self,
        game: str,
        level: int = FULL,
        *,
        hash_mb: float = 64,
        threads: int = 1,
        seed: int = 0,
        name: str = "",
        weights: Any = None,
    ) -> None:
        self.game, self.level = game, LEVELS[level]
        self.name = name or f"bot:{level}"
        self.seed = seed
        self._heuristics: Heuristics = open_heuristics(game)
        self._rng = Random(seed)
        self._options = {"hash_mb": hash_mb, "threads": threads, "weights": weights}
        self._search: AlphaBeta | TreeSearch | None = None
        self._stopped = False

    def begin(self, play: Play) -> None:
        """Begin a game: all that was found in another is forgotten."""
        self._rng = Random(self.seed)
        self._search_for(play).forget()

    def choose(self, play: Play, limits: Limits, told: Told | None = None) -> Decision:
        """Choose the rest of the turn of the player to move.

        A level without an end of its own, and limits without one, let it think until `stop`.
        """
        self._stopped = False
        if opening := self._heuristics.opening(play.position, self._rng):
            return Decision(opening)
        search, began = self._search_for(play), time.monotonic()
        ahead, actions = play.copy(), list[Action]()
        player, spent, info = play.mover, 0, None
        while not ahead.outcome and ahead.mover == player:
            used = limits.used + time.monotonic() - began
            effort = self._effort(ahead, limits, used, spent)
            part = search.search(ahead, effort, None if info else told)[0]
            spent += search.searched
            if info is None:
                info = part
            else:
                info = replace(info, pv=(*actions, *part.pv), nodes=spent)
            for action in part.pv:
                if ahead.outcome or ahead.mover != player:
                    break
                ahead.act_unchecked(action)
                actions.append(action)
        return Decision(tuple(actions), info)

    def analyze(self, play: Play, effort: Effort, told: Told | None = None) -> list[Info]:
        """The best lines of a play, whatever the level; told to the end where that is known."""
        return [
            self.to_the_end(play, info)
            for info in self._search_for(play).search(play, effort, told)
        ]

    def to_the_end(self, play: Play, info: Info) -> Info:
        """A line that goes on until the play is over, if its score says when; else as it is."""
        search = self._search_for(play)
        return search.to_the_end(play, info) if isinstance(search, AlphaBeta) else info

    def stop(self) -> None:
        """Let `choose` return with what it has, from any thread."""
        self._stopped = True
        if self._search:
            self._search.stop()

    def close(self) -> None:
        """Give back the table."""
        self._search = None

    def _search_for(self, play: Play) -> AlphaBeta | TreeSearch:
        """Scores of more than two players need another search.

        A new one makes an action's search at once: the first takes long, and must not count.
        """
        wanted = AlphaBeta if len(play.position.seats) == 2 else TreeSearch
        if not isinstance(self._search, wanted):
            self._search = wanted(self.game, **self._options)
            if not (play.outcome or play.position.in_setup):
                self._search.search(play, Effort(depth=1, nodes=1))
        return self._search

    def _effort(self, play: Play, limits: Limits, used: float, spent: int) -> Effort:
        """What is left of the limits when a part of the turn is chosen already."""
        now = Limits(limits.depth, limits.nodes, limits.seconds, limits.clock, used)
        time_left = allot(now, play.mover, setup=play.room.sets_up_whole(play.turn_start))
        counts = [count for count in (self.level.nodes, limits.nodes) if count is not None]
        if self._stopped:  # the rest of the turn as it looks at first sight
            counts.append(1)
        return Effort(
            depth=min(limits.depth or MOST_DEPTH, MOST_DEPTH),
            nodes=max(1, min(counts) // PARTS, min(counts) - spent) if counts else None,
            enough=time_left.enough,
            most=time_left.most,
            handicap=self.level.handicap,
            seed=self.seed + len(play.turns),  # who comes by again sees something else
        )
