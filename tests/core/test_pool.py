"""Crews of processes: nobody is left behind, and Ctrl-C is for the leader alone."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from core import pool_jobs
from playing import environment
from trine.core.work.pool import WorkerPool
from waiting import PATIENCE, runs, wait_until, wait_until_gone


def lead_apart(folder: Path, seconds: float) -> subprocess.Popen[str]:
    """Lead a pool in a session of its own, in which a terminal's Ctrl-C reaches everybody."""
    env = environment(folder)
    env["PYTHONPATH"] += os.pathsep + str(Path(__file__).resolve().parent.parent)
    return subprocess.Popen(
        [sys.executable, "-m", "core.pool_jobs", str(folder), str(seconds)],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_for(*files: Path) -> list[str]:
    wait_until(lambda: all(file.exists() for file in files))
    return [file.read_text() for file in files]


def test_jobs_are_done_in_other_processes_that_have_begun() -> None:
    with closing(WorkerPool(1, initializer=partial(pool_jobs.begin_with, "hello"))) as pool:
        done = {pool.submit(pool_jobs.word_of_process).result(PATIENCE) for _ in range(3)}
    ((process, word),) = done
    assert process != os.getpid()
    assert word == "hello"


def test_so_many_jobs_are_done_at_once_as_there_are_processes(tmp_path: Path) -> None:
    with closing(WorkerPool(2)) as pool:
        for name in ("one", "two"):
            pool.submit(partial(pool_jobs.work, tmp_path, name, 600))
        one, two = wait_for(tmp_path / "one", tmp_path / "two")
        assert one != two


def test_who_closes_a_pool_waits_for_no_job_but_for_those_who_part(tmp_path: Path) -> None:
    pool = WorkerPool(2, on_exit=partial(pool_jobs.part_slowly, tmp_path))
    futures = [pool.submit(partial(pool_jobs.work, tmp_path, str(n), 600)) for n in range(3)]
    processes = wait_for(tmp_path / "0", tmp_path / "1")
    began = time.monotonic()
    pool.close()
    assert time.monotonic() - began < PATIENCE
    assert not any(map(runs, processes))
    assert all((tmp_path / f"parted-{process}").exists() for process in processes)
    assert all(future.cancelled() or future.exception() for future in futures)


def test_a_pool_can_be_closed_while_jobs_are_given(tmp_path: Path) -> None:
    pool = WorkerPool(4)

    def give() -> None:
        with suppress(BrokenProcessPool):
            for _ in range(5000):
                pool.submit(pool_jobs.word_of_process)

    giver = threading.Thread(target=give)
    pool.submit(partial(pool_jobs.work, tmp_path, "one", 600))
    giver.start()
    processes = wait_for(tmp_path / "one")
    pool.close()
    giver.join(PATIENCE)
    assert not giver.is_alive() and not any(map(runs, processes))


def test_two_threads_can_close_a_pool_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when it is closed, and somebody learns from a process that leaves that it is broken."""
    pool, wrong = WorkerPool(1), list[OSError]()
    lifeline: Any = pool._lifeline
    close = lifeline._close

    def also() -> None:
        try:
            pool.close()
        except OSError as error:
            wrong.append(error)

    def close_slowly() -> None:
        close()
        other = threading.Thread(target=also)
        other.start()
        wait_until(lambda: pool._lock.locked() or not other.is_alive())

    monkeypatch.setattr(lifeline, "_close", close_slowly)
    pool.close()
    assert wrong == []


def test_who_cannot_part_is_gone_all_the_same(tmp_path: Path) -> None:
    pool = WorkerPool(1, on_exit=pool_jobs.fail_to_part)
    pool.submit(partial(pool_jobs.work, tmp_path, "one", 600))
    processes = wait_for(tmp_path / "one")
    pool.close()
    assert not any(map(runs, processes))


def test_the_pool_of_a_killed_leader_parts_and_is_gone(tmp_path: Path) -> None:
    leader = lead_apart(tmp_path, 600)
    processes = wait_for(tmp_path / "one", tmp_path / "two")
    leader.kill()
    leader.communicate()
    wait_until_gone(processes)
    assert all((tmp_path / f"parted-{process}").exists() for process in processes)


@pytest.mark.parametrize("awaited", ["submitted", "two"])
def test_ctrl_c_reaches_only_the_leader(tmp_path: Path, awaited: str) -> None:
    """Also right after the jobs are given, when the processes have hardly started."""
    leader = lead_apart(tmp_path, 1.0)
    wait_for(tmp_path / awaited)
    os.killpg(leader.pid, signal.SIGINT)
    said, complaints = leader.communicate(timeout=PATIENCE)
    assert said == "True one two\n", complaints
    assert complaints == ""


def test_ctrl_c_while_a_job_is_given_is_heard_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: ProcessPoolExecutor, job: object) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(ProcessPoolExecutor, "submit", interrupted)
    with closing(WorkerPool(1)) as pool:
        with pytest.raises(KeyboardInterrupt):
            pool.submit(pool_jobs.word_of_process)
        assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_a_process_that_dies_is_told_by_its_job() -> None:
    with closing(WorkerPool(1)) as pool, pytest.raises(BrokenProcessPool):
        pool.submit(pool_jobs.die).result(PATIENCE)
