"""The studies of a house: open in memory, and kept in the store."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final

from trine.core.record import Record, read_records
from trine.house.refusals import NoStudyError
from trine.house.study import Study
from trine.record.variations import GameNode, tree_of
from trine.store.store import Store
from trine.store.studies import Study as StoredStudy

OPEN: Final = 200
"""The studies in memory at which nobody looks. Guess."""


class Studies:
    """The studies of a house."""

    def __init__(self, store: Store, report: Callable[..., None]) -> None:
        self._store, self._report = store, report
        self._open: OrderedDict[str, Study] = OrderedDict()
        self._opening: dict[str, asyncio.Task[Study]] = {}

    async def create(self, owner: str, record: str) -> str:
        """Begin a study of a record that was read: its id."""
        stored = await asyncio.wrap_future(self._store.studies.create(owner, record))
        return stored.id

    async def study(self, study: str) -> Study:
        """The study of an id, which is opened if it is not.

        Raises:
            NoStudyError: there is none.
        """
        if found := self._open.get(study):
            self._open.move_to_end(study)
            return found
        task = self._opening.get(study)
        if not task:
            task = self._opening[study] = asyncio.create_task(self._load(study))
            task.add_done_callback(lambda _: self._opening.pop(study, None))
        return await asyncio.shield(task)

    async def _load(self, study: str) -> Study:
        stored = await asyncio.to_thread(self._store.studies.get, study)
        if not stored:
            raise NoStudyError
        record, root = await asyncio.to_thread(_tree, stored.record)
        opened = self._open[study] = Study(stored, record, root, self._store)
        for name, other in list(self._open.items()):
            if len(self._open) <= OPEN:
                break
            if other.saved and not other.watchers and other is not opened:
                del self._open[name]
        return opened

    async def of(self, owner: str) -> Sequence[StoredStudy]:
        """The studies of a person, those that were changed last first."""
        return await asyncio.to_thread(self._store.studies.of, owner)

    async def drop(self, study: str, owner: str) -> None:
        """Remove a study of a person.

        Raises:
            NoStudyError: the person has none of that id.
        """
        if opened := self._open.get(study):
            if opened.owner != owner:
                raise NoStudyError
            await opened.settle()
        if not await asyncio.wrap_future(self._store.studies.drop(study, owner)):
            raise NoStudyError
        self._open.pop(study, None)

    def hand_over(self, person: str, other: str) -> None:
        """Have the open studies of a person be those of another."""
        for study in self._open.values():
            if study.owner == person:
                study.owner = other

    async def close(self) -> None:
        """Write what has changed."""
        for study in list(self._open.values()):
            await study.settle()
            if study.fault:
                self._report("an analysis could not be kept", study.fault, study=study.id)


def _tree(told: str) -> tuple[Record, GameNode]:
    record = next(iter(read_records(told.splitlines(keepends=True))))
    return record, tree_of(record)
