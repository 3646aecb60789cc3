"""The computer's thoughts for a page of an analysis: one position at a time, in parts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from trine.core.contract.checked import CheckedLine
from trine.house.analysis.analysis_views import findings
from trine.house.analysis.analyst import AnalysisBots
from trine.house.analysis.messages import Findings, State, Think, Thinking
from trine.house.analysis.study import Study
from trine.house.refusals import TooMuchError
from trine.play.record.variations import GameNode

FIRST_PART: Final = 0.3
"""Units: seconds; the length of the first part, short so that something is seen at once."""
LONGEST: Final = 20.0
"""Units: seconds; how long the computer thinks about a position."""
RESTS: Final = 0.15
"""Units: seconds; the computer begins to think where a walk through the tree rests this long."""
WAKES: Final = 2.5
"""Units: seconds; after a longer wait for the first part the page says that the computer makes
ready."""


@dataclass
class Thinkers:
    """The computer that thinks for open pages: for one of each person."""

    bots: AnalysisBots
    report: Callable[..., None]
    pages: dict[str, Thoughts] = field(default_factory=dict)
    """By person, the thoughts for the page of theirs that has them."""


class Thoughts:
    """The thoughts for one page; only one page of a person has them at a time."""

    def __init__(
        self,
        thinkers: Thinkers,
        study: Study,
        person: str,
        address: str,
        changed: Callable[[], None],
    ) -> None:
        self.wishes = Think(on=False)
        self.told: Thinking | None = None
        """The newest thought, as a message; `changed` is called when there is a newer one."""
        self._thinkers, self._study = thinkers, study
        self._person, self._address = person, address
        self._changed = changed
        self._task: asyncio.Task[None] | None = None
        self._number = 0
        """Of the node that is thought about."""

    def begin(self, node: GameNode, draft: CheckedLine | None, *, waits: bool) -> None:
        """Think about the position after a node and a draft, if switched on.

        Args: ``waits`` is whether another position is being set up meanwhile.
        """
        self.rest()
        self.told = None
        self._number = self._study.number(node)
        if not self.wishes.on:
            self._leave()
            return
        other = self._thinkers.pages.get(self._person)
        if other and other is not self:
            other.give_way()
        self._thinkers.pages[self._person] = self
        self._task = asyncio.create_task(self._think(node, draft, waits=waits))

    def rest(self) -> None:
        if self._task:
            self._task.cancel()
            self._task = None

    def close(self) -> None:
        self.rest()
        self._leave()

    def give_way(self) -> None:
        """Stop thinking, for another page of the same person."""
        self.wishes = Think(on=False)
        self.rest()
        self._tell("away")

    def _leave(self) -> None:
        if self._thinkers.pages.get(self._person) is self:
            del self._thinkers.pages[self._person]

    async def _think(self, node: GameNode, draft: CheckedLine | None, *, waits: bool) -> None:
        await asyncio.sleep(RESTS)
        study = self._study
        play, ids = study.play(node), [str(one) for one in draft or ()]
        if play.outcome or waits or play.room.rules.unsearched(play.position):
            self._tell("over")
            return
        self._tell("thinking")
        bots, record = self._thinkers.bots, study.path_record(node)
        seconds, spent = FIRST_PART, 0.0
        while spent < LONGEST:
            think = bots.think(record, ids, seconds, self.wishes.lines, self._address)
            part = asyncio.create_task(think)
            try:
                done, _ = await asyncio.wait({part}, timeout=WAKES if not spent else None)
                if not done:
                    self._tell("waking")
                thought = await part
                position = draft.end if draft else play.position
                found = findings(thought, play.room, position)
            except Exception as error:
                if not isinstance(error, TooMuchError):
                    self._thinkers.report("the computer failed to think", error)
                self._tell("failed")
                return
            finally:
                part.cancel()
            spent += seconds
            end = thought.seconds < seconds / 2 or not thought.chances or spent >= LONGEST
            self._tell("done" if end else "thinking", found)
            if end:
                return
            seconds = min(2 * seconds, bots.patience)

    def _tell(self, state: State, found: Findings | None = None) -> None:
        self.told = Thinking(state, self._number, found)
        self._changed()
