"""The thoughts of the computer for a page of an analysis: one position at a time, in parts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from trine.core.checked import CheckedLine
from trine.core.language import Language
from trine.house.study import Study
from trine.record.variations import GameNode
from trine.web.analysis_messages import Think
from trine.web.analysis_views import thought_data

if TYPE_CHECKING:
    from trine.web.site import Site

FIRST_PART: Final = 0.3
"""Units: seconds; the first part of a thought, so that something is seen at once."""
LONGEST: Final = 20.0
"""Units: seconds; so long the computer thinks about a position."""
RESTS: Final = 0.15
"""Units: seconds; who walks through a game makes the computer think where the walk rests."""
WAKES: Final = 2.5
"""Units: seconds; who waits longer for the first part is told that the computer makes ready."""


class Thoughts:
    """The thoughts for one page; of the pages of a person one has them at a time."""

    def __init__(
        self,
        site: Site,
        study: Study,
        person: str,
        language: Language,
        changed: Callable[[], None],
    ) -> None:
        self.wishes = Think(on=False)
        self.told: dict[str, Any] | None = None
        """The newest thought, as a message; `changed` is called when there is a newer one."""
        self._site, self._study = site, study
        self._person, self._language = person, language
        self._changed = changed
        self._task: asyncio.Task[None] | None = None
        self._number = 0
        """Of the node that is thought about."""

    def begin(self, node: GameNode, draft: CheckedLine | None, *, waits: bool) -> None:
        """Think about the position behind a node and a draft, if it is wished.

        Args: ``waits``, whether another position is being set up meanwhile.
        """
        self.rest()
        self.told = None
        self._number = self._study.number(node)
        if not self.wishes.on:
            self._leave()
            return
        other = self._site.thinkers.get(self._person)
        if other and other is not self:
            other.give_way()
        self._site.thinkers[self._person] = self
        self._task = asyncio.create_task(self._think(node, draft, waits=waits))

    def rest(self) -> None:
        """Break off what is being thought."""
        if self._task:
            self._task.cancel()
            self._task = None

    def close(self) -> None:
        """Stop for good."""
        self.rest()
        self._leave()

    def give_way(self) -> None:
        """Stop thinking, since another page of the same person wants to."""
        self.wishes = Think(on=False)
        self.rest()
        self._tell("away")

    def _leave(self) -> None:
        if self._site.thinkers.get(self._person) is self:
            del self._site.thinkers[self._person]

    async def _think(self, node: GameNode, draft: CheckedLine | None, *, waits: bool) -> None:
        await asyncio.sleep(RESTS)
        study = self._study
        play, ids = study.play(node), [str(one) for one in draft or ()]
        if play.outcome or waits:
            self._tell("over")
            return
        self._tell("thinking")
        bots, record = self._site.house.bots, study.path_record(node)
        seconds, spent = FIRST_PART, 0.0
        while spent < LONGEST:
            part = asyncio.create_task(bots.think(record, ids, seconds, self.wishes.lines))
            try:
                done, _ = await asyncio.wait({part}, timeout=WAKES if not spent else None)
                if not done:
                    self._tell("waking")
                thought = await part
            except Exception as error:
                self._site.house.report("the computer failed to think", error)
                self._tell("failed")
                return
            finally:
                part.cancel()
            spent += seconds
            end = thought.seconds < seconds / 2 or not thought.chances or spent >= LONGEST
            position = draft.end if draft else play.position
            data = thought_data(thought, play.room, position, self._language)
            self._tell("done" if end else "thinking", **data)
            if end:
                return
            seconds = min(2 * seconds, bots.patience)

    def _tell(self, state: str, **more: Any) -> None:
        self.told = {"t": "thought", "state": state, "node": self._number, **more}
        self._changed()
