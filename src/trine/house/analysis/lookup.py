"""The turns played from the position that a page looks at, as the archive tells them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from trine.core.contract.seat import Seat
from trine.core.text.sentence import NOTHING, ntext, text, verbatim
from trine.engine.archive.explored import Explored, ExploredTurn, Meeting
from trine.house.analysis import messages
from trine.house.analysis.study import Study
from trine.house.background import Report
from trine.house.explorer.explorer import Explorer
from trine.house.games.player_names import called
from trine.house.games.seat_rows import SeatRow
from trine.play.record.variations import GameNode

RESTS: Final = 0.15
"""Units: seconds; the archive is asked where a walk through the tree rests this long."""

Players = Mapping[str, Sequence[SeatRow]]
"""The players of the games of this house, by their sources."""


class Lookup:
    """The looking up for one page, while it is switched on."""

    def __init__(
        self, explorer: Explorer, study: Study, report: Report, changed: Callable[[], None]
    ) -> None:
        self.on = False
        self.told: messages.Explored | None = None
        """The newest answer; `changed` is called when there is a newer one."""
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
            if self.told is None:  # later ones stay until there is another
                number = self._study.number(node)
                self.told = messages.Explored(number, text("Asking the archive …"))
                self._changed()
            self._task = asyncio.create_task(self._look_up(node))

    def close(self) -> None:
        """Break off what is asked."""
        self._asked = None
        if self._task:
            self._task.cancel()
            self._task = None

    async def _look_up(self, node: GameNode) -> None:
        await asyncio.sleep(RESTS)
        number = self._study.number(node)
        try:
            found = await self._explorer.explore(self._study.path_record(node))
            players = await self._explorer.players_of(found)
        except Exception as error:
            self._report("the archive could not be asked", error)
            self.told = messages.Explored(number, text("The archive cannot be asked just now."))
        else:
            self.told = explored_message(number, node, found, players)
        self._changed()


def explored_message(
    number: int, node: GameNode, found: Explored, players: Players
) -> messages.Explored:
    """The answer of the archive for a node of the tree."""
    if not found.games:
        return messages.Explored(number, text("No game of the archive came here."))
    told = ntext("Played from here {count} time", "Played from here {count} times", found.games)
    left = found.different - len(found.turns)
    return messages.Explored(
        number,
        told,
        [_turn(turn, players, node.position.seats) for turn in found.turns],
        ntext("and {count} other turn", "and {count} other turns", left) if left else NOTHING,
        pictured=node.start.room.sets_up_whole(node.position),
    )


def _turn(turn: ExploredTurn, players: Players, seats: Sequence[Seat]) -> messages.ExploredTurn:
    return messages.ExploredTurn(
        turn.words,
        [str(action) for action in turn.actions],
        turn.games,
        None if turn.score is None else round(100 * turn.score),
        None if turn.rating is None else round(turn.rating),
        [_game(one, players, seats) for one in turn.meetings if any(one.players)],
    )


def _game(meeting: Meeting, players: Players, seats: Sequence[Seat]) -> messages.ExploredGame:
    rows = players.get(meeting.source)
    if rows:
        names = [called(row, seat) for row, seat in zip(rows, seats, strict=True)]
    else:
        names = [verbatim(name or "?") for name in meeting.players]
    return messages.ExploredGame(
        [
            messages.ExploredPlayer(name, rating or 0)
            for name, rating in zip(names, meeting.ratings, strict=True)
        ],
        meeting.date[:4],
        meeting.source if rows else "",
    )
