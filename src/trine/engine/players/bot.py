"""Our own player: a search with a level and time management."""

from __future__ import annotations

import time
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from trine.core.clock import Limits
from trine.core.contract.heuristics import Heuristics
from trine.core.contract.position import Action
from trine.core.play import Play
from trine.core.work.stop import Stop
from trine.engine.players.assessment import turns_of
from trine.engine.players.player import FULL, Decision, level_of
from trine.engine.players.solved import solved_lines
from trine.engine.players.timing import allot
from trine.engine.search.alphabeta import AlphaBeta
from trine.engine.search.info import Info, OnInfo
from trine.engine.search.kernel.constants import DEFAULT_CONSTANTS, SearchConstants
from trine.engine.search.kernel.pvs import nodes_left
from trine.games import open_heuristics

if TYPE_CHECKING:
    from trine.core.compiled.arrays import Floats
    from trine.engine.search.nets import SearchNet
    from trine.engine.search.tree import TreeSearch


class Bot:
    """A computer player of a level; opening it compiles the game's code or loads it from a cache.

    >>> from trine.games import new_play
    >>> decision = Bot("tzaar", 3).choose(new_play("tzaar"), Limits())
    >>> len(decision.actions)
    1
    """

    plays_whole_games = True
    """Whether `trine.engine.players.bot_games` can play whole games of this player."""

    def __init__(
        self,
        game: str,
        level: int = FULL,
        *,
        hash_mb: float = 64,
        seed: int = 0,
        name: str = "",
        weights: Floats | None = None,
        constants: SearchConstants = DEFAULT_CONSTANTS,
        net: SearchNet | None = None,
    ) -> None:
        """Open a player; the weights, constants and net are the game's by default."""
        self.game = game
        self.name = name or f"bot:{level}"
        self.seed = seed
        self.hash_mb = hash_mb
        self.weights, self.constants, self.net = weights, constants, net
        heuristics = open_heuristics(game)
        self.heuristics: Heuristics = (
            heuristics if weights is None else replace(heuristics, weights=weights)
        )
        """The game's evaluation knowledge, with the weights of this player."""
        self.level = level_of(heuristics, level)
        self._rng = Random(seed)
        self._search: AlphaBeta | TreeSearch | None = None

    def begin(self, play: Play) -> None:
        """Begin a game: reset the random generator and clear the search."""
        self._rng = Random(self.seed)
        self._search_for(play).clear()

    def choose(
        self, play: Play, limits: Limits, on_info: OnInfo | None = None, stop: Stop | None = None
    ) -> Decision:
        """Choose the rest of the turn of the player to move.

        Without a limit by level or ``limits`` the bot thinks until the stop. On a solved board full
        strength plays perfectly, at once; other levels err as elsewhere.
        """
        if solved := self.solved(play):
            if on_info:
                on_info(solved[0])
            return Decision(turns_of(play.position, solved[0].pv)[0][1], solved[0])
        if opening := self.heuristics.opening(play.position, self._rng):
            return Decision(opening)
        search, began = self._search_for(play), time.monotonic()
        ahead, actions = play.copy(), list[Action]()
        player, spent, info = play.mover, 0, None
        while not ahead.outcome and ahead.mover == player:
            used = limits.used + time.monotonic() - began
            part = search.search(
                ahead,
                self._limits_of_part(ahead, limits, used, spent),
                None if info else on_info,
                stop,
                overlook_rate=self.level.overlook_rate,
                seed=self.seed + len(play.turns),  # overlooks other actions next turn
            )[0]
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

    def analyze(
        self,
        play: Play,
        limits: Limits,
        lines: int = 1,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
    ) -> list[Info]:
        """Return the best lines of a play at full strength; proven ones go to the end of the play.

        Guarantee: each line has its whole first turn; nodes and time are for the whole search.
        """
        search, began = self._search_for(play), time.monotonic()
        found = search.search(play, limits, on_info, stop, lines=lines)
        nodes, seconds = search.searched, time.monotonic() - began
        if isinstance(search, AlphaBeta):
            found = [replace(info, pv=search.complete_turn(play, info.pv)) for info in found]
        return [
            replace(self.extend_proof(play, info), nodes=nodes, seconds=seconds) for info in found
        ]

    def extend_proof(self, play: Play, info: Info) -> Info:
        """Extend a proven line to the end of the play; return other lines unchanged."""
        search = self._search_for(play)
        return search.extend_proof(play, info) if isinstance(search, AlphaBeta) else info

    def solved(self, play: Play) -> list[Info]:
        """Return the best line on a solved board, at full strength only."""
        return solved_lines(play, 1) if self.level.nodes is None else []

    def close(self) -> None:
        self._search = None

    def _search_for(self, play: Play) -> AlphaBeta | TreeSearch:
        """Return the search for the number of players; a new one is warmed up by a single node."""
        two = len(play.position.seats) == 2
        if self._search is None or isinstance(self._search, AlphaBeta) is not two:
            self._search = self._open_search(two)
            if not (play.outcome or play.position.in_setup):
                self._search.search(play, Limits(depth=1, nodes=1))
        return self._search

    def _open_search(self, two: bool) -> AlphaBeta | TreeSearch:
        if two:
            return AlphaBeta(
                self.game,
                hash_mb=self.hash_mb,
                weights=self.weights,
                constants=self.constants,
                net=self.net,
            )
        from trine.engine.search.tree import TreeSearch  # compiled only for three or more players

        return TreeSearch(self.game, hash_mb=self.hash_mb, weights=self.weights)

    def _limits_of_part(self, play: Play, limits: Limits, used: float, spent: int) -> Limits:
        """Return the limits for the rest of a partly decided turn."""
        setup = play.room.sets_up_whole(play.turn_start)
        left = allot(replace(limits, used=used), play.mover, setup=setup)
        counts = [count for count in (self.level.nodes, limits.nodes) if count is not None]
        nodes = int(nodes_left(min(counts), spent)) if counts else None
        return replace(left, nodes=nodes, play_forced_instantly=limits.clock is not None)
