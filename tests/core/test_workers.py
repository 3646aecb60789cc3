"""Workers: whatever stands behind the door, each job is done, and none twice."""

from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from core import pool_jobs, worker_jobs
from trine.core.errors import MalformedError
from trine.core.work.workers import Backend, PendingJobs, Workers, as_completed, parse_backend


@pytest.fixture(scope="module", params=[0, 2])
def workers(request: pytest.FixtureRequest) -> Iterator[Workers]:
    with closing(Backend(request.param).open()) as opened:
        yield opened


def test_every_job_is_done_and_none_twice(workers: Workers, tmp_path: Path) -> None:
    jobs = (partial(worker_jobs.do_once, tmp_path, number) for number in range(20))
    assert sorted(as_completed(workers, jobs)) == list(range(20))
    assert len(list(tmp_path.iterdir())) == 20


def test_the_error_of_a_job_is_that_of_its_future(workers: Workers) -> None:
    with pytest.raises(MalformedError, match="nobody of that name"):
        workers.submit(worker_jobs.refuse).result()
    with pytest.raises(ZeroDivisionError, match="by accident"):
        list(as_completed(workers, [worker_jobs.fail]))


def test_no_more_jobs_are_taken_than_there_are_workers(workers: Workers, tmp_path: Path) -> None:
    taken = []

    def jobs() -> Iterator[partial[int]]:
        for number in range(10):
            taken.append(number)
            yield partial(worker_jobs.do_once, tmp_path, number)

    running = as_completed(workers, jobs())
    for done in range(1, 4):
        next(running)
        assert len(taken) <= done + workers.count
    running.close()
    assert len(taken) <= 3 + workers.count


def test_all_that_is_done_by_now_comes_at_once(tmp_path: Path) -> None:
    with closing(Backend(2).open()) as workers:
        pending: PendingJobs[str, int] = PendingJobs(workers)
        assert pending.wait() == []
        for name, seconds in (("quick", 0.0), ("slow", 600.0)):
            pending.submit(name, partial(worker_jobs.do_once, tmp_path, 7, seconds))
        assert not pending.has_capacity
        ((name, done),) = pending.wait()
        assert (name, done.result()) == ("quick", 7)
        assert pending.has_capacity


def test_a_dead_process_breaks_the_pool_off() -> None:
    with closing(Backend(1).open()) as workers, pytest.raises(BrokenExecutor):
        list(as_completed(workers, [pool_jobs.die]))


@pytest.mark.parametrize("words", ["0", "257", "", "two", "4:4", "rays", "-1", "1.5"])
def test_what_names_no_workers_is_refused(words: str) -> None:
    with pytest.raises(MalformedError, match="names no workers"):
        parse_backend(words)


def test_words_for_workers() -> None:
    assert parse_backend(" 3 ") == Backend(3)
    assert parse_backend("ray") == Backend(ray="")
    assert parse_backend("ray:ray://head:10001").ray == "ray://head:10001"
    assert Backend(1).alone == Backend()
    assert Backend(2).alone == Backend(2)
