"""The results of the house's games, noted with their ends and counted from time to time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Final, TypeAlias

from trine.core.text.language import Language
from trine.core.work.payer import in_thread
from trine.house.background import Report
from trine.house.games.agreement import Agreement
from trine.house.games.events import read_events
from trine.house.games.follows import Context, Write
from trine.house.games.live_game import LiveGame
from trine.house.games.records import entries_of
from trine.house.games.tables import read_game
from trine.house.statistics.figures import Figures, figures_of
from trine.house.statistics.tables import count_results, games_without_result, note_result
from trine.house.store.store import Store
from trine.play.record.statistics import By, Games
from trine.play.session.changes import rebuilt
from trine.play.session.state import State

FRESH: Final = 3600.0
"""Units: seconds; how long figures are shown before the games are counted again."""
DUTY: Final = "results"
"""The duty of noting older results, which one of several processes has."""
LOOKS: Final = 86_400.0
"""Units: seconds; the interval of looking for games whose results were not noted."""
AT_ONCE: Final = 100
MONTHS: Final = 12
"""The months whose games are shown."""


def note_results(before: LiveGame, after: LiveGame, context: Context) -> Write | None:
    """Write how a game ended; one that was broken off, or is the first page's, has no result."""
    if before.over or not after.over:
        return None
    return _noting(after.game, after.agreement, after.state)


def _noting(game: str, agreement: Agreement, state: State | None) -> Write:
    return partial(
        note_result,
        game=game,
        room=agreement.game,
        rules=agreement.rules,
        outcome=state.outcome if state and not agreement.show else None,
        turns=len(state.play.turns) if state else 0,
    )


Counted: TypeAlias = Mapping[tuple[str, str], Games]


class Statistics:
    """The figures of a house; they are counted once an hour."""

    def __init__(self, store: Store, now: Callable[[], float], report: Report) -> None:
        self._store, self._now, self._report = store, now, report
        self._counting, self._making = asyncio.Lock(), asyncio.Lock()
        self._counted: dict[By, tuple[float, Counted]] = {}
        self._made: dict[tuple[By, str], tuple[Counted, Sequence[Figures]]] = {}
        """The figures as a language shows them, and the games that they were made from."""

    async def games(self, by: By = By.RULES) -> Counted:
        """Return the figures by game and group."""
        async with self._counting:  # of all who ask at once, one waits for the database
            now = self._now()
            if by not in self._counted or now - self._counted[by][0] >= FRESH:
                found = await self._store.fetch(count_results, by, last_months(now))
                self._counted[by] = now, found
            return self._counted[by][1]

    async def figures(self, language: Language, by: By = By.RULES) -> Sequence[Figures]:
        """Return the figures as a page in a language shows them.

        Each game costs time here: they are made beside the event loop, once for all who ask.
        """
        found, key = await self.games(by), (by, language.code)
        async with self._making:
            if key not in self._made or self._made[key][0] is not found:
                self._made[key] = found, await in_thread(partial(figures_of, found, language, by))
            return self._made[key][1]

    async def catch_up(self) -> None:
        """Note the results of games that ended before results were noted."""
        while games := await self._store.fetch(games_without_result, AT_ONCE):
            for game in games:
                await self._store.commit(await in_thread(partial(self._result_of, game)))

    def _result_of(self, game: str) -> Write:
        """Return what there is to note of a game that is over."""
        row = self._store.read(read_game, game)
        assert row
        state: State | None = None
        try:
            entries = entries_of(self._store.read(read_events, game))
            state = rebuilt(entries) if entries else None
        except Exception as error:  # a fault of this game holds up no other
            self._report("the result of a game could not be found", error, game=game)
        return _noting(game, Agreement.from_data(row.terms), state)


def last_months(now: float) -> list[tuple[float, str]]:
    """Return the last `MONTHS` months, each with its beginning in universal time.

    >>> last_months(1_800_000_000)[-2:]
    [(1796083200.0, '2026-12'), (1798761600.0, '2027-01')]
    """
    today = datetime.fromtimestamp(now, UTC)
    found = []
    for back in reversed(range(MONTHS)):
        years, month = divmod(12 * today.year + today.month - 1 - back, 12)
        first = datetime(years, month + 1, 1, tzinfo=UTC)
        found.append((first.timestamp(), f"{first:%Y-%m}"))
    return found
