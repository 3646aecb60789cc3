"""The analysis of a position: its best lines, or opening actions that need no search.

Used by `trine analyze`, `trine.analyze` and the analysis page. Forced turns are searched too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, overload

from trine.core.clock import Limits
from trine.core.contract.position import Action
from trine.core.errors import IllegalError
from trine.core.play import Play
from trine.core.work.stop import Stop
from trine.engine.players.chances import shares
from trine.engine.players.solved import solved_lines
from trine.engine.search.info import Info, OnInfo
from trine.games import open_heuristics

if TYPE_CHECKING:
    from trine.engine.players.bot import Bot


@dataclass(frozen=True)
class Analysis(Sequence[Info]):
    """The results of an analysis: the best lines by rank; empty without a search."""

    play: Play
    found: Sequence[Info]
    opening: tuple[Action, ...] = ()  # actions that need no search; empty after a search

    @overload
    def __getitem__(self, index: int) -> Info: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Info]: ...
    def __getitem__(self, index: int | slice) -> Info | Sequence[Info]:
        return self.found[index]

    def __len__(self) -> int:
        return len(self.found)

    def chances(self) -> tuple[float, ...]:
        """Return the win chances of all players by the best line; empty without a search."""
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
    on_info: OnInfo | None = None,
    stop: Stop | None = None,
) -> Analysis:
    """Analyze a play; solved boards are looked up.

    Raises:
        IllegalError: the play is over, its board is not supported, or the search would be endless.

    >>> from trine.engine.players.bot import Bot
    >>> from trine.games import new_play
    >>> found = analyze(Bot("corridor", hash_mb=1), new_play("corridor"), Limits(depth=1))
    >>> len(found), sum(found.chances())
    (1, 1.0)
    """
    play.check_goes_on()
    play.room.check_search(play.position)
    if limits.endless and stop is None:
        raise IllegalError("an analysis needs an end: seconds, depth or nodes")
    if solved := solved_lines(play, lines):
        return Analysis(play, solved)
    if opening := open_heuristics(play.room.name).opening(play.position, Random(0)):
        return Analysis(play, [], opening)
    return Analysis(play, bot.analyze(play, limits, lines, on_info, stop))
