"""The conditional turns at one table: kept for their players, followed, and played."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection

from trine.core.errors import IllegalError
from trine.core.text import text
from trine.house.conditions import Branch, Conditions, Line, whole_turn
from trine.house.ratings import Write
from trine.session import commands
from trine.session.prepare import Prepared
from trine.store.conditions import ConditionRow, set_conditions

if TYPE_CHECKING:
    from trine.house.table import Table

COST: Final = 0.1
"""Units: seconds; so much a turn takes at least that was prepared."""
MOST_AHEAD: Final = 1
"""Answers in a line where players sit and wait for each other."""


class Conditional:
    """The conditional turns of the players at a table, by their seats."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.of: Mapping[int, Conditions] = {}
        """Only the owner of a seat may see them."""
        self._asked_at = -1
        """The event after which a turn was last queued."""

    async def load(self) -> None:
        """Read what is kept of them."""
        table = self._table
        rows = await asyncio.to_thread(table.house.store.conditions_of, table.id)
        turns = len(table.game.play.turns) if table.game else -1
        self.of = {
            row.seat: Conditions(row.turns, tuple(Branch.from_data(one) for one in row.tree))
            for row in rows
            if row.turns == turns
        }
        if self.of:
            table.post(table.show)

    # --- changing ---------------------------------------------------------------------------------

    async def add(self, seat: int, line: Line) -> None:
        """Keep one more line of a player."""
        table = self._table
        game = table.running()
        before = self.of.get(seat) or Conditions(len(game.play.turns))
        after = before.with_line(game.play, seat, line)
        if not table.agreement.by_days:
            _check_short(after)
        await self._keep(seat, after)

    async def drop(self, seat: int, line: Line) -> None:
        """Forget the end of a line of a player; an empty line forgets them all."""
        before = self.of.get(seat)
        if before:
            await self._keep(seat, before.without(line) if line else Conditions(before.turns))

    async def _keep(self, seat: int, after: Conditions) -> None:
        table = self._table
        row = _row(seat, after)
        await asyncio.wrap_future(table.house.store.set_conditions(table.id, seat, row))
        others = {other: one for other, one in self.of.items() if other != seat}
        self.of = {**others, seat: after} if after else others

    # --- following --------------------------------------------------------------------------------

    def after(self, prepared: Prepared) -> Mapping[int, Conditions]:
        """Return those that are left after what was prepared."""
        before, state = prepared.before.play, prepared.state
        followed = {seat: one for seat, one in self.of.items() if seat in state.staying}
        if state.play is not before:
            followed = {seat: one.followed(before, state.play) for seat, one in followed.items()}
        return {seat: one for seat, one in followed.items() if one}

    def writes(self, after: Mapping[int, Conditions]) -> Write | None:
        """What writes down how they have changed; None if they have not."""
        if after == self.of:
            return None
        game = self._table.id
        rows = {
            seat: _row(seat, one) if (one := after.get(seat)) else None
            for seat in {*self.of, *after}
        }

        def write(connection: Connection) -> None:
            for seat, row in rows.items():
                set_conditions(connection, game, seat, row)

        return write

    # --- playing ----------------------------------------------------------------------------------

    def ask(self) -> None:
        """Have the answer played of the player to move, if there is one."""
        table = self._table
        game = table.game
        if not self.of or not game or not table.runs() or table.closing:
            return
        waits = game.state.paused is not None or self._asked_at == table.turn_seq
        if waits or not self._answer(game.play.mover):
            return
        self._asked_at = table.turn_seq
        table.post(lambda: table.queue_own(partial(self._play, table.turn_seq)))

    def _answer(self, seat: int) -> tuple[str, ...] | None:
        game, known = self._table.game, self.of.get(seat)
        if not game or not known or known.turns != len(game.play.turns):
            return None
        return next((one.ids for one in known.branches if one.mine), None)

    async def _play(self, turn_seq: int) -> None:
        table = self._table
        if turn_seq != table.turn_seq or not table.runs():
            return
        game = table.running()
        seat = game.play.mover
        ids = self._answer(seat)
        if game.state.paused is not None or not ids:
            self._asked_at = -1  # it is asked again when the pause is over
            return
        at = max(game.moment(), round(game.state.began + COST, 3))
        command = commands.Act(whole_turn(game.play, ids), seat)
        await table.commit(game.prepare(command, at))


def _row(seat: int, after: Conditions) -> ConditionRow | None:
    tree = [one.as_data() for one in after.branches]
    return ConditionRow(seat, after.turns, tree) if tree else None


def _check_short(after: Conditions) -> None:
    """Check that a tree looks no further ahead than one answer.

    Raises:
        IllegalError: it does.
    """
    if any(sum(one.mine for one in line) > MOST_AHEAD for line in after.lines()):
        raise IllegalError(text("on a clock one answer can be prepared, and no more"))
