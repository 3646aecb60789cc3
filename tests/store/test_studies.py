"""Studies: kept for their owner, and for nobody to be guessed."""

from __future__ import annotations

import pytest

from store.stores import PATIENCE
from trine.store import studies
from trine.store.refusals import TooManyError, UnknownError
from trine.store.store import Store


def test_a_study_is_kept_changed_and_dropped_by_its_owner_alone(store: Store) -> None:
    ada, eve = (store.people.create_guest(name).result(PATIENCE).id for name in ("Ada", "Eve"))
    study = store.studies.create(ada, "one").result(PATIENCE)
    other = store.studies.create(ada, "other").result(PATIENCE)
    store.studies.save(study.id, "two\nlines").result(PATIENCE)
    kept = store.studies.get(study.id)
    assert kept and (kept.owner, kept.record) == (ada, "two\nlines")
    assert {one.id for one in store.studies.of(ada)} == {study.id, other.id}
    assert store.studies.of(eve) == []
    assert not store.studies.drop(study.id, eve).result(PATIENCE)
    assert store.studies.drop(study.id, ada).result(PATIENCE)
    assert store.studies.get(study.id) is None
    with pytest.raises(UnknownError):
        store.studies.save(study.id, "three").result(PATIENCE)


def test_nobody_keeps_more_than_fit(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "MOST", 1)
    ada = store.people.create_guest("Ada").result(PATIENCE).id
    store.studies.create(ada, "one").result(PATIENCE)
    with pytest.raises(TooManyError):
        store.studies.create(ada, "two").result(PATIENCE)
