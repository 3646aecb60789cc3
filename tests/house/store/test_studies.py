"""Studies: kept for their owner, and for nobody to be guessed."""

from __future__ import annotations

import pytest

from house.store.stores import PATIENCE
from trine.house.analysis import tables as studies
from trine.house.people.tables import create_guest
from trine.house.store.refusals import TooManyError, UnknownError
from trine.house.store.store import Store


def test_a_study_is_kept_changed_and_dropped_by_its_owner_alone(store: Store) -> None:
    ada, eve = (
        store.write(create_guest, name, store.now()).result(PATIENCE).id for name in ("Ada", "Eve")
    )
    study = store.write(studies.create_study, ada, "one", store.now()).result(PATIENCE)
    other = store.write(studies.create_study, ada, "other", store.now()).result(PATIENCE)
    store.write(studies.save_study, study.id, "two\nlines", store.now()).result(PATIENCE)
    kept = store.read(studies.read_study, study.id)
    assert kept and (kept.owner, kept.record) == (ada, "two\nlines")
    assert {one.id for one in store.read(studies.studies_of, ada)} == {study.id, other.id}
    assert store.read(studies.studies_of, eve) == []
    assert not store.write(studies.drop_study, study.id, eve).result(PATIENCE)
    assert store.write(studies.drop_study, study.id, ada).result(PATIENCE)
    assert store.read(studies.read_study, study.id) is None
    with pytest.raises(UnknownError):
        store.write(studies.save_study, study.id, "three", store.now()).result(PATIENCE)


def test_nobody_keeps_more_than_fit(store: Store) -> None:
    ada = store.write(create_guest, "Ada", store.now()).result(PATIENCE).id
    store.write(studies.create_study, ada, "one", store.now(), 1).result(PATIENCE)
    with pytest.raises(TooManyError):
        store.write(studies.create_study, ada, "two", store.now(), 1).result(PATIENCE)
