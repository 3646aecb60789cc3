"""The figures of a house's finished games, by rule set, cached for a minute."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Connection, func, select

from trine.core.contract.position import Outcome, Reason
from trine.core.text.sentence import Text, join, typed
from trine.core.work.cpu_account import in_thread
from trine.games import open_room
from trine.house.games.storage.tables import GAME
from trine.house.store.store import Store
from trine.play.record.statistics import PUBLISHED_ENDINGS, GroupFigures, Summary

FRESH: Final = 60.0
"""Units: seconds; how long statistics are cached."""


@dataclass(frozen=True)
class Ended:
    """The number of games that ended for one reason."""

    reason: Text
    games: int
    share: float
    """Units: per cent of the finished games."""
    published: int | None
    """The number in the French document; None if the document does not cover this rule set."""


@dataclass(frozen=True)
class Figures:
    """The figures of the finished games of a rule set."""

    title: Text
    summary: Summary | None
    """The summary; None if only the French document counts games."""
    ends: Sequence[Ended]
    published: int
    """The number of games in the French document; 0 if it does not cover this rule set."""


class Statistics:
    """The statistics of a house, cached for a minute."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        self._store, self._now = store, now
        self._counting = asyncio.Lock()
        self._counted: tuple[float, Sequence[Figures]] | None = None

    async def figures(self) -> Sequence[Figures]:
        async with self._counting:  # concurrent requests share one query
            now = self._now()
            if not self._counted or now - self._counted[0] >= FRESH:
                found = await self._store.fetch(count_results)
                # In a thread, because opening each game takes time.
                self._counted = now, await in_thread(partial(figures_of, found))
            return self._counted[1]


def count_results(connection: Connection) -> Mapping[tuple[str, str], GroupFigures]:
    """Return the statistics of all games with a result, by game and rule set."""
    c = GAME.c
    ends = (c.room, c.rules, c.reason, c.winner, c.turns)
    counted = select(*ends, func.count().label("games")).where(c.reason.is_not(None))
    found: defaultdict[tuple[str, str], GroupFigures] = defaultdict(GroupFigures)
    for row in connection.execute(counted.group_by(*ends)):
        outcome = Outcome(row.winner, Reason(row.reason))
        found[row.room, row.rules].add(outcome, row.turns, row.games)
    return dict(sorted(found.items()))


def figures_of(found: Mapping[tuple[str, str], GroupFigures]) -> list[Figures]:
    """Return the statistics of all rule sets with a finished game, and of the French document.

    ``found`` are the statistics of the house by game and rule set.
    """
    known = {**dict.fromkeys(PUBLISHED_ENDINGS, GroupFigures()), **found}
    return [_figures(key, games, PUBLISHED_ENDINGS.get(key, {})) for key, games in known.items()]


def _figures(key: tuple[str, str], games: GroupFigures, published: Mapping[Reason, int]) -> Figures:
    game, rules = key
    reasons = dict(games.reasons.most_common()) | {one: games.reasons[one] for one in published}
    return Figures(
        join([typed(open_room(game).title), typed(rules)], " · "),
        games.summary() if games.over else None,
        [
            Ended(
                one.text,
                number,
                100 * number / games.over if games.over else 0,
                published.get(one, 0) if published else None,
            )
            for one, number in reasons.items()
        ],
        sum(published.values()),
    )
