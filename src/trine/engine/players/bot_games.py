"""Whole games between our bots in compiled code.

The games are as the bots would play them turn by turn, but several times as fast: Python is not
called between turns, and the memory of the searches is reused for the next game.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Final, cast

from trine.core.clock import Limits
from trine.core.contract.score import Score
from trine.core.play import Play
from trine.engine.players.player import Player
from trine.engine.search.info import Info
from trine.games import open_heuristics, open_kernel

if TYPE_CHECKING:  # matches without bots need no compiled code
    from trine.engine.players.bot import Bot
    from trine.engine.selfplay.game import PlayedGame, PlayerSettings, SelfPlay

MAX_NODES: Final = 1_000_000_000
"""Units: positions; with a larger limit for a turn, games are played turn by turn. Guess."""


def compiled_bots(players: Sequence[Player], limits: Sequence[Limits]) -> list[Bot]:
    """Return the players if they are two bots whose games compiled code can play; else none."""
    bots = [cast("Bot", one) for one in players if getattr(one, "plays_whole_games", False)]
    return bots if len(bots) == len(players) == 2 and all(map(_can, bots, limits)) else []


def _can(bot: Bot, limits: Limits) -> bool:
    nodes = _nodes(bot, limits)
    timed = limits.soft is not None or limits.hard is not None or limits.clock is not None
    limited = nodes is not None or limits.depth is not None
    return limited and not timed and (nodes or 0) <= MAX_NODES


def _nodes(bot: Bot, limits: Limits) -> int | None:
    counts = [count for count in (bot.level.nodes, limits.nodes) if count is not None]
    return min(counts, default=None)


@dataclass
class BotGame:
    """A game between bots."""

    play: Play
    bots: Sequence[Bot]
    limits: Sequence[Limits]
    infos: dict[int, Info] = field(default_factory=dict)
    """The search results, by the index of the turn in the play."""

    def play_on(self, turn_limit: int | None = None) -> None:
        """Play to the end, or until the play has ``turn_limit`` turns."""
        from trine.engine.search.kernel.node import NO_LIMIT  # imports Numba

        limit = NO_LIMIT if turn_limit is None else turn_limit
        self._open(limit)
        if self.play.outcome or len(self.play.turns) >= limit:
            return
        games = _games_like(self.play, tuple(bot.hash_mb for bot in self.bots))
        first, second = map(_settings, self.bots, self.limits)
        played = games.play(self.play, (first, second), turn_limit=limit)
        self._keep_infos(played, games.follow(self.play, played))

    def _open(self, turn_limit: int) -> None:
        """Play the opening turns that need no search."""
        play, rngs = self.play, [Random(bot.seed) for bot in self.bots]
        opening = open_heuristics(play.room.name).opening
        while not play.outcome and len(play.turns) < turn_limit:
            actions = opening(play.position, rngs[play.mover])
            if not actions:
                return
            play.act_unchecked(*actions)

    def _keep_infos(self, played: PlayedGame, turns: Sequence[int]) -> None:
        searched: dict[int, list[tuple[int, ...]]] = {}
        moves = played.moves[["marks", "score", "depth", "nodes", "line_nodes"]].tolist()
        for turn, (marks, *found) in zip(turns, moves, strict=True):
            if marks:
                searched.setdefault(turn, []).append(tuple(found))
        for turn, parts in searched.items():
            score, depth, _, line_nodes = parts[0]
            nodes = line_nodes if len(parts) == 1 else sum(part[2] for part in parts)
            self.infos[turn] = Info(depth, Score(score), (), nodes, 0.0)


def _settings(bot: Bot, limits: Limits) -> PlayerSettings:
    from trine.engine.selfplay.game import PlayerSettings

    return PlayerSettings(
        nodes=_nodes(bot, limits),
        depth=limits.depth,
        by_turns=True,
        overlook_rate=bot.level.overlook_rate,
        seed=bot.seed,
        weights=bot.weights,
        constants=bot.constants,
        net=bot.net,
    )


class _Reused(threading.local):
    """A thread's memory of its last game, reused by the next one of the same kind."""

    kind: object = None
    games: SelfPlay | None = None


_REUSED: Final = _Reused()


def _games_like(play: Play, hash_mb: tuple[float, ...]) -> SelfPlay:
    from trine.engine.selfplay.game import SelfPlay

    kernel, start = open_kernel(play.room.name), play.start
    kind = (play.room.name, start.rules.name, kernel.actions(start), hash_mb)
    if _REUSED.games is None or _REUSED.kind != kind:
        _REUSED.games = None  # frees the memory before more is allocated
        _REUSED.games, _REUSED.kind = SelfPlay(play, hash_mb=hash_mb), kind
    return _REUSED.games
