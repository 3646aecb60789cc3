"""Turns of bots that are offered to workers elsewhere: each is taken once."""

from __future__ import annotations

import threading

from postgres import Server
from store.stores import PATIENCE
from trine.store.jobs import JobState
from trine.store.store import Store


def test_a_job_is_offered_taken_answered_and_gone(store: Store) -> None:
    assert not store.jobs.wait_any("1") and store.jobs.take("a", "1").result(PATIENCE) is None
    job = store.jobs.offer("game", 5, "bot:3", 0.5, "1").result(PATIENCE)
    assert (job.game, job.seq, job.bot, job.elapsed) == ("game", 5, "bot:3", 0.5)
    assert store.jobs.wait_any("1") and not store.jobs.wait_any("2"), (
        "another version of the program"
    )
    assert store.jobs.take("a", "2").result(PATIENCE) is None
    assert store.jobs.states([job.id]) == {job.id: JobState(False, None)}
    assert store.jobs.take("a", "1").result(PATIENCE) == job
    assert store.jobs.take("b", "1").result(PATIENCE) is None
    assert store.jobs.states([job.id]) == {job.id: JobState(True, None)}
    store.jobs.answer(job.id, ["Ee2n", "end"]).result(PATIENCE)
    assert store.jobs.states([job.id]) == {job.id: JobState(True, ("Ee2n", "end"))}
    store.jobs.withdraw(job.id).result(PATIENCE)
    store.jobs.answer(job.id, ["too late"]).result(PATIENCE)
    assert store.jobs.states([job.id]) == {}


def test_workers_are_counted_while_they_are_there(store: Store) -> None:
    store.jobs.note_worker("a", 3).result(PATIENCE)
    store.jobs.note_worker("b", 2).result(PATIENCE)
    store.jobs.note_worker("b", 4).result(PATIENCE)
    assert store.jobs.count_workers() == 7
    store.jobs.forget_worker("a").result(PATIENCE)
    assert store.jobs.count_workers() == 4


def test_two_processes_never_take_the_same_job(postgres_server: Server) -> None:
    with postgres_server.database() as url, Store.open(url) as one, Store.open(url) as two:
        offered = [one.jobs.offer("game", 1, "bot:3", 0.0, "1") for _ in range(60)]
        wanted = {job.result(PATIENCE).id for job in offered}
        taken: list[str] = []

        def take(store: Store) -> None:
            while job := store.jobs.take("x", "1").result(PATIENCE):
                taken.append(job.id)

        threads = [threading.Thread(target=take, args=(store,)) for store in (one, two, one, two)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        assert len(taken) == 60 and set(taken) == wanted
