"""A leader that lets a Ray of its own, with two workers, play games; it tells what happened as JSON.

It is a process of its own: Ray cannot be started twice in one, and warns of much.
"""

import json
import os
import sys
import threading
from concurrent.futures import BrokenExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import ray

from core import pool_jobs, worker_jobs
from engine.arena.matches import play_through, records_by_number, small_match
from trine.core.errors import MalformedError, TrineError
from trine.core.work.workers import Backend, Workers, as_completed
from trine.engine.learn.games import EvalConfig, games_with_returns
from trine.engine.learn.jobs import GameJobs
from trine.engine.selfplay.selfplay_plan import SelfPlayPlan
from waiting import wait_until


def lead(folder: Path) -> dict[str, Any]:
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    with closing(Backend(ray="").open()) as workers:
        told = {"workers": workers.count, **match_with_a_killed_worker(folder)}
        told |= errors(workers)
        told["retried"] = [*as_completed(workers, [partial(worker_jobs.die_once, folder, 5)])]
    plan = SelfPlayPlan("tzaar", "official", nodes=10)
    one, two = (GameJobs(folder / name) for name in ("here", "there"))
    for jobs, place in ((one, Backend()), (two, Backend(ray=""))):
        jobs.folder.mkdir()
        list(
            jobs.do(
                range(3),
                lambda job: partial(
                    games_with_returns, plan, EvalConfig(), 0.8, job, range(job * 20, job * 20 + 20)
                ),
                place,
            )
        )
    told["same samples"] = [
        bool(len(here) and (here.rows == there.rows).all())
        for here, there in zip(one.results(3), two.results(3), strict=True)
    ]
    return told


def match_with_a_killed_worker(folder: Path) -> dict[str, Any]:
    """Play a match on Ray, kill a worker while it plays, and the same match in this process."""
    match = small_match("random", "marked:0.004:" + str(folder / "workers"))
    killed: list[int] = []
    killer = threading.Thread(target=kill_one, args=(folder, killed))
    killer.start()
    _, events = play_through(match, 16, folder / "far", backend=Backend(ray=""))
    killer.join()
    (folder / "killed").unlink(missing_ok=True)
    (folder / "workers").rename(folder / "far workers")
    play_through(match, 16, folder / "near")
    used = {int(file.name) for file in (folder / "far workers").iterdir()}
    return {
        "killed": len(killed),
        "others": len(used - set(killed)),
        "events": len(events),
        "rounds": (folder / "far").read_text().count("[Round "),
        "same games": records_by_number(folder / "far") == records_by_number(folder / "near"),
    }


def kill_one(folder: Path, killed: list[int]) -> None:
    """Kill a worker that is in the middle of a game, when some games are over."""
    far = folder / "far"
    wait_until(lambda: far.exists() and far.read_text().count("[Round ") >= 4, interval=0.01)
    newest = max((folder / "workers").iterdir(), key=lambda file: file.stat().st_mtime_ns)
    (folder / "killed").touch()  # no game goes on before a new worker plays too
    os.kill(int(newest.name), 9)
    killed.append(int(newest.name))


def errors(workers: Workers) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for name, job in (
        ("refused", worker_jobs.refuse),
        ("failed", worker_jobs.fail),
        ("killer", pool_jobs.die),
    ):
        error = workers.submit(job).exception()
        kinds = (MalformedError, ZeroDivisionError, BrokenExecutor, TrineError)
        told[name] = next(kind.__name__ for kind in kinds if isinstance(error, kind))
    return told


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(json.dumps(lead(Path(sys.argv[1]))))
