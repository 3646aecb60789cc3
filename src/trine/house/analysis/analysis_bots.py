"""The workers of a house, which think about analyses when they do not play."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from trine.engine.players.review import Worth
from trine.house.analysis import analyst
from trine.house.analysis.analyst import ReviewPart, Thought
from trine.house.games.bots import Bots, Priority


class AnalysisBots(Bots):
    """The workers of a house, and what waits for them."""

    async def think(
        self, record: str, draft: Sequence[str], seconds: float, lines: int, who: str = ""
    ) -> Thought:
        """Think about the end of a record for some seconds.

        Args: ``who`` is the network address that asks.
        """
        await self.ready(_game_of(record))
        call = partial(analyst.think, record, draft, seconds, lines)
        answer: Thought = await self._submit(Priority.ANALYSIS, call, who=who)
        return answer

    async def review_part(
        self, record: str, done: int, after: Worth | None, seconds: float
    ) -> ReviewPart:
        """Review the turns of a record for some seconds, behind those that are done."""
        await self.ready(_game_of(record))
        call = partial(analyst.review_part, record, done, after, seconds)
        answer: ReviewPart = await self._submit(Priority.REVIEW, call)
        return answer


def _game_of(record: str) -> str:
    """Return the game that a record names; empty if it names none."""
    return record.partition('[Game "')[2].partition('"')[0]
