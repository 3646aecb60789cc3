"""The findings for a page of an analysis: the computer's thoughts, and the archive's games."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from trine.core.contract.checked import CheckedLine
from trine.core.play import Play
from trine.core.text.sentence import text
from trine.house.analysis.analysis_worker import AnalysisBots
from trine.house.analysis.messages import Explored, Findings, State, Think, Thinking
from trine.house.analysis.study import Study
from trine.house.analysis.study_views import explored_message
from trine.house.background import Report
from trine.house.explorer.explorer import Explorer
from trine.house.refusals import HouseError, OverloadedError
from trine.play.record.variations import GameNode

FIRST_PART: Final = 0.3
"""Units: seconds; the first part of thinking, short so that results are seen at once."""
MAX_THINKING: Final = 20.0  # seconds; the time that the computer thinks about a position
THINKING_DELAY: Final = 0.15
"""Units: seconds; the delay of thinking and archive lookups: steps through the tree start none."""
WAKE_TIME: Final = 2.5
"""Units: seconds; if `FIRST_PART` takes longer, the page says that the computer is starting."""
POLL_INTERVAL: Final = 1.0  # seconds between checks whether a busy house has time to think again


@dataclass
class AnalysisResources:
    """The computer's thinking for open pages, at most one page of each person."""

    bots: AnalysisBots
    report: Report
    is_busy: Callable[[], bool]
    """Returns whether the house has no time to think for analyses, because turns wait."""
    pages: dict[str, LiveAnalysis] = field(default_factory=dict)


class LiveAnalysis:
    """The thoughts for one page; only one page of a person has them at a time."""

    def __init__(
        self,
        thinkers: AnalysisResources,
        study: Study,
        person_id: str,
        address: str,
        changed: Callable[[], None],
        check_fair: Callable[[Play], Awaitable[None]],
    ) -> None:
        self.wishes = Think(on=False)
        self.message: Thinking | None = None
        """The newest thought, as a message; `changed` is called for each newer one."""
        self._thinkers, self._study = thinkers, study
        self._person, self._address = person_id, address
        self._changed, self._check_fair = changed, check_fair
        self._task: asyncio.Task[None] | None = None
        self._number = 0

    def begin(self, node: GameNode, draft: CheckedLine | None, *, waits: bool) -> None:
        """Think about the position after a node and a draft, if switched on.

        ``waits`` is whether another position is being set up meanwhile.
        """
        self.stop()
        self.message = None
        self._number = self._study.number(node)
        if not self.wishes.on:
            self._leave()
            return
        other = self._thinkers.pages.get(self._person)
        if other and other is not self:
            other.give_way()
        self._thinkers.pages[self._person] = self
        self._task = asyncio.create_task(self._think(node, draft, waits=waits))

    def stop(self) -> None:
        if self._task:
            self._task.cancel()
            self._task = None

    def close(self) -> None:
        self.stop()
        self._leave()

    def give_way(self) -> None:
        """Stop thinking, because another page of the same person begins to think."""
        self.wishes = Think(on=False)
        self.stop()
        self._send("away")

    def _leave(self) -> None:
        if self._thinkers.pages.get(self._person) is self:
            del self._thinkers.pages[self._person]

    async def _think(self, node: GameNode, draft: CheckedLine | None, *, waits: bool) -> None:
        await asyncio.sleep(THINKING_DELAY)
        study = self._study
        play, ids = study.play(node), [str(one) for one in draft or ()]
        if play.outcome or waits or play.room.rules.unsearched(play.position):
            self._send("over")
            return
        try:
            await self._check_fair(play)
        except HouseError:
            self._send("unfair")
            return
        self._send("thinking")
        bots, record = self._thinkers.bots, study.path_record(node)
        seconds, spent = FIRST_PART, 0.0
        while spent < MAX_THINKING:
            while self._thinkers.is_busy():
                await asyncio.sleep(POLL_INTERVAL)
            think = bots.think(record, ids, seconds, self.wishes.lines, self._address)
            part = asyncio.create_task(think)
            try:
                done, _ = await asyncio.wait({part}, timeout=WAKE_TIME if not spent else None)
                if not done:
                    self._send("waking")
                thought = await part
            except Exception as error:
                if not isinstance(error, OverloadedError):
                    self._thinkers.report("the computer failed to think", error)
                self._send("failed")
                return
            finally:
                part.cancel()
            spent += seconds
            end = thought.seconds < seconds / 2 or not thought.chances or spent >= MAX_THINKING
            self._send("done" if end else "thinking", thought.found)
            if end:
                return
            seconds = min(2 * seconds, bots.patience)

    def _send(self, state: State, found: Findings | None = None) -> None:
        self.message = Thinking(state, self._number, found)
        self._changed()


class ArchiveLookup:
    """The archive lookups for one page, while they are switched on."""

    def __init__(
        self, explorer: Explorer, study: Study, report: Report, changed: Callable[[], None]
    ) -> None:
        self.on = False
        self.message: Explored | None = None
        """The newest result, as a message; `changed` is called for each newer one."""
        self._explorer, self._study = explorer, study
        self._report, self._changed = report, changed
        self._asked: GameNode | None = None
        self._task: asyncio.Task[None] | None = None

    def begin(self, node: GameNode) -> None:
        """Look up the position after a node, if switched on and not done already."""
        if node is self._asked and self.on:
            return
        self.close()
        if self.on and self._explorer.is_there:
            self._asked = node
            if self.message is None:  # a former result stays until the next one arrives
                number = self._study.number(node)
                self.message = Explored(number, text("Asking the archive …"))
                self._changed()
            self._task = asyncio.create_task(self._fetch(node))

    def close(self) -> None:
        self._asked = None
        if self._task:
            self._task.cancel()
            self._task = None

    async def _fetch(self, node: GameNode) -> None:
        await asyncio.sleep(THINKING_DELAY)
        number = self._study.number(node)
        try:
            found = await self._explorer.explore(self._study.path_record(node))
            players = await self._explorer.players_of(found)
        except Exception as error:
            self._report("the archive could not be asked", error)
            self.message = Explored(number, text("The archive cannot be asked just now."))
        else:
            self.message = explored_message(number, node, found, players)
        self._changed()
