"""The analysis of a position: its best lines, or a sound way to begin where no search is needed."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from trine.core.contract.position import Action
from trine.core.play import Play
from trine.core.work.limits import Limits
from trine.core.work.stop import Stop
from trine.engine.players.chances import shares
from trine.engine.players.solved import solved_lines
from trine.engine.search.info import Info, Told
from trine.games import open_heuristics

if TYPE_CHECKING:
    from trine.engine.players.bot import Bot


@dataclass(frozen=True)
class Analysis:
    """The results of an analysis."""

    play: Play
    found: list[Info]
    """The best lines by rank; empty where there was no search."""
    opening: tuple[Action, ...] = ()
    """The actions that are played without a search; empty if there was one."""

    def chances(self) -> tuple[float, ...]:
        """The chances of all players to win, by the best line; none without a search."""
        if not self.found:
            return ()
        best = self.found[0]
        if best.chances:
            return best.chances
        return shares(self.play.room, self.play.position, best.score)


def analyze(
    bot: Bot,
    play: Play,
    limits: Limits,
    lines: int = 1,
    told: Told | None = None,
    stop: Stop | None = None,
) -> Analysis:
    """Analyze a play that is not over; the board is looked up if it is so small that it is solved.

    >>> from trine.engine.players.bot import Bot
    >>> from trine.games import new_play
    >>> found = analyze(Bot("corridor", hash_mb=1), new_play("corridor"), Limits(depth=1))
    >>> len(found.found), sum(found.chances())
    (1, 1.0)
    """
    if solved := solved_lines(play, lines):
        return Analysis(play, solved)
    if opening := open_heuristics(play.room.name).opening(play.position, Random(0)):
        return Analysis(play, [], opening)
    return Analysis(play, bot.analyze(play, limits, lines, told, stop))
