"""The studies of a house: loaded in memory, and saved in the store."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from typing import Final

from trine.core.contract.record import Record, read_records
from trine.core.text.sentence import text
from trine.core.work.cpu_account import in_thread
from trine.house.analysis import tables
from trine.house.analysis.study import Study
from trine.house.analysis.tables import StudyRow as StoredStudy
from trine.house.people.quotas import QuotaKind, Quotas
from trine.house.people.tables import Person
from trine.house.refusals import NotFoundError
from trine.house.store.secrets import new_id
from trine.house.store.store import Store
from trine.play.record.variations import GameNode, tree_of

MAX_OPEN: Final = 200
"""The number of loaded studies above which studies without viewers are unloaded. Guess."""

SAVE_INTERVAL: Final = 10.0
"""Units: seconds; the interval between attempts to save unsaved studies. Guess."""
OF_GAME: Final = "game-"
"""The prefix of the ids of studies of the house's games; no other id has a hyphen."""


class NoStudyError(NotFoundError):
    """There is no analysis with this id that the visitor may see."""

    default_text = text("there is no such analysis here")


class StudyRegistry:
    """The studies of a house."""

    def __init__(self, store: Store, quotas: Quotas) -> None:
        self._store, self._quotas = store, quotas
        self._open: OrderedDict[str, Study] = OrderedDict()
        self._opening: dict[str, asyncio.Task[Study]] = {}

    async def create(self, owner: Person, record: str, study_id: str = "") -> str:
        """Create a study of a record, with a new id if none is given, and return its id."""
        if study_id and (known := await self._store.fetch(tables.read_study, study_id)):
            if known.owner != owner.id:
                raise NoStudyError
            return known.id  # the form was sent twice
        self._quotas.spend(QuotaKind.STUDY, owner)
        most = self._quotas.most(QuotaKind.STUDY, owner)
        stored = await self._store.commit(
            tables.create_study, owner.id, record, self._store.now(), most, study_id
        )
        return stored.id

    async def study(self, study: str) -> Study:
        found = self._open.get(study)
        if found and not found.lost and not self._store.shared:
            self._open.move_to_end(study)
            return found
        task = self._opening.get(study)
        if not task:
            task = self._opening[study] = asyncio.create_task(self._load(study))
            task.add_done_callback(lambda _: self._opening.pop(study, None))
        return await asyncio.shield(task)

    async def _load(self, study: str) -> Study:
        """Load a study, unless the loaded one is current: other processes may have saved it."""
        stored = await self._store.fetch(tables.read_study, study)
        known = self._open.get(study)
        newer = not stored or not known or stored.changed_at > known.changed_at
        if known and not known.lost and not (known.saved and newer):
            return known
        if not stored:
            raise NoStudyError
        opened = await self._opened(stored)
        if known:
            opened.fault = known.fault  # the reason why the last change is missing here
            known.lost = True
            known.notify()
        return opened

    async def _opened(self, stored: StoredStudy) -> Study:
        record, root = await in_thread(partial(_tree, stored.record))
        opened = self._open[stored.id] = Study(stored, record, root, self._store)
        for name, other in list(self._open.items()):
            if len(self._open) <= MAX_OPEN:
                break
            if other.saved and not other.watchers and other is not opened:
                del self._open[name]
        return opened

    async def unsaved(self, record: str) -> Study:
        """Return a study with a new id that is neither stored nor loaded."""
        stored = StoredStudy(new_id(), "", record, 0.0, 0.0)
        return Study(stored, *await in_thread(partial(_tree, record)), self._store)

    async def of_game(self, game_id: str, record: str) -> Study:
        """Return the read-only study of a game of the house, which has no owner."""
        name = f"{OF_GAME}{game_id}"
        known = self._open.get(name)
        if known and known.begun_of == record:
            self._open.move_to_end(name)
            return known
        return await self._opened(StoredStudy(name, "", record, 0.0, 0.0))

    async def of(self, owner: str) -> Sequence[StoredStudy]:
        return await self._store.fetch(tables.studies_of, owner)

    async def drop(self, study: str, owner: str) -> None:
        if opened := self._open.get(study):
            if opened.owner != owner:
                raise NoStudyError
            await opened.settle()
        if not await self._store.commit(tables.drop_study, study, owner):
            raise NoStudyError
        self._open.pop(study, None)

    async def prune(self, before: float) -> int:
        """Delete unloaded studies of guests, unchanged since a time; return how many."""
        count = 0
        while found := await self._store.fetch(tables.studies_of_guests, before):
            unused = [study for study in found if study not in self._open]
            await self._store.commit(tables.drop_studies, unused)
            count += len(unused)
            if len(unused) < len(found):
                break
        return count

    def transfer(self, person: Person, other: Person) -> None:
        for study in self._open.values():
            if study.owner == person.id:
                study.owner = other.id

    def forget(self, person_id: str) -> None:
        for name in [name for name, study in self._open.items() if study.owner == person_id]:
            del self._open[name]

    async def save(self) -> None:
        """Save all unsaved studies, also after failed attempts."""
        for study in list(self._open.values()):
            await study.settle()


def _tree(written: str) -> tuple[Record, GameNode]:
    record = next(iter(read_records(written.splitlines(keepends=True))))
    return record, tree_of(record)


def game_of(study: str) -> str:
    """Return the id of the house's game that a study reviews; empty for a person's own study.

    >>> game_of("game-4tQz"), game_of("k3Yq")
    ('4tQz', '')
    """
    return study.removeprefix(OF_GAME) if study.startswith(OF_GAME) else ""
