"""The part of the interface of the store that is about studies."""

from __future__ import annotations

from concurrent.futures import Future

from trine.store import studies
from trine.store.access import Access
from trine.store.studies import Study


class StudyStore(Access):
    """The studies of a store."""

    def create(self, owner: str, record: str) -> Future[Study]:
        """Create a study; the future raises a `TooManyError` if its owner keeps too many."""
        return self.write(studies.create_study, owner, record, self._now())

    def save(self, study: str, record: str) -> Future[None]:
        """Keep what has become of a study; the future raises an `UnknownError` if it is gone."""
        return self.write(studies.save_study, study, record, self._now())

    def drop(self, study: str, owner: str) -> Future[bool]:
        """Remove a study of a person; the result is whether there was one."""
        return self.write(studies.drop_study, study, owner)

    def get(self, study: str) -> Study | None:
        """Return the study of an id, or None."""
        return self.read(studies.read_study, study)

    def of(self, owner: str, limit: int = 20) -> list[Study]:
        """Return the studies of a person, those that were changed last first."""
        return self.read(studies.studies_of, owner, limit)
